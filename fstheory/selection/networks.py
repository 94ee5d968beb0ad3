"""Bayesian networks, exactly: read, asked for joint distributions, boundaries and minimal-optimal subsets, drawn."""

from __future__ import annotations

import gzip
import itertools
import math
import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from graphlib import TopologicalSorter
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Self, TypeAlias

import numpy as np

from fstheory._support.exact import as_index, integers_over
from fstheory._support.files import as_path, write_atomically
from fstheory._support.memory import require_cells
from fstheory._support.result import Result
from fstheory.distributions.bif import Node, bif_text, checked_nodes, read_nodes
from fstheory.distributions.build import Event, Label, Variables, Weights, mask_event
from fstheory.distributions.gallery import ASIA
from fstheory.distributions.joint import JointDistribution
from fstheory.distributions.rows import Sample, generator
from fstheory.errors import ZeroProbabilityError, require, require_known, require_type
from fstheory.lattice.subsets import Subset, indices_of, listed_names, mask_of

if TYPE_CHECKING:
    import networkx as nx

__all__ = ["Network", "asia", "earthquake", "read", "write"]


def __dir__() -> list[str]:
    return __all__


Factor: TypeAlias = "tuple[tuple[str, ...], Weights, int]"
"""A table: the variables of its axes, and integers over a denominator, which none exceeds."""


_OPERANDS = 24  # of one sum of products, of which NumPy takes 32


@dataclass(frozen=True, init=False, repr=False)
class Network(Result):
    """A Bayesian network: a directed graph without cycles, and for each variable p(state | parents), exact.

    Parameters
    ----------
    tables : mapping
        From each variable to its parents and its table. The table of a variable without parents is a mapping from its
        states to probabilities; else a mapping from the state of its parent, or the tuple of states of its parents, to
        such a mapping. Numbers are exact, as ``"0.1"``.
    normalize : bool
        Rescale rows that do not sum to 1, and say so in `notes`, instead of refusing them.

    Examples
    --------
    >>> n = Network(
    ...     {
    ...         "rain": ((), {"yes": "0.2", "no": "0.8"}),
    ...         "wet": (["rain"], {"yes": {"yes": "0.9", "no": "0.1"}, "no": {"yes": "0.15", "no": "0.85"}}),
    ...     }
    ... )
    >>> n.probability({"rain": "yes"}, given={"wet": "yes"})
    Fraction(3, 5)
    >>> n.joint(["rain"], "wet").features, n.sample(100, rng=0).m
    (('rain',), 100)
    """

    nodes: tuple[Node, ...]
    notes: tuple[str, ...] = field(compare=False)

    def __init__(self, tables: Mapping[str, tuple[Iterable[str], Mapping[Any, Any]]], *, normalize: bool = False):
        repair = "write {'rain': ((), {'yes': '0.2', 'no': '0.8'}), ..}"
        states, definitions = {}, []
        for name, pair in require_type(tables, Mapping, "tables", "a mapping from variables", repair).items():
            where = f"tables[{name!r}]"
            paired = isinstance(pair, tuple | list) and len(pair) == 2 and isinstance(pair[1], Mapping)
            require(paired, where, "a pair of parents and a mapping", pair, repair)
            parents = tuple(listed_names(pair[0], f"{where}: the parents"))
            table = pair[1] if parents else {(): pair[1]}
            rows = {key if isinstance(key, tuple) else (key,): row for key, row in table.items()}
            own = tuple(next(iter(rows.values()), ()))
            entries = []
            for key, row in rows.items():
                alike = isinstance(row, Mapping) and set(row) == set(own)
                require(alike, f"{where}{list(key)}", f"a mapping from the states {list(own)} of each row", row, repair)
                entries.append((where, key, [row[label] for label in own]))
            states[name] = where, own
            definitions.append((where, name, parents, entries))
        self._set(*checked_nodes(states, definitions, normalize))

    def _set(self, nodes: tuple[Node, ...], notes: tuple[str, ...]) -> Self:
        object.__setattr__(self, "nodes", nodes)
        object.__setattr__(self, "notes", notes)
        return self

    # -- what it is ----------------------------------------------------------------------------

    @property
    def variables(self) -> tuple[str, ...]:
        """The names of the variables, in their order."""
        return tuple(self.states)

    @cached_property
    def states(self) -> Mapping[str, tuple[Label, ...]]:
        """The states of every variable."""
        return MappingProxyType({name: states for name, _, states, _ in self.nodes})

    @cached_property
    def _factors(self) -> dict[str, Factor]:
        """The table of every variable as integers, its own axis last."""
        found = {}
        for name, parents, states, rows in self.nodes:
            integers, below = integers_over(list(itertools.chain(*rows)))
            shape = [len(self.states[parent]) for parent in parents]
            weights = np.array(integers, dtype=np.int64 if below < 2**63 else object).reshape(*shape, len(states))
            found[name] = (*parents, name), weights, below
        return found

    @property
    def graph(self) -> nx.DiGraph[str]:
        """The graph as networkx has it, with an arc from each parent; a new one each time."""
        import networkx as nx

        graph: nx.DiGraph[str] = nx.DiGraph()
        graph.add_nodes_from(self.variables)
        graph.add_edges_from((parent, name) for name, parents, _, _ in self.nodes for parent in parents)
        return graph

    def __str__(self) -> str:
        arcs = sum(len(parents) for _, parents, _, _ in self.nodes)
        sizes = sorted(map(len, self.states.values()))
        text = f"Bayesian network of {len(self.nodes)} variables of {sizes[0]} to {sizes[-1]} states, {arcs} arcs"
        return "\n".join([text, *(f"  {note}" for note in self.notes)])

    # -- questions -----------------------------------------------------------------------------

    def joint(self, features: Subset, target: str) -> JointDistribution:
        """Return the exact joint distribution of some features and the class, by eliminating the other variables."""
        listed = listed_names(features, "features")
        mask = mask_of(listed, self.variables, "features")
        names = [self.variables[i] for i in indices_of(mask)] if isinstance(listed, frozenset) else list(listed)
        require_known(target, "variable", self.variables)
        require(target not in names, "target", "a variable that is not among the features", target, "leave it out")
        variables = Variables(tuple(names), target, tuple(self.states[name] for name in (*names, target)))
        require_cells(variables.shape, "the joint distribution", "ask for fewer variables", 16)
        return JointDistribution._of_integers(self._summed(variables.names)[1], variables)

    def probability(self, event: Event, given: Event = MappingProxyType({})) -> Fraction:
        """Return the exact probability of an event, or of one given another: mappings from variables to states.

        In place of a state, a set of states any of which may occur.
        """
        before = self._mass(given)
        require(
            before, "given", "an event of positive probability", given, "condition on another", ZeroProbabilityError
        )
        return self._mass(event, given) / before

    def _mass(self, *events: Event) -> Fraction:
        masks: dict[str, Weights] = {}
        for event in events:
            for name, wanted in require_type(event, Mapping, "event", "a mapping", "write {'X1': 1}").items():
                require_known(name, "variable", self.variables)
                mask = mask_event({name: wanted}, Variables((), name, (self.states[name],)))
                masks[name] = masks.get(name, 1) * mask
        _, weights, below = self._summed((), masks)
        return Fraction(int(weights), below)

    def _summed(self, kept: tuple[str, ...], masks: Mapping[str, Weights] = MappingProxyType({})) -> Factor:
        """Return the product of all tables, each times a mask, summed over all but some variables."""
        above = {name: parents for name, parents, _, _ in self.nodes}
        alive, ahead = set[str](), {*kept, *masks}
        while ahead:  # the tables of the others sum to 1
            alive |= ahead
            ahead = {parent for name in ahead for parent in above[name]} - alive
        tables = [self._factors[name] for name in self.variables if name in alive]
        factors: list[Factor] = [((), np.array(1), 1)]
        factors += [(axes, table * masks.get(axes[-1], 1), below) for axes, table, below in tables]
        order, gone, scopes = [], alive - set(kept), [set(axes) for axes, _, _ in factors]
        while gone:  # always the variable that makes the smallest table
            around = {name: set[str]().union(*(scope for scope in scopes if name in scope)) for name in gone}
            name = min(sorted(gone), key=lambda name: math.prod(len(self.states[other]) for other in around[name]))
            scope = around[name] - {name}
            require_cells([len(self.states[other]) for other in scope], "a table on the way", "ask for fewer", 40)
            order.append((name, sorted(scope)))
            scopes = [other for other in scopes if name not in other] + [scope]
            gone.remove(name)
        for name, axes in order:
            summed = _contracted([factor for factor in factors if name in factor[0]], axes)
            factors = [factor for factor in factors if name not in factor[0]] + [summed]
        return _contracted(factors, kept)

    def sample(self, m: int, rng: int | np.random.Generator, *, target: str | None = None) -> Sample:
        """Draw m independent samples exactly, of all variables; the target is the last one if none is named."""
        number, source = as_index(m, "m", at_least=1), generator(rng)
        last = self.variables[-1] if target is None else target
        require_known(last, "variable", self.variables)
        drawn: dict[str, Any] = {}
        for name in TopologicalSorter({name: parents for name, parents, _, _ in self.nodes}).static_order():
            (*parents, _), weights, below = self._factors[name]
            needed, repair = "of tables over denominators below 2**63", "round the numbers"
            require(weights.dtype != object, "the network", needed, below, repair)
            ends = np.cumsum(weights, axis=-1)[tuple(drawn[parent] for parent in parents)]
            drawn[name] = (source.integers(0, below, size=number)[:, None] >= ends).sum(axis=-1)
        features = tuple(name for name in self.variables if name != last)
        names = (*features, last)
        variables = Variables(features, last, tuple(self.states[name] for name in names))
        return Sample._of([drawn[name] for name in names], None, variables)


def _contracted(factors: Sequence[Factor], kept: Sequence[str]) -> Factor:
    """Return the product of factors, summed over all but some variables, in lowest terms."""
    if len(factors) > _OPERANDS:
        halves = factors[: len(factors) // 2], factors[len(factors) // 2 :]
        factors = [_contracted(half, sorted({name for axes, _, _ in half for name in axes})) for half in halves]
    place = {name: i for i, name in enumerate(dict.fromkeys(name for axes, _, _ in factors for name in axes))}
    below = math.prod(factor[2] for factor in factors)
    kind = np.int64 if below < 2**63 else object  # no sum on the way exceeds the denominator
    terms = [part for axes, table, _ in factors for part in (table.astype(kind), [place[name] for name in axes])]
    weights = np.asarray(np.einsum(*terms, [place[name] for name in kept]))
    common = math.gcd(below, *set(weights.ravel().tolist()))
    small = np.int64 if below // common < 2**63 else object
    return tuple(kept), np.asarray(weights // common).astype(small), below // common


def read(path: str | os.PathLike[str], normalize: bool = False) -> Network:
    r"""Read a Bayesian network from a file in the format BIF or XMLBIF, compressed by gzip or not.

    Every probability is exactly the decimal that is written. Rows that do not sum to 1 are refused, or with
    ``normalize=True`` rescaled, which `notes` tells.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = pathlib.Path(folder) / "coin.bif"
    ...     text = "variable c { type discrete [ 2 ] { h, t }; }\nprobability ( c ) { table 0.1, 0.9; }"
    ...     _ = path.write_text(text)
    ...     read(path).probability({"c": "h"})
    Fraction(1, 10)
    """
    return object.__new__(Network)._set(*read_nodes(path, normalize))


def write(network: Network, path: str | os.PathLike[str]) -> None:
    """Write a network as BIF, compressed if the name ends in ``.gz``; what is read again is equal.

    Numbers are exact: decimals, or fractions where there is none, which few other programs read.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     write(asia(), path := pathlib.Path(folder) / "asia.bif.gz")
    ...     read(path) == asia()
    True
    """
    text = bif_text(require_type(network, Network, "network", "a Network", "read or make one").nodes).encode()
    write_atomically(path, gzip.compress(text, mtime=0) if as_path(path).suffix == ".gz" else text)


_EARTHQUAKE: Mapping[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "burglary": ((), ("0.01",)),
    "earthquake": ((), ("0.02",)),
    "alarm": (("burglary", "earthquake"), ("0.95", "0.94", "0.29", "0.001")),
    "john": (("alarm",), ("0.9", "0.05")),
    "mary": (("alarm",), ("0.7", "0.01")),
}


def asia() -> Network:
    """Return the chest clinic of Lauritzen and Spiegelhalter (1988), which `gallery.asia` describes.

    Examples
    --------
    >>> from fstheory import gallery
    >>> n = asia()
    >>> n.joint(set(n.variables) - {"dysp"}, "dysp") == gallery.asia("dysp")
    True
    """
    return _of_yes(ASIA)


def earthquake() -> Network:
    """Return the burglar alarm that earthquakes set off too, and of which two neighbors may tell: all are possible.

    Source: K. B. Korb and A. E. Nicholson, Bayesian Artificial Intelligence, Chapman & Hall/CRC, 2004, Section 2.5.1;
    after J. Pearl, Probabilistic Reasoning in Intelligent Systems, 1988.

    Examples
    --------
    >>> earthquake().probability({"burglary": "yes"}, given={"john": "yes", "mary": "yes"})
    Fraction(59235590, 106438889)
    """
    return _of_yes(_EARTHQUAKE)


def _of_yes(tables: Mapping[str, tuple[Sequence[str], Sequence[str]]]) -> Network:
    """Return a network of yes and no, of the probabilities of yes: by the parents' states, yes first."""
    made = {}
    for name, (parents, ones) in tables.items():
        rows = [{"no": 1 - Fraction(one), "yes": one} for one in ones]
        keys = itertools.product(("yes", "no"), repeat=len(parents))
        made[name] = parents, dict(zip(keys, rows, strict=True)) if parents else rows[0]
    return Network(made)
