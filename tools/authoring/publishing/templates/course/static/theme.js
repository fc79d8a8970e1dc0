// Light or dark: as chosen here before, else as the reader's system has it. Before anything is drawn.
"use strict";
const kept = { // what this browser keeps of the reader's choices; some keep nothing for files
  get(name) { try { return localStorage.getItem(name); } catch { return null; } },
  set(name, value) { try { localStorage.setItem(name, value); } catch { /* then not */ } },
};
const systemIsDark = matchMedia("(prefers-color-scheme: dark)");
const showTheme = () => {
  const theme = kept.get("theme") ?? (systemIsDark.matches ? "dark" : "light");
  document.documentElement.dataset.theme = theme;
  const button = document.querySelector(".theme"); // says what it will do
  if (button) button.textContent = theme === "dark" ? spoken("Light page") : spoken("Dark page");
};
systemIsDark.addEventListener("change", showTheme);
showTheme();
