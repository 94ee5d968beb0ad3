"""The commands about one distribution: its report, risks, best subsets, drawings, and adversarial constructions."""

from __future__ import annotations

import argparse
import re
import tempfile
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fstheory._support.files import write_atomically
from fstheory._support.result import columns, titled as document, to_json
from fstheory.cli import options, sources
from fstheory.cli.criteria import add_criterion, add_judge, criterion_of, known_criteria, takers_of_criteria
from fstheory.cli.options import as_json, command, flag, option, printed, refuse, sizes, source, watch
from fstheory.cli.sources import read_source
from fstheory.distributions.rows import Sample
from fstheory.errors import InvalidValueError, require
from fstheory.lattice.subsets import default_features, escape, names_of, parse_subset, require_text

if TYPE_CHECKING:
    from fstheory.lattice.extensions import Order


@command(
    "report titanic --out report", *source,
    option("--out", "FOLDER", "write report.html, report.json, drawings, and the lattice of a distribution to it"),
    option("--name", None, "the title, by default the name of the source"),
    add_judge,
    option("--control", None, "the error rate of the verdicts on the columns of a sample: of one false verdict, or the "
           "share of false ones (familywise)", choices=("familywise", "fdr")),
    flag("--details", "also print the tests and risks of a sample, and what it cannot say"),
    options.design, options.workers, options.resume, as_json)  # fmt: skip
def report(arguments: argparse.Namespace) -> str:
    """Report everything about one distribution, or what a sample supports."""
    from fstheory.reports.of_distribution import Report, report as report_on, why_no_drawing
    from fstheory.reports.of_sample import NO_PICTURES, SampleReport, is_numeric
    from fstheory.samples.design import DesignOptions

    given = options.picked(arguments, "executor", "resume")
    named = options.picked(arguments, *DesignOptions.__annotations__)
    design = {name: value for name, value in named.items() if value is not None}
    if arguments.features is not None:
        own = (name for name in sources.columns_of_design(arguments) if name not in arguments.features)
        arguments.features = (*arguments.features, *own)
    data = sources.read_data(arguments, numbers=True)
    if isinstance(data, Sample):
        given |= {"criterion": known_criteria()[arguments.criterion or "log"], **design}
        given |= {"control": arguments.control or "familywise"}
    else:
        options.refuse(arguments, "left out unless SOURCE is a sample", "criterion", "control", "details", *named)
    found = watch(
        report_on,
        data,
        name=arguments.name or escape(sources.name_of(arguments.source)),
        **given,
    )
    if isinstance(found, SampleReport):
        found = replace(found, _typed=tuple(arguments.typed))
    if arguments.json:
        text = found.to_json()
    else:
        text = found.summary(details=arguments.details) if isinstance(found, SampleReport) else found.summary()
    if arguments.out is None:
        return text
    listed = ", ".join(path.name for path in found.save(arguments.out))
    missing = ""
    if isinstance(found, Report) and not found.pictures:
        missing = f"\n{why_no_drawing(len(found.risks))}"
    elif (
        isinstance(found, SampleReport)
        and found.sample.features
        and not (is_numeric(found.supported) or found.pictures)
    ):
        missing = f"\n{NO_PICTURES}"
    return text if arguments.json else f"{text}\n\nWrote {listed} in {arguments.out}{missing}"


@command("risks titanic --k 2", *source, sizes(), as_json)
def risks(arguments: argparse.Namespace) -> str:
    """List the Bayes risk of every feature subset, or the plug-in risks of a sample."""
    from fstheory.measures.risk import bayes_risks

    d = sources.read_data(arguments)
    table = bayes_risks(d, max_size=sources.largest_size(d, arguments))
    if arguments.k is not None:
        table = table.restrict(sizes=arguments.k)
    return printed(arguments, table, f"{sources.plug_in_note(d, table)}{table}", **sources.of_sample(d))


@command(
    "minimal-optimal asia --method one-shot", *source,
    option("--method", None, "backward search (Table 1, the default), one-shot (Table 2), resampling (Theorem 7), "
           "exhaustive, which finds all solutions, or forward search, which may miss them",
           choices=("backward", "forward", "one-shot", "resampling", "exhaustive"), default="backward"),
    option("--search-order", "A,B,..", "the order in which backward and forward search try the features"),
    add_criterion(", and the default of forward search"),
    option("--look-ahead", "N", "forward search tries pairs if no feature helps alone, and up to N features (1)"),
    option("--tau", "P/Q", "forward search adds features that gain more, and removes those that cost at most P/Q (0)"),
    as_json)  # fmt: skip
def minimal_optimal(arguments: argparse.Namespace) -> str:
    """Find the minimal subsets of minimal Bayes risk."""
    from fstheory.selection.optimal import minimal_optimal as solve

    own = dict.fromkeys(("criterion", "look_ahead", "tau", *takers_of_criteria()), ("forward",))
    options.refuse_others(arguments, "method", arguments.method, own)
    d, more = read_source(arguments), dict[str, Any]()
    if arguments.method == "forward":
        more = {"criterion": criterion_of(arguments, d), **options.picked(arguments, "look_ahead", "tau")}
    return printed(arguments, solve(d, arguments.method, order=arguments.search_order, **more))


@command(
    "adversarial --order 'X1X2 < X2 < X1 < {}' --alpha 3/4 --out worst.json",
    options.either(
        option("--order", None, "all subsets, smallest risk first: 'X1X2 < X2 < X1 < {}'"),
        option("--wish", None, "a wish for the order: 'X1X3 before X2X4'; repeatable", action="append"),
        option("--random", "SEED", "an order drawn at random with this seed"),
        required=True,
    ),
    options.feature_names,
    option("--sampling", None, "how --random draws: uniform makes every order equally likely (the default, up to 6 "
           "features), sequential draws subset by subset", choices=("uniform", "sequential"), default="uniform"),
    options.states("states of each feature (2 each)"), options.two_classes,
    option("--alpha", "P/Q", "p(X = 0, Y = 0), between 1/2 and 1"),
    option("--target", None, "the name of the class (Y)"),
    option("--out", "FILE", "write the JSON there instead of to stdout"))  # fmt: skip
def adversarial(arguments: argparse.Namespace) -> str:
    """Make a distribution with a prescribed order of Bayes risks (Theorem 1), as JSON."""
    from fstheory.selection.adversary import adversarial as construct

    order, features = _order(arguments)
    d = construct(order, features=features, **options.picked(arguments, "cardinalities", "classes", "alpha", "target"))
    if arguments.out is None:
        return d.to_json()
    d.save(arguments.out)
    return f"Wrote {arguments.out}"


def _order(arguments: argparse.Namespace) -> tuple[Order, int | tuple[str, ...]]:
    from fstheory.lattice.extensions import linear_extension_with, random_linear_extension

    features = options.features_of(arguments)
    if arguments.order is not None:
        return _order_of(arguments.order, features)
    if features is None:
        repair = "name them, --features sex,age, or say how many, --features 3"
        raise InvalidValueError(f"--features must be given with --wish and --random, not left out; {repair}")
    if arguments.wish is not None:
        return linear_extension_with(arguments.wish, features), features
    return random_linear_extension(features, rng=arguments.random, method=arguments.sampling), features


def _order_of(text: str, features: int | Sequence[str] | None) -> tuple[list[frozenset[str]], tuple[str, ...]]:
    """Return the order of subsets in a text such as ``X1X2 < X2 < X1 < {}``, and the names of the features.

    If `features` is not given and the names are X1, .., Xn, they are taken in this order. Other names are taken in the
    order of their first occurrence, so the first subset, which has all features, lists them.
    """
    parts = text.split("<")
    if features is None:
        found = tuple(dict.fromkeys(name for part in parts for name in _names_in(part)))
        standard = default_features(len(found))
        features = standard if set(found) == set(standard) else found
    names = default_features(features) if isinstance(features, int) else tuple(features)
    return [names_of(parse_subset(part, names, "--order"), names) for part in parts], names


def _names_in(part: str) -> list[str]:
    body = part.strip()
    if body == "∅":
        return []
    if re.fullmatch(r"(?:[A-Za-z]+[0-9]+)+", body):
        return re.findall(r"[A-Za-z]+[0-9]+", body)
    return [name.strip() for name in body.removeprefix("{").removesuffix("}").split(",") if name.strip()]


@command(
    "draw titanic --out lattice.svg --view risk --mark-best", *source,
    option("--out", "FILE", "write the drawing to this file: .svg, .png, .pdf", required=True),
    option("--width", "INCHES", "the width of the drawing in a paper: column, page, or a number of inches"),
    flag("--tikz", "write a TikZ picture for LaTeX instead, to a .tex file"),
    option("--view", None, "what the height of a subset shows (size)", choices=("size", "risk"), default="size"),
    flag("--mark-best", "mark the minimal subsets of minimal risk"),
    flag("--path", "mark the path of backward search"),
    sizes("mark the best subsets of K features; repeatable"),
    option("--title", None, "the title of the drawing; '' for none"))  # fmt: skip
def draw(arguments: argparse.Namespace) -> str:
    """Draw the lattice of feature subsets."""
    from fstheory.lattice.figure import inches_of
    from fstheory.measures.risk import bayes_risks
    from fstheory.selection.optimal import minimal_optimal as solve

    if arguments.tikz:
        refuse(arguments, "left out with --tikz", "title")
        needed = "a name that ends in .tex, with --tikz"
        require(arguments.out.lower().endswith(".tex"), "--out", needed, arguments.out, "change its suffix")
    else:
        options.require_picture(arguments)
    if arguments.title is not None:
        require_text(arguments.title, "--title")
    inches_of(arguments.width, {})  # an odd width is refused before the work begins
    d = read_source(arguments)
    table = bayes_risks(d)
    marks: dict[str, Any] = {}
    if arguments.mark_best:
        marks["minimal"] = table.minimal_sets()
    if arguments.path:
        marks["path"] = solve(d, method="backward").path
    if arguments.k is not None:
        marks["optimal"] = [subset for k in arguments.k for subset in table.best_of_size(k).subsets]
    marks |= {"view": arguments.view, "width": arguments.width}
    if arguments.tikz:
        write_atomically(arguments.out, table.to_tikz(**marks) + "\n", "--out")
    else:
        table.plot(title=arguments.title, **marks).save(arguments.out)
    return f"Wrote {arguments.out}"


_other = "the distribution at t = 1, over the same variables"


@command(
    "phase-diagram monks-1 --to monks-2 --k 2", *source,
    option("--to", "NAME|FILE", _other, required=True),
    sizes("also list the best subsets of K features; repeatable"),
    option("--out", "PICTURE", "draw it to this file: .svg, .png, .pdf; up to 4 features"), as_json)  # fmt: skip
def phase_diagram(arguments: argparse.Namespace) -> str:
    """Find where the ordering of all risks changes as one distribution is mixed with another."""
    from fstheory.selection.phase_diagram import phase_diagram as solve

    options.require_picture(arguments)
    diagram = watch(solve, read_source(arguments), _read_other(arguments))
    wrote = options.drawn(arguments, diagram.plot)
    best = {"minimal sets": diagram.minimal_sets()}
    best |= {f"best of size {k}": diagram.best_of_size(k) for k in sorted(set(arguments.k or []))}
    if arguments.json:
        critical = [{"t": to_json(t), "ordering": str(diagram.ordering_at(t))} for t in diagram.critical_values]
        found = {"critical_values": critical, "intervals": to_json(diagram.intervals), "best": to_json(best)}
        return options.dump(document("phase-diagram", found))
    parts = ["\n".join([name, *(f"  {stretch}" for stretch in along)]) for name, along in best.items()]
    return "\n".join([str(diagram), *parts, *wrote])


def _read_other(arguments: argparse.Namespace) -> Any:
    return read_source(argparse.Namespace(**{**vars(arguments), "source": arguments.to}))


@command(
    "explore titanic --open", *source,
    option("--out", "PAGE", "write the page to this .html file; with --open, a temporary file by default"),
    option("--to", "NAME|FILE", "show the mixtures with this other distribution, with a slider"),
    option("--name", None, "the title of the page"), option("--story", None, "the paragraph that the page begins with"),
    option("--ask", "FILE", "begin in lesson mode: hide the numbers and ask questions, those of a TOML file if given",
           nargs="?", const=True),
    option("--handout", "FOLDER", "write the questions of --ask as a sheet to print, and a key, to this folder"),
    option("--samples", "2,3,..", "the numbers of rows of the samples that the page can draw; by default 5,10,20"),
    option("--language", "de|FILE", "the language of the page: a code, or a JSON file of your own words"),
    flag("--evidence", "let states be chosen as known; a page of a network always does"),
    flag("--no-claims", "do not check the statements of the papers, which takes seconds for eight states"),
    flag("--open", "open the page in the browser"))  # fmt: skip
def explore(arguments: argparse.Namespace) -> str:
    """Write an interactive page of the lattice for a browser, in one file."""
    from fstheory.distributions.gallery import names
    from fstheory.reports.explorer import explorer_page
    from fstheory.reports.handout import save_handout
    from fstheory.reports.language import story_of, words_of
    from fstheory.selection import networks
    from fstheory.selection.family import linear_family

    if arguments.out is None and not arguments.open and arguments.handout is None:
        raise InvalidValueError("--out must be given without --open, not left out; write --out page.html, or --open")
    shown: Any = read_source(arguments)
    language = arguments.language or "en"
    title, story = arguments.name or sources.name_of(arguments.source), arguments.story
    if story is None and arguments.to is None and arguments.source in names():
        story = story_of(arguments.source, words_of(language))
    if arguments.to is not None:
        shown, title = linear_family(shown, _read_other(arguments)), f"{title} to {sources.name_of(arguments.to)}"
    asked = sources.questions(arguments.ask) if isinstance(arguments.ask, str) else bool(arguments.ask)
    if isinstance(arguments.ask, str):
        arguments.options["ask"] = arguments.ask  # messages about a question name its file
    sheets: tuple[Path, ...] = ()
    if arguments.handout is not None:
        sheets = save_handout(shown, arguments.handout, title=title, story=story or "", ask=asked, language=language)
    if arguments.out is None and not arguments.open:
        return "\n".join(f"Wrote {sheet}" for sheet in sheets)
    path = arguments.out or Path(tempfile.mkdtemp(prefix="fstheory-")) / "page.html"
    told = {"title": title, "story": story, "ask": asked, "claims": not arguments.no_claims, "language": language}
    of_network = sources.is_network(arguments.source)
    told["evidence"] = networks.load(arguments.source, arguments.normalize) if of_network else arguments.evidence
    drawn = {} if arguments.samples is None else {"samples": arguments.samples}
    watch(explorer_page, shown, path, **told, **drawn)
    if arguments.open:
        import webbrowser

        webbrowser.open(Path(path).resolve().as_uri())
    return "\n".join(f"Wrote {written}" for written in (*sheets, path))


@command(
    "network asia.bif --target dysp",
    option("source", "FILE", "a Bayesian network in BIF or XMLBIF, compressed by gzip or not"),
    option("--target", "VARIABLE", "the class: also show its Markov boundary and its minimal-optimal subset, and why"),
    options.as_network, option("--out", "PICTURE", "draw it to this file: .svg, .png, .pdf"), as_json)  # fmt: skip
def network(arguments: argparse.Namespace) -> str:
    """Describe a Bayesian network, and find the Markov boundary of a variable and the best features within it."""
    from fstheory.selection import networks

    options.require_picture(arguments)
    found = networks.load(arguments.source, arguments.normalize)
    best = None if arguments.target is None else found.minimal_optimal(arguments.target)
    parts = [found] if best is None else [found, best.boundary, best]
    wrote = options.drawn(arguments, lambda: found.plot(arguments.target))
    return printed(arguments, best or found, "\n\n".join([*map(str, parts), *wrote]))


@command("gallery titanic", option("name", "NAME", "print this distribution", nargs="?"), as_json)
def gallery(arguments: argparse.Namespace) -> str:
    """List the named distributions, or print one of them."""
    from fstheory.distributions.gallery import describe, load, names

    if arguments.name is not None:
        d = load(arguments.name)
        return d.to_json() if arguments.json else f"{describe(arguments.name)}\n\n{d}"
    if arguments.json:
        entries = [{"name": name, "description": describe(name)} for name in names()]
        return options.dump(document("gallery", {"entries": entries}))
    return "\n".join(columns([(name, describe(name)) for name in names()]))
