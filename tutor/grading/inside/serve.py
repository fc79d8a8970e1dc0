"""Answers the judge's requests: read the notebook, run a cell, call an answer."""

import contextlib
import os
import random
import sys
import tempfile
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy
import torch

import tutor
from tutor.checking.calls import FunctionAnswer, Outcome, ValueAnswer
from tutor.checking.failures import Failure
from tutor.checking.settings import course_settings
from tutor.checking.watching import WatchedCall
from tutor.grading.inside.cells import Notebook, read_notebook, shown_texts
from tutor.grading.inside.isolation import bound_computing
from tutor.grading.inside.kernel import Kernel
from tutor.grading.inside.outcomes import outcome_data, seen_message, too_large
from tutor.grading.inside.reading import RefusedError
from tutor.grading.inside.taking_out import take_out
from tutor.grading.limits import Limits
from tutor.grading.messages import (
    BLOB_CAP,
    JSON_CAP,
    Message,
    MessageWriter,
    decode,
    encode,
    pack,
    read_message,
)
from tutor.say import say

_TRUSTED_CAP = 1 << 30  # what comes from the judge is no longer than the judge allows
_MOST_WORDS = 20  # commands that were left out
_ENOUGH = 4 << 20  # bytes of results in one message


def serve(channel: int, limits: Limits, folder: str | None = None) -> None:
    """Answer requests until the judge hangs up.

    Args:
        channel: the connection to the judge.
        limits: what the submission gets.
        folder: where it may write, if this process is not locked in.
    """
    seed_all()
    os.chdir(tempfile.mkdtemp(dir=folder) if folder else "/tmp")
    sys.path.append(os.getcwd())  # the learner's own files, after all others

    def tell(message: Message) -> None:
        _write(channel, pack(message))

    def hear() -> Message:
        return read_message(lambda size: _read(channel, size), _TRUSTED_CAP, _TRUSTED_CAP)

    def ask(message: Message) -> Message:
        tell(message)
        return hear()

    server = Server(limits, tell, ask)
    tell(Message({"ready": True}))
    while True:
        _write(channel, server.reply(hear()))


def seed_all() -> None:
    """Draw the same numbers in every process."""
    random.seed(0)
    numpy.random.seed(0)
    torch.manual_seed(0)


class Server:
    """Does what the judge asks.

    Args:
        limits: what the submission gets.
        tell: sends a message beside the replies.
        ask: sends one and waits for what the judge says to it.
    """

    def __init__(
        self,
        limits: Limits,
        tell: Callable[[Message], None],
        ask: Callable[[Message], Message],
    ) -> None:
        self._limits, self._tell, self._ask = limits, tell, ask
        self._notebook = Notebook([], [])
        self._kernel = Kernel([], self._stand_in)
        self._examining = contextlib.ExitStack()
        self._is_examining = False
        self._begun = 0

    def reply(self, request: Message) -> bytes:
        """Do what is asked and give the reply, packed."""
        actions: dict[str, Callable[[Any, bytes], Message]]
        actions = {"open": self._open, "begin": self._begin, "run": self._run}
        actions |= {"call": self._call, "wrong": self._wrong, "end": self._end}
        actions |= {"watch": self._watch}
        action = request.data["do"]
        if action not in ("call", "watch"):
            self._is_examining = False
            self._examining.close()
        reply = actions[action](request.data, request.blob)
        packed = pack(reply)
        if len(packed) > JSON_CAP + BLOB_CAP or len(reply.blob) > BLOB_CAP:
            return pack(too_large())
        return packed

    def _open(self, data: Any, blob: bytes) -> Message:
        bound_computing(self._limits.cell)
        try:
            self._notebook = read_notebook(blob, data["exercises"])
        except RefusedError as why:
            return Message({"refused": why.note})
        except MemoryError:
            return Message({"refused": ("memory", {})})
        texts = shown_texts(self._notebook.cells, data["exercises"])
        cells = [
            {
                "grade_id": cell.grade_id,
                "defines": cell.defines,
                "checks": cell.checks,
                "magic": cell.magic,
                "digest": cell.digest,
                "text": text,
            }
            for cell, text in zip(self._notebook.cells, texts, strict=True)
        ]
        notes, python = self._notebook.notes, self._notebook.python
        return Message({"cells": cells, "notes": notes, "python": python})

    def _begin(self, data: Any, blob: bytes) -> Message:
        for part in data["absent"]:
            take_out(part, self._stand_in)
        start = 0
        for name, size in data["files"]:
            path = Path(name)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(blob[start : start + size])
            start += size
        self._kernel = Kernel([(name, kind) for name, kind in data["exercises"]], self._stand_in)
        return Message({})

    def _run(self, data: Any, _: bytes) -> Message:
        kernel, index = self._kernel, data["cell"]
        cell = self._notebook.cells[index]
        self._begun = data["start"]
        ran = kernel.run(cell, index, data["start"], data["skipped"], self._at)
        told = {"error": ran.error, "next": ran.next, "needs": ran.needs}
        return Message({**told, "news": self._news(ran.news)})

    def _at(self, statement: int) -> None:
        """Tell which statement is to be run, should it be the last thing that is heard."""
        if statement != self._begun:  # the judge knows with which one it has let a cell begin
            self._tell(Message({"at": statement}))
        bound_computing(self._limits.cell)

    def _news(self, numbers: list[int]) -> list[dict[str, Any]]:
        news = []
        for number in numbers:
            version = self._kernel.versions[number]
            news.append(
                {
                    "version": number,
                    "exercise": version.exercise,
                    "cell": version.cell,
                    "sure": version.sure,
                    "open": version.is_open,
                    "now": self._kernel.fingerprint(number),
                }
            )
        return news

    def _call(self, data: Any, blob: bytes) -> Message:
        """Call an answer with each of several arguments; one that is not written is not called on.

        Of many large results only the first are given; the judge asks for the others again.
        """
        self._examine()
        version = self._kernel.versions[data["version"]]
        is_value = self._kernel.kinds[version.exercise] == "predict"
        writer, outcomes = MessageWriter(), []
        for arguments, gradients in zip(decode(data["calls"], blob), data["gradients"]):
            if is_value:
                outcome, given = ValueAnswer(version.answer).run(arguments), None
            else:
                bound_computing(self._limits.call)
                outcome, given = _called(version.answer, arguments, gradients)
            outcomes.append(outcome_data(outcome, given, writer))
            is_open = outcome.failure is not None and outcome.failure.kind == "open"
            if is_open or writer.size > _ENOUGH:
                break
        return Message({"outcomes": outcomes}, writer.blob())

    def _watch(self, data: Any, blob: bytes) -> Message:
        """Call an answer once more, and tell which of torch's functions it called."""
        self._examine()
        version = self._kernel.versions[data["version"]]
        (arguments,) = decode(data["calls"], blob)
        if self._kernel.kinds[version.exercise] == "predict":
            return seen_message(WatchedCall())
        bound_computing(self._limits.call)
        return seen_message(FunctionAnswer(version.answer).watch(arguments))

    def _examine(self) -> None:
        """Compute under the course's settings from here on, until a cell is run."""
        if not self._is_examining:
            self._is_examining = True
            self._examining.enter_context(course_settings())

    def _wrong(self, data: Any, _: bytes) -> Message:
        (tutor.wrong.add if data["is"] else tutor.wrong.discard)(data["exercise"])
        return Message({})

    def _stand_in(self, exercise: str, arguments: tuple[Any, ...], named: dict[str, Any]) -> Any:
        """Let the judge compute what the right answer to an exercise gives."""
        data, blob = encode({"arguments": list(arguments), "named": named})
        reply = self._ask(Message({"stand_in": exercise, "called": data}, blob))
        if "refused" in reply.data:
            raise NameError(say("the course's own function is what an exercise asks you to write"))
        return decode(reply.data["value"], reply.blob)

    def _end(self, _: Any, __: bytes) -> Message:
        left_out = list(self._kernel.left_out)[:_MOST_WORDS]
        return Message({"learners": list(self._kernel.learners.items()), "left_out": left_out})


class _Watched(FunctionAnswer):
    """An answer whose arguments are kept as they are after the call."""

    given: Mapping[str, Any] | None = None

    def _changed(self, before: Mapping[str, Any], after: Mapping[str, Any]) -> list[str]:
        """List none: they are compared outside, with what the judge has sent."""
        return []

    def _call(self, given: Mapping[str, Any], gradients: bool) -> Any:
        self.given = None if gradients else given
        return super()._call(given, gradients)


def _called(
    answer: Any, arguments: Mapping[str, Any], gradients: bool
) -> tuple[Outcome, Mapping[str, Any] | None]:
    """Call an answer; give what came of it, and the arguments as they are then."""
    watched = _Watched(answer)
    try:
        return watched.run(arguments, gradients), watched.given
    except BaseException as error:  # the learner's objects can break what looks at them
        gaps = {"error": type(error).__name__, "text": ""}
        return Outcome(failure=Failure("error", gaps)), None


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
