"""Labels of the states x with p(x) > 0, and where they change when one feature changes.

Two questions about a state have the same shape. What does the Bayes classifier say there? What is the
posterior there? Each gets an integer label, and a feature matters for the answer if, next to some state of
the other features, two states of it have different labels. The first question leads to the minimal-optimal
problem (Theorem 7), the second to strong relevance and the Markov boundary.
"""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from fstheory.distribution.weights import Weights

__all__ = ["IMPOSSIBLE", "Labels", "bayes_labels", "posterior_labels", "varying_fibers"]

Labels: TypeAlias = "npt.NDArray[np.int64]"

IMPOSSIBLE = -1
"""The label of a state of probability 0, which is compared with nothing."""


def bayes_labels(weights: Weights) -> Labels:
    """Return the position of the likeliest class of every state, the first of several; the class is the last axis."""
    labels = weights.argmax(axis=-1).astype(np.int64)
    return np.where(_supported(weights), labels, IMPOSSIBLE)


def posterior_labels(weights: Weights) -> Labels:
    """Return labels that are equal exactly where p(Y|x) is; the class is the last axis.

    A row of integers divided by its greatest common divisor stands for the posterior: no quotient is
    taken, no product can overflow.

    Complexity: a greatest common divisor and a sort of the rows.
    """
    rows = weights.reshape(-1, weights.shape[-1])
    held = np.flatnonzero(_supported(rows))
    reduced = rows[held] // np.gcd.reduce(rows[held], axis=-1, keepdims=True)
    order = np.lexsort(reduced.T)
    ordered = reduced[order]
    rises = (ordered[1:] != ordered[:-1]).any(axis=-1)
    labels = np.full(len(rows), IMPOSSIBLE, dtype=np.int64)
    labels[held[order[:1]]] = 0
    labels[held[order[1:]]] = np.cumsum(rises)
    return labels.reshape(weights.shape[:-1])


def varying_fibers(labels: Labels, axis: int) -> npt.NDArray[np.bool_]:
    """Say for every state of the other features whether the label depends on the feature of this axis."""
    highest = labels.max(axis=axis)
    lowest = np.where(labels == IMPOSSIBLE, np.iinfo(np.int64).max, labels).min(axis=axis)
    varies: npt.NDArray[np.bool_] = lowest < highest  # of a fiber without support, lowest is above
    return varies


def _supported(weights: Weights) -> npt.NDArray[np.bool_]:
    return np.asarray(weights.max(axis=-1) > 0, dtype=np.bool_)
