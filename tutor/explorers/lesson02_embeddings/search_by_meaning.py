"""Ten sentences, found by the cosines of their embeddings with a question's."""

import re
from typing import Any

from matplotlib.figure import Figure

from tutor.data.files import load_results
from tutor.display.controls import as_data, as_said
from tutor.display.explorer import Explorer, Update, live
from tutor.display.palette import HIGHLIGHT, SERIES, mixed
from tutor.say import data, later, say


def search_by_meaning() -> Explorer:
    """Order ten sentences by how near their embeddings are to a question's.

    Example:
        >>> search_by_meaning().frame(query="Something hot to drink", order="by cosine").caption
        'First: The best tea for cold evenings, cosine 0.48. Words shared with the query: 0'
    """
    found = load_results("sentence_search")["values"]
    sentences, cosines = found["sentences"], found["cosines"]

    def draw(fig: Figure, **_start: Any) -> Update:
        ax = fig.subplots()
        bars = ax.barh(range(len(sentences)), [0.0] * len(sentences), height=0.66)
        numbers = [ax.text(0, n, "", va="center") for n in range(len(bars))]
        names = [
            ax.text(-0.01, n, data(sentence), va="center", ha="right")
            for n, sentence in enumerate(sentences)
        ]
        ax.set(xlim=(-0.62, 0.72), ylim=(len(sentences) - 0.4, -0.6), xticks=[], yticks=[])
        ax.axis("off")

        def update(query: str, order: str) -> str:
            is_shown = order == "by cosine"
            pairs = list(zip(sentences, cosines[query], strict=True))
            if is_shown:
                pairs.sort(key=lambda pair: -pair[1])
            for place, (sentence, cosine) in enumerate(pairs):
                names[place].set_text(data(sentence))
                bars[place].set_width(max(0.0, cosine) if is_shown else 0.0)
                bars[place].set_color(mixed(HIGHLIGHT if place == 0 else SERIES[0], 0.5))
                numbers[place].set(
                    text=f"{cosine + 0.0:.2f}" if is_shown else "", x=max(0.0, cosine) + 0.01
                )
            if not is_shown:
                return say("Ten sentences, in the order in which they were written.")
            return say(
                "First: {first}, cosine {cosine:.2f}. Words shared with the query: {count}",
                first=pairs[0][0],
                cosine=pairs[0][1],
                count=len(_words(query) & _words(pairs[0][0])),
            )

        return update

    return live(
        draw,
        alt=say(
            "Ten sentences. Ordered by cosine, each has a bar: how near its embedding is to that "
            "of the query; the first is lit."
        ),
        size=(8.0, 3.3),
        query=as_data(cosines),
        order=(as_said([later("as written"), later("by cosine")]), "by cosine"),
    )


def _words(text: str) -> set[str]:
    return {*re.findall(r"\w+", text.lower())}
