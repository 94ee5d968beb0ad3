// The lattice of feature subsets, to be touched. `mount(root, data)` fills an element; no library, no request.
// Everything that is compared is an integer: see exact.js. What the page cannot compute comes with the data.
import {
  backwardSearch, bayesErrors, decimal, fraction, marginals, markovBlankets, minimalSets, optimalOfSize, ranksOf, size, total, weightsAt,
} from "./exact.js";
import { Editor, brief, claims, classifier, controls, copier, draw, facts, fillCriteria, legend, make, path, spoken } from "./parts.js";

const MOST_EDITED = 128; // cells

export class Lattice {
  constructor(root, data, onEdit = null) {
    Object.assign(this, { root, onEdit, view: "size", criterion: "zero_one", current: null, walk: [], trace: null });
    this.marks = { minimal: true, optimal: false, blankets: false };
    this.family = data.family;
    this.load(data);
    this.given = this.d.weights;
    this.current = this.full;
    this.most = this.n;
    this.build();
  }

  // Data

  // Take data in: the distribution, and a column of values for each criterion.
  load(data) {
    this.data = data;
    this.n = data.features.length;
    this.full = 2 ** this.n - 1;
    this.edited = this.waiting = false;
    this.compute(data.weights.map(BigInt));
    const alone = this.family && !this.onEdit; // a family has many distributions, and the data those of one
    this.columns = [this.columns[0], ...(alone ? [] : data.criteria.slice(1))];
  }

  // Compute what follows from the weights in the page: the Bayes risks.
  compute(weights) {
    const { data } = this;
    const d = this.d = { cards: data.states.map((states) => states.length), classes: data.classes.length, weights };
    this.tables = marginals(d);
    this.known = null;
    const errors = bayesErrors(d, this.tables), whole = total(weights);
    this.columns = [{
      key: "zero_one", name: "Bayes risk", largerIsBetter: false, ranks: ranksOf(errors), errors, whole,
      exact: errors.map((e) => fraction(e, whole)), decimal: errors.map((e) => decimal(e, whole)),
    }];
  }

  get column() { return this.columns.find(({ key }) => key === this.criterion) ?? this.columns[0]; }

  // Ranks with 0 for the best.
  get losses() {
    const { ranks, largerIsBetter } = this.column;
    const most = Math.max(...ranks);
    return largerIsBetter ? ranks.map((rank) => most - rank) : ranks;
  }

  // The Markov blankets that contain no other, found when somebody asks.
  get blankets() {
    if (!this.tables) return [];
    this.known ??= markovBlankets(this.d, this.tables);
    return this.known;
  }

  // Put other weights in the place of those there are: the risks follow here, all else in the kernel where there is one.
  setWeights(weights) {
    const known = this.onEdit && `${weights}` === `${this.data.weights}`; // the kernel has answered this already
    if (known) this.load(this.data);
    else this.compute(weights);
    this.edited = true;
    this.waiting = Boolean(this.onEdit) && !known;
    this.update();
    if (this.onEdit) this.onEdit(weights.map(String));
  }

  // Go to a stop of the family; at an irrational one the values come with the data.
  goTo(place) {
    const stop = this.family.stops[place];
    this.knob.value = place;
    this.knob.setAttribute("aria-valuetext", stop.label);
    if (stop.t !== null) this.setWeights(weightsAt(this.family.coefficients, stop.t));
    else {
      Object.assign(this, { tables: null, columns: [stop.values], edited: true, waiting: false });
      this.update();
    }
    this.said.textContent = stop.label;
    this.told.textContent = `At ${stop.label}: S* is ${spoken(this, minimalSets(this.losses))}.`;
  }

  // Back to the weights that were given, or to those of the slider.
  reset() {
    if (this.family) this.goTo(Number(this.knob.value));
    else if (this.onEdit) this.setWeights(this.given);
    else {
      this.load(this.data);
      this.update();
    }
  }

  // Names

  name(mask) { return `{${this.data.features.filter((_, i) => mask >> i & 1).join(", ")}}`; }

  // What is written in a box: the names, or the numbers of the features where these are too long.
  short(mask) {
    if (mask === 0) return "∅";
    const { features } = this.data;
    const plain = features.every((name) => /^[A-Za-z]\d*$/.test(name));
    const joined = features.filter((_, i) => mask >> i & 1).join(plain ? "" : ", ");
    const longest = { 1: 30, 2: 26, 3: 20, 4: 14, 5: 12 }[this.n] ?? 0;
    if (joined.length <= longest) return joined;
    this.numbered = true;
    return features.flatMap((_, i) => (mask >> i & 1 ? [i + 1] : [])).join(this.n > 5 ? "" : "·");
  }

  // Building

  build() {
    this.numbered = false;
    this.stage = draw("svg", { class: "fst-stage", role: "group", "aria-label": "Lattice of feature subsets" });
    this.told = make("p", { class: "fst-told", "aria-live": "polite" });
    [this.facts, this.path, this.rest] = ["fst-facts", "fst-path", "fst-rest"].map((name) => make("div", { class: name }));
    this.button = make("button", { type: "button", onclick: () => this.search() }, "Backward search from here");
    this.claims = make("div", {}, ...claims(this));
    this.editor = this.d.weights.length <= MOST_EDITED ? new Editor(this) : null;
    const scroll = make("div", { class: "fst-scroll", tabindex: -1 }, this.stage);
    this.root.replaceChildren(make("div", {
      class: "fstheory-lattice", onkeydown: (event) => { if (event.key === "Escape") this.leave(); } },
    make("div", { class: "fst-controls" }, ...controls(this)), this.told,
    make("div", { class: `fst-main${this.n > 5 ? " fst-wide" : ""}` }, scroll,
      make("section", { class: "fst-panel", "aria-label": "The chosen subset" }, this.facts, this.button, this.path, this.rest)),
    make("div", { class: "fst-extra" }, ...(this.editor ? [this.editor.element] : []), ...copier(this), this.claims)));
    this.update();
    scroll.scrollLeft = (scroll.scrollWidth - scroll.clientWidth) / 2; // the middle, where the ends of the lattice are
  }

  // Show other values everywhere; what can hold the focus stays.
  update() {
    this.trace = null;
    fillCriteria(this);
    if (this.editor) this.editor.show();
    this.claims.hidden = this.edited; // they are about the weights that were given
    if (this.said && this.edited) this.said.textContent = "other weights";
    this.refresh();
  }

  // The lattice

  // Where each subset stands: levels from the bottom, each in the order of the masks.
  places() {
    const shown = Array.from({ length: this.full + 1 }, (_, mask) => mask).filter((mask) => size(mask) <= this.most);
    const { losses } = this;
    const level = this.view === "size" ? size : (mask) => losses[mask];
    const heights = [...new Set(shown.map(level))].sort((a, b) => a - b);
    const rows = heights.map((height) => shown.filter((mask) => level(mask) === height)
      .sort((a, b) => size(a) - size(b) || reversed(a, this.n) - reversed(b, this.n)));
    if (this.view === "value") rows.reverse(); // the best on top, as the largest subset is by size
    return this.spread(rows, shown);
  }

  // The coordinates of rows of subsets.
  spread(rows, shown) {
    const wide = this.n > 5, widest = Math.max(...rows.map((row) => row.length));
    const box = wide ? [7 * this.n + 8, 20] : [Math.max(58, ...shown.map((mask) => this.short(mask).length * 7.5 + 14)), 34];
    const [dx, dy] = [box[0] + (wide ? 6 : 18), box[1] + (this.view === "value" ? 26 : 56)];
    const width = Math.max(320, widest * dx + 20), height = rows.length * dy + 10;
    const at = new Map();
    rows.forEach((row, i) => row.forEach((mask, j) => at.set(mask, {
      x: width / 2 + (j - (row.length - 1) / 2) * dx, y: height - dy / 2 - i * dy, row: i, column: j })));
    return { at, rows, box, width, height };
  }

  refresh() {
    if (size(this.current) > this.most) this.current = 0;
    this.layout = this.places();
    const { width, height } = this.layout;
    this.stage.setAttribute("viewBox", `0 0 ${width} ${height}`);
    this.stage.style.minWidth = `${Math.min(width, this.n > 4 ? width : 320)}px`;
    this.stage.style.maxWidth = `${width * 1.25}px`;
    const focused = this.stage.contains(document.activeElement);
    this.edges = this.drawEdges();
    this.stage.replaceChildren(...this.edges.map(({ line }) => line), ...this.drawNodes());
    if (focused) this.focusOn(this.current);
    this.path.replaceChildren(...path(this));
    this.describe(this.current);
  }

  // The edges: solid where both ends have the same value, thick along the path.
  drawEdges() {
    const { at } = this.layout, { ranks } = this.column;
    const steps = new Set(this.walk.slice(1).map((mask, i) => `${mask & this.walk[i]} ${mask | this.walk[i]}`));
    const edges = [];
    for (const [mask, place] of at)
      for (let i = 0; i < this.n; i += 1) {
        const below = mask & ~(1 << i), end = at.get(below);
        if (below === mask || !end) continue;
        const kind = `${ranks[mask] === ranks[below] ? " fst-same" : ""}${steps.has(`${below} ${mask}`) ? " fst-step" : ""}`;
        const line = draw("line", { x1: place.x, y1: place.y, x2: end.x, y2: end.y, class: `fst-edge${kind}` });
        edges.push({ line, mask, below });
      }
    return edges;
  }

  // The subsets, each a button with the marks that it has.
  drawNodes() {
    const { losses, marks } = this;
    const sets = {
      minimal: marks.minimal ? new Set(minimalSets(losses)) : new Set(), optimal: marks.optimal ? optimalOfSize(losses) : new Set(),
      blankets: new Set(marks.blankets ? this.blankets : []),
    };
    return [...this.layout.at].map(([mask, place]) => this.drawNode(mask, place, Object.keys(sets).filter((key) => sets[key].has(mask))));
  }

  drawNode(mask, { x, y }, marks) {
    const current = mask === this.current, [w, h] = this.layout.box;
    const node = draw("g", { class: `fst-node${current ? " fst-current" : ""}`, role: "button", tabindex: current ? 0 : -1,
      "aria-label": this.label(mask, marks), "aria-pressed": `${current}`, "data-mask": mask, transform: `translate(${x} ${y})`,
      onclick: () => this.choose(mask), onkeydown: (event) => this.key(event, mask),
      onpointerenter: () => this.describe(mask), onpointerleave: () => this.describe(this.current) },
    draw("rect", { x: -w / 2, y: -h / 2, width: w, height: h, rx: 5 }));
    if (marks.includes("minimal")) node.append(draw("rect", { class: "fst-ring", x: -w / 2 + 3, y: -h / 2 + 3, width: w - 6, height: h - 6, rx: 3 }));
    if (marks.includes("optimal")) node.append(draw("path", { class: "fst-flag", d: `M ${w / 2 - 9} ${-h / 2} h 9 v 9 z` }));
    if (marks.includes("blankets")) node.append(draw("circle", { class: "fst-dot", cx: -w / 2 + 6, cy: h / 2 - 6, r: 3 }));
    node.append(draw("text", { class: "fst-name", y: this.n > 5 ? 4 : -2 }, this.short(mask)));
    if (this.n <= 5) node.append(" ", draw("text", { class: "fst-value", y: 12 }, this.boxed(mask)));
    return node;
  }

  // The value as it is written in a box.
  boxed(mask) {
    const { exact, decimal: rounded } = this.column;
    return exact[mask].length <= 9 ? exact[mask] : rounded[mask];
  }

  // What a screen reader says of a subset; it begins as what is seen.
  label(mask, marks) {
    const words = { minimal: "minimal-optimal", optimal: "k-optimal", blankets: "Markov blanket" };
    const seen = this.n <= 5 ? `${this.short(mask)} ${this.boxed(mask)}` : this.short(mask);
    return [seen, this.name(mask), this.valued(mask), ...marks.map((key) => words[key])].join(", ");
  }

  valued(mask) { return `${this.column.name} ${brief(this.column.exact[mask], this.column.decimal[mask])}`; }

  // Tell of a subset in the panel, and show the steps from it.
  describe(mask) {
    this.facts.replaceChildren(...facts(this, mask));
    this.rest.replaceChildren(...classifier(this, mask), ...legend(this));
    for (const edge of this.edges) edge.line.classList.toggle("fst-near", edge.mask === mask || edge.below === mask);
  }

  // What people do

  focusOn(mask) {
    const node = this.stage.querySelector(`[data-mask="${mask}"]`);
    if (node) node.focus();
  }

  choose(mask) {
    const last = this.walk[this.walk.length - 1];
    if (last === undefined || size(last ^ mask) !== 1) this.walk = [mask];
    else this.walk.push(mask);
    this.current = mask;
    this.trace = null;
    this.refresh();
    this.focusOn(mask);
    this.told.textContent = `${this.name(mask)}: ${this.valued(mask)}.`;
  }

  // Leave the path.
  leave() {
    Object.assign(this, { walk: [], trace: null });
    this.refresh();
    this.told.textContent = "The path is left.";
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

  // Backward search from here: its tests as a list, and its path in the lattice.
  search() {
    const start = this.current, { end, tests } = backwardSearch(this.losses, start);
    this.trace = { start, end, tests };
    this.walk = [start, ...tests.filter((test) => test.dropped).map((test) => test.without)];
    this.current = end;
    this.refresh();
    this.told.textContent = `Backward search ends with ${this.name(end)}.`;
  }
}

const reversed = (mask, n) => Array.from({ length: n }, (_, i) => (mask >> i & 1 ? 0 : 1)).reduce((a, b) => 2 * a + b, 0);

export const mount = (root, data) => new Lattice(root, data);

// The front end of the widget: the kernel recomputes all criteria when weights are edited.
export default {
  render({ model, el }) {
    const edit = (weights) => { model.set("weights", weights); model.save_changes(); };
    const lattice = new Lattice(el, { ...model.get("data"), family: model.get("family") }, edit);
    const take = () => {
      const data = model.get("data"), asked = model.get("weights");
      if (asked.length && `${asked}` !== `${data.weights}`) return; // an answer that something newer has overtaken
      if (lattice.said && `${lattice.d.weights}` !== `${data.weights}`) lattice.said.textContent = "other weights";
      lattice.load(data);
      lattice.update();
    };
    model.on("change:data", take);
    return () => { model.off("change:data", take); el.replaceChildren(); };
  },
};
