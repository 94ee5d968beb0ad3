"""Write gallery_risks.json: the Bayes risks of every gallery member, from definitions written a second time.

Nothing here imports fstheory. The definitions are in other forms than the package's: MONK's problems in numeric codes,
the display by Hamming distances, the network as a product of two-way tables, the counts as rows of flat tables
(gallery_published.json). Risks are sums of `Fraction` by the definition R(S) = 1 - sum_s max_y p(s, y).

Run ``python tests/oracles/generate_gallery_risks.py``; it needs only Python 3.11 and no seed.
"""

import json
import math
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from itertools import combinations, product
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
Pmf = dict[tuple[Any, ...], Fraction]

SEGMENTS = ["top", "upper_left", "upper_right", "middle", "lower_left", "lower_right", "bottom"]
LIT = [119, 18, 93, 91, 58, 107, 111, 82, 127, 123]  # the segments as bits, top first
ROBOT = ["head_shape", "body_shape", "is_smiling", "holding", "jacket_color", "has_tie"]
CLINIC = ["asia", "smoke", "tub", "lung", "bronc", "either", "xray", "dysp"]


def flat_table(name: str) -> Pmf:
    """Return the empirical distribution of a flat table of counts."""
    rows = json.loads((HERE / "gallery_published.json").read_text(encoding="utf-8"))["tables"][name]["rows"]
    total = sum(row[-1] for row in rows)
    return {tuple(row[:-1]): Fraction(row[-1], total) for row in rows}


def coded_robots(concept: Callable[..., bool], noise: Fraction) -> Pmf:
    """Return a MONK's problem in the codes a1 .. a6 = 1, 2, ..."""
    cells = product(*(range(1, size + 1) for size in (3, 3, 2, 3, 4, 2)))
    chances = {True: (1 - noise) / 432, False: noise / 432}
    return {(*a, member): chances[member == concept(*a)] for a in cells for member in (False, True)}


def display(classes: Callable[[int], Any]) -> Pmf:
    """Return the display with noise 1/10: 9**(7 - h) / 10**8 at Hamming distance h from each digit."""
    pmf: Pmf = {}
    for code in range(128):
        for digit, lit in enumerate(LIT):
            key = (*(code >> (6 - i) & 1 for i in range(7)), classes(digit))
            pmf[key] = pmf.get(key, Fraction(0)) + Fraction(9 ** (7 - (code ^ lit).bit_count()), 10**8)
    return pmf


def clinic(target: str) -> Pmf:
    """Return the chest clinic network with the target last."""
    pmf: Pmf = {}
    for a, s, t, c, b, x, d in product((0, 1), repeat=7):
        e = max(t, c)
        percent = [
            (1, 99)[1 - a],
            50,
            ((1, 99), (5, 95))[a][1 - t],
            ((1, 99), (10, 90))[s][1 - c],
            ((30, 70), (60, 40))[s][1 - b],
            ((5, 95), (98, 2))[e][1 - x],
            (((10, 90), (70, 30)), ((80, 20), (90, 10)))[b][e][1 - d],
        ]
        mass = Fraction(math.prod(percent), 100**7)
        state = dict(zip(CLINIC, (a, s, t, c, b, e, x, d), strict=True))
        pmf[(*(state[name] for name in CLINIC if name != target), state[target])] = mass
    return pmf


def bits(n: int, rule: Callable[..., Fraction | int]) -> Pmf:
    """Return the distribution over n + 1 bits that is proportional to a rule."""
    weights = {cell: Fraction(rule(*cell)) for cell in product((0, 1), repeat=n + 1)}
    total = sum(weights.values())
    return {cell: weight / total for cell, weight in weights.items()}


def given_class(ones: Sequence[tuple[str, str]], prior: tuple[str, str] = ("0.5", "0.5")) -> Pmf:
    """Return bits that are independent given the class; `ones` holds P(Xi=1|first), P(Xi=1|second)."""

    def rule(*cell: int) -> Fraction:
        *x, y = cell
        parts = (Fraction(one[y]) if bit else 1 - Fraction(one[y]) for bit, one in zip(x, ones, strict=True))
        return math.prod(parts, start=Fraction(prior[y]))

    return bits(len(ones), rule)


def members() -> Iterator[tuple[str, list[str], Pmf]]:
    """Yield the name, the features and the mass function of every member that is no random draw."""
    twentieth, tenth = Fraction(1, 20), Fraction(1, 10)
    yield "titanic", ["class", "sex", "age"], flat_table("titanic")
    yield "berkeley", ["gender", "department"], flat_table("berkeley")
    yield "monks-1", ROBOT, coded_robots(lambda *a: a[0] == a[1] or a[4] == 1, Fraction(0))
    yield "monks-2", ROBOT, coded_robots(lambda *a: a.count(1) == 2, Fraction(0))
    third: Callable[..., bool] = lambda *a: (a[4] == 3 and a[3] == 1) or (a[4] != 4 and a[1] != 3)  # noqa: E731
    yield "monks-3", ROBOT, coded_robots(third, twentieth)
    yield "led", SEGMENTS, display(lambda digit: digit)
    yield "led-parity", SEGMENTS, display(lambda digit: digit % 2)
    yield "xor", ["X1", "X2"], bits(2, lambda a, b, y: a ^ b ^ y ^ 1)
    yield "parity-3", ["X1", "X2", "X3"], bits(3, lambda a, b, c, y: 1 if a ^ b ^ c ^ y else 9)
    corral = ["A0", "A1", "B0", "B1", "irrelevant", "correlated"]
    yield "corral", corral, bits(6, lambda a, b, c, d, _, k, y: (max(a * b, c * d) == y) * (3 - 2 * (k ^ y)))
    paired = bits(5, lambda a, b, c, d, e, y: (b + d == 1) * (c + e == 1) * ((a + b + y) % 2 == 0))
    yield "correlated-xor", ["X1", "X2", "X3", "X4", "X5"], paired
    yield "asia", CLINIC[:-1], clinic("dysp")
    for target in CLINIC[:-1]:
        yield f"asia-{target}", [name for name in CLINIC if name != target], clinic(target)
    yield "ahmed-example-1", ["X1", "X2"], given_class([("0.1", "0.4"), ("0.4", "0.9")], ("0.7", "0.3"))
    yield "pena-nilsson-example-1", ["X"], bits(1, lambda x, y: (3 - x) if y else x)
    yield "toussaint", ["X1", "X2", "X3"], given_class([("0.1", "0.9"), ("0.05", "0.8"), ("0.01", "0.71")])
    yield "cover", ["A1", "A2", "B1", "B2"], given_class([("0.2", "0.8")] * 2 + [("0", "0.55")] * 2)
    yield "copies", ["X1", "X2"], bits(2, lambda a, b, y: (a == b) * (9 if a == y else 1) * tenth)
    yield "recoded", ["X1", "X2", "X3"], bits(3, lambda a, b, c, y: ((a + b + c) % 2 == 0) * (9 if c == y else 1))
    yield "ties", ["X1", "X2"], bits(2, lambda a, b, y: 2 * (a == b == y) + (a != b))


def risk(pmf: Pmf, kept: Sequence[int]) -> Fraction:
    """Return the Bayes risk of the features at these positions, by definition."""
    cells: dict[tuple[Any, ...], dict[Any, Fraction]] = {}
    for (*x, y), mass in pmf.items():
        cell = cells.setdefault(tuple(x[i] for i in kept), {})
        cell[y] = cell.get(y, Fraction(0)) + mass
    return 1 - sum((max(cell.values()) for cell in cells.values()), Fraction(0))


def entry(features: list[str], pmf: Pmf) -> dict[str, Any]:
    """Return what the oracle says of one member."""
    if sum(pmf.values()) != 1:
        raise ValueError("the masses do not sum to 1")
    n = len(features)
    risks = {kept: risk(pmf, kept) for size in range(n + 1) for kept in combinations(range(n), size)}
    best = [set(kept) for kept, value in risks.items() if value == risks[tuple(range(n))]]
    minimal = [sorted(kept) for kept in best if not any(other < kept for other in best)]
    shown = {kept: value for kept, value in risks.items() if n <= 4 or len(kept) in (0, 1, n)}
    return {
        "minimal_optimal": [[features[i] for i in kept] for kept in minimal],
        "risks": {",".join(features[i] for i in kept): str(value) for kept, value in shown.items()},
    }


def main() -> None:
    oracle = {
        "what": "Bayes risks by definition; of more than 4 features only those of none, one and all",
        "generator": "tests/oracles/generate_gallery_risks.py",
        "members": {name: entry(features, pmf) for name, features, pmf in members()},
    }
    text = json.dumps(oracle, indent=1, ensure_ascii=False)
    (HERE / "gallery_risks.json").write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
