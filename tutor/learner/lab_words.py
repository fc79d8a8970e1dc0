"""What the course's extension of JupyterLab says: its scripts look it up in a file of words.

A page has no Python. So whoever starts JupyterLab writes ``words.json``, which holds each sentence
that the scripts give to ``spoken`` (words.js), in the language of the workspace.
"""

import json
import re
from pathlib import Path

from tutor.files import write_whole
from tutor.say import language, say

EXTENSIONS = Path(__file__).parent / "labextensions"
EXTENSION = EXTENSIONS / "transformer-tutor"
_HELD = ".tutor-lab"  # in the workspace: what JupyterLab serves beside the extension itself
_SPOKEN = re.compile(r'\bspoken\(("(?:[^"\\]|\\.)*")')


def sentences_of(script: str) -> list[str]:
    """List what a script says.

    Example:
        >>> sentences_of('spoken("Now"); const title = spoken("Notes: {title}", { title });')
        ['Now', 'Notes: {title}']
    """
    return [json.loads(text) for text in dict.fromkeys(_SPOKEN.findall(script))]


def scripts() -> list[Path]:
    """List the scripts of the extension."""
    return sorted(EXTENSION.rglob("*.js"))


def served_folders(workspace: Path) -> list[str]:
    """Give the folders that JupyterLab takes the extension and its words from.

    Args:
        workspace: the learner's folder, which keeps the words, in the language that is spoken now.
            Where they cannot be written, the extension speaks English.
    """
    held = workspace / _HELD
    try:
        _write_words(held / EXTENSION.name / "words.json")
    except OSError:
        return [str(EXTENSIONS)]
    return [str(EXTENSIONS), str(held)]


def _write_words(file: Path) -> None:
    said = [text for script in scripts() for text in sentences_of(script.read_text("utf-8"))]
    words = {"language": language(), "words": {text: say(text) for text in said}}
    file.parent.mkdir(parents=True, exist_ok=True)
    write_whole(file, json.dumps(words, ensure_ascii=False, indent=1) + "\n")
