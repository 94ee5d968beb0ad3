// The words of the page in one language: `data.words`, a table made from a file of words/. See language.py for how to add
// a word or a language. `say(data, key, holes)` returns the text of a key with its holes filled in. If a text has plural
// forms, the hole `count` chooses the form.

// The texts and elements that a sentence consists of: a hole may be an element.
export function pieces({ words }, key, holes = {}) {
  const found = words[key], text = found.other ? found[new Intl.PluralRules(words.language).select(Number(holes.count))] ?? found.other : found;
  return text.split(/\{(\w+)\}/).map((part, i) => (i % 2 ? holes[part] : part));
}

export const say = (data, key, holes) => pieces(data, key, holes).join("");

// Names joined by "and" or by "or", from a text with the holes `one` and `other`.
export const joined = (data, key, names) =>
  names.slice(1).reduce((one, other) => say(data, key, { one, other }), names[0] ?? "");

// A number with the decimal mark of the language.
export const pointed = ({ words }, text) => text.replace(/(\d)\.(?=\d)/g, `$1${words.point}`);

// A name or a formula that stands beside other words without being in a hole: it keeps its own direction.
export const isolated = ({ words }, name) => (words.direction === "rtl" ? `\u2068${name}\u2069` : name);
