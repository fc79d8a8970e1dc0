"""What lesson 6 says it measured."""

from tutor.claims.claim import Claim, Shown
from tutor.claims.runs import Runs


def _residuals_with_a_norm_win(runs: Runs) -> bool:
    with_residuals = runs.at(way="pre-norm").highest("error")
    return with_residuals + 0.02 < runs.at(way=["plain", "norm"]).lowest("error")


CLAIMS = (
    Claim(
        "residuals-at-depth",
        lesson="06_residual_and_layer_norm",
        cell="deeper-and-worse-text",
        sentence="At 24 layers, from PyTorch's own and from Xavier's first weights, residuals with "
        "a norm inside end with a smaller error than all stacks without residuals.",
        compares="training errors of stacks with residuals round norm and layer, and without",
        sweep="degradation",
        holds=_residuals_with_a_norm_win,
        each=("depth", "initialisation", "rate", "d_model"),
        within={"depth": [24], "initialisation": ["default", "xavier"]},
        shown=(
            Shown("error", "way", "depth", only={"initialisation": "default"}),
            Shown("error", "way", "depth", only={"initialisation": "xavier"}),
            Shown("error", "way", "depth", only={"initialisation": "he"}, form=".2g"),
        ),
    ),
)
