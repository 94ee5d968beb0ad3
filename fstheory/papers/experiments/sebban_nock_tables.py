"""Tables 1 to 3 of Sebban and Nock as an experiment: ten neighbors with features selected in the folds, and before."""

from __future__ import annotations

import dataclasses
import itertools
import json
import os
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from fstheory._support.exact import as_index
from fstheory._support.progress import Progress
from fstheory._support.result import Result
from fstheory.errors import InvalidTypeError, explain, import_optional, require_choice
from fstheory.lattice.draw import FAINT, FONT, INK, SERIES_COLORS, SERIES_SHAPES, PlotFigure
from fstheory.papers.experiments.gaussian import Floats
from fstheory.papers.experiments.sebban_nock_data import PRINTED, SOURCES
from fstheory.papers.experiments.sebban_nock_walks import (
    FOLDS,
    METHODS,
    NOISE_FEATURES,
    NOISE_POINTS,
    draw_step,
    noise_step,
)
from fstheory.papers.experiments.steps import ExperimentJournal, MeanError, Step, run_steps, write_experiment

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["SebbanNockExperiment", "SebbanNockSettings", "draw_sebban_nock", "sebban_nock_experiment"]

_SHOWN: dict[str, tuple[tuple[str, str], ...]] = {
    "table-1": (("all", "mst_all"), ("MST printed", "mst_selected"), ("MST moments", "")),
    "table-2": (("all", "all_features"), ("1-NN printed", "selected"), ("accuracy", "accuracy"), ("1-NN moments", "")),
    "table-3": (("1-NN printed", "selected"), ("Z", "by_z")),
}
"""The methods of each table, and what they are in `Printed`."""
_COUNTS = ("rejected at the end", "rejected at the first", "rejected at the first, 5% by p")
_PICTURES = (*_SHOWN, "optimism", "noise")
_LEAST_POINTS = 20  # in a fifth less of three classes there are two, and ten neighbors


@dataclass(frozen=True, kw_only=True, repr=False)
class SebbanNockSettings(Result):
    """What the experiment of Sebban and Nock is run with.

    Parameters
    ----------
    data : tuple of str
        Some of 'Hard', 'LED', 'LED24', 'Monks 1', 'Synt1', 'Synt2', 'Synt3', 'Waves', 'Xd6', which are drawn; 'Iris',
        'Wine', 'Breast Cancer', 'Digits', which come with scikit-learn; 'Five', five classes that one feature tells
        apart, and 'Noise'.
    most_points : int, optional
        Of each data set; at least 20. As many as the paper has if not given.
    draws : int
        How often each data set and its folds are drawn, but for 'Noise'; at least 2.
    noise_draws : int
        How often 'Noise' is drawn, and the noise of which it is counted what the walks on trees take; at least 2.
    seed : int

    Examples
    --------
    >>> from fstheory.papers.experiments import SebbanNockSettings
    >>> SebbanNockSettings().draws, SebbanNockSettings.quick().most_points
    (3, 80)
    """

    data: tuple[str, ...] = tuple(SOURCES)
    most_points: int | None = None
    draws: int = 3
    noise_draws: int = 50
    seed: int = 2002

    def __post_init__(self) -> None:
        if isinstance(self.data, str) or not isinstance(self.data, Sequence):
            raise InvalidTypeError(explain("data", "names of data sets", self.data, "pass ('Hard', 'LED'), say"))
        for name in self.data:
            require_choice(name, "data", list(SOURCES))
        object.__setattr__(self, "data", tuple(dict.fromkeys(self.data)))
        if self.most_points is not None:
            as_index(self.most_points, "most_points", at_least=_LEAST_POINTS)
        as_index(self.draws, "draws", at_least=2)
        as_index(self.noise_draws, "noise_draws", at_least=2)
        as_index(self.seed, "seed")

    @classmethod
    def quick(cls) -> SebbanNockSettings:
        """Return settings for less than two minutes of one core: at most 80 points, two drawings."""
        return cls(most_points=80, draws=2, noise_draws=20)

    def points(self, data: str) -> int:
        """Return how many points of a data set are drawn."""
        return min(SOURCES[data].points, self.most_points or SOURCES[data].points)

    def _steps(self, data: str) -> list[Step]:
        draws = self.noise_draws if data == "Noise" else self.draws
        return [draw_step(data, self.points(data), self.seed, number) for number in range(draws)]

    def _noise_steps(self) -> list[Step]:
        return [noise_step(self.seed, number) for number in range(self.noise_draws)]


@dataclass(frozen=True, repr=False)
class SebbanNockExperiment(Result):
    """What came out of the experiment of Sebban and Nock: accuracies in percent, means with standard errors.

    Methods are 'all', 'MST printed', 'MST moments', '1-NN printed', '1-NN moments', 'accuracy' and 'Z'.

    Attributes
    ----------
    settings : SebbanNockSettings

    Examples
    --------
    >>> from fstheory.papers.experiments import SebbanNockSettings, sebban_nock_experiment
    >>> small = SebbanNockSettings(data=("Five",), most_points=40, draws=2, noise_draws=2)
    >>> found = sebban_nock_experiment(settings=small)
    >>> found.accuracy("Five", "MST printed").mean > found.accuracy("Five", "all").mean
    True
    >>> found.sizes("Five", "MST printed")
    (1, 1)
    """

    settings: SebbanNockSettings
    _rows: Mapping[str, Sequence[Sequence[Sequence[int]]]]
    _noise: Sequence[Sequence[Sequence[int]]]

    def _column(self, data: str, method: str, place: int) -> Floats:
        require_choice(data, "data", list(self._rows))
        require_choice(method, "method", list(METHODS))
        right = [rows[METHODS.index(method)][place] for rows in self._rows[data]]
        return 100 * np.array(right, dtype=float) / self.settings.points(data)

    def accuracy(self, data: str, method: str, *, inside: bool = True) -> MeanError:
        """Return the percentage right in cross-validation, features selected inside the folds or before, as printed."""
        return MeanError.of(self._column(data, method, 0 if inside else 1))

    def optimism(self, data: str, method: str) -> MeanError:
        """Return by how much selecting before the folds exceeds selecting inside them, on the same folds."""
        return MeanError.of(self._column(data, method, 1) - self._column(data, method, 0))

    def gain(self, data: str, method: str) -> MeanError:
        """Return by how much selecting inside the folds exceeds all features, on the same folds."""
        return MeanError.of(self._column(data, method, 0) - self._column(data, "all", 0))

    def features(self, data: str, method: str) -> tuple[tuple[str, ...], ...]:
        """Return the features selected on all points of each drawing."""
        self._column(data, method, 2)
        masks = [rows[METHODS.index(method)][2] for rows in self._rows[data]]
        return tuple(tuple(f"X{i + 1}" for i in range(mask.bit_length()) if mask >> i & 1) for mask in masks)

    def sizes(self, data: str, method: str) -> tuple[int, ...]:
        """Return how many features were selected on all points of each drawing."""
        return tuple(map(len, self.features(data, method)))

    def noise(self) -> dict[str, dict[str, Any]]:
        """Return what the walks on trees took of noise: 100 points, 10 normal features, 50 points of each class.

        For the printed test and the one with the right moments: how often how many features; the same if the first is
        only taken where the normal test rejects at 5% by the number of features; how often it rejects at 5% at the end
        of the walk, at its first feature, and there at 5% by the number of features.
        """
        found = {}
        for place, kind in enumerate(("MST printed", "MST moments")):
            table = [rows[place] for rows in self._noise]
            counts = dict(zip(_COUNTS, (sum(row[i] for row in table) for i in (1, 2, 3)), strict=True))
            stopped = _histogram(row[0] if row[3] else 0 for row in table)
            sizes = {"sizes": _histogram(row[0] for row in table), "sizes with stop": stopped}
            found[kind] = {"drawings": len(table), **sizes, **counts}
        return found

    def document(self) -> dict[str, Any]:
        """Return all numbers for JSON: means as [mean, standard error]."""
        note = (
            f"Accuracies of ten neighbors in {FOLDS} folds, in percent: [mean, standard error] over drawings. "
            "'before': features selected on all points; 'inside': in each fold; 'optimism': 'before' less 'inside'; "
            "'gain': 'inside' less all features. 'sizes': features selected before, by drawing."
        )
        settings = dataclasses.asdict(self.settings)
        data = [self._data_document(name) for name in self._rows]
        head = {"schema": "fstheory/sebban-nock-2002", "version": 1, "note": note, "settings": settings}
        return {**head, "data": data, "noise": self.noise()}

    def _data_document(self, name: str) -> dict[str, Any]:
        methods = {}
        for method in METHODS:
            means = {
                "before": self.accuracy(name, method, inside=False),
                "inside": self.accuracy(name, method),
                "optimism": self.optimism(name, method),
                "gain": self.gain(name, method),
            }
            methods[method] = {key: [round(e.mean, 2), round(e.standard_error, 2)] for key, e in means.items()}
            methods[method]["sizes"] = list(self.sizes(name, method))
        source, printed = SOURCES[name], PRINTED[name]._asdict() if name in PRINTED else {}
        head = {"name": name, "points": self.settings.points(name), "features": source.features, "about": source.about}
        return {**head, "printed": {k: v for k, v in printed.items() if v is not None}, "methods": methods}

    def plot(self, picture: str) -> PlotFigure:
        """Draw one of 'table-1', 'table-2', 'table-3', 'optimism', 'noise'."""
        return draw_sebban_nock(self.document(), picture)

    def write(self, folder: str | os.PathLike[str]) -> list[Path]:
        """Write the numbers as sebban-nock-2002.json, and each picture as PNG and SVG; return the paths."""
        document = self.document()
        text = re.sub(r"\[[^\[\]{}]*\]", lambda row: " ".join(row[0].split()), json.dumps(document, indent=1))
        return write_experiment(
            folder, "sebban-nock-2002", text, ((name, draw_sebban_nock(document, name)) for name in _PICTURES)
        )

    def __str__(self) -> str:
        drawings = f"{self.settings.draws} drawings, of noise {self.settings.noise_draws}"
        lines = [f"Sebban and Nock (2002), {drawings}: percent right by ten neighbors"]
        for inside in (False, True):
            where = "inside the folds" if inside else "before the folds, as printed"
            lines += ["", f"features selected {where} (standard error in tenths)"]
            lines.append(f"  {'':>13} {'points':>6}{''.join(f'{method:>14}' for method in METHODS)}")
            for name in self._rows:
                found = (self.accuracy(name, method, inside=inside) for method in METHODS)
                cells = "".join(f"{e.mean:.1f}({10 * e.standard_error:.0f})".rjust(14) for e in found)
                lines.append(f"  {name:>13} {self.settings.points(name):>6}{cells}")
        lines += ["", f"features taken of noise, {NOISE_POINTS} points, {NOISE_FEATURES} features"]
        for kind, counts in self.noise().items():
            sizes = ", ".join(f"{size}: {times}" for size, times in counts["sizes"].items())
            rest = ", ".join(f"{counts[key]} {key}" for key in _COUNTS)
            lines.append(f"  {kind}: {sizes}; of {counts['drawings']}: {rest}")
        return "\n".join(lines)


def sebban_nock_experiment(
    *,
    settings: SebbanNockSettings | None = None,
    workers: int = 1,
    resume: str | os.PathLike[str] | None = None,
    progress: Progress = None,
) -> SebbanNockExperiment:
    """Run the experiments of Sebban and Nock on data that can be drawn again, and those that their tables leave out.

    Parameters
    ----------
    settings : SebbanNockSettings, optional
        The full ones if not given, some quarter of an hour; `SebbanNockSettings.quick()` take less than two minutes.
    workers : int
        Threads; the result does not depend on their number.
    resume : str or path-like, optional
        A file that keeps the progress; if it exists, the experiment goes on from it. An interrupt loses at most one
        drawing for each worker. More drawings and other data than before may be asked for.
    progress : bool or callable, optional
        True shows how far it is, on a terminal or in a notebook; a function is called with each line of that.

    Returns
    -------
    SebbanNockExperiment

    Notes
    -----
    The walk is `select_by_certainty_gain` with ties='first', for the accuracy of the nearest neighbor (of each point
    among the others) and Schapire and Singer's Z with these in the place of z: it goes on while a feature makes it
    strictly better. Numbers differ by their difference in four standard deviations, categories by 1, so that no
    distance depends on classes. All methods see the same drawings and the same folds.

    References
    ----------
    Sebban and Nock (2002), Sections 4, 6 and 7.

    Examples
    --------
    >>> from fstheory.papers.experiments import SebbanNockSettings, sebban_nock_experiment
    >>> small = SebbanNockSettings(data=("Five",), most_points=30, draws=2, noise_draws=4)
    >>> counts = sebban_nock_experiment(settings=small).noise()["MST printed"]
    >>> counts["drawings"], min(counts["sizes"])  # it always takes one
    (4, 1)
    """
    chosen = settings if settings is not None else SebbanNockSettings()
    if not isinstance(chosen, SebbanNockSettings):
        raise InvalidTypeError(explain("settings", "SebbanNockSettings", settings, "pass SebbanNockSettings.quick()"))
    threads = as_index(workers, "workers", at_least=1)
    by_data = {name: chosen._steps(name) for name in chosen.data}
    noise = chosen._noise_steps()
    rounds = itertools.zip_longest(
        *by_data.values()
    )  # first all data once: so a run that is broken off has some of each
    drawings = [step for drawing in rounds for step in drawing if step is not None]
    with ExperimentJournal(resume, {"seed": chosen.seed}, seconds=2.0) as journal:
        run_steps([*noise, *drawings], journal, threads, progress)
        rows = {name: [_read(journal.get(step.name)) for step in steps] for name, steps in by_data.items()}
        counted = [_read(journal.get(step.name)) for step in noise]
    return SebbanNockExperiment(chosen, rows, counted)


def _histogram(sizes: Iterable[int]) -> dict[int, int]:
    return dict(sorted(Counter(sizes).items()))


def _read(rows: Sequence[Sequence[str]]) -> list[list[int]]:
    return [[int(text) for text in row] for row in rows]


def draw_sebban_nock(document: Mapping[str, Any], picture: str) -> PlotFigure:
    """Draw a picture from the numbers that `SebbanNockExperiment.write` keeps in sebban-nock-2002.json.

    Parameters
    ----------
    document : dict
        What `SebbanNockExperiment.document` returns, or the JSON that was made of it.
    picture : {'table-1', 'table-2', 'table-3', 'optimism', 'noise'}
        The accuracies of a table, printed and obtained; by how much features selected before the folds look better
        than those selected inside; how many features of noise are taken.

    Raises
    ------
    InvalidValueError
        There is no such picture.

    Examples
    --------
    >>> from fstheory.papers.experiments import SebbanNockSettings, draw_sebban_nock, sebban_nock_experiment
    >>> small = SebbanNockSettings(data=("Five",), most_points=30, draws=2, noise_draws=2)
    >>> draw_sebban_nock(sebban_nock_experiment(settings=small).document(), "noise")
    <PlotFigure: Features taken of noise>
    """
    require_choice(picture, "picture", list(_PICTURES))
    import_optional("matplotlib", "viz", "drawing a picture")
    import matplotlib as mpl
    from matplotlib.figure import Figure

    count = len(document["data"])
    with mpl.rc_context({"font.family": FONT, "font.size": 9}):
        wide = picture == "noise"
        drawn = Figure(figsize=(6, 3) if wide else (7.6, 1.4 + 0.42 * count), layout="constrained")
        axes = drawn.subplots()
        if wide:
            title = "Features taken of noise"
            _draw_noise(axes, document["noise"])
        elif picture == "optimism":
            title = "Features selected before the folds less features selected inside"
            methods = [method for method in METHODS if method != "all"]
            _draw_rows(axes, document, [(m, m, "optimism", "") for m in methods])
            axes.axvline(0, color=INK, linewidth=0.8)
            axes.set_xlabel("percent right, difference; bars: 1 standard error")
        else:
            title = f"T{picture[1:].replace('-', ' ')} of Sebban and Nock, obtained and printed"
            _draw_rows(axes, document, [(m, m, "before", printed) for m, printed in _SHOWN[picture]])
            axes.set_xlabel("percent right; full: obtained, bars: 1 standard error; open: printed")
        axes.spines[["top", "right"]].set_visible(False)
        if not wide:
            drawn.legend(loc="outside lower center", ncols=4, frameon=False)
        drawn.suptitle(title, fontsize=10.5)
    return PlotFigure(drawn, title, f"{title}: {', '.join(entry['name'] for entry in document['data'])}")


def _draw_rows(axes: Axes, document: Mapping[str, Any], series: Sequence[tuple[str, str, str, str]]) -> None:
    """Draw a row for each data set: what was obtained by each method, and what is printed."""
    entries = document["data"]
    for place, (label, method, key, printed) in enumerate(series):
        color, shape = SERIES_COLORS[place % len(SERIES_COLORS)], SERIES_SHAPES[place % len(SERIES_SHAPES)]
        rows = np.arange(len(entries)) + (place - (len(series) - 1) / 2) * 0.7 / len(series)
        means, errors = zip(*(entry["methods"][method][key] for entry in entries), strict=True)
        axes.errorbar(means, rows, xerr=errors, fmt=shape, color=color, markersize=4.5, capsize=1.5, elinewidth=0.9,
                      label=label)  # fmt: skip
        known = [(e["printed"][printed], y) for e, y in zip(entries, rows, strict=True) if printed in e["printed"]]
        if known:
            axes.plot(*zip(*known, strict=True), shape, color=color, markerfacecolor="white", markersize=5.5)
    axes.set_yticks(range(len(entries)), [f"{e['name']}, {e['points']} by {e['features']}" for e in entries])
    axes.set_ylim(len(entries) - 0.5, -0.5)
    for row in range(1, len(entries)):
        axes.axhline(row - 0.5, color="#e4e4e4", linewidth=0.6)
    axes.grid(visible=True, axis="x", color="#e4e4e4", linewidth=0.6)
    axes.set_axisbelow(True)


def _draw_noise(axes: Axes, noise: Mapping[str, Any]) -> None:
    """Draw how often how many features were taken."""
    moments = noise["MST moments"]
    bars = {
        "printed": noise["MST printed"]["sizes"],
        "right moments": moments["sizes"],
        "right moments, none unless p < 0.05 / 10": moments["sizes with stop"],
    }
    for place, (label, sizes) in enumerate(bars.items()):
        xs = [int(size) + (place - 1) * 0.27 for size in sizes]
        axes.bar(xs, list(sizes.values()), 0.25, color=SERIES_COLORS[place], label=label)
    axes.set_xlabel(f"features taken of {NOISE_FEATURES}, none of which matters")
    axes.set_ylabel(f"drawings, of {moments['drawings']}", color=FAINT)
    axes.legend(frameon=False, fontsize=8)
