"""The classical neighbors: Fano, Hellman and Raviv, Pinsker."""

from __future__ import annotations

from fractions import Fraction

from fstheory._check import Check
from fstheory.bayes import bayes_risk
from fstheory.bounds.check import compared, kept_features
from fstheory.distribution import JointDistribution
from fstheory.information import conditional_entropy, kl_divergence, total_variation_distance
from fstheory.reals import LogSum
from fstheory.reals.shifted_root import ShiftedRoot
from fstheory.subsets import Subset

__all__ = ["fano_bound", "hellman_raviv_bound", "pinsker_bound"]


def fano_bound(d: JointDistribution, removed: Subset) -> Check:
    """Return Fano's inequality for the Bayes classifier on what is left of the features.

    H(Y | S) <= h(R(S)) + R(S) log(m - 1) bounds the risk from below. S are the features that stay, m is the number of
    classes with positive probability, h the entropy of a coin. Source: Cover and Thomas, Elements of Information Theory
    (2006), Theorem 2.10.1.

    Parameters
    ----------
    d : JointDistribution
    removed : the features that are given up, an iterable of names or one name; the others are S

    Examples
    --------
    >>> from fstheory import JointDistribution
    >>> print(fano_bound(JointDistribution([[3, 1], [1, 3]]), ()))
    Fano: H(Y|S) <= h(R(S)) + R(S) log(m - 1) holds: 0.562335 <= 0.562335, slack 0
    """
    kept = kept_features(d, removed)
    risk = bayes_risk(d, kept)
    wrong = sum(weight > 0 for weight in d.marginal(()).weights.tolist()) - 1
    terms = [(-p, p) for p in (risk, 1 - risk) if p]
    if wrong > 1:
        terms.append((risk, Fraction(wrong)))
    return compared(
        "Fano",
        "H(Y|S) <= h(R(S)) + R(S) log(m - 1)",
        conditional_entropy(d, [d.target], kept),
        LogSum(terms),
        "Fano (1961); Cover and Thomas (2006), Theorem 2.10.1",
        r"H(Y|S) \le h(R(S)) + R(S) \log (m - 1)",
    )


def hellman_raviv_bound(d: JointDistribution, removed: Subset) -> Check:
    """Return the bound of Hellman and Raviv: R(S) <= H(Y | S) / 2, the entropy in bits.

    Source: Hellman and Raviv, "Probability of error, equivocation, and the Chernoff bound", IEEE Transactions on
    Information Theory 16 (1970).

    Parameters
    ----------
    d : JointDistribution
    removed : the features that are given up, an iterable of names or one name; the others are S

    Examples
    --------
    >>> from fstheory import JointDistribution
    >>> print(hellman_raviv_bound(JointDistribution([[3, 1], [1, 3]]), ()))
    Hellman-Raviv: R(S) <= H(Y|S) / 2 in bits holds: 0.25 <= 0.405639, slack 0.155639
    """
    kept = kept_features(d, removed)
    return compared(
        "Hellman-Raviv",
        "R(S) <= H(Y|S) / 2 in bits",
        bayes_risk(d, kept),
        conditional_entropy(d, [d.target], kept, base=2) / 2,
        "Hellman and Raviv (1970)",
        r"R(S) \le \tfrac12 H_2(Y|S)",
    )


def pinsker_bound(p: JointDistribution, q: JointDistribution) -> Check:
    """Return Pinsker's inequality: the total variation distance is at most sqrt(D(p || q) / 2).

    Source: Cover and Thomas, Elements of Information Theory (2006), Lemma 11.6.1.

    Parameters
    ----------
    p, q : JointDistribution
        With the same features, target and states; q is positive wherever p is.

    Raises
    ------
    ZeroProbabilityError
        A cell is possible under p and impossible under q: the divergence is infinite.

    Examples
    --------
    >>> from fstheory import JointDistribution
    >>> print(pinsker_bound(JointDistribution([3, 1]), JointDistribution([1, 1])))
    Pinsker: TV(p, q) <= sqrt(D(p||q) / 2) holds: 0.25 <= 0.255746, slack 0.00574600
    """
    return compared(
        "Pinsker",
        "TV(p, q) <= sqrt(D(p||q) / 2)",
        total_variation_distance(p, q),
        ShiftedRoot(0, kl_divergence(p, q) / 2),
        "Pinsker (1960), Csiszár (1967), Kullback (1967)",
        r"\mathrm{TV}(p, q) \le \sqrt{\tfrac12 D(p \,\|\, q)}",
    )
