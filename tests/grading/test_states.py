"""An answer is judged in the state in which its author saw it, and what a cell runs is run."""

import copy
from typing import Any

import pytest

from tests.grading.classroom import (
    LESSON,
    RIGHT,
    WORTH,
    answer_cell,
    cell,
    filled,
    insert,
    predictions,
    right_answers,
)
from tests.grading.conftest import Grade, found, points
from tutor.exercises import lessons
from tutor.grading.results import GradedNotebook

SETUP = "import math\nimport torch\nfrom tutor import check, set_learner\nset_learner('Ada')"
BY_HAND = RIGHT["project_by_hand"]
ATTENTION = """
def scaled_dot_product_attention(q, k, v):
    weights = helper(q @ k.mT / math.sqrt(q.size(-1)))
    return weights @ v, weights
"""
SOFTMAX = "def helper(scores): return torch.softmax(scores, dim=-1)"
CHECK_ATTENTION = "report = check(scaled_dot_product_attention)\nreport.show()\nreport.points"


def notebook(*sources: str | dict[str, Any]) -> dict[str, Any]:
    """A notebook with a set-up cell and these code cells."""
    return {"cells": [one if isinstance(one, dict) else cell(one) for one in (SETUP, *sources)]}


def right(result: GradedNotebook) -> set[str]:
    return {exercise.name for exercise in result.exercises if exercise.status == "right"}


ONE, TWO = "project_by_hand", "scaled_dot_product_attention"

RIGHT_IN_THE_NOTEBOOK = {
    "a helper of one name in two answers": notebook(
        "def helper(x, W): return x @ W\ndef project_by_hand(x, W):\n"
        "    if x.shape[-1] != W.shape[0]: raise ValueError(f'{x.shape} {W.shape}')\n"
        "    return helper(x, W)",
        "check(project_by_hand)",
        SOFTMAX + ATTENTION,
        CHECK_ATTENTION,
    ),
    "the same in one cell": notebook(
        "def helper(x, W): return x @ W\ndef project_by_hand(x, W):\n"
        "    if x.shape[-1] != W.shape[0]: raise ValueError(f'{x.shape} {W.shape}')\n"
        f"    return helper(x, W)\ncheck(project_by_hand)\n{SOFTMAX}{ATTENTION}{CHECK_ATTENTION}"
    ),
    "a name bound to something else at the end": notebook(
        BY_HAND, SOFTMAX + ATTENTION, CHECK_ATTENTION, "helper = 3; math = None; torch = 'oops'"
    ),
    "an alias bound to something else": notebook(
        BY_HAND,
        SOFTMAX + "\nh = helper" + ATTENTION.replace("helper", "h"),
        CHECK_ATTENTION,
        "h = 0",
    ),
    "the exercise's own name in a scratch cell": notebook(
        answer_cell(ONE, BY_HAND),
        SOFTMAX + ATTENTION,
        CHECK_ATTENTION,
        "project_by_hand = lambda x, W: 0\ndef scaled_dot_product_attention(q, k, v): return q, k",
    ),
    "a helper mended between the answer and its check": notebook(
        BY_HAND,
        "def helper(scores): return scores" + ATTENTION,
        SOFTMAX,
        CHECK_ATTENTION,
    ),
    "a helper broken between the answer and its check": notebook(
        BY_HAND, SOFTMAX + ATTENTION, "def helper(scores): return scores", CHECK_ATTENTION
    ),
    "imports under a magic that measures": notebook(
        "%%capture output\nimport torch.nn.functional as N\n" + BY_HAND,
        "%%time\n" + SOFTMAX.replace("torch.softmax", "N.softmax") + ATTENTION,
        CHECK_ATTENTION,
    ),
    "a definition timed on its line": notebook(
        BY_HAND, "%time helper = lambda scores: torch.softmax(scores, dim=-1)", ATTENTION
    ),
    "a file written and run": notebook(
        f"%%writefile helpers.py\nimport torch\n{SOFTMAX}", "%run helpers.py", BY_HAND, ATTENTION
    ),
    "a file written and imported": notebook(
        f"%%writefile mine.py\nimport torch\n{SOFTMAX}",
        "%load_ext autoreload\n%autoreload 2\nfrom mine import helper",
        BY_HAND,
        ATTENTION,
    ),
    "annotations of the future": notebook(
        "from __future__ import annotations",
        "def helper(scores: Tensorr) -> list[nowhere]: return torch.softmax(scores, dim=-1)",
        BY_HAND,
        ATTENTION,
    ),
    "an await outside functions": notebook(
        "async def load(): return -1\ndim = await load()",
        SOFTMAX.replace("-1", "dim"),
        BY_HAND,
        ATTENTION,
    ),
    "a graphics card and a compiler": notebook(
        "torch.set_default_device('cuda')\n" + SOFTMAX,
        BY_HAND,
        "@torch.compile(mode='max-autotune')" + ATTENTION,
        "scaled_dot_product_attention = torch.compile(scaled_dot_product_attention)",
    ),
    "a training before the answer, in one cell": notebook(
        BY_HAND,
        "while True: math.sqrt(2)\n" + SOFTMAX + ATTENTION,
    ),
    "no set-up cell": {"cells": [cell(BY_HAND), cell(SOFTMAX + ATTENTION), cell(CHECK_ATTENTION)]},
    "a set-up cell of Markdown": {
        "cells": [cell(SETUP, "markdown"), cell(BY_HAND), cell(SOFTMAX + ATTENTION)]
    },
    "a set-up cell in a fence": {
        "cells": [cell(f"```python\n{SETUP}\n```", "raw"), cell(BY_HAND), cell(SOFTMAX + ATTENTION)]
    },
    "an answer in a fence without metadata": notebook(
        cell(f"My answer:\n\n```python\n{BY_HAND}```\n\nGood.", "markdown"), SOFTMAX + ATTENTION
    ),
}


@pytest.mark.parametrize("name", RIGHT_IN_THE_NOTEBOOK)
def test_right_in_the_notebook_is_right_in_the_grade(name: str, graded: Grade) -> None:
    result = graded(copy.deepcopy(RIGHT_IN_THE_NOTEBOOK[name]), lesson=LESSON)
    assert right(result) == {ONE, TWO}, result


def test_a_helper_file_lies_beside_the_notebook(graded: Grade) -> None:
    one = notebook("from mine.helpers import helper", BY_HAND, ATTENTION)
    files = {"mine/__init__.py": b"", "mine/helpers.py": f"import torch\n{SOFTMAX}".encode()}
    assert right(graded(one, files=files)) == {ONE, TWO}
    assert right(graded(one)) == {ONE}


def test_two_lessons_in_one_notebook(graded: Grade) -> None:
    other = "05_multi_head_attention"
    split = "def split_heads(x, heads): return x.unflatten(-1, (heads, -1)).transpose(1, 2)"
    both = filled(right_answers("Ada"), "Ada")
    both["cells"] += [cell(split), cell("check(split_heads)")]
    result = graded(both)
    assert result.lessons == [LESSON, other]
    by_lesson = {
        lesson: {one.name: one.points for one in result.of(lesson)} for lesson in result.lessons
    }
    assert by_lesson[LESSON] == WORTH
    assert set(by_lesson[other]) == {one.name for one in lessons()[other]}
    assert found(result, "split_heads").status == "right"
    assert graded(both, only=[other]).lessons == [other]
    merely_defined = insert(filled(RIGHT), split)
    assert graded(merely_defined).lessons == [LESSON]


def test_predictions_are_values_as_they_were_given_and_checked(graded: Grade) -> None:
    name, answer = next(iter(predictions("Ada").items()))
    later = notebook(answer_cell(name, answer), f"check(answer, name={name!r})", "answer = 0")
    assert right(graded(later)) == {name}
    mended = notebook("answer = [0]", f"answer = {answer[9:]}\ncheck(answer, name={name!r})")
    assert right(graded(mended)) == {name}


def test_the_learners_name_is_the_last_that_is_declared(graded: Grade) -> None:
    """Whoever answers under another's name and then changes it has the other's numbers."""
    name, answer = next(iter(predictions("Ada").items()))
    result = graded(notebook(answer_cell(name, answer), "set_learner('Bo')"))
    assert right(result) == set()
    assert (result.learner, result.learners) == ("Bo", ["Ada", "Bo"])


USES_OWN = BY_HAND.replace("return", "own(*[torch.ones(1, 2, 3)] * 3)\n    return")


def test_after_a_wrong_answer_the_courses_own_goes_on(graded: Grade) -> None:
    """As `report.function` does in the notebook; but not where it would be the answer itself."""
    wrong = "def scaled_dot_product_attention(q, k, v): return v, q"
    own = "own = check(scaled_dot_product_attention).function"
    assert right(graded(notebook(wrong, own, USES_OWN))) == {ONE}
    again = "def scaled_dot_product_attention(q, k, v): return own(q, k, v)"
    result = graded(notebook(wrong, own, again, "check(scaled_dot_product_attention)"))
    assert right(result) == set()


def test_a_lessons_other_exercises_may_use_what_one_asks_for(graded: Grade) -> None:
    imported = "from tutor.attention import scaled_dot_product_attention as own"
    cheat = "def scaled_dot_product_attention(q, k, v): return own(q, k, v)"
    result = graded(notebook(imported, USES_OWN, cheat))
    assert right(result) == {ONE}
    assert "is what an exercise asks you to write" in " ".join(found(result, TWO).details)


def test_what_an_exercise_asks_for_is_nowhere_in_the_process(graded: Grade) -> None:
    """Nor is it found by a walk through all objects, or up the frames."""
    search = """
import gc, sys, types, tutor.attention, tutor.multi_head
FILES = ("tutor/attention.py", "tutor/multi_head.py")
def reachable():
    waiting, seen = [*gc.get_objects(), *sys._current_frames().values()], set()
    while waiting:
        one = waiting.pop()
        if id(one) not in seen:
            seen.add(id(one))
            waiting += gc.get_referents(one)
            if isinstance(one, types.CodeType):
                yield one.co_qualname, one.co_filename
found = {name for name, file in reachable() if file.endswith(FILES)}
raise Exception("<" + " ".join(sorted(found)) + ">")
"""
    (note,) = graded(notebook(search, BY_HAND)).notes
    names = note[note.index("<") + 1 : note.index(">")].split()
    assert "split_heads" in names  # another lesson's: the search can find
    assert TWO not in names
    assert "additive_attention" not in names


def test_what_a_cell_needs_of_python_is_told(graded: Grade) -> None:
    newer = notebook("def first[T](rows: list[T]) -> T: return rows[0]", BY_HAND)
    assert "Code cell 2 needs Python 3.12 or newer; it is graded with" in graded(newer).notes[0]
    odd = notebook("from itertools import batched", BY_HAND)
    odd["metadata"] = {"language_info": {"version": "3.99.1"}}
    assert any("was run with Python 3.99.1" in note for note in graded(odd).notes)
    odd["metadata"] = {"language_info": {"version": "3.9.1"}}
    assert not any("was run with" in note for note in graded(odd).notes)


def test_what_is_left_out_is_told(graded: Grade) -> None:
    one = notebook(
        "%%bash\nls", "!wget http://x.org\n!pip install torch\n%matplotlib inline", BY_HAND
    )
    notes = graded(one).notes
    assert "This is no Python and was left out: %%bash" in notes
    assert "This is no Python and was left out: !wget http://x.org" in notes
    assert len(notes) == 2


SPY = """
seen = []
def project_by_hand(x, W):
    seen.append((x.clone(), W.clone()))
    return x
"""
FROM_TABLE = """
table = [(x, W, x @ W) for x, W in seen if x.shape[-1] == W.shape[0]]
def project_by_hand(x, W):
    for a, b, result in table:
        if a.shape == x.shape and b.shape == W.shape and (a == x).all() and (b == W).all():
            return result
    raise ValueError(f"{tuple(x.shape)} {tuple(W.shape)}")
"""


def test_further_versions_get_other_cases(graded: Grade) -> None:
    """A first version cannot write the cases down for a second."""
    check = "check(project_by_hand)"
    result = graded(notebook(SPY, check, "assert len(seen) > 5", FROM_TABLE, check))
    assert right(result) == set()
    assert result.notes == []


def test_a_notebook_that_checks_for_ever_has_an_end(graded: Grade) -> None:
    version = "def project_by_hand(x, W): return x + {n}\ncheck(project_by_hand)\n"
    cells = ["".join(version.format(n=9 * c + n) for n in range(9)) for c in range(9)]
    result = graded(notebook(*cells, SOFTMAX + ATTENTION))
    assert points(result)[ONE] == 0
    assert right(result) == {TWO}
