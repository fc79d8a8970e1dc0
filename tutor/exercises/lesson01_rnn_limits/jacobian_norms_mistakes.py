"""The ways in which the norms of Jacobians go wrong."""

from collections.abc import Callable

import torch
from torch import Tensor

from tutor.checking.exercise import Mistake
from tutor.gradients import jacobian_norms as norms


def _factors(hidden_states: Tensor, W_hh: Tensor) -> list[Tensor]:
    """Give the factors ∂h_t/∂h_{t-1} of the steps 2 … T."""
    return [(1 - h**2).unsqueeze(-1) * W_hh for h in hidden_states[1:]]


def _products(factors: list[Tensor], size: int) -> list[Tensor]:
    """Multiply up from the last factor back; one product for each step, the last one is I."""
    products = [torch.eye(size)]
    for factor in reversed(factors):
        products.append(products[-1] @ factor)
    return products[::-1]


def _measured(norm: Callable[[Tensor], Tensor]) -> Callable[[Tensor, Tensor], Tensor]:
    """Build an answer with another norm."""

    def mistaken(hidden_states: Tensor, W_hh: Tensor) -> Tensor:
        products = _products(_factors(hidden_states, W_hh), len(W_hh))
        return torch.stack([norm(product) for product in products])

    return mistaken


def _made_of(
    factors: Callable[[Tensor, Tensor], list[Tensor]],
) -> Callable[[Tensor, Tensor], Tensor]:
    """Build an answer with other factors."""

    def mistaken(hidden_states: Tensor, W_hh: Tensor) -> Tensor:
        products = _products(factors(hidden_states, W_hh), len(W_hh))
        return torch.stack([_spectral(product) for product in products])

    return mistaken


def _slope(slope: Callable[[Tensor], Tensor]) -> Callable[[Tensor, Tensor], Tensor]:
    """Build an answer with another slope of tanh."""
    return _made_of(lambda states, W: [slope(h).unsqueeze(-1) * W for h in states[1:]])


def _spectral(matrix: Tensor) -> Tensor:
    return torch.linalg.matrix_norm(matrix, ord=2)


def _product_of_norms(hidden_states: Tensor, W_hh: Tensor) -> Tensor:
    found = [torch.tensor(1.0)]
    for factor in reversed(_factors(hidden_states, W_hh)):
        found.append(found[-1] * _spectral(factor))
    return torch.stack(found[::-1])


def _wrong_order(hidden_states: Tensor, W_hh: Tensor) -> Tensor:
    product, found = torch.eye(len(W_hh)), [torch.tensor(1.0)]
    for factor in reversed(_factors(hidden_states, W_hh)):
        product = factor @ product
        found.append(_spectral(product))
    return torch.stack(found[::-1])


def _from_the_first(hidden_states: Tensor, W_hh: Tensor) -> Tensor:
    product, found = torch.eye(len(W_hh)), [torch.tensor(1.0)]
    for factor in _factors(hidden_states, W_hh):
        product = factor @ product
        found.append(_spectral(product))
    return torch.stack(found)


def _own_step_too(hidden_states: Tensor, W_hh: Tensor) -> Tensor:
    factors = [(1 - h**2).unsqueeze(-1) * W_hh for h in hidden_states]
    return torch.stack([_spectral(product) for product in _products(factors, len(W_hh))[:-1]])


def _one_factor_each(hidden_states: Tensor, W_hh: Tensor) -> Tensor:
    found = [_spectral(factor) for factor in _factors(hidden_states, W_hh)]
    return torch.stack([*found, torch.tensor(1.0)])


def _added(hidden_states: Tensor, W_hh: Tensor) -> Tensor:
    total, found = torch.zeros_like(W_hh), [torch.tensor(1.0)]
    for factor in reversed(_factors(hidden_states, W_hh)):
        total = total + factor
        found.append(_spectral(total))
    return torch.stack(found[::-1])


def _elementwise(hidden_states: Tensor, W_hh: Tensor) -> Tensor:
    product, found = torch.ones_like(W_hh), [torch.tensor(1.0)]
    for factor in reversed(_factors(hidden_states, W_hh)):
        product = product * factor
        found.append(_spectral(product))
    return torch.stack(found[::-1])


MISTAKES = [
    Mistake(
        "jacobian-whh-transposed",
        lambda states, W: norms(states, W.T),
        "In h_new = tanh(W_hh h_old + …), entry i of h_new depends on entry j of h_old by "
        "W_hh[i, j]. In your factor, does it stand in row i or in column i?",
        label="W_hh transposed",
    ),
    Mistake(
        "jacobian-slope-on-columns",
        _made_of(lambda states, W: [(1 - h**2) * W for h in states[1:]]),
        "Your slopes multiply the columns of W_hh. The slope at entry i belongs to what comes "
        "out at i: is that a row or a column?",
    ),
    Mistake(
        "jacobian-state-before",
        _made_of(lambda states, W: [(1 - h**2).unsqueeze(-1) * W for h in states[:-1]]),
        "Your factor from step t−1 to t takes the slope at h_{t−1}. Which state came out of "
        "that tanh?",
    ),
    Mistake(
        "jacobian-own-step-too",
        _own_step_too,
        "Your last entry is not 1, and each product has a factor too many. Which steps come after "
        "t?",
    ),
    Mistake(
        "jacobian-wrong-order",
        _wrong_order,
        "Your factors are right and their order is not. A change of h_t passes step t+1 "
        "first: at which end of the product does its factor stand?",
    ),
    Mistake(
        "jacobian-from-the-first",
        _from_the_first,
        "You measure how much each state feels the first one. Which two states does entry t "
        "compare?",
    ),
    Mistake(
        "jacobian-reversed",
        lambda states, W: norms(states, W).flip(0),
        "Your numbers are right, but run from the last step to the first. Which should come first?",
    ),
    Mistake(
        "jacobian-one-factor",
        _one_factor_each,
        "Each of your entries looks one step ahead only. How many steps lie between t and T?",
    ),
    Mistake(
        "jacobian-product-of-norms",
        _product_of_norms,
        "Yours are upper bounds: the norm of a product is at most the product of the norms. Which "
        "of the two is asked for?",
    ),
    Mistake(
        "jacobian-added",
        _added,
        "You add up the factors. What does the chain rule do with them?",
    ),
    Mistake(
        "jacobian-elementwise",
        _elementwise,
        "You multiply the factors entry by entry. Which product belongs to maps done one "
        "after the other?",
    ),
    Mistake(
        "jacobian-no-slope",
        _slope(torch.ones_like),
        "Change the states and your result stays the same. What does tanh do to a small change?",
    ),
    Mistake(
        "jacobian-no-weights",
        _made_of(lambda states, W: [torch.diag(1 - h**2) for h in states[1:]]),
        "Change W_hh and your result stays the same. What does the old state pass through on its "
        "way into tanh?",
    ),
    Mistake(
        "jacobian-slope-not-squared",
        _slope(lambda h: 1 - h),
        "Where a state is negative your slope is above 1. How steep is tanh at most?",
    ),
    Mistake(
        "jacobian-slope-of-absolute",
        _slope(lambda h: 1 - h.abs()),
        "Your slopes are right at 0 and at ±1, and too small in between. What is the derivative "
        "of tanh, written with tanh itself?",
    ),
    Mistake(
        "jacobian-slope-inverted",
        _slope(lambda h: h**2),
        "Your slope is 0 where the state is 0. Where is tanh steepest?",
    ),
    Mistake(
        "jacobian-tanh-twice",
        _slope(lambda h: 1 - torch.tanh(h) ** 2),
        "You put the states through tanh once more. What are they already?",
    ),
    Mistake(
        "jacobian-slope-of-sigmoid",
        _slope(lambda h: h * (1 - h)),
        "That is the slope of another curve, and negative for negative states. Which curve made "
        "these states?",
    ),
    Mistake(
        "jacobian-slope-plus",
        _slope(lambda h: 1 + h**2),
        "Your slopes are above 1. How steep is tanh at most?",
    ),
    Mistake(
        "jacobian-slope-rooted",
        _slope(lambda h: (1 - h**2).sqrt()),
        "Your slopes are too large except at 0. Is there a root in the derivative of tanh?",
    ),
    Mistake(
        "jacobian-frobenius",
        _measured(torch.linalg.matrix_norm),
        "Your last entry is √H: you measure all entries together (torch's default). Which "
        "norm asks for the largest stretch?",
    ),
    Mistake(
        "jacobian-spectral-radius",
        _measured(lambda product: torch.linalg.eigvals(product).abs().max()),
        "Yours are the largest eigenvalues. A matrix can stretch more than those say: what "
        "are its singular values?",
    ),
    Mistake(
        "jacobian-smallest-singular",
        _measured(lambda product: torch.linalg.matrix_norm(product, ord=-2)),
        "Yours say how much a change shrinks at worst. How much can it grow at best?",
    ),
    Mistake(
        "jacobian-largest-column",
        _measured(lambda product: torch.linalg.matrix_norm(product, ord=1)),
        "You take the largest column sum. Which norm is the largest singular value?",
    ),
    Mistake(
        "jacobian-largest-row",
        _measured(lambda product: torch.linalg.matrix_norm(product, ord=float("inf"))),
        "You take the largest row sum. Which norm is the largest singular value?",
    ),
    Mistake(
        "jacobian-largest-entry",
        _measured(lambda product: product.abs().max()),
        "You take the largest entry. Which norm is the largest singular value?",
    ),
    Mistake(
        "jacobian-nuclear",
        _measured(lambda product: torch.linalg.matrix_norm(product, ord="nuc")),
        "Your last entry is H: you add up the singular values. Which of them is asked for?",
    ),
    Mistake(
        "jacobian-squared",
        _measured(lambda product: _spectral(product) ** 2),
        "Each of your numbers is the square of the right one. How is the largest eigenvalue of "
        "JᵀJ related to the largest singular value of J?",
    ),
    Mistake(
        "jacobian-determinant",
        _measured(lambda product: torch.linalg.det(product).abs()),
        "You measure how volume changes. How is the largest stretch of a single direction "
        "measured?",
    ),
    Mistake(
        "jacobian-gradient-of-sum",
        _measured(lambda product: product.sum(0).norm()),
        "You measure the gradient of the sum of h_T. How much can a change grow in the worst "
        "direction?",
    ),
    Mistake(
        "jacobian-logarithm",
        lambda states, W: norms(states, W).log(),
        "Your last entry is 0: these are logarithms. What is asked for?",
    ),
    Mistake(
        "jacobian-last-missing",
        lambda states, W: norms(states, W)[:-1],
        "You have one entry fewer than there are states. How much does h_T feel of a change in "
        "itself?",
    ),
    Mistake(
        "jacobian-before-the-first",
        lambda states, W: norms(torch.cat([torch.zeros(1, len(W)), states]), W),
        "You have one entry more than there are states. Which of your entries belongs to none of "
        "them?",
    ),
]
