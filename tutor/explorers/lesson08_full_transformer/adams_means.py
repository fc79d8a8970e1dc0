"""One weight's gradient, Adam's two running means of it, and the steps that come out (lesson 8)."""

from typing import NamedTuple

import torch
from matplotlib.figure import Figure
from torch import Tensor

from tutor.display.palette import INK, NEUTRAL, SERIES
from tutor.display.plots import Picture
from tutor.display.style import SMALL
from tutor.say import say

STEPS = 60
_TARGET, _RATE, _BATCH = 3.0, 0.1, 8
_BETAS = (0.9, 0.98)  # the paper's, section 5.3


class LearnedWeight(NamedTuple):
    """A weight's training by Adam, a number a step.

    Attributes:
        gradient: as each batch gave it.
        mean: its running mean, corrected for its start at 0.
        size: the root of the running mean of its squares, corrected likewise.
    """

    gradient: Tensor
    mean: Tensor
    size: Tensor

    @property
    def step(self) -> Tensor:
        """How far each step goes, in units of the learning rate."""
        return self.mean / self.size


def learn_one_weight() -> LearnedWeight:
    """Let Adam find the weight w of y = w x from batches of eight noisy pairs; w is 3.

    Example:
        >>> learn_one_weight().step[0].item()  # the first step is as long as the rate, always
        1.0

    Source: Kingma and Ba 2015, algorithm 1.
    """
    generator = torch.Generator().manual_seed(3)
    w = m = v = torch.zeros((), dtype=torch.float64)
    rows = []
    for t in range(1, STEPS + 1):
        x, noise = torch.randn(2, _BATCH, generator=generator, dtype=torch.float64)
        g = (2 * (w * x - (_TARGET * x + 3 * noise)) * x).mean()
        m, v = _BETAS[0] * m + (1 - _BETAS[0]) * g, _BETAS[1] * v + (1 - _BETAS[1]) * g**2
        mean, size = m / (1 - _BETAS[0] ** t), (v / (1 - _BETAS[1] ** t)).sqrt()
        w = w - _RATE * mean / size
        rows.append(torch.stack([g, mean, size]))
    gradient, means, sizes = torch.stack(rows).T
    return LearnedWeight(-gradient, -means, sizes)  # downhill is up


def adams_means() -> Picture:
    """Draw a weight's gradient with Adam's two running means, and the steps they give."""
    learned = learn_one_weight()
    steps = range(1, STEPS + 1)

    def draw(fig: Figure) -> str:
        left, right = fig.subplots(1, 2, width_ratios=[1.4, 1])
        left.scatter(steps, learned.gradient, s=12, color=NEUTRAL, label=say("−gradient"))
        left.plot(steps, learned.mean, color=SERIES[0], label=say("m: its running mean"))
        label = say("√v: root of the running mean of its square")
        left.plot(steps, learned.size, color=SERIES[2], linestyle="--", label=label)
        top = learned.gradient.max().item()
        left.set(title=say("one weight, batch by batch"), ylim=(None, 1.65 * top))
        left.legend(loc="upper right", fontsize=SMALL)
        right.plot(steps, learned.step, color=INK)
        right.set(title=say("step in units of the rate: m / √v"), ylim=(-0.25, 1.15))
        for ax in (left, right):
            ax.axhline(0, color=NEUTRAL, linewidth=0.8)
            ax.set_xlabel(say("step"))
            ax.grid(visible=True)
        first, last = learned.step[0].item(), learned.step[-10:].abs().mean().item()
        return say(
            "The first step is {first} of the rate, the last ten are {last} on average.",
            first=f"{first:.2f}",
            last=f"{last:.2f}",
        )

    return Picture(
        draw,
        alt=say(
            "Left, a weight's gradients as scattered dots, with a smooth running mean that falls "
            "towards 0 and the root of the running mean of their squares, which stays large. "
            "Right, their ratio: the first step has full length, later ones are short."
        ),
        size=(8.0, 2.9),
    )
