// Slides in JupyterLab that can be read from the back row.
//
// jupyterlab-slideshow shows a notebook as a deck. This adds to it: each slide is as large as it
// fits (fit.js); every press shows something new; the keys of the static decks; a deck ends with its
// notebook. JupyterLab loads this file as it is: there is nothing to build.
"use strict";
(() => {
  const WANTED = "tutor-deck"; // in this tab, until the deck ends
  const COMMAND_MODE = 'body[data-jp-deck-mode="presenting"] .jp-Deck .jp-Notebook.jp-mod-commandMode:not(.jp-mod-readWrite) :focus';
  const keysOfSlides = () => spoken("Space: on. Shift+Space: back. S: your notes in a second window. B: a black screen. ?: this line. Esc: end.");
  // A cell that only calls for a picture or a prediction, as in the static decks (slides.py).
  const PLUMBING = /^(predict|you_are_here|measured|explore\.\w+)\([^\n]*(\n[ )][^\n]*)*$/;
  const CONTROLS = ".tutor-explorer, .widget-text, .widget-radio-box";
  const LINE = '[type="text"]'; // to write in
  const HERE = document.currentScript.src;
  const DECK = 'body[data-jp-deck-mode="presenting"]';
  const STYLE = `
    ${DECK} .jp-Deck { --jp-content-line-height: 1.45; }
    ${DECK} .tutor-plumbing .jp-Cell-inputWrapper { display: none; }
    ${DECK} .jp-Deck .jp-RenderedText pre { white-space: pre; }
    ${DECK} .jp-Deck .tutor-plumbing .jp-RenderedText pre {
      white-space: pre-wrap; word-break: normal; min-width: var(--tutor-columns);
      padding-right: 1.5ch; /* a broken line's last blank hangs out so far */
    }
    /* When the window changes, JupyterLab leaves them room for a menu, which a deck has not. */
    ${DECK} :is(#jp-main-vsplit-panel, #jp-main-split-panel, #jp-main-dock-panel) {
      height: 100vh !important;
    }
    ${DECK} .tutor-beside { display: grid; column-gap: 24px; }
    ${DECK} .tutor-beside > .jp-Cell { grid-area: 1 / 1 / auto / -1; }
    ${DECK} .tutor-beside :not(pre) > code { white-space: pre-wrap; overflow-wrap: anywhere; }
    ${DECK} .tutor-controls { max-height: none; }
    ${DECK}.tutor-black::after {
      content: ""; position: fixed; inset: 0; background: black; z-index: 100000;
    }
    ${DECK} .jp-Deck .jp-Collapser { visibility: hidden; }
    ${DECK} .jp-OutputArea-promptOverlay { display: none; } /* it would lie on what is at the left */
    ${DECK} .jp-Deck-DesignTools { display: none; }
    /* There for whoever has no keys: out of sight where a pointer can find them, else pale. */
    ${DECK} .jp-Deck-Remote { opacity: 0.3; }
    @media (hover: hover) { ${DECK} .jp-Deck-Remote:not(:hover, :focus-within) { opacity: 0; } }
    ${DECK} .jp-Deck-Remote:is(:hover, :focus-within) { opacity: 1; }
    ${DECK} .jp-Deck .widget-radio-box {
      flex-direction: row; flex-wrap: wrap; height: auto; column-gap: 2em;
    }
    ${DECK} .jp-Deck :is(details > summary, summary + p) { display: inline; }
    ${DECK} .jp-Deck details::details-content { display: inline; }
    .tutor-hint {
      position: fixed; bottom: 8px; left: 50%; transform: translateX(-50%); padding: 4px 12px;
      border-radius: 4px; background: var(--jp-layout-color2); color: var(--jp-ui-font-color0);
      font-size: 16px; z-index: 9999;
    }`;

  const isPresenting = () => document.body.dataset.jpDeckMode === "presenting";

  function onScreen(notebook) {
    return notebook.widgets
      .map(cell => cell.node)
      .filter(node => node.classList.contains("jp-deck-mod-onscreen"));
  }

  // A deck of one notebook, from its start to its end.
  class Deck {
    constructor(panel, commands) {
      this.notebook = panel.content;
      this.commands = commands;
      this.hint = showHint(keysOfSlides());
      this.notes = new Notes(this.notebook, way => this.turn(way));
      this.sizes = "";
      this.watcher = new ResizeObserver(() => this.fitIfChanged());
      this.refit = () => requestAnimationFrame(() => this.fitIfChanged());
      this.notebook.activeCellChanged.connect(this.refit);
      addEventListener("resize", this.refit);
      this.refit();
    }

    // Another slide or window, an output that came, an answer that was unfolded.
    fitIfChanged() {
      if (this.notebook.isDisposed || !isPresenting()) return;
      this.notes.tell();
      if (this.sizes === this.measure()) return;
      this.hidePlumbing();
      this.giveKeys();
      fit(onScreen(this.notebook));
      this.notebook.node.scrollTop = 0;
      this.sizes = this.measure();
      this.watcher.disconnect();
      for (const cell of onScreen(this.notebook)) this.watcher.observe(cell);
    }

    measure() {
      const cells = onScreen(this.notebook);
      const sizes = cells.map(cell => `${cell.offsetWidth} ${cell.offsetHeight}`);
      return [this.notebook.widgets.findIndex(cell => cell.node === cells[0]), innerWidth,
        innerHeight, ...sizes].join();
    }

    // What has no output yet is shown, so that it can be run.
    hidePlumbing() {
      for (const { node, model } of this.notebook.widgets) {
        const isDone = model.type === "code" && model.outputs.length > 0;
        node.classList.toggle(
          "tutor-plumbing", isDone && PLUMBING.test(model.sharedModel.getSource()));
      }
      tablesIn(this.notebook.node).forEach(keepTablesWhole);
    }

    // Choices get the keys that the notebook would have.
    giveKeys() {
      for (const choice of this.notebook.node.querySelectorAll(".widget-radio-box input")) {
        choice.dataset.lmSuppressShortcuts = "true";
      }
    }

    openNotes() {
      if (this.notes.open()) return;
      this.hint = showHint(spoken("The browser keeps the second window closed: allow pop-ups for this page, then press S again."));
    }

    // What of the slide is shown.
    seen() {
      return this.notebook.widgets
        .map((cell, place) => (cell.node.classList.contains("jp-deck-mod-visible") ? place : ""))
        .join(" ");
    }

    // Go on or back until something else is seen: cells that appear together are one step.
    async turn(way) {
      const directions = way > 0
        ? { direction: "down", alternate: "forward" } : { direction: "up", alternate: "back" };
      const before = this.seen(), start = this.notebook.activeCellIndex;
      let place;
      do {
        place = this.notebook.activeCellIndex;
        await this.commands.execute("deck:go", directions);
      } while (this.seen() === before && this.notebook.activeCellIndex !== place);
      if (this.seen() === before) this.notebook.activeCellIndex = start; // the deck's first or last
    }

    // Keys inside a control are its own, except what turns the slides in static decks too.
    onKey(event) {
      const { key, target, shiftKey } = event;
      if (!target.closest?.(CONTROLS)) return;
      const isSlider = target.matches('[role="slider"]');
      const way = { PageDown: 1, PageUp: -1, " ": isSlider ? (shiftKey ? -1 : 1) : 0 }[key];
      const isLeft = way || key === "Escape" || (key === "Enter" && target.matches(LINE));
      if (!isLeft) return;
      this.notebook.activeCell.node.focus(); // what was written counts from now on
      if (way) this.turn(way);
      event.preventDefault();
      event.stopPropagation();
    }

    end() {
      this.hint.remove();
      this.notes.close();
      this.watcher.disconnect();
      removeEventListener("resize", this.refit);
      if (this.notebook.isDisposed) return;
      this.notebook.activeCellChanged.disconnect(this.refit);
      const cells = this.notebook.widgets.map(cell => cell.node);
      unfit(cells);
      for (const cell of cells) cell.classList.remove("tutor-plumbing");
    }
  }

  function showHint(words) {
    const hint = document.createElement("div");
    hint.className = "tutor-hint";
    hint.setAttribute("role", "status");
    hint.textContent = words;
    document.querySelector(".tutor-hint")?.remove();
    document.body.append(hint);
    setTimeout(() => hint.remove(), 8000);
    return hint;
  }

  // Load a file that lies beside this one.
  function load(file) {
    const script = document.createElement("script");
    script.src = new URL(file, HERE);
    document.head.append(script);
    return new Promise(done => script.addEventListener("load", done));
  }

  async function activate(app) {
    const { commands, shell } = app;
    let deck = null;
    await load("words.js");
    await learnWords(new URL("../words.json", HERE));

    const style = document.createElement("style");
    style.textContent = STYLE;
    document.head.append(style);

    // JupyterLab keeps in its settings that a deck is shown, and would show the next notebook
    // as one too: without menus, to whoever opens it.
    commands.commandExecuted.connect((_, { id }) => {
      if (["deck:start", "deck:toggle"].includes(id)) sessionStorage.setItem(WANTED, "yes");
    });

    function begin() {
      const panel = shell.currentWidget;
      if (!isPresenting() || deck?.notebook === panel?.content) return;
      if (!panel?.content?.widgets || !panel.node.classList.contains("jp-Deck")) {
        requestAnimationFrame(begin); // it is still being set up
        return;
      }
      if (!sessionStorage.getItem(WANTED)) {
        commands.execute("deck:stop");
        return;
      }
      deck?.end();
      if (kindOf(panel.content.activeCell) === "notes") panel.content.activeCellIndex = 0;
      deck = new Deck(panel, commands);
      panel.disposed.connect(() => commands.execute("deck:stop"));
    }

    function end() {
      sessionStorage.removeItem(WANTED);
      document.body.classList.remove("tutor-black");
      deck?.end();
      deck = null;
    }

    load("phone.js").then(() => closeFilesOnPhone(app));
    load("alts.js").then(() => giveAlts(app));
    Promise.all(["fit.js", "speaker.js", "notes.js"].map(load)).then(() => {
      new MutationObserver(() => (isPresenting() ? begin() : end())).observe(
        document.body, { attributeFilter: ["data-jp-deck-mode"] });
      shell.currentChanged?.connect(() => isPresenting() && begin());
      if (isPresenting()) begin();
    });

    commands.addCommand("tutor:slides", {
      label: spoken("Slides"),
      caption: spoken("Show the notebook as slides"),
      execute: () => commands.execute("deck:toggle"),
    });
    commands.addCommand("tutor:turn", {
      label: spoken("Next or previous step of the slides"),
      execute: ({ way }) => deck?.turn(way),
    });
    commands.addCommand("tutor:black", {
      label: spoken("Black screen"),
      execute: () => document.body.classList.toggle("tutor-black"),
    });
    commands.addCommand("tutor:notes", {
      label: spoken("The lecturer's notes in a second window"),
      execute: () => deck?.openNotes(),
    });
    commands.addCommand("tutor:keys", {
      label: spoken("Keys of the slides"),
      execute: () => { if (deck) deck.hint = showHint(keysOfSlides()); },
    });
    addEventListener("keydown", event => deck?.onKey(event), true);
    const keys = [["Space", 1], ["ArrowRight", 1], ["PageDown", 1],
      ["Shift Space", -1], ["ArrowLeft", -1], ["PageUp", -1]];
    for (const [key, way] of keys) {
      commands.addKeyBinding({
        command: "tutor:turn", args: { way }, keys: [key], selector: COMMAND_MODE,
      });
    }
    const others = { B: "tutor:black", ".": "tutor:black", S: "tutor:notes", "Shift /": "tutor:keys" };
    for (const [key, command] of Object.entries(others)) {
      commands.addKeyBinding({ command, keys: [key], selector: COMMAND_MODE });
    }
  }

  const plugin = { id: "transformer-tutor:slides", autoStart: true, activate };
  window._JUPYTERLAB ??= {};
  window._JUPYTERLAB["transformer-tutor"] = {
    init: () => undefined,
    get: () => Promise.resolve(() => ({ __esModule: true, default: plugin })),
  };
})();
