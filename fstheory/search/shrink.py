"""Hypothesis, where it is installed, as a finder for claims that can only be asked about one distribution at a time."""

from __future__ import annotations

from random import Random

from fstheory.search.target import Target, Weights

__all__ = ["COUNT", "shrunk"]

COUNT = 400
"""How many distributions Hypothesis may try before it gives up."""

_LARGEST = 30


def shrunk(target: Target, seed: int) -> Weights | None:
    """Return a counterexample that Hypothesis found and shrank; None if it found none or is not installed.

    Examples
    --------
    >>> from fstheory.logic import Shape, claim
    >>> from fstheory.search.target import Opaque
    >>> @claim
    ... def light(m):
    ...     return m.distribution.total < 12
    >>> weights = shrunk(Opaque(light, Shape((2,))), 0)
    >>> weights is None or sum(weights) == 12
    True
    """
    try:
        from hypothesis import HealthCheck, settings
        from hypothesis import find as find_example
        from hypothesis import strategies as st
        from hypothesis.errors import NoSuchExample
    except ImportError:
        return None
    quiet = settings(max_examples=COUNT, database=None, deadline=None, suppress_health_check=list(HealthCheck))
    weights = st.tuples(*[st.integers(0, _LARGEST)] * target.shape.cells).filter(any)
    try:
        return find_example(weights, target.violated, settings=quiet, random=Random(seed))
    except NoSuchExample:
        return None
