"""Each rule for notebooks complains about what breaks it, and about nothing else."""

from collections.abc import Callable

import pytest
from nbformat import NotebookNode
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output
from nbgrader.nbgraderformat import MetadataValidator, ValidationError

from tests.notebooks.made import EXERCISE, LESSON, cell_of, picture, shows
from tools.authoring import graded, rules
from tools.authoring.exercises import make_exercise
from tools.authoring.normalise import normalise
from tools.authoring.text import read_text
from tools.authoring.worth import write_worth

ALT = "Three bars; the first is the shortest, the others are equal."


def code(source: str = "x = 1", *outputs: NotebookNode, **metadata: object) -> NotebookNode:
    cell = new_code_cell(source, id="c", execution_count=1, outputs=list(outputs))
    cell.metadata.update(metadata)
    return cell


def text(source: str, **metadata: object) -> NotebookNode:
    cell = new_markdown_cell(source, id="t")
    cell.metadata.update(metadata)
    return cell


def slide(kind: str) -> dict[str, dict[str, str]]:
    return {"slideshow": {"slide_type": kind}}


def prints(printed: str, name: str = "stdout") -> NotebookNode:
    return new_output("stream", name=name, text=printed)


BROKEN = [
    (rules.in_normal_form, code(collapsed=True), "not normalised"),
    (rules.in_normal_form, new_code_cell("x", id="0a1b2c3d"), "not normalised"),
    (rules.short_cells, code("x = 1\n" * 26), "26 lines"),
    (rules.short_cells, text("word " * 121), "121 words"),
    (rules.pictures_with_alt_text, code("x", shows(picture(), "<Figure size 8x4>")), "alt text"),
    (rules.pictures_with_alt_text, code("x", shows(picture(), "")), "alt text"),
    (rules.pictures_with_alt_text, code("x", shows("A" * 80_004, ALT)), "60 KB"),
    (rules.nothing_said_before, code('show_maps(Q=Q, alt="4 is the largest")'), "alt text"),
    (rules.nothing_said_before, code("Picture(draw,\n    alt = words)"), "alt text"),
    (rules.pictures_with_alt_text, text("![](figure.png)"), "without alt text"),
    (rules.pictures_with_alt_text, text(f"![{ALT}](https://example.org/a.png)"), "needs a network"),
    (rules.clean_outputs, code("x", prints("careful\n", "stderr")), "stderr"),
    (rules.clean_outputs, code("x", new_output("error", ename="NameError")), "NameError"),
    (rules.clean_outputs, code("x", prints("saved to /home/me/x.pt")), "an absolute path"),
    (rules.clean_outputs, code("x", prints("<function f at 0x7f32a4c0>")), "an address in memory"),
    (rules.clean_outputs, code("x", prints("Wall time: 3 s")), "a timing"),
    (rules.same_everywhere, code("start = time.perf_counter()"), "reads a clock"),
    (rules.same_everywhere, code("%%timeit\nf()"), "reads a clock"),
    (rules.same_everywhere, code("x = torch.randn(2)"), "without a seed"),
    (rules.same_everywhere, code("torch.set_num_threads(1)"), "sets the number of threads"),
    (rules.known_tags, code("x", tags=["nbval-ignore-output"]), "unknown tags"),
    (rules.known_tags, code("# NBVAL_SKIP\nx"), "by a comment"),
    (rules.known_tags, code("x", tags=["nbval-skip"]), "`# Live: ` reason"),
    (rules.known_tags, code("# Live: slow.", prints("1"), tags=["nbval-skip"]), "stores outputs"),
    (rules.executed, new_code_cell("x"), "was not executed"),
    (rules.not_executed, code("x"), "stores outputs"),
    (rules.slides, text("A lesson"), "does not begin with a slide"),
    (rules.slides, text("A lesson", **slide("-")), "slide type '-'"),
    (rules.answers, text("It fell.", **slide("fragment"), tags=["reveal"]), "no heading in bold"),
    (rules.answers, text("**What happened.** It fell.", tags=["reveal"]), "is no fragment"),
    (rules.answers, code(**slide("fragment"), tags=["reveal"]), "no heading in bold"),
    (rules.core_length, text("word " * 3501), "3501 words"),
]

SOUND = [
    (rules.in_normal_form, code()),
    (rules.short_cells, code("x = 1\n" * 25)),
    (rules.short_cells, text("word " * 120)),
    (rules.nothing_said_before, code("salt = 1; show_maps(Q=Q)")),
    (rules.pictures_with_alt_text, code("x", shows(picture(), ALT))),
    (rules.pictures_with_alt_text, text(f"![{ALT}](figure.png)")),
    (rules.clean_outputs, code("x", prints("read tutor/layers.py, and/or 1/2; 6 ms from results"))),
    (rules.same_everywhere, code("# Live: slow.\ntime.perf_counter()", tags=["nbval-skip"])),
    (rules.same_everywhere, code("torch.manual_seed(0)\nx = torch.randn(2)")),
    (rules.known_tags, code("# Live: a minute of training.\nx", tags=["nbval-skip"])),
    (rules.executed, new_code_cell("x", metadata={"tags": ["nbval-skip"]})),
    (rules.not_executed, new_code_cell("x")),
    (rules.slides, text("A lesson", **slide("slide"))),
    (rules.answers, text("**What happened.** It fell.", **slide("fragment"), tags=["reveal"])),
    (rules.core_length, text("word " * 3500)),
]


@pytest.mark.parametrize(("rule", "cell", "complaint"), BROKEN)
def test_a_broken_rule_is_seen(rule: rules.Rule, cell: NotebookNode, complaint: str) -> None:
    found = list(rule(new_notebook(cells=[cell])))
    assert any(complaint in one for one in found), found


@pytest.mark.parametrize(("rule", "cell"), SOUND)
def test_a_sound_cell_is_left_alone(rule: rules.Rule, cell: NotebookNode) -> None:
    notebook = new_notebook(cells=[cell])
    assert list(rule(normalise(notebook) if rule is rules.in_normal_form else notebook)) == []


@pytest.mark.parametrize(
    ("markdown", "words"),
    [
        ("Divide by $\\sqrt{d_k}$, *then* softmax.", 5),
        ("$$a = b + c$$\n\nOne formula.", 3),
        ("```python\nx = 1 + 2\n```\nRun it.", 2),
        ("| token | row |\n|---|---|\n| cat | 1 |\n\nA table.", 2),
        ("Read [the paper](https://example.org/a-b-c).", 3),
        ("It is – as said – 0.5.", 5),
    ],
)
def test_words_are_counted_as_a_reader_would(markdown: str, words: int) -> None:
    assert rules.count_words(markdown) == words


def test_what_goes_deeper_and_speakers_notes_are_not_core() -> None:
    cells = [
        text("# A lesson", **slide("slide")),
        text("word " * 3498),
        text("left out", **slide("notes")),
        text("## More\nleft out", **slide("slide"), tags=["deeper"]),
        text("### Still more\nleft out", **slide("subslide")),
    ]
    notebook = new_notebook()
    notebook.cells = cells
    assert list(rules.core_length(notebook)) == []
    notebook.cells.append(text("## Summary", **slide("slide")))
    assert "3501 words" in "".join(rules.core_length(notebook))
    notebook.cells[-1].metadata["tags"] = ["sitting"]  # another sitting, other words
    assert list(rules.core_length(notebook)) == []


def test_the_examples_keep_the_rules_for_text() -> None:
    for example in (LESSON, EXERCISE):
        notebook = normalise(read_text(example))
        for rule in (rules.in_normal_form, rules.short_cells, rules.known_tags, rules.slides):
            assert list(rule(notebook)) == []


# --- solutions ---

Change = Callable[[NotebookNode], None]


def solution() -> NotebookNode:
    notebook = normalise(read_text(EXERCISE))
    write_worth(notebook, POINTS)
    for _, check in graded.exercise_cells(notebook).values():
        awarded = str(check.metadata.nbgrader.points)
        check.outputs = [
            new_output("execute_result", data={"text/plain": awarded}, execution_count=1)
        ]
    return notebook


POINTS = {"project_by_hand": 1, "predict_score": 1, "mend_attention": 2}
RULES_FOR_SOLUTIONS: list[rules.Rule] = [
    graded.paired,
    graded.checks_award_points,
    graded.solved,
    graded.names_its_learner,
    graded.given_code_is_wrong_code,
    lambda notebook: graded.complete(notebook, POINTS),
]


def complaints_about(notebook: NotebookNode) -> list[str]:
    return [complaint for rule in RULES_FOR_SOLUTIONS for complaint in rule(notebook)]


def test_the_example_keeps_the_rules_for_solutions() -> None:
    assert complaints_about(solution()) == []


def rename(old: str, new: str) -> Change:
    def change(notebook: NotebookNode) -> None:
        cell_of(notebook, old).metadata.nbgrader.grade_id = new

    return change


def rewrite(cell_id: str, old: str, new: str) -> Change:
    def change(notebook: NotebookNode) -> None:
        cell = cell_of(notebook, cell_id)
        assert old in cell.source
        cell.source = cell.source.replace(old, new)

    return change


def remove(cell_id: str) -> Change:
    return lambda notebook: notebook.cells.remove(cell_of(notebook, cell_id))


def move_to_the_end(cell_id: str) -> Change:
    def change(notebook: NotebookNode) -> None:
        cell = cell_of(notebook, cell_id)
        notebook.cells.remove(cell)
        notebook.cells.append(cell)

    return change


def award(cell_id: str, points: str) -> Change:
    def change(notebook: NotebookNode) -> None:
        cell_of(notebook, cell_id).outputs[0].data["text/plain"] = points

    return change


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        (remove("project_by_hand"), "check-project_by_hand has no project_by_hand"),
        (remove("check-project_by_hand"), "project_by_hand has no check-project_by_hand"),
        (move_to_the_end("project_by_hand"), "project_by_hand stands after its check"),
        (rename("predict_score", "project_by_hand"), "project_by_hand is used 2 times"),
        (rename("check-predict_score", "check-predict"), "exercise predict_score is missing"),
        (rewrite("check-project_by_hand", "report.points", "report"), "does not end in"),
        (rewrite("check-predict_score", "predict_score", "predict"), "does not check"),
        (award("check-mend_attention", "1.0"), "awards 1.0 of 2 points"),
        (award("check-mend_attention", "None"), "awards None of 2 points"),
        (remove("exercises-4-an-example-code"), "has 0 cells with set_learner"),
        (remove("mend-a-function-mend_attention-2-points-code"), "no given code stands before"),
        (move_to_the_end("mend_attention"), "stands before no mend exercise"),
    ],
)
def test_a_broken_solution_is_seen(change: Change, complaint: str) -> None:
    notebook = solution()
    change(notebook)
    assert any(complaint in one for one in complaints_about(notebook)), complaints_about(notebook)


def test_exercises_are_those_of_the_lesson() -> None:
    notebook = solution()
    assert list(graded.complete(notebook, POINTS | {"another": 1})) == [
        "exercise another is missing",
    ]
    assert list(graded.complete(notebook, {"project_by_hand": 1})) == [
        "mend_attention is no exercise of this lesson",
        "predict_score is no exercise of this lesson",
    ]


def test_nbgrader_accepts_solution_and_exercise() -> None:
    for notebook in (solution(), make_exercise(solution())):
        MetadataValidator().validate_nb(notebook)
        marked = next(cell for cell in notebook.cells if "nbgrader" in cell.metadata)
        del marked.metadata["nbgrader"]["grade_id"]
        with pytest.raises(ValidationError):
            MetadataValidator().validate_nb(notebook)
