"""`importance`: what each feature of a distribution, a table or a sample is worth, exactly."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from fstheory._support.exact import Exact
from fstheory.distributions.rows import SUBSETS, DataLike, Sample, as_data, counts_by_subset, swept
from fstheory.errors import Message, Named, TooLargeError, require
from fstheory.lattice.columns import exact_column
from fstheory.lattice.importance import Importance, Kind, table_importance
from fstheory.lattice.table import SubsetTable
from fstheory.measures.criteria import as_criterion
from fstheory.measures.criterion import Criterion
from fstheory.samples.left_out import left_out


def importance(
    subject: DataLike | SubsetTable[Any],
    kind: Kind | Sequence[Exact] = "shapley",
    *,
    criterion: Criterion[Any] | str = "zero_one",
) -> Importance:
    """Return what each feature is worth, exactly: its Shapley value or another importance, by any criterion.

    Use it to see what a ranking of the features says here, and what following it would cost: ``.price(k)`` compares the
    k features of highest importance with the best k features. The importance is that of the *Bayes-optimal* predictors:
    the value of a subset is the best that any predictor can do that sees these features alone.

    Parameters
    ----------
    subject : JointDistribution, name of one in the gallery, Sample, or SubsetTable
        A table of all subsets is taken as it is, and `criterion` plays no part. In a sample, each row is predicted by
        the table of all other rows. So a feature that only fits noise gets no credit, and its importance may be
        negative.
    kind : {'shapley', 'banzhaf', 'loco', 'alone', 'mci', 'least'}, or a sequence of weights
        Let the gain of a feature be what it adds to a subset of the others. 'shapley' is its average over all orders of
        the features, 'banzhaf' its average over all subsets, 'loco' the gain given all others, 'alone' the gain given
        none. 'mci' is its largest value over all subsets, 'least' its smallest. A sequence has the weight of a subset
        of each size from 0 to n - 1; over all subsets the weights sum to 1.
    criterion : Criterion or the name of one
        What the subsets are judged by.

    Returns
    -------
    Importance
        A mapping from features to exact numbers, with `ranking`, `price`, `interactions`, `plot`,
        `to_frame` and `to_latex`.

    Raises
    ------
    InvalidValueError
        The table lacks subsets, the weights do not sum to 1, or the criterion has no value for a row left out.
    UnknownNameError
        There is no importance, criterion or distribution of this name.
    TooLargeError
        There are too many subsets for a table, or the table does not fit in memory.

    Notes
    -----
    Complexity: that of the table, then n 2**n additions. These enclose a sum of logarithms with a proven radius. Its
    exact terms take much longer for many features. They are computed when an answer needs them, as a tie or
    ``float(..)`` does. For k from 2 to n - 2 every importance that treats all features alike can lose everything: see
    the example. Only 'loco' is positive exactly for the features of S*, if p(x) > 0 and maxima are unique. Sources:
    Shapley (1953); Banzhaf (1965); Lei et al. (2018) for LOCO; Catav et al. (2021), arXiv 2010.07910, for MCI; Covert,
    Lundberg and Lee (2020), arXiv 2004.00668, for Shapley values of the best predictors (SAGE).

    Examples
    --------
    Let A and B be fair bits, X1 and X2 copies of A, X3 to X5 copies of B, and Y the exclusive or of A and B. The two
    features of highest importance tell nothing, and another two tell everything.

    >>> import fstheory as fs
    >>> cells = {(a, a, b, b, b, a ^ b): 1 for a in (0, 1) for b in (0, 1)}
    >>> d = fs.JointDistribution.from_pmf({cell: "1/4" for cell in cells})
    >>> found = fs.importance(d)
    >>> print(found)
    Shapley value of each feature, 0-1 loss; all together gain 1/2 = 0.5
      rank  feature  exact    rounded
      1     X1        3/20       0.15
      1     X2        3/20       0.15
      3     X3        1/15  0.0666667
      3     X4        1/15  0.0666667
      3     X5        1/15  0.0666667
    >>> print(found.price(2))
    the 2 features of highest importance, X1X2, lose 1/2 = 0.5 against X1X3
    """
    if isinstance(subject, SubsetTable):
        return table_importance(subject, kind)
    d = as_data(subject, "subject")
    chosen = as_criterion(criterion)
    return table_importance(_left_out_table(d, chosen) if isinstance(d, Sample) else chosen.table(d), kind)


def _left_out_table(s: Sample, criterion: Criterion[Any]) -> SubsetTable[Any]:
    """Return the value of every subset if each row is predicted by the others."""
    n, most = len(s.features), SUBSETS.bit_length() - 1
    require(s.m > 1, "subject", "a sample of two rows or more", s.m, "collect more rows")
    repair = Message("select some in a step before, or by ", Named("s.keep(features)"))
    require(n <= most, "subject", f"a sample of at most {most} features", n, repair, TooLargeError)
    held = swept(s, None)
    judge = left_out(held if isinstance(held, Sample) else s, criterion)
    column = None if held is None else judge.column()
    if column is None:
        found = {mask: judge.value(cells) for mask, cells in counts_by_subset(s, None)}
        column = exact_column([found[mask] for mask in range(2**n)])
    name, score = f"{criterion.name}, each of {s.m:,} rows predicted by the others", criterion.larger_is_better
    return SubsetTable(s.features, column, name=name, symbol=criterion.symbol, larger_is_better=score)
