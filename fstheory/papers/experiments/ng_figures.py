"""Figures 1 to 5 of Ng (1998) as an experiment, and beside each the same with bits in place of Gaussians, exactly."""

from __future__ import annotations

import dataclasses
import itertools
import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, TypeAlias, get_args

import numpy as np

from fstheory._support.exact import as_index
from fstheory._support.progress import Progress
from fstheory._support.result import Result
from fstheory.errors import (
    InvalidTypeError,
    InvalidValueError,
    UnknownNameError,
    explain,
    import_optional,
    require_choice,
)
from fstheory.lattice.draw import LatticeFigure
from fstheory.papers.experiments.gaussian import Floats
from fstheory.papers.experiments.ng_trials import (
    BITS,
    FIGURES,
    TARGETS,
    NgSettings,
    Pair,
    Setup,
    bit_steps,
    chunks,
    name_of,
)
from fstheory.papers.experiments.steps import ExperimentJournal, MeanError, run_steps, write_experiment

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["BitsError", "NgExperiment", "draw_ng_figure", "ng_experiment"]

Ties: TypeAlias = Literal["smallest", "uniform"]


@dataclass(frozen=True, repr=False)
class BitsError(Result):
    """The expected noise-free error on bits: exact, or else estimated with a 95% interval."""

    exact: Fraction | None
    mean: float
    low: float
    high: float


@dataclass(frozen=True, repr=False)
class NgExperiment(Result):
    """What came out of Ng's experiment: means with standard errors; on bits exact numbers, as far as they reach.

    Attributes
    ----------
    settings : NgSettings
    figures : tuple of int

    Examples
    --------
    >>> from fstheory.papers.experiments import NgSettings, ng_experiment
    >>> small = NgSettings(trials=20, width=5, features=(1, 4), bits_features=(1, 2), bits_all_samples=(10, 10))
    >>> found = ng_experiment([1], settings=small)
    >>> exact = found.bits_error(1, "ORDERED-FS 3/10", 2).exact
    >>> type(exact).__name__, round(float(exact), 4)
    ('Fraction', 0.379)
    >>> error = found.estimate(1, "no selection", 4)
    >>> 0 < error.standard_error < error.mean < 1 / 2, error.trials
    (True, 20)
    """

    settings: NgSettings
    figures: tuple[int, ...]
    _errors: Mapping[tuple[int, int, int, str], Floats]
    _bits: Mapping[tuple[int, int, int, str], BitsError]

    def _case(self, figure: int, curve: str, x: int, bits: bool = False) -> tuple[int, int, int, str]:
        if figure not in self.figures:
            raise UnknownNameError(explain("figure", f"one of {self.figures}", figure, "correct it"))
        require_choice(curve, "curve", [c.label for c in FIGURES[figure].curves])
        cases = self.settings.cases(FIGURES[figure], bits)
        if x not in cases:
            raise InvalidValueError(explain("x", f"one of {', '.join(map(str, cases))}", x, "correct it"))
        return (*cases[x], curve)

    def estimate(self, figure: int, curve: str, x: int, *, ties: Ties = "smallest") -> MeanError:
        """Return the mean noise-free error of a curve, 'ORDERED-FS 3/10' say, where the x-axis says x.

        With ties 'smallest', of subsets with equal hold-out error the smaller is taken, and of these one drawn; with
        'uniform' one is drawn from all.
        """
        require_choice(ties, "ties", get_args(Ties))
        return MeanError.of(self._errors[self._case(figure, curve, x)][:, get_args(Ties).index(ties)])

    def difference(self, figure: int, curve: str, less: str, x: int, *, ties: Ties = "smallest") -> MeanError:
        """Return the mean of the error of one curve less that of another, on the same samples."""
        require_choice(ties, "ties", get_args(Ties))
        one, other = (self._errors[self._case(figure, label, x)] for label in (curve, less))
        return MeanError.of((one - other)[:, get_args(Ties).index(ties)])

    def bits_error(self, figure: int, curve: str, x: int) -> BitsError:
        """Return the expected noise-free error of a curve on bits."""
        return self._bits[self._case(figure, curve, x, bits=True)]

    def __str__(self) -> str:
        trials, width = self.settings.trials, self.settings.width
        lines = [
            f"Ng (1998), {trials} trials, beam {width}: mean error without noise (standard error in the last digits)"
        ]
        for number in self.figures:
            figure, cases = FIGURES[number], self.settings.cases(FIGURES[number])
            lines += ["", f"Figure {number}, {TARGETS[figure.relevant]}"]
            width = max(len(c.label) for c in figure.curves)
            lines.append(f"  {figure.along.rjust(width)} {''.join(f'{x:>11}' for x in cases)}")
            for curve in figure.curves:
                found = [self.estimate(number, curve.label, x) for x in cases]
                cells = (f"{e.mean:.3f}({round(e.standard_error * 1000)})" for e in found)
                lines.append(f"  {curve.label.rjust(width)} {''.join(c.rjust(11) for c in cells)}")
            cases = self.settings.cases(figure, bits=True)
            lines.append(f"  {'bits'.rjust(width)} {''.join(f'{x:>11}' for x in cases)}")
            for curve in figure.curves:
                errors = [self.bits_error(number, curve.label, x) for x in cases]
                cells = (f"{'' if e.exact is None else '= '}{e.mean:.4f}" for e in errors)
                lines.append(f"  {curve.label.rjust(width)} {''.join(c.rjust(11) for c in cells)}")
        return "\n".join([*lines, "", "=: exact, rounded here; all others are estimates"])

    def document(self) -> dict[str, Any]:
        """Return all numbers for JSON: estimates as floats with standard errors, exact ones as 'p/q'."""
        note = (
            "Mean errors without noise over trials: floats with standard errors. On bits: 'exact' as 'p/q', or a mean "
            "with a 95% interval. 'uniform': subsets with equal hold-out errors drawn, not the smaller taken."
        )
        settings = dataclasses.asdict(self.settings)
        figures = [self._figure_document(number) for number in self.figures]
        return {"schema": "fstheory/ng-1998", "version": 1, "note": note, "settings": settings, "figures": figures}

    def _figure_document(self, number: int) -> dict[str, Any]:
        figure = FIGURES[number]
        cases, bits = self.settings.cases(figure), self.settings.cases(figure, bits=True)
        curves, on_bits = {}, {}
        for label in (curve.label for curve in figure.curves):
            curves[label] = [
                {
                    "x": x,
                    **dataclasses.asdict(self.estimate(number, label, x)),
                    "uniform": dataclasses.asdict(self.estimate(number, label, x, ties="uniform")),
                }
                for x in cases
            ]
            on_bits[label] = [{"x": x, **_bits_document(self.bits_error(number, label, x))} for x in bits]
        differences = {
            f"{one.label} less {other.label}": [
                {"x": x, **dataclasses.asdict(self.difference(number, one.label, other.label, x))} for x in cases
            ]
            for one, other in figure.pairs
        }
        head = {"figure": number, "target": TARGETS[figure.relevant], "along": figure.along}
        return {**head, "curves": curves, "differences": differences, "bits": on_bits}

    def plot(self, figure: int) -> LatticeFigure:
        """Draw a figure: on the left Gaussians with bars of one standard error, on the right bits."""
        if figure not in self.figures:
            raise UnknownNameError(explain("figure", f"one of {self.figures}", figure, "correct it"))
        return draw_ng_figure(self.document(), figure)

    def write(self, folder: str | os.PathLike[str]) -> list[Path]:
        """Write the numbers as ng-1998.json, and each figure as PNG and SVG; return the paths."""
        text = json.dumps(self.document(), indent=1)
        return write_experiment(folder, "ng-1998", text, ((f"figure-{n}", self.plot(n)) for n in self.figures))


def _bits_document(error: BitsError) -> dict[str, Any]:
    if error.exact is not None:
        return {"exact": str(error.exact)}
    return {"mean": error.mean, "low": error.low, "high": error.high}


def draw_ng_figure(document: Mapping[str, Any], figure: int) -> LatticeFigure:
    """Draw a figure from the numbers that `NgExperiment.write` keeps in ng-1998.json.

    Parameters
    ----------
    document : dict
        What `NgExperiment.document` returns, or the JSON that was made of it.
    figure : int

    Examples
    --------
    >>> from fstheory.papers.experiments import NgSettings, draw_ng_figure, ng_experiment
    >>> small = NgSettings(trials=2, features=(1, 2), bits_features=(1,), bits_all_samples=(10, 10))
    >>> draw_ng_figure(ng_experiment([1], settings=small).document(), 1)
    <LatticeFigure: Figure 1 of Ng (1998), obtained>
    """
    import_optional("matplotlib", "viz", "drawing a figure")
    from matplotlib.figure import Figure

    entries = {entry["figure"]: entry for entry in document["figures"]}
    if figure not in entries:
        raise UnknownNameError(explain("figure", f"one of {', '.join(map(str, entries))}", figure, "correct it"))
    what, entry = FIGURES[figure], entries[figure]
    drawn = Figure(figsize=(10, 4.2), layout="constrained")
    left, right = drawn.subplots(1, 2)
    for curve in what.curves:
        line: Any = {"linestyle": curve.style, "color": curve.color, "label": curve.label, "elinewidth": 1}
        points = entry["curves"][curve.label]
        means, bars = ([point[key] for point in points] for key in ("mean", "standard_error"))
        left.errorbar([point["x"] for point in points], means, yerr=bars, capsize=2, **line)
        _draw_bits(right, entry["bits"][curve.label], line)
    _label(left, right, document["settings"], what)
    title = f"Figure {figure} of Ng (1998), obtained"
    return LatticeFigure(drawn, title, f"{title}: errors of {', '.join(c.label for c in what.curves)}")


def _draw_bits(axes: Axes, points: Sequence[Mapping[str, Any]], line: Mapping[str, Any]) -> None:
    """Draw a curve on bits: full marks are exact, open ones have intervals."""
    exact = ["exact" in point for point in points]
    means = [float(Fraction(point["exact"])) if "exact" in point else point["mean"] for point in points]
    below = [mean - point.get("low", mean) for mean, point in zip(means, points, strict=True)]
    above = [point.get("high", mean) - mean for mean, point in zip(means, points, strict=True)]
    axes.errorbar([point["x"] for point in points], means, yerr=[below, above], capsize=2, **line)
    for kind, face in ((True, line["color"]), (False, "white")):
        chosen = [(point["x"], mean) for point, mean, known in zip(points, means, exact, strict=True) if known is kind]
        axes.plot([x for x, _ in chosen], [y for _, y in chosen], "o", color=line["color"], markerfacecolor=face)


def _label(left: Axes, right: Axes, settings: Mapping[str, Any], what: Setup) -> None:
    """Write what the two halves of a figure show."""
    which, along = int(what.relevant > 1), what.along == "features"
    fixed = f"m = {settings['all_samples']}" if along else f"{settings['all_features']} features"
    trials = f"{settings['trials']} trials, bars: 1 standard error"
    left.set_title(f"Gaussians, {TARGETS[what.relevant]}, {fixed}\n{trials}", fontsize=11)
    fixed = f"m = {settings['bits_all_samples'][which]}" if along else f"{settings['bits_all_features'][which]} bits"
    kinds = "full: exact; open: simulated, 95% intervals"
    right.set_title(f"bits, class: {BITS[what.relevant]}, {fixed}\n{kinds}", fontsize=11)
    for axes in (left, right):
        axes.set_xlabel("total number of features" if along else "samples, with those held out")
        axes.locator_params(axis="x", integer=True)
        axes.set_ylabel("error without noise")
        axes.set_ylim(bottom=0)
        axes.grid(visible=True, color="#dddddd", linewidth=0.5)
    left.legend(fontsize=9)


def ng_experiment(
    figures: Sequence[int] = (1, 2, 3, 4, 5),
    *,
    settings: NgSettings | None = None,
    workers: int = 1,
    resume: str | os.PathLike[str] | None = None,
    progress: Progress = None,
) -> NgExperiment:
    """Run Ng's experiment: Figures 1 to 5 of the paper, and beside each its finite analog on bits.

    Parameters
    ----------
    figures : sequence of int
        Which of the five.
    settings : NgSettings, optional
        The full ones if not given, which take hours; `NgSettings.quick()` take two minutes on two cores.
    workers : int
        Threads; the result does not depend on their number.
    resume : str or path-like, optional
        A file that keeps the progress; if it exists, the experiment goes on from it. An interrupt loses at most one
        chunk of ten trials for each worker. More trials than before may be asked for.
    progress : bool or callable, optional
        True shows how far it is, on a terminal or in a notebook; a function is called with each line of that.

    Returns
    -------
    NgExperiment

    Notes
    -----
    Inputs are independent standard normal; the class is the target, flipped with probability 3/10. STANDARD-WRAP takes
    the subset with fewest errors on the samples held out, ORDERED-FS of each size one with fewest training errors and
    of these that with fewest errors on the samples held out; both search by beams. The error without noise is an
    orthant probability (`sign_disagreement`), not that of a test set. Every trial has a seed of its own, so that all
    methods see the same samples, and the result depends on nothing but the settings.

    Bits are uniform; the class is the last bit, or the majority of the last three, flipped with probability 3/10; the
    learner is the majority table, the search is over all subsets, and ties go to the smaller set and then to the first
    features, which are the irrelevant ones.

    References
    ----------
    Ng (1998), Section 4.

    Examples
    --------
    >>> from fstheory.papers.experiments import NgSettings, ng_experiment
    >>> small = NgSettings(trials=20, width=5, samples=(20, 60), all_features=4, bits_samples=(10, 20))
    >>> found = ng_experiment([3], settings=small)
    >>> found.estimate(3, "ORDERED-FS 3/10", 60).mean < found.estimate(3, "ORDERED-FS 3/10", 20).mean
    True
    """
    chosen = settings if settings is not None else NgSettings()
    if not isinstance(chosen, NgSettings):
        raise InvalidTypeError(explain("settings", "NgSettings", settings, "pass NgSettings.quick(), say"))
    if isinstance(figures, str | int) or not (numbers := tuple(dict.fromkeys(figures))):
        raise InvalidTypeError(explain("figures", "some of 1 to 5", figures, "pass [1], say"))
    for number in numbers:
        if number not in FIGURES:
            raise InvalidValueError(explain("figures", "some of 1 to 5", number, "drop it"))
    threads = as_index(workers, "workers", at_least=1)
    if chosen.learner == "scikit-learn":
        import_optional("sklearn", "learn", "fitting by scikit-learn")
    cases, on_bits = _needed(chosen, numbers, bits=False), _needed(chosen, numbers, bits=True)
    options = {name: getattr(chosen, name) for name in ("width", "learner", "bits_work", "bits_trials", "seed")}
    steps = [*bit_steps(chosen, on_bits), *chunks(chosen, cases)]
    with ExperimentJournal(resume, options, seconds=2.0) as journal:
        run_steps(steps, journal, threads, progress)
        errors = {}
        for case, curve in cases:
            rows = [row for step in chunks(chosen, [(case, curve)]) for row in journal.get(step.name)]
            errors[(*case, curve.label)] = np.array(rows[: chosen.trials], dtype=float)
        bits = {(*case, c.label): _read_bits(journal.get(name_of("bits", case, c))[0]) for case, c in on_bits}
    return NgExperiment(chosen, numbers, errors, bits)


def _needed(settings: NgSettings, figures: Sequence[int], bits: bool) -> list[Pair]:
    """Return what the figures need, each once."""
    drawn = [FIGURES[number] for number in figures]
    pairs = (itertools.product(settings.cases(figure, bits).values(), figure.curves) for figure in drawn)
    return list(dict.fromkeys(itertools.chain.from_iterable(pairs)))


def _read_bits(row: Sequence[str]) -> BitsError:
    return BitsError(Fraction(row[0]) if row[0] else None, *map(float, row[1:]))
