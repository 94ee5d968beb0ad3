"""`Predictor`: what an optimal predictor says in each state of the features it sees."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Generic, Self, TypeVar

from fstheory._display import Shown, assigned, listing, words
from fstheory.distribution import JointDistribution, Label
from fstheory.errors import InvalidTypeError, InvalidValueError, explain, unknown

__all__ = ["Predictor", "State", "posterior"]

P = TypeVar("P")

State = tuple[Label, ...]
"""The labels of the features that are seen, in order."""


@dataclass(frozen=True, repr=False)
class Predictor(Shown, Mapping[State, P], Generic[P]):
    """An optimal predictor: a mapping from states of the features it sees to predictions.

    Where several predictions are optimal it takes the first, and `choices` has them all. They may be chosen in each
    state without regard to the others. Called with a mapping it reads the state from the names.

    Attributes
    ----------
    features : tuple of str
        The features it sees, in order.
    choices : mapping from states to tuples
        The optimal predictions of each state; in a state of `free`, some of them.
    free : frozenset
        The states of probability 0, where every prediction is optimal.

    Examples
    --------
    >>> from fstheory import JointDistribution, criteria
    >>> g = criteria.zero_one().predictor(JointDistribution([[2, 2], [0, 3], [0, 0]]), {"X1"})
    >>> g[0,], g({"X1": 1}), g.choices[0,], g.free
    (0, 1, (0, 1), frozenset({(2,)}))
    """

    features: tuple[str, ...]
    choices: Mapping[State, tuple[P, ...]]
    free: frozenset[State]

    def __hash__(self) -> int:
        return hash((self.features, frozenset(self.choices), self.free))  # a prediction may be a dict

    @classmethod
    def of(cls, seen: JointDistribution, choose: Callable[[list[int]], tuple[P, ...]]) -> Self:
        """Return the predictor that chooses from the class weights of each state of a marginal.

        A state of probability 0 has the weights of all classes chosen for it, those without features.

        Examples
        --------
        >>> from fstheory import JointDistribution, criteria
        >>> criteria.Predictor.of(JointDistribution([[2, 2], [0, 3]]), lambda weights: (sum(weights),))[1,]
        3
        """
        states = itertools.product(*(seen.states[name] for name in seen.features))
        cells = seen.weights.reshape(-1, len(seen.classes)).tolist()
        prior = [sum(column) for column in zip(*cells, strict=True)]
        choices, free = {}, set()
        for state, cell in zip(states, cells, strict=True):
            choices[state] = choose(cell if any(cell) else prior)
            if not any(cell):
                free.add(state)
        return cls(seen.features, choices, frozenset(free))

    def __getitem__(self, state: State) -> P:
        try:
            return self.choices[state][0]
        except (KeyError, TypeError):  # TypeError: what cannot be hashed is no state
            raise unknown("state", state, self.choices) from None

    def __iter__(self) -> Iterator[State]:
        return iter(self.choices)

    def __len__(self) -> int:
        return len(self.choices)

    def __call__(self, state: Mapping[str, Any]) -> P:
        """Return the first optimal prediction, given a label for each feature it sees; other names are not looked at.

        Raises
        ------
        InvalidTypeError, InvalidValueError
            `state` is no mapping, or a feature is missing from it.
        UnknownNameError
            There is no such state.
        """
        if not isinstance(state, Mapping):
            raise InvalidTypeError(explain("state", "a mapping from features to labels", state, "write {'X1': 0}"))
        missing = [name for name in self.features if name not in state]
        if missing:
            raise InvalidValueError(
                explain("state", f"a label for each of {self.features}", state, f"add {missing[0]!r}")
            )
        return self[tuple(state[name] for name in self.features)]

    def __str__(self) -> str:
        head = f"optimal predictor that sees {', '.join(self.features) or 'no features'}"
        states = (assigned(dict(zip(self.features, state, strict=True))) for state in self)
        chosen = (" or ".join(map(words, choices)) for choices in self.choices.values())
        return listing(head, zip(states, chosen, strict=True), len(self))

    def ties(self) -> tuple[State, ...]:
        """Return the states of positive probability with several optimal predictions, in the order of the states.

        Examples
        --------
        >>> from fstheory import JointDistribution, criteria
        >>> criteria.zero_one().predictor(JointDistribution([[2, 2], [0, 3]]), {"X1"}).ties()
        ((0,),)
        """
        return tuple(state for state in self if len(self.choices[state]) > 1 and state not in self.free)


def posterior(classes: Sequence[Label], cell: list[int]) -> dict[Label, Fraction]:
    """Return the distribution of the class in a cell."""
    total = sum(cell)
    return {label: Fraction(weight, total) for label, weight in zip(classes, cell, strict=True)}
