"""What information refuses, and the whole message."""

from __future__ import annotations

import re

import numpy as np
import pytest

from fstheory import JointDistribution, information
from fstheory.errors import (
    FSTheoryError,
    InvalidTypeError,
    InvalidValueError,
    UnknownNameError,
    ZeroProbabilityError,
)

NAMES = {
    "i": information,
    "d": JointDistribution([[[1, 2], [3, 4]], [[5, 6], [7, 9]]]),
    "p": JointDistribution([[1, 2], [3, 4]]),
    "q": JointDistribution([[1, 2], [0, 4]]),
    "J": JointDistribution,
    "np": np,
}


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (
            "i.entropy(d, 'Y')",
            InvalidTypeError,
            r"variables must be an iterable of feature names, not 'Y'; write \{'Y'\}",
        ),
        ("i.entropy(d, ['Z'])", UnknownNameError, r"feature 'Z' does not exist; use one of: 'X1', 'X2', 'Y'"),
        (
            "i.entropy(d, ['Y', 'Y'])",
            InvalidValueError,
            r"variables must be made of distinct names, not 'Y'; name each feature once",
        ),
        (
            "i.entropy(d, ['Y'], base=1)",
            InvalidValueError,
            r"base must be above 1, not 1; pass 2 for bits, or None for natural logarithms",
        ),
        (
            "i.entropy(d, ['Y'], base=2.0)",
            InvalidTypeError,
            r"base must be an exact number, not 2\.0; a float is binary: .*",
        ),
        (
            "i.conditional_entropy(d, ['Y'], 'X1')",
            InvalidTypeError,
            r"given must be an iterable of feature names, not 'X1'; write \{'X1'\}",
        ),
        (
            "i.mutual_information(d, ['Y'], 3)",
            InvalidTypeError,
            r"b must be an iterable of feature names, not 3; pass a set of names such as \{'X1'\}",
        ),
        (
            "i.conditional_mutual_information(d, 'Y', ['X1'])",
            InvalidTypeError,
            r"a must be an iterable of feature names, not 'Y'; write \{'Y'\}",
        ),
        ("i.information_lost(d, ['Y'])", UnknownNameError, r"feature 'Y' does not exist; use one of: 'X1', 'X2'"),
        (
            "i.expected_total_variation(d, 'X1')",
            InvalidTypeError,
            r"removed must be an iterable of feature names, not 'X1'; write \{'X1'\}",
        ),
        (
            "i.total_variation_distance(p, d)",
            InvalidValueError,
            r"q must be about the variables of p, \{'X1': \(0, 1\), 'Y': \(0, 1\)\}, not \{'X1': \(0, 1\), .*\}; "
            r"give both the same features, target and states, in the same order",
        ),
        (
            "i.total_variation_distance(p, J([[1], [2]]))",
            InvalidValueError,
            r"q must be about the variables of p, .*",
        ),
        (
            "i.kl_divergence(p, 3)",
            InvalidTypeError,
            r"q must be a JointDistribution, not 3; make one, or take one of the gallery",
        ),
        (
            "i.kl_divergence(p, q)",
            ZeroProbabilityError,
            r"q must be positive wherever p is, not \{'X1': 1, 'Y': 0\}; q is 0 there, the divergence infinite",
        ),
        ("i.info(d, 3)", InvalidTypeError, r"quantity must be a text, not 3; write 'I\(Y; X1 \| X2\)'"),
        (
            "i.info(d, 'I(Y X1)')",
            InvalidValueError,
            r"quantity must be like 'H\(Y \| X1\)' or 'I\(Y; X1, X2 \| X3\)', not 'I\(Y X1\)'; at position 4, "
            r"where 'X' stands, write ';' or ',' \(names that are not identifiers go in quotes\)",
        ),
        ("i.info(d, 'H(Y | Z)')", UnknownNameError, r"feature 'Z' does not exist; use one of: 'X1', 'X2', 'Y'"),
        (
            "i.conditional_entropies(d, workers=0)",
            InvalidValueError,
            r"workers must be at least 1, not 0; pass 1 or more",
        ),
        (
            "i.mutual_informations(d, workers=1.5)",
            InvalidTypeError,
            r"workers must be an integer, not 1\.5; pass a whole number",
        ),
        (
            "i.conditional_entropies(d, base='1/2')",
            InvalidValueError,
            r"base must be above 1, not '1/2'; pass 2 for bits, or None for natural logarithms",
        ),
        (
            "i.entropies(J(np.ones((1,) * 50, dtype=int)))",
            InvalidValueError,
            r"the table of all subsets must fit in half of this machine's memory .*",
        ),
    ],
)
def test_bad_call(call: str, error: type[FSTheoryError], message: str) -> None:
    with pytest.raises(error) as caught:
        eval(call, NAMES)
    assert re.fullmatch(message, str(caught.value)), str(caught.value)


@pytest.mark.parametrize(
    "call",
    [
        "entropy(3, ['Y'])",
        "conditional_entropy(3, ['Y'], [])",
        "mutual_information(3, [], [])",
        "conditional_mutual_information(3, [], [])",
        "information_lost(3, [])",
        "expected_total_variation(3, [])",
        "info(3, 'H(Y)')",
        "entropies(3)",
        "conditional_entropies(3)",
        "mutual_informations(3)",
    ],
)
def test_only_distributions_are_taken(call: str) -> None:
    with pytest.raises(InvalidTypeError, match="d must be a JointDistribution, not 3"):
        eval(f"i.{call}", NAMES)
