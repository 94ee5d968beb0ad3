"""`prove`: a claim for every distribution of a shape, or a distribution that refutes it."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from fstheory.ledger import Entry
from fstheory.logic import Claim, Proved, Refuted, Shape, Statement, Undecided
from fstheory.search.asked import claim_asked
from fstheory.search.prover import Limits, Prover

__all__ = ["prove", "prove_statement"]


def prove(
    claim: Claim | Entry | str,
    *,
    cardinalities: Iterable[int],
    classes: int = 2,
    without: str | Iterable[str] = (),
    time_limit: float | None = None,
    second_opinion: bool = False,
    certificate: bool = True,
    progress: Callable[[str], object] | None = None,
) -> Proved | Refuted | Undecided:
    """Prove a claim for every distribution of a shape, or refute it.

    Parameters
    ----------
    claim : Claim, Entry or str
        Within linear arithmetic: probabilities, Bayes risks, maxima, comparisons, and, or, not; no logarithms or roots,
        and no products of two of these numbers.
    cardinalities : iterable of int
        The number of states of each feature.
    classes : int
    without : str or iterable of str
        Assumptions to drop.
    time_limit : number, optional
        Seconds.
    second_opinion : bool
        Whether cvc5 must agree with Z3.
    certificate : bool
        Whether to look for a proof that `fstheory.checker` verifies. Without it, Z3's answer is the only evidence.
    progress : callable, optional
        Called with a line of text, about once a second.

    Returns
    -------
    Proved
        Its evidence is "case split" if the certificate holds a proof, which the checker has accepted, and "solvers" if
        it only names the solvers that say so, because a proof was not asked for, was not found in time or is too large.
    Refuted
        By a distribution, at which the claim was found false by exact evaluation; it is not the smallest, see `refute`.
    Undecided
        The time limit was reached, or the solvers disagree.

    Raises
    ------
    NotLinearError
        The claim is beyond linear arithmetic; the message says which term is.
    MissingDependencyError
        Z3, or cvc5 if it is asked for, is not installed.
    UnknownNameError
        The ledger has no such claim, or the claim no such assumption.

    Notes
    -----
    1. Instances that are renamings of each other are proved once (`fstheory.logic.symmetry`).
    2. Z3 is asked for a distribution that satisfies the assumptions and violates the instance.
    3. If there is none, the proof by cases is built: which class wins a cell, which disjunct is true; in each
       case, multipliers under which the linear facts add up to a contradiction, as Farkas' lemma says there are.

    All three are doubly exponential in the number of features at worst.

    Examples
    --------
    >>> verdict = prove("PN-M", cardinalities=(2, 2))
    >>> print(verdict)
    PN-M: proved for every distribution with 2 x 2 states, 2 classes (case split)
    >>> prove("PN-4", cardinalities=(2, 2), without="positive").status
    'refuted'
    """
    asked = claim_asked(claim, without)
    limits = Limits(time_limit, progress)
    statement = asked.statement(Shape(cardinalities, classes))  # type: ignore[arg-type]
    return Prover(statement, limits).verdict(second_opinion=second_opinion, certificate=certificate)


def prove_statement(
    statement: Statement,
    *,
    time_limit: float | None = None,
    second_opinion: bool = False,
    certificate: bool = True,
    progress: Callable[[str], object] | None = None,
) -> Proved | Refuted | Undecided:
    """Prove or refute a statement about one shape; see `prove`.

    Examples
    --------
    >>> from fstheory.logic import Model, Named
    >>> m = Model(Shape((2,)))
    >>> never = Named("never", (), (m.risk() < m.risk(())).node)
    >>> verdict = prove_statement(Statement("never", m.shape, (), (never,)))
    >>> verdict.status, verdict.distribution.cardinalities
    ('refuted', (2,))
    """
    prover = Prover(statement, Limits(time_limit, progress))
    return prover.verdict(second_opinion=second_opinion, certificate=certificate)
