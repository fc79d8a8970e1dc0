// An explorer without a kernel: moving a control shows the picture and the caption made for it.
"use strict";
for (const figure of document.querySelectorAll(".explorer")) {
  const { pictures, controls } = JSON.parse(figure.querySelector("script").textContent);
  const image = figure.querySelector("img");
  const caption = figure.querySelector('[role="status"]');
  const inputs = [...figure.querySelectorAll("input, select")];

  const put = (number, place) => {
    const input = inputs[number];
    const { text } = controls[number].positions[place];
    if (input.type === "checkbox") input.checked = place === 1;
    else input.value = place;
    if (input.type === "range") {
      input.setAttribute("aria-valuetext", text);
      input.parentElement.querySelector(".readout").textContent = text;
    }
  };
  inputs.forEach((input, moved) => {
    input.addEventListener("input", () => {
      const place = Number(input.type === "checkbox" ? input.checked : input.value);
      controls.forEach(({ start }, number) => put(number, number === moved ? place : start));
      const position = controls[moved].positions[place];
      image.src = `data:image/webp;base64,${pictures[position.picture]}`;
      caption.textContent = position.caption;
    });
  });
  figure.querySelector(".controls").hidden = false;
}
