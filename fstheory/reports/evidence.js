// Evidence: states that are known of some features. The weights of all other states become 0, and all numbers follow.
import { draw, make } from "./elements.js";
import { minimalSets, placesIn, rowsOf, total } from "./exact.js";
import { ratio, spoken } from "./parts.js";
import { joined, say } from "./words.js";

export class Evidence {
  constructor(lattice) {
    this.lattice = lattice;
    this.known = new Map(); // from a feature to its state
    const { data } = lattice, { words } = data;
    this.buttons = data.states.map((states, i) => states.map((label, x) =>
      make("button", { type: "button", onclick: () => this.click(i, x) }, label)));
    const rows = data.features.map((name, i) => make("p", { class: "fst-keep", role: "group", "aria-label": name },
      make("span", {}, name), ...this.buttons[i]));
    this.told = make("p", { "aria-live": "polite" });
    this.element = make("details", { class: "fst-evidence fst-draws", open: true }, make("summary", {}, words.evidence),
      ...(data.evidence.arcs ? [this.graph(data, rows)] : rows), this.told);
  }

  // The graph of a network: a node has the buttons of its states, if it is a feature.
  graph({ evidence: { arcs, layers }, features, target, words }, rows) {
    const at = (name) => rows[features.indexOf(name)] ?? make("p", { class: name === target ? "fst-own" : "" }, make("span", {}, name));
    const nodes = new Map(layers.flat().map((name) => [name, at(name)]));
    const said = arcs.map((arc) => arc.join(" → ")).join(", ");
    const picture = draw("svg", { role: "img", "aria-label": say({ words }, "arcs", { arcs: said }) });
    const element = make("div", { class: "fst-network" }, picture,
      ...layers.map((names) => make("div", {}, ...names.map((name) => nodes.get(name)))));
    const arrow = (one, other) => {
      const [x, y, u, v] = [one, other].flatMap((node, i) =>
        [node.offsetLeft + node.offsetWidth / 2, node.offsetTop + (i ? 0 : node.offsetHeight)]);
      return draw("path", { class: "fst-arc", d: `M ${x} ${y} L ${u} ${v} m -4 -7 l 4 7 l 4 -7` });
    };
    new ResizeObserver(() => picture.replaceChildren(...arcs.map((arc) => arrow(...arc.map((name) => nodes.get(name)))))).observe(element);
    return element;
  }

  // The weights without those that the evidence rules out.
  without(known) {
    const { d } = this.lattice, digits = [...known].map(([i, x]) => [placesIn(d, 1 << i), x]);
    return rowsOf(this.base, d.classes).flatMap((row, state) => (digits.every(([places, x]) => places[state] === x) ? row : row.map(() => 0n)));
  }

  // With one more piece of evidence, or without it if it is known.
  changed(i, x) {
    const known = new Map(this.known);
    if (known.get(i) === x) known.delete(i);
    else known.set(i, x);
    return known;
  }

  click(i, x) { this.take(this.changed(i, x)); }

  take(known) {
    this.known = known;
    this.shown = known.size ? this.without(known) : this.base;
    this.lattice.setWeights(this.shown);
  }

  // If other weights are shown, no evidence is known.
  show() {
    const { lattice } = this, { data, d, full } = lattice, { words } = data;
    if (d.weights !== this.shown) Object.assign(this, { known: new Map(), base: d.weights, shown: d.weights });
    this.element.hidden = !lattice.allSeen || !lattice.tables;
    if (this.element.hidden) return;
    this.buttons.forEach((states, i) => states.forEach((button, x) => {
      const is = this.known.get(i) === x;
      button.setAttribute("aria-pressed", `${is}`);
      button.disabled = !is && !total(this.without(this.changed(i, x)));
    }));
    const named = [...this.known].map(([i, x]) => `${data.features[i]} = ${data.states[i][x]}`);
    const chance = ratio(lattice, total(d.weights), total(this.base)), [risks] = lattice.columns;
    this.told.textContent = [named.length ? lattice.say("evidenceIs", { states: joined(data, "and", named), chance }) : words.evidenceNone,
      lattice.say("evidenceBest", { subsets: spoken(lattice, minimalSets(risks.ranks)), all: ratio(lattice, risks.errors[full], risks.whole) }),
      lattice.say("evidenceBoundary", { subsets: spoken(lattice, lattice.blankets) })].join(" ");
  }

  // The state as a text, and back; null if the text is none of this lattice.
  get text() { return [...this.known].map((one) => one.join(".")).join(","); }

  read(text) {
    const { cards } = this.lattice.d, pairs = text.split(",").map((one) => (/^\d\.\d{1,4}$/.test(one) ? one.split(".").map(Number) : [-1, 0]));
    const known = new Map(pairs);
    return known.size === pairs.length && pairs.every(([i, x]) => x < cards[i]) && total(this.without(known)) ? known : null;
  }
}
