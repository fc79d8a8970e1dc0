"""An explorer that no lesson changes, for the tests of what all explorers do."""

IMPORT = """\
from tutor import live

def draw(fig, **_start):
    bars = fig.subplots().bar(range(8), [1.0] * 8)

    def update(d_k, scale):
        for place, bar in enumerate(bars):
            bar.set_height((1 + place) / (8 if scale else 8 + d_k))
        return f"d_k = {d_k}, scale {'on' if scale else 'off'}"

    return update

def sample():
    sizes, words = [4, 8, 16, 32, 64, 128], {"scale": "divide by √d_k"}
    alt = "Bars show the weights one query gives."
    return live(draw, alt=alt, d_k=(sizes, 64), scale=False, labels=words)"""

SHOW = "sample()"
