"""The tree of cases of a certificate, as a term for the verified checker. Symmetric cases are written out."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from typing import Any, TypeAlias

from fstheory.checker.cases import canonical, renaming, unfolded
from fstheory.checker.every_size import EverySizeSpace
from fstheory.checker.statement import Node, SampleSpace
from fstheory.coq.curves import curve
from fstheory.coq.terms import Terms, listed, mask_of, moved, refused

Branch: TypeAlias = "tuple[tuple[Node, ...], tuple[Node, ...]]"  # comparisons, and disjunctions that may be split
Rename: TypeAlias = "Callable[[Node], Node] | None"


def extend(formulas: Iterable[Node], branch: Branch) -> Branch:
    """Add formulas to a branch, in the order in which the verified checker adds them."""
    found = list(unfolded(formulas))
    facts = (node for node in found if node[0] != "or")
    return (*branch[0], *facts), (*branch[1], *(node[1:] for node in found if node[0] == "or"))


class Trees:
    """Writes trees, and collects the facts and disjunctions about all distributions that they use, by their source."""

    def __init__(self, terms: Terms, maxima: Sequence[Node]) -> None:
        self.terms, self.space, self.maxima = terms, terms.space, maxima
        # In the order in which the theorems of the library join them.
        self.facts: dict[str, list[str]] = {name: [] for name in ("risks", "cells", "entropies", "curves", "maxima")}
        self.splits: dict[str, list[str]] = {name: [] for name in ("split_entropies", "optimal", "zero", "some_top")}
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
        moved_split: Node
        match kind, *rest:
            case ("optimal" | "zero", first, second):
                moved_split = (kind, self._moved_set(first, rename), self._moved_set(second, rename))
                name = self._use(self.splits, kind, f"({moved_split[1]}, {moved_split[2]})%N")
            case ("bridge", few, feature) if self.terms.entropies:
                s, i = self._moved_set(few, rename), self._moved_variable(feature, rename)
                moved_split = (kind, s, i)
                name = self._use(self.splits, "split_entropies", f"Bridge {s} {s | 1 << i}")
            case ("intersection", variable, first, second) if self.terms.entropies:
                a, s, t = (
                    self._moved_variable(variable, rename),
                    *(self._moved_set(one, rename) for one in (first, second)),
                )
                moved_split = (kind, a, s, t)
                name = self._use(self.splits, "split_entropies", f"Shared {a} {s} {t}")
            case ("sure", certain) if self.terms.entropies:
                moved_split = (kind, self._moved_set(certain, rename))
                name = self._use(self.splits, "split_entropies", f"Sure {moved_split[1]}")
            case _:
                raise refused(f"the split {kind!r}")
        parts, images = (self.space.cases(split, "a split") for split in ((kind, *rest), moved_split))
        return parts, images, f"Known {name}"

    def _leaf(self, farkas: Any, source: Branch, target: Branch, rename: Rename) -> str:
        found = []
        for reference, written in farkas:
            multiplier = Fraction(written)
            if type(reference) is int:
                name, denominator = self._own(source[0][reference], reference, target, rename)
            else:
                name, denominator = self._known(reference, rename)
            found.append((name, multiplier / denominator))
        common = math.lcm(*(multiplier.denominator for _, multiplier in found))
        return f"Leaf {listed(f'{name} ({int(multiplier * common)})' for name, multiplier in found)}"

    def _own(self, fact: Node, number: int, target: Branch, rename: Rename) -> tuple[str, int]:
        """Return the place of the image of a fact in the target, and the denominator over which Coq writes it.

        The denominator is negative if the sides of an equation changed places.
        """
        if rename is None:
            return f"H {number}", self.terms.denominator(fact)
        image = moved(fact, rename)
        text = canonical(image)
        number = next(i for i, other in enumerate(target[0]) if canonical(other) == text)
        node = target[0][number]
        return f"H {number}", self.terms.denominator(node) * (1 if canonical(node[1]) == canonical(image[1]) else -1)

    def _known(self, reference: Any, rename: Rename) -> tuple[str, int]:
        """Return the name of a fact about all distributions, and the denominator over which Coq writes it."""
        match reference:
            case ("M", k, j):
                top, argument = self._top(k, rename), moved(self.maxima[k][1 + j], rename)
                terms = self.terms.tops[top]
                number = list(map(self.terms.frozen, terms)).index(self.terms.frozen(argument))
                return self._fact("maxima", f"Above {top} {number}", self.terms.denominator(terms[number]))
            case ("whole", k):
                top = self._top(k, rename)
                whole = ("+", *reversed(self.terms.tops[top]))  # in the order in which Coq adds them
                return self._fact("maxima", f"Whole {top}", self.terms.denominator(whole))
            case ("sum", k, parts):
                return self._fact(
                    "maxima", f"Parts {self._top(k, rename)} {listed(self._top(p, rename) for p in parts)}"
                )
        if isinstance(self.space, SampleSpace):
            return self._about_cells(self.space, reference, rename)
        return self._about_risks(self.space, reference, rename)

    def _fact(self, source: str, text: str, denominator: int = 1) -> tuple[str, int]:
        return f"K {self._use(self.facts, source, text)}", denominator

    def _top(self, k: int, rename: Rename) -> int:
        """Return the number of the image of a maximum of the certificate."""
        return self.terms.top(moved(self.maxima[k], rename)[1:])

    def _moved_set(self, mask: int, rename: Rename) -> int:
        """Return the image of a set of features and the class, which stays."""
        target = mask >> self.space.n & 1
        return mask_of(moved(_risk(mask & ((1 << self.space.n) - 1)), rename)[1]) | target << self.space.n

    def _moved_variable(self, variable: int, rename: Rename) -> int:
        """Return the image of a feature, or of the class, which stays."""
        return self._moved_set(1 << variable, rename).bit_length() - 1

    def _about_cells(self, space: SampleSpace, reference: Any, rename: Rename) -> tuple[str, int]:
        if reference == "total":
            return self._fact("cells", "Total")
        index, place = [], reference[1]
        for size in reversed(space.axes):
            place, position = divmod(place, size)
            index.append(position)
        y, *states = index
        _, states_moved, y_moved = moved(("P", tuple(states[::-1]), y), rename)
        (cell,) = space.cells(states_moved, y_moved)
        return self._fact("cells", f"AtLeast0 {cell}")

    def _about_risks(self, space: EverySizeSpace, reference: Any, rename: Rename) -> tuple[str, int]:
        k = space.classes
        match reference:
            case ("less", mask, feature):
                small, large = (self._moved_set(one, rename) for one in (mask, mask | 1 << feature))
                return self._fact("risks", f"Less {small} {large}")
            case ("floor",):
                return self._fact("risks", f"Floor {(1 << space.n) - 1}")
            case ("ceiling",):  # k classes have the bound 1 - 1/k
                return self._fact("risks", "Ceiling 0") if k is None else self._fact("risks", f"CeilingOf {k} 0", k)
            case ("maxima",) if k is not None:
                return self._fact("risks", f"MaximaOf {k}", k)
            case ("I", *sets):
                a, b, c = (self._moved_set(mask, rename) for mask in sets)
                return self._fact("entropies", f"Information {a} {b} {c}")
        if self.terms.entropies and (known := curve(space, reference, lambda mask: self._moved_set(mask, rename))):
            return self._fact("curves", *known)
        raise refused(f"the fact {reference[0]!r}")


def _risk(mask: int) -> Node:
    return "R", tuple(i for i in range(mask.bit_length()) if mask >> i & 1)


def composed(outer: Rename, inner: Callable[[Node], Node]) -> Callable[[Node], Node]:
    """Return the renaming that does `inner` first, and then `outer`."""
    return inner if outer is None else lambda leaf: outer(inner(leaf))


def named_multiples(trees: Iterable[str]) -> tuple[list[str], dict[str, str]]:
    """Replace each fact times an integer by a name. Return the trees, and the name of each multiple.

    Coq interprets numbers slowly. It reads a large tree several times faster if each multiple is written once.
    """
    names: dict[str, str] = {}

    def named(found: re.Match[str]) -> str:
        fact, number, multiplier = found.groups()
        times = "" if multiplier == "1" else f"_times_{multiplier.replace('-', 'minus_')}"
        return names.setdefault(found[0], f"{fact.lower()}{number}{times}")

    written = [re.sub(r"([HK]) (\d+) \((-?\d+)\)", named, tree) for tree in trees]
    return written, names
