"""Lesson 8's explorers show what the trained model computed, and say what it could not read."""

import pytest
import torch

from tutor.data.files import load_results
from tutor.display.style import vendored_fonts
from tutor.explorers import lesson08_full_transformer as lesson


def test_the_decoder_reads_what_was_written_one_place_later():
    seen = lesson.seen("May 3, 2024")
    assert seen.decoder_input == ["<bos>", *seen.written[:-1]]
    assert seen.written[-1] == "<eos>"
    assert "".join(seen.written[:-1]).replace("##", "") == "2024년5월3일"


@pytest.mark.parametrize("stage", lesson.STAGES, ids=lambda stage: stage.name)
def test_every_stage_has_a_row_for_each_of_its_words(stage):
    seen = lesson.seen("3 days ago")
    attention = stage.path.endswith("attention")
    tensor = seen.tensors[f"{stage.path}.weights" if attention else stage.path]
    rows = len(seen.source) if stage.rows == "source" else len(seen.written)
    assert tensor.size(-2) == rows
    if attention:
        columns = len(seen.source) if stage.columns == "source" else len(seen.written)
        assert tensor.shape == (1, 4, rows, columns)
        torch.testing.assert_close(tensor.sum(-1), torch.ones(1, 4, rows))


def test_the_first_written_word_of_a_date_looks_at_the_last_of_the_source():
    seen = lesson.seen("May 3, 2024")
    weights = seen.tensors["decoder.layers.1.cross_attention.weights"][0].mean(0)  # (T, S)
    year = seen.source.index("2024")
    assert weights[0].argmax() == year
    assert weights[2].argmax() != year


def test_words_the_model_does_not_know_are_named():
    explorer = lesson.alignment()
    assert "unknown" not in explorer.frame(phrase="3 days ago").caption
    assert explorer.frame(phrase="3 qqq ago").caption.endswith("unknown: qqq")
    assert "first 12" in explorer.frame(phrase="3 " * 13).caption
    explorer.close()


def test_the_caption_of_a_schedule_is_that_of_its_stored_curve():
    explorer = lesson.rate_and_loss()
    for name, curve in load_results("rates")["values"]["schedules"].items():
        caption = explorer.frame(schedule=name).caption
        assert caption.startswith(f"{name}: ")
        assert f"loss {curve['loss'][-1]:.2f}" in caption
    explorer.close()


def test_korean_words_are_drawn_with_a_font_that_has_them(recwarn):
    assert vendored_fonts()
    for explorer, move in (
        (lesson.alignment(), {"phrase": "Peru, Chad, and Togo"}),
        (lesson.walk_through(), {"stage": lesson.STAGES[-1].name}),
    ):
        explorer.frame(**move)  # labels that only this move makes
        explorer.close()
    lesson.three_attentions(["I"], ["나는", "듣는다"])
    assert not [warning for warning in recwarn if "missing from font" in str(warning.message)]
