"""The models whose stored trainings lesson 8 compares: their names and colours."""

from typing import Any

from tutor.display.palette import SERIES
from tutor.say import later, say

MODELS = {
    "transformer": (later("Transformer"), SERIES[0]),
    "gru-attention": (later("GRU with attention"), SERIES[1]),
    "gru": (later("GRU without attention"), SERIES[2]),
}


def stored_models(stored: dict[str, Any]) -> dict[str, tuple[str, str]]:
    """Give name and colour of each model that a task has stored trainings of."""
    return {
        model: (say(name), colour) for model, (name, colour) in MODELS.items() if model in stored
    }
