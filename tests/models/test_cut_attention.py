"""What is cut is cut, and nothing else; afterwards the model is whole again."""

import pytest
import torch

from tutor.models.cut_attention import CUTS, cut_attention, written_with_cuts
from tutor.training.talker import talker
from tutor.transformer import Transformer, TransformerConfig


@pytest.fixture
def model():
    """An untrained model of two layers, in which every token counts."""
    torch.manual_seed(0)
    return Transformer(TransformerConfig.tiny(vocabulary=30, dropout=0.0)).eval()


ONE, OTHER = torch.tensor([[5, 6, 7, 3]]), torch.tensor([[5, 16, 17, 3]])  # two tokens differ


def test_without_its_self_attention_the_encoder_reads_each_token_alone(model):
    with cut_attention(model, ["encoder"]):
        cut = model.encode(ONE), model.encode(OTHER)
    whole = model.encode(ONE), model.encode(OTHER)
    torch.testing.assert_close(cut[0][0, 0], cut[1][0, 0])
    assert not torch.allclose(whole[0][0, 0], whole[1][0, 0], atol=1e-3)


def test_without_its_self_attention_the_decoder_knows_the_newest_token_only(model):
    memory = model.encode(ONE)
    with cut_attention(model, ["look back"]):
        cut = model.decode(ONE, memory)[0, -1], model.decode(OTHER, memory)[0, -1]
    whole = model.decode(ONE, memory)[0, -1], model.decode(OTHER, memory)[0, -1]
    torch.testing.assert_close(*cut)
    assert not torch.allclose(*whole, atol=1e-3)


def test_without_cross_attention_the_source_does_not_arrive(model):
    with cut_attention(model, ["cross"]):
        torch.testing.assert_close(model(ONE, ONE), model(OTHER, ONE))
    assert not torch.allclose(model(ONE, ONE), model(OTHER, ONE), atol=1e-3)


@pytest.mark.parametrize("cut", CUTS)
def test_a_cut_changes_the_model_and_leaves_no_trace(model, cut):
    before = model(ONE, OTHER)
    with cut_attention(model, [cut]):
        assert not torch.allclose(model(ONE, OTHER), before, atol=1e-3)
    with pytest.raises(KeyError), cut_attention(model, [cut]):
        raise KeyError
    torch.testing.assert_close(model(ONE, OTHER), before, rtol=0, atol=0)


def test_nothing_cut_is_the_translator_as_it_is():
    small, task = talker()
    source = task.read("I love her", "they know him")
    assert written_with_cuts(small, task, source) == [
        ("나는", "그녀를", "사랑한다"),
        ("그들은", "그를", "안다"),
    ]


def test_rows_of_the_memory_may_come_in_any_order(model):
    """Positions are inside the rows: cross-attention is the same average whatever the order."""
    memory = model.encode(ONE)
    shuffled = memory[:, torch.tensor([2, 0, 3, 1])]
    torch.testing.assert_close(model.decode(OTHER, memory), model.decode(OTHER, shuffled))
    assert not torch.allclose(model.decode(OTHER, memory), model.decode(OTHER, 0 * memory))


def test_unknown_cuts_and_single_stacks_are_refused(model):
    with pytest.raises(ValueError, match="must be some of"), cut_attention(model, ["look ahead"]):
        pass
    alone = Transformer(TransformerConfig.tiny(vocabulary=30, stacks="decoder"))
    with pytest.raises(ValueError, match="both stacks"), cut_attention(alone, []):
        pass
