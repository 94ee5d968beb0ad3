// One person: the questions of the best policy, answered one after another, and the reasons of the verdict.
import {
  both, decimal, fraction, largest, likeliest, placesIn, policyOf, product, reasonsOf, refined, rowsOf, size, total,
} from "./exact.js";
import { make } from "./elements.js";
import { menu, ratio } from "./parts.js";
import { joined, pointed, say } from "./words.js";

const MOST_LISTED = 8; // answers, reasons and changes

const button = (text, onclick, more = {}) => make("button", { type: "button", onclick, ...more }, text);
const quoted = (data, names) => joined(data, "or", names.map((name) => say(data, "quoted", { name })));

export class Person {
  constructor(lattice) {
    this.lattice = lattice;
    const { data: { words }, data, n } = lattice, most = Array.from({ length: n + 1 }, (_, count) => [count, lattice.say("countQuestions", { count })]);
    this.menus = data.features.map((name, i) => menu(name, data.states[i].map((label, x) => [x, label]), 0,
      (x) => this.take(this.place + (Number(x) - this.digit(i)) * this.step(i))));
    this.budget = menu(words.atMost, most, 0, (budget) => this.set({ budget: Number(budget), answered: 0 }));
    this.draw = button(words.drawPerson, () => this.take(this.drawn()));
    [this.about, this.question, this.best] = ["", "fst-asked", "fst-note"].map((name) => make("p", { class: name }));
    [this.answers, this.more] = [0, 1].map(() => make("p", { class: "fst-keep" }));
    this.verdict = make("p", { class: "fst-verdict", "aria-live": "polite" });
    this.question.setAttribute("aria-live", "polite");
    this.steps = make("ol", { start: 0 });
    this.back = button(words.questionBack, () => this.set({ answered: lattice.person.answered - 1 }));
    this.asker = button(words.why, () => this.set({ why: 1 - lattice.person.why }));
    this.why = make("div", {});
    this.more.append(this.back, this.asker);
    this.element = make("section", { class: "fst-person", "aria-label": words.questionsToOne },
      make("strong", {}, words.questionsToOne), make("p", { class: "fst-keep" }, this.budget, ...this.menus, this.draw),
      this.about, this.steps, this.question, this.answers, this.verdict, this.more, this.why, this.best);
  }

  // The state: a place among the states of all features, and how many questions may be asked and are answered.

  get place() { return this.lattice.person.place; }

  get rows() { return rowsOf(this.lattice.d.weights, this.lattice.d.classes).map(total); }

  step(i) { return product(this.lattice.d.cards.slice(i + 1)); }

  digit(i, place = this.place) { return Math.floor(place / this.step(i)) % this.lattice.d.cards[i]; }

  set(changes) {
    Object.assign(this.lattice.person, changes);
    this.lattice.current = this.walk().at(-1) ?? 0;
    this.lattice.refresh();
  }

  take(place) { this.set({ place, answered: 0 }); }

  // Begin with the most frequent states, or end.
  toggle(on) {
    const { lattice } = this, { rows } = this;
    const place = rows.reduce((best, weight, i) => (weight > rows[best] ? i : best), 0);
    lattice.person = on ? { place, budget: Math.min(2, lattice.n), answered: 0, why: 0 } : null;
    Object.assign(lattice, { walk: [], trace: null, draws: null });
    lattice.showControls();
    if (on) this.set({});
    else lattice.refresh();
  }

  // The most frequent states of all features in a partial state.
  oneOf(mask, below) {
    const places = placesIn(this.lattice.d, mask), { rows } = this;
    return rows.reduce((best, weight, one) => (places[one] === below && !(weight <= rows[best]) ? one : best), -1);
  }

  // A line of the table of the classifier: that of the person is marked, and each other one takes another person.
  mark(line, mask, state) {
    const go = () => { this.take(this.oneOf(mask, state)); this.focus(); };
    line.firstChild.replaceChildren(button(line.firstChild.textContent, go, { class: "fst-go" }));
    if (placesIn(this.lattice.d, mask)[this.place] === state) line.setAttribute("aria-current", "true");
    return line;
  }

  // A place, drawn with the probability of its states.
  drawn() {
    const { rows } = this, whole = total(rows);
    let left = BigInt(Math.floor(Math.random() * 2 ** 53)) * whole >> 53n;
    return rows.findIndex((weight) => (left -= weight) < 0n);
  }

  get possible() { return Boolean(this.lattice.person && this.lattice.tables) && this.rows[this.place] > 0n; }

  // The partial states that the policy meets with this person, as far as the questions are answered.
  path() {
    const { d, tables, person } = this.lattice, found = [];
    if (this.known?.tables !== tables || this.known.budget !== person.budget)
      this.known = { tables, budget: person.budget, policy: policyOf(d, tables, person.budget) };
    for (let mask = 0; ;) {
      const place = placesIn(d, mask)[person.place], asks = this.known.policy.next(mask, place);
      found.push({ mask, place, asks });
      if (!asks.length || found.length > person.answered) return found;
      mask |= 1 << asks[0];
    }
  }

  // The subsets of the features that were asked so far.
  walk() { return this.possible ? this.path().map(({ mask }) => mask) : []; }

  // Showing it

  // The states of the person in some features, in words.
  states(mask, place = this.place) {
    const { features, states } = this.lattice.data;
    return features.flatMap((name, i) => (mask >> i & 1 ? [`${name}=${states[i][this.digit(i, place)]}`] : [])).join(", ");
  }

  people(weight) {
    const { d, numbers, unit } = this.lattice, whole = total(d.weights), part = ratio(this.lattice, weight, whole);
    if (weight === whole) return this.lattice.say("allPeople", { unit });
    return this.lattice.say(numbers === "counts" ? "people" : "ofPeople", { part, unit });
  }

  // The weights of the classes for this person if some features are known.
  row(mask) {
    const { d, tables } = this.lattice;
    return rowsOf(tables[mask], d.classes)[placesIn(d, mask)[this.place]];
  }

  says(weights) { return quoted(this.lattice.data, likeliest(weights).map((y) => this.lattice.data.classes[y])); }

  wrong(weights) {
    const whole = total(weights), errors = whole - largest(weights);
    return both(ratio(this.lattice, errors, whole), pointed(this.lattice.data, decimal(errors, whole)), fraction(errors, whole));
  }

  show() {
    const { element, lattice, possible } = this, { data: { words }, data, person, tables, full, unit } = lattice;
    element.hidden = !person || !lattice.allSeen;
    if (element.hidden) return;
    element.style.order = lattice.n > 4 ? -1 : ""; // on a phone before the picture, if that is long
    const held = element.contains(document.activeElement);
    this.menus.forEach((one, i) => { one.lastChild.value = this.digit(i); });
    this.budget.lastChild.value = person.budget;
    for (const part of [this.steps, this.question, this.answers, this.verdict, this.best, this.more, this.why]) part.hidden = !possible;
    this.about.textContent = !tables ? words.irrationalQuestions
      : possible ? lattice.say("thisPerson", { states: this.states(full) || words.nothingKnown, people: this.people(total(this.row(full))) })
        : lattice.say("nobody", { states: this.states(full), unit });
    if (!possible) return;
    const path = this.path(), { mask, asks } = path.at(-1), { features } = data, at = path.length - 1;
    this.steps.replaceChildren(...path.map((one, k) => {
      const weights = this.row(one.mask), answer = k ? this.states(one.mask ^ path[k - 1].mask) : words.nothingAsked;
      return make("li", {}, lattice.say("step", {
        answer, people: this.people(total(weights)), verdict: this.says(weights), chance: this.wrong(weights) }));
    }));
    const others = joined(data, "or", asks.slice(1).map((i) => features[i])), asked = path.slice(0, -1).map((one) => features[one.asks[0]]);
    this.question.textContent = asks.length
      ? lattice.say("asks", { at: at + 1, most: person.budget, feature: features[asks[0]] }) + (others && ` ${lattice.say("equallyGood", { others })}`)
      : at ? lattice.say("asked", { features: joined(data, "then", asked) }) : words.noQuestion;
    this.answers.replaceChildren(...(asks.length ? this.offered(path.at(-1)) : []));
    const end = this.row(mask);
    this.verdict.textContent = asks.length ? "" : lattice.say("verdict", { verdict: this.says(end), chance: this.wrong(end) });
    this.best.textContent = asks.length ? "" : this.compared();
    this.back.disabled = !at;
    this.asker.setAttribute("aria-expanded", `${Boolean(person.why)}`);
    this.why.replaceChildren(...(person.why ? this.explained() : []));
    if (held && (!element.contains(document.activeElement) || document.activeElement.disabled)) this.focus();
  }

  focus() { (this.answers.querySelector(".fst-own") ?? this.asker).focus({ preventScroll: true }); }

  // A button for each possible answer to the next question. Another answer than the person's is that of another person.
  offered({ mask, place, asks: [i] }) {
    const { data, d, tables, person } = this.lattice, to = mask | 1 << i, sums = rowsOf(tables[to], d.classes).map(total);
    const all = refined(d, mask, place, i).map((below, x) => ({ below, x })).filter(({ below }) => sums[below]);
    const own = this.digit(i), few = all.length > MOST_LISTED ? all.filter(({ x }) => x === own) : all;
    const say = ({ below, x }) => () => {
      this.set({ place: x === own ? person.place : this.oneOf(to, below), answered: person.answered + 1 });
      if (x !== own) this.lattice.told.textContent = this.lattice.say("otherPerson", { states: this.states(this.lattice.full) });
    };
    const buttons = few.map((one) => button(one.x === own ? this.lattice.say("ownAnswer", { answer: data.states[i][one.x] }) : data.states[i][one.x], say(one),
      one.x === own ? { class: "fst-own" } : {}));
    return [...buttons, ...(few === all ? [] : [this.lattice.say("otherAnswers", { count: all.length - 1 })])];
  }

  // The same number of questions for everybody.
  compared() {
    const { lattice } = this, { d, person } = lattice, [{ errors, whole }] = lattice.columns;
    const better = (a, b) => errors[a] < errors[b] || (errors[a] === errors[b] && size(a) < size(b));
    const best = errors.reduce((found, _, mask) => (size(mask) <= person.budget && better(mask, found) ? mask : found), 0);
    const name = lattice.name(best), weights = this.row(best);
    return lattice.say("compared", {
      most: person.budget, subset: name, verdict: this.says(weights), chance: this.wrong(weights), unit: lattice.unit,
      inTurn: ratio(lattice, this.known.policy.errors, whole), alike: ratio(lattice, errors[best], whole) });
  }

  // The reasons of the verdict with all features, and the smallest changes.
  explained() {
    const { lattice } = this, { d, data: { words }, full } = lattice, { reasons, changes } = this.found();
    const list = (items) => make("ul", {}, ...items.slice(0, MOST_LISTED).map((item) => make("li", {}, item)),
      ...(items.length > MOST_LISTED ? [make("li", {}, lattice.say("moreReasons", { count: items.length - MOST_LISTED, call: "fs.reasons(d, x)" }))] : []));
    const rows = rowsOf(d.weights, d.classes);
    const why = reasons.map((mask) => `${this.states(mask) || words.everybody}: ${this.people(total(this.row(mask)))}`);
    const others = changes.map(({ mask, other }) => `${this.states(mask, other)}: ${this.says(rows[other])}`);
    return [
      make("p", {}, lattice.say("reasons", { verdict: this.says(this.row(full)) })), list(why),
      make("p", {}, others.length ? words.changes : words.noChange),
      ...(others.length ? [list(others)] : []),
    ];
  }

  found() {
    const { d } = this.lattice, { place } = this;
    if (this.explains?.d !== d || this.explains.place !== place) this.explains = { d, place, ...reasonsOf(d, place) };
    return this.explains;
  }

  // The subsets that light up.
  get reasons() {
    const { person, allSeen } = this.lattice;
    return person?.why && allSeen && this.possible ? this.found().reasons : [];
  }
  // The state as a text, and back; null if the text is none of this lattice.
  get text() { return Object.values(this.lattice.person ?? {}).join(","); }

  read(text) {
    const { d, n } = this.lattice, [place, budget, answered, why] = /^\d{1,4}(,\d){3}$/.test(text) ? text.split(",").map(Number) : [];
    return place < product(d.cards) && budget <= n && answered <= n && why < 2 ? { place, budget, answered, why } : null;
  }
}
