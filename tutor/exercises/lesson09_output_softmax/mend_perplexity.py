"""mend_perplexity: a perplexity that one surprising token rules."""

from collections.abc import Mapping

import torch
from torch import Tensor

from tutor.checking.exercise import Arguments, Call, Exercise, Mistake, Property
from tutor.checking.seeds import EXAMPLE, Rng
from tutor.say import say


def _surprise(log_probs: Tensor, real: Tensor) -> Tensor:
    return -torch.where(real, log_probs, 0.0).sum(-1) / real.sum(-1)


def _perplexities(log_probs: Tensor, real: Tensor) -> Tensor:
    """Divide 1 by the geometric mean of the probabilities: no logarithm of one is above 0."""
    return 1 / (-_surprise(log_probs, real)).exp()


def _perplexity_cases(seed: int) -> Mapping[str, Arguments]:
    rng = Rng(seed)

    def case(*lengths: int) -> Arguments:
        longest = max(lengths)
        real = torch.arange(longest) < torch.tensor(lengths).unsqueeze(1)  # (B, T)
        log_probs = -2 * rng.normal(len(lengths), longest).abs() - 0.1
        return {"log_probs": log_probs, "real": real}

    holes = torch.tensor([[True, False, True, True], [False, True, True, False]])
    return {
        "unequal sentences": case(5, 2, 4),
        "no padding": case(3, 3),
        "square": case(4, 1, 2, 3),
        "one sentence": case(6),
        "one token each": case(1, 1, 1),
        "a long sentence": case(150, 90),
        "tokens that are certain": {
            "log_probs": torch.tensor([[0.0, 0.0, -1.5], [0.0, -2.0, -0.5]]),
            "real": torch.tensor([[True, True, False], [True, False, False]]),
        },
        "hardly possible tokens": {
            "log_probs": rng.uniform(-80, -70, 3, 2),
            "real": torch.arange(2) < torch.tensor([[2], [1], [2]]),
        },
        "padding in between": {"log_probs": -rng.normal(2, 4).abs() - 0.2, "real": holes},
        EXAMPLE: {
            "log_probs": torch.tensor([[0.5, 0.125, 1.0]]).log(),
            "real": torch.tensor([[True, True, False]]),
        },
    }


def _between_best_and_worst(call: Call) -> str | None:
    log_probs = torch.tensor([[0.5, 0.5, 0.5, 0.001]]).log()
    found = call(log_probs, torch.ones(1, 4, dtype=torch.bool)).item()
    if found < 20:
        return None
    return say(
        "Three tokens got 1/2 and one got 1/1000. Among 9.5 equally likely ones the model would be "
        "as surprised, and yours says {found:.1f}.",
        found=found,
    )


mend_perplexity = Exercise(
    "mend_perplexity",
    points=2,
    reference=_perplexities,
    cases=_perplexity_cases,
    returns=("perplexities",),
    shapes={"log_probs": "B T", "real": "B T", "perplexities": "B"},
    promises={
        "a sentence as good as impossible": lambda log_probs, real: bool(
            (torch.where(real, log_probs, 0.0).sum(-1) < -200).any()
        ),
        "a mean surprise of 70": lambda log_probs, real: bool(
            (_surprise(log_probs, real) > 70).any()
        ),
        "a sentence that is certain": lambda log_probs, real: bool(
            (_surprise(log_probs, real) == 0).any()
        ),
    },
    given="perplexity-mean-of-inverses",
    properties=[Property("One surprising token does not rule the rest.", _between_best_and_worst)],
    mistakes=[
        Mistake(
            "perplexity-mean-of-inverses",
            lambda log_probs, real: (
                torch.where(real, (-log_probs).exp(), 0.0).sum(-1) / real.sum(-1)
            ),
            "One token of probability 1/1000 decides your whole number. What is added up, the "
            "surprises or something else?",
        ),
        Mistake(
            "perplexity-of-the-mean-probability",
            lambda log_probs, real: real.sum(-1) / torch.where(real, log_probs.exp(), 0.0).sum(-1),
            "One sure token decides your whole number. What is added up, the surprises or "
            "something else?",
        ),
        Mistake(
            "perplexity-padding-in-the-mean",
            lambda log_probs, real: (-torch.where(real, log_probs, 0.0).mean(-1)).exp(),
            "A sentence with much padding looks better than it is. By how many tokens do you "
            "divide?",
        ),
        Mistake(
            "perplexity-padding-read",
            lambda log_probs, real: (-log_probs.mean(-1)).exp(),
            "What stands at the padding changes your numbers. Who tells you which tokens are real?",
        ),
        Mistake(
            "perplexity-of-the-whole-text",
            lambda log_probs, real: (_surprise(log_probs, real) * real.sum(-1)).exp(),
            "Longer sentences get larger numbers. What is divided by their length?",
        ),
        Mistake(
            "perplexity-still-a-logarithm",
            _surprise,
            "Your numbers are cross-entropies, in nats. What makes a number of tokens of them?",
        ),
        Mistake(
            "perplexity-turned-round",
            lambda log_probs, real: (-_surprise(log_probs, real)).exp(),
            "Your numbers are below 1, and smaller where the model is more surprised. Which sign "
            "has a surprise?",
        ),
        Mistake(
            "perplexity-two-for-e",
            lambda log_probs, real: 2 ** _surprise(log_probs, real),
            "Your numbers are too small. The logarithms are natural ones: of which number are they "
            "the power?",
        ),
    ],
    hints=[
        "By hand, for tokens of probability 1/2 and 1/8: what is the mean surprise, and what is "
        "the given number?",
        "A perplexity is e to the power of a mean. Of what is the mean taken here?",
    ],
)
