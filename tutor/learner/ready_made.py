"""Whether an answer hands on what one of the course's own functions gives."""

import contextlib
import copy
import io
import sys
import types
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tutor.checking.exercise import Arguments

_PACKAGE = str(Path(__file__).parents[1])


def ready_made(function: Callable[..., Any], arguments: Arguments) -> str:
    """Name the function of the course's whose result an answer returns as it is, or "".

    Example:
        >>> from tutor.mask import causal_keep
        >>> ready_made(lambda length: causal_keep(length), {"length": 3})
        'causal_keep'
        >>> ready_made(lambda length: length, {"length": 3})
        ''
    """
    returned: list[tuple[str, Any]] = []

    def look(frame: types.FrameType, event: str, value: Any) -> None:
        name = frame.f_code.co_name
        if (
            event == "return"
            and frame.f_code.co_filename.startswith(_PACKAGE)
            and callable(frame.f_globals.get(name))
            and not name.startswith("_")
        ):
            returned.append((name, value))

    before = sys.getprofile()
    given = copy.deepcopy(list(arguments.values()))
    unread = io.StringIO()
    with (
        contextlib.redirect_stdout(unread),
        contextlib.redirect_stderr(unread),
        contextlib.suppress(BaseException),
    ):
        sys.setprofile(look)
        try:
            result = function(*given)
        finally:
            sys.setprofile(before)
        return next((name for name, value in reversed(returned) if value is result), "")
    return ""
