"""Figures 1 to 4 of Ahmed et al. on data at hand, and below each the same curves where the distribution is known."""

from __future__ import annotations

import dataclasses
import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

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
from fstheory.lattice.draw import PlotFigure
from fstheory.papers.experiments.ahmed_exact import MEASURES, METHODS, ExpectedErrors, Value, read_value, write_value
from fstheory.papers.experiments.ahmed_trials import (
    DATA,
    FIGURES,
    AhmedSettings,
    Panel,
    law_step,
    read_law,
    splits_of,
)
from fstheory.papers.experiments.gaussian import Floats
from fstheory.papers.experiments.steps import ExperimentJournal, MeanError, run_steps, write_experiment

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["AhmedExperiment", "ahmed_experiment", "draw_ahmed_figure"]

_LONGEST = 60
_LINES = dict(
    zip(
        METHODS,
        [("#0072B2", "-", "o"), ("#56B4E9", "--", "v"), ("#D55E00", "-", "s"), ("#E69F00", "--", "^"),
         ("#009E73", "-.", "D"), ("#5f5f5f", ":", "x")],
        strict=True,
    )
)  # fmt: skip
_AXES = {
    "0-1": "0-1 error", "cost 1/4": "cost, c = 1/4", "cost 3/4": "cost, c = 3/4", "logarithmic": "log error (nats)",
    "balanced": "balanced error", "F1": "F1 (more is better)",
}  # fmt: skip


@dataclass(frozen=True, repr=False)
class AhmedExperiment(Result):
    """What came out of the experiment of Ahmed et al.: test errors over splits, and laws on known distributions.

    Attributes
    ----------
    settings : AhmedSettings
    figures : tuple of int
    laws : mapping from (name in the gallery, m) to ExpectedErrors
        Of each distribution that the settings name: after m samples, and under None if it is known.

    Examples
    --------
    >>> from fstheory.papers.experiments import AhmedSettings, ahmed_experiment
    >>> small = AhmedSettings(laws=(("cover", 1),))
    >>> cover = ahmed_experiment([1], settings=small, data=[]).laws["cover", None]
    >>> str(cover.differences["0-1", "MIGreedy"][1])  # of the two features that BayesGreedy takes
    '7/160'
    """

    settings: AhmedSettings
    figures: tuple[int, ...]
    laws: Mapping[tuple[str, int | None], ExpectedErrors]
    _errors: Mapping[Panel, Floats]

    def _rows(self, measure: str, data: str) -> Floats:
        if (measure, data) not in self._errors:
            known = ", ".join(f"{panel.measure} on {panel.data}" for panel in self._errors)
            raise UnknownNameError(explain("measure and data", f"one of {known}", (measure, data), "correct them"))
        return self._errors[Panel(measure, data)]

    def _column(self, measure: str, data: str, method: str, k: int) -> Floats:
        rows, last = self._rows(measure, data), self.settings.sizes(data)[-1]
        if not 1 <= as_index(k, "k") <= last:
            raise InvalidValueError(explain("k", f"between 1 and {last}", k, "correct it"))
        require_choice(method, "method", list(METHODS))
        column: Floats = rows[:, METHODS.index(method), k - 1]
        return column

    def estimate(self, measure: str, data: str, method: str, k: int) -> MeanError:
        """Return the mean test error over the splits; its standard error is that of independent ones."""
        return MeanError.of(self._column(measure, data, method, k))

    def difference(self, measure: str, data: str, method: str, less: str, k: int) -> MeanError:
        """Return the mean over the splits of the test error of one method less that of another."""
        return MeanError.of(self._column(measure, data, method, k) - self._column(measure, data, less, k))

    def tied(self, measure: str, data: str) -> tuple[float, ...]:
        """Return the mean share of the candidates that were as good as the one that BayesGreedy took, step by step."""
        return tuple(self._rows(measure, data)[:, -1].mean(axis=0).tolist())

    def __str__(self) -> str:
        lines = [f"Ahmed et al. (2015), {self.settings.splits} splits: mean test error (standard error)"]
        for measure, data in self._errors:
            sizes = self.settings.sizes(data)
            lines += ["", f"{measure} on {data}", f"  {'k':>11} {''.join(f'{k:>12}' for k in sizes)}"]
            for method in METHODS:
                found = [self.estimate(measure, data, method, k) for k in sizes]
                cells = (f"{e.mean:.3f}({e.standard_error:.3f})" for e in found)
                lines.append(f"  {method:>11} {''.join(c.rjust(12) for c in cells)}")
        for (name, m), law in self.laws.items():
            lines += ["", f"{name}, {'known' if m is None else f'{m} samples'}: " + str(law)]
        return "\n".join(lines)

    def document(self) -> dict[str, Any]:
        """Return the numbers for JSON: estimates as [mean, standard error], exact ones as text where it is short."""
        note = (
            "Test errors: [mean, standard error] over splits, for k = 1, 2, ..; 'less': the favorite less the method, "
            "on the same splits; 'tied': share of the candidates as good as the best, by step of BayesGreedy. Laws: "
            "exact as 'p/q', or [rounded] where that is long; else [mean, standard error]."
        )
        figures = [
            {"figure": number, "panels": [self._panel(panel) for panel in FIGURES[number] if panel in self._errors]}
            for number in self.figures
        ]
        laws = [self._law(name, m, law) for (name, m), law in self.laws.items() if m is not None]
        settings = dataclasses.asdict(self.settings)
        head = {"schema": "fstheory/ahmed-2015", "version": 1, "note": note, "settings": settings}
        return {**head, "figures": figures, "laws": laws}

    def _panel(self, panel: Panel) -> dict[str, Any]:
        favorite = MEASURES[panel.measure].favorite
        sizes = self.settings.sizes(panel.data)
        curves = {m: [_cell(self.estimate(*panel, m, k)) for k in sizes] for m in METHODS}
        less = {m: [_cell(self.difference(*panel, favorite, m, k)) for k in sizes] for m in METHODS if m != favorite}
        tied = [round(share, 4) for share in self.tied(*panel)]
        return {**panel._asdict(), "curves": curves, "less": less, "tied": tied}

    def _law(self, name: str, m: int, law: ExpectedErrors) -> dict[str, Any]:
        asked = {panel.measure for number in self.figures for panel in FIGURES[number]}
        errors = {
            measure: {method: [_cell(e) for e in law.errors[measure, method]] for method in METHODS}
            for measure in MEASURES
            if measure in asked
        }
        return {"distribution": name, "m": m, "trials": law.trials, "errors": errors}

    def plot(self, figure: int) -> PlotFigure:
        """Draw a figure: data above, with bars of one standard error; below, full marks are exact."""
        if figure not in self.figures:
            raise UnknownNameError(explain("figure", f"one of {self.figures}", figure, "correct it"))
        return draw_ahmed_figure(self.document(), figure)

    def write(self, folder: str | os.PathLike[str]) -> list[Path]:
        """Write the numbers as ahmed-2015.json, and each figure as PNG and SVG; return the paths."""
        text = json.dumps(self.document(), separators=(",", ":"))
        return write_experiment(folder, "ahmed-2015", text, ((f"figure-{n}", self.plot(n)) for n in self.figures))


def _cell(error: Value | MeanError) -> str | list[float]:
    """Return an error for JSON: an estimate with its standard error, what is exact as a text that is not too long."""
    if isinstance(error, MeanError):
        return [round(error.mean, 4), round(error.standard_error, 4)]
    text = write_value(error)
    return text if len(text) <= _LONGEST else [round(float(error), 6)]


def _mean(cell: str | list[float]) -> float:
    """Return what is drawn of a cell."""
    if not isinstance(cell, str):
        return cell[0]
    exact: Any = read_value(cell, 0)
    return float(exact)


def draw_ahmed_figure(document: Mapping[str, Any], figure: int) -> PlotFigure:
    """Draw a figure from the numbers that `AhmedExperiment.write` keeps in ahmed-2015.json.

    Parameters
    ----------
    document : dict
        What `AhmedExperiment.document` returns, or the JSON that was made of it.
    figure : int

    Examples
    --------
    >>> from fstheory.papers.experiments import AhmedSettings, ahmed_experiment, draw_ahmed_figure
    >>> small = AhmedSettings(laws=(("ahmed-example-1", 2),))
    >>> draw_ahmed_figure(ahmed_experiment([2], settings=small, data=[]).document(), 2)
    <PlotFigure: Figure 2 of Ahmed et al. (2015), obtained>
    """
    import_optional("matplotlib", "viz", "drawing a figure")
    import matplotlib as mpl
    from matplotlib.figure import Figure

    entries = {entry["figure"]: entry for entry in document["figures"]}
    if figure not in entries:
        raise UnknownNameError(explain("figure", f"one of {', '.join(map(str, entries))}", figure, "correct it"))
    panels, laws = entries[figure]["panels"], [*document["laws"]]
    measures = list(dict.fromkeys(panel.measure for panel in FIGURES[figure]))
    rows = ([panels] if panels else []) + [[(measure, law) for law in laws] for measure in measures if laws]
    columns = max(map(len, rows), default=1)
    with mpl.rc_context({"font.size": 8}):
        drawn = Figure(figsize=(2.5 * columns, 2.3 * len(rows) + 0.5), layout="constrained")
        areas = drawn.subplots(max(len(rows), 1), columns, squeeze=False)
        for row, line in zip(rows, areas, strict=False):
            for what, axes in zip(row, line, strict=False):
                _draw(axes, what, document["settings"]["splits"])
            for axes in line[len(row) :]:
                axes.set_axis_off()
        handles, labels = areas[0, 0].get_legend_handles_labels()
        drawn.legend(handles, labels, loc="outside lower center", ncols=len(METHODS), frameon=False)
    title = f"Figure {figure} of Ahmed et al. (2015), obtained"
    return PlotFigure(drawn, title, f"{title}: errors of {', '.join(METHODS)} by the number of features")


def _draw(axes: Axes, what: Any, splits: int) -> None:
    """Draw the curves on some data, or those of a law."""
    if isinstance(what, tuple):
        measure, law = what
        curves = law["errors"][measure]
        title = f"{law['distribution']}, m = {law['m']}\n"
        title += "exact" if law["trials"] is None else f"{law['trials']} trials"
    else:
        measure, curves = what["measure"], what["curves"]
        title = f"{what['data']}\ntest, {splits} splits"
    for place, (method, cells) in enumerate(curves.items()):
        color, style, mark = _LINES[method]
        thin = 1 - place / len(curves)  # those below can be seen where curves are the same
        exact = all(isinstance(cell, str) or len(cell) == 1 for cell in cells)
        means = [_mean(cell) for cell in cells]
        bars = None if exact else [cell[1] for cell in cells]
        face = color if exact or not isinstance(what, tuple) else "white"
        axes.errorbar(
            range(1, len(cells) + 1), means, yerr=bars, color=color, linestyle=style, marker=mark,
            markersize=2.5 + 4 * thin, markerfacecolor=face, linewidth=0.7 + 2.2 * thin, elinewidth=0.6, capsize=1.5,
            label=method,
        )  # fmt: skip
    axes.set_title(title, fontsize=8)
    axes.set_xlabel("features")
    axes.set_ylabel(_AXES[measure])
    axes.locator_params(axis="x", integer=True)
    axes.grid(visible=True, color="#e4e4e4", linewidth=0.5)


def ahmed_experiment(
    figures: Sequence[int] = tuple(FIGURES),
    *,
    settings: AhmedSettings | None = None,
    data: Sequence[str] = tuple(DATA),
    workers: int = 1,
    resume: str | os.PathLike[str] | None = None,
    progress: Progress = None,
) -> AhmedExperiment:
    """Run the experiment of Ahmed et al.: six filters, five measures, on data at hand and on known distributions.

    Parameters
    ----------
    figures : sequence of int
        Which of Figures 1 to 4.
    settings : AhmedSettings, optional
        The full ones if not given, half an hour on two shared cores; `AhmedSettings.quick()` take less than two.
    data : sequence of str
        Which of 'breast cancer', 'wine', 'iris', 'digits', 'waveform'; none for the laws alone.
    workers : int
        Threads; the result does not depend on their number.
    resume : str or path-like, optional
        A file that keeps the progress; if it exists, the experiment goes on from it. An interrupt loses at most one
        split or law for each worker.
    progress : bool or callable, optional
        True shows how far it is, on a terminal or in a notebook; a function is called with each line of that.

    Returns
    -------
    AhmedExperiment

    Notes
    -----
    On data: features are chosen by `select`, `mrmr` and `fisher_scores` on a `Sample` of three bins, with mu and sigma
    of the rows to train on; the learners see the numbers themselves, standardized. SVM with an RBF kernel, weighted for
    costs and for the balanced error; logistic regression on kernel values for the logarithmic error, and with a
    threshold for F1; C and gamma by a fifth of the rows to train on. On distributions: `expected_errors`.

    References
    ----------
    Ahmed, Narasimhan and Agarwal (2015), Section 4.

    Examples
    --------
    >>> from fstheory.papers.experiments import AhmedSettings, ahmed_experiment
    >>> small = AhmedSettings(laws=(("ahmed-example-1", 3),))
    >>> law = ahmed_experiment([1], settings=small, data=[]).laws["ahmed-example-1", 3]
    >>> law.differences["0-1", "MIGreedy"][0] > 0  # with 3 samples BayesGreedy is worse
    True
    """
    chosen = settings if settings is not None else AhmedSettings()
    if not isinstance(chosen, AhmedSettings):
        raise InvalidTypeError(explain("settings", "AhmedSettings", settings, "pass AhmedSettings.quick(), say"))
    if isinstance(figures, str | int) or not (numbers := tuple(dict.fromkeys(figures))):
        raise InvalidTypeError(explain("figures", "some of 1 to 4", figures, "pass [1], say"))
    for number in numbers:
        if number not in FIGURES:
            raise InvalidValueError(explain("figures", "some of 1 to 4", number, "drop it"))
    for name in data:
        require_choice(name, "data", list(DATA))
    threads = as_index(workers, "workers", at_least=1)
    panels = [panel for panel in dict.fromkeys(p for n in numbers for p in FIGURES[n]) if panel.data in data]
    splits = {panel: list(splits_of(chosen, panel)) for panel in panels}
    cases = [(name, m) for name, number in chosen.laws for m in (None, number)]
    laws = {case: law_step(chosen, *case) for case in cases}
    options = {k: str(v) for k, v in dataclasses.asdict(chosen).items() if k not in {"splits", "laws"}}
    with ExperimentJournal(resume, options, seconds=2.0) as journal:
        steps = [*laws.values(), *(step for row in splits.values() for step in row)]
        if panels:
            import_optional("sklearn", "learn", "learning from data")
            from threadpoolctl import threadpool_limits  # many small problems: a thread each for parts of one costs

            with threadpool_limits(1):
                run_steps(steps, journal, threads, progress)
        else:
            run_steps(steps, journal, threads, progress)
        errors = {
            panel: np.array([journal.get(step.name) for step in row], dtype=float) for panel, row in splits.items()
        }
        found = {case: read_law(case[1], journal.get(step.name), chosen.trials) for case, step in laws.items()}
    return AhmedExperiment(chosen, numbers, found, errors)
