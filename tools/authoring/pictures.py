"""Pictures in outputs: is a new one worth storing, or the old one but for a few pixels?"""

import base64
import io

import numpy as np
from PIL import Image

# A pixel counts as changed when a channel moves by more than this, of 255; up to this share of
# the pixels may change. An edge drawn a little differently passes, a moved line or digit does not.
CHANNEL_STEP = 32
SHARE_OF_PIXELS = 0.0002


def png_bytes(stored: str) -> bytes:
    """Decode a picture as notebooks store it."""
    return base64.b64decode(stored)


def pixels(stored: str) -> np.ndarray:
    """Give a stored picture's pixels, (height, width, 4)."""
    with Image.open(io.BytesIO(png_bytes(stored))) as picture:
        return np.asarray(picture.convert("RGBA"), dtype=np.int16)


def hardly_differ(first: str, second: str) -> bool:
    """Say whether two stored pictures look the same."""
    if first == second:
        return True
    one, other = pixels(first), pixels(second)
    if one.shape != other.shape:
        return False
    changed = (np.abs(one - other) > CHANNEL_STEP).any(axis=-1)
    return bool(changed.mean() <= SHARE_OF_PIXELS)
