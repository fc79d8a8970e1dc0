// Regions of a picture that can be touched: the same in a notebook and on a page.
//
// `layer` lies on the picture. `act(cell)` does what the control does; `ask(cell)` wants the words
// of a cell. A cell is [the region's place, row, column]. Where `pointed`, pointing acts like a click.
"use strict";
function touchable(layer, { act, ask, pointed = false }) {
  const mark = document.createElement("div");
  mark.className = "tutor-cell";
  const words = document.createElement("div");
  words.className = "tutor-words";
  words.setAttribute("aria-hidden", "true"); // the control and the caption say it
  layer.append(mark, words);
  let regions = [], held = null, over = "";

  const within = (cuts, share) => {
    const count = cuts.length - 1;
    for (let n = 0; n < count; n++) {
      if ((share - cuts[n]) * (share - cuts[n + 1]) <= 0) return n;
    }
    const atStart = Math.abs(share - cuts[0]) < Math.abs(share - cuts[count]);
    return atStart ? 0 : count - 1;
  };
  // The cell of a region that is nearest to the pointer.
  const cellAt = (region, event) => {
    const { left, top, width, height } = region.node.getBoundingClientRect();
    const { rows, columns } = region;
    const place = [within(rows, (event.clientY - top) / height),
      within(columns, (event.clientX - left) / width)];
    return [region.place, ...place];
  };
  const under = event =>
    regions.find(region => region.node === document.elementFromPoint(event.clientX, event.clientY));
  const show = (region, [, row, column], event) => {
    const [left, top, right, bottom] = region.box;
    const percent = share => `${100 * share}%`;
    const span = (cuts, n, low, high) => [low + Math.min(cuts[n], cuts[n + 1]) * (high - low),
      Math.abs(cuts[n + 1] - cuts[n]) * (high - low)];
    const [x, wide] = span(region.columns, column, left, right);
    const [y, tall] = span(region.rows, row, top, bottom);
    mark.hidden = Boolean(region.along);
    Object.assign(mark.style,
      { left: percent(x), top: percent(y), width: percent(wide), height: percent(tall) });
    const box = layer.getBoundingClientRect();
    const isRight = event.clientX - box.left > box.width / 2;
    Object.assign(words.style, {
      top: percent(y + tall), left: isRight ? "" : percent(x),
      right: isRight ? percent(1 - x - wide) : "",
    });
  };
  const leave = () => {
    mark.hidden = words.hidden = true;
    over = "";
  };
  leave();

  layer.addEventListener("pointerdown", event => {
    const region = under(event);
    if (!region?.acts || event.button) return;
    event.preventDefault();
    held = region;
    event.target.releasePointerCapture?.(event.pointerId);
    if (region.along) region.node.setPointerCapture(event.pointerId);
    over = "";
    move(event);
  });
  const move = event => {
    const region = held?.along ? held : under(event);
    if (!region) return leave();
    const cell = cellAt(region, event);
    if (String(cell) === over) return;
    over = String(cell);
    words.hidden = true;
    show(region, cell, event);
    if ((held || pointed) && region.acts) act(cell);
    if (region.tells) ask(cell);
  };
  const letGo = () => { held = null; };
  layer.addEventListener("pointermove", move);
  layer.addEventListener("pointerup", letGo);
  layer.addEventListener("pointercancel", letGo);
  layer.addEventListener("pointerleave", () => { letGo(); leave(); });

  return {
    set(described) {
      for (const { node } of regions) node.remove();
      regions = described.map(region => {
        const node = document.createElement("div");
        node.className = "tutor-region";
        if (region.acts) node.dataset.acts = region.along || "yes";
        const [x0, y0, x1, y1] = region.box;
        const [left, right] = [Math.min(x0, x1), Math.max(x0, x1)];
        const [top, bottom] = [Math.min(y0, y1), Math.max(y0, y1)];
        for (const [side, share] of Object.entries({ left, top, width: right - left, height: bottom - top })) {
          node.style[side] = `${100 * share}%`;
        }
        return { ...region, node };
      });
      // What was declared last, or is smaller, lies on top.
      mark.before(...regions.map(({ node }) => node));
    },
    tell(cell, text) {
      if (String(cell) !== over || !text) return;
      words.textContent = text;
      words.hidden = false;
    },
  };
}
