// A short text that carries the answers and the menus of a page, to be read out or pasted, and the tally of a class.
import { make } from "./elements.js";
import { MOST_MOVED } from "./goal.js";
import { heads } from "./parts.js";
import { lessonOf, right } from "./lesson.js";
import { stateOf, startOf } from "./state.js";
import { pieces } from "./words.js";

const LETTERS = "23456789ABCDEFGHJKMNPQRSTUVWXYZ"; // 31, a prime: one wrong letter, or two that change places, is seen
const BASE = BigInt(LETTERS.length), NAME = 3; // letters that name the lesson

const grouped = (text) => text.replace(/(.{4})(?=.)/g, "$1-");
const lettersOf = (number, length) => Array.from({ length }, (_, i) => LETTERS[Number(number / BASE ** BigInt(length - 1 - i) % BASE)]).join("");
const numberOf = (text) => [...text].reduce((sum, letter) => sum * BASE + BigInt(LETTERS.indexOf(letter)), 0n);
const checkOf = (text) => LETTERS[[...text].reduce((sum, letter, i) => sum + (i % 30 + 1) * LETTERS.indexOf(letter), 0) % LETTERS.length];
const range = (length) => Array.from({ length }, (_, i) => `${i}`);

// Three letters that two different lessons hardly share.
function nameOf(text) {
  let hash = 2166136261;
  for (const letter of text) hash = Math.imul(hash ^ letter.codePointAt(0), 16777619) >>> 0;
  return lettersOf(BigInt(hash) % BASE ** BigInt(NAME), NAME);
}

// The answers that a question can have, and none at first.
function answersOf({ answer, goal }, n) {
  const twice = (texts) => [...texts, ...texts.map((text) => `~${text}`)];
  if (goal) return ["", "shown", ...twice(range(MOST_MOVED + 1).map((count) => `moved${count}`))];
  if (answer === null) return ["", "shown"];
  return ["", "shown", ...(typeof answer === "boolean" ? ["yes", "no"] : twice([...range(2 ** n), "none"]))];
}

export class Code {
  constructor(lattice) {
    this.lattice = lattice;
    const { data } = lattice, { words } = data;
    const named = [data.features, data.states, data.target, data.classes, `${lattice.given}`, data.lesson, data.questions];
    this.name = nameOf(JSON.stringify(named, (key, value) => (key === "words" ? undefined : value))); // the same in all languages
    const button = (text, onclick) => make("button", { type: "button", onclick }, text);
    this.own = make("output", { class: "fst-code" });
    this.codes = make("textarea", { rows: 4, "aria-label": words.codeField, spellcheck: "false" });
    this.result = make("div", { "aria-live": "polite" });
    this.element = make("details", { class: "fst-codes fst-screen" }, make("summary", {}, words.codes),
      make("p", {}, ...pieces(data, "codeOwn", { code: this.own })), make("p", {}, words.codeClass), this.codes,
      make("p", { class: "fst-keep" }, button(words.codeCount, () => this.count()), button(words.codeGoOn, () => this.goOn())), this.result);
  }

  // What a code holds: for each part of the state the texts that it can have. Answers come last.
  fields() {
    const { lattice } = this, { n, full, menu, questions } = lattice, kinds = Object.keys(lattice.marks);
    const marks = range(2 ** kinds.length).map((set) => kinds.filter((_, i) => Number(set) >> i & 1).join(","));
    const parts = { by: ["size", "value"], criterion: menu.map(({ key }) => key), upto: ["", ...range(n)], marks,
      numbers: ["fractions", "decimals", "counts"], dots: ["", "1"], large: ["", "1"], S: ["", ...range(full)],
      ask: ["", ...range(questions.length).map((i) => `${Number(i) + 1}`)] };
    return { parts: Object.entries(parts), answers: questions.map((question) => answersOf(question, n)) };
  }

  // The code of a state.
  text() {
    const { parts, answers } = this.fields(), state = { ...startOf(this.lattice), ...stateOf(this.lattice) }, said = (state.said ?? "").split(",");
    const digits = [...parts.map(([key, texts]) => [texts.indexOf(state[key] ?? ""), texts.length]),
      ...answers.map((texts, i) => [texts.indexOf(said[i] ?? ""), texts.length])];
    const number = digits.reduce((sum, [digit, base]) => sum * BigInt(base) + BigInt(Math.max(0, digit)), 0n);
    const body = this.name + lettersOf(number, this.length(digits.map(([, base]) => base)));
    return grouped(body + checkOf(body));
  }

  // How many letters the state takes.
  length(bases) {
    const all = bases.reduce((whole, base) => whole * BigInt(base), 1n);
    let length = 0;
    while (BASE ** BigInt(length) < all) length += 1;
    return length;
  }

  // The state of a code, or why it is none of this page. A name and a colon may stand before it.
  read(given) {
    const { lattice } = this, text = given.replace(/^.*:/, "").toUpperCase().replace(/[\s-]/g, ""), wrong = [...text].find((letter) => !LETTERS.includes(letter));
    if (wrong) return { why: lattice.say("codeLetter", { letter: wrong, letters: LETTERS }) };
    const { parts, answers } = this.fields(), bases = [...parts.map(([, texts]) => texts.length), ...answers.map((texts) => texts.length)];
    const length = NAME + this.length(bases) + 1, body = text.slice(0, -1);
    if (text.length > NAME && !text.startsWith(this.name) && checkOf(body) === text.at(-1))
      return { why: lattice.say("codeForeign", { lesson: text.slice(0, NAME), name: this.name }) };
    if (text.length !== length) return { why: lattice.say("codeLength", { given: text.length, length }) };
    if (checkOf(body) !== text.at(-1) || !text.startsWith(this.name)) return { why: lattice.data.words.codeWrong };
    let number = numberOf(body.slice(NAME));
    const digits = [...bases].reverse().map((base) => {
      const digit = Number(number % BigInt(base));
      number /= BigInt(base);
      return digit;
    }).reverse();
    if (number) return { why: lattice.data.words.codeWrong };
    const said = answers.map((texts, i) => texts[digits[parts.length + i]]), open = said.indexOf("");
    return { state: { ...Object.fromEntries(parts.map(([key, texts], i) => [key, texts[digits[i]]])),
      said: said.slice(0, open < 0 ? said.length : open).join(",") } };
  }

  show() { return this.own.textContent = this.text(); }

  goOn() {
    const { state, why } = this.read(this.codes.value);
    if (state) this.lattice.take(state);
    else this.result.replaceChildren(make("p", { class: "fst-error" }, why));
  }

  // Count the answers in the codes, one a line, and name the lines that are refused.
  count() {
    const lines = this.codes.value.split("\n").map((line) => line.trim()), found = lines.map((line) => line && this.read(line));
    const good = found.filter((one) => one && one.state).map(({ state }) => lessonOf({ ask: state.ask || "1", said: state.said }).said);
    const bad = found.flatMap((one, i) => (one && one.why ? [this.lattice.say("codeLine", { line: i + 1, code: lines[i].slice(0, 40), why: one.why })] : []));
    const { questions } = this.lattice;
    this.result.replaceChildren(make("p", {}, this.lattice.say("codeCounted", { good: good.length, bad: bad.length })),
      ...(bad.length ? [make("ul", { class: "fst-error" }, ...bad.map((text) => make("li", {}, text)))] : []),
      ...(good.length ? questions.map((question, i) => this.bars(question, i, good.map((said) => said[i] ?? ""))) : []));
  }

  // How many gave each answer to a question. What is right is said once the page has asked the question, even if nobody
  // gave that answer.
  bars(question, i, said) {
    const { lattice } = this, { words } = lattice.data, open = !lattice.ask || lattice.ask.said.length > i;
    const least = question.goal?.fewest, best = least ? [`moved${least}`]
      : answersOf(question, lattice.n).filter((text) => text && !question.goal && !text.startsWith("~") && right(question, text));
    const missing = open ? best.filter((text) => !said.includes(`~${text}`)) : [];
    const counts = [...new Set([...said, ...missing])].map((text) => [text, said.filter((one) => one === text).length]).sort((a, b) => b[1] - a[1]);
    return make("table", {}, make("caption", {}, `${i + 1}. ${question.text}`), heads([words.codeAnswer, words.codeShare, words.codeMany]),
      make("tbody", {}, ...counts.map(([text, count]) => make("tr", {},
        make("th", { scope: "row" }, this.worded(question, text, open)),
        make("td", { class: "fst-bars" }, make("div", { class: "fst-bar", style: `--part: ${100 * count / said.length}%` })),
        make("td", {}, `${count}`)))));
  }

  // An answer in words, with whether it is right once that is known.
  worded({ answer, goal }, said, open) {
    const { lattice } = this, { words } = lattice.data, last = said.replace("~", "");
    const named = { "": words.codeNone, shown: answer === null && !goal ? words.codeDiscussed : words.codeShown };
    const moved = /^moved(\d+)$/.exec(last);
    const text = named[last] ?? (moved ? lattice.goal.counted(moved[1]) : /\d/.test(last) ? lattice.name(Number(last)) : words[`guessed_${last}`]);
    const tried = said === last ? text : lattice.say("codeSecond", { answer: text });
    return open && said && right({ answer, goal }, said) ? lattice.say("codeRight", { answer: tried }) : tried;
  }
}
