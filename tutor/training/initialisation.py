"""The three usual ways to draw a layer's first weights, to see what an experiment owes to them."""

from typing import Literal

from torch import nn

from tutor.say import say

Initialisation = Literal["default", "xavier", "he"]
INITIALISATIONS: tuple[Initialisation, ...] = ("default", "xavier", "he")


def initialise(model: nn.Module, way: Initialisation) -> nn.Module:
    """Draw the weights of all linear and recurrent layers anew, in place, and return the model.

    Args:
        model: its tables of embeddings and its norms are left as they are.
        way: "default" leaves everything as it is, which in torch's own layers is evenly within
            one over the root of the number of inputs (see `as_torch_starts`). "xavier" keeps the
            size of numbers and gradients from layer to layer where nothing is bent; "he" keeps it
            where ReLU sets half of them to 0. Both set the biases to 0.

    Raises:
        ValueError: for another way.

    Example:
        >>> import torch
        >>> wide = nn.Linear(1000, 1000)
        >>> spreads = [initialise(wide, way).weight.std() for way in INITIALISATIONS]
        >>> [round(1000**0.5 * spread.item(), 1) for spread in spreads]  # √(1/3), √1 and √2
        [0.6, 1.0, 1.4]

    Source: Glorot and Bengio 2010, equation 16; He et al. 2015 (rectifiers), equation 10.
    """
    if way not in INITIALISATIONS:
        raise ValueError(
            say(
                "way={way!r}; expected one of {ways}",
                way=way,
                ways=list(INITIALISATIONS),
            )
        )
    if way == "default":
        return model
    for layer in model.modules():
        if isinstance(layer, nn.Linear | nn.RNNBase):
            for parameter in layer.parameters(recurse=False):
                if parameter.dim() == 1:
                    nn.init.zeros_(parameter)
                elif way == "xavier":
                    nn.init.xavier_uniform_(parameter)
                else:
                    nn.init.kaiming_uniform_(parameter, nonlinearity="relu")
    return model


def as_torch_starts(model: nn.Module) -> nn.Module:
    """Draw all linear layers anew as torch does, in place, where a model replaced that itself.

    The course's `Transformer` starts with Xavier's first weights, which "default" would leave.

    Example:
        >>> wide = initialise(nn.Linear(1000, 1000), "he")
        >>> round(1000**0.5 * as_torch_starts(wide).weight.std().item(), 1)
        0.6
    """
    for layer in model.modules():
        if isinstance(layer, nn.Linear):
            layer.reset_parameters()
    return model
