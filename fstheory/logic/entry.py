"""Entries of a ledger: printed statements, each with its paper, its assumptions and its evidence."""

from __future__ import annotations

import functools
import os
import tomllib
import zipfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path
from types import MappingProxyType
from typing import Any

from fstheory._support.result import Result
from fstheory.distributions.joint import JointDistribution
from fstheory.errors import InvalidValueError, require, require_choice
from fstheory.logic.certificate import Certificate
from fstheory.logic.claims import Claim, ClaimFunction, claim
from fstheory.logic.verdict import Holds, Refuted, Vacuous

KINDS: Mapping[str, str] = MappingProxyType(
    {
        "P": "proved for every distribution of a shape, or of any numbers of states",
        "X": "exhausted over a finite family",
        "C": "checked on concrete distributions",
        "R": "refuted",
        "M": "proved by an argument in the textbook",
    }
)
"""The kinds of evidence, by their letters."""


@dataclass(frozen=True, slots=True)
class Paper(Result):
    """The paper in which a statement was printed, with the name of the file that holds its statements.

    Examples
    --------
    >>> from fstheory import claims
    >>> print(claims["PN-3"].paper)
    J. M. Peña and R. Nilsson (2010), On the complexity of discrete feature selection for optimal classification
    """

    key: str
    authors: str
    title: str
    year: int
    file: str
    source: str = ""

    def __str__(self) -> str:
        return f"{self.authors} ({self.year}), {self.title}"


@dataclass(frozen=True, slots=True)
class Evidence(Result):
    """One piece of evidence for or against a statement.

    Attributes
    ----------
    kind : str
        The letter of its kind, a key of `KINDS`.
    what : str
        The shape, the family or the counterexample, in words.
    reproduce : str
        The command line that produces the evidence again.
    certificate : str, optional
        The name of its certificate file.
    count : int, optional
        The number of distributions that were checked.

    Examples
    --------
    >>> from fstheory import claims
    >>> evidence = claims["PN-3"].evidence[2]
    >>> evidence.kind, evidence.what, evidence.load()["kind"]
    ('P', '2 x 2 states, 2 classes', 'proved')
    """

    kind: str
    what: str
    reproduce: str
    certificate: str | None = None
    count: int | None = None
    _folder: Path | None = field(default=None, repr=False, compare=False)

    def __post_init__(self) -> None:
        require_choice(self.kind, "kind", tuple(KINDS))

    def load(self) -> Certificate:
        """Return the certificate of this evidence. Nothing is verified.

        Raises
        ------
        InvalidValueError
            The evidence has no certificate.
        """
        if self.certificate is None:
            raise InvalidValueError(f"this evidence has no certificate; reproduce it with: {self.reproduce}")
        folder = self._folder or Path()
        if not (archive := folder / "certificates.zip").exists():
            return Certificate.load(folder / "certificates" / self.certificate)
        with zipfile.ZipFile(archive) as opened:
            return Certificate.from_json(opened.read(self.certificate).decode("utf-8"))


@dataclass(frozen=True, slots=True, repr=False)
class Entry(Result):
    """A statement of a paper as printed, or its correction, with its claim and all evidence.

    Attributes
    ----------
    id, place : str
        The name of the entry and the place in the paper, for example "PN-3" and "Theorem 3".
    paper : Paper
    words, latex : str
        The statement in our own words, and in mathematics.
    claim : Claim or None
        The statement in the language of claims. None if the statement is not about one distribution.
    evidence : tuple of Evidence
        The evidence, refutations first.
    needs : mapping from the name of an assumption to Evidence
        For an assumption that is needed: a counterexample to the statement without it (kind "R"). For an assumption
        that is not needed: the evidence that the statement holds without it.
    corrects : str, optional
        The id of the printed statement that this entry corrects, or sharpens if that statement is true.
    printed : bool
        Whether the paper makes the statement. By default it does, unless the entry corrects another one.
    theorem : bool
        Whether `fstheory.theorems` checks the statement by default, as a theorem or a lemma. A step of a proof, an
        example or a remark is not one.
    remark : str
        What a referee would add: slips, units, side remarks.

    Examples
    --------
    >>> from fstheory import claims
    >>> from fstheory.distributions.gallery import titanic
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
    claim: Claim | None = field(default=None, repr=False)
    evidence: tuple[Evidence, ...] = ()
    needs: Mapping[str, Evidence] = field(default_factory=dict, hash=False)
    corrects: str | None = None
    printed: bool | None = None
    theorem: bool = False
    remark: str = ""
    _derived = ("status", "assumptions")

    def __post_init__(self) -> None:
        object.__setattr__(self, "needs", MappingProxyType(dict(self.needs)))
        if self.printed is None:
            object.__setattr__(self, "printed", self.corrects is None)

    @property
    def status(self) -> str:
        """The status: "false" if a piece of evidence refutes the statement, "open" without evidence, else "true"."""
        kinds = {evidence.kind for evidence in self.evidence}
        return "false" if "R" in kinds else "true" if kinds else "open"

    @property
    def assumptions(self) -> tuple[str, ...]:
        """The names of the assumptions of the claim."""
        return tuple(assumption.name for assumption in self.claim.assumptions) if self.claim else ()

    def stated(self) -> Claim:
        """Return the claim, or refuse an entry that has none because it is not about one distribution."""
        if self.claim is None:
            needed = "a statement about a distribution to be checked or proved"
            raise InvalidValueError(f"{self.id} must be {needed}, not {self.words!r}; see its evidence")
        return self.claim

    def check(self, d: JointDistribution) -> Holds | Vacuous | Refuted:
        """Decide the statement exactly at one distribution. See `fstheory.logic.Claim.check`."""
        return self.stated().check(d)

    def __str__(self) -> str:
        return f"{self.id} ({self.paper.key}, {self.place}): {self.words} [{self.status}]"


class Statements:
    """The statements of a paper: claims written in Python, joined by id with the words and evidence of a TOML file.

    Use it for a ledger of your own. `fstheory.logic.register` adds the ledger to `fstheory.claims`.

    The TOML file has these tables:

    - ``[paper]`` names the paper. A file on several papers has one table ``[papers.KEY]`` for each; the ids of its
      entries begin with the key and a hyphen.
    - ``[entries.ID]`` has the fields of one `Entry`, with ``evidence`` as a list and ``needs`` by assumption.
    - ``[tables]`` has printed numbers.

    The certificates named by the evidence are beside the file, in the folder ``certificates`` or in an archive
    ``certificates.zip``.

    Parameters
    ----------
    file : str or path-like
        The TOML file. It is read when an entry is first used.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> lines = ["[paper]", "key = 'Doe'", "authors = 'J. Doe'", "title = 'On pairs'", "year = 2026"]
    >>> lines += [
    ...     "[entries.DOE-2]",
    ...     "place = 'Lemma 2'",
    ...     "words = 'A pair is at least as good as each of its features.'",
    ... ]
    >>> with TemporaryDirectory() as folder:
    ...     file = Path(folder) / "doe_2026.toml"
    ...     written = file.write_text(chr(10).join(lines))
    ...     paper = Statements(file)
    ...
    ...     @paper.claim("DOE-2")
    ...     def pairs(m, i, j):
    ...         return m.risk({i, j}) <= m.risk({i})
    ...
    ...     print(*paper.entries)
    DOE-2 (Doe, Lemma 2): A pair is at least as good as each of its features. [open]
    """

    def __init__(self, file: str | os.PathLike[str]) -> None:
        self._file = Path(file)
        self._claims: dict[str, Claim] = {}

    def claim(self, id: str, **options: Any) -> Callable[[ClaimFunction], Claim]:  # noqa: A002
        """Return a decorator that declares a function as the claim with this id.

        `options` are the options of `fstheory.logic.claim`.
        """

        def declared(function: ClaimFunction) -> Claim:
            require(id not in self._claims, "the id of a claim", "one of its own", id, "rename one of the two")
            self._claims[id] = claim(function, name=id, **options)
            return self._claims[id]

        return declared

    def variants(
        self, constant: str, values: Mapping[str, Any], **options: Any
    ) -> Callable[[ClaimFunction], ClaimFunction]:
        """Return a decorator that declares one claim for each value of a constant, a parameter after the star.

        Parameters
        ----------
        constant : str
            The name of the parameter.
        values : mapping from id to value
            The id of each claim, and the value that the constant has in it.
        **options
            The options of `fstheory.logic.claim`.
        """

        def declared(function: ClaimFunction) -> ClaimFunction:
            for id_, value in values.items():
                self.claim(id_, **options)(functools.partial(function, **{constant: value}))
            return function

        return declared

    @functools.cached_property
    def _content(self) -> dict[str, Any]:
        text = self._file.read_text(encoding="utf-8")
        return tomllib.loads(text, parse_float=Fraction)

    @functools.cached_property
    def entries(self) -> tuple[Entry, ...]:
        """The entries, each followed by the entries that correct or sharpen it."""
        tables: dict[str, Any] = self._content["entries"]
        begin = {id_: id_.partition("-")[0] for id_ in tables}
        given = self._content.get("papers") or dict.fromkeys(begin.values(), self._content["paper"])
        papers = {key: Paper(**fields, file=self._file.name) for key, fields in given.items()}
        if missing := self._claims.keys() - tables.keys():
            raise InvalidValueError(f"each claim must have an entry in {self._file.name}, not {missing}; add it")
        folder = self._file.parent
        return tuple(
            _entry(id_, papers[begin[id_]], self._claims.get(id_), dict(tables[id_]), folder) for id_ in tables
        )

    def table(self, name: str) -> Mapping[str, tuple[Fraction, ...]]:
        """Return a printed table. Each number is the exact value of its decimal fraction."""
        rows = self._content["tables"][name]
        return MappingProxyType({row: tuple(map(Fraction, rows[row])) for row in rows})


def _entry(id_: str, paper: Paper, claim: Claim | None, fields: dict[str, Any], folder: Path) -> Entry:
    """Return the entry made from its table in the TOML file."""
    texts: dict[str, Any] = {name: " ".join(fields.pop(name, "").split()) for name in ("words", "latex", "remark")}
    evidence = tuple(Evidence(**record, _folder=folder) for record in fields.pop("evidence", ()))
    needs = {name: Evidence(**record, _folder=folder) for name, record in fields.pop("needs", {}).items()}
    return Entry(id_, paper, claim=claim, evidence=evidence, needs=needs, **texts, **fields)
