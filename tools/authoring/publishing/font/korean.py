"""Make the font of the glossary's Korean words, from Debian's package of the Nanum fonts.

    apt-get download fonts-nanum=20200506-1
    dpkg-deb --extract fonts-nanum_20200506-1_all.deb nanum
    pip install fonttools==4.68.0
    python -m tools.authoring.publishing.font.korean \
        nanum/usr/share/fonts/truetype/nanum/NanumGothic.ttf

The font is NAVER's NanumGothic (licence OFL-1.1, tutor/data/licences/OFL-1.1.txt), cut down to the
syllables of docs/glossary.md and renamed as the licence asks. The font of the lessons' Korean words
(`tools.data.hangul`) has too few of them.
"""

import sys
from pathlib import Path

from tools.authoring.files import ROOT
from tools.data.fonts import cut_font

NAME = "Course Korean"
FILE = Path(__file__).with_name("course-korean.woff")


def characters() -> str:
    """Give every Korean character of the glossary."""
    words = (ROOT / "docs" / "glossary.md").read_text("utf-8")
    return "".join(sorted({c for c in words if "가" <= c <= "힣"}))


if __name__ == "__main__":
    cut_font(Path(sys.argv[1]), characters(), NAME, FILE, layout_features=[], flavor="woff")
