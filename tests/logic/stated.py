"""Claims in the language beside the same by the definitions: every choice of the variables, and whether it is true."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import Any

from fstheory.logic import Claim, Model, claim, positive, unique_maximum
from tests.logic.literal import World

BOTH = [positive, unique_maximum]
Choice = tuple[Any, ...]


@claim
def monotone(m: Model, S: Any, i: Any) -> Any:
    return m.risk(S | {i}) <= m.risk(S)


@claim
def features_always_help(m: Model, S: Any, i: Any) -> Any:
    return i in S or m.risk(S | {i}) < m.risk(S)


@claim(assume=BOTH, disjoint=True)
def theorem_3(m: Model, S: Any, T: Any, U: Any) -> Any:
    if m.features != S | T | U:
        return True
    return m.iff(m.equal(m.risk(), m.risk(S | T), m.risk(S | U)), m.risk() == m.risk(S))


@claim(assume=BOTH)
def theorem_4(m: Model, S: Any, T: Any) -> Any:
    return S == T or ~(m.minimal_optimal(S) & m.minimal_optimal(T))


@claim
def best_single_is_in_best_pair(m: Model, i: Any, S: Any) -> Any:
    if len(S) != 2 or i in S:
        return True
    best = m.all(m.risk(i) < m.risk(j) for j in m.order if j != i)
    return ~(best & m.all(m.risk(S) < m.risk(T) for T in m.subsets() if len(T) == 2 and i in T))


@claim(assume=[unique_maximum])
def likeliest_class_is_predicted(m: Model, x: Any, y: Any) -> Any:
    others = (z for z in m.classes if z != y)
    wins = m.all(m.probability(x, z) < m.probability(x, y) for z in others)
    return m.implies(m.probability(x) > 0, m.iff(m.predicts(x, y), wins))


@claim(where={"g": "classifier of S"})
def no_classifier_is_better(m: Model, S: Any, g: Any) -> Any:
    return len(S) > 1 or m.risk(S) <= m.risk(g)


@claim(where={"s": "state of S"})
def likely_state(m: Model, S: Any, s: Any) -> Any:
    return m.probability(s) >= "1/9"


@claim(where={"T": "subset of S"})
def half_as_bad(m: Model, S: Any, T: Any) -> Any:
    return 2 * m.risk(S) >= m.risk(T)


@claim(assume=[positive])
def posterior_of_first(m: Model, x: Any) -> Any:
    return m.probability(x, m.classes[0]) / m.probability(x) <= "2/3"


@claim
def independent_of_rest(m: Model, i: Any) -> Any:
    return m.mutual_information(i, m.features - {i}) == 0


@claim
def within_the_root(m: Model, i: Any) -> Any:
    return m.risk(i) - m.risk() <= m.sqrt(m.probability({}, m.classes[0]))


# The same by the definitions: every choice of the variables, and whether the claim is true for it.


def _pairs(w: World) -> Iterator[tuple[frozenset[str], str]]:
    return itertools.product(w.subsets(), w.features)


def _monotone(w: World) -> Iterator[tuple[Choice, bool]]:
    return (((S, i), w.risk(S | {i}) <= w.risk(S)) for S, i in _pairs(w))


def _help(w: World) -> Iterator[tuple[Choice, bool]]:
    return (((S, i), i in S or w.risk(S | {i}) < w.risk(S)) for S, i in _pairs(w))


def _theorem_3(w: World) -> Iterator[tuple[Choice, bool]]:
    everything = frozenset(w.features)
    for S, T, U in itertools.product(w.subsets(), repeat=3):
        if everything == S | T | U and len(S) + len(T) + len(U) == len(everything):
            least = w.risk(everything)
            yield (S, T, U), (least == w.risk(S | T) == w.risk(S | U)) is (least == w.risk(S))


def _theorem_4(w: World) -> Iterator[tuple[Choice, bool]]:
    good = [S for S in w.subsets() if w.risk(S) == w.risk(w.features)]
    minimal = [S for S in good if not any(T < S for T in good)]
    return (
        ((S, T), S == T or not (S in minimal and T in minimal)) for S, T in itertools.product(w.subsets(), repeat=2)
    )


def _best_single(w: World) -> Iterator[tuple[Choice, bool]]:
    pairs = [S for S in w.subsets() if len(S) == 2]
    for i, S in itertools.product(w.features, pairs):
        if i not in S:
            best = all(w.risk([i]) < w.risk([j]) for j in w.features if j != i)
            yield (i, S), not (best and all(w.risk(S) < w.risk(T) for T in pairs if i in T))


def _likeliest(w: World) -> Iterator[tuple[Choice, bool]]:
    for x, y in itertools.product(list(w.states()), w.classes):
        wins = all(w.p(x, ("is", z)) < w.p(x, ("is", y)) for z in w.classes if z != y)
        yield (x, y), w.p(x) == 0 or (w.says(x) == y) is wins


def _classifier(w: World) -> Iterator[tuple[Choice, bool]]:
    for S in w.subsets():
        if len(S) < 2:
            states = list(w.states(S))
            for said in itertools.product(w.classes, repeat=len(states)):
                right = sum((w.p(s, ("is", y)) for s, y in zip(states, said, strict=True)), Fraction(0))
                yield (S, said), w.risk(S) <= 1 - right


def _likely(w: World) -> Iterator[tuple[Choice, bool]]:
    return (((S, s), w.p(s) >= Fraction(1, 9)) for S in w.subsets() for s in w.states(S))


def _half(w: World) -> Iterator[tuple[Choice, bool]]:
    return (((S, T), 2 * w.risk(S) >= w.risk(T)) for S in w.subsets() for T in w.subsets() if T <= S)


def _posterior(w: World) -> Iterator[tuple[Choice, bool]]:
    return (((x,), 3 * w.p(x, ("is", w.classes[0])) <= 2 * w.p(x)) for x in w.states())


def _root(w: World) -> Iterator[tuple[Choice, bool]]:
    slack = ((i, w.risk([i]) - w.risk(w.features)) for i in w.features)
    return (((i,), more**2 <= w.p({}, ("is", w.classes[0]))) for i, more in slack)


CLAIMS: list[tuple[Claim, Callable[[World], Iterator[tuple[Choice, bool]]]]] = [
    (monotone, _monotone),
    (features_always_help, _help),
    (theorem_3, _theorem_3),
    (theorem_4, _theorem_4),
    (theorem_3.without(*BOTH), _theorem_3),
    (theorem_4.without("positive"), _theorem_4),
    (best_single_is_in_best_pair, _best_single),
    (likeliest_class_is_predicted, _likeliest),
    (no_classifier_is_better, _classifier),
    (likely_state, _likely),
    (half_as_bad, _half),
    (posterior_of_first, _posterior),
    (within_the_root, _root),
    (positive, lambda w: (((x,), w.p(x) > 0) for x in w.states())),
    (unique_maximum, lambda w: (((x,), single(w, x)) for x in w.states())),
]


def single(w: World, x: Any) -> bool:
    joint = [w.p(x, ("is", y)) for y in w.classes]
    return sum(joint) == 0 or joint.count(max(joint)) == 1
