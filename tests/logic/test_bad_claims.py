"""Claims with a mistake in them: the message points at the claim, its file and its line, and says what to write."""

import functools
import re
import runpy
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from fstheory import JointDistribution, prove, refute
from fstheory.errors import ClaimError, FSTheoryError, InvalidTypeError, NotLinearError, UnknownNameError
from fstheory.logic.claims import claim, positive, unique_maximum
from fstheory.logic.language import Model
from fstheory.logic.statement import Shape
from fstheory.logic.verdict import Holds, Refuted

HERE = Path(__file__)


def complains(folder: Path, source: str, error: type[Exception], complaint: str) -> None:
    """Require an error about the claim ``wrong`` that names the marked line of its file, or that of the claim.

    It is raised where the claim is declared, or where it is spelled out.
    """
    path = folder / "conjecture.py"
    path.write_text(f"from fstheory.logic import claim, positive\n{source}", encoding="utf-8")
    lines = list(enumerate(source.splitlines(), start=2))
    marked = [number for number, text in lines if text.endswith("# <-")]
    line = marked[0] if marked else next(number for number, text in lines if text.startswith("@claim"))
    with pytest.raises(error) as caught:
        runpy.run_path(str(path))["wrong"].statement(Shape((2, 2)))
    assert type(caught.value) is error
    message = str(caught.value)
    assert message.startswith(f"claim wrong ({path}, line {line}){complaint}"), message
    assert "\n" not in message


# What the body returns, or an expression in it; the mistake is in the line marked with <-
RETURNED = [
    ("m.parameter('S', above=0, below=1) < 1", "a parameter must be named unlike a variable, not ['S']; rename it"),
    ("m.risk(S)", "its result must be a formula, True or False, not Term(('R', ()))"),
    ("1", "its result must be a formula, True or False, not 1"),
    ("None", "it returned None"),
]
RAISED = [
    ("m.risk(S) <= 1 / 0", "ZeroDivisionError: division by zero"),
    ("m.risk(S) <= 0.5", "InvalidTypeError: a number in a claim must be an exact number, not 0.5"),
    ("0.1 * m.risk(S) <= 1", "InvalidTypeError: a number in a claim must be an exact number"),
    ("m.risk(S) <= True", "InvalidTypeError: a number in a claim must be an exact number, not True"),
    ("m.risk(S) <= 'half'", "InvalidFormatError: a number in a claim must be an exact number, not 'half'"),
    ("m.risk(['X9']) <= m.risk(S)", "UnknownNameError: feature 'X9' does not exist; use one of: 'X1', 'X2'"),
    ("m.risk('X1,X2') <= m.risk(S)", "UnknownNameError: subset: feature 'X1,X2' does not exist; use one of: 'X1',"),
    ("m.entropy('X1 and X2') <= 1", "UnknownNameError: subset: variable 'X1 and X2' does not exist; use one of: 'X1"),
    ("m.probability({'X1': 2}) <= m.risk(S)", "UnknownNameError: state of X1 2 does not exist"),
    ("m.probability({'X1': 0}, 'no') <= m.risk(S)", "UnknownNameError: class 'no' does not exist"),
    ("m.probability('X1') <= 1", "InvalidTypeError: state must be a mapping from features to states, not 'X1'"),
    ("m.error(S) <= 1", "AttributeError: m.error does not exist; use one of: all, alone, any, auc, balanced"),
    ("m.riks(S) <= 1", "AttributeError: m.riks does not exist; did you mean m.risk?"),
    ("m.probability({}, m.classes[2]) <= 1", "IndexError: tuple index out of range; here are 2 x 2 states, 2 classes"),
    ("m.risk(m.features - 'X1') <= 1", "InvalidTypeError: what is combined with a set of features must be a set, not "),
    ("m.risk(S + m.features) <= 1", "InvalidTypeError: sets of features cannot be added"),
    ("m.let('a', m.risk()) <= m.let('a', 1)", "InvalidValueError: name must be that of one term only, not 'a'"),
    ("m.parameter('t', above=1, below='1/2') < 1", "InvalidValueError: below must be "),
    ("m.parameter('t', above=0.5, below=1) < 1", "InvalidTypeError: above must be an exact number, not 0.5"),
    *(
        (
            f"m.parameter({name!r}, above=0, below=1) < 1",
            f"InvalidValueError: name must be a word, of no variable, not {name!r}",
        )
        for name in ("X1", "Y", "two words", "1st")
    ),
    ("m.parameter(1, above=0, below=1) < 1", "InvalidTypeError: name must be a text of printable characters, not 1"),
    ("m.parameter('t\\n', above=0, below=1) < 1", "InvalidTypeError: name must be a text of printable characters, not"),
    ("m.sum(m.parameter('t', above=0, below=b) for b in (1, 2)) < 1", "InvalidValueError: name must be that of one"),
    ("m.count([], at_least=-1)", "InvalidValueError: at_least must be at least 0, not -1"),
    ("m.let('', m.risk()) <= 1", "InvalidTypeError: name must be a text of printable characters, not ''"),
    ("m.info('I(X1; X2 | Z)') <= 1", "UnknownNameError: variable 'Z' does not exist"),
    ("m.info('I(X1') <= 1", "InvalidFormatError: quantity must be like 'H(Y | X1)' or 'I(Y"),
    ("m.predicts(S) & True", "TypeError: Model.predicts() missing 1 required positional argument: 'y'"),
    ("m.maximum(m.risk(i) for i in S) <= 1", "InvalidValueError: terms must be at least one term, not ()"),
    ("m.risk(S) ** 0.5 <= 1", "InvalidTypeError: exponent must be an integer from 0 to 16, not 0.5"),
    ("float(m.risk(S)) <= 1", "InvalidTypeError: a term is a number"),
    ("len(m.risk(S)) <= 1", "InvalidTypeError: a term is a number for each distribution and has no length; len(S) "),
    ("True if m.risk(S) else False", "InvalidTypeError: a term is a number"),
    ("(m.risk(S) <= 1) <= 1", "TypeError: '<=' not supported between instances of 'Formula' and 'int'"),
    ("(m.risk(S) <= 1) & m.risk(S)", "InvalidTypeError: a part of a claim must be a formula"),
    ("m.risk(S) <= 1 & m.risk(S) >= 0", "TypeError: unsupported operand type(s) for &: 'int' and 'Term'"),
    ("setattr(m, 'features', S)", "AttributeError: a Model is immutable; compute a new value instead of setting m."),
    ("delattr(m, 'order')", "AttributeError: a Model is immutable; m.order cannot be deleted"),
    ("wrong(m, S)", "RecursionError: maximum recursion depth exceeded"),
    ("{m.risk(S) <= 1: True}", "TypeError: unhashable type: 'Formula'"),
    *(
        (branching, "InvalidTypeError: a formula is true or false only at a distribution, so Python cannot branch on")
        for branching in ("m.risk(S) <= 1 and m.risk(S) >= 0", "0 <= m.risk(S) <= 1", "max(m.risk(S), m.risk(()))")
    ),
]


@pytest.mark.parametrize(("returned", "complaint"), [*RETURNED, *((f"{text}  # <-", said) for text, said in RAISED)])
def test_a_body_with_a_mistake(tmp_path: Path, returned: str, complaint: str) -> None:
    source = f"@claim\ndef wrong(m, S):\n    return {returned}\n"
    complains(tmp_path, source, ClaimError, f", at S = {{}}: {complaint}")


# What happens at a distribution only
IRRATIONAL = [
    (lambda m, x: m.risk() / m.probability(x) <= 5, "at x = .*: a divisor in a claim must be other than 0"),
    (lambda m: m.entropy("X1") * m.sqrt(2) <= 5, ": a number beside logarithms must be rational"),
    (lambda m, x: m.log(m.probability(x, 0)) <= 0, "at x = .*: argument must be above 0"),
    (lambda m: m.sqrt(m.entropy("X1")) <= 5, ": the argument of a square root in a claim must be rational"),
    (lambda m: m.risk() / m.parameter("t", above=0, below=1) <= 5, ": a parameter of a claim cannot be multiplied"),
]


@pytest.mark.parametrize(("body", "complaint"), IRRATIONAL, ids=["divides", "multiplies", "log", "root", "free"])
def test_numbers_that_cannot_be_decided(body: Any, complaint: str) -> None:
    """Whether the claim is checked, assumed, searched, or violated."""
    wrong, d = claim(name="wrong")(body), JointDistribution([[[2, 1], [0, 3]], [[0, 0], [4, 0]]])
    ways: list[Callable[[], object]] = [
        lambda: wrong.check(d),
        lambda: claim(assume=[wrong])(lambda m: True).check(d),
        lambda: wrong.statement(Shape((2, 2))).violated_at(d),
        lambda: refute(wrong, cardinalities=(2, 2)),
    ]
    for way in ways:
        with pytest.raises(ClaimError, match=rf"^claim wrong \({re.escape(f'{HERE}')}, line \d+\).*{complaint}"):
            way()


def test_a_parameter_beside_a_logarithm_is_decided() -> None:
    """It is refuted at a rational value between log 2 and 1."""
    below = claim(name="below")(lambda m: m.parameter("t", above=0, below=1) < m.log(2))
    found = below.check(JointDistribution([1, 2]))
    assert isinstance(found, Refuted)
    assert Fraction("693147180560/1000000000000") < Fraction(dict(found.where)["t"]) < 1


def test_a_side_that_is_guarded_but_undefined() -> None:
    """The certificate lists the sides of every comparison, so each must have a value."""
    p_is_0 = JointDistribution([[0, 0], [1, 3]])
    guarded = claim(lambda m: (m.probability({"X1": 0}) > 0) & (m.risk() / m.probability({"X1": 0}) <= 5))
    with pytest.raises(ClaimError, match=r"^claim <lambda> .*multiply it out: write r <= t \* p for r / p <= t$"):
        guarded.check(p_is_0)


def test_a_claim_about_the_distribution_itself() -> None:
    computed = claim(lambda m: m.distribution.total > 3)
    assert isinstance(computed.check(JointDistribution([1, 3])), Holds)
    assert isinstance(computed.check(JointDistribution([1, 2])), Refuted)
    message = rf"^claim <lambda> \({re.escape(str(HERE))}, line .* can be checked and searched, but not proved"
    with pytest.raises(NotLinearError, match=message):
        computed.statement(Shape(()))


def test_an_exception_that_cannot_be_told() -> None:
    class Mute(Exception):
        def __str__(self) -> str:
            raise ValueError("no text")

    @claim
    def raising(m: Any) -> Any:
        raise Mute

    with pytest.raises(ClaimError, match=r"Mute \(whose text cannot be had: its __str__ fails\)"):
        raising.check(JointDistribution([1, 1]))


# Declared wrongly

ASSUMING_ASSUMES = "@claim(assume=[claim(assume=[positive])(lambda m: True)])"
DECLARED: list[tuple[str, type[FSTheoryError], str]] = [
    ("@claim\ndef wrong()", ClaimError, "a parameter must be a model and then the variables, not no argument"),
    ("@claim\ndef wrong(m, size)", ClaimError, "a variable must be i, j, k, l (features), A .. W (subsets),"),
    ("@claim\ndef wrong(m, i=0)", ClaimError, "a parameter must be without a default, not i"),
    ("@claim\ndef wrong(m, i=10**5000)", ClaimError, "a parameter must be without a default, not i"),
    ("@claim\ndef wrong(m, *, k)", ClaimError, "a parameter must be given a default, as a constant, not k"),
    ("@claim\ndef wrong(m, *sets)", ClaimError, "a parameter must be a variable for each argument, not *sets"),
    ("@claim\ndef wrong(m, **sets)", ClaimError, "a parameter must be a variable for each argument, not **sets"),
    ("@claim(where={'T': 'subset'})", ClaimError, "where must be about the variables ['S'], not 'T'"),
    ("@claim(where={'S': 'set'})", ClaimError, "where['S'] must be 'feature', 'subset', 'state'"),
    ("@claim(where=['S'])", InvalidTypeError, "where must be a mapping, not ['S']"),
    ("@claim(assume=['postive'])", UnknownNameError, "assumption 'postive' does not exist; did you mean 'positive'?"),
    ("@claim(assume=None)", InvalidTypeError, "assume must be claims or their names, not None; write ['positive']"),
    (ASSUMING_ASSUMES, ClaimError, "assume must be made of claims that assume nothing themselves, not '<lambda>'"),
    ("@claim(assume=[positive, claim(name='positive')(lambda m: True)])", ClaimError, "assume must be of distinct"),
    ("@claim(name='')", InvalidTypeError, "name must be a text of printable characters, not ''"),
    ("@claim(name=3)", InvalidTypeError, "name must be a text of printable characters, not 3"),
]


@pytest.mark.parametrize(("source", "error", "complaint"), DECLARED)
def test_a_declaration_with_a_mistake(tmp_path: Path, source: str, error: type[FSTheoryError], complaint: str) -> None:
    source += (":" if "def " in source else "\ndef wrong(m, S):") + "\n    return True\n"
    complains(tmp_path, source, error, f": {complaint}")


def test_what_is_assumed_may_be_named_and_one_assumption_need_not_be_listed() -> None:
    both: list[Any] = ["positive", unique_maximum]
    assert claim(small, assume=both) == claim(small, assume=iter(both)) == claim(small, assume=[positive, both[1]])
    assert claim(small, assume="positive") == claim(small, assume=positive) == claim(small, assume=["positive"])
    assert prove(claim(small, assume=["positive"]), cardinalities=[2]).status == "refuted"


def small(m: Model) -> Any:
    return m.risk() < "1/4"


def test_a_function_may_come_with_the_options() -> None:
    """None of them is ignored."""
    options: dict[str, Any] = {"assume": [positive], "where": {"some": "subset"}, "disjoint": True, "name": "some"}
    body: Any = lambda m, some, T: not some & T  # noqa: E731
    made = claim(body, **options)
    assert made == claim(**options)(body)
    assert (made.name, made.assumptions, made.disjoint) == ("some", (positive,), True)
    assert isinstance(made.without("positive").check(JointDistribution([[1], [1]])), Holds)


# Any callable is found: an object that is called like a function, its method, a partial application, a decorated one


class Conjecture:
    def __init__(self, bound: Any) -> None:
        self.bound = bound

    def __call__(self, m: Model, S: Any) -> Any:
        return m.risk(S) <= self.bound  # called

    def method(self, m: Model, S: Any) -> Any:
        return m.risk(S) <= self.bound  # method


def bounded(m: Model, S: Any, *, bound: Any = "1/3") -> Any:
    return m.risk(S) <= bound  # bounded


@functools.wraps(bounded)
def decorated(*values: Any) -> Any:
    return bounded(*values, bound=0.5)


#: Callables that compare with a float, and the line that is to be named: the innermost one of the file.
PLACES: list[tuple[Callable[..., Any], str, str]] = [
    (lambda m, S: m.risk(S) <= 0.5, "<lambda>", "(lambda m, S: m.risk(S) <= 0.5,"),
    (Conjecture(0.5), "Conjecture", "# called"),
    (Conjecture(0.5).method, "method", "# method"),
    (functools.partial(bounded, bound=0.5), "bounded", "# bounded"),
    (decorated, "bounded", "# bounded"),
]


@pytest.mark.parametrize(("wrong", "name", "marker"), PLACES, ids=[f"{row[1]} {i}" for i, row in enumerate(PLACES)])
def test_any_callable_is_found(wrong: Callable[..., Any], name: str, marker: str) -> None:
    line = next(i for i, text in enumerate(HERE.read_text("utf-8").splitlines(), start=1) if marker in text)
    with pytest.raises(ClaimError) as caught:
        claim(wrong).statement(Shape((2,)))
    assert str(caught.value).startswith(f"claim {name} ({HERE}, line {line}), at S = {{}}: ")


def test_any_callable_can_be_right() -> None:
    d = JointDistribution([[1, 1], [1, 1]])
    right: list[Any] = [Conjecture("1/2"), functools.partial(bounded, bound="1/2")]
    wrong = [Conjecture("1/3").method, bounded]  # the constant after the star is no variable
    assert [bool(claim(function).check(d)) for function in (*right, *wrong)] == [True, True, False, False]


def test_without_source() -> None:
    """A claim typed at a prompt has no file, and a function of C no place; the message has what there is."""
    noted: dict[str, Any] = {"claim": claim}
    exec(compile("@claim\ndef typed(m, S):\n    return m.risk(S) <= 0.5\n", "<prompt>", "exec"), noted)
    with pytest.raises(ClaimError, match=r"^claim typed \(<prompt>, line 3\), at S = \{\}: InvalidTypeError: a number"):
        noted["typed"].statement(Shape((2,)))
    with pytest.raises(ClaimError, match=r"^claim print: a parameter must be "):
        claim(print)  # type: ignore[arg-type]
