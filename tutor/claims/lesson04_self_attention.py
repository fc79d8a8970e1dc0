"""What lesson 4 says it measured."""

from tutor.claims.claim import Claim, Shown
from tutor.claims.runs import Runs

_LESSON = "04_self_attention"
_SETTINGS = ("keys", "d_k", "initialisation")
_MOVES, _HIDDEN, _WHY = "meaning-as-movement-sure", "hide-one-word-sure", "fresh-queries-sure"


def _sorted_by_the_first_layer(runs: Runs) -> bool:
    first, last = runs.at(depth=1), runs.at(depth=6)
    return first.lowest("apart") > 0.7 * last.highest("apart")


def _unscaled_is_hard(runs: Runs) -> bool:
    unscaled, scaled = runs.at(scale=False), runs.at(scale=True)
    return unscaled.lowest("hard") > 0.25 and scaled.highest("hard") < 0.1


def _typical_gradient_is_lost(runs: Runs) -> bool:
    unscaled, scaled = runs.at(scale=False), runs.at(scale=True)
    return unscaled.highest("median gradient") < 0.5 * scaled.lowest("median gradient")


def _mean_gradient_is_kept(runs: Runs) -> bool:
    unscaled, scaled = runs.at(scale=False), runs.at(scale=True)
    return unscaled.lowest("mean gradient") > scaled.highest("mean gradient")


CLAIMS = (
    Claim(
        "meaning-without-labels",
        lesson=_LESSON,
        cell=_MOVES,
        sentence="for each of the ten words at least three of four unseen sentences end on the "
        "side of their sense",
        compares="the side on which a word ends with the sense of its sentence, for sentences that "
        "had no part in the axis",
        sweep="senses_part",
        holds=lambda runs: runs.lowest("right") > 0.76,
        of={"depth": 6},
        each=("word",),
        shown=(Shown("right", "word", "depth"), Shown("worst", "word", "depth")),
    ),
    Claim(
        "not-the-topic-alone",
        lesson=_LESSON,
        cell=_MOVES,
        sentence="With *thing* in the word's place fewer sentences do, for every word.",
        compares="the word with the word thing in the same sentences, by the share of sentences on "
        "the side of their sense",
        sweep="senses_part",
        holds=lambda runs: runs.lowest("right") > runs.highest("right by topic") + 0.03,
        of={"depth": 6},
        each=("word",),
        shown=(Shown("right by topic", "word", "depth"),),
    ),
    Claim(
        "first-layer-sorts",
        lesson=_LESSON,
        cell=_MOVES,
        sentence="after one layer the two senses are already at least seven tenths as far apart as "
        "after six.",
        compares="the distance of the two senses' means, in typical distances from the mean, after "
        "one layer and after six",
        sweep="senses_part",
        holds=_sorted_by_the_first_layer,
        each=("word",),
        shown=(Shown("apart", "word", "depth"), Shown("gap", "word", "depth")),
    ),
    Claim(
        "one-word-tells-most",
        lesson=_LESSON,
        cell=_HIDDEN,
        sentence="With each of ten words, hiding the most telling word of the typical sentence "
        "takes away at least a quarter of the place more than hiding another one, and so does "
        "leaving it out",
        compares="the share of a word's place that is left without the most telling word of its "
        "sentence and without another one",
        sweep="hidden_words",
        holds=lambda runs: runs.lowest("left by others") - runs.highest("left") > 0.25,
        each=("word", "how"),
        shown=(Shown("left", "word", "how"), Shown("left by others", "word", "how")),
    ),
    Claim(
        "seldom-across",
        lesson=_LESSON,
        cell=_HIDDEN,
        sentence="in at least four of ten sentences it stays on its side whichever word is hidden.",
        compares="the sentences in which hiding one word carries the word to the other side with "
        "all sentences on the right side",
        sweep="hidden_words",
        holds=lambda runs: runs.highest("crosses") < 0.6,
        each=("word", "how"),
        shown=(Shown("crosses", "word", "how"), Shown("second", "word", "how")),
    ),
    Claim(
        "unscaled-is-hard",
        lesson=_LESSON,
        cell=_WHY,
        sentence="Without the division at least a quarter of wide untrained queries ($d_k$ = 512) "
        "have more than .9 of their weight on one key, and with it hardly any",
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
        "typical-gradient",
        lesson=_LESSON,
        cell=_WHY,
        sentence="With weights drawn as Xavier or He draw them and $d_k$ = 512, the median "
        "gradient at the scores is at most half as large without the division as with it, for 8 "
        "to 512 keys",
        compares="the median gradient at the scores of a query, unscaled and scaled",
        sweep="attention_scale",
        holds=_typical_gradient_is_lost,
        each=_SETTINGS,
        within={"d_k": [512], "initialisation": ["xavier", "he"]},
        shown=(
            Shown("median gradient", "keys", "initialisation", {"scale": False, "d_k": 512}, ".2g"),
            Shown("median gradient", "keys", "initialisation", {"scale": True, "d_k": 512}, ".2g"),
        ),
    ),
    Claim(
        "mean-gradient",
        lesson=_LESSON,
        cell=_WHY,
        sentence="with 512 keys and Xavier's weights it is larger without the division, at every "
        "width.",
        compares="the mean gradient at the scores of a query, unscaled and scaled",
        sweep="attention_scale",
        holds=_mean_gradient_is_kept,
        each=_SETTINGS,
        within={"keys": [512], "initialisation": ["xavier"]},
        shown=(
            Shown("mean gradient", "keys", "d_k", {"scale": False}, ".2g"),
            Shown("mean gradient", "keys", "d_k", {"scale": True}, ".2g"),
        ),
    ),
    Claim(
        "learns-without-scale",
        lesson=_LESSON,
        cell="learning-without-the-division-sure",
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
