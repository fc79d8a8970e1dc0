"""The rules of teaching see what breaks them."""

import re

import pytest
from nbformat import NotebookNode
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

from tools.authoring import teaching
from tools.authoring.files import LESSONS, notebooks_in, read_notebook
from tools.authoring.text import read_text
from tools.authoring.times import cards, core_minutes, core_slides, sittings, slides_in

LESSON = '''# %% [markdown] slide="slide"
r"""
## The scale

**Predict.** How does the spread grow?
"""

# %% id="spread"
spread()

# %% [markdown] slide="fragment" tags=["reveal"]
r"""
**What happened.** It doubled.
"""

# %% [markdown] slide="notes"
r"""
<details><summary>For the lecturer: 4 min</summary>

Ask for a show of hands.

</details>
"""
'''


def lesson(text: str = LESSON) -> NotebookNode:
    return read_text(text)


def complaints(notebook: NotebookNode) -> str:
    return "\n".join(teaching.lesson_complaints("04_self_attention", notebook))


def test_a_sound_lesson_is_left_alone():
    assert complaints(lesson()) == ""


@pytest.mark.parametrize(
    ("sound", "broken", "complaint"),
    [
        ("For the lecturer: 4 min", "For the lecturer", "has no note `For the lecturer: 1 min`"),
        ("lecturer: 4 min", "lecturer: 46 min", "sitting 1 has 46 min; 45 are allowed"),
        ("How does the", "How " + "much " * 800 + "does the", "has 4 min; what is on it takes 5"),
        ("## The scale", "## The scale keeps the spread", "under a title that is a sentence"),
        ('tags=["reveal"]', "", "then come a result and a `reveal`"),
        ('# %% id="spread"\nspread()\n', "", "then come a result and a `reveal`"),
        ("spread()", 'spread(alt="It doubles.")', "has 'alt=' in its code"),
        ("spread()", 'show_maps(Q=Q, kinds={"Q": "query"})', "has 'kinds=' in its code"),
        ('slide="slide"', 'slide="slide" tags=["sitting"]', None),
    ],
)
def test_what_breaks_a_rule_is_seen(sound: str, broken: str, complaint: str | None):
    assert sound in LESSON
    found = complaints(lesson(LESSON.replace(sound, broken)))
    assert found == "" if complaint is None else complaint in found


def test_a_question_may_be_a_title_and_so_may_a_name():
    for title in ("Is it so?", "Rule or luck", "Side by side, or their sum", "What a matrix does"):
        assert complaints(lesson(LESSON.replace("The scale", title))) == ""


def test_minutes_are_counted_by_sitting_without_what_goes_deeper():
    more = LESSON.replace("The scale", "More").replace("spread", "more")
    deeper = more.replace('slide="slide"', 'slide="slide" tags=["deeper"]')
    below = LESSON.replace('slide="slide"', 'slide="subslide"').replace("spread", "below")
    begun = LESSON.replace('slide="slide"', 'slide="slide" tags=["sitting"]')
    others = [begun.replace("spread", name) for name in ("second", "third")]
    notebook = lesson(LESSON + deeper + below + "".join(others))
    assert [slide.deeper for slide in slides_in(notebook)] == [False, True, True, False, False]
    assert sittings(notebook) == [4, 4, 4]
    assert "has 3 sittings" in complaints(notebook)
    assert teaching.lesson_complaints("08_full_transformer", notebook) == []


def test_the_least_time_counts_words_code_and_predictions():
    cells = [
        new_markdown_cell("word " * 400 + "**Predict.** More?", id="a"),
        new_code_cell("1", id="b"),
        new_code_cell("2", id="c"),
    ]
    (slide,) = core_slides(new_notebook(cells=cells))
    assert slide.least_minutes() == 4  # 402 words at 200 a minute, two halves, one prediction


TABLE = """| | exercise | points | difficulty | minutes |
|---|---|---|---|---|
| 1 | `project_by_hand` | 1 | ●○○ | 5 |
| 2 | `additive_attention` | 3 | ●●● | 15 extra |
"""
CARDS = """`project_by_hand` · 1 point · ●○○ · 5 minutes

`additive_attention` · 3 points · ●●● · 15 minutes · extra
"""


def exercises(text: str) -> NotebookNode:
    return new_notebook(cells=[new_markdown_cell(text)])


def test_exercises_are_core_unless_they_are_extra():
    notebook = exercises(TABLE + CARDS)
    assert [(card.name, card.minutes, card.extra) for card in cards(notebook)] == [
        ("project_by_hand", 5, False),
        ("additive_attention", 15, True),
    ]
    assert core_minutes(notebook) == [5]
    points = {"project_by_hand": 1, "additive_attention": 3}
    assert teaching.solution_complaints(notebook, points) == []


def test_exercises_are_counted_by_sitting_too():
    notebook = exercises(TABLE + CARDS)
    notebook.cells.append(new_markdown_cell("## Another sitting", metadata={"tags": ["sitting"]}))
    notebook.cells.append(new_markdown_cell("`two_lookups` · 3 points · ●●● · 40 minutes"))
    assert core_minutes(notebook) == [5, 40]


@pytest.mark.parametrize(
    ("sound", "broken", "complaint"),
    [
        ("· 5 minutes", "· 6 minutes", "do not say the same"),
        ("15 minutes · extra", "15 minutes", "do not say the same"),
        ("5 minutes", "46 minutes", "core exercises take 46 minutes"),
        ("`project_by_hand` ·", "`project` ·", "exercise project_by_hand has no card"),
    ],
)
def test_what_is_wrong_with_exercises_is_seen(sound: str, broken: str, complaint: str):
    text = TABLE + CARDS.replace(sound, broken)
    points = {"project_by_hand": 1, "additive_attention": 3}
    assert complaint in "\n".join(teaching.solution_complaints(exercises(text), points))


def test_every_prediction_is_kept_under_a_name_of_its_own():
    cells = [cell for path in notebooks_in(LESSONS) for cell in read_notebook(path).cells]
    names = [name for cell in cells for name in re.findall(r'\bpredict\("([^"]*)"', cell.source)]
    assert len(names) == len(set(names))
