"""Make the font of the formulas, from Debian's package of the STIX fonts.

    apt-get download fonts-stix=1.1.1-4.1
    dpkg-deb --extract fonts-stix_1.1.1-4.1_all.deb stix
    pip install fonttools==4.68.0
    python -m tools.authoring.publishing.font.rebuild \
        stix/usr/share/fonts/opentype/stix-word/STIXMath-Regular.otf

A browser needs a font with tables for mathematics to draw roots and high brackets, and many
systems have none. The font is STIX Math (licence OFL-1.1, beside this file), cut down to what
formulas of a course like this one use, and renamed as the licence asks.
"""

import sys
from pathlib import Path

from tools.authoring.fonts import cut_font

HERE = Path(__file__).parent
NAME = "Course Math"
RANGES = (
    (0x20, 0x7E),  # ASCII
    (0x391, 0x3C9),  # Greek
    (0x1D434, 0x1D467),  # italic letters, which browsers take for variables
    (0x1D6E2, 0x1D714),  # italic Greek
)
OTHERS = "·×ıȷℎℝϵϕ𝜕𝜖𝜙…⋯⋮⋱′″←→↦⇒∀∂∃∅∇∈∉∏∑−∓±∗∘√∝∞∥∧∨∩∪∫≈≠≡≤≥≪≫⊂⊆⊕⊗⊙⊤⊥⌈⌉⌊⌋⟨⟩ℓ𝟙‖"


def characters() -> str:
    """Give every character that a formula may use."""
    ranged = (chr(code) for low, high in RANGES for code in range(low, high + 1))
    return "".join([*ranged, *OTHERS])


if __name__ == "__main__":
    target = HERE / "course-math.woff"
    cut_font(Path(sys.argv[1]), characters(), NAME, target, layout_features=["ssty"], flavor="woff")
