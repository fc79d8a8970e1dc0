// The live picture in a notebook: paints what changed, and reports what is touched.
const TRIES = 200; // animation frames until the picture is on the page

function soon(find, tries = TRIES) {
  return new Promise((resolve, reject) => {
    const look = () => {
      const found = find();
      if (found) resolve(found);
      else if (tries-- > 0) requestAnimationFrame(look);
      else reject(new Error("the picture is not on the page"));
    };
    look();
  });
}

// Lie exactly on the picture, whatever its size, also where slides zoom it.
function layOn(image) {
  const layer = document.createElement("div");
  layer.className = "tutor-layer";
  const parent = image.parentElement;
  parent.style.position = "relative";
  parent.append(layer);
  const fit = () => {
    const inner = image.getBoundingClientRect(), outer = parent.getBoundingClientRect();
    const zoom = outer.width / parent.offsetWidth || 1;
    const place = {
      left: (inner.left - outer.left) / zoom + parent.scrollLeft,
      top: (inner.top - outer.top) / zoom + parent.scrollTop,
      width: inner.width / zoom,
      height: inner.height / zoom,
    };
    for (const [side, pixels] of Object.entries(place)) layer.style[side] = `${pixels}px`;
  };
  const resized = new ResizeObserver(fit);
  resized.observe(image);
  resized.observe(parent);
  new MutationObserver(fit).observe(image, { attributeFilter: ["style"] });
  parent.addEventListener("pointerenter", fit);
  return layer;
}

// Send one message at a time, and of those that wait the last.
function onePerAnswer(send) {
  let isAway = false, waiting = null;
  return {
    send(message) {
      if (isAway && waiting?.touch && !message.touch) return; // its answer has words, too
      if (isAway) waiting = message;
      else { isAway = true; send(message); }
    },
    answered() {
      isAway = false;
      if (waiting) { const next = waiting; waiting = null; this.send(next); }
    },
  };
}

async function unpacked(bytes) {
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  return new Response(stream).arrayBuffer();
}

let large = new Uint32Array(0); // kept: to get 3 MB anew takes ten times as long as to fill them

// The whole rectangle of which repeated rows and columns were sent once.
function enlarged(small, rows, columns) {
  const width = columns.reduce((sum, n) => sum + n, 0), height = rows.reduce((sum, n) => sum + n, 0);
  if (large.length < width * height) large = new Uint32Array(width * height);
  let from = 0, to = 0;
  for (const times of rows) {
    const start = to;
    for (const wide of columns) { large.fill(small[from++], to, to + wide); to += wide; }
    for (let n = 1; n < times; n++, to += width) large.copyWithin(to, start, start + width);
  }
  return new ImageData(new Uint8ClampedArray(large.buffer, 0, 4 * width * height), width, height);
}

function paper(layer, { width, height }) {
  const canvas = document.createElement("canvas");
  Object.assign(canvas, { width, height, className: "tutor-picture" });
  canvas.setAttribute("aria-hidden", "true"); // the picture below has the words
  layer.prepend(canvas);
  return canvas;
}

async function render({ model, el }) {
  const box = await soon(() => el.closest(".tutor-explorer"));
  const image = await soon(() => box.querySelector("img.widget-image"));
  const layer = layOn(image);
  const away = onePerAnswer(message => model.send(message));
  const regions = touchable(layer, {
    act: cell => away.send({ touch: cell }),
    ask: cell => away.send({ ask: cell }),
  });
  let canvas = null, number = null, queue = Promise.resolve();
  const paint = async (frame, [rows, columns, pixels]) => {
    if (frame.after !== null && frame.after !== number) return model.send({ hello: "again" });
    const bytes = new Uint8Array(pixels.buffer, pixels.byteOffset, pixels.byteLength);
    const small = new Uint32Array(frame.packed ? await unpacked(bytes) : bytes.slice().buffer);
    const counts = view => new Uint16Array(view.buffer.slice(view.byteOffset, view.byteOffset + view.byteLength));
    canvas ??= paper(layer, frame);
    canvas.getContext("2d").putImageData(enlarged(small, counts(rows), counts(columns)), frame.x, frame.y);
    number = frame.number;
    canvas.dataset.frame = number;
  };
  const hear = (message, buffers) => {
    if (message.pong) model.send({ hello: "new" }); // so what is painted will arrive, too
    if (message.regions) regions.set(message.regions);
    if (message.frame) queue = queue.then(() => paint(message.frame, buffers));
    if (message.told) regions.tell(...message.told);
    if (message.answer) away.answered();
  };
  model.on("msg:custom", hear);
  model.send({ ping: true });
  return () => { model.off("msg:custom", hear); layer.remove(); };
}
export default { render };
