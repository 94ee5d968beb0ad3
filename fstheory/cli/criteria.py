"""The commands about criteria, stopping rules and bounds, and the names of these on the command line."""

from __future__ import annotations

import argparse
import inspect
import itertools
from collections.abc import Collection, Mapping, Sequence
from typing import TYPE_CHECKING, Any, get_args

import numpy as np

from fstheory._support.exact import decimal_text, to_text
from fstheory._support.files import LONGEST, parse_json
from fstheory._support.result import columns, percent, titled as document, to_json
from fstheory.cli import options, samples, sources
from fstheory.cli.options import as_json, command, dump, flag, option, option_name, refuse, source, titled
from fstheory.cli.repairs import criterion_name, destination
from fstheory.cli.samples import ON_SAMPLES, takers
from fstheory.cli.sources import of_sample, plug_in_note
from fstheory.distributions.build import Label
from fstheory.distributions.joint import JointDistribution
from fstheory.distributions.rows import Data, Sample
from fstheory.errors import InvalidFormatError, InvalidValueError, explain, repaired, require_known, show, unknown
from fstheory.lattice.importance import Kind
from fstheory.lattice.subsets import checked_size, mask_of, subset_text
from fstheory.measures.bounds import BOUNDS, table as bounds_table
from fstheory.measures.criterion import CRITERIA

if TYPE_CHECKING:
    from fstheory.measures.criterion import Criterion
    from fstheory.selection.greedy import SelectionMethod
    from fstheory.selection.questions import QuestionPolicy
    from fstheory.selection.stopping import StoppingRule

_PLACEHOLDERS = {"Exact": "P/Q", "Label": "CLASS", "Rows": "FILE"}
"""The types of the parameters of criteria that the command line can read, with the placeholders of their options."""
_MEANINGS = {
    "cost": "the cost of a false positive; a false negative costs 1 - P/Q",
    "positive": "the positive class (the last)",
    "loss_matrix": "JSON, rows of losses, one per class, or {class: {prediction: loss}}",
    "base": "the base of the logarithms, 2 for bits (natural)",
    "beta": "the weight of recall against precision (1)",
}
"""The meaning of a parameter of criteria in the help."""
_METHODS = (
    "greedy", "greedy-backward", "score", "exhaustive", "mrmr", "fisher", "backward", "forward", *ON_SAMPLES, "rcg",
)  # fmt: skip


def _signature(name: str) -> Mapping[str, inspect.Parameter]:
    """Return the parameters of the function that makes a criterion."""
    return inspect.signature(CRITERIA[name]).parameters


def _needed_by(name: str) -> set[str]:
    """Return the parameters without which a criterion cannot be made."""
    return {key for key, one in _signature(name).items() if one.default is one.empty}


def _parameters(name: str) -> dict[str, tuple[str, str]]:
    """Return the options for the parameters of a criterion that the command line can read.

    Each option has the name of its parameter and a placeholder.
    """
    kinds = {key: str(one.annotation).removesuffix(" | None") for key, one in _signature(name).items()}
    return {destination(key): (key, _PLACEHOLDERS[kind]) for key, kind in kinds.items() if kind in _PLACEHOLDERS}


def known_criteria() -> dict[str, str]:
    """Return the names of the criteria by their names on the command line. Each needs only what an option can give."""
    return {
        criterion_name(name): name
        for name in CRITERIA
        if {key for key, _ in _parameters(name).values()} >= _needed_by(name)
    }


def add_judge(container: Any) -> None:
    """Add the option for the criterion that decides which columns a sample supports."""
    from fstheory.samples.left_out import has_rows_left_out

    ready = {short: CRITERIA[name]() for short, name in known_criteria().items() if not _needed_by(name)}
    judges = [short for short, criterion in ready.items() if has_rows_left_out(criterion)]
    meaning = f"the criterion that decides which columns a sample supports (log): {', '.join(judges)}"
    option("--criterion", "NAME", meaning, choices=judges)(container)


def takers_of_criteria() -> dict[str, list[str]]:
    """Return the names on the command line of the criteria that take an option, by option."""
    found: dict[str, list[str]] = {}
    for short, name in known_criteria().items():
        for key in _parameters(name):
            found.setdefault(key, []).append(short)
    return found


def add_criterion(default: str = "", **more: Any) -> Any:
    """Return the options of a criterion: its name, and one for each parameter of a criterion."""

    def add(container: Any) -> None:
        known = known_criteria()
        meaning = (
            f"one of: {', '.join(known)}; zero-one is the Bayes risk{default}; log is the logarithmic loss, which "
            "orders subsets as mutual information does"
        )
        own = [
            option(
                option_name(key),
                _parameters(known[names[0]])[key][1],
                f"for {', '.join(names)}: {_MEANINGS.get(key, f'its {key}')}",
            )
            for key, names in takers_of_criteria().items()
        ]
        titled("the criterion", option("--criterion", "NAME", meaning, choices=tuple(known), **more), *own)(container)

    return add


def _missing(option: str, condition: str, value: str, **repair: Any) -> InvalidValueError:
    """Return the refusal of an option that is left out. With the options of the repair, a whole command is shown."""
    written = value if " " in value else f"{option} {value}"
    error = InvalidValueError(f"{option} must be given with {condition}, not left out; write {written}, say")
    return repaired(error, **repair)


def criterion_of(arguments: argparse.Namespace, d: Data) -> Criterion[Any]:
    """Return the criterion that the options ask for, by default the 0-1 loss."""
    short = arguments.criterion or "zero-one"
    name, given = known_criteria()[short], dict[str, Any]()
    options.refuse_others(arguments, "criterion", short, takers_of_criteria())
    for own, (key, placeholder) in _parameters(name).items():
        value = getattr(arguments, own)
        if value is None:
            if key in _needed_by(name):
                example = {"P/Q": "1/3", "CLASS": str(d.classes[-1]), "FILE": "FILE.json"}[placeholder]
                raise _missing(option_name(own), f"--criterion {short}", example)
            continue
        if placeholder == "CLASS":
            value = _label_of(value, d.classes, f"{key} class")
        given[key] = _loss_matrix(value, d) if placeholder == "FILE" else value
    return CRITERIA[name](**given)


def _label_of(text: str, labels: tuple[Label, ...], kind: str) -> Label:
    """Return the label that a text names: the string itself, or else a label with this text, such as 1 for ``1``."""
    alike = [text] * (text in labels) + [label for label in labels if str(label) == text]
    if not alike:
        raise unknown(kind, text, map(str, labels))
    return alike[0]


def _loss_matrix(path: str, d: Data) -> Any:
    """Return the loss matrix in a JSON file. Its rows are listed in order or named by class."""
    from fstheory.distributions.tables import open_text

    with open_text(path) as stream:
        text = stream.read(LONGEST + 1)
    try:
        document = parse_json(text)
    except ValueError as error:
        repair = 'write [[0, 1], ["1/2", 0]], say'
        raise InvalidFormatError(f"{path}: {explain('text', f'JSON ({str(error)[:80]})', text, repair)}") from error
    if not isinstance(document, Mapping):
        return document
    kind = f"class of {d.target} in the loss matrix"
    return {_label_of(name, d.classes, kind): row for name, row in document.items()}


def _rule_of(arguments: argparse.Namespace) -> StoppingRule:
    from fstheory.selection.stopping import ErrorRule, FeatureCountRule, FeatureScoreRule, ScoreDifferenceRule

    rule = arguments.rule or ("count" if arguments.k is not None else "er")
    if rule != "er":
        refuse(arguments, "left out unless --rule is er", "sharp", "as_printed")
    if rule == "count":
        refuse(arguments, "left out unless --rule is er, fs or delta-fs", "delta")
        if arguments.k is None:
            raise _missing("-k", "--rule count", "2", k=2)
        return FeatureCountRule(arguments.k)
    refuse(arguments, "left out unless --rule is count", "k")
    if arguments.delta is None:
        if arguments.rule:
            raise _missing("--delta", f"--rule {rule}", "1/10")
        raise _missing("--delta or -k", f"--method {arguments.method}", "--delta 1/10 or -k 2", k=2)
    if rule == "er":
        return ErrorRule(arguments.delta, printed=arguments.as_printed, sharp=arguments.sharp)
    return (FeatureScoreRule if rule == "fs" else ScoreDifferenceRule)(arguments.delta)


_STOPPING = ("backward", "forward")
_BY_CRITERION: dict[str, SelectionMethod] = {
    "greedy": "greedy-forward", "greedy-backward": "greedy-backward", "score": "score", "exhaustive": "exhaustive",
}  # fmt: skip


@command(
    "criterion titanic --criterion f --beta 2 --positive yes --k 2", *source, add_criterion(required=True),
    options.either(option("--subset", "A,B,..", "only this subset; '' for no features"), options.sizes()),
    as_json)  # fmt: skip
def criterion(arguments: argparse.Namespace) -> str:
    """List the best value of a performance measure for every feature subset, or give it for one subset."""
    d = sources.read_data(arguments, numbers=arguments.criterion == "squared")
    measure = criterion_of(arguments, d)
    if arguments.subset is not None:
        value = measure.value(d, arguments.subset)
        if arguments.json:
            about = {name: getattr(measure, name) for name in ("name", "symbol", "larger_is_better")}
            row = {"subset": _ordered(arguments.subset, d), "value": to_json(value), "level": 0}
            found = {**about, "features": list(d.features), "count": 1, "rows": [row]}
            return dump(document("subset-table", found) | of_sample(d))
        exact, decimal = to_text(value, 0), decimal_text(value)
        more = "" if "≈" in exact or exact == decimal else f" ≈ {decimal}"
        return f"{plug_in_note(d)}{measure.name} of {_written(arguments.subset, d)}: {exact}{more}"
    table = measure.table(d, max_size=sources.largest_size(d, arguments))
    if arguments.k is not None:
        table = table.restrict(sizes=arguments.k)
    return options.printed(arguments, table, f"{plug_in_note(d, table)}{table}", **of_sample(d))


def _ordered(subset: Collection[str], d: Data) -> Any:
    return to_json(frozenset(subset), d.features)


def _written(subset: Collection[str], d: Data) -> str:
    return subset_text(subset, d.features)


@command(
    "select titanic --method backward --delta 1/4 --rule er --sharp", *source,
    option("--method", "METHOD", "with --criterion: greedy forward selection (the default), greedy-backward, "
           "score, exhaustive; with scores of their own: mrmr, fisher; with conditional mutual information and a "
           "stopping rule: backward, forward; of a sample: fbs, fos, wrap, ordered (see finite-sample); of a CSV of "
           "numbers and categories: rcg, forward by the relative certainty gain",
           choices=_METHODS, default="greedy"),
    add_criterion(", and the default"),
    option("-k --k", "N", "select N features, with rcg at most", dest="k"),
    titled(
        "for backward and forward, instead of -k",
        option("--delta", "P/Q", "the threshold: for er an error, for the others information in nats"),
        option("--rule", None, "er bounds the error added (the default with --delta), fs the information of a "
               "feature, delta-fs its change; count is -k", choices=("er", "fs", "delta-fs", "count")),
        flag("--sharp", "use the sharper bounds in er"),
        flag("--as-printed", "use er as the paper prints it"),
        flag("--regression", "measure squared errors of numeric classes"),
    ),
    option("--search-order", "A,B,..", "among equally good features, take the first in this order"),
    titled(
        "for fbs, fos, wrap and ordered", *options.on_samples,
        option("--ties", None, "among equally good subsets, take the first or draw one (first); with rcg, for points "
               "at equal distances or the same place: refuse, first in the file, or with 1nn all (refuse)",
               choices=("first", "uniform", "refuse", "all")),
    ),
    titled(
        "for rcg",
        option("--graph", None, "minimum spanning tree or nearest neighbors (mst)", choices=("mst", "1nn")),
        option("--null", None, "what the graph is compared with: the exact mean and variance under permuted labels "
               "(moments), the exact law, permutations drawn, or the test as printed; or Z: Schapire and Singer's Z",
               choices=("moments", "exact", "permutation", "printed", "Z")),
        option("--trials", "N", "for permutation: the number of permutations (999)"),
        option("--numbers", None, "the divisor of differences of numbers (4 deviations); or ivdm or wvdm, which "
               "compare the classes near two numbers, with --categories vdm2 and --null printed",
               choices=("4 deviations", "deviation", "range", "none", "ivdm", "wvdm")),
        option("--categories", None, "how categories differ: by 1 (overlap), or by the classes of their rows (vdm: "
               "HVDM, with --null printed alone)", choices=("overlap", "vdm1", "vdm2", "vdm3", "squared vdm")),
        option("--categorical", "A,B,..", "columns of numbers that are codes of categories"),
        flag("--floats", "compute distances in floats: faster, but close ones may be taken for ties or swapped"),
    ),
    option("--seed", "N", "seed of all draws: held-out rows, ties, permutations (0)"), options.workers, options.resume,
    option("--out", "FILE", "draw the graph of rcg, or the path in the lattice, to this file: .svg, .png, .pdf"),
    as_json)  # fmt: skip
def select(arguments: argparse.Namespace) -> str:
    """Select features, step by step, with exact values."""
    from fstheory.reports.page import fold

    options.refuse_others(arguments, "method", arguments.method, _methods_that_take())
    if arguments.method in ON_SAMPLES:
        return samples.fit_sample(arguments)
    if arguments.method == "rcg":
        return samples.select_points(arguments)
    options.require_picture(arguments)
    d = sources.read_data(arguments, numbers=arguments.regression or arguments.method in _BY_CRITERION)
    if not isinstance(d, Sample):
        refuse(arguments, "left out unless SOURCE is a sample", "seed", "resume")
    elif arguments.batches == "counts":
        refuse(arguments, "left out with --batches counts, where no rows are asked", "resume")
    if arguments.method == "fisher":
        text, found = _by_fisher_score(sources.require_population(d, arguments), arguments.k)
        return dump(found) if arguments.json else fold(text)
    seed, rows = arguments.seed or 0, None
    with samples.doubts(arguments) as notes:
        selected = _selected(d, arguments)
        if isinstance(d, Sample) and d.m > 1 and arguments.batches != "counts":
            work = options.picked(arguments, "executor", "resume")
            rows = samples.about_rows(d, selected.features, seed, criterion=_judge(d, arguments), **work)
    wrote = options.drawn(arguments, selected.plot)
    if arguments.json:
        asked = {} if rows is None else {"seed": seed, "rows": to_json(rows)}
        return dump(selected.to_dict() | asked | of_sample(d, notes))
    told = [] if rows is None else [samples.rows_text(rows)]
    return "\n\n".join([fold(f"{plug_in_note(d)}{selected}{samples.doubts_text(notes)}"), *told, *wrote])


def _judge(d: Sample, arguments: argparse.Namespace) -> Criterion[Any] | str:
    """Return the criterion for supported features: the named criterion, unless it has no leave-one-out value."""
    from fstheory.samples.left_out import has_rows_left_out

    named = None if arguments.criterion is None else criterion_of(arguments, d)
    if named is None or not has_rows_left_out(named):
        return "squared_error" if arguments.regression else "logarithmic"
    return named


def _by_fisher_score(d: JointDistribution, k: int | None) -> tuple[str, dict[str, Any]]:
    """Return the best features by their Fisher scores, as text and as JSON data."""
    from fstheory.selection.greedy import fisher_scores

    if k is None:
        raise _missing("-k", "--method fisher", "2", k=2)
    scores = fisher_scores(d)
    found = dict(itertools.islice(scores.items(), checked_size(k, len(scores))))
    rows = [(f"{i}. {name}", str(score)) for i, (name, score) in enumerate(found.items(), 1)]
    text = "\n".join([f"{', '.join(found) or 'no features'} by Fisher score", *columns(rows, "  ")])
    values = {name: "infinite" if score.is_infinite else to_json(score.value) for name, score in found.items()}
    return text, document("selection", {"method": "fisher", "features": list(found), "scores": values})


def _methods_that_take() -> dict[str, Sequence[str]]:
    """Return the methods that take an option of `select`, by option."""
    return {
        **dict.fromkeys(("criterion", *takers_of_criteria()), tuple(_BY_CRITERION)),
        **dict.fromkeys(("delta", "rule", "sharp", "as_printed", "regression"), _STOPPING),
        **{key: [name for name in names if name in ON_SAMPLES] for key, names in takers().items()},
        "resume": [name for name in _METHODS if name != "fisher"],
        "ties": (*ON_SAMPLES, "rcg"),
        **dict.fromkeys(("graph", "null", "numbers", "categories", "categorical", "floats", "trials"), ("rcg",)),
        "k": [name for name in _METHODS if name not in ON_SAMPLES],
        "search_order": [*_BY_CRITERION, "mrmr", *_STOPPING],
        "out": [*_BY_CRITERION, "mrmr", *_STOPPING, "rcg"],
    }


def _selected(d: Data, arguments: argparse.Namespace) -> Any:
    from fstheory import selection

    method, order = arguments.method, arguments.search_order
    if method in _STOPPING:
        rule = _rule_of(arguments)
        walk = selection.cmi_elimination if method == "backward" else selection.cmi_selection
        return walk(d, rule, problem="regression" if arguments.regression else "classification", order=order)
    if arguments.k is None:
        raise _missing("-k", f"--method {method}", "2", k=2)
    if method == "mrmr":
        return selection.mrmr(d, arguments.k, order=order)
    return selection.select(d, arguments.k, criterion_of(arguments, d), _BY_CRITERION[method], order=order)


@command(
    "importance titanic --kind loco --criterion log -k 2", *source,
    option("--kind", None, "Shapley value (the default), Banzhaf value, the loss without the feature (loco), the gain "
           "alone, the largest gain (mci) or the least gain", choices=get_args(Kind), default="shapley"),
    add_criterion(", and the default"),
    option("-k --k", "N", "also say what keeping the N features of highest importance loses", dest="k"),
    option("--out", "FILE", "draw the importances to this file: .svg, .png, .pdf"),
    as_json)  # fmt: skip
def importance(arguments: argparse.Namespace) -> str:
    """Say what each feature is worth, and what a ranking by it would lose."""
    from fstheory.samples.importance import importance as find

    options.require_picture(arguments)
    d = sources.read_data(arguments, numbers=True)
    found = find(d, arguments.kind, criterion=criterion_of(arguments, d))
    price = None if arguments.k is None else found.price(arguments.k)
    wrote = options.drawn(arguments, lambda: found.plot(k=arguments.k))
    content = found.to_dict() | ({} if price is None else {"price": to_json(price)})
    text = "\n".join([str(found), *([] if price is None else [str(price)]), *wrote])
    return dump(content | of_sample(d)) if arguments.json else text


def _costs(text: str) -> str | dict[str, str]:
    """Return the costs in a text such as ``1/50`` for every question, or ``A=1/50,B=2``."""
    pairs = [part.rpartition("=") for part in text.split(",")]
    return {name.strip(): cost.strip() for name, _, cost in pairs} if "=" in text else text


@command(
    "questions titanic --budget 2", *source,
    option("--budget", "N", "the largest number of questions for one person (no limit; 3 for a sample)"),
    option("--costs", "P/Q|A=P/Q,..", "the cost of each question in the unit of the loss, or of some questions: "
           "A=1/50,B=2 (nothing)", type=_costs),
    add_criterion(", and the default"),
    flag("--against-subsets", "also compare questions in turn with the best subsets of as many features"),
    option("--out", "PICTURE", "draw the tree to this file: .svg, .png, .pdf"), as_json)  # fmt: skip
def questions(arguments: argparse.Namespace) -> str:
    """Find the best questions to ask one after another, each chosen by the answers so far."""
    from fstheory.samples.estimates import tree_risk
    from fstheory.samples.left_out import LeftOutLoss
    from fstheory.selection.questions import best_questions

    options.require_picture(arguments)
    given, also, notes = options.picked(arguments, "budget", "costs"), dict[str, Any](), []
    d = sources.read_data(arguments)
    if isinstance(d, Sample):
        refuse(arguments, "left out if SOURCE is a sample, whose rows are each predicted by the others", "criterion")
        given["budget"] = _QUESTIONS if arguments.budget is None else arguments.budget

        def grown(s: Sample) -> QuestionPolicy:
            return best_questions(s.empirical(), LeftOutLoss.of(s), **given)

        found = grown(d)
        if d.m >= 2 * _FOLDS:
            also["new_rows"] = risk = tree_risk(d, grown, folds=_FOLDS, rng=np.random.default_rng(0))
            tree, guess = (
                f"{percent(wrong / d.m)} ({' to '.join(map(percent, risk.interval(wrong)))})"
                for wrong in (risk.wrong, risk.wrong_guesses)
            )
            notes = [
                f"on new rows: about {tree} wrong, and {guess} by guessing",
                f"  {_FOLDS} trees, each grown without a part of the rows, predicted this part",
            ]
    else:
        found = best_questions(d, criterion_of(arguments, d), **given)
    gains = found.against_subsets() if arguments.against_subsets else None
    wrote = options.drawn(arguments, found.plot)
    also |= {} if gains is None else {"against_subsets": gains.rows}
    text = [str(found), *notes, *([] if gains is None else [str(gains)]), *wrote]
    return options.printed(arguments, found, "\n".join(text), **also)


_QUESTIONS = 3  # for one person, if the tree is grown on a sample and no budget is given
_FOLDS = 10
_CHANCE = (
    "many columns together predict few rows by chance: --max-size 3 --within 1/20 looks for small sets, and 'fstheory "
    "report' says which columns to name in --features"
)


@command(
    "solutions titanic --within 1/100", *source,
    option("--within", "P/Q", "the difference from the value of all features that is allowed", default="0"),
    add_criterion(", and the default"),
    option("--max-size", "N", "find solutions of at most N features (any number)"),
    option("--limit", "N", "stop after N solutions (never; for a sample 1,000 if there is no other limit)"),
    option("--time-limit", "SECONDS", "stop after this time (never)"), options.resume,
    flag("--ranges", "also say between which limits the importance of each feature lies"), as_json)  # fmt: skip
def solutions(arguments: argparse.Namespace) -> str:
    """Find every minimal subset that is nearly as good as all features, and prove that there is no other."""
    from fstheory.selection.solutions import all_solutions

    d = sources.read_data(arguments, numbers=True)
    given = options.picked(arguments, "within", "max_size", "limit", "time_limit", "resume")
    if isinstance(d, Sample) and given["max_size"] is given["limit"] is given["time_limit"] is None:
        given["limit"] = 1000
    found = options.watch(all_solutions, d, criterion_of(arguments, d), **given)
    ranges = found.ranges() if arguments.ranges else None
    chance = isinstance(d, Sample) and not (found.complete and found.solutions)
    parts = [plug_in_note(d) + str(found), *([] if ranges is None else [str(ranges)]), *[_CHANCE] * chance]
    text = "\n".join(parts)
    also = {} if ranges is None else {"least": ranges.least, "largest": ranges.largest}
    return options.printed(arguments, found, text, **also, **of_sample(d))


def _case(text: str) -> list[tuple[str, str]]:
    """Return the features and their states in a text such as ``A=1,B=2``. A part without ``=`` belongs to its left."""
    parts = list[str]()
    for part in text.split(","):
        if parts and "=" not in part:
            parts[-1] += f",{part}"
        else:
            parts.append(part)
    pairs = [(name.strip(), state.strip()) for name, _, state in (part.partition("=") for part in parts)]
    if not all(name and "=" in part for (name, _), part in zip(pairs, parts, strict=True)):
        raise argparse.ArgumentTypeError(f"must be features with their states, such as A=1,B=2, not {show(text)}")
    return pairs


@command(
    "reasons titanic --case class=crew,sex=male,age=adult", *source,
    option("--case", "A=1,B=2,..", "a state of each feature: the person to be explained (every possible case)",
           type=_case),
    option("--tolerance", "P/Q", "the share of the people covered by a reason who may have another verdict",
           default="0"),
    option("--time-limit", "SECONDS", "stop after this time (never)"),
    option("--out", "PICTURE", "draw the reasons to this file: .svg, .png, .pdf"), as_json)  # fmt: skip
def reasons(arguments: argparse.Namespace) -> str:
    """Find the reasons for a verdict: the fewest features that settle it, and the smallest changes that change it."""
    from fstheory.selection.solutions import reasons as find

    options.require_picture(arguments)
    data, notes, x = sources.read_data(arguments), list[str](), None
    d = data.empirical() if isinstance(data, Sample) else data
    if isinstance(data, Sample):
        notes = [f"the verdicts are the majorities of these {data.m:,} rows: new rows can have others"]
    if arguments.case is not None:
        x = dict[str, Label]()
        for name, state in arguments.case:
            require_known(name, "feature", d.features)
            x[name] = _label_of(state, d.states[name], f"state of {name}")
    found = options.watch(find, d, x, **options.picked(arguments, "tolerance", "time_limit"))
    wrote = options.drawn(arguments, found.plot)
    return options.printed(arguments, found, "\n".join([str(found), *notes, *wrote]), **of_sample(data))


@command(
    "bound titanic --remove sex --bound theorem-3-sharp",
    *source,
    option("--remove", "A,B,..", "the features to remove; '' for none (every set of features, in one table)"),
    option(
        "--bound", "NAME", f"all (the default), or one of: {', '.join(BOUNDS)}", choices=("all", *BOUNDS), default="all"
    ),
    add_criterion(", and the default, for fano and hellman-raviv with --remove; balanced, cost and f are others"),
    as_json,
)
def bound(arguments: argparse.Namespace) -> str:
    """Compare the risk that removed features add with the bounds of the theorems."""
    from fstheory.reports.page import fold

    d, own, classical = sources.read_source(arguments), ("criterion", *takers_of_criteria()), ("fano", "hellman-raviv")
    options.refuse_others(arguments, "bound", arguments.bound, dict.fromkeys(own, classical))
    if arguments.remove is None:
        refuse(arguments, "left out without --remove", *own)
        named = None if arguments.bound == "all" else [arguments.bound]
        return options.printed(arguments, bounds_table(d, bounds=named))
    mask_of(arguments.remove, d.features, "--remove")
    if arguments.bound == "all":
        table = bounds_table(d, arguments.remove)
        checks, text = {row.bound: row.check for row in table.rows if row.check is not None}, str(table)
        reasons = {row.bound: row.reason for row in table.rows if row.check is None}
    else:
        given = {"criterion": criterion_of(arguments, d)} if arguments.bound in classical else {}
        check = BOUNDS[arguments.bound](d, arguments.remove, **given)
        checks, text, reasons = {arguments.bound: check}, f"{check}\n{check.source}", {}
    if arguments.json:
        variables = {"features": list(d.features), "removed": _ordered(arguments.remove, d)}
        return dump(document("bounds", {**variables, "bounds": to_json(checks), "not_applicable": reasons}))
    return fold(f"A = {_written(arguments.remove, d)} removed of {_written(d.features, d)}\n\n{text}")
