"""The gallery of named distributions: published tables and networks, small examples for theorems, random tables."""

from __future__ import annotations

import itertools
import math
import tomllib
from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from functools import partial
from importlib import resources
from operator import eq
from random import Random
from typing import TypeAlias

import numpy as np

from fstheory import errors
from fstheory._support.exact import Exact, as_index, as_probability, parse_fraction
from fstheory._support.memory import require_cells
from fstheory.distributions.examples import (
    BITS,
    ahmed_example_1,
    copies,
    corral,
    correlated_xor,
    cover,
    flipped,
    monks,
    named,
    parity,
    pena_nilsson_example_1,
    recoded,
    tabulate,
    ties,
    toussaint,
    with_copy,
    xor,
)
from fstheory.distributions.joint import JointDistribution, require_distribution

DistributionLike: TypeAlias = JointDistribution | str
"""A distribution, or the name of one in the gallery."""

__all__ = [
    "ahmed_example_1",
    "asia",
    "berkeley",
    "copies",
    "corral",
    "correlated_xor",
    "cover",
    "describe",
    "led",
    "load",
    "monks",
    "names",
    "parity",
    "pena_nilsson_example_1",
    "random",
    "recoded",
    "story",
    "ties",
    "titanic",
    "toussaint",
    "with_copy",
    "xor",
]

_BYTES_PER_CELL = 200  # while drawing, a cell is an int in a list, in a set and in a sorted copy


def random(
    cardinalities: Iterable[int] = (2, 2, 2),
    classes: int = 2,
    *,
    rng: int | Random = 0,
    total: int | None = None,
    zeros: int = 0,
    ties: int = 0,
    positive: bool = False,
) -> JointDistribution:
    """Return a random distribution over X1, X2, .. and Y. Equal arguments give equal distributions.

    With the default options, the distribution is drawn uniformly from all tables of non-negative integers of this
    shape that sum to `total`. In general the table is drawn in four steps.

    1. If `positive`, one cell of every feature state is drawn uniformly and protected.
    2. `zeros` cells, drawn uniformly from the cells that are not protected, are set to 0.
    3. The remaining cells get integer weights that sum to `total`, drawn uniformly from all such tuples. Each weight is
       at least 1 if `positive`, and else at least 0.
    4. `ties` feature states are drawn uniformly. In each of them, let c be the first class of largest weight. The class
       after c (cyclically) gets the weight of c, even if its weight was 0.

    Of the generator, only `Random.getrandbits` is used.

    Parameters
    ----------
    cardinalities : iterable of int
        The number of states of each feature.
    classes : int
        The number of classes.
    rng : int or random.Random
        A seed, or a generator, which is advanced.
    total : int, optional
        The sum of the integer weights before step 4. If not given, 20 times the number of cells.
    zeros : int
        The number of cells that are set to 0. Further cells may be 0 by chance.
    ties : int
        The number of feature states in which a second class gets the largest weight.
    positive : bool
        Whether to ensure that p(x) > 0 for all x.

    Examples
    --------
    >>> random((2, 3), classes=3, rng=1, total=997).cardinalities
    (2, 3)
    """
    listed = errors.require_listed(cardinalities, "cardinalities", "a list of integers", "write (2, 2, 3)")
    sizes = [as_index(size, f"cardinalities[{i}]", at_least=1) for i, size in enumerate(listed)]
    shape = (*sizes, as_index(classes, "classes", at_least=1))
    cells = require_cells(shape, "the table of all cells", "ask for fewer features", _BYTES_PER_CELL)
    states = cells // shape[-1]
    if not isinstance(rng, Random):
        rng = Random(errors.require_type(rng, int, "rng", "an int or a random.Random", "pass a seed such as rng=0"))
    errors.require_flag(positive, "positive", "pass positive=True to have p(x) > 0")
    free = cells - (states if positive else 1)
    holes = as_index(zeros, "zeros", at_most=free, repair="leave some cells to draw")
    places = states if shape[-1] > 1 else 0
    tied = as_index(ties, "ties", at_most=places, repair="each tie needs a feature state of its own and two classes")
    filled = cells - holes
    least = filled if positive else 1
    mass = 20 * cells if total is None else as_index(total, "total", at_least=1)
    errors.require(mass >= least, "total", f"at least {least}, 1 for each cell to fill", mass, "raise total")

    empty = set(_holes(rng, states, shape[-1], holes, positive))
    drawn = iter(_composition(rng, mass, filled, 1 if positive else 0))
    weights = [0 if cell in empty else next(drawn) for cell in range(cells)]
    for state in _choose(rng, states, tied):
        row = weights[state * shape[-1] : (state + 1) * shape[-1]]
        first = row.index(max(row))
        weights[state * shape[-1] + (first + 1) % shape[-1]] = row[first]
    return JointDistribution(np.array(weights, dtype=object).reshape(shape))


def _holes(rng: Random, states: int, classes: int, count: int, positive: bool) -> list[int]:
    """Return the cells to set to 0. If `positive`, one cell of every feature state is not among them."""
    if not count:
        return []
    if not positive:
        return _choose(rng, states * classes, count)
    spared = {state * classes + _below(rng, classes) for state in range(states)}
    exposed = [cell for cell in range(states * classes) if cell not in spared]
    return [exposed[i] for i in _choose(rng, len(exposed), count)]


def _composition(rng: Random, total: int, parts: int, least: int) -> Sequence[int]:
    """Return `parts` integers of at least `least` that sum to `total`, uniformly among all such tuples."""
    slots = total - parts * least + parts - 1
    bars = [-1, *_choose(rng, slots, parts - 1), slots]
    return [right - left - 1 + least for left, right in itertools.pairwise(bars)]


def _choose(rng: Random, n: int, k: int) -> list[int]:
    """Return k of the integers below n, ascending, uniformly among all such sets (Floyd's method)."""
    chosen: set[int] = set()
    for last in range(n - k, n):
        candidate = _below(rng, last + 1)
        chosen.add(last if candidate in chosen else candidate)
    return sorted(chosen)


def _below(rng: Random, n: int) -> int:
    """Return an integer below n, uniformly: bits are drawn again until their number is below n."""
    width = (n - 1).bit_length()
    while (value := rng.getrandbits(width) if width else 0) >= n:
        pass
    return value


_SEGMENTS = ("top", "upper_left", "upper_right", "middle", "lower_left", "lower_right", "bottom")

# The segments that are lit for 0, 1, .., 9. The 6 has a top bar, and the 9 has a bottom bar.
DIGITS = ("1110111", "0010010", "1011101", "1011011", "0111010", "1101011", "1101111", "1010010", "1111111", "1111011")

# target -> its classes, and the class of each digit
_TARGETS: Mapping[str, tuple[tuple[int | str, ...], tuple[int | str, ...]]]
_TARGETS = {"digit": (tuple(range(10)), tuple(range(10))), "parity": (("even", "odd"), ("even", "odd") * 5)}


def led(*, noise: Exact = "1/10", target: str = "digit") -> JointDistribution:
    """Return the LED display: a digit, and the seven segments that show it, each inverted with probability `noise`.

    The features are ``top``, ``upper_left``, ``upper_right``, ``middle``, ``lower_left``, ``lower_right`` and
    ``bottom``, each 0 (dark) or 1 (lit). The target is the "digit" or its "parity" (even, odd). The ten digits are
    equally likely. With noise 1/10 the published risk of the digit is 26 percent. Source: L. Breiman, J. H. Friedman,
    R. A. Olshen and C. J. Stone, "Classification and Regression Trees", Wadsworth, 1984, section 2.6.1.

    Examples
    --------
    >>> from fstheory import bayes_risk, gallery
    >>> float(bayes_risk(gallery.led(), gallery.led().features))
    0.25997752
    """
    errors.require_known(target, "target", _TARGETS)
    rate = as_probability(noise, "noise")
    classes, class_of = _TARGETS[target]
    segments = [tuple(map(int, digit)) for digit in DIGITS]

    def weight(*labels: int | str) -> Fraction:
        *display, y = labels
        alike = (sum(map(eq, display, lit)) for lit, of in zip(segments, class_of, strict=True) if of == y)
        return sum((rate ** (len(display) - same) * (1 - rate) ** same for same in alike), Fraction(0))

    return tabulate({**dict.fromkeys(_SEGMENTS, BITS), target: classes}, weight)


# class -> sex -> (children lost, children saved, adults lost, adults saved)
_TITANIC = {
    "1st": {"male": (0, 5, 118, 57), "female": (0, 1, 4, 140)},
    "2nd": {"male": (0, 11, 154, 14), "female": (0, 13, 13, 80)},
    "3rd": {"male": (35, 13, 387, 75), "female": (17, 14, 89, 76)},
    "crew": {"male": (0, 0, 670, 192), "female": (0, 0, 3, 20)},
}

# department -> (men rejected, men admitted, women rejected, women admitted)
_BERKELEY = {
    "A": (313, 512, 19, 89),
    "B": (207, 353, 8, 17),
    "C": (205, 120, 391, 202),
    "D": (279, 138, 244, 131),
    "E": (138, 53, 299, 94),
    "F": (351, 22, 317, 24),
}


def titanic() -> JointDistribution:
    """Return the distribution of the 2201 people on board the Titanic: class, sex and age -> survived.

    There were no children in the crew, so p(x) > 0 does not hold for every x. Source: R. J. MacG. Dawson, "The 'Unusual
    Episode' Data Revisited", Journal of Statistics Education 3(3), 1995.

    Examples
    --------
    >>> from fstheory import bayes_risk, gallery
    >>> [str(bayes_risk(gallery.titanic(), subset)) for subset in ({"sex"}, {"sex", "age"}, {"class", "sex", "age"})]
    ['493/2201', '493/2201', '461/2201']
    """
    weights = [[[row[:2], row[2:]] for row in sexes.values()] for sexes in _TITANIC.values()]
    states = {"class": list(_TITANIC), "sex": ["male", "female"], "age": ["child", "adult"], "survived": ["no", "yes"]}
    return named(weights, states)


def berkeley() -> JointDistribution:
    """Return the distribution of the 4526 applicants to Berkeley in 1973: gender and department -> admitted.

    The table covers the six largest departments. It shows Simpson's paradox: a smaller share of the women than of the
    men was admitted, yet in four of the six departments the women's rate is higher. Some copies of the table have 16
    and 256 men in department F in place of 22 and 351. Only 22 and 351 agree with the published totals. Source: P. J.
    Bickel, E. A. Hammel and J. W. O'Connell, "Sex Bias in Graduate Admissions: Data from Berkeley", Science 187, 1975.

    Examples
    --------
    >>> from fstheory import gallery
    >>> [str(gallery.berkeley().posterior({"gender": gender})["yes"]) for gender in ("male", "female")]
    ['1198/2691', '557/1835']
    """
    weights = [[row[:2] for row in _BERKELEY.values()], [row[2:] for row in _BERKELEY.values()]]
    states = {"gender": ["male", "female"], "department": list(_BERKELEY), "admitted": ["no", "yes"]}
    return named(weights, states)


# variable -> (its parents, the probability of "yes" for each state of the parents). States of the parents are listed
# with yes before no, and the last parent varies fastest.
ASIA: Mapping[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "asia": ((), ("0.01",)),
    "smoke": ((), ("0.5",)),
    "tub": (("asia",), ("0.05", "0.01")),
    "lung": (("smoke",), ("0.1", "0.01")),
    "bronc": (("smoke",), ("0.6", "0.3")),
    "either": (("tub", "lung"), ("1", "1", "1", "0")),
    "xray": (("either",), ("0.98", "0.05")),
    "dysp": (("bronc", "either"), ("0.9", "0.8", "0.7", "0.1")),
}


def asia(target: str = "dysp") -> JointDistribution:
    """Return the chest clinic network of Lauritzen and Spiegelhalter, with any of its eight variables as the target.

    The variables are ``asia`` (a recent visit to Asia), ``smoke``, ``tub`` (tuberculosis), ``lung`` (lung cancer),
    ``bronc`` (bronchitis), ``either`` (``tub`` or ``lung``), ``xray`` (positive) and ``dysp`` (shortness of breath).
    Each is no or yes. Source: S. L. Lauritzen and D. J. Spiegelhalter, "Local Computations with Probabilities on
    Graphical Structures and Their Application to Expert Systems", Journal of the Royal Statistical Society B 50(2),
    1988.

    Examples
    --------
    >>> from fstheory import bayes_risk, gallery
    >>> d = gallery.asia("dysp")
    >>> bayes_risk(d, {"bronc", "either"}) == bayes_risk(d, {"tub", "lung", "bronc"}) == bayes_risk(d, d.features)
    True
    """
    errors.require_known(target, "target", ASIA)
    names = (*(name for name in ASIA if name != target), target)
    tables = {
        name: dict(zip(itertools.product(("yes", "no"), repeat=len(parents)), map(parse_fraction, ones), strict=True))
        for name, (parents, ones) in ASIA.items()
    }

    def weight(*labels: str) -> Fraction:
        state = dict(zip(names, labels, strict=True))
        given = ((name, table[tuple(state[parent] for parent in ASIA[name][0])]) for name, table in tables.items())
        return math.prod((flipped(state[name], "yes", 1 - yes) for name, yes in given), start=Fraction(1))

    return tabulate(dict.fromkeys(names, ("no", "yes")), weight)


# -- The gallery by name: the command line uses it, and so do loops over all distributions.


_ENTRIES: dict[str, dict[str, str]]
_ENTRIES = tomllib.loads((resources.files(__package__) / "gallery.toml").read_text(encoding="utf-8"))
_MAKERS: dict[str, Callable[[], JointDistribution]] = {
    made.__name__.replace("_", "-"): made
    for made in (
        *(titanic, berkeley, led, xor, corral, correlated_xor, asia, ahmed_example_1, pena_nilsson_example_1),
        *(toussaint, cover, copies, recoded, ties),
    )
}
_MAKERS |= {f"monks-{problem}": partial(monks, problem) for problem in (1, 2, 3)}
_MAKERS |= {f"asia-{name}": partial(asia, name) for name in ASIA if name != "dysp"}
_MAKERS |= {"led-parity": partial(led, target="parity"), "parity-3": partial(parity, 3, noise="1/10")}
_MAKERS |= {"random": partial(random, rng=1)}


def __dir__() -> list[str]:
    return __all__


def names() -> tuple[str, ...]:
    """Return the names of all distributions in the gallery, which `load` accepts.

    Examples
    --------
    >>> names()[:5]
    ('titanic', 'berkeley', 'monks-1', 'monks-2', 'monks-3')
    """
    return tuple(_ENTRIES)


def load(name: str) -> JointDistribution:
    """Return the distribution with this name in the gallery. `names` lists the names.

    Examples
    --------
    >>> load("led-parity") == led(target="parity")
    True
    """
    _entry(name)
    return _MAKERS[name]()


def as_distribution(value: DistributionLike, argument: str = "d") -> JointDistribution:
    """Return the distribution with this name in the gallery. A distribution is returned as it is.

    Every call that takes a distribution or its name passes it through this function, so that all of them refuse the
    same values with the same words.
    """
    if isinstance(value, JointDistribution):
        return value
    if not isinstance(value, str):
        require_distribution(value, argument)  # refuses it
    if value not in _ENTRIES and "." in value:
        repair = f"fs.distributions.load({value!r}) reads a file"
        needed = "the name of a distribution in the gallery"
        raise errors.UnknownNameError(errors.explain(argument, needed, value, repair))
    return load(value)


def describe(name: str) -> str:
    """Return a line that describes the distribution with this name and gives its source.

    Examples
    --------
    >>> describe("titanic")
    '2201 people on the Titanic: class, sex, age and whether they survived (Dawson 1995)'
    """
    entry = _entry(name)
    return f"{entry['summary']} ({entry['source']})"


def story(name: str) -> str:
    """Return the question that an interactive page of this distribution begins with, and where the data come from.

    Examples
    --------
    >>> story("titanic")  # doctest: +NORMALIZE_WHITESPACE
    'If you must say who survived, is it worth knowing the age?
    The data: 2201 people on the Titanic: class, sex, age and whether they survived (Dawson 1995).'
    """
    return f"{_entry(name)['question']} The data: {describe(name)}."


def _entry(name: object) -> dict[str, str]:
    if not isinstance(name, str) or name not in _ENTRIES:
        # The message lists all names: a user of the command line has no other list at hand.
        repair = f"{errors.did_you_mean(name, _ENTRIES)}use one of: {', '.join(_ENTRIES)}"
        raise errors.UnknownNameError(f"gallery name {errors.show(name)} does not exist; {repair}")
    return _ENTRIES[name]
