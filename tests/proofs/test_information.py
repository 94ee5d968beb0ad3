"""Statements about informations for every number of states: verdicts, proofs as one reads them, and what stays open."""

import re
import shutil
import subprocess
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings

from fstheory import JointDistribution, check_certificate, claims, conditional_entropy, info, prove, refute
from fstheory._support.progress import Clock
from fstheory._support.work import Crew
from fstheory.errors import CertificateError, InvalidTypeError
from fstheory.logic import Claim, Formula, Model, claim, positive
from fstheory.logic.every_size import EverySize
from fstheory.logic.statement import Shape
from fstheory.logic.verdict import Proved, Refuted
from fstheory.logic.written_proof import WrittenProof, _linked
from fstheory.proofs.descent import with_hidden_posteriors
from fstheory.proofs.every_size.constructions import asks_for_irrational, constructions
from fstheory.proofs.every_size.search import decided
from fstheory.testing import joint_distributions
from tests.proofs.every_size import decide, proved
from tests.proofs.test_decided import said

PROVED, REFUTED = "proved", "refuted"
_ZHANG_YEUNG = "2 I({3};{4}) <= I({1};{2}) + I({1};{3},{4}) + 3 I({3};{4}|{1}) + I({3};{4}|{2})"

STATEMENTS: dict[str, str] = {
    "I(Y;X1) <= I(Y;X1,X2)": PROVED,
    "I(X1;X2) + I(X1;X2) <= I(X1;X3) => I(X1;X2) <= I(X1;X3)": PROVED,
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
    "I(X1;X2) = 0, I(X1;X2|X3) = 0 => I(X3;Y) <= I(X3;Y|X1) + I(X3;Y|X2)": "undecided",  # true: Zhang and Yeung 1997
}  # fmt: skip
NOT_SHANNON = [text for text in STATEMENTS if text.startswith("2 I(")]
LONG = ["I(Y;X1,X2) = 0, I(Y;X1,X3) = 0, I(Y;X2,X3) = 0 => I(Y;X1,X2,X3) = 0", *list(STATEMENTS)[-1:]]


def claim_of(text: str) -> Claim:
    def compared(m: Model, part: str) -> Formula:
        left, relation, right = re.split(r" (<=|=) ", part)
        a, b = (m.sum([0]) if side == "0" else m.info(side) for side in (left, right))
        return a <= b if relation == "<=" else a == b

    def statement(m: Model) -> Formula:
        left, _, conclusion = text.rpartition(" => ")
        assumptions = re.split(r", (?![^()]*\))", left) if left else []
        return m.implies(m.all(compared(m, part) for part in assumptions), compared(m, conclusion))

    return claim(statement, name=text)


# psitip 1.1.7 agrees on all of them. What is LONG takes seconds.
@pytest.mark.parametrize(
    "text", [pytest.param(text, marks=[pytest.mark.thorough] * (text in LONG)) for text in STATEMENTS]
)
@pytest.mark.one_in(3)
def test_the_verdict_is_right(text: str) -> None:
    """And the two ends of each chain of equations in a written proof are equal at a distribution."""
    features = max(map(int, re.findall(r"X(\d)", text)))
    one = claim_of(text)
    verdict = decide(one, features, time_limit=3 if STATEMENTS[text] == "undecided" else None)
    assert verdict.status == STATEMENTS[text], verdict
    assert ("trusting Theorem 3 of Zhang and Yeung" in str(verdict)) == (text in NOT_SHANNON)
    if isinstance(verdict, Refuted):
        assert decide(one, features, 2).status == REFUTED
    if isinstance(verdict, Proved):
        d = Shape((2,) * features).distribution(range(1, 2 ** (features + 1) + 1))
        steps = " ".join(line.split("$")[1] for _, line in verdict.proof.lines if line[0] == "$")
        for chain in filter(str.strip, re.split(r" (?:[<>]=?|=) 0 ?", steps)):
            first, *_, last = chain.split(" = ") * 2
            assert info(d, first) == info(d, last)


@claim
def irrelevant_in_naive_bayes(m: Model, i: str, j: str) -> Formula | bool:
    alone = m.independent(i, j, given=m.target) & m.independent(i, m.target)
    return i == j or m.implies(alone, m.risk({i, j}) == m.risk(j))


@claim
def blanket(m: Model, i: str, S: frozenset[str], T: frozenset[str]) -> Formula | bool:
    """Koller and Sahami: what a Markov blanket that stays makes superfluous is no loss, of either kind."""
    kept, every = S | T, S | T | {i}
    same = (m.risk(every) == m.risk(kept)) & (m.mutual_information(every) == m.mutual_information(kept))
    return i in kept or bool(S & T) or m.implies(m.independent(i, T | {m.target}, given=S), same)


@claim
def sure(m: Model, S: frozenset[str]) -> Formula:
    return m.iff(m.risk(S) == 0, m.conditional_entropy(S) == 0)


@claim
def equal_risks_equal_information(m: Model, i: str, j: str) -> Formula | bool:
    return i == j or m.implies(m.risk({i, j}) == m.risk(j), m.independent(i, m.target, given=j))


def test_logarithms_count_as_many_steps_of_the_checker() -> None:
    fano = claim(lambda m: m.implies(m.risk() <= "1/10", m.conditional_entropy(m.features) <= "1/3"), name="fano")
    with pytest.raises(CertificateError, match="of at most 1000 steps"):
        check_certificate(proved(fano, 1, 2).certificate, max_steps=1000)


@pytest.mark.thorough(3)
def test_what_only_many_classes_refute() -> None:
    for text in ("9/10", "99/100"):
        small = claim(lambda m, *, c=text: m.implies(m.conditional_entropy("X1") >= 1, m.risk() <= c), name="small")
        verdict = prove(small, features=2)
        assert isinstance(verdict, Refuted)
        assert len(verdict.distribution.classes) > 10


@pytest.mark.thorough
def test_risk_and_information_meet_where_a_feature_tells_nothing_and_where_the_class_is_certain() -> None:
    for one, features in ((irrelevant_in_naive_bayes, 3), (blanket, 3), (sure, 2)):
        assert decide(one, features).status == PROVED
    assert all(decide(equal_risks_equal_information, 2, classes).status == REFUTED for classes in (None, 2))


def meet(m: Model, a: str, S: frozenset[str], T: frozenset[str]) -> Formula:
    """The intersection property of graphoids, of the class and of a feature."""
    alone = m.independent(a, S, given=T) & m.independent(a, T, given=S)
    return m.implies(alone, m.independent(a, S | T, given=S & T))


@pytest.mark.thorough(2)
def test_independences_meet_where_all_states_are_possible() -> None:
    of_class = claim(lambda m, S, T: meet(m, m.target, S, T), assume=[positive], name="of_class")
    of_feature = claim(lambda m, i, S, T: bool({i} & (S | T)) or meet(m, i, S, T), assume=[positive], name="of_feature")
    proofs = [prove(of_class, features=4), prove(of_feature, features=3)]
    assert all(isinstance(verdict, Proved) and check_certificate(verdict.certificate) for verdict in proofs)
    assert "by the intersection property; and so for every number of features" in str(proofs[0])
    assert "as all states are possible" in str(proofs[1].proof)  # type: ignore[union-attr]
    for one in (of_class, of_feature):
        assert prove(one, features=2 + (one is of_feature), without="positive").status == "refuted"
    stronger = claim(
        lambda m, S, T: m.implies(m.independent(m.target, S, given=T), m.risk(S & T) == m.risk(S)), name="?"
    )
    assert prove(stronger, features=2).status == "refuted"


@pytest.mark.thorough
def test_what_is_independent_by_a_graph_refutes_where_all_states_are_possible() -> None:
    """No sum of uniform shares does, and hardly anything else that is drawn has equations."""
    false = claim(lambda m: m.implies(m.info("I(X2,Y; X3 | X1)") == 0, m.info("I(X3; Y)") == 0), assume=[positive])
    verdict = prove(false, features=3)
    assert isinstance(verdict, Refuted)
    assert (verdict.distribution.weights.sum(axis=-1) > 0).all()


def copies_with_noise(m: Model) -> Formula:
    """Two copies of a class that is nearly certain refute it, unless each state of both is possible."""
    known = (m.risk(()) <= "1/10") & m.independent("X1", m.target, given="X2")
    told = 2 * m.mutual_information("X2") + m.mutual_information("X1")
    return m.implies(known, told < m.risk("X1") + "7/10")


def three_copies(m: Model) -> Formula:
    """Three copies of a coin tell 3 log 2 = 2.0794.., and less if each state of all is possible."""
    known = m.independent({"X1", "X3"}, m.target, given="X2") & m.independent("X1", "X3", given="X2")
    return m.implies(known, m.sum(m.mutual_information(i) for i in m.order) < 2)


@pytest.mark.thorough
def test_noise_refutes_where_all_states_are_possible() -> None:
    copies = claim(copies_with_noise, assume=[positive])
    assert refute(copies, features=2, classes=2, max_cardinality=2).status == REFUTED
    copies = claim(three_copies, assume=[positive])
    statement, clock = copies.statement(EverySize(3)), Clock(None, None)
    values = decided(statement, clock, Crew())
    assert isinstance(values, tuple)
    assert any(isinstance(copies.check(d), Refuted) for d in constructions(statement, values[1], clock))


@settings(max_examples=10)
@given(joint_distributions(min_features=2, max_features=2, cardinalities=(1, 2), huge=False))
def test_hidden_posteriors_leave_the_information_of_all_features_as_it_is(d: JointDistribution) -> None:
    """All states are possible, a subset that determines the posterior has all information, the others nearly theirs."""
    for one in with_hidden_posteriors(d):
        assert (one.weights.sum(axis=-1) > 0).all()
        for S in ((), d.features[:1], d.features[1:], d.features):
            before, after = (conditional_entropy(e, [e.target], e.features) for e in (d, one))
            left, now = (conditional_entropy(e, [e.target], S) for e in (d, one))
            assert before != left or len(S) < 2 or now == after
            assert abs(float(now) - float(left)) < 0.2


IRRATIONAL: dict[str, bool] = {
    'R(()) == info("I(Y;X1)")': True,
    'info("H(X1)") * 2 == 1': True,
    '(R() == 0) & ~(info("H(X1)") + R() != "1/2")': True,
    'm.any([R() == info("H(X1)"), R() == 0])': False,  # the second may be
    'R() <= info("H(X1)")': False,
    'R() != info("H(X1)")': False,
    'info("H(X1)") == info("H(Y)")': False,
    "R(()) == R()": False,
}


@pytest.mark.parametrize("text", IRRATIONAL)
def test_a_risk_that_is_an_information_is_met_by_no_fractions(text: str) -> None:
    """Whether it must be so where a claim is false, or where it is assumed."""
    one: Any = said(text)
    for asked in (claim(lambda m: ~one(m)), claim(lambda m: m.risk(()) == 0, assume=[one])):
        statement = asked.statement(EverySize(1))
        assert asks_for_irrational(statement, statement.show[0]) == IRRATIONAL[text]


READ = """irrelevant_in_naive_bayes at i = X1, j = X2:
  Let (1) I(X1; X2 | Y) = 0, (2) I(Y; X1) = 0.
  H(Y | X1, X2) - H(Y | X2)
    = -I(X1; X2 | Y), by (1)
    - I(Y; X1), by (2)
    + I(X1; X2)
    >= 0.
  So (3) R({X2}) = R({X1, X2}), as features without information about the class do not lower the risk (D4).
  R({X1, X2}) - R({X2}) = 0, by (3).
  R({X2}) - R({X1, X2}) >= 0.
irrelevant_in_naive_bayes at i = X2, j = X1: as at i = X1, j = X2, with other names."""


def test_a_proof_is_read_as_a_person_would_write_it() -> None:
    certificate = proved(irrelevant_in_naive_bayes, 2).certificate
    proof = WrittenProof(certificate)
    assert str(proof) == READ
    assert proved(irrelevant_in_naive_bayes, 2).to_latex().count(r"\text{claim}") == 1
    latex = proof.to_latex().splitlines()
    assert latex[1:3] == [
        r"\begin{align*}",
        r"&\hspace*{0em} \text{irrelevant\_in\_naive\_bayes at i = X1, j = X2:} \\",
    ]
    assert latex[4:7] == [  # each fact that is given has a row
        r"&\hspace*{2em} \text{(2) }I(Y; X_1) = 0\text{.} \\",
        r"&\hspace*{1em} H(Y \mid X_1, X_2) - H(Y \mid X_2) \\",
        r"&\hspace*{2em} = -I(X_1; X_2 \mid Y)\text{, by (1)} \\",
    ]
    below = claim(lambda m: m.maximum([m.risk("X1"), m.risk("X2")]) <= m.risk(()), name="below")
    assert "max(R({X1}), R({X2}))" in str(WrittenProof(proved(below, 2).certificate))
    unread = claim(lambda m: m.implies(abs(m.risk() - "1/2") < "1/3", abs(m.risk() - "1/2") < 1), name="unread")
    assert "max(R({X1}) - 1/2, 1/2 - R({X1}))" in str(WrittenProof(proved(unread, 1).certificate))
    with pytest.raises(InvalidTypeError, match="certificate must be about every number of states"):
        WrittenProof(prove("PN-M", cardinalities=[2]).certificate)  # type: ignore[union-attr]


def test_differences_that_follow_each_other_are_one() -> None:
    one, two = Fraction(1), Fraction(2)
    assert _linked([(one, [3, 1]), (two, [1, 0]), (one, [7, 3])]) == [(two, [1, 0]), (one, [7, 1])]


@pytest.mark.skipif(shutil.which("pdflatex") is None, reason="pdflatex is not installed")
def test_latex_accepts_the_proofs(tmp_path: Path) -> None:
    """An environment align* for proofs with cases, parameters, logarithms and several instances, without a warning."""
    proofs = [WrittenProof(proved(irrelevant_in_naive_bayes, 2).certificate)]
    for key, k in (("PN-8s", None), ("HR-1", 2), ("FA-1", 3), ("PN-5", None)):
        proofs.append(WrittenProof(proved(claims[key].stated(), 2, k).certificate))
    text = "\n\nNext.\n".join(proof.to_latex() for proof in proofs)
    page = r"\documentclass{article}\usepackage[a4paper,margin=1cm]{geometry}\usepackage{amsmath,amssymb}"
    (tmp_path / "proofs.tex").write_text(rf"{page}\begin{{document}}{text}\end{{document}}", encoding="utf-8")
    command = ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "proofs.tex"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, errors="replace", check=False)
    assert done.returncode == 0, done.stdout
    assert "Overfull" not in done.stdout
