"""The stored excerpt of SmolLM2: what the model says, and the facts of lesson 9 that rest on it."""

import pytest
import torch

from tests.needs import missing
from tools.data import smollm as rebuild
from tutor.models import smollm_excerpt
from tutor.models.smollm import INSTALL, is_installed, load_smollm
from tutor.models.smollm_excerpt import (
    EXACT,
    EXCERPT,
    NAMED,
    beams,
    head_map,
    next_words,
    prompts,
    read,
    stored_heads,
    written,
)

ONCE, UNSURE = "Once upon a time, there was a", "I don't know what to"


@pytest.mark.long
@pytest.mark.xdist_group("smollm")
def test_the_excerpt_is_what_the_model_says():
    """Texts are scored again and not written again: a near tie may fall otherwise elsewhere."""
    if not is_installed():
        missing("SmolLM2", INSTALL)
    smollm = load_smollm()
    with torch.inference_mode():
        for prompt in prompts()[:3]:
            found, asked = next_words(prompt), smollm_excerpt.asked(prompt)
            assert found.words[:8] == asked.words[:8]
            torch.testing.assert_close(
                found.log_probs[:EXACT], asked.log_probs[:EXACT], rtol=0, atol=1e-3
            )
            for heat in (0.5, 1.0, 2.0):
                beyond, truly = (
                    (each.log_probs / heat).softmax(-1)[EXACT:].sum() for each in (found, asked)
                )
                assert beyond.item() == pytest.approx(truly.item(), abs=0.02)
        for text in (written(ONCE, "greedy"), written(UNSURE, "greedy")):
            ids = smollm.read(text.prompt + text.text)[0]
            start = smollm.read(text.prompt).size(1)
            assert smollm.pieces(text.text) == text.pieces
            scored = rebuild.score(smollm, ids[:start].tolist(), ids[start:].tolist())
            torch.testing.assert_close(scored, text.log_probs, rtol=0, atol=2e-3)
        sentence = [*stored_heads()][1]
        weights = smollm.attention(sentence).weights
        torch.testing.assert_close(weights, stored_heads()[sentence].weights, rtol=0, atol=3e-3)


def test_it_is_small_and_whole():
    assert EXCERPT.stat().st_size < 150_000
    for prompt in prompts():
        found = next_words(prompt)
        assert len(found.words) == NAMED
        assert found.log_probs.exp().sum().item() == pytest.approx(1, abs=1e-4)
        assert (found.log_probs.diff() <= 1e-6).all()
    for found in stored_heads().values():
        ones = torch.ones(30, 9, len(found.tokens))
        torch.testing.assert_close(found.weights.sum(-1), ones, rtol=0, atol=0.03)


def test_attention_is_all_you_need_only_behind_the_papers_name():
    assert next_words("Attention is all you").words[0] == " have"
    behind = next_words("The paper about the Transformer is called Attention is all you")
    assert behind.words[0] == " need"


def test_greedy_search_falls_into_a_loop_and_grows_surer():
    text = written(UNSURE, "greedy")
    start = text.pieces.index(" I")
    turn = text.pieces[start : start + 8]
    assert text.pieces[start + 8 : start + 16] == turn
    of_to = text.log_probs[start + turn.index(" to") :: 8].exp()
    assert of_to[-1] > of_to[0] + 0.3


def test_four_beams_begin_alike_and_are_likelier_than_greedy_search_and_chance():
    *beam, greedy, drawn = beams(ONCE)
    assert len(beam) == 4
    assert len({tuple(each.pieces[:15]) for each in beam}) == 1
    total = [each.log_probs.sum().item() for each in (beam[0], greedy, drawn)]
    assert total[0] > total[1] > total[2] + 20


def test_names_are_foretold_when_they_were_read():
    fresh, again = (
        read("The museum opens at nine except on Mondays."),
        read("Mr Dursley met Mrs Potter."),
    )
    assert fresh.pieces == again.pieces
    assert again.log_probs.mean() > fresh.log_probs.mean() / 2


def test_what_is_not_stored_needs_the_model(monkeypatch):
    def refuse():
        raise ModuleNotFoundError("not installed")

    monkeypatch.setattr(smollm_excerpt, "load_smollm", refuse)
    with pytest.raises(ModuleNotFoundError):
        next_words("typed by hand")
    with pytest.raises(ModuleNotFoundError):
        head_map("typed by hand")
    with pytest.raises(ValueError, match="nothing is stored"):
        written(ONCE, "by heart")
    with pytest.raises(ValueError, match="no beam is stored"):
        beams("typed by hand")
