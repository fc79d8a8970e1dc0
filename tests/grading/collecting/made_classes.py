"""Makes classes of three, one of whom hands in whatever could be taken for another's or for a date.

On every platform a learner's own words are what follows the platform's in a file's name, and all
that lies inside what was handed in. Nothing of it may move anybody else's row, or the clock.
"""

import io
import random
import zipfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from tests.grading.collecting.platforms import NOTEBOOK, Learner, put
from tutor.grading.collecting.roster import Person, Roster

EVE, BO, CY = (Learner(*one) for one in ((4001, "Eve Adams"), (4002, "Bo Kim"), (4003, "Cy Kim")))
CLASS = (EVE, BO, CY)
EARLY = (2020, 1, 1, 0, 0, 0)
Files = Mapping[str, bytes]  # path in the hand-in -> content


@dataclass(frozen=True)
class MadePlatform:
    """How a platform lays down what one learner has handed in.

    Attributes:
        place: gives where a file comes to lie, from the learner and the file's own path.
        keeps_folders: the learner's own folders stay; else a file's name stands behind the mark.
        beside: what the platform writes beside the hand-ins.
        list: gives a line of its list of the class.
    """

    place: Callable[[Learner, str], str]
    keeps_folders: bool = True
    beside: Callable[[Learner], Files] = lambda _: {}
    list: Callable[[Learner], Person] = lambda one: Person(one.name, login=one.login)


def _canvas(one: Learner, file: str) -> str:
    return f"{one.drawn_together}_{one.number}_{one.number * 10}_{file}"


def _attempt(one: Learner) -> str:
    return f"HW_4_{one.login}_attempt_2026-03-01-12-00-0{one.number % 10}"


def _metadata(people: Sequence[Learner]) -> bytes:
    lines = ["---"]
    for one in people:
        lines += [f"submission_{one.number}:", "  :submitters:", f"  - :name: {one.name}"]
        lines += [f"    :sid: {one.login}", "  :created_at: 2026-03-01 12:00:00.000000000 Z"]
    return "\n".join(lines).encode()


def _numbered(platform: str) -> Callable[[Learner], Person]:
    return lambda one: Person(one.name, ids=("7",), known_as=((platform, str(one.number)),))


MADE: Mapping[str, MadePlatform] = {
    "moodle": MadePlatform(
        lambda one, file: f"{one.name}_{one.number}_assignsubmission_file_/{file}",
        list=_numbered("moodle"),
    ),
    "moodle_flat": MadePlatform(
        lambda one, file: f"{one.name}_{one.number}_assignsubmission_file_{file}", False
    ),
    "moodle_hidden": MadePlatform(
        lambda one, file: f"Participant_{one.number}_assignsubmission_file_/{file}",
        list=_numbered("moodle"),
    ),
    "canvas": MadePlatform(_canvas, False, list=_numbered("canvas")),
    "canvas_hidden": MadePlatform(
        lambda one, file: f"anon_{one.number:x}Z_{one.number * 10}_{file}", False
    ),
    "blackboard": MadePlatform(
        lambda one, file: f"{_attempt(one)}_{file}",
        False,
        lambda one: {f"{_attempt(one)}.txt": f"Name: {one.name} ({one.login})\n".encode()},
    ),
    "gradescope": MadePlatform(
        lambda one, file: f"submission_{one.number}/{file}",
        beside=lambda _: {"submission_metadata.yml": _metadata(CLASS)},
        list=lambda one: Person(one.name, ids=(one.login,)),
    ),
    "nbgrader": MadePlatform(
        lambda one, file: f"submitted/{one.login}/04_self_attention/{file}",
        beside=lambda one: {
            f"submitted/{one.login}/04_self_attention/timestamp.txt": b"2026-03-01 12:00:00 UTC"
        },
    ),
    "nbgrader_exchange": MadePlatform(
        lambda one, file: f"inbound/{one.login}+04+2026-03-01 12:00:00.1 UTC+a1/{file}"
    ),
    "github": MadePlatform(
        lambda one, file: f"homework-4-submissions/homework-4-{one.login}/{file}",
        beside=lambda one: {
            f"homework-4-submissions/homework-4-{one.login}/.git/HEAD": b"ref: main\n"
        },
    ),
    "google": MadePlatform(lambda one, file: f"{one.name} - 04 {file}", False),
    "plain_folders": MadePlatform(lambda one, file: f"{one.login}/{file}"),
    "plain_sections": MadePlatform(lambda one, file: f"submissions/{one.login}/{file}"),
    "plain_zips": MadePlatform(lambda one, file: f"{one.login}_04{Path(file).suffix}", False),
}


def forgeries(victim: Learner, file: str) -> list[str]:
    """Names inside a hand-in that some platform would read as another's, or as a time."""
    marked = [made.place(victim, file) for made in MADE.values()]
    notes = [f"{_attempt(victim)}.txt", f"{victim.login}_{file}", f"{victim.login}/{file}"]
    metadata = ["submission_metadata.yml", "timestamp.txt", ".git/HEAD", "my_transformer.py"]
    late = [f"x_LATE_{victim.number}_99_{file}", f"x_attempt_2020-01-01-00-00-00_{file}"]
    return [*marked, *notes, *metadata, *late]


def content_of(path: str, victim: Learner) -> bytes:
    """What stands in a forged file."""
    if path.endswith(".yml"):
        return _metadata([Learner(one.number, victim.name) for one in CLASS])
    if path.endswith("timestamp.txt"):
        return b"2020-01-01 00:00:00 UTC"
    if path.endswith(".txt"):
        return f"Name: {victim.name} ({victim.login})\n".encode()
    return f'{{"cells": [], "by": "eve", "as": "{path}"}}'.encode()


@dataclass(frozen=True)
class MadeClass:
    """A class and what Eve hands in beside her notebook.

    Attributes:
        platform: of MADE.
        is_zipped: Eve hands in one zip archive.
        is_whole_zipped: the teacher gives the platform's archive.
        has_list: the list of the class is given.
        forged: names of the files beside her notebook.
        victim: whose names they are.
    """

    platform: str
    is_zipped: bool
    is_whole_zipped: bool
    has_list: bool
    forged: tuple[str, ...]
    victim: Learner

    def written(self, folder: Path, is_honest: bool) -> tuple[Path, Roster]:
        """Lay it down; honest, Eve hands in her notebook alone, in the same way."""
        made = MADE[self.platform]
        files: dict[str, bytes] = {}
        for one in CLASS:
            mine = {NOTEBOOK: f'{{"cells": [], "by": "{one.login}"}}'.encode()}
            if one is EVE and not is_honest:
                mine |= {path: content_of(path, self.victim) for path in self.forged}
            files |= {made.place(one, file): inside for file, inside in self._sent(one, mine)}
            files |= made.beside(one)
        people = [made.list(one) for one in CLASS] if self.has_list else []
        if self.is_whole_zipped:
            return put(folder, "all.zip", packed(files, (2026, 3, 1, 12, 0, 0))), Roster(people)
        for path, inside in files.items():
            put(folder / "class", path, inside)
        return folder / "class", Roster(people)

    def _sent(self, one: Learner, files: Files) -> list[tuple[str, bytes]]:
        if one is EVE and self.is_zipped:
            return [("hw4.zip", packed(files, EARLY))]
        if self.platform == "plain_zips":
            return [*files.items()][:1]
        keeps = MADE[self.platform].keeps_folders
        return [
            (path if keeps else path.replace("/", " "), inside) for path, inside in files.items()
        ]


def packed(files: Files, date: tuple[int, int, int, int, int, int]) -> bytes:
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w") as archive:
        for path, inside in files.items():
            archive.writestr(zipfile.ZipInfo(path, date), inside)
    return content.getvalue()


def made_class(platform: str, number: int) -> MadeClass:
    """Draw a class of a platform; the same number gives the same class."""
    rng = random.Random(f"{platform} {number}")
    victim = rng.choice((BO, CY))
    names = forgeries(victim, rng.choice((NOTEBOOK, "final.ipynb", "04.zip", "answers.py")))
    return MadeClass(
        platform,
        is_zipped=rng.random() < 0.6 or platform == "plain_zips",
        is_whole_zipped=rng.random() < 0.4,
        has_list=rng.random() < 0.5,
        forged=tuple(rng.sample(names, rng.randint(1, 5))),
        victim=victim,
    )
