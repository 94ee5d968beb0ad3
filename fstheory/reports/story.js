// The picture in sentences: what a number in a box means, and a caption that follows every state of the page. The
// meaning comes first, then the term of the theory, with the glossary's sentence on hover and focus.
import { largest, minimalSets, plain, rowsOf, size } from "./exact.js";
import { make } from "./elements.js";
import { joined, pieces } from "./words.js";

const MOST_DIGITS = 6; // of a total that is counted: a larger one is a fraction
let tips = 0;

// A term with its sentence, or the word alone where the table has no sentence.
export function term({ data: { words } }, key) {
  const word = words[key], sentence = words[`${key}_means`], id = `fst-tip-${tips += 1}`;
  if (!sentence) return word;
  return make("span", { class: "fst-defined" }, make("button", { type: "button", class: "fst-term", "aria-describedby": id }, word),
    make("span", { class: "fst-tip", role: "tooltip", id }, sentence));
}

// All words of the page that have a sentence.
export function glossary({ data: { words } }) {
  const keys = Object.keys(words).filter((key) => `${key}_means` in words);
  const list = keys.flatMap((key) => [make("dt", {}, words[key]), make("dd", {}, words[`${key}_means`])]);
  return make("details", { class: "fst-screen" }, make("summary", {}, words.glossary), make("dl", {}, ...list));
}

// What the weights count: the noun after their total in the story, or cases.
export function unitOf({ story = "", words }, whole) {
  return new RegExp(`(?<![\\d,])${whole} (\\p{L}+)`, "u").exec(story)?.[1] ?? words.cases;
}

// Whether errors are counted here: of a criterion that is a part of the weights, whose total can be read.
export const counts = ({ values }, { key, errors, whole, numbers } = values) =>
  key === "zero_one" && Boolean(errors) && numbers === plain && `${whole}`.length <= MOST_DIGITS;

// What a number in a box means.
export function meaning(lattice) {
  const { column, data: { target }, data, unit } = lattice, { key, largerIsBetter, whole } = column;
  const sentence = key === "zero_one" ? (lattice.counting ? "meansCount" : "meansShare") : largerIsBetter ? "meansLarger" : "meansSmaller";
  return pieces(data, sentence, { target, whole, unit, nats: key === "logarithmic" ? data.words.nats : "", criterion: term(lattice, key) });
}

const listed = (data, names) => joined(data, "and", names.length < 2 ? names : [names.slice(0, -1).join(", "), names[names.length - 1]]);
const namesIn = ({ data }, mask) => listed(data, data.features.filter((_, i) => mask >> i & 1));

// The subset that a step is taken from: the last of the path, or the chosen one if a neighbor of it is pointed at.
function before({ walk, current }, mask) {
  const from = mask === current ? walk[walk.length - 2] : current;
  return from !== undefined && size(from ^ mask) === 1 ? from : null;
}

// A caption of the subset that is told of.
export function caption(lattice, mask) {
  const { losses, trace } = lattice, from = before(lattice, mask);
  if (!lattice.seen(mask)) return [lattice.say("hiddenNumber", { subset: lattice.name(mask) })];
  if (trace && mask === lattice.current) return [trace.result];
  if (from !== null && lattice.seen(from)) return [step(lattice, from, mask)];
  if (!lattice.allSeen || !minimalSets(losses).includes(mask)) return [alone(lattice, mask)];
  return [`${alone(lattice, mask)} `, ...pieces(lattice.data, mask ? "isMinimal" : "isMinimalEmpty", { term: term(lattice, "minimalOptimal") })];
}

function step(lattice, from, to) {
  const { column, data, unit } = lattice, { ranks, errors, whole } = column, adds = to > from;
  const feature = data.features[Math.log2(from ^ to)];
  const start = lattice.say(adds ? "adding" : "removing", { feature, subset: lattice.name(from) }), holes = { criterion: column.name, whole, unit };
  const ends = (key, value, old, gap) => `${start} ${lattice.say(key, { ...holes, value, old, gap })}`;
  if (ranks[from] === ranks[to]) return ends("stepSame");
  const better = (ranks[to] > ranks[from]) === column.largerIsBetter;
  if (!counts(lattice)) return ends(better ? "stepBetter" : "stepWorse", lattice.worded(to), lattice.worded(from));
  const gap = better ? errors[from] - errors[to] : errors[to] - errors[from];
  return ends(better ? "stepSaves" : "stepCosts", errors[to], errors[from], gap);
}

function alone(lattice, mask) {
  const { column, data, d, tables, unit } = lattice;
  const known = !mask ? data.words.nothing : mask === lattice.full && lattice.n > 1 ? data.words.allFeatures
    : lattice.say("onlyThese", { features: namesIn(lattice, mask) });
  if (column.key !== "zero_one") return lattice.say("ifKnownValue", { known, criterion: column.name, value: lattice.worded(mask) });
  const wrong = counts(lattice) ? lattice.say("wrongCount", { part: column.errors[mask], whole: column.whole, unit })
    : lattice.say("wrongShare", { value: lattice.worded(mask) });
  if (mask || !tables) return lattice.say("ifKnown", { known, wrong });
  const [row] = rowsOf(tables[0], d.classes), best = data.classes.find((_, y) => row[y] === largest(row));
  return lattice.say("ifNothing", { target: data.target, best, wrong });
}
