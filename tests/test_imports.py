"""Who may import whom inside the package, and what loading it costs."""

import ast
import subprocess
import sys
from collections.abc import Iterator
from graphlib import TopologicalSorter
from importlib import import_module, util
from pathlib import Path

import pytest

import tutor

PACKAGE = Path(tutor.__file__).parent

# A layer is a folder, and may import from those named beside it; files at the top are components.
MAY_IMPORT = {
    "components": {"components"},
    "models": {"components", "data"},
    "training": {"components", "data", "models"},
    "data": {"components"},
    "claims": {"components", "data", "display"},
    "checking": {"components"},
    "exercises": {"components", "checking"},
    "display": {"components", "data", "checking"},
    "explorers": {"components", "data", "claims", "models", "training", "display"},
    "grading": {"components", "checking", "exercises", "display"},
    "learner": {"components", "models", "checking", "exercises", "display"},
    "commands": {
        *("components", "data", "models", "training"),
        *("checking", "exercises", "display", "grading", "learner"),
    },
}
COMPONENTS_NEED = {"torch", "jaxtyping", "einops", "tutor", *sys.stdlib_module_names}
ALSO_NEEDS = {"subwords": {"tokenizers"}}  # lesson 2 trains byte-pair encoding with it

FILES = sorted(path for path in PACKAGE.rglob("*.py") if path != PACKAGE / "__init__.py")


def layer_of(module: str) -> str:
    """The layer of a module's name below `tutor`, as in "checking.values"."""
    top = module.split(".")[0]
    if top == "__main__":
        return "commands"
    return top if (PACKAGE / top).is_dir() else "components"


def imported(source: str) -> Iterator[str]:
    """Full names of all modules a file imports, wherever in the file."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, "imports inside the package are written out: from tutor.x"
            if node.module == "tutor":
                yield from (f"tutor.{alias.name}" for alias in node.names)
            else:
                yield str(node.module)


def wrong_imports(module: str, source: str) -> list[str]:
    """What a module imports though its layer may not."""
    layer, names = layer_of(module), list(imported(source))
    inside = [name.removeprefix("tutor.") for name in names if name.startswith("tutor.")]
    wrong = [name for name in inside if layer_of(name) not in MAY_IMPORT[layer] | {layer}]
    if layer == "components":
        needed = COMPONENTS_NEED | ALSO_NEEDS.get(module, set())
        wrong += [name for name in names if name.split(".")[0] not in needed]
    return wrong


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.relative_to(PACKAGE).as_posix())
def test_arrows_go_upwards_only(file: Path):
    module = ".".join(file.relative_to(PACKAGE).with_suffix("").parts)
    assert wrong_imports(module, file.read_text(encoding="utf-8")) == []


@pytest.mark.parametrize(
    ("module", "source", "wrong"),
    [
        ("attention", "import torch\nfrom tutor.mask import causal_keep", []),
        ("attention", "def f():\n    from tutor.display import plots", ["display"]),
        ("attention", "import matplotlib.pyplot as plt", ["matplotlib.pyplot"]),
        ("training.train", "import tqdm\nfrom tutor.transformer import Transformer", []),
        ("training.train", "from tutor.checking.values import equal", ["checking.values"]),
        ("models.smollm", "from tutor.training.train import Trainer", ["training.train"]),
        ("exercises.lesson04", "from tutor.data import files", ["data"]),
        ("display.reports", "from tutor.checking.verdict import Verdict", []),
        ("grading.judge", "from tutor.learner import check", ["learner"]),
    ],
)
def test_a_wrong_arrow_is_noticed(module: str, source: str, wrong: list[str]):
    assert wrong_imports(module, source) == wrong


def test_every_folder_is_a_layer_and_no_two_need_each_other():
    folders = {path.parent.name for path in PACKAGE.glob("*/__init__.py")}
    assert folders == set(MAY_IMPORT) - {"components"}
    list(TopologicalSorter(MAY_IMPORT | {"components": set()}).static_order())  # raises at a circle


def test_the_top_of_the_package_can_be_taken_in_at_a_glance():
    assert len([path for path in PACKAGE.iterdir() if path.is_file()]) <= 28


def loaded_by(statement: str) -> set[str]:
    """Names of all modules loaded after a statement in a fresh Python."""
    program = f"import sys\n{statement}\nprint(*sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, cwd=PACKAGE.parent
    )
    assert done.returncode == 0, done.stderr
    return set(done.stdout.split())


HEAVY = {"matplotlib", "ipywidgets", "IPython", "pandas", "seaborn", "tokenizers"}


def test_importing_the_package_costs_nothing():
    loaded = loaded_by("import tutor")
    assert {name for name in loaded if name.startswith("tutor")} == {"tutor"}
    assert loaded & {*HEAVY, "torch"} == set()


def test_components_load_neither_plots_nor_widgets_nor_data():
    loaded = loaded_by("import tutor.attention, tutor.transformer")
    assert "torch" in loaded
    assert loaded & {*HEAVY, "tutor.display.plots", "tutor.display.explorer", "tutor.data"} == set()


def test_shapes_without_numbers_do_without_torchs_compiler():
    built = "Transformer(TransformerConfig.tiny(vocabulary=9, positions='learned'))"
    imported = "import torch; from tutor.transformer import Transformer, TransformerConfig"
    loaded = loaded_by(f"{imported}\nwith torch.device('meta'): {built}")
    assert loaded & {"sympy", "torch._dynamo"} == set()


def test_public_names_are_listed_before_they_are_loaded():
    loaded = loaded_by("import tutor; assert {'check', 'live', 'trace'} <= set(dir(tutor))")
    assert "tutor.learner.check" not in loaded


def test_a_name_that_does_not_exist_is_refused():
    with pytest.raises(AttributeError, match="'tutor' has no attribute 'chek'"):
        _ = tutor.chek


@pytest.mark.parametrize("name", ["check", "hint", "progress", "question", "set_learner", "live"])
def test_public_names_stay_functions_when_everything_is_loaded(name: str):
    """A submodule of the same name would replace the function in the package once loaded."""
    import_module(tutor._PUBLIC[name])
    assert callable(getattr(tutor, name))
    assert util.find_spec(f"tutor.{name}") is None
