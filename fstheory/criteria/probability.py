"""The criterion of the logarithmic loss: the conditional entropy of the class."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

from fstheory._rational import Exact
from fstheory.criteria.criterion import Criterion
from fstheory.criteria.predictor import Predictor, posterior
from fstheory.distribution import JointDistribution, Label
from fstheory.errors import TooLargeError
from fstheory.information import conditional_entropies
from fstheory.logsum import LogSum, log
from fstheory.subsets import Subset
from fstheory.sweep.cells import Array
from fstheory.table.columns import Column

__all__ = ["logarithmic"]

_LONGEST = 2**15  # bits of a base; its factors are sought, which takes quadratic time


@dataclass(frozen=True)
class _Logarithmic(Criterion[LogSum]):
    base: Fraction | None
    name: ClassVar[str] = "logarithmic loss"
    symbol: ClassVar[str] = "H"

    def check(self, d: JointDistribution) -> None:
        """Every distribution will do."""

    def of_cells(self, d: JointDistribution, cells: Array) -> LogSum:
        terms: Counter[int] = Counter()
        for cell in cells.tolist():
            total = sum(cell)
            terms[total] += total
            for weight in cell:
                terms[weight] -= weight
        del terms[0]
        return LogSum.from_integer_terms(terms, denominator=d.total, base=self.base)

    def _bytes(self, d: JointDistribution) -> tuple[int, int]:  # noqa: ARG002
        return 0, 0  # conditional_entropies asks itself

    def _column(self, d: JointDistribution, workers: int) -> Column[LogSum]:
        return conditional_entropies(d, base=self.base, workers=workers).column

    def predictor(self, d: JointDistribution, subset: Subset) -> Predictor[dict[Label, Fraction]]:
        seen = self.seen(d, subset)
        return Predictor.of(seen, lambda cell: (posterior(d.classes, cell),))


def logarithmic(base: Exact | None = None) -> Criterion[LogSum]:
    """Return the criterion of the logarithmic loss: the conditional entropy H(Y | X_S).

    A prediction is a distribution q of the class, its loss -log q(y); the posterior is optimal. Since
    H(Y | X_S) = H(Y) - I(X_S; Y), it orders the subsets as mutual information does.

    Parameters
    ----------
    base : exact number above 1, optional
        The base of the logarithms; None, the default, for natural logarithms.

    Raises
    ------
    InvalidValueError, TooLargeError
        The base is not above 1, or a fraction of very many digits.

    References
    ----------
    Ahmed, Narasimhan and Agarwal (2015), Example 5.

    Examples
    --------
    >>> from fstheory import criteria, gallery
    >>> table = criteria.logarithmic(base=2).table(gallery.xor())
    >>> table[{"X1"}] == 1, table[{"X1", "X2"}] == 0
    (True, True)
    """
    number = log(1, base).base
    if number is not None and number.numerator.bit_length() + number.denominator.bit_length() > _LONGEST:
        raise TooLargeError(f"base must be a fraction of at most {_LONGEST} bits, not more; take a shorter number")
    return _Logarithmic(number)
