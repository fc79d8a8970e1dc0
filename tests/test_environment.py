"""What is asked for, in pyproject.toml, constraints.txt and environment.yml, says the same."""

import tomllib
from importlib.metadata import PackageNotFoundError, metadata, version
from pathlib import Path

import pytest
import yaml
from packaging.requirements import Requirement
from packaging.specifiers import SpecifierSet
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parents[1]
CONDA_NAMES = {"pytorch": "torch"}
PROMISED = {"torch", "jupyterlab", "matplotlib", "seaborn", "ipywidgets", "nbval"}

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
EXTRAS = PROJECT["optional-dependencies"]
ASKED_FOR = [*PROJECT["dependencies"], *(line for extra in EXTRAS.values() for line in extra)]


def specifiers(lines: list[str]) -> dict[str, str]:
    """Package -> range, both written in one way."""
    requirements = [Requirement(line) for line in lines]
    return {canonicalize_name(one.name): str(one.specifier) for one in requirements}


def constraints() -> dict[str, str]:
    lines = (ROOT / "constraints.txt").read_text(encoding="utf-8").splitlines()
    pins = [line for line in lines if line and not line.startswith("#")]
    parted = (pin.partition("==") for pin in pins)
    return {canonicalize_name(name): version for name, _, version in parted}


def test_conda_gets_the_same_as_pip():
    environment = yaml.safe_load((ROOT / "environment.yml").read_text(encoding="utf-8"))
    conda = [line for line in environment["dependencies"] if isinstance(line, str)]
    (pip,) = (line["pip"] for line in environment["dependencies"] if isinstance(line, dict))
    assert "--editable ." in pip
    lines = [*conda, *(line for line in pip if not line.startswith("-"))]
    found = {CONDA_NAMES.get(name, name): spec for name, spec in specifiers(lines).items()}
    wanted = specifiers([*PROJECT["dependencies"], *EXTRAS["lab"], *EXTRAS["lab-ko"]])
    wanted |= {"python": PROJECT["requires-python"], "pip": ""}
    checks = specifiers(EXTRAS["dev"])
    wanted |= {name: checks[name] for name in PROMISED & checks.keys()}
    assert found == wanted
    assert found.keys() >= PROMISED


@pytest.mark.parametrize("line", ASKED_FOR)
def test_the_exact_version_of_each_package_lies_in_its_range(line: str):
    requirement = Requirement(line)
    version = constraints()[canonicalize_name(requirement.name)]
    assert requirement.specifier.contains(version), version


def test_constraints_are_exact_without_build_tags():
    for pin in constraints().values():
        # "torch==2.13.0" takes the CPU build as well as CUDA's; "2.13.0+cpu" would take one only.
        assert pin
        assert "+" not in pin
        assert "*" not in pin


def installed() -> dict[str, str]:
    """Versions here of what the constraints name; some are for other systems only."""
    found = {}
    for name in constraints():
        try:
            found[name] = version(name).split("+")[0]
        except PackageNotFoundError:
            continue
    return found


def test_what_is_installed_is_what_the_constraints_say():
    """Else stored outputs and test results belong to versions nobody will get."""
    assert installed() == {name: constraints()[name] for name in installed()}
    assert "torch" in installed()


def test_every_exact_version_runs_on_the_oldest_python_the_course_allows():
    oldest = PROJECT["requires-python"].removeprefix(">=") + ".0"
    asked = {name: metadata(name).get("Requires-Python") or "" for name in installed()}
    assert [name for name, spec in asked.items() if oldest not in SpecifierSet(spec)] == []


def test_a_code_host_tries_the_oldest_python_and_the_newest():
    workflow = yaml.safe_load((ROOT / ".github/workflows/test.yml").read_text(encoding="utf-8"))
    oldest = PROJECT["requires-python"].removeprefix(">=")
    for job in ("make", "windows"):
        assert workflow["jobs"][job]["strategy"]["matrix"]["python"] == [oldest, "3.x"]


def test_the_distribution_does_not_take_the_name_of_another():
    assert PROJECT["name"] == "transformer-tutor"  # "tutor" on PyPI is something else
