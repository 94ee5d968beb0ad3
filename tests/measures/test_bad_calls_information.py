"""What information refuses."""

import numpy as np

from fstheory import JointDistribution
from fstheory import measures as information
from fstheory.errors import (
    InvalidFormatError,
    InvalidTypeError,
    InvalidValueError,
    TooLargeError,
    UnknownNameError,
    ZeroProbabilityError,
)
from tests.refusals import refusals

NAMES = {
    "i": information,
    "d": JointDistribution([[[1, 2], [3, 4]], [[5, 6], [7, 9]]]),
    "p": JointDistribution([[1, 2], [3, 4]]),
    "q": JointDistribution([[1, 2], [0, 4]]),
    "J": JointDistribution,
    "np": np,
}


BAD = [
    ("i.entropy(d, 'Z')", UnknownNameError, "variables: feature", "does not exist"),
    ("i.entropy(d, ['Z'])", UnknownNameError, "feature", "does not exist"),
    ("i.entropy(d, ['Y', 'Y'])", InvalidValueError, "variables", "made of distinct names"),
    ("i.entropy(d, ['Y'], base=1)", InvalidValueError, "base", "above 1"),
    ("i.entropy(d, ['Y'], base=2.0)", InvalidTypeError, "base", "an exact number"),
    ("i.mutual_information(d, ['Y'], 3)", InvalidTypeError, "b", "a feature name or an iterable of feature names"),
    ("i.information_lost(d, ['Y'])", UnknownNameError, "feature", "does not exist"),
    ("i.total_variation_distance(p, d)", InvalidValueError, "q", "about the variables of p, {'X1': (0, 1), 'Y':"),
    ("i.total_variation_distance(p, J([[1], [2]]))", InvalidValueError, "q", "about the variables of p, {'X1':"),
    ("i.kl_divergence(p, 3)", InvalidTypeError, "q", "a JointDistribution"),
    ("i.kl_divergence(p, q)", ZeroProbabilityError, "q", "positive wherever p is"),
    ("i.info(d, 3)", InvalidTypeError, "quantity", "a text"),
    ("i.info(d, 'I(Y X1)')", InvalidFormatError, "quantity", "like 'H(Y | X1)'"),
    ("i.info(d, 'H(Y | Z)')", UnknownNameError, "feature", "does not exist"),
    ("i.conditional_entropy_table(d, workers=0)", InvalidValueError, "workers", "at least 1"),
    ("i.mutual_information_table(d, workers=1.5)", InvalidTypeError, "workers", "an integer"),
    ("i.conditional_entropy_table(d, base='1/2')", InvalidValueError, "base", "above 1"),
    ("i.entropy_table(J(np.ones((1,) * 50, dtype=int)))", TooLargeError, "the table of all subsets", "fit in half"),
]

ON_NO_DISTRIBUTION = [
    *("entropy(3, ['Y'])", "conditional_entropy(3, ['Y'], [])", "mutual_information(3, [], [])", "info(3, 'H(Y)')"),
    *("conditional_mutual_information(3, [], [])", "information_lost(3, [])", "expected_total_variation(3, [])"),
    *("entropy_table(3)", "conditional_entropy_table(3)", "mutual_information_table(3)"),
]
BAD += [(f"i.{call}", InvalidTypeError, "d", "a JointDistribution") for call in ON_NO_DISTRIBUTION]

test_bad_call = refusals(BAD, NAMES)
