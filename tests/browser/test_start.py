"""What JupyterLab shows at its start."""

import pytest
from playwright.sync_api import expect

pytestmark = pytest.mark.long


def test_only_on_a_phone_the_list_of_files_starts_closed(lab):
    page, usual = lab.page, lab.page.viewport_size
    files = page.locator("#jp-left-stack")
    try:
        page.set_viewport_size({"width": 380, "height": 800})
        lab.load()
        expect(files).to_be_hidden()
        page.get_by_role("tab", name="File Browser").click()
        expect(files).to_be_visible()
    finally:
        page.set_viewport_size(usual)
        lab.load()
    expect(files).to_be_visible()
