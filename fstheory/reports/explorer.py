"""The interactive lattice: one HTML page that loads nothing from the network, and a widget in Jupyter."""

from __future__ import annotations

import functools
import html
import itertools
import json
import math
import os
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from fractions import Fraction
from importlib import resources
from typing import Any

import numpy as np

from fstheory._support.exact import as_index, decimal_text, exact_text, to_text
from fstheory._support.files import write_atomically
from fstheory._support.progress import Clock, Listener, Progress
from fstheory.distributions.gallery import DistributionLike, as_distribution
from fstheory.distributions.joint import JointDistribution
from fstheory.errors import (
    FSTheoryError,
    InvalidTypeError,
    MissingDependencyError,
    TooLargeError,
    explain,
    import_optional,
    require,
    require_listed,
)
from fstheory.lattice.columns import ExactColumn
from fstheory.lattice.importance import table_importance
from fstheory.lattice.series import arc_layers
from fstheory.lattice.subsets import mask_of
from fstheory.lattice.table import SubsetTable
from fstheory.logic.ledger import claims as ledger_claims
from fstheory.logic.verdict import Holds, Refuted
from fstheory.measures.criteria import as_criterion, criterion_values
from fstheory.measures.risk import bayes_risks
from fstheory.numbers.algebraic import AlgebraicNumber, Root, real_roots
from fstheory.reports.language import story_of, words_of
from fstheory.reports.questions import Ask, lesson
from fstheory.samples.law import selection_law
from fstheory.samples.methods import FBS
from fstheory.selection.family import MOST_JOINT_STATES, Family, as_risks
from fstheory.selection.networks import Network
from fstheory.selection.phase_diagram import phase_diagram

CRITERIA = ("zero_one", "logarithmic", "squared_error", "balanced", "auc")
"""The criteria that a page can show. The words of the page have the name of each under its key."""
_SENT = ("logarithmic", "squared_error")  # the values that a page cannot compute from the weights
MOST_FEATURES = 7
_MOST_CELLS = 8192  # 7 features and the class with 3 states each: 6,561
_LONGEST = 120  # the most characters of an exact number
SAMPLES = (5, 10, 20)
"""The numbers of rows of the samples that can be drawn in the page of `explorer_page`."""
_MOST_ROWS = 1000
_MOST_DRAWN = 12  # the most variables of a network whose graph is drawn
_LAW_WORK = 3 * 10**8  # steps of the law of one number of rows: about two seconds
MOST_STATES = 8  # with more states, some statements of the ledger have millions of instances


def explorer_data(
    d: DistributionLike | Family,
    *,
    title: str = "",
    story: str | None = None,
    ask: Ask = False,
    level: int = 2,
    claims: bool = True,
    samples: Sequence[int] = (),
    evidence: bool | Network = False,
    language: str = "en",
    progress: Progress = None,
) -> dict[str, Any]:
    """Return all that the interactive lattice of a distribution or a family shows, as JSON data.

    Use it to build a page or a widget of your own. `explorer_page` and `lattice_widget` are made of it.

    Parameters
    ----------
    d : JointDistribution, str or Family
        The distribution, the name of one in the gallery, or the family. It may have at most 7 features and 8,192 cells.
    title : str
        The title of the lattice.
    story : str, optional
        The paragraph that the page begins with: the question, and where the data come from. A name of the gallery has
        a story of its own. If the story names the total of the weights with a noun, as in "2201 people", the page
        counts people; else it counts cases.
    ask : bool or list
        True begins in lesson mode: numbers are hidden, and the page asks questions made from the lattice. A list holds
        questions of your own instead, each a text, or a pair of a text and its answer: a subset, True or False. Or a
        question is a dict with the keys "text", "answer", "hint", and "right" and "wrong" for the reasons that are
        shown after a right and after a wrong guess. Only the text is required. In place of an answer, "goal" and
        "fewest" ask to move weights. A dict with the keys "title" and
        "questions" holds the list and its title.
    level : int
        The level of the headings: 2 for h2.
    claims : bool
        Whether the statements of the ledger are checked on the distribution. Statements that would take long are left
        out and listed. No statement is checked for a family, or if there are more than 8 joint states of the features.
    samples : list of int
        The numbers of rows, each at most 1,000, of the samples that can be drawn in the page. For each, the data have
        the exact law of the subset that `FBS` keeps, unless this law takes more than a few seconds. None can be drawn
        for a family, for one class, and without features.
    evidence : bool or Network
        Whether states of the features can be chosen as known. The risks, S* and the Markov blankets follow. Along a
        family, none can be chosen. For the network that `d` comes from, the states are chosen in its graph, if it has
        at most 12 variables.
    language : str
        The language of the page: "en", "de", or the path of a JSON file of your own. Such a file is a translation of
        `fstheory/reports/words/en.json`, with the same keys and holes. Your data and the statements of the ledger keep
        their language.
    progress : bool or callable, optional
        True shows the progress. A function is called with each line of progress.

    Returns
    -------
    dict
        The data. Integers are texts, because JavaScript reads numbers as floats. The page computes the Bayes risk, the
        balanced loss and the AUC from the weights. Of other criteria, `criteria` holds the values, in the order of the
        masks.

    Raises
    ------
    TooLargeError
        If `d` has more than 7 features or 8,192 cells.
    InvalidValueError
        If a question cannot be asked about `d`, a number of rows is out of its range, or `evidence` is a network that
        lacks a variable of `d`.

    Examples
    --------
    >>> import fstheory as fs
    >>> data = fs.reports.explorer_data(fs.gallery.xor(), claims=False)
    >>> data["features"], data["weights"], data["criteria"][2]["exact"]
    (['X1', 'X2'], ['1', '0', '0', '1', '0', '1', '1', '0'], ['1/4', '1/4', '1/4', '0'])
    """
    words = words_of(language)
    if not isinstance(d, Family):
        named = isinstance(d, str) and story is None
        d, story = as_distribution(d), story_of(str(d), words) if named else story
    shown = d.at(d.start) if isinstance(d, Family) else d
    cells = math.prod((*shown.cardinalities, len(shown.classes)))
    if len(shown.features) > MOST_FEATURES or cells > _MOST_CELLS:
        what = f"{len(shown.features)} features and {cells:,} cells"
        needed = f"of at most {MOST_FEATURES} features and {_MOST_CELLS:,} cells"
        raise TooLargeError(explain("d", needed, what, "take the marginal of fewer features"))
    title_of_lesson, questions = lesson(ask, shown, shown is not d, words)
    with Listener(progress) as tell:
        laws = _samples(d, samples, progress) if isinstance(d, JointDistribution) else []  # it may refuse
        verdicts = _verdicts(shown, tell) if claims and shown is d else []
    return {
        "version": 2,
        "title": title or words["untitled"],
        "story": story or "",
        "ask": bool(ask),
        "questions": questions,
        "lesson": title_of_lesson,
        "words": {key: text for key, text in words.items() if not key.startswith(("stories", "handout_", "goal_"))},
        "level": level,
        "features": list(shown.features),
        "states": [[str(label) for label in shown.states[name]] for name in shown.features],
        "target": shown.target,
        "classes": [str(label) for label in shown.classes],
        "weights": _texts(shown.weights),
        "schema": _schema(shown),
        "criteria": [one | _column(shown, one["key"]) if one["key"] in _SENT else one for one in _menu(shown, words)],
        "claims": verdicts,
        "samples": laws or None,
        "evidence": shown is d and (_graph(evidence, shown) if isinstance(evidence, Network) else evidence),
        "family": _family(d, words, progress) if isinstance(d, Family) else None,
    }


def _graph(network: Network, d: JointDistribution) -> dict[str, Any] | bool:
    """Return the graph of a network as JSON data: its layers from top to bottom, and its arcs. True if it is large."""
    missing = [name for name in (*d.features, d.target) if name not in network.variables]
    require(not missing, "evidence", "a network with the variables of d", missing, "pass the network of d")
    graph = network.graph
    return len(graph) > _MOST_DRAWN or {"layers": arc_layers(graph), "arcs": list(graph.edges)}


def _texts(numbers: Any) -> list[str]:
    return [exact_text(number) for number in numbers.ravel().tolist()]


def _schema(d: JointDistribution) -> dict[str, Any] | None:
    """Return the JSON of a distribution without the probabilities, if JSON can hold its labels."""
    with suppress(InvalidTypeError):
        return {key: value for key, value in json.loads(d.to_json()).items() if key != "probabilities"}
    return None


def _menu(d: JointDistribution, words: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield the criteria that are defined. Some criteria need two classes, or numeric ones."""
    for key in CRITERIA:
        criterion = as_criterion(key)
        with suppress(FSTheoryError):
            criterion.check(d)
            yield {"key": key, "name": words[key], "largerIsBetter": criterion.larger_is_better}


def _column(d: JointDistribution, key: str) -> dict[str, Any]:
    """Return the values of a criterion by mask, and by mask and feature the change if the feature is removed."""
    table = criterion_values(d, key)
    n, ranks = len(table.features), table.ranks.tolist()
    values = [table.column[mask] for mask in range(2**n)]  # a table of all subsets has them by mask
    decimals = list(map(decimal_text, values))

    def change(mask: int, other: int) -> str:
        if ranks[mask] == ranks[other]:
            return ""
        low, high = sorted([mask, other], key=ranks.__getitem__)
        gap = values[high] - values[low]
        return to_text(gap) if isinstance(gap, Fraction) else f"≈{decimal_text(gap)}"

    return {
        "ranks": ranks,
        "exact": [_exact(value) or f"≈{decimal}" for value, decimal in zip(values, decimals, strict=True)],
        "decimal": decimals,
        "changes": [[change(mask, mask & ~(1 << i)) for i in range(n)] for mask in range(2**n)],
        "worth": _worth(table),
    }


def _worth(table: SubsetTable[Any]) -> dict[str, Any]:
    """Return the Shapley value of each feature: in texts, in ranks, and in thousandths of what all features gain."""
    found = table_importance(table)
    decimals = [decimal_text(number) for number in found.numbers]
    return {
        "exact": [_exact(number) or f"≈{decimal}" for number, decimal in zip(found.numbers, decimals, strict=True)],
        "decimal": decimals,
        "ranks": ExactColumn(found.numbers).ranks().tolist(),
        "parts": [round(1000 * part) for part in _shares(found.numbers, found.total)],
    }


def _shares(numbers: Sequence[Any], whole: Any) -> Iterator[Fraction]:
    """Yield the shares of exact numbers in a whole: exactly if all are rational, else from six digits of each."""
    is_rational = isinstance(whole, Fraction) and all(isinstance(number, Fraction) for number in numbers)
    *parts, total = [*numbers, whole] if is_rational else (Fraction(decimal_text(one)) for one in (*numbers, whole))
    yield from (part / total if total else Fraction(0) for part in parts)


def _exact(value: Any) -> str:
    """Return the exact text of a value, or an empty text if it is long."""
    text = to_text(value, 0, _LONGEST) if isinstance(value, Fraction) else str(value).split(" ≈")[0]
    return text if len(text) <= _LONGEST and "≈" not in text else ""


def _family(family: Family, words: Mapping[str, Any], progress: Progress) -> dict[str, Any]:
    """Return the data of a family: the polynomials of its weights, the criteria, and for each its critical values.

    The critical values stand between the ends of the family. A criterion whose critical values are not known has none.
    """
    start, end = exact_text(family.start), exact_text(family.end)
    stops: dict[str, list[Any]] = {"": [start, end]}
    menu = list(_menu(family.at((family.start + family.end) / 2), words))
    for key in (one["key"] for one in menu):
        if risks := family if key == "zero_one" else as_risks(family, key):
            critical = phase_diagram(risks, progress=progress).critical_values
            stops[key] = [start, *map(_point, critical), end]
    coefficients = [_texts(row) for row in family.coefficients]
    return {"coefficients": coefficients, "menu": menu, "stops": stops, "mostStates": MOST_JOINT_STATES}


def _point(root: Root) -> str | dict[str, Any]:
    """Return a parameter as JSON data: a rational as text; of an irrational one what it is, and a decimal.

    The decimal is less than one unit of its last place below the parameter, and no other root of the same polynomial is
    as near above it.
    """
    if isinstance(root, Fraction):
        return exact_text(root)
    if isinstance(root, AlgebraicNumber):
        others = [other for other in real_roots(root.coefficients) if other != root]
        about: dict[str, Any] = {"polynomial": list(map(str, root.coefficients)), "place": root.place}
    else:
        ((share, radicand),) = root.terms
        others = [2 * root.constant - root]
        about = {"sum": list(map(exact_text, (root.constant, share, Fraction(radicand))))}
    for digits in itertools.count(12):
        low, same = (math.floor(end * 10**digits) for end in root.enclosure(digits + 2))
        near, above = Fraction(low, 10**digits), Fraction(low + 1, 10**digits)
        if low == same and not any(near < other < above for other in others):
            return {"at": f"{low}e-{digits}", **about}
    raise AssertionError("different roots come apart")


def _samples(d: JointDistribution, samples: Sequence[int], progress: Progress) -> list[dict[str, Any]]:
    """Return for each number of rows the law of backward search on a sample: its subsets, the most probable first."""
    needed, repair = "a list of numbers of rows", "write samples=[5, 10]"
    sizes = [
        as_index(m, "samples", at_least=1, at_most=_MOST_ROWS)
        for m in require_listed(samples, "samples", needed, repair)
    ]
    found: list[dict[str, Any]] = []
    for m in sorted(set(sizes)) if d.features and len(d.classes) > 1 else ():
        found.append({"m": m, "allowed": FBS().allowed(m), "law": None})
        with suppress(TooLargeError):
            law = selection_law(d, m, FBS(), work=_LAW_WORK, progress=progress)
            chances = [(law[subset], mask_of(subset, d.features)) for subset in {subset for subset, _ in law.outcomes}]
            kept = sorted(chances, key=lambda chance: (-chance[0], chance[1]))
            found[-1] |= {"law": [[mask, *_both(chance)] for chance, mask in kept], "success": _both(law.success)}
    return found


def _both(value: Fraction) -> list[str]:
    """Return a fraction as exact text, if that is short, and as a decimal."""
    decimal = decimal_text(value, 4)
    return [_exact(value) or f"≈{decimal}", decimal]


_ABOUT = {
    "zero_one": r"Bayes risk|Bayes classifier|solution|relevant|minimal feature|ackward search|\bR\(",
    "logarithmic": r"entrop|information|\b[HI]\(",
    "squared_error": "squared error",
    "balanced": "balanced",
    "auc": "AUC|area under",
}  # for each criterion, the words of the statements that are about it


_STEPS = 1700  # for three bits: 170 of 231 statements, in half of the time of all


def _verdicts(d: JointDistribution, tell: Callable[[str], object]) -> list[dict[str, Any]]:
    """Return the verdicts of the statements of the ledger at a small distribution.

    A statement that takes long to check has no verdict.
    """
    found: list[dict[str, Any]] = []
    clock, kinds = Clock(None, tell, every=0), {Holds: "holds", Refuted: "is refuted here"}
    for number, entry in enumerate(ledger_claims.values() if math.prod(d.cardinalities) <= MOST_STATES else ()):
        if entry.claim is None:
            continue
        clock.count(number, len(ledger_claims), "entries of the ledger", f"checking {entry.id}: ")
        try:
            kind = kinds.get(type(entry.claim.check(d, steps=_STEPS)))
        except TooLargeError:
            kind = "takes long to check"
        except FSTheoryError:  # it is about other distributions
            continue
        if kind is not None:
            place = f"{entry.paper.authors} ({entry.paper.year}), {entry.place}"
            text = f"{entry.words} {entry.latex}"
            about = [key for key, words in _ABOUT.items() if re.search(words, text)]
            found.append({"id": entry.id, "verdict": kind, "words": entry.words, "place": place, "about": about})
    return found


def explorer_page(
    d: DistributionLike | Family,
    path: str | os.PathLike[str] | None = None,
    *,
    title: str = "",
    story: str | None = None,
    ask: Ask = False,
    claims: bool = True,
    samples: Sequence[int] = SAMPLES,
    evidence: bool | Network = False,
    language: str = "en",
    progress: Progress = None,
) -> str:
    """Return one HTML page with the interactive lattice of a distribution or a family. It works offline.

    Parameters
    ----------
    d, title, story, ask, claims, samples, evidence, language, progress
        As in `explorer_data`.
    path : str or os.PathLike, optional
        The file to which the page is written. If writing fails, no partial file is left.

    Returns
    -------
    str
        The page as HTML.

    Examples
    --------
    >>> import fstheory as fs
    >>> page = fs.reports.explorer_page(fs.gallery.xor(), claims=False)
    >>> page.count("<script"), "http" in page.replace("http://www.w3.org/2000/svg", "")
    (2, False)
    """
    told: dict[str, Any] = {"title": title, "story": story, "ask": ask, "claims": claims, "samples": samples}
    page = page_of(explorer_data(d, **told, evidence=evidence, language=language, progress=progress))
    if path is not None:
        write_atomically(path, page)
    return page


def page_of(data: Mapping[str, Any]) -> str:
    """Return the page that shows the data of `explorer_data`."""
    words, title = data["words"], html.escape(data["title"])
    return f"""<!DOCTYPE html>
<html lang="{words["language"]}" dir="{words["direction"]}">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>{html.escape(words["pageTitle"]).replace("{title}", title)}</title>
<style>
body.fstheory-lattice {{ margin: 0; padding: 0; }} main {{ max-width: 76rem; margin: 0 auto; padding: var(--gap-3); }}
h1 {{ margin: 0 var(--gap-3); font-size: var(--size-5); }}
main:has(.fst-large) {{ max-width: none; }} [dir="rtl"] h1 {{ unicode-bidi: plaintext; text-align: right; }}
@page {{ margin: 15mm; }} @media print {{ main {{ padding: 0; }} h1 {{ margin: 0; }} }}</style></head>
<body class="fstheory-lattice">
<main>
<h1>{title}</h1>
{embedded(data)}
</main>
</body>
</html>
"""


def embedded(data: Mapping[str, Any], name: str = "lattice") -> str:
    """Return the HTML that shows the lattice in an element with the id `name`: style, data and program."""
    program = front_end(data)
    named = {*re.findall(r"\w+", program)}
    used = {key: text for key, text in data["words"].items() if "_" in key or key in named}
    shown = {**data, "words": used} | ({"criteria": []} if data["family"] else {})  # a family: the page computes all
    text = json.dumps(shown, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c")
    style = re.sub(r" */\*.*?\*/|^ +", "", read("lattice.css"), flags=re.MULTILINE)
    return f"""<style>
{style}</style>
<div id="{name}"></div>
<script type="application/json" id="{name}-data">{text}</script>
<script type="module">
{program}
mount(document.getElementById("{name}"), JSON.parse(document.getElementById("{name}-data").textContent));
</script>"""


def read(name: str) -> str:
    """Return a file of the front end."""
    return resources.files("fstheory.reports").joinpath(name).read_text(encoding="utf-8")


MODULES = (
    "words.js", "elements.js", "exact.js", "field.js", "layout.js", "motion.js", "picture.js", "family.js",
    "lesson.js", "state.js", "story.js", "parts.js", "person.js", "crowd.js", "sample.js", "goal.js", "code.js",
    "evidence.js",
)  # fmt: skip
_PARTS = {
    "family": ("field.js", "family.js"), "samples": ("sample.js",), "ask": ("goal.js", "code.js"),
    "evidence": ("evidence.js",),
}  # fmt: skip
"""For each part of the data, the modules that only pages with this part need."""

_LEFT_OUT = re.compile(
    r"^(import \{[^}]*\} from [^;]*;| *//.*)\n|^export (?!default|const mount )|^ +| +// .*$", re.MULTILINE
)


def front_end(data: Mapping[str, Any] | None = None) -> str:
    """Return the modules of the front end as one text, for a page or a widget that loads no other file.

    If data are given, modules for parts that these data lack are left out. Imports, comments and indentation are left
    out, too. Of the exports, those stay that Jupyter and the pages of the lessons import.
    """
    spared = {name for part, names in _PARTS.items() for name in names if data is not None and not data[part]}
    used = [name for name in MODULES if name not in spared]
    return "\n".join(_LEFT_OUT.sub("", read(name)) for name in (*used, "lattice.js"))


# -- The interactive lattice as a widget in Jupyter. The kernel computes with the weights that are typed there.


@functools.cache
def _widget_class() -> Any:
    """Return the class of the widget. It is made at first use, because its base is in an optional library."""
    anywidget = import_optional("anywidget", "widget", "the lattice as a widget")
    import traitlets

    class LatticeWidget(anywidget.AnyWidget):  # type: ignore[misc,name-defined]
        """A widget that shows the lattice of a distribution.

        `distribution` has the weights that were typed last, and `state` is what the page shows.
        """

        _esm = front_end()
        _css = read("lattice.css")
        data = traitlets.Dict().tag(sync=True)
        family = traitlets.Dict(allow_none=True).tag(sync=True)
        weights: Any = traitlets.List().tag(sync=True)
        state: Any = traitlets.Dict().tag(sync=True)

        def __init__(self, d: DistributionLike | Family, **told: Any) -> None:
            data = explorer_data(d, **told, level=3, claims=False)
            self.source = d.at(d.start) if isinstance(d, Family) else as_distribution(d)
            self.told = told | {"story": data["story"]}
            super().__init__(data={**data, "family": None}, family=data["family"], weights=[])

        @property
        def distribution(self) -> JointDistribution:
            """The distribution with the weights that are shown."""
            return self._with(self.data["weights"])

        def _with(self, weights: Sequence[str]) -> JointDistribution:
            base = self.source
            table = np.array([int(weight) for weight in weights], dtype=object).reshape(base.weights.shape)
            return JointDistribution(table, features=base.features, target=base.target, states=base.states)

        def __repr__(self) -> str:
            return f"<LatticeWidget: {self.data['title']}; run the cell to see it>"

        def _repr_mimebundle_(self, **options: Any) -> Any:
            """Return the widget, and a picture of the Bayes risks for viewers that show no widgets.

            There is no picture with `ask`, because it would show the answers.
            """
            shown, about = super()._repr_mimebundle_(**options)
            if not self.data["ask"] and not self.data["questions"]:
                title = None if self.family is None else f"The Bayes risks at t = {self.family['stops'][''][0]}"
                with suppress(MissingDependencyError):
                    shown["image/svg+xml"] = bayes_risks(self.distribution).plot(title=title).to_svg()
            return shown, about

        @traitlets.observe("weights")
        def _compute(self, change: Any) -> None:
            """Recompute all data for the weights that were typed. Invalid weights change nothing."""
            weights = list(change["new"])
            if weights and weights != self.data["weights"]:
                with suppress(FSTheoryError, ValueError):
                    told = self.told | {"ask": bool(self.told["ask"])}  # goals are about the weights that were given
                    data = explorer_data(self._with(weights), **told, level=3, claims=False)
                    asked = {key: self.data[key] for key in ("questions", "lesson")}
                    self.data = {**data, **asked, "weights": weights}  # as they were typed, not reduced

    return LatticeWidget


def lattice_widget(
    d: DistributionLike | Family, *, title: str = "", story: str | None = None, ask: Ask = False, language: str = "en"
) -> Any:
    """Return the lattice of a distribution or a family as a widget for Jupyter.

    Parameters
    ----------
    d, title, story, ask, language
        As in `explorer_data`.

    Returns
    -------
    anywidget.AnyWidget
        The widget. Its `distribution` has the weights that were typed last, and its `state` is what the page shows.

    Examples
    --------
    >>> import fstheory as fs
    >>> widget = fs.reports.lattice_widget(fs.gallery.xor())
    >>> widget.weights = ["1", "0", "0", "1", "0", "1", "1", "2"]
    >>> widget.distribution.total, widget.data["criteria"][2]["exact"][3]
    (6, '1/9')
    """
    return _widget_class()(d, title=title, story=story, ask=ask, language=language)
