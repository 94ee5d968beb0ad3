"""The files of the Coq library, the names of theorems, and the record of what Coq has accepted."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from functools import cache
from importlib import resources
from types import MappingProxyType

_FOLDER = resources.files("fstheory.coq")
LIBRARY = tuple(sorted(file.name.removesuffix(".v") for file in _FOLDER.iterdir() if file.name.endswith(".v")))
_REQUIRED = re.compile(r"^From FS Require (?:Import )?([\w ]+)\.$", re.MULTILINE)
_LONGEST = 200  # characters of a name, which is also that of a file


def library(theorems: Iterable[str]) -> dict[str, str]:
    """Return the files of the Coq library that some files need, by their names, in the order in which Coq reads them.

    A file needs the files that it imports, and those that these import.

    Examples
    --------
    >>> list(library(["From FS Require Import Maxima.", "From FS Require Cases Logarithms."]))
    ['Cases.v', 'Sums.v', 'Maxima.v', 'Logarithms.v']
    """
    found: dict[str, str] = {}
    for names in _REQUIRED.findall("\n".join(theorems)):
        for name in names.split():
            found |= _with_its_imports(name)
    return found


@cache
def _with_its_imports(name: str) -> dict[str, str]:
    text = _FOLDER.joinpath(f"{name}.v").read_text(encoding="utf-8")
    return library([text]) | {f"{name}.v": text}


@cache
def recorded() -> Mapping[str, str]:
    """Return the versions of Coq that accepted certificates of the ledger, by the digests of these.

    The record is a file of the package. It also has the digests of the files that Coq read. Coq is not run.

    Examples
    --------
    >>> sorted(set(recorded().values()))
    ['8.16']
    """
    record = json.loads(_FOLDER.joinpath("accepted.json").read_text(encoding="utf-8"))
    return MappingProxyType({digest: version for digest, (version, _) in record.items()})


def coq_name(claim: str) -> str:
    """Return the name of a claim as a name for Coq. It begins with "claim_", as no other name does.

    So it is no word of Coq such as Axiom, no name in the file of the theorem, and no file of the library.

    Examples
    --------
    >>> coq_name("PN-3"), coq_name("5% of it"), coq_name("Axiom")
    ('claim_PN_3', 'claim_5__of_it', 'claim_Axiom')
    """
    return f"claim_{re.sub(r'[^A-Za-z0-9_]', '_', claim)[:_LONGEST]}"
