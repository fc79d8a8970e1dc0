"""Texts that SmolLM2 wrote with stored dice, and a whole tree of them (lesson 9).

One number between 0 and 1 decides each token: the tokens lie side by side on a line, the most
likely first, each as long as its probability, and the number says where to look. So the same dice
can be thrown at any temperature. `tools/data/smollm_dice.py` made what is stored.
"""

import json
import lzma
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from itertools import accumulate
from typing import Any

from jaxtyping import Float
from safetensors.torch import load
from torch import Tensor

from tutor.data.files import FILES

FILE = FILES / "smollm-dice.safetensors.xz"
NATS = 1 / 16  # one step of a stored logarithm; 255 of them and more are one value
DICE, AHEAD, BEST = 8, 24, 8  # dice, tokens of a text, tokens stored of each distribution
TEMPERATURES = (0.3, 0.7, 1.0, 1.5)
CUTS: dict[str, dict[str, Any]] = {
    "none": {},
    "top-k 5": {"top_k": 5},
    "min-p .1": {"min_p": 0.1},
}
CHOICES, DEPTH = 3, 7  # of the tree

Thrown = tuple[int, float, str]
"""Which die, at what temperature, with which cut."""


def settings() -> list[Thrown]:
    """List what each of a prompt's texts was written with, in their order.

    Example:
        >>> len(settings()), settings()[0]
        (96, (1, 0.3, 'none'))
    """
    return [(d + 1, T, cut) for d in range(DICE) for T in TEMPERATURES for cut in CUTS]


@dataclass(frozen=True)
class Draw:
    """One token of a text: what could have come, and what the die chose.

    Attributes:
        tokens: the most likely ones, as bytes.
        shares: the probability of each, after temperature and cut; 0 if it was cut off.
        die: the number that was thrown.
        chosen: the token drawn, as bytes.
        place: which of `tokens` that is; None if it is less likely than all of them.
        surprise: −ln p of the token drawn, at temperature 1, in nats; 15.9 stands for more, too.
    """

    tokens: list[bytes]
    shares: Float[Tensor, " best"]
    die: float
    chosen: bytes
    place: int | None
    surprise: float


def prompts() -> list[str]:
    """Give the prompts whose texts are stored.

    Example:
        >>> prompts()
        ['The nice thing about rivers is', 'Once upon a time, there was a']
    """
    return list(_stored()[0]["prompts"])


@cache
def text(prompt: str, thrown: Thrown) -> list[Draw]:
    """Give a stored text, draw by draw.

    Example:
        >>> draws = text("The nice thing about rivers is", (1, 0.3, "none"))
        >>> len(draws), draws[0].chosen
        (24, b' that')
    """
    content, tensors = _stored()
    number, row = content["prompts"].index(prompt), settings().index(thrown)
    names = [name.encode("latin-1") for name in content["tokens"]]
    written = tensors[f"tokens {number}"].tolist()
    places = prefixes(written)
    _, T, _ = thrown
    draws = []
    for at, token in enumerate(written[row]):
        place = places[tuple(written[row][:at])]
        ids = tensors[f"best {number}"][:, place].tolist()
        nats = tensors[f"nats {number}"][:, place].float() * NATS
        held = tensors[f"held {number}"][row, at].item() / 255
        draws.append(
            Draw(
                tokens=[names[i] for i in ids],
                shares=held * _shared(-nats, T, int(tensors[f"kept {number}"][row, at])),
                die=tensors["dice"][thrown[0] - 1, at].item() / 1000,
                chosen=names[token],
                place=ids.index(token) if token in ids else None,
                surprise=tensors[f"surprise {number}"][row, at].item() * NATS,
            )
        )
    return draws


def prefixes(written: Sequence[Sequence[int]]) -> dict[tuple[int, ...], int]:
    """Number the beginnings that texts have, each once, however many texts share it.

    Example:
        >>> prefixes([[7, 8], [7, 9], [6, 5]])
        {(): 0, (7,): 1, (6,): 2}
    """
    found: dict[tuple[int, ...], int] = {}
    for at in range(len(written[0])):
        for row in written:
            found.setdefault(tuple(row[:at]), len(found))
    return found


@dataclass(frozen=True)
class Moment:
    """What the film shows of one token: everything between the text and the next token.

    Attributes:
        state: the last token's state, 576 numbers, to a 127th of the largest.
        tokens: the most likely ones, as they can be read.
        logits: of each.
        total: the logarithm of the sum of all 49,152 exponentials, after the temperature.
    """

    state: Float[Tensor, " d_model"]
    tokens: list[str]
    logits: Float[Tensor, " best"]
    total: float


@dataclass(frozen=True)
class Film:
    """How one of the stored texts begins, in all its numbers.

    Attributes:
        prompt, thrown: which text it is.
        moments: one for each token.
    """

    prompt: str
    thrown: Thrown
    moments: list[Moment]


@cache
def film() -> Film:
    """Give the text whose every number is stored.

    Example:
        >>> len(film().moments), film().moments[0].state.shape
        (6, torch.Size([576]))
    """
    content, tensors = _stored()
    die, T, cut = content["film"]["thrown"]
    names = content["film"]["tokens"]
    moments = [
        Moment(
            tensors["film states"][n].float() / 127 * tensors["film sizes"][n],
            names[n],
            tensors["film logits"][n],
            tensors["film totals"][n].item(),
        )
        for n in range(len(names))
    ]
    return Film(content["film"]["prompt"], (die, T, cut), moments)


class Tree:
    """All texts of seven tokens, each among the three most likely: 2,187 after one prompt.

    Args:
        prompt: one of `prompts`.

    Example:
        >>> tree = Tree("Once upon a time, there was a")
        >>> tree.choices([])[0]
        [b' small', b' town', b' woman']
    """

    def __init__(self, prompt: str) -> None:
        content, tensors = _stored()
        number = content["prompts"].index(prompt)
        self._names = [name.encode("latin-1") for name in content["tokens"]]
        self._ids = tensors[f"tree {number}"].T.tolist()
        self._nats = tensors[f"tree nats {number}"].T.float() * NATS  # (nodes, 3)

    def choices(self, way: Sequence[int]) -> tuple[list[bytes], Float[Tensor, " choices"]]:
        """Give the three tokens that may come after a way down, and their log-probabilities.

        Args:
            way: which of the three was taken, at each token so far.
        """
        node = node_of(way)
        return [self._names[i] for i in self._ids[node]], -self._nats[node]


def node_of(way: Sequence[int]) -> int:
    """Number the tree's nodes level by level, each parent's three side by side.

    Example:
        >>> [node_of(way) for way in ([], [0], [2], [0, 0], [2, 2])]
        [0, 1, 3, 4, 12]
    """
    *_, node = accumulate(way, lambda parent, branch: CHOICES * parent + 1 + branch, initial=0)
    return node


def _shared(log_probs: Float[Tensor, " best"], T: float, kept: int) -> Float[Tensor, " best"]:
    """Share out one whole among the first ones, after the temperature."""
    shares = (log_probs / T).softmax(-1)
    shares[kept:] = 0
    return shares / shares.sum()


@cache
def _stored() -> tuple[dict[str, Any], dict[str, Tensor]]:
    tensors = load(lzma.decompress(FILE.read_bytes()))
    return json.loads(bytes(tensors.pop("content").tolist())), tensors
