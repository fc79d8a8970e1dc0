"""What lesson 5 says it measured."""

from tutor.claims.claim import Claim, Shown
from tutor.claims.runs import Runs

_LESSON = "05_multi_head_attention"


def _looking_back_matters(runs: Runs) -> bool:
    return runs.highest("without") < 0.405 and runs.lowest("others") > 0.9


def _two_layers_learn_it(runs: Runs) -> bool:
    return runs.at(layers=1).highest("right") < 0.1 and runs.at(layers=2).lowest("right") > 0.95


CLAIMS = (
    Claim(
        "letters-look-back",
        lesson=_LESSON,
        cell="what-a-head-asks-sure",
        sentence="From PyTorch's own or Xavier's initialisation, at most two fifths of the "
        "letters are predicted without the heads of layer 0 that look back, and nine in ten or "
        "more without the layer's other heads.",
        compares="the share of letters predicted with the one or the other heads of layer 0 off",
        sweep="letter_heads",
        holds=_looking_back_matters,
        of={"layers": 2, "steps": 600},
        each=("initialisation", "rate"),
        within={"initialisation": ["default", "xavier"]},
        shown=(
            Shown("heads", "initialisation", "rate", form=".0f"),
            Shown("right", "initialisation", "rate"),
            Shown("without", "initialisation", "rate"),
            Shown("others", "initialisation", "rate"),
        ),
    ),
    Claim(
        "letters-one-layer",
        lesson=_LESSON,
        cell="find-it-switch-it-off-sure",
        sentence="One layer never learns the game, two do.",
        compares="one layer and two, with as many weights, by the share of letters predicted",
        sweep="letter_heads",
        holds=_two_layers_learn_it,
        of={"steps": 600, "initialisation": ["default", "xavier"]},
        each=("initialisation",),
        shown=(Shown("right", "layers", "initialisation"),),
    ),
)
