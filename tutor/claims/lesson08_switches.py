"""What lesson 8 says it measured with a trained model's attentions cut."""

from tutor.claims.claim import Claim, Shown
from tutor.claims.runs import Runs

_LESSON, _SWEEP = "08_full_transformer", "three_switches"
_LOST, _LOST_IN_TWO = ["th", "ph", "a…e"], ["sh", "ch"]
_LISTS = ["date", "list2", "list4", "list6"]


def _pairs_need_the_encoder(runs: Runs) -> bool:
    """*sh* and *ch* in two of the three trainings only."""
    whole, cut = runs.at(cut=""), runs.at(cut="encoder")
    in_order = [sorted(cut.at(kind=kind).numbers("share")) for kind in _LOST_IN_TWO]
    return (
        whole.lowest("share") > 0.75
        and cut.at(kind=_LOST).highest("share") < 0.2
        and all(second < 0.2 and third > 0.4 for _, second, third in in_order)
        and cut.at(kind="b").lowest("share") > 0.8
    )


def _lists_need_the_look_back(runs: Runs) -> bool:
    whole, cut = runs.at(cut=""), runs.at(cut="look back")
    money = cut.at(kind="money")
    return (
        whole.lowest("share") > 0.85
        and cut.at(kind=_LISTS).highest("share") == 0
        and money.at(training=0).lowest("share") > 0.75
        and money.at(training=[1, 2]).highest("share") < 0.1
    )


CLAIMS = (
    Claim(
        "sounds-need-the-encoder",
        lesson=_LESSON,
        cell="cut-the-encoder-sure",
        sentence="In all three training runs, with the encoder's self-attention cut, fewer than "
        "one in five new words with *th*, *ph* or *a…e* keep their sound, but four of five with "
        "*b* do. With *sh* and *ch* it is so in two runs; in the third over two of five keep "
        "theirs.",
        compares="new words that keep a sound with nothing cut and with the encoder's "
        "self-attention cut, for sounds of two letters and of one",
        sweep=_SWEEP,
        holds=_pairs_need_the_encoder,
        of={"kind": [*_LOST, *_LOST_IN_TWO, "b"], "cut": ["", "encoder", "look back"]},
        each=(),
        shown=(Shown("share", "kind", "cut"),),
    ),
    Claim(
        "lists-need-the-look-back",
        lesson=_LESSON,
        cell="cut-the-look-back-sure",
        sentence="With the decoder's self-attention cut, no list and no date came out right in any "
        "of three training runs. Of the sums of money more than three of four did in the model "
        "that the course brings, but fewer than one in ten in the other two.",
        compares="new phrases that come out right with nothing cut and with the decoder's "
        "self-attention cut, for lists, dates and money",
        sweep=_SWEEP,
        holds=_lists_need_the_look_back,
        of={"kind": [*_LISTS, "money"], "cut": ["", "encoder", "look back"]},
        each=(),
        shown=(Shown("share", "kind", "cut"),),
    ),
)
