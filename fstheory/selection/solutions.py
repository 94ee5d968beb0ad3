"""Minimal subsets: the ones that are good enough for everybody, and the ones that settle the verdict of one case."""

from __future__ import annotations

import functools
import operator
from collections.abc import Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Literal, TypeAlias, get_args

import numpy as np

from fstheory._support.exact import Exact, as_fraction, as_index, drawable, exact_text, to_text
from fstheory._support.journal import Journal, Resume
from fstheory._support.memory import enough_memory, require_cells
from fstheory._support.progress import Clock, OutOfTime, Progress, spend
from fstheory._support.result import (
    Check,
    Result,
    Rounded,
    Rows,
    Table,
    assigned,
    either,
    first_of,
    frame_of,
    percent,
    table_text,
)
from fstheory.distributions.build import Label
from fstheory.distributions.gallery import DistributionLike, as_distribution
from fstheory.distributions.joint import JointDistribution
from fstheory.distributions.rows import DataLike, counted, listed, tabled
from fstheory.errors import (
    InvalidTypeError,
    InvalidValueError,
    explain,
    import_optional,
    require,
    require_choice,
    require_known,
    show,
)
from fstheory.lattice.series import Panel, Point, Series, draw_curves, draw_grid
from fstheory.lattice.subsets import (
    format_subset,
    indices_of,
    is_subset,
    mask_of,
    minimal_masks,
    names_of,
    ordered_names,
    subset_text,
)
from fstheory.lattice.sweep import Array
from fstheory.measures.criterion import Criterion
from fstheory.selection.greedy import CriterionLike, SetFunction, on_sample, set_function
from fstheory.selection.submodularity import is_monotone

if TYPE_CHECKING:
    import pandas as pd

    from fstheory.lattice.figure import PlotFigure, Size, Width

Among: TypeAlias = Literal["possible", "all"]

_SHOWN, _LISTED, _DRAWN = 20, 100, 40  # solutions in a text, and reasons in a text and in a picture


@dataclass(frozen=True, repr=False)
class ImportanceRanges(Result):
    """For each feature, the range of its importance over all subsets that are good enough.

    Attributes
    ----------
    solutions : AllSolutions
        The minimal subsets that are good enough.
    least, largest : mapping
        The smallest and the largest importance of each feature.
    """

    solutions: AllSolutions
    least: Mapping[str, Any] = field(hash=False)
    largest: Mapping[str, Any] = field(hash=False)

    def plot(self, *, title: str | None = None, figsize: Size | None = None, width: Width | None = None) -> PlotFigure:
        """Draw the least and the largest importance of each feature that is in a solution."""
        shown = {name: name for name in self.largest if self.largest[name] > 0}
        ends = [
            Series(end, [Point(name, drawable(values[name])) for name in shown])
            for end, values in (("least", self.least), ("largest", self.largest))
        ]
        panel = Panel("feature", "loss beyond the bound", ends, rows=shown)
        heading = "Importance over all good subsets" if title is None else title
        return draw_curves([[panel]], title=heading).sized(figsize, width)

    def to_frame(self) -> pd.DataFrame:
        """Return a pandas DataFrame with a row for each feature: the number of its solutions, and the exact range."""
        counts = self.solutions._counts
        rows = [(name, counts[name], self.least[name], self.largest[name]) for name in self.least]
        frame = frame_of(rows, ["feature", "solutions", "least", "largest"])
        return frame.astype({"least": object, "largest": object})

    def __str__(self) -> str:
        found = self.solutions
        bound = to_text(found.bound, formula=False)
        head = f"importance over all good subsets: the loss beyond {bound} without the feature"
        if not found.complete or found.max_size is not None:
            head += "; further solutions may raise the largest"
        cells = [
            (name, f"{found._counts[name]:,} of {len(found.solutions):,}", Rounded(least), Rounded(self.largest[name]))
            for name, least in self.least.items()
        ]
        table = Table(("feature", "in solutions", "least", "largest"), cells, (1, 2, 3))
        return "\n".join([head, *table_text(table, "  ")])


@dataclass(frozen=True, repr=False)
class AllSolutions(Result):
    """Every minimal subset that is good enough.

    A subset *reaches the bound* if its value is as good as `bound`, or better. A solution is a subset that reaches the
    bound while none of its proper subsets does.

    Attributes
    ----------
    criterion : str
        The name of the criterion.
    within : Fraction
        The largest difference that is allowed from the value of all features.
    max_size : int or None
        The largest size of the solutions that were looked for.
    complete : bool
        Whether these are all solutions. If not, the search was stopped.
    solutions : tuple of frozenset of str
        The solutions, small ones first, then in the order of the columns.
    failures : tuple of frozenset of str
        The maximal subsets that do not reach the bound. With `max_size`, or if the search was stopped, these are the
        ones that the search met. They are the certificate: see `verify`.
    """

    criterion: str
    within: Fraction
    max_size: int | None
    complete: bool
    solutions: tuple[frozenset[str], ...]
    failures: tuple[frozenset[str], ...]
    function: SetFunction = field(kw_only=True, repr=False, compare=False)
    _derived = ("bound", "core", "replaceable", "unused")

    @property
    def bound(self) -> Any:
        """The worst value that is good enough."""
        return _Bound(self.function, self.within).value

    @functools.cached_property
    def _counts(self) -> Mapping[str, int]:
        """The number of solutions that have each feature."""
        return {name: sum(name in subset for subset in self.solutions) for name in self.function.features}

    @property
    def core(self) -> tuple[str, ...]:
        """The features in every solution, in the order of the columns. Without a solution there are none."""
        return tuple(name for name, count in self._counts.items() if count == len(self.solutions) > 0)

    @property
    def replaceable(self) -> tuple[str, ...]:
        """The features in some solutions but not in every one. Others can take their place."""
        return tuple(name for name, count in self._counts.items() if 0 < count < len(self.solutions))

    @property
    def unused(self) -> tuple[str, ...]:
        """The features in no solution."""
        return tuple(name for name, count in self._counts.items() if not count)

    def ranges(self) -> ImportanceRanges:
        """Return the least and the largest importance of each feature over all subsets that are good enough.

        The importance of a feature in a subset that reaches the bound is the loss beyond the bound if the subset loses
        the feature. It is 0 if the rest still reaches the bound. The least importance is that in the set of all
        features, and the largest is one in a solution: the chapter on minimal subsets proves it. So the least is
        positive exactly for the features in every solution, and the largest is 0 exactly for the features in none. If
        `max_size` was given, or if the search was stopped, the ranges are those over the set of all features and the
        subsets that contain a listed solution.

        Complexity: one value for each feature of each solution, and n values more.

        Examples
        --------
        >>> import fstheory as fs
        >>> print(fs.all_solutions("asia", within="1/100").ranges())
        importance over all good subsets: the loss beyond 3930247/25000000 ≈ 0.1572 without the feature
          feature  in solutions     least      largest
          asia           0 of 3         0            0
          smoke          0 of 3         0            0
          tub            1 of 3         0   0.00159024
          lung           1 of 3         0   0.00159024
          bronc          3 of 3  0.220676     0.272729
          either         1 of 3         0   0.00159024
          xray           0 of 3         0            0
        """
        f, least, largest = self.function, dict[str, Any](), dict[str, Any]()
        reaches, everything = _Bound(f, self.within), 2 ** len(f.features) - 1
        masks = [everything, *(mask_of(subset, f.features) for subset in self.solutions)]
        for mask in masks:
            f.learn(mask, indices_of(mask))
        for i, name in enumerate(f.features):
            losses = [reaches.lacks(mask & ~(1 << i)) for mask in masks if mask >> i & 1]
            least[name], largest[name] = losses[0], max(losses)
        return ImportanceRanges(self, least, largest)

    def verify(self) -> Check:
        """Check from the certificate that these are all solutions. The check does not use the search.

        It computes the value of each solution and of each failure again. Then it lists the minimal hitting sets of the
        complements of the failures, of at most `max_size` features. By duality, the list is complete if and only if
        these are the solutions. A result that is not complete does not pass, and the check names the first subset that
        differs.
        """
        statement = "these are all minimal subsets that reach the bound"
        for mask, words in self._problems():
            failure = f" at {format_subset(mask, self.function.features)}, which {words}"
            return Check(statement, False, {"S": names_of(mask, self.function.features)}, failure=failure)
        return Check(statement, True)

    def _problems(self) -> Iterator[tuple[int, str]]:
        """Yield every subset at which the certificate is wrong, with the reason in words."""
        f, features = replace(self.function), self.function.features  # it computes all values again
        reaches, everything = _Bound(f, self.within), 2 ** len(features) - 1
        found, failing = ([mask_of(part, features) for part in parts] for parts in (self.solutions, self.failures))
        yield from _faults(reaches, found, failing)
        edges, listed, hit = [everything & ~mask for mask in failing], {*found}, set[int]()
        most = len(features) if self.max_size is None else self.max_size
        for mask in minimal_hitting_sets(edges, everything, {}, most):
            hit.add(mask)
            if mask not in listed:
                yield mask, "hits the complements of all failures, and is not listed"
        for mask in found:
            if mask not in hit:
                yield mask, "is not minimal, too large, or listed twice"
            hit.discard(mask)

    def to_frame(self) -> pd.DataFrame:
        """Return a pandas DataFrame with a row for each solution: the subset, its size, and its exact value."""
        f = self.function
        rows = [(subset_text(subset, f.features), len(subset), f.value(subset)) for subset in self.solutions]
        return frame_of(rows, ["subset", "size", "value"]).astype({"value": object})

    def __str__(self) -> str:
        f = self.function
        count = f"{len(self.solutions):,} minimal subset{'s' * (len(self.solutions) != 1)}"
        size = "" if self.max_size is None else f" of at most {self.max_size} feature{'s' * (self.max_size != 1)}"
        most = "at least" if f.larger_is_better else "at most"
        lines = [f"{count}{size} with {self.criterion} {most} {to_text(self.bound, formula=False)}{on_sample(f)}"]
        lines += [
            f"  {subset_text(subset, f.features)} {to_text(f.value(subset), 0, formula=False)}"
            for subset in self.solutions[:_SHOWN]
        ]
        lines += [f"  ... {len(self.solutions) - _SHOWN:,} more"] * (len(self.solutions) > _SHOWN)
        if self.solutions:
            parts = {"in all": self.core, "in some": self.replaceable, "in none": self.unused}
            listed = "; ".join(f"{words}: {first_of(names) or 'no feature'}" for words, names in parts.items())
            lines.append(listed if self.complete else f"of these so far, {listed}")
        failing = f"{len(self.failures):,} maximal subset{'s fail' if len(self.failures) != 1 else ' fails'}"
        undecided = (
            f"not complete: the search stopped when it knew that {failing}; a subset is undecided if it contains none "
            "of the solutions and is part of none of the failures"
        )
        return "\n".join([*lines, f"complete: {failing}" if self.complete else undecided])


class _Bound:
    """The decision whether the subset with a mask is as good as all features, up to a difference."""

    def __init__(self, f: SetFunction, within: Fraction) -> None:
        self.f, full = f, f.at(2 ** len(f.features) - 1)
        self.value = full - within if f.larger_is_better else full + within

    def __call__(self, mask: int) -> bool:
        spend()
        value = self.f.at(mask)
        return bool(value >= self.value if self.f.larger_is_better else value <= self.value)

    def lacks(self, mask: int) -> Any:
        """Return how much worse than the bound a subset is, or 0."""
        loss = self.value - self.f.at(mask)
        return max(loss if self.f.larger_is_better else -loss, Fraction(0))


def _faults(reaches: _Bound, found: Sequence[int], failing: Sequence[int]) -> Iterator[tuple[int, str]]:
    """Yield every subset on the wrong side of the bound, or part of another failure, with the reason in words."""
    yield from ((mask, "does not reach the bound") for mask in found if not reaches(mask))
    for i, mask in enumerate(failing):
        if reaches(mask):
            yield mask, "reaches the bound, so it is no failure"
        if any(is_subset(mask, other) for other in (*failing[:i], *failing[i + 1 :])):
            yield mask, "is part of another failure"


def all_solutions(
    d: DataLike,
    criterion: CriterionLike = "zero_one",
    *,
    within: Exact = 0,
    max_size: int | None = None,
    limit: int | None = None,
    time_limit: float | None = None,
    resume: Resume = None,
    progress: Progress = None,
) -> AllSolutions:
    """Find every minimal subset that is nearly as good as all features, and prove that there is no other.

    A solution has a Bayes risk of at most R(X) + `within`, and none of its proper subsets has. So features that can
    take each other's place are in different solutions. No table of all 2**n subsets is made. For each solution, the
    search computes one value. For each maximal subset that fails, it computes at most n + 1.

    The solutions have other names elsewhere. If the features determine the class and ``within=0``, they are the reducts
    of rough sets. They are the minimal left sides of approximate functional dependencies: the error g3 of a table is
    the risk of its empirical distribution. With ``criterion="logarithmic"`` and ``within=0`` they are the Markov
    boundaries, of which the algorithm TIE* looks for several. The subsets that contain a solution are the Rashomon set
    of subsets.

    The search is called dualize and advance. It looks for a subset that has a feature outside each known failure and
    contains no solution found before. From this subset it leaves out features as long as this stays true. If the rest
    reaches the bound, it is a solution. If not, the search adds features to it until it is a new maximal failure.
    Source: Gunopulos, Khardon, Mannila and others (2003).

    Parameters
    ----------
    d : JointDistribution or Sample
        A distribution, the name of one in the gallery, or a sample. The risk of a sample is that of the majority tables
        on its own rows. A sample of few rows has thousands of solutions by chance, so give a `max_size`.
    criterion : Criterion, str, or table of all subsets
        It must be monotone: no feature makes a subset worse. The criteria of fstheory are, and a table is checked. A
        criterion of your own is not checked: ask `selection.is_monotone` of its table.
    within : exact number
        The difference from the value of all features that is allowed, at least 0.
    max_size : int, optional
        The largest size of the solutions. By default there is no limit.
    limit : int, optional
        The largest number of solutions. If there are more, the result is not complete.
    time_limit : number, optional
        The seconds after which the search stops. What it found by then is returned, and is not complete.
    resume : path-like, optional
        A file that keeps the solutions and the failures found. It is written about once a second, and when the search
        ends or is interrupted. If the file exists, the search goes on from there. The file may be that of a search with
        another `max_size`, `limit` or `time_limit`. One value for each of its subsets is computed again to check it.
    progress : bool or callable, optional
        True shows how many solutions were found. A function is called with each line of text.

    Returns
    -------
    AllSolutions
        The solutions, the features in all, some and none of them, and the certificate.

    Examples
    --------
    >>> print(all_solutions("titanic", within="1/100"))
    1 minimal subset with 0-1 loss at most 48301/220100 ≈ 0.2195
      {class, sex} 477/2201
    in all: class, sex; in some: no feature; in none: age
    complete: 2 maximal subsets fail
    >>> found = all_solutions("copies")
    >>> print(found.verify())
    these are all minimal subsets that reach the bound: holds
    """
    f = set_function(d, criterion)
    if not isinstance(criterion, Criterion | str):
        check = is_monotone(f)
        require(check, "criterion", "monotone", str(check), "correct the values, or take a criterion by its name")
    allowed, features = as_fraction(within, "within", at_least=0), f.features
    most = len(features) if max_size is None else as_index(max_size, "max_size")
    number = None if limit is None else as_index(limit, "limit", at_least=1)
    found, failing, complete = dict[int, None](), list[int](), True
    about = {"features": features, "criterion": f.name, "within": exact_text(allowed)}
    with Clock(time_limit, progress) as clock, Journal(resume, "search for all solutions", about) as journal:
        reaches = _Bound(f, allowed)
        try:
            kept = _checked(journal, reaches, failing)
            found.update(dict.fromkeys([mask for mask in kept if mask.bit_count() <= most][:number]))
            try:
                for solution in _search(reaches, most, found, failing):
                    if len(found) == number:
                        complete = False
                        break
                    found[solution] = None
                    clock.tick(lambda: f"{len(found):,} solutions, {len(failing):,} maximal subsets that fail")
                    journal.offer((_STEP, lambda: [[*found], failing]))
            finally:
                journal.offer((_STEP, lambda: [[*found], failing]), last=True)
        except OutOfTime:
            complete = False
    sizes = sorted(found, key=lambda mask: (mask.bit_count(), indices_of(mask)))
    solutions, failures = (
        tuple(names_of(mask, features) for mask in masks) for masks in (sizes, sorted(failing, key=indices_of))
    )
    return AllSolutions(f.name, allowed, max_size, complete, solutions, failures, function=f)


_STEP = "solutions and failures"


def _checked(journal: Journal, reaches: _Bound, failing: list[int]) -> list[int]:
    """Return the solutions of a journal, and add its failures to `failing`. Refuse the file if one of them is none."""
    everything = 2 ** len(reaches.f.features) - 1
    kept, failed = journal.get(_STEP, ([], []))
    edges = [everything & ~mask for mask in failed]
    fault = next(_faults(reaches, kept, failed), None)
    fault = fault or next(((mask, "is not minimal") for mask in kept if _minimal_part(mask, edges) != mask), None)
    if fault is not None:
        raise journal.refusal(f"it names {format_subset(fault[0], reaches.f.features)}, which {fault[1]}")
    failing += failed
    return list(kept)


def _search(reaches: _Bound, most: int, found: Collection[int], failing: list[int]) -> Iterator[int]:
    """Yield the solutions one by one. The caller adds them to `found`, and the search adds to `failing`.

    An edge is the complement of a maximal failure. Every entry of the stack stands for the subsets that contain the
    first mask and avoid the second one. Together, the entries stand for all subsets that meet every edge and contain no
    solution found before.
    """
    everything = 2 ** len(reaches.f.features) - 1
    edges = [everything & ~mask for mask in failing]
    absent = [sum(edge >> i & 1 for edge in edges) for i in range(everything.bit_length())]
    stack = [(0, 0)]
    while stack:
        spend()
        inside, outside = stack.pop()
        missed = [edge & ~outside for edge in edges if not edge & inside]
        if not missed:
            part = _minimal_part(inside, edges)
            if part in found:
                continue
            if reaches(part):
                yield part
                continue
            # Failures that differ much rule out more subsets, so features that few of them have are added first.
            for group in (inside & ~part, everything & ~inside & ~outside, outside):
                for i in sorted(indices_of(group), key=absent.__getitem__, reverse=True):
                    if not reaches(part | 1 << i):
                        part |= 1 << i
            failing.append(part)
            edges.append(edge := everything & ~part)
            for i in indices_of(edge):
                absent[i] += 1
            stack.append((inside, outside))
        elif inside.bit_count() < most:
            outside |= (edge := min(missed, key=int.bit_count))
            for i in reversed(indices_of(edge)):
                outside &= ~(1 << i)
                stack.append((inside | 1 << i, outside))


def _minimal_part(mask: int, edges: Sequence[int]) -> int:
    """Return a minimal part of a hitting set that hits every edge. Features are left out in their order."""
    hits = {edge & mask for edge in edges}
    for i in indices_of(mask):
        if all(hit & mask & ~(1 << i) for hit in hits):
            mask &= ~(1 << i)
    return mask


def minimal_hitting_sets(
    edges: Sequence[int], allowed: int, alone: Mapping[int, Sequence[int]], room: int
) -> Iterator[int]:
    """Yield every minimal hitting set of at most `room` more elements, as a mask.

    `edges` are the edges that are not hit yet, and `alone` maps each element chosen so far, as a mask, to the edges
    that no other chosen element hits. Source: Murakami and Uno (2014), the algorithm MMCS.
    """
    spend()
    if not edges:
        yield functools.reduce(operator.or_, alone, 0)
        return
    choices = allowed & min(edges, key=lambda edge: (edge & allowed).bit_count()) if room else 0
    allowed &= ~choices
    for element in (1 << i for i in indices_of(choices)):
        still = {other: [edge for edge in hit if not edge & element] for other, hit in alone.items()}
        if all(still.values()):
            hit, left = ([edge for edge in edges if bool(edge & element) == wanted] for wanted in (True, False))
            yield from minimal_hitting_sets(left, allowed, {**still, element: hit}, room - 1)
        allowed |= element


# -- Reasons: the minimal subsets that settle the verdict of one case.


@dataclass(frozen=True, repr=False)
class Reason(Result):
    """A sufficient reason: the states of a few features, and the verdict for the people who are in these states.

    Attributes
    ----------
    state : mapping
        The states of the features of the reason.
    verdicts : tuple
        The likeliest classes, of which there are several if classes tie, or the prediction of the classifier.
    share : Fraction
        The share of all people that the reason covers: the probability of `state`.
    kept : Fraction
        The share of the covered people who have this verdict. It is 1 if the tolerance is 0.
    """

    state: Mapping[str, Label] = field(hash=False)
    verdicts: tuple[Label, ...]
    share: Fraction
    kept: Fraction


@dataclass(frozen=True, repr=False)
class VerdictChange(Result):
    """A smallest change of a case that changes the verdict.

    Attributes
    ----------
    case : mapping
        The case that is changed: a state of all features.
    state : mapping
        The features that change, with their new states. The changed case is one of the states in `Reasons.among`.
    verdicts : tuple
        The verdict of the changed case.
    """

    case: Mapping[str, Label] = field(hash=False)
    state: Mapping[str, Label] = field(hash=False)
    verdicts: tuple[Label, ...]


@dataclass(frozen=True, repr=False)
class Reasons(Rows):
    """The sufficient reasons of one case or of every case, and the smallest changes of the verdict.

    Attributes
    ----------
    tolerance : Fraction
        The share of the covered people who may have another verdict.
    among : "possible" or "all"
        The states among which the reasons hold: those of positive probability, or all.
    cases : tuple of mapping
        The case, or all cases, as states of all features.
    reasons : tuple of Reason
        The reasons, those that cover most people first. A reason of several cases is listed once: it is a reason of
        each listed case that has its states and its verdict.
    changes : tuple of VerdictChange
        The smallest changes of each case. They do not depend on the tolerance.
    features : tuple of str
        The features in at least one reason, in the order of the columns.
    needed : tuple of str
        The features that some case has in every one of its reasons, in the order of the columns.
    complete : bool
        Whether these are all cases and all their reasons. If not, the time limit ended the search. Every listed reason
        is a reason, but others may be missing.
    """

    distribution: JointDistribution
    tolerance: Fraction
    among: Among
    cases: tuple[Mapping[str, Label], ...] = field(hash=False)
    reasons: tuple[Reason, ...]
    changes: tuple[VerdictChange, ...]
    features: tuple[str, ...]
    needed: tuple[str, ...]
    complete: bool
    _table = "reasons"

    def plot(self, *, title: str | None = None, figsize: Size | None = None, width: Width | None = None) -> PlotFigure:
        """Draw a row for each reason: its features with their states, the verdict, and the share of the people.

        For one case, the smallest changes follow. At most 40 reasons and 40 changes are drawn.
        """
        rows: list[tuple[str, Mapping[str, Label], str, Fraction | None]] = []
        for i, reason in enumerate(self.reasons[:_DRAWN]):
            kept = "" if reason.kept == 1 else f" for {percent(reason.kept)} of them"
            rows.append(("reason" * (not i), reason.state, either(reason.verdicts) + kept, reason.share))
        changes = self.changes[:_DRAWN] if len(self.cases) == 1 else ()
        rows += [("change" * (not i), end.state, either(end.verdicts), None) for i, end in enumerate(changes)]
        named = {name for _, state, *_ in rows for name in state}
        columns = [name for name in self.distribution.features if name in named]
        more = f" (the {_DRAWN} that cover most people)" * (len(self.reasons) > _DRAWN)
        heading = self._head() + more if title is None else title
        return draw_grid(columns, rows, heading, str(self)).sized(figsize, width)

    def _head(self) -> str:
        which = "possible cases" if self.among == "possible" else "cases"
        whose = assigned(self.cases[0]) if len(self.cases) == 1 else f"{len(self.cases):,} {which}"
        return f"{len(self.reasons):,} sufficient reason{'s' * (len(self.reasons) != 1)} of {whose}"

    def __str__(self) -> str:
        lines = [self._head()]
        for reason in self.reasons[:_LISTED]:
            kept = "" if reason.kept == 1 else f", of whom {percent(reason.kept)} have this verdict"
            state = assigned(reason.state) if reason.state else "everybody"
            lines.append(f"  {state}: {either(reason.verdicts)} ({percent(reason.share)} of the people{kept})")
        lines += [f"  ... {len(self.reasons) - _LISTED:,} more"] * (len(self.reasons) > _LISTED)
        if len(self.cases) == 1:
            lines.append("smallest changes of the verdict:" if self.changes else "no change changes the verdict")
            lines += [f"  {assigned(change.state)}: {either(change.verdicts)}" for change in self.changes[:_LISTED]]
            lines += [f"  ... {len(self.changes) - _LISTED:,} more"] * (len(self.changes) > _LISTED)
        else:
            parts = {"in some reason": self.features, "in every reason of some case": self.needed}
            lines.append("; ".join(f"{where}: {first_of(names) or 'no feature'}" for where, names in parts.items()))
        return "\n".join(lines + ["not complete: the time limit ended the search"] * (not self.complete))


def reasons(
    d: DistributionLike,
    x: Mapping[str, Any] | Sequence[Any] | None = None,
    *,
    tolerance: Exact = 0,
    classifier: Any = None,
    among: Among | None = None,
    time_limit: float | None = None,
    progress: Progress = None,
) -> Reasons:
    """Find every minimal sufficient reason of a case, and the smallest changes of the case that change its verdict.

    The verdict of a case x is the set of its likeliest classes. A subset S is sufficient for x if all possible states
    that agree with x on S have the verdict of x. With a tolerance, the states that agree on S and have this verdict
    need only have the share 1 - `tolerance` of the probability of all states that agree on S. A reason is a sufficient
    subset of which no proper subset is sufficient, together with the states of x. With a positive tolerance, supersets
    of a reason need not be sufficient.

    The smallest changes are minimal sets of features in which another possible state with another verdict differs from
    x. For tolerance 0, the reasons are the minimal hitting sets of these sets.

    If a classifier is given, the verdict is its prediction, and `d` only says how many people a reason covers. A reason
    must then hold in all states of the features, also in those of probability 0.

    Complexity: for each case, a pass over the states, and the algorithm MMCS of Murakami and Uno (2014). A case can
    have exponentially many reasons, so there is a time limit. With a positive tolerance, n additions for each of the
    2**n subsets replace MMCS.
    Source: Shih, Choi and Darwiche (2018), prime implicant explanations; Wäldchen and others (2021), for the tolerance.

    Parameters
    ----------
    d : JointDistribution
        The distribution, or the name of one in the gallery.
    x : mapping or sequence, optional
        A state of each feature, by name or in the order of the columns. By default, every case is explained.
    tolerance : exact number
        The share of the covered people who may have another verdict, from 0 to 1.
    classifier : object with `predict`, function, or mapping, optional
        An estimator that was fitted on columns of `d`, as scikit-learn has them; a function of a case, which is a
        mapping from features to states; or a mapping from all cases, as tuples of states, to verdicts.
    among : "possible" or "all", optional
        The states among which a reason must hold: those of positive probability, or all. The default is "all" if a
        classifier is given, else "possible".
    time_limit : number, optional
        The seconds after which the search stops. The reasons found by then are returned, and are not complete. The
        predictions of the classifier are not stopped.
    progress : bool or callable, optional
        True shows how many reasons were found. A function is called with each line of text.

    Returns
    -------
    Reasons
        The reasons with the share of the people whom each covers, and the smallest changes.

    Examples
    --------
    >>> print(reasons("titanic", ("crew", "male", "adult")))
    2 sufficient reasons of class=crew, sex=male, age=adult
      sex=male, age=adult: no (75.7% of the people)
      class=crew, sex=male: no (39.2% of the people)
    smallest changes of the verdict:
      sex=female: yes
      class=1st, age=child: yes
      class=2nd, age=child: yes

    A rule, and the reasons for its verdict on the same man:

    >>> def rule(person):
    ...     return "boat" if person["sex"] == "female" or person["age"] == "child" else "no boat"
    >>> print(reasons("titanic", ("crew", "male", "adult"), classifier=rule))
    1 sufficient reason of class=crew, sex=male, age=adult
      sex=male, age=adult: no boat (75.7% of the people)
    smallest changes of the verdict:
      sex=female: boat
      age=child: boat
    """
    d, allowed = as_distribution(d), as_fraction(tolerance, "tolerance", at_least=0, at_most=1)
    seen = _Cases(d, classifier, among)
    wanted, repair = "0 if a reason must hold in all states, whatever their shares", "take among='possible'"
    require(not allowed or seen.among == "possible", "tolerance", wanted, tolerance, repair)
    rows, done = range(len(seen.weights)) if x is None else [seen.row_of(x)], list[int]()
    found, changes = dict[Any, tuple[int, int, int, Reason]](), list[VerdictChange]()
    union, needed, complete = 0, 0, True
    with Clock(time_limit, progress) as clock:
        try:
            for row in rows:
                differ, same = seen.differences(row), seen.labels == seen.labels[row]
                edges = _minimal({*differ[~same].tolist()})
                done.append(row)
                changes += seen.changes(row, edges, np.where(same, 0, differ))
                if allowed:
                    masks: Iterable[int] = _tolerated(differ, same, seen.weights, len(d.features), allowed)
                    union |= functools.reduce(operator.or_, masks, 0)
                    needed |= functools.reduce(operator.and_, masks)
                else:  # each element of a minimal edge is in some minimal hitting set
                    masks = minimal_hitting_sets(edges, seen.everything, {}, len(d.features))
                    union |= functools.reduce(operator.or_, edges, 0)
                    needed |= sum(edge for edge in edges if edge.bit_count() == 1)
                for mask in masks:
                    clock.tick(lambda: f"{len(found):,} reasons of {len(done):,} of {len(rows):,} cases")
                    state, verdicts = seen.case(row, mask), seen.verdicts(row)
                    if (key := (*state.items(), verdicts)) not in found:
                        covered = (differ & mask) == 0
                        weight, kept = int(seen.weights[covered].sum()), int(seen.weights[covered & same].sum())
                        shares = Fraction(weight, d.total), Fraction(kept, weight) if weight else Fraction(1)
                        # Integers come first, because there may be many reasons, and shares sort slowly.
                        found[key] = -weight, len(state), len(found), Reason(state, verdicts, *shares)
        except OutOfTime:
            complete = False
    ordered = tuple([reason for *_, reason in sorted(found.values())])
    some, all_of_one = (ordered_names(mask, d.features) for mask in (union, needed))
    cases = tuple(map(seen.case, done))
    return Reasons(d, allowed, seen.among, cases, ordered, tuple(changes), some, all_of_one, complete)


class _Cases:
    """The states of all features, possible or all, with their weights and their verdicts."""

    def __init__(self, d: JointDistribution, classifier: Any, among: Among | None) -> None:
        n, ruled = len(d.features), classifier is not None
        self.d, self.everything = d, 2**n - 1
        self.among: Among = among or ("all" if ruled else "possible")
        require_choice(self.among, "among", get_args(Among))
        repair = "leave it out, or pass a classifier"
        whole = self.among == "all"
        require(ruled or not whole, "among", "'possible' if the likeliest class is the verdict", among, repair)
        what, repair = "the table of all states", "take among='possible', or the marginal of fewer features"
        with enough_memory(what, repair):
            if whole:
                require_cells(d.cardinalities, what, repair, 24 * n + 128)
            cells, state = (counted(tabled(d)) if whole else listed(d)).by_state(range(n))
            self.columns = np.reshape([*state(np.arange(len(cells)))], (n, len(cells)))
            self.weights = cells.sum(axis=-1)
            self.powers = np.array([1 << i for i in range(n)], dtype=object if n > 62 else np.int64)
            if ruled:
                predicted = _predictions(classifier, d, self.columns, self.among)
                places = {label: place for place, label in enumerate(dict.fromkeys(predicted))}
                self.labels = np.array([places[label] for label in predicted])
                self.best: list[tuple[Label, ...]] = [(label,) for label in places]
            else:
                best, labels = np.unique(cells == cells.max(axis=-1, keepdims=True), axis=0, return_inverse=True)
                self.labels = labels.reshape(-1)
                self.best = [tuple(d.classes[y] for y in np.flatnonzero(row)) for row in best]

    def row_of(self, x: Mapping[str, Any] | Sequence[Any]) -> int:
        """Return the position of a case among the states. Refuse every other case."""
        d, text = self.d, isinstance(x, str | bytes)
        names = x if isinstance(x, Mapping) else d.features
        for name in names:
            require_known(name, "feature", d.features)
        wanted = f"a state of each of the {len(d.features)} features, by name or in order"
        whole = isinstance(x, Mapping | Sequence) and not text and len(x) == len(d.features)
        require(whole, "x", wanted, x, "name a state of each feature, or take the marginal of the known features")
        row = np.ones(len(self.weights), dtype=np.bool_)
        for column, name, label in zip(
            self.columns, d.features, map(x.get, d.features) if isinstance(x, Mapping) else x, strict=True
        ):
            require_known(label, f"state of {name}", d.states[name])
            row &= column == d.states[name].index(label)
        require(bool(row.any()), "x", "a case of positive probability", x, "take a case that can occur")
        return int(row.argmax())

    def case(self, row: int, mask: int | None = None) -> Mapping[str, Label]:
        """Return the states of the features of a mask, or of all features, in a state."""
        names, states = self.d.features, self.d.states
        chosen = indices_of(self.everything if mask is None else mask)
        return MappingProxyType({names[i]: states[names[i]][self.columns[i, row]] for i in chosen})

    def verdicts(self, row: int) -> tuple[Label, ...]:
        """Return the verdict of a state."""
        return self.best[int(self.labels[row])]

    def differences(self, row: int) -> Array:
        """Return, for each state, the mask of the features in which it differs from one of them."""
        return np.asarray((self.columns != self.columns[:, [row]]).T @ self.powers)

    def changes(self, row: int, edges: Iterable[int], differ: Array) -> Iterator[VerdictChange]:
        """Yield the changes of a case to the states that differ from it in just the features of an edge."""
        for mask in edges:
            for end in np.flatnonzero(differ == mask).tolist():
                spend()
                yield VerdictChange(self.case(row), self.case(end, mask), self.verdicts(end))


def _predictions(classifier: Any, d: JointDistribution, columns: Array, among: Among) -> list[Label]:
    """Return the prediction of a classifier in each state."""
    features, states = d.features, d.states
    parts = ([states[name][i] for i in column] for name, column in zip(features, columns.tolist(), strict=True))
    cells = [*zip(*parts, strict=True)] or [()] * columns.shape[1]
    has_predict = hasattr(classifier, "predict")
    usable = has_predict or callable(classifier) or isinstance(classifier, Mapping)
    wanted = "an estimator with predict, a function of a case, or a mapping from cases to verdicts"
    if not usable:
        raise InvalidTypeError(explain("classifier", wanted, classifier, "pass a fitted classifier, say"))
    try:
        if has_predict:
            names, table = getattr(classifier, "feature_names_in_", None), np.empty((len(cells), len(features)), object)
            table[:] = cells
            if names is not None:
                pandas = import_optional("pandas", "data", "a classifier that was fitted on named columns")
                table = pandas.DataFrame(table, columns=features).infer_objects()[[*names]]
            predicted = np.asarray(classifier.predict(table)).reshape(-1).tolist()
        elif callable(classifier):
            predicted = [classifier(MappingProxyType(dict(zip(features, cell, strict=True)))) for cell in cells]
        else:
            predicted = [classifier[cell] for cell in cells]
        labels = [label.item() if isinstance(label, np.generic) else label for label in predicted]
        wrong = [label for label in labels if not isinstance(label, Hashable) or label != label]
    except MemoryError:
        raise
    except Exception as error:
        known = ", or take among='possible' if it knows only the states that occur" * (among == "all")
        text = f"classifier must predict a class in each of the {len(cells):,} states of the features, not raise"
        repair = f"fit it on the states of d, such as the columns of s.to_frame() of a sample s{known}"
        raise InvalidValueError(f"{text} {show(error)}; {repair}") from error
    wanted, repair = "one that predicts one class in each state", "let it predict a single column of labels"
    require(len(labels) == len(cells) and not wrong, "classifier", wanted, wrong or predicted, repair)
    return labels


def _minimal(masks: Iterable[int]) -> list[int]:
    """Return the masks that contain no other mask, small ones first. There may be more than 63 features."""
    found = list[int]()
    for mask in sorted(masks, key=lambda mask: (mask.bit_count(), mask)):
        spend()
        if not any(is_subset(other, mask) for other in found):
            found.append(mask)
    return found


def _tolerated(differ: Array, same: Array, weights: Array, n: int, allowed: Fraction) -> list[int]:
    """Return the minimal subsets S with enough weight of the verdict among the states that agree with a case on S."""
    wide = int(weights.sum()) * allowed.denominator >= 2**63
    what, repair = "the table of all subsets", "take tolerance 0, or the marginal of fewer features"
    require_cells((2**n,), what, repair, 48 if wide else 32)
    kind = np.dtype(object if wide else np.int64)
    with enough_memory(what, repair):
        excess, own = np.zeros(2**n, dtype=kind), weights.astype(kind)
        short = allowed.numerator - allowed.denominator
        np.add.at(excess, 2**n - 1 - differ, np.where(same, own * allowed.numerator, own * short))
        for i in range(n):  # sum over all supersets
            spend()
            pairs = excess.reshape(-1, 2, 2**i)
            pairs[:, 0] += pairs[:, 1]
        return [int(mask) for mask in minimal_masks(np.flatnonzero(excess >= 0))]
