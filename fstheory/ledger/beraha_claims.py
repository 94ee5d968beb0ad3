"""The statements of Beraha et al. (2019) on information and on the errors of the best predictors.

Sections II, III-A and III-C, in the language of claims; `beraha_2019` has the evidence. A bound with a root,
a <= b + sqrt(c), is written as a <= b or (a - b)**2 <= c.
"""

from __future__ import annotations

import itertools
from collections.abc import Hashable, Mapping
from fractions import Fraction
from typing import TypeAlias

from fstheory.ledger import terms
from fstheory.ledger.terms import CLASS
from fstheory.logic import Classifier, Formula, Model, Term, claim

State: TypeAlias = "Mapping[str, Hashable]"

_Y = frozenset({CLASS})


# Section II: entropy, divergence, information


@claim(name="B-0h")
def entropy_without_logarithm(m: Model, S: frozenset[str]) -> Formula:
    """The entropy of X_S is the expectation of p(X_S), and that of (X_S, Y) is the expectation of p(X_S, Y)."""
    entropies = {S | _Y: m.entropy(S, target=True)} | ({S: m.entropy(S)} if S else {})
    return m.all(
        m.sum(m.probability(state, y) ** 2 for state, y in terms.cells(m, variables)) == entropy
        for variables, entropy in entropies.items()
    )


@claim(name="B-0hc")
def entropy_with_logarithm(m: Model, S: frozenset[str]) -> Formula:
    """The entropies of X_S and of (X_S, Y) are the expectations of -log p(X_S) and of -log p(X_S, Y)."""
    return m.equal(terms.entropy_by_definition(m, S), m.entropy(S)) & m.equal(
        terms.entropy_by_definition(m, S | _Y), m.entropy(S, target=True)
    )


@claim(name="B-0k")
def divergence_without_logarithm(m: Model, A: frozenset[str], x: State) -> Formula:
    """D(p(Y|x) || p(Y|x_S)) is the expectation of the quotient of both, for S the features outside A."""
    kept = terms.others(m, A)
    part = {name: x[name] for name in m.order if name in kept}
    pairs = [(terms.posterior(m, x, y), terms.posterior(m, part, y)) for y in m.classes]
    return m.sum(p * (p / q) for p, q in pairs) == terms.divergence(m, x, kept)


@claim(name="B-0kc")
def divergence_is_information(m: Model, S: frozenset[str]) -> Formula:
    """I(X_S; Y) = E D(p(Y|X_S) || p(Y)), with the expectation of the logarithm of the quotient for D."""
    expected = terms.expectation(m, S, lambda state: terms.divergence(m, state, frozenset()))
    return expected == m.mutual_information(S)


@claim(name="B-0m")
def information_by_entropies(m: Model, S: frozenset[str]) -> Formula:
    """I(X_S; Y) = H(Y) - H(Y|X_S) is the sum of p(s, y) log p(s, y) / (p(s) p(y)), and is symmetric."""
    told = m.entropy((), target=True) - m.conditional_entropy(S)
    other = m.entropy(S) - (m.entropy(S, target=True) - m.entropy((), target=True))
    return m.equal(told, terms.information(m, S, _Y), other)


@claim(name="B-0i", disjoint=True)
def conditional_information(m: Model, S: frozenset[str], T: frozenset[str]) -> Formula:
    """I(X_S; Y | X_T), summed cell by cell, is E D(p(Y|X_S, X_T) || p(Y|X_T)), and H(Y|X_T) - H(Y|X_S, X_T)."""
    expected = terms.expectation(m, S | T, lambda state: terms.divergence(m, state, T))
    return m.equal(terms.information(m, S, _Y, T), expected, m.mutual_information(S, T))


@claim(name="B-0", disjoint=True)
def chain_rule(m: Model, S: frozenset[str], T: frozenset[str], U: frozenset[str]) -> Formula:
    """I(X; Y, Z) = I(X; Z) + I(X; Y | Z) for disjoint groups X, Y, Z of variables, one of which holds the class."""
    groups = ((S | _Y, T, U), (S, T | _Y, U), (S, T, U | _Y))
    return m.all(
        terms.information(m, a, b | c) == terms.information(m, a, c) + terms.information(m, a, b, c)
        for a, b, c in groups
    )


@claim(name="B-0n")
def score_as_difference(m: Model, A: frozenset[str]) -> Formula:
    """nu(A) = I(Y; X_A | the other features) is I(Y; X) less the information of the other features."""
    kept = terms.others(m, A)
    whole, part = (terms.information(m, _Y, of) for of in (m.features, kept))
    return terms.information(m, _Y, A, kept) == whole - part


@claim(name="B-0a")
def score_is_additive(m: Model, A: frozenset[str], i: str) -> Formula | bool:
    """If the features A are gone and i goes too, then nu grows by I(Y; X_i | the features left without i)."""
    if i in A:
        return True
    step = terms.information(m, _Y, frozenset({i}), terms.others(m, A | {i}))
    return terms.score(m, A | {i}) == terms.score(m, A) + step


@claim(name="B-0z")
def determined_means_no_score(m: Model, A: frozenset[str]) -> Formula:
    """If the features outside A determine Y, or determine X_A, in each of their states, then nu(A) = 0."""
    kept = terms.others(m, A)
    return m.implies(
        m.all(
            m.any(m.probability(state, y) == m.probability(state) for y in m.classes)
            | m.any(m.probability({**state, **gone}) == m.probability(state) for gone in m.states(A))
            for state in m.states(kept)
        ),
        terms.score(m, A) == 0,
    )


@claim(name="B-0r")
def invariant_under_invertible_maps(m: Model, i: str) -> Formula:
    """I(f(X_i); Y) = I(X_i; Y) for every invertible map f of the states of a feature."""
    states = m.states(i)

    def told(images: tuple[terms.State, ...]) -> Term:
        joint = (
            (m.probability(state, y), m.probability(state) * m.probability({}, y))
            for state in images
            for y in m.classes
        )
        return m.sum(p * terms.log_or_zero(m, p / product) for p, product in joint)

    return m.all(told(images) == m.mutual_information(i) for images in itertools.permutations(states))


@claim(name="B-0l")
def likelihood_and_score(m: Model, A: frozenset[str]) -> Formula:
    """E log p(Y | the features outside A) = -H(Y|X) - nu(A); so the likelihood is largest where nu is smallest."""
    kept = terms.cells(m, terms.others(m, A) | _Y)
    likelihood = m.sum(
        m.probability(state, y) * terms.log_or_zero(m, terms.posterior(m, state, y)) for state, y in kept
    )
    return likelihood == -m.conditional_entropy(m.features) - terms.score(m, A)


# Section III-A: squared error


@claim(name="B-1")
def theorem_1(m: Model, A: frozenset[str]) -> Formula:
    """The least mean squared error without A is at most sigma^2 + 2 B^2 nu(A), for B = max |Y|; g real-valued."""
    excess = _lost(m, A)
    return excess <= 2 * terms.largest(m) ** 2 * terms.score(m, A)


@claim(name="B-1y")
def theorem_1_into_the_target_space(m: Model, A: frozenset[str]) -> Formula:
    """Theorem 1 with the infimum over the predictors whose values are values of Y, as the space G is defined."""
    labels = terms.values(m)
    guesses = (
        m.minimum(
            m.sum(m.probability(state, y) * (value - guess) ** 2 for y, value in zip(m.classes, labels, strict=True))
            for guess in labels
        )
        for state in m.states(terms.others(m, A))
    )
    excess = m.sum(guesses) - terms.squared_error(m, m.features)
    return excess <= 2 * terms.largest(m) ** 2 * terms.score(m, A)


@claim(name="B-1s")
def theorem_1_sharper(m: Model, A: frozenset[str]) -> Formula:
    """The least mean squared error without A is at most sigma^2 + W^2 nu(A) / 2, for Y in an interval of length W."""
    return _lost(m, A) <= terms.width(m) ** 2 * terms.score(m, A) / 2


@claim(name="B-1x")
def theorem_1_sharper_still(m: Model, A: frozenset[str]) -> Formula:
    """The constant 1/2 of the sharper Theorem 1 could be 12/25 instead."""
    return _lost(m, A) <= Fraction(12, 25) * (terms.width(m) ** 2 * terms.score(m, A))


@claim(name="B-1p")
def mean_square_of_the_means(m: Model, A: frozenset[str]) -> Formula:
    """The least mean squared error without A is sigma^2 + E (E[Y|X] - E[Y|the others])^2."""
    kept = terms.others(m, A)

    def apart(x: State) -> Term:
        part = {name: x[name] for name in m.order if name in kept}
        return (_mean(m, x) - _mean(m, part)) ** 2

    return _lost(m, A) == terms.expectation(m, m.features, apart)


@claim(name="B-1z")
def no_score_no_loss(m: Model, A: frozenset[str]) -> Formula:
    """If nu(A) = 0 then the irreducible squared error is reached without A."""
    return m.implies(terms.score(m, A) == 0, _lost(m, A) == 0)


@claim(name="B-1k")
def pinsker(m: Model, A: frozenset[str], x: State) -> Formula:
    """Pinsker's inequality where it is used: 2 TV^2 <= D, for p(Y|x) and p(Y|the part of x outside A)."""
    kept = terms.others(m, A)
    distance = terms.variation(m, x, kept)
    return m.implies(m.probability(x) > 0, 2 * (distance * distance) <= terms.divergence(m, x, kept))


def _lost(m: Model, A: frozenset[str]) -> Term:
    return terms.squared_error(m, terms.others(m, A)) - terms.squared_error(m, m.features)


def _mean(m: Model, state: State) -> Term:
    return m.sum(terms.posterior(m, state, y) * value for y, value in zip(m.classes, terms.values(m), strict=True))


# Section III-C: errors of classification


@claim(name="B-3")
def theorem_3(m: Model, A: frozenset[str]) -> Formula:
    """The Bayes risk without A is at most that of all features and sqrt(2 nu(A))."""
    return _at_most_root(_excess(m, A), 2 * terms.score(m, A))


@claim(name="B-3s")
def theorem_3_sharper(m: Model, A: frozenset[str]) -> Formula:
    """The Bayes risk without A is at most that of all features and sqrt(nu(A) / 2)."""
    return _at_most_root(_excess(m, A), terms.score(m, A) / 2)


@claim(name="B-3x")
def theorem_3_sharper_still(m: Model, A: frozenset[str]) -> Formula:
    """The constant 1/2 under the root of the sharper Theorem 3 could be 12/25 instead."""
    return _at_most_root(_excess(m, A), Fraction(12, 25) * terms.score(m, A))


@claim(name="B-3v")
def theorem_3_by_variation(m: Model, A: frozenset[str]) -> Formula:
    """The Bayes risk without A is at most that of all features and the mean of TV(p(Y|X), p(Y|the others))."""
    kept = terms.others(m, A)
    return _excess(m, A) <= terms.expectation(m, m.features, lambda x: terms.variation(m, x, kept))


@claim(name="B-3i")
def least_information(m: Model, A: frozenset[str]) -> Formula | bool:
    """With two classes, nu(A) is at least log 2 - h(1/2 + t), where t is what the Bayes risk rises without A."""
    if len(m.classes) != 2:
        return True
    sides = (Fraction(1, 2) + _excess(m, A), Fraction(1, 2) - _excess(m, A))
    return m.log(2) + m.sum(p * terms.log_or_zero(m, p) for p in sides) <= terms.score(m, A)


@claim(name="B-3p")
def steps_of_theorem_3(m: Model, A: frozenset[str], x: State) -> Formula:
    """Let S be the features outside A, and p(x) > 0.

    Then max p(y|x) - max p(y|x_S), and p(y'|x_S) - p(y'|x) for any y', are at most TV(p(Y|x), p(Y|x_S)).
    """
    kept = terms.others(m, A)
    part = {name: x[name] for name in m.order if name in kept}
    mine, theirs = ([terms.posterior(m, state, y) for y in m.classes] for state in (x, part))
    distance = terms.variation(m, x, kept)
    first = m.maximum(mine) - m.maximum(theirs) <= distance
    second = m.all(b - a <= distance for a, b in zip(mine, theirs, strict=True))
    return m.implies(m.probability(x) > 0, first & second)


@claim(name="B-3e", where={"S": "subset", "g": "classifier of S"})
def excess_of_a_bayes_classifier(m: Model, S: frozenset[str], g: Classifier) -> Formula:
    """Let y' be a likeliest class given X_S. Then R(S) = epsilon + E (max p(y|X) - p(y'|X)).

    And E p(y'|X) = E p(y'|X_S), so the second term of the proof of Theorem 3 is 0.
    """
    best = m.all(m.maximizes(state, g(state)) for state in m.states(S))
    behind = m.sum(m.maximum(m.probability(x, y) for y in m.classes) - m.probability(x, g(x)) for x in m.states())
    right = m.sum(m.probability(x, g(x)) for x in m.states()) == m.sum(m.probability(s, g(s)) for s in m.states(S))
    return m.implies(best, (m.risk(S) == m.risk() + behind) & right)


@claim(name="B-3d")
def root_is_the_better_dependence(m: Model, A: frozenset[str]) -> Formula:
    """The sqrt(2 nu(A)) of Theorem 3 is at most the 2 B^2 nu(A) of Theorem 1: that is, nu = 0 or 2 B^4 nu >= 1."""
    score = terms.score(m, A)
    return (score == 0) | (2 * terms.largest(m) ** 4 * score >= 1)


def _excess(m: Model, A: frozenset[str]) -> Term:
    return m.risk(terms.others(m, A)) - m.risk()


def _at_most_root(number: Term, square: Term) -> Formula:
    """Say that a number is at most the square root of another one, which is not negative."""
    return (number <= 0) | (number * number <= square)
