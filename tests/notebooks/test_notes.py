"""Notes to the lecturer direct; what an exercise needs is told in the lesson's core."""

from pathlib import Path

import pytest

from tests.allowances import hold
from tools.authoring.files import LESSONS, notebooks_in
from tools.authoring.only_in_notes import (
    asked_in,
    glossary_words,
    missing,
    notes_in,
    only_in_notes,
    told_in,
)
from tools.authoring.text import read_text

LESSON = '''# %% [markdown] slide="slide"
"""
## Usual cosines

Compare a cosine with what is usual.
"""

# %% [markdown] slide="notes"
"""
<details><summary>For the lecturer: 1 min</summary>

The band is one standard deviation, .17 here.

</details>
"""

# %% [markdown] slide="slide" tags=["deeper"]
"""
## Deeper

The standard deviation is .17.
"""
'''
ASKED = "How many standard deviations of .17 is it from the mean of 0.5? At 17?"


@pytest.mark.parametrize("path", notebooks_in(LESSONS), ids=lambda path: path.stem)
def test_no_exercise_needs_what_only_a_note_explains(path: Path):
    hold("only in notes", path.stem, only_in_notes(path.stem))


def test_a_term_and_a_number_of_a_note_are_seen_unless_the_core_tells_them():
    lesson = read_text(LESSON)
    words = ["standard deviation", "mean"]
    assert missing(ASKED, notes_in(lesson), told_in(lesson), words) == ["standard deviation", ".17"]
    told = told_in(lesson) + "The standard deviation is .17."
    assert missing(ASKED, notes_in(lesson), told, words) == []


def test_the_glossary_s_words_are_those_of_a_text():
    words = glossary_words()
    assert {"spread", "standard deviation", "cosine similarity", "bos", "eos", "mask"} <= {*words}


def test_core_exercises_are_asked_with_a_learner_s_own_numbers():
    text = """# %% [markdown]
'''
## 2. Predict

`predict_remarkable` · 1 point · ●○○ · 4 minutes

Is .80 much?
'''

# %% [markdown]
'''
## 3. More

`embed` · 2 points · ●●○ · 8 minutes · extra

Not asked of everyone.
'''
""".replace("'''", '"""')
    asked = asked_in(read_text(text))
    assert "Is .80 much?" in asked
    assert "everyone" not in asked
    assert "standard deviation" in asked  # in the question that is drawn for a learner
