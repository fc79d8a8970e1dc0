"""nearest_neighbours: the rows of a table that point the same way."""

from collections.abc import Callable, Mapping

import torch
from torch import Tensor

from tutor.checking.exercise import Arguments, Call, Exercise, Mistake, Property
from tutor.checking.seeds import Rng
from tutor.embedding import cosine_similarities
from tutor.embedding import nearest_neighbours as nearest
from tutor.say import say


def _cases(seed: int) -> Mapping[str, Arguments]:
    """Draw rows of very different lengths; in one case a row equals the query."""
    rng = Rng(seed)

    def case(words: int, d_model: int, k: int, query_row: int | None = None) -> Arguments:
        table = rng.normal(words, d_model) * rng.uniform(0.2, 3.0, words, 1)
        query = rng.normal(d_model) if query_row is None else table[query_row].clone()
        return {"query": query, "table": table, "k": k}

    return {
        "ordinary": case(12, 4, k=5),
        "the query is a row": case(10, 3, k=4, query_row=6),
        "square": case(8, 8, k=3),
        "only the best": case(9, 5, k=1),
        "all of them": case(6, 2, k=6),
        "many words": case(60, 3, k=15),
        "wide words": case(5, 11, k=2),
        "a single word": case(1, 4, k=1),
        "one feature": {"query": rng.normal(1), "table": torch.tensor([[2.0], [-3.0]]), "k": 2},
        "very short rows": {**(given := case(7, 4, k=3)), "table": 1e-4 * given["table"]},
    }


def _length_does_not_matter(call: Call) -> str | None:
    table = torch.tensor([[1.0, 0.1], [5.0, 5.0], [0.0, 1.0]])
    first = call(torch.tensor([1.0, 0.0]), table, 1).tolist()
    if first == [0]:
        return None
    return say(
        "The query is [1, 0]; row 0, [1, 0.1], points the same way, row 1, [5, 5], is "
        "only longer. Yours says {first}.",
        first=first,
    )


def _by(
    closeness: Callable[[Tensor, Tensor], Tensor],
) -> Callable[[Tensor, Tensor, int], Tensor]:
    """Build a search from another measure: larger is closer."""

    def search(query: Tensor, table: Tensor, k: int) -> Tensor:
        return closeness(query, table).topk(k).indices

    return search


def _by_columns(query: Tensor, table: Tensor) -> Tensor:
    return (table / table.norm(dim=0)) @ (query / query.norm())


def _without_the_best(query: Tensor, table: Tensor, k: int) -> Tensor:
    order = cosine_similarities(query, table).argsort(descending=True)
    return order[1 : k + 1]


def _without_itself(query: Tensor, table: Tensor, k: int) -> Tensor:
    order = cosine_similarities(query, table).argsort(descending=True)
    return torch.stack([row for row in order if not torch.equal(table[row], query)])[:k]


_ASK_LENGTH = (
    "A long row wins in yours though it points elsewhere. What must be divided out before two "
    "directions can be compared?"
)

nearest_neighbours = Exercise(
    "nearest_neighbours",
    points=2,
    reference=nearest,
    cases=_cases,
    returns=("rows",),
    shapes={"query": "D", "table": "V D", "k": "k", "rows": "k"},
    promises={
        "k is V": lambda query, table, k: k == len(table),
        "a row equals the query": lambda query, table, k: bool((table == query).all(-1).any()),
        "a cosine is below 0": lambda query, table, k: bool((table @ query < 0).any()),
        "rows of very different lengths": lambda query, table, k: bool(
            table.norm(dim=-1).max() > 5 * table.norm(dim=-1).min()
        ),
    },
    properties=[Property("A row's length does not matter.", _length_does_not_matter)],
    mistakes=[
        Mistake("neighbours-dot-product", _by(lambda q, table: table @ q), _ASK_LENGTH),
        Mistake(
            "neighbours-only-query-normalised",
            _by(lambda q, table: table @ (q / q.norm())),
            _ASK_LENGTH,
        ),
        Mistake(
            "neighbours-distance",
            _by(lambda q, table: -(table - q).norm(dim=-1)),
            "Rows near the query win in yours, whichever way they point. Which measure is asked "
            "for: a distance, or an angle?",
        ),
        Mistake(
            "neighbours-city-block",
            _by(lambda q, table: -(table - q).abs().sum(-1)),
            "Rows near the query win in yours, whichever way they point. Which measure is asked "
            "for: a distance, or an angle?",
        ),
        Mistake(
            "neighbours-farthest",
            _by(lambda q, table: -cosine_similarities(q, table)),
            "Your first row points away from the query. Which cosine is closest?",
        ),
        Mistake(
            "neighbours-worst-first",
            lambda query, table, k: nearest(query, table, k).flip(0),
            "You found the right rows. In which order are they asked for?",
        ),
        Mistake(
            "neighbours-sorted-by-row",
            lambda query, table, k: nearest(query, table, k).sort().values,
            "You found the right rows and sorted them by number. In which order are they asked "
            "for?",
        ),
        Mistake(
            "neighbours-similarities",
            lambda query, table, k: cosine_similarities(query, table).topk(k).values,
            "Those are the cosines. What is asked for: how close they are, or which rows they are?",
        ),
        Mistake(
            "neighbours-both",
            lambda query, table, k: tuple(cosine_similarities(query, table).topk(k)),
            "The rows are there, along with something else. What is asked for?",
        ),
        Mistake(
            "neighbours-vectors",
            lambda query, table, k: table[nearest(query, table, k)],
            "Those are the rows themselves. What is asked for: the rows, or their numbers?",
        ),
        Mistake(
            "neighbours-best-left-out",
            _without_the_best,
            "Your first row is the second best. Should anything be left out?",
        ),
        Mistake(
            "neighbours-itself-left-out",
            _without_itself,
            "Where a row equals the query, it is missing in yours. Does it count here?",
        ),
        Mistake(
            "neighbours-sign-lost",
            _by(lambda q, table: cosine_similarities(q, table).abs()),
            "A row that points away counts as close in yours. What does the sign of a cosine say?",
        ),
        Mistake(
            "neighbours-normalised-by-column",
            _by(_by_columns),
            "Your rows keep their lengths. Over which axis is the length of a row taken?",
        ),
        Mistake(
            "neighbours-divided-twice",
            _by(lambda q, table: table @ q / table.norm(dim=-1) ** 2),
            "Short rows win in yours. How often is a row divided by its length?",
        ),
        Mistake(
            "neighbours-one-too-many",
            lambda query, table, k: nearest(query, table, min(k + 1, len(table))),
            "You return one row too many. How many does k ask for?",
        ),
        Mistake(
            "neighbours-ranks",
            lambda query, table, k: (
                cosine_similarities(query, table).argsort(descending=True).argsort()[:k]
            ),
            "Those are the ranks of the first rows. What is asked for: a row's rank, or the row "
            "of a rank?",
        ),
        Mistake(
            "neighbours-centred",
            _by(lambda q, table: cosine_similarities(q - q.mean(), table - table.mean(-1, True))),
            "You took the mean off each vector first. That is a correlation: what is a cosine?",
        ),
    ],
    hints=[
        "The cosine is the dot product divided by both lengths. Which length matters for the "
        "order?",
        "`topk` gives values and indices, largest first.",
    ],
)
