"""Exact Bayesian networks: files, joint distributions, Markov boundaries, minimal-optimal subsets and drawings."""

from __future__ import annotations

import gzip
import itertools
import math
import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from graphlib import TopologicalSorter
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Self, TypeAlias

import numpy as np

from fstheory._support.exact import as_index, integers_over
from fstheory._support.files import as_path, write_atomically
from fstheory._support.memory import enough_memory, require_cells
from fstheory._support.result import Result, one_line
from fstheory.distributions.bif import Node, Tables, bif_text, checked_nodes, read_tables
from fstheory.distributions.build import NOTHING, Event, Label, Variables, Weights, mask_event, whole_event
from fstheory.distributions.gallery import ASIA
from fstheory.distributions.joint import JointDistribution
from fstheory.distributions.rows import Sample, generator
from fstheory.errors import TooLargeError, ZeroProbabilityError, require, require_known, require_type
from fstheory.lattice.figure import PlotFigure, Size, Width
from fstheory.lattice.series import draw_arcs
from fstheory.lattice.subsets import Subset, indices_of, listed_names, mask_of
from fstheory.measures.risk import bayes_risk
from fstheory.selection.optimal import MinimalOptimal, minimal_optimal
from fstheory.selection.relevant import conditionally_independent, markov_blankets, strongly_relevant

if TYPE_CHECKING:
    import networkx as nx

__all__ = ["Network", "asia", "earthquake", "load"]


def __dir__() -> list[str]:
    return __all__


Factor: TypeAlias = "tuple[tuple[str, ...], Weights, int]"
"""A table: the variables of its axes, integers, and their denominator. No integer exceeds the denominator."""

_OPERANDS, _BYTES = 24, 200  # the most tables in one sum of NumPy, and the bytes of a long integer and its partial sums
_SWEPT, _JUDGED = 2**24, 2**20  # the most cells of a sweep over subsets, and the most states around one feature
_FEWER = "ask for fewer variables"


@dataclass(frozen=True, init=False, repr=False)
class Network(Result):
    """A Bayesian network: a directed graph without cycles, and for each variable p(state | parents), exact.

    Parameters
    ----------
    tables : mapping, or a discrete network of pgmpy or pyAgrum
        A mapping from each variable to a pair of its parents and its table. The table of a variable without parents is
        a row: a mapping from its states to exact probabilities. With parents it is a mapping from the state of the
        parent, or from the tuple of the parents' states, to such rows. The floats of pgmpy and pyAgrum are read as the
        shortest decimals that Python writes for them.
    normalize : bool
        Whether rows that do not sum to 1 are rescaled. `notes` then lists them. If False, they are refused.

    Examples
    --------
    >>> wet = {"yes": {"yes": "0.9", "no": "0.1"}, "no": {"yes": "0.15", "no": "0.85"}}
    >>> n = Network({"rain": ((), {"yes": "0.2", "no": "0.8"}), "wet": ("rain", wet)})
    >>> n.probability({"rain": "yes"}, given={"wet": "yes"}), n.joint(["rain"], "wet").features
    (Fraction(3, 5), ('rain',))
    >>> n.sample(100, rng=0).m, sorted(n.minimal_optimal("rain").features), sorted(n.markov_boundary("rain").features)
    (100, ['wet'], ['wet'])
    """

    nodes: tuple[Node, ...]
    notes: tuple[str, ...] = field(compare=False)

    def __init__(self, tables: Any, *, normalize: bool = False) -> None:
        self._fill(*checked_nodes(_given(_others(tables)), normalize))

    def _fill(self, nodes: tuple[Node, ...], notes: tuple[str, ...]) -> Self:
        object.__setattr__(self, "nodes", nodes)
        object.__setattr__(self, "notes", notes)
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        return _again, (self.nodes, self.notes)

    @property
    def variables(self) -> tuple[str, ...]:
        """The names of the variables, in their order."""
        return tuple(self.states)

    @cached_property
    def states(self) -> Mapping[str, tuple[Label, ...]]:
        """The states of every variable."""
        return MappingProxyType({name: states for name, _, states, _ in self.nodes})

    def _sizes(self, names: Sequence[str] | frozenset[str]) -> list[int]:
        return [len(self.states[name]) for name in names]

    @cached_property
    def _factors(self) -> dict[str, Factor]:
        """The table of every variable as integers, its own axis last."""
        found = {}
        for name, parents, _, rows in self.nodes:
            integers, below = integers_over(list(itertools.chain(*rows)))
            weights = np.array(integers, dtype=np.int64 if below < 2**63 else object)
            found[name] = (*parents, name), weights.reshape(self._sizes((*parents, name))), below
        return found

    @property
    def graph(self) -> nx.DiGraph[str]:
        """The graph as a networkx DiGraph with an arc from each parent. Each access makes a new one."""
        import networkx as nx

        graph: nx.DiGraph[str] = nx.DiGraph()
        graph.add_nodes_from(self.variables)
        graph.add_edges_from((parent, name) for name, parents, _, _ in self.nodes for parent in parents)
        return graph

    def __str__(self) -> str:
        sizes, arcs = self._sizes(self.variables), sum(len(parents) for _, parents, _, _ in self.nodes)
        states = " to ".join(map(str, sorted({min(sizes), max(sizes)})))
        text = f"Bayesian network, variables: {len(sizes)}, of {states} states, arcs: {arcs}"
        return "\n".join([text, *(f"  {note}" for note in self.notes)])

    def joint(self, features: Subset, target: str) -> JointDistribution:
        """Return the exact joint distribution of some features and the class. The other variables are summed out.

        Features in a list keep its order. Features in a set have the order of the network.
        """
        listed = listed_names(features, "features")
        mask = mask_of(listed, self.variables, "features")
        names = tuple(self.variables[i] for i in indices_of(mask)) if isinstance(listed, frozenset) else tuple(listed)
        require_known(target, "variable", self.variables)
        require(target not in names, "target", "a variable that is not among the features", target, "leave it out")
        require_cells(self._sizes((*names, target)), "the joint distribution", _FEWER, _BYTES)
        _, weights, _ = self._summed((*names, target))
        return JointDistribution._of_integers(weights, self._named(names, target))

    def _named(self, names: tuple[str, ...], target: str) -> Variables:
        return Variables(names, target, tuple(self.states[name] for name in (*names, target)))

    def probability(self, event: Event = NOTHING, given: Event = NOTHING, **states: Any) -> Fraction:
        """Return the exact probability of an event, or its conditional probability given another event.

        An event is a mapping from variables to states. A set of states in place of a state means that any of them may
        occur. Variables of the event can be keywords: ``n.probability(rain="yes")``. If `given` has probability 0, a
        `ZeroProbabilityError` is raised.
        """
        event, given = whole_event(event, states), whole_event(given, NOTHING, "given")
        before, needed, repair = self._mass(given), "an event of positive probability", "condition on another event"
        require(before, "given", needed, given, repair, ZeroProbabilityError)
        return self._mass(event, given) / before

    def _mass(self, *events: Event) -> Fraction:
        masks: dict[str, Weights] = {}
        for event in events:
            for name, wanted in event.items():
                require_known(name, "variable", self.variables)
                masks[name] = masks.get(name, 1) * mask_event({name: wanted}, self._named((), name))
        _, weights, below = self._summed((), masks)
        return Fraction(int(weights), below)

    def _summed(self, kept: tuple[str, ...], masks: Mapping[str, Weights] = MappingProxyType({})) -> Factor:
        """Return the product of all tables, each times its mask, summed over all variables that are not `kept`."""
        alive, ahead = set[str](), {*kept, *masks}
        while ahead:  # only ancestors matter: the tables of all other variables sum to 1
            alive |= ahead
            ahead = {parent for name in ahead for parent in self._factors[name][0]} - alive
        factors: list[Factor] = [((), np.array(1), 1)]
        for axes, table, below in map(self._factors.__getitem__, sorted(alive)):
            factors.append((axes, table * masks.get(axes[-1], 1), below))
        order, gone, scopes = [], alive - set(kept), [frozenset(axes) for axes, _, _ in factors]
        while gone:  # always eliminate the variable whose elimination makes the smallest table
            around = {name: frozenset[str]().union(*(scope for scope in scopes if name in scope)) for name in gone}
            name = min(sorted(gone), key=lambda name: math.prod(self._sizes(around[name])))
            scope = around[name] - {name}
            require_cells(self._sizes(scope), "a table on the way", _FEWER, _BYTES)
            order.append((name, tuple(sorted(scope))))
            scopes = [other for other in scopes if name not in other] + [scope]
            gone.remove(name)
        for name, axes in order:
            summed = _contracted([factor for factor in factors if name in factor[0]], axes)
            factors = [factor for factor in factors if name not in factor[0]] + [summed]
        return _contracted(factors, kept)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the network to a file in the format BIF, compressed if the name ends in ``.gz``.

        `load` returns an equal network. All numbers are exact. A probability that is no finite decimal is written as a
        fraction, which few other programs can read.

        Examples
        --------
        >>> import pathlib, tempfile
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     asia().save(path := pathlib.Path(folder) / "asia.bif.gz")
        ...     load(path) == asia()
        True
        """
        text = bif_text(self.nodes).encode()
        write_atomically(path, gzip.compress(text, mtime=0) if as_path(path).suffix == ".gz" else text)

    def sample(self, m: int, *, rng: int | np.random.Generator, target: str | None = None) -> Sample:
        """Draw m independent samples of all variables, and return them as a `Sample`.

        If no target is named, it is the last variable. `rng` is a seed or a generator of NumPy.
        """
        number, source = as_index(m, "m", at_least=1), generator(rng)
        last = self.variables[-1] if target is None else target
        require_known(last, "variable", self.variables)
        widest = max(self._sizes(self.variables))  # the width of the array from which one variable is drawn
        require_cells([number, len(self.nodes) + 2 * widest + 2], "m samples of all variables", "draw fewer samples")
        drawn: dict[str, Any] = {}
        for name in TopologicalSorter({name: parents for name, parents, _, _ in self.nodes}).static_order():
            (*parents, _), weights, below = self._factors[name]
            require(below < 2**63, f"the table of {name}", "over a denominator below 2**63", below, "round its numbers")
            ends = np.cumsum(weights, axis=-1)[tuple(drawn[parent] for parent in parents)]
            drawn[name] = (source.integers(0, below, size=number)[:, None] >= ends).sum(axis=-1)
        variables = self._named(tuple(name for name in self.variables if name != last), last)
        return Sample._of([drawn[name] for name in variables.names], None, variables)

    def markov_boundary(self, target: str) -> NetworkBoundary:
        """Return the Markov boundary of a variable in the graph.

        The result also says whether the probabilities allow smaller or other Markov blankets.
        """
        require_known(target, "variable", self.variables)
        return NetworkBoundary(self, target)

    def minimal_optimal(self, target: str) -> NetworkOptimal:
        """Find minimal-optimal sets for a variable within its Markov boundary.

        They are minimal-optimal among all variables, too. If the boundary has few subsets, all such sets within it are
        found. Otherwise one is found.
        """
        edge = self.markov_boundary(target)
        return NetworkOptimal(edge, minimal_optimal(edge.distribution, "exhaustive" if edge.is_small else "backward"))

    def plot(self, target: str | None = None, *, figsize: Size | None = None, width: Width | None = None) -> PlotFigure:
        """Draw the graph, with the variables without parents on top.

        If a target is named, it is filled, its Markov boundary is shaded, and a minimal-optimal set is framed.
        """
        if target is None:
            return draw_arcs(self.graph, str(self).partition("\n")[0]).sized(figsize, width)
        found = self.minimal_optimal(target)
        title = f"{target}, its Markov boundary (shaded) and a minimal-optimal set (framed)"
        return draw_arcs(self.graph, title, ([target], found.boundary.features, found.features)).sized(figsize, width)


def _again(nodes: tuple[Node, ...], notes: tuple[str, ...]) -> Network:
    return object.__new__(Network)._fill(nodes, notes)


@dataclass(frozen=True, repr=False)
class NetworkBoundary(Result):
    """The Markov boundary of a variable in the graph of a network, compared with the probabilities.

    Given the boundary, the target is independent of all other variables, because it is d-separated from them. If
    probabilities are 0 or cancel, a part of the boundary may be enough, or variables outside the boundary may replace
    some in it. `blankets` and `is_unique` decide this exactly. Source: Pearl (1988), Section 3.3.
    """

    network: Network = field(repr=False)
    target: str
    _derived = ("features",)

    @cached_property
    def features(self) -> tuple[str, ...]:
        """The parents, the children and their other parents, in the order of the network."""
        near = self._near(self.target)
        return tuple(name for name in self.network.variables if name in near)

    def _near(self, name: str) -> frozenset[str]:
        import networkx as nx

        return frozenset(nx.moral_graph(self.network.graph)[name])

    @cached_property
    def distribution(self) -> JointDistribution:
        """The joint distribution of the boundary and the target."""
        return self.network.joint(self.features, self.target)

    @property
    def is_small(self) -> bool:
        """Whether the boundary has so few subsets that all of them can be examined."""
        return math.prod(size + 1 for size in self.network._sizes(self.features)) <= _SWEPT

    @cached_property
    def blankets(self) -> tuple[frozenset[str], ...]:
        """The minimal Markov blankets within the boundary, decided by the probabilities.

        If the boundary has too many subsets, a `TooLargeError` is raised.
        """
        needed, repair = f"of subsets with at most {_SWEPT:,} cells", "ask is_unique, which looks at fewer"
        require(self.is_small, "the boundary", needed, self.features, repair, TooLargeError)
        return markov_blankets(self.distribution)

    @cached_property
    def _zeros(self) -> frozenset[str]:
        """The variables of all tables that have a 0 and do not contain the target."""
        tables = ((name, *parents) for name, parents, _, rows in self.network.nodes if not all(map(all, rows)))
        return frozenset(name for names in tables if self.target not in names for name in names)

    @cached_property
    def positive(self) -> bool:
        """Whether p(x) > 0 for every state x of all other variables, so that there is one minimal blanket."""
        return not self._zeros and self.distribution.is_positive().holds

    @cached_property
    def _shared(self) -> tuple[list[str], list[str]]:
        """The variables that all minimal Markov blankets of the network share, and those that all solutions share."""
        d = self.distribution
        blanket, solution, least = list[str](), list[str](), bayes_risk(d, d.features)
        for name in strongly_relevant(d):  # each other feature is missing in some blanket within the boundary
            # Take two states of all variables that differ in this feature alone. Tables without the target can make
            # only one of the two possible if a table with the feature has a 0. If there is none, the boundary decides.
            near = self._near(name) if name in self._zeros else frozenset[str]()
            wider = near.union(self.features) - {self.target}
            cells, needed = math.prod(self.network._sizes(wider)), f"of at most {_JUDGED:,} states"
            where, repair = f"the boundary and what is near {name}", "leave open what zeros do"
            require(cells <= _JUDGED, where, needed, cells, repair, TooLargeError)
            judge = self.network.joint(wider, self.target)
            blanket += strongly_relevant(judge) & {name}
            solution += [name] * (bayes_risk(judge, wider - {name}) > least)
        return blanket, solution

    @cached_property
    def is_unique(self) -> bool:
        """Whether no other set of variables of the network, in or out of the boundary, is a minimal Markov blanket."""
        shared, _ = self._shared
        return conditionally_independent(self.distribution, [self.target], {*self.features}.difference(shared), shared)

    def __str__(self) -> str:
        y, order = self.target, self.network.variables
        lines = [f"Markov boundary of {y}: {one_line(frozenset(self.features), order)}"]
        lines += [f"Given it, {y} is independent of all other variables: the graph separates them."]
        try:
            alone = "the only one of the network" if self.is_unique else "one of several, as p(x) > 0 fails for some x"
            told = one_line(self.blankets, order)
            lines += [f"The minimal blankets within it, by the probabilities: {told}; {alone}."]
        except TooLargeError as error:
            lines += [f"The probabilities were not asked: {error}."]
        return "\n".join(lines)


@dataclass(frozen=True, repr=False)
class NetworkOptimal(Result):
    """A minimal-optimal set for a variable of a network, found within its Markov boundary.

    No other set of variables has a smaller risk, and no proper subset of this one has the same risk.
    """

    boundary: NetworkBoundary
    found: MinimalOptimal
    _derived = ("features",)

    @property
    def features(self) -> tuple[str, ...]:
        """The set that was found, in the order of the network."""
        return self.found.features

    @cached_property
    def is_unique(self) -> bool:
        """Whether no other set of variables of the network, in or out of the boundary, is a solution."""
        return bayes_risk(self.found.distribution, self.boundary._shared[1]) == self.found.least_risk

    def __str__(self) -> str:
        edge, order = self.boundary, self.boundary.network.variables
        y, among = edge.target, f"among all {len(order) - 1} variables"
        lines = [f"{one_line(frozenset(self.features), order)} is minimal-optimal for {y} {among}", ""]
        boundary = one_line(frozenset(edge.features), order)
        lines += [f"Given its boundary {boundary}, {y} is independent of the rest: no set has"]
        lines += [f"a smaller risk, and what is minimal-optimal within it is so {among}."]
        fails = ["p(x) > 0"] * (not edge.positive) + ["a single maximum"] * (not self.found.unique_maximum.holds)
        holds = "p(x) > 0 for every x of all of them, and maxima are single: no other set is (Theorem 4)."
        others = "there are other solutions, in or out of the boundary"
        try:
            so = "no other set is" if fails and self.is_unique else others
            lines += [f"{' and '.join(fails)} fails for some x, so Theorem 4 is silent; here {so}." if fails else holds]
        except TooLargeError as error:
            lines += [f"{' and '.join(fails)} fails for some x; whether another set is was not computed: {error}."]
        return "\n".join([*lines, "", "Within the boundary:", *(f"  {line}" for line in str(self.found).split("\n"))])


@enough_memory("a table on the way", _FEWER)
def _contracted(factors: Sequence[Factor], kept: tuple[str, ...]) -> Factor:
    """Return the product of factors, summed over all variables that are not `kept`, in lowest terms."""
    if len(factors) > _OPERANDS:
        halves = factors[: len(factors) // 2], factors[len(factors) // 2 :]
        factors = [_contracted(half, tuple(sorted({name for axes, _, _ in half for name in axes}))) for half in halves]
    place = {name: i for i, name in enumerate(dict.fromkeys(name for axes, _, _ in factors for name in axes))}
    below = math.prod(factor[2] for factor in factors)
    kind = np.int64 if below < 2**63 else object  # no intermediate sum exceeds the denominator
    terms = [part for axes, table, _ in factors for part in (table.astype(kind), [place[name] for name in axes])]
    weights = np.asarray(np.einsum(*terms, [place[name] for name in kept]), dtype=kind)  # a sum alone is no array
    common = math.gcd(below, int(np.gcd.reduce(weights, axis=None)))
    small = np.int64 if below // common < 2**63 else object
    return kept, np.asarray(weights // common).astype(small), below // common


def _given(tables: Any) -> Tables:
    """Return the states and definitions of a mapping from variables to their parents and tables."""
    repair, states, definitions = "write {'rain': ((), {'yes': '0.2', 'no': '0.8'}), ..}", {}, []
    for name, pair in require_type(tables, Mapping, "tables", "a mapping from variables", repair).items():
        where = f"tables[{name!r}]"
        paired = isinstance(pair, tuple | list) and len(pair) == 2 and isinstance(pair[1], Mapping)
        require(paired, where, "a pair of parents and a mapping", pair, repair)
        parents, entries = tuple(listed_names(pair[0], f"{where}: the parents")), []
        table = pair[1] if parents else {(): pair[1]}
        own = tuple(next(iter(table.values()), ()))
        for key, row in table.items():
            alike = isinstance(row, Mapping) and set(row) == set(own)
            require(alike, f"{where}[{key!r}]", f"a mapping from the states {list(own)} of each row", row, repair)
            entries.append((where, key if isinstance(key, tuple) else (key,), [row[label] for label in own]))
        states[name] = where, own
        definitions.append((where, name, parents, entries))
    return states, definitions


def _others(model: Any) -> Any:
    """Return the tables of a network of pgmpy or pyAgrum. Return any other object as it is."""

    def tables() -> Iterator[tuple[Sequence[str], Any, Mapping[str, Sequence[Label]]]]:
        for c in model.get_cpds() if hasattr(model, "get_cpds") else ():
            yield [*c.variables[1:], c.variables[0]], np.moveaxis(c.values, 0, -1), c.state_names
        for cpt in map(model.cpt, model.names()) if hasattr(model, "cpt") else ():
            yield cpt.names[::-1], cpt.toarray(), {name: model.variable(name).labels() for name in cpt.names}

    found = {}
    for (*parents, name), array, states in tables():
        lists = np.reshape(array, (-1, len(states[name]))).tolist()
        rows = [dict(zip(states[name], map(repr, row), strict=True)) for row in lists]
        keys = itertools.product(*(states[parent] for parent in parents))
        found[name] = parents, dict(zip(keys, rows, strict=True)) if parents else rows[0]
    return found or model


def load(path: str | os.PathLike[str], normalize: bool = False) -> Network:
    r"""Read a Bayesian network from a file in the format BIF or XMLBIF, compressed by gzip or not.

    Every probability is exactly the decimal in the file. Rows that do not sum to 1 are refused. With ``normalize=True``
    they are rescaled, and `Network.notes` lists them. A file of more than 2**26 uncompressed bytes is refused.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = pathlib.Path(folder) / "coin.bif"
    ...     _ = path.write_text("variable c { type discrete [ 2 ] { h, t }; }\nprobability ( c ) { table 0.1, 0.9; }")
    ...     load(path).probability({"c": "h"})
    Fraction(1, 10)
    """
    return _again(*checked_nodes(read_tables(path), normalize))


def asia() -> Network:
    """Return the chest clinic of Lauritzen and Spiegelhalter (1988), which `gallery.asia` describes.

    Examples
    --------
    >>> from fstheory import gallery
    >>> asia().joint(set(asia().variables) - {"dysp"}, "dysp") == gallery.asia("dysp")
    True
    """
    return _of_yes(ASIA)


def earthquake() -> Network:
    """Return the network of a burglar alarm that earthquakes also set off, and that two neighbors may report.

    All states have positive probability.

    Source: K. B. Korb and A. E. Nicholson, Bayesian Artificial Intelligence, Chapman & Hall/CRC, 2004, Section 2.5.1;
    after J. Pearl, Probabilistic Reasoning in Intelligent Systems, 1988.

    Examples
    --------
    >>> print(earthquake())
    Bayesian network, variables: 5, of 2 states, arcs: 4
    """
    alarm = (("burglary", "earthquake"), ("0.95", "0.94", "0.29", "0.001"))
    causes: dict[str, Any] = {"burglary": ((), ("0.01",)), "earthquake": ((), ("0.02",)), "alarm": alarm}
    return _of_yes({**causes, "john": (("alarm",), ("0.9", "0.05")), "mary": (("alarm",), ("0.7", "0.01"))})


def _of_yes(tables: Mapping[str, tuple[Sequence[str], Sequence[str]]]) -> Network:
    """Return a network whose variables have the states no and yes.

    Each table lists the probabilities of yes by the states of the parents, yes before no.
    """
    made = {}
    for name, (parents, ones) in tables.items():
        rows = [{"no": 1 - Fraction(one), "yes": one} for one in ones]
        keys = itertools.product(("yes", "no"), repeat=len(parents))
        made[name] = parents, dict(zip(keys, rows, strict=True)) if parents else rows[0]
    return Network(made)
