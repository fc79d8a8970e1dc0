"""Lesson 8's explorers show what the trained model computed, and say what it could not read."""

import pytest
import torch

from tutor.data.files import load_results
from tutor.display.style import vendored_fonts
from tutor.embedding import BOS, EOS
from tutor.explorers import lesson08_full_transformer as lesson
from tutor.explorers.lesson08_full_transformer.model_on_one_page import (
    SIZES,
    EncoderLayer,
    line_of,
    shape_of,
)
from tutor.explorers.lesson08_full_transformer.model_on_one_page import STEPS as LINES
from tutor.explorers.lesson08_full_transformer.sentence_film import STEPS
from tutor.explorers.lesson08_full_transformer.traced_phrase import trace_phrase
from tutor.explorers.lesson08_full_transformer.traced_sentence import trace_sentence
from tutor.explorers.lesson08_full_transformer.walk_through import STAGES
from tutor.models.tracing import trace
from tutor.paper_model import PaperTransformer
from tutor.training.talker import talker, write


def test_the_decoder_reads_what_was_written_one_place_later():
    found = trace_phrase("May 3, 2024")
    assert found.decoder_input == ["<bos>", *found.written[:-1]]
    assert found.written[-1] == "<eos>"
    assert "".join(found.written[:-1]).replace("##", "") == "2024년5월3일"


@pytest.mark.parametrize("stage", STAGES, ids=lambda stage: stage.name)
def test_every_stage_has_a_row_for_each_of_its_words(stage):
    found = trace_phrase("3 days ago")
    attention = stage.path.endswith("attention")
    tensor = found.tensors[f"{stage.path}.weights" if attention else stage.path]
    rows = len(found.source) if stage.rows == "source" else len(found.written)
    assert tensor.size(-2) == rows
    if attention:
        columns = len(found.source) if stage.columns == "source" else len(found.written)
        assert tensor.shape == (1, 4, rows, columns)
        torch.testing.assert_close(tensor.sum(-1), torch.ones(1, 4, rows))


def test_the_first_written_word_of_a_date_looks_at_the_last_of_the_source():
    found = trace_phrase("May 3, 2024")
    weights = found.tensors["decoder.layers.1.cross_attention.weights"][0].mean(0)  # (T, S)
    year = found.source.index("2024")
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
    stored = load_results("rates")["values"]["schedules"]
    for _, name in explorer.controls["schedule"]._options_full:
        curve = stored[name]
        caption = explorer.frame(schedule=name).caption
        assert caption.startswith(f"{name}: ")
        assert f"loss {curve['loss'][-1]:.2f}" in caption
    explorer.close()


def test_each_run_of_the_film_computes_the_rows_that_all_at_once_have():
    """The film shows one pass, row by row; the model, run on so many words, gives the same."""
    model, task = talker()
    found = trace_sentence("they know him")
    for run in range(1, 5):
        read = torch.tensor([task.target_words.encode(found.read[:run])])
        logits = model(task.read("they know him"), read)[0]
        torch.testing.assert_close(logits.softmax(-1), found.chances[:run], rtol=0, atol=1e-9)
        assert found.likeliest(run - 1, 1)[0][0] == found.written[run - 1]


def test_the_film_has_a_step_for_each_tensor_with_the_shape_it_has_then():
    explorer = lesson.sentence_film()
    captions = [explorer.frame(step=step).caption for step in range(1, STEPS + 1)]
    explorer.close()
    assert "(1, 4, 64)" in captions[5]
    assert [f"run {run}" in captions[7 + 5 * (run - 1)] for run in (1, 2, 3, 4)] == [True] * 4
    assert "self-att.: (1, 2, 2, 2)" in captions[13]
    assert "cross-att.: (1, 2, 2, 4)" in captions[14]
    assert captions[-1].endswith("나는 (I) 그녀를 (her) 사랑한다 (love)")


def test_the_film_shows_no_row_before_its_word_is_read():
    explorer = lesson.sentence_film()
    for step, rows in ((10, 1), (15, 2), (20, 3), (14, 2)):  # cross-attentions, a look back
        explorer.frame(step=step)
        (sheet,) = explorer._canvas.figure.axes
        maps = [
            part.numbers
            for part in sheet.parts
            if getattr(part, "name", "").startswith("head") and part.artists[0].get_visible()
        ]
        assert len(maps) == 2
        for numbers in maps:
            assert [bool((row == row).any()) for row in numbers] == [True] * rows + [False] * (
                4 - rows
            ), step
    explorer.close()


def test_the_second_row_of_the_cross_attention_looks_at_the_object():
    weights = trace_sentence("I love her").tensors["decoder.layers.0.cross_attention.weights"][0]
    assert (weights[:, 1, 2] > 0.9).all()  # both heads, 나는 → 그녀를, at "her"
    assert (weights[:, 2, 1] > 0.9).all()  # then at "love"


def test_words_written_after_a_change_of_memory_are_those_of_the_new_sentence():
    model, task = talker()
    mine, theirs = (model.encode(task.read(text)) for text in ("I love her", "they know him"))
    assert write(model, task, [mine, theirs]) == ["나는", "그를", "안다", EOS]
    assert write(model, task, [mine, mine, theirs]) == ["나는", "그녀를", "안다", EOS]
    assert write(model, task, [theirs]) == ["그들은", "그를", "안다", EOS]


def test_a_cut_wire_leaves_a_sentence_that_has_nothing_of_the_source():
    explorer = lesson.cut_the_wire()
    captions = {name: explorer.frame(memory=name).caption for name in ("whole", "zeros")}
    explorer.close()
    assert captions["whole"].endswith("나는 (I) 그녀를 (her) 사랑한다 (love), 4 runs")
    assert captions["zeros"].endswith("너는 (you) 그를 (him) 안다 (know), 4 runs")


def test_the_page_has_every_line_and_the_shapes_it_makes():
    """Lines are read from the page itself; shapes are those of a model run at these sizes."""
    page = PaperTransformer(V=780, N=2, D=128, d_ff=512, h=4)
    sizes = SIZES
    source = torch.ones(sizes["B"], sizes["S"], dtype=torch.long)
    target = torch.ones(sizes["B"], sizes["T"], dtype=torch.long)
    with trace(page) as t:
        page(source, target)
    made = {
        "memory": "encoder",
        "self.norm_self": "decoder.layers.0.norm_self",
        "self.norm_cross": "decoder.layers.0.norm_cross",
        "self.decoder": "decoder",
        "self.embedding.table.T": "model",
    }
    for step in LINES:
        line = line_of(step)
        encodes = step.method is EncoderLayer.forward
        for part, path in made.items():
            if part in line.split("(")[0] and not encodes and step.begins != "x = self.dropout":
                assert shape_of(step) == str(tuple(t[path].shape)), line
    keeps = [shape_of(step) for step in LINES[:3]]
    assert keeps == ["(2, 1, 1, 6)", "(4, 4)", "(2, 1, 4, 4)"]
    assert shape_of(LINES[5]) == str(tuple(t["encoder.layers.0"].shape))


def test_rows_of_cross_attention_are_named_alike_everywhere():
    found = trace_phrase("3 days ago")
    first = f"{BOS} → {found.written[0]}"
    pictures = [lesson.alignment(), lesson.walk_through()]
    pictures[0].frame(phrase="3 days ago")
    pictures[1].frame(sentence="3 days ago", stage=STAGES[12].name)
    for explorer in pictures:
        labels = [
            label.get_text()
            for ax in explorer._canvas.figure.axes
            for label in ax.get_yticklabels()
        ]
        assert first in labels
        explorer.close()


def test_korean_words_are_drawn_with_a_font_that_has_them(recwarn):
    assert vendored_fonts()
    for explorer, move in (
        (lesson.alignment(), {"phrase": "Peru, Chad, and Togo"}),
        (lesson.walk_through(), {"stage": STAGES[-1].name}),
    ):
        explorer.frame(**move)  # labels that only this move makes
        explorer.close()
    lesson.three_attentions(["I", "<pad>"], ["나는", "듣는다"])
    lesson.sentence_film().frame(step=STEPS)
    assert not [warning for warning in recwarn if "missing from font" in str(warning.message)]
