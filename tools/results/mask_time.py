"""Measure what a mask costs and what a kernel made for the triangle saves, for lesson 7.

Run it as `python tools/results/mask_time.py`; it writes tutor/data/results/mask_time.json. Times
are the processor's, of the best of many runs on one thread.
"""

from typing import Any

import stored  # first: it makes the package importable
import torch
import torch.nn.functional as F

from tutor.mask import causal_keep

SEED, HEADS, WIDTH = 7, 8, 64
LENGTHS = [256, 512, 1024, 2048, 4096]
WAYS: dict[str, dict[str, Any]] = {
    "no mask": {},
    "triangle as a tensor": {"attn_mask": None},
    "is_causal": {"is_causal": True},
}


def measure(reduced: bool) -> dict[str, Any]:
    """Time torch's attention at each length, without mask, with one, and told it is causal."""
    lengths, seconds = ([64, 128], 0.02) if reduced else (LENGTHS, 3.0)
    rng = torch.Generator().manual_seed(SEED)
    times: dict[str, list[float]] = {way: [] for way in WAYS}
    with torch.inference_mode():
        for length in lengths:
            q, k, v = torch.randn(3, 1, HEADS, length, WIDTH, generator=rng)
            for way, said in WAYS.items():
                given = {**said, "attn_mask": causal_keep(length)} if "attn_mask" in said else said
                times[way].append(
                    stored.milliseconds(
                        lambda q=q, k=k, v=v, given=given: F.scaled_dot_product_attention(
                            q, k, v, **given
                        ),
                        seconds,
                    )
                )
    return {"heads": HEADS, "width": WIDTH, "lengths": lengths, "milliseconds": times}


if __name__ == "__main__":
    stored.main(
        "mask_time",
        "torch's attention over one sentence (8 heads of 64, float32, forward): processor time of "
        "the best run without a mask, with the triangle as a tensor, and with is_causal=True",
        SEED,
        measure,
    )
