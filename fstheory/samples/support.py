"""Which features a sample supports: greedy steps by leave-one-out risk, each against labels that are permuted."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from fstheory._support.exact import as_index, to_text
from fstheory._support.memory import require_cells
from fstheory._support.progress import Clock, Progress
from fstheory._support.result import Result
from fstheory.distributions.rows import Sample, generator
from fstheory.lattice.subsets import format_subset, indices_of, mask_of, names_of
from fstheory.samples.estimates import require_sample
from fstheory.samples.tables import Integers, left_out_gains

__all__ = [
    "ROWS_PER_STATE",
    "SupportStep",
    "SupportedFeatures",
    "permuted_risk",
    "supported_features",
    "table_risks",
]
ROWS_PER_STATE = 5  # with fewer samples in a state that occurs, the majority there is mostly luck
_LEVEL = Fraction(1, 20)
_FEWER = 19  # permutations, the fewest that can decide at that level
_VISITS = 2 * 10**8  # of rows, in one step: some three seconds
_BYTES = 32  # a cell: the rows in the order of the features, and what is made of them
_AT_ONCE = 2**20  # rows of permuted samples in memory


@dataclass(frozen=True, repr=False)
class SupportStep(Result):
    """The best addition to the features so far, and whether permuted labels do as well.

    Attributes
    ----------
    added, features : frozenset of str
        One feature, or two where no single one helps; and those with it.
    tied : tuple of frozenset of str
        All additions of the same leave-one-out risk; the first was taken, that of the fewest states and then the first
        in the order of the features.
    states : int
        How many states of the features occur in the sample.
    plug_in, left_out : Fraction
        The risk of the majority table over them on the sample itself, and where the others predict each sample.
    as_good, permutations : int
        In how many of so many permutations the best addition has a leave-one-out risk at least as small. None are made
        where no addition lowers the risk.
    accepted : bool
        Whether the risk falls, and p is at most 1/20.
    """

    added: frozenset[str]
    tied: tuple[frozenset[str], ...]
    features: frozenset[str]
    states: int
    plug_in: Fraction
    left_out: Fraction
    as_good: int
    permutations: int
    accepted: bool
    _derived = ("p",)

    @property
    def p(self) -> Fraction:
        """The p-value of the permutation test: of the permutations and the sample itself, the share that is as good."""
        return Fraction(self.as_good + 1, self.permutations + 1)


@dataclass(frozen=True, repr=False)
class SupportedFeatures(Result):
    """The features that a sample supports, step by step.

    Attributes
    ----------
    steps : tuple of SupportStep
        The accepted ones, and the one that was not, if there was one.
    pairs_tried : bool
        Whether the last step looked at pairs of features as well: where no single one helps, if they are not too many.
    stopped : str
        Why there are no more steps.
    plug_in, left_out : Fraction
        Of `features`.
    """

    sample: Sample
    features: frozenset[str]
    steps: tuple[SupportStep, ...]
    pairs_tried: bool
    stopped: str
    plug_in: Fraction
    left_out: Fraction

    def __str__(self) -> str:
        names = self.sample.features
        where = format_subset(mask_of(self.features, names), names)
        risks = f"leave-one-out risk {to_text(self.left_out)}, plug-in risk {to_text(self.plug_in)}"
        lines = [f"{self.sample.m:,} samples support {where}: {risks}"]
        for step in self.steps:
            added = ", ".join(name for name in names if name in step.added)
            refused = "" if step.accepted else ", not supported"
            lines.append(f"  + {added}: leave-one-out risk {to_text(step.left_out)}, p = {step.p}{refused}")
        return "\n".join(lines)


def table_risks(sample: Sample, mask: int) -> tuple[int, Fraction, Fraction]:
    """Return how many states of a subset occur, its plug-in risk and its leave-one-out risk."""
    cells = sample._cells_at(mask)
    right = int(cells.max(axis=1).sum())
    return len(cells), 1 - Fraction(right, sample.m), 1 - Fraction(int(left_out_gains(cells[None])[0, -1]), sample.m)


def permuted_risk(sample: Sample, mask: int, rng: np.random.Generator, permutations: int = _FEWER) -> Fraction:
    """Return the mean plug-in risk of a subset where the labels are permuted, so that it says nothing about them."""
    labels = np.repeat(sample.codes[:, -1], sample.counts)
    grouping = sample._ungrouped()
    for i in indices_of(mask):
        grouping = sample._refined(grouping, i)
    distinct, keys = np.unique(grouping[0], return_inverse=True)
    states = np.repeat(keys, sample.counts)
    classes, right = len(sample.classes), 0
    for _ in range(permutations):
        cells = np.bincount(states * classes + rng.permutation(labels), minlength=classes * len(distinct))
        right += int(cells.reshape(-1, classes).max(axis=1).sum())
    return 1 - Fraction(right, permutations * sample.m)


def supported_features(
    sample: Sample, *, rng: int | np.random.Generator, permutations: int = 99, progress: Progress = None
) -> SupportedFeatures:
    """Return the features that a sample supports: greedy, by leave-one-out risk, against permuted labels.

    Each step adds the feature of the least leave-one-out risk, or where none lowers it the pair. The labels are then
    permuted among the samples that agree on the features so far, so that no other feature says more about them; an
    addition counts if at most 1 in 20 of these samples and the given one have an addition that is as good. It stops
    also where every addition leaves fewer than 5 samples for each state that occurs.

    Parameters
    ----------
    rng, permutations
        A seed, or a generator that is advanced; how many for each step, at least 19, and 19 where more would take long.
    progress : bool or callable, optional
        True shows how far it is, on a terminal or in a notebook; a function is called with each line of that.

    Notes
    -----
    The p-value of a step is exact, whatever the distribution: if the class is independent of the other features given
    those so far, all permutations are equally likely, and p is at most 1/20 with probability at most 1/20 (Phipson and
    Smyth, 2010). The path is greedy: another set may do as well, and what is not supported may matter to a larger
    sample. Complexity: for each step one grouping of the rows for each addition and permutation.

    Examples
    --------
    >>> import fstheory as fs
    >>> print(fs.samples.supported_features(fs.sample(fs.gallery.xor(), 80, rng=0), rng=0))
    80 samples support X1X2: leave-one-out risk 0, plug-in risk 0
      + X1, X2: leave-one-out risk 0, p = 1/100
    """
    require_sample(sample, "sample")
    most = as_index(permutations, "permutations", at_least=_FEWER)
    with Clock(None, progress) as clock:
        return _Greedy(sample, generator(rng), most, clock).result()


class _Greedy:
    """The rows one by one, and the state of the features so far in each."""

    def __init__(self, sample: Sample, rng: np.random.Generator, most: int, clock: Clock) -> None:
        self.sample, self.rng, self.most, self.clock = sample, rng, most, clock
        shape = (sample.m, len(sample.features) + 1)
        require_cells(
            shape, "the rows one by one", "sample.keep(...) fewer features, or draw a part of the rows", _BYTES
        )
        codes = np.repeat(sample.codes, sample.counts, axis=0)
        self.columns, self.labels = codes[:, :-1].T.copy(), codes[:, -1].copy()
        self.classes = len(sample.classes)
        self.states = np.zeros(sample.m, dtype=np.int64)  # of the features so far

    def result(self) -> SupportedFeatures:
        """Add features while permuted labels do worse."""
        mask, steps, pairs = 0, list[SupportStep](), False
        n = len(self.sample.features)
        _, plug_in, left_out = table_risks(self.sample, 0)
        stopped = "all features are in"
        while mask != 2**n - 1:
            rest = [i for i in range(n) if not mask >> i & 1]
            step = self.best(mask, [1 << i for i in rest], left_out)
            if (step is None or not step.accepted) and len(rest) > 1:
                both_of = [1 << i | 1 << j for i, j in itertools.combinations(rest, 2)]
                pairs = len(both_of) * _FEWER * self.sample.m <= _VISITS
                second = self.best(mask, both_of, left_out) if pairs else None
                step = second if second is not None and (step is None or second.accepted) else step
            if step is None:
                stopped = f"every addition leaves fewer than {ROWS_PER_STATE} samples for each state that occurs"
                break
            steps.append(step)
            if not step.accepted:
                stopped = "permuted labels do as well" if step.left_out < left_out else "no addition lowers the risk"
                break
            mask, plug_in, left_out = mask_of(step.features, self.sample.features), step.plug_in, step.left_out
            self.states = self.key(mask_of(step.added, self.sample.features))
        features = names_of(mask, self.sample.features)
        return SupportedFeatures(self.sample, features, tuple(steps), pairs, stopped, plug_in, left_out)

    def key(self, added: int) -> Integers:
        """Return the states of the features so far and of those added, numbered as they occur."""
        keys = self.states
        for i in indices_of(added):
            keys = keys * self.sample.cardinalities[i] + self.columns[i]
            keys = np.unique(keys, return_inverse=True)[1]
        return keys

    def best(self, mask: int, additions: Sequence[int], before: Fraction) -> SupportStep | None:
        """Return the best addition that the sample can carry, with its test."""
        m = self.sample.m
        taken = mask.bit_count()
        found = list[tuple[int, int, Fraction, Fraction]]()
        for added in additions:
            self.clock.tick(lambda: f"{taken} features taken, {len(found):,} of {len(additions):,} additions looked at")
            found.append((added, *table_risks(self.sample, mask | added)))
        carried = [entry for entry in found if entry[1] * ROWS_PER_STATE <= m]
        if not carried:
            return None
        least = min(left_out for *_, left_out in carried)
        tied = sorted((states, added, plug_in) for added, states, plug_in, left_out in carried if left_out == least)
        states, added, plug_in = tied[0]
        number = 0 if least >= before else self.most if len(carried) * self.most * m <= _VISITS else _FEWER
        as_good = self.as_good([entry[0] for entry in carried], least, number)
        names = self.sample.features
        accepted = least < before and Fraction(as_good + 1, number + 1) <= _LEVEL
        return SupportStep(
            names_of(added, names), tuple(names_of(other, names) for _, other, _ in tied),
            names_of(mask | added, names), states, plug_in, least, as_good, number, accepted,
        )  # fmt: skip

    def as_good(self, additions: Sequence[int], least: Fraction, number: int) -> int:
        """Return for how many permutations within the states so far the best addition is at least as good."""
        m, wanted = self.sample.m, int((1 - least) * self.sample.m)
        by_state = np.argsort(self.states, kind="stable")
        done = 0
        for start in range(0, number, batch := max(1, _AT_ONCE // m)):
            self.clock.tick(lambda: f"{start:,} of {number:,} permutations")  # noqa: B023 (it is called at once)
            labels = np.empty((min(batch, number - start), m), dtype=np.int64)
            for row in labels:  # the order of random numbers within each state is a permutation
                row[by_state] = self.labels[np.lexsort((self.rng.random(m), self.states))]
            best = np.zeros(len(labels), dtype=np.int64)
            for added in additions:
                keys = self.key(added)
                states = int(keys.max()) + 1
                cells = (np.arange(len(labels))[:, None] * states + keys) * self.classes + labels
                tables = np.bincount(cells.ravel(), minlength=len(labels) * states * self.classes)
                tables = tables.reshape(len(labels), states, self.classes)
                np.maximum(best, left_out_gains(tables)[:, -1], out=best)
            done += int((best >= wanted).sum())
        return done
