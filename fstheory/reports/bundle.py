"""Folders for the supplement of a paper: a statement of the ledger with its certificates, or proofs for Coq."""

from __future__ import annotations

import io
import json
import os
from collections.abc import Iterator, Mapping
from importlib import resources
from pathlib import Path
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from fstheory._support.exact import latex_escaped
from fstheory._support.files import as_path
from fstheory._support.result import titled, to_json
from fstheory.coq import coq_name, library
from fstheory.distributions.joint import JointDistribution
from fstheory.errors import OutputError, explain, require, require_type
from fstheory.logic.certificate import Certificate
from fstheory.logic.entry import KINDS, Entry
from fstheory.logic.ledger import claims, verified
from fstheory.logic.statement import located
from fstheory.logic.verdict import Impossible, Proved, Refuted
from fstheory.reports.audit import entry_markdown
from fstheory.reports.forms import generator, write_folder

_LONGEST, _MOST = 40, 8  # characters of a term whose value is printed, and how many of these
_NO_CERTIFICATE = "The ledger has no certificate for this statement; the evidence above says what it rests on."
_OF_TEXT = str.maketrans({"<": r"\textless{}", ">": r"\textgreater{}", "|": r"\textbar{}", "≈": r"$\approx$"})


def save_bundle(entry: Entry | str, folder: str | os.PathLike[str]) -> tuple[Path, ...]:
    """Write a statement of the ledger and its certificates into a new folder, for the supplement of a paper.

    The certificates are verified first. The folder has these files, and their paths are returned:

    * README.md, with the command that verifies the certificates;
    * statement.tex for a paper, with the verdict, and with the counterexamples as tables;
    * verdict.json;
    * the certificates;
    * checker.pyz, which verifies them on any computer with Python 3.11 or later, without an installation. It is left
      out if there are no certificates.

    Raises
    ------
    CertificateError
        A certificate does not prove what it should. Nothing is written then.
    OutputError
        The folder exists, or cannot be written.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as parent:
    ...     [path.name for path in save_bundle("A-F3", Path(parent) / "supplement")]
    ['README.md', 'statement.tex', 'verdict.json', 'A-F3.json', 'checker.pyz']
    """
    require_type(entry, (Entry, str), "entry", "an entry of the ledger, or its id", "pass 'PN-3', say")
    entry = claims[entry] if isinstance(entry, str) else entry
    where = as_path(folder, "folder", "pass the name of a new folder")
    if os.path.lexists(where):
        raise OutputError(explain("folder", "the name of a new folder", str(folder), "pass another one"))
    found = list(verified(entry))
    line = " ".join(["python3 checker.pyz", *(file for file, *_ in found)]) if found else None
    checks = [{"file": file, "status": checked.status, "summary": checked.summary} for file, _, checked in found]
    content = {"generator": generator(), "entry": to_json(entry), "certificates": checks, "verify": line}
    texts = {
        "README.md": "\n".join(_readme(entry, line, checks)) + "\n",
        "statement.tex": "\n".join(_statement(entry, [(file, one, checked.summary) for file, one, checked in found])),
        "verdict.json": json.dumps(titled("bundle", content), ensure_ascii=False, indent=1) + "\n",
        **{file: certificate.to_json() for file, certificate, _ in found},
    }
    files: dict[str, bytes | None] = {name: text.encode() for name, text in texts.items()}
    if found:
        files["checker.pyz"] = checker_archive()
    write_folder(where, files)
    return tuple(where / name for name in files)


def save_coq(
    proof: Proved | Impossible | Certificate | Entry | str, folder: str | os.PathLike[str]
) -> tuple[Path, ...]:
    """Write a proof, or the proofs of a statement of the ledger, as a folder that the Coq proof assistant checks alone.

    Use it for a referee who wants to trust neither fstheory nor its checker. The folder has the definitions of
    distributions and risks, the library with its proofs, one file for each proof, and README.md with the command. The
    claim stands at the top of the file of a proof, as the definition `statement`. The files written are returned.

    Raises
    ------
    CertificateError
        A certificate is not accepted by the checker. Nothing is written then.
    InvalidValueError
        The proof uses something that the Coq library does not have; see `fstheory.logic.Certificate.to_coq`.
    OutputError
        The folder exists, or cannot be written.

    Examples
    --------
    >>> import tempfile
    >>> from fstheory.proofs import prove
    >>> with tempfile.TemporaryDirectory() as parent:
    ...     [path.name for path in save_coq(prove("PN-M", features=2), Path(parent) / "coq")][-3:]
    ['Weights.v', 'PN_M.v', 'README.md']
    """
    kinds = (Proved, Impossible, Certificate, Entry, str)
    require_type(proof, kinds, "proof", "a proof, a certificate, or an entry of the ledger", "pass prove(..), say")
    where = as_path(folder, "folder", "pass the name of a new folder")
    if os.path.lexists(where):
        raise OutputError(explain("folder", "the name of a new folder", str(folder), "pass another one"))
    if isinstance(proof, Entry | str):
        entry = claims[proof] if isinstance(proof, str) else proof
        found = {Path(file).stem: one for file, one, _ in verified(entry) if one["kind"] == "proved"}
        require(found, "proof", "an entry with a proof by cases", entry.id, "see fstheory audit")
    else:
        certificate = proof if isinstance(proof, Certificate) else proof.certificate
        found = {str(certificate.get("claim")): certificate}
    files = coq_files(found)
    write_folder(where, {name: text.encode() for name, text in files.items()})
    return tuple(where / name for name in files)


def coq_files(certificates: Mapping[str, Certificate]) -> dict[str, str]:
    """Return the files of a folder that Coq checks: the library, one file for each certificate, and README.md."""
    theorems = {coq_name(name): certificate.to_coq() for name, certificate in certificates.items()}
    order = " ".join([*(name.removesuffix(".v") for name in library()), *theorems])
    lines = [
        "# Proofs for Coq",
        "",
        "Each of these files states a claim about distributions as the definition `statement`, and proves it:",
        *(f"`{name}.v`" for name in theorems),
        "",
        "The definitions of distributions and of the Bayes risk are in `Distributions.v`, those of entropies in",
        "`Entropies.v`. Nothing else has to be believed but Coq and its axioms, which it prints after each theorem.",
        "With Coq 8.16 or later, this checks all of it:",
        "",
        f"    for file in {order}; do coqc -Q . FS $file.v || break; done",
        "",
        f"Made by {generator()}.",
        "",
    ]
    return library() | {f"{name}.v": text for name, text in theorems.items()} | {"README.md": "\n".join(lines)}


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


def _readme(entry: Entry, line: str | None, checks: list[dict[str, str]]) -> Iterator[str]:
    yield from (*entry_markdown(entry, lambda file: f"[{file}]({file})", 1), "", f"From {entry.paper}.", "")
    if line is None:
        yield _NO_CERTIFICATE
    else:
        yield from ("In this folder, any Python from 3.11 on verifies the certificates from the definitions:", "")
        yield f"    $ {line}"
        yield from (f"    {check['file']}: {check['status']}: {check['summary']}" for check in checks)
        yield from (
            "",
            "`fstheory verify-certificate` also compares their statements with the claim.",
        )
    yield from ("", f"statement.tex needs amsmath, amssymb and T1 fonts. Made by {generator()}.")


def _statement(entry: Entry, found: list[tuple[str, Certificate, str]]) -> Iterator[str]:
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
    for file, certificate, summary in found:
        yield from ("", rf"\paragraph{{{_code(file)}}} {_text(summary)}.{_text(_where(certificate))}")
        yield from _table(certificate)
    if not found:
        yield _NO_CERTIFICATE
    yield ""


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
