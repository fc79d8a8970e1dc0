// What a class sees of a deck, measured from the page: `pageThrough(deck)` with one of `decks`.
// Nobody loads this file: `screens.py` runs it as the body of a function.
/* global slide, step, turn, go, jupyterapp */
const decks = {
  static: {
    frames: 0, // until what a press does is done
    turn: () => turn(1),
    rewind: () => go(0),
    state: () => `${slide} ${step}`,
    number: () => slide,
    parts: () => [...document.querySelectorAll(".slide:not([hidden]) .step:not(.later)")],
  },
  live: {
    frames: 4,
    turn: () => jupyterapp.commands.execute("tutor:turn", { way: 1 }),
    async rewind() {
      const notebook = jupyterapp.shell.currentWidget.content;
      notebook.activeCellIndex = 0;
      while (!notebook.widgets[0].node.classList.contains("jp-deck-mod-visible")) await wait(1);
    },
    state() {
      const { widgets } = jupyterapp.shell.currentWidget.content;
      return widgets.flatMap((cell, place) => (isShown(cell.node) ? [place] : [])).join(" ");
    },
    last: () => jupyterapp.shell.currentWidget.content.activeCellIndex,
    number: () => jupyterapp.shell.currentWidget.content.widgets.findIndex(
      cell => isShown(cell.node)),
    parts: () => jupyterapp.shell.currentWidget.content.widgets
      .map(cell => cell.node).filter(isShown),
  },
};
const isShown = node => node.classList.contains("jp-deck-mod-visible");
const PROSE = ".text :is(p, li, td, th), .jp-RenderedMarkdown :is(p, li, td, th)";
const OTHER_SIZE = "code, sub, sup, math, mjx-container, summary";
const SOLID = "img, svg, canvas, input, select, button, .noUi-base";
const UNSEEN = "mjx-assistive-mml, script, style, option, .longest, [hidden]";

async function wait(count) {
  for (let n = 0; n < count; n += 1) await new Promise(requestAnimationFrame);
}

// Where an element may leave ink: inside the window, and inside all of its part that clips.
function frameOf(element, known) {
  if (known.has(element)) return known.get(element);
  const outer = frameOf(element.parentElement, known), { overflowX, overflowY } = getComputedStyle(element);
  const box = element.getBoundingClientRect(), inner = { ...outer };
  if (overflowX !== "visible") {
    inner.left = Math.max(outer.left, box.left);
    inner.right = Math.min(outer.right, box.right);
  }
  if (overflowY !== "visible") {
    inner.top = Math.max(outer.top, box.top);
    inner.bottom = Math.min(outer.bottom, box.bottom);
  }
  known.set(element, inner);
  return inner;
}

// A formula's letters have boxes as high as they are; those of their texts are higher.
function boxesOf(text) {
  if (text.parentElement.closest("math")) return [...text.parentElement.getClientRects()];
  const range = document.createRange();
  range.selectNodeContents(text);
  return [...range.getClientRects()];
}

// How many pixels of a box are cut; a line of text has some air above and below its letters.
function cutBy(box, frame, air = 0) {
  const beyond = Math.max(
    frame.left - box.left, box.right - frame.right,
    frame.top - box.top - air, box.bottom - frame.bottom - air);
  return beyond > 1 ? Math.round(beyond) : 0;
}

// What of some parts of a page is seen, how large its type is, and what of it is cut.
function look(parts, ratio) {
  const seen = [], body = [], code = [], cuts = new Set(), known = new Map();
  const whole = { left: 0, top: 0, right: innerWidth, bottom: innerHeight };
  for (const part of parts) {
    known.set(part.parentElement, whole);
    const zoom = ratio * part.getBoundingClientRect().width / part.offsetWidth;
    const texts = document.createTreeWalker(part, NodeFilter.SHOW_TEXT);
    for (let text = texts.nextNode(); text; text = texts.nextNode()) {
      const element = text.parentElement, words = text.textContent.trim();
      if (!words || element.closest(UNSEEN)) continue;
      if (!element.checkVisibility({ visibilityProperty: true, opacityProperty: true })) continue;
      const boxes = boxesOf(text).filter(box => box.width > 1 && box.height > 1);
      if (!boxes.length) continue;
      const frame = frameOf(element, known);
      if (frame.right - frame.left < 2) continue; // for screen readers only
      seen.push(words);
      const size = zoom * parseFloat(getComputedStyle(element).fontSize);
      if (element.closest("pre, .cm-content")) code.push(size);
      else if (element.closest(PROSE) && !element.closest(OTHER_SIZE)) body.push(size);
      for (const box of boxes) {
        const cut = cutBy(box, frame, box.height / 5);
        if (cut) cuts.add(`${cut} px of “${words.slice(0, 40)}”`);
      }
    }
    for (const solid of part.querySelectorAll(SOLID)) {
      const box = solid.getBoundingClientRect();
      if (!box.width || !solid.checkVisibility({ visibilityProperty: true })) continue;
      if (solid.closest(UNSEEN) || solid.closest("mjx-container")) continue;
      seen.push(solid.tagName + (solid.src ?? "").length);
      const cut = cutBy(box, frameOf(solid.parentElement, known));
      if (cut) cuts.add(`${cut} px of ${solid.tagName}`);
    }
  }
  const least = sizes => (sizes.length ? Math.min(...sizes) : null);
  return { seen: seen.join("\n"), body: least(body), code: least(code), cuts: [...cuts] };
}

// Go from a deck's first slide to its last, press by press.
async function pageThrough(deck, ratio) {
  await document.fonts.ready;
  await deck.rewind();
  await wait(deck.frames);
  const slides = new Map(), empty = [];
  let presses = 0, before = null;
  for (;;) {
    const now = look(deck.parts(), ratio), state = deck.state();
    const title = now.seen.split("\n")[0];
    slides.set(deck.number(), { ...now, last: deck.last?.(), title: slides.get(deck.number())?.title ?? title });
    if (before?.seen === now.seen) empty.push(slides.get(deck.number()).title);
    before = now;
    await deck.turn();
    await wait(deck.frames);
    if (deck.state() === state) break;
    presses += 1;
  }
  return { presses, empty, slides: [...slides.values()].map(({ seen, ...slide }) => slide) };
}
