"""The language of claims, certificates and proofs: terms, formulas, linear forms, and their texts."""

from __future__ import annotations

import functools
import itertools
import math
import operator
from collections.abc import Callable, Iterable, Iterator, Sequence
from fractions import Fraction
from typing import Any, TypeAlias

ASSUMPTIONS = ("positive", "unique_maximum")  # that may be named instead of spelled out

Node: TypeAlias = "tuple[Any, ...]"
Coefficient: TypeAlias = "int | Fraction"  # nearly all are integers, which are faster
Form: TypeAlias = (
    "dict[int, Coefficient]"  # by unknown: cells or risks and entropies, then maxima; ONE has the constant
)
Fact: TypeAlias = "tuple[str, Form]"  # (">", form) says that the form is above 0; also ">=" and "="

ONE = -1
RELATIONS = ("=", ">=", ">")  # of facts with 0. A product of facts has the first relation that one of them has

# Gini impurity, balanced loss, area under the curve, and share of the variance that is explained. This is no string,
# because a string contains texts that are no criteria, such as "" and "GB".
CRITERIA = ("G", "B", "A", "V")
# A constant, a probability, a risk, an entropy, a cost-sensitive risk, a parameter, another criterion. The numbers say
# how many parts each has.
LEAVES = {"q": 1, "P": 2, "R": 1, "H": 2, "C": 2, "t": 1, **dict.fromkeys(CRITERIA, 1)}
COMPARISONS: dict[str, Callable[[Any, Any], Any]] = {"<": operator.lt, "<=": operator.le, "=": operator.eq}
TERMS = {"+": (0, math.inf), "*": (2, 2), "/": (2, 2), "log": (1, 1), "sqrt": (1, 1)}
TERMS |= {"max": (1, math.inf), "min": (1, math.inf), **{kind: (parts, parts) for kind, parts in LEAVES.items()}}
FORMULAS = {"and": (0, math.inf), "or": (0, math.inf), "not": (1, 1), "implies": (2, 2), "iff": (2, 2)}
FORMULAS |= dict.fromkeys(COMPARISONS, (2, 2))
_COMPOSED = (TERMS.keys() | FORMULAS.keys()) - LEAVES.keys()


def walk(node: Node) -> Iterator[Node]:
    """Yield a node and all nodes in it, each before its parts."""
    stack = [node]
    while stack:
        node = stack.pop()
        yield node
        if node[0] in _COMPOSED:
            stack.extend(reversed(node[1:]))


def compared(formula: Node) -> tuple[Node, ...]:
    """Return the two sides of every comparison in a formula, in order and without repetition."""
    return tuple(dict.fromkeys(side for node in walk(formula) if node[0] in COMPARISONS for side in node[1:]))


def of_itself(term: Node) -> tuple[Node, Node] | None:
    """Return p and p + 1 if a term is p log(p + 1 - p/p), which is p log p, or 0 if p is 0. Otherwise return None."""
    if term[0] == "*" and term[2][0] == "log" and term[2][1][0] == "+":
        p, ratio = term[1], ("/", term[1], term[1])
        parts = [part for part in term[2][1][1:] if part != ("*", ("q", -1), ratio)]
        return (p, ("+", *parts)) if len(parts) == len(term[2][1]) - 2 else None
    return None


# -- Texts. A sum is written with differences, with informations in place of entropies, and with Shapley values. A
# conjunction may be named as a minimal-optimal set or a Markov boundary.

_NUMBERS = frozenset(["max", "min", "log", "sqrt"])
_EMPTY = {"and": "true", "or": "false", "+": "0"}


def _formula_text(
    node: Node, leaf: Callable[[Node], str], side: Callable[[Node], str], named: Callable[[Node], str]
) -> str:
    """Return a term or a formula as text.

    `leaf` and `side` return the texts of leaves and of sides of comparisons. `named` returns the text of a formula that
    has a name, and an empty text for others.
    """
    kind, *parts = node
    if text := named(node):
        return text
    if kind in LEAVES:
        return leaf(node)
    if kind in _NUMBERS:
        return f"{kind}({', '.join(_formula_text(part, leaf, side, named) for part in parts)})"
    if not parts:
        return _EMPTY[kind]
    if kind in COMPARISONS:
        return f" {kind} ".join(map(side, parts))
    texts = []
    for part in parts:  # in parentheses unless it binds more tightly
        binds = part[0] in {*LEAVES, *_NUMBERS, "not"} or (kind == "+" and part[0] in {"*", "/"})
        binds = binds or (part[0] in COMPARISONS and kind != "not") or named(part) != ""
        text = _formula_text(part, leaf, side, named)
        texts.append(text if binds else f"({text})")
    return f"not {texts[0]}" if kind == "not" else f" {kind} ".join(texts)


def node_text(
    node: Node, names: Sequence[str], leaf: Callable[[Node], str] | None = None, number: Callable[[Fraction], str] = str
) -> str:
    """Return a term or a formula as text, with the names of the features and of the class.

    A minimal-optimal set and a Markov boundary are written with these words. A sum that is a side of a comparison is
    written with differences, with informations in place of entropies, and with Shapley values. `leaf` and `number`
    return the texts of a leaf or a Shapley value, and of a coefficient.

    Examples
    --------
    >>> node_text(
    ...     ("<", ("q", 0), ("+", ("H", (), True), ("H", (0,), False), ("*", ("q", -1), ("H", (0,), True)))), "XY"
    ... )
    '0 < I(Y; X)'
    """
    own = leaf or functools.partial(leaf_text, names=names)

    def side(term: Node) -> str:
        text = linear_text(term, names, own, number) if term[0] in {"+", "*"} else ""
        return text or _formula_text(term, own, side, named)

    def named(formula: Node) -> str:
        notion, features = minimal_set(formula, len(names) - 1) or ("", ())
        return f"{notion}({{{', '.join(names[i] for i in features)}}})" if notion else ""

    return side(node)


def leaf_text(leaf: Node, names: Sequence[str]) -> str:
    """Return a leaf as text, with the names of the features and of the class."""
    kind, *parts = leaf
    if kind in {"q", "t"}:
        return str(parts[0]) if kind == "q" or parts[0].isidentifier() else repr(parts[0])  # it may look like a formula
    if kind == "P":
        states = zip(names, (*parts[0], parts[1]), strict=True)
        return f"P({', '.join(f'{name}={state}' for name, state in states if state is not None)})"
    if kind == SHAPLEY:
        return f"Shapley({parts[0]}; {names[parts[1]]})"
    features = [names[i] for i in parts[0]]
    if kind == "C":
        return f"C[{parts[1]}]({{{', '.join(features)}}})"
    return f"H({', '.join(features + [names[-1]] * parts[1])})" if kind == "H" else f"{kind}({{{', '.join(features)}}})"


_ONE: Node = ("q", Fraction(1))
_MOST = 4  # features in the entropies of a sum that is written with informations
_MOST_VALUED = 6  # features of which Shapley values and minimal sets are looked for
_LONGEST = 4096  # bits of a coefficient of such a sum


def linear_text(
    node: Node,
    names: Sequence[str],
    leaf: Callable[[Node], str],
    number: Callable[[Fraction], str] = str,
    information: Callable[[Sets, Sequence[str]], str] | None = None,
    times: str = " ",
) -> str:
    """Return a linear sum as text, with informations in place of entropies, and with Shapley values.

    The text is empty if the term is no linear sum. It is also empty if the term has entropies of many features, or
    coefficients of very many digits.

    `information` returns the text of an information, and `times` stands between a coefficient and its term.

    Examples
    --------
    >>> linear_text(("*", ("q", 2), ("R", (0,))), "XY", lambda leaf: "risk", times=" * ")
    '2 * risk'
    """
    added: dict[Node, Fraction] = {}
    if not _added_up(node, Fraction(1), added) or max(map(_bits, added.values()), default=0) > _LONGEST:
        return ""
    found = _with_shapley_values(added, len(names) - 1)
    features = sorted({i for part in found if part[0] == "H" for i in part[1]})
    if len(features) > _MOST:
        return ""
    variables = (*(names[i] for i in features), names[-1])
    entropies = {
        sum(1 << features.index(i) for i in part[1]) + (part[2] << len(features)): c
        for part, c in found.items()
        if part[0] == "H"
    }
    terms = [(c, leaf(part)) for part, c in found.items() if part[0] not in {"H", "q"}]
    told = informations(tuple(entropies.items()), len(features))
    terms += [(Fraction(c), (information or information_text)(sets, variables)) for c, sets in told]
    return sum_text([*terms, (found.get(_ONE, Fraction(0)), "")], number, times)


def _bits(c: Fraction) -> int:
    return max(c.numerator.bit_length(), c.denominator.bit_length())


def _added_up(node: Node, times: Fraction, found: dict[Node, Fraction]) -> bool:
    """Add a multiple of a term to the coefficients of its leaves. Return False if the term is not linear."""
    kind, *parts = node
    if kind == "+":
        return all(_added_up(part, times, found) for part in parts)
    if kind == "*" and parts[0][0] == "q":
        return _added_up(parts[1], times * Fraction(parts[0][1]), found)
    leaf, value = (_ONE, Fraction(parts[0])) if kind == "q" else (node, 1)
    found[leaf] = found.get(leaf, Fraction(0)) + times * value
    return kind in LEAVES


SHAPLEY = "shapley"
"""(SHAPLEY, "R", i) in the place of a leaf is the Shapley value of feature i. It is in texts, not in certificates."""
MINIMAL = {"R": "minimal_optimal", "I": "markov_boundary"}
NOTIONS = {
    "Shapley": "Shapley(R; Xi) is the Shapley value of Xi: the mean, over all orders of the features, of the amount by "
    "which Xi lowers the risk of the features before it. Shapley(I; Xi) is the same for H(Y | features) in place of "
    "the risk.",
    "minimal_optimal": "minimal_optimal(S) says that S has the risk of all features, and no proper subset of S has it.",
    "markov_boundary": "markov_boundary(S) says that, given S, Y is independent of all features outside S, and that no "
    "proper subset of S has this property for the features outside it.",
}
"""The notions that texts name, with their meanings."""


def minimal_set(formula: Node, n: int) -> tuple[str, tuple[int, ...]] | None:
    """Return the name of a notion and a set S of n features, if a conjunction says that S is minimal with r(S) = r(X).

    X has all features, and r is the risk, or the entropy H(Y | S). The parts are those that `Model` writes, in its
    order: that S has this value, and that no proper subset has it. Of risks, the first is left out for X, and each
    subset has its own denial. Of entropies there is one denial.
    """
    if formula[0] != "and" or n > _MOST_VALUED:
        return None
    for of, notion in MINIMAL.items():
        own, denied = ([part for part in formula[1:] if (part[0] == "not") == no] for no in (False, True))
        equations = [part[1] for part in denied]
        if of == "I" and len(denied) == 1 and equations[0][0] == "or":
            equations = [*equations[0][1:]]
        known = _equal_to_all(n, of)
        s, *sets = (known.get(_difference(one)) for one in [*(own or [_ALL]), *equations])
        parts = [part for k in range(len(s or ())) for part in itertools.combinations(s or (), k)]
        if s and sets == parts and len(own) == (of == "I" or len(s) < n) and formula[1:] == (*own, *denied):
            return notion, s
    return None


_ALL: Node = ("=", ("+",), ("+",))


def _difference(equation: Node) -> frozenset[tuple[Node, Fraction]] | None:
    """Return the coefficients of the leaves in the difference of the sides of an equation, if the sides are linear."""
    found: dict[Node, Fraction] = {}
    sides = zip(equation[1:], (Fraction(1), Fraction(-1)), strict=False)
    linear = equation[0] == "=" and all(_added_up(side, sign, found) for side, sign in sides)
    return frozenset((leaf, c) for leaf, c in found.items() if c) if linear else None


@functools.cache
def _equal_to_all(n: int, of: str) -> dict[frozenset[tuple[Node, Fraction]] | None, tuple[int, ...]]:
    """Return each set S of n features by the difference r(S) - r(X), in which X has all features."""
    everything = tuple(range(n))
    found: dict[frozenset[tuple[Node, Fraction]] | None, tuple[int, ...]] = {frozenset(): everything}
    for s in (s for k in range(n) for s in itertools.combinations(everything, k)):
        form: dict[Node, Fraction] = {}
        for features, sign in ((s, Fraction(1)), (everything, Fraction(-1))):
            form |= {("R", features): sign} if of == "R" else {("H", features, True): sign}
            form |= {("H", features, False): -sign} if of == "I" and features else {}
        found[frozenset(form.items())] = s
    return found


def _with_shapley_values(found: dict[Node, Fraction], n: int) -> dict[Node, Fraction]:
    """Return a sum of leaves with Shapley values of n features, if these make it half as long or shorter.

    A Shapley value adds up differences of r(S), which is the risk R(S) or the entropy H(Y | S) = H(Y, S) - H(S).
    """
    everything = tuple(range(n))
    for of in "RI" if 1 < n <= _MOST_VALUED and len(found) > n else "":
        subsets = [s for k in range(n + 1) for s in itertools.combinations(everything, k)]
        own: dict[tuple[int, ...], Node] = {s: ("R", s) if of == "R" else ("H", s, True) for s in subsets}
        held = {s: found.get(leaf, Fraction(0)) for s, leaf in own.items()}
        # Other terms of the sum most often have few features, or nearly all. So the coefficient c of each value is
        # read from those of r(no feature) and r(one feature), or of r(all features) and r(all features but one).
        first, second = _share(0, n), _share(1, n)
        ends: list[tuple[int, tuple[int, ...], list[tuple[int, ...]]]] = [(1, (), [(i,) for i in everything])]
        ends += [(-1, everything, [tuple(j for j in everything if j != i) for i in everything])]
        for sign, end, next_to_it in ends:
            total = held[end] / first * second
            c = [sign * (total - held[s]) / (first + second) for s in next_to_it]
            rest = dict(found)
            for s, leaf in own.items():
                inside = sum(c[i] for i in s)
                in_values = _share(len(s), n) * (sum(c) - inside) - _share(len(s) - 1, n) * inside
                rest[leaf] = held[s] - in_values
                if of == "I" and s:
                    rest["H", s, False] = found.get(("H", s, False), Fraction(0)) + in_values
            written = {(SHAPLEY, of, i): c[i] for i in everything} | rest
            if 2 * sum(map(bool, written.values())) <= sum(map(bool, found.values())):
                found = {term: times for term, times in written.items() if times}
                break
    return found


def _share(k: int, n: int) -> Fraction:
    """Return the share of the orders of n features that have k given features, and no other, before a given one."""
    return Fraction(math.factorial(k) * math.factorial(n - 1 - k), math.factorial(n)) if 0 <= k < n else Fraction(0)


def sum_text(terms: Iterable[tuple[Fraction, str]], number: Callable[[Fraction], str] = str, times: str = " ") -> str:
    """Return a sum as text: the terms that are added, then those that are subtracted. A constant has an empty text."""
    numbers = (
        (c, "" if abs(c) == 1 and what else number(abs(c)), what)
        for c, what in sorted(terms, key=lambda term: term[0] < 0)
        if c
    )
    text = " ".join(f"{'-' if c < 0 else '+'} {times.join(filter(None, (of, what)))}" for c, of, what in numbers)
    return text.removeprefix("+ ").replace("- ", "-", text[:1] == "-") or "0"


Sets: TypeAlias = "tuple[int, int, int]"
"""Masks of I(a; b | c); of H(a | c), if a and b are the same."""


def in_order(sets: Sets, variables: Sequence[str]) -> list[list[str]]:
    """Return the names of what an information or entropy is about, then those of what is given. The class is first."""
    a, b, c = ([name for i, name in enumerate(variables) if mask >> i & 1] for mask in sets)
    return [a, c] if a == b else [b, a, c] if b == [variables[-1]] else [a, b, c]


def information_text(sets: Sets, variables: Sequence[str]) -> str:
    """Return an information or an entropy as text, with the names of the variables, of which the class is the last."""
    *first, known = in_order(sets, variables)
    given = f" | {', '.join(known)}" * bool(known)
    return f"{'IH'[len(first) == 1]}({'; '.join(map(', '.join, first))}{given})"


@functools.lru_cache(1 << 12)
def informations(entropies: tuple[tuple[int, Coefficient], ...], n: int) -> list[tuple[Coefficient, Sets]]:
    """Write a linear form of entropies, by mask, as a sum of informations and entropies.

    There are few if that is easy.
    """
    left, found = dict(entropies), list[tuple[Coefficient, Sets]]()
    for side, sets, signed in _candidates(n) if left else ():
        times = min(sign * left.get(of, 0) for of, sign in signed.items())
        if times > 0:
            found.append((side * times, sets))
            left = {of: c - times * signed.get(of, 0) for of, c in left.items()}
    return found


@functools.cache
def _candidates(n: int) -> list[tuple[int, Sets, dict[int, int]]]:
    """Return the terms that may be added, or subtracted with side -1, with their entropies.

    The most readable come first.
    """
    found = list[tuple[int, Sets, dict[int, int]]]()
    for roles in itertools.product(range(4), repeat=n + 1):  # of each variable: none, or in a, b or c
        a, b, c = (sum(1 << i for i, role in enumerate(roles) if role == one) for one in (1, 2, 3))
        if a and (a < b or not b):
            signed = {a | c: 1, b | c: 1, a | b | c: -1, c: -1} if b else {a | c: 1, c: -1}
            for side in (1, -1):
                found.append((side, (a, b or a, c), {of: side * sign for of, sign in signed.items() if of}))
    found = sorted(found, key=lambda one: (one[1][1] != 1 << n, sum(map(int.bit_count, one[1])), one[1][2:], one[1]))
    return sorted(found, key=lambda one: (-(len(one[2]) // 4), len(one[2]) == 1, -one[0], -len(one[2])))
