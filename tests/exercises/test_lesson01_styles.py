"""Right answers to lesson 1's exercises in the styles people write them: all must pass."""

import math

import pytest
import torch
import torch.nn.functional as F
from torch import einsum, nn

from tests.exercises.passing import passing
from tutor.checking.calls import FunctionAnswer, ValueAnswer
from tutor.checking.examine import examine, key
from tutor.exercises import find


def rnn_plain(x, h0, W_ih, W_hh, b_ih, b_hh):
    h, outputs = h0, []
    for t in range(x.shape[1]):
        h = torch.tanh(x[:, t] @ W_ih.T + b_ih + h @ W_hh.T + b_hh)
        outputs.append(h)
    return torch.stack(outputs, dim=1), h


def rnn_linear(x, h, *weights):
    w_in, w_state, b_in, b_state = weights
    out = []
    for word in x.transpose(0, 1):
        h = (F.linear(word, w_in, b_in) + F.linear(h, w_state, b_state)).tanh()
        out += [h]
    return [torch.stack(out).transpose(0, 1), h]


def rnn_filled_in(x, h0, W_ih, W_hh, b_ih, b_hh):
    B, T, _ = x.shape
    outputs = torch.zeros(B, T, len(W_hh))
    state = h0.clone()
    for t in range(T):
        state = einsum("bi,hi->bh", x[:, t], W_ih) + einsum("bj,hj->bh", state, W_hh)
        state = torch.tanh(state + (b_ih + b_hh))
        outputs[:, t] = state
    return outputs, state


def rnn_one_matrix(x, h0, W_ih, W_hh, b_ih, b_hh):
    W, h, outputs = torch.cat([W_hh, W_ih], dim=1), h0, []
    for t in range(x.size(1)):
        h = torch.tanh(torch.cat([h, x[:, t]], dim=1) @ W.T + b_ih + b_hh)
        outputs.append(h[:, None])
    return torch.cat(outputs, 1), outputs[-1].squeeze(1)


def rnn_columns(x, h0, W_ih, W_hh, b_ih, b_hh):
    states = []
    for sentence, h in zip(x, h0):
        mine = []
        for word in sentence:
            h = torch.tanh(W_ih @ word + b_ih + W_hh @ h + b_hh)
            mine.append(h)
        states.append(torch.stack(mine))
    outputs = torch.stack(states)
    return outputs, outputs[:, -1]


def rnn_torch(x, h0, W_ih, W_hh, b_ih, b_hh):
    layer = nn.RNN(W_ih.size(1), W_ih.size(0), batch_first=True)
    layer.weight_ih_l0.data, layer.weight_hh_l0.data = W_ih, W_hh
    layer.bias_ih_l0.data, layer.bias_hh_l0.data = b_ih, b_hh
    outputs, h_n = layer(x, h0[None])
    return outputs, h_n[0]


def rnn_projected_first(x, h0, W_ih, W_hh, b_ih, b_hh):
    projected, h, outputs = (x @ W_ih.mT).add_(b_ih + b_hh), h0, []
    for step in projected.unbind(1):
        h = torch.addmm(step, h, W_hh.T).tanh()
        outputs.append(h)
    return torch.stack(outputs, 1), h


def table_plain(keys, values, questions):
    table = torch.zeros(keys.shape[1], values.shape[1])
    for k, v in zip(keys, values):
        table = table - torch.outer(k, k @ table) + torch.outer(k, v)
    return questions @ table


def table_turned(keys, values, questions):
    table = torch.zeros(values.size(1), keys.size(1))  # (V, D): the other way round
    for n in range(len(keys)):
        wrong_by = values[n] - table @ keys[n]
        table += wrong_by[:, None] * keys[n]
    return (table @ questions.T).T


def table_einsum(keys, values, questions):
    table = torch.zeros(keys.size(1), values.size(1), dtype=torch.float64)
    for k, v in zip(keys.double(), values.double()):
        change = v - torch.einsum("d,dv->v", k, table)
        table = table + torch.einsum("d,v->dv", k, change)
    return torch.einsum("qd,dv->qv", questions.double(), table)


def table_of_differences(keys, values, questions):
    """No table: each card's correction is kept, and read by its key."""
    corrections = []
    for n, value in enumerate(values):
        held = [(keys[n] @ keys[m]) * corrections[m] for m in range(n)]
        corrections.append(value - sum(held))
    return (questions @ keys.T) @ torch.stack(corrections)


def look_up_plain(questions, keys, values):
    return torch.softmax(questions @ keys.T, dim=-1) @ values


def look_up_loop(questions, keys, values):
    answers = []
    for question in questions:
        scores = torch.stack([torch.dot(question, card) for card in keys])
        shares = F.softmax(scores, 0)
        answers.append(sum(share * value for share, value in zip(shares, values)))
    return torch.stack(answers)


def look_up_einsum(questions, keys, values):
    scores = einsum("qd,nd->qn", questions, keys)
    shares = (scores - scores.amax(1, keepdim=True)).exp()
    shares /= shares.sum(1, keepdim=True)
    return einsum("qn,nv->qv", shares, values)


def look_up_logsumexp(questions, keys, values):
    scores = (keys @ questions.mT).mT
    return (scores - scores.logsumexp(-1, keepdim=True)).exp().matmul(values)


def look_up_fused(questions, keys, values):
    one = questions[None], keys[None], values[None]
    return F.scaled_dot_product_attention(*one, scale=1.0)[0]


def look_up_double(questions, keys, values):
    return look_up_plain(questions.double(), keys.double(), values.double())


def rnn_double(*given):
    return rnn_plain(*(each.double() for each in given))


def lstm_plain(x, h, c, W_ih, W_hh, b):
    i, f, g, o = (x @ W_ih.T + h @ W_hh.T + b).chunk(4, dim=1)
    c = f.sigmoid() * c + i.sigmoid() * g.tanh()
    return o.sigmoid() * c.tanh(), c


def lstm_slices(x, h, c, W_ih, W_hh, b):
    H = h.shape[1]
    z = F.linear(x, W_ih) + F.linear(h, W_hh, b)
    i, f = torch.sigmoid(z[:, :H]), torch.sigmoid(z[:, H : 2 * H])
    g, o = torch.tanh(z[:, 2 * H : 3 * H]), torch.sigmoid(z[:, 3 * H :])
    new = torch.add(f * c, i * g)
    return [o * torch.tanh(new), new]


def lstm_by_blocks(x, h, c, W_ih, W_hh, b):
    H = c.size(-1)
    gates = [
        x @ W_ih[k * H : (k + 1) * H].T + h @ W_hh[k * H : (k + 1) * H].T + b[k * H : (k + 1) * H]
        for k in range(4)
    ]
    cell = torch.sigmoid(gates[1]) * c + torch.sigmoid(gates[0]) * torch.tanh(gates[2])
    return torch.sigmoid(gates[3]) * torch.tanh(cell), cell


def lstm_torch(x, h, c, W_ih, W_hh, b):
    cell = nn.LSTMCell(x.size(1), h.size(1))
    cell.weight_ih.data, cell.weight_hh.data = W_ih, W_hh
    cell.bias_ih.data, cell.bias_hh.data = b, torch.zeros_like(b)
    return cell(x, (h, c))


def lstm_exponentials(x, h, c, W_ih, W_hh, b):
    def sigmoid(z):
        return 1 / (1 + torch.exp(-z))

    def tanh(z):
        return 2 * sigmoid(2 * z) - 1

    i, f, g, o = torch.split(x @ W_ih.T + h @ W_hh.T + b, h.size(1), dim=1)
    c = sigmoid(f) * c + sigmoid(i) * tanh(g)
    return sigmoid(o) * tanh(c), c


def lstm_in_place_on_copies(x, h, c, W_ih, W_hh, b):
    z = torch.cat([x, h], 1) @ torch.cat([W_ih, W_hh], 1).T
    z += b
    i, f, g, o = z.view(len(x), 4, -1).unbind(1)
    c = c.clone()
    c *= torch.sigmoid_(f)
    c += torch.sigmoid_(i) * torch.tanh_(g)
    return torch.sigmoid_(o) * c.tanh(), c


def lstm_double(*given):
    return lstm_plain(*(each.double() for each in given))


def gru_plain(x, h, W_ih, W_hh, b_ih, b_hh):
    r_x, z_x, n_x = (x @ W_ih.T + b_ih).chunk(3, 1)
    r_h, z_h, n_h = (h @ W_hh.T + b_hh).chunk(3, 1)
    r, z = torch.sigmoid(r_x + r_h), torch.sigmoid(z_x + z_h)
    return (1 - z) * torch.tanh(n_x + r * n_h) + z * h


def gru_towards_the_old(x, h, W_ih, W_hh, b_ih, b_hh):
    H = h.size(-1)
    from_x, from_h = F.linear(x, W_ih, b_ih), F.linear(h, W_hh, b_hh)
    gates = torch.sigmoid(from_x[:, : 2 * H] + from_h[:, : 2 * H])
    r, z = gates[:, :H], gates[:, H:]
    n = torch.tanh(from_x[:, 2 * H :] + r * from_h[:, 2 * H :])
    return n + z * (h - n)


def gru_lerp(*given):
    x, h, W_ih, W_hh, b_ih, b_hh = given
    W_ir, W_iz, W_in = W_ih.chunk(3)
    W_hr, W_hz, W_hn = W_hh.chunk(3)
    b_ir, b_iz, b_in = b_ih.chunk(3)
    b_hr, b_hz, b_hn = b_hh.chunk(3)
    r = (x @ W_ir.T + b_ir + h @ W_hr.T + b_hr).sigmoid()
    z = (x @ W_iz.T + b_iz + h @ W_hz.T + b_hz).sigmoid()
    n = (x @ W_in.T + b_in + r * (h @ W_hn.T + b_hn)).tanh()
    return torch.lerp(n, h, z)


def gru_torch(x, h, W_ih, W_hh, b_ih, b_hh):
    cell = nn.GRUCell(x.size(1), h.size(1))
    cell.weight_ih.data, cell.weight_hh.data = W_ih, W_hh
    cell.bias_ih.data, cell.bias_hh.data = b_ih, b_hh
    return cell(x, h)


def gru_einsum(x, h, W_ih, W_hh, b_ih, b_hh):
    from_x = einsum("bi,ghi->gbh", x, W_ih.view(3, -1, x.size(1))) + b_ih.view(3, 1, -1)
    from_h = einsum("bj,ghj->gbh", h, W_hh.view(3, -1, h.size(1))) + b_hh.view(3, 1, -1)
    r, z = torch.sigmoid(from_x[:2] + from_h[:2])
    return (1 - z) * torch.tanh(from_x[2] + r * from_h[2]) + z * h


def gru_loops(x, h, W_ih, W_hh, b_ih, b_hh):
    H, rows = h.size(1), []
    for word, old in zip(x, h):
        a, b, new = W_ih @ word + b_ih, W_hh @ old + b_hh, []
        for j in range(H):
            r, z = torch.sigmoid(a[j] + b[j]), torch.sigmoid(a[H + j] + b[H + j])
            n = math.tanh(a[2 * H + j] + r * b[2 * H + j])
            new.append((1 - z) * n + z * old[j])
        rows.append(torch.stack(new))
    return torch.stack(rows)


def gru_double(*given):
    return gru_plain(*(each.double() for each in given))


def last_indexed(outputs, lengths):
    return outputs[torch.arange(outputs.size(0)), lengths - 1]


def last_loop(outputs, lengths):
    return torch.stack([row[n - 1] for row, n in zip(outputs, lengths)])


def last_gathered(outputs, lengths):
    index = (lengths - 1).view(-1, 1, 1).expand(-1, 1, outputs.size(2))
    return outputs.gather(1, index).squeeze(1)


def last_masked(outputs, lengths):
    steps = torch.arange(outputs.size(1))
    return outputs[steps == lengths[:, None] - 1]


def last_one_hot(outputs, lengths):
    return einsum("bt,bth->bh", F.one_hot(lengths - 1, outputs.size(1)).float(), outputs)


def last_filled_in(outputs, lengths):
    result = torch.empty(outputs.shape[0], outputs.shape[2])
    for b in range(len(lengths)):
        result[b] = outputs[b, : int(lengths[b])][-1]
    return result


def last_taken_along(outputs, lengths):
    return torch.take_along_dim(outputs, (lengths - 1)[:, None, None], dim=1)[:, 0]


def clip_plain(gradients, max_norm):
    norm = math.sqrt(sum((g**2).sum().item() for g in gradients))
    factor = min(1.0, max_norm / norm) if norm > 0 else 1.0
    return [g * factor for g in gradients]


def clip_concatenated(gradients, max_norm):
    norm = torch.cat([g.flatten() for g in gradients]).norm()
    return [g * max_norm / norm for g in gradients] if norm > max_norm else list(gradients)


def clip_norm_of_norms(gradients, max_norm):
    total = torch.stack([g.norm() for g in gradients]).norm()
    return [g * torch.clamp(max_norm / total, max=1) for g in gradients]


def clip_larger_of_the_two(gradients, max_norm):
    total = sum((g * g).sum() for g in gradients) ** 0.5
    return tuple(g * max_norm / max(max_norm, total) for g in gradients)


def clip_linalg(gradients, max_norm):
    total = torch.linalg.vector_norm(torch.cat([g.reshape(-1) for g in gradients]))
    return [g.clone().mul_(max_norm / total) if total > max_norm else g for g in gradients]


def clip_double(gradients, max_norm):
    return clip_plain([g.double() for g in gradients], max_norm)


def clip_torch_foreach(gradients, max_norm):
    total = nn.utils.get_total_norm(gradients)
    return [g / torch.clamp(total / max_norm, min=1.0) for g in gradients]


def jacobian_plain(hidden_states, W_hh):
    J, norms = torch.eye(len(W_hh)), [torch.tensor(1.0)]
    for h in reversed(hidden_states[1:]):
        J = J @ torch.diag(1 - h**2) @ W_hh
        norms.append(torch.linalg.matrix_norm(J, 2))
    return torch.stack(norms[::-1])


def jacobian_per_entry(states, W):
    T, norms = len(states), []
    for t in range(T):
        J = torch.eye(W.size(0))
        for s in range(t + 1, T):
            J = ((1 - states[s] ** 2)[:, None] * W) @ J
        norms.append(torch.linalg.svdvals(J)[0])
    return torch.tensor(norms)


def jacobian_gradients(states, W):
    """Let autograd make each factor, at states that give the slopes asked."""
    norms, J = [1.0], torch.eye(len(W))
    for h in states[1:].flip(0):
        step = torch.func.jacrev(lambda old, h=h: torch.tanh(h.atanh() + W @ old))(0 * h)
        J = J @ step
        norms.insert(0, torch.linalg.norm(J, ord=2).item())
    return norms


def jacobian_transposed(states, W):
    J, norms = torch.eye(len(W)), []
    for h in states.flip(0):
        norms.append(torch.linalg.svdvals(J).max())
        J = W.T @ ((1 - h * h)[:, None] * J)
    return torch.stack(norms).flip(0)


def jacobian_eigenvalues(states, W):
    result = torch.ones(len(states))
    J = torch.eye(len(W))
    for t in range(len(states) - 2, -1, -1):
        J = J @ torch.diag_embed(1 - states[t + 1].square()) @ W
        result[t] = torch.linalg.eigvalsh(J.T @ J).max().clamp(min=0).sqrt()
    return result


def jacobian_multi_dot(states, W):
    factors = [torch.einsum("i,ij->ij", 1 - h**2, W) for h in states]
    norms = []
    for t in range(len(states)):
        chain = [*reversed(factors[t + 1 :]), torch.eye(len(W))]
        product = torch.linalg.multi_dot(chain) if len(chain) > 1 else chain[0]
        norms.append(torch.linalg.cond(product).new_tensor(torch.linalg.svdvals(product)[0]))
    return torch.stack(norms)


def jacobian_double(states, W):
    J, norms = torch.eye(len(W), dtype=torch.float64), [1.0]
    for h in states.double().flip(0)[:-1]:
        J = J @ ((1 - h**2).unsqueeze(1) * W.double())
        norms.append(float(torch.linalg.matrix_norm(J, ord=2)))
    return torch.tensor(norms[::-1], dtype=torch.float64)


STYLES = {
    "rnn_forward": [
        rnn_plain, rnn_linear, rnn_filled_in, rnn_one_matrix, rnn_columns, rnn_torch,
        rnn_projected_first, rnn_double,
    ],
    "mend_table": [table_plain, table_turned, table_einsum, table_of_differences],
    "look_up": [
        look_up_plain, look_up_loop, look_up_einsum, look_up_logsumexp, look_up_fused,
        look_up_double,
    ],
    "lstm_step": [
        lstm_plain, lstm_slices, lstm_by_blocks, lstm_torch, lstm_exponentials,
        lstm_in_place_on_copies, lstm_double,
    ],
    "gru_step": [
        gru_plain, gru_towards_the_old, gru_lerp, gru_torch, gru_einsum, gru_loops, gru_double,
    ],
    "last_real_state": [
        last_indexed, last_loop, last_gathered, last_masked, last_one_hot, last_filled_in,
        last_taken_along,
    ],
    "clip_gradients": [
        clip_plain, clip_concatenated, clip_norm_of_norms, clip_larger_of_the_two, clip_linalg,
        clip_double, clip_torch_foreach,
    ],
    "jacobian_norms": [
        jacobian_plain, jacobian_per_entry, jacobian_gradients, jacobian_transposed,
        jacobian_eigenvalues, jacobian_multi_dot, jacobian_double,
    ],
}  # fmt: skip

test_right_answer_passes = passing(STYLES)


def test_torchs_own_clipping_is_told_about_its_epsilon():
    def clip_torch(gradients, max_norm):
        parameters = [nn.Parameter(torch.zeros_like(g)) for g in gradients]
        for parameter, gradient in zip(parameters, gradients):
            parameter.grad = gradient.clone()
        nn.utils.clip_grad_norm_(parameters, max_norm)
        return [parameter.grad for parameter in parameters]

    verdict = examine(find("clip_gradients"), FunctionAnswer(clip_torch))
    assert verdict.mistake == "clip-epsilon"


def test_gradients_changed_in_place_are_reported():
    def clip_in_place(gradients, max_norm):
        norm = torch.cat([g.flatten() for g in gradients]).norm()
        if norm > max_norm:
            for gradient in gradients:
                gradient.mul_(max_norm / norm)
        return gradients

    verdict = examine(find("clip_gradients"), FunctionAnswer(clip_in_place))
    assert not verdict.passed
    assert "changes its argument gradients in place" in verdict.headline


@pytest.mark.parametrize("written", [list, tuple, torch.tensor])
def test_a_prediction_may_be_written_in_any_form(written):
    (case,) = key(find("predict_clipped"), 0).cases.values()
    halves = [float(x) / 2 for x in [*case["first"], *case["second"]]]
    verdict = examine(find("predict_clipped"), ValueAnswer(written(halves)))
    assert verdict.passed, verdict


def test_every_learner_s_clipped_gradients_are_torch_s():
    exercise = find("predict_clipped")
    for seed in range(40):
        (case,) = key(exercise, seed).cases.values()
        *gradients, norm = case.values()
        parameters = [nn.Parameter(torch.zeros_like(gradient)) for gradient in gradients]
        for parameter, gradient in zip(parameters, gradients, strict=True):
            parameter.grad = gradient.clone()
        nn.utils.clip_grad_norm_(parameters, norm)
        clipped = torch.cat([parameter.grad for parameter in parameters])
        torch.testing.assert_close(exercise.reference(*case.values()), clipped, rtol=0, atol=1e-3)
