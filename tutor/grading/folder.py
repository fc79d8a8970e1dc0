"""The folder of results: one run's at a time, and nothing in it is touched that is somebody else's.

A list of what was written lies in it. Only what is on the list is ever replaced or removed, and it
is on the list before it is written, so that a run that was killed leaves nothing unknown.
"""

import contextlib
import re
from collections.abc import Iterable, Iterator
from pathlib import Path, PurePosixPath

from tutor.files import UNFINISHED, write_whole
from tutor.grading.store import RUN_FILE, json_text, read_json, seed_of_run
from tutor.say import say

MANIFEST = "manifest.json"
LOCK = ".lock"
_UNFINISHED = re.compile(r"\.(?P<name>.+)\.\d+\.unfinished")


class ForeignError(ValueError):
    """A file or a folder that this program has not written; the message says what to do."""


class FolderInUseError(Exception):
    """Another run writes to the same folder."""


class ResultsFolder:
    """The files of one run.

    Args:
        path: the folder.

    Raises:
        ForeignError: it holds files, and none of them says that this program wrote them.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        listed = read_json(path / MANIFEST)
        names = listed.get("files") if isinstance(listed, dict) else None
        self._listed = set(filter(_lies_inside, names)) if isinstance(names, list) else None
        self._written: set[str] = set()
        if self._listed is None and not self._may_be_taken():
            raise ForeignError(
                say(
                    "{folder} holds files that `tutor grade` has not written. Name a new folder "
                    "for the results.",
                    folder=path,
                )
            )

    def _may_be_taken(self) -> bool:
        """Say whether nobody's files are in it: none, or those of the first edition."""
        entries = {entry.name for entry in self.path.iterdir()} if self.path.is_dir() else set()
        return not entries - {LOCK} or seed_of_run(self.path / RUN_FILE) is not None

    @contextlib.contextmanager
    def locked(self) -> Iterator[None]:
        """Keep the folder for this run.

        Raises:
            FolderInUseError: another run has it.
        """
        import fcntl  # not on Windows, where grading refuses before it comes here

        self.path.mkdir(parents=True, exist_ok=True)
        with open(self.path / LOCK, "w", encoding="ascii") as lock:
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                raise FolderInUseError(
                    say("Another `tutor grade` is writing to {folder}.", folder=self.path)
                ) from None
            self._remove_unfinished()
            yield

    def expect(self, names: Iterable[str]) -> None:
        """Put files on the list that are to be written.

        Raises:
            ForeignError: one of them is there already and is somebody else's.
        """
        names = set(names)
        for name in sorted(names - self._listed) if self._listed is not None else ():
            if (path := self.path / name).exists():
                sentence = "`tutor grade` has not written {file}. Move it away."
                raise ForeignError(say(sentence, file=path))
        self._listed = (self._listed or set()) | names
        write_whole(self.path / MANIFEST, json_text({"files": sorted(self._listed)}))

    def write(self, name: str, content: str | bytes) -> Path:
        """Write a file in one step and give its path."""
        if self._listed is None or name not in self._listed:
            self.expect([name])
        self._written.add(name)
        write_whole(self.path / name, content)
        return self.path / name

    def finish(self) -> None:
        """Remove what earlier runs have written and this one has not: it would look like its."""
        for name in sorted((self._listed or set()) - self._written):
            with contextlib.suppress(FileNotFoundError, NotADirectoryError):
                (self.path / name).unlink()
        self._listed = set(self._written)
        write_whole(self.path / MANIFEST, json_text({"files": sorted(self._written)}))

    def _remove_unfinished(self) -> None:
        """Remove what a run that was killed has left of files on the list."""
        listed = {*(self._listed or ()), MANIFEST, RUN_FILE}
        for folder in {PurePosixPath(name).parent for name in listed}:
            for path in (self.path / folder).glob(UNFINISHED):
                found = _UNFINISHED.fullmatch(path.name)
                if found and str(folder / found["name"]) in listed:
                    path.unlink()


def _lies_inside(name: object) -> bool:
    return isinstance(name, str) and not PurePosixPath(name).is_absolute() and ".." not in name
