// The parts of the page around the lattice: controls, the panel of a subset, the weights. Each is made from a Lattice.
import { both, decimal, fraction, largest, rowsOf, size, total } from "./exact.js";
import { make } from "./elements.js";
import { letters } from "./layout.js";
import { instead } from "./picture.js";
import { fragmentOf, pictureOf, stateOf } from "./state.js";
import { counts, term } from "./story.js";
import { isolated, joined, pieces, pointed, say } from "./words.js";

// An exact text while that is short, else the decimal; a long fraction has both: for labels that are read aloud, and lists.
export const brief = (exact, near) => (exact.length > 60 ? `≈${near}` : /^-?[\d/]{10,}$/.test(exact) ? both(exact, near) : exact);
// A decimal, with the sign if it is rounded.
export const rounded = (exact, near) => (/≈/.test(both(exact, near)) ? `≈${near}` : near);
export const heads = (texts) => make("thead", {}, make("tr", {}, ...texts.map((text) => make("th", { scope: "col" }, text))));
export const row = (head, ...cells) => make("tr", {},
  make("th", { scope: "row", class: letters(head) < 14 ? "fst-short" : letters(head) < 24 && "fst-line" }, head),
  ...cells.map((cell) => make("td", {}, cell)));

// Controls

export function menu(label, options, value, set) {
  const items = options.map(([key, text]) => make("option", { value: key, selected: `${key}` === `${value}` }, text));
  return make("label", {}, `${label} `, make("select", { onchange: (event) => set(event.target.value) }, ...items));
}

export function tick(label, checked, set) {
  return make("label", {}, make("input", { type: "checkbox", checked, onchange: (event) => set(event.target.checked) }), ` ${label}`);
}

// What stands above the lattice, made once; the menu of criteria follows the data, see `fillCriteria`.
export function controls(lattice) {
  const chosen = (label) => label.lastChild;
  const set = (key) => (value) => { lattice[key] = value; lattice.refresh(); };
  const mark = (key) => (value) => { lattice.marks[key] = value; lattice.refresh(); };
  const { words } = lattice.data, sizes = Array.from({ length: lattice.n + 1 }, (_, k) => [k, lattice.say("features", { count: k })]);
  lattice.criteria = menu(words.criterion, [], "", (key) => lattice.choose(key));
  const view = menu(words.latticeBy, [["size", words.bySize], ["value", words.byValue]], lattice.view, set("view"));
  const upTo = menu(words.upTo, sizes, lattice.most, (most) => set("most")(Number(most)));
  const names = { minimal: words.markMinimal, optimal: words.markOptimal, blankets: words.markBlankets };
  const ticks = Object.entries(names).map(([key, name]) => [key, tick(name, lattice.marks[key], mark(key))]);
  const asks = tick(words.lessonMode, Boolean(lattice.ask), (on) => {
    lattice.ask = on ? { at: 0, said: [] } : null;
    Object.assign(lattice, { current: lattice.full, walk: [], trace: null, person: null });
    lattice.showControls();
    lattice.refresh();
  });
  lattice.numbersMenu = menu(words.numbersAs, [], "", set("numbers"));
  const large = tick(words.largeType, false, (on) => { lattice.setLarge(on); lattice.refresh(); });
  const one = tick(words.questionsTick, false, (on) => lattice.asker.toggle(on));
  const dots = tick(lattice.say("asDots", { unit: lattice.unit }), false, set("dots"));
  const draws = lattice.sampler ? [lattice.sampler.tick] : [];
  lattice.later = [one, ...draws, view, upTo, ...ticks.map(([, box]) => box)]; // after the lesson: they are named by terms of the theory
  lattice.showControls = () => {
    chosen(view).value = lattice.view;
    chosen(upTo).value = lattice.most;
    large.firstChild.checked = lattice.large;
    asks.firstChild.checked = Boolean(lattice.ask);
    one.firstChild.checked = Boolean(lattice.person);
    dots.firstChild.checked = lattice.dots;
    for (const box of draws) box.firstChild.checked = Boolean(lattice.draws);
    for (const [key, box] of ticks) box.firstChild.checked = lattice.marks[key];
  };
  return [lattice.criteria, view, upTo, lattice.numbersMenu, ...ticks.map(([, box]) => box), dots, one, ...draws, asks, large];
}

// Offer to write numbers as fractions, decimals, or counts where the criterion counts.
export function fillNumbers(lattice) {
  const kinds = [...["fractions", "decimals"].map((key) => [key, lattice.data.words[key]]), ["counts", lattice.unit]];
  lattice.numbersMenu.lastChild.replaceChildren(...kinds.map(([key, text]) => make("option", {
    value: key, selected: key === lattice.numbers, disabled: key === "counts" && !counts(lattice) }, text)));
}

// Offer the criteria; of those without values for the weights that are shown say why.
export function fillCriteria(lattice) {
  const { criteria, menu, waiting } = lattice;
  criteria.hidden = menu.length < 2 || !lattice.allSeen;
  if (waiting) return; // the kernel will answer
  criteria.lastChild.replaceChildren(...menu.map(({ key, name }) => {
    const why = lattice.whyNot(key);
    const text = why ? `${name}: ${why}` : name;
    const elsewhere = Boolean(lattice.slider) && lattice.lost(key).length > 0; // it is defined where the slider can go
    return make("option", { value: key, selected: key === lattice.criterion, disabled: Boolean(why) && !elsewhere }, text);
  }));
}

// The panel of a subset

// Its name and value, and what each neighbor gains or loses.
export function facts(lattice, mask) {
  const { column, data } = lattice, why = instead(lattice);
  const go = (i) => make("button", {
    type: "button", class: "fst-go", "data-feature": i, disabled: size(mask ^ 1 << i) > lattice.most,
    onclick: () => lattice.stepTo(mask ^ 1 << i, i) }, lattice.say(mask >> i & 1 ? "without" : "with", { feature: data.features[i] }));
  const order = data.features.map((_, i) => i).sort((i, j) => (mask >> i & 1) - (mask >> j & 1) || i - j);
  const rows = order.map((i) => make("tr", {}, make("th", { scope: "row" }, go(i)), make("td", {}, change(lattice, mask, i))));
  return [
    make(`h${data.level}`, {}, isolated(data, lattice.name(mask))),
    ...(why ? [make("p", { class: "fst-note" }, why)] : []),
    make("p", {}, `${column.name}: `, ...value(lattice, mask)),
    make("table", {}, make("caption", {}, data.words.neighbors), make("tbody", {}, ...rows)),
  ];
}

// A value, the decimal first where the exact number is long.
function value({ column, data, values }, mask) {
  const exact = column.exact[mask], near = column.decimal[mask];
  if (exact.length <= 120) return [make("b", {}, isolated(data, both(exact, near, values.exact[mask])))];
  return pieces(data, "nearly", { near: make("b", {}, `≈${near}`), exact: make("small", {}, exact) });
}

// What is gained or lost by the step from a subset to the one with, or without, a feature.
function change(lattice, mask, i) {
  const { column } = lattice, other = mask ^ 1 << i;
  if (!lattice.seen(mask) || !lattice.seen(other)) return "?";
  if (column.ranks[other] === column.ranks[mask]) return lattice.data.words.same;
  const gains = (column.ranks[other] > column.ranks[mask]) === column.largerIsBetter;
  return lattice.say(gains ? "gains" : "loses", { gap: pointed(lattice.data, difference(lattice, Math.max(mask, other), i)) });
}

// The distance between the values of a subset and of the subset without a feature of it.
function difference(lattice, mask, i) {
  const { changes, errors, numbers, ranks, whole } = lattice.column, decimals = lattice.numbers === "decimals";
  if (changes) return decimals ? changes[mask][i].replace(/^.* (?:= |(?=≈ ))/, "").replace("≈ ", "≈") : changes[mask][i];
  const other = mask ^ 1 << i, [low, high] = ranks[mask] < ranks[other] ? [mask, other] : [other, mask];
  const gap = errors[high] - errors[low], [exact, near] = [numbers.exact(gap, whole), numbers.decimal(gap, whole)];
  if (lattice.counting) return both(lattice.say("of", { part: gap, whole }), near, fraction(gap, whole));
  return decimals ? rounded(exact, near) : exact.length <= 40 ? both(exact, near) : `≈${near}`;
}

// The path that was walked, backward search, and its trace: a hover over another subset leaves them alone.
export function path(lattice) {
  const { column, data: { words }, walk, trace } = lattice;
  const steps = walk.map((mask) => `${lattice.name(mask)} ${brief(column.exact[mask], column.decimal[mask])}`).join(" → ");
  return [
    walk.length > 1 ? make("p", {}, lattice.say("path", { steps })) : make("p", { class: "fst-screen" }, words.walkPath),
    ...(trace ? [traced(lattice, trace)] : []),
  ];
}

// The steps that led along a path, as a list.
function traced({ data }, { title, steps, result }) {
  const lines = steps.map((step) => make("li", {}, step));
  return make("div", {}, make(`h${data.level + 1}`, {}, title), make("ol", {}, ...lines), make("p", {}, result));
}

const valueOf = ({ column }, mask) => brief(column.exact[mask], column.decimal[mask]);

// A test of backward search in words.
export const tested = (lattice, { subset, feature, without, dropped }) =>
  lattice.say(dropped ? "testDropped" : "testKept", {
    feature: lattice.data.features[feature], value: valueOf(lattice, without), old: valueOf(lattice, subset) });

// A feature that is added by its importance, in words.
export const added = (lattice, { feature, subset, best }) =>
  lattice.say(best === subset ? "addedBest" : "addedWorse", { feature: lattice.data.features[feature],
    value: valueOf(lattice, subset), best: lattice.name(best), other: valueOf(lattice, best) });

// The Shapley value of each feature under the criterion that is shown, as bars: shares of what all features gain.
export function worth(lattice) {
  const { column, data, numbers } = lattice, { exact, decimal: near, parts } = column.worth;
  const bar = (i) => make("div", { class: "fst-bar", style: `--part: ${parts[i] / 10}%` });
  const rows = data.features.map((name, i) => make("tr", {}, make("th", { scope: "row" }, name),
    make("td", { class: "fst-bars" }, bar(i)), make("td", {}, pointed(data, numbers === "decimals" ? rounded(exact[i], near[i]) : brief(both(exact[i], near[i]), near[i])))));
  return rows.length ? [make("table", {}, make("caption", {}, ...pieces(data, "importance", { term: term(lattice, "shapley") })), make("tbody", {}, ...rows))] : [];
}

// A share as it is chosen to be written: a fraction, a decimal or counts.
export function ratio({ data, numbers }, part, whole) {
  const near = decimal(part, whole), exact = fraction(part, whole);
  return pointed(data, brief({ counts: say(data, "of", { part, whole }), decimals: rounded(exact, near) }[numbers] ?? exact, near));
}

// The Bayes classifier over a subset, state by state.
export function classifier(lattice, mask) {
  const { data, d, tables } = lattice;
  const { words } = data;
  if (!tables) return [make("p", {}, words.irrationalClassifiers)];
  if (!lattice.seen(mask)) return [];
  const kept = data.features.map((_, i) => i).filter((i) => mask >> i & 1);
  const all = [...rowsOf(tables[mask], d.classes).entries()], never = all.filter(([, weights]) => !total(weights)).length;
  if (all.length > 16) all.sort(([, a], [, b]) => Number(!total(a)) - Number(!total(b))); // states that occur come first
  const lines = all.slice(0, 16).map(([state, weights]) => {
    const most = largest(weights), sum = total(weights);
    const says = joined(data, "or", data.classes.filter((_, y) => weights[y] === most));
    const name = statesAt(data, kept, state).join(", ") || words.always;
    if (sum === 0n) return row(name, words.neverOccurs, "");
    const line = row(name, says, ratio(lattice, most, sum));
    return lattice.person && lattice.allSeen ? lattice.asker.mark(line, mask, state) : line;
  });
  const probability = make("span", {}, ...pieces(data, "guessChance", { term: term(lattice, "posterior") }));
  const names = [kept.map((i) => data.features[i]).join(", ") || words.state, say(data, "bestGuessOf", { target: data.target }), probability];
  const more = all.length > 16 ? [make("p", {}, lattice.say(never ? "moreNever" : "moreStates", { count: all.length - 16, never }))] : [];
  return [make("table", {}, make("caption", {}, words.classifier), heads(names), make("tbody", {}, ...lines)), ...more];
}

// The labels of a state of some features, which is given by its place, the last feature running fastest.
export function statesAt(data, kept, place) {
  const found = [];
  for (const i of [...kept].reverse()) {
    const labels = data.states[i];
    found.unshift(labels[place % labels.length]);
    place = Math.floor(place / labels.length);
  }
  return found;
}

// Below the lattice

const GREEK = { alpha: "α", delta: "δ", epsilon: "ε", lambda: "λ", nu: "ν", sigma: "σ", tau: "τ", tau1: "τ1", tau2: "τ2" };
const SIGNS = { "<=": "≤", ">=": "≥", "||": "∥", "**": "^", " - ": " − ", " * ": " · ", "sqrt(": "√(" };
const SYMBOL = new RegExp(`(?<![\\p{L}\\d'-])(${Object.keys(GREEK).join("|")}|[STU]{2,3}|(?!a\\b|(?<=^|[.:] )A )\\p{L}\\d?)(?![\\p{L}\\d'])` +
  "(?:_(\\w+|\\{[^}]*\\}))?(?:\\^([\\w*+-]+))?", "gu");

// Words with their formulas typeset: italic letters, indices, powers and signs.
export function typeset(words) {
  const text = words.replace(/<=|>=|\|\||\*\*| - | \* |sqrt\(/g, (sign) => SIGNS[sign]), parts = [];
  let last = 0;
  for (const { 0: whole, 1: name, 2: index, 3: power, index: at } of text.matchAll(SYMBOL)) {
    const [, letter, digit] = /^(\D+)(\d?)$/.exec(GREEK[name] ?? name), below = index?.replace(/[{}]/g, "") ?? digit;
    parts.push(text.slice(last, at), make("i", {}, letter));
    if (below) parts.push(make("sub", {}, below));
    if (power) parts.push(make("sup", {}, power));
    last = at + whole.length;
  }
  return [...parts, text.slice(last)];
}

// What is known to hold, in words: first what is about the criterion that is shown.
export function claims({ criterion, data }) {
  const item = ({ id, place, words }) => make("li", {}, ...typeset(words), " ", make("small", {}, `${id}: ${place}`));
  const section = ([title, verdict, here]) => {
    const found = (data.claims ?? []).filter((claim) => claim.verdict === verdict &&
      (here === undefined || claim.about.includes(criterion) === here));
    return found.length ? [make("details", {}, make("summary", {}, `${title} (${found.length})`), make("ul", {}, ...found.map(item)))] : [];
  };
  const { words } = data, [holds, refuted] = ["holds", "is refuted here"];
  return [[words.holds, holds, true], [words.refuted, refuted, true], [words.elseHolds, holds, false],
    [words.elseRefuted, refuted, false], [words.notChecked, "takes long to check"]].flatMap(section);
}

// The weights as a table of boxes, which are read when they are applied.
export class Editor {
  constructor(lattice) {
    this.lattice = lattice;
    const { data, d } = lattice;
    const everything = data.features.map((_, i) => i);
    this.cells = rowsOf(d.weights, d.classes).flatMap((_, state) => data.classes.map((y) => [
      ...statesAt(data, everything, state).map((x, i) => `${data.features[i]} = ${x}`), `${data.target} = ${y}`].join(", ")));
    this.inputs = this.cells.map((name) => make("input", { inputmode: "numeric", size: 6, "aria-label": name }));
    const bar = (name, cell) => make("input", {
      type: "range", min: 0, step: 1, "aria-label": name, oninput: (event) => this.drag(cell, event.target.value) });
    this.bars = rowsOf(d.weights, d.classes).flatMap((_, state) => data.classes.map((y, i) =>
      bar([...statesAt(data, everything, state), y].join(", "), state * d.classes + i)));
    this.most = Math.max(1, Math.ceil(1.5 * Number(largest(d.weights)))); // the length of all bars
    this.message = make("p", { class: "fst-error", role: "alert" });
    const rows = rowsOf(this.inputs, d.classes).map((inputs, state) => make("tr", {},
      ...statesAt(data, everything, state).map((x) => make("th", { scope: "row" }, x)),
      ...inputs.map((input, i) => make("td", {}, input, " ", this.bars[state * d.classes + i]))));
    this.form = this.makeForm([...data.features, ...data.classes.map((y) => `${data.target} = ${y}`)], rows);
    this.element = make("details", { class: "fst-weights" },
      make("summary", {}, data.words.weights, make("span", { class: "fst-screen" }, data.words.changeThem)), this.form);
  }

  makeForm(names, rows) {
    const { words } = this.lattice.data;
    const table = make("table", {}, heads(names), make("tbody", {}, ...rows));
    this.fields = make("fieldset", {},
      make("div", { class: "fst-scroll", tabindex: 0, role: "region", "aria-label": words.weights }, table),
      make("button", { type: "submit" }, words.apply), " ",
      make("button", { type: "button", onclick: () => this.lattice.reset() }, words.asGiven));
    return make("form", { onsubmit: (event) => { event.preventDefault(); this.apply(); } }, this.fields, this.message);
  }

  // Show the weights there are; at an irrational parameter there are none.
  show() {
    const { d, tables } = this.lattice;
    this.fields.disabled = !tables;
    this.message.textContent = tables ? "" : this.lattice.data.words.irrationalWeights;
    this.inputs.forEach((input, cell) => {
      input.value = tables ? `${d.weights[cell]}` : "";
      input.setAttribute("aria-invalid", "false");
    });
    const sizes = d.weights.map(Number), most = Math.max(this.most, ...sizes), others = total(d.weights);
    this.bars.forEach((bar, cell) => {
      bar.hidden = !tables || most > Number.MAX_SAFE_INTEGER;
      bar.max = most;
      bar.min = others === d.weights[cell] ? 1 : 0; // some weight is above 0
      bar.value = sizes[cell];
    });
  }

  // The weight of a cell is drawn with its bar, and the lattice answers at once.
  drag(cell, weight) {
    this.lattice.setWeights(this.lattice.d.weights.map((old, i) => (i === cell ? BigInt(weight) : old)));
  }

  apply() {
    const typed = this.inputs.map((input) => input.value.trim());
    const wrong = typed.findIndex((text) => !/^\d{1,400}$/.test(text));
    this.inputs.forEach((input, cell) => input.setAttribute("aria-invalid", cell === wrong ? "true" : "false"));
    const { lattice } = this;
    if (wrong >= 0) this.message.textContent = lattice.say("wrongWeight", { cell: this.cells[wrong], typed: typed[wrong].slice(0, 40) });
    else if (typed.every((text) => BigInt(text) === 0n)) this.message.textContent = lattice.data.words.noWeight;
    else lattice.setWeights(typed.map(BigInt));
  }
}

// What stands in the place of the table where there would be too many boxes.
export function tooMany({ data, d }) {
  const holes = { weights: d.weights.length.toLocaleString(data.words.language), features: data.features.length };
  return make("p", { class: "fst-note" }, say(data, "tooMany", holes));
}

// A button that shows the distribution as `fstheory report -` reads it, and copies it where the browser allows that.
export function copier(lattice) {
  const { data: { words }, data, told } = lattice;
  if (!data.schema) return []; // a label of a state is nothing that the format holds
  const text = make("textarea", { readonly: true, hidden: true, rows: 6, "aria-label": words.asJson });
  const show = async () => {
    text.hidden = !lattice.tables;
    if (!lattice.tables) {
      told.textContent = words.irrationalCopy;
      return;
    }
    const { weights } = lattice.d, whole = total(weights);
    text.value = JSON.stringify({ ...data.schema, probabilities: weights.map((weight) => fraction(weight, whole)) }, null, 1);
    text.select();
    const copied = await navigator.clipboard?.writeText(text.value).then(() => true, () => false);
    told.textContent = lattice.say(copied ? "copiedJson" : "copyJson", { command: "fstheory report -" });
  };
  return [make("button", { type: "button", onclick: show }, words.copyAsJson), text];
}

// What can be taken along: the distribution, a link to what is shown, the picture.
export function keeper(lattice) {
  const { data: { words }, told } = lattice, [copy, text] = copier(lattice);
  const link = async () => {
    const address = `${location.href.split("#")[0]}${fragmentOf(lattice.root.id, stateOf(lattice))}`;
    const copied = await navigator.clipboard?.writeText(address).then(() => true, () => false);
    told.textContent = copied ? lattice.say("copied", { address }) : address;
  };
  const save = () => {
    const name = `${lattice.data.title.replace(/[^\p{L}\p{N}]+/gu, "-").slice(0, 60)}.svg`;
    const anchor = make("a", { download: name });
    anchor["href"] = URL.createObjectURL(new Blob([pictureOf(lattice)], { type: "image/svg+xml" }));
    anchor.click();
    setTimeout(() => URL.revokeObjectURL(anchor["href"]), 10_000);
    told.textContent = lattice.say("savedAs", { name });
  };
  const button = (name, onclick) => make("button", { type: "button", onclick }, name);
  const linked = lattice.root.id && !lattice.onState ? [button(words.copyLink, link)] : [];
  const buttons = [...(copy ? [copy] : []), ...linked, button(words.savePicture, save)];
  return [make("p", { class: "fst-keep" }, ...buttons), ...(text ? [text] : [])];
}

// A few subsets in words, the small ones first.
export function spoken(lattice, masks) {
  const few = [...masks].sort((a, b) => size(a) - size(b) || a - b).slice(0, 4).map((mask) => lattice.name(mask));
  return joined(lattice.data, "and", [...few, ...(masks.length > 4 ? [lattice.say("more", { count: masks.length - 4 })] : [])]);
}
