"""Files that a training goes on from: written whole or not at all, refused when damaged."""

import io
import pickle
import zipfile
from pathlib import Path
from typing import Any

import torch

from tutor.files import replacing
from tutor.say import say

# What torch and zipfile raise for files that no training has written.
_BROKEN = (
    RuntimeError,  # NotImplementedError, of a zip archive of another kind, is one
    EOFError,
    pickle.UnpicklingError,
    zipfile.BadZipFile,
    LookupError,
    ValueError,
    TypeError,
    AttributeError,
)


def write_checkpoint(path: Path, state: dict[str, Any]) -> None:
    """Write a training's state; whoever is killed meanwhile leaves the old file as it was.

    Raises:
        OSError: the disk is full, or the file may not be written.
    """
    written = io.BytesIO()  # torch tells of a full disk by an error of its own
    torch.save(state, written)
    with replacing(path, durable=True) as unfinished:
        unfinished.write_bytes(written.getbuffer())


def read_checkpoint(path: Path) -> Any:
    """Read what `write_checkpoint` wrote, or what another program did with torch.

    Raises:
        ValueError: the file is damaged, even by one byte, or of another kind.
        OSError: the file cannot be read.
    """
    content = io.BytesIO(path.read_bytes())
    try:
        with zipfile.ZipFile(content) as archive:
            damaged = archive.testzip()  # torch writes checksums, but does not compare them
        if damaged is None:
            content.seek(0)
            return torch.load(content, weights_only=True)  # so that loading one cannot run code
    except _BROKEN as broken:
        raise _unreadable(path) from broken
    raise _unreadable(path)


def _unreadable(path: Path) -> ValueError:
    return ValueError(say("{path} cannot be read; take another folder, or delete it", path=path))
