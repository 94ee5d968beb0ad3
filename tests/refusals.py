"""One runner for tables of bad calls: what is called, what it raises, and which argument must be what.

A message is one line: the argument, what it must be, what it was, and after a semicolon the repair. A row names
the argument and the words of the requirement, so that a message may be worded better without a change here.
"""

import functools
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeAlias

import pytest

from fstheory.errors import FSTheoryError

#: The call as text, the exact class of the error, how its message begins, and the words of the requirement.
Refusal: TypeAlias = tuple[str, type[FSTheoryError], str, str]


def cases(refused: Mapping[type[Exception], Sequence[Any]]) -> list[tuple[Any, type[Exception]]]:
    """Return the pairs (what is refused, the error) of a table that lists by error what is refused with it."""
    return [(value, error) for error, values in refused.items() for value in values]


def check_message(error: BaseException, argument: str, requirement: str) -> None:
    """Require the form of the house of a message, and that it is about this argument and this requirement."""
    message = str(error)
    asked, _, repair = message.partition("; ")
    assert asked.startswith(argument), message
    assert requirement in asked.removeprefix(argument), message
    assert repair, f"no repair after a semicolon: {message}"
    assert "\n" not in message, "a message is one line"


def refusals(
    rows: Sequence[Refusal], names: Mapping[str, Any] | Callable[[], Mapping[str, Any]]
) -> Callable[..., None]:
    """Return the test of a table, to be bound to a name that pytest collects.

    The calls are evaluated with ``names``, and with ``tmp`` as an empty folder. If names take long to make, pass a
    function that makes them.
    """
    made = functools.cache(names) if callable(names) else lambda: names
    calls = [call for call, *_ in rows]
    assert len(calls) == len(set(calls)), "a row stands twice"

    @pytest.mark.parametrize(("call", "error", "argument", "requirement"), rows, ids=calls)
    def test(
        call: str, error: type[FSTheoryError], argument: str, requirement: str, request: pytest.FixtureRequest
    ) -> None:
        folder = {"tmp": request.getfixturevalue("tmp_path")} if "tmp" in call else {}
        with pytest.raises(error) as caught:
            eval(call, {**made(), **folder})
        assert type(caught.value) is error, f"{type(caught.value).__name__} is more precise: write it in the table"
        check_message(caught.value, argument, requirement)

    return test
