"""Zip archives are read where they lie, within limits; what is odd in one has a row."""

import io
import stat
import zipfile
from pathlib import Path

import pytest

from tests.grading.collecting.platforms import put
from tutor.grading.collecting import archives, tree
from tutor.grading.collecting.files import UnreadableError
from tutor.grading.collecting.submissions import Submission, collect
from tutor.grading.collecting.times import moment


def packed(*entries: tuple[str | zipfile.ZipInfo, bytes]) -> bytes:
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, inside in entries:
            archive.writestr(name, inside)
    return content.getvalue()


def only(folder: Path) -> Submission:
    (one,) = collect(folder).submissions
    return one


def why(submission: Submission) -> str:
    return " ".join(other.why for other in submission.others)


def test_archives_are_opened_also_inside_each_other(tmp_path: Path) -> None:
    inner = packed(("b/05.ipynb", b"two"))
    put(tmp_path, "ada/work.ZIP", packed(("a/04.ipynb", b"one"), ("more.zip", inner)))
    found = {file.name: file.leaf.read() for file in only(tmp_path).files}
    assert found == {
        "ada/work.ZIP/a/04.ipynb": b"one",
        "ada/work.ZIP/more.zip/b/05.ipynb": b"two",
    }
    assert [path.name for path in tmp_path.rglob("*")] == ["ada", "work.ZIP"]  # nothing unpacked


def test_what_was_handed_in_is_the_archive_so_its_date_counts(tmp_path: Path) -> None:
    """The dates inside are those of the learner's clock; they say which notebook is newer."""
    old, new = (zipfile.ZipInfo(f"{day}.ipynb", (2031, 1, day, 0, 0, 0)) for day in (1, 2))
    inner = packed((new, b"new"), (old, b"old"))
    path = put(tmp_path, "ada/work.zip", packed(("more.zip", inner)), age=7)
    files = only(tmp_path).files
    assert [file.leaf.name for file in files] == ["1.ipynb", "2.ipynb"]
    assert {file.time for file in files} == {path.stat().st_mtime}
    sent = [zipfile.ZipInfo(f"{one}/04.ipynb", (2026, 3, 1, 12, 0, 0)) for one in ("ada", "bo")]
    given = put(tmp_path / "whole", "class.zip", packed(*((entry, b"1") for entry in sent)))
    for folder in (given, given.parent):  # what the platform has packed has the platform's dates
        times = {file.time for one in collect(folder).submissions for file in one.files}
        assert times == {moment("2026-03-01 12:00")}


def test_the_archive_of_a_class_can_be_given_itself(tmp_path: Path) -> None:
    path = put(tmp_path, "class.zip", packed(("ada/04.ipynb", b"1"), ("bo/04.ipynb", b"2")))
    assert [one.student for one in collect(path).submissions] == ["ada", "bo"]


def test_links_and_paths_that_lead_out(tmp_path: Path) -> None:
    link = zipfile.ZipInfo("04.ipynb")
    link.external_attr = (stat.S_IFLNK | 0o777) << 16
    put(tmp_path, "ada/a.zip", packed((link, b"/etc/passwd"), ("../../x.ipynb", b"{}")))
    ada = only(tmp_path)
    assert ada.files == []
    assert "This is a link" in why(ada)
    assert "leads out of the archive" in why(ada)
    put(tmp_path, "ada/a.zip", packed(("/etc/04.ipynb", b"{}"), ("c:\\x\\05.ipynb", b"{}")))
    names = [file.name for file in only(tmp_path).files]
    assert names == ["ada/a.zip/c:/x/05.ipynb", "ada/a.zip/etc/04.ipynb"]


def test_what_grows_without_end_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(archives, "LARGEST", 1000)
    put(tmp_path, "ada/a.zip", packed(("04.ipynb", bytes(2000))))
    assert "larger than" in why(only(tmp_path))
    lying = bytearray(packed(("04.ipynb", bytes(2000))))
    size = (2000).to_bytes(4, "little")
    while size in lying:  # the size that the archive claims, in both its lists
        lying[lying.index(size) : lying.index(size) + 4] = (10).to_bytes(4, "little")
    put(tmp_path, "ada/a.zip", bytes(lying))
    with pytest.raises(UnreadableError):
        only(tmp_path).files[0].leaf.read()
    monkeypatch.setattr(archives, "MOST_ENTRIES", 5)
    put(tmp_path, "ada/a.zip", packed(*((f"{n}.ipynb", b"{}") for n in range(6))))
    assert "more than 5 files" in why(only(tmp_path))


def test_archives_in_archives_have_an_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    bomb = packed(("04.ipynb", b"{}"))
    for _ in range(30):
        bomb = packed(("a.zip", bomb))
    put(tmp_path, "ada/a.zip", bomb)
    assert any("too deep" in note for note in only(tmp_path).notes)
    monkeypatch.setattr(tree, "MOST_NESTED", 3)
    small = packed(("04.ipynb", b"{}"))
    put(tmp_path, "ada/a.zip", packed(*((f"{n}.zip", small) for n in range(5))))
    assert len(only(tmp_path).files) == 3
    assert "too many archives" in why(only(tmp_path))


def test_damaged_and_locked_archives_are_told(tmp_path: Path) -> None:
    whole = packed(("04.ipynb", b"{}" * 1000))
    for place, content in enumerate((b"", b"PK\x03\x04", whole[:-30], b"hello")):
        put(tmp_path, "ada/a.zip", content)
        assert "damaged" in why(only(tmp_path)), place
    locked = bytearray(whole)
    locked[6] |= 1  # the bit that says so, in both lists
    locked[locked.index(b"PK\x01\x02") + 8] |= 1
    put(tmp_path, "ada/a.zip", bytes(locked))
    assert "password" in why(only(tmp_path))
    broken = bytearray(whole)
    broken[42] ^= 0xFF
    put(tmp_path, "ada/a.zip", bytes(broken))
    with pytest.raises(UnreadableError, match="cannot be unpacked"):
        only(tmp_path).files[0].leaf.read()
    put(tmp_path, "ada/a.zip", packed())
    assert only(tmp_path).notes[0] == "The archive ada/a.zip holds no files."


def test_names_in_the_encodings_of_systems(tmp_path: Path) -> None:
    for encoding in ("utf-8", "cp949"):
        content = packed(("__________/04.ipynb", b"{}"))
        name = "과제".encode(encoding)
        put(tmp_path, "ada/a.zip", content.replace(b"__________", name.ljust(10, b"-")))
        assert only(tmp_path).files[0].name.startswith("ada/a.zip/과제-"), encoding


def test_what_systems_add_is_passed_over(tmp_path: Path) -> None:
    put(
        tmp_path,
        "ada/a.zip",
        packed(("04.ipynb", b"{}"), ("__MACOSX/._04.ipynb", b"x"), ("._05.ipynb", b"x")),
    )
    put(tmp_path, "ada/.DS_Store", b"x")
    assert [file.name for file in only(tmp_path).files] == ["ada/a.zip/04.ipynb"]
    assert only(tmp_path).others == []
