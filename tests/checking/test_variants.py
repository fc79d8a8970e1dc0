"""The same numbers in float64, scattered in memory and stretched: what counts and what does not."""

import torch

from tutor.checking.calls import FunctionAnswer
from tutor.checking.examine import examine, key
from tutor.checking.exercise import Exercise
from tutor.checking.seeds import Rng
from tutor.checking.variants import DOUBLE, EXPANDED, SCATTERED

merge = Exercise(
    "merge",
    points=1,
    reference=lambda x: 2 * x.flatten(1),
    cases=lambda seed: {"one": {"x": Rng(seed).normal(2, 3, 4)}},
    shapes={"x": "B T D"},
)


def judged(function, **changes):
    return examine(Exercise(**{**vars(merge), **changes}), FunctionAnswer(function))


def test_they_are_cases_like_others():
    cases = key(merge, 0).cases
    assert cases[DOUBLE]["x"].dtype == torch.float64
    assert not cases[SCATTERED]["x"].is_contiguous()
    assert cases[EXPANDED]["x"].stride()[0] == 0
    assert torch.equal(cases["one"]["x"], cases[SCATTERED]["x"])


def test_an_answer_that_fails_on_one_of_them_alone_is_wrong():
    for spoilt in (
        lambda x: x.dtype == torch.float64,
        lambda x: x.stride() == (1, 2, 6),
        lambda x: x.stride()[0] == 0,
    ):
        assert judged(lambda x, spoilt=spoilt: x.flatten(1) * (2 + spoilt(x))).status == "wrong"
        assert judged(
            lambda x, spoilt=spoilt: 2 * x.flatten(1) if not spoilt(x) else 1 / 0
        ).status == ("wrong")


def test_view_is_excused_with_a_note():
    verdict = judged(lambda x: 2 * x.view(len(x), -1))
    assert verdict.status == "right"
    assert "`view` refuses" in verdict.notes[0]


def test_a_tensor_without_dtype_is_excused_unless_the_dtype_is_promised():
    def single(x):
        return x.flatten(1) @ (2 * torch.eye(12))

    assert judged(single).status == "right"
    assert judged(single).notes == ()
    assert "float64" in judged(single, exact_dtype=True).notes[0]


def test_a_float32_result_of_float64_is_wrong_where_the_dtype_is_promised():
    def single(x):
        return 2 * x.flatten(1).float()

    assert judged(single).status == "right"
    assert judged(single, exact_dtype=True).headline == "Its result has the wrong form."
    assert judged(lambda x: 2 * x.flatten(1).double(), exact_dtype=True).status == "wrong"


def test_a_number_rounded_to_float32_inside_is_right():
    assert judged(lambda x: x.flatten(1) * torch.tensor(2.00000001)).status == "right"
