"""Answers in the kernel that are no longer those in the notebook, in a real IPython shell."""

import pytest
from IPython.core.interactiveshell import InteractiveShell

from tutor.learner import notebook
from tutor.learner.history import History, follow

RIGHT = """
def project_by_hand(x, W):
    if x.shape[-1] != W.shape[0]:
        raise ValueError(f"{tuple(x.shape)} {tuple(W.shape)}")
    return x @ W
"""
WRONG = "def project_by_hand(x, W):\n    return x @ W.T\n"
CHECK = "report = check(project_by_hand)"


@pytest.fixture
def run(monkeypatch):
    """Run a cell in a shell of its own, and give the variable `report` afterwards."""
    history = History()
    monkeypatch.setattr(notebook, "_history", history)
    shell = InteractiveShell()
    follow(history, shell)
    shell.user_ns["check"] = notebook.check
    shell.showtraceback = shell.showsyntaxerror = lambda *_, **__: None

    def run_cell(source, cell=None):
        shell.run_cell(source, store_history=True, cell_id=cell)
        return shell.user_ns.get("report")

    return run_cell


def test_a_syntax_error_does_not_leave_the_old_function_to_be_checked(run):
    run(RIGHT)
    assert run(CHECK).passed
    run(WRONG.replace("):", ")"))
    report = run(CHECK)
    assert report.verdict.status == "open"
    assert "stopped with an error (SyntaxError)" in str(report)
    run(WRONG)
    assert run(CHECK).mistake == "project-matrix-transposed"


def test_an_error_before_the_function_counts_and_one_after_it_does_not(run):
    run(RIGHT)
    run("undefined_name\n" + WRONG)
    assert "stopped with an error (NameError)" in str(run(CHECK))
    run(WRONG + "\nproject_by_hand(1, 2)")
    assert run(CHECK).mistake == "project-matrix-transposed"


def test_an_answer_given_to_one_prediction_is_not_judged_for_another(run):
    run("answer = 1")
    assert run('report = check(answer, name="predict_score")').verdict.status == "wrong"
    report = run('report = check(answer, name="predict_weighted_average")')
    assert report.verdict.status == "open"
    assert "you gave to predict_score" in str(report)
    assert run('report = check(answer, name="predict_score")').verdict.status == "wrong"
    run("answer = 1")
    report = run('report = check(answer, name="predict_weighted_average")')
    assert report.verdict.status == "wrong"


def test_a_failing_cell_leaves_no_old_prediction_to_be_judged(run):
    run("answer = 1")
    run("answer = [1, 2")
    assert "stopped with an error" in str(run('report = check(answer, name="predict_score")'))
    assert run('report = check(1, name="predict_score")').verdict.status == "wrong"


def test_a_renamed_function_is_noticed_where_the_cell_is_known(run):
    run(RIGHT, "a")
    run(RIGHT.replace("hand", "hands"), "a")
    assert "Was it renamed?" in str(run(CHECK, "b"))
    run(RIGHT, "a")
    assert "Was it renamed?" not in str(run(CHECK, "b"))


def test_a_check_in_the_cell_of_its_answer_is_no_old_one(run):
    run("answer = 3")
    run('report = check(answer, name="predict_score")')
    report = run('answer = 4\nreport = check(answer, name="predict_weighted_average")')
    assert report.verdict.status == "wrong"
    assert run(RIGHT + CHECK).passed


@pytest.mark.parametrize("leftover", ["project_by_hand = 3", "project_by_hand = [1, 2]"])
def test_what_is_no_function_is_a_report(run, leftover):
    run(leftover)
    report = run(CHECK)
    assert report.verdict.status == "wrong"
    assert "not a function" in str(report)


def test_a_function_without_a_name_is_found_by_the_name_that_is_typed(run):
    run("project_by_hand = lambda x, W: x @ W.T")
    assert run(CHECK).mistake == "project-matrix-transposed"
