"""Nothing is touched in the folder of results that this program has not written."""

from pathlib import Path

import pytest

from tests.grading.test_run import files_of
from tutor.grading.folder import LOCK, FolderInUseError, ForeignError, ResultsFolder


def run(path: Path, **files: str) -> None:
    """One run that writes these files."""
    folder = ResultsFolder(path)
    with folder.locked():
        folder.expect([name.replace("__", "/") for name in files])
        for name, content in files.items():
            folder.write(name.replace("__", "/"), content)
        folder.finish()
    (path / LOCK).unlink()


def test_a_folder_of_somebody_else_is_refused(tmp_path: Path) -> None:
    (tmp_path / "results").mkdir()
    (tmp_path / "results" / "thesis.json").write_text("{}")
    with pytest.raises(ForeignError, match="has not written"):
        ResultsFolder(tmp_path)
    (tmp_path / "run.json").write_text('{"colour": 1}')
    with pytest.raises(ForeignError):
        ResultsFolder(tmp_path)
    assert len(files_of(tmp_path)) == 2


def test_files_of_others_in_an_own_folder_stay(tmp_path: Path) -> None:
    run(tmp_path, results__ada="1", results__bob="2", feedback__ada="3")
    (tmp_path / "notes.txt").write_text("mine")
    (tmp_path / "results" / "thesis.json").write_text("mine")
    (tmp_path / "feedback" / ".bob.7.unfinished").write_text("mine")
    run(tmp_path, results__ada="1", feedback__ada="4")
    assert set(files_of(tmp_path)) == {
        "manifest.json",
        "results/ada",
        "feedback/ada",
        "notes.txt",
        "results/thesis.json",
        "feedback/.bob.7.unfinished",
    }
    assert (tmp_path / "feedback" / "ada").read_text() == "4"


def test_a_file_of_somebody_else_is_not_replaced(tmp_path: Path) -> None:
    run(tmp_path, results__ada="1")
    (tmp_path / "class.html").write_text("mine")
    with pytest.raises(ForeignError, match=r"class\.html"):
        run(tmp_path, **{"class.html": "theirs"})
    assert (tmp_path / "class.html").read_text() == "mine"


def test_what_a_killed_run_left_is_its_own(tmp_path: Path) -> None:
    folder = ResultsFolder(tmp_path)
    folder.expect(["results/ada", "results/bob"])
    folder.write("results/ada", "1")
    (tmp_path / "results" / ".bob.7.unfinished").write_text("hal")
    run(tmp_path, results__carl="2")
    assert set(files_of(tmp_path)) == {"manifest.json", "results/carl"}


def test_a_folder_of_the_first_edition_is_taken_over(tmp_path: Path) -> None:
    (tmp_path / "run.json").write_text('{"seed": 3}')
    (tmp_path / "grades.csv").write_text("old")
    (tmp_path / "thesis.txt").write_text("mine")
    run(tmp_path, **{"grades.csv": "new", "run.json": "{}"})
    assert (tmp_path / "grades.csv").read_text() == "new"
    assert (tmp_path / "thesis.txt").read_text() == "mine"


def test_a_list_that_leads_elsewhere_is_not_believed(tmp_path: Path) -> None:
    victim = tmp_path / "victim.txt"
    victim.write_text("mine")
    out = tmp_path / "out"
    out.mkdir()
    (out / "manifest.json").write_text(f'{{"files": ["../victim.txt", "{victim}", 7]}}')
    run(out, a="1")
    assert victim.read_text() == "mine"


def test_two_runs_do_not_write_to_one_folder(tmp_path: Path) -> None:
    one, other = ResultsFolder(tmp_path), ResultsFolder(tmp_path)
    with one.locked(), pytest.raises(FolderInUseError), other.locked():
        pass
    with other.locked():
        pass
