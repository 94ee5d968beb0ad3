"""Ahmed et al. (2015), Examples 1 to 6: information and losses as criteria for feature subsets.

An infimum over predictors is taken over all of them where they are finitely many (classifiers); where
predictions are numbers, the identity behind it is stated.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from fractions import Fraction

from fstheory.logic.claims import claim
from fstheory.logic.expressions import Formula, Term
from fstheory.logic.language import Model
from fstheory.logic.statement import Shape
from fstheory.papers import measures, terms
from fstheory.papers.entry import Declarations, Paper
from fstheory.papers.measures import Cell, both_classes, cells_of, choices
from fstheory.papers.terms import CLASS, linear_error, linear_prediction, regular

__all__ = [
    "AHMED_2015",
    "COSTS",
    "FEE",
]
AHMED_2015 = Paper(
    "Ahmed et al.",
    "S. Ahmed, H. Narasimhan and S. Agarwal",
    "Bayes optimal feature selection for supervised learning with general performance measures",
    2015,
    "ahmed_2015.json",
)

paper = Declarations(AHMED_2015)

COSTS = (Fraction(1, 4), Fraction(2, 7), Fraction(3, 5))
"""Some costs of a false positive; the first is one of the paper's experiments."""

FEE = Fraction(1, 4)
"""What a third prediction, to abstain, costs."""

_GUESSES = (Fraction(1, 10), Fraction(1, 4), Fraction(1, 2), Fraction(9, 10))
_NUMBERS = (Fraction(-1), Fraction(0), Fraction(5, 3))
_HALF_CENT = Fraction(1, 200)
_SQUARE = Shape((2, 2), 2)


@claim
def two_classes(m: Model) -> bool:
    """Say that the class is binary."""
    return len(m.classes) == 2


@claim
def is_example_1(m: Model) -> Formula | bool:
    """Say that the distribution is that of Example 1: P(Y=1) = 0.3, and X1 and X2 are independent given Y."""
    if m.shape != _SQUARE:
        return False
    tenths = {"Y": ((7,), (3,)), "X1": ((9, 1), (6, 4)), "X2": ((6, 4), (1, 9))}
    first, second = (m.states(name) for name in m.order)
    cells = itertools.product(enumerate(first), enumerate(second), enumerate(m.classes))
    return m.all(
        m.probability({**u, **v}, y) == Fraction(tenths["Y"][c][0] * tenths["X1"][c][a] * tenths["X2"][c][b], 1000)
        for (a, u), (b, v), (c, y) in cells
    )


# Example 1


@paper.claim(
    "A-0", "Section 2", r"\mathrm{er}_D^{0\text{-}1,*} = E_X[\min(\eta(X), 1 - \eta(X))]", assume=[two_classes]
)
def bayes_error_by_eta(m: Model) -> Formula:
    """The Bayes 0-1 error of a binary class is E min(eta(X), 1 - eta(X))."""
    return m.risk() == m.sum(m.minimum([cell.yes, cell.no]) for cell in cells_of(m, m.features))


@paper.claim("A-0i", "Sections 1.1 and 2", assume=[two_classes])
def information_bounds_the_risk(m: Model, S: frozenset[str]) -> Formula:
    r"""Monotonic functions of the mutual information bound the Bayes error of a binary class from both sides.

    From above (H(Y) - I(X_S; Y)) / (2 log 2), from below the inverse of the entropy of a coin at H(Y) - I(X_S; Y).

    $$h^{-1}(H(Y) - I(X_J; Y)) \le \mathrm{er}_{D_J}^{0\text{-}1,*} \le \frac{H(Y) - I(X_J; Y)}{2 \log 2}$$
    Monotonic for a given prior. By the mutual information alone, whatever the prior, there is no lower bound but 0.
    Tight only in certain settings: from above if every posterior is 0, 1/2 or 1, from below if all states err alike.
    """
    left, risk = m.conditional_entropy(S), m.risk(S)
    coin = m.sum(-p * terms.log_or_zero(m, p) for p in (risk, 1 - risk))
    return (risk * 2 * m.log(2) <= left) & (left <= coin)


@paper.claim("A-1", "Example 1", assume=[is_example_1])
def example_1(m: Model) -> Formula | bool:
    r"""In Example 1 P(X1=1) = 0.19, P(X2=1) = 0.55, and the Bayes errors of X1 and X2 are 0.25 and 0.30.

    Rounded to two digits, eta is 0.22 and 0.63 at X1 = 0 and 1, and 0.07 and 0.49 at X2 = 0 and 1.

    $$P(X_1 = 1) = 0.19,\ P(X_2 = 1) = 0.55,\ \eta_{\{1\}} = (0.22, 0.63),\ \eta_{\{2\}} = (0.07, 0.49),\ \mathrm{er} =
    0.25, 0.30$$
    The probabilities and the errors are exact; eta is 2/9, 12/19, 1/15 and 27/55.
    """
    if m.shape != _SQUARE:
        return True
    first, second = (cells_of(m, frozenset({name})) for name in m.order)
    percents = [*zip((*first, *second), (22, 63, 7, 49), strict=True)]
    return m.all(
        [
            first[1].mass == Fraction(19, 100),
            second[1].mass == Fraction(55, 100),
            m.risk(m.order[0]) == Fraction(25, 100),
            m.risk(m.order[1]) == Fraction(30, 100),
            *(abs(cell.yes - cell.mass * percent / 100) <= cell.mass * _HALF_CENT for cell, percent in percents),
        ]
    )


@paper.claim("A-1u", "Example 1", assume=[is_example_1], corrects="A-1n", printed=True)
def example_1_in_bits(m: Model) -> Formula | bool:
    r"""In Example 1 I(X1; Y) = 0.08 and I(X2; Y) = 0.17, rounded, in bits.

    $$I(X_1; Y) = 0.08,\ I(X_2; Y) = 0.17 \text{ in bits}$$
    The unit is not said in the paper.
    """
    return m.shape != _SQUARE or _rounds_to(m, m.log(2))


@paper.claim("A-1n", "Example 1", assume=[is_example_1])
def example_1_in_nats(m: Model) -> Formula | bool:
    r"""In Example 1 I(X1; Y) = 0.08 and I(X2; Y) = 0.17, rounded, in nats, the unit of the logarithm of Example 5.

    $$I(X_1; Y) = 0.08,\ I(X_2; Y) = 0.17 \text{ in nats}$$
    Example 5 has the natural logarithm. With it the criterion C^MI of the two examples has two units.
    """
    return m.shape != _SQUARE or _rounds_to(m, m.sum([1]))


@paper.claim("A-1m", "Example 1", assume=[is_example_1])
def example_1_choices(m: Model) -> Formula | bool:
    r"""In Example 1 the mutual information selects X2 alone, though the Bayes error of X1 is smaller.

    $$I(X_1; Y) < I(X_2; Y),\ \mathrm{er}_{D_{\{1\}}}^{0\text{-}1,*} < \mathrm{er}_{D_{\{2\}}}^{0\text{-}1,*}$$
    """
    if m.shape != _SQUARE:
        return True
    first, second = m.order
    return (m.mutual_information(first) < m.mutual_information(second)) & (m.risk(first) < m.risk(second))


@paper.claim("A-1g", "Section 1.1, Example 1", printed=False)
def information_selects_the_best(m: Model, i: str) -> Formula:
    r"""A feature that has more mutual information with the class than any other has the smallest Bayes error.

    $$I(X_i; Y) > I(X_j; Y) \text{ for all } j \ne i \Rightarrow R(X_i) \le R(X_j)$$
    The paper says that it is false, and is right. This is the smallest counterexample; Example 1 is one.
    """
    rivals = sorted(m.features - {i})
    best = m.all(m.mutual_information(j) < m.mutual_information(i) for j in rivals)
    return m.implies(best, m.all(m.risk(i) <= m.risk(j) for j in rivals))


# Losses


@paper.claim("A-2", "Example 2", assume=[two_classes])
def zero_one_criterion(m: Model, S: frozenset[str]) -> Formula:
    r"""The least 0-1 error of all classifiers over a subset is E min(eta, 1 - eta).

    $$\inf_h \mathrm{er}^{0\text{-}1}[h] = E[\min(\eta_J(X_J), 1 - \eta_J(X_J))]$$
    """
    cells = cells_of(m, S)
    wrong = (
        m.sum(cell.no if predicted else cell.yes for cell, predicted in zip(cells, predictions, strict=True))
        for predictions in choices(cells)
    )
    closed = m.sum(m.minimum([cell.yes, cell.no]) for cell in cells)
    return m.equal(m.minimum(wrong), closed, m.risk(S))


@paper.claim("A-YHe", "after Example 2", corrects="A-YHl")
def yang_hu_forms(m: Model, S: frozenset[str]) -> Formula:
    r"""E[(1 - Y) eta + Y (1 - eta)] = E[2 eta (1 - eta)] if Y is 0 or 1.

    $$E[(1 - Y) \eta_J + Y (1 - \eta_J)] = E[2 \eta_J (1 - \eta_J)],\ Y \in \{0, 1\}$$
    """
    return _yang_hu(m, S, no=Fraction(0), yes=Fraction(1)) == measures.gini(m, S)


@paper.claim("A-YHl", "after Example 2")
def yang_hu_forms_with_signs(m: Model, S: frozenset[str]) -> Formula:
    r"""E[(1 - Y) eta + Y (1 - eta)] = E[2 eta (1 - eta)] if Y is -1 or 1, as everywhere else in the paper.

    $$E[(1 - Y) \eta_J + Y (1 - \eta_J)] = E[2 \eta_J (1 - \eta_J)],\ Y \in \{-1, 1\}$$
    Everywhere in the paper the labels are -1 and 1; this line is quoted from a paper where they are 0 and 1, and is
    right only with these.
    """
    return _yang_hu(m, S, no=Fraction(-1), yes=Fraction(1)) == measures.gini(m, S)


@paper.claim("A-YH", "after Example 2", printed=False)
def yang_hu_selects_the_best(m: Model, i: str) -> Formula:
    r"""A feature with a smaller E[2 eta (1 - eta)] than any other has the smallest Bayes error.

    $$E[\eta_i (1 - \eta_i)] < E[\eta_j (1 - \eta_j)] \text{ for all } j \ne i \Rightarrow R(X_i) \le R(X_j)$$
    The paper says that the variant is not necessarily optimal, and is right.
    """
    rivals = [frozenset({j}) for j in sorted(m.features - {i})]
    best = m.all(measures.gini(m, frozenset({i})) < measures.gini(m, other) for other in rivals)
    return m.implies(best, m.all(m.risk(i) <= m.risk(other) for other in rivals))


@paper.claim("A-3", "Example 3")
def cost_criterion(m: Model, S: frozenset[str]) -> Formula:
    r"""The least cost-sensitive error of all classifiers over a subset is E min((1 - c) eta, c (1 - eta)).

    $$\inf_h \mathrm{er}^{c}[h] = E[\min((1 - c) \eta_J, c (1 - \eta_J))]$$
    Proved for c = 1/4, 2/7 and 3/5.
    """
    cells = cells_of(m, S)
    return m.all(
        m.minimum(measures.cost_loss(m, cells, predictions, cost) for predictions in choices(cells))
        == measures.cost_closed(m, S, cost)
        for cost in COSTS
    )


@paper.claim("A-4", "Example 4", assume=[both_classes])
def balanced_criterion(m: Model, S: frozenset[str]) -> Formula:
    r"""The least balanced error of all classifiers over a subset is E min(eta / p, (1 - eta) / (1 - p)).

    $$\inf_h \mathrm{er}^{\mathrm{bal}}[h] = E[\min(\eta_J / p, (1 - \eta_J) / (1 - p))]$$
    """
    cells = cells_of(m, S)
    least = m.minimum(measures.balanced_loss(m, cells, predictions) for predictions in choices(cells))
    p, q = measures.positives(m), measures.negatives(m)
    closed = m.sum(cell.mass * m.minimum([cell.eta / p, (1 - cell.eta) / q]) for cell in cells)
    return m.equal(least, closed, measures.balanced_closed(m, S))


@paper.claim("A-4r", "Example 4", assume=[both_classes], printed=False)
def balanced_is_a_sum_of_rates(m: Model, S: frozenset[str]) -> Formula:
    r"""The balanced loss as printed is the sum of both error rates, not their mean: without features it is 1.

    $$\mathrm{er}^{\mathrm{bal}}[h] = P(h = 1 | Y = -1) + P(h = -1 | Y = 1)$$
    The balanced error is often the mean of both rates; with the weights as printed it is their sum, and 1 without
    features.
    """
    cells = cells_of(m, S)
    p, q = measures.positives(m), measures.negatives(m)

    def rates(predictions: Sequence[bool]) -> Term:
        missed = m.sum(cell.yes / p for cell, predicted in zip(cells, predictions, strict=True) if not predicted)
        return missed + m.sum(cell.no / q for cell, predicted in zip(cells, predictions, strict=True) if predicted)

    same = m.all(measures.balanced_loss(m, cells, predictions) == rates(predictions) for predictions in choices(cells))
    return same & (measures.balanced_closed(m, frozenset()) == 1)


@paper.claim("A-L", "Sections 3.2 and 5")
def losses_state_by_state(m: Model, S: frozenset[str]) -> Formula:
    r"""The least expected loss of all predictors is E inf E[loss | X]: the best prediction in each state by itself.

    For the 0-1 loss with a third prediction, to abstain, which costs 1/4.

    $$\mathrm{er}_D^{\ell,*} = E_X[\inf_{\hat y} E_{Y|X}[\ell(Y, \hat y)]]$$
    Proved for one loss with three predictions. It is so with more classes; not so of the F-measure and the AUC.
    """
    cells = cells_of(m, S)
    charged = [(cell.yes, cell.no, cell.mass * FEE) for cell in cells]
    every = (m.sum(chosen) for chosen in itertools.product(*charged))
    return m.minimum(every) == m.sum(m.minimum(options) for options in charged)


@paper.claim("A-5", "Example 5", assume=[two_classes])
def logarithmic_criterion(m: Model, S: frozenset[str]) -> Formula:
    r"""E[eta ln eta + (1 - eta) ln (1 - eta)] = -H(Y|X_S) = I(X_S; Y) - H(Y), in nats.

    $$-E[-\eta_J \ln \eta_J - (1 - \eta_J) \ln(1 - \eta_J)] = -H(Y|X_J) = I(X_J; Y) - H(Y)$$
    In nats on both sides.
    """
    cells = cells_of(m, S)
    closed = m.sum(
        cell.mass * m.sum(p * terms.log_or_zero(m, p) for p in (cell.eta, cell.no / cell.mass)) for cell in cells
    )
    information = terms.information(m, S, frozenset({CLASS}))
    return m.equal(closed, -m.conditional_entropy(S), information - m.entropy((), target=True))


paper.entry("A-5r", "Example 5")("The logarithmic loss of a prediction in [0, 1] is finite.")
paper.entry("A-5f", "Example 5", corrects="A-5r")(
    "It is infinite where 0 or 1 was predicted and the other is true; predictions in (0, 1) have the same infimum."
)


@paper.claim("A-5q", "Example 5")
def best_probability(m: Model, S: frozenset[str]) -> Formula:
    r"""In no state has a prediction other than eta a smaller expected logarithmic loss.

    $$-\eta \ln \eta - (1 - \eta) \ln(1 - \eta) \le -\eta \ln q - (1 - \eta) \ln(1 - q)$$
    Decided for q = 1/10, 1/4, 1/2 and 9/10.
    """

    def at_least(cell: Cell, q: Fraction) -> Formula:
        best = -m.sum(p * terms.log_or_zero(m, p / cell.mass) for p in (cell.yes, cell.no))
        return best <= -(cell.yes * m.log(q) + cell.no * m.log(1 - q))

    return m.all(at_least(cell, q) for cell in cells_of(m, S) for q in _GUESSES)


@paper.claim("A-6", "Example 6", r"\inf_h E[(h(X_J) - Y)^2] = E[\mathrm{Var}(Y | X_J)]")
def squared_criterion(m: Model, S: frozenset[str]) -> Formula:
    """In every state E (q - Y)^2 is the variance of Y and (q - E Y)^2; so E Var(Y | X_S) is the least squared error.

    Both sides are of degree 2 in q, so that three values of q are enough.
    """
    found = []
    for state, q in itertools.product(m.states(S), _NUMBERS):
        pairs = list(zip(m.classes, terms.values(m), strict=True))
        squared = m.sum(m.probability(state, y) * (value - q) ** 2 for y, value in pairs)
        mean = m.sum(m.probability(state, y) * value for y, value in pairs) / m.probability(state)
        found.append(squared == terms.error_within(m, state) + m.probability(state) * (mean - q) ** 2)
    return m.all(found)


@paper.claim("A-6l", "Example 6", assume=[regular])
def linear_given_all_is_linear_given_some(m: Model, S: frozenset[str]) -> Formula:
    r"""If E[Y|X] is linear in X, then E Var(Y | X_S) is the squared error of linear regression on S, for each S.

    $$E[Y|X = x] = \beta^\top x + b \Rightarrow E[\mathrm{Var}(Y|X_J)] = \sigma^2_{X_J \to Y}$$
    The paper says that this is exactly the criterion of forward regression, where the mean given all features is
    assumed linear. Given a subset it need not be linear then. (As printed it has no constant.)
    """
    linear = terms.squared_error(m, m.features) == linear_error(m, m.features, CLASS)
    return m.implies(linear, terms.squared_error(m, S) == linear_error(m, S, CLASS))


@paper.claim("A-6c", "Example 6", assume=[regular], corrects="A-6l")
def linear_given_some(m: Model, S: frozenset[str]) -> Formula:
    r"""E Var(Y | X_S) is the squared error of linear regression on S if E[Y | X_S] is linear in X_S, for this S.

    $$E[Y|X_J] = \beta_J^\top X_J + b_J \Leftrightarrow E[\mathrm{Var}(Y|X_J)] = \sigma^2_{X_J \to Y}$$
    """
    known = [name for name in m.order if name in S]

    def off(state: terms.State) -> Term:
        mean = m.sum(terms.posterior(m, state, y) * v for y, v in zip(m.classes, terms.values(m), strict=True))
        return mean - linear_prediction(m, known, state)

    linear = m.all((m.probability(state) == 0) | (off(state) == 0) for state in m.states(S))
    return m.iff(linear, terms.squared_error(m, S) == linear_error(m, S, CLASS))


def _rounds_to(m: Model, unit: Term) -> Formula:
    """Say that both mutual informations, in a unit, print as 0.08 and 0.17."""
    found = []
    for name, percent in zip(m.order, (8, 17), strict=True):
        information = m.mutual_information(name)
        low, high = (Fraction(percent, 100) + sign * _HALF_CENT for sign in (-1, 1))
        found.append((low * unit <= information) & (information < high * unit))
    return m.all(found)


def _yang_hu(m: Model, S: frozenset[str], *, no: Fraction, yes: Fraction) -> Term:
    """Return E[(1 - Y) eta + Y (1 - eta)] for a class with two numbers as labels."""
    pairs = ((cell, mass, y) for cell in cells_of(m, S) for mass, y in ((cell.no, no), (cell.yes, yes)))
    return m.sum(mass * ((1 - y) * cell.eta + y * (1 - cell.eta)) for cell, mass, y in pairs)
