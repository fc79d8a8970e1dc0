"""NaN in some cases hides nothing in the others, and what made it is named."""

import math
from dataclasses import replace

import pytest
import torch

from tutor.checking.calls import FunctionAnswer
from tutor.checking.examine import examine
from tutor.checking.exercise import Exercise, Mistake
from tutor.checking.seeds import Rng
from tutor.checking.watching import Watch
from tutor.exercises import find


def judged(exercise, function):
    return examine(exercise, FunctionAnswer(function))


scaled = Exercise(
    "scaled",
    points=1,
    reference=lambda x: x / x.norm().clamp(min=1e-9),
    cases=lambda seed: {
        "some": {"x": Rng(seed).normal(4)},
        "nothing": {"x": torch.zeros(3)},
        "more": {"x": Rng(seed + 1).normal(6)},
    },
    returns=("unit",),
    mistakes=[Mistake("scaled-largest", lambda x: x / x.abs().max().clamp(min=1e-9), "By what?")],
)


def test_a_mistake_is_named_though_one_case_gives_nan():
    verdict = judged(scaled, lambda x: x / x.abs().max())
    assert verdict.mistake == "scaled-largest"
    assert verdict.headline == "The numbers differ."
    assert 'In the case "nothing" the first NaN is at unit[0].' in verdict.details
    assert any("division of 0 by 0" in detail for detail in verdict.details)


def test_where_all_else_is_right_nan_is_the_finding():
    verdict = judged(scaled, lambda x: x / x.norm())
    assert verdict.headline == "Some of your results are not a number (NaN)."
    assert verdict.mistake is None


def by_the_largest(x):
    return x / x.abs().max().clamp(min=1e-9)


def test_a_mistake_that_is_nan_where_the_answer_is_not_is_not_named():
    hint = "Some of your numbers are NaN. Of which row?"
    unclamped = Mistake("scaled-nan", lambda x: x / x.abs().max(), hint)
    verdict = judged(replace(scaled, mistakes=[unclamped]), by_the_largest)
    assert verdict.status == "wrong"
    assert verdict.mistake is None


def test_code_given_for_mending_is_known_only_with_its_own_nan():
    mend = replace(scaled, given="scaled-largest")
    assert judged(mend, by_the_largest).status == "open"
    verdict = judged(mend, lambda x: x / x.abs().max())
    assert verdict.status == "wrong"
    assert verdict.mistake == "scaled-largest"


ENDLESS, NONE = torch.tensor([0.0, -math.inf]), torch.tensor([-math.inf, -math.inf])


@pytest.mark.parametrize(
    ("step", "origin"),
    [
        (lambda: ENDLESS * torch.tensor([1.0, 0.0]), "product"),
        (lambda: torch.tensor([False, True]) * -math.inf, "product"),
        (lambda: ENDLESS - ENDLESS, "sum"),
        (lambda: torch.zeros(2) / torch.zeros(2), "quotient"),
        (lambda: torch.softmax(NONE, -1), "hidden row"),
        (lambda: torch.softmax(-NONE, -1), "endless score"),
        (lambda: torch.tensor([-1.0]).log(), "logarithm"),
        (lambda: torch.tensor([-1.0]).sqrt(), "root"),
        (lambda: torch.tensor([1.0]).std(-1), "spread"),
        (lambda: torch.ones(0).mean(), "mean"),
        (lambda: torch.ones(2) + 1, ""),
    ],
)
def test_what_makes_nan_is_known(step, origin):
    with Watch() as watch:
        made = step()
        made + 1  # what NaN is handed on makes no other
    assert watch.seen().nan == origin


def additive(hide):
    def answer(q, k, v, real):
        scores = q @ k.mT / math.sqrt(q.size(-1))
        weights = torch.softmax(scores + hide(real[:, None, :]), -1)
        return weights @ v, weights

    return answer


@pytest.mark.parametrize(
    ("hide", "words"),
    [
        (lambda keep: (~keep) * -math.inf, "0 times infinity"),
        (lambda keep: (1 - keep.float()) * -math.inf, "0 times infinity"),
        (lambda keep: torch.zeros(keep.shape).masked_fill(keep, -math.inf), "all −∞"),
    ],
)
def test_nan_of_additive_masks_gets_a_name(hide, words):
    verdict = judged(find("cross_attention"), additive(hide))
    said = " ".join(verdict.details) + verdict.hint
    assert verdict.mistake or words in said, verdict


def with_the_spread(x, gamma, eps):
    return x / (x.std(-1, keepdim=True) + eps) * gamma


@pytest.mark.parametrize(("name", "answer"), [("rms_norm", with_the_spread)])
def test_ordinary_numbers_that_are_wrong_too_are_told_first(name, answer):
    verdict = judged(find(name), answer)
    assert not verdict.headline.startswith("Some of your results are not"), verdict
    assert any("NaN" in detail for detail in verdict.details)


def always_rescaled(gradients, max_norm):
    total = torch.stack([gradient.norm() for gradient in gradients]).norm()
    return [gradient * max_norm / total for gradient in gradients]


def each_by_the_rest(probabilities, threshold):
    kept = torch.where(probabilities > 1 - threshold, probabilities, 0.0)
    return kept / kept.sum(-1, keepdim=True)


@pytest.mark.parametrize(
    ("name", "answer", "mistake"),
    [
        ("clip_gradients", always_rescaled, "clip-always-rescales"),
        ("top_p_probabilities", each_by_the_rest, "topp-threshold-each"),
    ],
)
@pytest.mark.parametrize("seed", range(4))
def test_a_listed_mistake_that_divides_by_0_in_one_case_keeps_its_name(name, answer, mistake, seed):
    assert examine(find(name), FunctionAnswer(answer), seed).mistake == mistake
