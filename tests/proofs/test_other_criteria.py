"""Claims on Gini impurity, balanced error, area and explained variance for every size, against their definitions.

``python -m tests.proofs.test_other_criteria 300`` does it for so many random claims.
"""

import random
import sys
from collections import Counter
from fractions import Fraction
from functools import cache
from itertools import product
from typing import Any

import numpy as np
import pytest
import z3

from fstheory.checker.certificates import check_certificate
from fstheory.checker.every_size import EverySizeSpace
from fstheory.checker.statement import CRITERIA, ONE, SampleSpace
from fstheory.checker.weights import Distribution, at_weights
from fstheory.distributions.joint import JointDistribution
from fstheory.errors import CertificateError, NotLinearError
from fstheory.logic.claims import Claim, claim, positive
from fstheory.logic.evaluate import value
from fstheory.logic.every_size import EverySize
from fstheory.logic.expressions import Formula, Node, from_json, walk, with_leaves
from fstheory.logic.language import Model
from fstheory.logic.ledger import verify_certificate
from fstheory.logic.verdict import Proved, Refuted
from fstheory.proofs.prover import prove
from fstheory.selection.prescribed import distribution_with_areas, distribution_with_gains, distribution_with_shares
from tests.logic.building import signed
from tests.logic.test_changes import is_accepted, mutated
from tests.proofs.test_every_size import random_formula, truth

WORDS = dict(zip(CRITERIA, ("gini", "balanced", "auc", "explained"), strict=True))
LOSSES = "RGB"  # they fall with the subset


def by_definition(kind: str, weights: Any, kept: tuple[int, ...]) -> Fraction:
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


def _scatter(law: list[int]) -> Fraction:
    mean = Fraction(sum(y * w for y, w in enumerate(law)), sum(law))
    return sum((w * (y - mean) ** 2 for y, w in enumerate(law)), Fraction(0))


def drawn(rng: random.Random, n: int, k: int, *, full: bool = False) -> JointDistribution:
    """Return a random distribution with zeros and ties; `full` says that all states occur."""
    sizes, some = [rng.randint(1, 3) for _ in range(n)], [0, 0, 1, 1, rng.randint(1, 40), rng.randint(1, 9)]
    laws = [[rng.choice(some) for _ in range(k)] for _ in range(3)]
    cells = [rng.choice(laws) if rng.random() < 0.5 else [rng.choice(some) for _ in range(k)] for _ in range(3**n)]
    table = np.array(cells[: int(np.prod(sizes))]).reshape(*sizes, k)
    table[table.sum(axis=-1) == 0] = full
    table[(0,) * n] += not table.any()
    return JointDistribution(table)


def checked(d: JointDistribution) -> Distribution:
    """Return a distribution as the checker has it."""
    space = SampleSpace({"cardinalities": d.cardinalities, "classes": len(d.classes)})
    return at_weights(space, d.weights.ravel().tolist())


def all_values(d: JointDistribution) -> dict[int, Fraction]:
    """Return the values of the risk and the other criteria by the numbers that the checker gives them."""
    n = len(d.features)
    space = EverySizeSpace({"features": n, "classes": None}, ())
    kept = {mask: tuple(i for i in range(n) if mask >> i & 1) for mask in range(1 << n)}
    starts = {"R": 0, **{kind: space.unknown(kind, 0) for kind in CRITERIA}}
    named = {
        start + mask: by_definition(kind, d.weights, kept[mask]) for kind, start in starts.items() for mask in kept
    }
    return {ONE: Fraction(1), **named}


def test_criteria_are_those_of_the_language_and_of_the_checker() -> None:
    rng = random.Random(0)
    for _ in range(60):
        d = drawn(rng, 2, rng.choice((1, 2, 3)))
        m, at = Model(d), checked(d)
        for kind, kept in product(CRITERIA, ((), (0,), (0, 1))):
            expected = by_definition(kind, d.weights, kept)
            assert value(getattr(m, WORDS[kind])([d.features[i] for i in kept]), d) == expected, (kind, kept, d)
            assert at.value((kind, kept)) == expected


def references(rng: random.Random, n: int, k: int) -> list[tuple[Any, ...]]:
    s = rng.randrange(1 << n)
    t, i = s | rng.randrange(1 << n), rng.randrange(n)
    a, low, high = Fraction(rng.randint(0, 20), 20), *sorted(rng.sample(range(50), 2))
    found: list[tuple[Any, ...]] = [(word, kind) for word in ("best", "blind") for kind in CRITERIA]
    found += [("less", kind, s & ~(1 << i), i) for kind in CRITERIA]
    found += [("above", "G", s), ("below", "G", s, str(a)), ("gain", "G", s, t, str(a))]
    pair = ("pair", "G", s, t, str(Fraction(low, 100)), str(Fraction(high, 100)))
    return [one for one in [*found, *[pair] * (k == 2)] if one[0] != "below" or k > 1]


@pytest.mark.parametrize("seed", range(4))
def test_what_proofs_use_of_criteria_is_true_at_random_distributions(seed: int) -> None:
    """The facts, and at least one case of each split."""
    rng, relations = random.Random(seed), {">": Fraction.__gt__, ">=": Fraction.__ge__, "=": Fraction.__eq__}
    for _ in range(200):
        n, k, full = rng.choice((1, 2, 2, 3)), rng.choice((1, 2, 2, 2, 3, 4)), rng.random() < 0.3
        d = drawn(rng, n, k, full=full)
        space, at = EverySizeSpace({"features": n, "classes": k}, ("positive",) * d.is_positive().holds), all_values(d)
        for reference in references(rng, n, k):
            relation, form = space.fact(reference, "a fact")
            total = sum((c * at[u] for u, c in form.items()), Fraction(0))
            assert relations[relation](total, Fraction(0)), (reference, d)
        s, t = rng.randrange(1 << n), rng.randrange(1 << n)
        splits: list[tuple[Any, ...]] = [("chance",), ("G-ties", s & ~1, 0)]
        splits += [(f"{kind}-closed", s, t) for kind in "GV" if space.assumptions]
        assert all(any(map(checked(d).truth, space.cases(split, "a split"))) for split in splits), (splits, d)


@pytest.mark.parametrize("kind", ["", "GB", "BA", "GBAV", "R", "g", 0, None])
def test_a_fact_about_no_criterion_is_refused(kind: object) -> None:
    """A certificate could once prove with `["blind", ""]` that the Gini impurity without features is 0."""
    space = EverySizeSpace({"features": 1, "classes": 2}, ())
    for reference in (("blind", kind), ("best", kind), ("less", kind, 0, 0)):
        with pytest.raises(CertificateError, match="a fact must be"):
            space.fact(reference, "a fact")


def renamed(formula: Node, kind: str, m: Model) -> Node:
    """Return a formula about risks as one about another criterion of a model."""
    names = [*m.order]
    word = getattr(m, WORDS[kind])
    risks = (leaf for leaf in walk(formula) if leaf[0] == "R")
    return with_leaves(formula, {leaf: word([names[i] for i in leaf[1]]).node for leaf in risks})


def is_theorem(kind: str, n: int, k: int | None, formulas: list[Node]) -> bool:
    """Say whether formulas are true at all monotone tables of a criterion with its values at both ends."""
    table, sets = [z3.Real(f"v{mask}") for mask in range(1 << n)], range(1 << n)
    facts = [
        table[s] >= table[t] if kind in LOSSES else table[s] <= table[t] for s, t in product(sets, sets) if s & t == s
    ]
    top = z3.RealVal(str(1 - Fraction(1, k or 1) if k else 1))
    ends = {
        "G": [table[-1] >= 0, table[0] <= top if k else table[0] < top],
        "B": [table[-1] >= 0, table[0] == (k or 0) - 1],
        "A": [table[-1] <= 1, z3.Or(table[0] == z3.RealVal("1/2"), table[0] == 1)],
        "V": [table[-1] <= 1, table[0] == 0],
    }
    risks: dict[Node, Node] = {leaf: ("R", *leaf[1:]) for f in formulas for leaf in walk(f) if leaf[0] == kind}
    as_risks = [with_leaves(f, risks) for f in formulas]
    solver = z3.Solver()
    solver.add(*facts, *ends[kind], z3.Not(z3.And([truth(node, table) for node in as_risks])))
    return bool(solver.check() == z3.unsat)


def random_claim(rng: random.Random, kind: str) -> tuple[Claim, EverySize]:
    n = rng.choice((2, 2, 3)) if kind != "A" else 2
    formula = random_formula(rng, n, rng.choice((1, 1, 2)))
    while rng.random() < 0.6:
        formula = ("or", formula, random_formula(rng, n, rng.choice((0, 1))))
    some = (2, 3) if kind == "B" else (2, 3, None)
    return claim(lambda m: Formula(renamed(formula, kind, m)), name="random"), EverySize(n, rng.choice(some))


@cache
def decide_one(seed: int, kind: str) -> Any:
    drawn_, size = random_claim(random.Random(seed), kind)
    verdict = prove(drawn_, features=size.number, classes=size.classes)
    theorem = is_theorem(kind, size.number, size.classes, [*drawn_.statement(size).shown])
    assert isinstance(verdict, Proved) == theorem, (kind, seed, verdict)
    if isinstance(verdict, Refuted):
        assert isinstance(drawn_.check(verdict.distribution), Refuted)
    if isinstance(verdict, Refuted) or (isinstance(verdict, Proved) and drawn_.statement(size).show):
        assert verify_certificate(verdict.certificate, drawn_)
    return verdict


@pytest.mark.parametrize("kind", CRITERIA)
def test_claims_on_one_criterion_are_proved_exactly_if_they_are_true_at_all_tables(kind: str) -> None:
    """What is false and stays undecided has equalities that no distribution with fractions was found for."""
    found = Counter(decide_one(seed, kind).status for seed in range(14))
    assert min(found["proved"], found["refuted"]) >= 3
    assert found["undecided"] <= 4


def test_a_changed_certificate_on_one_criterion_is_rejected_unless_it_is_true_all_the_same() -> None:
    rng, found = random.Random(5), list[tuple[str, Any]]()
    for kind, seed in product(CRITERIA, range(14)):
        verdict = decide_one(seed, kind)
        found += [(kind, verdict.certificate)] * (isinstance(verdict, Proved) and bool(verdict.certificate["show"]))
    accepted = 0
    for _ in range(200):
        kind, certificate = rng.choice(found)
        content = signed(mutated(dict(certificate), rng))
        if is_accepted(content):
            accepted += 1
            formulas = [from_json(one["formula"]) for one in content["show"]]
            assert is_theorem(kind, content["shape"]["features"], content["shape"]["classes"], formulas), content
    assert accepted < 60


def random_table(rng: random.Random, n: int, top: Fraction) -> list[Fraction]:
    """Return a table by mask that falls with the subset, from `top` on."""
    drawn_ = [Fraction(rng.randint(0, 12), 12) for _ in range(1 << n)]
    return [top] + [top * max(drawn_[t] for t in range(1 << n) if t & s == s) for s in range(1, 1 << n)]


@pytest.mark.parametrize("n", [1, 2, 3])
def test_every_table_of_a_criterion_belongs_to_a_distribution(n: int) -> None:
    """Theorem 1: all of them, exactly; of areas those above 1/2 for all subsets but the empty one."""
    rng = random.Random(n)
    sets = [tuple(i for i in range(n) if mask >> i & 1) for mask in range(1 << n)]
    for _ in range(12):
        shares, k = random_table(rng, n, Fraction(1)), rng.choice((2, 3))
        weights = distribution_with_shares(shares, k).weights
        for kind, top in (("R", 1 - Fraction(1, k)), ("G", 1 - Fraction(1, k)), ("B", k - 1)):
            assert [by_definition(kind, weights, kept) for kept in sets] == [share * top for share in shares]
        prior = [Fraction(2, 3), Fraction(1, 3)]
        weights = distribution_with_shares(shares, 2, prior=prior).weights
        assert [by_definition("G", weights, kept) for kept in sets] == [share * Fraction(4, 9) for share in shares]
        assert [by_definition("V", weights, kept) for kept in sets] == [1 - share for share in shares]
        areas = [1 - share * Fraction(11, 24) for share in shares]
        weights = distribution_with_areas(areas).weights
        assert [by_definition("A", weights, kept) for kept in sets] == [Fraction(1, 2), *areas[1:]]


def test_the_orders_of_risk_and_impurity_are_prescribed_together() -> None:
    falls, gains = [Fraction(x) for x in (0, 1, 0, 2)], [Fraction(x) for x in (0, 1, 2, 3)]
    weights = distribution_with_gains(falls, gains, impurity=True).weights
    for kind, asked in (("R", falls), ("G", gains)):
        found = [by_definition(kind, weights, kept) for kept in ((), (0,), (1,), (0, 1))]
        assert len({(found[0] - x) / y for x, y in zip(found[1:], asked[1:], strict=True) if y}) == 1


def test_an_impurity_that_needs_too_many_classes_is_not_built() -> None:
    almost = claim(lambda m: m.gini(()) <= 1 - Fraction(1, 10**12), name="almost")
    assert prove(almost, features=1).status == "undecided"
    twenty = claim(lambda m: m.gini(()) <= Fraction(18, 20), name="twenty")
    verdict = prove(twenty, features=1)
    assert isinstance(verdict, Refuted)
    assert len(verdict.distribution.classes) > 10


@claim
def balanced(m: Model) -> Formula:
    return m.balanced({"X1"}) <= m.balanced(())


@claim(assume=[positive])
def both_enough(m: Model) -> Formula:
    """If X1 alone has the impurity of both, and X2 alone, then no feature is needed."""
    return m.implies(m.equal(m.gini({"X1"}), m.gini({"X2"}), m.gini({"X1", "X2"})), m.gini(()) == m.gini({"X1"}))


def test_what_is_asked_of_classes_needs_their_number() -> None:
    with pytest.raises(NotLinearError, match="classes"):
        prove(balanced, features=1)
    assert prove(balanced, features=1, classes=3).status == "proved"


def test_positive_probabilities_leave_one_smallest_set_of_full_worth() -> None:
    assert prove(both_enough, features=2).status == "proved"
    assert prove(both_enough, features=2, without="positive").status == "refuted"


@claim
def impurity_bounds(m: Model, S: frozenset[str]) -> Formula:
    return (m.risk(S) <= m.gini(S)) & (m.gini(S) <= 2 * m.risk(S))


@claim
def impurity_told(m: Model) -> Formula:
    S, T = m.order[:1], m.order
    return m.implies((m.risk(S) == "1/4") & (m.risk(T) <= "1/8"), m.gini(S) - m.gini(T) >= "1/16")


@claim
def same_ties(m: Model, S: frozenset[str], T: frozenset[str]) -> Formula:
    same = m.mutual_information(S | T) == m.mutual_information(S)
    return m.iff(m.gini(S | T) == m.gini(S), same) & m.implies(same, m.risk(S | T) == m.risk(S))


def of_a_pair(least: str) -> Claim:
    def body(m: Model) -> Formula:
        S, T = m.order[:1], m.order
        given = m.all([m.risk(S) == "1/4", m.gini(S) <= "1/4", m.risk(T) <= "1/8"])
        return m.implies(given, m.gini(T) <= least)

    return claim(body, name="pair")


@pytest.mark.parametrize(
    ("said", "status"),
    [(impurity_bounds, "proved"), (impurity_told, "proved"), (same_ties, "proved"), (of_a_pair("19/100"), "proved"),
     (of_a_pair("18/100"), "refuted")],
)  # fmt: skip
def test_risk_and_impurity_together_are_decided(said: Claim, status: str) -> None:
    verdict = prove(said, features=2, classes=2)
    assert verdict.status == status
    assert check_certificate(verdict.certificate)  # type: ignore[union-attr]


if __name__ == "__main__":
    for name in CRITERIA:
        print(name, Counter(decide_one(seed, name).status for seed in range(int(sys.argv[1]))), flush=True)
