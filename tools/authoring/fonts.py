"""Cut a font down to the characters that are needed, and give it a name of its own."""

from pathlib import Path
from typing import Any


def cut_font(
    original: Path, characters: str, name: str, target: Any, weight: str = "Regular", **choices: Any
) -> None:
    """Write the part of a font that some characters need, renamed, as the licence OFL-1.1 asks.

    Args:
        original: the whole font's file.
        characters: what the part must be able to write, as far as the original can.
        name: the part's own.
        target: the file to write.
        weight: what the part's weight is called.
        choices: of fontTools' subsetter, beside those that all fonts of the course share.
    """
    from fontTools import subset

    options = subset.Options(hinting=False, notdef_outline=True, name_IDs=[0], **choices)
    font: Any = subset.load_font(str(original), options)
    font.recalcTimestamp = False  # the same bytes whenever it is made
    cut = subset.Subsetter(options)
    cut.populate(text=characters)
    cut.subset(font)
    full = name if weight == "Regular" else f"{name} {weight}"
    short = full.replace(" ", "")
    for number, text in ((1, name), (2, weight), (4, full), (6, short)):
        font["name"].setName(text, number, 3, 1, 0x409)
    if "CFF " in font:  # outlines of this kind bear the name once more
        font["CFF "].cff.fontNames = [short]
    font.flavor = options.flavor
    font.save(target)
