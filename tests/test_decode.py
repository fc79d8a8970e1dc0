"""Greedy search, sampling and the cache, on toy tables and on real (untrained) models."""

import math

import pytest
import torch
import torch.nn.functional as F
from torch import Tensor

from tests.conftest import seeded
from tutor.attention import scaled_dot_product_attention
from tutor.config import TransformerConfig
from tutor.decode import (
    attention_step,
    cached_attention,
    generate,
    greedy_decode,
    most_likely,
    sampler,
    translate,
)
from tutor.embedding import Vocabulary
from tutor.language_model import EncoderDecoder, ModelStep, TrigramStep, read_source
from tutor.mask import causal_keep, padding_keep
from tutor.models.seq2seq import Seq2Seq, Seq2SeqConfig
from tutor.transformer import Transformer

WORDS = Vocabulary("abcde")
V, PAD, BOS, EOS = len(WORDS), WORDS.pad_id, WORDS.bos_id, WORDS.eos_id
SOURCE = torch.tensor([[5, 6, 7, 8, EOS], [4, 6, EOS, PAD, PAD], [8, EOS, PAD, PAD, PAD]])


def toy(seed: int, size: int = 6) -> Tensor:
    return torch.log_softmax(2 * torch.randn(size, size, size, generator=seeded(seed)), dim=-1)


def model_of(kind: str, seed: int = 0) -> EncoderDecoder:
    """Make an untrained model with strong weights: it writes varied words, ends, never pads."""
    torch.manual_seed(seed)
    model: Transformer | Seq2Seq
    if kind == "transformer":
        settings = {"layers": 2, "d_model": 16, "d_ff": 32, "heads": 2, "norm": "pre"}
        model = Transformer(TransformerConfig(vocabulary=V, tie=False, **settings))
    else:
        settings = {"d_model": 16, "hidden": 16, "attention": kind}
        model = Seq2Seq(Seq2SeqConfig(vocabulary=V, **settings))
    with torch.no_grad():
        for parameter in model.parameters():
            if parameter.dim() > 1:
                parameter.mul_(2.5)
    likely = torch.zeros(V)
    likely[PAD], likely[EOS] = -1e4, 1.5
    logits = model.logits
    model.logits = lambda states: logits(states) + likely
    return model.eval()


KINDS = ("transformer", "none", "additive", "dot")


def greedy_by_hand(table: Tensor, max_length: int) -> list[int]:
    before = last = 0
    ids: list[int] = []
    while len(ids) < max_length and (not ids or ids[-1] != 1):
        ids.append(int(table[before, last].argmax()))
        before, last = last, ids[-1]
    return ids


def test_greedy_decode_follows_the_table():
    found = [greedy_decode(toy(seed), max_length=8) for seed in range(30)]
    assert found == [greedy_by_hand(toy(seed), 8) for seed in range(30)]
    assert any(ids[-1] == 1 and len(ids) > 2 for ids in found)
    assert any(ids[-1] != 1 and len(ids) == 8 for ids in found)


def test_greedy_decode_stops_at_max_length_without_an_end():
    table = torch.full((3, 3, 3), -9.0)
    table[:, :, 2] = -0.1
    assert greedy_decode(table, max_length=4) == [2, 2, 2, 2]
    assert greedy_decode(table, max_length=1) == [2]


def test_decoding_refuses_impossible_settings():
    with pytest.raises(ValueError, match="max_length must be at least 1, got 0"):
        greedy_decode(toy(0), 0)
    with pytest.raises(ValueError, match=r"\(V, V, V\).*got \(2, 3, 3\)"):
        greedy_decode(toy(0, 3)[:2], 5)


def test_a_model_in_training_mode_is_refused():
    model = model_of("transformer")
    model.train()
    with pytest.raises(ValueError, match=r"call model\.eval\(\) first"):
        translate(model, SOURCE, WORDS, max_length=3)


def full_pass_greedy(model: EncoderDecoder, source: Tensor, max_length: int) -> list[int]:
    """Decode one sentence the slow and simple way: the whole model again for every word."""
    written = torch.tensor([[BOS]])
    with torch.no_grad():
        while written.size(1) <= max_length and written[0, -1] != EOS:
            logits = model(source, written)
            written = torch.cat([written, logits[:, -1:].argmax(-1)], dim=1)
    return written[0, 1:].tolist()


@pytest.mark.parametrize("kind", KINDS)
def test_translation_equals_the_whole_model_run_again_for_every_word(kind, unchecked_shapes):
    lengths, words = set(), set()
    for seed in range(4):
        model = model_of(kind, seed)
        together = translate(model, SOURCE, WORDS, max_length=12)
        uncached = translate(model, SOURCE, WORDS, max_length=12, use_cache=False)
        for row, ids in enumerate(together):
            alone = SOURCE[row : row + 1, : int((SOURCE[row] != PAD).sum())]
            assert ids == full_pass_greedy(model, alone, 12)
        assert together == uncached
        lengths |= {len(ids) for ids in together}
        words |= {word for ids in together for word in ids}
    assert len(lengths) > 2  # several lengths, many words: else equal ids would prove little
    assert len(words) > 5


@pytest.mark.parametrize("kind", KINDS)
def test_sources_without_padding_need_no_mask(kind):
    model, full = model_of(kind), SOURCE.where(SOURCE != PAD, 4)
    start, keep = torch.full((len(full), 1), BOS), padding_keep(full, PAD)
    with torch.no_grad():
        step = read_source(model, full, PAD)
        masked = ModelStep(model, model.encode(full, keep), keep)
        torch.testing.assert_close(step(start), masked(start))
        assert step.memory_keep is None
        assert read_source(model, SOURCE, PAD).memory_keep is not None


@pytest.mark.parametrize("kind", KINDS)
def test_a_cached_step_reads_each_word_once(kind):
    model, read = model_of(kind), []
    decode = model.decode
    model.decode = lambda target, *args, **named: (
        read.append(target.size(1)) or decode(target, *args, **named)
    )
    translate(model, SOURCE, WORDS, max_length=5)
    assert read == [1] * len(read)
    read.clear()
    translate(model, SOURCE, WORDS, max_length=5, use_cache=False)
    assert read == list(range(1, len(read) + 1))


def test_a_decoder_alone_continues_a_prompt():
    torch.manual_seed(0)
    settings = {"layers": 2, "d_model": 16, "d_ff": 32, "heads": 2}
    model = Transformer(TransformerConfig(vocabulary=V, stacks="decoder", **settings)).eval()
    prompt = torch.tensor([[BOS, 5, 6], [BOS, 7, 4]])
    with torch.no_grad():
        steps = [ModelStep(model, use_cache=use_cache) for use_cache in (True, False)]
        cached, uncached = [generate(each, prompt, most_likely, 6, EOS) for each in steps]
        first = model.logits(model.decode(prompt))[:, -1].argmax(-1)
    assert cached == uncached
    assert [ids[0] for ids in cached] == first.tolist()


def test_selected_rows_keep_their_own_source_and_past():
    model, rows = model_of("transformer"), torch.tensor([2, 0, 0])
    prefixes = torch.tensor([[BOS, 4], [BOS, 5], [BOS, 6]])
    keep = padding_keep(SOURCE, PAD)
    with torch.no_grad():
        memory = model.encode(SOURCE, keep)
        step = ModelStep(model, memory, keep)
        step(prefixes)
        step.reorder(rows)
        longer = torch.cat([prefixes[rows], torch.tensor([[7], [7], [8]])], dim=1)
        after = step(longer)
        fresh = ModelStep(model, memory[rows], keep[rows])(longer)
    torch.testing.assert_close(after, fresh, rtol=0, atol=1e-5)
    assert not torch.allclose(after[0], after[1])
    torch.testing.assert_close(after.exp().sum(-1), torch.ones(3))


def test_sampling_draws_by_probability():
    probabilities = torch.tensor([0.5, 0.3, 0.15, 0.05])
    rows = probabilities.log().expand(20_000, 4)

    def shares(**settings: float) -> list[float]:
        choose = sampler(generator=seeded(0), **settings)
        return (torch.bincount(choose(rows), minlength=4) / 20_000).tolist()

    assert shares() == pytest.approx([0.5, 0.3, 0.15, 0.05], abs=0.015)
    assert shares(top_k=2) == pytest.approx([0.625, 0.375, 0, 0], abs=0.015)
    assert shares(top_p=0.9) == pytest.approx([0.5 / 0.95, 0.3 / 0.95, 0.15 / 0.95, 0], abs=0.015)
    assert shares(min_p=0.2) == pytest.approx([0.5 / 0.95, 0.3 / 0.95, 0.15 / 0.95, 0], abs=0.015)
    sharp = [p**2 / 0.365 for p in (0.5, 0.3, 0.15, 0.05)]  # temperature 1/2 squares, 0.365 sums
    assert shares(temperature=0.5) == pytest.approx(sharp, abs=0.015)
    squares = [p**2 / (0.5**2 + 0.3**2 + 0.15**2) for p in (0.5, 0.3, 0.15)]
    assert shares(temperature=0.5, top_k=3) == pytest.approx([*squares, 0], abs=0.015)


def test_sampling_is_repeatable_and_varied():
    table = toy(0)

    def sample(seed: int) -> list[int]:
        step = TrigramStep(table)
        return generate(step, step.start(), sampler(generator=seeded(seed)), 8, eos_id=1)[0]

    assert sample(3) == sample(3)
    assert len({tuple(sample(seed)) for seed in range(10)}) > 3


def test_steps_of_attention_give_the_rows_of_torchs_causal_attention():
    x, _, W = sentence()
    q, k, v = (x @ matrix for matrix in W)
    whole = F.scaled_dot_product_attention(q, k, v, is_causal=True)
    keys, values = k[:3], v[:3]
    for place in range(3, len(x)):
        output, keys, values = attention_step(x[place], keys, values, W)
        torch.testing.assert_close(output, whole[place], rtol=0, atol=1e-12)
    torch.testing.assert_close((keys, values), (k, v), rtol=0, atol=1e-12)


def sentence(seed: int = 0) -> tuple[Tensor, Tensor, tuple[Tensor, Tensor, Tensor]]:
    def drawn(number: int, *shape: int) -> Tensor:
        return torch.randn(*shape, generator=seeded(10 * seed + number), dtype=torch.float64)

    return drawn(1, 7, 6), drawn(2, 9, 6), (drawn(3, 6, 4), drawn(4, 6, 4), drawn(5, 6, 6))


@pytest.mark.parametrize("prompt_length", [1, 3, 6, 7])
def test_cached_attention_equals_one_causal_pass(prompt_length):
    x, encoding, W = sentence()
    placed = x + encoding[:7]
    q, k, v = (placed @ each for each in W)
    expected, _ = scaled_dot_product_attention(q, k, v, causal_keep(7))
    ours = cached_attention(x, encoding, W, prompt_length)
    torch.testing.assert_close(ours, expected, rtol=0, atol=1e-12)


def test_cached_attention_by_hand():
    x = torch.tensor([[1.0, 0.0], [0.0, 1.0]])
    W = (torch.eye(2), torch.eye(2), torch.tensor([[2.0, 0.0], [0.0, 3.0]]))
    second = math.exp(1 / math.sqrt(2)) / (1 + math.exp(1 / math.sqrt(2)))
    by_hand = torch.tensor([[2.0, 0.0], [2 * (1 - second), 3 * second]])
    torch.testing.assert_close(cached_attention(x, torch.zeros(2, 2), W, 1), by_hand)


def test_cached_attention_refuses_an_empty_prompt_and_a_short_encoding():
    x, encoding, W = sentence()
    for prompt_length, rows in ((0, 9), (8, 9), (3, 6)):
        with pytest.raises(ValueError, match=rf"got {prompt_length}, 7, {rows}"):
            cached_attention(x, encoding[:rows], W, prompt_length)
