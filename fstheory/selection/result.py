"""`MinimalOptimal`: what a method found, how, and how far the theorems vouch for it."""

from __future__ import annotations

import html
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal, Protocol, TypeAlias

import numpy as np

from fstheory._check import Check
from fstheory._display import Shown, few
from fstheory._exact import both, readable
from fstheory.bayes import bayes_risk, bayes_risks
from fstheory.distribution import JointDistribution
from fstheory.distribution.weights import Weights
from fstheory.subsets import format_subset, indices_of, mask_of, names_of

if TYPE_CHECKING:
    from fstheory.viz import LatticeFigure

__all__ = [
    "Method",
    "MinimalOptimal",
    "RiskTest",
    "Step",
    "class_first",
    "finding_text",
    "indispensable",
    "is_minimal",
    "marginal_table",
    "right_weight",
    "risk_of",
    "theorem_text",
    "without",
]


def class_first(d: JointDistribution) -> Weights:
    """Return the weights with the class as the first axis."""
    return np.ascontiguousarray(np.moveaxis(d.weights, -1, 0))


def without(table: Weights, place: int) -> Weights:
    """Return the table with one feature summed out, the one that stands at `place` among those left."""
    shrunk: Weights = table.sum(axis=place + 1)
    return shrunk


def marginal_table(d: JointDistribution, mask: int) -> Weights:
    """Return the table of the features in a mask."""
    dropped = tuple(i + 1 for i in range(len(d.features)) if not mask >> i & 1)
    table: Weights = class_first(d).sum(axis=dropped)
    return table


def right_weight(table: Weights) -> int:
    """Return the weight that the Bayes classifier over the features of the table gets right."""
    return int(np.sum(table.max(axis=0)))  # a table without features has a plain int for its maximum


def risk_of(table: Weights, total: int) -> Fraction:
    """Return the Bayes risk of the features of the table."""
    return 1 - Fraction(right_weight(table), total)


def indispensable(d: JointDistribution) -> int:
    """Return the mask of the features without which the risk rises, each alone taken from all: Table 2.

    For every distribution this is the intersection of all solutions of the minimal-optimal problem. If
    R(not Xi) = R(X), some minimal set with minimal risk lies within not Xi; and if a solution lacks Xi, it lies
    within not Xi, whose risk is then minimal too. So the solution is unique if and only if this set has minimal risk.
    """
    table = class_first(d)
    best = right_weight(table)
    return sum(1 << i for i in range(len(d.features)) if right_weight(without(table, i)) < best)


def is_minimal(d: JointDistribution, mask: int) -> bool:
    """Say whether a subset solves the minimal-optimal problem: minimal risk, and no feature can be spared.

    By monotonicity it is enough to take out single features.
    """
    table = marginal_table(d, mask)
    best = right_weight(class_first(d))
    places: Sequence[int] = range(len(indices_of(mask)))
    return right_weight(table) == best and all(right_weight(without(table, place)) < best for place in places)


@dataclass(frozen=True)
class RiskTest(Shown):
    """One execution of the test in Table 1 or 2: whether the risk is the same without a feature.

    Attributes
    ----------
    subset : frozenset of str
        The features S before the test; in Table 2 always all of them.
    candidate : str
        The feature Xi that is left out for the test.
    before, without : Fraction
        R(S), and R(S minus Xi).
    removed : bool
        Whether they are equal, so that Xi is removed.

    Examples
    --------
    >>> from fstheory.selection import backward_search
    >>> from fstheory import gallery
    >>> first = backward_search(gallery.ties()).trace[0]
    >>> sorted(first.subset), first.candidate, first.without, first.removed
    (['X1', 'X2'], 'X1', Fraction(1, 4), True)
    """

    subset: frozenset[str]
    candidate: str
    before: Fraction
    without: Fraction

    @property
    def removed(self) -> bool:
        """Whether the feature is removed: the risk without it is the same."""
        return self.without == self.before

    def __str__(self) -> str:
        return "{}: {}, {}".format(*self.row)

    @property
    def row(self) -> tuple[str, str, str]:
        """The candidate, what was found and what followed, in words."""
        if self.removed:
            return self.candidate, f"R = {readable(self.without)} without it, the same", "removed"
        return self.candidate, f"R = {readable(self.without)} without it, above {readable(self.before)}", "kept"


_THEOREM = {"backward": "Theorem 5", "one-shot": "Theorem 6", "resampling": "Theorem 7", "exhaustive": "Theorem 4"}
_TIES = "where classes tie, the classifier takes the first"


def theorem_text(method: str, positive: bool, unique_maximum: bool) -> str:
    """Return the sentence that says what the theorems promise of this method's answer."""
    if positive and unique_maximum:
        return f"Both assumptions hold, so this is S*, the only solution ({_THEOREM[method]})."
    failing = " and ".join(
        name
        for name, holds in (("p(x) > 0 for every x", positive), ("a single maximum of p(Y|x)", unique_maximum))
        if not holds
    )
    return f"Without {failing}, {_without(method, positive, unique_maximum)}."


def _without(method: str, positive: bool, unique_maximum: bool) -> str:
    if method == "exhaustive":
        return "there may be several solutions; the exhaustive method returns all of them"
    if method == "backward":
        return (
            "the answer is guaranteed to be a solution, a minimal set with minimal risk, but not to be the only one: "
            "another order of the features may end at another"
        )
    if method == "one-shot" or unique_maximum:
        return (
            "the answer is not guaranteed to be a solution: it is the set of the features that all solutions share, "
            "which is a solution only if there is just one"
        )
    if positive:
        return (
            "the answer is not guaranteed to be a solution: it has minimal risk and holds every feature that all "
            f"solutions share, but may not be minimal ({_TIES})"
        )
    return (
        "the answer is not guaranteed to be a solution: it holds every feature that all solutions share, "
        f"and no more is certain, not even minimal risk ({_TIES})"
    )


def finding_text(is_solution: bool, solutions: int, shared: str, risk: str, least: str) -> str:
    """Return the sentence that says what is the case for this distribution, which has been checked.

    `solutions` is how many there are, 0 if several whose number is not known; `shared` names what all have in common.
    """
    if is_solution and solutions == 1:
        return "Here it is a solution, and the only one."
    several = f"{solutions or 'several'} solutions, which share {'no feature' if shared == '{}' else shared}"
    if solutions > 1:
        return f"Here there are {several}."
    if is_solution:
        return f"Here it is a solution, one of {several}."
    count = "is a single solution" if solutions == 1 else f"are {several}"
    if risk == least:
        return f"Here it is no solution: its risk is minimal, but a smaller set has the same. There {count}."
    return f"Here it is no solution: its risk is {risk}, that of all features {least}. There {count}."


Method: TypeAlias = Literal["backward", "one-shot", "resampling", "exhaustive"]

_TITLES = {
    "backward": "backward search (Table 1)",
    "one-shot": "the one-shot method (Table 2)",
    "resampling": "resampling each feature (Theorem 7)",
    "exhaustive": "looking at every subset",
}
_STEPS = 64


class Step(Protocol):
    """One test of one feature: a `RiskTest` or a `ResamplingTest`.

    Examples
    --------
    >>> from fstheory import gallery
    >>> from fstheory.selection import minimal_optimal
    >>> [(step.candidate, step.removed) for step in minimal_optimal(gallery.copies()).trace]
    [('X1', True), ('X2', False)]
    """

    @property
    def candidate(self) -> str:
        """The feature that was tested."""
        ...

    @property
    def removed(self) -> bool:
        """Whether it was removed."""
        ...

    @property
    def row(self) -> tuple[str, str, str]:
        """The candidate, what was found and what followed, in words."""
        ...


@dataclass(frozen=True, repr=False)
class MinimalOptimal(Shown):
    """The answer of one method to the minimal-optimal problem.

    A *solution* is a subset that has minimal risk while none of its proper subsets has.

    Attributes
    ----------
    distribution : JointDistribution
    method : {'backward', 'one-shot', 'resampling', 'exhaustive'}
    features : frozenset of str
        The set returned: S* if the solution is unique; of several, the one the method came to (the exhaustive
        method takes the smallest). One-shot and resampling may return a set that is no solution.
    trace : tuple of RiskTest or ResamplingTest
        The tests in the order in which they were made; empty for the exhaustive method.
    iterations : int
        How often the loop ran (line 3 of Tables 1 and 2); of the exhaustive method the number of subsets.
    solutions : tuple of frozenset of str
        All solutions if the method is exhaustive. Otherwise what is known of them: the set returned if it
        is a solution, else nothing.

    Examples
    --------
    >>> from fstheory import gallery
    >>> from fstheory.selection import minimal_optimal
    >>> found = minimal_optimal(gallery.copies())
    >>> sorted(found.features), found.guaranteed, found.is_solution, found.is_unique
    (['X2'], False, True, False)
    """

    distribution: JointDistribution
    method: Method
    features: frozenset[str]
    trace: tuple[Step, ...]
    iterations: int
    solutions: tuple[frozenset[str], ...] = ()

    def __post_init__(self) -> None:
        if not self.solutions and self.is_solution:
            object.__setattr__(self, "solutions", (self.features,))

    # -- what the theorems say -----------------------------------------------------------------

    @cached_property
    def positive(self) -> Check:
        """Whether p(x) > 0 for every x; if not, a state where it fails."""
        return self.distribution.is_positive()

    @cached_property
    def unique_maximum(self) -> Check:
        """Whether p(Y|x) has a single maximum for every x with p(x) > 0; if not, a state where classes tie."""
        return self.distribution.has_unique_maximum()

    @property
    def guaranteed(self) -> bool:
        """Whether a theorem vouches for the answer before it is looked at.

        For the exhaustive method always: `solutions` holds all there are. For the others if both assumptions hold:
        `features` is then S*, the only solution (Theorems 4 to 7).
        """
        return self.method == "exhaustive" or (self.positive.holds and self.unique_maximum.holds)

    # -- what is the case ----------------------------------------------------------------------

    @cached_property
    def risk(self) -> Fraction:
        """The Bayes risk of the set returned."""
        return bayes_risk(self.distribution, self.features)

    @cached_property
    def least_risk(self) -> Fraction:
        """The Bayes risk of all features, which every solution has."""
        return bayes_risk(self.distribution, self.distribution.features)

    @cached_property
    def is_solution(self) -> bool:
        """Whether the set returned is a solution. Checked, where the method itself does not make it certain."""
        if self.method in {"backward", "exhaustive"} or (self.positive.holds and self.unique_maximum.holds):
            return True
        return is_minimal(self.distribution, mask_of(self.features, self.distribution.features))

    @cached_property
    def is_unique(self) -> bool:
        """Whether there is one solution only, whatever the assumptions say.

        There is if and only if the features that cannot be spared, each alone, have minimal risk together:
        they are the intersection of all solutions. That takes n + 2 risks.
        """
        if self.positive.holds and self.unique_maximum.holds:
            return True
        return bayes_risk(self.distribution, self.common) == self.least_risk

    @cached_property
    def common(self) -> frozenset[str]:
        """The features that all solutions share; what one-shot returns."""
        return names_of(indispensable(self.distribution), self.distribution.features)

    @property
    def path(self) -> tuple[frozenset[str], ...]:
        """The subsets backward search went through, from all features to the answer; of other methods none."""
        if self.method != "backward":
            return ()
        subsets = [frozenset(self.distribution.features)]
        for step in self.trace:
            if step.removed:
                subsets.append(subsets[-1] - {step.candidate})
        return tuple(subsets)

    # -- how it is shown -----------------------------------------------------------------------

    def plot(self, **options: Any) -> LatticeFigure:
        """Draw the lattice of risks with the solutions found and the path of backward search.

        Parameters
        ----------
        options
            As for `SubsetTable.plot`; they take precedence.

        Raises
        ------
        MissingDependencyError
            matplotlib is not installed.
        TooLargeError
            There are more subsets than can be drawn readably.
        """
        marks: dict[str, Any] = {}
        if self.solutions:
            marks |= {"best": self.features} if self.is_unique else {"minimal": self.solutions}
        if len(self.path) > 1:
            marks["path"] = self.path
        return bayes_risks(self.distribution).plot(**{**marks, **options})

    def __str__(self) -> str:
        rows = self._rows()
        widths = [max((len(row[column]) for row in rows), default=0) for column in range(2)]
        steps = [f"  {a.ljust(widths[0])}  {b.ljust(widths[1])}  {c}" for a, b, c in rows]
        lines = [self._headline(), "", *self._account()]
        return "\n".join([*lines, "", "Tests:", *steps, *self._rest()] if steps else lines)

    def _repr_html_(self) -> str:
        account = "".join(f"<li>{html.escape(line)}</li>" for line in self._account())
        rows = "".join(
            "<tr><th>" + "</th><td>".join(map(html.escape, row[:2])) + f"</td><td>{row[2]}</td></tr>"
            for row in self._rows()
        )
        head = "<tr><th>feature</th><th>test</th><th></th></tr>"
        table = f'<table class="fstheory">{head}{rows}</table>' if rows else ""
        more = "".join(f"<p>{line}</p>" for line in self._rest())
        return f"<p><b>{html.escape(self._headline())}</b></p><ul>{account}</ul>{table}{more}"

    def _headline(self) -> str:
        sets = self.solutions if len(self.solutions) > 1 else (self.features,)
        return f"{few(self._name, sets)} by {_TITLES[self.method]}, Bayes risk {both(self.risk)}"

    def _account(self) -> list[str]:
        return [
            f"{self.positive}.",
            f"{self.unique_maximum}.",
            theorem_text(self.method, self.positive.holds, self.unique_maximum.holds),
            finding_text(
                self.is_solution,
                1 if self.is_unique else len(self.solutions) if self.method == "exhaustive" else 0,
                self._name(self.common),
                readable(self.risk),
                readable(self.least_risk),
            ),
        ]

    def _name(self, subset: frozenset[str]) -> str:
        features = self.distribution.features
        return format_subset(mask_of(subset, features), features)

    def _rows(self) -> list[tuple[str, str, str]]:
        return [step.row for step in self.trace[:_STEPS]]

    def _rest(self) -> list[str]:
        hidden = len(self.trace) - _STEPS
        return [f"... {hidden} more tests"] if hidden > 0 else []
