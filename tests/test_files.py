"""A file is the old one or the new one, whatever happens while it is written."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tutor.files import UNFINISHED, replacing, write_whole


def contents(folder: Path) -> dict[str, str]:
    return {path.name: path.read_text() for path in folder.iterdir()}


def test_what_says_the_same_is_not_written_again(tmp_path: Path):
    path = tmp_path / "new" / "a.json"
    assert write_whole(path, "1")
    first = path.stat().st_mtime_ns
    assert not write_whole(path, b"1")
    assert path.stat().st_mtime_ns == first
    assert write_whole(path, "2")
    assert contents(path.parent) == {"a.json": "2"}


def test_a_full_disk_leaves_the_old_file_and_nothing_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    write_whole(tmp_path / "a.json", "old")

    def full(path: Path, content: bytes) -> None:
        with path.open("wb") as file:
            file.write(content[:1])
        raise OSError("No space left on device")

    monkeypatch.setattr(Path, "write_bytes", full)
    with pytest.raises(OSError, match="No space"):
        write_whole(tmp_path / "a.json", "new")
    assert contents(tmp_path) == {"a.json": "old"}


def test_a_name_that_is_no_text_can_be_written_about(tmp_path: Path):
    write_whole(tmp_path / "a.json", '"\udcff"')
    assert contents(tmp_path) == {"a.json": '"\\udcff"'}


def test_killed_it_leaves_the_old_file_and_what_can_be_cleared_away(tmp_path: Path):
    write_whole(tmp_path / "a.bin", "old")
    program = (
        "import os, signal\nfrom pathlib import Path\nfrom tutor.files import replacing\n"
        f"with replacing(Path({str(tmp_path / 'a.bin')!r})) as unfinished:\n"
        "    unfinished.write_text('half')\n    os.kill(os.getpid(), signal.SIGKILL)\n"
    )
    assert subprocess.run([sys.executable, "-c", program]).returncode == -signal.SIGKILL
    assert (tmp_path / "a.bin").read_text() == "old"
    (left,) = tmp_path.glob(UNFINISHED)
    assert left.read_text() == "half"


def test_a_durable_file_is_on_the_disk_before_it_has_its_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    seen: list[bool] = []
    monkeypatch.setattr(os, "fsync", lambda _: seen.append((tmp_path / "a").exists()))
    with replacing(tmp_path / "a", durable=True) as unfinished:
        unfinished.write_text("x")
    assert seen == [False]
    assert contents(tmp_path) == {"a": "x"}
