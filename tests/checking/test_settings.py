"""Under which settings a check computes, and that it leaves none behind."""

import builtins
import random
import sys
import warnings
from collections.abc import Callable, Iterator

import pytest
import torch

from tutor.checking.settings import course_settings

Settings = dict[str, object]


def settings() -> Settings:
    return {
        "dtype": torch.get_default_dtype(),
        "device": torch.get_default_device(),
        "gradients": torch.is_grad_enabled(),
        "inference": torch.is_inference_mode_enabled(),
        "autocast": torch.is_autocast_enabled("cpu"),
        "anomaly": torch.is_anomaly_enabled(),
        "deterministic": torch.get_deterministic_debug_mode(),
        "matmul": torch.get_float32_matmul_precision(),
        "threads": torch.get_num_threads(),
        "printing": str(torch.tensor(1 / 3)),
        "recursion": sys.getrecursionlimit(),
        "warnings": [*warnings.filters],
        "functions": (torch.allclose, torch.softmax, torch.Tensor.sum, builtins.sum),
        "random": (torch.get_rng_state().tolist(), random.getstate()),
    }


USUAL = settings()


def turned() -> None:
    """Turn everything that a function can turn."""
    torch.set_default_dtype(torch.float64)
    torch.set_grad_enabled(False)
    torch.autograd.set_detect_anomaly(True)
    torch.use_deterministic_algorithms(True, warn_only=True)
    torch.set_float32_matmul_precision("medium")
    torch.set_printoptions(precision=1)
    torch.set_num_threads(2)
    sys.setrecursionlimit(1234)
    warnings.simplefilter("error")
    torch.allclose = torch.softmax = lambda *_, **__: True
    torch.Tensor.sum = lambda *_: 7
    builtins.sum = lambda *_: 7
    torch.manual_seed(5)
    random.seed(5)


@pytest.fixture
def put_back() -> Iterator[None]:
    """Let a test turn things; afterwards they are as they were."""
    threads = torch.get_num_threads()
    with pytest.MonkeyPatch.context() as patch, warnings.catch_warnings():
        patch.setattr(torch, "allclose", torch.allclose)
        patch.setattr(torch, "softmax", torch.softmax)
        patch.setattr(builtins, "sum", builtins.sum)
        limit = sys.getrecursionlimit()
        yield
    if "sum" in vars(torch.Tensor):  # it lay over an inherited one
        del torch.Tensor.sum
    sys.setrecursionlimit(limit)
    torch.set_default_device(None)
    torch.set_default_dtype(torch.float32)
    torch.set_grad_enabled(True)
    torch.autograd.set_detect_anomaly(False)
    torch.use_deterministic_algorithms(False)
    torch.set_float32_matmul_precision("highest")
    torch.set_printoptions(profile="default")
    torch.set_num_threads(threads)


def without(those: Settings, *names: str) -> Settings:
    return {name: value for name, value in those.items() if name not in names}


@pytest.mark.usefixtures("put_back")
def test_inside_all_is_the_courses_and_outside_all_the_learners():
    turned()
    with torch.inference_mode(), torch.autocast("cpu"), torch.device("meta"):
        before = settings()
        with course_settings():
            kept = ("threads", "warnings", "random", "recursion")
            assert without(settings(), *kept) == without(USUAL, *kept)
            x = torch.ones(2, requires_grad=True)
            (x * 2).sum().backward()
            assert x.grad.tolist() == [2, 2]
            warnings.warn("one that is no error here", stacklevel=1)
        assert settings() == before


@pytest.mark.usefixtures("put_back")
def test_whatever_is_turned_inside_is_turned_back():
    before = settings()
    with course_settings():
        turned()
        torch.set_default_device("meta")
    assert settings() == before


@pytest.mark.usefixtures("put_back")
@pytest.mark.parametrize("device", [torch.set_default_device, torch.device])
def test_a_default_device_is_no_matter(device: Callable):
    context = device("meta")
    if context:
        context.__enter__()
    with course_settings():
        assert torch.ones(1).device.type == "cpu"
    assert torch.get_default_device().type == "meta"
    if context:
        context.__exit__(None, None, None)


@pytest.mark.usefixtures("put_back")
def test_replaced_functions_are_named_and_their_own_inside():
    torch.allclose = lambda *_: True
    torch.Tensor.softmax = lambda *_: 7
    softmax = torch.Tensor.softmax
    with course_settings() as disturbances:
        assert disturbances.replaced == ("torch.allclose", "torch.Tensor.softmax")
        assert not torch.allclose(torch.ones(1), torch.zeros(1))
        assert torch.ones(2).softmax(0).tolist() == [0.5, 0.5]
        torch.Tensor.softmax = None
    assert torch.Tensor.softmax is softmax
    del torch.Tensor.softmax


def test_what_draws_from_the_global_generators_is_noticed():
    with course_settings() as disturbances:
        assert not disturbances.drew()
        torch.rand(1)
        assert disturbances.drew()
    with course_settings() as disturbances:
        random.random()
        assert disturbances.drew()


def test_a_torch_that_hides_its_settings_for_printing_does_no_harm(monkeypatch):
    monkeypatch.delattr(torch, "_tensor_str")
    with course_settings():
        assert torch.get_default_dtype() == torch.float32
