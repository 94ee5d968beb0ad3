// The lattice of feature subsets, to be touched. `mount(root, data)` fills an element; no library, no request.
// Everything that is compared is an integer: see exact.js. What the page cannot compute comes with the data.
import {
  backwardSearch, bayesErrors, decimal, fraction, marginal, markovBlankets, minimalSets, optimalOfSize, ranksOf, size, total,
} from "./exact.js";

const SVG = "http://www.w3.org/2000/svg";
const make = (tag, attributes = {}, ...children) => fill(document.createElement(tag), attributes, children);
const draw = (tag, attributes = {}, ...children) => fill(document.createElementNS(SVG, tag), attributes, children);
function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (value !== false && value !== undefined) element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children);
  return element;
}

export class Lattice {
  constructor(root, data, onEdit = null) {
    Object.assign(this, { root, onEdit, view: "size", criterion: 0, current: null, walk: [], stop: 0, most: null });
    this.marks = { minimal: true, optimal: false, blankets: false };
    this.load(data);
    this.build();
  }

  // Take data in: the distribution, and a column of values for each criterion.
  load(data) {
    const classes = data.classes.length;
    this.data = data;
    this.d = { cards: data.states.map((states) => states.length), classes, weights: data.weights.map(BigInt) };
    this.n = data.features.length;
    this.full = 2 ** this.n - 1;
    if (this.current === null || this.current > this.full) this.current = this.full;
    if (this.most === null) this.most = this.n;
    this.edited = false;
    this.columns = data.criteria.map((criterion) => ({ ...criterion }));
    this.compute();
  }

  // Recompute what follows from the weights: the risks, their ranks, and the marks.
  compute() {
    const errors = bayesErrors(this.d), whole = total(this.d.weights);
    this.columns[0] = {
      key: "zero_one", name: "Bayes risk", symbol: "R", largerIsBetter: false, ranks: ranksOf(errors), errors, whole,
      exact: errors.map((e) => fraction(e, whole)), decimal: errors.map((e) => decimal(e, whole)),
    };
    this.blankets = new Set(markovBlankets(this.d));
  }

  get column() { return this.columns[this.criterion]; }

  // Ranks with 0 for the best.
  get losses() {
    const { ranks, largerIsBetter } = this.column;
    if (!largerIsBetter) return ranks;
    const most = Math.max(...ranks);
    return ranks.map((rank) => most - rank);
  }

  name(mask) {
    const names = this.data.features.filter((_, i) => mask >> i & 1);
    return names.length ? `{${names.join(", ")}}` : "{}";
  }

  short(mask) {
    const names = this.data.features.filter((_, i) => mask >> i & 1);
    if (!names.length) return "∅";
    const joined = names.join(this.data.features.every((name) => /^[A-Za-z]\d*$/.test(name)) ? "" : ", ");
    const longest = { 1: 30, 2: 26, 3: 20, 4: 14, 5: 12 }[this.n] ?? 0;
    if (joined.length <= longest) return joined;
    return this.data.features.flatMap((_, i) => (mask >> i & 1 ? [i + 1] : [])).join(this.n > 5 ? "" : "·");
  }

  build() {
    const id = this.id = `fst-${Math.random().toString(36).slice(2, 8)}`;
    this.controls = make("div", { class: "fst-controls" });
    this.stage = draw("svg", { class: "fst-stage", role: "group", "aria-label": "Lattice of feature subsets" });
    this.panel = make("section", { class: "fst-panel", "aria-label": "The chosen subset" });
    this.told = make("p", { class: "fst-told", "aria-live": "polite" });
    this.extra = make("div", { class: "fst-extra" });
    this.root.replaceChildren(
      make("div", { class: "fstheory-lattice", id },
        this.controls, this.told,
        make("div", { class: `fst-main${this.n > 5 ? " fst-wide" : ""}` },
          make("div", { class: "fst-scroll", tabindex: -1 }, this.stage), this.panel),
        this.extra));
    this.drawControls();
    this.drawExtra();
    this.refresh();
    const scroll = this.stage.parentElement;
    scroll.scrollLeft = (scroll.scrollWidth - scroll.clientWidth) / 2; // the middle, where the ends of the lattice are
  }

  // The controls above the lattice.
  drawControls() {
    const { data } = this;
    const choose = (label, options, value, set) => make("label", {}, `${label} `,
      make("select", { onchange: (event) => { set(event.target.value); this.refresh(); } },
        ...options.map(([key, text]) => make("option", { value: key, selected: `${key}` === `${value}` }, text))));
    const mark = (key, text) => make("label", {},
      make("input", { type: "checkbox", checked: this.marks[key], onchange: (event) => {
        this.marks[key] = event.target.checked; this.refresh(); } }), ` ${text}`);
    const parts = [
      choose("Lattice by", [["size", "size"], ["value", "value"]], this.view, (view) => { this.view = view; }),
      choose("Subsets of up to", Array.from({ length: this.n + 1 }, (_, k) => [k, `${k} features`]), this.most,
        (most) => { this.most = Number(most); }),
      mark("minimal", "mark S*"), mark("optimal", "mark k-optimal"), mark("blankets", "mark Markov blankets"),
    ];
    if (this.columns.length > 1 && !this.edited && !data.family)
      parts.unshift(choose("Criterion", this.columns.map((column, i) => [i, column.name]), this.criterion,
        (place) => { this.criterion = Number(place); }));
    if (data.family) parts.push(this.slider());
    this.controls.replaceChildren(...parts);
  }

  // The slider over the critical values of a family and the intervals between them.
  slider() {
    const { stops } = this.data.family;
    const output = make("output", { class: "fst-stop" }, stops[this.stop].label);
    const move = (event) => {
      this.stop = Number(event.target.value);
      const stop = stops[this.stop];
      output.textContent = stop.label;
      event.target.setAttribute("aria-valuetext", stop.label);
      this.setWeights(stop.weights, false);
    };
    return make("label", { class: "fst-slider" }, "t ",
      make("input", { type: "range", min: 0, max: stops.length - 1, value: this.stop, oninput: move,
        "aria-valuetext": stops[this.stop].label }), output);
  }

  // Put other weights in the place of those there are; only the risks follow in the page.
  setWeights(weights, typed = true) {
    this.d = { ...this.d, weights: weights.map(BigInt) };
    this.edited = true;
    this.criterion = 0;
    this.compute();
    if (typed && this.onEdit) this.onEdit(weights);
    if (typed) this.drawControls(); // but the slider that is being moved stays
    else this.drawExtra();
    this.refresh();
  }

  // Below: the weights, which can be edited, and what is known to hold.
  drawExtra() {
    const { data } = this;
    const parts = [];
    if (data.weights.length <= 128) parts.push(this.editor());
    if (data.claims && data.claims.length)
      parts.push(make("details", {}, make("summary", {}, "What holds here"),
        make("ul", {}, ...data.claims.map((claim) => make("li", {}, make("b", {}, claim.id), ` ${claim.verdict}: ${claim.words}`)))));
    this.extra.replaceChildren(...parts);
  }

  editor() {
    const { data } = this;
    const message = make("p", { class: "fst-error", role: "alert" });
    const inputs = this.d.weights.map((weight, cell) => make("input", {
      inputmode: "numeric", size: 6, value: `${weight}`, "aria-label": this.cellName(cell) }));
    const apply = () => {
      const typed = inputs.map((input) => input.value.trim());
      const wrong = typed.findIndex((text) => !/^\d{1,400}$/.test(text));
      inputs.forEach((input, i) => input.setAttribute("aria-invalid", i === wrong ? "true" : "false"));
      if (wrong >= 0) { message.textContent = `The weight of ${this.cellName(wrong)} must be a whole number, 0 or more, not “${typed[wrong]}”; nothing was changed.`; return; }
      if (typed.every((text) => BigInt(text) === 0n)) { message.textContent = "Some weight must be above 0; nothing was changed."; return; }
      message.textContent = "";
      this.setWeights(typed);
    };
    const rows = [];
    for (let cell = 0; cell < inputs.length; cell += this.d.classes)
      rows.push(make("tr", {}, ...this.stateOf(cell).map((state) => make("th", { scope: "row" }, `${state}`)),
        ...inputs.slice(cell, cell + this.d.classes).map((input) => make("td", {}, input))));
    const head = [...data.features, ...data.classes.map((y) => `${data.target} = ${y}`)];
    return make("details", { open: this.editing === true, ontoggle: (event) => { this.editing = event.target.open; } },
      make("summary", {}, "Weights: change them"),
      make("form", { onsubmit: (event) => { event.preventDefault(); apply(); } },
        make("div", { class: "fst-scroll", tabindex: 0, role: "region", "aria-label": "Weights" }, make("table", {}, make("thead", {}, make("tr", {}, ...head.map((text) =>
          make("th", { scope: "col" }, text)))), make("tbody", {}, ...rows))),
        make("button", { type: "submit" }, "Apply"), " ",
        make("button", { type: "button", onclick: () => { this.setWeights(data.weights); this.load(data); this.drawControls(); this.drawExtra(); this.refresh(); } }, "As given"),
        message));
  }

  stateOf(cell) {
    let place = cell / this.d.classes;
    const found = [];
    for (let i = this.n - 1; i >= 0; i -= 1) {
      found.unshift(this.data.states[i][place % this.d.cards[i]]);
      place = Math.floor(place / this.d.cards[i]);
    }
    return found;
  }

  cellName(cell) {
    const states = this.stateOf(cell - cell % this.d.classes).map((x, i) => `${this.data.features[i]} = ${x}`);
    return [...states, `${this.data.target} = ${this.data.classes[cell % this.d.classes]}`].join(", ");
  }

  // Where each subset stands: levels from the bottom, each in the order of the masks.
  places() {
    const shown = Array.from({ length: this.full + 1 }, (_, mask) => mask).filter((mask) => size(mask) <= this.most);
    const level = this.view === "size" ? size : (mask) => this.losses[mask];
    const heights = [...new Set(shown.map(level))].sort((a, b) => a - b);
    const rows = heights.map((height) => shown.filter((mask) => level(mask) === height)
      .sort((a, b) => size(a) - size(b) || reversed(a, this.n) - reversed(b, this.n)));
    if (this.view === "value") rows.reverse(); // the best on top, as the largest subset is by size
    const widest = Math.max(...rows.map((row) => row.length));
    const box = this.n > 5 ? [7 * this.n + 8, 20] : [Math.max(58, ...shown.map((mask) => this.short(mask).length * 7.5 + 14)), 34];
    const [dx, dy] = [box[0] + (this.n > 5 ? 6 : 18), box[1] + (this.view === "value" ? 26 : 56)];
    const width = Math.max(320, widest * dx + 20), height = rows.length * dy + 10;
    const at = new Map();
    rows.forEach((row, i) => row.forEach((mask, j) => at.set(mask, {
      x: width / 2 + (j - (row.length - 1) / 2) * dx, y: height - dy / 2 - i * dy, row: i, column: j })));
    return { at, rows, box, width, height };
  }

  refresh() {
    if (size(this.current) > this.most) this.current = 0;
    const layout = this.layout = this.places();
    const { at, box, width, height } = layout;
    const marked = {
      minimal: new Set(minimalSets(this.losses)), optimal: optimalOfSize(this.losses), blankets: this.blankets };
    this.stage.setAttribute("viewBox", `0 0 ${width} ${height}`);
    this.stage.style.minWidth = `${Math.min(width, this.n > 4 ? width : 320)}px`;
    this.stage.style.maxWidth = `${width * 1.25}px`;
    const focused = this.stage.contains(document.activeElement);
    const step = new Set(this.walk.slice(1).map((mask, i) => `${Math.min(mask, this.walk[i])} ${Math.max(mask, this.walk[i])}`));
    const edges = [], nodes = [];
    for (const [mask, place] of at)
      for (let i = 0; i < this.n; i += 1) {
        const below = mask & ~(1 << i);
        if (below === mask || !at.has(below)) continue;
        const same = this.column.ranks[mask] === this.column.ranks[below];
        const kind = `fst-edge${same ? " fst-same" : ""}${step.has(`${below} ${mask}`) ? " fst-step" : ""}`;
        edges.push(draw("line", { x1: place.x, y1: place.y, x2: at.get(below).x, y2: at.get(below).y, class: kind }));
      }
    for (const [mask, { x, y }] of at) {
      const says = Object.keys(this.marks).filter((key) => this.marks[key] && marked[key].has(mask));
      const kinds = says.map((key) => ` fst-${key}`).join("") + (mask === this.current ? " fst-current" : "");
      const words = { minimal: "minimal-optimal", optimal: "k-optimal", blankets: "Markov blanket" };
      const written = [this.short(mask), ...(this.n <= 5 ? [shorten(this.column.exact[mask], this.column.decimal[mask])] : [])];
      const label = [written.join(" "), this.name(mask), `${this.column.name} ${this.column.exact[mask]}`, ...says.map((key) => words[key])].join(", ");
      const [w, h] = box;
      const node = draw("g", { class: `fst-node${kinds}`, role: "button", tabindex: mask === this.current ? 0 : -1,
        "aria-label": label, "aria-pressed": mask === this.current ? "true" : "false", "data-mask": mask,
        transform: `translate(${x} ${y})`, onclick: () => this.choose(mask), onpointerenter: () => this.describe(mask),
        onpointerleave: () => this.describe(this.current), onkeydown: (event) => this.key(event, mask) },
      draw("rect", { x: -w / 2, y: -h / 2, width: w, height: h, rx: 5 }));
      if (says.includes("minimal")) node.append(draw("rect", { class: "fst-ring", x: -w / 2 + 3, y: -h / 2 + 3, width: w - 6, height: h - 6, rx: 3 }));
      if (says.includes("optimal")) node.append(draw("path", { class: "fst-flag", d: `M ${w / 2 - 9} ${-h / 2} h 9 v 9 z` }));
      if (says.includes("blankets")) node.append(draw("circle", { class: "fst-dot", cx: -w / 2 + 6, cy: h / 2 - 6, r: 3 }));
      node.append(draw("text", { class: "fst-name", y: this.n > 5 ? 4 : -2 }, written[0]));
      if (this.n <= 5) node.append(" ", draw("text", { class: "fst-value", y: 12 }, written[1]));
      nodes.push(node);
    }
    this.stage.replaceChildren(...edges, ...nodes);
    if (focused) this.focusOn(this.current);
    this.describe(this.current);
  }

  focusOn(mask) {
    const node = this.stage.querySelector(`[data-mask="${mask}"]`);
    if (node) node.focus({ preventScroll: false });
  }

  choose(mask) {
    const last = this.walk[this.walk.length - 1];
    if (last === undefined || size(last ^ mask) !== 1) this.walk = [mask];
    else this.walk.push(mask);
    this.current = mask;
    this.trace = null;
    this.refresh();
    this.focusOn(mask);
    this.told.textContent = `${this.name(mask)}: ${this.column.name} ${this.column.exact[mask]}.`;
  }

  // Arrow keys: left and right within a row, up and down to the nearest subset of the next row.
  key(event, mask) {
    const { at, rows } = this.layout;
    const { row, column, x } = at.get(mask);
    const nearest = (line) => line && line.reduce((a, b) => (Math.abs(at.get(b).x - x) < Math.abs(at.get(a).x - x) ? b : a));
    const moves = {
      ArrowLeft: rows[row][column - 1], ArrowRight: rows[row][column + 1], ArrowUp: nearest(rows[row + 1]),
      ArrowDown: nearest(rows[row - 1]), Home: rows[0][0], End: rows[rows.length - 1][0] };
    if (event.key === "Enter" || event.key === " ") this.choose(mask);
    else if (!(event.key in moves)) return;
    else if (moves[event.key] !== undefined) {
      this.current = moves[event.key];
      this.refresh();
      this.focusOn(this.current);
    }
    event.preventDefault();
  }

  // Tell of a subset: its value, its Bayes classifier, what each neighbor gains or loses.
  describe(mask) {
    const { column } = this;
    const both = column.exact[mask] === column.decimal[mask] ? column.exact[mask] : `${column.exact[mask]} ≈ ${column.decimal[mask]}`;
    const walk = this.walk.map((step) => `${this.name(step)} ${column.exact[step]}`).join(" → ");
    this.panel.replaceChildren(
      make(`h${this.data.level}`, {}, this.name(mask)), make("p", {}, `${column.name}: `, make("b", {}, both)),
      this.neighbors(mask),
      make("p", { class: "fst-walk" }, this.walk.length > 1 ? `Path: ${walk}` : "Choose a neighbor to walk a path."),
      make("button", { type: "button", onclick: () => this.search() }, "Backward search from here"),
      ...(this.trace ? [this.trace] : []), this.classifier(mask), ...this.legend());
  }

  // What the numbers in the boxes stand for, where names are too long for these.
  legend() {
    const everything = this.short(this.full);
    if (everything === "∅" || this.data.features.some((name) => everything.includes(name))) return [];
    return [make("p", {}, "In the boxes: ", this.data.features.map((name, i) => `${i + 1} ${name}`).join(", "))];
  }

  neighbors(mask) {
    const { column } = this;
    const change = (other) => {
      if (column.ranks[other] === column.ranks[mask]) return "the same";
      if (!column.errors) return `${column.exact[other]}, ${(column.ranks[other] > column.ranks[mask]) === column.largerIsBetter ? "better" : "worse"}`;
      const gap = column.errors[other] - column.errors[mask];
      return gap > 0n ? `loses ${fraction(gap, column.whole)}` : `gains ${fraction(-gap, column.whole)}`;
    };
    const rows = this.data.features.map((name, i) => make("tr", {},
      make("th", { scope: "row" }, `${mask >> i & 1 ? "without" : "with"} ${name}`), make("td", {}, change(mask ^ 1 << i))));
    return make("table", {}, make("caption", {}, "Neighbors"), make("tbody", {}, ...rows));
  }

  classifier(mask) {
    const { kept, rows } = marginal(this.d, mask);
    const lines = [...rows].slice(0, 16).map(([key, row]) => {
      const states = key === "" ? [] : key.split(",").map((place, i) => `${this.data.states[kept[i]][place]}`);
      const most = row.reduce((a, b) => (b > a ? b : a)), sum = total(row);
      const says = this.data.classes.filter((_, y) => row[y] === most).join(" or ");
      return make("tr", {}, make("th", { scope: "row" }, states.join(", ") || "always"),
        make("td", {}, sum === 0n ? "never occurs" : says), make("td", {}, sum === 0n ? "" : fraction(most, sum)));
    });
    const more = rows.size > 16 ? [make("p", {}, `and ${rows.size - 16} more states`)] : [];
    return make("div", {}, make("table", {}, make("caption", {}, "Bayes classifier"),
      make("thead", {}, make("tr", {}, ...[kept.map((i) => this.data.features[i]).join(", ") || "state", this.data.target, "posterior"]
        .map((text) => make("th", { scope: "col" }, text)))), make("tbody", {}, ...lines)), ...more);
  }

  // Backward search step by step, as a list, and its path in the lattice.
  search() {
    const { end, tests } = backwardSearch(this.losses, this.current);
    const start = this.current;
    const said = tests.map((test) => make("li", {}, `without ${this.data.features[test.feature]}: ${this.column.exact[test.without]} ` +
      `against ${this.column.exact[test.subset]}, ${test.dropped ? "dropped" : "kept"}`));
    this.trace = make("div", {}, make(`h${this.data.level + 1}`, {}, `Backward search from ${this.name(start)}`), make("ol", {}, ...said),
      make("p", {}, `ends with ${this.name(end)}`));
    this.walk = [start, ...tests.filter((test) => test.dropped).map((test) => test.without)];
    this.current = end;
    this.refresh();
    this.told.textContent = `Backward search ends with ${this.name(end)}.`;
  }
}

const reversed = (mask, n) => Array.from({ length: n }, (_, i) => (mask >> i & 1 ? 0 : 1)).reduce((a, b) => 2 * a + b, 0);
const shorten = (exact, decimalText) => (exact.length <= 9 ? exact : decimalText);

export const mount = (root, data) => new Lattice(root, data);

// The front end of the widget: the kernel recomputes all criteria when weights are edited.
export default {
  render({ model, el }) {
    const edit = (weights) => { model.set("weights", weights); model.save_changes(); };
    const lattice = new Lattice(el, model.get("data"), edit);
    model.on("change:data", () => {
      lattice.load(model.get("data"));
      lattice.drawControls();
      lattice.drawExtra();
      lattice.refresh();
    });
    return () => el.replaceChildren();
  },
};
