"""Right answers to lesson 9's exercises in the styles people write them: all must pass."""

import heapq
import math

import pytest
import torch
import torch.nn.functional as F
from torch import einsum

from tests.exercises.passing import passing
from tutor.checking.calls import FunctionAnswer, ValueAnswer
from tutor.checking.examine import examine
from tutor.exercises import find


def tied_plain(h, table):
    return h @ table.T


def tied_linear(h, table):
    return F.linear(h, table)


def tied_einsum(h, table):
    return einsum("...d,vd->...v", h, table)


def tied_products(h, table):
    return (h.unsqueeze(-2) * table).sum(dim=-1)


def tied_words(h, table):
    return torch.stack([(h * row).sum(-1) for row in table], dim=-1)


def tied_columns(h, table):
    return (table @ h.reshape(-1, h.size(-1)).T).T.reshape(*h.shape[:-1], len(table))


def tied_double(h, table):
    return torch.matmul(h.double(), table.double().t())


def temperature_plain(logits, temperature):
    return torch.softmax(logits / temperature, dim=-1)


def temperature_by_hand(logits, temperature):
    scores = logits / temperature
    powers = torch.exp(scores - scores.max(-1, keepdim=True).values)
    return powers / powers.sum(-1, keepdim=True)


def temperature_power_of_probabilities(logits, temperature):
    powers = F.softmax(logits, dim=-1) ** (1 / temperature)
    return powers / powers.sum(-1, keepdim=True)


def temperature_in_place(logits, T):
    z = logits.clone()
    z /= T
    z -= z.max(-1, keepdim=True).values
    z.exp_()
    z /= z.sum(-1, keepdim=True)
    return z


def temperature_log(logits, T):
    scaled = logits * (1 / T)
    return (scaled - scaled.logsumexp(-1, keepdim=True)).exp()


def temperature_differences(logits, T):
    """Each probability is one over the sum of e to how far the others are ahead."""
    ahead = (logits.unsqueeze(-2) - logits.unsqueeze(-1)) / T
    return 1 / ahead.exp().sum(-1)


def temperature_double(logits, T):
    return torch.softmax(logits.double().div(T), -1)


def top_k_masked(logits, k):
    least = logits.topk(k).values[..., -1:]
    return logits.masked_fill(logits < least, -math.inf).softmax(-1)


def top_k_minus_1e9(logits, k):
    kth = torch.sort(logits, dim=-1).values[..., -k].unsqueeze(-1)
    return F.softmax(torch.where(logits >= kth, logits, torch.tensor(-1e9)), dim=-1)


def top_k_scattered(logits, k):
    values, words = torch.topk(logits, k, dim=-1)
    return torch.zeros_like(logits).scatter(-1, words, values.softmax(-1))


def top_k_renormalised(logits, k):
    probabilities = logits.softmax(dim=-1)
    kept = probabilities * (probabilities >= probabilities.topk(k, dim=-1).values.min(-1, True)[0])
    return kept / kept.sum(-1, keepdim=True)


def top_k_by_rank(logits, k):
    rank = logits.argsort(dim=-1, descending=True).argsort(dim=-1)
    powers = (logits - logits.amax(-1, keepdim=True)).exp() * (rank < k)
    return powers / powers.sum(-1, keepdim=True)


def top_k_rows(logits, k):
    rows = logits.reshape(-1, logits.shape[-1])
    result = torch.zeros_like(rows)
    for row, scores in enumerate(rows):
        best = sorted(range(len(scores)), key=lambda word, scores=scores: -scores[word])[:k]
        total = sum(math.exp(scores[word] - scores[best[0]]) for word in best)
        for word in best:
            result[row, word] = math.exp(scores[word] - scores[best[0]]) / total
    return result.view(logits.shape)


def top_k_double(logits, k):
    return top_k_scattered(logits.double(), k)


def top_p_plain(probabilities, threshold):
    ranked, words = probabilities.sort(dim=-1, descending=True)
    kept = ranked * (ranked.cumsum(-1) - ranked < threshold)
    kept = torch.zeros_like(kept).scatter(-1, words, kept)
    return kept / kept.sum(-1, keepdim=True)


def top_p_shifted_mask(probabilities, threshold):
    ranked, words = torch.sort(probabilities, descending=True)
    remove = ranked.cumsum(dim=-1) > threshold
    remove[..., 1:] = remove[..., :-1].clone()
    remove[..., 0] = False
    remove = torch.zeros_like(remove).scatter(-1, words, remove)
    kept = probabilities.masked_fill(remove, 0.0)
    return kept / kept.sum(dim=-1, keepdim=True)


def top_p_ranks(probabilities, threshold):
    order = probabilities.argsort(-1, descending=True)
    before = probabilities.gather(-1, order).cumsum(-1).roll(1, -1)
    before[..., 0] = 0
    kept = probabilities * (before.gather(-1, order.argsort(-1)) < threshold)
    return F.normalize(kept, p=1, dim=-1)


def top_p_pairs(probabilities, threshold):
    """Every word looks at the mass of all words likelier than itself."""
    likelier = probabilities.unsqueeze(-2) > probabilities.unsqueeze(-1)
    before = (likelier * probabilities.unsqueeze(-2)).sum(-1)
    kept = torch.where(before < threshold, probabilities, torch.zeros(()))
    return kept / kept.sum(-1, keepdim=True)


def top_p_rows(probabilities, threshold):
    result = torch.zeros_like(probabilities)
    flat, out = probabilities.view(-1, probabilities.shape[-1]), result.view(-1, result.shape[-1])
    for row in range(len(flat)):
        mass, kept = 0.0, []
        for word in flat[row].argsort(descending=True).tolist():
            kept.append(word)
            mass += flat[row, word].item()
            if mass >= threshold:
                break
        out[row, kept] = flat[row, kept] / flat[row, kept].sum()
    return result


def top_p_least_kept(probabilities, threshold):
    ranked = probabilities.sort(-1, descending=True)[0]
    count = (ranked.cumsum(-1) < threshold).sum(-1, keepdim=True)
    kept = probabilities * (probabilities >= ranked.gather(-1, count))
    return kept / kept.sum(-1, keepdim=True)


def top_p_through_logits(probabilities, threshold):
    kept = top_p_plain(probabilities, threshold) > 0
    return probabilities.log().masked_fill(~kept, -math.inf).softmax(-1)


def min_p_plain(probabilities, ratio):
    kept = probabilities * (probabilities >= ratio * probabilities.max(-1, keepdim=True).values)
    return kept / kept.sum(-1, keepdim=True)


def min_p_in_logs(probabilities, ratio):
    logs = probabilities.log()
    far = logs < logs.amax(-1, keepdim=True) + math.log(ratio)
    return torch.softmax(logs.masked_fill(far, -math.inf), dim=-1)


def min_p_sorted(probabilities, ratio):
    ranked, words = probabilities.sort(dim=-1, descending=True)
    ranked = torch.where(ranked / ranked[..., :1] >= ratio, ranked, 0.0)
    kept = torch.zeros_like(ranked).scatter(-1, words, ranked)
    return kept / kept.sum(-1, keepdim=True)


def min_p_loops(probabilities, ratio):
    rows = []
    for row in probabilities.reshape(-1, probabilities.shape[-1]).tolist():
        least = ratio * max(row)
        kept = [p if p >= least else 0.0 for p in row]
        rows.append([p / sum(kept) for p in kept])
    return torch.tensor(rows).view_as(probabilities)


def min_p_double(probabilities, ratio):
    return min_p_plain(probabilities.double(), ratio)


def penalty_indexed(logits, written, penalty):
    lowered, old = logits.clone(), logits[written]
    lowered[written] = torch.where(old > 0, old / penalty, old * penalty)
    return lowered


def penalty_loop(logits, written, penalty):
    numbers = logits.tolist()
    for token in {*written.tolist()}:
        numbers[token] *= 1 / penalty if numbers[token] > 0 else penalty
    return torch.tensor(numbers)


def penalty_by_sign(logits, written, penalty):
    counts = torch.zeros(len(logits)).index_add(0, written, torch.ones(len(written)))
    return logits * (penalty ** -logits.sign()) ** counts.clamp(max=1)


def perplexity_powers(log_probs, real):
    """The geometric mean of 1/p, as a product of roots: that of a whole text is endless."""
    inverse = (-log_probs).exp().where(real, torch.ones(()))
    return (inverse ** (1 / real.sum(-1, keepdim=True))).prod(-1)


def perplexity_rows(log_probs, real):
    return [math.exp(-row[keep].mean()) for row, keep in zip(log_probs, real)]


def perplexity_in_bits(log_probs, real):
    bits = (-log_probs / math.log(2) * real).sum(1) / real.sum(1)
    return 2**bits


def step_plain(x_new, keys, values, W):
    W_q, W_k, W_v = W
    keys = torch.cat([keys, (x_new @ W_k)[None]])
    values = torch.cat([values, (x_new @ W_v)[None]])
    weights = torch.softmax(keys @ (x_new @ W_q) / math.sqrt(keys.size(1)), dim=0)
    return weights @ values, keys, values


def step_torch(x_new, keys, values, W):
    q, k, v = (x_new.unsqueeze(0) @ w for w in W)
    keys, values = torch.vstack([keys, k]), torch.vstack([values, v])
    out = F.scaled_dot_product_attention(q[None], keys[None], values[None])
    return out[0, 0], keys, values


def step_einsum(x_new, keys, values, W):
    q, k, v = (einsum("d,de->e", x_new, w) for w in W)
    keys, values = torch.cat((keys, k.view(1, -1))), torch.cat((values, v.view(1, -1)))
    weights = (einsum("k,tk->t", q, keys) / keys.shape[-1] ** 0.5).softmax(0)
    return [einsum("t,tv->v", weights, values), keys, values]


def step_own_apart(x_new, keys, values, W):
    """The word's own share is worked out beside those of the stored words."""
    q, k, v = (x_new @ w for w in W)
    scores = torch.cat([keys @ q, (k @ q).view(1)]) * k.numel() ** -0.5
    shares = torch.exp(scores - scores.max())
    shares /= shares.sum()
    output = (shares[:-1, None] * values).sum(0) + shares[-1] * v
    return output, torch.cat([keys, k[None]]), torch.cat([values, v[None]])


def step_double(x_new, keys, values, W):
    return step_plain(x_new.double(), keys.double(), values.double(), [w.double() for w in W])


def loss_torch(logits, labels, pad_id):
    return F.cross_entropy(logits.flatten(0, 1), labels.flatten(), ignore_index=pad_id)


def loss_transposed(logits, labels, pad_id):
    return F.cross_entropy(logits.transpose(1, 2), labels, ignore_index=pad_id)


def loss_gathered(logits, labels, pad_id):
    log_probs = torch.log_softmax(logits, dim=-1)
    right = log_probs.gather(2, labels[..., None])[..., 0]
    real = (labels != pad_id).float()
    return -(right * real).sum() / real.sum()


def loss_log_softmax_first(logits, labels, pad_id):
    log_probs = logits.log_softmax(-1)  # the loss takes softmax again, which changes nothing
    return F.cross_entropy(
        log_probs.view(-1, logits.size(-1)), labels.view(-1), ignore_index=pad_id
    )


def loss_one_hot(logits, labels, pad_id):
    real = labels.ne(pad_id)
    wanted = F.one_hot(labels, logits.shape[-1])
    each = -(wanted * F.log_softmax(logits, -1)).sum(-1)
    return each.masked_select(real).mean()


def loss_logsumexp(logits, labels, pad_id):
    each = logits.logsumexp(-1) - torch.take_along_dim(logits, labels.unsqueeze(-1), -1).squeeze(-1)
    return each[labels != pad_id].mean()


def loss_loops(logits, labels, pad_id):
    total, count = 0.0, 0
    for scores, words in zip(logits, labels):
        for row, word in zip(scores, words.tolist()):
            if word != pad_id:
                ahead = [score - row[word].item() for score in row.tolist()]
                total += math.log(sum(math.exp(gap) for gap in ahead))
                count += 1
    return total / count


def loss_minus_hundred(logits, labels, pad_id):
    labels = labels.clone()
    labels[labels == pad_id] = -100
    return F.nll_loss(F.log_softmax(logits, dim=2).permute(0, 2, 1), labels)


def loss_double(logits, labels, pad_id):
    return loss_gathered(logits.double(), labels, pad_id).double()


def smooth_plain(labels, vocabulary, epsilon, pad_id):
    table = torch.full((len(labels), vocabulary), epsilon / (vocabulary - 2))
    table.scatter_(1, labels[:, None], 1 - epsilon)
    table[:, pad_id] = 0
    table[labels == pad_id] = 0
    return table


def smooth_one_hot(labels, V, epsilon, pad_id):
    one_hot = F.one_hot(labels, V).float()
    words = torch.arange(V) != pad_id
    table = one_hot * (1 - epsilon) + (1 - one_hot) * epsilon / (V - 2)
    return table * words * (labels != pad_id)[:, None]


def smooth_loops(labels, V, epsilon, pad_id):
    rows = []
    for label in labels.tolist():
        row = [0.0] * V
        if label != pad_id:
            for word in range(V):
                if word == label:
                    row[word] = 1 - epsilon
                elif word != pad_id:
                    row[word] = epsilon / (V - 2)
        rows.append(row)
    return torch.tensor(rows)


def smooth_where(labels, V, epsilon, pad_id):
    words = torch.arange(V)[None]
    table = torch.where(words == labels[:, None], 1 - epsilon, epsilon / (V - 2))
    nothing = (words == pad_id) | (labels == pad_id)[:, None]
    return table.masked_fill(nothing, 0)


def smooth_indexed(labels, V, epsilon, pad_id):
    table = torch.ones(labels.numel(), V) * (epsilon / (V - 2))
    table[range(len(labels)), labels] = 1.0 - epsilon
    table[:, pad_id].zero_()
    table[torch.nonzero(labels == pad_id).squeeze(-1)] = 0.0
    return table


def smooth_real_rows_only(labels, V, epsilon, pad_id):
    table = torch.zeros(len(labels), V)
    real = labels != pad_id
    table[real] = smooth_plain(labels[real], V, epsilon, pad_id)
    return table


def smooth_as_lists(labels, V, epsilon, pad_id):
    return torch.tensor(smooth_loops(labels, V, epsilon, pad_id).tolist())


def greedy_plain(log_probs, max_length):
    ids, before, last = [], 0, 0
    for _ in range(max_length):
        word = int(log_probs[before, last].argmax())
        ids.append(word)
        if word == 1:
            break
        before, last = last, word
    return ids


def greedy_one_list(log_probs, max_length):
    ids = [0, 0]
    while len(ids) < max_length + 2 and ids[-1] != 1:
        ids.append(log_probs[ids[-2]][ids[-1]].argmax().item())
    return ids[2:]


def greedy_tensor(log_probs, max_length):
    ids = torch.tensor([0, 0])
    while ids[-1] != 1 and len(ids) - 2 < max_length:
        ids = torch.cat([ids, log_probs[ids[-2], ids[-1]].argmax()[None]])
    return ids[2:]


def greedy_list_of_tensors(log_probs, max_length):
    ids = []
    before = last = torch.tensor(0)
    for _ in range(max_length):
        before, last = last, torch.argmax(log_probs[before, last])
        ids += [last]
        if last.item() == 1:
            return ids
    return ids


def greedy_recursive(log_probs, max_length, before=0, last=0):
    if max_length == 0 or last == 1:
        return []
    word = log_probs[before, last].exp().max(0).indices.item()
    return [word, *greedy_recursive(log_probs, max_length - 1, last, word)]


def greedy_all_choices_first(log_probs, max_length):
    best = log_probs.argmax(-1)
    path = [0, 0]
    for _ in range(max_length):
        path.append(int(best[path[-2], path[-1]]))
    ids = path[2:]
    return ids[: ids.index(1) + 1] if 1 in ids else ids


def beam_plain(log_probs, width, max_length, alpha):
    beam, finished = [([], 0.0)], []
    for _ in range(max_length):
        candidates = []
        for ids, total in beam:
            before, last = ([0, 0, *ids])[-2:]
            for word, new in enumerate(log_probs[before, last].tolist()):
                candidates.append(([*ids, word], total + new))
        candidates.sort(key=lambda each: each[1], reverse=True)
        beam = []
        for ids, total in candidates[:width]:
            if ids[-1] == 1:
                finished.append((total / len(ids) ** alpha, ids))
                width -= 1
            else:
                beam.append((ids, total))
        if not beam:
            break
    finished.sort(reverse=True)
    return {
        "best": finished[0][1] if finished else [],
        "scores": [score for score, _ in finished],
    }


def beam_heap(log_probs, width, max_length, alpha):
    beam, done = [(0.0, (0, 0))], []
    for _ in range(max_length):
        every = (
            (total + float(log_probs[ids[-2], ids[-1], word]), (*ids, word))
            for total, ids in beam
            for word in range(len(log_probs))
        )
        kept = heapq.nlargest(width - len(done), every)
        done += [each for each in kept if each[1][-1] == 1]
        beam = [each for each in kept if each[1][-1] != 1]
    ranked = sorted(done, key=lambda each: each[0] / (len(each[1]) - 2) ** alpha)[::-1]
    return {
        "scores": torch.tensor([total / (len(ids) - 2) ** alpha for total, ids in ranked]),
        "best": torch.tensor(ranked[0][1][2:] if ranked else []),
    }


def beam_tensors(log_probs, width, max_length, alpha):
    V = log_probs.size(0)
    ids, totals, finished = torch.zeros(1, 2, dtype=torch.long), torch.zeros(1), []
    for length in range(1, max_length + 1):
        candidates = (totals[:, None] + log_probs[ids[:, -2], ids[:, -1]]).flatten()
        totals, places = candidates.topk(min(width - len(finished), len(candidates)))
        ids = torch.cat([ids[places // V], (places % V)[:, None]], dim=1)
        ended = ids[:, -1] == 1
        finished += [
            (total / length**alpha, row[2:]) for total, row in zip(totals[ended], ids[ended])
        ]
        ids, totals = ids[~ended], totals[~ended]
        if len(ids) == 0:
            break
    finished = sorted(finished, key=lambda each: float(each[0]), reverse=True)
    if not finished:
        return {"best": [], "scores": []}
    return {"best": finished[0][1], "scores": torch.stack([score for score, _ in finished])}


def beam_dictionary(log_probs, width, max_length, alpha):
    alive, ended = {(): 0.0}, {}
    for _ in range(max_length):
        longer = {}
        for ids, total in alive.items():
            context = (0, 0) + ids
            for word in range(log_probs.shape[-1]):
                longer[ids + (word,)] = total + log_probs[context[-2], context[-1], word].item()
        room = width - len(ended)
        best = sorted(longer, key=longer.get, reverse=True)[:room]
        ended |= {ids: longer[ids] / len(ids) ** alpha for ids in best if ids[-1] == 1}
        alive = {ids: longer[ids] for ids in best if ids[-1] != 1}
    order = sorted(ended, key=ended.get, reverse=True)
    return {"best": list(order[0]) if order else [], "scores": [ended[ids] for ids in order]}


def beam_classes(log_probs, width, max_length, alpha):
    class Hypothesis:
        def __init__(self, ids=(), total=0.0):
            self.ids, self.total = ids, total

        def extensions(self):
            before, last = (0, 0, *self.ids)[-2:]
            row = log_probs[before, last]
            return [Hypothesis((*self.ids, word), self.total + float(row[word]))
                    for word in range(len(row))]  # fmt: skip

        @property
        def score(self):
            return self.total / len(self.ids) ** alpha

    beam, done = [Hypothesis()], []
    while beam and max_length > 0:
        step = [longer for each in beam for longer in each.extensions()]
        step = sorted(step, key=lambda each: -each.total)[: width - len(done)]
        done += [each for each in step if each.ids[-1] == 1]
        beam = [each for each in step if each.ids[-1] != 1]
        max_length -= 1
    done.sort(key=lambda each: each.score, reverse=True)
    best = done[0].ids if done else ()
    return {"scores": [each.score for each in done], "best": best}


def beam_double(log_probs, width, max_length, alpha):
    return beam_tensors(log_probs.double(), width, max_length, alpha)


def cached_plain(x, encoding, W, prompt_length):
    W_q, W_k, W_v = W
    placed = x + encoding[: len(x)]
    prompt = placed[:prompt_length]
    keys, values = prompt @ W_k, prompt @ W_v
    scores = prompt @ W_q @ keys.T / math.sqrt(keys.shape[1])
    scores = scores.masked_fill(torch.ones_like(scores).triu(1).bool(), -math.inf)
    outputs = [torch.softmax(scores, dim=-1) @ values]
    for t in range(prompt_length, len(x)):
        word = placed[t : t + 1]
        keys, values = torch.cat([keys, word @ W_k]), torch.cat([values, word @ W_v])
        outputs.append(torch.softmax(word @ W_q @ keys.T / math.sqrt(keys.shape[1]), -1) @ values)
    return torch.cat(outputs)


def cached_lists(x, encoding, W, prompt_length):
    keys, values, outputs = [], [], []
    for position, (word, place) in enumerate(zip(x, encoding)):
        placed = word + place
        keys.append(placed @ W[1])
        values.append(placed @ W[2])
        assert len(keys) == position + 1
        scores = torch.stack(keys) @ (placed @ W[0]) / len(keys[0]) ** 0.5
        outputs.append(scores.softmax(0) @ torch.stack(values))
    return torch.stack(outputs)


def cached_filled_in(x, encoding, W, P):
    T, d_k = len(x), W[0].size(1)
    keys, values, out = torch.zeros(T, d_k), torch.zeros(T, W[2].size(1)), torch.zeros_like(x)
    z = x[:P] + encoding[:P]
    keys[:P], values[:P] = z @ W[1], z @ W[2]
    for t in range(P):
        out[t] = torch.softmax(z[t] @ W[0] @ keys[: t + 1].T / d_k**0.5, -1) @ values[: t + 1]
    for t in range(P, T):
        z = x[t] + encoding[t]
        keys[t], values[t] = z @ W[1], z @ W[2]
        weights = torch.softmax((keys[: t + 1] @ (z @ W[0])) * d_k**-0.5, dim=0)
        out[t] = (weights[:, None] * values[: t + 1]).sum(0)
    return out


def cached_newest_first(x, encoding, W, P):
    """Keys and values may be stored in any order, as long as both are in the same."""
    placed = x + encoding[: len(x)]
    keys, values, outputs = placed[:0] @ W[1], placed[:0] @ W[2], []
    for word in placed.split(1):
        keys, values = torch.cat([word @ W[1], keys]), torch.cat([word @ W[2], values])
        outputs.append((word @ W[0] @ keys.T / math.sqrt(keys.size(-1))).softmax(-1) @ values)
    return torch.cat(outputs)


def cached_double(x, encoding, W, P):
    return cached_plain(x.double(), encoding.double(), [each.double() for each in W], P)


STYLES = {
    "tied_logits": [
        tied_plain, tied_linear, tied_einsum, tied_products, tied_words, tied_columns, tied_double,
    ],
    "temperature_softmax": [
        temperature_plain, temperature_by_hand, temperature_power_of_probabilities,
        temperature_in_place, temperature_log, temperature_differences, temperature_double,
    ],
    "top_k_probabilities": [
        top_k_masked, top_k_minus_1e9, top_k_scattered, top_k_renormalised, top_k_by_rank,
        top_k_rows, top_k_double,
    ],
    "top_p_probabilities": [
        top_p_plain, top_p_shifted_mask, top_p_ranks, top_p_pairs, top_p_rows, top_p_least_kept,
        top_p_through_logits,
    ],
    "min_p_probabilities": [min_p_plain, min_p_in_logs, min_p_sorted, min_p_loops, min_p_double],
    "mend_penalty": [penalty_indexed, penalty_loop, penalty_by_sign],
    "mend_perplexity": [perplexity_powers, perplexity_rows, perplexity_in_bits],
    "attention_step": [step_plain, step_torch, step_einsum, step_own_apart, step_double],
    "sequence_cross_entropy": [
        loss_torch, loss_transposed, loss_gathered, loss_log_softmax_first,
        loss_one_hot, loss_logsumexp, loss_loops, loss_minus_hundred, loss_double,
    ],
    "smooth_labels": [
        smooth_plain, smooth_one_hot, smooth_loops, smooth_where, smooth_indexed,
        smooth_real_rows_only, smooth_as_lists,
    ],
    "greedy_decode": [
        greedy_plain, greedy_one_list, greedy_tensor, greedy_list_of_tensors, greedy_recursive,
        greedy_all_choices_first,
    ],
    "beam_search": [
        beam_plain, beam_heap, beam_tensors, beam_dictionary, beam_classes, beam_double,
    ],
    "cached_attention": [
        cached_plain, cached_lists, cached_filled_in, cached_newest_first,
        cached_double,
    ],
}  # fmt: skip

test_right_answer_passes = passing(STYLES)


def test_a_loss_changing_its_labels_is_reported():
    def loss_in_place(logits, labels, pad_id):
        labels[labels == pad_id] = -100
        return F.cross_entropy(logits.transpose(1, 2), labels)

    verdict = examine(find("sequence_cross_entropy"), FunctionAnswer(loss_in_place))
    assert not verdict.passed
    assert "changes its argument labels in place" in verdict.headline


@pytest.mark.parametrize("written", [[0.24, 0.36], (0.24, 0.36), torch.tensor([0.24, 0.36])])
def test_a_prediction_is_judged_by_its_numbers(written):
    exercise = find("predict_greedy_and_best")
    fitting = next(
        seed
        for seed in range(200)
        if exercise.reference(*exercise.cases(seed)["yours"].values()) == pytest.approx([0.24, 0.4])
    )
    verdict = examine(exercise, ValueAnswer(written), fitting)
    assert not verdict.passed
    assert examine(exercise, ValueAnswer([0.24, 0.4]), fitting).passed
