"""Measure what the number of heads costs, for lesson 5.

Run it as `python tools/results/heads_time.py`; it writes tutor/data/results/heads_time.json.
"""

from typing import Any

import stored  # first: it makes the package importable
import torch

from tutor.attention import fused_scaled_dot_product_attention, scaled_dot_product_attention
from tutor.multi_head import MultiHeadAttention

SEED, LENGTH, D_MODEL = 5, 512, 512
HEADS = [1, 2, 4, 8, 16, 32, 64]


def measure(reduced: bool) -> dict[str, Any]:
    """Time the core (scores, softmax, average) and the four projections, by number of heads."""
    length, seconds = (64, 0.02) if reduced else (LENGTH, 2.0)
    rng = torch.Generator().manual_seed(SEED)
    explicit, fused, parameters = [], [], []
    with torch.inference_mode():
        for heads in HEADS:
            q, k, v = torch.randn(3, 1, heads, length, D_MODEL // heads, generator=rng)
            explicit.append(
                stored.milliseconds(
                    lambda q=q, k=k, v=v: scaled_dot_product_attention(q, k, v), seconds
                )
            )
            fused.append(
                stored.milliseconds(
                    lambda q=q, k=k, v=v: fused_scaled_dot_product_attention(q, k, v), seconds
                )
            )
            layer = MultiHeadAttention(D_MODEL, heads)
            parameters.append(sum(p.numel() for p in layer.parameters()))
        x = torch.randn(1, length, D_MODEL, generator=rng)
        projections = stored.milliseconds(
            lambda: layer.W_o(layer.W_q(x) + layer.W_k(x) + layer.W_v(x)), seconds
        )
    return {
        "length": length,
        "d_model": D_MODEL,
        "heads": HEADS,
        "core milliseconds": explicit,
        "fused core milliseconds": fused,
        "projections milliseconds": projections,
        "parameters": parameters,
        "weights": [heads * length * length for heads in HEADS],
    }


if __name__ == "__main__":
    stored.main(
        "heads_time",
        "multi-head attention over one sentence, float32, forward: processor time of the best run "
        "of the core (scores, softmax, average of the values) and of the four projections",
        SEED,
        measure,
    )
