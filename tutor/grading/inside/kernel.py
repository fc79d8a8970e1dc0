"""Runs a notebook's cells in order, as a kernel does, and notices what they answer."""

import __future__

import ast
import builtins
import contextlib
import inspect
import io
import linecache
import sys
import types
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import tutor
from tutor.checking.definitions import UNREADABLE
from tutor.checking.stubs import is_stub
from tutor.grading.inside.cells import Cell
from tutor.grading.inside.fingerprint import fingerprint
from tutor.grading.inside.magics import Shell, statements, syntax_error
from tutor.grading.inside.newer import needed_python

_ERROR_LENGTH = 300
MOST_VERSIONS = 500
# What every exercise notebook's first cell imports: it is here even where that cell is no more.
PREAMBLE = """
import math
import torch
import torch.nn.functional as F
from tutor import check, hint, progress, question, set_learner
"""


@dataclass
class Version:
    """One version of an answer to an exercise.

    Attributes:
        exercise: its name.
        answer: a function, or a value for predictions.
        cell: the index of the cell that gave it.
        sure: the cell's metadata or a check named the exercise; else only the name fits.
    """

    exercise: str
    answer: Any
    cell: int
    sure: bool

    @property
    def is_open(self) -> bool:
        """Whether nothing has been written yet."""
        if self.answer is None or self.answer is ...:
            return True
        try:
            code = getattr(self.answer, "__code__", None)
            raises = code is not None and code.co_names == ("NotImplementedError",)
            return raises or (callable(self.answer) and is_stub(self.answer))
        except Exception:  # an object that breaks whoever looks at it is at least not empty
            return False


@dataclass
class Stop:
    """What came of running a cell up to the next answer.

    Attributes:
        error: the first error, in words, or None.
        news: numbers of versions that are new, or were checked.
        next: the statement to go on with; None at the end of the cell.
        needs: the version of Python that the cell's syntax needs, if it is newer than this, or "".
    """

    error: str | None = None
    news: list[int] = field(default_factory=list)
    next: int | None = None
    needs: str = ""


class Kernel:
    """One notebook's variables, and the versions of answers that were found so far.

    Args:
        exercises: the name and kind of each exercise that is looked for.
        stands_in: gives what the right function of an exercise gives.
    """

    def __init__(self, exercises: Sequence[tuple[str, str]], stands_in: Callable[..., Any]) -> None:
        self.kinds = dict(exercises)
        self.learners: dict[str, str] = {}  # declared name -> the class's seed with it
        self.versions: list[Version] = []
        self.left_out: dict[str, None] = {}
        self._news: dict[int, None] = {}
        self._cell = 0
        self._steps: list[ast.stmt | str] = []
        self._flags = ast.PyCF_ALLOW_TOP_LEVEL_AWAIT
        self._make_main()
        tutor.listen(self._checked, self._named, stands_in)
        exec(PREAMBLE, self.names)

    def _make_main(self) -> None:
        main = types.ModuleType("__main__")
        self.names = main.__dict__
        sys.modules["__main__"] = main
        shell = Shell(self._run_text, lambda what: self.left_out.setdefault(what))
        vars(builtins)["get_ipython"] = lambda: shell
        vars(builtins)["display"] = _nothing

    def run(
        self, cell: Cell, index: int, start: int, skipped: Sequence[int], at: Callable[[int], None]
    ) -> Stop:
        """Run a cell's statements, even if one fails, up to the next that gives an answer.

        Args:
            cell: the cell.
            index: its place in the notebook.
            start: the statement to begin with; 0 begins the cell.
            skipped: statements that are left out.
            at: is told each statement before it is run.
        """
        ran = Stop()
        if start == 0 and (broken := self._begin(cell, index)):
            ran.error, ran.needs = _words(broken), needed_python(cell.source)
        for number in range(start, len(self._steps)):
            step = self._steps[number]
            if number in skipped or isinstance(step, str):
                continue
            at(number)
            before = {name: self.names.get(name) for name in [*self.kinds, "answer"]}
            with _quiet():
                error = self._run_step(step)
            ran.error = ran.error or error
            self._keep_answers(cell, before)
            if self._news:
                ran.next = number + 1
                break
        ran.news, self._news = list(self._news), {}
        return ran

    def fingerprint(self, version: int) -> str:
        """Say in short what a version is now: its code, and what that makes use of."""
        try:
            return fingerprint(self.versions[version].answer, self.names)
        except Exception:  # an object that breaks whoever looks at it
            return ""

    def _begin(self, cell: Cell, index: int) -> BaseException | None:
        self._cell = index
        self._filename = f"<cell {index + 1}>"
        lines = cell.source.splitlines(keepends=True)
        linecache.cache[self._filename] = (len(cell.source), None, lines, self._filename)
        self._steps = list(statements(cell.source))
        if self.kinds.get(cell.grade_id) == "predict":
            self.names.pop("answer", None)
        return syntax_error(cell.source)

    def _run_step(self, step: ast.stmt) -> str | None:
        try:
            self._run_statement(step)
        except UNREADABLE as error:
            return _words(error)
        except BaseException as error:  # SystemExit and KeyboardInterrupt included
            return _words(error)
        return None

    def _run_statement(self, step: ast.stmt) -> Any:
        if isinstance(step, ast.ImportFrom) and step.module == "__future__":
            for alias in step.names:
                self._flags |= getattr(__future__, alias.name).compiler_flag
        if isinstance(step, ast.Expr):
            code = self._compiled(ast.Expression(step.value), "eval")
            self.names["_"] = value = self._evaluated(code)
            return value
        return self._evaluated(self._compiled(ast.Module([step], type_ignores=[]), "exec"))

    def _compiled(self, tree: Any, mode: str) -> types.CodeType:
        code: types.CodeType = compile(
            tree, self._filename, mode, flags=self._flags, dont_inherit=True
        )
        return code

    def _evaluated(self, code: types.CodeType) -> Any:
        if not code.co_flags & inspect.CO_COROUTINE:
            return eval(code, self.names)
        try:  # an `await` outside functions, which IPython allows
            eval(code, self.names).send(None)
        except StopIteration as done:
            return done.value
        return None

    def _run_text(self, text: str) -> Any:
        """Run code that is handed to IPython as a text; give its last expression's value."""
        value = None
        for step in statements(text):
            if isinstance(step, ast.stmt):
                value = self._run_statement(step)
        return value

    def _keep_answers(self, cell: Cell, before: dict[str, Any]) -> None:
        for name, kind in self.kinds.items():
            meant = cell.grade_id == name
            given = self.names.get("answer") if meant and kind == "predict" else None
            if given is not None and given is not before["answer"]:
                self._keep(name, given, sure=True)
            now = self.names.get(name)
            if isinstance(now, tutor.Follow):
                continue  # `name = report.function` is no new version
            if now is not None and now is not before[name]:
                self._keep(name, now, sure=meant)

    def _keep(self, name: str, answer: Any, sure: bool) -> None:
        numbers = [number for number, one in enumerate(self.versions) if one.exercise == name]
        if numbers and self.versions[numbers[-1]].answer is answer:
            self.versions[numbers[-1]].sure |= sure
            self._news[numbers[-1]] = None
        elif len(self.versions) < MOST_VERSIONS:
            earlier = [one.cell for one in self.versions if one.answer is answer]
            self._news[len(self.versions)] = None
            self.versions.append(Version(name, answer, (earlier or [self._cell])[0], sure))

    def _checked(self, answer: Any, exercise: str) -> None:
        """Hear that the notebook checks an answer: it says itself to which exercise."""
        if exercise in self.kinds:
            self._keep(exercise, answer, sure=True)

    def _named(self, learner: str, class_seed: str) -> None:
        name = str(learner).strip()[:200]
        self.learners.pop(name, None)  # the latest stands last
        self.learners[name] = str(class_seed)[:200]


def _nothing(*_: Any, **__: Any) -> None:
    return None


def _words(error: BaseException) -> str:
    try:
        message = str(error)
    except Exception:  # a learner's exception class can have a broken __str__
        message = ""
    return f"{type(error).__name__}: {message}"[:_ERROR_LENGTH]


@contextlib.contextmanager
def _quiet() -> Iterator[None]:
    with contextlib.redirect_stdout(_Sink()), contextlib.redirect_stderr(_Sink()):
        yield


class _Sink(io.TextIOBase):
    """Swallows what is printed."""

    def write(self, text: str) -> int:
        return len(text)
