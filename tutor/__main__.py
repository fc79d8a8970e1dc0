"""Makes ``python -m tutor`` the same as the command ``tutor``."""

import sys

from tutor.commands.cli import main

if __name__ == "__main__":
    sys.exit(main())
