"""``tutor doctor``: look at the environment the course runs in; every fault comes with its cure."""

import argparse
import contextlib
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from importlib import metadata
from importlib.util import find_spec
from pathlib import Path

from tutor.commands.install import DISTRIBUTION, install_command, run_here
from tutor.commands.lab import (
    COURSE_SETTINGS,
    jupyter_refused,
    settings_file,
    write_settings,
)
from tutor.learner.course import course_folder, is_installed
from tutor.say import say

OLDEST_PYTHON = (3, 11)
KERNEL_SETTINGS = "@jupyterlab/apputils-extension:kernels-settings"
WIDGET_MANAGER = "@jupyter-widgets/jupyterlab-manager"
_AGAIN = ("pip", "install", "--force-reinstall", "--no-deps")
WIDGET_MANAGER_MAJOR = 5  # what the widgets of ipywidgets 8 need


@dataclass(frozen=True)
class Diagnosis:
    """One thing looked at; it has a cure if, and only if, something is wrong with it."""

    what: str
    cure: str | None = None

    def __str__(self) -> str:
        if self.cure is None:
            return say("ok   {what}", what=self.what)
        return say("no   {what}\n     Cure: {cure}", what=self.what, cure=self.cure)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Describe the options of ``tutor doctor``."""
    parser.add_argument(
        "--mend",
        action="store_true",
        help=say(
            "First put the course's settings for JupyterLab back, then look. Your own settings, "
            "notebooks and answers stay as they are."
        ),
    )


def run(arguments: argparse.Namespace) -> int:
    """Print all diagnoses; the exit code is 1 if there is a fault."""
    if arguments.mend:
        with contextlib.suppress(ImportError, OSError):  # the diagnoses will tell
            write_settings()
    faults = 0
    for diagnosis in diagnose():
        print(diagnosis, flush=True)
        faults += diagnosis.cure is not None
    if faults:
        print(say("Found {faults} to cure. After that run the doctor again.", faults=faults))
        return 1
    print(say("Nothing is wrong. Next: {command}", command=_next_step()))
    return 0


def _next_step() -> str:
    """Name what opens the course: in a clone `tutor` is seldom on the path."""
    if find_spec("jupyterlab") is None:
        return "tutor copy"
    return "tutor lab" if is_installed() or os.name == "nt" else "make lab"


def diagnose() -> Iterator[Diagnosis]:
    """Give the diagnoses one by one; a check that cannot even run is a diagnosis too."""
    lab = [folders, widget_manager, subshells] if find_spec("jupyterlab") else [no_lab]
    checks: list[Callable[[], Iterator[Diagnosis]]] = [
        python,
        packages,
        kernel,
        *lab,
        fonts,
        device,
    ]
    for check in checks:
        try:
            yield from check()
        except Exception as error:
            yield Diagnosis(f"{check.__name__}: {type(error).__name__}: {error}", install_command())


def python() -> Iterator[Diagnosis]:
    """Look at the Python that runs this, and whether the course is installed in it."""
    version = ".".join(str(part) for part in sys.version_info[:3])
    here = say("Python {version} in {prefix}", version=version, prefix=sys.prefix)
    if sys.version_info[:2] < OLDEST_PYTHON:
        yield Diagnosis(
            say("{here} is too old", here=here),
            say("install Python 3.11 or newer, then: make setup"),
        )
    elif not _course_installed():
        yield Diagnosis(say("The course is not installed in {here}", here=here), install_command())
    else:
        yield Diagnosis(here)
    if _installed("tutor"):
        yield Diagnosis(
            say("Another package by the name of tutor is installed and may be imported instead"),
            say(
                "{first}, then {then}",
                first=run_here("pip", "uninstall", "tutor"),
                then=install_command(),
            ),
        )


def packages() -> Iterator[Diagnosis]:
    """Compare what is installed with the ranges that the course allows."""
    from packaging.requirements import Requirement

    requirements = [Requirement(line) for line in _requirements()]
    wrong = []
    for requirement in requirements:
        if not _installed(requirement.name):
            wrong.append(say("{name} is missing", name=requirement.name))
        elif not requirement.specifier.contains(metadata.version(requirement.name), True):
            here = metadata.version(requirement.name)
            wrong.append(say("{wanted} is needed, {here} is here", wanted=requirement, here=here))
    for fault in wrong:
        yield Diagnosis(fault, install_command())
    if not wrong:
        count = len({one.name for one in requirements})
        yield Diagnosis(say("{count} packages, all in versions that fit", count=count))


def kernel() -> Iterator[Diagnosis]:
    """See whether notebooks, which ask for the kernel python3, run in this environment."""
    from jupyter_client.kernelspec import KernelSpecManager

    install = run_here("ipykernel", "install", "--sys-prefix")
    known = KernelSpecManager()
    try:
        spec = known.get_kernel_spec("python3")
        program = spec.argv[0]
    except Exception as error:  # whatever damage does to a JSON file
        folder = known.find_kernel_specs().get("python3", "")
        yield Diagnosis(
            say(
                "What tells Jupyter how to run Python is damaged or missing ({error}): {folder}",
                error=type(error).__name__,
                folder=folder,
            ),
            say("remove {folder}, then: {install}", folder=folder, install=install),
        )
        return
    # Jupyter takes these names for the Python it runs in itself.
    if program in ("python", "python3", f"python3.{sys.version_info[1]}"):
        program = sys.executable
    if _prefix_of(program) == Path(sys.prefix).resolve():
        yield Diagnosis(say("Notebooks run in this environment"))
    else:
        yield Diagnosis(
            say(
                "Notebooks run in another environment, {program} (says {resource_dir})",
                program=program,
                resource_dir=spec.resource_dir,
            ),
            say(
                "{install}; if that is not enough, remove {resource_dir}",
                install=install,
                resource_dir=spec.resource_dir,
            ),
        )


def no_lab() -> Iterator[Diagnosis]:
    """Say what is done without JupyterLab, which need not be here."""
    yield Diagnosis(
        say("JupyterLab is not installed: notebooks open with what you have, such as VS Code")
    )


def folders() -> Iterator[Diagnosis]:
    """See whether Jupyter may write where it has to."""
    if refused := jupyter_refused():
        *what, cure = refused
        yield Diagnosis(" ".join(what), cure)
    else:
        yield Diagnosis(say("Jupyter can write to its folders"))


def widget_manager() -> Iterator[Diagnosis]:
    """See whether JupyterLab has the part that shows sliders, of the right major version."""
    from jupyter_core.paths import jupyter_path
    from jupyterlab.commands import get_app_dir
    from jupyterlab_server.config import get_federated_extensions, get_page_config

    reinstall = run_here(*_AGAIN, "jupyterlab_widgets")
    folders = jupyter_path("labextensions")
    found = get_federated_extensions(folders).get(WIDGET_MANAGER)
    if found is None:
        yield Diagnosis(say("JupyterLab has no widget manager: sliders will not show"), reinstall)
        return
    version, place = found["version"], found["ext_path"]
    if int(version.split(".")[0]) != WIDGET_MANAGER_MAJOR:
        yield Diagnosis(
            say(
                "Widget manager {version} in {place} does not fit; {wanted} is needed",
                version=version,
                place=place,
                wanted=WIDGET_MANAGER_MAJOR,
            ),
            say("remove {place}, then: {reinstall}", place=place, reinstall=reinstall),
        )
        return
    disabled = get_page_config(folders, str(Path(get_app_dir()) / "settings"))["disabledExtensions"]
    if WIDGET_MANAGER in [name.split(":")[0] for name in disabled]:
        yield Diagnosis(
            say("The widget manager is switched off: sliders will not show"),
            run_here("jupyter", "labextension", "enable", WIDGET_MANAGER),
        )
        return
    yield Diagnosis(say("Widget manager {version}", version=version))


def subshells() -> Iterator[Diagnosis]:
    """See whether sliders share the kernel's main thread, as the course's settings say."""
    from jupyterlab.commands import get_app_dir, get_user_settings_dir
    from jupyterlab_server.settings_utils import get_settings

    lab, own = Path(get_app_dir()), get_user_settings_dir()
    setting, _ = get_settings(
        str(lab / "settings"), str(lab / "schemas"), own, schema_name=KERNEL_SETTINGS
    )
    wanted = COURSE_SETTINGS[KERNEL_SETTINGS]["commsOverSubshells"]
    chosen = setting["settings"].get("commsOverSubshells")
    default = setting["schema"]["properties"]["commsOverSubshells"]["default"]
    if (chosen or default) == wanted:
        yield Diagnosis(say("Sliders wait while a cell runs, so that its plots come out right"))
    elif chosen:
        yield Diagnosis(
            say(
                "Your own JupyterLab settings in {own} let sliders move while a cell runs "
                "(commsOverSubshells: {chosen}): its plots can come out wrong",
                own=own,
                chosen=chosen,
            ),
            say(
                "in JupyterLab, Settings > Settings Editor > Kernels: set it to {wanted}",
                wanted=wanted,
            ),
        )
    else:
        yield Diagnosis(
            say(
                "Sliders move while a cell runs (commsOverSubshells: {default}): its plots "
                "can come out wrong; {file} is missing",
                default=default,
                file=settings_file(),
            ),
            run_here("tutor", "doctor", "--mend"),
        )


def fonts() -> Iterator[Diagnosis]:
    """See whether the fonts of the pictures are there: the course's and matplotlib's own."""
    from matplotlib.font_manager import fontManager

    from tutor.display.style import FONTS, vendored_fonts

    files = [font.fname for font in fontManager.ttflist if font.name == "DejaVu Sans"]
    own, course = any(Path(file).exists() for file in files), vendored_fonts()
    if not own:
        yield Diagnosis(
            say("matplotlib's own font, DejaVu Sans, is missing"),
            run_here(*_AGAIN, "matplotlib"),
        )
    if not course:
        yield Diagnosis(
            say(
                "The course's typeface is missing from {fonts}: Korean words will show as boxes",
                fonts=FONTS,
            ),
            " ".join([install_command(), "--force-reinstall", "--no-deps"])
            if is_installed()
            else say("git checkout -- tutor/data/fonts  (in the course's folder)"),
        )
    if own and course:
        yield Diagnosis(say("Fonts: {fonts}", fonts=", ".join(["DejaVu Sans", *course])))


def device() -> Iterator[Diagnosis]:
    """Try the fastest device there is, though nothing in the course needs more than the CPU."""
    import torch

    name = "mps" if torch.backends.mps.is_available() else "cpu"
    name = "cuda" if torch.cuda.is_available() else name
    try:
        works = torch.ones(2, device=name).sum().item() == 2
        said = say("wrong results")
    except (RuntimeError, AssertionError) as error:
        works, said = False, str(error).splitlines()[0]
    if works:
        yield Diagnosis(
            say("PyTorch {version} computes on: {name}", version=torch.__version__, name=name)
        )
    else:
        yield Diagnosis(
            say(
                "PyTorch {version} cannot compute on {name}: {said}",
                version=torch.__version__,
                name=name,
                said=said,
            ),
            say("update the driver; until then hide the device with CUDA_VISIBLE_DEVICES= (empty)"),
        )


def _installed(distribution: str) -> bool:
    try:
        metadata.version(distribution)
    except metadata.PackageNotFoundError:
        return False
    return True


def _course_installed() -> bool:
    """Whether this Python has the course, not only the notes of a build that lie in its folder."""
    found = metadata.distributions(name=DISTRIBUTION)
    places = [Path(str(one.locate_file(""))).resolve() for one in found]
    return any(place != course_folder() for place in places)


def _requirements() -> list[str]:
    """Read what the course needs: from its folder, which is newest, else as it was installed."""
    import tomllib

    pyproject = course_folder() / "pyproject.toml"
    if pyproject.exists():
        project = tomllib.loads(pyproject.read_text(encoding="utf-8"))["project"]
        return [*project["dependencies"], *project["optional-dependencies"]["lab"]]
    return [line for line in metadata.requires(DISTRIBUTION) or [] if "extra ==" not in line]


def _prefix_of(program: str) -> Path | None:
    """Ask a Python which environment it is; None if it does not even start."""
    question = "import os, sys; sys.stdout.buffer.write(os.fsencode(sys.prefix))"
    try:
        prefix = subprocess.check_output([program, "-c", question], timeout=600)
        return Path(os.fsdecode(prefix)).resolve()
    except (OSError, subprocess.SubprocessError):
        return None
