"""What lesson 2 says it measured."""

from tutor.claims.claim import Claim, Shown
from tutor.claims.runs import Runs

_LESSON = "02_embeddings"


def _company_makes_the_clusters(runs: Runs) -> bool:
    told, dealt_out = runs.at(shuffled=False), runs.at(shuffled=True)
    return told.lowest("own group") > 0.9 and dealt_out.highest("own group") < 0.35


CLAIMS = (
    Claim(
        "company-makes-clusters",
        lesson=_LESSON,
        cell="training-a-table-text",
        sentence="From 300 sentences on, rows of eight numbers put nearly every word beside one of "
        "its own kind; with all words dealt out at random they do not.",
        compares="tables trained on sentences with tables trained on their words, dealt out",
        sweep="cafe_words",
        holds=_company_makes_the_clusters,
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
        cell="a-word-of-your-own-text",
        sentence="After three sentences at least four of its five nearest words are drinks.",
        compares="a new word's neighbours after one, two and three sentences",
        sweep="cafe_words",
        holds=lambda runs: runs.lowest("drinks") >= 4,
        of={"told": [1, 2, 3]},
        each=("told",),
        within={"told": [3]},
        shown=(Shown("drinks", "told", "width", form=".0f"),),
    ),
)
