"""The colours are told apart: by everybody, by the colour-blind, in grey, on light and dark."""

import itertools
import re
from pathlib import Path

import numpy as np
import pytest
from matplotlib.colors import to_hex
from PIL import ImageColor

import tutor
from tools.authoring.eyes import SEEN_BY, four_views, linear, seen_by
from tutor.display import palette
from tutor.display.canvas import Canvas
from tutor.display.palette import KINDS, PAPER, SERIES, STATUS, contrast, on_dark

ROLES = KINDS | {"highlight": palette.HIGHLIGHT, "ink": palette.INK}
SIGNS = {"above": palette.ABOVE, "below": palette.BELOW}
MODELS = {f"series {place}": colour for place, colour in enumerate(SERIES)}

# What meets in one picture.
GROUPS = {
    "roles and signs": ROLES | SIGNS,
    "series": MODELS | {"ink": palette.INK},
    "status": STATUS,
}
IN_GREY = {
    "roles": {name: KINDS[name] for name in ("query", "key", "value", "attention")},
    "series": GROUPS["series"],
    "status": STATUS,
}

# CIE 1976 distances; 2.3 is just noticeable side by side.
APART = {"everybody": 26.0, "deuteranopia": 15.0, "protanopia": 15.0, "grey": 5.4}
ON_DARK = 0.75  # of that


def lab(colour: str, who: str) -> np.ndarray:
    """A colour's place in CIE L*a*b*, as somebody sees it."""
    seen = np.clip(SEEN_BY[who] @ linear(colour), 0, 1)
    xyz = np.array([[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]])
    x, y, z = np.cbrt(xyz @ seen / [0.9505, 1.0, 1.089])
    return np.array([116 * y - 16, 500 * (x - y), 200 * (y - z)])


def too_close(colours: dict[str, str], who: str, least: float) -> list[str]:
    return [
        f"{one} and {other}: {distance:.1f}"
        for (one, a), (other, b) in itertools.combinations(colours.items(), 2)
        if (distance := np.linalg.norm(lab(a, who) - lab(b, who))) < least
    ]


@pytest.mark.parametrize("who", ["everybody", "deuteranopia", "protanopia"])
@pytest.mark.parametrize("group", GROUPS)
def test_colours_that_meet_are_told_apart(group, who):
    assert too_close(GROUPS[group], who, APART[who]) == []
    dark = {name: on_dark(colour) for name, colour in GROUPS[group].items()}
    assert too_close(dark, who, ON_DARK * APART[who]) == []


@pytest.mark.parametrize("group", IN_GREY)
def test_what_no_sign_explains_is_told_apart_in_grey(group):
    assert too_close(IN_GREY[group], "grey", APART["grey"]) == []


def test_a_picture_is_shown_as_four_people_see_it():
    canvas = Canvas(2, 1)
    canvas.figure.set_facecolor(palette.VALUE)
    views = four_views(canvas.png())
    assert views.size == (800, 400)
    places = {(0, 0): str, (400, 0): on_dark, (0, 200): "deuteranopia", (400, 200): "grey"}
    for (x, y), who in places.items():
        expected = seen_by(who, palette.VALUE) if isinstance(who, str) else who(palette.VALUE)
        assert views.getpixel((x + 100, y + 100)) == ImageColor.getrgb(expected)


def test_colours_that_are_too_close_would_be_found():
    seaborns = {"value": "#029e73", "attention": "#cc78bc", "neutral": "#949494"}
    assert too_close(seaborns, "everybody", APART["everybody"]) == []
    for who in ("deuteranopia", "grey"):
        assert too_close(seaborns, who, APART[who])


LINES = ROLES | SIGNS | MODELS | {name: STATUS[name] for name in ("right", "wrong", "open")}


@pytest.mark.parametrize("name", LINES)
def test_lines_stand_out_from_light_and_dark_paper(name):
    assert contrast(LINES[name], PAPER) >= 3
    assert contrast(on_dark(LINES[name]), on_dark(PAPER)) >= 3


@pytest.mark.parametrize("name", LINES)
def test_letters_in_a_colour_and_on_its_tint_can_be_read(name):
    for letters, ground in (
        (palette.readable(LINES[name]), PAPER),
        (palette.INK, palette.tint(LINES[name])),
    ):
        assert contrast(letters, ground) >= 4.5
        assert contrast(on_dark(letters), on_dark(ground)) >= 4.5


def test_positive_is_red_negative_is_blue_and_zero_is_white():
    signed = palette.colour_map("signed")
    red, white, blue = (signed(place)[:3] for place in (1.0, 0.5, 0.0))
    assert red[0] > 2 * max(red[1:])
    assert blue[2] > 2 * max(blue[:2])
    assert min(white) > 0.99
    assert (to_hex(red), to_hex(blue)) == (palette.ABOVE, palette.BELOW)


@pytest.mark.parametrize("kind", KINDS)
def test_weights_run_from_white_to_the_colour_of_their_kind(kind):
    assert to_hex(palette.colour_map(kind)(0.0)) == PAPER
    assert to_hex(palette.colour_map(kind)(1.0)) == KINDS[kind]


def test_unknown_kind_is_named():
    with pytest.raises(ValueError, match=r"'heat'.*signed"):
        palette.colour_map("heat")


def test_no_other_file_of_the_package_types_a_hue():
    hue = re.compile(r"#(?!(.)\1|(..)\2\2\b)(?:[0-9a-fA-F]{6}|[0-9a-fA-F]{3})\b")
    assert len(hue.findall("#fed #0173b2")) == 2
    assert not hue.search("#222 #e9e9e9 #fff")
    files = [
        path for path in Path(tutor.__file__).parent.rglob("*.py") if path.name != "palette.py"
    ]
    typed = [path.name for path in files if hue.search(path.read_text(encoding="utf-8"))]
    assert typed == []
