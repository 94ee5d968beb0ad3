"""Claims for every number of states whose truth is known: on risks, criteria, informations, logarithms and priors."""

import itertools
import re
from typing import Any

import pytest

from fstheory import claims
from fstheory.errors import ClaimError, NotLinearError
from fstheory.logic.claims import Claim, claim, positive
from fstheory.logic.expressions import Formula
from fstheory.logic.language import Model
from fstheory.proofs.prover import prove
from fstheory.proofs.refutation import refute
from tests.house import source
from tests.proofs.every_size import decide, proved

TENTH = 'P(1) == "1/10"'
PAIR = 'R("X1") == "3/10", info("H(Y|X1)") <= "509/1000", R() <= "17/100"'
IMPURE = 'm.all([R("X1") == "1/4", G("X1") <= "1/4", R() <= "1/8"])'
IRRATIONAL = "it is false only at an irrational value of a parameter"
SAME = 'info("I(Y; X1, X2)") == info("I(Y; X1)")'

#: Each claim with its verdict, the number of features and of classes, and what its proof mentions.
SAID: list[tuple[str, str, int, int | None, str]] = [
    # Fano to six digits of his logarithms; Pinsker: R(S) - R(T) is at most sqrt(I(Y; T | S) / 2); Tebbe and Dwyer
    ('implies(R() <= "1/10", m.conditional_entropy("X1") <= "0.32509")', "proved", 1, 2, "by Fano"),
    ('implies(R() <= "1/10", m.conditional_entropy("X1") <= "0.325")', "refuted", 1, 2, ""),
    ('implies(m.conditional_entropy("X1") >= 1, R() >= "0.4499")', "proved", 1, 3, "by Fano"),
    ('implies(m.conditional_entropy("X1") >= 1, R() >= "0.46")', "refuted", 1, 3, ""),
    ('m.conditional_entropy("X1") <= "1.098613"', "proved", 1, 3, ""),
    ('m.conditional_entropy("X1") <= "1.098612"', "refuted", 1, 3, ""),
    ('implies(R() >= "3/5", m.conditional_entropy("X1") >= "0.9364")', "proved", 1, None, "Tebbe and Dwyer"),
    ('implies(R() >= "3/5", m.conditional_entropy("X1") >= "0.9365")', "refuted", 1, None, ""),
    ('implies(m.mutual_information("X1") <= "1/50", R(()) - R() <= "0.1")', "proved", 1, None, "by Pinsker"),
    ('implies(m.mutual_information("X1") <= "1/50", R(()) - R() <= "0.07")', "refuted", 1, None, ""),
    ('implies(R(()) - R() >= "0.3", m.mutual_information("X1") >= "9/50")', "proved", 1, None, "by Pinsker"),
    ('implies(R(()) - R() >= "0.25", m.mutual_information("X1") >= "9/50")', "refuted", 1, None, ""),
    # Hellman and Raviv: a risk is at most 1/(2 log 2) = 0.72134.. of the entropy in nats, which a fair coin reaches
    ('R(()) <= info("H(Y)") * "0.7214"', "proved", 1, None, "by the bounds of Tebbe and Dwyer"),
    ('R() <= m.conditional_entropy("X1") * "0.7213"', "refuted", 1, None, ""),
    ('R("X1") <= info("H(Y|X1)", base=2) / 2', "proved", 2, None, "log("),
    ('R("X1") <= m.conditional_entropy("X1", base=2) * "2/5"', "refuted", 2, 2, ""),
    # a single posterior says more than their mixtures: H(Y) is at least that of a coin of R({}), above all lines
    ('implies(m.entropy((), target=True) <= "1/2", R(()) <= "1/5")', "proved", 1, 2, ""),
    ('implies(m.entropy((), target=True) <= "1/2", R(()) <= "1/5")', "undecided", 1, 3, "nor from the bounds of"),
    # a fraction is no logarithm
    ('implies(info("I(Y;X1)") == R(()), R(()) <= "1/1000")', "undecided", 1, 2, "the other 0 or irrational"),
    # logarithms and bases
    ('implies(info("H(Y|X1)") < m.log(2), R("X1") < "1/2")', "proved", 2, None, "log("),
    ('implies(R("X2") <= R("X1"), 2 * m.log(2) * R("X2") <= info("H(Y|X1)"))', "proved", 2, None, ""),
    ('3 * m.log(2) * R("X1") <= info("H(Y|X1)")', "refuted", 2, None, ""),
    ('info("I(Y; X1, X2)") <= m.log(3)', "proved", 2, 3, "log("),
    ('info("I(Y; X1, X2)") <= m.log("5/2")', "refuted", 2, 3, ""),
    ("m.maximum([m.entropy(m.target, base=2), R(())]) <= 1", "proved", 2, 2, ""),
    ('implies(info("I(Y;X1)", base=2) <= "1/2", R("X1") >= "1/10")', "refuted", 2, 2, ""),
    ('implies(info("H(Y|X1)", base=2) >= "1/2", R("X1") >= "1/10")', "proved", 2, 2, ""),
    ('info("I(Y;X1)", base=101) <= m.feature_information(m.target, m.features, base=101)', "proved", 2, None, ""),
    # both ends of a pair of subsets
    ('implies((R("X1") == "2/5") & (R() <= "1/10"), info("I(Y;X2|X1)") >= "63/250")', "proved", 2, None, ""),
    ('implies((R("X1") == "3/5") & (R() <= "1/10"), info("I(Y;X2|X1)") >= "53/100")', "proved", 2, None, ""),
    (f'implies(m.all([{PAIR}]), info("H(Y|X1,X2)") <= "439/1000")', "proved", 2, 2, ""),
    ('G() + R() <= G("X1") + R("X1")', "proved", 2, None, ""),
    # risk and impurity
    ('(R("X1") <= G("X1")) & (G("X1") <= 2 * R("X1"))', "proved", 2, 2, ""),
    ('implies((R("X1") == "1/4") & (R() <= "1/8"), G("X1") - G() >= "1/16")', "proved", 2, 2, ""),
    (f'm.iff(G() == G("X1"), {SAME}) & implies({SAME}, R() == R("X1"))', "proved", 2, 2, ""),
    (f'implies({IMPURE}, G() <= "19/100")', "proved", 2, 2, ""),
    (f'implies({IMPURE}, G() <= "18/100")', "refuted", 2, 2, ""),
    ('G(()) <= "18/20"', "refuted", 1, None, ""),
    ('G(()) <= 1 - m.sum(["1/1000000000000"])', "undecided", 1, None, ""),
    ('m.balanced("X1") <= m.balanced(())', "proved", 1, 3, ""),
    ('implies(m.balanced("X1") == 0, G() == 0)', "undecided", 1, 2, "from the facts on these criteria"),
    # the gains of independent features add up
    ('implies(info("I(X1; X2)") == 0, G(()) + G() <= G("X1") + G("X2"))', "proved", 2, None, "orthogonal"),
    ('implies(info("I(X1; X2)") == 0, G(()) + G() >= G("X1") + G("X2"))', "refuted", 2, 2, ""),
    ('implies(info("I(X1; X2 | X3)") == 0, V("13") + V("23") <= V("123") + V("3"))', "proved", 3, None, ""),
    # the probability of one of two classes
    ("R(()) == m.minimum([P(0), P(1)])", "proved", 1, 2, ""),
    (f'implies({TENTH}, R("X1") <= "1/10")', "proved", 1, 2, ""),
    ('implies(P(1) == "9/10", R("X1") <= "1/20")', "refuted", 1, 2, ""),
    ('P(1) <= "1/2"', "refuted", 1, 2, ""),  # by a distribution whose second class is the usual one
    ("P(0) + P(1) == m.probability()", "proved", 1, 2, ""),
    (f'implies({TENTH}, m.entropy(m.target) >= "325/1000")', "proved", 1, 2, ""),
    (f'implies({TENTH}, m.entropy(m.target) >= "326/1000")', "refuted", 1, 2, ""),
    ('implies((P(1) >= "1/10") & (P(1) <= "3/4"), info("H(Y)") >= "8/25")', "proved", 1, 2, ""),
    (f'implies(({TENTH}) & (info("I(Y;X1)", base=2) <= "1/10"), R("X1") >= "1/20")', "proved", 1, 2, ""),
    (f'implies({TENTH}, G("X1") <= "9/50")', "proved", 1, 2, ""),
    ('implies(P(1) == m.parameter("tau", above=0, below="1/2"), R() <= "1/4")', "refuted", 1, 2, ""),
    # parameters beside informations: what is false only at an irrational value is left open
    ('implies(info("I(Y;X1,X2)") <= T(1), info("I(Y;X1)") <= T(1))', "proved", 2, None, ""),
    ('implies(info("I(Y;X1)") <= T(1), info("I(Y;X1,X2)") <= T(1))', "refuted", 2, None, ""),
    ('info("I(Y;X1)") != T(1)', "undecided", 1, None, f"{IRRATIONAL}, as at tau1 = "),
    ('implies(info("I(Y;X1,X2)") == T(1), T(1) <= "1/2")', "undecided", 2, None, f"{IRRATIONAL}, as at tau1 = "),
    ('implies(info("H(Y)") < T(1), info("H(Y)") == T(1))', "refuted", 1, None, ""),  # also where the entropy is 0
    ('info("H(Y)") <= T(1) + T(2)', "undecided", 1, None, "with two parameters in a claim must be rational"),
    # one class is certain
    ('m.independent("X1", m.target) & (m.conditional_entropy("X1") == R())', "proved", 1, 1, ""),
    ('m.independent("X1", m.target) & (m.conditional_entropy("X1") == R())', "refuted", 1, 2, ""),
]  # fmt: skip


BEYOND_A_SHAPE = ("entropy", "info", "G(", "parameter")


def said(text: str, **options: Any) -> Claim:
    """Return a claim from its text: R is risk, G impurity, V explained variance, P a prior, T a parameter."""

    def body(m: Model) -> Formula:
        words: dict[str, Any] = {"R": m.risk, "G": m.gini, "info": m.info, "implies": m.implies}
        words["P"] = lambda y: m.probability(y=y)
        words["V"] = lambda digits: m.explained({f"X{i}" for i in digits})
        words["T"] = lambda i: m.parameter(f"tau{i}", above=0, below=1)
        made: Formula = eval(text, {"m": m, **words})
        return made

    return claim(body, name="said", **options)


@pytest.mark.one_in(8)
@pytest.mark.parametrize(("text", "status", "features", "classes", "words"), SAID)
def test_the_verdict_is_right(text: str, status: str, features: int, classes: int | None, words: str) -> None:
    verdict = decide(said(text), features, classes)
    assert verdict.status == status
    assert words in f"{verdict} {getattr(verdict, 'proof', '')}"
    if (features, classes) == (1, 2) and "P(1)" in text and not any(word in text for word in BEYOND_A_SHAPE):
        assert prove(said(text), cardinalities=(3,)).status == status


def test_positive_probabilities_leave_one_smallest_set_of_full_worth() -> None:
    """If X1 alone has the impurity of both, and X2 alone, then no feature is needed."""
    text = 'implies(m.equal(G("X1"), G("X2"), G()), G(()) == G("X1"))'
    assert decide(said(text, assume=[positive]), 2).status == "proved"
    assert decide(said(text), 2).status == "refuted"


@pytest.mark.parametrize(
    ("key", "features", "classes"), [("HR-1", 2, None), ("TD-1", 2, 3), ("FA-1", 2, 3), ("FA-1", 1, 2)]
)
def test_the_classic_bounds_of_the_risk_are_proved_for_every_size(key: str, features: int, classes: int | None) -> None:
    assert "log(" in str(proved(claims[key].stated(), features, classes).proof)


#: The verdict, the number of features and of classes, and the code of each claim on the page of claims of others.
PAGE = re.findall(
    r"\*\*(\w+)\*\* for (\d) features?(?:, (\d) class(?:es)?)?, .*?```py\s+(.*?)```",
    (source.ROOT / "docs/readings/claims.md").read_text(encoding="utf-8"),
    re.DOTALL,
)


@pytest.mark.thorough
@pytest.mark.parametrize(("word", "features", "classes", "code"), PAGE, ids=itertools.count(1))
def test_the_page_of_claims_tells_the_verdicts(word: str, features: str, classes: str, code: str) -> None:
    stated = claim(eval(f"({code})"), name="stated")
    try:
        status = prove(stated, features=int(features), classes=int(classes or 0) or None).status
    except NotLinearError:
        status = refute(stated, max_features=int(features), max_cardinality=2, max_classes=2, max_total=6).status
    assert status == word.lower()


def test_the_page_of_claims_has_them_all() -> None:
    assert len(PAGE) == 50


BEYOND = "is beyond linear arithmetic"
REFUSED: list[tuple[str, int | None, str]] = [
    ("m.log(R()) <= 0", None, BEYOND),
    ("m.log(101) * R() >= 0", None, BEYOND),
    ("R() * R() * R() * R() <= 1", None, "a product of more than 3 numbers"),
    ('info("H(Y)", base=101) <= 1', None, BEYOND),
    (TENTH, 3, "give classes=2"),
    (TENTH, None, "classes"),
    ('m.balanced("X1") <= m.balanced(())', None, "classes"),
    ('m.probability({"X1": 0}) <= 1', 2, "states"),
]


@pytest.mark.parametrize(("text", "classes", "words"), REFUSED)
def test_what_is_beyond_the_proofs_is_refused(text: str, classes: int | None, words: str) -> None:
    with pytest.raises(NotLinearError, match=words):
        prove(said(text), features=1, classes=classes)


def test_a_prior_is_not_assumed() -> None:
    below = claim(lambda m: m.probability(y=1) < 1, name="prior")
    with pytest.raises(ClaimError, match="without probabilities of classes, not 'prior'"):
        prove(claim(lambda m: True, assume=[below]), features=1, classes=2)
