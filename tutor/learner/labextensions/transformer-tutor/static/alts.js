// Alt texts of figures of one's own, which JupyterLab draws without what the kernel told of them.
"use strict";
const FIGURE = ".jp-RenderedImage img:not([alt])";

// Give each figure its alt text as soon as it appears.
function giveAlts({ shell }) {
  const look = () => {
    for (const figure of document.querySelectorAll(FIGURE)) {
      const alt = toldAlt(figure, shell);
      if (alt) figure.alt = alt;
    }
  };
  new MutationObserver(look).observe(document.body, { childList: true, subtree: true });
}

// What the kernel told with the output that a figure was drawn from.
function toldAlt(figure, shell) {
  const cells = [...shell.widgets("main")].flatMap(({ content }) => content?.widgets ?? []);
  const area = cells.find(cell => cell.node.contains(figure))?.outputArea;
  const place = area?.widgets.findIndex(output => output.node.contains(figure)) ?? -1;
  return place < 0 ? undefined : area.model.get(place).metadata["image/png"]?.alt;
}
