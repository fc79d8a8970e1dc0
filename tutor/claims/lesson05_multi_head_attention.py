"""What lesson 5 says it measured."""

from tutor.claims.claim import Claim, Shown
from tutor.claims.runs import Runs

_LESSON = "05_multi_head_attention"
_CELL = "each-head-by-itself-text"


def _looking_back_matters(runs: Runs) -> bool:
    return runs.highest("without") < 0.36 and runs.lowest("others") > 0.95


def _two_layers_learn_it(runs: Runs) -> bool:
    return runs.at(layers=1).highest("right") < 0.1 and runs.at(layers=2).lowest("right") > 0.95


CLAIMS = (
    Claim(
        "letters-look-back",
        lesson=_LESSON,
        cell=_CELL,
        sentence="Without the heads of layer 0 that look back at most a third of the letters are "
        "foretold, without the layer's other heads nearly all.",
        compares="the share of letters foretold with the one or the other heads of layer 0 off",
        sweep="letter_heads",
        holds=_looking_back_matters,
        of={"layers": 2, "steps": 600},
        each=("layers",),
        shown=(
            Shown("heads", "layers", "steps", form=".0f"),
            Shown("without", "layers", "steps"),
            Shown("others", "layers", "steps"),
        ),
    ),
    Claim(
        "letters-one-layer",
        lesson=_LESSON,
        cell=_CELL,
        sentence="One layer never learns the game, two do.",
        compares="one layer and two, with as many weights, by the share of letters foretold",
        sweep="letter_heads",
        holds=_two_layers_learn_it,
        of={"steps": 600},
        each=("steps",),
        shown=(Shown("right", "layers", "steps"),),
    ),
)
