"""No changed certificate is accepted unless it is still true: thousands of random changes.

With the digest left as it was, every change is seen. With the digest made anew, the checker and the literal definition
of the format agree on every change, and what is accepted as proved is true by Z3.
"""

import json
from collections.abc import Callable
from random import Random

import pytest
from hypothesis import settings

from fstheory.checker import check_certificate, check_certificate_text
from fstheory.errors import CertificateError
from tests.checker import definition, examples
from tests.checker.building import Content, signed
from tests.checker.mutations import mutated
from tests.checker.validity import is_valid

EXAMPLES = [*examples.AT_WEIGHTS, *examples.PROVED]
CHANGES = 10 * settings.default.max_examples if settings.default else 300
BOTH = [True, False]


def is_accepted(content: Content) -> bool:
    try:
        return bool(check_certificate(content))
    except CertificateError:
        return False


def text_of(content: Content) -> str:
    return json.dumps(content, sort_keys=True)


@pytest.mark.parametrize("example", [*EXAMPLES, examples.by_solvers])
def test_every_change_is_seen_by_the_digest(example: Callable[[], Content]) -> None:
    genuine, random = example(), Random(1)
    for _ in range(CHANGES):
        changed = mutated(genuine, random)
        if text_of(changed) == text_of(genuine):
            continue
        with pytest.raises(CertificateError):
            check_certificate(changed)
        with pytest.raises(CertificateError):
            check_certificate_text(json.dumps(changed))


@pytest.mark.thorough
@pytest.mark.parametrize("example", EXAMPLES)
@pytest.mark.parametrize("changes", [1, 2])
def test_a_changed_certificate_is_accepted_only_if_it_is_true(example: Callable[[], Content], changes: int) -> None:
    genuine, random = example(), Random(changes)
    verdicts = set()
    for _ in range(CHANGES):
        changed = genuine
        for _ in range(changes):
            changed = mutated(changed, random)
        changed = signed(changed)
        accepted = is_accepted(changed)
        verdicts.add(accepted)
        if "evidence" not in changed:
            assert accepted == definition.accepts(changed), changed
        if accepted and changed["kind"] == "proved" and _differs(changed, genuine):
            assert is_valid(changed), changed
    assert verdicts == {True, False}


def _differs(changed: Content, genuine: Content) -> bool:
    return any(text_of(changed[part]) != text_of(genuine[part]) for part in ("shape", "assume", "show"))


@pytest.mark.parametrize("example", EXAMPLES)
def test_the_definition_accepts_the_genuine_ones(example: Callable[[], Content]) -> None:
    assert definition.accepts(example())
