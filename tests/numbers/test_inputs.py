"""What cannot be a sum of logarithms or of roots, and what the refusal says."""

from fractions import Fraction

from fstheory.errors import InvalidTypeError, InvalidValueError, TooLargeError
from fstheory.numbers.logsum import LogSum, log
from fstheory.numbers.roots import RootSum, ShiftedRoot, sqrt
from tests.refusals import Refusal, refusals

BAD: list[Refusal] = [
    ("log(0)", InvalidValueError, "argument", "above 0"),
    ("log(0.5)", InvalidTypeError, "argument", "an exact number"),
    ("log(2, base=1)", InvalidValueError, "base", "above 1"),
    ("log(2, base=2.718)", InvalidTypeError, "base", "an exact number"),
    ("LogSum({2: 1})", InvalidTypeError, "terms", "an iterable of pairs"),
    ("LogSum([(0.5, 2)])", InvalidTypeError, "coefficient", "an exact number"),
    ("LogSum((), 0.5)", InvalidTypeError, "constant", "an exact number"),
    ("log(2).enclosure(0)", InvalidValueError, "digits", "at least 1"),
    ("log(2).enclosure(10**7 + 1)", TooLargeError, "digits", "at most 10,000,000"),
    ("ShiftedRoot(0, -log(2))", InvalidValueError, "radicand", "at least 0"),
    ("ShiftedRoot(0.5, log(2))", InvalidTypeError, "shift", "an exact number"),
    ("sqrt(-1)", InvalidValueError, "radicand", "at least 0"),
    ("sqrt(0.25)", InvalidTypeError, "radicand", "an exact number"),
    ("RootSum([(0.5, 2)])", InvalidTypeError, "coefficient", "an exact number"),
    ("RootSum({2: 1})", InvalidTypeError, "terms", "an iterable of pairs"),
    ("RootSum((), 0.5)", InvalidTypeError, "constant", "an exact number"),
    ("(1 + log(2)).in_base(2)", InvalidValueError, "the constant", "0 to change from natural logarithms"),
]


NAMES = {made.__name__: made for made in (Fraction, LogSum, RootSum, ShiftedRoot, log, sqrt)}
test_bad_calls = refusals(BAD, NAMES)
