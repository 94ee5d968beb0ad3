// Exact arithmetic of distributions in the browser: integers without limit, no floating point that decides.
// A distribution has flat weights, the features in order and the class last, as in Python.

export const gcd = (a, b) => { while (b) [a, b] = [b, a % b]; return a < 0n ? -a : a; };

// A fraction above/below in lowest terms, as text.
export function fraction(above, below) {
  const common = gcd(above, below) || 1n;
  const [a, b] = [above / common, below / common];
  return b === 1n ? `${a}` : `${a}/${b}`;
}

// The decimal of a fraction, rounded half to even to so many significant digits, as Python's Decimal does.
export function decimal(above, below, digits = 4) {
  if (above === 0n) return "0";
  const negative = (above < 0n) !== (below < 0n);
  let [a, b] = [above < 0n ? -above : above, below < 0n ? -below : below];
  let exponent = `${a}`.length - `${b}`.length - digits;
  const scaled = (e) => e >= 0 ? [a, b * 10n ** BigInt(e)] : [a * 10n ** BigInt(-e), b];
  const rounded = (e) => {
    const [over, under] = scaled(e);
    const [quotient, rest] = [over / under, over % under];
    const twice = 2n * rest;
    return twice > under || (twice === under && quotient % 2n === 1n) ? quotient + 1n : quotient;
  };
  while (rounded(exponent) >= 10n ** BigInt(digits)) exponent += 1;
  let text = `${rounded(exponent)}`;
  const [over, under] = scaled(exponent);
  if (over % under === 0n) // exact: no zeros at the end, as Python writes it
    while (exponent < 0 && text.length > 1 && text.endsWith("0")) { text = text.slice(0, -1); exponent += 1; }
  if (exponent >= 0) text += "0".repeat(exponent);
  else if (text.length > -exponent) text = `${text.slice(0, exponent)}.${text.slice(exponent)}`;
  else text = `0.${text.padStart(-exponent, "0")}`;
  return negative ? `-${text}` : text;
}

// The sums of the weights over all features outside a mask: for each state of the subset a row of classes.
export function marginal(d, mask) {
  const { cards, classes, weights } = d;
  const kept = cards.map((_, i) => i).filter((i) => mask >> i & 1);
  const rows = new Map();
  const states = cards.map(() => 0);
  for (let cell = 0; cell < weights.length; cell += classes) {
    const key = kept.map((i) => states[i]).join(",");
    if (!rows.has(key)) rows.set(key, Array(classes).fill(0n));
    const row = rows.get(key);
    for (let y = 0; y < classes; y += 1) row[y] += weights[cell + y];
    for (let i = cards.length - 1; i >= 0; i -= 1) { // the next state, the last feature first
      states[i] += 1;
      if (states[i] < cards[i]) break;
      states[i] = 0;
    }
  }
  return { kept, rows };
}

const largest = (row) => row.reduce((a, b) => (b > a ? b : a));
export const total = (weights) => weights.reduce((a, b) => a + b, 0n);

// By mask the weight of the errors of the Bayes classifier over the subset; the risk is this over the total.
export function bayesErrors(d) {
  const whole = total(d.weights);
  return Array.from({ length: 2 ** d.cards.length }, (_, mask) => {
    let right = 0n;
    for (const row of marginal(d, mask).rows.values()) right += largest(row);
    return whole - right;
  });
}

// Dense ranks, 0 for the smallest.
export function ranksOf(values) {
  const sorted = [...new Set(values)].sort((a, b) => (a < b ? -1 : a > b ? 1 : 0));
  const place = new Map(sorted.map((value, rank) => [value, rank]));
  return values.map((value) => place.get(value));
}

const size = (mask) => { let n = 0; for (let m = mask; m; m &= m - 1) n += 1; return n; };
export { size };

// Of ranks by mask: the subsets with the best rank that have no such subset inside.
export function minimalSets(ranks) {
  const best = Math.min(...ranks);
  const found = ranks.flatMap((rank, mask) => (rank === best ? [mask] : []));
  return found.filter((mask) => !found.some((other) => other !== mask && (other & mask) === other));
}

// By size the subsets of the best rank.
export function optimalOfSize(ranks) {
  const best = new Map();
  ranks.forEach((rank, mask) => {
    const k = size(mask);
    if (!best.has(k) || rank < best.get(k).rank) best.set(k, { rank, masks: [mask] });
    else if (rank === best.get(k).rank) best.get(k).masks.push(mask);
  });
  return new Set([...best.values()].flatMap((entry) => entry.masks));
}

// Whether the class is independent of all other features given a subset: p(y|x) is p(y|x_S) wherever p(x) > 0.
export function isMarkovBlanket(d, mask) {
  const { kept, rows } = marginal(d, mask);
  const states = d.cards.map(() => 0);
  for (let cell = 0; cell < d.weights.length; cell += d.classes) {
    const own = d.weights.slice(cell, cell + d.classes);
    const sum = total(own);
    if (sum > 0n) {
      const row = rows.get(kept.map((i) => states[i]).join(","));
      const all = total(row);
      for (let y = 0; y < d.classes; y += 1) if (own[y] * all !== row[y] * sum) return false;
    }
    for (let i = d.cards.length - 1; i >= 0; i -= 1) {
      states[i] += 1;
      if (states[i] < d.cards[i]) break;
      states[i] = 0;
    }
  }
  return true;
}

// The subsets that are Markov blankets and have none inside.
export function markovBlankets(d) {
  const all = Array.from({ length: 2 ** d.cards.length }, (_, mask) => mask).filter((mask) => isMarkovBlanket(d, mask));
  return all.filter((mask) => !all.some((other) => other !== mask && (other & mask) === other));
}

// Backward search: drop the first feature that can be spared, until none can; each test is told.
export function backwardSearch(ranks, start) {
  const tests = [];
  let mask = start;
  for (;;) {
    let dropped = -1;
    for (let i = 0; 2 ** i <= mask; i += 1) {
      if (!(mask >> i & 1)) continue;
      const without = mask & ~(1 << i);
      const spared = ranks[without] <= ranks[mask];
      tests.push({ subset: mask, feature: i, without, dropped: spared });
      if (spared) { dropped = i; break; }
    }
    if (dropped < 0) return { end: mask, tests };
    mask &= ~(1 << dropped);
  }
}
