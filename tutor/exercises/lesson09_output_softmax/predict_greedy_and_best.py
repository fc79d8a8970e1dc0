"""predict_greedy_and_best: the most likely first word, and the most likely sentence."""

import math
from collections.abc import Mapping

from tutor.checking.exercise import Arguments, Exercise, Mistake
from tutor.checking.seeds import Rng
from tutor.say import say


def _paths_case(seed: int) -> Mapping[str, Arguments]:
    """Draw a two-step choice in which the more likely first word has the worse end."""
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
        '"cat" the most likely next word has probability {end_after_cat}, after "dog" '
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
        "Greedy search takes the more likely first word, and then has to live with it.",
        "Along a path probabilities are multiplied. There are two paths to compare.",
    ],
)
