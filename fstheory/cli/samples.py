"""The commands about finite samples, and the names of their methods on the command line."""

from __future__ import annotations

import argparse
import contextlib
import math
import warnings
from collections import Counter
from collections.abc import Iterable, Iterator
from inspect import signature
from typing import TYPE_CHECKING, Any

import numpy as np

from fstheory import errors
from fstheory._support.result import first_of, to_json
from fstheory.cli.options import (
    as_json,
    command,
    drawn,
    on_samples,
    option,
    picked,
    printed,
    refuse,
    refuse_others,
    require_picture,
    resume,
    source,
    watch,
    workers,
)
from fstheory.cli.repairs import in_options
from fstheory.cli.sources import read_columns, read_data, read_source, tell_notes
from fstheory.distributions.rows import Sample, has_numeric_target
from fstheory.errors import InvalidValueError, TooLargeError, explain

if TYPE_CHECKING:
    from fstheory.distributions.tables import Table
    from fstheory.measures.criterion import Criterion
    from fstheory.points.certainty import CertaintyGainSelection, CertaintyGainStep
    from fstheory.points.mixed import MixedPoints
    from fstheory.samples.estimates import RiskEstimates
    from fstheory.samples.fitting import SupportedFeatures
    from fstheory.samples.methods import Method

_MAKERS = {"fbs": "FBS", "fos": "FOS", "wrap": "StandardWrap", "ordered": "OrderedFS", "none": "NoSelection"}
"""From a name to the class in `fstheory.samples`."""
_OPTIONS = ("tau", "holdout", "ties", "estimate", "inducer")
"""The options for arguments of these classes, in the order in which an answer lists them."""
ON_SAMPLES = tuple(name for name in _MAKERS if name != "none")
_ON_POINTS: dict[str, Any] = {
    "graph": "mst", "null": "moments", "ties": "refuse", "numbers": "4 deviations", "categories": "overlap",
}  # fmt: skip
"""The options of the relative certainty gain with their defaults."""
_MANY_DIFFERENCES = 2 * 10**6  # about ten microseconds each: 569 rows of 30 columns have 4,847,880


def _defaults(name: str) -> dict[str, Any]:
    """Return the options of a method, with their defaults."""
    from fstheory import samples

    arguments = signature(getattr(samples, _MAKERS[name])).parameters
    return {key: arguments[key].default for key in _OPTIONS if key in arguments}


def takers() -> dict[str, list[str]]:
    """Return the names of the methods that take an option, by option."""
    return {key: [name for name in _MAKERS if key in _defaults(name)] for key in _OPTIONS}


@command(
    "finite-sample titanic --method fbs --tau 1/10 --m 2,4", *source,
    option(
        "--method", "METHOD", "fbs or fos (Pena and Nilsson), wrap or ordered (STANDARD-WRAP and ORDERED-FS of Ng), or "
        "none: all features", choices=tuple(_MAKERS), required=True,
    ),
    option("-m --m", "2,3,..", "numbers of samples, with held-out samples", required=True, dest="m"), *on_samples,
    option("--ties", None, "among subsets that do equally well, take the smallest, or draw one (first)",
           choices=("first", "uniform")),
    option("--work", "N", "the most steps of an exact law (300000000)"),
    option("--trials", "N", "estimate a law from this many trials if the exact law takes more steps"),
    option("--seed", "N", "the seed of the trials (0)"), workers,
    resume, option("--out", "FILE", "draw the curves to this file: .svg, .png, .pdf"), as_json)  # fmt: skip
def finite_sample(arguments: argparse.Namespace) -> str:
    """Find what a method selects on m samples of the distribution: exact laws, or simulations."""
    from fstheory.samples.simulation import law_curve

    require_picture(arguments)
    if arguments.trials is None:
        refuse(arguments, "left out unless --trials is given", "seed")
    method, settings = _method_of(arguments)
    d = read_source(arguments)
    given = {
        name: value for name, value in picked(arguments, "trials", "work", "executor").items() if value is not None
    }
    if arguments.trials is not None:
        given["rng"] = arguments.seed or 0
    curve = watch(law_curve, d, method, arguments.m, resume=arguments.resume, **given)
    wrote = drawn(arguments, curve.plot)
    seeded = f"; seed {given['rng']}" if arguments.trials is not None and not curve.is_exact else ""
    texts = [f"{method.title} with {settings}{seeded}" if settings else f"{method.title}{seeded}", *map(str, curve)]
    return printed(arguments, curve, "\n\n".join([*texts, *wrote]))


def _method_of(arguments: argparse.Namespace) -> tuple[Method, str]:
    """Return the method that the arguments name, and the text of all its settings, defaults included."""
    from fstheory import samples

    refuse_others(arguments, "method", arguments.method, takers())
    given = {key: getattr(arguments, key) or value for key, value in _defaults(arguments.method).items()}
    settings = ", ".join(f"{key} {value}" for key, value in given.items() if value is not None and key != "inducer")
    return getattr(samples, _MAKERS[arguments.method])(**given), settings


@contextlib.contextmanager
def doubts(arguments: argparse.Namespace) -> Iterator[list[str]]:
    """Collect the warnings of the library during a search, written in terms of command-line options."""
    found: list[str] = []
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", errors.ArbitraryChoiceWarning)
        yield found
    found += [in_options(shown.message.args[0], arguments) for shown in caught if isinstance(shown.message, Warning)]


def doubts_text(notes: Iterable[str]) -> str:
    """Return the notes as lines below an answer."""
    from fstheory.reports.page import fold

    return "".join(fold(f"\n\nNote: {note}.") for note in notes)


def fit_sample(arguments: argparse.Namespace) -> str:
    """Run a method on a sample, and return the answer with what the sample supports."""
    from fstheory.reports.page import fold
    from fstheory.samples.fitting import fit
    from fstheory.selection.greedy import select

    method, settings = _method_of(arguments)
    s = read_data(arguments)
    if not isinstance(s, Sample):
        needed = f"a sample for --method {arguments.method}, rows of a CSV"
        repair = "leave out --population, or use 'fstheory finite-sample' for the laws of a distribution"
        raise InvalidValueError(explain("SOURCE", needed, f"the distribution {arguments.source}", repair))
    seed = arguments.seed or 0
    with doubts(arguments) as notes:
        try:
            found = watch(fit, s, method, rng=seed, **picked(arguments, "executor", "resume"))
        except TooLargeError as error:
            text = f"{str(error).partition(';')[0]}; keep 12 features, such as the best 12 by their scores"
            best = select(s, 12, method="score").features
            raise errors.repaired(TooLargeError(text), features=best) from error
        rows = about_rows(s, found.features, seed, executor=arguments.executor)
    text = f"{method.title} with {settings}; seed {seed}\n\n{fold(str(found))}{doubts_text(notes)}\n\n{rows_text(rows)}"
    numbers = {"samples": s.m, "training_samples": found.training.m, "seed": seed, "notes": [*s.notes, *notes]}
    return printed(arguments, found, text, **numbers, rows=to_json(rows, s.features))


def about_rows(
    s: Sample, features: Iterable[str], seed: int, criterion: Criterion[Any] | str = "logarithmic", **work: Any
) -> dict[str, RiskEstimates | SupportedFeatures]:
    """Return risk estimates of features on the rows that selected them, and the features that these rows support.

    If the target is predicted as a number, there are no risk estimates, because nearly all rows are wrong.
    """
    from fstheory.samples.estimates import risk_estimates
    from fstheory.samples.fitting import supported_features

    shares = {} if has_numeric_target(s) else {"estimates": risk_estimates(s, features, folds=min(10, s.m))}
    return {**shares, "supported": watch(supported_features, s, rng=seed, criterion=criterion, **work)}


def rows_text(rows: dict[str, RiskEstimates | SupportedFeatures]) -> str:
    """Return the text of these answers, and of what they do not say."""
    shares = (
        f"What the rows tell of the table over\n{rows.get('estimates')}\n"
        "Exact for these rows; too small on average as estimates for others, since the rows chose the features\n"
        "too. Keep rows apart for an estimate, or cross-validate the selection as well.\n\n"
    )
    return (
        f"{shares * ('estimates' in rows)}Each step against permuted labels, by leave-one-out:\n{rows['supported']}\n"
        "That a feature is not supported does not say that it is irrelevant."
    )


def select_points(arguments: argparse.Namespace) -> str:
    """Select features of points by the relative certainty gain, and return the answer."""
    from fstheory.points.certainty import select_by_certainty_gain
    from fstheory.reports.page import fold

    require_picture(arguments)
    settings: dict[str, str] = {name: getattr(arguments, name) or value for name, value in _ON_POINTS.items()}
    options: dict[str, Any] = {name: settings[name] for name in ("graph", "null", "ties")}
    if settings["null"] == "permutation":
        options |= {"trials": 999 if arguments.trials is None else arguments.trials, "rng": arguments.seed or 0}
    else:
        refuse(arguments, "left out unless --null is permutation", "trials", "seed")
    points = _points_of(arguments, settings["ties"])
    with doubts(arguments) as notes:
        options |= {"max_features": arguments.k, **picked(arguments, "executor", "resume")}
        found = watch(select_by_certainty_gain, points, **options)
    last = found.trace[len(found.features) - 1]
    wrote = drawn(arguments, last.gain.plot)
    settings |= {"distances": "exact" if points.is_exact else "floats"}
    settings |= {name: str(options[key]) for name, key in (("trials", "trials"), ("seed", "rng")) if key in options}
    if arguments.json:
        steps = [_estimated(step, options["trials"]) if "trials" in options else to_json(step) for step in found.trace]
        return printed(arguments, found, settings=settings, samples=len(points), notes=notes, trace=steps)
    typed = ", ".join(f"{name} {value}" for name, value in settings.items())
    kinds = f"{len(points.features)} features, of them categories: {first_of(points.categorical) or 'none'}"
    head = fold(f"Relative certainty gain on {len(points):,} points\n{kinds}\n{typed}")
    return "\n\n".join(
        [head, f"{found}{doubts_text(notes)}", _what_it_says(found, points, options.get("trials")), *wrote]
    )


def _estimated(step: CertaintyGainStep, trials: int) -> dict[str, Any]:
    """Return a step as JSON data, with its p-value given as an estimate with an interval."""
    found: dict[str, Any] = to_json(step)
    del found["evidence"], found["rivals"]
    return found | {"p_value": to_json({"estimate": float(-step.evidence), "interval": _p_interval(step, trials)})}


def _p_interval(step: CertaintyGainStep, trials: int) -> tuple[float, float]:
    """Return the exact binomial interval, of confidence 19/20, of a p-value estimated from `trials` permutations."""
    from fstheory._support.exact import binomial_interval

    return binomial_interval(int(-step.evidence * (1 + trials) - 1), trials, "19/20")


def _points_of(arguments: argparse.Namespace, ties: str) -> MixedPoints:
    """Return the rows of a table as points, in their order. Numbers are taken exactly as they are written."""
    from fstheory.points.mixed import MixedPoints

    refuse(arguments, "left out with --method rcg", "population")
    names, columns = read_columns(arguments, _values_of, False, ties=ties, categorical=arguments.categorical or ())
    tell_notes([] if arguments.floats else _about_work(len(columns[0]), len(names) - 1))
    return MixedPoints(
        list(zip(*columns[:-1], strict=True)),
        columns[-1],
        features=names[:-1],
        categorical=arguments.categorical,
        numbers=arguments.numbers or _ON_POINTS["numbers"],
        categories=arguments.categories or _ON_POINTS["categories"],
        exact=not arguments.floats,
    )


def _values_of(
    table: Table, keep_continuous: bool, ties: str, categorical: Iterable[str], **_: Any
) -> tuple[tuple[str, ...], list[list[Any]]]:
    """Return the names and the values of the columns of a table. Refuse columns that cannot make points."""
    from fstheory.distributions.prepare import has_decimal_commas, numbers_if_any, refuse_identifiers, tells_rows_apart
    from fstheory.distributions.tables import MISSING

    columns, own = [], []
    for name, (codes, labels) in zip(table.names, table.columns, strict=True):
        comma = has_decimal_commas(labels)
        values = [str(label).replace(",", ".") if comma else label for label in labels]
        values = [str(value) if isinstance(value, float) else value for value in values]
        columns.append([values[code] for code in np.repeat(codes, table.counts).tolist()])
        if name in (*categorical, table.names[-1]):
            continue
        if numbers_if_any([value for value in values if value != MISSING], name) and MISSING in labels:
            needed = "drop with --method rcg if numbers are missing"
            raise errors.repaired(
                InvalidValueError(explain("--missing", needed, "label", "complete them")), missing="drop"
            )
        if tells_rows_apart(labels, len(columns[-1])) and not keep_continuous:
            own.append(name)
    refuse_identifiers(own)
    for column in columns[:-1] if ties == "refuse" else ():  # the first step uses each column alone
        value, times = Counter(column).most_common(1)[0]
        if times > 1:
            pair = f"coincident points {(at := column.index(value))} and {column.index(value, at + 1)}"
            error = InvalidValueError(explain("points", "all different", pair, "merge them, or pass --ties first"))
            raise errors.repaired(error, ties="first")
    return table.names, columns


def _about_work(rows: int, columns: int) -> list[str]:
    """Return a note that --floats is faster, if very many exact differences have to be computed before the search."""
    differences = math.comb(rows, 2) * columns
    if differences < _MANY_DIFFERENCES:
        return []
    return [
        f"{rows:,} rows of {columns} columns have {differences:,} exact differences, which can take minutes; --floats "
        "is many times faster, and may take close distances for ties or swap them"
    ]


def _what_it_says(found: CertaintyGainSelection, points: MixedPoints, trials: int | None) -> str:
    """Return a text on how far the numbers of a search can be trusted."""
    from fstheory.reports.page import fold

    last = found.trace[len(found.features) - 1].gain
    lines = []
    if trials is not None:
        low, high = _p_interval(found.trace[len(found.features) - 1], trials)
        lines.append(
            f"The p-values are estimates from {trials:,} permutations; that of the features taken is between "
            f"{low:.4g} and {high:.4g} (95%). None can be below 1/{trials + 1:,}, and there the walk ends."
        )
    if found.null == "printed" and not points.sees_labels and last.null.variance:
        lines.append(
            f"z is as printed, with mean (n - 1)(k - 1) and twice that as variance. With the exact mean and variance "
            f"under permuted labels the features taken have z ≈ {last.z.decimal()}."
        )
    if points.sees_labels:
        lines.append(
            "The distance looks at the classes, so that neighbors agree even if the features say nothing: no test "
            "with the graph held fixed applies. With --categories overlap and without ivdm and wvdm one does."
        )
    lines.append(
        "The first feature is taken whatever it says, and each is the best of many: as a test, z and p hold for "
        "features that were named before the rows were seen. Rows kept apart tell what a classifier makes of them."
    )
    return fold("\n".join(lines))
