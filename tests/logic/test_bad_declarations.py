"""Claims declared wrongly, and claims made of any callable: the message names the file and the line."""

import functools
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from fstheory import JointDistribution
from fstheory.errors import ClaimError, FSTheoryError, InvalidTypeError
from fstheory.logic.claims import Claim, claim, positive
from fstheory.logic.expressions import Formula
from fstheory.logic.language import Model
from fstheory.logic.statement import Shape
from fstheory.logic.verdict import Holds, Refuted
from tests.logic.writing import complains, load

HERE = Path(__file__)

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
