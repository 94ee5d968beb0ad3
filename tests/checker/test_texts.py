"""The text of a sum says what the sum is: it is read again, and evaluated with arbitrary numbers for its leaves."""

import itertools
import re
from fractions import Fraction
from random import Random
from typing import Any

import pytest

import fstheory as fs
from fstheory.checker.statement import Node, node_text
from fstheory.logic.every_size import EverySize
from fstheory.logic.expressions import Term

NAMES = ["X1", "X2", "X3", "Y"]
TERM = re.compile(r"(-?)(?:([\d/]+) ?)?(?:([A-Z]\w*)\(([^()]*)\))?")


def random_sum(random: Random, depth: int = 2) -> Node:
    """Return a sum of sums of multiples of criteria, as a certificate has them: constants are texts."""
    if depth:
        parts = [random_sum(random, depth - 1) for _ in range(random.randint(2, 4))]
        return (
            ("+", *parts) if random.random() < 0.5 else ("*", ("q", random.choice(["-1", "-1", "1/2"])), ("+", *parts))
        )
    entropy = "H", tuple(i for i in range(3) if random.random() < 0.5), random.random() < 0.5
    return random.choice([entropy] * 5 + [("R", entropy[1]), ("G", entropy[1]), ("q", "-2/3")])


def value_of(kind: str, names: Any) -> Fraction:
    """Return an arbitrary number for a leaf. Without variables an entropy is 0."""
    key = f"{kind} {sorted(names)}"
    return Fraction(Random(key).randint(1, 10**9)) if names or kind != "H" else Fraction(0)


def value(node: Node) -> Fraction:
    kind, *parts = node
    if kind == "+":
        return sum(map(value, parts), start=Fraction(0))
    if kind == "*":
        return value(parts[0]) * value(parts[1])
    if kind == "q":
        return Fraction(parts[0])
    names = {NAMES[i] for i in parts[0]}
    return value_of(kind, names | {"Y"} if kind == "H" and parts[1] else names)


def value_of_term(kind: str, text: str) -> Fraction:
    """Return the value of one criterion of a text, from the definition of informations by entropies, and by orders."""
    if kind == "Shapley":
        orders = [order[: order.index(text[3:])] for order in itertools.permutations(NAMES[:3])]
        pairs = [(set(before), {*before, text[3:]}) for before in orders]
        if text[0] == "R":
            return sum((value_of("R", a) - value_of("R", b) for a, b in pairs), Fraction(0)) / len(pairs)
        entropies = [[value_of("H", part | {"Y"}) - value_of("H", part) for part in pair] for pair in pairs]
        return sum((a - b for a, b in entropies), Fraction(0)) / len(pairs)
    sets, _, given = text.partition(" | ")
    a, *b = (set(re.findall(r"\w+", part)) for part in sets.split(";"))
    known = set(re.findall(r"\w+", given))
    if kind not in "HI":
        return value_of(kind, a)
    of, both = value_of("H", a | known), value_of("H", known)
    return of - both if kind == "H" else of + value_of("H", b[0] | known) - value_of("H", a | b[0] | known) - both


def value_of_text(text: str) -> Fraction:
    found = Fraction(0)
    for part in re.split(r" (?=[+-] )", text):
        sign, times, kind, of = TERM.fullmatch(part.removeprefix("+ ").replace("- ", "-", part[:2] == "- ")).groups()  # type: ignore[union-attr]
        one = value_of_term(kind, of) if kind else Fraction(1)
        found += (-1 if sign else 1) * Fraction(times or 1) * one
    return found


@pytest.mark.one_in(6)
@pytest.mark.parametrize("seed", range(300))
def test_the_text_of_a_sum_says_what_the_sum_is(seed: int) -> None:
    node = ("+", random_sum(Random(seed)), random_sum(Random(-seed - 1)))
    text = node_text(("<=", ("q", "0"), node), NAMES).removeprefix("0 <= ")
    assert value_of_text(text) == value(node), text


def shapley_value(m: fs.Model, random: Random) -> Term:
    of: Any = random.choice(["risk", "information"])
    return m.shapley(random.choice(m.order), criterion=of) * Fraction(random.choice(["1", "-2", "1/3"]))


@pytest.mark.one_in(6)
@pytest.mark.parametrize("seed", range(120))
def test_a_sum_of_shapley_values_is_written_with_them(seed: int) -> None:
    random, m = Random(seed), fs.Model(EverySize(3))
    term = m.sum(shapley_value(m, random) for _ in range(random.randint(1, 3)))
    others = random.choice([[], [m.risk(())], [m.risk(), m.risk({"X1", "X3"})], [m.gini("X2")]])
    text = node_text(("<=", ("q", "0"), m.sum([term, *others]).node), NAMES).removeprefix("0 <= ")
    assert value_of_text(text) == value(m.sum([term, *others]).node), text
    assert text == "0" or "Shapley" in text or len(text) < 50, text


@pytest.mark.parametrize("n", [2, 3])
def test_minimal_sets_are_named_and_nothing_else_is(n: int) -> None:
    m, names = fs.Model(EverySize(n)), [*NAMES[:n], "Y"]
    for S in m.subsets():
        for word, formula in (("minimal_optimal", m.minimal_optimal(S)), ("markov_boundary", m.markov_boundary(S))):
            said = f"{word}({{{', '.join(i for i in m.order if i in S)}}})"
            assert (node_text(formula.node, names) == said) == bool(S), S
            assert node_text((~formula).node, names) == f"not {said}" or not S
            kind, *parts = formula.node
            for i in range(len(parts) if kind == "and" else 0):
                others = [(kind, *parts[:i], *parts[i + 1 :]), (kind, *parts[:i], ("not", parts[i]), *parts[i + 1 :])]
                others += [(kind, *parts, parts[i]), ("or", *parts)]
                assert all(word not in node_text(one, names) for one in others if len(one) > 1), (S, i)


def test_a_sum_that_would_be_too_long_is_written_term_by_term() -> None:
    long = [("*", ("q", f"1/{2**1999 + k}"), ("R", ())) for k in (1, 3, 5)]
    many = ("+", ("H", (0, 1, 2, 3, 4), True), ("*", ("q", "-1"), ("H", (0, 1, 2, 3, 4), False)))
    assert node_text(("=", ("+", *long), many), ["A", "B", "C", "D", "E", "Y"]) == (
        " + ".join(f"{part[1][1]} * R({{}})" for part in long) + " = H(A, B, C, D, E, Y) + -1 * H(A, B, C, D, E)"
    )
