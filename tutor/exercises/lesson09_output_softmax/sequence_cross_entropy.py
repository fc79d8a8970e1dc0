"""sequence_cross_entropy: how surprised the model is at the right words."""

from collections.abc import Mapping

import torch

from tutor.checking.exercise import Arguments, Call, Exercise, Property
from tutor.checking.seeds import EXAMPLE, Rng
from tutor.exercises.extremes import SCORES, levels
from tutor.exercises.lesson09_output_softmax.sequence_cross_entropy_mistakes import MISTAKES
from tutor.loss import sequence_cross_entropy as surprise
from tutor.say import say


def _loss_cases(seed: int) -> Mapping[str, Arguments]:
    rng = Rng(seed)

    def case(labels: list[list[int]], vocabulary: int, pad_id: int) -> Arguments:
        ids = torch.tensor(labels)
        logits = 2 * rng.normal(*ids.shape, vocabulary)
        return {"logits": logits, "labels": ids, "pad_id": pad_id}

    loud = levels(2, 4, 1) + rng.quarters(2, 4, 5)
    drawn = rng.integers(0, 5, 5, 4)
    hopeless = rng.quarters(1, 3, 4)
    hopeless[0, 0, 2], hopeless[0, 1, 1] = -150.0, -200.0
    drawn[0, 0] = 5
    return {
        "unequal sentences": case([[4, 0, 6, 1, 3], [5, 0, 2, 2, 2], [1, 2, 2, 2, 2]], 7, 2),
        "a hole in the padding": case([[3, 1, 4, 0], [4, 1, 0, 1]], 5, 1),
        "no padding": case([[2, 0, 1], [1, 3, 2]], 5, 4),
        "square": case([[1, 0, 2, 3], [2, 3, 3, 3], [0, 1, 3, 3], [0, 3, 3, 3]], 4, 3),
        "padding is 0": case([[3, 1, 0], [2, 0, 0], [1, 4, 3]], 5, 0),
        "one place": case([[2], [4], [1]], 6, 4),
        "one sentence": case([[3, 0, 1, 2, 2]], 4, 2),
        "a single real word": case([[1, 1], [1, 0]], 3, 1),
        "two words": case([[0, 1, 0], [1, 1, 1]], 2, 1),
        "any words": case(drawn.tolist(), 6, rng.number(0, 4)),
        "a padded sentence": case([[1, 1, 1], [0, 2, 3]], 4, 1),
        "scores of ±1000": {"logits": loud, "labels": rng.integers(0, 3, 2, 4), "pad_id": 4},
        "hopeless words": {
            "logits": hopeless,
            "labels": torch.tensor([[2, 1, 0]]),
            "pad_id": 3,
        },
        EXAMPLE: {"logits": torch.zeros(1, 3, 4), "labels": torch.tensor([[2, 0, 0]]), "pad_id": 0},
    }


def _padding_does_not_matter(call: Call) -> str | None:
    logits, labels = 2 * Rng(1).normal(1, 3, 4), torch.tensor([[1, 0, 3]])
    changed = logits.clone()
    changed[0, 2] += torch.tensor([5.0, 0.0, 1.0, -3.0])
    if torch.allclose(call(logits, labels, 3), call(changed, labels, 3), atol=1e-4):
        return None
    return say("The last of three labels is padding. Other scores at its place change your loss.")


def _tokens_count_alike(call: Call) -> str | None:
    logits = torch.zeros(2, 3, 2)
    logits[1, 0, 0] = 3.0  # the only word of the second sentence is guessed wrongly
    labels = torch.tensor([[1, 1, 1], [1, 2, 2]])
    logits = torch.cat([logits, torch.full((2, 3, 1), -20.0)], dim=-1)
    expected = (3 * 0.6931 + 3.0486) / 4
    given = call(logits, labels, 2).item()
    if abs(given - expected) < 0.01:
        return None
    return say(
        "Three words cost 0.693 each, and the only word of a second sentence 3.049. The"
        " mean over the four words is {expected:.3f}; yours is {given:.3f}.",
        expected=expected,
        given=given,
    )


def _even_guess(call: Call) -> str | None:
    given = call(torch.zeros(1, 2, 8), torch.tensor([[3, 5]]), 0).item()
    if abs(given - 2.0794) < 0.01:
        return None
    return say(
        "Where eight words are equally likely, the surprise is ln 8 = 2.079 for each; "
        "yours is {given:.3f}.",
        given=given,
    )


_PROPERTIES = [
    Property("What the model says at padding does not matter.", _padding_does_not_matter),
    Property("An even guess among eight words costs ln 8.", _even_guess),
    Property("Every real word counts alike.", _tokens_count_alike),
]


sequence_cross_entropy = Exercise(
    "sequence_cross_entropy",
    points=2,
    reference=surprise,
    cases=_loss_cases,
    returns=("loss",),
    shapes={"logits": "B T V", "labels": "B T"},
    smallest={"V": 2},
    promises={
        **SCORES,
        "no padding": lambda logits, labels, pad_id: bool((labels != pad_id).all()),
        "a hole": lambda logits, labels, pad_id: bool(
            ((labels == pad_id)[:, :-1] & (labels != pad_id)[:, 1:]).any()
        ),
        "a sentence of padding": lambda logits, labels, pad_id: bool(
            (labels == pad_id).all(-1).any()
        ),
        "a single real token": lambda logits, labels, pad_id: int((labels != pad_id).sum()) == 1,
        "padding is 0": lambda logits, labels, pad_id: pad_id == 0,
        "a word has the id 0": lambda logits, labels, pad_id: pad_id and bool((labels == 0).any()),
    },
    library=("cross_entropy", "nll_loss"),
    properties=_PROPERTIES,
    mistakes=MISTAKES,
    hints=[
        "For each token you need one number: the log-probability of its label. gather, or "
        "indexing with three tensors, picks it.",
        "Which tokens are real? Make a boolean tensor of the labels' shape.",
        "Add up the surprises of the real tokens of the whole batch. By what do you divide?",
    ],
)
