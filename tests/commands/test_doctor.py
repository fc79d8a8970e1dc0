"""Each fault the doctor knows is made in an environment that is sound without it."""

import argparse
import json
import os
import re
import shutil
import site
import subprocess
import sys
from pathlib import Path

import pytest
import torch
from matplotlib import font_manager

from tutor.commands import doctor
from tutor.display import style

ROOT = Path(__file__).parents[2]
KERNEL = "share/jupyter/kernels/python3/kernel.json"
MANAGER = "share/jupyter/labextensions/@jupyter-widgets/jupyterlab-manager"


class Environment:
    """A small environment of its own that borrows the installed packages of this one."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder / "env"
        self.course = ROOT
        self.own = folder / "own"  # where the learner's own Jupyter settings lie
        subprocess.run([sys.executable, "-m", "venv", "--without-pip", self.folder], check=True)
        self.python = self.folder / "bin" / "python"
        (self.packages,) = self.folder.glob("lib/python*/site-packages")
        borrowed = "\n".join(f"import site; site.addsitedir({p!r})" for p in site.getsitepackages())
        (self.packages / "borrowed.pth").write_text(borrowed)
        self.pretend_installed("transformer-tutor", "0.1.0")
        for part in ("lab/schemas", "kernels/python3", "labextensions/@jupyter-widgets"):
            shared = Path(sys.prefix, "share/jupyter", part)
            shutil.copytree(shared, self.folder / "share/jupyter" / part, symlinks=True)

    def pretend_installed(self, name: str, version: str) -> Path:
        info = self.packages / f"{name.replace('-', '_')}-{version}.dist-info"
        info.mkdir()
        metadata = f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n"
        (info / "METADATA").write_text(metadata)
        return info

    def run(self, *command: str) -> subprocess.CompletedProcess[str]:
        variables = dict(os.environ, PYTHONPATH=str(self.course), JUPYTER_PREFER_ENV_PATH="1")
        for name in ("CONFIG", "DATA", "RUNTIME"):
            variables[f"JUPYTER_{name}_DIR"] = str(self.own)
        return subprocess.run(
            [self.python, *command], capture_output=True, text=True, env=variables, cwd=self.folder
        )

    def diagnoses(self, check: str) -> str:
        """What one check says in this environment."""
        program = f"from tutor.commands import doctor\nfor each in doctor.{check}(): print(each)"
        done = self.run("-c", program)
        assert done.returncode == 0, done.stderr
        return done.stdout.strip()


@pytest.fixture
def environment(tmp_path: Path) -> Environment:
    return Environment(tmp_path)


@pytest.mark.long
def test_a_sound_environment_passes_once_its_settings_are_mended(environment: Environment):
    said = environment.diagnoses("subshells")
    assert said.startswith("no   Sliders move while a cell runs")
    assert f"{environment.python} -m tutor doctor --mend" in said
    mended = environment.run("-m", "tutor", "doctor", "--mend")
    assert "Cure:" not in mended.stdout
    for sound in ("Python", r"\d+ packages", "Notebooks run", r"Widget manager 5\.", "Jupyter can"):
        assert re.search(f"^ok   {sound}", mended.stdout, re.MULTILINE), sound
    assert mended.stdout.endswith("Nothing is wrong. Next: make lab\n")
    assert mended.returncode == 0


def test_the_course_not_installed(environment: Environment, tmp_path: Path):
    shutil.rmtree(environment.packages / "transformer_tutor-0.1.0.dist-info")
    (environment.packages / "borrowed.pth").unlink()  # the course may be installed over there
    # In the course's own folder, which is on the path, a build leaves notes that look like it.
    environment.course = tmp_path / "course"
    modules = shutil.ignore_patterns("data", "exercises", "explorers", "grading")
    shutil.copytree(ROOT / "tutor", environment.course / "tutor", ignore=modules)
    notes = environment.course / "transformer_tutor.egg-info"
    notes.mkdir()
    (notes / "PKG-INFO").write_text("Name: transformer-tutor\nVersion: 0.1.0\n")
    said = environment.diagnoses("python")
    assert said.startswith("no   The course is not installed")
    assert f'{environment.python} -m pip install -c constraints.txt -e ".[lab]"' in said


def test_another_package_of_the_same_name(environment: Environment):
    environment.pretend_installed("tutor", "20.0.0")
    said = environment.diagnoses("python")
    assert "no   Another package by the name of tutor" in said
    assert "pip uninstall tutor" in said


def test_python_too_old(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(doctor, "OLDEST_PYTHON", (3, 99))
    diagnosis = next(doctor.python())
    assert "too old" in diagnosis.what
    assert diagnosis.cure is not None


def test_a_package_of_a_version_that_does_not_fit(environment: Environment):
    environment.pretend_installed("ipywidgets", "7.7.5")  # found before the borrowed one
    said = environment.diagnoses("packages")
    assert "no   ipywidgets<9,>=8.1 is needed, 7.7.5 is here" in said
    assert "Cure:" in said


def test_a_package_that_is_missing(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(doctor, "_requirements", lambda: ["numpy>=1", "surely-not-installed>=1"])
    (diagnosis,) = doctor.packages()
    assert diagnosis.what == "surely-not-installed is missing"


def test_without_the_course_around_it_the_installed_requirements_count(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(doctor, "course_folder", lambda: tmp_path)
    recorded = ["torch>=2.4", 'ruff>=0.11; extra == "dev"']
    monkeypatch.setattr(doctor.metadata, "requires", lambda distribution: recorded)
    assert doctor._requirements() == ["torch>=2.4"]


@pytest.mark.parametrize("program", ["/no/such/python", getattr(sys, "_base_executable", "")])
def test_the_kernel_of_another_environment_and_its_cure(program: str, environment: Environment):
    spec = json.loads((environment.folder / KERNEL).read_text())
    spec["argv"][0] = program
    (environment.folder / KERNEL).write_text(json.dumps(spec))
    said = environment.diagnoses("kernel")
    assert said.startswith(f"no   Notebooks run in another environment, {program}")
    assert f"{environment.python} -m ipykernel install --sys-prefix" in said
    environment.run("-m", "ipykernel", "install", "--sys-prefix")
    assert environment.diagnoses("kernel").startswith("ok")


def test_no_widget_manager(environment: Environment):
    shutil.rmtree(environment.folder / MANAGER)
    said = environment.diagnoses("widget_manager")
    assert said.startswith("no   JupyterLab has no widget manager")
    assert "jupyterlab_widgets" in said


@pytest.mark.long
def test_a_widget_manager_of_the_wrong_major_version(environment: Environment):
    package = environment.folder / MANAGER / "package.json"
    content = json.loads(package.read_text())
    package.unlink()
    package.write_text(json.dumps(content | {"version": "3.1.11"}))
    said = environment.diagnoses("widget_manager")
    assert said.startswith("no   Widget manager 3.1.11 in")
    assert f"remove {environment.folder / MANAGER}" in said


@pytest.mark.long
def test_a_widget_manager_that_is_switched_off(environment: Environment):
    config = environment.folder / "etc/jupyter/labconfig/page_config.json"
    config.parent.mkdir(parents=True)
    name = doctor.WIDGET_MANAGER
    config.write_text(json.dumps({"disabledExtensions": {f"{name}:plugin": True}}))
    said = environment.diagnoses("widget_manager")
    assert said.startswith("no   The widget manager is switched off")
    assert f"jupyter labextension enable {name}" in said
    config.write_text(json.dumps({"disabledExtensions": {name: False}}))
    assert environment.diagnoses("widget_manager").startswith("ok")


@pytest.mark.long
def test_subshells_that_the_learners_own_settings_switch_on(environment: Environment):
    environment.run("-c", "from tutor.commands.lab import write_settings; write_settings()")
    folder = environment.own / "lab/user-settings/@jupyterlab/apputils-extension"
    folder.mkdir(parents=True)
    file = folder / "kernels-settings.jupyterlab-settings"
    file.write_text('{"commsOverSubshells": "perComm"}')
    said = environment.diagnoses("subshells")
    assert said.startswith("no   Your own JupyterLab settings")
    assert "perComm)" in said
    file.write_text('{"commsOverSubshells": "disabled"}')
    assert environment.diagnoses("subshells").startswith("ok")


def test_without_jupyterlab_nothing_of_it_is_looked_at(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(doctor, "find_spec", lambda name: None)
    for named in ("python", "packages", "kernel", "fonts", "device"):
        monkeypatch.setattr(doctor, named, lambda: iter(()))
    (diagnosis,) = doctor.diagnose()
    assert diagnosis.cure is None
    assert "JupyterLab is not installed" in diagnosis.what


def test_matplotlibs_font_missing(monkeypatch: pytest.MonkeyPatch):
    assert [diagnosis.cure for diagnosis in doctor.fonts()] == [None]
    monkeypatch.setattr(style, "vendored_fonts", lambda: ("Course Sans",))
    monkeypatch.setattr(font_manager.fontManager, "ttflist", [])
    (diagnosis,) = doctor.fonts()
    assert "DejaVu Sans, is missing" in diagnosis.what
    assert diagnosis.cure is not None


def test_the_courses_typeface_missing(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(style, "vendored_fonts", lambda: ())
    (diagnosis,) = doctor.fonts()
    assert "Korean words will show as boxes" in diagnosis.what
    assert diagnosis.cure is not None


@pytest.mark.parametrize(
    ("cuda", "mps", "tried"),
    [(True, False, "cuda"), (True, True, "cuda"), (False, True, "mps")],
)
def test_a_device_that_cannot_compute(
    cuda: bool, mps: bool, tried: str, monkeypatch: pytest.MonkeyPatch
):
    assert [diagnosis.cure for diagnosis in doctor.device()] == [None]
    if torch.cuda.is_available() or torch.backends.mps.is_available():
        pytest.skip("this machine's GPU works")
    monkeypatch.setattr(torch.cuda, "is_available", lambda: cuda)
    monkeypatch.setattr(torch.backends.mps, "is_available", lambda: mps)
    (diagnosis,) = doctor.device()
    assert f"cannot compute on {tried}" in diagnosis.what
    assert diagnosis.cure is not None


def test_a_check_that_breaks_is_a_diagnosis_and_the_others_still_run(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    def broken() -> None:
        raise ImportError("No module named 'packaging'")

    monkeypatch.setattr(doctor, "_requirements", broken)
    assert doctor.run(argparse.Namespace(mend=False)) == 1
    said = capsys.readouterr().out
    assert "no   packages: ImportError: No module named 'packaging'" in said
    assert "PyTorch" in said


@pytest.mark.parametrize(("cure", "code"), [(None, 0), ("do this", 1)])
def test_the_exit_code_says_whether_anything_is_wrong(
    cure: str | None,
    code: int,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
):
    monkeypatch.setattr(doctor, "diagnose", lambda: [doctor.Diagnosis("Something", cure)])
    assert doctor.run(argparse.Namespace(mend=False)) == code
    assert ("Found 1 to cure" in capsys.readouterr().out) == bool(code)


@pytest.mark.long
def test_a_damaged_kernel_spec_and_its_cure(environment: Environment):
    spec = environment.folder / KERNEL
    for damage in ("", "{", "[]", '{"argv": []}', '{"argv": 3}', "\xff\xfe", '{"name": "P"}'):
        spec.write_text(damage, encoding="latin-1")
        said = environment.diagnoses("kernel")
        assert said.startswith("no   What tells Jupyter how to run Python is damaged or missing")
        assert f"remove {spec.parent}, then: {environment.python} -m ipykernel install" in said
    shutil.rmtree(spec.parent)
    environment.run("-m", "ipykernel", "install", "--sys-prefix")
    assert environment.diagnoses("kernel").startswith("ok")


def test_a_folder_of_jupyter_that_cannot_be_written(environment: Environment):
    shutil.rmtree(environment.own, ignore_errors=True)  # there if a test before this one made it
    environment.own.write_text("a file where a folder should be")
    said = environment.diagnoses("folders")
    assert said.startswith(f"no   Jupyter cannot write to {environment.own}.")
    assert "JUPYTER_RUNTIME_DIR" in said


@pytest.mark.long
def test_a_korean_path_under_an_old_code_page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    folder = tmp_path / "수업"
    folder.mkdir()
    korean = Environment(folder)
    for name, value in (("PYTHONIOENCODING", "cp949"), ("PYTHONUTF8", "0"), ("LC_ALL", "C")):
        monkeypatch.setenv(name, value)
    done = korean.run("-m", "tutor", "doctor", "--mend")
    assert "Traceback" not in done.stderr
    assert "Notebooks run in this environment" in done.stdout
    assert done.returncode == 0, done.stdout
