"""What IPython makes of a cell: the Python in it is run, commands of other kinds are left out."""

import ast
import copy
import json
import os
import shlex
from collections.abc import Callable, Iterator
from typing import Any

from tutor.checking.definitions import (
    RUN_THEIR_CODE,
    UNREADABLE,
    parsed,
    python_of,
    readable_parts,
)

_QUIET = {  # commands whose absence nobody needs to be told of
    *("matplotlib", "timeit", "config", "load_ext", "autoreload", "reload_ext", "pip", "conda"),
    *("precision", "pylab", "who", "whos", "xmode", "pdb", "automagic", "pinfo", "pinfo2", "time"),
    *("cd", "pwd", "ls", "env", "set_env", "tensorboard", "watermark", "alias_magic", "html"),
    *("javascript", "js", "latex", "markdown", "svg", "reset", "reset_selective", "history"),
}
_INSTALLERS = ("pip", "python -m pip", "python3 -m pip", "conda", "apt", "mamba", "uv ")


def statements(cell: str) -> Iterator[ast.stmt | str]:
    r"""Read what a cell runs, statement by statement; a broken piece is given as its text.

    The bodies of `%%time` and the like are the cell's own statements, and so is what follows
    `%time` on its line.

    Example:
        >>> [ast.unparse(part) for part in statements("%%time\na = 1\n%time b = 2")]
        ['a = 1', 'b = 2']
    """
    magic, line, body = _cell_magic(cell)
    if magic in RUN_THEIR_CODE:
        yield from statements("\n" + body)
        if magic == "capture" and line and line.split()[0].isidentifier():
            yield from ast.parse(f"{line.split()[0]} = get_ipython().captured()").body
        return
    for part in readable_parts(python_of(cell)):
        yield from _unfolded(part)


def syntax_error(cell: str) -> BaseException | None:
    """Give the error that reading a cell as Python ends in; None if it can be read."""
    magic, _, body = _cell_magic(cell)
    code = python_of(body if magic in RUN_THEIR_CODE else cell)
    if parsed(code) is not None:
        return None
    try:
        ast.parse(code)
    except UNREADABLE as broken:
        return broken
    return None


def not_run(cell: str) -> tuple[str, str]:
    r"""Give the magic that keeps a cell from being run among the variables, and what it covers.

    Example:
        >>> not_run("%%skip\na = 1"), not_run("%%time\na = 1")
        (('skip', 'a = 1'), ('', ''))
    """
    magic, _, body = _cell_magic(cell)
    return (magic, body) if magic and magic not in RUN_THEIR_CODE else ("", "")


def _cell_magic(cell: str) -> tuple[str, str, str]:
    """Split a cell that begins with `%%` into the magic's name, its line and the body."""
    first, _, body = cell.lstrip().partition("\n")
    if not first.startswith("%%"):
        return "", "", cell
    name, _, line = first[2:].strip().partition(" ")
    return name, line.strip(), body


def _unfolded(part: ast.stmt | str) -> Iterator[ast.stmt | str]:
    """Replace a statement that is nothing but `%time CODE` by its code."""
    code = _timed(part.value) if isinstance(part, ast.Expr) else None
    if code is None or isinstance(part, str):
        yield part
        return
    for statement in statements(code):
        if isinstance(statement, ast.stmt):
            statement = ast.increment_lineno(copy.deepcopy(statement), part.lineno - 1)
        yield statement


def _timed(call: ast.expr) -> str | None:
    """Give the code that a call of IPython's for `%time` runs; None for any other call."""
    if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Attribute):
        return None
    words = [word.value for word in call.args if isinstance(word, ast.Constant)]
    if call.func.attr != "run_line_magic" or len(words) < 2 or words[0] not in RUN_THEIR_CODE:
        return None
    return str(words[1])


class Shell:
    """Stands for IPython where code calls it.

    Args:
        run: runs code among the notebook's variables and gives its last expression's value.
        leave_out: hears of commands that are left out.
    """

    def __init__(self, run: Callable[[str], Any], leave_out: Callable[[str], None]) -> None:
        self._run, self._leave_out = run, leave_out

    def run_cell_magic(self, name: str, line: str, body: str) -> Any:
        """Run a body of Python, write one to a file, leave out any other."""
        if name in RUN_THEIR_CODE:
            return self._run(body)
        if name in ("writefile", "file"):
            names = [word for word in shlex.split(line) if not word.startswith("-")]
            with open(names[-1], "a" if "-a" in shlex.split(line) else "w") as file:
                file.write(body)
        elif name not in _QUIET:
            self._leave_out(f"%%{name}")
        return None

    def run_line_magic(self, name: str, line: str, *_: Any, **__: Any) -> Any:
        """Run what follows `%time`, or the file that follows `%run`; leave out any other."""
        if name in RUN_THEIR_CODE:
            return self._run(line)
        if name == "run":
            return self._run_file(next(w for w in shlex.split(line) if not w.startswith("-")))
        if name not in _QUIET:
            self._leave_out(f"%{name}")
        return None

    magic = run_line_magic

    def run_cell(self, code: str, *_: Any, **__: Any) -> None:
        """Run code as a cell."""
        self._run(code)

    def system(self, command: str) -> None:
        """Leave a command of the system out."""
        if not command.strip().startswith(_INSTALLERS):
            self._leave_out(f"!{command}"[:60])

    def getoutput(self, command: str, *_: Any, **__: Any) -> list[str]:
        """Leave a command of the system out; it says nothing."""
        self.system(command)
        return []

    def captured(self) -> "Shell":
        """Stand for what `%%capture` keeps."""
        return self

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return _nothing

    def _run_file(self, name: str) -> None:
        with open(name if os.path.exists(name) else f"{name}.py", encoding="utf-8") as file:
            text = file.read()
        if not name.endswith(".ipynb"):
            self._run(text)
            return
        for cell in json.loads(text)["cells"]:
            if cell["cell_type"] == "code":
                self._run("".join(cell["source"]))


def _nothing(*_: Any, **__: Any) -> None:
    return None
