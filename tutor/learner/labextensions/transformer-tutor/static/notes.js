// What the lecturer's window (speaker.js) shows of a notebook that is presented in JupyterLab.
"use strict";
const SOON = 200; // ms
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

const INERT = document.implementation.createHTMLDocument(); // here nothing loads or runs
const UNNEEDED = "script, [hidden], .tutor-controls, .tutor-layer, .tutor-unseen, .jp-InternalAnchorLink";
const PICTURE = "img.widget-image";
const PAINTED = "data-frame"; // of a canvas on a picture: changes when it is painted

// Pictures that are painted over since they moved, by their number, with what lies on them.
function paintedIn(node) {
  return [...node.querySelectorAll(PICTURE)]
    .map((image, number) => [number, image.parentElement.querySelector(".tutor-layer > canvas")])
    .filter(([, canvas]) => canvas);
}

// A copy that needs neither JupyterLab's styles, but for formulas, nor its scripts.
function copyOf(node) {
  const copy = INERT.importNode(node, true);
  for (const [picture, painted] of paintedIn(node)) {
    copy.querySelectorAll(PICTURE)[picture].src = painted.toDataURL();
  }
  for (const unneeded of copy.querySelectorAll(UNNEEDED)) unneeded.remove();
  for (const answer of copy.querySelectorAll("details")) answer.open = true; // as on slides
  return copy;
}

// What MathJax and its fonts need. It adds rules past the text of its style, so they are asked for.
function styleOfFormulas() {
  const rules = [...document.head.querySelectorAll("style")].flatMap(style => [...style.sheet.cssRules]);
  const style = document.createElement("style");
  style.textContent = rules.map(rule => rule.cssText).filter(text => /mjx/i.test(text)).join("\n");
  return style;
}

function inWords(cell) {
  const words = document.createElement("pre");
  words.textContent = cell.model.sharedModel.getSource();
  return words;
}

// Text as it is rendered; far from the screen JupyterLab may not have done so yet.
function inProse(cell) {
  const rendered = cell.node.querySelector(".jp-RenderedMarkdown");
  return rendered?.textContent.trim() ? copyOf(rendered) : inWords(cell);
}

// Code with its outputs; of a cell that only calls for a picture, the picture.
function inCode(cell) {
  const outputs = [...cell.node.querySelectorAll(".jp-OutputArea-output")].map(copyOf);
  return cell.node.classList.contains("tutor-plumbing") ? outputs : [inWords(cell), ...outputs];
}

function asShown(cells) {
  const shown = document.createElement("div");
  shown.className = "cells";
  shown.inert = true; // the deck is where things are moved
  shown.append(...cells.flatMap(cell => (cell.model.type === "code" ? inCode : inProse)(cell)));
  if (!cells.length) shown.textContent = spoken("This is the end.");
  return shown;
}

class Notes {
  constructor(notebook, turn) {
    this.notebook = notebook;
    this.turn = turn;
    this.speaker = null;
    this.watcher = new MutationObserver(() => this.tellSoon());
  }

  // Open the window, and tell whether the browser let it.
  open() {
    if (this.speaker?.isOpen) {
      this.speaker.window.focus();
      return true;
    }
    this.speaker = new Speaker({ turn: this.turn, onKey: event => this.onKey(event) });
    this.tell();
    const changes = { subtree: true, childList: true, attributeFilter: ["src", PAINTED] };
    this.watcher.observe(this.notebook.node, changes);
    return this.speaker.isOpen;
  }

  onKey(event) {
    const { key, shiftKey } = event;
    const way = { ArrowRight: 1, PageDown: 1, ArrowLeft: -1, PageUp: -1, " ": shiftKey ? -1 : 1 }[key];
    if (!way) return;
    event.preventDefault();
    this.turn(way);
  }

  // A slider was moved, or an output came; many changes are told as one.
  tellSoon() {
    this.waiting ??= setTimeout(() => {
      this.waiting = null;
      this.tell();
    }, SOON);
  }

  tell() {
    if (!this.speaker?.isOpen) return;
    const { widgets } = this.notebook;
    const seen = widgets.filter(cell => cell.node.classList.contains("jp-deck-mod-visible"));
    const first = widgets.indexOf(seen[0]), last = widgets.indexOf(seen.at(-1));
    const slides = slidesOf(this.notebook);
    const place = slides.findLastIndex(slide => slide.place <= first);
    this.speaker.show({
      now: asShown(seen),
      next: asShown(nextStep(this.notebook, last)),
      notes: [...slides[place].notes.map(inProse), styleOfFormulas()],
      place: `${place + 1} / ${slides.length}`,
      planned: plannedBy(
        slides.map(slide => slide.notes.map(cell => cell.model.sharedModel.getSource())), place),
    });
  }

  close() {
    this.watcher.disconnect();
    this.speaker?.close();
  }
}
