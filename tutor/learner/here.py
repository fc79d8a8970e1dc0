"""What a notebook finds where it runs: is something missing, and where is a learner's work kept?"""

from tutor.learner import progress_file, screen
from tutor.learner.absent import is_missing, stand_in_for
from tutor.say import say

# What pictures are made of; whoever installs the course whole has it.
_NEEDED = ("matplotlib", "ipywidgets")
_HOW = (
    "Pictures need {package}, which is missing here. Run %pip install {package} and restart the "
    "kernel."
)


def look_around() -> None:
    """Say what is missing here, and where points and predictions go; say nothing if all is well.

    Lessons and exercises call it in their first cell. Cells that need nothing of what is missing
    run all the same.
    """
    absent = missing()
    stand_in_for(absent)
    lines = [say(_HOW, package=name) for name in absent]
    if lines := [*lines, *filter(None, [progress_file.where_kept()])]:
        screen.show_lines(lines)


def missing() -> list[str]:
    """List the packages that pictures need and that are not here.

    Example:
        >>> missing()
        []
    """
    return [name for name in _NEEDED if is_missing(name)]
