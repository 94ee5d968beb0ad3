"""The best subsets on a grid of two parameters: each point exact, nothing said of what lies between."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np

from fstheory._display import Shown, few, words
from fstheory._exact import Exact, as_fraction, as_index, integers_over
from fstheory.bayes import bayes_risks
from fstheory.distribution import JointDistribution
from fstheory.distribution.variables import make_variables
from fstheory.errors import InvalidTypeError, InvalidValueError, explain
from fstheory.families.family import linear_family, polynomial

if TYPE_CHECKING:
    import sympy

    from fstheory.viz import PlotFigure

__all__ = ["BestGrid", "mixture_grid", "parameter_grid"]


@dataclass(frozen=True, eq=False, repr=False)
class BestGrid(Shown):
    """Which subsets are best at the points of a grid of two parameters.

    Attributes
    ----------
    answers : dict of pairs of Fraction to tuples of frozensets of str
        The best subsets at each pair of parameters: the minimal sets, or those of a size.
    parameters : pair of str
        What the two numbers are.
    size : int or None

    Examples
    --------
    >>> import fstheory as fs
    >>> corners = fs.gallery.xor(), fs.gallery.xor(noise="1/4"), fs.gallery.xor(noise="1/2")
    >>> print(fs.families.mixture_grid(*corners, steps=4))
    minimal sets on a grid of 15 points, each exact: {X1, X2} at 14, {} at 1
    """

    answers: dict[tuple[Fraction, Fraction], tuple[frozenset[str], ...]]
    parameters: tuple[str, str]
    size: int | None

    def plot(self) -> PlotFigure:
        """Draw the points, colored by what is best there."""
        from fstheory.viz.phases import draw_regions

        names = {point: ", ".join(map(words, answer)) for point, answer in self.answers.items()}
        places = {(float(a), float(b)): name for (a, b), name in names.items()}
        return draw_regions(places, self.parameters, self._head[0].upper() + self._head[1:])

    @property
    def _head(self) -> str:
        what = "minimal sets" if self.size is None else f"best subsets of size {self.size}"
        return f"{what} on a grid of {len(self.answers)} points, each exact"

    def __str__(self) -> str:
        counted = Counter(self.answers.values()).most_common()
        return f"{self._head}: " + few(lambda item: f"{', '.join(map(words, item[0]))} at {item[1]}", counted)


def mixture_grid(
    first: JointDistribution,
    second: JointDistribution,
    third: JointDistribution,
    *,
    size: int | None = None,
    steps: int = 24,
) -> BestGrid:
    """Return the best subsets of the mixtures (1 - a - b) first + a second + b third, on a grid.

    Parameters
    ----------
    first, second, third : JointDistribution
        Over the same variables and states.
    size : int, optional
        Of the subsets compared; by default the minimal sets are asked for.
    steps : int
        a and b are multiples of 1 / `steps`; there are (steps + 1) (steps + 2) / 2 points.

    Examples
    --------
    >>> import fstheory as fs
    >>> one, two = fs.gallery.xor(), fs.gallery.xor(noise="1/2")
    >>> fs.families.mixture_grid(one, two, two, size=1, steps=1).answers[0, 1]
    (frozenset({'X1'}), frozenset({'X2'}))
    """
    steps = as_index(steps, "steps", at_least=1)
    _require_size(size, len(linear_family(first, first).features))
    for other in (second, third):
        linear_family(first, other)  # refuses what cannot be mixed
    parts = [d.weights.astype(object) * Fraction(1, d.total) for d in (first, second, third)]
    shares = [Fraction(i, steps) for i in range(steps + 1)]
    answers = {}
    for a, b in itertools.product(shares, repeat=2):
        if a + b <= 1:
            mixture = parts[0] * (1 - a - b) + parts[1] * a + parts[2] * b
            weights = np.array(integers_over(mixture.ravel().tolist())[0], dtype=object).reshape(mixture.shape)
            answers[a, b] = _best(JointDistribution._of_integers(weights, first._variables), size)
    return BestGrid(answers, ("share of the second", "share of the third"), size)


def parameter_grid(
    weights: object,
    parameters: tuple[sympy.Symbol, sympy.Symbol],
    *,
    ends: tuple[tuple[Exact, Exact], tuple[Exact, Exact]] = ((0, 1), (0, 1)),
    size: int | None = None,
    steps: int = 24,
    features: Iterable[str] | None = None,
) -> BestGrid:
    """Return the best subsets of distributions whose weights are polynomials in two SymPy symbols, on a grid.

    Parameters
    ----------
    weights : nested sequences
        As for `polynomial_family`, in two symbols.
    parameters : pair of sympy.Symbol
    ends : pair of pairs of exact numbers
        From where to where each runs.
    size : int, optional
        Of the subsets compared; by default the minimal sets are asked for.
    steps : int
        Into how many parts each range is divided; there are (steps + 1)**2 points.
    features : iterable of str, optional

    Examples
    --------
    >>> import sympy
    >>> import fstheory as fs
    >>> s, t = sympy.symbols("s t")
    >>> seen = [[[(1 - s) * (1 - t), s * t], [(1 - s) * t, s * (1 - t)]]]
    >>> seen += [[[s * (1 - t), (1 - s) * t], [s * t, (1 - s) * (1 - t)]]]
    >>> print(fs.families.parameter_grid(seen, (s, t), ends=((0, "1/2"), (0, "1/2")), size=1, steps=8))
    best subsets of size 1 on a grid of 81 points, each exact: {X1} at 36, {X2} at 36, {X1}, {X2} at 9
    """
    import sympy

    pair = parameters if isinstance(parameters, (tuple, list)) else ()
    if len(set(pair)) != 2 or not all(isinstance(symbol, sympy.Symbol) for symbol in pair):
        raise InvalidTypeError(
            explain("parameters", "two different sympy.Symbol", parameters, "pass sympy.symbols('s t')")
        )
    steps = as_index(steps, "steps", at_least=1)
    table = np.array(weights, dtype=object)
    if table.ndim == 0 or not table.size:
        raise InvalidTypeError(explain("weights", "a table with the class as its last axis", weights, "pass a list"))
    rows = [polynomial(leaf, parameters, f"weights{list(place)}").terms() for place, leaf in np.ndenumerate(table)]
    if np.shape(np.array(ends, dtype=object)) != (2, 2):
        raise InvalidTypeError(explain("ends", "two pairs of exact numbers", ends, "pass ((0, 1), (0, '1/2')), say"))
    axes = []
    for i, (start, end) in enumerate(ends):
        low, high = as_fraction(start, f"ends[{i}]"), as_fraction(end, f"ends[{i}]")
        if not low < high:
            raise InvalidValueError(explain(f"ends[{i}]", "ascending", (start, end), "exchange the two"))
        axes.append([low + (high - low) * Fraction(j, steps) for j in range(steps + 1)])
    answers, variables = {}, make_variables(table.shape, features, None, None)
    _require_size(size, len(variables.features))
    for a, b in itertools.product(*axes):
        values = [sum((Fraction(int(c.p), int(c.q)) * a**i * b**j for (i, j), c in row), Fraction(0)) for row in rows]
        if min(values) < 0 or not any(values):
            found, repair = f"{', '.join(map(str, values))} at ({a}, {b})", "narrow the ends"
            raise InvalidValueError(explain("weights", "not negative, and not all 0", found, repair))
        at = np.array(integers_over(values)[0], dtype=object).reshape(table.shape)
        answers[a, b] = _best(JointDistribution._of_integers(at, variables), size)
    return BestGrid(answers, (str(parameters[0]), str(parameters[1])), size)


def _require_size(size: int | None, n: int) -> None:
    """Refuse the size of no subset of n features."""
    if size is not None and as_index(size, "size") > n:
        raise InvalidValueError(explain("size", f"at most {n}, the number of features", size, "pass fewer"))


def _best(d: JointDistribution, size: int | None) -> tuple[frozenset[str], ...]:
    """Return the minimal sets, or the best of a size."""
    risks = bayes_risks(d)
    return risks.minimal_sets() if size is None else risks.best_of_size(size).subsets
