"""No changed certificate is accepted unless it is still true: thousands of random changes.

With the digest left as it was, every change is seen. With the digest made anew, the checker and the literal definition
of the format agree on every change, and what is accepted as proved is true by Z3.
"""

import json
from collections.abc import Callable
from random import Random

import pytest
from hypothesis import settings

from fstheory.errors import CertificateError
from fstheory.logic.checker import check_certificate, check_certificate_text
from tests.logic import definition, examples
from tests.logic.building import Content, Json, signed
from tests.logic.mutations import mutated
from tests.logic.validity import is_valid

EXAMPLES = [*examples.AT_WEIGHTS, *examples.PROVED]
CHANGES = 10 * settings.default.max_examples if settings.default else 300
BOTH = [True, False]


def is_accepted(content: Content) -> bool:
    try:
        return bool(check_certificate(content))
    except CertificateError:
        return False


def text_of(content: Json) -> str:
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


def test_changed_bounds_of_maxima_are_accepted_only_in_another_order() -> None:
    """Of all references to upper bounds that can stand for one of them, the definition accepts the same."""
    genuine, random, accepted = examples.proved_by_bounds(), Random(0), set()
    pairs = genuine["proofs"][0]["tree"]["farkas"]
    for _ in range(CHANGES):
        parts = [random.randint(-1, 3) for _ in range(random.randint(0, 3))]
        reference = [random.choice(["sum", "whole", "M", "p"]), random.randint(-1, 3), parts][: random.randint(2, 3)]
        tree = {"farkas": [pairs[0], [reference, random.choice(["1", "2", "-1"])]]}
        changed = signed(genuine, proofs=[{"tree": tree}, genuine["proofs"][1]])
        assert is_accepted(changed) == definition.accepts(changed), reference
        if is_accepted(changed):
            accepted.add(text_of(reference))
    assert accepted <= {text_of(["sum", 0, parts]) for parts in ([1, 2], [2, 1])}


def _differs(changed: Content, genuine: Content) -> bool:
    return any(text_of(changed[part]) != text_of(genuine[part]) for part in ("shape", "assume", "show"))


@pytest.mark.parametrize("example", EXAMPLES)
def test_the_definition_accepts_the_genuine_ones(example: Callable[[], Content]) -> None:
    assert definition.accepts(example())
