"""Entries of the ledger: a printed statement with its paper, its assumptions and its evidence."""

from __future__ import annotations

import inspect
import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib import resources
from types import MappingProxyType
from typing import Any, Self

from fstheory._display import Shown
from fstheory.distribution import JointDistribution
from fstheory.errors import InvalidValueError
from fstheory.logic import Certificate, Claim, Holds, Refuted, Vacuous

__all__ = [
    "AHMED_2015",
    "BERAHA_2019",
    "CHECKOUT",
    "KINDS",
    "PENA_NILSSON_2010",
    "SEBBAN_NOCK_2002",
    "Entry",
    "Evidence",
    "Paper",
    "Part",
    "argued",
    "exhausted",
    "family",
    "proved",
    "realized",
    "refuted",
    "refuted_by_example",
    "surveyed",
]

KINDS: Mapping[str, str] = MappingProxyType(
    {
        "P": "proved for every distribution of a shape",
        "X": "exhausted over a finite family",
        "C": "checked on concrete distributions",
        "R": "refuted",
        "M": "proved by an argument in the textbook",
    }
)
"""The kinds of evidence."""


@dataclass(frozen=True, slots=True)
class Paper(Shown):
    """Where a statement was printed.

    Attributes
    ----------
    key, authors, title, year : str, str, str, int
    """

    key: str
    authors: str
    title: str
    year: int

    def __str__(self) -> str:
        return f"{self.authors} ({self.year}), {self.title}"


@dataclass(frozen=True, slots=True)
class Evidence(Shown):
    """One reason to believe or to disbelieve a statement.

    Attributes
    ----------
    kind : str
        A key of `KINDS`.
    what : str
        The shape or the family, or the counterexample, in words.
    reproduce : str
        The command line that produces it again.
    certificate : str, optional
        The name of its file among the certificates of the ledger.
    count : int, optional
        How many distributions were looked at.

    Examples
    --------
    >>> from fstheory.ledger import claims
    >>> evidence = claims["PN-3"].evidence[1]
    >>> evidence.kind, evidence.what, evidence.load()["kind"]
    ('P', '2 x 2 states, 2 classes', 'proved')
    """

    kind: str
    what: str
    reproduce: str
    certificate: str | None = None
    count: int | None = None

    def __post_init__(self) -> None:
        if self.kind not in KINDS:
            raise InvalidValueError(f"kind must be one of {', '.join(KINDS)}, not {self.kind!r}; see KINDS")

    def load(self) -> Certificate:
        """Read the certificate; nothing is verified.

        Raises
        ------
        InvalidValueError
            There is none.
        """
        if self.certificate is None:
            raise InvalidValueError(f"this evidence has no certificate; reproduce it with: {self.reproduce}")
        folder = resources.files("fstheory.ledger") / "certificates"
        return Certificate.from_json((folder / self.certificate).read_text(encoding="utf-8"))


@dataclass(frozen=True, slots=True, repr=False)
class Entry(Shown):
    """A statement of a paper as printed, or its correction, with everything known about it.

    Attributes
    ----------
    id : str
        "PN-3", say; a correction has a letter or word of its own.
    paper : Paper
    place : str
        "Theorem 3".
    words, latex : str
        What it says, in words of our own and in mathematics.
    claim : Claim or None
        The statement in the language; None where it is not about one distribution.
    evidence : tuple of Evidence
        Refutations first.
    needs : mapping from the name of an assumption to Evidence
        A counterexample without it (kind "R"), or why it is not needed.
    corrects : str, optional
        The id of the printed statement that this one corrects, or sharpens if that one is true.
    printed : bool
        Whether the paper says so; by default all but corrections. A paper may also warn that a statement is false,
        or a statement may be there to show that another one is sharp.
    remark : str
        What a referee would say: slips, units, side remarks.

    Examples
    --------
    >>> from fstheory.ledger import claims
    >>> from fstheory.gallery import titanic
    >>> entry = claims["PN-3"]
    >>> print(entry.place, "-", entry.status)
    Theorem 3 - true
    >>> print(entry.check(titanic()))
    PN-3: vacuous, positive fails at x = (class=crew, sex=male, age=child)
    """

    id: str
    paper: Paper
    place: str
    words: str
    latex: str
    claim: Claim | None = None
    evidence: tuple[Evidence, ...] = ()
    needs: Mapping[str, Evidence] = field(default_factory=dict, hash=False)
    corrects: str | None = None
    printed: bool | None = None
    remark: str = ""

    def __post_init__(self) -> None:
        object.__setattr__(self, "needs", MappingProxyType(dict(self.needs)))
        if self.printed is None:
            object.__setattr__(self, "printed", self.corrects is None)

    @classmethod
    def of(cls, claim: Claim, paper: Paper, place: str, latex: str, **rest: Any) -> Self:
        """Return the entry of a claim: its name is the id, and the docstring of its function the words."""
        words = " ".join((inspect.getdoc(claim.body) or "").split())
        return cls(claim.name, paper, place, words, latex, claim, **rest)

    @property
    def status(self) -> str:
        """Return "true", "false" (it is refuted) or "open", as far as the evidence says."""
        kinds = {evidence.kind for evidence in self.evidence}
        return "false" if "R" in kinds else "true" if kinds else "open"

    @property
    def assumptions(self) -> tuple[str, ...]:
        """The names of what it assumes."""
        return tuple(assumption.name for assumption in self.claim.assumptions) if self.claim else ()

    def stated(self) -> Claim:
        """Return the claim.

        Raises
        ------
        InvalidValueError
            The statement is not about one distribution.
        """
        if self.claim is None:
            raise InvalidValueError(
                f"{self.id} must be a statement about a distribution to be checked or proved, not {self.words!r}; "
                "see its evidence"
            )
        return self.claim

    def check(self, d: JointDistribution) -> Holds | Vacuous | Refuted:
        """Decide the statement exactly at one distribution; see `fstheory.logic.Claim.check`."""
        return self.stated().check(d)

    def __str__(self) -> str:
        return f"{self.id} ({self.paper.key}, {self.place}): {self.words} [{self.status}]"


PENA_NILSSON_2010 = Paper(
    "Peña and Nilsson",
    "J. M. Peña and R. Nilsson",
    "On the complexity of discrete feature selection for optimal classification",
    2010,
)

BERAHA_2019 = Paper(
    "Beraha et al.",
    "M. Beraha, A. M. Metelli, M. Papini, A. Tirinzoni and M. Restelli",
    "Feature selection via mutual information: new theoretical insights",
    2019,
)

AHMED_2015 = Paper(
    "Ahmed et al.",
    "S. Ahmed, H. Narasimhan and S. Agarwal",
    "Bayes optimal feature selection for supervised learning with general performance measures",
    2015,
)

SEBBAN_NOCK_2002 = Paper(
    "Sebban and Nock",
    "M. Sebban and R. Nock",
    "A hybrid filter/wrapper approach of feature selection using information theory",
    2002,
)


Sizes = tuple[int, ...]
Part = tuple[Sizes, int, int]
"""Cardinalities, classes, and the largest total."""

CHECKOUT = "from a checkout: python -m "
"""Before the name of a script that stands among the tests, which no installed package has."""

_FAMILY: tuple[Part, ...] = (
    ((2,), 2, 8),
    ((2,), 3, 6),
    ((3,), 2, 6),
    ((2, 2), 2, 6),
    ((2, 2), 3, 4),
    ((2, 3), 2, 4),
    ((2, 2, 2), 2, 3),
)
_SMALL = tuple(part for part in _FAMILY if math.prod(part[0]) <= 4)
_FEW: tuple[Part, ...] = (
    ((2,), 2, 6),
    ((2,), 3, 4),
    ((3,), 2, 4),
    ((2, 2), 2, 4),
    ((2, 2), 3, 3),
    ((2, 3), 2, 3),
    ((2, 2, 2), 2, 2),
)
_ON_FEW = {"B-0hc", "B-0kc", "B-0m", "B-0i", "B-0", "B-0n", "B-0a", "B-0l", "B-0r", "B-1k", "A-5"}
_ON_SMALL = {"A-3", "A-4", "A-4r", "A-7", "A-7c", "A-7s", "A-8", "A-L"}


def family(key: str) -> tuple[Part, ...]:
    """Return the shapes and totals on which a true statement was decided for every distribution.

    Statements about all classifiers or all rankings have fewer states; where long sums of logarithms are compared, each
    of which takes milliseconds, the totals are smaller.
    """
    return _SMALL if key in _ON_SMALL else _FEW if key in _ON_FEW else _FAMILY


def refuted(
    key: str, what: str, cardinalities: Sizes = (2,), classes: int = 2, *, without: str = "", name: str = ""
) -> Evidence:
    """Return a smallest counterexample on a shape, and the file it is in."""
    dropped = f"-without-{without}" if without else ""
    option = f" --without {without}" if without else ""
    line = f"fstheory refute {key}{option} --cardinalities {_listed(cardinalities)} --classes {classes}"
    return Evidence("R", what, line, f"{key}{dropped}{name}.json")


def proved(key: str, *shapes: tuple[Sizes, int]) -> tuple[Evidence, ...]:
    """Return a proof for each of some shapes."""
    return tuple(
        Evidence(
            "P",
            f"{' x '.join(map(str, sizes))} states, {classes} classes",
            f"fstheory prove {key} --cardinalities {_listed(sizes)} --classes {classes}",
            f"{key}-proof-{'x'.join(map(str, sizes))}-{classes}.json",
        )
        for sizes, classes in shapes
    )


def realized(key: str, what: str) -> Evidence:
    """Return a distribution that shows what the statement says to exist."""
    return Evidence("C", what, _verified(key), f"{key}.json")


def refuted_by_example(key: str, what: str) -> Evidence:
    """Return that a statement about an example is false of it."""
    return Evidence("R", what, _verified(key), f"{key}.json")


def _verified(key: str) -> str:
    return f"fstheory audit {key}  # verifies it; made {CHECKOUT}tests.ledger.certify {key}"


def exhausted(key: str, count: int) -> Evidence:
    """Return that a statement was decided on all distributions of a family where its assumptions are true."""
    parts = family(key)
    named = ", ".join(f"{'x'.join(map(str, sizes))}|{classes} up to {total}" for sizes, classes, total in parts)
    sizes, classes, total = parts[0]
    line = f"fstheory refute {key} --cardinalities {_listed(sizes)} --classes {classes} --max-total {total}"
    return Evidence(
        "X",
        f"every distribution of these states|classes with a total: {named}",
        f"{line}  # and so on; counted {CHECKOUT}tests.ledger.check_true {key}",
        count=count,
    )


def surveyed(what: str, script: str, count: int) -> Evidence:
    """Return that a statement was checked by a script that computes everything from the definitions."""
    return Evidence("C", what, f"{CHECKOUT}{script}", count=count)


def argued(chapter: str, what: str = "") -> Evidence:
    """Return that there is a proof in the textbook, or what the argument is."""
    return Evidence("M", what or f"textbook, {chapter}", f"docs/textbook/{chapter}.md")


def _listed(sizes: Sizes) -> str:
    return ",".join(map(str, sizes))
