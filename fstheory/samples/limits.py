"""The rate at which the probability of a wrong subset falls: bounds of the error exponent of FBS and FOS."""

from __future__ import annotations

import heapq
import itertools
import math
from collections.abc import Iterator
from dataclasses import dataclass, field
from decimal import ROUND_CEILING, ROUND_FLOOR
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypeAlias, cast

import numpy as np
import numpy.typing as npt

from fstheory._support.exact import Exact, as_fraction, as_index, decimal_text, to_text
from fstheory._support.progress import Clock, Progress
from fstheory._support.result import Result, listing
from fstheory.distributions.gallery import DistributionLike, as_distribution
from fstheory.distributions.joint import JointDistribution
from fstheory.errors import TooLargeError, import_optional, require, require_type
from fstheory.lattice.columns import Floats
from fstheory.lattice.subsets import mask_of, subset_text
from fstheory.numbers.enclosure import endpoints, rational_ball
from fstheory.samples.methods import FBS, FOS, MethodLike, as_method, as_tau
from fstheory.samples.sample_size import least
from fstheory.selection.optimal import MinimalOptimal, backward_search, minimal_optimal, one_shot

if TYPE_CHECKING:
    from flint import arb


# -- For which tau FBS and FOS find S* in the large sample limit: eta of Theorem 8, exactly.


Searches: TypeAlias = Literal["FBS", "FOS"]


@dataclass(frozen=True, repr=False)
class AdmissibleTau(Result):
    """The tau for which FBS or FOS finds a minimal-optimal set of a distribution in the large sample limit.

    Attributes
    ----------
    exact : MinimalOptimal
        The run of the method on the true risks (Table 1 or 2), with its trace.
    eta : Fraction
        The least positive difference of risks in that run, or 1 if no difference is positive. If the run ends at a
        minimal-optimal set, every tau above 0 and below eta is admissible. If not, which can happen only in FOS, no tau
        is admissible: see `exact.is_solution`.
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
    def features(self) -> tuple[str, ...]:
        """The features that the method returns in the limit, for every tau above 0 and below eta."""
        return self.exact.features

    @property
    def differences(self) -> tuple[tuple[frozenset[str], str, Fraction], ...]:
        """For each test of the run: the set S, the feature Xi that is left out, and R(S without Xi) - R(S)."""
        return tuple((step.subset, step.chosen, step.value - self.exact.least_risk) for step in self.exact.trace)

    def limit(self, tau: Exact) -> Fraction | None:
        """Return the limit of the probability of a minimal-optimal set, for every consistent learner and estimate.

        The limit is 1 if tau is below eta, and 0 if tau is above eta or the run ends at no solution. If no feature is
        needed, it is 1 for every tau. If tau equals eta, the result is None, because the limit depends on the learner
        and the estimate. With majority tables, resubstitution and a single maximum for every x it is then at most 1/2.
        """
        exact = as_tau(tau)
        if not self.exact.is_solution:
            return Fraction(0)
        if exact < self.eta or not self.features:
            return Fraction(1)
        return None if exact == self.eta else Fraction(0)

    def __str__(self) -> str:
        names = self.distribution.features
        found, eta = subset_text(self.features, names), to_text(self.eta, 0)
        short = "" if self.exact.is_solution else ", which is no solution"
        head = f"{self.method} finds {found} in the limit for every tau in (0, {eta}){short}"
        rows = [("assumptions of Theorem 8", "hold" if self.assumptions else "do not hold")]
        for subset, feature, difference in self.differences:
            all_, less = (subset_text(s, names) for s in (subset, subset - {feature}))
            rows.append((f"R({less}) - R({all_})", to_text(difference)))
        if self.exact.is_solution and self.features:
            at = "not decided by Theorem 8"
            at += "; probability at most 1/2 with majority tables" if self.assumptions else ""
            rows += [(f"tau = {eta}", at), (f"tau above {eta}", "probability 0 in the limit")]
        elif self.exact.is_solution:
            rows.append((f"tau of {eta} or more", "the same, for no difference is positive"))
        return listing(head, rows, len(rows))


def _search(method: MethodLike) -> FBS | FOS:
    """Return the method. Methods other than FBS and FOS are refused."""
    found = as_method(method)
    require_type(found, (FBS, FOS), "method", "FBS or FOS", "pass 'FOS' or fs.FOS()")
    return cast("FBS | FOS", found)


def admissible_tau(d: DistributionLike, method: MethodLike) -> AdmissibleTau:
    """Return eta of Theorem 8: FBS or FOS is consistent for every tau above 0 and below eta.

    Use it to choose `tau` for a known distribution. `method` is FBS or FOS, by name or as an object; its own tau does
    not matter.

    The tests go in the order of ``d.features``, as printed. Run backward search (for FBS) or the one-shot method (for
    FOS) on the true risks. Then eta is the least positive R(T) - R(S) of the run. If tau is above eta, some feature of
    the solution is dropped, with probability 1 in the limit. FBS needs neither assumption of the theorem. FOS is
    consistent only if the one-shot method finds a solution.

    Source: Peña and Nilsson (2010), Theorem 8 and its proof.

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
    d = as_distribution(d)
    name: Searches = "FBS" if isinstance(_search(method), FBS) else "FOS"
    exact = backward_search(d) if name == "FBS" else one_shot(d)
    positive = [step.value - exact.least_risk for step in exact.trace if not step.made]
    return AdmissibleTau(d, name, exact, min(positive, default=Fraction(1)))


# -- How fast the probability of a wrong subset falls: the error exponent of FBS and FOS, enclosed.


_Test: TypeAlias = "tuple[int, int]"  # the mask of S, and the feature that is left out

_PIECES = 2**12  # of one answer of one test: some 20 s
_STEPS = 20_000  # convex programs in all: some 2 minutes
_PRECISION = 128  # bits of the certified bounds
_GRID = 2**44  # the counts of the sample that an upper bound is made of
_SMALLER = "take fewer features; selection_law and simulate give probabilities at an m"
_MARGINS = tuple(Fraction(1, 10**k) for k in (9, 8, 7, 6, 5, 4))  # how far it is moved inside, relative to tau


@dataclass(frozen=True, repr=False)
class ErrorExponent(Result):
    """The rate -lim (1/m) log P(wrong subset), between two rationals.

    Attributes
    ----------
    lower, upper : Fraction or None
        Proven bounds of the lower and of the upper limit of the rate, in nats. If no sample misleads the method,
        the rate is infinite and both are None. If no upper bound was found, only `upper` is None.
    empirical : JointDistribution or None
        An empirical distribution on which the method errs, as it does on all distributions near it. It is about the
        likeliest way to err: its divergence from `distribution` is at most `upper`. If the rate is 0, it is
        `distribution` itself. If `upper` is None, it is None.
    pieces : tuple of Fraction
        Convex sets cover all empirical distributions on which the method errs. These are lower bounds of their
        divergences from `distribution`, in ascending order.
    """

    distribution: JointDistribution
    method: FBS | FOS
    lower: Fraction | None
    upper: Fraction | None
    empirical: JointDistribution | None
    pieces: tuple[Fraction, ...] = field(repr=False)

    def failure_bound(self, m: int) -> Fraction:
        """Return a proven upper bound of the probability of a wrong subset, for every m, by Chernoff's inequality."""
        m = as_index(m, "m")
        bound = sum(
            ((-m * rational_ball(piece, _PRECISION)).exp() for piece in self.pieces), rational_ball(Fraction(0), 2)
        )
        return min(endpoints(bound)[1], Fraction(1))

    def samples(self, probability: Exact) -> int:
        """Return the least m from which `failure_bound` proves that S* is found with at least a probability.

        `probability` is at least 0 and below 1. If the rate is not proven positive, no m is known and the call is
        refused.
        """
        wanted = as_fraction(probability, "probability", at_least=0, below=1, repair="pass '9/10', say")
        repair = "the rate is not proven positive: choose another tau or method, see fs.admissible_tau"
        require(self.lower is None or self.lower > 0, "probability", "left out", wanted, repair)
        return least(lambda m: self.failure_bound(m) <= 1 - wanted)  # it falls in m

    def __str__(self) -> str:
        head = f"{self.method.title} with tau = {self.method.tau}: P(wrong) falls like exp(-r m)"
        if self.lower is None:
            return listing(head, [("r", "infinite, for no sample misleads the method")])
        if self.upper == 0:
            reason = "tau is not below eta, or the method finds no solution on the true risks"
            return listing(head, [("r", f"0, for {reason}; see fs.admissible_tau")])
        upper = "unknown" if self.upper is None else decimal_text(self.upper, 8, ROUND_CEILING)
        rows = [("r at least", decimal_text(self.lower, 8, ROUND_FLOOR)), ("r at most", upper)]
        return listing(head, [*rows, ("convex sets", str(len(self.pieces)))])


class _Piece(NamedTuple):
    """Multipliers y with 0 <= y_j <= y[owner[j]], and the columns and values of what they multiply: A' q >= b."""

    columns: Floats  # of A, one row for each cell of positive probability
    values: tuple[Fraction, ...]  # b
    owner: tuple[int, ...]


class _Node(NamedTuple):
    """Answers to tests, those imposed on the empirical distribution, the bound of its divergence and the minimizer."""

    bound: float
    order: int
    answers: tuple[tuple[_Test, bool], ...]
    imposed: tuple[_Test, ...]
    piece: _Piece
    multipliers: Floats
    at: Floats


def error_exponent(d: DistributionLike, method: MethodLike, *, progress: Progress = None) -> ErrorExponent:
    """Enclose the rate at which the probability of a wrong subset falls: -lim (1/m) log P.

    Use it to compare methods, or to bound the number of samples that is enough, if m is too large for `selection_law`.
    The result has proven rational bounds of the rate. Its `failure_bound(m)` bounds the probability of a wrong subset
    for every m. A subset is wrong if it is not a minimal-optimal one. The rate is 0 unless
    `admissible_tau(d, method).limit(method.tau)` is 1: if tau is not below eta, or if the one-shot method finds no
    solution on the true risks.

    `d` has two classes. `method` is FBS or FOS with resubstitution; FBS has ``ties="first"``, as printed. SciPy is
    needed. If Xi is binary and the other features have s states, a test of Xi takes up to 3**s convex programs. More
    than 4,096 sign patterns for one test, or more than 20,000 programs, are refused with `TooLargeError`: four binary
    features, say.

    The empirical distribution q alone determines what the method selects. The rate is the least divergence KL(q || p)
    over all q on which the method errs. These q form a union of convex sets, which are searched best first. Each convex
    program is solved in floating point. Its multipliers give a lower bound, whether or not they are optimal. An
    empirical distribution inside the set, on which the method is run exactly, gives an upper bound. Both bounds are
    evaluated in ball arithmetic.

    Source: Peña and Nilsson (2010), Section 5, for the methods; Sanov's theorem, Chernoff's inequality.

    Examples
    --------
    >>> import fstheory as fs
    >>> d, method = fs.JointDistribution([[7, 3], [3, 7]]), fs.FOS(tau="1/20")
    >>> rate = fs.error_exponent(d, method)
    >>> print(rate)  # doctest: +ELLIPSIS
    FOS with tau = 1/20: P(wrong) falls like exp(-r m)
      r at least:  0.0240711...
      r at most:   0.0240711...
      convex sets: 2
    >>> 1 - fs.selection_law(d, 40, method).success <= rate.failure_bound(40), rate.samples("9/10")
    (True, 125)
    """
    d = as_distribution(d)
    method = _search(method)
    on_all = method.reads == "contrasts" and method.holdout is None
    repair = "leave out inducer, estimate and holdout"
    require(on_all, "method", "one with majority tables and resubstitution", method, repair)
    printed = isinstance(method, FOS) or method.ties == "first"
    require(printed, "method", "FBS with ties='first'", method, "it is the one that is printed")
    require(len(d.classes) == 2, "d", "a distribution with two classes", d, "merge or leave out classes")
    found = admissible_tau(d, method)
    with Clock(None, progress) as clock:
        if found.limit(method.tau) != 1:
            return ErrorExponent(d, method, Fraction(0), Fraction(0), d, (Fraction(0),))
        return _Search(d, method, clock).run()


class _Search:
    """Best first through the runs of a method that end wrong."""

    def __init__(self, d: JointDistribution, method: FBS | FOS, clock: Clock) -> None:
        self.clock, self.d, self.method, self.n = clock, d, method, len(d.features)
        self.tau = as_fraction(method.tau)
        self.where = np.argwhere(d.weights > 0)
        self.weights = [int(d.weights[tuple(cell)]) for cell in self.where]
        self.p = np.array([weight / d.total for weight in self.weights])
        self.sign = np.where(self.where[:, -1] == 1, 1, -1)
        self.right = {mask_of(s, d.features) for s in minimal_optimal(d, method="exhaustive").solutions}
        self.places: dict[int, npt.NDArray[np.int64]] = {}
        self.steps = 0

    def run(self) -> ErrorExponent:
        """Take the node with the least bound, until its minimizer is one on which the method errs."""
        none = _Piece(np.zeros((len(self.p), 0)), (), ())
        heap = [_Node(0.0, 0, (), (), none, np.zeros(0), self.p)]
        closed: list[_Node] = []
        upper, empirical = None, None
        while heap and upper is None:
            node = heapq.heappop(heap)
            answers = dict(node.answers)
            asked = self._next(answers)
            if isinstance(asked, int) and asked in self.right:
                continue
            open_tests = [test for test in answers if test not in node.imposed]
            broken = [test for test in open_tests if self._spared(test, node.at) != answers[test]]
            if not broken and not isinstance(asked, int):
                spared = self._spared(asked, node.at)
                self._push(heap, node._replace(answers=(*node.answers, (asked, spared))))
                other = (*node.answers, (asked, not spared))
                self._impose(heap, node._replace(answers=other), asked, answer=not spared)
                continue
            if not broken:
                upper, empirical = self._inside(node)
                if upper is not None or not open_tests:
                    closed.append(node)
                    continue
            test = (broken or open_tests)[0]
            self._impose(heap, node, test, answer=answers[test])
        bounds = tuple(sorted(self._certified(node) for node in [*closed, *heap]))
        return ErrorExponent(self.d, self.method, min(bounds, default=None), upper, empirical, bounds)

    def _push(self, heap: list[_Node], node: _Node) -> None:
        self.steps += 1
        self.clock.tick(lambda: f"{self.steps:,} of at most {_STEPS:,} steps")
        needed = f"small enough for {_STEPS:,} convex programs"
        require(self.steps <= _STEPS, "d", needed, self.d, _SMALLER, TooLargeError)
        heapq.heappush(heap, node._replace(order=self.steps))

    def _impose(self, heap: list[_Node], node: _Node, test: _Test, *, answer: bool) -> None:
        """Push the parts of a node by the convex sets where a test has an answer, unless no distribution is in them."""
        for part in self._pieces(test, spared=answer):
            shift = len(node.piece.values)
            piece = _Piece(
                np.hstack([node.piece.columns, part.columns]),
                node.piece.values + part.values,
                node.piece.owner + tuple(j + shift for j in part.owner),
            )
            start = np.concatenate([node.multipliers, np.zeros(len(part.values))])
            value, y, q = _maximum(self.p, piece, start)
            child = _Node(max(value, node.bound), 0, node.answers, (*node.imposed, test), piece, y, q)
            if value < self.farthest or self._certified(child) <= self.farthest:
                self._push(heap, child)

    @property
    def farthest(self) -> float:
        """A little more than the largest divergence there is."""
        return math.log(self.d.total) - math.log(min(self.weights)) + 0.01  # of integers of any size

    def _next(self, answers: dict[_Test, bool]) -> _Test | int:
        """Return the next test of a run with these answers, or the mask of the features that it ends with."""
        everything: int = 2**self.n - 1
        mask = everything
        if isinstance(self.method, FOS):
            for i in range(self.n):
                if (everything, i) not in answers:
                    return everything, i
                mask &= ~(int(answers[everything, i]) << i)
            return mask
        i = 0
        while i < self.n:
            if not mask >> i & 1:
                i += 1
                continue
            if (mask, i) not in answers:
                return mask, i
            mask, i = (mask & ~(1 << i), 0) if answers[mask, i] else (mask, i + 1)
        return mask

    def _place(self, mask: int) -> npt.NDArray[np.int64]:
        """Return the number of the state of some features at each cell."""
        if mask not in self.places:
            columns = [i for i in range(self.n) if mask >> i & 1]
            places = np.unique(self.where[:, columns], axis=0, return_inverse=True)[1].ravel() if columns else None
            self.places[mask] = np.zeros(len(self.p), dtype=np.int64) if places is None else places
        return self.places[mask]

    def _loss(self, test: _Test, q: npt.NDArray[Any]) -> Any:
        """Return by how much the resubstitution error rises without a feature, of weights q: exact if they are."""
        mask, i = test
        kept, rest = ([0] * (int(self._place(s).max()) + 1) for s in (mask, mask & ~(1 << i)))
        places = self._place(mask), self._place(mask & ~(1 << i))
        for weight, sign, s, t in zip(q, self.sign.tolist(), *places, strict=True):
            kept[s] += sign * weight
            rest[t] += sign * weight
        return sum(max(c, 0) for c in kept) - sum(max(c, 0) for c in rest)

    def _spared(self, test: _Test, q: Floats) -> bool:
        return bool(self._loss(test, q) <= float(self.tau))

    def _pieces(self, test: _Test, *, spared: bool) -> Iterator[_Piece]:
        """Yield convex sets that cover the distributions where a test has an answer, and their boundaries."""
        if not spared and 2 * self.tau >= 1:  # no error rises by more than 1/2: min(P, N) <= (P + N)/2
            return
        mask, i = test
        states, blocks = self._place(mask), self._place(mask & ~(1 << i))
        options = []  # of the blocks of states in which two states can disagree
        for t in range(int(blocks.max()) + 1):
            of_class = [set(states[(blocks == t) & (self.sign == sign)].tolist()) for sign in (1, -1)]
            inside = sorted(of_class[0] | of_class[1])
            splits = [
                set(chosen)
                for size in range(1, len(inside))
                for chosen in itertools.combinations(inside, size)
                if of_class[0] & set(chosen) and of_class[1] - set(chosen)
            ]
            if splits:
                options.append((t, (1, -1) if spared else (None, *splits)))
        pieces = math.prod(len(ways) for _, ways in options)
        needed = f"with at most {_PIECES:,} sign patterns for a test"
        require(pieces <= _PIECES, "d", needed, self.d, _SMALLER, TooLargeError)
        for chosen in itertools.product(*(ways for _, ways in options)):
            pairs = [(t, way) for (t, _), way in zip(options, chosen, strict=True) if way is not None]
            if pairs or spared:
                yield self._piece(pairs, states, blocks, spared=spared)

    def _piece(self, pairs: list[Any], states: Any, blocks: Any, *, spared: bool) -> _Piece:
        """Return "the sum over t of P_t or N_t is at most tau", or "... of min(c(A_t), -c(others)) is at least tau".

        The first multiplier is for the sum, the others are for each state, or for each block.
        """
        columns = [np.zeros(len(self.p))]
        for t, way in pairs:
            inside = blocks == t
            if spared:
                columns += [-way * self.sign * (states == s) for s in np.unique(states[inside])]
            else:
                columns[0] = columns[0] - self.sign * (inside & ~np.isin(states, list(way)))
                columns.append(self.sign * inside)
        values = (-self.tau if spared else self.tau,) + (Fraction(0),) * (len(columns) - 1)
        return _Piece(np.column_stack(columns), values, (0,) * len(columns))

    def _certified(self, node: _Node) -> Fraction:
        """Return a proven lower bound of the divergence on the convex set of a node, from its multipliers."""
        from flint import arb, ctx

        with ctx.workprec(_PRECISION):
            y = [arb(value) for value in node.multipliers.tolist()]  # a float is a rational
            total = arb(0)
            for weight, row in zip(self.weights, node.piece.columns.astype(int).tolist(), strict=True):
                exponent: arb = sum((a * b for a, b in zip(row, y, strict=True) if a), arb(0))
                total += weight * exponent.exp()
            value = -(total / self.d.total).log()
            for b, multiplier in zip(node.piece.values, y, strict=True):
                value += rational_ball(b, _PRECISION) * multiplier
            return max(endpoints(value)[0], Fraction(0))

    def _inside(self, node: _Node) -> tuple[Fraction | None, JointDistribution | None]:
        """Return a distribution near a minimizer, around which the method errs, and a bound of its divergence."""
        for margin in _MARGINS:
            factor = 1 + margin, 1 - margin
            values = tuple(b * factor[b < 0] for b in node.piece.values)
            q = _maximum(self.p, node.piece._replace(values=values), node.multipliers)[2]
            counts = [int(value) for value in np.rint(q * _GRID)]
            if self._errs_around(counts):
                weights = np.zeros(self.d.weights.shape, dtype=object)
                weights[tuple(self.where.T)] = counts
                d = self.d
                return self._divergence(counts), JointDistribution(
                    weights, features=d.features, target=d.target, states=d.states
                )
        return None, None

    def _errs_around(self, counts: list[int]) -> bool:
        """Run the method exactly: whether it errs, with no test on the boundary."""
        answers: dict[_Test, bool] = {}
        while not isinstance(asked := self._next(answers), int):
            excess = self._loss(asked, np.array(counts, dtype=object)) - self.tau * sum(counts)
            if excess == 0:
                return False
            answers[asked] = excess < 0
        return asked not in self.right

    def _divergence(self, counts: list[int]) -> Fraction:
        from flint import ctx

        with ctx.workprec(_PRECISION):
            total, value = sum(counts), rational_ball(Fraction(0), _PRECISION)
            for count, weight in zip(counts, self.weights, strict=True):
                if count:
                    q = Fraction(count, total)
                    value += rational_ball(q, _PRECISION) * rational_ball(q * self.d.total / weight, _PRECISION).log()
            return endpoints(value)[1]


def _maximum(p: Floats, piece: _Piece, start: Floats) -> tuple[float, Floats, Floats]:
    """Maximize the dual b.y - log sum p exp(A y): its value, the multipliers, and p tilted by them."""
    optimize = import_optional("scipy.optimize", "stats", "an error exponent")
    a, b = piece.columns, np.array([float(value) for value in piece.values])
    owner = np.array(piece.owner)

    def tilted(y: Floats) -> tuple[float, Floats]:
        exponents = a @ y
        top = exponents.max()
        raised = p * np.exp(exponents - top)
        return float(top + np.log(raised.sum())), raised / raised.sum()

    def negative(y: Floats) -> tuple[float, Floats]:
        log_sum, q = tilted(y)
        return log_sum - float(b @ y), a.T @ q - b

    free = np.flatnonzero(owner != np.arange(len(owner)))
    below = np.zeros((len(free), len(owner)))
    below[np.arange(len(free)), owner[free]] = 1
    below[np.arange(len(free)), free] -= 1
    constraints = [optimize.LinearConstraint(below, lb=0)] if len(free) else []
    options = {"ftol": np.finfo(float).eps, "maxiter": 500}
    bounds = [(0, 100)] * len(b)
    found = optimize.minimize(
        negative, start, jac=True, bounds=bounds, method="SLSQP", constraints=constraints, options=options
    )
    y = np.clip(np.nan_to_num(found.x), 0, None)  # whatever the optimizer says, a bound follows
    y = np.minimum(y, y[owner])
    log_sum, q = tilted(y)
    return float(b @ y) - log_sum, y, q
