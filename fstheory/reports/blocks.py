"""A report as text for a terminal."""

from __future__ import annotations

import math
import textwrap
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, NamedTuple, TypeAlias

from fstheory._support.exact import decimal_text, to_text
from fstheory._support.result import Check, Result, first_of
from fstheory.distributions.build import Label
from fstheory.distributions.joint import JointDistribution
from fstheory.lattice.draw import MOST_NODES
from fstheory.lattice.ordering import Level
from fstheory.lattice.subsets import format_subset, mask_of
from fstheory.lattice.table import SubsetTable
from fstheory.measures.criterion import as_criterion, criterion_values
from fstheory.samples.law import Law
from fstheory.samples.methods import Method
from fstheory.selection.optimal import MinimalOptimal
from fstheory.selection.relevant import Relevance, RelevanceWitness

__all__ = [
    "BY_RISK",
    "BY_SIZE",
    "MOST_CELLS",
    "MOST_COMPARED",
    "Block",
    "CriterionOptima",
    "Disagreement",
    "Drawing",
    "Markup",
    "Paragraph",
    "Section",
    "Sets",
    "Styled",
    "Table",
    "Text",
    "about",
    "answer",
    "assumptions",
    "columns",
    "compare_criteria",
    "counted",
    "criteria_of_sizes",
    "disagreements",
    "fold",
    "from_samples",
    "lattice",
    "methods",
    "name_of",
    "optima_of_sizes",
    "probabilities",
    "relevance_of_features",
    "render_text",
    "risks_in_order",
    "touchable",
    "why_no_drawing",
]


# -- The best subsets of each size by several criteria, and where they are not of least Bayes risk.


MOST_COMPARED = 2**10
MOST_CELLS = 2**18  # of all marginals together, times the words of 64 bits that the total takes
_TITLES = {
    "zero_one": "0-1 loss", "logarithmic": "log loss", "gini": "Gini impurity", "auc": "AUC",
    "balanced": "balanced loss",
}  # fmt: skip
_WORD = 64


@dataclass(frozen=True, repr=False)
class CriterionOptima(Result):
    """The best subsets of each size by one criterion.

    Attributes
    ----------
    title : str
        What a report calls the criterion.
    symbol : str
    larger_is_better : bool
    optima : tuple of Level
        For k = 0, 1, .., n the best value of k features, and every subset of that size that has it.
    """

    title: str
    symbol: str
    larger_is_better: bool
    optima: tuple[Level[Any], ...]


@dataclass(frozen=True)
class Disagreement(Result):
    """A subset that is best of its size by a criterion, and not of least Bayes risk among those of its size.

    Of several the one of greatest risk. `always` says that every best subset by the criterion has more than
    the least risk, so that no way to resolve ties helps.
    """

    size: int
    title: str
    subset: frozenset[str]
    risk: Fraction
    least: Fraction
    always: bool


def compare_criteria(d: JointDistribution, risks: SubsetTable[Fraction]) -> tuple[CriterionOptima, ...]:
    """Return the best subsets of each size by each criterion that `d` allows; none if `d` is large.

    The first is the 0-1 loss, whose values are the Bayes risks. The AUC and the balanced loss are compared for two
    classes that both occur. Large is what has more than 1024 subsets, or marginals of more than 2**18 cells times words
    of the total.
    """
    cells = math.prod(states + 1 for states in d.cardinalities) * (d.total.bit_length() // _WORD + 1)
    if len(risks) > MOST_COMPARED or cells > MOST_CELLS:
        return ()
    compared = []
    for name, title in _TITLES.items():
        if name in {"auc", "balanced"} and not (len(d.classes) == 2 and all(d.marginal(()).weights)):
            continue
        table = risks if name == "zero_one" else criterion_values(d, name)
        optima = tuple(table.best_of_size(k) for k in range(len(d.features) + 1))
        compared.append(CriterionOptima(title, as_criterion(name).symbol, table.larger_is_better, optima))
    return tuple(compared)


def disagreements(criteria: Sequence[CriterionOptima], risks: SubsetTable[Fraction]) -> tuple[Disagreement, ...]:
    """Return where criteria choose subsets that are not of least Bayes risk, by size."""
    found = []
    for k, level in enumerate(criteria[0].optima if criteria else ()):
        for criterion in criteria[1:]:
            subsets = criterion.optima[k].subsets
            worst = max(subsets, key=risks.__getitem__)
            if risks[worst] > level.value:
                always = min(map(risks.__getitem__, subsets)) > level.value
                found.append(Disagreement(k, criterion.title, worst, risks[worst], level.value, always))
    return tuple(found)


# -- What a report says, as sections of plain values, which the text and the page render.


BY_SIZE, BY_RISK = "lattice.svg", "lattice-risk.svg"
_FIRST, _LAST = 20, 4  # levels of risk that are shown, of more than both
_TESTS = 20
_STATES = 32  # of the features, up to which the probabilities are shown at once
_LONGEST = 12  # characters of an exact number among the criteria


class Styled(NamedTuple):
    """Text in bold ("b"), italic ("i"), as code ("code") or pale ("faint")."""

    text: str
    style: str


class Sets(NamedTuple):
    """Subsets of the features, of which a form writes the first few."""

    subsets: Sequence[frozenset[str]]
    features: tuple[str, ...]
    most: int = 8


Piece: TypeAlias = str | Styled | Sets
Text: TypeAlias = Piece | tuple[Piece, ...]


class Paragraph(NamedTuple):
    """A paragraph, in the style "answer" or "faint" where it has one."""

    text: Text
    style: str = ""


class Table(NamedTuple):
    """A table, without a head if that is empty; a row of one cell spans all columns.

    The columns of `numbers` stand at the right. A line break parts a cell in two.
    """

    head: tuple[Text, ...]
    rows: Sequence[tuple[Text, ...]]
    numbers: tuple[int, ...] = ()


class Drawing(NamedTuple):
    """A drawing by the name of its file, and what is said where there is none."""

    file: str
    caption: str
    wide: bool
    otherwise: str = ""


class Markup(NamedTuple):
    """What the page and the text write each in its own way."""

    html: str
    text: str


Block: TypeAlias = Paragraph | Table | Drawing | Markup


class Section(NamedTuple):
    """A heading, empty above the contents, and what stands below it."""

    heading: str
    blocks: Sequence[Block]


def name_of(subset: Iterable[str], features: Sequence[str]) -> str:
    """Write a subset given by names."""
    return format_subset(mask_of(subset, features), features)


def about(d: JointDistribution) -> str:
    """Say in one line what the variables are, and the total weight."""
    features = ", ".join(f"{name} ({states})" for name, states in zip(d.features, d.cardinalities, strict=True))
    size = d.total.bit_length()
    return (
        f"{counted(len(d.features), 'feature')}{': ' * bool(features)}{features}; target {d.target} "
        f"({counted(len(d.classes), 'class')}); total weight {d.total if size <= 64 else f'an integer of {size} bits'}"
    )


def answer(risks: SubsetTable[Fraction], solutions: Sequence[frozenset[str]], one_shot: MinimalOptimal) -> Section:
    """Return the headline: the solutions, and whether the theorems promise that there is one."""
    sets = Sets(solutions, risks.features)
    if len(solutions) == 1:
        first: tuple[Piece, ...] = "The minimal-optimal subset is ", Styled("S", "i"), "* = ", sets, ", with"
    else:
        first = f"The minimal-optimal problem has {len(solutions)} solutions, ", sets, ", of"
    rest = f" Bayes risk {to_text(risks.minimum)}. No other features lower it, and without any the risk is "
    text = (*first, f"{rest}{to_text(risks[()])}.")
    return Section("", [Paragraph(text, "answer"), Paragraph(_promise(solutions, one_shot))])


def _promise(solutions: Sequence[frozenset[str]], one_shot: MinimalOptimal) -> str:
    if one_shot.guaranteed:
        return "Both assumptions hold, so this is the only solution, and every method finds it (Theorems 4 to 7)."
    checks = {"p(x) > 0": one_shot.positive, "a single maximum of p(Y|x)": one_shot.unique_maximum}
    failing = " and ".join(name for name, check in checks.items() if not check)
    if len(solutions) == 1:
        return f"Without {failing} no theorem promises that it is the only solution, but it is."
    common = name_of(one_shot.features, one_shot.distribution.features)
    return f"Without {failing} the solution need not be unique, and here it is not; all solutions share {common}."


def lattice(risks: SubsetTable[Fraction], path: Sequence[frozenset[str]]) -> Section:
    """Return the drawing of all subsets by size."""
    caption = (
        f"The {counted(len(risks), 'subset')} of the features by size, with their Bayes risks where there is room."
    )
    if not risks.ordering().is_strict:
        caption += " Along a thick edge the feature that is removed costs nothing."
    if len(path) > 1:
        caption += " The band is the path of backward search."
    return Section("", [Drawing(BY_SIZE, caption, len(risks.features) > 3, why_no_drawing(len(risks)))])


def why_no_drawing(subsets: int) -> str:
    """Say why so many subsets are not drawn."""
    if subsets > MOST_NODES:
        count = f"{subsets:,}".replace(",", " ")
        return (
            f"No drawing: of the {count} subsets at most {MOST_NODES} can be drawn, all of seven features. "
            "Draw a part, bayes_risks(d).restrict(sizes=[0, 1, 2]).plot() say, or take fewer features."
        )
    return "Drawing the lattice needs matplotlib; install it with: pip install matplotlib"


def assumptions(checks: Iterable[Check]) -> Section:
    """Return whether the assumptions hold, and where not."""
    rows = []
    for check in checks:
        ties = f", where {' and '.join(map(str, check.left))} tie" if check.left else ""
        where = f"at {_state(check.witness) or 'the only state'}{ties}" if check.witness is not None else ""
        rows.append((check.statement, "holds" if check else Styled("fails", "b"), where))
    return Section("Assumptions", [Table((), rows)])


_METHODS = {
    "backward": "backward search (Table 1)", "one-shot": "one-shot (Table 2)", "resampling": "resampling (Thm. 7)",
}  # fmt: skip


def methods(found: Sequence[MinimalOptimal], solutions: Sequence[frozenset[str]]) -> Section:
    """Return what the methods answer, backward search, the first, with its tests."""
    features, unique = found[0].distribution.features, len(solutions) == 1
    rows: list[tuple[Text, ...]] = []
    for answer in found:
        if answer.is_solution:
            outcome = "the solution" if unique else "a solution"
        else:
            least = answer.risk == answer.least_risk
            outcome = "minimal risk, but not a minimal set" if least else "not of minimal risk"
        rows.append((_METHODS[answer.method], Sets([answer.features], features), outcome))
    count = "the only solution" if unique else f"all {len(solutions)} solutions"
    rows.append(("a look at every subset", Sets(solutions, features), count))
    blocks: list[Block] = [Table(("method", "returns", "which is"), rows)]
    tests: list[tuple[Text, ...]] = [*found[0].rows]
    if tests:
        blocks += [Paragraph("The tests of backward search, in order:"), Table(("feature", "test", ""), tests[:_TESTS])]
    if len(tests) > _TESTS:
        more = (f"{len(tests) - _TESTS} more tests are in ", Styled("report.json", "code"), ".")
        blocks.append(Paragraph(more, "faint"))
    return Section("The minimal-optimal problem", blocks)


_DEFINITION = Markup(
    """<math display="block"><mi>R</mi><mo stretchy="false">(</mo><mi>S</mi><mo stretchy="false">)</mo>
<mo>=</mo><mn>1</mn><mo>&minus;</mo><munder><mo>∑</mo><mi>s</mi></munder><munder><mi>max</mi><mi>y</mi></munder>
<mspace width="0.2em"></mspace>
<mi>p</mi><mo stretchy="false">(</mo><mi>s</mi><mo>,</mo><mi>y</mi><mo stretchy="false">)</mo></math>""",
    "R(S) = 1 - sum over s of max over y of p(s, y)",
)


def risks_in_order(risks: SubsetTable[Fraction], most_in_json: int) -> Section:
    """Return the first and the last levels of risk, of which the JSON lists so many subsets."""
    features, ordering = risks.features, risks.ordering()
    hidden = len(ordering) - _FIRST - _LAST
    rows: list[tuple[Text, ...]] = [
        (to_text(level.value, 0), decimal_text(level.value), Sets(level.subsets, features, 6))
        for i, level in enumerate(ordering)
        if hidden <= 0 or not _FIRST <= i < _FIRST + hidden
    ]
    if hidden > 0:
        json, all_of_them = Styled("report.json", "code"), Styled("fstheory risks --json", "code")
        listed: tuple[Piece, ...] = (" lists all subsets",)
        if len(risks) > most_in_json:
            listed = f" lists the first {most_in_json} subsets, and ", all_of_them, " all"
        rows.insert(_FIRST, ((f"⋮ {counted(hidden, 'more level')}; ", json, *listed),))
    caption = "The same subsets with the Bayes risk as height. Subsets that ties join stand in one box."
    meaning = "The Bayes risk of a subset is the least error probability of a classifier that sees only its features:"
    counts = Paragraph(f"The {counted(len(risks), 'subset')} in {counted(len(ordering), 'level')} of equal risk:")
    table = Table(("R(S)", "rounded", Styled("S", "i")), rows, (0, 1))
    blocks: list[Block] = [Paragraph(meaning), _DEFINITION, counts, table, Drawing(BY_RISK, caption, len(features) > 3)]
    return Section("Bayes risks", blocks)


def optima_of_sizes(optima: Sequence[Level[Fraction]], features: tuple[str, ...]) -> Section:
    """Return the least risk of each size."""
    least = [(level.value, level.subsets) for level in optima]
    rows = [
        (str(k), to_text(risk, 0), decimal_text(risk), Sets(sets, features)) for k, (risk, sets) in enumerate(least)
    ]
    head = (Styled("k", "i"), "least risk", "rounded", "attained by")
    return Section("The best subsets of each size", [Table(head, rows, (1, 2))])


def criteria_of_sizes(
    criteria: Sequence[CriterionOptima], disagreements: Sequence[Disagreement], features: tuple[str, ...]
) -> Section:
    """Return the best subsets by size and criterion, and where their Bayes risk is not least."""
    heading = "The best subsets by other criteria"
    if not criteria:
        most = f"Other criteria are compared up to {MOST_COMPARED} subsets and {MOST_CELLS} cells of their marginals"
        rest = "this distribution has more. Ask 'fstheory criterion' for one of them."
        return Section(heading, [Paragraph(f"{most}; {rest}", "faint")])
    marked = {(found.size, found.title) for found in disagreements}
    rows: list[tuple[Text, ...]] = []
    for k, first in enumerate(criteria[0].optima):
        row: list[Text] = [str(k)]
        for criterion in criteria:
            level = criterion.optima[k]
            exact = to_text(level.value, 0)
            value = Styled(exact if len(exact) <= _LONGEST else f"≈{decimal_text(level.value)}", "faint")
            if criterion is not criteria[0] and level.subsets == first.subsets:
                row.append((Styled("the same", "faint"), "\n", value))
            else:
                dagger = "†" if (k, criterion.title) in marked else ""
                row.append((Sets(level.subsets, features, 2), f"{dagger}\n", value))
        rows.append(tuple(row))
    meaning = (
        "Each criterion is the best value that a predictor reaches if it sees only the features of the subset. "
        "The 0-1 loss is the Bayes risk. The log loss is the conditional entropy of the class, in nats, so that "
        f"least loss is most mutual information.{' † marks a choice that is not of least Bayes risk.' * bool(marked)}"
    )
    head: tuple[Text, ...] = (Styled("k", "i"), *(criterion.title for criterion in criteria))
    return Section(heading, [Paragraph(meaning), Table(head, rows), *_differences(disagreements, features)])


def _differences(disagreements: Sequence[Disagreement], features: tuple[str, ...]) -> list[Paragraph]:
    """Say which criteria choose subsets of more risk than is possible, a sentence for each size and choice."""
    if not disagreements:
        return [Paragraph("At every size, the best subsets by each other criterion also have the least Bayes risk.")]
    groups: dict[tuple[int, frozenset[str], bool], list[Disagreement]] = {}
    for found in disagreements:
        groups.setdefault((found.size, found.subset, found.always), []).append(found)
    paragraphs = []
    for (size, subset, always), members in groups.items():
        *first, last = (found.title for found in members)
        titles = f"{', '.join(first)} and {last}" if first else last
        verb = "may choose" if not always else "choose" if first else "chooses"
        start = f"Of {counted(size, 'feature')}, the {titles} {verb} "
        end = f", of Bayes risk {to_text(members[0].risk, 0)} where {to_text(members[0].least, 0)} is possible."
        paragraphs.append(Paragraph((start, Sets([subset], features), end)))
    return paragraphs


def relevance_of_features(found: Relevance, blankets: Sequence[frozenset[str]], d: JointDistribution) -> Section:
    """Return the relevance of each feature with its reason, and the Markov blankets."""
    kinds = {"strongly relevant": found.strong, "weakly relevant": found.weak, "irrelevant": found.irrelevant}
    rows: list[tuple[Text, ...]] = []
    for name in d.features:
        kind = next(title for title, group in kinds.items() if name in group)
        witness = found.witnesses.get(name)
        rows.append((name, kind.replace(" ", "\xa0"), _difference(witness, d.target) if witness else ""))
    several = f"The class has {len(blankets)} minimal Markov blankets: "
    first = "The Markov boundary of the class is " if len(blankets) == 1 else several
    line = Paragraph((first, Sets(blankets, d.features), "."))
    return Section("Relevance", [Table(("feature", "", "because"), rows), line] if rows else [line])


def _difference(witness: RelevanceWitness, target: str) -> str:
    """Say where a feature matters."""
    where = f" where {_state(witness.state)}" if witness.state else ""
    first, second = witness.values
    return f"p({target} | {witness.feature}) differs between {first} and {second}{where}"


def from_samples(laws: Sequence[Law[Fraction]], sizes: Sequence[int], listed: Sequence[Method]) -> Section:
    """Return what methods select on samples of these sizes, as far as the laws are known."""
    heading, found = "From m samples", {(law.m, law.method): law for law in laws}
    more = ("For others ask ", Styled("fstheory finite-sample", "code"), ", which also estimates.")
    shown = [m for m in sizes if any(law.m == m for law in laws)]
    if not shown:
        much = f"What methods select on {sizes[0]} samples or more takes too long to compute exactly here. "
        return Section(heading, [Paragraph((much, *more), "faint")])
    meaning = (
        "Who does not know the distribution selects on m samples of it. The exact probability that a method finds "
        "a solution, and below it the expected risk of the majority table that it ends with; "
        "tau is 1/20, 3/10 of the samples are held out, of subsets that tie the smallest and first is taken."
    )
    rows: list[tuple[Text, ...]] = []
    for m in shown:
        cells = [found.get((m, method)) for method in listed]
        rows.append((str(m), *(_chances(law) if law is not None else ("-", "\n", "-") for law in cells)))
    head: tuple[Text, ...] = (
        Styled("m", "i"),
        *(_TITLES_sections.get(method.title, method.title) for method in listed),
    )
    left = "" if len(laws) == len(sizes) * len(listed) else "What is missing takes too long. "
    return Section(heading, [Paragraph(meaning), Table(head, rows), Paragraph((left, *more), "faint")])


_TITLES_sections = {"OrderedFS": "ORDERED-FS", "NoSelection": "all features"}


def _chances(law: Law[Fraction]) -> Text:
    return (decimal_text(law.success, 4), "\n", Styled(decimal_text(law.expected_risk, 4), "faint"))


def probabilities(d: JointDistribution) -> Section:
    """Return the table of probabilities, which the text leaves out."""
    shown = f'<div class="scroll">{d._repr_html_()}</div>'
    if math.prod(d.cardinalities) > _STATES:
        shown = f"<details><summary>The first rows of the table of probabilities</summary>{shown}</details>"
    return Section("The distribution", [Markup(shown, "")])


def touchable(shown: str) -> Section:
    """Return the lattice that answers in the browser, which the text leaves out."""
    meaning = "Choose a subset, walk to its neighbors, change the weights: the page computes with integers, exactly."
    return Section("The lattice to be touched", [Paragraph(meaning, "faint"), Markup(shown, "")])


def _state(state: Mapping[str, Label] | None) -> str:
    """Write a state of some features: ``class = crew, age = child``."""
    return ", ".join(f"{name} = {label}" for name, label in (state or {}).items())


def counted(count: int, noun: str) -> str:
    """Write a number with its noun."""
    return f"{count} {noun}{'es' * noun.endswith('s') or 's'}" if count != 1 else f"1 {noun}"


# -- A report as text for a terminal.


_WIDTH = 100
_TIED = "\0"  # a blank at which no line is broken


def render_text(title: str, about: str, sections: Sequence[Section]) -> str:
    """Return the report as text, without the drawings."""
    parts = [f"{title}\n{'=' * len(title)}\n{fold(about)}"]
    for heading, blocks in sections:
        lines = [line for block in blocks for line in _lines(block, "  " if heading else "")]
        if lines:
            parts.append("\n".join([heading, *lines] if heading else lines))
    return "\n\n".join(parts).replace(_TIED, " ")


def _lines(block: Block, indent: str) -> list[str]:
    if isinstance(block, Paragraph):
        return _wrap(indent + _written(block.text), indent)
    if isinstance(block, Markup):
        return [f"{indent}  {block.text}"] if block.text else []
    return [] if isinstance(block, Drawing) else fold("\n".join(_rows(block, indent))).split("\n")


def _rows(table: Table, indent: str) -> list[str]:
    """Align a table; where cells have parts, each becomes a row with the head of its column."""
    head = tuple(map(_written, table.head))
    rows = [tuple(map(_written, row)) for row in table.rows]
    if any("\n" in cell for row in rows for cell in row):
        rows = [
            (row[0] if i == 1 else "", head[i], *cell.split("\n")) for row in rows for i, cell in enumerate(row) if i
        ]
        head = ()
    aligned = [row for row in rows if len(row) > 1]
    lines = columns([head, *aligned] if head else aligned, indent, table.numbers)
    for place, row in enumerate(rows, start=bool(head)):
        if len(row) == 1:
            lines.insert(place, indent + row[0])
    return lines


def _written(text: Text) -> str:
    if isinstance(text, str):
        return text
    if isinstance(text, Styled):
        return text.text
    if isinstance(text, Sets):
        return first_of(text.subsets, lambda subset: name_of(subset, text.features).replace(" ", _TIED), text.most)
    return "".join(map(_written, text))


def columns(rows: Sequence[Sequence[str]], indent: str, numbers: Collection[int] = ()) -> list[str]:
    """Align the columns of a table at the left, those of numbers at the right."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = []
    for row in rows:
        cells = [
            cell.rjust(width) if i in numbers else cell.ljust(width)
            for i, (cell, width) in enumerate(zip(row, widths, strict=True))
        ]
        lines.append((indent + "  ".join(cells)).rstrip())
    return lines


def fold(text: str) -> str:
    """Break lines longer than 100 characters at blanks; what goes on is indented by four more."""
    folded: list[str] = []
    for line in text.split("\n"):
        folded += _wrap(line, " " * (len(line) - len(line.lstrip()) + 4))
    return "\n".join(folded).replace(_TIED, " ")


def _wrap(line: str, indent: str) -> list[str]:
    wrapped = textwrap.wrap(line, _WIDTH, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False)
    return wrapped or [line]
