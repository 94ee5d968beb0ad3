"""The test of Tables 1 and 2, written down."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from fstheory._display import Shown
from fstheory._rational import readable

__all__ = ["RiskTest"]


@dataclass(frozen=True)
class RiskTest(Shown):
    """One execution of the test in Table 1 or 2: whether the risk is the same without a feature.

    Attributes
    ----------
    subset : frozenset of str
        The features S before the test; in Table 2 always all of them.
    candidate : str
        The feature Xi that is left out for the test.
    before, without : Fraction
        R(S), and R(S minus Xi).
    removed : bool
        Whether they are equal, so that Xi is removed.

    Examples
    --------
    >>> from fstheory.selection import backward_search
    >>> from fstheory import gallery
    >>> first = backward_search(gallery.ties()).trace[0]
    >>> sorted(first.subset), first.candidate, first.without, first.removed
    (['X1', 'X2'], 'X1', Fraction(1, 4), True)
    """

    subset: frozenset[str]
    candidate: str
    before: Fraction
    without: Fraction

    @property
    def removed(self) -> bool:
        """Whether the feature is removed: the risk without it is the same."""
        return self.without == self.before

    def __str__(self) -> str:
        return "{}: {}, {}".format(*self.row)

    @property
    def row(self) -> tuple[str, str, str]:
        """The candidate, what was found and what followed, in words."""
        if self.removed:
            return self.candidate, f"R = {readable(self.without)} without it, the same", "removed"
        return self.candidate, f"R = {readable(self.without)} without it, above {readable(self.before)}", "kept"
