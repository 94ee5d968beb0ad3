"""The files of the Coq library, names that they leave free, and the record of what Coq has accepted."""

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
# What a theorem may not be called: the names that its own file defines, and the reserved words of Coq.
_RESERVED = re.compile(
    f"{'|'.join(LIBRARY)}|statement|formula|weights|terms|tops|assumed|claims|trees|splits|split_maxima|[a-z]+_pairs|"
    "about_[a-z]+_here|M_|[hk][0-9]+.*|Prop|SProp|Set|Type|as|at|by|cofix|else|end|exists|exists2|fix|for|forall|fun|if|"
    "in|let|match|return|then|using|where|with"
)


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
    """Return the name of a claim as a name for Coq, which is neither reserved nor that of a file of the library.

    Examples
    --------
    >>> coq_name("PN-3"), coq_name("5% of it"), coq_name("Cases"), coq_name("fun")
    ('PN_3', 'claim_5__of_it', 'claim_Cases', 'claim_fun')
    """
    name = re.sub(r"[^A-Za-z0-9_]", "_", claim)
    return name if name[:1].isalpha() and not _RESERVED.fullmatch(name) else f"claim_{name}"
