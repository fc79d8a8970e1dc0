"""Finding what was handed in, however the folder was filled."""

import os
import unicodedata
from pathlib import Path

import pytest

from tests.grading.collecting.platforms import put
from tutor.grading.collecting.file_names import lesson_in, person_in
from tutor.grading.collecting.files import LARGEST, UnreadableError, read_file
from tutor.grading.collecting.owners import owner_of
from tutor.grading.collecting.submissions import MOST_FILES, Submission, collect


def handed_in(folder: Path) -> dict[str, list[str]]:
    return {one.student: [file.name for file in one.files] for one in collect(folder).submissions}


def only(folder: Path) -> Submission:
    (one,) = collect(folder).submissions
    return one


def refusals(submission: Submission) -> dict[str, str]:
    return {other.file: other.why for other in submission.others}


def test_layouts_mixed(tmp_path: Path) -> None:
    put(tmp_path, "ada/04_self_attention.ipynb")
    put(tmp_path, "bob/assignment1/04_self_attention.ipynb")
    put(tmp_path, "carl_04_self_attention.ipynb")
    put(tmp_path, "Dora Day_1234_assignsubmission_file/04_self_attention.ipynb")
    put(tmp_path, "eve/04_self_attention (2).ipynb")
    put(tmp_path, "eve/notes.txt")
    put(tmp_path, "frida/final.IPYNB.txt")
    put(tmp_path, "readme.md")
    (tmp_path / "gus").mkdir()
    assert handed_in(tmp_path) == {
        "Dora Day_1234": ["Dora Day_1234_assignsubmission_file/04_self_attention.ipynb"],
        "ada": ["ada/04_self_attention.ipynb"],
        "bob": ["bob/assignment1/04_self_attention.ipynb"],
        "carl": ["carl_04_self_attention.ipynb"],
        "eve": ["eve/04_self_attention (2).ipynb"],
        "frida": ["frida/final.IPYNB.txt"],
        "gus": [],
    }
    assert collect(tmp_path).aside == ["readme.md"]


@pytest.mark.parametrize(
    ("name", "person"),
    [
        ("ada_04_self_attention.ipynb", "ada"),
        ("group_03_04_self_attention.ipynb", "group_03"),
        ("team 01 - 04 Self-Attention.ipynb", "team 01"),
        ("2026-03-01_ada_04_self_attention.ipynb", "ada"),
        ("ada_2026-03-01-12-30_04_self_attention.ipynb", "ada"),
        ("group3_ada_04.ipynb", "group3_ada"),
        ("ada_hw04.ipynb", "ada"),
        ("ada_LATE_hw4.ipynb", "ada"),
        ("ada_attempt_2_04_self_attention.ipynb", "ada"),
        ("04_self_attention_ada.ipynb", "ada"),
        ("04_self_attention - Ada Lovelace (1).ipynb", "Ada Lovelace"),
        ("김철수_04_self_attention.ipynb", "김철수"),
        ("Copy of 04_self_attention.ipynb", ""),
        ("04_self_attention의 사본.ipynb", ""),
        ("04_self_attention-Copy1.ipynb", ""),
        ("04_self_attention_final_v2.ipynb", ""),
        ("04_self_attention (3).ipynb", ""),
        ("notes.ipynb", ""),
    ],
)
def test_person_in_a_loose_files_name(name: str, person: str) -> None:
    assert person_in(name) == person


def test_two_groups_with_numbers_stay_two(tmp_path: Path) -> None:
    for number in ("01", "02", "03"):
        put(tmp_path, f"group_{number}_04_self_attention.ipynb")
    assert list(handed_in(tmp_path)) == ["group_01", "group_02", "group_03"]


def test_files_that_name_nobody_are_not_one_learners(tmp_path: Path) -> None:
    for name in ("04_self_attention", "04_self_attention (1)", "Copy of 04_self_attention"):
        put(tmp_path, f"{name}.ipynb")
    found = collect(tmp_path).submissions
    assert len(found) == 3
    assert all("names nobody" in one.notes[0] for one in found)


def test_a_learner_who_hands_two_lessons_in_is_one(tmp_path: Path) -> None:
    put(tmp_path, "Ada Lovelace - 04_self_attention.ipynb")
    put(tmp_path, "Ada Lovelace - 05_multi_head_attention.ipynb")
    put(tmp_path, "bo_04.ipynb")
    put(tmp_path, "bo_05.ipynb")
    assert {name: len(files) for name, files in handed_in(tmp_path).items()} == {
        "Ada Lovelace": 2,
        "bo": 2,
    }


def test_composed_and_decomposed_letters_are_one_name(tmp_path: Path) -> None:
    for form, lesson in (("NFC", "04_self_attention"), ("NFD", "05_multi_head_attention")):
        put(tmp_path, f"{unicodedata.normalize(form, '김철수')}/{lesson}.ipynb")
    assert len(only(tmp_path).files) == 2


def test_a_date_is_no_number_of_canvas() -> None:
    assert owner_of("ada_2026_03_01_04_self_attention.ipynb", False).key == "ada"
    assert owner_of("ada_2026_31_04_self_attention.ipynb", False).id == "2026"


def test_a_folder_for_each_lesson_is_no_learner(tmp_path: Path) -> None:
    for lesson in ("04_self_attention", "05_multi_head_attention"):
        put(tmp_path, f"{lesson}/ada.ipynb")
        put(tmp_path, f"Homework {lesson[1]}/bo/{lesson}.ipynb")
    assert {name: len(files) for name, files in handed_in(tmp_path).items()} == {
        "04_self_attention/ada.ipynb": 1,  # the name alone may be anybody's
        "05_multi_head_attention/ada.ipynb": 1,
        "bo": 2,
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
    (class_folder / "pat.zip").symlink_to(secret)
    found = collect(class_folder).submissions
    assert [one.student for one in found] == ["mallory", "nell", "pat"]
    for submission in found:
        assert submission.files == []
        assert all("link" in why for why in refusals(submission).values())
        assert submission.others
    with pytest.raises(UnreadableError, match="cannot be opened"):
        read_file(class_folder / "nell_04_self_attention.ipynb")


def test_odd_files_are_not_read(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.ipynb")
    (tmp_path / "large.ipynb").touch()
    os.truncate(tmp_path / "large.ipynb", LARGEST + 1)
    for name, says in (("pipe", "ordinary"), ("large", "larger"), ("none", "opened")):
        with pytest.raises(UnreadableError, match=says):
            read_file(tmp_path / f"{name}.ipynb")
    assert read_file(put(tmp_path, "ok.ipynb", b"abc")) == b"abc"


def test_many_files(tmp_path: Path) -> None:
    for number in range(MOST_FILES + 5):
        put(tmp_path, f"ada/{number:03}.ipynb", age=number)
    ada = only(tmp_path)
    assert [file.name for file in ada.files][:1] == ["ada/005.ipynb"]
    assert len(ada.files) == MOST_FILES
    assert sum("older ones were not looked at" in why for why in refusals(ada).values()) == 5


def test_deep_and_hidden_folders_are_looked_into_or_named(tmp_path: Path) -> None:
    put(tmp_path, "ada/" + "deeper/" * 9 + "04.ipynb")
    put(tmp_path, "bob/" + "deeper/" * 30 + "04.ipynb")
    put(tmp_path, "carl/.work/04.ipynb")
    put(tmp_path, ".trash/dora/04.ipynb")
    put(tmp_path, ".vscode/settings.json")
    put(tmp_path, ".ipynb_checkpoints/04-checkpoint.ipynb")
    trash, ada, bob, carl = collect(tmp_path).submissions
    assert len(trash.files) == 1
    assert len(ada.files) == len(carl.files) == 1
    assert "deeper lies too deep" in bob.notes[0]
    assert "No notebook was found." in bob.notes
    assert collect(tmp_path).aside == [".ipynb_checkpoints", ".vscode"]


def test_every_file_has_a_row(tmp_path: Path) -> None:
    put(tmp_path, "ada_04.pdf")
    put(tmp_path, "bo_04_self_attention.html")
    put(tmp_path, "cy/04.docx")
    put(tmp_path, "cy/04.7z")
    put(tmp_path, "cy/photo.HEIC")
    put(tmp_path, "dee_04.py", b"print('hello')\n")
    found = {one.student: refusals(one) for one in collect(tmp_path).submissions}
    assert found["ada"]["ada_04.pdf"].startswith("This is a PDF document")
    assert found["bo"]["bo_04_self_attention.html"].startswith("This is a web page")
    assert "word processor" in found["cy"]["cy/04.docx"]
    assert "not opened here" in found["cy"]["cy/04.7z"]
    assert "a picture" in found["cy"]["cy/photo.HEIC"]
    assert "Python script" in found["dee"]["dee_04.py"]


def test_a_script_counts_only_where_there_is_no_notebook(tmp_path: Path) -> None:
    script = b"def project_by_hand(x, W):\n    return x @ W\n"
    put(tmp_path, "ada/04.py", script)
    put(tmp_path, "bo/helpers.py", script)
    put(tmp_path, "bo/04.ipynb")
    ada, bo = collect(tmp_path).submissions
    assert [file.name for file in ada.files] == ["ada/04.py"]
    assert [file.name for file in bo.files] == ["bo/04.ipynb"]
    assert [*bo.helpers] == ["bo/helpers.py"]


def test_a_notebook_under_another_ending_is_one(tmp_path: Path) -> None:
    for name in ("04", "04.txt", "04.json", "04.ipynb.json"):
        put(tmp_path, f"ada/{name}", b'{\n "cells": []}')
    put(tmp_path, "ada/settings.json", b'{"a": 1}')
    assert len(only(tmp_path).files) == 4
    assert "ada/settings.json" in refusals(only(tmp_path))


def test_copies_that_jupyterlab_keeps_count_only_alone(tmp_path: Path) -> None:
    put(tmp_path, "ada/.ipynb_checkpoints/04-checkpoint.ipynb")
    put(tmp_path, "bo/.ipynb_checkpoints/04-checkpoint.ipynb")
    put(tmp_path, "bo/04.ipynb")
    ada, bo = collect(tmp_path).submissions
    assert len(ada.files) == 1
    assert [file.name for file in bo.files] == ["bo/04.ipynb"]
    assert "by itself" in refusals(bo)["bo/.ipynb_checkpoints/04-checkpoint.ipynb"]


@pytest.mark.parametrize(
    ("name", "lesson"),
    [
        ("04_self_attention.ipynb", "04_self_attention"),
        ("ada-Self_Attention (3).ipynb", "04_self_attention"),
        ("hw04.ipynb", "04_self_attention"),
        ("Homework 4.ipynb", "04_self_attention"),
        ("team03_04.ipynb", "04_self_attention"),
        ("2026-03-01_04.ipynb", "04_self_attention"),
        ("2026-homework.ipynb", ""),
        ("final.ipynb", ""),
    ],
)
def test_lesson_in_the_name(name: str, lesson: str) -> None:
    assert lesson_in(name) == lesson
