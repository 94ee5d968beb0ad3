"""`Sample`: rows drawn from an unknown distribution, of which only the distinct rows are held."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from contextlib import suppress
from functools import partial
from itertools import chain, combinations
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Literal, Self, TypeAlias, TypeGuard, get_args

import numpy as np

from fstheory import errors
from fstheory._support.exact import as_fraction, as_index
from fstheory._support.memory import require_cells
from fstheory._support.progress import Progress
from fstheory._support.result import Result, first_of, frame_of
from fstheory._support.work import Workers
from fstheory.distributions.build import Label, States, VariableData, Variables, name_states, require_rows
from fstheory.distributions.counting import WORD, Counts, Grouping, Rows, RowsInBatches, as_times, occupied
from fstheory.distributions.gallery import DistributionLike, as_distribution
from fstheory.distributions.joint import JointDistribution, repair_of
from fstheory.distributions.prepare import (
    CALENDAR,
    MANY,
    Batches,
    Bins,
    Missing,
    moments_of,
    prepare,
    refuse_identifiers,
    source_of,
    tells_rows_apart,
)
from fstheory.distributions.tables import (
    MISSING,
    Column,
    Table,
    count_rows,
    encode_rows,
    places_of,
    read_frame,
    refuse_frame,
)
from fstheory.lattice.subsets import Subset, indices_of, listed_names, mask_of

if TYPE_CHECKING:
    import pandas as pd

SUBSETS = 2**18
"""The largest number of subsets that one call groups: it takes a minute for 5,000 distinct rows."""

_CELLS = 2**21
"""The most cells of a table that is made of a sample to be swept. They take 16 MiB."""
_CELLS_OF_A_SUBSET = 2**14
"""A sweep of this many cells takes less time than one grouping of the rows."""

ROWS_PER_STATE = 5
"""If a state that occurs has fewer samples than this, the majority there is mostly luck."""

SUPPORT = errors.Named(
    "see what the rows support: samples.supported_features(sample, rng=0), in a pipeline SupportedFeaturesSelector()"
)
"""The advice at the end of a warning. Each front gives it in its own words."""

_KEPT = errors.Named("keep_continuous", True)
_READERS = errors.Named(" to Sample.from_frame or read_csv")
_Names: TypeAlias = "tuple[Iterable[str] | None, str | None]"  # of the features, and of the class


class Sample(Result, VariableData):
    """Samples from an unknown distribution: the distinct rows, and how often each was seen.

    Every number computed from a sample describes the sample, not the distribution behind it. The `empirical`
    distribution of a few features is a `JointDistribution`. With many features most states are seen once or never, and
    risks under the empirical distribution are too small. Memory grows with the number of distinct rows. Each question
    about some of the features sorts the distinct rows once.

    Parameters
    ----------
    rows : iterable of sequences (x1, .., xn, y)
        The observations, with the class last.
    features, target : names, optional
        The names of the variables: X1, .., Xn and Y if not given.
    states : mapping, optional
        From names of variables to the labels that each can take. A variable that is not named here has the labels that
        occur as its states, sorted as in `JointDistribution.from_pmf`.
    keep_continuous : bool
        Whether to treat each number in a column of many numbers as a category (in the target: as a class). If False,
        such columns are refused.

    Examples
    --------
    >>> s = Sample([("sun", "Mon", 0), ("rain", "Tue", 1), ("rain", "Mon", 1)], features=["sky", "day"], target="wet")
    >>> s.m, s.empirical({"sky"}).probability({"wet": 1}), s.marginal({"sky", "day"}).cardinalities
    (3, Fraction(2, 3), (3,))
    >>> print(s)
    3 samples of wet and 2 features, 3 distinct rows: sky (2), day (2)
    """

    __slots__ = ("_rows", "m")
    _items = "s.keep({'X1'}) is the sample of some features, s.to_frame() has the distinct rows"
    _instead = MappingProxyType({"shape": "s.m and len(s.features)", "size": "s.m"})

    def __bool__(self) -> bool:
        return True

    def __len__(self) -> int:
        """Return the number of samples, `m`."""
        return self.m

    _rows: Rows
    m: int
    """The number of samples."""

    def __init__(
        self,
        rows: Iterable[Sequence[Label]],
        *,
        features: Iterable[str] | None = None,
        target: str | None = None,
        states: States | None = None,
        keep_continuous: bool = False,
    ) -> None:
        self._count(count_rows(rows), (features, target), states, keep_continuous)

    def _count(
        self, counts: Mapping[tuple[Label, ...], int], names: _Names, states: States | None, keep_continuous: bool
    ) -> None:
        listed = {row: as_index(times, f"counts[{row!r}]") for row, times in counts.items()}
        listed = {row: times for row, times in listed.items() if times}
        errors.require(listed, "rows", "at least one row", [], "a sample is not empty")
        require_rows(listed, "counts")
        columns = [encode_rows(values, f"column {i + 1}") for i, values in enumerate(zip(*listed, strict=True))]
        self._read(columns, as_times(list(listed.values())), names, states, keep_continuous)

    def _read(
        self, columns: Sequence[Column], counts: Counts, names: _Names, states: States | None, keep_continuous: bool
    ) -> None:
        """Set the rows and variables from columns, the class last.

        Equal rows may be repeated. Rows with count 0 are dropped.
        """
        total, most = int(counts.sum()), f"below 2**{WORD.bit_length() - 1}"
        errors.require(total < WORD, "the sum of the counts", most, total, "divide them")
        errors.require(total, "the sum of the counts", "above 0", total, "a sample is not empty")
        variables = _named(columns, total, names, states, keep_continuous)
        seen = slice(None) if (counts > 0).all() else counts > 0
        found = [moved[codes[seen]] for moved, (codes, _) in zip(places_of(variables, columns), columns, strict=True)]
        self._hold(Rows(found, counts[seen].astype(np.int64), variables.shape), variables)

    @classmethod
    def _of(
        cls, columns: Iterable[Any], counts: Any, variables: Variables, distinct: bool = False, notes: Any = ()
    ) -> Self:
        """Return the sample of columns of state positions, the class last; `counts` is None for once each."""
        return object.__new__(cls)._hold(Rows(columns, counts, variables.shape, distinct), variables, notes)

    def _hold(self, rows: Rows, variables: Variables, notes: tuple[str, ...] = ()) -> Self:
        """Set the parts of a new object, which nobody else holds yet, and return it."""
        for name, part in (("_rows", rows), ("_variables", variables), ("_notes", notes), ("m", rows.total)):
            object.__setattr__(self, name, part)
        return self

    @classmethod
    def from_counts(
        cls,
        counts: Mapping[Any, int],
        *,
        features: Iterable[str] | None = None,
        target: str | None = None,
        states: States | None = None,
        keep_continuous: bool = False,
    ) -> Self:
        """Return the sample in which each row (x1, .., xn, y) was seen as often as `counts` says.

        The other parameters are those of `Sample`.
        """
        errors.require_type(counts, Mapping, "counts", "a mapping from rows to counts", "pass a dict")
        self = object.__new__(cls)
        self._count(counts, (features, target), states, keep_continuous)
        return self

    @classmethod
    def from_frame(
        cls,
        frame: pd.DataFrame | Any,
        *,
        target: str,
        features: Iterable[str] | None = None,
        leave_out: Iterable[str] = (),
        bins: Bins | None = None,
        missing: Missing | None = None,
        states: States | None = None,
        keep_continuous: bool | Iterable[str] = False,
        count: str | None = None,
    ) -> Self:
        """Return the sample of the rows of a DataFrame.

        Parameters
        ----------
        frame : DataFrame
            Of pandas, polars, pyarrow or another library that narwhals supports. It may be larger than memory: a lazy
            frame of polars, a relation of DuckDB such as ``duckdb.sql("select ...")``, a reader, scanner or dataset of
            pyarrow, or a DataFrame of Dask. Then its library counts equal rows, and only the distinct rows are held.
            The states of a categorical column are its categories, in their order, including those that do not occur.
        target : str
            The column of the class.
        features : iterable of str, optional
            The columns that are features, in this order. If not given, all columns except `target` and `leave_out`.
        leave_out : iterable of str, optional
            Columns that are neither features nor the target.
        bins : int or mapping, optional
            The number of ranges into which the numbers of each feature are grouped. Ranges hold about equally many
            rows. A feature with no more different numbers than that is left as it is. A mapping gives for each column
            its number of ranges, or a list of the upper edges of all ranges but the last. Its key None stands for all
            features that it does not name. Edges that fstheory chooses are values that occur, and equal values stay in
            one range. Dates are grouped like numbers. With ``{"day": "calendar"}``, the dates in ``day`` also give the
            features ``day: month`` and ``day: weekday``, if a month occurs in two years and a weekday in two weeks.
        missing : {'drop', 'label'}, optional
            What to do with missing values. With ``'drop'``, rows that lack any value are dropped. With ``'label'``,
            rows that lack the class are dropped, and in each feature a missing value becomes the last state,
            ``missing``. If not given, missing values are refused.
        states : mapping, optional
            As in `Sample`.
        keep_continuous : bool or iterable of str
            As in `Sample`. Names are those of columns that are left as they are: no bins are made of them.
        count : str, optional
            A column with the number of times that each row was seen: a row with the count 3 stands for three equal
            rows. Weights that are not whole numbers are refused.

        Examples
        --------
        >>> import pandas as pd
        >>> frame = pd.DataFrame({"age": [31.5, 18, 64, 40], "sky": ["sun", None, "rain", "sun"], "wet": [0, 1, 1, 0]})
        >>> s = Sample.from_frame(frame, target="wet", bins=2, missing="label")
        >>> s.states["age"], s.states["sky"], s.notes[0]
        (('at most 31.5', 'over 31.5'), ('rain', 'sun', 'missing'), 'bins, with these upper edges: age 31.5')
        """
        if hasattr(frame, "get_fragments") or type(frame).__module__.startswith("dask"):
            return cls.from_batches(
                frame, target=target, features=features, leave_out=leave_out, bins=bins, missing=missing, states=states,
                keep_continuous=keep_continuous, count=count,
            )  # fmt: skip
        table = read_frame(frame, target, features, missing, leave_out, count)
        table = prepare(table, bins, missing, kept=kept_names(keep_continuous))
        return cls._of_table(table, states, keep_continuous is True)

    @classmethod
    def from_batches(
        cls,
        batches: Any,
        *,
        target: str,
        features: Iterable[str] | None = None,
        leave_out: Iterable[str] = (),
        bins: Bins | None = None,
        missing: Missing | None = None,
        states: States | None = None,
        keep_continuous: bool | Iterable[str] = False,
        na: Iterable[str] | None = None,
        delimiter: str | None = None,
        encoding: str | None = None,
        decimal: str | None = None,
        header: int | None = None,
        keep: Literal["rows", "counts"] = "rows",
        count: str | None = None,
        executor: Workers = None,
        progress: Progress = None,
    ) -> Self:
        """Return the sample of rows that come in batches. Use it for more rows than memory holds.

        The sample equals the one that `from_frame` makes of all rows together. A first pass over the batches finds the
        states, and a second pass counts equal rows. For Parquet and datasets, pyarrow counts equal rows in a single
        pass, unless most rows are distinct. Memory holds one batch, the distinct labels and the distinct rows.

        Parameters
        ----------
        batches : str or path-like, iterable of tables, function that returns one, or dataset
            A CSV file, a Parquet file or folder, a pyarrow dataset, or a Dask DataFrame. Otherwise a list of tables, or
            a function that returns an iterator of them. An iterator alone is refused, because the tables are read
            twice. A table is a frame as in `from_frame`, or a pyarrow record batch. In place of a table there can be a
            function that returns a table or an iterator of tables. A worker of `executor` calls the function.
        target, features, leave_out, bins, missing, states, keep_continuous, count
            As in `from_frame`.
        na, delimiter, encoding, decimal, header : optional
            How to read a CSV file, as in `read_csv`.
        keep : {'rows', 'counts'}
            Use ``'counts'`` if the distinct rows do not fit in memory. Then only the counts of a few columns are held
            at a time. `select`, `mrmr` and `k_optimal` read the batches once for each step, and ``s.keep(features)``
            reads them once.
        executor, progress : optional
            The executor whose workers read and count the batches, and the listener to which progress is reported.

        Examples
        --------
        >>> import pandas as pd
        >>> def batches():
        ...     for day in range(1000):
        ...         yield pd.DataFrame({"sky": ["sun", "rain"], "day": [day % 7, day % 7], "wet": [0, day % 2]})
        >>> print(Sample.from_batches(batches, target="wet"))
        2,000 samples of wet and 2 features, 21 distinct rows: sky (2), day (7)
        """
        errors.require_choice(keep, "keep", ("rows", "counts"))
        errors.require_choice(missing or "drop", "missing", get_args(Missing))
        options: dict[str, Any] = {"target": target, "features": features, "leave_out": leave_out}
        options |= {"missing": missing, "count": count}
        text = {"na": na, "delimiter": delimiter, "encoding": encoding, "header": header}
        read = Batches(batches, options, executor, progress, **text)
        with suppress(errors.FSTheoryError):  # the passes below name the row that is refused
            if keep == "rows" and (distinct := read.distinct()) is not None:
                table = prepare(distinct, bins, missing, decimal, kept_names(keep_continuous))
                return cls._of_table(table, states, keep_continuous is True)
        margins = read.survey()
        table = prepare(margins, bins, missing, decimal, kept_names(keep_continuous))
        given, names = {**table.states, **(states or {})}, (table.names[:-1], target)
        variables = _named(table.columns, table.total, names, given, keep_continuous is True)
        places = dict[str, dict[Any, int]]()
        for at, moved in enumerate(places_of(variables, table.columns)):
            own = margins.names.index(source_of(table.names[at], margins.names))
            (_, labels), (codes, _) = margins.columns[own], table.columns[at]
            places[table.names[at]] = dict(zip(labels, moved[codes].tolist(), strict=True))
        counted = partial(read.count, places, variables.shape, table.total)
        if keep == "counts":
            rows: Rows = RowsInBatches(counted, variables.shape, Rows([moved], table.seen(-1), variables.shape[-1:]))
        else:
            (rows,) = counted([range(len(variables.shape))])
        return object.__new__(cls)._hold(rows, variables, table.notes)

    @classmethod
    def _of_table(cls, table: Table, states: States | None, keep_continuous: bool) -> Self:
        *features, target = table.names
        self = object.__new__(cls)
        self._read(table.columns, table.counts, (features, target), {**table.states, **(states or {})}, keep_continuous)
        return self._with_notes(table.notes)

    # -- its rows ------------------------------------------------------------------------------

    @property
    def counts(self) -> Counts:
        """The number of times that each distinct row was seen, in the lexicographic order of the rows; read-only."""
        return self._distinct().counts.view()

    @property
    def codes(self) -> Counts:
        """The states in each distinct row as positions, class last: a new array of shape (rows, features + 1)."""
        rows = self._distinct()
        require_cells((len(rows), len(rows.shape)), "the matrix of all rows", "keep fewer features")
        return np.column_stack(rows.columns).astype(np.int64)

    def _distinct(self) -> Rows:
        """Return the distinct rows. After the first call they replace the stored rows."""
        if not self._rows.distinct:
            object.__setattr__(self, "_rows", self._rows.grouped())
        return self._rows

    def _counted(self) -> Rows:
        """Return the rows to count: the distinct rows if one machine word per row can sort them, else all rows."""
        rows = self._rows
        return rows if rows.distinct or math.prod(rows.shape) > WORD else self._distinct()

    # -- counts and empirical distributions ----------------------------------------------------

    def cells(self, subset: Subset) -> Counts:
        """Return how often each class was seen in each joint state of a subset of the features.

        The array has shape (states, classes) and contains the states that occur. Complexity: one sort of the distinct
        rows, or none if the features have few states.

        Examples
        --------
        >>> Sample([("a", 0), ("a", 1), ("b", 1)]).cells({"X1"}).tolist()
        [[1, 1], [0, 1]]
        """
        return cells_at(self, mask_of(subset, self.features))

    def pair_counts(self, features: Iterable[str] | None = None, target: str | None = None) -> dict[str, Counts]:
        """Return, for each feature, how often each of its states was seen with each state of one other variable.

        `features` are the features to count, all if not given. `target` is the other variable, the class if not given.
        Each array has shape (states of the feature, states of the variable). Binary columns are counted 64 rows at a
        time.

        Examples
        --------
        >>> s = Sample([("a", "x", 0), ("a", "y", 1), ("b", "y", 1)], features=["X", "Z"], target="Y")
        >>> s.pair_counts()["X"].tolist(), s.pair_counts({"X"}, "Z")["X"].tolist()
        ([[1, 1], [0, 1]], [[1, 1], [0, 1]])
        """
        names = self.features if features is None else listed_names(features, "features")
        axes = indices_of(mask_of(names, self.features, "features"))
        other = self._variables.axis(self.target if target is None else target)
        rows = self._counted()
        return dict(zip((self.features[i] for i in axes), rows.pairs(axes, rows.states_of([other])), strict=True))

    def marginal(self, subset: Subset) -> JointDistribution:
        """Return the empirical distribution of the class and a single feature: the joint state of a subset.

        Use it in place of `empirical` for many features: its states are only the joint states that occur, in their
        order. Sums over states, such as a risk or an entropy, are the same as under `empirical`.
        """
        return merged(self, self.cells(subset))

    def empirical(self, features: Subset | None = None) -> JointDistribution:
        """Return the empirical distribution of some of the features and the class.

        It takes all features if `features` is not given. If few of the combinations of their states occur, it holds
        only these, and no table of all.

        Examples
        --------
        >>> Sample([("a", 0), ("a", 1), ("b", 1)]).empirical()
        JointDistribution([[1, 1], [0, 1]], states={'X1': ('a', 'b')})
        """
        names = self.features if features is None else listed_names(features, "features")
        mask = mask_of(names, self.features, "features")
        axes = [i for i in range(len(self.features)) if mask >> i & 1]
        rows = self._counted().of(axes)
        return JointDistribution._of_cells(rows.columns, rows.times, self._variables.keep(axes), self.notes)

    def keep(self, features: Iterable[str]) -> Sample:
        """Return the sample with only the given features, in the given order.

        A set is taken in the order of the columns.
        """
        names = listed_names(features, "features")
        mask_of(names, self.features, "features")
        axes = [self.features.index(name) for name in names]
        if isinstance(features, Set):  # the order of a set changes from run to run
            axes.sort()
        return object.__new__(Sample)._hold(self._counted().of(axes), self._variables.keep(axes), self.notes)

    def to_frame(self) -> pd.DataFrame:
        """Return a pandas DataFrame of the distinct rows, with the number of times that each was seen as ``count``.

        Examples
        --------
        >>> Sample([("a", 0), ("a", 1), ("a", 1)]).to_frame()
          X1  Y  count
        0  a  0      1
        1  a  1      2
        """
        names = [*self.features, self.target]
        needed = "names other than 'count', which is a column of the frame"
        errors.require("count" not in names, "variables", needed, names, "make the sample with another name")
        columns = zip(names, self.codes.T.tolist(), strict=True)
        seen: dict[str, Any] = {name: [self.states[name][i] for i in column] for name, column in columns}
        return frame_of(seen | {"count": self.counts})

    def __str__(self) -> str:
        sizes = first_of(zip(self.features, self.cardinalities, strict=True), lambda pair: f"{pair[0]} ({pair[1]})")
        number = len(self.features)
        noun = "feature" if number == 1 else "features"
        head = f"{self.m:,} samples of {self.target} and {number} {noun}, {self._distinct().described}: {sizes}"
        return "\n".join([head, *(f"  {note}" for note in self.notes)])

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Sample):
            return NotImplemented
        if self._rows is other._rows:
            return True
        if self._variables != other._variables or (cells_at(self, 0) != cells_at(other, 0)).any():
            return False
        (rows, counts), (others, times) = [(s._distinct().columns, s.counts) for s in (self, other)]
        return all(map(np.array_equal, (*rows, counts), (*others, times)))

    def __hash__(self) -> int:
        return hash((self._variables, *(array.tobytes() for array in (*self._distinct().columns, self.counts))))

    def __reduce__(self) -> tuple[Any, ...]:
        rows = self._rows
        return Sample._of, (rows.columns, rows.times, self._variables, rows.distinct, self.notes)


def _named(
    columns: Sequence[Column], total: int, names: _Names, states: States | None, keep_continuous: bool
) -> Variables:
    """Return the variables of columns, the class last. Refuse columns of measurements and identifiers."""
    variables = name_states([labels for _, labels in columns], *names, states)
    if not keep_continuous:
        _refuse_continuous(variables, set(states or ()), columns, total)
    return variables


def kept_names(keep_continuous: bool | Iterable[str]) -> tuple[str, ...]:
    """Return the names of the columns that are left as they are, if it is not a matter of all columns."""
    return () if isinstance(keep_continuous, bool) else errors.as_names(keep_continuous, "keep_continuous")


def require_few(d: Data, number: int, argument: str, value: object, repair: str) -> None:
    """Refuse a call that would group the rows of a sample, or cells, for more subsets than `SUBSETS`."""
    if number > SUBSETS:
        found = "left out" if value is None else f"{value!r}"
        needed = f" must make at most {SUBSETS:,} subsets of the features, not {number:,} when {found}; {repair}, or "
        few = "take fewer features by ", _fewer(d)
        raise errors.TooLargeError(errors.Message(errors.Named(argument), needed, *few))


def _fewer(d: Data) -> errors.Named:
    return errors.Named("s.keep(features)" if isinstance(d, Sample) else "d.marginal(features)")


# -- The inner interface of a sample or a distribution, for the rooms above: counts by bitmask, whose bits are the
# features in order. The weights of a distribution count its cells.


def counted(d: Data) -> Rows:
    """Return the rows of a sample, or the cells of a distribution, in the form in which they are counted fastest."""
    return d._counted()


def listed(d: JointDistribution) -> Rows:
    """Return the cells of positive probability of a distribution as rows, in lexicographic order."""
    return d._listed()


def is_table(d: Data) -> TypeGuard[JointDistribution]:
    """Return whether a distribution holds the table of all cells, from which all subsets are swept."""
    return isinstance(d, JointDistribution) and d._rows is None


def distinct_rows(s: Sample) -> Rows:
    """Return the distinct rows of a sample, in lexicographic order, with the number of times that each was seen."""
    return s._distinct()


MANY_NUMBERS = 10
"""A target with more numbers than this is predicted as a number."""


def has_numeric_target(s: Sample) -> bool:
    """Return whether the classes are exact numbers, and so many that they are to be predicted as numbers."""
    if len(s.classes) <= MANY_NUMBERS:
        return False
    try:
        for label in s.classes:
            as_fraction(label)
    except (errors.InvalidTypeError, errors.InvalidValueError):
        return False
    return True


def noted(s: Sample, note: str) -> Sample:
    """Return the sample with one more note on what was done to the rows, before the others."""
    return object.__new__(Sample)._hold(s._rows, s._variables, (note, *s._notes))


def expect_subsets(s: Sample, masks: Iterable[int]) -> None:
    """Announce the subsets that are asked for next, so that a sample in batches counts them in one pass."""
    s._rows.expect(map(indices_of, masks))


def cells_at(s: Data, mask: int) -> Counts:
    """Return the class counts in each joint state of a subset that occurs.

    For a table of all cells, return the class weights, also in states that do not occur.
    """
    if isinstance(s, JointDistribution) and s._rows is None and s._weights is not None:
        weights = s._weights
        gone = tuple(axis for axis in range(weights.ndim - 1) if not mask >> axis & 1)
        return np.asarray(weights.sum(axis=gone), dtype=weights.dtype).reshape(-1, weights.shape[-1])
    rows = s._counted()
    return rows.cells(rows.states_of(indices_of(mask)))


def cells_of_all(s: Sample) -> Counts:
    """Return how often each class was seen in each joint state of all features, one axis for each feature."""
    return s._counted().table()


def cells_with(s: Data, mask: int, added: Sequence[int]) -> Iterator[Counts]:
    """For each added feature, yield the class counts in the states of the subset with the feature, in any order."""
    rows, classes = s._counted(), len(s.classes)
    alone, rows, grouping = rows.apart(rows.few(rows.states_of(indices_of(mask))))
    for table in rows.pairs(added, rows.states_of([-1], grouping)):
        yield np.concatenate([occupied(table.reshape(-1, classes)), alone])


def cells_without(s: Data, mask: int, removed: Sequence[int]) -> Iterator[Counts | None]:
    """For each removed feature, yield the class counts in the states of the subset without the feature.

    Yield None if leaving the feature out merges no states.
    """
    rows, axes = s._counted(), indices_of(mask)
    rows.expect([axis for axis in axes if axis != left_out] for left_out in removed)
    for grouping in rows.leave_one_out(axes, removed):
        yield None if grouping is None else rows.cells(grouping)


def cells_of_size(s: Data, least: int, most: int) -> Iterator[tuple[int, Counts]]:
    """Yield the mask and the class counts of every subset with a size from `least` to `most`.

    Subsets share the groupings of their common features.
    """
    n, rows = len(s.features), s._counted()

    def visit(mask: int, size: int, first: int, grouping: Grouping) -> Iterator[tuple[int, Grouping]]:
        if size >= least:
            yield mask, grouping
        if size < most:
            for i in range(first, n + 1 - max(least - size, 1)):
                yield from visit(mask | 1 << i, size + 1, i + 1, rows.states_of([i], rows.few(grouping)))

    rows.expect(chain.from_iterable(combinations(range(n), size) for size in range(least, most + 1)))
    for mask, grouping in visit(0, 0, 0, rows.states_of(())):
        yield mask, rows.cells(grouping)


def tables_at(s: Sample, mask: int, *counts: Counts) -> list[Counts]:
    """Return a table of class counts in each state of a subset, for each of several counts of the distinct rows."""
    rows = distinct_rows(s)
    return rows.by_class(rows.states_of(indices_of(mask)), *counts)


def merged(s: Data, cells: Counts) -> JointDistribution:
    """Return the distribution of the class and one feature from the class counts in each state of the feature."""
    name = "X1" if s.target != "X1" else "X2"
    variables = Variables((name,), s.target, (tuple(range(len(cells))), s.classes))
    return JointDistribution._of_integers(cells, variables)


def counts_by_subset(s: Data, max_size: int | None) -> Iterator[tuple[int, Counts]]:
    """Yield the mask and the class counts of every subset of at most `max_size` features. Refuse too many subsets."""
    most, _ = _checked_sizes(s, max_size)
    return cells_of_size(s, 0, most)


def swept(s: Data, max_size: int | None) -> Data | None:
    """Return the sample with its rows in memory if a sweep of all cells is faster than grouping the rows, else None.

    Refuse too many subsets of at most `max_size` features. A distribution that holds no table is treated alike.
    """
    _, number = _checked_sizes(s, max_size)
    cells = math.prod(s._variables.shape)
    opened = math.prod(c + 1 for c in s.cardinalities) * len(s.classes)  # the cells of all marginals
    if cells > _CELLS or opened > _CELLS_OF_A_SUBSET * number:
        return None
    return s.keep(s.features) if isinstance(s, Sample) else s


def tabled(s: Data) -> JointDistribution:
    """Return the distribution, or the empirical distribution of a sample, with the table of all cells."""
    d = s.empirical() if isinstance(s, Sample) else s
    return d if is_table(d) else JointDistribution._of_integers(d.weights, d._variables, d.notes)


def _checked_sizes(s: Data, max_size: int | None) -> tuple[int, int]:
    """Return the largest size of a subset in a table, and the number of subsets. Refuse too many subsets."""
    n, argument = len(s.features), "s" if isinstance(s, Sample) else "d"
    narrow, repair = n <= WORD.bit_length(), f"keep fewer features: {_fewer(s)}"
    errors.require(
        narrow, argument, "of at most 63 features for a table of all subsets", n, repair, errors.TooLargeError
    )
    most = n if max_size is None else min(max_size, n)
    number = sum(math.comb(n, size) for size in range(most + 1))
    require_few(s, number, "max_size", max_size, "name a smaller size")
    return most, number


def _refuse_continuous(variables: Variables, declared: set[str], columns: Sequence[Column], total: int) -> None:
    """Refuse columns of measurements and of identifiers, unless their states were declared.

    A measurement is a column of many numbers, with fractions or with few rows for each. An identifier has a state for
    nearly every row.
    """
    numbers, dates, own = [], list[str](), []
    for name, (_, labels) in zip(variables.names, columns, strict=True):
        if len(labels) <= MANY or (name in declared and MISSING not in labels):  # `missing` declares only its place
            continue
        if name == variables.target:
            continue
        if moments_of(label for label in labels if label not in (None, MISSING)):
            dates.append(name)
        elif tells_rows_apart(labels, total):
            own.append(name)
        elif _is_measured(labels, total, len(variables.labels[-1])):
            numbers.append(f"{name} ({len(labels):,} different)")
    if numbers or dates:
        kinds = " or ".join(["numbers"] * bool(numbers) + ["dates"] * bool(dates))
        bins: Any = {**({None: 4} if numbers else {}), **dict.fromkeys(dates, CALENDAR)} if dates else 4
        text = errors.Message(
            f"features must be categories, not columns of many different {kinds}, as in "
            f"{first_of([*numbers, *dates])}; bin them first: pass ",
            errors.Named("bins", bins), _READERS, ", or ", _KEPT, " to treat each one as a category",
        )  # fmt: skip
        raise errors.repaired(errors.InvalidValueError(text), bins=bins)
    target, labels = variables.target, columns[-1][1]
    if len(labels) > MANY and not (target in declared and MISSING not in labels):
        _refuse_measured_target(target, labels, total)
    refuse_identifiers(own)


def _refuse_measured_target(name: str, labels: Sequence[Label | None], total: int) -> None:
    """Refuse a target that is a measurement, because each of its numbers would be a class."""
    if _is_measured(labels, total, 1):
        found = f"a column of many different numbers, as {name!r} ({len(labels):,} different)"
        text = errors.Message(
            errors.Named("target"), f" must be a class, not {found}; bin them: pass ", errors.Named("bins", {name: 4}),
            _READERS, ", or ", _KEPT, " to treat each number as a class, or to predict the number itself by a squared "
            "error",
        )  # fmt: skip
        raise errors.repaired(errors.InvalidValueError(text), bins={name: 4})


def _is_measured(labels: Sequence[Label | None], total: int, classes: int) -> bool:
    """Return whether most labels are numbers that have fractions, or fewer than 5 rows for each number and class."""
    kinds = [fractional for fractional in map(_is_fractional, labels) if fractional is not None]
    few = ROWS_PER_STATE * len(labels) * classes > total
    return 2 * (len(kinds) if few else sum(kinds)) > len(labels)


def _is_fractional(label: Label | None) -> bool | None:
    """Return whether a label, or the number in its text, is not an integer.

    Return None if the label is not a number.
    """
    try:
        number = float(label.replace(",", ".") if isinstance(label, str) else label)  # type: ignore[arg-type]
    except (TypeError, ValueError, OverflowError):
        return None
    if not math.isfinite(number):
        return None
    return number != int(number) or (isinstance(label, str) and ("." in label or "," in label))


Data: TypeAlias = JointDistribution | Sample
"""A distribution, or a sample, which stands for its empirical distribution."""
DataLike: TypeAlias = "Data | str"
"""A distribution, the name of one in the gallery, or a sample."""


def sample(d: DistributionLike, m: int, *, rng: int | np.random.Generator) -> Sample:
    """Return m independent samples drawn from a distribution. The draw is exact: no probability is rounded.

    Complexity: m log(cells).

    Parameters
    ----------
    d : JointDistribution
        The distribution to draw from, with a total weight below 2**63.
    m : int
        The number of samples, at least 1.
    rng : int or numpy.random.Generator
        A seed, or a generator, which is advanced.

    Examples
    --------
    >>> import fstheory as fs
    >>> fs.sample(fs.gallery.titanic(), 100, rng=0).m
    100
    """
    d = as_distribution(d)
    number = as_index(m, "m", at_least=1)
    rows = d._listed()
    times = _drawn(d, rows.counts, number, generator(rng))
    return Sample._of([column[times > 0] for column in rows.columns], times[times > 0], d._variables)


def generator(rng: object, argument: str = "rng", resume: object = None) -> np.random.Generator:
    """Return the random generator for a seed, or the given generator. A call that can be resumed needs a seed."""
    if isinstance(rng, np.random.Generator):
        errors.require(
            resume is None, argument, "a seed, where resume= is given", rng, "pass 0, say", errors.InvalidTypeError
        )
        return rng
    return np.random.default_rng(as_index(rng, argument))


def draw(d: JointDistribution, m: int, rng: np.random.Generator) -> Counts:
    """Draw m samples and return the counts of all cells."""
    return _drawn(d, d.weights.ravel(), m, rng)


def _drawn(d: JointDistribution, weights: Counts, m: int, rng: np.random.Generator) -> Counts:
    """Draw m samples from cells with these weights, and return how often each was drawn."""
    repair = "draw from a distribution with smaller weights"
    errors.require(weights.dtype != object, "d", "a distribution with a total weight below 2**63", d.total, repair)
    require_cells([m], "m samples", "draw fewer samples", 24)
    ends = np.cumsum(weights)
    drawn = rng.integers(0, d.total, size=m)
    return np.bincount(np.searchsorted(ends, drawn, side="right"), minlength=len(ends)).astype(np.int64)


_MOST_DRAWN = 10**9  # NumPy draws without replacement from fewer


def draw_some(counts: Counts, number: int, rng: np.random.Generator) -> Counts:
    """Draw a number of rows without replacement, and return how many of each kind. The work does not grow with them."""
    if int(counts.sum()) < _MOST_DRAWN:
        return rng.multivariate_hypergeometric(counts, number)
    # Each row is drawn by itself. Then some of the rows drawn are put back, or further rows are drawn, again without
    # replacement. By symmetry, all sets of so many rows are equally likely.
    drawn = rng.binomial(counts, number / int(counts.sum()))
    surplus = int(drawn.sum()) - number
    if surplus > 0:
        drawn -= draw_some(drawn, surplus, rng)
    elif surplus:
        drawn += draw_some(counts - drawn, -surplus, rng)
    return drawn


def as_data(value: DataLike, argument: str = "d") -> Data:
    """Return the distribution with this name in the gallery. A distribution or a sample is returned as it is."""
    if isinstance(value, Sample):
        return value
    if isinstance(value, JointDistribution | str):
        return as_distribution(value, argument)
    refuse_frame(value, argument)
    raise errors.InvalidTypeError(errors.explain(argument, "a JointDistribution or a Sample", value, repair_of(value)))
