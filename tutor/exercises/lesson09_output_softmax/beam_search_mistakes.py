"""The ways in which beam search goes wrong."""

import math
from collections.abc import Callable

from torch import Tensor

from tutor.checking.exercise import Mistake
from tutor.exercises.lesson09_output_softmax.beam_search_variants import (
    Candidate,
    Hypothesis,
    Ids,
    Scored,
    Search,
    next_words,
)
from tutor.exercises.lesson09_output_softmax.toys import BOS, EOS

Result = dict[str, list]


def _best_of_each(best: list[Candidate], room: int) -> list[Candidate]:
    """Keep the best extension of every hypothesis; the first step keeps as many as fit."""
    if len({each.parent for each in best}) == 1:
        return best[:room]
    firsts: dict[int, Candidate] = {}
    for each in best:
        firsts.setdefault(each.parent, each)
    return list(firsts.values())[:room]


def _eos_for_all(best: list[Candidate], room: int) -> list[Candidate]:
    """Let every hypothesis end, besides the best that go on."""
    going_on = [each for each in best if each.word != EOS]
    return [each for each in best if each.word == EOS] + going_on[:room]


def _finished_compete(log_probs: Tensor, width: int, max_length: int, alpha: float) -> Result:
    """Keep finished hypotheses in the beam, as they are, as long as they are good enough."""
    beam: list[Hypothesis] = [((), 0.0)]
    for _ in range(max_length):
        done = [each for each in beam if each[0][-1:] == (EOS,)]
        longer = [
            ((*ids, word), total + new)
            for ids, total in beam
            if ids[-1:] != (EOS,)
            for word, new in enumerate(next_words(log_probs, ids))
        ]
        beam = sorted(longer + done, key=lambda each: -each[1])[:width]
    done = [each for each in beam if each[0][-1] == EOS]
    return _giving()([(ids, total / len(ids) ** alpha, total) for ids, total in done])


def _eos_forced(finished: list[Hypothesis], unfinished: list[Hypothesis]) -> list[Hypothesis]:
    return finished + [((*ids, EOS), total) for ids, total in unfinished]


def _winner(scored: Scored) -> Ids:
    return max(scored, key=lambda each: each[1])[0]


def _best_sum(scored: Scored) -> Ids:
    return max(scored, key=lambda each: each[2])[0]


def _from_best_to_worst(scored: Scored) -> list[float]:
    return sorted((score for _, score, _ in scored), reverse=True)


def _giving(
    best: Callable[[Scored], list[int] | Ids] = _winner,
    scores: Callable[[Scored], list[float]] = _from_best_to_worst,
) -> Callable[[Scored], Result]:
    """Build a result from what ended, in the order in which it did."""
    return lambda scored: {"best": list(best(scored)) if scored else [], "scores": scores(scored)}


_ASK_LENGTH = (
    "Your scores are those of sentences of a different length. Which words count in the length: "
    "bos, eos, both, or neither?"
)
_ASK_AFTER_EOS = (
    "Some of your sentences go on after eos. Where does a hypothesis go when it has ended?"
)

MISTAKES = [
    Mistake(
        "beam-no-length-norm",
        Search(score=lambda ids, total, alpha, longest: total),
        "Your `best` is the one with the best raw sum, whatever α is. Every word makes a sum "
        "smaller: what gives long sentences a fair chance?",
        variants=[
            Search(result=_giving(best=_best_sum)),
            Search(
                result=_giving(
                    best=_best_sum,
                    scores=lambda scored: [
                        score for _, score, _ in sorted(scored, key=lambda each: -each[2])
                    ],
                )
            ),
        ],
    ),
    Mistake(
        "beam-scores-are-sums",
        Search(
            result=_giving(
                scores=lambda scored: [
                    total for _, _, total in sorted(scored, key=lambda each: -each[1])
                ]
            )
        ),
        "Your `best` is right, but what you give as scores are raw sums. What is a score?",
    ),
    Mistake(
        "beam-continues-after-eos",
        Search(goes_on=lambda ids: True, room=lambda width, finished: width),
        _ASK_AFTER_EOS,
        variants=[
            Search(goes_on=lambda ids: True),
            Search(
                finishes=lambda ids: False,
                goes_on=lambda ids: True,
                ranked=lambda _, beam: [each for each in beam if each[0][-1] == EOS],
            ),
            Search(
                finishes=lambda ids: False,
                goes_on=lambda ids: True,
                ranked=lambda _, beam: [each for each in beam if EOS in each[0]],
            ),
            Search(
                finishes=lambda ids: False, goes_on=lambda ids: True, ranked=lambda _, beam: beam
            ),
        ],
    ),
    Mistake(
        "beam-stops-at-first-eos",
        Search(over=lambda finished, width: len(finished) > 0),
        "You stop as soon as one hypothesis has ended. May one that is still going do better?",
        variants=[
            Search(
                over=lambda finished, width: len(finished) > 0,
                ranked=lambda finished, unfinished: finished[:1],
            ),
            Search(
                over=lambda finished, width: len(finished) > 0,
                ranked=lambda finished, unfinished: finished + unfinished,
            ),
        ],
    ),
    Mistake(
        "beam-stops-at-second-eos",
        Search(over=lambda finished, width: len(finished) > 1),
        "You stop before the beam is empty. When is there nothing left to look at?",
    ),
    Mistake(
        "beam-parent-lost",
        Search(parent=lambda j, parent: j),
        "Your sums belong to other words than those you return. Which old hypothesis does the "
        "j-th best candidate extend?",
        variants=[Search(parent=lambda j, parent: 0)],
    ),
    Mistake(
        "beam-probabilities-added",
        Search(total=lambda before, new: before + math.exp(new)),
        "Your sums grow with every word. Probabilities of a chain are multiplied: what is added "
        "instead?",
    ),
    Mistake(
        "beam-scores-are-probabilities",
        Search(score=lambda ids, total, alpha, longest: math.exp(total) / len(ids) ** alpha),
        "Your scores lie between 0 and 1. Is the sum of logarithms asked for, or the probability "
        "itself?",
    ),
    Mistake(
        "beam-last-score-only",
        Search(total=lambda before, new: new),
        "You judge a hypothesis by its last word. What did the words before it cost?",
    ),
    Mistake(
        "beam-width-ignored",
        Search(room=lambda width, finished: 1 - finished),
        "Your beam holds one hypothesis, whatever the width. How many should it keep?",
        variants=[Search(room=lambda width, finished: 1)],
    ),
    Mistake(
        "beam-everything-kept",
        Search(room=lambda width, finished: 40),
        "You find more than such a beam can. How many hypotheses may stay at each step?",
    ),
    Mistake(
        "beam-one-wider",
        Search(room=lambda width, finished: width + 1 - finished),
        "Your beam is one wider than asked. From which number does Python count?",
    ),
    Mistake(
        "beam-one-narrower",
        Search(room=lambda width, finished: max(width - 1 - finished, 0)),
        "Your beam is one narrower than asked. From which number does Python count?",
    ),
    Mistake(
        "beam-not-narrowed",
        Search(room=lambda width, finished: width),
        "You find more finished sentences than the beam is wide. What does a hypothesis that ends "
        "take with it?",
        variants=[
            Search(
                room=lambda width, finished: width,
                over=lambda finished, width: len(finished) >= width,
            )
        ],
    ),
    Mistake(
        "beam-eos-free",
        Search(choose=_eos_for_all, room=lambda width, finished: width),
        "In yours every hypothesis ends at every step, as well as going on. Must an end compete "
        "for a place in the beam like any other word?",
        variants=[
            Search(choose=_eos_for_all, room=lambda width, finished: max(width - finished, 0)),
            Search(
                choose=_eos_for_all,
                room=lambda width, finished: width,
                over=lambda finished, width: len(finished) >= width,
            ),
        ],
    ),
    Mistake(
        "beam-finished-compete",
        _finished_compete,
        "Your finished sentences stay in the beam, and longer ones can push them out or be kept "
        "out by them. Where does a hypothesis go when it has ended?",
    ),
    Mistake(
        "beam-unfinished-returned",
        Search(ranked=lambda finished, unfinished: finished + unfinished),
        "Among your results is one without eos. What is a hypothesis worth if it was cut off?",
    ),
    Mistake(
        "beam-unfinished-when-none",
        Search(ranked=lambda finished, unfinished: finished or unfinished),
        "Where nothing ended you return what was cut off. What is asked for in that case?",
        variants=[Search(ranked=lambda finished, unfinished: finished or unfinished[:1])],
    ),
    Mistake(
        "beam-eos-forced",
        Search(ranked=_eos_forced),
        "You end what the model did not end. What is a hypothesis worth if it was cut off?",
    ),
    Mistake(
        "beam-eos-not-counted",
        Search(score=lambda ids, total, alpha, longest: total / max(len(ids) - 1, 1) ** alpha),
        _ASK_LENGTH,
    ),
    Mistake(
        "beam-bos-counted",
        Search(score=lambda ids, total, alpha, longest: total / (len(ids) + 1) ** alpha),
        _ASK_LENGTH,
    ),
    Mistake(
        "beam-always-the-mean",
        Search(score=lambda ids, total, alpha, longest: total / len(ids)),
        "You divide by the length whatever α is. What does α = 0 mean?",
    ),
    Mistake(
        "beam-alpha-as-factor",
        Search(score=lambda ids, total, alpha, longest: total / (alpha * len(ids) or 1)),
        "You multiply the length by α. What is α in lengthᵅ?",
        variants=[Search(score=lambda ids, total, alpha, longest: total / (alpha * len(ids)))],
    ),
    Mistake(
        "beam-alpha-as-base",
        Search(score=lambda ids, total, alpha, longest: total / (alpha ** len(ids) or 1)),
        "You raise α to the length. Which of the two is the base in lengthᵅ?",
    ),
    Mistake(
        "beam-multiplied",
        Search(score=lambda ids, total, alpha, longest: total * len(ids) ** alpha),
        "The longer a sentence, the more you punish it. Is the sum multiplied or divided?",
    ),
    Mistake(
        "beam-papers-penalty",
        Search(score=lambda ids, total, alpha, longest: total / ((5 + len(ids)) / 6) ** alpha),
        "You use the penalty of Wu et al., ((5 + length)/6)ᵅ. Which one is asked for here?",
        label="another paper's penalty",
    ),
    Mistake(
        "beam-longest-length",
        Search(score=lambda ids, total, alpha, longest: total / longest**alpha),
        "You divide all sums by the same number. Whose length counts?",
    ),
    Mistake(
        "beam-worst-kept",
        Search(choose=lambda best, room: best[::-1][:room]),
        "You keep the least likely beginnings. Which sum is better, −1 or −9?",
    ),
    Mistake(
        "beam-worst-returned",
        Search(
            result=_giving(
                best=lambda scored: min(scored, key=lambda each: each[1])[0],
                scores=lambda scored: sorted(score for _, score, _ in scored),
            )
        ),
        "Your `best` is the worst of the finished ones. Which score is better, −0.5 or −2?",
        variants=[
            Search(result=_giving(best=lambda scored: min(scored, key=lambda each: each[1])[0]))
        ],
    ),
    Mistake(
        "beam-scores-ascending",
        Search(result=_giving(scores=lambda scored: sorted(score for _, score, _ in scored))),
        "Your `best` is right, but your scores go from the worst to the best. Which should come "
        "first?",
    ),
    Mistake(
        "beam-scores-as-they-ended",
        Search(result=_giving(scores=lambda scored: [score for _, score, _ in scored])),
        "Your scores stand in the order in which the sentences ended. Which should come first?",
    ),
    Mistake(
        "beam-first-to-end",
        Search(result=_giving(best=lambda scored: scored[0][0])),
        "Your `best` is the sentence that ended first. Which one is the best?",
    ),
    Mistake(
        "beam-longest-returned",
        Search(result=_giving(best=lambda scored: max(scored, key=lambda each: len(each[0]))[0])),
        "Your `best` is the longest sentence. Which one is the best?",
    ),
    Mistake(
        "beam-best-score-only",
        Search(result=_giving(scores=lambda scored: _from_best_to_worst(scored)[:1])),
        "You give the score of the best alone. Whose scores are asked for?",
    ),
    Mistake(
        "beam-best-with-bos",
        Search(result=_giving(best=lambda scored: [BOS, *_winner(scored)])),
        "Your sentence begins with bos. Who said that, the model or you?",
    ),
    Mistake(
        "beam-best-without-eos",
        Search(result=_giving(best=lambda scored: _winner(scored)[:-1])),
        "Your `best` lacks its eos. Is eos one of the words asked for?",
    ),
    Mistake(
        "beam-best-of-each",
        Search(choose=_best_of_each),
        "In yours every hypothesis has exactly one heir. May one have several, and another none?",
    ),
    Mistake(
        "beam-starts-with-copies",
        Search(start=lambda width: width),
        "Your beam holds the same hypothesis several times. With how many should it start?",
    ),
    Mistake(
        "beam-context-lost",
        Search(look_up=lambda table, ids: table[BOS, (BOS, *ids)[-1]].tolist()),
        "You tell the model only the last word. Which two does it want?",
    ),
    Mistake(
        "beam-context-turned",
        Search(look_up=lambda table, ids: table[(BOS, *ids)[-1], (BOS, BOS, *ids)[-2]].tolist()),
        "You tell the model the last two words in the wrong order. Which comes first in "
        "log_probs[before, last]?",
    ),
    Mistake(
        "beam-one-step-less",
        Search(steps=lambda max_length: max_length - 1),
        "Sentences that end with the last allowed word are missing in yours. How many steps are "
        "there?",
    ),
    Mistake(
        "beam-one-step-more",
        Search(steps=lambda max_length: max_length + 1),
        "Some of your sentences are a word too long. How many steps are there?",
    ),
]
