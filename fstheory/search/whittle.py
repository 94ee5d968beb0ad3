"""Make the weights of a distribution smaller with a solver, as far as that is cheap."""

from __future__ import annotations

import numpy as np

from fstheory.distribution import JointDistribution
from fstheory.errors import MissingDependencyError
from fstheory.logic import Evaluation
from fstheory.logic.statement import Statement
from fstheory.search.answers import NoAnswer
from fstheory.search.clock import Clock, OutOfTime
from fstheory.search.least import WeightSolver, is_linear
from fstheory.search.target import Weights

__all__ = ["whittled"]

_CELLS = 64
_RESOURCES = 10_000_000  # of the solver for each step: some tenths of a second
_FACTOR = (3, 4)


class _Whittler(WeightSolver):
    def weights(self) -> Weights:
        """Return the weights that were found last."""
        return tuple(self._weights())


def whittled(denial: Statement, d: JointDistribution, clock: Clock) -> JointDistribution:
    """Return a distribution with smaller weights at which a statement is false as well; `d` if none is found.

    Parameters
    ----------
    denial : Statement
    d : JointDistribution
        The assumptions of the statement hold there, and the statement fails.
    clock : Clock

    Notes
    -----
    The total falls by a quarter at least in each step, until the solver finds nothing with the resources it has. The
    same distribution gives the same answer, if the clock does not stop it. Without the solver, `d` is returned.

    Examples
    --------
    >>> from fstheory.logic import Named, Shape
    >>> from fstheory.logic.nodes import ZERO
    >>> denial = Statement("some error", Shape((2,)), (), (Named("some error", (), ("<", ZERO, ("R", (0,)))),))
    >>> whittled(denial, JointDistribution([[30, 0], [0, 70]]), Clock(None, None)).total < 30
    True
    """
    if denial.shape.cells > _CELLS or d.total <= denial.shape.states or not is_linear(denial):
        return d
    try:
        while (weights := _with_less(denial, d.total * _FACTOR[0] // _FACTOR[1], clock)) is not None:
            smaller = JointDistribution(np.array(weights, dtype=object).reshape(d.weights.shape), features=d.features)
            if not _is_counterexample(denial, smaller):
                return d
            d = smaller
    except (MissingDependencyError, NoAnswer, OutOfTime):
        pass
    return d


def _with_less(denial: Statement, total: int, clock: Clock) -> Weights | None:
    """Return weights of at most this total at which the statement is false; None if there are none."""
    solver = _Whittler(denial, total=0, clock=clock, resources=_RESOURCES)
    solver.add(solver.total <= total)
    return solver.weights() if solver.check() else None


def _is_counterexample(denial: Statement, d: JointDistribution) -> bool:
    at = Evaluation(d)
    return all(at.truth(named.formula) for named in denial.assume) and not all(
        at.truth(named.formula) for named in denial.show
    )
