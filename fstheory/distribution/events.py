"""Events: which cells of the table a mapping from names to states picks out."""

from __future__ import annotations

from collections.abc import Mapping, Set
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from fstheory.distribution.variables import Variables
from fstheory.errors import InvalidTypeError, explain

__all__ = ["Event", "mask_event"]

Event: TypeAlias = "Mapping[str, Any]"
"""From the names of some variables to a state label, or to a set of labels any of which may occur.

A set is always a set of labels; a label that is itself a frozenset is written as a set of one.
"""


def mask_event(event: Event, variables: Variables) -> npt.NDArray[Any]:
    """Return 0 and 1 with one axis for each variable, broadcastable to the table: 1 where the event holds."""
    if not isinstance(event, Mapping):
        raise InvalidTypeError(
            explain("event", "a mapping from names to states", event, "write {'X1': 0} or {'X1': {0, 1}}")
        )
    mask = np.ones((1,) * len(variables.shape), dtype=np.int64)
    for name, wanted in event.items():
        axis = variables.axis(name)
        if isinstance(wanted, list):
            raise InvalidTypeError(
                explain(f"the state of {name}", "a label or a set of labels", wanted, "write several labels as a set")
            )
        labels = wanted if isinstance(wanted, Set) else (wanted,)
        along = np.zeros(variables.shape[axis], dtype=np.int64)
        for label in labels:
            along[variables.state(axis, label)] = 1
        mask = mask * along.reshape([-1 if i == axis else 1 for i in range(len(variables.shape))])
    return mask
