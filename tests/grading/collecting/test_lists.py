"""Numbers, logins and names of the list of the class, and who hands in under them."""

from pathlib import Path

import pytest

from tests.grading.collecting.platforms import put
from tutor.grading.collecting.roster import Person, Roster
from tutor.grading.collecting.roster_table import RosterError, read_roster
from tutor.grading.collecting.submissions import collect

MINE, THEIRS = b'{"cells": [], "by": "a"}', b'{"cells": [], "by": "b"}'


def people(folder: Path, roster: Roster) -> dict[str, tuple[str, int, str]]:
    found = collect(folder, roster).submissions
    return {one.student: (one.who.name, len(one.files), " ".join(one.notes)) for one in found}


def test_a_number_means_somebody_on_its_platform_alone(tmp_path: Path) -> None:
    put(tmp_path, "Bo Kim_7_assignsubmission_file_/04.ipynb", THEIRS)
    put(tmp_path, "Ada Kim_8_assignsubmission_file_/04.ipynb", MINE)
    text = "학번,이름\n7,Ada Kim\n8,Bo Kim\n"
    roster = read_roster(put(tmp_path.parent, "list.csv", text.encode()))
    found = people(tmp_path, roster)
    assert found == {"Ada Kim_8": ("Ada Kim", 1, ""), "Bo Kim_7": ("Bo Kim", 1, "")}


def test_a_name_is_no_login(tmp_path: Path) -> None:
    put(tmp_path, "bo_7_assignsubmission_file_/04.ipynb")
    roster = Roster([Person("Al Kim", login="bo"), Person("Cy Wu", email="bo@x.edu")])
    assert people(tmp_path, roster)["bo_7"][0] == "bo"


def test_a_login_of_the_school_is_none_of_github(tmp_path: Path) -> None:
    table = put(tmp_path, "list.csv", b"name,username,github_username\nAl,bo,al-hub\nBo,b2,bo\n")
    place = "hw-submissions/hw-bo/04.ipynb"
    put(tmp_path / "class", place)
    assert people(tmp_path / "class", read_roster(table))["bo"][0] == "Bo"


def test_two_hand_ins_for_one_person_are_two_rows(tmp_path: Path) -> None:
    put(tmp_path, "ada/04.ipynb", MINE)
    put(tmp_path, "Ada Wu/04.ipynb", THEIRS)
    put(tmp_path, "ada@x.edu/04.ipynb", THEIRS)
    found = people(tmp_path, Roster([Person("Ada Wu", login="ada", email="ada@x.edu")]))
    assert {key: count for key, (_, count, _) in found.items()} == {
        "ada": 1,
        "Ada Wu": 1,
        "ada@x.edu": 1,
        "ada (Ada Wu)": 0,
    }
    assert all("hand-ins have" in note or "Somebody" in note for _, _, note in found.values())


@pytest.mark.parametrize(
    "text",
    [
        "name,login\nAl,kim\nBo,kim\n",
        "name,email\nAl,kim@x.edu\nBo,KIM@x.edu\n",
        "Student,ID,SIS Login ID\nAl,7,a\nBo,7,b\n",
    ],
)
def test_two_people_of_one_login_stop_the_run(tmp_path: Path, text: str) -> None:
    with pytest.raises(RosterError, match=r"Lines 2 and 3 .* two people, Al and Bo"):
        read_roster(put(tmp_path, "list.csv", text.encode()))


def test_one_person_in_two_groups_is_one(tmp_path: Path) -> None:
    table = put(tmp_path, "list.csv", b"name,login,group\nAl,al,1\nBo,bo,1\nAl,al,2\n")
    found = {one.name: one.group for one in read_roster(table).people}
    assert found == {"Al": "1, 2", "Bo": "1"}


def test_a_time_of_the_list_that_cannot_be_read_is_told(tmp_path: Path) -> None:
    text = "name,login,time\nAl,al,Sonntag 1. Marz\nBo,bo,-\nCy,cy,2026-03-01 12:00\n"
    roster = read_roster(put(tmp_path, "list.csv", text.encode()))
    (said,) = roster.odd_times
    assert said.startswith("Line 2 of the list of the class: Sonntag 1. Marz is no time")
