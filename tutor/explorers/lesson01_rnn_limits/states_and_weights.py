"""An RNN with random weights of a chosen spectral radius, run and handed over."""

import torch
from torch import Tensor

from tutor.gradients import with_spectral_radius
from tutor.rnn import rnn_forward

HIDDEN, WORDS = 32, 12


def states_and_weights(radius: float, length: int, inputs: float) -> tuple[Tensor, Tensor]:
    """Run an RNN with a random W_hh of this spectral radius; give its states and W_hh.

    Args:
        radius: the spectral radius of W_hh: its largest eigenvalue, in absolute value.
        length: number of words.
        inputs: standard deviation of the inputs; 0 leaves every state at 0, where tanh has slope 1.

    Example:
        >>> states, W_hh = states_and_weights(0.9, length=5, inputs=0.0)
        >>> tuple(states.shape), float(states.abs().max())
        ((5, 32), 0.0)
    """
    generator = torch.Generator().manual_seed(1)
    W = torch.randn(HIDDEN, HIDDEN, generator=generator, dtype=torch.float64)
    W_hh = with_spectral_radius(W, radius)
    x = inputs * torch.randn(1, length, HIDDEN, generator=generator, dtype=torch.float64)
    zero = torch.zeros(HIDDEN, dtype=torch.float64)
    unit = torch.eye(HIDDEN, dtype=torch.float64)
    outputs, _ = rnn_forward(x, zero[None], unit, W_hh, zero, zero)
    return outputs[0], W_hh  # (T, H), (H, H)
