// Numbers at an irrational parameter t: values of polynomials in t with integer coefficients. A polynomial is packed into
// one integer, its value at a power of 2 beyond all coefficients. Packed polynomials are added and multiplied as integers
// are, so exact.js computes with them; only to compare and to write them takes t itself.
import { decimal, fraction, gcd, plain } from "./exact.js";

const LONGEST = 120; // the most characters of an exact number
const STEPS = 64; // how often the bounds of t are halved when they are too wide

// The weights of a family at t, packed, and the bits between two coefficients of all that exact.js makes of them.
export function pack(coefficients, classes) {
  const powers = coefficients.map((row) => row.map(BigInt)), sum = powers.flat().reduce((a, b) => a + (b < 0n ? -b : b), 0n);
  const bits = BigInt(64 + (classes + 1) * sum.toString(2).length);
  return { bits, weights: powers[0].map((_, cell) => powers.reduceRight((rest, row) => (rest << bits) + row[cell], 0n)) };
}

const trimmed = (row) => { while (row.length > 1 && !row[row.length - 1]) row.pop(); return row; };
const times = (row, factor, power = 0) => [...Array(power).fill(0n), ...row.map((c) => c * factor)];
const minus = (one, other) =>
  Array.from({ length: Math.max(one.length, other.length) }, (_, i) => (one[i] ?? 0n) - (other[i] ?? 0n));

// A sum of multiples of symbols, as Python writes it.
function written(terms) {
  const parts = terms.filter(([above]) => above).map(([above, below, symbol]) => {
    const size = fraction(above < 0n ? -above : above, below);
    return [above < 0n, !symbol ? size : size === "1" ? symbol : `${size}*${symbol}`];
  });
  return parts.map(([negative, text], i) => (i ? (negative ? " - " : " + ") : negative ? "-" : "") + text).join("");
}

export class Field {
  // A root as it comes with the data: a decimal below it, which no other root of its polynomial is as near to, and either
  // the polynomial and the number of smaller roots, or the root as p + q * sqrt(r).
  constructor({ at, polynomial, place, sum }, bits) {
    const [digits, places] = at.split("e-");
    Object.assign(this, { bits, place, below: 10n ** BigInt(places), low: BigInt(digits), high: BigInt(digits) + 1n });
    this.sum = sum?.map((text) => text.split("/").map(BigInt)).map(([p, q = 1n]) => [p, q]);
    this.zero = polynomial?.map(BigInt) ?? this.quadratic();
    this.side = this.signAt(this.low);
  }

  quadratic() {
    const [[p, q], [u, v], [r]] = this.sum;
    return [p * p * v * v - u * u * r * q * q, -2n * p * q * v * v, q * q * v * v];
  }

  signAt(place) { return plain.sign(this.bounds(this.zero, place, place)[0]); }

  // Bounds of a polynomial at t, and the positive integer that is below them.
  bounds(row, from = this.low, to = this.high) {
    let [low, high, power] = [0n, 0n, 1n];
    for (const c of [...row].reverse()) {
      const ends = [low * from, low * to, high * from, high * to].sort((a, b) => plain.sign(a - b));
      [low, high] = [ends[0] + c * power, ends[3] + c * power];
      power *= this.below;
    }
    return [low, high, power / this.below];
  }

  // Halve the bounds of t, again and again.
  narrow() {
    for (let step = 0; step < STEPS; step += 1) {
      const middle = this.low + this.high;
      for (const name of ["low", "high", "below"]) this[name] *= 2n;
      this[this.signAt(middle) === this.side ? "low" : "high"] = middle;
    }
  }

  // The coefficients of a packed polynomial, the constant first.
  unpacked(packed) {
    const row = [];
    for (let rest = packed; rest;) {
      row.push(BigInt.asIntN(Number(this.bits), rest));
      rest = (rest - row[row.length - 1]) >> this.bits;
    }
    return row.length ? row : [0n];
  }

  // A polynomial of lower degree than that of t, which is the given one times a positive integer, the second result.
  reduced(given) {
    const { zero } = this, lead = zero[zero.length - 1];
    let [row, scale] = [given, 1n];
    while (row.length >= zero.length) {
      row = trimmed(minus(times(row, lead), times(zero, row[row.length - 1], row.length - zero.length)));
      scale *= lead;
    }
    return [row, scale];
  }

  sign(packed) {
    const [row] = this.reduced(this.unpacked(packed));
    if (row.length === 1) return plain.sign(row[0]);
    for (;;) {
      const [low, high] = this.bounds(row);
      if (low > 0n) return 1;
      if (high < 0n) return -1;
      this.narrow();
    }
  }

  // A polynomial that is an integer, the second result, if it is multiplied by a packed one: by Euclid's algorithm.
  inverse(packed) {
    if (this.inverted?.packed === packed) return this.inverted.found;
    const [start, scale] = this.reduced(this.unpacked(packed));
    let [[a, x], [b, y]] = [[this.zero, [0n]], [start, [scale]]]; // b is y times the given one, but for multiples of zero
    while (b.length > 1) {
      const [by, lead, power] = [a[a.length - 1], b[b.length - 1], a.length - b.length];
      [a, x] = [[a, b], [x, y]].map(([one, other]) => minus(times(one, lead), times(other, by, power)));
      const common = [...a, ...x].reduce(gcd, 0n);
      [a, x] = [a, x].map((row) => trimmed(row.map((c) => c / common)));
      if (a.length < b.length) [a, x, b, y] = [b, y, a, x];
    }
    this.inverted = { packed, found: [y, b[0]] };
    return this.inverted.found;
  }

  // A quotient of packed polynomials as one polynomial over an integer.
  quotient(above, below) {
    const [inverse, unit] = this.inverse(below), [start, first] = this.reduced(this.unpacked(above));
    const product = start.reduce((sum, c, power) => minus(sum, times(inverse, -c, power)), [0n]);
    const [row, second] = this.reduced(trimmed(product)), under = first * second * unit;
    return under < 0n ? [times(row, -1n), -under] : [row, under];
  }

  exact(above, below) {
    const [row, under] = this.quotient(above, below);
    const text = row.length === 1 ? fraction(row[0], under) : this.sum ? this.withRoot(row, under) : polynomialText(row, under);
    return text.length <= LONGEST ? text : `≈${this.decimal(above, below)}`;
  }

  withRoot([constant, slope], under) {
    const [[p, q], [u, v], [r]] = this.sum;
    return written([[constant * q + slope * p, under * q, ""], [slope * u, under * v, `sqrt(${r})`]]);
  }

  decimal(above, below, digits = 4) {
    const [row, under] = this.quotient(above, below);
    for (;;) {
      const [low, high, scale] = this.bounds(row), texts = [low, high].map((end) => decimal(end, scale * under, digits));
      if (texts[0] === texts[1]) return texts[0];
      this.narrow();
    }
  }

  part(above, all) { return this.sign(all) ? Math.trunc(1000 * Number(this.decimal(above, all, 12))) : 0; }

  // What t is called. `rootOf` says in words which root of a polynomial it is.
  name(rootOf) {
    const t = 1n << this.bits;
    const what = this.sum ? this.exact(t, 1n) : rootOf({ number: this.place + 1, polynomial: polynomialText(this.zero, 1n) });
    return `${what.startsWith("≈") ? "" : `${what} `}≈ ${this.decimal(t, 1n, 6)}`;
  }
}

function polynomialText(row, under) {
  return written(row.map((c, power) => [c, under, ["", "t"][power] ?? `t^${power}`]).reverse()) || "0";
}
