// The frame of every page: contents on a narrow screen, the section that is read, light and dark.
"use strict";
showTheme();
document.querySelector(".theme").addEventListener("click", () => {
  kept.set("theme", document.documentElement.dataset.theme === "dark" ? "light" : "dark");
  showTheme();
});

const menu = document.querySelector(".menu");
const contents = document.getElementById("contents");
const openContents = open => {
  menu.setAttribute("aria-expanded", open);
  contents.classList.toggle("open", open);
};
menu.addEventListener("click", () => openContents(menu.getAttribute("aria-expanded") === "false"));
contents.addEventListener("click", event => { if (event.target.closest("a")) openContents(false); });
document.addEventListener("keydown", event => {
  if (event.key !== "Escape" || !contents.classList.contains("open")) return;
  openContents(false);
  menu.focus();
});

const openPlace = () => { // an exercise one was led to opens
  const place = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  if (place?.tagName === "DETAILS") place.open = true;
};
addEventListener("hashchange", openPlace);
openPlace();

const places = [...contents.querySelectorAll('a[href^="#"]')].map(
  link => [link, document.getElementById(decodeURIComponent(link.hash.slice(1)))]);
const showPlace = () => {
  const above = places.filter(([, heading]) => heading?.getBoundingClientRect().top < innerHeight / 3);
  const here = above.at(-1)?.[0];
  for (const [link] of places) {
    if (link === here) link.setAttribute("aria-current", "location");
    else link.removeAttribute("aria-current");
  }
  if (here && getComputedStyle(contents).position === "sticky") {
    const room = contents.getBoundingClientRect(), line = here.getBoundingClientRect();
    if (line.top < room.top || line.bottom > room.bottom) {
      contents.scrollTop += line.top - room.top - room.height / 2;
    }
  }
};
let waiting = false;
addEventListener("scroll", () => {
  if (waiting) return;
  waiting = true;
  requestAnimationFrame(() => { waiting = false; showPlace(); });
}, { passive: true });
showPlace();

// What is moved sideways on a narrow screen is moved by keyboard, too.
const boxes = new ResizeObserver(changed => {
  for (const { target } of changed) {
    if (target.scrollWidth > target.clientWidth) target.tabIndex = 0;
    else target.removeAttribute("tabindex");
  }
});
const wide = '.sideways, math[display="block"], :is(p, h2, h3):has(math)';
for (const box of document.querySelectorAll(wide)) boxes.observe(box);
