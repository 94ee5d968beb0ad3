"""`report`: everything about one distribution, and the forms it can be had in."""

from __future__ import annotations

import itertools
import json
import math
import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from pathlib import Path
from types import MappingProxyType
from typing import Any, TypeVar, overload

from fstheory._check import Check
from fstheory._clock import Listener, Progress
from fstheory._display import Shown
from fstheory._exact import as_index, format_fraction
from fstheory._files import written_to
from fstheory._memory import enough_memory
from fstheory.bayes import bayes_risks
from fstheory.distribution import JointDistribution, Sample
from fstheory.distribution.rows import require_data
from fstheory.errors import InvalidTypeError, MissingDependencyError, TooLargeError, explain
from fstheory.explorer.page import embedded, explorer_data
from fstheory.reporting import document, sections
from fstheory.reporting.comparison import CriterionOptima, Disagreement, compare_criteria, disagreements
from fstheory.reporting.document import MOST_SUBSETS
from fstheory.reporting.folder import write_folder
from fstheory.reporting.page import render_page
from fstheory.reporting.sample_report import SampleReport, report_sample
from fstheory.reporting.sections import BY_RISK, BY_SIZE, Section
from fstheory.reporting.text import render_text
from fstheory.samples import FBS, FOS, NoSelection, OrderedFS, SelectionLaw, selection_law
from fstheory.selection import MinimalOptimal, Relevance, markov_blankets, minimal_optimal, relevance
from fstheory.subsets import require_text
from fstheory.table import Level, SubsetTable
from fstheory.viz import MOST_NODES
from fstheory.viz.layout import View

__all__ = ["Report", "report"]

_SAMPLES = (10, 20, 40)
_METHODS = (
    FBS(tau="1/20", ties="first"), FOS(tau="1/20", ties="first"), OrderedFS(holdout="3/10", ties="first"),
    NoSelection(),
)  # fmt: skip
_WORK = 2 * 10**6  # steps of one law, so that all take less than a second
_MOST_CELLS = 2**16  # of a distribution in JSON


@dataclass(frozen=True, repr=False)
class Report(Shown):
    """The answers on one distribution.

    Attributes
    ----------
    name : str
    distribution : JointDistribution
    risks : SubsetTable[Fraction]
        The Bayes risk of every subset.
    optima : tuple of Level
        For k = 0, 1, .., n the least risk of k features, and every subset of that size that has it.
    solutions : tuple of frozenset of str
        All solutions of the minimal-optimal problem, by looking at every subset.
    backward, one_shot, resampling : MinimalOptimal
        What the methods of the paper return, each with its trace.
    relevance : Relevance
        Strongly relevant, weakly relevant and irrelevant features.
    blankets : tuple of frozenset of str
        All minimal Markov blankets of the class.
    criteria : tuple of CriterionOptima
        For the 0-1 loss, the logarithmic loss, the Gini impurity and, of two classes, the AUC and the balanced
        loss: for k = 0, 1, .., n the best value of k features, and every subset of that size that has it. Empty
        beyond 1024 subsets, or where the marginals have more than 2**18 cells (times 64-bit words of the total weight).

    Examples
    --------
    >>> from fstheory import gallery
    >>> found = report(gallery.copies(), name="copies")
    >>> [sorted(solution) for solution in found.solutions], found.is_unique, found.agree
    ([['X1'], ['X2']], False, False)
    """

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

    @property
    def positive(self) -> Check:
        """Whether p(x) > 0 for every x; if not, a state where it fails."""
        return self.backward.positive

    @property
    def unique_maximum(self) -> Check:
        """Whether p(Y|x) has a single maximum for every x with p(x) > 0; if not, a state where classes tie."""
        return self.backward.unique_maximum

    @property
    def guaranteed(self) -> bool:
        """Whether both assumptions hold, so that the theorems promise a single solution."""
        return self.backward.guaranteed

    @property
    def is_unique(self) -> bool:
        """Whether there is one solution only."""
        return len(self.solutions) == 1

    @property
    def methods(self) -> Mapping[str, MinimalOptimal]:
        """What each method of the paper returned, by its name."""
        return MappingProxyType({found.method: found for found in (self.backward, self.one_shot, self.resampling)})

    @property
    def agree(self) -> bool:
        """Whether there is one solution and every method returns it."""
        return self.is_unique and all(found.features == self.solutions[0] for found in self.methods.values())

    @property
    def disagreements(self) -> tuple[Disagreement, ...]:
        """Where a criterion chooses a subset that is not of least Bayes risk among those of its size."""
        return disagreements(self.criteria, self.risks)

    @cached_property
    def from_samples(self) -> tuple[SelectionLaw, ...]:
        """The exact laws of some methods on 10, 20 and 40 samples, those that take a fraction of a second each."""
        if len(self.distribution.classes) < 2:
            return ()
        laws = []
        for m, method in itertools.product(_SAMPLES, _METHODS):
            with suppress(TooLargeError):
                laws.append(selection_law(self.distribution, m, method, work=_WORK))
        return tuple(laws)

    @cached_property
    def pictures(self) -> Mapping[str, str]:
        """The drawings as SVG, by the names of their files; none without matplotlib or beyond 7 features."""
        marks: dict[str, Any] = {"best": self.solutions[0]} if self.is_unique else {"minimal": self.solutions}
        if len(self.backward.path) > 1:
            marks["path"] = self.backward.path
        marks["optimal"] = [subset for level in self.optima for subset in level.subsets]
        views: dict[str, View] = {BY_SIZE: "size", BY_RISK: "risk"} if len(self.risks) <= MOST_NODES else {}
        with suppress(MissingDependencyError):
            plots = {name: self.risks.plot(view=view, **marks).to_svg() for name, view in views.items()}
            return MappingProxyType(plots)
        return MappingProxyType({})

    @cached_property
    def _sections(self) -> tuple[Section, ...]:
        """What the text and the page say."""
        d = self.distribution
        compared = sections.criteria_of_sizes(self.criteria, self.disagreements, d.features)
        return (
            sections.answer(self.risks, self.solutions, self.one_shot),
            sections.lattice(self.risks, self.backward.path),
            sections.assumptions((self.positive, self.unique_maximum)),
            sections.methods(tuple(self.methods.values()), self.solutions),
            sections.risks_in_order(self.risks, MOST_SUBSETS),
            sections.optima_of_sizes(self.optima, d.features),
            *([compared] if len(d.features) > 1 else []),
            sections.relevance_of_features(self.relevance, self.blankets, d),
            *([sections.from_samples(self.from_samples, _SAMPLES, _METHODS)] if len(d.classes) > 1 else []),
            sections.probabilities(d),
        )

    def summary(self) -> str:
        """Return the report as text for a terminal, no line longer than 100 characters if names and numbers allow.

        Examples
        --------
        >>> from fstheory import gallery
        >>> print(report(gallery.xor(), name="xor").summary().partition("The minimal-optimal pr")[0].rstrip())
        xor
        ===
        2 features: X1 (2), X2 (2); target Y (2 classes); total weight 4
        <BLANKLINE>
        The minimal-optimal subset is S* = X1X2, with Bayes risk 0. No other features lower it, and without
        any the risk is 1/2 = 0.5.
        Both assumptions hold, so this is the only solution, and every method finds it (Theorems 4 to 7).
        <BLANKLINE>
        Assumptions
          p(x) > 0 for every x                                   holds
          p(Y|x) has a single maximum for every x with p(x) > 0  holds
        """
        return render_text(self.name, sections.about(self.distribution), self._sections)

    def __str__(self) -> str:
        return self.summary()

    def to_json(self, path: str | os.PathLike[str] | None = None) -> str:
        """Return the report as versioned JSON with exact numbers as "p/q" strings.

        Beyond 4096 subsets it holds the first in the order of the risks, and says so; and the distribution itself
        up to 65536 cells. Given a `path`, the text is also written there, whole or not at all.

        Examples
        --------
        >>> import json
        >>> from fstheory import gallery
        >>> json.loads(report(gallery.xor()).to_json())["minimal_optimal"]["solutions"]
        [['X1', 'X2']]
        """
        return written_to(path, json.dumps(_document(self), ensure_ascii=False, indent=1))

    def to_html(self) -> str:
        """Return the report as one page that needs nothing else: drawings, style and all.

        Examples
        --------
        >>> from fstheory import gallery
        >>> report(gallery.xor(), name="xor").to_html().splitlines()[0]
        '<!DOCTYPE html>'
        """
        about = sections.about(self.distribution)
        shown = (*self._sections, *self._touchable())
        return render_page(self.name, about, shown, self.pictures, document.generator())

    def _touchable(self) -> Iterator[Section]:
        """Yield the lattice that can be touched, where it is not too large."""
        with suppress(TooLargeError):
            data = explorer_data(self.distribution, title=self.name, level=3, claims=False)
            yield sections.touchable(embedded(data))

    def write(self, folder: str | os.PathLike[str]) -> tuple[Path, ...]:
        """Write report.html, report.json and the drawings into a folder, all of them or none.

        The folder is made if it does not exist; its parent must. Drawings of an earlier report are replaced or, if
        this one has none, taken away; other files are not touched.

        Returns
        -------
        tuple of Path
            The files written.

        Examples
        --------
        >>> import tempfile
        >>> from fstheory import gallery
        >>> with tempfile.TemporaryDirectory() as parent:
        ...     [path.name for path in report(gallery.xor()).write(Path(parent) / "xor")]
        ['report.html', 'report.json', 'lattice.svg', 'lattice-risk.svg']
        """
        texts = {"report.html": self.to_html(), "report.json": self.to_json() + "\n", **self.pictures}
        files: dict[str, bytes | None] = dict.fromkeys((BY_SIZE, BY_RISK))
        write_folder(folder, files | {name: text.encode("utf-8", "backslashreplace") for name, text in texts.items()})
        return tuple(Path(folder) / name for name in texts)


def _document(found: Report) -> dict[str, Any]:
    d = found.distribution
    variables = [{"name": name, "states": [document.label(x) for x in states]} for name, states in d.states.items()]
    risks = document.risks_document(found.risks, MOST_SUBSETS)
    solved = {
        "risk": format_fraction(found.risks.minimum),
        "risk_without_features": format_fraction(found.risks[()]),
        **{name: getattr(found, name) for name in ("guaranteed", "is_unique", "agree")},
        "solutions": [document.ordered(subset, d.features) for subset in found.solutions],
        "methods": {name: document.within_report(method) for name, method in found.methods.items()},
    }
    return document.titled(
        "report",
        generator=document.generator(),
        name=found.name,
        features=variables[:-1],
        target=variables[-1],
        total_weight=format_fraction(d.total),
        assumptions=document.assumptions(found.positive, found.unique_maximum),
        minimal_optimal=solved,
        risks={key: risks[key] for key in ("count", "complete", "risks")},
        k_optimal=document.by_size(found.optima, d.features, "risk", MOST_SUBSETS),
        criteria=document.criteria(found.criteria, found.disagreements, d.features) if found.criteria else None,
        relevance=document.relevance(found.relevance, d.features),
        markov_blankets=[document.ordered(subset, d.features) for subset in found.blankets],
        from_samples=document.from_samples(found.from_samples),
        distribution=json.loads(d.to_json()) if d.weights.size <= _MOST_CELLS else None,
    )


T = TypeVar("T")


@overload
def report(d: JointDistribution, *, name: str | None = None, rng: int = 0, progress: Progress = None) -> Report: ...
@overload
def report(d: Sample, *, name: str | None = None, rng: int = 0, progress: Progress = None) -> SampleReport: ...
def report(
    d: JointDistribution | Sample, *, name: str | None = None, rng: int = 0, progress: Progress = None
) -> Report | SampleReport:
    """Answer all questions about one distribution, or what a sample supports, and call it `name`.

    Parameters
    ----------
    d : JointDistribution or Sample
    name : str, optional
        The title, "distribution" or "sample" if not given.
    rng : int
        The seed of the permutations of a sample; a distribution needs none.
    progress : bool or callable, optional
        True shows how far it is, on a terminal or in a notebook; a function is called with each line of that.

    Returns
    -------
    Report or SampleReport
        With the answers as attributes, and `summary`, `to_json`, `to_html` and `write`. Of a sample: which features
        it supports, its plug-in risks beside leave-one-out risks and those with permuted labels, and what it cannot
        say.

    Raises
    ------
    TooLargeError
        The 2**n risks do not fit in memory.

    Notes
    -----
    Complexity: n sweeps over all subsets, each of 3**n cells for binary features; the drawings, up to 7
    features, are made when they are asked for. Of a sample some thousand groupings of its rows, and no table of cells.

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
    require_data(d)
    if name is None:
        name = "sample" if isinstance(d, Sample) else "distribution"
    if not isinstance(name, str):
        raise InvalidTypeError(explain("name", "a string", name, "pass a title"))
    require_text(name, "name")
    seed = as_index(rng, "rng")
    with Listener(progress) as tell:
        return report_sample(d, name, seed, tell) if isinstance(d, Sample) else _report(d, name, tell)


def _report(d: JointDistribution, name: str, tell: Listener) -> Report:
    """Answer all questions about one distribution."""

    def told(what: str, answer: Callable[[], T]) -> T:
        tell(what)
        return answer()

    with enough_memory("the answers on all subsets", "take the marginal of fewer features"):
        tell(
            f"takes {math.prod(c + 1 for c in d.cardinalities):,} cells of marginals, {len(d.features) + 5} times or so"
        )
        risks = bayes_risks(d)
        return Report(
            name=name,
            distribution=d,
            risks=risks,
            optima=tuple(risks.best_of_size(k) for k in range(len(d.features) + 1)),
            solutions=risks.minimal_sets(),
            backward=told("backward search", lambda: minimal_optimal(d, "backward")),
            one_shot=told("one-shot method", lambda: minimal_optimal(d, "one-shot")),
            resampling=told("resampling", lambda: minimal_optimal(d, "resampling")),
            relevance=told("relevance", lambda: relevance(d)),
            blankets=told("Markov blankets", lambda: markov_blankets(d)),
            criteria=told("other criteria", lambda: compare_criteria(d, risks)),
        )
