"""What lesson 2 says it measured."""

from itertools import pairwise

from tutor.claims.claim import Claim, Shown
from tutor.claims.runs import Runs

_LESSON = "02_embeddings"


def _context_makes_the_clusters(runs: Runs) -> bool:
    told, dealt_out = runs.at(shuffled=False), runs.at(shuffled=True)
    return told.lowest("own group") > 0.9 and dealt_out.highest("own group") < 0.35


def _commoner_is_closer(runs: Runs) -> bool:
    counts = [runs.at(commonest=count) for count in (1000, 3000, 10_000)]
    apart = all(a.lowest("mean") > b.highest("mean") + 0.05 for a, b in pairwise(counts))
    return apart and counts[-1].lowest("mean") > 0.1


def _every_row_learns(runs: Runs) -> bool:
    own, tied = runs.at(tied=False), runs.at(tied=True)
    return (
        own.highest("rows") < 0.5
        and own.highest("unused") == 0
        and tied.lowest("rows") == 1
        and tied.lowest("unused") > 0.001
        and tied.highest("unused") < 0.125
    )


def _senses_lean_apart(runs: Runs) -> bool:
    apart = runs.lowest("within") > runs.highest("across") + 0.02
    return apart and runs.lowest("least across") > 0.75


CLAIMS = (
    Claim(
        "context-makes-clusters",
        lesson=_LESSON,
        cell="training-a-table-sure",
        sentence="From 300 sentences on, tables with eight numbers or more in a row put nearly "
        "every word beside one of its own kind; with all words dealt out at random they do not.",
        compares="tables trained on sentences with tables trained on their words, dealt out",
        sweep="cafe_words",
        holds=_context_makes_the_clusters,
        of={"told": 0},
        each=("width", "count"),
        within={"width": [8, 32], "count": [300, 1000]},
        shown=(
            Shown("own group", "width", "count", {"shuffled": False}),
            Shown("own group", "width", "count", {"shuffled": True}),
            Shown("by counts", "shuffled", "count"),
        ),
    ),
    Claim(
        "a-new-word",
        lesson=_LESSON,
        cell="a-word-of-your-own-sure",
        sentence="After three sentences at least four of its five nearest words are drinks.",
        compares="a new word's neighbours after one, two and three sentences",
        sweep="cafe_words",
        holds=lambda runs: runs.lowest("drinks") >= 4,
        of={"told": [1, 2, 3]},
        each=("told",),
        within={"told": [3]},
        shown=(Shown("drinks", "told", "width", form=".0f"),),
    ),
    Claim(
        "cosine-baseline",
        lesson=_LESSON,
        cell="directions-that-mean-something-sure",
        sentence="Two rows drawn at random do not have a cosine near 0 in this table, and the "
        "more common the words, the higher it is.",
        compares="cosines of words drawn from the thousand, three or ten thousand most common",
        sweep="glove_cosines",
        holds=_commoner_is_closer,
        each=("centred",),
        within={"centred": [False]},
        shown=(Shown("mean", "commonest", "centred"), Shown("above", "commonest", "centred")),
    ),
    Claim(
        "tied-rows",
        lesson=_LESSON,
        cell="which-rows-learn-sure",
        sentence="Tied, and with untrained rows no longer than about 1, every row gets a gradient; "
        "that of a word not in the text is less than an eighth of a used one's.",
        compares="rows that get a gradient, with an output of its own and with the same table",
        sweep="tied_rows",
        holds=_every_row_learns,
        each=("words", "width", "spread"),
        within={"spread": ["1/√d", "0.02"]},
        shown=(
            Shown("rows", "spread", "tied"),
            Shown("unused", "spread", "width", {"tied": True}, ".2g"),
        ),
    ),
    Claim(
        "bank-in-sentences",
        lesson=_LESSON,
        cell="what-a-table-cannot-know-sure",
        sentence="From the first layer on, two *bank*s of one sense are closer, on average, than "
        "two of different senses; but no pair falls below .75",
        compares="mean cosines of bank with itself, in sentences of one sense and of both",
        sweep="bank_sentences",
        holds=_senses_lean_apart,
        each=("frame", "depth"),
        within={"depth": [1, 2, 3, 4, 5, 6]},
        shown=(Shown("within", "frame", "depth"), Shown("across", "frame", "depth")),
    ),
    Claim(
        "bank-other-words",
        lesson=_LESSON,
        cell="what-a-table-cannot-know-sure",
        sentence="*Bank* and the other words of these sentences have less than .3 on average, at "
        "every depth.",
        compares="mean cosines of bank with the other words, and with itself in the other sense",
        sweep="bank_sentences",
        holds=lambda runs: runs.highest("other words") < 0.3 < 0.75 < runs.lowest("least across"),
        each=("frame", "depth"),
        shown=(Shown("other words", "frame", "depth"), Shown("least across", "frame", "depth")),
    ),
    Claim(
        "bank-crossed",
        lesson=_LESSON,
        cell="what-a-table-cannot-know-sure",
        sentence="If every beginning goes with both senses, two *bank*s of one sense with "
        "different beginnings are still closer, on average, than two of different senses with the "
        "same.",
        compares="mean cosines of bank with itself: one sense and two beginnings, two senses and "
        "one beginning",
        sweep="bank_crossed",
        holds=lambda runs: (
            runs.lowest("one sense, other beginning") > runs.highest("two senses") + 0.01
        ),
        each=("words", "frame", "depth"),
        within={"depth": [1, 3, 6]},
        shown=(
            Shown("one sense, other beginning", "words", "depth"),
            Shown("two senses", "words", "depth"),
        ),
    ),
    Claim(
        "analogies-left-out",
        lesson=_LESSON,
        cell="king-man-woman-sure",
        sentence="Even with the question's own words left out, about half of the questions about "
        "comparatives and past tenses fail.",
        compares="right answers to a − b + c with a half of them",
        sweep="analogies",
        holds=lambda runs: 0.35 < runs.at(own_words="left out").lowest("right") < 0.65,
        each=("kind",),
        within={"kind": ["comparatives", "past"]},
        shown=(Shown("right", "kind", "own_words"),),
    ),
)
