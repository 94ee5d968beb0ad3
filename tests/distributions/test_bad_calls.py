"""What the gallery and samples refuse."""

import fstheory as fs
from fstheory.distributions import gallery
from fstheory.errors import InvalidTypeError, InvalidValueError, TooLargeError, UnknownNameError
from tests.refusals import Refusal, refusals

TABLE: list[Refusal] = [
    ("monks(4)", UnknownNameError, "problem", "does not exist"),
    ("monks('1')", InvalidTypeError, "problem", "an integer"),
    ("monks(True)", InvalidTypeError, "problem", "an integer"),
    ("monks(3, noise='6/5')", InvalidValueError, "noise", "between 0 and 1"),
    ("led(noise=0.1)", InvalidTypeError, "noise", "an exact number"),
    ("led(target='odd')", UnknownNameError, "target", "does not exist"),
    ("led(target=['digit'])", UnknownNameError, "target", "does not exist"),
    ("asia('cancer')", UnknownNameError, "target", "does not exist"),
    ("parity(-1)", InvalidValueError, "n", "at least 0"),
    ("parity(2, noise=-1)", InvalidValueError, "noise", "between 0 and 1"),
    ("parity(60)", TooLargeError, "the table of all cells", "fit in half of this machine's memory"),
    ("copies(0)", InvalidValueError, "n", "at least 1"),
    ("pena_nilsson_example_1(0)", InvalidValueError, "p", "strictly between 0 and 1"),
    ("with_copy(xor(), 'Y')", UnknownNameError, "feature", "does not exist"),
    ("with_copy(xor(), 'X1', 'Y')", InvalidValueError, "copy", "a new name"),
    ("with_copy('xor', 'X1')", InvalidTypeError, "d", "a JointDistribution"),
    ("random(rng=None)", InvalidTypeError, "rng", "an int or a random.Random"),
    ("random(rng=0.5)", InvalidTypeError, "rng", "an int or a random.Random"),
    ("random(3)", InvalidTypeError, "cardinalities", "a list of integers"),
    ("random((2, 0))", InvalidValueError, "cardinalities[1]", "at least 1"),
    ("random((2,), 0)", InvalidValueError, "classes", "at least 1"),
    ("random((2,), zeros=4)", InvalidValueError, "zeros", "at most 3"),
    ("random((2,), zeros=3, positive=True)", InvalidValueError, "zeros", "at most 2"),
    ("random((2,), ties=3)", InvalidValueError, "ties", "at most 2"),
    ("random((2,), 1, ties=1)", InvalidValueError, "ties", "at most 0"),
    ("random((2,), total=3, positive=True)", InvalidValueError, "total", "at least 4, 1 for each cell to fill"),
    ("random((2,), total=0)", InvalidValueError, "total", "at least 1"),
    ("random(positive=1)", InvalidTypeError, "positive", "True or False"),
    ("random(classes=2**20000)", TooLargeError, "the table of all cells", "fit in half of this machine's memory"),
    ("copies(2**5000)", TooLargeError, "the table of all cells", "have at most 64 axes"),
    ("parity(10**9)", TooLargeError, "the table of all cells", "have at most 64 axes"),
    ("asia(['dysp'])", UnknownNameError, "target", "does not exist"),
    ("with_copy(xor(), 'X1', ['X3'])", InvalidTypeError, "copy", "named by strings"),
    ("with_copy(xor(), 'X1', ' ')", InvalidValueError, "copy", "named by non-empty strings"),
    ("with_copy(xor(), ['X1'])", UnknownNameError, "feature", "does not exist"),
    ("random([2] * 60)", TooLargeError, "the table of all cells", "fit in half of this machine's memory"),
    ("fs.Sample([])", InvalidValueError, "rows", "at least one row"),
    ("fs.Sample([(1, 2), (1,)])", InvalidValueError, "rows[1]", "length 2"),
    ("fs.Sample([(None, 1)])", InvalidValueError, "rows[0][0]", "a label"),
    ("fs.Sample('ab')", InvalidTypeError, "rows", "an iterable of rows"),
    ("fs.Sample([('a', 1)], states={'X1': ['b']})", InvalidValueError, "states['X1']", "all that occur"),
    ("fs.Sample.from_counts({('a', 1): -1})", InvalidValueError, "counts[('a', 1)]", "at least 0"),
    ("fs.Sample.from_counts({('a', 1): 0})", InvalidValueError, "rows", "at least one row"),
    ("fs.Sample.from_counts({('a', 1): 2**62})", InvalidValueError, "the sum of the counts", "below 2**62"),
    ("fs.bayes_risks(fs.Sample([(0,) * 65]), max_size=1)", TooLargeError, "s", "at most 63 features"),
    ("fs.Sample.from_counts([('a', 1)])", InvalidTypeError, "counts", "a mapping"),
    ("fs.Sample.from_frame([('a', 1)], target='Y')", InvalidTypeError, "frame", "DataFrame"),
    ("fs.sample(fs.gallery.xor(), 0, rng=0)", InvalidValueError, "m", "at least 1"),
    ("fs.sample(fs.gallery.xor(), 3, rng=0.5)", InvalidTypeError, "rng", "an integer"),
    ("fs.sample(fs.JointDistribution([2**70, 1]), 3, rng=0)", InvalidValueError, "d", "below 2**63"),
    ("fs.Sample([('a', 1)]).cells('X2')", UnknownNameError, "subset", "X2"),
]


test_bad_call = refusals(TABLE, {"fs": fs, **{name: getattr(gallery, name) for name in gallery.__all__}})
