"""Cut some texts with the tokenizers of two real models, for lesson 2.

Run it as `python tools/results/pieces.py`; it writes tutor/data/results/pieces.json. It needs the
optional packages of SmolLM2 and of MiniLM. Nothing is measured: the pieces are what they are.
"""

from typing import Any

import stored  # first: it makes the package importable

from tutor.models.minilm import load_minilm
from tutor.models.smollm import load_smollm

TEXTS = (
    "car Car, a car",
    "in 2024",
    "unbelievable",
    "I love her",
    "나는 그녀를 사랑한다",
    "😊",
)
BLANK = "␣"


def byte_letters() -> dict[str, int]:
    """Give the byte for each letter that a tokenizer of bytes writes in its place.

    Bytes that are printable letters stand for themselves, the others for letters from 256 on.

    Source: Radford et al. 2019 (GPT-2); SmolLM2's tokenizer does the same.
    """
    plain = [*range(33, 127), *range(161, 173), *range(174, 256)]
    others = [byte for byte in range(256) if byte not in plain]
    letters = [chr(byte) for byte in plain] + [chr(256 + n) for n in range(len(others))]
    return dict(zip(letters, [*plain, *others], strict=True))


def shown(piece: str) -> str:
    """Write a piece as text, a sign for each blank; what is no whole letter, as its bytes."""
    letters = byte_letters()
    raw = bytes(letters[letter] for letter in piece)
    try:
        return raw.decode("utf-8").replace(" ", BLANK)
    except UnicodeDecodeError:
        return " ".join(f"{byte:02X}" for byte in raw)


def measure(reduced: bool) -> dict[str, Any]:
    """Cut every text with both tokenizers, or the first alone."""
    smollm, minilm = load_smollm().tokenizer, load_minilm().tokenizer
    cut = {}
    for text in TEXTS[: 1 if reduced else None]:
        found = smollm.encode(text)
        cut[text] = {
            "bytes": len(text.encode("utf-8")),
            "pieces": [shown(piece) for piece in found.tokens],
            "ids": found.ids,
            "MiniLM": minilm.encode(text, add_special_tokens=False).tokens,
        }
    return {
        "vocabulary": {"SmolLM2": smollm.get_vocab_size(), "MiniLM": minilm.get_vocab_size()},
        "texts": cut,
    }


if __name__ == "__main__":
    stored.main("pieces", "the pieces into which two real tokenizers cut some texts", 0, measure)
