"""Points with numbers and categories, and the heterogeneous distances HVDM, IVDM and WVDM on them."""

from __future__ import annotations

import math
from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from copy import copy
from fractions import Fraction
from itertools import pairwise
from operator import itemgetter
from typing import Any, Literal, TypeAlias, get_args

import numpy as np
import numpy.typing as npt

from fstheory import errors
from fstheory._support.exact import as_fraction, integers_over
from fstheory._support.result import ByParts, Result, listing
from fstheory.distributions.tables import is_frame
from fstheory.errors import Message, Named, explain, first_of, require, require_choice, unknown
from fstheory.lattice.subsets import default_features, feature_names
from fstheory.points.point_set import Label, PointSet, require_labels, require_place

Matrix: TypeAlias = "npt.NDArray[Any]"
"""A symmetric matrix of squared distances: int64, Python integers, or float64."""

Numbers: TypeAlias = Literal["4 deviations", "deviation", "range", "none", "ivdm", "wvdm"]
Categories: TypeAlias = Literal["vdm1", "vdm2", "vdm3", "squared vdm", "overlap"]
Missing: TypeAlias = Literal["refuse", "one"]
_Value: TypeAlias = "Fraction | float | str | None"
_BY_CLASSES = {"ivdm": "interpolated shares of the classes", "wvdm": "shares of the classes in windows"}
_INTERVALS = 5  # of the numbers of a feature; as many as there are classes if these are more
_EXACT_BITS = 62  # the most bits of a sum of squared differences that is stored as int64


class MixedPoints(ByParts, Result):
    """Points whose features are numbers or categories, with a class each, under HVDM, IVDM or WVDM.

    The squared distance of two points is the sum over the features of the squares of their differences. The difference
    of two numbers x and y is ``|x - y| / s``. The difference of two categories compares the distributions of the
    classes among the points that have them. This distance is the HVDM. Under IVDM and WVDM the difference of two
    numbers also compares two distributions of the classes: for each number, that among the points near it.

    Source: M. Sebban and R. Nock (2002), Section 3.2. D. R. Wilson and T. R. Martinez (1997), Journal of Artificial
    Intelligence Research 6, Sections 3 to 5.

    Parameters
    ----------
    data : pandas.DataFrame, two-dimensional array, or iterable of rows
        At least one row and one column. Without a DataFrame the features are called X1, X2, ...
    labels : iterable of int or str, or str
        The class of each point. With a DataFrame it may be the name of the column that has the classes.
    features : iterable of str, optional
        The names of the columns. With a DataFrame, the columns that are features, in this order.
    categorical : iterable of str, optional
        The features whose values are categories. By default these are the columns of a DataFrame with a categorical or
        Boolean dtype, and the columns of texts none of which reads as a number.
    numbers : {'4 deviations', 'deviation', 'range', 'none', 'ivdm', 'wvdm'}
        The scale s of a feature: four standard deviations of the data, as in Wilson and Martinez, one standard
        deviation, the largest minus the smallest value, or 1. A constant feature adds nothing to a distance. With
        'ivdm' and 'wvdm' there is no scale. The difference of two numbers then compares shares P(c|x) of the classes,
        as `categories` says. Let w be the range divided by the number of intervals. There are five intervals of length
        w, or as many as classes if these are more.

        * 'ivdm': P(c|x) is the share of class c in an interval if x is its midpoint. Between two midpoints P(c|x) is
          interpolated. It is 0 in an interval without points, and at the midpoints of the intervals before the first
          and after the last.
        * 'wvdm': P(c|x) is the share of class c among the points from ``x - w/2`` to below ``x + w/2``.

        Both need another choice of `categories` than 'overlap', and n**2 cells for n different numbers.
    categories : {'vdm2', 'vdm1', 'vdm3', 'squared vdm', 'overlap'}
        The difference of two categories x and y. P(c|x) is the share of class c among the points with category x, and
        k is the number of classes.

        * 'vdm2': ``sqrt(sum (P(c|x) - P(c|y))**2)``.
        * 'vdm1': ``sum |P(c|x) - P(c|y)|``.
        * 'vdm3': 'vdm2' times ``sqrt(k)``. These are the three normalizations of Wilson and Martinez.
        * 'squared vdm': the square of 'vdm2', the VDM with q = 2 as Sebban and Nock print it.
        * 'overlap': 1 for different categories. It does not depend on the labels.
    missing : {'refuse', 'one'}
        Whether None and NaN are refused, or differ from every value by 1, as in the paper.
    exact : bool
        Whether numbers are exact rationals, so that the order of all distances is exact. Otherwise they are floats.

    Attributes
    ----------
    sees_labels : bool
        Whether the distance depends on the labels. If so, tests that keep the graph fixed do not apply: use
        `permutation_p_value`.

    Examples
    --------
    >>> from fstheory.points import MixedPoints
    >>> rows = [(1, "red"), (2, "red"), (5, "blue"), (4, "green")]
    >>> points = MixedPoints(rows, [0, 0, 1, 1], numbers="range", exact=True)
    >>> points.categorical
    ('X2',)
    >>> points.squared_distance(0, 2), points.squared_distance(2, 3)
    (Fraction(3, 1), Fraction(1, 16))
    """

    def __init__(
        self,
        data: Any,
        labels: Iterable[Label] | str,
        *,
        features: Iterable[str] | None = None,
        categorical: Iterable[str] | None = None,
        numbers: Numbers = "4 deviations",
        categories: Categories = "vdm2",
        missing: Missing = "refuse",
        exact: bool = False,
    ) -> None:
        require_choice(numbers, "numbers", get_args(Numbers))
        require_choice(categories, "categories", get_args(Categories))
        require_choice(missing, "missing", get_args(Missing))
        repair = Message("pass ", Named("numbers", "4 deviations"), ", or ", Named("categories", "vdm2"))
        fits = numbers not in _BY_CLASSES or categories != "overlap"
        require(fits, "numbers", "a scale where categories overlap", numbers, repair)
        names, columns, declared, labels = _columns_of(data, labels, features)
        self.labels = require_labels(labels, len(columns[0]))
        if categorical is not None:
            declared = _named(categorical, names)
        self.features, self.is_exact = names, bool(exact)
        kinds = [
            _read_column(column, name, declared, missing, self.is_exact)
            for name, column in zip(names, columns, strict=True)
        ]
        self.categorical = tuple(name for name, (_, nominal) in zip(names, kinds, strict=True) if nominal)
        self.sees_labels = categories != "overlap" and bool(self.categorical or numbers in _BY_CLASSES)
        self._settings = (numbers, categories, missing)
        self._codes, self._states, tables = [], [], []
        self._sizes: dict[str, float] = {}  # of numerical features in floats
        for name, (values, nominal) in zip(names, kinds, strict=True):
            states = list(dict.fromkeys(values))
            place = {value: code for code, value in enumerate(states)}
            self._codes.append(np.array([place[value] for value in values]))
            self._states.append(states)
            if nominal or numbers in _BY_CLASSES:
                kind = "" if nominal else numbers
                tables.append(_table_by_classes(states, values, self.labels, kind, categories, self.is_exact))
            elif self.is_exact:
                tables.append(_numerical_table(states, values, numbers))
            else:
                tables.append(np.array([math.nan if x is None else x for x in values], dtype=float))
                self._sizes[name] = _squared_size(tables[-1], numbers, name)
        self._store(tables)

    def _store(self, tables: list[Matrix]) -> None:
        self._given = tables
        self._tables, self._denominator = _over_one_denominator(tables) if self.is_exact else (tables, 1)

    def with_labels(self, labels: Iterable[Label]) -> MixedPoints:
        """Return the same points with other labels. If the distance depends on the labels, it is computed anew.

        Examples
        --------
        >>> points = MixedPoints([("a", "b"), ("c", "d"), ("a", "d")], [0, 1, 1], exact=True)
        >>> points.squared_distance(0, 1), points.with_labels([1, 1, 1]).squared_distance(0, 1)
        (Fraction(5, 2), Fraction(0, 1))
        """
        found = copy(self)
        found.labels = require_labels(labels, len(self))
        if self.sees_labels:
            numbers, categories, _ = self._settings
            tables = list(self._given)
            for i, name in enumerate(self.features):
                kind = "" if name in self.categorical else numbers
                if not kind or kind in _BY_CLASSES:
                    values = [self._states[i][code] for code in self._codes[i]]
                    options = (kind, categories, self.is_exact)
                    tables[i] = _table_by_classes(self._states[i], values, found.labels, *options)
            found._store(tables)
        return found

    def __len__(self) -> int:
        return len(self.labels)

    @property
    def _parts(self) -> Any:
        columns = tuple((tuple(s), c.tobytes()) for s, c in zip(self._states, self._codes, strict=True))
        return columns, self.features, self.categorical, self.labels, self.is_exact, self._settings

    def __repr__(self) -> str:
        kind = "exact" if self.is_exact else "floats"
        return f"<MixedPoints: {len(self)} points, {len(self.features)} features, {kind}>"

    def __str__(self) -> str:
        numbers, categories, missing = self._settings
        rows = [
            ("features", first_of(self.features, 8) or "none"),
            ("categorical", first_of(self.categorical, 8) or "none"),
            ("numbers", {"none": "as they are", **_BY_CLASSES}.get(numbers, f"divided by {numbers}")),
            ("categories", categories + (", which sees the labels" if self.sees_labels else "")),
            ("missing", "refused" if missing == "refuse" else "differ by 1"),
        ]
        return listing(f"{len(self)} points, {'exact' if self.is_exact else 'in floating point'}", rows)

    def squared_differences(self, feature: str) -> Matrix:
        """Return the squared differences in one feature, of shape (points, points).

        If the points are exact, the entries are integers over one denominator that is common to all features. Otherwise
        they are floats.
        """
        if feature not in self.features:
            raise unknown("feature", feature, self.features)
        return self._differences(feature, slice(None))

    def _differences(self, feature: str, rows: int | slice, out: Matrix | None = None) -> Matrix:
        """Return the squared differences of some points from all points in one feature, in `out` if it is given."""
        place = self.features.index(feature)
        codes, table = self._codes[place], self._tables[place]
        if feature not in self._sizes:
            return np.take(table[codes[rows]], codes, axis=-1, out=out)
        found: Matrix = np.subtract(table, table[rows, np.newaxis], out=out)
        np.multiply(found, found, out=found)
        found /= self._sizes[feature]
        found[np.isnan(found)] = 1.0
        return found

    def squared_distance(self, one: int, other: int) -> Fraction | float:
        """Return the squared distance of two points, given by their places: a Fraction if the points are exact."""
        one, other = (require_place(place, len(self)) for place in (one, other))
        square = sum(self._differences(name, one)[other] for name in self.features)
        return Fraction(int(square), self._denominator) if self.is_exact else float(square)


Points: TypeAlias = "PointSet | MixedPoints"
"""Points with classes, under a distance."""


def require_points(points: object, labels: Any = None) -> Points:
    """Return points as they are. A table and its labels become `MixedPoints`."""
    if isinstance(points, PointSet | MixedPoints):
        require(labels is None, "labels", "left out with points that have some", labels, "drop it")
        return points
    wanted, repair = (
        "a PointSet or MixedPoints, unless labels are given",
        Message("pass ", Named("labels="), " for a table, or make one"),
    )
    require(labels is not None, "points", wanted, points, repair, errors.InvalidTypeError)
    return MixedPoints(points, labels)


def _columns_of(
    data: Any, labels: Any, features: Iterable[str] | None
) -> tuple[tuple[str, ...], list[list[Any]], set[str], Any]:
    """Return names, columns, the names that are categorical by their dtype, and the labels, all as Python objects."""
    declared: set[str] = set()
    chosen = None if features is None else feature_names(features)
    if is_frame(data):
        used = (*(chosen or ()), *([labels] if isinstance(labels, str) else []))
        if lacking := [name for name in used if name not in data.columns]:
            raise unknown("column", lacking[0], data.columns)
        _require_distinct(used)
        _require_distinct([str(name) for name in data.columns if chosen is None or name in used])
        require_order(labels, data.index.tolist())
        if isinstance(labels, str):
            data, labels = data.drop(columns=labels), data[labels]
        data = data if chosen is None else data[[*chosen]]
        names = tuple(map(str, data.columns))
        _require_distinct(names)
        columns = [data[name].tolist() for name in data.columns]
        declared = {str(name) for name, dtype in data.dtypes.items() if dtype.name in {"category", "bool"}}
    else:
        listed = errors.require_listed(data, "data", "a table with a row for each point", "pass a list of rows")
        rows = [row.tolist() if isinstance(row, np.ndarray) else row for row in listed]
        for place, row in enumerate(rows):
            if isinstance(row, str) or not isinstance(row, Sequence):
                raise errors.InvalidTypeError(explain(f"data[{place}]", "a row of values", row, "pass a list of rows"))
            needed = f"of {len(rows[0])} values, as many as the first row has"
            require(len(row) == len(rows[0]), f"data[{place}]", needed, row, "add or drop values")
        columns = [list(column) for column in zip(*rows, strict=True)]
        names = default_features(len(columns)) if chosen is None else chosen
        require(len(names) == len(columns), "features", f"{len(columns)} names", names, "name each column")
    require(columns and columns[0], "data", "of at least one row and one column", data, "add some")
    columns = [[value.item() if isinstance(value, np.generic) else value for value in column] for column in columns]
    return names, columns, declared, labels


def _require_distinct(names: Sequence[str]) -> None:
    twice = [name for name, times in Counter(names).items() if times > 1]
    repair = Message("rename one, or name it once among features= and ", Named("labels="))
    require(not twice, "data", "of columns with different names", f"several of {twice}", repair)


def require_order(labels: Any, names: list[Any]) -> None:
    """Raise an error if a Series of labels has the index of the data in another order, because the order is unclear."""
    index: Any = getattr(labels, "index", None)
    if not hasattr(index, "isin"):
        return
    own = index.tolist()
    turned = own != names and len(own) == len(names) and set(own) == set(names)
    repair = "pass labels.loc[data.index], or labels.tolist() if they are in the order of the rows"
    require(not turned, "labels", "a Series with the index of the data", own, repair)


def _named(categorical: Iterable[str], names: Sequence[str]) -> set[str]:
    found = errors.as_names(categorical, "categorical")
    for name in found:
        if name not in names:
            raise unknown("feature", name, names)
    return set(found)


def _read_column(
    column: list[Any], name: str, declared: set[str], missing: Missing, exact: bool
) -> tuple[list[_Value], bool]:
    """Return the values of a column, None for those that are missing, and whether they are categories."""
    known = [value for value in column if not _is_missing(value)]
    if len(known) < len(column) and missing == "refuse":
        place = next(place for place, value in enumerate(column) if _is_missing(value))
        repair = Message("drop or fill it, or pass ", Named("missing", "one"))
        raise errors.InvalidValueError(explain(f"data, row {place}, {name!r}", "a known value", column[place], repair))
    if name in declared or all(isinstance(value, str | bool) and not _reads_as_number(value) for value in known):
        return [None if _is_missing(value) else str(value) for value in column], True
    return [None if _is_missing(value) else _number(value, f"data, {name!r}", exact) for value in column], False


def _is_missing(value: object) -> bool:
    return (
        value is None
        or (isinstance(value, float) and math.isnan(value))
        or type(value).__name__ in {"NAType", "NaTType"}
    )


def _reads_as_number(value: object) -> bool:
    if isinstance(value, bool):
        return False
    try:
        as_fraction(value)
    except errors.FSTheoryError:
        return False
    return True


def _number(value: Any, argument: str, exact: bool) -> Fraction | float:
    """Return a number as an exact rational or as a float."""
    require(not (isinstance(value, float) and math.isinf(value)), argument, "finite", value, "correct it")
    if exact or not isinstance(value, float):
        try:
            found = as_fraction(value, argument)
        except errors.FSTheoryError as error:
            refused = error.message if exact else explain(argument, "a number", value, "write it as a number")
            raise type(error)(Message(refused, ", or name the column in ", Named("categorical="))) from error
        repair = "rescale it, or pass exact=True"
        try:
            number = found if exact else float(found)
        except OverflowError:
            raise errors.InvalidValueError(explain(argument, "a number that floats reach", value, repair)) from None
        is_kept = found.denominator > 1 or number == found  # else two integers could become one
        require(is_kept, argument, "a number that floats hold", value, repair)
        return number
    return value


def _numerical_table(states: list[_Value], values: list[_Value], scale: Numbers) -> Matrix:
    """Return the exact squared differences between the distinct values of a numerical feature."""
    known: list[Any] = [value for value in values if value is not None]
    size = Fraction(1)
    if known and scale in {"4 deviations", "deviation"}:
        mean = sum(known) / Fraction(len(known))
        size = sum((value - mean) ** 2 for value in known) / Fraction(len(known))
        size *= 16 if scale == "4 deviations" else 1
    elif known and scale == "range":
        size = (max(known) - min(known)) ** 2
    line, denominator = integers_over([Fraction(0 if value is None else value) for value in states])
    found: Matrix = np.subtract.outer(np.array(line, dtype=object), np.array(line, dtype=object)) ** 2
    found = found * (Fraction(1, denominator**2) / (size or 1))
    missing = [value is None for value in states]
    found[missing, :] = found[:, missing] = Fraction(1)
    return found


def _squared_size(line: Matrix, scale: Numbers, name: str) -> float:
    """Return the float by which squared differences are divided. Raise an error if one would become 0 or infinite."""
    known = np.unique(line[~np.isnan(line)])
    if len(known) < 2:
        return 1.0
    with np.errstate(all="ignore"):
        deviation = np.nanstd(line)
        root = {"4 deviations": 4 * deviation, "deviation": deviation, "range": np.ptp(known), "none": 1.0}[scale]
        size = float(root**2)
        extremes = np.array([np.diff(known).min(), np.ptp(known)]) ** 2
        shares = extremes / size
    fits = np.all((shares > 0) & np.isfinite(extremes) & np.isfinite(shares))
    needed = "of numbers whose squared differences are neither 0 nor infinite in floating point"
    require(fits, f"data, {name!r}", needed, f"{known[0]} to {known[-1]}", "rescale it, or pass exact=True")
    return size


def _table_by_classes(
    states: list[_Value],
    values: list[_Value],
    labels: Sequence[Label],
    numbers: str,
    categories: Categories,
    exact: bool,
) -> Matrix:
    """Return the squared differences between the distinct values of a feature: categories, or numbers by classes."""
    if categories == "overlap":
        found: Matrix = 1 - np.eye(len(states), dtype=np.int64)
        np.fill_diagonal(found, [value is None for value in states])
        return found.astype(object if exact else float)
    shares = _shares(states, values, labels, numbers)
    different = list(dict.fromkeys(shares))  # few, also where there are many categories
    place = {share: code for code, share in enumerate(different)}
    codes = [place[share] for share in shares]
    classes = len(set(labels))
    flat = [part for share in different for part in share or [Fraction(0)] * classes]
    in_floats = bool(numbers) and not exact  # the shares of numbers have large denominators
    cells, denominator = ([float(part) for part in flat], 1) if in_floats else integers_over(flat)
    lines = np.array(cells, dtype=float if in_floats else object).reshape(-1, classes).T
    gaps = [abs(np.subtract.outer(line, line)) for line in lines]
    total = sum(gaps) ** 2 if categories == "vdm1" else sum(gap**2 for gap in gaps)
    total = {"vdm3": classes * total, "squared vdm": total**2}.get(categories, total)
    denominator **= 4 if categories == "squared vdm" else 2
    table = total * Fraction(1, denominator) if exact else (total / denominator).astype(float)
    missing = [share is None for share in different]
    table[missing, :] = table[:, missing] = Fraction(1) if exact else 1.0
    expanded: Matrix = table[np.ix_(codes, codes)]
    return expanded


def _shares(
    states: list[_Value], values: list[_Value], labels: Sequence[Label], numbers: str
) -> list[tuple[Fraction, ...] | None]:
    """Return P(c|x) for all classes c, for each category x, or for each number x by IVDM or WVDM."""
    classes = sorted(set(labels), key=str)

    def share(inside: Sequence[Label]) -> tuple[Fraction, ...]:
        counts = Counter(inside)
        return tuple(Fraction(counts[c], len(inside) or 1) for c in classes)

    if not numbers:
        groups = defaultdict[_Value, list[Label]](list)
        for value, label in zip(values, labels, strict=True):
            groups[value].append(label)
        return [None if x is None else share(groups[x]) for x in states]
    known: Any = sorted(
        ((value, label) for value, label in zip(values, labels, strict=True) if value is not None), key=itemgetter(0)
    )
    line, names = [Fraction(value) for value, _ in known], [label for _, label in known]
    size = max(_INTERVALS, len(classes))
    width = (line[-1] - line[0]) / size or Fraction(1)

    def between(start: Any, stop: Any) -> tuple[Fraction, ...]:
        return share(names[bisect_left(line, start) : bisect_left(line, stop)])

    cuts = [*(line[0] + i * width for i in range(size)), math.inf]
    beyond = share([])
    at_midpoints = [beyond, *(between(*ends) for ends in pairwise(cuts)), beyond]

    def at(x: Fraction) -> tuple[Fraction, ...]:
        if numbers == "wvdm":
            return between(x - width / 2, x + width / 2)
        place = (x - line[0]) / width + Fraction(1, 2)
        before, after = at_midpoints[math.floor(place)], at_midpoints[math.floor(place) + 1]
        return tuple(p + place % 1 * (q - p) for p, q in zip(before, after, strict=True))

    return [None if x is None else at(Fraction(x)) for x in states]


def _over_one_denominator(tables: list[Matrix]) -> tuple[list[Matrix], int]:
    """Return tables of Fractions as integers over one denominator, in int64 if all their sums fit."""
    flat, denominator = integers_over([value for table in tables for value in table.flat])
    found, start = [], 0
    for table in tables:
        found.append(np.array(flat[start : start + table.size], dtype=object).reshape(table.shape))
        start += table.size
    fits = sum(int(table.max()) for table in found).bit_length() <= _EXACT_BITS
    return [table.astype(np.int64) for table in found] if fits else found, denominator
