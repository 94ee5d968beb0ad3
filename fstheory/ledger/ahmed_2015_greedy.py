"""Ahmed et al. (2015), Sections 3.2 and 5: greedy selection, and which criteria are submodular."""

from __future__ import annotations

import itertools
import operator
from collections.abc import Callable, Mapping
from fractions import Fraction
from types import MappingProxyType
from typing import Any, NamedTuple, TypeAlias

from fstheory.ledger import measures, terms
from fstheory.ledger.ahmed_2015 import AHMED_2015, two_classes
from fstheory.ledger.entry import Declarations
from fstheory.ledger.measures import both_classes
from fstheory.logic import Claim, Formula, Model, Term, claim

__all__ = ["BENEFITS", "Benefit", "Value", "greedy_steps"]

Value: TypeAlias = "Callable[[Model, frozenset[str]], Term]"

_COST = Fraction(1, 4)


class Benefit(NamedTuple):
    """A criterion: its name, its value for a subset, and what it assumes."""

    name: str
    value: Value
    assume: tuple[Claim, ...] = ()


BENEFITS: Mapping[str, Benefit] = MappingProxyType(
    {
        "01": Benefit("the 0-1 criterion", lambda m, of: -m.risk(of)),
        "cost": Benefit("the cost-sensitive criterion, c = 1/4", lambda m, of: -measures.cost_closed(m, of, _COST)),
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
    "auc": "The paper asks for such results. AUC - 1/2 is a coverage function then, so that greedy search reaches "
    "1 - 1/e of the best. With more classes so is every mean over pairs of classes with fixed weights; one class "
    "against the rest is not, even if the features are independent given each class.",
}


@claim
def independent_given_class(m: Model, x: terms.State, y: Any) -> Formula:
    """Say that the features are independent given the class."""
    parts = [m.probability({name: label}, y) for name, label in x.items()]
    left, right = m.probability(x, y), m.sum([1])
    for part in parts:
        right = right * part
    for _ in parts[1:]:
        left = left * m.probability({}, y)
    return left == right if parts else m.all([])


def _adds(value: Value, compare: Callable[[Term, Term], Formula] = operator.ge) -> Callable[..., Formula | bool]:
    """Return that what a feature adds compares so with what it adds when another one is there."""

    def compared(m: Model, S: frozenset[str], i: str, j: str) -> Formula | bool:
        if not i < j or S & {i, j}:
            return True
        return compare(value(m, S | {i}) - value(m, S), value(m, S | {i, j}) - value(m, S | {j}))

    return compared


def _greedy(value: Value) -> Callable[..., Formula]:
    def reaches_the_best(m: Model) -> Formula:
        return m.all(
            m.any(_is_greedy_and_best(m, value, order) for order in itertools.permutations(m.order, size))
            for size in range(2, len(m.order))
        )

    return reaches_the_best


def _is_greedy_and_best(m: Model, value: Value, order: tuple[str, ...]) -> Formula:
    rest = (frozenset(other) for other in itertools.combinations(m.order, len(order)) if set(other) != set(order))
    best = (value(m, other) <= value(m, frozenset(order)) for other in rest)
    return m.all([*greedy_steps(m, value, order), *best])


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
