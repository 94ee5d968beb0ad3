"""Terms as linear forms of unknowns, for the checker and for the prover."""

from __future__ import annotations

import itertools
from collections.abc import Iterable
from fractions import Fraction
from typing import Any

from fstheory.checker.every_size import EverySizeSpace
from fstheory.checker.reading import SampleSpace, bounded, require
from fstheory.checker.statement import LEAVES, ONE, Coefficient, Form, Node, of_itself

MOST_FACTORS = 3  # of an unknown that is a product


class Forms:
    """The linear forms of terms. The unknowns are those of a space; then come the maxima that the terms have.

    Two maxima are the same unknown if their arguments are the same forms in the same order.

    Attributes
    ----------
    maxima_met : list of (node, forms)
        The node and the arguments of each maximum, by the order of the unknowns.
    parameters : dict
        The unknown of each parameter, which is a real number, and of each product of two or three other unknowns, which
        is a tuple of them. These unknowns are below ONE.
    """

    def __init__(self, shape: SampleSpace | EverySizeSpace) -> None:
        self.shape, self.n, self.classes = shape, shape.n, shape.classes
        self.maxima_met: list[tuple[Node, tuple[Form, ...]]] = []
        self.parameters: dict[str | tuple[int, ...], int] = {}
        self._products: dict[int, tuple[int, ...]] = {}  # the factors of each product among the parameters
        self._known: dict[Node, Form] = {}
        self._unknowns: dict[Any, int] = {}  # of maxima, by their arguments

    def form(self, term: Node) -> Form:
        """Return a term as a linear form of the unknowns. Forms are shared, so no caller may change one."""
        kind, *parts = term
        if kind == "q":
            return self.sum([(parts[0], {ONE: 1})])
        if kind == "t":
            return {self.parameters.setdefault(parts[0], ONE - 1 - len(self.parameters)): 1}
        if (kind in LEAVES or kind == "max") and term in self._known:
            return self._known[term]
        if kind in LEAVES:
            found: Form | Node = self.shape.leaf(term)
            return self._known.setdefault(term, found if isinstance(found, dict) else self.form(found))
        if isinstance(self.shape, EverySizeSpace) and (logarithms := self._of_logarithms(term, self.shape)) is not None:
            return logarithms
        if kind == "min":
            return self.sum([(-1, self.form(("max", *(("*", ("q", Fraction(-1)), part) for part in parts))))])
        require(kind in {"+", "*", "/", "max"}, "a term of a proof", "linear", term)
        forms = [self.form(part) for part in parts]
        if kind == "+":
            return self.sum((1, form) for form in forms)
        if kind == "max":
            return self._maximum(term, tuple(forms))
        if kind == "*" and is_constant(forms[0]):
            forms.reverse()
        factor = Fraction(forms[1].get(ONE, 0))
        if kind == "*" and isinstance(self.shape, EverySizeSpace) and not is_constant(forms[1]):
            return self.product(*forms)
        linear = is_constant(forms[1]) and (kind == "*" or factor != 0)
        require(linear, "a term of a proof", "linear: with a constant factor, or a constant divisor other than 0", term)
        return self.sum([(factor if kind == "*" else 1 / factor, forms[0])])

    def _of_logarithms(self, term: Node, space: EverySizeSpace) -> Form | None:
        """Return a logarithm, or p log p. Return None for another term."""
        if found := of_itself(term):
            p, more = map(self.form, found)
            return space.coin(p) if self.sum([(1, more), (-1, p)]) == {ONE: 1} else None
        if term[0] == "log":
            number = self.form(term[1])
            require(is_constant(number), "the argument of a logarithm in a proof", "a number", term)
            return space.logarithm(Fraction(number.get(ONE, 0)))
        return None

    def product(self, *forms: Form) -> Form:
        """Return the product of forms for every size. Each product of two or three unknowns is an unknown."""
        found: Form = {ONE: 1}
        for form in forms:
            self.shape.spend(8 * len(found) * len(form))
            pairs = itertools.product(found.items(), form.items())
            found = self.sum((bounded(a * b), {self._joined(u, v): 1}) for (u, a), (v, b) in pairs)
        return found

    def factors(self, unknown: int) -> tuple[int, ...]:
        """Return the unknowns whose product is an unknown."""
        if unknown <= ONE:
            return () if unknown == ONE else self._products.get(unknown, (unknown,))
        return self.shape.factors(unknown) if isinstance(self.shape, EverySizeSpace) else (unknown,)

    def _joined(self, first: int, second: int) -> int:
        """Return the product of two unknowns as an unknown."""
        assert isinstance(self.shape, EverySizeSpace)
        found = tuple(sorted(self.factors(first) + self.factors(second)))
        if len(found) < 2:
            return found[0] if found else ONE
        require(len(found) <= MOST_FACTORS, "a term of a proof", f"a product of at most {MOST_FACTORS} unknowns", found)
        if (known := self.shape.joined(found)) is not None:
            return known
        new = self.parameters.setdefault(found, ONE - 1 - len(self.parameters))
        self._products[new] = found
        return new

    def _maximum(self, term: Node, arguments: tuple[Form, ...]) -> Form:
        if all(map(is_constant, arguments)):
            return self.sum([(max(argument.get(ONE, 0) for argument in arguments), {ONE: 1})])
        self.shape.spend(sum(map(len, arguments)))
        key = tuple(frozenset(argument.items()) for argument in arguments)
        if key not in self._unknowns:
            self._unknowns[key] = self.shape.size + len(self._unknowns)
            self.maxima_met.append((term, arguments))
        return {self._unknowns[key]: 1}

    def sum(self, multiplied: Iterable[tuple[Coefficient, Form]]) -> Form:
        """Return a linear combination of forms. No coefficient in a form is 0."""
        total: Form = {}
        for factor, form in multiplied:
            self.shape.spend(1 + len(form) * (1 + factor.numerator.bit_length() // 256))
            for unknown, coefficient in form.items():
                found = total.get(unknown, 0) + factor * coefficient
                total[unknown] = found if isinstance(found, int) else bounded(found)
        return {u: bounded(c.numerator if c.denominator == 1 else c) for u, c in total.items() if c}


def combined(multiplied: Iterable[tuple[Coefficient, Form]]) -> Form:
    """Return a linear combination of forms without limits on its numbers. No coefficient in it is 0."""
    total: Form = {}
    for factor, form in multiplied:
        for unknown, coefficient in form.items():
            total[unknown] = total.get(unknown, 0) + factor * coefficient
    return {unknown: coefficient for unknown, coefficient in total.items() if coefficient}


def is_constant(form: Form) -> bool:
    """Return whether there are no unknowns in a linear form."""
    return form.keys() <= {ONE}
