"""Odd answers: each gets a verdict, and leaves nothing changed behind."""

import sys

import pytest
import torch

from tutor.learner.check import check

NAME = "project_by_hand"


def project(x, W):
    if x.shape[-1] != W.shape[0]:
        raise ValueError(f"{tuple(x.shape)} {tuple(W.shape)}")
    return x @ W


class Awkward:
    """An object that answers every question about it with an error."""

    def __getattr__(self, name):
        raise RuntimeError(name)

    def __repr__(self):
        raise RuntimeError

    def __call__(self, x, W):
        return project(x, W)


class Echo:
    """An object that has every attribute."""

    def __getattr__(self, name):
        return self

    def __call__(self, x, W):
        return project(x, W)


class Nameless(Awkward):
    @property
    def __name__(self):
        raise RuntimeError


@pytest.mark.parametrize("kind", [Awkward, Echo, Nameless])
def test_odd_callables_are_judged_by_their_results(kind):
    assert check(kind(), name=NAME).passed


def test_object_without_a_readable_name_is_asked_for_one():
    with pytest.raises(ValueError, match="Which exercise"):
        check(Nameless())


def in_itself():
    inside = []
    inside.append(inside)
    return inside


@pytest.mark.parametrize(
    "result",
    [
        torch.ones(2, device="meta"),
        (torch.ones(2, device="meta"), 1),
        torch.ones(2, 5, 3).to(torch.float8_e4m3fn),
        torch.ones(2, 5, 3, dtype=torch.complex64),
        torch.zeros(0, 3),
        {1: torch.ones(2), (2, 3): 1},
        [[["deep"]]],
        in_itself(),
        torch.zeros(1).expand(10**8),
        1j,
        10**40,
    ],
    ids=lambda result: type(result).__name__,
)
def test_odd_results_are_wrong_and_not_unwritten(result):
    report = check(lambda x, W: result, name=NAME)
    assert report.verdict.status == "wrong"
    assert str(report)
    assert check(result, name="predict_score").verdict.status == "wrong"


def close_output(x, W):
    sys.stdout.close()
    return project(x, W)


def test_closing_the_output_changes_nothing():
    assert check(close_output, name=NAME).passed
    assert not sys.stdout.closed


def _settings():
    return {
        "dtype": torch.get_default_dtype(),
        "device": torch.get_default_device(),
        "threads": torch.get_num_threads(),
        "deterministic": torch.are_deterministic_algorithms_enabled(),
        "anomaly": torch.is_anomaly_enabled(),
        "printing": repr(torch.tensor([1.23456])),
        "recursion": sys.getrecursionlimit(),
        "stack": torch.stack,
        "matmul": torch.matmul,
        "softmax": torch.nn.functional.softmax,
        "equal": torch.Tensor.__eq__,
    }


def _unset():
    torch.set_default_dtype(torch.float64)
    torch.set_default_device("meta")
    torch.set_num_threads(torch.get_num_threads() + 1)
    torch.use_deterministic_algorithms(True)
    torch.autograd.set_detect_anomaly(True)
    torch.set_printoptions(precision=1)
    sys.setrecursionlimit(sys.getrecursionlimit() + 7)
    torch.stack = lambda *given: None
    del torch.matmul
    torch.nn.functional.softmax = None
    torch.Tensor.__eq__ = lambda one, other: True


def test_settings_and_functions_of_torch_are_put_back():
    def meddles(x, W):
        result = project(x, W)
        _unset()
        return result

    before = _settings()
    check(meddles, name=NAME)
    assert _settings() == before
