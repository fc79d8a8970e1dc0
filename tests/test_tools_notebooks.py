"""The authors' tool: text and back, readable ids, the same bytes, exercises without answers."""

import io
import re
import subprocess
import sys
from pathlib import Path

import nbformat
import pytest
from nbformat import NotebookNode
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output

from tests.notebooks.made import EXAMPLES, EXERCISE, LESSON, cell_of, picture, shows
from tools.authoring import refresh as refreshing
from tools.authoring.execute import NotebookError, execute
from tools.authoring.exercises import make_exercise
from tools.authoring.files import EXERCISES, ROOT, notebook_text, read_notebook, write_notebook
from tools.authoring.normalise import WIDGET_VIEW, normalise
from tools.authoring.pictures import hardly_differ
from tools.authoring.text import keep_outputs, read_text, write_text

# --- text ---


@pytest.mark.parametrize("text", [LESSON, EXERCISE])
def test_text_and_notebook_say_the_same(text: str) -> None:
    notebook = read_text(text)
    again = read_text(write_text(notebook))
    assert notebook_text(again) == notebook_text(notebook)


def test_headers_become_metadata() -> None:
    notebook = read_text(EXERCISE)
    assert cell_of(notebook, "project_by_hand").metadata == {
        "nbgrader": {
            "grade": False,
            "grade_id": "project_by_hand",
            "locked": False,
            "schema_version": 3,
            "solution": True,
            "task": False,
        }
    }
    check = cell_of(notebook, "check-mend_attention").metadata.nbgrader
    assert (check.grade, check.solution, check.points) == (True, False, 0)
    assert notebook.cells[0].metadata.slideshow.slide_type == "slide"
    assert "slideshow" not in cell_of(notebook, "what-follows").metadata


def test_markdown_keeps_its_backslashes() -> None:
    assert r"\sqrt{d_k}" in cell_of(read_text(LESSON), "why-divide-by-sqrt-d_k").source


@pytest.mark.parametrize(
    ("header", "complaint"),
    [
        ("# %% A title", "unknown in a cell header"),
        ('# %% slide="-"', "slide '-' is not one of"),
        ('# %% tags=["nbval-ignore-output"]', "tags 'nbval-ignore-output' is not one of"),
        ('# %% check="layer_norm" points=2', "unknown in a cell header"),
        ('# %% check="layer_norm" answer="layer_norm"', "an answer or a check"),
        ('# %% id="0a1b2c3d"', "drawn at random"),
    ],
)
def test_a_wrong_header_is_refused_and_the_cell_named(header: str, complaint: str) -> None:
    with pytest.raises(ValueError, match=re.escape(complaint)) as problem:
        read_text(f"# %%\nx = 1\n\n{header}\ny = 2\n")
    assert "cell 2 ('y = 2')" in str(problem.value)


def test_import_keeps_the_outputs_of_cells_that_keep_their_id() -> None:
    former = read_text('# %% id="kept"\nprint(1)\n\n# %% id="gone"\nprint(2)\n')
    former.cells[0].outputs = [new_output("stream", text="1\n")]
    former.cells[0].execution_count = 1
    notebook = read_text('# %% id="new"\nprint(3)\n\n# %% id="kept"\nprint(1)\n')
    keep_outputs(notebook, former)
    assert [cell.outputs for cell in notebook.cells] == [[], former.cells[0].outputs]


# --- ids ---


def test_ids_are_readable_unique_and_lasting() -> None:
    notebook = new_notebook(
        cells=[
            new_markdown_cell("## Why divide?", id="b0c2d4e4-0001-4abc-8def-0123456789ab"),
            new_code_cell("x = 1", id="deadbeef"),
            new_code_cell("x = 2", id="0badf00d"),
            new_code_cell("x = 3", id="my-own-name"),
        ]
    )
    expected = ["why-divide", "why-divide-code", "why-divide-code-2", "my-own-name"]
    assert [cell.id for cell in normalise(notebook).cells] == expected
    notebook.cells.insert(1, new_code_cell("x = 0", id="cafecafe"))
    once = normalise(notebook)
    once.cells[0].source = "## Another heading"
    assert [cell.id for cell in normalise(once).cells] == [cell.id for cell in once.cells]


def test_a_copied_cell_gets_an_id_of_its_own() -> None:
    notebook = new_notebook(cells=[new_code_cell("x = 1", id="same")])
    notebook.cells.append(new_code_cell("x = 2", id="same"))
    assert [cell.id for cell in normalise(notebook).cells] == ["same", "start-code"]


# --- normal form ---


def noisy_notebook() -> NotebookNode:
    cell = new_code_cell("x = 1  \nx\n", id="x", execution_count=7)
    cell.metadata = NotebookNode(
        execution={"iopub.execute_input": "2026-01-01T00:00:00Z"}, collapsed=False, tags=["worked"]
    )
    cell.outputs = [
        new_output("stream", name="stdout", text="a"),
        new_output("display_data", data={WIDGET_VIEW: {"model_id": "0a1b"}}),
        new_output("stream", name="stdout", text="b\n"),
        new_output("execute_result", data={"text/plain": "1"}, execution_count=7),
    ]
    notebook = new_notebook(cells=[cell, new_code_cell("", id="empty")])
    notebook.metadata = NotebookNode(
        widgets={"state": {}}, language_info={"name": "python", "version": "3.11.7"}
    )
    return notebook


def test_normal_form_drops_what_no_author_wrote() -> None:
    clean = normalise(noisy_notebook())
    (cell,) = clean.cells
    assert cell.metadata == {"tags": ["worked"]}
    assert cell.source == "x = 1\nx"
    assert cell.execution_count == 1
    assert cell.outputs == [
        {"output_type": "stream", "name": "stdout", "text": "ab\n"},
        {"output_type": "execute_result", "data": {"text/plain": "1"}, "metadata": {}}
        | {"execution_count": 1},
    ]
    assert "widgets" not in clean.metadata
    assert clean.metadata.language_info == {"name": "python"}
    nbformat.validate(clean)


def test_normalising_twice_changes_nothing() -> None:
    once = normalise(noisy_notebook())
    assert notebook_text(normalise(once)) == notebook_text(once)


def test_pictures_that_hardly_differ() -> None:
    assert hardly_differ(picture(), picture(spot=3))
    assert not hardly_differ(picture(), picture(spot=40))
    assert not hardly_differ(picture(255), picture(200))


@pytest.mark.parametrize(
    ("new", "kept"),
    [
        (shows(picture(spot=3)), True),
        (shows(picture(spot=40)), False),
        (shows(picture(spot=3), "Another caption: 0.25"), False),
    ],
)
def test_a_stored_picture_stays_only_where_nothing_to_see_changed(
    new: NotebookNode, kept: bool
) -> None:
    def notebook(output: NotebookNode) -> NotebookNode:
        cell = new_code_cell("show()", id="show", execution_count=1, outputs=[output])
        return new_notebook(cells=[cell])

    stored = picture()
    result = normalise(notebook(new), notebook(shows(stored))).cells[0].outputs[0]
    assert (result.data["image/png"] == stored) is kept


# --- exercises ---


def test_an_exercise_is_its_solution_without_the_answers() -> None:
    solution = normalise(read_text(EXERCISE))
    exercise = make_exercise(solution)
    assert cell_of(exercise, "project_by_hand").source == (
        "def project_by_hand(x, W):\n"
        '    """Project each row of x through W."""\n'
        "    raise NotImplementedError"
    )
    assert cell_of(exercise, "predict_score").source == "answer = ..."
    assert "dim=-2" in cell_of(exercise, "mend_attention").source
    text = write_text(exercise)
    for answer in ("return x @ W", "query @ key", "dim=-1", "SOLUTION", "in the solutions only"):
        assert answer in write_text(solution)
        assert answer not in text
    kept = [cell.id for cell in exercise.cells]
    assert kept == [cell.id for cell in solution.cells if "tags" not in cell.metadata]


def test_an_exercise_has_no_outputs_and_its_solution_keeps_them() -> None:
    solution = read_text(EXERCISE)
    for cell in solution.cells:
        if cell.cell_type == "code":
            cell.execution_count, cell.outputs = 1, [new_output("stream", text="seen\n")]
    assert "seen" not in notebook_text(make_exercise(solution))
    assert "seen" in notebook_text(solution)


def test_an_answer_without_marks_and_given_code_without_answer_are_refused() -> None:
    with pytest.raises(ValueError, match="marks no solution"):
        make_exercise(read_text('# %% answer="f"\ndef f(): pass\n'))
    with pytest.raises(ValueError, match="must stand right before an answer"):
        make_exercise(read_text('# %% tags=["given"]\nx = 1\n\n# %%\ny = 2\n'))


# --- execution ---

NETWORK = """# %%
import socket, urllib.request
for reach in (
    lambda: socket.create_connection(("192.0.2.1", 80), timeout=1),
    lambda: urllib.request.urlopen("http://example.org", timeout=1),
    lambda: socket.gethostbyname("example.org"),
    lambda: socket.socket(type=socket.SOCK_DGRAM).sendto(b"x", ("192.0.2.1", 53)),
):
    try:
        reach()
    except RuntimeError as problem:
        print(problem)
with socket.create_server(("127.0.0.1", 0)) as server:
    socket.create_connection(server.getsockname()).close()
"""


def test_a_notebook_has_no_network(tmp_path: Path) -> None:
    printed = execute(read_text(NETWORK), tmp_path).notebook.cells[0].outputs[0].text
    refused = ["192.0.2.1", "example.org", "example.org", "192.0.2.1"]
    assert printed.splitlines() == [
        f"a notebook reached for the network: {host}" for host in refused
    ]


def test_a_marked_cell_is_not_executed_and_a_failing_one_is_named(tmp_path: Path) -> None:
    live = '# %% tags=["nbval-skip"]\n# Live: it takes a minute.\n1 / 0\n\n'
    ran = execute(read_text(live + "# %%\nprint(1)\n"), tmp_path).notebook
    assert [cell.execution_count for cell in ran.cells] == [None, 1]
    with pytest.raises(NotebookError, match=r"cell halves raised(.|\n)*ZeroDivisionError"):
        execute(read_text('# %% id="halves"\n1 / 0\n'), tmp_path)


DRAWS = """# %% id="draws"
import random
import tutor
random.seed(0)
print(random.random())
"""


def refreshed(path: Path, **options: bool) -> str:
    printed = io.StringIO()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "stdout", printed)
        assert refreshing.refresh([path], **options) == []
    return printed.getvalue()


@pytest.fixture
def own_stamps(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(refreshing, "_STAMPS", tmp_path / "stamps")


@pytest.mark.usefixtures("own_stamps")
def test_refresh_gives_the_same_bytes_and_skips_what_has_not_changed(tmp_path: Path) -> None:
    path = tmp_path / "01_draws.ipynb"
    write_notebook(read_text(DRAWS), path)
    assert "written" in refreshed(path)
    stored = path.read_bytes()
    assert b"0.8444218515250481" in stored
    assert "nothing changed" in refreshed(path)
    assert "outputs are the same" in refreshed(path, everything=True)
    assert path.read_bytes() == stored
    notebook = read_notebook(path)
    notebook.cells[0].source += "\nprint('more')"
    write_notebook(notebook, path)
    assert "written" in refreshed(path)
    assert b"more" in path.read_bytes()


@pytest.mark.long
@pytest.mark.usefixtures("own_stamps")
def test_refresh_sees_a_change_in_the_package(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "01_draws.ipynb"
    write_notebook(read_text(DRAWS), path)
    refreshed(path)
    read_bytes = Path.read_bytes

    def edited(self: Path) -> bytes:
        return read_bytes(self) + (b"# edited" if self.match("tutor/__init__.py") else b"")

    monkeypatch.setattr(Path, "read_bytes", edited)
    assert "executed" in refreshed(path)


@pytest.mark.usefixtures("own_stamps")
def test_a_notebook_that_fails_is_left_as_it_was(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "01_fails.ipynb"
    write_notebook(read_text("# %%\n1 / 0\n"), path)
    before = path.read_bytes()
    assert refreshing.refresh([path]) == [str(path)]
    assert "ZeroDivisionError" in capsys.readouterr().out
    assert path.read_bytes() == before


@pytest.mark.usefixtures("own_stamps")
def test_an_edit_during_the_execution_is_not_overwritten(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "01_edits_itself.ipynb"
    write_notebook(read_text(f"# %%\nopen({str(path)!r}, 'a').write(' ')\n"), path)
    before = path.read_text("utf-8")
    assert refreshing.refresh([path]) == [str(path)]
    assert "edited while it was executed" in capsys.readouterr().out
    assert path.read_text("utf-8") == before + " "


def test_an_exercise_is_not_refreshed_by_itself(capsys: pytest.CaptureFixture[str]) -> None:
    assert refreshing.refresh([EXERCISES / "00_none.ipynb"]) == ["exercises/00_none.ipynb"]
    assert "refresh solutions/00_none.ipynb" in capsys.readouterr().out


# --- commands ---


def run_tool(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, ROOT / "tools" / "notebooks.py", *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False)


@pytest.mark.long
def test_import_and_export_by_command(tmp_path: Path) -> None:
    notebook = tmp_path / "04_example.ipynb"
    assert run_tool("import", EXAMPLES / "example_lesson.txt", notebook).returncode == 0
    exported = run_tool("export", notebook)
    assert exported.stdout == write_text(read_notebook(notebook))
    assert run_tool("export", notebook, tmp_path / "out.txt").returncode == 0
    assert (tmp_path / "out.txt").read_text("utf-8") == exported.stdout


@pytest.mark.long
def test_a_command_that_cannot_be_done_says_why(tmp_path: Path) -> None:
    broken = tmp_path / "04_broken.ipynb"
    broken.write_text("{", encoding="utf-8")
    result = run_tool("export", broken)
    assert result.returncode == 1
    assert "cannot be read as a notebook" in result.stderr
    assert "Traceback" not in result.stderr
