"""Tracing: everything named is recorded, the outputs stay, and afterwards nothing is left."""

import pytest
import torch
from torch import nn

from tests.conftest import seeded
from tutor.mask import causal_keep
from tutor.models.seq2seq import Seq2Seq, Seq2SeqConfig
from tutor.models.tracing import trace
from tutor.multi_head import MultiHeadAttention
from tutor.transformer import Transformer, TransformerConfig

SOURCE, TARGET = torch.tensor([[5, 6, 7, 8, 3]]), torch.tensor([[2, 4, 9]])


def transformer(**changes) -> Transformer:
    torch.manual_seed(0)
    settings = {"layers": 2, "d_model": 24, "d_ff": 40, "heads": 3} | changes
    return Transformer(TransformerConfig(vocabulary=11, **settings)).eval()


def test_every_module_that_ran_is_recorded_and_attention_shows_its_weights():
    model = transformer()
    with trace(model) as t:
        output = model(SOURCE, TARGET)
    callable_paths = {path for path, module in model.named_modules() if path} - {
        path for path, module in model.named_modules() if isinstance(module, nn.ModuleList)
    }
    assert callable_paths <= {record.path for record in t}
    assert torch.equal(t["model"], output)
    for path, shape in {
        "encoder.layers.1.self_attention.weights": (1, 3, 5, 5),
        "decoder.layers.0.self_attention.weights": (1, 3, 3, 3),
        "decoder.layers.1.cross_attention.weights": (1, 3, 3, 5),
        "encoder.layers.0.feed_forward.activation": (1, 5, 40),
        "embedding": (1, 5, 24),
        "embedding#2": (1, 3, 24),
    }.items():
        assert t[path].shape == shape, path


def test_recorded_tensors_are_those_of_the_computation():
    model = transformer()
    with trace(model) as t:
        model(SOURCE, TARGET)
    layer = model.decoder.layers[0]
    x = t["target_input"]
    expected, weights = layer.self_attention(x, keep=causal_keep(3), need_weights=True)
    assert torch.equal(t["decoder.layers.0.self_attention"], expected)
    assert torch.equal(t["decoder.layers.0.self_attention.weights"], weights)
    torch.testing.assert_close(
        t["decoder.layers.0.norm_self"], layer.norm_self(x + expected), rtol=0, atol=1e-6
    )
    assert torch.equal(t["encoder"], t["encoder.layers.1"])


def test_tracing_changes_no_output_and_leaves_nothing_behind():
    model = transformer()
    before = model(SOURCE, TARGET)
    with trace(model) as t:
        during = model(SOURCE, TARGET)
    recorded = len(t)
    after = model(SOURCE, TARGET)
    torch.testing.assert_close(during, before, rtol=0, atol=1e-5)
    assert torch.equal(after, before)
    assert len(t) == recorded
    for module in model.modules():
        assert not module._forward_hooks
        assert not module._forward_pre_hooks


def test_hooks_go_even_when_the_block_fails():
    model = transformer()
    with pytest.raises(ZeroDivisionError), trace(model):
        raise ZeroDivisionError
    assert not any(module._forward_hooks for module in model.modules())


def test_later_calls_are_numbered():
    model = transformer()
    memory, cache = model.encode(SOURCE), model.new_cache()
    with trace(model.decoder) as t:
        for step in range(3):
            model.decode(TARGET[:, step : step + 1], memory, cache=cache)
    shapes = [t[f"layers.0.self_attention.weights{call}"].shape for call in ("", "#2", "#3")]
    assert shapes == [(1, 3, 1, 1), (1, 3, 1, 2), (1, 3, 1, 3)]


def test_gradients_still_flow_and_records_stay_out_of_them():
    model = transformer()
    with trace(model) as t:
        model(SOURCE, TARGET).sum().backward()
    assert model.embedding.table.grad.abs().max() > 0
    assert not any(record.tensor.requires_grad for record in t)


def test_asked_for_in_order_or_by_name_attention_is_traced_alike():
    attention = MultiHeadAttention(8, 2)
    x = torch.randn(1, 3, 8, generator=seeded(0))
    for call in (
        lambda: attention(x),
        lambda: attention(x, None, None, None, False),
        lambda: attention(x_q=x, need_weights=False),
    ):
        with trace(attention) as t:
            call()
        assert t["model.weights"].shape == (1, 2, 3, 3)


@pytest.mark.parametrize("attention", ["none", "additive", "dot"])
def test_recurrent_models_are_traced_too(attention):
    model = Seq2Seq(Seq2SeqConfig(vocabulary=11, d_model=8, hidden=12, attention=attention)).eval()
    with trace(model) as t:
        output = model(SOURCE, TARGET)
    assert torch.equal(t["model"], output)
    states, last = t["decoder[0]"], t["decoder[1]"]
    assert states.shape == (1, 3, 12)
    assert torch.equal(states[:, -1], last)
    assert t["attention[1]"].shape == (1, 3, 1 if attention == "none" else 5)


def test_torchs_own_modules_are_traced_whatever_they_return():
    class Parts(nn.Module):
        def forward(self, x):
            return {"twice": [x, 2 * x], "none": None}

    with trace(Parts()) as t:
        t.model(torch.ones(2))
    assert [record.path for record in t] == ["model.twice[0]", "model.twice[1]"]


def test_the_table_lists_all_or_one_part_in_order():
    model = transformer(layers=11, d_model=6)
    with trace(model) as t:
        model(SOURCE, TARGET)
    lines = t.table().splitlines()
    assert len(lines) == len(t) + 1
    assert lines[0].split() == ["path", "made", "by", "shape"]
    assert lines[1].split(maxsplit=2) == ["embedding", "TokenEmbedding", "(1, 5, 6)"]
    part = t.table(under="encoder.layers.1").splitlines()[1:]
    assert all(line.startswith("encoder.layers.1") for line in part)
    assert not any(line.startswith("encoder.layers.10") for line in part)
    assert part[-1].split()[:2] == ["encoder.layers.1", "EncoderLayer"]


def test_an_unknown_path_names_its_neighbours():
    model = transformer()
    with trace(model) as t:
        model(SOURCE, TARGET)
    with pytest.raises(KeyError, match=r"'encoder.weights'.*encoder.layers.0.self_attention.weig"):
        t["encoder.weights"]
