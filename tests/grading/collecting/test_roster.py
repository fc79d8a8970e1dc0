"""The list of the class: every platform's table, and who of it handed in what."""

import unicodedata
from pathlib import Path

import pytest

from tests.grading.collecting.platforms import LEARNERS, PLATFORMS, SIZE, Learner, put, table
from tutor.grading.collecting.roster import Person, Roster
from tutor.grading.collecting.roster_table import RosterError, read_roster
from tutor.grading.collecting.submissions import collect
from tutor.grading.collecting.times import moment

MOODLES = "Sunday, 1 March 2026, 5:05 PM"
GRACE = Learner(4999, "Grace Hopper")  # hands nothing in


def family(one: Learner) -> tuple[str, str]:
    first, _, last = one.name.partition(" ")
    return first, last


# A platform's layout, the head of the table that it exports, and a learner's row in it.
TABLES = {
    "canvas": (
        "Student,ID,SIS User ID,SIS Login ID,Section,Homework 4 (77)",
        lambda one: [", ".join(family(one)[::-1]), str(one.number), "", one.login, "A", ""],
    ),
    "moodle": (
        "Identifier,Full name,Email address,Status,Grade,Last modified (submission)",
        lambda one: [f"Participant {one.number}", one.name, f"{one.login}@x.edu", "", "", MOODLES],
    ),
    "blackboard": (
        "Last Name,First Name,Username,Student ID,Last Access,Availability",
        lambda one: [*family(one)[::-1], one.login, f"S{one.number}", "", "Yes"],
    ),
    "gradescope": (
        "First Name,Last Name,SID,Email,Sections",
        lambda one: [*family(one), one.login, f"{one.login}@example.edu", "A"],
    ),
    "nbgrader": (
        "id,first_name,last_name,email,lms_user_id",
        lambda one: [one.login, *family(one), "", ""],
    ),
    "github": (
        "identifier,github_username,github_id,name",
        lambda one: [one.name, one.login, str(one.number), one.name],
    ),
    "plain_folders": ("아이디,이름,분반", lambda one: [one.login, one.name, "1"]),
}


@pytest.mark.parametrize("platform", TABLES)
def test_every_platforms_table_is_understood(platform: str, tmp_path: Path) -> None:
    head, row = TABLES[platform]
    path = table(tmp_path, head, row)
    with path.open("a", encoding="utf-8") as file:
        file.write(",".join(f'"{cell}"' for cell in row(GRACE)) + "\n")
    PLATFORMS[platform](tmp_path / "class", lambda one: b"{}")
    found = collect(tmp_path / "class", read_roster(path)).submissions
    assert len(found) == SIZE + 1
    (missing,) = [one for one in found if not one.files]
    assert (missing.who.name, missing.notes) == (GRACE.name, ["Nothing was handed in."])
    assert {one.who.name for one in found} == {one.name for one in [*LEARNERS, GRACE]}
    assert all(one.who.is_listed for one in found)
    if platform == "moodle":
        assert missing.who.id == str(GRACE.number)  # by which points find the way back
        assert {file.time for one in found for file in one.files} == {moment("2026-03-01 17:05")}


def test_tables_as_spreadsheets_save_them(tmp_path: Path) -> None:
    text = "List of the class;;\n\nName;E-Mail-Adresse;Gruppe\nJürgen Groß;jg@x.de;A\n"
    for encoding in ("utf-8", "utf-8-sig", "utf-16", "cp1252"):
        (person,) = read_roster(put(tmp_path, "list.csv", text.encode(encoding))).people
        assert person == Person("Jürgen Groß", email="jg@x.de", group="A"), encoding
    korean = "이름\t학번\n김철수\t2026001\n"
    (person,) = read_roster(put(tmp_path, "list.csv", korean.encode("cp949"))).people
    assert person == Person("김철수", ids=("2026001",))


def test_rows_that_are_nobody_are_left_out(tmp_path: Path) -> None:
    rows = ["Student,ID", "    Points Possible,", '"Student, Test",9', '"Lovelace, Ada",7', ","]
    roster = read_roster(put(tmp_path, "list.csv", "\n".join(rows).encode()))
    assert [person.name for person in roster.people] == ["Ada Lovelace"]


@pytest.mark.parametrize("text", ["", "a,b\n1,2\n", "name\n"])
def test_a_table_without_people_is_refused(text: str, tmp_path: Path) -> None:
    with pytest.raises(RosterError, match="names nobody"):
        read_roster(put(tmp_path, "list.csv", text.encode()))


def collected(tmp_path: Path, *names: str, people: list[Person]) -> dict[str, tuple[str, int]]:
    """Key of each learner -> name and number of notebooks."""
    for name in names:
        put(tmp_path, name)
    found = collect(tmp_path, Roster(people)).submissions
    return {one.student: (one.who.name, len(one.files)) for one in found}


def test_a_name_is_found_in_any_form(tmp_path: Path) -> None:
    names = ["김철수", "Zoë O'Neil", "Ana María López"]
    found = collected(
        tmp_path,
        f"{unicodedata.normalize('NFD', '김철수')}/04.ipynb",
        "oneilzoe_12_34_04.ipynb",
        "López, Ana María_04_self_attention.ipynb",
        people=[Person(name) for name in names],
    )
    assert sorted(name for name, _ in found.values()) == sorted(names)
    assert {count for _, count in found.values()} == {1}


def test_two_of_one_name_are_not_guessed(tmp_path: Path) -> None:
    twins = [Person("Min Kim", ids=("1",)), Person("Min Kim", ids=("2",))]
    found = collected(tmp_path, "Min Kim - 04.ipynb", people=twins)
    assert found["Min Kim"] == ("Min Kim", 1)
    assert len(found) == 3
    notes = {
        one.student: " ".join(one.notes) for one in collect(tmp_path, Roster(twins)).submissions
    }
    assert "2 people on the list of the class have this name" in notes["Min Kim"]
    assert all("whether it was this person" in notes[key] for key in ("1", "2"))


def test_several_ids_are_not_taken_for_one_person_of_their_name(tmp_path: Path) -> None:
    found = collected(
        tmp_path,
        "Min Kim_11_assignsubmission_file_/04.ipynb",
        "Min Kim_12_assignsubmission_file_/04.ipynb",
        people=[Person("Min Kim", login="mk")],
    )
    assert {key: count for key, (_, count) in found.items()} == {
        "Min Kim_11": 1,
        "Min Kim_12": 1,
        "mk": 0,
    }


def test_files_of_one_name_are_one_persons_where_only_one_has_it(tmp_path: Path) -> None:
    files = ("Min Kim - 04.ipynb", "Min Kim - 04(1).ipynb")
    assert len(collected(tmp_path / "a", *files, people=[])) == 2
    assert collected(tmp_path / "b", *files, people=[Person("Min Kim")]) == {
        "Min Kim": ("Min Kim", 2)
    }


def test_a_number_of_another_platform_is_no_match(tmp_path: Path) -> None:
    found = collected(
        tmp_path, "lovelaceada_7_70001_04.ipynb", people=[Person("Bo Wu", ids=("7",), login="bo")]
    )
    assert found == {"bo": ("Bo Wu", 0), "lovelaceada_7": ("lovelaceada", 1)}


def test_folders_of_sections_are_looked_into(tmp_path: Path) -> None:
    people = [Person("Ada", login="ada"), Person("Bo", login="bo")]
    found = collected(tmp_path, "section 1/ada/04.ipynb", "section 2/bo/04.ipynb", people=people)
    assert found == {"ada": ("Ada", 1), "bo": ("Bo", 1)}


def test_a_stranger_is_told(tmp_path: Path) -> None:
    put(tmp_path, "eve/04.ipynb")
    eve = collect(tmp_path, Roster([Person("Ada", login="ada")])).submissions[1]
    assert (eve.student, eve.who.is_listed) == ("eve", False)
    assert "not on the list" in eve.notes[0]


def test_what_moodle_writes_beside_a_grade_is_no_assignment(tmp_path: Path) -> None:
    head = "Identifier,Full name,Status,Grade,Maximum grade,Grade can be changed"
    head += ",Last modified (submission),Last modified (grade),Online text,Feedback comments"
    path = tmp_path / "list.csv"
    path.write_text(f"{head}\nParticipant 7,Ada,Submitted,,100.00,Yes,-,-,,\n")
    assert read_roster(path).assignments == []
    path.write_text("Full name,Email address,Assignment: Homework 4 (Real)\nAda,a@x.edu,\n")
    assert read_roster(path).assignments == ["Assignment: Homework 4 (Real)"]
