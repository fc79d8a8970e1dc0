"""WordPiece: how BERT and its relatives cut text into pieces (lessons 2 and 8)."""

import unicodedata
from collections.abc import Iterator, Sequence

START, STOP, FILL, NO_PIECE = "[CLS]", "[SEP]", "[PAD]", "[UNK]"
CONTINUES = "##"  # marks a piece that goes on with the word before it
LONGEST_WORD = 100
CHINESE = (
    (0x3400, 0x4DBF),
    (0x4E00, 0x9FFF),
    (0xF900, 0xFAFF),
    (0x20000, 0x2CEAF),
    (0x2F800, 0x2FA1F),
)


class WordPiece:
    """Cuts words into the longest pieces of a fixed list, from left to right.

    Text is lower-cased, accents are dropped, punctuation stands alone. Pieces inside a word begin
    with ##; a word that cannot be put together becomes [UNK].

    Args:
        pieces: the list; the order gives the ids.

    Example:
        >>> special = ["[PAD]", "[UNK]", "[CLS]", "[SEP]"]
        >>> wordpiece = WordPiece([*special, "play", "##ing", "cafe", "!"])
        >>> wordpiece.tokens("Playing: Café!")
        ['[CLS]', 'play', '##ing', '[UNK]', 'cafe', '!', '[SEP]']
        >>> wordpiece.encode("Playing!")
        [2, 4, 5, 7, 3]

    Raises:
        ValueError: a special piece is missing from the list.

    Source: Schuster and Nakajima 2012; Devlin et al. 2019, section 3.
    """

    def __init__(self, pieces: Sequence[str]) -> None:
        self.pieces = list(pieces)
        self.ids = {piece: number for number, piece in enumerate(pieces)}
        missing = [piece for piece in (START, STOP, FILL, NO_PIECE) if piece not in self.ids]
        if missing:
            raise ValueError(f"the list of {len(pieces)} pieces lacks {missing}")
        self.pad_id = self.ids[FILL]

    def tokens(self, text: str) -> list[str]:
        """Cut a text into pieces, [CLS] before it and [SEP] behind."""
        return [START, *(piece for word in words(text) for piece in self._cut(word)), STOP]

    def encode(self, text: str) -> list[int]:
        """Give the ids of the pieces."""
        return [self.ids[piece] for piece in self.tokens(text)]

    def _cut(self, word: str) -> list[str]:
        """Take the longest piece that fits, then the longest that continues, to the word's end."""
        pieces: list[str] = []
        rest = word if len(word) <= LONGEST_WORD else ""
        while rest:
            mark = CONTINUES if pieces else ""
            ends = range(len(rest), 0, -1)
            end = next((end for end in ends if mark + rest[:end] in self.ids), None)
            if end is None:
                return [NO_PIECE]
            pieces.append(mark + rest[:end])
            rest = rest[end:]
        return pieces or [NO_PIECE]


def words(text: str) -> list[str]:
    """Split a text at spaces and around punctuation, lower-cased and without accents.

    Example:
        >>> words("Don't say Café, 東京")
        ['don', "'", 't', 'say', 'cafe', ',', '東', '京']
    """
    return "".join(_spaced(text)).split()


def _spaced(text: str) -> Iterator[str]:
    """Yield the characters to keep, with spaces round those that stand alone."""
    for character in unicodedata.normalize("NFD", "".join(_without_controls(text))):
        kind = unicodedata.category(character)
        if kind == "Mn":  # an accent, which NFD has parted from its letter
            continue
        lower = character.lower()
        yield f" {lower} " if _stands_alone(character, kind) else lower


def _without_controls(text: str) -> Iterator[str]:
    """Yield the characters, white space as plain spaces, without controls and format marks."""
    for character in text:
        kind = unicodedata.category(character)
        if character in "\t\n\r" or kind == "Zs":
            yield " "
        elif kind not in ("Cc", "Cf", "Co") and character != "\ufffd":
            yield character


def _stands_alone(character: str, kind: str) -> bool:
    """Whether a character is a word of its own: punctuation, ASCII symbols, Chinese characters."""
    symbol = character.isascii() and character.isprintable() and not character.isalnum()
    return kind.startswith("P") or (symbol and character != " ") or _is_chinese(character)


def _is_chinese(character: str) -> bool:
    """Whether a character is one of Unicode's unified or compatibility ideographs."""
    return any(first <= ord(character) <= last for first, last in CHINESE)
