// The picture: boxes, lines and axis as in the drawings of Python, the legend of what appears, the picture as a file.
import { size } from "./exact.js";
import { draw, make } from "./parts.js";

const MARKS = { minimal: "minimal-optimal", optimal: "k-optimal", blankets: "Markov blanket" };

// What a screen reader says of a subset; it begins as what is seen.
export function label(lattice, mask, marks) {
  const seen = `${lattice.short(mask)} ${lattice.boxed(mask)}`;
  return [seen, lattice.name(mask), lattice.valued(mask), ...marks.map((key) => MARKS[key])].join(", ");
}

// A box with these signs: a second border, a corner, a point. The frame of the chosen one is around everything.
function boxed(w, h, marks, part) {
  const frame = (class_, out, radius) => draw("rect", { class: class_, x: -w / 2 - out, y: -h / 2 - out, width: w + 2 * out, height: h + 2 * out, rx: radius });
  const optimal = marks.includes("optimal");
  const corner = draw("rect", { class: "fst-flag", x: w / 2 - 4.5, y: -h / 2 - 4.5, width: 9, height: 9 });
  return [
    frame("fst-frame", 5, 8), ...(marks.includes("minimal") ? [frame("fst-ring", 3, optimal ? 0 : 6)] : []),
    draw("rect", { class: `fst-box${optimal ? " fst-square" : ""}`, x: -w / 2, y: -h / 2, width: w, height: h, rx: optimal ? 0 : 4,
      style: `--part: ${part}%` }),
    ...(optimal ? [corner] : []),
    ...(marks.includes("blankets") ? [draw("circle", { class: "fst-dot", cx: -w / 2, cy: h / 2, r: 4 })] : []),
  ];
}

// Fill the element of a subset.
export function fillNode(lattice, node, mask, marks) {
  const { box: [, h], line, upright, at } = lattice.layout, { w, split } = at.get(mask), { ranks } = lattice.column;
  const part = 100 * ranks[mask] / Math.max(1, ...ranks), current = mask === lattice.current;
  const name = draw("text", { class: "fst-name" }, lattice.short(mask)), value = draw("text", { class: "fst-value" }, lattice.boxed(mask));
  const put = (text, x, y) => { text.setAttribute("x", x); text.setAttribute("y", y); };
  if (line) { put(name, (split - w) / 2 + 1, 4); put(value, split / 2 - 1, 4); } else { put(name, 0, -2); put(value, 0, h / 2 - 5); }
  node.replaceChildren(...(upright ? [draw("path", { class: "fst-leader" }), draw("circle", { class: "fst-place", r: 3.5 })] : []),
    ...boxed(w, h, marks, part), name, " ", value);
  node.setAttribute("class", `fst-node${current ? " fst-current" : ""}`);
  node.setAttribute("aria-label", label(lattice, mask, marks));
  node.setAttribute("aria-pressed", `${current}`);
  node.setAttribute("tabindex", current ? 0 : -1);
}

// Put the element of a subset where it stands now, and its dot.
export function placeNode(node, { x, y, w, u, v }) {
  node.setAttribute("transform", `translate(${x.toFixed(2)} ${y.toFixed(2)})`);
  const dot = node.querySelector(".fst-place");
  if (!dot) return;
  dot.setAttribute("cx", (u - x).toFixed(2));
  dot.setAttribute("cy", (v - y).toFixed(2));
  node.firstChild.setAttribute("d", `M ${(u - x).toFixed(2)} ${(v - y).toFixed(2)} L ${-w / 2} 0`);
}

// The ends of an edge from a subset to one with a feature more: boxes by size, by value from a box to the next dot.
export const ends = (layout, from, to) => (layout.upright
  ? { x1: from.x + from.w / 2, y1: from.y, x2: to.u, y2: to.v } : { x1: from.x, y1: from.y, x2: to.x, y2: to.y });

// The axis: sizes beside the levels or below the columns, values with a line for each tick.
export function drawAxis({ column }, { ticks, feet = [], axis, width }) {
  const marks = ticks.flatMap(({ text, y, grid }) => [
    ...(grid ? [draw("line", { class: "fst-grid", x1: axis.x - 4, y1: y, x2: width, y2: y })] : []),
    draw("text", { class: "fst-tick", x: (axis?.x ?? 56) - 8, y: y + 4 }, text)]);
  const below = feet.map(({ text, x, y }) => draw("text", { class: "fst-tick fst-foot", x, y }, text));
  if (!axis) return [...marks, ...below];
  const middle = (axis.from + axis.to) / 2;
  return [...marks, ...below, draw("line", { class: "fst-axis", x1: axis.x, y1: axis.from, x2: axis.x, y2: axis.to }),
    draw("text", { class: "fst-tick fst-foot", transform: `translate(11 ${middle}) rotate(-90)` }, column.name)];
}

// The legend

// What appears in the picture: the name of a sign and what it says.
export function entries(lattice) {
  const { column, layout, marks, walk, data, numbered } = lattice, { ranks, exact, decimal } = column;
  const masks = [...layout.at.keys()], by = [...masks].sort((a, b) => ranks[a] - ranks[b]);
  const [low, high] = [by[0], by[by.length - 1]].map((mask) => (exact[mask].length <= 12 ? exact[mask] : `≈${decimal[mask].replace("≈", "")}`));
  const kinds = new Set(masks.flatMap((mask) => data.features.flatMap((_, i) => {
    const below = mask & ~(1 << i);
    return below === mask || !layout.at.has(below) ? [] : [ranks[mask] === ranks[below] ? "tie" : "cost"];
  })));
  const some = lattice.allEdges ? "" : ", drawn for the subset pointed at";
  const listed = [
    [low !== high, "shade", `${column.name} from ${low} to ${high}; equal values have the same shade`],
    [kinds.has("tie"), "tie", `removing the feature loses nothing${some}`],
    [kinds.has("cost"), "cost", `removing the feature changes the value${kinds.has("tie") ? "" : some}`],
    [layout.upright, "place", "a point is as high as its value"],
    [marks.minimal, "minimal", "S*: the best value, and no smaller set inside has it"],
    [marks.optimal, "optimal", "optimal for its size"],
    [marks.blankets, "blankets", "Markov blanket"],
    [walk.length > 1, "step", "path"],
    [true, "chosen", "the chosen subset"],
    [lattice.slider?.critical.length, "critical", "on the slider: where the ordering of the Bayes risks changes"],
    [numbered, "note", `in the boxes ${data.features.map((name, i) => `${i + 1} is ${name}`).join(", ")}`],
  ];
  return listed.filter(([appears]) => appears).map(([, kind, text]) => ({ kind, text }));
}

// A sign, 34 by 18.
export function sample(kind) {
  const line = (class_) => draw("line", { class: `fst-edge ${class_}`, x1: 2, y1: 9, x2: 32, y2: 9 });
  if (kind === "tie") return [line("fst-same")];
  if (kind === "cost") return [line("")];
  if (kind === "step") return [line("fst-step")];
  if (kind === "critical") return [draw("path", { class: "fst-tell", d: "M 17 2 v 14" })];
  if (kind === "place") return [draw("circle", { class: "fst-place", cx: 17, cy: 9, r: 3.5 })];
  if (kind === "shade")
    return [0, 25, 50, 75, 100].map((part, i) => draw("rect", { class: "fst-box", x: 1 + 6.4 * i, y: 4, width: 6.4, height: 10, style: `--part: ${part}%` }));
  const node = draw("g", { class: kind === "chosen" ? "fst-current" : "fst-sign", transform: "translate(17 9)" }, ...boxed(20, 7, [kind], 0));
  return [node];
}

export function legend(lattice) {
  return entries(lattice).map(({ kind, text }) => make("li", {},
    ...(kind === "note" ? [] : [draw("svg", { class: "fst-sample", viewBox: "0 0 34 18", "aria-hidden": "true" }, ...sample(kind))]), text));
}
