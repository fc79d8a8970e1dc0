"""See when a real language model goes on with a famous title, for lesson 9.

Run it as `python tools/results/smollm_title.py`; it writes tutor/data/results/smollm_title.json. It
needs the optional package of the trained weights.
"""

from typing import Any

import stored  # first: it makes the package importable

from tutor.models.smollm import load_smollm

CONTEXTS = (
    "Attention is all you",
    "Attention Is All You",
    "Remember: attention is all you",
    "The paper about the Transformer is called Attention is all you",
    "My favourite paper is called Attention is all you",
    "My favourite song is called Attention is all you",
    "Love is all you",
    "Water is all you",
)
TOKENS = (" have", " need", " Need")


def measure(reduced: bool) -> dict[str, Any]:
    """Give the probabilities of three tokens after each beginning."""
    smollm, rows = load_smollm(), {}
    for context in CONTEXTS[: 1 if reduced else None]:
        shares = smollm.logits(context)[-1].softmax(-1)
        ids = [smollm.tokenizer.encode(token).ids[0] for token in TOKENS]
        rows[context] = [round(shares[i].item(), 3) for i in ids]
    return {"tokens": list(TOKENS), "contexts": rows}


if __name__ == "__main__":
    stored.main(
        "smollm_title",
        "the probability that SmolLM2-135M gives to three next tokens after eight beginnings",
        0,
        measure,
    )
