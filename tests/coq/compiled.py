"""Compile what the ledger exports for Coq, and record what it accepts: ``python -m tests.coq.compiled``.

It takes some ten minutes of CPU. Compare the record with git diff.
"""

import functools
import json
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory

from fstheory.coq import LIBRARY, coq_name, coq_theorem, library
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


def compiler(program: str, folder: Path) -> Compile:
    """Return what compiles a file beside the library, which is compiled here."""

    def run(name: str, text: str) -> subprocess.CompletedProcess[str]:
        (folder / f"{name}.v").write_text(text, encoding="utf-8")
        command = [program, "-Q", ".", "FS", f"{name}.v"]
        return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)

    for name, text in library(f"From FS Require {name}." for name in LIBRARY).items():
        done = run(name.removesuffix(".v"), text)
        assert (done.returncode, done.stderr) == (0, "")
    return run


def accepted(name: str, run: Compile) -> bool:
    """Return whether a certificate of the ledger is exported, and Coq accepts it with no axiom of ours."""
    try:
        text = coq_theorem(exportable()[name])
    except InvalidValueError:
        return False
    done = run(coq_name(name.removesuffix(".json")), text)
    return (done.returncode, done.stderr) == (0, "") and axioms(done.stdout) <= LOGIC


def version(program: str) -> str:
    """Return the version of Coq without its last number."""
    printed = subprocess.run([program, "--version"], capture_output=True, text=True, check=True).stdout
    return ".".join(re.findall(r"version (\d+)\.(\d+)", printed)[0])


if __name__ == "__main__":
    found = shutil.which("coqc") or sys.exit("coqc is not installed")
    with TemporaryDirectory() as parent:
        run_coq = compiler(found, Path(parent))
        digests = [exportable()[name]["digest"] for name in exportable() if accepted(name, run_coq)]
    RECORD.write_text(json.dumps(dict.fromkeys(sorted(digests), version(found)), indent=0) + "\n", encoding="utf-8")
