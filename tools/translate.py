"""Translate the course: one English source, and catalogues of its texts for other languages.

    python tools/translate.py update ko [NAME ...]    bring catalogues up to date with the English
    python tools/translate.py check ko [NAME ...]     what is wrong with their translations
    python tools/translate.py build ko [NOTEBOOK ...] write notebooks as a learner gets them
    python tools/translate.py count [ko]              texts and words of each catalogue, and done
    python tools/translate.py extract FOLDER          templates (.pot), for other programs

A catalogue is `tutor/data/locale/LANGUAGE/NAME.po`: `lesson04` a lesson, `exercises04` its
exercises and solutions, `hints04` their hints and mistakes, `explorers04` its pictures, `claims04`
its measured tables, `package` what all lessons share, `commands`, `grading`, `site` what stands
round the lessons' pages, and `shared` what several of these have in common. `update` brings those
up to date that are there, and makes those that are named.
"""

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from authoring.files import LESSONS, ROOT, notebooks_in, shown
from authoring.translation.catalogues import (
    key_of,
    merged,
    names_of,
    path_of,
    read,
    translation_of,
    write,
)
from authoring.translation.complaints import complaints
from authoring.translation.extract import everything
from authoring.translation.still import MEND, still_to_do

from tutor.files import write_whole
from tutor.learner.copies import copy_of
from tutor.learner.language import ENGLISH, known_language


def update(language: str, names: Sequence[str]) -> None:
    """Bring catalogues up to date; say of each what is new, and what is to be read again."""
    found = everything()
    there = names_of(language)
    if unknown := sorted({*names} - found.keys()):
        raise ValueError(f"there is no catalogue {unknown}; there are {sorted(found)}")
    old = {
        key_of(message): message
        for name in there
        for message in read(path_of(language, name), language)
    }
    for name in sorted({*there, *names}):
        catalogue = merged(found.get(name, []), language, old)
        write(catalogue, path_of(language, name))
        print(f"{name:12}", _state(path_of(language, name), language))


def _state(path: Path, language: str) -> str:
    entries = read(path, language)
    stale = sum(message.fuzzy for message in entries)
    done = sum(bool(translation_of(message)) for message in entries) - stale
    return f"{done} of {len(entries)} translated, {stale} to be read again"


def check(language: str, names: Sequence[str]) -> int:
    """Print what is wrong with translations, and missing where all is translated; give a code."""
    found = [
        f"{name}: {line}"
        for name in names or names_of(language)
        for line in complaints(read(path_of(language, name), language))
    ]
    behind = [] if names else still_to_do(language, everything())
    print(*found, *behind, f"{len(found) + len(behind)} to look at", sep="\n")
    if behind:
        print(MEND.format(language=language))
    return int(bool(found or behind))


def build(language: str, paths: Sequence[Path], folder: Path) -> None:
    """Write notebooks in a language, as a learner gets them."""
    for path in paths:
        target = folder / path.resolve().relative_to(ROOT)
        write_whole(target, copy_of(path, language))
        print(shown(target))


def count(language: str) -> None:
    """Print how many texts and words each catalogue has, and how many of them are translated."""
    for name, texts in sorted(everything().items()):
        distinct = {one.key for one in texts}
        words = sum(len(english.split()) for _, english in distinct)
        path = path_of(language, name)
        state = _state(path, language) if language != ENGLISH and path.exists() else ""
        print(f"{name:12} {len(distinct):6} texts {words:7} words  {state}")


def extract(folder: Path) -> None:
    """Write a template of each catalogue."""
    for name, texts in everything().items():
        write(merged(texts, ENGLISH, {}), folder / f"{name}.pot")


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    commands = parser.add_subparsers(required=True)

    def add(name: str, about: str, **language: str) -> argparse.ArgumentParser:
        command: argparse.ArgumentParser = commands.add_parser(name, help=about)
        if language:
            command.add_argument("language", **language)
        return command

    updating = add("update", "bring catalogues up to date", help="as ko")
    updating.add_argument("names", nargs="*")
    updating.set_defaults(do=lambda given: update(given.language, given.names))
    checking = add("check", "say what is wrong with translations", help="as ko")
    checking.add_argument("names", nargs="*")
    checking.set_defaults(do=lambda given: check(known_language(given.language), given.names))
    building = add("build", "write notebooks as a learner gets them", help="as ko")
    building.add_argument("notebooks", type=Path, nargs="*", default=notebooks_in(LESSONS))
    building.add_argument("--out", type=Path, help="build/LANGUAGE/")
    building.set_defaults(
        do=lambda given: build(
            known_language(given.language),
            given.notebooks,
            given.out or ROOT / "build" / given.language,
        )
    )
    counting = commands.add_parser("count", help="count texts and words")
    counting.add_argument("language", nargs="?", default=ENGLISH)
    counting.set_defaults(do=lambda given: count(known_language(given.language)))
    extracting = commands.add_parser("extract", help="write templates")
    extracting.add_argument("folder", type=Path)
    extracting.set_defaults(do=lambda given: extract(given.folder))
    return parser


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; give 1 when something is wrong with what it was asked to do."""
    options = _parser().parse_args(arguments)
    try:
        return int(options.do(options) or 0)
    except (ValueError, OSError) as problem:
        print(f"translate.py: {problem}", file=sys.stderr)
        return 1


if __name__ == "__main__":
    sys.exit(main())
