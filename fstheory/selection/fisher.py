"""The Fisher score: how far the class means of a numeric feature are apart, against its spread within the classes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import total_ordering

from fstheory._display import Shown
from fstheory._rational import as_fraction, readable
from fstheory.distribution import JointDistribution, require_distribution
from fstheory.errors import InvalidTypeError, InvalidValueError, explain

__all__ = ["FisherScore", "fisher_scores"]


@total_ordering
@dataclass(frozen=True, eq=False)
class FisherScore(Shown):
    """The Fisher score of one feature; it may be infinite, and compares with the others all the same.

    Attributes
    ----------
    between : Fraction
        sum over y of p(y) (E[X | y] - E[X])**2.
    within : Fraction
        sum over y of p(y) Var[X | y].

    Examples
    --------
    >>> from fstheory.selection import FisherScore
    >>> FisherScore(Fraction(1), Fraction(0)) > FisherScore(Fraction(3), Fraction(2))
    True
    """

    between: Fraction
    within: Fraction

    @property
    def is_infinite(self) -> bool:
        """Whether the class means differ and the classes have no spread."""
        return self.between > 0 and self.within == 0

    @property
    def value(self) -> Fraction:
        """The score between / within; 0 for a constant feature.

        Raises
        ------
        InvalidValueError
            It is infinite.
        """
        if self.is_infinite:
            raise InvalidValueError(
                explain("the Fisher score", "finite", str(self), "ask is_infinite first, or take the share")
            )
        return self.between / self.within if self.within else Fraction(0)

    @property
    def share(self) -> Fraction:
        """The share of the variance that lies between the classes, F / (1 + F): it orders as the score does."""
        variance = self.between + self.within
        return self.between / variance if variance else Fraction(0)

    def __eq__(self, other: object) -> bool:
        return self.share == other.share if isinstance(other, FisherScore) else NotImplemented

    def __lt__(self, other: object) -> bool:
        return self.share < other.share if isinstance(other, FisherScore) else NotImplemented

    def __hash__(self) -> int:
        return hash(self.share)

    def __str__(self) -> str:
        return "infinite" if self.is_infinite else readable(self.value)


class _Scores(Mapping[str, FisherScore]):
    """The scores by feature, the best first."""

    __slots__ = ("_scores",)

    def __init__(self, scores: Mapping[str, FisherScore]) -> None:
        self._scores = {name: scores[name] for name in sorted(scores, key=scores.__getitem__, reverse=True)}

    def __getitem__(self, name: str) -> FisherScore:
        return self._scores[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._scores)

    def __len__(self) -> int:
        return len(self._scores)

    def __repr__(self) -> str:
        return "{" + ", ".join(f"{name!r}: {score}" for name, score in self._scores.items()) + "}"


def fisher_scores(d: JointDistribution) -> Mapping[str, FisherScore]:
    """Return the Fisher score of every feature, exactly; the best first, ties in feature order.

    Parameters
    ----------
    d : JointDistribution
        The states of its features are numbers: integers, Fractions, decimals, or strings that write one.

    Returns
    -------
    mapping from feature to FisherScore
        Its first k keys are the features a score-based selection takes.

    Raises
    ------
    InvalidTypeError
        A state of a feature is no exact number.

    Notes
    -----
    With any number of classes, and means and variances of the distribution itself,

        F(X) = sum p(y) (E[X | y] - E[X])**2  /  sum p(y) Var[X | y].

    It is infinite if the classes have different means and no spread, and 0 for a constant feature. For
    two classes the name is also used for (difference of means)**2 / (sum of variances), which weighs the
    classes equally and may order the features differently. Complexity: a pass over the cells of `d` for each feature.

    References
    ----------
    Duda, Hart and Stork (2000); Gu, Li and Han (2011).

    Examples
    --------
    >>> from fstheory import JointDistribution
    >>> from fstheory.selection import fisher_scores
    >>> fisher_scores(JointDistribution([[[2, 0], [1, 0]], [[1, 2], [0, 2]]]))
    {'X1': 3/2, 'X2': 1/14}
    """
    require_distribution(d)
    return _Scores({name: _score(d, name) for name in d.features})


def _score(d: JointDistribution, name: str) -> FisherScore:
    states = [_number(label, name) for label in d.states[name]]
    mean = second = between = Fraction(0)
    marginal = d.marginal({name})
    for column in marginal.weights.T.tolist():
        if not (weight := Fraction(sum(column), marginal.total)):
            continue
        class_mean = sum((n * x for n, x in zip(column, states, strict=True)), Fraction(0)) / sum(column)
        square = sum((n * x * x for n, x in zip(column, states, strict=True)), Fraction(0)) / sum(column)
        mean += weight * class_mean
        second += weight * square
        between += weight * class_mean**2
    return FisherScore(between - mean**2, second - between)


def _number(label: object, name: str) -> Fraction:
    try:
        return as_fraction(label)
    except (InvalidTypeError, InvalidValueError):
        raise InvalidTypeError(
            explain(
                f"the states of {name}",
                "exact numbers for the Fisher score",
                label,
                "name them by integers, Fractions or strings such as '3/8'",
            )
        ) from None
