"""Beraha et al. (2019), Section VI: the synthetic problems and what the experiments on them are said to show.

The theorem behind the problems is about any two classes of which one is the other under a condition; it is a claim.
That the features are normal matters for the probability of the region alone, which is an entry without a claim.
"""

from __future__ import annotations

from fstheory.logic.claims import claim
from fstheory.logic.expressions import Formula, Term
from fstheory.logic.language import Model
from fstheory.papers.beraha_2019 import BERAHA_2019
from fstheory.papers.entry import Declarations
from fstheory.papers.terms import possible

__all__ = [
    "class_1_is_class_0_in_a_region",
]
paper = Declarations(BERAHA_2019)

paper.entry("B-X", "Section VI-A")(r"""
Class 1 consists of k standard normal features conditioned on a sum above 3(k - 2), a region of positive probability.
$$q = P\Big(\sum_{i \le k} X_i > 3(k - 2)\Big) = \Phi\Big(-\frac{3(k - 2)}{\sqrt k}\Big) > 0$$
It is possible, and no more: for the k = 9 to 24 of the first experiment q falls from 1.3e-12 to 1.1e-41, so that
drawing until a point falls into it never ends. What class 0 is, and how probable, is not said. The source that the
paper follows has a sum of squares.
""")

paper.entry("B-Xq", "Section VI-A", corrects="B-X")(r"""
With the sum of squares in place of the sum the region is large enough to be hit by chance, for k up to 24.
$$q = P(\chi^2_k > 3(k - 2)) \ge 8 \cdot 10^{-6} \text{ for } k \le 24$$
From 0.39 at k = 3 over 0.013 at k = 9 to 8.7e-06 at k = 24.
""")

paper.entry("B-Xk", "Section VI-A")(r"""
The k features that the region is about are needed to predict the class, each of them, and no others are.
$$j < k \Rightarrow R(X_1, \dots, X_j) > R(X_1, \dots, X_k) = R(X)$$
Under both readings, with class 0 unconditioned. But under the printed one any two are within 0.05 of the ideal error,
for every k from 9 to 24; with squares that takes 9 of 9, and 14 of 24.
""")


paper.entry("B-Xn", "Section VI-A")(r"""
The problems with 30 features have X_1 to X_k, on which the class depends, and beside them X_(k+1) to X_15.
$$X_{k+1}, \dots, X_{15} \sim \mathcal N(0, 1),\ k \in \{9, 12, \dots, 24\}$$
That is 15 features, or k if k is larger: the list then runs backward. Only the second experiment has 15.
""")

paper.entry("B-Xnc", "Section VI-A", corrects="B-Xn")(r"""
With X_(k+1) to X_n for the others every problem has the number of features that is said: n = 30, 15 and 30.
$$X_{k+1}, \dots, X_n \sim \mathcal N(0, 1),\ k \le n$$
""")


@claim
def class_1_is_class_0_in_a_region(m: Model) -> Formula | bool:
    """Say that there are two equally probable classes, the second distributed as the first under a condition on X."""
    if len(m.classes) != 2:
        return False
    first, second = m.classes
    conditioned = m.all(
        m.probability(x, second) * _inside(m) == m.probability(x, first) * possible(m.probability(x, second)) / 2
        for x in m.states()
    )
    return (m.probability({}, first) == m.probability({}, second)) & (_inside(m) > 0) & conditioned


@paper.claim("B-Xe", "Section VI-A", assume=(class_1_is_class_0_in_a_region,), printed=False)
def error_and_information_of_a_region(m: Model) -> Formula | bool:
    r"""Let class 1 be class 0 under the condition that X lies in a region of probability q, and both equally probable.

    Then the Bayes risk is q/2, and the information is that of the channel that errs on class 0 alone, there with q.

    $$R(X) = \tfrac q2,\quad I(Y; X) = \log 2 - \tfrac12 \big((1 + q) \log(1 + q) - q \log q\big)$$
    The paper gives neither. So the ideal accuracy in its first figure is above 0.993 for every k, with both readings.
    """
    if len(m.classes) != 2:
        return True
    q = 2 * _inside(m)
    unknown = ((1 + q) * m.log(1 + q) - q * m.log(q)) / 2
    return (m.risk() == q / 2) & (m.mutual_information(m.features) == m.log(2) - unknown)


paper.entry("B-Xt", "Section VI-A")(r"""
The threshold of the feature score FS has no relation to the prediction error.
$$I_h \le \delta \text{ for all } h < T \not\Rightarrow R(\bar A_T) \le \epsilon + f(\delta)$$
By additivity and B-3s features removed at scores of at most delta cost at most sqrt(|A_T| delta / 2).
""")

paper.entry("B-Xr", "Section VI-B, Table I", printed=False)(r"""
The accuracies of Table I are each that on one test set, the same part of every data set.
$$\text{accuracy} \cdot f m \in \mathbb N \text{ up to rounding},\ f < 1$$
The paper says 'on a test set' and no more. A fifth fits ORL alone, a half warpAR10P, glass and ALLAML, and no part all.
""")

paper.entry("B-Xrc", "Section VI-B, Table I", corrects="B-Xr")(r"""
They are shares of all rows, as if each row were tested once; and of the rows of four tests on a fifth each.
$$m = 400, 130, 214, 178, 72$$
One test set needs 80 rows of ORL or a multiple, 58 to 66 or at least 86 of warpAR10P, at least 67 of glass and 75 of
wine, and of ALLAML 36 or 37, 49 to 51, 59, 60, 63 to 65 or all.
""")

paper.entry("B-Xs", "Section VI-A, Section IV")(r"""
Given a dataset, backward elimination with ER adds at most delta to the ideal error.
$$R(\bar A_T) \le \epsilon + \delta \text{ for scores } I_t \text{ estimated from samples}$$
The algorithms are stated for a dataset, with delta 'the maximum error that the filter is allowed to introduce'; the
proof is about the true information. Run again (`fstheory experiment beraha-2019`, textbook), with nearest neighbors,
500 samples and squares, delta = 0.05 is kept in 10 of 50 problems, and 'irrelevant features' are not told from useful
ones: of 30 features the first five removed are useful, for k from 12 on.
""")


def _inside(m: Model) -> Term:
    """Return the probability of class 0 and a state that class 1 can have: half of q."""
    first, second = m.classes
    return m.sum(m.probability(x, first) * possible(m.probability(x, second)) for x in m.states())
