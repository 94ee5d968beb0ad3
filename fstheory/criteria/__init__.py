"""Criteria: the best value of a performance measure that a predictor can reach if it sees only a feature subset."""

from __future__ import annotations

from fstheory.criteria import criterion, losses, probabilities, ranking
from fstheory.criteria.criterion import *  # noqa: F403 (each file says which of its names are public)
from fstheory.criteria.losses import *  # noqa: F403
from fstheory.criteria.probabilities import *  # noqa: F403
from fstheory.criteria.ranking import *  # noqa: F403

__all__: list[str] = []
__all__ += criterion.__all__
__all__ += losses.__all__
__all__ += probabilities.__all__
__all__ += ranking.__all__
__all__.sort()
