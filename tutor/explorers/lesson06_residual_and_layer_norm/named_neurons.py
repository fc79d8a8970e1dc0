"""Some neurons of MiniLM: the words that make them fire, and what they say of a sentence."""

from collections.abc import Sequence
from typing import Any

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from tutor.data.files import load_results
from tutor.display.controls import as_data
from tutor.display.explorer import Explorer, Update, live
from tutor.display.palette import HIGHLIGHT, SERIES, mixed
from tutor.display.style import SMALL
from tutor.models.minilm import INSTALL, is_installed, load_minilm
from tutor.models.minilm_stream import neuron_values
from tutor.say import data, say

_FIRST = "She may stay but you may march"  # of which lesson 6 asks
_MOST = 14  # tokens of a sentence that have room
_NOT_STORED = "Not a stored sentence. For your own: {install}, restart the kernel"


def named_neurons() -> Explorer:
    """Show the words for which a neuron is highest, and its value at each token of a sentence.

    Example:
        >>> named_neurons().caption[:39]
        'Layer 0, neuron 1152: above half its hi'
    """
    stored = load_results("named_neurons")["values"]
    neurons = {
        say("layer {layer}, neuron {neuron}", layer=one["layer"], neuron=one["neuron"]): one
        for one in stored["neurons"]
    }
    order = list(neurons)
    sentences = {one["sentence"]: one for one in stored["sentences"]}

    def draw(fig: Figure, **_start: Any) -> Update:
        words, tokens = fig.subplots(1, 2)
        rows = len(stored["neurons"][0]["words"])
        alone = _Bars(words, rows, say("words by themselves"), SERIES[0])
        inside = _Bars(tokens, _MOST, say("in a sentence"), HIGHLIGHT)

        def update(neuron: str, sentence: str, typed: str) -> str:
            one, wanted = neurons[neuron], typed.strip() or sentence
            alone.show(one["words"], one["values"], one["values"][0])
            if wanted in sentences:
                read, values = sentences[wanted]["tokens"], sentences[wanted]["values"]
                said = values[order.index(neuron)]
            elif is_installed():
                read, said = _read(wanted, one["layer"], one["neuron"])
            else:
                inside.show([], [], 1.0)
                return say(_NOT_STORED, install=INSTALL)
            inside.show(read, said, one["values"][0])
            return _caption(one, stored["words"], read, said)

        return update

    return live(
        draw,
        alt=say(
            "Bars for the ten words that make one neuron fire most, of many read by themselves; "
            "beside them the tokens of a sentence, each with the neuron's value there. At most "
            "tokens there is no bar."
        ),
        size=(8.0, 3.3),
        labels={"typed": say("or type one")},
        neuron=order,
        sentence=(as_data(sentences), _FIRST),
        typed="",
    )


class _Bars:
    """Words from the top down, each with a bar; those above half of the highest value are lit."""

    def __init__(self, ax: Axes, rows: int, title: str, colour: str) -> None:
        self._colour = colour
        ax.set(xlim=(-0.45, 1.25), ylim=(rows - 0.4, -0.6), xticks=[], yticks=[])
        ax.spines[:].set_visible(False)
        ax.axvline(0, color=SERIES[0], linewidth=0.8)
        ax.set_title(title)
        self._bars = ax.barh(range(rows), [0.0] * rows, height=0.66)
        self._names = [ax.text(-0.03, row, "", ha="right", va="center") for row in range(rows)]
        self._numbers = [ax.text(0, row, "", va="center", fontsize=SMALL) for row in range(rows)]

    def show(self, words: Sequence[str], values: Sequence[float], highest: float) -> None:
        """Show words and values; rows that are left over stay empty."""
        for row, (bar, name, number) in enumerate(
            zip(self._bars, self._names, self._numbers, strict=True)
        ):
            is_there = row < len(words)
            share = max(0.0, values[row] / highest) if is_there else 0.0
            name.set_text(data(words[row]) if is_there else "")
            bar.set_width(min(share, 1.2))
            bar.set_color(mixed(self._colour, 1.0 if share > 0.5 else 0.5))
            number.set(text=f"{values[row]:.1f}" if share > 0.05 else "", x=min(share, 1.2) + 0.02)


def _read(sentence: str, layer: int, neuron: int) -> tuple[list[str], list[float]]:
    minilm = load_minilm()
    encoded = minilm.tokenizer.encode(sentence)
    values = neuron_values(minilm, [encoded.ids])[layer, 0, 1:-1, neuron]
    return encoded.tokens[1:-1][:_MOST], values.tolist()[:_MOST]


def _caption(
    one: dict[str, Any], count: int, tokens: Sequence[str], values: Sequence[float]
) -> str:
    half = one["values"][0] / 2
    fired = [token for token, value in zip(tokens, values, strict=True) if value > half]
    numbers = {
        "layer": one["layer"],
        "neuron": one["neuron"],
        "above": one["above half"],
        "count": count,
    }
    if not fired:
        return say(
            "Layer {layer}, neuron {neuron}: above half its highest value for {above} of {count} "
            "words; here for none",
            **numbers,
        )
    return say(
        "Layer {layer}, neuron {neuron}: above half its highest value for {above} of {count} "
        "words; here: {fired}",
        **numbers,
        fired=", ".join(fired),
    )
