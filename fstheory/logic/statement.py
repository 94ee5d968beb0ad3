"""Claims spelled out for one shape, and the renamings of features, states and classes that leave a claim unchanged.

Renaming the features, states and classes of a distribution gives another distribution of the same shape. So if a
renaming maps the assumptions to themselves, it turns a proof of one instance into a proof of the renamed instance.
Whether two formulas are the same is decided from their form and not from their meaning. Two formulas count as the same
if they differ only in the order of arguments that may be exchanged, such as the summands of a sum.
"""

from __future__ import annotations

import contextlib
import json
import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from types import MappingProxyType
from typing import Any, TypeAlias

import numpy as np

from fstheory._support.exact import exact_text, to_text
from fstheory._support.progress import spend
from fstheory._support.result import Result
from fstheory.checker.cases import EXCHANGEABLE, moved, renamed
from fstheory.checker.statement import LEAVES, leaf_text, node_text
from fstheory.distributions.joint import JointDistribution
from fstheory.errors import ClaimError, InvalidTypeError, InvalidValueError, TooLargeError, explain, require, show
from fstheory.lattice.subsets import default_features
from fstheory.logic.evaluate import Evaluation
from fstheory.logic.expressions import TRUE, Node, conjunction, disjunction

Where: TypeAlias = "tuple[tuple[str, Any], ...]"
"""The values of a claim's variables, as JSON has them: a subset is a list of names, a state an object."""


@dataclass(frozen=True, slots=True)
class Shape(Result):
    """The sizes of a sample space: the cardinality of each feature and the number of classes.

    There may be no features at all.

    Examples
    --------
    >>> print(Shape((2, 3), 2))
    2 x 3 states, 2 classes
    """

    cardinalities: tuple[int, ...]
    classes: int = 2

    def __post_init__(self) -> None:
        if isinstance(self.cardinalities, str) or not isinstance(self.cardinalities, Iterable):
            raise InvalidTypeError(explain("cardinalities", "a tuple of integers", self.cardinalities, "write (2, 3)"))
        object.__setattr__(self, "cardinalities", tuple(self.cardinalities))
        sizes = [("cardinalities", size) for size in self.cardinalities]
        for argument, size in (*sizes, ("classes", self.classes)):
            if type(size) is not int:
                raise InvalidTypeError(explain(argument, "integers", size, "write (2, 3) and 2"))
            require(size >= 1, argument, "at least 1", size, "every variable has a state")

    @property
    def features(self) -> tuple[str, ...]:
        """The names X1, .., Xn."""
        return default_features(len(self.cardinalities))

    @property
    def states(self) -> int:
        """The number of joint states x of all features."""
        return math.prod(self.cardinalities)

    @property
    def cells(self) -> int:
        """The number of pairs (x, y)."""
        return self.states * self.classes

    def distribution(self, weights: Iterable[int], features: Sequence[str] | None = None) -> JointDistribution:
        """Return the distribution of this shape with these weights, one for each cell. The class varies fastest."""
        table = np.array(list(weights), dtype=object).reshape(*self.cardinalities, self.classes)
        return JointDistribution(table, features=features)

    def __str__(self) -> str:
        states = " x ".join(map(show, self.cardinalities)) or "1"
        return f"{states} state{'s' * (self.states != 1)}, {self.classes} class{'es' * (self.classes != 1)}"


@dataclass(frozen=True, slots=True, repr=False)
class Instance(Result):
    """One formula of a claim or an assumption, with the values of the variables for which it was made."""

    name: str
    where: Where = field(hash=False)  # lists and objects, as JSON has them
    formula: Node  # see `fstheory.logic.expressions`
    place: str = field(default="", compare=False)  # the claim with its file and line, for messages
    terms: tuple[tuple[str, Node], ...] = field(default=(), compare=False)  # the terms that `Model.let` named
    parameters: tuple[str, ...] = field(default=(), compare=False)  # real numbers: the formula must hold for all values

    def __str__(self) -> str:
        return self.name + located(self.where)

    def holds(self, at: Evaluation) -> bool:
        """Return whether the formula is true at a distribution, decided exactly.

        If it cannot be decided, a `ClaimError` names the claim that has to be corrected.
        """
        return self.false_at(at) is None

    def false_at(self, at: Evaluation) -> Instance | None:
        """Return None if the instance is true at a distribution. Otherwise return the instance.

        If it has parameters, `where` of the returned instance includes values for which it is false.
        """
        with self.pointing_here():
            if not self.parameters:
                return None if at.truth(self.formula) else self
            values = at.failing(self.formula, self.parameters)
        texts = ((name, exact_text(value)) for name, value in values.items()) if values else ()
        return None if values is None else replace(self, where=(*self.where, *texts))

    @contextlib.contextmanager
    def pointing_here(self) -> Iterator[None]:
        """Turn an error of the evaluation into a `ClaimError` that names the claim."""
        try:
            yield
        except TooLargeError:
            raise
        except (InvalidTypeError, InvalidValueError) as error:
            place = self.place or f"claim {self.name}"
            raise ClaimError(f"{place}{located(self.where, ', at ')}: {error}") from error


@dataclass(frozen=True, slots=True, repr=False)
class Statement(Result):
    """A claim about all distributions of one shape: if all formulas of `assume` are true, all formulas of `show` are.

    `show` contains each formula once, and no formula that is true whatever the distribution.
    """

    claim: str
    shape: Shape
    assume: tuple[Instance, ...]
    show: tuple[Instance, ...]
    by_name: tuple[str, ...] = ()  # for every number of states: the assumptions that are named, not spelled out

    def __post_init__(self) -> None:
        free, repair = [str(one) for one in self.assume if one.parameters], "let the claim return m.implies(..)"
        require(not free, "what is assumed", "without parameters", free, repair, ClaimError)

    @property
    def assumed(self) -> tuple[Node, ...]:
        """The formulas of `assume`."""
        return tuple(instance.formula for instance in self.assume)

    @property
    def shown(self) -> tuple[Node, ...]:
        """The formulas of `show`."""
        return tuple(instance.formula for instance in self.show)

    def violated_at(self, d: JointDistribution) -> bool:
        """Return whether a distribution of the shape is a counterexample, decided exactly.

        A counterexample satisfies all formulas of `assume` and violates a formula of `show`.
        """
        at = Evaluation(d)
        return all(part.holds(at) for part in self.assume) and not all(part.holds(at) for part in self.show)


def premise_of(formula: Node) -> Node:
    """Return the premise of an implication, as `m.implies` writes it: not p, or q. Other formulas have a true one.

    The last part of the disjunction belongs to the conclusion, even if it is a denial, as in "if p, then a != b". A
    conjunction of implications has the premise that one of them has its own.

    Examples
    --------
    >>> premise_of(("or", ("not", ("<", ("R", ()), ("R", (0,)))), ("=", ("R", ()), ("q", 0))))
    ('<', ('R', ()), ('R', (0,)))
    """
    kind, *parts = formula
    if kind == "and" and parts:
        return disjunction(*map(premise_of, parts))
    return conjunction(*(part[1] for part in parts[:-1] if part[0] == "not")) if kind == "or" else TRUE


def located(where: Where, before: str = " at ") -> str:
    """Return the values of variables as text, as in " at S = {X1, X2}, i = X3". It is empty if there are none."""
    return before * bool(where) + ", ".join(f"{name} = {_value(value)}" for name, value in where)


def _value(value: Any) -> str:
    if isinstance(value, list):
        return "{" + ", ".join(map(_value, value)) + "}"
    if isinstance(value, dict):
        return "(" + ", ".join(f"{name}={label}" for name, label in value.items()) + ")"
    return str(value)


Names: TypeAlias = "Shape | JointDistribution"


def text_of(node: Node, names: Names, terms: Mapping[Node, str] = MappingProxyType({})) -> str:
    """Return a term or a formula as text. Parts that are in `terms` are written by their names.

    A sum is written with differences, and with informations in place of entropies.

    Examples
    --------
    >>> text_of(("<=", ("+", ("R", ()), ("*", ("q", -2), ("R", (0,)))), ("q", 0)), Shape((2,)))
    'R({}) - 2 R({X1}) <= 0'
    """
    own, variables = _named(node, terms) if terms else node, (*names.features, _target(names))
    return node_text(own, variables, partial(_leaf, names), partial(to_text, digits=0))


def _leaf(names: Names, leaf: Node) -> str:
    if leaf[0] in {"q", "t"}:
        return to_text(leaf[1], 0) if leaf[0] == "q" else str(leaf[1])
    d = names if isinstance(names, JointDistribution) else None
    if d and leaf[0] == "P":  # with the labels of its states
        known = zip(d.states.items(), (*leaf[1], leaf[2]), strict=True)
        return f"P({', '.join(f'{name}={labels[i]}' for (name, labels), i in known if i is not None)})"
    return leaf_text(leaf, (*names.features, _target(names)))


def _target(names: Names) -> str:
    return names.target if isinstance(names, JointDistribution) else "Y"


def _named(node: Node, terms: Mapping[Node, str]) -> Node:
    """Return a term or a formula with a parameter for each part that has a name."""
    if node in terms:
        return ("t", terms[node])
    if node[0] in LEAVES:
        return node
    parts = _summands(node[1:], terms) if node[0] == "+" else node[1:]
    return (node[0], *(_named(part, terms) for part in parts))


def _summands(parts: Sequence[Node], terms: Mapping[Node, str]) -> list[Node]:
    """Return the parts of a sum, with named sums put together again.

    A sum does not contain other sums: their parts are its own parts. If all parts of a named sum are among them, the
    named sum takes their place.
    """
    left = list(parts)
    for term in terms:
        own = [part for part in term[1:] if part[0] != "q"] if term[0] == "+" else []
        if own and all(left.count(part) >= own.count(part) for part in own):
            place = left.index(own[0])
            for part in own:
                left.remove(part)
            constant = sum(part[1] for part in left if part[0] == "q") - sum(p[1] for p in term[1:] if p[0] == "q")
            left = [part for part in left if part[0] != "q"]
            left.insert(min(place, len(left)), term)
            left += [("q", constant)] if constant else []
    return left


# Renaming features, states and classes


@dataclass(frozen=True, slots=True)
class Renaming:
    """An exchange of the names of features, states and classes.

    Feature i becomes feature ``features[i]``, state v of feature i becomes state ``states[i][v]`` of that feature, and
    class y becomes class ``classes[y]``.
    """

    features: tuple[int, ...]
    states: tuple[tuple[int, ...], ...]
    classes: tuple[int, ...]

    @classmethod
    def identity(cls, shape: Shape) -> Renaming:
        """Return the renaming that changes nothing."""
        states = tuple(tuple(range(cardinality)) for cardinality in shape.cardinalities)
        return cls(tuple(range(len(states))), states, tuple(range(shape.classes)))

    def then(self, other: Renaming) -> Renaming:
        """Return the renaming that applies this renaming first and then `other`."""
        pairs = zip(self.features, self.states, strict=True)
        states = tuple(tuple(other.states[i][v] for v in states) for i, states in pairs)
        classes = tuple(other.classes[y] for y in self.classes)
        return Renaming(tuple(other.features[i] for i in self.features), states, classes)


# The index of a proved instance, and the renaming that turns it into another instance, which is then proved too.
Image: TypeAlias = "tuple[int, Renaming]"


def rename(node: Node, renaming: Renaming) -> Node:
    """Return a term or formula after a renaming."""
    return moved(node, _of_leaves(renaming))


def _of_leaves(renaming: Renaming) -> Callable[[Node], Node]:
    return partial(renamed, renaming.features, renaming.states, renaming.classes)


class _Texts:
    """The canonical texts of nodes after a renaming. The texts of their parts are kept, to be used again."""

    def __init__(self, renaming: Renaming | None = None) -> None:
        self._rename = _of_leaves(renaming) if renaming else None
        self._known: dict[Node, str] = {}

    def __call__(self, node: Node) -> str:
        spend()
        if node in self._known:
            return self._known[node]
        kind = node[0]
        if kind in LEAVES:
            leaf = self._rename(node) if self._rename else node
            text = json.dumps(leaf, separators=(",", ":"), default=exact_text)  # of constants, which are Fractions
        else:
            texts = [self(part) for part in node[1:]]
            text = ",".join([f'["{kind}"', *(sorted(texts) if kind in EXCHANGEABLE else texts)]) + "]"
        return self._known.setdefault(node, text)


def canonical_text(node: Node) -> str:
    """Return the JSON text of a formula with exchangeable arguments sorted.

    Two formulas count as the same if they have the same canonical text.
    """
    return _Texts()(node)


def generators(shape: Shape) -> tuple[Renaming, ...]:
    """Return transpositions that generate all renamings of a shape.

    They exchange two neighboring states of a feature, two neighboring classes, or a feature with the next feature of
    the same cardinality.
    """
    sizes, same = shape.cardinalities, Renaming.identity(shape)
    found = []
    for i, size in enumerate(sizes):
        j = next((j for j in range(i + 1, len(sizes)) if sizes[j] == size), None)
        if j is not None:
            found.append(Renaming(_transposed(same.features, i, j), same.states, same.classes))
    for i, states in enumerate(same.states):
        for v in range(len(states) - 1):
            changed = (*same.states[:i], _transposed(states, v, v + 1), *same.states[i + 1 :])
            found.append(Renaming(same.features, changed, same.classes))
    neighbors = (_transposed(same.classes, y, y + 1) for y in range(shape.classes - 1))
    return (*found, *(Renaming(same.features, same.states, classes) for classes in neighbors))


def _transposed(order: tuple[int, ...], i: int, j: int) -> tuple[int, ...]:
    changed = list(order)
    changed[i], changed[j] = changed[j], changed[i]
    return tuple(changed)


def invariant_under(renamings: Iterable[Renaming], *families: Iterable[Node]) -> tuple[Renaming, ...]:
    """Return the renamings that map each family of formulas to itself, as a set."""
    listed = [list(family) for family in families]
    known = [set(map(_Texts(), family)) for family in listed]
    return tuple(
        renaming
        for renaming in renamings
        for text in [_Texts(renaming)]
        if all(text(formula) in texts for family, texts in zip(listed, known, strict=True) for formula in family)
    )


def image_instances(
    formulas: Sequence[Node], renamings: Iterable[Renaming], shape: Shape, tick: Callable[[int], object] = int
) -> tuple[Image, ...]:
    """For every formula, return the first formula of which it is a renamed copy, and the renaming."""
    moves = [(move, _Texts(move)) for move in renamings]
    texts = list(map(_Texts(), formulas))
    places: dict[str, list[int]] = {}
    for index, text in enumerate(texts):
        places.setdefault(text, []).append(index)
    images: dict[int, Image] = {}
    for index, formula in enumerate(formulas):
        if index in images:
            continue
        tick(index)
        reached = {texts[index]}
        waiting = [(texts[index], formula, Renaming.identity(shape))]
        for text, here, renaming in waiting:  # the list grows: breadth first, so that renamings stay short
            images.update((place, (index, renaming)) for place in places[text])
            for move, text_under in moves:
                there = text_under(here)
                if there in places and there not in reached:
                    reached.add(there)
                    waiting.append((there, rename(here, move), renaming.then(move)))
    return tuple(images[index] for index in range(len(formulas)))
