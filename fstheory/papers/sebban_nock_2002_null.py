"""Sebban and Nock (2002), Sections 3.4 to 4: the total uncertainty, the test of relative certainty gain, the selection.

The law of n.. RCG meant is that with the graph held fixed and the labels put to the points at random, which is what the
null hypothesis of the paper leads to: `fstheory.points.LabelPermutations` has it exactly.
"""

from __future__ import annotations

from fstheory.papers.entry import Declarations
from fstheory.papers.sebban_nock_2002 import SEBBAN_NOCK_2002

__all__: list[str] = []

paper = Declarations(SEBBAN_NOCK_2002)

paper.entry("SN-U", "Definition 9, equation 6")(r"""
The sum of the local uncertainties is their mean with the sizes of the neighborhoods as weights.
$$U_{tot} = \sum_i U_{loc}(\omega_i) = \sum_i \frac{n_{i.}}{n_{..}} \sum_j \frac{n_{ij}}{n_{i.}}
\Bigl(1 - \frac{n_{ij}}{n_{i.}}\Bigr)$$
The second line is meant, see SN-Uc. The first is larger by a factor between n../max n_i. and n../min n_i.
""")

paper.entry("SN-Uc", "Definition 9, equation 6", corrects="SN-U")(r"""
The two lines are equal if and only if no edge joins two classes; and with the first one RCG has, under permuted labels,
a negative mean in every graph of n points without isolated ones.
$$E\,RCG \le 1 - \frac{n^2}{2(n - 1)} < 0 \text{ with the first line}, \quad E\,RCG = \frac{n^2 - n_{..}}{(n - 1)
n_{..}} \text{ with the second}$$
So the test and the algorithm need the second.
""")

paper.entry("SN-0", "Section 3.5, before equation 9")(r"""
If the classes do not differ in distribution, n.. RCG of the spanning tree of n points and k classes has these moments.
$$E(n_{..} RCG) = (n - 1)(k - 1), \quad V(n_{..} RCG) = 2(n - 1)(k - 1)$$
The source that the paper cites, Light and Margolin, has (N - 1)(k - 1) times the gain, for N responses in n groups. So
the factor k - 1 was dropped; and the groups are independent there, while neighborhoods overlap. For two classes the
mean is nearly right, for k classes it is too large by a factor of about k - 1.
""")

paper.entry("SN-0a", "abstract and Section 5")(r"""
With the graph of nearest neighbors for the tree, the mean and the variance stay what they are: the statistical
framework is not challenged.
$$E(n_{..} RCG) = (n - 1)(k - 1), \quad V(n_{..} RCG) = 2(n - 1)(k - 1) \text{ in } G^*$$
The true mean grows with the number c of components: it is (n^2 - 3n + 2c)/(n - 1). So it differs between features, and
the printed one does not. On the variance see SN-0c.
""")

paper.entry("SN-0c", "Section 3.5, before equation 9", corrects="SN-0")(r"""
Under permuted labels n.. RCG has this mean in every graph of n points, whatever the number and the sizes of the
classes, and this variance; in a spanning tree the mean is n - 2.
$$E = \frac{n^2 - n_{..}}{n - 1}, \quad V = \frac{4}{U_0^2} \Bigl(A p_2 + B p_3 + C p_{22} - (A + B + C)\, p_2^2\Bigr)$$
A pair of points weighs the sum of 1/n_i. over the neighborhoods that have both. A, B and C are the sums of products of
the weights of two pairs that are the same, have one point in common, or none; p_2, p_3, p_22 are the probabilities that
two points, or three, have one class, and that two pairs have one class each.
""")

paper.entry("SN-0x", "Section 3.5, before equation 9")(r"""
If the classes do not differ in distribution, n.. RCG has a chi-square law with (n - 1)(k - 1) degrees of freedom.
$$n_{..} RCG \equiv \chi^2_{(n - 1)(k - 1)}$$
It has finitely many values, may be negative, and is at most n.. = 3n - 2.
""")

paper.entry("SN-0n", "equation 9")(r"""
For more than 30 points n.. RCG is about normal with the printed mean and variance.
$$n_{..} RCG \approx N\bigl((n - 1)(k - 1),\, 2(n - 1)(k - 1)\bigr), \quad n > 30$$
Where the minimum spanning tree is a star, as for the origin and the unit vectors, there are two values for two classes,
or one if these are of the same size: n - 2.
""")

paper.entry("SN-0s", "equations 10 and 11")(r"""
The test rejects a true null hypothesis with probability about alpha.
$$P\Bigl(\frac{n_{..} RCG - (n - 1)(k - 1)}{\sqrt{2(n - 1)(k - 1)}} > U_\alpha\Bigr) \approx \alpha$$
The paper calls U_alpha a value of the distribution function; a quantile is meant. With two classes of the same size
and points in the plane the 5% test is near 5%: 0.046, 0.052 and 0.052 in trees of 20, 40 and 80 random points, 0.055,
0.053 and 0.051 in graphs of nearest neighbors, each the mean of three exact sizes. With three classes none of 10,000
random labelings of each of these graphs was rejected, and with five none can be.
""")

paper.entry("SN-0k", "equations 10 and 11", corrects="SN-0s")(r"""
In a forest with four classes or more the test never rejects, whatever the labels, for any alpha up to 1/2; nor does it
at 5% with three classes in a spanning tree of fewer than 24 points, or in a forest of fewer than 18.
$$k \ge 4:\; n_{..} RCG < 3n - 4 < (n - 1)(k - 1); \quad k = 3:\; n_{..} RCG \le 3n - \tfrac{39}{4}
\text{ in a tree of 8 points or more}$$
Some trees of nine points reach this bound, some of seven exceed it. From 24 points on, and from 18, some labels are
rejected in some trees and forests. Three classes in turn, three neighbors each, on a path of 80 points: that is over 6
true standard deviations above the true mean; the printed z is below -1.
""")

paper.entry("SN-0h", "Sections 3.2 and 3.5")(r"""
The test applies to graphs of the HVDM distance.
$$H_0: F_1 = \dots = F_k$$
Between categories the distance looks at the labels: where these are permuted, the graph changes, so that the law of
n.. RCG is another one even if mean and variance are corrected. A feature that gives each point a category of its own
parts the classes, whatever the labels are. With numbers only, or categories that are just told apart, the graph stays.
""")

paper.entry("SN-0o", "Section 3.5, Sections 5.3 and 7")(r"""
In either graph the smallest critical probability is that of the largest relative certainty gain.
$$\alpha_c(E) < \alpha_c(E') \iff RCG(E) > RCG(E')$$
The paper optimizes the one and speaks of the other. With nearest neighbors n.. depends on the feature subset.
""")

paper.entry("SN-0t", "Section 3.5", corrects="SN-0o")(r"""
In spanning trees the smallest critical probability, as printed, is that of the largest relative certainty gain; in any
graph it is that of the largest n.. RCG.
$$\alpha_c(E) < \alpha_c(E') \iff n_{..} RCG(E) > n'_{..} RCG(E')$$
So in trees it makes no difference to the ranking that the law is wrong, but to the probability. With the true moments
the order is another one, also in trees: their variance depends on the tree.
""")

paper.entry("SN-0r", "Section 8")(r"""
The algorithm selects a feature if and only if it reduces the overlap of the classes significantly.
$$X_{\min} \text{ is selected} \iff \alpha_{\min} \text{ is small}$$
It compares with the critical probability of the step before, and with 1 at the start; with no level of significance.
""")

paper.entry("SN-0q", "Section 4", corrects="SN-0r")(r"""
With the critical probability of equation 10 the algorithm always selects a feature, also if all of them are noise.
$$\alpha_{\min} < 1 = \alpha_0 \text{ always}$$
So it finds something in noise with probability 1. It goes on while the best next feature makes n.. RCG larger; nothing
is said of when all are selected. By the chi-square law it selects none if n.. RCG is 0 or less with every feature.
""")
