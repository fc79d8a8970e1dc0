"""Cut a font down to the characters that are needed, and give it a name of its own."""

from pathlib import Path
from typing import Any


def cut_font(original: Path, characters: str, name: str, target: Path, **choices: Any) -> None:
    """Write the part of a font that some characters need, renamed, as the licence OFL-1.1 asks.

    Args:
        original: the whole font's file.
        characters: what the part must be able to write.
        name: the part's own.
        target: the file to write.
        choices: of fontTools' subsetter, beside those that both fonts of the course share.
    """
    from fontTools import subset

    options = subset.Options(hinting=False, notdef_outline=True, name_IDs=[0], **choices)
    font: Any = subset.load_font(str(original), options)
    font.recalcTimestamp = False  # the same bytes whenever it is made
    cut = subset.Subsetter(options)
    cut.populate(text=characters)
    cut.subset(font)
    short = name.replace(" ", "")
    for number, text in ((1, name), (2, "Regular"), (4, name), (6, short)):
        font["name"].setName(text, number, 3, 1, 0x409)
    if "CFF " in font:  # outlines of this kind bear the name once more
        font["CFF "].cff.fontNames = [short]
    subset.save_font(font, str(target), options)
