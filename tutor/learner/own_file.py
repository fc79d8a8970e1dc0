"""The text of `my_transformer.py`: a section for each exercise, below imports they share.

A section's mark holds a digest of the text that was put there, so that one can tell what its owner
has edited since.
"""

import ast
import hashlib
import re
import textwrap
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from tutor.learner.own_code import MODULE, Taken
from tutor.learner.own_statements import bound
from tutor.say import say

FILE = f"{MODULE}.py"

_MARK = re.compile(r"# ── (?P<name>\w+) \(lesson (?P<lesson>\d+)\) ─* ?(?P<digest>[0-9a-f]{8})\s*")
_WIDTH = 88


@dataclass(frozen=True)
class Section:
    """One exercise's part of the file.

    Attributes:
        name: the exercise.
        lesson: its number.
        text: its code.
        digest: of the code that was put there.
        line: at which the code begins.
    """

    name: str
    lesson: int
    text: str
    digest: str
    line: int = 1

    @classmethod
    def of(cls, name: str, lesson: int, text: str) -> "Section":
        """Make the section of an answer that was right just now."""
        return cls(name, lesson, text, _digest(text))

    @property
    def is_edited(self) -> bool:
        """Whether its owner has changed it since it was put there."""
        return _digest(self.text) != self.digest

    def written(self) -> str:
        """Give it as it stands in the file."""
        mark = f"# ── {self.name} (lesson {self.lesson}) "
        return f"{mark.ljust(_WIDTH - 9, '─')} {self.digest}\n\n{self.text}"


@dataclass(frozen=True)
class OwnFile:
    r"""The file's content: what stands on top, and the sections by their exercises.

    Example:
        >>> file = OwnFile().with_answer(Taken("f", "def f(x):\n    return x"), 4, ["f"])
        >>> read(str(file)).sections["f"].text
        'def f(x):\n    return x'
    """

    head: str = ""
    sections: Mapping[str, Section] = field(default_factory=dict)

    def __str__(self) -> str:
        parts = [self.head or _title(), *(section.written() for section in self.sections.values())]
        return "\n\n\n".join(parts) + "\n"

    def with_answer(self, answer: Taken, lesson: int, order: Sequence[str]) -> "OwnFile":
        """Put an answer in its exercise's place; what else is there stays as it is.

        Args:
            answer: with what it needs.
            lesson: the number of the exercise's lesson.
            order: names of the course's exercises; helpers that are called so do not stand alone.
        """
        others = [one.text for name, one in self.sections.items() if name != answer.exercise]
        elsewhere = _meanings([self.head, *others])
        reserved = {*order} - {answer.exercise}

        def clashes(source: str) -> bool:
            return any(
                name in reserved or elsewhere.get(name, {meaning}) != {meaning}
                for name, meaning in _bindings(source)
                if name != answer.exercise
            )

        apart = [line for line in answer.imports.values() if clashes(line)]
        sources = [*answer.helpers.values(), answer.source]
        if apart or any(map(clashes, sources)):
            text = _enclosed(answer.exercise, [*apart, *sources])
        else:
            text = "\n\n\n".join(sources)
        shared = [line for line in answer.imports.values() if line not in apart]
        section = Section.of(answer.exercise, lesson, text)
        return self._importing(shared).with_section(section, order)

    def _importing(self, lines: Sequence[str]) -> "OwnFile":
        """Add imports at the top, each once."""
        head = (self.head or _title()).splitlines()
        new = dict.fromkeys(line for several in lines for line in several.splitlines())
        missing = [line for line in new if line not in head]
        if missing and head[-1].endswith('"""'):
            missing.insert(0, "")
        head += missing
        return OwnFile("\n".join(head), self.sections)

    def with_section(self, section: Section, order: Sequence[str]) -> "OwnFile":
        """Put a section in its exercise's place."""
        rank = {name: number for number, name in enumerate(order)}
        sections = {**self.sections, section.name: section}
        names = sorted(sections, key=lambda name: rank.get(name, len(rank)))
        return OwnFile(self.head, {name: sections[name] for name in names})

    def pieces(self) -> Iterator[tuple[str, str, int]]:
        """Give what stands on top and all sections: name, code and first line."""
        yield "", self.head, 1
        for section in self.sections.values():
            yield section.name, section.text, section.line

    def names(self) -> list[str]:
        """List the exercises whose function stands here and can be read; nothing is run."""
        return [name for name, one in self.sections.items() if name in dict(_bindings(one.text))]


def read(text: str) -> OwnFile:
    """Divide the file's text at its marks."""
    head: list[str] = []
    marks: list[tuple[re.Match[str], int, list[str]]] = []
    for number, line in enumerate(text.splitlines(), start=1):
        if mark := _MARK.fullmatch(line):
            marks.append((mark, number + 1, []))
        else:
            (marks[-1][2] if marks else head).append(line)
    sections = {mark["name"]: _section(mark, line, lines) for mark, line, lines in marks}
    return OwnFile("\n".join(head).strip(), sections)


def _section(mark: re.Match[str], line: int, lines: list[str]) -> Section:
    blank = next((n for n, text in enumerate(lines) if text.strip()), 0)
    text = "\n".join(lines).strip("\n")
    return Section(mark["name"], int(mark["lesson"]), text.rstrip(), mark["digest"], line + blank)


def run(file: OwnFile, path: str = FILE) -> tuple[dict[str, Callable[..., Any]], dict[str, str]]:
    """Run the file section by section, each with the helpers of its own.

    Where two sections have a helper of one name, an edit in one does not reach the other.

    Returns:
        The functions by exercise; and for each section that failed the reason, "" for the top.

    Example:
        >>> run(OwnFile(sections={"f": Section("f", 4, "f = 1 / 0", "")}))
        ({}, {'f': 'ZeroDivisionError: division by zero (line 1)'})
    """
    shared: dict[str, Any] = {"__name__": MODULE}
    spaces: list[dict[str, Any]] = []
    functions: dict[str, Callable[..., Any]] = {}
    faults: dict[str, str] = {}
    for name, text, line in file.pieces():
        spaces.append(space := dict(shared))
        try:
            exec(compile("\n" * (line - 1) + text, path, "exec"), space)
            if name and callable(space.get(name)):
                functions[name] = space[name]
            elif name:
                faults[name] = say("{name} is not defined there.", name=name)
        except (Exception, SystemExit) as error:
            faults[name] = _fault(error, path)
        shared |= space
    for space in spaces:  # a function may use what stands further down
        for name, value in shared.items():
            space.setdefault(name, value)
    return functions, faults


def _fault(error: BaseException, path: str) -> str:
    line = error.lineno if isinstance(error, SyntaxError) else None
    trace = error.__traceback__
    while trace is not None:
        line = trace.tb_lineno if trace.tb_frame.f_code.co_filename == path else line
        trace = trace.tb_next
    what = error.msg if isinstance(error, SyntaxError) else str(error)
    kind = type(error).__name__
    if line is None:  # Python gives none for what is no text
        return say("{kind}: {what}", kind=kind, what=what)
    return say("{kind}: {what} (line {line})", kind=kind, what=what, line=line)


def _title() -> str:
    """Write what stands on top of a new file."""
    first = say("My own Transformer: functions that I wrote in the course.")
    more = say(
        "Each section is an exercise and stands alone, so a helper may occur twice. What I edit "
        "stays; `tutor mine` says what runs."
    )
    return f'"""{first}\n\n{textwrap.fill(more, _WIDTH)}\n"""'


def _digest(text: str) -> str:
    """Name a text, however its lines end."""
    lines = "\n".join(line.rstrip() for line in text.strip().splitlines())
    return hashlib.sha256(lines.encode(errors="backslashreplace")).hexdigest()[:8]


def _meanings(texts: Sequence[str]) -> dict[str, set[str]]:
    """Say what each name means in these texts: the statements that bind it."""
    found: dict[str, set[str]] = {}
    for text in texts:
        for name, statement in _bindings(text):
            found.setdefault(name, set()).add(statement)
    return found


def _bindings(text: str) -> Iterator[tuple[str, str]]:
    """Give each name that a text binds, with what it means; nothing if it cannot be read."""
    try:
        body = ast.parse(text).body
    except (SyntaxError, ValueError):
        return
    for node in body:
        for name in sorted(bound(node)):
            yield name, ast.unparse(node)


def _enclosed(name: str, parts: Sequence[str]) -> str:
    """Put an answer inside a function, where its helpers' names are its own."""
    why = say("Keep helpers apart from namesakes elsewhere in this file.")
    parts = [f'"""{why}"""', *parts, f"return {name}"]
    body = textwrap.indent("\n\n".join(parts), "    ").lstrip()
    return f"def _own_{name}():\n    {body}\n\n\n{name} = _own_{name}()"
