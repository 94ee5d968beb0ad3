"""The filter of Koller and Sahami on every network of few nodes, against the moral graph."""

import math
from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations, product

import networkx as nx
import numpy as np
import pytest

from fstheory.distributions.joint import JointDistribution
from fstheory.logic.ledger import claims
from fstheory.selection.relevant import conditionally_independent, markov_boundary

NODES = "ABCD"


def networks() -> Iterator[tuple["nx.DiGraph[str]", str, JointDistribution]]:
    """Yield every network of 2 to 4 binary nodes, each arrow to a later one, with every node as the class."""
    for n in (2, 3, 4):
        names, arrows = NODES[:n], list(combinations(NODES[:n], 2))
        for chosen in product((False, True), repeat=len(arrows)):
            graph: nx.DiGraph[str] = nx.DiGraph(arrow for arrow, there in zip(arrows, chosen, strict=True) if there)
            graph.add_nodes_from(names)
            rng = np.random.default_rng(len(arrows) << len(arrows) | sum(1 << i for i, one in enumerate(chosen) if one))
            ones = {v: rng.integers(1, 97, (2,) * graph.in_degree(v)) for v in names}  # of 97: nothing is so by chance
            for target in names:
                order = [*(v for v in names if v != target), target]
                pmf = {}
                for state in product((0, 1), repeat=n):
                    at = dict(zip(order, state, strict=True))
                    one = {v: Fraction(int(ones[v][tuple(at[p] for p in sorted(graph.pred[v]))]), 97) for v in names}
                    pmf[state] = math.prod((one[v] if at[v] else 1 - one[v] for v in names), start=Fraction(1))
                yield graph, target, JointDistribution.from_pmf(pmf, features=order[:-1], target=target)


def ends(d: JointDistribution, gone: frozenset[str] = frozenset()) -> set[frozenset[str]]:
    """Return what the filter drops in the end, for every order: a feature goes that has a blanket within the rest."""
    left = set(d.features) - gone
    found = [
        ends(d, gone | {i})
        for i in left
        if any(
            conditionally_independent(d, {i}, {*d.features, d.target} - {i, *M}, given=M)
            for size in range(len(left))
            for M in combinations(sorted(left - {i}), size)
        )
    ]
    return set().union(*found) if found else {gone}


@pytest.mark.thorough(3)
def test_the_filter_drops_maximal_independent_sets_of_the_moral_graph() -> None:
    count, kept = 0, 0
    for graph, target, d in networks():
        moral = nx.moral_graph(graph)
        boundary = set(moral[target])
        assert boundary == markov_boundary(d)
        apart = nx.complement(moral.subgraph(set(d.features) - boundary))
        expected = {frozenset(clique) for clique in nx.find_cliques(apart)} or {frozenset()}
        assert ends(d) == expected, (graph.edges, target)
        kept += expected != {frozenset(d.features) - boundary}
        count += 1
    (evidence,) = (one for one in claims["KS-3n"].evidence if one.kind == "C")
    assert evidence.count == count
    assert kept > 50  # so that there is something that the filter leaves and nobody needs
