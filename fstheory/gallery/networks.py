"""Bayesian networks, multiplied out exactly."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from types import MappingProxyType

from fstheory._rational import parse_fraction
from fstheory.distribution import JointDistribution
from fstheory.errors import unknown
from fstheory.gallery._tabulate import tabulate

__all__ = ["ASIA_VARIABLES", "asia"]

ASIA_VARIABLES = ("asia", "smoke", "tub", "lung", "bronc", "either", "xray", "dysp")

# variable -> (its parents, the probability of "yes" for each state of the parents)
_ASIA: Mapping[str, tuple[tuple[str, ...], Mapping[tuple[str, ...], str]]] = MappingProxyType(
    {
        "asia": ((), {(): "0.01"}),
        "smoke": ((), {(): "0.5"}),
        "tub": (("asia",), {("yes",): "0.05", ("no",): "0.01"}),
        "lung": (("smoke",), {("yes",): "0.1", ("no",): "0.01"}),
        "bronc": (("smoke",), {("yes",): "0.6", ("no",): "0.3"}),
        "either": (
            ("tub", "lung"),
            {("yes", "yes"): "1", ("yes", "no"): "1", ("no", "yes"): "1", ("no", "no"): "0"},
        ),
        "xray": (("either",), {("yes",): "0.98", ("no",): "0.05"}),
        "dysp": (
            ("bronc", "either"),
            {("yes", "yes"): "0.9", ("yes", "no"): "0.8", ("no", "yes"): "0.7", ("no", "no"): "0.1"},
        ),
    }
)


def asia(target: str = "dysp") -> JointDistribution:
    """Return the chest clinic network of Lauritzen and Spiegelhalter, any variable as the target.

    Parameters
    ----------
    target : str
        One of the eight variables; the other seven are the features.

    Returns
    -------
    JointDistribution
        Variables ``asia`` (a recent visit to Asia), ``smoke``, ``tub`` (tuberculosis), ``lung`` (lung
        cancer), ``bronc`` (bronchitis), ``either`` (tuberculosis or lung cancer), ``xray`` (positive) and
        ``dysp`` (shortness of breath), all with states no and yes.

    Raises
    ------
    UnknownNameError
        There is no such variable.

    Notes
    -----
    ``either`` is a function of ``tub`` and ``lung``, so p(x) > 0 fails unless ``either`` is the target.
    For ``dysp`` two subsets are minimal with minimal risk, and they differ in size: {bronc, either} and
    {tub, lung, bronc}. For ``asia`` it is the empty set: nothing that the clinic sees makes a visit
    more likely than not.

    References
    ----------
    .. [1] S. L. Lauritzen and D. J. Spiegelhalter, "Local Computations with Probabilities on Graphical
       Structures and Their Application to Expert Systems", Journal of the Royal Statistical Society B
       50(2), 1988.

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
        name: (parents, {given: parse_fraction(p) for given, p in table.items()})
        for name, (parents, table) in _ASIA.items()
    }

    def weight(*labels: str) -> Fraction:
        state = dict(zip(names, labels, strict=True))
        mass = Fraction(1)
        for name, (parents, table) in tables.items():
            yes = table[tuple(state[parent] for parent in parents)]
            mass *= yes if state[name] == "yes" else 1 - yes
        return mass

    return tabulate(dict.fromkeys(names, ("no", "yes")), weight)
