"""A JupyterLab of its own, and hands to work a notebook in it as a reader would.

`Server` serves a folder from a JupyterLab that shares nothing with the reader's. `Lab` drives one
browser page of it; `Notebook` one open notebook; `Picture` one explorer in it.
"""

import ctypes
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from playwright.sync_api import ConsoleMessage, Locator, Page

ROOT = Path(__file__).parents[2]
CHROMIUM = "chromium", "chromium-browser", "google-chrome"
CHROME_OF_MACOS = "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome"
CHROMIUM_FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
PATIENCE = 300.0  # seconds by the clock until what should happen counts as never happening

SETTINGS = {
    "apputils-extension/notification": {"doNotDisturbMode": True},
    "notebook-extension/tracker": {"windowingMode": "none"},
    "docmanager-extension/plugin": {"autosave": False},
}


def chromium_path() -> str:
    """Return where Chromium is.

    Raises:
        RuntimeError: if it is not installed.
    """
    for path in (*map(shutil.which, CHROMIUM), CHROME_OF_MACOS):
        if path and Path(path).exists():
            return str(path)
    raise RuntimeError("Chromium is not installed; on Debian and Ubuntu: sudo apt install chromium")


class Server:
    """JupyterLab as `tutor lab` starts it, in its own session, with its own settings and state.

    Args:
        workspace: the learner's folder; the course's notebooks are copied into it.
        state: an empty folder for everything Jupyter keeps.
        program: what is started in place of `tutor lab`, as Python's -m takes it.
        settings: the reader's own, by plugin.
    """

    def __init__(
        self,
        workspace: Path,
        state: Path,
        program: Sequence[str] = (),
        settings: Mapping[str, Any] = SETTINGS,
    ) -> None:
        _write_settings(state / "settings", settings)
        _leave_out_extensions(state / "config")
        self._log, self._asked = state / "server.log", 0  # lines of it that were asked about
        self._process = subprocess.Popen(
            [
                *(sys.executable, "-m"),
                *(program or ("tutor", "lab", f"--workspace={workspace}")),
                *("--no-browser", "--expose-app-in-browser", "--ip=127.0.0.1", "--port=0"),
                *("--IdentityProvider.token=", "--ServerApp.disable_check_xsrf=True"),
            ],
            env=_environment(state),
            stdout=self._log.open("wb"),
            stderr=subprocess.STDOUT,
            start_new_session=True,
            preexec_fn=_end_with_parent,
        )
        self.url = self._wait_for_url()

    def log(self) -> str:
        """Return what the server has written so far."""
        return self._log.read_text()

    def complaints(self) -> list[str]:
        """Return what the log reports as errors since it was last asked, each with what follows."""
        lines = self.log().splitlines()
        first, self._asked = self._asked, len(lines)
        return [
            "\n".join(lines[place : place + 30])
            for place in range(first, len(lines))
            if re.match(r"\[E |\[C |Traceback|\w*Error\b", lines[place].strip())
        ]

    def stop(self) -> None:
        """End the server and all its kernels."""
        for end in (signal.SIGTERM, signal.SIGKILL):
            try:
                os.killpg(self._process.pid, end)
                self._process.wait(timeout=10)
            except (ProcessLookupError, subprocess.TimeoutExpired):
                continue

    def _wait_for_url(self) -> str:
        deadline = time.monotonic() + PATIENCE
        while time.monotonic() < deadline and self._process.poll() is None:
            if found := re.search(r"http://127\.0\.0\.1:\d+", self.log()):
                return found[0]
            time.sleep(0.05)
        self.stop()
        raise RuntimeError(f"JupyterLab did not start:\n{self.log()}")


class Lab:
    """One browser page of JupyterLab.

    Attributes:
        page: the page, for what this class does not do.
        complaints: errors the page has reported since `forget`.
        gave_up: those of anywidget, where pictures go on as images.
    """

    def __init__(self, page: Page, url: str) -> None:
        self.page = page
        self.complaints: list[str] = []
        self.gave_up: list[str] = []
        page.set_default_timeout(PATIENCE * 1000)
        page.on("console", self._on_console)
        page.on("pageerror", lambda error: self._complain(str(error)))
        page.on("dialog", lambda dialog: dialog.accept())
        self._url = url
        self.load()

    def load(self) -> None:
        """Load the page, which forgets what was open; kernels go on."""
        self.page.goto(f"{self._url}/lab?reset")
        self.page.wait_for_function("() => window.jupyterapp?.restored")
        self.page.evaluate("() => window.jupyterapp.restored")

    def use_theme(self, theme: str) -> None:
        """Change to a theme by its name, "JupyterLab Dark" for instance."""
        self.page.evaluate(
            "theme => jupyterapp.commands.execute('apputils:change-theme', {theme})", theme
        )

    @contextmanager
    def notebook(self, path: str) -> Iterator["Notebook"]:
        """Open a notebook; afterwards end its kernel and close it, changes thrown away."""
        self.complaints.clear()
        notebook = Notebook(self, path)
        notebook.open()
        try:
            yield notebook
        finally:
            self.page.evaluate(_CLOSE)

    def _on_console(self, message: ConsoleMessage) -> None:
        if message.type == "error":
            self._complain(f"{message.text} ({message.location.get('url')})")

    def _complain(self, text: str) -> None:
        """Keep a complaint; anywidget's, that it waited two seconds, is a busy machine's."""
        (self.gave_up if "[anywidget] Failed to init" in text else self.complaints).append(text)


class Notebook:
    """The notebook that is open in the page."""

    def __init__(self, lab: Lab, path: str) -> None:
        self.lab = lab
        self.page = lab.page
        self._path = path

    def open(self) -> None:
        """Open it in place of what is open, with the kernel it has, or else a new one."""
        self.page.evaluate(_OPEN, self._path)

    def reload(self) -> None:
        """Load the page again, as a reader does to whom something looks odd."""
        self.lab.load()
        self.open()

    def run_all(self) -> list[str]:
        """Run every cell to the end and return the errors of those that failed."""
        return self.page.evaluate(_RUN_ALL)

    def run_cell(self, place: int, *, wait: bool = True) -> None:
        """Run one cell; without waiting, return while it is still running."""
        self.page.evaluate(_RUN_CELL, [place, wait])

    def use_second_thread(self) -> None:
        """Move sliders on a thread beside the running cell: JupyterLab's way, not the course's.

        Call it before the explorers are made.
        """
        self.page.evaluate(
            "() => { jupyterapp.shell.currentWidget.sessionContext.session.kernel"
            ".commsOverSubshells = 'perCommTarget' }"
        )

    def is_running(self) -> bool:
        """Tell whether the cell that was last run without waiting still runs."""
        return self.page.evaluate("() => window.cellRuns")

    def restart(self) -> None:
        """Start the kernel anew, which knows nothing of what ran before."""
        self.page.evaluate(
            "() => jupyterapp.shell.currentWidget.sessionContext.session.kernel.restart()"
        )

    def save(self) -> None:
        """Save the notebook to its file."""
        self.page.evaluate("() => jupyterapp.shell.currentWidget.context.save()")

    def execute(self, code: str) -> str:
        """Run code in the notebook's kernel, behind its back, and return what it printed."""
        return self.page.evaluate(_EXECUTE, code)

    @contextmanager
    def in_window(self, width: int, height: int) -> Iterator[None]:
        """Show the notebook alone in a window of the given size, then as it was."""
        before = self.page.viewport_size
        self.page.set_viewport_size({"width": width, "height": height})
        if width < height:  # a phone, where the list of files is closed at the start
            self.page.evaluate("() => jupyterapp.shell.collapseLeft()")
        try:
            self.page.evaluate(_LAID_OUT)
            yield
        finally:
            self.page.set_viewport_size(before)
            self.page.evaluate("() => jupyterapp.shell.expandLeft()")

    @contextmanager
    def as_slides(self, width: int = 1280, height: int = 720) -> Iterator[None]:
        """Show the notebook as slides in a window of the given size, then as it was."""
        before = self.page.viewport_size
        self.page.set_viewport_size({"width": width, "height": height})
        self.page.evaluate("() => jupyterapp.commands.execute('deck:start')")
        self.page.locator(".jp-Deck .jp-deck-mod-visible").first.wait_for()
        try:
            yield
        finally:
            self.page.evaluate("() => jupyterapp.commands.execute('deck:stop')")
            self.page.set_viewport_size(before)

    def slides(self) -> list[dict[str, Any]]:
        """Turn to every slide in turn, all of it revealed, and say what of it is cut off.

        Each slide is {"title", "cut_off": [what and by how many pixels], "cells": how many show,
        "body": the size of its text in pixels, "room": pixels that are free below}.
        """
        return self.page.evaluate(_SLIDES)

    def shown(self) -> list[int]:
        """Return which cells of the slide are shown."""
        return self.page.evaluate(
            "() => jupyterapp.shell.currentWidget.content.widgets.flatMap((cell, place) =>"
            " cell.node.classList.contains('jp-deck-mod-visible') ? [place] : [])"
        )

    def show_cell(self, place: int) -> None:
        """Go to the step of the slides at which a cell appears, as a click on it does."""
        self.page.evaluate(
            "place => { const notebook = jupyterapp.shell.currentWidget.content;"
            " notebook.activeCellIndex = place; notebook.activeCell.node.focus(); }",
            place,
        )

    def show_slide_of(self, picture: "Picture") -> None:
        """Turn to the slide an explorer is on."""
        picture.output.evaluate(_SHOW_SLIDE)

    def pictures(self) -> list["Picture"]:
        """Return the explorers on the page, in order."""
        outputs = self.page.locator(".jp-NotebookPanel:visible .jp-OutputArea-output").filter(
            has=self.page.locator("img.widget-image")
        )
        return [Picture(self, output) for output in outputs.all()]

    def outputs(self, place: int) -> list[dict[str, Any]]:
        """Return the outputs of a cell as the notebook would store them."""
        return self.page.evaluate(
            "place => jupyterapp.shell.currentWidget.content.model.cells.get(place)"
            ".sharedModel.toJSON().outputs",
            place,
        )


class Picture:
    """One explorer on the page: its sliders and its picture."""

    def __init__(self, notebook: Notebook, output: Locator) -> None:
        self.notebook = notebook
        self.output = output
        self.image = output.locator("img.widget-image")
        self.sliders = output.locator(".noUi-handle").all()

    def move(self, slider: Locator, how: str) -> None:
        """Move a slider: "key" presses an arrow, back from the end; "drag" pulls it to an end."""
        slider.scroll_into_view_if_needed()
        if how == "key":
            before = self.readouts()  # the slider's own value is rounded for screen readers
            slider.press("ArrowRight")
            if self.readouts() == before:
                slider.press("ArrowLeft")
            return
        handle, track = slider.bounding_box(), slider.locator("xpath=../..").bounding_box()
        mouse = self.notebook.page.mouse
        x, y = handle["x"] + handle["width"] / 2, handle["y"] + handle["height"] / 2
        far_end = 1.0 if x < track["x"] + track["width"] / 2 else 0.0
        mouse.move(x, y)
        mouse.down()
        for part in (0.1, 0.9, 0.3, 0.6, far_end):
            mouse.move(track["x"] + part * track["width"], y, steps=4)
        mouse.up()

    def use_other_controls(self) -> None:
        """Tick each box and choose the last option of each menu."""
        for box in self.output.locator('input[type="checkbox"]').all():
            box.click()
        for menu in self.output.locator("select").all():
            menu.select_option(index=menu.locator("option").count() - 1)

    def readouts(self) -> list[str]:
        """Return what stands beside the sliders."""
        return self.output.locator(".widget-readout").all_inner_texts()

    def settle(self) -> dict[str, Any]:
        """Wait until picture, kernel and sliders agree, and return the values they agree on.

        The picture on the page must be, pixel for pixel, what the kernel draws from nothing for
        the values it has, and those the ones the page shows.
        """
        deadline = time.monotonic() + PATIENCE
        while time.monotonic() < deadline:
            state = json.loads(self.notebook.execute(_STATE % self._model_id()))
            seen = self.output.evaluate(_SEEN)
            if state["readouts"] == seen["readouts"] and seen["digest"] in state["digests"]:
                return state["values"]
        raise AssertionError(f"the page shows {seen}, the kernel has {state}")

    @contextmanager
    def watched(self) -> Iterator[dict[str, float]]:
        """Note the height of the output at every animation frame; the least is in the result."""
        heights = {"start": self.output.evaluate(_WATCH)}
        yield heights
        heights["least"] = self.output.evaluate("output => output.stopWatching()")

    def caption(self) -> str:
        """Return the line under the picture."""
        return self.output.locator('[role="status"]').inner_text()

    def _model_id(self) -> str:
        return self.output.evaluate(_MODEL_ID)


def _end_with_parent() -> None:
    """Let Linux end the server, and it its kernels, even if the tests are killed."""
    if sys.platform == "linux":
        set_death_signal = 1  # PR_SET_PDEATHSIG of prctl(2)
        ctypes.CDLL(None).prctl(set_death_signal, signal.SIGTERM)


def _write_settings(folder: Path, settings: Mapping[str, Any]) -> None:
    for plugin, values in settings.items():
        _write_json(folder / "@jupyterlab" / f"{plugin}.jupyterlab-settings", values)


def _leave_out_extensions(config: Path) -> None:
    """Switch off what readers lack or what cannot keep up with tests.

    nbgrader is the teachers' and complains in any folder. The debugger asks each new kernel for its
    state, and reports an error when a test closes the notebook before the answer.
    """
    parts = ["assignment_list", "course_list", "formgrader", "validate_assignment"]
    off = {f"nbgrader.server_extensions.{part}": False for part in parts}
    _write_json(config / "jupyter_server_config.json", {"ServerApp": {"jpserver_extensions": off}})
    pages = {"@jupyter/nbgrader": True, "@jupyterlab/debugger-extension": True}
    _write_json(config / "labconfig" / "page_config.json", {"disabledExtensions": pages})


def _write_json(file: Path, content: Any) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(json.dumps(content))


def _environment(state: Path) -> dict[str, str]:
    places = {
        "JUPYTER_CONFIG_DIR": "config",
        "JUPYTER_DATA_DIR": "data",
        "JUPYTER_RUNTIME_DIR": "runtime",
        "JUPYTERLAB_SETTINGS_DIR": "settings",
        "JUPYTERLAB_WORKSPACES_DIR": "workspaces",
        "IPYTHONDIR": "ipython",
    }
    own = {name: str(state / folder) for name, folder in places.items()}
    path = os.pathsep.join(filter(None, [str(ROOT), os.environ.get("PYTHONPATH")]))
    quiet = {key: value for key, value in os.environ.items() if key != "MPLBACKEND"}
    return quiet | own | {"PYTHONPATH": path, "OMP_NUM_THREADS": "1"}


_OPEN = """async path => {
    for (const left of [...jupyterapp.shell.widgets('main')]) left.dispose();
    const panel = await jupyterapp.commands.execute('docmanager:open', {path, factory: 'Notebook'});
    await panel.context.ready;
    await panel.sessionContext.ready;
    await panel.sessionContext.session?.kernel?.info;
}"""

_CLOSE = """async () => {
    const panel = jupyterapp.shell.currentWidget;
    await panel.sessionContext.shutdown();
    panel.context.model.dirty = false;
    panel.dispose();
}"""

_RUN_ALL = """async () => {
    await jupyterapp.commands.execute('notebook:run-all-cells');
    const cells = jupyterapp.shell.currentWidget.content.model.sharedModel.toJSON().cells;
    return cells.flatMap(cell => cell.outputs ?? [])
        .filter(output => output.output_type === 'error')
        .map(output => `${output.ename}: ${output.evalue}`);
}"""

_RUN_CELL = """async ([place, wait]) => {
    const notebook = jupyterapp.shell.currentWidget.content;
    notebook.deselectAll();
    notebook.activeCellIndex = place;
    window.cellRuns = true;
    const done = jupyterapp.commands.execute('notebook:run-cell');
    done.finally(() => { window.cellRuns = false; });
    if (wait) await done;
}"""

_EXECUTE = """async code => {
    const kernel = jupyterapp.shell.currentWidget.sessionContext.session.kernel;
    const future = kernel.requestExecute({code, store_history: false});
    let text = '';
    future.onIOPub = message => {
        if (message.header.msg_type === 'stream') text += message.content.text;
        if (message.header.msg_type === 'error') text += message.content.traceback.join('\\n');
    };
    await future.done;
    return text;
}"""

# What the kernel draws, whole, for its values; and those values as controls print them.
_STATE = """
import hashlib, json, tutor.display.explorer as _e
_shown = [e for _, es in _e._open.values() for e in es if e._view.box.model_id == %r][0]
with _e.DRAWING:
    _shown._canvas.redraw()
    print(json.dumps({
        "digests": [
            hashlib.sha256(some).hexdigest()
            for some in (_shown.png(), _shown._canvas.pixels().tobytes())
        ],
        "values": _shown.values,
        "readouts": [
            str(getattr(w, "label", None) or w.value) if hasattr(w, "options")
            else ("%%" + w.readout_format) and format(w.value, w.readout_format)
            for w in _shown.controls.values() if hasattr(w, "readout")
        ],
    }))
"""

_SEEN = """async output => {
    const image = output.querySelector('img.widget-image');
    const canvas = output.querySelector('.tutor-layer > canvas');  // lies on the image
    const bytes = canvas
        ? canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height).data
        : await (await fetch(image.src)).arrayBuffer();
    const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
    return {
        digest: Array.from(digest, byte => byte.toString(16).padStart(2, '0')).join(''),
        readouts: Array.from(output.querySelectorAll('.widget-readout'), readout =>
            readout.textContent.replace('−', '-')),
    };
}"""

_WATCH = """output => {
    const height = () => output.getBoundingClientRect().height;
    let least = height(), watching = true;
    const look = () => {
        least = Math.min(least, height());
        if (watching) requestAnimationFrame(look);
    };
    requestAnimationFrame(look);
    output.stopWatching = () => { watching = false; return least; };
    return height();
}"""

_MODEL_ID = """output => {
    const cells = jupyterapp.shell.currentWidget.content.widgets;
    for (const cell of cells) {
        for (const [place, widget] of (cell.outputArea?.widgets ?? []).entries()) {
            if (widget.node.contains(output)) {
                const data = cell.outputArea.model.get(place).data;
                return data['application/vnd.jupyter.widget-view+json'].model_id;
            }
        }
    }
}"""

_LAID_OUT = """async () => {
    for (let n = 0; n < 4; n++) await new Promise(requestAnimationFrame);
}"""

_SLIDES = """async () => {
    const notebook = jupyterapp.shell.currentWidget.content;
    const frames = async count => {
        for (let n = 0; n < count; n++) await new Promise(requestAnimationFrame);
    };
    const kind = cell => cell.model.getMetadata('slideshow')?.slide_type ?? null;
    const shown = notebook.widgets.filter(cell => !['skip', 'notes'].includes(kind(cell)));
    // What MathJax writes for screen readers takes room, and shows nothing to be cut off.
    for (const unseen of notebook.node.querySelectorAll('mjx-assistive-mml')) unseen.remove();
    const slides = [];
    for (const cell of shown) {
        if (['slide', 'subslide'].includes(kind(cell)) || !slides.length) slides.push([]);
        slides.at(-1).push(cell);
    }
    const cutOff = (cells) => {
        const found = [];
        const outer = notebook.node.querySelector('.jp-WindowedPanel-outer');
        for (const node of [notebook.node, outer]) {
            const below = node.scrollHeight - node.clientHeight;
            if (below > 1) found.push(`${below} px at the bottom`);
        }
        const parts = '.cm-scroller, pre, table, img, mjx-container, .jp-RenderedHTMLCommon';
        for (const cell of cells) {
            for (const node of [cell.node, ...cell.node.querySelectorAll(parts)]) {
                const box = node.getBoundingClientRect();
                if (!box.width) continue;
                const inside = node.scrollWidth - node.clientWidth;
                const beyond = Math.max(box.right - innerWidth, box.bottom - innerHeight, -box.top);
                if (node.clientWidth && inside > 1) {
                    found.push(`${inside} px of ${node.textContent.slice(0, 60)}`);
                }
                if (beyond > 1) found.push(`${Math.round(beyond)} px of ${node.tagName}`);
            }
        }
        return [...new Set(found)];
    };
    const result = [];
    for (const cells of slides) {
        notebook.activeCellIndex = notebook.widgets.indexOf(cells.at(-1));
        while (!cells.every(cell => cell.node.classList.contains('jp-deck-mod-visible'))) {
            await frames(1);
        }
        await frames(2);
        const title = cells[0].model.sharedModel.source.split('\\n')[0];
        const zoom = cells[0].node.getBoundingClientRect().width / cells[0].node.offsetWidth;
        const style = getComputedStyle(notebook.node);
        const body = zoom * parseFloat(style.getPropertyValue('--jp-content-font-size1'));
        const boxes = cells.map(cell => cell.node.getBoundingClientRect());
        const room = innerHeight - boxes.at(-1).bottom + boxes[0].top;
        result.push({title, cells: cells.length, body, room, cut_off: cutOff(cells)});
    }
    return result;
}"""

_SHOW_SLIDE = """async output => {
    const notebook = jupyterapp.shell.currentWidget.content;
    const place = notebook.widgets.findIndex(cell => cell.node.contains(output));
    notebook.activeCellIndex = place;
    const shown = notebook.widgets[place].node.classList;
    while (!shown.contains('jp-deck-mod-visible')) await new Promise(requestAnimationFrame);
}"""
