// Search and filters above the table of the audit. Without this file the table is whole, and every link leads on.
"use strict";

const region = document.querySelector(".ledger-table");
const rows = [...region.querySelectorAll("tbody tr")].map((row) => {
  const [id, paper, , , verdict] = [...row.cells].map((cell) => cell.textContent.trim());
  const entry = document.getElementById(id.toLowerCase()); // all that is said of the statement, below
  const text = `${row.textContent} ${entry ? entry.textContent : ""}`;
  return { row, paper, verdict: verdict.replace(/[(;].*$/s, "").trim(), text: folded(text) };
});

// Lower case, without accents, each run of blanks one.
function folded(text) {
  return text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase().replace(/\s+/g, " ");
}

function make(tag, attributes, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children);
  return element;
}

function choice(all, key) {
  const values = [...new Set(rows.map((entry) => entry[key]))];
  const options = values.map((value) => make("option", { value }, value));
  return make("select", {}, make("option", { value: "" }, all), ...options);
}

const words = make("input", { type: "search", autocomplete: "off", placeholder: "Theorem 3, entropy, B-2, ..." });
const papers = choice("all papers", "paper");
const verdicts = choice("all verdicts", "verdict");
const count = make("p", { class: "ledger-count", "aria-live": "polite" });

function show() {
  const wanted = folded(words.value).split(" ").filter(Boolean);
  let shown = 0;
  for (const entry of rows) {
    const kept = wanted.every((word) => entry.text.includes(word)) &&
      (!papers.value || entry.paper === papers.value) && (!verdicts.value || entry.verdict === verdicts.value);
    entry.row.hidden = !kept;
    shown += kept;
  }
  count.textContent = `${shown} of ${rows.length} statements`;
}

// An entry that a link leads to is open.
function open() {
  const entry = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  if (entry instanceof HTMLDetailsElement) entry.open = true;
}

const form = make("form", { class: "ledger-form", role: "search", "aria-label": "The audit" },
  make("label", { class: "ledger-words" }, "Search ", words), make("label", {}, "Paper ", papers),
  make("label", {}, "Verdict ", verdicts));
form.addEventListener("input", show);
form.addEventListener("submit", (event) => event.preventDefault());
region.before(form, count);
region.setAttribute("tabindex", "0");
region.setAttribute("role", "region");
region.setAttribute("aria-label", "All verdicts");
window.addEventListener("hashchange", open);
show();
open();
