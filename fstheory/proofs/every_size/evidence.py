"""The sentence on the evidence of a proof for every number of states: its facts, and the sizes for which it holds.

A claim that was read once, as a formula for all sets, has a number of features up to which a proof is enough for every
number of features. Features that are in the same sets can be merged into one: this changes no risk, no information and
none of the known assumptions.
"""

from __future__ import annotations

import itertools
from contextlib import suppress

from fstheory._support.progress import Clock
from fstheory._support.work import Crew
from fstheory.checker.kinds import FACTS, SPLITS
from fstheory.logic.certificate import Certificate
from fstheory.logic.claims import Claim
from fstheory.logic.every_size import MOST_FEATURES, EverySize
from fstheory.logic.expressions import FALSE, TRUE, Node, negation
from fstheory.logic.language import Model, spelled_out
from fstheory.logic.statement import Shape, Statement, premise_of
from fstheory.logic.verdict import VACUOUS
from fstheory.proofs.every_size.search import GAVE_UP, decided, proof_or_values
from fstheory.proofs.every_size.unknowns import EverySizeUnknowns

NO_FORMULA = "no formula is left to prove"


def evidence_of(
    claim: Claim, statement: Statement, certificate: Certificate, clock: Clock, *, alone: bool = False
) -> str:
    """Return a sentence on the facts that the proof of a claim uses, and on the sizes for which it holds.

    If `alone`, the sentence says nothing of other numbers of features.
    """
    found = ["case split" if statement.show else NO_FORMULA]
    with suppress(*GAVE_UP):
        never = negation(premise_of(("and", *statement.shown)))
        if statement.assume or never != FALSE:
            anything = proof_or_values(EverySizeUnknowns(statement), statement.assumed, (never, clock.milliseconds()))
            found += [VACUOUS] * (not isinstance(anything, dict))
    found += [statement.claim.removeprefix(f"{claim.title} ")] * (statement.claim != claim.title)
    enough, proofs = None, certificate.to_json()
    if not alone:
        with suppress(*GAVE_UP):
            enough = features_that_suffice(claim, statement.shape)
    every = None if enough is None else _for_every_number(claim, statement.shape, enough, clock)
    proofs += "".join(proof.to_json() for proof in every or ())
    named = [kind for table in (FACTS, SPLITS) for kind in table.values() if kind.cited]
    named.sort(key=lambda kind: kind.trusts != "")  # the theorems that are not proved here come last
    found += [kind.cited for kind in named if f'["{kind.words[0]}"' in proofs]
    if enough is not None and (every is not None or enough > len(statement.shape.features)):
        found.append(_of_every_number(statement.shape, enough, proved=every is not None))
    return "; ".join(found)


def _of_every_number(size: Shape, enough: int, *, proved: bool) -> str:
    """Return the words on every number of features, which a proof for up to `enough` features decides."""
    other = f", since it is proved for features={enough}," * (enough > len(size.features))
    if proved:
        return f"and so{other} for every number of features from 1 on"
    tried = "was tried without success" if enough <= _TRIED else "was not tried"
    return f"a proof for features={enough}, which {tried}, would cover every number of features"


_TRIED = 4  # features: a proof for more of them is not tried unless it is asked for


def _for_every_number(claim: Claim, size: Shape, enough: int, clock: Clock) -> list[Certificate] | None:
    """Return the proofs for other numbers of features, up to `enough`, that with one for `size` prove it for all.

    Return None if there are no such proofs, or if they would be for many features.
    """
    known = len(size.features)
    if enough > max(known, _TRIED):
        return None
    others = (EverySize(number, size.classes) for number in range(1, enough + 1) if number != known)
    with suppress(*GAVE_UP):
        found = [decided(claim.statement(other), clock, Crew()) for other in others]
        proofs = [proof for proof in found if isinstance(proof, Certificate)]
        return proofs if len(proofs) == len(found) else None
    return None


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
