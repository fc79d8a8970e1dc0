"""How large what is published may be, so that it loads on a phone and fits into an archive."""

from collections.abc import Iterable
from pathlib import Path

ALL, ONE = 42e6, 1.5e6  # bytes: of everything, and of a page or a deck without its frames


def too_large(files: Iterable[Path], most: float = ALL, most_of_one: float = ONE) -> list[str]:
    """Name what is larger than it may be."""
    sizes = {file: file.stat().st_size for file in files}
    found = [
        f"{file.name} has {size / 1e6:.2f} MB, and {most_of_one / 1e6:g} are allowed"
        for file, size in sizes.items()
        if file.suffix == ".html" and size > most_of_one
    ]
    if (total := sum(sizes.values())) > most:
        found.append(f"all files have {total / 1e6:.1f} MB, and {most / 1e6:g} are allowed")
    return found
