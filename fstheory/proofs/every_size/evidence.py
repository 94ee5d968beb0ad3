"""The sentence on the evidence of a proof for every number of states: its facts, and the sizes for which it holds."""

from __future__ import annotations

from contextlib import suppress

from fstheory._support.progress import Clock
from fstheory._support.work import Crew
from fstheory.checker.kinds import FACTS, SPLITS
from fstheory.logic.certificate import Certificate
from fstheory.logic.claims import Claim
from fstheory.logic.every_size import EverySize
from fstheory.logic.expressions import FALSE, negation
from fstheory.logic.statement import Shape, Statement, premise_of
from fstheory.logic.verdict import VACUOUS
from fstheory.proofs.every_size.every_number import features_that_suffice
from fstheory.proofs.every_size.search import GAVE_UP, decided, proof_or_values
from fstheory.proofs.every_size.unknowns import EverySizeUnknowns


def evidence_of(claim: Claim, statement: Statement, certificate: Certificate, clock: Clock) -> str:
    """Return a sentence on the facts that the proof of a claim uses, and on the sizes for which it holds."""
    found = ["case split" if statement.show else "no formula is left to prove"]
    with suppress(*GAVE_UP):
        never = negation(premise_of(("and", *statement.shown)))
        if statement.assume or never != FALSE:
            anything = proof_or_values(EverySizeUnknowns(statement), statement.assumed, (never, clock.milliseconds()))
            found += [VACUOUS] * (not isinstance(anything, dict))
    enough, proofs = None, certificate.to_json()
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
