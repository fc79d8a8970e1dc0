// A prediction is written on the page and kept in this browser only; then what happened opens.
"use strict";
const results = [...document.querySelectorAll(".result")];
const asked = [...document.querySelectorAll(".prediction")];
const follows = (one, other) => one.compareDocumentPosition(other) & Node.DOCUMENT_POSITION_FOLLOWING;

const element = (kind, properties = {}, ...children) => {
  const made = Object.assign(document.createElement(kind), properties);
  made.append(...children);
  return made;
};

/** What one fills in: a choice of radio buttons, or a line for a number or a few words. */
const fields = ({ name, kind, choices }, before) => {
  if (kind === "choice") {
    const buttons = JSON.parse(choices).map(choice => element("label", {},
      element("input", { type: "radio", name, value: choice, checked: choice === before }), choice));
    return element("fieldset", {}, element("legend", { textContent: spoken("Your prediction") }), ...buttons);
  }
  const number = kind === "number";
  return element("label", {}, `${spoken("Your prediction")} `, element("input", {
    name, value: before, autocomplete: "off", inputMode: number ? "decimal" : "text",
    placeholder: number ? spoken("a number") : spoken("a few words"),
  }));
};

asked.forEach((place, number) => {
  const { name } = place.dataset;
  const next = asked[number + 1];
  const result = results.find(one => follows(place, one) && !(next && follows(next, one)));
  const told = element("p", { className: "told" });
  const tell = answer => { told.textContent = answer && spoken("You predicted: {answer}", { answer }); };
  const before = kept.get(`prediction:${name}`) ?? "";
  const button = element("button");
  const form = element("form", {}, fields(place.dataset, before), button);
  const say = () => {
    button.textContent = result?.open ? spoken("Fold it again") : spoken("See what happened");
    button.setAttribute("aria-expanded", Boolean(result?.open));
  };
  form.addEventListener("submit", event => {
    event.preventDefault();
    const answer = String(new FormData(form).get(name) ?? "").trim();
    kept.set(`prediction:${name}`, answer);
    tell(answer);
    if (result) result.open = !result.open;
  });
  result?.classList.add("asked"); // the button is its only control
  result?.addEventListener("toggle", say);
  say();
  tell(before);
  place.replaceChildren(form);
  (result?.querySelector("summary") ?? form).after(told);
});
