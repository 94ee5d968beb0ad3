// Lesson mode: numbers are hidden, and questions are asked. A guess comes first, then the numbers that it was about.
import { backwardSearch, minimalSets, optimalOfSize, size } from "./exact.js";
import { make } from "./elements.js";
import { joined, say } from "./words.js";

const upTo = (k) => (mask) => size(mask) <= k;
const everything = () => true;
const SAID = /^(~?(\d{1,3}|none|moved\d{1,9})|yes|no|shown)$/; // ~: at the second try

// The boxes that a lecturer's question is about: those that its goal names, or those of the size of its answer.
function about({ answer, goal }) {
  if (goal) return (mask) => goal.comparisons.flat().includes(mask);
  return (mask) => Array.isArray(answer) && answer.some((one) => size(one) === size(mask));
}

// Questions made from the lattice, or those that a lecturer gave. The answer is true, false, or the subsets of which each
// is right; null is for a question that the class discusses.
export function questionsOf(lattice) {
  const { data, full, losses, n } = lattice, { target, words } = data, all = lattice.name(full);
  const own = (data.questions ?? []).map((question) => ({ ...question, own: true, shows: about(question), asked: everything }));
  if (own.length) return own;
  const best = (k) => [...optimalOfSize(losses)].filter((mask) => size(mask) === k);
  const spared = data.features.map((_, i) => full ^ 1 << i).filter((mask) => losses[mask] === losses[full]);
  const inside = best(2).some((pair) => best(1).some((one) => pair & one));
  const look = [...(lattice.editor ? [words.hintOpen] : []), words.hintSums].join(" ");
  const single = { text: say(data, "askSingle", { target }), asked: (mask) => size(mask) === 1, answer: best(1),
    shows: upTo(1), hint: look };
  const pairs = [
    { text: say(data, "askPair", { target }), asked: (mask) => size(mask) === 2, answer: best(2),
      shows: upTo(2), hint: words.hintPair },
    { text: words.askInside, answer: inside, shows: upTo(2),
      hint: words.hintInside }];
  const rest = [
    { text: say(data, "askSpared", { all }), none: true, asked: (mask) => size(mask) === n - 1,
      answer: spared, shows: (mask) => size(mask) <= Math.min(n, 2) - (n < 3) || size(mask) >= n - 1,
      hint: words.hintSpared },
    { text: say(data, "askSearch", { all }), asked: everything, answer: [backwardSearch(losses, full).end], shows: everything,
      hint: words.hintSearch },
    { text: say(data, "askWorse", { all }), answer: losses.every((loss, mask) => mask === full || loss > losses[full]),
      shows: everything, hint: words.hintWorse }];
  // The question of the story comes last, for discussion.
  const [story] = /^[^?]*\?/.exec(data.story) ?? [], subsets = joined(data, "and", minimalSets(losses).map((mask) => lattice.name(mask)));
  const told = story ? [{ text: story, answer: null, shows: everything, right: say(data, "storyAnswer", { subsets }) }] : [];
  return [...(n ? [...(n > 1 ? [single] : []), ...(n > 2 ? pairs : []), ...rest] : rest.slice(2)), ...told];
}

// Whether the number of a subset may be seen: of what has been answered, and of everything at the end. A lecturer's
// question shows only its own boxes, so that no question gives another one away. A goal shows them while people move.
export function seen({ ask }, questions, mask) {
  if (!ask || ask.said.length >= questions.length) return true;
  const { said } = ask, at = Math.min(ask.at, said.length), { goal, own, shows } = questions[at];
  if (own) return (at < said.length || Boolean(goal)) && (shows(mask) || said[at]?.replace("~", "") === `${mask}`);
  return questions.slice(0, said.length).some((one) => one.shows(mask));
}

// Whether what was said is right; null where nothing was guessed.
export function right({ answer, goal }, said) {
  if (goal && said !== "shown") return !goal.fewest || Number(said.replace(/\D/g, "")) <= goal.fewest;
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
    this.element = make("section", { class: "fst-lesson", "aria-label": lattice.data.words.questions },
      this.title, this.question, ...(lattice.goal ? [lattice.goal.element] : []), this.buttons, this.answer, this.count);
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
    const { lesson } = lattice.data, place = { lesson, at: ask.at + 1, all: questions.length };
    this.title.textContent = lattice.say(lesson ? "lessonPlace" : "lessonAt", place);
    this.question.textContent = [here.text, here.goal?.words].filter(Boolean).join(" ");
    this.buttons.replaceChildren(...(said === undefined ? this.guesses(here) : this.onward(questions, here)));
    this.answer.textContent = said === undefined ? this.helped(here) : this.told(here, said);
    lattice.goal?.show(said === undefined ? here.goal : null);
    const code = lattice.coder?.show();
    this.count.textContent = [guesses.length && lattice.say("hits", { hits, all: guesses.length }),
      code && lattice.allSeen && lattice.say("codeIs", { code })].filter(Boolean).join(" ");
    if (held) this.buttons.querySelector("button:enabled")?.focus({ preventScroll: true });
  }

  // What can be guessed.
  guesses({ answer, asked, goal, hint, none, own }) {
    const { lattice } = this, { current, data: { words } } = lattice, fits = asked?.(current) && lattice.picked;
    const say = (text, said, disabled = false) => this.button(text, () => this.say(said), disabled);
    const kinds = { boolean: [say(words.yes, "yes"), say(words.no, "no")],
      object: answer && [say(fits ? lattice.say("guess", { subset: lattice.name(current) }) : words.chooseBox, `${current}`, !fits)] };
    const { reached, moved } = (goal && lattice.goal.state(goal)) || {};
    const hand = goal && say(reached ? lattice.say("goalHandIn", { moved: lattice.goal.counted(moved) }) : words.goalReach, `moved${moved}`, !reached);
    return [...(goal ? [hand] : []), ...(kinds[typeof answer] ?? []), ...(none ? [say(words.noBox, "none")] : []),
      ...(hint ? [this.button(words.hint, () => { this.hinted = lattice.ask.at; this.show(); })] : []),
      say(own && answer === null && !goal ? words.discussed : words.showAnswer, "shown")];
  }

  onward(questions, { answer }) {
    const { lattice } = this, { ask, data: { words } } = lattice;
    const go = (by) => () => {
      ask.at += by;
      Object.assign(lattice, { current: lattice.full, walk: [] }); // a box is chosen anew
      lattice.told.textContent = ""; // it may tell the number of a box that is hidden now
      if (lattice.goal && lattice.edited) lattice.reset(); // each question is about the weights as given
      else lattice.refresh();
      this.element.scrollTop = 0; // it begins with the question
    };
    const [mask] = (Array.isArray(answer) && lattice.values.key === "zero_one" && answer) || [];
    return [...(ask.at ? [this.button(words.previousQuestion, go(-1))] : []),
      ...(ask.at < questions.length - 1 ? [this.button(words.nextQuestion, go(1))] : []),
      ...(mask === undefined ? [] : [this.button(lattice.say("whereFrom", { value: lattice.boxed(mask) }), () => lattice.crowd.open(mask))])];
  }

  button(text, onclick, disabled = false) { return make("button", { type: "button", onclick, disabled }, text); }

  say(said) {
    const { lattice } = this, { ask } = lattice, { answer, goal } = lattice.questions[ask.at];
    const again = ask.missed?.at === ask.at, is = right({ answer, goal }, said);
    if ((goal || Array.isArray(answer)) && is === false && !again) {
      ask.missed = { at: ask.at, said };
      this.show();
      return;
    }
    ask.said[ask.at] = again && is ? `~${said}` : said;
    if (Array.isArray(answer) && answer.length && !answer.includes(lattice.current)) {
      Object.assign(lattice, { current: answer[0], walk: [] });
      lattice.told.textContent = "";
    }
    if (goal && said === "shown" && goal.moves.length) lattice.setWeights(lattice.goal.solved(goal));
    else lattice.refresh();
  }

  // What helps before the answer: the first wrong guess, and the hint if it was asked for.
  helped({ goal, hint }) {
    const { lattice, hinted } = this, { at, missed } = lattice.ask, { words } = lattice.data;
    const wrong = missed?.at === at && (missed.said === "none" ? words.isSuchBox : lattice.say("notRight", { subset: lattice.name(Number(missed.said)) }));
    if (goal) return [lattice.goal.told(goal), missed?.at === at && lattice.goal.state(goal).moved > goal.fewest && `${words.goalFewer} ${words.tryAgain}`, hinted === at && hint].filter(Boolean).join(" ");
    return [wrong && `${wrong} ${words.tryAgain}`, hinted === at && hint].filter(Boolean).join(" ");
  }

  // What is the case, after a guess.
  told(question, said) {
    const { lattice } = this, { data: { words }, data } = lattice, { answer, goal } = question, is = right(question, said);
    if (goal) return lattice.goal.judged(question, said, is);
    if (answer === null) return [lattice.allSeen && words.allShown, question.right].filter(Boolean).join(" ");
    const why = (is === false && question.wrong) || question.right, because = why ? ` ${why}` : "";
    const valued = (mask) => `${lattice.name(mask)} (${lattice.worded(mask)})`;
    const names = typeof answer === "boolean" ? (answer ? words.yes : words.no) : joined(data, "or", answer.map(valued)) || words.guessed_none;
    if (is) return say(data, said.startsWith("~") ? "rightSecond" : "rightFirst", { names }) + because;
    const guess = /^\d+$/.test(said) ? valued(Number(said)) : words[`guessed_${said}`];
    return `${is === null ? "" : `${say(data, "guessed", { guess })} `}${say(data, "answerIs", { names })}${because}`;
  }
}

// The state of a lesson as texts, and back; null if a text is none of a lesson.
export const lessonTexts = ({ ask }) => ({ ask: ask ? `${ask.at + 1}` : "", said: ask ? ask.said.join(",") : "" });
export function lessonOf({ ask, said = "" }) {
  const texts = said.split(",").filter(Boolean);
  if (!/^[1-9]\d{0,2}$/.test(ask) || !texts.every((text) => SAID.test(text))) return null;
  return { at: Number(ask) - 1, said: texts };
}
