"""Verdicts: what is known of a claim, with the evidence."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar, NoReturn, TypeAlias

from fstheory.distribution import JointDistribution
from fstheory.errors import InvalidTypeError
from fstheory.logic.certificate import Certificate
from fstheory.logic.statement import Shape, Where, written

__all__ = [
    "Holds",
    "Impossible",
    "NotRefuted",
    "Proved",
    "Realized",
    "Refuted",
    "Undecided",
    "Vacuous",
    "Verdict",
]


@dataclass(frozen=True, slots=True)
class Holds:
    """The claim is true at the distribution that was checked; true like True.

    Attributes
    ----------
    claim : str
    instances : int
        How many formulas were decided.
    """

    status: ClassVar[str] = "holds"
    claim: str
    instances: int

    def __bool__(self) -> bool:
        return True

    def __str__(self) -> str:
        return f"{self.claim}: holds, {_counted(self.instances, 'instance')}"


@dataclass(frozen=True, slots=True)
class Vacuous:
    """An assumption of the claim fails at the distribution, so the claim says nothing there.

    Attributes
    ----------
    claim, assumption : str
    where : tuple of pairs (variable, value)
        Where the assumption fails.
    """

    status: ClassVar[str] = "vacuous"
    claim: str
    assumption: str
    where: Where

    def __bool__(self) -> NoReturn:
        raise _neither(self)

    def __str__(self) -> str:
        at = f" at {written(self.where)}" if self.where else ""
        return f"{self.claim}: vacuous, {self.assumption} fails{at}"


@dataclass(frozen=True, slots=True)
class Refuted:
    """The claim is false: here is a distribution; false like False.

    Attributes
    ----------
    claim : str
    distribution : JointDistribution
        It satisfies the assumptions and violates the claim.
    where : tuple of pairs (variable, value)
        An instance of the claim that is false there.
    certificate : Certificate
    minimality : str
        Whether the distribution is the smallest, and how that is known.
    """

    status: ClassVar[str] = "refuted"
    claim: str
    distribution: JointDistribution
    where: Where
    certificate: Certificate = field(repr=False)
    minimality: str

    def __bool__(self) -> bool:
        return False

    def __str__(self) -> str:
        at = f" at {written(self.where)}" if self.where else ""
        return f"{self.claim}: refuted{at} by {self.distribution!r} ({self.minimality})"


@dataclass(frozen=True, slots=True)
class Proved:
    """The claim is true for every distribution of a shape; true like True.

    Attributes
    ----------
    claim : str
    shape : Shape
    evidence : str
        "case split": the certificate has a proof that `fstheory.checker` verifies; "solvers": the word of the
        solvers that the certificate names.
    certificate : Certificate
    """

    status: ClassVar[str] = "proved"
    claim: str
    shape: Shape
    evidence: str
    certificate: Certificate = field(repr=False)

    def __bool__(self) -> bool:
        return True

    def __str__(self) -> str:
        return f"{self.claim}: proved for every distribution with {self.shape} ({self.evidence})"


@dataclass(frozen=True, slots=True)
class Undecided:
    """No answer within the limits; nothing follows.

    Attributes
    ----------
    claim : str
    shape : Shape
    reason : str
    """

    status: ClassVar[str] = "undecided"
    claim: str
    shape: Shape
    reason: str

    def __bool__(self) -> NoReturn:
        raise _neither(self)

    def __str__(self) -> str:
        return f"{self.claim}: undecided for {self.shape}, {self.reason}"


@dataclass(frozen=True, slots=True)
class NotRefuted:
    """No counterexample in the range that was searched; nothing follows beyond it.

    Attributes
    ----------
    claim : str
    searched : str
        The range.
    """

    status: ClassVar[str] = "not refuted"
    claim: str
    searched: str

    def __bool__(self) -> NoReturn:
        raise _neither(self)

    def __str__(self) -> str:
        return f"{self.claim}: not refuted, searched {self.searched}"


@dataclass(frozen=True, slots=True)
class Realized:
    """The ordering is realized by a distribution; true like True.

    Attributes
    ----------
    ordering : str
    distribution : JointDistribution
    certificate : Certificate
    """

    status: ClassVar[str] = "realized"
    ordering: str
    distribution: JointDistribution
    certificate: Certificate = field(repr=False)

    def __bool__(self) -> bool:
        return True

    def __str__(self) -> str:
        return f"{self.ordering}: realized by {self.distribution!r}"


@dataclass(frozen=True, slots=True)
class Impossible:
    """No distribution of the shape has the ordering; false like False.

    Attributes
    ----------
    ordering : str
    shape : Shape
    evidence : str
        As of `Proved`.
    certificate : Certificate
    """

    status: ClassVar[str] = "impossible"
    ordering: str
    shape: Shape
    evidence: str
    certificate: Certificate = field(repr=False)

    def __bool__(self) -> bool:
        return False

    def __str__(self) -> str:
        return f"{self.ordering}: impossible for {self.shape} ({self.evidence})"


Verdict: TypeAlias = "Holds | Vacuous | Refuted | Proved | Undecided | NotRefuted | Realized | Impossible"
"""Any verdict; each has a `status` in words and a text."""


def _neither(verdict: object) -> InvalidTypeError:
    return InvalidTypeError(f"this verdict is neither true nor false ({verdict}); compare its status instead")


def _counted(number: int, noun: str) -> str:
    return f"{number:,} {noun}" + "s" * (number != 1)
