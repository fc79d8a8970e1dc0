"""What lesson 3 says it measured."""

from itertools import pairwise

from tutor.claims.claim import Claim, Shown
from tutor.claims.runs import Runs

_LESSON = "03_positional_encoding"


def _the_same_without_positions(runs: Runs) -> bool:
    without, with_positions = runs.at(positions=False), runs.at(positions=True)
    return (
        without.lowest("sentences") > 0.9999
        and without.highest("changed") == 0
        and with_positions.highest("sentences") < 0.995
        and with_positions.lowest("changed") == 1
    )


def _only_two_layers_with_a_mask(runs: Runs) -> bool:
    others = (runs.at(layers=1), runs.at(layers=2, mask=False))
    told = runs.at(layers=2, mask=True)
    return told.lowest("right") > 0.98 and all(other.highest("right") < 0.6 for other in others)


def _each_factor_keeps_something(runs: Runs) -> bool:
    plain, root, whole = (runs.at(factor=factor) for factor in ("1", "√d", "d"))
    widths = [root.at(d_model=width) for width in runs.values_of("d_model")]
    return (
        plain.lowest("place") == 1
        and plain.highest("word") < 0.5
        and root.lowest("word") == 1
        and all(narrow.highest("place") < wide.lowest("place") for narrow, wide in pairwise(widths))
        and whole.lowest("word") == 1
        and whole.highest("place") < 0.1
    )


def _every_factor_learns(runs: Runs) -> bool:
    small = runs.at(factor=["1", "√d"])
    return small.lowest("right") > 0.98 and runs.at(factor="d").lowest("right") > 2 / 3


CLAIMS = (
    Claim(
        "positions-tell",
        lesson=_LESSON,
        cell="who-gave-whom-sure",
        sentence="Without positions MiniLM gives both sentences of a pair one and the same vector, "
        "and no word in them changes",
        compares="two sentences of the same words, with positions and without",
        sweep="swapped_words",
        holds=_the_same_without_positions,
        each=("pair",),
        within={"pair": ["tea", "Apple", "TOEFL"]},
        shown=(Shown("sentences", "pair", "positions", form=".3f"),),
    ),
    Claim(
        "mask-tells-order",
        lesson=_LESSON,
        cell="only-earlier-words-sure",
        sentence="Without position vectors only two layers with a mask tell the order, and they "
        "tell it always.",
        compares="one layer and two, with a mask and without",
        sweep="order_under_mask",
        holds=_only_two_layers_with_a_mask,
        each=("width", "initialisation"),
        shown=(Shown("right", "layers", "mask"),),
    ),
    Claim(
        "factor-decides",
        lesson=_LESSON,
        cell="who-drowns-sure",
        sentence="Times 1 keeps every position and loses most words; times √d keeps every word "
        "and, the wider the row, the more positions; times d keeps the words alone.",
        compares="what is read back of words and positions at three factors",
        sweep="word_or_place",
        holds=_each_factor_keeps_something,
        each=("centred",),
        within={"centred": [False]},
        shown=(
            Shown("word", "factor", "d_model", {"centred": False}),
            Shown("place", "factor", "d_model", {"centred": False}),
        ),
    ),
    Claim(
        "training-mends-sizes",
        lesson=_LESSON,
        cell="who-drowns-sure",
        sentence="Trained, one layer tells which of two words came first at every factor: times 1 "
        "and times √d nearly always, times d in more than two of three sentences.",
        compares="three factors of the words after training with guessing",
        sweep="sizes_trained",
        holds=_every_factor_learns,
        each=("d_model", "initialisation"),
        shown=(Shown("right", "factor", "d_model"),),
    ),
    Claim(
        "joined-or-added",
        lesson=_LESSON,
        cell="does-the-difference-matter-sure",
        sentence="From eight numbers per word on both ways learn it.",
        compares="positions added and positions concatenated with guessing",
        sweep="join_positions",
        holds=lambda runs: runs.at(way=["added", "concatenated"]).lowest("right") > 0.9,
        each=("d_model", "initialisation"),
        within={"d_model": [8, 16, 32]},
        shown=(Shown("right", "way", "d_model"),),
    ),
)
