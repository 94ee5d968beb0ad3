"""`MinimalOptimal`: what a method found, how, and how far the theorems vouch for it."""

from __future__ import annotations

import html
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
from fstheory.subsets import format_subset, mask_of

if TYPE_CHECKING:
    from fstheory.viz import LatticeFigure

__all__ = ["Method", "MinimalOptimal", "RiskTest", "Step"]


def class_first(d: JointDistribution) -> Weights:
    """Return the weights with the class as the first axis."""
    return np.ascontiguousarray(np.moveaxis(d.weights, -1, 0))


def without(table: Weights, place: int) -> Weights:
    """Return the table with one feature summed out, the one that stands at `place` among those left."""
    shrunk: Weights = table.sum(axis=place + 1)
    return shrunk


def right_weight(table: Weights) -> int:
    """Return the weight that the Bayes classifier over the features of the table gets right."""
    return int(np.sum(table.max(axis=0)))  # a table without features has a plain int for its maximum


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
        than = "the same" if self.removed else f"above {readable(self.before)}"
        outcome = "removed" if self.removed else "kept"
        return self.candidate, f"R = {readable(self.without)} without it, {than}", outcome


_THEOREM = {"backward": "Theorem 5", "one-shot": "Theorem 6", "resampling": "Theorem 7", "exhaustive": "Theorem 4"}
_TIES = "where classes tie, the classifier takes the first"


def _promise(method: str, positive: bool, unique_maximum: bool) -> str:
    """Return the sentence that says what the theorems promise of this method's answer."""
    if positive and unique_maximum:
        return f"Both assumptions hold, so this is S*, the only solution ({_THEOREM[method]})."
    failing = ["p(x) > 0 for every x"] * (not positive) + ["a single maximum of p(Y|x)"] * (not unique_maximum)
    return f"Without {' and '.join(failing)}, {_without(method, positive, unique_maximum)}."


def _without(method: str, positive: bool, unique_maximum: bool) -> str:
    if method == "exhaustive":
        return "there may be several solutions; the exhaustive method returns all of them"
    if method == "backward":
        return (
            "the answer is guaranteed to be a solution, a minimal set with minimal risk, but not to be the only one: "
            "another order of the features may end at another"
        )
    if method == "one-shot" or unique_maximum:
        known = "is the set of the features that all solutions share, which is a solution only if there is just one"
    elif positive:
        known = f"has minimal risk and holds every feature that all solutions share, but may not be minimal ({_TIES})"
    else:
        known = f"holds every feature that all solutions share, and no more is certain, not even minimal risk ({_TIES})"
    return f"the answer is not guaranteed to be a solution: it {known}"


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

    @property
    def removed(self) -> bool:
        """Whether it was removed."""

    @property
    def row(self) -> tuple[str, str, str]:
        """The candidate, what was found and what followed, in words."""


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
        table = class_first(self.distribution.marginal(self.features))
        best, places = right_weight(table), range(len(self.features))  # by monotonicity single features are enough
        return self.risk == self.least_risk and all(right_weight(without(table, place)) < best for place in places)

    @cached_property
    def is_unique(self) -> bool:
        """Whether there is one solution only, whatever the assumptions say.

        There is if and only if the features in `common` have minimal risk together. That takes n + 2 risks.
        """
        if self.positive.holds and self.unique_maximum.holds:
            return True
        return bayes_risk(self.distribution, self.common) == self.least_risk

    @cached_property
    def common(self) -> frozenset[str]:
        """The features that all solutions share, which are those without which the risk rises; what one-shot returns.

        If R(not Xi) = R(X), some minimal set with minimal risk lies within not Xi; and if a solution lacks Xi, it lies
        within not Xi, whose risk is then minimal too.
        """
        table = class_first(self.distribution)
        best, names = right_weight(table), enumerate(self.distribution.features)
        return frozenset(name for i, name in names if right_weight(without(table, i)) < best)

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

    def plot(self, **options: Any) -> LatticeFigure:
        """Draw the lattice of risks with the solutions found and the path of backward search.

        The options, which take precedence, and what is raised are those of `SubsetTable.plot`.
        """
        marks: dict[str, Any] = {}
        if self.solutions:
            marks |= {"best": self.features} if self.is_unique else {"minimal": self.solutions}
        if len(self.path) > 1:
            marks["path"] = self.path
        return bayes_risks(self.distribution).plot(**{**marks, **options})

    def __str__(self) -> str:
        rows, rest = self._rows()
        widths = [max((len(row[column]) for row in rows), default=0) for column in range(2)]
        steps = [f"  {a.ljust(widths[0])}  {b.ljust(widths[1])}  {c}" for a, b, c in rows]
        lines = [self._headline(), "", *self._account()]
        return "\n".join([*lines, "", "Tests:", *steps, *rest] if steps else lines)

    def _repr_html_(self) -> str:
        rows, rest = self._rows()
        account = "".join(f"<li>{html.escape(line)}</li>" for line in self._account())
        body = "".join(f"<tr><th>{html.escape(a)}</th><td>{html.escape(b)}</td><td>{c}</td></tr>" for a, b, c in rows)
        head = "<tr><th>feature</th><th>test</th><th></th></tr>"
        table = f'<table class="fstheory">{head}{body}</table>' if rows else ""
        more = "".join(f"<p>{line}</p>" for line in rest)
        return f"<p><b>{html.escape(self._headline())}</b></p><ul>{account}</ul>{table}{more}"

    def _headline(self) -> str:
        sets = self.solutions if len(self.solutions) > 1 else (self.features,)
        return f"{few(self._name, sets)} by {_TITLES[self.method]}, Bayes risk {both(self.risk)}"

    def _account(self) -> list[str]:
        promise = _promise(self.method, self.positive.holds, self.unique_maximum.holds)
        return [f"{self.positive}.", f"{self.unique_maximum}.", promise, self._finding()]

    def _finding(self) -> str:
        """Return the sentence that says what is the case for this distribution, which has been checked."""
        if self.is_solution and self.is_unique:
            return "Here it is a solution, and the only one."
        count = len(self.solutions) if self.method == "exhaustive" else "several"
        shared = self._name(self.common) if self.common else "no feature"
        several = f"{count} solutions, which share {shared}"
        if self.method == "exhaustive":
            return f"Here there are {several}."
        if self.is_solution:
            return f"Here it is a solution, one of {several}."
        there = "There is a single solution." if self.is_unique else f"There are {several}."
        if self.risk == self.least_risk:
            return f"Here it is no solution: its risk is minimal, but a smaller set has the same. {there}"
        risks = f"its risk is {readable(self.risk)}, that of all features {readable(self.least_risk)}"
        return f"Here it is no solution: {risks}. {there}"

    def _name(self, subset: frozenset[str]) -> str:
        features = self.distribution.features
        return format_subset(mask_of(subset, features), features)

    def _rows(self) -> tuple[list[tuple[str, str, str]], list[str]]:
        """Return the rows of the first tests, and how many more there are."""
        hidden = len(self.trace) - _STEPS
        return [step.row for step in self.trace[:_STEPS]], [f"... {hidden} more tests"] if hidden > 0 else []
