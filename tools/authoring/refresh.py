"""Execute and normalise the notebooks whose inputs changed, and make the exercises anew."""

import hashlib
import json
import platform
from collections.abc import Iterable
from importlib.metadata import version
from pathlib import Path

from .check import lesson_points, print_complaints
from .execute import NotebookError, Run, execute
from .exercises import make_exercise
from .files import EXERCISES, LESSONS, ROOT, SOLUTIONS, read_notebook, shown, write_notebook
from .first_cell import write_first_cell
from .normalise import normalise
from .worth import write_worth

# What was executed on this machine, from which inputs: one file a notebook, outside git.
_STAMPS = ROOT / "build" / "notebooks"
_PACKAGES = ("torch", "matplotlib", "numpy", "pillow", "ipykernel", "ipywidgets")


def refresh(paths: Iterable[Path], everything: bool = False) -> list[str]:
    """Bring notebooks up to date and print what was done.

    Args:
        paths: lessons and solutions.
        everything: execute also what has not changed.

    Returns:
        The paths of the notebooks that failed; their files are left as they were.
    """
    failed = []
    for path in paths:
        try:
            print(f"{shown(path)}: {_refresh_one(path, everything)}", flush=True)
            print_complaints([path])
        except (NotebookError, ValueError) as problem:
            print(f"{shown(path)}: FAILED, left as it was\n{problem}", flush=True)
            failed.append(shown(path))
    return failed


def _refresh_one(path: Path, everything: bool) -> str:
    write_what_is_generated(path)
    if not everything and _is_fresh(path):
        return write_exercise(path) or "nothing changed"
    if path.resolve().parent == EXERCISES:
        raise ValueError(f"it is made from its solution: refresh solutions/{path.name}")
    before = path.read_bytes()
    former = read_notebook(path)
    run = execute(normalise(former), path.parent)
    if path.read_bytes() != before:
        raise ValueError("it was edited while it was executed; refresh it again")
    changed = write_notebook(normalise(run.notebook, former), path)
    _remember(path, run)
    said = f"executed in {run.wall_seconds:.1f} s ({run.cpu_seconds:.1f} s of computing), "
    said += "written" if changed else "outputs are the same"
    return ", ".join(filter(None, [said, write_exercise(path)]))


def write_what_is_generated(path: Path) -> None:
    """Bring up to date what no author writes: the first code cell, and what exercises are worth."""
    kind = path.resolve().parent
    if kind not in (LESSONS, SOLUTIONS):
        return
    notebook = read_notebook(path)
    write_first_cell(notebook)
    if kind == SOLUTIONS:
        write_worth(notebook, lesson_points(path.stem))
    write_notebook(notebook, path)


def write_exercise(solution: Path) -> str:
    """Make the exercise of a solution; say so when its file changed."""
    if solution.parent.resolve() != SOLUTIONS:
        return ""
    exercise = EXERCISES / solution.name
    written = write_notebook(make_exercise(read_notebook(solution)), exercise)
    return f"{shown(exercise)} made anew" if written else ""


def _stamp_file(path: Path) -> Path:
    return _STAMPS / f"{path.resolve().parent.name}-{path.stem}.json"


def _is_fresh(path: Path) -> bool:
    """Say whether neither the notebook nor anything its outputs depend on has changed."""
    file = _stamp_file(path)
    if not file.exists():
        return False
    stamp = json.loads(file.read_text("utf-8"))
    return bool(stamp["digest"] == digest(path.read_bytes(), stamp["files"]))


def _remember(path: Path, run: Run) -> None:
    """Write down what the stored outputs were made from."""
    data = [file for file in (ROOT / "tutor" / "data").rglob("*") if file.is_file()]
    tools = list(Path(__file__).parent.glob("*.py"))
    files = sorted({shown(file) for file in run.files + data + tools if file.suffix != ".pyc"})
    stamp = {"files": files, "digest": digest(path.read_bytes(), files)}
    _STAMPS.mkdir(parents=True, exist_ok=True)
    _stamp_file(path).write_text(json.dumps(stamp, indent=1), "utf-8")


def digest(content: bytes, files: Iterable[str]) -> str:
    """Hash a notebook, the files it depends on and the versions of the packages that matter."""
    hashed = hashlib.sha256(content)
    for name in files:
        file = ROOT / name
        hashed.update(name.encode() + b"\0" + (file.read_bytes() if file.exists() else b"gone"))
    versions = [f"{package} {version(package)}" for package in _PACKAGES]
    hashed.update(json.dumps([platform.python_version(), *versions]).encode())
    return hashed.hexdigest()
