"""mend_table: a table of orders in which a new order has to replace the old one."""

from collections.abc import Callable, Mapping

import torch
import torch.nn.functional as F
from torch import Tensor

from tutor.checking.exercise import Arguments, Call, Exercise, Mistake, Property
from tutor.checking.seeds import EXAMPLE, Rng
from tutor.say import say

Step = Callable[[Tensor, Tensor, Tensor], Tensor]  # the table (D, V), a key (D,), a value (V,)


def _cases(seed: int) -> Mapping[str, Arguments]:
    rng = Rng(seed)

    def case(keys: Tensor, V: int, questions: Tensor) -> Arguments:
        return {"keys": keys, "values": rng.normal(len(keys), V), "questions": questions}

    def unit(N: int, D: int) -> Tensor:
        return F.normalize(rng.normal(N, D), dim=-1)

    guests = torch.eye(4).roll(seed % 4, 0)  # the next seed has others, of the same sizes
    return {
        "a guest orders twice": case(guests[[0, 1, 0, 2, 3]], 3, guests[[0, 3]]),
        "unequal sizes": case(unit(5, 3), 4, unit(2, 3)),
        "square": case(unit(3, 3), 3, unit(3, 3)),
        "one card": case(unit(1, 2), 3, unit(4, 2)),
        "one question": case(unit(4, 5), 2, unit(1, 5)),
        "one number each": case(torch.tensor([[1.0], [-1.0], [1.0]]), 1, torch.ones(2, 1)),
        "more cards than a key has numbers": case(unit(7, 2), 3, unit(3, 2)),
        EXAMPLE: {
            "keys": torch.tensor([[1.0, 0.0], [0.0, 1.0], [1.0, 0.0]]),
            "values": torch.tensor([[10.0], [20.0], [30.0]]),
            "questions": torch.eye(2),
        },
    }


def _written(step: Step, order: Callable[[Tensor], Tensor] = lambda cards: cards) -> Callable:
    """Build an answer from what a card does to the table, and the order in which cards come."""

    def answers(keys: Tensor, values: Tensor, questions: Tensor) -> Tensor:
        return questions @ _table(step, order(keys), order(values))  # (Q, D) @ (D, V) -> (Q, V)

    return answers


def _table(step: Step, keys: Tensor, values: Tensor) -> Tensor:
    table = keys.new_zeros(keys.size(1), values.size(1))
    for key, value in zip(keys, values, strict=True):
        table = step(table, key, value)
    return table


def _replaced(table: Tensor, key: Tensor, value: Tensor) -> Tensor:
    return table + torch.outer(key, value - key @ table)


def _the_last_order_counts(call: Call) -> str | None:
    keys, values, _ = _cases(1)["a guest orders twice"].values()
    if torch.allclose(call(keys, values, keys[2:3]), values[2:3], atol=1e-4):
        return None
    return say("A guest ordered twice, and the answer is not the second order.")


def _what_is_written_is_read(call: Call) -> str | None:
    keys = torch.tensor([[1.0, 0.0], [0.6, 0.8]])
    if abs(call(keys, torch.tensor([[10.0], [20.0]]), keys[1:]).item() - 20) < 1e-2:
        return None
    return say(
        "Cards with the keys [1, 0] and [.6, .8] say 10 and 20. Asked for the second, yours does "
        "not say 20."
    )


mend_table = Exercise(
    "mend_table",
    points=2,
    reference=_written(_replaced),
    cases=_cases,
    returns=("answers",),
    shapes={"keys": "N D", "values": "N V", "questions": "Q D", "answers": "Q V"},
    given="table-only-adds",
    properties=[
        Property("The last order counts.", _the_last_order_counts),
        Property("A card that has just been written can be read.", _what_is_written_is_read),
    ],
    mistakes=[
        Mistake(
            "table-only-adds",
            _written(lambda table, key, value: table + torch.outer(key, value)),
            "Who orders once is served right. What does the table hold for a guest who has "
            "ordered twice?",
        ),
        Mistake(
            "table-forgets-all",
            _written(lambda table, key, value: torch.outer(key, value)),
            "The last guest is served right. Where have the other guests' orders gone?",
        ),
        Mistake(
            "table-adds-the-old",
            _written(lambda table, key, value: table + torch.outer(key, value + key @ table)),
            "Who orders twice gets the first drink twice as strong. Should what is there be "
            "added, or taken away?",
        ),
        Mistake(
            "table-halves",
            _written(lambda table, key, value: (table + _replaced(table, key, value)) / 2),
            "Even a first order comes out at half its size. By how much is it corrected?",
        ),
        Mistake(
            "table-erases-only",
            _written(lambda table, key, value: table - torch.outer(key, key @ table)),
            "Your table is empty at the end. After the old order is taken away, what comes?",
        ),
        Mistake(
            "table-from-the-back",
            _written(_replaced, order=lambda cards: cards.flip(0)),
            "Of two orders of one guest you serve the first. Which card do you write last?",
        ),
        Mistake(
            "table-last-card-lost",
            _written(_replaced, order=lambda cards: cards[:-1]),
            "The last card has left no trace. How many cards do you write?",
        ),
        Mistake(
            "table-returned",
            lambda keys, values, questions: _table(_replaced, keys, values),
            "That is the table. What does a question read in it?",
        ),
    ],
    hints=[
        "Before a card is written, what does the table answer to its key? Print it for the third "
        "card of the example.",
        "The table should answer to this key with the new value. By how much is it off now?",
    ],
)
