"""Stored sweeps: what is read from them is what was measured."""

import pytest

from tutor.claims.claim import Claim, Shown
from tutor.claims.register import measured
from tutor.claims.runs import Runs, load_sweep

RUNS = Runs(
    [
        {"bias": bias, "rate": rate, "seed": seed, "told": bias / 10 + rate + seed / 100}
        for bias in (0, 5)
        for rate in (0.1, 0.2)
        for seed in (0, 1, 2)
        if (bias, rate) != (0, 0.2)  # not every combination has to be there
    ]
)


def test_runs_are_found_by_their_settings():
    assert len(RUNS.at(bias=5)) == 6
    assert RUNS.at(bias=5, rate=0.1).numbers("told") == pytest.approx([0.6, 0.61, 0.62])
    assert len(RUNS.at(rate=[0.1, 0.2], seed=1)) == 3
    assert (RUNS.lowest("told"), RUNS.highest("told")) == pytest.approx((0.1, 0.72))
    assert RUNS.at(bias=0).median("told") == pytest.approx(0.11)


def test_a_setting_that_was_not_run_is_named():
    with pytest.raises(ValueError, match=r"no run at \{'bias': 3\}; bias has \[0, 5\]"):
        RUNS.at(bias=3)


def test_each_goes_through_what_was_run():
    assert [setting for setting, _ in RUNS.each(("bias", "rate"))] == [
        {"bias": 0, "rate": 0.1},
        {"bias": 5, "rate": 0.1},
        {"bias": 5, "rate": 0.2},
    ]


def test_a_result_that_is_no_sweep_is_refused():
    with pytest.raises(ValueError, match="'table1' is no sweep"):
        load_sweep("table1")


def test_every_number_stands_at_its_seed():
    """The first row of the file, read by hand."""
    runs = load_sweep("attention_scale").runs.at(keys=8, d_k=8, scale=True, initialisation="xavier")
    assert runs.numbers("spread") == [0.9711, 0.9913, 0.9862]
    assert runs.numbers("mean gradient") == [0.9177, 0.9029, 0.929]


def claim(**changed) -> Claim:
    settings = {
        "name": "told",
        "lesson": "01_rnn_limits",
        "cell": "c",
        "sentence": "It is told.",
        "compares": "nothing",
        "sweep": "attention_scale",
        "holds": lambda runs: runs.lowest("hard") < 0.3,
        "each": ("keys", "d_k", "scale"),
        "shown": (Shown("hard", "keys", "d_k", {"scale": False}),),
    }
    return Claim(**(settings | changed))


def test_where_a_claim_ends_is_said_in_few_words():
    """Unscaled, the share of hard queries is high at most sizes; scaled it never is."""
    keys = claim(each=("keys",), holds=lambda runs: runs.values_of("keys") != [64])
    assert keys.ends() == [{"keys": 64}]
    corner = claim(holds=lambda runs: runs.at(d_k=[512], scale=[False]) is None)
    with pytest.raises(ValueError, match="no run"):
        corner.ends()
    wide = claim(
        holds=lambda runs: not (runs.values_of("d_k") == [512] or runs.values_of("scale") == [True])
    )
    assert wide.ends() == [{"d_k": 512}, {"scale": True}]
    both = claim(
        holds=lambda runs: (
            not (runs.values_of("d_k") == [512] and runs.values_of("scale") == [True])
        )
    )
    assert both.ends() == [{"d_k": 512, "scale": True}]


def test_a_sentence_speaks_of_what_it_names():
    narrow = claim(within={"d_k": [512]}, holds=lambda runs: runs.values_of("d_k") == [512])
    assert narrow.broken() == []
    assert len(claim(holds=lambda runs: False).broken()) == 18  # every setting: 3 × 3 × 2


def test_a_lesson_prints_the_range_by_one_call():
    shown = str(measured("unscaled-is-hard"))
    assert "0.61 to 0.94" in shown  # 8 keys, d_k 512, unscaled; from the stored file by hand
    assert "Said of: d_k = 512." in shown
    assert "; d_k = 64, initialisation = default." in shown


def test_an_unknown_claim_is_told_from_the_known_ones():
    with pytest.raises(ValueError, match="'lstm-reaches'; expected one of"):
        measured("lstm-reaches")


def test_of_several_tables_one_can_be_shown():
    whole = str(measured("likelier-than-chance")).split("\n\n")
    shown = str(measured("likelier-than-chance", "drawn"))
    assert shown.split("\n\n") == whole[-2:]
    assert "word, drawn, lowest" in shown
    with pytest.raises(ValueError, match=r"shows no table of 'chance'; expected one of \['beam'"):
        measured("likelier-than-chance", "drawn", "chance")
