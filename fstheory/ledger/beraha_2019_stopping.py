"""Beraha et al. (2019), Section IV: backward elimination and forward selection, and when to stop."""

from __future__ import annotations

from fstheory.ledger import beraha_stopping_claims as said
from fstheory.ledger.entry import BERAHA_2019 as PAPER
from fstheory.ledger.entry import Entry, Evidence, argued, exhausted, refuted, surveyed

__all__ = ["STOPPING"]

_PROOF = argued("information-bounds")
_SURVEYED = surveyed(
    "2 binary features with up to 12 people, and 10,000 random distributions of other shapes, 6 thresholds each",
    "tests.bounds.check_claims",
    132_465,
)
_RUN = surveyed("2 binary features with up to 12 people, 8 thresholds in turn", "tests.selection.check_claims", 122_465)
_ALL = 9_197  # distributions of the family


def _true(key: str, *more: Evidence) -> tuple[Evidence, ...]:
    return (*more, exhausted(key, _ALL))


STOPPING: tuple[Entry, ...] = (
    Entry.of(
        said.backward_classification,
        PAPER,
        "Section IV, backward",
        r"\sum_{h=1}^{T-1} I_h < \tfrac12 \delta^2 \le \sum_{h=1}^{T} I_h"
        r" \Rightarrow R(\bar A_T) \le \epsilon + \delta",
        evidence=_true("B-4", _PROOF, _SURVEYED, _RUN),
        remark="'Achieves an error of' means: of at most. A_T holds the features removed prior to step T, so i_T "
        "stays, and that is what the proof needs. That the scores are the least plays no part.",
    ),
    Entry.of(
        said.backward_regression,
        PAPER,
        "Section IV, backward",
        r"\sum_{h=1}^{T-1} I_h < \tfrac{\delta}{2 B^2} \le \sum_{h=1}^{T} I_h"
        r" \Rightarrow \mathrm{MSE}(\bar A_T) \le \sigma^2 + \delta",
        evidence=_true("B-4r", _PROOF, _SURVEYED),
    ),
    Entry.of(
        said.any_removal_with_the_sharper_thresholds,
        PAPER,
        "Section IV, backward",
        r"\nu(A) \le 2 \delta^2 \Rightarrow R(\bar A) \le \epsilon + \delta,\quad"
        r" \nu(A) \le 2 \delta / W^2 \Rightarrow \mathrm{MSE}(\bar A) \le \sigma^2 + \delta",
        evidence=_true("B-4s", _PROOF, _SURVEYED, _RUN),
        corrects="B-4",
        remark="For classification four times as much information may go as the printed rule allows.",
    ),
    Entry.of(
        said.zero_threshold_removes,
        PAPER,
        "Section IV, backward",
        r"\delta = 0,\ I_1 = 0 \Rightarrow i_1 \text{ is removed}",
        evidence=(refuted("B-4z", "one person: the sum 0 is at least the threshold 0, so nothing is removed"),),
        remark="The text says that delta = 0 corresponds to removing features as long as the scores are 0. As printed "
        "the rule stops at the first step, always. Section VI words it otherwise: stop when the bound is greater.",
    ),
    Entry.of(
        said.zero_score_costs_nothing,
        PAPER,
        "Section IV, backward",
        r"\nu(A) = 0 \Rightarrow R(\bar A) = \epsilon,\ \mathrm{MSE}(\bar A) = \sigma^2",
        evidence=_true("B-4zc", _PROOF),
        corrects="B-4z",
        remark="The rule must be: stop when the sum is larger than the threshold. All guarantees hold with it.",
    ),
    Entry.of(
        said.forward_error_introduced,
        PAPER,
        "Section IV, forward",
        r"R(A_{T+1}) \le \epsilon + \delta",
        evidence=(refuted("B-5d", "three people: the first feature reaches the threshold", (2, 2)),),
        remark="Delta is introduced as 'the maximum error that the filter is allowed to introduce'. Forwards it is "
        "not: a larger delta asks for more features, and promises less error. (Equation 17 says 'given the remaining "
        "features' where it conditions on those selected.)",
    ),
    Entry.of(
        said.forward_regression,
        PAPER,
        "Section IV, forward",
        r"\mathrm{MSE}(A_T) \le \sigma^2 - \delta + 2 B^2 I(Y; X)",
        evidence=(refuted("B-5r", "two people, Y = 1 - X1: A_T is empty"),),
        remark="A_T holds the features selected prior to step T and lacks the one that reaches the threshold.",
    ),
    Entry.of(
        said.forward_regression_with_the_last,
        PAPER,
        "Section IV, forward",
        r"I(Y; X_{A_{T+1}}) \ge \tfrac{\delta}{2 B^2} \Rightarrow"
        r" \mathrm{MSE}(A_{T+1}) \le \sigma^2 - \delta + 2 B^2 I(Y; X)",
        evidence=_true("B-5ri", _PROOF, _SURVEYED),
        corrects="B-5r",
    ),
    Entry.of(
        said.forward_regression_not_reached,
        PAPER,
        "Section IV, forward",
        r"2 B^2 I(Y; X) < \delta \Rightarrow \mathrm{MSE}(X) \le \sigma^2 - \delta + 2 B^2 I(Y; X)",
        evidence=(refuted("B-5rn", "one person; but it is false for every distribution"),),
        remark="If the sum never reaches the threshold, the promise is below what is possible.",
    ),
    Entry.of(
        said.forward_classification,
        PAPER,
        "Section IV, forward",
        r"R(A_T) \le \epsilon - \delta + \sqrt{2 I(Y; X)}",
        evidence=(refuted("B-5", "two people, Y = 1 - X1, delta = 1: A_T is empty"),),
        remark="As for regression, A_T lacks the feature that reaches the threshold.",
    ),
    Entry.of(
        said.forward_classification_with_the_last,
        PAPER,
        "Section IV, forward",
        r"I(Y; X_{A_{T+1}}) \ge \tfrac12 \delta^2 \Rightarrow R(A_{T+1}) \le \epsilon - \delta + \sqrt{2 I(Y; X)}",
        evidence=(
            refuted("B-5i", "seven people, two binary features, delta = 0.42", (2, 2)),
            refuted("B-5i", "five people with three classes, delta = 1", (2, 2), 3, name="-3-classes"),
        ),
        remark="The proof is 'analogous' to regression, but sqrt(2 I - delta^2) is not sqrt(2 I) - delta. Seven people "
        "are the fewest for two binary features and a binary class, whatever delta is.",
    ),
    Entry.of(
        said.forward_classification_corrected,
        PAPER,
        "Section IV, forward",
        r"I(Y; X_{A_{T+1}}) \ge \tfrac12 \delta^2 \Rightarrow R(A_{T+1}) \le \epsilon + \sqrt{2 I(Y; X) - \delta^2}",
        evidence=_true("B-5c", _PROOF, _SURVEYED),
        corrects="B-5i",
    ),
    Entry.of(
        said.forward_classification_sharper,
        PAPER,
        "Section IV, forward",
        r"I(Y; X_{A_{T+1}}) \ge \tfrac12 \delta^2 \Rightarrow"
        r" R(A_{T+1}) \le \epsilon + \sqrt{\tfrac12 I(Y; X) - \tfrac14 \delta^2}",
        evidence=_true("B-5s", _PROOF, _SURVEYED),
        corrects="B-5c",
    ),
    Entry.of(
        said.forward_classification_not_reached,
        PAPER,
        "Section IV, forward",
        r"\sqrt{2 I(Y; X)} < \delta \Rightarrow R(X) \le \epsilon - \delta + \sqrt{2 I(Y; X)}",
        evidence=(refuted("B-5n", "one person; but it is false for every distribution"),),
        remark="If the sum never reaches the threshold, the promise is below what is possible.",
    ),
    Entry.of(
        said.selected_information,
        PAPER,
        "Section IV, forward, proof",
        r"I(Y; X_{A_T}) = \sum_{t=1}^{T} I_t",
        evidence=(refuted("B-5t", "two people, Y = 1 - X1, T = 1: A_1 is empty"),),
        remark="The step from the recursion to the sum: that of A_T ends at T - 1, as in equation 16.",
    ),
    Entry.of(
        said.selected_information_with_the_last,
        PAPER,
        "Section IV, forward, proof",
        r"I(Y; X_{A_{T+1}}) = \sum_{t=1}^{T} I_t",
        evidence=_true("B-5tc", _PROOF),
        corrects="B-5t",
    ),
)
