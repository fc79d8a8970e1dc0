"""The pages that grading writes, for a lecturer and for a learner."""

from collections.abc import Iterator
from dataclasses import replace

import pytest
import torch
from playwright.sync_api import Page

from tests.browser.axe import grave_findings
from tests.grading.classroom import LESSON
from tests.grading.test_outputs import exercise, notebook, student
from tutor.checking.calls import FunctionAnswer
from tutor.checking.examine import examine
from tutor.exercises import find, lessons
from tutor.grading.changed import Change, changed_page
from tutor.grading.feedback import page as feedback_page
from tutor.grading.overview import class_table
from tutor.grading.picture import class_page
from tutor.grading.results import GradedNotebook
from tutor.grading.students import GradedStudent
from tutor.grading.verdicts import graded

pytestmark = pytest.mark.long

WIDE = "answer = " + " + ".join(map(str, range(60)))


def over_queries(q, k, v):
    weights = torch.softmax(q @ k.mT / q.size(-1) ** 0.5, dim=-2)
    return weights @ v, weights


def learner() -> GradedStudent:
    """One who was half right, made a known mistake, wrote a wide line, and handed in no good."""
    verdict = examine(find("scaled_dot_product_attention"), FunctionAnswer(over_queries))
    half = exercise("additive_attention", 1, answer=WIDE)
    damaged = GradedNotebook("y.ipynb", "key", refused="The file is empty.")
    return student("Ada", notebook(exercises=[graded(verdict, 4), half]), damaged)


def changed() -> str:
    """Two who have other points, for reasons with long words."""
    why = ("Another notebook counts: alan_dijkstra_02_4711_88123_04_self_attention-1.ipynb.",)
    name = "scaled_dot_product_attention"
    lesson = Change("a", "Ada", LESSON, 1.0, 2.5, why)
    return changed_page([lesson, Change("a", "Ada", name, 0, 1.5, why, True)], ["a"])


@pytest.fixture(params=["light", "dark"])
def page(browser, request) -> Iterator[Page]:
    page = browser.new_page(viewport={"width": 380, "height": 760}, color_scheme=request.param)
    yield page
    page.close()


@pytest.mark.parametrize(
    "written",
    [lambda: feedback_page(learner()), lambda: class_page(class_table([learner()])), changed],
    ids=["feedback", "class", "changed"],
)
def test_class_pages_keep_nobody_out_and_fit_a_phone(page, written):
    page.set_content(written())
    assert grave_findings(page) == []
    assert page.evaluate("() => document.documentElement.scrollWidth") <= 380


# Each word of a text, with the number of lines on which it stands.
LINES = """element => {
  const found = {}, texts = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
  for (let node = texts.nextNode(); node; node = texts.nextNode())
    for (const word of node.data.matchAll(/[^\\s]+/g)) {
      const range = document.createRange();
      range.setStart(node, word.index);
      range.setEnd(node, word.index + word[0].length);
      found[word[0]] = new Set([...range.getClientRects()].map(one => one.top)).size;
    }
  return found;
}"""


@pytest.mark.parametrize("width", [380, 1280])
def test_no_name_is_broken_in_mid_word(page, width):
    names = ("alan_dijkstra_02", "Konstantin Wladimirowitsch", "김민지 (minjikim_4705)")
    page.set_viewport_size({"width": width, "height": 760})
    flag = {"notes": ["No notebook was found."]}
    people = [replace(student(name, notebook(learner=name)), **flag) for name in names]
    page.set_content(class_page(class_table(people, [*lessons()])))
    cells = page.query_selector_all("td .name, th")
    lines = [cell.evaluate(LINES) for cell in cells]
    assert len(lines) > 2 * len(names)
    assert {word: n for words in lines for word, n in words.items() if n > 1} == {}
