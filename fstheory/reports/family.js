// The parameter of a family: a slider that moves continuously, and stops at the exact critical values; steps, and play.
import { make } from "./elements.js";
import { decimal, fraction, weightsAt } from "./exact.js";
import { Field, pack } from "./field.js";
import { floats } from "./layout.js";
import { calm } from "./motion.js";
import { pointed } from "./words.js";

const GRID = 1000; // places of the slider, each an exact parameter
const NEAR = 0.008; // of its length: there a critical value takes the thumb
const SECONDS = 25; // from end to end
const LONGEST_NAME = 40; // the most characters of a critical value that is rational
const NUMBER = /^-?\d+(\/[1-9]\d*)?$/;

export class Slider {
  constructor(lattice) {
    const [first, last] = lattice.family.stops[""], [low, high] = [first, last].map(parts);
    Object.assign(this, { lattice, low, here: 0, t: first, playing: 0, ranges: new Map() });
    this.packed = pack(lattice.family.coefficients, lattice.data.classes.length);
    this.span = [high[0] * low[1] - low[0] * high[1], high[1] * low[1]];
    this.take(lattice.criterion);
    this.build();
  }

  // Take the stops of a criterion: the ends, its critical values, where they are known, and a parameter between any two.
  take(key) {
    const { stops } = this.lattice.family, known = (stops[key] ?? stops[""]).map((point) => this.stopOf(point));
    this.known = key in stops;
    this.stops = known.flatMap((point, i) => (i ? [between(known[i - 1], point), point] : [point]));
    this.at = this.stops.map(({ t, field }) => this.placeOf(t ?? fraction(field.low, field.below)));
    this.critical = known.slice(1, -1).map((_, i) => 2 * i + 2);
  }

  // A rational parameter, or an irrational one with its field.
  stopOf(point) {
    if (typeof point !== "string") {
      const field = new Field(point, this.packed.bits);
      return { t: null, field, name: this.pointed(field.name((holes) => this.lattice.say("rootOf", holes))), key: JSON.stringify(point) };
    }
    return { t: point, name: point.length <= LONGEST_NAME ? point : this.pointed(`≈${decimal(...parts(point), 6)}`) };
  }

  pointed(text) { return pointed(this.lattice.data, text); }

  // What a stop is called.
  label(i) {
    const { t, name, inside } = this.stops[i];
    if (inside) return `${this.stops[i - 1].name} < t < ${this.stops[i + 1].name}`;
    return this.lattice.say(this.critical.includes(i) ? "critical" : "uncritical", { t: `t ${name.startsWith("≈") ? "" : "= "}${name}` });
  }

  // Take those of the criterion that was chosen, and stay where it is; beside an irrational value of the last one.
  follow() {
    const { here, t, stops, at } = this;
    this.take(this.lattice.criterion);
    this.scale.replaceChildren(...this.marks());
    const same = this.stops.findIndex((stop) => t === null && stop.t === null && stop.key === stops[here].key);
    if (same >= 0) this.goTo(same);
    else if (t === null) this.goToParameter(this.parameter(at[here]));
    else {
      this.here = this.stopAt(t);
      if (this.lattice.onParameter) this.say(this.textOf(t));
    }
  }

  build() {
    const { words } = this.lattice.data;
    this.said = make("output", { class: "fst-stop" }, this.label(0));
    this.knob = make("input", {
      type: "range", min: 0, max: GRID, step: "any", value: 0, "aria-label": "t", "aria-valuetext": this.label(0),
      oninput: () => { this.pause(); this.slide(Number(this.knob.value) / GRID); },
      onkeydown: (event) => this.key(event),
    });
    const button = (text, attributes) => make("button", { type: "button", ...attributes }, text);
    const stepper = (text, name, by) =>
      button(text, { "aria-label": name, title: name, onclick: () => this.step(by) });
    this.player = button(words.play, { class: "fst-play", onclick: () => (this.playing ? this.pause() : this.play()) });
    this.scale = make("div", { class: "fst-marks", "aria-hidden": "true" }, ...this.marks());
    this.element = make("div", { class: "fst-slider", role: "group", "aria-label": words.family },
      stepper("◂", words.stepBack, -1), this.player, stepper("▸", words.stepOn, 1), make("i", {}, "t"),
      make("div", { class: "fst-track" }, this.knob, this.scale), this.said);
  }

  // A mark at each critical value and at the ends, with its number where there is room.
  marks() {
    const shown = [...new Set([0, ...this.critical, this.stops.length - 1])].sort((a, b) => this.at[a] - this.at[b]);
    const [wide, narrow] = [0.07, 0.18].map((apart) => this.free(shown, apart)); // on a phone there is less room
    return shown.map((i) => {
      const names = [this.critical.includes(i) && "fst-critical", narrow.has(i) && "fst-far"].filter(Boolean).join(" ");
      return make("span", { class: names, style: `--at: ${this.at[i].toFixed(5)}` }, wide.has(i) ? this.brief(i) : "");
    });
  }

  // The stops whose numbers have so much room.
  free(shown, apart) {
    const found = new Set();
    let last = -1;
    for (const i of shown) {
      if (this.at[i] - last <= apart || (1 - this.at[i] <= apart && i !== this.stops.length - 1)) continue;
      last = this.at[i];
      found.add(i);
    }
    return found;
  }

  brief(i) {
    const { t, field } = this.stops[i];
    return this.pointed(t === null ? `≈${decimal(field.low, field.below, 2)}` : t.length <= 5 ? t : `≈${decimal(...parts(t), 2)}`);
  }

  // The place of a parameter between the ends, as a float.
  placeOf(t) {
    const [a, b] = parts(t);
    return number([(a * this.low[1] - this.low[0] * b) * this.span[1], b * this.low[1] * this.span[0]]);
  }

  // The exact parameter at a place of the grid.
  parameter(place) {
    const k = BigInt(Math.round(place * GRID)), [a, b] = this.low, [c, e] = this.span;
    return fraction(a * e * BigInt(GRID) + k * c * b, b * e * BigInt(GRID));
  }

  // The stop with this parameter, or else the interval around it.
  stopAt(t) {
    const same = this.stops.findIndex((stop) => stop.t === t && !stop.inside);
    if (same >= 0) return same;
    const place = this.placeOf(t), ends = this.stops.flatMap((stop, i) => (stop.inside ? [] : [i]));
    return ends.find((i) => this.at[i] > place) - 1;
  }

  // Go where the thumb is; a critical value that is near takes it.
  slide(place) {
    const off = (i) => Math.abs(this.at[i] - place);
    const near = this.critical.reduce((a, i) => (a < 0 || off(i) < off(a) ? i : a), -1);
    if (near >= 0 && off(near) < NEAR) this.goTo(near);
    else this.goToParameter(this.parameter(place));
  }

  goTo(i) { this.show(i, this.stops[i].t, this.label(i)); }

  goToParameter(t) { this.show(this.stopAt(t), t, this.textOf(t)); }

  textOf(t) {
    const i = this.stopAt(t), { inside, t: middle } = this.stops[i];
    return inside && t !== middle ? `t = ${t}, ${this.label(i)}` : this.label(i);
  }

  show(i, t, text) {
    const news = i !== this.here;
    Object.assign(this, { here: i, t });
    this.knob.value = GRID * (t === null ? this.at[i] : this.placeOf(t));
    if (t === null) this.lattice.atParameter(this.packed.weights, this.stops[i].field);
    else this.lattice.atParameter(weightsAt(this.lattice.family.coefficients, t));
    this.say(text);
    if (news) this.lattice.tellParameter(this.label(i));
  }

  say(text) {
    this.said.textContent = text;
    this.knob.setAttribute("aria-valuetext", text);
  }

  // Where it was before other weights were typed.
  again() { if (this.t === null || this.t === this.stops[this.here].t) this.goTo(this.here); else this.goToParameter(this.t); }

  step(by) {
    this.pause();
    const place = this.t === null ? this.at[this.here] : this.placeOf(this.t), inside = this.stops[this.here].t !== this.t;
    const beyond = inside && (by > 0) === (this.at[this.here] > place) ? this.here : this.here + by;
    if (this.stops[beyond]) this.goTo(beyond);
  }

  key(event) {
    const by = { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1 }[event.key];
    const far = { PageUp: 0.05, PageDown: -0.05 }[event.key], end = { Home: 0, End: this.stops.length - 1 }[event.key];
    if (by) this.step(by);
    else if (far) { this.pause(); this.slide(Math.min(1, Math.max(0, Number(this.knob.value) / GRID + far))); }
    else if (end !== undefined) { this.pause(); this.goTo(end); }
    else return;
    event.preventDefault();
  }

  // Play: on through all parameters with a rest at each critical value; from stop to stop for who asks for less motion.
  play() {
    const last = this.stops.length - 1;
    if (this.here === last && this.t === this.stops[last].t) this.goTo(0);
    this.player.textContent = this.lattice.data.words.pause;
    const rest = Math.min(1200, 15_000 / this.critical.length);
    let place = Number(this.knob.value) / GRID, before = performance.now();
    const later = (next, wait) => { this.playing = wait ? setTimeout(next, wait) : requestAnimationFrame(next); };
    const jump = () => { if (this.here === last) this.pause(); else { this.goTo(this.here + 1); later(jump, 1500); } };
    const move = () => {
      const now = performance.now(), to = Math.min(1, place + Math.min(now - before, 100) / 1000 / SECONDS);
      const met = this.critical.find((i) => this.at[i] > place && this.at[i] <= to);
      place = met === undefined ? to : this.at[met];
      before = now + (met === undefined ? 0 : rest);
      if (met !== undefined) this.goTo(met);
      else if (to < 1) this.goToParameter(this.parameter(place));
      else { this.goTo(last); this.pause(); return; }
      later(met === undefined ? move : () => { before = performance.now(); move(); }, met === undefined ? 0 : rest);
    };
    if (calm()) jump();
    else move();
  }

  pause() {
    if (!this.playing) return;
    cancelAnimationFrame(this.playing);
    clearTimeout(this.playing);
    this.playing = 0;
    this.player.textContent = this.lattice.data.words.play;
    this.lattice.tellParameter(this.said.textContent);
  }

  // The least and the largest value of a criterion along the family, for an axis that stays; of the values seen, too.
  range(column) {
    const { coefficients } = this.lattice.family;
    if (!this.ranges.has(column.key)) {
      const steps = coefficients[0].length > 512 ? 8 : 40, found = [];
      for (let k = 0; k <= steps; k += 1) {
        const { columns } = this.lattice.computed(weightsAt(coefficients, this.parameter(k / steps)));
        const other = columns.find(({ key }) => key === column.key);
        if (other) found.push(...floats(other));
      }
      this.ranges.set(column.key, found.length ? [Math.min(...found), Math.max(...found)] : null);
    }
    const known = this.ranges.get(column.key), seen = floats(column);
    if (known) this.ranges.set(column.key, [Math.min(known[0], ...seen), Math.max(known[1], ...seen)]);
    return this.ranges.get(column.key);
  }

  // Whether a text is a parameter of the family.
  has(text) {
    if (!NUMBER.test(text)) return false;
    const place = this.placeOf(text);
    return place >= 0 && place <= 1;
  }
}

// A parameter between two stops.
function between(one, other) {
  const [[a, b], [c, e]] = [one, other].map(({ t, field }, i) => (t ? parts(t) : [i ? field.low : field.high, field.below]));
  const gap = c * b - a * e, below = b * e;
  if (gap > 0n) return { t: fraction(2n * a * e + gap, 2n * below), inside: true };
  for (const { field } of [one, other]) field?.narrow();
  return between(one, other);
}

const parts = (text) => { const [a, b = 1n] = text.split("/").map(BigInt); return [a, b]; };
const number = ([a, b]) => Number(a * 10n ** 15n / b) / 1e15;
