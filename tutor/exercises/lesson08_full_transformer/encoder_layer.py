"""encoder_layer: the paper's, with heads, biases, padding and two norms of its own."""

from collections.abc import Mapping

import torch
from torch import Tensor

from tutor.checking.exercise import Arguments, Call, Exercise, Property
from tutor.checking.seeds import Rng
from tutor.exercises.extremes import D_K, tokens_and_matrices
from tutor.exercises.lesson08_full_transformer.encoder_layer_mistakes import MISTAKES
from tutor.exercises.lesson08_full_transformer.encoder_layer_parts import Attention, Norms, layer
from tutor.exercises.lesson08_full_transformer.parts import FFN, Ffn, plain_ffn, random_ffn
from tutor.say import say


def _cases(seed: int) -> Mapping[str, Arguments]:
    rng = Rng(seed)

    def case(batch: int, time: int, heads: int, d_k: int, d_ff: int, padded: int) -> Arguments:
        D = heads * d_k
        real = torch.ones(batch, time, dtype=torch.bool)
        real[-1, time - padded :] = False
        return {
            "x": rng.normal(batch, time, D) * 1.5 + 0.5,
            "real": real,
            "attention": _attention(rng, D),
            "ffn": random_ffn(rng, D, d_ff),
            "norms": (_norm(rng, D), _norm(rng, D)),
            "heads": heads,
        }

    return {
        "padding in one sentence": case(2, 5, heads=3, d_k=4, d_ff=7, padded=2),
        "one head": case(2, 3, heads=1, d_k=4, d_ff=5, padded=1),
        "no padding": case(3, 5, heads=2, d_k=4, d_ff=9, padded=0),
        "square": case(4, 4, heads=4, d_k=1, d_ff=4, padded=1),
        "one token": case(2, 1, heads=2, d_k=2, d_ff=3, padded=0),
        "one sentence": case(1, 6, heads=2, d_k=4, d_ff=6, padded=3),
        "two features": case(3, 5, heads=1, d_k=2, d_ff=1, padded=2),
        "scores of ±1000": _loud(rng),
        "a faint stream": _faint(case(2, 3, heads=2, d_k=2, d_ff=5, padded=0)),
    }


def _attention(rng: Rng, D: int) -> Attention:
    """Draw W_q, b_q, W_k, b_k, W_v, b_v, W_o, b_o."""
    drawn = [part for _ in range(4) for part in (rng.normal(D, D) / 1.5, rng.normal(D) / 2)]
    return tuple(drawn)


def _norm(rng: Rng, D: int) -> tuple[Tensor, Tensor]:
    return rng.uniform(0.5, 2.0, D), rng.normal(D)


def _loud(rng: Rng) -> Arguments:
    """Let two heads see scores at all levels, and a padded key beside them."""
    x, W_q, W_k = tokens_and_matrices(rng, 1, 5)
    D = 2 * D_K  # so that each head's scale is exact
    unseen = D - x.size(-1)  # features that no query or key is made of
    zero = torch.zeros(D)
    twice = [torch.cat([W, torch.zeros(unseen, D_K)]).repeat(1, 2).T for W in (W_q, W_k)]
    last = rng.normal(D, D) / 4, zero, rng.normal(D, D) / 4, zero
    return {
        "x": torch.cat([x, rng.quarters(1, 5, unseen)], dim=-1),
        "real": torch.tensor([[True, True, True, True, False]]),
        "attention": (twice[0], zero, twice[1], zero, *last),
        "ffn": random_ffn(rng, D, 6),
        "norms": (_norm(rng, D), _norm(rng, D)),
        "heads": 2,
    }


def _faint(given: Arguments) -> Arguments:
    """Shrink what comes in so far that eps decides in the first norm."""
    weights = [part if part.dim() == 2 else 1e-4 * part for part in given["attention"]]
    return {**given, "x": 1e-3 * given["x"], "attention": tuple(weights)}


def _plain(D: int) -> tuple[Attention, Ffn, Norms]:
    eye, zero, one = torch.eye(D), torch.zeros(D), torch.ones(D)
    return (eye, zero) * 4, plain_ffn(D), ((one, zero), (one, zero))


def _padding_is_hidden(call: Call) -> str | None:
    x = Rng(1).normal(1, 3, 4)
    changed = torch.cat([x[:, :2], x[:, 2:] + torch.tensor([1.0, 0.0, -2.0, 0.5])], dim=1)
    real = torch.tensor([[True, True, False]])
    before, after = (call(given, real, *_plain(4), 2)[:, :2] for given in (x, changed))
    if torch.allclose(before, after, atol=1e-4):
        return None
    return say("A token of padding was changed, and the result of a real one changed with it.")


def _order_is_free(call: Call) -> str | None:
    x, real = Rng(1).normal(1, 3, 4), torch.ones(1, 3, dtype=torch.bool)
    before, after = call(x, real, *_plain(4), 2), call(x.flip(1), real, *_plain(4), 2)
    if torch.allclose(before.flip(1), after, atol=1e-4):
        return None
    return say("The same tokens came in another order, and their results changed.")


encoder_layer = Exercise(
    "encoder_layer",
    points=5,
    reference=layer,
    cases=_cases,
    returns=("result",),
    shapes={
        "x": "B T D",
        "real": "B T",
        "attention": ("D D", "D", "D D", "D", "D D", "D", "D D", "D"),
        "ffn": FFN,
        "norms": (("D", "D"), ("D", "D")),
        "heads": "h",
        "result": "B T D",
    },
    smallest={"D": 2},
    promises={
        "a sentence with padding": lambda x, real, *_: bool((~real).any()),
        "γ differs from feature to feature": lambda x, real, attention, ffn, norms, heads: all(
            gamma.unique().numel() > 1 for gamma, _ in norms
        ),
        "eps decides": lambda x, *_: bool(x.abs().max() < 1e-2),
    },
    properties=[
        Property("What padding holds changes no real token.", _padding_is_hidden),
        Property("Without positions the order of the tokens does not matter.", _order_is_free),
    ],
    mistakes=MISTAKES,
    hints=[
        "Two lines of one form: x = norm(x + sub-layer of x). Each norm has a γ and β of its own.",
        "Project with W and b, split into heads, attend, join the heads, project with W_o and b_o.",
        "`real` has a row for each sentence; scores are (B, h, T, T). Which axis are the keys?",
    ],
)
