// What the lecturer's window (speaker.js) shows of a notebook that is presented in JupyterLab.
"use strict";
const kindOf = cell => cell.model.getMetadata("slideshow")?.slide_type ?? null;

// The slides of a notebook: each has the place of its first cell, and the notes on it.
function slidesOf(notebook) {
  const slides = [];
  notebook.widgets.forEach((cell, place) => {
    const kind = kindOf(cell);
    if (kind === "skip") return;
    if (["slide", "subslide"].includes(kind) || !slides.length) slides.push({ place, notes: [] });
    if (kind === "notes") slides.at(-1).notes.push(cell);
  });
  return slides;
}

// The cells that the next press shows.
function nextStep(notebook, last) {
  const rest = notebook.widgets.slice(last + 1)
    .filter(cell => !["skip", "notes"].includes(kindOf(cell)));
  const end = rest.findIndex((cell, place) => place > 0 && kindOf(cell));
  return end < 0 ? rest : rest.slice(0, end);
}

function inWords(cells) {
  const words = document.createElement("p");
  words.className = "words";
  words.textContent = cells.map(cell => cell.model.sharedModel.getSource()).join("\n\n")
    || "This is the end.";
  return words;
}

// A note as it is rendered; far from the screen JupyterLab may not have done so yet.
function noteOf(cell) {
  const rendered = cell.node.querySelector(".jp-RenderedMarkdown");
  return rendered?.textContent.trim() ? rendered.cloneNode(true) : inWords([cell]);
}

class Notes {
  constructor(notebook, turn) {
    this.notebook = notebook;
    this.turn = turn;
    this.speaker = null;
  }

  // Open the window, and tell whether the browser let it.
  open() {
    if (this.speaker?.isOpen) {
      this.speaker.window.focus();
      return true;
    }
    this.speaker = new Speaker({ turn: this.turn, onKey: event => this.onKey(event) });
    this.tell();
    return this.speaker.isOpen;
  }

  onKey(event) {
    const { key, shiftKey } = event;
    const way = { ArrowRight: 1, PageDown: 1, ArrowLeft: -1, PageUp: -1, " ": shiftKey ? -1 : 1 }[key];
    if (!way) return;
    event.preventDefault();
    this.turn(way);
  }

  tell() {
    if (!this.speaker?.isOpen) return;
    const { widgets } = this.notebook;
    const seen = widgets.filter(cell => cell.node.classList.contains("jp-deck-mod-visible"));
    const first = widgets.indexOf(seen[0]), last = widgets.indexOf(seen.at(-1));
    const slides = slidesOf(this.notebook);
    const place = slides.findLastIndex(slide => slide.place <= first);
    this.speaker.show({
      now: inWords(seen),
      next: inWords(nextStep(this.notebook, last)),
      notes: slides[place].notes.map(noteOf),
      place: `${place + 1} / ${slides.length}`,
      planned: plannedBy(
        slides.map(slide => slide.notes.map(cell => cell.model.sharedModel.getSource())), place),
    });
  }

  close() {
    this.speaker?.close();
  }
}
