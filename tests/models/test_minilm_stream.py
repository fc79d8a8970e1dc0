"""A word's row taken apart is the row, and a sub-layer that is switched off adds nothing to it."""

import pytest
import torch

from tests.needs import missing
from tutor.models.minilm import INSTALL, MiniLM, is_installed, load_minilm
from tutor.models.minilm_stream import (
    SUB_LAYERS,
    end_without,
    neuron_values,
    parts_of_the_end,
    stream_of,
)

SENTENCES = ("He sat on the bank", "The bank of the lake was lined with old trees")  # unequal


@pytest.fixture
def minilm() -> MiniLM:
    """The pretrained model."""
    if not is_installed():
        missing("MiniLM", INSTALL)
    return load_minilm()


def test_the_parts_add_up_to_what_the_model_makes_of_the_word(minilm):
    stream = stream_of(minilm, SENTENCES, "bank")
    parts = parts_of_the_end(minilm, stream)
    assert parts.shape == (SUB_LAYERS + 1, 2, 384)
    for number, (sentence, place) in enumerate(zip(SENTENCES, (5, 2), strict=True)):
        alone = minilm.hidden_states(sentence)[-1, place]  # the whole model, no batch, no padding
        torch.testing.assert_close(stream.end[number], alone, rtol=0, atol=1e-5)
        torch.testing.assert_close(parts[:, number].sum(0), alone, rtol=0, atol=1e-5)


def test_what_adds_its_own_changes_nothing_and_what_adds_nothing_does(minilm):
    stream = stream_of(minilm, SENTENCES[:1], "bank")
    for off in (0, 5, SUB_LAYERS - 1):
        own = end_without(minilm, stream, off, stream.added[off, 0])
        torch.testing.assert_close(own, stream.end, rtol=0, atol=1e-5)
        assert (end_without(minilm, stream, off) - stream.end).norm() > 0.3


def test_neurons_give_what_the_second_matrix_reads(minilm):
    ids = minilm.tokenizer.encode(SENTENCES[0]).ids
    hidden = neuron_values(minilm, [ids])[0]  # of layer 0: (1, T, d_ff)
    layer = minilm.model.encoder.layers[0].feed_forward
    stream = stream_of(minilm, SENTENCES[:1], "bank")
    with torch.no_grad():
        torch.testing.assert_close(layer.W_2(hidden)[:, 5], stream.added[1], rtol=0, atol=1e-5)
