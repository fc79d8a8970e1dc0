"""What axe-core finds on a page that keeps somebody out."""

from collections.abc import Iterable
from typing import Any

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page

GRAVE = ("serious", "critical")

UNFOLD = "document.querySelectorAll('details:not([open])').forEach(part => { part.open = true; })"


# Words of code with one class have one colour: one of each is enough, and ten times as fast.
EACH_COLOUR_ONCE = """() => {
    const seen = new Set();
    for (const word of document.querySelectorAll(':is(.highlight, .pdoc-code) span')) {
        if (seen.has(word.className)) word.replaceWith(...word.childNodes);
        else seen.add(word.className);
    }
}"""


def grave_findings(page: Page, *parts: str) -> list[str]:
    """List axe-core's serious and critical findings on a page, or only in what selectors name.

    Folded parts are unfolded, and stay so.
    """
    page.evaluate(UNFOLD)
    context = {"include": [[part] for part in parts]} if parts else None
    found = Axe().run(page, context).response["violations"]
    return _said(each for each in found if each["impact"] in GRAVE)


def findings_on_the_site(page: Page, *rules: str) -> list[str]:
    """List all that axe-core finds on a page of the site, by all its rules or only some.

    Folded parts are unfolded, and code loses most of its colours.
    """
    page.evaluate(UNFOLD)
    page.evaluate(EACH_COLOUR_ONCE)
    options = {"runOnly": {"type": "rule", "values": rules}} if rules else {}
    return _said(Axe().run(page, options=options).response["violations"])


def _said(found: Iterable[dict[str, Any]]) -> list[str]:
    return [f"{each['id']}: {each['nodes'][0]['html']}" for each in found]
