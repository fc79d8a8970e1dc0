"""Put the stored trainings of lesson 8's models into the form of a sweep, seed by seed.

Run it as `python tools/results/three_models.py`; it writes tutor/data/results/three_models.json
from trainings.json, which keeps of three seeds the lowest, the highest and the mean. So they stand
here in rising order.
"""

from sweep import Sweep  # first: it makes the package importable

from tutor.data.files import load_results

ALL = 0  # all phrases or words, whatever their length
NAMES = [2, 3, 4, 5, 6, 8]
FRENCH, SOUNDS = "phrasebook-fr", "cmudict"


def right(task: str, model: str, names: int, seed: int) -> dict[str, float]:
    """Give the share written right in the training that is so many above the worst of three."""
    stored = load_results("trainings")["values"][task][model]
    share = stored["exact"] if names == ALL else stored["exact by list length"][str(names)]
    middle = 3 * share["mean"] - share["lowest"] - share["highest"]
    return {"right": [share["lowest"], middle, share["highest"]][seed]}


SWEEP = Sweep(
    "three_models",
    "a Transformer, a GRU with attention and a GRU with one vector, of one size, each trained at "
    "its best of five rates with three seeds (here from the worst to the best): the share of new "
    "phrases or words written right, for lists by the number of names in them",
    right,
    grids=[
        {
            "task": [FRENCH],
            "model": ["transformer", "gru", "gru-attention"],
            "names": [ALL, *NAMES],
        },
        {"task": [SOUNDS], "model": ["transformer", "gru-attention"], "names": [ALL]},
    ],
    labels={
        "task": "task",
        "model": "model",
        "names": "names in the list (0: everything)",
        "right": "share right",
    },
    margins={"right": 0.0005},
    sample={"task": [FRENCH], "model": ["gru"], "names": [5, 6]},
    unvaried={
        "initialisation": "a training takes one to two minutes; seeds and, before, rates vary"
    },
)

if __name__ == "__main__":
    SWEEP.main()
