"""Measure the paper's Table 1, for lesson 1: time, steps in a row and way of a signal by length.

Run it as `python tools/results/table1.py`; it writes tutor/data/results/table1.json.
"""

from collections.abc import Callable
from typing import Any

import stored  # first: it makes the package importable
import torch
import torch.nn.functional as F
from torch import Tensor, nn

from tutor.attention import scaled_dot_product_attention
from tutor.multi_head import MultiHeadAttention
from tutor.rnn import RNN, rnn_forward

SEED, WIDTH, KERNEL = 1, 64, 3
TOKENS = 2048  # in a batch, whatever the length
LENGTHS = [64, 128, 256, 512, 1024, 2048]
SHORT = [4, 8, 16, 32, 64]
Layer = Callable[[Tensor], Tensor]


def layers() -> dict[str, Layer]:
    """Make one layer of each kind, from (1, n, WIDTH) to the same."""
    torch.manual_seed(SEED)
    rnn = RNN(WIDTH, WIDTH)
    convolution = nn.Conv1d(WIDTH, WIDTH, KERNEL, padding=KERNEL // 2)
    return {
        "recurrent": lambda x: rnn(x)[0],
        "self-attention": lambda x: scaled_dot_product_attention(x, x, x)[0],
        "convolution": lambda x: convolution(x.transpose(1, 2)).transpose(1, 2),
    }


def timed_layers() -> dict[str, Layer]:
    """Make one whole layer of each kind, as one would train it."""
    torch.manual_seed(SEED)
    rnn, lstm = nn.RNN(WIDTH, WIDTH, batch_first=True), nn.LSTM(WIDTH, WIDTH, batch_first=True)
    attention = MultiHeadAttention(WIDTH, heads=4)
    convolution = nn.Conv1d(WIDTH, WIDTH, KERNEL, padding=KERNEL // 2)
    return {
        "RNN": lambda x: rnn(x)[0],
        "LSTM": lambda x: lstm(x)[0],
        "self-attention": lambda x: attention(x)[0],
        "convolution": lambda x: convolution(x.transpose(1, 2)).transpose(1, 2),
    }


def longest_chain(output: Tensor) -> int:
    """Count the operations of a graph that can only run one after the other."""
    depth: dict[Any, int] = {}
    waiting = [output.grad_fn]
    while waiting:
        node = waiting[-1]
        before = [parent for parent, _ in node.next_functions if parent is not None]
        unknown = [parent for parent in before if parent not in depth]
        if unknown:
            waiting.extend(unknown)
        else:
            depth[node] = 1 + max((depth[parent] for parent in before), default=0)
            waiting.pop()
    return depth[output.grad_fn]


def sequential_operations(layer: Layer, length: int) -> int:
    """Operations in a row over a sentence, beyond those for a sentence of one word."""
    chains = [
        longest_chain(layer(torch.randn(1, n, WIDTH, requires_grad=True))) for n in (length, 1)
    ]
    return chains[0] - chains[1]


def recurrent_path(length: int) -> int:
    """State updates that the first word goes through on its way to the last output."""
    first = torch.randn(1, 1, WIDTH, requires_grad=True)
    rnn = RNN(WIDTH, WIDTH).requires_grad_(False)
    _, h = rnn(first)
    for _ in range(length - 1):
        weights = (rnn.W_ih, rnn.W_hh, rnn.b_ih, rnn.b_hh)
        _, h = rnn_forward(torch.randn(1, 1, WIDTH), h, *weights)
    updates, node = 0, h.grad_fn
    while node is not None:
        updates += node.name() == "TanhBackward0"
        node = next((parent for parent, _ in node.next_functions if parent is not None), None)
    return updates


def layers_until_felt(length: int, layer: Callable[[Tensor, int], Tensor]) -> int:
    """Layers to be stacked until the last output depends on the first word at all."""
    x = torch.rand(1, 1, length, dtype=torch.float64, requires_grad=True)
    y, stacked = x, 0
    while True:
        y, stacked = layer(y, stacked), stacked + 1
        (gradient,) = torch.autograd.grad(y[0, 0, -1], x, retain_graph=True)
        if gradient[0, 0, 0] != 0:
            return stacked


def mean_of_three(x: Tensor, spacing: int) -> Tensor:
    """Convolve with a kernel of three equal weights, so many places apart."""
    kernel = torch.full((1, 1, KERNEL), 1 / KERNEL, dtype=x.dtype)
    return F.conv1d(x, kernel, padding=spacing, dilation=spacing)


def measure(reduced: bool) -> dict[str, Any]:
    """Take all measurements."""
    lengths, seconds = (LENGTHS[:3], 0.02) if reduced else (LENGTHS, 0.5)
    times: dict[str, list[float]] = {}
    for name, layer in timed_layers().items():
        times[name] = [
            stored.milliseconds(lambda x=x, layer=layer: layer(x).sum().backward(), seconds)
            for x in (torch.randn(TOKENS // n, n, WIDTH, requires_grad=True) for n in lengths)
        ]
    return {
        "width": WIDTH,
        "tokens": TOKENS,
        "lengths": lengths,
        "milliseconds": times,
        "short lengths": SHORT,
        "sequential operations": {
            name: [sequential_operations(layer, n) for n in SHORT]
            for name, layer in layers().items()
        },
        "path": {
            "recurrent": [recurrent_path(n) for n in SHORT],
            "self-attention": [
                layers_until_felt(
                    n,
                    lambda x, _: scaled_dot_product_attention(
                        x.transpose(1, 2), x.transpose(1, 2), x.transpose(1, 2)
                    )[0].transpose(1, 2),
                )
                for n in SHORT
            ],
            "convolution": [layers_until_felt(n, lambda x, _: mean_of_three(x, 1)) for n in SHORT],
            "dilated convolution": [
                layers_until_felt(n, lambda x, depth: mean_of_three(x, 2**depth)) for n in SHORT
            ],
        },
    }


if __name__ == "__main__":
    stored.main(
        "table1",
        "one layer, float32, 2,048 words in sentences of one length, forward and backward: "
        "processor time of the best run by length; "
        "operations that must wait for each other; steps a signal takes from first to last word",
        SEED,
        measure,
    )
