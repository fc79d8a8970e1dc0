"""The chains of lesson 8: hands lead where they say, and the shipped reader answers as stored."""

import pytest
import torch

from tutor.claims.runs import load_sweep
from tutor.data.chains import LETTERS, TWO_STEPS, deal
from tutor.data.files import load_results
from tutor.explorers.lesson08_full_transformer.chains_tried import commonest_end
from tutor.explorers.lesson08_full_transformer.follow_the_chain import ask
from tutor.training.chain_readers import READERS, ChainReader, load_chain_reader, looks_of


def test_answers_are_found_by_following_the_cards():
    steps, answers, two_steps = deal(30, 5, torch.Generator().manual_seed(2))
    for cards, questions, right in zip(steps[:, :10].tolist(), steps[:, 10:].tolist(), answers):
        leads = dict(cards)
        assert len(leads) == 10
        for (letter, asking), answer in zip(questions, right.tolist(), strict=True):
            once = leads[letter]
            assert answer == (leads[once] if asking == TWO_STEPS else once)
    assert two_steps.sum(1).tolist() == [5] * 30


def test_more_chains_than_letters_are_refused():
    with pytest.raises(ValueError, match=f"chains={LETTERS + 1}"):
        deal(1, LETTERS + 1, torch.Generator())


@pytest.mark.parametrize("kind", READERS)
def test_no_reader_sees_later_steps(kind: str):
    reader = ChainReader(kind, width=8).double()
    steps = deal(2, 4, torch.Generator().manual_seed(3)).steps
    changed = steps.clone()
    changed[:, -1, 0] = (changed[:, -1, 0] + 1) % LETTERS
    before, after = reader(steps), reader(changed)
    torch.testing.assert_close(before[:, :-1], after[:, :-1])
    assert not torch.allclose(before[:, -1], after[:, -1])


def test_the_shipped_reader_answers_as_stored():
    stored = load_results("chain_reader")["values"]["right"]
    hand, reader = deal(512, 4, torch.Generator().manual_seed(1000)), load_chain_reader()
    for off, shares in enumerate(stored.values()):
        with torch.inference_mode():
            hits = (reader(hand.steps, off).argmax(-1) == hand.answers).double()
        assert hits[hand.two_steps].mean().item() == pytest.approx(shares["two steps"], abs=0.01)
        assert hits[~hand.two_steps].mean().item() == pytest.approx(shares["one step"], abs=0.01)


def test_layer_1_looks_at_the_asked_card_and_layer_2_at_the_one_it_leads_to():
    steps, _, two_steps = deal(64, 4, torch.Generator().manual_seed(5))
    keys, values, asked = steps[:, :8, 0], steps[:, :8, 1], steps[:, 8:, 0]
    first = (keys[:, None] == asked[..., None]).int().argmax(-1)
    second = (keys[:, None] == values.gather(1, first)[..., None]).int().argmax(-1)
    for weights, card in zip(looks_of(load_chain_reader(), steps), (first, second)):
        on_it = weights.gather(-1, card[..., None])[..., 0][two_steps]
        assert on_it.mean() > 0.8


def test_a_layer_that_is_off_looks_nowhere_and_one_step_outlives_layer_2():
    found = ask(hand=1, question=1, steps=1, off=2)
    assert found.best[1] == -1
    assert found.answer == found.right
    assert ask(hand=1, question=1, steps=2, off=2).answer != found.right


def test_the_commonest_end_is_worth_what_readers_with_one_look_up_reach():
    shares = load_sweep("chains").runs.at(reader="1 layer").numbers("two steps")
    assert commonest_end() == pytest.approx(sum(shares) / len(shares), abs=0.01)
