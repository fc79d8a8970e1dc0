"""look_up: every question finds its card among all of them."""

from collections.abc import Callable, Mapping

import torch
import torch.nn.functional as F
from torch import Tensor

from tutor.checking.exercise import Arguments, Call, Exercise, Mistake, Property
from tutor.checking.seeds import EXAMPLE, Rng
from tutor.exercises.extremes import queries_and_keys
from tutor.say import say


def _cases(seed: int) -> Mapping[str, Arguments]:
    rng = Rng(seed)

    def case(Q: int, N: int, D: int, V: int, size: float = 1.0) -> Arguments:
        return {
            "questions": rng.normal(Q, D) * size,
            "keys": rng.normal(N, D),
            "values": rng.normal(N, V),
        }

    return {
        "unequal sizes": case(2, 5, 3, 4),
        "square": case(4, 4, 4, 4),
        "one card": case(3, 1, 2, 5),
        "scores in the hundreds": case(3, 7, 4, 2, size=300.0),
        "one question": case(1, 4, 2, 3),
        "one number each": case(5, 3, 1, 1),
        "wide keys": case(2, 3, 7, 4),
        "scores of ±1000": _loud(rng),
        EXAMPLE: {
            "questions": torch.tensor([[2.0, 0.0]]),
            "keys": torch.eye(2),
            "values": torch.tensor([[10.0], [20.0]]),
        },
    }


def _loud(rng: Rng) -> Arguments:
    questions, keys = queries_and_keys(rng, queries=4, keys=3)
    return {"questions": questions / 4, "keys": keys, "values": rng.normal(3, 5)}


def _look_up(questions: Tensor, keys: Tensor, values: Tensor) -> Tensor:
    weights = torch.softmax(questions @ keys.T, dim=-1)  # (Q, N): rows sum to 1
    return weights @ values  # (Q, N) @ (N, V) -> (Q, V)


def _weighing(weights: Callable[[Tensor, Tensor], Tensor]) -> Callable[..., Tensor]:
    """Build an answer from how it makes weights (Q, N) of scores and keys."""
    return lambda questions, keys, values: weights(questions @ keys.T, keys) @ values


def _order_of_cards_does_not_matter(call: Call) -> str | None:
    questions, keys, values = _cases(1)["unequal sizes"].values()
    before, after = call(questions, keys, values), call(questions, keys.flip(0), values.flip(0))
    if torch.allclose(before, after, atol=1e-4):
        return None
    return say("The cards were laid out in another order, and the answers changed.")


def _questions_keep_apart(call: Call) -> str | None:
    questions, keys, values = _cases(2)["unequal sizes"].values()
    if torch.allclose(
        call(questions, keys, values)[1:], call(questions[1:], keys, values), atol=1e-4
    ):
        return None
    return say("The second question gets another answer when the first is not asked.")


look_up = Exercise(
    "look_up",
    points=3,
    reference=_look_up,
    cases=_cases,
    returns=("answers",),
    shapes={"questions": "Q D", "keys": "N D", "values": "N V", "answers": "Q V"},
    properties=[
        Property("The order of the cards does not matter.", _order_of_cards_does_not_matter),
        Property("Questions do not touch each other.", _questions_keep_apart),
    ],
    mistakes=[
        Mistake(
            "lookup-over-questions",
            _weighing(lambda scores, keys: scores.softmax(0)),
            "Your questions share each card among them. Over what should one question's shares "
            "sum to 1?",
        ),
        Mistake(
            "lookup-raw-scores",
            _weighing(lambda scores, keys: scores),
            "Your answers can be far larger than any value. What turns scores into shares?",
        ),
        Mistake(
            "lookup-scores-divided",
            _weighing(lambda scores, keys: scores / scores.sum(-1, keepdim=True)),
            "Your shares sum to 1, but some are below 0. What makes every score positive first?",
        ),
        Mistake(
            "lookup-not-divided",
            _weighing(lambda scores, keys: scores.exp()),
            "Every share is positive, but together they are not 1. What is missing?",
        ),
        Mistake(
            "lookup-overflow",
            _weighing(lambda scores, keys: scores.exp() / scores.exp().sum(-1, keepdim=True)),
            "With small scores you are right; with scores in the hundreds NaN comes out. How large "
            "may a number be before exp is infinite?",
        ),
        Mistake(
            "lookup-hardest",
            _weighing(lambda scores, keys: F.one_hot(scores.argmax(-1), keys.size(0)).float()),
            "You take the best card alone. What should the second best have?",
        ),
        Mistake(
            "lookup-even",
            _weighing(lambda scores, keys: torch.full_like(scores, 1 / keys.size(0))),
            "Every card counts the same, whatever is asked. Where does the question come in?",
        ),
        Mistake(
            "lookup-sigmoid",
            _weighing(lambda scores, keys: scores.sigmoid()),
            "Each card is weighed by itself, so the shares do not sum to 1. Which function weighs "
            "them against each other?",
        ),
        Mistake(
            "lookup-scaled",
            _weighing(lambda scores, keys: (scores / keys.size(1) ** 0.5).softmax(-1)),
            "Your shares are more even than asked. The root is lesson 4's; is it asked for here?",
        ),
        Mistake(
            "lookup-cosine",
            lambda questions, keys, values: (
                (F.normalize(questions, dim=-1) @ F.normalize(keys, dim=-1).T).softmax(-1) @ values
            ),
            "You compare directions only. Does a dot product forget how long its vectors are?",
        ),
        Mistake(
            "lookup-distance",
            lambda questions, keys, values: (-torch.cdist(questions, keys)).softmax(-1) @ values,
            "You compare by distance. Which score is asked for?",
        ),
        Mistake(
            "lookup-least-alike",
            _weighing(lambda scores, keys: (-scores).softmax(-1)),
            "The card that fits least has the largest share. Which way do your scores point?",
        ),
        Mistake(
            "lookup-returns-keys",
            lambda questions, keys, values: (questions @ keys.T).softmax(-1) @ keys,
            "You average the cards' keys. What should a question get from a card?",
        ),
        Mistake(
            "lookup-returns-shares",
            lambda questions, keys, values: (questions @ keys.T).softmax(-1),
            "Your shares are right. What are they shares of?",
        ),
        Mistake(
            "lookup-by-values",
            lambda questions, keys, values: (
                (values @ values.T).softmax(-1)[: len(questions)] @ values
            ),
            "You compare values with values. What does a question know of a card: its key, or its "
            "value?",
        ),
        Mistake(
            "lookup-first-question",
            lambda questions, keys, values: (questions[:1] @ keys.T).softmax(-1) @ values,
            "You answer the first question only. How many answers are asked for?",
        ),
    ],
    hints=[
        "Write down the shapes: Q questions of D numbers, N keys of D numbers. How must the keys "
        "lie so that their product has one score for each question and card?",
        "One row of scores belongs to one question. Softmax has to go along that row.",
        "The shares have shape (Q, N), the values (N, V). Which product has shape (Q, V)?",
    ],
)
