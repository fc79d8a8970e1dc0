"""What a wheel holds beside the package: notebooks and what they lead to, as `tutor/course/`.

In a clone they lie at the top, where authors work on them and an editable install finds them.
"""

from pathlib import Path
from shutil import copyfile

from setuptools.command.build_py import build_py

FOLDERS = ("notebooks", "exercises", "solutions", "docs/measured")
ROOT = Path(__file__).resolve().parents[1]


class BuildWithCourse(build_py):
    """Lay the notebooks into what is built; a wheel without them is refused."""

    def run(self) -> None:
        super().run()
        if self.editable_mode:
            return
        for folder in FOLDERS:
            lessons = sorted((ROOT / folder).glob("[0-9][0-9]_*.*"))
            if not lessons:
                raise FileNotFoundError(f"{ROOT / folder} holds no lessons to put into the wheel")
            target = Path(self.build_lib, "tutor", "course", folder)
            target.mkdir(parents=True, exist_ok=True)
            for lesson in lessons:
                copyfile(lesson, target / lesson.name)
