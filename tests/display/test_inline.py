"""The guard that keeps a slider's thread from showing the figures of a running cell."""

import threading
from types import SimpleNamespace

import pytest
from IPython.core.events import EventManager
from IPython.core.events import available_events as events

from tutor.display import inline


@pytest.fixture
def seen(monkeypatch):
    """Events that reach those who wait for them, and the shell that announces them."""
    shell = SimpleNamespace()
    shell.events = EventManager(shell, events)
    seen: list[str] = []
    for event in ("pre_execute", "post_execute", "shell_initialized"):
        shell.events.register(event, lambda *args, event=event: seen.append(event))
    monkeypatch.setattr(inline, "ipython", lambda: shell)
    return shell, seen


def announce(shell, *, on_another_thread: bool) -> None:
    def all_events() -> None:
        shell.events.trigger("pre_execute")
        shell.events.trigger("post_execute")
        shell.events.trigger("shell_initialized", shell)

    if on_another_thread:
        thread = threading.Thread(target=all_events)
        thread.start()
        thread.join()
    else:
        all_events()


def test_without_the_guard_every_thread_is_heard(seen):
    shell, heard = seen
    announce(shell, on_another_thread=True)
    assert heard == ["pre_execute", "post_execute", "shell_initialized"]


def test_executions_end_on_the_main_thread_alone(seen):
    shell, heard = seen
    inline.guard_inline_figures()
    announce(shell, on_another_thread=True)
    assert heard == ["shell_initialized"]
    announce(shell, on_another_thread=False)
    assert heard[1:] == ["pre_execute", "post_execute", "shell_initialized"]


def test_a_second_guard_adds_nothing(seen):
    shell, _ = seen
    inline.guard_inline_figures()
    guarded = shell.events.trigger
    inline.guard_inline_figures()
    assert shell.events.trigger is guarded


def test_no_shell_no_guard(seen, monkeypatch):
    shell, _ = seen
    before = shell.events.trigger
    monkeypatch.setattr(inline, "ipython", lambda: None)
    inline.guard_inline_figures()
    assert shell.events.trigger == before


def test_running_cell_is_known_by_id_and_run(monkeypatch):
    parent = {"metadata": {"cellId": "a1"}}
    kernel = SimpleNamespace(get_parent=lambda channel: parent)
    shell = SimpleNamespace(kernel=kernel, execution_count=7)
    monkeypatch.setattr(inline, "ipython", lambda: shell)
    assert inline.running_cell() == ("a1", 7)
    parent["metadata"] = {}
    assert inline.running_cell() is None
    monkeypatch.setattr(inline, "ipython", lambda: None)
    assert inline.running_cell() is None
