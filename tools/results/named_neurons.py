"""Which words make some of MiniLM's neurons fire, for lesson 6.

Run it as `python tools/results/named_neurons.py`; it writes tutor/data/results/named_neurons.json.
It needs the optional package of MiniLM's trained weights. The neurons were chosen, out of 9,216,
because their words have something in common.
"""

from typing import Any

import stored  # first: it makes the package importable
import torch

from tutor.data.glove import load_glove
from tutor.models.minilm import load_minilm
from tutor.models.minilm_stream import neuron_values

NEURONS = ((0, 1152), (0, 57), (0, 113), (0, 1232), (2, 1265), (4, 1240), (4, 359), (5, 685))
SENTENCES = (
    "They met in May and married in August",
    "She may stay but you may march",
    "The soup was not good but nobody left",
    "In 1995 he broke his left hand and three years later his nose",
    "Our bank is better than the bank of the river",
)
BATCH, TOP = 500, 10


def measure(reduced: bool) -> dict[str, Any]:
    """Show the model each common word by itself, and some sentences."""
    minilm = load_minilm()
    encoded = [
        minilm.tokenizer.encode(word) for word in load_glove()[0][: 500 if reduced else None]
    ]
    whole = [word for word in encoded if len(word.ids) == 3]  # one token between [CLS] and [SEP]
    words = [word.tokens[1] for word in whole]
    starts = range(0, len(whole), BATCH)
    batches = [[word.ids for word in whole[start : start + BATCH]] for start in starts]
    layers, units = zip(*NEURONS, strict=True)
    values = torch.cat([neuron_values(minilm, ids)[layers, :, 1, units] for ids in batches], dim=1)
    neurons = []
    for (layer, neuron), of_words in zip(NEURONS, values, strict=True):  # of_words: (words,)
        highest, places = of_words.topk(TOP)
        neurons.append(
            {
                "layer": layer,
                "neuron": neuron,
                "words": [words[place] for place in places.tolist()],
                "values": [round(value, 2) for value in highest.tolist()],
                "above half": int((of_words > highest[0] / 2).sum()),
            }
        )
    return {"words": len(words), "neurons": neurons, "sentences": [_read(s) for s in SENTENCES]}


def _read(sentence: str) -> dict[str, Any]:
    """Give a sentence's tokens, and what each chosen neuron says of each."""
    minilm, (layers, units) = load_minilm(), zip(*NEURONS, strict=True)
    encoded = minilm.tokenizer.encode(sentence)
    values = neuron_values(minilm, [encoded.ids])[layers, 0, 1:-1, units]
    return {
        "sentence": sentence,
        "tokens": encoded.tokens[1:-1],
        "values": [[round(v, 2) + 0.0 for v in row] for row in values.tolist()],
    }


if __name__ == "__main__":
    stored.main(
        "named_neurons",
        "the words, of the commonest that are one token, each read by itself, for which a neuron "
        "of MiniLM's feed-forward layers is highest after GELU; and what it says of some sentences",
        0,
        measure,
    )
