"""The two assumptions of Peña and Nilsson as questions, each answered with a state where it fails."""

from __future__ import annotations

import numpy as np

from fstheory._check import Check
from fstheory.distribution.variables import Label, Variables
from fstheory.distribution.weights import Weights

__all__ = ["check_positive", "check_unique_maximum"]


def check_positive(weights: Weights, variables: Variables) -> Check:
    """Decide whether p(x) > 0 for every state x of all features."""
    return _check("p(x) > 0 for every x", np.argwhere(weights.sum(axis=-1) == 0), variables)


def check_unique_maximum(weights: Weights, variables: Variables) -> Check:
    """Decide whether p(Y|x) has a single maximum for every x with p(x) > 0."""
    top = weights.max(axis=-1, keepdims=True)
    fails = np.argwhere(((weights == top).sum(axis=-1) > 1) & (top[..., 0] > 0))
    tied: tuple[Label, ...] = ()
    if len(fails):
        cell = weights[tuple(fails[0])]
        tied = tuple(label for label, weight in zip(variables.labels[-1], cell, strict=True) if weight == cell.max())
    return _check("p(Y|x) has a single maximum for every x with p(x) > 0", fails, variables, tied)


def _check(statement: str, fails: np.ndarray, variables: Variables, tied: tuple[Label, ...] = ()) -> Check:
    """Return what was found, the first of the cells where the assumption fails as the witness."""
    if not len(fails):
        return Check(statement, True)
    witness = {name: labels[i] for name, labels, i in zip(variables.features, variables.labels, fails[0], strict=False)}
    state = ", ".join(f"{name}={label!r}" for name, label in witness.items())
    ties = f", where {' and '.join(map(repr, tied))} tie" if tied else ""
    return Check(statement, False, witness, tied or None, failure=f" at x = ({state}){ties}")
