"""The companion package of the course: every concept once, tested, imported by the notebooks.

Importing it costs nothing beyond ``import torch``: plotting, widgets and checking load when used.
"""

import sys
from gettext import NullTranslations
from importlib import import_module
from typing import Any

__version__ = "0.1.0"

# Public name -> the module that defines it. No module bears the name of a public function:
# once loaded, the submodule would replace the function as an attribute of the package.
_PUBLIC = {
    "check": "tutor.learner.check",
    "hint": "tutor.learner.hint",
    "predict": "tutor.learner.predictions",
    "progress": "tutor.learner.progress_map",
    "question": "tutor.learner.question",
    "set_learner": "tutor.learner.question",
    "live": "tutor.display.explorer",
    "trace": "tutor.models.tracing",
}

__all__ = ["__version__", *_PUBLIC]


def __getattr__(name: str) -> Any:
    """Load a public name when it is first used."""
    if name not in _PUBLIC:
        from tutor.say import say  # `import tutor` loads nothing

        raise AttributeError(say("module 'tutor' has no attribute {name!r}", name=name))
    return getattr(import_module(_PUBLIC[name]), name)


def __dir__() -> list[str]:
    """List the public names, loaded or not."""
    return sorted({*globals(), *_PUBLIC})


def chosen_catalogue() -> NullTranslations:
    """Give the sentences of the language that is chosen here; `tutor.say` asks for them once."""
    found: NullTranslations = import_module("tutor.learner.language").chosen_catalogue()
    return found


def catalogue(language: str) -> NullTranslations:
    """Give the sentences of a language; the workers of grading ask for those of their job."""
    found: NullTranslations = import_module("tutor.learner.language").catalogue(language)
    return found


if "ipykernel" in sys.modules:  # perhaps a notebook's kernel
    import_module("tutor.learner.threads").compute_with_one_thread()
