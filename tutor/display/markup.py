"""What stands around a picture on a notebook's page: its words, its theme, its voice.

Stored notebooks hold a picture as PNG with its words as plain text; that is what GitHub shows and
comparisons read. JupyterLab would show the bare PNG: a white slab on a dark page, without alt text
and caption. So a kernel that a Jupyter server started sends the same picture as HTML too.
"""

import base64
import json
import os
from html import escape

from tutor.display.canvas import size_on_page
from tutor.display.palette import DARK_FILTER, HIGHLIGHT, INK, PAPER, STATUS
from tutor.say import say

RUN_AGAIN = "The controls need a running kernel: run the cells again from the top to move them."

LEAST_WIDTH = 560  # pixels: a picture that is wide keeps so many, that its numbers can be read

# JupyterLab and VS Code mark a dark page each in their own way. A view whose kernel is gone gets a
# class, and a broken chain that pushes controls apart: the sentence says more. On a phone a picture
# is moved sideways, many controls up and down beside it, and long names stand above them. Slides
# are fitted as a whole.
STYLE = f"""<style>
[data-jp-theme-light="false"] .tutor-picture, .vscode-dark .tutor-picture
  {{ filter: {DARK_FILTER}; }}
.tutor-explorer .noUi-handle:focus-visible, .tutor-explorer button:focus-visible
  {{ outline: 3px solid {HIGHLIGHT}; outline-offset: 2px; }}
.tutor-explorer.jupyter-widgets-disconnected::before,
.tutor-explorer .jupyter-widgets-disconnected::before {{ content: none; }}
.tutor-explorer .tutor-unseen {{ display: none; }}
.tutor-layer {{ position: absolute; pointer-events: none; user-select: none; }}
.tutor-layer > canvas {{ position: absolute; inset: 0; width: 100%; height: 100%; }}
.tutor-region {{ position: absolute; pointer-events: auto; }}
.tutor-region[data-acts] {{ cursor: pointer; touch-action: manipulation; }}
.tutor-region[data-acts="x"] {{ cursor: ew-resize; touch-action: pan-y; }}
.tutor-region[data-acts="y"] {{ cursor: ns-resize; touch-action: pan-x; }}
.tutor-cell {{ position: absolute; box-sizing: border-box; outline: 2px solid {HIGHLIGHT}; }}
.tutor-words {{ position: absolute; margin: 3px; padding: 1px 6px; border-radius: 3px; z-index: 1;
  color: {PAPER}; background: {INK}; font-size: 13px; white-space: nowrap; }}
.tutor-layer > [hidden] {{ display: none; }}
.tutor-explorer .tutor-gone {{ display: none; }}
.tutor-explorer .jupyter-widgets-disconnected .tutor-gone {{ display: block; }}
.tutor-explorer .widget-readout {{ flex: none; min-width: 3em; }}
.tutor-explorer {{ container-type: inline-size; }}
.tutor-explorer .widget-dropdown, .tutor-explorer select {{ min-width: 0; }}
body[data-jp-deck-mode="presenting"] .tutor-picture {{ min-width: 0 !important; }}
@container (max-width: {LEAST_WIDTH}px) {{
  .tutor-controls {{ max-height: 30vh; overflow-y: auto; }}
  .tutor-long {{ flex-wrap: wrap; height: auto; }}
  .tutor-long > .widget-label {{ flex: 1 0 100%; text-align: left; }}
  .tutor-long > select, .tutor-long > input {{ min-height: 28px; }}
}}
@media (prefers-reduced-motion: reduce) {{ .tutor-explorer .tutor-play {{ display: none; }} }}
</style>"""

# ipywidgets give sliders and buttons no name and images no alt text, sliders read out the place of
# an option in place of the option, and Jupyter takes keys away from what has the focus. Escape
# leaves the controls for the cell. This runs once for each view.
_VOICE = """
const helper = this;
const names = JSON.parse(helper.dataset.names);
const give = (node, name, text) => {
  if (node && text && node.getAttribute(name) !== text) node.setAttribute(name, text);
};
const speak = box => {
  give(box.querySelector('img.widget-image'), 'alt', helper.dataset.alt);
  for (const [icon, name] of Object.entries(names)) {
    give(box.querySelector(`.tutor-play .fa-${icon}`)?.parentElement, 'aria-label', name);
  }
  for (const slider of box.querySelectorAll('.widget-slider')) {
    const name = slider.querySelector('label')?.textContent;
    const readout = slider.querySelector('.widget-readout');
    const handle = slider.querySelector('[role=slider]');
    give(handle, 'aria-label', name);
    give(handle, 'aria-valuetext', readout?.textContent);
    if (readout?.isContentEditable) {  // a number can be typed into it
      give(readout, 'role', 'textbox');
      give(readout, 'aria-label', name);
    }
  }
  for (const part of box.querySelectorAll('[role=slider], [role=textbox], button, select, input')) {
    give(part, 'data-lm-suppress-shortcuts', 'true');
  }
};
const start = tries => {
  const box = helper.closest('.tutor-explorer');
  if (!box) return tries && requestAnimationFrame(() => start(tries - 1));
  new MutationObserver(() => speak(box)).observe(box, {
    subtree: true, childList: true, characterData: true,
    attributeFilter: ['aria-valuetext', 'class'],
  });
  box.addEventListener('keydown', event => {
    if (event.key === 'Escape') box.closest('.jp-Cell')?.focus();
  });
  speak(box);
};
start(100);
"""


def jupyter_shows_this() -> bool:
    """Tell whether a Jupyter server started this kernel, so that somebody looks at its page.

    What executes notebooks to store or to compare them starts kernels without a server.
    """
    return "JPY_SESSION_NAME" in os.environ


def figure(png: bytes, alt: str, caption: str = "", hint: str = "") -> str:
    """Write a still picture with its words.

    Example:
        >>> from tutor.display.canvas import Canvas
        >>> html = figure(Canvas(4, 2).png(), alt="Nothing.", caption="0 of 0")
        >>> 'alt="Nothing." width="400" height="200"' in html, "<figcaption>0 of 0" in html
        (True, True)
    """
    width, height = size_on_page(png)
    words = f"<figcaption>{escape(caption)}</figcaption>" if caption else ""
    advice = f"<p><em>{escape(hint)}</em></p>" if hint else ""
    return (
        f'{STYLE}<figure style="margin: 0"><div style="overflow-x: auto">'
        f'<img class="tutor-picture" alt="{escape(alt)}" width="{width}" height="{height}" '
        f'style="max-width: 100%; min-width: {least_width(width)}; height: auto" '
        f'src="data:image/png;base64,{base64.b64encode(png).decode()}"></div>'
        f"{words}{advice}</figure>"
    )


def least_width(width: int) -> str:
    """Return how narrow a picture of some width may become on a small screen, for CSS.

    Example:
        >>> least_width(800), least_width(230)
        ('560px', '230px')
    """
    return f"{min(width, LEAST_WIDTH)}px"


def caption(text: str, *, wrong: bool = False) -> str:
    """Write the line under a live picture, which screen readers read out when it changes."""
    colour = f"var(--jp-error-color1, {STATUS['wrong']})" if wrong else "inherit"
    return (
        '<div role="status" style="font-size: var(--jp-content-font-size1, 14px); '
        f'line-height: 1.4; color: {colour}">{escape(text)}</div>'
    )


def helper(alt: str, plays: str = "") -> str:
    """Write the invisible part of a live picture: it names what widgets leave without a name.

    Args:
        alt: what the picture shows.
        plays: the name of the slider that is played, if one is.

    Scripts in a widget's HTML do not run; the failure of a picture that does not exist does.
    """
    names = {
        "play": say("Play {slider}", slider=plays),
        "pause": say("Pause {slider}", slider=plays),
        "stop": say("Back to the start: {slider}", slider=plays),
    }
    return (
        f'{STYLE}<p class="tutor-gone">{escape(say(RUN_AGAIN))}</p>'
        f'<img hidden alt="" data-alt="{escape(alt)}" data-names="{escape(json.dumps(names))}" '
        f'src="data:," onerror="{escape(_VOICE)}">'
    )
