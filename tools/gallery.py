"""Draw a lesson's live pictures, or the ten diagrams of the gallery, as different people see them.

    python tools/gallery.py /tmp/seen          the gallery: tests/display/gallery.py
    python tools/gallery.py /tmp/seen 04       the explorers of lesson 4, as they start

Each becomes one PNG file with four views of it: on a light page, on a dark one, with deuteranopia,
in grey.
"""

import argparse
import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

from authoring.eyes import four_views
from authoring.files import ROOT

from tutor.exercises import lessons


def main() -> None:
    """Write the files and print their names."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path, help="where the files go")
    parser.add_argument("lesson", nargs="?", help="its number; the gallery unless given")
    wanted = parser.parse_args()
    wanted.folder.mkdir(parents=True, exist_ok=True)
    for name, png in pictures(wanted.lesson):
        file = wanted.folder / f"{name}.png"
        four_views(png).save(file)
        print(file)


def pictures(lesson: str | None) -> Iterator[tuple[str, bytes]]:
    """Draw what was asked for, each picture with its name."""
    if lesson is None:
        sys.path.insert(0, str(ROOT))
        for make in import_module("tests.display.gallery").GALLERY:
            yield make.__name__, make().png
        return
    module = next(name for name in lessons() if name.startswith(lesson))
    for make in import_module(f"tutor.explorers.lesson{module}").EXPLORERS:
        yield make.__name__, make().png()


if __name__ == "__main__":
    main()
