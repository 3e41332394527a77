// What all pages have: elements, and the choice between dark and light.

/** An element with attributes and children; texts are never read as HTML. */
function make(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children);
  return element;
}

/** The same for pictures. */
function draw(tag, attributes = {}, ...children) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children);
  return element;
}

/** A text that does not move what is beside it, even if it is written from right to left. */
const isolated = (text) => make("bdi", {}, text);

/** What there is of these texts and elements, with this text between them. */
function joined(parts, between = " \u00b7 ") {
  return parts.filter(Boolean).flatMap((part, at) => (at ? [between, part] : [part]));
}

const find = (id) => document.getElementById(id);

/** Follows the system until the reader decides. */
function followColors() {
  const dark = matchMedia("(prefers-color-scheme: dark)");
  const root = document.documentElement;
  const set = (isDark) => {
    root.dataset.colors = isDark ? "dark" : "light";
    find("colors").setAttribute("aria-pressed", String(isDark));
  };
  set(dark.matches);
  dark.addEventListener("change", () => set(dark.matches));
  find("colors").addEventListener("click", () => set(root.dataset.colors !== "dark"));
}

followColors();
