"""What is made of results: tables, other systems' files, pages."""

import base64
import csv
import io
import json
import re
import zipfile
from html import escape
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote

import pytest
import torch

from tests.grading.classroom import LESSON, WORTH
from tutor.checking.calls import FunctionAnswer
from tutor.checking.examine import examine
from tutor.exercises import find, lessons
from tutor.grading import exports
from tutor.grading.feedback import page
from tutor.grading.folder import ResultsFolder
from tutor.grading.names import file_names
from tutor.grading.outputs import write_class
from tutor.grading.overview import ClassTable, class_table
from tutor.grading.picture import class_page
from tutor.grading.results import Graded, GradedNotebook, Late
from tutor.grading.sending import PACKING
from tutor.grading.store import notebook_of, student_of, to_data
from tutor.grading.students import Correction, GradedStudent, Other, Who
from tutor.grading.verdicts import as_verdict, graded

MOST = sum(WORTH.values())


def exercise(name: str, points: float | None, **more) -> Graded:
    status = {None: "not graded", 0: "wrong", WORTH[name]: "right"}.get(points, "wrong")
    return Graded(name, status, points, WORTH[name], 1, "Headline.", lesson=LESSON, **more)


def notebook(points: float | None = None, learner="Ada", **more) -> GradedNotebook:
    """A notebook in which every exercise got all its points, or this many."""
    exercises = [exercise(name, WORTH[name] if points is None else points) for name in WORTH]
    more = {"lessons": [LESSON], "counts": [LESSON], "exercises": exercises, **more}
    more |= {"learner": learner, "learners": [learner] if learner else []}
    return GradedNotebook("file.ipynb", "key", **more)


def student(name: str, *notebooks: GradedNotebook) -> GradedStudent:
    return GradedStudent(Who(name, name), notebooks)


@pytest.fixture
def table() -> ClassTable:
    mistaken = exercise("additive_attention", 0, mistake="x-y", title="a title", hint="A hint?")
    wrong = notebook(learner="Bob")
    wrong = GradedNotebook(**{**vars(wrong), "exercises": [*wrong.exercises[:-1], mistaken]})
    fault = GradedNotebook("x.ipynb", "key", fault="the disk is full")
    damaged = GradedNotebook("y.ipynb", "key", refused="The file is empty.")
    return class_table(
        [
            student("ada", notebook()),
            student("bob", wrong),
            student("=cmd|calc", notebook(learner="=cmd")),
            student("dora", fault),
            student("eve", damaged),
        ]
    )


def read(text: str) -> list[list[str]]:
    return list(csv.reader(io.StringIO(text)))


def test_grades(table: ClassTable) -> None:
    (text,) = exports.grades(table).values()
    assert text[0] == "\ufeff"  # Excel takes a table without it for another encoding
    head, *rows = read(text[1:])
    assert head[:6] == ["student", "name", "id", "login", "email", "group"]
    assert head[6:8] == ["points", "max_points"]
    assert head[8:] == [LESSON, *WORTH, "set by hand", "comments", "flags"]
    by_name = {row[0]: dict(zip(head, row)) for row in rows}
    assert by_name["ada"]["points"] == by_name["ada"]["max_points"] == str(MOST)
    assert by_name["bob"][LESSON] == str(MOST - 3)
    assert by_name["bob"]["additive_attention"] == "0"
    assert by_name["dora"]["points"] == ""  # not graded is not nought
    assert by_name["eve"]["points"] == "0"
    assert "The file is empty." in by_name["eve"]["flags"]
    assert "'=cmd|calc" in by_name


@pytest.mark.parametrize(
    "start",
    ["=1+1", "+1", "-1", "@x", "\tx", "\rx", "|x", "  =1+1", "\xa0=1+1", "＝1+1", "\u3000＋1"],
)
def test_no_cell_is_a_formula(start: str) -> None:
    odd = class_table([student(f"{start}", notebook()), student("ada", notebook())])
    for make in (exports.grades, *exports.EXPORTS.values()):
        (text, *_) = (text for name, text in make(odd).items() if name.endswith(".csv"))
        for row in read(text):
            for cell in row:
                assert not re.match(r"\s*[=+\-@|＝＋]", cell), cell
        assert start.strip() in text or "\\" in text  # the name is there


def test_an_id_number_is_the_schools_and_never_the_platforms() -> None:
    absent = Who("bo", "Bo", id="4002", known_as={"moodle": "4002"})
    listed = Who("cy", "Cy", id="4003", platform="moodle", number="S3")
    people = [GradedStudent(who, [notebook()]) for who in (absent, listed)]
    files = exports.moodle(class_table(people))
    assert [row[2] for row in read(files["exports/moodle.csv"])] == ["ID number", "", "S3"]
    (worksheet,) = (text for name, text in files.items() if "worksheet" in name)
    assert [row[0] for row in read(worksheet)[1:]] == ["Participant 4002", "Participant 4003"]
    (_, _, *rows) = read(exports.canvas(class_table(people))["exports/canvas.csv"])
    assert [row[1] for row in rows] == ["", ""]


def test_canvas(table: ClassTable) -> None:
    head, possible, *rows = read(exports.canvas(table)["exports/canvas.csv"])
    assert head == ["Student", "ID", "SIS User ID", "SIS Login ID", "Section", LESSON]
    assert possible[0].strip() == "Points Possible"
    assert possible[-1] == str(MOST)
    assert rows[0] == ["ada", "", "", "ada", "", str(MOST)]


def test_moodle(table: ClassTable) -> None:
    head, *rows = read(exports.moodle(table)["exports/moodle.csv"])
    assert head == ["Full name", "username", "ID number", "Email address", LESSON]
    assert rows[0] == ["ada", "", "", "", str(MOST)]


def test_nbgrader(table: ClassTable) -> None:
    head, *rows = read(exports.nbgrader(table)["exports/nbgrader.csv"])
    assert ",".join(head) == (
        "assignment,duedate,timestamp,student_id,last_name,first_name,email,raw_score,"
        "late_submission_penalty,score,max_score"
    )
    first = dict(zip(head, rows[0]))
    assert (first["assignment"], first["student_id"]) == (LESSON, "ada")
    assert (first["score"], first["max_score"]) == (str(MOST), str(MOST))


def test_gradescope(table: ClassTable) -> None:
    files = exports.gradescope(table)
    assert "exports/gradescope/dora/results.json" not in files  # not graded yet
    result = json.loads(files["exports/gradescope/bob/results.json"])
    assert result["score"] == MOST - 3
    assert result["stdout_visibility"] == "hidden"
    last = result["tests"][-1]
    assert set(last) == {
        *("name", "score", "max_score", "status", "output", "output_format", "visibility")
    }
    assert (last["status"], last["score"], last["max_score"]) == ("failed", 0, 3)
    assert "A hint?" in last["output"]


def test_github(table: ClassTable) -> None:
    files = exports.github(table)
    name, _, value = files["exports/github/ada.env"].partition("=")
    assert name.endswith("_RESULTS")
    result = json.loads(base64.b64decode(value))
    assert (result["version"], result["status"], result["max_score"]) == (1, "pass", MOST)
    assert set(result["tests"][0]) == {"name", "status", "score", "message", "line_no"}
    bob = json.loads(base64.b64decode(files["exports/github/bob.env"].partition("=")[2]))
    assert bob["status"] == "fail"
    assert [test["status"] for test in bob["tests"]].count("fail") == 1


def test_export_writes_what_is_asked(table: ClassTable, tmp_path: Path) -> None:
    written = write_class(ResultsFolder(tmp_path), table, ["canvas", "github"])
    assert len(written) == 1 + 1 + 4
    assert all(path.is_file() for path in written)
    assert {path.parent.name for path in written} == {"exports", "github"}


class Tags(HTMLParser):
    """Collects tags and attributes."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.attributes: list[tuple[str, str | None]] = []
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        self.attributes += attrs


HOSTILE = "<script>alert(1)</script>'\"><img src=x onerror=alert(2)>"


def test_pages_escape_whatever_learners_wrote() -> None:
    hostile = exercise(
        "additive_attention",
        0,
        details=[HOSTILE],
        notes=[HOSTILE],
        title=HOSTILE,
        hint=HOSTILE,
        mistake="x",
    )
    one = notebook(learner=HOSTILE, exercises=[hostile], notes=[HOSTILE], class_seed=HOSTILE)
    refused = GradedNotebook(HOSTILE, "", refused=HOSTILE, why=[HOSTILE])
    who = Who(HOSTILE, HOSTILE, id=HOSTILE, login=HOSTILE, email=HOSTILE, group=HOSTILE)
    odd = GradedStudent(who, [one, refused], [HOSTILE], [Other(HOSTILE, HOSTILE)])
    for text in (page(odd), class_page(class_table([odd, student("ada", notebook())]))):
        found = Tags(text)
        assert not {"script", "img", "link", "iframe"} & set(found.tags)
        assert not [name for name, _ in found.attributes if name.startswith("on")]
        assert not [value for name, value in found.attributes if name == "src"]
        links = [str(value) for name, value in found.attributes if name == "href"]
        assert all(re.fullmatch(r"feedback/[\w%.~]+\.html(#\w+)?", link) for link in links)
        assert "alert(1)" in text  # escaped, not dropped
        assert "default-src 'none'" in text


def test_feedback_says_what_is_wrong_and_hides_inputs() -> None:
    wrong = find("scaled_dot_product_attention")

    def unscaled(q, k, v):
        weights = torch.softmax(q @ k.mT, dim=-1)
        return weights @ v, weights

    verdict = examine(wrong, FunctionAnswer(unscaled), seed=99)
    result = graded(verdict, 4)
    text = page(student("ada", notebook(exercises=[result])))
    assert (verdict.headline, verdict.mistake) == ("The numbers differ.", "attn-no-scale")
    for words in (verdict.headline, verdict.title, escape(verdict.hint)):
        assert words in text
    assert "hint(" not in text  # there is no hint to be opened on a page
    assert "viewport" in text
    assert as_verdict(result).mistake == verdict.mistake


def test_scalar_inputs_are_hidden() -> None:
    verdict = examine(find("causal_mask"), FunctionAnswer(lambda length: 0))
    assert verdict.arguments is not None
    assert "length = " in verdict.arguments.sentence
    assert not any("length = " in line for line in graded(verdict, 1).details)
    verdict = examine(find("project_by_hand"), FunctionAnswer(lambda x, W: x))
    assert any("It was called with x (" in line for line in graded(verdict, 1).details)


def test_class_picture_counts_mistakes(table: ClassTable) -> None:
    text = class_page(table)
    assert "1 × a title" in text
    assert "2 right, 1 wrong" in text
    assert "bob" in text
    assert "5 learners" in text
    assert LESSON in text


def test_class_picture_names_whoever_is_not_right() -> None:
    kinds = {
        "ada": exercise("additive_attention", 0),
        "bob": exercise("additive_attention", 1.5),
        "carl": Graded("additive_attention", "open", 0.0, 3, lesson=LESSON),
        "dora": Graded("additive_attention", "missing", 0.0, 3, lesson=LESSON),
        "eve": exercise("additive_attention", 3),
    }
    table = class_table(
        [student(name, notebook(learner=name, exercises=[one])) for name, one in kinds.items()]
    )
    text = class_page(table)
    for said, name in (
        ("wrong in another way: Headline.", "ada"),
        ("half right: Headline.", "bob"),
        ("open: nothing written yet", "carl"),
        ("missing: no answer found", "dora"),
    ):
        link = f"<a class='name' href='feedback/{name}.html#additive_attention'>{name}</a>"
        assert f"1 × {said}</summary><p class='quiet'>{link}</p>" in text
    assert f"<a class='name' href='feedback/eve.html'>eve</a></td><td>3</td><td>3 of {MOST}" in text
    carl = "<a class='name' href='feedback/carl.html'>carl</a>"
    assert f"{carl}</td><td>0</td><td>0 of {MOST}" in text


def test_links_lead_to_the_pages_of_odd_names(tmp_path: Path) -> None:
    text = class_page(class_table([student("../a%b c", notebook())]))
    links = [value for name, value in Tags(text).attributes if name == "href"]
    assert unquote(str(links[-1])) == f"feedback/{file_names(['../a%b c'])['../a%b c']}.html"


def test_a_name_that_cost_points_is_to_look_at() -> None:
    said = ["Is it my_additive? It must be called additive_attention."]
    missing = Graded("additive_attention", "missing", 0.0, 3, None, "No.", said, lesson=LESSON)
    assert "my_additive" in flags(student("ada", notebook(exercises=[missing])))["ada"]
    gone = Graded("additive_attention", "missing", 0.0, 3, None, "No.", lesson=LESSON)
    assert flags(student("ada", notebook(exercises=[gone])))["ada"] == ""


def test_feedback_on_an_unreadable_file_says_points_and_what_to_do() -> None:
    text = page(student("ada", GradedNotebook("x.ipynb", "key", refused="The file is empty.")))
    assert "x.ipynb: 0 points" in text
    assert "The file is empty." in text
    assert "save it, and hand it in again" in text
    assert "hand it in again" not in page(student("ada", notebook()))


def test_a_missing_answer_has_one_word_in_the_class_and_on_the_page() -> None:
    missing = Graded("additive_attention", "missing", 0.0, 3, lesson=LESSON)
    open_yet = Graded("project_by_hand", "open", 0.0, 1, 3, lesson=LESSON)
    one = student("ada", notebook(exercises=[missing, open_yet]))
    text, shown = page(one), class_page(class_table([one]))
    assert "additive_attention: missing (0 of 3 points)" in text
    assert "project_by_hand: open (0 of 1 points)" in text
    assert "1 missing" in shown
    assert "1 open" in shown


def test_feedback_shows_the_declared_name_too() -> None:
    assert "<h1>s123 · Ada Lovelace</h1>" in page(student("s123", notebook(learner="Ada Lovelace")))
    assert "<h1>ada</h1>" in page(student("ada", notebook(learner=None)))


def test_results_survive_a_file() -> None:
    one = student("ada", notebook(notes=["a"]), GradedNotebook("x", "", refused="no"))
    stored = json.loads(json.dumps(to_data(one)))
    again = student_of(stored)
    assert json.loads(json.dumps(to_data(again))) == stored
    assert again.notebooks[1].refused == "no"
    assert notebook_of(to_data(notebook())).points == MOST


def flags(*students: GradedStudent, class_seed: str | None = None) -> dict[str, str]:
    rows = class_table(students, class_seed=class_seed).rows
    return {row.student: " ".join(row.flags) for row in rows}


def test_names_are_compared_across_the_class() -> None:
    found = flags(
        student("ada", notebook(learner="Ada")),
        student("bob", notebook(learner="Ada")),
        student("carl", notebook(learner="self-study")),
        student("dora", notebook(learner=None)),
        student("eve", notebook(learner="Eve")),
    )
    assert "also that of bob" in found["ada"]
    assert "also that of ada" in found["bob"]
    assert "does not fit" in found["bob"]
    assert "does not fit" not in found["ada"]
    assert "No name is declared" in found["carl"]
    assert "No name is declared" in found["dora"]
    assert found["eve"] == ""


@pytest.mark.parametrize(
    "copy",
    [
        "Min  Kim",
        "Min\u00a0Kim",
        "Min\u2003Kim",
        "ＭＩＮ　ＫＩＭ",
        "Min\u200bKim",
        "Min\u3164Kim",
        "Мin Kim",
    ],
)
def test_a_copied_name_is_told_in_any_spelling(copy: str) -> None:
    found = flags(
        student("min kim", notebook(learner="Min Kim")), student("bo", notebook(learner=copy))
    )
    assert "also that of bo" in found["min kim"]
    assert "also that of min kim" in found["bo"]


def test_two_names_in_one_learner_are_told() -> None:
    two = student("ada", notebook(learner="Ada"), notebook(learner="Bo Wu", counts=[]))
    assert "2 names are declared in this learner's notebooks: Ada, Bo Wu" in flags(two)["ada"]
    same = student("ada", notebook(learner="Ada "), notebook(learner="ADA", counts=[]))
    assert flags(same)["ada"] == ""


def test_an_older_notebook_with_more_points_is_told() -> None:
    only = [exercise("project_by_hand", 0)]
    newer = GradedNotebook("new.ipynb", "", [LESSON], exercises=only, counts=[LESSON])
    older = notebook(counts=[])
    said = flags(GradedStudent(Who("ada", "ada"), [newer, older]))["ada"]
    assert f"file.ipynb has {MOST} points and is older than new.ipynb" in said


def test_what_is_no_notebook_is_told() -> None:
    others = [Other("ada/04.pdf", "It is a PDF."), Other("ada/notes.md", "It is text.")]
    handed_in = GradedStudent(Who("ada", "ada"), [notebook()], others=others)
    assert flags(handed_in)["ada"] == "ada/04.pdf: It is a PDF."
    assert "ada/notes.md" in page(handed_in)
    nothing = GradedStudent(Who("ada", "ada"), others=others)
    assert "ada/notes.md: It is text." in flags(nothing)["ada"]


def test_a_script_that_a_notebook_may_import_is_nothing_to_look_at() -> None:
    others = [Other("ada/own.py", "It lies beside.", True), Other("ada/mine.py", "Yours.", True)]
    assert flags(GradedStudent(Who("ada", "ada"), [notebook()], others=others))["ada"] == ""
    refused = [Other("ada/large.py", "It is too large.")]
    assert "large" in flags(GradedStudent(Who("ada", "ada"), [notebook()], others=refused))["ada"]
    assert "own.py" in flags(GradedStudent(Who("ada", "ada"), others=others))["ada"]


def test_a_worksheet_says_why_points_are_missing() -> None:
    late = notebook(late={LESSON: Late(1, 0.9, "Handed in 1 day late.")})
    scan = [Other("Bo_2_assignsubmission_file_/scan.pdf", "This is a PDF document.")]
    people = [
        GradedStudent(Who("ada", "ada", id="1", platform="moodle"), [late]),
        GradedStudent(Who("bo", "bo", id="2", platform="moodle"), others=scan),
        GradedStudent(Who("cy", "cy", id="3", platform="moodle")),
    ]
    files = exports.moodle(class_table(people))
    said = [row[-1] for row in read(files[f"exports/moodle-worksheet-{LESSON}.csv"])[1:]]
    assert said[0] == "Handed in 1 day late."
    assert said[1].startswith("Nothing that was handed in could be graded")
    assert said[2] == ""


def test_points_by_hand_are_not_called_right_where_some_are_missing() -> None:
    by_hand = [Correction("additive_attention", 2, "See me.")]
    ada = GradedStudent(Who("ada", "ada", id="1", platform="moodle"), [notebook()], (), (), by_hand)
    (row,) = (table := class_table([ada])).rows
    text = exports.moodle(table)[f"exports/moodle-worksheet-{LESSON}.csv"]
    remark = read(text)[1][-1]
    assert remark.startswith("additive_attention: 2 of 3. Points set by hand;")
    assert "Headline" not in remark
    assert "half right: Points set by hand; grading now gives more: 3." in class_page(table)
    assert row.flags


def test_a_page_goes_back_to_whoever_handed_in_no_notebook() -> None:
    scans = [
        Other(f"oneil_LATE_10_{n}_scan.{kind}", "No.") for n, kind in ((71, "pdf"), (72, "jpg"))
    ]
    who = Who("oneil_10", "O'Neil", id="10", platform="canvas")
    table = class_table([GradedStudent(who, others=scans), student("ada", notebook())])
    packed = PACKING["canvas"](table, {"oneil_10": b"<html>"})["exports/canvas-feedback.zip"]
    with zipfile.ZipFile(io.BytesIO(packed)) as archive:
        assert archive.namelist() == ["oneil_LATE_10_71_feedback.html"]


def test_the_class_page_tells_who_was_late_and_each_flag_on_its_line() -> None:
    late = {LESSON: Late(2, 0.8, "Handed in 2 days late.")}
    notes = ["One thing.", "Another thing."]
    ada = GradedStudent(Who("ada", "ada"), [notebook(late=late)], notes)
    text = class_page(class_table([ada]))
    assert f"{MOST * 0.8:g} (2 days late)</td>" in text
    assert "<div>One thing.</div><div>Another thing.</div></td>" in text


def test_a_notebook_that_failed_leaves_its_lesson_open() -> None:
    fault = GradedNotebook("ada/05_multi_head_attention.ipynb", "", fault="the disk is full")
    other = GradedNotebook("ada/04_self_attention.ipynb", "", fault="the disk is full")
    (one,) = class_table([student("ada", notebook(), fault)]).rows
    assert one.points == {LESSON: MOST, "05_multi_head_attention": None}
    assert one.total is None
    (one,) = class_table([student("ada", notebook(), other)]).rows
    assert one.points == {LESSON: None}


def test_class_seeds_are_compared() -> None:
    def seeded(name: str, seed: str) -> GradedStudent:
        return student(name, notebook(learner=name, class_seed=seed))

    three = [seeded("ada", "s"), seeded("bob", "s"), seeded("carl", "")]
    assert [bool(text) for text in flags(*three).values()] == [False, False, True]
    assert all(flags(*three, class_seed="other").values())


def test_lesson_that_was_not_handed_in_counts_nought() -> None:
    asked = class_table([student("ada")], only=[LESSON])
    assert asked.rows[0].total == 0
    assert asked.max_points == MOST == sum(one.points for one in lessons()[LESSON])
    assert class_table([student("ada")]).max_points == 0
