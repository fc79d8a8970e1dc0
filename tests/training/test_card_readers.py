"""The café's networks: each memory is what it says."""

import pytest
import torch
import torch.nn.functional as F

from tutor.data.cards import DRINKS, NOTHING, commonest, deal
from tutor.training.card_readers import MEMORIES, CardReader, MatrixState


def hands(count: int, cards: int) -> tuple[torch.Tensor, torch.Tensor]:
    return deal(count, cards, torch.Generator().manual_seed(1))


def test_a_hand_asks_for_every_guest_once_and_answers_with_the_card():
    steps, answers = hands(20, 7)
    told, asked = steps[:, :7], steps[:, 7:]
    for cards, questions, drinks in zip(told.tolist(), asked.tolist(), answers.tolist()):
        ordered = dict(cards)
        assert len(ordered) == 7
        assert [ordered[guest] for guest, _ in questions] == drinks
        assert {drink for _, drink in questions} == {NOTHING}
        assert all(drink < DRINKS for drink in drinks)


def test_more_cards_than_guests_are_refused():
    with pytest.raises(ValueError, match="cards=33"):
        hands(1, 33)


def test_the_commonest_drink_is_counted():
    assert commonest(torch.tensor([[1, 1, 2, 3], [0, 1, 2, 3]])) == (2 / 4 + 1 / 4) / 2


def test_the_matrix_state_is_a_recurrence():
    """Written as in the lesson: S ← S + k vᵀ, then the query reads S."""
    memory, x = MatrixState(8).double(), torch.randn(2, 5, 8, dtype=torch.float64)
    q, k = (F.normalize(W(x), dim=-1) for W in (memory.W_q, memory.W_k))
    v, state, read = memory.W_v(x), torch.zeros(2, 8, 8, dtype=torch.float64), []
    for t in range(5):
        state = state + k[:, t, :, None] * v[:, t, None, :]  # (B, D, D)
        read.append((q[:, t, None] @ state)[:, 0])
    torch.testing.assert_close(memory(x), memory.W_o(torch.stack(read, 1)))


@pytest.mark.parametrize("memory", MEMORIES)
def test_no_memory_sees_later_steps(memory: str):
    reader = CardReader(memory, width=8).double()
    steps, _ = hands(2, 6)
    changed = steps.clone()
    changed[:, -1, 0] = (changed[:, -1, 0] + 1) % 32
    before, after = reader(steps), reader(changed)
    torch.testing.assert_close(before[:, :-1], after[:, :-1])
    assert not torch.allclose(before[:, -1], after[:, -1])
