"""The commands: each takes the parsed arguments, makes one call of the library and returns what to print."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fstheory.cli.options import (
    dump,
    features_of,
    largest_size,
    name_of,
    of_sample,
    order_of,
    picked,
    plug_in_note,
    read_data,
    read_source,
    watch,
    write_stderr,
)
from fstheory.errors import InvalidValueError, explain
from fstheory.lattice.subsets import escape, require_text

if TYPE_CHECKING:
    from fstheory.lattice.extensions import Order

__all__ = [
    "adversarial",
    "draw",
    "experiment",
    "explore",
    "gallery",
    "minimal_optimal",
    "phase_diagram",
    "report",
    "risks",
]


def report(arguments: argparse.Namespace) -> str:
    """Report everything about one distribution, or what a sample supports."""
    from fstheory.reports.blocks import why_no_drawing
    from fstheory.reports.reporting import Report
    from fstheory.reports.reporting import report as report_on

    found = watch(report_on, read_data(arguments), name=arguments.name or escape(name_of(arguments.source)))
    text = found.to_json() if arguments.json else found.summary()
    if arguments.out is None:
        return text
    listed = ", ".join(path.name for path in found.write(arguments.out))
    missing = ""
    if isinstance(found, Report) and not found.pictures:
        missing = f"\n{why_no_drawing(len(found.risks))}"
    return text if arguments.json else f"{text}\n\nWrote {listed} in {arguments.out}{missing}"


def risks(arguments: argparse.Namespace) -> str:
    """List the Bayes risk of every feature subset, or the plug-in risks of a sample."""
    from fstheory.measures.risk import bayes_risks
    from fstheory.reports.document import risks_document

    d = read_data(arguments)
    table = bayes_risks(d, max_size=largest_size(d, arguments))
    if arguments.k is not None:
        table = table.restrict(sizes=arguments.k)
    return dump(risks_document(table) | of_sample(d)) if arguments.json else f"{plug_in_note(d, table)}{table}"


def minimal_optimal(arguments: argparse.Namespace) -> str:
    """Solve the minimal-optimal problem."""
    from fstheory.reports.blocks import fold
    from fstheory.reports.document import minimal_optimal_document
    from fstheory.selection.optimal import minimal_optimal as solve

    found = solve(read_source(arguments), arguments.method, order=arguments.search_order)
    return dump(minimal_optimal_document(found)) if arguments.json else fold(str(found))


def adversarial(arguments: argparse.Namespace) -> str:
    """Make a distribution with a prescribed order of Bayes risks."""
    from fstheory.selection.adversary import adversarial as construct

    order, features = _order(arguments)
    d = construct(order, features=features, **picked(arguments, "cardinalities", "classes", "alpha", "target"))
    if arguments.out is None:
        return d.to_json()
    d.to_json(arguments.out)
    return f"Wrote {arguments.out}"


def _order(arguments: argparse.Namespace) -> tuple[Order, int | tuple[str, ...]]:
    from fstheory.lattice.extensions import linear_extension_with, random_linear_extension

    features = features_of(arguments)
    if arguments.order is not None:
        return order_of(arguments.order, features)
    if features is None:
        repair = "name them, --features sex,age, or say how many, --features 3"
        raise InvalidValueError(f"--features must be given with --wish and --random, not left out; {repair}")
    if arguments.wish is not None:
        return linear_extension_with(arguments.wish, features), features
    return random_linear_extension(features, rng=arguments.random, method=arguments.sampling), features


def draw(arguments: argparse.Namespace) -> str:
    """Draw the lattice of feature subsets."""
    from fstheory.lattice.figure import file_kind
    from fstheory.measures.risk import bayes_risks
    from fstheory.selection.optimal import minimal_optimal as solve

    file_kind(arguments.out, "--out")
    if arguments.title is not None:
        require_text(arguments.title, "--title")
    d = read_source(arguments)
    table = bayes_risks(d)
    marks: dict[str, Any] = {}
    if arguments.mark_best:
        marks["minimal"] = table.minimal_sets()
    if arguments.path:
        marks["path"] = solve(d, method="backward").path
    if arguments.k is not None:
        marks["optimal"] = [subset for k in arguments.k for subset in table.best_of_size(k).subsets]
    table.plot(view=arguments.view, title=arguments.title, **marks).save(arguments.out)
    return f"Wrote {arguments.out}"


def phase_diagram(arguments: argparse.Namespace) -> str:
    """Tell where the ordering of all risks changes in the mixtures of two distributions, and what is best where."""
    from fstheory.selection.phase_diagram import phase_diagram as solve

    ends = [
        read_source(argparse.Namespace(**{**vars(arguments), "source": s})) for s in (arguments.source, arguments.to)
    ]
    diagram = watch(solve, *ends)
    sizes = sorted(set(arguments.k or []))
    best = {"minimal sets": diagram.minimal_sets()} | {f"best of size {k}": diagram.best_of_size(k) for k in sizes}
    if arguments.out is not None:
        diagram.plot().save(arguments.out)
    if not arguments.json:
        parts = [f"{name}\n" + "\n".join(f"  {stretch}" for stretch in along) for name, along in best.items()]
        return "\n".join([str(diagram), *parts, *([f"Wrote {arguments.out}"] if arguments.out else [])])
    intervals = [[str(i.start), str(i.end), str(i.ordering)] for i in diagram.intervals]
    critical = [{"t": str(t), "ordering": str(diagram.ordering_at(t))} for t in diagram.critical_values]
    changes = {
        name: [
            {
                "start": str(s.start), "end": str(s.end), "ends included": [s.holds_at_start, s.holds_at_end],
                "subsets": [sorted(subset) for subset in s.answer],
            }
            for s in along if not isinstance(s.answer, bool)
        ]
        for name, along in best.items()
    }  # fmt: skip
    return dump({"critical values": critical, "intervals": intervals, "best": changes})


def explore(arguments: argparse.Namespace) -> str:
    """Write a page with the lattice of a distribution, or of the mixtures of two, to be touched in a browser."""
    from fstheory.reports.explorer import explorer_page
    from fstheory.selection.family import linear_family

    d = read_source(arguments)
    title = arguments.name or name_of(arguments.source)
    shown: Any = d
    if arguments.to is not None:
        other = read_source(argparse.Namespace(**{**vars(arguments), "source": arguments.to}))
        shown, title = linear_family(d, other), f"{title} to {name_of(arguments.to)}"
    watch(explorer_page, shown, arguments.out, title=title)
    if arguments.open:
        import webbrowser

        webbrowser.open(Path(arguments.out).resolve().as_uri())
    return f"Wrote {arguments.out}"


def experiment(arguments: argparse.Namespace) -> str:
    """Run an experiment of a paper, and write its figures and numbers."""
    from fstheory.papers.experiments import run_experiment
    from fstheory.papers.experiments.runner import PLANS

    folder = None if arguments.out is None else Path(arguments.out)
    journal = None if folder is None else folder / "trials.json"
    if journal is None and arguments.resume:
        raise InvalidValueError("--resume must come with --out FOLDER, where the trials are; name it")
    if folder is not None and journal is not None:
        if journal.exists() and not arguments.resume:
            needed = "a folder without the trials of an earlier run"
            raise InvalidValueError(explain("--out", needed, arguments.out, "pass --resume, or another folder"))
        folder.mkdir(parents=True, exist_ok=True)
    settings = PLANS[arguments.name].settings
    chosen = settings.quick() if arguments.quick else settings()
    figures = arguments.figure and [int(name) if name.isdecimal() else name for name in arguments.figure]
    try:
        found = watch(
            run_experiment, arguments.name, figures, settings=chosen, workers=arguments.workers, resume=journal
        )
    except KeyboardInterrupt:
        if journal is not None:
            write_stderr(f"fstheory: interrupted; the same command with --resume goes on from {journal}\n")
        raise
    if folder is None:
        return str(found)
    return f"{found}\n\nWrote {', '.join(path.name for path in found.write(folder))} in {folder}"


def gallery(arguments: argparse.Namespace) -> str:
    """List the named distributions, or print one."""
    from fstheory.distributions.gallery import describe, load, names

    if arguments.name is not None:
        d = load(arguments.name)
        return d.to_json() if arguments.json else f"{describe(arguments.name)}\n\n{d}"
    if arguments.json:
        entries = [{"name": name, "description": describe(name)} for name in names()]
        return dump({"schema": "fstheory/gallery", "version": 1, "entries": entries})
    width = max(map(len, names()))
    return "\n".join(f"{name.ljust(width)}  {describe(name)}" for name in names())
