"""Every edge is met by some case: an answer that fails at one of them alone is noticed."""

import json
import re
from pathlib import Path

import pytest
import torch
from torch import Tensor

from tests.exercises.edges import FailingAt, called, edges, unmet
from tests.tiers import first_quick
from tutor.checking.calls import FunctionAnswer
from tutor.checking.differences import part_name
from tutor.checking.examine import examine, key
from tutor.checking.exercise import Exercise
from tutor.checking.leaves import leaves
from tutor.checking.seeds import EXAMPLE
from tutor.checking.values import parts
from tutor.exercises import find, lessons

SOLUTIONS = Path(__file__).resolve().parents[2] / "solutions"
WRITTEN = [e for lesson in lessons().values() for e in lesson if e.kind != "predict"]
SEEDS = (0, 20_260)  # a notebook's own check, and a grading

of_each = pytest.mark.parametrize(
    "exercise",
    [pytest.param(e, id=e.name, marks=pytest.mark.xdist_group(e.name)) for e in WRITTEN],
)


def calls_of(exercise: Exercise, seed: int = 0, without: str = ""):
    cases = key(exercise, seed).cases
    return [called(exercise, case) for name, case in cases.items() if name != without]


@of_each
@pytest.mark.parametrize("seed", first_quick(SEEDS))
def test_every_edge_is_met(exercise, seed):
    assert unmet(exercise, calls_of(exercise, seed)) == []


@of_each
@pytest.mark.long
def test_what_fails_at_an_edge_is_noticed(exercise):
    """A few of the edges, tried in earnest; that they are met was tested for all."""
    found = edges(exercise, calls_of(exercise)[0])
    for edge in found[:: max(1, len(found) // 3)]:
        assert not examine(exercise, FailingAt(exercise, edge)).passed, edge.name


@pytest.mark.parametrize(
    ("name", "case", "edge"),
    [
        ("top_k_probabilities", "scores of ±1000", "a row of scores above 1000"),
        ("top_p_probabilities", "an impossible word", "a word of probability 0"),
        ("sequence_cross_entropy", "one place", "T = 1"),
        ("scaled_dot_product_attention", "scores of ±1000", "a row of scores reaches 1000"),
        ("beam_search", "wider than the vocabulary", "width above V"),
        ("layer_norm", "batches of batches", "3 leading axes"),
        ("layer_norm", "in float64", "x in float64"),
        ("multi_head_attention", "one head", "h = 1"),
        ("embed", "stretched by expand", "ids expanded"),
    ],
)
def test_an_edge_is_missed_when_its_case_is_taken_out(name, case, edge):
    exercise = find(name)
    assert edge not in unmet(exercise, calls_of(exercise))
    assert edge in unmet(exercise, calls_of(exercise, without=case))


@of_each
def test_axes_are_declared(exercise):
    """Every tensor has its axes' names, or there is nothing to be known about its edges."""
    for case in key(exercise, 0).cases.values():
        for leaf in leaves(case):
            if isinstance(leaf.value, Tensor) and exercise.name != "clip_gradients":
                assert leaf.path[0] in exercise.shapes, leaf.name
    assert set(exercise.computed) <= set(exercise.returns)


@of_each
def test_axes_of_results_are_declared(exercise):
    """Or a message about a wrong one would have nothing but numbers for its axes."""
    unnamed = ("clip_gradients", "hidden_vocabulary", "beam_search")  # lists of any length
    for result in key(exercise, 0).results.values():
        for path, tensor in parts(result):
            if tensor.ndim and not key(exercise, 0).lists and exercise.name not in unnamed:
                assert part_name(exercise.returns, path) in exercise.shapes


def _statement(name: str) -> str:
    """Give the statement of an exercise: the Markdown before its answer's cell."""
    text = ""
    for path in sorted(SOLUTIONS.glob("*.ipynb")):
        for cell in json.loads(path.read_text(encoding="utf-8"))["cells"]:
            source = "".join(cell["source"])
            if cell["cell_type"] == "markdown":
                text = source if source.startswith("## ") else text + source
            elif cell["metadata"].get("nbgrader", {}).get("grade_id") == name:
                return text
    return ""


@pytest.mark.parametrize("path", sorted(SOLUTIONS.glob("*.ipynb")), ids=lambda path: path.stem)
def test_that_arguments_stay_as_they_are_is_asked(path):
    """It costs half the points, also where a statement does not repeat it."""
    first = json.loads(path.read_text(encoding="utf-8"))["cells"][0]
    assert "A function leaves its arguments as they are." in "".join(first["source"])


@of_each
def test_the_statements_example_is_a_case(exercise):
    if exercise.kind == "write" and re.search(
        r"\*Example\.\*|\*\*Example\.\*\*", _statement(exercise.name)
    ):
        assert EXAMPLE in exercise.cases(0) or exercise.name == "shift_matrix"  # "can be"


@of_each
@pytest.mark.long
def test_no_table_of_answers_passes(exercise):
    """Who has seen the cases of five seeds still does not know those of a sixth."""
    known = [
        (case, exercise.reference(*case.values()))
        for seed in range(5)
        for case in key(exercise, seed).cases.values()
    ]

    def remembers(*given):
        for case, result in known:
            if _equal(list(given), list(case.values())):
                return result
        return known[0][1]

    assert not examine(exercise, FunctionAnswer(remembers), 5).passed


def _equal(one, other) -> bool:
    if isinstance(one, Tensor) and isinstance(other, Tensor):
        return one.shape == other.shape and one.dtype == other.dtype and torch.equal(one, other)
    if isinstance(one, list | tuple) and isinstance(other, list | tuple):
        return len(one) == len(other) and all(map(_equal, one, other))
    return type(one) is type(other) and bool(one == other)
