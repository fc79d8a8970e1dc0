"""Lesson 5's explorers show what attention computes, and what was measured."""

import sys

import pytest
import torch
import torch.nn.functional as F

from tutor.data.files import load_results
from tutor.display.diagram import Diagram
from tutor.explorers import lesson05_multi_head_attention as lesson
from tutor.explorers.lesson05_multi_head_attention.grouped_queries import PARAMETERS
from tutor.explorers.lesson05_multi_head_attention.head_maps import cut
from tutor.explorers.lesson05_multi_head_attention.sum_of_heads import W_K1, W_O, W_Q1, W_V1
from tutor.explorers.worked_example import W_K, W_Q, W_V, X
from tutor.models.minilm import AttentionMap, stored_attention
from tutor.models.smollm import CONFIG
from tutor.multi_head import MultiHeadAttention
from tutor.training.letters import (
    handed_map,
    ids_of,
    load_letters,
    scores_of,
    text_of,
    weights_of,
)
from tutor.transformer import Transformer

CUTS = ("nothing", "the label", "the label, map given", "what moves")


def token_2(*heads: int) -> list[float]:
    """The worked example's token 2 by PyTorch's attention, from some of its heads."""
    matrices = [(W_Q, W_K, W_V), (W_Q1, W_K1, W_V1)]
    found = [F.scaled_dot_product_attention(*(X @ W for W in head)) for head in matrices]
    kept = [head if number in heads else 0 * head for number, head in enumerate(found)]
    return (torch.cat(kept, dim=-1) @ W_O)[1].tolist()


@pytest.mark.parametrize("heads", [(), (0,), (1,), (0, 1)])
def test_worked_example_without_some_heads(heads):
    caption = lesson.sum_of_heads().frame(head_0=0 in heads, head_1=1 in heads).caption
    assert caption.startswith(
        "River becomes " + ", ".join(f"{number:.2f}" for number in token_2(*heads))
    )


def test_widths_and_costs():
    explorer = lesson.head_widths()
    captions = [explorer.frame(h=h).caption for h in (1, 8, 64)]
    assert [caption.split("= ")[2].split(" ")[0] for caption in captions] == ["512", "64", "8"]
    assert all("1,050,624 parameters" in caption for caption in captions)
    assert captions[2].endswith(f"{64 * 512 * 512:,} attention weights")


@pytest.mark.parametrize(
    ("layer", "head", "says"),
    [(0, 2, "cat → your 1.00"), (2, 9, "cat → cat .77"), (1, 8, "lovely .")],
)
def test_real_heads_of_a_stored_sentence(layer, head, says):
    assert says in lesson.real_heads().frame(layer=layer, head=head).caption


def test_a_typed_sentence_needs_the_model_and_a_stored_one_does_not(monkeypatch):
    monkeypatch.setattr(sys.modules[lesson.real_heads.__module__], "is_installed", lambda: False)
    explorer = lesson.real_heads()
    assert "pip install" in explorer.frame(typed="A sentence of my own").caption
    stored = "My dog ate the sandwich because it was hungry"
    assert explorer.frame(typed=stored).caption.startswith("Head 0.2: largest weight")
    assert explorer.frame(typed="  ").caption == explorer.frame().caption


def test_long_sentences_are_cut_to_what_has_room():
    weights = torch.rand(6, 12, 40, 40)
    short = cut(AttentionMap(["donaudampfschiff"] * 40, weights))
    assert len(short.tokens) == 24
    assert torch.equal(short.weights, weights[..., :24, :24])
    assert all(len(token) <= 12 for token in short.tokens)
    whole = stored_attention()["Your cat is a lovely cat"]
    assert cut(whole).tokens == whole.tokens


def test_pruning_shows_what_was_measured():
    values = load_results("pruned_heads")["values"]
    orders = [values["order"], *values["drawn orders"]]
    assert all(sorted(order) == list(range(72)) for order in orders)
    curves = [*values["found"].values(), *values["found, drawn"]]
    assert {curve[0] for curve in curves} == {curves[0][0]}  # nothing out: one model
    assert {curve[-1] for curve in curves} == {curves[0][-1]}  # everything out: again one model
    explorer = lesson.prune_heads()
    for order, curve in values["found"].items():
        for out, share in zip(values["counts"], curve, strict=True):
            caption = explorer.frame(order=order, out=out).caption
            assert caption.startswith(f"{out} of 72 heads out: {round(80 * share)} of 80")


def test_a_cut_lane_loses_the_letter_and_the_given_map_brings_it_back():
    captions = {cut: lesson.relay().frame(cut=cut).caption for cut in CUTS}
    right = {
        cut: float(caption.split(" are right")[0].split()[-1]) for cut, caption in captions.items()
    }
    assert right["nothing"] > 0.95 < right["the label, map given"]
    assert right["the label"] < 0.5 > right["what moves"]
    assert "predicts n;" in captions["nothing"]
    assert "predicts n;" in captions["the label, map given"]
    assert "predicts n;" not in captions["the label"] + captions["what moves"]


def test_a_given_map_is_what_the_layer_averages_by():
    """Given its own weights a layer does what it did; given others, it moves other letters."""
    model, ids = load_letters(), ids_of("rtbngemprtb")
    own = weights_of(model, ids)[1]
    with torch.inference_mode():
        before = scores_of(model, ids)
        with handed_map(model, 1, own):
            torch.testing.assert_close(scores_of(model, ids), before)
        elsewhere = torch.zeros_like(own)
        elsewhere[..., 5] = 1.0  # all look at the sixth letter
        with handed_map(model, 1, elsewhere):
            moved = scores_of(model, ids)
        torch.testing.assert_close(scores_of(model, ids), before)  # nothing is left behind
    assert text_of(moved[0, -1].argmax()[None]) == "e"


def test_grouped_queries_keep_what_a_cache_of_the_model_would():
    """Against the sizes of the model's own matrices, counted without their memory."""
    with torch.device("meta"):
        model = Transformer(CONFIG)
    assert sum(p.numel() for p in model.parameters()) == PARAMETERS
    kept = sum(
        part.W_k.out_features + part.W_v.out_features
        for part in model.modules()
        if isinstance(part, MultiHeadAttention)
    )
    caption = lesson.grouped_queries().frame(sets=3, tokens=1024).caption
    assert f"{kept:,} numbers per token, {kept * 1024 * 2 / 1e6:.0f} MB" in caption


def test_a_word_that_does_not_look_ahead_in_1_8_looks_at_cls():
    """What lesson 5 says of its two heads."""
    places = []
    for found in stored_attention().values():
        largest = found.weights[1, 8].argmax(dim=-1)
        words = torch.arange(1, len(largest) - 2)  # all but the last, which has none ahead
        places += [(to, to - word) for word, to in zip(words, largest[words], strict=True)]
    assert len(places) == 95
    assert sum(to == 0 for to, _ in places) == 20
    assert sum(step == 1 for _, step in places) == 75


def test_the_letter_is_copied_into_a_row_that_was_read(monkeypatch):
    """Attention writes only into rows that exist, so there is no tile beyond the text."""
    rows, tokens = [], Diagram.tokens

    def noted(diagram, words, **look):
        rows.append("".join(words))
        return tokens(diagram, words, **look)

    monkeypatch.setattr(Diagram, "tokens", noted)
    lesson.relay().frame()
    assert rows == ["rtbngemprtb"]


def test_both_ends_of_the_split_are_seen_at_once():
    assert "turned [11, 12], [21, 22]; not turned [11, 12], [13, 14]" in (
        lesson.cut_then_turn().caption
    )
