// Turns the slides. Space, Right or Page Down goes on; Shift+Space, Left or Page Up goes back.
"use strict";
const WIDTH = 1280, HEIGHT = 720, FOOT = 40;
const SIZES = Array.from({ length: 23 }, (_, step) => 1.6 - 0.05 * step);
const deck = document.querySelector(".deck");
const slides = [...document.querySelectorAll(".slide")];
const steps = slides.map(slide => [...slide.querySelectorAll(".step")]);
let slide = 0, step = 0;

// Show a slide as large as it fits, steps to come included.
function fit(slide) {
  const inner = slide.querySelector(".inner");
  for (const size of SIZES) {
    inner.style.width = `${(WIDTH - 2 * inner.offsetLeft) / size}px`;
    inner.style.transform = `scale(${size})`;
    const whole = part => part.scrollWidth <= part.clientWidth;
    if (inner.offsetTop + inner.offsetHeight * size <= HEIGHT - FOOT
      && [inner, ...inner.querySelectorAll("pre, math, table")].every(whole)) break;
  }
}

function show() {
  slides.forEach((other, number) => { other.hidden = number !== slide; });
  steps[slide].forEach((part, number) => part.classList.toggle("later", number > step));
  fit(slides[slide]);
  document.querySelector(".place").textContent = `${slide + 1} / ${slides.length}`;
  history.replaceState(null, "", `#${slide + 1}`);
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

document.addEventListener("keydown", event => {
  const way = wayOf(event);
  if (way !== null) {
    event.preventDefault();
    turn(way);
  } else if (event.key === "Escape") {
    slides[slide].focus({ preventScroll: true }); // arrow keys turn the slides again
  } else if (!event.target.matches("input, select") && ["Home", "End"].includes(event.key)) {
    go(event.key === "Home" ? 0 : slides.length - 1);
  }
});
for (const button of document.querySelectorAll(".ways button")) {
  button.addEventListener("click", () => turn(Number(button.dataset.way)));
}
document.addEventListener("toggle", () => fit(slides[slide]), true); // an answer was unfolded
window.addEventListener("hashchange", () => go(Number(location.hash.slice(1)) - 1));
function resize() {
  const size = Math.min(innerWidth / WIDTH, innerHeight / HEIGHT);
  deck.style.transform = `scale(${size}) translate(-50%, -50%)`;
}
window.addEventListener("resize", resize);
resize();
go((Number(location.hash.slice(1)) || 1) - 1);
document.fonts.ready.then(() => fit(slides[slide])); // the formulas' font may change widths
