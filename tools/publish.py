"""Make files of the lessons that need no kernel and no network: pages to read, decks of slides.

    python tools/publish.py site [NOTEBOOK ...]     pages and decks, in build/
    python tools/publish.py slides [NOTEBOOK ...]   decks only

Lessons are executed side by side, as `make notebooks` would, and kept in build/frames/ until their
code or what it loads changes; if nothing has changed at all, nothing is written. In the kernel a
lesson's explorers give a picture for each combination of their controls, or for each setting of
their tour, and these take the place of the live sliders. They lie in slides/frames/, a file a
lesson, which page and deck both load, from the disk too.
"""

import argparse
import os
import sys
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from authoring.execute import NotebookError
from authoring.files import LESSONS, ROOT, notebooks_in, shown
from authoring.published import repository
from authoring.publishing.files import (
    to_open,
    write_deck,
    write_frames,
    write_others,
    write_page,
)
from authoring.publishing.lessons import first_picture, lesson_with_frames
from authoring.publishing.limits import too_large
from authoring.publishing.made import is_made, remember, sources
from tqdm import tqdm


def publish(
    what: str, paths: Sequence[Path], folder: Path, *, lecturer: bool = False
) -> list[Path]:
    """Write the pages and decks of lessons, or their decks only, and return the files."""
    files: list[Path] = []
    with ThreadPoolExecutor(os.cpu_count()) as pool, tqdm(total=len(paths), unit="lesson") as bar:
        if what == "site":
            pool.submit(first_picture)  # kept for write_others
        try:
            for path, notebook in zip(paths, pool.map(lesson_with_frames, paths), strict=True):
                bar.set_description(path.stem)
                files += [
                    write(notebook, path.stem, folder) for write in (write_frames, write_deck)
                ]
                if what == "site":
                    files.append(write_page(notebook, path.stem, folder, lecturer=lecturer))
                bar.update()
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)  # the others need not begin
            raise
    return [*files, *write_others(folder)] if what == "site" else files


def main(arguments: Sequence[str] | None = None) -> int:
    """Publish the lessons, and say where to open them."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("what", choices=("site", "slides"))
    parser.add_argument("notebooks", type=Path, nargs="*", help="all lessons")
    parser.add_argument("--out", type=Path, default=ROOT / "build", help="build/")
    parser.add_argument("--lecturer", action="store_true", help="pages with the lecturer's notes")
    options = parser.parse_args(arguments)
    paths = options.notebooks or notebooks_in(LESSONS)
    asked = f"{options.what} {[shown(path) for path in paths]} {options.lecturer}"
    if is_made(asked, options.out):
        print(f"Nothing has changed since it was made: {shown(options.out)}/")
        return 0
    made_from = sources(asked)  # whoever edits meanwhile wants it published anew
    try:
        files = publish(options.what, paths, options.out, lecturer=options.lecturer)
    except (NotebookError, ValueError, OSError) as problem:
        print(f"publish.py: {problem}", file=sys.stderr)
        return 1
    if large := too_large(files):
        print("publish.py: too large:", *large, sep="\n", file=sys.stderr)
        return 1
    remember(made_from, options.out, files)
    size = sum(file.stat().st_size for file in files) / 1e6
    print(f"{len(files)} files, {size:.0f} MB, which need nothing else.", end=" ")
    print(f"Open {shown(to_open(files))}")
    if options.what == "site":
        print("To put them on the web, take the folders site/ and slides/ together.")
        if not repository():
            print("Buttons to Colab and Binder are left out: pyproject.toml names no repository.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
