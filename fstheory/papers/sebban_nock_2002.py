"""Sebban and Nock (2002): quadratic entropy, and nearest neighbors in place of the minimum spanning tree.

The statements of Section 5 are about finite point sets, so they are not in the language of claims:
`fstheory.papers.lemmas` has each one by the same id, ready to be checked at a point set.
"""

from __future__ import annotations

from fractions import Fraction

from fstheory.logic.expressions import Formula, Term
from fstheory.logic.language import Model
from fstheory.papers.entry import Declarations, Paper

__all__ = [
    "SEBBAN_NOCK_2002",
]
SEBBAN_NOCK_2002 = Paper(
    "Sebban and Nock",
    "M. Sebban and R. Nock",
    "A hybrid filter/wrapper approach of feature selection using information theory",
    2002,
    "sebban_nock_2002.json",
)

paper = Declarations(SEBBAN_NOCK_2002)


# Distances and measures

paper.entry("SN-V", "Section 3.2")(r"""
The value difference metric is a metric, with q = 1 and with q = 2.
$$VDM(x, x') = \sum_c |P(c|x) - P(c|x')|^q$$
Values in which the classes have the same shares are at distance 0, and for q = 2 the triangle inequality fails. Nor is
the HVDM a metric where a value is unknown, which is at distance 1 from itself.
""")

paper.entry("SN-Vc", "Section 3.2", corrects="SN-V")(r"""
For q at least 1 the q-th root of the VDM satisfies the triangle inequality; it is 0 if and only if the classes have the
same shares in both values.
$$VDM^{1/q}(x, x'') \le VDM^{1/q}(x, x') + VDM^{1/q}(x', x'')$$
Neither spanning trees nor the lemmas of Section 5 ask for a triangle inequality.
""")

paper.entry("SN-Es", "Definition 5")(r"""
The shares of k classes make the k-dimensional simplex.
$$S_k = \Bigl\{\gamma \in \mathbb{R}^k : \gamma_j \ge 0,\ \sum_j \gamma_j = 1\Bigr\}$$
""")

paper.entry("SN-Esc", "Definition 5", corrects="SN-Es")(r"""
The shares of k classes make a simplex of dimension k - 1, whose k corners are the cases where one class is certain.
$$\dim S_k = k - 1$$
""")

paper.entry("SN-Er", "Definition 6")(r"""
The quadratic entropy is a function from [0, 1]^k to [0, 1].
$$QE: [0, 1]^k \to [0, 1],\ QE(\gamma) = \sum_j \gamma_j (1 - \gamma_j)$$
The largest value on the cube is k/4. What is meant is the simplex, where the sum is 1; there the values are those from
0 to 1 - 1/k.
""")


@paper.claim("SN-E", "Definitions 5 and 6", corrects="SN-Er", printed=True)
def quadratic_entropy(m: Model, S: frozenset[str]) -> Formula:
    r"""The quadratic entropy, Gini's impurity, is an entropy: symmetric, continuous, and with these three properties.

    It is 0 if and only if one class is certain; at most 1 - 1/k for k classes, and equal to it if and only if all are
    equally likely; and concave, so that its mean given X_S is not larger than it is without.

    $$\textstyle \sum_j \gamma_j = 1 \Rightarrow 0 \le QE(\gamma) \le 1 - \tfrac1k,\quad E\, QE(p(Y|X_S)) \le QE(p(Y))$$
    """

    def entropy(of: dict[str, object]) -> Term:
        shares = (m.probability(of, y) / m.probability(of) for y in m.classes)
        return m.sum(share * (1 - share) for share in shares)

    whole, most = entropy({}), 1 - Fraction(1, len(m.classes))
    certain = m.any(m.probability({}, y) == 1 for y in m.classes)
    uniform = m.all(m.probability({}, y) == 1 - most for y in m.classes)
    mean = m.sum(m.probability(state) * entropy(dict(state)) for state in m.states(S))
    return m.iff(whole == 0, certain) & (whole <= most) & m.iff(whole == most, uniform) & (mean <= whole)


paper.entry("SN-Z", "Section 7, equation 14")(r"""
The criterion Z of k classes is a function from [0, 1]^k to [0, 1].
$$Z: [0, 1]^k \to [0, 1],\ Z(\gamma) = \sum_j \sqrt{\gamma_j (1 - \gamma_j)}$$
For two classes it is. For three and more its values are larger also where the sum is 1.
""")

paper.entry("SN-Zc", "Section 7, equation 14", corrects="SN-Z")(r"""
On the shares of k classes Z has the values from 0 to the root of k - 1. It is an entropy: symmetric, continuous,
concave, 0 if and only if one class is certain, largest if and only if all classes are equally likely.
$$\textstyle \sum_j \gamma_j = 1 \Rightarrow 0 \le Z(\gamma) \le \sqrt{k - 1}$$
On the whole cube the largest value is k/2.
""")

paper.entry("SN-9", "Definition 9")(r"""
With a minimum spanning tree of n points, the neighborhoods of Definition 7 have n.. = 3n - 2 members in all.
$$n_{..} = \sum_i n_{i.} = n + 2(n - 1) = 3n - 2$$
Whatever tree it is. For the graph of nearest neighbors see SN-5n.
""")


# Graphs

paper.entry("SN-L1", "Lemma 1")(r"""
If every point has exactly one nearest neighbor, the graph that joins each point to it has no cycle.
$$\bigl(\forall \omega\; \exists! \omega'\; nn(\omega', \omega)\bigr) \Rightarrow G^* \text{ is a forest}$$
The lemma is true and its proof is not, see SN-L1a. Labels play no part. Without uniqueness, but also without coincident
points, (0,0), (0,2), (2,1) is the smallest: the apex has two nearest neighbors.
""")

paper.entry("SN-L1a", "proof of Lemma 1")(r"""
If every point has exactly one nearest neighbor, the graph G* without directions has no cycle if and only if the graph G
with directions has no circuit; and G has none.
$$G^* \text{ has no cycle} \iff G \text{ has no circuit}$$
Both halves fail at every point set with unique nearest neighbors: the two points of a closest pair are each other's
nearest neighbor, which is a circuit of two arcs and a single edge. No inequality along it is strict.
""")

paper.entry("SN-L1b", "proof of Lemma 1, corrected", corrects="SN-L1a")(r"""
If every point has exactly one nearest neighbor, each component of G has exactly one circuit: its closest pair.
$$\text{each component of } G \text{ has one circuit } \omega \to \omega' \to \omega,\quad D(\omega, \omega') = \min D
\text{ in it}$$
Along a path of arcs distances never grow, and where the next neighbor is not the last point they shrink. So following
the arcs ends in a pair of mutual neighbors, and a circuit of three points or more is impossible. A cycle of G* would be
one: it needs the one arc of each of its points.
""")

paper.entry("SN-L1c", "before Lemma 1")(r"""
If each point chooses one of its nearest neighbors, in any way (the paper speaks of a random choice), the graph of the
choices has no cycle.
$$\forall \text{ choices } c(\omega) \in \arg\min_{\omega' \ne \omega} D(\omega, \omega'):\; \{\omega\, c(\omega)\}
\text{ is a forest}$$
The paper announces that uniqueness will be relaxed later; this is one of the two ways, SN-L3 the other. All edges of
such a cycle are equally long.
""")

paper.entry("SN-L1d", "Lemma 1, for ties", corrects="SN-L1c")(r"""
If each point chooses the first of its nearest neighbors in one order of all points, the same for every point, the graph
of the choices has no cycle.
$$c(\omega) = \min\nolimits_{\prec} \arg\min_{\omega' \ne \omega} D(\omega, \omega') \;\Rightarrow\; \{\omega\,
c(\omega)\} \text{ is a forest}$$
On a cycle of choices all distances are equal, so each point could have chosen the one before it and preferred the one
after it: every second point comes earlier in the order, all around the cycle.
""")

paper.entry("SN-L2", "Lemma 2")(r"""
If every point has exactly one nearest neighbor, each component of G* is a minimum spanning tree of its points.
$$T \text{ a component of } G^* \;\Rightarrow\; T \text{ is an MST of its points}$$
The proof gives its trees s' - 1 vertices; they have s' vertices and s' - 1 edges. Without uniqueness a component that
is a tree is meant. At the counterexample (2,0) joins two pairs at distance 2, which are themselves only the square root
of 2 apart.
""")

paper.entry("SN-L2a", "Lemma 2, sharpened", corrects="SN-L2")(r"""
If every point has exactly one nearest neighbor, each component of G* is the only minimum spanning tree of its points,
and every minimum spanning tree of all points contains G*.
$$G^* \subseteq T \text{ for every MST } T \text{ of } S$$
The edge from a point to its only nearest neighbor is the shortest that leaves the point, so that every minimum spanning
tree has it, of all points and of the component.
""")

paper.entry("SN-L2b", "Lemma 2, for ties", corrects="SN-L2")(r"""
If each point chooses one of its nearest neighbors, in any way, each component of the graph of the choices that is a
tree is a minimum spanning tree of its points.
$$\forall c:\; \text{a tree of } \{\omega\, c(\omega)\} \text{ is an MST of its points}$$
From two points follow the choices until they meet: no step is longer than the first step of either point, and neither
of these is longer than the distance of the two. So no exchange makes the tree lighter.
""")

paper.entry("SN-L3", "Lemma 3")(r"""
With an edge to every nearest neighbor of each point, the minimum spanning tree of the points of a component of G* is
part of that component, where a component is what conditions (i) to (iii) before the lemma say.
$$G' = (V', A') \text{ satisfies (i) to (iii)} \;\Rightarrow\; \mathrm{MST}(V') \subseteq A'$$
The conditions ask that no edge leaves V' and that all edges inside are there, not that V' is connected: V' = S
satisfies them. So the lemma fails also where nearest neighbors are unique. Read with connected components, it is
SN-L3a. The proof shows only that a tree over V' has no vertices outside V'.
""")

paper.entry("SN-L3a", "Lemma 3, with connected components")(r"""
With an edge to every nearest neighbor of each point, each connected component of G* contains a minimum spanning tree of
its points.
$$V' \text{ a connected component of } G^* \;\Rightarrow\; \exists\, \mathrm{MST}(V') \subseteq G^*$$
Not even one minimum spanning tree is in the component. True on a line and for four points (SN-L3e).
""")

paper.entry("SN-L3b", "Lemma 3, with chosen neighbors")(r"""
If each point chooses one of its nearest neighbors, every minimum spanning tree of the points of a component of the
graph of the choices is part of the component.
$$\forall c\; \forall\, \mathrm{MST}(V'):\; \mathrm{MST}(V') \subseteq \{\omega\, c(\omega)\}$$
There are several minimum spanning trees, and the component may be only one of them; see SN-L3c.
""")

paper.entry("SN-L3c", "Lemma 3, corrected", corrects="SN-L3")(r"""
If each point chooses one of its nearest neighbors, in any way, each component of the graph of the choices contains a
minimum spanning tree of its points.
$$\forall c:\; \exists\, \mathrm{MST}(V') \subseteq \{\omega\, c(\omega)\}, \quad V' \text{ a component of the
choices}$$
The component has at most one cycle, of equally long edges; without any one of them it is a tree as in SN-L2b.
""")

paper.entry("SN-L3d", "Lemma 3, corrected", corrects="SN-L3")(r"""
With an edge to every nearest neighbor of each point: if one nearest neighbor for each point is enough to connect a
component of G*, every minimum spanning tree of its points is part of it.
$$\exists c:\; \{\omega\, c(\omega)\} \text{ connects } V' \;\Rightarrow\; \forall\, \mathrm{MST}(V') \subseteq G^*$$
An edge outside G* is longer than the distances of its ends to their nearest neighbors, and so, as in SN-L2b, than every
step of the path of choices between them. Unique nearest neighbors are a special case.
""")

paper.entry("SN-L3e", "Lemma 3, corrected", corrects="SN-L3")(r"""
With an edge to every nearest neighbor of each point, every minimum spanning tree of the points of a connected component
of G* is part of it, if the component has at most four points or lies on a line.
$$|V'| \le 4 \text{ or } V' \subset \text{a line} \;\Rightarrow\; \forall\, \mathrm{MST}(V') \subseteq G^*$$
On a line such a tree joins coincident points and neighboring places only, and across a gap inside the component some
point is alone at its place and has every point on the other side as a nearest neighbor.
""")

paper.entry("SN-5", "heading of Section 5.1")(r"""
If every point has exactly one nearest neighbor, G* is a minimum spanning tree of all points.
$$G^* = \mathrm{MST}(S)$$
The heading says equivalent, the text that components are small minimum spanning trees; that is SN-L2. With n points
there may be n/2 components.
""")

paper.entry("SN-5n", "Definition 9 with Section 5")(r"""
With G* for the tree, and unique nearest neighbors, the neighborhoods of Definition 7 still have n.. = 3n - 2 members in
all.
$$n_{..} = \sum_i n_{i.} = 3n - 2$$
n.. is the factor of the test statistic (9) to (11). The abstract says that the tree can be replaced without challenging
the statistical framework; the factor changes with the feature subset.
""")

paper.entry("SN-5m", "Definition 9 with Section 5, corrected", corrects="SN-5n")(r"""
If every point has exactly one nearest neighbor and G* has c components, n.. = 3n - 2c, and c is at most n/2; so n.. is
between 2n and 3n - 2.
$$n_{..} = 3n - 2c, \quad 1 \le c \le n/2$$
A forest of n points and c trees has n - c edges, and each component has two points at least.
""")

paper.entry("SN-5f", "Sections 5.3 and 7")(r"""
The graph of nearest neighbors is that of the final classifier: the neighborhoods are points with those that vote.
$$N(\omega) \setminus \{\omega\} = \{\omega' : \omega' \text{ votes for } \omega\} \text{ in } G^*$$
The final classifier of Section 7 has ten neighbors. And with one, N also has the points that the point votes for.
""")

paper.entry("SN-5g", "Sections 5.3 and 7, corrected", corrects="SN-5f")(r"""
If every point has exactly one nearest neighbor, the neighborhoods of G* are the points with their m nearest neighbors
for m = 1 if and only if G* consists of pairs, and for no other m.
$$\forall \omega: N(\omega) = \{\omega, c(\omega)\} \iff n_{..} = 2n$$
""")

# Costs

paper.entry("SN-Q", "Section 5.2")(r"""
If the distances are given, a minimum spanning tree takes more steps, as for order, than nearest neighbors.
$$O(|S|^2 \log |S|) \text{ against } O(|S|^2)$$
The paper has both bounds, for trees by algorithms that sort the edges, and takes them for a clear advocacy of nearest
neighbors. As upper bounds they are right.
""")

paper.entry("SN-Qc", "Section 5.2", corrects="SN-Q")(r"""
If the matrix of distances of n points is given, a minimum spanning tree and the nearest neighbors can both be found in
order of n^2 steps; and neither in fewer.
$$\Theta(|S|^2) \text{ for both}$$
""")

paper.entry("SN-Qa", "Section 5.2.2")(r"""
In the worst case all distances of three points or more have to be looked at to find a minimum spanning tree.
$$\tfrac12 |S| (|S| - 1)$$
The paper says so against the tree. Of nearest neighbors it is true, too.
""")

paper.entry("SN-Qs", "Section 5.2.2")(r"""
All distances have to be looked at even if the pairs are given in their order; and to order them costs a factor n.
$$\tfrac12 |S| (|S| - 1)$$
It costs a factor of the order of log n.
""")

paper.entry("SN-Qt", "Section 5.2.2", corrects="SN-Qs")(r"""
Of the pairs in the order of their distances the first 1 + (n - 1)(n - 2)/2 contain a minimum spanning tree of the n
points; where one point is farther from all others than these are from each other, no fewer do.
$$1 + \tfrac12 (|S| - 1)(|S| - 2)$$
""")

paper.entry("SN-Qn", "Section 5.2.2")(r"""
If each point has a list of its nearest neighbors, G* is made of these lists in at most n steps.
$$|E| \le |S|$$
To hang the lists together takes no more; but where there are ties, the edges are more.
""")

paper.entry("SN-Qm", "Section 5.2.2", corrects="SN-Qn")(r"""
G* is made of the lists in as many steps as they have members: n if there are no ties, up to n(n - 1) else.
$$|S| \le \sum_\omega |\{\omega' : nn(\omega', \omega)\}| \le |S| (|S| - 1)$$
""")
