"""Sebban and Nock (2002): quadratic entropy, and nearest neighbors in place of the minimum spanning tree.

The statements of Section 5 are about finite point sets, so they are not in the language of claims:
`fstheory.points.lemmas` has each one by the same id, ready to be checked at a point set.
"""

from __future__ import annotations

from fractions import Fraction

from fstheory.ledger.entry import CHECKOUT, SEBBAN_NOCK_2002, Entry, Evidence, argued, exhausted
from fstheory.logic import Formula, Model, Term, claim
from fstheory.points.lemmas import LEMMAS, UNIQUE

__all__ = ["ENTRIES"]

_COUNTED = f"{CHECKOUT}tests.points.check_claims"
_GRIDS = (
    "every set of 2 to 5 points of {0..7}, of {0..2}^2 and of {0,1}^3, and of 2 to 5 distinct points of "
    "{0..3}^2 and of {0,1}^4"
)
_FEWEST = "no order of the distances of fewer points will do, in any metric space"


def _held(claim: str, random: int = 2000) -> tuple[Evidence, ...]:
    """Return the evidence for a statement that no point set contradicts; the counts are those that it speaks of."""
    orders, grids = (2362, 3584) if LEMMAS[claim].unique else (4697, 18284)
    some = 1463 if LEMMAS[claim].unique else random
    return (
        Evidence("X", "every order of the distances of 2 to 4 points, in any metric space", _COUNTED, count=orders),
        Evidence("X", _GRIDS, _COUNTED, count=grids),
        Evidence(
            "C", "random sets of 2 to 12 points in 1 to 4 dimensions, with ties and without", _COUNTED, count=some
        ),
        argued("neighbors"),
    )


def _fails(file: str, what: str, apart: str | None = None) -> tuple[Evidence, ...]:
    """Return the smallest counterexample, and the smallest one without coincident points."""
    found = f"fstheory audit {file[:6].rstrip('-')}  # verifies it; found {CHECKOUT}tests.points.counterexamples FOLDER"
    first = Evidence("R", f"{what}; {_FEWEST}", found, f"{file}.json")
    return (first,) if apart is None else (first, Evidence("R", apart, found, f"{file}-distinct.json"))


@claim(name="SN-E")
def quadratic_entropy(m: Model, S: frozenset[str]) -> Formula:
    """The quadratic entropy of k classes is an entropy: symmetric, continuous, and with these three properties.

    It is 0 if and only if one class is certain; at most 1 - 1/k, and equal to it if and only if all classes are equally
    likely; and concave, so that its mean given X_S is not larger than it is without.
    """

    def entropy(of: dict[str, object]) -> Term:
        shares = (m.probability(of, y) / m.probability(of) for y in m.classes)
        return m.sum(share * (1 - share) for share in shares)

    whole, most = entropy({}), 1 - Fraction(1, len(m.classes))
    certain = m.any(m.probability({}, y) == 1 for y in m.classes)
    uniform = m.all(m.probability({}, y) == 1 - most for y in m.classes)
    mean = m.sum(m.probability(state) * entropy(dict(state)) for state in m.states(S))
    return m.iff(whole == 0, certain) & (whole <= most) & m.iff(whole == most, uniform) & (mean <= whole)


_MEASURES = (
    Entry(
        "SN-Er",
        SEBBAN_NOCK_2002,
        "Definition 6",
        "The quadratic entropy is a function from [0, 1]^k to [0, 1].",
        r"QE: [0, 1]^k \to [0, 1],\ QE(\gamma) = \sum_j \gamma_j (1 - \gamma_j)",
        evidence=(Evidence("R", "k = 5 and all numbers 1/2: 5/4", "docs/textbook/neighbors.md"),),
        remark="The largest value on the cube is k/4. What is meant is the simplex, where the sum is 1; there the "
        "values are those from 0 to 1 - 1/k.",
    ),
    Entry.of(
        quadratic_entropy,
        SEBBAN_NOCK_2002,
        "Definitions 5 and 6",
        r"\textstyle \sum_j \gamma_j = 1 \Rightarrow 0 \le QE(\gamma) \le 1 - \tfrac1k,\quad"
        r" E\, QE(p(Y|X_S)) \le QE(p(Y))",
        evidence=(argued("neighbors"), exhausted("SN-E", 9_197)),
        corrects="SN-Er",
        printed=True,
    ),
    Entry(
        "SN-9",
        SEBBAN_NOCK_2002,
        "Definition 9",
        "With a minimum spanning tree of n points, the neighborhoods of Definition 7 have n.. = 3n - 2 members in all.",
        r"n_{..} = \sum_i n_{i.} = n + 2(n - 1) = 3n - 2",
        evidence=(argued("neighbors"),),
        remark="Whatever tree it is. For the graph of nearest neighbors see SN-5n.",
    ),
)

_COSTS = (
    Entry(
        "SN-Q",
        SEBBAN_NOCK_2002,
        "Section 5.2",
        "If the distances are given, a minimum spanning tree takes more steps, as for order, than nearest neighbors.",
        r"O(|S|^2 \log |S|) \text{ against } O(|S|^2)",
        evidence=(Evidence("R", "Prim's algorithm without sorting takes n^2 steps", "docs/textbook/neighbors.md"),),
        remark="The paper has both bounds, for trees by algorithms that sort the edges, and takes them for a clear "
        "advocacy of nearest neighbors. As upper bounds they are right.",
    ),
    Entry(
        "SN-Qc",
        SEBBAN_NOCK_2002,
        "Section 5.2",
        "If the matrix of distances of n points is given, a minimum spanning tree and the nearest neighbors can both "
        "be found in order of n^2 steps; and the nearest neighbors in no fewer.",
        r"\Theta(|S|^2) \text{ and } O(|S|^2)",
        evidence=(argued("neighbors"),),
        corrects="SN-Q",
    ),
)

_GRAPHS = (
    Entry(
        "SN-L1",
        SEBBAN_NOCK_2002,
        "Lemma 1",
        "If every point has exactly one nearest neighbor, the graph that joins each point to it has no cycle.",
        r"\bigl(\forall \omega\; \exists! \omega'\; nn(\omega', \omega)\bigr) \Rightarrow G^* \text{ is a forest}",
        evidence=_held("SN-L1"),
        needs={UNIQUE: _fails(f"SN-L1-without-{UNIQUE}", "three coincident points, all at distance 0")[0]},
        remark="The lemma is true and its proof is not, see SN-L1a. Labels play no part. Without uniqueness, but also "
        "without coincident points, (0,0), (0,2), (2,1) is the smallest: the apex has two nearest neighbors.",
    ),
    Entry(
        "SN-L1a",
        SEBBAN_NOCK_2002,
        "proof of Lemma 1",
        "If every point has exactly one nearest neighbor, the graph G* without directions has no cycle if and"
        " only if the graph G with directions has no circuit; and G has none.",
        r"G^* \text{ has no cycle} \iff G \text{ has no circuit}",
        evidence=_fails("SN-L1a", "two coincident points", "the points 0 and 1 of a line"),
        remark="Both halves fail at every point set with unique nearest neighbors: the two points of a closest pair "
        "are each other's nearest neighbor, which is a circuit of two arcs and a single edge. No inequality "
        "along it is strict.",
    ),
    Entry(
        "SN-L1b",
        SEBBAN_NOCK_2002,
        "proof of Lemma 1, corrected",
        "If every point has exactly one nearest neighbor, each component of G has exactly one circuit: its "
        "closest pair.",
        r"\text{each component of } G \text{ has one circuit } \omega \to \omega' \to \omega,\quad "
        r"D(\omega, \omega') = \min D \text{ in it}",
        evidence=_held("SN-L1b"),
        corrects="SN-L1a",
        remark="Along a path of arcs distances never grow, and where the next neighbor is not the last point they "
        "shrink. So following the arcs ends in a pair of mutual neighbors, and a circuit of three points or "
        "more is impossible. A cycle of G* would be one: it needs the one arc of each of its points.",
    ),
    Entry(
        "SN-L1c",
        SEBBAN_NOCK_2002,
        "before Lemma 1",
        "If each point chooses one of its nearest neighbors, in any way (the paper speaks of a random "
        "choice), the graph of the choices has no cycle.",
        r"\forall \text{ choices } c(\omega) \in \arg\min_{\omega' \ne \omega} D(\omega, \omega'):\; "
        r"\{\omega\, c(\omega)\} \text{ is a forest}",
        evidence=_fails(
            "SN-L1c", "three coincident points, each choosing the next", "an equilateral triangle in space"
        ),
        remark="The paper announces that uniqueness will be relaxed later; this is one of the two ways, SN-L3 the "
        "other. All edges of such a cycle are equally long.",
    ),
    Entry(
        "SN-L1d",
        SEBBAN_NOCK_2002,
        "Lemma 1, for ties",
        "If each point chooses the first of its nearest neighbors in one order of all points, the same for "
        "every point, the graph of the choices has no cycle.",
        r"c(\omega) = \min\nolimits_{\prec} \arg\min_{\omega' \ne \omega} D(\omega, \omega') \;\Rightarrow\; "
        r"\{\omega\, c(\omega)\} \text{ is a forest}",
        evidence=_held("SN-L1d", 1178),
        corrects="SN-L1c",
        remark="On a cycle of choices all distances are equal, so each point could have chosen the one before it and "
        "preferred the one after it: every second point comes earlier in the order, all around the cycle.",
    ),
    Entry(
        "SN-L2",
        SEBBAN_NOCK_2002,
        "Lemma 2",
        "If every point has exactly one nearest neighbor, each component of G* is a minimum spanning tree of "
        "its points.",
        r"T \text{ a component of } G^* \;\Rightarrow\; T \text{ is an MST of its points}",
        evidence=_held("SN-L2"),
        needs={UNIQUE: _fails(f"SN-L2-without-{UNIQUE}", "(0,0), (0,1), (1,2), (2,0), (2,2)")[0]},
        remark="The proof gives its trees s' - 1 vertices; they have s' vertices and s' - 1 edges. Without "
        "uniqueness a component that is a tree is meant. At the counterexample (2,0) joins two pairs at "
        "distance 2, which are themselves only the square root of 2 apart.",
    ),
    Entry(
        "SN-L2a",
        SEBBAN_NOCK_2002,
        "Lemma 2, sharpened",
        "If every point has exactly one nearest neighbor, each component of G* is the only minimum spanning "
        "tree of its points, and every minimum spanning tree of all points contains G*.",
        r"G^* \subseteq T \text{ for every MST } T \text{ of } S",
        evidence=_held("SN-L2a"),
        corrects="SN-L2",
        remark="The edge from a point to its only nearest neighbor is the shortest that leaves the point, so that "
        "every minimum spanning tree has it, of all points and of the component.",
    ),
    Entry(
        "SN-L2b",
        SEBBAN_NOCK_2002,
        "Lemma 2, for ties",
        "If each point chooses one of its nearest neighbors, in any way, each component of the graph of the "
        "choices that is a tree is a minimum spanning tree of its points.",
        r"\forall c:\; \text{a tree of } \{\omega\, c(\omega)\} \text{ is an MST of its points}",
        evidence=_held("SN-L2b"),
        corrects="SN-L2",
        remark="From two points follow the choices until they meet: no step is longer than the first step of either "
        "point, and neither of these is longer than the distance of the two. So no exchange makes the tree lighter.",
    ),
    Entry(
        "SN-L3",
        SEBBAN_NOCK_2002,
        "Lemma 3",
        "With an edge to every nearest neighbor of each point, the minimum spanning tree of the points of a "
        "component of G* is part of that component, where a component is what conditions (i) to (iii) before "
        "the lemma say.",
        r"G' = (V', A') \text{ satisfies (i) to (iii)} \;\Rightarrow\; \mathrm{MST}(V') \subseteq A'",
        evidence=_fails("SN-L3", "two pairs of coincident points", "the points 0, 1, 3, 4 of a line"),
        remark="The conditions ask that no edge leaves V' and that all edges inside are there, not that V' is "
        "connected: V' = S satisfies them. So the lemma fails also where nearest neighbors are unique. Read "
        "with connected components, it is SN-L3a. The proof shows only that a tree over V' has no vertices "
        "outside V'.",
    ),
    Entry(
        "SN-L3a",
        SEBBAN_NOCK_2002,
        "Lemma 3, with connected components",
        "With an edge to every nearest neighbor of each point, each connected component of G* contains a "
        "minimum spanning tree of its points.",
        r"V' \text{ a connected component of } G^* \;\Rightarrow\; \exists\, \mathrm{MST}(V') \subseteq G^*",
        evidence=_fails(
            "SN-L3a",
            "(0,0) twice, (0,2) twice, (2,1): the last has both pairs as nearest neighbors at distance root 5, "
            "and they are only 2 apart",
            "(0,0), (0,1), (1,2), (2,0), (2,2)",
        ),
        remark="Not even one minimum spanning tree is in the component. True on a line and for four points (SN-L3e).",
    ),
    Entry(
        "SN-L3b",
        SEBBAN_NOCK_2002,
        "Lemma 3, with chosen neighbors",
        "If each point chooses one of its nearest neighbors, every minimum spanning tree of the points of a "
        "component of the graph of the choices is part of the component.",
        r"\forall c\; \forall\, \mathrm{MST}(V'):\; \mathrm{MST}(V') \subseteq \{\omega\, c(\omega)\}",
        evidence=_fails("SN-L3b", "three coincident points", "(0,0), (0,2), (2,1)"),
        remark="There are several minimum spanning trees, and the component may be only one of them; see SN-L3c.",
    ),
    Entry(
        "SN-L3c",
        SEBBAN_NOCK_2002,
        "Lemma 3, corrected",
        "If each point chooses one of its nearest neighbors, in any way, each component of the graph of the "
        "choices contains a minimum spanning tree of its points.",
        r"\forall c:\; \exists\, \mathrm{MST}(V') \subseteq \{\omega\, c(\omega)\}, \quad "
        r"V' \text{ a component of the choices}",
        evidence=_held("SN-L3c"),
        corrects="SN-L3",
        remark="The component has at most one cycle, of equally long edges; without any one of them it is a tree as "
        "in SN-L2b.",
    ),
    Entry(
        "SN-L3d",
        SEBBAN_NOCK_2002,
        "Lemma 3, corrected",
        "With an edge to every nearest neighbor of each point: if one nearest neighbor for each point is "
        "enough to connect a component of G*, every minimum spanning tree of its points is part of it.",
        r"\exists c:\; \{\omega\, c(\omega)\} \text{ connects } V' \;\Rightarrow\; "
        r"\forall\, \mathrm{MST}(V') \subseteq G^*",
        evidence=_held("SN-L3d"),
        corrects="SN-L3",
        remark="An edge outside G* is longer than the distances of its ends to their nearest neighbors, and so, as "
        "in SN-L2b, than every step of the path of choices between them. Unique nearest neighbors are a "
        "special case.",
    ),
    Entry(
        "SN-L3e",
        SEBBAN_NOCK_2002,
        "Lemma 3, corrected",
        "With an edge to every nearest neighbor of each point, every minimum spanning tree of the points of a"
        " connected component of G* is part of it, if the component has at most four points or lies on a "
        "line.",
        r"|V'| \le 4 \text{ or } V' \subset \text{a line} \;\Rightarrow\; \forall\, \mathrm{MST}(V') \subseteq G^*",
        evidence=_held("SN-L3e"),
        corrects="SN-L3",
        remark="On a line such a tree joins coincident points and neighboring places only, and across a gap inside "
        "the component some point is alone at its place and has every point on the other side as a nearest "
        "neighbor.",
    ),
    Entry(
        "SN-5",
        SEBBAN_NOCK_2002,
        "heading of Section 5.1",
        "If every point has exactly one nearest neighbor, G* is a minimum spanning tree of all points.",
        r"G^* = \mathrm{MST}(S)",
        evidence=_fails("SN-5", "two pairs of coincident points", "the points 0, 1, 3, 4 of a line"),
        remark="The heading says equivalent, the text that components are small minimum spanning trees; that is "
        "SN-L2. With n points there may be n/2 components.",
    ),
    Entry(
        "SN-5n",
        SEBBAN_NOCK_2002,
        "Definition 9 with Section 5",
        "With G* for the tree, and unique nearest neighbors, the neighborhoods of Definition 7 still have n.."
        " = 3n - 2 members in all.",
        r"n_{..} = \sum_i n_{i.} = 3n - 2",
        evidence=_fails(
            "SN-5n", "two pairs of coincident points: n.. = 8", "the points 0, 1, 3, 4 of a line: n.. = 8, not 10"
        ),
        remark="n.. is the factor of the test statistic (9) to (11). The abstract says that the tree can be replaced"
        " without challenging the statistical framework; the factor changes with the feature subset.",
    ),
    Entry(
        "SN-5m",
        SEBBAN_NOCK_2002,
        "Definition 9 with Section 5, corrected",
        "If every point has exactly one nearest neighbor and G* has c components, n.. = 3n - 2c, and c is at "
        "most n/2; so n.. is between 2n and 3n - 2.",
        r"n_{..} = 3n - 2c, \quad 1 \le c \le n/2",
        evidence=_held("SN-5m"),
        corrects="SN-5n",
        remark="A forest of n points and c trees has n - c edges, and each component has two points at least.",
    ),
)

ENTRIES = (*_MEASURES, *_GRAPHS, *_COSTS)
"""The statements as printed, and what can be said instead."""
