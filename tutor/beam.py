"""Beam search: follow the few best beginnings side by side, because the best word may mislead.

`beam_steps` is the search itself, one step at a time; the other functions read its steps.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import torch
from jaxtyping import Float, Int
from torch import Tensor

from tutor.embedding import Vocabulary
from tutor.language_model import EncoderDecoder, StepFunction, TrigramStep, read_source
from tutor.say import say


@dataclass(frozen=True)
class Hypothesis:
    """A sentence a beam considers.

    Attributes:
        ids: its words after bos.
        total: the sum of their log-probabilities.
        parent: which of the rows asked in this step it extends.
    """

    ids: tuple[int, ...]
    total: float
    parent: int = 0

    def score(self, alpha: float) -> float:
        """Sum over length to the power alpha: 0 compares sums, 1 means; eos counts, bos does not.

        Example:
            >>> Hypothesis((4, 2, 1), total=-3.0).score(alpha=1.0)
            -1.0
        """
        return self.total / len(self.ids) ** alpha


def beam_steps(
    step: StepFunction,
    prefixes: Int[Tensor, "sentences length"],
    width: int,
    max_length: int,
    eos_id: int,
) -> Iterator[list[list[Hypothesis]]]:
    """Search all sentences side by side; yield, step by step, what each sentence's beam kept.

    A step extends every unfinished hypothesis by every word and keeps the best `width` by their
    sums. Those that end in eos are finished: they leave, and their sentence's beam is narrower by
    one from then on.

    Example:
        >>> table = torch.tensor([0.2, 0.3, 0.5]).log().expand(3, 3, 3)
        >>> for [kept] in beam_steps(TrigramStep(table), torch.tensor([[0]]), 2, 2, eos_id=1):
        ...     print([(hypothesis.ids, round(hypothesis.total, 2)) for hypothesis in kept])
        [((2,), -0.69), ((1,), -1.2)]
        [((2, 2), -1.39)]

    Raises:
        ValueError: if width or max_length is below 1.
    """
    if width < 1 or max_length < 1:
        raise ValueError(
            say(
                "width and max_length must be at least 1, got {width}, {max_length}",
                width=width,
                max_length=max_length,
            )
        )
    widths = [width] * len(prefixes)
    beams = [[Hypothesis((), 0.0)] for _ in prefixes]
    for _ in range(max_length):
        kept = _extend(beams, step(prefixes), widths)
        yield kept
        beams = [[each for each in best if each.ids[-1] != eos_id] for best in kept]
        widths = [width - (len(best) - len(beam)) for width, best, beam in zip(widths, kept, beams)]
        unfinished = [each for beam in beams for each in beam]
        if not unfinished:
            return
        rows = torch.tensor([each.parent for each in unfinished], device=prefixes.device)
        newest = torch.tensor([each.ids[-1] for each in unfinished], device=prefixes.device)
        prefixes = torch.cat([prefixes[rows], newest.unsqueeze(-1)], dim=-1)  # one word longer
        step.reorder(rows)


def _extend(
    beams: list[list[Hypothesis]], log_probs: Float[Tensor, "rows vocabulary"], widths: list[int]
) -> list[list[Hypothesis]]:
    """Extend every hypothesis (one a row, beam after beam) by every word; keep each beam's best."""
    before = torch.tensor([each.total for beam in beams for each in beam], dtype=torch.float64)
    totals = before.unsqueeze(-1) + log_probs.double().cpu()  # (rows, V)
    kept = []
    first_row = 0
    for beam, width in zip(beams, widths):
        candidates = totals[first_row : first_row + len(beam)].flatten()  # (hypotheses · V,)
        best = candidates.topk(min(width, len(candidates)))
        extended = []
        for total, index in zip(best.values.tolist(), best.indices.tolist()):
            parent, word = divmod(index, totals.size(-1))
            extended.append(Hypothesis((*beam[parent].ids, word), total, first_row + parent))
        kept.append(extended)
        first_row += len(beam)
    return kept


def beam_hypotheses(
    step: StepFunction,
    prefixes: Int[Tensor, "sentences length"],
    width: int,
    max_length: int,
    alpha: float,
    eos_id: int,
) -> list[list[Hypothesis]]:
    """Search with a beam; give each sentence's finished hypotheses, best score first.

    What has no eos after max_length words is not a sentence and is left out, so a list may be
    empty. Arguments as in `beam_steps`; alpha as in `Hypothesis.score`.

    Example:
        >>> table = torch.tensor([0.2, 0.3, 0.5]).log().expand(3, 3, 3)
        >>> found = beam_hypotheses(TrigramStep(table), torch.tensor([[0]]), 2, 3, 0.0, eos_id=1)
        >>> [hypothesis.ids for hypothesis in found[0]]
        [(1,)]

    Source: Wu et al. 2016, section 7, with length to the power alpha as the penalty.
    """
    finished: list[list[Hypothesis]] = [[] for _ in prefixes]
    for kept in beam_steps(step, prefixes, width, max_length, eos_id):
        for sentence, best in enumerate(kept):
            finished[sentence] += [each for each in best if each.ids[-1] == eos_id]
    return [sorted(some, key=lambda each: -each.score(alpha)) for some in finished]


@torch.no_grad()
def translate_beam(
    model: EncoderDecoder,
    source: Int[Tensor, "batch source"],
    vocabulary: Vocabulary,
    max_length: int,
    width: int = 4,
    alpha: float = 0.6,
    use_cache: bool = True,
) -> list[list[Hypothesis]]:
    """Translate a batch by beam search; the hypotheses of each sentence, best first.

    Arguments as in `translate`, and `width` and `alpha` as in `beam_hypotheses`.

    Example:
        >>> from tutor.transformer import Transformer, TransformerConfig
        >>> model = Transformer(TransformerConfig.tiny(vocabulary=9)).eval()
        >>> words = Vocabulary(["a", "b", "c", "d", "e"])
        >>> found = translate_beam(model, torch.tensor([[4, 5, 3], [6, 3, 0]]), words, max_length=4)
        >>> [len(hypotheses) <= 4 for hypotheses in found]
        [True, True]

    Raises:
        ValueError: if the model is in training mode, or width or max_length below 1.

    Source: "Attention Is All You Need", section 6.1: a width of 4 and α = 0.6.
    """
    step = read_source(model, source, vocabulary.pad_id, use_cache)
    start = source.new_full((len(source), 1), vocabulary.bos_id)  # (B, 1): bos alone
    return beam_hypotheses(step, start, width, max_length, alpha, vocabulary.eos_id)


def beam_search(
    log_probs: Float[Tensor, "before last vocabulary"], width: int, max_length: int, alpha: float
) -> dict[str, list]:
    """Keep the `width` best beginnings at each step of a toy language model.

    Args:
        log_probs: of each next word, given the last two; bos is 0, eos is 1.
        width: how many beginnings are kept; each one that finishes leaves a narrower beam.
        max_length: the most words, eos counted, bos not.
        alpha: scores are sums over length to this power.

    Returns:
        "scores" of all finished sentences, best first, and "best", the ids of the first, without
        bos, with eos. Both are empty if none finished.

    Example:
        >>> table = torch.tensor([0.2, 0.3, 0.5]).log().expand(3, 3, 3)
        >>> found = beam_search(table, width=2, max_length=3, alpha=0.0)
        >>> found["best"], [round(score, 2) for score in found["scores"]]
        ([1], [-1.2])

    Raises:
        ValueError: if log_probs is not (V, V, V), or width or max_length below 1.
    """
    step = TrigramStep(log_probs)
    [found] = beam_hypotheses(step, step.start(), width, max_length, alpha, step.eos_id)
    best = list(found[0].ids) if found else []
    return {"best": best, "scores": [hypothesis.score(alpha) for hypothesis in found]}
