"""mend_penalty: a repetition penalty that rewards tokens with a negative logit."""

from collections.abc import Mapping

import torch
from torch import Tensor

from tutor.checking.exercise import Arguments, Call, Exercise, Mistake, Property
from tutor.checking.seeds import EXAMPLE, Rng
from tutor.say import say


def _penalised(logits: Tensor, written: Tensor, penalty: float) -> Tensor:
    return torch.where(_said(logits, written), _lowered(logits, penalty), logits)


def _lowered(logits: Tensor, penalty: float) -> Tensor:
    return torch.where(logits > 0, logits / penalty, logits * penalty)


def _said(logits: Tensor, written: Tensor) -> Tensor:
    return torch.zeros_like(logits, dtype=torch.bool).index_fill(0, written, True)


def _each_time(logits: Tensor, written: Tensor, penalty: float) -> Tensor:
    for token in written.tolist():
        logits = _penalised(logits, torch.tensor([token]), penalty)
    return logits


def _penalty_cases(seed: int) -> Mapping[str, Arguments]:
    rng = Rng(seed)

    def case(written: list[int], vocabulary: int, penalty: float) -> Arguments:
        """Draw logits of which none is near 0, the first written one below it, the second above."""
        logits = rng.normal(vocabulary)
        logits = logits + 0.3 * torch.where(logits > 0, 1.0, -1.0)
        for place, sign in zip(dict.fromkeys(written), (-1.0, 1.0)):
            logits[place] = sign * logits[place].abs()
        return {"logits": logits, "written": torch.tensor(written), "penalty": penalty}

    return {
        "two tokens": case([(4 + seed) % 6, (1 + seed) % 6], 6, 1.3),
        "some of them twice": case([0, 5, 0, 5, 2], 7, 1.2),
        "a whole vocabulary": case([3, 0, 1, 2], 4, 1.5),
        "one token": case([2], 5, 2.0),
        "a vocabulary of one": case([0, 0], 1, 1.6),
        "a long text": case([1, 3, 1, 1, 3, 7, 7, 1, 3], 9, 1.1),
        "nothing written": {
            "logits": rng.normal(5),
            "written": torch.tensor([], dtype=torch.long),
            "penalty": 1.4,
        },
        EXAMPLE: {
            "logits": torch.tensor([2.0, 1.0, -1.0, -2.0]),
            "written": torch.tensor([0, 3, 0]),
            "penalty": 2.0,
        },
    }


def _less_likely(call: Call) -> str | None:
    logits, written = torch.tensor([1.0, -2.0, 0.5]), torch.tensor([1])
    before, after = (each.softmax(-1)[1].item() for each in (logits, call(logits, written, 2.0)))
    if after < before:
        return None
    return say(
        "A token with the logit −2 was written. Before, it had a probability of {before:.3f}, "
        "after your penalty it has {after:.3f}.",
        before=before,
        after=after,
    )


mend_penalty = Exercise(
    "mend_penalty",
    points=2,
    reference=_penalised,
    cases=_penalty_cases,
    returns=("logits",),
    shapes={"logits": "V", "written": "T"},
    promises={
        "perhaps with repeats": lambda logits, written, penalty: (
            len(set(written.tolist())) < len(written)
        ),
        "negative": lambda logits, written, penalty: bool((logits[written] < 0).any()),
    },
    given="penalty-divides-all",
    properties=[Property("What was written becomes less likely.", _less_likely)],
    mistakes=[
        Mistake(
            "penalty-divides-all",
            lambda logits, written, penalty: torch.where(
                _said(logits, written), logits / penalty, logits
            ),
            "Some written tokens have become more likely. What do their logits have in common?",
        ),
        Mistake(
            "penalty-multiplies-all",
            lambda logits, written, penalty: torch.where(
                _said(logits, written), logits * penalty, logits
            ),
            "Some written tokens have become more likely. What do their logits have in common?",
        ),
        Mistake(
            "penalty-turned-round",
            lambda logits, written, penalty: _penalised(logits, written, 1 / penalty),
            "Everything written has become more likely. Which way do you move each logit?",
        ),
        Mistake(
            "penalty-each-time",
            _each_time,
            "A token that was written twice has been lowered twice. How often should it be?",
        ),
        Mistake(
            "penalty-for-all-tokens",
            lambda logits, written, penalty: _lowered(logits, penalty),
            "Tokens have moved that nobody has written. Which ones should?",
        ),
        Mistake(
            "penalty-for-the-others",
            lambda logits, written, penalty: torch.where(
                _said(logits, written),
                logits,
                _penalised(logits, torch.arange(len(logits)), penalty),
            ),
            "The tokens that were written have kept their logits, and all others have not. Which "
            "ones are to be lowered?",
        ),
        Mistake(
            "penalty-subtracted",
            lambda logits, written, penalty: torch.where(
                _said(logits, written), logits - penalty, logits
            ),
            "The right tokens have been lowered, all by the same amount. How does this penalty "
            "act on a logit?",
        ),
        Mistake(
            "penalty-for-the-newest",
            lambda logits, written, penalty: _penalised(logits, written[-1:], penalty),
            "Only the newest token has been lowered. What about those before it?",
        ),
    ],
    hints=[
        "Call it with the logits [2, -2] and both tokens written. Which of the two does the "
        "penalty hit?",
        "What has to be done with a negative number so that it gets smaller?",
    ],
)
