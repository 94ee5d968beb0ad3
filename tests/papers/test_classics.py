"""The classics: Toussaint's smallest examples, and which features are linked to the class, by other code."""

import itertools

import networkx as nx
import pytest

from fstheory.distributions.joint import JointDistribution
from fstheory.logic.ledger import claims
from fstheory.logic.verdict import Holds
from fstheory.selection.relevant import conditionally_independent, relevance
from tests.papers import toussaint
from tests.papers.test_koller_sahami import networks


@pytest.mark.parametrize(
    ("states", "prior", "best", "reverse"),
    [(2, (1, 1), 7, 10), (2, (2, 3), 4, 5), pytest.param(3, (1, 1), 7, 7, marks=pytest.mark.thorough)],
)
def test_least_denominators(states: int, prior: tuple[int, int], best: int, reverse: int) -> None:
    """TO-2, TO-3: the least denominators with which the best pair leaves out the best, and with which pairs reverse."""
    found = [toussaint.search(D, states, prior) for D in range(1, reverse + 1)]
    assert [next(D for D, row in enumerate(found, 1) if row[way]) for way in (1, 2)] == [best, reverse]
    if (states, prior) == (2, (1, 1)):
        counts = [claims[key].evidence[0].count for key in ("TO-2", "TO-3")]
        assert counts == [sum(tried for tried, *_ in found[:end]) for end in (best, reverse)]


@pytest.mark.parametrize("key", ["CH-2e", "FA-1e"])
@pytest.mark.parametrize("weights", [(2, 1, 1), (3, 2, 1)])
def test_upper_bounds_are_reached_where_wrong_classes_are_equally_probable(key: str, weights: tuple[int, ...]) -> None:
    """They are not reached by the other weights, of which the statements assume too little for that."""
    assert isinstance(claims[key].check(JointDistribution([weights])), Holds)


@pytest.mark.thorough
def test_relevant_features_are_linked() -> None:
    """NI-1c, on networks, which have composition and weak transitivity where they are faithful to the graph."""
    count, unlinked = 0, 0
    for _, _, d in networks():
        found = relevance(d)
        names = [*d.features, d.target]
        pairs = itertools.combinations(names, 2)
        linked: nx.Graph[str] = nx.Graph(pair for pair in pairs if not conditionally_independent(d, *pair))
        linked.add_nodes_from(names)
        assert found.strong | found.weak == nx.node_connected_component(linked, d.target) - {d.target}
        unlinked += bool(found.irrelevant)
        count += 1
    assert (unlinked > 20, count) == (True, claims["NI-1c"].evidence[1].count)
