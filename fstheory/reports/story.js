// The picture in sentences: what a number in a box means, and a caption that follows every state of the page. The
// meaning comes first, then the term of the theory, with the glossary's sentence on hover and focus.
import { largest, minimalSets, plain, rowsOf, size } from "./exact.js";
import { make } from "./elements.js";

const MOST_DIGITS = 6; // of a total that is counted: a larger one is a fraction
let tips = 0;

// A term with its sentence, or the word alone where the glossary has none.
export function term({ data }, word, key = word) {
  const sentence = data.terms?.[key], id = `fst-tip-${tips += 1}`;
  if (!sentence) return word;
  return make("span", { class: "fst-defined" }, make("button", { type: "button", class: "fst-term", "aria-describedby": id }, word),
    make("span", { class: "fst-tip", role: "tooltip", id }, sentence));
}

// What the weights count: the noun after their total in the story, or cases.
export function unitOf({ story = "" }, whole) {
  return new RegExp(`(?<![\\d,])${whole} (\\p{L}+)`, "u").exec(story)?.[1] ?? "cases";
}

// Whether errors are counted here: of a criterion that is a part of the weights, whose total can be read.
export const counts = ({ values }, { key, errors, whole, numbers } = values) =>
  key === "zero_one" && Boolean(errors) && numbers === plain && `${whole}`.length <= MOST_DIGITS;

// What a number in a box means.
export function meaning(lattice) {
  const { column, data, unit } = lattice;
  const what = term(lattice, column.name);
  if (column.key !== "zero_one")
    return [`A number in a box says how well ${data.target} `, "can be predicted if you know only the features in the box. ",
      column.largerIsBetter ? "Larger is better. " : "Smaller is better. ", "It is the ", what, column.key === "logarithmic" ? ", in nats." : "."];
  const most = counts(lattice) ? `how many of ${column.whole} ${unit}` : "which share of all cases";
  return [`Features are what you may know before you guess “${data.target}”. A number in a box says ${most} you judge wrongly if you `,
    "know only the features in the box and always make the most probable guess. It is the ", what, "."];
}

const listed = (names) => (names.length < 2 ? names.join("") : `${names.slice(0, -1).join(", ")} and ${names[names.length - 1]}`);
const namesIn = ({ data }, mask) => listed(data.features.filter((_, i) => mask >> i & 1));

// The subset that a step is taken from: the last of the path, or the chosen one if a neighbor of it is pointed at.
function before({ walk, current }, mask) {
  const from = mask === current ? walk[walk.length - 2] : current;
  return from !== undefined && size(from ^ mask) === 1 ? from : null;
}

// A caption of the subset that is told of.
export function caption(lattice, mask) {
  const { losses, trace } = lattice, from = before(lattice, mask);
  if (!lattice.seen(mask)) return [`How good is ${lattice.name(mask)}? Its number is hidden until you have guessed.`];
  if (trace && mask === lattice.current) return [trace.result];
  if (from !== null && lattice.seen(from)) return [step(lattice, from, mask)];
  if (!lattice.allSeen || !minimalSets(losses).includes(mask)) return [alone(lattice, mask)];
  const none = mask ? "No other subset does better, and each smaller one inside it does worse" : "No feature does better";
  return [`${alone(lattice, mask)} ${none}: it is a `, term(lattice, "minimal-optimal subset"), ", S*."];
}

function step(lattice, from, to) {
  const { column, data, unit } = lattice, { ranks, errors, whole } = column, adds = to > from;
  const feature = data.features[Math.log2(from ^ to)];
  const start = `${adds ? "Adding" : "Removing"} ${feature} ${adds ? "to" : "from"} ${lattice.name(from)}`;
  if (ranks[from] === ranks[to]) return `${start} changes nothing: the thick line.`;
  const better = (ranks[to] > ranks[from]) === column.largerIsBetter;
  if (!counts(lattice)) return `${start} makes the ${column.name} ${better ? "better" : "worse"}: ${lattice.worded(to)} instead of ${lattice.worded(from)}.`;
  const gap = better ? errors[from] - errors[to] : errors[to] - errors[from];
  return `${start} ${better ? "saves" : "costs"} ${gap} of ${whole} ${unit}: ${errors[to]} instead of ${errors[from]} are judged wrongly.`;
}

function alone(lattice, mask) {
  const { column, data, d, tables, unit } = lattice;
  const known = !mask ? "nothing" : mask === lattice.full && lattice.n > 1 ? "all features" : `only ${namesIn(lattice, mask)}`;
  if (column.key !== "zero_one") return `If you know ${known}, the ${column.name} is ${lattice.worded(mask)}.`;
  const wrong = counts(lattice) ? `${column.errors[mask]} of ${column.whole} ${unit} are judged wrongly`
    : `the best guess is wrong with probability ${lattice.worded(mask)}`;
  if (mask || !tables) return `If you know ${known}, ${wrong}.`;
  const [row] = rowsOf(tables[0], d.classes), best = data.classes.find((_, y) => row[y] === largest(row));
  return `If you know nothing, you always say “${data.target} is ${best}”, and ${wrong}.`;
}
