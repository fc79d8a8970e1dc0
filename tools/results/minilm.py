"""Compare MiniLM in the course's own encoder with the reference implementation, for lesson 8.

Run it as `python tools/results/minilm.py`; it writes tutor/data/results/minilm.json. It needs the
optional package of the trained weights. The reference values are Hugging Face's, in float64
(tools/minilm_reference.py made them).
"""

import json
from typing import Any

import stored  # first: it makes the package importable
from safetensors import safe_open

from tutor.models.minilm import load_minilm
from tutor.training.experiment import count

REFERENCE = stored.ROOT / "tests" / "data" / "minilm_reference.safetensors"


def measure(reduced: bool) -> dict[str, Any]:
    """Give the largest difference of any number of the last hidden states, for each sentence."""
    minilm = load_minilm()
    differences = {}
    with safe_open(REFERENCE, framework="pt") as file:
        for number, sentence in enumerate(json.loads(file.metadata()["tokens"])):
            found = minilm.hidden_states(sentence)[-1]
            differences[sentence] = float(
                f"{(found - file.get_tensor(f'last {number}')).abs().max().item():.1e}"
            )
            if reduced:
                break
    return {"parameters": count(minilm.model), "largest difference": differences}


if __name__ == "__main__":
    stored.main(
        "minilm",
        "largest difference between the last hidden states of all-MiniLM-L6-v2 in the course's "
        "encoder (float32) and in the reference implementation (float64)",
        0,
        measure,
    )
