"""A course of real nbgrader, made of released notebooks, to compare with."""

import csv
import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

from tests.grading.classroom import EXERCISE_FILE, LESSON
from tutor.grading.release import release

ROOT = Path(__file__).resolve().parents[2]
# Our notebooks are released already: nbgrader would replace each answer's first lines too.
CONFIG = """
c = get_config()
c.CourseDirectory.course_id = "course"
c.ClearSolutions.enabled = False
c.ExecutePreprocessor.timeout = 1200
"""


class Course:
    """An nbgrader course with one assignment."""

    def __init__(self, folder: Path, class_seed: str = "") -> None:
        self.folder = folder
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "nbgrader_config.py").write_text(CONFIG)
        release(EXERCISE_FILE.parent, folder / "source" / LESSON, class_seed, [LESSON])
        self.run("generate_assignment", LESSON)

    @property
    def released(self) -> Path:
        """The notebook that nbgrader hands out."""
        return self.folder / "release" / LESSON / f"{LESSON}.ipynb"

    def submit(self, notebooks: Mapping[str, bytes]) -> Path:
        """Put learners' notebooks where nbgrader expects them; give that folder."""
        for student, content in notebooks.items():
            path = self.folder / "submitted" / student / LESSON / f"{LESSON}.ipynb"
            path.parent.mkdir(parents=True)
            path.write_bytes(content)
        return self.folder / "submitted"

    def run(self, *command: str) -> str:
        """Run an nbgrader command; give what it says.

        Raises:
            RuntimeError: it failed.
        """
        programs = str(Path(sys.executable).parent)  # nbgrader calls alembic by name
        environment = {
            **os.environ,
            "PATH": os.pathsep.join([programs, os.environ.get("PATH", "")]),
            "PYTHONPATH": str(ROOT),
        }
        done = subprocess.run(
            [sys.executable, "-m", "nbgrader", *command],
            cwd=self.folder,
            env=environment,
            capture_output=True,
            text=True,
        )
        if done.returncode:
            raise RuntimeError(f"nbgrader {' '.join(command)}: {done.stdout}{done.stderr}")
        return done.stdout + done.stderr

    def scores(self) -> dict[str, float]:
        """Export the gradebook: learner -> score."""
        self.run("export")
        with open(self.folder / "grades.csv", newline="", encoding="utf-8") as file:
            return {row["student_id"]: float(row["score"]) for row in csv.DictReader(file)}
