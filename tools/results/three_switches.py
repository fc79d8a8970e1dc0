"""Sweep which of a trained model's three attentions which words need, for lesson 8.

Run it as `python tools/results/three_switches.py`; it writes
tutor/data/results/three_switches.json. Training 0 is the model that the course ships; the others
are trained as trainings.py does, in build/trainings, two minutes each.
"""

import re
from collections.abc import Sequence
from functools import cache
from typing import cast

from sweep import Sweep  # first: it makes the package importable
from trainings import FOLDER

from tutor.data.batches import collate
from tutor.data.pairs import Pair, Task
from tutor.models.cut_attention import CUTS, ENCODER, LOOK_BACK, written_with_cuts
from tutor.training.experiment import D_MODEL, build_model, config_for, load_task, load_trained
from tutor.training.train import Trainer
from tutor.transformer import Transformer

# What is written -> how it is said; the last is a letter that says the same in any company.
SOUNDS = {
    "sh": ("sh", {"SH"}),
    "th": ("th", {"TH", "DH"}),
    "ph": ("ph", {"F"}),
    "ch": ("ch", {"CH"}),
    "a…e": ("a[^aeiou]e$", {"EY"}),
    "b": ("b", {"B"}),
}
KINDS = ["date", "month", "relative", "money", "list2", "list4", "list6"]
ONE_CUT = ["", ENCODER, LOOK_BACK]
MOST_WORDS, PHRASES = 100, 28  # of a kind


@cache
def trained(name: str, training: int) -> tuple[Transformer, Task]:
    """Load the shipped model, or train one like it with another seed."""
    if training == 0:
        return load_trained(name)
    task = load_task(name)
    model = cast(Transformer, build_model("transformer", task, training))
    config = config_for(name, "transformer", seed=training)
    folder = FOLDER / f"{name}-transformer-seed{training}"
    Trainer(model, task.encode(task.train), config, D_MODEL).run(folder)
    return model.eval(), task


def asked(task: Task, kind: str) -> Sequence[Pair]:
    """Choose held-out pairs: words with such letters that are said so, or phrases of a kind."""
    if kind in SOUNDS:
        letters, sounds = SOUNDS[kind]
        words = (pair for pair in task.test if re.search(letters, "".join(pair.source)))
        return [pair for pair in words if sounds & {*pair.target}][:MOST_WORDS]
    phrases = [pair for pair in task.test if pair.kind == kind]
    return phrases[:: max(1, len(phrases) // PHRASES)][:PHRASES]


def right(kind: str, cut: str, training: int, seed: int) -> dict[str, float]:
    """Cut some attentions; count the words with the right sound, or the phrases all right."""
    model, task = trained("cmudict" if kind in SOUNDS else "phrasebook-ko", training)
    pairs = asked(task, kind)
    source = collate(task.encode(pairs)).source
    written = written_with_cuts(model, task, source, [one for one in CUTS if one in cut])
    if kind in SOUNDS:
        found = [bool(SOUNDS[kind][1] & {*tokens}) for tokens in written]
    else:
        found = [tokens == pair.target for tokens, pair in zip(written, pairs, strict=True)]
    return {"asked": len(found), "share": sum(found) / len(found)}


def every_cut() -> list[str]:
    """Name all ways to cut some of the three."""
    found = [""]
    for one in CUTS:
        found += [f"{others}, {one}".removeprefix(", ") for others in found]
    return found


SWEEP = Sweep(
    "three_switches",
    "a trained Transformer's attentions are cut in all layers, without training it again: in the "
    "encoder or the decoder each token then looks at itself alone, in cross-attention it finds "
    "zeros; held-out words in which some letters' sound is still written, held-out phrases that "
    "still come out right, taking the most likely token each time; training 0 gave the model "
    "that the course brings, the others are like it",
    right,
    grids=[
        {"kind": [*SOUNDS, *KINDS], "cut": every_cut(), "training": [0]},
        {"kind": [*SOUNDS, *KINDS], "cut": ONE_CUT, "training": [1, 2]},
    ],
    labels={
        "kind": "letters, or kind of phrase",
        "cut": "what is cut",
        "training": "training",
        "asked": "words or phrases asked",
        "share": "share right",
    },
    margins={"asked": 0, "share": 0.1},
    sample={"kind": ["sh", "list2"], "cut": ONE_CUT, "training": [0]},
    unvaried={
        "seed": "nothing is drawn; a training takes two minutes, and is an axis of its own",
        "initialisation": "a training takes two minutes",
    },
    seeds=(0,),
)

if __name__ == "__main__":
    SWEEP.main()
