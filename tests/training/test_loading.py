"""Models that are loaded once serve everyone, wherever they were first asked for."""

import pytest
import torch

from tutor.training import letters, pretrained, smollm

LOADERS = {
    "letters": (letters.load_letters, lambda: True),
    "MiniLM": (pretrained.load_minilm, pretrained.is_installed),
    "SmolLM2": (smollm.load_smollm, smollm.is_installed),
}


@pytest.mark.parametrize(
    "name", [pytest.param(n, marks=pytest.mark.xdist_group("smollm")) for n in LOADERS]
)
def test_weights_first_loaded_by_an_explorer_can_still_be_changed(name):
    load, is_installed = LOADERS[name]
    if not is_installed():
        pytest.skip(f"without {name}")
    load.cache_clear()
    with torch.inference_mode():  # as explorers are drawn
        loaded = load()
    model = getattr(loaded, "model", loaded)
    assert not any(weight.is_inference() for weight in model.parameters())
