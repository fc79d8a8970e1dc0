"""What learners' code finds around it in the sandbox."""

import os
import re
import shutil
from pathlib import Path

import pytest

from tests.grading.classroom import RIGHT, cell, filled
from tests.grading.conftest import Grade, descendants, points
from tests.needs import missing
from tutor.grading.channel import SandboxError
from tutor.grading.inside.syscalls import allowed, filter_program
from tutor.grading.limits import Limits
from tutor.grading.sandbox import Sandbox, unavailable


@pytest.fixture
def inside(graded: Grade):
    """Evaluate an expression in the sandbox and give its value as text."""

    def evaluate(code: str) -> str:
        *lines, last = code.strip().splitlines()
        source = "\n".join([*lines, f"raise Exception('<' + str(({last})) + '>')"])
        result = graded({"cells": [cell(source), cell("def project_by_hand(x, W): pass")]})
        return re.search(r"<(.*)>", result.notes[0], flags=re.DOTALL).group(1)

    return evaluate


def test_it_is_alone(inside) -> None:
    assert inside("import os\nos.getpid(), os.getppid()") == "(1, 0)"
    assert inside("import os\nos.listdir('/proc')") == "[]"
    assert inside("import os\nos.listdir('/tmp')") == "[]"
    assert inside("import os\nos.listdir('/course')") == "[]"
    assert inside("import os\nsorted(os.listdir('/dev'))") == str(
        ["null", "random", "urandom", "zero"]
    )


def test_it_sees_no_folder_of_the_host(inside) -> None:
    for place in (Path.cwd(), Path(__file__).parent, Path("/home"), Path("/var"), Path("/sys")):
        assert inside(f"import os\nos.path.isdir({str(place)!r})") == "False"
    assert inside("import os\nos.path.exists('/etc/passwd')") == "False"
    assert inside("import os\nos.uname().nodename") == "sandbox"
    assert "HOME" in inside("import os\nlist(os.environ)")
    assert "PATH" not in inside("import os\n[n for n in os.environ if n == 'PATH']")


def test_it_holds_one_channel(inside) -> None:
    code = """
import os
def is_open(descriptor):
    try: os.fstat(descriptor)
    except OSError: return False
    return True
sum(map(is_open, range(4096)))
"""
    assert inside(code) == "4"  # /dev/null three times, and the channel


def test_its_process_has_no_capability_and_is_filtered(sandbox: Sandbox) -> None:
    before = descendants(os.getpid())
    with sandbox.channel():
        (process,) = descendants(os.getpid()) - before
        status = Path(f"/proc/{process}/status").read_text()
    facts = dict(re.findall(r"^(\w+):\s+(\S+)", status, flags=re.MULTILINE))
    for kind in ("CapInh", "CapPrm", "CapEff", "CapAmb"):
        assert int(facts[kind], 16) == 0, kind
    assert (facts["Seccomp"], facts["NoNewPrivs"], facts["Threads"]) == ("2", "1", "1")


def test_nothing_but_its_temporary_folder_can_be_written(inside) -> None:
    code = """
import os
found = []
for folder, below, _ in os.walk('/'):
    if folder.count('/') >= 3:
        del below[:]
    try: open(os.path.join(folder, 'left'), 'w').close()
    except OSError: continue
    found.append(folder)
found
"""
    assert inside(code) == "['/tmp']"
    assert inside("import os\nos.listdir('/tmp')") == "[]"  # the next one finds nothing left


def test_package_has_components_and_no_exercises(inside) -> None:
    assert "attention" in inside("import tutor.attention\ntutor.attention.additive_attention")
    assert inside("import tutor.exercises\nlist(vars(tutor.exercises))[-1:]") == "['__getattr__']"
    assert (
        inside("import sys\n[n for n in sys.modules if 'exercise' in n and 'lesson' in n]") == "[]"
    )


def test_numbers_are_the_same_each_time(inside) -> None:
    code = "import torch, random, numpy\ntorch.rand(1).item(), random.random(), hash('x')"
    assert inside(code) == inside(code)


def test_a_learners_number_of_threads_does_no_harm(graded: Grade) -> None:
    notebook = filled(RIGHT)
    source = "import torch\ntorch.set_num_threads(4)\ntorch.ones(900, 900) @ torch.ones(900, 900)"
    notebook["cells"].insert(0, cell(f"{source}\nassert torch.get_num_threads() == 1"))
    assert graded(notebook).notes == graded(filled(RIGHT)).notes == []


def test_course_functions_do_nothing(graded: Grade) -> None:
    notebook = filled(RIGHT)
    notebook["cells"].insert(
        1,
        cell(
            "from tutor import check, hint, live, progress, question, trace\n"
            "hint('project_by_hand'); progress(); question('predict_score'); trace(1)\n"
            "live(print, alt='x').png(height=3)\n"
            "report = check(3, name='no_such_exercise'); report.show()\n"
            "assert (report.points, report.passed, report.function) == (0, False, 3)\n"
            "from tutor.explorers import lesson04_self_attention\n"
            "for _ in lesson04_self_attention.anything(): pass"
        ),
    )
    result = graded(notebook)
    assert result.notes == []
    assert points(result)["additive_attention"] == 3


def test_sentences_of_the_package_are_said(graded: Grade) -> None:
    notebook = filled(RIGHT)
    code = "from tutor.say import say\nassert say('It is {n}.', n=1) == 'It is 1.', say('It is.')"
    notebook["cells"].insert(1, cell(code))
    assert graded(notebook).notes == []


def test_calls_that_are_allowed_fit_the_kernel_headers() -> None:
    header = Path("/usr/include/x86_64-linux-gnu/asm/unistd_64.h")
    generic = Path("/usr/include/asm-generic/unistd.h")
    if not header.exists():
        missing("the kernel's headers", "Debian and Ubuntu: sudo apt install linux-libc-dev")
    x86 = dict(re.findall(r"#define __NR_(\w+) (\d+)", header.read_text()))
    for name, number in allowed("x86_64").items():
        assert int(x86[name]) == number, name
    arm = dict(re.findall(r"#define __NR(?:3264)?_(\w+) (\d+)", generic.read_text()))
    arm["newfstatat"] = arm["fstatat"]
    for name, number in allowed("aarch64").items():
        assert int(arm[name]) == number, name


@pytest.mark.parametrize(
    "name",
    [
        *("clone", "clone3", "fork", "execve", "socket", "ptrace", "mount", "unshare", "keyctl"),
        *("bpf", "chmod", "setns", "process_vm_readv", "io_uring_setup", "memfd_create"),
        *("sendmsg", "ioctl"),
    ],
)
def test_dangerous_calls_are_not_allowed(name: str) -> None:
    assert name not in allowed("x86_64")
    assert name not in allowed("aarch64")
    assert "read" in allowed("x86_64")


def test_unknown_machine_is_refused() -> None:
    with pytest.raises(ValueError, match="riscv64"):
        allowed("riscv64")
    assert len(filter_program("x86_64")) % 8 == 0


def test_refusal_says_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shutil, "which", lambda _: None)
    assert "apt install bubblewrap" in str(unavailable())
    monkeypatch.setattr("sys.platform", "darwin")
    assert "Linux" in str(unavailable())


@pytest.mark.parametrize("program", ["", "#!/no/such/program\n", "no program"])
def test_bubblewrap_that_cannot_be_started_is_a_fault(
    program: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    if program:
        (tmp_path / "bwrap").write_text(program)
        (tmp_path / "bwrap").chmod(0o755)
    said = "cannot be started" if program else "apt install bubblewrap"
    assert said in str(unavailable())
    with pytest.raises(SandboxError, match=said):
        Sandbox(Limits())


def test_sandbox_that_cannot_start_is_a_fault(
    bubblewrap: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tutor.grading.zygotes._START", "print(1) or exit(3) #{paths}")
    with pytest.raises(SandboxError, match="ended"):
        Sandbox(Limits())


@pytest.mark.long
def test_sandbox_whose_zygote_dies_is_a_fault(bubblewrap: None) -> None:
    one = Sandbox(Limits())
    one._zygotes._process.kill()
    with pytest.raises(SandboxError), one.channel():
        pass
    one.close()
