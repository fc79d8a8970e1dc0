"""What lesson 8 says it measured of its plain model with a part broken."""

from tutor.claims.claim import Claim, Shown
from tutor.claims.runs import Runs

_LESSON, _SWEEP = "08_full_transformer", "broken_parts"
SENTENCES = 95


def _most_are_lost_without_the_mask(runs: Runs) -> bool:
    whole, open_ = runs.at(broken="nothing"), runs.at(broken="mask")
    learned = max(some.highest("loss 6") for some in (whole, open_)) < 0.05
    return learned and whole.lowest("right") > 80 and open_.highest("right") < 70


CLAIMS = (
    Claim(
        "the-mask-matters-in-training",
        lesson=_LESSON,
        cell="mask-taken-out-runs",
        sentence="With its mask or without, every training run ended with a loss below .05; with "
        "it more than 80 of the 95 sentences came out right, without it fewer than 70.",
        compares="the sentences that come out right after training with a mask and without",
        sweep=_SWEEP,
        holds=_most_are_lost_without_the_mask,
        of={"broken": ["nothing", "mask"]},
        each=("d_model", "steps"),
        shown=(Shown("right", "broken", "steps"), Shown("loss 6", "broken", "steps", form=".4f")),
    ),
)
