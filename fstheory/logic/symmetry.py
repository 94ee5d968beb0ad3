"""Renaming features, states and classes: which renamings leave a statement as it is, and what they spare a proof.

A statement is about all distributions of a shape, and renaming the variables of a distribution gives
another distribution of the shape. So a renaming that maps the assumptions to themselves turns a proof of
one instance into a proof of its image. Whether it does is decided on the formulas, not on their meaning:
two formulas are taken for the same if they differ in the order of arguments that may be exchanged.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from fstheory.logic.nodes import Node, to_json

__all__ = ["Image", "Renaming", "canonical_text", "generators", "image_instances", "invariant_under", "rename"]

_LEAVES = frozenset(["q", "P", "R", "H"])
_EXCHANGEABLE = frozenset(["and", "or", "=", "iff", "+", "max", "min", "*"])


@dataclass(frozen=True, slots=True)
class Renaming:
    """New names for the features, their states and the classes of a shape; all by index.

    Feature i becomes ``features[i]``, which has as many states; its state v becomes ``states[i][v]`` of that; class y
    becomes ``classes[y]``.
    """

    features: tuple[int, ...]
    states: tuple[tuple[int, ...], ...]
    classes: tuple[int, ...]

    @classmethod
    def identity(cls, cardinalities: Sequence[int], classes: int) -> Renaming:
        """Return the renaming that changes nothing."""
        states = tuple(tuple(range(cardinality)) for cardinality in cardinalities)
        return cls(tuple(range(len(cardinalities))), states, tuple(range(classes)))

    def then(self, other: Renaming) -> Renaming:
        """Return the renaming that does this one first and `other` next."""
        pairs = zip(self.features, self.states, strict=True)
        states = tuple(tuple(other.states[i][v] for v in states) for i, states in pairs)
        classes = tuple(other.classes[y] for y in self.classes)
        return Renaming(tuple(other.features[i] for i in self.features), states, classes)


@dataclass(frozen=True, slots=True)
class Image:
    """An instance that is another one renamed: what is true of all distributions of a shape for that, is for this.

    The renaming turns the formula of instance `source` (its own index, if it stands for itself) into that of this one.
    """

    source: int
    renaming: Renaming


def rename(node: Node, renaming: Renaming) -> Node:
    """Return a term or formula with the names exchanged."""
    kind = node[0]
    if kind == "q":
        return node
    if kind == "P":
        return "P", _rename_states(node[1], renaming), None if node[2] is None else renaming.classes[node[2]]
    if kind in {"R", "H"}:
        return kind, tuple(sorted(renaming.features[i] for i in node[1])), *node[2:]
    return kind, *(rename(part, renaming) for part in node[1:])


def _rename_states(states: Sequence[int | None], renaming: Renaming) -> tuple[int | None, ...]:
    renamed: list[int | None] = [None] * len(states)
    for feature, state in enumerate(states):
        if state is not None:
            renamed[renaming.features[feature]] = renaming.states[feature][state]
    return tuple(renamed)


class _Texts:
    """The canonical texts of nodes with the names exchanged; those of parts are kept."""

    def __init__(self, renaming: Renaming | None = None) -> None:
        self._renaming = renaming
        self._known: dict[Node, str] = {}

    def __call__(self, node: Node) -> str:
        if node in self._known:
            return self._known[node]
        kind = node[0]
        if kind in _LEAVES:
            leaf = rename(node, self._renaming) if self._renaming else node
            text = json.dumps(to_json(leaf), separators=(",", ":"))
        else:
            texts = [self(part) for part in node[1:]]
            text = ",".join([f'["{kind}"', *(sorted(texts) if kind in _EXCHANGEABLE else texts)]) + "]"
        return self._known.setdefault(node, text)


def canonical_text(node: Node) -> str:
    """Return the JSON text with exchangeable arguments sorted: equal for formulas that are taken for the same."""
    return _Texts()(node)


def generators(cardinalities: Sequence[int], classes: int) -> tuple[Renaming, ...]:
    """Return transpositions that generate all renamings of a shape.

    They exchange two features of equal cardinality with none such between them, two neighboring states
    of one feature, or two neighboring classes.
    """
    same = Renaming.identity(cardinalities, classes)
    found = []
    for i, cardinality in enumerate(cardinalities):
        j = next((j for j in range(i + 1, len(cardinalities)) if cardinalities[j] == cardinality), None)
        if j is not None:
            found.append(Renaming(_transposed(same.features, i, j), same.states, same.classes))
    for i, states in enumerate(same.states):
        for v in range(len(states) - 1):
            changed = (*same.states[:i], _transposed(states, v, v + 1), *same.states[i + 1 :])
            found.append(Renaming(same.features, changed, same.classes))
    found.extend(Renaming(same.features, same.states, _transposed(same.classes, y, y + 1)) for y in range(classes - 1))
    return tuple(found)


def _transposed(order: tuple[int, ...], i: int, j: int) -> tuple[int, ...]:
    changed = list(order)
    changed[i], changed[j] = changed[j], changed[i]
    return tuple(changed)


def invariant_under(renamings: Iterable[Renaming], *families: Iterable[Node]) -> tuple[Renaming, ...]:
    """Return those renamings that map each family of formulas to itself, as a set."""
    listed = [list(family) for family in families]
    known = [set(map(_Texts(), family)) for family in listed]
    return tuple(
        renaming
        for renaming in renamings
        for text in [_Texts(renaming)]
        if all(text(formula) in texts for family, texts in zip(listed, known, strict=True) for formula in family)
    )


def image_instances(
    formulas: Sequence[Node],
    renamings: Iterable[Renaming],
    cardinalities: Sequence[int],
    classes: int,
    tick: Callable[[int], object] = int,
) -> tuple[Image, ...]:
    """Return, for every formula, the first one of which it is a renamed copy, and the renaming."""
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
        waiting = [(texts[index], formula, Renaming.identity(cardinalities, classes))]
        for text, here, renaming in waiting:  # grows while it is walked: breadth first, so that renamings stay short
            images.update((place, Image(index, renaming)) for place in places[text])
            for move, text_under in moves:
                there = text_under(here)
                if there in places and there not in reached:
                    reached.add(there)
                    waiting.append((there, rename(here, move), renaming.then(move)))
    return tuple(images[index] for index in range(len(formulas)))
