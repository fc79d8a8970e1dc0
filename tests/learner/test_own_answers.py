"""Right answers go into `my_transformer.py`, from whatever shape of notebook."""

import os
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

import pytest
from IPython.core.interactiveshell import InteractiveShell

from tutor.learner import check as checking
from tutor.learner import history, one_at_a_time, own_answers
from tutor.learner.own_answers import course_order, lesson_of, read_file, restore
from tutor.learner.own_code import Taken
from tutor.learner.own_file import FILE, OwnFile, run
from tutor.learner.own_parts import my_parts, own_functions, own_names
from tutor.learner.own_record import KeptAnswers, load_record
from tutor.learner.progress_map import progress
from tutor.learner.report import Report

TIED = "def tied_logits(h, table):\n    return h @ table.T"
WRONG = "def tied_logits(h, table):\n    return h @ table.T * 2"
NORM = """def layer_norm(x, gamma, beta, eps):
    m = x.mean(-1, keepdim=True)
    v = ((x - m) ** 2).mean(-1, keepdim=True)
    return (x - m) / {root}(v + eps) * gamma + beta"""
KEPT = f"Kept in {FILE}."
ELSEWHERE = ("is replaced in this", "drew from", "and it counts.")  # notes on something else

Notebook = Callable[..., Report]


@pytest.fixture
def workspace(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / ".tutor-workspace").touch()
    (tmp_path / "exercises").mkdir()
    monkeypatch.chdir(tmp_path / "exercises")
    return tmp_path


@pytest.fixture
def notebook(workspace: Path, monkeypatch: pytest.MonkeyPatch) -> Notebook:
    """Runs cells in an IPython shell, then checks an answer in a cell of its own."""

    def run_cells(*cells: str, check: str = "tied_logits", before: int = 0) -> Report:
        shell = InteractiveShell()
        shell.showtraceback = lambda *_, **__: None
        for cell in cells[:before]:
            shell.run_cell(cell, store_history=True)
        shell.user_ns["listen"] = lambda: monkeypatch.setattr(
            history, "current", history.history_of(shell)
        )
        shell.run_cell("listen()", store_history=True)
        for cell in cells[before:]:
            shell.run_cell(cell, store_history=True)
        shell.user_ns["check"] = checking.check
        name, _, exercise = check.rpartition(" ") if " " in check else (check, "", "")
        call = f"check({name}, name={exercise!r})" if exercise else f"check({name})"
        shell.run_cell(f"report = {call}", store_history=True)
        return shell.user_ns["report"]

    return run_cells


def said(report: Report) -> tuple[str, ...]:
    """What a report says of keeping."""
    return tuple(
        note for note in report.verdict.notes if not any(word in note for word in ELSEWHERE)
    )


def kept(workspace: Path) -> str:
    path = workspace / FILE
    return path.read_text(encoding="utf-8") if path.exists() else ""


class Odd(NamedTuple):
    """An odd answer of `data/odd_answers.txt`: its cells, and why it is not kept, if it is not."""

    label: str
    exercise: str
    why: str
    cells: list[str]


def odd_answers() -> Iterator[Odd]:
    text = (Path(__file__).parent / "data" / "odd_answers.txt").read_text(encoding="utf-8")
    for part in text.strip().split("=== ")[1:]:
        head, _, cells = part.strip().partition("\n")
        label, exercise, *why = head.split(" | ")
        yield Odd(label, exercise, "".join(why), cells.split("\n---\n"))


ODD = [*odd_answers()]


@pytest.mark.parametrize("odd", ODD, ids=lambda odd: odd.label)
def test_odd_answers_are_kept_and_run_or_refused_with_a_reason(
    notebook: Notebook, workspace: Path, monkeypatch: pytest.MonkeyPatch, odd: Odd
):
    (workspace / "exercises" / "beside.py").write_text("ONE = 1")
    monkeypatch.syspath_prepend(str(workspace / "exercises"))
    monkeypatch.delitem(sys.modules, "beside", raising=False)
    report = notebook(*odd.cells, check=odd.exercise)
    assert report.passed
    (note,) = said(report)
    if odd.why:
        assert note.startswith(f"Not kept in {FILE}: {odd.why}")
        assert kept(workspace) == ""
    else:
        assert note == KEPT
        functions, faults = own_functions()
        assert [*functions] == [odd.exercise]
        assert faults == {}


def test_an_answer_of_another_name(notebook: Notebook, workspace: Path):
    mine = TIED.replace("tied_logits", "mine")
    assert said(notebook(mine, check="mine tied_logits")) == (KEPT,)
    assert own_names() == ["tied_logits"]


def test_cells_that_ran_before_the_course_was_imported(notebook: Notebook, workspace: Path):
    cells = ["import torch", "def root(x):\n    return torch.sqrt(x)", NORM.format(root="root")]
    assert said(notebook(*cells, check="layer_norm", before=3)) == (KEPT,)


def test_a_function_without_a_name(notebook: Notebook, workspace: Path):
    report = notebook(check="(lambda h, t: h @ t.T) tied_logits")
    assert "give it its name in one statement, as in tied_logits = …" in said(report)[0]


def test_helpers_of_one_name_in_two_notebooks_stay_apart(notebook: Notebook, workspace: Path):
    root = "import torch\ndef root(x):\n    return {}"
    notebook(root.format("torch.sqrt(x)"), NORM.format(root="root"), check="layer_norm")
    size = "root((x * x).mean(-1, keepdim=True) + eps)"
    rms = f"def rms_norm(x, gamma, eps):\n    return x * {size} * gamma"
    notebook(root.format("1 / torch.sqrt(x)"), rms, check="rms_norm")
    assert own_names() == ["layer_norm", "rms_norm"]
    assert "def _own_rms_norm():" in kept(workspace)
    for name, function in own_functions()[0].items():
        assert checking.check(function, name=name).passed


def test_a_helper_called_like_an_exercise_does_not_replace_it(notebook: Notebook, workspace: Path):
    notebook("import torch", NORM.format(root="torch.sqrt"), check="layer_norm")
    helper = "import torch\ndef layer_norm(x):\n    return torch.layer_norm(x, x.shape[-1:])"
    block = "def post_norm_block(x, W, drop):\n    return layer_norm(x + drop * torch.tanh(x @ W))"
    notebook(helper, block, check="post_norm_block")
    assert checking.check(own_functions()[0]["layer_norm"], name="layer_norm").passed


def test_the_last_right_version_stays(notebook: Notebook, workspace: Path):
    notebook(TIED)
    before = kept(workspace)
    assert said(notebook(WRONG)) == ()
    assert kept(workspace) == before
    better = TIED.replace("table.T", "table.mT")
    assert said(notebook(better)) == ()
    assert better in kept(workspace)


def test_what_is_edited_stays_and_can_be_exchanged(notebook: Notebook, workspace: Path):
    notebook(TIED)
    edited = kept(workspace).replace("table.T", "table.T * 1.0")
    (workspace / FILE).write_text(edited, encoding="utf-8")
    (note,) = said(notebook(TIED.replace("table.T", "table.mT")))
    assert "which you have edited: it stays" in note
    assert kept(workspace) == edited
    assert "your last right tied_logits again" in restore(workspace, "tied_logits")
    assert "table.mT" in kept(workspace)
    assert "No right answer of layer_norm" in restore(workspace, "layer_norm")


def test_an_edited_helper_changes_its_own_section_alone(notebook: Notebook, workspace: Path):
    helper = "import torch\ndef size(x):\n    return torch.sqrt(x)"
    notebook(helper, NORM.format(root="size"), check="layer_norm")
    rms = """def rms_norm(x, gamma, eps):
    return x / size((x * x).mean(-1, keepdim=True) + eps) * gamma"""
    notebook(helper, rms, check="rms_norm")
    before, after = kept(workspace).rsplit("torch.sqrt(x)", 1)
    (workspace / FILE).write_text(f"{before}x{after}", encoding="utf-8")
    functions = own_functions()[0]
    assert checking.check(functions["layer_norm"], name="layer_norm").passed
    assert not checking.check(functions["rms_norm"], name="rms_norm").passed
    assert "--restore rms_norm" in my_parts("speaker").advice("rms_norm")
    assert "Run check(swiglu), number" in my_parts("speaker").advice("swiglu")


def test_a_function_may_use_what_stands_further_down(notebook: Notebook, workspace: Path):
    notebook(
        "import torch",
        NORM.format(root="root"),
        "def root(x):\n    return torch.sqrt(x)",
        check="layer_norm",
    )
    text = kept(workspace)
    helper = "def root(x):\n    return torch.sqrt(x)"
    (workspace / FILE).write_text(f"{text.replace(helper, '')}\n\n{helper}\n", encoding="utf-8")
    assert checking.check(own_functions()[0]["layer_norm"], name="layer_norm").passed


def test_a_broken_section_is_lent_and_the_rest_runs(notebook: Notebook, workspace: Path):
    notebook(TIED)
    notebook("import torch", NORM.format(root="torch.sqrt"), check="layer_norm")
    broken = kept(workspace).replace("return h @ table.T", "return (h @ table.T")
    (workspace / FILE).write_text(broken, encoding="utf-8")
    functions, faults = own_functions()
    assert [*functions] == ["layer_norm"]
    line = broken.splitlines().index("    return (h @ table.T") + 1
    assert faults == {"tied_logits": f"SyntaxError: '(' was never closed (line {line})"}
    assert own_names() == ["layer_norm"]
    listed = str(my_parts("translator"))
    assert listed.startswith("1 of 14 parts are yours.")
    assert "The course lends tied_logits; yours does not run: SyntaxError" in listed
    assert "To bring your last right one back: tutor mine --restore tied_logits" in listed


def test_nothing_of_it_runs_where_names_are_read(workspace: Path, notebook: Notebook):
    notebook(TIED)
    with (workspace / FILE).open("a") as file:
        file.write("\nraise SystemExit\nwhile True: pass\n")
    assert own_names() == ["tied_logits"]
    functions, faults = own_functions()
    assert functions == {}
    assert faults["tied_logits"].startswith("SystemExit")


def test_progress_of_a_full_file_runs_none_of_it_and_is_quick(workspace: Path):
    full = OwnFile()
    for name in course_order():
        function = f"def {name}(x):\n    return helper(x) + helper(x)"
        helper = "def helper(x):\n    return x" + " + 1" * 60
        answer = Taken(name, function, {"torch": "import torch"}, {"helper": helper})
        full = full.with_answer(answer, lesson_of(name), course_order())
    (workspace / FILE).write_text(f"{full}\nraise SystemExit('it ran')\n", encoding="utf-8")
    progress()._repr_html_()  # loads what pictures need
    start = time.process_time()
    shown = progress()
    assert time.process_time() - start < 0.5
    assert "all 14 parts are yours" in str(shown)
    assert len(shown.own) == len(course_order())
    assert sys.modules.get("my_transformer") is None


def test_lines_may_end_as_on_windows(notebook: Notebook, workspace: Path):
    notebook(TIED)
    path = workspace / FILE
    path.write_bytes(b"\xef\xbb\xbf" + path.read_bytes().replace(b"\n", b"\r\n"))
    assert not read_file(path).sections["tied_logits"].is_edited
    notebook("import torch", NORM.format(root="torch.sqrt"), check="layer_norm")
    assert own_names() == ["layer_norm", "tied_logits"]
    raw = path.read_bytes()
    assert raw.count(b"\r\n") == raw.count(b"\n")


def test_a_file_that_is_not_utf8_keeps_its_bytes(notebook: Notebook, workspace: Path):
    notebook(TIED)
    path = workspace / FILE
    path.write_bytes(path.read_bytes() + b"# caf\xe9\n")
    notebook("import torch", NORM.format(root="torch.sqrt"), check="layer_norm")
    assert b"# caf\xe9" in path.read_bytes()


def test_what_is_no_text_or_no_file_is_told_in_one_true_sentence(workspace: Path):
    path = workspace / FILE
    path.write_bytes(b"\xff\xfe\x00\x9d")
    assert "does not run: " in str(my_parts("plain"))
    assert "line None" not in str(my_parts("plain"))
    path.unlink()
    path.mkdir()
    listed = str(my_parts("plain"))
    assert listed.startswith("0 of 7 parts are yours.")
    assert f"{FILE} cannot be read: " in listed


def test_what_stands_on_top_may_be_broken(notebook: Notebook, workspace: Path):
    (workspace / FILE).write_text("import nothing_of_the_kind\n")
    (note,) = said(notebook(TIED))
    assert note.startswith(f"Not kept in {FILE}: outside this notebook it does not run: Module")
    assert kept(workspace) == "import nothing_of_the_kind\n"


@pytest.mark.skipif(os.name == "nt" or os.geteuid() == 0, reason="root may write everything")
def test_a_folder_that_may_only_be_read(notebook: Notebook, workspace: Path):
    workspace.chmod(0o500)
    try:
        report = notebook(TIED)
    finally:
        workspace.chmod(0o700)
    assert report.passed
    assert any(note.startswith(f"Not kept in {FILE}: This may not be") for note in said(report))


def test_a_full_disk_leaves_the_old_file(notebook: Notebook, workspace: Path, monkeypatch):
    notebook(TIED)
    before = kept(workspace)

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(own_answers, "write_whole", full)
    report = notebook("import torch", NORM.format(root="torch.sqrt"), check="layer_norm")
    assert f"Not kept in {FILE}: The disk is full." in said(report)
    assert kept(workspace) == before


def test_another_notebook_that_writes_all_the_while(
    notebook: Notebook, workspace: Path, monkeypatch
):
    monkeypatch.setattr(one_at_a_time, "PATIENCE", 0.1)
    with one_at_a_time.one_at_a_time(workspace):
        report = notebook(TIED)
    assert report.passed
    assert f"Not kept in {FILE}: Another notebook is writing there; try again." in said(report)
    assert kept(workspace) == ""


def test_keeping_can_be_switched_off(notebook: Notebook, workspace: Path):
    KeptAnswers(keeps=False).write(workspace)
    assert said(notebook(TIED)) == ()
    assert kept(workspace) == ""
    assert not load_record(workspace).keeps


def test_nothing_is_written_in_an_authors_clone(notebook: Notebook, workspace: Path):
    (workspace / ".tutor-workspace").unlink()
    assert said(notebook(TIED)) == ()
    assert sorted(path.name for path in workspace.iterdir()) == ["exercises"]


def test_an_answer_taken_from_the_file_is_warned_of(
    notebook: Notebook, workspace: Path, monkeypatch
):
    notebook(TIED)
    before = kept(workspace)
    monkeypatch.syspath_prepend(str(workspace))
    monkeypatch.delitem(sys.modules, "my_transformer", raising=False)
    for cell in ("from my_transformer import tied_logits", "from my_transformer import *"):
        report = notebook(cell)
        assert report.passed
        (note,) = said(report)
        assert note.startswith("This answer needs my_transformer.py, which is not handed in")
    helper = [
        "import my_transformer",
        "def tied_logits(h, table):\n    return my_transformer.tied_logits(h, table)",
    ]
    assert said(notebook(*helper))[0].startswith("This answer needs my_transformer.py")
    assert kept(workspace) == before


def test_the_file_is_readable_and_can_be_imported(notebook: Notebook, workspace: Path):
    notebook("import torch", NORM.format(root="torch.sqrt"), check="layer_norm")
    notebook(f"{TIED}  # each word's row")
    text = kept(workspace)
    assert text.index("layer_norm (lesson 6)") < text.index("tied_logits (lesson 9)")
    assert "# each word's row" in text
    space: dict[str, object] = {}
    exec(compile(text, FILE, "exec"), space)
    assert {"layer_norm", "tied_logits"} <= set(space)
    assert run(read_file(workspace / FILE))[1] == {}
