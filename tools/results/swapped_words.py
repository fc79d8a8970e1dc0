"""Sweep what a real model makes of two sentences with the same words, for lesson 3.

Run it as `python tools/results/swapped_words.py`; it writes
tutor/data/results/swapped_words.json. It needs the optional package of MiniLM's trained weights.
Without positions means: every place gets the vector of the same one.
"""

from copy import deepcopy
from functools import cache

import torch.nn.functional as F
from sweep import Sweep  # first: it makes the package importable
from torch import Tensor

from tutor.models.minilm import MiniLM, load_minilm

PAIRS = {
    "tea": ("Mina gave Joon tea", "Joon gave Mina tea"),
    "Apple": ("Samsung loves Apple", "Apple loves Samsung"),
    "TOEFL": (
        "Although I did not get 95 in my last TOEFL, I could get into the PhD programme",
        "Although I did get 95 in my last TOEFL, I could not get into the PhD programme",
    ),
    "other": ("Mina gave Joon tea", "The bank raised its rates"),
}
SAME = 1  # the place whose vector all places get


@cache
def model(positions: bool) -> MiniLM:
    """Load the model, as it is or with the same vector at every place."""
    minilm = load_minilm()
    if positions:
        return minilm
    without = MiniLM(deepcopy(minilm.model), minilm.tokenizer)
    encoding = without.model.source_input.positions.encoding
    encoding.data.copy_(encoding.data[SAME].expand_as(encoding))
    return without


def words(sentence: str, positions: bool) -> dict[str, Tensor]:
    """Give each word's last vector, of its first appearance."""
    minilm = model(positions)
    tokens = minilm.tokenizer.encode(sentence).tokens
    states = minilm.hidden_states(sentence)[-1]  # (T, D)
    return dict(reversed([*zip(tokens, states)]))


def compared(pair: str, positions: bool, seed: int) -> dict[str, float]:
    """Compare the sentences' vectors, and each word with itself in the other sentence."""
    first, second = PAIRS[pair]
    whole = model(positions).sentence_vectors([first, second])
    ours, theirs = words(first, positions), words(second, positions)
    both = [word for word in ours if word in theirs]
    cosines = [F.cosine_similarity(ours[word], theirs[word], dim=0).item() for word in both]
    change = max((ours[word] - theirs[word]).abs().max().item() for word in both)
    return {
        "sentences": (whole[0] @ whole[1]).item(),
        "least word": min(cosines),
        "changed": float(change > 1e-4),
    }


SWEEP = Sweep(
    "swapped_words",
    "MiniLM reads pairs of sentences that hold the same words in another order (and one pair that "
    "does not), with its positions and with one vector for all places: the cosine of the two "
    "sentences, the least cosine of a word with itself in the other sentence, and whether any "
    "number of such a word's vector changed by more than .0001",
    compared,
    grids=[{"pair": list(PAIRS), "positions": [True, False]}],
    labels={
        "pair": "pair",
        "positions": "with positions",
        "sentences": "cosine of the two sentences",
        "least word": "least cosine of a word with itself",
        "changed": "some word changed",
    },
    margins={"sentences": 0.005, "least word": 0.005, "changed": 0.1},
    sample={"pair": ["Apple"]},
    unvaried={
        "seed": "the model is trained and nothing is drawn",
        "initialisation": "the model is trained",
    },
    seeds=(0,),
)

if __name__ == "__main__":
    SWEEP.main()
