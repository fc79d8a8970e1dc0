"""The course's Adam is torch's."""

import subprocess
import sys

import pytest
import torch

from tutor.adam import Adam

BUILT = """
import sys, torch
{build}
print("torch._dynamo" in sys.modules)
"""


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
@pytest.mark.parametrize("settings", [{}, {"betas": (0.9, 0.98), "eps": 1e-9}])
def test_steps_are_torchs_to_the_bit(dtype, settings):
    generator = torch.Generator().manual_seed(0)
    starts = [
        torch.randn(size, generator=generator, dtype=dtype) for size in ((3, 4), (5,), (), (2,))
    ]
    ours = [start.clone().requires_grad_() for start in starts]
    theirs = [start.clone().requires_grad_() for start in starts]
    pairs = [
        (ours, Adam(ours, rate=0.1, **settings)),
        (theirs, torch.optim.Adam(theirs, lr=0.1, **settings)),
    ]
    for _ in range(50):
        for weights, adam in pairs:
            loss = sum((weight.sin() + weight.square() / 7).sum() for weight in weights[:-1])
            adam.zero_grad()
            loss.backward()
            adam.step()
        for our, their in zip(ours, theirs, strict=True):
            assert torch.equal(our, their)
    assert not torch.equal(ours[0], starts[0])


@pytest.mark.parametrize(
    ("build", "loads"),
    [
        ("from tutor.adam import Adam; Adam([torch.ones(1)], 0.1)", False),
        ("torch.optim.Adam([torch.ones(1)])", True),
    ],
)
def test_it_comes_without_torchs_compiler(build, loads):
    """Where torch's does no longer either, the course can take torch's again."""
    command = [sys.executable, "-c", BUILT.format(build=build)]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    assert done.stdout.split() == [str(loads)]
