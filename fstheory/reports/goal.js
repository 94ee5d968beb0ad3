// Goals: questions that are answered by moving people. A goal compares risks; integers decide whether it is reached.
import { make } from "./elements.js";
import { bayesErrors, total } from "./exact.js";
import { menu, ratio } from "./parts.js";
import { joined } from "./words.js";

export const MOST_MOVED = 999; // as many as a code can hold
const RELATIONS = { "<": (a, b) => a < b, "<=": (a, b) => a <= b, "=": (a, b) => a === b, "!=": (a, b) => a !== b, ">=": (a, b) => a >= b, ">": (a, b) => a > b };

export class Goal {
  constructor(lattice) {
    this.lattice = lattice;
    const { words } = lattice.data;
    this.from = menu(words.goalFrom, [], "", () => this.offer());
    this.to = menu(words.goalTo, [], "", () => {});
    this.count = make("input", { type: "number", min: 1, value: 1 });
    this.step = make("output"); // in full: a narrow menu cuts the name of a cell
    this.element = make("form", { class: "fst-keep", oninput: () => this.tell(), onsubmit: (event) => { event.preventDefault(); this.move(); } },
      make("label", {}, `${words.goalMove} `, this.count), this.from, this.to, make("button", { type: "submit" }, words.goalMove),
      make("button", { type: "button", onclick: () => lattice.setWeights(lattice.given) }, words.goalAgain), this.step);
  }

  // What a cell is called, with its weight.
  named(cell) { return `${this.lattice.editor.cells[cell]}: ${this.lattice.d.weights[cell]}`; }

  show(goal) {
    this.element.hidden = !goal;
    if (goal) this.offer();
  }

  // Offer the cells with weight to take from, and all others to move to. What was chosen stays chosen.
  offer() {
    const { weights } = this.lattice.d, [from, to] = [this.from.lastChild, this.to.lastChild], cells = weights.map((_, cell) => cell);
    const fill = (select, kept) => {
      const held = select.value, first = kept.some((cell) => `${cell}` === held) ? held : `${kept[0]}`;
      select.replaceChildren(...kept.map((cell) => make("option", { value: cell, selected: `${cell}` === first }, this.named(cell))));
    };
    fill(from, cells.filter((cell) => weights[cell]));
    fill(to, cells.filter((cell) => `${cell}` !== from.value));
    this.count.max = weights[from.value];
    this.tell();
  }

  tell() {
    const [from, to] = [this.from, this.to].map((label) => this.named(label.lastChild.value));
    this.step.textContent = this.lattice.say("goalStep", { count: this.count.value, from, to });
  }

  move() {
    const { lattice } = this, [from, to] = [this.from, this.to].map((label) => Number(label.lastChild.value));
    lattice.setWeights(this.moved(lattice.d.weights, [[from, to, this.count.value]]));
  }

  moved(weights, moves) {
    const found = [...weights];
    for (const [from, to, count] of moves) { found[from] -= BigInt(count); found[to] += BigInt(count); }
    return found;
  }

  // The weights of a solution, where one is known.
  solved({ moves }) { return this.moved(this.lattice.given, moves); }

  // How many are moved, whether nobody was added or lost, and whether the goal is reached.
  state({ comparisons }) {
    const { d, given, tables } = this.lattice, [errors, whole] = bayesErrors(d, tables);
    const moved = total(d.weights.map((weight, cell) => (weight > given[cell] ? weight - given[cell] : 0n)));
    const side = (one) => {
      const [above, below = 1n] = typeof one === "number" ? [errors[one], whole] : one.split("/").map(BigInt);
      return { above, below };
    };
    const holds = ([left, sign, right]) => {
      const [a, b] = [side(left), side(right)];
      return RELATIONS[sign](a.above * b.below, b.above * a.below);
    };
    const kept = whole === total(given), masks = [...new Set(comparisons.flat().filter((one) => typeof one === "number"))];
    const values = masks.map((mask) =>
      this.lattice.say("goalRisk", { subset: this.lattice.name(mask), value: ratio(this.lattice, errors[mask], whole) }));
    return { moved, kept, whole, values, reached: kept && moved <= MOST_MOVED && comparisons.every(holds) };
  }

  counted(moved) { return this.lattice.say("goalMoved", { moved, whole: total(this.lattice.given), unit: this.lattice.unit }); }

  // Where the class is with a goal.
  told(goal) {
    const { lattice } = this, { moved, kept, whole, values, reached } = this.state(goal), { data, unit, given } = lattice;
    if (!kept) return lattice.say("goalLost", { whole, unit, given: total(given) });
    return [`${this.counted(moved)}.`, lattice.say("goalNow", { values: joined(data, "and", values) }),
      reached ? data.words.goalReached : data.words.goalOpen].join(" ");
  }

  // What is the case after an answer.
  judged({ goal, right, wrong }, said, is) {
    const { lattice } = this, { data } = lattice, { fewest, moves, proved } = goal, { cells } = lattice.editor;
    const least = fewest && lattice.say(proved ? "goalLeast" : "goalSaid", { fewest });
    const ways = moves.map(([from, to, count]) => lattice.say("goalStep", { count, from: cells[from], to: cells[to] }));
    const way = ways.length && lattice.say("goalWay", { ways: joined(data, "and", ways) }), names = this.counted(said.replace(/\D/g, ""));
    const told = said === "shown" ? [way, least]
      : is ? [lattice.say(said.startsWith("~") ? "rightSecond" : "rightFirst", { names }), least]
        : [lattice.say("goalLong", { names }), least, way];
    return [...told, (is === false && wrong) || right].filter(Boolean).join(" ");
  }
}
