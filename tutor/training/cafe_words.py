"""A small table of embeddings, trained on the café's sentences by skip-gram (lesson 2)."""

from collections.abc import Sequence
from dataclasses import dataclass

import torch
import torch.nn.functional as F
from jaxtyping import Float, Int
from torch import Tensor

from tutor.adam import Adam
from tutor.embedding import window_pairs

GROUPS = {
    "people": ["mina", "joon", "sora", "tom", "ada"],
    "drinks": ["tea", "milk", "coffee", "juice", "cocoa"],
    "animals": ["cat", "dog", "horse", "bird", "fish"],
    "days": ["monday", "tuesday", "thursday", "friday", "sunday"],
    "cities": ["seoul", "paris", "berlin", "tokyo", "rome"],
    "numbers": ["two", "three", "four", "five", "six"],
}
_FRAMES = (
    "{people} drinks {drinks}",
    "{people} feeds the {animals}",
    "on {days} {people} drinks cold {drinks}",
    "{people} lives in {cities}",
    "on {days} we travel to {cities}",
    "{people} has {numbers} {animals}s",
    "{numbers} cups of {drinks}",
    "the {animals} sleeps in {cities}",
)
WINDOW = 2
RATE = 0.1


def sentences(count: int, generator: torch.Generator, shuffled: bool = False) -> list[list[str]]:
    """Make sentences of the café; shuffled, with all their words dealt out at random.

    Example:
        >>> sentences(2, torch.Generator().manual_seed(0))
        [['on', 'friday', 'we', 'travel', 'to', 'rome'], ['the', 'dog', 'sleeps', 'in', 'paris']]
    """
    made = []
    for _ in range(count):
        frame = _FRAMES[int(torch.randint(len(_FRAMES), (), generator=generator))]
        chosen = {
            name: words[int(torch.randint(len(words), (), generator=generator))]
            for name, words in GROUPS.items()
        }
        made.append(frame.format(**chosen).split())
    if not shuffled:
        return made
    words = [word for sentence in made for word in sentence]
    order = iter(torch.randperm(len(words), generator=generator).tolist())
    return [[words[next(order)] for _ in sentence] for sentence in made]


@dataclass
class WordTable:
    """A table that is being trained, and what it is trained on.

    Attributes:
        words: all words, in the order of the rows.
        rows: the embeddings, one a word.
        context: the other table, one row a word as context.
        bias: how common each word is as context.
        counts: how often each word has each other as context.
    """

    words: list[str]
    rows: Float[Tensor, "words width"]
    context: Float[Tensor, "words width"]
    bias: Float[Tensor, " words"]
    counts: Float[Tensor, "words words"]

    def ids(self, words: Sequence[str]) -> Int[Tensor, " n"]:
        """Give the rows' numbers of some words."""
        return torch.tensor([self.words.index(word) for word in words])


def fresh_table(text: Sequence[Sequence[str]], width: int, generator: torch.Generator) -> WordTable:
    """Make a table of small random rows for the words of a text, and count their context."""
    words = list(dict.fromkeys(word for sentence in text for word in sentence))
    number = {word: n for n, word in enumerate(words)}
    counts = torch.zeros(len(words), len(words), dtype=torch.float64)
    for sentence in text:
        for word, other in window_pairs(sentence, WINDOW):
            counts[number[word], number[other]] += 1
    rows, context = 0.1 * torch.randn(
        2, len(words), width, generator=generator, dtype=torch.float64
    )
    return WordTable(words, rows, context, torch.zeros(len(words), dtype=torch.float64), counts)


def train(table: WordTable, steps: int, keep_every: int = 0) -> list[Tensor]:
    """Raise the likelihood of every word's context, in place; give the rows on the way.

    Each step scores all words as context of every word, row · context row + bias, and takes the
    cross-entropy of all pairs at once, as often as they were counted.

    Source: Mikolov et al. 2013 (skip-gram), here with the whole softmax.
    """
    parameters = [table.rows, table.context, table.bias]
    seen: list[Tensor] = []
    with torch.inference_mode(False), torch.enable_grad():
        counts = table.counts.clone()  # made anew here, for it may come from inference mode
        learned = [torch.nn.Parameter(p.clone()) for p in parameters]
        adam = Adam(learned, RATE)
        for step in range(steps):
            if keep_every and step % keep_every == 0:
                seen.append(learned[0].detach().clone())
            scores = learned[0] @ learned[1].T + learned[2]  # (V, V)
            loss = -(counts * F.log_softmax(scores, dim=-1)).sum() / counts.sum()
            adam.zero_grad()
            loss.backward()
            adam.step()
    for old, new in zip(parameters, learned, strict=True):
        old.copy_(new.detach())
    return [*seen, table.rows.clone()]


def in_own_group(table: WordTable, rows: Tensor, by: str = "cosine") -> float:
    """Return the share of the groups' words whose nearest other such word is of their group.

    Args:
        table: says which row is whose.
        rows: the rows to compare, the table's own or others.
        by: "cosine" or "distance".
    """
    known = [(w, name) for name, words in GROUPS.items() for w in words if w in table.words]
    mine = rows[table.ids([word for word, _ in known])]
    if by == "cosine":
        nearness = F.normalize(mine, dim=-1) @ F.normalize(mine, dim=-1).T
    else:
        nearness = -torch.cdist(mine, mine)
    nearest = nearness.fill_diagonal_(-torch.inf).argmax(1).tolist()
    hits = [name == known[other][1] for (_, name), other in zip(known, nearest, strict=True)]
    return sum(hits) / len(hits)


def nearest_words(table: WordTable, word: str, k: int) -> list[str]:
    """Give the k words of the groups whose rows are most alike a word's, by cosine."""
    names = [w for words in GROUPS.values() for w in words if w in table.words and w != word]
    mine = F.normalize(table.rows[table.ids([word])], dim=-1)
    likeness = F.normalize(table.rows[table.ids(names)], dim=-1) @ mine[0]
    return [names[n] for n in likeness.topk(k).indices.tolist()]
