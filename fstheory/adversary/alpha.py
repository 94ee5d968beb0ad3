"""The weight of class 0, so that p(X = 0, Y = 0) is the alpha that was asked for."""

from __future__ import annotations

from fractions import Fraction

from fstheory._rational import Exact, as_fraction
from fstheory.errors import InvalidValueError, explain

__all__ = ["balance", "read_alpha"]


def read_alpha(alpha: Exact | None, n: int) -> Fraction | None:
    """Return alpha as a Fraction strictly between 1/2 and 1, or refuse it."""
    if alpha is None:
        return None
    value = as_fraction(alpha, "alpha")
    if not Fraction(1, 2) < value < 1:
        raise InvalidValueError(explain("alpha", "strictly between 1/2 and 1", str(alpha), "pass alpha='3/4', say"))
    if n == 0:
        raise InvalidValueError(
            explain(
                "alpha", "left out when there are no features", str(alpha), "the only risk is 0 then, so p(Y=0) = 1"
            )
        )
    return value


def balance(masses: list[int], alpha: Fraction | None) -> tuple[list[int], int]:
    """Return the masses, that of the empty subset possibly raised, and the weight of class 0.

    With W the sum of the masses and alpha = a/b in lowest terms, class 0 needs the weight W a/(b - a), an
    integer only if b - a divides W. The empty subset comes last, so its mass may grow without
    disturbing the order. Without alpha, the weight is the least above W.
    """
    total = sum(masses)
    if alpha is None:
        return masses, total + 1
    rest = alpha.denominator - alpha.numerator
    missing = -total % rest
    return [masses[0] + missing, *masses[1:]], (total + missing) // rest * alpha.numerator
