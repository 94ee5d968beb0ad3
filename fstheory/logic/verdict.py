"""Verdicts: the answers to questions about a claim, each with its evidence."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, ClassVar, Literal, NoReturn, TypeAlias

from fstheory._support.exact import decimal_text, latex_text, to_text
from fstheory._support.result import Result
from fstheory.distributions.joint import JointDistribution
from fstheory.errors import InvalidTypeError
from fstheory.logic.certificate import Certificate, readable
from fstheory.logic.expressions import Node, from_json
from fstheory.logic.statement import Shape, Where, located, text_of
from fstheory.logic.written_proof import WrittenProof

VACUOUS = "vacuous: the premise never holds"


class _Verdict(Result):
    """Base of the verdicts. The JSON of a verdict has its status, and the values of the variables by their names."""

    __slots__ = ()
    _derived: ClassVar[tuple[str, ...]] = ("status",)

    def _content(self, features: Sequence[str]) -> dict[str, Any]:
        where = getattr(self, "where", None)
        return super()._content(features) | ({} if where is None else {"where": dict(where)})

    def _rows_in_latex(self) -> list[str]:
        """Return the rows of the fields, and those of the verdict, its statement and the values at a counterexample."""
        certificate: Certificate | None = getattr(self, "certificate", None)
        rows = [rf"\text{{verdict}} & {latex_text(getattr(self, 'status', ''))}", *super()._rows_in_latex()]
        rows += certificate._rows_in_latex()[1:] if certificate else []
        values: dict[str, str] = getattr(self, "values", {})
        shown = [(term, values[term].replace("≈", r"\approx ")) for term in readable([*values])[0]]
        return rows + [rf"{latex_text(term)} & {value}" for term, value in shown]


class _True(_Verdict):
    """A verdict whose truth value is True."""

    __slots__ = ()

    def __bool__(self) -> Literal[True]:
        return True


class _False(_Verdict):
    """A verdict whose truth value is False."""

    __slots__ = ()

    def __bool__(self) -> Literal[False]:
        return False


class _Neither(_Verdict):
    """A verdict that is neither true nor false, and so refuses to be used as a truth value."""

    __slots__ = ()

    def __bool__(self) -> NoReturn:
        raise InvalidTypeError(f"this verdict is neither true nor false ({self}); compare its status instead")


@dataclass(frozen=True, slots=True)
class Holds(_True):
    """The claim is true at the distribution that was checked. `instances` is the number of instances that were decided.

    The truth value of this verdict is True.

    Examples
    --------
    >>> print(Holds("PN-M", 12))
    PN-M: holds, 12 instances
    """

    status: ClassVar[str] = "holds"
    claim: str
    instances: int

    def __str__(self) -> str:
        return f"{self.claim}: holds, {self.instances:,} instance{'s' * (self.instances != 1)}"


@dataclass(frozen=True, slots=True)
class Vacuous(_Neither):
    """The claim says nothing at the distribution, because an assumption fails there, for the values in `where`.

    This verdict has no truth value.

    Examples
    --------
    >>> print(Vacuous("PN-3", "positive", (("x", {"X1": 0}),)))
    PN-3: vacuous, positive fails at x = (X1=0)
    """

    status: ClassVar[str] = "vacuous"
    claim: str
    assumption: str
    where: Where = field(hash=False)  # lists and objects, as JSON has them

    def __str__(self) -> str:
        return f"{self.claim}: vacuous, {self.assumption} fails{located(self.where)}"


@dataclass(frozen=True, slots=True)
class Refuted(_False):
    """The claim is false, and here is a counterexample. The truth value of this verdict is False.

    Attributes
    ----------
    distribution : JointDistribution
        The counterexample: a distribution that satisfies the assumptions and violates the claim.
    where : tuple of pairs
        The values of the variables for which the claim is false at the distribution.
    minimality : str
        Whether the distribution is the smallest counterexample, and how this is known.
    terms : tuple of pairs
        The names that `Model.let` gave to terms of the instance, each with its term.
    parts : tuple of Proved
        The proofs for other numbers of features, if `prove` was asked about several numbers and had proved some.

    Examples
    --------
    >>> from fstheory.logic import claim
    >>> verdict = claim(lambda m: m.risk(()) == "1/2", name="fair").check(JointDistribution([1, 2]))
    >>> print(verdict)
    fair: refuted by JointDistribution([1, 2]) (at the distribution given)
    >>> bool(verdict), verdict.certificate["values"]
    (False, [[['R', []], '1/3'], [['q', '1/2'], '1/2']])
    """

    status: ClassVar[str] = "refuted"
    claim: str
    distribution: JointDistribution
    where: Where = field(hash=False)
    certificate: Certificate = field(repr=False)
    minimality: str
    terms: tuple[tuple[str, Node], ...] = field(default=(), repr=False, compare=False)
    parts: tuple[Proved, ...] = field(default=(), repr=False, compare=False)
    _derived = ("status", "distribution", "values")

    @property
    def values(self) -> dict[str, str]:
        """The terms that the claim compares, as text, with their values. A rounded value begins with ≈."""
        certified = [(from_json(term), value) for term, value in self.certificate["values"]]
        named = {node: name for name, node in self.terms}
        return {text_of(term, self.distribution, named): _number(value) for term, value in certified if term[0] != "q"}

    def __str__(self) -> str:
        return f"{self.claim}: refuted{located(self.where)} by {self.distribution!r} ({self.minimality})"


def _number(value: str | list[str]) -> str:
    """Return a number of a certificate as text: exact if it is rational, rounded if it is given by an enclosure."""
    return to_text(Fraction(value), 0) if isinstance(value, str) else f"≈{decimal_text(Fraction(value[0]))}"


@dataclass(frozen=True, slots=True)
class Proved(_True):
    """The claim is true for every distribution of a shape. The truth value of this verdict is True.

    Attributes
    ----------
    evidence : str
        "case split" if the certificate contains a proof, which `check_certificate` verifies. "solvers" if the only
        evidence is the word of the solvers that the certificate names. The text also says if the proof is vacuous: no
        formula is left to prove, or no distribution satisfies what the claim supposes.
    parts : tuple of Proved
        The proofs for single numbers of features, if `prove` was asked about several numbers or about every number.
        The certificate is that of the last part.

    Examples
    --------
    >>> print(Proved("PN-M", Shape((2, 2)), "case split", Certificate({"kind": "proved"})))
    PN-M: proved for every distribution with 2 x 2 states, 2 classes (case split)
    """

    status: ClassVar[str] = "proved"
    claim: str
    shape: Shape
    evidence: str
    certificate: Certificate = field(repr=False)
    parts: tuple[Proved, ...] = field(default=(), repr=False, compare=False)

    @property
    def proof(self) -> WrittenProof:
        """The proof as a person would write it. Only a proof for every number of states has one."""
        return WrittenProof(self.certificate)

    def to_coq(self) -> str:
        """Return the theorem and its proof for the Coq proof assistant; see `Certificate.to_coq`."""
        return self.certificate.to_coq()

    def __str__(self) -> str:
        return f"{self.claim}: proved for every distribution with {self.shape} ({self.evidence})"


@dataclass(frozen=True, slots=True)
class Undecided(_Neither):
    """No answer was found within the limits, for the reason given. Nothing follows about the claim.

    This verdict has no truth value. If `prove` was asked about several numbers of features, `parts` has the proofs for
    the numbers that it had proved.

    Examples
    --------
    >>> print(Undecided("PN-3", Shape((2, 2, 2, 2)), "600 s are over"))
    PN-3: undecided for 2 x 2 x 2 x 2 states, 2 classes, 600 s are over
    """

    status: ClassVar[str] = "undecided"
    claim: str
    shape: Shape
    reason: str
    parts: tuple[Proved, ...] = field(default=(), repr=False, compare=False)

    def __str__(self) -> str:
        return f"{self.claim}: undecided for {self.shape}, {self.reason}"


@dataclass(frozen=True, slots=True)
class NotRefuted(_Neither):
    """There is no counterexample in the range that was searched. Nothing follows about distributions outside it.

    This verdict has no truth value.

    Examples
    --------
    >>> print(NotRefuted("PN-M", "all weights up to total 6"))
    PN-M: not refuted, searched all weights up to total 6
    """

    status: ClassVar[str] = "not refuted"
    claim: str
    searched: str

    def __str__(self) -> str:
        return f"{self.claim}: not refuted, searched {self.searched}"


@dataclass(frozen=True, slots=True)
class Realized(_True):
    """A distribution has the ordering. The truth value of this verdict is True.

    Examples
    --------
    >>> print(Realized("X1 < {}", JointDistribution([[1, 0], [0, 1]]), Certificate({"kind": "realized"})))
    X1 < {}: realized by JointDistribution([[1, 0], [0, 1]])
    """

    status: ClassVar[str] = "realized"
    ordering: str
    distribution: JointDistribution
    certificate: Certificate = field(repr=False)
    _derived = ("status", "distribution")

    def __str__(self) -> str:
        return f"{self.ordering}: realized by {self.distribution!r}"


@dataclass(frozen=True, slots=True)
class Impossible(_False):
    """No distribution of the shape has the ordering. The truth value of this verdict is False.

    `evidence` and `certificate` have the same meaning as in `Proved`.

    Examples
    --------
    >>> print(Impossible("{} < X1", Shape((2,)), "case split", Certificate({"kind": "proved"})))
    {} < X1: impossible for 2 states, 2 classes (case split)
    """

    status: ClassVar[str] = "impossible"
    ordering: str
    shape: Shape
    evidence: str
    certificate: Certificate = field(repr=False)

    def __str__(self) -> str:
        return f"{self.ordering}: impossible for {self.shape} ({self.evidence})"


Verdict: TypeAlias = "Holds | Vacuous | Refuted | Proved | Undecided | NotRefuted | Realized | Impossible"
"""Any verdict. Each has a `status` in words, and a text."""


def certificates_of(verdict: object) -> dict[str, Certificate]:
    """Return the certificates of a verdict by the ends of the names of their files, before the extension.

    The certificate for one of several numbers of features has an end such as "-2", and any other certificate has none.
    """
    if parts := getattr(verdict, "parts", ()):
        found = {f"-{len(part.shape.features)}": part.certificate for part in parts}
        if isinstance(verdict, Refuted):
            found[f"-{len(verdict.distribution.features)}"] = verdict.certificate
        return found
    certificate = getattr(verdict, "certificate", None)
    return {} if certificate is None else {"": certificate}
