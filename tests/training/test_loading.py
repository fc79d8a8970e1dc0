"""Models that are loaded once serve everyone, wherever they were first asked for."""

import pytest
import torch

from tests.needs import missing
from tests.tiers import first_quick
from tutor.models import minilm, smollm
from tutor.training import letters

LOADERS = {
    "letters": (letters.load_letters, None),
    "MiniLM": (minilm.load_minilm, minilm),
    "SmolLM2": (smollm.load_smollm, smollm),
}


@pytest.mark.parametrize(
    "name",
    first_quick(pytest.param(n, marks=pytest.mark.xdist_group("smollm")) for n in LOADERS),
)
def test_weights_first_loaded_by_an_explorer_can_still_be_changed(name):
    load, package = LOADERS[name]
    if package is not None and not package.is_installed():
        missing(name, package.INSTALL)
    load.cache_clear()
    with torch.inference_mode():  # as explorers are drawn
        loaded = load()
    model = getattr(loaded, "model", loaded)
    assert not any(weight.is_inference() for weight in model.parameters())
