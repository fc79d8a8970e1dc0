"""Every headline is true: each kind is proved by running the answer that it is about.

A kind of headline without a proof here fails the test, so that none is added unproved.
"""

import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest
import torch
from torch import Tensor

from tutor.checking.calls import FunctionAnswer, Outcome, same_outcome
from tutor.checking.examine import examine, key
from tutor.checking.exercise import Arguments, Exercise
from tutor.checking.leaves import leaves, replaced
from tutor.checking.tolerance import equal
from tutor.checking.trial import Trial, TrialCall, has_nan
from tutor.checking.variants import VARIANTS
from tutor.checking.verdict import Verdict
from tutor.exercises import lessons

WRITTEN = [e for lesson in lessons().values() for e in lesson if e.kind != "predict"]
WAYS = [
    pytest.param(
        exercise,
        function,
        id=f"{mistake.id}-{number}",
        marks=pytest.mark.xdist_group(exercise.name),
    )
    for exercise in WRITTEN
    for mistake in exercise.mistakes
    for number, function in enumerate(mistake.functions)
]


class Case:
    """An exercise, a wrong answer, and what the checker says of it."""

    def __init__(self, exercise: Exercise, function: Callable[..., Any], verdict: Verdict) -> None:
        self.exercise, self.verdict = exercise, verdict
        self.answer = FunctionAnswer(function)
        self.cases = key(exercise, 0).cases

    def run(self, arguments: Arguments) -> Outcome:
        """Call the answer."""
        return self.answer.run(arguments)

    def right(self, arguments: Arguments) -> Outcome:
        """Call the reference."""
        return FunctionAnswer(self.exercise.reference).run(arguments)

    def trial(self) -> Trial:
        """Give a trial in which nothing has been run."""
        return Trial(self.exercise, self.answer, key(self.exercise, 0), {})


def _other_values(value: Any) -> Iterator[Any]:
    """Give quite other values, of the same form."""
    generator = torch.Generator().manual_seed(99)
    if isinstance(value, Tensor) and value.is_floating_point():
        for scale in (0.3, 3.0):
            yield (scale * torch.randn(value.shape, generator=generator)).to(value.dtype)
    elif isinstance(value, Tensor) and value.numel():
        choices = torch.tensor([False, True]) if value.dtype == torch.bool else value.unique()
        for _ in range(3):
            yield choices[torch.randint(len(choices), value.shape, generator=generator)]
    elif type(value) is float:
        yield from (value * 2.5, value / 3)
    elif type(value) is int:
        yield from (value + 2, value + 1)


def stays(this: Case, name: str) -> bool:
    """Redraw an argument in every case: the answer's result must stay."""
    for case, arguments in this.cases.items():
        before = this.run(arguments)
        if case in VARIANTS or before.failure or has_nan(before.value):
            continue
        for leaf in leaves(arguments):
            for other in _other_values(leaf.value) if leaf.name == name else ():
                changed = replaced(arguments, {leaf.path: other})
                allowed = this.right(changed).failure is None
                if allowed and not same_outcome(this.run(changed), before, this.exercise.absolute):
                    return False
    return True


def stays_with_one_change(this: Case, name: str, before: str, after: str) -> bool:
    """Change the one cell that is named, in the case that is named."""
    case = re.search(r'in the case "(.*)"', this.verdict.details[0])[1]
    arguments = this.cases[case]
    leaf = max(
        (leaf for leaf in leaves(arguments) if name.startswith(leaf.name)),
        key=lambda leaf: len(leaf.name),
    )
    value = eval(after, {})
    if isinstance(leaf.value, Tensor):
        place = tuple(eval(name.removeprefix(leaf.name), {}))
        assert str(leaf.value[place].item()) == before
        changed_value = leaf.value.clone()
        changed_value[place] = value
    else:
        changed_value = value
    changed = replaced(arguments, {leaf.path: changed_value})
    moved = not same_outcome(this.right(arguments), this.right(changed))
    return moved and same_outcome(this.run(arguments), this.run(changed), this.exercise.absolute)


def holds_nan(this: Case) -> bool:
    """Find a NaN in some case, or on the small case of a property."""
    given = [this.run(arguments).value for arguments in this.cases.values()]
    return any(has_nan(value) for value in given if value is not None) or any(
        is_broken(this, rule.name) for rule in this.exercise.properties
    )


def is_broken(this: Case, name: str) -> bool:
    """Try the property that is named."""
    rule = next(rule for rule in this.exercise.properties if rule.name == name)
    try:
        return rule.broken(TrialCall(this.trial())) is not None
    except Exception:
        return True


def differs(this: Case) -> bool:
    """Find a case with a result of the right form that is not the right one."""
    trial = this.trial()
    return any(
        trial.well_formed_but_for_lists(case, outcome)
        and not equal(trial.expected(case), trial.seen(case, outcome).value, trial.absolute)
        for case, arguments in this.cases.items()
        if (outcome := this.run(arguments)).failure is None
    )


def fails(this: Case) -> bool:
    """Find a case that gives no value."""
    return any(this.run(arguments).failure for arguments in this.cases.values())


def has_another_form(this: Case) -> bool:
    """Find a case whose result has another form."""
    trial = this.trial()
    return any(
        not trial.well_formed(case, this.run(arguments)) for case, arguments in this.cases.items()
    )


def is_changed(this: Case, name: str) -> bool:
    """Find a case in which the argument is not what it was."""
    return any(name in this.run(arguments).changed for arguments in this.cases.values())


def differs_twice(this: Case) -> bool:
    """Call it twice."""
    return any(
        not same_outcome(this.run(arguments), this.run(arguments))
        for arguments in this.cases.values()
    )


def gives_right_numbers(this: Case) -> bool:
    """See that only the way to the result is at fault."""
    return not differs(this)


PROOFS: dict[str, Callable[..., bool]] = {
    r"Change (\S+) and your result stays the same\.": stays,
    r"Change (.+) from (.+) to (.+), and your result stays the same\.": stays_with_one_change,
    r"Some of your results are not a number \(NaN\)\.": holds_nan,
    r"This does not hold: (.+)": is_broken,
    r"The numbers differ\.": differs,
    r"Your list is not the right one\.": differs,
    r"It stopped with an error\.": fails,
    r"(?:It returned|Your function returns nothing) .*": fails,
    r"Its result has the wrong form\.": has_another_form,
    r"It changes its argument (\w+) in place\.": is_changed,
    r"Called twice with the same arguments, it gave two results\.": differs_twice,
    r"The numbers are right, but they are not found in the way .*": gives_right_numbers,
}


def prove(exercise: Exercise, function: Callable[..., Any]) -> None:
    """Prove what the checker says of a wrong answer."""
    verdict = examine(exercise, FunctionAnswer(function))
    if verdict.status != "wrong":
        return
    this = Case(exercise, function, verdict)
    proofs = [
        (proof, found.groups())
        for pattern, proof in PROOFS.items()
        if (found := re.fullmatch(pattern, verdict.headline))
    ]
    assert len(proofs) == 1, verdict
    proof, gaps = proofs[0]
    assert proof(this, *gaps), verdict
    if "NaN" in verdict.hint + " ".join(verdict.details):
        assert holds_nan(this), verdict


@pytest.mark.long
@pytest.mark.parametrize(("exercise", "function"), WAYS)
def test_every_headline_is_true(exercise, function):
    prove(exercise, function)


@pytest.mark.parametrize(("exercise", "function"), WAYS[::29])
def test_headlines_are_true(exercise, function):
    prove(exercise, function)


def real_or_past(q, k, v, real):
    keep = real[:, None, :] | torch.ones(q.size(1), q.size(1)).tril().bool()
    scores = (q @ k.mT / q.size(-1) ** 0.5).masked_fill(~keep, -torch.inf)
    weights = scores.softmax(-1)
    return weights @ v, weights


def padded_queries_are_0(q, k, v, real):
    q = q * real[..., None]
    keep = torch.ones(q.size(1), q.size(1)).tril().bool()
    weights = (q @ k.mT / q.size(-1) ** 0.5).masked_fill(~keep, -torch.inf).softmax(-1)
    return weights @ v, weights


def first_key_visible(q, k, v, real):
    keep = real.clone()
    keep[:, 0] = True
    scores = (q @ k.mT / q.size(-1) ** 0.5).masked_fill(~keep[:, None], -torch.inf)
    weights = scores.softmax(-1)
    return weights @ v, weights


def least_likely(log_probs, max_length):
    ids = [0]
    while len(ids) <= max_length and (len(ids) == 1 or ids[-1] != 1):
        ids.append(int(log_probs[ids[-2] if len(ids) > 1 else 0, ids[-1]].argmin()))
    return ids[1:]


@pytest.mark.parametrize(
    ("name", "function"),
    [
        ("greedy_decode", least_likely),
        ("shift_targets", lambda y: (y[:, 1:], y[:, 1:])),
        ("causal_self_attention", real_or_past),
        ("causal_self_attention", padded_queries_are_0),
        ("safe_attention", first_key_visible),
        ("tied_logits", lambda h, table: h @ table.reshape(-1, len(table))),
    ],
)
def test_headlines_that_were_false(name, function):
    prove(next(exercise for exercise in WRITTEN if exercise.name == name), function)


@pytest.mark.parametrize("mistake", ["dec-ffn-residual-from-start", "dec-no-ffn-residual"])
def test_a_lost_residual_beside_a_feed_forward_layer_hides_no_source(mistake):
    exercise = next(exercise for exercise in WRITTEN if exercise.name == "decoder_layer")
    made = next(made for made in exercise.mistakes if made.id == mistake)
    verdict = examine(exercise, FunctionAnswer(made.function))
    assert verdict.mistake == mistake
    assert "source" not in verdict.headline
