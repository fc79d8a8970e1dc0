"""Make stored results again: all of them, or those named, as in `make results ARGS="table1"`.

All of them take about an hour and a half of one processor; the trainings among them go on where
they were stopped. Times and trainings come out a little different on another machine.
"""

import argparse
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).parent
LAST = ["checkpoints"]  # ships what the trainings before it have made


def names() -> list[str]:
    """Every script here, in an order in which they can run."""
    found = {path.stem for path in HERE.glob("*.py")} - {"__main__", "stored", "sweep", *LAST}
    return [*sorted(found), *LAST]


def main() -> int:
    """Run the scripts one after the other; stop at the first that fails."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", help=f"of {', '.join(names())}; all by default")
    chosen = parser.parse_args().names or names()
    unknown = sorted(set(chosen) - set(names()))
    if unknown:
        parser.error(f"there is no {', '.join(unknown)}; there are {', '.join(names())}")
    for name in chosen:
        print(f"{name} ...", flush=True)
        code = subprocess.run([sys.executable, HERE / f"{name}.py"], check=False).returncode
        if code != 0:
            print(f"{name} stopped with exit code {code}.", file=sys.stderr)
            return code
    subprocess.run([sys.executable, HERE.parent / "notebooks.py", "documents"], check=True)
    print("Look at what changed (git diff), then run make notebooks: the lessons show it.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
