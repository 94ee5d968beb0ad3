"""Beraha et al. (2019), Section III-C: the errors of classification.

A bound with a root, a <= b + sqrt(c), is written as a <= b or (a - b)**2 <= c.
"""

from __future__ import annotations

from fractions import Fraction

from fstheory.logic.expressions import Formula, Term
from fstheory.logic.language import Classifier, Model
from fstheory.papers import terms
from fstheory.papers.beraha_2019 import BERAHA_2019
from fstheory.papers.entry import Declarations
from fstheory.papers.terms import State

paper = Declarations(BERAHA_2019)


@paper.claim("B-3", "Theorem 3", r"R(\bar A) \le \epsilon + \sqrt{2 \nu(A)}")
def theorem_3(m: Model, A: frozenset[str]) -> Formula:
    """The Bayes risk without A is at most that of all features and sqrt(2 nu(A))."""
    return terms.at_most_root(_excess(m, A), 2 * terms.score(m, A))


@paper.claim("B-3s", "Theorem 3", corrects="B-3")
def theorem_3_sharper(m: Model, A: frozenset[str]) -> Formula:
    r"""The Bayes risk without A is at most that of all features and sqrt(nu(A) / 2).

    $$R(\bar A) \le \epsilon + \sqrt{\tfrac12 \nu(A)}$$
    Half of what is printed: the second of the two terms that the proof bounds by a total variation distance is 0 in the
    mean (B-3e). The constant 1/2 is the best possible, see B-3x and the textbook.
    """
    return terms.at_most_root(_excess(m, A), terms.score(m, A) / 2)


@paper.claim("B-3x", "Theorem 3", printed=False)
def theorem_3_sharper_still(m: Model, A: frozenset[str]) -> Formula:
    r"""The constant 1/2 under the root of the sharper Theorem 3 could be 12/25 instead.

    $$R(\bar A) \le \epsilon + \sqrt{\tfrac{12}{25} \nu(A)}$$
    Not printed: it shows that B-3s is sharp. For a coin with P(Y=1|x) = 1/2 +- t the quotient of t^2 and the score
    tends to 1/2, so every smaller constant fails.
    """
    return terms.at_most_root(_excess(m, A), Fraction(12, 25) * terms.score(m, A))


@paper.claim("B-3v", "Theorem 3, proof", corrects="B-3")
def theorem_3_by_variation(m: Model, A: frozenset[str]) -> Formula:
    r"""The Bayes risk without A is at most that of all features and the mean of TV(p(Y|X), p(Y|the others)).

    $$R(\bar A) \le \epsilon + E\, D_{\mathrm{TV}}(p(\cdot|X) \| p(\cdot|X_{\bar A}))$$
    The proof has twice the distance.
    """
    kept = terms.others(m, A)
    return _excess(m, A) <= terms.expectation(m, m.features, lambda x: terms.variation(m, x, kept))


@paper.claim("B-3i", "Theorem 3", corrects="B-3")
def least_information(m: Model, A: frozenset[str]) -> Formula | bool:
    r"""With two classes, nu(A) is at least log 2 - h(1/2 + t), where t is what the Bayes risk rises without A.

    $$\nu(A) \ge \log 2 - h\big(\tfrac12 + R(\bar A) - \epsilon\big) \text{ for two classes}$$
    The best bound by the score alone, reached for every excess by a coin. With more classes the least information has
    no closed form; see fs.bounds.least_information.
    """
    sides = (Fraction(1, 2) + _excess(m, A), Fraction(1, 2) - _excess(m, A))
    return len(m.classes) != 2 or m.log(2) + m.sum(p * terms.log_or_zero(m, p) for p in sides) <= terms.score(m, A)


@paper.claim("B-3p", "Theorem 3, proof")
def steps_of_theorem_3(m: Model, A: frozenset[str], x: State) -> Formula:
    r"""Let S be the features outside A, and p(x) > 0.

    Then max p(y|x) - max p(y|x_S), and p(y'|x_S) - p(y'|x) for any y', are at most TV(p(Y|x), p(Y|x_S)).

    $$\max_y p(y|x) - \max_y p(y|x_{\bar A}) \le D_{\mathrm{TV}},\quad p(y'|x_{\bar A}) - p(y'|x) \le D_{\mathrm{TV}}$$
    """
    kept = terms.others(m, A)
    part = {name: x[name] for name in m.order if name in kept}
    mine, theirs = ([terms.posterior(m, state, y) for y in m.classes] for state in (x, part))
    distance = terms.variation(m, x, kept)
    first = m.maximum(mine) - m.maximum(theirs) <= distance
    second = m.all(b - a <= distance for a, b in zip(mine, theirs, strict=True))
    return m.implies(m.probability(x) > 0, first & second)


@paper.claim("B-3e", "Theorem 3, proof", where={"S": "subset", "g": "classifier of S"})
def excess_of_a_bayes_classifier(m: Model, S: frozenset[str], g: Classifier) -> Formula:
    r"""Let y' be a likeliest class given X_S. Then R(S) = epsilon + E (max p(y|X) - p(y'|X)).

    And E p(y'|X) = E p(y'|X_S), so the second term of the proof of Theorem 3 is 0.

    $$R(\bar A) = \epsilon + \int p(x) \big(p(y^*|x) - p(y^*_{\bar A}|x)\big),\quad E\big[p(y^*_{\bar A}|X_{\bar A}) -
    p(y^*_{\bar A}|X)\big] = 0$$
    The second equation is not printed; with it the theorem gains a factor 2.
    """
    best = m.all(m.maximizes(state, g(state)) for state in m.states(S))
    behind = m.sum(m.maximum(m.probability(x, y) for y in m.classes) - m.probability(x, g(x)) for x in m.states())
    right = m.sum(m.probability(x, g(x)) for x in m.states()) == m.sum(m.probability(s, g(s)) for s in m.states(S))
    return m.implies(best, (m.risk(S) == m.risk() + behind) & right)


@paper.claim("B-3d", "after Theorem 3")
def root_is_the_better_dependence(m: Model, A: frozenset[str]) -> Formula:
    r"""The sqrt(2 nu(A)) of Theorem 3 is at most the 2 B^2 nu(A) of Theorem 1: that is, nu = 0 or 2 B^4 nu >= 1.

    $$\sqrt{2 \nu(A)} \le 2 B^2 \nu(A)$$
    The paper finds a 'slightly better dependence' in the square root. Of two numbers, a small score is less than its
    root. But the bounds are in different units, a probability and a square of Y: in the unit of Y itself Theorem 1
    allows B sqrt(2 nu), which is a root as well, so neither dependence is the better one.
    """
    score = terms.score(m, A)
    return (score == 0) | (2 * terms.largest(m) ** 4 * score >= 1)


def _excess(m: Model, A: frozenset[str]) -> Term:
    return m.risk(terms.others(m, A)) - m.risk()
