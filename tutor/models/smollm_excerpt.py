"""What the course carries of the language model SmolLM2, for readers without it (lesson 9).

`tools/data/smollm.py` made it; the model itself is `smollm`.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

import torch
from jaxtyping import Float
from safetensors import safe_open
from torch import Tensor

from tutor.data.files import FILES
from tutor.models.minilm import AttentionMap
from tutor.models.smollm import CONFIG, load_smollm
from tutor.say import say

EXCERPT = FILES / "smollm-excerpt.safetensors"
EXACT, NAMED = 256, 64  # words whose probability is exact, and whose text is kept
ALIKE = 256  # so many words of the rest share the mean of their probabilities


@dataclass(frozen=True)
class NextWords:
    """What may come after a prompt, the most likely first.

    Attributes:
        words: the texts of the first 64 words, each with the blank before it.
        log_probs: of all 49,152. The first 256 are exact; of the others, 256 neighbours at a time
            share one value, so that what is counted there is an estimate.
    """

    words: list[str]
    log_probs: Float[Tensor, " vocabulary"]


@dataclass(frozen=True)
class Written:
    """A text that the model has read or written, and how likely it found each piece.

    Attributes:
        prompt: what was given; "" if the text was only read.
        how: how each next piece was chosen.
        pieces: the T pieces of the text, without the prompt.
        log_probs: the logarithm of each piece's probability, at temperature 1.
    """

    prompt: str
    how: str
    pieces: list[str]
    log_probs: Float[Tensor, " T"]

    @property
    def text(self) -> str:
        """The pieces in one."""
        return "".join(self.pieces)


@cache
def _excerpt() -> tuple[dict[str, Any], dict[str, Tensor]]:
    with safe_open(EXCERPT, "pt") as file:
        content = json.loads(file.metadata()["content"])
        return content, {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118


def prompts() -> list[str]:
    """Give the prompts whose next words are stored.

    Example:
        >>> prompts()[:2]
        ['Attention is all you', 'The capital of France is']
    """
    return list(_excerpt()[0]["next words"])


def next_words(prompt: str) -> NextWords:
    """Give a prompt's next words: the stored ones if there are, else from the model.

    Example:
        >>> found = next_words("The capital of France is")
        >>> found.words[0], round(found.log_probs[0].exp().item(), 2), len(found.log_probs)
        (' Paris', 0.77, 49152)
        >>> round(found.log_probs.exp().sum().item(), 3)
        1.0

    Raises:
        MissingModelError: the prompt is not stored and the model not installed.
    """
    content, tensors = _excerpt()
    if prompt not in content["next words"]:
        return asked(prompt)
    number = list(content["next words"]).index(prompt)
    rest = tensors[f"rest {number}"].double().repeat_interleave(ALIKE)
    best = tensors[f"best {number}"].double()
    return NextWords(content["next words"][prompt], torch.cat([best, rest]))


def asked(prompt: str) -> NextWords:
    """Ask the model itself for a prompt's next words.

    Raises:
        MissingModelError: the model is not installed.
    """
    smollm = load_smollm()
    log_probs = smollm.logits(prompt)[-1].double().log_softmax(-1)
    ranked, order = log_probs.sort(descending=True)
    return NextWords([smollm.tokenizer.decode([i]) for i in order[:NAMED].tolist()], ranked)


def written(prompt: str, how: str) -> Written:
    """Give a stored continuation.

    Example:
        >>> written("I don't know what to", "greedy").text[:40]
        " do. I'm not sure what to do. I'm not su"

    Raises:
        ValueError: there is none of that prompt, or none chosen in that way.
    """
    return _one_of("written", prompt, how)


def read(before: str) -> Written:
    """Give a stored reading of *Mr Dursley met Mrs Potter.* after a beginning.

    Example:
        >>> read("Mr Dursley met Mrs Potter.").pieces[:3]
        [' Mr', ' D', 'urs']

    Raises:
        ValueError: there is none after that beginning.
    """
    return _one_of("read", before, "read")


def beams(prompt: str) -> list[Written]:
    """Give the stored beam of a prompt, best first, then what greedy search and chance wrote.

    Example:
        >>> [each.how for each in beams("Once upon a time, there was a")][-3:]
        ['beam 4', 'greedy', 'drawn']

    Raises:
        ValueError: there is none of that prompt.
    """
    found = [each for each in _all("beams") if each.prompt == prompt]
    if not found:
        raise ValueError(say("no beam is stored for {prompt!r}", prompt=prompt))
    return found


def stored_heads() -> dict[str, AttentionMap]:
    """Give the weights of all 30 × 9 heads for two texts, to a 255th.

    Example:
        >>> [found.weights.shape for found in stored_heads().values()]
        [torch.Size([30, 9, 13, 13]), torch.Size([30, 9, 14, 14])]
    """
    content, tensors = _excerpt()
    found = {}
    for number, (text, pieces) in enumerate(content["heads"].items()):
        row, column = torch.tril_indices(len(pieces), len(pieces))
        weights = torch.zeros(CONFIG.layers, CONFIG.heads, len(pieces), len(pieces))
        weights[:, :, row, column] = tensors[f"heads {number}"].float() / 255
        found[text] = AttentionMap(pieces, weights)
    return found


def head_map(text: str) -> AttentionMap:
    """Give a text's attention: the stored map if there is one, else from the model.

    Raises:
        MissingModelError: the text is not stored and the model not installed.
    """
    stored = stored_heads()
    return stored[text] if text in stored else load_smollm().attention(text)


def _all(kind: str) -> list[Written]:
    content, tensors = _excerpt()
    return [
        Written(**each, log_probs=tensors[f"{kind} {number}"])
        for number, each in enumerate(content[kind])
    ]


def _one_of(kind: str, prompt: str, how: str) -> Written:
    found = _all(kind)
    for each in found:
        if (each.prompt, each.how) == (prompt, how):
            return each
    offered: Sequence[tuple[str, str]] = [(each.prompt, each.how) for each in found]
    raise ValueError(
        say(
            "nothing is stored for {asked}; there are {offered}",
            asked=(prompt, how),
            offered=offered,
        )
    )
