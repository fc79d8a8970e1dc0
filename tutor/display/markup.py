"""What stands around a picture on a notebook's page: its words, its theme, its voice.

Stored notebooks hold a picture as PNG with its words as plain text; that is what GitHub shows and
comparisons read. JupyterLab would show the bare PNG: a white slab on a dark page, without alt text
and caption. So a kernel that a Jupyter server started sends the same picture as HTML too.
"""

import base64
import os
from html import escape

from tutor.display.canvas import size_on_page
from tutor.display.palette import DARK_FILTER, HIGHLIGHT, STATUS

RUN_AGAIN = "The controls need a running kernel: run this cell again to move them."

# JupyterLab and VS Code mark a dark page each in their own way. A view whose kernel is gone gets a
# class, and a broken chain that pushes controls apart: the sentence says more.
STYLE = f"""<style>
[data-jp-theme-light="false"] .tutor-picture, .vscode-dark .tutor-picture
  {{ filter: {DARK_FILTER}; }}
.tutor-explorer .noUi-handle:focus-visible, .tutor-explorer button:focus-visible
  {{ outline: 3px solid {HIGHLIGHT}; outline-offset: 2px; }}
.tutor-explorer .jupyter-widgets-disconnected::before {{ content: none; }}
.tutor-explorer .tutor-gone {{ display: none; }}
.tutor-explorer .jupyter-widgets-disconnected .tutor-gone {{ display: block; }}
@media (prefers-reduced-motion: reduce) {{ .tutor-explorer .tutor-play {{ display: none; }} }}
</style>"""

# ipywidgets give sliders no name and images no alt text, sliders read out the place of an option in
# place of the option, and Jupyter takes arrow keys away from them. This runs once for each view.
_VOICE = """
const helper = this;
const give = (node, name, text) => {
  if (node && text && node.getAttribute(name) !== text) node.setAttribute(name, text);
};
const speak = box => {
  give(box.querySelector('img.widget-image'), 'alt', helper.dataset.alt);
  give(box, 'data-lm-suppress-shortcuts', 'true');
  for (const slider of box.querySelectorAll('.widget-slider')) {
    const handle = slider.querySelector('[role=slider]');
    give(handle, 'aria-label', slider.querySelector('label')?.textContent);
    give(handle, 'aria-valuetext', slider.querySelector('.widget-readout')?.textContent);
  }
};
const start = tries => {
  const box = helper.closest('.tutor-explorer');
  if (!box) return tries && requestAnimationFrame(() => start(tries - 1));
  new MutationObserver(() => speak(box)).observe(box, {
    subtree: true, childList: true, characterData: true, attributeFilter: ['aria-valuetext'],
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
        f'{STYLE}<figure style="margin: 0">'
        f'<img class="tutor-picture" alt="{escape(alt)}" width="{width}" height="{height}" '
        'style="max-width: 100%; height: auto" '
        f'src="data:image/png;base64,{base64.b64encode(png).decode()}">'
        f"{words}{advice}</figure>"
    )


def caption(text: str, *, wrong: bool = False) -> str:
    """Write the line under a live picture, which screen readers read out when it changes."""
    colour = f"var(--jp-error-color1, {STATUS['wrong']})" if wrong else "inherit"
    look = f"font-size: var(--jp-content-font-size1, 14px); line-height: 1.4; color: {colour}"
    return f'<div role="status" style="{look}">{escape(text)}</div>'


def helper(alt: str) -> str:
    """Write the invisible part of a live picture: it names what widgets leave without a name.

    Scripts in a widget's HTML do not run; the failure of a picture that does not exist does.
    """
    return (
        f'{STYLE}<p class="tutor-gone">{escape(RUN_AGAIN)}</p>'
        f'<img hidden alt="" data-alt="{escape(alt)}" src="data:," onerror="{escape(_VOICE)}">'
    )
