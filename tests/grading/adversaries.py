"""Notebooks that want points they have not earned, or harm: each a cell and what it is after."""

from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]

# What these cells end in: answers to an exercise that are wrong unless the trick works.
WRONG_ATTENTION = """
def scaled_dot_product_attention(q, k, v):
    return v, q
"""


@dataclass(frozen=True)
class Adversary:
    """One hostile notebook.

    Attributes:
        name: what it tries.
        code: its first cell.
        attention: its answer to scaled_dot_product_attention.
    """

    name: str
    code: str
    attention: str = WRONG_ATTENTION


def _function(body: str) -> str:
    lines = "\n".join(f"    {line}" for line in body.strip().splitlines())
    return f"def scaled_dot_product_attention(q, k, v):\n{lines}\n"


TRICKS = [
    # --- the comparison and the checker, patched in the learner's process
    Adversary("torch.allclose says yes", "import torch; torch.allclose = lambda *a, **k: True"),
    Adversary("torch.equal says yes", "import torch; torch.equal = lambda *a: True"),
    Adversary(
        "tensor comparison says yes",
        "import torch\n"
        "for name in ('__eq__', '__ne__', '__le__', 'allclose', 'equal', 'isclose'):\n"
        "    setattr(torch.Tensor, name, lambda *a, **k: torch.ones((), dtype=torch.bool))",
    ),
    Adversary(
        "torch.testing is silenced",
        "import torch.testing; torch.testing.assert_close = lambda *a, **k: None",
    ),
    Adversary("numpy compares gladly", "import numpy; numpy.allclose = lambda *a, **k: True"),
    Adversary(
        "builtins are patched",
        "import builtins\n"
        "for name in ('abs', 'max', 'all', 'any', 'isinstance', 'sum', 'len'):\n"
        "    setattr(builtins, name, lambda *a, **k: True)",
    ),
    Adversary(
        "the canonical form is patched",
        "import tutor.checking.calls as calls, tutor.checking.values as values\n"
        "values.canonical = calls.canonical = lambda result: ()\n"
        "values.equal = lambda *a, **k: True",
    ),
    Adversary(
        "outcomes without failures",
        "import tutor.checking.calls as calls\n"
        "calls.FunctionAnswer.run = lambda *a, **k: calls.Outcome(value=())",
    ),
    Adversary(
        "check gives full points",
        "import tutor\n"
        "tutor.check = lambda *a, **k: type('R', (), dict(points=3, passed=True, show=print))()",
    ),
    Adversary(
        "the verdict is imported and forged",
        "from tutor.checking.verdict import Verdict\n"
        "from tutor.checking import examine\n"
        "examine.examine = lambda *a: Verdict('x', 'right', 3, 3, '')",
    ),
    Adversary(
        "an import hook",
        "import sys\n"
        "class Hook:\n"
        "    def find_spec(self, name, path, target=None):\n"
        "        raise SystemExit(0)\n"
        "sys.meta_path.insert(0, Hook())",
    ),
    Adversary(
        "an AST transformer in builtins.compile",
        "import builtins, ast\n"
        "old = builtins.compile\n"
        "def compile(source, *a, **k):\n"
        "    return old('pass', *a[:2])\n"
        "builtins.compile = compile",
    ),
    # --- results that lie about themselves
    Adversary(
        "a tensor subclass that equals everything",
        "import torch\n"
        "class Yes(torch.Tensor):\n"
        "    @classmethod\n"
        "    def __torch_function__(cls, func, types, args=(), kwargs=None):\n"
        "        return True",
        _function("return v.as_subclass(Yes), q.as_subclass(Yes)"),
    ),
    Adversary(
        "a float that equals everything",
        "class Yes(float):\n"
        "    __eq__ = __le__ = __ge__ = __lt__ = lambda *a: True\n"
        "    __hash__ = float.__hash__",
        _function("return Yes(1.0), Yes(2.0)"),
    ),
    Adversary(
        "a dict with a surprising items",
        "class Odd(dict):\n    def items(self):\n        while True:\n            yield 'a', 1",
        _function("return Odd()"),
    ),
    Adversary(
        "a tuple that never ends",
        "class Endless(tuple):\n    def __iter__(self):\n        while True:\n            yield 1",
        _function("return Endless((1, 2))"),
    ),
    Adversary("NaN everywhere", "", _function("return v * float('nan'), q * float('nan')")),
    Adversary("infinity everywhere", "", _function("return v / 0, q / 0")),
    Adversary(
        "a result nested a thousand deep",
        "",
        _function("a = ()\nfor _ in range(900):\n    a = (a,)\nreturn a"),
    ),
    Adversary("a hundred thousand results", "", _function("return [(q,)] * 100_000")),
    Adversary("a result of 400 MB", "", _function("return torch.zeros(10**8), q")),
    Adversary(
        "a view of 10^18 numbers", "", _function("return torch.zeros(1).expand(10**9, 10**9), q")
    ),
    Adversary("a shape of zeros and billions", "", _function("return torch.zeros(0, 10**15), q")),
    Adversary("an unusual dtype", "", _function("return q.to(torch.float8_e5m2), q")),
    Adversary("complex numbers", "", _function("return q.to(torch.complex64), q")),
    Adversary("a sparse tensor", "", _function("return q[0].to_sparse(), q")),
    Adversary("a tensor on the meta device", "", _function("return q.to('meta'), q")),
    Adversary(
        "a quantised tensor",
        "",
        _function("return torch.quantize_per_tensor(q, 0.1, 0, torch.qint8), q"),
    ),
    Adversary("a text with half a character", "", _function("raise ValueError('\\ud800')")),
    Adversary(
        "an exception whose words never end",
        "class Loud(Exception):\n    def __str__(self):\n        return 'x' * 10**8",
        _function("raise Loud"),
    ),
    Adversary(
        "an exception that breaks whoever looks",
        "class Broken(BaseException):\n"
        "    def __str__(self): raise SystemExit\n"
        "    __repr__ = __str__\n"
        "    @property\n"
        "    def __traceback__(self): raise KeyboardInterrupt",
        _function("raise Broken"),
    ),
    # --- the other side of the channel
    Adversary(
        "the package's exercises",
        "from tutor.exercises import find\n"
        "reference = find('scaled_dot_product_attention').reference",
        _function("return reference(q, k, v)"),
    ),
    Adversary(
        "the component itself",
        "from tutor.attention import scaled_dot_product_attention as done",
        _function("return done(q, k, v)"),
    ),
    Adversary(
        "the component by another path",
        "import sys",
        _function(
            "module = sys.modules['tutor.attention']\n"
            "return module.__dict__['scaled_dot_product_attention'](q, k, v)"
        ),
    ),
    Adversary(
        "the component's source",
        "import inspect, tutor.attention, pathlib\n"
        "try:\n"
        "    source = inspect.getsource(tutor.attention)\n"
        "except OSError:\n"
        "    source = pathlib.Path(tutor.attention.__file__).read_text()\n"
        "names = {}\n"
        "exec(source, names)\n"
        "done = names['scaled_dot_product_attention']",
        _function("return done(q, k, v)"),
    ),
    Adversary(
        "the component loaded again",
        "import importlib, tutor.attention\nagain = importlib.reload(tutor.attention)",
        _function("return again.scaled_dot_product_attention(q, k, v)"),
    ),
    Adversary(
        "a walk through all objects for the reference",
        "import gc\nfound = [o for o in gc.get_objects() if type(o).__name__ == 'Exercise']",
        _function("return found[0].reference(q, k, v)"),
    ),
    Adversary(
        "a walk through the frames for expected values",
        "import sys",
        _function(
            "frame = sys._getframe()\n"
            "while frame:\n"
            "    for value in frame.f_locals.values():\n"
            "        if type(value).__name__ in ('Key', 'Trial'):\n"
            "            return value.results['unequal sizes']\n"
            "    frame = frame.f_back\n"
            "return v, q"
        ),
    ),
    Adversary(
        "a search of the disk for solutions",
        "import os\n"
        f"places = ('/course', '/tmp', '/proc', '/root', '/home', {str(ROOT)!r})\n"
        "found = [os.path.join(d, f) for top in places for d, _, files in os.walk(top)\n"
        "         for f in files if 'site-packages' not in d\n"
        "         and ('solution' in d or 'lesson04' in f or f.endswith('.ipynb'))]\n"
        "assert found, 'nothing'\n"
        "names = {}\n"
        "exec(open(found[0]).read(), names)",
        _function("return names['attend'](q, k, v)"),
    ),
    Adversary(
        "forged messages sent ahead",
        "import os, struct, json\n"
        "def forge():\n"
        "    text = json.dumps({'value': {'tuple': []}, 'failure': None, 'changed': [],\n"
        "                       'printed': '', 'warned': []}).encode()\n"
        "    for fd in range(3, 64):\n"
        "        try: os.write(fd, (struct.pack('<II', len(text), 0) + text) * 50)\n"
        "        except OSError: pass",
        _function("forge()\nreturn v, q"),
    ),
    Adversary(
        "a message that claims other exercises",
        "import os, struct, json\n"
        "text = json.dumps({'learner': None, 'class_seed': '', 'points': 3, 'exercises': [\n"
        "    {'name': 'scaled_dot_product_attention', 'status': 'right', 'points': 3}],\n"
        "    'answers': {}}).encode()\n"
        "for fd in range(3, 64):\n"
        "    try: os.write(fd, struct.pack('<II', len(text), 0) + text)\n"
        "    except OSError: pass",
    ),
    Adversary(
        "a message of four gigabytes announced",
        "import os, struct\n"
        "for fd in range(3, 64):\n"
        "    try: os.write(fd, struct.pack('<II', 2**32 - 1, 2**32 - 1) + b'x' * 1000)\n"
        "    except OSError: pass",
    ),
    Adversary(
        "a message of pickle",
        "import os, struct, pickle\n"
        "class Run:\n"
        "    def __reduce__(self): return os.system, ('touch /tmp/tutor-pwned',)\n"
        "def forge():\n"
        "    blob = pickle.dumps(Run())\n"
        "    for fd in range(3, 64):\n"
        "        try: os.write(fd, struct.pack('<II', 2, len(blob)) + b'{}' + blob)\n"
        "        except OSError: pass",
        _function("forge()\nreturn v, q"),
    ),
    Adversary(
        "a safetensors header that lies",
        "import os, struct, json\n"
        "def forge():\n"
        "    head = json.dumps({'0': {'dtype': 'F32', 'shape': [2**40, 2**40],\n"
        "                             'data_offsets': [0, 2**60]}}).encode()\n"
        "    blob = struct.pack('<Q', len(head)) + head\n"
        "    text = json.dumps({'value': {'tensor': '0'}, 'failure': None, 'changed': [],\n"
        "                       'printed': '', 'warned': []}).encode()\n"
        "    for fd in range(3, 64):\n"
        "        try: os.write(fd, struct.pack('<II', len(text), len(blob)) + text + blob)\n"
        "        except OSError: pass",
        _function("forge()\nreturn v, q"),
    ),
    Adversary(
        "JSON nested without end",
        "import os, struct\n"
        "def forge():\n"
        "    text = b'[' * 1_000_000\n"
        "    for fd in range(3, 64):\n"
        "        try: os.write(fd, struct.pack('<II', len(text), 0) + text)\n"
        "        except OSError: pass",
        _function("forge()\nreturn v, q"),
    ),
    Adversary(
        "the channel closed",
        "import os",
        _function("os.closerange(0, 1000)\nreturn v, q"),
    ),
    Adversary(
        "half a message and then silence",
        "import os, struct, time\n"
        "def forge():\n"
        "    for fd in range(3, 64):\n"
        "        try: os.write(fd, struct.pack('<II', 1000, 0) + b'{')\n"
        "        except OSError: pass\n"
        "    time.sleep(60)",
        _function("forge()"),
    ),
    Adversary(
        "the serving code replaced",
        "import sys\n"
        "serve = sys.modules['tutor.grading.inside.serve']\n"
        "serve.Server._call = lambda self, data, blob: serve.Message({'points': 3})",
    ),
    # --- processes, signals and time
    Adversary("a fork", "import os\nif os.fork() == 0:\n    while True: pass"),
    Adversary(
        "a thread",
        "import threading\nthreading.Thread(target=lambda: [0 for _ in iter(int, 1)]).start()",
    ),
    Adversary("a process by subprocess", "import subprocess\nsubprocess.Popen(['sleep', '1000'])"),
    Adversary("another program instead", "import os\nos.execv('/usr/bin/env', ['env'])"),
    Adversary(
        "a fork by the kernel's number",
        "import ctypes\nlibc = ctypes.CDLL(None)\n"
        "for number in (56, 57, 58, 435, 59, 322):\n    libc.syscall(number, 0, 0, 0, 0, 0)",
    ),
    Adversary(
        "signals to everybody",
        "import os, signal\n"
        "for pid in (0, -1, 1, 2, 3, os.getppid(), *range(1, 400)):\n"
        "    try: os.kill(pid, signal.SIGTERM)\n"
        "    except OSError: pass",
    ),
    Adversary("a signal to the group", "import os\nos.killpg(0, 9)"),
    Adversary(
        "its limits raised",
        "import resource, signal\n"
        "signal.signal(signal.SIGXCPU, signal.SIG_IGN)\n"
        "for kind in (resource.RLIMIT_CPU, resource.RLIMIT_AS):\n"
        "    soft, hard = resource.getrlimit(kind)\n"
        "    resource.setrlimit(kind, (hard, hard))",
    ),
    Adversary(
        "its processor limit ignored, for ever",
        "import signal",
        _function("signal.signal(signal.SIGXCPU, signal.SIG_IGN)\nwhile True: pass"),
    ),
    Adversary("an endless loop", "", _function("while True: pass")),
    Adversary("an endless sleep", "import time", _function("time.sleep(10**6)")),
    Adversary(
        "an exception handler that never lets go",
        "",
        _function(
            "while True:\n    try:\n        while True: pass\n    except BaseException: pass"
        ),
    ),
    Adversary("endless recursion", "", _function("return scaled_dot_product_attention(q, k, v)")),
    Adversary(
        "recursion without the guard",
        "import sys\nsys.setrecursionlimit(10**9)",
        _function("return sorted([1, 2], key=lambda _: scaled_dot_product_attention(q, k, v))"),
    ),
    Adversary(
        "a regular expression without end",
        "import re",
        _function("re.match(r'(a+)+$', 'a' * 64 + 'b')\nreturn v, q"),
    ),
    Adversary("a huge power", "", _function("return 10 ** (10 ** 10), q")),
    Adversary("an atexit handler", "import atexit, time\natexit.register(time.sleep, 10**6)"),
    Adversary(
        "a destructor",
        "class Late:\n    def __del__(self):\n        while True: pass\nlate = Late()",
    ),
    Adversary(
        "an alarm after the answer",
        "import signal\ndef ring(*_):\n    while True: pass",
        _function(
            "signal.signal(signal.SIGALRM, ring)\n"
            "signal.setitimer(signal.ITIMER_REAL, 0.02)\n"
            "return v, q"
        ),
    ),
    Adversary("the end of the program", "import os\nos._exit(0)"),
    Adversary("the end of the program with a grin", "import os", _function("os._exit(24)")),
    Adversary(
        "the end of the program at a look for answers",
        "import os\n"
        "class Trap:\n"
        "    @property\n"
        "    def __code__(self): os._exit(0)\n"
        "scaled_dot_product_attention = Trap()",
    ),
    Adversary("exit", "exit(0)\nraise SystemExit"),
    Adversary("a segmentation fault", "import ctypes", _function("ctypes.string_at(0)")),
    Adversary("an abort", "import os", _function("os.abort()")),
    Adversary(
        "a bus error by a cut file",
        "import mmap, os\n"
        "f = open('/tmp/cut', 'w+b'); f.truncate(4096)\n"
        "m = mmap.mmap(f.fileno(), 4096); f.truncate(0)\n",
        _function("return m[0], q"),
    ),
    # --- memory and disk
    Adversary("memory by lists", "hoard = []\nwhile True: hoard.append(bytearray(10**7))"),
    Adversary("memory by tensors", "import torch", _function("return torch.ones(10**10), q")),
    Adversary("memory by text", "x = 'x' * 10**10"),
    Adversary("a flood of output", "while True: print('x' * 10**6)"),
    Adversary(
        "a flood past Python",
        "import os\nfor _ in range(2000):\n    os.write(1 + _ % 2, b'x' * 10**6)",
        _function("print('x' * 10**7)\nimport warnings\nwarnings.warn('x' * 10**7)\nreturn v, q"),
    ),
    Adversary(
        "a full disk",
        "with open('/tmp/full', 'wb') as f:\n    while True: f.write(bytes(10**6))",
    ),
    Adversary(
        "a million files",
        "for number in range(10**6): open(f'/tmp/{number}', 'w').close()",
    ),
    Adversary(
        "memory outside its limit, in shared pieces",
        "import mmap, os\nhoard = [mmap.mmap(-1, 10**8) for _ in range(100)]\n"
        "for piece in hoard: piece.write(bytes(10**8))",
    ),
    # --- files, network, kernel
    Adversary(
        "files anywhere",
        "import os\n"
        "for folder, below, _ in os.walk('/'):\n"
        "    if folder.count('/') > 2: del below[:]\n"
        "    if not folder.startswith('/tmp'):\n"
        "        try: open(os.path.join(folder, 'left'), 'w').write('here')\n"
        "        except OSError: continue\n"
        "        raise SystemError(folder)",
    ),
    Adversary(
        "the network", "import socket\nsocket.create_connection(('127.0.0.1', 80), timeout=1)"
    ),
    Adversary("a local socket", "import socket\nsocket.socketpair()"),
    Adversary(
        "the host's processes", "import os\nassert not os.listdir('/proc'), os.listdir('/proc')"
    ),
    Adversary(
        "the memory of other processes",
        "import ctypes\nlibc = ctypes.CDLL(None, use_errno=True)\n"
        "assert libc.ptrace(16, 1, 0, 0) == -1\n"
        "assert libc.process_vm_readv(1, 0, 0, 0, 0, 0) == -1\n"
        "open('/proc/1/mem')",
    ),
    Adversary(
        "the mounts undone",
        "import ctypes\nlibc = ctypes.CDLL(None)\n"
        "assert not libc.umount(b'/proc') or not libc.umount(b'/course')\n"
        "import tutor.exercises.lesson04_self_attention as lesson\n"
        "assert hasattr(lesson, 'EXERCISES')",
    ),
    Adversary(
        "a new user namespace",
        "import ctypes\nassert ctypes.CDLL(None).unshare(0x10000000) == 0",
    ),
    Adversary(
        "a device", "import os\nos.mknod('/tmp/mem', 0o20666, os.makedev(1, 1))\nopen('/tmp/mem')"
    ),
    Adversary(
        "a key ring", "import ctypes\nassert ctypes.CDLL(None).syscall(250, 0, 0, 0, 0) >= 0"
    ),
    # --- whoever reads the results
    Adversary(
        "HTML in an error",
        "",
        _function("raise ValueError('<script>alert(1)</script><img src=x onerror=alert(1)>')"),
    ),
    Adversary(
        "HTML in a name",
        "from tutor import set_learner\nset_learner('<script>alert(1)</script>')",
    ),
    Adversary("a formula as a name", "from tutor import set_learner\nset_learner('=cmd|calc!A1')"),
    Adversary(
        "a name of a million letters", "from tutor import set_learner\nset_learner('x' * 10**6)"
    ),
    Adversary(
        "a name that is no text", "from tutor import set_learner\nset_learner({'a': [1]}, 7)"
    ),
    Adversary(
        "HTML in a warning and in print",
        "",
        _function("print('<b>x</b>')\nimport warnings\nwarnings.warn('<i>y</i>')\nreturn v, q"),
    ),
    # --- state between calls
    Adversary(
        "right once, then wrong",
        "import torch, math\ncalls = []",
        _function(
            "calls.append(1)\n"
            "w = torch.softmax(q @ k.mT / math.sqrt(q.size(-1)), -1)\n"
            "return (w @ v, w) if len(calls) < 4 else (v, q)"
        ),
    ),
    Adversary(
        "its arguments changed in place",
        "import torch, math",
        _function("k.zero_()\nv.zero_()\nw = torch.softmax(q @ k.mT, -1)\nreturn w @ v, w"),
    ),
    Adversary(
        "a predict exercise asked for its answer",
        "import tutor\n"
        "answer = tutor.check(..., name='predict_score').function\n"
        "predict_score = answer",
    ),
]
