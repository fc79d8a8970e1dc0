"""What stands around attention: normalisation, feed-forward, residual connections (lesson 6)."""

from collections.abc import Callable
from typing import Literal

import torch
from jaxtyping import Float
from torch import Tensor, nn

from tutor.say import say
from tutor.shapes import fitting

Activation = Literal["relu", "gelu", "swiglu"]
NormPlace = Literal["post", "pre"]
NormKind = Literal["layer", "rms"]
ACTIVATIONS: dict[str, type[nn.Module]] = {"relu": nn.ReLU, "gelu": nn.GELU, "swiglu": nn.SiLU}


@fitting
def layer_norm(
    x: Float[Tensor, "*batch d_model"],
    gamma: Float[Tensor, " d_model"],
    beta: Float[Tensor, " d_model"],
    eps: float = 1e-5,
) -> Float[Tensor, "*batch d_model"]:
    """Give every token mean 0 and variance 1 over its own features, then scale and shift them.

    Args:
        x: tokens; each is normalised alone, so neither batch nor length matters.
        gamma: scale of each feature, 1 at the start.
        beta: shift of each feature, 0 at the start.
        eps: added to the variance inside the root, so that equal features do not divide by 0.

    Example:
        >>> layer_norm(torch.tensor([1.0, 2.0, 3.0, 4.0]), torch.ones(4), torch.zeros(4))
        tensor([-1.3416, -0.4472,  0.4472,  1.3416])

    Raises:
        ValueError: shapes do not fit.

    Source: Ba et al. 2016, equation 4; "Attention Is All You Need", section 3.1.
    """
    centred = x - x.mean(-1, keepdim=True)  # (*batch, d_model)
    variance = centred.square().mean(-1, keepdim=True)  # (*batch, 1), by d_model, not less 1
    return centred / torch.sqrt(variance + eps) * gamma + beta


@fitting
def rms_norm(
    x: Float[Tensor, "*batch d_model"], gamma: Float[Tensor, " d_model"], eps: float = 1e-5
) -> Float[Tensor, "*batch d_model"]:
    """Divide every token by the root of its mean square: a layer norm that leaves the mean alone.

    Example:
        >>> rms_norm(torch.tensor([3.0, 4.0]), torch.ones(2))  # root mean square 3.5355
        tensor([0.8485, 1.1314])

    Raises:
        ValueError: shapes do not fit.

    Source: Zhang and Sennrich 2019, equation 4.
    """
    mean_square = x.square().mean(-1, keepdim=True)  # (*batch, 1)
    return x / torch.sqrt(mean_square + eps) * gamma


class LayerNorm(nn.Module):
    """The layer norm with its learned scale gamma and shift beta.

    Example:
        >>> LayerNorm(4)(torch.tensor([1.0, 2.0, 3.0, 4.0])).detach()
        tensor([-1.3416, -0.4472,  0.4472,  1.3416])

    Source: Ba et al. 2016, section 3.1.
    """

    def __init__(self, d_model: int, eps: float = 1e-5) -> None:
        super().__init__()
        self.gamma = nn.Parameter(torch.ones(d_model))
        self.beta = nn.Parameter(torch.zeros(d_model))
        self.eps = eps

    def forward(self, x: Float[Tensor, "*batch d_model"]) -> Float[Tensor, "*batch d_model"]:
        """Normalise every token over its features."""
        return layer_norm(x, self.gamma, self.beta, self.eps)


class RMSNorm(nn.Module):
    """The root-mean-square norm with its learned scale gamma, as most models since 2023 have it.

    Example:
        >>> RMSNorm(2)(torch.tensor([3.0, 4.0])).detach()
        tensor([0.8485, 1.1314])

    Source: Zhang and Sennrich 2019, section 4.
    """

    def __init__(self, d_model: int, eps: float = 1e-5) -> None:
        super().__init__()
        self.gamma = nn.Parameter(torch.ones(d_model))
        self.eps = eps

    def forward(self, x: Float[Tensor, "*batch d_model"]) -> Float[Tensor, "*batch d_model"]:
        """Divide every token by its root mean square."""
        return rms_norm(x, self.gamma, self.eps)


def norm_of_kind(kind: NormKind, d_model: int, eps: float = 1e-5) -> LayerNorm | RMSNorm:
    """Make the norm that a model's settings name.

    Example:
        >>> norm_of_kind("rms", 2)(torch.tensor([3.0, 4.0])).detach()
        tensor([0.8485, 1.1314])

    Raises:
        ValueError: the kind is neither "layer" nor "rms".
    """
    if kind not in ("layer", "rms"):
        raise ValueError(say("kind={kind!r}; expected 'layer' or 'rms'", kind=kind))
    return LayerNorm(d_model, eps) if kind == "layer" else RMSNorm(d_model, eps)


class FeedForward(nn.Module):
    """Widen every token, activate, narrow it again: the same small network at each position.

    Args:
        d_model: width of a token on the way in and out.
        d_ff: width in between; four times d_model in the paper.
        activation: "relu" as in the paper, "gelu" as in BERT and GPT, or "swiglu" as in Llama,
            which multiplies two projections and has no biases.
        bias: whether the two linear maps add a bias.

    Example:
        >>> FeedForward(d_model=8, d_ff=32)(torch.randn(2, 5, 8)).shape
        torch.Size([2, 5, 8])

    Raises:
        ValueError: the activation is none of the three.

    Source: "Attention Is All You Need", section 3.3, equation 2; Shazeer 2020 for SwiGLU.
    """

    def __init__(
        self, d_model: int, d_ff: int, activation: Activation = "relu", bias: bool = True
    ) -> None:
        super().__init__()
        if activation not in ACTIVATIONS:
            raise ValueError(
                say(
                    "activation={activation!r}; expected 'relu', 'gelu' or 'swiglu'",
                    activation=activation,
                )
            )
        bias = bias and activation != "swiglu"
        self.activation = ACTIVATIONS[activation]()
        self.W_1 = nn.Linear(d_model, d_ff, bias)
        self.W_2 = nn.Linear(d_ff, d_model, bias)
        self.W_gate = nn.Linear(d_model, d_ff, bias=False) if activation == "swiglu" else None

    def forward(self, x: Float[Tensor, "*batch d_model"]) -> Float[Tensor, "*batch d_model"]:
        """Transform every token alone; tokens never mix here."""
        if self.W_gate is None:
            return self.W_2(self.activation(self.W_1(x)))  # (*batch, d_ff), then (*batch, d_model)
        return self.W_2(self.activation(self.W_gate(x)) * self.W_1(x))


class Residual(nn.Module):
    """Add what a sub-layer found to what it was given, and normalise.

    The sub-layer may be any function of the tokens, and so may the norm. The layers of the model
    (`stacks`) run each of their parts inside one; it has no weights of its own.

    Args:
        place: of the norm: "post", x → norm(x + dropout(sub-layer(x))), as in the paper; or "pre",
            x → x + dropout(sub-layer(norm(x))), as in most models since, which keeps the path
            of x free from bottom to top.
        dropout: how much of the sub-layer's output is dropped in training, before the sum.

    Example:
        >>> x, norm = torch.tensor([1.0, 2.0, 3.0, 4.0]), LayerNorm(4)
        >>> Residual("pre")(x, lambda normalised: 0 * normalised, norm).tolist()
        [1.0, 2.0, 3.0, 4.0]

    Raises:
        ValueError: place is neither, or (when called) what the sub-layer makes of the tokens has
            another shape than they have.

    Source: "Attention Is All You Need", sections 3.1 and 5.4; Xiong et al. 2020 for "pre".
    """

    def __init__(self, place: NormPlace = "post", dropout: float = 0.0) -> None:
        super().__init__()
        if place not in ("post", "pre"):
            raise ValueError(say("place={place!r}; expected 'post' or 'pre'", place=place))
        self.pre_norm = place == "pre"
        self.dropout = nn.Dropout(dropout)

    def forward(
        self,
        x: Float[Tensor, "*batch d_model"],
        sub_layer: Callable[[Tensor], Tensor],
        norm: Callable[[Tensor], Tensor],
    ) -> Float[Tensor, "*batch d_model"]:
        """Run the sub-layer on x inside the residual connection."""
        found = sub_layer(norm(x) if self.pre_norm else x)
        if found.shape != x.shape:  # a width of 1 would be stretched
            raise ValueError(
                say(
                    "the sub-layer in a Residual keeps the shape of its tokens; x is {x_shape}, "
                    "the sub-layer gives {found_shape}",
                    x_shape=tuple(x.shape),
                    found_shape=tuple(found.shape),
                )
            )
        added = x + self.dropout(found)
        return added if self.pre_norm else norm(added)
