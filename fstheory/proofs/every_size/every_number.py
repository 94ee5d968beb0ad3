"""The number of features up to which a proof of a claim is enough for every number of features.

There is such a number for claims that were read once, as a formula for all sets. Features that are in the same sets can
be merged into one: this changes no risk, no information and none of the known assumptions.
"""

from __future__ import annotations

import itertools

from fstheory.logic.claims import Claim
from fstheory.logic.every_size import MOST_FEATURES, EverySize
from fstheory.logic.expressions import TRUE, Node
from fstheory.logic.language import Model, spelled_out
from fstheory.logic.statement import Shape


def features_that_suffice(claim: Claim, size: Shape) -> int | None:
    """Return the number of features up to which a proof is enough for all numbers of features, or None if not known.

    A part has the features that are in the same sets. A counterexample to the claim becomes one with a feature for
    each part. So these numbers of parts are enough, where the formula is not true anyway.
    """
    if claim.reading is None or len(claim.by_name(size)) < len(claim.assumptions):
        return None
    kinds = [domain.kind for domain in claim.domains]
    smaller = _minimal_shown(claim.reading[0], shown=True)  # each may need one more set to be false
    apart = sum(1 << place for place, kind in enumerate(kinds) if kind == "subset" and claim.disjoint)
    parts = [part for part in range(1 << len(kinds) + len(smaller)) if (part & apart).bit_count() <= 1]
    if len(parts) > MOST_FEATURES:
        return None
    most = 0
    for count in range(1, len(parts) + 1):
        model = Model(EverySize(count, size.classes))
        for some in itertools.combinations(parts, count):  # the other parts are empty
            bits = ([part >> place & 1 for part in some] for place in range(len(kinds)))
            sets = [frozenset(itertools.compress(model.order, chosen)) for chosen in bits]
            single = all(len(of) == 1 for kind, of in zip(kinds, sets, strict=True) if kind == "feature")
            if single and spelled_out(claim.reading, model, *sets).node != TRUE:
                most = count
                break
    return most


def _minimal_shown(node: Node, *, shown: bool) -> set[Node]:
    """Return the parts of a formula that state that no subset of a set is optimal, if they are shown, not assumed."""
    kind, *parts = node
    if kind == "minimal":
        return {node} if shown else set()
    if kind not in {"and", "or", "not", "iff"}:
        return set()
    signs = {"not": [not shown], "iff": [shown, not shown]}.get(kind, [shown])
    return set().union(*(_minimal_shown(part, shown=sign) for part in parts for sign in signs))
