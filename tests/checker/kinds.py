"""Random arguments of the kinds of facts and splits, and what the words of their meaning say."""

import random
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from fractions import Fraction
from functools import reduce
from typing import Any

from mpmath import mp  # type: ignore[import-untyped]

from fstheory.checker.every_size import EverySizeSpace
from fstheory.checker.kinds import Kind
from fstheory.checker.statement import CRITERIA, ONE, Fact, Form

# Amounts that add up to 0 or more: G >= R, H >= G and H >= 2 log(2) R for one feature, and H falls.
TREES: list[Any] = [(1, amounts, ()) for amounts in (("-1", "1", "0"), ("0", "-1", "1"), ((("-2", 2),), "0", "1"))]
TREES += [(0, ("0", "0", "1"), ((1, ("0", "0", "-1"), ()),))]
# Twice the cost-sensitive risk for 1/2 is the risk, and the sum for 1/4 and 3/4 is at most 3/4 of it.
TREES += [(1, ("3/4", "0", "0"), (), (("1/4", "-1"), ("3/4", "-1"))), (0, ("-1", "0", "0"), (), (("1/2", "2"),))]

QUARTERS = tuple((end, ()) for end in ("1/4", "1/2", "3/4", "1"))

# Values of arguments as a certificate has them. The arguments need not fit together.
DRAWN: dict[str, Callable[[random.Random, int], Any]] = {
    "subset": lambda rng, n: rng.randrange(1 << n),
    "set": lambda rng, n: rng.randrange(2 << n),
    "feature": lambda rng, n: rng.randrange(n),
    "variable": lambda rng, n: rng.randint(0, n),
    "criterion": lambda rng, _: rng.choice(CRITERIA),
    "count": lambda rng, _: rng.choice((1, 2, 3, 4, 5, 97)),
    "share": lambda rng, _: str(Fraction(rng.randint(1, 49), rng.choice((50, 98)))),
    "part": lambda rng, _: str(Fraction(rng.randint(0, 20), 20)),
    "strength": lambda rng, _: str(rng.choice((Fraction(rng.randint(1, 90)), 1 + Fraction(rng.randint(0, 60), 20)))),
    "cost": lambda rng, _: rng.choice(("1/2", "1/3", "1/4")),
    "flag": lambda rng, _: rng.random() < 0.5,
    "end": lambda rng, _: rng.randint(0, 10),
    "parts": lambda rng, _: 20,
    "bound": lambda rng, _: (rng.choice((2, 3, 5, 7)), rng.choice((1, 3, 6, 12)), rng.random() < 0.5),
    "tree": lambda rng, _: rng.choice(TREES),
    "line": lambda rng, _: rng.choice((("0", "0"), ("0", "0"), ("-1/8", (("1/4", 2),)), ("1/4", "-1"))),
    "cover": lambda rng, _: rng.choice(((("1/2", ()), ("1", ())), (("1/2", (None,)),), QUARTERS)),
    "amount": lambda rng, _: rng.choice(("0", "1/2", "-1", (("-1", 2),))),
    "number": lambda rng, _: rng.choice(("1", "2", "-1")),
    "ends": lambda rng, _: (tuple(str(Fraction(i, 12)) for i in range(1, 13)),) * rng.choice((2, 3, 4)),
    "fact": lambda rng, n: rng.choice((None, ("less", 0, rng.randrange(n)), ("ceiling",), ("I", 1, 1, 0))),
}


def of_every_size(table: Mapping[str, Kind]) -> Iterator[Kind]:
    """Yield the kinds that are about every number of states."""
    return (kind for kind in table.values() if kind.about is EverySizeSpace)


def draw(kind: Kind, rng: random.Random, n: int) -> tuple[Any, ...]:
    """Return a fact or split of a kind as a certificate refers to it. Half of the pairs of subsets are nested."""
    found = [DRAWN[of](rng, n) for of, _ in kind.arguments]
    types = [of for of, _ in kind.arguments]
    if types[:2] == ["subset", "subset"] and rng.random() < 0.5:
        found[1] |= found[0]
    return (*kind.words, *found)


class Given:
    """A set of variables, and the set behind a bar, if there is one."""

    def __init__(self, mask: int, given: int | None = None) -> None:
        self.mask, self.given = mask, given

    def __and__(self, other: "Given") -> "Given":
        return Given(self.mask & other.mask)

    def __or__(self, other: Any) -> "Given":
        return Given(self.mask, other.mask if other else 0)


def union(parts: Iterable[Any]) -> Given:
    """Return the union of sets, where all that stands behind a bar is given."""

    def join(left: Given, right: Any) -> Given:
        mask = right.mask if right else 0
        if left.given is not None:
            return Given(left.mask, left.given | mask)
        return Given(left.mask | mask, right.given if right else None)

    return reduce(join, parts, Given(0))


class Log:
    """A sum of multiples of logarithms of numbers."""

    def __init__(self, *terms: tuple[Fraction, Fraction]) -> None:
        self.terms = terms

    def __add__(self, other: Any) -> Any:
        return Log(*self.terms, *other.terms) if isinstance(other, Log) else NotImplemented

    def __sub__(self, other: "Log") -> Any:
        return self + other * -1

    def __mul__(self, other: Any) -> Any:
        return NotImplemented if isinstance(other, Sum) else Log(*((c * other, x) for c, x in self.terms))

    __rmul__ = __mul__

    def rounded(self, up: bool) -> Fraction:
        """Return the next multiple of 1/1,000,000."""
        with mp.workdps(60):
            value = sum(
                (
                    mp.mpf(c.numerator) / c.denominator * mp.log(mp.mpf(x.numerator) / x.denominator)
                    for c, x in self.terms
                ),
                mp.mpf(0),
            )
            return Fraction(int(mp.ceil(value * 10**6) if up else mp.floor(value * 10**6)), 10**6)


class Sum:
    """A linear form of the unknowns of a space."""

    def __init__(self, space: EverySizeSpace, form: Mapping[int, Fraction | int]) -> None:
        self.space = space
        self.form: Form = {u: c for u, c in form.items() if c}

    def of(self, other: Any) -> "Sum":
        """Return a number, a sum of logarithms or a form as a form."""
        if isinstance(other, Sum):
            return other
        if isinstance(other, Log):
            parts = [Sum(self.space, self.space.logarithm(x)) * c for c, x in other.terms]
            return sum(parts, Sum(self.space, {}))
        return Sum(self.space, {ONE: other})

    def __add__(self, other: Any) -> "Sum":
        more = self.of(other).form
        return Sum(self.space, {u: self.form.get(u, 0) + more.get(u, 0) for u in self.form | more})

    def __mul__(self, other: Any) -> "Sum":
        if isinstance(other, Sum):
            return Sum(self.space, self.space.product(dict(self.form), dict(other.form)) or {})
        if isinstance(other, Log):
            return Sum(self.space, self.space.product(dict(self.of(other).form), dict(self.form)) or {})
        return Sum(self.space, {u: c * other for u, c in self.form.items()})

    def __sub__(self, other: Any) -> "Sum":
        return self + self.of(other) * -1

    def __rsub__(self, other: Any) -> "Sum":
        return self.of(other) - self

    __radd__, __rmul__ = __add__, __mul__

    def __ge__(self, other: Any) -> Any:
        return ">=", (self - other).form

    def __le__(self, other: Any) -> Any:
        return ">=", (other - self).form

    def __lt__(self, other: Any) -> Any:
        return ">", (other - self).form

    def __gt__(self, other: Any) -> Any:
        return ">", (self - other).form

    def __eq__(self, other: Any) -> Any:
        return "=", (self - other).form

    __hash__ = None  # type: ignore[assignment]


def meant(kind: Kind, reference: tuple[Any, ...], space: EverySizeSpace) -> list[list[Fact]]:
    """Return what the words of the meaning say of some arguments: alternatives, each of comparisons that hold together.

    A fact has one alternative of one comparison.
    """

    def value(of: str, given: Any) -> Any:
        if of in {"subset", "set"}:
            return Given(given)
        if of in {"feature", "variable"}:
            return Given(1 << given)
        if of == "criterion":
            return names[given]
        if of == "amount" and type(given) is tuple:
            return Log(*((Fraction(c), Fraction(q)) for c, q in given))
        return given if of in {"flag", "ends"} else Fraction(given)

    def criterion(letter: str) -> Callable[..., Sum]:
        return lambda *sets: Sum(space, {space.unknown(letter, union(sets).mask): 1})

    def entropy(*sets: Any) -> Sum:
        one = union(sets)
        return information(Given(one.mask), ..., Given(one.mask), Given(0) | Given(one.given or 0))

    def information(*sets: Any) -> Sum:
        bar = sets.index(...)
        first, rest = union(sets[:bar]), union(sets[bar + 1 :])
        return Sum(space, space.information(first.mask, rest.mask, rest.given or 0))

    def coin(p: Any) -> Any:
        if isinstance(p, Sum):
            return Sum(space, space.coin(p.form) or {}) * -1
        return Log((-p, p)) if p else Log()

    class Costs:
        def __getitem__(self, cost: Fraction) -> Callable[..., Sum]:
            return lambda *sets: Sum(space, {space.cost(str(cost), union(sets).mask): 1})

    names: dict[str, Any] = {letter: criterion(letter) for letter in CRITERIA} | {"C": Costs()}
    names |= {"R": lambda *sets: Sum(space, {union(sets).mask: 1}), "H": entropy, "I": information, "L": coin}
    names |= {"X": Given((1 << space.n) - 1), "Y": Given(1 << space.n), "k": space.classes and Fraction(space.classes)}
    names |= {"F": Fraction, "log": lambda x: Log((Fraction(1), x)), "null": None}
    names |= {"up": lambda x: x.rounded(True), "down": lambda x: x.rounded(False)}
    given = reference[len(kind.words) :]
    names |= {name: value(of, one) for (of, name), one in zip(kind.arguments, given, strict=True)}

    def evaluated(text: str) -> Any:
        text = re.sub(r"(\d+)", r"F(\1)", text).replace(";", ", ...,")
        return eval(re.sub(r"(?<![<>])=", "==", text), dict(names))

    text, *defined = re.split(r", (\w) = ", kind.meaning)
    for name, written in zip(defined[::2], defined[1::2], strict=True):
        names[name] = evaluated(written)
    return [[evaluated(part) for part in option.split(" and ")] for option in text.split(" or ")]
