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

// An exact text and a decimal, with the sign between them that is true; a text that is rounded stands alone. If the text
// has words, as "493 of 2201", the fraction is given, too.
export function both(shown, rounded, exact = shown) {
  if (shown === rounded || shown.includes("≈")) return shown;
  const [, above, below = "1"] = /^(-?\d+)(?:\/(\d+))?$/.exec(exact) ?? [];
  const [whole, part = ""] = rounded.split(/[.,]/);
  const digits = above !== undefined && /^-?\d+$/.test(whole) && /^\d*$/.test(part);
  const same = digits && BigInt(whole + part) * BigInt(below) === BigInt(above) * 10n ** BigInt(part.length);
  return `${shown} ${same ? "=" : "≈"} ${rounded}`;
}

// How integers are compared and written, and how many thousandths one is of another. At an irrational parameter, integers
// stand for other numbers: see field.js.
export const plain = {
  sign: (a) => (a < 0n ? -1 : a > 0n ? 1 : 0), exact: fraction, decimal, part: (a, all) => (all ? Number(1000n * a / all) : 0),
};

export const total = (weights) => weights.reduce((a, b) => a + b, 0n);
export const product = (numbers, one = 1) => numbers.reduce((a, b) => a * b, one);

// By mask the marginal of the subset: flat weights, its features in order and the class last.
export function marginals(d) {
  const full = 2 ** d.cards.length - 1;
  const tables = Array(full + 1);
  tables[full] = d.weights;
  for (let mask = full - 1; mask >= 0; mask -= 1) {
    let i = 0; // the first feature that is left out: all before it are in the subset
    while (mask >> i & 1) i += 1;
    tables[mask] = sumOut(tables[mask | 1 << i], product(d.cards.slice(0, i)), d.cards[i]);
  }
  return tables;
}

// A table without one of its features, which has so many states, and before which there are so many.
function sumOut(table, before, states) {
  const after = table.length / before / states;
  return Array.from({ length: before * after }, (_, place) => {
    const first = Math.floor(place / after) * states * after + place % after;
    let sum = 0n;
    for (let x = 0; x < states; x += 1) sum += table[first + x * after];
    return sum;
  });
}

// The rows of a table: for each state its weights by class.
export function rowsOf(table, classes) {
  const states = table.length / classes;
  return Array.from({ length: states }, (_, state) => table.slice(state * classes, (state + 1) * classes));
}

export const largest = (row, numbers = plain) => row.reduce((a, b) => (numbers.sign(b - a) > 0 ? b : a));

// By mask the weight of the errors of the Bayes classifier over the subset, and the total below them.
export function bayesErrors(d, tables = marginals(d), numbers = plain) {
  const whole = total(d.weights), right = (row) => largest(row, numbers);
  return [tables.map((table) => whole - total(rowsOf(table, d.classes).map(right))), whole];
}

// The same where every class weighs as much as any other, added up over the classes; null if one never occurs.
export function balancedErrors(d, tables, numbers = plain) {
  const classes = tables[0], whole = product(classes, 1n), all = BigInt(d.classes);
  if (!numbers.sign(whole)) return null;
  const right = (row) => largest(row.map((weight, y) => weight * (whole / classes[y])), numbers);
  return [tables.map((table) => all * whole - total(rowsOf(table, d.classes).map(right))), whole];
}

// By mask the largest area under the curve of a score, which is the posterior; null but for two classes that occur.
export function areas(d, tables, numbers = plain) {
  const [none, some] = tables[0];
  if (d.classes !== 2 || !numbers.sign(none * some)) return null;
  const above = ([a, b], [p, q]) => numbers.sign(b * (p + q) - q * (a + b));
  return [tables.map((table) => {
    const rows = rowsOf(table, 2).filter(([a, b]) => numbers.sign(a + b)).sort(above);
    let [twice, below, alike] = [0n, 0n, 0n];
    rows.forEach((row, i) => {
      if (i && above(row, rows[i - 1])) { below += alike; alike = 0n; }
      let tied = row[0];
      for (let j = i + 1; j < rows.length && !above(rows[j], row); j += 1) tied += rows[j][0];
      twice += row[1] * (2n * below + alike + tied);
      alike += row[0];
    });
    return twice;
  }), 2n * none * some];
}

// The weights of a family at t = "p/q", without a common divisor; the coefficients are texts, the power of t first.
export function weightsAt(coefficients, t) {
  const [p, q = 1n] = t.split("/").map(BigInt);
  const degree = BigInt(coefficients.length - 1);
  const powers = coefficients.map((_, j) => p ** BigInt(j) * q ** (degree - BigInt(j)));
  const weights = coefficients[0].map((_, cell) =>
    total(powers.map((power, j) => power * BigInt(coefficients[j][cell]))));
  const common = weights.reduce(gcd, 0n);
  return weights.map((weight) => weight / common);
}

// Dense ranks, 0 for the smallest.
export function ranksOf(values, numbers = plain) {
  const sorted = [...new Set(values)].sort((a, b) => numbers.sign(a - b)), place = new Map();
  let rank = 0;
  sorted.forEach((value, i) => {
    if (i && numbers.sign(value - sorted[i - 1])) rank += 1;
    place.set(value, rank);
  });
  return values.map((value) => place.get(value));
}

export const size = (mask) => { let n = 0; for (let m = mask; m; m &= m - 1) n += 1; return n; };

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

// For each state of all features the place of its part in the marginal of a subset.
export function placesIn(d, mask) {
  return d.cards.reduce((places, card, i) => places.flatMap((place) =>
    Array.from({ length: card }, (_, x) => (mask >> i & 1 ? place * card + x : place))), [0]);
}

// Whether the class is independent of all other features given a subset: p(y|x) is p(y|x_S) wherever p(x) > 0.
export function isMarkovBlanket(d, mask, table) {
  const parts = rowsOf(table, d.classes);
  const places = placesIn(d, mask);
  return rowsOf(d.weights, d.classes).every((row, state) => {
    const part = parts[places[state]];
    const [above, below] = [total(row), total(part)];
    return row.every((weight, y) => weight * below === part[y] * above);
  });
}

// The subsets that are Markov blankets and have none inside; what contains a blanket is one.
export function markovBlankets(d, tables = marginals(d)) {
  const found = [];
  const masks = tables.map((_, mask) => mask).sort((a, b) => size(a) - size(b));
  for (const mask of masks)
    if (found.every((inside) => (inside & mask) !== inside) && isMarkovBlanket(d, mask, tables[mask])) found.push(mask);
  return found;
}

// By feature the Shapley value of a column of integers: the mean of what the feature adds, over all n! orders.
export function shapleyValues(column, n, largerIsBetter) {
  const orders = [1n];
  for (let k = 1; k <= n; k += 1) orders.push(orders[k - 1] * BigInt(k));
  const values = Array(n).fill(0n);
  column.forEach((value, mask) => {
    const k = size(mask), worth = largerIsBetter ? value : -value;
    for (let i = 0; i < n; i += 1)
      values[i] += mask >> i & 1 ? orders[k - 1] * orders[n - k] * worth : -orders[k] * orders[n - 1 - k] * worth;
  });
  return [values, orders[n]];
}

// The same in texts, in ranks, and in thousandths of what all features gain; the values are of integers over a whole.
export function worthOf(column, whole, n, largerIsBetter, numbers = plain) {
  const [values, orders] = shapleyValues(column, n, largerIsBetter), all = total(values), below = whole * orders;
  return {
    exact: values.map((value) => numbers.exact(value, below)), decimal: values.map((value) => numbers.decimal(value, below)),
    ranks: ranksOf(values, numbers), parts: values.map((value) => numbers.part(value, all)),
  };
}

// Add the features from the highest importance to the lowest, the first of those that tie: each step with a best subset
// of its size, which is the step's own if there is no better one.
export function addByImportance(importance, losses, most) {
  const order = importance.map((_, i) => i).sort((a, b) => importance[b] - importance[a] || a - b);
  const best = optimalOfSize(losses);
  let mask = 0;
  return order.slice(0, most).map((feature) => {
    mask |= 1 << feature;
    const better = [...best].find((other) => size(other) === size(mask) && losses[other] < losses[mask]);
    return { feature, subset: mask, best: better ?? mask };
  });
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

// Questions and reasons

// A partial state, given by its place in the marginal of a subset: its places once another feature is known, by answer.
export function refined(d, mask, place, i) {
  const after = product(d.cards.filter((_, j) => j > i && mask >> j & 1)), start = Math.floor(place / after) * after;
  return Array.from({ length: d.cards[i] }, (_, x) => start * d.cards[i] + x * after + place % after);
}

// The policy with at most so many questions that errs least, and of these asks least: the weight of its errors, and the
// best next features in a possible partial state, none where it stops. A value is an integer: `unit` for each error, and
// the weight of the questions, which is less than `unit`.
export function policyOf(d, tables, budget) {
  const rows = tables.map((table) => rowsOf(table, d.classes)), values = [];
  const unit = total(d.weights) * BigInt(d.cards.length) + 1n, stop = (row) => unit * (total(row) - largest(row));
  const open = (mask) => d.cards.flatMap((_, i) => (mask >> i & 1 || size(mask) >= budget ? [] : [i]));
  const ask = (mask, place, i) =>
    total(rows[mask][place]) + total(refined(d, mask, place, i).map((below) => values[mask | 1 << i][below]));
  for (let mask = tables.length - 1; mask >= 0; mask -= 1)
    if (size(mask) <= budget) values[mask] = rows[mask].map((row, place) => open(mask).reduce((best, i) => {
      const value = ask(mask, place, i);
      return value < best ? value : best;
    }, stop(row)));
  return { errors: values[0][0] / unit, next: (mask, place) => open(mask).filter((i) => ask(mask, place, i) === values[mask][place]) };
}

export const likeliest = (row) => row.flatMap((weight, y) => (weight === largest(row) ? [y] : []));

// The minimal subsets that settle the likeliest classes of a possible state: all states that agree with it there have
// the same. And the smallest changes: other features to change, with the places of the states that they lead to.
export function reasonsOf(d, place) {
  const rows = rowsOf(d.weights, d.classes), digits = d.cards.map((_, i) => placesIn(d, 1 << i));
  const others = rows.flatMap((row, other) => {
    const mask = digits.reduce((sum, digit, i) => sum + (digit[other] === digit[place] ? 0 : 1 << i), 0);
    return total(row) && `${likeliest(row)}` !== `${likeliest(rows[place])}` ? [{ other, mask }] : [];
  });
  const differ = new Set(others.map(({ mask }) => mask)), ranks = (bad) =>
    Array.from({ length: 2 ** d.cards.length }, (_, mask) => Number(bad(mask)));
  return {
    reasons: minimalSets(ranks((mask) => [...differ].some((change) => !(change & mask)))),
    changes: minimalSets(ranks((mask) => !differ.has(mask))).sort((a, b) => size(a) - size(b)).flatMap((change) =>
      others.flatMap(({ other, mask }) => (mask === change ? [{ mask, other }] : []))),
  };
}

// People

// The possible states of a subset: their weights by class, the class that is guessed (the first of those that tie), and
// the weight that is judged wrongly.
export const judged = (d, table) => rowsOf(table, d.classes).flatMap((row, state) => {
  const sum = total(row), [guess] = likeliest(row);
  return sum ? [{ state, row, sum, guess, wrong: sum - row[guess] }] : [];
});

// By cell so many dots in proportion to the weights, by largest remainder: of equal remainders the first gets one more. If
// cells are many, this would favor the heavy ones, whose guess is right. Then the dots stand at equal distances along the
// weights, class by class.
export function dotsOf({ classes, weights }, dots) {
  const whole = total(weights), all = weights.map((weight) => weight * BigInt(dots)), found = all.map((one) => Number(one / whole));
  if (4 * weights.filter(Boolean).length <= dots || whole <= dots) {
    const order = all.map((_, i) => i).sort((i, j) => plain.sign(all[j] % whole - all[i] % whole) || i - j);
    for (const i of order.slice(0, dots - found.reduce((a, b) => a + b))) found[i] += 1;
    return found;
  }
  let placed = 0, sum = 0n;
  for (let y = 0; y < classes; y += 1)
    for (let cell = y; cell < found.length; cell += classes) {
      sum += all[cell];
      for (found[cell] = 0; BigInt(2 * placed + 1) * whole < 2n * sum; placed += 1) found[cell] += 1;
    }
  return found;
}
