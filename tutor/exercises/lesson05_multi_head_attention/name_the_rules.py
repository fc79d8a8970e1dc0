"""name_the_rules: read from its weights what a head looks for."""

from collections.abc import Callable, Mapping

import torch
from torch import Tensor

from tutor.checking.exercise import Arguments, Call, Exercise, Mistake, Property
from tutor.checking.seeds import EXAMPLE, Rng
from tutor.say import say

NONE, PREVIOUS, NEXT, SAME, FIRST = range(5)


def _shares(weights: Tensor, ids: Tensor) -> Tensor:
    """Give each rule's mean weight, over the tokens that have such a place to look at."""
    return torch.stack(
        [
            weights.diagonal(-1, -2, -1).mean(-1),
            weights.diagonal(1, -2, -1).mean(-1),
            _on_the_same(weights, ids),
            weights[:, 1:, 0].mean(-1),
        ]
    )


def _on_the_same(weights: Tensor, ids: Tensor) -> Tensor:
    elsewhere = (ids[:, None] == ids) & ~torch.eye(len(ids), dtype=torch.bool)  # (T, T)
    return (weights * elsewhere).sum(-1)[:, elsewhere.any(-1)].mean(-1)


def _named(shares: Tensor) -> Tensor:
    found = shares > 0.5  # (4, h), at most one of them
    return torch.where(found.any(0), found.int().argmax(0) + 1, NONE)


def _reference(weights: Tensor, ids: Tensor) -> Tensor:
    return _named(_shares(weights, ids))


def _case(rng: Rng, rules: list[int], time: int) -> Arguments:
    """Draw a sentence with repeated tokens, and for each rule a head that keeps it mostly."""
    while True:
        ids = torch.tensor([rng.choice(range(1 + time // 2)) for _ in range(time)])
        heads = torch.stack([_head(rng, rule, ids) for rule in rules])
        shares = _shares(heads, ids)
        sure = bool(((shares - 0.5).abs() > 0.04).all()) and bool(((shares > 0.5).sum(0) < 2).all())
        some_repeat = len(set(ids.tolist())) not in (1, time)
        if some_repeat and sure and _named(shares).tolist() == rules:
            return {"weights": heads, "ids": ids}


def _head(rng: Rng, rule: int, ids: Tensor) -> Tensor:
    time = len(ids)
    scores = rng.normal(time, time)
    for token in range(time):
        others = [t for t in range(time) if ids[t] == ids[token] and t != token]
        places = {PREVIOUS: [token - 1], NEXT: [token + 1], SAME: others, FIRST: [0]}.get(rule, [])
        for place in places:
            if 0 <= place < time and rng.choice(range(8)):  # now and then it does not
                scores[token, place] += 4
    return torch.softmax(scores, dim=-1)


def _uneven(rng: Rng) -> Arguments:
    """Draw a head whose mean says rule 1 and few of its rows, and one where it is the reverse."""
    most, some = rng.uniform(0.9, 1.0, 2), rng.uniform(0.4, 0.45, 3)
    kept = torch.stack([torch.cat([most, some]), torch.tensor([0.6, 0.6, 0.6, 0.0, 0.0])])
    weights = ((1 - kept) / 5)[..., None].expand(-1, -1, 6).clone()  # (2, 5, 6)
    weights[:, torch.arange(5), torch.arange(5)] = kept
    first = torch.full((2, 1, 6), 1 / 6)
    ids = rng.permutation(9)[[0, 1, 2, 3, 4, 1]]
    return {"weights": torch.cat([first, weights], dim=1), "ids": ids}


def _without_a_place(rng: Rng) -> Arguments:
    """Draw heads whose rule is decided by the row that does not count, if it is counted.

    For rules 1, 2 and 4 in turn one that keeps it and one that does not; the one row that has no
    such place says the reverse, on the first token itself or on the sentence's other end.
    """
    kept, lost = rng.uniform(0.56, 0.6, 3).tolist(), rng.uniform(0.4, 0.44, 3).tolist()
    heads = [
        _but_for_one_row(rule, share, row)
        for rule, row, *shares in zip((PREVIOUS, NEXT, FIRST), (0, 4, 0), kept, lost)
        for share in shares
    ]
    return {"weights": torch.stack(heads), "ids": rng.permutation(9)[[0, 1, 2, 1, 3]]}


def _but_for_one_row(rule: int, share: float, row: int) -> Tensor:
    """Give each of 5 tokens this share on a rule's place, and one all or none of it."""
    places = {PREVIOUS: [4, 0, 1, 2, 3], NEXT: [1, 2, 3, 4, 0], FIRST: [0] * 5}[rule]
    shares = torch.full((5, 1), share)
    shares[row] = float(share < 0.5)
    weights = ((1 - shares) / 4).expand(5, 5).clone()
    return weights.scatter(1, torch.tensor(places)[:, None], shares)


def _thrice(rng: Rng) -> Arguments:
    """Draw a head that shares its weight among two other places of the same token."""
    token, other = rng.permutation(90)[:2].tolist()
    weights = torch.full((1, 4, 4), 0.1)
    weights[0, 1] = torch.tensor([0.2, 0.4, 0.3, 0.1])
    for place in (0, 2, 3):
        elsewhere = [o for o in (0, 2, 3) if o != place]
        weights[0, place, elsewhere] = rng.uniform(0.33, 0.4, 2)
    return {"weights": weights, "ids": torch.tensor([token, other, token, token])}


def _cases(seed: int) -> Mapping[str, Arguments]:
    rng = Rng(seed)
    return {
        "all rules": _case(rng, [SAME, NONE, FIRST, NEXT, PREVIOUS], 9),
        "one head, one back": _case(rng, [PREVIOUS], 7),
        "one head, no rule": _case(rng, [NONE], 8),
        "as many heads as tokens": _case(rng, [NEXT, NEXT, SAME, FIRST, NONE, PREVIOUS], 6),
        "more heads than tokens": _case(rng, [FIRST, SAME, NEXT, NONE, PREVIOUS, SAME], 5),
        "three tokens": {
            "weights": torch.tensor([[[0.1, 0.2, 0.7], [0.1, 0.6, 0.3], [0.8, 0.1, 0.1]]]),
            "ids": torch.tensor([4, 0, 4]),
        },
        "more rows, or more weight": _uneven(rng),
        "a token that stands there three times": _thrice(rng),
        "a row without such a place": _without_a_place(rng),
        "a head that looks at itself": {
            "weights": 0.7 * torch.eye(4)[None] + 0.075,
            "ids": torch.tensor([1, 6, 6, 1]),
        },
        EXAMPLE: {
            "weights": torch.tensor(
                [[[0.2, 0.1, 0.1, 0.6], [0.9, 0.1, 0, 0], [0.1, 0.8, 0.1, 0], [0, 0.2, 0.7, 0.1]]]
            ),
            "ids": torch.tensor([5, 2, 7, 5]),
        },
    }


def _changed(rule: int, share: Callable[[Tensor, Tensor], Tensor]) -> Callable[..., Tensor]:
    def named(weights: Tensor, ids: Tensor) -> Tensor:
        shares = _shares(weights, ids)
        shares[rule - 1] = share(weights, ids)
        return _named(shares)

    return named


def _with_itself(weights: Tensor, ids: Tensor) -> Tensor:
    return (weights * (ids[:, None] == ids)).sum(-1).mean(-1)


def _over_all(weights: Tensor, ids: Tensor) -> Tensor:
    elsewhere = (ids[:, None] == ids) & ~torch.eye(len(ids), dtype=torch.bool)
    return (weights * elsewhere).sum(-1).mean(-1)


def _all_over_all(weights: Tensor, ids: Tensor) -> Tensor:
    """Divide every rule's sum by the number of tokens."""
    shares = _shares(weights, ids)
    shares[[0, 1, 3]] *= 1 - 1 / len(ids)
    shares[2] = _over_all(weights, ids)
    return _named(shares)


def _around(weights: Tensor, step: int) -> Tensor:
    """Take the mean over all rows, the sentence bent to a ring."""
    return weights.roll(-step, -1).diagonal(0, -2, -1).mean(-1)


def _by_largest(weights: Tensor, ids: Tensor) -> Tensor:
    return _shares(weights, ids).argmax(0) + 1


def _always_keeps(call: Call) -> str | None:
    weights = torch.zeros(1, 4, 4)
    weights[0, [0, 1, 2, 3], [0, 0, 1, 2]] = 1.0
    if call(weights, torch.tensor([3, 1, 4, 3])).tolist() == [PREVIOUS]:
        return None
    return say("A head puts all its weight on the token before. Yours does not call that rule 1.")


name_the_rules = Exercise(
    "name_the_rules",
    points=2,
    reference=_reference,
    cases=_cases,
    returns=("rules",),
    shapes={"weights": "h T T", "ids": "T", "rules": "h"},
    smallest={"T": 3},
    properties=[Property("All weight on the token before is rule 1.", _always_keeps)],
    mistakes=[
        Mistake(
            "rules-asks-and-looked-at",
            lambda weights, ids: _reference(weights.mT, ids),
            "Yours calls one back what is one ahead. Does the row ask, or the column?",
        ),
        Mistake(
            "rules-before-and-after",
            lambda weights, ids: _named(_shares(weights, ids)[[1, 0, 2, 3]]),
            "Yours calls one back what is one ahead. In row 2, which column is the token before?",
        ),
        Mistake(
            "rules-itself-counted",
            _changed(SAME, _with_itself),
            "A head that looks at the very same place is not looking elsewhere. Which places does "
            "rule 3 leave out?",
        ),
        Mistake(
            "rules-over-all-rows",
            _changed(SAME, _over_all),
            "Some tokens occur only once. Which rows count for rule 3?",
            variants=[_all_over_all],
        ),
        Mistake(
            "rules-without-a-place",
            _changed(FIRST, lambda weights, ids: weights[:, :, 0].mean(-1)),
            "You count rows that have no such place. Has the first token one before it, or the "
            "last one after it?",
            variants=[
                _changed(PREVIOUS, lambda weights, ids: _around(weights, -1)),
                _changed(NEXT, lambda weights, ids: _around(weights, 1)),
            ],
            reason="weights[:, :, 0].mean(-1) is the shortest rule 4, and it got full points.",
        ),
        Mistake(
            "rules-largest-always",
            _by_largest,
            "Every head has a rule in yours. Must one of them hold?",
        ),
        Mistake(
            "rules-no-first",
            _changed(FIRST, lambda weights, ids: torch.zeros(len(weights))),
            "A head that rests on the first token has no rule in yours. Which column is that?",
        ),
        Mistake(
            "rules-from-zero",
            lambda weights, ids: (_reference(weights, ids) - 1) % 5,
            "Your numbers are shifted by one. What does 0 stand for?",
        ),
        Mistake(
            "rules-by-row",
            lambda weights, ids: _named(
                torch.stack(
                    [
                        (weights.diagonal(-1, -2, -1) > 0.5).all(-1),
                        (weights.diagonal(1, -2, -1) > 0.5).all(-1),
                        _on_the_same(weights, ids) > 0.5,
                        (weights[:, 1:, 0] > 0.5).all(-1),
                    ]
                ).float()
            ),
            "In yours a rule must hold in every row. Which number must be above one half?",
        ),
    ],
    hints=[
        "weights.diagonal(-1, -2, -1) holds what each token puts on the one before it.",
        "For rule 3 make a table of True and False: where is the same id, but another place?",
    ],
)
