"""A JupyterHub for one class on one Linux machine, without containers; TEACHING.md says how.

Learners are the machine's users and log in with their passwords. The course is installed once, in
the environment that runs the hub, where they can read and not write.
"""

import os
import sys
from pathlib import Path

ENVIRONMENT = Path(sys.prefix)

c = get_config()  # noqa: F821  (JupyterHub gives it)
c.JupyterHub.bind_url = "http://127.0.0.1:8000"  # behind a web server that speaks https
c.Authenticator.allow_all = True  # all users of the machine; else name them in allowed_users
c.Spawner.cmd = [str(ENVIRONMENT / "bin" / "jupyterhub-singleuser")]
c.Spawner.default_url = "/lab/tree/transformer-course/notebooks/01_rnn_limits.ipynb"
c.Spawner.environment = {
    # So that `tutor` and `nbgrader` in terminals, and the kernels, are this environment's.
    "PATH": os.pathsep.join([str(ENVIRONMENT / "bin"), os.environ.get("PATH", os.defpath)]),
    "OMP_NUM_THREADS": "1",  # a class shares the processors
}
c.Spawner.start_timeout = 120
