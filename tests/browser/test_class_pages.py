"""The pages that grading writes, for a lecturer and for a learner."""

from collections.abc import Iterator

import pytest
import torch
from playwright.sync_api import Page

from tests.browser.axe import grave_findings
from tests.grading.test_outputs import exercise, notebook, student
from tutor.checking.calls import FunctionAnswer
from tutor.checking.examine import examine
from tutor.exercises import find
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


@pytest.fixture(params=["light", "dark"])
def page(browser, request) -> Iterator[Page]:
    page = browser.new_page(viewport={"width": 380, "height": 760}, color_scheme=request.param)
    yield page
    page.close()


@pytest.mark.parametrize(
    "written",
    [lambda: feedback_page(learner()), lambda: class_page(class_table([learner()]))],
    ids=["feedback", "class"],
)
def test_class_pages_keep_nobody_out_and_fit_a_phone(page, written):
    page.set_content(written())
    assert grave_findings(page) == []
    assert page.evaluate("() => document.documentElement.scrollWidth") <= 380
