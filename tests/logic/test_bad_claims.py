"""Claims with a mistake in them: the message points at the claim, its file and its line, and says what to write."""

from __future__ import annotations

import re
import textwrap
from pathlib import Path
from typing import Any

import pytest

from fstheory import JointDistribution, refute
from fstheory.errors import ClaimError, InvalidTypeError, NotLinearError
from fstheory.logic import Claim, Holds, Model, Refuted, Shape, claim, positive
from tests.logic.writing import expected, load

D = JointDistribution([[[2, 1], [0, 3]], [[1, 1], [4, 0]]])
HERE = Path(__file__)


# The lines after the first; the mistake is in the line marked with <-.
IN_THE_BODY = [
    ("raises", "return m.risk(S) <= 1 / 0  # <-", "ZeroDivisionError: division by zero"),
    ("raises later", "if not S:\n    raise ValueError('no')  # <-\nreturn True", "ValueError: no"),
    ("returns None", "m.risk(S) <= m.risk(())", "it returned None; return a formula (is a 'return' missing?)"),
    ("returns a term", "return m.risk(S)", "its result must be a formula, True or False, not Term(('R', ())); .*"),
    ("returns a number", "return 1", "its result must be a formula, True or False, not 1; .*"),
    ("returns text", "return 'true'", "its result must be a formula, True or False, not 'true'; .*"),
    (
        "a float",
        "return m.risk(S) <= 0.5  # <-",
        "InvalidTypeError: a number in a claim must be an exact number, not 0.5; a float is binary: .*",
    ),
    (
        "a float on the left",
        "x = 0.1\nreturn x * m.risk(S) <= 1  # <-",
        "InvalidTypeError: a number in a claim must be an exact number, not 0.1; .*",
    ),
    (
        "a truth value as a number",
        "return m.risk(S) <= True  # <-",
        "InvalidTypeError: a number in a claim must be an exact number, not True; .*",
    ),
    (
        "a text that is no number",
        "return m.risk(S) <= 'half'  # <-",
        "InvalidFormatError: a number in a claim must be an exact number, not 'half'; .*",
    ),
    (
        "an unknown feature",
        "return m.risk('X9') <= m.risk(S)  # <-",
        "UnknownNameError: feature 'X9' does not exist; .*",
    ),
    (
        "an unknown state",
        "return m.probability({'X1': 2}) <= m.risk(S)  # <-",
        "UnknownNameError: state of X1 2 does not exist; .*",
    ),
    (
        "an unknown class",
        "return m.probability({'X1': 0}, 'no') <= m.risk(S)  # <-",
        "UnknownNameError: class 'no' does not exist; .*",
    ),
    (
        "no state",
        "return m.probability('X1') <= m.risk(S)  # <-",
        "InvalidTypeError: state must be a mapping from features to states, not 'X1'; .*",
    ),
    (
        "a word that does not exist",
        "return m.error(S) <= 1  # <-",
        "AttributeError: m.error does not exist; use one of: all, any, .*",
    ),
    ("a word with a slip", "return m.riks(S) <= 1  # <-", "AttributeError: m.riks does not exist; .*"),
    (
        "a class that does not exist",
        "return m.probability({}, m.classes[2]) <= m.risk(S)  # <-",
        "IndexError: tuple index out of range; .*",
    ),
    (
        "a name taken from a set",
        "return m.risk(m.features - 'X1') <= 1  # <-",
        "InvalidTypeError: what is combined with a set of features must be a set, not 'X1'; .*",
    ),
    (
        "a sum of sets",
        "return m.risk(S + m.features) <= 1  # <-",
        "InvalidTypeError: sets of features cannot be added; .*",
    ),
    (
        "two terms of one name",
        "return m.let('a', m.risk()) <= m.let('a', m.risk(()))  # <-",
        "InvalidValueError: name must be that of one term only, not 'a'; .*",
    ),
    (
        "a name that cannot be shown",
        "return m.let('', m.risk()) <= 1  # <-",
        "InvalidTypeError: name must be a text of printable characters, not ''; .*",
    ),
    (
        "an unknown variable",
        "return m.info('I(X1; X2 | Z)') <= 1  # <-",
        "UnknownNameError: variable 'Z' does not exist; .*",
    ),
    (
        "no quantity",
        "return m.info('I(X1') <= 1  # <-",
        "InvalidFormatError: quantity must be like 'H(Y | X1)' or 'I(Y; X1, X2 | X3)', not 'I(X1'; at position 4, .*",
    ),
    (
        "an argument too many",
        "return m.predicts(S) & True  # <-",
        "TypeError: Model.predicts() missing 1 required positional argument: 'y'",
    ),
    (
        "a union with a name",
        "return m.risk(S | 'X1') <= 1  # <-",
        "InvalidTypeError: what is combined with a set of features must be a set, not 'X1'; .*",
    ),
    (
        "a maximum of nothing",
        "return m.maximum(m.risk(i) for i in S) <= 1  # <-",
        "InvalidValueError: terms must be at least one term, not (); .*",
    ),
    (
        "a root of a power",
        "return m.risk(S) ** 0.5 <= 1  # <-",
        "InvalidTypeError: exponent must be an integer from 0 to 16, not 0.5; .*",
    ),
    ("a float of a term", "return float(m.risk(S)) <= 1  # <-", "InvalidTypeError: a term is a number .*"),
    ("a term in a test", "return True if m.risk(S) else False  # <-", "InvalidTypeError: a term is a number .*"),
    (
        "a formula as a number",
        "return (m.risk(S) <= 1) <= 1  # <-",
        "TypeError: '<=' not supported between instances of 'Formula' and 'int'",
    ),
    (
        "a number as a formula",
        "return (m.risk(S) <= 1) & m.risk(S)  # <-",
        "InvalidTypeError: a part of a claim must be a formula, True or False, not Term(('R', ())); .*",
    ),
    (
        "precedence",
        "return m.risk(S) <= 1 & m.risk(S) >= 0  # <-",
        "TypeError: unsupported operand type(s) for &: 'int' and 'Term'",
    ),
    ("a change of the model", "m.features -= {'X1'}  # <-\nreturn True", "AttributeError: a Model is immutable; .*"),
    ("endless", "return body(m, S)  # <-", "RecursionError: maximum recursion depth exceeded.*"),
]

BRANCHING = [
    "return m.risk(S) <= 1 and m.risk(S) >= 0",
    "return m.risk(S) <= 1 or m.risk(S) >= 0",
    "return not m.risk(S) <= 1",
    "return 0 <= m.risk(S) <= 1",
    "return m.risk(S) == m.risk(()) == 0",
    "return m.risk(S) <= max(m.risk(S), m.risk(()))",
    "return all(m.risk(T) <= 1 for T in m.subsets(S))",
    "return m.risk(S) in [m.risk('X1'), m.risk()]",
    "return bool(m.risk(S) <= 1)",
    "return m.risk(S) <= 1 if m.risk(()) > 0 else True",
    "return {m.risk(S) <= 1: True}",
]


@pytest.mark.parametrize(("body", "complaint"), [row[1:] for row in IN_THE_BODY], ids=[r[0] for r in IN_THE_BODY])
@pytest.mark.parametrize("subject", [Shape((2, 2)), D], ids=["shape", "distribution"])
def test_a_body_with_a_mistake(tmp_path: Path, subject: Shape | JointDistribution, body: str, complaint: str) -> None:
    source = f"@claim\ndef wrong(m, S):\n{textwrap.indent(body, '    ')}\nbody = wrong\n"
    wrong: Claim = load(tmp_path, source).wrong
    with pytest.raises(ClaimError) as caught:
        wrong.statement(subject)
    assert type(caught.value) is ClaimError
    assert re.fullmatch(expected(tmp_path, source, "wrong", "S = {}", complaint), str(caught.value)), str(caught.value)
    assert "\n" not in str(caught.value)
    if ": it returned" not in str(caught.value) and ": its result" not in str(caught.value):
        assert caught.value.__cause__ is not None


@pytest.mark.parametrize("body", BRANCHING)
def test_a_formula_has_no_truth_value(tmp_path: Path, body: str) -> None:
    source = f"@claim\ndef wrong(m, S):\n    {body}  # <-\n"
    with pytest.raises(ClaimError) as caught:
        load(tmp_path, source).wrong.check(D)
    if body.startswith("return {"):
        complaint = "TypeError: unhashable type: 'Formula'"
    else:
        complaint = (
            "InvalidTypeError: a formula is true or false only at a distribution, so Python cannot branch on it; .*"
        )
    assert re.fullmatch(expected(tmp_path, source, "wrong", "S = {}", complaint), str(caught.value)), str(caught.value)


def test_what_to_write_instead() -> None:
    with pytest.raises(InvalidTypeError) as caught:
        bool(Model(Shape(())).risk() == 0)
    assert str(caught.value) == (
        "a formula is true or false only at a distribution, so Python cannot branch on it; write & | ~ for and, or,"
        " not, m.implies(f, g) for if, m.equal(a, b, c) or (a <= b) & (b <= c) for a chain of comparisons, and m.all,"
        " m.any, m.maximum, m.minimum for all, any, max, min"
    )


# What happens at a distribution only


def test_numbers_that_cannot_be_decided() -> None:
    @claim
    def divides(m: Model, x: Any) -> Any:
        return m.risk() / m.probability(x) <= 5

    @claim
    def multiplies(m: Model) -> Any:
        return m.entropy("X1") * m.entropy("X2") <= 5

    @claim
    def logarithm(m: Model, x: Any) -> Any:
        return m.log(m.probability(x, 0)) <= 0

    @claim
    def root(m: Model) -> Any:
        return m.sqrt(m.entropy("X1")) <= 5

    d = JointDistribution([[[2, 1], [0, 3]], [[0, 0], [4, 0]]])
    place = re.escape(str(HERE))
    for wrong, message in [
        (divides, r"line \d+\), at x = \(X1=1, X2=0\): a divisor in a claim must be other than 0, not 0; multiply it "),
        (multiplies, r"line \d+\): a product with a logarithm and another irrational number has no exact form here$"),
        (logarithm, r"line \d+\), at x = \(X1=0, X2=1\): argument must be above 0, not "),
        (
            root,
            r"line \d+\): the argument of a square root in a claim must be rational, not .*; square the comparison$",
        ),
    ]:
        with pytest.raises(ClaimError, match=rf"^claim {wrong.name} \({place}, {message}"):
            wrong.check(d)
    assumed = claim(assume=[divides])(lambda m: True)
    with pytest.raises(ClaimError, match=r"^claim divides .*a divisor in a claim must be other than 0"):
        assumed.check(d)


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
    asked: list[frozenset[str]] = []

    @claim
    def moody(m: Model, S: frozenset[str]) -> Any:
        asked.append(S)
        return m.risk(S) <= len(asked) - 2

    verdict = moody.check(JointDistribution([[1, 1], [1, 1]]))
    assert isinstance(verdict, Refuted)
    assert asked == [frozenset()]  # and no further, once one is false
    assert verdict.where == (("S", []),)


@pytest.mark.parametrize("d", [None, [[1, 2]], Shape((2,)), "xor"])
def test_only_distributions_are_checked(d: Any) -> None:
    with pytest.raises(InvalidTypeError, match="d must be a JointDistribution"):
        positive.check(d)
    if not isinstance(d, Shape):
        with pytest.raises(InvalidTypeError, match="subject must be a Shape or a JointDistribution"):
            positive.statement(d)


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
