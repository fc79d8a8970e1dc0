"""The ways in which an LSTM step goes wrong."""

from collections.abc import Callable

import torch
from torch import Tensor

from tutor.checking.exercise import Mistake
from tutor.rnn import lstm_step as step

States = tuple[Tensor, Tensor]
Blocks = tuple[Tensor, ...]


def _blocks(x: Tensor, h: Tensor, W_ih: Tensor, W_hh: Tensor, b: Tensor) -> Blocks:
    return (x @ W_ih.T + h @ W_hh.T + b).chunk(4, dim=-1)


def _joining(join: Callable[[Tensor, Tensor, Tensor, Tensor, Tensor], States]) -> Callable:
    """Build an LSTM step from what it makes of the four raw blocks i, f, g, o and the cell."""

    def mistaken(x: Tensor, h: Tensor, c: Tensor, W_ih: Tensor, W_hh: Tensor, b: Tensor) -> States:
        i, f, g, o = _blocks(x, h, W_ih, W_hh, b)
        return join(i, f, g, o, c)

    return mistaken


def _usual(i: Tensor, f: Tensor, g: Tensor, o: Tensor, c: Tensor) -> States:
    c = torch.sigmoid(f) * c + torch.sigmoid(i) * torch.tanh(g)
    return torch.sigmoid(o) * torch.tanh(c), c


def _ordered(order: str) -> Callable:
    """Build an LSTM step that believes the blocks to be stacked in another order."""

    def join(one: Tensor, two: Tensor, three: Tensor, four: Tensor, c: Tensor) -> States:
        found = dict(zip(order, (one, two, three, four)))
        return _usual(found["i"], found["f"], found["g"], found["o"], c)

    return _joining(join)


def _with_cell(new_cell: Callable[[Tensor, Tensor, Tensor, Tensor], Tensor]) -> Callable:
    """Build an LSTM step from how it makes the new cell of the gates i and f, g and the cell."""

    def join(i: Tensor, f: Tensor, g: Tensor, o: Tensor, c: Tensor) -> States:
        c = new_cell(torch.sigmoid(i), torch.sigmoid(f), torch.tanh(g), c)
        return torch.sigmoid(o) * torch.tanh(c), c

    return _joining(join)


def _with_output(new_state: Callable[[Tensor, Tensor, Tensor], Tensor]) -> Callable:
    """Build an LSTM step from how it makes h of the output gate, the new cell and the old one."""

    def join(i: Tensor, f: Tensor, g: Tensor, o: Tensor, c: Tensor) -> States:
        _, new = _usual(i, f, g, o, c)
        return new_state(torch.sigmoid(o), new, c), new

    return _joining(join)


def _interleaved(x: Tensor, h: Tensor, c: Tensor, W_ih: Tensor, W_hh: Tensor, b: Tensor) -> States:
    i, f, g, o = (x @ W_ih.T + h @ W_hh.T + b).unflatten(-1, (-1, 4)).unbind(-1)  # (B, H, 4)
    return _usual(i, f, g, o, c)


def _wih_transposed(
    x: Tensor, h: Tensor, c: Tensor, W_ih: Tensor, W_hh: Tensor, b: Tensor
) -> States:
    return step(x, h, c, W_ih.T, W_hh, b)


def _candidate_by_sigmoid(i: Tensor, f: Tensor, g: Tensor, o: Tensor, c: Tensor) -> States:
    c = torch.sigmoid(f) * c + torch.sigmoid(i) * torch.sigmoid(g)
    return torch.sigmoid(o) * torch.tanh(c), c


def _gates_by_tanh(i: Tensor, f: Tensor, g: Tensor, o: Tensor, c: Tensor) -> States:
    c = torch.tanh(f) * c + torch.tanh(i) * torch.tanh(g)
    return torch.tanh(o) * torch.tanh(c), c


def _gates_raw(i: Tensor, f: Tensor, g: Tensor, o: Tensor, c: Tensor) -> States:
    c = f * c + i * torch.tanh(g)
    return o * torch.tanh(c), c


def _candidate_raw(i: Tensor, f: Tensor, g: Tensor, o: Tensor, c: Tensor) -> States:
    c = torch.sigmoid(f) * c + torch.sigmoid(i) * g
    return torch.sigmoid(o) * torch.tanh(c), c


def _cell_carried_bent(i: Tensor, f: Tensor, g: Tensor, o: Tensor, c: Tensor) -> States:
    _, c = _usual(i, f, g, o, c)
    return torch.sigmoid(o) * torch.tanh(c), torch.tanh(c)


_MISSING_BIAS = "Change b and your result stays the same. Where do the 4H biases belong?"

MISTAKES = [
    Mistake(
        "lstm-gate-order",
        _ordered("ifog"),
        "Two of your blocks play each other's part. Torch stacks i, f, g, o: which of the "
        "four is the candidate?",
    ),
    Mistake(
        "lstm-forget-first",
        _ordered("figo"),
        "The gate that should keep the old cell rules your candidate, and the other way round. "
        "Which of i and f belongs to which, and whose rows come first?",
    ),
    Mistake(
        "lstm-candidate-second",
        _ordered("igfo"),
        "Your candidate comes from the forget gate's rows (other libraries stack them so). "
        "What is the second block here?",
    ),
    Mistake(
        "lstm-output-second",
        _ordered("iofg"),
        "Your output gate comes from the forget gate's rows (other libraries stack them so). "
        "What is the second block here?",
    ),
    Mistake(
        "lstm-output-first",
        _ordered("ofgi"),
        "Your input gate and your output gate have changed places. Which block comes first?",
    ),
    Mistake(
        "lstm-output-forget-exchanged",
        _ordered("iogf"),
        "Your forget gate and your output gate have changed places. Which block comes last?",
    ),
    Mistake(
        "lstm-candidate-first",
        _ordered("gifo"),
        "Your candidate comes from the input gate's rows. Which block comes first?",
    ),
    Mistake(
        "lstm-order-of-the-paper",
        _ordered("fgio"),
        "You stack the gates as many texts tell the story, forgetting first. In which order "
        "does torch stack them?",
    ),
    Mistake(
        "lstm-reversed-blocks",
        _ordered("ogfi"),
        "Your four blocks are read from the wrong end. Which comes first?",
    ),
    Mistake(
        "lstm-interleaved",
        _interleaved,
        "You take every fourth row for a gate. Do the H rows of one gate stand together or apart?",
    ),
    Mistake(
        "lstm-candidate-by-sigmoid",
        _joining(_candidate_by_sigmoid),
        "Your cell can only be added to, never taken from. Between which numbers lies a candidate?",
    ),
    Mistake(
        "lstm-candidate-raw",
        _joining(_candidate_raw),
        "A single word can push your cell as far as it likes. What bounds the candidate?",
    ),
    Mistake(
        "lstm-gates-by-tanh",
        _joining(_gates_by_tanh),
        "Some of your gates are negative. Which curve says how much, from nothing to all?",
    ),
    Mistake(
        "lstm-gates-raw",
        _joining(_gates_raw),
        "Some of your gates are negative or above 1. Which curve turns a number into a share?",
    ),
    Mistake(
        "lstm-no-forgetting",
        _with_cell(lambda i, f, g, c: c + i * g),
        "Change the forget gate's rows and your result stays the same. What becomes of the "
        "old cell?",
    ),
    Mistake(
        "lstm-forget-inverted",
        _with_cell(lambda i, f, g, c: (1 - f) * c + i * g),
        "The wider your forget gate opens, the less of the cell is left. Does f say how much "
        "goes, or how much stays?",
    ),
    Mistake(
        "lstm-gates-coupled",
        _with_cell(lambda i, f, g, c: f * c + (1 - f) * g),
        "Change the input gate's rows and your result stays the same. Who decides how much "
        "is written?",
    ),
    Mistake(
        "lstm-written-in-full",
        _with_cell(lambda i, f, g, c: f * c + g),
        "Every candidate goes into your cell whole. Who decides how much is written?",
    ),
    Mistake(
        "lstm-multiplied",
        _with_cell(lambda i, f, g, c: f * c * i * g),
        "What was in your cell is lost as soon as nothing is written. How are old and new joined?",
    ),
    Mistake(
        "lstm-cell-dropped",
        _with_cell(lambda i, f, g, c: i * g),
        "Change c and your result stays the same. What is the long memory?",
    ),
    Mistake(
        "lstm-cell-bent",
        _with_cell(lambda i, f, g, c: torch.tanh(f * c + i * g)),
        "Your cell is squeezed at every step, and so it fades. On which of the two results "
        "does tanh act?",
    ),
    Mistake(
        "lstm-cell-returned-bent",
        _joining(_cell_carried_bent),
        "Your h is right, but c is not: it never leaves −1 … 1. Which form of the cell is "
        "handed on?",
    ),
    Mistake(
        "lstm-output-not-bent",
        _with_output(lambda o, c, old: o * c),
        "Your c is right, but h can be as large as the cell. What does the output gate open on to?",
    ),
    Mistake(
        "lstm-output-by-sigmoid",
        _with_output(lambda o, c, old: o * torch.sigmoid(c)),
        "Your c is right, but no number in h is negative. Through which curve is the cell shown?",
    ),
    Mistake(
        "lstm-output-ungated",
        _with_output(lambda o, c, old: torch.tanh(c)),
        "Your c is right, and h shows all of it. Who decides how much is shown?",
    ),
    Mistake(
        "lstm-output-of-old-cell",
        _with_output(lambda o, c, old: o * torch.tanh(old)),
        "Your c is right, but h shows nothing of what this word has written. Which cell is shown?",
    ),
    Mistake(
        "lstm-gate-inside-tanh",
        _with_output(lambda o, c, old: torch.tanh(o * c)),
        "Your c is right. In h, which comes first, the gate or tanh?",
    ),
    Mistake(
        "lstm-state-ignored",
        lambda x, h, c, W_ih, W_hh, b: step(x, 0 * h, c, W_ih, W_hh, b),
        "Change h and your result stays the same. What do the gates look at besides the word?",
    ),
    Mistake(
        "lstm-word-ignored",
        lambda x, h, c, W_ih, W_hh, b: step(0 * x, h, c, W_ih, W_hh, b),
        "Change x and your result stays the same. What is read in this step?",
    ),
    Mistake(
        "lstm-no-bias",
        lambda x, h, c, W_ih, W_hh, b: step(x, h, c, W_ih, W_hh, 0 * b),
        _MISSING_BIAS,
    ),
    Mistake(
        "lstm-bias-twice",
        lambda x, h, c, W_ih, W_hh, b: step(x, h, c, W_ih, W_hh, 2 * b),
        "Your gates are right where b is zero. Torch keeps two biases; how many are there here?",
    ),
    Mistake(
        "lstm-gates-see-cell",
        lambda x, h, c, W_ih, W_hh, b: step(x, c, c, W_ih, W_hh, b),
        "Change h and your result stays the same: your gates look at c. Which of the two is "
        "the short memory?",
    ),
    Mistake(
        "lstm-states-exchanged",
        lambda x, h, c, W_ih, W_hh, b: step(x, c, h, W_ih, W_hh, b),
        "You took h for c and c for h. In which order do they come in?",
    ),
    Mistake(
        "lstm-order-exchanged",
        lambda *given: step(*given)[::-1],
        "Both results are right. In which order are they asked for?",
    ),
    Mistake(
        "lstm-wih-transposed",
        _wih_transposed,
        "Your code runs only where a word is four times as wide as a state. Which axis of W_ih "
        "(4H, I) meets the word?",
        label="W_ih transposed",
    ),
    Mistake(
        "lstm-state-kept",
        lambda x, h, c, W_ih, W_hh, b: (h, step(x, h, c, W_ih, W_hh, b)[1]),
        "Your c is right, and h is still the old one. What is made of the new cell?",
    ),
    Mistake(
        "lstm-residual",
        lambda x, h, c, *rest: (step(x, h, c, *rest)[0] + h, step(x, h, c, *rest)[1]),
        "Your c is right, and h has the old h added to it. Does the formula do that?",
    ),
    Mistake(
        "lstm-squeezed",
        lambda *given: tuple(result.squeeze() for result in step(*given)),
        "You are right, but with a batch of one sentence an axis is lost. Which axes does squeeze "
        "take away?",
    ),
]
