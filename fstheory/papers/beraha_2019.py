"""Beraha et al. (2019): information, errors of regression and classification, and when to stop.

A bound with a root, a <= b + sqrt(c), is written as a <= b or (a - b)**2 <= c.

Errors, weights and correlations of linear models are written with covariances. For example, sigma_Y rho(Y, X_i) is
written as Cov(Y, X_i) / sigma_i.

A run of Section IV is described by the features A that were moved before the last step, and the feature i of the last
step. The rule ends the run there exactly if the sum of scores, which grows, is below the threshold for A, and not below
it for A and i. The promise is monotone in delta. So it suffices to state it for the least delta (backward), or for the
largest (forward).
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Hashable
from fractions import Fraction
from pathlib import Path

from fstheory.logic.claims import claim
from fstheory.logic.entry import Statements
from fstheory.logic.expressions import Classifier, Formula, State, Term
from fstheory.logic.language import Model
from fstheory.papers import terms
from fstheory.papers.pena_nilsson_2010 import likeliest_deviations
from fstheory.papers.terms import CLASS, covariance, linear_error, others, score, variance, weight

__all__ = ["paper"]
paper = Statements(Path(__file__).with_suffix(".toml"))

_Y, _NOTHING = frozenset({CLASS}), frozenset[str]()

# Information


@paper.claim("B-0h")
def entropy_without_logarithm(m: Model, S: frozenset[str]) -> Formula:
    entropies = {S | _Y: m.entropy(S, target=True)} | ({S: m.entropy(S)} if S else {})
    squares = {of: m.sum(m.probability(state, y) ** 2 for state, y in terms.cells(m, of)) for of in entropies}
    return m.all(squares[of] == entropy for of, entropy in entropies.items())


@paper.claim("B-0hc")
def entropy_with_logarithm(m: Model, S: frozenset[str]) -> Formula:
    alone = m.equal(terms.entropy_by_definition(m, S), m.entropy(S))
    return alone & m.equal(terms.entropy_by_definition(m, S | _Y), m.entropy(S, target=True))


@paper.claim("B-0k")
def divergence_without_logarithm(m: Model, A: frozenset[str], x: State) -> Formula:
    kept = others(m, A)
    part = terms.restricted(x, kept)
    pairs = [(terms.posterior(m, x, y), terms.posterior(m, part, y)) for y in m.classes]
    return m.sum(p * (p / q) for p, q in pairs) == terms.divergence(m, x, kept)


@paper.claim("B-0kc")
def divergence_is_information(m: Model, S: frozenset[str]) -> Formula:
    expected = terms.expectation(m, S, lambda state: terms.divergence(m, state, frozenset()))
    return expected == m.mutual_information(S)


@paper.claim("B-0m")
def information_by_entropies(m: Model, S: frozenset[str]) -> Formula:
    information = m.entropy((), target=True) - m.conditional_entropy(S)
    other = m.entropy(S) - (m.entropy(S, target=True) - m.entropy((), target=True))
    return m.equal(information, terms.information(m, S, _Y), other)


@paper.claim("B-0i", disjoint=True)
def conditional_information(m: Model, S: frozenset[str], T: frozenset[str]) -> Formula:
    expected = terms.expectation(m, S | T, lambda state: terms.divergence(m, state, T))
    return m.equal(terms.information(m, S, _Y, T), expected, m.mutual_information(S, T))


@paper.claim("B-0", disjoint=True)
def chain_rule(m: Model, S: frozenset[str], T: frozenset[str], U: frozenset[str]) -> Formula:
    y, information = {m.target}, m.feature_information
    groups = ((S | y, T, U), (S, T | y, U), (S, T, U | y))
    return m.all(information(a, b | c) == information(a, c) + information(a, b, c) for a, b, c in groups)


@paper.claim("B-0n")
def score_as_difference(m: Model, A: frozenset[str]) -> Formula:
    return score(m, A) == m.mutual_information(m.features) - m.mutual_information(others(m, A))


@paper.claim("B-0a")
def score_is_additive(m: Model, A: frozenset[str], i: str) -> Formula | bool:
    return ({i} <= A) | (score(m, A | {i}) == score(m, A) + m.mutual_information(i, others(m, A | {i})))


@paper.claim("B-0z")
def determined_means_no_score(m: Model, A: frozenset[str]) -> Formula:
    determined = (
        m.any(m.probability(state, y) == m.probability(state) for y in m.classes)
        | m.any(m.probability({**state, **gone}) == m.probability(state) for gone in m.states(A))
        for state in m.states(others(m, A))
    )
    return m.implies(m.all(determined), score(m, A) == 0)


# Relations


@paper.claim("B-0r")
def invariant_under_invertible_maps(m: Model, i: str) -> Formula:
    def part(state: State, y: Hashable) -> Term:
        p = m.probability(state, y)
        return p * terms.log_or_zero(m, p / (m.probability(state) * m.probability({}, y)))

    sums = (m.sum(part(x, y) for x in images for y in m.classes) for images in itertools.permutations(m.states(i)))
    return m.all(total == m.mutual_information(i) for total in sums)


@paper.claim("B-0lf")
def likelihood_of_features(m: Model, i: str, j: str) -> Formula | bool:
    ours, theirs = (m.entropy(m.features - {k}, target=True) for k in (i, j))
    useless, useful = (score(m, frozenset({k})) for k in (i, j))
    return i == j or m.implies((useless == 0) & (useful > 0), ours <= theirs)


@paper.claim("B-0l")
def likelihood_and_score(m: Model, A: frozenset[str]) -> Formula:
    kept = terms.cells(m, others(m, A) | _Y)
    parts = (m.probability(state, y) * terms.log_or_zero(m, terms.posterior(m, state, y)) for state, y in kept)
    return m.sum(parts) == -m.conditional_entropy(m.features) - score(m, A)


# Squared error


@paper.claim("B-1")
def theorem_1(m: Model, A: frozenset[str]) -> Formula:
    return _lost(m, A) <= _scale(m) * score(m, A)


@paper.claim("B-1y")
def theorem_1_into_the_target_space(m: Model, A: frozenset[str]) -> Formula:
    def error(state: State, guess: Fraction) -> Term:
        return m.sum(m.probability(state, y) * (value - guess) ** 2 for y, value in terms.values(m))

    least = (m.minimum(error(state, guess) for _, guess in terms.values(m)) for state in m.states(others(m, A)))
    return m.sum(least) - terms.squared_error(m, m.features) <= _scale(m) * score(m, A)


@paper.variants("constant", {"B-1s": Fraction(1, 2), "B-1x": Fraction(12, 25)})
def theorem_1_sharper(m: Model, A: frozenset[str], *, constant: Fraction) -> Formula:
    return _lost(m, A) <= constant * (terms.width(m) ** 2 * score(m, A))


@paper.claim("B-1p")
def mean_square_of_the_means(m: Model, A: frozenset[str]) -> Formula:
    def apart(x: State) -> Term:
        return (terms.mean(m, x) - terms.mean(m, terms.restricted(x, others(m, A)))) ** 2

    return _lost(m, A) == terms.expectation(m, m.features, apart)


@paper.claim("B-1k")
def pinsker(m: Model, A: frozenset[str], x: State) -> Formula:
    kept = others(m, A)
    distance = terms.variation(m, x, kept)
    return m.implies(m.probability(x) > 0, 2 * (distance * distance) <= terms.divergence(m, x, kept))


@paper.claim("B-1z")
def no_score_no_loss(m: Model, A: frozenset[str]) -> Formula:
    return m.implies(score(m, A) == 0, _lost(m, A) == 0)


def _squared_excess(m: Model, kept: frozenset[str]) -> Term:
    return terms.squared_error(m, kept) - terms.squared_error(m, m.features)


def _lost(m: Model, A: frozenset[str]) -> Term:
    return _squared_excess(m, others(m, A))


def _scale(m: Model) -> Term:
    return 2 * terms.largest(m) ** 2


# Linear models: Theorem 2 and Example 1

REGULAR = (terms.regular,)


@claim
def sum_of_the_features(m: Model, x: State) -> Formula | bool:
    """Say that Y is the sum of the features, with probability one."""
    sought = sum((m.value(name, label) for name, label in x.items()), Fraction(0))
    return m.all(m.probability(x, y) == 0 for y in m.classes if m.value("the class", y) != sought)


@claim
def each_determines_the_other(m: Model, i: str, j: str) -> Formula | bool:
    """Say that every feature is a function of every other one, with probability one."""
    return i == j or m.all(m.any(m.probability(a | b) == m.probability(a) for b in m.states(j)) for a in m.states(i))


@paper.claim("B-1l", assume=REGULAR)
def theorem_1_for_linear_predictors(m: Model, A: frozenset[str]) -> Formula:
    return _cost(m, A) <= _scale(m) * score(m, A)


@paper.claim("B-E1", assume=(terms.regular, sum_of_the_features, each_determines_the_other))
def example_1(m: Model, i: str) -> Formula | bool:
    needed = (linear_error(m, m.features) == 0) & (linear_error(m, m.features - {i}) > 0)
    return len(m.order) != 2 or (score(m, frozenset({i})) == 0) & needed


@paper.claim("B-E1r")
def two_high_correlations(m: Model) -> Formula | bool:
    if len(m.order) != 2:
        return True
    first, second = m.order
    above = m.sum(covariance(m, i, CLASS) ** 2 / (variance(m, CLASS) * variance(m, i)) for i in m.order)
    shared = covariance(m, first, second) ** 2 / (variance(m, first) * variance(m, second))
    return above <= 1 + m.sqrt(shared)


@paper.variants("absolute", {"B-2": False, "B-2c": True}, assume=REGULAR)
def theorem_2(m: Model, A: frozenset[str], *, absolute: bool) -> Formula | bool:
    return not A or _deviation(m, A, CLASS) <= _deviation(m, _NOTHING, CLASS) + _size(m, A) * _weighted(m, A, absolute)


@paper.claim("B-2s", assume=REGULAR)
def theorem_2_sharper(m: Model, A: frozenset[str]) -> Formula | bool:
    error = linear_error(m, others(m, A))
    return not A or error <= linear_error(m, m.features) + _weighted(m, A) ** 2


@paper.claim("B-2e", assume=REGULAR)
def theorem_2_exact(m: Model, A: frozenset[str]) -> Formula:
    return linear_error(m, others(m, A)) == linear_error(m, m.features) + _remainder(m, A)


@paper.claim("B-2f", assume=REGULAR)
def closed_forms(m: Model, A: frozenset[str]) -> Formula:
    kept, found = sorted(others(m, A)), []
    for target in (CLASS, *sorted(A)):
        rows = {j: m.sum(covariance(m, target, k) * terms.inverse_entry(m, k, j, kept) for k in kept) for j in kept}
        *same, explained = (m.sum(rows[j] * covariance(m, j, to) for j in kept) for to in (*kept, target))
        found += [covariance(m, target, other) == seen for other, seen in zip(kept, same, strict=True)]
        found.append(linear_error(m, kept, target) == variance(m, target) - explained)
    return m.all(found)


@paper.claim("B-2q", assume=REGULAR)
def step_7(m: Model, A: frozenset[str]) -> Formula:
    parts = (weight(m, i) ** 2 * linear_error(m, others(m, A), i) for i in sorted(A))
    return _remainder(m, A) <= len(A) * m.sum(parts)


@paper.claim("B-2w", assume=REGULAR)
def weights_by_a_sum_over_removed(m: Model, A: frozenset[str], i: str) -> Formula | bool:
    return i not in A or weight(m, i) == _inverse_times(m, i, A)


@paper.claim("B-2wc", assume=REGULAR)
def weights_by_a_sum_over_all(m: Model, i: str) -> Formula:
    return weight(m, i) == _inverse_times(m, i, m.features)


@paper.claim("B-2v", assume=REGULAR)
def weights_of_uncorrelated_features(m: Model, A: frozenset[str], i: str) -> Formula | bool:
    return i not in A or m.implies(terms.uncorrelated(m, terms.pairs_within(A)), _own_weight(m, i))


@paper.claim("B-2vc", assume=REGULAR)
def weights_of_features_uncorrelated_with_all(m: Model, i: str) -> Formula:
    return m.implies(terms.uncorrelated(m, ((i, j) for j in sorted(m.features - {i}))), _own_weight(m, i))


@paper.variants("absolute", {"B-2u": False, "B-2ua": True}, assume=REGULAR)
def theorem_2_by_correlations(m: Model, A: frozenset[str], *, absolute: bool) -> Formula | bool:
    kept, parts = sorted(others(m, A)), []
    for i in sorted(A):
        seen = m.sum(covariance(m, i, j) ** 2 / (variance(m, i) * variance(m, j)) for j in kept)
        own = abs(covariance(m, CLASS, i)) if absolute else covariance(m, CLASS, i)
        parts.append(own * m.sqrt((1 - seen) / variance(m, i)))
    bound = _deviation(m, A, CLASS) <= _deviation(m, _NOTHING, CLASS) + _size(m, A) * m.sum(parts)
    return not A or m.implies(terms.uncorrelated(m, terms.pairs_within(A, kept)), bound)


@paper.claim("B-2uc", assume=REGULAR)
def theorem_2_by_correlations_corrected(m: Model, A: frozenset[str]) -> Formula | bool:
    parts = m.sum(m.sqrt(covariance(m, CLASS, i) ** 2 / variance(m, i)) for i in sorted(A))
    bound = _deviation(m, A, CLASS) <= _deviation(m, _NOTHING, CLASS) + parts
    return not A or m.implies(_isolated(m, A), bound)


@paper.claim("B-2ue", assume=REGULAR)
def theorem_2_by_correlations_exact(m: Model, A: frozenset[str]) -> Formula:
    lost = m.sum(covariance(m, CLASS, i) ** 2 / variance(m, i) for i in sorted(A))
    same = linear_error(m, others(m, A)) == linear_error(m, m.features) + lost
    return m.implies(_isolated(m, A), same)


@paper.claim("B-2z", assume=REGULAR)
def uncorrelated_is_irrelevant(m: Model, i: str) -> Formula:
    same = linear_error(m, m.features - {i}) == linear_error(m, m.features)
    return m.implies(covariance(m, CLASS, i) == 0, same)


@paper.claim("B-2y", assume=REGULAR)
def correlated_is_redundant(m: Model, i: str, j: str) -> Formula | bool:
    cost, left = _cost(m, frozenset({i})), linear_error(m, {j}, i)
    return i == j or cost * variance(m, i) <= left * variance(m, CLASS)


@paper.claim("B-2d")
def correlation_is_dependence(m: Model, i: str) -> Formula:
    return m.implies(covariance(m, CLASS, i) != 0, m.mutual_information(i) > 0)


@paper.claim("B-2dx")
def dependence_is_correlation(m: Model, i: str) -> Formula:
    return m.implies(m.mutual_information(i) > 0, covariance(m, CLASS, i) != 0)


def _cost(m: Model, A: frozenset[str]) -> Term:
    return linear_error(m, others(m, A)) - linear_error(m, m.features)


def _deviation(m: Model, A: frozenset[str], variable: str | None) -> Term:
    """Return the standard deviation of the part of a variable that the features outside A do not explain."""
    return m.sqrt(linear_error(m, others(m, A), variable))


def _size(m: Model, A: frozenset[str]) -> Term:
    return m.sum([1]) if len(A) == 1 else m.sqrt(len(A))


def _weighted(m: Model, A: frozenset[str], absolute: bool = True) -> Term:
    weights = {i: weight(m, i) for i in sorted(A)}
    return m.sum((abs(w) if absolute else w) * _deviation(m, A, i) for i, w in weights.items())


def _remainder(m: Model, A: frozenset[str]) -> Term:
    """Return w' C w.

    C has the covariances of the parts of A that the features outside A do not explain; w is the weights.
    """
    pairs = itertools.product(sorted(A), repeat=2)
    return m.sum(weight(m, i) * weight(m, j) * terms.left_over(m, others(m, A), i, j) for i, j in pairs)


def _inverse_times(m: Model, i: str, features: frozenset[str]) -> Term:
    return m.sum(terms.inverse_entry(m, i, j) * covariance(m, j, CLASS) for j in sorted(features))


def _own_weight(m: Model, i: str) -> Formula:
    return weight(m, i) == covariance(m, i, CLASS) / variance(m, i)


def _isolated(m: Model, A: frozenset[str]) -> Formula:
    return terms.uncorrelated(m, ((i, j) for i in sorted(A) for j in sorted(m.features - {i})))


# Errors of classification


@paper.variants("constant", {"B-3": Fraction(2), "B-3s": Fraction(1, 2), "B-3x": Fraction(12, 25)})
def theorem_3(m: Model, A: frozenset[str], *, constant: Fraction) -> Formula:
    return terms.at_most_root(_excess(m, A), constant * score(m, A))


@paper.claim("B-3v")
def theorem_3_by_variation(m: Model, A: frozenset[str]) -> Formula:
    kept = others(m, A)
    return _excess(m, A) <= terms.expectation(m, m.features, lambda x: terms.variation(m, x, kept))


@paper.claim("B-3i")
def least_information(m: Model, A: frozenset[str]) -> Formula | bool:
    sides = (Fraction(1, 2) + _excess(m, A), Fraction(1, 2) - _excess(m, A))
    return len(m.classes) != 2 or m.log(2) + m.sum(p * terms.log_or_zero(m, p) for p in sides) <= score(m, A)


@paper.claim("B-3p")
def steps_of_theorem_3(m: Model, A: frozenset[str], x: State) -> Formula:
    kept = others(m, A)
    mine, theirs = ([terms.posterior(m, s, y) for y in m.classes] for s in (x, terms.restricted(x, kept)))
    distance = terms.variation(m, x, kept)
    first = m.maximum(mine) - m.maximum(theirs) <= distance
    second = m.all(b - a <= distance for a, b in zip(mine, theirs, strict=True))
    return m.implies(m.probability(x) > 0, first & second)


# Both equations compare sums over the states of S. If they fail for a classifier, they fail for a single deviation.
@paper.claim("B-3e", where={"S": "subset", "g": "classifier of S"}, decided_by=likeliest_deviations)
def excess_of_a_bayes_classifier(m: Model, S: frozenset[str], g: Classifier) -> Formula:
    best = m.all(m.maximizes(state, g(state)) for state in m.states(S))
    behind = m.sum(m.maximum(m.probability(x, y) for y in m.classes) - m.probability(x, g(x)) for x in m.states())
    right = m.sum(m.probability(x, g(x)) for x in m.states()) == m.sum(m.probability(s, g(s)) for s in m.states(S))
    return m.implies(best, (m.risk(S) == m.risk() + behind) & right)


@paper.claim("B-3d")
def root_is_the_better_dependence(m: Model, A: frozenset[str]) -> Formula:
    nu = score(m, A)
    return (nu == 0) | (2 * terms.largest(m) ** 4 * nu >= 1)


def _excess(m: Model, A: frozenset[str]) -> Term:
    return m.risk(others(m, A)) - m.risk()


# Backward elimination and forward selection

DELTAS = tuple(Fraction(text) for text in ("1/20", "1/10", "1/4", "21/50", "1/2", "1"))
"""The thresholds of Table I, and 0.42."""


@paper.claim("B-4")
def backward_classification(m: Model, A: frozenset[str], i: str) -> Formula | bool:
    bound = terms.at_most_root(_excess(m, A), 2 * score(m, A))
    return i in A or m.implies(_ends_backward(m, A, i), bound)


@paper.claim("B-4r")
def backward_regression(m: Model, A: frozenset[str], i: str) -> Formula | bool:
    return i in A or m.implies(_ends_backward(m, A, i), _lost(m, A) <= _scale(m) * score(m, A))


@paper.claim("B-4s")
def any_removal_with_the_sharper_thresholds(m: Model, A: frozenset[str]) -> Formula:
    nu = score(m, A)
    return m.all(
        m.implies(nu <= 2 * delta**2, m.risk(others(m, A)) <= m.risk() + delta)
        & m.implies(terms.width(m) ** 2 * nu <= 2 * delta, _lost(m, A) <= delta)
        for delta in DELTAS
    )


@paper.claim("B-4z")
def zero_threshold_removes(m: Model, i: str) -> Formula:
    worthless = _removed_then(m, _NOTHING, i) & (score(m, frozenset({i})) == 0)
    return m.implies(worthless, score(m, frozenset({i})) < Fraction(0) ** 2 / 2)  # the sum stays below


@paper.claim("B-4zc")
def zero_score_costs_nothing(m: Model, A: frozenset[str]) -> Formula:
    return m.implies(score(m, A) == 0, (m.risk(others(m, A)) == m.risk()) & (_lost(m, A) == 0))


@paper.claim("B-5d")
def forward_error_introduced(m: Model, A: frozenset[str], i: str) -> Formula | bool:
    return i in A or m.all(m.implies(_stops(m, A, i, delta), m.risk(A | {i}) <= m.risk() + delta) for delta in DELTAS)


@paper.variants("with_last", {"B-5r": False, "B-5ri": True})
def forward_regression(m: Model, A: frozenset[str], i: str, *, with_last: bool) -> Formula | bool:
    # 2 B^2 I(Y; X) - delta for the largest delta that stops there
    unknown = _scale(m) * (m.mutual_information(m.features) - m.mutual_information(A | {i}))
    lost = _squared_excess(m, A | {i} if with_last else A)
    return i in A or m.implies(_gains(m, A, i), lost <= unknown)


@paper.claim("B-5rn")
def forward_regression_not_reached(m: Model) -> Formula | bool:
    known, lost = _scale(m) * m.mutual_information(m.features), _squared_excess(m, m.features)
    return m.all(m.implies(known < delta, lost <= known - delta) for delta in DELTAS)


@paper.variants("with_last", {"B-5": False, "B-5i": True})
def forward_classification(m: Model, A: frozenset[str], i: str, *, with_last: bool) -> Formula | bool:
    selected = A | {i} if with_last else A
    return i in A or m.all(m.implies(_stops(m, A, i, delta), _promised(m, selected, delta)) for delta in DELTAS)


@paper.variants("factor", {"B-5c": Fraction(2), "B-5s": Fraction(1, 2)})
def forward_classification_corrected(m: Model, A: frozenset[str], i: str, *, factor: Fraction) -> Formula | bool:
    # of all delta that stop there the largest is decisive: delta^2 / 2 = I(Y; A_(T+1))
    unknown = m.mutual_information(m.features) - m.mutual_information(A | {i})
    return i in A or m.implies(_gains(m, A, i), terms.at_most_root(m.risk(A | {i}) - m.risk(), factor * unknown))


@paper.claim("B-5n")
def forward_classification_not_reached(m: Model) -> Formula | bool:
    whole = m.mutual_information(m.features)
    return m.all(m.implies(2 * whole < delta**2, _promised(m, m.features, delta)) for delta in DELTAS)


@paper.claim("B-5t")
def selected_information(m: Model, A: frozenset[str], i: str) -> Formula | bool:
    same = m.mutual_information(A) == m.mutual_information(A) + m.mutual_information(i, A)
    return i in A or m.implies(_selected_then(m, A, i), same)


@paper.claim("B-5tc")
def selected_information_with_the_last(m: Model, A: frozenset[str], i: str) -> Formula | bool:
    orders = ((*order, i) for order in itertools.permutations(sorted(A)))
    sums = (m.sum(m.mutual_information(j, run[:step]) for step, j in enumerate(run)) for run in orders)
    return i in A or m.all(m.mutual_information(A | {i}) == total for total in sums)


def _may_reach(m: Model, A: frozenset[str], i: str, value: Callable[[Model, frozenset[str], str], Term]) -> Formula:
    """Say that a greedy run by least values may move the features A first, in some order, and then look at i."""

    def goes_next(moved: frozenset[str], j: str) -> Formula:
        return m.all(value(m, moved, j) <= value(m, moved, rival) for rival in sorted(m.features - moved - {j}))

    orders = itertools.permutations(sorted(A))
    runs = (m.all(goes_next(frozenset(order[:step]), j) for step, j in enumerate(order)) for order in orders)
    return m.any(runs) & goes_next(A, i)


def _removed_then(m: Model, A: frozenset[str], i: str) -> Formula:
    """Say that backward elimination may remove A and then look at i."""
    return _may_reach(m, A, i, lambda m, gone, j: m.mutual_information(j, others(m, gone | {j})))


def _ends_backward(m: Model, A: frozenset[str], i: str) -> Formula:
    """Say that for some delta backward elimination may stop at i, with A removed before."""
    return _removed_then(m, A, i) & (score(m, A) < score(m, A | {i}))


def _selected_then(m: Model, A: frozenset[str], i: str) -> Formula:
    """Say that forward selection, by the largest scores, may select A and then look at i."""
    return _may_reach(m, A, i, lambda m, chosen, j: -m.mutual_information(j, chosen))


def _stops(m: Model, A: frozenset[str], i: str, delta: Fraction) -> Formula:
    """Say that forward selection for classification may stop at i, with A selected before."""
    reached = (m.mutual_information(A) < delta**2 / 2) & (m.mutual_information(A | {i}) >= delta**2 / 2)
    return reached & _selected_then(m, A, i)


def _promised(m: Model, selected: frozenset[str], delta: Fraction) -> Formula:
    """Say that the risk is at most epsilon - delta + sqrt(2 I(Y; X))."""
    return terms.at_most_root(m.risk(selected) - m.risk() + delta, 2 * m.mutual_information(m.features))


def _gains(m: Model, A: frozenset[str], i: str) -> Formula:
    """Say that for some delta forward selection may stop at i, with A selected before."""
    return (m.mutual_information(A) < m.mutual_information(A | {i})) & _selected_then(m, A, i)


# The synthetic problems: any two classes of which one is the other under a condition


@claim
def class_1_is_class_0_in_a_region(m: Model) -> Formula | bool:
    """Say that there are two equally probable classes, the second distributed as the first under a condition on X."""
    if len(m.classes) != 2:
        return False
    first, second = m.classes
    pairs = ((m.probability(x, first), m.probability(x, second)) for x in m.states())
    conditioned = m.all(q * _inside(m) == p * terms.possible(q) / 2 for p, q in pairs)
    return (m.probability({}, first) == m.probability({}, second)) & (_inside(m) > 0) & conditioned


@paper.claim("B-Xe", assume=(class_1_is_class_0_in_a_region,))
def error_and_information_of_a_region(m: Model) -> Formula | bool:
    if len(m.classes) != 2:
        return True
    q = 2 * _inside(m)
    unknown = ((1 + q) * m.log(1 + q) - q * m.log(q)) / 2
    return (m.risk() == q / 2) & (m.mutual_information(m.features) == m.log(2) - unknown)


def _inside(m: Model) -> Term:
    """Return the probability of class 0 and a state that class 1 can have: half of q."""
    first, second = m.classes
    return m.sum(m.probability(x, first) * terms.possible(m.probability(x, second)) for x in m.states())
