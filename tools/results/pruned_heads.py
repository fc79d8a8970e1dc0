"""Take heads out of MiniLM and see what its sentence vectors still know, for lesson 5.

Run it as `python tools/results/pruned_heads.py`; it writes tutor/data/results/pruned_heads.json.
It needs the pretrained model: `tutor.models.minilm.INSTALL` says how to get it.
"""

from collections.abc import Sequence
from typing import Any

import stored  # first: it makes the package importable
import torch
from torch import Tensor

from tutor.models.minilm import CONFIG, MiniLM, load_minilm

SEED, ORDERS = 5, 5
HEADS = CONFIG.layers * CONFIG.heads
WIDTH = CONFIG.d_model // CONFIG.heads
COUNTS = [*range(0, HEADS + 1, 6)]

# Pairs that mean the same in other words; five pairs a topic, so that a topic is not enough.
PAIRS = [
    ("The shop closes at six tonight", "They lock the doors of the store this evening at 6"),
    ("The shop is cheaper than the market", "You pay less in the store than at the stalls"),
    ("The shop has run out of bread", "There are no loaves left in the store"),
    ("The shop is looking for a new manager", "The store wants to hire somebody to lead it"),
    ("The shop moved to another street", "You will find the store at a different address now"),
    ("My dog is afraid of thunder", "Storms frighten our puppy"),
    ("My dog ate the whole cake", "Our puppy finished everything we had baked"),
    ("My dog needs a walk", "Somebody should take our puppy outside"),
    ("My dog was ill last week", "Our puppy did not feel well some days ago"),
    ("My dog barks at the postman", "Our puppy makes noise when the mail arrives"),
    ("The train was late again", "Once more we had to wait at the station"),
    ("The train is faster than the bus", "You get there sooner by rail than by coach"),
    ("The train was full of people", "There was not one free seat in the carriage"),
    ("The train ticket was expensive", "I paid a lot for the journey by rail"),
    ("The train does not stop here", "The express passes this station"),
    ("She is learning to play the piano", "She takes lessons on the keyboard"),
    ("She sold her piano", "Somebody bought the instrument from her"),
    ("She plays the piano very well", "She is an excellent pianist"),
    ("She has no room for a piano", "Her flat is too small for such an instrument"),
    ("She gave up the piano as a child", "When she was little she quit her music lessons"),
    ("It will rain tomorrow", "Wet weather is expected the next day"),
    ("It has not rained for weeks", "The land is dry after a month of sunshine"),
    ("It rained on our wedding day", "We got married in a shower"),
    ("The rain damaged the roof", "Water from the storm broke the top of the house"),
    ("I like walking in the rain", "I enjoy being outside in wet weather"),
    ("He forgot his password", "He cannot log in as he does not remember the code"),
    ("He changed his password", "He chose a new code to log in"),
    ("Somebody stole his password", "A thief knows the code of his account"),
    ("His password is too short", "The code of his account needs more characters"),
    ("He told me his password", "I know the code of his account from him"),
    ("The doctor was very friendly", "The physician was kind"),
    (
        "The doctor could not find the cause",
        "The physician did not know where the illness came from",
    ),
    ("The doctor told him to stop smoking", "His physician said no more cigarettes"),
    ("The doctor is on holiday", "The physician is away until next week"),
    ("The doctor came too late", "When the physician arrived nothing could be done"),
    ("The film was far too long", "The movie should have been an hour shorter"),
    ("The film made me cry", "I was in tears at the movies"),
    ("The film is based on a true story", "What the movie tells really happened"),
    ("The film won three prizes", "The movie received several awards"),
    ("I fell asleep during the film", "I did not stay awake in the cinema"),
]


def pruned_vectors(minilm: MiniLM, heads: Sequence[int], sentences: Sequence[str]) -> Tensor:
    """Give the sentences' vectors without some heads; head 13 is head 1 of layer 1.

    A head is out when its columns of the stored W_o are zero: nothing of it goes on.
    """
    parameters = dict(minilm.model.named_parameters())
    names = [f"encoder.layers.{layer}.self_attention.W_o.weight" for layer in range(CONFIG.layers)]
    projections = [parameters[name] for name in names]  # each (D, h·d_v)
    whole = [weight.clone() for weight in projections]
    for layer, head in (divmod(number, CONFIG.heads) for number in heads):
        projections[layer][:, head * WIDTH : (head + 1) * WIDTH] = 0
    vectors = minilm.sentence_vectors(sentences)  # (B, D)
    for weight, former in zip(projections, whole, strict=True):
        weight.copy_(former)
    return vectors


def pairs_found(vectors: Tensor) -> float:
    """Return the share of sentences whose nearest other sentence is their partner."""
    likeness = vectors @ vectors.T  # (B, B)
    likeness.fill_diagonal_(-1)
    partners = torch.arange(len(vectors)) ^ 1  # 0 and 1 are a pair, 2 and 3, and so on
    return round((likeness.argmax(dim=1) == partners).float().mean().item(), 4)


def measure(reduced: bool) -> dict[str, Any]:
    """Prune every head alone, then more and more heads in several orders."""
    minilm = load_minilm()
    sentences = [sentence for pair in PAIRS[: 5 if reduced else None] for sentence in pair]
    counts = COUNTS[:2] if reduced else COUNTS
    rng = torch.Generator().manual_seed(SEED)
    with torch.inference_mode():
        whole = pruned_vectors(minilm, [], sentences)

        def found(order: Sequence[int]) -> list[float]:
            return [pairs_found(pruned_vectors(minilm, order[:n], sentences)) for n in counts]

        alone = [pruned_vectors(minilm, [head], sentences) for head in range(HEADS)]
        change = torch.stack([1 - (vectors * whole).sum(dim=-1).mean() for vectors in alone])
        order = change.argsort().tolist()
        chance = [torch.randperm(HEADS, generator=rng).tolist() for _ in range(ORDERS)]
        return {
            "sentences": len(sentences),
            "change": [round(number, 5) for number in change.tolist()],
            "found without one": [pairs_found(vectors) for vectors in alone],
            "order": order,
            "counts": counts,
            "found": {
                "least change first": found(order),
                "most change first": found(order[::-1]),
            },
            "drawn orders": chance,
            "found, drawn": [found(order) for order in chance],
        }


if __name__ == "__main__":
    stored.main(
        "pruned_heads",
        "MiniLM without some of its 72 heads: how far the vectors of 80 sentences turn (1 - cosine "
        "with the whole model's), and how many find their paraphrase as the nearest of the others",
        SEED,
        measure,
    )
