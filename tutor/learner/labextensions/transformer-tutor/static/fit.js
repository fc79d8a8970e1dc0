// How a slide of cells is fitted to the window: `fit(cells)`, and `unfit(cells)` at the end.
//
// Text is as large as fits. Where that is small, the slide's picture moves to the right of its text.
"use strict";
const MOST = 1 / 28; // of the window's height: a line of text, 25.7 px at 1280 × 720
const GOOD = 0.8; // of that: from here on a picture may stand below its text
const READABLE = 0.63; // of that, 16 px: before text is smaller, pictures are
const SMALL = 0.6; // of a picture's size, at least
const LEAST = 0.4;
const CODE = 0.75; // of the text's size, at least
const ROOM = 20; // px that stay free below a slide: other machines have other fonts
const ROUNDING = 1; // px by which a formula seems wider than its box
const LONG = 0.35; // of the window's width: a formula that wants more stands in no column
const SEARCHES = 7;
const COLUMNS = ["minmax(0, 2fr) minmax(0, 3fr)", "minmax(0, 1fr) minmax(0, 1fr)"];
const WIDE = ".cm-scroller, pre, table, mjx-container, .jp-RenderedHTMLCommon, .jp-OutputArea-output, .tutor-explorer";
const PICTURES = "img.tutor-picture";

const picturesOf = cells => cells.flatMap(cell => [...cell.querySelectorAll(PICTURES)]);
const zoomOf = cells => Math.max(...cells.map(cell => parseFloat(cell.style.zoom)));

// Fit the cells of a slide, steps to come included.
function fit(cells) {
  if (!cells.length) return;
  const size = getComputedStyle(cells[0]).getPropertyValue("--jp-content-font-size1");
  const most = MOST * innerHeight / parseFloat(size);
  putBelow(cells);
  enlarge(cells, most);
  const sections = sectionsOf(cells);
  if (zoomOf(cells) >= GOOD * most || !sections.some(hasPlace)) return;
  let best = null, mostLegible = legibility(cells);
  for (const columns of COLUMNS) {
    putBeside(sections, columns);
    enlarge(cells, most);
    if (legibility(cells) > mostLegible) [best, mostLegible] = [columns, legibility(cells)];
  }
  if (best === COLUMNS.at(-1)) return;
  if (best) putBeside(sections, best);
  else putBelow(cells);
  enlarge(cells, most);
}

function unfit(cells) {
  putBelow(cells);
  for (const cell of cells) cell.style.zoom = "";
  for (const picture of picturesOf(cells)) picture.style.zoom = "";
  for (const output of tablesIn(cells[0].parentElement)) output.style.removeProperty("--tutor-columns");
}

// Make text as large as fits; before it becomes too small to read, pictures become smaller.
function enlarge(cells, most) {
  const readable = READABLE * most;
  if (isWhole(cells, readable)) useLargest(readable, most, zoom => isWhole(cells, zoom));
  else if (isWhole(cells, readable, SMALL)) {
    useLargest(SMALL, 1, zoom => isWhole(cells, readable, zoom));
  } else useLargest(LEAST, readable, zoom => isWhole(cells, zoom, SMALL));
}

// Leave what `fits` sets at the largest number for which it says yes; `low` is taken as one.
function useLargest(low, high, fits) {
  if (fits(high)) return;
  for (let search = 0; search < SEARCHES; search += 1) {
    const middle = (low + high) / 2;
    if (fits(middle)) low = middle;
    else high = middle;
  }
  fits(low);
}

// Tell whether a slide is cut nowhere at some size; long lines of code may be somewhat smaller.
function isWhole(cells, zoom, zoomOfPictures = 1) {
  for (const cell of cells) cell.style.zoom = zoom;
  for (const picture of picturesOf(cells)) picture.style.zoom = zoomOfPictures;
  for (const cell of cells.filter(isCode)) {
    const part = share(cell);
    if (part < 1) cell.style.zoom = zoom * Math.max(CODE, part - 0.005);
  }
  const boxes = cells.map(cell => cell.getBoundingClientRect());
  const height = Math.max(...boxes.map(box => box.bottom)) - Math.min(...boxes.map(box => box.top));
  if (height > innerHeight - ROOM) return false;
  return cells.every(cell => share(cell, isCode(cell) ? 0 : ROUNDING) === 1);
}

// Which share of a cell's longest line is seen.
function share(cell, spare = 0) {
  const cut = [...cell.querySelectorAll(WIDE)].filter(
    part => part.scrollWidth > part.clientWidth + spare);
  return Math.min(1, ...cut.map(part => part.clientWidth / part.scrollWidth));
}

// How large text and picture are together.
function legibility(cells) {
  const widths = picturesOf(cells).map(picture => picture.getBoundingClientRect().width);
  return zoomOf(cells) * Math.min(...widths);
}

function putBelow(cells) {
  const frame = cells[0].parentElement;
  frame.classList.remove("tutor-beside");
  frame.style.gridTemplate = "";
  for (const cell of cells) cell.style.gridArea = "";
}

// What stands between cells that take the whole width, and these, each alone.
function sectionsOf(cells) {
  const sections = [[]];
  for (const cell of cells) {
    if (isCode(cell) || hasLongFormula(cell)) sections.push([cell], []);
    else sections.at(-1).push(cell);
  }
  return sections;
}

function isCode(cell) { // or a measured table
  return cell.matches(".jp-CodeCell:not(.tutor-plumbing)") || cell.querySelector("pre") !== null;
}

function hasLongFormula(cell) {
  const formulas = [...cell.querySelectorAll('mjx-container[display="true"] > mjx-math')];
  return formulas.some(formula => formula.getBoundingClientRect().width > LONG * innerWidth);
}

const isPicture = cell => cell.querySelector(PICTURES) !== null;
const hasPlace = section => // for its picture, beside its text
  section.filter(isPicture).length === 1 && !section.every(isPicture);

// Put pictures at the right of the text before and after them.
function putBeside(sections, columns) {
  const rows = [];
  for (const section of sections) rows.push(...place(section, rows.length + 1));
  const frame = sections.flat()[0].parentElement;
  frame.style.gridTemplate = `${rows.join(" ")} / ${columns}`;
  frame.classList.add("tutor-beside");
}

// Place a section in a grid's rows from one on; give their heights.
function place(section, first) {
  const texts = section.filter(cell => !hasPlace(section) || !isPicture(cell));
  texts.forEach((cell, row) => {
    cell.style.gridArea = `${first + row} / 1 / auto / ${hasPlace(section) ? 2 : 3}`;
  });
  const heights = texts.map(() => "auto");
  if (!hasPlace(section)) return heights;
  section.find(isPicture).style.gridArea = `${first} / 2 / span ${texts.length + 1}`;
  return [...heights, "1fr"]; // the last takes what a picture is higher
}

const tablesIn = notebook => [...notebook.querySelectorAll(".tutor-plumbing .jp-RenderedText pre")];

// Of measured tables only the sentences below the last may be broken.
function keepTablesWhole(output) {
  const tables = output.textContent.split("\n\n").slice(0, -1).join("\n");
  const columns = Math.max(...tables.split("\n").map(line => line.length));
  output.style.setProperty("--tutor-columns", `${columns}ch`);
}
