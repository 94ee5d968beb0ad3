"""Beraha et al. (2019), Sections II and III-A: information, and the squared error of the best predictors."""

from __future__ import annotations

import itertools
from collections.abc import Hashable
from fractions import Fraction

from fstheory.logic.expressions import Formula, Term
from fstheory.logic.language import Model
from fstheory.papers import terms
from fstheory.papers.entry import Declarations, Paper
from fstheory.papers.terms import CLASS, State

__all__ = [
    "BERAHA_2019",
]
BERAHA_2019 = Paper(
    "Beraha et al.",
    "M. Beraha, A. M. Metelli, M. Papini, A. Tirinzoni and M. Restelli",
    "Feature selection via mutual information: new theoretical insights",
    2019,
    "beraha_2019.json",
)

paper = Declarations(BERAHA_2019)

_Y = frozenset({CLASS})

# Information


@paper.claim("B-0h", "equation 1")
def entropy_without_logarithm(m: Model, S: frozenset[str]) -> Formula:
    """The entropy of X_S is the expectation of p(X_S), and that of (X_S, Y) is the expectation of p(X_S, Y).

    $$H(X) := E_X[p(X)]$$
    A logarithm and a sign are missing in the first expression; the integral beside it is right.
    """
    entropies = {S | _Y: m.entropy(S, target=True)} | ({S: m.entropy(S)} if S else {})
    return m.all(
        m.sum(m.probability(state, y) ** 2 for state, y in terms.cells(m, variables)) == entropy
        for variables, entropy in entropies.items()
    )


@paper.claim("B-0hc", "equation 1", r"H(X) = E_X[-\log p(X)]", corrects="B-0h", printed=True)
def entropy_with_logarithm(m: Model, S: frozenset[str]) -> Formula:
    """The entropies of X_S and of (X_S, Y) are the expectations of -log p(X_S) and of -log p(X_S, Y)."""
    return m.equal(terms.entropy_by_definition(m, S), m.entropy(S)) & m.equal(
        terms.entropy_by_definition(m, S | _Y), m.entropy(S, target=True)
    )


@paper.claim("B-0k", "Section II-B")
def divergence_without_logarithm(m: Model, A: frozenset[str], x: State) -> Formula:
    r"""D(p(Y|x) || p(Y|x_S)) is the expectation of the quotient of both, for S the features outside A.

    $$D_{\mathrm{KL}}(p \| q) := E_X\Big[\frac{p(X)}{q(X)}\Big]$$
    The logarithm is missing in the first expression; the integral beside it is right.
    """
    kept = terms.others(m, A)
    part = {name: x[name] for name in m.order if name in kept}
    pairs = [(terms.posterior(m, x, y), terms.posterior(m, part, y)) for y in m.classes]
    return m.sum(p * (p / q) for p, q in pairs) == terms.divergence(m, x, kept)


@paper.claim("B-0kc", "Section II-B", corrects="B-0k", printed=True)
def divergence_is_information(m: Model, S: frozenset[str]) -> Formula:
    r"""I(X_S; Y) = E D(p(Y|X_S) || p(Y)), with the expectation of the logarithm of the quotient for D.

    $$I(X; Y) = E_X[D_{\mathrm{KL}}(p(Y|X) \| p(Y))],\ D_{\mathrm{KL}}(p \| q) = E_X\big[\log\tfrac{p(X)}{q(X)}\big]$$
    """
    expected = terms.expectation(m, S, lambda state: terms.divergence(m, state, frozenset()))
    return expected == m.mutual_information(S)


@paper.claim("B-0m", "Section II-B", r"I(X; Y) := H(Y) - H(Y|X) = \iint p(x, y) \log\frac{p(x, y)}{p(x)p(y)} = I(Y; X)")
def information_by_entropies(m: Model, S: frozenset[str]) -> Formula:
    """I(X_S; Y) = H(Y) - H(Y|X_S) is the sum of p(s, y) log p(s, y) / (p(s) p(y)), and is symmetric."""
    information = m.entropy((), target=True) - m.conditional_entropy(S)
    other = m.entropy(S) - (m.entropy(S, target=True) - m.entropy((), target=True))
    return m.equal(information, terms.information(m, S, _Y), other)


@paper.claim("B-0i", "Section II-B", disjoint=True)
def conditional_information(m: Model, S: frozenset[str], T: frozenset[str]) -> Formula:
    r"""I(X_S; Y | X_T), summed cell by cell, is E D(p(Y|X_S, X_T) || p(Y|X_T)), and H(Y|X_T) - H(Y|X_S, X_T).

    $$I(X; Y|Z) = E_Z\big[E_X[D_{\mathrm{KL}}(p(Y|X, Z) \| p(Y|Z))]\big] = \int p(z) \int\!\!\int p(x, y|z)
    \log\frac{p(x, y|z)}{p(x|z) p(y|z)}$$
    Of the two expectations the inner one must be given Z, as in the integral.
    """
    expected = terms.expectation(m, S | T, lambda state: terms.divergence(m, state, T))
    return m.equal(terms.information(m, S, _Y, T), expected, m.mutual_information(S, T))


@paper.claim("B-0", "equation 2", r"I(X; Y, Z) = I(X; Z) + I(X; Y|Z)", disjoint=True)
def chain_rule(m: Model, S: frozenset[str], T: frozenset[str], U: frozenset[str]) -> Formula:
    """I(X; Y, Z) = I(X; Z) + I(X; Y | Z) for disjoint groups X, Y, Z of variables, one of which holds the class."""
    groups = ((S | _Y, T, U), (S, T | _Y, U), (S, T, U | _Y))
    return m.all(
        terms.information(m, a, b | c) == terms.information(m, a, c) + terms.information(m, a, b, c)
        for a, b, c in groups
    )


@paper.claim("B-0n", "Section II-B, Section IV", r"\nu(A) := I(Y; X_A | X_{\bar A}) = I(Y; X) - I(Y; X_{\bar A})")
def score_as_difference(m: Model, A: frozenset[str]) -> Formula:
    """nu(A) = I(Y; X_A | the other features) is I(Y; X) less the information of the other features."""
    kept = terms.others(m, A)
    whole, part = (terms.information(m, _Y, of) for of in (m.features, kept))
    return terms.information(m, _Y, A, kept) == whole - part


@paper.claim("B-0a", "equations 15 and 16", r"\nu(A_{t+1}) = \nu(A_t) + I_t,\quad \nu(A_T) = \sum_{t=1}^{T-1} I_t")
def score_is_additive(m: Model, A: frozenset[str], i: str) -> Formula | bool:
    """If the features A are gone and i goes too, then nu grows by I(Y; X_i | the features left without i)."""
    step = terms.information(m, _Y, frozenset({i}), terms.others(m, A | {i}))
    return i in A or terms.score(m, A | {i}) == terms.score(m, A) + step


@paper.claim("B-0z", "after Theorem 1, equation 5")
def determined_means_no_score(m: Model, A: frozenset[str]) -> Formula:
    r"""If the features outside A determine Y, or determine X_A, in each of their states, then nu(A) = 0.

    $$x_{\bar A} \text{ determines } y \text{, or determines } x_A \Rightarrow \nu(A) = 0$$
    Not conversely: of three independent coins X1, X2, Y neither happens, and the score is 0.
    """
    kept = terms.others(m, A)
    return m.implies(
        m.all(
            m.any(m.probability(state, y) == m.probability(state) for y in m.classes)
            | m.any(m.probability({**state, **gone}) == m.probability(state) for gone in m.states(A))
            for state in m.states(kept)
        ),
        terms.score(m, A) == 0,
    )


# Relations


@paper.claim("B-0r", "Section I")
def invariant_under_invertible_maps(m: Model, i: str) -> Formula:
    r"""I(f(X_i); Y) = I(X_i; Y) for every invertible map f of the states of a feature.

    $$I(f(X_i); Y) = I(X_i; Y) \text{ for invertible } f$$
    Of finitely many states an invertible map is a permutation, and there is nothing to differentiate.
    """

    def told(state: State, y: Hashable) -> Term:
        p = m.probability(state, y)
        return p * terms.log_or_zero(m, p / (m.probability(state) * m.probability({}, y)))

    sums = (m.sum(told(x, y) for x in images for y in m.classes) for images in itertools.permutations(m.states(i)))
    return m.all(total == m.mutual_information(i) for total in sums)


@paper.claim("B-0lf", "Section IV, backward")
def likelihood_of_features(m: Model, i: str, j: str) -> Formula | bool:
    r"""To remove a feature of score 0, and not one that tells something, leaves the likelier features given Y.

    $$I(Y; X_i | X_{\neg i}) = 0 < I(Y; X_j | X_{\neg j}) \Rightarrow H(X_{\neg i} | Y) \le H(X_{\neg j} | Y)$$
    Backward elimination is said to maximize greedily the likelihood 'of the selected features given the target'. It is
    that of the target given the features, as Sections I and V say.
    """
    ours, theirs = (m.entropy(m.features - {k}, target=True) for k in (i, j))
    useless, useful = (terms.score(m, frozenset({k})) for k in (i, j))
    return i == j or m.implies((useless == 0) & (useful > 0), ours <= theirs)


@paper.claim("B-0l", "Sections I, IV and V", corrects="B-0lf", printed=True)
def likelihood_and_score(m: Model, A: frozenset[str]) -> Formula:
    r"""E log p(Y | the features outside A) = -H(Y|X) - nu(A); so the likelihood is largest where nu is smallest.

    $$\max_q E \log q(Y | X_{\bar A}) = E \log p(Y | X_{\bar A}) = -H(Y | X) - \nu(A)$$
    The paper quotes it from Brown et al.: to maximize the conditional likelihood is to minimize the information lost.
    Each step of backward elimination does so greedily, whether its score is 0 ('as long as', Section IV) or not.
    That is so for the distribution itself; a sample has estimates of both.
    """
    kept = terms.cells(m, terms.others(m, A) | _Y)
    likelihood = m.sum(
        m.probability(state, y) * terms.log_or_zero(m, terms.posterior(m, state, y)) for state, y in kept
    )
    return likelihood == -m.conditional_entropy(m.features) - terms.score(m, A)


# Squared error


@paper.claim("B-1", "Theorem 1", corrects="B-1y", printed=True)
def theorem_1(m: Model, A: frozenset[str]) -> Formula:
    r"""The least mean squared error without A is at most sigma^2 + 2 B^2 nu(A), for B = max |Y|; g real-valued.

    $$\inf_{g: \mathcal X_{\bar A} \to \mathbb R} E\big[(Y - g(X_{\bar A}))^2\big] \le \sigma^2 + 2 B^2 \nu(A)$$
    So read: the infimum is over predictors with any real values, or the target space is an interval.
    """
    return _lost(m, A) <= 2 * terms.largest(m) ** 2 * terms.score(m, A)


@paper.claim("B-1y", "Section III-A, Theorem 1")
def theorem_1_into_the_target_space(m: Model, A: frozenset[str]) -> Formula:
    r"""Theorem 1 with the infimum over the predictors whose values are values of Y, as the space G is defined.

    $$\inf_{g: \mathcal X_{\bar A} \to \mathcal Y} E\big[(Y - g(X_{\bar A}))^2\big] \le \sigma^2 + 2 B^2 \nu(A)$$
    The word for word reading: the paper takes the infimum over all functions to the target space, any subset of the
    reals. If that has gaps the conditional mean, with which the proof begins, is not among them.
    """
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


@paper.claim("B-1s", "Theorem 1", corrects="B-1")
def theorem_1_sharper(m: Model, A: frozenset[str]) -> Formula:
    r"""The least mean squared error without A is at most sigma^2 + W^2 nu(A) / 2, for Y in an interval of length W.

    $$\mathrm{MSE}(\bar A) \le \sigma^2 + \tfrac12 W^2 \nu(A)$$
    Since W <= 2B this is never weaker. The constant 1/2 is the best possible, see B-1x and the textbook.
    """
    return _lost(m, A) <= terms.width(m) ** 2 * terms.score(m, A) / 2


@paper.claim("B-1x", "Theorem 1", printed=False)
def theorem_1_sharper_still(m: Model, A: frozenset[str]) -> Formula:
    r"""The constant 1/2 of the sharper Theorem 1 could be 12/25 instead.

    $$\mathrm{MSE}(\bar A) \le \sigma^2 + \tfrac{12}{25} W^2 \nu(A)$$
    Not printed: it shows that B-1s is sharp. For a coin with P(Y=1|x) = 1/2 +- t the quotient of both sides tends to
    1/2, so every smaller constant fails.
    """
    return _lost(m, A) <= Fraction(12, 25) * (terms.width(m) ** 2 * terms.score(m, A))


@paper.claim("B-1p", "Theorem 1, proof", r"\mathrm{MSE}(\bar A) = \sigma^2 + E\big(E[Y|X] - E[Y|X_{\bar A}]\big)^2")
def mean_square_of_the_means(m: Model, A: frozenset[str]) -> Formula:
    """The least mean squared error without A is sigma^2 + E (E[Y|X] - E[Y|the others])^2."""
    kept = terms.others(m, A)

    def apart(x: State) -> Term:
        part = {name: x[name] for name in m.order if name in kept}
        return (_mean(m, x) - _mean(m, part)) ** 2

    return _lost(m, A) == terms.expectation(m, m.features, apart)


@paper.claim("B-1k", "Theorem 1, proof")
def pinsker(m: Model, A: frozenset[str], x: State) -> Formula:
    r"""Pinsker's inequality where it is used: 2 TV^2 <= D, for p(Y|x) and p(Y|the part of x outside A).

    $$\Big(\int |p(y|x) - p(y|x_{\bar A})| dy\Big)^2 = 4 D_{\mathrm{TV}}^2 \le 2 D_{\mathrm{KL}}$$
    """
    kept = terms.others(m, A)
    distance = terms.variation(m, x, kept)
    return m.implies(m.probability(x) > 0, 2 * (distance * distance) <= terms.divergence(m, x, kept))


@paper.claim("B-1z", "after Theorem 1", r"\nu(A) = 0 \Rightarrow \mathrm{MSE}(\bar A) = \sigma^2")
def no_score_no_loss(m: Model, A: frozenset[str]) -> Formula:
    """If nu(A) = 0 then the irreducible squared error is reached without A."""
    return m.implies(terms.score(m, A) == 0, _lost(m, A) == 0)


def _lost(m: Model, A: frozenset[str]) -> Term:
    return terms.squared_error(m, terms.others(m, A)) - terms.squared_error(m, m.features)


def _mean(m: Model, state: State) -> Term:
    return m.sum(terms.posterior(m, state, y) * value for y, value in zip(m.classes, terms.values(m), strict=True))
