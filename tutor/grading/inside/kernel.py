"""Runs a notebook's cells in order, as a kernel does, and keeps what they answer."""

import ast
import builtins
import contextlib
import io
import linecache
import sys
import types
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import tutor
from tutor.checking.definitions import UNREADABLE, python_of, readable_parts
from tutor.checking.stubs import is_stub
from tutor.grading.inside.cells import Cell

_ERROR_LENGTH = 300


@dataclass
class Found:
    """An answer to an exercise.

    Attributes:
        answer: a function, or a value for predictions.
        cell: the index of the cell that gave it.
        sure: the cell's metadata or a check named the exercise; else only the name fits.
        versions: how many versions of it the notebook holds.
    """

    answer: Any
    cell: int
    sure: bool
    versions: int = 1

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


class Kernel:
    """One notebook's variables, and the answers found so far.

    Args:
        exercises: the name and kind of each exercise that is looked for.
    """

    def __init__(self, exercises: Sequence[tuple[str, str]]) -> None:
        self.kinds = dict(exercises)
        self.learner: str | None = None
        self.class_seed = ""
        self._versions: dict[str, list[Found]] = {name: [] for name in self.kinds}
        self._cell = 0
        main = types.ModuleType("__main__")
        self._names = main.__dict__
        sys.modules["__main__"] = main
        vars(builtins)["get_ipython"] = Shell
        vars(builtins)["display"] = _nothing
        tutor.listen(self._checked, self._named)

    def run(self, cell: Cell, index: int) -> str | None:
        """Run a cell, every statement even if one before it fails; give the first error."""
        self._cell = index
        if self.kinds.get(cell.grade_id) == "predict":
            self._names.pop("answer", None)
        before = {name: self._names.get(name) for name in self.kinds}
        with _quiet():
            error = self._run_statements(cell.source, f"<cell {index + 1}>")
        self._keep_answers(cell, before)
        return error

    def found(self) -> dict[str, Found]:
        """Choose each exercise's answer: the latest that is not open, of the surest kind."""
        return {name: _choose(versions) for name, versions in self._versions.items() if versions}

    def replace(self, name: str, function: Any) -> None:
        """Let `report.function` of an exercise be another function from now on."""
        for follow in tutor.Follow.made:
            if follow.exercise == name:
                follow.function = function

    def _run_statements(self, source: str, filename: str) -> str | None:
        first = None
        for code, error in _compiled(source, filename):
            try:
                if code is not None:
                    exec(code, self._names)
            except BaseException as raised:  # SystemExit and KeyboardInterrupt included
                error = _words(raised)
            first = first or error
        return first

    def _keep_answers(self, cell: Cell, before: dict[str, Any]) -> None:
        for name, kind in self.kinds.items():
            meant = cell.grade_id == name
            if kind == "predict" and meant and "answer" in self._names:
                self._keep(name, self._names["answer"], sure=True)
            now = self._names.get(name)
            if isinstance(now, tutor.Follow):
                continue  # `name = report.function` is no new version
            if now is not None and now is not before[name]:
                self._keep(name, now, sure=meant)

    def _keep(self, name: str, answer: Any, sure: bool) -> None:
        versions = self._versions[name]
        for version in versions:
            if version.answer is answer and version.cell == self._cell:
                version.sure = version.sure or sure
                return
        known = next((version.cell for version in versions if version.answer is answer), self._cell)
        versions.append(Found(answer, known, sure))

    def _checked(self, answer: Any, exercise: str) -> None:
        """Hear that the notebook checks an answer: it says itself to which exercise."""
        if exercise in self._versions:
            self._keep(exercise, answer, sure=True)

    def _named(self, learner: str, class_seed: str) -> None:
        self.learner, self.class_seed = str(learner).strip()[:200], str(class_seed)[:200]


class Shell:
    """Stands for IPython: `%matplotlib`, `!pip` and the like do nothing."""

    def run_cell_magic(self, name: str, _: str, body: str) -> None:
        """Run the body of a magic that only measures or captures; leave out all others."""
        if name in ("time", "timeit", "capture", "prun"):
            with contextlib.suppress(Exception):
                exec(compile(body, "<magic>", "exec"), vars(sys.modules["__main__"]))

    def __getattr__(self, _: str) -> Any:
        return _nothing


def _nothing(*_: Any, **__: Any) -> None:
    return None


def _choose(versions: list[Found]) -> Found:
    distinct = {id(version.answer): version for version in versions}
    count = len([version for version in distinct.values() if not version.is_open])
    ordered = sorted(versions, key=lambda version: (not version.is_open, version.sure))
    chosen = ordered[-1]
    return Found(chosen.answer, chosen.cell, chosen.sure, max(count, 1))


def _compiled(source: str, filename: str) -> Iterator[tuple[types.CodeType | None, str | None]]:
    """Compile a cell statement by statement; where it does not parse, piece by piece."""
    text = python_of(source)
    linecache.cache[filename] = (len(text), None, text.splitlines(keepends=True), filename)
    try:
        ast.parse(text, filename)
    except UNREADABLE as broken:
        yield None, _words(broken)
    for part in readable_parts(text, filename):
        if isinstance(part, str):
            continue  # its error has been told
        try:
            yield compile(ast.Module([part], type_ignores=[]), filename, "exec"), None
        except UNREADABLE as broken:
            yield None, _words(broken)


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
