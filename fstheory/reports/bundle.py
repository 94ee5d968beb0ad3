"""Folders for the supplement of a paper: statements with their certificates, or proofs for Coq."""

from __future__ import annotations

import io
import json
import os
import platform
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from importlib import resources
from itertools import chain, count
from pathlib import Path
from typing import Any, TypeAlias
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from fstheory._support.exact import latex_escaped
from fstheory._support.files import as_path
from fstheory._support.result import Result, titled, to_json
from fstheory.checker.certificates import Checked, check_certificate, statement_lines
from fstheory.coq.sources import coq_name, library
from fstheory.distributions.joint import JointDistribution
from fstheory.errors import InvalidValueError, MissingDependencyError, OutputError, explain, require, require_type
from fstheory.lattice.layout import MOST_NODES
from fstheory.logic.certificate import Certificate
from fstheory.logic.entry import KINDS, Entry
from fstheory.logic.ledger import claims, require_registered, verified
from fstheory.logic.statement import located
from fstheory.logic.verdict import Impossible, Proved, Realized, Refuted, certificates_of
from fstheory.logic.written_proof import WrittenProof
from fstheory.measures.risk import bayes_risks
from fstheory.reports.audit import entry_markdown
from fstheory.reports.forms import generator, write_folder

_LONGEST, _MOST = 40, 8  # characters of a term whose value is printed, and how many of these
_OWN = "The ledger of fstheory has no claim of this name. The statement is that of the formulas below."
_NO_CERTIFICATE = "There is no certificate for this; the text above says what it rests on."
_OF_TEXT = str.maketrans({"<": r"\textless{}", ">": r"\textgreater{}", "|": r"\textbar{}", "≈": r"$\approx$"})

Subject: TypeAlias = "Entry | str | Result | JointDistribution"
"""What a bundle is about: an entry of the ledger or its id, a verdict, a certificate, a distribution, a selection."""

_Found: TypeAlias = "dict[str, tuple[Certificate, Checked]]"
"""Certificates by the names of their files."""

_Part: TypeAlias = "tuple[list[str], list[str], Any, _Found, dict[str, JointDistribution]]"
"""What the folder has of one subject: the lines of README.md and of statement.tex, JSON data, certificates, and the
distributions by what the names of their files begin with."""


def save_bundle(subject: Subject | Sequence[Subject], folder: str | os.PathLike[str]) -> tuple[Path, ...]:
    """Write statements and their certificates into a new folder, for the supplement of a paper.

    The certificates are verified first. The folder has these files, and their paths are returned:

    * README.md, with the command that verifies the certificates;
    * statement.tex for a paper, with the verdicts, and with the counterexamples as tables;
    * verdict.json;
    * each distribution, and the drawing of its lattice if matplotlib is installed;
    * the certificates;
    * checker.pyz, which verifies them on any computer with Python 3.11 or later, without an installation. It is left
      out if there are no certificates;
    * coq, a folder with the proofs that can be written for Coq. README.md says why the others cannot.

    Parameters
    ----------
    subject : Entry, str, Certificate, JointDistribution or a result, or a list of several of these
        An entry of the ledger or its id, a verdict about a claim of your own, a certificate, a distribution, or a
        selection.
    folder : str or path-like
        The name of a new folder.

    Raises
    ------
    CertificateError
        A certificate does not prove what it should, or it names a claim of the ledger and is about another one. Nothing
        is written then.
    OutputError
        The folder exists, or cannot be written.

    Examples
    --------
    >>> import tempfile
    >>> from fstheory.distributions.gallery import xor
    >>> from fstheory.logic import claim
    >>> verdict = claim(lambda m: m.risk("X1") < m.risk(()), name="useful").check(xor())
    >>> with tempfile.TemporaryDirectory() as parent:
    ...     [path.name for path in save_bundle(verdict, Path(parent) / "own")][:4]
    ['README.md', 'statement.tex', 'verdict.json', 'useful-distribution.json']
    """
    where = _new(folder)
    subjects: Sequence[Any] = subject if type(subject) in (list, tuple) else [subject]  # type: ignore[assignment]
    require(subjects, "subject", "a list that is not empty", subjects, "pass a verdict in it")
    taken = {"statement", "verdict", "readme", "checker", "coq"}
    parts = [_of_entry(one) if isinstance(one, Entry) else _of_own(one, taken) for one in map(_known, subjects)]
    lines, latex, data, certificates, laws = zip(*parts, strict=True)
    found: _Found = {file: certified for one in certificates for file, certified in one.items()}
    line = " ".join(["python3 checker.pyz", *found]) if found else None
    printed = [
        f"    {line}"
        for file, (certificate, one) in found.items()
        for line in (f"{file}: {one}", *(f"  {formula}" for formula in statement_lines(certificate)))
    ]
    checks = [{"file": file, "status": one.status, "summary": one.summary} for file, (_, one) in found.items()]
    theorems, refused = _for_coq({file: certificate for file, (certificate, _) in found.items()})
    content: dict[str, Any] = {"generator": generator(), "python": platform.python_version()}
    content |= {"subjects": data, "certificates": checks, "verify": line}
    drawn = [_drawn(stem, d) for one in laws for stem, d in one.items()]
    texts = {
        "README.md": "\n".join([*chain.from_iterable(lines), *_readme(line, printed, bool(theorems), refused), ""]),
        "statement.tex": "\n".join(chain.from_iterable(latex)),
        "verdict.json": json.dumps(titled("bundle", content), ensure_ascii=False, indent=1) + "\n",
        **{file: text for files in drawn for file, text in files.items()},
        **{file: certificate.to_json() for file, (certificate, _) in found.items()},
    }
    files: dict[str, bytes | None] = {name: text.encode() for name, text in texts.items()}
    if found:
        files["checker.pyz"] = checker_archive()
    proofs = coq_files(theorems) if theorems else {}
    files |= {f"coq/{name}": text.encode() for name, text in proofs.items()}
    write_folder(where, files)
    return tuple(where / name for name in files)


def _known(subject: object) -> Entry | Result | JointDistribution:
    kinds = (str, Entry, Result, JointDistribution)
    require_type(
        subject, kinds, "subject", "an entry, its id, a verdict, a certificate or a distribution", "pass 'PN-3'"
    )
    if isinstance(subject, Entry):
        own = claims.get(subject.id, subject) is subject
        require(own, "subject", "the entry of the ledger that it names", subject.id, "give your entry another id")
    return claims[subject] if isinstance(subject, str) else subject  # type: ignore[return-value]


def _of_entry(entry: Entry) -> _Part:
    found = {file: (certificate, checked) for file, certificate, checked in verified(entry)}
    text = [*entry_markdown(entry, lambda file: f"[{file}]({file})", 1), "", f"From {entry.paper}.", ""]
    tables = {Path(file).stem: one["weights"] for file, (one, _) in found.items() if "weights" in one}
    of = {stem: JointDistribution(weights) for stem, weights in tables.items()}
    return (text, list(_statement(entry, found)), to_json(entry), found, of)


def _of_own(subject: Result | JointDistribution, taken: set[str]) -> _Part:
    """Return what the folder has of a subject that is not in the ledger. No file gets a name that is taken."""
    bare = isinstance(subject, Certificate)
    own = {"": subject} if isinstance(subject, Certificate) else certificates_of(subject)
    d = subject if isinstance(subject, JointDistribution) else getattr(subject, "distribution", None)
    if isinstance(subject, Certificate) and "weights" in subject:
        d = JointDistribution(subject["weights"])
    name = next((str(certificate.get("claim")) for certificate in own.values()), type(subject).__name__)
    begin = re.sub(r"[^A-Za-z0-9_]", "_", name)[:_LONGEST].strip("_") or "claim"
    stem = next(one for one in chain([begin], (f"{begin}_{i}" for i in count(2))) if one.lower() not in taken)
    taken.add(stem.lower())
    text, latex = [str(subject)], [rf"\section*{{{_text(name)}}}", r"\[", subject.to_latex(), r"\]"]
    found, notes = dict[str, tuple[Certificate, Checked]](), list[str]()
    for end, certificate in own.items():
        checked = check_certificate(certificate)
        require_registered(certificate)
        said = getattr(subject, "claim", name)
        require(said == name, "subject", f"about the claim of its certificate, {name}", said, "pass the certificate")
        notes = [] if name.partition(" without ")[0] in claims else [_OWN, ""]
        found[f"{stem}{end}.json"] = certificate, checked
        latex.append(f"{_text(checked.summary)}. The certificate is {_code(f'{stem}{end}.json')}.")
        if bare:
            text = [str(checked)]
            latex += _table(certificate)
        if "features" in certificate.get("shape", ()):
            latex += [r"\paragraph{Proof.} \mbox{} \\", WrittenProof(certificate).to_latex(), ""]
        latex += _formulas(certificate)
    of = {stem: d} if isinstance(d, JointDistribution) else {}
    data = text[0] if bare else to_json(subject)
    return ([f"# {name}", "", "```text", *text, "```", "", *notes], latex, data, found, of)


def _drawn(stem: str, d: JointDistribution) -> dict[str, str]:
    """Return the file of a distribution, and the drawing of its lattice if it is small and matplotlib is installed."""
    files = {f"{stem}-distribution.json": d.to_json() + "\n"}
    if 2 ** len(d.features) <= MOST_NODES:
        with suppress(MissingDependencyError):
            files[f"{stem}-lattice.svg"] = bayes_risks(d).plot().to_svg()
    return files


def _for_coq(certificates: Mapping[str, Certificate]) -> tuple[dict[str, str], list[str]]:
    """Return the theorems for Coq by their names, and for every other certificate why there is none."""
    theorems, refused = dict[str, str](), list[str]()
    for file, certificate in certificates.items():
        name = coq_name(Path(file).stem)
        try:
            theorems[name + "_" * (name in theorems)] = certificate.to_coq()
        except InvalidValueError as error:
            refused.append(f"- {file}: {error}")
    return theorems, refused


def save_coq(
    proof: Proved | Impossible | Refuted | Realized | Certificate | Entry | str, folder: str | os.PathLike[str]
) -> tuple[Path, ...]:
    """Write a proof or a counterexample, or the proofs of an entry of the ledger, as a folder that Coq checks alone.

    Use it for a referee who wants to trust neither fstheory nor its checker. The folder has the definitions of
    distributions and risks, the files of the Coq library that the proofs need, one file for each proof, and README.md
    with the command. The claim stands at the top of the file of a proof, as the definition `statement`. The files
    written are returned.

    Raises
    ------
    CertificateError
        A certificate is not accepted by the checker, or it names a claim of the ledger and is about another one.
        Nothing is written then.
    InvalidValueError
        The proof uses something that the Coq library does not have; see `fstheory.logic.Certificate.to_coq`.
    OutputError
        The folder exists, or cannot be written.

    Examples
    --------
    >>> import tempfile
    >>> from fstheory.proofs import prove
    >>> with tempfile.TemporaryDirectory() as parent:
    ...     [path.name for path in save_coq(prove("PN-M", features=2), Path(parent) / "coq")]
    ['Cases.v', 'Sums.v', 'Maxima.v', 'Distributions.v', 'EverySize.v', 'claim_PN_M.v', 'README.md']
    """
    kinds = (Proved, Impossible, Refuted, Realized, Certificate, Entry, str)
    require_type(proof, kinds, "proof", "a proof, a certificate, or an entry of the ledger", "pass prove(..), say")
    where = _new(folder)
    if isinstance(entry := _known(proof), Entry):
        found = {Path(file).stem: one for file, one, _ in verified(entry) if one["kind"] == "proved"}
        require(found, "proof", "an entry with a proof by cases", entry.id, "see fstheory audit")
    else:
        own = {"": entry} if isinstance(entry, Certificate) else certificates_of(entry)
        found = {f"{certificate.get('claim')!s:.190}{end}": certificate for end, certificate in own.items()}
    theorems = {coq_name(name): certificate.to_coq() for name, certificate in found.items()}
    for certificate in found.values():
        require_registered(certificate)
    files = coq_files(theorems)
    write_folder(where, {name: text.encode() for name, text in files.items()})
    return tuple(where / name for name in files)


def coq_files(theorems: Mapping[str, str]) -> dict[str, str]:
    """Return the files of a folder that Coq checks: the library that theorems need, a file for each, and README.md."""
    needed = library(theorems.values())
    order = " ".join([*(name.removesuffix(".v") for name in needed), *theorems])
    lines = [
        "# Proofs for Coq",
        "",
        "Each of these files states a claim about distributions as the definition `statement`, and proves it:",
        *(f"`{name}.v`" for name in theorems),
        "",
        "The definitions of distributions and of the Bayes risk are in `Distributions.v`.",
        *["Those of entropies are in `Entropies.v`."] * ("Entropies.v" in needed),
        *["Those of informations and of conditional independence are in `Notions.v`."] * ("Notions.v" in needed),
        "Nothing else has to be believed but Coq and its axioms, which it prints after each theorem.",
        "With Coq 8.16 or later, this checks all of it:",
        "",
        f"    for file in {order}; do coqc -Q . FS $file.v || break; done",
        "",
        f"Made by {generator()}.",
        "",
    ]
    return needed | {f"{name}.v": text for name, text in theorems.items()} | {"README.md": "\n".join(lines)}


def checker_archive() -> bytes:
    """Return the checker as a file that any Python from 3.11 on runs: a zip archive of its source, always the same.

    Examples
    --------
    >>> with ZipFile(io.BytesIO(checker_archive())) as archive:
    ...     archive.namelist()[:3]
    ['__main__.py', 'fstheory/__init__.py', 'fstheory/errors.py']
    """
    room = resources.files("fstheory.checker")
    main = "import sys\n\nfrom fstheory.checker.__main__ import main\n\nsys.exit(main(sys.argv[1:]))\n"
    sources = {"__main__.py": main, "fstheory/__init__.py": ""}
    sources["fstheory/errors.py"] = resources.files("fstheory").joinpath("errors.py").read_text(encoding="utf-8")
    for file in sorted(room.iterdir(), key=lambda file: file.name):
        if file.name.endswith(".py"):
            sources[f"fstheory/checker/{file.name}"] = file.read_text(encoding="utf-8")
    packed = io.BytesIO()
    with ZipFile(packed, "w", ZIP_DEFLATED) as archive:
        for name, text in sources.items():
            archive.writestr(ZipInfo(name), text, ZIP_DEFLATED)  # with the same date each time
    return packed.getvalue()


def _new(folder: str | os.PathLike[str]) -> Path:
    """Return the path of a folder that does not exist yet."""
    where = as_path(folder, "folder", "pass the name of a new folder")
    if os.path.lexists(where):
        raise OutputError(explain("folder", "the name of a new folder", str(folder), "pass another one"))
    return where


def _readme(line: str | None, printed: list[str], has_coq: bool, refused: list[str]) -> Iterator[str]:
    if line is None:
        yield _NO_CERTIFICATE
    else:
        yield from ("In this folder, any Python from 3.11 on verifies the certificates from the definitions:", "")
        yield from (f"    $ {line}", *printed)
        yield from (
            "",
            "`fstheory verify-certificate` also compares their statements with the claim.",
        )
    if has_coq:
        yield from ("", "The folder coq has proofs for the Coq proof assistant. The command is in coq/README.md.")
    if refused:
        yield from ("", "There is no file for Coq for these certificates:", "", *refused)
    yield ""
    versions = f"{generator()}, Python {platform.python_version()}"
    yield f"statement.tex needs amsmath, amssymb and T1 fonts. Made by {versions}."


def _statement(entry: Entry, found: Mapping[str, tuple[Certificate, Checked]]) -> Iterator[str]:
    yield rf"\section*{{{_text(entry.id)}: {_text(entry.place)}}}"
    yield from (f"{_text(entry.paper)}.", "", _text(entry.words))
    yield from ((r"\[", entry.latex, r"\]") if entry.latex else ("",))
    assumed = f" Assumed: {', '.join(map(_code, entry.assumptions))}." if entry.assumptions else ""
    yield rf"\textbf{{{entry.status.capitalize()}.}}{assumed}"
    reasons = [f"{KINDS[evidence.kind]}: {_text(evidence.what)}" for evidence in entry.evidence]
    reasons += [f"without {_code(name)}, {KINDS[one.kind]}: {_text(one.what)}" for name, one in entry.needs.items()]
    if reasons:
        yield from (r"\begin{itemize}", *(rf"\item {reason}" for reason in reasons), r"\end{itemize}")
    yield _text(entry.remark)
    for file, (certificate, checked) in found.items():
        yield from ("", rf"\paragraph{{{_code(file)}}} {_text(checked.summary)}.{_text(_where(certificate))}")
        yield from (*_formulas(certificate), *_table(certificate))
    if not found:
        yield _NO_CERTIFICATE
    yield ""


def _formulas(certificate: Certificate) -> Iterator[str]:
    """Yield the LaTeX lines of what a certificate assumes and states. TeX breaks a long formula at its spaces."""
    if lines := statement_lines(certificate):
        yield from (r"\begin{flushleft}", "\\\\\n".join(map(_code, lines)), r"\end{flushleft}")


def _where(certificate: Certificate) -> str:
    values = certificate["show"][0]["where"] if "weights" in certificate else {}
    return f" The instance: {located(tuple(values.items()), '')}." if values else ""


def _table(certificate: Certificate) -> Iterator[str]:
    """Yield the LaTeX lines of the distribution or the points of a certificate, with the compared values if short."""
    if "points" in certificate:
        rows = zip(certificate["points"], certificate["labels"], strict=True)
        cells = [f"{place} & ({', '.join(map(str, p))}) & {_text(label)}" for place, (p, label) in enumerate(rows)]
        head = r"\text{point} & \text{at} & \text{label} \\ \hline "
        yield from (r"\[", rf"\begin{{array}}{{c|cc}} {head}" + r" \\ ".join(cells) + r" \end{array}", r"\]")
    if "weights" in certificate:
        d = JointDistribution(certificate["weights"])
        yield from (r"\[", d.to_latex(), r"\]")
        values = Refuted(certificate["claim"], d, (), certificate, "").values.items()
        short = [f"{term} = {value}".replace("= ≈", "≈ ") for term, value in values if len(term) <= _LONGEST][:_MOST]
        yield from ([f"Values there: {', '.join(map(_code, short))}."] if short else [])


def _text(text: object) -> str:
    return latex_escaped(text).translate(_OF_TEXT)


def _code(text: str) -> str:
    return rf"\texttt{{{_text(text).replace('--', '-{}-')}}}"
