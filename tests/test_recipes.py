"""The recipes of CONTRIBUTING, followed in a scratch clone with its own code and commands."""

import os
import re
import shlex
import shutil
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
LESSON7 = "tutor/exercises/lesson07_masking"
RECIPES = ("A mistake that people make", "An exercise", "An explorer", "A command of `tutor`")
pytestmark = [pytest.mark.long, pytest.mark.xdist_group("recipes")]  # they share the clone


class Recipe:
    """One section of CONTRIBUTING: its code blocks, and the commands that it gives.

    Attributes:
        text: all of it.
        code: its blocks of Python, in order.
        tests: what it has `make test` run.
        commands: its other command lines, in order.
    """

    def __init__(self, title: str) -> None:
        page = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
        self.text = page.partition(f"\n### {title}\n")[2].partition("\n### ")[0]
        blocks = re.findall(r"^```(python)?\n(.*?)^```$", self.text, re.MULTILINE | re.DOTALL)
        self.code = [text for kind, text in blocks if kind]
        lines = [line for kind, text in blocks if not kind for line in text.splitlines()]
        self.tests = [shlex.split(line)[2] for line in lines if line.startswith("make test")]
        self.commands = [line for line in lines if not line.startswith("make test")]
        assert self.code, f"CONTRIBUTING has no recipe {title!r}"


class Clone:
    """A copy of the course to try something in.

    Args:
        folder: where it is made.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        listed = subprocess.check_output(["git", "ls-files", "-z"], cwd=ROOT, text=True)
        for name in filter(None, listed.split("\0")):
            if (ROOT / name).exists():
                (folder / name).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy2(ROOT / name, folder / name)

    def write(self, recipe: Recipe, name: str, content: str) -> None:
        """Write a new file, which the recipe names."""
        assert name in recipe.text
        assert not (self.folder / name).exists()
        (self.folder / name).write_text(content, encoding="utf-8")

    def insert(self, recipe: Recipe, name: str, content: str, *below: str) -> None:
        """Put lines into a file that the recipe names, below these in turn."""
        assert Path(name).name in recipe.text
        path = self.folder / name
        text, place = path.read_text(encoding="utf-8"), 0
        for line in below:
            place = text.index(line, place) + len(line)
        path.write_text(text[:place] + content + text[place:], encoding="utf-8")

    def run(self, command: str) -> str:
        """Run a command line of the recipe with this Python and without setting up."""
        words = shlex.split(command)
        if words[:2] == ["make", "notebooks"]:
            chosen = shlex.split(words[2].removeprefix("ARGS="))
            words = ["python", "tools/notebooks.py", "refresh", *chosen]
        assert words[0] == "python", command
        own = {**os.environ, "PYTHONPATH": str(self.folder), "PYTHONDONTWRITEBYTECODE": "1"}
        own = {name: value for name, value in own.items() if not name.startswith("PYTEST")}
        done = subprocess.run(
            [sys.executable, *words[1:]],
            cwd=self.folder,
            env=own,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        assert done.returncode == 0, f"{command}\n{done.stdout}"
        return done.stdout


@pytest.fixture(scope="module")
def clone(tmp_path_factory: pytest.TempPathFactory) -> Clone:
    return Clone(tmp_path_factory.mktemp("clone") / "course")


def test_a_mistake(clone: Clone):
    recipe = Recipe("A mistake that people make")
    mistake = textwrap.indent(recipe.code[0].rstrip() + ",\n", " " * 8)
    place = ("causal_mask = Exercise(\n", "    mistakes=[\n")
    clone.insert(recipe, f"{LESSON7}/causal_mask.py", mistake, *place)
    (documents,) = recipe.commands
    assert "docs/exercises.md: written anew" in clone.run(documents)


def test_an_exercise(clone: Clone):
    recipe = Recipe("An exercise")
    exercise, cells = recipe.code
    clone.write(recipe, f"{LESSON7}/visible_counts.py", exercise)
    module = f"{LESSON7.replace('/', '.')}.visible_counts"
    package, below = f"{LESSON7}/__init__.py", "import window_mask\n"
    clone.insert(recipe, package, f"from {module} import visible_counts\n", below)
    clone.insert(recipe, package, "    visible_counts,\n", "    cross_attention,\n")
    clone.run("python -m ruff check --fix .")  # the order of the names that are imported
    export, bring_back, execute = recipe.commands
    clone.run(export)
    scratch = clone.folder / "scratch.txt"
    text = scratch.read_text(encoding="utf-8")
    place = text.rindex("# %% [markdown]", 0, text.index("## What next"))
    scratch.write_text(text[:place] + cells + text[place:], encoding="utf-8")
    clone.run(bring_back)
    said = clone.run(execute)
    assert "exercises/07_masking.ipynb made anew" in said
    assert "solutions/07_masking.ipynb: check" not in said  # nothing to complain of
    handed_out = (clone.folder / "exercises" / "07_masking.ipynb").read_text(encoding="utf-8")
    assert "`visible_counts` · 1 point · ●○○ · 3 minutes · extra" in handed_out
    assert re.search(r"\| \d+ \| `visible_counts` \| 1 \| ●○○ \| 3 extra \|", handed_out)
    assert "return keep.sum(-1)" not in handed_out
    table = (clone.folder / "docs" / "exercises.md").read_text(encoding="utf-8")
    assert "| 07 | `visible_counts` | `keep` | counts | 1 | 2 |" in table


def test_an_explorer(clone: Clone):
    recipe = Recipe("An explorer")
    explorer, import_it = recipe.code
    folder = "tutor/explorers/lesson07_masking"
    clone.write(recipe, f"{folder}/short_sight.py", explorer)
    for content, line in (
        (import_it, '"""\n\n'),
        ('    "short_sight",\n', "__all__ = [\n"),
        ("    short_sight,\n", "EXPLORERS = (\n"),
    ):
        clone.insert(recipe, f"{folder}/__init__.py", content, line)
    clone.run("python -m ruff check --fix .")  # the order of what is imported and handed on


def test_a_section(clone: Clone):
    recipe = Recipe("A section of a lesson")
    lesson = "notebooks/07_masking.ipynb"
    clone.run(f"python tools/notebooks.py export {lesson} scratch.txt")
    assert f"python tools/notebooks.py export {lesson} scratch.txt" in recipe.text
    scratch = clone.folder / "scratch.txt"
    text = scratch.read_text(encoding="utf-8")
    place = text.index('# %% [markdown] id="both-at-once"')
    scratch.write_text(text[:place] + recipe.code[0] + "\n" + text[place:], encoding="utf-8")
    for command in recipe.commands:
        said = clone.run(command)
    assert f"{lesson}: check" not in said  # nothing to complain of
    assert "tensor([[True]])" in (clone.folder / lesson).read_text(encoding="utf-8").replace(
        " ", ""
    )


def test_a_whole_lesson_has_the_places_that_are_named():
    page = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    text = page.partition("\n### A whole lesson\n")[2].partition("\n### ")[0]
    named = re.findall(r"`((?:notebooks|solutions|tutor|docs)/[^` ]+)`", text)
    assert len(named) >= 8
    for name in named:
        place = ROOT / name.replace("NN_words", "09_output_softmax")
        assert place.exists(), name


def test_the_table_of_where_to_look_names_files():
    page = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    table = page.partition("\nWhere else to look:\n")[2].partition("\n## ")[0]
    rows = re.findall(r"^\| .*?`(tutor/[^`]+)`(?: \(`(\w+)`\))?", table, re.MULTILINE)
    assert len(rows) == 9
    for path, name in rows:
        assert name in (ROOT / path).read_text(encoding="utf-8"), path


def test_a_command(clone: Clone):
    recipe = Recipe("A command of `tutor`")
    module, line = recipe.code
    clone.write(recipe, "tutor/commands/lessons.py", module)
    clone.insert(recipe, "tutor/commands/cli.py", line, "COMMANDS = {\n")
    (show,) = recipe.commands
    said = clone.run(show)
    assert "07_masking: " in said
    assert "  causal_mask\n" in said


def test_the_tests_that_the_recipes_name_are_green(clone: Clone):
    """All in one run, which loads PyTorch once."""
    paths, words = [], []
    for title in RECIPES:
        (test,) = Recipe(title).tests
        *files, option, chosen = shlex.split(test.removeprefix("ARGS="))
        assert option == "-k"
        paths += [file for file in files if file not in paths]
        words.append(chosen)
    said = clone.run(f"python -m pytest {' '.join(paths)} -k {shlex.quote(' or '.join(words))}")
    assert re.search(r"^[.,u]+ *\[100%\]$", said, re.MULTILINE), said
    for words in ("check .", "format --check ."):
        clone.run(f"python -m ruff {words}")
