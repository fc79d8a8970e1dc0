"""What a whole class tells: how hard exercises were, and whose answers resemble each other."""

import csv
import io
import random

from tests.grading.classroom import RIGHT
from tests.grading.test_outputs import exercise, notebook, student
from tutor.grading import exports
from tutor.grading.overview import class_table
from tutor.grading.picture import class_page
from tutor.grading.results import Graded
from tutor.grading.similarity import pairs

ODD = """
def additive_attention(q, k, v, W_q, W_k, w):
    # mine
    rows = []
    for batch in range(len(q)):
        scores = [[float(torch.tanh(W_q @ one + W_k @ other) @ w) for other in k[batch]]
                  for one in q[batch]]
        rows.append(torch.tensor(scores).softmax(-1))
    found = torch.stack(rows)
    return found @ v, found
"""
RENAMED = (
    ODD.replace("rows", "liste").replace("batch", "b").replace("found", "w8").replace("# mine", "")
)


def test_exercises_are_sorted_by_need_and_counted_without_names() -> None:
    mistaken = {"mistake": "x-y", "title": "a title", "hint": "A hint?"}
    points = {"ada": 0, "bo": 0, "cy": 1.5, "dee": 3}
    table = class_table(
        [
            student(
                name,
                notebook(
                    learner=name,
                    exercises=[
                        exercise("project_by_hand", 1),
                        exercise("additive_attention", given, **({} if given else mistaken)),
                    ],
                ),
            )
            for name, given in points.items()
        ]
    )
    files = exports.statistics(table)
    rows = list(csv.DictReader(io.StringIO(files["statistics.csv"][1:])))
    assert [row["exercise"] for row in rows] == ["additive_attention", "project_by_hand"]
    first = {name: rows[0][name] for name in ("learners", "right", "half", "wrong")}
    assert first == {"learners": "4", "right": "1", "half": "1", "wrong": "2"}
    # shares 0, 0, 1/2 and 1: mean 3/8, variance (2 (3/8)² + (1/8)² + (5/8)²) / 4 = 11/64
    assert [rows[0][name] for name in ("share right", "mean share")] == ["0.25", "0.375"]
    assert float(rows[0]["spread"]) == round((11 / 64) ** 0.5, 3)
    (mistake,) = csv.DictReader(io.StringIO(files["mistakes.csv"][1:]))
    assert (mistake["mistake"], mistake["learners"]) == ("x-y", "2")
    assert not any(name in text for name in points for text in files.values())
    page = class_page(table)
    assert page.index("<h3>additive_attention") < page.index("<h3>project_by_hand")


def _answers(copies: dict[str, str]) -> dict[str, dict[str, Graded]]:
    """A class of forty who wrote what many write, and some with answers of their own."""
    rng = random.Random(0)
    usual = {
        f"learner{number}": RIGHT["additive_attention"].replace("hidden", rng.choice("abcdef"))
        for number in range(40)
    }
    return {
        name: {"additive_attention": Graded("additive_attention", "right", 3.0, 3, answer=code)}
        for name, code in (usual | copies).items()
    }


def test_a_rare_answer_twice_is_told_whatever_its_names() -> None:
    (pair,) = pairs(_answers({"ada": ODD, "bo": RENAMED}))
    assert (pair.one, pair.other) == ("ada", "bo")
    assert pairs(_answers({"ada": ODD})) == []
    assert pairs(_answers({f"many{number}": ODD for number in range(10)})) == []


def test_what_no_code_is_breaks_nothing() -> None:
    odd = ["", "'''" * 900, "\\", "\x00\ud800", "(" * 4000, "x = '" * 800, "🙂 é = 1"]
    assert len(pairs(_answers({str(place): text for place, text in enumerate(odd)}))) <= 1
