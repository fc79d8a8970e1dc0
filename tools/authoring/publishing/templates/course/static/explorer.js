// An explorer without a kernel: its controls choose among pictures that were made before. They lie
// in a file of their own, which sets `tutorFrames`: page and deck of a lesson share it.
"use strict";

/** Paint the picture that is wanted last, whole: nothing of the one before may shine through. */
function painter(figure, covers) {
  const first = figure.querySelector(".pictures img"), canvas = figure.querySelector("canvas");
  let wanted = null;
  const layer = async place => {
    const [, left, top, file] = covers[place];
    const image = new Image();
    image.src = `data:image/webp;base64,${file}`;
    await image.decode();
    return [image, left, top];
  };
  return async place => {
    wanted = place;
    canvas.parentElement.setAttribute("aria-busy", "true");
    const below = covers[place][0];
    const layers = await Promise.all([...(below < 0 ? [] : [below]), place].map(layer));
    await first.decode();
    if (wanted !== place) return;
    [canvas.width, canvas.height] = [first.naturalWidth, first.naturalHeight];
    const sheet = canvas.getContext("2d");
    for (const drawn of [[first, 0, 0], ...layers]) sheet.drawImage(...drawn);
    canvas.hidden = false;
    canvas.parentElement.removeAttribute("aria-busy");
  };
}

for (const figure of document.querySelectorAll(".explorer")) {
  const held = globalThis.tutorFrames?.[figure.dataset.frames];
  if (!held) {
    figure.querySelector(".missing").hidden = false;
    continue;
  }
  const { covers, controls, frames, touched } = held;
  const paint = painter(figure, covers);
  const caption = figure.querySelector('[role="status"]');
  const inputs = [...figure.querySelectorAll(".control")].map(
    control => control.querySelector("input, select"));

  let said = {};
  const layer = document.createElement("div");
  layer.className = "tutor-layer";
  figure.querySelector("canvas").after(layer);
  const regions = touchable(layer, {
    pointed: "pointed" in figure.dataset,
    act: ([place, row, column]) => {
      const lead = touched.leads[place][row][column];
      if (!lead) return;
      for (const [number, position] of Object.entries(lead)) {
        if (inputs[number].type === "checkbox") inputs[number].checked = Boolean(position);
        else inputs[number].value = position;
      }
      figure.dispatchEvent(new Event("input"));
    },
    ask: cell => regions.tell(cell, said[cell[0]]?.[cell[1]]?.[cell[2]]),
  });

  const placeOf = (input, number) => {
    if (!input) return controls[number].start;
    return Number(input.type === "checkbox" ? input.checked : input.value);
  };
  const frameAt = places => frames[places.reduce(
    (sum, here, number) => sum * controls[number].positions.length + here, 0)];
  const reach = ([, , corners, told]) => {
    regions.set(touched.regions[corners].map(region =>
      ({ ...region, acts: region.acts && touched.leads[region.place].flat().some(Boolean) })));
    said = touched.words[told];
  };
  const show = () => {
    const places = inputs.map(placeOf);
    const frame = frameAt(places), [picture, words] = frame;
    reach(frame);
    paint(picture);
    caption.textContent = words;
    inputs.forEach((input, number) => {
      if (input?.type !== "range") return;
      const text = controls[number].positions[places[number]];
      input.setAttribute("aria-valuetext", text);
      input.parentElement.querySelector(".readout").textContent = text;
    });
  };

  const calm = matchMedia("(prefers-reduced-motion: reduce)");
  for (const button of figure.querySelectorAll(".play")) {
    const played = document.getElementById(button.dataset.for);
    const { label: name, positions } = controls[inputs.indexOf(played)];
    const atEnd = () => Number(played.value) === positions.length - 1;
    let timer = null;
    const stop = () => {
      clearInterval(timer);
      timer = null;
      button.textContent = calm.matches ? "›" : "▶\ufe0e";
      const label = calm.matches ? spoken("next {name}", { name }) : spoken("play {name}", { name });
      button.setAttribute("aria-label", label);
    };
    const step = () => {
      played.value = atEnd() ? 0 : Number(played.value) + 1;
      show();
    };
    button.addEventListener("click", () => {
      if (timer) return stop();
      step();
      if (calm.matches) return; // whoever wants no motion goes on step by step
      button.textContent = "❚❚";
      button.setAttribute("aria-label", spoken("pause {name}", { name }));
      timer = setInterval(() => {
        if (atEnd() || !figure.offsetParent) stop(); // the film is over, or its slide is gone
        else step();
      }, Number(button.dataset.pace));
    });
    calm.addEventListener("change", stop);
    figure.addEventListener("input", stop);
    figure.addEventListener("pointerdown", event => { if (event.target !== button) stop(); });
    stop();
  }
  figure.addEventListener("input", show);
  reach(frameAt(inputs.map(placeOf)));
  figure.querySelector(".controls").hidden = false;
}
