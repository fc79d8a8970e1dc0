"""Every measured sentence: it stands in its lesson, and its inequality in its sweep."""

import sys
from dataclasses import replace
from functools import cache
from importlib import import_module
from pathlib import Path
from types import ModuleType

import pytest
from nbformat import NotebookNode

from tests.allowances import hold
from tests.needs import missing
from tests.tiers import first_quick
from tools.authoring.claims_page import measured_page
from tools.authoring.documents import DOCUMENTS
from tools.authoring.files import LESSONS, notebooks_in, read_notebook
from tools.authoring.how_sure import entries_of, is_how_sure
from tools.authoring.rules import code_cells
from tutor.claims.claim import Claim
from tutor.claims.register import REGISTER
from tutor.claims.runs import Runs, load_sweep
from tutor.models import minilm, smollm

SCRIPTS = Path(__file__).parents[2] / "tools" / "results"
SWEEPS = sorted({claim.sweep for claim in REGISTER})
MOST_MINUTES = 20  # of one processor

by_lesson = pytest.mark.parametrize("path", notebooks_in(LESSONS), ids=lambda path: path.stem)
by_name = pytest.mark.parametrize("claim", REGISTER, ids=lambda claim: claim.name)


@cache
def cell_of(lesson: str, cell: str) -> NotebookNode:
    """A lesson's cell."""
    cells = read_notebook(LESSONS / f"{lesson}.ipynb").cells
    found = [one for one in cells if one.id == cell]
    assert found, f"{lesson} has no cell {cell}"
    return found[0]


def cell_text(lesson: str, cell: str) -> str:
    """A Markdown cell's text on one line."""
    return " ".join(cell_of(lesson, cell).source.split())


def misquoted(claim: Claim, text: str) -> bool:
    return claim.sentence not in text


@by_name
def test_the_lesson_says_the_sentence(claim: Claim):
    assert not misquoted(claim, cell_text(claim.lesson, claim.cell))


@by_name
def test_a_folded_sentence_leads_to_its_entry(claim: Claim):
    cell = cell_of(claim.lesson, claim.cell)
    entry = (claim.lesson, claim.name)
    assert not is_how_sure(cell) or entry in entries_of(cell)


@by_lesson
def test_what_is_measured_stands_folded_and_its_tables_on_a_page_of_their_own(path: Path):
    """In a lesson that is converted: no registered sentence in its prose, no call of `measured`."""
    claims = [claim for claim in REGISTER if claim.lesson == path.stem]
    in_prose = [c.name for c in claims if not is_how_sure(cell_of(c.lesson, c.cell))]
    hold("claims in the prose", path.stem, in_prose)
    calls = [cell.id for cell in code_cells(read_notebook(path)) if "measured(" in cell.source]
    hold("tables in the lesson", path.stem, calls)


@by_lesson
def test_how_sure_leads_to_entries_of_claims_that_are_tied_to_it(path: Path):
    tied = {(c.cell, c.name) for c in REGISTER if c.lesson == path.stem}
    for cell in filter(is_how_sure, read_notebook(path).cells):
        for lesson, name in entries_of(cell):
            assert lesson != path.stem or (cell.id, name) in tied, name
            assert f"\n## {name}\n" in measured_page(lesson)


@by_name
def test_the_sentence_is_true_wherever_it_is_said_to_be(claim: Claim):
    assert claim.broken() == []


@by_name
def test_a_sentence_leaves_out_nothing_that_is_true(claim: Claim):
    """What `within` excludes fails somewhere: else the sentence could say more, or hides less."""
    outside = [holds for setting, holds in claim.verdicts() if not claim.speaks_of(setting)]
    assert not claim.within or not all(outside)
    assert any(claim.speaks_of(setting) for setting, _ in claim.verdicts())


def test_names_are_used_once():
    names = [claim.name for claim in REGISTER]
    assert len(names) == len(set(names))


@pytest.mark.parametrize("name", SWEEPS)
def test_a_sweep_varies_what_could_turn_its_claims_over(name: str):
    sweep = load_sweep(name)
    for axis in ("seed", "initialisation"):
        tried = len(sweep.runs.values_of(axis)) if axis in (*sweep.axes, "seed") else 1
        assert tried >= 3 or sweep.unvaried.get(axis), f"{axis} of {name}: {tried} tried"
    assert sweep.cpu_minutes <= MOST_MINUTES


def script(name: str) -> ModuleType:
    """The script of a sweep, found beside those it imports as when it is run."""
    if str(SCRIPTS) not in sys.path:
        sys.path.append(str(SCRIPTS))
    return import_module(name)


def in_one_process(name: str):
    """A sweep of the large model runs where the model is loaded already."""
    marks = pytest.mark.xdist_group("smollm") if name.startswith("smollm") else ()
    return pytest.param(name, marks=marks)


@pytest.mark.parametrize("name", first_quick(in_one_process(name) for name in SWEEPS))
def test_a_sample_of_each_sweep_gives_the_stored_numbers_again(name: str):
    """Within the margins the script names: other processors round otherwise."""
    sweep, stored = script(name).SWEEP, load_sweep(name)
    assert sweep.sampled(), "the sample names no setting of the grids"
    for setting in sweep.sampled():
        seed = sweep.seeds[0]
        then = stored.runs.at(**setting, seed=seed)
        try:
            again = sweep.run(setting, seed)
        except ModuleNotFoundError:
            of_smollm = name.startswith("smollm")
            package = ("SmolLM2", smollm) if of_smollm else ("MiniLM", minilm)
            missing(package[0], package[1].INSTALL)
        for number, value in again.items():
            assert value == pytest.approx(then.lowest(number), abs=stored.margins[number])


@pytest.mark.parametrize("name", SWEEPS)
def test_what_is_stored_was_made_by_the_script_as_it_is(name: str):
    sweep, stored = script(name).SWEEP, load_sweep(name)
    settings = list(sweep.settings())
    assert len(stored.runs) == len(settings) * len(sweep.seeds)
    for setting in settings:
        stored.runs.at(**setting)
    assert (stored.labels, stored.margins) == (dict(sweep.labels), dict(sweep.margins))


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: path.name)
def test_documents_are_up_to_date(path: Path):
    assert path.read_text("utf-8") == DOCUMENTS[path](), "make notebooks"


# What the lessons once said, as an inequality: the sweeps turn it over.
def the_gradient_dies_with_the_width(runs: Runs) -> bool:
    """Lesson 4: "then it falls more than a hundredfold, and the query can hardly learn"."""
    unscaled = runs.at(scale=False)
    wide, narrow = unscaled.at(d_k=512), unscaled.at(d_k=64)
    return wide.highest("median gradient") < narrow.lowest("median gradient") / 100


def the_lstm_guesses_after_twenty(runs: Runs) -> bool:
    """Lesson 1: "after twenty the LSTM guesses as well", whatever its forget gate."""
    return runs.at(lag=[20, 40, 80]).highest("told") < 0.2


def residuals_alone_are_enough(runs: Runs) -> bool:
    """Lesson 6: "With residuals each doubling helps", whatever the first weights."""
    errors = runs.at(way="residual")
    return errors.at(depth=24).highest("error") < errors.at(depth=2).highest("error")


def one_vector_holds_four_at_most(runs: Runs) -> bool:
    """Lesson 8: "in none of the three trainings did one vector hold more" than four names."""
    return runs.at(names=[5, 6]).highest("right") < 0.05


def two_layers_follow_chains(runs: Runs) -> bool:
    """What one lucky training would have let lesson 8 say of stacked layers."""
    return runs.at(reader="2 layers").lowest("two steps") > 0.9


def four_curves_stay_near_one(runs: Runs) -> bool:
    """Lesson 6: "The four curves with a residual, a norm or both stay near 1"."""
    ways = [runs.at(residual=True), runs.at(residual=False, norm=["before", "after"])]
    return all(r.lowest("gradient") > 0.01 and r.highest("gradient") < 100 for r in ways)


OLD = [
    (
        "one-vector-names",
        "Without attention the line breaks off after 4 names",
        one_vector_holds_four_at_most,
        ("model",),
    ),
    (
        "chains-all-or-nothing",
        "Two layers follow the chain.",
        two_layers_follow_chains,
        ("steps",),
    ),
    (
        "first-weights-and-depth",
        "The four curves with a residual, a norm or both stay near 1.",
        four_curves_stay_near_one,
        ("inside", "d_model", "layers"),
    ),
    (
        "residuals-at-depth",
        "With residuals each doubling helps.",
        residuals_alone_are_enough,
        ("initialisation", "rate", "d_model"),
    ),
    (
        "lstm-reach",
        "After twenty the LSTM guesses as well.",
        the_lstm_guesses_after_twenty,
        ("initialisation", "rate", "width"),
    ),
    (
        "unscaled-is-hard",
        "then it falls more than a hundredfold, and the query can hardly learn to look elsewhere",
        the_gradient_dies_with_the_width,
        ("keys", "initialisation"),
    ),
]


@pytest.mark.parametrize(("name", "sentence", "holds", "each"), OLD, ids=lambda value: value)
def test_what_the_lessons_once_said_would_not_pass(name, sentence, holds, each):
    claim = next(claim for claim in REGISTER if claim.name == name)
    old = replace(claim, sentence=sentence, holds=holds, each=each, within={})
    assert old.broken(), "the sweep does not turn the old sentence over"
    assert misquoted(old, cell_text(old.lesson, old.cell)), "the old sentence is back"
    put_back = cell_text(claim.lesson, claim.cell).replace(claim.sentence, sentence)
    assert misquoted(claim, put_back)
