"""The experiments of Beraha et al. (2019), and beside what is estimated in them what is true."""

from __future__ import annotations

import dataclasses
import itertools
import json
import math
import os
import re
import statistics
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fstheory._support.exact import as_index
from fstheory._support.progress import Progress
from fstheory._support.result import Result
from fstheory.distributions import gallery
from fstheory.errors import InvalidTypeError, UnknownNameError, explain, import_optional
from fstheory.lattice.draw import PlotFigure
from fstheory.papers.experiments.beraha_walks import BerahaSettings, Rule, Walk, problems, read_walk, step_of
from fstheory.papers.experiments.estimator_checks import check_panels, check_steps
from fstheory.papers.experiments.steps import ExperimentJournal, run_steps, write_experiment
from fstheory.papers.experiments.tail_problem import tail_of_bits
from fstheory.selection.stopping import CMISelection, FeatureCountRule, cmi_elimination, cmi_selection

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["BerahaExperiment", "beraha_experiment", "draw_beraha_figure"]

_FIRST = 5
RULES = (
    Rule("ER", 0.1), Rule("ER", 0.5), Rule("FS", 0.01), Rule("FS", 0.05), Rule("delta-FS", 0.01),
    Rule("delta-FS", 0.05), Rule("#F", 10), Rule("#F", 20),
)  # fmt: skip
_SIZE_RULE = Rule("ER", 0.1)  # of the third experiment
_REGIONS = {"squares": "sum of squares > 3(k - 2)", "sum": "sum > 3(k - 2), as printed"}
TITLES = {
    1: "Figure 1 of Beraha et al., obtained: stopping rules",
    2: "Figure 2 of Beraha et al., obtained: the threshold",
    3: "Figure 3 of Beraha et al., obtained: samples and neighbors",
    4: "The bound and the error along the walks",
    5: "The same on finite distributions, exactly",
    6: "The estimates of conditional information",
}

Document = dict[str, Any]


@dataclass(frozen=True, repr=False)
class BerahaExperiment(Result):
    """What came out of the experiments of Beraha et al.

    Attributes
    ----------
    settings : BerahaSettings

    Examples
    --------
    >>> from fstheory.papers.experiments import BerahaSettings, beraha_experiment
    >>> few = {"useful": (3,), "features": 11, "samples": 20, "trials": 1, "problems": 2, "few_features": 3}
    >>> fewer = {"sizes": (20,), "fractions": (0.1,), "size_trials": 1, "distributions": 50, "test_points": 10}
    >>> found = beraha_experiment(settings=BerahaSettings(regions=("sum",), **few, **fewer))
    >>> exactly = found.document()["figures"][4]["panels"][0]
    >>> exactly["title"], exactly["series"]["error"][0]["exact"]
    ('8 bits, class 1: over 3 ones in 5 of them; elimination', '3/32')
    """

    settings: BerahaSettings
    _walks: tuple[Walk, ...]
    _checks: Mapping[str, Sequence[Sequence[str]]]

    def document(self) -> Document:
        """Return all numbers for JSON: means as floats with standard errors, exact ones as 'p/q'."""
        note = (
            "Means over problems: floats, with standard errors where there are several. 'exact': a Bayes risk as "
            "'p/q'. 'known': from the distribution, in closed form or by quadrature, not from a sample."
        )
        makers = (self._stopping, self._robustness, self._estimation, self._bounds, _exact_panels, self._estimates)
        figures = [{"figure": i, "panels": list(make())} for i, make in enumerate(makers, 1)]
        settings = dataclasses.asdict(self.settings)
        return {"schema": "fstheory/beraha-2019", "version": 1, "note": note, "settings": settings, "figures": figures}

    def _of(self, experiment: str, region: str) -> list[Walk]:
        found = (walk for walk in self._walks if walk.problem.experiment == experiment)
        return [walk for walk in found if walk.problem.source.region == region]

    def _stopping(self) -> Iterable[Document]:
        """Yield the panels of the first experiment: accuracies, and those of the Bayes classifiers."""
        for title, measure in {"accuracy of the SVM": _accuracy, "accuracy possible with what is left": _ideal}.items():
            for region in self.settings.regions:
                walks = self._of("stopping", region)
                by_k = {k: [w for w in walks if w.problem.source.useful == k] for k in self.settings.useful}
                series = {"all features": [_point(k, [measure(w, 0) for w in some]) for k, some in by_k.items()]}
                for rule in RULES:
                    series[str(rule)] = [
                        _point(k, [measure(w, rule.removed(w.scores)) for w in some]) for k, some in by_k.items()
                    ]
                yield _panel(_REGIONS[region], "useful features k", title, series)
        for region in self.settings.regions:
            yield self._first_moved(region)

    def _first_moved(self, region: str) -> Document:
        """Return the share of useful features among the first that were removed, and that were added."""
        walks, useful = self._of("stopping", region), self.settings.useful
        series: dict[str, list[Document]] = {f"first {_FIRST} removed": [], f"first {_FIRST} added": []}
        for k in useful:
            some = [w for w in walks if w.problem.source.useful == k]
            for points, moved in zip(series.values(), ("removed", "added"), strict=True):
                points.append(_point(k, [statistics.fmean(getattr(w, moved)[:_FIRST]) for w in some]))
        series["in a random order"] = [
            {"x": k, "mean": round(k / self.settings.features, 5), "known": True} for k in useful
        ]
        return _panel(_REGIONS[region], "useful features k", "share of useful features", series)

    def _robustness(self) -> Iterable[Document]:
        """Yield the panels of the second experiment."""
        for region in self.settings.regions:
            walks = self._of("robustness", region)
            series: dict[str, list[Document]] = {}
            measures: dict[str, Callable[[Walk, int], float]] = {
                "accuracy of the SVM": _accuracy,
                "accuracy possible": _ideal,
                "fraction of features selected": lambda w, t: 1 - t / len(w.scores),
                "fraction of the useful ones selected": lambda w, t: w.useful_left(t) / w.problem.source.useful,
            }
            for name, measure in measures.items():
                series[name] = [
                    _point(delta, [measure(w, Rule("ER", delta).removed(w.scores)) for w in walks])
                    for delta in self.settings.deltas
                ]
            series["fraction of problems with error <= epsilon + delta"] = [
                _point(delta, [_is_kept(w, delta) for w in walks]) for delta in self.settings.deltas
            ]
            least = statistics.fmean(_error(w, 0) for w in walks)
            series["1 - epsilon - delta, as promised"] = [
                {"x": delta, "mean": 1 - least - delta, "known": True} for delta in self.settings.deltas
            ]
            yield _panel(_REGIONS[region], "delta", "", series)

    def _estimation(self) -> Iterable[Document]:
        """Yield the panels of the third experiment."""
        measures: dict[str, Callable[[Walk, int], float]] = {
            "accuracy of the SVM": _accuracy,
            "fraction of the useful ones selected": lambda w, t: w.useful_left(t) / w.problem.source.useful,
            "fraction of the others selected": _others_left,
        }
        for title, measure in measures.items():
            for region in self.settings.regions:
                walks, series = self._of("estimation", region), {}
                for part in self.settings.fractions:
                    series[f"{part:g} m neighbors"] = [
                        _point(size, [measure(w, _SIZE_RULE.removed(w.scores)) for w in self._drawn(walks, size, part)])
                        for size in self.settings.sizes
                    ]
                if measure is _accuracy:
                    series["all features"] = [
                        _point(size, [w.accuracies[0] for w in self._drawn(walks, size, self.settings.fractions[0])])
                        for size in self.settings.sizes
                    ]
                yield _panel(_REGIONS[region], "samples m", title, series)

    @staticmethod
    def _drawn(walks: Iterable[Walk], size: int, part: float) -> list[Walk]:
        neighbors = max(1, round(part * size))
        return [w for w in walks if w.problem.samples == size and w.problem.neighbors == neighbors]

    def _bounds(self) -> Iterable[Document]:
        """Yield errors and their bounds along elimination and selection, for the middle number of useful features."""
        k = sorted(self.settings.useful)[len(self.settings.useful) // 2]
        for direction in ("elimination", "selection"):
            for region in self.settings.regions:
                walks = [w for w in self._of("stopping", region) if w.problem.source.useful == k]
                title = f"{_REGIONS[region]}, k = {k}, {direction}"
                yield _panel(title, "features selected", "", _bound_series(walks, direction == "elimination"))

    def _estimates(self) -> Iterable[Document]:
        """Return the panels about the estimator itself."""
        return check_panels(self.settings, self._checks, _point)

    def plot(self, figure: int) -> PlotFigure:
        """Draw one of the figures 1 to 6; what is no such number is refused."""
        return draw_beraha_figure(self.document(), figure)

    def write(self, folder: str | os.PathLike[str]) -> list[Path]:
        """Write the numbers as beraha-2019.json, and each figure as PNG and SVG; return the paths."""
        document = self.document()
        text = json.dumps(document, indent=1)
        text = re.sub(r"\{[^{}\[]*\}", lambda point: " ".join(point[0].split()), text)  # a point, a line
        return write_experiment(
            folder, "beraha-2019", text, ((f"figure-{n}", draw_beraha_figure(document, n)) for n in TITLES)
        )

    def __str__(self) -> str:
        lines = [f"Beraha et al. (2019), {len(self._walks)} problems; means (standard errors in the last digits)"]
        for figure in self.document()["figures"][:3]:
            lines += ["", TITLES[figure["figure"]]]
            for panel in figure["panels"]:
                width = max(map(len, panel["series"]))
                xs = [point["x"] for point in next(iter(panel["series"].values()))]
                lines.append(f"  {panel['title']}; {panel['y'] or 'see the lines'}")
                lines.append(f"    {panel['x'].rjust(width)} {''.join(f'{x:>11g}' for x in xs)}")
                for name, points in panel["series"].items():
                    lines.append(f"    {name.rjust(width)} {''.join(_shown(point).rjust(11) for point in points)}")
        return "\n".join(lines)


def _shown(point: Mapping[str, Any]) -> str:
    spread = f"({round(1000 * point['standard_error'])})" if "standard_error" in point else ""
    return f"{point['mean']:.3f}{spread}"


def _accuracy(walk: Walk, removals: int) -> float:
    return walk.accuracies[removals]


def _error(walk: Walk, removals: int) -> float:
    return walk.problem.source.bayes_error(walk.useful_left(removals))


def _ideal(walk: Walk, removals: int) -> float:
    return 1 - _error(walk, removals)


def _is_kept(walk: Walk, delta: float) -> float:
    """Return 1 if the features that ER leaves have an error within delta of the least, as it promises, else 0."""
    return float(_error(walk, Rule("ER", delta).removed(walk.scores)) <= _error(walk, 0) + delta)


def _others_left(walk: Walk, removals: int) -> float:
    others = walk.problem.source.features - walk.problem.source.useful
    return (len(walk.scores) - removals - walk.useful_left(removals)) / others


def _point(x: float, values: Sequence[float]) -> Document:
    """Return a mean, with its standard error where there are two values or more."""
    found = {"x": x, "mean": round(statistics.fmean(values), 4)}
    if len(values) > 1:
        found["standard_error"] = round(statistics.stdev(values) / math.sqrt(len(values)), 4)
    return found


def _panel(title: str, x: str, y: str, series: Mapping[str, list[Document]]) -> Document:
    return {"title": title, "x": x, "y": y, "series": dict(series)}


def _bound_series(walks: Sequence[Walk], backward: bool) -> dict[str, list[Document]]:
    """Return the error after each step, and its bounds by the true information and by the estimates."""
    n = walks[0].problem.source.features
    rows: dict[str, list[list[float]]] = {"error": [], "sharp bound": [], "bound": [], "bound as estimated": []}
    for walk in walks:
        problem = walk.problem.source
        flags, scores = (walk.removed, walk.scores) if backward else (walk.added, walk.gains)
        least, whole = problem.bayes_error(problem.useful), problem.information(problem.useful)
        sums = list(itertools.accumulate((max(score, 0.0) for score in scores), initial=0.0))
        moved = list(itertools.accumulate(map(int, flags), initial=0))
        for row in rows.values():
            row.append([])
        for moves in range(n + 1):
            chosen = problem.useful - moved[moves] if backward else moved[moves]
            lost = max(whole - problem.information(chosen), 0.0)
            guessed = sums[moves] if backward else sums[-1] - sums[moves]
            bounds = (least + math.sqrt(lost / 2), least + math.sqrt(2 * lost), least + math.sqrt(2 * guessed))
            for row, value in zip(rows.values(), (problem.bayes_error(chosen), *bounds), strict=True):
                row[-1].append(value)
    sizes = [n - moves if backward else moves for moves in range(n + 1)]
    return {
        name: [_point(size, [statistics.fmean(row[i] for row in found)]) for i, size in enumerate(sizes)]
        for name, found in rows.items()
    }


def _exact_panels() -> Iterable[Document]:
    """Yield the exact risks and bounds along the walks on some finite distributions."""
    bits = tail_of_bits(8, 5, 3)
    corral, titanic = gallery.load("corral"), gallery.load("titanic")
    every = FeatureCountRule(0)
    yield _exact_panel("8 bits, class 1: over 3 ones in 5 of them; elimination", cmi_elimination(bits, every))
    yield _exact_panel("the same; selection", cmi_selection(bits, FeatureCountRule(8)))
    yield _exact_panel("corral; elimination", cmi_elimination(corral, every))
    yield _exact_panel("titanic; elimination", cmi_elimination(titanic, every))


def _exact_panel(title: str, walk: CMISelection) -> Document:
    start = 0 if walk.direction == "forward" else len(walk.trace)
    series: dict[str, list[Document]] = {"error": [], "sharp bound": [], "bound": []}
    first = walk.trace[0]
    lost = walk.information if walk.direction == "forward" else walk.information - walk.information
    model = walk.model
    begun = model.error_at(0 if walk.direction == "forward" else 2 ** len(first.values) - 1)
    states = [(begun, model.bound(lost, sharp=True), model.bound(lost))]
    states += [(step.error, step.sharp_bound, step.bound) for step in walk.trace]
    for i, (error, sharp, printed) in enumerate(states):
        x = start + i if walk.direction == "forward" else start - i
        series["error"].append({"x": x, "mean": float(error), "exact": str(error)})
        series["sharp bound"].append({"x": x, "mean": round(float(sharp), 6), "known": True})
        series["bound"].append({"x": x, "mean": round(float(printed), 6), "known": True})
    return _panel(title, "features selected", "", series)


def draw_beraha_figure(document: Mapping[str, Any], figure: int) -> PlotFigure:
    """Draw a figure from the numbers that `BerahaExperiment.write` keeps in beraha-2019.json.

    Parameters
    ----------
    document : dict
        What `BerahaExperiment.document` returns, or the JSON that was made of it.
    figure : int
        1 to 3 as in the paper; 4 the bound and the error along the walks; 5 the same exactly, on finite distributions;
        6 how far the estimates of information are from it.

    Examples
    --------
    >>> from fstheory.papers.experiments import draw_beraha_figure
    >>> series = {"accuracy possible": [{"x": 0.05, "mean": 0.88}, {"x": 0.1, "mean": 0.87}]}
    >>> panels = [{"title": "sum", "x": "delta", "y": "", "series": series}]
    >>> draw_beraha_figure({"figures": [{"figure": 2, "panels": panels}]}, 2)
    <PlotFigure: Figure 2 of Beraha et al., obtained: the threshold>
    """
    import_optional("matplotlib", "viz", "drawing a figure")
    from matplotlib.figure import Figure

    panels = {entry["figure"]: entry["panels"] for entry in document["figures"]}.get(figure)
    if panels is None or figure not in TITLES:
        raise UnknownNameError(explain("figure", f"one of {', '.join(map(str, TITLES))}", figure, "correct it"))
    columns = min(2, len(panels))
    rows = math.ceil(len(panels) / columns)
    drawn = Figure(figsize=(5.2 * columns, 3.3 * rows + 1.2), layout="constrained")
    grid = drawn.subplots(rows, columns, squeeze=False)
    for axes, panel in zip(grid.flat, panels, strict=True):
        _draw_panel(axes, panel)
    handles = {label: line for axes in grid.flat for line, label in zip(*axes.get_legend_handles_labels(), strict=True)}
    drawn.legend(handles.values(), handles.keys(), loc="outside lower center", ncols=3, fontsize=8.5, frameon=False)
    return PlotFigure(drawn, TITLES[figure], f"{TITLES[figure]}: {', '.join(handles)}")


_COLORS = ("#5f5f5f", "#0072B2", "#56B4E9", "#D55E00", "#E69F00", "#009E73", "#8a6d00", "#CC79A7", "#1a1a1a")
_SHAPES = "osD^vPX*d"


def _draw_panel(axes: Axes, panel: Mapping[str, Any]) -> None:
    """Draw the series of a panel, with bars of one standard error."""
    for i, (name, points) in enumerate(panel["series"].items()):
        bars = [point["standard_error"] for point in points] if "standard_error" in points[0] else None
        drawn = {"color": _COLORS[i % len(_COLORS)], "marker": _SHAPES[i % len(_SHAPES)], "label": name}
        dense = len(points) > 12
        axes.errorbar(
            [point["x"] for point in points], [point["mean"] for point in points], yerr=bars, capsize=2,
            linewidth=1.3, markersize=0 if dense else 4, linestyle="--" if "known" in points[0] else "-", **drawn,
        )  # fmt: skip
    if all(isinstance(point["x"], int) for points in panel["series"].values() for point in points):
        axes.locator_params(axis="x", integer=True)
    axes.set_title(panel["title"], fontsize=9.5)
    axes.set_xlabel(panel["x"], fontsize=9)
    axes.set_ylabel(panel["y"], fontsize=9)
    axes.grid(visible=True, color="#e4e4e4", linewidth=0.5)
    axes.spines[["top", "right"]].set_visible(False)
    axes.tick_params(labelsize=8)


def beraha_experiment(
    *,
    settings: BerahaSettings | None = None,
    workers: int = 1,
    resume: str | os.PathLike[str] | None = None,
    progress: Progress = None,
) -> BerahaExperiment:
    """Run the synthetic experiments of Beraha et al., and set beside the estimates what is true.

    Parameters
    ----------
    settings : BerahaSettings, optional
        The full ones if not given, which take an hour; `BerahaSettings.quick()` take less than two minutes.
    workers : int
        Threads; the result does not depend on their number.
    resume : str or path-like, optional
        A file that keeps the progress; if it exists, the experiment goes on from it. An interrupt loses one problem for
        each worker. More problems than before may be asked for.
    progress : bool or callable, optional
        True shows how far it is, on a terminal or in a notebook; a function is called with each line of that.

    Returns
    -------
    BerahaExperiment

    Notes
    -----
    Problems are those of `TailProblem`. All features are removed one by one by the estimates of
    `estimated_information`; each stopping rule is then a place on that walk, where the accuracy of a support vector
    machine (scikit-learn's, with its defaults) is measured on points drawn anew. Beside it stands the Bayes error of
    the features left, in closed form or by quadrature. Scores below 0 count as 0 in the sums of ER. On finite
    distributions risks and bounds are exact.

    References
    ----------
    Beraha et al. (2019), Section VI-A.

    Examples
    --------
    >>> from fstheory.papers.experiments import BerahaSettings, beraha_experiment
    >>> few = {"useful": (3,), "features": 11, "samples": 20, "trials": 1, "problems": 2, "few_features": 3}
    >>> fewer = {"sizes": (20,), "fractions": (0.1,), "size_trials": 1, "distributions": 50, "test_points": 10}
    >>> found = beraha_experiment(settings=BerahaSettings(regions=("sum",), **few, **fewer))
    >>> print(str(found).splitlines()[0])
    Beraha et al. (2019), 4 problems; means (standard errors in the last digits)
    """
    chosen = settings if settings is not None else BerahaSettings()
    if not isinstance(chosen, BerahaSettings):
        raise InvalidTypeError(explain("settings", "BerahaSettings", settings, "pass BerahaSettings.quick(), say"))
    threads = as_index(workers, "workers", at_least=1)
    import_optional("sklearn", "learn", "the experiments of Beraha et al.")
    options = {"experiment": "beraha-2019", "seed": chosen.seed, "test_points": chosen.test_points}
    drawn = list(problems(chosen))
    checks = list(check_steps(chosen))
    steps = [*checks, *(step_of(problem, chosen) for problem in drawn)]
    with ExperimentJournal(resume, options, seconds=2.0) as journal:
        run_steps(steps, journal, threads, progress)
        walks = tuple(read_walk(problem, journal.get(problem.name)) for problem in drawn)
        found = {step.name: journal.get(step.name) for step in checks}
    return BerahaExperiment(chosen, walks, found)
