"""What each learner's Jupyter server does on a hub or on Binder, where the course is installed.

It lies in `etc/jupyter` of the environment. When a server starts, the learner's own copies are
brought up to date in their home; what they have worked on stays as it is.
"""

import subprocess
import sys
from pathlib import Path

from tutor.learner.lab_words import served_folders
from tutor.learner.language import speak_as_in

WORKSPACE = Path.home() / "transformer-course"

# What it says goes to the server's log. A full home keeps nobody from their notebooks.
subprocess.run([sys.executable, "-m", "tutor", "copy", str(WORKSPACE)], check=False)

c = get_config()  # noqa: F821  (Jupyter gives it)
c.ServerApp.root_dir = str(Path.home())
c.ServerApp.default_url = "/lab/tree/transformer-course/notebooks/01_rnn_limits.ipynb"
# Explorers of yesterday show their pictures and not "model not found".
c.ServerApp.contents_manager_class = "tutor.learner.contents.CourseContents"
# Slides as large as they fit, in the language of the copies.
speak_as_in(WORKSPACE)
c.LabApp.extra_labextensions_path = served_folders(WORKSPACE)
