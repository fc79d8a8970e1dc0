// Turns the slides, by keys (index.html.j2 lists them), by buttons, by a swipe, and shows the
// lecturer's window (speaker.js; words.js says what both say).
"use strict";
const SHORT = 720, FOOT = 40; // a stage's short side; what stays free at its foot
const PAPER = [1280, 720];
const SWIPE = 60;
const SIZES = Array.from({ length: 23 }, (_, step) => 1.6 - 0.05 * step);
const GROWS = [1.5, 1.25, 1.1, 1, 0.85, 0.7]; // how much larger than the text a picture below it is
const SHARES = [0.5, 0.58, 0.66, 0.72, 0.78]; // of the width that pictures beside a text may take
const ENOUGH = { text: 1.05, picture: 1.22 }; // so large that it is read from the back row
const LEAST = 0.95; // of text, if any layout allows it
const deck = document.querySelector(".deck");
const slides = [...document.querySelectorAll(".slide")];
const steps = slides.map(slide => [...slide.querySelectorAll(".step")]);
const notes = slides.map(slide => [...slide.querySelectorAll(".notes")]);
const planned = notes.map(some => some.map(note => note.textContent));
let slide = 0, step = 0;
let speaker = null;
let width = 0, height = 0; // of the stage: as long and as short as the window is

// A slide with pictures and words may have them side by side.
const isPicture = part => part.querySelector(".explorer, img.picture") !== null;
for (const own of steps) {
  const parts = own.flatMap(step => [...step.children]), pictures = parts.filter(isPicture);
  if (pictures.length < parts.length) for (const part of pictures) part.classList.add("pictured");
}

// Lay a slide out, and tell whether nothing is cut: a share of 0 puts pictures below the text.
function lays(slide, { size, share = 0, grow = 1 }) {
  const inner = slide.querySelector(".inner");
  inner.classList.toggle("beside", share > 0);
  inner.style.setProperty("--share", share);
  inner.style.minHeight = "";
  inner.style.width = `${(width - 2 * inner.offsetLeft) / size}px`;
  inner.style.transform = `scale(${size})`;
  inner.style.setProperty("--grow", grow);
  let top = 2;
  for (const part of inner.querySelectorAll(".pictured")) {
    part.style.top = `${top}px`;
    top += part.offsetHeight;
  }
  if (share) inner.style.minHeight = `${top}px`;
  const whole = part => part.scrollWidth <= part.clientWidth;
  return inner.offsetTop + inner.offsetHeight * size <= height - FOOT
    && [inner, ...inner.querySelectorAll("pre, math, table")].every(whole);
}

// The largest text with which a layout is whole; what fits fits smaller, too.
function largest(slide, layout) {
  let low = 0, high = SIZES.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (lays(slide, { ...layout, size: SIZES[middle] })) high = middle;
    else low = middle + 1;
  }
  return low < SIZES.length ? { ...layout, size: SIZES[low] } : null;
}

// How well text and picture are read: neither gains by being larger than enough.
function worth(slide, layout) {
  lays(slide, layout);
  const zooms = [...slide.querySelectorAll(".pictured img[width]")].map(
    picture => layout.size * picture.offsetWidth / picture.getAttribute("width"));
  const zoom = Math.min(...zooms);
  return Math.min(layout.size / ENOUGH.text, 1) + Math.min(zoom / ENOUGH.picture, 1)
    + (layout.size + zoom) / 100 - (layout.size < LEAST);
}

const layouts = new Map();

function best(slide, isWaiting) {
  const smallest = { size: SIZES.at(-1), grow: GROWS.at(-1) };
  if (isWaiting || !slide.querySelector(".pictured img[width]")) return largest(slide, {}) ?? smallest;
  const possible = [...GROWS.map(grow => ({ grow })), ...SHARES.map(share => ({ share }))];
  const found = possible.map(layout => largest(slide, layout)).filter(Boolean);
  const worths = found.map(layout => worth(slide, layout));
  return found[worths.indexOf(Math.max(...worths))] ?? smallest;
}

// Show so many steps of a slide, as large as it fits. Steps to come keep their place; but until
// its picture comes, a question has the slide to itself.
function reveal(number, count) {
  const own = slides[number];
  steps[number].forEach((part, place) => part.classList.toggle("later", place >= count));
  const isWaiting = own.querySelector(".later .pictured") !== null
    && own.querySelector(".step:not(.later) .pictured") === null;
  own.classList.toggle("waiting", isWaiting);
  const name = `${number} ${isWaiting} ${width} ${height} ${own.querySelectorAll("[open]").length}`;
  if (!layouts.has(name)) layouts.set(name, best(own, isWaiting));
  lays(own, layouts.get(name));
}

function show() {
  slides.forEach((other, number) => { other.hidden = number !== slide; });
  reveal(slide, step + 1);
  document.querySelector(".place").textContent = `${slide + 1} / ${slides.length}`;
  history.replaceState(null, "", `#${slide + 1}`);
  tellSpeaker();
}

// Copy a slide with so many of its steps, as large as the lecturer's window has room for.
function copyOf(number, shown) {
  const original = slides[number], { hidden } = original;
  original.hidden = false;
  reveal(number, shown);
  const copy = original.cloneNode(true);
  original.hidden = hidden;
  if (!hidden) reveal(number, step + 1);
  const controls = [...original.querySelectorAll("input, select")];
  copy.querySelectorAll("input, select").forEach((control, place) => {
    control.value = controls[place].value;
    control.checked = controls[place].checked;
  });
  const pictures = original.querySelectorAll("canvas");
  copy.querySelectorAll("canvas").forEach((canvas, place) => { // a copy of it is empty
    if (!canvas.hidden) canvas.getContext("2d").drawImage(pictures[place], 0, 0);
  });
  for (const unneeded of copy.querySelectorAll("script, .notes")) unneeded.remove();
  copy.inert = true; // the deck is where things are moved
  const copied = document.createElement("div");
  copied.className = "copy";
  copied.style.cssText = `--width: ${width}; --height: ${height}`;
  copied.append(copy);
  return copied;
}

function nextInWords() {
  const words = document.createElement("p");
  words.className = "words";
  words.textContent = spoken("This is the end.");
  return words;
}

function tellSpeaker() {
  if (!speaker?.isOpen) return;
  const isLastStep = step === steps[slide].length - 1;
  const isEnd = isLastStep && slide === slides.length - 1;
  const next = isLastStep ? [slide + 1, 1] : [slide, step + 2];
  speaker.show({
    now: copyOf(slide, step + 1),
    next: isEnd ? nextInWords() : copyOf(...next),
    notes: notes[slide].map(note => note.firstElementChild.cloneNode(true)),
    place: `${slide + 1} / ${slides.length}`,
    planned: plannedBy(planned, slide),
  });
}

function openSpeaker() {
  if (speaker?.isOpen) return speaker.window.focus();
  speaker = new Speaker({ turn, onKey, styles: document.head.querySelectorAll("style") });
  if (speaker.isOpen) tellSpeaker();
  else hint(spoken("The browser keeps the second window closed: allow pop-ups for this page, then press S again."));
}

function hint(words) {
  const place = document.querySelector(".hint");
  place.textContent = words;
  place.hidden = false;
  setTimeout(() => { place.hidden = true; }, 8000);
}

function toggleKeys() {
  const keys = document.querySelector(".keys");
  keys.hidden = !keys.hidden;
  document.querySelector(".ask").setAttribute("aria-expanded", String(!keys.hidden));
}

function turn(way) {
  const before = slide;
  step += way;
  if (step < 0 && slide > 0) step = steps[--slide].length - 1;
  if (step >= steps[slide].length && slide < slides.length - 1) { slide += 1; step = 0; }
  step = Math.max(0, Math.min(step, steps[slide].length - 1));
  show();
  if (slide !== before) slides[slide].focus({ preventScroll: true });
}

function go(number) {
  slide = Math.max(0, Math.min(slides.length - 1, number));
  step = 0;
  show();
  slides[slide].focus({ preventScroll: true });
}

// What a key does, unless the control that has the focus needs it: null leaves it alone.
function wayOf(event) {
  if (event.ctrlKey || event.altKey || event.metaKey) return null;
  const { key, target } = event;
  if (key === "PageDown") return 1;
  if (key === "PageUp") return -1;
  const slider = target.matches('input[type="range"]');
  if (target.matches("input, select, summary, button, a") && !(slider && key === " ")) return null;
  if (key === " ") return event.shiftKey ? -1 : 1;
  return { ArrowRight: 1, ArrowLeft: -1 }[key] ?? null;
}

const KEYS = {
  b: () => document.body.classList.toggle("black"),
  ".": () => document.body.classList.toggle("black"),
  p: () => document.body.classList.toggle("pointing"),
  s: openSpeaker,
  "?": toggleKeys,
  Home: () => go(0),
  End: () => go(slides.length - 1),
};

function onKey(event) {
  const way = wayOf(event);
  if (way !== null) {
    event.preventDefault();
    turn(way);
  } else if (event.key === "Escape") {
    if (!document.querySelector(".keys").hidden) toggleKeys();
    slides[slide].focus({ preventScroll: true }); // arrow keys turn the slides again
  } else if (!event.ctrlKey && !event.altKey && !event.metaKey && !event.target.matches("input, select")) {
    KEYS[event.key.length === 1 ? event.key.toLowerCase() : event.key]?.();
  }
}
document.addEventListener("keydown", onKey);

let touched = null;
deck.addEventListener("touchstart", event => {
  touched = event.target.closest("input, select, pre, .explorer") ? null : event.touches[0];
}, { passive: true });
deck.addEventListener("touchend", event => {
  if (!touched) return;
  const { clientX, clientY } = event.changedTouches[0];
  const across = clientX - touched.clientX;
  if (Math.abs(across) > Math.max(SWIPE, 2 * Math.abs(clientY - touched.clientY))) {
    turn(across < 0 ? 1 : -1);
  }
});
for (const button of document.querySelectorAll(".ways [data-way]")) {
  button.addEventListener("click", () => turn(Number(button.dataset.way)));
}
document.querySelector(".ask").addEventListener("click", toggleKeys);
deck.addEventListener("input", tellSpeaker);
document.addEventListener("toggle", () => reveal(slide, step + 1), true); // an answer was unfolded
window.addEventListener("hashchange", () => go(Number(location.hash.slice(1)) - 1));
function setStage(wide, tall) {
  [width, height] = [wide, tall];
  deck.style.width = `${wide}px`;
  deck.style.height = `${tall}px`;
}
function resize() {
  const size = Math.min(innerWidth, innerHeight) / SHORT;
  setStage(innerWidth / size, innerHeight / size);
  deck.style.transform = `scale(${size})`;
  reveal(slide, step + 1);
}
window.addEventListener("resize", resize);
window.addEventListener("beforeprint", () => {
  setStage(...PAPER);
  slides.forEach((each, number) => {
    each.hidden = false;
    reveal(number, steps[number].length);
  });
});
window.addEventListener("afterprint", () => {
  show();
  resize();
});
resize();
go((Number(location.hash.slice(1)) || 1) - 1);
document.fonts.ready.then(() => { // the formulas' font may change widths
  layouts.clear();
  reveal(slide, step + 1);
});
