"""Claims with a mistake in them: the message points at the claim, its file and its line, and says what to write."""

import contextlib
import functools
import importlib.util
import re
import textwrap
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from fstheory import JointDistribution, refute
from fstheory.errors import ClaimError, FSTheoryError, InvalidTypeError, NotLinearError
from fstheory.logic.claims import Claim, claim, positive
from fstheory.logic.expressions import Formula
from fstheory.logic.language import Model
from fstheory.logic.statement import Shape
from fstheory.logic.verdict import Holds, Refuted

HERE = Path(__file__)


def load(folder: Path, source: str) -> ModuleType:
    """Write a module and import it."""
    path = folder / "conjecture.py"
    path.write_text("from fstheory.logic import claim, positive\n" + textwrap.dedent(source), encoding="utf-8")
    spec = importlib.util.spec_from_file_location("conjecture", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@contextlib.contextmanager
def complains(folder: Path, source: str, error: type[Exception], complaint: str) -> Iterator[Any]:
    """Require an error about the claim ``wrong`` that names the marked line of the source, or that of the claim."""
    lines = list(enumerate(source.splitlines(), start=2))
    marked = [number for number, text in lines if text.endswith("# <-")]
    line = marked[0] if marked else next(number for number, text in lines if text.startswith("@claim"))
    with pytest.raises(error) as caught:
        yield caught
    assert type(caught.value) is error
    message = str(caught.value)
    assert message.startswith(f"claim wrong ({folder / 'conjecture.py'}, line {line}){complaint}"), message
    assert "\n" not in message


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
            "not m.risk(S) <= 1",
            "0 <= m.risk(S) <= 1",
            "m.risk(S) <= max(m.risk(S), m.risk(()))",
            "all(m.risk(T) <= 1 for T in m.subsets(S))",
            "m.risk(S) <= 1 if m.risk(()) > 0 else True",
        )
    ),
]


@pytest.mark.parametrize(("body", "complaint"), IN_THE_BODY)
def test_a_body_with_a_mistake(tmp_path: Path, body: str, complaint: str) -> None:
    source = f"@claim\ndef wrong(m, S):\n{textwrap.indent(body, '    ')}\nbody = wrong\n"
    wrong: Claim = load(tmp_path, source).wrong
    with complains(tmp_path, source, ClaimError, f", at S = {{}}: {complaint}") as caught:
        wrong.statement(Shape((2, 2)))
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


# Declared wrongly

DECLARED: list[tuple[str, type[FSTheoryError], str]] = [
    ("@claim\ndef wrong()", ClaimError, "a parameter must be a model and then the variables, not no argument"),
    ("@claim\ndef wrong(m, size)", ClaimError, "a variable must be i, j, k, l (features), A .. W (subsets),"),
    ("@claim\ndef wrong(m, i=0)", ClaimError, "a parameter must be without a default, not i"),
    ("@claim\ndef wrong(m, *, k)", ClaimError, "a parameter must be given a default, as a constant, not k"),
    ("@claim\ndef wrong(m, *sets)", ClaimError, "a parameter must be a variable for each argument, not *sets"),
    ("@claim\ndef wrong(m, **sets)", ClaimError, "a parameter must be a variable for each argument, not **sets"),
    ("@claim(where={'T': 'subset'})", ClaimError, "where must be about the variables ['S'], not 'T'"),
    ("@claim(where={'S': 'set'})", ClaimError, "where['S'] must be 'feature', 'subset', 'state'"),
    ("@claim(where=['S'])", InvalidTypeError, "where must be a mapping, not ['S']"),
    ("@claim(assume=positive)", InvalidTypeError, "assume must be a list of claims, not 'positive'"),
    ("@claim(assume='positive')", InvalidTypeError, "assume must be a list of claims, not 'positive'"),
    ("@claim(assume=['positive'])", InvalidTypeError, "assume must be a list of claims, not 'positive'"),
    ("@claim(assume=None)", InvalidTypeError, "assume must be a list of claims, not None"),
    (
        "@claim(assume=[claim(assume=[positive])(lambda m: True)])",
        ClaimError,
        "assume must be made of claims that assume nothing themselves, not '<lambda>'",
    ),
    ("@claim(assume=[positive, claim(name='positive')(lambda m: True)])", ClaimError, "assume must be of distinct"),
    ("@claim(name='')", InvalidTypeError, "name must be a text of printable characters, not ''"),
    ("@claim(name=3)", InvalidTypeError, "name must be a text of printable characters, not 3"),
]


@pytest.mark.parametrize(("source", "error", "complaint"), DECLARED)
def test_a_declaration_with_a_mistake(tmp_path: Path, source: str, error: type[FSTheoryError], complaint: str) -> None:
    source += (":" if "def " in source else "\ndef wrong(m, S):") + "\n    return True\n"
    with complains(tmp_path, source, error, f": {complaint}"):
        load(tmp_path, source)


def test_what_has_no_file() -> None:
    with pytest.raises(ClaimError, match=r"^claim print: a parameter must be "):
        claim(print)  # type: ignore[arg-type]


def test_a_function_may_come_with_the_options() -> None:
    """None of them is ignored."""
    options: dict[str, Any] = {"assume": [positive], "where": {"some": "subset"}, "disjoint": True, "name": "some"}

    def body(m: Model, some: Any, T: Any) -> bool:
        return not some & T

    made, decorated_ = claim(body, **options), claim(**options)(body)
    assert made == decorated_
    assert (made.name, made.assumptions, made.disjoint) == ("some", (positive,), True)
    assert isinstance(made.without("positive").check(JointDistribution([[1], [1]])), Holds)


def nested() -> Claim:
    bound = "1/2"

    @claim
    def inner(m: Model, S: Any) -> Formula:
        return m.risk(S) <= bound + S  # type: ignore[no-any-return]

    return inner


class Conjecture:
    """An object that is called like a function."""

    def __init__(self, bound: Any) -> None:
        self.bound = bound

    def __call__(self, m: Model, S: Any) -> Any:
        return m.risk(S) <= self.bound  # called

    def method(self, m: Model, S: Any) -> Any:
        return m.risk(S) <= self.bound  # method


def decorated(function: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(function)
    def wrapper(*values: Any) -> Any:
        return function(*values)

    return wrapper


def bounded(m: Model, S: Any, *, bound: Any) -> Any:
    return m.risk(S) <= bound  # bounded


def helped(m: Model, S: Any) -> Any:
    return bounded(m, S, bound=0.5)


PLACES: list[tuple[Any, str, str]] = [
    (nested(), "inner", "return m.risk(S) <= bound + S"),
    (claim(lambda m, S: m.risk(S) <= 0.5), "<lambda>", "(claim(lambda m, S: m.risk(S) <= 0.5)"),
    (claim(Conjecture(0.5)), "Conjecture", "# called"),
    (claim(Conjecture(0.5).method), "method", "# method"),
    (claim(functools.partial(bounded, bound=0.5)), "bounded", "# bounded"),
    (claim(decorated(functools.partial(bounded, bound=0.5))), "bounded", "# bounded"),
    (claim(decorated(helped)), "helped", "# bounded"),  # the innermost line of the file
]


@pytest.mark.parametrize(("wrong", "name", "marker"), PLACES, ids=[f"{row[1]} {i}" for i, row in enumerate(PLACES)])
def test_any_callable_is_found(wrong: Claim, name: str, marker: str) -> None:
    line = next(i for i, text in enumerate(HERE.read_text("utf-8").splitlines(), start=1) if marker in text)
    with pytest.raises(ClaimError) as caught:
        wrong.statement(Shape((2,)))
    assert str(caught.value).startswith(f"claim {name} ({HERE}, line {line}), at S = {{}}: ")


def test_any_callable_can_be_right() -> None:
    d = JointDistribution([[1, 1], [1, 1]])
    assert isinstance(claim(Conjecture("1/2")).check(d), Holds)
    assert isinstance(claim(Conjecture("1/3").method).check(d), Refuted)
    assert isinstance(claim(functools.partial(bounded, bound="1/2")).check(d), Holds)

    @claim
    def with_constant(m: Model, S: Any, *, bound: str = "1/3") -> Any:
        return m.risk(S) <= bound

    assert isinstance(with_constant.check(d), Refuted)


def test_without_source() -> None:
    """A claim typed at a prompt has no file; the message still has its name and line."""
    noted: dict[str, Any] = {"claim": claim}
    exec(compile("@claim\ndef typed(m, S):\n    return m.risk(S) <= 0.5\n", "<prompt>", "exec"), noted)
    with pytest.raises(ClaimError, match=r"^claim typed \(<prompt>, line 3\), at S = \{\}: InvalidTypeError: a number"):
        noted["typed"].statement(Shape((2,)))
