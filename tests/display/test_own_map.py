"""The map of a learner's parts: SmolLM2's has the boxes of SmolLM2, and no others."""

from collections import Counter
from collections.abc import Callable, Collection

import pytest
from matplotlib.figure import Figure
from matplotlib.patches import FancyBboxPatch
from matplotlib.text import Text

from tutor.display.course_map import SIZE
from tutor.display.own_map import BOXES, own_map
from tutor.display.parts import Sheet
from tutor.display.shapes import Box
from tutor.explorers.lesson09_output_softmax import changed_decoder
from tutor.learner.own_parts import MODELS, short_number

Drawn = Callable[[Collection[str]], Figure]
NUMBERS = {name: short_number(name) for name in MODELS["speaker"]}


@pytest.fixture
def drawn(monkeypatch: pytest.MonkeyPatch) -> Drawn:
    """Draw the map of SmolLM2 with some parts of one's own."""

    def draw(own: Collection[str]) -> Figure:
        figure = Figure(figsize=SIZE)
        monkeypatch.setattr("tutor.display.own_map.Picture", lambda draw, **_: draw(figure))
        own_map("speaker", own, numbers=NUMBERS)
        return figure

    return draw


def boxes(figure: Figure) -> list[Box]:
    (sheet,) = figure.axes
    assert isinstance(sheet, Sheet)
    return [part for part in sheet.parts if isinstance(part, Box)]


def test_the_map_of_the_speaker_has_no_box_that_it_has_not(drawn: Drawn):
    words = {text.get_text() for text in drawn([]).findobj(Text)}
    assert {"30 ×", "RMSNorm", "add", "split heads", "turn Q and K", "merge heads"} <= words
    assert not {"+ positions", "add & norm", "cross-att.", "masked att.", "mask"} & words
    assert {"lent", "no exercise"} <= words
    assert not {"not in it", "encoder", "decoder"} & words


def test_the_speaker_is_the_right_column_of_the_changed_decoder(
    drawn: Drawn, monkeypatch: pytest.MonkeyPatch
):
    figure = Figure(figsize=(8.0, 4.0))
    monkeypatch.setitem(changed_decoder.__globals__, "Picture", lambda draw, **_: draw(figure))
    changed_decoder()
    today = [box for box in boxes(figure) if box.at[0] > 6]
    mine = [box for box in boxes(drawn([])) if box.patch.get_gid()]
    assert [box.words for box in mine[:8]] == [box.words for box in today[:8]]
    assert len(today) == 9


def test_each_part_of_the_speaker_fills_a_box_and_each_box_is_drawn(drawn: Drawn):
    named = {name for fillers in BOXES["speaker"].values() for name in fillers}
    assert named == set(MODELS["speaker"])
    gids = {str(box.patch.get_gid()) for box in boxes(drawn([])) if box.patch.get_gid()}
    assert gids == {*BOXES["speaker"], "add"}


def test_a_box_of_the_speaker_is_filled_if_all_that_runs_in_it_is_ones_own(drawn: Drawn):
    styles: dict[str, tuple[str, str]] = {}
    for box in boxes(drawn(["split_heads", "rms_norm"])):
        assert isinstance(box.patch, FancyBboxPatch)
        face = "white" if box.patch.get_facecolor()[:3] == (1, 1, 1) else "filled"
        styles[str(box.patch.get_gid())] = (str(box.patch.get_linestyle()), face)
    assert styles["split"] == styles["norm"]
    assert styles["split"][1] == styles["attention"][1] == "filled"
    assert styles["split"][0] != styles["attention"][0] == styles["turn"][0]
    assert styles["turn"][1] == "white"


def test_beside_the_boxes_of_the_speaker_stand_their_exercises(drawn: Drawn):
    found = [text.get_text() for text in drawn([]).findobj(Text)]
    wanted = Counter(NUMBERS.values()) + Counter({NUMBERS["rms_norm"]: 2})
    assert Counter(word for word in found if word in wanted) == wanted
