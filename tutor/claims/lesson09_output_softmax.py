"""What lesson 9 says it measured, on the language model SmolLM2."""

from math import log

from tutor.claims.claim import Claim, Shown
from tutor.claims.runs import Runs

_LESSON = "09_output_softmax"


def _heat_needs_a_cut(runs: Runs) -> bool:
    return runs.lowest("beyond") > 0.1 and runs.highest("min-p") < 100


def _read_again_costs_less(runs: Runs) -> bool:
    after_another = runs.at(before="another")
    return runs.at(before="itself").highest("surprise") < 0.5 * after_another.lowest("surprise")


def _gain(runs: Runs) -> list[float]:
    """How much less the second time costs than the first, run by run."""
    return [a - b for a, b in zip(runs.numbers("first"), runs.numbers("again"), strict=True)]


def _few_heads_copy(runs: Runs) -> bool:
    whole = _gain(runs.at(off="none"))
    without = _gain(runs.at(off="8 induction"))
    others = _gain(runs.at(off="8 others"))
    return max(without) < 0.4 * min(whole) and min(others) > 0.6 * max(whole)


def _loops(runs: Runs) -> bool:
    repeated = [runs.at(prompt=prompt).highest("repeated") for prompt in runs.values_of("prompt")]
    return sum(share > 0.25 for share in repeated) == 5 and repeated.count(0.0) == 4


def _hot_is_noise(runs: Runs) -> bool:
    cut = runs.at(choice="T 1.5, min-p .1")
    return runs.at(choice="T 1.5").lowest("surprise") > 7 and cut.highest("surprise") < 3


def _likelier_than_chance(runs: Runs) -> bool:
    least = min(runs.lowest("beam"), runs.lowest("greedy"))
    return least - runs.highest("drawn") > log(1.4)


CLAIMS = (
    Claim(
        "greedy-loops",
        lesson=_LESSON,
        cell="always-the-likeliest-sure",
        sentence="Five of twelve prompts ended so within sixty tokens: more than a quarter of "
        "their runs of four tokens had been there before. Four never repeated one.",
        compares="the share of four-token runs that came before with a quarter and with none",
        sweep="smollm_writing",
        holds=_loops,
        each=("choice",),
        within={"choice": ["greedy"]},
        shown=(Shown("repeated", "prompt", "choice"),),
    ),
    Claim(
        "hot-text-is-noise",
        lesson=_LESSON,
        cell="same-dice-sure",
        sentence="After each of twelve prompts, sixty tokens drawn at T = 1.5 surprise the model"
        " itself by more than 7 nats per token, with min-p = 0.1 by fewer than 3.",
        compares="how surprising a model finds its own bold text, without a cut and with one",
        sweep="smollm_writing",
        holds=_hot_is_noise,
        each=("prompt",),
        shown=(Shown("surprise", "prompt", "choice"),),
    ),
    Claim(
        "likelier-than-chance",
        lesson=_LESSON,
        cell="four-beams-sure",
        sentence="On six prompts, with beams of 2 and of 4, the tokens of beam and of greedy "
        "search are more probable than drawn ones by a factor of at least 1.4.",
        compares="the mean log-probability of a token by beam, by greedy search and by chance",
        sweep="smollm_beams",
        holds=_likelier_than_chance,
        each=("prompt", "width"),
        shown=(
            Shown("in common", "prompt", "width"),
            Shown("beam", "prompt", "width"),
            Shown("greedy", "prompt", "width"),
            Shown("drawn", "prompt", "width"),
        ),
    ),
    Claim(
        "heat-needs-a-cut",
        lesson=_LESSON,
        cell="bolder-dice-sure",
        sentence="At T = 1.5 more than a tenth of the probability lies beyond the 256 most "
        "likely tokens after each of twelve prompts, and min-p = 0.1 leaves fewer than "
        "a hundred tokens.",
        compares="what lies beyond the 256 most likely tokens with a tenth, and what min-p leaves",
        sweep="smollm_heat",
        holds=_heat_needs_a_cut,
        each=("temperature",),
        within={"temperature": [1.5]},
        shown=(
            Shown("beyond", "prompt", "temperature"),
            Shown("min-p", "prompt", "temperature", form=".0f"),
        ),
    ),
    Claim(
        "read-again-costs-less",
        lesson=_LESSON,
        cell="read-again-sure",
        sentence="Each of eight sentences costs less than half as much when it has just been read "
        "as after another sentence.",
        compares="the surprise at a sentence after itself with that after three others",
        sweep="smollm_reading",
        holds=_read_again_costs_less,
        each=("sentence",),
        shown=(Shown("surprise", "sentence", "before"),),
    ),
    Claim(
        "first-piece-sink",
        lesson=_LESSON,
        cell="where-its-heads-look-sure",
        sentence="On each of eight sentences more than .6 of all attention lies on the first "
        "token.",
        compares="the share of all weight on the first token with .6",
        sweep="smollm_reading",
        holds=lambda runs: runs.lowest("on first") > 0.6,
        each=("sentence",),
        shown=(Shown("on first", "sentence", "before"),),
    ),
    Claim(
        "induction-heads-copy",
        lesson=_LESSON,
        cell="heads-that-copy-sure",
        sentence="With the eight heads switched off that look most at what followed last time, "
        "most of the gain is gone; with eight others off, most of it stays.",
        compares="the gain of reading again, whole, without eight heads, and without eight others",
        sweep="smollm_copying",
        holds=_few_heads_copy,
        each=("length",),
        shown=(Shown("again", "off", "length"),),
    ),
)
