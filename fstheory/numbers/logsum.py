"""Sums of logarithms and their quotients, compared exactly by means of pairwise coprime integers."""

from __future__ import annotations

import functools
import math
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import chain
from typing import TYPE_CHECKING, Any, Self, TypeVar

import numpy as np

from fstheory._support.exact import Exact, as_fraction, exact_text, integers_over
from fstheory._support.result import Result
from fstheory.errors import InvalidTypeError, InvalidValueError, explain, require
from fstheory.numbers import enclosure
from fstheory.numbers.enclosure import ExactReal, written

if TYPE_CHECKING:
    from flint import arb, fmpz


# -- Writing integers as products of pairwise coprime integers. No large integer is factored.


_SMALL = 2**32
_WORD = 2**62
Rational = TypeVar("Rational", int, Fraction)


def combine(terms: Iterable[tuple[int, Rational]], base: CoprimeBase) -> dict[int, Rational]:
    """Return ``sum(c log n)`` rewritten over a coprime base. Elements with coefficient zero are left out."""
    found: dict[int, Any] = {}
    listed = list(terms)
    exponents = base.exponents(number for number, _ in listed)
    for (_, coefficient), factors in zip(listed, exponents, strict=True):
        for element, exponent in factors:
            found[element] = found.get(element, 0) + coefficient * exponent
    return {element: coefficient for element, coefficient in found.items() if coefficient}


def proportion(above: Mapping[Any, int | Fraction], below: Mapping[Any, int | Fraction]) -> Fraction | None:
    """Return the quotient of two sums over one coprime base if it is rational, else None. The second must not be 0."""
    element, coefficient = next(iter(below.items()))
    ratio = Fraction(above.get(element, 0)) / coefficient
    return ratio if above == {e: ratio * c for e, c in below.items() if ratio} else None


class CoprimeBase:
    """Pairwise coprime integers such that every given number is a product of them. Elements below 2**32 are primes."""

    __slots__ = ("_large", "_primes")

    def __init__(self, numbers: Iterable[int]) -> None:
        from flint import fmpz

        listed = set(numbers)
        large = [number for number in listed if number >= _SMALL]
        primes = set(small_primes()) if large else set()
        if large:
            primes.update(prime for number in listed if number < _SMALL for prime, _ in factors_of(number))
        self._primes = _Tree([fmpz(prime) for prime in sorted(primes)])
        _, cofactors = self._primes.divide_out([fmpz(number) for number in sorted(large)])
        self._large = _Tree(_refine([fmpz(number) for number in sorted({int(left) for left in cofactors} - {1})]))

    def exponents(self, numbers: Iterable[int]) -> Iterator[list[tuple[int, int]]]:
        """For each of the numbers, yield the elements that divide it, with exponents.

        The base must be made for them.
        """
        from flint import fmpz

        listed = list(numbers)
        large = [fmpz(number) for number in listed if number >= _SMALL]
        primes, cofactors = self._primes.divide_out(large)
        others, ones = self._large.divide_out(cofactors)
        assert all(one == 1 for one in ones), "a number is not among those the base was made for"
        written = (first + second for first, second in zip(primes, others, strict=True))
        for number in listed:
            yield next(written) if number >= _SMALL else factors_of(number)


class _Tree:
    """A tree of products over pairwise coprime leaves. It finds the leaves that share a factor with given numbers."""

    __slots__ = ("_levels",)

    def __init__(self, leaves: list[fmpz]) -> None:
        self._levels = _products(leaves)

    @property
    def leaves(self) -> list[fmpz]:
        return self._levels[0]

    def meetings(self, numbers: list[fmpz]) -> list[list[int]]:
        """Return, for each number, the indices of the leaves that are not coprime to the number."""
        found: list[list[int]] = [[] for _ in numbers]
        waiting = [(len(self._levels) - 1, 0, list(range(len(numbers))), numbers)] if self.leaves else []
        while waiting:
            level, index, positions, parts = waiting.pop()
            shared = zip(positions, _common(self._levels[level][index], parts), strict=True)
            kept = [(position, part) for position, part in shared if part != 1]
            if level == 0:
                for position, _ in kept:
                    found[position].append(index)
            elif kept:
                positions, parts = [position for position, _ in kept], [part for _, part in kept]
                children = range(2 * index, min(2 * index + 2, len(self._levels[level - 1])))
                waiting += [(level - 1, child, positions, parts) for child in children]
        return found

    def divide_out(self, numbers: list[fmpz]) -> tuple[list[list[tuple[int, int]]], list[fmpz]]:
        """Return, for each number, the leaves that divide it with their exponents, and the remaining cofactor."""
        found, left = [], []
        for number, indices in zip(numbers, self.meetings(numbers), strict=True):
            factors = []
            for leaf in sorted(self.leaves[index] for index in indices):
                exponent = 0
                while True:
                    quotient, rest = divmod(number, leaf)
                    if rest != 0:
                        break
                    number, exponent = quotient, exponent + 1
                if exponent:
                    factors.append((int(leaf), exponent))
            found.append(factors)
            left.append(number)
        return found, left


def factors_of(number: int) -> list[tuple[int, int]]:
    """Return the prime factors of a small number with their exponents."""
    from flint import fmpz

    return [(int(prime), int(exponent)) for prime, exponent in fmpz(number).factor()]


def _products(leaves: list[fmpz]) -> list[list[fmpz]]:
    """Return the levels of a product tree: the leaves, the products of two neighbors, .., the product of all leaves."""
    levels = [leaves]
    while len(levels[-1]) > 1:
        last = levels[-1]
        pairs = [last[i] * last[i + 1] for i in range(0, len(last) - 1, 2)]
        levels.append(pairs + last[2 * len(pairs) :])
    return levels


def _common(product: fmpz, numbers: list[fmpz]) -> list[fmpz]:
    """Return the greatest common divisor of a large product and each number, by a tree of remainders."""
    if not numbers:
        return []
    *below, (root,) = _products(numbers)
    rests = [product % root]
    for level in reversed(below):
        rests = [rests[i // 2] % number for i, number in enumerate(level)]
    return [rest.gcd(number) for rest, number in zip(rests, numbers, strict=True)]


def _refine(numbers: list[fmpz]) -> list[fmpz]:
    """Return pairwise coprime integers above 1 such that every given number is a product of them.

    The two halves of the list are refined first, and then combined.
    """
    if len(numbers) <= 1:
        return numbers
    middle = len(numbers) // 2
    tree = _Tree(_refine(numbers[middle:]))
    pieces = [[leaf] for leaf in tree.leaves]
    coprime = []
    others = _refine(numbers[:middle])
    for number, indices in zip(others, tree.meetings(others), strict=True):
        for index in indices:
            inside, number = _part_within(number, tree.leaves[index])
            pieces[index] = _coprime([*pieces[index], inside])
        if number > 1:
            coprime.append(number)
    return coprime + [piece for listed in pieces for piece in listed]


def _part_within(number: fmpz, piece: fmpz) -> tuple[fmpz, fmpz]:
    """Return a number as two factors: the first has only primes of `piece`, the second is coprime to `piece`."""
    shared = number.gcd(piece)
    inside = shared
    while shared != 1:
        number //= shared
        shared = number.gcd(shared)
        inside *= shared
    return inside, number


def _coprime(waiting: list[fmpz]) -> list[fmpz]:
    """Return pairwise coprime integers above 1 such that each of a few numbers is a product of them."""
    base: list[fmpz] = []
    while waiting:
        number = waiting.pop()
        if number == 1:
            continue
        for index, element in enumerate(base):
            shared = number.gcd(element)
            if shared != 1:
                del base[index]
                waiting += [number // shared, element // shared, shared]  # the product shrinks, so the loop ends
                break
        else:
            base.append(number)
    return base


@functools.cache
def small_primes() -> tuple[int, ...]:
    """Return the primes below 256."""
    return tuple(n for n in range(2, 256) if all(n % i for i in range(2, math.isqrt(n) + 1)))


# -- LogSum: sums of rational multiples of logarithms of rationals, exactly.


def _positive(argument: Exact) -> Fraction:
    repair = "only positive numbers have a logarithm (leave terms 0 log 0 out)"
    return as_fraction(argument, "argument", above=0, repair=repair)


def _checked_base(base: Exact | None) -> Fraction | None:
    if base is None:
        return None
    return as_fraction(base, "base", above=1, repair="pass 2 for bits, or None for natural logarithms")


class LogSum(ExactReal):
    """An exact real number ``q + sum(q_i * log(r_i))`` with rational q, q_i and positive rational r_i.

    Entropies and informations are numbers of this kind. Every comparison is decided. Equality is decided by a coprime
    base, without factoring. If two numbers are not equal, enclosures decide their order: a sum of logarithms that is
    not zero is transcendental. Numbers whose logarithms have the same base can be added and compared. A rational number
    can be combined with any base.

    Sums are fast if the coefficients have a common denominator, such as a total of weights. Then 10**5 terms take a
    fraction of a second.

    Parameters
    ----------
    terms : iterable of pairs (coefficient, argument)
        The terms as exact numbers. The arguments must be positive.
    constant : exact number
        The rational term q.
    base : exact number above 1, optional
        The base of the logarithms. If None, the logarithms are natural.

    Examples
    --------
    >>> print(LogSum([(Fraction(1, 2), 3), (-1, "3/4")], constant=1))
    1 + 2*log(2) - 1/2*log(3) ≈ 1.83699
    """

    _parts = ("constant", "terms", "base")

    _symbol = "logarithm"
    _later: Callable[[], LogSum]  # of an enclosed number whose terms are not known yet

    def __init__(
        self, terms: Iterable[tuple[Exact, Exact]] = (), constant: Exact = 0, *, base: Exact | None = None
    ) -> None:
        coefficients, arguments = [as_fraction(constant, "constant")], []
        repair = "pass pairs (coefficient, argument)"
        for coefficient, argument in enclosure.checked_pairs(terms, repair):
            coefficients.append(as_fraction(coefficient, "coefficient"))
            arguments.append(_positive(argument))
        (first, *scaled), denominator = integers_over(coefficients)
        merged: dict[int, int] = {}
        for coefficient, value in zip(scaled, arguments, strict=True):
            merged[value.numerator] = merged.get(value.numerator, 0) + coefficient
            merged[value.denominator] = merged.get(value.denominator, 0) - coefficient
        self._set(first, merged, denominator, _checked_base(base))

    def _set(self, constant: int, terms: dict[int, int], denominator: int, base: Fraction | None) -> Self:
        """Store the sum in lowest terms, without terms of argument 1 or coefficient 0."""
        terms.pop(1, None)
        if 0 in terms.values():
            terms = {argument: coefficient for argument, coefficient in terms.items() if coefficient}
        common = math.gcd(constant, denominator, *terms.values())
        if common > 1:
            constant, denominator = constant // common, denominator // common
            terms = {argument: coefficient // common for argument, coefficient in terms.items()}
        self._constant, self._terms, self._denominator, self._base = constant, terms, denominator, base
        return self

    @classmethod
    def _of_integers(cls, constant: int, terms: dict[int, int], denominator: int, base: Fraction | None) -> Self:
        return cls.__new__(cls)._set(constant, terms, denominator, base)

    @classmethod
    def of_counts(cls, terms: Counter[int], total: int, base: Exact | None = None) -> LogSum:
        """Return ``sum(terms[n] * log(n)) / total``, with logarithms to `base`, or natural ones.

        The n and `total` must be positive integers, as counts are. They are not checked.
        """
        return cls._of_integers(0, dict(terms), total, _checked_base(base))

    def enclosed(self, center: Fraction, radius: Fraction, exact: Callable[[], LogSum]) -> LogSum:
        """Return the number that `exact` computes, which is at most `radius` from `center`.

        It is a sum of logarithms to the base of this number, without a rational term. Its terms are computed when the
        enclosure does not decide an answer.
        """
        from flint import arb, ctx

        found = LogSum.__new__(LogSum)
        with ctx.workprec(enclosure.FIRST_PRECISION):
            ball = arb(0, math.nextafter(float(radius), math.inf))
            found._first_ball = enclosure.rational_ball(center, enclosure.FIRST_PRECISION) + ball
        found._constant, found._base, found._later = 0, self._base, exact
        return found

    def __getattr__(self, name: str) -> Any:
        """Compute the terms of an enclosed number when they are first read."""
        if name not in ("_terms", "_denominator") or "_later" not in self.__dict__:
            raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")
        exact = self.__dict__.pop("_later")()
        self._terms, self._denominator = exact._terms, exact._denominator
        return self.__dict__[name]

    # Parts

    @property
    def base(self) -> Fraction | None:
        """The base of the logarithms, or None for natural logarithms."""
        return self._base

    @property
    def constant(self) -> Fraction:
        """The rational term of the sum."""
        return Fraction(self._constant, self._denominator if self._constant else 1)

    @property
    def terms(self) -> tuple[tuple[Fraction, int], ...]:
        """The pairs (coefficient, integer argument), sorted by argument. No argument is repeated, and none is 1."""
        return tuple((Fraction(self._terms[n], self._denominator), n) for n in sorted(self._terms))

    def simplify(self) -> LogSum:
        """Return the same number with pairwise coprime arguments. Arguments below 2**32 become primes.

        Examples
        --------
        >>> print(log("12/5", base=2).simplify())
        2 - log_2(5/3) ≈ 1.26303
        """
        arguments = combine(self._terms.items(), CoprimeBase(self._terms))
        units = 0
        if self._base is not None and self._base.denominator == 1:
            units = arguments.pop(self._base.numerator, 0)
        return self._of_integers(self._constant + units, arguments, self._denominator, self._base)

    def in_base(self, base: Exact | None) -> LogSum:
        """Return the same quantity in another unit: in bits if `base` is 2, in nats if it is None.

        For example, ``log(3).in_base(2) == log(3, base=2)``. A natural sum with a rational constant other than 0 is
        refused, because it is no exact sum of logarithms to another base.
        """
        wanted = _checked_base(base)
        if wanted == self._base:
            return self
        terms = dict(self._terms)
        if self._constant and self._base is None:
            needed = "0 to change from natural logarithms"
            raise InvalidValueError(explain("the constant", needed, self.constant, "subtract it first"))
        if self._constant and self._base is not None:
            for argument, sign in ((self._base.numerator, 1), (self._base.denominator, -1)):
                terms[argument] = terms.get(argument, 0) + sign * self._constant
        return self._of_integers(0, terms, self._denominator, wanted)

    # Decisions

    def _ball(self, precision: int) -> arb:
        from flint import arb, ctx

        with ctx.workprec(precision):
            total = arb(0)
            for argument, coefficient in self._terms.items():
                total += arb(argument).log() * coefficient
            if self._base is not None:
                rest = arb(self._base.numerator - self._base.denominator) / self._base.denominator
                total /= rest.log1p()  # of a base near 1 the difference of two logarithms would have no digits
            return (total + self._constant) / self._denominator

    def _vanishes(self) -> bool:
        if self._base is None and self._constant:
            return False  # the logarithms sum to zero or to a transcendental number
        terms = self.in_base(None)._terms
        return not combine(terms.items(), CoprimeBase(terms))

    @functools.cached_property
    def _rational_value(self) -> Fraction | None:
        """The value if it is rational, else None.

        A sum of natural logarithms is rational only if it is zero. A sum of logarithms to another base is rational if
        it is a rational multiple of the logarithm of that base.
        """
        if self._base is None:
            rest = self._plus(-self.constant) if self._constant else self
            return None if rest.sign() else self.constant
        if not self._terms:
            return self.constant
        unit = [(self._base.numerator, 1), (self._base.denominator, -1)]
        base = CoprimeBase([*self._terms, self._base.numerator, self._base.denominator])
        ratio = proportion(combine(self._terms.items(), base), combine(unit, base))
        return None if ratio is None else (self._constant + ratio) / self._denominator

    def __eq__(self, other: object) -> bool:
        return (isinstance(other, LogSum) and self._state() == other._state()) or super().__eq__(other)

    __hash__ = ExactReal.__hash__

    def _of_sympy(self, terms: Iterable[tuple[Any, Any]]) -> LogSum | None:
        constant, found = Fraction(0), dict[Any, list[tuple[Any, Any]]]()
        for coefficient, rest in terms:
            numerator, denominator = rest.as_numer_denom()
            above, base = _argument(numerator), _argument(denominator)
            if rest == 1:
                constant += as_fraction(coefficient)
            elif above is None or (denominator != 1 and (base is None or base < 1)):
                return None
            else:
                found.setdefault(base, []).append((coefficient, above))
        (base, parts), *others = found.items() or [(None, [])]
        return None if others else LogSum(parts, constant, base=base)

    # Arithmetic

    def _compatible(self, other: ExactReal) -> bool:
        return isinstance(other, LogSum) and (self._base == other._base or not other._terms or not self._terms)

    def _plus(self, other: LogSum | Fraction) -> Self:
        if isinstance(other, Fraction):
            other = LogSum._of_integers(other.numerator, {}, other.denominator, self._base)
        denominator = math.lcm(self._denominator, other._denominator)
        mine, theirs = denominator // self._denominator, denominator // other._denominator
        terms = {n: c * mine for n, c in self._terms.items()} if mine > 1 else dict(self._terms)
        for n, c in other._terms.items():
            terms[n] = terms.get(n, 0) + c * theirs
        base = self._base if self._terms or not other._terms else other._base
        return self._of_integers(self._constant * mine + other._constant * theirs, terms, denominator, base)

    def _times(self, factor: Fraction) -> Self:
        by = factor.numerator
        terms = {n: c * by for n, c in self._terms.items()}
        return self._of_integers(self._constant * by, terms, self._denominator * factor.denominator, self._base)

    def _refuse_mixing(self, other: ExactReal) -> InvalidTypeError:
        if not isinstance(other, LogSum):
            return super()._refuse_mixing(other)
        bases = " and ".join("e" if base is None else str(base) for base in (self._base, other._base))
        repair = "change one of them first: .in_base(2) for bits, .in_base(None) for nats"
        return InvalidTypeError(f"logarithms to the bases {bases} cannot be mixed; {repair}")

    # Conversion and text

    def _state(self) -> tuple[int, dict[int, int], int, Fraction | None]:
        return self._constant, self._terms, self._denominator, self._base

    def __reduce__(self) -> tuple[Any, tuple[Any, ...]]:
        return LogSum._of_integers, self._state()

    def _arguments(self) -> str:
        return super()._arguments() + ("" if self._base is None else f", base={written(self._base)}")

    def _formula(self, write: Callable[[Fraction], str], times: str) -> str | None:
        """Return the text of the number over primes, with terms of equal coefficient joined into one logarithm.

        So equal numbers with small arguments have the same text.
        """
        if self._shown_length() is None:
            return None
        simple, arguments = self.simplify(), dict[Fraction, Fraction]()
        for coefficient, prime in simple.terms:  # primes of one coefficient form one argument
            size = abs(coefficient)
            arguments[size] = arguments.get(size, Fraction(1)) * (prime if coefficient > 0 else Fraction(1, prime))
        pairs = [(size, value) if value > 1 else (-size, 1 / value) for size, value in arguments.items()]
        if sum(len(exact_text(number)) for pair in pairs for number in pair) > enclosure.WIDE:
            return None
        base = "" if self._base is None else exact_text(self._base)
        if write is exact_text:
            head, tail = f"log_({base})(" if "/" in base else f"log_{base}(" if base else "log(", ")"
        else:
            head, tail = (rf"\log_{{{base}}} " if base else r"\log "), ""
        pairs.sort(key=lambda pair: (pair[0] < 0, pair[1]))
        terms = [(coefficient, head + write(argument) + tail) for coefficient, argument in pairs]
        return enclosure.sum_text([(simple.constant, ""), *terms], write, times)

    def to_sympy(self) -> Any:
        """Return the number as a SymPy expression, with the primes as arguments of logarithms."""
        import sympy

        if (value := self._rational_value) is not None:
            return sympy.Rational(value)
        simple = self.simplify()
        parts = (sympy.Rational(c) * sympy.log(n) for c, n in simple.terms)
        unit = 1 if self._base is None else sympy.log(sympy.Rational(self._base))
        return sympy.Rational(simple.constant) + sympy.Add(*parts) / unit


def _argument(expression: Any) -> Any:
    """Return r if a SymPy expression is the logarithm of a positive rational r, else None."""
    argument = expression.args[0] if expression.func.__name__ == "log" else None
    return argument if argument is not None and argument.is_Rational and argument > 0 else None


def log(argument: Exact, base: Exact | None = None) -> LogSum:
    """Return the logarithm of a positive exact number: natural, or to a base above 1.

    Examples
    --------
    >>> print(log(3, base=2))
    log_2(3) ≈ 1.58496
    """
    return LogSum([(1, argument)], base=base)


# -- Quotients of exact numbers, compared exactly.


_ONE = 1  # the key of the rational term. Elements of a coprime base are above 1, so it is none of them.


def quotient(numerator: Fraction | ExactReal, denominator: Fraction | ExactReal) -> Fraction | ExactRatio:
    """Return the quotient of two sums of logarithms or rationals. It is a Fraction if it is rational."""
    above, below = _natural(numerator), _natural(denominator)
    require(below, "the denominator", "other than 0", denominator, "leave this case out")
    base = CoprimeBase(n for value in (above, below) for _, n in value.terms)

    def written(value: LogSum) -> dict[int, Fraction]:
        terms = combine([(n, c) for c, n in value.terms], base)
        return terms | ({_ONE: value.constant} if value.constant else {})

    ratio = proportion(written(above), written(below))
    return ExactRatio(above, below) if ratio is None else ratio


class ExactRatio(enclosure.Enclosed, Result):
    """An irrational quotient of two sums of logarithms.

    It can be compared with rationals and with other quotients. Every answer is proven. A comparison with a rational
    always ends. That a comparison of two quotients always ends would follow from Schanuel's conjecture.

    Examples
    --------
    >>> from fstheory.numbers import log
    >>> from fstheory.numbers.logsum import quotient
    >>> ratio = quotient(log(3), log(2))
    >>> ratio == quotient(log(9), log(4)), ratio < quotient(log(5), log(3)), print(ratio)
    log(3) / log(2) ≈ 1.58496
    (True, False, None)
    """

    _parts = ("numerator", "denominator")

    def __init__(self, numerator: LogSum, denominator: LogSum) -> None:
        if denominator < 0:
            numerator, denominator = -numerator, -denominator
        self.numerator, self.denominator = numerator, denominator

    def _ball(self, precision: int) -> arb:
        from flint import ctx

        below, finer = enclosure.apart_from_zero(self.denominator, precision)
        with ctx.workprec(finer):
            return self.numerator._enclose(finer) / below

    def _equality(self, other: enclosure.Enclosed) -> Callable[[], bool] | None:
        return functools.partial(_is_same, self, other) if isinstance(other, ExactRatio) else None

    def __neg__(self) -> ExactRatio:
        return ExactRatio(-self.numerator, self.denominator)

    def __add__(self, other: object) -> ExactRatio:
        number = enclosure.operand(other)
        if not isinstance(number, Fraction):
            return NotImplemented
        return ExactRatio(self.numerator + self.denominator * number, self.denominator)

    __radd__ = __add__

    def __rsub__(self, other: object) -> ExactRatio:
        return (-self).__add__(other)

    def to_sympy(self) -> Any:
        """Return the number as a SymPy expression."""
        return self.numerator.to_sympy() / self.denominator.to_sympy()

    def __str__(self) -> str:
        exact = [str(part).partition(" ≈")[0] for part in (self.numerator, self.denominator)]
        above, below = (f"({part})" if " " in part else part for part in exact)
        return f"{above} / {below} ≈ {self.decimal()}"


def _natural(value: Fraction | ExactReal) -> LogSum:
    """Return a number in nats. This does not change a quotient of two numbers in one unit."""
    if isinstance(value, LogSum):
        return value if value.base is None else value.in_base(None)
    if isinstance(value, int | Fraction):
        return LogSum.of(value)
    raise InvalidTypeError(explain("the number", "rational or a LogSum", value, "take its enclosure"))


def _is_same(first: ExactRatio, second: ExactRatio) -> bool:
    """Return whether multiplying out gives equal polynomials in logarithms of coprime integers."""
    # Numerators and denominators are linear forms in these logarithms, and polynomials factor uniquely. Neither ratio
    # is rational. So the products agree only if one ratio is the other, extended by a rational factor.
    factor = quotient(first.numerator, second.numerator)
    return isinstance(factor, Fraction) and first.denominator == second.denominator * factor


# -- Weighted sums of many sums of logarithms. Their terms are held in arrays.


class LogSums:
    """Many sums of logarithms to one base, with all their terms in arrays. So a weighted sum of them is fast."""

    def __init__(self, values: Sequence[LogSum]) -> None:
        (self._base,) = {value._base for value in values}
        self._denominator = math.lcm(*(value._denominator for value in values))
        scales = [self._denominator // value._denominator for value in values]
        places: dict[int, int] = {0: 0}  # of each argument; the constants have the argument 0
        self._owners = np.repeat(np.arange(len(values)), [len(value._terms) + 1 for value in values])
        arguments = chain.from_iterable((0, *value._terms) for value in values)
        self._places = np.array([places.setdefault(n, len(places)) for n in arguments], dtype=np.int64)
        parts = zip(values, scales, strict=True)
        coefficients = [c * by for value, by in parts for c in (value._constant, *value._terms.values())]
        self._sum = sum(map(abs, coefficients))
        self._coefficients = np.array(coefficients, dtype=np.int64 if self._sum < _WORD else object)
        self._arguments = list(places)

    def weighted(self, weights: Sequence[int], denominator: int) -> LogSum:
        """Return the sum of all values, each times its weight, divided by the denominator."""
        small = (self._sum + 1) * (max(map(abs, weights), default=0) + 1) < _WORD  # then no sum overflows
        kind = np.int64 if small else object
        parts = np.array(weights, dtype=kind)[self._owners] * self._coefficients.astype(kind)
        found = np.zeros(len(self._arguments), dtype=kind)
        np.add.at(found, self._places, parts)
        constant, *coefficients = found.tolist()
        terms = dict(zip(self._arguments[1:], coefficients, strict=True))
        return LogSum._of_integers(constant, terms, self._denominator * denominator, self._base)
