"""The frame of the benchmarks: turns, ratios with their spread, verdicts, and what is kept."""

import copy
import json
import statistics
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
import torch
from torch import nn
from torch.nn import MultiheadAttention

from benchmarks import __main__ as program
from benchmarks import checks, decoding, gpu, imports, parts, peers, scaling, speaking, table
from benchmarks.entries import ENTRIES
from benchmarks.frame import Options, Row, UnavailableError, compare, p95, take_turns
from tools.authoring.speed_page import LATEST
from tutor.exercises import lessons
from tutor.language_model import ModelStep, read_source
from tutor.transformer import Transformer, TransformerConfig


class Clock:
    """Stands still but while a side computes."""

    def __init__(self) -> None:
        self.now, self.called = 0.0, ""

    def __call__(self) -> float:
        return self.now

    def side(self, name: str, seconds: float):
        def call() -> None:
            self.now += seconds
            self.called += name

        return call


def test_sides_are_warmed_up_and_take_turns_and_the_first_changes():
    clock = Clock()
    turns = take_turns(clock.side("a", 1.0), clock.side("b", 2.0), seconds=0, clock=clock)
    assert turns == ([1.0] * 5, [2.0] * 5)
    assert clock.called == "aaabbb" + "ba" + "ab" + "ba" + "ab" + "ba"


def test_a_short_call_is_repeated_until_a_turn_can_be_measured():
    clock = Clock()
    ours, _ = take_turns(clock.side("a", 0.001), clock.side("b", 0.1), seconds=0, clock=clock)
    assert ours == pytest.approx([0.001] * 5)
    assert clock.called.endswith("b" + 50 * "a")


def test_a_ratio_and_where_nine_of_ten_would_lie():
    steady = compare("x", ([0.001] * 20, [0.004] * 20))
    assert (steady.ours, steady.peer, steady.ratio) == (1.0, 4.0, 0.25)
    assert steady.spread == (0.25, 0.25)
    together = compare("x", ([1.0, 2.0, 9.0] * 7, [2.0, 4.0, 18.0] * 7))  # a machine that is slow
    assert together.spread == (0.5, 0.5)
    low, high = compare("x", ([1.0, 2.0, 3.0] * 7, [3.0, 3.0, 3.0] * 7)).spread
    assert low <= 2 / 3 <= high
    assert low < high


def test_the_slowest_of_twenty():
    times = [1.0] * 30 + [10.0] * 3
    assert p95(times) > 5 > statistics.median(times)
    assert compare("x", (times, [10.0] * 33), statistic=p95).ratio == pytest.approx(1.0)


@pytest.mark.parametrize(
    ("row", "verdict"),
    [
        (Row("x", "ms", 1.0, 2.0, goal=0.5), "met"),
        (Row("x", "ms", 1.1, 2.0, goal=0.5), "missed"),
        (Row("x", "ms", 80.0, goal=80.0), "met"),
        (Row("x", "ms", 81.0, goal=80.0), "missed"),
        (Row("x", "ms", 81.0, 1.0), ""),
        (Row("x", "ms", 1.1, 2.0, (0.5, 0.6), goal=0.5), "close"),
        (Row("x", "ms", 1.1, 2.0, (0.52, 0.6), goal=0.5), "missed"),
    ],
)
def test_a_goal_holds_for_the_ratio_or_without_a_peer_for_the_value(row: Row, verdict: str):
    assert row.verdict == verdict


def test_the_table_lines_up():
    rows = [Row("a step", "ms", 12.0, 24.0, (0.45, 0.56), 0.6, threads=2), Row("b", "MB", 1158.4)]
    lines = [table.line(table.HEADER), *(table.line(table.cells(row)) for row in rows)]
    assert lines == [
        "what                                                             ours       peer"
        "       ratio (spread)     goal verdict",
        "a step, 2 threads                                               12 ms      24 ms"
        "     0.50 (0.45–0.56)    ≤ 0.6 met",
        "b                                                             1158 MB",
    ]


def entries(**rows: list[Row] | Exception):
    """Make entries that measure nothing."""

    def entry(found: list[Row] | Exception):
        def measure(options: Options) -> Iterator[Row]:
            if isinstance(found, Exception):
                raise found
            yield from found

        return measure

    return {name: entry(found) for name, found in rows.items()}


@pytest.fixture
def latest(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    monkeypatch.setattr(program, "LATEST", tmp_path / "latest.json")
    monkeypatch.setattr(program, "write_page", lambda: None)
    fast, slow = Row("fast", "ms", 1.0, 2.0, (0.4, 0.6), 0.5), Row("slow", "ms", 9.0, 2.0, goal=1.0)
    made = entries(good=[fast], bad=[fast, slow], absent=UnavailableError("get Chromium"))
    monkeypatch.setattr(program, "ENTRIES", made)
    return tmp_path / "latest.json"


def test_only_one_entry_is_measured_and_the_others_stay(latest: Path, capsys):
    assert program.main([]) == 1
    assert program.main(["--only", "good"]) == 0
    assert "Goals missed: slow.\n" in capsys.readouterr().out
    kept = json.loads(latest.read_text())
    assert {name: len(entry["rows"]) for name, entry in kept.items()} == {"good": 1, "bad": 2}
    (row,) = kept["good"]["rows"]
    assert (row["ratio"], row["spread"], row["threads"]) == (0.5, [0.4, 0.6], 1)
    assert kept["good"]["versions"]["torch"]


def test_what_cannot_be_measured_is_said_and_not_kept(latest: Path, capsys):
    assert program.main(["--only", "absent"]) == 0
    assert "absent is not measured: get Chromium" in capsys.readouterr().out
    assert not latest.exists()


def test_an_entry_that_is_not_there_is_refused(latest: Path, capsys):
    with pytest.raises(SystemExit, match="2"):
        program.main(["--only", "speed"])
    assert "choose from" in capsys.readouterr().err


# What is compared does the same work.


@pytest.fixture(scope="module")
def pair():
    """Small translators of both kinds, with the same weights."""
    size = {"layers": 2, "d_model": 16, "d_ff": 24, "heads": 2, "dropout": 0.0}
    return peers.translators(TransformerConfig(vocabulary=20, **size))


def test_both_translators_compute_the_same_loss_and_the_same_step(pair):
    ours, peer = copy.deepcopy(pair)
    batch = peers.sentences(rows=5, length=7, vocabulary=20)
    assert (batch.source == peers.PAD).any()
    for _ in range(3):
        torch.testing.assert_close(peers.loss(ours, batch), peers.loss(peer, batch))
        for model in (ours, peer):
            step = peers.TrainingStep(model, batch)
            step.optimiser.param_groups[0]["lr"] = 0.01
            step()


def test_dropout_is_where_the_paper_has_it():
    _, peer = peers.translators(TransformerConfig.tiny(vocabulary=20, dropout=0.5))
    drops = {name: part.p for name, part in peer.named_modules() if isinstance(part, nn.Dropout)}
    inside = {name for name in drops if name.endswith("layers.0.dropout")}
    assert len(inside) == 2  # the feed-forward's, in an encoder layer and in a decoder layer
    assert all((share == 0.0) == (name.endswith(".dropout")) for name, share in drops.items())
    assert not any(part.dropout for part in peer.modules() if isinstance(part, MultiheadAttention))


def test_both_write_the_same_words_and_none_ends_early(pair):
    ours, peer = pair[0].eval(), pair[1].eval()
    source = peers.sentences(rows=3, length=5, vocabulary=20).source
    with torch.no_grad():
        steps = [
            lambda: read_source(ours, source, peers.PAD),
            lambda: decoding.Rereading(peer, source),
        ]
        written, theirs = (decoding.greedy(step(), 3, words=9) for step in steps)
        assert written == theirs
        assert [len(words) for words in written] == [9, 9, 9]
        kept, others = (decoding.beam(step(), 3, words=6) for step in steps)
    assert [[[e.ids for e in beam] for beam in best] for best in kept] == [
        [[e.ids for e in beam] for beam in best] for best in others
    ]


def test_the_librarys_language_model_scores_the_same_tokens():
    pytest.importorskip("transformers")
    sizes = {"layers": 2, "d_model": 24, "d_ff": 40, "heads": 6, "key_value_heads": 2}
    today = {"norm": "pre", "norm_kind": "rms", "activation": "swiglu", "positions": "rotary"}
    plain = {"bias": False, "scale_embedding": False, "stacks": "decoder", "pad_id": -1}
    model = Transformer(TransformerConfig(vocabulary=50, **sizes, **today, **plain)).eval()
    steps = ModelStep(model), speaking.LlamaStep(speaking.llama(model))
    with torch.no_grad():
        for end in (7, 8, 9):
            ours, theirs = (step(torch.arange(2 * end).view(2, end)) for step in steps)
            torch.testing.assert_close(ours, theirs.log_softmax(-1))


@pytest.mark.parametrize("name", parts.parts())
def test_parts_give_what_torchs_give(name: str):
    ours, peer, x = parts.parts()[name]
    torch.testing.assert_close(ours(x), peer(x), rtol=0, atol=1e-5)


def test_a_power_is_found_and_so_are_its_steps():
    row = scaling.exponent_row("x", [1, 2, 4], [1.0, 2.0, 8.0])
    assert (row.ours, row.spread) == (pytest.approx(1.5), (pytest.approx(1.0), pytest.approx(2.0)))


def test_a_check_starts_with_nothing_remembered():
    exercise = lessons()["04_self_attention"][0]
    assert checks.milliseconds(exercise, exercise.reference) > 0
    assert checks.functions(exercise, 1) == [
        exercise.reference,
        exercise.mistakes[0].functions[0],
    ]


def test_a_lessons_imports_are_all_it_imports():
    code = imports.imports("04_self_attention")
    assert "import torch\n" in code
    assert "from tutor.explorers import lesson04_self_attention as explore" in code


@pytest.mark.long
def test_the_shapes_that_tests_check_are_not_checked_where_times_are_taken():
    looks = "import sys, benchmarks.entries; print('tests.conftest' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", looks], check=True, capture_output=True, text=True)
    assert done.stdout == "False\n"


def test_a_gpus_steps_train_also_where_there_is_none(monkeypatch: pytest.MonkeyPatch):
    config = TransformerConfig(vocabulary=20, layers=1, d_model=16, d_ff=24, heads=2, dropout=0.0)
    models = peers.translators(config)
    monkeypatch.setattr(gpu, "translators", lambda _: models)
    weights = [next(model.parameters()) for model in models]
    before = [weight.detach().clone() for weight in weights]
    batch = peers.sentences(rows=2, length=5, vocabulary=20)
    for step in gpu.training_steps(config, batch, "cpu", compiled=False):
        step()
    assert not any(torch.equal(*pair) for pair in zip(before, weights, strict=True))
    for step in gpu.layer_steps(rows=2, length=5, width=16, device="cpu"):
        step()


def test_what_is_kept_is_of_entries_that_there_are():
    assert set(json.loads(LATEST.read_text("utf-8"))) <= set(ENTRIES)
