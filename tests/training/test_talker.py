"""The smallest translator: what it learned, and writing from memories that change."""

import pytest
import torch

from tutor.data.talk import talk_pairs, talk_task
from tutor.decode import translate
from tutor.embedding import BOS, EOS
from tutor.training.talker import talker, train_talker, write


@pytest.mark.long
def test_it_has_learned_its_sentences_and_the_one_left_out():
    model, task = talker()
    sources = [" ".join(pair.source) for pair in talk_pairs()]
    ids = translate(model, task.read(*sources), task.target_words, max_length=8)
    assert [task.tokens(one) for one in ids] == [pair.target for pair in talk_pairs()]


def test_writing_from_one_memory_is_translating():
    model, task = talker()
    for text in ("they see us", "you hear you", "her love I"):
        source = task.read(text)
        (ids,) = translate(model, source, task.target_words, max_length=8)
        assert write(model, task, [model.encode(source)]) == task.target_words.decode(ids)


def test_writing_ends_after_eight_words_if_nothing_ends_it():
    model = train_talker(talk_task(), steps=3)
    words = write(model, talk_task(), [torch.zeros(1, 4, 32, dtype=torch.float64)])
    assert len(words) == 8 or words[-1] == EOS


def test_a_sentence_that_is_not_among_them_cannot_be_left_out():
    with pytest.raises(ValueError, match="I love dogs"):
        talk_task(left_out=["I love dogs"])


def test_gradients_flow_also_where_it_was_first_asked_for_without():
    talker.cache_clear()
    with torch.inference_mode():
        talker()
    model, task = talker()
    memory = model.encode(task.read("I love her"))
    scores = model.logits(
        model.decode(torch.tensor([[task.target_words.encode([BOS])[0]]]), memory)
    )
    (slope,) = torch.autograd.grad(scores.logsumexp(-1).sum(), [next(model.parameters())])
    assert slope.abs().sum() > 0
