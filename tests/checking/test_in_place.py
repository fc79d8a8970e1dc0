"""Writing into an argument: told as what it is, whatever the argument and however it is kept."""

import pytest
import torch

from tutor.checking.calls import FunctionAnswer
from tutor.checking.examine import examine
from tutor.exercises import find


def rnn(x, h0, W_ih, W_hh, b_ih, b_hh):
    outputs = []
    for x_t in x.unbind(1):
        h0[:] = torch.tanh(x_t @ W_ih.T + b_ih + h0 @ W_hh.T + b_hh)
        outputs.append(h0.clone())
    return torch.stack(outputs, 1), h0.clone()


def lstm(x, h, c, W_ih, W_hh, b):
    i, f, g, o = (x @ W_ih.T + h @ W_hh.T + b).chunk(4, -1)
    c *= f.sigmoid()
    c += i.sigmoid() * g.tanh()
    return o.sigmoid() * c.tanh(), c


def gru(x, h, W_ih, W_hh, b_ih, b_hh):
    r, z, n = (x @ W_ih.T + b_ih).chunk(3, -1)
    hr, hz, hn = (h @ W_hh.T + b_hh).chunk(3, -1)
    r, z = (r + hr).sigmoid(), (z + hz).sigmoid()
    n = (n + r * hn).tanh()
    h *= z
    h += (1 - z) * n
    return h


def centred_in_place(x, gamma, beta, eps):
    x -= x.mean(-1, keepdim=True)
    return x / (x.square().mean(-1, keepdim=True) + eps).sqrt() * gamma + beta


@pytest.mark.parametrize(
    ("name", "answer", "argument"),
    [
        ("rnn_forward", rnn, "h0"),
        ("lstm_step", lstm, "c"),
        ("gru_step", gru, "h"),
        ("layer_norm", centred_in_place, "x"),
    ],
)
def test_an_argument_with_a_batch_axis_is_written_into_as_a_plain_tensor_is(name, answer, argument):
    exercise = find(name)
    verdict = examine(exercise, FunctionAnswer(answer))
    assert verdict.headline == f"It changes its argument {argument} in place.", verdict
    assert verdict.points == exercise.points / 2
    assert verdict.details[0].endswith("Which line writes into that tensor?")
    assert not verdict.notes


def with_ends(sentences, max_length, bos_id, eos_id, pad_id):
    for sentence in sentences:
        del sentence[max_length - 2 :]
        sentence.insert(0, bos_id)
        sentence.append(eos_id)
    longest = max(map(len, sentences))
    return torch.tensor([row + [pad_id] * (longest - len(row)) for row in sentences])


def test_a_list_is_called_a_list():
    verdict = examine(find("encode_batch"), FunctionAnswer(with_ends))
    assert verdict.headline == "It changes its argument sentences in place."
    assert verdict.details[0].endswith("Which line writes into that list?")


def scaled_in_place(gradients, max_norm):
    norm = torch.stack([g.norm() for g in gradients]).norm()
    for g in gradients:
        g *= min(1.0, max_norm / norm) if norm else 1.0
    return gradients


def test_a_list_of_tensors_may_have_been_written_into_at_two_depths():
    verdict = examine(find("clip_gradients"), FunctionAnswer(scaled_in_place))
    assert verdict.headline == "It changes its argument gradients in place."
    assert verdict.details[0].endswith("that list or its tensors?")
    assert verdict.points == find("clip_gradients").points / 2
