"""The parts that all experiments share: they check settings, run, resume, print, draw and write.

An experiment consists of steps. A step returns JSON data, which the journal keeps. The result is a document of figures.
A figure has panels, a panel has series, and a series has points such as ``{"x": 3, "mean": 0.25}``. A point may also
have "standard_error", or "low" and "high" of a 95% interval. If it is exact, it has "exact": a text "p/q" or a sum of
logarithms, or "" if this sum is long. If a formula gives it, it has "known". The number of the paper is "printed".
"""

from __future__ import annotations

import dataclasses
import functools
import itertools
import json
import math
import os
import re
import statistics
import textwrap
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Generic, NamedTuple, Self, TypeAlias, TypeVar

import numpy as np

from fstheory._support.exact import as_index
from fstheory._support.files import write_atomically
from fstheory._support.journal import Journal, Resume
from fstheory._support.progress import Clock, Progress
from fstheory._support.result import Result, columns, frame_of
from fstheory._support.work import Crew, Workers
from fstheory.errors import InvalidTypeError, explain, import_optional, require, require_choice, require_type, unknown
from fstheory.lattice.figure import PlotFigure, Size, Width
from fstheory.lattice.series import Panel, Point, Series, draw_curves
from fstheory.numbers.logsum import LogSum

if TYPE_CHECKING:
    import pandas as pd

Document: TypeAlias = dict[str, Any]
Figure: TypeAlias = int | str
S = TypeVar("S", bound="Settings")
F = TypeVar("F", int, str)
T = TypeVar("T")


# -- what goes in


@dataclasses.dataclass(frozen=True, kw_only=True, repr=False)
class Settings(Result):
    """The base class of the settings of an experiment. Each field checks its value when the settings are made."""

    _quick: ClassVar[Mapping[str, Any]]
    seed: int

    def __post_init__(self) -> None:
        for field in dataclasses.fields(self):
            field.metadata["check"](getattr(self, field.name), field.name)

    def rng(self, *key: int) -> np.random.Generator:
        """Return the random generator for one part of the experiment. Each part has a key of its own."""
        return np.random.default_rng(np.random.SeedSequence(self.seed, spawn_key=key))

    @classmethod
    def quick(cls) -> Self:
        """Return settings with which the experiment takes less than two minutes."""
        return cls(**cls._quick)


def checked(default: Any, check: Callable[[Any, str], object]) -> Any:
    """Return a field of settings. `check` is called with a value and the name of the field, to refuse wrong values."""
    return dataclasses.field(default=default, metadata={"check": check})


def whole(default: int, least: int = 0, most: int | None = None, step: int = 1) -> Any:
    """Return a field for an integer from `least` to `most` that is a multiple of `step`."""

    def check(value: Any, name: str) -> None:
        as_index(value, name, at_least=least, at_most=most)
        require(value % step == 0, name, f"a multiple of {step}", value, "round it")

    return checked(default, check)


def one_of(default: str, *choices: str) -> Any:
    """Return a field for one of the texts in `choices`."""
    return checked(default, lambda value, name: require_choice(value, name, choices))


def some(default: tuple[Any, ...], each: Any, least: int = 1) -> Any:
    """Return a field for a tuple of at least `least` values. The field `each` checks every value."""

    def check(values: Any, name: str) -> None:
        if not isinstance(values, list | tuple) or len(values) < least:
            raise InvalidTypeError(explain(name, "a tuple of at least one", values, f"pass {default!r}, say"))
        for value in values:
            each.metadata["check"](value, name)

    return checked(default, check)


def reals(default: tuple[float, ...]) -> Any:
    """Return a field for a tuple of finite numbers above 0."""

    def check(value: Any, name: str) -> None:
        require_type(value, (int, float), name, "a number", "pass 1.0, say")
        require(0 < value < math.inf, name, "above 0", value, "drop it")

    return some(default, checked(None, check))


# -- what comes out


def mean(x: Any, values: Sequence[float]) -> Document:
    """Return the point of a mean over trials. If there are at least two values, it has a standard error."""
    found: Document = {"x": x, "mean": round(statistics.fmean(values), 6)}
    if len(values) > 1:
        found["standard_error"] = round(statistics.stdev(values) / math.sqrt(len(values)), 6)
    return found


def scipy(part: str = "special") -> Any:
    """Return a module of SciPy. If SciPy is missing, the error names the extra that installs it."""
    return import_optional(f"scipy.{part}", "stats", "this experiment")


def means(trials: Mapping[Any, Iterable[T]], value: Callable[[T], float]) -> list[Document]:
    """Return a point for each x: the mean of `value` over the trials at this x."""
    return [mean(x, list(map(value, some))) for x, some in trials.items()]


def exact(x: Any, value: Fraction | LogSum) -> Document:
    """Return the point of an exact number. The text of a long sum of logarithms is left out."""
    text = str(value).partition("≈")[0].strip()
    is_written = isinstance(value, Fraction) or len(text) <= 60
    return {"x": x, "mean": round(float(value), 6), "exact": text if is_written else ""}


def known(x: Any, value: float) -> Document:
    """Return the point of a number that a formula gives."""
    return {"x": x, "mean": round(value, 6), "known": True}


def panel(title: str, x: str, y: str, series: Mapping[str, Iterable[Document]], **drawn: Any) -> Document:
    """Return a panel.

    `drawn` says how the panel is drawn: in which `row`, from `zero` on or not, with `bars` for counts or not, and with
    which `ticks`, the labels of the xs. A panel without a row is printed and not drawn.
    """
    return {"title": title, "x": x, "y": y, **drawn, "series": {name: list(points) for name, points in series.items()}}


@dataclasses.dataclass(frozen=True, repr=False)
class Experiment(Result):
    """The result of an experiment: means over trials with their standard errors, beside exact numbers.

    Parameters
    ----------
    document : dict
        All settings, figures, panels, series and points: the JSON that `save` writes.

    Examples
    --------
    >>> from fstheory.papers import experiments
    >>> small = experiments.NgSettings(trials=20, width=5, features=(1,), bits_features=(2,), bits_all_samples=(10, 10))
    >>> found = experiments.run_experiment("ng-1998", [1], settings=small)
    >>> found.point(1, "bits", "ORDERED-FS 3/10", 2)["exact"].count("/")
    1
    """

    document: Document

    def to_dict(self) -> Document:
        """Return the document."""
        return self.document

    def panel(self, figure: Figure, panel: str) -> Document:
        """Return the panel of a figure with this title, or else the first panel whose title begins like this."""
        panels = {part["title"]: part for part in self._figure(figure)["panels"]}
        begun = [title for title in panels if title.startswith(panel)]
        found: Document = _pick(panels, begun[0] if begun and panel not in begun else panel, "panel")
        return found

    def point(self, figure: Figure, panel: str, series: str, x: Any) -> Document:
        """Return a point of a series in a panel."""
        points = _pick(self.panel(figure, panel)["series"], series, "series")
        return dict(_pick({point["x"]: point for point in points}, x, "x"))

    def table(self, figure: Figure, panel: str) -> str:
        """Return a panel as text: means (standard errors in the last digits), = exact numbers, [printed numbers]."""
        return _table(self.panel(figure, panel))

    def to_frame(self) -> pd.DataFrame:
        """Return a pandas DataFrame with a row for each point: its figure, panel, series, x and numbers."""
        rows = [
            {"figure": figure["figure"], "panel": part["title"], "series": name, **point}
            for figure in self.document["figures"]
            for part in figure["panels"]
            for name, points in part["series"].items()
            for point in points
        ]
        return frame_of(rows)

    def _figure(self, figure: Figure) -> Any:
        return _pick({entry["figure"]: entry for entry in self.document["figures"]}, figure, "figure")

    def __str__(self) -> str:
        lines = [f"{self.document['title']}; means (standard errors in the last digits), = exact"]
        for figure in self.document["figures"]:
            lines += ["", figure["title"]]
            for part in figure["panels"]:
                head = f"  {part['title']}; {part['y'] or 'see the lines'}"
                lines += ["", head, textwrap.indent(_table(part), "    ")]
        return "\n".join(lines)

    def plot(self, figure: Figure, *, figsize: Size | None = None, width: Width | None = None) -> PlotFigure:
        """Draw a figure. Its note says what full and open marks are.

        If a figure has exact points, they are full marks, and estimates are open. Numbers of the paper are open.
        """
        return draw(self._figure(figure), self.document.get("order", ())).sized(figsize, width)

    def save(self, folder: str | os.PathLike[str]) -> list[Path]:
        """Write the numbers as JSON, with a line for each point, and each figure as PNG and SVG. Return the paths."""
        where = Path(folder)
        where.mkdir(parents=True, exist_ok=True)
        text = json.dumps(self.document, indent=1)
        text = re.sub(r"[{\[][^{}\[\]]*[}\]]", lambda point: " ".join(point[0].split()), text)
        paths = [where / f"{self.document['schema'].removeprefix('fstheory/')}.json"]
        write_atomically(paths[0], text + "\n")
        for entry in self.document["figures"]:
            for suffix in ("png", "svg"):
                name = entry["figure"] if isinstance(entry["figure"], str) else f"figure-{entry['figure']}"
                paths.append(where / f"{name}.{suffix}")
                self.plot(entry["figure"]).save(paths[-1])
        return paths


def _pick(known: Mapping[Any, Any], key: object, argument: str) -> Any:
    if key not in known:
        raise unknown(argument, key, known)
    return known[key]


def _table(part: Mapping[str, Any]) -> str:
    """Return a panel as text, with a row for each series. If the xs are names, it has a row for each x.

    If a number is below 0, all numbers have a sign.
    """
    xs = list(dict.fromkeys(point["x"] for point in _points(part)))
    if not (named := any(isinstance(x, str) for x in xs)):
        xs.sort()
    means = [point["mean"] for point in _points(part)]
    form = ("+" if min(means, default=0) < 0 else "") + (".3f" if all(abs(mean) < 2 for mean in means) else ".1f")
    cells = {(name, p["x"]): _shown(p, form) for name, points in part["series"].items() for p in points}
    rows = [[part["x"], *map(str, xs)], *([name, *(cells.get((name, x), "") for x in xs)] for name in part["series"])]
    if named:
        rows = list(map(list, zip(*rows, strict=True)))
    return "\n".join(columns(rows, numbers=range(len(rows[0]))))


def _shown(point: Mapping[str, Any], form: str) -> str:
    spread = f"({round(10 ** int(form[-2]) * point['standard_error'])})" if "standard_error" in point else ""
    printed = f" [{point['printed']}]" if "printed" in point else ""
    return f"{'= ' * ('exact' in point)}{point['mean']:{form}}{spread}{printed}"


def _points(part: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    return itertools.chain.from_iterable(part["series"].values())


# -- pictures


def draw(entry: Mapping[str, Any], order: Sequence[str] = ()) -> PlotFigure:
    """Draw a figure of a document. In a figure with exact points, estimated ones are open."""
    parts = [part for part in entry["panels"] if "row" in part]
    mixed = any("exact" in point for part in parts for point in _points(part))
    rows = [[_panel(part, mixed) for part in row] for _, row in itertools.groupby(parts, key=lambda part: part["row"])]
    return draw_curves(rows or [[]], title=entry["title"], order=order)


def _panel(part: Mapping[str, Any], mixed: bool) -> Panel:
    """Return a panel in the form that is drawn. Numbers of the paper are open marks of the same name without a line."""
    series = []
    for name, points in part["series"].items():
        drawn = [Point(p["x"], p["mean"], _interval(p), mixed and not p.keys() & {"exact", "known"}) for p in points]
        series.append(Series(name, drawn, ":" if all("known" in p for p in points) else ""))
        if printed := [Point(p["x"], p["printed"], is_open=True) for p in points if "printed" in p]:
            series.append(Series(name, printed, "none"))
    kinds = {"rows": part.get("ticks", {}), "bars": part.get("bars", False), "from_zero": part.get("zero", False)}
    return Panel(part["x"], part["y"], series, part["title"], _note(part), **kinds)


def _interval(point: Mapping[str, Any]) -> tuple[float, float] | None:
    mean, spread = point["mean"], point.get("standard_error", 0)
    found = point.get("low", mean - spread), point.get("high", mean + spread)
    return None if found == (mean, mean) else found


def _note(part: Mapping[str, Any]) -> str:
    """Say how to read the marks and bars of a panel."""
    keys = set[str]().union(*_points(part))
    every = all(point.keys() & {"exact", "known"} for point in _points(part))
    notes = {
        "exact": "exact" if every else "full: exact; open: estimated",
        "printed": "full: obtained; open: printed",
        "low": "bars: 95% intervals",
        "standard_error": "bars: 1 standard error",
    }
    return "; ".join(text for key, text in notes.items() if key in keys)


# -- the run


class Step(NamedTuple):
    """A piece of the work: its name in the journal, and the function that does it and returns JSON data."""

    name: str
    find: Callable[[], Any]


Found: TypeAlias = Callable[[Step], Any]


class Plan(NamedTuple, Generic[S, F]):
    """An experiment: its settings, the steps that its figures need, and the panels that are made of these steps."""

    title: str
    figures: Mapping[F, str]
    settings: type[S]
    same: Sequence[str]  # a journal is continued only with the same values of these settings
    steps: Callable[[S, Sequence[F]], Iterable[Step]]
    panels: Callable[[S, F, Found], Iterable[Document]]
    needs: Callable[[S], Mapping[str, str]] = lambda _: {}  # the optional modules, each with the extra that installs it
    order: Sequence[str] = ()  # series in the order of their colors, before all others


PLANS: dict[str, Plan[Any, Any]] = {}
"""The experiments by their names, which are also the names of their JSON files. The package enters them here."""


def run_experiment(
    name: str,
    figures: Sequence[Figure] | None = None,
    *,
    settings: Settings | None = None,
    executor: Workers = None,
    resume: Resume = None,
    progress: Progress = None,
) -> Experiment:
    """Run an experiment of a paper again, and return estimates beside the exact numbers that they should be near.

    Parameters
    ----------
    name : {'ahmed-2015', 'beraha-2019', 'ng-1998', 'sebban-nock-2002'}
    figures : sequence, optional
        The figures to make, all if not given.
    settings : Settings, optional
        If not given, the full settings, which take up to 40 minutes on one core. Those of `quick()` take less than two.
    executor, resume, progress
        As in `fstheory.refute`. With the file of an earlier run the experiment continues, also with more trials.

    Examples
    --------
    >>> from fstheory.papers import experiments
    >>> small = experiments.NgSettings(trials=20, width=5, samples=(20, 60), all_features=4, bits_samples=(10, 20))
    >>> found = experiments.run_experiment("ng-1998", [3], settings=small)
    >>> more, fewer = (found.point(3, "Gaussians", "ORDERED-FS 3/10", m)["mean"] for m in (60, 20))
    >>> more < fewer
    True
    """
    require_choice(name, "name", list(PLANS))
    plan = PLANS[name]
    chosen = plan.settings() if settings is None else settings
    kind = plan.settings.__name__
    require_type(chosen, plan.settings, "settings", kind, f"pass {kind}.quick(), say")
    if isinstance(figures, str | int):
        raise InvalidTypeError(explain("figures", "a list", figures, f"pass [{figures!r}], say"))
    asked = list(plan.figures if figures is None else dict.fromkeys(figures))
    choices = f"some of {', '.join(map(str, plan.figures))}"
    require(asked and plan.figures.keys() >= set(asked), "figures", choices, figures, "drop the others")
    for module, extra in plan.needs(chosen).items():
        import_optional(module, extra, plan.title)
    options = {"experiment": name, **{key: str(getattr(chosen, key)) for key in plan.same}}
    with Journal(resume, "experiment", options) as journal:
        _run(plan.steps(chosen, asked), journal, executor, progress)
        texts = functools.cache(lambda step: json.loads(journal.get(step)))
        entries = [
            {"figure": n, "title": plan.figures[n], "panels": list(plan.panels(chosen, n, lambda s: texts(s.name)))}
            for n in asked
        ]
    head = {"schema": f"fstheory/{name}", "version": 2, "title": plan.title, "settings": dataclasses.asdict(chosen)}
    return Experiment({**head, "order": [*plan.order], "figures": entries})


def _run(steps: Iterable[Step], journal: Journal, executor: Workers, progress: Progress) -> None:
    """Do every step that the journal does not hold. Each is written to the journal as soon as it is done."""
    wanted = {step.name: step for step in steps}
    left = [step for step in wanted.values() if not journal.is_earlier(step.name)]
    with Clock(None, progress, every=0) as clock, Crew(executor) as crew:
        clock.tell(f"takes {len(left):,} steps")
        done = itertools.count(len(wanted) - len(left) + 1)

        def note(step: Step, found: str) -> None:
            journal.put(step.name, found)
            clock.count(next(done), len(wanted), f"steps; {step.name}")

        for _ in crew.map(_found, left, note):
            pass


def _found(step: Step) -> str:
    """Do a step, and return its result as text, because a journal holds no floats."""
    try:
        from threadpoolctl import threadpool_limits
    except ImportError:  # it comes with scikit-learn
        return json.dumps(step.find())
    with threadpool_limits(1):  # many small problems: a thread each for parts of one costs twice the time
        return json.dumps(step.find())
