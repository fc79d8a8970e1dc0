"""The course's style ends with its block, and its fonts are used."""

import shutil

import matplotlib as mpl

from tutor.display import style as module
from tutor.display.style import style


def test_style_ends_with_its_block():
    before = mpl.rcParams["axes.spines.top"]
    with style():
        assert mpl.rcParams["axes.spines.top"] is False
    assert mpl.rcParams["axes.spines.top"] == before


def test_vendored_fonts_are_found_and_used(tmp_path, monkeypatch):
    from matplotlib import font_manager

    source = font_manager.findfont("STIXGeneral")
    shutil.copy(source, tmp_path / "mine.ttf")
    monkeypatch.setattr(module, "FONTS", tmp_path)
    module.vendored_fonts.cache_clear()
    with style():
        assert mpl.rcParams["font.family"] == ["DejaVu Sans", "STIXGeneral"]
    module.vendored_fonts.cache_clear()
