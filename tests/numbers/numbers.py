"""Strategies: sums of logarithms that are often equal though written differently."""

from fractions import Fraction

from hypothesis import strategies as st

Pairs = list[tuple[Fraction, Fraction]]
BASES = [None, Fraction(2), Fraction(10), Fraction(3, 2), Fraction(36)]

coefficients = st.builds(Fraction, st.integers(-4, 4), st.integers(1, 4))
smooth = st.sampled_from([1, 2, 3, 4, 6, 8, 9, 12, 5, 7, 30, 210, 2**31 * 3, 2**33, 6**20, 65537**3])
arguments = st.builds(Fraction, smooth, smooth)
terms = st.lists(st.tuples(coefficients, arguments), max_size=6)


@st.composite
def spellings(draw: st.DrawFn) -> tuple[Pairs, Pairs]:
    """Draw two lists of terms with the same sum: arguments split, powers taken in and out, inverses."""
    first = draw(terms)
    second: Pairs = list(first)
    for _ in range(draw(st.integers(0, 3))):
        rewritten: Pairs = []
        for coefficient, argument in second:
            way, by = draw(st.sampled_from(["split", "power", "invert", "halve"])), draw(arguments)
            if way == "split":
                rewritten += [(coefficient, argument * by), (-coefficient, by)]
            elif way == "power":
                rewritten.append((coefficient / 3, argument**3))
            elif way == "invert":
                rewritten.append((-coefficient, 1 / argument))
            else:
                rewritten += [(coefficient / 2, argument), (coefficient / 2, argument)]
        second = draw(st.permutations(rewritten))
    return first, list(second)
