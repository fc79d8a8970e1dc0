"""The ways in which one step of attention with stored keys and values goes wrong."""

import math
from collections.abc import Callable
from dataclasses import dataclass

import torch
from torch import Tensor

from tutor.checking.exercise import Mistake

Weights = tuple[Tensor, Tensor, Tensor]
Result = tuple[Tensor, Tensor, Tensor]


def _grown(stored: Tensor, own: Tensor) -> Tensor:
    return torch.cat([stored, own])


@dataclass(frozen=True, kw_only=True)
class Step:
    """One step of attention; each setting is one place where it can go wrong.

    Attributes:
        seen: the keys or values the query looks at, by what is stored and the word's own.
        kept: what is returned to be stored, by the same.
        scale: what scores are divided by, by d_k and the number of keys.
        weigh: the weights, by the scores, (1, keys).
        roles: the word's query, key and value, by its vector and the matrices.
    """

    seen: Callable[[Tensor, Tensor], Tensor] = _grown
    kept: Callable[[Tensor, Tensor], Tensor] = _grown
    scale: Callable[[int, int], float] = lambda d_k, keys: math.sqrt(d_k)
    weigh: Callable[[Tensor], Tensor] = lambda scores: torch.softmax(scores, dim=-1)
    roles: Callable[[Tensor, Weights], Result] = lambda x, W: (x @ W[0], x @ W[1], x @ W[2])

    def __call__(self, x_new: Tensor, keys: Tensor, values: Tensor, W: Weights) -> Result:
        """Attend; arguments and result as in the exercise."""
        q, k, v = self.roles(x_new.unsqueeze(0), W)
        seen = self.seen(keys, k)
        scores = q @ seen.T / self.scale(k.size(-1), len(seen))  # (1, keys)
        output = self.weigh(scores) @ self.seen(values, v)
        return output[0], self.kept(keys, k), self.kept(values, v)


def _first_only(scores: Tensor) -> Tensor:
    later = torch.ones_like(scores).triu(1).bool()  # a triangle meant for as many queries as keys
    return torch.softmax(scores.masked_fill(later, -math.inf), dim=-1)


def _replaced(stored: Tensor, own: Tensor) -> Tensor:
    return torch.cat([stored[1:], own])


def _turned(x: Tensor, W: Weights) -> Result:
    return x @ W[0].T, x @ W[1].T, x @ W[2].T


def _output_stored(x_new: Tensor, keys: Tensor, values: Tensor, W: Weights) -> Result:
    output, keys, _ = Step()(x_new, keys, values, W)
    return output, keys, _grown(values, output.unsqueeze(0))


def _with_residual(x_new: Tensor, keys: Tensor, values: Tensor, W: Weights) -> Result:
    output, keys, values = Step()(x_new, keys, values, W)
    return output + x_new, keys, values


def _scaled_by(divisor: Callable[[Tensor, Tensor], float]) -> Callable[..., Result]:
    """Build a step from what divides the scores, by the word's vector and the values."""

    def step(x_new: Tensor, keys: Tensor, values: Tensor, W: Weights) -> Result:
        divided = Step(scale=lambda d_k, seen: divisor(x_new, values))
        return divided(x_new, keys, values, W)

    return step


def _row_of_a_table(x_new: Tensor, keys: Tensor, values: Tensor, W: Weights) -> Result:
    output, keys, values = Step()(x_new, keys, values, W)
    return output.unsqueeze(0), keys, values


MISTAKES = [
    Mistake(
        "step-without-current",
        Step(seen=lambda stored, own: stored),
        "Your new word looks only at the words before it, and the first word sees nothing. What "
        "else may a word look at?",
    ),
    Mistake(
        "step-current-only",
        Step(seen=lambda stored, own: own),
        "Your output is the new word's own value. What is the store for?",
    ),
    Mistake(
        "step-not-stored",
        Step(kept=lambda stored, own: stored),
        "Your output is right, but the next word will not find this one. What must be returned?",
    ),
    Mistake(
        "step-overwritten",
        Step(kept=lambda stored, own: own),
        "After your step only the newest word is stored. What became of the others?",
    ),
    Mistake(
        "step-newest-first",
        Step(kept=lambda stored, own: torch.cat([own, stored])),
        "You store the newest word first. In which order are the rows that you were given?",
        variants=[
            Step(
                seen=lambda stored, own: torch.cat([own, stored]),
                kept=lambda stored, own: torch.cat([own, stored]),
            )
        ],
    ),
    Mistake(
        "step-oldest-dropped",
        Step(seen=_replaced, kept=_replaced),
        "Your store does not grow: the oldest word is gone. How many rows should there be?",
        variants=[Step(kept=_replaced)],
    ),
    Mistake(
        "step-no-scale",
        Step(scale=lambda d_k, keys: 1.0),
        "Your weights are too extreme. What are scores divided by?",
    ),
    Mistake(
        "step-scale-d-k",
        Step(scale=lambda d_k, keys: float(d_k)),
        "Your weights are too flat. Is it d_k that divides, or its root?",
        label="divided by d_k",
    ),
    Mistake(
        "step-scale-by-keys",
        Step(scale=lambda d_k, keys: math.sqrt(keys)),
        "Your scale changes as the store grows. How many terms does one dot product have?",
    ),
    Mistake(
        "step-other-width",
        _scaled_by(lambda x, values: math.sqrt(x.size(-1))),
        "Your scale belongs to another vector. How many numbers do a query and a key have?",
        variants=[_scaled_by(lambda x, values: math.sqrt(values.size(-1)))],
        reason="d_model and d_v stand as ready as d_k, which no argument names.",
    ),
    Mistake(
        "step-results-in-other-order",
        lambda *given: (*Step()(*given)[1:], Step()(*given)[0]),
        "All three results are right. In which order are they asked for?",
        variants=[lambda *given: tuple(Step()(*given)[n] for n in (0, 2, 1))],
        reason="The store is made first, and many return it first.",
    ),
    Mistake(
        "step-hardest",
        Step(weigh=lambda scores: torch.eye(scores.size(-1))[scores.argmax(-1)].to(scores)),
        "Your output is one word's value alone. What should the second best have?",
        reason="Decoding takes an argmax of words, and some take one of keys.",
    ),
    Mistake(
        "step-triangle",
        Step(weigh=_first_only),
        "Your new word sees the oldest word and no other. Where does its row stand in the triangle "
        "of all words?",
    ),
    Mistake(
        "step-no-softmax",
        Step(weigh=lambda scores: scores),
        "Your weights may be negative and do not sum to 1. What turns scores into shares?",
    ),
    Mistake(
        "step-softmax-over-queries",
        Step(weigh=lambda scores: torch.softmax(scores, dim=0)),
        "Every word you look at has weight 1. Along which axis are the keys?",
    ),
    Mistake(
        "step-even-weights",
        Step(weigh=lambda scores: torch.full_like(scores, 1 / scores.size(-1))),
        "Your output is the plain mean of the values. What do the scores do?",
    ),
    Mistake(
        "step-query-and-key-exchanged",
        Step(roles=lambda x, W: (x @ W[1], x @ W[0], x @ W[2])),
        "Your new row of keys is its query. Which matrix makes keys?",
    ),
    Mistake(
        "step-query-stored",
        Step(roles=lambda x, W: (x @ W[0], x @ W[0], x @ W[2])),
        "Your new row of keys equals its query. Which matrix makes keys?",
    ),
    Mistake(
        "step-key-asks",
        Step(roles=lambda x, W: (x @ W[1], x @ W[1], x @ W[2])),
        "What you store is right, the output is not. Which matrix makes the query?",
    ),
    Mistake(
        "step-transposed",
        Step(roles=_turned),
        "Your matrices lie on their side. In x W, which axis of W meets the word?",
    ),
    Mistake(
        "step-vector-stored",
        Step(roles=lambda x, W: (x @ W[0], x, x)),
        "You store the word's own vector. What does a query meet, and what is averaged?",
    ),
    Mistake(
        "step-output-stored",
        _output_stored,
        "Your new row of values is the output. What do later words average, values or outputs?",
    ),
    Mistake(
        "step-residual",
        _with_residual,
        "The word's own vector is added to your output. Is a residual asked for here?",
    ),
    Mistake(
        "step-row-not-vector",
        _row_of_a_table,
        "Your output is a table of one row. Which shape is asked for?",
    ),
]
