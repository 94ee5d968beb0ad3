"""The tree of cases of a certificate, as a term for the verified checker. Symmetric cases are written out."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from typing import Any, TypeAlias

from fstheory.checker.cases import NEGATED, UNFOLDED, canonical, renaming
from fstheory.checker.every_size import EverySizeSpace
from fstheory.checker.statement import COMPARISONS, Node, SampleSpace
from fstheory.coq.terms import Terms, listed, mask_of, moved, refused

Branch: TypeAlias = "tuple[tuple[Node, ...], tuple[Node, ...]]"  # comparisons, and disjunctions that may be split
Rename: TypeAlias = "Callable[[Node], Node] | None"


def extend(formulas: Iterable[Node], branch: Branch) -> Branch:
    """Add formulas to a branch, in the order in which the verified checker adds them."""
    facts, disjunctions = list(branch[0]), list(branch[1])
    waiting = list(formulas)[::-1]
    while waiting:
        kind, *parts = node = waiting.pop()
        if kind in COMPARISONS:
            facts.append(node)
        elif kind == "and" or (kind == "or" and len(parts) == 1):
            waiting += reversed(parts)
        elif kind == "or":
            disjunctions.append(tuple(parts))
        else:
            waiting.append(NEGATED[parts[0][0]](*parts[0][1:]) if kind == "not" else UNFOLDED[kind](*parts))
    return tuple(facts), tuple(disjunctions)


class Trees:
    """Writes trees, and collects the facts and disjunctions about all distributions that they use, by their source."""

    def __init__(self, terms: Terms, maxima: Sequence[Node]) -> None:
        self.terms, self.space, self.maxima = terms, terms.space, maxima
        # In the order in which the theorems of the library join them.
        self.facts: dict[str, list[str]] = {name: [] for name in ("risks", "cells", "entropies", "maxima")}
        self.splits: dict[str, list[str]] = {name: [] for name in ("bridge", "optimal", "zero", "some_top")}
        self._names: dict[tuple[str, str], str] = {}

    def _use(self, used: dict[str, list[str]], source: str, text: str) -> str:
        """Return the name of a fact or disjunction from a source, noted when it is first used."""
        if (source, text) not in self._names:
            self._names[source, text] = f"{source}:{len(used[source])}"
            used[source].append(text)
        return self._names[source, text]

    def numbered(self, text: str) -> str:
        """Replace the names of facts and disjunctions in a tree by their numbers, once all trees are written."""
        starts: dict[str, int] = {}
        for used in (self.facts, self.splits):
            begin = 0
            for source, texts in used.items():
                starts[source] = begin
                begin += len(texts)
        return re.sub(r"\b([a-z_]+):(\d+)", lambda found: str(starts[found[1]] + int(found[2])), text)

    def tree(self, tree: Any, source: Branch, target: Branch, rename: Rename) -> str:
        """Write a tree that was found for the branch `source`, for the branch that is its image."""
        if "farkas" in tree:
            return self._leaf(tree["farkas"], source, target, rename)
        parts, images, head = self._split(tree["split"], source, target, rename)
        texts = [canonical(moved(part, rename)) for part in parts]
        written = []
        for number, image in enumerate(images):
            place = number if rename is None and images is parts else texts.index(canonical(image))
            case, own = tree["cases"][place], rename
            if "image_of" in case:
                own = composed(rename, renaming(case, self.space, "an image"))
                place = case["image_of"]
                case = tree["cases"][place]
            written.append(self.tree(case, extend([parts[place]], source), extend([image], target), own))
        return f"{head} {listed(written)}"

    def _split(self, split: Any, source: Branch, target: Branch, rename: Rename) -> tuple[Node, Node, str]:
        """Return the cases of a split, their images in an order that Coq knows, and the split for Coq."""
        kind, *rest = split
        if kind == "or":
            parts = source[1][rest[0]]
            if rename is None:
                return parts, parts, f"Split {rest[0]}"
            wanted = sorted(canonical(moved(part, rename)) for part in parts)
            number = next(i for i, other in enumerate(target[1]) if sorted(map(canonical, other)) == wanted)
            return parts, target[1][number], f"Split {number}"
        if kind == "max":
            own = self.maxima[rest[0]]
            node = moved(own, rename)
            k = self.terms.top(node[1:])
            by_form = {self.terms.frozen(argument): argument for argument in node[1:]}
            images = tuple(("=", by_form[self.terms.frozen(argument)], node) for argument in self.terms.tops[k])
            parts = tuple(("=", argument, own) for argument in own[1:])
            return parts, images, f"Known {self._use(self.splits, 'some_top', str(k))}"
        return self._split_for_all(kind, rest, rename)

    def _split_for_all(self, kind: str, rest: Sequence[Any], rename: Rename) -> tuple[Node, Node, str]:
        assert isinstance(self.space, EverySizeSpace)
        if kind not in {"optimal", "zero", "bridge"} or (kind == "bridge" and not self.terms.entropies):
            raise refused(f"the split {kind!r}")
        parts = self.space.cases((kind, *rest), "a split")
        sets = [rest[0], rest[0] | 1 << rest[1]] if kind == "bridge" else rest
        masks = [mask_of(moved(_risk(mask), rename)[1]) for mask in sets]
        moved_split = (kind, masks[0], (masks[0] ^ masks[1]).bit_length() - 1) if kind == "bridge" else (kind, *masks)
        images = self.space.cases(moved_split, "a split")
        return parts, images, f"Known {self._use(self.splits, kind, f'({masks[0]}, {masks[1]})%N')}"

    def _leaf(self, farkas: Any, source: Branch, target: Branch, rename: Rename) -> str:
        found = []
        for reference, written in farkas:
            multiplier = Fraction(written)
            if type(reference) is int:
                name, node, sign = self._own(source[0][reference], reference, target, rename)
                multiplier *= sign
            else:
                name, node = self._known(reference, rename)
            found.append((name, multiplier / self.terms.denominator(node)))
        common = math.lcm(*(multiplier.denominator for _, multiplier in found))
        return f"Leaf {listed(f'{name} ({int(multiplier * common)})' for name, multiplier in found)}"

    def _own(self, fact: Node, number: int, target: Branch, rename: Rename) -> tuple[str, Node, int]:
        """Return the place of the image of a fact in the target, and -1 if the sides of an equation changed places."""
        if rename is None:
            return f"H {number}", fact, 1
        image = moved(fact, rename)
        text = canonical(image)
        number = next(i for i, other in enumerate(target[0]) if canonical(other) == text)
        node = target[0][number]
        return f"H {number}", node, 1 if canonical(node[1]) == canonical(image[1]) else -1

    def _known(self, reference: Any, rename: Rename) -> tuple[str, Node]:
        """Return the name of a fact about all distributions, and a comparison over the same denominator."""
        match reference:
            case ("M", k, j):
                top, (argument,) = self._moved_top(k, rename, [self.maxima[k][1 + j]])
                number = [self.terms.frozen(one) for one in self.terms.tops[top]].index(self.terms.frozen(argument))
                node: Node = ("<=", self.terms.tops[top][number], ("+",))
                return f"K {self._use(self.facts, 'maxima', f'Above {top} {number}')}", node
            case ("whole", k):
                top, _ = self._moved_top(k, rename, [])
                node = ("<=", ("+",), ("+", *reversed(self.terms.tops[top])))
                return f"K {self._use(self.facts, 'maxima', f'Whole {top}')}", node
            case ("sum", k, parts):
                top, _ = self._moved_top(k, rename, [])
                others = [self._moved_top(part, rename, [])[0] for part in parts]
                return f"K {self._use(self.facts, 'maxima', f'Parts {top} {listed(others)}')}", ("+",)
        if isinstance(self.space, SampleSpace):
            return self._about_cells(reference, rename)
        return self._about_risks(self.space, reference, rename)

    def _moved_top(self, k: int, rename: Rename, others: Sequence[Node]) -> tuple[int, list[Node]]:
        return self.terms.top(moved(self.maxima[k], rename)[1:]), [moved(other, rename) for other in others]

    def _moved_set(self, mask: int, rename: Rename) -> int:
        """Return the image of a set of features and the class, which stays."""
        target = mask >> self.space.n & 1
        return mask_of(moved(_risk(mask & ((1 << self.space.n) - 1)), rename)[1]) | target << self.space.n

    def _about_cells(self, reference: Any, rename: Rename) -> tuple[str, Node]:
        assert isinstance(self.space, SampleSpace)
        if reference == "total":
            return f"K {self._use(self.facts, 'cells', 'Total')}", ("+",)
        index, place = [], reference[1]
        for size in reversed(self.space.axes):
            place, position = divmod(place, size)
            index.append(position)
        y, *states = index
        _, states_moved, y_moved = moved(("P", tuple(states[::-1]), y), rename)
        (cell,) = self.space.cells(states_moved, y_moved)
        return f"K {self._use(self.facts, 'cells', f'AtLeast0 {cell}')}", ("+",)

    def _about_risks(self, space: EverySizeSpace, reference: Any, rename: Rename) -> tuple[str, Node]:
        k = space.classes
        most: Node = ("<=", ("+",), ("q", str(1 - Fraction(1, k or 1))))
        match reference:
            case ("less", mask, feature):
                small, large = (mask_of(moved(_risk(one), rename)[1]) for one in (mask, mask | 1 << feature))
                return f"K {self._use(self.facts, 'risks', f'Less {small} {large}')}", ("+",)
            case ("floor",):
                return f"K {self._use(self.facts, 'risks', f'Floor {(1 << space.n) - 1}')}", ("+",)
            case ("ceiling",):
                text, node = ("Ceiling 0", ("+",)) if k is None else (f"CeilingOf {k} 0", most)
                return f"K {self._use(self.facts, 'risks', text)}", node
            case ("maxima",):
                return f"K {self._use(self.facts, 'risks', f'MaximaOf {k}')}", most
            case ("I", *sets):
                a, b, c = (self._moved_set(mask, rename) for mask in sets)
                return f"K {self._use(self.facts, 'entropies', f'Information {a} {b} {c}')}", ("+",)
        raise refused(f"the fact {reference[0]!r}")


def _risk(mask: int) -> Node:
    return "R", tuple(i for i in range(mask.bit_length()) if mask >> i & 1)


def composed(outer: Rename, inner: Callable[[Node], Node]) -> Callable[[Node], Node]:
    """Return the renaming that does `inner` first, and then `outer`."""
    return inner if outer is None else lambda leaf: outer(inner(leaf))
