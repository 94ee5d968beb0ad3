"""Claims with a mistake in them: the message points at the claim, its file and its line, and says what to write."""

import re
import textwrap
from pathlib import Path
from typing import Any

import pytest

from fstheory import JointDistribution, refute
from fstheory.errors import ClaimError, InvalidTypeError, NotLinearError
from fstheory.logic.claims import Claim, claim, positive
from fstheory.logic.language import Model
from fstheory.logic.statement import Shape
from fstheory.logic.verdict import Holds, Refuted
from tests.logic.writing import complains, load

D = JointDistribution([[[2, 1], [0, 3]], [[1, 1], [4, 0]]])
HERE = Path(__file__)


# The lines after the first; the mistake is in the line marked with <-.
IN_THE_BODY = [
    ("return m.risk(S) <= 1 / 0  # <-", "ZeroDivisionError: division by zero"),
    ("if not S:\n    raise ValueError('no')  # <-\nreturn True", "ValueError: no"),
    ("m.risk(S) <= m.risk(())", "it returned None"),
    ("return m.risk(S)", "its result must be a formula, True or False, not Term(('R', ()))"),
    ("return 1", "its result must be a formula, True or False, not 1"),
    ("return 'true'", "its result must be a formula, True or False, not 'true'"),
    ("return m.risk(S) <= 0.5  # <-", "InvalidTypeError: a number in a claim must be an exact number, not 0.5"),
    ("x = 0.1\nreturn x * m.risk(S) <= 1  # <-", "InvalidTypeError: a number in a claim must be an exact number"),
    ("return m.risk(S) <= True  # <-", "InvalidTypeError: a number in a claim must be an exact number, not True"),
    ("return m.risk(S) <= 'half'  # <-", "InvalidFormatError: a number in a claim must be an exact number, not 'half'"),
    ("return m.risk('X9') <= m.risk(S)  # <-", "UnknownNameError: feature 'X9' does not exist"),
    ("return m.probability({'X1': 2}) <= m.risk(S)  # <-", "UnknownNameError: state of X1 2 does not exist"),
    ("return m.probability({'X1': 0}, 'no') <= m.risk(S)  # <-", "UnknownNameError: class 'no' does not exist"),
    (
        "return m.probability('X1') <= m.risk(S)  # <-",
        "InvalidTypeError: state must be a mapping from features to states, not 'X1'",
    ),
    ("return m.error(S) <= 1  # <-", "AttributeError: m.error does not exist"),
    ("return m.riks(S) <= 1  # <-", "AttributeError: m.riks does not exist"),
    ("return m.probability({}, m.classes[2]) <= m.risk(S)  # <-", "IndexError: tuple index out of range"),
    (
        "return m.risk(m.features - 'X1') <= 1  # <-",
        "InvalidTypeError: what is combined with a set of features must be a set, not 'X1'",
    ),
    ("return m.risk(S + m.features) <= 1  # <-", "InvalidTypeError: sets of features cannot be added"),
    (
        "return m.let('a', m.risk()) <= m.let('a', m.risk(()))  # <-",
        "InvalidValueError: name must be that of one term only, not 'a'",
    ),
    ("return m.let('', m.risk()) <= 1  # <-", "InvalidTypeError: name must be a text of printable characters, not ''"),
    ("return m.info('I(X1; X2 | Z)') <= 1  # <-", "UnknownNameError: variable 'Z' does not exist"),
    ("return m.info('I(X1') <= 1  # <-", "InvalidFormatError: quantity must be like 'H(Y | X1)' or 'I(Y"),
    ("return m.predicts(S) & True  # <-", "TypeError: Model.predicts() missing 1 required positional argument: 'y'"),
    ("return m.risk(S | 'X1') <= 1  # <-", "InvalidTypeError: what is combined with a set of features must be a set"),
    ("return m.maximum(m.risk(i) for i in S) <= 1  # <-", "InvalidValueError: terms must be at least one term, not ()"),
    ("return m.risk(S) ** 0.5 <= 1  # <-", "InvalidTypeError: exponent must be an integer from 0 to 16, not 0.5"),
    ("return float(m.risk(S)) <= 1  # <-", "InvalidTypeError: a term is a number"),
    ("return True if m.risk(S) else False  # <-", "InvalidTypeError: a term is a number"),
    ("return (m.risk(S) <= 1) <= 1  # <-", "TypeError: '<=' not supported between instances of 'Formula' and 'int'"),
    ("return (m.risk(S) <= 1) & m.risk(S)  # <-", "InvalidTypeError: a part of a claim must be a formula"),
    ("return m.risk(S) <= 1 & m.risk(S) >= 0  # <-", "TypeError: unsupported operand type(s) for &: 'int' and 'Term'"),
    ("m.features -= {'X1'}  # <-\nreturn True", "AttributeError: a Model is immutable"),
    ("return body(m, S)  # <-", "RecursionError: maximum recursion depth exceeded"),
    ("return {m.risk(S) <= 1: True}  # <-", "TypeError: unhashable type: 'Formula'"),
    *(
        (f"return {branching}  # <-", "InvalidTypeError: a formula is true or false only at a distribution")
        for branching in (
            "m.risk(S) <= 1 and m.risk(S) >= 0",
            "m.risk(S) <= 1 or m.risk(S) >= 0",
            "not m.risk(S) <= 1",
            "0 <= m.risk(S) <= 1",
            "m.risk(S) == m.risk(()) == 0",
            "m.risk(S) <= max(m.risk(S), m.risk(()))",
            "all(m.risk(T) <= 1 for T in m.subsets(S))",
            "m.risk(S) in [m.risk('X1'), m.risk()]",
            "bool(m.risk(S) <= 1)",
            "m.risk(S) <= 1 if m.risk(()) > 0 else True",
        )
    ),
]


@pytest.mark.parametrize(("body", "complaint"), IN_THE_BODY)
@pytest.mark.parametrize("subject", [Shape((2, 2)), D], ids=["shape", "distribution"])
def test_a_body_with_a_mistake(tmp_path: Path, subject: Shape | JointDistribution, body: str, complaint: str) -> None:
    source = f"@claim\ndef wrong(m, S):\n{textwrap.indent(body, '    ')}\nbody = wrong\n"
    wrong: Claim = load(tmp_path, source).wrong
    with complains(tmp_path, source, ClaimError, f", at S = {{}}: {complaint}") as caught:
        wrong.statement(subject)
    assert caught.value.__cause__ is not None or complaint.startswith(("it returned", "its result"))


def test_what_to_write_instead() -> None:
    with pytest.raises(InvalidTypeError, match=r"write & \| ~ for and, or, not, m\.implies\(f, g\) for if, m\.equal"):
        bool(Model(Shape(())).risk() == 0)


# What happens at a distribution only
IRRATIONAL = [
    (lambda m, x: m.risk() / m.probability(x) <= 5, ", at x = (X1=1, X2=0): a divisor in a claim must be other than 0"),
    (lambda m: m.entropy("X1") * m.entropy("X2") <= 5, ": a product with a logarithm and another irrational number"),
    (lambda m, x: m.log(m.probability(x, 0)) <= 0, ", at x = (X1=0, X2=1): argument must be above 0"),
    (lambda m: m.sqrt(m.entropy("X1")) <= 5, ": the argument of a square root in a claim must be rational"),
]


@pytest.mark.parametrize(("body", "complaint"), IRRATIONAL, ids=["divides", "multiplies", "logarithm", "root"])
def test_numbers_that_cannot_be_decided(body: Any, complaint: str) -> None:
    wrong, d = claim(name="wrong")(body), JointDistribution([[[2, 1], [0, 3]], [[0, 0], [4, 0]]])
    for checked in (wrong, claim(assume=[wrong])(lambda m: True)):
        with pytest.raises(
            ClaimError, match=rf"^claim wrong \({re.escape(str(HERE))}, line \d+\){re.escape(complaint)}"
        ):
            checked.check(d)


def test_a_side_that_is_guarded_but_undefined() -> None:
    """The certificate lists the sides of every comparison, so each must have a value."""

    @claim
    def guarded(m: Model) -> Any:
        p = m.probability({"X1": 0})
        return (p > 0) & (m.risk() / p <= 5)

    with pytest.raises(ClaimError, match=r"^claim guarded .*multiply it out: write r <= t \* p for r / p <= t$"):
        guarded.check(JointDistribution([[0, 0], [1, 3]]))


def test_a_claim_about_the_distribution_itself() -> None:
    @claim
    def computed(m: Model) -> bool:
        return m.distribution.total > 3

    assert isinstance(computed.check(JointDistribution([1, 3])), Holds)
    assert isinstance(computed.check(JointDistribution([1, 2])), Refuted)
    with pytest.raises(NotLinearError) as caught:
        computed.statement(Shape(()))
    assert str(caught.value).startswith(f"claim computed ({HERE}, line ")
    assert "can be checked and searched, but not proved" in str(caught.value)


def test_a_claim_that_remembers() -> None:
    """Each instance is asked for once, so what a function remembers cannot make a verdict contradict itself."""
    visited: list[frozenset[str]] = []

    @claim
    def moody(m: Model, S: frozenset[str]) -> Any:
        visited.append(S)
        return m.risk(S) <= len(visited) - 2

    verdict = moody.check(JointDistribution([[1, 1], [1, 1]]))
    assert isinstance(verdict, Refuted)
    assert visited == [frozenset()]  # and no further, once one is false
    assert verdict.where == (("S", []),)


def test_a_search_and_a_statement_point_at_the_claim() -> None:
    @claim
    def multiplies(m: Model) -> Any:
        return m.entropy("X1") * m.entropy("X1", target=True) <= 5

    message = rf"^claim multiplies \({re.escape(str(HERE))}, line \d+\): a product with a logarithm and another"
    with pytest.raises(ClaimError, match=message):
        refute(multiplies, cardinalities=(2,))
    with pytest.raises(ClaimError, match=message):
        multiplies.statement(Shape((2,))).violated_at(JointDistribution([[1, 1], [1, 0]]))
    assert positive.statement(Shape((2,))).violated_at(JointDistribution([[1, 1], [0, 0]]))
