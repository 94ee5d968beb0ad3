// The picture: boxes, lines and axis as in the drawings of Python, the legend of what appears, the picture as a file.
import { size } from "./exact.js";
import { draw, make } from "./elements.js";
import { typeOf, widthOf } from "./layout.js";
import { pointed } from "./words.js";

// What a screen reader says of a subset; it begins as what is seen.
export function label(lattice, mask, marks) {
  const seen = `${lattice.short(mask)} ${lattice.boxed(mask)}`;
  return [seen, lattice.name(mask), lattice.valued(mask), ...marks.map((key) => lattice.data.words[`is_${key}`])].join(", ");
}

// A box with these signs: a second border, a corner, a point. The frame of the chosen one is around everything.
function boxed(w, h, marks, part, small = false) {
  const frame = (class_, out, rx) =>
    draw("rect", { class: class_, x: -w / 2 - out, y: -h / 2 - out, width: w + 2 * out, height: h + 2 * out, rx });
  const optimal = marks.includes("optimal"), sign = small ? 5 : 9;
  const box = frame(`fst-box${optimal ? " fst-square" : ""}`, 0, optimal ? 0 : small ? 2 : 4);
  box.style.setProperty("--part", `${part}%`);
  const corner = { class: "fst-flag", x: (w - sign) / 2, y: -(h + sign) / 2, width: sign, height: sign };
  return [
    ...(marks.includes("reasons") ? [frame("fst-reason", small ? 6 : 8, small ? 5 : 11)] : []),
    frame("fst-frame", small ? 4 : 5, small ? 4 : 8),
    ...(marks.includes("minimal") ? [frame("fst-ring", small ? 2 : 3, optimal ? 0 : small ? 3 : 6)] : []),
    box,
    ...(optimal ? [draw("rect", corner)] : []),
    ...(marks.includes("blankets") ? [draw("circle", { class: "fst-dot", cx: -w / 2, cy: h / 2, r: small ? 2.5 : 4 })] : []),
  ];
}

// Fill the element of a subset: with its name and value, or the last of some small boxes with the value of all of them.
export function fillNode(lattice, node, mask, marks) {
  const { box: [w, h], small, upright, at } = lattice.layout, { ranks } = lattice.column, { first, last } = at.get(mask);
  const part = lattice.seen(mask) ? 100 * ranks[mask] / Math.max(1, ...ranks) : 0, current = lattice.picked && mask === lattice.current;
  const value = (x, y) => draw("text", { class: "fst-value", x, y }, lattice.boxed(mask));
  const { font } = typeOf(lattice), name = draw("text", { class: "fst-name", x: 0, y: font > 13 ? -0.2 * font : -2 }, lattice.short(mask));
  const leader = () => [draw("path", { class: "fst-leader" }), draw("circle", { class: "fst-place", r: small ? 2.5 : 3.5 })];
  const words = small ? (last ? [value(w / 2 + 5, 4)] : []) : [name, " ", value(0, h / 2 - 0.42 * font)];
  node.replaceChildren(...(upright && (!small || first) ? leader() : []), ...boxed(w, h, marks, part, small), ...words);
  node.setAttribute("class", `fst-node${current ? " fst-current" : ""}`);
  node.setAttribute("aria-label", label(lattice, mask, marks));
  node.setAttribute("aria-pressed", `${current}`);
  node.setAttribute("tabindex", current ? 0 : -1);
}

// The names beside small boxes: of the subset that is told of, of the path, and of a few minimal ones.
export function tags(lattice, told, minimal) {
  const named = new Set([...(minimal.size < 5 ? minimal : []), ...lattice.marked.reasons, ...lattice.walk, lattice.current, told]);
  named.delete(told);
  return [...named, told].filter((mask) => lattice.layout.at.has(mask)).map((mask) => {
    const text = mask === told ? `${lattice.short(mask)}: ${lattice.boxed(mask)}` : lattice.short(mask);
    const { font } = typeOf(lattice), room = widthOf(text, font) + 10;
    return { mask, element: draw("g", { class: `fst-tag${mask === told ? " fst-told-of" : ""}` },
      draw("rect", { class: "fst-ground", x: 12, y: -0.8 * font, width: room, height: 1.6 * font, rx: 3 }),
      draw("text", { class: "fst-name", x: 12 + room / 2, y: 0.35 * font }, text)) };
  });
}

// Put the element of a subset where it stands now, and its dot.
export function placeNode(node, { x, y, w, u, v }) {
  const at = (number) => Number(number.toFixed(2)); // all dots on one grid, so that equal values are level
  node.setAttribute("transform", `translate(${at(x)} ${at(y)})`);
  const dot = node.querySelector(".fst-place");
  if (!dot) return;
  dot.setAttribute("cx", (at(u) - at(x)).toFixed(2));
  dot.setAttribute("cy", (at(v) - at(y)).toFixed(2));
  node.firstChild.setAttribute("d", `M ${(u - x).toFixed(2)} ${(v - y).toFixed(2)} L ${-w / 2} 0`);
}

// The ends of an edge from a subset to one with a feature more: boxes by size, by value from a box to the next dot.
export const ends = ({ upright, small }, from, to) => (upright && !small
  ? { x1: from.x + from.w / 2, y1: from.y, x2: to.u, y2: to.v } : { x1: from.x, y1: from.y, x2: to.x, y2: to.y });

// The axis: sizes beside the levels or below the columns, values with a line for each tick.
export function drawAxis(lattice, { ticks, feet = [], axis, width }) {
  const { side, font } = typeOf(lattice), { column } = lattice;
  const marks = (side > 9 ? ticks : []).flatMap(({ text, y, grid }) => [
    ...(grid ? [draw("line", { class: "fst-grid", x1: axis.x - 4, y1: y, x2: width, y2: y })] : []),
    draw("text", { class: "fst-tick", x: (axis?.x ?? side - 8) - 8, y: y + 0.33 * font }, pointed(lattice.data, text))]);
  const below = feet.map(({ text, x, y }) => draw("text", { class: "fst-tick fst-foot", x, y }, text));
  if (!axis) return [...marks, ...below];
  const middle = (axis.from + axis.to) / 2;
  return [...marks, ...below, draw("line", { class: "fst-axis", x1: axis.x, y1: axis.from, x2: axis.x, y2: axis.to }),
    draw("text", { class: "fst-tick fst-foot", transform: `translate(${font - 1} ${middle}) rotate(-90)` }, column.name)];
}

// The legend

// Why another criterion is shown than the one that was chosen, or nothing.
export function instead(lattice) {
  const why = lattice.whyNot(lattice.criterion);
  return why && lattice.say("instead", { chosen: lattice.chosen.name, why, shown: lattice.column.name });
}

// What appears in the picture: the name of a sign and what it says.
export function entries(lattice) {
  const { column, layout, walk, data: { words }, data, numbered } = lattice, marks = lattice.allSeen ? lattice.marks : {}, { ranks, exact, decimal } = column;
  const masks = [...layout.at.keys()].filter((mask) => lattice.seen(mask)), by = [...masks].sort((a, b) => ranks[a] - ranks[b]);
  const brief = (mask) => (exact[mask].length <= 12 ? exact[mask] : `≈${decimal[mask].replace("≈", "")}`);
  const [low, high] = by.length ? [brief(by[0]), brief(by[by.length - 1])] : [];
  const kinds = new Set(masks.flatMap((mask) => data.features.flatMap((_, i) => {
    const below = mask & ~(1 << i);
    return below === mask || !layout.at.has(below) || !lattice.seen(below) ? [] : [ranks[mask] === ranks[below] ? "tie" : "cost"];
  })));
  const some = (text, all) => (all ? text : lattice.say("pointedAt", { text }));
  const why = instead(lattice);
  const listed = [
    [why, "note", why],
    [low !== high, "shade", lattice.say("shades", { criterion: column.name, low, high })],
    [kinds.has("tie"), "tie", some(words.losesNothing, lattice.allEdges)],
    [kinds.has("cost"), "cost", some(words.changesValue, lattice.allEdges || kinds.has("tie"))],
    [layout.upright, "place", words.pointHeight],
    [layout.small, "hint", words.sideBySide],
    [marks.minimal, "minimal", words.signMinimal],
    [marks.optimal, "optimal", words.signOptimal],
    [marks.blankets, "blankets", words.is_blankets],
    [lattice.marked.reasons.size, "reasons", words.signReasons],
    [walk.length > 1, "step", words.signPath],
    [lattice.picked, "chosen", words.signChosen],
    [!lattice.narrow, "hint", words.sizes],
    ...(lattice.slider && lattice.allSeen ? [onSlider(lattice)] : []),
    [(lattice.narrow || lattice.large) && layout.width > lattice.width, "hint", words.wider],
    [numbered, "note", lattice.say("numbersMean", { names: data.features.map((feature, i) => lattice.say("numberIs", { number: i + 1, feature })).join(", ") })],
  ];
  return listed.filter(([appears]) => appears).map(([, kind, text]) => ({ kind, text }));
}

// What the marks on the slider say, or why there are none.
function onSlider(lattice) {
  const { slider, chosen, family } = lattice, criterion = chosen.name;
  if (slider.critical.length) return [true, "critical", lattice.say("signCritical", { criterion })];
  const key = slider.known ? "noCritical" : ["balanced", "auc"].includes(chosen.key) ? "fewCritical" : "unknownCritical";
  return [true, "hint", lattice.say(key, { criterion, most: family.mostStates })];
}

// A sign, 34 by 18; what is told in words alone has none.
export function sample(kind) {
  if (kind === "note" || kind === "hint") return [];
  const line = (class_) => draw("line", { class: `fst-edge ${class_}`, x1: 2, y1: 9, x2: 32, y2: 9 });
  if (kind === "tie") return [line("fst-same")];
  if (kind === "cost") return [line("")];
  if (kind === "step") return [line("fst-step")];
  if (kind === "critical") return [draw("path", { class: "fst-tell", d: "M 17 2 v 14" })];
  if (kind === "place") return [draw("circle", { class: "fst-place", cx: 17, cy: 9, r: 3.5 })];
  if (kind === "shade")
    return [0, 1, 2, 3, 4].map((i) =>
      draw("rect", { class: "fst-box", x: 1 + 6.4 * i, y: 4, width: 6.4, height: 10, style: `--part: ${25 * i}%` }));
  const class_ = kind === "chosen" ? "fst-current" : "fst-sign";
  return [draw("g", { class: class_, transform: "translate(17 9)" }, ...boxed(20, 7, [kind], 0))];
}

export function legend(lattice) {
  const svg = { class: "fst-sample", viewBox: "0 0 34 18", "aria-hidden": "true" };
  return entries(lattice).map(({ kind, text }) => {
    const signs = sample(kind);
    return make("li", {}, ...(signs.length ? [draw("svg", svg, ...signs)] : []), text);
  });
}
