"""The identities of information that the stopping rules of Beraha et al. rest on, checked as equalities."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from fstheory._check import Check
from fstheory.bounds.check import compared, split
from fstheory.distribution import JointDistribution, require_distribution
from fstheory.errors import InvalidTypeError, explain
from fstheory.information import conditional_mutual_information, information_lost, mutual_information
from fstheory.reals import LogSum
from fstheory.subsets import Subset

__all__ = ["chain_rule", "elimination_identity", "information_identity"]


def chain_rule(d: JointDistribution, a: Iterable[str], b: Iterable[str], c: Iterable[str]) -> Check:
    """Return the chain rule on a distribution: I(A; B, C) = I(A; C) + I(A; B | C).

    Source: Beraha et al. (2019), equation 2.

    Parameters
    ----------
    d : JointDistribution
    a, b, c : iterables of names of variables

    Examples
    --------
    >>> from fstheory import gallery
    >>> bool(chain_rule(gallery.titanic(), ["survived"], ["sex"], ["class", "age"]))
    True
    """
    first, second, third = (_listed(names, argument) for names, argument in ((a, "a"), (b, "b"), (c, "c")))
    right = mutual_information(d, first, third) + conditional_mutual_information(d, first, second, third)
    return compared(
        "chain rule",
        "I(A; B, C) == I(A; C) + I(A; B | C)",
        mutual_information(d, first, sorted({*second, *third})),
        right,
        "Beraha et al. (2019), equation 2",
        r"I(A; B, C) = I(A; C) + I(A; B \mid C)",
    )


def information_identity(d: JointDistribution, removed: Subset) -> Check:
    """Return the two forms of the paper's score: E D(p(Y|X) || p(Y|not A)) = I(Y; X) - I(Y; not A).

    The left side is summed cell by cell from the definition, the right side from entropies. Source: Beraha et al.
    (2019), Sections II-B and IV.

    Parameters
    ----------
    d : JointDistribution
    removed : the features A, an iterable of names or one name

    Examples
    --------
    >>> from fstheory import gallery
    >>> check = information_identity(gallery.xor(), {"X1"})
    >>> print(check)
    score: E D(p(Y|X) || p(Y|not A)) == I(Y; X) - I(Y; not A) holds: 0.693147 == 0.693147
    """
    _, kept = split(d, removed)
    return compared(
        "score",
        "E D(p(Y|X) || p(Y|not A)) == I(Y; X) - I(Y; not A)",
        _expected_divergence(d, kept),
        mutual_information(d, d.features) - mutual_information(d, kept),
        "Beraha et al. (2019), Sections II-B and IV",
        r"E\, D(p(Y|X) \,\|\, p(Y|X_{\bar A})) = I(Y; X) - I(Y; X_{\bar A})",
    )


def elimination_identity(d: JointDistribution, order: Sequence[str]) -> Check:
    """Return the additivity along an elimination path: nu(A) is the sum of the scores of the features removed.

    Source: Beraha et al. (2019), equations 15 and 16.

    Parameters
    ----------
    d : JointDistribution
    order : sequence of feature names
        The features of A in the order in which they are removed.

    Examples
    --------
    >>> from fstheory import gallery
    >>> bool(elimination_identity(gallery.titanic(), ["age", "sex"]))
    True
    """
    require_distribution(d)
    names = _listed(order, "order")
    if isinstance(order, set | frozenset):
        raise InvalidTypeError(
            explain("order", "a sequence of feature names", order, "a set has no order: pass a list")
        )
    whole = information_lost(d, names)
    total, left = LogSum(), list(d.features)
    for name in names:
        left.remove(name)
        total += conditional_mutual_information(d, [name], given=left)
    return compared(
        "additivity",
        "nu(A) == sum of I(Y; X_t | features left)",
        whole,
        total,
        "Beraha et al. (2019), equations 15 and 16",
        r"\nu(A_T) = \sum_{t < T} I_t",
    )


def _listed(names: Iterable[str], argument: str) -> list[str]:
    if isinstance(names, str) or not isinstance(names, Iterable):
        repair = f"write [{names!r}]" if isinstance(names, str) else "pass a list of names"
        raise InvalidTypeError(explain(argument, "an iterable of names", names, repair))
    return list(names)


def _expected_divergence(d: JointDistribution, kept: tuple[str, ...]) -> LogSum:
    """Return the sum of p(x, y) log(p(y|x) / p(y|kept)) over the cells, as the definition has it."""
    gone = tuple(i for i, name in enumerate(d.features) if name not in kept)
    joint = d.weights
    known = joint.sum(axis=gone, keepdims=True) + 0 * joint  # repeated over the states of the removed features
    seen, marginal = joint.sum(axis=-1, keepdims=True) + 0 * joint, known.sum(axis=-1, keepdims=True) + 0 * joint
    terms: dict[int, int] = {}
    for xy, y_kept, x, x_kept in zip(
        *(array.ravel().tolist() for array in (joint, known, seen, marginal)), strict=True
    ):
        if xy:  # p(y|x) / p(y|kept) = (xy / x) / (y_kept / x_kept)
            for number, coefficient in ((xy, xy), (x_kept, xy), (x, -xy), (y_kept, -xy)):
                terms[number] = terms.get(number, 0) + coefficient
    return LogSum.from_integer_terms(terms, denominator=d.total)
