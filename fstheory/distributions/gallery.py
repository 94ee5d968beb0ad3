"""The gallery of named distributions: published tables and networks, small examples for theorems, random tables."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from functools import partial
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


_THRUN, _BREIMAN, _LAURITZEN = "Thrun et al. 1991", "Breiman et al. 1984", "Lauritzen and Spiegelhalter 1988"
_INVERTED = "inverted with probability 1/10"
_LED, _CLINIC = f"seven segments, each {_INVERTED}", "the chest clinic network"

# name -> (the function that builds the distribution, a description, the source)
_ENTRIES: Mapping[str, tuple[Callable[[], JointDistribution], str, str]] = {
    "titanic": (titanic, "2201 people on the Titanic: class, sex, age and whether they survived", "Dawson 1995"),
    "berkeley": (berkeley, "4526 applicants to Berkeley in 1973: gender, department -> admitted", "Bickel et al. 1975"),
    "monks-1": (partial(monks, 1), "MONK's problem 1: same shapes, or a red jacket", _THRUN),
    "monks-2": (partial(monks, 2), "MONK's problem 2: exactly two attributes in their first state", _THRUN),
    "monks-3": (partial(monks, 3), "MONK's problem 3, with 5 percent class noise", _THRUN),
    "led": (led, f"{_LED} -> digit", _BREIMAN),
    "led-parity": (partial(led, target="parity"), f"{_LED} -> even or odd", _BREIMAN),
    "xor": (xor, "the exclusive or of two fair bits", "folklore"),
    "parity-3": (partial(parity, 3, noise="1/10"), f"the parity of three fair bits, {_INVERTED}", "folklore"),
    "corral": (corral, "(A0 and A1) or (B0 and B1), with a tempting correlated bit", "John, Kohavi and Pfleger 1994"),
    "correlated-xor": (correlated_xor, "X1 xor X2 among features and their complements", "Kohavi and John 1997"),
    "asia": (asia, f"{_CLINIC} -> dysp", _LAURITZEN),
    **{f"asia-{name}": (partial(asia, name), f"{_CLINIC} -> {name}", _LAURITZEN) for name in ASIA if name != "dysp"},
    "ahmed-example-1": (
        ahmed_example_1,
        "mutual information and Bayes risk prefer different features",
        "Ahmed, Narasimhan and Agarwal 2015",
    ),
    "pena-nilsson-example-1": (
        pena_nilsson_example_1,
        "a strongly relevant feature outside the minimal-optimal subset",
        "Peña and Nilsson 2010",
    ),
    "toussaint": (toussaint, "the two best features are the worst pair", "Toussaint 1971"),
    "cover": (cover, "the worse experiment is the better one to repeat", "Cover 1974"),
    "copies": (copies, "a feature and its copy: p(x) > 0 fails, two solutions", "fstheory"),
    "recoded": (recoded, "two bits and their exclusive or: solutions of different size", "fstheory"),
    "ties": (ties, "tied posteriors: the single maximum fails, two solutions", "fstheory"),
    "random": (partial(random, rng=1), "a random table over three bits and a class, seed 1", "fstheory"),
}
# name -> the question that an interactive page begins with
_QUESTIONS: Mapping[str, str] = {
    "titanic": "If you must say who survived, is it worth knowing the age?",
    "berkeley": "If you must say who was admitted, is it worth knowing the gender?",
    "monks-1": "Which attributes of a robot does the rule need?",
    "monks-2": "Can any attribute be spared if the rule counts all of them?",
    "monks-3": "Which attributes are worth knowing if some robots are labeled wrongly?",
    "led": "Which segments of a display do you need to read the digit?",
    "led-parity": "Which segments of a display tell an even digit from an odd one?",
    "xor": "Can two features that are worthless alone be worth everything together?",
    "parity-3": "Can three features be needed together if no two of them tell anything?",
    "corral": "The best single feature is a trap. Which features are in the best set?",
    "correlated-xor": "Two features decide the class. Which others can take their place?",
    **{f"asia-{name}": f"Which facts about a patient help to predict {name}?" for name in ASIA if name != "dysp"},
    "asia": "Which facts about a patient help to predict shortness of breath?",
    "ahmed-example-1": "Which test tells more about the patients, and which one leads to fewer wrong decisions?",
    "pena-nilsson-example-1": "Can a feature change what you believe and never what you decide?",
    "toussaint": "Do the two best features make the best pair?",
    "cover": "Is the better experiment also the better one to repeat?",
    "copies": "If a feature has a copy, which of the two do you keep?",
    "recoded": "How many smallest sets without a loss are there, and are they equally large?",
    "ties": "What happens if two classes are equally likely?",
    "random": "Which features does a random table need?",
}


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
    make, _, _ = _entry(name)
    return make()


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
    _, summary, source = _entry(name)
    return f"{summary} ({source})"


def story(name: str) -> str:
    """Return the question that an interactive page of this distribution begins with, and where the data come from.

    Examples
    --------
    >>> story("titanic")  # doctest: +NORMALIZE_WHITESPACE
    'If you must say who survived, is it worth knowing the age?
    The data: 2201 people on the Titanic: class, sex, age and whether they survived (Dawson 1995).'
    """
    summary = describe(name)
    return f"{_QUESTIONS[name]} The data: {summary}."


def _entry(name: object) -> tuple[Callable[[], JointDistribution], str, str]:
    if not isinstance(name, str) or name not in _ENTRIES:
        # The message lists all names: a user of the command line has no other list at hand.
        repair = f"{errors.did_you_mean(name, _ENTRIES)}use one of: {', '.join(_ENTRIES)}"
        raise errors.UnknownNameError(f"gallery name {errors.show(name)} does not exist; {repair}")
    return _ENTRIES[name]
