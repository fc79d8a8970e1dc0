"""The parts of a diagram: where they stand, what follows them, what is said of them."""

import warnings

import numpy as np
import pytest
from matplotlib.figure import Figure

from tutor.display.canvas import Canvas
from tutor.display.diagram import Diagram
from tutor.display.explorer import Explorer, live
from tutor.display.lettering import fitted, label, text_width
from tutor.display.links import Link
from tutor.display.parts import glide
from tutor.display.style import style


@pytest.fixture
def d() -> Diagram:
    return Diagram(Figure(figsize=(8, 4)))


def ends(link: Link) -> tuple[np.ndarray, np.ndarray]:
    """Where a link begins, and where the point of its tip, or else its line, ends."""
    tip = link._tip.get_xy()[1] if link._head else link._line.get_path().vertices[-1]
    return link._line.get_path().vertices[0], tip


def test_a_unit_is_half_an_inch(d):
    assert (d.width, d.height) == (16, 8)
    assert d.box("", at=(3, 2), width=2, height=1).right == (4, 2)


def test_links_leave_and_arrive_at_the_edges_that_look_at_each_other(d):
    low, high, far = d.box("a", (2, 1)), d.box("b", (2, 5)), d.box("c", (9, 1))
    for start, end in ((low, high), (high, low)):
        begins, arrives = ends(d.link(start, end))
        np.testing.assert_allclose(begins, start.top if start is low else start.bottom)
        np.testing.assert_allclose(arrives, end.bottom if end is high else end.top)
    np.testing.assert_allclose(ends(d.link(low, far))[0], low.right)
    np.testing.assert_allclose(ends(d.link(low, far))[1], far.left)
    corner = d.link(low, high, via=[(6, 1), (6, 5)])
    np.testing.assert_allclose(ends(corner)[0], low.right)
    np.testing.assert_allclose(ends(corner)[1], high.right)


def test_links_meet_a_round_node_on_its_circle(d):
    node, word = d.node("+", (8, 4), width=2), d.box("a", (2, 1))
    np.testing.assert_allclose(node.edge_towards(14, 12), (8.6, 4.8))  # 3, 4, 5
    np.testing.assert_allclose(ends(d.link(node, (8, 0)))[0], node.bottom)
    begins, arrives = ends(d.link(word, node))
    np.testing.assert_allclose(begins, word.top)
    assert np.hypot(*(arrives - node.at)) == pytest.approx(1)


def test_what_hangs_on_a_part_follows_it(d):
    word, head = d.box("a", (2, 1)), d.box("b", (2, 5))
    link, bracket = d.link(word, head), d.bracket([word], "d_k")
    before = bracket._line.get_path().vertices
    word.move(4, 2)
    np.testing.assert_allclose(ends(link)[0], (4, 2.4))
    moved = bracket._line.get_path().vertices - before
    np.testing.assert_allclose(moved, np.tile([2.0, 1.0], (4, 1)))


def test_width_is_weight(d):
    a, b = d.box("a", (2, 1)), d.box("b", (9, 1))
    widths = [d.link(a, b, weight=weight)._line.get_linewidth() for weight in (0.25, 0.5, 1.0)]
    assert widths[1] == 2 * widths[0]
    assert widths[2] == 4 * widths[0]
    nothing = d.link(a, b, weight=0.0)._line
    assert nothing.get_linewidth() < widths[0]
    assert nothing.get_linestyle() != "-"


def test_bent_arrows_bow_up_whichever_way_they_point(d):
    a, b = d.box("a", (2, 1)), d.box("b", (9, 1))
    for start, end in ((a, b), (b, a)):
        path = d.link(start.top, end.top, bend=0.25)._line.get_path().vertices
        assert path[1][1] > 1.4 + 1


def test_ribbons_arch_over_a_row_and_wave_between_two(d):
    first, *_, last = d.tokens(["a", "b", "c"], at=(8, 1), step=4)
    above = d.box("x", (12, 5))
    begins, arrives = ends(d.ribbon(first, last, 0.5))
    np.testing.assert_allclose([begins, arrives], [first.top, last.top])
    begins, arrives = ends(d.ribbon(first, above, 0.5))
    np.testing.assert_allclose([begins, arrives], [first.top, above.bottom])


def test_tokens_stand_in_the_middle_side_by_side_or_in_step(d):
    tokens = d.tokens(["a", "longer", "word"], at=(8, 1), gap=0.2)
    assert tokens[0].left[0] + tokens[-1].right[0] == pytest.approx(16)
    assert tokens[1].left[0] - tokens[0].right[0] == pytest.approx(0.2)
    assert [token.at[0] for token in d.tokens(["a", "longer", "b"], at=(8, 1), step=3)] == [
        5,
        8,
        11,
    ]


def test_a_row_has_room_for_names_and_keeps_its_middle(d):
    named = d.matrix(np.eye(2), rows=["river", "bank"])
    first, sign, second = d.row(named, "softmax →", d.matrix(np.eye(2)), at=(8, 4))
    assert first.left[0] - first.margins[0] + second.right[0] + second.margins[1] == pytest.approx(
        16
    )
    assert first.right[0] + first.margins[1] < sign.left[0] < sign.right[0] < second.left[0]
    assert sign.text.get_text() == "→"


def test_what_is_said_names_ends_and_weights(d):
    words = d.tokens(["river", "bank"], at=(8, 1))
    d.ribbon(words[1], words[0], 0.86)
    d.link(words[1], words[0])  # a plain arrow says nothing
    d.bar((3, 1), 0.0009, name="the")
    d.cube((2, 2, 2), (12, 4), name="batch").light(np.eye(2)[None] * np.ones((2, 1, 1)))
    assert d.sheet.said() == "Links: bank → river 0.86. the 0.0009. batch: 4 of 8 cells."


def test_labels_need_room_for_a_translation(d):
    assert label("cross-\nattention") == "cross-\nattention"
    with pytest.raises(ValueError, match="'masked attention' is 16 columns wide"):
        label("masked attention")
    assert label("마스크 어텐션") == "마스크 어텐션"  # 13 columns, and it may have 28
    with pytest.raises(ValueError, match="32 columns"):
        d.box("사랑한다" * 4, at=(3, 3))


@pytest.mark.parametrize("words", ["attention", "feed-forward", "attention attention", "a b c d"])
@pytest.mark.parametrize("width", [1.0, 2.6])
def test_words_fit_their_box_though_they_double(words, width):
    text, size = fitted(words, width, 0.8, 11.0)
    assert max(text_width(line, size) for line in text.split("\n")) <= width + 0.01 or size == 6.5
    assert len(text.split("\n")) * 1.2 * size / 36 <= 0.8 + 0.01
    assert text.replace("\n", " ") == words


def test_what_was_lit_or_emptied_looks_as_before_when_it_is_over(d):
    box = d.box("a", (2, 2), kind="query")
    before = (box.patch.get_facecolor(), box.patch.get_edgecolor(), box.text.get_fontweight())
    for change in (box.light, box.empty, box.fade):
        change()
        change(False)
    after = (box.patch.get_facecolor(), box.patch.get_edgecolor(), box.text.get_fontweight())
    assert before == after
    assert box.text.get_visible()


def film() -> Explorer:
    """A tile that glides, an arrow that follows it, a bar that grows, a matrix that changes."""

    def draw(fig, **_start):
        d = Diagram(fig)
        tile, goal = d.box("11", (2, 2), width=1), d.box("head 0", (12, 2))
        d.link(tile, goal, weight=0.5)
        bar, matrix = d.bar((6, 4), limit=4), d.matrix(np.zeros((2, 2)), at=(10, 5), kind="value")

        def update(step):
            tile.move(*glide((2, 2), (8, 6), step / 4))
            tile.light(step == 4)
            bar.set(step, printed=str(step))
            matrix.set(np.full((2, 2), step / 4))
            matrix.mark(row=step % 2)
            return f"step {step} of 4"

        return update

    return live(draw, alt="A tile glides.", step=(0, 4, 1, 0))


def test_moving_parts_are_drawn_the_quick_way_as_if_drawn_anew():
    explorer = film()
    quick = [explorer.frame(step=step).png for step in (0, 1, 4, 2, 0)]
    assert len(set(quick)) == 4
    assert quick[0] == quick[-1]
    for step, png in zip((0, 1, 4, 2), quick, strict=False):
        explorer._canvas.redraw()
        assert explorer.frame(step=step).png == png
    explorer.close()


def test_nothing_of_the_style_is_needed_later():
    """What `update` changes is drawn outside of `style`: sizes and colours must be the parts'."""
    canvas = Canvas(4, 2)
    with style():
        words = Diagram(canvas.figure).words("나는", (2, 2))
    words.write("그녀를")
    canvas.freeze_layout()
    with warnings.catch_warnings(action="error"):  # a letter that no font has
        canvas.png()
    assert words.text.get_fontsize() == 11.0
