"""What lesson 6 says it measured."""

from tutor.claims.claim import Claim, Shown
from tutor.claims.runs import Runs

_LESSON = "06_residual_and_layer_norm"
_FRESH = ("inside", "d_model", "layers")


def _residuals_with_a_norm_win(runs: Runs) -> bool:
    with_residuals = runs.at(way=["pre-norm", "post-norm"]).highest("error")
    return with_residuals + 0.02 < runs.at(way=["plain", "norm"]).lowest("error")


def _pre_norm_forgives(runs: Runs) -> bool:
    plain, pre = (
        runs.at(residual=on, norm=norm) for on, norm in ((False, "none"), (True, "before"))
    )
    of_plain, of_pre = (some.highest("gradient") / some.lowest("gradient") for some in (plain, pre))
    return of_plain > 1e15 and of_pre < 100


def _norm_alone_keeps_the_gradient(runs: Runs) -> bool:
    return runs.lowest("gradient") > 1e-3 and runs.highest("gradient") < 20


def _residual_alone_explodes(runs: Runs) -> bool:
    return runs.at(residual=True, norm="none").lowest("gradient") > 100


def _residual_keeps_tokens_apart(runs: Runs) -> bool:
    norm_alone = runs.at(residual=False, norm=["before", "after"]).lowest("alike")
    return norm_alone > 0.95 and runs.at(residual=True, norm="before").highest("alike") < 0.85


def _alike(residual: bool, norm: str) -> Shown:
    """Show how alike tokens are above 32 layers of one kind."""
    only = {"residual": residual, "norm": norm, "layers": 32}
    return Shown("alike", "initialisation", "inside", only)


def _initialisation_decides_in_post_norm(runs: Runs) -> bool:
    of_he, of_default = (runs.at(initialisation=first) for first in ("he", "default"))
    return of_he.lowest("alike") > 0.9 and of_default.highest("alike") < 0.85


def _neurons_know_words(runs: Runs) -> bool:
    share = {case: runs.at(case=case).lowest("share") for case in runs.values_of("case")}
    months = min(share["months: may"], share["months: march"])
    return months > 0.9 and share["money: bank"] > 0.8 and share["the body: palm"] < 0.5


def _little_written_much_lost(runs: Runs) -> bool:
    lost = runs.numbers("lost")
    half_on_average = 0.45 < sum(lost) / len(lost) < 0.6
    return runs.highest("bar") < 0.1 and min(lost) > 0.2 and half_on_average


CLAIMS = (
    Claim(
        "neurons-know-words",
        lesson=_LESSON,
        cell="named-neurons-sure",
        sentence="At *may* and *march* as verbs the neuron of the months has at least nine tenths "
        "of its value at the months. A neuron for money has four fifths at the river's *bank*. But "
        "the one for the body has less than half at the palm that is a tree",
        compares="a neuron's mean value at a word in one sense and in the other",
        sweep="neuron_senses",
        holds=_neurons_know_words,
        each=(),
        shown=(
            Shown("fits", "case", "case"),
            Shown("other", "case", "case"),
            Shown("share", "case", "case"),
        ),
    ),
    Claim(
        "first-attention-off",
        lesson=_LESSON,
        cell="a-real-stream-sure",
        sentence="For each of ten words with two senses the first attention's own bars are less "
        "than a tenth of the distance, and without it more than a fifth is lost, on average half.",
        compares="what the first attention adds itself, and what is lost without it",
        sweep="sub_layers_off",
        holds=_little_written_much_lost,
        of={"sub_layer": "attention 0"},
        each=("instead",),
        shown=(
            Shown("bar", "word", "instead"),
            Shown("lost", "word", "instead"),
            Shown("agree", "word", "instead"),
        ),
    ),
    Claim(
        "first-weights-and-depth",
        lesson=_LESSON,
        cell="flip-the-switches-sure",
        sentence="From one initialisation to another, the gradient below 32 plain layers changes "
        "by more than fifteen powers of ten, below 32 pre-norm layers by less than two.",
        compares="the gradient at the bottom of plain and pre-norm stacks, over initialisations",
        sweep="deep_stacks",
        holds=_pre_norm_forgives,
        each=_FRESH,
        within={"layers": [32]},
        shown=(
            Shown(
                "gradient", "initialisation", "inside", {"residual": False, "norm": "none"}, ".1g"
            ),
            Shown(
                "gradient", "initialisation", "inside", {"residual": True, "norm": "before"}, ".1g"
            ),
        ),
    ),
    Claim(
        "norm-alone-keeps-the-gradient",
        lesson=_LESSON,
        cell="flip-the-switches-sure",
        sentence="A norm alone keeps the gradient at the bottom between a thousandth and 20 times "
        "its length at the top.",
        compares="the gradient at the bottom of stacks with a norm and no residual, 1 at the top",
        sweep="deep_stacks",
        holds=_norm_alone_keeps_the_gradient,
        each=(*_FRESH, "initialisation", "norm"),
        of={"residual": False, "norm": ["before", "after"]},
        shown=(
            Shown(
                "gradient", "initialisation", "layers", {"residual": False, "norm": "before"}, ".1g"
            ),
            Shown(
                "gradient", "initialisation", "layers", {"residual": False, "norm": "after"}, ".1g"
            ),
        ),
    ),
    Claim(
        "residual-alone-explodes",
        lesson=_LESSON,
        cell="flip-the-switches-sure",
        sentence="With the residual alone it grows more than a hundredfold from all "
        "initialisations but PyTorch's default.",
        compares="the gradient at the bottom of stacks with a residual and no norm, 1 at the top",
        sweep="deep_stacks",
        holds=_residual_alone_explodes,
        each=(*_FRESH, "initialisation"),
        within={"layers": [32], "initialisation": ["xavier", "kept", "he"]},
        shown=(
            Shown(
                "gradient", "initialisation", "layers", {"residual": True, "norm": "none"}, ".1g"
            ),
        ),
    ),
    Claim(
        "tokens-stay-apart",
        lesson=_LESSON,
        cell="same-size-sure",
        sentence="In stacks with feed-forward layers, a norm without residual brings the mean "
        "cosine of two tokens above .95 in 32 layers; pre-norm leaves it below .85.",
        compares="the mean cosine of two tokens above stacks with a norm alone and with pre-norm",
        sweep="deep_stacks",
        holds=_residual_keeps_tokens_apart,
        each=(*_FRESH, "initialisation"),
        within={"layers": [32], "inside": ["feed-forward", "both"]},
        shown=(
            _alike(residual=False, norm="after"),
            _alike(residual=True, norm="before"),
        ),
    ),
    Claim(
        "tokens-in-post-norm",
        lesson=_LESSON,
        cell="same-size-sure",
        sentence="In post-norm the initialisation decides: from He's weights the mean cosine of "
        "two tokens ends above .9, from PyTorch's default below .85.",
        compares="the mean cosine of two tokens above post-norm stacks of two initialisations",
        sweep="deep_stacks",
        holds=_initialisation_decides_in_post_norm,
        each=_FRESH,
        of={"residual": True, "norm": "after"},
        within={"layers": [32], "inside": ["feed-forward", "both"]},
        shown=(_alike(residual=True, norm="after"),),
    ),
    Claim(
        "residuals-at-depth",
        lesson=_LESSON,
        cell="deeper-and-worse-sure",
        sentence="At 24 layers, from PyTorch's default and from Xavier's initialisation, residuals "
        "with a norm, in the branch or after the sum, end with a smaller error than all stacks "
        "without residuals.",
        compares="training errors of stacks with residuals and a norm, and without residuals",
        sweep="degradation",
        holds=_residuals_with_a_norm_win,
        each=("depth", "initialisation", "rate", "d_model"),
        within={"depth": [24], "initialisation": ["default", "xavier"]},
        shown=(
            Shown("error", "way", "depth", only={"initialisation": "default"}),
            Shown("error", "way", "depth", only={"initialisation": "xavier"}),
            Shown("error", "way", "depth", only={"initialisation": "he"}, form=".2g"),
        ),
    ),
)
