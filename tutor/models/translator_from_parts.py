"""Lesson 8's trained translator with every formula in a function of its own."""

from collections.abc import Callable, Sequence
from typing import Any

import torch
import torch.nn.functional as F
from jaxtyping import Bool, Float, Int
from torch import Tensor, nn

from tutor.data.pairs import Task
from tutor.decode import translate
from tutor.mask import padding_keep
from tutor.models.from_parts import Parts, WordsRead, same_numbers
from tutor.say import PlainError, say
from tutor.transformer import Transformer

PARTS = (
    "embed",
    "sinusoidal_encoding",
    "add_positions",
    "encoder_layer",
    "multi_head_attention",
    "layer_norm",
    "feed_forward",
    "split_heads",
    "decoder_mask",
    "scaled_dot_product_attention",
    "merge_heads",
    "cross_attention",
    "tied_logits",
    "temperature_softmax",
)
"""The exercises whose functions it runs, in the order in which a sentence meets them."""

_MOST_WORDS = 40
_PLACES = 64  # that its words can have
MOST = 2e-5  # between logits up to 30, by rounding alone


class TranslatorFromParts(nn.Module):
    """The translator, put together from functions.

    `encoder_layer` is the first layer of the encoder; the second is put together from
    `multi_head_attention`, `layer_norm` and `feed_forward`.

    Args:
        parts: a function for each of `PARTS`.
        model: whose weights it uses.

    Source: "Attention Is All You Need", figure 1.
    """

    def __init__(self, parts: Parts, model: Transformer) -> None:
        super().__init__()
        self.f, self.config = parts, model.config
        self.w = {name: weight.detach() for name, weight in model.named_parameters()}
        self.encoding = parts["sinusoidal_encoding"](_PLACES, model.config.d_model)  # (64, D)
        self.eval()

    @torch.no_grad()
    def encode(
        self, source: Int[Tensor, "batch source"], keep: Bool[Tensor, "..."] | None = None
    ) -> Float[Tensor, "batch source d_model"]:
        """Read sources, each alone, since the attention of lesson 5 knows no padding."""
        return torch.cat([self._encode_one(ids.unsqueeze(0)) for ids in source])

    def _encode_one(self, source: Tensor) -> Tensor:
        real = source != self.config.pad_id  # (1, S)
        words = int(real.sum())
        x = self._placed(source, "source_embedding.table")
        at = "encoder.layers.0"
        x = self.f["encoder_layer"](
            x,
            real,
            self._tensors(f"{at}.self_attention", "W_q", "W_k", "W_v", "W_o"),
            self._tensors(f"{at}.feed_forward", "W_1", "W_2"),
            (self._norms(f"{at}.norm_self"), self._norms(f"{at}.norm_feed")),
            self.config.heads,
        )[:, :words]  # (1, words, D): padding is cut off
        for n in range(1, self.config.layers):
            at = f"encoder.layers.{n}"
            x = self._norm(x + self._look_around(x, f"{at}.self_attention"), f"{at}.norm_self")
            x = self._norm(x + self._think(x, at), f"{at}.norm_feed")
        return F.pad(x, (0, 0, 0, source.size(1) - words))  # (1, S, D)

    @torch.no_grad()
    def decode(
        self,
        target: Int[Tensor, "batch target"],
        memory: Float[Tensor, "batch source d_model"] | None = None,
        keep: Bool[Tensor, "..."] | None = None,
        memory_keep: Bool[Tensor, "batch 1 1 source"] | None = None,
        cache: WordsRead | None = None,
    ) -> Float[Tensor, "batch target d_model"]:
        """Give a state at each target word; words that a cache remembers are read again."""
        if memory is None:
            raise ValueError(say("a translator looks at a source: memory is None"))
        new = target.size(1)
        words = target if cache is None else cache.extend(target)  # (B, T)
        real = torch.ones(memory.shape[:2], dtype=torch.bool)
        real = real if memory_keep is None else memory_keep[:, 0, 0]  # (B, S)
        x = self._placed(words, "embedding.table")
        see = self.f["decoder_mask"](words, self.config.pad_id)  # (B, 1, T, T)
        for n in range(self.config.layers):
            at = f"decoder.layers.{n}"
            x = self._norm(x + self._look_back(x, see, f"{at}.self_attention"), f"{at}.norm_self")
            over = self._look_over(x, memory, real, f"{at}.cross_attention")
            x = self._norm(x + over, f"{at}.norm_cross")
            x = self._norm(x + self._think(x, at), f"{at}.norm_feed")
        return x[:, -new:]

    @torch.no_grad()
    def logits(self, states: Float[Tensor, "*batch d_model"]) -> Float[Tensor, "*batch vocabulary"]:
        """Score every target word as the next one."""
        return self.f["tied_logits"](states, self.w["embedding.table"])

    def most_likely(self, scores: Float[Tensor, "rows vocabulary"]) -> Int[Tensor, " rows"]:
        """Choose the word of each row that has the largest probability."""
        return self.f["temperature_softmax"](scores, 1.0).argmax(-1)

    def new_cache(self) -> Any:
        """Give an empty cache: the words that were read."""
        return WordsRead()

    def _placed(self, ids: Tensor, table: str) -> Tensor:
        x = self.f["embed"](ids, self.w[table], self.config.pad_id)  # (B, T, D)
        return self.f["add_positions"](x, self.encoding)

    def _linear(self, x: Tensor, name: str) -> Tensor:
        return x @ self.w[f"{name}.weight"].T + self.w[f"{name}.bias"]

    def _tensors(self, at: str, *names: str) -> Sequence[Tensor]:
        return [self.w[f"{at}.{name}.{kind}"] for name in names for kind in ("weight", "bias")]

    def _norms(self, at: str) -> tuple[Tensor, Tensor]:
        return self.w[f"{at}.gamma"], self.w[f"{at}.beta"]

    def _norm(self, x: Tensor, at: str) -> Tensor:
        return self.f["layer_norm"](x, *self._norms(at), self.config.eps)

    def _think(self, x: Tensor, at: str) -> Tensor:
        return self.f["feed_forward"](x, *self._tensors(f"{at}.feed_forward", "W_1", "W_2"))

    def _heads(self, x: Tensor, name: str) -> Tensor:
        heads = self.f["split_heads"](self._linear(x, name), self.config.heads)  # (B, h, T, d)
        return heads.flatten(0, 1)  # (B·h, T, d): to the exercises heads are a batch

    def _together(self, x: Tensor, at: str) -> Tensor:
        heads = x.unflatten(0, (-1, self.config.heads))  # (B, h, T, d)
        return self._linear(self.f["merge_heads"](heads), f"{at}.W_o")

    def _look_around(self, x: Tensor, at: str) -> Tensor:
        """Let the source look at itself; biases ride on a feature of 1: the exercise has none."""
        one = torch.cat([x, torch.ones_like(x[..., :1])], -1)  # (1, S, D + 1)
        weights = [
            torch.cat([self.w[f"{at}.{name}.weight"], self.w[f"{at}.{name}.bias"][:, None]], 1)
            for name in ("W_q", "W_k", "W_v")
        ]  # each (D, D + 1)
        W_o = self.w[f"{at}.W_o.weight"]
        wide = torch.cat([W_o, torch.zeros_like(W_o[:1])])  # (D + 1, D): out is as wide as in
        found = self.f["multi_head_attention"](one, one, *weights, wide, self.config.heads)
        return found[..., : x.size(-1)] + self.w[f"{at}.W_o.bias"]

    def _look_back(self, x: Tensor, see: Tensor, at: str) -> Tensor:
        """Let the target look at itself; each row is handed only the keys that the mask shows."""
        q, k, v = (self._heads(x, f"{at}.{name}") for name in ("W_q", "W_k", "W_v"))
        shown = see.expand(len(x), 1, *see.shape[2:])[0, 0]  # (T, T)
        attend = self.f["scaled_dot_product_attention"]
        rows = [
            attend(q[:, t : t + 1], k[:, keys], v[:, keys])[0]  # (B·h, 1, d)
            for t, keys in enumerate(shown)
        ]
        return self._together(torch.cat(rows, 1), at)

    def _look_over(self, x: Tensor, memory: Tensor, real: Tensor, at: str) -> Tensor:
        q = self._heads(x, f"{at}.W_q")
        k, v = (self._heads(memory, f"{at}.{name}") for name in ("W_k", "W_v"))
        keys = real.repeat_interleave(self.config.heads, 0)  # (B·h, S)
        return self._together(self.f["cross_attention"](q, k, v, keys)[0], at)


def translator_of(parts: Parts, model: Transformer, task: Task) -> Callable[[str], str]:
    """Put the translator together from parts, and give what translates a text with it.

    What is given back says which words were written, and whether the numbers are the course's; if
    not, at which part they begin to differ.

    Args:
        parts: a function for each of `PARTS`.
        model: whose weights are used.
        task: whose words they are.

    Raises:
        PlainError: on a text of more words than have places.
    """

    def translated(text: str) -> str:
        words = task.target_words
        source = F.pad(task.read(text), (0, 1), value=words.pad_id)  # (1, S + 1): one of padding
        if source.size(1) > _PLACES:
            raise _too_long(source.size(1) - 2)  # without <eos> and the padding
        keep = padding_keep(source, words.pad_id)
        [ids] = translate(model, source, words, _MOST_WORDS)
        read = torch.tensor([[words.bos_id, *ids[:-1]]])  # (1, T)

        def scores(some: Parts) -> Tensor:
            mine = TranslatorFromParts(some, model)
            states = mine.decode(read, mine.encode(source), memory_keep=keep)
            logits = mine.logits(states)  # (1, T, V)
            return torch.stack([logits, some["temperature_softmax"](logits, 1.0)])

        def write(some: Parts) -> str:
            mine = TranslatorFromParts(some, model)
            return task.write(translate(mine, source, words, _MOST_WORDS, mine.most_likely)[0])

        with torch.no_grad():
            logits = model(source, read)
        return same_numbers(
            parts, scores, torch.stack([logits, logits.softmax(-1)]), MOST, text, write
        )

    return translated


def _too_long(words: int) -> PlainError:
    sentence = "The translator reads at most {most} words at a time, and this text has {words}."
    return PlainError(say(sentence, most=_PLACES - 2, words=words))
