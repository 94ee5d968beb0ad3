"""Distributions of any size with prescribed values for all subsets: a secret shared among features, tag by tag."""

from __future__ import annotations

import itertools
import math
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import reduce
from operator import and_, mul
from typing import Any, TypeAlias

import numpy as np

from fstheory._support.exact import Exact, as_fraction, as_index, exact_text, integers_over
from fstheory._support.memory import require_cells
from fstheory._support.progress import Clock, OutOfTime
from fstheory.distributions.joint import JointDistribution
from fstheory.errors import InvalidTypeError, InvalidValueError, explain, require, require_choice, require_listed
from fstheory.lattice.extensions import base_order, names_in, require_decreasing, require_each_once, resolve_features
from fstheory.lattice.subsets import Subset, covers, default_features, format_subset, indices_of, listed_names, mask_of
from fstheory.measures.criteria import Criterion, as_criterion, gini, logarithmic, zero_one
from fstheory.measures.information import mutual_information
from fstheory.selection.adversary import cell_counts, masses_of, shape_of, spread

# -- A secret, a number below k, is shared so that some subsets of the features know it, and others know nothing.

Scheme: TypeAlias = "list[list[int]]"  # groups of pieces that sum to the secret: for each piece, who holds it, a mask
Part: TypeAlias = "tuple[Fraction, Scheme, int, Mapping[tuple[int, int], Fraction]]"  # weight, k, p(secret, class)
Cells: TypeAlias = "dict[tuple[Any, ...], int]"  # the weight of each (x1, .., xn, y) that has one
Weights: TypeAlias = "dict[int, int]"  # the weight of each class that has one
Alike: TypeAlias = Callable[[Weights, Weights], bool]
Table: TypeAlias = "np.ndarray[Any, Any]"


def scheme(blind: Sequence[bool]) -> Scheme:
    """Return a scheme that shares a secret: blind subsets know nothing about it, and all other subsets know it.

    `blind` says by mask which subsets are blind. In the scheme of Ito, Saito and Nishizeki there is a piece for each
    maximal blind subset, and all features outside the subset hold it. In the scheme of Benaloh and Leichter each
    minimal subset that knows the secret has pieces of its own. The scheme with fewer pieces and draws is returned.
    """
    full = len(blind) - 1
    n = full.bit_length()
    largest = [s for s, is_blind in enumerate(blind) if is_blind and not any(blind[t] for t in covers(s, n))]
    least = [s for s, is_blind in enumerate(blind) if not is_blind and all(blind[s ^ 1 << i] for i in indices_of(s))]
    one = [[full ^ s for s in largest]] if largest else []
    other = [[1 << i for i in indices_of(s)] for s in least if s]
    return min(one, other, key=lambda groups: (sum(map(int.bit_count, itertools.chain(*groups))), _free(groups)))


def levels(values: Sequence[Fraction]) -> list[tuple[Fraction, Scheme]]:
    """Return the levels of a decreasing function of the mask: the height of each, and the scheme for its blind subsets.

    A subset is blind for a level if its value reaches the top of the level.
    """
    steps = itertools.pairwise(sorted({Fraction(0), *values}))
    return [(high - low, scheme([value >= high for value in values])) for low, high in steps]


def _free(groups: Scheme) -> int:
    """Return the number of pieces that are drawn at random, given the secret."""
    return sum(len(group) - 1 for group in groups)


def _draws(groups: Scheme, n: int, k: int) -> Iterator[tuple[tuple[tuple[int, ...], ...], int]]:
    """Yield the pieces that each feature holds, and the secret. Given the secret, all draws are equally likely."""
    holders = list(itertools.chain(*groups))
    for secret in range(k):
        drawn = (itertools.product(range(k), repeat=len(group) - 1) for group in groups)
        for frees in itertools.product(*drawn):
            pieces = [piece for free in frees for piece in (*free, (secret - sum(free)) % k)]
            held = (tuple(p for p, holder in zip(pieces, holders, strict=True) if holder >> i & 1) for i in range(n))
            yield tuple(held), secret


_FOREVER = Clock(None, None)


def mixed(parts: Sequence[Part], n: int, clock: Clock = _FOREVER) -> Cells:
    """Return the mixture of the parts. The state of every feature shows the number of the part."""
    rows = sum(k ** (1 + _free(groups)) for _, groups, k, _ in parts)
    require_cells((rows,), "the rows of the construction", "use fewer features or values", 500 + 250 * 2**n)
    found: dict[tuple[Any, ...], Fraction] = {}
    for tag, (weight, groups, k, law) in enumerate(parts):
        each = weight / k ** _free(groups)
        for held, secret in _draws(groups, n, k):
            clock.tick(lambda: f"{len(found):,} of {rows:,} rows of a construction")
            for (of, y), p in law.items():
                if of == secret:
                    cell = (*((tag, *pieces) for pieces in held), y)
                    found[cell] = found.get(cell, 0) + each * p
    weights, _ = integers_over(found.values())
    return dict(zip(found, weights, strict=True))


# -- States that no subset needs to distinguish are merged.

_FEW = 2000  # up to this number of rows, several orders of the features are tried
_COMPARED = 300  # the most states with which each state is compared
_SHARE = 0.5  # the share of the time left that merging may take
_MOST = 10_000_000  # the most cells of a distribution whose merging ran out of time


def agree(u: Weights, v: Weights) -> bool:
    """Return whether some class is most likely under both weights. Then merging the two states adds no error."""
    most = max(u.values()), max(v.values())
    return any((weight, v.get(y)) == most for y, weight in u.items())


def proportional(u: Weights, v: Weights) -> bool:
    """Return whether both weights have the same posterior. Then merging the two states loses nothing at all."""
    total, other = sum(u.values()), sum(v.values())
    return u.keys() == v.keys() and all(weight * other == v[y] * total for y, weight in u.items())


def merged(cells: Cells, n: int, alike: Alike, clock: Clock = _FOREVER) -> tuple[Cells, tuple[int, ...]]:
    """Merge states so that every subset keeps its value. Return the cells, and the number of states of each feature.

    The states become numbers. `alike` says which weights may be merged. If its share of the time is over, merging ends.
    """
    share = clock.at_most(_SHARE * clock.left)
    first, found = sorted(range(n), key=lambda i: -len({cell[i] for cell in cells})), []
    for turn in range(max(n, 1) if len(cells) <= _FEW else 1):
        fewer, sizes = cells, [0] * n
        for i in (*first[turn:], *first[:turn]):
            try:
                place = _merged_at(i, fewer, alike, share)
            except OutOfTime:
                place = {state: number for number, state in enumerate(dict.fromkeys(cell[i] for cell in fewer))}
            fewer, sizes[i] = _renamed(i, fewer, place), len(set(place.values()))
        found.append((fewer, tuple(sizes)))
    least = min(found, key=lambda smaller: math.prod(smaller[1]))
    if share.left <= 0 and math.prod(least[1]) > _MOST:
        raise OutOfTime
    return least


def _merged_at(i: int, cells: Cells, alike: Alike, clock: Clock) -> dict[Any, int]:
    """Merge each state of a feature into the first state that allows it. Return the new number of each state."""
    n = len(next(iter(cells))) - 1
    seen: dict[Any, dict[tuple[Any, ...], Weights]] = {}
    others = [indices_of(mask) for mask in range(2**n) if not mask >> i & 1]

    def tick() -> None:
        clock.tick(lambda: f"a construction of {len(cells):,} rows: merging the states of a feature")

    for cell, weight in cells.items():
        tick()
        weights = seen.setdefault(cell[i], {})
        for number, kept in enumerate(others):
            of_class = weights.setdefault((number, *(cell[j] for j in kept)), {})
            of_class[cell[-1]] = of_class.get(cell[-1], 0) + weight
    states: list[dict[tuple[Any, ...], Weights]] = []
    place: dict[Any, int] = {}
    for state in sorted(seen, key=lambda state: -len(seen[state])):
        tick()
        fits = (
            all(at not in held or alike(held[at], w) for at, w in seen[state].items()) for held in states[:_COMPARED]
        )
        place[state] = next((number for number, fit in enumerate(fits) if fit), len(states))
        if place[state] == len(states):
            states.append({})
        joined = states[place[state]]
        for at, w in seen[state].items():
            joined[at] = dict(Counter(joined[at]) + Counter(w)) if at in joined else w
    return place


def _renamed(i: int, cells: Cells, place: Mapping[Any, int]) -> Cells:
    """Rename the states of a feature. States with the same new name are merged."""
    fewer: Counter[tuple[Any, ...]] = Counter()
    for cell, weight in cells.items():
        fewer[(*cell[:i], place[cell[i]], *cell[i + 1 :])] += weight
    return dict(fewer)


# -- Bayes risks: each level set of the risks becomes a shared secret, and the secrets are mixed.


def distribution_with_risks(
    risks: Sequence[Fraction], classes: int, assume: frozenset[str] = frozenset(), clock: Clock = _FOREVER
) -> JointDistribution:
    """Return a distribution that has these Bayes risks, by mask, and satisfies the assumptions.

    The caller must know that there is one. If the form of `adversarial` has the risks, it is taken. Otherwise the class
    is first certain given all features, and then noise raises R(X) to its value: a symmetric channel, or weight on
    every cell.
    """
    n = (len(risks) - 1).bit_length()
    small = _in_form(risks, default_features(n), (2,) * n + (classes,), assume)
    if isinstance(small, JointDistribution):
        return small
    unique = "unique_maximum" in assume
    k = next(k for k in range(2, classes + 1) if risks[0] <= _top(k) and (not unique or risks[-1] < _top(k)))
    noise = risks[-1] / _top(k)
    sure = [(risk - risks[-1]) / (1 - noise) if noise < 1 else Fraction(0) for risk in risks]
    spreads = "positive" in assume and (unique or not noise)
    table = _hidden(sure, k, clock) if spreads else _table(*_shared(sure, k, clock), k)
    every = math.prod(table.shape) if "positive" in assume and not spreads else k
    uniform = table.sum() if every > k else table.sum(axis=-1, keepdims=True)
    table = table * int(noise.denominator - noise.numerator) * every + uniform * noise.numerator
    return JointDistribution(np.pad(table, [*([(0, 0)] * n), (0, classes - k)]))


def _top(k: int) -> Fraction:
    """Return the largest possible Bayes risk with k classes."""
    return 1 - Fraction(1, k)


def _in_form(
    risks: Sequence[Fraction], names: Sequence[str], shape: Sequence[int], assume: frozenset[str]
) -> JointDistribution | str:
    """Return the distribution of the form of `adversarial` in a shape.

    If this form does not have the risks, return the words of an error message that say why.
    """
    masses, denominator = masses_of(risks)
    for mask in base_order(len(names)).tolist():
        if masses[mask] < 0:
            lacking = f"q = {exact_text(Fraction(masses[mask], denominator))} for {format_subset(mask, names)}"
            return f"give every subset a mass of at least 0 where cardinalities are given, not {lacking}"
    if risks[0] > Fraction(1, 2):
        return f"be at most 1/2 where cardinalities are given, not {exact_text(risks[0])} for no features"
    scale = max(
        (-(-count // mass) for mass, count in zip(masses, cell_counts(shape[:-1]), strict=True) if mass), default=1
    )
    d = spread([scale * mass for mass in masses], scale * (denominator - sum(masses)), shape, names, None)
    holds = {"positive": d.is_positive, "unique_maximum": d.has_unique_maximum}
    fails = [name for name in sorted(assume) if not holds[name]()]
    return f"let {' and '.join(fails)} hold where cardinalities are given, not exclude it" if fails else d


def _shared(risks: Sequence[Fraction], k: int, clock: Clock) -> tuple[Cells, tuple[int, ...]]:
    """Return the cells of a distribution with these risks, and the numbers of states.

    The risk of all features must be 0: they determine the class.
    """
    n, left, parts = (len(risks) - 1).bit_length(), 1 - risks[0] / _top(k), list[Part]()
    for height, groups in levels(risks):  # fewer classes weigh more, as long as there is weight left
        some = next(some for some in range(2, k + 1) if height / _top(some) - height / _top(k) <= left)
        left -= height / _top(some) - height / _top(k)
        parts.append((height / _top(some), groups, some, {(y, y): Fraction(1, some) for y in range(some)}))
    if left:
        parts.append((left, [], 1, {(0, 0): Fraction(1)}))
    return merged(mixed(parts, n, clock), n, agree, clock)


def _table(cells: Cells, sizes: Sequence[int], classes: int, digits: Sequence[int] = ()) -> Table:
    """Return the weights of all cells as a table.

    Raise an error if they do not fit in memory, including the `digits` by which the numbers of states will grow.
    """
    more = list(map(mul, sizes, digits or (1,) * len(sizes)))
    states = " x ".join(map(str, more))
    require_cells((*more, classes), f"the distribution of {states} states", "use fewer features or values", 150)
    table = np.zeros((*sizes, classes), dtype=object)
    for cell, weight in cells.items():
        table[cell] += weight
    return table


def _hidden(risks: Sequence[Fraction], k: int, clock: Clock) -> Table:
    """Return the weights of a distribution with these risks in which p(x) > 0 and all features determine the class.

    The features of the least optimal subset also hold numbers below k that sum to the class. Then all states may have
    weight: subsets that contain all these features lose nothing, and all other subsets lose the same amount.
    """
    n = (len(risks) - 1).bit_length()
    least = min(mask for mask, risk in enumerate(risks) if not risk)  # every other optimal subset contains it
    gap = min((risk for mask, risk in enumerate(risks) if mask & least != least), default=Fraction(0))
    spread_out = gap / _top(k)
    rest = [(risk - gap * (mask & least != least)) / (1 - spread_out or 1) for mask, risk in enumerate(risks)]
    digits = tuple(k if least >> i & 1 else 1 for i in range(n))
    table = _table(*_shared(rest, k, clock), k, digits)
    says = np.indices(digits).sum(axis=0) % k
    told = np.tile((says[..., None] == np.arange(k)).astype(object), (*table.shape[:-1], 1))
    table = np.kron(table, np.ones((*digits, 1), dtype=object)) * told
    times, total = spread_out.denominator - spread_out.numerator, told[..., 0].size
    hidden: Table = table * (times * total) + told * (table.sum() * spread_out.numerator)
    return hidden


# -- Other measures of a uniform class, and two orderings at once.


def distribution_with_shares(
    shares: Sequence[Fraction], classes: int, clock: Clock = _FOREVER, prior: Sequence[Fraction] = ()
) -> JointDistribution:
    """Return a distribution in which each subset, by mask, knows nothing about the class with this probability.

    Otherwise the subset determines the class. The class has the probabilities of `prior`, or is uniform.
    """
    n = (len(shares) - 1).bit_length()
    law = {(y, y): p for y, p in enumerate(prior or [Fraction(1, classes)] * classes)}
    parts = [(height, groups, classes, law) for height, groups in levels(shares)]
    return JointDistribution(_table(*merged(mixed(parts, n, clock), n, proportional, clock), classes))


def distribution_with_areas(areas: Sequence[Fraction], clock: Clock = _FOREVER) -> JointDistribution:
    """Return a distribution of two classes with these areas under the ROC curve, by mask. No features have 1/2.

    If a subset with features has the area 1/2, the other areas are only approximate. Each level set of the areas is a
    secret. Let a_i and b_i be the parts of the two classes that belong to the secret i. A subset that does not know the
    first secrets has the area 1 - (b_1 a_1 + b_2 (2 a_1 + a_2) + ...) / 2, if a_i / b_i grows with i. It grows
    slightly.
    """
    n, told = (len(areas) - 1).bit_length(), levels([Fraction(1), *(2 - 2 * area for area in areas[1:])])
    heights = [*itertools.accumulate((height for height, _ in told), initial=Fraction(0))]
    roots = [Fraction(math.isqrt(h.numerator * h.denominator * 10**18), 10**9 * h.denominator) for h in heights]
    even = max((2 - 2 * area for area in areas[1:]), default=Fraction(0)) == 1
    step = 0 if even else (1 - roots[-2]) / (2 * len(told))  # so that the parts add up to less than 1
    parts, a, b = list[Part](), Fraction(0), Fraction(0)
    for i, (height, groups) in enumerate(told):
        first = (roots[i + 1] - roots[i]) * (1 + i * step)
        second = first if even else height / (first + 2 * a)
        if i == len(told) - 1:
            first, second = 1 - a, 1 - b
        law = {(0, 0): second / (first + second), (1, 1): first / (first + second)}
        parts.append(((first + second) / 2, groups, 2, law))
        a, b = a + first, b + second
    return JointDistribution(_table(*merged(mixed(parts, n, clock), n, proportional, clock), 2))


_FAIR = {(0, 0): Fraction(1, 2), (1, 0): Fraction(1, 4), (1, 1): Fraction(1, 4)}
_DECISIVE = {(0, 0): Fraction(5, 8), (1, 0): Fraction(1, 8), (1, 1): Fraction(1, 4)}


def distribution_with_gains(
    falls: Sequence[Fraction], gains: Sequence[Fraction], clock: Clock = _FOREVER, *, impurity: bool = False
) -> JointDistribution:
    """Return a distribution of two classes whose falls of the risk and gains of information are proportional to these.

    R({}) - R(S) is proportional to `falls`, and I(Y;S) is proportional to `gains`, both by mask. With `impurity`, the
    gains are G({}) - G(S) of the Gini impurity instead of I(Y;S).

    The caller must know that both sequences grow with the subset from 0, and that `falls` stays equal where `gains`
    does. The class is 1 with probability 1/4. Each shared bit has one of two laws. A fair bit leaves the class 0 or
    undecided: a subset that knows it has 3/2 - 3/4 log2(3) bits about the class, and its risk is the same. The other
    bit has the probability 3/8: a subset that knows it has 3/2 times as much information, and its risk is 1/8 lower.
    The first bit lowers the impurity by 1/8, and the second one by 5/24.
    """
    ratio = Fraction(5, 3) if impurity else Fraction(3, 2)

    n = (len(falls) - 1).bit_length()
    steps = ((mask, cover) for mask in range(len(falls)) for cover in covers(mask, n) if falls[cover] > falls[mask])
    rates = (Fraction(gains[s] - gains[t]) / (falls[s] - falls[t]) for t, s in steps)
    rate = min(rates, default=Fraction(0)) / ratio
    decisive = [rate * fall for fall in falls]
    fair = [gain - ratio * part for gain, part in zip(gains, decisive, strict=True)]
    total = fair[-1] + decisive[-1]
    parts: list[Part] = [] if total else [(Fraction(1), [], 1, {(0, 0): Fraction(3, 4), (0, 1): Fraction(1, 4)})]
    for told, law in ((fair, _FAIR), (decisive, _DECISIVE)):
        untold = levels([told[-1] - part for part in told])
        parts += [(height / total, groups, 2, law) for height, groups in untold]
    return JointDistribution(_table(*merged(mixed(parts, n, clock), n, proportional, clock), 2))


def distribution_with_three_gains(
    falls: Sequence[int], gains: Sequence[int], purities: Sequence[int], clock: Clock = _FOREVER
) -> JointDistribution:
    """Return a distribution of two classes whose risks, informations and Gini impurities are in these three orders.

    R({}) - R(S) is proportional to `falls`, and G({}) - G(S) to `purities`. The order of I(Y;S) is that of `gains`. All
    three are by mask. The caller must know that the sequences grow with the subset from 0, that `gains` grow from a
    subset to a superset if and only if `purities` do, and that subsets with equal `gains` are equal in all three.

    The class is 1 with a small probability. Each shared bit has one of three laws. How much weight each subset knows
    of each law solves linear equations in which the informations of the laws are rounded. So I(Y;S) is not quite
    proportional to `gains`. The error is far less than the distance of two levels: see `_three_laws`.
    """
    n = (len(falls) - 1).bit_length()
    steps = [(s, t) for s in range(len(falls)) for t in covers(s, n) if gains[t] != gains[s]]
    rates = [Fraction(gains[t] - gains[s], purities[t] - purities[s]) for s, t in steps] or [Fraction(1)]
    laws, told, pure = _three_laws(max(rates) / min(rates), n)
    rate = (told[0] / pure[0] / max(rates) + told[1] / pure[1] / min(rates)) / 2
    det = told[0] * pure[1] - told[1] * pure[0]
    for halvings in itertools.count():
        third = [Fraction(fall, 2**halvings) for fall in falls]
        left = [
            (rate * gain - told[2] * known, purity - pure[2] * known)
            for gain, purity, known in zip(gains, purities, third, strict=True)
        ]
        first = [(x * pure[1] - told[1] * y) / det for x, y in left]
        second = [(told[0] * y - pure[0] * x) / det for x, y in left]
        if all(known[s] <= known[t] for known in (first, second) for s, t in steps):
            total = first[-1] + second[-1] + third[-1]
            parts: list[Part] = [] if total else [(Fraction(1), [], 2, laws[0])]
            for known, law in zip((first, second, third), laws, strict=True):
                parts += [(height / total, groups, 2, law) for height, groups in levels([known[-1] - k for k in known])]
            return JointDistribution(_table(*merged(mixed(parts, n, clock), n, proportional, clock), 2))
    raise AssertionError("a small weight of the third law is enough")


def _three_laws(
    spread: Fraction, n: int
) -> tuple[list[dict[tuple[int, int], Fraction]], list[Fraction], list[Fraction]]:
    """Return three laws of a bit and the class, and how much the bit lowers the entropy and the impurity in each law.

    If the bit is 0, so is the class. If the bit is 1, the class is 1 with probability 2 * prior, 1/2 and 2/3. Only the
    third bit lowers the risk. The smaller the prior is, the more information has the second bit for its impurity, and
    the first bit still more: their rates differ by more than a factor of 2 * `spread`.

    The informations are rounded to n + 2 significant digits. So a sum of positive multiples of them changes by less
    than 10**-(n + 1) of its value. With at most 2**n levels, this is less than half of the distance of two levels.
    """
    for halvings in itertools.count(3):
        prior = Fraction(1, 2**halvings)
        ones = (Fraction(1, 2), 2 * prior, prior * Fraction(3, 2))
        laws = [{(0, 0): 1 - one, (1, 0): one - prior, (1, 1): prior} for one in ones]
        pairs = [JointDistribution([[law[0, 0], 0], [law[1, 0], law[1, 1]]]) for law in laws]
        told = [Fraction(mutual_information(d, d.features).decimal(n + 2)) for d in pairs]
        pure = [2 * prior * (prior / one - prior) for one in ones]
        if told[0] * pure[1] > 2 * spread * told[1] * pure[0]:
            return laws, told, pure
    raise AssertionError("the rates differ by any factor if the prior is small")


# -- The public function, and the checks of its arguments.


def adversarial_with_risks(
    risks: Mapping[Any, Exact] | Iterable[tuple[Subset, Exact]],
    classes: int = 2,
    *,
    assume: Any = (),
    criterion: Criterion[Any] | str = "zero_one",
    features: int | Iterable[str] | None = None,
    cardinalities: Iterable[int] | None = None,
    target: str | None = None,
) -> JointDistribution:
    """Return a distribution that has exactly these Bayes risks. If there is none, the error says why.

    Every decreasing function of the subsets with values from 0 to 1 - 1/k is the Bayes risk of some distribution with k
    classes. If the form of `adversarial` has the risks, the features are bits. Otherwise each level set of the risks
    becomes a secret that is shared among the features. The function then chooses the numbers of states. They are small,
    but need not be the smallest. Complexity: k**m rows for a level set with m maximal members, before states are
    merged; m is at most 6 for 4 features and at most 10 for 5. Sources: Peña and Nilsson (2010), equation 4; Ito, Saito
    and Nishizeki (1989); Benaloh and Leichter (1990).

    Parameters
    ----------
    risks : mapping, or iterable of pairs
        The Bayes risk of each of the 2**n subsets, as an exact number. Subsets are given by names.
    classes : int
        The number of classes k, at least 2. Classes that the risks do not need have probability 0.
    assume : names or claims
        The assumptions that must hold: `positive`, `unique_maximum`, or both. They exclude some risks. With
        `unique_maximum`, R(X) must be below 1 - 1/k. With `positive`, and either `unique_maximum` or R(X) = 0, one
        optimal subset must be contained in all others. Nothing else is excluded.
    criterion : Criterion or str
        The default is the 0-1 loss. With ``"logarithmic"``, the values are H(Y|S) / log k. With ``"gini"``, they are
        Gini impurities. In both cases the class is uniform, so the value of no features must be 1 or 1 - 1/k, and
        `assume` and `cardinalities` must be left out.
    features, target : names, as for `adversarial`
        The names of the features in the order of the axes, and the name of the class.
    cardinalities : iterable of int, optional
        The number of states of each feature. Then only the form of `adversarial` is tried, in which R(S) is the sum of
        masses q_T over the supersets T of S. An error does not exclude other numbers of states.

    Examples
    --------
    >>> d = adversarial_with_risks({(): "2/5", ("X1",): "0.1", ("X2",): "1/5", ("X1", "X2"): 0})
    >>> d.weights.tolist()
    [[[6, 0], [0, 1]], [[0, 2], [0, 1]]]
    >>> adversarial_with_risks({(): "1/2", ("X1",): "1/2", ("X2",): "1/2", ("X1", "X2"): 0}).weights.tolist()
    [[[1, 0], [0, 1]], [[0, 1], [1, 0]]]
    """
    pairs, k, assumed = _pairs(risks), as_index(classes, "classes", at_least=2), _assumptions(assume)
    names = names_in((subset for subset, _ in pairs), "risks") if features is None else resolve_features(features)
    judged = as_criterion(criterion)
    choices = [zero_one(), gini(), judged if isinstance(judged, type(logarithmic())) else logarithmic()]
    require(judged in choices, "criterion", "zero_one, logarithmic or gini", str(judged), "ask for another")
    top = Fraction(1) if judged == choices[2] else _top(k)
    shape = shape_of(cardinalities, k, names)
    table = _read(pairs, names)
    _require_possible(table, names, top)
    if judged != choices[0]:
        alone = f"left out with the criterion {judged}"
        require(not assumed, "assume", alone, sorted(assumed), "leave one of both out")
        require(cardinalities is None, "cardinalities", alone, cardinalities, "leave one of both out")
        uniform = f"{exact_text(top)} for no features with the criterion {judged}"
        require(table[0] == top, "risks", uniform, exact_text(table[0]), "the class is uniform then: scale them all")
        found: JointDistribution | str = distribution_with_shares([value / top for value in table], k)
    else:
        _require_assumable(table, names, top, assumed)
        bits = cardinalities is None
        found = distribution_with_risks(table, k, assumed) if bits else _in_form(table, names, shape, assumed)
    if isinstance(found, str):
        raise InvalidValueError(f"risks must {found}; other numbers of states can do it: leave cardinalities out")
    return JointDistribution(found.weights, features=names, target=target)


_ASSUMPTIONS = ("positive", "unique_maximum")


def _assumptions(assume: Any) -> frozenset[str]:
    """Return the names of the assumptions. They are given by name or as claims."""
    listed = [*assume] if isinstance(assume, Iterable) and not isinstance(assume, str) else [assume]
    own = "fstheory.logic.claims"  # a claim of another module may have the same name and another meaning
    bodies: list[Any] = [getattr(a, "body", a) for a in listed]
    named = [b.__name__ if getattr(b, "__module__", "") == own else a for a, b in zip(listed, bodies, strict=True)]
    for name in named:
        require_choice(name, "assume", _ASSUMPTIONS)
    return frozenset(named)


def _pairs(risks: object) -> list[tuple[Subset, object]]:
    pairs: list[tuple[Subset, object]] = []
    listed = require_listed(risks, "risks", "a mapping from subsets to exact numbers", "pass a dict")
    for pair in listed.items() if isinstance(listed, Mapping) else listed:
        if not isinstance(pair, Sequence) or len(pair) != 2 or isinstance(pair, str):
            raise InvalidTypeError(explain("risks", "pairs of a subset and its risk", pair, "pass a dict"))
        pairs.append((listed_names(pair[0], "a subset in risks"), pair[1]))
    return pairs


def _read(pairs: Iterable[tuple[Subset, object]], names: Sequence[str]) -> list[Fraction]:
    named = [(mask_of(subset, names, "a subset in risks"), value) for subset, value in pairs]
    require_each_once([mask for mask, _ in named], names, "risks")
    found = {mask: as_fraction(value, f"the risk of {format_subset(mask, names)}") for mask, value in named}
    return [found[mask] for mask in range(len(found))]


def _require_possible(table: Sequence[Fraction], names: Sequence[str], top: Fraction) -> None:
    """Raise an error if no distribution has these values. It names the pair of subsets or the value that shows it."""
    fault = "risks must not grow with the subset, not {high} for {outer} and {low} for {inner}"
    require_decreasing(table, names, f"{fault}; no distribution has such risks: lower that of {{outer}}")
    as_fraction(table[-1], "risks", at_least=0, repair="none is negative")
    as_fraction(table[0], "the risk of no features", at_most=top, repair="scale all risks down")


def _require_assumable(table: Sequence[Fraction], names: Sequence[str], top: Fraction, assumed: frozenset[str]) -> None:
    """Raise an error if no distribution that satisfies the assumptions has these risks. It says why."""
    least, label = table[-1], format_subset(len(table) - 1, names)
    if "unique_maximum" in assumed:
        repair = "all classes tie in every state then: lower it, or drop the assumption"
        below = f"below {exact_text(top)} for {label} with unique_maximum"
        require(least < top, "risks", below, exact_text(least), repair)
    optimal = [mask for mask, risk in enumerate(table) if risk == least]
    if "positive" not in assumed or ("unique_maximum" not in assumed and least) or reduce(and_, optimal) in optimal:
        return
    one, other = next(pair for pair in itertools.combinations(optimal, 2) if pair[0] & pair[1] not in optimal)
    first, second, both = (format_subset(mask, names) for mask in (one, other, one & other))
    raise InvalidValueError(
        f"risks must have a least optimal subset with {' and '.join(sorted(assumed))}, not {exact_text(least)} for "
        f"{first} and {second} and {exact_text(table[one & other])} for {both}; where p(x) > 0 for all x, a "
        f"decision that is a function of {first} and of {second} is one of {both}: raise one, or lower the third"
    )
