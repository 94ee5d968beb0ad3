"""Peña and Nilsson (2010): which orderings of Bayes risks exist, and the minimal-optimal problem."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations, product
from typing import NamedTuple

from fstheory.logic.claims import claim, positive, unique_maximum
from fstheory.logic.expressions import Formula
from fstheory.logic.language import Classifier, Model
from fstheory.logic.statement import Shape
from fstheory.papers.entry import Declarations, Paper
from fstheory.papers.terms import State

__all__ = [
    "BOTH",
    "PENA_NILSSON_2010",
    "TAUS",
    "Run",
    "backward_runs",
    "returns_in_any_order",
]
PENA_NILSSON_2010 = Paper(
    "Peña and Nilsson",
    "J. M. Peña and R. Nilsson",
    "On the complexity of discrete feature selection for optimal classification",
    2010,
    "pena_nilsson_2010.json",
)

paper = Declarations(PENA_NILSSON_2010)

BOTH = (positive, unique_maximum)

TAUS = (Fraction(1, 10), Fraction(1, 4))
"""Two thresholds of FBS, the smaller one first."""


@claim
def is_example_1(m: Model) -> Formula | bool:
    """Say that the distribution is one of Example 1: X and Y are binary, p(x) > 0, and p(Y = 0 | x) = x/3."""
    if m.shape != Shape((2,), 2):
        return False
    zero, one = m.states()
    first = m.classes[0]
    thirds = (m.probability(zero, first) == 0) & (3 * m.probability(one, first) == m.probability(one))
    return thirds & (m.probability(zero) > 0) & (m.probability(one) > 0)


@paper.claim("PN-M", "Section 1", r"S \subseteq T \Rightarrow R(g^*(T)) \le R(g^*(S))")
def monotone(m: Model, S: frozenset[str], i: str) -> Formula:
    """One more feature never makes the Bayes risk larger; so no superset has a larger one."""
    return m.risk(S | {i}) <= m.risk(S)


@paper.claim("PN-B", "Section 2", r"R(g^*(S)) \le R(g(S))", where={"g": "classifier of S"})
def bayes_is_optimal(m: Model, S: frozenset[str], g: Classifier) -> Formula:
    """No classifier over some features has a smaller risk than their Bayes classifier."""
    return m.risk(S) <= m.risk(g)


@paper.claim("PN-B2", "Section 2", r"R(g^*(S)) = \sum_s \min_y p(s, y) \text{ for two classes}")
def sum_of_minima(m: Model, S: frozenset[str]) -> Formula | bool:
    """With two classes the Bayes risk adds up the smaller of the two probabilities at each state."""
    minima = (m.minimum(m.probability(s, y) for y in m.classes) for s in m.states(S))
    return len(m.classes) > 2 or m.risk(S) == m.sum(minima)


paper.entry("PN-1", "Theorem 1")(r"""
Every strict ordering of the feature subsets that puts supersets first is that of the Bayes risks of a distribution, for
any cardinalities and any number of classes.
$$R(g^*(S_1)) < \dots < R(g^*(S_{2^n})) \text{ whenever } S_j \subset S_i \Rightarrow i < j$$
The last paragraph of the proof assigns positive values 'for all i', but that of S_1 = X is 0 by Equation 2; i >= 2 is
meant. At S_i = 0 the smaller class is Y = 1 'by Equation 1' only as scaled there, the values adding up to 1 - alpha.
""")

paper.entry("PN-1a", "after Theorem 5")(r"""
The distribution constructed for Theorem 1 has p(x) > 0 and a single maximum of p(Y|x) for every x.
$$p(x) > 0 \text{ and } |\operatorname{argmax}_y p(y|x)| = 1$$
""")

paper.entry("PN-1b", "after Theorem 1")(r"""
A chosen subset can be made arbitrarily better than all others of its size.
$$R(g^*(T)) \ge c \, R(g^*(S)) \text{ for all } T \ne S, |T| = |S|, \text{ for any } c$$
True of the ratio of the risks. Their difference is below 1 - alpha, hence below 1/2, by construction. If the class is
the parity of fair bits S, it is 1/2: R(S) = 0, and 1/2 for all others of its size.
""")

paper.entry("PN-1e", "after Theorem 1")(r"""
No search that leaves out a subset of size k, 0 < k < n, always finds a best one: any S may be the only best one.
$$\exists p : R(g^*(S)) < R(g^*(T)) \text{ for all } T \ne S, |T| = k$$
In the worst case: where a subset has the risk of all features, say, a search may stop.
""")

paper.entry("PN-1f", "after Theorem 1", corrects="PN-1e")(r"""
Even under both assumptions the risks of all other subsets, of every size, do not tell if S is the best of its size.
$$R_p(T) = R_q(T) \text{ for all } T \ne S; \quad R_p(S) < R_p(T),\ R_q(S) > R_q(T) \text{ for other } T, |T| = |S|$$
""")


@paper.claim("PN-2", "Theorem 2", assume=BOTH, where={"g": "classifier of S"})
def same_risk_same_classifier(m: Model, S: frozenset[str], g: Classifier) -> Formula:
    r"""A classifier over some features has the Bayes risk of all exactly if it is their Bayes classifier.

    $$R(g(S)) = R(g^*(ST)) \Leftrightarrow g(S) = g^*(ST)$$
    Where classes tie, g* is the Bayes classifier that names the first of them.
    """
    return m.iff(m.risk(g) == m.risk(), m.all(m.predicts(x, g(x)) for x in m.states()))


@paper.claim("PN-2c", "Theorem 2", where={"g": "classifier of S"}, corrects="PN-2")
def same_risk_same_winners(m: Model, S: frozenset[str], g: Classifier) -> Formula:
    r"""A classifier over some features has the Bayes risk of all exactly if it always names a likeliest class.

    $$R(g(S)) = R(g^*(ST)) \Leftrightarrow p(g(s)|st) = \max_y p(y|st) \text{ for all } st$$
    Stronger: it needs no assumption.
    """
    return m.iff(m.risk(g) == m.risk(), m.all(m.maximizes(x, g(x)) for x in m.states()))


@paper.claim("PN-3", "Theorem 3", assume=BOTH, disjoint=True)
def theorem_3(m: Model, S: frozenset[str], T: frozenset[str], U: frozenset[str]) -> Formula | bool:
    r"""If S, T, U are all features: T and U can each be left out at no cost exactly if both can be at once.

    $$R(g^*(STU)) = R(g^*(ST)) = R(g^*(SU)) \Leftrightarrow R(g^*(STU)) = R(g^*(S))$$
    Stated for S, T, U that are all features together; for others it is a theorem about their marginal.
    """
    same = m.iff(m.equal(m.risk(), m.risk(S | T), m.risk(S | U)), m.risk() == m.risk(S))
    return m.features != S | T | U or same  # otherwise a theorem about the distribution of S, T and U alone


@paper.claim("PN-3a", "after Theorem 3", assume=BOTH, disjoint=True)
def no_diamond(m: Model, S: frozenset[str], T: frozenset[str], U: frozenset[str]) -> Formula | bool:
    r"""No distribution has the ordering R(STU) = R(ST) = R(SU) < R(S), where S, T, U are all features.

    $$\neg\,\big(R(g^*(STU)) = R(g^*(ST)) = R(g^*(SU)) < R(g^*(S))\big)$$
    Announced before Theorem 2 without the assumptions. Without them, up to three features have every ordering that
    respects monotonicity, and four bits with two classes do not (textbook, realizable-orderings).
    """
    diamond = m.equal(m.risk(), m.risk(S | T), m.risk(S | U)) & (m.risk() < m.risk(S))
    return m.features != S | T | U or ~diamond


@paper.claim("PN-3b", "after Theorem 3", assume=BOTH, disjoint=True, printed=False)
def no_diamond_below(m: Model, S: frozenset[str], T: frozenset[str], U: frozenset[str]) -> Formula:
    r"""If p(Y|x) has a single maximum for every x, then no S, T, U have R(STU) = R(ST) = R(SU) < R(S).

    $$\neg\,\big(R(g^*(STU)) = R(g^*(ST)) = R(g^*(SU)) < R(g^*(S))\big) \text{ for all disjoint } S, T, U$$
    Not printed, but easily read into the remark: maxima that are single given all features need not be given s, t, u.
    """
    top = m.risk(S | T | U)
    return ~(m.equal(top, m.risk(S | T), m.risk(S | U)) & (top < m.risk(S)))


@paper.claim("PN-4b", "Section 4", assume=(positive,))
def no_bijection(m: Model, S: frozenset[str], i: str) -> Formula | bool:
    r"""If p(x) > 0 for every x, no features determine another one; so there is no bijection of two feature subsets.

    $$p(x) > 0 \text{ for all } x \Rightarrow X_S \text{ does not determine } X_i \text{ for } i \notin S$$
    The paper says it of bijections. The converse is false: p(x) = 0 at one state need not determine any feature.
    """
    always = (m.any(m.probability(s | x) == m.probability(s) for x in m.states({i})) for s in m.states(S))
    return i in S or ~m.all(always)


@paper.claim("PN-4", "Theorem 4", r"S, T \text{ minimal-optimal} \Rightarrow S = T", assume=BOTH)
def unique_solution(m: Model, S: frozenset[str], T: frozenset[str]) -> Formula | bool:
    """The minimal feature subset of minimal Bayes risk is unique."""
    return S == T or ~(m.minimal_optimal(S) & m.minimal_optimal(T))


@paper.claim("PN-5", "Theorem 5, Table 1", assume=BOTH)
def backward_search(m: Model) -> Formula:
    r"""The backward search of Table 1 returns a minimal feature subset of minimal Bayes risk.

    $$\mathrm{BS} \text{ returns a minimal-optimal subset}$$
    It needs neither assumption: they only make the solution unique. Starting over after a removal is not needed.
    """
    return m.all(m.implies(run.happens, m.minimal_optimal(run.returned)) for run in backward_runs(m))


@paper.claim("PN-5a", "after Theorem 5", assume=BOTH)
def removal_in_any_order(m: Model, S: frozenset[str]) -> Formula:
    r"""Removing features that cost nothing, in whatever order, solves the minimal-optimal problem as well.

    $$\text{every order of removals at no cost ends at a minimal-optimal subset}$$
    """
    return m.implies(returns_in_any_order(m, S), m.minimal_optimal(S))


paper.entry("PN-5c", "after Theorem 5")(r"""
With more than two features, backward search does not look at all subsets: it computes at most 1 + n(n + 1)/2 risks.
$$1 + \tfrac{n(n + 1)}{2} < 2^n \Leftrightarrow n \ge 3$$
""")

paper.entry("PN-5d", "after Theorem 5, Section 6", corrects="PN-5c")(r"""
Backward search computes at most (n + 2)**2/4 risks, rounded down, and so many for some p under both assumptions.
$$\max_p \#\{S : \mathrm{BS} \text{ computes } R(g^*(S))\} = \lfloor (n + 2)^2 / 4 \rfloor$$
One shot computes n + 1, fewer than 2**n from n = 2 on: the problem is tractable, as Section 6 says, counted in risks.
One risk may be hard: for fair bits and Y = f(X), f a formula, it is NP-hard to tell whether the solution is empty.
""")


@paper.claim("PN-6", "Theorem 6, Table 2", r"X_i \in S^* \Leftrightarrow R(g^*(\neg X_i)) \ne R(g^*(X))", assume=BOTH)
def one_shot(m: Model, S: frozenset[str], i: str) -> Formula:
    """A feature is in the solution exactly if the other features have a larger Bayes risk than all features."""
    return m.implies(m.minimal_optimal(S), m.iff(i in S, m.risk(m.features - {i}) != m.risk()))


@paper.claim("PN-6b", "Theorem 6", r"X_i \in S^* \Leftrightarrow g^*(\neg X_i) \ne g^*(X)", assume=BOTH)
def one_shot_by_classifier(m: Model, S: frozenset[str], i: str) -> Formula:
    """A feature is in the solution exactly if the Bayes classifier over the others differs from the one over all."""
    same = m.all(m.same_prediction(_without(x, i), x) for x in m.states())
    return m.implies(m.minimal_optimal(S), m.iff(i in S, ~same))


@paper.claim("PN-6c", "Theorem 6, Table 2", corrects="PN-6")
def one_shot_is_the_intersection(m: Model, i: str) -> Formula:
    r"""The features whose removal costs something are those in all minimal feature subsets of minimal Bayes risk.

    $$\{X_i : R(g^*(\neg X_i)) \ne R(g^*(X))\} = \bigcap \{S : S \text{ minimal-optimal}\}$$
    What one shot finds for every distribution, with no assumption.
    """
    in_all = m.all(m.implies(m.minimal_optimal(S), i in S) for S in m.subsets())
    return m.iff(m.risk(m.features - {i}) != m.risk(), in_all)


@paper.claim("PN-7", "Theorem 7", assume=BOTH)
def resampling(m: Model, S: frozenset[str], i: str) -> Formula:
    r"""A feature is in the solution exactly if drawing it again, given the others, may change the predicted class.

    $$X_i \in S^* \Leftrightarrow P\big(g^*(\neg X_i, X_i) \ne g^*(\neg X_i, X_i')\big) > 0$$
    Twice the same function g*: a second sensor with p' = p on the features may have another Bayes classifier.
    """
    changes = m.any(
        (m.probability(x) > 0) & (m.probability(again) > 0) & ~m.same_prediction(x, again)
        for x, again in combinations(m.states(), 2)
        if _without(x, i) == _without(again, i)
    )
    return m.implies(m.minimal_optimal(S), m.iff(i in S, changes))


@paper.claim("PN-E1", "Example 1", assume=(is_example_1,))
def strongly_relevant_outside(m: Model, i: str) -> Formula | bool:
    r"""In Example 1 the feature is strongly relevant, and not in the solution, for the Bayes classifier is constant.

    $$p(x) > 0,\ p(Y = 0|x) = x/3 \Rightarrow p(Y|\neg X) \ne p(Y|X),\ X \notin S^*,\ g^*(x) = 1$$
    """
    constant = m.all(m.predicts(x, m.classes[1]) for x in m.states())
    return strongly_relevant(m, i) & m.minimal_optimal(frozenset()) & ~m.minimal_optimal(frozenset({i})) & constant


@paper.claim("PN-R1", "after Example 1", r"X_i \in S^* \Rightarrow p(Y|\neg X_i) \ne p(Y|X)", assume=BOTH)
def solution_is_strongly_relevant(m: Model, S: frozenset[str], i: str) -> Formula | bool:
    """Every feature of the solution is strongly relevant."""
    return i not in S or m.implies(m.minimal_optimal(S), strongly_relevant(m, i))


@paper.claim("PN-R2", "after Example 1", assume=(positive,))
def boundary_is_strongly_relevant(m: Model, S: frozenset[str]) -> Formula:
    r"""If p(x) > 0 for every x, then the only Markov boundary is the set of the strongly relevant features.

    $$M \text{ Markov boundary} \Leftrightarrow M = \{X_i : X_i \text{ strongly relevant}\}$$
    """
    relevant = m.all(strongly_relevant(m, i) if i in S else ~strongly_relevant(m, i) for i in m.order)
    return m.iff(_boundary(m, S), relevant)


@paper.claim("PN-R3", "after Example 1", assume=(is_example_1,))
def boundary_is_not_solution(m: Model, i: str) -> Formula | bool:
    r"""In Example 1 the Markov boundary is the feature, and the solution is empty; so they differ in general.

    $$p(x) > 0,\ p(Y = 0|x) = x/3 \Rightarrow M = \{X\} \ne \emptyset = S^*$$
    """
    return _boundary(m, frozenset({i})) & m.minimal_optimal(frozenset())


paper.entry("PN-8", "Theorem 8")(r"""
FBS and FOS are consistent for every tau below some eta, if the inducer is universally so and the risk estimate is.
$$P(\mathrm{FBS}(D^l) \ne S^*) \to 0 \text{ for } \tau \in (0, \eta)$$
True, with its proof. Where it says 'in other words', the first test that FBS answers otherwise than BS is meant: up to
it both have the same S_j and T_j. Where no difference is positive, eta = 1 is arbitrary: every tau > 0 will do.
""")

paper.entry("PN-8d", "Theorem 8", corrects="PN-8")(r"""
FBS finds what BS finds if tau is below eta, without any assumption, and with tau above eta it does not; nor does FOS.
$$P(\mathrm{FBS}(D^l) = \mathrm{BS}(p)) \to 1 \text{ if } \tau < \eta, \; \to 0 \text{ if } \tau > \eta \text{ and }
\mathrm{BS}(p) \ne \emptyset$$
FOS needs that OS finds a solution, which both assumptions ensure; under these the eta of FBS is never below that of
FOS, and at tau = eta, with majority tables and resubstitution, the upper limit is at most 1/2.
""")

paper.entry("PN-8k", "after Theorem 8")(r"""
The k-nearest neighbor method is universally consistent, so that with it FBS and FOS are consistent.
$$R(I_{k\text{-NN}}(D^l)) \to R(g^*(X)) \text{ in probability}$$
Said of the method as such. With k = 1 the risk tends to the Gini impurity, and FBS and FOS keep a feature that changes
p(Y|x) but not the likeliest class, for every small enough tau: no eta will do. The theorem cited has a k that grows.
""")

paper.entry("PN-8l", "after Theorem 8", corrects="PN-8k")(r"""
With k that tends to infinity while k/l tends to 0, the k-nearest neighbor method is universally consistent.
$$k \to \infty, \; k/l \to 0 \Rightarrow R(I_{k\text{-NN}}(D^l)) \to R(g^*(X)) \text{ in probability}$$
For finitely many states: in the end all k neighbors of x are samples at x, and their majority is a likeliest class.
""")

paper.entry("PN-8m", "after Theorem 8")(r"""
Support vector machines are universally consistent.
$$R(I_{\mathrm{SVM}}(D^l)) \to R(g^*(X)) \text{ in probability}$$
Said of the method as such. With a linear kernel it is false: no linear classifier is right on all four states of
exclusive or. The paper that is cited proves it for universal kernels, and a regularization that depends on l.
""")

paper.entry("PN-8e", "after Theorem 8")(r"""
The fraction of errors on the second half of the data is a consistent estimate of the risk learned on the first half.
$$P(|\hat R - R(I(D^{l/2}))| > \varepsilon) \le 2 e^{-l \varepsilon^2}$$
For every inducer and distribution, by Hoeffding's inequality. On the data that it learned from it is not, in general:
the nearest neighbor of a sample is itself.
""")

paper.entry("PN-8x", "after Theorem 8")(r"""
The cross-validation estimate is a consistent estimate of the risk of every universally consistent inducer.
$$P(|\hat R_{\mathrm{CV}} - R(I(D^l))| > \varepsilon) \to 0$$
False of leaving one out, which the chapter that is cited is about: an inducer that answers by the parity of the sample
where the classes about tie is universally consistent, its estimate tends to 0 or 1 by chance where the risk is 1/2, and
FOS drops a fair bit, of which the class is a copy flipped with probability 3/10, half the time for every tau below eta.
""")

paper.entry("PN-8y", "after Theorem 8", corrects="PN-8x")(r"""
Cross-validation with a fixed number of folds is a consistent estimate for every universally consistent inducer.
$$P(|\hat R_{k\text{-fold}} - R(I(D^l))| > \varepsilon) \to 0 \text{ for fixed } k$$
Leaving one out is one for majority tables.
""")

paper.entry("PN-8p", "Section 5")(r"""
The smaller tau, the lower the precision of what FBS selects on samples.
$$\tau < \tau' \Rightarrow E\,\pi(\mathrm{FBS}_\tau) \le E\,\pi(\mathrm{FBS}_{\tau'}),\ \pi(S) = |S \cap S^*| / |S|$$
The paper says: the smaller tau, the higher recall but the lower precision. A larger tau may drop the feature that
matters and then keep another one. On recall see PN-8r and PN-8s; for FOS it is indeed no lower, on every sample.
""")


@paper.claim("PN-8a", "Section 5")
def fewer_than_square(m: Model) -> Formula:
    r"""The backward search takes fewer than n**2 iterations, and so does FBS.

    $$\#\text{iterations of BS} < n^2$$
    False for n = 1, 2, 3 and true from n = 4 on, of FBS as of BS. Of FOS it says exactly n, see PN-8c.
    """
    return m.all(m.implies(run.happens, run.iterations < len(m.order) ** 2) for run in backward_runs(m))


@paper.claim("PN-8b", "Section 5", corrects="PN-8a")
def iterations(m: Model) -> Formula:
    r"""The backward search, and FBS, takes n iterations and i more for each removed feature Xi: n(n + 3)/2 at most.

    $$\#\text{iterations of FBS} = n + \sum_{X_i \text{ removed}} i \le \tfrac{n(n + 3)}{2}$$
    So it is quadratic at worst, n at best, and never less than for FOS.
    """
    n = len(m.order)
    return m.all(
        m.implies(run.happens, run.iterations == n + sum(m.order.index(i) + 1 for i in m.features - run.returned))
        for run in backward_runs(m)
    )


paper.entry("PN-8c", "Section 5")(r"""
FOS takes exactly n iterations, whatever its estimates are.
$$\#\text{iterations of FOS} = n$$
""")


@paper.claim("PN-8r", "Section 5", assume=BOTH)
def smaller_tau_finds_more(m: Model, S: frozenset[str]) -> Formula:
    r"""With the risks themselves, FBS with tau = 1/10 finds as many features of the solution as with tau = 1/4.

    $$\tau < \tau' \Rightarrow |\mathrm{FBS}_\tau \cap S^*| \ge |\mathrm{FBS}_{\tau'} \cap S^*|$$
    The paper says: the smaller tau, the higher the recall. With the smaller one FBS removes X2 and X3, with the larger
    one first X1, and then no other. For FOS it is true, see PN-8s.
    """
    fewer = [
        one.happens & two.happens
        for one, two in product(*(list(backward_runs(m, tau)) for tau in TAUS))
        if len(one.returned & S) < len(two.returned & S)
    ]
    return m.implies(m.minimal_optimal(S), ~m.any(fewer))


@paper.claim("PN-8s", "Section 5", assume=BOTH, corrects="PN-8r", printed=True)
def smaller_tau_keeps_more(m: Model, i: str) -> Formula:
    r"""With the risks themselves, FOS with tau = 1/10 finds every feature that it finds with tau = 1/4.

    $$\tau < \tau' \Rightarrow \mathrm{FOS}_{\tau'} \subseteq \mathrm{FOS}_\tau$$
    It needs neither assumption; they make the solution that is to be found unique.
    """
    cost = m.risk(m.features - {i}) - m.risk()
    return m.implies(cost > TAUS[1], cost > TAUS[0])


paper.entry("PN-8o", "after Theorem 8")(r"""
FBS and FOS take a time polynomial in n if inducer and estimate do; so consistent algorithms of polynomial time exist.
$$\text{FBS makes at most } 1 + \tfrac{n(n + 1)}{2} \text{ estimates, FOS } n + 1$$
It is the time on given samples. How many samples are needed has no bound that holds for all p, even with n = 1.
""")

paper.entry("PN-8f", "Section 5")(r"""
FBS is more reliable than FOS, since its sets get smaller.
$$P(\mathrm{FBS}(D^l) = S^*) \ge P(\mathrm{FOS}(D^l) = S^*)$$
First it 'may be', then its check 'is'. On two samples of six people the check of X2 errs with probability 1/9 in FBS
and 1/18 in FOS. On another distribution FBS is ahead with 20 samples, and FOS in the long run.
""")

paper.entry("PN-8g", "Section 5", corrects="PN-8f")(r"""
If S* determines the class, then FBS with majority tables and resubstitution finds S* on every sample on which FOS does.
$$R(g^*(S^*)) = 0 \Rightarrow \big(\mathrm{FOS}(D^l) = S^* \Rightarrow \mathrm{FBS}(D^l) = S^*\big)$$
""")

paper.entry("PN-9", "Section 6")(r"""
Methods that add one feature at a time until they have S* need more than p(x) > 0 and single maxima.
$$Y = X_i \oplus X_j \Rightarrow R(g^*(X_h)) = R(g^*(\emptyset)) = \tfrac12 \text{ for all } h$$
Likely, the paper says. It is so if they see the risks of their set and of one feature more: three fair bits look alike.
""")


class Run(NamedTuple):
    """One way the search can go: the answers that decide that it does, how often the loop is entered, the subset."""

    happens: Formula
    iterations: int
    returned: frozenset[str]


def backward_runs(m: Model, tau: Fraction | None = None) -> Iterator[Run]:
    """Yield every run of Table 1, line by line as printed; exactly one of them happens at a distribution.

    With tau it is FBS where the risks are known: a removal may cost at most tau.
    """
    yield from _continued(m, m.features, 0, m.all([]), tau)


def _continued(m: Model, S: frozenset[str], iterations: int, happens: Formula, tau: Fraction | None) -> Iterator[Run]:
    for feature in m.order:
        iterations += 1
        if feature in S:
            rest = m.risk(S - {feature})
            spared = rest == m.risk(S) if tau is None else rest <= m.risk(S) + tau
            yield from _continued(m, S - {feature}, iterations, happens & spared, tau)  # starts over, line 7
            happens = happens & ~spared
    yield Run(happens, iterations, S)


def returns_in_any_order(m: Model, S: frozenset[str]) -> Formula:
    """Return the statement that some order of removals ends at S: each keeps the risk, and none from S does."""
    ends = m.all(m.risk(S - {i}) != m.risk(S) for i in S)
    return ends & _removed(m, m.features, S)


def _removed(m: Model, current: frozenset[str], S: frozenset[str]) -> Formula:
    steps = ((m.risk(current - {i}) == m.risk(current)) & _removed(m, current - {i}, S) for i in current - S)
    return m.any([True] if current == S else steps)


def strongly_relevant(m: Model, i: str) -> Formula:
    """Return the statement p(Y | all features) != p(Y | all but i), at some state of positive probability."""
    return m.any(
        m.probability(x, y) * m.probability(_without(x, i)) != m.probability(_without(x, i), y) * m.probability(x)
        for x in m.states()
        for y in m.classes
    )


def _blanket(m: Model, S: frozenset[str]) -> Formula:
    """Return the statement p(Y | S) = p(Y | all features), wherever the latter is defined."""
    return m.all(
        m.probability(x, y) * m.probability(s) == m.probability(s, y) * m.probability(x)
        for x in m.states()
        for s in [{name: label for name, label in x.items() if name in S}]
        for y in m.classes
    )


def _boundary(m: Model, S: frozenset[str]) -> Formula:
    """Return the statement that S is a minimal blanket."""
    return _blanket(m, S) & ~m.any(_blanket(m, part) for part in m.subsets(S) if part != S)


def _without(x: State, i: str) -> State:
    return {name: label for name, label in x.items() if name != i}
