"""The tree of cases of a certificate, as a term for the verified checker. Symmetric cases are written out."""

from __future__ import annotations

import functools
import math
import re
from collections.abc import Callable, Iterable, Iterator
from fractions import Fraction
from typing import Any, TypeAlias

from fstheory.checker.cases import canonical as canonical_text, moved, renaming, undivided, unfolded, unfolded_once
from fstheory.checker.every_size import PRIMES, EverySizeSpace
from fstheory.checker.forms import Forms
from fstheory.checker.kinds import KINDS, Kind, kind_of
from fstheory.checker.reading import SampleSpace, read_node
from fstheory.checker.statement import COMPARISONS, ONE, Fact, Node
from fstheory.coq.covers import needs_products_or_costs
from fstheory.coq.kinds import LISTS, WRITTEN, Written
from fstheory.coq.terms import Terms, listed, mask_of, refused

Branch: TypeAlias = "tuple[tuple[Node, ...], tuple[Node, ...]]"  # comparisons, and disjunctions that may be split
Rename: TypeAlias = "Callable[[Node], Node] | None"
_SIGNS = {">": "Gt", ">=": "Ge", "=": "Ze"}
_MULTIPLIED = {"times": "splits"} | dict.fromkeys(("product", "squared"), "further_splits_here")  # by kinds of facts
canonical = functools.lru_cache(10_000)(canonical_text)  # one formula is looked for in many branches


def extend(formulas: Iterable[Node], branch: Branch) -> Branch:
    """Add formulas to a branch, in the order in which the verified checker adds them."""
    found, _ = unfolded(formulas)
    facts = (node for node in found if node[0] != "or")
    return (*branch[0], *facts), (*branch[1], *(node[1:] for node in found if node[0] == "or"))


def without_quotients(formula: Node) -> Node:
    """Return a formula with comparisons, "and" and "or" alone, in which all divisors are multiplied out.

    `unfolded` takes the same steps, one at a time.
    """
    if formula[0] in {"and", "or"}:
        return (formula[0], *map(without_quotients, formula[1:]))
    read = undivided(formula) if formula[0] in COMPARISONS else unfolded_once(formula)
    return without_quotients(read) if read else formula


class Trees:
    """Writes trees, and collects the facts and disjunctions about all distributions that they use, by their source."""

    def __init__(self, terms: Terms, theorem: str) -> None:
        self.terms, self.space, self.maxima = terms, terms.space, terms.cases.tops
        self.used: dict[str, dict[str, list[str]]] = {
            what: {name: [] for name in lists} for what, lists in LISTS[theorem].items()
        }
        self._names: dict[tuple[str, str], str] = {}

    def _use(self, what: str, name: str, text: str) -> str:
        """Return the name of a fact or split in a list, which it joins when it is first used."""
        used = self.used[what][name]
        if (name, text) not in self._names:
            self._names[name, text] = f"{name}:{len(used)}"
            used.append(text)
        return self._names[name, text]

    def numbered(self, text: str) -> str:
        """Replace the names of facts and disjunctions in a tree by their numbers, once all trees are written."""
        starts: dict[str, int] = {}
        for used in self.used.values():
            begin = 0
            for name, texts in used.items():
                starts[name] = begin
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
            number = _place(sorted(map(canonical, other)) == wanted for other in target[1])
            return parts, target[1][number], f"Split {number}"
        if kind == "max":
            own = self.maxima[rest[0]]
            node = moved(own, rename)
            k = self.terms.top(node[1:])
            by_form = {self.terms.frozen(argument): argument for argument in node[1:]}
            images = tuple(("=", by_form[self.terms.frozen(argument)], node) for argument in self.terms.tops[k])
            parts = tuple(("=", argument, own) for argument in own[1:])
            return parts, images, f"Known {self._use('split', 'split_maxima', str(k))}"
        assert isinstance(self.space, EverySizeSpace)
        image, name, _ = self._about_all("split", split, rename)
        parts, images = (self.space.cases(one, "a split") for one in (split, image))
        return parts, images, f"Known {name}"

    def _about_all(self, what: str, reference: Any, rename: Rename) -> tuple[tuple[Any, ...], str, int]:
        """Return the image of a fact or split about all distributions, its name, and the denominator of a fact."""
        kind = kind_of(KINDS[what], reference)
        assert kind is not None  # the checker has accepted the certificate
        move: dict[str, Callable[[Any, Rename], Any]] = {"subset": self._moved_set, "set": self._moved_set}
        move |= {"feature": self._moved_variable, "variable": self._moved_variable, "tree": self._moved_tree}
        given = zip(kind.arguments, reference[len(kind.words) :], strict=True)
        image = [(of, move[of](one, rename) if of in move else one) for (of, _), one in given]
        written, write = _written(what, kind, reference, self.space.n)
        text, denominator = write(self.space, *(one for of, one in image if of != "criterion"))
        found = (*kind.words, *(one for _, one in image))
        if written.startswith("further"):
            text = self.terms.placed(text)
        if written == "further_facts_here":  # the squares in it become variables
            self.terms.summands(self.terms.cases.fact(found, (), "a fact")[1])
        return found, self._use(what, written, text), denominator

    def _leaf(self, farkas: Any, source: Branch, target: Branch, rename: Rename) -> str:
        found, products = [], list[tuple[str, list[str]]]()
        for reference, written in farkas:
            multiplier = Fraction(written)
            if type(reference) is int:
                name, denominator = self._own(source[0][reference], reference, target, rename)
            elif reference[0] in _MULTIPLIED:
                name = f"H {len(target[0]) + len(products)}"
                split, others, denominator = self._product(reference, name, source, target, rename)
                products.append((split, others))
            else:
                name, denominator = self._known(reference, rename)
            found.append((name, multiplier / denominator))
        common = math.lcm(*(multiplier.denominator for _, multiplier in found))
        text = f"Leaf {listed(f'{name} ({int(multiplier * common)})' for name, multiplier in found)}"
        for split, others in reversed(products):
            text = f"Known {split} {listed([*others, text])}"
        return text

    def _product(
        self, reference: Any, new: str, source: Branch, target: Branch, rename: Rename
    ) -> tuple[str, list[str], int]:
        """Return a split by the signs of facts, the proofs of all cases but the last, and a denominator.

        The last case has the product of the facts, or of a fact about risks and what is around a logarithm, over the
        denominator. `new` is the name of what each case adds.
        """
        assert isinstance(self.space, EverySizeSpace)
        kind, first, *others = reference
        if kind == "squared":
            node = moved(read_node(first, "term", self.space, "a fact"), rename)
            unit, (_, form) = _whole((">=", self.terms.cases.form(node)))
            self.terms.summands(self.terms.cases.product(form, form))
            return self._use("split", "further_splits_here", f"squared a ({self.terms.sum_of(form)})"), [], unit**2
        premises = [self._premise(one, source, target, rename) for one in (first if kind == "product" else others)]
        closed, whole, product = list[str](), list[Fact](), 1
        for name, denominator, fact in premises:
            unit, fact = _whole(fact)
            for sign in (1, -1) if fact[0] == "=" else (1,):
                pairs = [f"{name} ({sign * unit})"] * bool(name) + [f"{new} ({abs(denominator)})"]
                closed.append(f"Leaf {listed(pairs)}")
            product *= unit if denominator > 0 else -unit
            whole.append(fact)
        if kind == "product":
            self.terms.summands(self.terms.cases.product(*(form for _, form in whole)))  # its products are variables
            texts = listed(f"({_SIGNS[relation]}, {self.terms.sum_of(form)})" for relation, form in whole)
            return self._use("split", "further_splits_here", f"multiply a {texts}"), closed, product
        relation, form = whole[0]
        prime, _, above = first
        near = self.space.times(first, (">", {ONE: 1}), "a bound")[1][ONE]
        end = Fraction(near if above else -near)
        risks = [f"({mask}%N, ({c})%Z)" for mask, c in form.items() if mask != ONE]
        bound = f"{PRIMES.index(prime)} {str(above).lower()} ({end.numerator}) {end.denominator}"
        text = f"Times {bound} {_SIGNS[relation]} ({form.get(ONE, 0)}) {listed(risks)}"
        return self._use("split", "splits", text), closed, end.denominator * product

    def _premise(self, reference: Any, source: Branch, target: Branch, rename: Rename) -> tuple[str, int, Fact]:
        """Return the name of a fact that is multiplied, its denominator, and the fact. The fact 1 > 0 has no name."""
        if reference is None:
            return "", 1, (">", {ONE: 1})
        if type(reference) is int:
            name, denominator = self._own(source[0][reference], reference, target, rename)
            kind, *sides = target[0][int(name[2:])]
            form = self.terms.cases.sum(zip((-1, 1), map(self.terms.cases.form, sides), strict=True))
            return name, denominator, (kind.replace("<", ">"), form)
        image, name, denominator = self._about_all("fact", reference, rename)
        return f"K {name}", denominator, self.terms.cases.fact(image, (), "a fact")

    def _own(self, fact: Node, number: int, target: Branch, rename: Rename) -> tuple[str, int]:
        """Return the place of the image of a fact in the target, and the denominator over which Coq writes it.

        The denominator is negative if the sides of an equation changed places.
        """
        if rename is None:
            return f"H {number}", self.terms.denominator(fact)
        image = moved(fact, rename)
        text = canonical(image)
        number = _place(canonical(other) == text for other in target[0])
        node = target[0][number]
        return f"H {number}", self.terms.denominator(node) * (1 if canonical(node[1]) == canonical(image[1]) else -1)

    def _known(self, reference: Any, rename: Rename) -> tuple[str, int]:
        """Return the name of a fact about all distributions, and the denominator over which Coq writes it."""
        match reference:
            case ("M", k, j):
                top, argument = self._top(k, rename), moved(self.maxima[k][1 + j], rename)
                terms = self.terms.tops[top]
                number = list(map(self.terms.frozen, terms)).index(self.terms.frozen(argument))
                return self._fact("about_maxima_here", f"Above {top} {number}", self.terms.denominator(terms[number]))
            case ("whole", k):
                top = self._top(k, rename)
                whole = ("+", *reversed(self.terms.tops[top]))  # in the order in which Coq adds them
                return self._fact("about_maxima_here", f"Whole {top}", self.terms.denominator(whole))
            case ("sum", k, parts):
                return self._fact(
                    "about_maxima_here", f"Parts {self._top(k, rename)} {listed(self._top(p, rename) for p in parts)}"
                )
        if isinstance(self.space, SampleSpace):
            return self._about_cells(self.space, reference, rename)
        _, name, denominator = self._about_all("fact", reference, rename)
        return f"K {name}", denominator

    def _fact(self, name: str, text: str, denominator: int = 1) -> tuple[str, int]:
        return f"K {self._use('fact', name, text)}", denominator

    def _top(self, k: int, rename: Rename) -> int:
        """Return the number of the image of a maximum of the certificate."""
        return self.terms.top(moved(self.maxima[k], rename)[1:])

    def _moved_set(self, mask: int, rename: Rename) -> int:
        """Return the image of a set of features and the class, which stays."""
        target = mask >> self.space.n & 1
        return mask_of(moved(_risk(mask & ((1 << self.space.n) - 1)), rename)[1]) | target << self.space.n

    def _moved_tree(self, tree: Any, rename: Rename) -> Any:
        """Return the image of a tree of subsets."""
        mask, amounts, larger, *costs = tree
        return self._moved_set(mask, rename), amounts, tuple(self._moved_tree(one, rename) for one in larger), *costs

    def _moved_variable(self, variable: int, rename: Rename) -> int:
        """Return the image of a feature, or of the class, which stays."""
        return self._moved_set(1 << variable, rename).bit_length() - 1

    def _about_cells(self, space: SampleSpace, reference: Any, rename: Rename) -> tuple[str, int]:
        if reference == "total":
            return self._fact("about_cells_here", "Total")
        index, place = [], reference[1]
        for size in reversed(space.axes):
            place, position = divmod(place, size)
            index.append(position)
        y, *states = index
        _, states_moved, y_moved = moved(("P", tuple(states[::-1]), y), rename)
        (cell,) = space.cells(states_moved, y_moved)
        return self._fact("about_cells_here", f"AtLeast0 {cell}")


def _written(what: str, kind: Kind, reference: Any, n: int) -> Written:
    """Return the list for Coq that a fact or split about n features is in, and what writes it."""
    given = zip(kind.arguments, reference[len(kind.words) :], strict=True)
    name = " ".join([*kind.words, *(str(one) for (of, _), one in given if of == "criterion")])
    if name not in WRITTEN[what]:
        raise refused(f"the {what} {kind.number} ({name})")
    where, write = WRITTEN[what][name]
    return "further_facts_here" if name == "tree" and needs_products_or_costs(n, *reference[1:]) else where, write


def lists_used(tree: Any, n: int) -> Iterator[str]:
    """Yield the lists of the Coq library that the facts and splits about n features in a tree of cases are in.

    Refuse a fact or split that the library does not have.
    """
    references = [("split", tree.get("split")), *(("fact", one) for one, _ in tree.get("farkas", ()))]
    for what, reference in references:
        kind = kind_of(KINDS[what], reference)
        if kind and kind.name in _MULTIPLIED:
            yield _MULTIPLIED[kind.name]
            premises = {"product": reference[1], "times": reference[2:]}.get(kind.name, ())
            references += (("fact", one) for one in premises)
        elif kind and kind.about in {EverySizeSpace, Forms}:
            yield _written(what, kind, reference, n)[0]
    for case in tree.get("cases", ()):
        yield from lists_used(case, n)


def _place(fits: Iterable[bool]) -> int:
    """Return the first place that fits an image.

    If a symmetry changes the order of the divisors of a premise, no place fits, and the export is refused.
    """
    for number, fit in enumerate(fits):
        if fit:
            return number
    raise refused("a symmetry that changes the order of divisors")


def _whole(fact: Fact) -> tuple[int, Fact]:
    """Return the least number by which a fact is a fact with integers, and this fact."""
    relation, form = fact
    unit = math.lcm(*(Fraction(c).denominator for c in form.values()))
    return unit, (relation, {unknown: int(c * unit) for unknown, c in form.items()})


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
