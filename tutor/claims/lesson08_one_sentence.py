"""What lesson 8 says it measured of its little translator."""

from statistics import mean

from tutor.claims.claim import Claim, Shown
from tutor.claims.runs import Runs

_LESSON, _SWEEP = "08_full_transformer", "left_out_sentences"
_ALMOST_ALL = {"sentences": [95]}
_WELL_FORMED = ("well formed, zeros", "well formed, mean", "well formed, noise")


def _many_are_needed(runs: Runs) -> bool:
    many, few = runs.at(sentences=72), runs.at(sentences=12)
    return many.lowest("right") > 0.8 and few.highest("right") < 1 / 6


def _well_formed_about_nothing(runs: Runs) -> bool:
    zeros, of_all, noise = (mean(runs.numbers(share)) for share in _WELL_FORMED)
    return zeros > 0.75 and of_all > 0.9 and noise < of_all - 0.1


def _some_are_not_tidy(runs: Runs) -> bool:
    return mean(runs.numbers("aligned")) < 0.8


CLAIMS = (
    Claim(
        "many-sentences-are-needed",
        lesson=_LESSON,
        cell="how-many-sentences-sure",
        sentence="With 72 sentences every training run got more than four of five new ones right, "
        "with 12 none got more than one of six.",
        compares="the share of new sentences right after 72 sentences with that after 12",
        sweep=_SWEEP,
        holds=_many_are_needed,
        of={"sentences": [12, 24, 36, 48, 72], "layers": [1]},
        each=("initialisation",),
        shown=(Shown("right", "initialisation", "sentences"),),
    ),
    Claim(
        "the-map-need-not-be-tidy",
        lesson=_LESSON,
        cell="the-film-sure",
        sentence="So tidy a map is no rule: of the other training runs, with one layer or two, at "
        "least one in five had no head that looks at the right word each time.",
        compares="the share of trainings in which one head looks at the right word three times",
        sweep=_SWEEP,
        holds=_some_are_not_tidy,
        of=_ALMOST_ALL,
        each=("layers",),
        shown=(Shown("aligned", "initialisation", "layers", form=".0f"),),
    ),
    Claim(
        "cut-it-writes-a-sentence",
        lesson=_LESSON,
        cell="cut-the-wire-sure",
        sentence="Of the other translators, with one layer or two, more than three of four wrote "
        "a well-formed sentence out of zeros, and nearly all out of the mean of all memories; out "
        "of noise fewer.",
        compares="the shares of trainings that write subject, object, verb and the end from a "
        "memory of zeros, of the mean of all memories, and of noise",
        sweep=_SWEEP,
        holds=_well_formed_about_nothing,
        of=_ALMOST_ALL,
        each=("layers",),
        shown=tuple(Shown(share, "initialisation", "layers", form=".1f") for share in _WELL_FORMED),
    ),
    Claim(
        "later-words-follow-the-new-memory",
        lesson=_LESSON,
        cell="change-the-memory-sure",
        sentence="In every training run we tried at least four of five such changes went this way, "
        "between any two sentences, after one word or two.",
        compares="the share of changes after which all later words are those of the new sentence",
        sweep=_SWEEP,
        holds=lambda runs: runs.lowest("swapped") > 0.8,
        of=_ALMOST_ALL,
        each=("layers", "initialisation"),
        shown=(Shown("swapped", "initialisation", "layers"),),
    ),
    Claim(
        "order-is-not-learned",
        lesson=_LESSON,
        cell="shuffle-the-memory-sure",
        sentence="Read backwards, more than four of five sentences came out as if read forwards, "
        "in every training run that began with this course's initialisation, Xavier's.",
        compares="the share of sentences translated right when their words stand in reverse order",
        sweep=_SWEEP,
        holds=lambda runs: runs.lowest("backwards") > 0.8,
        of=_ALMOST_ALL,
        each=("layers", "initialisation"),
        within={"initialisation": ["xavier"]},
        shown=(Shown("backwards", "initialisation", "layers"),),
    ),
)
