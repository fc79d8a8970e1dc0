// On paper nothing can be opened: answers are printed open, and folded again as they were.
"use strict";
const answers = [...document.querySelectorAll(".reveal details, .result")];
let folded = [];
window.addEventListener("beforeprint", () => {
  folded = answers.filter(answer => !answer.open);
  for (const answer of folded) answer.open = true;
});
window.addEventListener("afterprint", () => {
  for (const answer of folded) answer.open = false;
});

// What is moved sideways on a narrow screen is moved by keyboard, too.
const boxes = new ResizeObserver(changed => {
  for (const { target } of changed) {
    if (target.scrollWidth > target.clientWidth) target.tabIndex = 0;
    else target.removeAttribute("tabindex");
  }
});
const wide = '.sideways, math[display="block"], :is(p, h2, h3):has(math)';
for (const box of document.querySelectorAll(wide)) boxes.observe(box);
