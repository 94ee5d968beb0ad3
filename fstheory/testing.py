"""Hypothesis strategies: distributions, feature subsets and events, for the tests of what builds on fstheory.

The module needs hypothesis, which ``pip install '.[test]'`` in the checkout brings. Failures shrink towards few
features, few states and small weights.

Examples
--------
>>> from hypothesis import given, settings
>>> from fstheory import bayes_risk
>>> @settings(max_examples=20, deadline=None)
... @given(joint_distributions(max_features=2))
... def test_features_never_hurt(d):
...     assert bayes_risk(d, d.features) <= bayes_risk(d, {})
>>> test_features_never_hurt()
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterable
from typing import Any

import numpy as np

from fstheory._support.exact import as_index
from fstheory._support.result import FeatureData
from fstheory.distributions.joint import JointDistribution
from fstheory.errors import MissingDependencyError, install_hint, require, require_type
from fstheory.lattice.subsets import feature_names, names_of
from fstheory.lattice.table import SubsetTable

try:
    from hypothesis import strategies as st
except ImportError as error:
    raise MissingDependencyError(install_hint("fstheory.testing", "hypothesis", "test")) from error

__all__ = ["events", "feature_subsets", "joint_distributions", "labels", "names"]

_COMMON = 12  # about 12 of 17 distributions have weights of one machine word: a shift of 0 is drawn so often
_SHIFTS = (0,) * _COMMON + (61, 63, 64, 200, 4000)


_CHARACTERS = st.characters(
    exclude_categories=("Cc", "Cs"), include_characters="\t\n\r", exclude_characters="\ufffe\uffff"
)


def names() -> st.SearchStrategy[str]:
    """Return a strategy for names of variables. All of them are legal, and many are odd: quotes, braces, commas.

    Examples
    --------
    >>> from hypothesis import find
    >>> find(names(), bool)  # the simplest
    'X1'
    """
    text = st.text(_CHARACTERS, min_size=1, max_size=6).filter(lambda name: bool(name.strip()))
    return st.sampled_from(["X1", "X2", "X1X2", "sex", "a,b", "{a}", '"', "50%_$", "<b>", "∅", "{}"]) | text


def labels() -> st.SearchStrategy[Hashable]:
    """Return a strategy for state labels that JSON keeps: integers, strings, booleans, and tuples of these.

    Examples
    --------
    >>> from hypothesis import find
    >>> find(labels(), lambda label: isinstance(label, tuple) and len(label) == 1)
    (0,)
    """
    simple = st.integers() | st.text(_CHARACTERS, max_size=4) | st.booleans()
    return simple | st.lists(simple, max_size=2).map(tuple)


@st.composite
def joint_distributions(
    draw: st.DrawFn,
    *,
    min_features: int = 0,
    max_features: int = 3,
    cardinalities: tuple[int, int] = (1, 3),
    classes: tuple[int, int] = (1, 3),
    max_weight: int = 9,
    huge: bool = True,
    zeros: bool = True,
    positive: bool = False,
    unique_maximum: bool = False,
    named: bool = False,
) -> JointDistribution:
    """Return a strategy for joint distributions.

    They include the odd cases: no features, one class, states of probability 0, ties between classes.

    Parameters
    ----------
    min_features, max_features : int
        The least and the largest number of features.
    cardinalities, classes : pair of int
        The least and the largest number of states of a feature, and of classes.
    max_weight : int
        The largest weight of a cell, if weights are not huge.
    huge : bool
        Whether some distributions have weights of 61 to some thousands of bits.
    zeros : bool
        Whether weights may be 0.
    positive : bool
        Whether every joint state of the features has a positive probability.
    unique_maximum : bool
        Whether no two classes tie for the largest probability in a state of positive probability.
    named : bool
        Whether variables and states have odd names. Otherwise they have the default names.

    Examples
    --------
    >>> from hypothesis import find
    >>> find(joint_distributions(), lambda d: not d.has_unique_maximum())  # the simplest
    JointDistribution([1, 1])
    """
    n = draw(_between("features", (min_features, max_features), 0))
    width = draw(_between("classes", classes, 1))
    shape = [draw(_between("cardinalities", cardinalities, 1)) for _ in range(n)]
    least = 0 if zeros else 1
    small = st.integers(least, as_index(max_weight, "max_weight", at_least=1))
    shift = draw(st.sampled_from(_SHIFTS)) if huge else 0
    weight = st.builds(lambda a, b: (a << shift) + b, small, small) if shift else small
    sparse = zeros and not positive and draw(st.booleans())  # else impossible states would be rare
    rows = []
    for _ in range(math.prod(shape)):
        row = draw(st.lists(weight, min_size=classes[1], max_size=classes[1]))[:width]  # so that classes shrink alone
        if sparse and draw(st.booleans()):
            row = [0] * width
        if positive and not any(row):
            row[draw(st.integers(0, width - 1))] = 1
        if unique_maximum and any(row) and row.count(max(row)) > 1:
            row[draw(st.integers(0, width - 1))] = max(row) + 1
        rows.append(row)
    if not any(map(any, rows)):
        rows[0][0] = 1
    table = np.array(rows, dtype=object).reshape((*shape, width))
    if not named:
        return JointDistribution(table)
    *features, target = draw(st.lists(names(), min_size=n + 1, max_size=n + 1, unique=True))
    states = {
        name: draw(st.lists(labels(), min_size=size, max_size=size, unique=True))
        for name, size in zip([*features, target], [*shape, width], strict=True)
    }
    return JointDistribution(table, features=features, target=target, states=states)


def feature_subsets(of: FeatureData | SubsetTable[Any] | Iterable[str]) -> st.SearchStrategy[frozenset[str]]:
    """Return a strategy for subsets of the features of a distribution or a table, or of some names.

    Examples
    --------
    >>> from hypothesis import find
    >>> find(feature_subsets(["X1", "X2"]), bool)
    frozenset({'X1'})
    """
    features: tuple[str, ...] = of.features if isinstance(of, FeatureData | SubsetTable) else feature_names(of)
    return st.integers(0, 2 ** len(features) - 1).map(lambda mask: names_of(mask, features))


@st.composite
def events(draw: st.DrawFn, d: JointDistribution, *, target: bool = True) -> dict[str, Any]:
    """Return a strategy for events of a distribution: some variables, each with a label or a set of labels.

    An event may have probability 0. Without `target` it is about features only.

    Examples
    --------
    >>> from hypothesis import find
    >>> find(events(JointDistribution([[1, 0], [0, 1]])), lambda event: len(event) == 2)
    {'X1': 0, 'Y': 0}
    """
    require_type(d, JointDistribution, "d", "a JointDistribution", "draw one first")
    about = [*d.features, *([d.target] if target else [])]
    event: dict[str, Any] = {}
    chosen = draw(feature_subsets(about))
    for name in (name for name in about if name in chosen):
        held = st.sampled_from(d.states[name])
        event[name] = draw(held | st.frozensets(held))
    return event


def _between(what: str, bounds: tuple[int, int], at_least: int) -> st.SearchStrategy[int]:
    low, high = (as_index(bound, what, at_least=at_least) for bound in bounds)
    require(low <= high, what, "bounded by the smaller number first", bounds, "exchange them")
    return st.integers(low, high)
