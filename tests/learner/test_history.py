"""Answers in the kernel that are no longer those in the notebook, in a real IPython shell."""

import pytest
from IPython.core.interactiveshell import InteractiveShell

from tutor.learner import history
from tutor.learner.check import check

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
    shell = InteractiveShell()
    monkeypatch.setattr(history, "current", history.history_of(shell))
    shell.user_ns["check"] = check
    shell.showtraceback = shell.showsyntaxerror = lambda *_, **__: None

    def run_cell(source, cell=None):
        shell.run_cell(source, store_history=True, cell_id=cell)
        return shell.user_ns.get("report")

    run_cell.names = shell.user_ns
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


ASK = 'report = check(answer, name="predict_weighted_average")'
GIVEN_AGAIN = [  # all with the value that was judged as another prediction's answer
    "answer = 3",
    "if True:\n    answer = 3",
    "for answer in [3]: pass",
    "try:\n    answer = 3\nfinally:\n    pass",
    "with open('/dev/null'):\n    answer = 3",
    "while True:\n    answer = 3\n    break",
    "answer, other = 3, 4",
    "other = answer = 3",
    "x = 1; answer = 3",
    "print(answer := 3)",
    "answer: int = 3",
    "answer += 0",
    "[answer := 3 for _ in range(2)]",
    "def solve():\n    global answer\n    answer = 3\nsolve()",
    "%time answer = 3",
    "%%time\nanswer = 3",
    "%%capture\nanswer = 3",
    "!true\nanswer = 3",
    "answer = 3\nundefined_name",
    "match 3:\n    case answer: pass",
]
GIVEN_ANEW = [  # by code that cannot tell; with another value
    "exec('answer = 4')",
    "globals()['answer'] = 4",
    "globals().update(answer=4)",
    "for n in range(3):\n    answer = n\n    if n: undefined_name",
]


@pytest.mark.parametrize("cell", GIVEN_AGAIN + GIVEN_ANEW)
def test_what_has_run_is_never_said_not_to_have_run(run, cell):
    run("answer = 3")
    run('report = check(answer, name="predict_score")')
    run(cell)
    assert "has not run" not in str(run(ASK))
    assert run(ASK).verdict.status == "wrong"


@pytest.mark.parametrize(
    "cell",
    [
        "print(answer)",
        "answer == 3",
        "class Mine:\n    answer = 3",
        "f = lambda: (answer := 3)",
        "dict(\nanswer=3)",
        "'''\nanswer = 3\n'''",
        "def mine():\n    answer = 3",
    ],
)
def test_what_gives_no_answer_leaves_the_one_that_was_judged(run, cell):
    run("answer = 3")
    run('report = check(answer, name="predict_score")')
    run(cell)
    assert "the one to this has not run yet" in str(run(ASK))


def test_a_list_that_is_filled_later_is_a_new_answer(run):
    run("answer = [[1, 2]]")
    run('report = check(answer, name="predict_score")')
    run("answer[0][1] = 3")
    assert run(ASK).verdict.status == "wrong"
    run('report = check(answer, name="predict_score")')
    run("answer.append(3)")
    assert run(ASK).verdict.status == "wrong"


def test_a_slider_can_give_an_answer_between_cells(run):
    run("answer = 3")
    run('report = check(answer, name="predict_score")')
    run.names["answer"] = 4
    assert run(ASK).verdict.status == "wrong"


@pytest.mark.parametrize(
    "scratch",
    [
        "project_by_hand(torch.ones(2, 3), torch.ones(2, 3))",
        "project_by_hand(1, 2)\n  == 3",
        "project_by_hand == undefined_name",
        "try:\n    project_by_hand(1, 2)\nfinally:\n    undefined_name",
    ],
)
def test_a_scratch_cell_that_raises_defines_nothing(run, scratch):
    run(RIGHT)
    run(scratch)
    assert run(CHECK).passed


@pytest.mark.parametrize(
    "wrap",
    [
        "if undefined_name:\n    {}",
        "with undefined_name:\n    {}",
        "for x in undefined_name:\n    {}",
        "import undefined_name\nif True:\n    {}",
        "undefined_name; project_by_hand = 3",
        "@undefined_name\n{}",
        "%%time\nundefined_name\n{}",
        "async def f(: pass\n{}",
    ],
)
def test_a_stale_function_is_noticed_in_whatever_it_stands(run, wrap):
    run(RIGHT)
    indent = "    " if "    {}" in wrap else ""
    run(wrap.replace("{}", WRONG.replace("\n    ", f"\n    {indent}")))
    report = run(CHECK)
    assert report.verdict.status == "open"
    assert "stopped with an error" in str(report)


def test_a_function_that_was_defined_before_the_error_is_checked(run):
    run(RIGHT)
    body = WRONG.replace("\n    ", "\n        ")
    run(f"if True:\n    {body}    undefined_name")
    assert run(CHECK).mistake == "project-matrix-transposed"


def test_an_alias_is_asked_for_by_its_own_name(run):
    run(WRONG.replace("project_by_hand", "mine"))
    asked = 'report = check(mine, name="project_by_hand")'
    assert run(asked).mistake == "project-matrix-transposed"
    run("undefined_name\ndef project_by_hand(x, W): ...")
    assert run(asked).mistake == "project-matrix-transposed"
    run("undefined_name\ndef mine(x, W): ...")
    assert "mine is still the one before" in str(run(asked))


def test_a_lambda_in_the_check_is_never_an_old_one(run):
    run("undefined_name\ndef project_by_hand(x, W): ...")
    report = run('report = check(lambda x, W: x @ W.T, name="project_by_hand")')
    assert report.mistake == "project-matrix-transposed"
