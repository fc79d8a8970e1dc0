"""Notebooks that honest hands have damaged, and what each still holds."""

import base64
import copy
import json
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from tests.grading.classroom import (
    RIGHT,
    WORTH,
    answer_cell,
    as_bytes,
    cell,
    filled,
    insert,
    is_predicted,
    right_answers,
)

Notebook = dict[str, Any]
LEARNER = "Ada Lovelace"
ALL = "all"


@dataclass(frozen=True)
class Accident:
    """What happened to a notebook in which everything was right.

    Attributes:
        name: what happened.
        make: makes the file's bytes.
        lost: the exercises that no longer are right, or ALL if the file is refused.
        says: words of the note, or of the refusal.
    """

    name: str
    make: Callable[[], bytes]
    lost: set[str] | str = field(default_factory=set)
    says: str = ""


def _right() -> Notebook:
    return filled(right_answers(LEARNER), LEARNER)


def _changed(change: Callable[[Notebook], Any]) -> Callable[[], bytes]:
    def make() -> bytes:
        notebook = _right()
        result = change(notebook)
        return result if isinstance(result, bytes) else as_bytes(result or notebook)

    return make


def _where(notebook: Notebook, name: str) -> int:
    """Give the place of an exercise's answer cell."""
    ids = [cell["metadata"].get("nbgrader", {}).get("grade_id") for cell in notebook["cells"]]
    return ids.index(name)


def _source(cell: dict[str, Any]) -> str:
    return "".join(cell["source"])


def _copied_answer(notebook: Notebook) -> None:
    place = _where(notebook, "additive_attention")
    notebook["cells"].insert(place, copy.deepcopy(notebook["cells"][place]))


def _copied_stub_below(notebook: Notebook) -> None:
    place = _where(notebook, "additive_attention")
    stub = answer_cell(
        "additive_attention", "def additive_attention(q, k):\n    raise NotImplementedError"
    )
    notebook["cells"].insert(place + 1, stub)


def _old_version_above(notebook: Notebook) -> None:
    place = _where(notebook, "project_by_hand")
    old = answer_cell("project_by_hand", "def project_by_hand(x, W):\n    return W @ x")
    notebook["cells"].insert(place, old)


def _newer_version_at_the_end(notebook: Notebook) -> None:
    place = _where(notebook, "project_by_hand")
    notebook["cells"][place]["source"] = "def project_by_hand(x, W):\n    return W @ x"
    notebook["cells"].append(answer_cell("project_by_hand", RIGHT["project_by_hand"]))


def _deleted_answer(notebook: Notebook) -> None:
    del notebook["cells"][_where(notebook, "additive_attention")]


def _deleted_checks(notebook: Notebook) -> None:
    notebook["cells"] = [c for c in notebook["cells"] if "check(" not in _source(c)]


def _retyped(notebook: Notebook) -> None:
    """The answer cell was deleted and typed anew: no metadata."""
    place = _where(notebook, "scaled_dot_product_attention")
    notebook["cells"][place] = cell(_source(notebook["cells"][place]))


def _stub_kept_and_answered_below(notebook: Notebook) -> None:
    place = _where(notebook, "scaled_dot_product_attention")
    answer = _source(notebook["cells"][place])
    name = "scaled_dot_product_attention"
    notebook["cells"][place]["source"] = f"def {name}(q, k, v):\n    raise NotImplementedError"
    notebook["cells"].insert(place + 1, cell(answer))


def _merged(notebook: Notebook) -> None:
    """Answer and check in one cell, with the metadata of the answer's."""
    for name in ("predict_score", "additive_attention"):
        place = _where(notebook, name)
        merged = _source(notebook["cells"][place]) + "\n" + _source(notebook["cells"][place + 1])
        notebook["cells"][place]["source"] = merged
        del notebook["cells"][place + 1]


def _everything_in_one_cell(notebook: Notebook) -> Notebook:
    code = [_source(c) for c in notebook["cells"] if c["cell_type"] == "code"]
    return {**notebook, "cells": [cell("\n".join(code))]}


def _cleared_metadata(notebook: Notebook) -> None:
    for one in notebook["cells"]:
        one["metadata"] = {}
        one.pop("id", None)


def _cleared_and_unchecked(notebook: Notebook) -> None:
    _deleted_checks(notebook)
    _cleared_metadata(notebook)


def _as_markdown(notebook: Notebook) -> None:
    notebook["cells"][_where(notebook, "additive_attention")]["cell_type"] = "markdown"


def _as_fenced_markdown_without_metadata(notebook: Notebook) -> None:
    place = _where(notebook, "project_by_hand")
    notebook["cells"][place] = cell(RIGHT["project_by_hand"], "raw")


def _renamed_function(notebook: Notebook) -> None:
    place = _where(notebook, "scaled_dot_product_attention")
    for one in notebook["cells"][place : place + 2]:
        text = _source(one).replace("def scaled_dot_product_attention", "def attention")
        one["source"] = text.replace(
            "check(scaled_dot_product_attention)",
            'check(attention, name="scaled_dot_product_attention")',
        )


def _statements_before_fail(notebook: Notebook) -> None:
    one = notebook["cells"][_where(notebook, "additive_attention")]
    one["source"] = "print(undefined_name)\n" + _source(one)


def _unfinished_line_in_the_cell(notebook: Notebook) -> None:
    one = notebook["cells"][_where(notebook, "additive_attention")]
    one["source"] = _source(one) + "\nx = = 3\n"


def _with_magics(notebook: Notebook) -> None:
    one = notebook["cells"][_where(notebook, "additive_attention")]
    one["source"] = "%%time\n" + _source(one)
    two = notebook["cells"][_where(notebook, "project_by_hand")]
    two["source"] = "%matplotlib inline\n!pip install torch\n" + _source(two) + "\n?project_by_hand"


def _warnings(notebook: Notebook) -> None:
    one = notebook["cells"][_where(notebook, "project_by_hand")]
    one["source"] = _source(one).replace(
        "    return",
        "    import sys, warnings\n    warnings.warn('careful')\n"
        "    print('seen', file=sys.stderr)\n    return",
    )


def _colab(notebook: Notebook) -> None:
    notebook["metadata"] = {
        "colab": {"provenance": [], "gpuType": "T4", "toc_visible": True},
        "accelerator": "GPU",
        "kernelspec": {"name": "python3", "display_name": "Python 3"},
    }
    for number, one in enumerate(notebook["cells"]):
        one["metadata"].pop("nbgrader", None)
        one["metadata"] |= {"id": f"aB{number}", "colab": {"base_uri": "https://localhost:8080/"}}
        if one["cell_type"] == "code":
            one["source"] = "#@title Answer { run: 'auto' }\n" + _source(one)


def _vs_code(notebook: Notebook) -> None:
    notebook["metadata"] = {"language_info": {"name": "python"}, "orig_nbformat": 4}
    for one in notebook["cells"]:
        one["metadata"] |= {"vscode": {"languageId": "python"}}


def _format_3(notebook: Notebook) -> Notebook:
    cells = []
    for one in notebook["cells"]:
        old = {"cell_type": one["cell_type"], "metadata": one["metadata"]}
        if one["cell_type"] == "code":
            old |= {"input": one["source"], "language": "python", "outputs": [], "collapsed": False}
        else:
            old |= {"source": one["source"]}
        cells.append(old)
    sheets = [{"cells": cells, "metadata": {}}]
    return {"metadata": {"name": ""}, "nbformat": 3, "nbformat_minor": 0, "worksheets": sheets}


def _format_4(minor: int) -> Callable[[Notebook], None]:
    def change(notebook: Notebook) -> None:
        notebook["nbformat_minor"] = minor
        for one in notebook["cells"]:
            one.pop("id", None)
            one["source"] = _source(one)

    return change


def _huge_outputs(notebook: Notebook) -> None:
    code = [c for c in notebook["cells"] if c["cell_type"] == "code"]
    code[0]["outputs"] = [{"output_type": "stream", "name": "stdout", "text": "x" * 50_000_000}]


def _fails_at_the_top(notebook: Notebook) -> Notebook:
    return insert(insert(notebook, "import nothing_like_this\n1 / 0"), "exit()")


def _set_up_fails(notebook: Notebook) -> None:
    """An import that is missing here, before the imports that the answers need, in one cell."""
    one = next(c for c in notebook["cells"] if "import torch" in _source(c))
    one["source"] = "import pandas_profiling_pro\n" + _source(one)


def _hangs_before(notebook: Notebook) -> Notebook:
    return insert(notebook, "while True: pass")


def _waits_for_input(notebook: Notebook) -> Notebook:
    return insert(notebook, "name = input('Who are you? ')")


def _plots(notebook: Notebook) -> Notebook:
    return insert(
        notebook,
        "%matplotlib inline\nimport matplotlib.pyplot as plt\nfrom tutor import live, trace\n"
        "from tutor.display.plots import heatmap\nplt.plot([1, 2]); plt.show()\n"
        "live(lambda fig: print, alt='x', height=(0, 1))\nheatmap(None).anything[:]",
    )


def _conflict(notebook: Notebook) -> bytes:
    text = json.dumps(notebook, indent=1)
    lines = text.splitlines()
    lines[5:5] = ["<<<<<<< HEAD", '  "x": 1,', "=======", ">>>>>>> other"]
    return "\n".join(lines).encode()


def _encoded(encoding: str, word: str = "Ada Müller, ünïcode") -> Callable[[], bytes]:
    def make() -> bytes:
        notebook = insert(_right(), f"name = '{word}'")
        return json.dumps(notebook, ensure_ascii=False).encode(encoding, errors="replace")

    return make


def _windows_lines(notebook: Notebook) -> bytes:
    for one in notebook["cells"]:
        one["source"] = _source(one).replace("\n", "\r\n")
    return json.dumps(notebook, indent=1).replace("\n", "\r\n").encode()


def _odd_cells(notebook: Notebook) -> None:
    notebook["cells"][0:0] = [None, 7, {}, {"cell_type": "code"}, {"source": [None, 3, "x = 1"]}]


def _truncated(notebook: Notebook) -> bytes:
    """The file ends in the middle of the last answer."""
    content = as_bytes(notebook)
    return content[: content.index(b"hidden = torch.tanh")]


def _conflict_of_both(notebook: Notebook) -> bytes:
    """Git left both versions of the whole file's beginning."""
    lines = json.dumps(notebook, indent=1).splitlines()
    lines[3:3] = ["<<<<<<< HEAD", "=======", '  "x": 1,,', ">>>>>>> other"]
    return "\n".join(lines).encode()


def _as_script(notebook: Notebook) -> bytes:
    code = [_source(c) for c in notebook["cells"] if c["cell_type"] == "code"]
    return "\n\n# In[ ]:\n\n".join(code).encode()


def _from_jupyters_server(notebook: Notebook) -> bytes:
    return as_bytes({"name": "04.ipynb", "type": "notebook", "content": notebook})


ACCIDENTS = [
    Accident("nothing happened", _changed(lambda n: None)),
    Accident("an answer cell copied", _changed(_copied_answer)),
    Accident("a stub copied below the answer", _changed(_copied_stub_below)),
    Accident("an old version above", _changed(_old_version_above)),
    Accident("a newer version at the end", _changed(_newer_version_at_the_end)),
    Accident("an answer deleted", _changed(_deleted_answer), {"additive_attention"}, "No answer"),
    Accident("all checks deleted", _changed(_deleted_checks)),
    Accident("an answer retyped", _changed(_retyped)),
    Accident("answered below the stub", _changed(_stub_kept_and_answered_below)),
    Accident("cells merged", _changed(_merged)),
    Accident("everything in one cell", _changed(_everything_in_one_cell)),
    Accident("metadata cleared", _changed(_cleared_metadata)),
    Accident(
        "metadata cleared and checks deleted",
        _changed(_cleared_and_unchecked),
        set(filter(is_predicted, WORTH)),  # nothing says which answer is whose
        "No answer",
    ),
    Accident("an answer turned to Markdown", _changed(_as_markdown), says="read as code"),
    Accident(
        "an answer turned to raw text",
        _changed(_as_fenced_markdown_without_metadata),
        says="read as code",
    ),
    Accident("a function renamed", _changed(_renamed_function)),
    Accident("a failing line before the answer", _changed(_statements_before_fail), says="Name"),
    Accident("an unfinished line", _changed(_unfinished_line_in_the_cell), says="SyntaxError"),
    Accident("magics and pip", _changed(_with_magics)),
    Accident("warnings on stderr", _changed(_warnings), says="careful"),
    Accident("Colab", _changed(_colab)),
    Accident("VS Code", _changed(_vs_code)),
    Accident("format 3", _changed(_format_3), says="old format"),
    *(Accident(f"format 4.{minor}", _changed(_format_4(minor))) for minor in range(6)),
    Accident("outputs of 50 MB", _changed(_huge_outputs)),
    Accident("cells that fail at the top", _changed(_fails_at_the_top), says="ModuleNotFound"),
    Accident("an import that is missing", _changed(_set_up_fails), says="pandas_profiling_pro"),
    Accident("a cell that never ends", _changed(_hangs_before), says="left out"),
    Accident("a cell that waits for input", _changed(_waits_for_input), says="EOFError"),
    Accident("plots and explorers", _changed(_plots)),
    Accident("cells that are none", _changed(_odd_cells)),
    Accident("byte order mark", _encoded("utf-8-sig"), says="UTF-8-SIG"),
    Accident("UTF-16", _encoded("utf-16"), says="UTF-16"),
    Accident("UTF-16 without a mark", _encoded("utf-16-le"), says="UTF-16-LE"),
    Accident("Windows' encoding", _encoded("cp1252"), says="CP1252"),
    Accident("Windows' encoding in Korean", _encoded("cp949", "점수가 같다"), says="CP949"),
    Accident("Windows' encoding in Japanese", _encoded("cp932", "てんすう"), says="CP932"),
    Accident("Windows' line ends", _changed(_windows_lines)),
    Accident("UTF-32", _encoded("utf-32"), says="UTF-32"),
    Accident("UTF-32 without a mark", _encoded("utf-32-le"), says="UTF-32-LE"),
    Accident("empty bytes at the end", _changed(lambda n: as_bytes(n) + bytes(900)), says="empty"),
    Accident("base64", _changed(lambda n: base64.encodebytes(as_bytes(n))), says="base64"),
    Accident("saved twice", _changed(lambda n: as_bytes(n) * 2), says="2 notebooks"),
    Accident("a tail of an older file", _changed(lambda n: as_bytes(n) + b'"]}}'), says="left out"),
    Accident("Python text", _changed(_as_script), says="Python text"),
    Accident("as Jupyter's server sends it", _changed(_from_jupyters_server)),
    Accident("cut off", _changed(_truncated), {"additive_attention"}, "cut off"),
    Accident("a conflict in Git", _changed(_conflict), says="conflict"),
    Accident("two versions by Git", _changed(_conflict_of_both), says="conflict"),
    Accident("Git's marks alone", lambda: b"<<<<<<< HEAD\n{", ALL, "conflict"),
    Accident(
        "a pointer of Git LFS",
        lambda: b"version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 9\n",
        ALL,
        "Git LFS",
    ),
    Accident("only empty bytes", lambda: bytes(5000), ALL, "nothing but empty bytes"),
    Accident("a PDF", lambda: b"%PDF-1.7 ...", ALL, "PDF"),
    Accident("an empty file", lambda: b"", ALL, "empty"),
    Accident("blanks", lambda: b" \n\n", ALL, "empty"),
    Accident("no JSON", lambda: b"hello", ALL, "damaged"),
    Accident("JSON, but a list", lambda: b"[1, 2]", ALL, "no notebook"),
    Accident("JSON, but no cells", lambda: b'{"a": 1}', ALL, "no cells"),
    Accident(
        "a notebook of something else",
        lambda: as_bytes({"cells": [cell("x = 1")]}),
        ALL,
        "no exercise",
    ),
    Accident("a zip archive", lambda: b"PK\x03\x04" + b"0" * 100, ALL, "zip"),
    Accident("a web page", lambda: b"<!DOCTYPE html><html></html>", ALL, "web page"),
    Accident("nested too deep", lambda: b'{"cells":' + b"[" * 200_000, ALL, "nested too deep"),
    Accident(
        "a million empty lists", lambda: b'{"cells":[' + b"[]," * 9_000_000 + b"[]]}", ALL, ""
    ),
    Accident(
        "ten thousand cells",
        lambda: as_bytes({"cells": [cell("x = 1")] * 10_000}),
        ALL,
        "more than",
    ),
]
