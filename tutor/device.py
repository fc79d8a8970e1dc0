"""Where to compute: the one place that chooses between processor and graphics chip."""

import torch


def best_device() -> torch.device:
    """Choose the fastest device there is: an NVIDIA or AMD chip, Apple's, or the processor.

    Nothing in the course needs more than the processor.

    Example:
        >>> best_device().type in ("cuda", "mps", "cpu")
        True
    """
    if torch.cuda.is_available():
        return torch.device("cuda")
    if torch.backends.mps.is_available():
        return torch.device("mps")
    return torch.device("cpu")
