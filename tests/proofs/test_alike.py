"""Claims that add up risks, impurities and entropies of three classes, or of any number of them."""

import functools
import itertools
import random
from collections import Counter
from typing import Any

import numpy as np
import pytest

from fstheory.checker.every_size import EverySizeSpace
from fstheory.errors import CertificateError
from fstheory.logic import claim
from fstheory.logic.verdict import Proved, Refuted
from fstheory.proofs import refutation
from fstheory.proofs.extremum import supremum
from tests.logic.mutants import accepted_changes
from tests.proofs.every_size import decide, holds_at_random
from tests.proofs.test_envelopes import TRUE as OF_TWO, S, Said, T, least, random_claim

OF_ANY = "Gini <= H", "69/50 Gini <= H", "2 Gini <= H in bits", "fall of Gini <= information", "siblings"
TRUE: dict[str, Said] = {name: OF_TWO[name] for name in OF_ANY}
TRUE |= {
    "H - Gini falls": lambda m: m.conditional_entropy(S) - m.gini(S) >= m.conditional_entropy(T) - m.gini(T),
    "H + R >= 2 Gini": lambda m: m.conditional_entropy(S) + m.risk(S) >= 2 * m.gini(S),
    "H >= R / 2 + Gini / 2": lambda m: 2 * m.conditional_entropy(S) >= m.risk(S) + m.gini(S),
    "Gini bounds the information": lambda m: m.implies(
        m.gini(()) - m.gini(S) >= "1/4", m.mutual_information(S) >= "1/4"
    ),
}
OF_THREE: dict[str, Said] = {
    "at most so much entropy": lambda m: m.conditional_entropy(S) <= m.log(3) * m.gini(S) * "3/2" + "1/4",
    "least at equal classes": lambda m: m.conditional_entropy(S) <= m.gini(S) + m.log(3) - "2/3",
    "least between": lambda m: m.conditional_entropy(S) <= m.gini(S) * "3/2" + "1/5",
}
FALSE: dict[str, Said] = {
    "H - 69/50 Gini falls": lambda m: (
        m.conditional_entropy(S) - m.gini(S) * "69/50" >= m.conditional_entropy(T) - m.gini(T) * "69/50"
    ),
    "fall of risk <= fall of Gini": lambda m: m.risk(()) - m.risk(S) <= m.gini(()) - m.gini(S),
    "7/5 Gini <= H": lambda m: m.gini(S) * "7/5" <= m.conditional_entropy(S),
    "H + R >= 3 Gini": lambda m: m.conditional_entropy(S) + m.risk(S) >= 3 * m.gini(S),
}
OF_MANY: dict[str, Said] = {  # false if there are many classes
    **OF_THREE,
    "Gini <= R + 1/6": lambda m: m.gini(S) <= m.risk(S) + "1/6",
}

IF: dict[str, Said] = {  # the fact is found at the values where the claim does not follow
    "enough entropy": lambda m: m.implies(m.gini(S) >= "1/4", m.conditional_entropy(S) >= "1/3"),
    "certain": lambda m: m.iff(m.gini(S) == 0, m.conditional_entropy(S) == 0),
}
IF_FEW: dict[str, Said] = {  # true of three classes
    "little entropy": lambda m: m.implies(m.gini(S) <= "1/4", m.conditional_entropy(S) <= "2/3"),
}


@pytest.mark.one_in(4)
@pytest.mark.parametrize("name", TRUE)
@pytest.mark.parametrize("classes", [3, None])
def test_true_claims_are_proved(name: str, classes: int | None) -> None:
    verdict = decide(claim(TRUE[name], name=name), 2, classes)
    assert isinstance(verdict, Proved), verdict
    assert "equally likely" in verdict.evidence or "concave difference" in verdict.evidence


@pytest.mark.one_in(3)
@pytest.mark.parametrize(("name", "classes"), [*itertools.product(IF, (2, 3, None)), *itertools.product(IF_FEW, (3,))])
def test_true_implications_are_proved(name: str, classes: int | None) -> None:
    assert isinstance(decide(claim((IF | IF_FEW)[name], name=name), 1, classes), Proved)


@pytest.mark.parametrize("name", OF_THREE)
def test_claims_of_three_classes_are_proved(name: str) -> None:
    assert isinstance(decide(claim(OF_THREE[name], name=name), 1, 3), Proved)


@pytest.mark.one_in(4)
@pytest.mark.parametrize(
    ("name", "classes"), [*itertools.product(FALSE, (3, None)), *itertools.product(OF_MANY, [None])]
)
def test_false_claims_are_refuted(name: str, classes: int | None) -> None:
    verdict = decide(claim((FALSE | OF_MANY)[name], name=name), 2, classes)
    assert isinstance(verdict, Refuted), verdict


@pytest.mark.parametrize(
    ("features", "sizes", "said"),
    [
        (1, [1, 5, 5], lambda m: m.gini(()) * m.risk(()) <= "9/16"),
        (1, [1, 101, 101], lambda m: m.gini(()) <= "99/100"),
        (1, [1, 129, 129], lambda m: m.conditional_entropy((), base=2) <= 7),
        (1, [5, 5, 5], lambda m: m.mutual_information("X1", base=2) <= 2),  # the feature tells the class
        (1, [2, 7, 7], lambda m: m.implies(m.risk("X1") < m.risk(()), m.conditional_entropy("X1", base=2) <= 2)),
        (2, [3, 3, 3, 9], lambda m: m.gini("X1") + m.gini("X2") - m.gini() <= "5/4"),  # the class is a sum
    ],
)
def test_equally_likely_classes_are_as_few_as_possible(features: int, sizes: list[int], said: Said) -> None:
    found = decide(claim(said, name="equal"), features)
    assert isinstance(found, Refuted), found
    assert [*found.distribution.weights.shape, found.distribution.total] == sizes


def test_equal_classes_are_tried_before_values_near_1_are_constructed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Those of this claim need 4,439 classes."""
    monkeypatch.setattr(refutation, "constructions", None)
    found = decide(claim(lambda m: m.gini("X1") * m.risk(()) <= "9/16", name="near"), 1)
    assert isinstance(found, Refuted)
    assert found.distribution.weights.shape == (1, 5)


@pytest.mark.parametrize("classes", [3, 4])
def test_counterexamples_may_need_all_classes(classes: int) -> None:
    """H is log k if all classes are equally likely, and then the sum is above its largest value for fewer classes."""
    found = decide(
        claim(lambda m: m.conditional_entropy(S) <= m.log(classes - 1) + m.gini(S) / 9, name="all"), 1, classes
    )
    assert isinstance(found, Refuted), found


@pytest.mark.thorough
def test_the_largest_difference_of_three_classes_has_close_ends() -> None:
    found = supremum(lambda m: m.conditional_entropy(S) - m.gini(S), features=1, classes=3)
    assert abs(float(found.upper or 0) - np.log(3) + 2 / 3) < 2e-6


@pytest.mark.thorough
@pytest.mark.parametrize("seed", range(8))
def test_random_claims_of_three_classes_get_no_false_verdict(seed: int) -> None:
    rng, seen = random.Random(seed), Counter[str]()
    for _ in range(20):
        said, terms, constant = random_claim(rng, k=3)
        verdict = decide(claim(said, name="random"), 2, 3, time_limit=3)
        seen[verdict.status] += 1
        assert not (verdict.status == "proved" and least(terms, seed, 3) + float(constant) < -1e-9), (terms, constant)
    assert seen["undecided"] < 15, seen


@functools.cache
def proofs() -> list[dict[str, Any]]:
    """Return proofs of small certificates, so that a random change often meets a fact of this kind."""
    said_of_three = TRUE | OF_THREE | IF | IF_FEW
    of_three = (decide(claim(said, name=name), 2, 3).certificate for name, said in said_of_three.items())
    return [*map(dict, of_three), dict(decide(claim(TRUE["H + R >= 2 Gini"], name="any"), 1).certificate)]


@pytest.mark.thorough(16)
@pytest.mark.parametrize("seed", range(8))
def test_a_changed_certificate_proves_nothing_false(seed: int) -> None:
    for content in accepted_changes(proofs(), 250, seed):
        assert holds_at_random(content), content


HALVES, NONE, MINUS_LOG_4 = ("1/2", "1"), "0", (("-2", 2),)
FINE = ("1/4", "1/2", "3/4", "7/8", "1")


@pytest.mark.parametrize(
    ("classes", "reference", "accepted"),
    [
        (3, (NONE, "-1", "1", NONE, (HALVES, HALVES)), True),  # G is at most H
        (3, (NONE, "-1", "1", "1/1000000", (HALVES, HALVES)), False),  # the constant is too large
        (3, (NONE, "-1", "1", NONE, (HALVES,)), False),  # no cover for two classes that are alike
        (3, (NONE, "-1", "1", NONE, (HALVES, ("1/2",))), False),  # the second cover ends too early
        (3, (NONE, "-1", "1", NONE, (HALVES, ())), False),  # the second cover is empty
        (3, (NONE, "-1", "1", NONE, (HALVES, ("1/2", "1/4", "1"))), False),  # its ends do not grow
        (3, (NONE, "-7/5", "1", NONE, (FINE, FINE)), False),  # false for two equally likely classes
        (3, (NONE, NONE, "1", NONE, ()), False),  # no cover
        (3, ("2", "-1", NONE, NONE, (HALVES, ("2/3", "1"))), True),  # G is at most 2 R
        (3, ("2", "-1", NONE, NONE, (HALVES, HALVES)), False),  # a kink at 2/3, inside an interval
        (3, ("-1", "2", "-1", "-2", (FINE, FINE)), False),  # R and H are below 0, and the sum is not convex
        (3, ("-1", "1", "-1", "-2", (HALVES, ("1/2", "2/3", "1"))), True),
        (None, (NONE, "-1", "1", NONE, (HALVES, HALVES)), True),
        (None, (NONE, "-1", "1", NONE, (HALVES,)), False),  # log 2 is below 1
        (None, ("-1", NONE, "1", "-1/2", (HALVES,)), True),
        (None, ("-1", NONE, "1", "-1/4", (HALVES,)), False),  # log 2 - 1 is below -1/4
        (None, (NONE, "1", "-1", "-1/2", (HALVES, ("1/2", "2/3", "1"))), False),  # the entropy is not bounded
        (None, (NONE, "1", NONE, NONE, (HALVES, HALVES)), False),  # without H no number of classes is known to do
        (None, (NONE, "-4", "1", "-4", (HALVES, HALVES)), False),  # eight classes may be alike
    ],
)
def test_what_the_covers_show(classes: int | None, reference: Any, accepted: bool) -> None:
    """Each refused fact has one fault, and a checker that does not look at it accepts something false or unproved."""
    space = EverySizeSpace({"features": 1, "classes": classes}, ())
    if accepted:
        assert space.fact(("together", 1, *reference), "a fact")[0] == ">="
    else:
        with pytest.raises(CertificateError, match="with ends e that show it"):
            space.fact(("together", 1, *reference), "a fact")


def test_a_fact_with_too_many_lists_is_refused() -> None:
    with pytest.raises(CertificateError, match="at most 100 lists of ends"):
        EverySizeSpace({"features": 1, "classes": None}, ()).fact(
            ("together", 1, "0", "0", "1", "0", (HALVES,) * 101), "it"
        )
