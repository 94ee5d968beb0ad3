"""Distributions made from distributions: products and mixtures."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from fractions import Fraction
from math import lcm
from typing import Any

import numpy as np

from fstheory._support.exact import Exact, as_fraction, integers_over
from fstheory._support.memory import require_cells
from fstheory.distributions.joint import JointDistribution, require_distribution
from fstheory.errors import InvalidTypeError, explain, require, require_type
from fstheory.lattice.subsets import feature_names


def product(first: JointDistribution, second: JointDistribution, *, target: str | None = None) -> JointDistribution:
    """Return the joint distribution of two independent problems: the class is the pair of their classes.

    Features of the first, then of the second; classes (y, z), the second running fastest.

    Parameters
    ----------
    first, second : JointDistribution
        With distinct feature names; `JointDistribution.rename` makes them so.
    target : str, optional
        The name of the pair, by default both names joined by a comma.

    Examples
    --------
    >>> coin = JointDistribution([1, 1], target="coin")
    >>> product(coin, JointDistribution([[1, 3]], target="Z")).probability({"coin,Z": (0, 1)})
    Fraction(3, 8)
    """
    for name, value in (("first", first), ("second", second)):
        require_distribution(value, name)
    features = feature_names((*first.features, *second.features))
    shape = (*first.cardinalities, *second.cardinalities, len(first.classes) * len(second.classes))
    require_cells(shape, "the product", "marginalize its factors first")
    left = first.weights if first.total * second.total < 2**63 else first.weights.astype(object)
    outer = np.multiply.outer(left, second.weights)
    table = np.moveaxis(outer, len(first.features), -2).reshape(shape)
    name = f"{first.target},{second.target}" if target is None else target
    # features only: the target of one may have the name of a feature of the other
    kept = {feature: factor.states[feature] for factor in (first, second) for feature in factor.features}
    kept[name] = tuple(itertools.product(first.classes, second.classes))
    return JointDistribution(table, features=features, target=name, states=kept)


def independent_features(d: JointDistribution, features: Mapping[str, Mapping[Any, Exact]]) -> JointDistribution:
    """Add features that are independent of everything, and so irrelevant.

    Parameters
    ----------
    d : JointDistribution
    features : mapping
        From the name of each new feature to its mass function {label: probability}.

    Examples
    --------
    >>> d = independent_features(JointDistribution([[1, 0], [0, 1]]), {"noise": {"a": "1/3", "b": "2/3"}})
    >>> d.probability({"X1": 0, "noise": "b"})
    Fraction(1, 3)
    """
    require_distribution(d, "d")
    require_type(features, Mapping, "features", "a mapping from names to mass functions", "pass a dict")
    result = d
    for name, pmf in features.items():
        require_type(pmf, Mapping, f"features[{name!r}]", "a mapping {label: probability}", "pass a dict")
        result = _add_feature(result, JointDistribution.from_pmf({(x,): p for x, p in pmf.items()}, target=name))
    return result


def _add_feature(d: JointDistribution, noise: JointDistribution) -> JointDistribution:
    """Add the class of `noise` as the last feature, independent of all others."""
    require_cells((*d.weights.shape, len(noise.classes)), "the product", "add features with fewer states")
    left = d.weights if d.total * noise.total < 2**63 else d.weights.astype(object)
    table = np.moveaxis(np.multiply.outer(left, noise.weights), -1, -2)
    features = feature_names((*d.features, noise.target))
    require(d.target != noise.target, "features", "named otherwise than the target", d.target, "rename it")
    states = {**d.states, noise.target: noise.classes}
    return JointDistribution(table, features=features, target=d.target, states=states)


def mixture(components: Sequence[JointDistribution], weights: Sequence[Exact]) -> JointDistribution:
    """Return the mixture of distributions over the same variables and states.

    Parameters
    ----------
    components : sequence of JointDistribution
    weights : sequence of exact numbers
        The probability of each component.

    Examples
    --------
    >>> mixture([JointDistribution([[1, 0]]), JointDistribution([[0, 1]])], ["1/4", "3/4"])
    JointDistribution([[1, 3]])
    """
    require_type(components, Sequence, "components", "a sequence of distributions", "pass a list")
    if isinstance(weights, str) or not isinstance(weights, Sequence):
        raise InvalidTypeError(explain("weights", "a sequence of exact numbers", weights, "pass a list"))
    count = len(components)
    require(0 < count == len(weights), "weights", f"{count} numbers, one per component", weights, "pass as many")
    for i, component in enumerate(components):
        require_distribution(component, f"components[{i}]")
        alike = component.features == components[0].features and component.states == components[0].states
        needed = "over the variables and states of the first"
        require(alike, f"components[{i}]", needed, component, "align their states")
    masses = [as_fraction(weight, f"weights[{i}]") for i, weight in enumerate(weights)]
    probable = sum(masses) == 1 and min(masses) >= 0
    require(probable, "weights", "at least 0 and sum to exactly 1", weights, "correct them")
    total = lcm(*(component.total for component in components))
    factors, _ = integers_over([m * Fraction(total, c.total) for m, c in zip(masses, components, strict=True)])
    table = sum(c.weights.astype(object) * factor for c, factor in zip(components, factors, strict=True))
    first = components[0]
    return JointDistribution(table, features=first.features, target=first.target, states=first.states)
