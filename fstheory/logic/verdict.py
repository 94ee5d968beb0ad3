"""Verdicts: what is known about a claim, with the evidence."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, ClassVar, Literal, NoReturn, TypeAlias

from fstheory._support.exact import decimal_text, to_text
from fstheory._support.result import Result
from fstheory.distributions.joint import JointDistribution
from fstheory.errors import InvalidTypeError
from fstheory.logic.certificate import Certificate
from fstheory.logic.expressions import Node, from_json
from fstheory.logic.statement import Shape, Where, located, text_of
from fstheory.logic.written_proof import WrittenProof


class _Verdict(Result):
    """A verdict; its JSON has the status, and the values of variables by their names."""

    __slots__ = ()
    _derived: ClassVar[tuple[str, ...]] = ("status",)

    def _content(self, features: Sequence[str]) -> dict[str, Any]:
        where = getattr(self, "where", None)
        return super()._content(features) | ({} if where is None else {"where": dict(where)})


class _True(_Verdict):
    __slots__ = ()

    def __bool__(self) -> Literal[True]:
        return True


class _False(_Verdict):
    __slots__ = ()

    def __bool__(self) -> Literal[False]:
        return False


class _Neither(_Verdict):
    __slots__ = ()

    def __bool__(self) -> NoReturn:
        raise InvalidTypeError(f"this verdict is neither true nor false ({self}); compare its status instead")


@dataclass(frozen=True, slots=True)
class Holds(_True):
    """The claim is true at the distribution that was checked, in so many instances; true like True.

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
    """An assumption of the claim fails at the distribution, for the values in `where`, so the claim says nothing there.

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
    """The claim is false: here is a distribution; false like False.

    Attributes
    ----------
    distribution : JointDistribution
        It satisfies the assumptions and violates the claim.
    where : tuple of pairs
        An instance of the claim that is false there.
    minimality : str
        Whether the distribution is the smallest, and how that is known.
    terms : tuple of pairs
        The names that `Model.let` gave to terms of the instance.

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
    _derived = ("status", "distribution", "values")

    @property
    def values(self) -> dict[str, str]:
        """What the claim compares, as it is written there and evaluated; ≈ stands before what is rounded."""
        certified = [(from_json(term), value) for term, value in self.certificate["values"]]
        named = {node: name for name, node in self.terms}
        return {text_of(term, self.distribution, named): _number(value) for term, value in certified if term[0] != "q"}

    def __str__(self) -> str:
        return f"{self.claim}: refuted{located(self.where)} by {self.distribution!r} ({self.minimality})"


def _number(value: str | list[str]) -> str:
    return to_text(Fraction(value), 0) if isinstance(value, str) else f"≈{decimal_text(Fraction(value[0]))}"


@dataclass(frozen=True, slots=True)
class Proved(_True):
    """The claim is true for every distribution of a shape; true like True.

    Attributes
    ----------
    evidence : str
        "case split": the certificate has a proof that `check_certificate` verifies; "solvers": only the word of those
        that it names. It also says where assumptions contradict each other, or no formula is left to prove.

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

    @property
    def proof(self) -> WrittenProof:
        """The proof for every number of states, as a person would write it."""
        return WrittenProof(self.certificate)

    def __str__(self) -> str:
        return f"{self.claim}: proved for every distribution with {self.shape} ({self.evidence})"


@dataclass(frozen=True, slots=True)
class Undecided(_Neither):
    """No answer within the limits, for a reason; nothing follows.

    Examples
    --------
    >>> print(Undecided("PN-3", Shape((2, 2, 2, 2)), "600 s are over"))
    PN-3: undecided for 2 x 2 x 2 x 2 states, 2 classes, 600 s are over
    """

    status: ClassVar[str] = "undecided"
    claim: str
    shape: Shape
    reason: str

    def __str__(self) -> str:
        return f"{self.claim}: undecided for {self.shape}, {self.reason}"


@dataclass(frozen=True, slots=True)
class NotRefuted(_Neither):
    """No counterexample in the range that was searched; nothing follows beyond it.

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
    """The ordering is realized by a distribution; true like True.

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
    """No distribution of the shape has the ordering, with the evidence of `Proved`; false like False.

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
"""Any verdict; each has a `status` in words and a text."""
