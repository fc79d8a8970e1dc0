"""The built wheel, in an environment of its own: lessons in a plain kernel, and `tutor lab`."""

import json
import os
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from pathlib import Path
from zipfile import ZipFile

import nbformat
import pytest
from nbclient import NotebookClient

ROOT = Path(__file__).parents[1]
LAB = ("jupyterlab", "jupyter_server", "jupyter_lsp", "notebook", "nbgrader", "nbconvert")
pytestmark = [pytest.mark.long, pytest.mark.xdist_group("wheel")]  # they share it

CELLS = """
from tutor import check, progress
from tutor.explorers import lesson04_self_attention as explore
from tutor.mask import causal_keep
print(check(causal_keep, "causal_mask").points)
===
explore.EXPLORERS[0]()
===
progress()
"""


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build it from a copy of the course: building leaves files behind."""
    folder = tmp_path_factory.mktemp("wheel")
    listed = subprocess.check_output(["git", "ls-files", "-z"], cwd=ROOT, text=True)
    for name in filter(None, listed.split("\0")):
        if (ROOT / name).exists():
            (folder / "course" / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, folder / "course" / name)
    build = ["-m", "pip", "wheel", "-q", "--no-deps", "--no-build-isolation", "-w", str(folder)]
    subprocess.run([sys.executable, *build, str(folder / "course")], check=True)
    (built,) = folder.glob("*.whl")
    return built


class Environment:
    """An environment with the wheel in it; the other packages are this environment's.

    Args:
        folder: where it is made.
        wheel: what is installed.
        without: packages left out, with all whose names begin so.
    """

    def __init__(self, folder: Path, wheel: Path, without: tuple[str, ...] = ()) -> None:
        subprocess.run([sys.executable, "-m", "venv", "--without-pip", folder], check=True)
        self.folder, self.python = folder, folder / "bin" / "python"
        (packages,) = folder.glob("lib/python*/site-packages")
        left_out = (*without, "__editable__", "transformer_tutor", "__pycache__")
        for path in Path(pytest.__file__).parents[1].iterdir():
            if not path.name.startswith(left_out):
                (packages / path.name).symlink_to(path)
        shutil.copytree(Path(sys.prefix, "share"), folder / "share", symlinks=True)
        self.home = folder / "home"
        self.home.mkdir()
        # With a PYTHONPATH, pip would take the clone there for this environment's.
        install = ["pip", "--python", str(self.python), "install", "-q", "--no-deps", str(wheel)]
        subprocess.run([sys.executable, "-m", *install], check=True, env=self.variables)

    @property
    def variables(self) -> dict[str, str]:
        """Those of a user who has nothing but this environment."""
        kept = {key: os.environ[key] for key in ("PATH", "LANG") if key in os.environ}
        home = {"HOME": str(self.home), "PYTHONDONTWRITEBYTECODE": "1", "OMP_NUM_THREADS": "1"}
        return kept | home

    def run(self, *words: str) -> str:
        """Run `tutor` in an empty folder and return what it says."""
        command = [self.python, "-m", "tutor", *words]
        done = subprocess.run(
            command, cwd=self.home, env=self.variables, capture_output=True, text=True
        )
        return f"{done.returncode} {done.stdout}{done.stderr}"


@pytest.fixture(scope="module")
def plain(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Environment:
    return Environment(tmp_path_factory.mktemp("plain") / "env", wheel, LAB)


def test_the_wheel_brings_the_course_and_nothing_of_its_workshop(wheel: Path):
    names = ZipFile(wheel).namelist()
    for folder in ("notebooks", "exercises", "solutions", "docs/measured"):
        here = sorted(path.name for path in (ROOT / folder).glob("[0-9]*.*"))
        there = sorted(name.rpartition("/")[2] for name in names if f"course/{folder}/" in name)
        assert there == here
        assert len(there) == 9
    tops = {name.split("/")[0] for name in names}
    assert {top for top in tops if not top.endswith(".dist-info")} == {"tutor"}
    assert any(name.startswith("tutor/data/licences/") for name in names)


def test_without_jupyterlab_copies_open_in_a_plain_kernel(
    plain: Environment, monkeypatch: pytest.MonkeyPatch
):
    assert "18 new" in plain.run("copy", "mine")
    workspace = plain.home / "mine"
    spec = {"argv": [str(plain.python), "-m", "ipykernel_launcher", "-f", "{connection_file}"]}
    spec |= {"display_name": "wheel", "language": "python"}
    kernel = plain.home / "kernels" / "wheel" / "kernel.json"
    kernel.parent.mkdir(parents=True)
    kernel.write_text(json.dumps(spec))
    monkeypatch.setenv("JUPYTER_PATH", str(plain.home))
    cells = CELLS.strip().split("\n===\n")
    notebook = nbformat.v4.new_notebook(cells=list(map(nbformat.v4.new_code_cell, cells)))
    client = NotebookClient(
        notebook,
        timeout=600,
        kernel_name="wheel",
        resources={"metadata": {"path": str(workspace / "exercises")}},
    )
    client.execute(env=plain.variables)
    said = [str(cell.outputs) for cell in notebook.cells]
    assert "'1\\n'" in said[0]
    assert "application/vnd.jupyter.widget-view+json" in said[1]
    assert "image/png" in said[1]
    assert "causal_mask: 1 of 1 points" in said[2]
    assert json.loads((workspace / "progress.json").read_text()) == {"causal_mask": 1.0}


def test_without_jupyterlab_its_command_says_how_to_get_it(plain: Environment, wheel: Path):
    said = plain.run("lab", "--no-browser")
    assert said.startswith("1 Your workspace is")
    assert f'pip install "transformer-tutor[lab] @ {wheel.as_uri()}"' in said
    assert "JupyterLab is not installed: notebooks open with what you have" in plain.run("doctor")


def test_with_the_extra_the_whole_course_opens_from_an_empty_folder(wheel: Path, tmp_path: Path):
    full = Environment(tmp_path / "env", wheel)
    with socket.socket() as free:
        free.bind(("localhost", 0))
        port = free.getsockname()[1]
    command = [full.python, "-m", "tutor", "lab", "--no-browser", f"--port={port}"]
    server = subprocess.Popen(
        [*command, "--IdentityProvider.token="], cwd=full.home, env=full.variables
    )
    try:
        assert lessons_served(server, port) == sorted(
            path.name for path in (ROOT / "notebooks").glob("[0-9]*.ipynb")
        )
    finally:
        server.terminate()
        server.wait()
    fetched = full.run("solutions", "1")
    assert "solutions/01_rnn_limits.ipynb" in fetched
    assert (full.home / "transformer-course" / "solutions" / "01_rnn_limits.ipynb").exists()


def lessons_served(server: subprocess.Popen[bytes], port: int) -> list[str]:
    """What JupyterLab's file browser shows in the folder of lessons, once it has started."""
    address = f"http://localhost:{port}/api/contents/notebooks"
    while True:
        try:
            with urllib.request.urlopen(address) as reply:
                return sorted(file["name"] for file in json.load(reply)["content"])
        except OSError:
            assert server.poll() is None, "JupyterLab ended"
            time.sleep(0.5)
