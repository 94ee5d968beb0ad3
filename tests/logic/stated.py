"""Claims in the language beside the same by the definitions: every choice of the variables, and whether it is true."""

import itertools
from collections.abc import Callable, Iterable
from typing import Any

from fstheory.logic.claims import Claim, claim, positive, unique_maximum
from fstheory.logic.language import Model
from tests.logic.literal import World

BOTH = [positive, unique_maximum]


@claim
def monotone(m: Model, S: Any, i: Any) -> Any:
    return m.risk(S | {i}) <= m.risk(S)


@claim(assume=BOTH, disjoint=True)
def theorem_3(m: Model, S: Any, T: Any, U: Any) -> Any:
    if m.features != S | T | U:
        return True
    return m.iff(m.equal(m.risk(), m.risk(S | T), m.risk(S | U)), m.risk() == m.risk(S))


@claim
def best_single_is_in_best_pair(m: Model, i: Any, S: Any) -> Any:
    if len(S) != 2 or i in S:
        return True
    best = m.all(m.risk(i) < m.risk(j) for j in m.order if j != i)
    return ~(best & m.all(m.risk(S) < m.risk(T) for T in m.subsets() if len(T) == 2 and i in T))


@claim(assume=[unique_maximum])
def likeliest_class_is_predicted(m: Model, x: Any, y: Any) -> Any:
    wins = m.all(m.probability(x, z) < m.probability(x, y) for z in m.classes if z != y)
    return m.implies(m.probability(x) > 0, m.iff(m.predicts(x, y), wins))


features_always_help = claim(lambda m, S, i: i in S or m.risk(S | {i}) < m.risk(S), name="features_always_help")
theorem_4 = claim(
    lambda m, S, T: S == T or ~(m.minimal_optimal(S) & m.minimal_optimal(T)), assume=BOTH, name="theorem_4"
)
no_classifier_is_better = claim(
    lambda m, S, g: len(S) > 1 or m.risk(S) <= m.risk(g), where={"g": "classifier of S"}, name="no_classifier_is_better"
)
likely_state = claim(lambda m, S, s: m.probability(s) >= "1/9", where={"s": "state of S"}, name="likely_state")
half_as_bad = claim(lambda m, S, T: 2 * m.risk(S) >= m.risk(T), where={"T": "subset of S"}, name="half_as_bad")
posterior_of_first = claim(
    lambda m, x: m.probability(x, m.classes[0]) / m.probability(x) <= "2/3", assume=[positive], name="posterior"
)
within_the_root = claim(
    lambda m, i: m.risk(i) - m.risk() <= m.sqrt(m.probability({}, m.classes[0])), name="within_the_root"
)


def _theorem_3(w: World, S: Any, T: Any, U: Any) -> bool:
    everything = frozenset(w.features)
    if everything != S | T | U or len(S) + len(T) + len(U) != len(everything):
        return True
    return (w.risk(everything) == w.risk(S | T) == w.risk(S | U)) is (w.risk(everything) == w.risk(S))


def _theorem_4(w: World, S: Any, T: Any) -> bool:
    good = [A for A in w.subsets() if w.risk(A) == w.risk(w.features)]
    minimal = [A for A in good if not any(B < A for B in good)]
    return S == T or not (S in minimal and T in minimal)


def _best_single(w: World, i: Any, S: Any) -> bool:
    pairs = [T for T in w.subsets() if len(T) == 2]
    best = all(w.risk([i]) < w.risk([j]) for j in w.features if j != i)
    return S not in pairs or i in S or not (best and all(w.risk(S) < w.risk(T) for T in pairs if i in T))


def _likeliest(w: World, x: Any, y: Any) -> bool:
    wins = all(w.p(x, ("is", z)) < w.p(x, ("is", y)) for z in w.classes if z != y)
    return w.p(x) == 0 or (w.says(x) == y) is wins


def _classifier(w: World, S: Any, said: Any) -> bool:
    return w.risk(S) <= 1 - sum(w.p(s, ("is", y)) for s, y in zip(w.states(S), said, strict=True))


def single(w: World, x: Any) -> bool:
    joint = [w.p(x, ("is", y)) for y in w.classes]
    return sum(joint) == 0 or joint.count(max(joint)) == 1


def _tables(w: World, S: Any) -> Iterable[Any]:
    return itertools.product(w.classes, repeat=len(list(w.states(S)))) if len(S) < 2 else ()


Range = Callable[..., Iterable[Any]]
_SUBSET: Range = lambda w, *_: w.subsets()  # noqa: E731
_FEATURE: Range = lambda w, *_: w.features  # noqa: E731
_STATE: Range = lambda w, *before: w.states(*before)  # noqa: E731
_CLASS: Range = lambda w, *_: w.classes  # noqa: E731

CLAIMS: list[tuple[Claim, tuple[Range, ...], Callable[..., bool]]] = [
    (monotone, (_SUBSET, _FEATURE), lambda w, S, i: w.risk(S | {i}) <= w.risk(S)),
    (features_always_help, (_SUBSET, _FEATURE), lambda w, S, i: i in S or w.risk(S | {i}) < w.risk(S)),
    *((stated, (_SUBSET,) * 3, _theorem_3) for stated in (theorem_3, theorem_3.without(*BOTH))),
    *((stated, (_SUBSET,) * 2, _theorem_4) for stated in (theorem_4, theorem_4.without("positive"))),
    (best_single_is_in_best_pair, (_FEATURE, _SUBSET), _best_single),
    (likeliest_class_is_predicted, (_STATE, _CLASS), _likeliest),
    (no_classifier_is_better, (_SUBSET, _tables), _classifier),
    (likely_state, (_SUBSET, _STATE), lambda w, S, s: 9 * w.p(s) >= 1),
    (half_as_bad, (_SUBSET, lambda w, S: w.subsets(S)), lambda w, S, T: 2 * w.risk(S) >= w.risk(T)),
    (posterior_of_first, (_STATE,), lambda w, x: 3 * w.p(x, ("is", w.classes[0])) <= 2 * w.p(x)),
    (
        within_the_root,
        (_FEATURE,),
        lambda w, i: (w.risk([i]) - w.risk(w.features)) ** 2 <= w.p({}, ("is", w.classes[0])),
    ),
    (positive, (_STATE,), lambda w, x: w.p(x) > 0),
    (unique_maximum, (_STATE,), single),
]


def violations(w: World, ranges: Iterable[Range], truth: Callable[..., bool]) -> list[tuple[Any, ...]]:
    """Return the choices of the variables for which the claim is false."""
    choices: list[tuple[Any, ...]] = [()]
    for among in ranges:
        choices = [(*before, value) for before in choices for value in among(w, *before)]
    return [choice for choice in choices if not truth(w, *choice)]
