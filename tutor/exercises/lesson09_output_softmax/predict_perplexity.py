"""predict_perplexity: among how many words a model hesitates."""

import math
from collections.abc import Mapping

from tutor.checking.exercise import Arguments, Exercise, Mistake
from tutor.checking.seeds import Rng
from tutor.say import say


def _perplexity_case(seed: int) -> Mapping[str, Arguments]:
    """Draw three powers of one half whose geometric mean is a whole number's inverse."""
    rng = Rng(seed)
    exponents = rng.choice([[1, 2, 3], [1, 1, 4], [2, 3, 4], [1, 3, 5], [2, 2, 5], [1, 2, 6]])
    order = rng.permutation(3).tolist()
    return {"yours": {"probabilities": [0.5 ** exponents[place] for place in order]}}


def _geometric(probabilities: list[float]) -> float:
    return math.prod(probabilities) ** (-1 / len(probabilities))


predict_perplexity = Exercise(
    "predict_perplexity",
    points=1,
    reference=_geometric,
    cases=_perplexity_case,
    absolute=0.02,
    question=lambda probabilities: say(
        "In a sentence of three words a model gives the right words the probabilities "
        "{probabilities}. What is its perplexity?",
        probabilities=", ".join(f"1/{round(1 / p)}" for p in probabilities),
    ),
    mistakes=[
        Mistake(
            "predict-mean-of-inverses",
            lambda ps: sum(1 / p for p in ps) / len(ps),
            "You averaged the numbers of guesses. What is averaged in a cross-entropy, guesses or "
            "their logarithms?",
        ),
        Mistake(
            "predict-inverse-of-mean",
            lambda ps: len(ps) / sum(ps),
            "You averaged the probabilities. What is averaged in a cross-entropy?",
        ),
        Mistake(
            "predict-product",
            lambda ps: 1 / math.prod(ps),
            "That is for the whole sentence. What is it for one word, on average?",
        ),
        Mistake(
            "predict-bits",
            lambda ps: math.log2(_geometric(ps)),
            "That is the cross-entropy in bits. How many equally likely words would be as "
            "surprising?",
        ),
        Mistake(
            "predict-nats",
            lambda ps: math.log(_geometric(ps)),
            "That is the cross-entropy. How many equally likely words would be as surprising?",
        ),
        Mistake(
            "predict-bits-of-sentence",
            lambda ps: -math.log2(math.prod(ps)),
            "Those are the bits of the whole sentence. What is it for one word, and how does "
            "perplexity follow from it?",
        ),
        Mistake(
            "predict-inverse",
            lambda ps: 1 / _geometric(ps),
            "That is the average probability, and rightly averaged. Is perplexity below 1, or "
            "above?",
        ),
        Mistake(
            "predict-bits-with-e",
            lambda ps: math.exp(math.log2(_geometric(ps))),
            "You counted in bits and raised e. Which base belongs to bits?",
        ),
        Mistake(
            "predict-worst-word",
            lambda ps: 1 / min(ps),
            "That is the worst word alone. What about the other two?",
        ),
    ],
    hints=[
        "Each right word costs a whole number of bits: 1/8 costs 3. Average them.",
        "Then go back from bits: how many equally likely words cost so many bits?",
    ],
)
