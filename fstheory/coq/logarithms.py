"""Terms with logarithms or products: the variables that the Coq library has for them, and equations of logarithms."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from fractions import Fraction

from fstheory.checker.cases import Cases
from fstheory.checker.every_size import PRIMES, EverySizeSpace
from fstheory.checker.statement import LEAVES, ONE, Form, Node, compared, of_itself, walk


def multiplies(node: Node) -> bool:
    """Return whether a term has a logarithm in it, or a product of terms that are not constant."""
    return any(part[0] == "log" or (part[0] == "*" and not any(map(is_constant, part[1:]))) for part in walk(node))


def is_constant(term: Node) -> bool:
    """Return whether a term is a number, or made of numbers."""
    return term[0] == "q" or (term[0] in {"+", "*", "/"} and all(map(is_constant, term[1:])))


def sides_that_multiply(formulas: Iterable[Node]) -> Iterator[Node]:
    """Yield the sides of the comparisons in formulas that have logarithms or products in them."""
    return (side for formula in formulas for side in compared(formula) if multiplies(side))


def chance(space: EverySizeSpace, form: Form) -> str:
    """Return a risk, or the chance of no error, for people."""
    risk = f"bayes_risk d {_features(max(form), space.n)}"
    return f"1 - {risk}" if ONE in form else risk


def variable(space: EverySizeSpace, unknown: int) -> tuple[str, str] | None:
    """Return an unknown as a variable of the verified checker, and as what it is for people.

    The variable of a constant is empty. Return None for a product, and for what the Coq library does not have.
    """
    n = space.n
    logs = space.log(2)  # of primes; the coins of risks, and of no errors, are before them
    each = space.log(3) - logs  # the logarithm itself, then its products: those with risks are the first
    kind, mask = unknown >> n, unknown % (1 << n)
    risk = f"bayes_risk d {_features(mask, n)}"
    coin = unknown - logs + (2 << n)
    if unknown == ONE:
        return "", ""
    if 0 <= kind < 1:
        return f"var {mask}", risk
    if 1 <= kind < 3:
        word = "joint_entropy" if kind == 2 else "entropy"
        return f"h_ {n} {unknown - (1 << n)}", f"{word} d {_features(mask, n)}"
    if kind == 3:
        return f"g_ {n} {mask}", f"gini d {_features(mask, n)}"
    if 0 <= coin < 2 << n:
        p = risk if coin < 1 << n else f"1 - {risk}"
        return f"{'coin_' if coin < 1 << n else 'other_'} {n} {mask}", f"minus_log ({p})"
    if logs <= unknown < space.squares and (unknown - logs) % each <= 1 << n:
        prime, place = divmod(unknown - logs, each)
        told = f" * bayes_risk d {_features(place - 1, n)}" if place else ""
        return f"log_at {n} {prime} {place}", f"prime_log {PRIMES[prime]}{told}"
    return None


def in_primes(number: Fraction) -> str:
    """Return the proof step that the logarithm of a number is a sum of logarithms of primes."""
    above, below = (
        [p for p in PRIMES for _ in range(_times(p, part))] for part in (number.numerator, number.denominator)
    )
    product = " ".join([" * ".join(map(str, above or [1])), *(f"* / {p}" for p in below)])
    total = " ".join([" + ".join(f"ln {p}" for p in above or [1]), *(f"- ln {p}" for p in below)])
    steps = f"replace ({number})%R with ({product})%R by lra; rewrite ?ln_mult, ?ln_Rinv by lra; ring"
    return f"(ln ({number}) = {total})%R) by ({steps})"


def logarithms_in(nodes: Iterable[Node], cases: Cases) -> Iterator[Fraction]:
    """Yield the numbers whose logarithms stand in terms."""
    for kind, *parts in nodes:
        if kind == "log":
            yield Fraction(cases.form(parts[0])[ONE])
        elif kind not in LEAVES and not of_itself((kind, *parts)):
            yield from logarithms_in(parts, cases)


def _times(p: int, number: int) -> int:
    """Return how often a prime divides a number."""
    return 0 if number % p else 1 + _times(p, number // p)


def _features(mask: int, n: int) -> str:
    return f"[{'; '.join(str(i) for i in range(n) if mask >> i & 1)}]%nat"
