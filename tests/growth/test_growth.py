"""How the steps of public functions grow with their input, beside the growth that their docstrings state.

A step is a call of a function, in Python or in C, or a cell of an array that a function of fstheory holds when it
returns, or that a generator yields. So a loop that calls functions and a pass of NumPy both count. A loop without calls
does not count, and no clock is read. A row has two sizes, what is called at each, and the growth that the docstring
states. Steps may grow by a tenth more at most.
"""

import inspect
import sys
from collections.abc import Callable, Iterable
from math import comb
from operator import attrgetter
from pathlib import Path
from types import FrameType
from typing import Any, NamedTuple

import numpy as np
import pytest

import fstheory as fs
from fstheory.points import PointSet
from tests.house.test_public_names import public_names

PACKAGE = str(Path(fs.__file__).parent)


def steps_of(call: Callable[[], object]) -> int:
    """Count the calls of functions, and the cells of arrays that functions of fstheory hold when they return."""
    steps, given = 0, None

    def count(frame: FrameType, event: str, value: Any) -> None:
        nonlocal steps, given
        steps += event.endswith("call")
        if event == "return" and frame.f_code.co_filename.startswith(PACKAGE):
            held: Iterable[Any] = frame.f_locals.values()
            if frame.f_code.co_flags & inspect.CO_GENERATOR:  # but not one that passes values on
                held, given = (value if isinstance(value, tuple) and value is not given else ()), value
            steps += sum(each.size for each in held if isinstance(each, np.ndarray))

    outside = sys.getprofile()
    sys.setprofile(count)
    try:
        call()
    finally:
        sys.setprofile(outside)
    return steps


class Row(NamedTuple):
    """A public function, the words of its docstring on its growth, and two sizes.

    `prepare` returns what is called at a size, and `stated` the growth that the words state, up to a factor.
    """

    name: str
    words: str
    sizes: tuple[int, int]
    stated: Callable[[int], float]
    prepare: Callable[[int], Callable[[], object]]


def table(n: int, rng: int = 1) -> fs.JointDistribution:
    return fs.gallery.random((2,) * n, rng=rng)


def sampled(n: int, m: int) -> fs.Sample:
    return fs.sample(table(n), m, rng=2)


def points(size: int, dimension: int = 2) -> PointSet:
    rows = np.random.default_rng(0).integers(0, 10**6, (size, dimension))
    return PointSet(rows.tolist(), (rows[:, 0] < 500_000).astype(int).tolist())


def of_table(function: Callable[..., object], *more: Any, **options: Any) -> Callable[[int], Callable[[], object]]:
    """Return what calls a function on a distribution of n binary features."""

    def prepare(n: int) -> Callable[[], object]:
        d = table(n)
        return lambda: function(d, *more, **options)

    return prepare


def of_risks(function: Callable[..., object]) -> Callable[[int], Callable[[], object]]:
    def prepare(n: int) -> Callable[[], object]:
        risks = fs.bayes_risks(table(n))
        return lambda: function(risks)

    return prepare


def of_points(function: Callable[..., object], *more: Any, **options: Any) -> Callable[[int], Callable[[], object]]:
    def prepare(size: int) -> Callable[[], object]:
        some = points(size)
        return lambda: function(some, *more, **options)

    return prepare


def of_rows(function: Callable[..., object], *more: Any, n: int = 4, **options: Any) -> Callable[[int], Any]:
    """Return what calls a function on a sample of m rows."""

    def prepare(m: int) -> Callable[[], object]:
        s = sampled(n, m)
        return lambda: function(s, *more, **options)

    return prepare


def three(n: int) -> float:
    return 3.0**n


def square(n: int) -> float:
    return float(n * n)


ROWS = [
    Row("bayes_risks", "3**n for binary features", (9, 12), three, of_table(fs.bayes_risks)),
    Row("k_optimal", "prod(c_i + 1) additions", (9, 12), three, of_table(fs.k_optimal, 5)),
    Row(
        "reasons",
        "n additions for each of the 2**n subsets",
        (8, 11),
        lambda n: n * 2.0**n,
        of_table(lambda d: fs.reasons(d, [0] * len(d.features), tolerance="1/10")),
    ),
    Row("best_questions", "3**n for binary features", (9, 12), lambda n: n * three(n), of_table(fs.best_questions)),
    Row(
        "measures.conditional_entropy_table",
        "prod(c_i + 1) log",
        (8, 11),
        three,
        of_table(fs.measures.conditional_entropy_table),
    ),
    Row("markov_blankets", "prod(c_i + 1) steps", (8, 11), three, of_table(fs.markov_blankets)),
    Row(
        "minimal_optimal", "3**n for binary features", (9, 12), three, of_table(fs.minimal_optimal, method="exhaustive")
    ),
    Row("importance", "n 2**n additions", (9, 12), three, of_table(fs.importance)),
    Row("importance", "n 2**n additions", (8, 11), three, of_table(fs.importance, criterion="logarithmic")),
    Row(
        "entropy", "one pass over the cells", (10, 14), lambda n: 2.0**n, of_table(lambda d: fs.entropy(d, d.features))
    ),
    Row("relevance", "n passes over the table", (8, 11), lambda n: n * n * 2.0**n, of_table(fs.relevance)),
    Row("selection.is_monotone", "n * 2**(n - 1)", (7, 10), lambda n: n * 2.0**n, of_risks(fs.selection.is_monotone)),
    Row(
        "selection.is_submodular",
        "n(n - 1) * 2**(n - 3)",
        (8, 12),
        lambda n: n * (n - 1) * 2.0**n,
        of_risks(fs.selection.is_submodular),
    ),
    Row("select", "k(2n - k + 1)/2 values", (8, 12), lambda n: (4 * n - 2) * 2.0**n, of_table(fs.select, 2)),
    Row("selection.mrmr", "n + nk mutual", (8, 12), lambda n: n * 2.0**n, of_table(fs.selection.mrmr, 2)),
    Row(
        "measures.linear_regression", "cubic", (4, 8), lambda n: n**3 + 2.0**n, of_table(fs.measures.linear_regression)
    ),
    Row("sample", "m log(cells)", (20_000, 80_000), float, lambda m: lambda: fs.sample(table(4), m, rng=0)),
    Row(
        "fit",
        "one grouping of the distinct rows",
        (4, 8),
        lambda n: n * 2.0**n,
        lambda n: of_rows(fs.fit, "FOS", n=n)(3000),
    ),
    Row("bayes_risks", "3**n for binary features", (6, 9), three, lambda n: of_rows(fs.bayes_risks, n=n)(20_000)),
    Row("simulate", "n prod(c_i)", (6, 10), lambda n: n * 2.0**n, of_table(fs.simulate, 30, "FOS", trials=8, rng=0)),
    Row("simulate", "prod(c_i + 1)", (6, 10), three, of_table(fs.simulate, 30, "FBS", trials=8, rng=0)),
    Row(
        "selection_law",
        "binomial(m + K - 1, m) tables",
        (6, 9),
        lambda m: float(comb(m + 7, m) * m),
        lambda m: lambda: fs.selection_law(table(2), m, "FOS", engine="counts"),
    ),
    Row(
        "selection_law",
        "m numbers for each pair and each of some m primes",
        (20, 38),
        lambda m: m**4.0,
        lambda m: lambda: fs.selection_law(table(2), m, "FOS"),
    ),
    Row(
        "points.relative_certainty_gain",
        "O(n**2 p) steps",
        (100, 400),
        square,
        of_points(fs.points.relative_certainty_gain, ties="first"),
    ),
    Row(
        "points.relative_certainty_gain",
        "O(n**2 p) steps",
        (400, 1600),
        square,
        of_points(fs.points.relative_certainty_gain, "1nn", ties="first"),
    ),
    Row(
        "points.select_by_certainty_gain",
        "O(s p n**2)",
        (50, 150),
        square,
        of_points(fs.points.select_by_certainty_gain, ties="first"),
    ),
    Row(
        "selection.submodularity_ratio",
        "at most 3**n pairs",
        (4, 6),
        lambda n: n * 3.0**n,
        of_risks(fs.selection.submodularity_ratio),
    ),
    Row(
        "lattice.compare",
        "one sort of the values",
        (8, 12),
        lambda n: n * 2.0**n,
        of_risks(lambda risks: fs.lattice.compare(risks, risks)),
    ),
    Row(
        "samples.permutation_null",
        "m steps for each permutation",
        (4, 32),
        float,
        lambda k: lambda: fs.samples.permutation_null(sampled(4, 200), ["X1"], permutations=k, rng=0),
    ),
    Row(
        "points.permutation_p_value",
        "one graph for each trial",
        (8, 64),
        float,
        lambda k: lambda: fs.points.permutation_p_value(points(40), trials=k, rng=0, ties="first"),
    ),
]

NO_ROW = {
    *("adversarial", "adversarial_with_risks", "two_orderings", "linear_extension_with", "phase_diagram", "report"),
    *("cmi_elimination", "measures.criteria.auc", "points.LabelPermutations", "points.minimum_spanning_trees"),
    *("distributions.read_csv", "measures.estimated_information", "papers.expected_errors"),
    *("samples.find_probability", "samples.holdout_risk", "samples.relevant_features", "samples.supported_features"),
}
"""Public functions that state their complexity and are not counted yet. The set only becomes smaller."""


@pytest.mark.quick
def test_each_function_that_states_its_complexity_has_a_row() -> None:
    """The row has the shortest public name of the function."""
    values = {name: attrgetter(name)(fs) for name in reversed(public_names())}
    shortest = {id(value): name for name, value in values.items() if callable(value)}
    stated = {name for name in shortest.values() if "Complexity:" in (values[name].__doc__ or "")}
    assert stated == {row.name for row in ROWS if row.name in stated} | NO_ROW


def identity(row: Row) -> str:
    return f"{row.name}: {row.words}, {row.sizes}"


@pytest.mark.one_in(2)
@pytest.mark.rotated(1)
@pytest.mark.parametrize("row", ROWS, ids=identity)
def test_steps_grow_as_the_docstring_states(row: Row) -> None:
    documented = " ".join((attrgetter(row.name)(fs).__doc__ or "").split())
    assert row.words in documented
    row.prepare(row.sizes[0])()  # what is imported or kept is not counted
    small, large = (steps_of(row.prepare(size)) for size in row.sizes)
    allowed = row.stated(row.sizes[1]) / row.stated(row.sizes[0])
    assert large <= 1.1 * allowed * small, f"{large / small:.2f} times the steps, of {allowed:.2f} stated"
