"""Nothing leads to a repository before pyproject.toml names one; then everything does."""

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import nbformat
import pytest

from tools.authoring import published

ROOT = Path(__file__).parents[1]
ADDRESS = "https://github.com/ada/transformer-tutor"
WHAT_ONLY_A_REPOSITORY_GIVES = re.compile(r"git\+|colab\.research|mybinder|your_account")

# Writes what `make notebooks` writes of itself, without executing notebooks for it.
GENERATE = """
import sys
sys.path.insert(0, "tools")
from authoring import documents, exercises, files, refresh
for path in files.notebooks_in(files.LESSONS, files.SOLUTIONS):
    refresh.write_what_is_generated(path)
    refresh.write_exercise(path)
documents.write_documents()
"""


def copied(folder: Path) -> Path:
    """A copy of the course without what git does not know."""
    listed = subprocess.check_output(["git", "ls-files", "-z"], cwd=ROOT, text=True)
    for name in filter(None, listed.split("\0")):
        if (ROOT / name).exists():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, folder / name)
    return folder


def run(folder: Path, *words: str) -> str:
    """What a program says that is run in a copy."""
    own = {**os.environ, "PYTHONPATH": str(folder), "PYTHONDONTWRITEBYTECODE": "1"}
    return subprocess.check_output([sys.executable, *words], cwd=folder, env=own, text=True)


def first_cells(folder: Path) -> list[str]:
    """The code of every notebook's first code cell."""
    paths = [path for kind in ("notebooks", "solutions", "exercises") for path in kind_of(kind)]
    cells = [nbformat.read(folder / path, as_version=4).cells for path in paths]
    return [next(cell.source for cell in some if cell.cell_type == "code") for some in cells]


def kind_of(name: str) -> Iterator[Path]:
    """The notebooks of a folder, as their paths in the course."""
    return (path.relative_to(ROOT) for path in sorted((ROOT / name).glob("[0-9]*.ipynb")))


def test_without_a_repository_nothing_leads_to_one():
    assert published.repository() == ""
    pages = [ROOT / name for name in ("README.md", "TEACHING.md", "CONTRIBUTING.md", "Dockerfile")]
    pages += [*(ROOT / "hub").iterdir(), *(ROOT / "docs").glob("*.md"), ROOT / "pyproject.toml"]
    texts = {page.name: page.read_text("utf-8") for page in pages if page.is_file()}
    texts |= {f"first cell {n}": cell for n, cell in enumerate(first_cells(ROOT))}
    assert len(texts) > 35
    assert [name for name, text in texts.items() if WHAT_ONLY_A_REPOSITORY_GIVES.search(text)] == []


def test_the_readme_is_short_and_starts_with_two_commands():
    text = (ROOT / "README.md").read_text("utf-8").partition("\n## For authors")[0]
    assert len(text.split()) <= 900
    start = text.partition("\n## Start\n")[2].partition("\n## ")[0]
    (commands,) = re.findall(r"^```\n(.*?)^```$", start, re.MULTILINE | re.DOTALL)
    assert [line.split("#")[0].strip() for line in commands.splitlines()] == [
        "make lab",
        "make test",
    ]


def publish(folder: Path, text: str) -> None:
    """Say in a copy's pyproject.toml where the course is published, or no longer."""
    project = folder / "pyproject.toml"
    kept = re.sub(r"\[project\.urls\]\n.*\n\n", "", project.read_text("utf-8"))
    project.write_text(kept.replace("[project.scripts]", f"{text}[project.scripts]"), "utf-8")


@pytest.mark.long
def test_with_a_repository_everything_leads_to_it_and_without_one_is_as_before(tmp_path: Path):
    folder = copied(tmp_path)
    publish(folder, f'[project.urls]\nRepository = "{ADDRESS}"\n\n')
    run(folder, "-c", GENERATE)
    readme = (folder / "README.md").read_text("utf-8")
    assert readme.splitlines()[2].count(ADDRESS.removeprefix("https://github.com/")) == 2
    assert f'pip install "transformer-tutor[lab] @ git+{ADDRESS}"' in readme
    linked = re.findall(
        r"colab\.research\.google\.com/github/ada/[\w-]+/blob/main/(\S+?)\)", readme
    )
    assert len(set(linked)) == 18
    assert all((folder / name).is_file() for name in linked)
    widths = {line.count("|") for line in readme.splitlines() if line.startswith("|")}
    assert widths == {8}
    cells = first_cells(folder)
    assert len(cells) == 27
    assert all(cell.count(f"git+{ADDRESS}") == 2 for cell in cells)
    publish(folder, "")
    run(folder, "-c", GENERATE)
    for name in ("README.md", "notebooks/04_self_attention.ipynb", "exercises/07_masking.ipynb"):
        assert (folder / name).read_bytes() == (ROOT / name).read_bytes()


@pytest.mark.long
def test_make_notebooks_does_it(tmp_path: Path):
    folder = copied(tmp_path)
    publish(folder, f'[project.urls]\nRepository = "{ADDRESS}"\n\n')
    said = run(folder, "tools/notebooks.py", "refresh", "solutions/07_masking.ipynb")
    assert "exercises/07_masking.ipynb made anew" in said
    assert "README.md: written anew" in said
    for kind in ("solutions", "exercises"):
        assert ADDRESS in (folder / kind / "07_masking.ipynb").read_text("utf-8")
