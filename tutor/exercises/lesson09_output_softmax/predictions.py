"""Three numbers to predict by hand: greedy against best, a perplexity, a nucleus."""

import math
from collections.abc import Mapping

import torch
from torch import Tensor

from tutor.checking.exercise import Arguments, Exercise, Mistake
from tutor.checking.seeds import Rng
from tutor.say import say


def _paths_case(seed: int) -> Mapping[str, Arguments]:
    """Draw a two-step choice in which the likelier first word has the worse end."""
    rng = Rng(seed)
    first = rng.choice([(0.6, 0.4), (0.7, 0.3)])
    ends = rng.choice([(0.3, 0.8), (0.4, 1.0), (0.2, 0.9), (0.3, 0.9)])
    return {
        "yours": {
            "p_cat": first[0],
            "p_dog": first[1],
            "end_after_cat": ends[0],
            "end_after_dog": ends[1],
        }
    }


def _paths(p_cat: float, p_dog: float, end_after_cat: float, end_after_dog: float) -> list[float]:
    return [p_cat * end_after_cat, p_dog * end_after_dog]


predict_greedy_and_best = Exercise(
    "predict_greedy_and_best",
    points=1,
    reference=_paths,
    cases=_paths_case,
    absolute=0.005,
    question=lambda p_cat, p_dog, end_after_cat, end_after_dog: say(
        'A sentence begins with "cat" (probability {p_cat}) or "dog" ({p_dog}). After '
        '"cat" the likeliest next word has probability {end_after_cat}, after "dog" '
        "{end_after_dog}; then the sentence ends for certain. Give two numbers as a "
        "list: the probability of the sentence that greedy search finds, and that of "
        "the most probable sentence.",
        p_cat=p_cat,
        p_dog=p_dog,
        end_after_cat=end_after_cat,
        end_after_dog=end_after_dog,
    ),
    mistakes=[
        Mistake(
            "predict-greedy-is-best",
            lambda a, b, x, y: [a * x, a * x],
            "You trust greedy search. Is there a sentence with a larger product?",
        ),
        Mistake(
            "predict-best-twice",
            lambda a, b, x, y: [b * y, b * y],
            "You let greedy search look ahead. Which word does it take first, and can it go back?",
        ),
        Mistake(
            "predict-exchanged",
            lambda a, b, x, y: [b * y, a * x],
            "Both numbers are right. Which of the two searches is the short-sighted one?",
        ),
        Mistake(
            "predict-added",
            lambda a, b, x, y: [a + x, b + y],
            "One of your probabilities is above 1, which cannot be. What is done with the "
            "probabilities along a path?",
        ),
        Mistake(
            "predict-averaged",
            lambda a, b, x, y: [(a + x) / 2, (b + y) / 2],
            "You averaged along the path. What is the probability that both words come?",
        ),
        Mistake(
            "predict-first-word",
            lambda a, b, x, y: [a, b],
            "Those are the probabilities of the first words. What is that of a whole sentence?",
        ),
        Mistake(
            "predict-second-word",
            lambda a, b, x, y: [x, y],
            "Those are the probabilities of the second words. What is that of a whole sentence?",
        ),
        Mistake(
            "predict-ends-crossed",
            lambda a, b, x, y: [a * y, b * x],
            'You followed each word with the other\'s continuation. Which one comes after "cat"?',
        ),
        Mistake(
            "predict-logarithms",
            lambda a, b, x, y: [math.log(a * x), math.log(b * y)],
            "Those are log-probabilities, and right ones. What is asked for?",
        ),
    ],
    hints=[
        "Greedy search takes the likelier first word, and then has to live with it.",
        "Along a path probabilities are multiplied. There are two paths to compare.",
    ],
)


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


def _nucleus_case(seed: int) -> Mapping[str, Arguments]:
    rng = Rng(seed)
    probabilities = torch.tensor([0.42, 0.27, 0.14, 0.09, 0.05, 0.03])
    return {
        "yours": {
            "probabilities": probabilities[rng.permutation(6)],
            "threshold": rng.choice([0.6, 0.75, 0.8, 0.9]),
        }
    }


def _nucleus(probabilities: Tensor, threshold: float) -> int:
    ranked = probabilities.sort(descending=True).values
    return int((ranked.cumsum(0) - ranked < threshold).sum())


predict_nucleus = Exercise(
    "predict_nucleus",
    points=1,
    reference=_nucleus,
    cases=_nucleus_case,
    question=lambda probabilities, threshold: say(
        "Six words have the probabilities {probabilities}. How many of them can be "
        "drawn after top-p with the threshold {threshold}?",
        probabilities=[round(p, 2) for p in probabilities.tolist()],
        threshold=threshold,
    ),
    mistakes=[
        Mistake(
            "predict-one-fewer",
            lambda probabilities, threshold: _nucleus(probabilities, threshold) - 1,
            "Your words do not reach the threshold. Is the one that carries them over it in or "
            "out?",
        ),
        Mistake(
            "predict-one-more",
            lambda probabilities, threshold: _nucleus(probabilities, threshold) + 1,
            "One word fewer already reaches the threshold. When do you stop?",
        ),
        Mistake(
            "predict-all",
            lambda probabilities, threshold: len(probabilities),
            "You kept all six. Which of them are not needed?",
        ),
        Mistake(
            "predict-the-others",
            lambda probabilities, threshold: (
                len(probabilities) - _nucleus(probabilities, threshold)
                if len(probabilities) != 2 * _nucleus(probabilities, threshold)
                else 0
            ),
            "You counted the words that are dropped. Which ones can be drawn?",
        ),
    ],
    hints=[
        "Put the six in order, the likeliest first, and add them up one by one.",
        "Stop as soon as the sum has reached the threshold, and count the words in the sum.",
    ],
)
