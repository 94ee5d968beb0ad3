"""Ahmed et al. (2015), Examples 7 and 8: the F-measure and the AUC; and what they say of samples."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from fractions import Fraction

from fstheory.logic.expressions import Formula
from fstheory.logic.language import Model
from fstheory.papers import measures
from fstheory.papers.ahmed_2015 import AHMED_2015
from fstheory.papers.entry import Declarations
from fstheory.papers.measures import both_classes, cells_of, choices

__all__ = [
    "BETAS",
]
paper = Declarations(AHMED_2015)

BETAS = (Fraction(1, 2), Fraction(1), Fraction(2))


@paper.claim("A-7", "Example 7")
def best_f_by_thresholds(m: Model, S: frozenset[str]) -> Formula:
    r"""The largest F_beta of all classifiers is that of the classifiers sign(eta - t), t in [0, 1].

    $$\sup_h F_\beta[h] = \sup_{t \in [0, 1]} F_\beta[\mathrm{sign} \circ (\eta_J - t)]$$
    With F = 0 where the precision is undefined. Decided for beta = 1/2, 1 and 2. By the definition in Section 2 sign(0)
    is -1, so a state with eta = t is negative; with +1 the suprema are the same.
    """
    cells = cells_of(m, S)
    cuts = [measures.threshold(cells, at) for at in [m.sum([]), *(cell.eta for cell in cells)]]
    return m.all(
        measures.f_best(m, S, weight) == m.maximum(measures.f_value(m, cells, cut, weight) for cut in cuts)
        for weight in (1 / beta**2 for beta in BETAS)
    )


@paper.claim("A-7t", "Example 7", assume=[both_classes])
def best_f_only_by_thresholds(m: Model, S: frozenset[str]) -> Formula:
    r"""Every classifier with the largest F_1 thresholds eta: where it says positive, eta is larger than elsewhere.

    $$F_1[h] = \sup F_1 \Rightarrow h = \mathrm{sign} \circ (\eta_J - t) \text{ for some } t$$
    'The Bayes optimal classifier is obtained by thresholding' is true of one of them. Where two states share the best
    threshold, one may be called positive and the other negative.
    """
    cells = cells_of(m, S)
    best = measures.f_best(m, S, Fraction(1))

    def thresholds(predictions: Sequence[bool]) -> Formula:
        above = [cell for cell, predicted in zip(cells, predictions, strict=True) if predicted]
        below = [cell for cell, predicted in zip(cells, predictions, strict=True) if not predicted]
        return m.all(
            (one.mass == 0) | (two.mass == 0) | (two.yes * one.mass < one.yes * two.mass)
            for one in above
            for two in below
        )

    return m.all(
        m.implies(measures.f_value(m, cells, predictions, Fraction(1)) == best, thresholds(predictions))
        for predictions in choices(cells)
    )


@paper.claim("A-7s", "Example 7", assume=[both_classes], corrects="A-7t")
def best_threshold(m: Model, S: frozenset[str]) -> Formula:
    r"""The classifier that is positive where eta > F / (1 + 1/beta^2), F the largest F_beta, has this F_beta.

    $$F^* = \sup F_\beta,\ h = \mathrm{sign} \circ \Big(\eta_J - \frac{F^*}{1 + \beta^{-2}}\Big) \Rightarrow F_\beta[h]
    = F^*$$
    The optimal point, which the paper leaves open, for the measure as printed.
    """
    cells = cells_of(m, S)
    found = []
    for weight in (1 / beta**2 for beta in BETAS):
        best = measures.f_best(m, S, weight)
        cut = measures.threshold(cells, best / (1 + weight))
        found.append(measures.f_value(m, cells, cut, weight) == best)
    return m.all(found)


paper.entry("A-7x", "Examples 7 and 8")(r"""
Neither the F-measure nor the AUC of a fixed predictor is the expectation of a loss over data points.
$$\nexists\, \ell: F_\beta[h] = E[\ell(Y, h(X))] \text{ for all } D$$
""")
paper.entry("A-7y", "Examples 4, 7 and 8", corrects="A-7x")(r"""
For one distribution and all predictors neither is the expectation of a loss, even if that depends on the distribution.
$$\nexists\, \ell_D: F_\beta[h] = E[\ell_D(Y, h(X))] \text{ for all } h$$
The balanced error is, of a loss that depends on p; of one loss for all distributions it is no expectation either.
""")


@paper.claim("A-7b", "Example 7")
def f_as_usual(m: Model, S: frozenset[str]) -> Formula:
    r"""The F_beta as printed, (1 + beta^2) / (beta^2/Prec + 1/Rec), is the usual F_beta of every classifier.

    $$\frac{1 + \beta^2}{\beta^2/\mathrm{Prec} + 1/\mathrm{Rec}} = \frac{1 + \beta^2}{1/\mathrm{Prec} +
    \beta^2/\mathrm{Rec}}$$
    For beta = 1 there is no difference, and the experiments of the paper show F_1.
    """
    return _f_printed_is(m, S, [(beta, beta) for beta in BETAS])


@paper.claim("A-7c", "Example 7", corrects="A-7b")
def f_with_the_other_weight(m: Model, S: frozenset[str]) -> Formula:
    r"""The F_beta as printed is the usual F_(1/beta) of every classifier: a large beta favors precision.

    $$\frac{1 + \beta^2}{\beta^2/\mathrm{Prec} + 1/\mathrm{Rec}} = F^{\mathrm{usual}}_{1/\beta}$$
    """
    return _f_printed_is(m, S, [(beta, 1 / beta) for beta in BETAS])


@paper.claim("A-8", "Example 8", assume=[both_classes])
def best_auc(m: Model, S: frozenset[str]) -> Formula:
    r"""The largest AUC of all scoring functions is 1 - E min(alpha(X, X'), alpha(X', X)) / (2 p (1 - p)).

    $$\sup_f \mathrm{AUC}[f] = 1 - \frac{E[\min(\alpha_J(X, X'), \alpha_J(X', X))]}{2 p (1 - p)}$$
    """
    cells = cells_of(m, S)
    return m.maximum(measures.auc(m, cells, scores) for scores in measures.rankings(cells)) == measures.auc_closed(m, S)


# Samples

paper.entry("A-9", "Section 3.2")(r"""
Where each configuration of the chosen features appears once in the sample, the estimated class probability at the
sample points is 0, 1 or 1/2.
$$\#\{i: x^i_J = z\} \le 1 \Rightarrow \hat\eta_J(x^i_J) \in \{0, 1, \tfrac12\}$$
""")

paper.entry("A-9s", "Section 3.2", corrects="A-9")(r"""
It is 0 or 1, the label of the point, never 1/2; so the estimated error is 0, for every such set of features.
$$\#\{i: x^i_J = z\} \le 1 \Rightarrow \hat\eta_J(x^i_J) = 1(y^i = 1),\ \widehat{\mathrm{er}}_J = 0$$
1/2 stands for configurations that do not appear, and no sample point has one. That there are many ties, as the paper
says, is all the more true.
""")


def _f_printed_is(m: Model, S: frozenset[str], pairs: Sequence[tuple[Fraction, Fraction]]) -> Formula:
    """Say that the printed F_beta of every classifier is the usual F_gamma, for some pairs of numbers."""
    cells = cells_of(m, S)
    found = []
    for (beta, gamma), predictions in itertools.product(pairs, choices(cells)):
        hits = m.sum(cell.yes for cell, predicted in zip(cells, predictions, strict=True) if predicted)
        called = m.sum(cell.mass for cell, predicted in zip(cells, predictions, strict=True) if predicted)
        printed = hits * (1 + beta**2) / (called * beta**2 + measures.positives(m))
        usual = hits * (1 + gamma**2) / (called + measures.positives(m) * gamma**2)
        found.append(printed == usual)
    return m.all(found)
