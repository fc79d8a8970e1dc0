"""The ten thousand commonest English words as vectors: GloVe, cut to fit into the package."""

from functools import cache

import torch
from jaxtyping import Float
from safetensors.torch import load_file
from torch import Tensor

from tutor.data.files import FILES, read_lines


@cache
def load_glove() -> tuple[list[str], Float[Tensor, "words 50"]]:
    """Load words, commonest first, and their vectors.

    The vectors were trained on Wikipedia and newswire of before 2014 (glove.6B, 50 dimensions) and
    are stored as float16, given as float32. They carry the prejudices of those texts. Both are
    shared between calls: make a copy before changing them.

    Example:
        >>> words, table = load_glove()
        >>> words.index("king"), tuple(table.shape)
        (691, (10000, 50))

    Source: Pennington, Socher and Manning 2014; public domain (PDDL 1.0).
    """
    vectors = load_file(FILES / "glove-50d.safetensors")["vectors"]
    return read_lines("glove-words.txt.gz"), vectors.to(torch.float32)
