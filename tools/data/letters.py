"""Train lesson 5's model of letters anew and put it into tutor/data/checkpoints, as float16.

Run it as `python tools/data/letters.py`; it takes half a minute of a processor. Another processor
trains another model: lesson 5's text speaks of the one that is stored.
"""

import sys
from functools import partial
from pathlib import Path

import torch
from safetensors.torch import save_file

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from tutor.training.letters import SHIPPED, build_letters, scores_of, train_letters

SEED = 3  # of the first four the one in which a single head looks back most


def main() -> None:
    """Train, round and write."""
    torch.set_num_threads(1)
    torch.manual_seed(SEED)
    model = build_letters()
    train_letters(model, partial(scores_of, model), torch.Generator().manual_seed(SEED))
    save_file({name: part.half() for name, part in model.state_dict().items()}, SHIPPED)


if __name__ == "__main__":
    main()
