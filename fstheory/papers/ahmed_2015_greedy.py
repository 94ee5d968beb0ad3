"""Ahmed et al. (2015), Sections 3.2 and 5: the search, and which criteria are submodular."""

from __future__ import annotations

import itertools
import math
import operator
from collections.abc import Callable, Mapping
from fractions import Fraction
from types import MappingProxyType
from typing import Any, NamedTuple, TypeAlias

from fstheory.logic.claims import Claim, claim
from fstheory.logic.expressions import Formula, Term
from fstheory.logic.language import Model
from fstheory.papers import measures, terms
from fstheory.papers.ahmed_2015 import AHMED_2015, COSTS, two_classes
from fstheory.papers.entry import Declarations
from fstheory.papers.measures import both_classes

__all__ = [
    "BENEFITS",
    "Benefit",
    "Value",
    "greedy_steps",
]
Value: TypeAlias = "Callable[[Model, frozenset[str]], Term]"


class Benefit(NamedTuple):
    """A criterion: its name, its value for a subset, and what it assumes."""

    name: str
    value: Value
    assume: tuple[Claim, ...] = ()


BENEFITS: Mapping[str, Benefit] = MappingProxyType(
    {
        "01": Benefit("the 0-1 criterion", lambda m, of: -m.risk(of)),
        "cost": Benefit("the cost-sensitive criterion, c = 1/4", lambda m, of: -measures.cost_closed(m, of, COSTS[0])),
        "bal": Benefit("the balanced criterion", lambda m, of: -measures.balanced_closed(m, of), (both_classes,)),
        "log": Benefit("mutual information", lambda m, of: m.mutual_information(of)),
        "sq": Benefit("the squared error criterion", lambda m, of: -terms.squared_error(m, of)),
        "F": Benefit("the F_1 criterion", lambda m, of: measures.f_best(m, of, Fraction(1)), (both_classes,)),
        "auc": Benefit("the AUC criterion", measures.auc_closed, (both_classes,)),
    }
)
"""The criteria of Examples 2 to 8."""

_REMARKS = {
    "log": "The guarantee that the paper cites (Krause and Guestrin).",
    "sq": "The guarantee that the paper cites for the squared error (Das and Kempe) is by the submodularity ratio.",
    "bal": "The last class against the rest. Two features and two classes never violate it: the criterion is a total "
    "variation distance of products, which is subadditive. With three classes two features do.",
    "balm": "For two classes it is the criterion of A-Gi-bal. Two bits violate it with four classes, of a state each, "
    "and not with fewer; with three classes three bits do, and two features of three states (textbook).",
    "auc": "The paper asks for such results: AUC - 1/2 is a coverage function, of which greedy search reaches 1 - 1/e. "
    "Every mean over pairs of more classes, with fixed weights, is one too; one of three against the rest is none.",
}


@claim
def independent_given_class(m: Model, x: terms.State, y: Any) -> Formula:
    """Say that the features are independent given the class."""
    parts = [m.probability({name: label}, y) for name, label in x.items()]
    left = math.prod([m.probability({}, y)] * (len(parts) - 1), start=m.probability(x, y))
    return left == math.prod(parts, start=m.sum([1])) if parts else m.all([])


def _adds(value: Value, compare: Callable[[Term, Term], Formula] = operator.ge) -> Callable[..., Formula | bool]:
    """Return that what a feature adds compares so with what it adds when another one is there."""

    def compared(m: Model, S: frozenset[str], i: str, j: str) -> Formula | bool:
        if not i < j or S & {i, j}:
            return True
        return compare(value(m, S | {i}) - value(m, S), value(m, S | {i, j}) - value(m, S | {j}))

    return compared


def _greedy(value: Value) -> Callable[..., Formula]:
    def reaches_the_best(m: Model) -> Formula:
        def reached_by(order: tuple[str, ...]) -> Formula:
            rest = (set(other) for other in itertools.combinations(m.order, len(order)) if set(other) != set(order))
            best = (value(m, frozenset(other)) <= value(m, frozenset(order)) for other in rest)
            return m.all([*greedy_steps(m, value, order), *best])

        orders = (itertools.permutations(m.order, size) for size in range(2, len(m.order)))
        return m.all(m.any(map(reached_by, some)) for some in orders)

    return reaches_the_best


def greedy_steps(m: Model, value: Value, order: tuple[str, ...]) -> list[Formula]:
    """Say, step by step, that forward selection may choose these features in this order."""
    return [
        value(m, frozenset(order[:place]) | {other}) <= value(m, frozenset(order[: place + 1]))
        for place in range(len(order))
        for other in m.order
        if other not in order[: place + 1]
    ]


paper = Declarations(AHMED_2015)


def _of_each(kind: str, place: str, stated: Callable[[Value], Callable[..., Formula | bool]]) -> Callable[[str], None]:
    def declared(text: str) -> None:
        for key, benefit in BENEFITS.items():
            made = claim(stated(benefit.value), name=f"A-{kind}-{key}", assume=benefit.assume)
            paper.entry(made.name, place, made, printed=False)(text.replace("{}", benefit.name))

    return declared


_of_each("Gg", "Section 3.2", _greedy)(r"""
Greedy forward selection by {} reaches the best subset of each size, if ties fall well.
$$C(J_k) = \max_{|J| = k} C(J),\ J_t = J_{t-1} \cup \{\operatorname{argmax}_j C(J_{t-1} \cup \{j\})\}$$
The paper calls the greedy search approximate, and is right.
""")
_of_each("Gs", "Section 5", _adds)(r"""
With {}, what a feature adds does not grow when another feature is there: it is submodular.
$$C(J + i) - C(J) \ge C(J + i + j) - C(J + j)$$
""")
_of_each("Gp", "Section 5", lambda value: _adds(value, operator.le))(r"""
With {}, what a feature adds does not shrink when another is there: it is supermodular.
$$C(J + i) - C(J) \le C(J + i + j) - C(J + j)$$
""")

_MEAN_RECALL = Benefit("the balanced criterion of all classes (mean recall)", measures.mean_recall)
for _key, _benefit in {**BENEFITS, "balm": _MEAN_RECALL}.items():
    _binary = (two_classes,) if _key == "auc" else ()
    _assumed = (*_benefit.assume, *_binary, independent_given_class)
    _claim = claim(_adds(_benefit.value), name=f"A-Gi-{_key}", assume=_assumed)
    paper.entry(_claim.name, "Section 5", _claim, printed=_key == "log")(
        f"If {'there are two classes and ' if _binary else ''}the features are independent given the class, "
        f"{_benefit.name} is submodular."
        r"$$p(x|y) = \prod_i p(x_i|y) \Rightarrow C(J + i) - C(J) \ge C(J + i + j) - C(J + j)$$"
        f"{_REMARKS.get(_key, '')}"
    )

paper.entry("A-H", "Sections 2 and 3.2")(r"""
To find k features with the largest criterion on a sample is computationally hard.
$$$$ NP-hard, for all criteria that are best just where the classes of the sample are told apart: that is a set cover.
""")
paper.entry("A-S", "Section 3.2")("The mean over the subsets of s features is defined wherever forward search goes.")
paper.entry("A-Sc", "Section 3.2", corrects="A-S")(r"""
The mean is defined from s features on. With the criterion itself before, it is at most a criterion that is monotone.
$$\frac{1}{\binom{|J|}{s}} \sum_{A \subseteq J,\, |A| = s} C(A) \le C(J)$$
Where the class is the parity of s + 1 fair bits, it sees nothing, and the criterion all.
""")


@paper.claim("A-F3", "Footnote 3", printed=False)
def nothing_alone_is_nothing_together(m: Model) -> Formula:
    r"""If no feature alone makes the Bayes risk smaller, all together do not.

    $$R(\{X_i\}) = R(\emptyset) \text{ for all } i \Rightarrow R(X) = R(\emptyset)$$
    Where k is unknown the paper stops at a step that gains less than a threshold; it may be the one before all is told.
    """
    return m.implies(m.all(m.risk(i) == m.risk(()) for i in m.order), m.risk(m.features) == m.risk(()))


paper.entry("A-F3c", "Footnote 3", corrects="A-F3")(r"""
If a criterion is monotone and submodular, k features that each gain less than a threshold gain less than k times it.
$$C(J + i) - C(J) < \tau \text{ for all } i \in A \Rightarrow C(J \cup A) - C(J) < |A|\, \tau$$
So do mutual information and the AUC of two classes, if the features are independent given the class.
""")
