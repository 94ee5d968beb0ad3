"""Compile what the ledger exports for Coq, and record what it accepts: ``python -m tests.coq.compiled``.

Only those theorems are compiled that have changed since, or that import a file of the library that has. All of them
take about two minutes of CPU. Compare the record with git diff.
"""

import fcntl
import functools
import hashlib
import json
import re
import shutil
import subprocess
import sys
from collections import defaultdict
from collections.abc import Callable, Mapping
from pathlib import Path
from tempfile import TemporaryDirectory

from fstheory.coq.sources import library
from fstheory.coq.theorem import coq_theorem
from fstheory.errors import InvalidValueError
from fstheory.logic import Certificate
from tests.papers.certify import wanted

RECORD = Path(__file__).parents[2] / "fstheory" / "coq" / "accepted.json"
Compile = Callable[[str, str], subprocess.CompletedProcess[str]]

# What Coq may print as axioms of a theorem: those of its real numbers, and classical logic.
LOGIC = {
    "ClassicalDedekindReals.sig_forall_dec",
    "ClassicalDedekindReals.sig_not_dec",
    "FunctionalExtensionality.functional_extensionality_dep",
    "ClassicalEpsilon.constructive_indefinite_description",
    "Classical_Prop.classic",
}


def axioms(printed: str) -> set[str]:
    """Return the axioms that Coq printed."""
    return set(re.findall(r"^([A-Za-z_.]+)(?: :.*)?$", printed, re.MULTILINE)) - {"Axioms"}


@functools.cache
def exportable() -> dict[str, Certificate]:
    """Return the proofs by cases and the counterexamples of the ledger, by their files."""
    found = {str(evidence.certificate): evidence.load() for _, evidence, _ in wanted()}
    return {name: one for name, one in found.items() if set(one) & {"proofs", "weights"}}


@functools.cache
def exported() -> tuple[dict[str, str], dict[str, str]]:
    """Return the theorems of the ledger by the files of their certificates, and why there is none for the others."""
    theorems, refused = {}, {}
    for name, certificate in exportable().items():
        try:
            theorems[name] = coq_theorem(certificate)
        except InvalidValueError as error:
            refused[name] = str(error)
    return theorems, refused


def read(name: str) -> str:
    """Return the digest of all that Coq reads for a theorem of the ledger: its text, and the library that it needs."""
    text = exported()[0][name]
    return hashlib.sha256("".join([*library([text]).values(), text]).encode()).hexdigest()


def stale() -> list[str]:
    """Return which theorems of the ledger are not on record as they stand."""
    record = json.loads(RECORD.read_text(encoding="utf-8"))
    return [name for name in exported()[0] if record.get(exportable()[name]["digest"], ["", ""])[1] != read(name)]


def compiler(program: str, folder: Path, shared: Path) -> Compile:
    """Return what compiles a file in a folder after the files of the library that it needs.

    Those files are compiled once, in the folder `shared`, for all processes that name it.
    """

    def compiled(where: Path, file: str, text: str) -> subprocess.CompletedProcess[str]:
        (where / file).write_text(text, encoding="utf-8")
        command = [program, "-Q", str(shared), "FS", file]
        return subprocess.run(command, cwd=where, capture_output=True, text=True, check=False)

    def run(name: str, text: str) -> subprocess.CompletedProcess[str]:
        with (shared / "lock").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            for file, part in library([text]).items():
                if not (shared / file).exists():
                    done = compiled(shared, file, part)
                    assert (done.returncode, done.stderr) == (0, "")
        return compiled(folder, f"{name}.v", text)

    return run


def rejected(theorems: Mapping[str, str], run: Compile) -> list[str]:
    """Return which theorems Coq does not accept with no axiom of ours.

    Those that import the same are compiled in one process.
    """
    batches: dict[str, dict[str, str]] = defaultdict(dict)
    for name, text in theorems.items():
        head, scope, rest = text[text.index("From Coq") :].partition("Local Open Scope nat_scope.\n")
        batches[head + scope][name] = rest
    return [name for head, batch in batches.items() for name in _rejected(head, batch, run)]


def _rejected(head: str, batch: Mapping[str, str], run: Compile) -> list[str]:
    """Return which theorems are not accepted, each a module of one file. If one is not, try each half of the batch.

    Coq takes longer to list the axioms of a short theorem than to check it. It lists those of all of them together.
    """
    modules, names = [head], []
    for number, text in enumerate(batch.values()):
        body, _, name = text.rpartition("Print Assumptions ")
        modules.append(f"Module M{number}.\n{body}End M{number}.\n")
        names.append(f"M{number}.{name.strip().removesuffix('.')}")
    done = run("batch", f"{''.join(modules)}Definition all := ({', '.join(names)}).\nPrint Assumptions all.\n")
    if (done.returncode, done.stderr) == (0, "") and set() < axioms(done.stdout) <= LOGIC:
        return []
    if len(batch) == 1:
        return [*batch]
    parts, half = [*batch.items()], len(batch) // 2
    return [name for part in (parts[:half], parts[half:]) for name in _rejected(head, dict(part), run)]


def version(program: str) -> str:
    """Return the version of Coq without its last number."""
    printed = subprocess.run([program, "--version"], capture_output=True, text=True, check=True).stdout
    return ".".join(re.findall(r"version (\d+)\.(\d+)", printed)[0])


if __name__ == "__main__":
    found = shutil.which("coqc") or sys.exit("coqc is not installed")
    changed = stale()
    with TemporaryDirectory() as parent:
        refused = rejected({name: exported()[0][name] for name in changed}, compiler(found, Path(parent), Path(parent)))
    digests = {exportable()[name]["digest"]: name for name in exported()[0] if name not in refused}
    record = json.loads(RECORD.read_text(encoding="utf-8"))
    for digest, name in digests.items():
        record[digest] = [version(found) if name in changed else record[digest][0], read(name)]
    lines = [f"{json.dumps(digest)}: {json.dumps(record[digest])}" for digest in sorted(digests)]
    RECORD.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")
    print(f"Coq read {len(changed)} theorems again and rejected these: {refused}")
