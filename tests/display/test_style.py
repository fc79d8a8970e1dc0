"""The course's style ends with its block, and its fonts are used."""

import re
import shutil
from pathlib import Path

import matplotlib as mpl
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.font_manager import get_font

import tutor
from tutor.data.phrasebook import load_phrasebook
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
        assert mpl.rcParams["font.family"] == ["STIXGeneral", "DejaVu Sans"]
    module.vendored_fonts.cache_clear()


def test_pictures_are_written_in_three_sizes():
    """Signs apart, which are drawings: × in a node, · between two matrices."""
    own = re.compile(r"(fontsize=|\"fontsize\": |\bsize=|set_fontsize\()\d")
    folder = Path(tutor.__file__).parent
    files = [*folder.glob("explorers/**/*.py"), *folder.glob("display/*.py")]
    lines = [line for file in files for line in file.read_text("utf-8").splitlines()]
    assert [line for line in lines if own.search(line) and ">>>" not in line] == []


def test_every_letter_of_korean_texts_and_the_signs_of_pictures_are_there():
    drawn = get_font(module.FONTS / "course-sans.otf").get_charmap()
    catalogues = Path(tutor.__file__).parent.glob("data/locale/ko/*.po")
    texts = [*load_phrasebook("ko").target_words.words, *(f.read_text("utf-8") for f in catalogues)]
    letters = {letter for text in texts for letter in text if "가" <= letter <= "힣"}
    assert not {letter for letter in letters | set("–−·×÷→√∞≠₀ₙ○") if ord(letter) not in drawn}


def test_a_figure_of_ones_own_has_korean_letters_too(recwarn):
    module.vendored_fonts.cache_clear()
    with mpl.rc_context({"font.family": ["sans-serif"]}):
        module.vendored_fonts()
        figure = Figure()
        figure.suptitle("누가 누구를 보는가")
        FigureCanvasAgg(figure).draw()
    assert not [warning for warning in recwarn if "missing from font" in str(warning.message)]
