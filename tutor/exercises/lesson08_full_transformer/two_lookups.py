"""two_lookups: follow a chain of cards by two attentions, one after the other."""

from collections.abc import Callable, Mapping

import torch
from torch import Tensor

from tutor.checking.exercise import Arguments, Call, Exercise, Mistake, Property
from tutor.checking.seeds import EXAMPLE, Rng
from tutor.exercises.extremes import queries_and_keys
from tutor.say import say


def _cases(seed: int) -> Mapping[str, Arguments]:
    rng = Rng(seed)

    def case(questions: int, cards: int, letters: int, scale: float) -> Arguments:
        return {
            "questions": rng.normal(questions, letters),
            "keys": rng.normal(cards, letters),
            "values": rng.normal(cards, letters),
            "twice": _some_of_each(rng, questions),
            "scale": scale,
        }

    return {
        "unequal sizes": case(4, 6, 3, 1.5),
        "square": case(4, 4, 4, 0.5),
        "one question, one step": case(1, 5, 3, 1.0),
        "one card": case(3, 1, 2, 2.0),
        "one letter": case(4, 3, 1, 1.0),
        "wide keys": case(3, 4, 9, 0.3),
        "scores of ±1000": _loud(rng),
        "eight cards": _hand(rng),
        EXAMPLE: {
            "questions": torch.eye(3)[:1],
            "keys": torch.eye(3)[:2],
            "values": torch.eye(3)[1:],
            "twice": torch.tensor([True]),
            "scale": 10.0,
        },
    }


def _some_of_each(rng: Rng, questions: int) -> Tensor:
    return rng.permutation(questions) % 2 == 1


def _loud(rng: Rng) -> Arguments:
    questions, keys = queries_and_keys(rng, queries=4, keys=3)
    values = rng.quarters(3, keys.size(1))
    values[:, 0] = 0.0  # what is found asks softly
    return {
        "questions": questions,
        "keys": keys,
        "values": values,
        "twice": _some_of_each(rng, 4),
        "scale": 0.25,
    }


def _hand(rng: Rng) -> Arguments:
    """Deal one-hot cards: four letters lead to four others, and these to further ones."""
    first, middle, last = rng.permutation(4), rng.permutation(4) + 4, rng.permutation(4)
    letters, order = torch.eye(8), rng.permutation(8)
    return {
        "questions": letters[torch.cat([first, first, middle])],
        "keys": letters[torch.cat([first, middle])][order],
        "values": letters[torch.cat([middle, last])][order],
        "twice": torch.arange(12) < 4,
        "scale": 8.0,
    }


def _look_up(x: Tensor, keys: Tensor, values: Tensor, scale: float) -> Tensor:
    weights = torch.softmax(scale * x @ keys.T, dim=-1)  # (Q, N): rows sum to 1
    return weights @ values  # (Q, N) @ (N, V) -> (Q, V)


def _two_lookups(
    questions: Tensor, keys: Tensor, values: Tensor, twice: Tensor, scale: float
) -> Tensor:
    found = _look_up(questions, keys, values, scale)
    further = _look_up(found, keys, values, scale)
    return torch.where(twice[:, None], further, found)


def _with_second(second: Callable[..., Tensor]) -> Callable[..., Tensor]:
    """Build an answer whose first look-up is right from its second.

    The second is told of the questions, what was found, keys, values and scale.
    """

    def answer(
        questions: Tensor, keys: Tensor, values: Tensor, twice: Tensor, scale: float
    ) -> Tensor:
        found = _look_up(questions, keys, values, scale)
        further = second(questions, found, keys, values, scale)
        return torch.where(twice[:, None], further, found)

    return answer


def _with_looks(look: Callable[..., Tensor]) -> Callable[..., Tensor]:
    """Build an answer whose two look-ups are wrong alike."""

    def answer(
        questions: Tensor, keys: Tensor, values: Tensor, twice: Tensor, scale: float
    ) -> Tensor:
        found = look(questions, keys, values, scale)
        return torch.where(twice[:, None], look(found, keys, values, scale), found)

    return answer


def _weighing(weights: Callable[[Tensor], Tensor]) -> Callable[..., Tensor]:
    """Build a look-up from how it makes weights of scores (Q, N)."""
    return lambda x, keys, values, scale: weights(scale * x @ keys.T) @ values


def _chains_are_followed(call: Call) -> str | None:
    letters = torch.eye(4)
    cards, twice = (letters[:3], letters[1:]), torch.tensor([True])  # 0 → 1 → 2 → 3
    told = call(letters[:1], *cards, twice, 30.0)
    if torch.allclose(told, letters[2:3], atol=1e-3):
        return None
    return say(
        "Three cards lead from letter 0 to 1, from 1 to 2, from 2 to 3. Two steps from 0 should be "
        "2; you give {told}.",
        told=[round(number, 2) for number in told[0].tolist()],
    )


def _questions_keep_apart(call: Call) -> str | None:
    questions, keys, values, twice, scale = _cases(2)["unequal sizes"].values()
    together = call(questions, keys, values, twice, scale)
    alone = call(questions[1:], keys, values, twice[1:], scale)
    if torch.allclose(together[1:], alone, atol=1e-4):
        return None
    return say("The second question gets another answer when the first is not asked.")


two_lookups = Exercise(
    "two_lookups",
    points=3,
    reference=_two_lookups,
    cases=_cases,
    returns=("answers",),
    shapes={
        "questions": "Q V",
        "keys": "N V",
        "values": "N V",
        "twice": "Q",
        "answers": "Q V",
    },
    promises={
        "one step and two": lambda q, k, v, twice, s: bool(twice.any() and not twice.all()),
        "one step alone": lambda q, k, v, twice, s: not twice.any(),
        "two steps alone": lambda q, k, v, twice, s: bool(twice.all()),
        "a scale below 1": lambda q, k, v, twice, scale: scale < 1,
        "a scale above 1": lambda q, k, v, twice, scale: scale > 1,
    },
    properties=[
        Property("Two steps lead to what the second card says.", _chains_are_followed),
        Property("Questions do not touch each other.", _questions_keep_apart),
    ],
    mistakes=[
        Mistake(
            "lookups-one",
            _with_second(lambda q, found, keys, values, scale: found),
            "Every question gets what one look-up finds. Who asks the second time, and with what?",
            label="one look-up",
        ),
        Mistake(
            "lookups-first-lost",
            lambda q, k, v, twice, scale: _two_lookups(q, k, v, twice, scale) * twice[:, None],
            "Who asks for one step gets zeros. What should stand in such a row?",
            reason="The mask is multiplied in, and the other half forgotten.",
        ),
        Mistake(
            "lookups-all-or-none",
            lambda q, k, v, twice, scale: _two_lookups(
                q, k, v, twice.any().expand_as(twice), scale
            ),
            "As soon as one question goes two steps, all do. Of what does `twice` hold a truth?",
            reason="`if twice.any()` is what `if twice` is mended to when it stops.",
        ),
        Mistake(
            "lookups-always-two",
            lambda q, k, v, twice, scale: _two_lookups(q, k, v, torch.ones_like(twice), scale),
            "Every question goes two steps. What does `twice` say of each?",
        ),
        Mistake(
            "lookups-twice-turned",
            lambda q, k, v, twice, scale: _two_lookups(q, k, v, ~twice, scale),
            "Where one step is asked for you go two, and the other way round. What does True mean?",
        ),
        Mistake(
            "lookups-question-added",
            _with_second(
                lambda q, found, keys, values, scale: _look_up(q + found, keys, values, scale)
            ),
            "The second look-up still asks for the first letter, too. What should it ask for "
            "alone?",
        ),
        Mistake(
            "lookups-found-added",
            _with_second(
                lambda q, found, keys, values, scale: found + _look_up(found, keys, values, scale)
            ),
            "After two steps the letter of the first step is still in your answer. Is it asked "
            "for?",
        ),
        Mistake(
            "lookups-second-unscaled",
            _with_second(lambda q, found, keys, values, scale: _look_up(found, keys, values, 1.0)),
            "One step is right, two steps are too soft or too sharp. What makes the scores of the "
            "second look-up as large as those of the first?",
        ),
        Mistake(
            "lookups-unscaled",
            _with_looks(lambda x, keys, values, scale: _look_up(x, keys, values, 1.0)),
            "Your shares do not change with `scale`. What should it multiply?",
        ),
        Mistake(
            "lookups-divided",
            _with_looks(lambda x, keys, values, scale: _look_up(x, keys, values, 1 / scale)),
            "A larger scale makes your shares softer. Which way should it work?",
        ),
        Mistake(
            "lookups-root-of-letters",
            _with_looks(
                lambda x, keys, values, scale: _look_up(
                    x, keys, values, scale / keys.size(1) ** 0.5
                )
            ),
            "Your shares are softer than asked. Is a root asked for besides the scale?",
        ),
        Mistake(
            "lookups-scale-outside",
            _with_looks(lambda x, keys, values, scale: scale * _look_up(x, keys, values, 1.0)),
            "You scale what is found. What should be scaled before it becomes shares?",
        ),
        Mistake(
            "lookups-values-as-keys",
            _with_second(
                lambda q, found, keys, values, scale: _look_up(found, values, values, scale)
            ),
            "The second time you compare with what stands on the cards' right side. Which side "
            "does a question meet?",
        ),
        Mistake(
            "lookups-backwards",
            _with_looks(lambda x, keys, values, scale: _look_up(x, values, keys, scale)),
            "You follow the cards from right to left. Which side is asked, and which answers?",
        ),
        Mistake(
            "lookups-back-again",
            _with_second(
                lambda q, found, keys, values, scale: _look_up(found, values, keys, scale)
            ),
            "The second look-up goes back to where the first came from. Which side answers?",
        ),
        Mistake(
            "lookups-over-questions",
            _with_looks(_weighing(lambda scores: scores.softmax(0))),
            "Your questions share each card among them. Over what should one question's shares "
            "sum to 1?",
        ),
        Mistake(
            "lookups-not-shares",
            _with_looks(_weighing(lambda scores: scores)),
            "Your answers are not averages of what stands on the cards. What turns scores into "
            "shares?",
        ),
        Mistake(
            "lookups-overflow",
            _with_looks(
                _weighing(lambda scores: scores.exp() / scores.exp().sum(-1, keepdim=True))
            ),
            "With small scores you are right; with scores of a thousand NaN comes out. How large "
            "may a number be before exp is infinite?",
        ),
        Mistake(
            "lookups-hardest",
            _with_looks(
                _weighing(lambda scores: torch.eye(scores.size(-1))[scores.argmax(-1)].to(scores))
            ),
            "You take the best card alone. What should the second best have?",
        ),
        Mistake(
            "lookups-second-hardest",
            _with_second(
                lambda q, found, keys, values, scale: _look_up(
                    torch.eye(keys.size(1))[found.argmax(-1)].to(found), keys, values, scale
                )
            ),
            "You turn the first step's answer into a single letter before you go on. Is that "
            "asked for?",
        ),
        Mistake(
            "lookups-three",
            _with_second(
                lambda q, found, keys, values, scale: _look_up(
                    _look_up(found, keys, values, scale), keys, values, scale
                )
            ),
            "You go a step too far. How many look-ups are there in all?",
            label="three look-ups",
        ),
    ],
    hints=[
        "Write one look-up as a function of whoever asks: (Q, V) in, (Q, V) out.",
        "What comes out of the first look-up has the shape of a question. Who could ask with it?",
        "`twice` has one truth for each question, answers have V numbers each. Which axis is "
        "missing?",
    ],
)
