"""What the words of the language mean by the definitions, summed cell by cell in Fractions.

A `World` is a distribution as ``{(i1, .., in, j): Fraction}`` over the positions of states and classes; nothing of
fstheory is used but `to_pmf` and the names. Random terms and formulas are written once and read twice: with the
operators of the language, and by the definitions.
"""

import itertools
import operator
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from fractions import Fraction
from typing import Any

from hypothesis import strategies as st

from fstheory import JointDistribution
from fstheory.logic.expressions import Formula, Term
from fstheory.logic.language import Model
from tests.literal import bayes_risk
from tests.measures.literal_information import Logs, logs

Cell = tuple[int, ...]
Tree = tuple[Any, ...]


class World:
    def __init__(self, d: JointDistribution) -> None:
        self.features, self.target = d.features, d.target
        self.labels = [list(d.states[name]) for name in d.features]
        self.classes = list(d.classes)
        axes = [*self.labels, self.classes]
        self.pmf: dict[Cell, Fraction] = {
            tuple(axis.index(label) for axis, label in zip(axes, cell, strict=True)): p
            for cell, p in d.to_pmf().items()
        }

    def p(self, state: Mapping[str, Hashable], y: object = None) -> Fraction:
        """Return p(s), or p(s, y) for ``("is", y)``: y may be any label."""
        total = Fraction(0)
        for (*x, j), q in self.pmf.items():
            labels = {name: own[i] for name, own, i in zip(self.features, self.labels, x, strict=True)}
            agrees = all(labels[name] == label for name, label in state.items())
            if agrees and y in {None, ("is", self.classes[j])}:
                total += q
        return total

    def risk(self, subset: Iterable[str]) -> Fraction:
        return bayes_risk(self.pmf, self.places(subset))  # type: ignore[arg-type]

    def places(self, subset: Iterable[str]) -> list[int]:
        kept = set(subset)
        return [i for i, name in enumerate(self.features) if name in kept]

    def subsets(self, of: Iterable[str] | None = None) -> list[frozenset[str]]:
        kept = list(self.features if of is None else of)
        return [frozenset(c) for size in range(len(kept) + 1) for c in itertools.combinations(kept, size)]

    def states(self, of: Iterable[str] | None = None) -> Iterator[dict[str, Hashable]]:
        kept = set(self.features if of is None else of)
        names = [name for name in self.features if name in kept]
        for labels in itertools.product(*(self.labels[self.features.index(name)] for name in names)):
            yield dict(zip(names, labels, strict=True))

    def says(self, state: Mapping[str, Hashable]) -> Hashable:
        """Return what the Bayes classifier says: the first class of largest p(s, y)."""
        joint = [self.p(state, ("is", y)) for y in self.classes]
        return self.classes[joint.index(max(joint))]

    def entropy(self, subset: Iterable[str], *, target: bool) -> Logs:
        """Return H as a mapping from primes to coefficients."""
        found: dict[Cell, Fraction] = {}
        kept = self.places(subset)
        for cell, q in self.pmf.items():
            part = (*(cell[i] for i in kept), *([cell[-1]] if target else []))
            found[part] = found.get(part, Fraction(0)) + q
        return logs((-q, q) for q in found.values() if q)


# Random terms and formulas

COMPARE: dict[str, Callable[[Any, Any], Any]] = {
    "<": operator.lt, "<=": operator.le, "==": operator.eq, "!=": operator.ne, ">": operator.gt, ">=": operator.ge,
}  # fmt: skip
COMPUTE: dict[str, Callable[[Any, Any], Any]] = {"+": operator.add, "-": operator.sub, "*": operator.mul}


def leaves(features: tuple[str, ...], states: tuple[int, ...], classes: int) -> st.SearchStrategy[Tree]:
    constants = st.tuples(st.just("q"), st.sampled_from([0, 1, -1, 2, Fraction(1, 2), Fraction(-2, 3)]))
    labels = {name: st.integers(0, size - 1) for name, size in zip(features, states, strict=True)}
    cells = st.fixed_dictionaries({}, optional=labels)
    probabilities = st.tuples(st.just("P"), cells, st.none() | st.integers(0, classes - 1))
    return constants | probabilities | st.tuples(st.just("R"), st.frozensets(st.sampled_from(features)))


def terms(leaf: st.SearchStrategy[Tree]) -> st.SearchStrategy[Tree]:
    def larger(inner: st.SearchStrategy[Tree]) -> st.SearchStrategy[Tree]:
        return (
            st.tuples(st.sampled_from(list(COMPUTE)), inner, inner)
            | st.tuples(st.sampled_from(["max", "min", "sum"]), st.lists(inner, min_size=1, max_size=3))
            | st.tuples(st.just("/"), inner, inner)
            | st.tuples(st.sampled_from(["neg", "abs"]), inner)
            | st.tuples(st.just("**"), inner, st.integers(0, 3))
        )

    return st.recursive(leaf, larger, max_leaves=6)


def formulas(leaf: st.SearchStrategy[Tree]) -> st.SearchStrategy[Tree]:
    term = terms(leaf)

    def larger(inner: st.SearchStrategy[Tree]) -> st.SearchStrategy[Tree]:
        return (
            st.tuples(st.sampled_from(["all", "any"]), st.lists(inner, max_size=3))
            | st.tuples(st.sampled_from(["&", "|", "implies", "iff", "xor", "same"]), inner, inner)
            | st.tuples(st.just("~"), inner)
        )

    comparisons = st.tuples(st.sampled_from(list(COMPARE)), term, term)
    return st.recursive(comparisons | st.tuples(st.just("bool"), st.booleans()), larger, max_leaves=6)


def read(tree: Tree, words: Mapping[str, Callable[..., Any]]) -> Any:
    """Read a tree by what its words mean."""
    kind, *parts = tree
    if kind in {"q", "P", "R", "bool"}:
        return words[kind](*parts)
    if kind in {"max", "min", "sum", "all", "any"}:
        return words[kind](read(part, words) for part in parts[0])
    return words[kind](*(read(part, words) if isinstance(part, tuple) else part for part in parts))


def language(m: Model) -> dict[str, Callable[..., Any]]:
    """Return the words of the language; a constant stays the number it is, unless Python would do the arithmetic."""
    terms = {**COMPARE, **COMPUTE, "/": operator.truediv}
    formulas = {"&": operator.and_, "|": operator.or_, "xor": operator.ne, "same": operator.eq}
    return {
        "q": lambda value: value, "P": m.probability, "R": m.risk, "max": m.maximum, "min": m.minimum, "sum": m.sum,
        "neg": lambda a: -_term(a), "abs": lambda a: abs(_term(a)), "**": lambda a, n: _term(a) ** n,
        "bool": bool, "all": m.all, "any": m.any, "implies": m.implies, "iff": m.iff, "~": lambda f: ~_formula(f),
        **{kind: _lifted(word, Term, _term) for kind, word in terms.items()},
        **{kind: _lifted(word, Formula, _formula) for kind, word in formulas.items()},
    }  # fmt: skip


def definitions(w: World) -> dict[str, Callable[..., Any]]:
    """Return what the words mean, in Fractions; a ZeroDivisionError where something is divided by 0."""
    return {
        "q": Fraction, "P": lambda state, y: w.p(state, None if y is None else ("is", y)), "R": w.risk,
        "max": max, "min": min, "sum": lambda values: sum(values, Fraction(0)), "neg": operator.neg, "abs": abs,
        "**": operator.pow, "/": lambda a, b: Fraction(0) if a == b == 0 else a / b, **COMPUTE, **COMPARE,
        "bool": bool, "all": lambda fs: all(list(fs)), "any": lambda fs: any(list(fs)), "~": operator.not_,
        "implies": lambda f, g: g or not f, "iff": operator.eq, "same": operator.eq, "xor": operator.ne,
        "&": operator.and_, "|": operator.or_,
    }  # fmt: skip


def _lifted(word: Callable[..., Any], kind: type, lift: Callable[[Any], Any]) -> Callable[..., Any]:
    return lambda a, b: word(a if isinstance(b, kind) else lift(a), b)


def _term(value: Any) -> Term:
    return value if isinstance(value, Term) else Term(("q", Fraction(value)))


def _formula(value: Any) -> Formula:
    return value if isinstance(value, Formula) else Formula(("and",) if value else ("or",))
