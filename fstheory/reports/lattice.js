// The lattice of feature subsets, to be touched. `mount(root, data)` fills an element; no library, no request.
// Everything that is compared is an integer: see exact.js. What the page cannot compute comes with the data.
import { Code } from "./code.js";
import { Crowd } from "./crowd.js";
import { draw, make } from "./elements.js";
import {
  addByImportance, areas, backwardSearch, balancedErrors, bayesErrors, decimal, fraction, marginals, markovBlankets,
  minimalSets, optimalOfSize, plain, ranksOf, size, total, worthOf,
} from "./exact.js";
import { Evidence } from "./evidence.js";
import { Slider } from "./family.js";
import { Goal } from "./goal.js";
import { PHONE, letters, places, typeOf } from "./layout.js";
import { Lesson, questionsOf, seen } from "./lesson.js";
import { Motion } from "./motion.js";
import {
  Editor, added, brief, claims, classifier, controls, facts, fillCriteria, fillNumbers, keeper, path, rounded, spoken,
  tested, tooMany, worth,
} from "./parts.js";
import { Person } from "./person.js";
import { drawAxis, ends, fillNode, legend, placeNode, tags } from "./picture.js";
import { Sampler } from "./sample.js";
import { fragmentOf, restore, stateIn, stateOf } from "./state.js";
import { caption, counts, glossary, meaning, unitOf } from "./story.js";
import { isolated, joined, pointed, say } from "./words.js";

const MOST_EDITED = 128; // cells
const COMPUTED = { zero_one: bayesErrors, balanced: balancedErrors, auc: areas }; // others come with the data

export class Lattice {
  constructor(root, data, onEdit = null, onState = null) {
    this.width = root.clientWidth;
    Object.assign(this, { root, onEdit, onState, criterion: "zero_one", current: null, walk: [], trace: null, person: null, draws: null });
    this.onParameter = this.dots = false;
    this.marks = { minimal: true, optimal: false, blankets: false };
    this.family = data.family;
    this.view = this.firstView = data.family ? "value" : "size"; // what moves along a family are the values
    this.load(data);
    this.given = this.d.weights;
    this.unit = unitOf(data, total(this.given));
    this.numbers = this.firstNumbers = this.unit === data.words.cases ? "fractions" : "counts";
    this.ask = data.ask ? { at: 0, said: [] } : null;
    this.current = this.full;
    this.most = this.n;
    this.slider = this.family ? new Slider(this) : null;
    this.onParameter = Boolean(this.slider);
    this.build();
    this.listen();
    this.watch();
  }

  // Data

  // Take data in: the distribution, and the values that the page cannot compute.
  load(data) {
    this.data = data;
    this.n = data.features.length;
    this.full = 2 ** this.n - 1;
    this.edited = this.waiting = false;
    this.compute(data.weights.map(BigInt));
    const alone = this.family && !this.onEdit; // a family has many distributions, and the data those of one
    if (!alone) this.columns.push(...data.criteria.filter(({ ranks }) => ranks));
  }

  // Take what follows from the weights in the page.
  compute(weights) { Object.assign(this, this.computed(weights), { known: null }); }

  // What follows from weights: the Bayes risks, and of the other criteria those that are fractions. At an irrational
  // parameter the weights are packed polynomials, and a field compares and writes them.
  computed(weights, numbers = plain) {
    const { data } = this;
    const d = { cards: data.states.map((states) => states.length), classes: data.classes.length, weights };
    const tables = marginals(d);
    const columns = this.menu.flatMap(({ key, name, largerIsBetter }) => {
      const [errors, whole] = COMPUTED[key]?.(d, tables, numbers) ?? [];
      return errors ? [{
        key, name, largerIsBetter, numbers, ranks: ranksOf(errors, numbers), errors, whole,
        worth: worthOf(errors, whole, this.n, largerIsBetter, numbers),
        exact: errors.map((e) => numbers.exact(e, whole)), decimal: errors.map((e) => numbers.decimal(e, whole)) }] : [];
    });
    return { d, tables, columns };
  }

  // The criteria, also those that are not known for the weights that are shown.
  get menu() { return this.family?.menu ?? this.data.criteria; }

  get chosen() { return this.menu.find(({ key }) => key === this.criterion); }

  // The values of the chosen criterion, or the Bayes risks where it has none.
  get values() { return this.columns.find(({ key }) => key === this.criterion) ?? this.columns[0]; }

  // The same as they are written: as fractions, decimals or counts, and only those that may be seen.
  get column() {
    const { values } = this, key = `${this.numbers} ${this.ask?.said.length} ${this.ask?.at} ${this.d.weights === this.given}`;
    if (this.written?.values !== values || this.written.key !== key) this.written = { values, key, column: this.texts(values) };
    return this.written.column;
  }

  get counting() { return this.numbers === "counts" && counts(this, this.values); }

  texts(values) {
    const exact = this.counting ? values.errors.map((part) => this.say("of", { part, whole: values.whole }))
      : this.numbers === "decimals" ? values.exact.map((text, mask) => rounded(text, values.decimal[mask])) : values.exact;
    const shown = (texts) => texts.map((text, mask) => (this.seen(mask) ? pointed(this.data, text) : "?"));
    return { ...values, exact: shown(exact), decimal: shown(values.decimal) };
  }

  // The questions of lesson mode, and what it lets be seen.
  get questions() {
    const { values } = this;
    if (this.posed?.values !== values) this.posed = { values, list: questionsOf(this) };
    return this.posed.list;
  }

  seen(mask) { return !this.ask || seen(this, this.questions, mask); }

  get allSeen() { return !this.ask || this.ask.said.length >= this.questions.length; }

  // Whether a box is chosen: at the start of a question none is.
  get picked() { return this.allSeen || this.current !== this.full || this.walk.length > 0; }

  // The view that is shown: heights tell values.
  get by() { return this.allSeen ? this.view : "size"; }

  // The classes that never occur, if the values of a criterion follow from the weights.
  lost(wanted) { return wanted in COMPUTED ? this.data.classes.filter((_, y) => this.tables?.[0][y] === 0n) : []; }

  // Why a criterion has no values here, or nothing if it has, or the slider can go where it has.
  whyNot(wanted) {
    const { data, tables } = this, { words } = data, computed = wanted in COMPUTED;
    if (this.columns.some(({ key }) => key === wanted) || (computed && !tables && this.onParameter)) return "";
    const lost = this.lost(wanted).map((name) => `${data.target} = ${name}`);
    if (lost.length) return this.say("undefinedHere", { classes: joined(data, "and", lost) });
    if (this.onEdit) return this.waiting ? words.askedKernel : words.notKnown;
    return this.family ? words.byWidget : words.forGiven;
  }

  choose(criterion) {
    Object.assign(this, { criterion, trace: null });
    this.slider?.follow();
    this.claims.replaceChildren(...claims(this));
    this.refresh();
  }

  // Ranks with 0 for the best.
  get losses() {
    const { ranks, largerIsBetter } = this.values;
    const most = Math.max(...ranks);
    return largerIsBetter ? ranks.map((rank) => most - rank) : ranks;
  }

  // The Markov blankets that contain no other, found when somebody asks.
  get blankets() {
    if (!this.tables) return [];
    this.known ??= markovBlankets(this.d, this.tables);
    return this.known;
  }

  // Put other weights in the place of those there are: all else follows in the kernel where there is one.
  setWeights(weights) {
    const known = this.onEdit && `${weights}` === `${this.data.weights}`; // the kernel has answered this already
    if (known) this.load(this.data);
    else this.compute(weights);
    this.edited = true;
    this.onParameter = false;
    this.waiting = Boolean(this.onEdit) && !known;
    this.update();
    if (this.onEdit) this.onEdit(weights.map(String));
  }

  // Take the weights at a parameter of the family; at an irrational one they are packed, and no table can show them.
  atParameter(weights, field = null) {
    if (!field) this.setWeights(weights);
    else {
      const { columns } = this.computed(weights, field);
      Object.assign(this, { tables: null, columns, edited: true, waiting: false });
      this.update();
    }
    this.onParameter = true;
  }

  tellParameter(text) { if (this.allSeen) this.told.textContent = this.say("atParameter", { at: text, subsets: spoken(this, minimalSets(this.losses)) }); }

  // Back to the weights that were given, or to those of the slider.
  reset() {
    if (this.slider) this.slider.again();
    else if (this.onEdit) this.setWeights(this.given);
    else {
      this.load(this.data);
      this.update();
    }
  }

  // What stays of an axis along a family; nothing else has an axis that stays.
  get range() { return this.slider && this.by === "value" ? this.slider.range(this.values) : null; }

  // Whether the place for the lattice is as narrow as a phone; the picture follows when the place changes.
  get narrow() { return this.width > 0 && this.width < PHONE; }

  watch() {
    this.watcher = new ResizeObserver(() => {
      const before = this.narrow, width = this.root.clientWidth;
      if (width === this.width) return;
      this.width = width;
      if (before || this.narrow || this.large) this.refresh();
    });
    this.watcher.observe(this.root);
  }

  // Keeping a state

  // Take the state in the address, now and when it changes.
  listen() {
    const take = () => {
      const hash = globalThis.location?.hash ?? "", found = stateIn(hash, this.root.id);
      const state = found ?? (hash || !this.pushed ? null : {}); // back to the first state
      if (!state) return;
      this.replaces = true;
      this.take(state);
      if (this.root.getBoundingClientRect().top > innerHeight / 2) this.root.scrollIntoView();
    };
    take();
    [this.states, this.place] = [[JSON.stringify(stateOf(this))], 0];
    this.asked = take;
    globalThis.addEventListener?.("hashchange", take);
  }

  take(state) { restore(this, state); }

  leavePage() { globalThis.removeEventListener?.("hashchange", this.asked); this.watcher.disconnect(); this.slider?.pause(); }

  // Write the state down, when nothing has changed for a moment.
  keep() {
    clearTimeout(this.keeping);
    this.keeping = setTimeout(() => {
      const state = stateOf(this), text = JSON.stringify(state);
      if (text === (this.kept ?? "{}")) return;
      this.kept = text;
      this.remember(text);
      if (this.onState) this.onState(state);
      else if (this.root.id && text.length < 2000) this.address(fragmentOf(this.root.id, state));
    }, 300);
  }

  // Every state gets an entry in the history of the browser, except the one that came from there.
  address(fragment) {
    const replaces = this.replaces || location.hash === fragment;
    Object.assign(this, { replaces: false, pushed: true });
    try { history[replaces ? "replaceState" : "pushState"](history.state, "", fragment); } catch { /* a frame that has no address */ }
  }

  // States one after the other, to be undone and done again.
  remember(text) {
    if (this.states[this.place] === text) return;
    if (this.states[this.place - 1] === text) this.place -= 1;
    else {
      this.states.splice(this.place + 1, Infinity, text);
      this.place += 1;
    }
    this.showUndo();
  }

  undo(by) {
    this.place += by;
    restore(this, JSON.parse(this.states[this.place]));
    this.showUndo();
  }

  showUndo() {
    [this.undoer.disabled, this.redoer.disabled] = [this.place === 0, this.place === this.states.length - 1];
  }

  setLarge(large) {
    this.large = large;
    this.root.firstChild.classList.toggle("fst-large", large);
  }

  // Words and names

  say(key, holes) { return say(this.data, key, holes); }

  name(mask) { return `{${this.data.features.filter((_, i) => mask >> i & 1).join(", ")}}`; }

  // What is written in a box: the names, or the numbers of the features where these are too long.
  // So a picture has either names or numbers; the boxes of one feature then have both, which tells the numbers from states.
  short(mask) {
    if (mask === 0) return "∅";
    const { features } = this.data;
    if (!this.numbered) return features.filter((_, i) => mask >> i & 1).join(this.joint);
    const both = `${Math.log2(mask) + 1} ${features[Math.log2(mask)]}`;
    if (size(mask) === 1 && letters(both) <= this.longest) return both;
    return features.flatMap((_, i) => (mask >> i & 1 ? [i + 1] : [])).join(this.n > 5 ? "" : "·");
  }

  get joint() { return this.data.features.every((name) => /^[A-Za-z]\d*$/.test(name)) ? "" : ", "; }

  // How many letters a box has room for.
  get longest() { return { 1: 30, 2: 26, 3: 20, 4: 14, 5: this.large || this.narrow ? 10 : 12 }[this.n] ?? 0; }

  get numbered() { return letters(this.data.features.join(this.joint)) > this.longest; }

  // Building

  build() {
    const { words } = this.data;
    this.stage = draw("svg", { class: "fst-stage", role: "group", "aria-label": words.lattice });
    this.nodes = Array.from({ length: this.full + 1 }, (_, mask) => this.makeNode(mask));
    [this.scenery, this.lines, this.boxes, this.names] = ["scenery", "lines", "boxes", "names"]
      .map((name) => draw("g", { class: `fst-${name}` }));
    this.stage.append(this.scenery, this.lines, this.boxes, this.names);
    this.edges = this.tags = [];
    this.motion = new Motion();
    this.legend = make("ul", { class: "fst-legend", "aria-label": words.legend });
    this.told = make("p", { class: "fst-told", "aria-live": "polite" });
    [this.meaning, this.caption] = ["fst-meaning", "fst-caption"].map((name) => make("p", { class: name }));
    [this.facts, this.worth, this.path, this.rest] =
      ["fst-facts", "fst-worth", "fst-path", "fst-rest"].map((name) => make("div", { class: name }));
    this.button = make("button", { type: "button", onclick: () => this.search() }, words.searchHere);
    this.adder = make("button", { type: "button", onclick: () => this.addByImportance() }, words.addByImportance);
    [this.undoer, this.redoer] = [[words.undo, -1], [words.redo, 1]].map(([text, by]) =>
      make("button", { type: "button", disabled: true, onclick: () => this.undo(by) }, text));
    this.goal = this.data.questions?.some(({ goal }) => goal) ? new Goal(this) : null;
    this.coder = this.data.ask ? new Code(this) : null;
    this.evidence = this.data.evidence ? new Evidence(this) : null;
    this.lesson = new Lesson(this);
    this.asker = new Person(this);
    this.crowd = new Crowd(this);
    this.sampler = this.data.samples ? new Sampler(this) : null;
    this.claims = make("div", {});
    this.editor = this.d.weights.length <= MOST_EDITED ? new Editor(this) : null;
    const scroll = make("div", { class: "fst-scroll", tabindex: -1 }, this.stage);
    this.root.replaceChildren(make("div", {
      class: "fstheory-lattice", lang: words.language, dir: words.direction, onkeydown: (event) => { if (event.key === "Escape") this.leave(); } },
    ...(this.data.story ? [make("p", { class: "fst-story", dir: "auto" }, this.data.story)] : []), this.meaning,
    make("div", { class: "fst-controls" }, ...controls(this), this.undoer, this.redoer), ...(this.slider ? [this.slider.element] : []),
    this.lesson.element, this.caption, this.told,
    make("div", { class: "fst-main" }, scroll, this.crowd.element,
      make("section", { class: "fst-panel", "aria-label": words.chosenSubset },
        this.asker.element, ...(this.evidence ? [this.evidence.element] : []), ...(this.sampler ? [this.sampler.element] : []), this.facts, this.worth, make("p", { class: "fst-keep" }, this.button, this.adder), this.path),
      this.legend, this.rest, make("div", { class: "fst-extra" },
        ...(this.coder ? [this.coder.element] : []), this.editor ? this.editor.element : tooMany(this), ...keeper(this), this.claims, glossary(this)))));
    this.update();
    if (this.layout.upright) return;
    scroll.scrollLeft = (scroll.scrollWidth - scroll.clientWidth) / 2; // the middle, where the ends of the lattice are
  }

  makeNode(mask) {
    return draw("g", {
      role: "button", "data-mask": mask, onclick: () => this.walkTo(mask), onkeydown: (event) => this.key(event, mask),
      onpointerenter: () => this.describe(mask), onpointerleave: () => this.describe(this.current),
    });
  }

  // Show other values everywhere; what can hold the focus stays.
  update() {
    this.trace = null;
    if (this.editor) this.editor.show();
    this.claims.replaceChildren(...claims(this));
    if (this.slider && this.edited && !this.onParameter) this.slider.say(this.data.words.otherWeights);
    this.refresh();
  }

  // The lattice

  get dense() { return this.n > 5; }

  // Whether every edge is drawn: of up to 5 features by size, 3 by value; else those of the subset that is told of.
  get allEdges() { return this.by === "size" ? !this.dense : this.n < 4; }

  refresh() {
    if (this.person) this.walk = this.asker.walk();
    if (size(this.current) > this.most) this.current = 0;
    this.layout = places(this);
    this.keep();
    const { at, width, height } = this.layout;
    this.stage.setAttribute("viewBox", `0 0 ${width} ${height}`);
    this.stage.classList.toggle("fst-small", Boolean(this.layout.small));
    const { style } = this.stage, pixels = this.large || this.narrow; // the type is not made smaller
    style.setProperty("--type", `${typeOf(this).font}px`);
    style.setProperty("--under", `${typeOf(this).small}px`);
    style.minWidth = `${pixels ? width : Math.min(width, Math.max(300, 0.6 * width))}px`;
    style.maxWidth = `${width * (this.narrow ? 1 : this.large ? 1.6 : this.dense ? 1 : 1.25)}px`;
    style.maxHeight = pixels ? `max(${height}px, 100vh - 11rem)` : "";
    const marked = this.marked = this.findMarked(), kinds = Object.keys(marked);
    for (const mask of at.keys()) fillNode(this, this.nodes[mask], mask, kinds.filter((key) => marked[key].has(mask)));
    this.scenery.replaceChildren(...drawAxis(this, this.layout));
    const shown = [...at.keys()].map((mask) => this.nodes[mask]);
    if (shown.length !== this.boxes.children.length) this.boxes.replaceChildren(...shown);
    this.legend.replaceChildren(...legend(this));
    this.meaning.replaceChildren(...meaning(this));
    this.path.replaceChildren(...path(this));
    this.worth.replaceChildren(...worth(this));
    this.adder.hidden = this.n < 2 || !this.allSeen;
    for (const part of [this.button, this.worth, ...this.later]) part.hidden = !this.allSeen;
    fillCriteria(this);
    this.claims.hidden = this.edited || !this.allSeen; // they are about the weights that were given
    fillNumbers(this);
    this.lesson.show();
    this.asker.show();
    this.crowd.show();
    this.sampler?.show();
    this.evidence?.show();
    this.edges = [];
    this.motion.to(at, (now) => this.put(now));
    this.describe(this.current);
  }

  // The subsets with each mark that is asked for.
  findMarked() {
    const { losses } = this, marks = this.allSeen ? this.marks : {};
    return {
      minimal: new Set(marks.minimal ? minimalSets(losses) : []),
      optimal: marks.optimal ? optimalOfSize(losses) : new Set(),
      blankets: new Set(marks.blankets ? this.blankets : []),
      reasons: new Set(this.asker.reasons),
    };
  }

  // Put boxes and the ends of edges where they are now.
  put(now) {
    for (const [mask, place] of now) placeNode(this.nodes[mask], place);
    for (const { line, mask, below } of this.edges) {
      const places = Object.entries(ends(this.layout, now.get(below), now.get(mask)));
      for (const [name, value] of places) line.setAttribute(name, value.toFixed(2));
    }
    for (const { mask, element } of this.tags) {
      const { x, y } = now.get(mask);
      element.setAttribute("transform", `translate(${x.toFixed(2)} ${y.toFixed(2)})`);
    }
  }

  // The edges that are drawn: solid where both ends have the same value, thick along the path.
  drawEdges(told) {
    const { at } = this.layout, { ranks } = this.column;
    const steps = new Set(this.walk.slice(1).map((mask, i) => `${mask & this.walk[i]} ${mask | this.walk[i]}`));
    const edges = [];
    for (const mask of at.keys())
      for (let i = 0; i < this.n; i += 1) {
        const below = mask & ~(1 << i), near = mask === told || below === told, step = steps.has(`${below} ${mask}`);
        if (below === mask || !at.has(below) || !(this.allEdges || near || step)) continue;
        const same = ranks[mask] === ranks[below] && this.seen(mask) && this.seen(below);
        const kinds = [same && "fst-same", step && "fst-step", near && "fst-near"].filter(Boolean);
        edges.push({ line: draw("line", { class: ["fst-edge", ...kinds].join(" ") }), mask, below });
      }
    return edges;
  }

  // The value as it is written in a box.
  boxed(mask) {
    const { decimal, errors, exact } = this.column, text = this.counting && this.seen(mask) ? `${errors[mask]}` : exact[mask]; // the total stands above the picture
    return text.length <= (this.dense ? 5 : this.family ? 7 : 9) ? text : rounded(text, decimal[mask]);
  }

  worded(mask) { return brief(this.column.exact[mask], this.column.decimal[mask]); }

  valued(mask) { return `${this.column.name} ${isolated(this.data, this.worded(mask))}`; }

  // Tell of a subset in the panel, and show the steps from it.
  describe(mask) {
    this.facts.replaceChildren(...facts(this, mask));
    this.caption.replaceChildren(...caption(this, mask));
    this.rest.replaceChildren(...classifier(this, mask));
    this.edges = this.drawEdges(mask);
    this.lines.replaceChildren(...this.edges.map(({ line }) => line));
    this.tags = this.layout.small ? tags(this, mask, this.marked.minimal) : [];
    this.names.replaceChildren(...this.tags.map(({ element }) => element));
    this.motion.show();
  }

  // What people do

  focusOn(mask) {
    const node = this.stage.querySelector(`[data-mask="${mask}"]`);
    if (node) node.focus({ preventScroll: this.narrow });
  }

  walkTo(mask) {
    const last = this.walk[this.walk.length - 1];
    if (last === undefined || size(last ^ mask) !== 1) this.walk = [mask];
    else this.walk.push(mask);
    this.current = mask;
    this.trace = null;
    this.refresh();
    this.focusOn(mask);
    this.told.textContent = `${isolated(this.data, this.name(mask))}${this.seen(mask) ? `: ${this.valued(mask)}` : ""}.`;
  }

  // Go to a neighbor by its button in the panel; the button of the way back gets the focus.
  stepTo(mask, feature) {
    this.walkTo(mask);
    this.facts.querySelector(`[data-feature="${feature}"]`)?.focus({ preventScroll: true });
  }

  // Leave the path.
  leave() {
    Object.assign(this, { walk: [], trace: null });
    if (this.person) this.person.answered = 0;
    this.refresh();
    this.told.textContent = this.data.words.pathLeft;
  }

  // Arrow keys: along a row or a column, and across to the nearest subset of the next one.
  key(event, mask) {
    const { at, lines, upright } = this.layout, here = at.get(mask), axis = upright ? "y" : "x";
    const { line, place } = here;
    const off = (other) => Math.abs(at.get(other)[axis] - here[axis]);
    const nearest = (others) => others && others.reduce((a, b) => (off(b) < off(a) ? b : a));
    const along = [lines[line][place - 1], lines[line][place + 1]], across = [nearest(lines[line - 1]), nearest(lines[line + 1])];
    const [[ArrowLeft, ArrowRight], [ArrowDown, ArrowUp]] = upright ? [across, along] : [along, across];
    const [Home, End] = [lines[line][0], lines[line][lines[line].length - 1]];
    const moves = { ArrowLeft, ArrowRight, ArrowDown, ArrowUp, Home, End };
    if (event.key === "Enter" || event.key === " ") this.walkTo(mask);
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
    const title = this.say("searchFrom", { subset: this.name(start) }), steps = tests.map((test) => tested(this, test));
    const walk = [start, ...tests.filter((test) => test.dropped).map((test) => test.without)];
    this.showPath({ title, steps, result: this.say("endsWith", { subset: this.name(end) }) }, walk);
    this.told.textContent = this.say("searchEnds", { subset: this.name(end) });
  }

  // From no feature on, add the features of highest importance; each size is compared with the best of this size.
  addByImportance() {
    const found = addByImportance(this.column.worth.ranks, this.losses, this.most);
    const lost = found.filter(({ subset, best }) => subset !== best).map(({ subset }) => size(subset));
    const { words } = this.data, sizes = joined(this.data, "and", lost);
    const result = lost.length ? this.say("importanceFails", { count: lost.length, sizes }) : words.importanceHolds;
    const steps = found.map((step) => added(this, step));
    this.showPath({ title: words.addedByImportance, steps, result }, [0, ...found.map((step) => step.subset)]);
    this.told.textContent = result;
  }

  // Show a path with the list of its steps, and choose its end.
  showPath(trace, walk) {
    Object.assign(this, { trace, walk, current: walk[walk.length - 1], person: null });
    this.showControls();
    this.refresh();
  }
}

export const mount = (root, data) => new Lattice(root, data);

// The front end of the widget: the kernel recomputes all criteria when weights are edited, at most every so often.
export default {
  render({ model, el }) {
    let pending = 0;
    const edit = (weights) => {
      clearTimeout(pending);
      pending = setTimeout(() => { pending = 0; model.set("weights", weights); model.save_changes(); }, 120);
    };
    const keep = (state) => { model.set("state", state); model.save_changes(); };
    const lattice = new Lattice(el, { ...model.get("data"), family: model.get("family") }, edit, keep);
    const take = () => {
      const data = model.get("data"), asked = model.get("weights");
      if (pending || (asked.length && `${asked}` !== `${data.weights}`)) return; // overtaken by something newer
      const { d, slider } = lattice, same = `${d.weights}` === `${data.weights}`;
      lattice.load(data);
      lattice.onParameter &&= same;
      lattice.update();
      if (slider && !same) slider.say(data.words.otherWeights);
    };
    const show = () => {
      const text = JSON.stringify(model.get("state"));
      if (text === (lattice.kept ?? "{}")) return; // what was written from here
      lattice.kept = text;
      restore(lattice, model.get("state"));
    };
    show();
    model.on("change:data", take);
    model.on("change:state", show);
    return () => {
      lattice.leavePage();
      model.off("change:data", take);
      model.off("change:state", show);
      el.replaceChildren();
    };
  },
};
