"""The register: every measured claim of the lessons, and the call that shows one."""

from collections.abc import Sequence

from tutor.claims import (
    lesson01_rnn_limits,
    lesson02_embeddings,
    lesson03_positional_encoding,
    lesson04_self_attention,
    lesson05_multi_head_attention,
    lesson06_residual_and_layer_norm,
    lesson07_masking,
    lesson08_full_transformer,
    lesson08_one_sentence,
    lesson08_own_parts,
    lesson08_scaling,
    lesson08_switches,
    lesson09_output_softmax,
)
from tutor.claims.claim import Claim
from tutor.claims.words import range_of, table_of
from tutor.say import say

REGISTER: tuple[Claim, ...] = (
    *lesson01_rnn_limits.CLAIMS,
    *lesson02_embeddings.CLAIMS,
    *lesson03_positional_encoding.CLAIMS,
    *lesson04_self_attention.CLAIMS,
    *lesson05_multi_head_attention.CLAIMS,
    *lesson06_residual_and_layer_norm.CLAIMS,
    *lesson07_masking.CLAIMS,
    *lesson08_full_transformer.CLAIMS,
    *lesson08_one_sentence.CLAIMS,
    *lesson08_own_parts.CLAIMS,
    *lesson08_scaling.CLAIMS,
    *lesson08_switches.CLAIMS,
    *lesson09_output_softmax.CLAIMS,
)


class Measured:
    """The runs behind a claim; as the last line of a cell it shows itself."""

    def __init__(self, claim: Claim, numbers: Sequence[str] = ()) -> None:
        self.claim = claim
        self.shown = [shown for shown in claim.shown if not numbers or shown.number in numbers]

    def __repr__(self) -> str:
        tables = [table_of(self.claim, shown) for shown in self.shown]
        return "\n\n".join([*tables, "\n".join(range_of(self.claim))])


def measured(name: str, *numbers: str) -> Measured:
    """Show the runs behind a measured sentence of a lesson, and where it does not hold.

    Args:
        name: of the claim; docs/claims.md lists them all.
        numbers: what to show tables of, as the claim's runs name it; without any, of all.

    Raises:
        ValueError: there is no such claim, or it shows no table of a number.

    Example:
        >>> measured("unscaled-is-hard")
        share of queries with more than .9 of their weight on one key; ...
        Runs: 162.
        Said of: d_k = 512...
    """
    for claim in REGISTER:
        if claim.name == name:
            _want_tables(claim, numbers)
            return Measured(claim, numbers)
    known = [claim.name for claim in REGISTER]
    raise ValueError(
        say("no measured claim is called {name!r}; expected one of {known}", name=name, known=known)
    )


def _want_tables(claim: Claim, numbers: Sequence[str]) -> None:
    tables = {shown.number for shown in claim.shown}
    for number in numbers:
        if number not in tables:
            known = sorted(tables)
            raise ValueError(
                say(
                    "claim {name!r} shows no table of {number!r}; expected one of {known}",
                    name=claim.name,
                    number=number,
                    known=known,
                )
            )
