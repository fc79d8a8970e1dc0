"""What lesson 7 says it measured."""

from tutor.claims.claim import Claim, Shown
from tutor.claims.runs import Runs

_LESSON = "07_masking"


def _reads_the_answer(runs: Runs) -> bool:
    cheats = [runs.at(mask=False), runs.at(mask=True, shift=False)]
    honest = runs.at(mask=True, shift=True)
    return (
        all(r.lowest("right as trained") > 0.79 and r.lowest("loss in use") > 2.6 for r in cheats)
        and honest.lowest("loss as trained") > 2.29
        and honest.highest("loss in use") < 2.6
    )


def _looks_one_ahead(runs: Runs) -> bool:
    return runs.lowest("weight ahead") > 0.99


def _one_place_a_layer(runs: Runs) -> bool:
    right, layers = runs.at(diagonal=0), runs.values_of("layers")[0]
    shifted = runs.at(diagonal=1).numbers("ahead")
    return right.highest("largest") == 0 and all(ahead == layers for ahead in shifted)


def _about_their_share(runs: Runs) -> bool:
    pairs = zip(runs.numbers("share"), runs.numbers("of their number"), strict=True)
    return all(1 / 3 < share / of_tokens < 1.5 for share, of_tokens in pairs)


CLAIMS = (
    Claim(
        "pads-take-weight",
        lesson=_LESSON,
        cell="a-batch-is-a-rectangle-sure",
        sentence="In the untrained layers we tried, pads took between a third and one and a half "
        "times their share of the tokens.",
        compares="the share of attention that unmasked pads take with their share of the tokens",
        sweep="padding_share",
        holds=_about_their_share,
        each=("words", "pads", "d_model", "initialisation"),
        shown=(Shown("share", "pads", "words"), Shown("of their number", "pads", "words")),
    ),
    Claim(
        "leak-adds-up",
        lesson=_LESSON,
        cell="the-future-leak-test-sure",
        sentence="One position too many in each layer adds up: after four layers outputs see four "
        "positions ahead. With the right diagonal it is exactly 0, with any number of layers",
        compares="the places an output sees ahead with the number of layers, by derivatives",
        sweep="leak_depth",
        holds=_one_place_a_layer,
        of={"diagonal": [0, 1]},
        each=("layers", "width", "initialisation"),
        shown=(Shown("ahead", "layers", "diagonal", form=".0f"),),
    ),
    Claim(
        "looks-one-ahead",
        lesson=_LESSON,
        cell="the-culprit-sure",
        sentence="After 200 steps without the mask, every decoder that began with PyTorch's own or "
        "Xavier's initialisation puts at least .99 of each position's weight on the digit one "
        "ahead.",
        compares="the lowest weight that a position puts on the next, without the mask",
        sweep="fortune_teller",
        holds=_looks_one_ahead,
        of={"mask": False, "shift": True},
        each=("steps", "rate", "initialisation"),
        within={"steps": [200], "initialisation": ["default", "xavier"]},
        shown=(Shown("weight ahead", "steps", "initialisation", form=".3f"),),
    ),
    Claim(
        "too-good-a-loss",
        lesson=_LESSON,
        cell="leave-one-out-sure",
        sentence="After 200 steps every decoder we trained without one of the two said at "
        "least four digits of five, and in use did worse than guessing.",
        compares="digits foretold as trained and loss in use, without mask or shift and with both",
        sweep="fortune_teller",
        holds=_reads_the_answer,
        each=("steps", "rate", "initialisation"),
        within={"steps": [200]},
        shown=(
            Shown("right as trained", "steps", "mask", only={"shift": True}),
            Shown("loss in use", "steps", "mask", only={"shift": True}, form=".1f"),
            Shown("loss in use", "steps", "shift", only={"mask": True}, form=".1f"),
        ),
    ),
)
