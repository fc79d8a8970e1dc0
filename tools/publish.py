"""Make files of the lessons that need no kernel and no network: pages to read, decks of slides.

    python tools/publish.py site [NOTEBOOK ...]     pages, decks and the list of all, in build/
    python tools/publish.py slides [NOTEBOOK ...]   decks only

Each lesson is executed once, as `make notebooks` would, and kept in build/frames/ until it or the
package changes. In the kernel its explorers give a picture for each combination of their controls,
or for each setting of their tour, and these take the place of the live sliders.
"""

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from authoring.execute import NotebookError
from authoring.files import LESSONS, ROOT, notebooks_in, shown
from authoring.publishing.files import write_deck, write_home, write_page
from authoring.publishing.lessons import lesson_with_frames
from tqdm import tqdm


def publish(what: str, paths: Sequence[Path], folder: Path) -> list[Path]:
    """Write the pages and decks of lessons, or their decks only, and return the files."""
    writers = (write_page, write_deck) if what == "site" else (write_deck,)
    files = []
    with tqdm(paths, unit="lesson") as bar:
        for path in bar:
            bar.set_description(path.stem)
            notebook = lesson_with_frames(path)
            files += [write(notebook, path.stem, folder) for write in writers]
    return [*files, write_home(folder)] if what == "site" else files


def main(arguments: Sequence[str] | None = None) -> int:
    """Publish the lessons, and say where to open them."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("what", choices=("site", "slides"))
    parser.add_argument("notebooks", type=Path, nargs="*", help="all lessons")
    parser.add_argument("--out", type=Path, default=ROOT / "build", help="build/")
    options = parser.parse_args(arguments)
    try:
        files = publish(options.what, options.notebooks or notebooks_in(LESSONS), options.out)
    except (NotebookError, ValueError, OSError) as problem:
        print(f"publish.py: {problem}", file=sys.stderr)
        return 1
    size = sum(file.stat().st_size for file in files) / 1e6
    first = files[-1] if options.what == "site" else files[0]  # the list of all, or the first deck
    print(f"{len(files)} files, {size:.0f} MB, which need nothing else. Open {shown(first)}")
    if options.what == "site":
        print("To put them on the web, take the folders site/ and slides/ together.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
