"""Frames and streams of other libraries, which count the distinct rows where they are, in the order of occurrence."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from fstheory import errors
from fstheory._support.memory import available_bytes, require_cells

A_FRAME = "a DataFrame, of pandas or polars for example"
_WAITING = 2**25  # bytes of rows that wait to be counted


def flows(rows: object) -> bool:
    """Return whether `rows` are record batches of Arrow that can be read once, or a single one."""
    batch = type(rows).__name__ == "RecordBatch" or not hasattr(type(rows), "columns")
    return hasattr(rows, "projected_schema") or (batch and hasattr(rows, "__arrow_c_stream__"))


def collected(frame: Any) -> Any:
    """Return a DataFrame of polars, pyarrow or another library as one of narwhals. A lazy one is collected."""
    found = opened(opened(frame).read_all() if flows(frame) else frame)
    return found.collect() if hasattr(found, "collect") else found


def opened(frame: Any) -> Any:
    """Return a DataFrame of another library as one of narwhals, which may be lazy, or a stream as a reader of Arrow."""
    if flows(frame):
        arrow = errors.import_optional("pyarrow", "arrow", "a stream of record batches")
        return frame.to_reader() if hasattr(frame, "projected_schema") else arrow.RecordBatchReader.from_stream(frame)
    narwhals = errors.import_optional("narwhals", "data", "a DataFrame that is not of pandas")
    try:
        return narwhals.from_native(frame)
    except TypeError as error:
        raise errors.InvalidTypeError(
            errors.explain("frame", A_FRAME, frame, "make a DataFrame of pandas of it")
        ) from error


def counted(frame: Any, names: Sequence[str]) -> tuple[Any, str | None]:
    """Return the distinct rows of a lazy frame or of a stream, and the name of the column with their counts.

    If no library can count such columns, return all rows and None.
    """
    narwhals = errors.import_optional("narwhals", "data", "a DataFrame that is not of pandas")
    if flows(frame):
        schema = countable(frame.schema, names)
        table = frame.read_all() if schema is None else distinct_rows(schema, False, frame)
        return narwhals.from_native(table), schema and name_of_counts(names)
    chosen, kinds = frame.select(*names), frame.collect_schema()
    times, first, native = name_of_counts(names), name_of_counts(names) + "_", chosen.to_native()
    texts = [name for name in names if kinds[name] == narwhals.String]
    plain = (narwhals.Boolean, narwhals.Categorical, narwhals.Enum, narwhals.Date, narwhals.Datetime, narwhals.Time)
    if not all(name in texts or kinds[name].is_numeric() or kinds[name] in plain for name in names):
        return chosen.collect(), None
    if frame.implementation.is_polars():
        native = native.group_by(*names, maintain_order=True).len(times)
    elif frame.implementation.is_duckdb():
        quoted = {name: '"' + name.replace('"', '""') + '"' for name in names}
        keys = ", ".join(quoted.values())
        # The comparison of a text may be declared not to see the difference of A and a.
        exact = [f"({key} collate C) as {key}" if name in texts else key for name, key in quoted.items()]
        numbered = native.project(f"{', '.join(exact)}, row_number() over () as {first}")
        native = numbered.aggregate(f"{keys}, count(*) as {times}, min({first}) as {first}", keys).order(first)
    else:
        return chosen.collect(), None
    return narwhals.from_native(native).collect(), times


def name_of_counts(names: Iterable[str]) -> str:
    """Return a name for the column of counts that no column has."""
    return "_" * (1 + max(map(len, names)))


def countable(schema: Any, names: Iterable[str]) -> Any:
    """Return the schema of some columns of Arrow, with labels for dictionaries. Return None for lists and the like."""
    arrow = errors.import_optional("pyarrow", "arrow", "a stream of record batches")
    kinds = [(name, schema.field(name).type) for name in names]
    plain = arrow.schema([(name, kind.value_type if arrow.types.is_dictionary(kind) else kind) for name, kind in kinds])
    try:
        plain.empty_table().group_by(plain.names, use_threads=False).aggregate([])
    except NotImplementedError:
        return None
    return plain


def distinct_rows(schema: Any, gives_up: bool, batches: Any) -> Any:
    """Return the distinct rows of batches of Arrow as a table, and how often each occurs.

    `batches` may be a function that returns them. If the function `gives_up`, it returns None if most rows are
    distinct or if they need much memory.
    """
    arrow = errors.import_optional("pyarrow", "arrow", "a stream of record batches")
    times = name_of_counts(schema.names)

    def once(batch: Any) -> Any:
        table = arrow.Table.from_batches([batch]) if isinstance(batch, arrow.RecordBatch) else batch
        ones = [np.ones(len(table), dtype=np.int64)]
        return table.select(schema.names).cast(schema).append_column(times, ones)

    def grouped(tables: Sequence[Any]) -> Any:
        groups = arrow.concat_tables(tables).group_by(schema.names, use_threads=False).aggregate([(times, "sum")])
        return groups.select([*schema.names, f"{times}_sum"]).rename_columns([*schema.names, times])

    kept, new, most = [once(schema.empty_table())], 0, min(_WAITING, available_bytes() // 16)
    for batch in batches() if callable(batches) else batches:
        if batch is None:
            return None
        kept.append(batch if times in batch.schema.names else once(batch))
        new += kept[-1].nbytes
        if new > max(2 * kept[0].nbytes, most):
            kept, new = [grouped(kept)], 0
            many = 2 * len(kept[0]) > kept[0][times].to_numpy().sum()
            if gives_up and (many or 4 * kept[0].nbytes > available_bytes()):
                return None
            require_cells((kept[0].nbytes,), "the different rows", "choose fewer columns", 1)
    return grouped(kept) if new else kept[0]
