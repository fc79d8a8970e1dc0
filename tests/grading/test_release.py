"""What a teacher hands out."""

import json
from pathlib import Path

import nbformat
import pytest

from tests.grading.classroom import EXERCISE_FILE, LESSON, WORTH
from tutor.commands.cli import main
from tutor.grading.release import class_seed_of, release

MOST = sum(WORTH.values())
ODD = 'odd " (seed) \\n \\1'


def source_of(path: Path) -> str:
    cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
    return "\n".join("".join(cell["source"]) for cell in cells)


def test_seed_is_written_and_nothing_else_changes(tmp_path: Path) -> None:
    (released,) = release(EXERCISE_FILE.parent, tmp_path, "spring 26", [LESSON])
    before, after = source_of(EXERCISE_FILE).splitlines(), source_of(released).splitlines()
    changed = [(old, new) for old, new in zip(before, after, strict=True) if old != new]
    assert len(changed) == 1
    assert changed[0][1].startswith('set_learner("self-study", class_seed="spring 26")')
    nbformat.validate(nbformat.read(released, as_version=4))
    again = release(EXERCISE_FILE.parent, tmp_path / "again", ODD, [LESSON])[0]
    call = next(
        line for line in source_of(again).splitlines() if "set_learner(" in line and "odd" in line
    )
    names: dict[str, object] = {"set_learner": lambda name, class_seed: (name, class_seed)}
    assert eval(call.partition("#")[0], names) == ("self-study", ODD)


def test_released_notebook_can_be_released_again(tmp_path: Path) -> None:
    release(EXERCISE_FILE.parent, tmp_path / "nought", ODD, [LESSON])
    release(tmp_path / "nought", tmp_path / "one", "primrose", [LESSON])
    (second,) = release(tmp_path / "one", tmp_path / "two", "second", [LESSON])
    assert 'class_seed="second"' in source_of(second)
    assert "primrose" not in source_of(second)


def test_missing_notebooks_are_told(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="no exercise notebooks"):
        release(tmp_path, tmp_path / "out", "s")
    (tmp_path / "01_rnn_limits.ipynb").write_text('{"cells": []}')
    with pytest.raises(ValueError, match="no cell with set_learner"):
        release(tmp_path, tmp_path / "out", "s")


def test_copies_and_a_teachers_own_notebooks_are_not_released(tmp_path: Path) -> None:
    for name in (LESSON, f"{LESSON}-Copy1", "10_extra"):
        (tmp_path / f"{name}.ipynb").write_bytes(EXERCISE_FILE.read_bytes())
    released = release(tmp_path, tmp_path / "out", "s")
    assert [path.stem for path in released] == [LESSON]


def test_later_lessons_get_the_seed_of_the_folder(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for lesson in ("04", "05", "04"):  # the same again changes nothing
        assert main(["release", str(tmp_path), "--lesson", lesson]) == 0
    seed = class_seed_of(tmp_path)
    assert seed is not None
    said = capsys.readouterr().out
    assert said.count(f"The seed of this class is {seed}, as before.") == 2
    for name in (LESSON, "05_multi_head_attention"):
        assert f'class_seed="{seed}"' in source_of(tmp_path / f"{name}.ipynb")
    main(["release", str(tmp_path / "other"), "--lesson", "04"])
    assert class_seed_of(tmp_path / "other") not in (seed, None)


def test_what_learners_have_is_not_replaced(tmp_path: Path) -> None:
    release(EXERCISE_FILE.parent, tmp_path, "one", [LESSON])
    with pytest.raises(ValueError, match="belongs to the class with the seed one"):
        release(EXERCISE_FILE.parent, tmp_path, "two", ["05_multi_head_attention"])
    (tmp_path / f"{LESSON}.ipynb").write_text("{}")
    with pytest.raises(ValueError, match=f"{LESSON}.ipynb is there already and differs"):
        release(EXERCISE_FILE.parent, tmp_path, "one")
    assert (tmp_path / f"{LESSON}.ipynb").read_text() == "{}"
    assert len(list(tmp_path.glob("*.ipynb"))) == 1


def test_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["release", str(tmp_path), "--lesson", "4", "--class-seed", "abc"]) == 0
    said = capsys.readouterr().out
    assert f"{LESSON}.ipynb: {MOST} points" in said
    assert f"--released {tmp_path}\n" in said
    assert (tmp_path / f"{LESSON}.ipynb").is_file()
    assert main(["release", str(tmp_path / "fresh"), "--lesson", "04"]) == 0
    assert "The seed of this class is" in capsys.readouterr().out
    assert main(["release", str(tmp_path), "--lesson", "99"]) == 1
    assert "no lesson 99" in capsys.readouterr().err
