"""What backward elimination and forward selection by conditional mutual information found, step by step."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Literal

from fstheory._display import Shown, few
from fstheory._rational import both, readable
from fstheory.logsum import LogSum
from fstheory.selection.chosen import shown
from fstheory.selection.error_bound import ErrorBound, ErrorModel
from fstheory.selection.stopping import ErrorRule, StoppingRule
from fstheory.subsets import format_subset, mask_of

if TYPE_CHECKING:
    from fstheory.viz import LatticeFigure

__all__ = ["CMISelection", "CMIStep", "Guarantee"]


@dataclass(frozen=True, repr=False)
class CMIStep(Shown):
    """One step of backward elimination or forward selection.

    Attributes
    ----------
    subset : frozenset of str
        The features selected before the step.
    values : tuple of pairs (feature, LogSum)
        The conditional mutual information of every candidate with the class, given the other features selected.
    chosen : str
        The candidate with the least one (backward) or the greatest (forward).
    tied : tuple of str
        Every candidate with that value, the chosen one first.
    made : bool
        Whether the move was made; if not, it is the last step.
    total : LogSum
        The sum of the scores up to this step, this one included.
    lost : LogSum
        nu: the information that all features have about the class, less that of those selected after the move.
    error : Fraction
        The Bayes risk, or the least mean squared error, after the move.
    bound, sharp_bound : ErrorBound
        What the theorems guarantee after the move, as printed and sharp.

    Examples
    --------
    >>> from fstheory import gallery
    >>> from fstheory.selection import ErrorRule, cmi_elimination
    >>> step = cmi_elimination(gallery.copies(), ErrorRule(0)).trace[0]
    >>> step.chosen, step.tied, step.made, step.lost == 0, step.error
    ('X1', ('X1', 'X2'), True, True, Fraction(1, 10))
    """

    subset: frozenset[str]
    values: tuple[tuple[str, LogSum], ...]
    chosen: str
    tied: tuple[str, ...]
    made: bool
    total: LogSum
    lost: LogSum
    error: Fraction
    bound: ErrorBound
    sharp_bound: ErrorBound

    @property
    def candidates(self) -> dict[str, LogSum]:
        """The conditional mutual information of every candidate."""
        return dict(self.values)

    @property
    def score(self) -> LogSum:
        """The conditional mutual information of the chosen one."""
        return self.candidates[self.chosen]

    def __str__(self) -> str:
        rest = [(name, value) for name, value in self.values if name != self.chosen]
        against = f" against {few(lambda other: f'{other[0]} {shown(other[1])}', rest)}" if rest else ""
        outcome = f"error {readable(self.error)} <= {self.bound}" if self.made else "not made"
        line = f"{self.chosen} {shown(self.score)}{against}; sum {shown(self.total)}; {outcome}"
        return line if self.made else f"{line}, error would be {readable(self.error)}"


@dataclass(frozen=True)
class Guarantee(Shown):
    """What the paper promises about the error of the selected features, and whether it is true.

    Attributes
    ----------
    statement : str
    holds : bool
        Of the features returned.
    holds_for_next : bool
        Of those that the last step would have left, A_{T+1}.

    Examples
    --------
    >>> from fstheory import gallery
    >>> from fstheory.selection import ErrorRule, cmi_selection
    >>> d = gallery.with_copy(gallery.copies(1), "X1")
    >>> cmi_selection(d, ErrorRule("9/10", printed=True)).guarantee.holds
    False
    """

    statement: str
    holds: bool
    holds_for_next: bool

    def __bool__(self) -> bool:
        return self.holds


@dataclass(frozen=True, repr=False)
class CMISelection(Shown):
    """The features that `cmi_elimination` or `cmi_selection` selected.

    Attributes
    ----------
    direction : {'backward', 'forward'}
    stop : StoppingRule
    features : tuple of str
        The features selected; forwards in the order in which they were added.
    trace : tuple of CMIStep
    model : ErrorModel
        How the error is measured and bounded.
    information : LogSum
        I(Y; X), of all features with the class, in nats.
    lost : LogSum
        nu = I(Y; X) - I(Y; selected features).

    Examples
    --------
    >>> from fstheory import gallery
    >>> from fstheory.selection import FeatureCountRule, cmi_elimination
    >>> found = cmi_elimination(gallery.titanic(), FeatureCountRule(1))
    >>> found.features, found.error, found.least_error
    (('sex',), Fraction(493, 2201), Fraction(461, 2201))
    """

    direction: Literal["backward", "forward"]
    stop: StoppingRule
    features: tuple[str, ...]
    trace: tuple[CMIStep, ...]
    model: ErrorModel
    information: LogSum
    lost: LogSum

    @property
    def error(self) -> Fraction:
        """The Bayes risk, or the least mean squared error, of the features selected."""
        return self.model.error_at(self._mask)

    @property
    def least_error(self) -> Fraction:
        """The error with all features: epsilon, or sigma squared."""
        return self.model.least

    @property
    def bound(self) -> ErrorBound:
        """What Theorem 1 or 3 guarantees of the error, as printed."""
        return self.model.bound(self.lost)

    @property
    def sharp_bound(self) -> ErrorBound:
        """What the sharper forms of Theorem 1 or 3 guarantee of the error."""
        return self.model.bound(self.lost, sharp=True)

    @property
    def next_features(self) -> frozenset[str]:
        """The features that would be selected had the last step been made: A_{T+1} where the paper has A_T."""
        if not self.trace or self.trace[-1].made:
            return frozenset(self.features)
        last = self.trace[-1]
        return last.subset - {last.chosen} if self.direction == "backward" else last.subset | {last.chosen}

    @property
    def guarantee(self) -> Guarantee | None:
        """Whether what the paper promises of the rule ER is so, decided exactly; None for the other rules.

        The promise is an error of at most delta more than the least. Of forward selection as printed it
        is another one, which is false in general: the least error - delta + sqrt(2 I(Y; X)), for regression the least
        error - delta + 2 B**2 I(Y; X).
        """
        if not isinstance(self.stop, ErrorRule):
            return None
        errors = self.error, self.model.error_at(mask_of(self.next_features, self._features))
        if self.direction == "backward" or not self.stop.printed:
            limit = self.least_error + self.stop.delta
            statement = f"error <= {readable(self.least_error)} + {readable(self.stop.delta)}"
            return Guarantee(statement, *(error <= limit for error in errors))
        claim = self.model.bound(self.information)
        holds = (claim.allows(error + self.stop.delta) for error in errors)
        return Guarantee(f"error <= {claim} - {readable(self.stop.delta)}", *holds)

    @property
    def _features(self) -> tuple[str, ...]:
        return self.model.error.features

    @property
    def _mask(self) -> int:
        return mask_of(self.features, self._features)

    @property
    def path(self) -> tuple[frozenset[str], ...]:
        """The subsets that the search went through, the selected features last."""
        return (*(step.subset for step in self.trace if step.made), frozenset(self.features))

    def plot(self, **options: Any) -> LatticeFigure:
        """Draw the lattice of the errors with the path of the search; for options see `SubsetTable.plot`.

        Raises
        ------
        MissingDependencyError
            matplotlib is not installed.
        TooLargeError
            There are more subsets than can be drawn readably.
        """
        return self.model.error.table().plot(**{"path": self.path, **options})

    def __str__(self) -> str:
        title = "backward elimination" if self.direction == "backward" else "forward selection"
        sign = "-" if self.direction == "backward" else "+"
        names = format_subset(self._mask, self._features)
        head = f"{names} by {title}, {self.stop}: {self.model.error.name} {both(self.error)}"
        least = (
            f"{readable(self.least_error)} with all features; guaranteed at most {self.bound}, sharp {self.sharp_bound}"
        )
        return "\n".join([head, f"  {least}", *(f"  {i}. {sign}{step}" for i, step in enumerate(self.trace, 1))])
