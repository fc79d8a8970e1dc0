"""What the course brings for hubs and containers, as far as it can be tried without them."""

import re
import subprocess
from pathlib import Path

import pytest
from traitlets.config import Config
from traitlets.config.loader import PyFileConfigLoader

from tutor.learner.contents import CourseContents

ROOT = Path(__file__).parents[1]


def server_config(home: Path, monkeypatch: pytest.MonkeyPatch) -> Config:
    """What a learner's server is told when it starts in their home."""
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.chdir(home)
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    return PyFileConfigLoader("jupyter_server_config.py", str(ROOT / "hub")).load_config()


def test_each_learner_finds_copies_and_keeps_what_they_wrote(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    config = server_config(tmp_path, monkeypatch)
    assert config.ServerApp.root_dir == str(tmp_path)
    module, _, name = config.ServerApp.contents_manager_class.rpartition(".")
    assert (module, name) == (CourseContents.__module__, CourseContents.__name__)
    extensions, words = map(Path, config.LabApp.extra_labextensions_path)
    assert (extensions / "transformer-tutor" / "package.json").is_file()
    assert (words / "transformer-tutor" / "words.json").is_file()
    opened = config.ServerApp.default_url.removeprefix("/lab/tree/")
    assert (tmp_path / opened).is_file()
    exercise = tmp_path / "transformer-course" / "exercises" / "04_self_attention.ipynb"
    mine = exercise.read_text().replace("raise NotImplementedError", "return x @ W", 1)
    exercise.write_text(mine)
    (tmp_path / opened).unlink()
    server_config(tmp_path, monkeypatch)
    assert exercise.read_text() == mine
    assert (tmp_path / opened).is_file()


def test_a_home_without_room_keeps_nobody_from_their_notebooks(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    (tmp_path / "transformer-course").write_text("a file where the copies should be")
    assert server_config(tmp_path, monkeypatch).ServerApp.root_dir == str(tmp_path)


def test_the_image_copies_what_is_there():
    text = (ROOT / "Dockerfile").read_text(encoding="utf-8")
    named = re.findall(r"/opt/course/([\w./-]+)", text)
    assert {"constraints.txt", "hub/jupyter_server_config.py"} <= set(named)
    assert all((ROOT / name).exists() for name in named)
    ignored = (ROOT / ".dockerignore").read_text(encoding="utf-8").split()
    assert not {"notebooks", "exercises", "solutions", "tutor", "tools", "hub"} & set(ignored)


def test_the_command_for_a_hub_is_one_that_bash_reads():
    text = (ROOT / "TEACHING.md").read_text(encoding="utf-8")
    section = text.partition("### On a JupyterHub")[2].partition("\n### ")[0]
    for block in re.findall(r"```\n(.*?)```", section, re.DOTALL):
        assert subprocess.run(["bash", "-n"], input=block, text=True).returncode == 0
    files = re.findall(r"hub/\w+\.py", section)
    assert {"hub/jupyter_server_config.py", "hub/jupyterhub_config.py"} == set(files)
    assert all((ROOT / file).is_file() for file in files)
