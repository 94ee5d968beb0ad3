// Elements of HTML and SVG: what all other files make the page of.
export const SVG = "http://www.w3.org/2000/svg";
export const make = (tag, attributes = {}, ...children) => fill(document.createElement(tag), attributes, children);
export const draw = (tag, attributes = {}, ...children) => fill(document.createElementNS(SVG, tag), attributes, children);
const TAKES_KEYS = new Set(["button", "g", "input", "select", "summary", "textarea"]);

// Set attributes, hear events and append children. What takes keys keeps them from the shortcuts of JupyterLab.
function fill(element, attributes, children) {
  if (TAKES_KEYS.has(element.localName)) element.setAttribute("data-lm-suppress-shortcuts", "");
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (value !== false && value !== undefined) element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children);
  return element;
}
