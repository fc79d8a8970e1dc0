"""Recurrent networks: one state, carried from word to word (lesson 1).

A recurrent network reads a sentence in order and keeps what it has read in a vector of fixed size,
the hidden state. The same weights serve every step, so a sentence may have any length. Weights are
laid out as in torch.nn: one row per output, the blocks of an LSTM or GRU stacked.
"""

import math

import torch
from jaxtyping import Float, Int
from torch import Tensor, nn

from tutor.say import say
from tutor.shapes import fitting


@fitting
def rnn_forward(
    x: Float[Tensor, "batch time input"],
    h0: Float[Tensor, "batch hidden"],
    W_ih: Float[Tensor, "hidden input"],
    W_hh: Float[Tensor, "hidden hidden"],
    b_ih: Float[Tensor, " hidden"],
    b_hh: Float[Tensor, " hidden"],
) -> tuple[Float[Tensor, "batch time hidden"], Float[Tensor, "batch hidden"]]:
    """Read sentences step by step: each new state mixes the word at hand with the state before.

    Args:
        x: the words' vectors.
        h0: the state before the first word.
        W_ih: weights from the word to the state.
        W_hh: weights from the old state to the new one.
        b_ih: bias added to the word's part.
        b_hh: bias added to the state's part.

    Returns:
        The state after each word, and the last one again.

    Example:
        >>> x, one, none = torch.tensor([[[1.0], [0.0]]]), torch.ones(1, 1), torch.zeros(1)
        >>> outputs, h_n = rnn_forward(x, torch.zeros(1, 1), one, one, none, none)
        >>> outputs  # tanh(1), then tanh(0 + tanh(1))
        tensor([[[0.7616],
                 [0.6420]]])

    Raises:
        ValueError: if a weight does not fit the words or the state.

    Source: Elman 1990; h_t = tanh(W_ih x_t + b_ih + W_hh h_{t-1} + b_hh).
    """
    _check_weights(x, h0, W_ih, W_hh, blocks=1)
    h = h0
    outputs = []
    for x_t in x.unbind(dim=1):  # (B, I)
        h = torch.tanh(x_t @ W_ih.T + b_ih + h @ W_hh.T + b_hh)  # (B, H)
        outputs.append(h)
    return torch.stack(outputs, dim=1), h  # (B, T, H), (B, H)


@fitting
def lstm_gates(
    x: Float[Tensor, "batch input"],
    h: Float[Tensor, "batch hidden"],
    W_ih: Float[Tensor, "four_hidden input"],
    W_hh: Float[Tensor, "four_hidden hidden"],
    b: Float[Tensor, " four_hidden"],
) -> tuple[
    Float[Tensor, "batch hidden"],
    Float[Tensor, "batch hidden"],
    Float[Tensor, "batch hidden"],
    Float[Tensor, "batch hidden"],
]:
    """Decide what an LSTM writes, keeps and shows: three gates (i, f, o) and a candidate (g).

    Returns:
        i, f, g, o: how much of the candidate is written, how much of the old cell is kept, the
        candidate itself (between -1 and 1), and how much of the cell is shown.

    Example:
        >>> gates = lstm_gates(torch.zeros(1, 1), torch.zeros(1, 1), torch.zeros(4, 1),
        ...                    torch.zeros(4, 1), torch.tensor([0.0, 2.0, 0.5, -2.0]))
        >>> [round(gate.item(), 2) for gate in gates]
        [0.5, 0.88, 0.46, 0.12]

    Raises:
        ValueError: if a weight does not fit the word or the state.
    """
    _check_weights(x, h, W_ih, W_hh, blocks=4)
    i, f, g, o = (x @ W_ih.T + h @ W_hh.T + b).chunk(4, dim=-1)  # (B, 4H) -> four of (B, H)
    return torch.sigmoid(i), torch.sigmoid(f), torch.tanh(g), torch.sigmoid(o)


@fitting
def lstm_step(
    x: Float[Tensor, "batch input"],
    h: Float[Tensor, "batch hidden"],
    c: Float[Tensor, "batch hidden"],
    W_ih: Float[Tensor, "four_hidden input"],
    W_hh: Float[Tensor, "four_hidden hidden"],
    b: Float[Tensor, " four_hidden"],
) -> tuple[Float[Tensor, "batch hidden"], Float[Tensor, "batch hidden"]]:
    """Read one word with a long memory: the cell c is kept or added to, never passed through tanh.

    Args:
        x: the word's vector.
        h: the hidden state, the short memory: what the step before showed.
        c: the cell state, the long memory.
        W_ih: weights from the word, the rows of i, f, g and o stacked in this order, as in torch.
        W_hh: weights from the hidden state, stacked likewise.
        b: biases; torch keeps two, b_ih and b_hh, of which only the sum matters.

    Returns:
        The new hidden state and the new cell state.

    Example:
        >>> one, old_cell, no_weights = torch.ones(1, 1), torch.tensor([[0.7]]), torch.zeros(4, 1)
        >>> b = torch.tensor([-99.0, 99.0, 0.0, 99.0])  # write nothing, keep all, show all
        >>> lstm_step(one, one, old_cell, no_weights, no_weights, b)  # h is tanh of the same cell
        (tensor([[0.6044]]), tensor([[0.7000]]))

    Raises:
        ValueError: if a weight does not fit the word or the state.

    Source: Hochreiter and Schmidhuber 1997; the forget gate is from Gers et al. 2000.
    """
    i, f, g, o = lstm_gates(x, h, W_ih, W_hh, b)
    c = f * c + i * g
    return o * torch.tanh(c), c


@fitting
def gru_step(
    x: Float[Tensor, "batch input"],
    h: Float[Tensor, "batch hidden"],
    W_ih: Float[Tensor, "three_hidden input"],
    W_hh: Float[Tensor, "three_hidden hidden"],
    b_ih: Float[Tensor, " three_hidden"],
    b_hh: Float[Tensor, " three_hidden"],
) -> Float[Tensor, "batch hidden"]:
    """Read one word, moving each part of the state only as far as the update gate allows.

    Args:
        x: the word's vector.
        h: the state before it.
        W_ih: weights from the word, the rows of r, z and n stacked in this order, as in torch.
        W_hh: weights from the state, stacked likewise.
        b_ih: biases of the word's part.
        b_hh: biases of the state's part; that of n stands inside the reset gate's reach.

    Returns:
        The new state: z of the old one, 1 − z of the candidate n.

    Example:
        >>> x, old_state, no_weights = torch.ones(1, 1), torch.tensor([[0.7]]), torch.zeros(3, 1)
        >>> b_ih = torch.tensor([0.0, 99.0, 0.0])  # z = 1: the old state stays
        >>> gru_step(x, old_state, no_weights, no_weights, b_ih, torch.zeros(3))
        tensor([[0.7000]])

    Raises:
        ValueError: if a weight does not fit the word or the state.

    Source: Cho et al. 2014, in torch's form (r multiplies W_hn h + b_hn).
    """
    _check_weights(x, h, W_ih, W_hh, blocks=3)
    r_x, z_x, n_x = (x @ W_ih.T + b_ih).chunk(3, dim=-1)  # (B, 3H) -> three of (B, H)
    r_h, z_h, n_h = (h @ W_hh.T + b_hh).chunk(3, dim=-1)
    r = torch.sigmoid(r_x + r_h)  # reset: how much of the old state the candidate sees
    z = torch.sigmoid(z_x + z_h)  # update: how much of the old state stays
    n = torch.tanh(n_x + r * n_h)
    return (1 - z) * n + z * h


@fitting
def last_real_state(
    outputs: Float[Tensor, "batch time hidden"], lengths: Int[Tensor, " batch"]
) -> Float[Tensor, "batch hidden"]:
    """Take from each sentence the state after its last real word, not after its padding.

    Example:
        >>> outputs = torch.tensor([[[1.0], [2.0], [9.0]], [[3.0], [4.0], [5.0]]])
        >>> last_real_state(outputs, torch.tensor([2, 3]))
        tensor([[2.],
                [5.]])

    Raises:
        ValueError: if a length is below 1 or above the number of steps.
    """
    if lengths.min() < 1 or lengths.max() > outputs.size(1):
        raise ValueError(
            say(
                "lengths must be from 1 to the {steps} steps of outputs {outputs_shape}, "
                "got {lengths}",
                steps=outputs.size(1),
                outputs_shape=tuple(outputs.shape),
                lengths=lengths.tolist(),
            )
        )
    sentences = torch.arange(len(outputs), device=outputs.device)
    return outputs[sentences, lengths - 1]  # (B, H)


class _Recurrent(nn.Module):
    """The weights all three networks have: `blocks` blocks of rows for the word and the state."""

    blocks: int

    def __init__(self, input_size: int, hidden_size: int) -> None:
        super().__init__()
        self.hidden_size = hidden_size
        bound = 1 / math.sqrt(hidden_size)  # torch.nn's start

        def weights(*shape: int) -> nn.Parameter:
            return nn.Parameter(torch.empty(*shape).uniform_(-bound, bound))

        rows = self.blocks * hidden_size
        self.W_ih, self.W_hh = weights(rows, input_size), weights(rows, hidden_size)
        self.b_ih, self.b_hh = weights(rows), weights(rows)

    def zero_state(self, x: Float[Tensor, "batch time input"]) -> Float[Tensor, "batch hidden"]:
        """Give the state before the first word when none is handed over."""
        return x.new_zeros(len(x), self.hidden_size)


class RNN(_Recurrent):
    """`rnn_forward` with weights to be trained.

    Example:
        >>> outputs, h_n = RNN(input_size=3, hidden_size=5)(torch.zeros(2, 4, 3))
        >>> outputs.shape, h_n.shape
        (torch.Size([2, 4, 5]), torch.Size([2, 5]))
    """

    blocks = 1

    @fitting
    def forward(
        self,
        x: Float[Tensor, "batch time input"],
        h0: Float[Tensor, "batch hidden"] | None = None,
    ) -> tuple[Float[Tensor, "batch time hidden"], Float[Tensor, "batch hidden"]]:
        """Give the state after each word and the last one, from h0 (zeros if None) on."""
        h0 = self.zero_state(x) if h0 is None else h0
        return rnn_forward(x, h0, self.W_ih, self.W_hh, self.b_ih, self.b_hh)


class LSTM(_Recurrent):
    """`lstm_step` over a sentence, with weights to be trained.

    Example:
        >>> outputs, cells = LSTM(input_size=3, hidden_size=5)(torch.zeros(2, 4, 3))
        >>> outputs.shape, cells.shape
        (torch.Size([2, 4, 5]), torch.Size([2, 4, 5]))
    """

    blocks = 4

    @fitting
    def forward(
        self,
        x: Float[Tensor, "batch time input"],
        h0: Float[Tensor, "batch hidden"] | None = None,
        c0: Float[Tensor, "batch hidden"] | None = None,
    ) -> tuple[Float[Tensor, "batch time hidden"], Float[Tensor, "batch time hidden"]]:
        """Give the hidden state and the cell state after each word (torch gives the last cell)."""
        h = self.zero_state(x) if h0 is None else h0
        c = self.zero_state(x) if c0 is None else c0
        outputs, cells = [], []
        for x_t in x.unbind(dim=1):  # (B, I)
            h, c = lstm_step(x_t, h, c, self.W_ih, self.W_hh, self.b_ih + self.b_hh)
            outputs.append(h)
            cells.append(c)
        return torch.stack(outputs, dim=1), torch.stack(cells, dim=1)  # (B, T, H) both


class GRU(_Recurrent):
    """`gru_step` over a sentence, with weights to be trained.

    Example:
        >>> outputs, h_n = GRU(input_size=3, hidden_size=5)(torch.zeros(2, 4, 3))
        >>> outputs.shape, h_n.shape
        (torch.Size([2, 4, 5]), torch.Size([2, 5]))
    """

    blocks = 3

    @fitting
    def forward(
        self,
        x: Float[Tensor, "batch time input"],
        h0: Float[Tensor, "batch hidden"] | None = None,
    ) -> tuple[Float[Tensor, "batch time hidden"], Float[Tensor, "batch hidden"]]:
        """Give the state after each word and the last one, from h0 (zeros if None) on."""
        h = self.zero_state(x) if h0 is None else h0
        outputs = []
        for x_t in x.unbind(dim=1):  # (B, I)
            h = gru_step(x_t, h, self.W_ih, self.W_hh, self.b_ih, self.b_hh)
            outputs.append(h)
        return torch.stack(outputs, dim=1), h  # (B, T, H), (B, H)


def _check_weights(x: Tensor, h: Tensor, W_ih: Tensor, W_hh: Tensor, blocks: int) -> None:
    """Refuse weights that do not fit the words and the state, naming the shapes."""
    hidden = h.size(-1)
    if W_ih.shape != (blocks * hidden, x.size(-1)) or W_hh.shape != (blocks * hidden, hidden):
        raise ValueError(
            say(
                "for x {x_shape} and a state {h_shape} the weights must be W_ih ({rows}, "
                "{features}) and W_hh ({rows}, {hidden}): got {W_ih_shape} and {W_hh_shape}",
                x_shape=tuple(x.shape),
                h_shape=tuple(h.shape),
                rows=blocks * hidden,
                features=x.size(-1),
                hidden=hidden,
                W_ih_shape=tuple(W_ih.shape),
                W_hh_shape=tuple(W_hh.shape),
            )
        )
