"""Compare public numbers with literal definitions on random distributions: ``python -m tests.fuzz SEED SECONDS``.

The definitions share no code with the library. A distribution depends only on the seed and on its own number, so that
``python -m tests.fuzz SEED 0 NUMBER`` tries that distribution again. The drawn distributions have mixed cardinalities,
cells of probability zero, ties, copies of features, weights of a hundred bits, a single feature or none. Irrational
numbers are compared as exponents of primes if the weights are small, and to 45 digits otherwise.
"""

import itertools
import math
import random
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cached_property, partial
from types import SimpleNamespace
from typing import Any, TypeAlias

import mpmath  # type: ignore[import-untyped]
import numpy as np

import fstheory as fs
from fstheory import bounds, criteria, measures, samples, selection
from fstheory.lattice.importance import table_importance
from tests import literal
from tests.lattice.test_importance import KINDS, literal as literal_importance
from tests.measures import literal as informations
from tests.samples import literal_samples
from tests.samples.test_estimates import partitions
from tests.selection import literal as searches

Pmf: TypeAlias = dict[tuple[Any, ...], Fraction]
Kept: TypeAlias = tuple[int, ...]
Compared: TypeAlias = Iterator[tuple[str, Any, Any]]  # a name, the number of the library, and that of a definition
real = informations.real


class World:
    """A random distribution, once as the library has it and once as a dictionary."""

    def __init__(self, rng: random.Random) -> None:
        self.rng, n = rng, rng.choice([0, 1, 1, 2, 2, 2, 3, 3, 3, 4])
        self.shape = (*(rng.choice([1, 2, 2, 2, 3, 3, 4] if n < 4 else [1, 2, 2, 3]) for _ in range(n)),)
        self.shape += (rng.choice([1, 2, 2, 2, 3, 3, 4]),)
        self.places, self.small = range(n), rng.random() < 0.6
        self.axes = [rng.sample([-3, 0, 1, 2, 7, Fraction(5, 3), Fraction(-1, 4)], size) for size in self.shape]
        self.pmf = self.cells()
        self.d = self.made(self.pmf)
        self.names = self.d.features
        self.subsets: list[Kept] = [s for k in range(n + 1) for s in itertools.combinations(self.places, k)]

    def cells(self) -> Pmf:
        """Draw the probabilities of the cells."""
        rng, (*features, classes) = self.rng, self.shape
        rows = [[rng.choice([0, 1, 1, 2, 3, 5]) for _ in range(classes)] for _ in range(rng.choice([1, 2, 3, 9]))]
        same = rng.random() < 0.2 and len(features) > 1  # the first two features are copies as far as they can be
        weights = []
        for x in itertools.product(*map(range, features)):
            factor = rng.choice([0, 1, 1, 2, 3]) * (not same or x[0] == x[1])
            noise = 0 if self.small else rng.choice([0, 1, 10**30])
            weights += [factor * (w * (1 if self.small else 10**30) + rng.randint(0, noise)) for w in rng.choice(rows)]
        weights[rng.randrange(len(weights))] += 1
        return {
            cell: Fraction(weight, sum(weights))
            for cell, weight in zip(itertools.product(*self.axes), weights, strict=True)
        }

    def made(self, pmf: Pmf) -> fs.JointDistribution:
        total = math.lcm(*(p.denominator for p in pmf.values()))
        weights = np.array([int(p * total) for p in pmf.values()], dtype=object).reshape(self.shape)
        names = [*(f"X{i + 1}" for i in self.places), "Y"]
        return fs.JointDistribution(weights, states=dict(zip(names, self.axes, strict=True)))

    def named(self, kept: Iterable[int]) -> frozenset[str]:
        return frozenset(self.names[i] for i in kept)

    def groups(self, kept: Kept) -> list[dict[Any, Fraction]]:
        return list(informations.groups(self.pmf, kept).values())

    @cached_property
    def prior(self) -> dict[Any, Fraction]:
        return self.groups(())[0]

    @cached_property
    def risks(self) -> dict[Kept, Fraction]:
        return {kept: literal.bayes_risk(self.pmf, kept) for kept in self.subsets}

    def entropy(self, a: Sequence[int], given: Sequence[int]) -> Any:
        """Return H(A | C): exponents of primes if the weights are small, else a number of many digits."""
        if self.small:
            return informations.conditional_entropy(self.pmf, a, given)
        return informations.precise(self.pmf, a, given, informations.DIGITS)

    def to_digits(self, a: Sequence[int], given: Sequence[int]) -> Any:
        return informations.precise(self.pmf, a, given, informations.DIGITS)


def same(found: Any, wanted: Any) -> bool:
    """Compare a number of the library with a fraction, with exponents of primes, or with a number of many digits."""
    if isinstance(wanted, mpmath.mpf):
        return informations.near(found, wanted)
    if isinstance(wanted, dict) and isinstance(found, fs.numbers.LogSum):
        return not found.constant and {prime: c for c, prime in found.simplify().terms} == wanted
    return bool(found == wanted)


# -- criteria, their orderings and the importance of features

Reached: TypeAlias = Callable[[list[dict[Any, Fraction]]], Any]


def least_loss(loss: Callable[[Any, Any], Any], predictions: Sequence[Any], rows: list[dict[Any, Fraction]]) -> Any:
    """Return the least expected loss: in each state the best prediction."""
    losses = ([sum(p * loss(y, h) for y, p in row.items()) for h in predictions] for row in rows)
    return sum(map(min, losses), Fraction(0))


def best_f(beta: Fraction, positive: Any, rows: list[dict[Any, Fraction]]) -> Any:
    """Return the largest F-measure of all classifiers: (1 + b^2) TP / (b^2 P + predicted)."""
    total: Any = sum(row[positive] for row in rows)
    best: Any = Fraction(0)
    for chosen in itertools.product([0, 1], repeat=len(rows)):
        hits = sum(row[positive] for row, c in zip(rows, chosen, strict=True) if c)
        predicted = sum(sum(row.values()) for row, c in zip(rows, chosen, strict=True) if c)
        best = max(best, (1 + beta**2) * hits / (beta**2 * total + predicted)) if hits else best
    return best


def best_auc(positive: Any, negative: Any, rows: list[dict[Any, Fraction]]) -> Any:
    """Return the largest area: of each pair of states, the better order counts."""
    pairs = (max(a[positive] * b[negative], b[positive] * a[negative]) for a in rows for b in rows)
    return sum(pairs, Fraction(0)) / (2 * sum(r[positive] for r in rows) * sum(r[negative] for r in rows))


def impurity(rows: list[dict[Any, Fraction]]) -> Any:
    masses = [(sum(row.values()), row) for row in rows if any(row.values())]
    return sum((mass - sum(p**2 for p in row.values()) / mass for mass, row in masses), Fraction(0))


def losses(w: World) -> Iterator[tuple[str, Any, Reached]]:
    """Yield the criteria that are defined on a distribution, each with its definition on the states of a subset."""
    rng, ys = w.rng, list(w.prior)
    yield "zero_one", criteria.zero_one(), partial(least_loss, lambda y, h: y != h, ys)
    matrix: list[list[Any]] = [[rng.choice([0, 1, -2, Fraction(1, 3), 10**19]) for _ in range(3)] for _ in ys]
    loss = criteria.loss_matrix(matrix, predictions=["a", "b", "c"])
    yield "loss_matrix", loss, partial(least_loss, lambda y, h: Fraction(matrix[ys.index(y)][h]), range(3))
    yield "gini", criteria.gini(), impurity
    if all(w.prior.values()):
        yield "balanced", criteria.balanced(), partial(least_loss, lambda y, h: (y != h) / w.prior[y], ys)
    if len(ys) == 2:
        cost, positive = Fraction(rng.randint(1, 8), 9), rng.choice(ys)
        costs = {positive: cost, next(y for y in ys if y != positive): 1 - cost}
        made = criteria.cost_sensitive(cost, positive=positive)
        yield "cost_sensitive", made, partial(least_loss, lambda y, h: (y != h) * costs[h], ys)
        if all(w.prior.values()):
            yield "auc", criteria.auc(), partial(best_auc, *ys)
        if w.prior[positive] and math.prod(w.shape[:-1]) <= 8:
            beta = Fraction(rng.randint(1, 5), rng.randint(1, 5))
            yield "f_measure", criteria.f_measure(beta, positive=positive), partial(best_f, beta, positive)


def compare_criteria(w: World) -> Compared:
    wanted: dict[Kept, Any]
    found = [(name, made, {s: best(w.groups(s)) for s in w.subsets}) for name, made, best in losses(w)]
    errors = {s: informations.squared_error(w.pmf, s) for s in w.subsets}
    for name, criterion, wanted in [*found, ("squared_error", criteria.squared_error(), errors)]:
        table, one = fs.criterion_values(w.d, criterion), w.rng.choice(w.subsets)
        yield f"criterion_value, {name}", fs.criterion_value(w.d, criterion, w.named(one)), wanted[one]
        yield from ((f"criterion_values, {name}", table[w.named(s)], value) for s, value in wanted.items())
        ranks = [sorted(set(wanted.values())).index(value) for value in wanted.values()]
        masks = [sum(1 << i for i in s) for s in w.subsets]
        yield f"ranks, {name}", [table.ranks[mask] for mask in masks], ranks
        levels = sorted(set(wanted.values()), reverse=table.larger_is_better)
        ordered = [{w.named(s) for s in w.subsets if wanted[s] == value} for value in levels]
        yield f"ordering, {name}", [set(level.subsets) for level in table.ordering()], ordered
        sign = 1 if table.larger_is_better else -1
        by_name = {w.named(s): value for s, value in wanted.items()}

        def gain(s: Any, sign: int = sign, by_name: Mapping[Any, Any] = by_name) -> Any:
            return (by_name[s] - by_name[frozenset()]) * sign

        for kind in KINDS:
            importance = table_importance(table, kind) if name != "zero_one" else fs.importance(w.d, kind)
            for i in w.names:
                yield f"importance, {kind} of {name}", importance[i], literal_importance(kind, gain, w.names, i)
        for (i, j), value in table_importance(table, "shapley").interactions().items():
            others, n = [x for x in w.names if x not in (i, j)], len(w.names)
            total = Fraction(0)
            for size in range(n - 1):
                share = Fraction(math.factorial(size) * math.factorial(n - size - 2), math.factorial(n - 1))
                for s in map(frozenset, itertools.combinations(others, size)):
                    total += share * (gain(s | {i, j}) - gain(s | {i}) - gain(s | {j}) + gain(s))
            yield f"interactions of {name}", value, total
    classes = fs.bayes_classifier(w.d)
    for x, best in literal.maximizers(w.pmf, w.places).items():
        yield "bayes_classifier", classes(dict(zip(w.names, x, strict=True))), best[0]


# -- information, distances, regression and bounds


def compare_information(w: World) -> Compared:
    every, at = [*w.names, "Y"], range(len(w.shape))
    for _ in range(4):
        a, b, c = (sorted(w.rng.sample(at, w.rng.randint(0, len(at)))) for _ in range(3))
        named = [[every[i] for i in part] for part in (a, b, c)]
        yield "entropy", fs.entropy(w.d, named[0]), w.entropy(a, [])
        yield "conditional_entropy", fs.conditional_entropy(w.d, named[0], named[2]), w.entropy(a, c)
        if w.small:
            shared = informations.conditional_mutual_information(w.pmf, a, b, c)
        else:
            with mpmath.workdps(informations.DIGITS):
                shared = w.to_digits(a, c) - w.to_digits(a, [*b, *c])
        yield "conditional_mutual_information", fs.conditional_mutual_information(w.d, *named), shared
        if a and b and c:
            text = "; ".join(",".join(part) for part in named[:2])
            yield "info", fs.info(w.d, f"I({text} | {','.join(named[2])})"), shared
    tables = measures.conditional_entropy_table(w.d), fs.criterion_values(w.d, "logarithmic")
    for s in w.subsets:
        left = w.entropy([-1], s)
        yield "conditional_entropy_table", tables[0][w.named(s)], left
        yield "criterion_values, logarithmic", tables[1][w.named(s)], left
    other = w.cells()
    apart = sum((abs(p - other[cell]) for cell, p in w.pmf.items()), Fraction(0)) / 2
    yield "total_variation_distance", measures.total_variation_distance(w.d, w.made(other)), apart
    mixed = {cell: (p + other[cell]) / 2 for cell, p in w.pmf.items()}
    with mpmath.workdps(informations.DIGITS):
        terms = (real(p) * mpmath.log(real(p / mixed[cell])) for cell, p in w.pmf.items() if p)
        yield "kl_divergence", measures.kl_divergence(w.d, w.made(mixed)), mpmath.fsum(terms)


def compare_bounds(w: World) -> Compared:
    """Compare both sides of the bounds, the residual of the linear regression, and the covariances."""
    kept = w.rng.choice(w.subsets)
    removed, full = set(w.names) - w.named(kept), tuple(w.places)
    possible = [y for y, p in w.prior.items() if p]
    least, risk = informations.squared_error(w.pmf, full), w.risks[kept]
    with mpmath.workdps(informations.DIGITS):
        nu, entropy = informations.nu(w.pmf, kept), informations.entropy_left(w.pmf, kept)
        nu = nu if nu > mpmath.mpf(10) ** -100 else mpmath.mpf(0)
        coin = -mpmath.fsum(real(p) * mpmath.log(real(p)) for p in (risk, 1 - risk) if p)
        fano = coin + (real(risk) * mpmath.log(len(possible) - 1) if risk else 0)
        moved = informations.expected_total_variation(w.pmf, kept)
        span, largest = Fraction(max(possible) - min(possible)), Fraction(max(map(abs, possible)))
        rises = informations.squared_error(w.pmf, kept)
        wanted: dict[str, tuple[Any, Any]] = {
            "theorem-1": (rises, real(least) + real(2 * largest**2) * nu),
            "theorem-1-sharp": (rises, real(least) + real(span**2 / 2) * nu),
            "theorem-3": (risk, real(w.risks[full]) + mpmath.sqrt(2 * nu)),
            "theorem-3-sharp": (risk, real(w.risks[full]) + mpmath.sqrt(nu / 2)),
            "theorem-3-variation": (risk, w.risks[full] + moved),
            "fano": (entropy, fano),
            "hellman-raviv": (risk, entropy / mpmath.log(2) / 2),
            "score": (nu, nu),
        }
    for name, sides in wanted.items():
        check = bounds.BOUNDS[name](w.d, removed)
        yield f"{name}, left", check.left, sides[0]
        yield f"{name}, right", check.right, sides[1]
        yield f"{name}, holds", check.holds, True
    possible_cells = {cell: p for cell, p in w.pmf.items() if p}
    linear = measures.linear_regression(w.d, w.named(kept)).residual_variance
    yield "linear_regression", linear, informations.linear_error(possible_cells, kept, -1)
    for (i, row), j in itertools.product(enumerate(measures.covariances(w.d)), range(len(w.shape))):
        yield "covariances", row[j], informations.covariance(w.pmf, i, j)


# -- selection


def compare_selection(w: World) -> Compared:
    twin: Any = SimpleNamespace(features=w.names, classes=tuple(w.axes[-1]), target="Y", to_pmf=lambda: w.pmf)
    world, table = searches.Literal(twin), {w.named(s): risk for s, risk in w.risks.items()}
    everything, order = frozenset(w.names), w.rng.sample(w.names, len(w.names))
    least = min(table.values())
    wanted = {
        "backward": searches.table_1(table, order)[0],
        "forward": searches.forward_and_back(table, table, order, 1)[-1],
        "one-shot": frozenset(x for x in everything if table[everything - {x}] != least),
        "resampling": frozenset(x for x in everything if searches.changes(world, x)),
    }
    for name, subset in wanted.items():
        options = {"order": order} if name in {"backward", "forward"} else {}
        yield f"minimal_optimal, {name}", {*fs.minimal_optimal(w.d, name, **options).features}, subset  # type: ignore[arg-type]
    solutions = set(fs.minimal_optimal(w.d, "exhaustive").solutions)
    yield "minimal_optimal, exhaustive", solutions, literal.minimal_optimal(table)
    k = w.rng.randint(0, len(w.names))
    values = {s: risk for s, risk in table.items() if len(s) == k}
    level = fs.k_optimal(w.d, k)
    yield (
        "k_optimal",
        (level.value, set(level.subsets)),
        (
            min(values.values()),
            {s for s, risk in values.items() if risk == min(values.values())},
        ),
    )
    found = fs.relevance(w.d)
    yield "relevance", (found.strong, found.weak), searches.relevant(world)
    yield "markov_blankets", set(fs.markov_blankets(w.d)), literal.minimal(searches.blankets(world))
    a, b, c = ([name for name in (*w.names, "Y") if w.rng.random() < 0.4] for _ in range(3))
    b, c = [x for x in b if x not in a], [x for x in c if x not in a and x not in b]
    yield "conditionally_independent", fs.conditionally_independent(w.d, a, b, c), searches.independent(twin, a, b, c)

    def risk_of(kept: Iterable[int]) -> Fraction:
        return w.risks[tuple(sorted(kept))]

    places = w.rng.sample(w.places, len(w.places))
    ordered = [w.names[i] for i in places]
    chosen = {
        "greedy-forward": searches.forward(risk_of, k, places),
        "greedy-backward": searches.backward(risk_of, k, places),
        "score": sorted(places, key=lambda i: risk_of((i,)))[:k],
        "exhaustive": list(min(itertools.combinations(places, k), key=risk_of)),
    }
    for method, indices in chosen.items():
        features = fs.select(w.d, k, "zero_one", method, order=ordered).features  # type: ignore[arg-type]
        yield f"select, {method}", features, tuple(w.names[i] for i in indices)

    pairs = [(s, s | {x}) for s in table for x in everything - s]
    yield "is_monotone", bool(selection.is_monotone(fs.bayes_risks(w.d))), all(table[s] >= table[t] for s, t in pairs)
    shrinks = True
    for (s, t), x in itertools.product(pairs, everything):
        if x not in t:
            before, after = table[s] - table[s | {x}], table[t] - table[t | {x}]
            shrinks = shrinks and after <= before
    yield "is_submodular", bool(selection.is_submodular(fs.bayes_risks(w.d))), shrinks
    alone = {x: table[frozenset()] - table[frozenset({x})] for x in w.names}
    ratios = (1 - (table[everything - {x}] - least) / gain for x, gain in alone.items() if gain)
    yield "curvature", selection.curvature(fs.bayes_risks(w.d)).value, max(ratios, default=Fraction(0))


# -- samples, and the laws of methods


def compare_samples(w: World) -> Compared:
    cells, m, classes = list(w.pmf), w.rng.randint(2, 5), w.shape[-1]
    drawn = [w.rng.choice(cells) for _ in range(m)]
    declared = dict(zip((*w.names, "Y"), w.axes, strict=True))
    sample = fs.Sample(drawn, states=declared, features=w.names, target="Y")
    rows = [
        (tuple(axis.index(v) for axis, v in zip(w.axes, cell[:-1], strict=False)), w.axes[-1].index(cell[-1]))
        for cell in drawn
    ]
    kept = w.rng.choice(w.subsets)
    found = samples.risk_estimates(sample, w.named(kept), folds=m)
    yield "risk_estimates, resubstitution", found.resubstitution, literal_samples.resubstitution(rows, kept, classes)
    left_out = literal_samples.fair_leave_one_out(rows, kept, classes)
    yield "risk_estimates, leave-one-out", (found.leave_one_out, found.cross_validated), (left_out, left_out)
    held = w.rng.randint(1, m - 1)
    errors = []
    for out in itertools.combinations(range(m), held):
        train = [row for i, row in enumerate(rows) if i not in out]
        errors.append(literal_samples.fair_error(train, [rows[i] for i in out], kept, classes))
    yield "holdout_risk", samples.holdout_risk(sample, w.named(kept), held), sum(errors, Fraction(0)) / len(errors)
    folds, wrong = w.rng.randint(2, m), []
    for split in partitions(list(range(m)), [m // folds + (i < m % folds) for i in range(folds)]):
        parts = [([row for i, row in enumerate(rows) if i not in fold], fold) for fold in split]
        wrong.append(
            sum(
                len(fold) * literal_samples.fair_error(train, [rows[i] for i in fold], kept, classes)
                for train, fold in parts
            )
        )
    crossed = sum(wrong, Fraction(0)) / len(wrong) / m
    yield "cross_validated", samples.risk_estimates(sample, w.named(kept), folds=folds).cross_validated, crossed
    permuted = [
        literal_samples.resubstitution([(x, y) for (x, _), y in zip(rows, ys, strict=True)], kept, classes)
        for ys in itertools.permutations([y for _, y in rows])
    ]
    mean = samples.permutation_null(sample, w.named(kept), rng=0, permutations=1).mean
    yield "permutation_null, mean", mean, sum(permuted, Fraction(0)) / len(permuted)
    for s in w.subsets:
        share = literal_samples.resubstitution(rows, s, classes)
        yield "criterion_value of a sample", fs.criterion_value(sample, "zero_one", w.named(s)), share


def compare_laws(w: World) -> Compared:
    """The exact law of a method on two or three samples, of distributions with few cells."""
    cells = [cell for cell, p in w.pmf.items() if p]
    m = 3 if len(cells) <= 6 else 2
    if len(cells) > 12 or w.shape[-1] == 1:
        return
    n, classes, ties = len(w.names), w.shape[-1], w.rng.choice(["first", "uniform"])
    tau, places = Fraction(1, w.rng.randint(2, 9)), [{v: i for i, v in enumerate(axis)} for axis in w.axes]
    pmf = {tuple(place[v] for place, v in zip(places, cell, strict=True)): p for cell, p in w.pmf.items()}
    wrap, ordered = literal_samples.standard_wrap, literal_samples.ordered_fs

    def by(search: Callable[..., Any], *ties: str) -> Any:
        def select(train: Any, rest: Any) -> Any:
            return search(n, lambda s: literal_samples.resubstitution(train, s, classes), tau, *ties)

        return select

    methods: list[tuple[Any, int, Any]] = [
        (fs.FOS(tau=tau), 0, by(literal_samples.fos)),
        (fs.FBS(tau=tau, ties=ties), 0, by(literal_samples.fbs, ties)),  # type: ignore[arg-type]
        (fs.StandardWrap(holdout=1, ties=ties), 1, lambda a, b: wrap(a, b, n, classes, ties)),  # type: ignore[arg-type]
        (fs.OrderedFS(holdout=1, ties=ties), 1, lambda a, b: ordered(a, b, n, classes, ties)),  # type: ignore[arg-type]
        (fs.NoSelection(), 0, lambda a, b: [(Fraction(1), tuple(w.places))]),
    ]
    method, held, select = w.rng.choice(methods)
    law = literal_samples.law(pmf, m, held, select, classes)
    wanted = {(w.named(s), risk): p for (s, risk), p in law.items() if p}
    found = {(frozenset(s), risk): p for (s, risk), p in fs.selection_law(w.d, m, method).outcomes.items()}
    yield f"selection_law, {type(method).__name__}", found, wanted


def compare_formulas(w: World) -> Compared:
    """The probability to find the relevant feature, by all numbers of errors of all features."""
    features, m, noise = w.rng.randint(1, 3), w.rng.randint(0, 4), Fraction(w.rng.randint(0, 4), 9)

    def chance(errors: int, p: Fraction) -> Fraction:
        return math.comb(m, errors) * p**errors * (1 - p) ** (m - errors)

    total = Fraction(0)
    for own, *others in itertools.product(range(m + 1), repeat=features):
        if own <= min(others, default=own):
            p = math.prod((chance(e, Fraction(1, 2)) for e in others), start=chance(own, noise))
            total += p / (1 + others.count(own))
    yield "find_probability", samples.find_probability(features, m, noise), total


CHECKS = (
    compare_criteria,
    compare_information,
    compare_bounds,
    compare_selection,
    compare_samples,
    compare_laws,
    compare_formulas,
)


def compare(seed: int, number: int) -> tuple[Counter[str], list[str]]:
    """Compare the numbers of one distribution, and return how often each was compared and what differs."""
    counted, wrong = Counter[str](), []
    w = World(random.Random(f"{seed}, {number}"))
    try:
        for name, found, wanted in itertools.chain.from_iterable(check(w) for check in CHECKS):
            counted[name.partition(",")[0]] += 1
            if not same(found, wanted):
                wrong.append(f"seed {seed}, distribution {number}, {w.d!r}: {name} is {found!r}, not {wanted!r}")
    except Exception as error:
        error.add_note(f"seed {seed}, distribution {number}, {w.d!r}")
        raise
    return counted, wrong


def main(seed: int, seconds: float, start: int = 0) -> None:
    """Compare distribution after distribution until the time is over. Print the counts, and stop if numbers differ."""
    print(f"seed {seed}", flush=True)
    counted, end = Counter[str](), time.monotonic() + seconds
    for number in itertools.count(start):
        more, wrong = compare(seed, number)
        counted += more
        if wrong:
            sys.exit("\n".join(wrong))
        if time.monotonic() >= end:
            break
    print(*(f"{times:9,} {name}" for name, times in sorted(counted.items())), sep="\n")
    print(f"{counted.total():9,} comparisons on {number + 1 - start:,} distributions")


if __name__ == "__main__":
    if len(sys.argv) not in (3, 4):
        sys.exit("give a seed and a number of seconds: python -m tests.fuzz 1 60")
    main(int(sys.argv[1]), float(sys.argv[2]), *map(int, sys.argv[3:]))
