"""What a notebook finds where it runs: is something missing, and where is a learner's work kept?"""

from importlib.util import find_spec

from tutor.learner import progress_file, screen
from tutor.say import PlainError, say

_NEEDED = ("torch", "matplotlib", "ipywidgets")  # whoever installs the course whole has them


class MissingPackageError(PlainError):
    """A package is missing that most cells need; said once, before they fail one by one."""


def look_around() -> None:
    """Say where points and predictions go, unless that is where one expects them.

    Lessons and exercises call it in their first cell.

    Raises:
        MissingPackageError: packages are missing; a run of all cells ends there.
    """
    if absent := missing():
        raise MissingPackageError(
            say(
                "This kernel lacks what the lessons need: run %pip install {packages} and "
                "restart the kernel.",
                packages=" ".join(absent),
            )
        )
    if lines := [*filter(None, [progress_file.where_kept(), _own()])]:
        screen.show_lines(lines)


def _own() -> str:
    """Say how many parts of a Transformer are the learner's own, from the first one on."""
    from tutor.learner.own_parts import own_count, own_names  # needs the packages asked for above

    own = own_names()
    return own_count(own) if own else ""


def missing() -> list[str]:
    """List the packages that lessons cannot do without and that are not here.

    Example:
        >>> missing()
        []
    """
    return [name for name in _NEEDED if find_spec(name) is None]
