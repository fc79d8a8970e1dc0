"""Lesson 6's pictures show what the norms, the stacks and the sweep really do."""

import math
import sys

import pytest
import torch
import torch.nn.functional as F
from matplotlib.text import Annotation

from tests.needs import missing
from tutor.data.files import load_results
from tutor.explorers import lesson06_residual_and_layer_norm as lesson
from tutor.explorers.lesson06_residual_and_layer_norm.deep_stacks import FACTORS, fresh, law
from tutor.explorers.lesson06_residual_and_layer_norm.filters import SENTENCE
from tutor.explorers.lesson06_residual_and_layer_norm.running_sum import stored_side, ten_words
from tutor.explorers.lesson06_residual_and_layer_norm.shared_means import (
    BATCH,
    FEATURES,
    PLACES,
    shared_with,
)
from tutor.explorers.lesson06_residual_and_layer_norm.sixteen_tokens import directions_seen
from tutor.models.minilm import INSTALL, is_installed
from tutor.training.fresh_stacks import FIRST_WEIGHTS, NORMS, fresh_stack

TORCHS = {
    "batch": lambda x: F.batch_norm(x.mT, None, None, training=True).mT,
    "token": lambda x: F.layer_norm(x, (FEATURES,)),
    "example": lambda x: F.layer_norm(x, (PLACES, FEATURES)),
    "instance": lambda x: F.instance_norm(x.mT).mT,
    "group": lambda x: F.group_norm(x.mT, 2).mT,
    "rms": lambda x: F.rms_norm(x, (FEATURES,)),
}


@pytest.mark.parametrize("norm", TORCHS)
def test_the_lit_cells_are_those_that_torch_normalises_together(norm: str):
    x = torch.randn(BATCH, PLACES, FEATURES, generator=torch.Generator().manual_seed(0)).double()
    changed = x.clone()
    changed[1, 2, 4] += 1.0
    moved = (TORCHS[norm](x) - TORCHS[norm](changed)).abs() > 1e-9
    assert (moved.numpy() == shared_with(norm, 1, 2, 4)).all()


@pytest.mark.parametrize("first", FIRST_WEIGHTS)
def test_a_layer_multiplies_by_the_factor_that_its_name_says(first):
    factor = fresh_stack(False, "none", 8, first, d_model=128).factor
    assert factor == pytest.approx(FACTORS[first], rel=0.06)


@pytest.mark.parametrize("first", FIRST_WEIGHTS)
@pytest.mark.parametrize("norm", NORMS)
@pytest.mark.parametrize("residual", [False, True])
def test_the_laws_foretell_the_gradient_of_fresh_stacks(residual, norm, first):
    """Within a factor of 8, where the stacks themselves differ by thirty powers of ten."""
    foretold = law(residual, norm, 32, FACTORS[first]).gradients[0]
    logs = [
        math.log(fresh_stack(residual, norm, 32, first, seed=seed).gradients[0])
        for seed in (0, 1, 2)
    ]
    assert abs(sum(logs) / 3 - math.log(foretold)) < math.log(8)


@pytest.mark.parametrize("norm", NORMS)
@pytest.mark.parametrize("residual", [False, True])
def test_every_stack_with_a_norm_ends_near_where_it_began_and_no_other_does(residual, norm):
    """As the lesson says of its picture: between 0.1 and 10, whatever the initialisation."""
    ends = [fresh(residual, norm, 32, first).gradients[0] for first in FIRST_WEIGHTS]
    assert (min(ends) > 0.1 and max(ends) < 10) is (norm != "none")


def test_each_name_leads_to_the_end_of_its_own_stack():
    explorer = lesson.deep_stacks()
    explorer.frame(first="default")
    ends = {one.get_text(): one.xy[1] for one in explorer._canvas.figure.findobj(Annotation)}
    for name, way in {"neither": (False, "none"), "residual, norm after": (True, "after")}.items():
        assert ends[name] == fresh_stack(*way, 32, "default").gradients[0]


def test_what_is_added_at_a_right_angle_grows_by_pythagoras():
    assert law(True, "none", 2, 2.0).sizes == pytest.approx([1, math.sqrt(5), 5])
    assert law(True, "before", 2, 2.0).sizes == pytest.approx([1, math.sqrt(5), 3])


def test_tokens_are_seen_in_a_plane_of_right_angles():
    stream = fresh_stack(True, "before", 4, "kept").stream
    seen = directions_seen(stream)
    assert seen.shape == (5, 16, 2)
    assert (seen.square().sum(-1) <= 1 + 1e-9).all()  # a shadow of a direction of length 1
    assert seen[-1, :, 0].mean() > seen[0, :, 0].abs().mean()


def verdicts(turn: int, fold: bool) -> int:
    caption = lesson.one_line_or_two().frame(turn=turn, fold=fold).caption
    return int(caption.split(": ")[1].split(" of ")[0])


def test_no_line_parts_praise_from_blame_and_a_fold_does():
    assert min(verdicts(turn, fold=False) for turn in range(0, 166, 15)) == 1
    assert verdicts(135, fold=True) == 0


def test_only_the_changed_word_changes():
    for word in ("the", "river", "bank"):
        assert lesson.widening().frame(change=word).caption.endswith(f"Changed rows: {word}")


def test_a_filter_sees_what_a_convolution_sees():
    for width in (1, 3):
        for place in range(1, len(SENTENCE) + 1):
            x = torch.zeros(1, 1, len(SENTENCE)).double().requires_grad_()
            kernel = torch.ones(1, 1, width).double()
            convolved = F.conv1d(x, kernel, padding=width // 2)
            (gradient,) = torch.autograd.grad(convolved[0, 0, place - 1], x)
            caption = lesson.filters().frame(place=place, width=width).caption
            assert len(caption.split("comes from ")[1].split(", ")) == int(gradient.sum())


def test_the_bars_of_every_stored_word_add_up_to_where_it_ends():
    sides = [
        stored_side(sense, side)
        for pair in load_results("running_sum")["values"]["pairs"].values()
        for sense, side in pair.items()
    ]
    assert len(sides) == 8
    for side in (*sides, *ten_words()):
        assert sum(side.bars) == pytest.approx(side.end, abs=0.01)
        assert len(side.bars) == len(side.without) + 1


def test_what_is_switched_off_is_what_the_caption_says():
    explorer = lesson.running_sum()
    for off in (1, 2, 11, 12):
        caption = explorer.frame(off=off).caption
        assert caption.startswith(f"Layer {(off - 1) // 2}'s")
        assert ("attention" in caption) == (off % 2 == 1)


def test_a_typed_sentence_is_read_as_the_stored_one_was():
    if not is_installed():
        missing("MiniLM", INSTALL)
    explorer = lesson.named_neurons()
    _, stored = explorer.controls["sentence"].options[0]
    for neuron in explorer.controls["neuron"].options:
        asked = {"neuron": neuron, "sentence": stored}
        typed = explorer.frame(**asked, typed=stored.upper()).caption
        assert typed == explorer.frame(**asked).caption


def test_without_the_model_a_typed_sentence_says_how_to_get_it(monkeypatch):
    monkeypatch.setattr(sys.modules[lesson.named_neurons.__module__], "is_installed", lambda: False)
    assert INSTALL in lesson.named_neurons().frame(typed="June and July").caption


def test_two_right_angles_are_as_long_as_the_laws_say():
    r = FACTORS["he"]
    residual, pre = (law(True, norm, 2, r).sizes[-1] for norm in ("none", "before"))
    said = lesson.right_angles().caption
    assert f"{residual:.1f} with a residual, {pre:.1f} in pre-norm" in said


def test_the_stored_stack_is_the_one_that_lesson_6_speaks_of():
    assert lesson.deep_stacks().caption.startswith("r = 1.41, 32 layers")
    assert lesson.named_neurons().caption.endswith("here: may, may, march")
