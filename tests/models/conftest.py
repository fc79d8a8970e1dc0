"""The real model that several tests here ask."""

import pytest

from tests.needs import missing
from tutor.models.smollm import INSTALL, SmolLM, is_installed, load_smollm


@pytest.fixture(scope="module")
def smollm() -> SmolLM:
    """SmolLM2, where it is installed; what uses it shares an xdist group, as it is a gigabyte."""
    if not is_installed():
        missing("SmolLM2", INSTALL)
    return load_smollm()
