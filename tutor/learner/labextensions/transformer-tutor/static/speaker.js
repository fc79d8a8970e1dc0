// The lecturer's own window beside a deck: what the class sees and what comes next, the notes, and
// the time. The slides in JupyterLab and the decks from the disk both use it.
"use strict";
const speakerPage = () => `
  <main class="speaker">
    <section class="now"><h1>${spoken("Now")} <span class="at"></span></h1><div class="shown"></div></section>
    <section class="next"><h1>${spoken("Next")}</h1><div class="shown"></div></section>
    <section class="said"><h1>${spoken("Notes")}</h1><div class="shown"></div></section>
    <footer>
      <span>${spoken("Time")} <b class="clock"></b></span>
      <span>${spoken("Since the start")} <b class="since"></b></span>
      <button type="button" class="again">${spoken("Start the time again")}</button>
      <span class="planned"></span>
      <span class="turns"><button type="button" data-way="-1">${spoken("Back")}</button>
        <button type="button" data-way="1">${spoken("On")}</button></span>
    </footer>
  </main>`;
const SPEAKER_STYLE = `
  html, body { height: 100%; margin: 0; overflow: hidden; }
  body { color: #222; background: #f0f1f3; }
  .speaker :is(section > h1, .said, .words, .cells, footer) { font: 18px/1.45 system-ui, "Segoe UI", Roboto, sans-serif; }
  .speaker { box-sizing: border-box; height: 100%; padding: 12px; display: grid; gap: 10px;
    grid: "now next" auto "said said" 1fr "foot foot" auto / 3fr 2fr; }
  .speaker section { min-width: 0; min-height: 0; overflow: auto; }
  .speaker :is(.now, .next) { max-height: 56vh; } /* notes keep their room */
  .speaker .said { grid-area: said; background: white; padding: 4px 14px; }
  .speaker .said .shown { font-size: 20px; }
  .speaker section > h1 { margin: 0 0 4px; color: #555; }
  .speaker summary { list-style: none; font-weight: 600; }
  .speaker footer { grid-area: foot; display: flex; flex-wrap: wrap; gap: 6px 24px; align-items: center; }
  .speaker footer b { font-size: 26px; font-variant-numeric: tabular-nums; }
  .speaker .turns { margin-left: auto; }
  .speaker button { font: inherit; padding: 4px 12px; }
  .speaker .copy { position: relative; width: 100%; overflow: hidden; background: white;
    aspect-ratio: var(--width) / var(--height); container-type: inline-size; }
  .speaker .copy > * { right: auto; bottom: auto; width: calc(var(--width) * 1px);
    height: calc(var(--height) * 1px); transform-origin: 0 0; overflow: hidden;
    /* the window's width in the deck's pixels, as a number */
    transform: scale(calc(tan(atan2(100cqw, var(--width) * 1px)))); }
  .speaker .words { padding: 8px 14px; background: white; font-size: 22px; white-space: pre-wrap; }
  .speaker .cells { padding: 8px 14px; background: white; overflow-wrap: anywhere; }
  .speaker .cells > :first-child > :first-child { margin-top: 0; }
  .speaker :is(.cells, .said) pre { font: 15px/1.35 ui-monospace, Menlo, Consolas, monospace; white-space: pre-wrap; }
  .speaker .cells img { max-width: 100%; min-width: 0 !important; height: auto; }`;

const CELL_SIZES = [1, 0.9, 0.8, 0.7, 0.6];

// Write a length of time as people read it from a clock.
function asClock(seconds) {
  const two = number => String(number).padStart(2, "0");
  const parts = [Math.floor(seconds / 60) % 60, seconds % 60].map(two);
  const hours = Math.floor(seconds / 3600);
  return (hours ? [hours, ...parts] : parts).join(":");
}

class Speaker {
  // `turn` is called with 1 or −1, `onKey` with what is typed here; `styles` are copied.
  constructor({ turn, onKey, styles = [] }) {
    this.window = window.open("", "", "popup,width=1100,height=760");
    if (!this.window) return;
    const page = this.window.document;
    page.title = spoken("Notes: {title}", { title: document.title });
    page.documentElement.lang = SAID.language;
    for (const style of styles) page.head.append(page.importNode(style, true));
    page.head.append(Object.assign(page.createElement("style"), { textContent: SPEAKER_STYLE }));
    page.body.innerHTML = speakerPage();
    page.addEventListener("keydown", onKey);
    for (const button of page.querySelectorAll(".turns button")) {
      button.addEventListener("click", () => turn(Number(button.dataset.way)));
    }
    this.window.addEventListener("resize", () => this.fit());
    page.querySelector(".again").addEventListener("click", () => this.start());
    window.addEventListener("pagehide", () => this.close());
    this.timer = setInterval(() => this.tick(), 500);
    this.start();
  }

  get isOpen() {
    return Boolean(this.window) && !this.window.closed;
  }

  start() {
    this.began = Date.now();
    this.tick();
  }

  tick() {
    if (!this.isOpen) return clearInterval(this.timer);
    const now = new Date(), seconds = Math.floor((now - this.began) / 1000);
    this.find(".clock").textContent = now.toTimeString().slice(0, 5);
    this.find(".since").textContent = asClock(seconds);
  }

  find(selector) {
    return this.window.document.querySelector(selector);
  }

  // Show nodes of the deck's page, or words; `place` and `planned` are sentences.
  show({ now, next, notes, place, planned }) {
    if (!this.isOpen) return;
    const parts = { ".now .shown": [now], ".next .shown": [next], ".said .shown": notes };
    for (const [selector, nodes] of Object.entries(parts)) {
      this.find(selector).replaceChildren(...nodes.map(node => this.window.document.adoptNode(node)));
    }
    for (const details of this.window.document.querySelectorAll(".said details")) details.open = true;
    this.fit();
    const part = this.find(".now");
    if (this.find(".at").textContent !== place) this.find(".said").scrollTop = 0;
    // To the newest lines, which the class has before it; a slider that paints anew moves nothing.
    if (this.find(".at").textContent !== place || part.scrollHeight > this.tall) part.scrollTop = part.scrollHeight;
    this.tall = part.scrollHeight;
    this.find(".at").textContent = place;
    this.find(".planned").textContent = planned;
  }

  // Cells in the notebook's own sizes: the largest with which their part need not be scrolled.
  fit() {
    for (const cells of this.window.document.querySelectorAll(".cells")) {
      const part = cells.closest("section");
      for (const size of CELL_SIZES) {
        cells.style.zoom = size;
        if (part.scrollHeight <= part.clientHeight) break;
      }
    }
  }

  close() {
    clearInterval(this.timer);
    if (this.isOpen) this.window.close();
  }
}

// The minutes that notes name in their headings; notes that are not translated yet are English.
function minutesOf(texts) {
  const headings = ["For the lecturer: {minutes} min", spoken("For the lecturer: {minutes} min")];
  const patterns = headings.map(heading => new RegExp(heading.replace("{minutes}", "(\\d+)")));
  const named = texts.map(text => patterns.map(one => one.exec(text)).find(Boolean));
  return named.reduce((sum, found) => sum + Number(found?.[1] ?? 0), 0);
}

// Tell how far the plan is. `notes` has the texts of each slide's notes, `place` counts from 0.
function plannedBy(notes, place) {
  const total = minutesOf(notes.flat());
  const minutes = minutesOf(notes.slice(0, place + 1).flat());
  return total ? spoken("Planned by the end of this slide: {minutes} of {total} min", { minutes, total }) : "";
}
