"""Sweep what a small translator makes of sentences it has not seen, for lesson 8.

Run it as `python tools/results/left_out_sentences.py`; it writes
tutor/data/results/left_out_sentences.json.
"""

import torch
from sweep import Sweep  # first: it makes the package importable
from torch import Tensor

from tutor.data.pairs import Pair, Task
from tutor.data.talk import OBJECTS, SUBJECTS, VERBS, talk_pairs, talk_task
from tutor.decode import translate
from tutor.embedding import BOS, EOS
from tutor.models.tracing import trace
from tutor.training.initialisation import INITIALISATIONS, Initialisation
from tutor.training.talker import train_talker, write
from tutor.transformer import Transformer

SWAPS, NOISES = 30, 10


def left_out(sentences: int) -> list[str]:
    """Draw which of the 96 sentences are not learned; the others have every word."""
    pairs = talk_pairs()
    words = {word for pair in pairs for word in (*pair.source, *pair.target)}
    while True:
        order = torch.randperm(len(pairs)).tolist()
        seen = [pairs[place] for place in order[:sentences]]
        if {word for pair in seen for word in (*pair.source, *pair.target)} == words:
            return [" ".join(pairs[place].source) for place in order[sentences:]]


def share_right(model: Transformer, task: Task, sources: list[str], pairs: list[Pair]) -> float:
    """Translate sources; the share that becomes the pairs' targets."""
    ids = translate(model, task.read(*sources), task.target_words, max_length=8)
    right = [task.tokens(one) == pair.target for one, pair in zip(ids, pairs, strict=True)]
    return sum(right) / len(right)


def well_formed(model: Transformer, task: Task, memory: Tensor) -> bool:
    """Whether a memory becomes subject, object, verb and the end."""
    words = write(model, task, [memory])
    parts = [set(part.values()) for part in (SUBJECTS, OBJECTS, VERBS)]
    return len(words) == 4 and all(w in p for w, p in zip(words, [*parts, {EOS}], strict=True))


def share_swapped(model: Transformer, task: Task) -> float:
    """Change the memory after one word or two; how often all later words are the new sentence's."""
    pairs, followed = talk_pairs(), []
    while len(followed) < SWAPS:
        first, second = (pairs[place] for place in torch.randint(len(pairs), (2,)).tolist())
        if any(a == b for a, b in zip(first.target, second.target, strict=True)):
            continue
        before, after = (model.encode(task.read(" ".join(p.source))) for p in (first, second))
        kept = 1 + len(followed) % 2
        words = write(model, task, [*[before] * kept, after])
        followed.append(words == [*first.target[:kept], *second.target[kept:], EOS])
    return sum(followed) / SWAPS


def aligned(model: Transformer, task: Task, pair: Pair) -> bool:
    """Whether some head has over half of its weight on the right word at each of three words."""
    target = torch.tensor([task.target_words.encode([BOS, *pair.target])])
    with trace(model) as t:
        model(task.read(" ".join(pair.source)), target)
    last = model.config.layers - 1
    weights = t[f"decoder.layers.{last}.cross_attention.weights"][0]  # (h, T, S)
    on_its_word = weights[:, torch.arange(3), torch.tensor([0, 2, 1])]  # (h, 3): I, her, love
    return bool((on_its_word > 0.5).all(dim=1).any())


def translated(
    sentences: int,
    layers: int,
    steps: int,
    rate: float,
    initialisation: Initialisation,
    seed: int,
) -> dict[str, float]:
    """Train a translator; how it does on new sentences, without memory, with another's."""
    task = talk_task(left_out(sentences))
    model = train_talker(
        task, layers=layers, steps=steps, rate=rate, initialisation=initialisation, seed=seed
    )
    with torch.inference_mode():
        new, everything = list(task.test), talk_pairs()
        memories = model.encode(task.read(*[" ".join(pair.source) for pair in task.train]))
        mean = memories.mean((0, 1), keepdim=True).expand(1, 4, -1)  # (1, S, D)
        noises = [memories.std() * torch.randn_like(mean) for _ in range(NOISES)]
        noisy = [well_formed(model, task, noise) for noise in noises]
        backwards = [" ".join(reversed(pair.source)) for pair in everything]
        return {
            "right": share_right(model, task, [" ".join(pair.source) for pair in new], new),
            "well formed, zeros": well_formed(model, task, torch.zeros_like(mean)),
            "well formed, mean": well_formed(model, task, mean),
            "well formed, noise": sum(noisy) / NOISES,
            "swapped": share_swapped(model, task),
            "backwards": share_right(model, task, backwards, everything),
            "aligned": aligned(model, task, new[0]),
        }


SWEEP = Sweep(
    "left_out_sentences",
    "a small translator (D = 32, 2 heads) learns some of 96 English sentences of three words with "
    "their Korean; then it translates the others, writes with a memory of zeros, of the mean of "
    "all, or of noise, with a memory that changes after one word or two, and reads all backwards",
    translated,
    grids=[
        {
            "sentences": [12, 24, 36, 48, 72, 95],
            "layers": [1],
            "steps": [150],
            "rate": [1.0],
            "initialisation": INITIALISATIONS,
        },
        {
            "sentences": [95],
            "layers": [1, 2],
            "steps": [150, 300],
            "rate": [0.5, 1.0],
            "initialisation": INITIALISATIONS,
        },
        {
            "sentences": [48],
            "layers": [2],
            "steps": [150, 300],
            "rate": [1.0],
            "initialisation": INITIALISATIONS,
        },
    ],
    labels={
        "sentences": "sentences learned",
        "layers": "layers in each stack",
        "steps": "steps of training",
        "rate": "learning rate, times the paper's",
        "initialisation": "initialisation",
        "right": "share of new sentences right",
        "well formed, zeros": "well formed with a memory of zeros",
        "well formed, mean": "well formed with the mean of all memories",
        "well formed, noise": "share well formed with a memory of noise",
        "swapped": "share that goes on with the new memory's words",
        "backwards": "share of sentences right when read backwards",
        "aligned": "a head looks at the right word each time",
    },
    margins={
        "right": 0.1,
        "well formed, zeros": 1.0,
        "well formed, mean": 1.0,
        "well formed, noise": 0.4,
        "swapped": 0.1,
        "backwards": 0.1,
        "aligned": 1.0,
    },
    sample={
        "sentences": [95],
        "layers": [1],
        "steps": [150],
        "rate": [1.0],
        "initialisation": ["xavier"],
    },
)

if __name__ == "__main__":
    SWEEP.main()
