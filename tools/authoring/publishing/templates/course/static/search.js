// Search: the library and the texts come as a script when the reader first wants to search.
"use strict";
const find = document.getElementById("find");
const found = document.getElementById("found");
const count = document.getElementById("count");
let loading = null;

const loadEngine = () => new Promise((ready, failed) => {
  const script = Object.assign(document.createElement("script"), {
    src: new URL(find.dataset.script, location.href).href, onload: ready, onerror: failed });
  document.head.append(script);
}).then(() => {
  const made = new MiniSearch({
    fields: ["heading", "text", "page"], storeFields: ["page", "heading", "text", "address"],
    searchOptions: {
      boost: { heading: 4, page: 2 }, combineWith: "AND", prefix: true,
      fuzzy: word => (word.length > 4 ? 0.2 : false),
    },
  });
  made.addAll(SECTIONS.map((section, id) => ({ id, ...section })));
  return made;
});

/** Some words round the first place where one of these words stands, which is marked. */
const excerpt = (text, words) => {
  const places = words.map(word => [text.toLowerCase().indexOf(word.toLowerCase()), word.length]);
  const [at, length] = places.filter(([place]) => place >= 0).sort((a, b) => a[0] - b[0])[0] ?? [0, 0];
  const start = at < 50 ? 0 : text.indexOf(" ", at - 50) + 1;
  const line = document.createElement("small");
  const mark = Object.assign(document.createElement("mark"), { textContent: text.slice(at, at + length) });
  line.append((start ? "… " : "") + text.slice(start, at), mark, `${text.slice(at + length, at + 90)} …`);
  return line;
};

const entry = ({ address, page, heading, text, terms }) => {
  const link = Object.assign(document.createElement("a"), { href: find.dataset.root + address });
  const title = Object.assign(document.createElement("b"), { textContent: heading });
  const where = Object.assign(document.createElement("span"), { textContent: page });
  link.append(title, where, excerpt(text, terms));
  const item = document.createElement("li");
  item.append(link);
  return item;
};

const search = async () => {
  const words = find.value.trim();
  contents.classList.toggle("searching", words !== "");
  let engine;
  try {
    engine = await (loading ??= loadEngine());
  } catch {
    loading = null;
    count.textContent = spoken("Search needs the file search.js beside this page.");
    return;
  }
  if (words !== find.value.trim()) return; // more was typed meanwhile
  const all = words ? engine.search(words) : [];
  found.replaceChildren(...all.slice(0, 20).map(entry));
  const none = spoken("Nothing found. Try fewer letters, or the English word.");
  count.textContent = words && (all.length ? spoken("Found in {count} places", { count: all.length }) : none);
};
find.addEventListener("input", search);
find.addEventListener("keydown", event => {
  if (event.key !== "Escape" || !find.value) return;
  event.stopPropagation();
  find.value = "";
  search();
});
document.addEventListener("keydown", event => {
  if (event.key !== "/" || event.target.closest("input, textarea, select")) return;
  event.preventDefault();
  if (!find.offsetParent) openContents(true);
  find.focus();
});
