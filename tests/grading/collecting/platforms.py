"""Writes what a class of forty handed in, as each platform writes it; two have one name."""

import csv
import os
import zipfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

NOTEBOOK = "04_self_attention.ipynb"
SIZE = 40
_FIRST = ("Ada", "Bo", "Chloé", "민지", "Dmitri", "Eun-ji", "Fay", "Gil")
_LAST = ("Kim", "Lovelace", "O'Neil", "van Dyk", "Wu")
NAMES = [f"{first} {last}" for first in _FIRST for last in _LAST]
NAMES[7] = NAMES[3]  # two learners of one name


@dataclass(frozen=True)
class Learner:
    """Somebody who handed something in; `number` is the platform's."""

    number: int
    name: str

    @property
    def login(self) -> str:
        return f"user{self.number}"

    @property
    def drawn_together(self) -> str:
        """The name as Canvas writes it: last name first, letters only, small."""
        first, _, last = self.name.partition(" ")
        return "".join(letter for letter in (last + first).lower() if letter.isalnum())


LEARNERS = [Learner(4001 + place, name) for place, name in enumerate(NAMES)]
Content = Callable[[Learner], bytes]


def put(folder: Path, name: str, content: bytes = b"{}", age: float = 0) -> Path:
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)
    os.utime(path, (1_700_000_000 + age, 1_700_000_000 + age))
    return path


def moodle(folder: Path, content: Content) -> None:
    for one in LEARNERS:
        put(folder, f"{one.name}_{one.number}_assignsubmission_file_/{NOTEBOOK}", content(one))


def moodle_flat(folder: Path, content: Content) -> None:
    """Downloaded without folders, from a course with groups."""
    for one in LEARNERS:
        name = f"Group 1-{one.name}_{one.number}_assignsubmission_file_{NOTEBOOK}"
        put(folder, name, content(one))


def moodle_hidden(folder: Path, content: Content) -> None:
    for one in LEARNERS:
        put(folder, f"Participant_{one.number}_assignsubmission_file_/{NOTEBOOK}", content(one))


def canvas(folder: Path, content: Content) -> None:
    """Some are late, some have handed in again, some several files."""
    for place, one in enumerate(LEARNERS):
        late = "LATE_" if place % 5 == 0 else ""
        start, again = f"{one.drawn_together}_{late}{one.number}", f"-{place % 3}" * (place % 3 > 0)
        stem = NOTEBOOK.removesuffix(".ipynb")
        put(folder, f"{start}_{70_000 + place}_{stem}{again}.ipynb", content(one))
        if place % 4 == 0:
            put(folder, f"{start}_{60_000 + place}_helpers.py", b"x = 1\n")


def canvas_hidden(folder: Path, content: Content) -> None:
    for place, one in enumerate(LEARNERS):
        put(folder, f"anon_{one.number:x}Z_{70_000 + place}_{NOTEBOOK}", content(one))


def blackboard(folder: Path, content: Content) -> None:
    for place, one in enumerate(LEARNERS):
        start = f"Homework_4 (self-attention)_{one.login}_attempt_2026-03-01-12-00-{place:02}"
        put(folder, f"{start}_{NOTEBOOK}", content(one))
        note = f"Name: {one.name} ({one.login})\nAssignment: Homework_4\nDate Submitted: …\n"
        put(folder, f"{start}.txt", note.encode())


def gradescope(folder: Path, content: Content) -> None:
    lines = ["---"]
    for one in LEARNERS:
        put(folder, f"assignment_77_export/submission_{one.number}/{NOTEBOOK}", content(one))
        lines += [f"submission_{one.number}:", "  :submitters:", f'  - :name: "{one.name}"']
        lines += [f"    :sid: '{one.login}'", f"    :email: {one.login}@example.edu"]
        lines += ["  :created_at: 2026-03-01 12:00:00.000000000 Z", "  :score: 0.0"]
    put(folder, "assignment_77_export/submission_metadata.yml", "\n".join(lines).encode())


def nbgrader(folder: Path, content: Content) -> None:
    for one in LEARNERS:
        place = f"submitted/{one.login}/04_self_attention"
        put(folder, f"{place}/{NOTEBOOK}", content(one))
        put(folder, f"{place}/timestamp.txt", b"2026-03-01 12:00:00.123456 UTC")


def nbgrader_exchange(folder: Path, content: Content) -> None:
    for one in LEARNERS:
        name = f"{one.login}+04_self_attention+2026-03-01 12:00:00.123456 UTC+a1b2"
        put(folder, f"inbound/{name}/{NOTEBOOK}", content(one))


def github(folder: Path, content: Content) -> None:
    for one in LEARNERS:
        clone = f"homework-4-submissions/homework-4-{one.login}"
        put(folder, f"{clone}/{NOTEBOOK}", content(one))
        put(folder, f"{clone}/.git/HEAD", b"ref: refs/heads/main\n")
        put(folder, f"{clone}/README.md", b"# Homework 4\n")


def google(folder: Path, content: Content) -> None:
    """Drive puts (1) to the second of two files with one name."""
    for place, one in enumerate(LEARNERS):
        stem = NOTEBOOK.removesuffix(".ipynb")
        number = "(1)" if one.name in NAMES[:place] else ""
        put(folder, f"{one.name} - {stem}{number}.ipynb", content(one))


def plain_folders(folder: Path, content: Content) -> None:
    for one in LEARNERS:
        put(folder, f"{one.login}/work/{NOTEBOOK}", content(one))


def plain_files(folder: Path, content: Content) -> None:
    for one in LEARNERS:
        put(folder, f"{one.login}_{NOTEBOOK}", content(one))


def zipped(folder: Path, content: Content) -> None:
    """The platform's own download, as it came."""
    with zipfile.ZipFile(folder / "submissions.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        for one in LEARNERS:
            name = f"{one.name}_{one.number}_assignsubmission_file_/{NOTEBOOK}"
            archive.writestr(name, content(one))


def zips(folder: Path, content: Content) -> None:
    """A zip archive of each learner."""
    for one in LEARNERS:
        with zipfile.ZipFile(folder / f"{one.login}_04_self_attention.zip", "w") as archive:
            archive.writestr(f"my work/{NOTEBOOK}", content(one))


PLATFORMS: Mapping[str, Callable[[Path, Content], None]] = {
    one.__name__: one
    for one in (
        *(moodle, moodle_flat, moodle_hidden, canvas, canvas_hidden, blackboard, gradescope),
        *(nbgrader, nbgrader_exchange, github, google, plain_folders, plain_files, zipped, zips),
    )
}


def table(folder: Path, head: str, row: Callable[[Learner], list[str]]) -> Path:
    """Write a table with a row for each learner, the columns named as a platform names them."""
    path = folder / "list.csv"
    with path.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows([head.split(","), *map(row, LEARNERS)])
    return path
