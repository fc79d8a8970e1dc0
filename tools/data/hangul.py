"""Make the font that shows Korean words in figures, from Debian's package of the Nanum fonts.

    apt-get download fonts-nanum=20200506-1
    dpkg-deb --extract fonts-nanum_20200506-1_all.deb nanum
    pip install fonttools==4.68.0
    python -m tools.data.hangul nanum/usr/share/fonts/truetype/nanum/NanumGothic.ttf

The font is NAVER's NanumGothic (licence OFL-1.1). It is cut in two: the syllables that the
phrasebook and the lessons have, which pages carry with them, and the other common ones, those of
the Korean standard KS X 1001, for what readers type. A changed font may not keep its reserved name,
so both get others.
"""

import sys
from pathlib import Path

from tools.data.fonts import cut_font
from tutor.data.files import HERE
from tutor.data.phrasebook import load_phrasebook

FILES = {"Course Hangul": "course-hangul.ttf", "Course Hangul Two": "course-hangul-2.ttf"}
OF_LESSONS = (
    "나는 너는 우리는 그들은 나를 너를 그를 그녀를 우리를 그들을 사랑한다 본다 안다 듣는다 "
    "빨간 사과를 좋아해"
)


def characters() -> str:
    """Give every character of the Korean words, and nothing that the usual font has.

    Example:
        >>> "한" in characters(), "a" in characters()
        (True, False)
    """
    words = load_phrasebook("ko").target_words.words
    return "".join(sorted({c for c in "".join([*words, OF_LESSONS]) if "가" <= c <= "힣"}))


def other_characters() -> str:
    """Give the other syllables that are common in Korean: 2,350 with the first.

    Example:
        >>> len(other_characters()) + len(characters())
        2350
        >>> set(other_characters()) & set(characters())
        set()
    """
    every = (chr(number) for number in range(ord("가"), ord("힣") + 1))
    common = [c for c in every if len(c.encode("euc_kr")) == 2]  # others are spelled out
    return "".join(c for c in common if c not in characters())


if __name__ == "__main__":
    for (name, file), part in zip(FILES.items(), (characters(), other_characters()), strict=True):
        cut_font(Path(sys.argv[1]), part, name, HERE / "fonts" / file, layout_features=[])
