"""Running an answer: nothing it does may disturb its caller, and everything is reported."""

import inspect
import linecache
import math
import warnings

import pytest
import torch

from tutor.checking.calls import FunctionAnswer, ValueAnswer
from tutor.checking.failure_sentences import told
from tutor.checking.stubs import is_stub


def run(function, **arguments):
    return FunctionAnswer(function).run(arguments)


def test_value_comes_back_canonical():
    assert run(lambda x, y: [x + y, x - y], x=3, y=1).value.tolist() == [4, 2]


def test_arguments_are_copies_and_changes_are_named():
    def spoils(x, y):
        x.zero_()
        return y

    x = torch.ones(2)
    outcome = run(spoils, x=x, y=torch.ones(1))
    assert outcome.changed == ("x",)
    assert x.tolist() == [1, 1]


def test_change_inside_a_list_is_named():
    outcome = run(lambda items: items[0].mul_(2), items=[torch.ones(2), torch.ones(3)])
    assert outcome.changed == ("items",)


def test_error_comes_with_its_line_and_the_shapes_at_hand():
    def misfit(q, k):
        return q @ k

    failure = run(misfit, q=torch.ones(2, 3), k=torch.ones(2, 3)).failure
    assert failure.kind == "raised"
    assert failure.line == "return q @ k"
    assert failure.shapes == {"q": "(2, 3)", "k": "(2, 3)"}
    assert failure.error == "RuntimeError"


def test_line_of_a_helper_in_the_same_cell_is_found():
    def helper(x):
        return x.no_such_thing

    assert run(lambda x: helper(x), x=torch.ones(1)).failure.line == "return x.no_such_thing"


def test_endless_recursion():
    def forever(x):
        return forever(x)

    assert "calls itself without end" in told(run(forever, x=1).failure)


def test_exit_is_caught():
    assert "end the whole program" in told(run(lambda x: exit(), x=1).failure)


def test_interrupt_is_told_from_an_error():
    def stopped(x):
        raise KeyboardInterrupt

    assert run(stopped, x=1).failure.kind == "interrupted"


def test_exception_that_cannot_be_printed():
    class SilentError(Exception):
        def __str__(self):
            raise ValueError

    def fails(x):
        raise SilentError

    assert "cannot be read" in told(run(fails, x=1).failure)


def test_printing_is_kept_short_and_does_not_reach_the_screen(capsys):
    def chatters(x):
        for _ in range(10_000):
            print("x" * 100)
        return x

    outcome = run(chatters, x=1)
    assert len(outcome.printed) == 2000
    assert capsys.readouterr().out == ""


def test_warnings_are_kept():
    def warns(x):
        warnings.warn("careful", stacklevel=1)
        return x

    assert run(warns, x=1).warned == ("careful",)


@pytest.mark.parametrize("function", [lambda q: q, lambda q, k, v, keep: q])
def test_wrong_number_of_arguments_is_said_in_names(function):
    failure = run(function, q=1, k=2, v=3).failure
    assert failure.kind == "arguments"
    assert "3 arguments: q, k, v" in told(failure)


def test_free_names_defaults_and_stars_are_accepted():
    assert run(lambda a, b, c=0: a + b, x=1, y=2).value == 3
    assert run(lambda *given: sum(given), x=1, y=2).value == 3


def test_gradients_of_the_results_weighted_sum():
    outcome = FunctionAnswer(lambda x, n: x**2 * n).run(
        {"x": torch.tensor([1.0, 3.0]), "n": 2}, gradients=True
    )
    assert outcome.value[0].tolist() == pytest.approx([4.0, 12.0 * math.cos(1)])


def _raises(x):
    raise NotImplementedError("later")


def _dots(x):
    """Say what it will do one day."""


def _passes(x):
    pass


def _returns_dots(x):
    return ...


@pytest.mark.parametrize("function", [_raises, _dots, _passes, _returns_dots])
def test_unwritten_function_is_open(function):
    assert run(function, x=1).failure.kind == "open"


def test_a_function_that_does_something_is_no_stub():
    assert not is_stub(lambda x: 0)
    assert not is_stub(print)
    assert run(lambda x: torch.zeros(1).sum().backward(), x=1).failure.kind != "open"


@pytest.mark.parametrize("value", [..., None])
def test_unanswered_prediction_is_open(value):
    assert ValueAnswer(value).run({}).failure.kind == "open"


def test_answer_that_is_no_value():
    assert ValueAnswer("two").run({}).failure.kind == "not a value"


def _first_placeholder(x):
    rows = x[..., 0]
    scores = ...
    return rows @ scores


def _last_placeholder(x):
    return x, ...


@pytest.mark.parametrize(
    ("function", "line"),
    [(_first_placeholder, "scores = ..."), (_last_placeholder, "return x, ...")],
)
def test_a_placeholder_that_was_left_is_shown_with_its_line(function, line):
    failure = run(function, x=torch.ones(2, 2)).failure
    first = function.__code__.co_firstlineno
    number = first + inspect.getsource(function).splitlines().index(f"    {line}")
    assert failure.kind == "open"
    assert told(failure).endswith(f"in your line {number}: {line}")


def test_an_error_about_einsums_ellipsis_is_no_placeholder():
    assert run(lambda x: torch.einsum("...i->", x[...].ellipsis), x=torch.ones(1)).failure.kind == (
        "raised"
    )


def _prints(x):
    print(x)


def _misses_its_return(x):  # noqa: RET503
    if x > 5:
        return x


def test_returning_nothing_is_said_with_the_reason():
    assert "prints its result" in told(run(_prints, x=1).failure)
    assert "no return is reached" in told(run(_misses_its_return, x=1).failure)


def test_what_is_no_function_is_said():
    assert told(run(3, x=1).failure).startswith("This is of type int, not a function.")
    assert run(..., x=1).failure.kind == "open"


def test_line_of_a_helper_in_another_cell_is_found():
    names = {}
    for number, cell in enumerate(
        ("def helper(x):\n    return x.no", "def f(x):\n    return helper(x)")
    ):
        linecache.cache[f"<cell {number}>"] = (1, None, cell.splitlines(True), f"<cell {number}>")
        exec(compile(cell, f"<cell {number}>", "exec"), names)
    assert run(names["f"], x=torch.ones(1)).failure.line == "return x.no"


def test_a_warning_comes_each_time_and_ends_with_a_whole_word():
    x = torch.ones(2, 3, 4)
    first, second = (run(lambda x: x.T, x=x).warned for _ in range(2))
    assert first == second
    assert first[0].startswith("The use of `x.T`")
    assert first[0].endswith(" …")
    assert len(first[0]) <= 200
    assert not torch.is_warn_always_enabled()
