"""What lesson 8 says it measured of three models in a race, and of chains."""

from tutor.claims.claim import Claim, Shown
from tutor.claims.runs import Runs

_LESSON = "08_full_transformer"
_ALL, _STUCK = 0.99, 0.45
_TWO = "two steps"
_NO_FIRST, _NO_LAST = "two steps without the first look", "two steps without the last look"
_ONE_VECTOR = {2: (0.97, 1.0), 3: (0.97, 1.0), 4: (0.85, 1.0), 5: (0.5, 0.65), 6: (0.15, 0.25)}


def _as_many_as_said(runs: Runs) -> bool:
    """Nearly all lists of up to four names, half of those of five, a fifth of those of six."""
    low, high = _ONE_VECTOR.get(runs.values_of("names")[0], (0.15, 1.0))
    return low <= runs.lowest("right") and runs.highest("right") <= high


def _attention_over_a_gru_leads(runs: Runs) -> bool:
    ahead, behind = runs.at(model="gru-attention"), runs.at(model="transformer")
    return ahead.lowest("right") > behind.highest("right") + 0.01


def _all_or_the_commonest(runs: Runs) -> bool:
    """Every training does one or the other, and at some setting seeds do not do the same."""
    ends = [share > _ALL for share in runs.numbers(_TWO) if share > _ALL or share < _STUCK]
    alike = ("width", "rate", "steps", "initialisation")
    mixed = [
        same.highest(_TWO) > _ALL and same.lowest(_TWO) < _STUCK for _, same in runs.each(alike)
    ]
    return len(ends) == len(runs) and any(mixed)


def _both_are_needed(runs: Runs) -> bool:
    """Where it follows the chain, one look-up less leaves fewer than the commonest letter gives."""
    ends = zip(
        runs.numbers(_TWO),
        runs.numbers(_NO_FIRST),
        runs.numbers(_NO_LAST),
        strict=True,
    )
    return all(max(first, last) < _STUCK for share, first, last in ends if share > _ALL)


CLAIMS = (
    Claim(
        "one-vector-names",
        lesson=_LESSON,
        cell="three-models-compared-sure",
        sentence="One vector holds four names nearly always, five about every other time, six "
        "every fifth.",
        compares="the share of lists that the GRU without attention writes right, by their names",
        sweep="three_models",
        holds=_as_many_as_said,
        of={"task": "phrasebook-fr", "model": "gru", "names": [2, 3, 4, 5, 6, 8]},
        each=("names",),
        within={"names": [2, 3, 4, 5, 6]},
        shown=(Shown("right", "model", "names"),),
    ),
    Claim(
        "gru-attention-leads",
        lesson=_LESSON,
        cell="three-models-compared-sure",
        sentence="On both tasks the GRU with attention is ahead of the Transformer, by more than "
        "the seeds differ.",
        compares="the worst GRU with attention with the best Transformer, on all new phrases or "
        "words",
        sweep="three_models",
        holds=_attention_over_a_gru_leads,
        of={"names": [0], "model": ["transformer", "gru-attention"]},
        each=("task",),
        shown=(Shown("right", "model", "task", form=".3f"),),
    ),
    Claim(
        "chains-one-look",
        lesson=_LESSON,
        cell="how-often-chains-sure",
        sentence="With one look-up no training run got beyond the most common letter, not even "
        "with a GRU below it.",
        compares="readers with one layer with always saying the most common last letter, on "
        "questions in two steps",
        sweep="chains",
        holds=lambda runs: runs.highest(_TWO) < _STUCK,
        of={"reader": ["1 layer", "GRU + 1 layer"]},
        each=("reader", "width", "rate", "initialisation"),
        shown=(Shown(_TWO, "reader", "width"), Shown(_TWO, "reader", "initialisation")),
    ),
    Claim(
        "chains-all-or-nothing",
        lesson=_LESSON,
        cell="how-often-chains-sure",
        sentence="Two layers or three follow the chain without fail or not at all, and the seed "
        "alone can decide which.",
        compares="each training of two layers and of three with all questions answered and with "
        "the most common last letter",
        sweep="chains",
        holds=_all_or_the_commonest,
        of={"reader": ["2 layers", "3 layers", "GRU + 2 layers"]},
        each=("reader",),
        shown=(Shown(_TWO, "reader", "initialisation"), Shown(_TWO, "reader", "rate")),
    ),
    Claim(
        "chains-both-looks",
        lesson=_LESSON,
        cell="chains-sure",
        sentence="Wherever two layers have learned to follow the chain, both look-ups are needed.",
        compares="questions in two steps with one look-up switched off with the commonest last "
        "letter, for two layers that follow the chain",
        sweep="chains",
        holds=_both_are_needed,
        of={"reader": ["2 layers", "GRU + 2 layers"]},
        each=("reader", "width", "rate", "steps", "initialisation"),
        shown=(
            Shown(_NO_FIRST, "steps", "initialisation"),
            Shown(_NO_LAST, "steps", "initialisation"),
        ),
    ),
)
