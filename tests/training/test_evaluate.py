"""Scores against sacrebleu, known distances and counts by hand; translations in the order asked."""

import random
import sys

import pytest
import torch
import torch.nn.functional as F
from sacrebleu import corpus_bleu

from tutor.data.pairs import Pair, make_task
from tutor.training.evaluate import (
    Translation,
    bleu,
    edit_distance,
    error_rate,
    exact_by_length,
    exact_match,
    translate_pairs,
)


def translation(target: str, written: str, kind: str = "date") -> Translation:
    return Translation(Pair(kind, ("source",), tuple(target.split())), tuple(written.split()))


class Counter:
    """A cache that knows only how many words were written."""

    length = 0

    def reorder(self, rows):
        pass


class Copier:
    """A made-up model that writes its source, word for word, and once too much of the word 5."""

    def encode(self, source, keep=None):
        return F.one_hot(source, 30).float()

    def decode(self, target, memory=None, keep=None, memory_keep=None, cache=None):
        start = cache.length
        cache.length += target.size(1)
        return memory[:, start : cache.length]

    def logits(self, states):
        return states

    def new_cache(self):
        return Counter()


def test_translations_come_in_the_order_asked_and_end_at_eos():
    words = [("c", "a", "b"), ("a",), ("b", "c"), ("a", "b", "c", "a")]
    pairs = [Pair("word", w, w) for w in words]
    task = make_task("copy", {"train": pairs, "dev": [], "test": pairs}, str.split, " ".join)
    given = translate_pairs(Copier(), task, pairs)
    assert [one.written for one in given] == words
    assert [one.pair for one in given] == pairs
    assert exact_match(given) == 1.0


def test_exact_match_counts_whole_sentences():
    given = [
        translation("a b", "a b"),
        translation("a b", "a"),
        translation("a b", "b a"),
        translation("a", "a b"),
    ]
    assert exact_match(given) == 0.25


def test_exact_by_length_looks_at_lists_alone():
    given = [
        translation("a b", "a b", "list2"),
        translation("a b", "a", "list2"),
        translation("a b c", "a b c", "list3"),
        translation("a", "b", "date"),
    ]
    assert exact_by_length(given) == {"2": 0.5, "3": 1.0}


def slow_distance(one, other):
    """The definition, without a table."""
    if not one or not other:
        return len(one) + len(other)
    return min(
        slow_distance(one[1:], other) + 1,
        slow_distance(one, other[1:]) + 1,
        slow_distance(one[1:], other[1:]) + (one[0] != other[0]),
    )


def test_edit_distance_is_its_definition():
    rng = random.Random(0)
    for _ in range(60):
        one, other = ("".join(rng.choices("ab", k=rng.randrange(6))) for _ in range(2))
        assert edit_distance(one, other) == slow_distance(one, other)


def test_error_rate_is_over_all_tokens_not_over_words():
    given = [translation("K AE T", "K AE T"), translation("L", "L IY D")]
    assert error_rate(given) == pytest.approx(2 / 4)


def test_bleu_is_sacrebleus():
    given = [
        translation("le 3 mai 2024 et le 4", "le 3 mai 2024 ou le 4"),
        translation("dans 5 jours ou 6", "dans 5 jours ou 6"),
    ]
    written = [" ".join(one.written) for one in given]
    targets = [" ".join(one.pair.target) for one in given]
    expected = corpus_bleu(written, [targets], tokenize="none").score
    assert bleu(given) == pytest.approx(expected, abs=1e-4)
    assert 50 < expected < 100


def test_bleu_is_left_out_without_sacrebleu(monkeypatch):
    monkeypatch.setitem(sys.modules, "sacrebleu.metrics.bleu", None)
    assert bleu([translation("a", "a")]) is None


def test_padding_and_unfinished_sentences_are_answers_too():
    pairs = [Pair("word", ("a", "b"), ("a",))]
    task = make_task("cut", {"train": pairs, "dev": [], "test": pairs}, str.split, " ".join)
    assert task.tokens([4, 0, 4, 3, 4]) == ("a", "a")
    assert torch.equal(torch.tensor(task.encode(pairs)[0].target), torch.tensor([2, 4, 3]))
