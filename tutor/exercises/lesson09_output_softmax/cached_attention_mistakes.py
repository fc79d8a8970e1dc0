"""The ways in which attention with stored keys and values goes wrong."""

import math
from collections.abc import Callable
from dataclasses import dataclass

import torch
from torch import Tensor

from tutor.checking.exercise import Mistake
from tutor.decode import cached_attention as attend

Weights = tuple[Tensor, Tensor, Tensor]
Store = tuple[Tensor, Tensor, Tensor, Tensor]


@dataclass(frozen=True, kw_only=True)
class Decoding:
    """Cached attention; each setting is one place where it can go wrong.

    Attributes:
        position: that of a new word, by its true position and the prompt's length.
        prompt_keep: who may look where within the prompt, by its length.
        scale: what scores are divided by, by d_k and the number of keys.
        seen: the keys or values a new word sees, by what is stored and its own.
        stored: what is stored afterwards, by what was stored and the new word's own.
    """

    position: Callable[[int, int], int] = lambda t, prompt: t
    prompt_keep: Callable[[int], Tensor] = lambda prompt: torch.ones(prompt, prompt).tril().bool()
    scale: Callable[[int, int], float] = lambda d_k, keys: math.sqrt(d_k)
    seen: Callable[[Tensor, Tensor], Tensor] = lambda stored, own: torch.cat([stored, own])
    stored: Callable[[Tensor, Tensor], Tensor] = lambda stored, own: torch.cat([stored, own])

    def __call__(self, x: Tensor, encoding: Tensor, W: Weights, prompt_length: int) -> Tensor:
        """Attend; arguments and result as in the exercise."""
        W_q, W_k, W_v = W
        prompt = x[:prompt_length] + encoding[:prompt_length]
        keys, values = prompt @ W_k, prompt @ W_v
        outputs = [self._attend(prompt @ W_q, keys, values, self.prompt_keep(prompt_length))]
        for t in range(prompt_length, len(x)):
            word = (x[t] + encoding[self.position(t, prompt_length)]).unsqueeze(0)
            key, value = word @ W_k, word @ W_v
            outputs.append(self._attend(word @ W_q, self.seen(keys, key), self.seen(values, value)))
            keys, values = self.stored(keys, key), self.stored(values, value)
        return torch.cat(outputs)

    def _attend(self, q: Tensor, k: Tensor, v: Tensor, keep: Tensor | None = None) -> Tensor:
        scores = q @ k.T / self.scale(k.size(-1), len(k))
        if keep is not None:
            scores = scores.masked_fill(~keep, -math.inf)
        return torch.softmax(scores, dim=-1) @ v


def _in_one_pass(keep: Callable[[int], Tensor]) -> Callable[..., Tensor]:
    """Build an answer that makes one pass over everything, with a mask of its own."""
    return lambda x, encoding, W, prompt_length: Decoding(prompt_keep=keep)(x, encoding, W, len(x))


def _with_weights(change: Callable[[Tensor, Tensor, Tensor], Weights]) -> Callable[..., Tensor]:
    return lambda x, encoding, W, prompt_length: attend(x, encoding, change(*W), prompt_length)


def _new_words_unplaced(x: Tensor, encoding: Tensor, W: Weights, prompt_length: int) -> Tensor:
    encoding = encoding.clone()
    encoding[prompt_length:] = 0
    return attend(x, encoding, W, prompt_length)


def _placed_again(x: Tensor, encoding: Tensor, W: Weights, prompt_length: int) -> Tensor:
    """Read all words again at each step, each time adding positions to what has them already."""
    placed = x[:prompt_length] + encoding[:prompt_length]
    outputs = [attend(x[:prompt_length], encoding, W, prompt_length)]
    for position in range(prompt_length, len(x)):
        placed = torch.cat([placed, x[position : position + 1]]) + encoding[: position + 1]
        outputs.append(attend(placed, 0 * encoding, W, position + 1)[-1:])
    return torch.cat(outputs)


def _values_unplaced(x: Tensor, encoding: Tensor, W: Weights, prompt_length: int) -> Tensor:
    W_q, W_k, W_v = W
    placed = x + encoding[: len(x)]
    scores = (placed @ W_q) @ (placed @ W_k).T / math.sqrt(W_k.size(-1))
    ahead = torch.ones(len(x), len(x)).triu(1).bool()
    return torch.softmax(scores.masked_fill(ahead, -math.inf), dim=-1) @ (x @ W_v)


def _one_store(x: Tensor, encoding: Tensor, W: Weights, prompt_length: int) -> Tensor:
    W_q, W_k, W_v = W
    prompt = x[:prompt_length] + encoding[:prompt_length]
    outputs = [attend(x[:prompt_length], encoding, W, prompt_length)]
    keys, values = prompt @ W_k, prompt @ W_v
    for position in range(prompt_length, len(x)):
        word = x[position : position + 1] + encoding[position : position + 1]
        keys, values = torch.cat([word @ W_k, keys]), torch.cat([values, word @ W_v])
        weights = torch.softmax(word @ W_q @ keys.T / math.sqrt(keys.size(-1)), dim=-1)
        outputs.append(weights @ values)
    return torch.cat(outputs)


def _outputs_read(x: Tensor, encoding: Tensor, W: Weights, prompt_length: int) -> Tensor:
    """Take each output for the next word's input instead of the word itself."""
    outputs = attend(x[:prompt_length], encoding, W, prompt_length)
    words = x[:prompt_length]
    for position in range(prompt_length, len(x)):
        words = torch.cat([words, outputs[-1:]])
        outputs = torch.cat([outputs, attend(words, encoding, W, position + 1)[-1:]])
    return outputs


def _everything(length: int) -> Tensor:
    return torch.ones(length, length, dtype=torch.bool)


_ASK_PLACE = (
    "Your prompt's outputs are right; those of the new words are not, though they see the right "
    "words. At which row of the encoding does the word at position t stand?"
)
_ASK_TRIANGLE = (
    "A later word changes your earlier outputs. In one pass over several words, what keeps each "
    "from looking ahead?"
)

MISTAKES = [
    Mistake(
        "kv-position-one-ahead",
        Decoding(position=lambda t, prompt: t + 1),
        _ASK_PLACE,
    ),
    Mistake("kv-position-one-behind", Decoding(position=lambda t, prompt: t - 1), _ASK_PLACE),
    Mistake(
        "kv-position-frozen",
        Decoding(position=lambda t, prompt: prompt),
        "Your first new word is right, and the later ones stand where it stood. What moves on "
        "with every word?",
    ),
    Mistake(
        "kv-position-restarts",
        Decoding(position=lambda t, prompt: t - prompt),
        "Your new words stand at the beginning of the sentence again. How many words came before?",
        variants=[Decoding(position=lambda t, prompt: 0)],
    ),
    Mistake(
        "kv-position-missing",
        _new_words_unplaced,
        "Your prompt's outputs are right, but new words have no position. What is added to each "
        "word before it is projected?",
    ),
    Mistake(
        "kv-no-positions",
        lambda x, encoding, W, prompt_length: attend(x, 0 * encoding, W, prompt_length),
        "Change the encoding and your result stays the same. What is added to each word?",
    ),
    Mistake(
        "kv-encoding-twice",
        lambda x, encoding, W, prompt_length: attend(x, 2 * encoding, W, prompt_length),
        "Your words carry their positions twice. Where is the encoding added?",
    ),
    Mistake(
        "kv-placed-again",
        _placed_again,
        "Your stored words get their positions again at each step. What is stored: the words, or "
        "keys and values made once and for all?",
    ),
    Mistake(
        "kv-values-unplaced",
        _values_unplaced,
        "Your weights are right, but values are made of the words without their positions. From "
        "what are values projected?",
    ),
    Mistake(
        "kv-words-scaled",
        lambda x, encoding, W, prompt_length: attend(
            x * math.sqrt(x.size(-1)), encoding, W, prompt_length
        ),
        "Your words are larger than they came in. Is x scaled in this exercise?",
    ),
    Mistake(
        "kv-not-grown",
        Decoding(stored=lambda stored, own: stored),
        "Each of your new words sees the prompt and itself, but not the new words before it. What "
        "happens to a key after it is used?",
    ),
    Mistake(
        "kv-overwritten",
        Decoding(stored=lambda stored, own: own),
        "Your new words have lost sight of earlier ones. What should be left in the store when a "
        "word is added?",
        variants=[
            Decoding(stored=lambda stored, own: own, seen=lambda stored, own: own),
            Decoding(stored=lambda stored, own: torch.cat([stored[:-1], own])),
        ],
    ),
    Mistake(
        "kv-without-current",
        Decoding(seen=lambda stored, own: stored),
        "Each of your new words looks at all words but itself. When is its key stored, before it "
        "looks or after?",
    ),
    Mistake(
        "kv-prompt-only",
        Decoding(seen=lambda stored, own: stored, stored=lambda stored, own: stored),
        "Your new words see the prompt alone. Which words come between it and them?",
    ),
    Mistake(
        "kv-current-twice",
        Decoding(seen=lambda stored, own: torch.cat([stored, own, own])),
        "Each of your new words sees itself twice. How often is its key added?",
        variants=[Decoding(stored=lambda stored, own: torch.cat([stored, own, own]))],
    ),
    Mistake(
        "kv-window",
        Decoding(seen=lambda stored, own: torch.cat([stored, own])[1:]),
        "Your new words have lost sight of the first. How many words may a word see?",
        variants=[Decoding(stored=lambda stored, own: torch.cat([stored[1:], own]))],
    ),
    Mistake(
        "kv-keys-and-values-apart",
        _one_store,
        "Your new keys are put before the old ones and your new values behind. Which value "
        "belongs to which key?",
    ),
    Mistake(
        "kv-prompt-not-causal",
        Decoding(prompt_keep=_everything),
        _ASK_TRIANGLE,
    ),
    Mistake("kv-nothing-hidden", _in_one_pass(_everything), _ASK_TRIANGLE),
    Mistake(
        "kv-past-hidden",
        _in_one_pass(lambda length: torch.ones(length, length).triu().bool()),
        "Your words look ahead and not back. Which way does your triangle point?",
    ),
    Mistake(
        "kv-itself-hidden",
        lambda x, encoding, W, prompt_length: torch.cat(
            [
                Decoding(
                    prompt_keep=lambda n: (
                        torch.ones(n, n).tril(-1).bool()
                        | (torch.arange(n) == 0).unsqueeze(-1) & (torch.arange(n) == 0)
                    )
                )(x, encoding, W, len(x))
            ]
        ),
        "Your words look at those before them, but not at themselves. Does the triangle include "
        "its diagonal?",
    ),
    Mistake(
        "kv-no-scale",
        Decoding(scale=lambda d_k, keys: 1.0),
        "Your weights come out too extreme. What is a sum of d_k products divided by before "
        "softmax?",
    ),
    Mistake(
        "kv-scale-by-keys",
        Decoding(scale=lambda d_k, keys: math.sqrt(keys)),
        "The size of your scores depends on how many words are stored. Over what does a dot "
        "product sum?",
    ),
    Mistake(
        "kv-scale-in-full",
        Decoding(scale=lambda d_k, keys: float(d_k)),
        "Your weights come out too flat. How does the spread of a sum grow with the number of its "
        "terms?",
    ),
    Mistake(
        "kv-scale-halved",
        Decoding(scale=lambda d_k, keys: d_k / 2),
        "Your divisor grows with d_k itself, not with its root. Which does Python work out first "
        "in `d_k ** 1 / 2`: the power, or the quotient?",
        variants=[Decoding(scale=lambda d_k, keys: d_k * 2)],
    ),
    Mistake(
        "kv-scale-by-model",
        lambda x, encoding, W, prompt_length: Decoding(
            scale=lambda d_k, keys: math.sqrt(x.size(-1))
        )(x, encoding, W, prompt_length),
        "Your weights come out too flat where keys are narrower than words. Which width do "
        "scores sum over?",
    ),
    Mistake(
        "kv-weights-transposed",
        _with_weights(lambda W_q, W_k, W_v: (W_q.T, W_k.T, W_v.T)),
        "Your code runs only where the matrices are square. Which axis of W meets a word in x W?",
    ),
    Mistake(
        "kv-value-transposed",
        _with_weights(lambda W_q, W_k, W_v: (W_q, W_k, W_v.T)),
        "Your weights are right, but your values are not. Which axis of W_v meets a word in x W?",
    ),
    Mistake(
        "kv-query-key-exchanged",
        _with_weights(lambda W_q, W_k, W_v: (W_k, W_q, W_v)),
        "Your queries are made by W_k and your keys by W_q. In which order do the three come?",
    ),
    Mistake(
        "kv-query-as-key",
        _with_weights(lambda W_q, W_k, W_v: (W_q, W_q, W_v)),
        "Change W_k and your result stays the same. Who makes the keys?",
    ),
    Mistake(
        "kv-values-not-projected",
        _with_weights(lambda W_q, W_k, W_v: (W_q, W_k, torch.eye(len(W_v)))),
        "Change W_v and your result stays the same. What is averaged?",
    ),
    Mistake(
        "kv-new-outputs-only",
        lambda x, encoding, W, prompt_length: attend(x, encoding, W, prompt_length)[prompt_length:],
        "The prompt's outputs are missing. For which positions are outputs asked for?",
    ),
    Mistake(
        "kv-last-output-only",
        lambda x, encoding, W, prompt_length: attend(x, encoding, W, prompt_length)[-1],
        "You give the last output alone. For which positions are outputs asked for?",
    ),
    Mistake(
        "kv-new-words-first",
        lambda x, encoding, W, prompt_length: attend(x, encoding, W, prompt_length).roll(
            -prompt_length, dims=0
        ),
        "Your outputs are right, but those of the new words stand before those of the prompt. In "
        "which order do the words stand?",
    ),
    Mistake(
        "kv-residual",
        lambda x, encoding, W, prompt_length: attend(x, encoding, W, prompt_length) + x,
        "There is something in your outputs besides averaged values. Does this exercise add x "
        "again?",
    ),
    Mistake(
        "kv-outputs-read",
        _outputs_read,
        "Your new words are your own outputs. Which words come in, in this exercise?",
    ),
]
