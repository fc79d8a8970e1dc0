"""The recurrent translator: what it may see, what padding may change, and torch's GRU inside."""

import pytest
import torch
from torch import Tensor, nn

from tests.conftest import seeded
from tutor.mask import padding_keep
from tutor.models.seq2seq import AttentionKind, Seq2Seq, Seq2SeqConfig, reverse_real

KINDS: tuple[AttentionKind, ...] = ("none", "additive", "dot")
PAD = 0
SOURCE = torch.tensor([[5, 6, 7, 8, 3], [9, 4, 3, PAD, PAD], [4, 3, PAD, PAD, PAD]])


def model_of(kind: AttentionKind, **changes: object) -> Seq2Seq:
    torch.manual_seed(0)
    settings = {"vocabulary": 12, "d_model": 6, "hidden": 8, "attention": kind} | changes
    return Seq2Seq(Seq2SeqConfig(**settings)).eval()


def random_target() -> Tensor:
    return torch.randint(1, 12, (3, 6), generator=seeded(1))


@pytest.mark.parametrize("kind", KINDS)
def test_a_later_target_word_never_changes_an_earlier_prediction(kind):
    model, target = model_of(kind), random_target()
    changed = target.clone()
    changed[:, 4:] = (target[:, 4:] + 1) % 12
    before, after = model(SOURCE, target), model(SOURCE, changed)
    torch.testing.assert_close(before[:, :4], after[:, :4], rtol=0, atol=1e-6)
    assert not torch.allclose(before[:, 4:], after[:, 4:])


@pytest.mark.parametrize("kind", KINDS)
def test_padding_changes_nothing(kind):
    model, target = model_of(kind), random_target()
    together = model(SOURCE, target)
    for row in range(3):
        words = SOURCE[row : row + 1, : int((SOURCE[row] != PAD).sum())]
        alone = model(words, target[row : row + 1])
        torch.testing.assert_close(together[row : row + 1], alone, rtol=0, atol=1e-6)
    more = torch.cat([SOURCE, torch.full((3, 2), PAD)], dim=1)
    torch.testing.assert_close(model(more, target), together, rtol=0, atol=1e-6)
    other_words = torch.where(SOURCE == 3, 10, SOURCE)
    assert not torch.allclose(model(other_words, target), together)


@pytest.mark.parametrize("kind", KINDS)
def test_word_by_word_with_a_cache_equals_one_pass(kind):
    model, target = model_of(kind), random_target()
    keep = padding_keep(SOURCE, PAD)
    memory, cache = model.encode(SOURCE, keep), model.new_cache()
    parts = [
        model.decode(part, memory, memory_keep=keep, cache=cache)
        for part in (target[:, :2], target[:, 2:3], target[:, 3:])
    ]
    whole = model.decode(target, memory, memory_keep=keep)
    torch.testing.assert_close(torch.cat(parts, dim=1), whole, rtol=0, atol=1e-6)


@pytest.mark.parametrize("kind", KINDS)
def test_cache_rows_can_be_reordered(kind):
    model, target, rows = model_of(kind), random_target(), torch.tensor([2, 0, 0])
    keep = padding_keep(SOURCE, PAD)
    memory, cache = model.encode(SOURCE, keep), model.new_cache()
    model.decode(target[:, :3], memory, memory_keep=keep, cache=cache)
    cache.reorder(rows)
    after = model.decode(target[rows, 3:], memory[rows], memory_keep=keep[rows], cache=cache)
    whole = model.decode(target[rows], memory[rows], memory_keep=keep[rows])
    torch.testing.assert_close(after, whole[:, 3:], rtol=0, atol=1e-6)


@pytest.mark.parametrize("kind", KINDS)
def test_gradient_reaches_every_parameter(kind):
    model = model_of(kind)
    model(SOURCE, random_target()).square().mean().backward()
    for name, parameter in model.named_parameters():
        assert parameter.grad is not None, name
        assert parameter.grad.abs().max() > 0, name


def test_the_encoder_equals_torchs_bidirectional_gru_on_packed_sentences():
    model = model_of("additive")
    reference = nn.GRU(6, 4, batch_first=True, bidirectional=True)
    with torch.no_grad():
        for ours, suffix in ((model.forwards, "_l0"), (model.backwards, "_l0_reverse")):
            for mine, theirs in (("W_ih", "weight_ih"), ("W_hh", "weight_hh"), ("b_ih", "bias_ih"),
                                 ("b_hh", "bias_hh")):  # fmt: skip
                getattr(reference, theirs + suffix).copy_(getattr(ours, mine))
    lengths = (SOURCE != PAD).sum(-1)
    packed = nn.utils.rnn.pack_padded_sequence(
        model.embedding(SOURCE), lengths, batch_first=True, enforce_sorted=False
    )
    expected, _ = nn.utils.rnn.pad_packed_sequence(reference(packed)[0], batch_first=True)
    memory, real = model.encode(SOURCE), (SOURCE != PAD)
    torch.testing.assert_close(memory[real], expected[real], rtol=0, atol=1e-6)


def test_without_attention_the_source_is_one_vector_however_long():
    model = model_of("none")
    assert model.encode(SOURCE).shape == (3, 1, 8)
    assert model.encode(SOURCE.repeat(1, 4)[:1]).shape == (1, 1, 8)
    assert model_of("dot").encode(SOURCE).shape == (3, 5, 8)


def test_attention_kinds_differ_in_their_parameters_as_named():
    counts = {kind: sum(each.numel() for each in model_of(kind).parameters()) for kind in KINDS}
    assert counts["none"] == counts["dot"]
    assert counts["additive"] - counts["dot"] == 6 * 8 + 6 * 8 + 6  # W_q, W_k, w


def test_a_source_vocabulary_of_its_own():
    model = model_of("dot", source_vocabulary=40)
    far = torch.tensor([[35, 39, 3]])
    assert model(far, random_target()[:1]).shape == (1, 6, 12)
    assert not torch.equal(model.encode(far), model.encode(far - 1))


def test_reverse_real_is_its_own_inverse():
    x, lengths = torch.randn(3, 5, 2, generator=seeded(0)), torch.tensor([5, 3, 1])
    turned = reverse_real(x, lengths)
    assert torch.equal(reverse_real(turned, lengths), x)
    assert torch.equal(turned[1], x[1, [2, 1, 0, 3, 4]])


@pytest.mark.parametrize("row", [[PAD, 5, 3], [5, PAD, 3], [PAD, PAD, PAD]])
def test_padding_before_a_word_is_refused(row):
    with pytest.raises(ValueError, match="padding only after it"):
        model_of("dot").encode(torch.tensor([row, [5, 6, 3]]))


def test_decode_without_memory_is_refused():
    with pytest.raises(ValueError, match="needs memory"):
        model_of("dot").decode(random_target())


@pytest.mark.usefixtures("unchecked_shapes")
def test_impossible_settings_are_refused():
    with pytest.raises(ValueError, match="hidden=7 must be even"):
        Seq2SeqConfig(vocabulary=5, hidden=7)
    with pytest.raises(ValueError, match="expected 'none', 'additive' or 'dot'"):
        Seq2SeqConfig(vocabulary=5, attention="loud")
