"""The design of a sample: rows that belong together, their order in time, and columns that are joined or kept."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any, NamedTuple, TypedDict

import numpy as np

from fstheory._support.result import Result
from fstheory.distributions.build import Variables
from fstheory.distributions.counting import Counts
from fstheory.distributions.prepare import numbers_if_any
from fstheory.distributions.rows import Sample, distinct_rows
from fstheory.distributions.tables import MISSING
from fstheory.errors import as_names, require, require_known
from fstheory.lattice.columns import Integers
from fstheory.lattice.subsets import mask_of

_DATE = re.compile(r"\d{4}-\d\d", re.ASCII)


class DesignOptions(TypedDict, total=False):
    """The design of a sample as arguments. `Design` explains each of them."""

    groups: str | None
    always: Iterable[str]
    together: Iterable[Iterable[str]]
    time: str | None


@dataclass(frozen=True, repr=False)
class Design(Result):
    """How the rows of a sample were gathered, and which columns are joined or kept.

    Attributes
    ----------
    groups : str or None
        A column that says which rows belong together, such as the rows of one person. It is no feature. Groups must be
        independent of each other, and rows of one group need not be. If the class is constant in each group, whole
        groups are permuted, and each group counts once: a column counts by the shares of its values in the group. If
        the class varies within a group, a column that is constant in each group is judged in the same way. Classes are
        permuted inside the groups to judge any other column.
    always : tuple of str
        Columns that are kept. All others are judged given these columns.
    together : tuple of tuple of str
        Columns that enter as one: their joint value is one column, whose name joins their names by " & ".
    time : str or None
        A column that orders the rows in time. It is no feature. Where a choice of columns is tested on rows that it has
        not seen, these rows are later than the others. The permutation tests do not use it.
    """

    groups: str | None = None
    always: tuple[str, ...] = ()
    together: tuple[tuple[str, ...], ...] = ()
    time: str | None = None

    @property
    def of_joined(self) -> DesignOptions:
        """The options of the same design for a sample whose columns are joined already."""
        return {"groups": self.groups, "always": self.always, "time": self.time}

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns that are no features: those of groups and of time."""
        return tuple(name for name in (self.groups, self.time) if name is not None)


class Designed(NamedTuple):
    """A sample with its design: `sample` has the features, `whole` also the columns of groups and time, at the end."""

    design: Design
    sample: Sample
    whole: Sample

    def codes(self, name: str) -> Counts:
        """Return the state of a column in each distinct row of `whole`."""
        codes: Counts = distinct_rows(self.whole).columns[self.whole.features.index(name)].astype(np.int64)
        return codes

    def groups(self) -> Counts:
        """Return the group of each distinct row of `whole`, numbered from 0 without gaps."""
        assert self.design.groups is not None
        return np.unique(self.codes(self.design.groups), return_inverse=True)[1]

    def varies(self, column: Integers) -> bool:
        """Return whether a column, given by its state in each distinct row, varies within some group."""
        groups = self.groups()
        return len(np.unique(np.stack([groups, column.astype(np.int64)]), axis=1).T) > int(groups.max()) + 1

    def constant(self) -> tuple[str, ...]:
        """Return the features that are constant in each group. Without groups there are none."""
        columns = zip(self.sample.features, distinct_rows(self.whole).columns, strict=False)
        return () if self.design.groups is None else tuple(name for name, found in columns if not self.varies(found))

    def by_groups(self) -> Designed:
        """Return the sample of groups, if the class is constant in each; else the sample itself.

        A group has one row. A column that varies within groups has the value that is most frequent in the group
        compared with all groups, so that it does not depend on the class. The time of a group is its last one.
        """
        rows = distinct_rows(self.whole)
        if self.design.groups is None or self.varies(rows.columns[-1]):
            return self
        groups = self.groups()
        number, columns = int(groups.max()) + 1, []
        for axis, name in enumerate(self.whole.features):
            (counts,) = rows.pairs([axis], (groups, number))
            if name == self.design.time:
                columns.append(_last(counts, self.ranks()))
            else:
                shares = counts / counts.sum(axis=0)
                columns.append((shares - shares.mean(axis=1, keepdims=True)).argmax(axis=0))
        classes = next(rows.pairs([-1], (groups, number))).argmax(axis=0)
        note = f"each group of rows with the same {self.design.groups} counts as one row: {number:,} groups"
        whole = Sample._of([*columns, classes], None, self.whole._variables, notes=(note, *self.whole.notes))
        names = [*self.sample.features, *([] if self.design.time is None else [self.design.time])]
        design = replace(self.design, groups=None)
        return Designed(design, whole.keep(self.sample.features), whole.keep(names))

    def ranks(self) -> Counts:
        """Return the place in time of each state of the column of time."""
        assert self.design.time is not None
        labels, name = self.whole.states[self.design.time], f"column {self.design.time!r}"
        order: Any = labels
        if numbers := numbers_if_any(labels, self.design.time):
            order = [numbers[label] for label in labels]
        elif any(isinstance(label, str) for label in labels):
            wrong = next((label for label in labels if not _DATE.match(str(label))), None)
            require(wrong is None, name, "of numbers, or of dates such as 2026-11-28", wrong, "write such dates")
        ranks = np.empty(len(labels), dtype=np.int64)
        ranks[sorted(range(len(labels)), key=order.__getitem__)] = np.arange(len(labels))
        return ranks


def _last(counts: Counts, ranks: Counts) -> Counts:
    """Return the state that is last in time among those that each group has."""
    found: Counts = np.where(counts > 0, ranks[:, None], -1).argmax(axis=0)
    return found


def designed(sample: Sample, options: DesignOptions) -> Designed:
    """Return a sample with the design that the options describe. Refuse names of columns that the sample lacks."""
    for argument in options:
        require_known(argument, "argument", DesignOptions.__annotations__)
    together = tuple(as_names(names, "together") for names in as_names(options.get("together") or (), "together"))
    always = as_names(options.get("always") or (), "always")
    design = Design(options.get("groups"), always, together, options.get("time"))
    joined = [name for names in together for name in names]
    for argument, names in (("together", joined), ("always", always), ("groups", design.columns)):
        mask_of(names, sample.features, argument, kind="column")
    used = [*joined, *always, *design.columns]
    twice = next((name for name in used if used.count(name) > 1), None)
    require(twice is None, "the design", "of columns with one role each", twice, "name each column once")
    for name in design.columns:
        repair = "drop these rows"
        require(MISSING not in sample.states[name], f"column {name!r}", "without missing values", MISSING, repair)
    for names in together:
        require(len(names) > 1, "together", "lists of two or more columns", names, "join at least two")
        sample = _joined(sample, names)
    features = [name for name in sample.features if name not in design.columns]
    whole = sample.keep([*features, *design.columns]) if design.columns else sample
    return Designed(design, whole.keep(features) if design.columns else sample, whole)


def _joined(s: Sample, names: tuple[str, ...]) -> Sample:
    """Return the sample in which one column has the joint states of some columns, in the place of the first."""
    rows, axes = distinct_rows(s), [s.features.index(name) for name in names]
    first, codes = min(axes), rows.states_of(axes)[0]
    _, at, joint = np.unique(codes, return_index=True, return_inverse=True)
    labels = [[s.states[s.features[axis]][code] for code in rows.columns[axis][at].tolist()] for axis in axes]
    kept = [axis for axis in range(len(s.features)) if axis == first or axis not in axes]
    variables = s._variables
    renamed = tuple(" & ".join(names) if axis == first else s.features[axis] for axis in kept)
    states = tuple(tuple(zip(*labels, strict=True)) if axis == first else variables.labels[axis] for axis in kept)
    columns = [joint if axis == first else rows.columns[axis] for axis in [*kept, -1]]
    return Sample._of(columns, rows.times, Variables(renamed, s.target, (*states, s.classes)), notes=s.notes)
