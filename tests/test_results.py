"""The scripts behind the stored results still run, in a small version, and give the same form."""

import json
import runpy
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.needs import missing
from tests.tiers import quick_where
from tutor.data.files import RESULTS, load_results
from tutor.models.minilm import INSTALL, is_installed

SCRIPTS = Path(__file__).parents[1] / "tools" / "results"
# "checkpoints" ships what an hour of training has made; the others need optional packages and
# are held against their references in tests/training.
OF_MODELS = {"minilm", "pieces", "sentence_search", "smollm", "smollm_speed", "smollm_title"}
WHOLE_ONLY = {"checkpoints", *OF_MODELS}
NAMES = sorted(path.stem for path in RESULTS.glob("*.json"))
SWEEPS = {name for name in NAMES if "rows" in load_results(name)["values"]}  # see tests/claims
NEED_MINILM = {"meaning_moves", "named_neurons", "pruned_heads", "running_sum", "words_looking"}
LONG = NEED_MINILM | {"cache_time", "rates", "step_time", "trainings", "tuning"}
REDUCED = [name for name in NAMES if name not in WHOLE_ONLY | SWEEPS]


@pytest.fixture
def rerun(tmp_path, monkeypatch) -> Callable[[str], dict[str, Any]]:
    """Run a script's small version, in this process, and read what it wrote."""

    def run(name: str) -> dict[str, Any]:
        output = tmp_path / f"{name}.json"
        monkeypatch.syspath_prepend(SCRIPTS)  # as Python does with a script's folder
        monkeypatch.setattr(sys, "argv", [name, "--reduced", "--output", str(output)])
        runpy.run_path(str(SCRIPTS / f"{name}.py"), run_name="__main__")
        return json.loads(output.read_text())

    return run


def form(value: Any) -> Any:
    """The keys of a result, all the way down; numbers and lists stand for themselves no longer."""
    return {key: form(item) for key, item in value.items()} if isinstance(value, dict) else None


def contains(whole: Any, part: Any) -> bool:
    """Whether every key of the small version's form is in the stored one's."""
    if part is None or whole is None:
        return part == whole
    return all(key in whole and contains(whole[key], item) for key, item in part.items())


@pytest.mark.xdist_group("results")  # what one loads, the next finds there
@pytest.mark.parametrize("name", quick_where(lambda name: name not in LONG, REDUCED))
def test_a_small_version_runs_and_has_the_stored_form(name, rerun):
    if name in NEED_MINILM and not is_installed():
        missing("MiniLM", INSTALL)
    again, stored = rerun(name), load_results(name)
    assert contains(form(stored), form(again))
    assert {key: again[key] for key in ("what", "command", "seed", "threads")} == {
        key: stored[key] for key in ("what", "command", "seed", "threads")
    }
    if name == "table1":  # these do not depend on the machine
        for exact in ("sequential operations", "path", "short lengths"):
            assert again["values"][exact] == stored["values"][exact]


def test_forms_that_differ_are_seen():
    assert contains({"a": {"b": None}}, {"a": {"b": None}})
    assert not contains({"a": {"b": None}}, {"a": {"c": None}})
    assert not contains({"a": None}, {"a": {"b": None}})


@pytest.mark.long
def test_a_small_version_never_overwrites_the_stored_result():
    before = (RESULTS / "table1.json").read_bytes()
    command = [sys.executable, SCRIPTS / "table1.py", "--reduced"]
    refused = subprocess.run(command, capture_output=True, text=True, check=False)
    assert refused.returncode == 2
    assert "needs --output" in refused.stderr
    assert (RESULTS / "table1.json").read_bytes() == before


@pytest.mark.parametrize("path", sorted(RESULTS.glob("*.json")), ids=lambda path: path.stem)
def test_every_stored_result_says_how_it_came_about(path):
    result = load_results(path.stem)
    assert {"what", "command", "seed", "versions", "values"} <= result.keys()
    script = SCRIPTS / f"{path.stem}.py"
    assert result["command"] == f"python tools/results/{path.stem}.py"
    assert script.exists()


def test_a_result_that_is_not_there_is_named():
    with pytest.raises(ValueError, match="'table2'"):
        load_results("table2")
