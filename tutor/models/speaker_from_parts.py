"""SmolLM2, lesson 9's language model, with every formula in a function of its own."""

from collections.abc import Callable

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor, nn

from tutor.cache import DecoderCache, KeyValueCache
from tutor.decode import generate, most_likely
from tutor.language_model import ModelStep
from tutor.models.from_parts import Parts, same_numbers
from tutor.models.smollm import EOS_ID, SmolLM, is_installed, load_smollm
from tutor.models.smollm_excerpt import next_words, prompts
from tutor.output import temperature_softmax, top_p_probabilities
from tutor.say import say
from tutor.transformer import Transformer

PARTS = (
    "embed",
    "rms_norm",
    "split_heads",
    "rotate_by_position",
    "grouped_query_attention",
    "merge_heads",
    "swiglu",
    "tied_logits",
    "temperature_softmax",
    "top_p_probabilities",
)
"""The exercises whose functions it runs, in the order in which a text meets them."""

Speaks = Callable[..., str]

TEMPERATURE, TOP_P = 0.8, 0.9
MOST = 2e-4  # between logits up to 30, by rounding alone


class SpeakerFromParts(nn.Module):
    """The language model, put together from functions; it reads one text at a time.

    Args:
        parts: a function for each of `PARTS`.
        model: whose weights it uses.
    """

    def __init__(self, parts: Parts, model: Transformer) -> None:
        super().__init__()
        self.f, self.config = parts, model.config
        self.w = {name: weight.detach() for name, weight in model.named_parameters()}
        head = model.config.d_model // model.config.heads
        pairs = torch.arange(0, head, 2, dtype=torch.float64) / head
        self.speeds = model.config.rotary_base**-pairs  # (d / 2,)
        self.eval()

    def new_cache(self) -> DecoderCache:
        """Give an empty cache of keys and values."""
        return DecoderCache(self.config.layers)

    @torch.no_grad()
    def decode(
        self,
        target: Int[Tensor, "1 target"],
        memory: Float[Tensor, "..."] | None = None,
        keep: Bool[Tensor, "..."] | None = None,
        memory_keep: Bool[Tensor, "..."] | None = None,
        cache: DecoderCache | None = None,
    ) -> Float[Tensor, "1 target d_model"]:
        """Give a state at each token, from which the one after it is scored."""
        cache = self.new_cache() if cache is None else cache
        x, past = self._embedded(target), cache.length
        for n, (kept, _) in enumerate(cache.layers):
            at = f"decoder.layers.{n}"
            looked = self._look_back(self._norm(x, f"{at}.norm_self"), past, kept, at)
            x = x + looked
            x = x + self._think(self._norm(x, f"{at}.norm_feed"), f"{at}.feed_forward")
        return self._norm(x, "decoder.norm")

    @torch.no_grad()
    def logits(self, states: Float[Tensor, "*batch d_model"]) -> Float[Tensor, "*batch vocabulary"]:
        """Score every token as the next one."""
        return self.f["tied_logits"](states, self.w["embedding.table"])

    def _embedded(self, ids: Tensor) -> Tensor:
        """Look rows up. The exercise multiplies by √D and clears padding: here is neither."""
        table = self.w["embedding.table"]
        pad_id = int((torch.bincount(ids.flatten(), minlength=len(table)) == 0).nonzero()[0])
        return self.f["embed"](ids, table, pad_id) / table.size(1) ** 0.5

    def _norm(self, x: Tensor, at: str) -> Tensor:
        return self.f["rms_norm"](x, self.w[f"{at}.gamma"], self.config.eps)

    def _think(self, x: Tensor, at: str) -> Tensor:
        return self.f["swiglu"](x, *(self.w[f"{at}.{n}.weight"] for n in ("W_gate", "W_1", "W_2")))

    def _look_back(self, x: Tensor, past: int, kept: KeyValueCache, at: str) -> Tensor:
        """Let each token look at itself and those before; the exercise is handed no others."""
        h = self.config.heads
        g = self.config.key_value_heads or h
        q, k, v = (
            self.f["split_heads"](x @ self.w[f"{at}.self_attention.{name}.weight"].T, heads)
            for name, heads in (("W_q", h), ("W_k", g), ("W_v", g))
        )  # (1, h, T, d), (1, g, T, d) twice
        k, v = kept.extend(self._turned(k, past), v)
        q = self._turned(q, past)
        attend = self.f["grouped_query_attention"]
        found = [
            attend(q[:, :, t : t + 1], k[:, :, : past + t + 1], v[:, :, : past + t + 1])
            for t in range(q.size(2))
        ]  # each (1, h, 1, d)
        joined = self.f["merge_heads"](torch.cat(found, 2))  # (1, T, D)
        return joined @ self.w[f"{at}.self_attention.W_o.weight"].T

    def _turned(self, x: Tensor, past: int) -> Tensor:
        """Turn each pair of features by its clock.

        The exercise's slowest clocks have the base 10,000, the model's 100,000. So each pair goes
        in as a token of width 2, which turns by its position: here the time on its own clock.
        """
        h, T = x.shape[1:3]
        clocks = (torch.arange(past, past + T)[:, None] * self.speeds).flatten()  # (T·d/2,)
        pairs = x[0].reshape(h, -1, 2)  # (h, T·d/2, 2)
        return self.f["rotate_by_position"](pairs, clocks).reshape(x.shape)


def cut(
    parts: Parts, log_probs: Float[Tensor, "*batch vocabulary"], temperature: float, top_p: float
) -> Float[Tensor, "*batch vocabulary"]:
    """Turn scores into the probabilities that tokens are drawn by, with the parts' functions."""
    probabilities = parts["temperature_softmax"](log_probs, temperature)
    return parts["top_p_probabilities"](probabilities, top_p)


def speaker_of(parts: Parts, smollm: SmolLM) -> Speaks:
    """Put the language model together from parts, and give what goes on writing with it.

    What is given back says what was written, and whether the numbers are the course's; if not, at
    which part they begin to differ.

    Args:
        parts: a function for each of `PARTS`.
        smollm: whose weights and tokenizer are used.
    """
    model, tokenizer = smollm.model, smollm.tokenizer

    def spoken(prompt: str, tokens: int = 16, temperature: float = 0.0, seed: int = 1) -> str:
        ids = smollm.start(prompt)  # (1, T)
        generator = torch.Generator().manual_seed(seed)

        def scores(some: Parts) -> Tensor:
            mine = SpeakerFromParts(some, model)
            logits = mine.logits(mine.decode(ids))[0]  # (T, V)
            return torch.stack([logits, cut(some, logits, TEMPERATURE, TOP_P)])

        def write(some: Parts) -> str:
            def draw(log_probs: Tensor) -> Tensor:
                shares = cut(some, log_probs, temperature, TOP_P)
                return torch.multinomial(shares, 1, generator=generator)[:, 0]

            choose = draw if temperature else most_likely
            step = ModelStep(SpeakerFromParts(some, model))
            return tokenizer.decode(generate(step, ids, choose, tokens, EOS_ID)[0])

        with torch.no_grad():
            logits = model.logits(model.decode(ids))[0]
        shares = top_p_probabilities(temperature_softmax(logits, TEMPERATURE), TOP_P)
        return same_numbers(parts, scores, torch.stack([logits, shares]), MOST, prompt, write)

    return spoken


def speak(parts: Parts, prompt: str) -> str:
    """Let SmolLM2 go on writing with these parts; where it is not installed, draw one token.

    The token is drawn from the stored next tokens of a prompt, by the parts' temperature and top-p.

    Raises:
        MissingModelError: the model is not installed, and nothing is stored of this prompt.

    Example:
        >>> from tutor.exercises import find
        >>> lent = {name: find(name).reference for name in ("temperature_softmax", PARTS[-1])}
        >>> print(one_token(lent, "The capital of France is"))
        The capital of France is → Paris
        Of 49,152 tokens, your temperature 0.8 and top-p 0.9 leave 1.
    """
    if not is_installed() and prompt in prompts():
        return one_token(parts, prompt)
    return speaker_of(parts, load_smollm())(prompt)


def one_token(parts: Parts, prompt: str) -> str:
    """Draw a stored prompt's next token with the parts' functions."""
    stored = next_words(prompt)
    shares = cut(parts, stored.log_probs, TEMPERATURE, TOP_P)
    drawn = int(torch.multinomial(shares, 1, generator=torch.Generator().manual_seed(1)))
    word = stored.words[drawn] if drawn < len(stored.words) else say("a rare token")
    left = say(
        "Of {all} tokens, your temperature {temperature} and top-p {top_p} leave {count}.",
        all=f"{len(shares):,}",
        temperature=TEMPERATURE,
        top_p=TOP_P,
        count=f"{int((shares > 0).sum()):,}",
    )
    return "\n".join([say("{text} → {written}", text=prompt, written=word.strip()), left])
