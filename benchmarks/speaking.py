"""SmolLM2 in the course's own parts beside the `transformers` library's Llama, with its weights.

Both read 256 tokens a text, which gives the first token, and go on writing greedily with a cache of
keys and values, in float32. No text ends early: the id that would end it does not exist.
"""

import time
from collections.abc import Callable, Iterator
from importlib.util import find_spec
from typing import Any, Protocol

import torch
from torch import Tensor

from benchmarks.frame import Options, Row, UnavailableError, compare, threads
from tutor.decode import generate, most_likely
from tutor.language_model import ModelStep
from tutor.models.smollm import INSTALL, is_installed, load_smollm
from tutor.transformer import Transformer

GOAL = 1.0
READ, WRITTEN = 256, 12  # tokens
TURNS = {1: 6, 16: 2}  # of so many texts at once, in a sample
NEVER = -1  # the id of no token

# The course's name of each weight of a layer -> the library's.
LAYER_PARTS = {
    "norm_self.gamma": "input_layernorm",
    "self_attention.W_q.weight": "self_attn.q_proj",
    "self_attention.W_k.weight": "self_attn.k_proj",
    "self_attention.W_v.weight": "self_attn.v_proj",
    "self_attention.W_o.weight": "self_attn.o_proj",
    "norm_feed.gamma": "post_attention_layernorm",
    "feed_forward.W_gate.weight": "mlp.gate_proj",
    "feed_forward.W_1.weight": "mlp.up_proj",
    "feed_forward.W_2.weight": "mlp.down_proj",
}
# And of those that are there once; the library has two names for the table, which is one.
ONCE = {
    "embedding.table": ("model.embed_tokens.weight", "lm_head.weight"),
    "decoder.norm.gamma": ("model.norm.weight",),
}


class Step(Protocol):
    """Scores the next token of each text, having read what was not read yet."""

    def __call__(self, prefixes: Tensor) -> Tensor: ...

    def reorder(self, rows: Tensor) -> None: ...


class LlamaStep:
    """The step function of the library's model; it gives scores, of which greedy takes the best."""

    def __init__(self, model: Any) -> None:
        self.model, self.cache, self.tokens_read = model, None, 0

    def __call__(self, prefixes: Tensor) -> Tensor:
        unread = prefixes[:, self.tokens_read :]
        mask = torch.ones_like(prefixes)
        self.tokens_read = prefixes.size(1)
        given = self.model(
            unread, attention_mask=mask, cache=self.cache, use_cache=True, logits_to_keep=1
        )
        self.cache = given.past_key_values
        return given.logits[:, -1]

    def reorder(self, rows: Tensor) -> None:
        """Refuse: no text ends, so all go on."""
        raise NotImplementedError


def measure(options: Options) -> Iterator[Row]:
    """Compare the first token and those after it: one thread by computing time, two by clock."""
    if not is_installed():
        raise UnavailableError(f"SmolLM2 is missing: {INSTALL}")
    if find_spec("transformers") is None:
        raise UnavailableError('the peer is missing: pip install -c constraints.txt ".[bench]"')
    ours = load_smollm().model
    peer = llama(ours)
    with torch.inference_mode():
        for texts, turns in TURNS.items():
            for number in (1, 2):
                with threads(number):
                    yield from rows(ours, peer, texts, turns * (5 if options.full else 1), number)


def rows(ours: Transformer, peer: Any, texts: int, turns: int, number: int) -> Iterator[Row]:
    """Let both read and write in turns, having warmed up; the first of a turn changes."""
    clock = time.process_time if number == 1 else time.perf_counter
    prompts = torch.randint(5, ours.config.vocabulary, (texts, READ))
    sides: list[Callable[[], Step]] = [lambda: ModelStep(ours), lambda: LlamaStep(peer)]
    for side in sides:
        seconds(side(), prompts[:, :2], clock)
    taken: tuple[list, list] = ([], [])
    for turn in range(turns):
        for n in (0, 1) if turn % 2 else (1, 0):
            taken[n].append(seconds(sides[n](), prompts, clock))
    for n, what in enumerate((f"the first token after {READ}", "a token after that")):
        of_both = [pair[n] for pair in taken[0]], [pair[n] for pair in taken[1]]
        yield compare(f"SmolLM2: {what}, batch {texts}", of_both, goal=GOAL, threads=number)


def seconds(step: Step, prompts: Tensor, clock: Callable[[], float]) -> tuple[float, float]:
    """Measure reading the prompts to the first token, and then the mean of a token."""
    start = clock()
    first = most_likely(step(prompts))
    read = clock()
    generate(step, torch.cat([prompts, first[:, None]], 1), most_likely, WRITTEN, NEVER)
    return read - start, (clock() - read) / WRITTEN


def llama(model: Transformer) -> Any:
    """Make the library's model of a decoder of today, holding its weights."""
    from transformers import LlamaConfig, LlamaForCausalLM

    c = model.config
    settings = LlamaConfig(
        vocab_size=c.vocabulary,
        hidden_size=c.d_model,
        intermediate_size=c.d_ff,
        num_hidden_layers=c.layers,
        num_attention_heads=c.heads,
        num_key_value_heads=c.key_value_heads,
        rms_norm_eps=c.eps,
        rope_parameters={"rope_type": "default", "rope_theta": c.rotary_base},
        max_position_embeddings=c.max_length,
        tie_word_embeddings=True,
    )
    theirs = LlamaForCausalLM(settings)
    theirs.load_state_dict(llama_weights(model), assign=True)
    return theirs.eval()


def llama_weights(model: Transformer) -> dict[str, Tensor]:
    """Give a decoder's weights under the library's names."""
    given: dict[str, Tensor] = {}
    for name, weight in model.state_dict().items():
        if name in ONCE:
            given |= dict.fromkeys(ONCE[name], weight)
            continue
        _, _, layer, part = name.split(".", 3)
        if part in ("self_attention.W_q.weight", "self_attention.W_k.weight"):
            weight = halves(weight, model.config.d_model // model.config.heads)
        given[f"model.layers.{layer}.{LAYER_PARTS[part]}.weight"] = weight
    return given


def halves(weight: Tensor, head: int) -> Tensor:
    """Order each head's rows as the library turns them: feature i with feature i + head / 2."""
    return weight.view(-1, head // 2, 2, weight.size(1)).transpose(1, 2).reshape(weight.shape)
