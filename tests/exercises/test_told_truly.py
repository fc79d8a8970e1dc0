"""Natural answers that are no listed mistake: what is said of each is true, and of use.

Each was once accepted, or told nothing but that numbers differ. Beside them right ones of which a
statement says that either way is right.
"""

import pytest
import torch
import torch.nn.functional as F

from tutor.checking.calls import FunctionAnswer
from tutor.checking.examine import examine
from tutor.exercises import find

SEEDS = (0, 1, 20_260)


def table_erased_for_known_guests(keys, values, questions):
    """Take an old order away only where the very same key came before."""
    table, seen = keys.new_zeros(keys.size(1), values.size(1)), []
    for key, value in zip(keys, values):
        if any(torch.equal(key, other) for other in seen):
            table = table - torch.outer(key, key @ table)
        table = table + torch.outer(key, value)
        seen.append(key)
    return questions @ table


def gates_of_quick_gelu(x, W_gate, W_up, W_down):
    """Take GELU's quick form for SiLU: it looks alike."""
    z = x @ W_gate.T
    return (z * torch.sigmoid(1.702 * z) * (x @ W_up.T)) @ W_down.T


def padding_cleared(x, real, attention, ffn, norms, heads):
    """Set to 0 what stands at padding."""
    right = find("encoder_layer").reference(x, real, attention, ffn, norms, heads)
    return right * real[..., None]


def rest_to_the_best(probabilities, ratio):
    """Give the mass of the dropped words to the most likely one."""
    best, place = probabilities.max(-1, keepdim=True)
    kept = probabilities * (probabilities >= ratio * best)
    return kept.scatter_add(-1, place, 1 - kept.sum(-1, keepdim=True))


def root_of_the_product(log_probs, real):
    """Multiply the probabilities: of a long sentence nothing is left."""
    product = torch.where(real, log_probs.exp(), 1.0).prod(-1)
    return product ** (-1 / real.sum(-1))


TOLD = [
    (
        "mend_table",
        table_erased_for_known_guests,
        "This does not hold: A card that has just been written can be read.",
    ),
    ("swiglu", gates_of_quick_gelu, "swiglu-gate-gelu"),
    (
        "encoder_layer",
        padding_cleared,
        "Your numbers are right where real is True, and only there.",
    ),
    (
        "min_p_probabilities",
        rest_to_the_best,
        "Your zeros stand where they should; it is the other numbers that differ.",
    ),
    (
        "mend_perplexity",
        root_of_the_product,
        "Some of your numbers are infinite, and no right one is. What was divided by 0, or grew "
        "too large?",
    ),
]


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize(("name", "answer", "sentence"), TOLD, ids=[name for name, *_ in TOLD])
def test_what_is_said_is_of_use(name: str, answer, sentence: str, seed: int):
    verdict = examine(find(name), FunctionAnswer(answer), seed)
    assert verdict.points == 0
    assert sentence in (verdict.headline, *verdict.details, verdict.mistake)


def nucleus(reaches):
    """Build top-p from a comparison of the mass before a word with the threshold."""

    def restrict(probabilities, threshold):
        ranked, words = probabilities.sort(-1, descending=True)
        kept = reaches(ranked.cumsum(-1) - ranked, threshold)
        kept = probabilities * torch.zeros_like(kept).scatter(-1, words, kept)
        return kept / kept.sum(-1, keepdim=True)

    return restrict


def near_the_best(reaches):
    """Build min-p from a comparison of a word with the limit."""

    def restrict(probabilities, ratio):
        kept = probabilities * reaches(probabilities, ratio * probabilities.amax(-1, keepdim=True))
        return F.normalize(kept, p=1, dim=-1)

    return restrict


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("how", ["<", "<="])
def test_at_a_threshold_either_comparison_is_right(how: str, seed: int):
    """The statements say that nothing lies exactly there."""
    less, more = {"<": (torch.lt, torch.gt), "<=": (torch.le, torch.ge)}[how]
    for name, answer in (
        ("top_p_probabilities", nucleus(less)),
        ("min_p_probabilities", near_the_best(more)),
    ):
        verdict = examine(find(name), FunctionAnswer(answer), seed)
        assert verdict.passed, verdict
