// Where the subsets stand, by size or by value, with their axis. Floats place boxes and decide nothing: what comes
// before what is a matter of ranks.
import { size } from "./exact.js";

const TIED = 5; // how many of equal value are side by side
const PROJECTED = 960; // the width of large type: what a projector of 1024 pixels leaves
const LETTER = 0.62; // an ordinary letter, as a part of the size of type
export const PHONE = 480; // below this width the picture has a phone's type

const reversed = (mask, n) => Array.from({ length: n }, (_, i) => (mask >> i & 1 ? 0 : 1)).reduce((a, b) => 2 * a + b, 0);
const inOrder = (n) => (a, b) => size(a) - size(b) || reversed(a, n) - reversed(b, n);

// The subsets that are shown, with places of boxes (x, y) and of dots (u, v), and the lines that arrow keys follow.
export function places(lattice) {
  const shown = Array.from({ length: lattice.full + 1 }, (_, mask) => mask)
    .filter((mask) => size(mask) <= lattice.most).sort(inOrder(lattice.n));
  const levels = [...new Set(shown.map(size))].map((k) => shown.filter((mask) => size(mask) === k));
  return lattice.by === "size" ? bySize(lattice, shown, levels) : byValue(lattice, shown, levels);
}

// The type of the picture in pixels, the room from left to right, that of the axis, and gaps: beside a box, below a row
// of a level, below a level. A phone and a projector have pixels of their own; elsewhere the picture is scaled.
export function typeOf({ by, dense, large, n, narrow, width }) {
  if (narrow) return { font: 14, small: 14, room: width - 24, side: by === "value" ? 64 : 4, row: 12, gaps: [6, 6, 18] };
  const font = dense || (by === "value" && n > 3) ? 14 : 20;
  if (large && dense) return { font, small: font, room: Math.max(PROJECTED, width), side: 4.6 * font, row: 12, gaps: [6, 4, 9] };
  if (large) return { font, small: font, room: PROJECTED, side: 5 * font, row: 12, gaps: [12, 6, 24] };
  if (dense) return { font: 11, small: 10, room: Infinity, side: 64, row: 12, gaps: [14, 13, 30] };
  return { font: 12, small: 11, room: Infinity, side: 64, row: 10, gaps: [22, 13, 56] };
}

// How wide a text is, in pixels of type of a size: measured, so that names in any script fit.
let measuring = null;
export function widthOf(text, font) {
  measuring ??= document.createElement("canvas").getContext("2d");
  measuring.font = "100px system-ui, sans-serif";
  return measuring.measureText(text).width * font / 100;
}

// As how many letters of ordinary width a text is wide.
export const letters = (text) => widthOf(text, 1) / LETTER;

// Room for a name above a value.
function roomFor(lattice, shown) {
  const { dense } = lattice, { font, small } = typeOf(lattice);
  const names = Math.max(...shown.map((mask) => widthOf(lattice.short(mask), font)));
  const height = font > 13 ? 1.3 * (font + small) : dense ? 29 : 34;
  return [Math.max(dense ? 40 : 58, names + 12, valueRoom(lattice, shown) + 10), height];
}

function valueRoom(lattice, shown) {
  const texts = lattice.family ? ["00000000"] : shown.map((mask) => lattice.boxed(mask)), { small } = typeOf(lattice);
  return Math.max(...texts.map((text) => widthOf(text, small)));
}

// Levels upward from the smallest, each in one row or in a few.
function bySize(lattice, shown, levels) {
  const box = roomFor(lattice, shown), { side: SIDE, room, row: most, gaps } = typeOf(lattice);
  const [dx, dy, rise] = [box[0] + gaps[0], box[1] + gaps[1], box[1] + gaps[2]];
  const beside = Math.max(1, Math.min(most, Math.floor((room - SIDE - 12) / dx)));
  const split = levels.map((level) => {
    const count = Math.ceil(level.length / beside), each = Math.ceil(level.length / count);
    return Array.from({ length: count }, (_, i) => level.slice(i * each, (i + 1) * each));
  });
  const widest = Math.max(...split.flat().map((row) => row.length));
  const width = Math.max(Math.min(320, room), widest * dx + 12 + SIDE);
  const at = new Map(), lines = [], ticks = [];
  let up = box[1] / 2 + 14;
  split.forEach((rows, k) => {
    ticks.push({ text: `|S| = ${size(rows[0][0])}`, y: up + (rows.length - 1) * dy / 2 });
    [...rows].reverse().forEach((row, i) => {
      row.forEach((mask, j) => at.set(mask, {
        x: SIDE + (width - SIDE) / 2 + (j - (row.length - 1) / 2) * dx, y: up + i * dy, w: box[0], line: lines.length, place: j }));
      lines.push(row);
    });
    up += (rows.length - 1) * dy + (k < split.length - 1 ? rise : 0);
  });
  const height = up + box[1] / 2 + 14;
  for (const place of at.values()) { place.y = height - place.y; [place.u, place.v] = [place.x, place.y]; }
  return { at, lines, upright: false, box, width, height, ticks: ticks.map(({ text, y }) => ({ text, y: height - y })) };
}

// A column for each size; the dot of a subset is as high as its value, its box beside it as near as the others allow.
// Of more than 5 features the boxes are small and empty, and those of equal value stand side by side before it.
function byValue(lattice, shown, levels) {
  const { values: column, dense, family } = lattice, before = inOrder(lattice.n), { ranks } = column;
  const { font, side: SIDE } = typeOf(lattice);
  const box = dense ? [font, font - 1] : roomFor(lattice, shown), apart = box[1] + (dense ? 3 : 13), across = box[0] + 2;
  const columns = levels.map((masks) => {
    const ordered = [...masks].sort((a, b) => ranks[a] - ranks[b] || before(b, a));
    const rows = dense ? tied(ordered, ranks) : ordered.map((mask) => ({ row: [mask], up: 0, middle: true }));
    const side = Math.max(...rows.map(({ row }) => row.length), dense && family ? Math.min(TIED, masks.length) : 1);
    return { ordered, rows, wide: dense ? side * across + valueRoom(lattice, masks) : box[0] };
  });
  const leader = dense || font > 13 ? 20 : 26, between = leader + (dense || font > 13 ? 16 : 36);
  const start = (k) => SIDE + 20 + k * between + columns.slice(0, k).reduce((sum, { wide }) => sum + wide, 0);
  const most = Math.max(...columns.map(({ rows, ordered }) => (family ? ordered : rows).length));
  const tall = Math.max(dense ? 420 : 300, most * apart * 1.05), [top, foot] = [box[1] / 2 + 14, 2.5 * font + box[1] / 2];
  const beyond = dense ? 14 + widthOf(`${lattice.short(lattice.full)}0000`, font) : 12; // for the name of the last one
  const width = Math.max(320, start(levels.length) - between + leader + beyond), height = top + tall + foot;
  const { share, ticks } = scaleOf(column, shown, lattice.range), level = (part) => top + tall * (1 - part);
  const at = new Map();
  columns.forEach(({ ordered, rows }, k) => {
    const u = start(k), heights = spread(rows.map(({ row, up }) => share(row[0]) * tall + up * apart), apart, tall);
    rows.forEach(({ row, middle }, i) => row.forEach((mask, j) => at.set(mask, {
      x: u + leader + box[0] / 2 + j * across, y: top + tall - heights[i], w: box[0], u, v: level(share(mask)),
      line: k, place: ordered.indexOf(mask), first: middle && j === 0, last: middle && j === row.length - 1 })));
  });
  const feet = columns.map(({ ordered: [mask], wide }, k) =>
    ({ text: `|S| = ${size(mask)}`, x: start(k) + leader + wide / 2, y: height - 8 }));
  return { at, lines: columns.map(({ ordered }) => ordered), upright: true, small: dense, box, width, height, feet,
    axis: { x: SIDE, from: level(0), to: level(1) },
    ticks: ticks.map(({ text, part }) => ({ text, y: level(part), grid: true })) };
}

// Subsets of equal value in rows, with how many rows each stands above the middle of its group.
function tied(ordered, ranks) {
  const groups = [...new Set(ordered.map((mask) => ranks[mask]))]
    .map((rank) => ordered.filter((mask) => ranks[mask] === rank));
  return groups.flatMap((group) => {
    const count = Math.ceil(group.length / TIED);
    return Array.from({ length: count }, (_, i) =>
      ({ row: group.slice(i * TIED, (i + 1) * TIED), up: i - (count - 1) / 2, middle: i === count >> 1 }));
  });
}

// Heights at least so far apart, in the order given, as near to the wishes as that allows: pool adjacent violators.
function spread(wishes, apart, tall) {
  const blocks = [];
  wishes.forEach((wish, i) => {
    blocks.push({ sum: wish - i * apart, count: 1 });
    for (let k = blocks.length - 1; k > 0 && blocks[k - 1].sum / blocks[k - 1].count > blocks[k].sum / blocks[k].count; k -= 1) {
      const { sum, count } = blocks.pop();
      blocks[k - 1].sum += sum;
      blocks[k - 1].count += count;
    }
  });
  const room = Math.max(0, tall - (wishes.length - 1) * apart);
  const feet = blocks.flatMap(({ sum, count }) => Array(count).fill(Math.min(Math.max(sum / count, 0), room)));
  return feet.map((foot, i) => foot + i * apart);
}

// A column as floats: what it is, for the height of a box.
export function floats({ exact, decimal, errors, whole, numbers }) {
  if (errors) return errors.map((e) => Number(numbers.decimal(e, whole, 15)));
  const big = exact.map((text) => (/^-?\d+(\/\d+)?$/.test(text) ? text.split("/").map(BigInt) : null));
  return big.map((parts, i) => (parts ? Number(parts[0] * 10n ** 15n / (parts[1] ?? 1n)) / 1e15 : Number(decimal[i])));
}

// The part of the axis below each value, and ticks; logarithmic where the positive values differ a thousandfold.
function scaleOf(column, shown, range) {
  const values = floats(column), { ranks, decimal, exact } = column;
  const low = shown.reduce((a, b) => (ranks[b] < ranks[a] ? b : a));
  const high = shown.reduce((a, b) => (ranks[b] > ranks[a] ? b : a));
  const [from, to] = range ?? [values[low], values[high]];
  const sizes = shown.map((mask) => Number(decimal[mask])).filter((value) => value > 0);
  const [least, most] = [Math.min(...sizes), Math.max(...sizes)];
  if (!range && from >= 0 && most > 1000 * least)
    return logarithmic(decimal, ranks[low], ranks, least, most, from === 0);
  if (ranks[low] === ranks[high] && !range) return { share: () => 0, ticks: [{ text: decimal[low], part: 0 }] };
  const exactly = range ? null : shares(exact, low, high);
  const share = (mask) => (exactly ? exactly(mask) : to > from ? (values[mask] - from) / (to - from) : 0);
  const few = [{ text: decimal[low], part: 0 }, { text: decimal[high], part: 1 }];
  const power = 10 ** Math.floor(Math.log10((to - from) / 7));
  const step = [1, 2, 5, 10].map((k) => k * power).find((k) => (to - from) / k <= 7);
  if (!(to - from > 1e-5 * Math.abs(to)) || step === undefined) return { share, ticks: few };
  const first = Math.ceil(from / step - 1e-9), count = Math.floor(to / step + 1e-9) - first + 1;
  const digits = Math.max(0, -Math.floor(Math.log10(step) + 1e-9));
  const ticks = Array.from({ length: count }, (_, i) => (first + i) * step);
  return { share, ticks: ticks.map((value) => ({ text: marked(value, digits), part: (value - from) / (to - from) })) };
}

const marked = (value, digits) => (digits > 5 && value ? `${Number(value.toPrecision(3)).toExponential()}` : value.toFixed(digits));

// Parts of the distance between two values, from their exact texts, so that a narrow range far from zero can be drawn.
function shares(exact, low, high) {
  const big = exact.map((text) => (/^-?\d+(\/\d+)?$/.test(text) ? text.split("/").map(BigInt) : null));
  if (big.includes(null)) return null;
  const over = (a, b) => [a[0] * (b[1] ?? 1n) - b[0] * (a[1] ?? 1n), (a[1] ?? 1n) * (b[1] ?? 1n)];
  const [whole, below] = over(big[high], big[low]);
  return (mask) => {
    const [part, under] = over(big[mask], big[low]);
    return Number(part * below * 10n ** 12n / (under * whole)) / 1e12;
  };
}

function logarithmic(decimal, lowest, ranks, least, most, zero) {
  const foot = zero ? 0.1 : 0, span = Math.log10(most / least);
  const part = (value) => (value > 0 ? foot + (1 - foot) * Math.log10(value / least) / span : 0);
  const powers = [];
  for (let k = Math.ceil(Math.log10(least) - 1e-9); k <= Math.log10(most) + 1e-9; k += 1) powers.push(k);
  const kept = powers.filter((_, i) => i % (Math.floor(powers.length / 9) + 1) === 0);
  const ticks = kept.map((k) =>
    ({ text: k >= -3 && k <= 3 ? `${Number(`1e${k}`)}` : `1e${k}`, part: part(Number(`1e${k}`)) }));
  return { share: (mask) => (ranks[mask] === lowest && zero ? 0 : part(Number(decimal[mask]))),
    ticks: [...(zero ? [{ text: "0", part: 0 }] : []), ...ticks], log: true };
}
