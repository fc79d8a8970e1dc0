"""Make the font that shows Korean words in figures, from Debian's package of the Nanum fonts.

    apt-get download fonts-nanum=20200506-1
    dpkg-deb --extract fonts-nanum_20200506-1_all.deb nanum
    pip install fonttools==4.68.0
    python -m tools.data.hangul nanum/usr/share/fonts/truetype/nanum/NanumGothic.ttf

The font is NAVER's NanumGothic (licence OFL-1.1). It is cut down to the syllables that the
phrasebook and the lessons have. A changed font may not keep its reserved name, so it gets another.
"""

import sys
from pathlib import Path

from tools.data.fonts import cut_font
from tutor.data.files import HERE
from tutor.data.phrasebook import load_phrasebook

NAME = "Course Hangul"
FILE = "course-hangul.ttf"
OF_LESSONS = "나는 너는 우리는 그들은 나를 너를 그를 그녀를 우리를 그들을 사랑한다 본다 안다 듣는다"


def characters() -> str:
    """Give every character of the Korean words, and nothing that the usual font has.

    Example:
        >>> "한" in characters(), "a" in characters()
        (True, False)
    """
    words = load_phrasebook("ko").target_words.words
    return "".join(sorted({c for c in "".join([*words, OF_LESSONS]) if "가" <= c <= "힣"}))


if __name__ == "__main__":
    cut_font(Path(sys.argv[1]), characters(), NAME, HERE / "fonts" / FILE, layout_features=[])
