"""Answers the judge's requests: read the notebook, run a cell, call an answer."""

import io
import json
import os
import random
import re
from typing import Any

import numpy
import torch

from tutor.checking.calls import Answer, FunctionAnswer, Outcome, ValueAnswer
from tutor.checking.failures import Failure
from tutor.grading.inside.cells import Notebook, read_notebook
from tutor.grading.inside.isolation import bound_computing
from tutor.grading.inside.kernel import Found, Kernel
from tutor.grading.inside.reading import RefusedError
from tutor.grading.inside.withhold import Withheld
from tutor.grading.limits import Limits
from tutor.grading.wire import BLOB_CAP, JSON_CAP, Message, decode, encode, pack, read_message

_FOR_EVER = 10**9  # seconds
_TRUSTED_CAP = 1 << 30  # what comes from the judge is no longer than the judge allows


def serve(channel: int, limits: Limits) -> None:
    """Answer requests until the judge hangs up."""
    random.seed(0)
    numpy.random.seed(0)
    torch.manual_seed(0)
    server = _Server(limits)
    _write(channel, pack(Message({"ready": True})))
    while True:
        request = read_message(lambda size: _read(channel, size), _TRUSTED_CAP, _TRUSTED_CAP)
        _write(channel, server.reply(request))


def warm_up() -> None:
    """Do once what is slow the first time, before the children are forked.

    Raises:
        ValueError: an answer in a small notebook does not come out right.
    """
    server = _Server(Limits(call=_FOR_EVER, cell=_FOR_EVER))  # the zygote must outlive this
    notebook = {
        "cells": [{"cell_type": "code", "source": "%time\ndef double(x):\n    return 2 * x"}]
    }
    data, blob = encode({"x": torch.ones(2)})
    server.reply(Message({"do": "open"}, json.dumps(notebook).encode()))
    server.reply(Message({"do": "begin", "exercises": [["double", "write"]], "withheld": {}}))
    server.reply(Message({"do": "cell", "index": 0}))
    server.reply(Message({"do": "found"}))
    call = {"do": "call", "exercise": "double", "arguments": data, "gradients": False}
    reply = read_message(io.BytesIO(server.reply(Message(call, blob))).read)
    if not torch.equal(decode(reply.data["value"], reply.blob), 2 * torch.ones(2)):
        raise ValueError("The sandbox computes wrongly.")


class _Server:
    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._notebook = Notebook([], [])
        self._kernel = Kernel([])
        self._withheld = Withheld({})
        self._found: dict[str, Found] = {}

    def reply(self, request: Message) -> bytes:
        """Do what is asked and give the reply, packed."""
        actions = {"open": self._open, "begin": self._begin, "cell": self._cell}
        actions |= {"found": self._find, "call": self._call, "replace": self._replace}
        reply = actions[request.data["do"]](request.data, request.blob)
        packed = pack(reply)
        if len(packed) > JSON_CAP + BLOB_CAP or len(reply.blob) > BLOB_CAP:
            return pack(_too_large())
        return packed

    def _open(self, _: Any, blob: bytes) -> Message:
        bound_computing(self._limits.cell)
        try:
            self._notebook = read_notebook(blob)
        except RefusedError as why:
            return Message({"refused": str(why)})
        except MemoryError:
            return Message(
                {"refused": "The file needs more memory to read than a submission gets."}
            )
        cells = [
            {"grade_id": cell.grade_id, "defines": list(cell.defines), "digest": cell.digest}
            for cell in self._notebook.cells
        ]
        return Message({"cells": cells, "notes": self._notebook.notes})

    def _begin(self, data: Any, _: bytes) -> Message:
        self._kernel = Kernel([(name, kind) for name, kind in data["exercises"]])
        self._withheld = Withheld(data["withheld"])
        self._withheld.withhold_all()
        return Message({})

    def _cell(self, data: Any, _: bytes) -> Message:
        bound_computing(self._limits.cell)
        error = self._kernel.run(self._notebook.cells[data["index"]], data["index"])
        return Message({"error": error})

    def _find(self, _: Any, __: bytes) -> Message:
        self._found = self._kernel.found()
        answers = {
            name: {"cell": found.cell, "versions": found.versions}
            for name, found in self._found.items()
        }
        learner, class_seed = self._kernel.learner, self._kernel.class_seed
        return Message({"learner": learner, "class_seed": class_seed, "answers": answers})

    def _call(self, data: Any, blob: bytes) -> Message:
        name, arguments = data["exercise"], decode(data["arguments"], blob)
        answer = self._answer(name)
        self._withheld.withhold_for(name)
        bound_computing(self._limits.call)
        try:
            outcome = answer.run(arguments, data["gradients"])
        except BaseException as error:  # the learner's objects can break what looks at them
            outcome = Outcome(failure=Failure("error", {"error": type(error).__name__, "text": ""}))
        finally:
            self._withheld.withhold_all()
        return _outcome_message(outcome)

    def _replace(self, data: Any, _: bytes) -> Message:
        stand_in = self._withheld.stand_in(data["exercise"])
        if stand_in is not None:
            self._kernel.replace(data["exercise"], stand_in)
        return Message({})

    def _answer(self, name: str) -> Answer:
        answer = self._found[name].answer
        predicted = self._kernel.kinds[name] == "predict"
        return ValueAnswer(answer) if predicted else FunctionAnswer(answer)


def _outcome_message(outcome: Outcome) -> Message:
    value, blob, failure = None, b"", outcome.failure
    if failure is None:
        try:
            value, blob = encode(outcome.value)
        except ValueError as unfit:
            failure = Failure("dtype", {"type": str(unfit)})
    data = {
        "value": value,
        "failure": None if failure is None else _failure_data(failure),
        "changed": list(outcome.changed),
        "printed": outcome.printed[:200],
        "warned": [text[:200] for text in outcome.warned[:5]],
    }
    return Message(data, blob)


def _failure_data(failure: Failure) -> dict[str, Any]:
    return {
        "reason": failure.reason,
        "gaps": {name: _steady(text[:1000]) for name, text in failure.gaps.items()},
        "line_number": failure.line_number,
        "line": failure.line[:300],
        "shapes": dict(list(failure.shapes.items())[:12]),
    }


def _steady(text: str) -> str:
    """Take out addresses in memory, which are others in each run."""
    return re.sub(r"\b0x[0-9a-fA-F]{6,}", "0x…", text)


def _too_large() -> Message:
    return _outcome_message(Outcome(failure=Failure("too long")))


def _read(channel: int, size: int) -> bytes:
    pieces = []
    while size:
        piece = os.read(channel, min(size, 1 << 20))
        if not piece:
            os._exit(0)  # the judge hung up
        pieces.append(piece)
        size -= len(piece)
    return b"".join(pieces)


def _write(channel: int, content: bytes) -> None:
    view = memoryview(content)
    while view:
        view = view[os.write(channel, view) :]
