"""Ahmed et al. (2015), Section 4: its tables; its curves, read as statements about distributions and samples."""

from __future__ import annotations

import itertools
from collections.abc import Callable

from fstheory.logic.claims import claim
from fstheory.logic.expressions import Formula
from fstheory.logic.language import Model
from fstheory.papers.ahmed_2015 import AHMED_2015
from fstheory.papers.ahmed_2015_greedy import BENEFITS, Value, greedy_steps
from fstheory.papers.entry import Declarations

__all__: list[str] = []

_risk, _told = BENEFITS["01"].value, BENEFITS["log"].value


def _by_score(m: Model, value: Value, pair: tuple[str, ...]) -> Formula:
    """Say that two features may be chosen by their scores, in this order."""
    first, second = pair
    least = [value(m, frozenset({other})) <= value(m, frozenset({second})) for other in m.order if other not in pair]
    return m.all([*least, value(m, frozenset({second})) <= value(m, frozenset({first}))])


def _may_win(value: Value, other: Value) -> Callable[[Model], Formula | bool]:
    """Return that greedy search by a value may end with as much of it as greedy search by another value."""

    def may_win(m: Model) -> Formula | bool:
        pairs = list(itertools.permutations(m.order, 2))
        return len(m.order) < 3 or m.any(
            m.all(
                [
                    *greedy_steps(m, value, own),
                    *greedy_steps(m, other, rival),
                    value(m, frozenset(rival)) <= value(m, frozenset(own)),
                ]
            )
            for own, rival in itertools.product(pairs, pairs)
        )

    return may_win


def _beats_scores(m: Model) -> Formula | bool:
    """Say that greedy search may end with a pair that is as good as every pair that the scores may choose."""
    pairs = list(itertools.permutations(m.order, 2))

    def beats(own: tuple[str, ...], other: tuple[str, ...]) -> Formula:
        return m.implies(_by_score(m, _risk, other), m.risk(own) <= m.risk(other))

    return len(m.order) < 3 or m.any(
        m.all([*greedy_steps(m, _risk, own), *(beats(own, other) for other in pairs if set(other) != set(own))])
        for own in pairs
    )


@claim
def changes_nothing(m: Model) -> Formula:
    """Say that no state of a single feature makes another class the likeliest than the first, or one as likely."""
    return m.all(
        m.probability(x, y) <= m.probability(x, m.classes[0])
        for name in m.order
        for x in m.states({name})
        for y in m.classes
    )


def _all_tie(m: Model) -> Formula:
    return m.all(m.risk({name}) == m.risk(()) for name in m.order)


paper = Declarations(AHMED_2015)

paper.entry("A-X", "Figures 1 to 5")(r"""
BayesGreedy has a test error comparable to or below those of the five other filters on all data sets except one and for
most numbers of features; for the log error MIGreedy has; filters by scores do not perform as well.
$$\mathrm{err}(\text{BayesGreedy}, k) \lesssim \mathrm{err}(\text{MIGreedy}, \text{mRMR}, \text{F-score}, \dots; k)$$
Means of five splits of nine data sets, most of which are not at hand: nothing to prove. Run again on five others
(`fstheory experiment ahmed-2015`, textbook), BayesGreedy is below MIGreedy by two standard errors at one
of 44 points under the 0-1 loss, and above at 12; MIGreedy under the log error comes out as printed on three of five.
What can be decided are readings for distributions and samples: A-Xk, A-Xl, A-Xm, A-Xs, A-Xt and A-Xi.
""")

paper.entry("A-Xm", "Section 4.1", printed=False)(r"""
The expected 0-1 error of the majority table over the feature that BayesGreedy takes on m samples is at most that over
the one that MIGreedy takes.
$$E\,R(\hat h_{\mathrm{Bayes}}) \le E\,R(\hat h_{\mathrm{MI}}), \quad k = 1$$
For k = 1, mRMR takes the feature of MIGreedy. With two samples and two bits they all take the same. With three it is
false, even of the example with which the paper introduces its method: few training errors tell less than the counts.
""")

paper.entry("A-Xk", "Section 4.1", claim(_may_win(_risk, _told), name="A-Xk"), printed=False)(r"""
If the distribution is known, the two features of BayesGreedy have a Bayes risk of at most that of MIGreedy's, if ties
fall well.
$$R(J_2^{\mathrm{Bayes}}) \le R(J_2^{\mathrm{MI}})$$
So no number of samples helps: to take the feature that is best alone can be the wrong beginning.
""")

paper.entry("A-Xl", "Section 4.2", claim(_may_win(_told, _risk), name="A-Xl"), printed=False)(r"""
If the distribution is known, the two features of MIGreedy have a log error of at most that of the two that are chosen
greedily by the 0-1 loss, if ties fall well.
$$H(Y | J_2^{\mathrm{MI}}) \le H(Y | J_2^{\mathrm{Bayes}})$$
""")

paper.entry("A-Xs", "Section 4.1", claim(_beats_scores, name="A-Xs"), printed=False)(r"""
If the distribution is known, the two features of BayesGreedy have a Bayes risk of at most that of BayesScore's, if ties
fall well.
$$R(J_2^{\mathrm{greedy}}) \le R(J_2^{\mathrm{score}})$$
Both begin with the best feature; greedy search then takes its best companion. It is so for every criterion.
""")

paper.entry("A-Xt", "Section 4.1", printed=False)(r"""
The same of three features.
$$R(J_3^{\mathrm{greedy}}) \le R(J_3^{\mathrm{score}})$$
A companion that is the best for one feature need not be so for two.
""")

paper.entry("A-Xi", "Section 4.1", claim(_all_tie, name="A-Xi", assume=(changes_nothing,)), printed=False)(r"""
If no single feature changes which class is the likeliest, all have the same Bayes risk, that of no feature.
$$p(y | x_i) \le p(y_0 | x_i) \text{ for all } i, x_i, y \Rightarrow R(\{X_i\}) = R(\emptyset)$$
So greedy search by the 0-1 loss begins with any feature, and so it goes on until a change is seen. The paper lays the
poor results on Semeion, with one positive in ten, to the greedy search; that the 0-1 loss is blind there is why.
""")

paper.entry("A-T1", "Table 1")("Adult has 48,824 instances.")
paper.entry("A-T1c", "Table 1", corrects="A-T1")(
    "Adult has 48,842 instances. $$$$ p = 0.239 is right with either number."
)
paper.entry("A-F4", "Footnote 4")("Of the data sets Semeion and Waveform have more than two classes, the others two.")
paper.entry("A-F4c", "Footnote 4", corrects="A-F4")(
    "Splice has three, too: p = 0.519 is the share of 1,655 in 3,190, the sequences without a junction of either kind."
)
paper.entry("A-F6", "Footnote 6")("The cuts at mu - sigma and mu + sigma make three categories of each feature.")
paper.entry("A-F6c", "Footnote 6", corrects="A-F6")(r"""
They make at most three; two of a feature with two values, which stay apart; and at most two of a feature that is never
negative, and 0 in half of the rows or more.
$$X \ge 0,\ P(X = 0) \ge \tfrac12 \Rightarrow \mu - \sigma \le 0$$
""")

paper.entry("A-T2", "Table 2, Section 4.5")(r"""
By the printed times the filters by scores are the fastest; BayesGreedy is faster than MIGreedy, and than mRMR on
Gisette but not on Adult.
$$t_{\mathrm{score}} < t_{\mathrm{Bayes}} < t_{\mathrm{MI}}$$
'Significantly' faster than MIGreedy is by a factor of 1.11 to 1.32 on Adult, and 2.18 to 2.23 on Gisette.
""")
