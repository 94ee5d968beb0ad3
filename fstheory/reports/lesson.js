// Lesson mode: numbers are hidden, and questions are asked. A guess comes first, then the numbers that it was about.
import { backwardSearch, optimalOfSize, size } from "./exact.js";
import { make } from "./elements.js";

const upTo = (k) => (mask) => size(mask) <= k;
const everything = () => true;
const SAID = /^(~?(\d{1,3}|none)|yes|no|shown)$/; // ~: at the second try

// Questions made from the lattice, or those that a lecturer gave. The answer is true, false, or the subsets of which each
// is right; null is for a question that the class discusses.
export function questionsOf(lattice) {
  const { data, full, losses, n } = lattice, all = lattice.name(full), target = data.target;
  const own = (data.questions ?? []).map((question) => ({ ...question, shows: everything, asked: everything }));
  if (own.length) return own;
  const best = (k) => [...optimalOfSize(losses)].filter((mask) => size(mask) === k);
  const spared = data.features.map((_, i) => full ^ 1 << i).filter((mask) => losses[mask] === losses[full]);
  const inside = best(2).some((pair) => best(1).some((one) => pair & one));
  const look = `${lattice.editor ? "Open “Weights: change them” below the picture. " : ""}For each value of a feature, add up each ` +
    "column of weights. The largest sum is that of the best guess. The other sums are judged wrongly.";
  const single = { text: `Which single feature predicts ${target} best?`, asked: (mask) => size(mask) === 1, answer: best(1),
    shows: upTo(1), hint: look };
  const pairs = [
    { text: `Which two features together predict ${target} best?`, asked: (mask) => size(mask) === 2, answer: best(2),
      shows: upTo(2), hint: "The best pair need not contain the best single feature." },
    { text: "Does a best pair contain a best single feature?", answer: inside, shows: upTo(2),
      hint: "Find the best box of the pairs, and the best box of the single features. Compare the names." }];
  const rest = [
    { text: `Take one feature away from ${all}. Which box loses nothing?`, none: true, asked: (mask) => size(mask) === n - 1,
      answer: spared, shows: (mask) => size(mask) <= Math.min(n, 2) - (n < 3) || size(mask) >= n - 1,
      hint: "Nothing is lost if you would guess the same everywhere without the feature." },
    { text: `Backward search starts with ${all}. Again and again, it takes away the first feature, in the order of the names, that can go without a loss. ` +
      "Where does it end?", asked: everything, answer: [backwardSearch(losses, full).end], shows: everything,
      hint: "It ends where each step down loses something." },
    { text: `Is every box below ${all} worse?`, answer: losses.every((loss, mask) => mask === full || loss > losses[full]),
      shows: everything, hint: "One box below with the same number is enough for a no." }];
  return n ? [...(n > 1 ? [single] : []), ...(n > 2 ? pairs : []), ...rest] : rest.slice(2);
}

// Whether the number of a subset may be seen: of what has been answered, and of everything at the end.
export function seen({ ask }, questions, mask) {
  if (!ask || ask.said.length >= questions.length) return true;
  return questions.slice(0, ask.said.length).some(({ shows }) => shows(mask));
}

// Whether what was said is right; null where nothing was guessed.
function right({ answer }, said) {
  if (said === "shown" || answer === null) return null;
  if (typeof answer === "boolean") return said === (answer ? "yes" : "no");
  const last = said.replace("~", "");
  return last === "none" ? !answer.length : answer.includes(Number(last));
}

export class Lesson {
  constructor(lattice) {
    this.lattice = lattice;
    this.title = make("strong", {});
    this.question = make("p", { class: "fst-question" });
    this.buttons = make("p", { class: "fst-keep" });
    this.answer = make("p", { class: "fst-answer", "aria-live": "polite" });
    this.count = make("p", { class: "fst-note" });
    this.element = make("section", { class: "fst-lesson", "aria-label": "Questions" },
      this.title, this.question, this.buttons, this.answer, this.count);
  }

  // Show the question, and what can be done.
  show() {
    const { lattice, element } = this, { ask, questions } = lattice;
    element.hidden = !ask;
    if (!ask) return;
    ask.at = Math.min(ask.at, questions.length - 1, ask.said.length);
    const here = questions[ask.at], said = ask.said[ask.at], held = element.contains(document.activeElement);
    const found = ask.said.map((text, i) => right(questions[i], text));
    const guesses = found.filter((one) => one !== null), hits = found.filter((is, i) => is && !ask.said[i].startsWith("~")).length;
    const { lesson } = lattice.data, place = `uestion ${ask.at + 1} of ${questions.length}`;
    this.title.textContent = lesson ? `${lesson} (q${place})` : `Q${place}`;
    this.question.textContent = here.text;
    this.buttons.replaceChildren(...(said === undefined ? this.guesses(here) : this.onward(questions, here)));
    this.answer.textContent = said === undefined ? this.helped(here) : this.told(here, said);
    this.count.textContent = guesses.length ? `Right at the first guess: ${hits} of ${guesses.length}.` : "";
    if (held) this.buttons.querySelector("button:enabled")?.focus();
  }

  // What can be guessed.
  guesses({ answer, asked, hint, none }) {
    const { lattice } = this, { current } = lattice, fits = asked?.(current);
    const say = (text, said, disabled = false) => this.button(text, () => this.say(said), disabled);
    const kinds = { boolean: [say("Yes", "yes"), say("No", "no")],
      object: answer && [say(fits ? `Guess ${lattice.name(current)}` : "Choose a box, then guess", `${current}`, !fits)] };
    return [...(kinds[typeof answer] ?? []), ...(none ? [say("No box", "none")] : []),
      ...(hint ? [this.button("Hint", () => { this.hinted = lattice.ask.at; this.show(); })] : []),
      say("Show the answer", "shown")];
  }

  onward(questions, { answer }) {
    const { lattice } = this, { ask } = lattice, go = (by) => () => { ask.at += by; lattice.refresh(); };
    const [mask] = (Array.isArray(answer) && lattice.values.key === "zero_one" && answer) || [];
    return [...(ask.at ? [this.button("Previous question", go(-1))] : []),
      ...(ask.at < questions.length - 1 ? [this.button("Next question", go(1))] : []),
      ...(mask === undefined ? [] : [this.button(`Where does ${lattice.boxed(mask)} come from?`, () => lattice.crowd.open(mask))])];
  }

  button(text, onclick, disabled = false) { return make("button", { type: "button", onclick, disabled }, text); }

  say(said) {
    const { lattice } = this, { ask } = lattice, { answer } = lattice.questions[ask.at];
    const again = ask.missed?.at === ask.at, is = right({ answer }, said);
    if (Array.isArray(answer) && is === false && !again) {
      ask.missed = { at: ask.at, said };
      this.show();
      return;
    }
    ask.said[ask.at] = again && is ? `~${said}` : said;
    if (Array.isArray(answer) && answer.length && !answer.includes(lattice.current)) {
      Object.assign(lattice, { current: answer[0], walk: [] });
      lattice.told.textContent = "";
    }
    this.lattice.refresh();
  }

  // What helps before the answer: the first wrong guess, and the hint if it was asked for.
  helped({ hint }) {
    const { lattice, hinted } = this, { at, missed } = lattice.ask;
    const wrong = missed?.at === at && (missed.said === "none" ? "There is such a box." : `${lattice.name(Number(missed.said))} is not right.`);
    return [wrong && `${wrong} Try once more.`, hinted === at && hint].filter(Boolean).join(" ");
  }

  // What is the case, after a guess.
  told(question, said) {
    const { lattice } = this, { answer } = question, is = right(question, said);
    if (answer === null) return ["All numbers are shown.", question.right].filter(Boolean).join(" ");
    const why = (is === false && question.wrong) || question.right, because = why ? ` ${why}` : "";
    const valued = (mask) => `${lattice.name(mask)} (${lattice.worded(mask)})`;
    const names = typeof answer === "boolean" ? (answer ? "Yes" : "No") : answer.map(valued).join(" or ") || "no box";
    if (is) return `Right${said.startsWith("~") ? " at the second try" : ""}: ${names}.${because}`;
    const guess = /^\d+$/.test(said) ? valued(Number(said)) : said === "none" ? "no box" : said;
    return `${is === null ? "" : `You guessed ${guess}. `}The answer is: ${names}.${because}`;
  }
}

// The state of a lesson as texts, and back; null if a text is none of a lesson.
export const lessonTexts = ({ ask }) => ({ ask: ask ? `${ask.at + 1}` : "", said: ask ? ask.said.join(",") : "" });
export function lessonOf({ ask, said = "" }) {
  const texts = said.split(",").filter(Boolean);
  if (!/^[1-9]\d{0,2}$/.test(ask) || !texts.every((text) => SAID.test(text))) return null;
  return { at: Number(ask) - 1, said: texts };
}
