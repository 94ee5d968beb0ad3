"""The theorem sheet: each theorem of the ledger at one distribution, its assumptions apart from its conclusion."""

from __future__ import annotations

import textwrap
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from operator import attrgetter, itemgetter
from typing import TYPE_CHECKING, Any, Literal

from fstheory._support.exact import to_text
from fstheory._support.result import Result, frame_of, to_json
from fstheory.distributions.gallery import DistributionLike, as_distribution
from fstheory.distributions.joint import JointDistribution
from fstheory.errors import FSTheoryError, as_names, require_known
from fstheory.logic.entry import Entry
from fstheory.logic.evaluate import Evaluation, Number, tables_risks
from fstheory.logic.language import Model
from fstheory.logic.ledger import claims
from fstheory.logic.statement import Instance, Shape, Where, located

if TYPE_CHECKING:
    import pandas as pd

_STEPS = 400_000  # the most steps in which a statement is spelled out: some seconds
_FEW_STEPS = 4_000  # if there is no table of all risks: a risk may take a millisecond, and a step 100 microseconds
_LONGEST = 160  # characters of the place where a conclusion fails
_VERDICTS = {
    "refuted": "the assumptions hold and the conclusion fails: a counterexample to the statement",
    "holds": "the assumptions hold, and so does the conclusion",
    "holds anyway": "the conclusion holds, although an assumption fails",
    "fails, as it may": "an assumption fails, and so does the conclusion",
    "not decided": "for the reason given",
}


@dataclass(frozen=True, slots=True, repr=False)
class TheoremAt(Result):
    """One theorem at one distribution: its assumptions, and its conclusion whether or not they hold.

    Attributes
    ----------
    entry : Entry
        The theorem, with its words and its place in the paper.
    failing : mapping from str to Where
        The assumptions that fail at the distribution, each with the values of its variables for which it fails.
    holds : bool or None
        Whether the conclusion is true at the distribution. None if it was not decided, for the `reason` given.
    where : tuple of pairs
        The values of the variables for which the conclusion is false, or for which the slack is least.
    slack : exact number or None
        The least difference between the right and the left side. None if the conclusion is no inequality.
    reason : str
        The reason why the conclusion was not decided.
    """

    entry: Entry
    failing: Mapping[str, Where] = field(hash=False)
    holds: bool | None
    where: Where = field(default=(), hash=False)
    slack: Number | None = None
    reason: str = ""

    @property
    def verdict(self) -> str:
        """The assumptions and the conclusion in one word or two.

        It is "holds", "holds anyway" if an assumption fails, "fails, as it may" if the conclusion and an assumption
        fail, "refuted" if all assumptions hold and the conclusion fails, or "not decided".
        """
        if self.holds is None:
            return "not decided"
        if self.failing:
            return "holds anyway" if self.holds else "fails, as it may"
        return "holds" if self.holds else "refuted"

    @property
    def assumptions(self) -> str:
        """The assumptions that fail, as text, or that they hold, or that there are none."""
        fail = "; ".join(f"{name} fails{located(where)}" for name, where in self.failing.items())
        return fail or ("hold" if self.entry.assumptions else "none")

    @property
    def conclusion(self) -> str:
        """Whether the conclusion holds, as text, with the slack and its place."""
        if self.holds is None:
            return f"not decided: {self.reason}"
        slack = "" if self.slack is None else f", slack {to_text(self.slack)}"
        place = textwrap.shorten(located(self.where), _LONGEST, placeholder=" ...")  # a classifier has many states
        return f"{'holds' if self.holds else 'fails'}{slack}{' ' * bool(place)}{place.strip()}"

    def _content(self, _: Sequence[str]) -> dict[str, Any]:
        entry = {name: getattr(self.entry, name) for name in ("id", "place", "words")}
        failing = {name: dict(where) for name, where in self.failing.items()}
        found = {"verdict": self.verdict, "failing_assumptions": failing, "conclusion_holds": self.holds}
        return entry | found | {"where": dict(self.where), "slack": to_json(self.slack), "reason": self.reason}

    def __str__(self) -> str:
        entry = self.entry
        general = " [false in general]" if entry.status == "false" else ""
        head = f"{entry.id} ({entry.paper.key}, {entry.place}): {entry.words}{general}"
        return f"{head}\n  assumptions: {self.assumptions}\n  conclusion:  {self.conclusion}"


@dataclass(frozen=True, slots=True, repr=False)
class TheoremSheet(Result):
    """Theorems at one distribution, as `fstheory.theorems` returns them.

    Attributes
    ----------
    distribution : JointDistribution
    rows : tuple of TheoremAt
        The theorems, in the order of the ledger.
    """

    distribution: JointDistribution = field(repr=False)
    rows: tuple[TheoremAt, ...]

    def __len__(self) -> int:
        return len(self.rows)

    def __iter__(self) -> Iterator[TheoremAt]:
        return iter(self.rows)

    def __getitem__(self, id: str) -> TheoremAt:  # noqa: A002
        require_known(id, "theorem of the sheet", {row.entry.id: row for row in self.rows})
        return next(row for row in self.rows if row.entry.id == id)

    def __str__(self) -> str:
        d, number = self.distribution, Counter(row.verdict for row in self.rows)
        shape = Shape(d.cardinalities, len(d.classes))
        lines = [f"{len(self.rows)} theorems at one distribution of {d.target} and {', '.join(d.features)}: {shape}"]
        found = {verdict: means for verdict, means in _VERDICTS.items() if number[verdict]}
        lines += [f"  {number[verdict]:3} {verdict}: {means}" for verdict, means in found.items()]
        for paper, rows in groupby(self.rows, lambda row: row.entry.paper):
            lines += ["", str(paper), *map(str, rows)]
        return "\n".join(lines)

    def to_frame(self) -> pd.DataFrame:
        """Return a pandas DataFrame with a row for each theorem. Its index are the ids."""
        names = ("verdict", "assumptions", "conclusion", "slack")
        cells = attrgetter("entry.id", "entry.place", "entry.words", *names)
        return frame_of(map(cells, self.rows), ["id", "place", "words", *names]).set_index("id")


def theorems(d: DistributionLike, ids: Iterable[str] | Literal["all"] | None = None) -> TheoremSheet:
    """Check the theorems of the papers and the classics at one distribution: their assumptions and their conclusions.

    Use it to see which theorems apply to a distribution of your own, which conclusions hold even though an assumption
    fails, and how much room an inequality leaves. `Claim.check` stops at an assumption that fails. This function
    decides the conclusion in any case.

    Parameters
    ----------
    d : JointDistribution, or the name of one in the gallery
    ids : iterable of str, or "all", optional
        The ids of the statements, or ``"all"`` for every statement of the ledger about one distribution. By default the
        theorems and lemmas, without steps of proofs and examples: `Entry.theorem` decides.

    Raises
    ------
    UnknownNameError
        No statement has this id.
    InvalidValueError
        The statement with this id is not about one distribution.

    Notes
    -----
    Each statement has a budget of its own, in steps and not in seconds. A step is one choice of values for its
    variables, or one subset, state or probability that it mentions. A statement that needs more is not decided. With 64
    states the sheet takes some seconds. If a distribution of more than 12 features holds only its possible cells, the
    budget is smaller.

    Examples
    --------
    >>> sheet = theorems("titanic", ["PN-2", "PN-3", "PN-4"])
    >>> print(sheet["PN-4"])
    PN-4 (Peña and Nilsson, Theorem 4): The minimal feature subset of minimal Bayes risk is unique.
      assumptions: positive fails at x = (class=crew, sex=male, age=child)
      conclusion:  holds
    """
    d = as_distribution(d)
    evaluation = Evaluation(d)
    return TheoremSheet(d, tuple(_at(entry, d, evaluation) for entry in _chosen(ids)))


def _chosen(ids: Iterable[str] | None) -> list[Entry]:
    """Return the entries with some ids. Refuse entries that are not about one distribution."""
    stated = [entry for entry in claims.values() if entry.claim]
    if ids is None:
        return [entry for entry in stated if entry.theorem]
    if ids == "all":
        return stated
    found = [claims[id_] for id_ in as_names(ids, "ids")]
    for entry in found:
        entry.stated()
    return found


def _at(entry: Entry, d: JointDistribution, at: Evaluation) -> TheoremAt:
    """Return an entry of the ledger at a distribution."""
    claim, failing, steps = entry.stated(), dict[str, Where](), _STEPS if tables_risks(d) else _FEW_STEPS
    try:
        failing.update(claim._failing_assumptions(Model(d, steps=steps), at))
        shown = list(claim._deciding_instances(Model(d, steps=steps)))
        false, _ = claim._first_false(iter(shown), at)
        room = [(slack, instance.where) for instance in shown if (slack := _slack(instance, at)) is not None]
    except FSTheoryError as error:  # it is about other distributions, or takes too many steps here
        return TheoremAt(entry, failing, None, reason=str(error.__cause__ or error))
    if false is not None:
        return TheoremAt(entry, failing, False, false.where, _slack(false, at))
    slack, where = min(room, key=itemgetter(0), default=(None, ()))
    return TheoremAt(entry, failing, True, where, slack)


def _slack(instance: Instance, at: Evaluation) -> Number | None:
    """Return the right side of an inequality minus its left side. Return None for any other formula."""
    kind, *sides = instance.formula
    if kind not in {"<", "<="} or instance.parameters:
        return None
    left, right = map(at.value, sides)
    return right - left
