"""The texts written with stored dice: whether a die says what it is said to say."""

from itertools import product

import pytest
import torch

from tests.needs import missing
from tutor.models.raw_tokens import as_text, raw_token, readable_pieces
from tutor.models.smollm import EOS_ID, INSTALL, is_installed, load_smollm
from tutor.models.smollm_dice import (
    CUTS,
    DICE,
    FILE,
    TEMPERATURES,
    Tree,
    film,
    prompts,
    settings,
    text,
)

ROUNDING = 0.03  # of a share that is put together from stored bytes
EVERY = [(prompt, thrown) for prompt in prompts() for thrown in settings()]


def surprise(prompt: str, T: float, cut: str) -> list[float]:
    texts = [text(prompt, (die, T, cut)) for die in range(1, DICE + 1)]
    return [sum(each.surprise for each in draws) / len(draws) for draws in texts]


def test_the_die_falls_on_the_token_that_was_drawn():
    for prompt, thrown in EVERY:
        for drawn in text(prompt, thrown):
            edges = [0.0, *drawn.shares.cumsum(0).tolist()]
            if drawn.place is None:
                assert drawn.die > edges[-1] - ROUNDING
            else:
                assert drawn.tokens[drawn.place] == drawn.chosen
                assert edges[drawn.place] - ROUNDING < drawn.die
                assert drawn.die < edges[drawn.place + 1] + ROUNDING


def test_bolder_dice_never_draw_a_more_likely_first_token():
    for prompt, die, cut in product(prompts(), range(1, DICE + 1), CUTS):
        places = [text(prompt, (die, T, cut))[0].place for T in TEMPERATURES]
        ranks = [8 if place is None else place for place in places]
        assert ranks == sorted(ranks)


def test_what_is_cut_off_is_never_drawn():
    for prompt, (die, T, cut) in EVERY:
        for drawn in text(prompt, (die, T, cut)):
            if cut == "top-k 5":
                assert drawn.place is not None
                assert drawn.place < 5
            if cut == "min-p .1":
                left = drawn.shares[drawn.shares > 0]
                assert left.min() >= 0.09 * left.max()  # the stored logarithms are rounded


def test_without_a_cut_bold_dice_make_noise_and_with_min_p_they_do_not():
    for prompt in prompts():
        assert min(surprise(prompt, 1.5, "none")) > 5
        assert max(surprise(prompt, 1.5, "min-p .1")) < 3


def test_tree_dice_and_film_know_the_same_model():
    for prompt in prompts():
        tokens, log_probs = Tree(prompt).choices([])
        first = text(prompt, (1, 1.0, "none"))[0]
        assert tokens == first.tokens[:3]
        torch.testing.assert_close(log_probs.exp(), first.shares[:3], rtol=0.05, atol=0.01)
    shown = film()
    for moment, drawn in zip(shown.moments, text(shown.prompt, shown.thrown), strict=False):
        assert moment.tokens == [as_text(each) for each in drawn.tokens]
        shares = (moment.logits / shown.thrown[1] - moment.total).exp()
        kept = drawn.shares > 0
        expected = shares[kept] / shares[kept].sum() * drawn.shares.sum()
        torch.testing.assert_close(expected, drawn.shares[kept], rtol=0.08, atol=0.01)


def test_a_path_down_the_tree_is_the_text_that_was_drawn_along_it():
    prompt = prompts()[0]
    for T in (0.3, 0.7):
        draws = text(prompt, (1, T, "top-k 5"))[:7]
        way: list[int] = []
        for drawn in draws:
            tokens, _ = Tree(prompt).choices(way)
            assert tokens == drawn.tokens[:3]
            if drawn.place is None or drawn.place > 2:
                break
            way.append(drawn.place)
        assert len(way) >= 2


def test_it_is_small():
    assert FILE.stat().st_size < 120_000


def test_half_a_syllable_waits_for_its_other_half():
    whole = "강 🙂".encode()
    assert readable_pieces([whole[:1], whole[1:3], whole[3:6], whole[6:]]) == ["", "강", " ", "🙂"]
    assert readable_pieces([b"a", b"\xff", b"b"])[1:] == ["�", "b"]  # no character begins so


@pytest.mark.long
@pytest.mark.xdist_group("smollm")
@torch.inference_mode()
def test_the_model_says_the_same_when_it_reads_a_text_at_once():
    if not is_installed():
        missing("SmolLM2", INSTALL)
    smollm, prompt = load_smollm(), prompts()[0]
    draws = text(prompt, (2, 1.0, "none"))
    written = "".join(readable_pieces([each.chosen for each in draws]))
    start, ids = smollm.read(prompt).size(1), smollm.read(prompt + written)[0]
    assert [raw_token(smollm.tokenizer, i) for i in ids[start:].tolist()] == [
        each.chosen for each in draws
    ]
    logits = smollm.logits(prompt + written)[start - 1 : -1].clone()
    logits[:, EOS_ID] = -torch.inf
    log_probs = logits.log_softmax(-1)
    for drawn, said, token in zip(draws, log_probs, ids[start:], strict=True):
        assert drawn.surprise == pytest.approx(min(-said[token].item(), 255 / 16), abs=0.05)
        best = said.exp().topk(3)
        torch.testing.assert_close(best.values, drawn.shares[:3], rtol=0.05, atol=0.01)
