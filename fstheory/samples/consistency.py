"""For which tau FBS and FOS find S* in the large sample limit: eta of Theorem 8, exactly."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Literal, TypeAlias

from fstheory._display import Shown, listing
from fstheory._exact import Exact, as_fraction, both, readable
from fstheory.distribution import JointDistribution
from fstheory.errors import InvalidValueError, explain, require_choice
from fstheory.selection import MinimalOptimal, backward_search, one_shot
from fstheory.subsets import format_subset, mask_of

__all__ = ["AdmissibleTau", "admissible_tau"]

Searches: TypeAlias = Literal["FBS", "FOS"]


@dataclass(frozen=True, repr=False)
class AdmissibleTau(Shown):
    """For which tau FBS or FOS finds a minimal-optimal set of a distribution in the large sample limit.

    Attributes
    ----------
    distribution : JointDistribution
    method : {'FBS', 'FOS'}
    exact : MinimalOptimal
        What the method does where the risks are known: the run of Table 1 or 2, with its trace.
    eta : Fraction
        The least positive difference of risks in that run, and 1 if none is positive, as the proof of Theorem 8 has
        it. The admissible tau are those above 0 and below eta.

    Examples
    --------
    >>> import fstheory as fs
    >>> d = fs.JointDistribution([[[12, 4], [3, 5]], [[2, 6], [1, 7]]])
    >>> print(fs.admissible_tau(d, "FBS"))
    FBS finds X1X2 in the limit for every tau in (0, 1/20)
      assumptions of Theorem 8: hold
      R(X2) - R(X1X2):          1/10 = 0.1
      R(X1) - R(X1X2):          1/20 = 0.05
      tau = 1/20:               not decided by Theorem 8; probability at most 1/2 with majority tables
      tau above 1/20:           probability 0 in the limit
    """

    distribution: JointDistribution
    method: Searches
    exact: MinimalOptimal
    eta: Fraction

    @property
    def assumptions(self) -> bool:
        """Whether p(x) > 0 and p(Y|x) has a single maximum for every x, as Theorem 8 assumes."""
        return bool(self.exact.positive and self.exact.unique_maximum)

    @property
    def features(self) -> frozenset[str]:
        """What the method returns in the limit, for every admissible tau."""
        return self.exact.features

    @property
    def differences(self) -> tuple[tuple[frozenset[str], str, Fraction], ...]:
        """Of every test of the run the set S, the feature Xi, and R(S without Xi) - R(S)."""
        return tuple((step.subset, step.candidate, step.without - step.before) for step in self.exact.trace)  # type: ignore[attr-defined]

    def limit(self, tau: Exact) -> Fraction | None:
        """Return the limit of the probability of a minimal-optimal set, for every consistent learner and estimate.

        It is 1 or 0, and None where tau is eta: there it depends on the learner and the estimate, and with majority
        tables, resubstitution and a single maximum for every x it is at most 1/2.

        Examples
        --------
        >>> import fstheory as fs
        >>> found = fs.admissible_tau(fs.JointDistribution([[7, 3], [3, 7]]), "FOS")
        >>> found.eta, [found.limit(tau) for tau in ("1/10", found.eta, "1/2")]
        (Fraction(1, 5), [Fraction(1, 1), None, Fraction(0, 1)])
        """
        exact = as_fraction(tau, "tau")
        if exact <= 0:
            raise InvalidValueError(explain("tau", "above 0", exact, "the paper asks for tau > 0: pass '1/20', say"))
        if not self.exact.is_solution:
            return Fraction(0)
        if exact < self.eta or not self.features:
            return Fraction(1)
        return None if exact == self.eta else Fraction(0)

    def __str__(self) -> str:
        names = self.distribution.features
        found, eta = format_subset(mask_of(self.features, names), names), readable(self.eta)
        short = "" if self.exact.is_solution else ", which is no solution"
        head = f"{self.method} finds {found} in the limit for every tau in (0, {eta}){short}"
        rows = [("assumptions of Theorem 8", "hold" if self.assumptions else "do not hold")]
        for subset, feature, difference in self.differences:
            all_, less = (format_subset(mask_of(s, names), names) for s in (subset, subset - {feature}))
            rows.append((f"R({less}) - R({all_})", both(difference)))
        if self.exact.is_solution and self.features:
            at = "not decided by Theorem 8"
            at += "; probability at most 1/2 with majority tables" if self.assumptions else ""
            rows += [(f"tau = {eta}", at), (f"tau above {eta}", "probability 0 in the limit")]
        elif self.exact.is_solution:
            rows.append((f"tau of {eta} or more", "the same, for no difference is positive"))
        return listing(head, rows, len(rows))


def admissible_tau(d: JointDistribution, method: Searches) -> AdmissibleTau:
    """Return eta of Theorem 8: FBS or FOS is consistent for every tau above 0 and below it.

    Parameters
    ----------
    d : JointDistribution
    method : {'FBS', 'FOS'}
        With its tests in the order of ``d.features``, as printed.

    Returns
    -------
    AdmissibleTau

    Notes
    -----
    eta is the least positive R(T) - R(S) of the run of BS, or OS, on the risks themselves, over all executions of
    line 5, or 4. Under both assumptions that of FBS is never below that of FOS. The bound is sharp: with tau above eta
    some feature of the solution is dropped, with probability 1 in the limit. FBS needs neither assumption: it finds
    the solution that BS finds. FOS needs that OS finds one.

    Complexity: that of `backward_search`, or `one_shot`.

    References
    ----------
    Peña and Nilsson (2010), Theorem 8 and its proof.

    Examples
    --------
    >>> import fstheory as fs
    >>> d = fs.JointDistribution([[[4, 1], [4, 1]], [[1, 4], [2, 3]]])
    >>> [fs.admissible_tau(d, method).eta for method in ("FBS", "FOS")]
    [Fraction(1, 5), Fraction(1, 5)]
    """
    require_choice(method, "method", ("FBS", "FOS"))
    exact = backward_search(d) if method == "FBS" else one_shot(d)
    positive = [step.without - step.before for step in exact.trace if step.without > step.before]  # type: ignore[attr-defined]
    return AdmissibleTau(d, method, exact, min(positive, default=Fraction(1)))
