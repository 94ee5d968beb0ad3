"""Selection by the relative certainty gain, which compares numbers as numbers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

from fstheory.distribution.constructors import is_frame
from fstheory.points import CertaintyGainSelection, MixedPoints, select_by_certainty_gain
from fstheory.sklearn.exact_selector import ExactSelector, class_labels, read_columns, require_size, seed_of

__all__ = ["CertaintyGainSelector"]


class CertaintyGainSelector(ExactSelector):
    """Forward selection by the relative certainty gain: the columns in which neighbors agree about the class.

    Numbers are compared as numbers, and need no bins.

    Parameters
    ----------
    graph : {'mst', '1nn'}
        The minimum spanning tree of the rows, or the graph that joins each row to its nearest neighbor.
    null : {'moments', 'exact', 'permutation', 'printed'}
        What decides between columns, and stops the walk where it gets no better: z with the exact mean and variance
        under permutation of the classes; the exact p-value, for two classes on a tree; the p-value in a sample of
        permutations; z as the paper prints it.
    n_features_to_select : int, optional
        Stop when so many are selected, if not before.
    categorical : list of str, optional
        The columns whose values are categories; if not given, those of texts, of Booleans, and categorical ones.
    numbers : {'4 deviations', 'deviation', 'range', 'none'}
        What differences of numbers are divided by.
    categories : {'overlap', 'vdm1', 'vdm2', 'vdm3', 'squared vdm'}
        How categories differ. All but the first look at the classes, so that only the printed z is defined.
    ties : {'first', 'refuse', 'all'}
        Where equal distances leave more than one graph, or rows coincide: pairs count as ordered by the places of
        their rows; an error; or, for '1nn', every nearest neighbor is joined.
    trials : int, default 999
        How many permutations are drawn, for 'permutation'.
    random_state : int, RandomState or None
        For 'permutation'. An int is the seed that `select_by_certainty_gain` takes as `rng`.

    Attributes
    ----------
    result_ : CertaintyGainSelection
        What `fstheory.points.select_by_certainty_gain` returns; each step of `trace_` holds its graph, whose `null` is
        the law under permutation.
    points_ : MixedPoints
        The rows under their distance. The other attributes are those of `ExactSelector`.

    Notes
    -----
    Distances of floats are floats, and so is which of two is shorter. With ``ties='first'`` the order of the rows
    decides where distances are equal, as they are between rows with the same values.

    References
    ----------
    Sebban and Nock (2002), Section 4.

    Examples
    --------
    >>> import numpy as np
    >>> from fstheory.sklearn import CertaintyGainSelector
    >>> X = np.random.default_rng(0).normal(size=(60, 5))
    >>> selector = CertaintyGainSelector().fit(X, X[:, 3] > 0)
    >>> selector.get_feature_names_out()
    array(['x3'], dtype=object)
    >>> selector.trace_[0].gain.p_value < 1e-15
    True
    """

    def __init__(
        self,
        *,
        graph: Literal["mst", "1nn"] = "mst",
        null: Literal["moments", "exact", "permutation", "printed"] = "moments",
        n_features_to_select: int | None = None,
        categorical: Sequence[str] | None = None,
        numbers: str = "4 deviations",
        categories: str = "overlap",
        ties: Literal["first", "refuse", "all"] = "first",
        trials: int = 999,
        random_state: Any = None,
    ) -> None:
        self.graph = graph
        self.null = null
        self.n_features_to_select = n_features_to_select
        self.categorical = categorical
        self.numbers = numbers
        self.categories = categories
        self.ties = ties
        self.trials = trials
        self.random_state = random_state

    def _choose(self, table: Any, names: Sequence[str], labels: Any, y: Any) -> CertaintyGainSelection:
        del y
        if is_frame(table):
            table = table.set_axis([*names], axis=1)
        read_columns(table, names)  # refuses what scikit-learn does
        most = None if self.n_features_to_select is None else require_size(self.n_features_to_select, len(names))
        options: Any = {"categorical": self.categorical, "numbers": self.numbers, "categories": self.categories}
        self.points_ = MixedPoints(table, class_labels(labels), features=names, **options)
        walk: Any = {"graph": self.graph, "null": self.null, "ties": self.ties, "max_features": most}
        if self.null == "permutation":
            walk |= {"trials": self.trials, "rng": seed_of(self.random_state)}
        return select_by_certainty_gain(self.points_, **walk)
