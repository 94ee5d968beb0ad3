"""The commands about claims: check, prove, refute, realize, and the ledger with its certificates."""

from __future__ import annotations

import argparse
import contextlib
import importlib.machinery
import importlib.util
import sys
import traceback
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fstheory import errors
from fstheory._support.files import as_source
from fstheory._support.result import columns, titled as document, to_json
from fstheory.cli import options, sources
from fstheory.cli.options import Answer, as_json, command, flag, names, option, picked, source, states, watch, workers
from fstheory.errors import FSTheoryError, InvalidValueError, explain, require

if TYPE_CHECKING:
    from fstheory.logic.claims import Claim
    from fstheory.logic.entry import Entry
    from fstheory.logic.verdict import Verdict
    from fstheory.proofs.extremum import Extremum

_A_CLAIM = (
    "an id of the ledger ('fstheory audit' lists them), or FILE.py:NAME, a function in a file of your own; the file is "
    "run as a program, so use only files that you trust"
)
_claim = option("claim", "CLAIM", _A_CLAIM)
_without = option("--without", "NAME", "drop this assumption; repeatable", type=names, action="append")
_max_total = option("--max-total", "N", "search all tables of integer weights with a sum up to N")
_time_limit = option("--time-limit", "SECONDS", "stop after this time (never)")
_certificate = option("--certificate", "FILE", "write the certificate to this file")
_certificates = option(
    "--certificate",
    "FILE",
    "write the certificate to this file (for --features 2,3: c-2.json and c-3.json, not c.json)",
)
_out = option("--out", "FILE", "write the distribution to this file, as JSON")
_assume = option(
    "--assume",
    "NAME",
    "what the distribution must satisfy: positive, unique_maximum, or FILE.py:NAME",
    type=names,
    action="append",
)
_so_many = option("--features", "N", "the number of features, with any numbers of states")
_shape = options.either(states("states of each feature"), _so_many, required=True)
_classes = option("--classes", "N", "number of classes (2; with --features any)")
_so_many_or_every = option("--features", "N,..", "the number of features, several numbers such as 2,3,4, or every")
_shape_or_every = options.either(states("states of each feature"), _so_many_or_every, required=True)
_to_prove = (_classes, _without, _time_limit)
_MODULE = "claims of a file"  # a name that no import statement can use
_VALUES = 8  # the values of a counterexample that are shown


def claim_of(text: str) -> Claim:
    """Return the claim that ``PN-3`` or ``FILE.py:NAME`` names. The file is run.

    A plain function becomes a claim without assumptions.
    """
    path, _, name = text.rpartition(":")
    if text.endswith(".py") or path.endswith(".py"):
        return _claim_in(text if text.endswith(".py") else path, "" if text.endswith(".py") else name)
    from fstheory.logic.ledger import claims

    try:
        return claims[text].stated()
    except errors.UnknownNameError as error:
        raise errors.UnknownNameError(f"{error}; a claim of your own is FILE.py:NAME") from error


def _claim_in(path: str, name: str) -> Claim:
    from fstheory.logic.claims import Claim, claim

    content = _run(Path(path))
    found = content.get(name)
    if isinstance(found, Claim):
        return found
    if callable(found):
        return claim(found)
    declared = {key: value.body for key, value in content.items() if isinstance(value, Claim)}
    own = [key for key, body in declared.items() if getattr(body, "__module__", "") == _MODULE]
    repair = f"name one of {own or 'its claims'}"
    require(name, "a claim in a file", "FILE.py:NAME", path, repair)
    raise errors.unknown(f"claim of {path}", name, own)


def _run(path: Path) -> dict[str, Any]:
    """Run a file as a module, as ``python FILE.py`` would, and return its names. No compiled copy is written."""
    loader = importlib.machinery.SourceFileLoader(_MODULE, str(path))
    spec = importlib.util.spec_from_file_location(_MODULE, path, loader=loader)
    assert spec is not None
    module = importlib.util.module_from_spec(spec)
    source = as_source(path, "CLAIM").read_bytes()
    sys.modules[_MODULE] = module
    sys.path.insert(0, str(path.resolve().parent))  # so that it can import files beside it
    try:
        exec(loader.source_to_code(source, str(path)), module.__dict__)
    except FSTheoryError:
        raise  # a wrong declaration of a claim: the error names the place
    except (Exception, SystemExit) as error:
        from fstheory.logic.claims import error_text

        raise errors.ClaimError(f"{_place(path, error)}: running it failed: {error_text(error)}") from error
    finally:
        with contextlib.suppress(ValueError):  # the file may have changed it
            sys.path.remove(str(path.resolve().parent))
    return dict(module.__dict__)


def _place(path: Path, error: BaseException) -> str:
    steps = traceback.walk_tb(error.__traceback__)
    lines = [number for frame, number in steps if frame.f_code.co_filename == str(path)]
    if isinstance(error, SyntaxError) and error.lineno is not None:
        lines.append(error.lineno)
    return f"{path}, line {lines[-1]}" if lines else str(path)


@command("check PN-3 titanic", option("claim", "CLAIM", _A_CLAIM, nargs="+"), *source, _certificate, as_json)
def check(arguments: argparse.Namespace) -> Answer:
    """Decide whether a claim is true at one distribution, or each of several claims."""
    first, *others = arguments.claim
    if others:
        options.refuse(arguments, "left out if several claims are checked", "certificate")
    d = sources.read_source(arguments)
    if not others:
        return _answer(claim_of(first).check(d), arguments, table=False)
    verdicts = {name: claim_of(name).check(d) for name in arguments.claim}
    if arguments.json:
        return _verdicts({name: {**to_json(verdict), "distribution": None} for name, verdict in verdicts.items()})
    return Answer("\n".join(columns([(name, _short(name, verdict)) for name, verdict in verdicts.items()])))


@command(
    "theorems titanic", *source,
    option("--only", "ID,ID,..", "only these statements of the ledger", type=names),
    flag("--all", "every statement of the ledger about one distribution, with examples and steps of proofs"),
    as_json)  # fmt: skip
def theorems(arguments: argparse.Namespace) -> Answer:
    """Check the theorems of the papers at one distribution: assumptions and conclusions, each by itself."""
    from fstheory.logic.sheet import theorems

    if arguments.all:
        options.refuse(arguments, "left out with --all", "only")
    sheet = theorems(sources.read_source(arguments), "all" if arguments.all else arguments.only)
    return Answer(options.dump(sheet.to_dict()) if arguments.json else str(sheet))


def _verdicts(by_name: dict[str, dict[str, Any]]) -> Answer:
    return Answer(options.dump(document("verdicts", {"verdicts": by_name})))


def _short(key: str, verdict: Verdict | errors.FSTheoryError) -> str:
    from fstheory.logic.statement import located
    from fstheory.logic.verdict import Refuted

    if isinstance(verdict, errors.FSTheoryError):
        return f"not decided: {verdict}"
    if isinstance(verdict, Refuted):
        return "refuted" + located(verdict.where)
    return str(verdict).removeprefix(f"{key}: ")


@command(
    "prove PN-3 --cardinalities 2,2,3 --certificate proof.json",
    _claim, _shape_or_every, *_to_prove, flag("--second-opinion", "ask the solver cvc5 too"),
    options.resume, workers, _certificates, _out,
    as_json)  # fmt: skip
def prove(arguments: argparse.Namespace) -> Answer:
    """Prove a claim for every distribution of a shape, or for any numbers of states, or refute it."""
    return _answer(_proved(arguments, "second_opinion", "resume"), arguments)


def _proved(arguments: argparse.Namespace, *more: str) -> Verdict:
    """Return the verdict on the claim and the shape that the arguments name."""
    from fstheory.proofs.prover import prove as prove_claim

    given = picked(arguments, "cardinalities", "features", "classes", "time_limit", "executor", *more)
    return watch(prove_claim, claim_of(arguments.claim), without=_flat(arguments.without), **given)


@command(
    "refute PN-4 --without positive --certificate smallest.json",
    _claim, _without, options.either(states("states of each feature; all small shapes if left out"), _so_many),
    option("--classes", "N", "number of classes; from 2 on if left out"),
    option("--max-features", "N", "largest number of features (3)"),
    option("--max-cardinality", "N", "largest number of states of a feature (3)"),
    option("--max-classes", "N", "largest number of classes (3)"), _max_total,
    option("--seed", "N", "seed of the distributions drawn at random (0)"),
    options.resume, workers, _time_limit, _certificate, _out, as_json)  # fmt: skip
def refute(arguments: argparse.Namespace) -> Answer:
    """Search for the smallest distribution at which a claim is false."""
    from fstheory.proofs.refutation import refute as refute_claim

    claim, without = claim_of(arguments.claim), _flat(arguments.without)
    limits = ("max_features", "max_cardinality", "max_classes", "max_total", "seed", "executor", "time_limit")
    given = {name: value for name, value in picked(arguments, *limits).items() if value is not None}
    given |= picked(arguments, "cardinalities", "features", "classes", "resume")
    return _answer(watch(refute_claim, claim, without=without, **given), arguments)


@command(
    "referee PN-4 --time-limit 60",
    _claim, options.either(states("states of each feature"), option("--features", "N", "the most features (3)")),
    _classes, option("--time-limit", "SECONDS", "stop after this time (60)", default=60), workers, as_json)  # fmt: skip
def referee(arguments: argparse.Namespace) -> Answer:
    """Answer what a referee asks of a claim: is it true, is each premise needed, is the bound sharp, and more."""
    from fstheory.proofs.referee import referee as ask

    given = picked(arguments, "cardinalities", "features", "classes", "time_limit", "executor")
    report = watch(ask, claim_of(arguments.claim), **given)
    return Answer(options.printed(arguments, report), options.STATUS.get(report.status, options.NEITHER))


@command(
    "needed-assumptions PN-6",
    _claim, states("states of each feature (one to three binary ones)"), options.two_classes, _max_total,
    options.resume, workers, _time_limit, as_json)  # fmt: skip
def needed_assumptions(arguments: argparse.Namespace) -> Answer:
    """Find, for each assumption of a claim, a counterexample without it, or a proof that it is not needed."""
    from fstheory.proofs.prover import needed_assumptions as drop_each

    claim = claim_of(arguments.claim)
    given = picked(arguments, "cardinalities", "classes", "max_total", "time_limit", "executor", "resume")
    verdicts = watch(drop_each, claim, **given)
    if arguments.json:
        return _verdicts(to_json(verdicts))
    outcome = {"refuted": "is needed", "proved": "is not needed"}
    texts = [
        f"{name} {outcome.get(verdict.status, 'may be needed or not')}.\n{_text(verdict)}"
        for name, verdict in verdicts.items()
    ]
    return Answer("\n\n".join(texts) or f"{claim.title} assumes nothing.")


@command(
    "supremum worst.py:lost --subject-to worst.py:ranked_first --features 3 --certificate bound.json",
    option("term", "FILE.py:NAME", "a function that returns a term of the language of claims; the file is run"),
    _shape, options.two_classes,
    option("--subject-to", "FILE.py:NAME", "the condition: a function that returns a formula"), _assume,
    flag("--smallest", "find the smallest value instead"),
    options.resume, workers, _time_limit, _certificate, _out, as_json)  # fmt: skip
def supremum(arguments: argparse.Namespace) -> Answer:
    """Find the largest value of a term over all distributions, with a proof that none is above."""
    from fstheory.proofs import infimum as smallest, supremum as largest

    given = picked(arguments, "cardinalities", "features", "classes", "time_limit", "executor", "resume")
    given["assume"] = _assumed(arguments)
    given["subject_to"] = None if arguments.subject_to is None else claim_of(arguments.subject_to)
    find = smallest if arguments.smallest else largest
    return _answer(watch(find, claim_of(arguments.term), **given), arguments)


@command(
    "realize 'X1X2 < X1 = X2 < {}' --assume positive --out d.json",
    option("ordering", "ORDERING", "all subsets, smallest risk first: 'X1X2 < X1 = X2 < {}'"),
    options.feature_names, states("states of each feature (2 each)"), options.two_classes,
    _assume, options.resume, workers, _time_limit, _certificate, _out, as_json)  # fmt: skip
def realize(arguments: argparse.Namespace) -> Answer:
    """Find a distribution with a given ordering of the Bayes risks, ties included, or a proof that there is none."""
    from fstheory.proofs.realization import realize as find

    given = picked(arguments, "cardinalities", "classes", "time_limit", "executor", "resume")
    given["features"] = None if arguments.features is None else options.features_of(arguments)
    given["assume"] = _assumed(arguments)
    return _answer(watch(find, arguments.ordering, **given), arguments)


@command(
    "audit PN-3 PN-4", option("ids", "ID", "only these entries", nargs="*"), workers,
    options.either(flag("--markdown", "print a page of Markdown with all evidence"), as_json))  # fmt: skip
def audit(arguments: argparse.Namespace) -> Answer:
    """List the ledger: what the papers say and what is true, with all certificates verified."""
    from fstheory.reports.audit import audit as audit_ledger, audit_markdown
    from fstheory.reports.page import fold

    audited = watch(audit_ledger, *arguments.ids, executor=arguments.executor)
    if arguments.json:
        return Answer(options.dump(document("audit", {"entries": to_json([row.entry for row in audited])})))
    if arguments.markdown:
        return Answer(audit_markdown(audited).rstrip("\n"))
    entries = f"{len(audited)} entr{'y' if len(audited) == 1 else 'ies'}"
    certificates = f"{audited.verified} certificate{'s' * (audited.verified != 1)}"
    return Answer(f"{fold(str(audited))}\n\n{entries}, {certificates} verified")


@command(
    "bundle PN-4 --out supplement",
    option("id", "ID", "the entry, which 'fstheory audit' lists; or the FILE.json of a certificate of your own"),
    option("--out", "FOLDER", "a new folder, written whole or not at all; required", required=True))  # fmt: skip
def bundle(arguments: argparse.Namespace) -> str:
    """Write an entry of the ledger for the supplement of a paper: TeX, JSON, and its certificates."""
    from fstheory.logic.certificate import Certificate
    from fstheory.logic.ledger import claims
    from fstheory.reports.bundle import save_bundle
    from fstheory.reports.page import fold

    subject = Certificate.load(arguments.id) if arguments.id.endswith(".json") else claims[arguments.id]
    written = save_bundle(subject, arguments.out)
    names = dict.fromkeys(path.relative_to(arguments.out).parts[0] for path in written)
    return fold(f"{subject}\n\nWrote {', '.join(names)} in {arguments.out}")


@command(
    "to-coq PN-3 --features 3 --out pn3",
    _claim, _shape_or_every, *_to_prove, workers,
    option("--out", "FOLDER", "a new folder, which Coq checks alone; required", required=True))  # fmt: skip
def to_coq(arguments: argparse.Namespace) -> Answer:
    """Prove a claim, and write the proof as a folder that the Coq proof assistant checks from the definitions."""
    from fstheory.logic.verdict import Proved
    from fstheory.reports.bundle import save_coq

    verdict = _proved(arguments)
    status = options.STATUS.get(verdict.status, options.NEITHER)
    if not isinstance(verdict, Proved):
        return Answer(f"{_text(verdict)}\n\nThere is no proof, so {arguments.out} was not written", status)
    written = save_coq(verdict, arguments.out)
    command_line = written[-1].read_text(encoding="utf-8").partition("    for ")[2].partition("\n")[0]
    return Answer(f"{_text(verdict)}\n\nWrote {arguments.out}. To check it there:\n  for {command_line}", status)


@command(
    "verify-certificate smallest.json proof.json",
    option("files", "FILE", "certificates, as --certificate writes them", nargs="+"),
    option("--claim", "CLAIM", "the claim that the certificates must be about (the ledger entry that each names; if "
           "it names none, only the certificate itself is verified, with exit status 3)"),
    _without, as_json)  # fmt: skip
def verify_certificate(arguments: argparse.Namespace) -> Answer:
    """Verify from the definitions that certificates prove what they state."""
    from fstheory.logic.ledger import verify_certificate as verify

    claim = _claim_to_verify(arguments)
    rows, unread = [], []
    for path in arguments.files:
        try:
            checked = verify(path, claim)
            found: tuple[str, str | None, str] = checked.status, checked.claim, checked.summary
        except FSTheoryError as error:  # such as a file without a certificate, or a claim that cannot be stated
            found = "rejected", None, str(error)
        except OSError as error:  # the other files are still verified
            unread.append(error)
            found = "unread", None, str(error.strerror).lower()
        rows.append({"file": path, "status": found[0], "claim": found[1], "summary": found[2]})
    if len(unread) == len(rows):
        raise unread[0]
    statuses = {row["status"] for row in rows}
    status = options.TRUE if statuses == {"accepted"} else options.BAD_INPUT if unread else options.NEITHER
    status = options.FALSE if "rejected" in statuses else status
    if arguments.json:
        return Answer(options.dump(document("verified", {"certificates": rows})), status)
    return Answer("\n".join(f"{row['file']}: {row['status']}: {row['summary']}" for row in rows), status)


def _claim_to_verify(arguments: argparse.Namespace) -> Claim | Entry | None:
    from fstheory.logic.ledger import claims

    dropped = _flat(arguments.without)
    if arguments.claim is None:
        require(not dropped, "--without", "given with --claim", dropped, "name the claim")
        return None
    if arguments.claim in claims and not dropped:
        return claims[arguments.claim]  # the entry may have no claim, such as an entry about points
    return claim_of(arguments.claim).without(*dropped)


_FIGURES = tuple(map(str, range(100)))  # the numbers of figures
_EXPERIMENTS = ("ahmed-2015", "beraha-2019", "ng-1998", "sebban-nock-2002")


@command(
    "experiment ng-1998 --quick --out ng",
    option("name", "NAME", f"one of {', '.join(_EXPERIMENTS)}", choices=_EXPERIMENTS),
    option("--figure", "FIGURE", "only this figure, such as 1 or table-1; repeatable", action="append"),
    flag("--quick", "use a smaller setting: about a minute on one core, where the full one takes up to forty"),
    option("--out", "FOLDER", "write the figures as PNG and SVG, the numbers as JSON, and the trials to this folder"),
    flag("--resume", "go on from the trials in the folder of --out"), workers)  # fmt: skip
def experiment(arguments: argparse.Namespace) -> str:
    """Run an experiment of a paper again, and compare it with exact results."""
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
    figures = arguments.figure and [int(name) if name in _FIGURES else name for name in arguments.figure]
    given: dict[str, Any] = {"settings": chosen, "executor": arguments.executor, "resume": journal}
    found = watch(run_experiment, arguments.name, figures, how="with --resume ", **given)
    if folder is None:
        return str(found)
    return f"{found}\n\nWrote {', '.join(path.name for path in found.save(folder))} in {folder}"


def _answer(verdict: Verdict | Extremum, arguments: argparse.Namespace, *, table: bool = True) -> Answer:
    """Write the files that the options name, and return the verdict as text or JSON."""
    from fstheory.logic.verdict import certificates_of

    d = getattr(verdict, "distribution", None)
    notes = []
    for kind, path, values in (
        ("certificate", arguments.certificate, certificates_of(verdict)),
        ("distribution", getattr(arguments, "out", None), {} if d is None else {"": d}),
    ):
        if path is not None:
            extension, wrote = Path(path).suffix, list[str]()
            for end, value in values.items():
                file = path.removesuffix(extension) + end + extension
                value.save(file)
                wrote.append(file + f" (features={end[1:]})" * bool(end))
            notes.append(f"Wrote {', '.join(wrote)}" if wrote else f"There is no {kind}, so {path} was not written")
    status = options.STATUS.get(verdict.status, options.NEITHER)
    text = _text(verdict, table=table) + ("\n\n" if notes else "") + "\n".join(notes)
    return Answer(options.printed(arguments, verdict, text), status)


def _text(verdict: Verdict | Extremum, *, table: bool = True) -> str:
    """Return the text of a verdict, with the table of the distribution that was found."""
    from fstheory.logic.statement import located
    from fstheory.logic.verdict import Realized, Refuted
    from fstheory.reports.page import fold

    if isinstance(verdict, Refuted):
        values = [f"{term} = {value}" for term, value in verdict.values.items()]
        values[_VALUES:] = [f"... {len(values) - _VALUES} more"] * (len(values) > _VALUES)
        lines = [f"{verdict.claim}: refuted{located(verdict.where)}", *([", ".join(values)] if values else [])]
        text = "\n  ".join([*lines, verdict.minimality])
    else:
        text = f"{verdict.ordering}: realized" if isinstance(verdict, Realized) else str(verdict)
    found = verdict.distribution if isinstance(verdict, Refuted | Realized) and table else None
    return fold(text) + (f"\n\n{found}" if found is not None else "")


def _assumed(arguments: argparse.Namespace) -> list[Claim | str]:
    return [claim_of(name) if ".py" in name else name for name in _flat(arguments.assume, "--assume")]


def _flat(listed: list[tuple[str, ...]] | None, option: str = "--without") -> tuple[str, ...]:
    names = tuple(name for given in listed or () for name in given or ("",))
    require("" not in names, option, "the name of an assumption", "", "leave it out, or name one")
    return names
