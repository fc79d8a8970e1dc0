"""What lesson 4 says it measured."""

from tutor.claims.claim import Claim, Shown
from tutor.claims.runs import Runs

_LESSON = "04_self_attention"
_SETTINGS = ("keys", "d_k", "initialisation")


def _unscaled_is_hard(runs: Runs) -> bool:
    unscaled, scaled = runs.at(scale=False), runs.at(scale=True)
    return unscaled.lowest("hard") > 0.25 and scaled.highest("hard") < 0.1


def _gradient_is_all_or_nothing(runs: Runs) -> bool:
    unscaled, scaled = runs.at(scale=False), runs.at(scale=True)
    return _unevenness(unscaled) > 4 and _unevenness(scaled) < 1.5


def _unevenness(runs: Runs) -> float:
    """How many times the mean is the median: above 1 where a few are large and most small."""
    return runs.median("mean gradient") / runs.median("median gradient")


CLAIMS = (
    Claim(
        "unscaled-is-hard",
        lesson=_LESSON,
        cell="what-to-see-3",
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
        "gradient-all-or-nothing",
        lesson=_LESSON,
        cell="what-to-see-3",
        sentence="Where weights start as Xavier or He draw them, the gradient is then all or "
        "nothing: most of these queries get hardly any, a few a large one.",
        compares="the mean of the gradient with its median, unscaled and scaled",
        sweep="attention_scale",
        holds=_gradient_is_all_or_nothing,
        each=_SETTINGS,
        within={"d_k": [512], "initialisation": ["xavier", "he"]},
        shown=(
            Shown("median gradient", "keys", "initialisation", {"scale": False, "d_k": 512}, ".2g"),
            Shown("mean gradient", "keys", "initialisation", {"scale": False, "d_k": 512}, ".2g"),
        ),
    ),
)
