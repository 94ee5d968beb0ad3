"""Statements about entropies of all variables, as text, and what is known of each; a linear program about them."""

import itertools
import re
from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction
from typing import Any

from fstheory.logic import Claim, Formula, Model, claim

PROVED, REFUTED, OPEN = "proved", "refuted", "undecided"
_ZHANG_YEUNG = "2 I({3};{4}) <= I({1};{2}) + I({1};{3},{4}) + 3 I({3};{4}|{1}) + I({3};{4}|{2})"

STATEMENTS: dict[str, str] = {
    "I(Y;X1) <= I(Y;X1,X2)": PROVED,
    "H(X1,X2) <= H(X1) + H(X2)": PROVED,
    "I(X1;X2|X3) <= H(X1|X3)": PROVED,
    "H(X1,X2,X3) + H(X2) <= H(X1,X2) + H(X2,X3)": PROVED,
    "2 H(X1,X2,X3) <= H(X1,X2) + H(X1,X3) + H(X2,X3)": PROVED,  # Han
    "3 H(X1,X2,X3,Y) <= H(X1,X2,X3) + H(X1,X2,Y) + H(X1,X3,Y) + H(X2,X3,Y)": PROVED,
    "I(Y;X1,X2) = I(Y;X1) + I(Y;X2|X1)": PROVED,
    "I(X1;X2) - I(X1;X2|X3) = I(X1;X3) - I(X1;X3|X2)": PROVED,
    "I(X1;X3|X2) = 0 => I(X1;X3) <= I(X1;X2)": PROVED,  # data processing
    "I(X1;X3,Y|X2) = 0, I(X1,X2;Y|X3) = 0 => I(X1;Y) <= I(X2;X3)": PROVED,
    "I(X1;X2,X3|Y) = 0 => I(X1;X2|Y) = 0": PROVED,  # graphoid axioms
    "I(X1;X2,X3|Y) = 0 => I(X1;X2|X3,Y) = 0": PROVED,
    "I(X1;X2|Y) = 0, I(X1;X3|X2,Y) = 0 => I(X1;X2,X3|Y) = 0": PROVED,
    "I(X1;X2|Y) = 0, I(X1,X2;X3|Y) = 0 => I(Y;X3|X1,X2) <= I(Y;X3|X1)": PROVED,  # naive Bayes is submodular
    "I(Y;X1) + I(Y;X2) - I(X1;X2) <= I(Y;X1,X2)": PROVED,  # mRMR
    "I(X1;X2|Y) = 0 => I(Y;X1,X2) <= I(Y;X1) + I(Y;X2)": PROVED,
    "I(X1;X2) = 0 => I(Y;X1) + I(Y;X2) <= I(Y;X1,X2)": PROVED,
    "H(Y|X1) = 0 => I(Y;X2|X1) = 0": PROVED,
    "H(Y|X1) = 0, H(X1|X2) = 0 => H(Y|X2) = 0": PROVED,
    "H(X1|X2) <= H(X1|Y) + H(Y|X2)": PROVED,
    "I(Y;X1) = 0, H(Y|X1,X2) = 0 => H(Y) <= H(X2)": PROVED,  # secret sharing
    "I(Y;X1) = 0, I(Y;X2) = 0, H(Y|X1,X2) = 0 => 2 H(Y) <= H(X1) + H(X2)": PROVED,
    "I(X1;X3,Y|X2) = 0 => I(Y;X2,X3) = I(Y;X1,X2,X3)": PROVED,  # Koller and Sahami
    "H(X1,X2,X3,Y) <= H(X1) + H(X2) + H(X3) + H(Y)": PROVED,
    "I(X1;X2|X3,Y) + I(X1;X3|Y) <= H(X1|Y)": PROVED,
    "I(Y;X1,X2) <= I(Y;X1) + I(Y;X2)": REFUTED,
    "I(X1;X2|Y) <= I(X1;X2)": REFUTED,
    "I(X1;X2) <= I(X1;X2|Y)": REFUTED,
    "I(X1;X2) = 0 => I(X1;X2|Y) = 0": REFUTED,
    "I(X1;X2|Y) = 0 => I(X1;X2) = 0": REFUTED,
    "I(X1;X2|X3) = 0, I(X1;X3|X2) = 0 => I(X1;X2,X3) = 0": REFUTED,  # the intersection property
    "I(X1;X2) = 0, I(X1;X3) = 0, I(X2;X3) = 0 => I(X1,X2;X3) = 0": REFUTED,
    "I(Y;X1,X2) = 0, I(Y;X1,X3) = 0, I(Y;X2,X3) = 0 => I(Y;X1,X2,X3) = 0": REFUTED,
    "H(X1|Y) <= H(X1|X2)": REFUTED,
    "H(Y|X1,X2) = 0 => H(Y) <= H(X1)": REFUTED,
    "I(X1;X2|Y) = 0, I(X1;X3|Y) = 0, I(X2;X3|Y) = 0 => I(Y;X3|X1,X2) <= I(Y;X3|X1)": REFUTED,
    "I(X1;X2) <= I(X1;X2|X3) + I(X1;X2|Y) + I(X3;Y)": REFUTED,  # Ingleton
    _ZHANG_YEUNG.format(0, "X1", "X2", "X3", "Y"): PROVED,
    _ZHANG_YEUNG.format(0, "Y", "X1", "X2", "X3"): PROVED,
    "I(X1;X2) = 0, I(X1;X2|X3) = 0 => I(X3;Y) <= I(X3;Y|X1) + I(X3;Y|X2)": OPEN,  # true: Zhang and Yeung 1997
}  # fmt: skip
NOT_SHANNON = [text for text in STATEMENTS if text.startswith("2 I(")]

_TERM = re.compile(r"([+-])?\s*(\d+)?\s*([HI])\(([^)]*)\)\s*")


def parts(text: str) -> tuple[list[str], str]:
    """Return the assumptions and the conclusion."""
    left, _, right = text.rpartition("=>")
    return [part for part in re.split(r",(?![^()]*\))", left) if part.strip()], right


def claim_of(text: str) -> Claim:
    """Return the statement as a claim."""

    def statement(m: Model) -> Formula:
        assumptions, conclusion = parts(text)
        return m.implies(m.all(compared(m, part) for part in assumptions), compared(m, conclusion))

    def compared(m: Model, part: str) -> Formula:
        left, relation, right = re.split(r"(<=|=)", part)
        a, b = (
            m.sum(m.info(f"{kind}({body})") * _factor(sign, number) for sign, number, kind, body in _TERM.findall(side))
            for side in (left, right)
        )
        return a <= b if relation == "<=" else a == b

    return claim(statement, name=text)


def features_in(text: str) -> int:
    """Return how many features a statement speaks of."""
    return max(map(int, re.findall(r"X(\d)", text)))


def _factor(sign: str, number: str) -> int:
    return int(number or 1) * (-1 if sign == "-" else 1)


def literal(part: str, names: tuple[str, ...]) -> tuple[str, dict[int, Fraction | int]]:
    """Return the relation and, by set of variables, the coefficients of the right side less the left one."""
    left, relation, right = re.split(r"(<=|=)", part)
    form: dict[int, Fraction | int] = {}
    for side, times in ((left, -1), (right, 1)):
        for sign, number, kind, body in _TERM.findall(side):
            sets, _, known = body.partition("|")
            c = _mask(known, names)
            a, b = ([_mask(group, names) for group in sets.split(";")] * 2)[:2]
            assert (kind == "H") == (";" not in sets)
            form = plus([(1, form), (times * _factor(sign, number), information(a, b, c))])
    return relation, form


def information(a: int, b: int, c: int) -> Mapping[int, Fraction | int]:
    """Return I(a; b | c) as coefficients of entropies."""
    signed = ((a | c, 1), (b | c, 1), (a | b | c, -1), (c, -1))
    return plus((times, {of: 1}) for of, times in signed if of)


def plus(parts: Iterable[tuple[Fraction | int, Mapping[int, Fraction | int]]]) -> dict[int, Fraction | int]:
    """Return a sum of multiples; no coefficient is 0."""
    total: dict[int, Fraction | int] = {}
    for times, form in parts:
        for of, c in form.items():
            total[of] = total.get(of, 0) + times * c
    return {of: c for of, c in total.items() if c}


def _mask(names: str, order: tuple[str, ...]) -> int:
    return sum(1 << order.index(name) for name in re.findall(r"\w+", names))


def leaves(text: str, certificate: Mapping[str, Any]) -> Iterator[tuple[dict[int, Fraction | int], Fraction]]:
    """Yield, for each case of a proof, the sum of the multiplied facts, and the multiplier of what is denied."""
    names = (*(f"X{i + 1}" for i in range(certificate["shape"]["features"])), "Y")
    assumptions, conclusion = parts(text)
    given = [literal(part, names) for part in assumptions]
    relation, goal = literal(conclusion, names)
    (proof,) = certificate["proofs"]
    trees = proof["tree"]["cases"] if relation == "=" else [proof["tree"]]
    assert proof["tree"].get("split", ["or", 0]) == ["or", 0]
    for sign, tree in zip((1, -1), trees, strict=False):  # the right side is above the left one, or below
        denied = plus([(sign if relation == "=" else -1, goal)])
        total: list[tuple[Fraction, Mapping[int, Fraction | int]]] = []
        times = Fraction(0)
        for reference, written in tree["farkas"]:
            factor = Fraction(written)
            if isinstance(reference, int) and reference < len(given):
                assert factor > 0 or given[reference][0] == "="
                total.append((factor, given[reference][1]))
            elif isinstance(reference, int):
                assert reference == len(given)
                times = factor
                total.append((factor, denied))
            elif reference[0] == "I":
                assert factor > 0
                total.append((factor, information(*reference[1:])))
            else:
                _, a, b, c, d = reference
                sets = (1, (a, b, 0)), (1, (a, c | d, 0)), (3, (c, d, a)), (1, (c, d, b)), (-2, (c, d, 0))
                total += [(factor * number, information(*masks)) for number, masks in sets]
        yield plus(total), times


def follows(text: str) -> bool:
    """Say whether a statement is of Shannon type, by a linear program in floats about the elemental inequalities."""
    from scipy.optimize import linprog

    names = (*(f"X{i + 1}" for i in range(features_in(text))), "Y")
    n, full = len(names), (1 << len(names)) - 1
    rows: list[Mapping[int, Fraction | int]] = [{full: 1, full ^ 1 << i: -1} for i in range(n)]
    for i, j in itertools.combinations(range(n), 2):
        known = (c for c in range(full + 1) if not c & (1 << i | 1 << j))
        rows += [{c | 1 << i: 1, c | 1 << j: 1, c | 1 << i | 1 << j: -1, c: -1} for c in known]
    assumptions, conclusion = parts(text)
    given = [literal(part, names) for part in assumptions]
    relation, goal = literal(conclusion, names)
    rows += [form for _, form in given]
    rows += [{of: -c for of, c in form.items()} for other, form in given if other == "="]
    matrix = [[-float(row.get(of, 0)) for of in range(1, full + 1)] for row in rows]
    for sign in (1, -1)[: 1 + (relation == "=")]:
        cost = [sign * float(goal.get(of, 0)) for of in range(1, full + 1)]
        if linprog(cost, matrix, [0.0] * len(rows), bounds=(0, 1), method="highs").fun < -1e-6:
            return False
    return True
