"""Words and their ids: what a model may say, one number for each."""

from collections.abc import Iterable, Sequence

PAD, UNK, BOS, EOS = 0, 1, 2, 3
SPECIAL = ("<pad>", "<unk>", "<bos>", "<eos>")


class Vocabulary:
    """Every token a model knows, each with its id; the four special ones come first.

    Example:
        >>> words = Vocabulary.of([["in", "3", "days"], ["in", "5", "years"]])
        >>> words.encode(["in", "3", "centuries"])
        [7, 4, 1]
        >>> words.decode([7, 4, 1, 3, 0])
        ['in', '3', '<unk>']
    """

    def __init__(self, tokens: Sequence[str]) -> None:
        self.tokens = list(tokens)
        self.ids = {token: number for number, token in enumerate(self.tokens)}
        if tuple(self.tokens[:4]) != SPECIAL or len(self.ids) != len(self.tokens):
            raise ValueError(
                f"a vocabulary starts with {SPECIAL} and holds each token once; "
                f"it starts with {tuple(self.tokens[:4])}, {len(self.tokens)} tokens, "
                f"{len(self.ids)} different"
            )

    @classmethod
    def of(cls, sentences: Iterable[Sequence[str]]) -> "Vocabulary":
        """Collect the tokens of some sentences, in the order of the alphabet."""
        found = {token for sentence in sentences for token in sentence}
        return cls([*SPECIAL, *sorted(found)])

    def __len__(self) -> int:
        return len(self.tokens)

    def encode(self, sentence: Sequence[str]) -> list[int]:
        """Give the id of each token; one never seen is ``<unk>``."""
        return [self.ids.get(token, UNK) for token in sentence]

    def decode(self, ids: Iterable[int]) -> list[str]:
        """Give the tokens back, up to ``<eos>`` and without padding and ``<bos>``."""
        tokens = []
        for number in ids:
            if number == EOS:
                break
            if number not in (PAD, BOS):
                tokens.append(self.tokens[number])
        return tokens
