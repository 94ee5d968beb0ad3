"""`needed_assumptions`: which assumptions of a claim it needs, each with its reason."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextlib import suppress
from typing import TypeAlias

from fstheory._display import Shown
from fstheory.errors import MissingDependencyError, NotLinearError
from fstheory.ledger import Entry
from fstheory.logic import Claim, NotRefuted, Proved, Refuted, Shape, Undecided
from fstheory.search.asked import claim_asked
from fstheory.search.prove import prove
from fstheory.search.refute import refute

__all__ = ["needed_assumptions"]


class NeededAssumptions(Shown, dict[str, "Answer"]):
    """The verdict for each assumption, by its name; see `needed_assumptions`."""

    def __str__(self) -> str:
        return "\n".join(f"{name}: {_FOLLOWS[answer.status]}; {answer}" for name, answer in self.items()) or "none"


Answer: TypeAlias = "Refuted | Proved | Undecided | NotRefuted"

_FEATURES = 3
_FOLLOWS = {"refuted": "needed", "proved": "not needed", "undecided": "undecided", "not refuted": "undecided"}


def needed_assumptions(
    claim: Claim | Entry | str,
    *,
    cardinalities: Iterable[int] | None = None,
    classes: int = 2,
    max_total: int | None = None,
    seed: int = 0,
    progress: Callable[[str], object] | None = None,
    workers: int = 1,
    time_limit: float | None = None,
) -> NeededAssumptions:
    """Drop the assumptions of a claim one at a time: for each, a counterexample or a proof without it.

    Parameters
    ----------
    claim : Claim, Entry or str
    cardinalities : iterable of int, optional
        The number of states of each feature. If not given, counterexamples are looked for among one to three binary
        features, and proofs are about three.
    classes : int
    max_total, seed, progress, workers
        As for `refute`.
    time_limit : number, optional
        Seconds for each search and each proof.

    Returns
    -------
    dict from the name of each assumption to a verdict; its text has a line for each
        `Refuted`, by the smallest distribution without it: the assumption is needed. `Proved`: it is not needed, for
        the shape that the verdict names. `Undecided`: neither in time. `NotRefuted`: no counterexample was
        found, and the claim is beyond what can be proved.

    Raises
    ------
    ClaimError
        The function of the claim fails.
    UnknownNameError
        The ledger has no such id.

    Examples
    --------
    >>> for name, verdict in needed_assumptions("PN-4").items():
    ...     print(name, verdict.status, verdict.distribution.weights.tolist())
    positive refuted [[[0, 0], [0, 1]], [[1, 0], [0, 0]]]
    unique_maximum refuted [[[0, 1], [1, 1]], [[1, 1], [1, 0]]]
    """
    asked = claim_asked(claim)
    shape = None if cardinalities is None else Shape(cardinalities).cardinalities  # type: ignore[arg-type]
    answers = NeededAssumptions()
    for assumption in asked.assumptions:
        without = asked.without(assumption)
        searched = refute(
            without,
            cardinalities=shape,
            classes=classes,
            max_features=_FEATURES,
            max_cardinality=2,
            max_total=max_total,
            seed=seed,
            progress=progress,
            workers=workers,
            time_limit=time_limit,
        )
        answers[assumption.name] = searched
        if isinstance(searched, NotRefuted):
            with suppress(NotLinearError, MissingDependencyError):  # then what was searched is all that can be said
                answers[assumption.name] = prove(
                    without,
                    cardinalities=shape or (2,) * _FEATURES,
                    classes=classes,
                    time_limit=time_limit,
                    progress=progress,
                )
    return answers
