"""The exact law of what a method selects on m samples, and of the risk it ends with."""

from __future__ import annotations

import os
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import numpy as np

from fstheory._clock import Progress
from fstheory._display import Shown, few, listing
from fstheory._exact import Exact, as_index, both, integers_over
from fstheory.bayes import bayes_risk
from fstheory.distribution import JointDistribution
from fstheory.errors import InvalidTypeError, InvalidValueError, TooLargeError, explain
from fstheory.limbs import IntegerArray
from fstheory.samples.exact import WORK, engine_for, exact_outcomes
from fstheory.samples.journal import Course, course_of
from fstheory.samples.lattice import Engine
from fstheory.samples.methods import Method, NoSelection, require_method
from fstheory.samples.simulation import Simulation, require_trials, simulated
from fstheory.selection import minimal_optimal
from fstheory.subsets import Subset, format_subset, mask_of, masks_by_size, names_of
from fstheory.table import RationalColumn, SubsetTable

if TYPE_CHECKING:
    from fstheory.viz import PlotFigure, Point

__all__ = ["LawCurve", "SelectionLaw", "law_curve", "selection_law"]


@dataclass(frozen=True, repr=False)
class SelectionLaw(Shown):
    """The exact law of what a method selects on m samples of a distribution, and of the risk it ends with.

    Indexed by a subset it gives the probability that the method returns it.

    Attributes
    ----------
    distribution : JointDistribution
    m : int
        The number of samples, those held out included.
    method : Method
    engine : {'counts', 'differences'}
        How the samples were gone through: all tables of counts, or of differences of two classes.
    outcomes : mapping of (frozenset of str, Fraction) to Fraction
        The probability of every subset with the risk, under the distribution, of the majority table over it. They
        sum to exactly 1.

    Examples
    --------
    >>> import fstheory as fs
    >>> d = fs.JointDistribution([[[12, 4], [3, 5]], [[2, 6], [1, 7]]])
    >>> law = fs.selection_law(d, 4, fs.FOS(tau="1/20", ties="first"))
    >>> law[{"X1"}], law.success, law.engine
    (Fraction(144803, 640000), Fraction(4377, 40000), 'differences')
    """

    distribution: JointDistribution
    m: int
    method: Method
    engine: Engine
    outcomes: Mapping[tuple[frozenset[str], Fraction], Fraction]

    def __getitem__(self, subset: Subset) -> Fraction:
        return self.probabilities[subset]

    def __str__(self) -> str:
        names, table = self.distribution.features, self.probabilities
        rows = [
            ("expected risk", both(self.expected_risk)),
            ("Bayes risk", both(self.expected_risk - self.expected_regret)),
        ]
        rows += [("success", both(self.success))]
        likely = sorted(masks_by_size(len(names)).tolist(), key=table.value_at, reverse=True)
        rows += [(format_subset(mask, names), both(table.value_at(mask))) for mask in likely if table.value_at(mask)]
        head = f"{self.method.title} on {self.m} samples, exactly (all tables of {self.engine})"
        return listing(head, rows, len(rows))

    @cached_property
    def probabilities(self) -> SubsetTable[Fraction]:
        """The probability of every subset."""
        names = self.distribution.features
        values = [Fraction(0)] * 2 ** len(names)
        for (subset, _), probability in self.outcomes.items():
            values[mask_of(subset, names)] += probability
        numerators, denominator = integers_over(values)
        column = RationalColumn(IntegerArray.from_ints(numerators), denominator)
        return SubsetTable(names, column, name="probability of being selected", symbol="P")

    @cached_property
    def risks(self) -> Mapping[Fraction, Fraction]:
        """The probability of every risk that the method can end with, in ascending order."""
        sums: dict[Fraction, Fraction] = defaultdict(Fraction)
        for (_, risk), probability in self.outcomes.items():
            sums[risk] += probability
        return MappingProxyType(dict(sorted(sums.items())))

    @cached_property
    def expected_risk(self) -> Fraction:
        """The expected risk, under the distribution, of the classifier that the method ends with."""
        return sum((risk * probability for risk, probability in self.risks.items()), Fraction(0))

    @property
    def expected_regret(self) -> Fraction:
        """The expected risk less the Bayes risk, which is that of S*."""
        return self.expected_risk - bayes_risk(self.distribution, self.distribution.features)

    @cached_property
    def expected_gain(self) -> Fraction:
        """The expected risk of the majority table over all features and all m samples, less that of the method."""
        return _risk_without_selection(self.distribution, self.m) - self.expected_risk

    @cached_property
    def success(self) -> Fraction:
        """The probability of a minimal set of least Bayes risk: of S*, where it is the only one."""
        solutions = minimal_optimal(self.distribution, method="exhaustive").solutions
        return sum((self[subset] for subset in solutions), Fraction(0))

    def curve(
        self,
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
        """Return the laws of the same method by sample size, as `law_curve` does.

        Examples
        --------
        >>> import fstheory as fs
        >>> law = fs.selection_law(fs.gallery.xor(), 4, fs.FOS(tau="1/20", ties="first"))
        >>> law.curve(range(2, 5)).success
        (Fraction(0, 1), Fraction(3, 8), Fraction(21, 32))
        """
        return law_curve(
            self.distribution, self.method, ms, trials=trials, rng=rng, work=work, workers=workers, skip=skip,
            resume=resume, progress=progress,
        )  # fmt: skip

    def tail(self, limit: Fraction) -> Fraction:
        """Return the probability that the risk is above a limit."""
        return sum((probability for risk, probability in self.risks.items() if risk > limit), Fraction(0))


def selection_law(
    d: JointDistribution,
    m: int,
    method: Method,
    *,
    engine: Engine | None = None,
    work: int = WORK,
    resume: str | os.PathLike[str] | None = None,
    progress: Progress = None,
) -> SelectionLaw:
    """Return the exact law of what a method selects on m samples of a distribution, and of the risk it ends with.

    Parameters
    ----------
    d : JointDistribution
        With two classes or more; cells of probability 0 do not count.
    m : int
        The number of independent samples, those held out included.
    method : FBS, FOS, StandardWrap, OrderedFS, NoSelection or PlugIn
    engine : {'counts', 'differences'}, optional
        Go through all tables of counts, or through all differences n(x, 1) - n(x, 0) of two classes. The one with
        fewer steps if not given; both give the same law.
    work : int
        The most steps to take; a step is a cell of a marginal of one table, some 5 to 10 ns.
    resume : path-like, optional
        A file that is written about once a second, and read if it exists: a law that was interrupted, even killed,
        goes on where it stopped. What the file says of the tables gone through is taken as it stands, if it can be
        true and its total is right; of a `PlugIn` it knows only the name of the function.
    progress : bool or callable, optional
        True shows how far it is, on a terminal or in a notebook; a function is called with each line of that.

    Returns
    -------
    SelectionLaw

    Raises
    ------
    TooLargeError
        The law takes more steps than `work`, or some 2**17 samples are held out; `simulate` estimates it.

    Notes
    -----
    The learner is the majority table over a subset: each state predicts the class with the most training samples
    in it, the first of several, and the first of all where no sample is. Resubstitution and hold-out errors of
    majority tables depend on the differences of counts alone. Their weights are found modulo primes in products of
    float64 matrices, which are exact there, and put together by the Chinese remainder theorem; that they sum to W**m
    for a total weight W is checked each time. A method that holds samples out is gone through by the tables that the
    training part can give, each with its probability, and for each of these by all samples held out.

    Complexity: of `counts` binomial(m + K - 1, m) tables for K cells of positive probability; of `differences` the
    points of the integer lattice with at most m as the sum of their absolute values, of the parity of m, one
    coordinate for each state of the features. Each takes prod(c_i + 1) steps for cardinalities c_i.

    References
    ----------
    Ng (1998), Sections 2 and 3; Peña and Nilsson (2010), Section 5.

    Examples
    --------
    >>> import fstheory as fs
    >>> d = fs.JointDistribution([[[7, 3], [7, 3]], [[3, 7], [3, 7]]])
    >>> law = fs.selection_law(d, 10, fs.OrderedFS(holdout="3/10", ties="first"))
    >>> print(law)
    OrderedFS on 10 samples, exactly (all tables of differences)
      expected risk: 574820692473483/1310720000000000 ≈ 0.4386
      Bayes risk:    3/10 = 0.3
      success:       757528144524781/2621440000000000 ≈ 0.2890
      {}:            378560316423591/655360000000000 ≈ 0.5776
      X1:            757528144524781/2621440000000000 ≈ 0.2890
      X1X2:          5848954179411/65536000000000 ≈ 0.08925
      X2:            23142484520883/524288000000000 ≈ 0.04414
    """
    engine = engine_for(d, m, method, engine, work)
    with course_of(d, method, resume, progress, kind="law", m=m, engine=engine) as course:
        return law_by(d, m, method, engine, course, work)


def law_by(
    d: JointDistribution, m: int, method: Method, engine: Engine, course: Course, work: int = WORK
) -> SelectionLaw:
    """Return the exact law by an engine, as far as a course has not got yet."""
    law = exact_outcomes(d, m, method, engine, course, work)
    outcomes = {
        (names_of(mask, d.features), Fraction(risk, d.total)): probability
        for (mask, risk), probability in sorted(law.items(), key=lambda item: (item[0][0].bit_count(), item[0]))
    }
    return SelectionLaw(d, m, method, engine, MappingProxyType(outcomes))


@dataclass(frozen=True, repr=False)
class LawCurve(Shown):
    """What a method selects by sample size: exact laws as far as the work allows, and simulations beyond.

    Indexed by a number of samples it gives the law or the simulation there. Exact values are Fractions and estimated
    ones floats, everywhere.

    Attributes
    ----------
    distribution : JointDistribution
    method : Method
    points : tuple of SelectionLaw or Simulation
        In the order of m; `engine` says of each how it was found, 'simulation' being an estimate.
    without_selection : tuple of Fraction or None
        The expected risk of the majority table over all features and all m samples, always exact; None where that
        takes too much work.

    Examples
    --------
    >>> import fstheory as fs
    >>> curve = fs.samples.law_curve(fs.gallery.xor(), fs.FOS(tau="1/20", ties="first"), [2, 4], trials=100, rng=0)
    >>> curve.ms, curve.is_exact, curve[4][{"X1", "X2"}]
    ((2, 4), True, Fraction(21, 32))
    """

    distribution: JointDistribution
    method: Method
    points: tuple[SelectionLaw | Simulation, ...]
    without_selection: tuple[Fraction | None, ...]

    def __getitem__(self, m: int) -> SelectionLaw | Simulation:
        if m not in self.ms:
            raise InvalidValueError(explain("m", f"one of {few(str, self.ms)}", m, "ask for a curve that has it"))
        return self.points[self.ms.index(m)]

    def __iter__(self) -> Iterator[SelectionLaw | Simulation]:
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
        return all(isinstance(point, SelectionLaw) for point in self.points)

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
        return tuple(
            point[subset] if isinstance(point, SelectionLaw) else point.count(subset) / point.trials
            for point in self.points
        )

    def __str__(self) -> str:
        head = f"{self.method.title} by sample size: success, expected risk (without selection), Bayes risk "
        head += both(bayes_risk(self.distribution, self.distribution.features))
        rows = []
        for point, without in zip(self.points, self.without_selection, strict=True):
            plain = "" if without is None else f" ({float(without):.4f})"
            if isinstance(point, SelectionLaw):
                values = (
                    f"{float(point.success):.4f}, {float(point.expected_risk):.4f}{plain}; exact, by {point.engine}"
                )
            else:
                (low, high), (least, most) = point.success_interval(), point.expected_risk_interval()
                values = f"{low:.4f} to {high:.4f}, {least:.4f} to {most:.4f}{plain}; from {point.trials:,} trials"
            rows.append((f"m = {point.m}", values))
        return listing(head, rows, len(rows))

    def plot(
        self, *, subsets: Iterable[Subset] | None = None, confidence: Exact = "19/20", title: str | None = None
    ) -> PlotFigure:
        """Draw the probability of each subset, and the expected risk with and without selection, by m.

        Exact points are filled and joined by lines; estimated ones are hollow, with bars of the given confidence.

        Parameters
        ----------
        subsets : iterable of subsets, optional
            Which to draw; the seven likeliest, each at the m where it is likeliest, if not given.
        confidence : exact number
        title : str, optional

        Examples
        --------
        >>> import fstheory as fs
        >>> curve = fs.samples.law_curve(fs.gallery.xor(), fs.FOS(tau="1/20", ties="first"), range(1, 6))
        >>> curve.plot()
        <PlotFigure: FOS on m samples>
        """
        from fstheory.viz import Panel, Point, Series, draw_curves

        names = self.distribution.features
        solutions = {mask_of(s, names) for s in minimal_optimal(self.distribution, method="exhaustive").solutions}
        masks = self._likeliest() if subsets is None else [mask_of(subset, names) for subset in subsets]
        chosen = [
            Series(
                format_subset(mask, names) + " = S*" * (solutions == {mask}),
                [_probability_at(point, names_of(mask, names), confidence) for point in self.points],
                mask in solutions,
            )
            for mask in masks
        ]
        pairs = zip(self.points, self.without_selection, strict=True)
        plain = [Point(point.m, float(risk)) for point, risk in pairs if risk is not None]
        ended = [_risk_at(point, confidence) for point in self.points]
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


def _probability_at(point: SelectionLaw | Simulation, subset: frozenset[str], confidence: Exact) -> Point:
    from fstheory.viz import Point

    if isinstance(point, SelectionLaw):
        return Point(point.m, float(point[subset]))
    return Point(point.m, point.count(subset) / point.trials, point.interval(subset, confidence))


def _risk_at(point: SelectionLaw | Simulation, confidence: Exact) -> Point:
    from fstheory.viz import Point

    interval = None if isinstance(point, SelectionLaw) else point.expected_risk_interval(confidence)
    return Point(point.m, float(point.expected_risk), interval)


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
    d : JointDistribution
    method : FBS, FOS, StandardWrap, OrderedFS, NoSelection or PlugIn
    ms : iterable of int
        Numbers of samples.
    trials, rng : int, optional
        Where an exact law takes more than `work`, estimate it from so many trials with this seed; the simulation at
        m is that of ``fs.simulate`` with ``numpy.random.default_rng([rng, m])``.
    work : int
        The most steps of one law.
    workers : int
        Threads of a simulation.
    skip : bool
        Leave out those m of which the method cannot hold out its fraction.
    resume : path-like, optional
        A file that is written about once a second, and read if it exists, as in `selection_law`.
    progress : bool or callable, optional
        True shows how far it is, on a terminal or in a notebook; a function is called with each line of that.

    Returns
    -------
    LawCurve

    Raises
    ------
    TooLargeError
        A law takes more than `work`, and there are no `trials`.

    Examples
    --------
    >>> import fstheory as fs
    >>> d = fs.JointDistribution([[[7, 3], [7, 3]], [[3, 7], [3, 7]]])
    >>> method = fs.OrderedFS(holdout="3/10", ties="first")
    >>> curve = fs.samples.law_curve(d, method, range(10, 50), skip=True)
    >>> curve.ms, float(curve.success[-1])
    ((10, 20, 30, 40), 0.6431604173068203)
    >>> fs.samples.law_curve(d, method, [10, 400], trials=100, rng=0)[400].engine
    'simulation'
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
    points: list[SelectionLaw | Simulation] = []
    with course_of(d, method, resume, progress, kind="curve", **options) as course:
        for m, engine in zip(sizes, engines, strict=True):
            if engine is not None:
                try:
                    points.append(law_by(d, m, method, engine, course, work))
                    continue
                except TooLargeError:  # seen when the samples to train on are gone through
                    if trials is None:
                        raise
            assert trials is not None
            assert rng is not None
            source = np.random.default_rng([rng, m])
            points.append(simulated(d, m, method, trials, source, workers, course))
    return LawCurve(d, method, tuple(points), tuple(_risk_if_cheap(d, m, max(work, WORK)) for m in sizes))


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
    if unfit and not (skip and fit):
        repair = f"of these, {few(str, fit) or 'none'} can: pass only such, or skip=True"
        needed = "numbers of samples of which the method can hold out its part"
        raise InvalidValueError(explain("ms", needed, few(str, unfit), repair))
    if not fit:
        raise InvalidValueError(explain("ms", "at least one number of samples", list(sizes), "pass [10, 20], say"))
    return fit


def _risk_without_selection(d: JointDistribution, m: int, work: int = WORK) -> Fraction:
    """Return the expected risk of the majority table over all features and m samples.

    It is a sum over the states: what the table predicts at one depends on how many samples fall there, by class, and
    not on where the others fall. So each is asked about in a distribution where all others are one state without risk.
    """
    rows = Counter(map(tuple, d.weights.reshape(-1, len(d.classes)).tolist()))
    expected = Fraction(0)
    for row, times in rows.items():
        if any(row):
            others = [d.total - sum(row), *[0] * (len(row) - 1)]
            one, method = JointDistribution([row, others]), NoSelection()
            with course_of(one, method, None, None) as course:
                law = law_by(one, m, method, engine_for(one, m, method, work=work), course)
            expected += times * law.expected_risk
    return expected


def _risk_if_cheap(d: JointDistribution, m: int, work: int) -> Fraction | None:
    try:
        return _risk_without_selection(d, m, work)
    except TooLargeError:
        return None
