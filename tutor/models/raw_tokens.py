"""Tokens as bytes, and bytes as text: a token may end in the middle of a character."""

import codecs
from collections.abc import Sequence
from itertools import pairwise

from tokenizers import Tokenizer
from tokenizers.pre_tokenizers import ByteLevel


def _letters_of_bytes() -> dict[str, int]:
    """Say which byte each letter stands for in the vocabulary of byte-level BPE.

    Printable bytes stand for themselves, the others follow from 256 on (Radford et al. 2019).
    """
    plain = [*range(33, 127), *range(161, 173), *range(174, 256)]
    others = [byte for byte in range(256) if byte not in plain]
    letters = {chr(byte): byte for byte in plain}
    return letters | {chr(256 + place): byte for place, byte in enumerate(others)}


_BYTES = _letters_of_bytes()
assert set(_BYTES) == set(ByteLevel.alphabet())


def raw_token(tokenizer: Tokenizer, number: int) -> bytes:
    """Give a token's bytes; a special one, such as the end of a text, has none."""
    if number in tokenizer.get_added_tokens_decoder():
        return b""
    return bytes(_BYTES[letter] for letter in tokenizer.id_to_token(number) or "")


def as_text(raw: bytes) -> str:
    """Give what can be read of bytes; the beginning of a character waits for its rest.

    Example:
        >>> whole = "안녕".encode()
        >>> as_text(whole), as_text(whole[:4])
        ('안녕', '안')
    """
    return codecs.getincrementaldecoder("utf-8")(errors="replace").decode(raw)


def readable_pieces(tokens: Sequence[bytes]) -> list[str]:
    """Give what each token adds to a text that can be read: perhaps nothing, perhaps two halves.

    Example:
        >>> first, second = "안".encode()[:2], "안".encode()[2:]
        >>> readable_pieces([b"a", first, second])
        ['a', '', '안']
    """
    whole = [as_text(b"".join(tokens[:count])) for count in range(len(tokens) + 1)]
    return [after[len(before) :] for before, after in pairwise(whole)]
