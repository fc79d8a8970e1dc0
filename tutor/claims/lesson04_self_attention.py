"""What lesson 4 says it measured."""

from tutor.claims.claim import Claim, Shown
from tutor.claims.runs import Runs

_LESSON = "04_self_attention"
_SETTINGS = ("keys", "d_k", "initialisation")
_WHY = "fresh-queries-text"


def _unscaled_is_hard(runs: Runs) -> bool:
    unscaled, scaled = runs.at(scale=False), runs.at(scale=True)
    return unscaled.lowest("hard") > 0.25 and scaled.highest("hard") < 0.1


def _gradient_is_uneven(runs: Runs) -> bool:
    unscaled, scaled = runs.at(scale=False), runs.at(scale=True)
    return _unevenness(unscaled) > 4 and _unevenness(scaled) < 1.5


def _unevenness(runs: Runs) -> float:
    """How many times the mean is the median: above 1 where a few are large and most small."""
    return runs.median("mean gradient") / runs.median("median gradient")


def _gradient_is_larger_unscaled(runs: Runs) -> bool:
    unscaled, scaled = runs.at(scale=False), runs.at(scale=True)
    return unscaled.lowest("median gradient") > 1.5 * scaled.highest("median gradient")


CLAIMS = (
    Claim(
        "bank-one-head",
        lesson=_LESSON,
        cell="where-bank-looks-text",
        sentence="of twelve words that say which bank it is, such as *steep* and *central*, this "
        "one picks four or five.",
        compares="on how many words before bank head 0.4 puts more than half of bank's attention",
        sweep="bank_senses",
        holds=lambda runs: runs.lowest("looked at") > 3 and runs.highest("looked at") < 6,
        of={"depth": 6},
        each=("frame",),
        shown=(Shown("looked at", "frame", "depth", form=".0f"),),
    ),
    Claim(
        "bank-leans-apart",
        lesson=_LESSON,
        cell="where-bank-looks-text",
        sentence="on average *bank* is more alike beside two words of one kind than beside one of "
        "each.",
        compares="mean cosines of bank with itself, within a kind of words and across",
        sweep="bank_senses",
        holds=lambda runs: runs.lowest("within") > runs.highest("across") + 0.02,
        each=("frame", "depth"),
        within={"depth": [1, 3, 6]},
        shown=(Shown("within", "frame", "depth"), Shown("across", "frame", "depth")),
    ),
    Claim(
        "bank-pairs-overlap",
        lesson=_LESSON,
        cell="how-much-is-one-head-text",
        sentence="single pairs overlap.",
        compares="the least alike pair within a kind with the most alike pair across",
        sweep="bank_senses",
        holds=lambda runs: runs.highest("most across") > runs.lowest("least within") + 0.02,
        each=("frame", "depth"),
        within={"depth": [1, 3, 6]},
        shown=(Shown("least within", "frame", "depth"), Shown("most across", "frame", "depth")),
    ),
    Claim(
        "unscaled-is-hard",
        lesson=_LESSON,
        cell=_WHY,
        sentence="Without the division many wide queries ($d_k$ = 512) start nearly hard, with "
        "more than .9 of their weight on one key, a random one, as nothing is learned yet; with it "
        "hardly any do.",
        compares="unscaled with scaled scores, by the share of queries that are nearly hard",
        sweep="attention_scale",
        holds=_unscaled_is_hard,
        each=_SETTINGS,
        within={"d_k": [512]},
        shown=(
            Shown("hard", "keys", "d_k", only={"scale": False}),
            Shown("hard", "keys", "d_k", only={"scale": True}),
        ),
    ),
    Claim(
        "uneven-gradient",
        lesson=_LESSON,
        cell=_WHY,
        sentence="Where weights start as Xavier or He draw them, the gradient is then uneven, with "
        "few keys all or nothing: the query in the middle gets less than a quarter of the mean.",
        compares="the mean of the gradient with its median, unscaled and scaled",
        sweep="attention_scale",
        holds=_gradient_is_uneven,
        each=_SETTINGS,
        within={"d_k": [512], "initialisation": ["xavier", "he"]},
        shown=(
            Shown("median gradient", "keys", "initialisation", {"scale": False, "d_k": 512}, ".2g"),
            Shown("mean gradient", "keys", "initialisation", {"scale": False, "d_k": 512}, ".2g"),
        ),
    ),
    Claim(
        "gradient-by-keys",
        lesson=_LESSON,
        cell=_WHY,
        sentence="With 512 keys and Xavier's start even the median gradient is larger without the "
        "division than with it",
        compares="the median gradient at a query, unscaled and scaled",
        sweep="attention_scale",
        holds=_gradient_is_larger_unscaled,
        each=_SETTINGS,
        within={"keys": [512], "initialisation": ["xavier"]},
        shown=(
            Shown("median gradient", "keys", "d_k", {"scale": False}, ".2g"),
            Shown("median gradient", "keys", "d_k", {"scale": True}, ".2g"),
        ),
    ),
    Claim(
        "learns-without-scale",
        lesson=_LESSON,
        cell="learning-without-the-division",
        sentence="On cards with heads of 32 and 128 numbers it learns all the same: at most one "
        "answer in a hundred is wrong in any run.",
        compares="an attention trained without the division with one trained with it, by the "
        "share of right answers",
        sweep="unscaled_training",
        holds=lambda runs: runs.lowest("right") > 0.99,
        each=("d_k", "scale", "initialisation", "rate"),
        shown=(Shown("right", "initialisation", "scale", form=".3f"),),
    ),
)
