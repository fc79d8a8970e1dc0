"""Texts of systems before UTF-8 are read as what they were written in."""

import pytest

from tutor.grading.inside.encodings import older


@pytest.mark.parametrize(
    ("text", "encoding"),
    [
        ("점수가 같다: ½ 점", "cp949"),
        ("# 쿼리와 키의 내적", "cp949"),
        ("てんすう", "cp932"),
        ("Größe, Äußerung, übermäßig", "cp1252"),
        ("déjà vu, çà et là", "cp1252"),
        ("naïve “quotes” – and 20 °C", "cp1252"),
    ],
)
def test_an_encoding_is_known_by_its_letters(text: str, encoding: str) -> None:
    assert older(text.encode(encoding, errors="replace")) == (
        text.encode(encoding, errors="replace").decode(encoding),
        encoding,
    )
