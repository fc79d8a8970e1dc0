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
