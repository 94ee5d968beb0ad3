"""The search for a proof for every number of states: by cases, with the facts that hold for all distributions.

If a claim is about Bayes risks alone, the facts are complete: a claim that does not follow from them is false, because
each point that satisfies the facts is realized by a distribution.
"""

from __future__ import annotations

import itertools
import random
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from typing import Any

from fstheory._support.progress import Clock, OutOfTime
from fstheory._support.work import Crew
from fstheory.checker.reading import SampleSpace
from fstheory.checker.statement import Sets
from fstheory.checker.weights import at_weights
from fstheory.distributions.joint import JointDistribution
from fstheory.errors import CertificateError, TooLargeError
from fstheory.logic.certificate import Certificate
from fstheory.logic.every_size import EverySize
from fstheory.logic.expressions import Node
from fstheory.logic.statement import Instance, Shape, Statement, generators, image_instances, invariant_under
from fstheory.proofs.cases import CaseSplit, Counterexample, TooManyCases, Tree, TreeWriter
from fstheory.proofs.every_size.unknowns import FEW_CLASSES, EverySizeUnknowns, Values
from fstheory.proofs.solvers import Combination, NoAnswer

GAVE_UP = (NoAnswer, OutOfTime, TooManyCases, TooLargeError, CertificateError, RecursionError)
"""The errors with which a search for a proof ends if it reaches a limit."""


def decided(statement: Statement, clock: Clock, crew: Crew) -> Certificate | tuple[Instance, Values]:
    """Return the certificate of a proof, which the checker accepts.

    If there is none, return an instance and the values at which it does not follow.
    """
    unknowns, shown = EverySizeUnknowns(statement), statement.show
    for instance in (*statement.assume, *shown):
        unknowns.require_linear(instance, statement.claim)
    stand_in = Shape((1,) * unknowns.n, 1)  # whose renamings are those of the features
    kept = invariant_under(generators(stand_in), statement.assumed)
    images = image_instances(statement.shown, kept, stand_in)
    own = [i for i, (source, _) in enumerate(images) if source == i]
    writer = (_Writer if unknowns.has("H") else TreeWriter)(unknowns, clock)
    work = partial(proof_or_values, unknowns, statement.assumed)
    found = crew.map(work, ((shown[i].formula, clock.milliseconds()) for i in own))
    proofs, before = list[dict[str, Any]](), f"{statement.claim} for {statement.shape}: proof by cases of "
    for i, (source, renaming) in enumerate(images):
        clock.count(i, len(images), "instances", before)
        if source != i:
            proofs.append({"image_of": source, "features": list(renaming.features)})
        elif isinstance(tree := next(found), dict):
            one = len(unknowns.kinds) == 1 and not unknowns.has("H")
            few = _of_few_states(statement, shown[i].formula, clock) if one else None
            return shown[i], few or tree
        else:
            root = unknowns.case([*statement.assumed, ("not", shown[i].formula)])
            proofs.append({"tree": writer.write(root, tree)})
    return writer.certificate(statement, proofs)


def _of_few_states(statement: Statement, formula: Node, clock: Clock) -> Values | None:
    """Return values at which a formula does not follow, searched where there are few classes or useless features."""
    n, k = len(statement.shape.features), statement.shape.classes
    nothing = "=", ("R", ()), ("R", tuple(range(n)))
    tried: list[tuple[int | None, Sequence[Node]]] = [(few, statement.assumed) for few in FEW_CLASSES if k is None]
    if (k is None or k > max(FEW_CLASSES)) and EverySizeUnknowns(statement).has("R"):
        tried.append((k, (*statement.assumed, nothing)))
    for classes, assumed in tried:
        unknowns = EverySizeUnknowns(replace(statement, shape=EverySize(n, classes)))
        found = proof_or_values(unknowns, assumed, (formula, clock.milliseconds()))
        if isinstance(found, dict):
            return found
    return None


_ROUNDS = 12  # the most rounds of tangents


def proof_or_values(unknowns: EverySizeUnknowns, assume: Sequence[Node], chunk: Any) -> Tree | Values:
    """Return the proof of a formula within a limit of milliseconds, or the values at which it does not follow."""
    formula, left = chunk
    unknowns.beyond, unknowns.multiplying, unknowns.tangents, rounds = False, False, [], _ROUNDS
    with Clock(left and left / 1000, None) as clock:
        while True:
            try:
                return CaseSplit(unknowns, assume, formula, clock).tree()
            except Counterexample as error:
                if unknowns.claimed_products and not unknowns.multiplying:
                    unknowns.multiplying = True  # there are thousands of products, so they come last
                    continue
                if rounds == _ROUNDS and any(_refutes(d, assume, formula) for d in unknowns.of_envelopes()):
                    rounds = 0
                tangents = [*unknowns.tangents_at(error.point), *unknowns.squares_at(error.values)] if rounds else []
                if tangents:
                    unknowns.tangents, rounds = [*unknowns.tangents, *tangents], rounds - 1
                    continue
                if unknowns.beyond or unknowns.n < 3 or not unknowns.has("H"):
                    return unknowns.values(error.point)
                unknowns.beyond = True  # of four variables, more is known


def _refutes(d: JointDistribution, assume: Sequence[Node], formula: Node) -> bool:
    """Return whether a formula without parameters is false at a distribution where what is assumed is true."""
    space = SampleSpace({"cardinalities": d.cardinalities, "classes": len(d.classes)})
    with suppress(CertificateError):
        return at_weights(space, d.weights.ravel().tolist()).truth(("and", *assume, ("not", formula)))
    return False


# -- Proofs for readers: informations that the chain rule joins.


_ORDERS = 8  # in which informations are joined, of which the shortest proof is taken


class _Writer(TreeWriter):
    def _farkas(self, combination: Combination, constraints: Mapping[str, int]) -> list[list[Any]]:
        """Write a contradiction with few informations of sets, instead of many of single variables."""
        assert isinstance(self.unknowns, EverySizeUnknowns)
        elemental = {premise.name[1:]: times for premise, times in combination if premise.name[0] == "I"}
        rest = (pair for pair in combination if pair[0].name[0] != "I")
        facts = joined(elemental).items()  # type: ignore[arg-type]
        own = ((self.unknowns.fact("I", *sets), times) for sets, times in facts)
        return super()._farkas((*rest, *own), constraints)


def joined(informations: Mapping[Sets, int]) -> dict[Sets, int]:
    """Join informations, times numbers above 0, to fewer ones with the same sum. They need not be the fewest."""
    best = dict(informations)
    for seed in range(_ORDERS):
        now, order = dict(informations), random.Random(seed)
        while pairs := [pair for pair in itertools.permutations(now, 2) if _chained(*pair)]:
            first, second = order.choice(pairs)
            times, whole = min(now[first], now[second]), _chained(first, second)
            for part in (first, second):
                now[part] -= times
            now = {sets: left for sets, left in now.items() if left}
            now[whole] = now.get(whole, 0) + times  # type: ignore[index, arg-type]
        best = min(best, now, key=len)
    return best


def _chained(first: Sets, second: Sets) -> Sets | None:
    """Return the information that is the sum of two informations by the chain rule, or None if the rule does not apply.

    It applies to I(a; b | c) and I(a; e | b, c), or H(b | c) and H(e | b, c), or I(a; b | c) and H(a | b, c).
    """
    c, (d, e, given) = first[2], second
    for a, b in (first[:2], first[1::-1]):
        if given == b | c and (a == b) <= (d == e):
            if a == b:
                return a | d, a | d, c
            if d == e == a:
                return a, a, c
            if d != e and a in (d, e):
                others = b | (d ^ e ^ a)
                return min(a, others), max(a, others), c
    return None
