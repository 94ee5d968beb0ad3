"""Published tables and networks: people who were counted, the LED display, Bayesian networks multiplied out."""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping
from fractions import Fraction

from fstheory._exact import Exact, parse_fraction
from fstheory.distribution import JointDistribution
from fstheory.errors import unknown
from fstheory.gallery._tabulate import BITS, as_probability, flipped, named, tabulate

__all__ = ["ASIA_VARIABLES", "asia", "berkeley", "led", "titanic"]

_SEGMENTS = ("top", "upper_left", "upper_right", "middle", "lower_left", "lower_right", "bottom")

# The segments that are lit for 0, 1, .., 9; the 6 has a top bar and the 9 a bottom bar.
_DIGITS = ("1110111", "0010010", "1011101", "1011011", "0111010", "1101011", "1101111", "1010010", "1111111", "1111011")

# target -> its classes, and the class of each digit
_TARGETS: Mapping[str, tuple[tuple[int | str, ...], tuple[int | str, ...]]]
_TARGETS = {"digit": (tuple(range(10)), tuple(range(10))), "parity": (("even", "odd"), ("even", "odd") * 5)}


def led(*, noise: Exact = "1/10", target: str = "digit") -> JointDistribution:
    """Return the LED display: seven segments that each fail with probability `noise`, and the digit behind them.

    Features ``top``, ``upper_left``, ``upper_right``, ``middle``, ``lower_left``, ``lower_right`` and ``bottom`` with
    states 0 (dark) and 1 (lit); the ten digits are equally likely.

    Parameters
    ----------
    noise : exact number
        The probability that a segment is inverted, independently of the others.
    target : "digit" or "parity"
        Predict the digit (ten classes) or whether it is even or odd (two classes).

    Notes
    -----
    With noise 1/10 the published Bayes risk for ten classes is 26 percent; exactly it is 3249719/12500000, which is
    0.25997752. It needs all seven segments, and so does the parity (0.11030632). Without noise five of them tell the
    ten digits apart: all but ``lower_right`` and ``bottom``. With ten classes the assumption of a single maximum fails:
    where only the three lowest segments are lit, 0, 1 and 6 are equally likely.

    References
    ----------
    .. [1] L. Breiman, J. H. Friedman, R. A. Olshen and C. J. Stone, "Classification and Regression Trees",
       Wadsworth, 1984, section 2.6.1.

    Examples
    --------
    >>> from fstheory import bayes_risk, gallery
    >>> d = gallery.led()
    >>> bayes_risk(d, d.features), float(bayes_risk(d, d.features))
    (Fraction(3249719, 12500000), 0.25997752)
    >>> bayes_risk(gallery.led(target="parity"), d.features)
    Fraction(1378829, 12500000)
    >>> bayes_risk(gallery.led(noise=0), d.features)
    Fraction(0, 1)
    """
    if not isinstance(target, str) or target not in _TARGETS:
        raise unknown("target", target, _TARGETS)
    rate = as_probability(noise, "noise")
    classes, class_of = _TARGETS[target]
    likelihood = [_likelihood(digit, rate) for digit in _DIGITS]

    def weight(*labels: int | str) -> Fraction:
        *display, y = labels
        return sum((likelihood[k][tuple(display)] for k in range(10) if class_of[k] == y), Fraction(0))

    return tabulate({**dict.fromkeys(_SEGMENTS, BITS), target: classes}, weight)


def _likelihood(digit: str, noise: Fraction) -> dict[tuple[int | str, ...], Fraction]:
    """Return the probability of every display, given the digit."""
    displays: dict[tuple[int | str, ...], Fraction] = {}
    for display in itertools.product(BITS, repeat=len(_SEGMENTS)):
        segments = (flipped(lit, int(truth), noise) for lit, truth in zip(display, digit, strict=True))
        displays[display] = math.prod(segments, start=Fraction(1))
    return displays


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
    """Return the 2201 people on board the Titanic: class, sex and age -> survived.

    Features ``class`` (1st, 2nd, 3rd, crew), ``sex`` (male, female) and ``age`` (child, adult); target ``survived``
    (no, yes).

    Notes
    -----
    There were no children in the crew, so p(x) > 0 fails; and every child of the first two classes was
    saved. The minimal-optimal subset is nevertheless unique: all three features. Age is of no use
    next to sex alone, yet it is of use next to class, and next to both.

    References
    ----------
    .. [1] R. J. MacG. Dawson, "The 'Unusual Episode' Data Revisited", Journal of Statistics Education 3(3), 1995.

    Examples
    --------
    >>> from fstheory import bayes_risk, gallery
    >>> d = gallery.titanic()
    >>> d.total, d.probability({"survived": "yes"})
    (2201, Fraction(711, 2201))
    >>> d.probability({"class": "crew", "age": "child"})
    Fraction(0, 1)
    >>> [str(bayes_risk(d, subset)) for subset in ((), {"class"}, {"sex"}, {"age"})]
    ['711/2201', '630/2201', '493/2201', '706/2201']
    >>> [str(bayes_risk(d, subset)) for subset in ({"sex", "age"}, {"class", "sex"}, {"class", "sex", "age"})]
    ['493/2201', '477/2201', '461/2201']
    """
    weights = [[[row[:2], row[2:]] for row in sexes.values()] for sexes in _TITANIC.values()]
    states = {"class": list(_TITANIC), "sex": ["male", "female"], "age": ["child", "adult"], "survived": ["no", "yes"]}
    return named(weights, states)


def berkeley() -> JointDistribution:
    """Return the 4526 applicants to Berkeley's six largest departments in 1973: gender and department -> admitted.

    Features ``gender`` (male, female) and ``department`` (A to F); target ``admitted`` (no, yes).

    Notes
    -----
    The standard example of Simpson's paradox: 1198 of 2691 men and 557 of 1835 women were admitted, yet
    in four of the six departments the women's rate is the higher one. For the Bayes classifier the
    paradox is moot: gender alone is worth nothing, because both genders are mostly rejected, and next
    to the department it is worth nothing either. The minimal-optimal subset is {department}.

    Some copies of the table have 16 and 256 men in department F in place of 22 and 351; only
    the latter agree with the published totals.

    References
    ----------
    .. [1] P. J. Bickel, E. A. Hammel and J. W. O'Connell, "Sex Bias in Graduate Admissions: Data from
       Berkeley", Science 187, 1975.

    Examples
    --------
    >>> from fstheory import bayes_risk, gallery
    >>> d = gallery.berkeley()
    >>> d.total, d.probability({"admitted": "yes"})
    (4526, Fraction(1755, 4526))
    >>> [str(d.posterior({"gender": gender})["yes"]) for gender in ("male", "female")]
    ['1198/2691', '557/1835']
    >>> [str(bayes_risk(d, subset)) for subset in ((), {"gender"}, {"department"}, {"gender", "department"})]
    ['1755/4526', '1755/4526', '1331/4526', '1331/4526']
    """
    weights = [[row[:2] for row in _BERKELEY.values()], [row[2:] for row in _BERKELEY.values()]]
    states = {"gender": ["male", "female"], "department": list(_BERKELEY), "admitted": ["no", "yes"]}
    return named(weights, states)


ASIA_VARIABLES = ("asia", "smoke", "tub", "lung", "bronc", "either", "xray", "dysp")

# variable -> (its parents, the probability of "yes" for each state of the parents: yes before no, the last fastest)
_ASIA: Mapping[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
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
    """Return the chest clinic network of Lauritzen and Spiegelhalter, any variable as the target.

    Variables ``asia`` (a recent visit to Asia), ``smoke``, ``tub`` (tuberculosis), ``lung`` (lung cancer), ``bronc``
    (bronchitis), ``either`` (tuberculosis or lung cancer), ``xray`` (positive) and ``dysp`` (shortness of breath), all
    with states no and yes.

    Parameters
    ----------
    target : str
        One of the eight variables; the other seven are the features.

    Notes
    -----
    ``either`` is a function of ``tub`` and ``lung``, so p(x) > 0 fails unless ``either`` is the target. For ``dysp``
    two subsets are minimal with minimal risk, and they differ in size: {bronc, either} and {tub, lung, bronc}. For
    ``asia`` it is the empty set: nothing that the clinic sees makes a visit more likely than not.

    References
    ----------
    .. [1] S. L. Lauritzen and D. J. Spiegelhalter, "Local Computations with Probabilities on Graphical Structures and
       Their Application to Expert Systems", Journal of the Royal Statistical Society B 50(2), 1988.

    Examples
    --------
    >>> from fstheory import bayes_risk, gallery
    >>> d = gallery.asia("dysp")
    >>> [str(d.probability({name: "yes"})) for name in ("tub", "lung", "either", "xray", "dysp")]
    ['13/1250', '11/200', '16207/250000', '2757251/25000000', '2179853/5000000']
    >>> float(d.probability({"dysp": "yes"}))
    0.4359706
    >>> bayes_risk(d, {"bronc", "either"}) == bayes_risk(d, {"tub", "lung", "bronc"}) == bayes_risk(d, d.features)
    True
    >>> bayes_risk(d, {"bronc", "either"})
    Fraction(3680247, 25000000)
    """
    if not isinstance(target, str) or target not in ASIA_VARIABLES:
        raise unknown("target", target, ASIA_VARIABLES)
    names = (*(name for name in ASIA_VARIABLES if name != target), target)
    tables = {
        name: dict(zip(itertools.product(("yes", "no"), repeat=len(parents)), map(parse_fraction, ones), strict=True))
        for name, (parents, ones) in _ASIA.items()
    }

    def weight(*labels: str) -> Fraction:
        state = dict(zip(names, labels, strict=True))
        given = ((name, table[tuple(state[parent] for parent in _ASIA[name][0])]) for name, table in tables.items())
        return math.prod((flipped(state[name], "yes", 1 - yes) for name, yes in given), start=Fraction(1))

    return tabulate(dict.fromkeys(names, ("no", "yes")), weight)
