"""Execute notebooks as other computers would, and compare with what they store."""

import difflib
from collections.abc import Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed
from pathlib import Path

from nbformat import NotebookNode

from .execute import NotebookError, execute
from .files import read_notebook, shown
from .machines import Machine
from .normalise import normalise
from .pictures import hardly_differ

_TEXTS = ("text/plain", "text/html", "text/markdown", "text/latex")


def portable(paths: Iterable[Path], machines: Iterable[Machine], jobs: int) -> list[str]:
    """Execute every notebook on every machine and print what comes out otherwise.

    Returns:
        The notebooks that depend on the machine.
    """
    paths, machines, unstable = list(paths), list(machines), set()
    with ProcessPoolExecutor(jobs) as pool:
        waiting = {
            pool.submit(differences, path, machine): (path, machine)
            for machine in machines
            for path in paths
        }
        for number, done in enumerate(as_completed(waiting), start=1):
            path, machine = waiting[done]
            found = done.result()
            print(f"[{number}/{len(waiting)}] {machine}: {shown(path)}", end=" ")
            print("DIFFERS\n  " + "\n  ".join(found) if found else "is the same", flush=True)
            unstable |= {shown(path)} if found else set()
    return sorted(unstable)


def differences(path: Path, machine: Machine) -> list[str]:
    """Say for each cell in what its outputs on a machine are not the stored ones."""
    stored = read_notebook(path)
    try:
        run = execute(stored, path.parent, machine=machine)
    except NotebookError as problem:
        return [str(problem)]
    pairs = zip(stored.cells, normalise(run.notebook).cells, strict=True)
    return [
        f"cell {old.id}: {difference}"
        for old, new in pairs
        if old.cell_type == "code"
        for difference in _differences(old.outputs, new.outputs)
    ]


def _differences(stored: list[NotebookNode], found: list[NotebookNode]) -> Iterator[str]:
    changed = list(difflib.unified_diff(_lines(stored), _lines(found), lineterm="", n=0))
    if changed:
        yield "\n    ".join(["text", *(line for line in changed[2:] if line[0] != "@")])
    old_pictures, new_pictures = _pictures(stored), _pictures(found)
    if len(old_pictures) != len(new_pictures):
        yield f"pictures: {len(old_pictures)} stored, {len(new_pictures)} drawn"
    elif not all(map(hardly_differ, old_pictures, new_pictures)):
        yield "another picture"


def _lines(outputs: list[NotebookNode]) -> list[str]:
    """Give all that can be read, line by line."""
    texts = []
    for output in outputs:
        data = output.get("data", {})
        texts += [output.get("text", ""), *(data[kind] for kind in _TEXTS if kind in data)]
    return [line for text in texts for line in text.splitlines()]


def _pictures(outputs: list[NotebookNode]) -> list[str]:
    data = [output.get("data", {}) for output in outputs]
    return [entry["image/png"] for entry in data if "image/png" in entry]
