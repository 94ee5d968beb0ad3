"""The exact value of a term and the truth of a formula, at one distribution."""

from __future__ import annotations

import copy
import functools
import itertools
import operator
from collections.abc import Callable, Iterable, Iterator, Sequence
from fractions import Fraction
from typing import Any, TypeAlias, TypeVar, cast

import numpy as np

from fstheory._support.progress import spend
from fstheory._support.result import Result
from fstheory.checker.statement import COMPARISONS, walk
from fstheory.distributions.gallery import DistributionLike, as_distribution
from fstheory.distributions.joint import JointDistribution
from fstheory.distributions.rows import counted, is_table
from fstheory.errors import InvalidTypeError, InvalidValueError, explain, require, require_type
from fstheory.lattice.table import SubsetTable
from fstheory.logic.expressions import Formula, Node, Term, formula_node, term_node
from fstheory.measures.information import entropy
from fstheory.measures.risk import bayes_risk, bayes_risks
from fstheory.numbers.enclosure import Enclosed, ExactReal
from fstheory.numbers.logsum import LogSum, log
from fstheory.numbers.quotients import LogQuotient
from fstheory.numbers.roots import sqrt

Number: TypeAlias = "Fraction | ExactReal | LogQuotient"
T = TypeVar("T")
_TABLED = 12  # the most features of which all subsets are looked at, if there is no table of all cells: some seconds


class Evaluation(Result):
    """The values of all terms and formulas at one distribution.

    Terms refer to features, states and classes by their places, so the names of the distribution play no part. Each
    value is computed once and kept.
    """

    def __init__(self, d: JointDistribution, parameters: Iterable[tuple[str, Fraction]] = ()) -> None:
        self._d = d
        self._risks: SubsetTable[Fraction] | None = None
        self._values: dict[Node, Number] = {("t", name): number for name, number in parameters}

    def __repr__(self) -> str:
        return f"<Evaluation at {self._d!r}>"

    def truth(self, formula: Node) -> bool:
        """Decide a formula exactly.

        The parts of "and", "or" and "implies" are decided from the left, and only as far as needed.
        """
        kind, *parts = formula
        if kind in {"and", "or"}:
            return (all if kind == "and" else any)(map(self.truth, parts))
        if kind in {"not", "implies"}:
            return not self.truth(parts[0]) or (kind == "implies" and self.truth(parts[1]))
        if kind == "iff":
            return self.truth(parts[0]) == self.truth(parts[1])
        left, right = map(self.value, parts)
        return bool(COMPARISONS[kind](left, right))

    def failing(self, formula: Node, names: Sequence[str]) -> dict[str, Fraction] | None:
        """Return values of the parameters at which a formula is false. Return None if it is true for all values.

        Each comparison of linear forms is a wall, a hyperplane in the space of the parameters. Inside each cell between
        walls the truth of the formula is constant, so one point of each cell is tried. If there is one parameter, the
        numbers beside it may be irrational.
        """
        at, walls, irrational = copy.copy(self), set[tuple[Any, ...]](), ""
        for node in {node for node in walk(formula) if node[0] in {*COMPARISONS, "max", "min"}}:
            if not any(part[0] == "t" for part in walk(node)):
                continue
            for two in itertools.combinations([self._forms(part, names) for part in node[1:]], 2):
                walls |= {tuple(map(operator.sub, *pair)) for pair in itertools.product(*two)}
        for values in (dict(zip(names, point, strict=True)) for point in _points(walls, len(names))):
            at._values = self._values | {("t", name): number for name, number in values.items()}
            if not at.truth(formula):
                if all(isinstance(value, Fraction) for value in values.values()):
                    return values
                irrational = ", ".join(f"{name} = {number}" for name, number in values.items())
        if irrational:
            what = f"it is false only at an irrational value of a parameter, as at {irrational}"
            raise InvalidTypeError(f"{what}, and a counterexample is written with fractions; leave the parameter out")
        return None

    def _forms(self, term: Node, names: Sequence[str]) -> list[tuple[Any, ...]]:
        """Return linear forms of the parameters: at every point, the term equals one of them.

        A form is a constant followed by a coefficient for each parameter. A term has several forms where it has a
        maximum or minimum in it.
        """
        kind, *parts = term
        if kind == "t":
            return [(Fraction(0), *(Fraction(name == parts[0]) for name in names))]
        if not any(part[0] == "t" for part in walk(term)):
            number = _plain(self.value(term))
            if len(names) > 1:
                number = _rational(number, "a comparison with two parameters")
            return [(number, *[Fraction(0)] * len(names))]
        several = [self._forms(part, names) for part in parts]
        if kind in {"max", "min"}:
            return list(itertools.chain(*several))
        if kind == "+":
            return [tuple(np.sum(np.array(forms, object), axis=0)) for forms in itertools.product(*several)]
        alone = [all(form[1:] == (0,) * len(names) for form in forms) for forms in several]
        if kind not in {"*", "/"} or (not alone[1] and (kind == "/" or not alone[0])):
            raise InvalidTypeError("a parameter of a claim cannot be multiplied by a parameter, or be a divisor")
        if not alone[1]:
            several.reverse()
        factor = _rational(several[1][0][0], "a multiple of a parameter")
        if kind == "/":
            require(factor, "a divisor of a parameter in a claim", "other than 0", 0, "say when it is above 0")
            factor = 1 / factor
        return [tuple(factor * coefficient for coefficient in form) for form in several[0]]

    def value(self, term: Node) -> Number:
        """Return the exact value of a term, which is a Fraction, a LogSum, a RootSum or a LogQuotient."""
        found = self._values.get(term)
        if found is None:
            spend()
            found = self._values[term] = _TERMS[term[0]](self, term)
        return found

    def _probability(self, term: Node) -> Number:
        _, states, y = term
        return Fraction(counted(self._d).mass((*states, y)), self._d.total)

    def _risk(self, term: Node) -> Number:
        subset = frozenset(self._d.features[i] for i in term[1])
        if not tables_risks(self._d):
            return bayes_risk(self._d, subset)
        if self._risks is None:
            self._risks = bayes_risks(self._d)
        return self._risks[subset]

    def _entropy(self, term: Node) -> Number:
        _, features, with_class = term
        return entropy(self._d, [self._d.features[i] for i in features] + [self._d.target] * with_class)

    def _sum(self, term: Node) -> Number:
        return functools.reduce(_added, map(self.value, term[1:]), cast("Number", Fraction(0)))

    def _product(self, term: Node) -> Number:
        first, second = map(_plain, map(self.value, term[1:]))
        if isinstance(first, LogSum) and isinstance(second, Enclosed):
            return LogQuotient.of(first) * second
        return first * second

    def _quotient(self, term: Node) -> Number:
        above, below = map(_plain, map(self.value, term[1:]))
        if isinstance(below, LogSum) and isinstance(above, LogSum) and term[2][0] == "log":
            return above.in_base(_rational(self.value(term[2][1]), "a logarithm"))
        repair = "multiply it out: write r <= t * p for r / p <= t"
        require(below != 0 or above == 0, "a divisor in a claim", "other than 0", 0, repair)
        if not below:
            return Fraction(0)  # 0/0 = 0
        return above / below if isinstance(below, Fraction) else LogQuotient.of(above) / below

    def _extreme(self, term: Node) -> Number:
        exceeds: Callable[[Number, Number], bool] = operator.gt if term[0] == "max" else operator.lt
        return functools.reduce(lambda best, other: other if exceeds(other, best) else best, map(self.value, term[1:]))


def _added(first: Number, second: Number) -> Number:
    """Return a sum. A sum of logarithms to different bases is a quotient of natural ones."""
    of_logarithms = isinstance(first, LogSum) and isinstance(second, LogSum) and first.terms and second.terms
    if of_logarithms and first.base != second.base:  # type: ignore[union-attr]
        return LogQuotient.of(first) + second
    return first + second


def tables_risks(d: JointDistribution) -> bool:
    """Return whether the table of all risks is made where one risk is needed: from a table of all cells, or quickly."""
    return is_table(d) or len(d.features) <= _TABLED


def _points(walls: set[tuple[Any, ...]], dimension: int) -> Iterator[tuple[Any, ...]]:
    """Yield one point of each bounded cell into which the walls cut the space, also of cells of lower dimension.

    A wall is the set of points at which a linear form is 0. The last coordinate is treated first: its walls are the
    graphs of steps over the space of the other coordinates, which the crossings of those steps cut into cells.
    """
    if not dimension:
        return (yield ())
    steps = {tuple(-c / wall[-1] for c in wall[:-1]) for wall in walls if wall[-1]}
    crossed = {tuple(map(operator.sub, *two)) for two in itertools.combinations(steps, 2)}
    for point in _points(crossed | {wall[:-1] for wall in walls if not wall[-1]}, dimension - 1):
        places = sorted({step[0] + sum(map(operator.mul, step[1:], point)) for step in steps})
        between = (_between(low, high) for low, high in itertools.pairwise(places) if low < high)
        # The cells outside the outermost walls are left out: each parameter is in an interval, whose ends are walls.
        yield from ((*point, place) for place in (*between, *places))


def _between(low: Number, high: Number) -> Fraction:
    """Return a rational number between two numbers."""
    for digits in itertools.count(1):
        first, second = (x if isinstance(x, Fraction) else x.enclosure(digits)[i] for x, i in ((low, 1), (high, 0)))
        if first < second:
            simpler = (Fraction(first + second).limit_denominator(10**size) / 2 for size in itertools.count())
            return next(number for number in simpler if first < number < second)
    raise AssertionError("the digits never end")


def truth(formula: Formula | Node | bool, d: DistributionLike) -> bool:
    """Return whether a formula is true at a distribution, decided exactly. The ``node`` of a formula is also accepted.

    Examples
    --------
    >>> truth(("<", ("R", (0,)), ("R", ())), JointDistribution([[3, 1], [1, 3]]))
    True
    """
    evaluation, node = Evaluation(as_distribution(d)), formula if isinstance(formula, tuple) else formula_node(formula)
    return _known(evaluation.truth, node, d)


def value(term: Term | Node, d: DistributionLike) -> Number:
    """Return the exact value of a term at a distribution, as a Fraction, LogSum or RootSum.

    The ``node`` of a term is also accepted.

    Raises
    ------
    InvalidValueError
        The term divides by zero, or takes the logarithm of a number that is not positive or the root of a negative one.

    Examples
    --------
    >>> print(value(("H", (), True), JointDistribution([1, 1])))
    log(2) ≈ 0.693147
    """
    evaluation, node = Evaluation(as_distribution(d)), term if isinstance(term, tuple) else term_node(term)
    return _known(evaluation.value, node, d)


def _known(evaluate: Callable[[Node], T], node: Node, d: DistributionLike) -> T:
    """Evaluate a formula or a term. Refuse a distribution without a feature, a state or a class that it names."""
    try:
        return evaluate(node)
    except IndexError:
        wanted = "a distribution with every feature, state and class that the formula names"
        raise InvalidValueError(explain("d", wanted, d, "take one of the shape of the model")) from None


def _plain(number: Number) -> Number:
    """Return a number as a Fraction if it is rational."""
    return number.as_fraction() if isinstance(number, Enclosed) and number.is_rational() else number


def _rational(number: Number, what: str) -> Fraction:
    """Return a rational number as a Fraction, or refuse an irrational one."""
    plain = _plain(number)
    if not isinstance(plain, Fraction):
        repair = "square the comparison" if what == "a square root" else "rewrite it"
        raise InvalidTypeError(explain(f"the argument of {what} in a claim", "rational", str(plain), repair))
    return plain


_TERMS: dict[str, Callable[[Evaluation, Node], Number]] = {
    "q": lambda _, term: term[1],
    "t": lambda _, term: require_type(None, Fraction, f"the parameter {term[1]}", "given a value", "check a claim"),
    "P": Evaluation._probability,
    "R": Evaluation._risk,
    "H": Evaluation._entropy,
    "+": Evaluation._sum,
    "*": Evaluation._product,
    "/": Evaluation._quotient,
    "max": Evaluation._extreme,
    "min": Evaluation._extreme,
    "log": lambda at, term: log(_rational(at.value(term[1]), "a logarithm")),
    "sqrt": lambda at, term: sqrt(_rational(at.value(term[1]), "a square root")),
}
