r"""Write, run and check the course's notebooks.

    python tools/notebooks.py import FILE.py NOTEBOOK.ipynb   text -> notebook (not executed)
    python tools/notebooks.py export NOTEBOOK.ipynb [FILE.py] notebook -> text (or to the screen)
    python tools/notebooks.py refresh [NOTEBOOK ...] [--all]  execute, normalise, make exercises
    python tools/notebooks.py costs [NOTEBOOK ...]            seconds and memory of the lessons
    python tools/notebooks.py check [NOTEBOOK ...]            what CI checks about notebooks
    python tools/notebooks.py portable [NOTEBOOK ...]         the same outputs on other processors?
    python tools/notebooks.py prose [NOTEBOOK ...] [--show]   what can be counted of lessons' prose
    python tools/notebooks.py documents                       README, docs/claims.md, measured/,
                                                              speed.md, exercises.md; refresh too

The `.ipynb` files are the one source: `notebooks/` (lessons) and `solutions/`. `exercises/`
is made from `solutions/` by refresh; never edit it. There are two ways to write:

* In JupyterLab: open the notebook, edit, save, then `refresh` it.
* As text, in your editor: `export` it to a scratch file, edit, `import` it back, `refresh` it.
  Import is explicit in its direction, so that it never guesses which of two files is newer.
  It replaces all cells of the notebook; stored outputs stay with the cells of the same id
  until refresh renews them.

The text is jupytext's percent format. A cell begins with `# %%` (code) or `# %% [markdown]`;
Markdown stands between triple double quotes (written ''' here); LaTeX's backslashes stay single.
Complete examples: tests/notebooks/data/example_lesson.txt and example_exercise.txt.

    # %% [markdown] slide="slide"
    r'''
    ## Why divide by $\sqrt{d_k}$?
    '''

    # %% id="spread-of-scores"
    print(spreads.round(1))

Cell headers, all optional:

    id="spread-of-scores"  a lasting name; without one the cell is named after its heading
    slide="slide"          this cell starts a slide (also: subslide, fragment, skip, notes for
                           the speaker). Cells that continue a slide have no slide header.
    tags=["reveal"]        tells what a prediction was about, under a heading in bold such as
                           `**What happened.**`: folded in learners' copies and on pages, a
                           fragment on slides (slide="fragment")
    tags=["how-sure"]      with slide="skip": `<details><summary>How sure?</summary>`, one a
                           section. It has the sentences that tutor/claims registers for this
                           cell, and leads to their entries in docs/measured/
    tags=["deeper"]        a slide, and the subslides after it, for those who want more; all others
                           are core
    tags=["sitting"]       a slide with which another sitting begins, in a lesson or its exercises:
                           lesson 6 has two, lesson 8 three
    folded=true            its code is folded in JupyterLab and left out of pages
    answer="layer_norm"    solutions only: the cell the learner fills (nbgrader solution cell)
    check="layer_norm"     solutions only: the cell that checks it and ends in `report.points`
    tags=["given"]         solutions only, before a mend exercise's answer: the broken code. In
                           the exercise it becomes the content of the answer cell.
    tags=["worked"]        solutions only: explanation that the exercise must not show
    tags=["nbval-skip"]    never executed here: a cell for the reader to run live (a training, a
                           timing). Its first line is a comment `# Live: ` with the reason, and
                           nothing after it may need what it defines.

An exercise begins with its card, a line "`layer_norm` · ●●○ · 10 minutes". What it is worth stands
in tutor/exercises/ alone: refresh writes it on the card, into the check, and with all cards into
the table at the top of the notebook, of which an author writes the head.

In an answer cell everything between `### BEGIN SOLUTION` and `### END SOLUTION` is taken out
and replaced by `raise NotImplementedError`, in a `predict_...` exercise by `answer = ...`.
What stands outside the markers (signature, docstring) is what the learner starts from.

Let readers make a prediction in a cell of its own before the result: `predict("a-name", float)`,
`str` for a few words, or a list of choices (`from tutor import predict`). It is kept with their
progress and shown below the result of the next cell, never graded.

Show a figure as a cell's last line. A lesson's own pictures are functions of its module below
`tutor/explorers/`, still (`Picture`, `Diagram`) or live (`live`), so that no alt text stands in a
cell that a reader is about to run: it would say what they are to predict. Matrices are shown by
`show_maps`, which knows colours by names and writes the alt text from the numbers. All of these
store alt text and computed values as `text/plain`, which comparisons read.

What refresh and check hold a notebook to: cells of at most 25 lines; at most 120 words of prose
in a cell; every picture with alt text in its `text/plain`; pictures of at most 60 KB; nothing
on stderr, no errors, no absolute paths, no timings; a sitting's core of at most 3,500 words
(slides tagged "deeper" are not counted); a lesson of 25 seconds (lesson 8: 60). Print
rounded numbers: they must come out the same on any machine. Notebooks run without a network.

Lessons of the second edition (all but those listed in tools/authoring/converted.py) keep more:
every core slide has a note that begins `<details><summary>For the lecturer: 4 min</summary>`, with
no fewer minutes than reading it takes (200 words a minute, half a minute for a code cell, one for
a prediction), and at most 45 in a sitting; a title above a prediction is a question or names the
matter; after a prediction come a code cell and a `reveal`; no alt text stands in a code cell. An
exercise has a card, a line "`layer_norm` · 2 points · ●●○ · 8 minutes", with "· extra" if it is not
core; the core takes at most 45 minutes a sitting.
"""

import argparse
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from authoring.files import (
    EXERCISES,
    LESSONS,
    SOLUTIONS,
    notebooks_in,
    read_notebook,
    shown,
    write_notebook,
)
from authoring.text import keep_outputs, read_text, write_text

# What loads PyTorch is imported where it is used: git asks for a text with every difference.


def import_text(source: Path, target: Path) -> None:
    """Make a notebook of a text, keeping the outputs of cells that keep their id."""
    notebook = read_text(source.read_text(encoding="utf-8"))
    if target.exists():
        keep_outputs(notebook, read_notebook(target))
    write_notebook(notebook, target)
    print(f"{target}: {len(notebook.cells)} cells from {source}")
    print(f"next: python tools/notebooks.py refresh {target}")


def export_text(source: Path, target: Path | None) -> None:
    """Write a notebook as text to a file or to the screen (git's text differences)."""
    text = write_text(read_notebook(source))
    if target is None:
        sys.stdout.write(text)
    else:
        target.write_text(text, encoding="utf-8")
        print(f"{target}: written from {source}; import it back when you have edited it")


def refresh_all(paths: list[Path], everything: bool) -> int:
    """Bring notebooks and documents up to date; give 1 if a notebook failed."""
    from authoring.refresh import refresh

    failed = refresh(paths, everything)
    renew_documents()
    if lessons := [path for path in paths if path.resolve().parent == LESSONS]:
        tell_prose(lessons, places=False)
    return int(bool(failed))


def renew_documents() -> None:
    """Write what the course says about itself in README and docs, and name what changed."""
    from authoring.documents import write_documents

    for path in write_documents():
        print(f"{shown(path)}: written anew")


def try_elsewhere(paths: list[Path], jobs: int) -> int:
    """Compare stored outputs with those of all computers that this one can play."""
    from authoring.machines import machines_here
    from authoring.portable import portable

    machines = machines_here()
    print(f"computers played here: {'; '.join(map(str, machines))}", flush=True)
    unstable = portable(paths, machines, jobs)
    if unstable:
        print(f"These print or draw otherwise on other processors: {', '.join(unstable)}.")
        print("Print what is stable, or store a long training (tools/results) with its spread.")
    else:
        print("All outputs are the same.")
    return int(bool(unstable))


def tell_costs(paths: list[Path], cells: bool, beside: int) -> None:
    """Print what lessons take."""
    from authoring.costs import print_costs

    print_costs(paths, cells=cells, beside=beside)


def tell_prose(paths: Sequence[Path], places: bool) -> None:
    """Print what can be counted of lessons' prose, and on request each place over budget."""
    from authoring.prose.budgets import budget_table, places_of
    from authoring.prose.reading import sittings_of

    found = [one for path in paths for one in sittings_of(path.stem, read_notebook(path))]
    print(budget_table(found))
    for sitting in found if places else ():
        print(f"\n{sitting.name}", *places_of(sitting), sep="\n  ")


def check_all(paths: list[Path]) -> int:
    """Print what is wrong with notebooks, and test them; give an exit code."""
    from authoring.check import check

    return check(paths)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    commands = parser.add_subparsers(required=True)
    importing = commands.add_parser("import", help="make a notebook of a text")
    importing.add_argument("text", type=Path)
    importing.add_argument("notebook", type=Path)
    importing.set_defaults(do=lambda given: import_text(given.text, given.notebook))
    exporting = commands.add_parser("export", help="write a notebook as text")
    exporting.add_argument("notebook", type=Path)
    exporting.add_argument("text", type=Path, nargs="?")
    exporting.set_defaults(do=lambda given: export_text(given.notebook, given.text))
    documents = commands.add_parser("documents", help="what README and docs say of the course")
    documents.set_defaults(do=lambda given: renew_documents())
    _add_runs(commands)
    return parser


def _add_runs(commands: Any) -> None:
    """Describe the commands that execute notebooks; without names they take all of a kind."""

    def add(name: str, about: str, *folders: Path) -> argparse.ArgumentParser:
        command: argparse.ArgumentParser = commands.add_parser(name, help=about)
        command.add_argument("notebooks", type=Path, nargs="*", default=notebooks_in(*folders))
        return command

    refreshing = add("refresh", "execute, normalise, make the exercises", LESSONS, SOLUTIONS)
    refreshing.add_argument("--all", action="store_true", help="also what has not changed")
    refreshing.set_defaults(do=lambda given: refresh_all(given.notebooks, given.all))
    trying = add("portable", "execute as on other processors, and compare", LESSONS, SOLUTIONS)
    trying.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="kernels at a time")
    trying.set_defaults(do=lambda given: try_elsewhere(given.notebooks, given.jobs))
    costing = add("costs", "measure what notebooks cost a reader's machine", LESSONS)
    costing.add_argument("--cells", action="store_true", help="list the dear cells too")
    costing.add_argument(
        "--beside", type=int, default=0, metavar="N", help="compare with N endless loops beside"
    )
    costing.set_defaults(do=lambda given: tell_costs(given.notebooks, given.cells, given.beside))
    counting = add("prose", "count words, terms, sentences, questions of lessons", LESSONS)
    counting.add_argument("--show", action="store_true", help="list each place over budget too")
    counting.set_defaults(do=lambda given: tell_prose(given.notebooks, given.show))
    checking = add("check", "what CI checks about notebooks", LESSONS, SOLUTIONS, EXERCISES)
    checking.set_defaults(do=lambda given: check_all(given.notebooks))


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; give 1 when something is wrong with what it was asked to do."""
    options = _parser().parse_args(arguments)
    try:
        return int(options.do(options) or 0)
    except (ValueError, OSError) as problem:
        print(f"notebooks.py: {problem}", file=sys.stderr)
        return 1


if __name__ == "__main__":
    sys.exit(main())
