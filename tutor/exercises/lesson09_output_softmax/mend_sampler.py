"""mend_sampler: a sampler that cuts the tail off before it heats what is left."""

from collections.abc import Callable, Mapping

import torch
from torch import Tensor

from tutor.checking.exercise import Arguments, Call, Exercise, Mistake, Property
from tutor.checking.seeds import Rng
from tutor.output import temperature_softmax, top_p_probabilities
from tutor.say import say


def heated_nucleus(logits: Tensor, temperature: float, p: float) -> Tensor:
    """Give the probabilities a word is drawn from: heated first, then cut to the nucleus."""
    return top_p_probabilities(temperature_softmax(logits, temperature), p)


def _cut_first(logits: Tensor, temperature: float, p: float) -> Tensor:
    nucleus = top_p_probabilities(torch.softmax(logits, dim=-1), p) > 0
    return torch.softmax(logits.masked_fill(~nucleus, -torch.inf) / temperature, dim=-1)


def _sampler_cases(seed: int) -> Mapping[str, Arguments]:
    rng = Rng(seed)

    def case(temperature: float, p: float, *shape: int, far: float | Tensor = 0.0) -> Arguments:
        """Draw scores whose nucleus changes with heat, and no running sum near the threshold."""
        while True:
            logits = far + 1.5 * rng.normal(*shape)
            ranked = [
                torch.softmax(logits / t, -1).sort(-1, descending=True).values
                for t in (temperature, 1.0, 1 / temperature)
            ]
            sums = [each.cumsum(-1) for each in ranked]
            counts = [(each < p).sum(-1) for each in sums]
            clear = min((each - p).abs().min().item() for each in sums) > 0.01
            apart = min(each.diff(dim=-1).abs().min().item() for each in ranked) > 1e-4
            if clear and apart and bool((counts[0] != counts[1]).all()):
                return {"logits": logits, "temperature": temperature, "p": p}

    return {
        "hot": case(2.0, 0.8, 2, 2, 6),
        "cold": case(0.5, 0.8, 2, 5),
        "one row": case(1.6, 0.7, 7),
        "square": case(2.5, 0.6, 4, 4),
        "batches of batches": case(2.0, 0.7, 2, 1, 2, 5),
        "neither hot nor cold": {
            "logits": torch.tensor([2.0, 1.0, 0.5, -1.0]),
            "temperature": 1.0,
            "p": 0.8,
        },
        "one word": {"logits": rng.normal(3, 1), "temperature": 0.7, "p": 0.5},
        "scores of ±1000": case(2.0, 0.8, 2, 6, far=torch.tensor([[1024.0], [-1024.0]])),
    }


def _heat_lets_more_in(call: Call) -> str | None:
    logits = torch.tensor([4.0, 3.0, 2.0, 1.0, 0.0])
    counts = [int((call(logits, t, 0.9) > 1e-6).sum()) for t in (1.0, 10.0)]
    if counts[1] > counts[0]:
        return None
    return say(
        "Five words with the scores 4, 3, 2, 1, 0 and p = 0.9: at temperature 1 your sampler can "
        "draw {cool} of them, at temperature 10, where all are nearly alike, {hot}.",
        cool=counts[0],
        hot=counts[1],
    )


def _normed(heated: Tensor, kept: Callable[[Tensor], Tensor]) -> Tensor:
    left = torch.where(kept(heated), heated, 0.0)
    return left / left.sum(-1, keepdim=True)


def _of_heated(kept: Callable[[Tensor, float], Tensor]) -> Callable[..., Tensor]:
    """Build a sampler from which of the ranked, heated words it keeps."""

    def sampler(logits: Tensor, temperature: float, p: float) -> Tensor:
        ranked, words = torch.softmax(logits / temperature, -1).sort(-1, descending=True)
        mask = torch.zeros_like(ranked).scatter(-1, words, kept(ranked, p).to(ranked)) > 0
        return _normed(torch.softmax(logits / temperature, -1), lambda heated: mask)

    return sampler


mend_sampler = Exercise(
    "mend_sampler",
    points=2,
    reference=heated_nucleus,
    cases=_sampler_cases,
    returns=("probabilities",),
    shapes={"logits": "… V", "probabilities": "… V"},
    promises={
        "hot": lambda logits, temperature, p: temperature > 1,
        "cold": lambda logits, temperature, p: temperature < 1,
        "neither": lambda logits, temperature, p: temperature == 1,
    },
    given="sampler-cut-first",
    properties=[Property("Heat lets more words in.", _heat_lets_more_in)],
    mistakes=[
        Mistake(
            "sampler-cut-first",
            _cut_first,
            "The words that can be drawn are the same at every temperature. Of which "
            "distribution should they hold p?",
        ),
        Mistake(
            "sampler-heated-twice",
            lambda logits, t, p: torch.softmax(
                logits.masked_fill(heated_nucleus(logits, t, p) == 0, -torch.inf) / t**2, dim=-1
            ),
            "The right words are kept, but the temperature changes their proportions too much. "
            "How often are scores divided by it?",
        ),
        Mistake(
            "sampler-cut-twice",
            lambda logits, t, p: heated_nucleus(
                logits.masked_fill(_cut_first(logits, t, p) == 0, -torch.inf), t, p
            ),
            "You cut twice. Which of the two cuts looks at the distribution that is drawn from?",
        ),
        Mistake(
            "sampler-not-heated",
            lambda logits, t, p: top_p_probabilities(torch.softmax(logits, dim=-1), p),
            "Change the temperature and nothing changes. Where does it act?",
        ),
        Mistake(
            "sampler-heats-the-choice-alone",
            lambda logits, t, p: torch.softmax(
                logits.masked_fill(heated_nucleus(logits, t, p) == 0, -torch.inf), dim=-1
            ),
            "The right words are kept, but they are drawn as if at temperature 1. From which "
            "distribution should they be drawn?",
        ),
        Mistake(
            "sampler-not-cut",
            lambda logits, t, p: torch.softmax(logits / t, dim=-1),
            "Every word can be drawn. Which ones does p leave?",
        ),
        Mistake(
            "sampler-crossing-word-dropped",
            _of_heated(lambda ranked, p: ranked.cumsum(-1) <= p),
            "What you keep holds less than p, and sometimes it is no word at all. Does the word "
            "that reaches p belong to it?",
            variants=[
                _of_heated(lambda ranked, p: (ranked.cumsum(-1) <= p) | (ranked == ranked[..., :1]))
            ],
            reason="cumsum <= p is the obvious line: tried in a review of the checker.",
        ),
        Mistake(
            "sampler-each-word-alone",
            lambda logits, t, p: _normed(torch.softmax(logits / t, -1), lambda heated: heated >= p),
            "You judge each word by its own probability. What is the sum of those before it?",
            variants=[
                lambda logits, t, p: _normed(
                    torch.softmax(logits / t, -1), lambda heated: heated >= 1 - p
                )
            ],
            reason="The mistake of top_p_probabilities, made here once more.",
        ),
        Mistake(
            "sampler-not-put-back",
            lambda logits, t, p: heated_nucleus(logits, t, p).sort(-1, descending=True).values,
            "Your numbers are right, but the likeliest stands first. Which word does each belong "
            "to?",
            reason="What sort has ordered is easily returned as it lies.",
        ),
        Mistake(
            "sampler-multiplied",
            lambda logits, t, p: heated_nucleus(logits, 1 / t, p),
            "A high temperature makes your sampler surer. Should heat sharpen or flatten?",
        ),
        Mistake(
            "sampler-not-renormalised",
            lambda logits, t, p: torch.where(
                heated_nucleus(logits, t, p) > 0, torch.softmax(logits / t, dim=-1), 0.0
            ),
            "Your rows sum to less than 1. Who gets what the dropped words had?",
        ),
    ],
    hints=[
        "At a high temperature the words grow alike. Does it take more of them, or fewer, to hold "
        "p together?",
        "Print the number of words that can be drawn at temperatures 0.5, 1 and 2. Which line "
        "decides it, and what does that line know of the temperature?",
    ],
)
