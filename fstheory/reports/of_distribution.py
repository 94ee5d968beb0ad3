"""The report on one distribution: its answers and its sections."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar, Unpack, overload

from fstheory._support.exact import as_index, decimal_text, exact_text, to_text
from fstheory._support.journal import Resume
from fstheory._support.memory import enough_memory
from fstheory._support.progress import Listener, Progress
from fstheory._support.result import BREAK, Check, Piece, Result, Rows, Styled, Table, Text, to_json
from fstheory._support.work import Workers
from fstheory.distributions.gallery import DistributionLike
from fstheory.distributions.joint import JointDistribution
from fstheory.distributions.rows import Sample, as_data
from fstheory.errors import MissingDependencyError, TooLargeError, install_hint, require, require_type
from fstheory.lattice.draw import draw_lattice
from fstheory.lattice.graph import View
from fstheory.lattice.importance import table_importance
from fstheory.lattice.layout import MOST_NODES
from fstheory.lattice.subsets import require_text, subset_text
from fstheory.lattice.table import Level, SubsetTable
from fstheory.measures.criteria import as_criterion
from fstheory.measures.risk import bayes_risks
from fstheory.reports import page
from fstheory.reports.explorer import embedded, explorer_data, page_of
from fstheory.reports.forms import BY_RISK, BY_SIZE, TOUCHED, Forms
from fstheory.reports.of_sample import SampleReport, report_sample
from fstheory.reports.page import Markup, Paragraph, Section, counted, sets_of
from fstheory.samples.design import DesignOptions
from fstheory.samples.law import Law, selection_law
from fstheory.samples.methods import FBS, FOS, NoSelection, OrderedFS
from fstheory.samples.relevance import Control
from fstheory.selection.optimal import MinimalOptimal, minimal_optimal
from fstheory.selection.relevant import Relevance, markov_blankets, relevance

if TYPE_CHECKING:
    import pandas as pd

    from fstheory.distributions.prepare import Bins, Missing
    from fstheory.measures.criterion import Criterion

_MOST_COMPARED = 2**10
_MOST_CELLS = 2**18  # of all marginals together, times the words of 64 bits that the total takes
_CRITERIA = ("zero_one", "logarithmic", "gini", "auc", "balanced")
_MOST_SUBSETS = 2**12  # the most subsets in report.json; `fstheory risks --json` has all
_MOST_IN_JSON = 2**16  # the most cells of a distribution in report.json
_SAMPLES = (10, 20, 40)
_METHODS = (
    FBS(tau="1/20", ties="first"),
    FOS(tau="1/20"),
    OrderedFS(holdout="3/10", ties="first"),
    NoSelection(),
)
_WORK = 2 * 10**6  # steps of one law, so that all take less than a second


@dataclass(frozen=True, repr=False)
class CriterionOptima(Rows):
    """The best subsets of each size by one criterion, with the title of the criterion in a report."""

    _table: ClassVar = "optima"

    title: str
    symbol: str
    larger_is_better: bool
    optima: tuple[Level[Any], ...]


@dataclass(frozen=True)
class Disagreement(Result):
    """A best subset of its size by a criterion whose Bayes risk is not the least of that size.

    If several subsets are best, it is the one with the greatest Bayes risk. `always` says that every best subset by
    the criterion has more than the least risk.
    """

    size: int
    title: str
    subset: frozenset[str]
    risk: Fraction
    least: Fraction
    always: bool


def compare_criteria(d: JointDistribution, by_risk: tuple[Level[Fraction], ...]) -> tuple[CriterionOptima, ...]:
    """Return the best subsets of each size by each criterion that is defined. A large distribution gets no criteria.

    Those by the Bayes risk are given.
    """
    cells = math.prod(states + 1 for states in d.cardinalities) * (d.total.bit_length() // 64 + 1)
    if 2 ** len(d.features) > _MOST_COMPARED or cells > _MOST_CELLS:
        return ()
    compared = []
    for name in _CRITERIA:
        if name in {"auc", "balanced"} and not (len(d.classes) == 2 and all(d.marginal(()).weights)):
            continue
        criterion = as_criterion(name)
        table = None if name == "zero_one" else criterion.table(d)
        optima = by_risk if table is None else tuple(table.best_of_size(k) for k in range(len(by_risk)))
        compared.append(CriterionOptima(criterion.name, criterion.symbol, criterion.larger_is_better, optima))
    return tuple(compared)


@dataclass(frozen=True, repr=False)
class Report(Forms, Rows):
    """The report on one distribution. Print it, or write it with `to_html`, `to_json` or `save`.

    Attributes
    ----------
    name : str
        The title.
    distribution : JointDistribution
    risks : SubsetTable[Fraction]
        The Bayes risk of every subset.
    optima : tuple of Level
        For k = 0, 1, .., n the least risk of k features, and every subset of that size that has it.
    solutions : tuple of frozenset of str
        All solutions of the minimal-optimal problem, found among all subsets.
    backward, one_shot, resampling : MinimalOptimal
        The answers of the methods of the paper, each with its trace.
    relevance : Relevance
        Strongly relevant, weakly relevant and irrelevant features.
    blankets : tuple of frozenset of str
        All minimal Markov blankets of the class.
    criteria : tuple of CriterionOptima
        For each criterion and for k = 0, 1, .., n the best value of k features, and every subset of that size that has
        it. Empty if there are more than 1024 subsets, or if the marginals have more than 2**18 cells (times 64-bit
        words).

    Examples
    --------
    >>> import fstheory as fs
    >>> found = fs.report(fs.gallery.copies(), name="copies")
    >>> [sorted(solution) for solution in found.solutions], found.is_unique, found.agree
    ([['X1'], ['X2']], False, False)
    """

    _table: ClassVar = "optima"

    name: str
    distribution: JointDistribution
    risks: SubsetTable[Fraction]
    optima: tuple[Level[Fraction], ...]
    solutions: tuple[frozenset[str], ...]
    backward: MinimalOptimal
    one_shot: MinimalOptimal
    resampling: MinimalOptimal
    relevance: Relevance
    blankets: tuple[frozenset[str], ...]
    criteria: tuple[CriterionOptima, ...]
    _derived = ("guaranteed", "is_unique", "agree", "positive", "unique_maximum", "disagreements")
    _subject = "Bayes risks of all feature subsets"
    _sources = (
        "Every number is exact unless marked ≈ or rounded. The problem, the assumptions and the theorems are those of "
        "J. M. Peña and R. Nilsson, “On the Complexity of Discrete Feature Selection for Optimal Classification” "
        "(2010); relevance is that of R. Kohavi and G. H. John, “Wrappers for Feature Subset Selection” (1997)."
    )

    @property
    def positive(self) -> Check:
        """Whether p(x) > 0 for every x. If not, the check has a state where this fails."""
        return self.backward.positive

    @property
    def unique_maximum(self) -> Check:
        """Whether p(Y|x) has a single maximum for every x with p(x) > 0. If not, the check has a state of a tie."""
        return self.backward.unique_maximum

    @property
    def guaranteed(self) -> bool:
        """Whether both assumptions hold, so that the theorems guarantee a single solution."""
        return self.backward.guaranteed

    @property
    def is_unique(self) -> bool:
        """Whether there is only one solution."""
        return len(self.solutions) == 1

    @property
    def methods(self) -> Mapping[str, MinimalOptimal]:
        """The answer of each method of the paper, by the name of the method."""
        return {found.method: found for found in (self.backward, self.one_shot, self.resampling)}

    @property
    def agree(self) -> bool:
        """Whether there is only one solution and every method returns it."""
        return self.is_unique and all({*found.features} == self.solutions[0] for found in self.methods.values())

    @cached_property
    def disagreements(self) -> tuple[Disagreement, ...]:
        """The subsets that a criterion chooses although their Bayes risk is not the least of their size."""
        found = []
        for k, level in enumerate(self.criteria[0].optima if self.criteria else ()):
            for criterion in self.criteria[1:]:
                risks = {subset: self.risks[subset] for subset in criterion.optima[k].subsets}
                worst = max(risks, key=risks.__getitem__)
                if risks[worst] > level.value:
                    always = min(risks.values()) > level.value
                    found.append(Disagreement(k, criterion.title, worst, risks[worst], level.value, always))
        return tuple(found)

    @cached_property
    def laws(self) -> tuple[Law[Fraction], ...]:
        """The exact laws of some methods on 10, 20 and 40 samples. Laws of over 2,000,000 steps are left out."""
        laws = []
        for m, method in itertools.product(_SAMPLES, _METHODS if len(self.distribution.classes) > 1 else ()):
            with suppress(TooLargeError):
                laws.append(selection_law(self.distribution, m, method, work=_WORK))
        return tuple(laws)

    @cached_property
    def pictures(self) -> Mapping[str, str]:
        """The drawings as SVG, by the names of their files. There are none without matplotlib or beyond 7 features."""
        marks: dict[str, Any] = {"best": self.solutions[0]} if self.is_unique else {"minimal": self.solutions}
        if len(self.backward.path) > 1:
            marks["path"] = self.backward.path
        marks["optimal"] = [subset for level in self.optima for subset in level.subsets]
        views: dict[str, View] = {BY_SIZE: "size", BY_RISK: "risk"} if len(self.risks) <= MOST_NODES else {}
        with suppress(MissingDependencyError):
            graph = self.risks.to_networkx(**marks)
            return {name: draw_lattice(graph, view=view).to_svg() for name, view in views.items()}
        return {}

    @cached_property
    def _explored(self) -> Mapping[str, Any]:
        """The data of the interactive lattice. It is empty if the lattice is too large."""
        with suppress(TooLargeError):
            return explorer_data(self.distribution, title=self.name, claims=False)
        return {}

    @property
    def pages(self) -> Mapping[str, str]:
        """The interactive page of the lattice, for any browser and without matplotlib.

        There is none beyond 7 features.
        """
        return {TOUCHED: page_of(self._explored)} if self._explored else {}

    def _content(self, features: Sequence[str]) -> dict[str, Any]:
        d = self.distribution
        optima = [
            {"value": exact_text(level.value), "count": len(level.subsets)}
            | {"subsets": to_json(level.subsets[:_MOST_SUBSETS], features)}
            for level in self.optima
        ]
        laws = [{**law._content(features), "probabilities": None} for law in self.laws]
        return super()._content(features) | {
            "risks": self.risks._content(features, _MOST_SUBSETS),
            "optima": optima,
            "laws": laws,
            "total_weight": exact_text(d.total),
            "distribution": to_json(d) if math.prod((*d.cardinalities, len(d.classes))) <= _MOST_IN_JSON else None,
        }

    @property
    def _data(self) -> JointDistribution:
        return self.distribution

    @property
    def _about(self) -> str:
        d, size = self.distribution, self.distribution.total.bit_length()
        features = ", ".join(f"{name} ({states})" for name, states in zip(d.features, d.cardinalities, strict=True))
        return (
            f"{counted(len(d.features), 'feature')}{': ' * bool(features)}{features}; target {d.target} "
            f"({counted(len(d.classes), 'class')}); "
            f"total weight {d.total if size <= 64 else f'an integer of {size} bits'}"
        )

    @cached_property
    def _sections(self) -> tuple[Section, ...]:
        several_features, several_classes = len(self.distribution.features) > 1, len(self.distribution.classes) > 1
        parts = [_answer, _lattice, _assumptions, _methods, _risks, _optima]
        parts += [
            *[_criteria, _importances] * several_features,
            _relevance,
            *[_selected_from_samples] * (several_classes and bool(self.laws)),
            _probabilities,
        ]
        return tuple(part(self) for part in parts)

    def _touchable(self) -> Iterator[Section]:
        """Yield the section with the interactive lattice, if it is not too large."""
        if self._explored:
            meaning = (
                "Choose a subset, walk to its neighbors, change the weights. The page computes exactly with integers."
            )
            lattice = Markup(embedded({**self._explored, "level": 3}), "")
            yield Section("The lattice to be touched", [Paragraph(meaning, "faint"), lattice])


@overload
def report(
    d: DistributionLike, *, name: str | None = None, rng: int = 0, executor: Workers = None, progress: Progress = None
) -> Report: ...
@overload
def report(
    d: Sample | pd.DataFrame,
    *,
    target: str | None = None,
    leave_out: Iterable[str] = (),
    bins: Bins | None = None,
    missing: Missing | None = None,
    count: str | None = None,
    name: str | None = None,
    rng: int = 0,
    criterion: Criterion[Any] | str = "logarithmic",
    control: Control = "familywise",
    executor: Workers = None,
    resume: Resume = None,
    progress: Progress = None,
    **design: Unpack[DesignOptions],
) -> SampleReport: ...
def report(
    d: Any,
    *,
    target: str | None = None,
    leave_out: Iterable[str] = (),
    bins: Bins | None = None,
    missing: Missing | None = None,
    count: str | None = None,
    name: str | None = None,
    rng: int = 0,
    criterion: Criterion[Any] | str = "logarithmic",
    control: Control = "familywise",
    executor: Workers = None,
    resume: Resume = None,
    progress: Progress = None,
    **design: Unpack[DesignOptions],
) -> Report | SampleReport:
    """Return the report on a distribution, or on the features that a sample supports.

    Use it as a first look at data: it has the best subsets, the answers of all methods, and their limits. Print the
    report, or write it with its `save`, `to_html` or `to_json`. Complexity: for a distribution, n sweeps over all
    subsets, each of 3**n cells for binary features. For a sample, some thousand groupings of its rows. Drawings, for up
    to 7 features, are made when they are first needed.

    Parameters
    ----------
    d : JointDistribution, str, Sample or data frame
        The distribution, the name of one in the gallery, or the sample. A data frame needs a `target`, and its rows are
        a sample as in `Sample.from_frame`.
    target : str, optional
        The column of a data frame that has the class. It must be left out for everything else.
    leave_out, missing : optional
        The columns of a data frame that are left out, and what happens to missing values, as in `Sample.from_frame`.
    bins : int or mapping, optional
        The ranges of the numbers of a data frame, as in `Sample.from_frame`. For a numeric target pass
        ``{"Salary": 4}``, for example.
    count : str, optional
        A column of a data frame with the number of times that each row was seen, as in `Sample.from_frame`.
    name : str, optional
        The title. The default is the name in the gallery, "distribution" or "sample".
    rng : int
        The seed of the permutations of a sample. It does not matter for a distribution.
    criterion : Criterion or str
        The criterion that judges the supported features of a sample, as in `samples.supported_features`. It must be
        left out for a distribution.
    control : 'familywise' or 'fdr'
        The error rate of the verdicts on the columns of a sample, as in `samples.relevant_features`.
    executor, resume, progress
        As in `fstheory.refute`, for the permutations of a sample. A distribution needs no executor, and `resume` must
        be left out.
    groups, always, together, time : optional
        The design of a sample, as in `fstheory.samples.design.Design`: the rows that belong together, columns that are
        kept or joined, and the order of the rows in time.

    Returns
    -------
    Report or SampleReport
        The report on a distribution, or on a sample.

    Raises
    ------
    TooLargeError
        The 2**n risks do not fit in memory.

    References
    ----------
    Peña and Nilsson (2010); Kohavi and John (1997) for relevance; Pearl (1988) for Markov blankets.

    Examples
    --------
    >>> from fstheory import gallery
    >>> found = report(gallery.titanic(), name="titanic")
    >>> found.agree, found.guaranteed, found.optima[1].value
    (True, False, Fraction(493, 2201))
    """
    if target is not None:
        whole = isinstance(d, JointDistribution | Sample)
        require(not whole, "target", "left out unless d is a data frame", target, "drop it")
        kept = [name for name in (design.get("groups"), design.get("time")) if name is not None]
        read: Any = {"leave_out": leave_out, "bins": bins, "missing": missing, "count": count}
        d = Sample.from_frame(d, target=target, keep_continuous=kept, **read)
    else:
        for argument, value in (
            ("leave_out", leave_out or None),
            ("bins", bins),
            ("missing", missing),
            ("count", count),
        ):
            require(value is None, argument, "left out unless d is a data frame with a target", value, "drop it")
    kind = d if isinstance(d, str) else "sample" if isinstance(d, Sample) else "distribution"
    d, title = as_data(d), kind if name is None else name
    require_text(require_type(title, str, "name", "a string", "pass a title"), "name")
    seed = as_index(rng, "rng")
    with Listener(progress) as tell:
        if isinstance(d, Sample):
            return report_sample(d, title, seed, criterion, control, tell, executor, resume, design)
        of_samples = "left out of the report on a distribution"
        require(criterion == "logarithmic", "criterion", of_samples, criterion, "drop it")
        require(control == "familywise", "control", of_samples, control, "drop it")
        require(resume is None, "resume", of_samples, resume, "drop it")
        for argument, wanted in design.items():
            require(not wanted, argument, of_samples, wanted, "drop it")
        return _report(d, title, tell)


def _report(d: JointDistribution, name: str, tell: Listener) -> Report:
    with enough_memory("the answers on all subsets", "take the marginal of fewer features"):
        cells = math.prod(c + 1 for c in d.cardinalities)
        tell(f"takes {cells:,} cells of marginals, {len(d.features) + 5} times or so")
        risks = bayes_risks(d)
        tell("the methods of the minimal-optimal problem")
        backward, one_shot = minimal_optimal(d), minimal_optimal(d, "one-shot")
        resampling = minimal_optimal(d, "resampling")
        tell("relevance and Markov blankets")
        relevant, blankets = relevance(d), markov_blankets(d)
        tell("other criteria")
        optima, solutions = tuple(risks.best_of_size(k) for k in range(len(d.features) + 1)), risks.minimal_sets()
        criteria = compare_criteria(d, optima)
        return Report(name, d, risks, optima, solutions, backward, one_shot, resampling, relevant, blankets, criteria)


# -- The sections.


_FIRST, _LAST = 20, 4  # the first and the last levels of risk that are shown if there are many
_TESTS = 20
_STATES = 32  # the most states of the features for which the table of probabilities is not folded
_LONGEST = 12  # the most characters of an exact number in the table of criteria


def _answer(found: Report) -> Section:
    solutions = found.solutions
    sets = sets_of(solutions, found.risks.features)
    if found.is_unique:
        first: tuple[Piece, ...] = "The minimal-optimal subset is ", Styled("S", "i"), "* = ", sets, ", with"
    else:
        first = f"The minimal-optimal problem has {len(solutions)} solutions, ", sets, ", of"
    rest = f" Bayes risk {to_text(found.risks.minimum)}. No other features lower it, and without any the risk is "
    text = (*first, f"{rest}{to_text(found.risks[()])}.")
    return Section("", [Paragraph(text, "answer"), Paragraph(_promise(found))])


def _promise(found: Report) -> str:
    if found.guaranteed:
        return "Both assumptions hold, so this is the only solution, and every method finds it (Theorems 4 to 7)."
    checks = {"p(x) > 0": found.positive, "a single maximum of p(Y|x)": found.unique_maximum}
    failing = " and ".join(name for name, check in checks.items() if not check)
    if found.is_unique:
        return f"Without {failing} no theorem promises that it is the only solution, but it is."
    common = subset_text(found.one_shot.features, found.risks.features)
    return f"Without {failing} the solution need not be unique, and here it is not; all solutions share {common}."


def _lattice(found: Report) -> Section:
    risks = found.risks
    subsets = counted(len(risks), "subset")
    caption = f"The {subsets} of the features by size, with their Bayes risks where there is room."
    if not risks.ordering().is_strict:
        caption += " Along a thick edge the feature that is removed costs nothing."
    if len(found.backward.path) > 1:
        caption += " The band is the path of backward search."
    return Section("", [page.Drawing(BY_SIZE, caption, len(risks.features) > 3, why_no_drawing(len(risks)))])


def why_no_drawing(subsets: int) -> str:
    """Return the sentence that says why there is no drawing: too many subsets, or no matplotlib."""
    if subsets > MOST_NODES:
        count = f"{subsets:,}".replace(",", " ")
        return (
            f"No drawing: of the {count} subsets at most {MOST_NODES} can be drawn, all of seven features. "
            "Draw a part, bayes_risks(d).restrict(sizes=[0, 1, 2]).plot() say, or take fewer features."
        )
    return install_hint("Drawing the lattice", "matplotlib", "viz")


def _assumptions(found: Report) -> Section:
    rows: list[tuple[Text, ...]] = []
    for check in (found.positive, found.unique_maximum):
        ties = f", where {' and '.join(map(str, check.left))} tie" if check.left else ""
        where = f"at {_state(check.witness) or 'the only state'}{ties}" if check.witness is not None else ""
        rows.append((check.statement, "holds" if check else Styled("fails", "b"), where))
    more = "To check the assumptions and the conclusion of each theorem, use ", Styled("fstheory theorems", "code"), "."
    return Section("Assumptions", [Table((), rows), Paragraph(more, "faint")])


_METHOD_TITLES = {
    "backward": "backward search (Table 1)",
    "one-shot": "one-shot (Table 2)",
    "resampling": "resampling (Thm. 7)",
}


def _methods(found: Report) -> Section:
    """Return the section on the answers of the methods, with the tests of backward search."""
    features, unique = found.risks.features, found.is_unique
    rows: list[tuple[Text, ...]] = []
    for name, answer in found.methods.items():
        if answer.is_solution:
            outcome = "the solution" if unique else "a solution"
        else:
            least = answer.risk == answer.least_risk
            outcome = "minimal risk, but not a minimal set" if least else "not of minimal risk"
        rows.append((_METHOD_TITLES[name], sets_of([answer.features], features), outcome))
    count = "the only solution" if unique else f"all {len(found.solutions)} solutions"
    rows.append(("a look at every subset", sets_of(found.solutions, features), count))
    blocks: list[page.Block] = [Table(("method", "returns", "which is"), rows)]
    tests: list[tuple[Text, ...]] = [*found.backward.rows]
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


def _risks(found: Report) -> Section:
    features, ordering = found.risks.features, found.risks.ordering()
    hidden = len(ordering) - _FIRST - _LAST
    rows: list[tuple[Text, ...]] = [
        (to_text(level.value, 0), decimal_text(level.value), sets_of(level.subsets, features, 6))
        for i, level in enumerate(ordering)
        if hidden <= 0 or not _FIRST <= i < _FIRST + hidden
    ]
    if hidden > 0:
        listed: tuple[Piece, ...] = (" lists all subsets",)
        if len(found.risks) > _MOST_SUBSETS:
            listed = f" lists the first {_MOST_SUBSETS} subsets, and ", Styled("fstheory risks --json", "code"), " all"
        more = (f"⋮ {counted(hidden, 'more level')}; ", Styled("report.json", "code"), *listed)
        rows.insert(_FIRST, (more,))
    caption = "The same subsets with the Bayes risk as height. Subsets that ties join stand in one box."
    meaning = "The Bayes risk of a subset is the least error probability of a classifier that sees only its features:"
    counts = f"The {counted(len(found.risks), 'subset')} in {counted(len(ordering), 'level')} of equal risk:"
    table = Table(("R(S)", "rounded", Styled("S", "i")), rows, (0, 1))
    drawing = page.Drawing(BY_RISK, caption, len(features) > 3)
    return Section("Bayes risks", [Paragraph(meaning), _DEFINITION, Paragraph(counts), table, drawing])


def _optima(found: Report) -> Section:
    rows: list[tuple[Text, ...]] = [
        (str(k), to_text(level.value, 0), decimal_text(level.value), sets_of(level.subsets, found.risks.features))
        for k, level in enumerate(found.optima)
    ]
    head = (Styled("k", "i"), "least risk", "rounded", "attained by")
    return Section("The best subsets of each size", [Table(head, rows, (1, 2))])


def _importances(found: Report) -> Section:
    """Return the section on the worth of each feature, and on the loss if the features of highest worth are kept."""
    shapley, alone, last = (table_importance(found.risks, kind) for kind in ("shapley", "alone", "loco"))
    rows: list[tuple[Text, ...]] = [
        (name, *(decimal_text(one[name]) for one in (shapley, alone, last)))
        for name in itertools.chain(*shapley.ranking())
    ]
    meaning = (
        "How much each feature lowers the Bayes risk: on average over all orders of the features (its Shapley value), "
        "alone, and given all other features (LOCO). The Shapley values add up to what all features gain together."
    )
    blocks: list[page.Block] = [Paragraph(meaning), Table(("feature", "Shapley", "alone", "LOCO"), rows, (1, 2, 3))]
    if len(found.risks) <= _MOST_COMPARED:
        worst = max((shapley.price(k) for k in range(1, len(rows))), key=lambda price: price.lost)
        nothing = "Here the features of highest Shapley value are a best choice of every size."
        sentence = str(worst)
        blocks.append(Paragraph(f"{sentence[0].upper()}{sentence[1:]}." if worst.lost else nothing))
    return Section("What each feature is worth", blocks)


def _criteria(found: Report) -> Section:
    """Return the section on the best subsets by size and criterion. It marks those without the least Bayes risk."""
    heading, criteria = "The best subsets by other criteria", found.criteria
    if not criteria:
        most = f"Other criteria are compared up to {_MOST_COMPARED} subsets and {_MOST_CELLS} cells of their marginals"
        rest = "this distribution has more. Ask 'fstheory criterion' for one of them."
        return Section(heading, [Paragraph(f"{most}; {rest}", "faint")])
    marked = {(choice.size, choice.title) for choice in found.disagreements}
    rows: list[tuple[Text, ...]] = []
    for k, first in enumerate(criteria[0].optima):
        row: list[Text] = [str(k)]
        for criterion in criteria:
            level = criterion.optima[k]
            exact = to_text(level.value, 0)
            value = Styled(exact if len(exact) <= _LONGEST else f"≈{decimal_text(level.value)}", "faint")
            if criterion is not criteria[0] and level.subsets == first.subsets:
                row.append((Styled("the same", "faint"), BREAK, value))
            else:
                dagger = "†" if (k, criterion.title) in marked else ""
                row.append((sets_of(level.subsets, found.risks.features, 2), f"{dagger}{BREAK}", value))
        rows.append(tuple(row))
    meaning = (
        "Each criterion is the best value that a predictor reaches if it sees only the features of the subset. "
        "The 0-1 loss is the Bayes risk. The logarithmic loss is the conditional entropy of the class, in nats, so "
        "that least loss is most mutual information."
    )
    meaning += " † marks a choice that is not of least Bayes risk." * bool(marked)
    head: tuple[Text, ...] = (Styled("k", "i"), *(criterion.title for criterion in criteria))
    return Section(heading, [Paragraph(meaning), Table(head, rows), *_differences(found)])


def _differences(found: Report) -> list[Paragraph]:
    """Return a sentence for each size and subset: the criteria that choose it although a smaller risk is possible."""
    groups: dict[tuple[int, frozenset[str], bool], list[Disagreement]] = {}
    for choice in found.disagreements:
        groups.setdefault((choice.size, choice.subset, choice.always), []).append(choice)
    if not groups:
        return [Paragraph("At every size, the best subsets by each other criterion also have the least Bayes risk.")]
    paragraphs = []
    for (size, subset, always), members in groups.items():
        *first, last = (choice.title for choice in members)
        titles = f"{', '.join(first)} and {last}" if first else last
        verb = "may choose" if not always else "choose" if first else "chooses"
        start = f"Of {counted(size, 'feature')}, the {titles} {verb} "
        end = f", of Bayes risk {to_text(members[0].risk, 0)} where {to_text(members[0].least, 0)} is possible."
        paragraphs.append(Paragraph((start, sets_of([subset], found.risks.features), end)))
    return paragraphs


def _relevance(found: Report) -> Section:
    """Return the section on the relevance of each feature with its reason, and on the Markov blankets."""
    about, target = found.relevance, found.distribution.target
    kinds = {"strongly relevant": about.strong, "weakly relevant": about.weak, "irrelevant": about.irrelevant}
    rows: list[tuple[Text, ...]] = []
    for name in found.risks.features:
        kind = next(title for title, group in kinds.items() if name in group)
        reason = ""
        if witness := about.witnesses.get(name):
            where = f" where {_state(witness.state)}" if witness.state else ""
            first, second = witness.values
            reason = f"p({target} | {name}) differs between {first} and {second}{where}"
        rows.append((name, kind.replace(" ", "\xa0"), reason))
    several = f"The class has {len(found.blankets)} minimal Markov blankets: "
    start = "The Markov boundary of the class is " if len(found.blankets) == 1 else several
    line = Paragraph((start, sets_of(found.blankets, found.risks.features), "."))
    return Section("Relevance", [Table(("feature", "", "because"), rows), line] if rows else [line])


_LAW_TITLES = {"OrderedFS": "ORDERED-FS", "NoSelection": "all features"}


def _selected_from_samples(found: Report) -> Section:
    """Return the section on the laws of methods. A report whose laws take too long has no such section."""
    heading, laws = "From m samples", {(law.m, law.method): law for law in found.laws}
    more = (
        "For other methods and numbers, use ",
        Styled("fstheory finite-sample", "code"),
        ", which can also estimate.",
    )
    meaning = (
        "In practice the distribution is unknown, and a method selects on m samples of it. The table has the exact "
        "probability that the method finds a solution. Below it is the expected risk of the majority table over the "
        "selected features. Here tau is 1/20, and 3/10 of the samples are held out. Of tied subsets, the smallest and "
        "first one is taken."
    )

    def chances(law: Law[Fraction] | None) -> Text:
        if law is None:
            return ("-", BREAK, "-")
        return (decimal_text(law.success, 4), BREAK, Styled(decimal_text(law.expected_risk, 4), "faint"))

    shown = [m for m in _SAMPLES if any(law.m == m for law in found.laws)]
    rows: list[tuple[Text, ...]] = [(str(m), *(chances(laws.get((m, method))) for method in _METHODS)) for m in shown]
    titles = (_LAW_TITLES.get(method.title, method.title) for method in _METHODS)
    left = "" if len(laws) == len(_SAMPLES) * len(_METHODS) else "What is missing takes too long. "
    table = Table((Styled("m", "i"), *titles), rows)
    return Section(heading, [Paragraph(meaning), table, Paragraph((left, *more), "faint")])


def _probabilities(found: Report) -> Section:
    """Return the section with the table of probabilities. The text form leaves it out."""
    d = found.distribution
    shown = f'<div class="scroll" tabindex="0">{d._repr_html_()}</div>'
    if math.prod(d.cardinalities) > _STATES:
        shown = f"<details><summary>The first rows of the table of probabilities</summary>{shown}</details>"
    return Section("The distribution", [Markup(shown, "")])


def _state(state: Mapping[str, Any] | None) -> str:
    """Return the text of a state of some features, such as ``class = crew, age = child``."""
    return ", ".join(f"{name} = {label}" for name, label in (state or {}).items())
