"""What axe-core finds on a page that keeps somebody out."""

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page

GRAVE = ("serious", "critical")

UNFOLD = "document.querySelectorAll('details:not([open])').forEach(part => { part.open = true; })"


def grave_findings(page: Page, *parts: str) -> list[str]:
    """List axe-core's serious and critical findings on a page, or only in what selectors name.

    Folded parts are unfolded, and stay so.
    """
    page.evaluate(UNFOLD)
    context = {"include": [[part] for part in parts]} if parts else None
    found = Axe().run(page, context).response["violations"]
    return [
        f"{each['id']}: {each['nodes'][0]['html']}" for each in found if each["impact"] in GRAVE
    ]
