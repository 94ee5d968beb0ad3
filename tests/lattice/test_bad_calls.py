"""What orders of the subsets and drawings refuse."""

from fractions import Fraction

import fstheory as fs
from fstheory import SubsetTable, lattice as orders
from fstheory.errors import (
    InvalidFormatError,
    InvalidTypeError,
    InvalidValueError,
    OutputError,
    TooLargeError,
    UnknownNameError,
)
from fstheory.lattice.extensions import order_masks
from fstheory.lattice.graph import heights_by_value
from tests.lattice.examples import lattice, risks
from tests.refusals import refusals

WIDE = ("columns", 0.5, True, 1000)
NAMES = {
    "fs": fs,
    "o": orders,
    "order_masks": order_masks,
    "FULL": [["X1", "X2"], ["X1"], ["X2"], []],
    "plot": SubsetTable.plot,
    "heights_by_value": heights_by_value,
    "T": risks(3, 3, [1], features=("sex", "age", "class")),
    "PART": lattice({7: Fraction(0), 3: Fraction(1, 2)}, ("sex", "age", "class")),
    "NAMED": risks(5, 1, features=["alpha", "beta", "gamma", "delta", "epsilon"]),
    "LARGE": lattice(dict.fromkeys(range(129), Fraction(0)), [f"X{i}" for i in range(1, 12)]),
}
ONCE = "list each of the 4 subsets of {X1, X2} once, not"

test_bad_call = refusals(
    [
        ("order_masks([*FULL, []])", InvalidValueError, "order", "not list {} as S_4 and S_5"),
        ("order_masks(FULL[:2] + [['X1'], []])", InvalidValueError, "order", "X1 as S_2 and S_3 and"),
        ("order_masks([['A'], []])", InvalidValueError, "features", "given when the names in order"),
        ("order_masks([7])", InvalidTypeError, "order[0]", "a feature name or an iterable"),
        ("order_masks([{'Z'}, set()], ['A'])", UnknownNameError, "feature 'Z'", "does not exist"),
        ("o.count_linear_extensions(7)", TooLargeError, "features", "at most 6 for exact counts of linear extensions"),
        ("o.random_linear_extension(2, rng='a')", InvalidTypeError, "rng", "a seed, a random.Random or"),
        ("o.random_linear_extension(2, method='fast')", InvalidValueError, "method", "one of uniform, sequential"),
        ("o.random_linear_extension(2**5000)", TooLargeError, "one order of the subsets", "at most 64 axes"),
        ("o.linear_extensions(60)", TooLargeError, "one order of the subsets of 60 features", "fit"),
        ("o.linear_extension_with(['X1 < X2', 'X1 < Z'], 2)", InvalidFormatError, "wishes[1]", "among 'X1', 'X2'"),
        ("o.linear_extension_with([3], 2)", InvalidTypeError, "wishes[0]", "a string or a sequence of subsets"),
        ("o.linear_extension_with('X1 < X1', 2)", InvalidValueError, "wishes", "consistent, not X1 before X1 (wish)"),
        ("plot(T, view='tree')", InvalidValueError, "view ", "one of size, risk"),
        ("plot(T, labels=True)", InvalidValueError, "labels ", "one of auto, values, names, marked, codes, none"),
        ("plot(T, scale='sqrt')", InvalidValueError, "scale ", "one of auto, linear, log"),
        ("plot(T, best='height')", UnknownNameError, "best: ", "feature 'height' does not exist"),
        ("plot(T, optimal={'age'})", InvalidTypeError, "optimal ", "a collection of subsets"),
        ("plot(T, title='a\\0b')", InvalidValueError, "title ", "without control characters"),
        ("plot(T, path=[{'sex', 'age'}, {'class'}])", InvalidValueError, "path ", "steps that change one feature"),
        ("plot(T, figsize='large')", InvalidValueError, "figsize ", "a width and a height from 0.5 to 100 inches"),
        ("plot(T, figsize=(True, 6))", InvalidValueError, "figsize ", "a width and a height from 0.5 to 100 inches"),
        ("plot(T, figsize=(0.49, 6))", InvalidValueError, "figsize ", "a width and a height from 0.5 to 100 inches"),
        ("plot(T, figsize=(8, 100.1))", InvalidValueError, "figsize ", "a width and a height from 0.5 to 100 inches"),
        ("plot(T, figsize=(8, 6), ax=3)", InvalidValueError, "figsize ", "left out if ax is given"),
        *((f"plot(T, width={width!r})", InvalidValueError, "width ", "'column' (3.5 inches)") for width in WIDE),
        ("plot(T, width='page', figsize=(3, 3))", InvalidValueError, "width ", "left out if figsize is given"),
        ("fs.importance('xor').plot(width='page', figsize=(3, 3))", InvalidValueError, "width ", "left out if figsize"),
        ("plot(NAMED, width='column', labels='names')", InvalidValueError, "width ", "inches for letters of 6 points"),
        ("plot(LARGE)", TooLargeError, "table ", "at most 128 subsets"),
        ("plot(PART, best={'age'})", InvalidValueError, "best ", "a subset in the table, not '{age}'"),
        ("o.lattice_positions(T.to_networkx(), view='value')", InvalidValueError, "view ", "one of size, risk"),
        ("o.lattice_positions(T.to_networkx().subgraph([]))", InvalidValueError, "graph ", "at least one subset"),
        ("heights_by_value([-1, 1], logarithmic=True)", InvalidValueError, "scale ", "'linear' if a value is neg"),
        ("PART.plot().save(tmp / '.svg')", InvalidValueError, "path ", "a name that ends in one of"),
        ("PART.plot().save(tmp / 'nowhere' / 'lattice.svg')", OutputError, "path ", "a file that can be written"),
        ("PART.plot().to_png(dpi=float('nan'))", InvalidValueError, "dpi ", "a number from 1 to 2400"),
    ],
    NAMES,
)
