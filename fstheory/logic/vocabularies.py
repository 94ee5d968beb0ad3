"""The vocabularies of claims that are called with symbols, and of claims in which a feature is the target."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Sequence
from typing import Any, NoReturn

from fstheory.checker.statement import walk
from fstheory.logic.every_size import EverySize, asks_about_states
from fstheory.logic.expressions import Formula, SetNode, SymbolicFeature, SymbolicSet, Term, formula_node, set_node
from fstheory.logic.language import Model, Reading
from fstheory.logic.statement import Shape


class ExchangedModel(Model):
    """The vocabulary of a claim in which a feature is the only target, for every number of states.

    In the formulas, this feature and the class have changed places. The feature has any number of states, and so has
    the class. So the claim is true of all distributions if and only if the formulas are.
    """

    __slots__ = ("_predicted",)
    _predicted: str

    def __init__(self, size: Shape, predicted: str, *, steps: int | None = None) -> None:
        super().__init__(size, steps=steps)
        if not isinstance(size, EverySize) or size.classes is not None or predicted not in size.features:
            raise asks_about_states(f"{predicted} as a target")
        object.__setattr__(self, "_predicted", predicted)

    def risk(self, of: Any = None, *, target: str | None = None, **changes: Any) -> Term:
        """Return the risk of the feature. There is no risk of the class beside it."""
        return super().risk(self._predictors(of, target), **changes)

    def gini(self, of: Any = None, *, target: str | None = None) -> Term:
        """Return the Gini impurity of the feature."""
        return super().gini(self._predictors(of, target))

    def auc(self, of: Any = None) -> NoReturn:
        """Refuse the area, which is one of the class."""
        self._predictors(of, None)
        raise AssertionError("the class is not the target")

    explained = auc

    def _predictors(self, of: Any, target: str | None) -> frozenset[str]:
        known = self._variables(self.features - {self._predicted} if of is None else of)
        if target != self._predicted or target in known:
            raise asks_about_states("several targets")
        return self._exchanged(known)

    def _exchanged(self, names: Iterable[str]) -> frozenset[str]:
        other = {self._predicted: self.target, self.target: self._predicted}
        return frozenset(other.get(name, name) for name in names)

    def _entropy(self, of: Iterable[str]) -> Term:
        return super()._entropy(self._exchanged(of))


# Claims that are read once: called with symbols, the function gives one formula, from which all instances follow.


READABLE = {
    *("all", "any", "auc", "conditional_entropy", "count", "entropy", "equal", "explained", "feature_information"),
    *("features", "gini", "iff", "implies", "independent", "let", "log", "markov_blanket", "maximum"),
    *("minimal_optimal", "minimum", "mutual_information", "risk", "sqrt", "strongly_relevant", "sum", "target"),
}
"""The names of the vocabulary that the function of a claim may use if it is read once."""


class SetModel(Model):
    """The vocabulary of a claim that is read once: the set of all features and the class are symbols."""

    def __init__(self) -> None:
        super().__init__(EverySize(1))
        every = SymbolicSet(SetNode(("X",)))
        for name, symbol in (("features", every), ("order", every), ("target", SymbolicFeature(SetNode(("Y",))))):
            object.__setattr__(self, name, symbol)

    def minimal_optimal(self, subset: Any) -> Formula:
        """Return the formula that no subset of a set is optimal, as one node."""
        return Formula(("minimal", self._indices(subset)))

    def _indices(self, subset: Any) -> Any:
        parts = {subset} if isinstance(subset, SymbolicFeature) else self.features if subset is None else subset
        return set_node(parts if isinstance(parts, SymbolicSet) else frozenset(parts))

    def _sorted(self, subset: Any) -> Any:
        return (self._indices(subset),)

    def _variables(self, names: Any) -> Any:
        return frozenset(self._sorted(names))

    def _entropy(self, of: Iterable[Any]) -> Term:
        return Term(("H", set_node(frozenset(of))))


def read_once(function: Callable[..., Formula | bool], kinds: Sequence[str]) -> Reading:
    """Call the function of a claim with a symbol for each variable, and return its formula and the terms it names.

    The kinds of the variables are "subset" or "feature".
    """
    symbols, model = {"subset": SymbolicSet, "feature": SymbolicFeature}, SetModel()
    values = (symbols[kind](SetNode(("S", place))) for place, kind in enumerate(kinds))
    formula = formula_node(function(model, *values))
    nodes = itertools.chain.from_iterable(map(walk, (formula, *model._named.values())))
    about_sets = dict.fromkeys(node for node in nodes if isinstance(node[-1], SetNode))
    return formula, dict(model._named), tuple(about_sets)
