"""Random claims for every number of states get no false verdict, and a changed certificate proves nothing false.

What is compared are risks and parameters, another criterion, or a mixture with informations, logarithms and the
probability of a class. Where one knows all tables of a criterion, Z3 says whether a claim is true; a mixture must not
be false at any of many random distributions.
"""

import random
from collections import Counter
from fractions import Fraction
from functools import cache
from itertools import product
from typing import Any

import pytest

from fstheory import claims
from fstheory.checker.statement import CRITERIA, LEAVES, walk
from fstheory.errors import NotLinearError
from fstheory.logic.claims import Claim, claim, positive, unique_maximum
from fstheory.logic.evaluate import Evaluation
from fstheory.logic.every_size import EverySize
from fstheory.logic.expressions import Formula, Node, Term, formula_node, with_leaves
from fstheory.logic.language import Model
from fstheory.logic.ledger import verify_certificate
from fstheory.logic.statement import Shape
from fstheory.logic.verdict import Proved, Refuted
from fstheory.proofs.prover import prove
from tests.logic.building import Content
from tests.logic.mutants import accepted_changes
from tests.proofs.every_size import (
    WORDS,
    as_content,
    decide,
    formulas,
    holds_at_random,
    is_information_theorem,
    is_theorem,
    proved,
)
from tests.proofs.test_information import NOT_SHANNON, STATEMENTS, claim_of, irrelevant_in_naive_bayes, sure


def random_formula(rng: random.Random, n: int, depth: int) -> Node:
    if depth:
        parts = [random_formula(rng, n, depth - 1) for _ in range(rng.choice((1, 2, 2, 3)))]
        return ("not", parts[0]) if len(parts) == 1 else (rng.choice(("and", "or", "or")), *parts)
    factors = [("q", Fraction(rng.choice((1, 1, -1, -1, 2, -2)))) for _ in range(rng.choice((1, 2, 2, 2, 3)))]
    terms = [("*", factor, ("R", tuple(i for i in range(n) if rng.random() < 0.5))) for factor in factors]
    sides = [("+", *terms), ("q", Fraction(rng.choice((0, 0, 0, 1, -1)), rng.choice((2, 3, 4))))]
    return (rng.choice(("<", "<=", "<=", "=")), *rng.sample(sides, 2))


def random_claim(rng: random.Random, kind: str = "R") -> tuple[Claim, EverySize]:
    """Return a claim about risks or another criterion; what is said or something else is more often true."""
    n = rng.choice((2, 2, 3)) if kind != "A" else 2
    formula = random_formula(rng, n, rng.choice((1, 1, 2)))
    while rng.random() < 0.6:
        formula = ("or", formula, random_formula(rng, n, rng.choice((0, 1))))

    def body(m: Model) -> Formula:
        word = getattr(m, {"R": "risk", **WORDS}[kind])
        risks = {leaf for leaf in walk(formula) if leaf[0] == "R"}
        return Formula(with_leaves(formula, {leaf: word([m.order[i] for i in leaf[1]]).node for leaf in risks}))

    assume = rng.sample([positive, unique_maximum], rng.randrange(3)) if kind == "R" else []
    some = (2, 3) if kind == "B" else (2, 3, None)
    return claim(body, assume=assume, name="random"), EverySize(n, rng.choice(some))


def random_free(rng: random.Random) -> tuple[Claim, EverySize]:
    """Return a claim about risks in which some became parameters, some of those in maxima."""
    said, size = random_claim(rng)

    def freed(node: Node) -> Node:
        if node[0] == "R" and rng.random() < 0.3:
            free = ("t", rng.choice(("tau1", "tau2")))
            return free if rng.random() < 0.8 else (rng.choice(("max", "min")), free, node)
        return node if node[0] in LEAVES else (node[0], *map(freed, node[1:]))

    formula = Formula(freed(formula_node(said.body(Model(size)))))

    def body(m: Model) -> Formula:
        return m.all([*(m.parameter(name, above=0, below=1) < 1 for name in ("tau1", "tau2")), formula])

    return claim(body, assume=said.assumptions, name="random"), size


def random_mixture(rng: random.Random) -> tuple[Claim, EverySize]:
    """Return a claim that mixes amounts, of which a few are true."""
    seed, k, base = rng.random(), rng.choice((2, 2, 3, None)), rng.choice((None, None, 2, 3))
    prior = Fraction(rng.randint(1, 9), 10) if k == 2 and rng.random() < 0.4 else None

    def number(m: Model) -> Term:
        S = [name for name in m.order if rng.random() < 0.6]
        informations = [lambda S: m.conditional_entropy(S, base=base), lambda S: m.mutual_information(S, base=base)]
        made: Term = rng.choice([m.risk, m.risk, m.gini, *informations])(S)
        return made if base or rng.random() < 0.8 else m.log(rng.choice((2, 3))) * m.risk(S)

    def compared(m: Model) -> Formula:
        parts = [number(m) * rng.choice((1, 1, 2, -1)) for _ in range(rng.choice((1, 2)))]
        parts += [m.probability(y=1)] * (k == 2 and rng.random() < 0.2)
        ends = [m.sum([0]), m.sum([Fraction(rng.randint(1, 9), 10)]), number(m), *[m.log(2)] * (not base)]
        end = rng.choice(ends)
        return m.sum(parts) <= end if rng.random() < 0.6 else m.sum(parts) >= end

    def body(m: Model) -> Formula:
        rng.seed(seed)
        shown = m.any(compared(m) for _ in range(rng.choice((1, 2))))
        if prior:
            return m.implies(m.probability(y=1) == prior, shown)
        return m.implies(compared(m), shown) if rng.random() < 0.5 else shown

    return claim(body, name="random"), EverySize(2, k)


@cache
def decided(kind: str, seed: int) -> Any:
    """Decide a random claim, and compare the verdict with what is true; None if the claim is not linear."""
    rng = random.Random(seed)
    said, size = {"t": random_free, "M": random_mixture}.get(kind, lambda rng: random_claim(rng, kind))(rng)
    try:
        verdict = decide(said, size.number, size.classes, time_limit=20)
    except NotLinearError:
        return None
    if kind == "M":
        assert not isinstance(verdict, Proved) or holds_at_random(verdict.certificate, seed)
        return verdict
    true = is_theorem(as_content(said, size), kind if kind in CRITERIA else "R")
    assert isinstance(verdict, Proved) == true, (seed, verdict)
    assert isinstance(verdict, Refuted) or true or kind in CRITERIA
    if kind == "R" and true and size.number == 2:
        assert prove(said, cardinalities=(2, 2), classes=size.classes or 2)
    return verdict


DAILY = {"R": range(7, 17), "t": range(7, 15), **dict.fromkeys(CRITERIA, range(12)), "M": range(12)}
"""The seeds of risks, of risks with parameters, of each other criterion and of mixtures."""


MORE = [
    pytest.param(kind, range(seeds.stop, 2 * seeds.stop), marks=pytest.mark.thorough) for kind, seeds in DAILY.items()
]


@pytest.mark.one_in(4)
@pytest.mark.parametrize(("kind", "seeds"), [*DAILY.items(), *MORE])
def test_random_claims_are_proved_only_if_they_are_true(kind: str, seeds: range) -> None:
    """And exactly then but for mixtures; what is false of another criterion may also stay undecided."""
    found = Counter(getattr(decided(kind, seed), "status", "refused") for seed in seeds)
    assert min(found["proved"], found["refuted"]) >= 2, found
    assert found["undecided"] <= len(seeds) / 3


LEDGER: dict[str, list[tuple[str, int, int | None]]] = {
    "R": [("PN-3", 2, None), ("PN-3a", 2, 2), ("PN-6", 2, 3), ("PN-5", 2, None), ("PN-M", 2, 2)],
    "M": [("HR-1", 1, None), ("FA-1", 1, 3), ("TD-1", 1, 3)],
}


@claim
def chord(m: Model) -> Formula:
    """A lower bound of an entropy by a chord, for each of several priors."""
    fixed = [
        m.implies(m.probability(y=1) == p, m.entropy(m.target) >= h) for p, h in (("1/10", "8/25"), ("1/3", "3/5"))
    ]
    return m.all(fixed)


@cache
def certificates(kind: str) -> list[Content]:
    """Return certificates of proofs."""
    if kind == "I":
        some = [(claim_of(text), 3) for text in (*list(STATEMENTS)[8:14], NOT_SHANNON[0])]
        found = [proved(*one) for one in (*some, (irrelevant_in_naive_bayes, 2), (sure, 2))]
    else:
        found = [proved(claims[key].stated(), n, k) for key, n, k in LEDGER.get(kind, [])]
        found += [proved(chord, 1, 2)] * 3 * (kind == "M")
        found += [one for seed in DAILY[kind] if isinstance(one := decided(kind, seed), Proved)]
    return [dict(one.certificate) for one in found if one.certificate["show"]]


def is_true(kind: str, content: Content) -> bool:
    if kind == "I":
        return is_information_theorem(content)
    if kind != "M":
        return is_theorem(content, kind if kind in CRITERIA else "R")
    has_parameters = any(node[0] == "t" for formula in formulas(content) for node in walk(formula))
    return has_parameters or holds_at_random(content)


@pytest.mark.rotated(16)
@pytest.mark.one_in(4)
@pytest.mark.parametrize("kind", [*DAILY, "I"])
@pytest.mark.parametrize("count", [60, pytest.param(1000, marks=pytest.mark.thorough)])
def test_a_changed_certificate_is_rejected_unless_what_it_states_is_true_all_the_same(kind: str, count: int) -> None:
    accepted = list(accepted_changes(certificates(kind), count))
    assert all(is_true(kind, content) for content in accepted)
    assert len(accepted) < count / 2


@pytest.mark.rotated(2)
@pytest.mark.parametrize("count", [10, pytest.param(200, marks=pytest.mark.thorough)])
def test_a_claim_with_parameters_holds_at_a_distribution_if_it_is_true_for_all_values(count: int) -> None:
    """A refutation names values; what holds is true for many values, one by one."""
    found = Counter[str]()
    for seed in range(count):
        said, size = random_free(rng := random.Random(seed))
        said, shape = said.without(*said.assumptions), Shape((2,) * size.number, size.classes or 2)
        d = shape.distribution([1, *rng.choices((0, 0, 1, 2, 5), k=shape.cells - 1)])
        verdict, (formula,) = said.check(d), said.statement(shape).shown
        found[verdict.status] += 1
        if isinstance(verdict, Refuted):
            values = {name: Fraction(value) for name, value in verdict.where}
            assert verify_certificate(verdict.certificate, said)
            assert all(0 < value < 1 for value in values.values())
            assert not Evaluation(d, values.items()).truth(formula)
        else:
            tried = product([Fraction(i, 12) for i in range(1, 12)], repeat=2)
            assert all(Evaluation(d, zip(("tau1", "tau2"), each, strict=True)).truth(formula) for each in tried)
    assert min(found["holds"], found["refuted"]) > 0
