"""The referee, asked about claims whose faults are known."""

import re
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest

import fstheory as fs
from fstheory.errors import ClaimError, InvalidValueError, NotLinearError
from fstheory.logic.verdict import Proved, Refuted
from fstheory.proofs.referee import RefereeReport

TRUE = "Is the claim true?"
TOGETHER, CONVERSE = "Can the premises hold together?", "Is the converse true?"
SHARP, WEAKER = "Is the bound sharp?", "Is a weaker bound true?"
THEOREM, EVERY = "Does a theorem of the ledger imply it?", "Is it proved for every number of features?"


def asked(body: Callable[..., Any], **options: Any) -> tuple[RefereeReport, dict[str, str], dict[str, str]]:
    """Return the report on a claim, its answers, and its reasons, by the questions. Certificates are verified."""
    assume, disjoint = options.pop("assume", ()), options.pop("disjoint", False)
    report = fs.referee(fs.claim(body, name="it", assume=assume, disjoint=disjoint), **options)
    for answer in report.answers:
        if isinstance(answer.evidence, Proved | Refuted):
            fs.check_certificate(answer.evidence.certificate)
    answers = {answer.question: answer.answer for answer in report.answers}
    return report, answers, {answer.question: answer.reason for answer in report.answers}


def needed(answers: dict[str, str]) -> dict[str, str]:
    """Return the answers about premises and assumptions, by the text of each."""
    asks = re.compile(r"Is the (?:premise|assumption) (.*?)(?: \(i = .*\))? needed\?")
    return {match[1]: answer for question, answer in answers.items() if (match := asks.fullmatch(question))}


@pytest.mark.thorough
def test_a_superfluous_premise_and_assumption_are_found() -> None:
    def told(m: fs.Model, i: str) -> Any:
        return m.implies((m.mutual_information(i) == 0) & (m.risk(i) > Fraction(1, 4)), m.risk(i) == m.risk(()))

    _, answers, reasons = asked(told, features=1, assume=["positive"])
    assert answers[TRUE] == answers[TOGETHER] == answers[EVERY] == "yes"
    assert needed(answers) == {"positive": "no", "I(Y; X1) = 0": "yes", "1/4 < R({X1})": "no"}
    assert answers[CONVERSE] == "no"
    assert "every number of features" in reasons["Is the assumption positive needed?"]


@pytest.mark.thorough
def test_sums_over_features_are_proved_or_refuted_for_every_number() -> None:
    def han(m: fs.Model) -> Any:
        return (len(m.order) - 1) * m.entropy() <= m.sum(m.entropy(m.features - {i}) for i in m.order)

    def three(m: fs.Model) -> Any:
        return m.sum(m.entropy(i) for i in m.order) <= 3 * m.entropy()

    _, answers, reasons = asked(han, features=2)
    assert (answers[TRUE], answers[EVERY]) == ("in part", "yes")
    assert "means over all subsets of equal size" in reasons[EVERY]
    _, answers, reasons = asked(three, features=2)
    assert (answers[TRUE], answers[EVERY]) == ("in part", "no")
    assert "A counterexample is" in reasons[EVERY]


def test_premises_that_contradict_each_other_end_the_report() -> None:
    def empty(m: fs.Model, i: str) -> Any:
        return m.implies((m.risk(i) < "1/3") & (m.risk(i) > "1/2"), m.risk(()) == 1)

    report, answers, reasons = asked(empty, features=1)
    assert report.answers[-1].question == TOGETHER
    assert answers[TOGETHER] == "no"
    assert reasons[TRUE].startswith("It says nothing")
    _, answers, reasons = asked(lambda m: m.risk("X1") == m.risk("X1"), features=1)
    assert list(answers) == [TRUE]
    assert reasons[TRUE].startswith("It says nothing here")


@pytest.mark.thorough(2)
def test_a_converse_is_proved() -> None:
    _, answers, _ = asked(lambda m: m.implies(m.risk("X1") == 0, m.conditional_entropy("X1") == 0), features=1)
    assert (answers[TRUE], answers[CONVERSE]) == ("in part", "yes")
    _, answers, _ = asked(lambda m: m.implies(m.risk("X1") != 0, m.conditional_entropy("X1") != 0), features=1)
    assert (answers[TRUE], answers[CONVERSE]) == ("in part", "yes")


@pytest.mark.parametrize(
    ("claimed", "answer", "words"),
    [
        ("1/2", "yes", "Both sides are equal for JointDistribution([[0, 1], [1, 0]])"),
        pytest.param("3/4", "no", "with 1/2 in place of 3/4", marks=pytest.mark.thorough),
        ("1/4", "yes", "with 1/2 in place of 1/4"),
    ],
)
def test_the_sharp_constant_is_named(claimed: str, answer: str, words: str) -> None:
    def saved(m: fs.Model) -> Any:
        return m.risk(()) - m.risk("X1") <= claimed

    report, answers, reasons = asked(saved, features=1, classes=2)
    question = WEAKER if claimed == "1/4" else SHARP
    assert report.status == ("refuted" if claimed == "1/4" else "proved")
    assert answers[question] == answer
    assert words in reasons[question]


@pytest.mark.thorough
def test_a_factor_of_the_right_side_is_tried() -> None:
    _, answers, reasons = asked(lambda m, S: m.risk(S) <= m.conditional_entropy(S, base=2), features=1)
    assert answers[SHARP] == "no"
    assert reasons[SHARP].startswith("For 1 feature")
    assert "even with 1/2 of its right side. A factor of 15/32 at the right side is too small" in reasons[SHARP]
    assert reasons[THEOREM].startswith("It follows by arithmetic from HR-1")


@pytest.mark.thorough
def test_theorems_of_the_ledger_are_named() -> None:
    _, answers, reasons = asked(lambda m, S, i: m.risk(S | {i}) <= m.risk(S), features=2)
    assert answers[THEOREM] == "yes"
    assert reasons[THEOREM].startswith("It says the same as PN-M")
    assert "31/32 at the right side is too small" in reasons[SHARP]
    _, _, reasons = asked(lambda m, S: m.risk(S) <= m.conditional_entropy(S, base=2), features=1, classes=3)
    assert reasons[THEOREM].startswith("It follows by arithmetic from HR-1")  # the weaker one of two
    _, answers, reasons = asked(lambda m: m.implies(m.risk() > "1/3", m.risk() > "1/4"), features=1)
    assert answers[THEOREM] == "no"
    assert "arithmetic alone, and needs no theorem" in reasons[THEOREM]


def test_a_false_claim_is_read_on() -> None:
    _, answers, reasons = asked(lambda m: m.implies(m.risk("X1") >= "1/4", m.risk() <= "1/2"), features=1)
    assert answers[TRUE] == answers[CONVERSE] == "no"
    assert answers["Is it true with two classes?"] == "yes"
    assert "with 1 in place of 1/2" in reasons[WEAKER]
    assert "approached, and not attained" in reasons[WEAKER]


def test_a_false_claim_with_a_true_converse_is_no_equivalence() -> None:
    _, answers, reasons = asked(
        lambda m: m.implies(m.risk("X1") == m.risk(()), m.mutual_information("X1") == 0), features=1
    )
    assert (answers[TRUE], answers[CONVERSE]) == ("no", "yes")
    assert "equivalent" not in reasons[CONVERSE]


@pytest.mark.thorough
def test_a_proof_for_few_features_is_no_proof_for_more() -> None:
    """Of PN-8r, 2 features are proved, 3 are refuted after some seconds, and its assumptions are superfluous for 2."""
    report = fs.referee("PN-8r", time_limit=3)
    assert report.status != "proved"
    assert report.answers[0].answer != "yes"


@pytest.mark.thorough
def test_claims_about_states_and_subsets_that_do_not_overlap() -> None:
    def likely(m: fs.Model, x: Any) -> Any:
        return m.implies(m.probability(x) > "1/2", m.probability(x) <= 1)

    report, answers, _ = asked(likely, cardinalities=(2,))
    assert "2 states, 2 classes" in report.answers[0].reason
    assert "no" in needed(answers).values()

    def apart(m: fs.Model, S: Any, T: Any) -> Any:
        return m.risk(S) - m.risk(S | T) <= "3/4"

    _, _, reasons = asked(apart, features=1, classes=2, disjoint=True)
    assert "with 1/2 in place of 3/4" in reasons[SHARP]


def test_what_cannot_be_read_is_refused() -> None:
    with pytest.raises(InvalidValueError, match="an entry about one distribution"):
        fs.referee("PN-1")
    with pytest.raises(NotLinearError, match=r"m\.distribution exists only where"):
        fs.referee(fs.claim(lambda m: m.distribution.total > 0, name="own"))
    with pytest.raises(ClaimError, match="return a comparison"):
        fs.referee(fs.claim(lambda m: m.risk("X1"), name="value"), features=1)
    report = fs.referee("PN-3", time_limit=0.0001)
    assert (report.status, report.answers[0].answer) == ("undecided", "not decided")
