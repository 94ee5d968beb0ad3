"""Ahmed et al. (2015): the best value of a performance measure as a criterion for feature subsets.

Examples 1 to 8 stand here, greedy selection in a file of its own.
"""

from __future__ import annotations

from collections.abc import Mapping

from fstheory.ledger import ahmed_claims as said
from fstheory.ledger import ahmed_measure_claims as said_of_rankings
from fstheory.ledger.ahmed_2015_greedy import GREEDY
from fstheory.ledger.entry import AHMED_2015 as PAPER
from fstheory.ledger.entry import (
    Entry,
    Evidence,
    argued,
    exhausted,
    proved,
    realized,
    refuted,
    refuted_by_example,
    surveyed,
)

__all__ = ["ENTRIES"]

_PROOF = argued("criteria")
_SURVEYED = surveyed(
    "every table of up to 4 states and two classes with small weights, against all predictors",
    "tests.criteria.examples",
    102_334,
)
_BINARY = ((2,), 2), ((2, 2), 2)
_SMALL = 6_544  # distributions of the family with at most 4 states


def _true(key: str, count: int, *more: Evidence) -> tuple[Evidence, ...]:
    return (*more, exhausted(key, count))


def _only_for_two(key: str, people: str = "two people of two classes, and a third class") -> Mapping[str, Evidence]:
    """Return that a statement on a binary class is false of three classes."""
    return {"two_classes": refuted(key, people, classes=3, without="two_classes")}


_BY_CONVENTION = {
    "both_classes": argued("criteria", "without it a denominator is 0; where 0/0 counts as 0 it holds all the same")
}

_EXAMPLE_1 = (
    Entry.of(
        said.bayes_error_by_eta,
        PAPER,
        "Section 2",
        r"\mathrm{er}_D^{0\text{-}1,*} = E_X[\min(\eta(X), 1 - \eta(X))]",
        evidence=(*proved("A-0", *_BINARY), _PROOF),
        needs=_only_for_two("A-0"),
    ),
    Entry.of(
        said.information_bounds_the_risk,
        PAPER,
        "Section 2",
        r"h^{-1}(H(Y) - I(X_J; Y)) \le \mathrm{er}_{D_J}^{0\text{-}1,*} \le \frac{H(Y) - I(X_J; Y)}{2 \log 2}",
        evidence=_true("A-0i", 6_667, argued("information-bounds", "Fano; Hellman and Raviv")),
        needs=_only_for_two("A-0i", "three people, one of each class"),
        remark="Monotonic for a given prior. By the mutual information alone, whatever the prior, there is no lower "
        "bound but 0.",
    ),
    Entry.of(
        said.example_1,
        PAPER,
        "Example 1",
        r"P(X_1 = 1) = 0.19,\ P(X_2 = 1) = 0.55,\ \eta_{\{1\}} = (0.22, 0.63),\ \eta_{\{2\}} = (0.07, 0.49),\ "
        r"\mathrm{er} = 0.25, 0.30",
        evidence=(realized("A-1", "the distribution of the example"), *proved("A-1", ((2, 2), 2))),
        remark="The probabilities and the errors are exact; eta is 2/9, 12/19, 1/15 and 27/55.",
    ),
    Entry.of(
        said.example_1_in_bits,
        PAPER,
        "Example 1",
        r"I(X_1; Y) = 0.08,\ I(X_2; Y) = 0.17 \text{ in bits}",
        evidence=(realized("A-1u", "the distribution of the example"),),
        corrects="A-1n",
        printed=True,
        remark="The unit is not said in the paper.",
    ),
    Entry.of(
        said.example_1_in_nats,
        PAPER,
        "Example 1",
        r"I(X_1; Y) = 0.08,\ I(X_2; Y) = 0.17 \text{ in nats}",
        evidence=(refuted_by_example("A-1n", "the distribution of the example: 0.06 and 0.12"),),
        remark="Example 5 has the natural logarithm. With it the criterion C^MI of the two examples has two units.",
    ),
    Entry.of(
        said.example_1_choices,
        PAPER,
        "Example 1",
        r"I(X_1; Y) < I(X_2; Y),\ \mathrm{er}_{D_{\{1\}}}^{0\text{-}1,*} < \mathrm{er}_{D_{\{2\}}}^{0\text{-}1,*}",
        evidence=(realized("A-1m", "the distribution of the example"),),
    ),
    Entry.of(
        said.information_selects_the_best,
        PAPER,
        "Section 1.1, Example 1",
        r"I(X_i; Y) > I(X_j; Y) \text{ for all } j \ne i \Rightarrow R(X_i) \le R(X_j)",
        evidence=(refuted("A-1g", "eight people, two binary features", (2, 2)),),
        printed=False,
        remark="The paper says that it is false, and is right. This is the smallest counterexample; Example 1 is one.",
    ),
)

_LOSSES = (
    Entry.of(
        said.zero_one_criterion,
        PAPER,
        "Example 2",
        r"\inf_h \mathrm{er}^{0\text{-}1}[h] = E[\min(\eta_J(X_J), 1 - \eta_J(X_J))]",
        evidence=(*proved("A-2", *_BINARY), _PROOF, _SURVEYED),
        needs=_only_for_two("A-2"),
    ),
    Entry.of(
        said.yang_hu_forms,
        PAPER,
        "after Example 2",
        r"E[(1 - Y) \eta_J + Y (1 - \eta_J)] = E[2 \eta_J (1 - \eta_J)],\ Y \in \{0, 1\}",
        evidence=_true("A-YHe", 9_197, _PROOF, _SURVEYED),
        corrects="A-YHl",
    ),
    Entry.of(
        said.yang_hu_forms_with_signs,
        PAPER,
        "after Example 2",
        r"E[(1 - Y) \eta_J + Y (1 - \eta_J)] = E[2 \eta_J (1 - \eta_J)],\ Y \in \{-1, 1\}",
        evidence=(refuted("A-YHl", "one person of the negative class"),),
        remark="Everywhere in the paper the labels are -1 and 1; this line is quoted from a paper where they are 0 and "
        "1, and is right only with these.",
    ),
    Entry.of(
        said.yang_hu_selects_the_best,
        PAPER,
        "after Example 2",
        r"E[\eta_i (1 - \eta_i)] < E[\eta_j (1 - \eta_j)] \text{ for all } j \ne i \Rightarrow R(X_i) \le R(X_j)",
        evidence=(refuted("A-YH", "ten people, two binary features", (2, 2)),),
        printed=False,
        remark="The paper says that the variant is not necessarily optimal, and is right.",
    ),
    Entry.of(
        said.cost_criterion,
        PAPER,
        "Example 3",
        r"\inf_h \mathrm{er}^{c}[h] = E[\min((1 - c) \eta_J, c (1 - \eta_J))]",
        evidence=_true("A-3", _SMALL, *proved("A-3", *_BINARY), _PROOF, _SURVEYED),
        remark="Proved for c = 1/4, 2/7 and 3/5.",
    ),
    Entry.of(
        said.balanced_criterion,
        PAPER,
        "Example 4",
        r"\inf_h \mathrm{er}^{\mathrm{bal}}[h] = E[\min(\eta_J / p, (1 - \eta_J) / (1 - p))]",
        evidence=_true("A-4", 5_399, _PROOF, _SURVEYED),
        needs=_BY_CONVENTION,
    ),
    Entry.of(
        said.balanced_is_a_sum_of_rates,
        PAPER,
        "Example 4",
        r"\mathrm{er}^{\mathrm{bal}}[h] = P(h = 1 | Y = -1) + P(h = -1 | Y = 1)",
        evidence=_true("A-4r", 5_399, _PROOF),
        needs=_BY_CONVENTION,
        printed=False,
        remark="The balanced error is often the mean of both rates; with the weights as printed it is "
        "their sum, and 1 without features.",
    ),
    Entry.of(
        said.losses_state_by_state,
        PAPER,
        "Section 3.2",
        r"\mathrm{er}_D^{\ell,*} = E_X[\inf_{\hat y} E_{Y|X}[\ell(Y, \hat y)]]",
        evidence=_true("A-L", _SMALL, *proved("A-L", *_BINARY), _PROOF),
        remark="Proved for one loss with three predictions.",
    ),
    Entry.of(
        said.logarithmic_criterion,
        PAPER,
        "Example 5",
        r"-E[-\eta_J \ln \eta_J - (1 - \eta_J) \ln(1 - \eta_J)] = -H(Y|X_J) = I(X_J; Y) - H(Y)",
        evidence=_true("A-5", 1_345, _PROOF, _SURVEYED),
        needs=_only_for_two("A-5"),
        remark="In nats on both sides.",
    ),
    Entry.of(
        said.best_probability,
        PAPER,
        "Example 5",
        r"-\eta \ln \eta - (1 - \eta) \ln(1 - \eta) \le -\eta \ln q - (1 - \eta) \ln(1 - q)",
        evidence=_true("A-5q", 9_197, argued("criteria", "Gibbs' inequality")),
        remark="Decided for q = 1/10, 1/4, 1/2 and 9/10.",
    ),
    Entry.of(
        said.squared_criterion,
        PAPER,
        "Example 6",
        r"\inf_h E[(h(X_J) - Y)^2] = E[\mathrm{Var}(Y | X_J)]",
        evidence=_true("A-6", 9_197, _PROOF, _SURVEYED),
    ),
    Entry.of(
        said.linear_given_all_is_linear_given_some,
        PAPER,
        "Example 6",
        r"E[Y|X = x] = \beta^\top x + b \Rightarrow E[\mathrm{Var}(Y|X_J)] = \sigma^2_{X_J \to Y}",
        evidence=(refuted("A-6l", "three people: Y = 3 - 2 X1 - X2 is a function of X2, but not linear", (2, 3)),),
        remark="The paper says that this is exactly the criterion of forward regression, where the mean given all "
        "features is assumed linear. Given a subset it need not be linear then. (As printed it has no constant.)",
    ),
    Entry.of(
        said.linear_given_some,
        PAPER,
        "Example 6",
        r"E[Y|X_J] = \beta_J^\top X_J + b_J \Leftrightarrow E[\mathrm{Var}(Y|X_J)] = \sigma^2_{X_J \to Y}",
        evidence=_true("A-6c", 5_639, argued("criteria", "Pythagoras: the difference is E (E[Y|X_J] - prediction)^2")),
        needs={"regular": argued("criteria", "it makes the regression on J a closed form; nothing else needs it")},
        corrects="A-6l",
    ),
)

_RANKINGS = (
    Entry.of(
        said_of_rankings.best_f_by_thresholds,
        PAPER,
        "Example 7",
        r"\sup_h F_\beta[h] = \sup_{t \in [0, 1]} F_\beta[\mathrm{sign} \circ (\eta_J - t)]",
        evidence=_true("A-7", _SMALL, _PROOF, _SURVEYED),
        remark="With F = 0 where the precision is undefined. Decided for beta = 1/2, 1 and 2. By the definition in "
        "Section 2 sign(0) is -1, so a state with eta = t is negative; with +1 the suprema are the same.",
    ),
    Entry.of(
        said_of_rankings.best_f_only_by_thresholds,
        PAPER,
        "Example 7",
        r"F_1[h] = \sup F_1 \Rightarrow h = \mathrm{sign} \circ (\eta_J - t) \text{ for some } t",
        evidence=(refuted("A-7t", "eight people, a feature with three states", (3,)),),
        remark="'The Bayes optimal classifier is obtained by thresholding' is true of one of them. Where two states "
        "share the best threshold, one may be called positive and the other negative.",
    ),
    Entry.of(
        said_of_rankings.best_threshold,
        PAPER,
        "Example 7",
        r"F^* = \sup F_\beta,\ h = \mathrm{sign} \circ \Big(\eta_J - \frac{F^*}{1 + \beta^{-2}}\Big)"
        r" \Rightarrow F_\beta[h] = F^*",
        evidence=_true("A-7s", 5_399, _PROOF, _SURVEYED),
        needs={"both_classes": argued("criteria", "without positives F is undefined, or 0 throughout")},
        corrects="A-7t",
        remark="The optimal point, which the paper leaves open, for the measure as printed.",
    ),
    Entry(
        "A-7x",
        PAPER,
        "Examples 7 and 8",
        "Neither the F-measure nor the AUC of a fixed predictor is the expectation of a loss over data points.",
        r"\nexists\, \ell: F_\beta[h] = E[\ell(Y, h(X))] \text{ for all } D",
        evidence=(argued("criteria", "an expectation is affine in D, and neither of these is"),),
    ),
    Entry.of(
        said_of_rankings.f_as_usual,
        PAPER,
        "Example 7",
        r"\frac{1 + \beta^2}{\beta^2/\mathrm{Prec} + 1/\mathrm{Rec}}"
        r" = \frac{1 + \beta^2}{1/\mathrm{Prec} + \beta^2/\mathrm{Rec}}",
        evidence=(refuted("A-7b", "two people of both classes, beta = 1/2"),),
        remark="For beta = 1 there is no difference, and the experiments of the paper show F_1.",
    ),
    Entry.of(
        said_of_rankings.f_with_the_other_weight,
        PAPER,
        "Example 7",
        r"\frac{1 + \beta^2}{\beta^2/\mathrm{Prec} + 1/\mathrm{Rec}} = F^{\mathrm{usual}}_{1/\beta}",
        evidence=_true("A-7c", _SMALL, _PROOF, _SURVEYED),
        corrects="A-7b",
    ),
    Entry.of(
        said_of_rankings.best_auc,
        PAPER,
        "Example 8",
        r"\sup_f \mathrm{AUC}[f] = 1 - \frac{E[\min(\alpha_J(X, X'), \alpha_J(X', X))]}{2 p (1 - p)}",
        evidence=_true("A-8", 5_399, _PROOF, _SURVEYED),
        needs={"both_classes": refuted("A-8", "one person", without="both_classes")},
    ),
)

_SAMPLES = (
    Entry(
        "A-9",
        PAPER,
        "Section 3.2",
        "Where each configuration of the chosen features appears once in the sample, the estimated class probability "
        "at the sample points is 0, 1 or 1/2.",
        r"\#\{i: x^i_J = z\} \le 1 \Rightarrow \hat\eta_J(x^i_J) \in \{0, 1, \tfrac12\}",
        evidence=(argued("criteria"),),
    ),
    Entry(
        "A-9s",
        PAPER,
        "Section 3.2",
        "It is 0 or 1, the label of the point, never 1/2; so the estimated error is 0, for every such set of features.",
        r"\#\{i: x^i_J = z\} \le 1 \Rightarrow \hat\eta_J(x^i_J) = 1(y^i = 1),\ \widehat{\mathrm{er}}_J = 0",
        evidence=(argued("criteria"),),
        corrects="A-9",
        remark="1/2 stands for configurations that do not appear, and no sample point has one. That there are many "
        "ties, as the paper says, is all the more true.",
    ),
)

ENTRIES: tuple[Entry, ...] = (*_EXAMPLE_1, *_LOSSES, *_RANKINGS, *_SAMPLES, *GREEDY)
"""The statements of the paper in their order."""
