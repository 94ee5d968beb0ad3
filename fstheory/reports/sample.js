// Samples that are drawn in the page: the subset that backward search keeps on each, and how often, beside the exact law.
import { decimal, minimalSets, placesIn, size, total } from "./exact.js";
import { make } from "./elements.js";
import { calm } from "./motion.js";
import { heads, menu, rounded, row, statesAt, tick } from "./parts.js";
import { joined, pointed } from "./words.js";

const MOST_DRAWN = 5000, MOST_KEPT = 16, AT_ONCE = 5, PAUSE = 40; // samples, rows of the table, samples a step, milliseconds

// A source of integers below a bound, all equally likely: bits of the generator sfc32, drawn again if they are not below.
export function seeded(seed) {
  let [a, b, c, count] = [seed, 0x9e3779b9, 0x243f6a88, 1];
  const next = () => {
    const sum = a + b + count | 0;
    [a, b, c, count] = [b ^ b >>> 9, c + (c << 3) | 0, (c << 21 | c >>> 11) + sum | 0, count + 1 | 0];
    return BigInt(sum >>> 0);
  };
  for (let i = 0; i < 20; i += 1) next();
  return (bound) => {
    const { length } = (bound - 1n).toString(2);
    for (;;) {
      let bits = 0n;
      for (let k = 0; k < length; k += 32) bits = bits << 32n | next();
      const found = BigInt.asUintN(length, bits);
      if (found < bound) return found;
    }
  };
}

// The cells of m rows that are drawn from a distribution, one after another.
export function drawnCells({ weights }, m, below) {
  let sum = 0n;
  const ends = weights.map((weight) => (sum += weight));
  return Array.from({ length: m }, () => {
    const place = below(sum);
    let [low, high] = [0, ends.length - 1];
    while (low < high) {
      const middle = low + high >> 1;
      if (ends[middle] > place) high = middle;
      else low = middle + 1;
    }
    return low;
  });
}

// Backward search on a sample that is given by its cells: it drops the first feature that costs at most so many more wrong
// rows, until there is none. `places` has by mask the places of all states in the marginal of the subset.
export function keptOn({ cards, classes }, cells, allowed, places) {
  const wrong = (mask) => {
    const counts = new Map();
    for (const cell of cells) {
      const place = places(mask)[Math.floor(cell / classes)], found = counts.get(place) ?? Array(classes).fill(0);
      found[cell % classes] += 1;
      counts.set(place, found);
    }
    return [...counts.values()].reduce((left, found) => left - Math.max(...found), cells.length);
  };
  for (let mask = 2 ** cards.length - 1; ;) {
    const errors = wrong(mask), i = cards.findIndex((_, k) => mask >> k & 1 && wrong(mask ^ 1 << k) <= errors + allowed);
    if (i < 0) return { mask, errors };
    mask ^= 1 << i;
  }
}

export class Sampler {
  constructor(lattice) {
    this.lattice = lattice;
    const { words } = lattice.data, button = (text, onclick) => make("button", { type: "button", onclick }, text);
    this.sizes = menu(words.sampleRows, lattice.data.samples.map(({ m }) => [m, m]), 0, (m) => this.restart({ m: Number(m) }));
    this.seed = make("label", {}, `${words.seed} `, make("input", { inputmode: "numeric", size: 6, onchange: (event) => this.reseed(event.target.value) }));
    [this.one, this.many] = [button("", () => this.draw(1)), button(words.draw100, () => this.draw(100))];
    this.again = button(words.resetSamples, () => this.restart({ seed: lattice.draws.seed % 999_999 + 1 }));
    [this.rule, this.from] = [0, 1].map(() => make("p", { class: "fst-note" }));
    this.last = make("p", { class: "fst-verdict", "aria-live": "polite" });
    this.sum = make("p", {});
    this.rows = make("details", { class: "fst-screen" }, make("summary", {}, words.thisSample), make("div", { class: "fst-scroll" }));
    this.table = make("div", { class: "fst-scroll", tabindex: 0, role: "region", "aria-label": words.howOften });
    this.element = make("section", { class: "fst-draws", "aria-label": words.samples }, make("strong", {}, words.samples),
      make("p", { class: "fst-keep" }, this.sizes, this.again), make("p", { class: "fst-keep" }, this.one, this.many),
      this.last, this.sum, this.table, this.rows, this.rule, this.from, make("p", { class: "fst-keep" }, this.seed));
  }

  get tick() {
    return tick(this.lattice.data.words.drawSamples, false, (on) => {
      Object.assign(this.lattice, { draws: on ? { m: this.lattice.data.samples[0].m, seed: 1, count: 0 } : null, person: null });
      this.lattice.showControls();
      this.lattice.refresh();
    });
  }

  get told() { return this.lattice.data.samples.find(({ m }) => m === this.lattice.draws.m); }

  // The state as text, and back.
  get text() { const { draws } = this.lattice; return draws ? `${draws.m},${draws.seed},${draws.count}` : ""; }

  read(text) {
    const [m, seed, count] = /^\d{1,4},[1-9]\d{0,5},\d{1,4}$/.test(text) ? text.split(",").map(Number) : [];
    return this.lattice.data.samples.some((one) => one.m === m) && count <= MOST_DRAWN ? { m, seed, count } : null;
  }

  restart(changes) {
    this.left = 0;
    Object.assign(this.lattice.draws, changes, { count: 0 });
    this.lattice.refresh();
  }

  reseed(text) {
    if (/^[1-9]\d{0,5}$/.test(text)) this.restart({ seed: Number(text) });
    else this.lattice.refresh();
  }

  // Draw so many samples, a few at a time, so that the bars are seen to grow.
  draw(count) {
    const waiting = this.left > 0;
    this.left = Math.min((this.left ?? 0) + count, MOST_DRAWN - this.lattice.draws.count);
    if (!waiting) this.step();
  }

  step() {
    const { lattice } = this, { draws } = lattice, now = calm() ? this.left : Math.min(this.left, AT_ONCE);
    if (!draws || !now) return;
    draws.count += now;
    this.left -= now;
    this.follow();
    Object.assign(lattice, { current: this.found.mask, walk: [], trace: null });
    lattice.refresh();
    if (this.left) setTimeout(() => this.step(), PAUSE);
  }

  // Draw as many samples as the state says: from the start if it says fewer, or if anything but their number is new.
  follow() {
    const { lattice } = this, { d, draws } = lattice, { m, allowed } = this.told, key = `${m} ${draws.seed}`;
    if (this.key !== key || this.weights !== d.weights || this.drawn > draws.count) {
      const known = new Map(), places = (mask) => known.get(mask) ?? known.set(mask, placesIn(d, mask)).get(mask);
      Object.assign(this, { key, weights: d.weights, below: seeded(draws.seed), places, drawn: 0, times: new Map(), found: null });
    }
    for (; this.drawn < draws.count; this.drawn += 1) {
      const cells = drawnCells(d, m, this.below);
      this.found = { cells, ...keptOn(d, cells, allowed, this.places) };
      this.times.set(this.found.mask, (this.times.get(this.found.mask) ?? 0) + 1);
    }
  }

  // Showing it

  show() {
    const { element, lattice } = this, { draws } = lattice;
    element.hidden = !draws || !lattice.allSeen;
    if (element.hidden) { this.left = 0; return; }
    this.follow();
    const { found, told } = this, { m, allowed } = told, { count, seed } = draws;
    [this.sizes.lastChild.value, this.seed.lastChild.value, this.one.textContent] = [m, seed, lattice.say("drawRows", { count: m })];
    this.one.disabled = this.many.disabled = count >= MOST_DRAWN;
    for (const part of [this.last, this.rows, this.sum, this.table]) part.hidden = !found;
    this.rule.textContent = `${lattice.say("seesRows", { count: m })} ${lattice.say(allowed ? "dropsSome" : "drops", { allowed })}`;
    const law = `${lattice.d.weights}` === `${lattice.given}` ? told.law : null;
    this.from.textContent = `${lattice.say("bars", { seed })} ${lattice.say(law ? "lawLines" : told.law ? "lawGiven" : "lawLong", { count: m })}`;
    if (!found) return;
    this.last.textContent = lattice.say("sampleKeeps", {
      number: count, subset: lattice.name(found.mask), wrong: found.errors, count: m });
    this.rows.lastChild.replaceChildren(this.sample(found.cells));
    const best = minimalSets(lattice.columns.find(({ key }) => key === "zero_one").ranks);
    this.sum.replaceChildren(...this.verdict(best, law && told.success));
    this.table.replaceChildren(this.histogram(best, law));
  }

  number([exact, near], most = 60) {
    return pointed(this.lattice.data, this.lattice.numbers === "fractions" && exact.length <= most ? exact : rounded(exact, near));
  }

  share(times) { return pointed(this.lattice.data, decimal(BigInt(times), BigInt(this.drawn), 3)); }

  verdict(best, success) {
    const { lattice, drawn } = this, times = best.reduce((sum, mask) => sum + (this.times.get(mask) ?? 0), 0);
    const subsets = joined(lattice.data, "or", best.map((mask) => lattice.name(mask)));
    return [lattice.say("keptIn", { subsets, times, count: drawn }), ...(success ? [` ${lattice.say("exactChance", { chance: this.number(success) })}`] : [])];
  }

  // A row for each subset: those of the law first, in its order, or else those that were kept most often.
  histogram(best, law) {
    const { lattice, times } = this, { words } = lattice.data, chances = new Map((law ?? []).map(([mask, ...chance]) => [mask, chance]));
    const often = [...times].sort((a, b) => b[1] - a[1] || a[0] - b[0]).map(([mask]) => mask);
    const masks = [...new Set([...chances.keys(), ...often, ...best])], shown = masks.slice(0, MOST_KEPT);
    const lines = shown.map((mask) => {
      const count = times.get(mask) ?? 0, chance = chances.get(mask) ?? ["0", "0"], part = 100 * count / this.drawn;
      const line = row(`${lattice.name(mask)}${best.includes(mask) ? ", S*" : ""}`, count, this.share(count), ...(law ? [this.number(chance, 12)] : []));
      line.firstChild.append(make("div", { class: law ? "fst-bar fst-lawful" : "fst-bar", style: `--part: ${part}%; --law: ${100 * chance[1]}%` }));
      if (mask === this.found.mask) line.setAttribute("aria-current", "true");
      return line;
    });
    const rest = masks.slice(MOST_KEPT).reduce((sum, mask) => sum + (times.get(mask) ?? 0), 0);
    if (masks.length > MOST_KEPT) lines.push(row(lattice.say("otherSubsets", { count: masks.length - MOST_KEPT }), rest, this.share(rest), ...(law ? [""] : [])));
    return make("table", {}, heads([words.kept, words.samplesHead, words.share, ...(law ? [words.exactLaw] : [])]), make("tbody", {}, ...lines));
  }

  // The rows of a sample, equal ones together.
  sample(cells) {
    const { data, d } = this.lattice, counts = new Map(), all = data.features.map((_, i) => i);
    for (const cell of [...cells].sort((a, b) => a - b)) counts.set(cell, (counts.get(cell) ?? 0) + 1);
    const lines = [...counts].map(([cell, times]) => make("tr", {}, ...[
      ...statesAt(data, all, Math.floor(cell / d.classes)), data.classes[cell % d.classes], times].map((text) => make("td", {}, text))));
    return make("table", {}, heads([...data.features, data.target, data.words.rowsHead]), make("tbody", {}, ...lines));
  }
}
