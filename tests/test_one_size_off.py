"""Components refuse shapes that do not fit, where they would broadcast to numbers without meaning.

Each argument of each component is made one size off, in each axis, and given an axis more or less.
Whether that still means something is asked of the annotations, which the tests enforce; a
learner's kernel does not, so there the component itself must refuse.
"""

import inspect
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import torch
from jaxtyping import TypeCheckError, config
from torch import Tensor, nn

from tests.conftest import seeded
from tutor import (
    attention,
    embedding,
    layers,
    loss,
    mask,
    multi_head,
    output,
    position,
    rnn,
    stacks,
    transformer,
)
from tutor.config import TransformerConfig

SMALL: dict[str, Any] = {"layers": 1, "d_model": 6, "d_ff": 8, "heads": 2, "dropout": 0.0}


def numbers(*shape: int) -> Tensor:
    return torch.randn(*shape, generator=seeded(0))


def ids(*shape: int) -> Tensor:
    return torch.randint(1, 5, shape, generator=seeded(0))


def everywhere(*shape: int) -> Tensor:
    return torch.ones(shape, dtype=torch.bool)


def made(call: Callable[..., Any], **arguments: Any) -> tuple[Callable[..., Any], dict[str, Any]]:
    return call, arguments


def components() -> dict[str, tuple[Callable[..., Any], dict[str, Any]]]:
    settings = TransformerConfig(vocabulary=7, **SMALL)
    q, k, v = numbers(2, 3, 4), numbers(2, 5, 4), numbers(2, 5, 6)
    weights = {"W_q": numbers(9, 4), "W_k": numbers(9, 4), "w": numbers(9)}
    x, gamma = numbers(2, 5, 6), numbers(6)
    x_kv = numbers(2, 4, 6)
    recurrent = {"W_ih": numbers(12, 6), "W_hh": numbers(12, 4)}
    return {
        "dot_product_scores": made(attention.dot_product_scores, q=q, k=k),
        "additive_scores": made(attention.additive_scores, q=q, k=k, **weights),
        "attend": made(attention.attend, scores=q @ k.mT, v=v, keep=everywhere(2, 3, 5)),
        "scaled": made(
            attention.scaled_dot_product_attention, q=q, k=k, v=v, keep=everywhere(2, 3, 5)
        ),
        "fused": made(
            attention.fused_scaled_dot_product_attention, q=q, k=k, v=v, keep=everywhere(2, 3, 5)
        ),
        "fused without a mask": made(attention.fused_scaled_dot_product_attention, q=q, k=k, v=v),
        "additive": made(attention.additive_attention, q=q, k=k, v=v, **weights),
        "split_heads": made(multi_head.split_heads, x=x, heads=2),
        "merge_heads": made(multi_head.merge_heads, x=numbers(2, 3, 5, 4)),
        "MultiHeadAttention": made(
            multi_head.MultiHeadAttention(6, 2), x_q=x, x_kv=x_kv, keep=everywhere(2, 2, 5, 4)
        ),
        "MultiHeadAttention, self": made(multi_head.MultiHeadAttention(6, 2), x_q=x),
        "layer_norm": made(layers.layer_norm, x=x, gamma=gamma, beta=gamma),
        "rms_norm": made(layers.rms_norm, x=x, gamma=gamma),
        "LayerNorm": made(layers.LayerNorm(6), x=x),
        "RMSNorm": made(layers.RMSNorm(6), x=x),
        "FeedForward": made(layers.FeedForward(6, 8), x=x),
        "Residual, post": made(
            layers.Residual("post"), x=x, sub_layer=torch.tanh, norm=layers.LayerNorm(6)
        ),
        "Residual, pre": made(
            layers.Residual("pre"), x=x, sub_layer=torch.tanh, norm=layers.LayerNorm(6)
        ),
        "add_positions": made(position.add_positions, x=x, encoding=numbers(9, 6)),
        "concatenate_positions": made(position.concatenate_positions, x=x, encoding=numbers(9, 4)),
        "SinusoidalPositions": made(position.SinusoidalPositions(9, 6), x=x),
        "LearnedPositions": made(position.LearnedPositions(9, 6), x=x),
        "rotate_by_position": made(
            position.rotate_by_position, x=x, positions=torch.tensor([0, 1, 2, 3, 4])
        ),
        "one_hot_lookup": made(embedding.one_hot_lookup, ids=ids(2, 5), table=numbers(7, 6)),
        "embed": made(embedding.embed, ids=ids(2, 5), table=numbers(7, 6), pad_id=0),
        "TokenEmbedding": made(embedding.TokenEmbedding(7, 6), ids=ids(2, 5)),
        "cosine_similarities": made(
            embedding.cosine_similarities, query=numbers(6), table=numbers(7, 6)
        ),
        "nearest_neighbours": made(
            embedding.nearest_neighbours, query=numbers(6), table=numbers(7, 6), k=2
        ),
        "padding_keep": made(mask.padding_keep, ids=ids(2, 5), pad_id=0),
        "tied_logits": made(output.tied_logits, h=x, table=numbers(7, 6)),
        "sequence_cross_entropy": made(
            loss.sequence_cross_entropy, logits=numbers(2, 5, 7), labels=ids(2, 5), pad_id=0
        ),
        "smoothed_cross_entropy": made(
            loss.smoothed_cross_entropy,
            logits=numbers(2, 5, 7),
            labels=ids(2, 5),
            pad_id=0,
            epsilon=0.1,
        ),
        "smooth_labels": made(
            loss.smooth_labels, labels=ids(5), vocabulary=7, epsilon=0.1, pad_id=0
        ),
        "rnn_forward": made(
            rnn.rnn_forward,
            x=x,
            h0=numbers(2, 4),
            W_ih=numbers(4, 6),
            W_hh=numbers(4, 4),
            b_ih=numbers(4),
            b_hh=numbers(4),
        ),
        "lstm_gates": made(
            rnn.lstm_gates,
            x=x[0, :2],
            h=numbers(2, 3),
            W_ih=numbers(12, 6),
            W_hh=numbers(12, 3),
            b=numbers(12),
        ),
        "lstm_step": made(
            rnn.lstm_step,
            x=x[0, :2],
            h=numbers(2, 3),
            c=numbers(2, 3),
            W_ih=numbers(12, 6),
            W_hh=numbers(12, 3),
            b=numbers(12),
        ),
        "gru_step": made(
            rnn.gru_step,
            x=x[0, :2],
            h=numbers(2, 4),
            b_ih=numbers(12),
            b_hh=numbers(12),
            **recurrent,
        ),
        "last_real_state": made(rnn.last_real_state, outputs=x, lengths=torch.tensor([2, 5])),
        "RNN": made(rnn.RNN(6, 4), x=x, h0=numbers(2, 4)),
        "LSTM": made(rnn.LSTM(6, 4), x=x, h0=numbers(2, 4), c0=numbers(2, 4)),
        "GRU": made(rnn.GRU(6, 4), x=x, h0=numbers(2, 4)),
        "EncoderLayer": made(stacks.EncoderLayer(settings), x=x, keep=everywhere(2, 1, 1, 5)),
        "DecoderLayer": made(
            stacks.DecoderLayer(settings),
            x=x,
            memory=x_kv,
            keep=everywhere(2, 1, 5, 5),
            memory_keep=everywhere(2, 1, 1, 4),
        ),
        "Transformer": made(transformer.Transformer(settings), source=ids(2, 5), target=ids(2, 4)),
        "Transformer.encode": made(
            transformer.Transformer(settings).encode, source=ids(2, 5), keep=everywhere(2, 1, 1, 5)
        ),
        "Transformer.logits": made(transformer.Transformer(settings).logits, states=x),
    }


COMPONENTS = components()


def changed_shapes(tensor: Tensor) -> Iterator[tuple[int, ...]]:
    """Every shape one step away: an axis longer, shorter, of size 1, an axis more, an axis less."""
    shape = tuple(tensor.shape)
    for axis, size in enumerate(shape):
        for other in {size + 1, size - 1, 1} - {size, 0}:
            yield (*shape[:axis], other, *shape[axis + 1 :])
        yield (*shape[:axis], *shape[axis + 1 :])
    for axis in range(len(shape) + 1):
        yield (*shape[:axis], 1, *shape[axis:])


def filled(tensor: Tensor, shape: tuple[int, ...]) -> Tensor:
    """The tensor's own numbers, repeated as often as the shape needs."""
    count = torch.Size(shape).numel()
    return tensor.flatten().repeat(count // tensor.numel() + 1)[:count].view(shape)


def is_annotated_away(call: Callable[..., Any], arguments: dict[str, Any]) -> bool:
    """Whether the annotations say that these shapes do not fit together."""
    method = call.forward if isinstance(call, nn.Module) else call
    fitted = Path(method.__code__.co_filename).name == "shapes.py"  # its own check comes first
    try:
        method.__wrapped__(*bound_to(call), **arguments) if fitted else call(**arguments)
    except TypeCheckError:
        return True
    except (ValueError, RuntimeError, IndexError, TypeError):
        pass
    return False


def bound_to(call: Callable[..., Any]) -> tuple[nn.Module, ...]:
    """What a method's function wants first."""
    if isinstance(call, nn.Module):
        return (call,)
    return (call.__self__,) if inspect.ismethod(call) else ()


def is_refused(call: Callable[..., Any], arguments: dict[str, Any]) -> bool:
    """Whether the component itself refuses, with the annotations off as for a learner."""
    config.update("jaxtyping_disable", True)
    try:
        call(**arguments)
    except (ValueError, RuntimeError, IndexError, TypeError):
        return True
    finally:
        config.update("jaxtyping_disable", False)
    return False


@pytest.mark.parametrize("name", COMPONENTS)
def test_no_shape_broadcasts_by_accident(name):
    call, arguments = COMPONENTS[name]
    assert not is_annotated_away(call, arguments)
    assert not is_refused(call, arguments)
    taken, refused = [], 0
    for changed, tensor in arguments.items():
        if not isinstance(tensor, Tensor):
            continue
        for shape in changed_shapes(tensor):
            trial = arguments | {changed: filled(tensor, shape)}
            if is_refused(call, trial):
                refused += 1
            elif is_annotated_away(call, trial):
                taken.append((changed, shape))
    assert refused, "no change was refused at all"
    assert not taken


@pytest.mark.usefixtures("unchecked_shapes")
@pytest.mark.parametrize("ids", [[[3, -1]], [[0, 7]]], ids=["below", "beyond"])
def test_ids_without_a_row_are_refused(ids):
    ids = torch.tensor(ids)
    for look_up in (
        embedding.TokenEmbedding(7, 6),
        lambda ids: embedding.embed(ids, numbers(7, 6), 0),
    ):
        with pytest.raises(IndexError, match="from 0 to 6, for a table of 7 rows"):
            look_up(ids)


@pytest.mark.usefixtures("unchecked_shapes")
def test_a_padding_mask_of_two_axes_is_not_taken_for_queries_by_keys():
    model = transformer.Transformer(TransformerConfig(vocabulary=7, **SMALL))
    with pytest.raises(ValueError, match=r"keep \(#batch, #heads, #source, source\)"):
        model.encode(ids(5, 5), keep=everywhere(5, 5))
    with pytest.raises(ValueError, match=r"all but the last may be 1; it has shape \(2, 5, 5\)"):
        multi_head.MultiHeadAttention(6, 2)(numbers(2, 5, 6), keep=everywhere(2, 5, 5))


@pytest.mark.usefixtures("unchecked_shapes")
@pytest.mark.parametrize("sizes", [{"heads": 0}, {"heads": -2}, {"d_k": 0}, {"key_value_heads": 0}])
def test_sizes_that_make_no_attention_are_refused(sizes):
    with pytest.raises(ValueError, match="must be a whole number from 1 on"):
        multi_head.MultiHeadAttention(**{"d_model": 6, "heads": 2, **sizes})
