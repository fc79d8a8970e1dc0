"""Beam search, held against looking at every sentence there is."""

import itertools

import pytest
import torch
from torch import Tensor

from tests.conftest import seeded
from tests.test_decode import BOS, EOS, KINDS, PAD, SOURCE, WORDS, V, model_of, toy
from tutor.beam import beam_search, beam_steps, translate_beam
from tutor.decode import greedy_decode, translate
from tutor.language_model import TrigramStep, read_source


def every_sentence(table: Tensor, max_length: int) -> dict[tuple[int, ...], float]:
    """Give the summed log-probability of every finished sentence of at most max_length words."""
    words = [word for word in range(len(table)) if word != 1]
    found = {}
    for length in range(max_length):
        for beginning in itertools.product(words, repeat=length):
            before = last = 0
            total = 0.0
            for word in (*beginning, 1):
                total += table[before, last, word].item()
                before, last = last, word
            found[(*beginning, 1)] = total
    return found


@pytest.mark.parametrize("alpha", [0.0, 0.6, 1.0])
@pytest.mark.parametrize("seed", range(5))
def test_a_wide_beam_finds_every_sentence_brute_force_finds(seed, alpha):
    table = toy(seed, size=4)
    scores = {ids: total / len(ids) ** alpha for ids, total in every_sentence(table, 4).items()}
    found = beam_search(table, width=1000, max_length=4, alpha=alpha)
    assert found["scores"] == pytest.approx(sorted(scores.values(), reverse=True), abs=1e-5)
    assert len(found["scores"]) == 1 + 3 + 9 + 27
    assert tuple(found["best"]) == max(scores, key=lambda ids: scores[ids])


@pytest.mark.parametrize("width", [1, 2, 3, 5])
@pytest.mark.parametrize("seed", range(5))
def test_a_narrow_beam_step_by_step(seed, width):
    table, max_length = toy(seed), 6
    finished: dict[tuple[int, ...], float] = {}
    beam: dict[tuple[int, ...], float] = {(): 0.0}
    for _ in range(max_length):
        longer = {}
        for ids, total in beam.items():
            before, last = (0, 0, *ids)[-2:]
            longer |= {(*ids, word): total + table[before, last, word].item() for word in range(6)}
        best = sorted(longer, key=lambda ids: -longer[ids])[: width - len(finished)]
        finished |= {ids: longer[ids] for ids in best if ids[-1] == 1}
        beam = {ids: longer[ids] for ids in best if ids[-1] != 1}
    scores = sorted((total / len(ids) ** 0.7 for ids, total in finished.items()), reverse=True)
    found = beam_search(table, width, max_length, alpha=0.7)
    assert found["scores"] == pytest.approx(scores, abs=1e-5)
    if finished:
        best_ids = max(finished, key=lambda ids: finished[ids] / len(ids) ** 0.7)
        assert tuple(found["best"]) == best_ids
    else:
        assert found["best"] == []


def test_a_beam_of_one_is_greedy_where_greedy_ends():
    ended = 0
    for seed in range(20):
        greedy = greedy_decode(toy(seed), max_length=8)
        beam = beam_search(toy(seed), width=1, max_length=8, alpha=0.5)["best"]
        assert beam == (greedy if greedy[-1] == 1 else [])
        ended += greedy[-1] == 1
    assert 3 < ended < 20


def test_the_toy_on_which_greedy_misses_the_best():
    table = torch.full((5, 5, 5), 1e-9)
    table[0, 0, 2], table[0, 0, 3] = 0.6, 0.4  # greedy takes 2, after which all is unsure
    table[0, 2, 1], table[0, 2, 4] = 0.4, 0.35
    table[0, 3, 1] = 0.9
    log_probs = table.log()
    assert greedy_decode(log_probs, 4) == [2, 1]  # 0.6 · 0.4 = 0.24
    found = beam_search(log_probs, width=2, max_length=4, alpha=0.0)
    assert found["best"] == [3, 1]  # 0.4 · 0.9 = 0.36
    assert [round(torch.tensor(score).exp().item(), 2) for score in found["scores"]] == [0.36, 0.24]


def test_length_penalty_lets_a_longer_sentence_win():
    table = torch.full((4, 4, 4), -20.0)
    table[0, 0, 1], table[0, 0, 2] = -1.0, -0.5
    table[0, 2, 2] = table[2, 2, 1] = -0.5
    assert beam_search(table, 3, 5, alpha=0.0)["best"] == [1]  # -1.0 against -1.5
    assert beam_search(table, 3, 5, alpha=1.0)["best"] == [2, 2, 1]  # -1.0 against -0.5


def test_nothing_finished_gives_nothing():
    table = torch.full((3, 3, 3), -0.5)
    table[:, :, 1] = -9.0
    assert beam_search(table, width=2, max_length=3, alpha=1.0) == {"best": [], "scores": []}


def test_finished_hypotheses_leave_and_the_beam_narrows():
    steps = list(beam_steps(TrigramStep(toy(2)), torch.tensor([[0]]), 4, 6, eos_id=1))
    finished = 0
    for [kept] in steps:
        assert len(kept) == 4 - finished
        totals = [hypothesis.total for hypothesis in kept]
        assert totals == sorted(totals, reverse=True)
        finished += sum(hypothesis.ids[-1] == 1 for hypothesis in kept)
    assert finished > 0


@pytest.mark.parametrize("kind", KINDS)
def test_batched_cached_beams_equal_single_uncached_ones(kind, unchecked_shapes):
    some_differ = False
    for seed in range(4):
        model = model_of(kind, seed)
        together = translate_beam(model, SOURCE, WORDS, max_length=6, width=3)
        greedy = translate(model, SOURCE, WORDS, max_length=6)
        for row, found in enumerate(together):
            words = SOURCE[row : row + 1, : int((SOURCE[row] != PAD).sum())]
            [alone] = translate_beam(model, words, WORDS, max_length=6, width=3, use_cache=False)
            assert [each.ids for each in found] == [each.ids for each in alone]
            assert [each.total for each in found] == pytest.approx(
                [each.total for each in alone], abs=1e-4
            )
            some_differ |= bool(found) and list(found[0].ids) != greedy[row]
    assert some_differ  # else a beam would have proved no more than greedy search


@pytest.mark.parametrize("kind", ["transformer", "additive"])
def test_a_wide_beam_on_a_model_equals_brute_force(kind, unchecked_shapes):
    model, source = model_of(kind), SOURCE[1:2, :3]
    words = [word for word in range(V) if word not in (PAD, EOS)]
    expected = {}
    with torch.no_grad():
        step = read_source(model, source, PAD, use_cache=False)
        for beginning in [(), *((a,) for a in words), *itertools.product(words, repeat=2)]:
            ids = (*beginning, EOS)
            total = sum(
                step(torch.tensor([[BOS, *ids[:i]]]))[0, ids[i]].item() for i in range(len(ids))
            )
            expected[ids] = total
    [every] = translate_beam(model, source, WORDS, max_length=3, width=10_000, alpha=0.6)
    found = [each for each in every if PAD not in each.ids]  # this model all but forbids padding
    assert {each.ids for each in found} == set(expected)
    for each in found:
        assert each.total == pytest.approx(expected[each.ids], abs=1e-4)
    by_score = sorted(expected, key=lambda ids: -expected[ids] / len(ids) ** 0.6)
    assert found[0].ids == by_score[0]


def test_beam_search_refuses_impossible_settings():
    for width, max_length in ((0, 3), (2, 0)):
        with pytest.raises(ValueError, match=rf"at least 1, got {width}, {max_length}"):
            beam_search(toy(0), width, max_length, alpha=0.5)


def test_a_width_above_what_there_is_keeps_everything():
    noise = torch.randn(6, 6, 6, generator=seeded(9))
    found = beam_search(torch.log_softmax(noise, -1), width=500, max_length=2, alpha=0.0)
    assert len(found["scores"]) == 1 + 5  # eos at once, or one of five words and eos
