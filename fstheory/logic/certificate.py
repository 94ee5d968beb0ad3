"""Certificates: verdicts as exact, self-contained, versioned JSON, which `fstheory.checker` accepts or rejects."""

from __future__ import annotations

import json
import math
import os
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any, Self

from fstheory._support.exact import exact_text, in_latex, latex_text, parse_fraction
from fstheory._support.files import LONGEST, parse_json, write_atomically
from fstheory._support.result import Result
from fstheory.checker.reading import certificate_digest
from fstheory.checker.statement import compared
from fstheory.distributions.joint import JointDistribution
from fstheory.distributions.rows import listed
from fstheory.errors import InvalidFormatError, InvalidTypeError, TooLargeError, explain, require, require_type
from fstheory.logic.evaluate import Evaluation, Number
from fstheory.logic.every_size import EverySize
from fstheory.logic.expressions import from_json, to_json
from fstheory.logic.statement import Instance, Shape, Statement, text_of
from fstheory.numbers.enclosure import Enclosed

FORMAT = "fstheory certificate"
VERSION = 2
VERSION_FOR_EVERY_SIZE = 5  # 3 before other criteria than risks and informations
VERSION_OF_CELLS = 4  # for a distribution on many cells: it lists only the cells with weight
_MOST_BITS = 13_000  # the longest weight: Python reads numbers of at most 4,300 digits from JSON
_MOST_CELLS = 10_000_000  # with more cells, the text of the weights is too long to be read
_FEW_CELLS, _FEW_CLASSES = 1024, 4  # up to here the certificate lists all cells and spells out all assumptions
_LONGEST, _MOST = 120, 12  # characters of a formula that is shown to readers, and how many of these
_DIGITS = 13  # decimals in the enclosure of an irrational value; the checker requires 12


class Certificate(Result, Mapping[str, Any]):
    """The content of a certificate file, as a read-only mapping.

    `fstheory.check_certificate` verifies a certificate from the definitions. Reading a part of it gives a copy, so that
    nothing covered by the digest can be changed. Two certificates are equal if their contents are equal, in any order.

    Parameters
    ----------
    content : mapping
        The parts of the certificate, as JSON has them. If the digest is missing, it is computed.

    Examples
    --------
    >>> certificate = Certificate({"format": FORMAT, "version": VERSION, "kind": "refuted"})
    >>> certificate["kind"], len(certificate["digest"])
    ('refuted', 64)

    `to_json` returns the text of the file. The module ``json`` takes only dictionaries, so convert the certificate:

    >>> Certificate(json.loads(json.dumps(dict(certificate)))) == certificate
    True
    """

    __slots__ = ("_parts",)

    _parts: dict[str, str]  # the JSON text of each part, so that a large proof is read only when it is needed

    def __init__(self, content: Mapping[str, Any]) -> None:
        require_type(content, Mapping, "content", "a mapping, as JSON has it", "use Certificate.load")
        try:
            parts = dict(content)
            if "digest" not in parts:
                parts["digest"] = certificate_digest(parts)
            self._parts = {str(key): json.dumps(part) for key, part in parts.items()}
            for text in self._parts.values():
                parse_json(text)
        except (TypeError, ValueError, RecursionError) as error:
            complaint = f"content must be what JSON has: {str(error)[:80]}"
            raise InvalidTypeError(f"{complaint}; use text, whole numbers, lists and objects") from error

    def __getitem__(self, key: str) -> Any:
        return json.loads(self._parts[key])

    def __iter__(self) -> Iterator[str]:
        return iter(self._parts)

    def __len__(self) -> int:
        return len(self._parts)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Certificate):
            return NotImplemented
        return self._parts == other._parts or _canonical(dict(self)) == _canonical(dict(other))

    def __hash__(self) -> int:
        return hash(_canonical(self["digest"]))

    def __repr__(self) -> str:
        characters = sum(map(len, self._parts.values()))
        return f"<Certificate: {self.get('claim')} {self.get('kind')}, {characters:,} characters>"

    @property
    def statement(self) -> dict[str, tuple[str, ...]]:
        """The formulas that are assumed and those that are shown, as text, with the features X1, .., Xn.

        An assumption that the certificate names is given by its name. A certificate on labeled points has no formulas,
        only names.

        Examples
        --------
        >>> from fstheory.logic import claim
        >>> verdict = claim(lambda m: m.risk("X1") < m.risk(()), name="useful").check(
        ...     JointDistribution([[1, 0], [1, 1]])
        ... )
        >>> verdict.certificate.statement
        {'assume': (), 'show': ('R({X1}) < R({})',)}
        """
        if (shape := self.get("shape")) is None:
            return {"assume": tuple(self.get("assume", ())), "show": ()}
        names = Shape((1,) * shape.get("features", len(shape.get("cardinalities", ()))))
        parts = {part: [text_of(from_json(one["formula"]), names) for one in self[part]] for part in ("assume", "show")}
        return {"assume": (*self.get("assumptions", ()), *parts["assume"]), "show": tuple(parts["show"])}

    def _rows_in_latex(self) -> list[str]:
        """Return the rows of the LaTeX array: the name of the claim, and its statement."""
        rows = [rf"\text{{claim}} & {latex_text(self.get('claim'))}"]
        for part, word in (("assume", "assumed"), ("show", "statement")):
            formulas, rest = readable(self.statement[part])
            texts = [*(in_latex(f"${text}$")[1:-1] for text in formulas), *[latex_text(rest)] * bool(rest)]
            rows += [rf"\text{{{word}}} & {text}" for text in texts]
        return rows

    def to_json(self) -> str:
        """Return the text of the file, one top-level part per line."""
        parts = (f"{json.dumps(key)}: {text}" for key, text in self._parts.items())
        return "{\n" + ",\n".join(parts) + "\n}\n"

    def to_coq(self) -> str:
        """Return a file for the Coq proof assistant: the claim as a theorem about distributions, and its proof.

        Use it if a referee should not have to trust the checker of fstheory. `fstheory.reports.save_coq` writes it into
        a folder, with the library that it needs. It also refuses a certificate that is not about the claim of the
        ledger that it names.

        Raises
        ------
        CertificateError
            The certificate is not accepted by the checker.
        InvalidValueError
            It is no proof by cases, or it uses something that the Coq library does not have, which the message names.

        Examples
        --------
        >>> from fstheory.proofs import prove
        >>> text = prove("PN-M", features=1).certificate.to_coq()
        >>> print(text[text.index("Definition statement") : text.index("(* The same")].rstrip())
        Definition statement := forall d : dist, length (sizes d) = 1 ->
          (bayes_risk d [0]%nat <= bayes_risk d []%nat)%R.
        """
        from fstheory.coq.theorem import coq_theorem

        return coq_theorem(self)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the file, completely or not at all. Raise OutputError if it cannot be written."""
        write_atomically(path, self.to_json())

    @classmethod
    def from_json(cls, text: str) -> Self:
        """Return the certificate of a text that `to_json` returned. Nothing is verified."""
        try:
            content = parse_json(text)
        except ValueError as error:
            complaint = f"text must be a certificate in JSON: {str(error)[:80]}"
            raise InvalidFormatError(f"{complaint}; pass a file that save wrote") from error
        require(isinstance(content, dict), "text", "a JSON object", content, "pass a certificate", InvalidFormatError)
        return cls(content)

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Self:
        """Return the certificate of a file that `save` wrote. Nothing is verified."""
        try:
            with Path(path).open(encoding="utf-8-sig") as stream:
                text = stream.read(LONGEST + 1)
        except UnicodeDecodeError as error:
            repair = "pass a file that save wrote"
            raise InvalidFormatError(explain(str(path), "UTF-8 text", error.object[:20], repair)) from error
        return cls.from_json(text)


def readable(formulas: Sequence[str]) -> tuple[list[str], str]:
    """Return the first few short formulas of a statement, and a text that says how many others there are, if any.

    Examples
    --------
    >>> readable(["R({X1}) < R({})", 200 * "x"])
    (['R({X1}) < R({})'], 'and 1 more in the certificate')
    """
    short = [text for text in formulas if len(text) <= _LONGEST][:_MOST]
    rest = len(formulas) - len(short)
    return short, f"and {rest:,} more in the certificate" if rest else ""


def is_large(d: JointDistribution) -> bool:
    """Return whether a distribution is too large for a certificate that lists all cells and spells out assumptions.

    Then the certificate lists only the cells with weight, and it gives assumptions by name.
    """
    return math.prod(d._variables.shape) * max(len(d.classes), _FEW_CLASSES) > _FEW_CELLS * _FEW_CLASSES


def certificate_at(kind: str, statement: Statement, instance: Instance, d: JointDistribution) -> Certificate:
    """Return the certificate that an instance of a statement is false ("refuted") or true ("realized") at `d`."""
    bits, limit = d.total.bit_length(), f"of weights of at most {_MOST_BITS} bits"
    require(bits <= _MOST_BITS, "the distribution", limit, f"weights of {bits} bits", "round it", TooLargeError)
    size, limit = math.prod(d._variables.shape), f"of at most {_MOST_CELLS:,} cells"
    require(size <= _MOST_CELLS, "the distribution", limit, size, "merge states", TooLargeError)
    at = Evaluation(d, ((name, parse_fraction(text)) for name, text in instance.where if name in instance.parameters))
    values = [[to_json(term), _written(at.value(term))] for term in compared(instance.formula)]
    content = _beginning(kind, statement, [instance])
    if is_large(d):
        rows = listed(d)
        cells = list(map(list, zip(*(column.tolist() for column in (*rows.columns, rows.counts)), strict=True)))
        content |= {"version": VERSION_OF_CELLS, "assumptions": [*statement.by_name], "cells": cells}
    else:
        content["weights"] = d.weights.tolist()
    return Certificate({**content, "total": d.total, "values": values})


def certificate_of_proof(statement: Statement, evidence: Mapping[str, Any]) -> Certificate:
    """Return the certificate that a statement holds for all distributions of its shape."""
    return Certificate({**_beginning("proved", statement, statement.show), **evidence})


def _beginning(kind: str, statement: Statement, show: Sequence[Instance]) -> dict[str, Any]:
    """Return the parts of a certificate that state what it certifies."""
    shape, version, shown = statement.shape, VERSION, dict[str, Any]()
    if isinstance(shape, EverySize):
        version = VERSION_FOR_EVERY_SIZE
        shown = {"shape": {"features": shape.number, "classes": shape.classes}, "assumptions": [*statement.by_name]}
    return {
        "format": FORMAT,
        "version": version,
        "kind": kind,
        "claim": statement.claim,
        **(shown or {"shape": {"cardinalities": list(shape.cardinalities), "classes": shape.classes}}),
        "assume": list(map(_in_json, statement.assume)),
        "show": list(map(_in_json, show)),
    }


def _in_json(instance: Instance) -> dict[str, Any]:
    return {"name": instance.name, "where": dict(instance.where), "formula": to_json(instance.formula)}


def _written(number: Number) -> str | list[str]:
    """Return a rational number as text, and an irrational one as the two ends of an enclosure."""
    if not isinstance(number, Enclosed):
        return exact_text(Fraction(number))
    if number.is_rational():
        return exact_text(number.as_fraction())
    whole = math.ceil(max(map(abs, number.enclosure(1))))
    digits = _DIGITS + whole.bit_length() // 3  # digits before the decimal point do not narrow the enclosure
    return [exact_text(end) for end in number.enclosure(digits)]


def _canonical(content: object) -> str:
    """Return the JSON text of a content, the same for every order of its keys."""
    return json.dumps(content, sort_keys=True)
