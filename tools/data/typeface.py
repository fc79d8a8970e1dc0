"""Make the typeface of the pictures, from the npm package of Pretendard.

    npm pack pretendard@1.3.9
    tar -xzf pretendard-1.3.9.tgz
    pip install fonttools==4.68.0
    python -m tools.data.typeface package/dist/public/static

Pretendard is Kil Hyung-jin's (licence OFL-1.1). Two of its weights are cut down to the letters and
signs below and to the 2,350 syllables of the Korean standard KS X 1001, for what lessons show and
readers type. A changed font may not keep its reserved name, so they are called Course Sans.
"""

import sys
from pathlib import Path

from tools.authoring.fonts import cut_font
from tutor.data.files import HERE

NAME = "Course Sans"
FILES = {"Regular": "course-sans.otf", "SemiBold": "course-sans-semibold.otf"}
RANGES = (
    (0x20, 0x7E),  # ASCII
    (0xA0, 0x17F),  # letters of Western Europe
    (0x391, 0x3C9),  # Greek
    (0x2010, 0x203A),  # punctuation
    (0x2070, 0x209F),  # digits set high and low
    (0x2190, 0x22FF),  # arrows and mathematics
    (0x25A0, 0x25FF),  # squares, triangles, circles
)


def characters() -> str:
    """Give every character that the typeface writes, if the original has it.

    Example:
        >>> "한" in characters(), "Aé–→≠" in characters(), len(syllables())
        (True, False, 2350)
    """
    ranged = (chr(code) for low, high in RANGES for code in range(low, high + 1))
    return "".join([*ranged, *syllables()])


def syllables() -> list[str]:
    """Give the syllables that are common in Korean; others are spelled out in this encoding."""
    every = (chr(number) for number in range(ord("가"), ord("힣") + 1))
    return [syllable for syllable in every if len(syllable.encode("euc_kr")) == 2]


if __name__ == "__main__":
    for weight, file in FILES.items():
        original = Path(sys.argv[1]) / f"Pretendard-{weight}.otf"
        target = HERE / "fonts" / file
        cut_font(original, characters(), NAME, target, weight=weight, layout_features=["kern"])
