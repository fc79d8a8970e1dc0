"""The smallest translator, of ninety-six sentences, and how it is trained (lesson 8)."""

from collections.abc import Sequence
from functools import cache

import torch
from jaxtyping import Float
from safetensors.torch import load_file
from torch import Tensor

from tutor.data.files import CHECKPOINTS
from tutor.data.pairs import Task
from tutor.data.talk import LEFT_OUT, talk_task
from tutor.embedding import BOS, EOS
from tutor.training.config import TrainingConfig
from tutor.training.initialisation import Initialisation, as_torch_starts, initialise
from tutor.training.train import Trainer
from tutor.transformer import Transformer, TransformerConfig

SHIPPED = CHECKPOINTS / "talker.safetensors"
D_MODEL = 32
_MOST_WORDS = 8

Memory = Float[Tensor, "1 source d_model"]


def train_talker(
    task: Task,
    *,
    steps: int = 150,
    layers: int = 1,
    rate: float = 1.0,
    initialisation: Initialisation | None = None,
    seed: int = 1,
) -> Transformer:
    """Train a small Transformer on a task of short sentences: 2 heads, D = 32, d_ff = 64.

    Numbers are float64: then the last digits, which differ between processors, stay the last.

    Args:
        task: what it learns.
        steps: batches of at most 512 tokens; a third of them warm-up.
        layers: in each of the two stacks.
        rate: of learning; the paper's is multiplied by it.
        initialisation: of its weights; None leaves the course's, which is Xavier's.
        seed: of weights and batches.

    Example:
        >>> task = talk_task(left_out=["I love her"])
        >>> model = train_talker(task, steps=3)
        >>> sum(parameter.numel() for parameter in model.parameters())
        22496
    """
    # A picture that asks for the model is drawn in inference mode, in which nothing is learned.
    with torch.random.fork_rng(devices=[]), torch.inference_mode(False), torch.enable_grad():
        torch.manual_seed(seed)
        model = _build(task, layers)
        _draw_anew(model, initialisation)
        model.double()
        training = TrainingConfig(
            steps=steps, warmup=steps // 3, scale=rate, smoothing=0.0, average=0.9, seed=seed
        )
        Trainer(model, task.encode(task.train), training, D_MODEL).run(progress=False)
    return model.eval()


def _build(task: Task, layers: int) -> Transformer:
    """Give the model untrained."""
    return Transformer(
        TransformerConfig(
            vocabulary=len(task.target_words),
            source_vocabulary=len(task.source_words),
            layers=layers,
            d_model=D_MODEL,
            d_ff=2 * D_MODEL,
            heads=2,
            dropout=0.0,
        )
    )


def _draw_anew(model: Transformer, way: Initialisation | None) -> None:
    """Draw first weights as asked; "default" means torch's own, which the course's replace."""
    if way == "default":
        as_torch_starts(model)
    elif way is not None:
        initialise(model, way)


@cache
def talker() -> tuple[Transformer, Task]:
    """Give the model that has learned all sentences but *I love her*, and its task; loaded once.

    Its weights are stored as float16 by tools/data/talker.py, and computed with as float64.

    Example:
        >>> model, task = talker()
        >>> write(model, task, [model.encode(task.read("I love her"))])
        ['나는', '그녀를', '사랑한다', '<eos>']
    """
    task = talk_task(left_out=[LEFT_OUT])
    with torch.inference_mode(False):  # it is kept for all, and some ask it for gradients
        model = _build(task, layers=1).double()
        model.load_state_dict({name: part.double() for name, part in load_file(SHIPPED).items()})
    return model.eval(), task


@torch.inference_mode()
def write(model: Transformer, task: Task, memories: Sequence[Memory]) -> list[str]:
    """Write word by word, the likeliest each time; the memory may change on the way.

    Args:
        model: reads the memory in its cross-attention.
        task: whose words it writes.
        memories: for the first word, the second, ...; the last one is kept for all that follow.

    Returns:
        The words, <eos> among them if it came within eight.
    """
    words: list[str] = []
    while len(words) < _MOST_WORDS and EOS not in words:
        read = torch.tensor([task.target_words.encode([BOS, *words])])  # (1, T)
        states = model.decode(read, memories[min(len(words), len(memories) - 1)])  # (1, T, D)
        best = model.logits(states)[0, -1].argmax()
        words.append(task.target_words.words[int(best)])
    return words
