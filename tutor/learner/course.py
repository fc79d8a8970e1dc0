"""Where the course is: a clone with its notebooks at the top, or a package that brought them."""

from pathlib import Path

PACKAGE = Path(__file__).resolve().parents[1]
NAME = "transformer-course"  # of a learner's folder where the course gives none


def is_installed() -> bool:
    """Say whether the package came with its notebooks inside, and not from a clone of the course.

    Example:
        >>> is_installed() == (PACKAGE / "course").exists()
        True
    """
    return (PACKAGE / "course").is_dir()


def course_folder() -> Path:
    """Return the folder that holds the course's notebooks.

    Example:
        >>> (course_folder() / "notebooks" / "04_self_attention.ipynb").exists()
        True
    """
    return PACKAGE / "course" if is_installed() else PACKAGE.parent
