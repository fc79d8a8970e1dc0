"""What is said of wrong numbers that belong to no known mistake: what is most telling."""

import pytest
import torch

from tutor.checking.calls import FunctionAnswer
from tutor.checking.examine import examine
from tutor.checking.exercise import Exercise
from tutor.checking.seeds import Rng
from tutor.exercises import find


def _cases(seed):
    rng = Rng(seed)
    return {
        "unequal": {"x": rng.normal(2, 4, 5), "y": rng.normal(2, 4, 5), "n": 3},
        "square": {"x": rng.normal(3, 6, 6), "y": rng.normal(3, 6, 6), "n": 2},
    }


combine = Exercise(
    "combine",
    points=1,
    reference=lambda x, y, n: x * n - y,
    cases=_cases,
    returns=("z",),
    shapes={"x": "B T D", "y": "B T D", "n": "n", "z": "B T D"},
)


def seen(function, exercise=combine):
    verdict = examine(exercise, FunctionAnswer(function))
    assert verdict.headline == "The numbers differ.", verdict
    return verdict.details[-1]


def right(x, y, n):
    return x * n - y


def first_zeroed(x, y, n):
    z = right(x, y, n)
    z[:, 0] = 0
    return z


@pytest.mark.parametrize(
    ("function", "sentence"),
    [
        (lambda *g: -right(*g), "All your numbers have the opposite sign."),
        (lambda *g: 3.7 * right(*g), "Every number of yours is 3.7 times the right one."),
        (
            lambda *g: right(*g) * g[0].size(2) ** 0.5,
            "Every number of yours is 2.236 times the right one, that is √(D=5).",
        ),
        (lambda *g: right(*g) + 0.25, "Every number of yours is the right one plus 0.25."),
        (lambda x, y, n: y * n - x, "Yours is the right result for x and y exchanged."),
        (lambda x, y, n: right(x, y, n + 1), "Yours is the right result for n = 4."),
        (lambda *g: right(*g).roll(1, 1), "Along T, your numbers stand one place too late."),
        (lambda *g: right(*g).roll(-1, 2), "Along D, your numbers stand one place too early."),
        (lambda *g: right(*g).flip(1), "Along T, your numbers stand in reverse order."),
        (first_zeroed, "Along T, your numbers at 0 are all 0."),
        (
            lambda *g: right(*g) / (g[0] - g[0]),
            "Some of your numbers are infinite, and no right one is. What was divided by 0, or "
            "grew too large?",
        ),
        (
            lambda *g: torch.cat([right(*g)[:, :2], right(*g)[:, 2:] ** 3], dim=1),
            "Along T, your numbers at 0, 1 are right and those at 2, 3 are not.",
        ),
        (
            lambda x, y, n: right(x, y, n) * torch.arange(2, 2 + x.size(1))[:, None],
            "In each row all your numbers are off by the same factor: 2 in the first row, 5 in the "
            "last.",
        ),
    ],
)
def test_the_most_telling_thing_is_said(function, sentence):
    assert seen(function) == sentence


def test_one_number_everywhere_is_seen():
    said = seen(lambda *g: right(*g).exp().mean().expand(g[0].shape))
    assert said.startswith("All your numbers are ")
    assert said.endswith("; the right ones differ.")


def test_rounding_is_seen():
    assert seen(lambda *g: right(*g).half().float()).startswith("Your numbers are nearly right")


def test_where_nothing_else_is_seen_another_range_is_told():
    assert seen(lambda x, y, n: 9 * x**2 + y * n).startswith("Yours lie between")


def test_that_all_numbers_differ_is_not_worth_saying():
    said = seen(lambda x, y, n: x * n + y.roll(1, 0).sin())
    assert said.startswith('Shape and type are right. In the case "unequal"')


def test_what_is_an_argument_anyway_is_not_told_to_be_right():
    turn = Exercise(
        "turn",
        points=1,
        reference=lambda x: x * torch.arange(x.size(1)).cos()[:, None],
        cases=lambda seed: {"one": {"x": Rng(seed).normal(2, 4, 6)}},
        shapes={"x": "B T D", "result": "B T D"},
    )

    def every_second(x):
        angles = torch.arange(x.size(1)) * torch.tensor([1, 2, 3, 1, 2, 3])[:, None]
        return x * angles.T.cos()

    assert seen(every_second, turn) == (
        "Along D, your numbers at 0, 3 are right and those at 1, 2, 4, 5 are not."
    )


keep_some = Exercise(
    "keep_some",
    points=1,
    reference=lambda x, real: x * x * real[..., None],
    cases=lambda seed: {
        "one": {
            "x": Rng(seed).normal(2, 4, 5),
            "real": torch.tensor([[True, True, False, True], [True, False, False, True]]),
        }
    },
    returns=("z",),
    shapes={"x": "B T D", "real": "B T"},
)


@pytest.mark.parametrize(
    ("function", "sentence"),
    [
        (
            lambda x, real: x * x * real[..., None] + ~real[..., None],
            "Your numbers are right where real is True, and only there.",
        ),
        (
            lambda x, real: x * x.exp() * real[..., None],
            "Your zeros stand where they should; it is the other numbers that differ.",
        ),
        (
            lambda x, real: x * x.exp() + 9 + real[..., None],
            "Yours is 0 in 0 of 40 cells, the right one in 15.",
        ),
        (
            lambda x, real: (x * x * real[..., None]) * torch.tensor([1, 1, 1, 2, 1.0]),
            "Along axis 2, your numbers at 0, 1, 2, 4 are right and those at 3 are not.",
        ),
    ],
)
def test_where_numbers_are_wrong_is_seen(function, sentence):
    assert seen(function, keep_some) == sentence


def test_axes_in_front_of_those_with_a_name_are_numbered():
    norm = Exercise(
        "norm",
        points=1,
        reference=lambda x: x * x.exp(),
        cases=lambda seed: {"one": {"x": Rng(seed).normal(2, 4, 5)}},
        shapes={"x": "… D", "result": "… D"},
    )
    assert seen(lambda x: (x * x.exp()).roll(1, 2), norm).startswith("Along D, your numbers")
    assert seen(lambda x: (x * x.exp()).roll(1, 1), norm).startswith("Along axis 1, your numbers")


def test_a_count_is_off_by_a_product_of_the_sizes():
    def short(layers, d_model, d_ff, heads, d_k, d_v, vocabulary):
        right = find("count_parameters").reference(
            layers, d_model, d_ff, heads, d_k, d_v, vocabulary
        )
        return right - 7 * layers * heads * d_v

    verdict = examine(find("count_parameters"), FunctionAnswer(short))
    assert "In every case yours is 7 · layers · heads · d_v too few." in verdict.details


def test_single_numbers_are_compared_over_all_cases():
    def cases(seed):
        rng = Rng(seed)
        return {str(size): {"x": rng.normal(size)} for size in (2, 3, 5, 7)}

    total = Exercise("total", 1, lambda x: x.exp().sum(), cases)
    assert seen(lambda x: 2.5 * x.exp().sum(), total) == (
        "Every number of yours is 2.5 times the right one."
    )
    assert "the first difference is at result:" in seen(lambda x: x.exp().max(), total)


def test_what_comes_about_first_is_told_to_be_right():
    pair = Exercise(
        "pair",
        points=1,
        reference=lambda x: (x.exp(), x),
        cases=lambda seed: {"one": {"x": Rng(seed).normal(3, 4)}},
        returns=("output", "weights"),
        computed=("weights", "output"),
    )
    verdict = examine(pair, FunctionAnswer(lambda x: (x**2, x)))
    assert "Right already: weights. Wrong: output." in verdict.details


def test_truths_are_counted():
    mask = Exercise(
        "mask", 1, lambda n: torch.ones(n, n).tril().bool(), lambda seed: {"a": {"n": 4}}
    )
    assert seen(lambda n: torch.ones(n, n).triu().bool(), mask) == (
        "Your rows and columns are exchanged."
    )
    assert seen(lambda n: torch.ones(n, n).triu(1).bool(), mask) == (
        "Every True of yours should be False, and every False True."
    )
    assert seen(lambda n: torch.ones(n, n).bool(), mask) == (
        "Yours is True in 16 of 16 cells, the right one in 10."
    )
