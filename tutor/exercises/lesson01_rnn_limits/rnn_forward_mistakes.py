"""The ways in which an RNN goes wrong."""

from collections.abc import Callable

import torch
from torch import Tensor

from tutor.checking.exercise import Mistake
from tutor.rnn import rnn_forward as read

States = tuple[Tensor, Tensor]
Step = Callable[[Tensor, Tensor, Tensor, Tensor, Tensor, Tensor], Tensor]


def _reading(step: Step) -> Callable[..., States]:
    """Build an RNN from its step, for mistakes that lie in the step alone."""

    def forward(
        x: Tensor, h0: Tensor, W_ih: Tensor, W_hh: Tensor, b_ih: Tensor, b_hh: Tensor
    ) -> States:
        h, outputs = h0, []
        for x_t in x.unbind(dim=1):
            h = step(x_t, h, W_ih, W_hh, b_ih, b_hh)
            outputs.append(h)
        return torch.stack(outputs, dim=1), h

    return forward


def _returning(change: Callable[[Tensor, Tensor, Tensor], object]) -> Callable[..., object]:
    """Build an RNN that reads well and returns something else, made of outputs, h_n and h0."""

    def forward(x: Tensor, h0: Tensor, *weights: Tensor) -> object:
        return change(*read(x, h0, *weights), h0)

    return forward


def _state_not_carried(x: Tensor, h0: Tensor, *weights: Tensor) -> States:
    outputs = torch.cat([read(x_t, h0, *weights)[0] for x_t in x.split(1, dim=1)], dim=1)
    return outputs, outputs[:, -1]


def _lagging(outputs: Tensor, h0: Tensor) -> Tensor:
    return torch.cat([h0.unsqueeze(1), outputs[:, :-1]], dim=1)  # (B, T, H), one step behind


def _state_between_sentences(x: Tensor, h0: Tensor, *weights: Tensor) -> States:
    h, outputs = h0[:1], []
    for sentence in x.split(1):  # (1, T, I)
        states, h = read(sentence, h, *weights)
        outputs.append(states)
    together = torch.cat(outputs)
    return together, together[:, -1]


def _reads_backwards(x: Tensor, h0: Tensor, *weights: Tensor) -> States:
    outputs, h = read(x.flip(1), h0, *weights)
    return outputs.flip(1), h


def _batch_as_time(x: Tensor, h0: Tensor, *weights: Tensor) -> States:
    outputs, h = read(x.transpose(0, 1), h0, *weights)
    return outputs.transpose(0, 1), h


def _time_not_moved(x: Tensor, h0: Tensor, *weights: Tensor) -> States:
    outputs, h = read(x, h0, *weights)
    return outputs.transpose(0, 1).reshape(outputs.shape), h


def _sum(x: Tensor, h: Tensor, W_ih: Tensor, W_hh: Tensor, b_ih: Tensor, b_hh: Tensor) -> Tensor:
    return x @ W_ih.T + b_ih + h @ W_hh.T + b_hh


def _tanh_each(
    x: Tensor, h: Tensor, W_ih: Tensor, W_hh: Tensor, b_ih: Tensor, b_hh: Tensor
) -> Tensor:
    return torch.tanh(x @ W_ih.T + b_ih) + torch.tanh(h @ W_hh.T + b_hh)


_ASK_ORIENTATION = (
    "Your states go wrong from the first step on, though every shape fits. Row j of W_hh makes "
    "entry j of the new state. Your h lies in a row: which axis of W_hh must it meet?"
)

_ASK_START = (
    "Where h0 is zero you would be right. What does a sentence know before its first word here?"
)

MISTAKES = [
    Mistake(
        "rnn-whh-transposed",
        _reading(lambda x, h, W_ih, W_hh, b_ih, b_hh: _sum(x, h, W_ih, W_hh.T, b_ih, b_hh).tanh()),
        _ASK_ORIENTATION,
        label="W_hh transposed",
    ),
    Mistake(
        "rnn-wih-transposed",
        _reading(lambda x, h, W_ih, W_hh, b_ih, b_hh: _sum(x, h, W_ih.T, W_hh, b_ih, b_hh).tanh()),
        "Your code runs only where words and states are equally wide. W_ih has one row for each "
        "entry of the state: which of its axes meets the word?",
        label="W_ih transposed",
    ),
    Mistake(
        "rnn-both-transposed",
        _reading(
            lambda x, h, W_ih, W_hh, b_ih, b_hh: _sum(x, h, W_ih.T, W_hh.T, b_ih, b_hh).tanh()
        ),
        "Your code runs only where words and states are equally wide. Both matrices have one row "
        "for each entry of the new state: which of their axes is summed over?",
    ),
    Mistake(
        "rnn-matrices-exchanged",
        _reading(lambda x, h, W_ih, W_hh, b_ih, b_hh: _sum(x, h, W_hh, W_ih, b_ih, b_hh).tanh()),
        "Your code runs only where words and states are equally wide. Which of the two matrices "
        "is made for words?",
    ),
    Mistake(
        "rnn-state-not-carried",
        _state_not_carried,
        "Your first state is right and the later ones are not: each depends on its own word only. "
        "What should the second step start from?",
    ),
    Mistake(
        "rnn-state-never-updated",
        lambda x, h0, *weights: (_state_not_carried(x, h0, *weights)[0], h0),
        "Each of your states depends on its own word only, and you return h0 as the last one. "
        "Which variable should hold the newest state?",
    ),
    Mistake(
        "rnn-state-ignored",
        _reading(lambda x, h, W_ih, W_hh, b_ih, b_hh: torch.tanh(x @ W_ih.T + b_ih + b_hh)),
        "Change h0 or W_hh and your result stays the same. What makes this network recurrent?",
    ),
    Mistake(
        "rnn-output-lags",
        _returning(lambda outputs, h_n, h0: (_lagging(outputs, h0), h_n)),
        "Your first output is h0, and the state after the last word is not among the outputs. "
        "When in a step is the state stored?",
        variants=[
            _returning(
                lambda outputs, h_n, h0: (_lagging(outputs, h0), _lagging(outputs, h0)[:, -1])
            )
        ],
    ),
    Mistake(
        "rnn-h0-ignored",
        lambda x, h0, *weights: read(x, torch.zeros_like(h0), *weights),
        _ASK_START,
    ),
    Mistake(
        "rnn-h0-ones",
        lambda x, h0, *weights: read(x, torch.ones_like(h0), *weights),
        "Change h0 and your result stays the same. Which state comes before the first word?",
    ),
    Mistake(
        "rnn-no-input-bias",
        _reading(
            lambda x, h, W_ih, W_hh, b_ih, b_hh: _sum(x, h, W_ih, W_hh, 0 * b_ih, b_hh).tanh()
        ),
        "Change b_ih and your result stays the same. Where does it belong?",
    ),
    Mistake(
        "rnn-no-state-bias",
        _reading(
            lambda x, h, W_ih, W_hh, b_ih, b_hh: _sum(x, h, W_ih, W_hh, b_ih, 0 * b_hh).tanh()
        ),
        "Change b_hh and your result stays the same. Where does it belong?",
    ),
    Mistake(
        "rnn-no-biases",
        _reading(lambda x, h, W_ih, W_hh, b_ih, b_hh: torch.tanh(x @ W_ih.T + h @ W_hh.T)),
        "With words and state at zero, your new state is zero. What should be left of the sum?",
    ),
    Mistake(
        "rnn-one-bias-twice",
        _reading(lambda x, h, W_ih, W_hh, b_ih, b_hh: _sum(x, h, W_ih, W_hh, b_ih, b_ih).tanh()),
        "Change b_hh and nothing happens, change b_ih and twice as much does. Which two biases "
        "are in the sum?",
    ),
    Mistake(
        "rnn-no-tanh",
        _reading(_sum),
        "Some of your states lie outside −1 … 1, and they grow with the sentence. What keeps them "
        "inside?",
    ),
    Mistake(
        "rnn-sigmoid",
        _reading(lambda *given: torch.sigmoid(_sum(*given))),
        "None of your states is negative. Which curve runs from −1 to 1?",
    ),
    Mistake(
        "rnn-relu",
        _reading(lambda *given: torch.relu(_sum(*given))),
        "None of your states is negative, and nothing stops them from growing. Which curve runs "
        "from −1 to 1?",
    ),
    Mistake(
        "rnn-tanh-each",
        _reading(_tanh_each),
        "Some of your states reach beyond 1. How often does tanh stand in the formula, and what "
        "is inside it?",
    ),
    Mistake(
        "rnn-tanh-state-only",
        _reading(
            lambda x, h, W_ih, W_hh, b_ih, b_hh: x @ W_ih.T + b_ih + torch.tanh(h @ W_hh.T + b_hh)
        ),
        "The word's part goes into your state unbent. What stands inside tanh?",
    ),
    Mistake(
        "rnn-tanh-word-only",
        _reading(
            lambda x, h, W_ih, W_hh, b_ih, b_hh: torch.tanh(x @ W_ih.T + b_ih) + h @ W_hh.T + b_hh
        ),
        "The old state's part goes into your new one unbent. What stands inside tanh?",
    ),
    Mistake(
        "rnn-multiplied",
        _reading(
            lambda x, h, W_ih, W_hh, b_ih, b_hh: torch.tanh(
                (x @ W_ih.T + b_ih) * (h @ W_hh.T + b_hh)
            )
        ),
        "A word whose part is zero wipes your state out. How are the two parts joined?",
    ),
    Mistake(
        "rnn-residual",
        _reading(lambda x, h, *weights: h + torch.tanh(_sum(x, h, *weights))),
        "Your states grow step by step beyond 1. Is the old state kept, or only what the matrix "
        "makes of it?",
    ),
    Mistake(
        "rnn-averaged",
        _reading(lambda x, h, *weights: (h + torch.tanh(_sum(x, h, *weights))) / 2),
        "Half of each new state is the old one as it was. Does the formula keep any of it "
        "unchanged?",
    ),
    Mistake(
        "rnn-first-word-only",
        lambda x, h0, *weights: read(x[:, :1].expand_as(x), h0, *weights),
        "Change the second word and your result stays the same. Which word does step t read?",
    ),
    Mistake(
        "rnn-reads-backwards",
        _reads_backwards,
        "Your last word is read first. Which state should know only the first word?",
    ),
    Mistake(
        "rnn-batch-as-time",
        _batch_as_time,
        "Your state goes from sentence to sentence instead of from word to word. Which axis of x "
        "is time?",
    ),
    Mistake(
        "rnn-state-between-sentences",
        _state_between_sentences,
        "Your second sentence begins with what the first one left. Which row of h0 is its own?",
    ),
    Mistake(
        "rnn-time-not-moved",
        _time_not_moved,
        "The shape of your outputs is right, but words of different sentences have changed "
        "places. Which axis comes first when you stack one state after the other?",
    ),
    Mistake(
        "rnn-time-first",
        _returning(lambda outputs, h_n, h0: (outputs.transpose(0, 1), h_n)),
        "All the numbers are there, with time as the first axis. Which axis is asked for first?",
    ),
    Mistake(
        "rnn-outputs-all-last",
        _returning(lambda outputs, h_n, h0: (h_n.unsqueeze(1).expand_as(outputs), h_n)),
        "All your outputs are the last state. If h is changed in place, what happens to those "
        "already in the list?",
    ),
    Mistake(
        "rnn-last-state-is-h0",
        _returning(lambda outputs, h_n, h0: (outputs, h0)),
        "Your outputs are right, and h_n is still the state before the first word. Which variable "
        "does your loop update?",
    ),
    Mistake(
        "rnn-last-state-first",
        _returning(lambda outputs, h_n, h0: (outputs, outputs[:, 0])),
        "Your outputs are right, and h_n knows the first word only. After which word should it be "
        "taken?",
    ),
    Mistake(
        "rnn-last-sentence",
        _returning(lambda outputs, h_n, h0: (outputs, outputs[-1])),
        "Your outputs are right, and h_n is the whole last sentence of the batch. Which axis of "
        "outputs (B, T, H) is time?",
    ),
    Mistake(
        "rnn-last-state-extra-axis",
        _returning(lambda outputs, h_n, h0: (outputs, h_n.unsqueeze(0))),
        "The numbers are right. h_n has one axis too many, as in torch's own layers; which shape "
        "is asked for?",
    ),
    Mistake(
        "rnn-h0-among-outputs",
        _returning(lambda outputs, h_n, h0: (torch.cat([h0.unsqueeze(1), outputs], dim=1), h_n)),
        "You return one output more than there are words. Which of them belongs to no word?",
    ),
    Mistake(
        "rnn-outputs-last-only",
        _returning(lambda outputs, h_n, h0: (h_n, h_n)),
        "You return the last state twice. How many states does a sentence of T words have?",
    ),
    Mistake(
        "rnn-order-exchanged",
        _returning(lambda outputs, h_n, h0: (h_n, outputs)),
        "Both results are right. In which order are they asked for?",
    ),
]
