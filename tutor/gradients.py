"""What comes back through time: gradients of recurrent networks, by hand and measured (lesson 1).

The gradient reaches an early step through every step after it, and each multiplies it by the same
kind of matrix. So it shrinks or grows like a power of the distance; that is what ends an RNN's
memory.
"""

import torch
from jaxtyping import Float
from torch import Tensor

from tutor.rnn import lstm_gates, lstm_step, rnn_forward
from tutor.say import say


def rnn_backward(
    x: Float[Tensor, "batch time input"],
    h0: Float[Tensor, "batch hidden"],
    outputs: Float[Tensor, "batch time hidden"],
    W_hh: Float[Tensor, "hidden hidden"],
    output_gradients: Float[Tensor, "batch time hidden"],
    window: int | None = None,
) -> dict[str, Tensor]:
    """Back-propagate through time by hand: from the last step to the first, adding up as it goes.

    Args:
        x: the words that `rnn_forward` read.
        h0: the state it started from.
        outputs: the states it gave.
        W_hh: its weights from state to state.
        output_gradients: gradient of the loss at each output, by its own step's loss alone.
        window: if given, the gradient is cut before every window-th step (truncated BPTT): what
            happens after the cut teaches nothing about words before it.

    Returns:
        The gradients of "W_ih", "W_hh", "b" (of either bias: they are equal) and "h0".

    Example:
        >>> x, h0, W_hh = torch.tensor([[[1.0], [0.0]]]), torch.zeros(1, 1), torch.tensor([[0.5]])
        >>> outputs, _ = rnn_forward(x, h0, torch.ones(1, 1), W_hh, torch.zeros(1), torch.zeros(1))
        >>> loss_at_the_end = torch.tensor([[[0.0], [1.0]]])
        >>> rnn_backward(x, h0, outputs, W_hh, loss_at_the_end)["W_ih"]
        tensor([[0.1823]])
        >>> rnn_backward(x, h0, outputs, W_hh, loss_at_the_end, window=1)["W_ih"]  # 1 is forgotten
        tensor([[0.]])

    Source: Werbos 1990.
    """
    states_before = torch.cat([h0.unsqueeze(1), outputs[:, :-1]], dim=1)  # (B, T, H)
    W_ih_gradient = W_hh.new_zeros(len(W_hh), x.size(-1))
    W_hh_gradient, b_gradient = torch.zeros_like(W_hh), W_hh.new_zeros(len(W_hh))
    from_later = torch.zeros_like(h0)  # (B, H): what the steps after this one send back
    for t in reversed(range(x.size(1))):
        at_state = output_gradients[:, t] + from_later
        at_sum = at_state * (1 - outputs[:, t] ** 2)  # through tanh, whose slope is 1 - h²
        W_ih_gradient += at_sum.T @ x[:, t]
        W_hh_gradient += at_sum.T @ states_before[:, t]
        b_gradient += at_sum.sum(dim=0)
        from_later = at_sum @ W_hh
        if window is not None and t % window == 0:
            from_later = torch.zeros_like(h0)
    return {"W_ih": W_ih_gradient, "W_hh": W_hh_gradient, "b": b_gradient, "h0": from_later}


def rnn_forward_truncated(
    x: Float[Tensor, "batch time input"],
    h0: Float[Tensor, "batch hidden"],
    W_ih: Float[Tensor, "hidden input"],
    W_hh: Float[Tensor, "hidden hidden"],
    b_ih: Float[Tensor, " hidden"],
    b_hh: Float[Tensor, " hidden"],
    window: int,
) -> tuple[Float[Tensor, "batch time hidden"], Float[Tensor, "batch hidden"]]:
    """Read as `rnn_forward` does, but let no gradient pass from one window to the one before.

    The state is carried on and only its history is dropped, so outputs are the same; memory and
    time of the backward pass stay those of one window.

    Example:
        >>> x, h0 = torch.ones(1, 4, 1), torch.zeros(1, 1)
        >>> weights = torch.ones(1, 1), torch.ones(1, 1), torch.zeros(1), torch.zeros(1)
        >>> whole, _ = rnn_forward(x, h0, *weights)
        >>> parts, _ = rnn_forward_truncated(x, h0, *weights, window=2)
        >>> torch.equal(whole, parts)
        True

    Source: Williams and Peng 1990.
    """
    h = h0
    outputs = []
    for part in x.split(window, dim=1):  # (B, window, I)
        states, h = rnn_forward(part, h.detach(), W_ih, W_hh, b_ih, b_hh)
        outputs.append(states)
    return torch.cat(outputs, dim=1), h  # (B, T, H), (B, H)


def jacobian_norms(
    hidden_states: Float[Tensor, "time hidden"], W_hh: Float[Tensor, "hidden hidden"]
) -> Float[Tensor, " time"]:
    """How much a small change of each state can change the last one, at most.

    Entry t is the spectral norm (largest singular value) of ∂h_T/∂h_t: the product of the factors
    diag(1 − h²) W_hh of all steps after t. The last entry is 1.

    Args:
        hidden_states: h_1 … h_T of one sentence.
        W_hh: the weights from state to state.

    Example:
        >>> jacobian_norms(torch.zeros(4, 1), torch.tensor([[0.5]]))  # tanh at 0 has slope 1
        tensor([0.1250, 0.2500, 0.5000, 1.0000])

    Source: Bengio, Simard and Frasconi 1994; Pascanu, Mikolov and Bengio 2013, equation 5.
    """
    jacobian = torch.eye(len(W_hh), dtype=W_hh.dtype, device=W_hh.device)  # ∂h_T/∂h_T
    norms = [torch.linalg.matrix_norm(jacobian, ord=2)]
    for h in hidden_states[1:].flip(0):  # from the last step back
        step = (1 - h**2).unsqueeze(-1) * W_hh  # ∂h_t/∂h_{t-1}: row j times the slope at h_j
        jacobian = jacobian @ step
        norms.append(torch.linalg.matrix_norm(jacobian, ord=2))
    return torch.stack(norms[::-1])


def with_spectral_radius(
    W: Float[Tensor, "hidden hidden"], radius: float
) -> Float[Tensor, "hidden hidden"]:
    """Scale a matrix so that its largest eigenvalue, in absolute value, is the radius.

    Example:
        >>> with_spectral_radius(torch.tensor([[4.0, 0.0], [0.0, 2.0]]), 1.0)
        tensor([[1.0000, 0.0000],
                [0.0000, 0.5000]])

    Raises:
        ValueError: if all eigenvalues are zero, which no factor can change.
    """
    largest = torch.linalg.eigvals(W).abs().max()
    if largest == 0:
        raise ValueError(
            say("every eigenvalue of W is 0: no factor gives it another spectral radius")
        )
    return W * (radius / largest)


def cell_gradients(
    x: Float[Tensor, "time input"],
    W_ih: Float[Tensor, "four_hidden input"],
    W_hh: Float[Tensor, "four_hidden hidden"],
    b: Float[Tensor, " four_hidden"],
) -> tuple[Float[Tensor, " hidden"], Float[Tensor, "hidden hidden"]]:
    """Two answers to how much of an LSTM's first cell state its last one still feels.

    Returns:
        The product of the forget gates, which is ∂c_T/∂c_0 along the cell's own path, the gates
        taken as given; and the whole derivative as autograd has it, in which the first cell also
        moves all later gates, through the hidden state.

    Example:
        >>> words, no_weights = torch.zeros(3, 1), torch.zeros(4, 1)
        >>> cell_gradients(words, no_weights, no_weights, b=torch.zeros(4))  # every gate is 1/2
        (tensor([0.1250]), tensor([[0.1250]]))

    Source: Hochreiter and Schmidhuber 1997, where only the first was let through ("constant error
    carousel").
    """
    hidden = W_hh.size(-1)
    start = W_hh.new_zeros(1, hidden)

    def last_cell(c0: Tensor) -> tuple[Tensor, Tensor]:
        h, c, product = start, c0.unsqueeze(0), torch.ones_like(start)
        for x_t in x.unsqueeze(1):  # (1, I)
            product = product * lstm_gates(x_t, h, W_ih, W_hh, b)[1]
            h, c = lstm_step(x_t, h, c, W_ih, W_hh, b)
        return c.squeeze(0), product.squeeze(0)  # (H,), (H,)

    c0 = start.squeeze(0)
    whole = torch.autograd.functional.jacobian(lambda cell: last_cell(cell)[0], c0)
    return last_cell(c0)[1], whole


def global_norm(gradients: list[Tensor]) -> Float[Tensor, ""]:
    """Length of all gradients together, as if they were one long vector.

    Example:
        >>> global_norm([torch.tensor([3.0]), torch.tensor([[0.0, 4.0]])])
        tensor(5.)
    """
    return torch.stack([gradient.square().sum() for gradient in gradients]).sum().sqrt()


def clip_gradients(gradients: list[Tensor], max_norm: float) -> list[Tensor]:
    """Shorten the gradients, all by one factor, if together they are longer than max_norm.

    Their direction stays. A short gradient stays as it is: clipping cures explosion, and cannot
    bring back what has vanished.

    Example:
        >>> clip_gradients([torch.tensor([3.0]), torch.tensor([4.0])], max_norm=1.0)
        [tensor([0.6000]), tensor([0.8000])]
        >>> clip_gradients([torch.tensor([1e-9])], max_norm=1.0)
        [tensor([1.0000e-09])]

    Raises:
        ValueError: if max_norm is not positive.

    Source: Pascanu, Mikolov and Bengio 2013, algorithm 1.
    """
    if max_norm <= 0:
        raise ValueError(say("max_norm must be above 0, got {max_norm}", max_norm=max_norm))
    norm = global_norm(gradients)
    if norm <= max_norm:
        return [gradient.clone() for gradient in gradients]
    return [gradient * (max_norm / norm) for gradient in gradients]
