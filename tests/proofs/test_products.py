"""Products of two or three unknowns in claims for every number of states, by products of facts."""

import random
from collections import Counter
from contextlib import nullcontext, suppress
from fractions import Fraction
from functools import cache
from typing import Any

import pytest

from fstheory.checker.cases import Cases
from fstheory.checker.every_size import EverySizeSpace
from fstheory.checker.kinds import FACTS
from fstheory.checker.numbers import Number, add, compare, multiply
from fstheory.checker.statement import ONE
from fstheory.coq.theorem import coq_theorem
from fstheory.errors import CertificateError
from fstheory.logic.claims import Claim, claim
from fstheory.proofs.every_size.unknowns import EverySizeUnknowns
from tests.checker.kinds import draw, of_every_size
from tests.logic.building import Content
from tests.logic.mutants import accepted_changes
from tests.proofs.every_size import decide, drawn, holds_at_random
from tests.proofs.test_facts import NONE, ORDER, values


def eta(m: Any, most: str = "1/2") -> Any:
    return m.parameter("eta", above=0, below=most)


def distance(m: Any, a: str, b: str) -> Any:
    return 1 - m.info(f"I({a}; {b})") / m.info(f"H({a}, {b})")


def wrong_labels(m: Any, S: Any, T: Any, *, most: str = "1/2") -> Any:
    return m.iff(m.risk(S, noise=eta(m, most)) <= m.risk(T, noise=eta(m, most)), m.risk(S) <= m.risk(T))


def I(m: Any, S: Any) -> Any:  # noqa: E743 (an information)
    return m.mutual_information(S)


def H(m: Any, i: str) -> Any:
    return m.entropy(i)


CLAIMS: dict[str, tuple[Any, str, int, int | None]] = {
    "wrong labels": (wrong_labels, "proved", 1, 2),
    "of three classes": (lambda m, S, T: wrong_labels(m, S, T, most="2/3"), "proved", 1, 3),
    "a risk with noise": (lambda m, S: m.risk(S, noise=eta(m)) <= "2/5", "refuted", 1, 2),
    "two risks": (lambda m: m.risk("X1") * m.risk("X2") <= m.risk(()) ** 2, "proved", 2, None),
    "three risks": (lambda m, S: m.risk(S) ** 3 <= m.risk(()) ** 3, "proved", 1, None),
    "not less": (lambda m, S, T: m.risk(S) * m.risk(T) < m.risk(()), "refuted", 1, None),
    "information": (lambda m, i: I(m, i) ** 2 <= H(m, i) * H(m, m.target), "proved", 1, None),
    "its square": (lambda m, i: I(m, i) ** 2 < H(m, i) * H(m, m.target), "refuted", 1, None),
    "gain ratio": (lambda m, i, j: m.implies((I(m, i) <= I(m, j)) & (H(m, i) >= H(m, j)),
                                             I(m, i) / H(m, i) <= I(m, j) / H(m, j)), "proved", 2, None),
    "its order": (lambda m, i, j: m.implies(I(m, i) <= I(m, j), I(m, i) / H(m, i) <= I(m, j) / H(m, j)),
                  "refuted", 2, None),
    "two squares": (lambda m: 2 * H(m, "X1") * H(m, "X2") <= H(m, "X1") ** 2 + H(m, "X2") ** 2, "proved", 2, None),
    "too large": (lambda m: 3 * H(m, "X1") * H(m, "X2") <= H(m, "X1") ** 2 + H(m, "X2") ** 2, "refuted", 2, None),
    "a minimum": (lambda m: m.minimum(s := [H(m, "X1"), H(m, "X2")]) ** 2 <= s[0] * s[1], "proved", 2, None),
    "both ends": (lambda m: m.maximum(s := [m.risk(), m.risk(())]) * m.minimum(s) == s[0] * s[1], "proved", 1, None),
    "noise twice": (lambda m: eta(m) * (1 - eta(m)) <= "1/4", "proved", 1, None),
    "in bits": (lambda m: m.info("H(Y)", base=2) >= m.info("H(Y)", base=3), "proved", 1, None),
    "logarithms": (lambda m: m.log(2) * m.log(3) > "0.7615", "proved", 1, None),
    "of three kinds": (lambda m: m.gini() * m.risk() * I(m, "X1") <= I(m, "X1"), "proved", 1, None),
    "areas": (lambda m, S: m.implies(m.risk(()) > 0, m.auc(S) <= 1 - m.balanced(S) ** 2 / 2), "proved", 1, 2),
    "areas of one class": (lambda m, S: m.auc(S) <= 1 - m.balanced(S) ** 2 / 2, "refuted", 1, 2),
    "squared bits": (lambda m, S: m.conditional_entropy(S, base=2) ** 2 <= 4 * m.risk(S), "proved", 1, 2),
    "bits and Gini": (lambda m, S: m.conditional_entropy(S, base=2) ** 2 <= 2 * m.gini(S), "proved", 1, 2),
    "of three": (lambda m, S: m.conditional_entropy(S, base=2) ** 2 <= 2 * m.gini(S), "refuted", 1, 3),
    "gain ratio in bits": (lambda m, i: I(m, i) / m.log(2) / m.info(f"H({i})", base=2) <= 1, "proved", 1, None),
    "two bases": (lambda m, i: I(m, i) / m.log(2) / m.info(f"H({i})", base=10) <= 3, "refuted", 1, None),
    "risk and bits": (lambda m, S: m.risk(S) / m.conditional_entropy(S, base=2) <= "1/2", "proved", 1, None),
}  # fmt: skip


def named(name: str) -> Claim:
    return claim(CLAIMS[name][0], name=name)


@cache
def decided(name: str) -> Any:
    _, _, features, classes = CLAIMS[name]
    return decide(named(name), features, classes)


@pytest.mark.one_in(4)
@pytest.mark.parametrize("name", CLAIMS)
def test_the_verdict_is_right(name: str) -> None:
    assert decided(name).status == CLAIMS[name][1]


def test_constraints_are_multiplied_only_if_the_facts_are_too_few(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(EverySizeUnknowns, "_product", None)  # which cannot be called
    said, status, features, classes = CLAIMS["squared bits"]
    assert decide(claim(said), features, classes).status == status


def test_a_proof_has_products_of_facts() -> None:
    proof = str(decided("wrong labels").proof)
    assert "Let (1) eta < 1/2.\n  Case (2) R({X1}) < R({}).\n" in proof
    assert "= 2 (1/2 - eta) (R({}) - R({X1})) > 0, by (1) and (2)." in proof
    assert "R({})^3 - R({X1})^3\n    = 3 (R({}) - R({X1})) R({X1})^2" in str(decided("three risks").proof)
    assert "- 2 H(X1) H(X2) = (H(X2) - H(X1))^2 >= 0." in str(decided("two squares").proof)
    assert "eta^2 + 1/4 - eta = (1/2 - eta)^2 >= 0" in str(decided("noise twice").proof)
    assert "R({})^2 - R({X1}) R({X2})" in str(decided("two risks").proof)
    assert "by products of facts" in str(decided("wrong labels"))
    assert "multiply a [(Gt, " in coq_theorem(decided("wrong labels").certificate)


@pytest.mark.thorough(2)
def test_the_distance_of_rajski_is_a_metric() -> None:
    triangle = claim(
        lambda m: distance(m, "X1", "Y") <= distance(m, "X1", "X2") + distance(m, "X2", "Y"), name="triangle"
    )
    assert decide(triangle, 2).status == "proved"


SQUARES = [("corner", "square", s) for s in (0, 1)] + [("bits", s, flag) for s in (0, 1) for flag in (False, True)]


@pytest.mark.one_in(3)
@pytest.mark.parametrize("seed", range(3))
def test_products_of_facts_and_squares_are_true_at_random_distributions(seed: int) -> None:
    rng, used = random.Random(seed), Counter[int]()
    for _ in range(40):
        n, k = rng.choice((1, 2)), rng.choice((2, 2, 3))
        cases = Cases(space := EverySizeSpace({"features": n, "classes": k}, ()), ())
        at = values(drawn(rng, n, k), space)

        def value(form: Any, cases: Cases = cases, at: Any = at) -> Number:
            total: Number = NONE
            for unknown, c in form.items():
                part: Number = Fraction(c)
                for factor in cases.factors(unknown):
                    part = multiply(part, at[factor])
                total = add(total, part)
            return total

        for _ in range(8):
            parts = tuple(draw(rng.choice([*of_every_size(FACTS)]), rng, n) for _ in range(rng.choice((2, 2, 3))))
            with suppress(CertificateError):
                relation, form = cases.fact(("product", parts), (), "a fact")
                found = [cases.fact(part, (), "a fact") for part in parts]
                product: Number = Fraction(1)
                for _, factor in found:
                    product = multiply(product, value(factor))
                assert compare(value(form), product) == 0
                assert ORDER[relation](compare(value(form), NONE)), parts
                used[len(parts)] += 1
        for one in SQUARES:
            with pytest.raises(CertificateError, match="with k = 2") if k == 3 else nullcontext():
                relation, form = cases.fact(one, (), "a fact")
                assert ORDER[relation](compare(value(form), NONE)), one
        R, H, G = (rng.choice([("R", ()), ("R", (0,)), ("H", (0,), True), ("G", (0,))]) for _ in range(3))
        term = "+", R, ("*", ("q", str(rng.randint(-3, 3))), H), ("*", ("q", "-1/2"), G)
        relation, form = cases.fact(("squared", term), (), "a fact")
        assert ORDER[relation](compare(value(form), NONE))
    assert min(used[2], used[3]) > 3


def test_a_product_has_one_unknown_in_whatever_order() -> None:
    cases = Cases(EverySizeSpace({"features": 2, "classes": 2}, ()), ())
    R, H, log = ("R", (0,)), ("H", (0,), True), ("log", ("q", Fraction(2)))
    for a, b, c in ((R, H, log), (R, R, log), (R, R, R), (("t", "a"), R, log), (("t", "a"), ("G", (1,)), H)):
        forms = [cases.form(("*", x, ("*", y, z))) for x, y, z in ((a, b, c), (c, a, b), (b, c, a), (c, b, a))]
        assert [*forms[0].values()] == [1]
        assert forms == [forms[0]] * 4
        assert cases.form(("*", ("*", a, b), c)) == forms[0]
        assert sorted(cases.factors(*forms[0])) == sorted(u for one in (a, b, c) for u in cases.form(one))
    assert cases.factors(ONE) == ()
    with pytest.raises(CertificateError, match="a product of at most 3 unknowns"):
        cases.form(("*", ("*", R, R), ("*", R, H)))


@cache
def proofs() -> list[Content]:
    return [dict(decided(name).certificate) for name, (_, status, *_) in CLAIMS.items() if status == "proved"]


@pytest.mark.one_in(8)
@pytest.mark.parametrize("seed", range(8))
def test_a_changed_certificate_proves_nothing_false(seed: int) -> None:
    def valued(part: Any, number: str) -> Any:
        if isinstance(part, list):
            return ["q", number] if part[:1] == ["t"] else [valued(one, number) for one in part]
        return {key: valued(one, number) for key, one in part.items()} if isinstance(part, dict) else part

    for content in accepted_changes(proofs(), 60, seed):
        for number in ("1/5", "3/5", "-1", "0", "2"):
            assert holds_at_random({**content, "show": valued(content["show"], number)}), content
