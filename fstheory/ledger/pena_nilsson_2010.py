"""Peña and Nilsson (2010): which orderings of Bayes risks exist, and the minimal-optimal problem."""

from __future__ import annotations

from collections.abc import Iterable

from fstheory.ledger import pena_nilsson_claims as said
from fstheory.ledger.entry import CHECKOUT, Entry, Evidence, argued, exhausted, realized, refuted, refuted_by_example
from fstheory.ledger.entry import PENA_NILSSON_2010 as PAPER

__all__ = ["ENTRIES"]

_COUNTS = f"{CHECKOUT}tests.ledger.check_pena_nilsson"


def _proved(key: str, *shapes: tuple[tuple[int, ...], int]) -> tuple[Evidence, ...]:
    """Return the proofs for some shapes; the first has its certificate here, the others are made again in seconds."""
    first, *others = shapes
    return _proof(key, *first), *(_proof(key, *shape, kept=False) for shape in others)


def _proof(key: str, cardinalities: Iterable[int], classes: int, *, without: str = "", kept: bool = True) -> Evidence:
    sizes = list(map(str, cardinalities))
    name = f"{key}{f'-without-{without}' if without else ''}-proof-{'x'.join(sizes)}-{classes}.json"
    option = f" --without {without}" if without else ""
    return Evidence(
        "P",
        f"{' x '.join(sizes)} states, {classes} classes",
        f"fstheory prove {key}{option} --cardinalities {','.join(sizes)} --classes {classes}",
        name if kept else None,
    )


def _refuted(key: str, what: str, *, without: str = "") -> Evidence:
    option = f" --without {without}" if without else ""
    name = f"{key}-without-{without}.json" if without else f"{key}.json"
    return Evidence("R", what, f"fstheory refute {key}{option}", name)


def _checked(key: str, what: str, count: int) -> Evidence:
    return Evidence("C", what, f"{_COUNTS}  # {key}", count=count)


_SMALL = (((2, 2), 2), ((2, 2), 3), ((2, 2, 2), 2))
_COPIES = "two features that are copies of each other"
_TIE = "a tie at one state"

ENTRIES = (
    Entry.of(
        said.monotone,
        PAPER,
        "Section 1",
        r"S \subseteq T \Rightarrow R(g^*(T)) \le R(g^*(S))",
        evidence=(argued("bayes-risk"), *_proved("PN-M", *_SMALL)),
    ),
    Entry(
        "PN-1",
        PAPER,
        "Theorem 1",
        "Every strict ordering of the feature subsets that puts supersets first is that of the Bayes risks of a "
        "distribution, for any cardinalities and any number of classes.",
        r"R(g^*(S_1)) < \dots < R(g^*(S_{2^n})) \text{ whenever } S_j \subset S_i \Rightarrow i < j",
        evidence=(
            argued("any-ordering"),
            _checked("PN-1", "all orders of up to 3 features, random ones of up to 8, several shapes", 339),
        ),
        remark="The slip is in the last paragraph of the proof: values are assigned 'for all i', but that of S_1 = X "
        "is 0 by Equation 2; i >= 2 is meant. The smaller class at S_i = 0 is Y = 1 'by Equation 1' for the "
        "probabilities as scaled there, which add up to 1 - alpha.",
    ),
    Entry(
        "PN-1a",
        PAPER,
        "after Theorem 5",
        "The distribution constructed for Theorem 1 has p(x) > 0 and a single maximum of p(Y|x) for every x.",
        r"p(x) > 0 \text{ and } |\operatorname{argmax}_y p(y|x)| = 1",
        evidence=(
            argued("any-ordering"),
            _checked("PN-1a", "the distributions of PN-1", 339),
        ),
    ),
    Entry(
        "PN-1b",
        PAPER,
        "after Theorem 1",
        "A chosen subset can be made arbitrarily better than all others of its size.",
        r"R(g^*(T)) \ge c \, R(g^*(S)) \text{ for all } T \ne S, |T| = |S|, \text{ for any } c",
        evidence=(
            argued("any-ordering"),
            _checked("PN-1b", "every subset of 2 to 5 features, factors up to 10**9", 156),
        ),
        remark="True of the ratio of the risks. Their difference is below 1 - alpha, hence below 1/2, by construction.",
    ),
    Entry.of(
        said.same_risk_same_classifier,
        PAPER,
        "Theorem 2",
        r"R(g(S)) = R(g^*(ST)) \Leftrightarrow g(S) = g^*(ST)",
        evidence=(argued("minimal-optimal"), *_proved("PN-2", *_SMALL)),
        needs={
            "positive": _refuted("PN-2", "an impossible state, where the classifiers may differ", without="positive"),
            "unique_maximum": _refuted("PN-2", _TIE, without="unique_maximum"),
        },
        remark="Where classes tie, g* is the Bayes classifier that names the first of them.",
    ),
    Entry.of(
        said.same_risk_same_winners,
        PAPER,
        "Theorem 2",
        r"R(g(S)) = R(g^*(ST)) \Leftrightarrow p(g(s)|st) = \max_y p(y|st) \text{ for all } st",
        evidence=(argued("minimal-optimal"), *_proved("PN-2c", *_SMALL)),
        corrects="PN-2",
        remark="Stronger: it needs no assumption.",
    ),
    Entry.of(
        said.theorem_3,
        PAPER,
        "Theorem 3",
        r"R(g^*(STU)) = R(g^*(ST)) = R(g^*(SU)) \Leftrightarrow R(g^*(STU)) = R(g^*(S))",
        evidence=(argued("minimal-optimal"), *_proved("PN-3", *_SMALL, ((2, 3), 2), ((2, 2, 3), 2), ((2, 2, 2), 3))),
        needs={
            "positive": _refuted("PN-3", _COPIES, without="positive"),
            "unique_maximum": _refuted("PN-3", "ties where two features differ", without="unique_maximum"),
        },
        remark="Stated for S, T, U that are all features together; for others it is a theorem about their marginal.",
    ),
    Entry.of(
        said.no_diamond,
        PAPER,
        "after Theorem 3",
        r"\neg\,\big(R(g^*(STU)) = R(g^*(ST)) = R(g^*(SU)) < R(g^*(S))\big)",
        evidence=(argued("minimal-optimal"), *_proved("PN-3a", *_SMALL)),
        needs={
            "positive": _refuted("PN-3a", _COPIES, without="positive"),
            "unique_maximum": _refuted("PN-3a", "ties where two features differ", without="unique_maximum"),
        },
    ),
    Entry.of(
        said.no_diamond_below,
        PAPER,
        "after Theorem 3",
        r"p(x) > 0,\ |\operatorname{argmax}_y p(y|x)| = 1 \Rightarrow "
        r"\neg\,\big(R(g^*(STU)) = R(g^*(ST)) = R(g^*(SU)) < R(g^*(S))\big) \text{ for all } S, T, U",
        evidence=(_refuted("PN-3b", "a diamond below X"),),
        printed=False,
        remark="Not printed, but easily read into the remark: the maxima must be single given s, t, u, which does not "
        "follow from single maxima given all features.",
    ),
    Entry.of(
        said.no_bijection,
        PAPER,
        "Section 4",
        r"p(x) > 0 \text{ for all } x \Rightarrow X_S \text{ does not determine } X_i \text{ for } i \notin S",
        evidence=(argued("minimal-optimal"), *_proved("PN-4b", *_SMALL)),
        needs={"positive": _refuted("PN-4b", "a feature with one possible state", without="positive")},
        remark="The paper says it of bijections. The converse is false: p(x) = 0 at one state need not determine any "
        "feature.",
    ),
    Entry.of(
        said.unique_solution,
        PAPER,
        "Theorem 4",
        r"S, T \text{ minimal-optimal} \Rightarrow S = T",
        evidence=(argued("minimal-optimal"), *_proved("PN-4", *_SMALL)),
        needs={
            "positive": _refuted("PN-4", _COPIES, without="positive"),
            "unique_maximum": _refuted("PN-4", "six people and two solutions", without="unique_maximum"),
        },
    ),
    Entry.of(
        said.backward_search,
        PAPER,
        "Theorem 5, Table 1",
        r"\mathrm{BS} \text{ returns a minimal-optimal subset}",
        evidence=(argued("minimal-optimal"), *_proved("PN-5", *_SMALL)),
        needs={
            "positive": _proof("PN-5", (2, 2), 2, without="positive"),
            "unique_maximum": _proof("PN-5", (2, 2), 2, without="unique_maximum"),
        },
        remark="It needs neither assumption: they only make the solution unique. Starting over after a removal is not "
        "needed.",
    ),
    Entry.of(
        said.removal_in_any_order,
        PAPER,
        "after Theorem 5",
        r"\text{every order of removals at no cost ends at a minimal-optimal subset}",
        evidence=(argued("minimal-optimal"), *_proved("PN-5a", *_SMALL)),
        needs={
            "positive": _proof("PN-5a", (2, 2), 2, without="positive"),
            "unique_maximum": _proof("PN-5a", (2, 2), 2, without="unique_maximum"),
        },
    ),
    Entry.of(
        said.one_shot,
        PAPER,
        "Theorem 6, Table 2",
        r"X_i \in S^* \Leftrightarrow R(g^*(\neg X_i)) \ne R(g^*(X))",
        evidence=(argued("minimal-optimal"), *_proved("PN-6", *_SMALL)),
        needs={
            "positive": _refuted("PN-6", _COPIES, without="positive"),
            "unique_maximum": _refuted("PN-6", "two solutions, neither feature needed", without="unique_maximum"),
        },
    ),
    Entry.of(
        said.one_shot_by_classifier,
        PAPER,
        "Theorem 6",
        r"X_i \in S^* \Leftrightarrow g^*(\neg X_i) \ne g^*(X)",
        evidence=(argued("minimal-optimal"), *_proved("PN-6b", *_SMALL)),
        needs={
            "positive": _refuted("PN-6b", "an impossible state, where the classifiers may differ", without="positive"),
            "unique_maximum": _refuted("PN-6b", _TIE, without="unique_maximum"),
        },
    ),
    Entry.of(
        said.one_shot_is_the_intersection,
        PAPER,
        "Theorem 6, Table 2",
        r"\{X_i : R(g^*(\neg X_i)) \ne R(g^*(X))\} = \bigcap \{S : S \text{ minimal-optimal}\}",
        evidence=(argued("minimal-optimal"), *_proved("PN-6c", *_SMALL)),
        corrects="PN-6",
        remark="What one shot finds for every distribution, with no assumption.",
    ),
    Entry.of(
        said.resampling,
        PAPER,
        "Theorem 7",
        r"X_i \in S^* \Leftrightarrow P\big(g^*(\neg X_i, X_i) \ne g^*(\neg X_i, X_i')\big) > 0",
        evidence=(argued("minimal-optimal"), *_proved("PN-7", *_SMALL)),
        needs={
            "positive": _refuted("PN-7", _COPIES, without="positive"),
            "unique_maximum": _refuted("PN-7", _TIE, without="unique_maximum"),
        },
    ),
    Entry.of(
        said.strongly_relevant_outside,
        PAPER,
        "Example 1",
        r"p(x) > 0,\ p(Y = 0|x) = x/3 \Rightarrow p(Y|\neg X) \ne p(Y|X),\ X \notin S^*,\ g^*(x) = 1",
        evidence=(argued("relevance"), realized("PN-E1", "the example of the paper, with p(x) = 1/2")),
        remark="So a strongly relevant feature need not be in the solution.",
    ),
    Entry.of(
        said.solution_is_strongly_relevant,
        PAPER,
        "after Example 1",
        r"X_i \in S^* \Rightarrow p(Y|\neg X_i) \ne p(Y|X)",
        evidence=(
            argued("relevance"),
            exhausted("PN-R1", 1_358),
        ),
        needs={
            "positive": refuted("PN-R1", _COPIES, (2, 2), without="positive"),
            "unique_maximum": argued("relevance"),
        },
    ),
    Entry.of(
        said.boundary_is_strongly_relevant,
        PAPER,
        "after Example 1",
        r"p(x) > 0 \Rightarrow "
        r"\big(M \text{ Markov boundary} \Leftrightarrow M = \{X_i : X_i \text{ strongly relevant}\}\big)",
        evidence=(
            argued("relevance"),
            exhausted("PN-R2", 1_970),
        ),
        needs={"positive": refuted("PN-R2", _COPIES, (2, 2), without="positive")},
    ),
    Entry.of(
        said.boundary_is_not_solution,
        PAPER,
        "after Example 1",
        r"p(x) > 0,\ p(Y = 0|x) = x/3 \Rightarrow M = \{X\} \ne \emptyset = S^*",
        evidence=(argued("relevance"), realized("PN-R3", "the example of the paper, with p(x) = 1/2")),
    ),
    Entry(
        "PN-8",
        PAPER,
        "Theorem 8",
        "FBS and FOS are consistent for every tau below some eta.",
        r"P(\mathrm{FBS}(D^l) \ne S^*) \to 0 \text{ for } \tau \in (0, \eta)",
        remark="About samples, so not a statement about one distribution; entered with the finite-sample part.",
    ),
    Entry.of(
        said.fewer_than_square,
        PAPER,
        "Section 5",
        r"\#\text{iterations of BS} < n^2",
        evidence=(_refuted("PN-8a", "one useless feature: two iterations"),),
        remark="False for n = 1, 2, 3 and true from n = 4 on, of FBS as of BS. Of FOS it says exactly n, see PN-8c.",
    ),
    Entry.of(
        said.iterations,
        PAPER,
        "Section 5",
        r"\#\text{iterations of FBS} = n + \sum_{X_i \text{ removed}} i \le \tfrac{n(n + 3)}{2}",
        evidence=(
            argued("minimal-optimal"),
            Evidence(
                "X",
                "every sequence in which FBS can remove some of up to 8 features, whatever its estimates are",
                f"{CHECKOUT}tests.ledger.iterations_literal",
                count=125_672,
            ),
        ),
        corrects="PN-8a",
    ),
    Entry(
        "PN-8c",
        PAPER,
        "Section 5",
        "FOS takes exactly n iterations, whatever its estimates are.",
        r"\#\text{iterations of FOS} = n",
        evidence=(argued("minimal-optimal"),),
    ),
    Entry.of(
        said.smaller_tau_finds_more,
        PAPER,
        "Section 5",
        r"\tau < \tau' \Rightarrow |\mathrm{FBS}_\tau \cap S^*| \ge |\mathrm{FBS}_{\tau'} \cap S^*|",
        evidence=(refuted_by_example("PN-8r", "fourteen people, three features that are all in the solution"),),
        remark="The paper says: the smaller tau, the higher the recall. With the smaller one FBS removes X2 and X3, "
        "with the larger one first X1, and then no other. For FOS it is true, see PN-8s.",
    ),
    Entry.of(
        said.smaller_tau_keeps_more,
        PAPER,
        "Section 5",
        r"\tau < \tau' \Rightarrow \mathrm{FOS}_{\tau'} \subseteq \mathrm{FOS}_\tau",
        evidence=(argued("minimal-optimal"), *_proved("PN-8s", *_SMALL)),
        needs={
            "positive": _proof("PN-8s", (2, 2), 2, without="positive"),
            "unique_maximum": _proof("PN-8s", (2, 2), 2, without="unique_maximum"),
        },
        corrects="PN-8r",
        printed=True,
        remark="It needs neither assumption; they make the solution that is to be found unique.",
    ),
)
