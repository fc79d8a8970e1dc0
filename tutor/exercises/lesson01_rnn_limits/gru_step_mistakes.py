"""The ways in which a GRU step goes wrong."""

from collections.abc import Callable

import torch
from torch import Tensor

from tutor.checking.exercise import Mistake
from tutor.rnn import gru_step as step


class StepValues:
    """What a GRU step has at hand: the raw blocks of word and state, gates, candidate."""

    def __init__(
        self, x: Tensor, h: Tensor, W_ih: Tensor, W_hh: Tensor, b_ih: Tensor, b_hh: Tensor
    ) -> None:
        self.h = h
        self.r_x, self.z_x, self.n_x = (x @ W_ih.T + b_ih).chunk(3, dim=-1)
        self.r_h, self.z_h, self.n_h = (h @ W_hh.T + b_hh).chunk(3, dim=-1)
        self.r, self.z = torch.sigmoid(self.r_x + self.r_h), torch.sigmoid(self.z_x + self.z_h)
        self.n = torch.tanh(self.n_x + self.r * self.n_h)
        self.W_n, self.b_n = W_hh.chunk(3)[2], b_hh.chunk(3)[2]


def _from_parts(join: Callable[[StepValues], Tensor]) -> Callable[..., Tensor]:
    """Build a GRU step from how it joins the parts."""
    return lambda *given: join(StepValues(*given))


def _candidate(make: Callable[[StepValues], Tensor]) -> Callable[..., Tensor]:
    """Build a GRU step from how it makes its candidate."""

    def join(p: StepValues) -> Tensor:
        return (1 - p.z) * make(p) + p.z * p.h

    return _from_parts(join)


def _ordered(order: str) -> Callable[..., Tensor]:
    """Build a GRU step that believes the blocks to be stacked in another order."""

    def mistaken(
        x: Tensor, h: Tensor, W_ih: Tensor, W_hh: Tensor, b_ih: Tensor, b_hh: Tensor
    ) -> Tensor:
        def in_torchs_order(stacked: Tensor) -> Tensor:
            found = dict(zip(order, stacked.chunk(3)))
            return torch.cat([found[gate] for gate in "rzn"])

        return step(x, h, *map(in_torchs_order, (W_ih, W_hh, b_ih, b_hh)))

    return mistaken


def _interleaved(
    x: Tensor, h: Tensor, W_ih: Tensor, W_hh: Tensor, b_ih: Tensor, b_hh: Tensor
) -> Tensor:
    def gathered(stacked: Tensor) -> Tensor:
        return torch.cat([stacked[gate::3] for gate in range(3)])

    return step(x, h, *map(gathered, (W_ih, W_hh, b_ih, b_hh)))


def _gates_ignore_state(
    x: Tensor, h: Tensor, W_ih: Tensor, W_hh: Tensor, b_ih: Tensor, b_hh: Tensor
) -> Tensor:
    p = StepValues(x, h, W_ih, W_hh, b_ih, b_hh)
    r, z = torch.sigmoid(p.r_x), torch.sigmoid(p.z_x)
    return (1 - z) * torch.tanh(p.n_x + r * p.n_h) + z * h


def _wih_transposed(
    x: Tensor, h: Tensor, W_ih: Tensor, W_hh: Tensor, b_ih: Tensor, b_hh: Tensor
) -> Tensor:
    return step(x, h, W_ih.T, W_hh, b_ih, b_hh)


MISTAKES = [
    Mistake(
        "gru-update-inverted",
        _from_parts(lambda p: p.z * p.n + (1 - p.z) * p.h),
        "Where your update gate is 1 the state is replaced. Papers differ here; in torch's "
        "convention, what does z multiply?",
    ),
    Mistake(
        "gru-gates-swapped",
        _ordered("zrn"),
        "Your reset gate and your update gate have changed places. Which block of rows comes "
        "first?",
    ),
    Mistake(
        "gru-candidate-first",
        _ordered("nrz"),
        "You read the candidate from the first block of rows. In which order are they stacked?",
    ),
    Mistake(
        "gru-candidate-second",
        _ordered("rnz"),
        "You read the candidate from the second block of rows. In which order are they stacked?",
    ),
    Mistake(
        "gru-reversed-blocks",
        _ordered("nzr"),
        "Your three blocks are read from the wrong end. Which comes first?",
    ),
    Mistake(
        "gru-update-candidate-first",
        _ordered("znr"),
        "Only the order of your blocks is wrong. Which of the three is the last one?",
    ),
    Mistake(
        "gru-interleaved",
        _interleaved,
        "You take every third row for a gate. Do the H rows of one gate stand together or apart?",
    ),
    Mistake(
        "gru-reset-before-product",
        _candidate(lambda p: torch.tanh(p.n_x + (p.r * p.h) @ p.W_n.T + p.b_n)),
        "You reset the state before it meets its matrix, as the first paper did. In torch's "
        "convention, what exactly does r multiply?",
    ),
    Mistake(
        "gru-bias-outside-reset",
        _candidate(lambda p: torch.tanh(p.n_x + p.r * (p.n_h - p.b_n) + p.b_n)),
        "You would be right with b_hn = 0. In an LSTM it does not matter where the second bias "
        "stands; here, is it inside or outside what r multiplies?",
    ),
    Mistake(
        "gru-reset-on-word",
        _candidate(lambda p: torch.tanh(p.r * p.n_x + p.n_h)),
        "Your reset gate can shut out the word, but never the past. What is it there to forget?",
    ),
    Mistake(
        "gru-reset-on-both",
        _candidate(lambda p: torch.tanh(p.r * (p.n_x + p.n_h))),
        "With r = 0 your candidate does not even see the word. What is the reset gate there "
        "to forget?",
    ),
    Mistake(
        "gru-reset-outside",
        _candidate(lambda p: p.r * torch.tanh(p.n_x + p.n_h)),
        "Your reset gate acts on the finished candidate. Does it come before or after tanh?",
    ),
    Mistake(
        "gru-no-reset",
        _candidate(lambda p: torch.tanh(p.n_x + p.n_h)),
        "Change the reset gate's rows and your result stays the same. Where does r act?",
    ),
    Mistake(
        "gru-reset-inverted",
        _candidate(lambda p: torch.tanh(p.n_x + (1 - p.r) * p.n_h)),
        "The wider your reset gate opens, the less your candidate sees of the past. Is r how "
        "much is dropped, or how much is seen?",
    ),
    Mistake(
        "gru-reset-on-raw-state",
        _candidate(lambda p: torch.tanh(p.n_x + p.r * p.h)),
        "The candidate's own rows of W_hh have no part in your result. What does r multiply?",
    ),
    Mistake(
        "gru-no-past-in-candidate",
        _candidate(lambda p: torch.tanh(p.n_x)),
        "Your candidate sees the word alone. What else stands inside tanh?",
    ),
    Mistake(
        "gru-update-in-candidate",
        _candidate(lambda p: torch.tanh(p.n_x + p.z * p.n_h)),
        "One gate does both jobs in your step, and r has none. Which one acts inside tanh?",
    ),
    Mistake(
        "gru-candidate-by-sigmoid",
        _candidate(lambda p: torch.sigmoid(p.n_x + p.r * p.n_h)),
        "None of your candidates is negative. Between which numbers may a state lie?",
    ),
    Mistake(
        "gru-candidate-raw",
        _candidate(lambda p: p.n_x + p.r * p.n_h),
        "Your candidate can be of any size. What bends it?",
    ),
    Mistake(
        "gru-gates-raw",
        _from_parts(
            lambda p: (
                (1 - p.z_x - p.z_h) * torch.tanh(p.n_x + (p.r_x + p.r_h) * p.n_h)
                + (p.z_x + p.z_h) * p.h
            )
        ),
        "Some of your gates are negative or above 1. Which curve turns a number into a share?",
    ),
    Mistake(
        "gru-gates-by-tanh",
        _from_parts(
            lambda p: (
                (1 - torch.tanh(p.z_x + p.z_h))
                * torch.tanh(p.n_x + torch.tanh(p.r_x + p.r_h) * p.n_h)
                + torch.tanh(p.z_x + p.z_h) * p.h
            )
        ),
        "Some of your gates are negative. Which curve says how much, from nothing to all?",
    ),
    Mistake(
        "gru-candidate-in-full",
        _from_parts(lambda p: p.n + p.z * p.h),
        "Your shares of old and new do not add up to 1. How much of the candidate is taken "
        "when all of the old state stays?",
    ),
    Mistake(
        "gru-state-in-full",
        _from_parts(lambda p: (1 - p.z) * p.n + p.h),
        "All of the old state stays in yours, whatever z says. What does the update gate "
        "leave of it?",
    ),
    Mistake(
        "gru-both-by-same-gate",
        _from_parts(lambda p: p.z * p.n + p.z * p.h),
        "Where z is 0 your state is gone altogether. Which shares do old and new have?",
    ),
    Mistake(
        "gru-update-by-reset",
        _from_parts(lambda p: (1 - p.r) * p.n + p.r * p.h),
        "Change the update gate's rows and your result stays the same. Which gate mixes old "
        "and new?",
    ),
    Mistake(
        "gru-no-update",
        _from_parts(lambda p: p.n),
        "Your state is the candidate, always. What does z mix it with?",
    ),
    Mistake(
        "gru-bent-at-the-end",
        _from_parts(lambda p: torch.tanh((1 - p.z) * p.n + p.z * p.h)),
        "Even where z is 1, your state shrinks a little at each step. Is there a tanh around "
        "the mixture?",
    ),
    Mistake(
        "gru-residual",
        _from_parts(lambda p: p.h + (1 - p.z) * p.n + p.z * p.h),
        "Your new state is too large by the old one. How much of the old one does z let through?",
    ),
    Mistake(
        "gru-no-input-bias",
        lambda x, h, W_ih, W_hh, b_ih, b_hh: step(x, h, W_ih, W_hh, 0 * b_ih, b_hh),
        "Change b_ih and your result stays the same. Where does it belong?",
    ),
    Mistake(
        "gru-no-state-bias",
        lambda x, h, W_ih, W_hh, b_ih, b_hh: step(x, h, W_ih, W_hh, b_ih, 0 * b_hh),
        "Change b_hh and your result stays the same. Where does it belong?",
    ),
    Mistake(
        "gru-no-biases",
        lambda x, h, W_ih, W_hh, b_ih, b_hh: step(x, h, W_ih, W_hh, 0 * b_ih, 0 * b_hh),
        "With word and state at zero, your gates all stand at one half. What is added to the "
        "products?",
    ),
    Mistake(
        "gru-biases-exchanged",
        lambda x, h, W_ih, W_hh, b_ih, b_hh: step(x, h, W_ih, W_hh, b_hh, b_ih),
        "Your gates are right, your candidate is not. It matters there which bias stands "
        "where: which one does r multiply?",
    ),
    Mistake(
        "gru-gates-ignore-state",
        _gates_ignore_state,
        "Your gates look at the word only. What else do they see?",
    ),
    Mistake(
        "gru-state-ignored",
        lambda x, h, *weights: step(x, 0 * h, *weights),
        "Change h and your result stays the same. Where does the old state go in?",
    ),
    Mistake(
        "gru-wih-transposed",
        _wih_transposed,
        "Your code runs only where a word is three times as wide as a state. Which axis of W_ih "
        "(3H, I) meets the word?",
        label="W_ih transposed",
    ),
    Mistake(
        "gru-matrices-exchanged",
        lambda x, h, W_ih, W_hh, b_ih, b_hh: step(x, h, W_hh, W_ih, b_ih, b_hh),
        "Your code runs only where word and state are equally wide. Which of the matrices is made "
        "for words?",
    ),
    Mistake(
        "gru-squeezed",
        lambda *given: step(*given).squeeze(),
        "You are right, but with a batch of one sentence an axis is lost. Which axes does squeeze "
        "take away?",
    ),
]
