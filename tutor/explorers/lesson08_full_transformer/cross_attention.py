"""Where each written word of a phrase looked, in one head of one decoder layer."""

from matplotlib.figure import Figure

from tutor.display.plots import Picture
from tutor.explorers.lesson08_full_transformer.traced_phrase import LabelledTable, trace_phrase
from tutor.explorers.lesson08_full_transformer.traced_sentence import read_and_written
from tutor.say import data, say


def cross_attention(phrase: str, layer: int, head: int) -> Picture:
    """Show where each written word looked, in a head of a decoder layer; both count from 0."""
    found = trace_phrase(phrase)
    weights = found.tensors[f"decoder.layers.{layer}.cross_attention.weights"][0, head]

    def draw(fig: Figure) -> str:
        table = LabelledTable(fig.add_axes((0.26, 0.24, 0.6, 0.64)))
        rows = read_and_written(found.decoder_input, found.written)
        table.show(
            weights,
            rows,
            found.source,
            say("Decoder layer {layer}, head {head}", layer=layer, head=head),
        )
        best = zip(found.written, weights.argmax(-1).tolist(), strict=True)
        return data("; ".join(f"{word} → {found.source[place]}" for word, place in best))

    alt = say(
        "A row for each word read and the word written then, a column for each word of the "
        "source. In every row one cell is dark: where the model looked to write this word."
    )
    return Picture(draw, alt=alt, size=(7.0, 3.6))
