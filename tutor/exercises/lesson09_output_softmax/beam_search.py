"""beam_search: the few best beginnings side by side."""

from collections.abc import Callable, Mapping

import torch
from torch import Tensor

from tutor.beam import beam_search as search
from tutor.checking.exercise import Arguments, Call, Exercise, Property
from tutor.checking.seeds import EXAMPLE, Rng
from tutor.decode import greedy_decode
from tutor.exercises.lesson09_output_softmax.beam_search_mistakes import MISTAKES
from tutor.exercises.lesson09_output_softmax.beam_toys import Beam, follow
from tutor.exercises.lesson09_output_softmax.toys import BOS, overtaking_toy, toy
from tutor.say import say

Result = dict[str, list]


def _beam_cases(seed: int) -> Mapping[str, Arguments]:
    """Draw toys until every known mistake shows on one of them."""
    rng = Rng(seed)
    while True:
        cases = _some_cases(rng)
        results = [search(*case.values()) for case in cases.values()]
        functions = [function for mistake in MISTAKES for function in mistake.functions]
        if all(_shows(function, cases, results) for function in functions):
            return cases


def _shows(
    function: Callable[..., Result], cases: Mapping[str, Arguments], results: list[Result]
) -> bool:
    """Say whether a wrong search finds, on some toy, something clearly different."""
    for case, result in zip(cases.values(), results):
        try:
            found = function(*case.values())
        except ZeroDivisionError:
            return True
        if found["best"] != result["best"] or len(found["scores"]) != len(result["scores"]):
            return True
        if any(abs(a - b) > 0.05 for a, b in zip(found["scores"], result["scores"])):
            return True
    return False


def _some_cases(rng: Rng) -> Mapping[str, Arguments]:
    return {
        "lengths decide": _case(rng, 6, 0.3, 3, 8, 0.9, _lengths_decide),
        "some are cut off": _case(rng, 6, -0.5, 4, 4, 0.7, _cut_off_would_win),
        "greedy is misled": _case(rng, 7, 0.0, 2, 6, 1.0, _greedy_is_misled),
        "an end is overtaken": {
            "log_probs": overtaking_toy(rng),
            "width": 2,
            "max_length": 6,
            "alpha": 0.8,
        },
        "none finishes": _case(rng, 5, -6.0, 2, 3, 0.6, lambda _, beam: not beam.finished),
        "raw sums": _case(rng, 6, 0.5, 3, 5, 0.0, _short_one_wins),
        **_edges(rng),
    }


def _edges(rng: Rng) -> Mapping[str, Arguments]:
    """Draw the narrowest and the widest beams, in toys where bos is all but impossible."""

    def case(vocabulary: int, width: int, max_length: int, alpha: float) -> Arguments:
        log_probs = toy(rng, vocabulary, eos=1.0)
        log_probs[:, :, BOS] = -1000.0
        return {
            "log_probs": log_probs,
            "width": width,
            "max_length": max_length,
            "alpha": alpha,
        }

    example = torch.full((5, 5, 5), 1e-6)
    example[0, 0, 2], example[0, 0, 3] = 0.6, 0.4
    example[:, 2, 1], example[:, 2, 4], example[:, 3, 1], example[:, 4, 1] = 0.4, 0.3, 0.9, 0.9
    return {
        "wider than the vocabulary": case(4, 9, 3, 0.7),
        "as wide as the vocabulary": case(5, 5, 3, 1.0),
        "one beginning": case(6, 1, 6, 0.6),
        "one word at most": case(5, 3, 1, 0.5),
        "a strong reward for length": case(6, 4, 5, 2.0),
        EXAMPLE: {"log_probs": example.log(), "width": 2, "max_length": 4, "alpha": 0},
    }


def _case(
    rng: Rng,
    vocabulary: int,
    eos: float,
    width: int,
    max_length: int,
    alpha: float,
    fits: Callable[[Tensor, Beam], bool],
) -> Arguments:
    """Draw toys until one fits; eos says how readily they end."""
    while True:
        log_probs = toy(rng, vocabulary, eos)
        if fits(log_probs, follow(log_probs, width, max_length)):
            return {
                "log_probs": log_probs,
                "width": width,
                "max_length": max_length,
                "alpha": alpha,
            }


def _lengths_decide(_: Tensor, beam: Beam) -> bool:
    by_sum, by_mean = beam.best(0.0), beam.best(0.9)
    return len(beam.finished) == 3 and by_sum != by_mean and len(by_sum) > 1


def _cut_off_would_win(log_probs: Tensor, beam: Beam) -> bool:
    if not beam.finished or len(beam.unfinished) < 2 or not beam.rival_is_better(0.7):
        return False
    ends_at_last = any(len(ids) == 4 for ids, _ in beam.finished)
    return ends_at_last and len(follow(log_probs, 4, 5).finished) > len(beam.finished)


def _greedy_is_misled(log_probs: Tensor, beam: Beam) -> bool:
    return beam.best(1.0) not in ([], greedy_decode(log_probs, 6)) and beam.crossed


def _short_one_wins(_: Tensor, beam: Beam) -> bool:
    longest = max((len(ids) for ids, _ in beam.finished), default=0)
    best = beam.best(0.0)
    return len(beam.finished) > 1 and len(best) < longest and best != list(beam.finished[0][0])


def _toy() -> Tensor:
    """Give a toy in which 2 looks better at first and 3 ends better."""
    table = torch.full((5, 5, 5), 1e-6)
    table[0, 0, 2], table[0, 0, 3] = 0.6, 0.4
    table[0, 2, 1], table[0, 2, 4] = 0.4, 0.3
    table[2, 4, 1] = 0.9
    table[0, 3, 1] = 0.9
    return table.log()


def _finds_the_better_end(call: Call) -> str | None:
    best = call(_toy(), 2, 4, 0.0)["best"]
    given = best.tolist() if isinstance(best, Tensor) else []
    if given == [3, 1]:
        return None
    return say(
        "A toy begins with 2 (probability 0.6) or 3 (0.4) and ends then with "
        "probability 0.4 or 0.9. A beam of two finds [3, 1], 0.36 against 0.24; yours "
        "finds {given}.",
        given=given,
    )


def _best_first(call: Call) -> str | None:
    scores = call(_toy(), 2, 4, 0.5)["scores"]
    if len(scores) < 2 or bool((scores[:-1] >= scores[1:]).all()):
        return None
    return say(
        "Your scores do not go from the best to the worst: {scores}.",
        scores=_shown(scores),
    )


def _never_above_zero(call: Call) -> str | None:
    scores = call(_toy(), 2, 4, 0.5)["scores"]
    if not isinstance(scores, Tensor) or bool((scores <= 0).all()):
        return None
    return say(
        "No log-probability is above 0, but some of your scores are: {scores}.",
        scores=_shown(scores),
    )


def _shown(scores: Tensor) -> str:
    return ", ".join(f"{score:.3f}" for score in scores.tolist())


beam_search = Exercise(
    "beam_search",
    points=5,
    reference=search,
    cases=_beam_cases,
    shapes={"log_probs": "V V V", "width": "width", "max_length": "max_length"},
    smallest={"V": 4},
    promises={
        "width above V": lambda log_probs, width, *_: width > len(log_probs),
        "width is V": lambda log_probs, width, *_: width == len(log_probs),
        "alpha is 0": lambda log_probs, width, most, alpha: alpha == 0,
        "alpha is 1": lambda log_probs, width, most, alpha: alpha == 1,
        "alpha above 1": lambda log_probs, width, most, alpha: alpha > 1,
        "an all but impossible word": lambda log_probs, *_: bool((log_probs <= -1000).any()),
        "nothing finishes": lambda *given: not search(*given)["scores"],
        "one sentence finishes": lambda *given: len(search(*given)["scores"]) == 1,
        "as many finish as there is room": lambda log_probs, width, *rest: (
            len(search(log_probs, width, *rest)["scores"]) == width > 1
        ),
    },
    properties=[
        Property("Scores go from the best to the worst.", _best_first),
        Property("No score is above 0.", _never_above_zero),
        Property("A second-best beginning may win in the end.", _finds_the_better_end),
    ],
    mistakes=MISTAKES,
    hints=[
        "Keep a list of hypotheses, each its ids and the sum of its log-probabilities. It starts "
        "with one: no ids, sum 0.",
        "A step: extend every hypothesis by every word, sort all of these by their sums, and keep "
        "as many as the beam is wide now.",
        "Then part them: those that end in eos go to the finished ones and take a place of the "
        "beam with them; the others are the next beam. When is there nothing left to do?",
        "Lengths matter only at the very end, when the finished ones get their scores.",
    ],
)
