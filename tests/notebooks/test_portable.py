"""`make portable` can be red: it sees what depends on the processor, in texts and in pictures."""

import platform
from pathlib import Path

import pytest

from tools.authoring.execute import execute
from tools.authoring.files import write_notebook
from tools.authoring.machines import Machine
from tools.authoring.normalise import normalise
from tools.authoring.portable import differences
from tools.authoring.text import read_text

pytestmark = [pytest.mark.long, pytest.mark.xdist_group("portable")]  # they share one execution

# Sixteen layers with batch norm learn chaotically: what was rounded grows at each step.
NOTEBOOK = """# %% id="training"
import torch
import torch.nn.functional as F
from tutor.display.plots import Picture

torch.manual_seed(0)
x = torch.randn(64, 32)
W = (torch.randn(16, 32, 32) / 32**0.5).requires_grad_()
losses = []
for step in range(60):
    h = x
    for layer in W:
        h = F.batch_norm(h @ layer, None, None, training=True).relu()
    loss = (h - x).square().mean()
    W.data -= 3 * torch.autograd.grad(loss, W)[0]
    losses.append(loss.item())
print(f"{losses[-1]:.3f}")

# %% id="curve"
Picture(lambda fig: fig.subplots().plot(losses) and None, alt="The error falls, then trembles.")

# %% id="first-loss"
print(f"{losses[0]:.3f}", torch.arange(3.0).softmax(-1))

# %% id="waves"
Picture(lambda fig: fig.subplots().plot(torch.arange(60).sin()) and None, alt="Ten sine waves.")
"""


@pytest.fixture(scope="module")
def stored(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("stored") / "notebook.ipynb"
    write_notebook(normalise(execute(read_text(NOTEBOOK), path.parent).notebook), path)
    return path


@pytest.mark.parametrize("machine", [Machine("otherwise"), Machine("default", 2)], ids=str)
def test_a_long_trainings_third_decimal_is_seen_and_stable_cells_are_not(
    stored: Path, machine: Machine
) -> None:
    if machine.instructions == "default" and platform.machine() not in ("x86_64", "AMD64"):
        pytest.skip("only processors like Intel's can do without their best instructions")
    text, picture = differences(stored, machine)
    assert text.startswith("cell training: text\n")
    assert picture == "cell curve: another picture"


def test_an_error_on_the_other_machine_is_a_difference(tmp_path: Path) -> None:
    path = tmp_path / "notebook.ipynb"
    write_notebook(read_text("# %%\n1 / 0\n"), path)
    (problem,) = differences(path, Machine())
    assert "ZeroDivisionError" in problem
