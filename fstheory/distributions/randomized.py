"""Random distributions, drawn with integers only and the same on every machine."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Sequence
from random import Random

import numpy as np

from fstheory._support.exact import as_index
from fstheory._support.memory import require_cells
from fstheory.distributions.joint import JointDistribution
from fstheory.errors import InvalidTypeError, explain, require, require_flag, require_type

_BYTES_PER_CELL = 200  # an int in a list, in a set and in a sorted copy, while drawing


def random(
    cardinalities: Iterable[int] = (2, 2, 2),
    classes: int = 2,
    *,
    rng: int | Random = 0,
    total: int | None = None,
    zeros: int = 0,
    ties: int = 0,
    positive: bool = False,
) -> JointDistribution:
    """Return a random distribution; equal arguments give equal distributions.

    Features X1, X2, .. and target Y, with states 0, 1, ....

    With the default options it is drawn uniformly among all tables of non-negative integers of this
    shape that sum to `total`.

    Parameters
    ----------
    cardinalities : iterable of int
        The number of states of each feature.
    classes : int
        The number of classes.
    rng : int or random.Random
        A seed, or a generator, which is advanced.
    total : int, optional
        The sum of the integer weights; 20 for each cell unless given.
    zeros : int
        How many cells have weight 0 by decree. Others may be 0 by chance.
    ties : int
        In how many feature states x the largest weight is given to a second class as well.
    positive : bool
        Make sure that p(x) > 0 for all x.

    Notes
    -----
    In full, the draw has three steps.

    1. If `positive`, one cell of every feature state is protected, chosen uniformly and independently.
       Then `zeros` of the cells that are not protected are set to 0, uniformly without replacement.
    2. The other cells get weights uniformly distributed over all tuples of integers that sum to
       `total`, each at least 1 if `positive` and at least 0 otherwise (stars and bars).
    3. `ties` feature states are chosen, uniformly without replacement. In each, the class after the
       first one of largest weight (cyclically) is raised to that weight, so the weights then sum to more
       than `total`, and a cell set to 0 in step 1 may be filled. A state of weight 0 stays as it is.

    The distribution keeps the weights in lowest terms, so its own total may be a divisor. Only
    `Random.getrandbits` is used. Time and memory are proportional to the number of cells, up to sorting.

    Examples
    --------
    >>> from fstheory import gallery
    >>> d = gallery.random((2, 3), classes=3, rng=1, total=997)
    >>> d.total, d.cardinalities, d.classes
    (997, (2, 3), (0, 1, 2))
    """
    shape = (*_cardinalities(cardinalities), as_index(classes, "classes", at_least=1))
    cells = require_cells(shape, "the table of all cells", "ask for fewer features", _BYTES_PER_CELL)
    states = cells // shape[-1]
    generator = _generator(rng)
    require_flag(positive, "positive", "pass positive=True to have p(x) > 0")
    free = cells - (states if positive else 1)
    holes = as_index(zeros, "zeros", at_most=free, repair="leave some cells to draw")
    places = states if shape[-1] > 1 else 0
    tied = as_index(ties, "ties", at_most=places, repair="a tie takes a feature state and two classes")
    filled = cells - holes
    least = filled if positive else 1
    mass = 20 * cells if total is None else as_index(total, "total", at_least=1)
    require(mass >= least, "total", f"at least {least}, 1 for each cell to fill", mass, "raise total")

    empty = set(_holes(generator, states, shape[-1], holes, positive))
    drawn = iter(_composition(generator, mass, filled, 1 if positive else 0))
    weights = [0 if cell in empty else next(drawn) for cell in range(cells)]
    for state in _choose(generator, states, tied):
        row = weights[state * shape[-1] : (state + 1) * shape[-1]]
        first = row.index(max(row))
        weights[state * shape[-1] + (first + 1) % shape[-1]] = row[first]
    return JointDistribution(np.array(weights, dtype=object).reshape(shape))


def _cardinalities(cardinalities: Iterable[int]) -> tuple[int, ...]:
    if isinstance(cardinalities, str) or not isinstance(cardinalities, Iterable):
        raise InvalidTypeError(explain("cardinalities", "a list of integers", cardinalities, "write (2, 2, 3)"))
    return tuple(as_index(size, f"cardinalities[{i}]", at_least=1) for i, size in enumerate(cardinalities))


def _generator(rng: int | Random) -> Random:
    if isinstance(rng, Random):
        return rng
    return Random(require_type(rng, int, "rng", "an int or a random.Random", "pass a seed such as rng=0"))


def _holes(rng: Random, states: int, classes: int, count: int, positive: bool) -> list[int]:
    """Return the cells to set to 0; if `positive`, they spare one cell of every feature state."""
    if not count:
        return []
    if not positive:
        return _choose(rng, states * classes, count)
    spared = {state * classes + _below(rng, classes) for state in range(states)}
    exposed = [cell for cell in range(states * classes) if cell not in spared]
    return [exposed[i] for i in _choose(rng, len(exposed), count)]


def _composition(rng: Random, total: int, parts: int, least: int) -> Sequence[int]:
    """Return `parts` integers of at least `least` that sum to `total`, uniformly among all such tuples."""
    slots = total - parts * least + parts - 1
    bars = [-1, *_choose(rng, slots, parts - 1), slots]
    return [right - left - 1 + least for left, right in itertools.pairwise(bars)]


def _choose(rng: Random, n: int, k: int) -> list[int]:
    """Return k of the integers below n, ascending, uniformly among all such sets (Floyd's method)."""
    chosen: set[int] = set()
    for last in range(n - k, n):
        candidate = _below(rng, last + 1)
        chosen.add(last if candidate in chosen else candidate)
    return sorted(chosen)


def _below(rng: Random, n: int) -> int:
    """Return an integer below n, uniformly: bits are drawn again until they are below."""
    width = (n - 1).bit_length()
    while (value := rng.getrandbits(width) if width else 0) >= n:
        pass
    return value
