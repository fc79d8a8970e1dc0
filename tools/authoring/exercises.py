"""Make the exercise notebook of a solution notebook: the same cells with the answers taken out."""

import copy

from nbformat import NotebookNode

_BODY_STUB = "raise NotImplementedError"
_VALUE_STUB = "answer = ..."


def tags_of(cell: NotebookNode) -> list[str]:
    """Give a cell's tags."""
    return list(cell.metadata.get("tags", []))


def is_answer(cell: NotebookNode) -> bool:
    """Say whether the learner fills this cell."""
    return bool(cell.metadata.get("nbgrader", {}).get("solution"))


def is_check(cell: NotebookNode) -> bool:
    """Say whether this cell checks an answer."""
    return bool(cell.metadata.get("nbgrader", {}).get("grade"))


def make_exercise(solution: NotebookNode) -> NotebookNode:
    """Take the answers, their explanations and all outputs out of a solution notebook.

    Raises:
        ValueError: an answer has no marked solution, or given code stands before no answer.
    """
    exercise = copy.deepcopy(solution)
    exercise.cells = []
    given: str | None = None
    for cell in copy.deepcopy(solution.cells):
        if "worked" in tags_of(cell):
            continue
        if "given" in tags_of(cell):
            given = cell.source
            continue
        if cell.cell_type == "code":
            cell.outputs, cell.execution_count = [], None
            if is_answer(cell):
                _clear(cell)
                cell.source, given = given or cell.source, None
            elif given is not None:
                raise ValueError(f"given code must stand right before an answer, not {cell.id!r}")
        exercise.cells.append(cell)
    if given is not None:
        raise ValueError("given code at the end of the notebook belongs to no answer")
    return exercise


def _clear(cell: NotebookNode) -> None:
    """Replace the marked solution, as nbgrader's release does."""
    # Loading nbgrader takes two seconds, which only this function should cost.
    from nbgrader.preprocessors import ClearSolutions

    if "### BEGIN SOLUTION" not in cell.source:
        raise ValueError(f"answer {cell.id!r} marks no solution (### BEGIN SOLUTION)")
    predicts = cell.metadata.nbgrader.grade_id.startswith("predict_")
    stub = _VALUE_STUB if predicts else _BODY_STUB
    preprocessor = ClearSolutions(code_stub={"python": stub})
    preprocessor.preprocess_cell(cell, {"language": "python"}, 0)
