"""`tutor mine`, in a workspace."""

import argparse
import json
from pathlib import Path

import pytest

from tests.commands.damaged import NO_NOTEBOOKS, NO_RECORDS, by_content
from tutor.commands import mine
from tutor.commands.cli import main
from tutor.learner.own_file import FILE
from tutor.learner.own_parts import own_names
from tutor.learner.own_record import RECORD, load_record

ROOT = Path(__file__).parents[2]
TIED = "def tied_logits(h, table):\n    return h @ table.T"


@pytest.fixture
def workspace(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / ".tutor-workspace").touch()
    (tmp_path / "exercises").mkdir()
    monkeypatch.chdir(tmp_path)
    return tmp_path


def notebook(workspace: Path, lesson: str, *cells: str) -> None:
    content = [{"cell_type": "code", "source": cell.splitlines(keepends=True)} for cell in cells]
    path = workspace / "exercises" / f"{lesson}.ipynb"
    path.write_text(json.dumps({"cells": content}), encoding="utf-8")


def answers_of(lesson: str) -> list[str]:
    """The cells of the worked exercises, as a learner would have them."""
    solution = json.loads((ROOT / "solutions" / f"{lesson}.ipynb").read_text(encoding="utf-8"))
    cells = ["".join(one["source"]) for one in solution["cells"] if one["cell_type"] == "code"]
    return ["\n".join(line for line in cell.splitlines() if "### " not in line) for cell in cells]


def test_without_options_it_lists_each_models_parts(workspace: Path, capsys):
    assert main(["mine"]) == 0
    said = capsys.readouterr().out
    assert f"Your answers are kept in {workspace / FILE}." in said
    assert "plain: 0 of 7 parts are yours." in said
    assert "translator: 0 of 14 parts are yours." in said
    assert "speaker: 0 of 10 parts are yours." in said


@pytest.mark.parametrize("content", NO_RECORDS, ids=by_content)
def test_a_damaged_record_of_answers_says_nothing(
    content: bytes, workspace: Path, capsys: pytest.CaptureFixture[str]
):
    (workspace / RECORD).write_bytes(content)
    assert main(["mine"]) == 0
    assert "plain: 0 of 7 parts are yours." in capsys.readouterr().out


def test_outside_a_workspace_it_says_how_to_get_one(tmp_path: Path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(mine, "work_folder", lambda: tmp_path)
    assert main(["mine"]) == 1
    assert "To make one: tutor lab" in capsys.readouterr().err


def test_right_answers_of_saved_notebooks_are_collected(workspace: Path, capsys):
    notebook(workspace, "09_output_softmax", TIED, "def temperature_softmax(z, T):\n    ...")
    assert main(["mine", "--collect"]) == 0
    assert capsys.readouterr().out == f"tied_logits: Kept in {FILE}.\n"
    assert own_names() == ["tied_logits"]
    assert main(["mine", "--collect"]) == 0
    assert capsys.readouterr().out == f"Nothing new was found in {workspace}.\n"


def test_wrong_ones_and_broken_notebooks_are_told(workspace: Path, capsys):
    notebook(workspace, "09_output_softmax", f"{TIED} * 2")
    (workspace / "exercises" / "06_residual_and_layer_norm.ipynb").write_text("{")
    assert main(["mine", "--collect"]) == 0
    said = capsys.readouterr().out
    assert "tied_logits: outside this notebook it is not right." in said
    assert "06_residual_and_layer_norm.ipynb cannot be read." in said
    assert own_names() == []


@pytest.mark.parametrize("content", NO_NOTEBOOKS, ids=by_content)
def test_what_is_no_notebook_is_told_and_the_others_are_read(
    content: bytes, workspace: Path, capsys: pytest.CaptureFixture[str]
):
    (workspace / "exercises" / "06_residual_and_layer_norm.ipynb").write_bytes(content)
    notebook(workspace, "09_output_softmax", TIED)
    assert main(["mine", "--collect"]) == 0
    said = capsys.readouterr().out
    assert "06_residual_and_layer_norm.ipynb cannot be read." in said
    assert f"tied_logits: Kept in {FILE}." in said


@pytest.mark.long
@pytest.mark.parametrize("lesson", [path.stem for path in sorted((ROOT / "solutions").glob("*"))])
def test_every_solution_is_collected_and_right_there(workspace: Path, lesson: str, capsys):
    from tutor.exercises import lessons

    notebook(workspace, lesson, *answers_of(lesson))
    assert main(["mine", "--collect"]) == 0
    written = [one.name for one in lessons()[lesson] if one.kind == "write"]
    lines = [f"{name}: Kept in {FILE}." for name in written]
    assert capsys.readouterr().out.splitlines() == lines


@pytest.mark.long
def test_a_phrase_is_translated_and_an_answer_brought_back(workspace: Path, capsys):
    notebook(workspace, "09_output_softmax", TIED)
    main(["mine", "--collect"])
    path = workspace / FILE
    path.write_text(path.read_text(encoding="utf-8").replace("@ table.T", "@ table.T * 2"), "utf-8")
    capsys.readouterr()
    assert main(["mine", "3 days ago"]) == 0
    said = capsys.readouterr().out
    assert "1 of 14 parts are yours." in said
    assert "3 days ago → 3일 전" in said
    assert "It begins to differ at your tied_logits" in said
    assert main(["mine", "--restore", "tied_logits"]) == 0
    assert TIED in path.read_text(encoding="utf-8")
    assert main(["mine", "--restore", "no_such"]) == 0
    assert "No right answer of no_such has been kept." in capsys.readouterr().out


def test_keeping_is_switched_off_and_on(workspace: Path, capsys):
    assert main(["mine", "--keep", "off"]) == 0
    assert not load_record(workspace).keeps
    main(["mine"])
    assert "To switch it on: tutor mine --keep on" in capsys.readouterr().out
    assert main(["mine", "--keep", "on"]) == 0
    assert load_record(workspace).keeps


@pytest.mark.long
def test_it_trains(workspace: Path, capsys):
    assert main(["mine", "--train"]) == 0
    assert "Never seen: I love her → 나는 그녀를 사랑한다" in capsys.readouterr().out


def test_without_the_package_a_stored_prompt_is_drawn_from(workspace: Path, capsys, monkeypatch):
    from tutor.models import smollm, speaker_from_parts

    for module in (smollm, speaker_from_parts):
        monkeypatch.setattr(module, "is_installed", lambda: False)
    assert main(["mine", "--write", "The capital of France is"]) == 0
    assert "The capital of France is → Paris" in capsys.readouterr().out
    assert main(["mine", "--write", "The nice thing about"]) == 1
    assert "pip install" in capsys.readouterr().err


def test_options_are_described():
    parser = argparse.ArgumentParser()
    mine.add_arguments(parser)
    assert parser.parse_args(["May 3"]).text == "May 3"
