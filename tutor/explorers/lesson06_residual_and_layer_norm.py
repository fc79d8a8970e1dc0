"""The live pictures of lesson 6: gradients in deep stacks, shared means, one row normalised."""

from collections.abc import Callable
from functools import cache
from typing import Any

import torch
from matplotlib.colors import to_rgb
from matplotlib.figure import Figure
from torch import Tensor, nn

from tutor.display.explorer import Explorer, Update, live
from tutor.display.palette import HIGHLIGHT, INK, NEUTRAL, SERIES, colour_map
from tutor.layers import FeedForward, LayerNorm, Residual, layer_norm

DEPTHS = (2, 4, 8, 16, 32)
_D_MODEL, _D_FF, _TOKENS = 32, 64, 16


class Plain(nn.Module):
    """A sub-layer without a residual connection: only what it found goes on."""

    def forward(self, x: Tensor, sub_layer: Callable[[Tensor], Tensor]) -> Tensor:
        """Run the sub-layer on x."""
        return sub_layer(x)


class Added(nn.Module):
    """A sub-layer with a residual connection and nothing else."""

    def forward(self, x: Tensor, sub_layer: Callable[[Tensor], Tensor]) -> Tensor:
        """Run the sub-layer on x and add what it found."""
        return x + sub_layer(x)


class Normed(nn.Module):
    """A sub-layer without a residual connection, followed by a layer norm."""

    def __init__(self) -> None:
        super().__init__()
        self.norm = LayerNorm(_D_MODEL)

    def forward(self, x: Tensor, sub_layer: Callable[[Tensor], Tensor]) -> Tensor:
        """Run the sub-layer on x and normalise what it found."""
        return self.norm(sub_layer(x))


WAYS: dict[str, Callable[[], nn.Module]] = {
    "no residual, no norm": Plain,
    "no residual, norm": Normed,
    "residual, no norm": Added,
    "residual, post-norm": lambda: Residual(_D_MODEL, norm="post"),
    "residual, pre-norm": lambda: Residual(_D_MODEL, norm="pre"),
}


@cache
def gradient_norms(way: str, depth: int, seed: int = 6) -> tuple[float, ...]:
    """Measure the gradient that reaches the stream below each of `depth` feed-forward layers.

    The layers are at their initialisation; the gradient at the top is of length 1. Entry 0 lies
    below the first layer, the last entry above the last layer.

    Example:
        >>> norms = gradient_norms("residual, pre-norm", depth=4)
        >>> len(norms), round(norms[-1], 3)
        (5, 1.0)
    """
    with torch.inference_mode(False), torch.enable_grad(), torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        layers = [(WAYS[way](), FeedForward(_D_MODEL, _D_FF)) for _ in range(depth)]
        stream = [torch.randn(1, _TOKENS, _D_MODEL, requires_grad=True)]
        for around, sub_layer in layers:
            stream.append(around(stream[-1], sub_layer))  # (1, T, D)
        top = torch.randn_like(stream[-1])
        gradients = torch.autograd.grad(stream[-1], stream, top / top.norm())
    return tuple(gradient.norm().item() for gradient in gradients)


def depth_and_gradients() -> Explorer:
    """Show how much of a gradient arrives below each layer of a deep stack."""

    def draw(fig: Figure, **_start: Any) -> Update:
        ax = fig.subplots()
        curves = {}
        for way, colour in zip(WAYS, (HIGHLIGHT, SERIES[1], NEUTRAL, SERIES[0], INK)):
            (curves[way],) = ax.plot([], [], marker=".", color=colour, label=way)
        ax.set(
            xlim=(-0.5, max(DEPTHS) + 0.5),
            ylim=(1e-22, 1e4),
            yscale="log",
            xlabel="layers below (0: the input)",
            title="Size of the gradient of the stream, 1 at the top",
        )
        ax.grid(visible=True)
        ax.legend(loc="lower right")

        def update(depth: int, way: str) -> str:
            for name, curve in curves.items():
                norms = gradient_norms(name, depth)
                curve.set_data(range(depth + 1), list(norms))
                curve.set_linewidth(3.0 if name == way else 1.0)
            arrives = gradient_norms(way, depth)[0]
            return f"{way}, {depth} layers: {arrives:.1e} of the gradient reaches the input"

        return update

    return live(
        draw,
        alt=(
            "Without residual and norm the gradient shrinks by about the same factor in each "
            "layer, a straight line down on the logarithmic axis. The four curves with a residual, "
            "a norm or both stay near 1."
        ),
        depth=(list(DEPTHS), 16),
        way=(list(WAYS), "no residual, no norm"),
    )


_B, _T, _D = 3, 4, 6
_LENGTHS = (4, 2, 3)  # real tokens of the three sentences


def cells_that_share(norm: str, sentence: int, token: int, feature: int) -> Tensor:
    """Mark the cells of x (3 sentences, 4 places, 6 features) whose mean the given cell shares.

    Example:
        >>> int(cells_that_share("layer norm", 0, 1, 2).sum())
        6
        >>> int(cells_that_share("batch norm", 0, 1, 2).sum())
        12
    """
    shared = torch.zeros(_B, _T, _D, dtype=torch.bool)
    if norm == "layer norm":
        shared[sentence, token] = True
    elif norm == "batch norm":
        shared[:, :, feature] = True
    else:  # over a whole sentence
        shared[sentence] = True
    return shared


def who_shares_a_mean() -> Explorer:
    """Show which numbers of a batch are averaged together by which norm."""
    x = torch.randn(_B, _T, _D, generator=torch.Generator().manual_seed(6))
    for sentence, length in enumerate(_LENGTHS):
        x[sentence, length:] = 0.0  # padding
    means = {"layer norm": _B * _T, "batch norm": _D, "over a whole sentence": _B}

    def draw(fig: Figure, **_start: Any) -> Update:
        panels = fig.subplots(1, _B)
        tints, marks = [], []
        for sentence, ax in enumerate(panels):
            ax.imshow(x[sentence], cmap=colour_map("signed"), vmin=-3, vmax=3, alpha=0.35)
            tints.append(ax.imshow(torch.zeros(_T, _D, 4), interpolation="nearest"))
            (mark,) = ax.plot([], [], marker="s", markersize=12, fillstyle="none", color=INK)
            marks.append(mark)
            for place in range(_LENGTHS[sentence], _T):
                ax.text(_D / 2 - 0.5, place, "padding", ha="center", va="center", color=NEUTRAL)
            ax.set(title=f"sentence {sentence + 1}", xlabel="feature")
            ax.set_xticks(range(_D), [str(n + 1) for n in range(_D)])
            ax.set_yticks(range(_T), [str(n + 1) for n in range(_T)])
        panels[0].set_ylabel("place")

        def update(norm: str, sentence: int, place: int, feature: int) -> str:
            cell = sentence - 1, place - 1, feature - 1
            shared = cells_that_share(norm, *cell)
            for number, (tint, mark) in enumerate(zip(tints, marks)):
                colour = torch.tensor([*to_rgb(SERIES[0]), 0.9])
                tint.set_data((shared[number].unsqueeze(-1) * colour).numpy())
                here = number == cell[0]
                mark.set_data([cell[2]] if here else [], [cell[1]] if here else [])
            padded = sum(
                int(shared[number, length:].sum()) for number, length in enumerate(_LENGTHS)
            )
            return (
                f"{norm}: {means[norm]} means; this one is over {int(shared.sum())} numbers, "
                f"{padded} of them padding"
            )

        return update

    return live(
        draw,
        alt=(
            "Three sentences as tables of places and features, the last places of two of them "
            "padding, with one cell marked. The cells that share its mean are blue: for layer norm "
            "its row, for batch norm its column through all sentences and their padding."
        ),
        size=(8.0, 3.2),
        kept={"feature": [1, 3, 6]},
        norm=(list(means), "layer norm"),
        sentence=(1, _B, 1, 2),
        place=(1, _T, 1, 1),
        feature=(1, _D, 1, 3),
    )


_ROW = torch.tensor([1.0, 2.0, 3.0, 6.0, 4.0, 2.0])


def one_row() -> Explorer:
    """Show what layer norm makes of one token, and what gamma, beta and epsilon do to it."""

    def draw(fig: Figure, **_start: Any) -> Update:
        before, after = fig.subplots(1, 2)
        places = range(1, len(_ROW) + 1)
        ins = before.bar(places, torch.zeros(len(_ROW)), color=NEUTRAL)
        outs = after.bar(places, torch.zeros(len(_ROW)), color=SERIES[0])
        (level,) = before.plot([0.5, len(_ROW) + 0.5], [0, 0], color=INK, linestyle="--")
        (centre,) = after.plot([0.5, len(_ROW) + 0.5], [0, 0], color=INK, linestyle="--")
        before.set(title="the token", ylim=(-4, 18), xlabel="feature")
        after.set(title="after layer norm", ylim=(-7, 7), xlabel="feature")

        def update(spread: float, shift: float, gamma: float, beta: float, epsilon: float) -> str:
            row = (_ROW - _ROW.mean()) * spread + _ROW.mean() + shift
            scale, offset = torch.full((6,), gamma), torch.full((6,), beta)
            normed = layer_norm(row, scale, offset, epsilon)
            for bars, heights in ((ins, row), (outs, normed)):
                for bar, height in zip(bars, heights.tolist()):
                    bar.set_height(height)
            level.set_ydata([row.mean(), row.mean()])
            centre.set_ydata([normed.mean(), normed.mean()])
            return f"in: {_mean_and_spread(row)}; out: {_mean_and_spread(normed)}"

        return update

    return live(
        draw,
        alt=(
            "Bars of one token before and after layer norm. Whatever the token's mean and spread, "
            "the bars on the right keep their pattern, with mean beta and a spread close to gamma "
            "unless epsilon is large beside the variance."
        ),
        size=(8.0, 3.2),
        labels={"epsilon": "ε", "gamma": "γ", "beta": "β"},
        kept={
            "spread": [0.0, 2.0],
            "shift": [5.0],
            "gamma": [0.5, 2.0],
            "beta": [3.0],
            "epsilon": [10.0],
        },
        spread=(0.0, 2.0, 0.25, 1.0),
        shift=(-2.0, 8.0, 1.0, 0.0),
        gamma=(0.0, 2.0, 0.25, 1.0),
        beta=(-3.0, 3.0, 0.5, 0.0),
        epsilon=([1e-5, 0.01, 0.1, 1.0, 10.0], 1e-5),
    )


def _mean_and_spread(row: Tensor) -> str:
    mean = round(row.mean().item(), 2) + 0.0  # no minus before a zero
    return f"mean {mean:.2f}, spread {row.std(correction=0):.2f}"


EXPLORERS = (depth_and_gradients, who_shares_a_mean, one_row)
