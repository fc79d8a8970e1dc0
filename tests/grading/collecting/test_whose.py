"""No byte of what one learner hands in moves another's row, or the clock."""

from pathlib import Path
from typing import Any

import pytest

from tests.grading.collecting.made_classes import (
    CLASS,
    EARLY,
    EVE,
    MADE,
    MadeClass,
    made_class,
    packed,
)
from tests.grading.collecting.platforms import put
from tutor.grading.collecting import tree
from tutor.grading.collecting.classes import UNTOLD, DoubtError, Told
from tutor.grading.collecting.roster import Person, Roster
from tutor.grading.collecting.submissions import Collected, collect
from tutor.grading.collecting.times import moment

QUICK, MANY = 4, 300  # classes of each platform


def rows(collected: Collected) -> dict[str, Any]:
    """Everything that is known of each learner, files with their bytes and times."""
    return {
        one.student: (
            one.who,
            [(file.name, file.time, file.is_late, file.leaf.read()) for file in one.files],
            [(other.file, other.why) for other in one.others],
            one.notes,
        )
        for one in collected.submissions
    }


def who_is_eve(found: dict[str, Any]) -> str:
    (key,) = [
        key for key, (_, files, _, _) in found.items() if b'"by": "user4001"' in str(files).encode()
    ]
    return key


def told_by_a_teacher(folder: Path, made: MadeClass) -> Told:
    """Only where a learner's folder bears no platform's mark and no list is given may it ask."""
    assert made.platform in ("plain_folders", "plain_sections"), made
    assert not made.has_list
    return Told(learners=[EVE.login])


def check(made: MadeClass, folder: Path) -> None:
    path, roster = made.written(folder / "honest", is_honest=True)
    honest = rows(collect(path, roster))
    assert sum(bool(files) for _, files, *_ in honest.values()) == len(CLASS), made
    path, roster = made.written(folder / "forged", is_honest=False)
    told = UNTOLD
    try:
        found = rows(collect(path, roster))
    except DoubtError:
        told = told_by_a_teacher(path, made)
        found = rows(collect(path, roster, told))
    eve = who_is_eve(honest)
    assert who_is_eve(found) == eve, made
    assert found[eve][0] == honest[eve][0], made
    times = {time for _, time, _, _ in found[eve][1]}
    assert times == {time for _, time, _, _ in honest[eve][1]}, made
    del honest[eve], found[eve]
    assert found == honest, made


@pytest.mark.parametrize("number", range(QUICK))
@pytest.mark.parametrize("platform", MADE)
def test_no_name_inside_a_hand_in_is_anybodys(platform: str, number: int, tmp_path: Path) -> None:
    check(made_class(platform, number), tmp_path)


@pytest.mark.long
@pytest.mark.parametrize("platform", MADE)
def test_none_in_thousands(platform: str, tmp_path: Path) -> None:
    for number in range(QUICK, MANY):
        check(made_class(platform, number), tmp_path / str(number))


MINE, THEIRS = b'{"cells": [], "by": "a"}', b'{"cells": [], "by": "b"}'
FORGED = "b_22_999999_04.ipynb"  # as Canvas names what b hands in
ATTEMPT, FILE = "attempt_2026-03-01-12-00-00", "assignsubmission_file"


def zipped(*names: str) -> bytes:
    return packed(dict.fromkeys(names, MINE), EARLY)


def laid(folder: Path, files: dict[str, bytes]) -> Path:
    for name, content in files.items():
        put(folder, name, content)
    return folder


def contents(
    folder: Path, roster: Roster | None = None, **told: list[str]
) -> dict[str, set[bytes]]:
    found = collect(folder, roster, Told(told.get("classes", ()), told.get("learners", ())))
    return {one.student: {file.leaf.read() for file in one.files} for one in found.submissions}


@pytest.mark.parametrize(
    ("theirs", "mine", "forged"),
    [
        ("b_22_2001_04.ipynb", "a_99_1001_hw.zip", FORGED),
        (f"HW_b_{ATTEMPT}_04.ipynb", f"HW_a_{ATTEMPT}_hw.zip", f"HW_b_{ATTEMPT}_05.ipynb"),
        ("submission_1.zip", "submission_2.zip", "submission_1/04.ipynb"),
        (f"Bo_7_{FILE}_04.ipynb", f"Al_8_{FILE}_hw.zip", f"Bo_7_{FILE}_/04.ipynb"),
        ("Bo - 04.ipynb", "Al - 04.zip", "Bo - 04.ipynb"),
        ("bo_04.ipynb", "al_04.zip", FORGED),
    ],
)
def test_a_zip_is_its_owners_whatever_it_holds(
    tmp_path: Path, theirs: str, mine: str, forged: str
) -> None:
    files = {theirs: packed({"04.ipynb": THEIRS}, EARLY) if theirs.endswith("zip") else THEIRS}
    files[mine] = packed({forged: MINE, "submission_metadata.yml": b"submission_2: {}"}, EARLY)
    found = contents(laid(tmp_path, files))
    assert sorted(found.values(), key=str) == [{MINE}, {THEIRS}]
    together = packed(files, EARLY)  # and so in the archive that the platform gives
    assert contents(put(tmp_path / "x", "all.zip", together)) == found


def test_a_folder_on_the_list_is_that_persons(tmp_path: Path) -> None:
    laid(tmp_path, {f"a/{FORGED}": MINE, "a/b/04.ipynb": MINE, "b/04.ipynb": THEIRS})
    roster = Roster([Person("Al", login="a"), Person("Bo", login="b", ids=("22",))])
    assert contents(tmp_path, roster) == {"a": {MINE}, "b": {THEIRS}}


def test_ones_own_work_and_a_partners_file_keep_their_owner(tmp_path: Path) -> None:
    partners = packed({"mine.ipynb": MINE, FORGED: THEIRS}, EARLY)
    laid(tmp_path, {"a_99_1001_hw.zip": partners, "b_22_2001_04.ipynb": THEIRS})
    assert contents(tmp_path) == {"a_99": {MINE, THEIRS}, "b_22": {THEIRS}}


def test_a_teacher_is_asked_where_a_folder_could_be_either(tmp_path: Path) -> None:
    both = {"b_22_2001_04.ipynb": THEIRS, "c_23_2002_04.ipynb": THEIRS}
    laid(tmp_path, {"a_99_1001_04.ipynb": MINE, "late.zip": packed(both, EARLY)})
    with pytest.raises(DoubtError, match="--one-learner") as asked:
        collect(tmp_path)
    assert '--whole-class "late.zip"' in str(asked.value)
    assert [*contents(tmp_path, classes=["late.zip"])] == ["a_99", "b_22", "c_23"]
    assert contents(tmp_path, learners=["late.zip"])["late"] == {THEIRS}
    with pytest.raises(DoubtError, match="no archive nowhere"):
        collect(tmp_path, None, Told(["nowhere"], ["late.zip"]))


def test_a_class_is_told_by_where_it_lies(tmp_path: Path) -> None:
    both = {"b_22_2001_04.ipynb": THEIRS, "c_23_2002_04.ipynb": THEIRS}
    for place in ("submissions.zip", "sections/one.zip"):
        found = collect(put(tmp_path / place[:3], place, packed(both, EARLY)).parent)
        assert [one.student for one in found.submissions] == ["b_22", "c_23"]
        assert "was read as the folder of a class" in found.notes[0]
    with pytest.raises(DoubtError):  # alone, but it could be Al's
        collect(put(tmp_path / "x", "al_04.zip", packed(both, EARLY)).parent)
    sections = laid(
        tmp_path / "s", {f"{s}/{s}{n}_{n}_99_04.ipynb": MINE for s in "xy" for n in "12"}
    )
    assert len(contents(sections)) == 4


def test_no_hand_in_takes_from_what_another_may_hold(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tree, "MOST_NESTED", 3)
    many = packed({f"{n}.zip": zipped("04.ipynb") for n in range(5)}, EARLY)
    whole = {"a_1_11_hw.zip": many, "b_2_22_hw.zip": packed({"x.zip": zipped("04.ipynb")}, EARLY)}
    assert contents(put(tmp_path, "all.zip", packed(whole, EARLY)))["b_2"] == {MINE}


def times(folder: Path, roster: Roster | None = None) -> set[float | None]:
    found = collect(folder, roster).submissions
    return {file.time if file.is_handed_in else None for one in found for file in one.files}


def test_a_time_stamp_is_believed_where_nbgrader_writes_it_alone(tmp_path: Path) -> None:
    stamp = b"2026-01-01 00:00:00 UTC"
    stamps = {"timestamp.txt": stamp, "04.ipynb": MINE}
    person = "Ada_7_assignsubmission_file_"
    laid(tmp_path / "moodle", {f"{person}/{name}": content for name, content in stamps.items()})
    laid(tmp_path / "zip", {"a_9_99_hw.zip": packed(stamps, EARLY)})
    laid(tmp_path / "plain", {f"ada/04/{name}": content for name, content in stamps.items()})
    for layout in ("moodle", "zip", "plain"):
        assert times(tmp_path / layout) == {None}, layout
    names = {f"submitted/ada/04/{name}": content for name, content in stamps.items()}
    assert times(laid(tmp_path / "nbgrader", names)) == {moment(stamp.decode())}
    ada = Roster([Person("Ada", login="ada", time=5.0)])
    assert times(tmp_path / "nbgrader", ada) == {5.0}
    deeper = {f"submitted/ada/04/x/{name}": content for name, content in stamps.items()}
    deep = laid(tmp_path / "deep", deeper)
    assert times(deep) == {None}
