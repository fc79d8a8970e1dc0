"""Right answers to lesson 2's exercises in the styles people write them: all must pass."""

import math
from collections import Counter, defaultdict
from itertools import pairwise

import torch
import torch.nn.functional as F
from torch import nn
from torch.nn.utils.rnn import pad_sequence

from tests.exercises.passing import passing


def encode_lists(sentences, max_length, bos_id, eos_id, pad_id):
    rows = [[bos_id] + ids[: max_length - 2] + [eos_id] for ids in sentences]
    longest = max(len(row) for row in rows)
    return torch.tensor([row + [pad_id] * (longest - len(row)) for row in rows])


def encode_full(sentences, most, bos, eos, pad):
    longest = min(most, max(len(ids) for ids in sentences) + 2)
    out = torch.full((len(sentences), longest), pad, dtype=torch.long)
    for i, ids in enumerate(sentences):
        kept = ids[: most - 2]
        out[i, 0], out[i, 1 : len(kept) + 1], out[i, len(kept) + 1] = bos, torch.tensor(kept), eos
    return out


def encode_padded(sentences, max_length, bos, eos, pad):
    rows = [torch.tensor([bos, *ids[: max_length - 2], eos]) for ids in sentences]
    return pad_sequence(rows, batch_first=True, padding_value=pad)


def encode_cut_then_ended(sentences, max_length, bos, eos, pad):
    rows = [([bos] + ids)[: max_length - 1] + [eos] for ids in sentences]
    while len({len(row) for row in rows}) > 1:
        shortest = min(rows, key=len)
        shortest.append(pad)
    return torch.LongTensor(rows)


def hot_library(ids, table):
    return F.one_hot(ids, num_classes=table.shape[0]).float() @ table


def hot_scatter(ids, table):
    hot = torch.zeros(*ids.shape, len(table)).scatter_(-1, ids.unsqueeze(-1), 1.0)
    return torch.einsum("btv,vd->btd", hot, table)


def hot_eye(ids, table):
    return torch.eye(len(table))[ids].matmul(table)


def hot_compared(ids, table):
    return (ids[..., None] == torch.arange(len(table))).to(table.dtype) @ table


def embed_multiplied(ids, table, pad_id):
    return table[ids] * math.sqrt(table.size(-1)) * (ids != pad_id).unsqueeze(-1)


def embed_filled(ids, table, pad_id):
    x = F.embedding(ids, table) * table.shape[1] ** 0.5
    x[ids == pad_id] = 0
    return x


def embed_copied_table(ids, table, pad_id):
    table = table.clone()
    table[pad_id] = 0
    return table[ids] * math.sqrt(table.size(1))


def embed_module(ids, table, pad_id):
    layer = nn.Embedding.from_pretrained(table.clone(), padding_idx=pad_id)
    return (layer(ids) * math.sqrt(layer.embedding_dim)).masked_fill((ids == pad_id)[..., None], 0)


def embed_where(ids, table, pad_id):
    rows = math.sqrt(table.size(-1)) * table.index_select(0, ids.flatten()).view(*ids.shape, -1)
    return torch.where((ids == pad_id)[:, :, None], torch.zeros_like(rows), rows)


def near_library(query, table, k):
    return F.cosine_similarity(query[None], table, dim=-1).topk(k).indices


def near_sorted(query, table, k):
    cosines = table @ query / (table.norm(dim=1) * query.norm())
    return cosines.argsort(descending=True)[:k]


def near_normalised(query, table, k):
    return torch.topk(F.normalize(table, dim=1) @ F.normalize(query, dim=0), k)[1]


def near_query_length_left_out(query, table, k):
    return (table @ query / table.norm(dim=1)).topk(k).indices


def near_python(query, table, k):
    q = query.tolist()

    def cosine(row):
        dot = sum(a * b for a, b in zip(row, q))
        return dot / math.hypot(*row) / math.hypot(*q)

    return sorted(range(len(table)), key=lambda i: -cosine(table[i].tolist()))[:k]


def chat_slices(texts, max_length, bos_id):
    return [[bos_id] + ids[-(max_length - 1) :] for ids in texts]


def chat_loops(texts, most, bos):
    rows = []
    for ids in texts:
        start = max(0, len(ids) - most + 1)
        row = [bos]
        row.extend(ids[start:])
        rows.append(row)
    return rows


def chat_dropping(texts, max_length, bos):
    rows = []
    for ids in texts:
        row = list(ids)
        while len(row) > max_length - 1:
            row.pop(0)
        row.insert(0, bos)
        rows.append(row)
    return tuple(rows)


def window_loops(ids, window):
    pairs = []
    for i in range(len(ids)):
        for j in range(i - window, i + window + 1):
            if j != i and 0 <= j < len(ids):
                pairs.append((ids[i], ids[j]))
    return pairs


def window_slices(ids, window):
    pairs = []
    for place, word in enumerate(ids):
        company = ids[max(0, place - window) : place] + ids[place + 1 : place + 1 + window]
        pairs += [[word, other] for other in company]
    return pairs


def window_tensors(ids, window):
    places = torch.arange(len(ids))
    apart = (places[:, None] - places).abs()
    numbers = torch.tensor(ids)
    return [numbers[both] for both in ((apart > 0) & (apart <= window)).nonzero()]


def merge_plain(words, counts, new_id):
    pairs = {}
    for word, count in zip(words, counts):
        for pair in pairwise(word):
            pairs[pair] = pairs.get(pair, 0) + count
    best = max(pairs, key=pairs.get)
    merged = []
    for word in words:
        pieces, i = [], 0
        while i < len(word):
            if i + 1 < len(word) and (word[i], word[i + 1]) == best:
                pieces.append(new_id)
                i += 2
            else:
                pieces.append(word[i])
                i += 1
        merged.append(pieces)
    return best, merged


def merge_counter(words, counts, new_id):
    pairs = Counter()
    for word, count in zip(words, counts):
        pairs.update({pair: n * count for pair, n in Counter(pairwise(word)).items()})
    [(pair, _)] = pairs.most_common(1)
    merged = []
    for word in words:
        pieces = []
        for piece in word:
            if pieces and (pieces[-1], piece) == pair:
                pieces[-1] = new_id
            else:
                pieces.append(piece)
        merged.append(pieces)
    return list(pair), merged


def merge_on_copies(words, counts, new_id):
    pairs, words = defaultdict(int), [list(word) for word in words]
    for word, count in zip(words, counts):
        for i in range(len(word) - 1):
            pairs[word[i], word[i + 1]] += count
    pair = sorted(pairs, key=pairs.get, reverse=True)[0]  # a stable sort keeps the first
    for word in words:
        i = 0
        while i < len(word) - 1:
            if (word[i], word[i + 1]) == pair:
                word[i : i + 2] = [new_id]
            i += 1
    return torch.tensor(pair), words


ENCODERS = [encode_lists, encode_full, encode_padded, encode_cut_then_ended]
STYLES = {
    "encode_batch": ENCODERS,
    "mend_chat_batch": [chat_slices, chat_loops, chat_dropping],
    "window_pairs": [window_loops, window_slices, window_tensors],
    "bpe_merge": [merge_plain, merge_counter, merge_on_copies],
    "one_hot_lookup": [hot_library, hot_scatter, hot_eye, hot_compared],
    "embed": [embed_multiplied, embed_filled, embed_copied_table, embed_module, embed_where],
    "nearest_neighbours": [
        near_library, near_sorted, near_normalised, near_query_length_left_out, near_python,
    ],
}  # fmt: skip

test_right_answer_passes = passing(STYLES)
