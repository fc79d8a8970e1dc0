"""What an author needs to write, run and check the course's notebooks."""

import sys
from pathlib import Path

# The package of this checkout, whether it is installed or not.
sys.path.append(str(Path(__file__).resolve().parents[2]))
