"""Count samples: rows of labels, or the columns of a pandas DataFrame."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence, Set
from typing import TYPE_CHECKING, Any, TypeGuard

from fstheory.distribution.variables import Label, is_missing, note_label
from fstheory.errors import InvalidTypeError, InvalidValueError, explain, unknown
from fstheory.subsets import feature_names

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["count_frame", "count_rows", "is_frame"]


def is_frame(rows: object) -> TypeGuard[pd.DataFrame]:
    """Say whether `rows` is a pandas DataFrame, without importing pandas."""
    return any(kind.__name__ == "DataFrame" and kind.__module__.startswith("pandas") for kind in type(rows).__mro__)


def count_rows(rows: Iterable[Sequence[Label]]) -> Counter[tuple[Label, ...]]:
    """Count equal rows (x1, .., xn, y); refuse rows of unequal length and missing values."""
    if isinstance(rows, str | Mapping) or not isinstance(rows, Iterable):
        raise InvalidTypeError(explain("rows", "an iterable of rows (x1, .., xn, y)", rows, "pass a list of tuples"))
    counts: Counter[tuple[Label, ...]] = Counter()
    width: int | None = None
    seen: list[dict[Label, Label]] = []
    for number, row in enumerate(rows):
        # a set has no order, and of a dict one would count the keys
        if isinstance(row, str | bytes | Mapping | Set) or not isinstance(row, Iterable):
            raise InvalidTypeError(explain(f"rows[{number}]", "a sequence (x1, .., xn, y)", row, "pass a tuple"))
        key = tuple(row)
        if width is None:
            width, seen = len(key), [{} for _ in key]
        if len(key) != width:
            raise InvalidValueError(
                explain(f"rows[{number}]", f"of length {width} like the first row", key, "the table is ragged")
            )
        for column, label in enumerate(key):
            if is_missing(label):
                raise InvalidValueError(
                    explain(f"rows[{number}][{column}]", "a label", label, "the value is missing: drop or label it")
                )
        try:
            for column, label in enumerate(key):
                note_label(seen[column], label, f"rows[{number}][{column}]")
            counts[key] += 1
        except TypeError:
            raise InvalidTypeError(explain(f"rows[{number}]", "made of hashable labels", key, "use strings")) from None
    if not counts:
        raise InvalidValueError(explain("rows", "at least one row", [], "an empirical distribution needs samples"))
    return counts


def count_frame(
    frame: pd.DataFrame, target: str | None, features: Iterable[str] | None
) -> tuple[Counter[tuple[Label, ...]], list[str], str, dict[str, list[Label]]]:
    """Count the rows of a DataFrame; return counts, feature names, target and the categories declared."""
    columns = list(frame.columns)
    if target is None:
        raise InvalidValueError(f"target must be the name of a column, not left out; pass one of {columns}")
    chosen = [name for name in columns if name != target] if features is None else list(feature_names(features))
    for name in (target, *chosen):
        if name not in columns:
            raise unknown("column", name, columns)
        if columns.count(name) > 1:
            raise InvalidValueError(explain("columns", "distinct names", name, "rename one of them"))
    categories: dict[str, list[Label]] = {}
    for name in (*chosen, target):
        missing = frame[name].isna()
        if missing.any():
            raise InvalidValueError(
                f"column {name!r} must have no missing values, not {int(missing.sum())} "
                f"(first in row {missing.to_list().index(True)}); drop those rows or label them"
            )
        dtype: Any = frame[name].dtype
        if hasattr(dtype, "categories"):
            categories[name] = list(dtype.categories)
    return (
        count_rows(zip(*(frame[name].tolist() for name in (*chosen, target)), strict=True)),
        chosen,
        target,
        categories,
    )
