"""Train lesson 8's smallest translator anew and put it into tutor/data/checkpoints, as float16.

Run it as `python tools/data/talker.py`; it takes two seconds of a processor. Another processor
trains nearly the same model.
"""

import sys
from pathlib import Path

import torch
from safetensors.torch import save_file

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from tutor.data.talk import LEFT_OUT, talk_task
from tutor.training.talker import SHIPPED, train_talker


def main() -> None:
    """Train, round and write."""
    torch.set_num_threads(1)
    model = train_talker(talk_task(left_out=[LEFT_OUT]))
    save_file({name: part.half() for name, part in model.state_dict().items()}, SHIPPED)


if __name__ == "__main__":
    main()
