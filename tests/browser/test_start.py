"""What JupyterLab shows at its start."""

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import write_notebook
from tests.browser.driver import Server
from tutor.commands.lab import write_settings

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


def test_notebook_7_has_no_button_for_slides_without_notes_and_keys(browser, tmp_path):
    """It loads no extension of the course, but shares the settings that `tutor lab` has written."""
    write_settings()
    folder = tmp_path / "folder"
    folder.mkdir()
    write_notebook(folder / "lesson.ipynb", "6 * 7")
    program = "notebook", f"--ServerApp.root_dir={folder}", "--allow-root"
    server = Server(folder, tmp_path / "state", program, settings={})
    page = browser.new_page()
    try:
        page.goto(f"{server.url}/notebooks/lesson.ipynb")
        toolbar = page.locator(".jp-NotebookPanel-toolbar")
        expect(toolbar.get_by_role("button", name="Insert a cell below")).to_be_visible()
        expect(toolbar.locator('[data-jp-item-name="deck"]')).to_be_attached()
        expect(toolbar.get_by_role("button", name="Slides")).to_be_hidden()
    finally:
        page.close()
        server.stop()


def test_a_korean_lab_has_korean_slides(browser, tmp_path):
    """Its words are served beside the extension; the second window has them too."""
    workspace = tmp_path / "workspace"
    program = "tutor", "lab", f"--workspace={workspace}", "--language=ko"
    server = Server(workspace, tmp_path / "state", program)
    page = browser.new_page()
    try:
        page.goto(f"{server.url}/lab/tree/notebooks/04_self_attention.ipynb?reset")
        page.get_by_role("button", name="슬라이드").click()
        expect(page.locator(".tutor-hint")).to_contain_text("다음")
        with page.expect_popup() as opened:
            page.evaluate("jupyterapp.commands.execute('tutor:notes')")
        notes = opened.value
        expect(notes.locator("html")).to_have_attribute("lang", "ko")
        expect(notes.locator(".planned")).to_contain_text("계획")  # read from Korean headings
    finally:
        page.close()
        server.stop()
