"""A sentence with arcs from *bank* to every word, as wide as its weights (lesson 4)."""

from tutor.display.diagram import Diagram
from tutor.display.lettering import short
from tutor.models.minilm import (
    WordInContext,
)

LAYER, HEAD = 0, 4


class BankArcs:
    """A row of words, and ribbons from one of them as wide as its attention to each.

    Attributes:
        found: the word it shows, in its sentence; None while it shows nothing.
    """

    def __init__(self, diagram: Diagram, most: int, y: float) -> None:
        self._middle, self._y = diagram.width / 2, y
        self._step = min(1.9, (diagram.width - 0.3) / most)
        tile = {"width": self._step - 0.15, "height": 0.7}
        self._asking = diagram.box("", (0.0, y), **tile)  # hidden: where ribbons begin
        self._tokens = [diagram.box("", (0.0, y), **tile) for _ in range(most)]
        self._numbers = [diagram.words("", (0.0, y - 0.65), size=10.5) for _ in range(most)]
        self._ribbons = [diagram.ribbon(self._asking, token, 0.0) for token in self._tokens]
        self._asking.show(False)
        self.found: WordInContext | None = None
        self.clear()

    def clear(self) -> None:
        """Show nothing."""
        self.found = None
        for part in (*self._tokens, *self._numbers, *self._ribbons):
            part.show(False)

    def show(self, found: WordInContext) -> None:
        """Show where a word looks; what has no room is left out."""
        self.clear()
        self.found = found
        tokens = found.tokens[: len(self._tokens)]
        first = self._middle - self._step * (len(tokens) - 1) / 2
        self._asking.move(first + self._step * found.position, self._y)
        weights = weights_from(found)
        for place, (token, weight) in enumerate(zip(tokens, weights)):
            self._put(place, first + self._step * place, token, weight, place == found.position)

    def _put(self, place: int, x: float, token: str, weight: float, asks: bool) -> None:
        tile, number, ribbon = self._tokens[place], self._numbers[place], self._ribbons[place]
        for part, y in ((tile, self._y), (number, self._y - 0.65)):
            part.show()
            part.move(x, y)
        tile.write(token if len(token) <= 12 else f"{token[:11]}…")
        tile.light(asks)
        number.write(short(weight))
        ribbon.show(not asks)
        ribbon.set(weight)


def weights_from(found: WordInContext) -> list[float]:
    """Give the weights of the chosen head, from *bank* to every token."""
    weights: list[float] = found.weights[LAYER, HEAD].tolist()
    return weights
