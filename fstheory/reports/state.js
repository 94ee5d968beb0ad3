// What can be kept of a look at the lattice: its state as a few texts, as a link, and the picture as a file.
import { SVG, draw } from "./elements.js";
import { widthOf } from "./layout.js";
import { lessonOf, lessonTexts } from "./lesson.js";
import { entries, sample } from "./picture.js";

export const startOf = ({ firstView, firstNumbers, data }) =>
  ({ by: firstView, criterion: "zero_one", marks: "minimal", numbers: firstNumbers, ask: data.ask ? "1" : "", large: "" });

// The state as texts, those left out that are as at first.
export function stateOf(lattice) {
  const { slider, marks, edited, d, tables } = lattice;
  const typed = edited && tables && !lattice.onParameter;
  const base = lattice.evidence?.text ? lattice.evidence.base : d.weights;
  const all = {
    S: lattice.current === lattice.full ? "" : `${lattice.current}`, by: lattice.view, criterion: lattice.criterion,
    upto: lattice.most === lattice.n ? "" : `${lattice.most}`, marks: Object.keys(marks).filter((key) => marks[key]).join(","),
    t: slider && slider.t !== null && slider.t !== slider.stops[0].t ? slider.t : "",
    stop: slider && slider.t === null ? `${slider.here}` : "",
    weights: typed && base !== lattice.given ? `${base}` : "", evidence: lattice.evidence?.text ?? "", large: lattice.large ? "1" : "",
    numbers: lattice.numbers, path: lattice.walk.length > 1 ? lattice.walk.join(",") : "", ...lessonTexts(lattice), person: lattice.asker.text,
    dots: lattice.dots ? "1" : "", draws: lattice.sampler?.text ?? "",
  };
  const first = startOf(lattice);
  return Object.fromEntries(Object.entries(all).filter(([key, text]) => text !== (first[key] ?? "")));
}

// Take a state; what is not of this lattice is left out, and named.
export function restore(lattice, given) {
  const { slider, marks } = lattice, wrong = [];
  const coded = given.code && lattice.coder?.read(given.code);
  if (coded?.why) wrong.push("code");
  if (coded?.state) given = coded.state;
  const texts = Object.fromEntries(Object.entries(given).map(([key, text]) => [key, `${text}`]));
  const state = { ...startOf(lattice), ...texts };
  const take = (key, good, act) => {
    if (state[key] === undefined || state[key] === "") return;
    if (good(state[key])) act(state[key]);
    else wrong.push(key);
  };
  const whole = (most) => (text) => /^\d{1,4}$/.test(text) && Number(text) <= most;
  lattice.most = lattice.n;
  lattice.current = lattice.full;
  lattice.setLarge(state.large === "1");
  const kinds = Object.keys(marks), asked = state.marks.split(",").filter(Boolean);
  if (asked.every((key) => kinds.includes(key))) kinds.forEach((key) => { marks[key] = asked.includes(key); });
  else wrong.push("marks");
  lattice.ask = lessonOf(state);
  if (state.ask && !lattice.ask) wrong.push("ask");
  take("numbers", (text) => ["fractions", "decimals", "counts"].includes(text), (text) => { lattice.numbers = text; });
  take("by", (text) => ["size", "value"].includes(text), (text) => { lattice.view = text; });
  take("upto", whole(lattice.n), (text) => { lattice.most = Number(text); });
  take("S", whole(lattice.full), (text) => { lattice.current = Number(text); });
  const known = (text) => lattice.menu.some(({ key }) => key === text);
  take("criterion", known, (text) => { lattice.criterion = text; });
  if (slider) {
    slider.follow();
    if (!state.t && !state.stop && !state.weights) slider.goTo(0);
    take("t", (text) => slider.has(text), (text) => slider.goToParameter(text));
    take("stop", (text) => whole(slider.stops.length - 1)(text), (text) => slider.goTo(Number(text)));
  }
  if (!slider && !state.weights && lattice.edited) lattice.reset(); // an undone edit
  const digits = new RegExp(`^\\d{1,400}(,\\d{1,400}){${lattice.d.weights.length - 1}}$`);
  take("weights", (text) => digits.test(text) && /[1-9]/.test(text), (text) => lattice.setWeights(text.split(",").map(BigInt)));
  take("evidence", (text) => lattice.evidence?.read(text), (text) => lattice.evidence.take(lattice.evidence.read(text)));
  lattice.person = null;
  take("person", (text) => lattice.asker.read(text), (text) => { lattice.person = lattice.asker.read(text); });
  lattice.dots = false;
  lattice.draws = null;
  take("draws", (text) => lattice.sampler?.read(text), (text) => { lattice.draws = lattice.sampler.read(text); });
  take("dots", (text) => text === "1", () => { lattice.dots = true; });
  const path = (state.path ?? "").split(",").filter(Boolean), one = (step) => step > 0 && !(step & step - 1);
  const walked = path.every(whole(lattice.full)) && path.slice(1).every((mask, i) => one(mask ^ path[i]));
  if (!walked) wrong.push("path");
  lattice.walk = walked ? path.map(Number) : [];
  lattice.showControls();
  lattice.update();
  if (wrong.length) lattice.told.textContent = [lattice.say("leftOut", { keys: wrong.join(", ") }), coded?.why].filter(Boolean).join(" ");
}

// The fragment of the address that restores a state in the element of this name, and the state in a fragment.
export const fragmentOf = (name, state) => `#${name}:${Object.entries(state).map(([key, text]) =>
  `${key}=${encodeURIComponent(text).replaceAll("%2F", "/").replaceAll("%2C", ",")}`).join("&")}`;

export function stateIn(fragment, name) {
  if (!name || !fragment.startsWith(`#${name}:`)) return null;
  const pairs = fragment.slice(name.length + 2).split("&").map((pair) => pair.split("="));
  try {
    return Object.fromEntries(pairs.filter(([key]) => key).map(([key, text = ""]) => [key, decodeURIComponent(text)]));
  } catch { return { fragment: "unreadable" }; }
}

// The picture as a file

const KEPT = [
  "fill", "stroke", "stroke-width", "stroke-dasharray", "paint-order", "opacity", "font-size", "font-family", "font-weight",
  "text-anchor",
];

// The picture with its title and legend as the text of an SVG file, in the colors that are shown.
export function pictureOf(lattice) {
  const { width, height } = lattice.layout, { stage, data } = lattice, gap = 24, head = 40, held = draw("g");
  const list = entries(lattice).filter(({ kind }) => kind !== "critical" && kind !== "hint");
  let x = 16, y = head + height + 18;
  for (const { kind, text } of list) {
    const signs = sample(kind), indent = signs.length ? 42 : 0, wide = indent + widthOf(text, 11);
    if (x > 16 && x + wide > width) { x = 16; y += gap; }
    held.append(draw("g", { transform: `translate(${x} ${y - 9})` }, ...signs),
      draw("text", { x: x + indent, y: y + 4, class: "fst-said", "font-size": 11 }, text));
    x += wide + 18;
  }
  const shown = stage.cloneNode(true);
  const title = draw("text", { x: width / 2, y: 26, class: "fst-title", "font-size": 15 }, heading(lattice, data));
  shown.setAttribute("viewBox", `0 0 ${width} ${y + 20}`);
  const moved = draw("g", { transform: `translate(0 ${head})` }, ...shown.childNodes);
  shown.append(draw("rect", { class: "fst-ground", width, height: y + 20 }), title, moved, held);
  for (const [name, value] of [["width", width], ["height", y + 20], ["xmlns", SVG]]) shown.setAttribute(name, value);
  stage.parentNode.append(shown); // where the style reaches it
  const all = [...shown.querySelectorAll("*")], styles = all.map(styled); // all read before any class is taken away
  all.forEach((element, i) => inline(element, styles[i]));
  shown.remove();
  for (const name of ["class", "style"]) shown.removeAttribute(name);
  return new XMLSerializer().serializeToString(shown);
}

function heading(lattice, data) {
  const where = lattice.slider && lattice.onParameter ? `, ${lattice.slider.said.textContent}` : "";
  return `${data.title}: ${lattice.column.name}${where}`;
}

// The style of an element, in colors that every program reads.
function styled(element) {
  const style = getComputedStyle(element), byte = (text) => Math.round(255 * Number(text));
  const names = element.localName === "g" ? [] : KEPT.filter((name) => !name.startsWith("font") || element.localName === "text");
  return names.map((name) => [name, style.getPropertyValue(name)
    .replace(/color\(srgb ([\d.e-]+) ([\d.e-]+) ([\d.e-]+)\)/, (_, r, g, b) => `rgb(${byte(r)}, ${byte(g)}, ${byte(b)})`)]);
}

function inline(element, style) {
  for (const { name } of [...element.attributes])
    if (/^(style|class|tabindex|role|aria-.*|data-.*)$/.test(name)) element.removeAttribute(name);
  for (const [name, value] of style) element.setAttribute(name, value);
  if (element.getAttribute("opacity") === "0") element.remove();
}
