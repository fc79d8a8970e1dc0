"""The second layer of feedback: does what must always hold, hold?

In this order: it uses all its arguments, has the exercise's properties, sees a change of a single
cell, and leaves its arguments alone. A property that cannot be tried on an answer is broken by it.
That it keeps no state between calls comes before everything else, as all else would be told of one
call only.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from torch import Tensor

from tutor.checking.calls import same_outcome
from tutor.checking.differences import differing_numbers
from tutor.checking.exercise import CallError, Property
from tutor.checking.failure_sentences import told
from tutor.checking.finding import Finding
from tutor.checking.forms import called_with, where
from tutor.checking.ignored import ignored_argument, ignored_change
from tutor.checking.leaves import leaves
from tutor.checking.nan import nan_headline, nan_place
from tutor.checking.trial import NanError, Trial, TrialCall
from tutor.say import say


def broken_property(trial: Trial) -> Finding | None:
    """Find something that holds of every right answer and not of this one."""
    layers: tuple[Callable[[Trial], Finding | None], ...] = (
        _ignores_an_argument,
        _breaks_a_rule,
        _ignores_a_change,
        _changed_argument,
    )
    return next((finding for layer in layers if (finding := layer(trial))), None)


def kept_state(trial: Trial) -> Finding | None:
    """Find a case on which a second call ended in another way than the first."""
    for name, again in trial.again.items():
        first = trial.outcomes[name]
        one, other = trial.seen(name, first), trial.seen(name, again)
        if same_outcome(one, other, trial.absolute):  # some libraries differ in the last digit
            continue
        why = say("It depends on more than its arguments: chance, or what an earlier call left.")
        if again.failure and not first.failure:
            headline = say("It worked the first time and not again.")
            return Finding(headline, (told(again.failure), *where(again.failure), why))
        headline = say("Called twice with the same arguments, it gave two results.")
        return Finding(headline, (say('This is the case "{case}".', case=say(name)), why))
    return None


def _ignores_an_argument(trial: Trial) -> Finding | None:
    name = ignored_argument(trial)
    if name is None:
        return None
    headline = say("Change {name} and your result stays the same.", name=name)
    return Finding(headline, (say("The right result changes with it."),))


def _ignores_a_change(trial: Trial) -> Finding | None:
    change = ignored_change(trial)
    if change is None:
        return None
    headline = say(
        "Change {name} from {before} to {after}, and your result stays the same.",
        name=change.name,
        before=change.before,
        after=change.after,
    )
    detail = say(
        'This is so in the case "{case}". The right result changes with it.', case=say(change.case)
    )
    return Finding(headline, (detail,), called_with(trial.key.cases[change.case]))


@dataclass(frozen=True)
class Broken:
    """A property that an answer breaks, and how it shows."""

    rule: Property
    finding: Finding


def broken_rule(trial: Trial) -> Broken | None:
    """Find the first property of the exercise that the answer breaks."""
    found = (_broken(rule, trial) for rule in trial.exercise.properties)
    return next((broken for broken in found if broken), None)


def _broken(rule: Property, trial: Trial) -> Broken | None:
    headline = say("This does not hold: {rule}", rule=say(rule.name))
    try:
        sentence = rule.broken(TrialCall(trial))
    except NanError as nan:
        place = nan_place(trial, nan.value)
        detail = say("On a small case the first is at {place}.", place=place or "")
        return Broken(rule, Finding(nan_headline(), (detail,), called_with(nan.arguments)))
    except CallError as call:
        tried = say("On a small case that tries this, it gave no result:")
        details = (tried, told(call.failure), *where(call.failure))
        return Broken(rule, Finding(headline, details))
    except Exception:  # the result has a form that the property cannot read
        detail = say("On a small case that tries this, the result has the wrong form.")
        return Broken(rule, Finding(headline, (detail,)))
    return Broken(rule, Finding(headline, (sentence,))) if sentence else None


def _breaks_a_rule(trial: Trial) -> Finding | None:
    broken = broken_rule(trial)
    return broken.finding if broken else None


def _changed_argument(trial: Trial) -> Finding | None:
    changed = [name for outcome in trial.outcomes.values() for name in outcome.changed]
    if not changed:
        return None
    value = next(iter(trial.key.cases.values()))[changed[0]]
    return Finding(
        say("It changes its argument {name} in place.", name=changed[0]),
        (_ask_who_needs_it(changed[0], value),),
        half=differing_numbers(trial) is None,
    )


def _ask_who_needs_it(name: str, value: Any) -> str:
    if isinstance(value, Tensor):
        return say(
            "Whoever called it still needs the old {name}. Which line writes into that tensor?",
            name=name,
        )
    if any(isinstance(leaf.value, Tensor) for leaf in leaves({"value": value})):
        return say(
            "Whoever called it still needs the old {name}. Which line writes into that list or its "
            "tensors?",
            name=name,
        )
    return say(
        "Whoever called it still needs the old {name}. Which line writes into that list?", name=name
    )
