"""Finding what was handed in, however the folder was filled."""

import os
from pathlib import Path

import pytest

from tutor.exercises import lessons
from tutor.grading.submissions import (
    LARGEST,
    MOST_FILES,
    File,
    UnreadableError,
    find_submissions,
    named_lesson,
    read,
)


def put(folder: Path, name: str, content: bytes = b"{}", age: int = 0) -> Path:
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)
    os.utime(path, (1_700_000_000 + age, 1_700_000_000 + age))
    return path


def handed_in(folder: Path) -> dict[str, list[str]]:
    return {
        submission.student: [file.name for file in submission.files]
        for submission in find_submissions(folder)
    }


def test_layouts(tmp_path: Path) -> None:
    put(tmp_path, "ada/04_self_attention.ipynb")
    put(tmp_path, "bob/assignment1/04_self_attention.ipynb")
    put(tmp_path, "carl_04_self_attention.ipynb")
    put(tmp_path, "Dora Day_1234_assignsubmission_file/04_self_attention.ipynb")
    put(tmp_path, "eve/.ipynb_checkpoints/04_self_attention-checkpoint.ipynb")
    put(tmp_path, "eve/04_self_attention (2).ipynb")
    put(tmp_path, "eve/notes.txt")
    put(tmp_path, "frida/final.IPYNB.txt")
    put(tmp_path, "readme.md")
    (tmp_path / "gus").mkdir()
    assert handed_in(tmp_path) == {
        "Dora Day": ["Dora Day_1234_assignsubmission_file/04_self_attention.ipynb"],
        "ada": ["ada/04_self_attention.ipynb"],
        "bob": ["bob/assignment1/04_self_attention.ipynb"],
        "carl": ["carl_04_self_attention.ipynb"],
        "eve": ["eve/04_self_attention (2).ipynb"],
        "frida": ["frida/final.IPYNB.txt"],
        "gus": [],
    }


def test_newest_comes_last(tmp_path: Path) -> None:
    put(tmp_path, "ada/b.ipynb", age=5)
    put(tmp_path, "ada/a.ipynb", age=9)
    put(tmp_path, "ada/a (1).ipynb", age=1)
    put(tmp_path, "ada/a (10).ipynb", age=1)
    put(tmp_path, "ada/a-Copy2.ipynb", age=1)
    assert handed_in(tmp_path)["ada"] == [
        "ada/a (1).ipynb",
        "ada/a-Copy2.ipynb",
        "ada/a (10).ipynb",
        "ada/b.ipynb",
        "ada/a.ipynb",
    ]


def test_links_are_not_followed(tmp_path: Path) -> None:
    secret = put(tmp_path, "outside/secret.ipynb")
    class_folder = tmp_path / "class"
    (class_folder / "mallory").mkdir(parents=True)
    (class_folder / "mallory" / "04_self_attention.ipynb").symlink_to(secret)
    (class_folder / "mallory" / "folder").symlink_to(secret.parent)
    (class_folder / "nell_04_self_attention.ipynb").symlink_to(secret)
    (class_folder / "olaf").symlink_to(secret.parent)
    for submission in find_submissions(class_folder):
        assert submission.files == []
        assert any("link" in note for note in submission.notes)
    swapped = File(class_folder / "nell_04_self_attention.ipynb", "x", (0, 0, ""))
    with pytest.raises(UnreadableError, match="cannot be opened"):
        read(swapped)


def test_odd_files_are_not_read(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.ipynb")
    (tmp_path / "large.ipynb").touch()
    os.truncate(tmp_path / "large.ipynb", LARGEST + 1)
    for name, says in (("pipe", "ordinary"), ("large", "larger"), ("none", "opened")):
        with pytest.raises(UnreadableError, match=says):
            read(File(tmp_path / f"{name}.ipynb", name, (0, 0, "")))
    assert read(File(put(tmp_path, "ok.ipynb", b"abc"), "ok", (0, 0, ""))) == b"abc"


def test_many_files_and_deep_folders(tmp_path: Path) -> None:
    for number in range(MOST_FILES + 5):
        put(tmp_path, f"ada/{number:03}.ipynb", age=number)
    put(tmp_path, "bob/" + "deeper/" * 9 + "04.ipynb")
    ada, bob = find_submissions(tmp_path)
    assert [file.name for file in ada.files][:1] == ["ada/005.ipynb"]
    assert len(ada.files) == MOST_FILES
    assert "5 older notebooks" in ada.notes[0]
    assert bob.notes == ["No notebook was found."]


def test_a_learner_who_packed_the_notebook_is_told(tmp_path: Path) -> None:
    put(tmp_path, "ada/04.ZIP")
    (ada,) = find_submissions(tmp_path)
    assert ada.notes[0] == "ada/04.ZIP is an archive; unpack it, then grade again."


@pytest.mark.parametrize(
    ("name", "lesson"),
    [
        ("04_self_attention.ipynb", "04_self_attention"),
        ("ada-Self_Attention (3).ipynb", "04_self_attention"),
        ("hw04.ipynb", "04_self_attention"),
        ("2024-homework.ipynb", ""),
        ("final.ipynb", ""),
    ],
)
def test_lesson_in_the_name(name: str, lesson: str) -> None:
    assert named_lesson(File(Path(name), name, (0, 0, "")), list(lessons())) == lesson
