"""What must always hold: closed properties, NaN, state, inputs that matter."""

import pytest
import torch

from tutor.checking.calls import FunctionAnswer
from tutor.checking.examine import examine
from tutor.checking.exercise import Exercise, Property
from tutor.checking.seeds import Rng
from tutor.exercises import find


def _zero_stays(call):
    return None if call(torch.zeros(2), torch.ones(2), 1.0).abs().max() == 0 else "It moved."


def _gradient_arrives(call):
    first, second = call.gradients(torch.ones(2), torch.ones(2), 1.0)
    return None if first.any() and second.any() else "No gradient arrives."


def _cases(seed):
    rng = Rng(seed)
    return {
        name: {"x": rng.normal(size), "y": rng.normal(size), "eps": 0.5}
        for name, size in (("two", 2), ("three", 3), ("five", 5))
    }


product = Exercise(
    "product",
    points=2,
    reference=lambda x, y, eps: x * y * eps,
    cases=_cases,
    returns=("xy",),
    properties=[
        Property("Zero stays zero.", _zero_stays),
        Property("Gradients arrive.", _gradient_arrives),
    ],
)


def judged(function, exercise=product):
    return examine(exercise, FunctionAnswer(function))


def test_a_property_that_cannot_be_tried_is_broken():
    def fails_at_zero(x, y, eps):
        if not x.any():
            raise RuntimeError("no zeros")
        return x * y * eps

    verdict = judged(fails_at_zero)
    assert (verdict.status, verdict.points) == ("wrong", 0)
    assert verdict.headline == "This does not hold: Zero stays zero."
    assert "RuntimeError: no zeros" in verdict.details


def test_gradients_that_never_arrive_break_what_asks_for_them():
    def detached(x, y, eps):
        with torch.no_grad():
            return x * y * eps

    assert judged(detached).headline == "This does not hold: Gradients arrive."
    assert judged(lambda x, y, eps: x.detach() * y * eps).details == ("No gradient arrives.",)


def test_nan_is_told_before_any_property():
    verdict = judged(lambda x, y, eps: (x * y * eps).index_fill(0, torch.tensor(1), torch.nan))
    assert verdict.headline == "Some of your results are not a number (NaN)."
    assert verdict.details == ('In the case "two" the first NaN is at xy[1].',)


def test_nan_on_a_propertys_small_case_is_no_other_finding():
    verdict = judged(lambda x, y, eps: x * y * eps if x.any() else x / 0)
    assert verdict.headline == "Some of your results are not a number (NaN)."
    assert "xy[0]" in verdict.details[0]
    assert "x (2,)" in verdict.arguments.sentence


def test_state_is_found_on_any_case():
    seen = []

    def counts(x, y, eps):
        seen.append(len(x))
        return x * y * eps + (seen.count(3) > 1 and len(x) == 3)

    verdict = judged(counts)
    assert verdict.headline == "Called twice with the same arguments, it gave two results."
    assert verdict.details[0] == 'This is the case "three".'


def test_what_is_kept_without_changing_a_result_is_no_state():
    known = {}

    def remembers(x, y, eps):
        found = tuple(x.tolist())
        return known.setdefault(found, x * y * eps).clone() if x.any() else x * y * eps

    assert judged(remembers).status == "right" or known


def test_an_input_that_is_not_used_comes_before_the_finer_properties():
    assert judged(lambda x, y, eps: x + eps).headline == (
        "Change y and your result stays the same."
    )
    assert judged(lambda x, y, eps: x * y).headline == (
        "Change eps and your result stays the same."
    )
    assert "stays the same" not in judged(lambda x, y, eps: x + y + eps).headline


def test_inputs_inside_lists_are_named():
    exercise = find("pre_norm_stack")

    def first_only(x, weights):
        normalise = lambda x: torch.nn.functional.layer_norm(x, x.shape[-1:])  # noqa: E731
        return normalise(x + torch.tanh(normalise(x) @ weights[0]) * 0.5)

    assert judged(first_only, exercise).headline == (
        "Change weights[1] and your result stays the same."
    )


@pytest.mark.long
def test_all_nan_is_never_told_as_a_later_word_that_changed_an_earlier_one():
    for name in ("causal_self_attention", "rnn_forward", "cached_attention", "decoder_layer"):
        exercise = find(name)

        def broken(*given, exercise=exercise):
            result = exercise.reference(*given)
            return (
                tuple(part * torch.nan for part in result)
                if isinstance(result, tuple)
                else (result * torch.nan)
            )

        assert judged(broken, exercise).headline == "Some of your results are not a number (NaN)."


def test_a_detached_result_is_told_that_no_gradient_arrives():
    def detached(q, k, v, real):
        with torch.no_grad():
            return find("safe_attention").reference(q, k, v, real)

    verdict = judged(detached, find("safe_attention"))
    assert verdict.headline == "This does not hold: Gradients reach q, k and v."
    assert verdict.mistake is None
