"""The guard that keeps a slider's thread from showing the figures of a running cell."""

import threading
from types import SimpleNamespace

import pytest
from matplotlib_inline import backend_inline

from tutor import inline


class Events:
    def __init__(self, *callbacks):
        self.callbacks = {"post_execute": list(callbacks)}


@pytest.fixture
def shows(monkeypatch):
    """Count which threads show figures through the guarded backend."""
    seen = []

    def flush_figures():
        seen.append(threading.current_thread())

    shell = SimpleNamespace(kernel=object(), events=Events(print, flush_figures))
    monkeypatch.setattr(backend_inline, "flush_figures", flush_figures)
    monkeypatch.setattr(inline, "_shell", lambda: shell)
    inline.guard_inline_figures()
    return shell, seen


def on_another_thread(function):
    thread = threading.Thread(target=function)
    thread.start()
    thread.join()


def test_only_the_main_thread_shows_figures(shows):
    shell, seen = shows
    for callback in (shell.events.callbacks["post_execute"][1], backend_inline.flush_figures):
        on_another_thread(callback)
        assert seen == []
        callback()
        assert seen == [threading.main_thread()]
        seen.clear()


def test_other_callbacks_stay_and_a_second_guard_adds_nothing(shows):
    shell, _ = shows
    before = list(shell.events.callbacks["post_execute"])
    inline.guard_inline_figures()
    assert shell.events.callbacks["post_execute"] == before
    assert before[0] is print
    assert before[1] is backend_inline.flush_figures


def test_no_shell_no_guard(monkeypatch):
    before = backend_inline.flush_figures
    monkeypatch.setattr(inline, "_shell", lambda: None)
    inline.guard_inline_figures()
    assert backend_inline.flush_figures is before


def test_running_cell_is_known_by_id_and_run():
    parent = {"metadata": {"cellId": "a1"}}
    kernel = SimpleNamespace(get_parent=lambda channel: parent)
    shell = SimpleNamespace(kernel=kernel, execution_count=7)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(inline, "_shell", lambda: shell)
        assert inline.running_cell() == ("a1", 7)
        parent["metadata"] = {}
        assert inline.running_cell() is None
