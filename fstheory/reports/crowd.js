// All people as dots, in a group for each state of the chosen subset. A ring marks the people for whom the best guess is wrong.
import { dotsOf, judged, likeliest, placesIn, size, total } from "./exact.js";
import { draw, make } from "./elements.js";
import { calm } from "./motion.js";
import { heads, ratio, row, statesAt, tick } from "./parts.js";
import { joined } from "./words.js";

const MOST_DOTS = 400, MOST_GROUPS = 32, GLIDE = { duration: 1400, easing: "ease-in-out" };
// A class has a shape and a color: thirty pairs.
const SHAPES = [
  "M-3.4 0a3.4 3.4 0 1 0 6.8 0a3.4 3.4 0 1 0-6.8 0", "M-3-3h6v6h-6z", "M0-3.6L3.4 2.6H-3.4z", "M0-4L4 0L0 4L-4 0z",
  "M-1.2-3.6h2.4v2.4h2.4v2.4h-2.4v2.4h-2.4v-2.4h-2.4v-2.4h2.4z", "M0 3.6L3.4-2.6H-3.4z",
];
const COLORS = ["accent", "here", "blanket", "reason", "faint"];

const sign = (y, missed) => draw("svg", {
  class: missed ? "fst-one fst-missed" : "fst-one", viewBox: "-6 -6 12 12", "aria-hidden": "true" },
  draw("circle", { r: 5.2 }), ...(y < 0 ? [] : [draw("path", { d: SHAPES[y % 6], style: `fill: var(--${COLORS[y % 5]})` })]));

export class Crowd {
  constructor(lattice) {
    this.lattice = lattice;
    const { data: { words }, data, unit } = lattice, asDots = lattice.say("asDots", { unit });
    Object.assign(this, { made: new Map(), shown: null });
    this.boxes = data.features.map((name, i) => tick(name, false, () => this.choose(i)));
    [this.about, this.signs, this.sum] = ["fst-note", "fst-signs", "fst-verdict"].map((name) => make("p", { class: name }));
    this.groups = make("ul", { class: "fst-groups" });
    this.table = make("div", { class: "fst-scroll", tabindex: 0, role: "region", "aria-label": words.groupNumbers });
    this.numbers = make("details", { open: true }, make("summary", {}, words.sameAsTable), this.table);
    this.element = make("section", { class: "fst-crowd", "aria-label": asDots },
      make("strong", {}, lattice.say("theDots", { unit })), make("p", { class: "fst-keep" }, ...(data.features.length ? [words.known] : []), ...this.boxes),
      this.about, this.signs, this.groups, this.sum, this.numbers);
  }

  // Know a feature, or no longer.
  choose(i) {
    this.lattice.walkTo(this.lattice.current ^ 1 << i);
    this.boxes[i].firstChild.focus({ preventScroll: true });
  }

  // Show where the number of a subset comes from.
  open(mask) {
    Object.assign(this.lattice, { dots: true, walk: [], trace: null, current: mask });
    this.lattice.showControls();
    this.lattice.refresh();
    this.element.scrollIntoView({ block: "nearest", behavior: calm() ? "auto" : "smooth" });
  }

  // A weight as the page writes numbers, and with the noun that it counts.
  say(weight) {
    const { lattice } = this, whole = total(lattice.d.weights);
    return lattice.numbers === "counts" && `${whole}`.length <= 60 ? `${weight}` : ratio(lattice, weight, whole);
  }

  people(weight) {
    const { numbers, unit } = this.lattice;
    return this.lattice.say(numbers === "counts" ? "people" : "ofPeople", { part: this.say(weight), unit });
  }

  show() {
    const { element, lattice } = this, { current, data, most, tables } = lattice, possible = Boolean(tables) && lattice.seen(current);
    element.hidden = !lattice.dots;
    if (!lattice.dots || !possible) this.shown = null;
    if (!lattice.dots) return;
    this.boxes.forEach(({ firstChild }, i) => {
      firstChild.checked = Boolean(current >> i & 1);
      firstChild.disabled = size(current ^ 1 << i) > most;
    });
    for (const part of [this.signs, this.groups, this.sum, this.numbers]) part.hidden = !possible;
    if (possible) this.regroup(current);
    else this.about.textContent = tables ? lattice.say("hiddenDots", { subset: lattice.name(current) }) : data.words.irrationalDots;
    const missed = make("span", {}, sign(-1, true), data.words.ring);
    this.signs.replaceChildren(...data.classes.map((name, y) => make("span", {}, sign(y), name)), missed);
  }

  // Put the dots into their groups, and let them glide there if another subset is chosen.
  regroup(mask) {
    const { lattice } = this, { d, tables, unit } = lattice, whole = total(d.weights);
    const few = whole <= MOST_DOTS, dots = few ? Number(whole) : MOST_DOTS;
    const from = this.shown !== null && this.shown !== mask && !calm() ? this.places() : new Map();
    this.shown = mask;
    this.about.textContent = !few ? lattice.say("manyDots", { dots: MOST_DOTS, whole: this.whole() })
      : lattice.say(lattice.numbers === "counts" ? "eachDot" : "eachChance", { count: dots, unit, chance: `1/${dots}` });
    const all = judged(d, tables[mask]), crowds = this.crowds(mask, all, dots), rest = all.slice(MOST_GROUPS);
    const groups = all.slice(0, MOST_GROUPS).map((one) => ({ ...one, name: this.named(mask, one.state),
      guess: joined(lattice.data, "or", likeliest(one.row).map((y) => lattice.data.classes[y])), dots: crowds.get(one.state) }));
    if (rest.length) groups.push({
      name: lattice.say("otherGroups", { count: rest.length }), guess: lattice.data.words.oneForEach, dots: rest.flatMap(({ state }) => crowds.get(state)).sort((a, b) => a.missed - b.missed),
      row: rest.reduce((sums, { row: one }) => sums.map((sum, y) => sum + one[y]), rest[0].row.map(() => 0n)),
      sum: total(rest.map(({ sum }) => sum)), wrong: total(rest.map(({ wrong }) => wrong)) });
    this.groups.replaceChildren(...groups.map((one) => this.group(one)));
    const wrong = total(groups.map((one) => one.wrong)), terms = groups.flatMap((one) => (one.wrong ? [this.say(one.wrong)] : []));
    this.sum.textContent = lattice.say("wrongSum", { sum: `${terms.length > 1 ? `${terms.join(" + ")} = ` : ""}${this.say(wrong)}`, whole: this.whole() });
    this.fill(groups, wrong);
    this.glide(from);
  }

  whole() {
    const { lattice } = this, whole = total(lattice.d.weights);
    return lattice.numbers === "counts" ? this.people(whole) : lattice.say("allPeople", lattice);
  }

  named(mask, state) {
    const { data } = this.lattice, kept = data.features.map((_, i) => i).filter((i) => mask >> i & 1);
    return statesAt(data, kept, state).map((label, k) => `${data.features[kept[k]]}=${label}`).join(", ") || this.lattice.say("allPeople", this.lattice);
  }

  // By state of the subset its dots, those of the guess first: each belongs to a cell, so that it stays the same.
  crowds(mask, all, dots) {
    const { d } = this.lattice, places = placesIn(d, mask), guesses = new Map(all.map(({ state, guess }) => [state, guess]));
    const found = new Map(all.map(({ state }) => [state, []]));
    dotsOf(d, dots).forEach((count, cell) => {
      const y = cell % d.classes, state = places[Math.floor(cell / d.classes)];
      for (let k = 0; k < count; k += 1) {
        const key = `${cell} ${k}`, one = this.made.get(key) ?? sign(y);
        this.made.set(key, one);
        one.classList.toggle("fst-missed", y !== guesses.get(state));
        found.get(state).push({ one, y, missed: y !== guesses.get(state) });
      }
    });
    for (const list of found.values()) list.sort((a, b) => a.missed - b.missed || a.y - b.y);
    return found;
  }

  group({ name, sum, guess, wrong, dots }) {
    const wide = `--wide: ${Math.max(1, Math.ceil(Math.sqrt(1.7 * dots.length)))}`;
    return make("li", {}, make("strong", {}, name), make("div", { class: "fst-dots", style: wide, "aria-hidden": "true" }, ...dots.map(({ one }) => one)),
      this.lattice.say("group", { people: this.people(sum), guess, wrong: this.say(wrong) }));
  }

  fill(groups, wrong) {
    const { data: { words }, data, tables } = this.lattice, say = (weights) => weights.map((weight) => this.say(weight));
    const lines = groups.map(({ name, row: weights, guess, wrong: less }) => row(name, ...say(weights), guess, this.say(less)));
    this.table.replaceChildren(make("table", {}, heads([words.groupHead, ...data.classes.map((y) => `${data.target} = ${y}`), words.bestGuess, words.wrong]),
      make("tbody", {}, ...lines), make("tfoot", {}, row(words.sum, ...say(tables[0]), "", this.say(wrong)))));
  }

  // Where the dots stand among the groups.
  places() {
    const { left, top } = this.groups.getBoundingClientRect();
    return new Map([...this.groups.querySelectorAll(".fst-one")].map((one) => {
      const at = one.getBoundingClientRect();
      return [one, [at.left - left, at.top - top]];
    }));
  }

  glide(from) {
    for (const one of from.keys()) one.getAnimations().forEach((move) => move.cancel());
    for (const [one, [x, y]] of from.size ? this.places() : []) {
      const [left, top] = from.get(one) ?? [x, y];
      one.animate([{ transform: `translate(${left - x}px, ${top - y}px)` }, { transform: "none" }], GLIDE);
    }
  }
}
