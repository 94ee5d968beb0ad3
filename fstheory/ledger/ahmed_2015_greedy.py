"""Ahmed et al. (2015), Sections 3.2 and 5: greedy selection, and which criteria are submodular."""

from __future__ import annotations

from collections.abc import Iterator

from fstheory.ledger import ahmed_measure_claims as said
from fstheory.ledger.entry import AHMED_2015 as PAPER
from fstheory.ledger.entry import Entry, Evidence, argued, exhausted, refuted

__all__ = ["GREEDY"]

_TWO = (2, 2)
_THREE = (2, 2, 2)
_INDEPENDENT = 5_695  # distributions of the family whose features are independent given the class

_TEMPTED = "four people: two features together tell all, and the third tempts"
_THREE_PEOPLE = "three people: each feature adds more to the other than it tells alone"
_FOUR_PEOPLE = "four people: each feature adds more to the other than it tells alone"
_COPIES = "two people, and two features that separate them"

_NOT_SUBMODULAR = {
    "01": _THREE_PEOPLE,
    "cost": _THREE_PEOPLE,
    "bal": _FOUR_PEOPLE,
    "log": _THREE_PEOPLE,
    "sq": _THREE_PEOPLE,
    "F": _THREE_PEOPLE,
    "auc": _FOUR_PEOPLE,
}
_WITH_INDEPENDENCE = {
    "01": ("six people", _TWO),
    "cost": ("seven people", _TWO),
    "bal": ("six people, three features", _THREE),
    "sq": ("five people", _TWO),
    "F": ("six people", _TWO),
}


def _entries() -> Iterator[Entry]:
    for key, benefit in said.BENEFITS.items():
        yield Entry(
            f"A-Gg-{key}",
            PAPER,
            "Section 3.2",
            f"Greedy forward selection by {benefit.name} reaches the best subset of each size, if ties fall well.",
            r"C(J_k) = \max_{|J| = k} C(J),\ J_t = J_{t-1} \cup \{\operatorname{argmax}_j C(J_{t-1} \cup \{j\})\}",
            said.GREEDY[key],
            (refuted(f"A-Gg-{key}", _TEMPTED, _THREE),),
            printed=False,
            remark="The paper calls the greedy search approximate, and is right.",
        )
    for key, benefit in said.BENEFITS.items():
        yield Entry(
            f"A-Gs-{key}",
            PAPER,
            "Section 5",
            f"With {benefit.name}, what a feature adds does not grow when another feature is there: it is submodular.",
            r"C(J + i) - C(J) \ge C(J + i + j) - C(J + j)",
            said.SUBMODULAR[key],
            (refuted(f"A-Gs-{key}", _NOT_SUBMODULAR[key], _TWO),),
            printed=False,
        )
    for key, benefit in said.BENEFITS.items():
        yield Entry(
            f"A-Gp-{key}",
            PAPER,
            "Section 5",
            f"With {benefit.name}, what a feature adds does not shrink when another is there: it is supermodular.",
            r"C(J + i) - C(J) \le C(J + i + j) - C(J + j)",
            said.SUPERMODULAR[key],
            (refuted(f"A-Gp-{key}", _COPIES, _TWO),),
            printed=False,
        )
    for key, benefit in said.BENEFITS.items():
        yield Entry(
            f"A-Gi-{key}",
            PAPER,
            "Section 5",
            f"If {'there are two classes and ' if key == 'auc' else ''}the features are independent given the class, "
            f"{benefit.name} is submodular.",
            r"p(x|y) = \prod_i p(x_i|y) \Rightarrow C(J + i) - C(J) \ge C(J + i + j) - C(J + j)",
            said.INDEPENDENT[key],
            _independent(key),
            {} if key in _WITH_INDEPENDENCE else _needs(key),
            printed=key == "log",
            remark=_REMARKS.get(key, ""),
        )


def _needs(key: str) -> dict[str, Evidence]:
    dropped = "independent_given_class"
    needed = {dropped: refuted(f"A-Gi-{key}", _NOT_SUBMODULAR[key], _TWO, without=dropped)}
    if not said.BENEFITS[key].assume:
        return needed
    return {
        "both_classes": argued("greedy", "only for the criterion to be defined"),
        "two_classes": refuted(f"A-Gi-{key}", "four people, two features", _TWO, 3, without="two_classes"),
        **needed,
    }


def _independent(key: str) -> tuple[Evidence, ...]:
    if key in _WITH_INDEPENDENCE:
        what, sizes = _WITH_INDEPENDENCE[key]
        first = refuted(f"A-Gi-{key}", what, sizes)
        three = refuted(f"A-Gi-{key}", "six people, two features and three classes", _TWO, 3, name="-3-classes")
        return (first, three) if key == "bal" else (first,)
    return (argued("greedy"), exhausted(f"A-Gi-{key}", _INDEPENDENT)) if key == "log" else ()


_REMARKS = {
    "log": "The guarantee that the paper cites (Krause and Guestrin).",
    "sq": "The guarantee that the paper cites for the squared error (Das and Kempe) is by the submodularity ratio.",
    "bal": "Two features and two classes never violate it: the criterion is a total variation distance of products, "
    "which is subadditive. With three classes two features do.",
    "auc": "The paper asks for such results. Of two classes neither a proof nor a counterexample is known: no three "
    "binary features of up to 12 people are one (fstheory refute A-Gi-auc --cardinalities 2,2,2 --classes 2 "
    "--max-total 12), and two features never are: the AUC is a total variation distance of products, which is "
    "subadditive.",
}

GREEDY: tuple[Entry, ...] = tuple(_entries())
"""For each criterion: greedy is optimal; it is submodular; supermodular; submodular with independence."""
