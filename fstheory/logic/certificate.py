"""Certificates: verdicts as exact, self-contained, versioned JSON that `fstheory.checker` accepts or rejects."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any, Self

from fstheory._files import write_atomically
from fstheory._rational import format_fraction
from fstheory.distribution import JointDistribution
from fstheory.errors import InvalidFormatError, explain
from fstheory.logic.evaluate import Evaluation, Number
from fstheory.logic.nodes import comparison_terms, to_json
from fstheory.logic.statement import Named, Shape, Statement
from fstheory.logsum import ExactReal

__all__ = ["FORMAT", "VERSION", "Certificate", "certificate_at", "certificate_of_proof"]

FORMAT = "fstheory certificate"
VERSION = 1
_DIGITS = 15  # of the enclosure of an irrational value; 12 are asked for


class Certificate(Mapping[str, Any]):
    """The content of a certificate file, read-only.

    Parameters
    ----------
    content : mapping
        What JSON has, without the digest or with it.

    Notes
    -----
    A certificate says nothing about who made it: `fstheory.checker.check_certificate` verifies it from the definitions.

    Examples
    --------
    >>> certificate = Certificate({"format": FORMAT, "version": VERSION, "kind": "refuted"})
    >>> certificate["kind"], len(certificate["digest"])
    ('refuted', 64)
    """

    __slots__ = ("_text",)

    def __init__(self, content: Mapping[str, Any]) -> None:
        body = {key: part for key, part in content.items() if key != "digest"}
        canonical = json.dumps(body, sort_keys=True, separators=(",", ":"))
        digest = content.get("digest", hashlib.sha256(canonical.encode("ascii")).hexdigest())
        self._text = json.dumps({**body, "digest": digest})

    def __getitem__(self, key: str) -> Any:
        return json.loads(self._text)[key]  # a copy, so that nobody can change what the digest vouches for

    def __iter__(self) -> Iterator[str]:
        return iter(json.loads(self._text))

    def __len__(self) -> int:
        return len(json.loads(self._text))

    def __hash__(self) -> int:
        return hash(self._text)

    def __repr__(self) -> str:
        return f"<Certificate: {self['claim']} {self['kind']}, {len(self._text)} characters>"

    def to_json(self) -> str:
        """Return the text of the file: one top-level part a line."""
        parts = (f"{json.dumps(key)}: {json.dumps(part)}" for key, part in json.loads(self._text).items())
        return "{\n" + ",\n".join(parts) + "\n}\n"

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the file, whole or not at all.

        Raises
        ------
        OutputError
            It cannot be written.
        """
        write_atomically(path, self.to_json())

    @classmethod
    def from_json(cls, text: str) -> Self:
        """Read what `to_json` wrote. Nothing is verified.

        Raises
        ------
        InvalidFormatError
            It is no JSON object.
        """
        try:
            content = json.loads(text)
        except ValueError as error:
            raise InvalidFormatError(
                f"text must be a certificate in JSON: {error}; pass a file that save wrote"
            ) from error
        if not isinstance(content, dict):
            raise InvalidFormatError(explain("text", "a JSON object", content, "pass a certificate"))
        return cls(content)

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Self:
        """Read a file. Nothing is verified."""
        return cls.from_json(Path(path).read_text(encoding="utf-8"))


def certificate_at(kind: str, statement: Statement, instance: Named, d: JointDistribution) -> Certificate:
    """Return the certificate that an instance of a statement is false ("refuted") or true ("realized") somewhere."""
    at = Evaluation(d)
    values = [[to_json(term), _written(at.value(term))] for term in comparison_terms(instance.formula)]
    content = _beginning(kind, statement, [instance])
    return Certificate({**content, "weights": d.weights.tolist(), "total": d.total, "values": values})


def certificate_of_proof(statement: Statement, evidence: Mapping[str, Any]) -> Certificate:
    """Return the certificate that a statement holds for all distributions of its shape.

    Parameters
    ----------
    statement : Statement
    evidence : mapping
        ``{"maxima": .., "proofs": ..}``, or ``{"evidence": "solvers", "solvers": [..]}``.
    """
    return Certificate({**_beginning("proved", statement, statement.show), **evidence})


def _beginning(kind: str, statement: Statement, show: Sequence[Named]) -> dict[str, Any]:
    return {
        "format": FORMAT,
        "version": VERSION,
        "kind": kind,
        "claim": statement.claim,
        "shape": _shape(statement.shape),
        "assume": [_named(named) for named in statement.assume],
        "show": [_named(named) for named in show],
    }


def _shape(shape: Shape) -> dict[str, Any]:
    return {"cardinalities": list(shape.cardinalities), "classes": shape.classes}


def _named(named: Named) -> dict[str, Any]:
    return {"name": named.name, "where": dict(named.where), "formula": to_json(named.formula)}


def _written(number: Number) -> str | list[str]:
    if not isinstance(number, ExactReal):
        return format_fraction(Fraction(number))
    if number.is_rational():
        return format_fraction(number.as_fraction())
    return [format_fraction(end) for end in number.enclosure(_DIGITS)]
