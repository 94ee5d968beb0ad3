"""Claims for every number of states: how tests decide them, and what is true of all distributions."""

import random
from collections.abc import Callable, Collection, Iterable, Mapping
from fractions import Fraction
from itertools import combinations_with_replacement, permutations, product
from typing import Any, TypeAlias

import numpy as np
import z3

from fstheory.checker.reading import SampleSpace
from fstheory.checker.statement import CRITERIA
from fstheory.checker.weights import Distribution, at_weights
from fstheory.distributions.joint import JointDistribution
from fstheory.logic.claims import Claim
from fstheory.logic.every_size import EverySize
from fstheory.logic.expressions import Node, from_json, to_json
from fstheory.logic.ledger import verify_certificate
from fstheory.logic.verdict import Proved, Refuted
from fstheory.proofs.prover import prove
from tests.logic.building import Content
from tests.logic.definition import Z3_OPERATIONS

WORDS = dict(zip(CRITERIA, ("gini", "balanced", "auc", "explained"), strict=True))
LOSSES = "RGB"
"""The criteria that fall with the subset."""

Sum: TypeAlias = Mapping[int, Fraction | int]


def decide(said: Claim, features: int, classes: int | None = None, **options: Any) -> Any:
    """Return the verdict; a counterexample must be one, and the certificate must be accepted as one of the claim."""
    verdict = prove(said, features=features, classes=classes, **options)
    if isinstance(verdict, Refuted):
        assert isinstance(said.check(verdict.distribution), Refuted)
    if isinstance(verdict, Proved | Refuted) and verdict.certificate["show"]:
        assert verify_certificate(verdict.certificate, said)
    return verdict


def proved(said: Claim, features: int, classes: int | None = None) -> Proved:
    verdict = decide(said, features, classes)
    assert isinstance(verdict, Proved), verdict
    return verdict


def formulas(content: Mapping[str, Any], part: str = "show") -> list[Node]:
    """Return what a certificate shows, or assumes."""
    return [from_json(one["formula"]) for one in content[part]]


def size_of(content: Mapping[str, Any]) -> tuple[int, int | None]:
    return content["shape"]["features"], content["shape"]["classes"]


# What is true of all distributions, for Z3


def truth(node: Node, leaf: Callable[[Node], Any]) -> Any:
    """Return a term or a formula for Z3; `leaf` gives the values of risks, criteria and entropies."""
    kind, *parts = node
    if kind in {"t", "q"}:
        return z3.Real(f"parameter {parts[0]}") if kind == "t" else z3.RealVal(str(parts[0]))
    if kind in {"R", "H", *CRITERIA}:
        return leaf(node)
    return Z3_OPERATIONS[kind](*(truth(part, leaf) for part in parts))


def follow(facts: Iterable[Any], content: Content, leaf: Callable[[Node], Any]) -> bool:
    """Say whether what a certificate shows follows from some facts and from what it assumes."""
    solver = z3.Solver()
    solver.add(*facts, *(truth(node, leaf) for node in formulas(content, "assume")))
    solver.add(z3.Not(z3.And([truth(node, leaf) for node in formulas(content)])))
    return bool(solver.check() == z3.unsat)


def as_content(said: Claim, size: EverySize) -> Content:
    """Return what a certificate of a claim says."""
    statement, shape = said.statement(size), {"features": size.number, "classes": size.classes}
    show = [{"formula": to_json(node)} for node in statement.shown]
    return {"shape": shape, "assumptions": statement.by_name, "assume": [], "show": show}


def is_theorem(content: Content, kind: str = "R") -> bool:
    """Say whether a statement on one criterion is true at all tables that it has.

    These are monotone with known values at both ends, and of risks Theorem R+ says what assumptions add.
    """
    n, k, names = *size_of(content), content["assumptions"]
    table, sets = [z3.Real(f"v{mask}") for mask in range(1 << n)], range(1 << n)
    along = [(table[s], table[t]) for s, t in product(sets, sets) if s & t == s]
    facts = [a >= b if kind in LOSSES else a <= b for a, b in along]
    top = z3.RealVal(str(1 - Fraction(1, k) if k else 1))
    of_all, none = table[-1], table[0]
    facts += {
        "R": [of_all >= 0, none <= top if k else none < top],
        "G": [of_all >= 0, none <= top if k else none < top],
        "B": [of_all >= 0, none == (k or 0) - 1],
        "A": [of_all <= 1, z3.Or(none == z3.RealVal("1/2"), none == 1)],
        "V": [of_all <= 1, none == 0],
    }[kind]
    facts += [of_all < top] * ("unique_maximum" in names and k != 1)
    least = [of_all == 0] * ("unique_maximum" not in names)
    for s, t in product(sets, sets) if "positive" in names else ():
        facts.append(z3.Implies(z3.And(table[s] == of_all, table[t] == of_all, *least), table[s & t] == of_all))
    return follow(facts, content, lambda node: table[sum(1 << i for i in node[1])])


def plus(parts: Iterable[tuple[Fraction | int, Sum]]) -> Sum:
    total: dict[int, Fraction | int] = {}
    for times, form in parts:
        for of, c in form.items():
            total[of] = total.get(of, 0) + times * c
    return total


def information(a: int, b: int, c: int) -> Sum:
    """Return I(a; b | c) as coefficients of entropies, by mask."""
    return plus((times, {of: 1}) for of, times in ((a | c, 1), (b | c, 1), (a | b | c, -1), (c, -1)))


def zhang_yeung(a: int, b: int, c: int, d: int) -> Sum:
    terms = (1, (a, b, 0)), (1, (a, c | d, 0)), (3, (c, d, a)), (1, (c, d, b)), (-2, (c, d, 0))
    return plus((times, information(*sets)) for times, sets in terms)


def is_information_theorem(content: Content) -> bool:
    """Say whether a statement on risks and entropies follows from what proofs may use of both."""
    n, k = size_of(content)
    sets, ones, full, y = range(1 << n), [1 << i for i in range(n + 1)], (1 << n) - 1, 1 << n
    risk = {mask: z3.Real(f"r{mask}") for mask in sets}
    entropy = {0: z3.RealVal(0)} | {mask: z3.Real(f"h{mask}") for mask in range(1, 2 << n)}

    def value(form: Sum) -> Any:
        return z3.Sum([c * entropy[of] for of, c in form.items()])

    pairs = combinations_with_replacement(ones, 2)
    facts = [value(information(a, b, c)) >= 0 for a, b in pairs for c in range(2 << n) if not c & (a | b)]
    facts += [value(zhang_yeung(*four)) >= 0 for four in permutations(ones, 4)]
    facts += [risk[full] >= 0, risk[0] < 1 if k is None else risk[0] <= 1 - z3.RealVal(1) / k]
    for s, i in product(sets, ones[:-1]):
        useless = z3.Implies(value(information(y, i, s)) == 0, risk[s] == risk[s | i])
        facts += [risk[s] >= risk[s | i], useless]
    for s in sets:
        left = value(information(y, y, s))
        facts += [risk[s] * 693147 <= 500000 * left, (risk[s] == 0) == (left == 0)]

    def leaf(node: Node) -> Any:
        mask = sum(1 << i for i in node[1])
        return risk[mask] if node[0] == "R" else entropy[mask | y * node[2]]

    return follow(facts, content, leaf)


# What is true at one distribution


def drawn(rng: random.Random, n: int, k: int, *, full: bool = False) -> JointDistribution:
    """Return a random distribution with zeros and ties; `full` says that all states occur."""
    sizes, some = [rng.randint(1, 3) for _ in range(n)], [0, 0, 1, 1, rng.randint(1, 40), rng.randint(1, 9)]
    laws = [[rng.choice(some) for _ in range(k)] for _ in range(3)]
    cells = [rng.choice(laws) if rng.random() < 0.5 else [rng.choice(some) for _ in range(k)] for _ in range(3**n)]
    table = np.array(cells[: int(np.prod(sizes))]).reshape(*sizes, k)
    table[table.sum(axis=-1) == 0] = full
    table[(0,) * n] += not table.any()
    return JointDistribution(table)


def with_prior(d: JointDistribution, tenths: int) -> JointDistribution:
    """Return a distribution of two classes with another probability of the second, where both are possible."""
    table = d.weights.astype(object)
    a, b = (int(table[..., y].sum()) for y in (0, 1))
    return JointDistribution(table * [b * (10 - tenths), a * tenths]) if a and b else d


def checked(d: JointDistribution) -> Distribution:
    """Return a distribution as the checker has it."""
    space = SampleSpace({"cardinalities": d.cardinalities, "classes": len(d.classes)})
    return at_weights(space, d.weights.ravel().tolist())


def holds_at_random(content: Mapping[str, Any], seed: int = 0) -> bool:
    """Search at random for a distribution at whose weights what a certificate shows is false for the checker."""
    n, k = size_of(content)
    rng, shown = random.Random(seed), formulas(content)
    tried = [drawn(rng, n, k or rng.choice((2, 3))) for _ in range(60)]
    if k == 2:
        tried += [with_prior(d, rng.randint(1, 9)) for d in tried]
    return all(at.truth(node) for at in map(checked, tried) for node in shown)


def by_definition(kind: str, weights: Any, kept: Collection[int]) -> Fraction:
    """Return the risk or another criterion of a table of weights, spelled out."""
    *features, k = weights.shape
    laws: dict[tuple[int, ...], list[int]] = {}
    for cell in product(*map(range, features)):
        law = laws.setdefault(tuple(cell[i] for i in kept), [0] * k)
        law[:] = [held + int(more) for held, more in zip(law, weights[cell], strict=True)]
    states = [law for law in laws.values() if any(law)]
    total, of_class = int(weights.sum()), [sum(law[y] for law in states) for y in range(k)]
    if kind == "R":
        return 1 - Fraction(sum(map(max, states)), total)
    if kind == "G":
        return sum((Fraction(w * (sum(law) - w), sum(law) * total) for law in states for w in law), Fraction(0))
    if kind == "B":
        shares = ([Fraction(w, all_) for w, all_ in zip(law, of_class, strict=True) if all_] for law in states)
        return Fraction(k - sum(map(max, shares), Fraction(0)))
    if kind == "V":
        left, whole = (sum(map(_scatter, some), Fraction(0)) for some in (states, [of_class]))
        return 1 - left / whole if whole else Fraction(0)
    sides = [(law[-1], sum(law[:-1])) for law in states]
    won = (Fraction(a * d, 1 + (a * d == c * b)) for a, b in sides for c, d in sides if a * d >= c * b)
    pairs = of_class[-1] * sum(of_class[:-1])
    return sum(won, Fraction(0)) / pairs if pairs else Fraction(1)


def least_cost(weights: Any, kept: Collection[int], cost: Fraction) -> Fraction:
    """Return the least expected cost of predicting the last class or not: `cost` for a false positive."""
    sides: dict[tuple[int, ...], list[int]] = {}
    for (*cell, y), weight in np.ndenumerate(weights):
        sides.setdefault(tuple(cell[i] for i in kept), [0, 0])[y == weights.shape[-1] - 1] += int(weight)
    decisions = ((no * cost, yes * (1 - cost)) for no, yes in sides.values())  # predict the last class, or not
    return sum(map(min, decisions), Fraction(0)) / int(weights.sum())


def _scatter(law: list[int]) -> Fraction:
    mean = Fraction(sum(y * w for y, w in enumerate(law)), sum(law))
    return sum((w * (y - mean) ** 2 for y, w in enumerate(law)), Fraction(0))
