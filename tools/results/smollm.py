"""Compare SmolLM2 in the course's own decoder with the reference implementation, for lesson 9.

Run it as `python tools/results/smollm.py`; it writes tutor/data/results/smollm.json. It needs the
optional package of the trained weights. The reference values are Hugging Face's, in float64
(tools/smollm_reference.py made them).
"""

import json
from typing import Any

import stored  # first: it makes the package importable
from safetensors import safe_open

from tutor.models.smollm import load_smollm
from tutor.training.experiment import count

REFERENCE = stored.ROOT / "tests" / "data" / "smollm_reference.safetensors"


def measure(reduced: bool) -> dict[str, Any]:
    """Give the largest difference of any stored logit and of any stored weight of attention."""
    smollm = load_smollm()
    with safe_open(REFERENCE, framework="pt") as file:
        content = json.loads(file.metadata()["content"])
        texts = [*content["ids"]][: 1 if reduced else None]
        logits = max(
            (smollm.logits(text)[:, :: content["every"]] - file.get_tensor(f"logits {number}"))
            .abs()
            .max()
            .item()
            for number, text in enumerate(texts)
        )
        weights = smollm.attention(texts[0]).weights[content["layers"]]
        attention = (weights - file.get_tensor("attention 0")).abs().max().item()
    return {
        "parameters": count(smollm.model),
        "logits": float(f"{logits:.1e}"),
        "attention": float(f"{attention:.1e}"),
    }


if __name__ == "__main__":
    stored.main(
        "smollm",
        "largest difference between SmolLM2-135M in the course's decoder (float32) and in the "
        "reference implementation (float64): scores of next words, weights of attention",
        0,
        measure,
    )
