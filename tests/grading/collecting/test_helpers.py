"""What lies beside a notebook: read no further than need be, and never the learner's own model."""

import zipfile
from pathlib import Path

import pytest

from tests.grading.collecting.made_classes import EARLY, packed
from tests.grading.collecting.platforms import put
from tutor.grading.collecting.helpers import beside
from tutor.grading.collecting.kinds import START
from tutor.grading.collecting.submissions import collect

MINE = b'{"cells": []}'


def zipped(*names: str) -> bytes:
    return packed(dict.fromkeys(names, MINE), EARLY)


def test_texts_and_scripts_are_not_unpacked_to_be_known(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with zipfile.ZipFile(tmp_path / "a_9_99_hw.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        for number in range(3):
            for ending in ("txt", "py", "zip"):
                archive.writestr(f"{number}.{ending}", b"x" * (20 << 20))
        archive.writestr("04.ipynb", MINE)
    unpacked = 0
    read = zipfile.ZipExtFile.read

    def counted(file: zipfile.ZipExtFile, most: int | None = -1) -> bytes:
        nonlocal unpacked
        content = read(file, most)
        unpacked += len(content)
        return content

    monkeypatch.setattr(zipfile.ZipExtFile, "read", counted)
    (one,) = collect(tmp_path).submissions
    assert [file.leaf.name for file in one.files] == ["04.ipynb"]
    assert unpacked <= 3 * START + 3 * 2
    assert [script.path for script in one.helpers] == []


def test_files_that_cannot_lie_beside_each_other_are_left_out(tmp_path: Path) -> None:
    names = ("04.ipynb", "a.py", "a.py/b.py", "x" * 250 + ".py", "가" * 90 + ".py")
    put(tmp_path, "a_9_99_hw.zip", zipped(*names))
    (one,) = collect(tmp_path).submissions
    assert [*beside(one.files[0].leaf, one.helpers)] == ["a.py"]
    assert sum("name is too long" in other.why for other in one.others) == 2


@pytest.mark.parametrize("name", ["my_transformer.py", "MY_Transformer.PY", "my_transformer/of.py"])
def test_the_own_model_never_counts(tmp_path: Path, name: str) -> None:
    put(tmp_path / "folder", f"ada/{name}", b"def split_heads(x, heads): pass\n")
    put(tmp_path / "folder", "ada/04.ipynb", MINE)
    put(tmp_path / "zip", "ada_04.zip", zipped("04.ipynb", name))
    put(tmp_path / "alone", f"ada/{name}", b"def project_by_hand(x, W):\n    return x @ W\n")
    for place in ("folder", "zip", "alone"):
        (ada,) = collect(tmp_path / place).submissions
        assert ada.helpers == {}
        assert len(ada.files) == (place != "alone")
        assert any("model of the learner" in other.why for other in ada.others)


MOODLE, BLACKBOARD = "Ada L_7_assignsubmission_file_", "HW_ada_attempt_2026-03-0{}-12-00-00"


@pytest.mark.parametrize(
    ("notebook", "scripts"),
    [
        ("adal_7_71_04.ipynb", ("adal_7_72_{}.py", "adal_7_82_{}-1.py")),  # Canvas
        (f"{MOODLE}04.ipynb", (f"{MOODLE}{{}}.py",)),
        (
            f"{BLACKBOARD.format(1)}_04.ipynb",
            (f"{BLACKBOARD.format(1)}_{{}}.py", f"{BLACKBOARD.format(2)}_{{}}.py"),
        ),
    ],
)
def test_a_script_has_its_own_name_whatever_the_platform_puts_before(
    tmp_path: Path, notebook: str, scripts: tuple[str, ...]
) -> None:
    put(tmp_path, notebook, MINE)
    for name in scripts:
        put(tmp_path, name.format("own"), name.encode())
        put(tmp_path, name.format("my_transformer"))
    for day in (1, 2) if "attempt" in notebook else ():
        put(tmp_path, f"{BLACKBOARD.format(day)}.txt", b"Name: Ada (ada)")
    (ada,) = collect(tmp_path).submissions
    found = beside(ada.files[0].leaf, ada.helpers)
    assert found.pop("own-1.py", None) in (None, scripts[-1].encode())
    assert found == {"own.py": scripts[-1].encode()}
    assert sum("model of the learner" in other.why for other in ada.others) == len(scripts)
    of_own = [other.why for other in ada.others if "learner's own" not in other.why]
    assert sum("which can import it" in why for why in of_own) == 1
    assert sum("A newer script of this name" in why for why in of_own) == len(scripts) - 1
    assert all(other.is_harmless for other in ada.others if "newer" not in other.why)


def test_a_number_of_canvas_may_be_the_learners_own(tmp_path: Path) -> None:
    put(tmp_path, "adal_7_71_04.ipynb", MINE)
    put(tmp_path, "adal_7_72_part-2.py", b"second")
    (ada,) = collect(tmp_path).submissions
    both = {"part.py": b"second", "part-2.py": b"second"}
    assert beside(ada.files[0].leaf, ada.helpers) == both
    assert [other.why for other in ada.others] == [
        "This is a Python script; it was laid beside the notebooks, which can import it as part "
        "or as part-2: the number may be Canvas's or the learner's."
    ]


def test_a_script_that_a_notebook_calls_by_its_number_leaves_others_their_name(
    tmp_path: Path,
) -> None:
    put(tmp_path, "adal_7_71_04.ipynb", MINE.replace(b'"cells"', b'"part-2": 0, "cells"'))
    put(tmp_path, "adal_7_72_part.py", b"first")
    put(tmp_path, "adal_7_73_part-2.py", b"second")
    (ada,) = collect(tmp_path).submissions
    found = beside(ada.files[0].leaf, ada.helpers)
    assert found == {"part.py": b"first", "part-2.py": b"second"}


def test_a_number_takes_no_name_from_a_newer_script(tmp_path: Path) -> None:
    put(tmp_path, "adal_7_71_04.ipynb", MINE)
    put(tmp_path, "adal_7_72_part-2.py", b"second")
    put(tmp_path, "adal_7_73_part.py", b"first")
    (ada,) = collect(tmp_path).submissions
    found = beside(ada.files[0].leaf, ada.helpers)
    assert found == {"part.py": b"first", "part-2.py": b"second"}
    assert not any("newer" in other.why for other in ada.others)
