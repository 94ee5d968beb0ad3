"""Proofs for Coq say what the claim says, and Coq accepts them where it is installed."""

import re
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest

import fstheory as fs
from fstheory.checker.every_size import EverySizeSpace
from fstheory.checker.reading import certificate_digest, formulas, plain
from fstheory.checker.statement import compared, node_text
from fstheory.coq import kinds
from fstheory.coq.sources import LIBRARY, coq_name, library, recorded
from fstheory.coq.theorem import coq_theorem
from fstheory.errors import CertificateError, InvalidTypeError, InvalidValueError, OutputError
from fstheory.logic import Certificate, Claim, Formula, Model
from fstheory.logic.expressions import State
from fstheory.logic.ledger import claims
from fstheory.logic.verdict import Proved, Refuted
from fstheory.reports import save_coq
from fstheory.reports.audit import Audit, audit_entry, audit_markdown
from tests.coq.compiled import LOGIC, Compile, axioms, exportable, exported, rejected, stale
from tests.logic.examples import proved_by_class
from tests.proofs.test_decided import PAGE
from tests.refusals import Refusal, refusals


def statement(text: str) -> str:
    """Return what a file for Coq states."""
    return " ".join(
        text[text.index("Definition statement") : text.index("(* The ", text.index("Definition statement"))].split()
    )


def proved(claim: Claim, **shape: Any) -> Certificate:
    """Return the certificate of a claim that is true."""
    verdict = fs.prove(claim, **shape)
    assert isinstance(verdict, Proved)
    return verdict.certificate


@fs.claim(assume=[fs.positive, fs.unique_maximum])
def solution(m: Model) -> Formula:
    return m.implies(m.risk("X1") == m.risk(m.features), ~m.minimal_optimal({"X2"}) | (m.risk("X1") == m.risk(())))


@fs.claim
def price(m: Model) -> Formula:
    tau = m.parameter("tau", above=0, below=1)
    return m.implies(m.risk("X1") <= tau, m.maximum([m.risk("X1") - tau, "-1/3"]) <= "1/7")


@fs.claim
def independent(m: Model) -> Formula:
    together = m.mutual_information({"X1", "X2"})
    apart = m.mutual_information("X1") + m.mutual_information("X2")
    return m.implies(m.independent("X1", "X2", given=["Y"]), together <= apart)


@fs.claim
def ceiling(m: Model) -> Formula:
    return m.risk(()) <= "2/3"


@fs.claim
def alone(m: Model) -> Formula:
    return m.implies(m.risk("X1") == m.risk(()), m.risk({"X1", "X2"}) == m.risk("X2"))


@fs.claim
def weak(m: Model) -> Formula:
    return m.mutual_information("X1") * m.risk(()) <= "1/10"


@fs.claim(assume=[fs.positive])
def shared(m: Model) -> Formula:
    apart = m.independent("X3", "X1", given=["X2"]) & m.independent("X3", "X2", given=["X1"])
    return m.implies(apart, m.independent("X3", {"X1", "X2"}))


@fs.claim
def certain(m: Model) -> Formula:
    return m.implies(m.risk("X1") <= 0, m.conditional_entropy("X1") <= 0)


@fs.claim
def alike(m: Model) -> Formula:
    """Three sides are the same sum of entropies, in two orders. The entropies of a fourth one cancel."""
    gained = m.entropy(m.target) - m.conditional_entropy("X1")
    none = m.entropy("X2") - m.entropy("X2") + m.risk("X1")
    return (gained == m.info("I(X1;Y)")) & (none <= m.risk(())) & (gained <= m.entropy(m.target))


@fs.claim
def below(m: Model) -> Formula:
    return m.implies(m.risk("X1") >= "11/20", m.conditional_entropy("X1") >= "3/4")


@fs.claim
def above(m: Model) -> Formula:
    return m.implies(m.risk("X1") <= "1/10", m.conditional_entropy("X1") <= "1/2")


@fs.claim
def halves(m: Model) -> Formula:
    return m.implies(m.risk("X1") >= "1/3", m.conditional_entropy("X1") >= m.log("4") * m.risk("X1"))


@fs.claim
def told(m: Model) -> Formula:
    known = (m.risk("X1") >= "2/5") & (m.risk({"X1", "X2"}) <= "1/10")
    return m.implies(known, m.mutual_information("X2", given="X1") >= "1/10")


@fs.claim
def little_lost(m: Model) -> Formula:
    return m.implies(m.mutual_information(m.features, "X1") <= "1/50", m.risk("X1") - m.risk() <= "1/10")


@fs.claim
def four(m: Model) -> Formula:
    """The inequality of Zhang and Yeung, with a risk."""
    given = m.info("I(X1;X2)") + m.info("I(X1;X3,Y)") + 3 * m.info("I(X3;Y|X1)") + m.info("I(X3;Y|X2)")
    return 2 * m.info("I(X3;Y)") - given <= m.risk("X1")


@fs.claim
def gain(m: Model) -> Formula:
    return m.implies((m.risk("X1") >= "1/2") & (m.risk() <= "1/4"), m.gini("X1") - m.gini() >= "1/8")


@fs.claim
def impurities(m: Model) -> Formula:
    between = (m.risk("X1") <= m.gini("X1")) & (m.gini("X1") <= "2/3")
    return between & m.implies(m.risk("X1") <= "1/3", m.gini("X1") <= "1/2")


@fs.claim
def falling(m: Model) -> Formula:
    ends = (m.gini("X1") >= 0) & (m.gini("X1") <= m.gini(())) & (m.gini(()) < 1)
    return ends & m.implies(m.risk("X1") <= "1/4", m.gini("X1") <= "7/16")


@fs.claim
def ties(m: Model) -> Formula:
    return m.implies(m.gini({"X1", "X2"}) >= m.gini("X2"), m.risk({"X1", "X2"}) >= m.risk("X2"))


@fs.claim
def apart(m: Model) -> Formula:
    known = (m.risk("X1") >= "1/4") & (m.risk("X1") <= "1/4") & (m.gini("X1") <= "1/4") & (m.risk() <= "1/8")
    return m.implies(known, m.gini() <= "19/100")


@fs.claim
def strict(m: Model) -> Formula:
    return m.implies(m.gini("X1") >= m.gini(()), m.mutual_information("X1") <= 0)


@fs.claim(assume=[fs.positive])
def closed(m: Model) -> Formula:
    return m.implies((m.gini("X1") <= m.gini()) & (m.gini("X2") <= m.gini()), m.gini(()) <= m.gini())


@fs.claim
def log_two(m: Model) -> Formula:
    return m.implies(m.risk("X1") >= "1/2", m.conditional_entropy("X1") >= m.log(2))


@fs.claim
def third(m: Model) -> Formula:
    known = (m.risk("X1") == "1/3") & (m.conditional_entropy("X1") <= m.log(2) * "2/3")
    return m.implies(known, m.log(2) * m.risk("X1") <= "232/1000")


@fs.claim
def risks_times_logarithms(m: Model) -> Formula:
    return m.all([m.log(3) * m.risk(name) >= m.risk() for name in ("X1", "X2")])


@fs.claim
def chord(m: Model) -> Formula:
    rare = (m.probability(y=1) >= "1/10") & (m.probability(y=1) <= "3/4")
    return m.implies(rare, m.entropy(m.target) >= "8/25")


@fs.claim
def left(m: Model) -> Formula:
    known = m.all([m.risk("X1") == "3/10", m.conditional_entropy("X1") <= "509/1000", m.risk() <= "17/100"])
    return m.implies(known, m.conditional_entropy(m.features) <= "439/1000")


@fs.claim
def impurity_and_entropy(m: Model) -> Formula:
    return m.gini("X1") * "69/50" <= m.conditional_entropy("X1")


@fs.claim
def gains(m: Model) -> Formula:
    return m.gini(()) - m.gini("X1") <= m.entropy(m.target) - m.conditional_entropy("X1")


@fs.claim
def in_bits(m: Model, S: frozenset[str]) -> Formula:
    """A claim of Kearns and Mansour: see the page of fifty claims."""
    return (2 * m.risk(S) <= 2 * m.gini(S)) & (2 * m.gini(S) <= m.conditional_entropy(S, base=2))


@fs.claim
def little_to_add(m: Model) -> Formula:
    return m.mutual_information("X2", given="X1") <= m.log(4) * m.risk("X1") + "1/4"


@fs.claim
def squared_bits(m: Model) -> Formula:
    left = m.conditional_entropy("X1", base=2) ** 2
    return (left <= 2 * m.gini("X1")) & (left <= 4 * m.risk("X1"))


@fs.claim
def smaller_risk(m: Model) -> Formula:
    return m.risk("X1") - m.risk() <= m.gini("X1") - m.gini() + "1/8"


@fs.claim
def steep(m: Model) -> Formula:
    return m.risk(()) - m.risk("X1") <= m.mutual_information("X1") + "1/5"


@fs.claim
def flat(m: Model) -> Formula:
    fall = 3 * (m.gini(()) - m.gini("X1")) - m.mutual_information("X1")
    return fall >= "-1/4"


@fs.claim
def valued(m: Model) -> Formula:
    return m.implies(m.top("X1", m.shapley), m.shapley("X1") >= 0)


@fs.claim
def valued_by_information(m: Model) -> Formula:
    return m.shapley("X1", criterion="information") <= m.mutual_information({"X1", "X2"})


@fs.claim
def squares(m: Model) -> Formula:
    few, more = m.risk("X1"), m.risk()
    known = m.all([m.gini() <= 2 * more - more * more, more * more <= few * few, few * few <= few])
    return known & m.implies(few * few <= "1/4", few <= "1/2")


@fs.claim
def squares_of_three(m: Model) -> Formula:
    risk = m.risk("X1")
    return (m.gini("X1") <= 2 * risk - risk * risk * "3/2") & (risk * risk <= risk * "2/3")


@fs.claim
def gains_apart(m: Model) -> Formula:
    return m.implies(m.independent("X1", "X2"), m.gini(()) + m.gini() <= m.gini("X1") + m.gini("X2"))


@fs.claim
def wrong_labels(m: Model) -> Formula:
    eta = m.parameter("eta", above=0, below="1/2")
    return m.implies(m.risk("X1", noise=eta) == m.risk("X2", noise=eta), m.risk("X1") <= m.risk("X2"))


@fs.claim
def two_factors(m: Model) -> Formula:
    return 2 * m.risk("X1") * m.mutual_information("X1") <= m.risk("X1") ** 2 + m.mutual_information("X1") ** 2


@fs.claim
def fall(m: Model) -> Formula:
    return m.gini("X1") - m.gini() <= m.mutual_information("X2", given="X1")


@fs.claim
def variance(m: Model) -> Formula:
    return m.all([m.explained(()) <= 0, m.explained("X1") <= m.explained(), m.explained() <= 1])


@fs.claim
def variances_apart(m: Model) -> Formula:
    return m.implies(m.independent("X1", "X2"), m.explained("X1") + m.explained("X2") <= m.explained())


@fs.claim
def areas(m: Model) -> Formula:
    rising = m.all([m.auc(()) >= "1/2", m.auc("X1") <= m.auc(), m.auc() <= 1])
    return rising & ((m.auc(()) <= "1/2") | (m.auc("X1") >= 1))


@fs.claim(assume=[fs.positive])
def variance_closed(m: Model) -> Formula:
    return m.implies(m.all([m.explained(name) >= m.explained() for name in ("X1", "X2")]), m.explained() <= 0)


@fs.claim
def balanced(m: Model) -> Formula:
    return m.all([m.balanced() >= 0, m.balanced() <= m.balanced("X1"), m.balanced(()) == 2])


@fs.claim
def sure_in_both(m: Model) -> Formula:
    return m.implies((m.risk(()) > 0) & (m.balanced("X1") <= 0), m.risk("X1") <= 0)


@fs.claim
def equal_priors(m: Model) -> Formula:
    return m.implies(m.probability(y=1) == "1/2", m.balanced("X1") == 2 * m.risk("X1"))


@fs.claim
def informed(m: Model) -> Formula:
    return m.iff(m.balanced("X1") == 1, m.mutual_information("X1") == 0)


@fs.claim
def prior_costs(m: Model) -> Formula:
    cost = m.cost_sensitive("X1", cost="1/3")
    return m.implies(m.cost_sensitive((), cost="1/3") == "2/9", m.balanced("X1") * "2/9" == cost)


@fs.claim
def chain_of_costs(m: Model) -> Formula:
    fall = m.cost_sensitive("X1", cost="2/3") - m.cost_sensitive(cost="2/3")
    return fall * 3 <= m.risk("X1") * 2


@fs.claim
def cost_in_bits(m: Model) -> Formula:
    return m.cost_sensitive("X1", cost="2/3") * 3 <= m.conditional_entropy("X1", base=2)


@fs.claim
def kept(m: Model, S: frozenset[str]) -> Formula:
    return m.implies(m.minimal_optimal(S), m.risk(S) <= m.risk())


@fs.claim
def bounded(m: Model, S: frozenset[str]) -> Formula:
    return m.implies(m.markov_boundary(S), m.risk(S) <= m.risk())


@fs.claim
def ratios(m: Model, i: str, j: str) -> Formula:
    """A claim with two divisors. They change places in a formula whose proof is an image of another one."""
    return m.sum(m.mutual_information(name) / m.entropy(name) for name in (i, j)) <= 2


@fs.claim
def shares(m: Model) -> Formula:
    first, second = (m.mutual_information(name) / m.entropy(m.target) for name in ("X1", "X2"))
    bounds = (m.maximum([first, second]) <= 1) & (m.risk(()) - 2 * first * m.risk(()) <= m.risk(()))
    within = m.implies(m.entropy(m.target) > 0, 1 / (1 + first / 2) >= "2/3")
    return bounds & within & ~m.iff(m.minimum([first, 1]) <= 1, second > 1)


@fs.claim
def posterior(m: Model) -> Formula:
    known = [m.probability(m.states()[0], y) / m.probability(m.states()[0]) for y in (0, 1)]
    return m.implies(m.probability(m.states()[0]) > 0, (m.sum(known) == 1) & (m.maximum(known) >= "1/2"))


@fs.claim
def symmetric(m: Model) -> Formula:
    return m.sum(m.mutual_information(name) / m.entropy(name) for name in ("X1", "X2")) <= 0


@pytest.mark.quick
def test_a_counterexample_states_that_there_is_one(tmp_path: Path) -> None:
    verdict = fs.refute(alone)
    assert isinstance(verdict, Refuted)
    written = save_coq(verdict, tmp_path / "coq")
    said = statement(written[-2].read_text(encoding="utf-8"))
    assert said.startswith("Definition statement := exists d : dist, sizes d = [2; 2] /\\ classes d = 2 /\\ (~ ")


OWN: dict[str, tuple[Claim, dict[str, Any], str]] = {
    "solution": (solution, {"features": 2}, "positive d -> unique_maximum d ->"),
    "one shape": (solution, {"cardinalities": (2, 2)}, "sizes d = [2; 2] -> classes d = 2 ->"),
    "independent": (independent, {"features": 2}, "~ (conditionally_independent d [0]%nat [1]%nat [class d]%nat)"),
    "shared": (shared, {"features": 3}, "positive d ->"),
    "certain": (certain, {"features": 1}, "conditional_entropy d [class d]%nat [0]%nat <= 0"),
    "alike": (alike, {"features": 2}, "= (entropy d [0]%nat + joint_entropy d []%nat - joint_entropy d [0]%nat)"),
    "below": (below, {"features": 1}, "(11 / 20) <= bayes_risk d [0]%nat"),
    "above": (above, {"features": 1, "classes": 3}, "classes d = 3 ->"),
    "halves": (halves, {"features": 1}, "ln (4)) * (bayes_risk d [0]%nat"),
    "told": (told, {"features": 2}, "(2 / 5) <= bayes_risk d [0]%nat"),
    "little lost": (little_lost, {"features": 2}, "(1 / 10)"),
    "four": (four, {"features": 3}, "<= bayes_risk d [0]%nat"),
    "gain": (gain, {"features": 2}, "gini d [0]%nat - gini d [0; 1]%nat"),
    "impurities": (impurities, {"features": 1, "classes": 3}, "<= gini d [0]%nat"),
    "impurities of any classes": (falling, {"features": 1}, "<= gini d []%nat"),
    "ties": (ties, {"features": 2}, "gini d [1]%nat <= gini d [0; 1]%nat"),
    "apart": (apart, {"features": 2, "classes": 2}, "classes d = 2 ->"),
    "strict": (strict, {"features": 1}, "gini d []%nat <= gini d [0]%nat"),
    "closed": (closed, {"features": 2}, "positive d ->"),
    "log 2": (log_two, {"features": 1}, "ln (2) <= "),
    "third": (third, {"features": 1}, "bayes_risk d [0]%nat = (1 / 3)"),
    "times": (risks_times_logarithms, {"features": 2}, "(ln (3)) * (bayes_risk d [1]%nat)"),
    "chord": (chord, {"features": 1, "classes": 2}, "bayes_risk d []%nat"),
    "left": (left, {"features": 2, "classes": 2}, "classes d = 2 ->"),
    "tree": (impurity_and_entropy, {"features": 1, "classes": 2}, "(69 / 50) * (gini d [0]%nat)"),
    "convex tree": (gains, {"features": 1, "classes": 2}, "gini d []%nat - gini d [0]%nat"),
    "bits": (in_bits, {"features": 2, "classes": 2}, "ln (2)) * (gini d [0; 1]%nat"),
    "tree with log 2": (little_to_add, {"features": 2, "classes": 2}, "(ln (4)) * (bayes_risk d [0]%nat)"),
    "squared bits": (squared_bits, {"features": 1, "classes": 2}, "4 * ((ln (2)) * ((ln (2)) * (bayes_risk"),
    "convex on an interval": (steep, {"features": 1, "classes": 2}, "(bayes_risk d []%nat - bayes_risk d [0]%nat) <= "),
    "convex between two tangents": (flat, {"features": 1, "classes": 2}, "3 * gini d []%nat"),
    "tree of risks": (smaller_risk, {"features": 2, "classes": 2}, "bayes_risk d [0]%nat - bayes_risk d [0; 1]%nat"),
    "squares": (squares, {"features": 2}, "(bayes_risk d [0; 1]%nat) * (bayes_risk d [0; 1]%nat) <= "),
    "squares of three": (squares_of_three, {"features": 1, "classes": 3}, "classes d = 3 ->"),
    "gains apart": (gains_apart, {"features": 2}, "<= (gini d [0]%nat + gini d [1]%nat)"),
    "wrong labels": (wrong_labels, {"features": 2, "classes": 2}, "forall t_eta : R,"),
    "fall": (fall, {"features": 2}, "(gini d [0]%nat - gini d [0; 1]%nat) <= "),
    "variance": (variance, {"features": 2}, "explained d []%nat <= 0"),
    "variances apart": (variances_apart, {"features": 2}, "(explained d [0]%nat + explained d [1]%nat) <= explained d"),
    "variance closed": (variance_closed, {"features": 2}, "positive d ->"),
    "areas": (areas, {"features": 2}, "(1 / 2) <= auc d []%nat"),
    "balanced": (balanced, {"features": 2, "classes": 3}, "balanced_loss d []%nat = 2"),
    "sure in both": (sure_in_both, {"features": 1, "classes": 2}, "balanced_loss d [0]%nat <= 0"),
    "equal priors": (equal_priors, {"features": 1, "classes": 2}, "balanced_loss d [0]%nat = 2 * (bayes_risk d [0]"),
    "informed": (informed, {"features": 1, "classes": 2}, "balanced_loss d [0]%nat = 1"),
    "prior costs": (prior_costs, {"features": 1, "classes": 2}, "= cost_sensitive_risk d (1 / 3) [0]%nat"),
    "costs": (chain_of_costs, {"features": 2, "classes": 2}, "cost_sensitive_risk d (2 / 3) [0; 1]%nat"),
    "cost in bits": (cost_in_bits, {"features": 1, "classes": 2}, "* (cost_sensitive_risk d (2 / 3) [0]%nat)"),
    "two factors": (two_factors, {"features": 1}, "<= ((bayes_risk d [0]%nat) * (bayes_risk d [0]%nat)"),
    "price": (price, {"features": 1}, "maximum [(bayes_risk d [0]%nat - t_tau); ((-1) / 3)]"),
    "minimal": (kept, {"features": 2}, "~ (minimal_optimal d 2 [1]%nat) \\/ bayes_risk d [1]%nat <= "),
    "minimal in one shape": (kept, {"cardinalities": (2, 2)}, "~ (minimal_optimal d 2 [0]%nat) "),
    "boundary": (bounded, {"features": 2}, "~ (markov_boundary d 2 [0]%nat) \\/ bayes_risk d [0]%nat <= "),
    "values": (valued, {"features": 2}, "(shapley (bayes_risk d) 2 1 <= shapley (bayes_risk d) 2 0) \\/ 0 <= shapley"),
    "values of information": (
        valued_by_information,
        {"features": 2},
        "(shapley (conditional_entropy d [class d]) 2 0 <= ",
    ),
    "values in one shape": (valued, {"cardinalities": (2, 2)}, "(shapley (bayes_risk d) 2 1 <= "),
    "ratios": (ratios, {"features": 2}, "[0]%nat []%nat) / (entropy d [0]%nat) + (mutual_information d [class d]%nat"),
    "shares": (shares, {"features": 2}, "maximum [(mutual_information d [class d]%nat [0]%nat []%nat) / "),
    "posterior": (posterior, {"cardinalities": (2,), "classes": 2}, ") / (probability d [Some 0]%nat None)"),
    "three classes": (ceiling, {"features": 1, "classes": 3}, "classes d = 3 ->"),
}

# About the AUC and the balanced loss of one feature and two classes.
AREAS: dict[str, tuple[Callable[[Model], Formula], str]] = {
    "areas of two": (lambda m: m.implies(m.risk(()) > 0, m.auc(()) <= "1/2"), "auc d []%nat <= (1 / 2)"),
    "area and risk": (lambda m: m.implies(m.risk("X1") >= "1/4", m.auc("X1") <= "7/8"), "auc d [0]%nat <= (7 / 8)"),
    "area of nothing": (
        lambda m: (m.risk(()) <= 0) | m.iff(m.auc("X1") == "1/2", m.info("I(X1;Y)") == 0),
        "auc d [0]%nat = (1 / 2) <-> conditionally_independent d",
    ),
    "area and square": (lambda m: m.auc("X1") <= 1 - 2 * m.risk("X1") ** 2, "auc d [0]%nat <= ((-2) * "),
    "area above loss": (lambda m: m.auc("X1") >= 1 - m.balanced("X1") / 2, "(balanced_loss d [0]%nat) + 1) <= auc d"),
    "area below loss": (
        lambda m: m.implies((m.risk(()) > 0) & (m.balanced("X1") >= "1/2"), m.auc("X1") <= "7/8"),
        "(1 / 2) <= balanced_loss d [0]%nat",
    ),
    "area and squared loss": (
        lambda m: (m.risk(()) <= 0) | (m.auc("X1") <= 1 - m.balanced("X1") ** 2 / 2),
        "(balanced_loss d [0]%nat) * (balanced_loss d [0]%nat)",
    ),
    "loss and risk": (
        lambda m: m.implies(m.risk("X1") >= "1/4", m.balanced("X1") >= "1/3"),
        "(1 / 3) <= balanced_loss",
    ),
}
OWN |= {name: (fs.claim(f, name=name), {"features": 1, "classes": 2}, words) for name, (f, words) in AREAS.items()}


@pytest.mark.one_in(4)
@pytest.mark.parametrize("name", OWN)
def test_the_statement_is_that_of_the_claim(name: str) -> None:
    claim, shape, words = OWN[name]
    assert words in statement(proved(claim, **shape).to_coq())


NOTION = re.compile(
    r"(mutual_information|conditional_entropy|joint_entropy|entropy) d ([^()<=>+*-]*?)(?=\)| [<=>+*-]|$)"
)


def read_back(found: re.Match[str]) -> str:
    """Return a notion of Coq as the terminal prints it."""
    sets = [re.findall(r"class|\d+", one) for one in re.findall(r"\[(.*?)\]", found[2])]
    names = [", ".join("Y" if v == "class" else f"X{int(v) + 1}" for v in one) for one in sets]
    given = names.pop() if found[1].startswith(("mutual", "conditional")) else ""
    names[0] += (", Y" if names[0] else "Y") * found[1].startswith("joint")
    return f"{'HI'[len(names) > 1]}({'; '.join(names)}{f' | {given}' * bool(given)})"


@pytest.mark.quick
@pytest.mark.parametrize("name", ["independent", "told", "certain", "four", "little lost", "values"])
def test_the_statement_is_what_the_terminal_prints(name: str) -> None:
    claim, shape, _ = OWN[name]
    certificate = proved(claim, **shape)
    said = statement(certificate.to_coq()).replace("conditionally_independent", "mutual_information")
    said = re.sub(r"shapley \(bayes_risk d\) \d (\d)", lambda found: f"Shapley(R; X{int(found[1]) + 1})", said)
    said = NOTION.sub(read_back, said.replace(" * ", " "))
    content = plain(dict(certificate))
    (shown,) = formulas(content["show"], EverySizeSpace(content["shape"], ()), "show").values()
    names = ["X1", "X2", "X3"][: shape["features"]]
    for side in compared(shown):
        text = node_text(side, [*names, "Y"])
        if "(" in text and "R(" not in text:  # risks have other names in Coq, and fractions stand in parentheses
            assert text in said


@pytest.mark.thorough
def test_every_certificate_of_the_ledger_is_written_or_refused_by_name() -> None:
    theorems, refused = exported()
    taken = set[str]()
    for name, text in theorems.items():
        assert f"Theorem {coq_name(exportable()[name]['claim'])} : statement." in text
        taken |= set(re.findall(r"^Definition (\w+)", text, re.MULTILINE))
    assert all("the term" in text for text in refused.values())
    assert set(refused) <= {"B-2ua.json", "B-5i.json"}
    assert "split_maxima" in taken
    assert [name for name in taken if name.startswith("claim_")] == []  # no theorem has the name of a definition
    for name, text in library([f"From FS Require {' '.join(LIBRARY)}."]).items():
        assert "claim_" not in name + text


WORDS = ["Axiom", "Definition", "Fixpoint", "Hypothesis", "Parameter", "Theorem", "Variable", "forall", "statement"]


@pytest.mark.thorough
def test_coq_accepts_every_name_of_a_claim(coqc: Compile) -> None:
    named = [*WORDS, "_", "Cases", "d", "M_", "100%", "x" * 400]
    theorems = {
        name: proved(fs.claim(lambda m: m.risk("X1") <= m.risk(()), name=name), features=1).to_coq() for name in named
    }
    assert rejected(theorems, coqc) == []


@pytest.mark.thorough
def test_coq_accepts_maxima_within_a_minimum_whose_classes_change_places(coqc: Compile) -> None:
    """The risk without features is a minimum of one term. The second case is an image of the first one."""

    def one_verdict(m: Model, x: State) -> Formula:
        alike = (
            m.iff(m.maximizes(x, y), m.maximizes(z, y)) | (m.probability(z) <= 0) for z in m.states() for y in (0, 1)
        )
        return m.implies((m.policy(0) == m.risk()) & (m.probability(x) > 0), m.all(alike))

    certificate = proved(fs.claim(one_verdict, assume=(fs.unique_maximum,)), cardinalities=(2,), classes=2)
    assert "image_of" in certificate.to_json()
    assert rejected({"one": certificate.to_coq()}, coqc) == []


unwritten = partial(fs.claim, name="unwritten")
UNWRITTEN: dict[str, Claim] = {
    "the fact F45 (together)": unwritten(lambda m: m.gini("X1") <= m.conditional_entropy("X1")),
    "a symmetry that changes the order": unwritten(lambda m, i: m.mutual_information(i) <= 0, assume=[symmetric]),
    "a statement with no formula": unwritten(lambda m: m.risk("X1") <= m.risk("X1")),
}


@pytest.mark.parametrize("words", UNWRITTEN)
def test_a_refusal_names_what_coq_lacks(words: str) -> None:
    """The divisors are those of a premise, which is read once, in the order that it has."""
    certificate = proved(UNWRITTEN[words], features=2, classes=3)
    with pytest.raises(InvalidValueError, match=re.escape(words)):
        certificate.to_coq()


@pytest.mark.thorough
@pytest.mark.parametrize("number", [15, 16, 18, 19])
def test_coq_accepts_a_quotient_on_the_page_of_claims(number: int, coqc: Compile) -> None:
    _, features, _, code = PAGE[number - 1]
    text = proved(fs.claim(eval(f"({code})"), name="stated"), features=int(features)).to_coq()
    assert re.search(r"\) / \((joint_)?entropy d", statement(text))
    assert rejected({"stated": text}, coqc) == []


@pytest.mark.thorough
def test_the_record_is_that_of_the_theorems_and_of_the_library_as_they_stand() -> None:
    """If the list is not empty, run python -m tests.coq.compiled: Coq has not read what has changed."""
    assert stale() == []
    assert recorded().keys() == {exportable()[name]["digest"] for name in exported()[0]}


@pytest.mark.thorough
def test_a_change_of_the_library_concerns_the_theorems_that_import_it(monkeypatch: pytest.MonkeyPatch) -> None:
    def changed(theorems: list[str]) -> dict[str, str]:
        return {name: text + "(**)" * (name == "Amounts.v") for name, text in library(theorems).items()}

    monkeypatch.setattr("tests.coq.compiled.library", changed)
    concerned = [name for name, text in exported()[0].items() if " Amounts" in text]
    assert stale() == concerned
    assert 0 < len(concerned) < 40


def test_what_the_checker_rejects_is_not_written() -> None:
    content = dict(proved(claims["PN-M"].stated(), features=2))
    content["proofs"][0]["tree"]["farkas"][0][1] = "-1"
    content["digest"] = certificate_digest(content)
    with pytest.raises(CertificateError, match="multipliers"):
        coq_theorem(content)


@pytest.mark.thorough
def test_a_maximum_of_many_terms_is_not_left_to_the_virtual_machine_of_coq() -> None:
    """It would take as good as forever: see the time of this certificate in the thorough tests."""
    (many,) = (e for e in fs.claims["A-L"].evidence if e.certificate == "A-L-proof-2x2-2.json")
    assert "by exact X" in coq_theorem(many.load())
    assert "by vm_cast_no_check X" in proved(price, cardinalities=(2,)).to_coq()


@pytest.mark.thorough
def test_coq_accepts_a_short_certificate(coqc: Compile) -> None:
    text = coq_theorem(exportable()["PN-M-proof-every-3.json"])
    assert rejected({"right": text}, coqc) == []
    wrong = re.sub(r"(:= [HK] \d+ \()", r"\1-", text, count=1)
    assert rejected({"wrong": wrong, "right": text}, coqc) == ["wrong"]


@pytest.mark.thorough
def test_coq_accepts_the_certificates_of_the_ledger(coqc: Compile, draw: Any) -> None:
    """The record has the others as they stand: another test asks that none of them is stale."""
    assert rejected(dict(draw(exported()[0].items(), 36)), coqc) == []


@pytest.mark.thorough(2)
def test_coq_proves_that_every_decreasing_table_is_one_of_risks(coqc: Compile) -> None:
    text = library(["From FS Require TheoremR."])["TheoremR.v"]
    done = coqc("closed", text)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.count("Axioms:") == 3
    assert axioms(done.stdout) <= LOGIC
    assert coqc("open", text.replace("1 - / INR k", "1")).returncode != 0


# A part of a statement, and what makes it say more, or something that is false.
STRONGER = {
    "(0 < probability": "(0 <= probability",
    "positive d ->": "",
    "<=": "<",
    "balanced_loss d [0]": "balanced_loss d []",
}


@pytest.mark.thorough(14)
@pytest.mark.parametrize("name", OWN)
def test_coq_accepts_proofs_of_one_s_own_and_nothing_more(name: str, coqc: Compile) -> None:
    claim, shape, _ = OWN[name]
    text = proved(claim, **shape).to_coq()
    done = coqc(f"own_{coq_name(name)}", text)
    assert (done.returncode, axioms(done.stdout) - LOGIC) == (0, set())
    leaf = re.search(r":= [HK] \d+ \((-?\d+)\)", text)
    assert leaf is not None
    wrong = text[: leaf.start(1)] + str(-int(leaf[1])) + text[leaf.end(1) :]
    assert coqc(f"wrong_{coq_name(name)}", wrong).returncode != 0
    # A theorem that says more has another statement than what was checked.
    said = next(old for old in STRONGER if old in text)
    stronger = text.replace(said, STRONGER[said], 1)
    assert coqc(f"stronger_{coq_name(name)}", stronger).returncode != 0


# A fact, and another one that is false, does not fit, or does not close the case.
FACTS = {
    "shared": ("Shared 2 1 2", "Shared 2 1 6"),
    "certain": ("Sure 1", "Sure 0"),
    "below": ("(693148)", "(405465)"),
    "above": ("(105361)", "(105360)"),
    "told": ("(2809403)", "(2809402)"),
    "four": ("FourSets 1 2 4 8", "FourSets 1 2 8 16"),
    "four, in another order": ("FourSets 1 2 4 8", "FourSets 4 2 1 8"),
    "log 2": ("Times 0 false (693147)", "Times 0 false (693148)"),
    "log 2, of another prime": ("Times 0 false (693147)", "Times 1 true (693147)"),
    "log 2, strictly": ("1000000 Ge (-1)", "1000000 Gt (-1)"),
    "third": ("Times 0 true (173287) 250000", "Times 0 true (173286) 250000"),
    "times": ("[(1%N, (1)%Z); (3%N, (-1)%Z)]", "[(1%N, (1)%Z); (2%N, (-1)%Z)]"),
    "chord": ("(162541) 500000", "(162542) 500000"),
    "chord, from another end": ("Prior (1) 10 (1) 4", "Prior (1) 11 (1) 4"),
    "left": ("Pair 1 3 7 74 19 78 95 333", "Pair 1 3 7 74 19 78 94 333"),
    "left, the other way": ("Pair 1 3", "Pair 3 1"),
    "left, less at the start": ("(99373)", "(99372)"),
    "left, a steeper fall": ("(-488701)", "(-488702)"),
    "little lost": ("Pinsker 1 3 1 10", "Pinsker 3 1 1 10"),
    "gain": ("Gain 1 3 1 2", "Gain 3 1 1 2"),
    "impurities": ("GiniBelowOf 3 1 1 3", "GiniBelowOf 2 1 1 3"),
    "ties": ("Ties 2 3", "Ties 2 1"),
    "tree": ("[whole_ (-69) 1] (50)", "[whole_ (-70) 1] (50)"),
    "tree, a wrong logarithm": ("log_at_most 1 2 (-693147180559945309)", "log_at_most 1 2 (-693147180559945310)"),
    "convex tree": ("Node 1 [] [whole_ (1) 1] (-1)", "Node 1 [] [whole_ (2) 1] (-1)"),
    "bits": ("[whole_ (-2) 2]", "[whole_ (-3) 2]"),
    "bits, a wrong logarithm": ("log_at_most 2 1 (693147180559945310)", "log_at_most 2 1 (693147180559945309)"),
    "bits, other products": ("[g_ 2 0; log_at 2 0 0]", "[g_ 2 0; log_at 2 1 0]"),
    "tree with log 2": ("[whole_ (50) 2]", "[whole_ (49) 2]"),
    "squared bits": ("bits a 1 true", "bits a 0 true"),
    "squared bits, of the risk": ("bits a 1 false", "bits a 1 true"),
    "convex on an interval": ("Convex_here [] [seen_ (ratio_ (1) 2)", "Convex_here [] [seen_ (ratio_ (1) 8)"),
    "convex on an interval, without a tangent": ("; seen_ (ratio_ (1) 1) true true (ratio_ (3) 4)])", "])"),
    "convex between two tangents": (
        "[seen_ (ratio_ (1) 8) true false (ratio_ (1) 16); seen_ (ratio_ (1) 4) true true (ratio_ (1) 4)] ",
        "[] ",
    ),
    "convex between two tangents, of which one ends early": ("seen_ (ratio_ (1) 4)", "seen_ (ratio_ (1) 5)"),
    "tree of risks": ("Leafless)) [whole_ (-1) 1] []", "Leafless)) [whole_ (-1) 1] [whole_ (1) 1]"),
    "tree of risks, in another order": ("Grow (Node 3", "Grow (Node 2"),
    "squares": ("square_less a 1 3", "square_less a 3 1"),
    "squares, another tangent": ("square_above a 1 1 2", "square_above a 1 1 3"),
    "squares, of another subset": ("spread a 3", "spread a 1"),
    "squares of three": ("spread a 1", "spread a 0"),
    "squares of three, of fewer classes": ("About d 1 (Some 3%positive)", "About d 1 (Some 2%positive)"),
    "gains apart": ("gini_apart_or a 1 2", "gini_apart_or a 1 3"),
    "wrong labels": ("multiply a [(Gt, ", "multiply a [(Ge, "),
    "wrong labels, without a product": ("[var 149; var 1]", "[var 1; var 1]"),
    "fall": ("gini_falls_less a 1 3", "gini_falls_less a 3 1"),
    "variance": ("explained_more a 0 eq_refl 1 3", "explained_more a 0 eq_refl 3 1"),
    "variance, of another criterion": ("[explained d]%R", "[gini d]%R"),
    "variance, of few features": ("eq_refl 3]", "eq_refl 1]"),
    "variances apart": ("eq_refl 1 2", "eq_refl 1 3"),
    "variance closed": ("eq_refl 1 2", "eq_refl 1 3"),
    "variance closed, not all states possible": ("2 None true false", "2 None false false"),
    "areas": ("area_less a 0 eq_refl 1 3", "area_less a 0 eq_refl 3 1"),
    "areas, of few features": ("area_most a 0 eq_refl 3", "area_most a 0 eq_refl 1"),
    "areas, of another criterion": ("[auc d]%R", "[gini d]%R"),
    "balanced": ("balanced_falls a 0 eq_refl 1 3", "balanced_falls a 0 eq_refl 3 1"),
    "balanced, of few features": ("balanced_least a 0 eq_refl 3", "balanced_least a 0 eq_refl 1"),
    "balanced, of another criterion": ("[balanced_loss d]%R", "[gini d]%R"),
    "sure in both": ("balanced_certain_or a 0 eq_refl 1", "balanced_certain_or a 0 eq_refl 0"),
    "equal priors": ("equal_priors_or a 0 eq_refl 1", "equal_priors_or a 0 eq_refl 0"),
    "informed": ("balanced_informed_or a 0 eq_refl 1", "balanced_informed_or a 0 eq_refl 0"),
    "prior costs": ("prior_costs_or a 0 eq_refl 1 3", "prior_costs_or a 0 eq_refl 2 3"),
    "prior costs, of another cost": ("d; cost_sensitive_risk d (1 / 3)]", "d; cost_sensitive_risk d (2 / 3)]"),
    "areas of two": ("both_classes_or", "area_chance_or"),
    "area and risk": ("area_cut a 0 eq_refl 1 1 4", "area_cut a 0 eq_refl 1 1 5"),
    "area of nothing": ("area_informed_or a 0 eq_refl 1", "area_informed_or a 0 eq_refl 0"),
    "area of nothing, of another subset": ("area_certain_or a 0 eq_refl 1", "area_certain_or a 0 eq_refl 0"),
    "area and square": ("area_cut_square a 0 eq_refl 1", "area_cut_square a 0 eq_refl 0"),
    "area above loss": ("a 0 eq_refl 1 eq_refl 1]", "a 0 eq_refl 1 eq_refl 0]"),
    "area above loss, at other places": ("a 0 eq_refl 1 eq_refl 1]", "a 1 eq_refl 0 eq_refl 1]"),
    "area below loss": ("eq_refl 1 1 2", "eq_refl 1 1 3"),
    "area and squared loss": ("eq_refl 0 eq_refl 1]", "eq_refl 0 eq_refl 0]"),
    "loss and risk": ("balanced_over_risk a 0 eq_refl 1 1 4", "balanced_over_risk a 0 eq_refl 1 1 5"),
    "costs": ("At a (ratio_ (2) 3)", "At a (ratio_ (1) 3)"),
    "costs, a larger amount": ("[whole_ (-3) 1]", "[whole_ (-4) 1]"),
    "costs, on fewer posteriors": ("(ratio_ (1) 1)", "(ratio_ (3) 4)"),
    "cost in bits": ("(ratio_ (2) 3), [whole_ (-3) 2]", "(ratio_ (2) 3), [whole_ (-3) 3]"),
    "two factors": ("squared a (Plus (Scale (1)", "squared a (Plus (Scale (2)"),
    "little lost, another share": ("Pinsker 1 3 1 10", "Pinsker 1 3 1 11"),
}


@pytest.mark.thorough
@pytest.mark.parametrize("name", FACTS)
def test_coq_rejects_a_fact_that_does_not_hold(name: str, coqc: Compile) -> None:
    claim, shape, _ = OWN[name.partition(",")[0]]
    text = proved(claim, **shape).to_coq()
    old, new = FACTS[name]
    assert old in text
    assert coqc("false_fact", text.replace(old, new)).returncode != 0


@pytest.mark.thorough(2)
def test_coq_reads_comparisons_of_risks_by_the_best_classes_of_states(coqc: Compile) -> None:
    text = coq_theorem(proved_by_class())
    assert "tops [] [0] eq_refl" in text
    assert coqc("by_class", text).returncode == 0
    risks, cells = "[0; 1]%nat = bayes_risk d [0]%nat", "Le (plus [var 1]) (plus [var 0])"
    changes = {risks: risks.replace("=", "<="), cells: "Le (plus [var 1]) (plus [var 2])"}
    changes |= {"Leaf [h0; h1]": "Leaf [h0; h2]", "read_le d [] tops [] [0]": "read_le d [] tops [0] []"}
    for old, new in changes.items():
        assert old in text
        assert coqc("changed_by_class", text.replace(old, new, 1)).returncode != 0


@pytest.mark.thorough(2)
def test_coq_computes_entropies_at_a_counterexample(coqc: Compile) -> None:
    verdict = fs.refute(weak)
    assert isinstance(verdict, Refuted)
    text = verdict.certificate.to_coq()
    assert "joint_entropy d []%nat" in statement(text)
    assert "(bayes_risk d []%nat) <= (1 / 10)" in statement(text)
    done = coqc("weak", text)
    assert (done.returncode, done.stderr) == (0, "")
    weights = re.search(r"weights : list Z := \[(.*)\]%Z", text)
    assert weights is not None
    numbers = weights[1].split("; ")
    certain = [str(sum(map(int, numbers))), *["0"] * (len(numbers) - 1)]  # where the claim is true
    assert coqc("certain", text.replace(weights[1], "; ".join(certain))).returncode != 0
    for old, new in (("<= (1 / 10)", "<= (9 / 10)"), ("~ (", "("), ("Ratio (1) 10", "Ratio (9) 10")):
        assert old in text
        assert coqc("changed", text.replace(old, new, 1)).returncode != 0


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("name", "changes"),
    [
        ("told", {("[1]%nat [0]%nat", "[0]%nat [1]%nat"), ("[1]%nat [0]%nat", "[1]%nat []%nat"), ("class d", "1")}),
        ("minimal", {("2 [1]%nat) ", "2 [0]%nat) ")}),
        ("boundary", {("2 [0]%nat) ", "2 [1]%nat) "), ("markov_boundary", "minimal_optimal")}),
        ("ratios", {("/ (entropy d [0]", "/ (entropy d [1]"), ("/ (", "* ("), ("<= 2", "<= 1")}),
        ("values", {("2 1 <=", "2 0 <="), ("bayes_risk d) 2 0)", "gini d) 2 0)")}),
        ("values of information", {("2 0 <=", "2 1 <="), ("[class d]) 2", "[class d; 0%nat]) 2")}),
    ],
)
def test_coq_rejects_a_notion_that_is_about_something_else(
    name: str, changes: set[tuple[str, str]], coqc: Compile
) -> None:
    claim, shape, _ = OWN[name]
    text = proved(claim, **shape).to_coq()
    for old, new in sorted(changes):
        assert old in text
        assert coqc("other_notion", text.replace(old, new, 1)).returncode != 0  # in the statement
        assert coqc("other_notions", text.replace(old, new)).returncode != 0  # and in the proof


@pytest.mark.thorough
@pytest.mark.parametrize("name", ["statement", "fun", "Cases", "h0", 'an open " string', "(*) or *)"])
def test_no_name_of_a_claim_breaks_its_file(name: str, coqc: Compile) -> None:
    named = fs.claim(lambda m: m.risk("X1") <= m.risk(()), name=name)
    assert coqc("named", proved(named, features=1).to_coq()).returncode == 0


REFUSED: list[Refusal] = [
    ("save_coq('A-F3', tmp / 'new')", InvalidValueError, "proof", "an entry with a proof by cases"),
    ("save_coq(3, tmp / 'new')", InvalidTypeError, "proof", "a proof, a certificate"),
    ("save_coq('PN-M', tmp)", OutputError, "folder", "the name of a new folder"),
    ("coq_theorem({'kind': 'refuted'})", InvalidValueError, "certificate", "what the Coq library"),
]
test_bad_calls_are_refused = refusals(REFUSED, {"save_coq": save_coq, "coq_theorem": coq_theorem})


def test_a_folder_has_what_its_theorems_import_and_nothing_else(tmp_path: Path) -> None:
    written = save_coq("PN-M", tmp_path / "new")
    names = ["Cases", "Sums", "Maxima", "Distributions", "EverySize", "OneShape"]
    names += ["claim_PN_M_proof_every_3", "claim_PN_M_proof_2x2_2"]
    assert [path.name for path in written] == [*(f"{name}.v" for name in names), "README.md"]
    readme = written[-1].read_text(encoding="utf-8")
    assert f"for file in {' '.join(names)}; do coqc -Q . FS $file.v" in readme
    assert "Entropies" not in readme
    few, many = (set(library([proved(claim, features=3).to_coq()])) for claim in (solution, shared))
    needed = {"Cases.v", "Sums.v", "Maxima.v", "Distributions.v", "EverySize.v"}
    assert few == needed | {"Minimal.v"}
    others = {"Realizable", "TheoremR", "BestClasses", "Weights", "Shapley", "Minimal", "Boundary", "Quotients"}
    others |= {"Explained", "Falls", "Known", "Orthogonal", "Polynomials", "Further"}  # of the theorem in Further.v
    others |= {"Ranking", "Areas", "PerState", "Balanced", "Costs", "CostTrees", "Bits"}
    assert many == {f"{name}.v" for name in {*LIBRARY} - others}
    by_class = coq_theorem(proved_by_class())
    assert "\n  rewrite !(read_le d [] tops [] [0] eq_refl)." in by_class
    assert set(library([by_class])) == needed | {"OneShape.v", "BestClasses.v"}


def test_the_audit_names_what_coq_has_accepted() -> None:
    row = audit_entry(claims["PN-M"])
    assert "PN-M-proof-every-3.json" in row.by_coq
    assert str(row).endswith("; Coq has accepted 2 of 2 certificates")
    page = audit_markdown(Audit([row]))
    assert "| true (M, P, Coq) |" in page
    assert page.count("`; Coq 8.16 has accepted it; `fstheory prove PN-M --") == 2


@pytest.mark.parametrize(("right", "mistaken"), [(False, "true"), (True, "false")])
def test_a_line_of_a_coin_is_about_the_error_or_about_its_absence(right: bool, mistaken: str) -> None:
    """In the certificate it is [coin, S, right, share]: of the chance p = 1 - R(S) that is right, or of p = R(S)."""
    space = EverySizeSpace({"features": 2, "classes": 2}, ())
    assert next(iter(space.fact(("coin", 3, right, "1/4"), "a fact")[1])) == 3  # R(S)
    words, unit = kinds._coin(space, 3, right, "1/4")
    assert words.split()[:3] == ["Coin", "3", mistaken]
    assert unit == 4 * 10**6
