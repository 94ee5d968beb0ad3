"""The methods run on one sample, step by step."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import TypeAlias

import numpy as np

from fstheory._support.exact import to_text
from fstheory._support.progress import Clock, Progress
from fstheory._support.result import Result
from fstheory.distributions.rows import Sample, generator
from fstheory.errors import InvalidValueError, TooLargeError, explain
from fstheory.lattice.subsets import format_subset, indices_of, mask_of, masks_by_size, names_of
from fstheory.measures.risk import BayesClassifier, bayes_classifier
from fstheory.samples.estimates import require_sample
from fstheory.samples.methods import (
    FBS,
    FOS,
    Method,
    NoSelection,
    OrderedFS,
    PlugIn,
    StandardWrap,
    require_method,
)
from fstheory.samples.tables import left_out_gains

__all__ = [
    "EstimateStep",
    "Fitted",
    "fit",
]
_MOST = 2**16  # subsets of which a table is made: some 20 s for 5,000 rows


@dataclass(frozen=True, repr=False)
class EstimateStep(Result):
    """One risk estimate that a method looked at.

    Attributes
    ----------
    subset, dropped : frozenset of str, str or None
        The features that the majority table sees, and in FBS and FOS the one that was left out for it.
    estimate, training : Fraction, Fraction or None
        Of the risk of the table: on the samples held out, if there are, else by the estimate of the method. With
        samples held out, the share of errors on those it was trained on.
    accepted : bool
        Whether the feature was dropped, or the subset is the one that was selected.
    """

    subset: frozenset[str]
    dropped: str | None
    estimate: Fraction
    training: Fraction | None
    accepted: bool


@dataclass(frozen=True, repr=False)
class Fitted(Result):
    """What a method selected on one sample, and how it came to it.

    Attributes
    ----------
    estimate : Fraction
        The risk estimated for them; the method looked for small ones, so that it is too small on average.
    tied : tuple of frozenset of str
        The subsets, or in FBS the features, among which the rule for ties decided at the last choice: one, or more.
    training : Sample
        The samples that the classifier was trained on: all, if none were held out.
    """

    sample: Sample
    method: Method
    features: frozenset[str]
    estimate: Fraction
    trace: tuple[EstimateStep, ...]
    tied: tuple[frozenset[str], ...]
    training: Sample

    @property
    def classifier(self) -> BayesClassifier:
        """The majority table that the method ends with."""
        return bayes_classifier(self.training.empirical(self.features))

    def __str__(self) -> str:
        names = self.sample.features
        where = format_subset(mask_of(self.features, names), names)
        lines = [f"{self.method.title} on {self.sample.m:,} samples: {where}, estimated risk {to_text(self.estimate)}"]
        for step in self.trace[:16]:
            subset = format_subset(mask_of(step.subset, names), names)
            if step.dropped is not None:
                outcome = "dropped" if step.accepted else "kept"
                lines.append(f"  without {step.dropped} ({subset}): {to_text(step.estimate, 0)}, {outcome}")
            else:
                trained = "" if step.training is None else f" ({to_text(step.training, 0)} in training)"
                lines.append(f"  {subset}: {to_text(step.estimate, 0)}{trained}{', selected' if step.accepted else ''}")
        if len(self.trace) > 16:
            lines.append(f"  ... {len(self.trace) - 16} more")
        if len(self.tied) > 1:
            tied = ", ".join(format_subset(mask_of(subset, names), names) for subset in self.tied[:8])
            lines.append(f"  tied, decided by the rule '{self.method.ties}': {tied}")
        return "\n".join(lines)


def fit(
    sample: Sample,
    method: Method,
    *,
    rng: int | np.random.Generator | None = None,
    progress: Progress = None,
) -> Fitted:
    """Run a method on a sample.

    Parameters
    ----------
    rng : int or numpy.random.Generator, optional
        A seed, or a generator that is advanced; needed where samples are held out or ties are drawn.
    progress : bool or callable, optional
        True shows how far it is, on a terminal or in a notebook; a function is called with each line of that.

    Notes
    -----
    The samples held out are drawn without replacement. Complexity: one grouping of the distinct rows for each subset
    that the method looks at: n + 1 in FOS, at most n(n + 1)/2 + 1 in FBS, 2**n, at most 2**16, in the others.

    Source: Peña and Nilsson (2010), Section 5; Ng (1998), Sections 2 and 3.

    Examples
    --------
    >>> import fstheory as fs
    >>> s = fs.sample(fs.gallery.titanic(), 300, rng=0)
    >>> print(fs.fit(s, fs.FOS(tau="1/100", ties="first", estimate="leave-one-out")))
    FOS on 300 samples: {class, sex}, estimated risk 7/30 ≈ 0.2333
      without class ({sex, age}): 4/15, kept
      without sex ({class, age}): 11/30, kept
      without age ({class, sex}): 7/30, dropped
    """
    require_sample(sample, "sample")
    require_method(method)
    held = method.holdout_size(sample.m)
    if rng is None and (held or method.ties == "uniform"):
        why = "samples are held out" if held else "ties are drawn"
        raise InvalidValueError(f"rng must be a seed or a generator where {why}, not None; pass rng=0, say")
    source = generator(0 if rng is None else rng)
    with Clock(None, progress) as clock:
        return _Fit(sample, method, held, source, clock).result()


_Found: TypeAlias = "tuple[int, list[EstimateStep], list[int]]"  # the mask, the trace, the masks that tie


class _Fit:
    """One run: the split of the sample, and the estimates that were looked at."""

    def __init__(self, sample: Sample, method: Method, held: int, rng: np.random.Generator, clock: Clock) -> None:
        self.sample, self.method, self.rng, self.clock = sample, method, rng, clock
        counts = sample.counts
        self.rest = rng.multivariate_hypergeometric(counts, held) if held else None
        self.train = counts if self.rest is None else counts - self.rest
        self.full = 2 ** len(sample.features) - 1
        self.estimates: dict[int, tuple[Fraction, Fraction | None]] = {}

    def estimate(self, mask: int) -> Fraction:
        """Return the estimated risk of the majority table over a subset."""
        if mask not in self.estimates:
            self.clock.tick(lambda: f"{self.method.title}: {len(self.estimates):,} subsets looked at")
            self.estimates[mask] = self._estimate(mask)
        return self.estimates[mask][0]

    def _estimate(self, mask: int) -> tuple[Fraction, Fraction | None]:
        sample = self.sample
        if self.rest is None:
            (table,) = sample._tables_at(mask, self.train)
            left_out = self.method.reads == "left out"
            right = int(left_out_gains(table[None])[0, -1]) if left_out else int(table.max(axis=1).sum())
            return 1 - Fraction(right, sample.m), None
        table, rest = sample._tables_at(mask, self.train, self.rest)
        right = int(rest[np.arange(len(rest)), table.argmax(axis=1)].sum())
        inside = Fraction(int(table.max(axis=1).sum()), int(self.train.sum()))
        return 1 - Fraction(right, int(self.rest.sum())), 1 - inside

    def result(self) -> Fitted:
        """Run the method."""
        runs: dict[type[Method], Callable[[], _Found]] = {
            FOS: self.one_shot,
            FBS: self.backward,
            StandardWrap: lambda: self.least(self.all_masks()),
            OrderedFS: self.ordered,
            NoSelection: lambda: (self.full, [], []),
            PlugIn: self.plug_in,
        }
        mask, trace, tied = runs[type(self.method)]()
        sample = self.sample
        held = np.flatnonzero(self.train)
        training = sample if self.rest is None else Sample._of(sample.codes[held], self.train[held], sample._variables)
        named = tuple(names_of(found, sample.features) for found in tied or [mask])
        return Fitted(
            sample, self.method, names_of(mask, sample.features), self.estimate(mask), tuple(trace), named, training
        )

    def step(self, mask: int, dropped: int | None, accepted: bool) -> EstimateStep:
        """Return what was estimated for a subset."""
        names = self.sample.features
        name = None if dropped is None else names[dropped]
        return EstimateStep(names_of(mask, names), name, self.estimate(mask), self.estimates[mask][1], accepted)

    def is_spared(self, mask: int, i: int) -> bool:
        """Say whether a feature of a subset can be dropped."""
        tau: Fraction = self.method.tau  # type: ignore[attr-defined]
        return self.estimate(mask & ~(1 << i)) <= self.estimate(mask) + tau

    def one_shot(self) -> _Found:
        """Leave each feature out of all."""
        spared = [(i, self.is_spared(self.full, i)) for i in indices_of(self.full)]
        trace = [self.step(self.full & ~(1 << i), i, fine) for i, fine in spared]
        return sum(1 << i for i, fine in spared if not fine), trace, []

    def backward(self) -> _Found:
        """Drop features until none can be spared; with ties drawn, all that can be are looked at."""
        mask, trace, tied = self.full, list[EstimateStep](), list[int]()
        while True:
            spared: list[int] = []
            for i in indices_of(mask):
                if not self.is_spared(mask, i):
                    trace.append(self.step(mask & ~(1 << i), i, False))
                    continue
                spared.append(i)
                if self.method.ties == "first":
                    break
            if not spared:
                return mask, trace, tied
            taken = self.pick(spared)
            tied = [1 << i for i in spared]
            mask &= ~(1 << taken)
            trace.append(self.step(mask, taken, True))

    def ordered(self) -> _Found:
        """Take the best of each size in training."""
        candidates, masks = [], self.all_masks()
        for size in range(len(self.sample.features) + 1):
            group = [mask for mask in masks if mask.bit_count() == size]
            for mask in group:
                self.estimate(mask)
            errors = [self.estimates[mask][1] for mask in group]
            best = [mask for mask, error in zip(group, errors, strict=True) if error == min(errors)]  # type: ignore[type-var]
            candidates.append(self.pick(best))
        return self.least(candidates)

    def plug_in(self) -> _Found:
        """Select on the empirical distribution."""
        assert isinstance(self.method, PlugIn)
        d = self.sample.empirical()
        return self.method.subset(d, d.weights), [], []

    def all_masks(self) -> list[int]:
        """Return all subsets by size, if they are not too many."""
        n = len(self.sample.features)
        if 2**n > _MOST:
            repair = "sample.keep(...) fewer features, or use fs.FBS or fs.FOS"
            raise TooLargeError(explain("sample", f"of at most {_MOST.bit_length() - 1} features", n, repair))
        self.clock.tell(f"{self.method.title}: {2**n:,} subsets to look at")
        found: list[int] = masks_by_size(n).tolist()
        return found

    def least(self, masks: list[int]) -> _Found:
        """Return the subset of least estimated risk."""
        least = min(map(self.estimate, masks))
        tied = [mask for mask in masks if self.estimate(mask) == least]
        taken = self.pick(tied)
        return taken, [self.step(mask, None, mask == taken) for mask in masks], tied

    def pick(self, tied: list[int]) -> int:
        """Return the first of several, or one drawn."""
        return tied[0] if self.method.ties == "first" else tied[int(self.rng.integers(len(tied)))]
