"""tied_logits: a score for every word, from the table that embedded the words."""

import math
from collections.abc import Mapping

import torch
import torch.nn.functional as F

from tutor.checking.exercise import Arguments, Call, Exercise, Mistake, Property
from tutor.checking.seeds import EXAMPLE, Rng
from tutor.output import tied_logits as score
from tutor.say import say


def _tied_cases(seed: int) -> Mapping[str, Arguments]:
    rng = Rng(seed)
    return {
        "a batch": {"h": rng.normal(2, 3, 4), "table": rng.normal(7, 4)},
        "one state": {"h": rng.normal(5), "table": rng.normal(3, 5)},
        "square": {"h": rng.normal(4, 4), "table": rng.normal(4, 4)},
        "one sentence": {"h": rng.normal(1, 2, 4), "table": rng.normal(6, 4)},
        "batches of batches": {"h": rng.normal(2, 1, 3, 2), "table": rng.normal(5, 2)},
        "one word": {"h": rng.normal(3, 4), "table": rng.normal(1, 4)},
        "one feature": {"h": rng.normal(2, 3, 1), "table": rng.normal(4, 1)},
        "wide states": {"h": rng.normal(2, 9), "table": rng.normal(3, 9)},
        EXAMPLE: {
            "h": torch.tensor([2.0, 3.0]),
            "table": torch.tensor([[1.0, 0.0], [0.0, 1.0], [1.0, 1.0]]),
        },
    }


def _states_keep_apart(call: Call) -> str | None:
    h, table = Rng(1).normal(2, 3), Rng(2).normal(4, 3)
    if torch.allclose(call(h, table)[:1], call(h[:1], table), atol=1e-4):
        return None
    return say("The first state's scores change when a second state is scored with it.")


def _longer_row_scores_more(call: Call) -> str | None:
    h, row = torch.tensor([1.0, 2.0]), torch.tensor([1.0, 1.0])
    scores = call(h, torch.stack([row, 2 * row]))
    if abs(scores[1].item() - 2 * scores[0].item()) < 1e-3:
        return None
    return say(
        "The second word's row is twice the first one's, so its score should be twice "
        "as large. Yours are {first:.3f} and {second:.3f}.",
        first=scores[0].item(),
        second=scores[1].item(),
    )


tied_logits = Exercise(
    "tied_logits",
    points=1,
    reference=score,
    cases=_tied_cases,
    returns=("logits",),
    shapes={"h": "… D", "table": "V D", "logits": "… V"},
    properties=[
        Property("Each state is scored by itself.", _states_keep_apart),
        Property("A row twice as long scores twice as much.", _longer_row_scores_more),
    ],
    mistakes=[
        Mistake(
            "tied-scaled",
            lambda h, table: h @ table.T * math.sqrt(table.size(-1)),
            "Your scores are too large by a factor that grows with d_model. To which of the two "
            "uses of the table does √d_model belong?",
        ),
        Mistake(
            "tied-squeezed",
            lambda h, table: (h @ table.T).squeeze(),
            "You are right, but with a batch of one sentence an axis is lost. Which axes does "
            "squeeze take away?",
        ),
        Mistake(
            "tied-divided",
            lambda h, table: h @ table.T / math.sqrt(table.size(-1)),
            "Your scores are too small by a factor that grows with d_model. Is this attention?",
        ),
        Mistake(
            "tied-scaled-in-full",
            lambda h, table: h @ table.T * table.size(-1),
            "Your scores are too large by d_model itself. What does the output layer do to the "
            "table before using it?",
        ),
        Mistake(
            "tied-averaged",
            lambda h, table: h @ table.T / table.size(-1),
            "Your scores are too small by d_model. Is a dot product a sum or a mean?",
        ),
        Mistake(
            "tied-divided-by-vocabulary",
            lambda h, table: h @ table.T / table.size(0),
            "The more words there are, the smaller your scores. What does one word's score have "
            "to do with how many others there are?",
        ),
        Mistake(
            "tied-divided-by-root-of-vocabulary",
            lambda h, table: h @ table.T / math.sqrt(table.size(0)),
            "The more words there are, the smaller your scores. What does one word's score have "
            "to do with the number of others?",
        ),
        Mistake(
            "tied-table-not-transposed",
            lambda h, table: h @ table,
            "Your code runs only where there are as many words as features. Which axis of the "
            "table (V, D) meets a state?",
        ),
        Mistake(
            "tied-table-first",
            lambda h, table: table @ h.T,
            "You have a row for each word. What should a row of the result belong to?",
        ),
        Mistake(
            "tied-cosine",
            lambda h, table: F.normalize(h, dim=-1) @ F.normalize(table, dim=-1).T,
            "All your scores lie between −1 and 1. Does a dot product forget how long vectors are?",
        ),
        Mistake(
            "tied-rows-normalised",
            lambda h, table: h @ F.normalize(table, dim=-1).T,
            "Double a word's row and your score stays the same. Does a dot product forget how "
            "long it is?",
        ),
        Mistake(
            "tied-state-normalised",
            lambda h, table: F.normalize(h, dim=-1) @ table.T,
            "Double a state and your scores stay the same. Does a dot product forget how long it "
            "is?",
        ),
        Mistake(
            "tied-distance",
            lambda h, table: (
                -torch.cdist(h.unsqueeze(0), table.unsqueeze(0)).squeeze(0)
                if h.dim() == 2
                else -(h.unsqueeze(-2) - table).norm(dim=-1)
            ),
            "None of your scores is above 0: you measure distances. How is likeness measured here?",
        ),
        Mistake(
            "tied-sign",
            lambda h, table: -(h @ table.T),
            "The word that fits best gets your lowest score. What is the sign of a likeness?",
        ),
        Mistake(
            "tied-softmax",
            lambda h, table: torch.softmax(h @ table.T, dim=-1),
            "Your numbers sum to 1: they are probabilities. What is asked for: what goes into "
            "softmax, or what comes out?",
        ),
        Mistake(
            "tied-log-softmax",
            lambda h, table: torch.log_softmax(h @ table.T, dim=-1),
            "None of your numbers is above 0: they are log-probabilities. What is asked for: what "
            "goes into softmax, or what comes out?",
        ),
        Mistake(
            "tied-best-word",
            lambda h, table: (h @ table.T).argmax(-1),
            "You name the best word. How many numbers should there be for each state?",
        ),
        Mistake(
            "tied-last-state-only",
            lambda h, table: h[..., -1:, :] @ table.T if h.dim() > 1 else h @ table.T,
            "You score the last state only. For which states are scores asked for?",
        ),
        Mistake(
            "tied-flattened",
            lambda h, table: h.reshape(-1, h.size(-1)) @ table.T,
            "All the scores are there, in one long table. Which axes did h have?",
        ),
        Mistake(
            "tied-rectified",
            lambda h, table: torch.relu(h @ table.T),
            "None of your scores is negative. How is a word scored that does not fit at all?",
        ),
        Mistake(
            "tied-centred",
            lambda h, table: h @ table.T - (h @ table.T).mean(-1, keepdim=True),
            "Your scores sum to 0 for each state. Softmax would not mind, but is it asked for?",
        ),
        Mistake(
            "tied-not-summed",
            lambda h, table: h.unsqueeze(-2) * table,
            "All the products are there. How many of them go into one word's score?",
        ),
    ],
    hints=[
        "The score of a word is the dot product of the state with the word's row of the table.",
        "h has the features on its last axis, the table too. Which axis of the table must come "
        "first for the product?",
    ],
)
