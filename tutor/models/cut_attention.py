"""A trained translator with some of its attentions cut, and not trained again (lesson 8)."""

from collections.abc import Collection, Iterator
from contextlib import contextmanager
from typing import Any

import torch
from jaxtyping import Int
from torch import Tensor, nn

from tutor.data.pairs import Task
from tutor.decode import translate
from tutor.say import say
from tutor.transformer import Transformer

ENCODER, LOOK_BACK, CROSS = CUTS = ("encoder", "look back", "cross")


@contextmanager
def cut_attention(model: Transformer, cuts: Collection[str]) -> Iterator[None]:
    """Cut attentions of a model while this is open, in all layers.

    Without its self-attention, the encoder's or the decoder's ("look back"), a token looks at
    itself alone. Without cross-attention zeros arrive in the memory's place.

    Args:
        model: with both stacks, run without a cache.
        cuts: some of `CUTS`.

    Raises:
        ValueError: for an unknown cut, or a model without one of the stacks.
    """
    if unknown := {*cuts} - {*CUTS}:
        raise ValueError(
            say("cuts must be some of {cuts}, got {unknown}", cuts=CUTS, unknown=sorted(unknown))
        )
    if model.encoder is None or model.decoder is None:
        raise ValueError(say("the model must have both stacks, or there is nothing to cut between"))
    changes = {
        ("encoder", "self_attention"): (ENCODER, _only_itself),
        ("decoder", "self_attention"): (LOOK_BACK, _only_itself),
        ("decoder", "cross_attention"): (CROSS, _nothing),
    }
    hooks = []
    for name, module in model.named_modules():  # as "decoder.layers.0.cross_attention"
        cut, change = changes.get((name.split(".")[0], name.split(".")[-1]), ("", None))
        if change is not None and cut in cuts:
            hooks.append(module.register_forward_pre_hook(change, with_kwargs=True))
    try:
        yield
    finally:
        for one in hooks:
            one.remove()


def _only_itself(_module: nn.Module, args: Any, kwargs: Any) -> tuple[Any, Any]:
    """Let each token look at itself alone."""
    length = args[0].size(1)
    return args, kwargs | {"keep": torch.eye(length, dtype=torch.bool)}


def _nothing(_module: nn.Module, args: Any, kwargs: Any) -> tuple[Any, Any]:
    """Put zeros in the memory's place."""
    x, memory, *rest = args
    return (x, torch.zeros_like(memory), *rest), kwargs


def written_with_cuts(
    model: Transformer,
    task: Task,
    source: Int[Tensor, "batch source"],
    cuts: Collection[str] = (),
    most: int = 30,
) -> list[tuple[str, ...]]:
    """Translate sources with some attentions cut, taking the most likely token each time.

    Args:
        model: trained for the task.
        task: whose words it reads and writes.
        source: ids, padded.
        cuts: some of `CUTS`.
        most: tokens of a target, at most.

    Returns:
        The tokens of each target, without special ones.

    Example:
        >>> from tutor.training.talker import talker
        >>> model, task = talker()
        >>> written_with_cuts(model, task, task.read("I love her"), ["cross"])
        [('너는', '그를', '안다')]
    """
    with cut_attention(model, cuts):
        rows = translate(model, source, task.target_words, most, use_cache=False)
    return [task.tokens(ids) for ids in rows]
