"""The two assumptions of Peña and Nilsson as questions, each answered with a state where it fails."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

import numpy as np

from fstheory._display import Shown
from fstheory.distribution.variables import Label, Variables
from fstheory.distribution.weights import Weights

__all__ = ["AssumptionCheck", "check_positive", "check_unique_maximum"]


@dataclass(frozen=True, slots=True)
class AssumptionCheck(Shown):
    """Whether an assumption holds; true or false like a bool.

    Attributes
    ----------
    assumption : str
        The assumption in words.
    holds : bool
    witness : mapping from feature to state, or None
        The first state x (in the order of the cells) where the assumption fails.
    maximizers : tuple of classes
        The classes that tie at the witness, for the assumption of a unique maximum.

    Examples
    --------
    >>> from fstheory import JointDistribution
    >>> check = JointDistribution([[1, 1], [0, 3]]).has_unique_maximum()
    >>> bool(check), dict(check.witness), check.maximizers
    (False, {'X1': 0}, (0, 1))
    """

    assumption: str
    holds: bool
    witness: Mapping[str, Label] | None = field(default=None, hash=False)  # a mapping has no hash
    maximizers: tuple[Label, ...] = ()

    def __post_init__(self) -> None:
        if self.witness is not None:
            object.__setattr__(self, "witness", MappingProxyType(dict(self.witness)))

    def __bool__(self) -> bool:
        return self.holds

    def __str__(self) -> str:
        if self.holds:
            return f"{self.assumption}: holds"
        state = ", ".join(f"{name}={label!r}" for name, label in (self.witness or {}).items())
        ties = f", where {' and '.join(map(repr, self.maximizers))} tie" if self.maximizers else ""
        return f"{self.assumption}: fails at x = ({state}){ties}"

    def __reduce__(self) -> tuple[type[AssumptionCheck], tuple[object, ...]]:
        witness = None if self.witness is None else dict(self.witness)
        return type(self), (self.assumption, self.holds, witness, self.maximizers)


def check_positive(weights: Weights, variables: Variables) -> AssumptionCheck:
    """Decide whether p(x) > 0 for every state x of all features."""
    name = "p(x) > 0 for every x"
    fails = np.argwhere(weights.sum(axis=-1) == 0)
    if not len(fails):
        return AssumptionCheck(name, True)
    return AssumptionCheck(name, False, _state(fails[0], variables))


def check_unique_maximum(weights: Weights, variables: Variables) -> AssumptionCheck:
    """Decide whether p(Y|x) has a single maximum for every x with p(x) > 0."""
    name = "p(Y|x) has a single maximum for every x with p(x) > 0"
    top = weights.max(axis=-1, keepdims=True)
    fails = np.argwhere(((weights == top).sum(axis=-1) > 1) & (top[..., 0] > 0))
    if not len(fails):
        return AssumptionCheck(name, True)
    cell = weights[tuple(fails[0])]
    tied = tuple(label for label, weight in zip(variables.labels[-1], cell, strict=True) if weight == cell.max())
    return AssumptionCheck(name, False, _state(fails[0], variables), tied)


def _state(cell: np.ndarray, variables: Variables) -> Mapping[str, Label]:
    return {name: labels[i] for name, labels, i in zip(variables.features, variables.labels, cell, strict=False)}
