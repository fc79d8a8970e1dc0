"""Texts in the encodings that systems had before UTF-8, each by its right name."""

# Where a text in it is mostly letters of these, it is that encoding: Japanese, Korean.
_LETTERS = {"cp932": ("\u3041", "\u30ff"), "cp949": ("\uac00", "\ud7a3")}


def older(content: bytes) -> tuple[str, str]:
    """Read a text that is not UTF-8; give it and the name of its encoding.

    Example:
        >>> older("점수".encode("cp949")), older("Größe".encode("cp1252"))
        (('점수', 'cp949'), ('Größe', 'cp1252'))
    """
    for encoding, (first, last) in _LETTERS.items():
        try:
            text = content.decode(encoding)
        except UnicodeDecodeError:
            continue
        letters = [one for one in text if one.isalpha() and not one.isascii()]
        if 2 * sum(first <= one <= last for one in letters) > len(letters):
            return text, encoding
    try:
        return content.decode("cp1252"), "cp1252"
    except UnicodeDecodeError:
        return content.decode("latin-1"), "latin-1"
