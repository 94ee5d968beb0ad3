"""What a method selects by sample size: exact laws as far as the work allows, and simulations beyond."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np

from fstheory._support.exact import Exact, as_index, to_text
from fstheory._support.progress import Progress
from fstheory._support.result import Result, first_of, listing
from fstheory.distributions.joint import JointDistribution
from fstheory.errors import InvalidTypeError, InvalidValueError, TooLargeError, explain, require
from fstheory.lattice.subsets import Subset, format_subset, mask_of, names_of
from fstheory.measures.risk import bayes_risk
from fstheory.samples.law import WORK, Law, engine_for, exact_law, risk_without_selection
from fstheory.samples.methods import Method, require_method
from fstheory.samples.run import run_of
from fstheory.samples.simulation import estimated_law, require_trials
from fstheory.samples.tables import Engine
from fstheory.selection.optimal import minimal_optimal

if TYPE_CHECKING:
    from fstheory.lattice.figure import PlotFigure


@dataclass(frozen=True, repr=False)
class LawCurve(Result):
    """The laws of a method by sample size, exact or estimated; indexed by a number of samples it gives the law there.

    `points` are the laws in the order of m. `without_selection` has by m the expected risk of the majority table over
    all features, always exact; None where that takes too much work.
    """

    distribution: JointDistribution
    method: Method
    points: tuple[Law[Any], ...]
    without_selection: tuple[Fraction | None, ...]

    def __getitem__(self, m: int) -> Law[Any]:
        require(m in self.ms, "m", f"one of {first_of(self.ms)}", m, "ask for a curve that has it")
        return self.points[self.ms.index(m)]

    def __iter__(self) -> Iterator[Law[Any]]:
        return iter(self.points)

    def __len__(self) -> int:
        return len(self.points)

    @property
    def ms(self) -> tuple[int, ...]:
        """The numbers of samples, ascending."""
        return tuple(point.m for point in self.points)

    @property
    def is_exact(self) -> bool:
        """Whether every point is an exact law."""
        return all(point.is_exact for point in self.points)

    @property
    def success(self) -> tuple[Fraction | float, ...]:
        """The probability of a minimal set of least Bayes risk, by m."""
        return tuple(point.success for point in self.points)

    @property
    def expected_risk(self) -> tuple[Fraction | float, ...]:
        """The expected risk of the classifier that the method ends with, by m."""
        return tuple(point.expected_risk for point in self.points)

    def probability(self, subset: Subset) -> tuple[Fraction | float, ...]:
        """Return the probability that a subset is selected, by m."""
        return tuple(point[subset] for point in self.points)

    def __str__(self) -> str:
        head = f"{self.method.title} by sample size: success, expected risk (without selection), Bayes risk "
        head += to_text(bayes_risk(self.distribution, self.distribution.features))
        rows = []
        for point, without in zip(self.points, self.without_selection, strict=True):
            ends, how = "{:.4f} to {:.4f}", f"from {point.trials or 0:,} trials"
            if point.is_exact:
                ends, how = "{:.4f}", f"exact, by {point.engine}"
            success, risk = ends.format(*point.success_interval()), ends.format(*point.expected_risk_interval())
            plain = "" if without is None else f" ({float(without):.4f})"
            rows.append((f"m = {point.m}", f"{success}, {risk}{plain}; {how}"))
        return listing(head, rows, len(rows))

    def plot(
        self, *, subsets: Iterable[Subset] | None = None, confidence: Exact = "19/20", title: str | None = None
    ) -> PlotFigure:
        """Draw the probability of each subset, and the expected risk with and without selection, by m.

        Exact points are filled and joined by lines; estimated ones are hollow, with bars of the given confidence. Drawn
        are the seven likeliest subsets, each at the m where it is likeliest, if none are given.
        """
        from fstheory.lattice.series import Panel, Point, Series, draw_curves

        names = self.distribution.features

        def drawn(law: Law[Any], value: Fraction | float, interval: tuple[float, float]) -> Point:
            return Point(law.m, float(value), None if law.is_exact else interval)

        solutions = {mask_of(s, names) for s in minimal_optimal(self.distribution, method="exhaustive").solutions}
        masks = self._likeliest() if subsets is None else [mask_of(subset, names) for subset in subsets]
        chosen = []
        for mask in masks:
            subset, label = names_of(mask, names), format_subset(mask, names) + " = S*" * (solutions == {mask})
            line = [drawn(law, law[subset], law.interval(subset, confidence)) for law in self.points]
            chosen.append(Series(label, line, mask in solutions))
        pairs = zip(self.points, self.without_selection, strict=True)
        plain = [Point(law.m, float(risk)) for law, risk in pairs if risk is not None]
        ended = [drawn(law, law.expected_risk, law.expected_risk_interval(confidence)) for law in self.points]
        least = ("Bayes risk", float(bayes_risk(self.distribution, names)))
        panels = [
            Panel("probability of being selected", chosen),
            Panel("expected risk", [Series("with selection", ended, True), Series("without", plain)], least),
        ]
        return draw_curves(
            panels, x="samples m", title=title or f"{self.method.title} on m samples", description=str(self)
        )

    def _likeliest(self) -> list[int]:
        """Return the seven masks that are likeliest, each where it is likeliest."""
        names = self.distribution.features
        found = {subset for point in self.points for subset, _ in point.outcomes}
        highest = {mask_of(subset, names): max(map(float, self.probability(subset))) for subset in found}
        return sorted(
            sorted(highest, key=lambda mask: (-highest[mask], mask))[:7], key=lambda mask: (mask.bit_count(), mask)
        )


def law_curve(
    d: JointDistribution,
    method: Method,
    ms: Iterable[int],
    *,
    trials: int | None = None,
    rng: int | None = None,
    work: int = WORK,
    workers: int = 1,
    skip: bool = False,
    resume: str | os.PathLike[str] | None = None,
    progress: Progress = None,
) -> LawCurve:
    """Return what a method selects by sample size: exact laws, and simulations beyond if these are asked for.

    Parameters
    ----------
    ms : iterable of int
        Numbers of samples; with `skip`, those of which the method cannot hold out its fraction are left out.
    trials, rng : int, optional
        Where an exact law takes more than `work` steps, estimate it from so many trials with this seed; the simulation
        at m is that of ``fs.simulate`` with ``numpy.random.default_rng([rng, m])``. Without, such a law is refused.
    workers, resume, progress
        As in `simulate`.

    Examples
    --------
    >>> import fstheory as fs
    >>> d = fs.JointDistribution([[[7, 3], [7, 3]], [[3, 7], [3, 7]]])
    >>> curve = fs.samples.law_curve(d, fs.OrderedFS(holdout="3/10", ties="first"), range(10, 50), skip=True)
    >>> curve.ms, float(curve.success[-1])
    ((10, 20, 30, 40), 0.6431604173068203)
    """
    sizes = _sizes(method, ms, skip=skip)
    engines: list[Engine | None] = []
    for m in sizes:
        try:
            engines.append(engine_for(d, m, method, work=work))
        except TooLargeError as error:
            if trials is None:
                raise TooLargeError(f"{error}; for a curve, trials=2000, rng=0") from error
            engines.append(None)
    if trials is not None:
        trials, workers = require_trials(d, trials, workers)
        rng = as_index(rng, "rng")
    options: dict[str, Any] = {"m": sizes, "trials": trials, "seed": rng, "engines": engines}
    points: list[Law[Any]] = []
    with run_of(d, method, resume, progress, kind="curve", **options) as run:
        for m, engine in zip(sizes, engines, strict=True):
            if engine is not None:
                try:
                    points.append(exact_law(d, m, method, engine, run, work))
                    continue
                except TooLargeError:  # seen when the samples to train on are gone through
                    if trials is None:
                        raise
            assert trials is not None
            assert rng is not None
            points.append(estimated_law(d, m, method, trials, np.random.default_rng([rng, m]), workers, run))
    return LawCurve(d, method, tuple(points), tuple(_risk_if_cheap(d, m, max(work, WORK)) for m in sizes))


def _risk_if_cheap(d: JointDistribution, m: int, work: int) -> Fraction | None:
    try:
        return risk_without_selection(d, m, work)
    except TooLargeError:
        return None


def _sizes(method: Method, ms: Iterable[int], *, skip: bool) -> list[int]:
    """Return the numbers of samples in order; those that a method cannot divide are refused, or left out."""
    require_method(method)
    if not isinstance(ms, Iterable) or isinstance(ms, str):
        raise InvalidTypeError(explain("ms", "numbers of samples", ms, "pass range(10, 50, 10), say"))
    sizes = sorted({as_index(m, "each of ms") for m in ms})
    unfit = []
    for m in sizes:
        try:
            method.holdout_size(m)
        except InvalidValueError:
            unfit.append(m)
    fit = [m for m in sizes if m not in unfit]
    repair = f"of these, {first_of(fit) or 'none'} can: pass only such, or skip=True"
    needed = "numbers of samples of which the method can hold out its part"
    require(not unfit or (skip and fit), "ms", needed, first_of(unfit), repair)
    require(fit, "ms", "at least one number of samples", sizes, "pass [10, 20], say")
    return fit
