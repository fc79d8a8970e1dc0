"""predict_shuffled_outputs: what shuffling does to attention without positions."""

from collections.abc import Mapping

import torch

from tutor.checking.exercise import Arguments, Exercise, Mistake
from tutor.checking.seeds import Rng
from tutor.say import say


def _order_case(seed: int) -> Mapping[str, Arguments]:
    """Draw an order of five words that is not undone by itself, nor by reading it backwards."""
    rng = Rng(seed)
    while True:
        order = rng.permutation(5)
        slips = order.argsort(), order.flip(0), torch.arange(5)
        if not any(torch.equal(order, slip) for slip in slips):
            return {"yours": {"order": order}}


predict_shuffled_outputs = Exercise(
    "predict_shuffled_outputs",
    points=1,
    reference=lambda order: order,
    cases=_order_case,
    question=lambda order: say(
        "Self-attention without positions turns the words at positions 0, 1, 2, 3, 4 into "
        "the outputs numbered 0, 1, 2, 3, 4. Now the same words come in another order: "
        "at position 0 is what was word {word}, and so on: {order}. Which of the old "
        "outputs is at each position now? Answer with a list of five numbers, -1 for "
        "an output that is new.",
        word=int(order[0]),
        order=order.tolist(),
    ),
    mistakes=[
        Mistake(
            "shuffled-unchanged",
            lambda order: torch.arange(5),
            "You expect the outputs to stay where they were. Does the output at position 0 "
            "still belong to the same word?",
        ),
        Mistake(
            "shuffled-inverse",
            lambda order: order.argsort(),
            "You say where each old output went. What was asked for: where it went, or what "
            "is here?",
        ),
        Mistake(
            "shuffled-all-new",
            lambda order: torch.full((5,), -1),
            "You expect new outputs. Which step of self-attention notices where a word is?",
        ),
        Mistake(
            "shuffled-reversed",
            lambda order: order.flip(0),
            "You read the order from its end. Which word is at position 0 now?",
        ),
    ],
    hints=["Take one word with you: whom does it ask, and what does it average, in the new order?"],
)
