"""Makes the notebooks of a class: right, wrong, damaged and hostile ones."""

import copy
import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from torch import Tensor

from tutor.checking.examine import key
from tutor.checking.seeds import seed_of
from tutor.exercises import find, lessons

LESSON = "04_self_attention"
EXERCISE_FILE = Path(__file__).resolve().parents[2] / "exercises" / f"{LESSON}.ipynb"
WORTH = {exercise.name: exercise.points for exercise in lessons()[LESSON]}


def _worked() -> dict[str, str]:
    """Read the course's own answers to the exercises that are functions."""
    path = EXERCISE_FILE.parents[1] / "solutions" / EXERCISE_FILE.name
    cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
    named = {one["metadata"].get("nbgrader", {}).get("grade_id"): one for one in cells}
    return {
        exercise.name: "".join(named[exercise.name]["source"])
        for exercise in lessons()[LESSON]
        if exercise.kind != "predict"
    }


# Some are written as learners write them.
RIGHT = _worked() | {
    "project_by_hand": """
def project_by_hand(x, W):
    if x.shape[-1] != W.shape[0]:
        raise ValueError(f"x {tuple(x.shape)} does not fit W {tuple(W.shape)}")
    return x @ W
""",
    "scaled_dot_product_attention": """
def scaled_dot_product_attention(q, k, v):
    weights = torch.softmax(q @ k.mT / math.sqrt(q.size(-1)), dim=-1)
    return weights @ v, weights
""",
    "additive_attention": """
def additive_attention(q, k, v, W_q, W_k, w):
    hidden = torch.tanh((q @ W_q.T).unsqueeze(2) + (k @ W_k.T).unsqueeze(1))
    weights = torch.softmax(hidden @ w, dim=-1)
    return weights @ v, weights
""",
}
# A wrong answer and the mistake that it is.
WRONG = {
    "project_by_hand": (
        "def project_by_hand(x, W):\n    return x @ W.T\n",
        "project-matrix-transposed",
    ),
    "scaled_dot_product_attention": (
        """
def scaled_dot_product_attention(q, k, v):
    weights = torch.softmax(q @ k.mT, dim=-1)
    return weights @ v, weights
""",
        "attn-no-scale",
    ),
}


def predictions(learner: str, class_seed: str = "") -> dict[str, str]:
    """Work out a learner's predictions, as the text of the answer cells."""
    answers = {}
    for exercise in lessons()[LESSON]:
        if exercise.kind == "predict":
            (case,) = key(exercise, seed_of(class_seed, learner, exercise.name)).cases.values()
            value = exercise.reference(**case)
            plain = value.tolist() if isinstance(value, Tensor) else value
            answers[exercise.name] = f"answer = {plain}"
    return answers


def right_answers(learner: str) -> dict[str, str]:
    return {**RIGHT, **predictions(learner)}


@cache
def _exercise_notebook() -> str:
    return EXERCISE_FILE.read_text(encoding="utf-8")


def filled(answers: Mapping[str, str], learner: str = "Ada Lovelace") -> dict[str, Any]:
    """Fill answers into the exercise notebook, as a learner does."""
    notebook = json.loads(_exercise_notebook())
    for cell in notebook["cells"]:
        name = cell["metadata"].get("nbgrader", {}).get("grade_id", "")
        if name in answers:
            cell["source"] = answers[name].strip("\n").splitlines(keepends=True)
        elif "set_learner(" in "".join(cell["source"]):
            text = "".join(cell["source"])
            cell["source"] = text.replace('"self-study"', json.dumps(learner))
    return notebook


def only_answers(notebook: dict[str, Any]) -> dict[str, Any]:
    """Leave out what stands between answers: what hangs then hangs only where it is judged."""
    graded = [cell for cell in notebook["cells"] if "nbgrader" in cell["metadata"]]
    return {**notebook, "cells": graded}


def cell(source: str, kind: str = "code", **metadata: Any) -> dict[str, Any]:
    made: dict[str, Any] = {"cell_type": kind, "metadata": metadata, "source": source}
    return made | ({"outputs": [], "execution_count": None} if kind == "code" else {})


def answer_cell(name: str, source: str) -> dict[str, Any]:
    nbgrader = {"grade_id": name, "solution": True, "grade": False, "locked": False}
    return cell(source, nbgrader=nbgrader)


def insert(notebook: dict[str, Any], source: str, at: int = 0) -> dict[str, Any]:
    """Put a code cell before the others (or at another place)."""
    changed = copy.deepcopy(notebook)
    changed["cells"].insert(at if at >= 0 else len(changed["cells"]), cell(source))
    return changed


def as_bytes(notebook: dict[str, Any]) -> bytes:
    return json.dumps(notebook).encode()


def is_predicted(name: str) -> bool:
    return find(name).kind == "predict"
