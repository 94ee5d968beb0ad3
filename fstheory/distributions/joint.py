"""`JointDistribution`: an immutable, exact joint distribution of named finite features and a class."""

from __future__ import annotations

import itertools
import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from math import lcm, prod
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from fstheory._support.exact import Exact, as_fraction, integers_over
from fstheory._support.files import LONGEST, write_atomically
from fstheory._support.memory import enough_memory, require_cells
from fstheory._support.result import Check, frame_of
from fstheory.distributions import build, display, engines, tables
from fstheory.distributions.build import Event, Label, States, Weights
from fstheory.distributions.counting import Rows, Table, as_times
from fstheory.errors import (
    InvalidFormatError,
    InvalidTypeError,
    ZeroProbabilityError,
    as_names,
    explain,
    require,
    require_type,
    show,
)
from fstheory.lattice.subsets import Subset, feature_names, indices_of, mask_of

if TYPE_CHECKING:
    import pandas as pd
    import sympy


class JointDistribution(build.VariableData):
    """A joint probability distribution p(X1, .., Xn, Y) over finite sample spaces, exact and immutable.

    Use it where the probabilities are known, or where the rows are all there is. For rows that were drawn from an
    unknown distribution, use `Sample`. Two distributions are equal if their names, states and probabilities are equal.

    A distribution holds the table of all cells, with one machine word for each while the total is below 2**63. If a
    large table would be nearly empty, as for many features and few rows, the distribution holds only the cells of
    positive probability. Its methods are the same. Marginals, risks and informations of single subsets, and searches
    that look at few subsets, never need the table. `weights`, `to_pmf` and `to_frame` make it, or refuse if it is too
    large.

    Parameters
    ----------
    weights : nested sequences or array
        Non-negative exact numbers (ints, Fractions, strings such as ``"3/8"`` or ``"0.375"``) proportional to the
        probabilities. The axes are the features in order, then the class.
    features, target : names, optional
        The names of the variables: X1, .., Xn and Y if not given.
    states : mapping from name to labels, optional
        The states of each variable, as hashable labels. A variable that is not named here has the states 0, 1, ....

    Examples
    --------
    >>> d = JointDistribution([["3/8", "1/8"], [0, "1/2"]], features=["rain"], target="wet")
    >>> JointDistribution.from_json(d.to_json()) == d == JointDistribution(
    ...     [[3, 1], [0, 4]], features=["rain"], target="wet"
    ... )
    True
    >>> d.probability({"rain": 1, "wet": 1}), d.posterior({"rain": 0})
    (Fraction(1, 2), {0: Fraction(3, 4), 1: Fraction(1, 4)})
    >>> d.rename({"rain": "sprinkler"}).condition({"wet": 0}).support()
    ((0, 0),)
    >>> d[0, 1], d.with_target("wet") == d, d.with_target("rain").features
    (Fraction(1, 8), True, ('wet',))
    """

    __slots__ = ("_hash", "_rows", "_total", "_weights")
    _items = (
        "d.marginal({'X1'}) is the distribution of some features, d.to_pmf() has the probabilities of all cells, and "
        "d.weights is the array of their integer weights, of sum d.total"
    )
    _instead = MappingProxyType(
        {
            "entropy": "fs.entropy(d, names)",
            "items": "d.to_pmf().items()",
            "pmf": "d.to_pmf()",
            "prob": "d.probability(event)",
            "sample": "fs.sample(d, m, rng=0)",
            "shape": "(*d.cardinalities, len(d.classes))",
            "to_dict": "d.to_pmf(), or d.to_json() for text",
            "values": "d.to_pmf().values()",
        }
    )

    _weights: Weights | None
    _rows: Rows | None  # the cells of positive probability, if they are held in place of the table
    _total: int
    _hash: int

    def __bool__(self) -> bool:
        return True

    def __len__(self) -> int:
        """Refuse to say how long a distribution is."""
        repair = "len(d.features) counts the features, d.weights.size the cells"
        raise InvalidTypeError(f"a JointDistribution has no length; {repair}")

    def __iter__(self) -> Iterator[Any]:
        """Refuse to say in which order a distribution is read."""
        raise InvalidTypeError(f"a JointDistribution is no list; {self._items}")

    def __getitem__(self, cell: object) -> Fraction:
        """Return the exact probability of a cell: ``d[x1, .., xn, y]`` for the labels of all features and the class."""
        labels, names = cell if isinstance(cell, tuple) else (cell,), self._variables.names
        needed = f"a state of each of {', '.join(names)}"
        repair = f"d.probability({{name: state}}) needs only some of them; {self._items}"
        require(len(labels) == len(names), "cell", needed, cell, repair, InvalidTypeError)
        at = tuple(self._variables.state(axis, label) for axis, label in enumerate(labels))
        return Fraction(self._counted().mass(at), self._total)

    def __init__(
        self,
        weights: object,
        *,
        features: Iterable[str] | None = None,
        target: str | None = None,
        states: States | None = None,
    ) -> None:
        array = build.integer_weights(weights)
        variables = build.make_variables(array.shape, features, target, states)
        self._fill(array, variables)

    def _fill(self, weights: Weights, variables: build.Variables, columns: Iterable[Any] | None = None) -> None:
        """Set the weights of all cells, or those of distinct cells that are listed by the columns of their states."""
        reduced, total = build.lowest_terms(weights)
        rows = None if columns is None else Rows(columns, reduced, variables.shape, distinct=True)
        object.__setattr__(self, "_weights", reduced if columns is None else None)
        object.__setattr__(self, "_rows", rows)
        object.__setattr__(self, "_total", total)
        object.__setattr__(self, "_variables", variables)

    @classmethod
    def _of_integers(
        cls,
        weights: Weights,
        variables: build.Variables,
        notes: tuple[str, ...] = (),
        columns: Iterable[Any] | None = None,
    ) -> Self:
        self = object.__new__(cls)
        self._fill(weights, variables, columns)
        return self._with_notes(notes)

    @classmethod
    def _of_cells(
        cls, columns: Iterable[Any], weights: Weights | None, variables: build.Variables, notes: tuple[str, ...] = ()
    ) -> Self:
        """Return the distribution of cells, listed by the columns of their states, in the smaller of two forms."""
        rows = Rows(columns, weights, variables.shape).grouped()
        if _is_sparse(variables, rows):
            return cls._of_integers(rows.counts, variables, notes, rows.columns)
        return cls._of_integers(rows.table(), variables, notes)

    def _counted(self) -> Rows:
        """Return the cells, as a table or as rows, to be summed."""
        return Table(self.weights) if self._rows is None else self._rows

    def _listed(self) -> Rows:
        """Return the cells of positive probability, in the order of the table."""
        if self._rows is not None:
            return self._rows
        axes, table = range(len(self._variables.shape)), Table(self.weights[..., np.newaxis])  # without a class
        weights, state = table.by_state(axes)
        places = np.flatnonzero(weights)
        return Rows(state(places), weights[places, 0], self._variables.shape, distinct=True)

    # -- ways to make one ----------------------------------------------------------------------

    @classmethod
    def from_pmf(
        cls,
        pmf: Mapping[Any, Exact],
        *,
        features: Iterable[str] | None = None,
        target: str | None = None,
        states: States | None = None,
        normalize: bool = False,
    ) -> Self:
        """Return the distribution with a given probability mass function.

        Parameters
        ----------
        pmf : mapping
            From (x1, .., xn, y) to an exact probability. Cells that are absent have probability 0.
        features, target : names, optional
            The names of the variables: X1, .., Xn and Y if not given.
        states : mapping from name to labels, optional
            The states of each variable, in order. A variable that is not named here has the labels that occur as its
            states. They are sorted if they are all strings or all integers, and else stand in the order of their first
            occurrence.
        normalize : bool
            Whether to rescale the masses so that they sum to 1. If False, another sum is refused.

        Examples
        --------
        >>> JointDistribution.from_pmf({(0, "no"): "3/4", (1, "yes"): "1/4"}).total
        4
        """
        cells = build.read_pmf(pmf, normalize=normalize)
        return cls._of_entries(cells, features, target, states, "pmf")

    @classmethod
    def _of_entries(cls, cells: Mapping[Any, Fraction], *given: Any) -> Self:
        """Return the distribution with these masses of cells."""
        columns, weights, variables = build.cells_of(cells, *given)
        return cls._of_cells(columns, as_times(weights), variables)

    @classmethod
    def from_counts(
        cls,
        counts: Mapping[Any, int],
        *,
        features: Iterable[str] | None = None,
        target: str | None = None,
        states: States | None = None,
    ) -> Self:
        """Return the empirical distribution of counted observations.

        Use it if the counts are all there is. If the observations were drawn from something larger, use
        `Sample.from_counts`.

        Parameters
        ----------
        counts : mapping
            From (x1, .., xn, y) to the number of times it was seen, an integer of at least 0.
        features, target, states
            As in `from_pmf`.
        """
        cells = build.read_counts(counts)
        return cls._of_entries(cells, features, target, states, "counts")

    @classmethod
    def from_samples(
        cls,
        rows: Iterable[Sequence[Label]],
        *,
        features: Iterable[str] | None = None,
        target: str | None = None,
        states: States | None = None,
    ) -> Self:
        """Return the distribution in which each of the given rows (x1, .., xn, y) is equally likely.

        Use it if the rows are all there is. If they were drawn from something larger, make a `Sample` of them. For a
        DataFrame call `from_frame`.

        Examples
        --------
        >>> d = JointDistribution.from_samples([("sun", 1), ("rain", 0), ("rain", 1)], features=["sky"])
        >>> d.posterior({"sky": "rain"})
        {0: Fraction(1, 2), 1: Fraction(1, 2)}
        """
        return cls.from_counts(tables.count_rows(rows), features=features, target=target, states=states)

    @classmethod
    def _of_table(cls, table: tables.Table) -> Self:
        found = [labels for _, labels in table.columns]
        variables = build.name_states(found, table.names[:-1], table.names[-1], table.states)
        pairs = zip(tables.places_of(variables, table.columns), table.columns, strict=True)
        return cls._of_cells((moved[codes] for moved, (codes, _) in pairs), table.counts, variables, table.notes)

    @classmethod
    def from_conditional(
        cls,
        prior: Mapping[Any, Exact],
        conditional: build.Conditional,
        *,
        features: Iterable[str] | None = None,
        target: str | None = None,
        states: States | None = None,
    ) -> Self:
        """Return the distribution with given p(x) and p(y|x).

        Parameters
        ----------
        prior : mapping
            From (x1, .., xn) to p(x). The values sum to exactly 1.
        conditional : mapping or function
            From (x1, .., xn) to the mapping {y: p(y|x)}, whose values sum to exactly 1. States x with p(x) = 0 are not
            looked up.
        features, target, states
            As in `from_pmf`.
        """
        pmf = build.pmf_of_conditional(prior, conditional)
        return cls.from_pmf(pmf, features=features, target=target, states=states)

    @classmethod
    def from_json(cls, text: str) -> Self:
        """Return the distribution that a text written by `to_json` describes. The round trip is exact.

        The text can also be a nested table of weights, as in ``[[4, 1], ["1/2", 0]]``. The last axis is the class.
        """
        variables, weights, columns = display.decode(text)
        return cls._of_integers(weights, variables) if columns is None else cls._of_cells(columns, weights, variables)

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Self:
        """Return the distribution in a JSON file, as `save` writes it. `fstheory.distributions.load` reads tables, too.

        Examples
        --------
        >>> import pathlib, tempfile
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     path = pathlib.Path(folder) / "d.json"
        ...     JointDistribution([[1, 3]]).save(path)
        ...     JointDistribution.load(path)
        JointDistribution([[1, 3]])
        """
        with tables.open_text(path) as stream:
            text = stream.read(LONGEST + 1)
        try:
            return cls.from_json(text)
        except InvalidFormatError as error:
            raise InvalidFormatError(f"{os.fspath(path)}: {error}") from error

    @classmethod
    def from_frame(
        cls,
        frame: pd.DataFrame | Any,
        *,
        target: str,
        probability: str | None = None,
        features: Iterable[str] | None = None,
        leave_out: Iterable[str] = (),
        states: States | None = None,
    ) -> Self:
        """Return the distribution that a DataFrame describes, with a row for each cell or for each observation.

        Parameters
        ----------
        frame : DataFrame
            Of pandas, polars, pyarrow or another library that narwhals supports.
        target : str
            The column of the class.
        probability : str, optional
            The column of the exact probabilities, as `to_frame` writes it. Rows of the same cell are added. If not
            given, each row is equally likely. If the rows were drawn from something larger, use `Sample.from_frame`.
        features : iterable of str, optional
            The columns that are features, in this order. If not given, all columns except the others named here.
        leave_out : iterable of str, optional
            Columns that are neither features nor the target.
        states : mapping, optional
            As in `from_pmf`. A categorical column has its categories as states.

        Raises
        ------
        InvalidTypeError
            A probability is a float, or `frame` is no DataFrame.
        InvalidValueError
            The probabilities do not sum to exactly 1, or a value is missing.
        UnknownNameError
            The frame has no column of a name that is given.

        Examples
        --------
        >>> d = JointDistribution([[1, 2], [0, 5]], features=["rain"], target="wet")
        >>> JointDistribution.from_frame(d.to_frame(), target="wet", probability="probability") == d
        True
        """
        if tables.is_any_frame(frame) and not tables.is_frame(frame):
            frame = engines.collected(frame)
        others = as_names(leave_out, "leave_out")
        if probability is None:
            table = tables.read_frame(frame, target, features, None, others)
        else:
            tables.require_columns([probability], list(frame.columns), probability=probability)
            table = tables.read_frame(frame, target, features, None, (*others, probability))
            column = f"column {probability!r}"
            listed = enumerate(frame[probability].to_list())
            numbers = [as_fraction(p, f"{column}, row {row}", at_least=0) for row, p in listed]
            build.require_one(sum(numbers), column)
            table = table._replace(counts=as_times(integers_over(numbers)[0]))
        declared: dict[str, Any] = {**table.states, **build.given_states(states, table.names)}
        return cls._of_table(table._replace(states=declared))

    # -- the table of weights ----------------------------------------------------------------------------

    @property
    def weights(self) -> Weights:
        """The integer weights in lowest terms, read-only. The axes are the features in order, then the class.

        If the table of all cells is too large, a `TooLargeError` says what needs no table.
        """
        if self._weights is None:
            rows = self._listed()
            few = build.coarser(self._variables, len(rows))
            repair = f"{few}, or ask for few subsets: the {len(rows):,} cells of d.support() are enough for them"
            require_cells(self._variables.shape, _TABLE, repair, _BYTES)
            with enough_memory(_TABLE, repair):
                weights, _ = build.lowest_terms(rows.table())
            object.__setattr__(self, "_weights", weights)
            return weights
        return self._weights

    @property
    def total(self) -> int:
        """The sum of the weights."""
        return self._total

    # -- questions -----------------------------------------------------------------------------

    def probability(self, event: Event = build.NOTHING, **states: Any) -> Fraction:
        """Return the exact probability of an event.

        Parameters
        ----------
        event : mapping
            From names of variables, the target included, to a state label or to a set of labels. A set means that the
            variable has one of these labels.
        **states
            Further variables of the event, if their names can be keywords of Python.

        Examples
        --------
        >>> from fstheory.distributions.gallery import titanic
        >>> titanic().probability({"class": {"1st", "2nd"}, "survived": "yes"}), titanic().probability(sex="male")
        (Fraction(321, 2201), Fraction(1731, 2201))
        """
        return Fraction(int(self._within(build.whole_event(event, states))[1].sum()), self._total)

    def _within(self, event: Event) -> tuple[Sequence[Any] | None, Weights]:
        """Return the columns of the cells, or None for a table, and their weights, which are 0 outside an event."""
        if self._rows is None:
            return None, self.weights * build.mask_event(event, self._variables)
        columns = self._rows.columns
        return columns, self._rows.counts * build.mask_event(event, self._variables, columns)

    def condition(self, event: Event = build.NOTHING, **states: Any) -> Self:
        """Return the conditional distribution given an event, over the same variables and states.

        The event is described as for `probability`. Cells outside the event have probability 0.

        Raises
        ------
        ZeroProbabilityError
            The event has probability 0.
        """
        event = build.whole_event(event, states)
        columns, weights = self._within(event)
        needed, repair = "an event of positive probability", "condition on another event"
        require(weights.any(), "event", needed, event, repair, ZeroProbabilityError)
        if columns is None:
            return self._of_integers(weights, self._variables)
        return self._of_cells(columns, weights, self._variables)

    def posterior(self, given: Event = build.NOTHING, **states: Any) -> dict[Label, Fraction]:
        """Return p(Y | event) as a mapping from each class to its exact probability.

        The event is described as for `probability`. It may name features only, not the target.

        Raises
        ------
        ZeroProbabilityError
            The event has probability 0, so the posterior is not defined.
        """
        given = build.whole_event(given, states, "given")
        require(self.target not in given, "given", "about features", self.target, "leave the target out")
        weights = self.condition(given).marginal(()).weights
        total = int(weights.sum())
        return {label: Fraction(int(w), total) for label, w in zip(self.classes, weights, strict=True)}

    def marginal(self, features: Subset) -> Self:
        """Return the joint distribution of some of the features and the class. The features keep their order."""
        kept = indices_of(mask_of(features, self.features, "features"))
        if self._rows is not None:
            rows = self._rows.of(kept)
            return self._of_cells(rows.columns, rows.times, self._variables.keep(kept))
        dropped = tuple(i for i in range(len(self.features)) if i not in kept)
        return self._of_integers(self.weights.sum(axis=dropped), self._variables.keep(kept))

    def rename(self, names: Mapping[str, str] = build.NOTHING, **renamed: str) -> Self:
        """Return the same distribution with some variables renamed.

        `names` maps old names to new ones. An old name that can be a keyword of Python can be written as one:
        ``d.rename(X1="rain")``. `map_states` gives the states other labels.
        """
        names = build.with_keywords(names, renamed, "names", "a mapping from old to new names", "write {'X1': 'rain'}")
        for name, new in names.items():
            self._variables.axis(name)
            repair = f"d.map_states({name!r}, {{'old': 'new'}}) gives the states other labels"
            require_type(new, str, f"names[{name!r}]", "the new name of a variable", repair)
        new = [names.get(name, name) for name in self._variables.names]
        states = dict(zip(new, self._variables.labels, strict=True))
        require(len(states) == len(new), "names", "distinct when applied", dict(names), "rename the other variable too")
        variables = build.make_variables(self._variables.shape, new[:-1], new[-1], states)
        if self._rows is None:
            return self._of_integers(self.weights, variables)
        return self._of_integers(self._rows.counts, variables, columns=self._rows.columns)

    def with_target(self, target: str) -> Self:
        """Return the same distribution with another variable as the class. The old class becomes the last feature.

        Examples
        --------
        >>> from fstheory.distributions.gallery import titanic
        >>> titanic().with_target("sex").features
        ('class', 'age', 'survived')
        """
        axis, own = self._variables.axis(target), self._variables
        rows = self._listed()
        *others, last = (*range(axis), *range(axis + 1, len(own.names)), axis)
        labels = tuple(own.labels[i] for i in (*others, last))
        variables = build.Variables(tuple(own.names[i] for i in others), target, labels)
        return self._of_cells([rows.columns[i] for i in (*others, last)], rows.times, variables)

    def with_feature(self, name: str, of: Callable[[dict[str, Label]], Label]) -> Self:
        """Return the distribution with one more feature, which is a function of the other variables.

        Use it to see what a derived feature is worth, such as the sum or the exclusive or of two features. It is the
        last feature. Its states are the values that occur, sorted if they are all strings or all integers.

        Parameters
        ----------
        name : str
            The name of the new feature.
        of : function
            It takes the states of all variables, the target included, as a mapping from their names, and returns the
            state of the new feature. It is called for cells of positive probability.

        Raises
        ------
        InvalidValueError
            A variable has this name already, or a returned state is missing, as None is.

        Examples
        --------
        >>> d = JointDistribution([[[2, 1], [1, 2]], [[1, 2], [2, 1]]])
        >>> d.with_feature("sum", lambda x: x["X1"] + x["X2"]).states["sum"]
        (0, 1, 2)
        """
        require(
            callable(of), "of", "a function of the other variables", of, "write lambda x: x['X1']", InvalidTypeError
        )
        require(name not in self._variables.names, "name", "a new name", name, "use map_states to replace a variable")
        cells = {
            (*cell[:-1], of(dict(zip(self._variables.names, cell, strict=True))), cell[-1]): weight
            for cell, weight in zip(self.support(), self._listed().counts.tolist(), strict=True)
        }
        return self.from_counts(cells, features=(*self.features, name), target=self.target, states=self.states)

    def map_states(self, name: str, labels: Mapping[Any, Label] | Callable[[Any], Label]) -> Self:
        """Return the distribution with other states of one variable. States with the same new label are merged.

        Use it to rename states, or to see what a coarser variable is worth.

        Parameters
        ----------
        name : str
            A feature or the target.
        labels : mapping or function
            From each state to its new label. A state that a mapping does not name keeps its label.

        Raises
        ------
        UnknownNameError
            No variable has this name, or no state has a label that the mapping names.

        Examples
        --------
        >>> from fstheory.distributions.gallery import titanic
        >>> merged = titanic().map_states("class", {"1st": "upper", "2nd": "upper"})
        >>> merged.states["class"], merged.probability({"class": "upper"})
        (('upper', '3rd', 'crew'), Fraction(610, 2201))
        """
        axis = self._variables.axis(name)
        argument, old = f"labels for {name!r}", self._variables.labels[axis]
        if callable(labels):
            new = [labels(label) for label in old]
        else:
            require_type(labels, Mapping, "labels", "a mapping of states, or a function", "write {'old': 'new'}")
            for label in labels:
                self._variables.state(axis, label)
            new = [labels.get(label, label) for label in old]
        codes, distinct = tables.encode_rows(new, argument)
        shape = [len(distinct) if i == axis else size for i, size in enumerate(self._variables.shape)]
        variables = build.make_variables(shape, self.features, self.target, {**self.states, name: distinct})
        rows = self._listed()
        columns = [codes[column] if i == axis else column for i, column in enumerate(rows.columns)]
        return self._of_cells(columns, rows.times, variables)

    def support(self) -> tuple[tuple[Label, ...], ...]:
        """Return the cells (x1, .., xn, y) of positive probability, in the order of the table."""
        pairs = zip(self._variables.labels, self._listed().columns, strict=True)
        return tuple(zip(*([labels[i] for i in column.tolist()] for labels, column in pairs), strict=True))

    def is_positive(self) -> Check:
        """Return whether p(x) > 0 for every joint state x of the features.

        If not, the result names a state with p(x) = 0.

        Source: Peña and Nilsson (2010), the first assumption of Section 4.

        Examples
        --------
        >>> print(JointDistribution([[1, 2], [0, 0]]).is_positive())
        p(x) > 0 for every x: fails at x = (X1=1)
        """
        cells, state = self._counted().by_state(range(len(self.features)))
        statement = "p(x) > 0 for every x"
        if len(cells) == prod(self.cardinalities):
            impossible = np.flatnonzero(cells.max(axis=-1) == 0)
            return self._check(statement, state(int(impossible[0])) if len(impossible) else None)
        every = itertools.product(*map(range, self.cardinalities))  # the states that occur are in this order
        pairs = itertools.zip_longest(every, map(tuple, map(state, range(len(cells)))))
        return self._check(statement, next(x for x, possible in pairs if x != possible))

    def has_unique_maximum(self) -> Check:
        """Return whether p(Y|x) has a single maximum for every x with p(x) > 0.

        If not, the result names a state where classes tie.

        Source: Peña and Nilsson (2010), the second assumption of Section 4.
        """
        cells, state = self._counted().by_state(range(len(self.features)))
        top = cells.max(axis=-1, keepdims=True)
        fails = np.flatnonzero(((cells == top).sum(axis=-1) > 1) & (top[:, 0] > 0)).tolist()[:1]
        tied = tuple(y for at in fails for y, weight in zip(self.classes, cells[at], strict=True) if weight == top[at])
        statement = "p(Y|x) has a single maximum for every x with p(x) > 0"
        return self._check(statement, state(fails[0]) if fails else None, tied)

    def _check(self, statement: str, at: Iterable[int] | None, tied: tuple[Label, ...] = ()) -> Check:
        """Return the check of an assumption, whose witness is the state at which it fails, by positions, or None."""
        if at is None:
            return Check(statement, True)
        witness = {name: self.states[name][i] for name, i in zip(self.features, at, strict=True)}
        text = ", ".join(f"{name}={label!r}" for name, label in witness.items())
        ties = f", where {' and '.join(map(repr, tied))} tie" if tied else ""
        return Check(statement, False, witness, tied or None, failure=f" at x = ({text}){ties}")

    # -- conversions ---------------------------------------------------------------------------

    def to_pmf(self) -> dict[tuple[Label, ...], Fraction]:
        """Return the mass function: every cell (x1, .., xn, y), zeros included, with its exact probability.

        Examples
        --------
        >>> JointDistribution([[1, 3]]).to_pmf()
        {(0, 0): Fraction(1, 4), (0, 1): Fraction(3, 4)}
        """
        cells = itertools.product(*self._variables.labels)
        return {cell: Fraction(w, self._total) for cell, w in zip(cells, self.weights.ravel().tolist(), strict=True)}

    def to_sympy(self) -> dict[tuple[Label, ...], sympy.Rational]:
        """Return the probability mass function of `to_pmf` with SymPy's Rationals as values."""
        import sympy

        return {cell: sympy.Rational(p.numerator, p.denominator) for cell, p in self.to_pmf().items()}

    def to_frame(self) -> pd.DataFrame:
        """Return a pandas DataFrame with one row per cell.

        It has a column for each variable, and the column ``probability`` with Fractions (dtype object).

        Examples
        --------
        >>> JointDistribution([[1, 3]]).to_frame()
           X1  Y probability
        0   0  0         1/4
        1   0  1         3/4
        """
        names = self._variables.names
        needed = "names other than 'probability', which is a column of the frame"
        require("probability" not in names, "variables", needed, names, "call rename() first")
        return frame_of(((*state, p) for state, p in self.to_pmf().items()), [*names, "probability"])

    def to_json(self) -> str:
        """Return the exact, versioned JSON text of the distribution, which `from_json` reads."""
        listed = None if build.fits_array(self._variables, _FEW) else self._listed()
        return display.encode(self, listed if listed and _is_sparse(self._variables, listed) else None)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write `to_json` to a file: the whole text, or nothing if writing fails. `distributions.load` reads it."""
        write_atomically(path, self.to_json())

    def to_latex(self) -> str:
        r"""Return the probabilities as a LaTeX array for math mode, with one row for each joint state of the features.

        Examples
        --------
        >>> print(JointDistribution([[1, 3]]).to_latex())
        \begin{array}{c|cc} X_1 & Y = 0 & Y = 1 \\ \hline 0 & \frac{1}{4} & \frac{3}{4} \end{array}
        """
        return display.to_latex(self._variables, self.weights, self._total)

    def __repr__(self) -> str:
        return display.to_repr(self)

    def __str__(self) -> str:
        return display.distribution_text(self)

    def _repr_html_(self) -> str:
        return display.to_html(self)

    def _repr_latex_(self) -> str | None:
        return f"${self.to_latex()}$" if display.is_small(self) else None

    # -- equality and pickling -----------------------------------------------------------------

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, JointDistribution):
            return NotImplemented
        if self._variables != other._variables:
            return False
        if self._rows is None and other._rows is None:
            return bool(np.array_equal(self.weights, other.weights))
        mine, others = self._listed(), other._listed()
        return all(map(np.array_equal, (mine.counts, *mine.columns), (others.counts, *others.columns)))

    def __hash__(self) -> int:
        try:
            return self._hash
        except AttributeError:
            rows = self._listed()
            key = hash((self._variables, tuple(rows.counts.tolist()), *(column.tobytes() for column in rows.columns)))
            object.__setattr__(self, "_hash", key)
            return key

    def __reduce__(self) -> tuple[Any, ...]:
        if self._rows is None:
            return type(self)._of_integers, (self._weights, self._variables, self.notes)
        return type(self)._of_integers, (self._rows.counts, self._variables, self.notes, self._rows.columns)


_TABLE, _BYTES = "the table of all cells", 16  # bytes per cell while it is made of its cells
_FEW, _SPARSE = 2**16, 16  # a table of more cells is not held if it has more than 16 cells for each possible one


def _is_sparse(variables: build.Variables, possible: Rows) -> bool:
    """Return whether the table of all cells is large, and nearly all of its cells are impossible."""
    return not build.fits_array(variables, max(_FEW, _SPARSE * len(possible)))


def repair_of(value: object) -> str:
    """Return how a value is made into a distribution, for the message that refuses it."""
    if isinstance(value, str):
        return f"pass fs.gallery.load({show(value)}), or fs.distributions.load of a file"
    return "make one by fs.JointDistribution(weights), or take one from the gallery"


def require_distribution(value: object, argument: str = "d") -> None:
    """Refuse a value that is not a JointDistribution.

    `fstheory.distributions.gallery.as_distribution` takes the name of one as well.
    """
    if isinstance(value, JointDistribution):
        return
    tables.refuse_frame(value, argument)
    repair = repair_of(value)
    if hasattr(value, "empirical"):  # a Sample, which cannot be imported here: its module imports this one
        repair = "s.empirical(features) makes one from a few features; fs.fit and fs.select take the sample as it is"
    raise InvalidTypeError(explain(argument, "a JointDistribution", value, repair))


# -- Distributions made from distributions.


def product(first: JointDistribution, second: JointDistribution, *, target: str | None = None) -> JointDistribution:
    """Return the product of two distributions: the joint distribution of two independent problems.

    The feature names of the two must be distinct. The features of the first come before those of the second. The
    classes are pairs (y, z) with z running fastest. Unless `target` is given, the class variable is named by both
    targets, joined by a comma.

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
    require_cells(shape, "the product", "take marginals of the factors first")
    table = np.moveaxis(_outer(first, second), len(first.features), -2).reshape(shape)
    name = f"{first.target},{second.target}" if target is None else target
    # Only the states of features are taken: the target of one factor may have the name of a feature of the other.
    kept = {feature: factor.states[feature] for factor in (first, second) for feature in factor.features}
    kept[name] = tuple(itertools.product(first.classes, second.classes))
    return JointDistribution(table, features=features, target=name, states=kept)


def _outer(first: JointDistribution, second: JointDistribution) -> np.ndarray:
    """Return the products of all weights of two distributions."""
    left = first.weights if first.total * second.total < 2**63 else first.weights.astype(object)
    return np.multiply.outer(left, second.weights)


def independent_features(d: JointDistribution, features: Mapping[str, Mapping[Any, Exact]]) -> JointDistribution:
    """Return `d` with further features that are independent of all its variables, and therefore irrelevant.

    `features` maps the name of each new feature to its mass function {label: probability}. Use it to add noise to a
    distribution.

    Examples
    --------
    >>> d = independent_features(JointDistribution([[1, 0], [0, 1]]), {"noise": {"a": "1/3", "b": "2/3"}})
    >>> d.probability({"X1": 0, "noise": "b"})
    Fraction(1, 3)
    """
    require_distribution(d, "d")
    require_type(features, Mapping, "features", "a mapping from names to mass functions", "pass a dict")
    for name, pmf in features.items():
        require_type(pmf, Mapping, f"features[{name!r}]", "a mapping {label: probability}", "pass a dict")
        noise = JointDistribution.from_pmf({(x,): p for x, p in pmf.items()}, target=name)
        require_cells((*d.weights.shape, len(noise.classes)), "the product", "add features with fewer states")
        table = np.moveaxis(_outer(d, noise), -1, -2)
        names = feature_names((*d.features, name))
        require(d.target != name, "features", "names other than the target", d.target, "rename the feature")
        d = JointDistribution(table, features=names, target=d.target, states={**d.states, name: noise.classes})
    return d


def mixture(components: Sequence[JointDistribution], weights: Sequence[Exact]) -> JointDistribution:
    """Return the mixture of distributions over the same variables and states: the sum of weight times component.

    The weights are exact probabilities, one for each component, and sum to exactly 1.

    Examples
    --------
    >>> mixture([JointDistribution([[1, 0]]), JointDistribution([[0, 1]])], ["1/4", "3/4"])
    JointDistribution([[1, 3]])
    """
    require_type(components, Sequence, "components", "a sequence of distributions", "pass a list")
    if isinstance(weights, str) or not isinstance(weights, Sequence):
        raise InvalidTypeError(explain("weights", "a sequence of exact numbers", weights, "pass a list"))
    require(count := len(components), "components", "at least one distribution", components, "pass some")
    require(count == len(weights), "weights", f"{count} numbers, one per component", weights, "pass as many")
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
