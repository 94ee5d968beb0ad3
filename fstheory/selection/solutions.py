"""All solutions: every minimal subset that is good enough, with the maximal subsets that are not as the certificate."""

from __future__ import annotations

import functools
import operator
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from fstheory._support.exact import Exact, as_fraction, as_index, to_text
from fstheory._support.progress import Clock, OutOfTime, Progress, spend
from fstheory._support.result import Check, Result, first_of, frame_of
from fstheory.distributions.rows import DataLike
from fstheory.errors import require
from fstheory.lattice.subsets import format_subset, indices_of, is_subset, mask_of, names_of, subset_text
from fstheory.measures.criterion import Criterion
from fstheory.selection.greedy import CriterionLike, SetFunction, on_sample, set_function
from fstheory.selection.submodularity import is_monotone

if TYPE_CHECKING:
    import pandas as pd

_SHOWN = 20


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
        yield from ((mask, "does not reach the bound") for mask in found if not reaches(mask))
        for i, mask in enumerate(failing):
            if reaches(mask):
                yield mask, "reaches the bound, so it is no failure"
            if any(is_subset(mask, other) for other in (*failing[:i], *failing[i + 1 :])):
                yield mask, "is part of another failure"
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
            lines.append("; ".join(f"{words}: {first_of(names) or 'no feature'}" for words, names in parts.items()))
        failing = f"{len(self.failures):,} maximal subset{'s fail' if len(self.failures) != 1 else ' fails'}"
        proof = (
            f"complete: {failing}" if self.complete else f"not complete: the search stopped when it knew that {failing}"
        )
        return "\n".join([*lines, proof])


class _Bound:
    """The decision whether the subset with a mask is as good as all features, up to a difference."""

    def __init__(self, f: SetFunction, within: Fraction) -> None:
        self.f, full = f, f.at(2 ** len(f.features) - 1)
        self.value = full - within if f.larger_is_better else full + within

    def __call__(self, mask: int) -> bool:
        spend()
        value = self.f.at(mask)
        return bool(value >= self.value if self.f.larger_is_better else value <= self.value)


def all_solutions(
    d: DataLike,
    criterion: CriterionLike = "zero_one",
    *,
    within: Exact = 0,
    max_size: int | None = None,
    limit: int | None = None,
    time_limit: float | None = None,
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
    found, edges, complete = list[int](), list[int](), True
    with Clock(time_limit, progress) as clock:
        reaches = _Bound(f, allowed)
        try:
            for solution in _search(reaches, most, found, edges):
                if len(found) == number:
                    complete = False
                    break
                found.append(solution)
                clock.tick(lambda: f"{len(found):,} solutions, {len(edges):,} maximal subsets that fail")
        except OutOfTime:
            complete = False
    failing = [2 ** len(features) - 1 & ~edge for edge in edges]
    found.sort(key=lambda mask: (mask.bit_count(), indices_of(mask)))
    solutions, failures = (
        tuple(names_of(mask, features) for mask in masks) for masks in (found, sorted(failing, key=indices_of))
    )
    return AllSolutions(f.name, allowed, max_size, complete, solutions, failures, function=f)


def _search(reaches: _Bound, most: int, found: Sequence[int], edges: list[int]) -> Iterator[int]:
    """Yield the solutions one by one. The caller adds them to `found`, and the search adds to `edges`.

    An edge is the complement of a maximal failure. Every entry of the stack stands for the subsets that contain the
    first mask and avoid the second one. Together, the entries stand for all subsets that meet every edge and contain no
    solution found before.
    """
    everything = 2 ** len(reaches.f.features) - 1
    stack = [(0, 0)]
    while stack:
        spend()
        inside, outside = stack.pop()
        if any(solution & ~inside == 0 for solution in found):
            continue
        missed = [edge & ~outside for edge in edges if not edge & inside]
        if not missed:
            part = inside
            for i in indices_of(inside):
                if all(edge & part & ~(1 << i) for edge in edges):
                    part &= ~(1 << i)
            if reaches(part):
                yield part
                continue
            # Failures that differ much rule out more subsets, so features that few of them have are added first.
            absent = [sum(edge >> i & 1 for edge in edges) for i in range(everything.bit_length())]
            for group in (inside & ~part, everything & ~inside & ~outside, outside):
                for i in sorted(indices_of(group), key=absent.__getitem__, reverse=True):
                    if not reaches(part | 1 << i):
                        part |= 1 << i
            edges.append(everything & ~part)
            stack.append((inside, outside))
        elif inside.bit_count() < most:
            outside |= (edge := min(missed, key=int.bit_count))
            for i in reversed(indices_of(edge)):
                outside &= ~(1 << i)
                stack.append((inside | 1 << i, outside))


def minimal_hitting_sets(
    edges: Sequence[int], allowed: int, alone: Mapping[int, Sequence[int]], room: int
) -> Iterator[int]:
    """Yield every minimal hitting set of at most `room` more elements, as a mask.

    `edges` are the edges that are not hit yet, and `alone` maps each element chosen so far, as a mask, to the edges
    that no other chosen element hits. Source: Murakami and Uno (2014), the algorithm MMCS.
    """
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
