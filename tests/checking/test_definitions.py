"""Reading which names a cell defines, compared with what IPython's own running of it leaves."""

import pytest
from IPython.core.interactiveshell import InteractiveShell

from tutor.checking.definitions import defined, passed_first, readable_parts

READ_AS_THEY_RUN = r"""
answer = 3
answer = other = 3
answer, (other, *rest) = 1, (2, 3)
x = 1; answer = 2
print(answer := 3)
[answer := n for n in range(3)]
answer: int = 3
answer: int
answer = 1; answer += 1
import math as answer, os.path
from math import sqrt as answer, pi
from math import *
for answer in range(2): pass
for n in range(2): answer = n
while True: answer = 3; break
if True: answer = 3
if 1 == 1: import math
try: answer = 3\nfinally: other = 4
try: 1 / 0\nexcept ZeroDivisionError as error: answer = str(error)
with open('/dev/null') as answer: other = 1
match [1, 2, 3]:\n    case [answer, *rest]: pass
match {'a': 1, 'b': 2}:\n    case {'a': answer, **rest}: pass
def answer(x): inner = x
async def answer(x): inner = x
@staticmethod\ndef answer(x): return x
class answer:\n    inner = 3\n    def method(self): pass
def solve():\n    global answer\n    answer = 3\nsolve()
if True:\n    def answer(x): return x
answer = lambda x: (inner := x)
answer = [inner for inner in range(3)]
answer = 3; del answer
print(dict(answer=3), 3 == 3)
print(\n    answer := 4)
import math; math.answer = 3; (rows := [1, 2])[0] = 5
answer = await __import__('asyncio').sleep(0, 3)
%time answer = 3
%%time\nanswer = 3
%%time\n%%capture\nanswer = 3
%%capture\nanswer = 3
%%timeit -n1 -r1\nanswer = 3
files = !echo one
!echo answer = 3
%precision 3\nanswer = 3
answer = %time 3
  answer = 3\n  other = 4
"""


def cells() -> list[str]:
    return [line.replace(r"\n", "\n") for line in READ_AS_THEY_RUN.strip("\n").split("\n")]


@pytest.fixture(scope="module")
def shell() -> InteractiveShell:
    return InteractiveShell()


@pytest.mark.parametrize("cell", cells())
def test_read_as_it_runs(cell: str, shell: InteractiveShell):
    before = dict(shell.user_ns)
    assert shell.run_cell(cell).success
    bound = {name for name in shell.user_ns.keys() - before if name[0] != "_"}
    shell.user_ns.clear()  # its own reset collects garbage, which takes two seconds
    shell.user_ns.update(before)
    assert {*defined(cell)} == (bound if "import *" not in cell else set())


@pytest.mark.parametrize(
    "cell",
    [
        "answer(3)",
        "project_by_hand(x)\n  == y",
        "answer == 3",
        "answer.x = 3; answer[0] = 4",
        "'''\nanswer = 3\ndef answer(x): ...\n'''",
        "# answer = 3",
        "def solve():\n    answer = 3\n    return answer",
        "f(\nanswer = 3)",
        "",
        "%%bash\nanswer = 3",
        "%%writefile mine.py\nanswer = 3",
        "\0",
    ],
)
def test_what_defines_nothing(cell: str):
    assert "answer" not in defined(cell)


@pytest.mark.parametrize(
    ("cell", "names"),
    [
        ("def answer(x)\n    return x\nother = 3", ["answer", "other"]),
        ("@wrapped(by=3)\nasync def answer(x):\nreturn x", ["answer"]),
        ("answer = [1, 2", ["answer"]),
        ("answer == [1, 2", []),
        ("answer(1, 2", []),
        ("other = 1\nclass answer(:\n    inner = 3", ["other", "answer"]),
        ("if answer = 3:\n    pass", []),
    ],
)
def test_broken_code_is_read_piece_by_piece(cell: str, names: list[str]):
    assert list(defined(cell)) == names


def test_what_came_to_an_end_before_the_error_counts():
    cell = "a = 1\nwith x:\n    b = 2\n    boom\n\ndef f(): ...\nc = boom"
    assert defined(cell, until=0) == ()
    assert defined(cell, until=4) == ("a",)
    assert defined(cell, until=7) == ("a", "b", "f")
    assert defined("def answer(x)\n    pass", until=0) == ()  # it did not even begin


def test_code_that_overwhelms_the_reader_defines_nothing():
    assert defined("answer = " + "(" * 500) == ("answer",)
    assert defined("x = " + "-" * 5000 + "1")[:1] in ((), ("x",))
    assert defined("\n".join(" " * n + "if x:" for n in range(200))) == ()


def test_lines_keep_their_numbers_where_the_code_is_broken():
    (one, broken, three) = readable_parts("a = 1\nb = (\n\nc = 3")
    assert isinstance(broken, str)
    assert [one.lineno, three.lineno] == [1, 4]


@pytest.mark.parametrize(
    ("cell", "names"),
    [
        ("report = check(project_by_hand)", ["project_by_hand"]),
        ("tutor.check(answer, name='predict_score').show()", ["answer"]),
        ("check(name='predict_score', answer=mine)", ["mine"]),
        ("check(3, name='predict_score'); check(lambda x: x)", []),
        ("%time check(answer, name='predict_score')", []),
        ("check(answer,", []),
    ],
)
def test_names_that_are_passed_first(cell: str, names: list[str]):
    assert list(passed_first(cell)) == names
