"""What lesson 8 says it measured with a trained model's attentions cut."""

from tutor.claims.claim import Claim, Shown
from tutor.claims.runs import Runs

_LESSON, _SWEEP = "08_full_transformer", "three_switches"
_PAIRS = ["sh", "th", "ph", "ch", "a…e"]
_LISTS = ["date", "list2", "list4", "list6"]


def _pairs_need_the_encoder(runs: Runs) -> bool:
    whole, cut = runs.at(cut=""), runs.at(cut="encoder")
    return (
        whole.lowest("share") > 0.85
        and cut.at(kind=_PAIRS).highest("share") < 0.2
        and cut.at(kind="b").lowest("share") > 0.9
    )


def _lists_need_the_look_back(runs: Runs) -> bool:
    whole, cut = runs.at(cut=""), runs.at(cut="look back")
    return (
        whole.lowest("share") > 0.85
        and cut.at(kind=_LISTS).highest("share") == 0
        and cut.at(kind="money").lowest("share") > 0.75
    )


CLAIMS = (
    Claim(
        "sounds-need-the-encoder",
        lesson=_LESSON,
        cell="cut-the-encoder-sure",
        sentence="With the encoder's self-attention cut, fewer than one in five new words with "
        "*sh*, *th*, *ph*, *ch* or *a…e* keep their sound, but nine of ten with *b* do.",
        compares="new words that keep a sound with nothing cut and with the encoder's "
        "self-attention cut, for sounds of two letters and of one",
        sweep=_SWEEP,
        holds=_pairs_need_the_encoder,
        of={"kind": [*_PAIRS, "b"], "cut": ["", "encoder", "look back"]},
        each=("training",),
        shown=(Shown("share", "kind", "cut"),),
    ),
    Claim(
        "lists-need-the-look-back",
        lesson=_LESSON,
        cell="cut-the-look-back-sure",
        sentence="With the decoder's self-attention cut, no list and no date came out right, but "
        "more than three of four sums of money did.",
        compares="new phrases that come out right with nothing cut and with the decoder's "
        "self-attention cut, for lists, dates and money",
        sweep=_SWEEP,
        holds=_lists_need_the_look_back,
        of={"kind": [*_LISTS, "money"], "cut": ["", "encoder", "look back"]},
        each=("training",),
        shown=(Shown("share", "kind", "cut"),),
    ),
)
