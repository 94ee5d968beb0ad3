"""Questions, one after another: the policy of least expected loss."""

from __future__ import annotations

import functools
import operator
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import combinations
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from fstheory._support.exact import Exact, as_fraction, as_index, drawable, integers_over, to_text
from fstheory._support.memory import enough_memory, require_cells
from fstheory._support.result import Result, Rows, assigned, either, first_of, percent
from fstheory.distributions.build import Label
from fstheory.distributions.gallery import DistributionLike, as_distribution
from fstheory.distributions.joint import JointDistribution
from fstheory.distributions.rows import is_table, listed
from fstheory.errors import require, require_known, show
from fstheory.lattice.series import Panel, Point, Series, draw_curves, draw_tree
from fstheory.lattice.subsets import (
    Subset,
    mask_of,
    names_of,
    subset_text,
)
from fstheory.lattice.sweep import Array
from fstheory.measures.criteria import as_criterion
from fstheory.measures.criterion import CountedLoss, Criterion, every_marginal, flat
from fstheory.measures.losses import finite_losses

if TYPE_CHECKING:
    from fstheory.lattice.figure import PlotFigure, Size, Width

Costs: TypeAlias = "Mapping[str, Exact] | Exact"
_Tables: TypeAlias = tuple[dict[int, Array], dict[int, Array], dict[int, Array]]
_Found: TypeAlias = tuple[Array, dict[str, Label], tuple[str, ...]]

_SHOWN, _DRAWN = 100, 100  # nodes in the text of a tree, and leaves in its picture


@dataclass(frozen=True, repr=False)
class PolicyNode(Result):
    """A partial state that a policy reaches: the answers so far, and what the policy does next.

    Attributes
    ----------
    state : mapping
        The answers so far, in the order of the questions.
    share : Fraction
        The probability of this partial state.
    asks : str or None
        The feature that is asked next. None if the policy stops.
    tied : tuple of str
        Every feature whose question is equally good here, in the order of the columns. The policy asks the first.
    verdicts : tuple
        All predictions of least expected loss, if the policy stops. The first of them is the verdict.
    loss : exact number or None
        The part of the expected loss that arises here, if the policy stops.
    """

    state: Mapping[str, Label] = field(hash=False)
    share: Fraction
    asks: str | None
    tied: tuple[str, ...] = ()
    verdicts: tuple[Any, ...] = field(default=(), hash=False)
    loss: Any = None

    @property
    def text(self) -> str:
        """The next question with the ones that tie, or the verdicts."""
        if self.asks is not None:
            return f"ask {' or '.join(self.tied)}"
        return either(self.verdicts)

    @property
    def answer(self) -> str:
        """The last answer, or an empty text before the first question."""
        return either([*self.state.values()][-1:])


@dataclass(frozen=True, repr=False)
class SubsetGain(Result):
    """The best subset of at most `questions` features, and the best policy with at most as many questions.

    The values include the costs of the questions. `gain` is the value of the subset minus the value of the policy.
    """

    questions: int
    subset: frozenset[str]
    subset_value: Any
    policy_value: Any

    _derived = ("gain",)

    @property
    def gain(self) -> Any:
        """The advantage of the policy over the best subset. It is never negative."""
        return self.subset_value - self.policy_value


@dataclass(frozen=True, repr=False)
class SubsetGains(Rows):
    """The comparison of the best policies with the best subsets, for each number of questions."""

    distribution: JointDistribution
    rows: tuple[SubsetGain, ...]
    _table = "rows"

    def plot(self, *, title: str | None = None, figsize: Size | None = None, width: Width | None = None) -> PlotFigure:
        """Draw the values of the best subsets and of the best policies against the number of questions."""
        values = {"the best subset": "subset_value", "questions in turn": "policy_value"}
        curves = [
            Series(name, [Point(row.questions, drawable(getattr(row, value))) for row in self.rows])
            for name, value in values.items()
        ]
        heading = "Does it help to ask in turn?" if title is None else title
        return draw_curves([[Panel("questions", "loss and cost", curves)]], title=heading).sized(figsize, width)

    def __str__(self) -> str:
        lines = []
        for row in self.rows:
            name, better = subset_text(row.subset, self.distribution.features), row.gain != 0
            gain = f", {to_text(row.gain)} less" if better else ", no better"
            value, fixed = (to_text(number, 0) for number in (row.policy_value, row.subset_value))
            lines.append(f"  {row.questions}: {name} {fixed}, in turn {value}{gain}")
        return "\n".join(["best subset against questions in turn, by the number of questions:", *lines])


@dataclass(frozen=True, repr=False)
class QuestionPolicy(Rows):
    """A policy of least expected loss and cost. Its nodes are a tree, and each node comes before the nodes below it.

    Call the policy with the answers of one person, as a mapping: it returns the verdict, and reads only the answers for
    which it asks.

    Attributes
    ----------
    criterion : Criterion
        The loss of the verdicts.
    budget : int
        The largest number of questions for one person.
    costs : mapping
        The cost of each question, in the unit of the loss.
    nodes : tuple of PolicyNode
        The partial states that people can reach, the first one without an answer.
    """

    distribution: JointDistribution
    criterion: Criterion[Any]
    budget: int
    costs: Mapping[str, Fraction] = field(hash=False)
    nodes: tuple[PolicyNode, ...]
    _table = "nodes"
    _derived = ("risk", "expected_cost", "value", "questions", "asked")

    @property
    def leaves(self) -> tuple[PolicyNode, ...]:
        """The nodes at which the policy stops."""
        return tuple(node for node in self.nodes if node.asks is None)

    @functools.cached_property
    def risk(self) -> Any:
        """The expected loss of the verdicts. For the 0-1 loss it is the probability of a wrong verdict."""
        return functools.reduce(operator.add, (node.loss for node in self.leaves))

    @functools.cached_property
    def asked(self) -> dict[str, Fraction]:
        """The share of the people who are asked for each feature."""
        found = dict.fromkeys(self.distribution.features, Fraction(0))
        for node in self.nodes:
            if node.asks is not None:
                found[node.asks] += node.share
        return found

    @property
    def questions(self) -> Fraction:
        """The expected number of questions."""
        return sum(self.asked.values(), Fraction(0))

    @property
    def expected_cost(self) -> Fraction:
        """The expected cost of the questions."""
        return sum((self.costs[name] * share for name, share in self.asked.items()), Fraction(0))

    @property
    def value(self) -> Any:
        """The expected loss and the expected cost together. No policy with as many questions has a smaller value."""
        return self.risk + self.expected_cost

    @property
    def rules(self) -> tuple[str, ...]:
        """A sentence for each leaf: the answers that lead there, the verdict, and the share of the people."""
        return tuple(
            f"if {assigned(node.state).replace('()', 'nothing is known')}: {node.text} ({percent(node.share)})"
            for node in self.leaves
        )

    def __call__(self, person: Mapping[str, Any]) -> Any:
        """Return the first verdict for the answers of a person. Answers of probability 0 raise an error."""
        node, below = self.nodes[0], {tuple(node.state.items()): node for node in self.nodes}
        while node.asks is not None:
            require_known(node.asks, "answer for the feature", person)
            require_known(answer := person[node.asks], f"state of {node.asks}", self.distribution.states[node.asks])
            known = {**node.state, node.asks: answer}
            wanted = "answers that occur together with positive probability"
            require(tuple(known.items()) in below, "person", wanted, known, "correct an answer")
            node = below[tuple(known.items())]
        return node.verdicts[0]

    def reached(self, rows: int, answers: Callable[[str], Array]) -> list[Array]:
        """Return the positions of the rows that reach each node. `answers` returns the answers of all rows by feature.

        A row with an answer that occurs with probability 0 stays at the node where this answer is missing.
        """
        found: dict[Any, Array] = {(): np.arange(rows)}
        for *before, (name, answer) in (node.state.items() for node in self.nodes[1:]):
            above = found[(*before,)]
            found[(*before, (name, answer))] = above[answers(name)[above] == answer]
        return list(found.values())

    def against_subsets(self) -> SubsetGains:
        """Compare the best policies of 0, 1, .. questions with the best subsets of at most as many features.

        The criterion and the costs are those of this policy, and the comparison ends at its budget. Complexity: that of
        `best_questions`, for each number of questions.
        """
        d, rows = self.distribution, []
        table = self.criterion.table(d, max_size=self.budget)
        fixed = {mask_of(subset, d.features): table[subset] + self._cost(subset) for subset in table}
        plan = _Plan(d, self.criterion, self.costs)
        for k in range(self.budget + 1):
            fitting = [mask for mask in fixed if mask.bit_count() <= k]
            mask = min(fitting, key=lambda mask: (fixed[mask], mask.bit_count()))
            rows.append(SubsetGain(k, names_of(mask, d.features), fixed[mask], plan.value(k)))
        return SubsetGains(d, tuple(rows))

    def _cost(self, subset: Subset) -> Fraction:
        return sum((self.costs[name] for name in subset), Fraction(0))

    def plot(self, *, title: str | None = None, figsize: Size | None = None, width: Width | None = None) -> PlotFigure:
        """Draw the tree from left to right: questions, answers, shares of the people, and verdicts."""
        repair = "lower the budget, raise the costs, or read to_frame()"
        require(
            len(self.leaves) <= _DRAWN, "policy", f"of at most {_DRAWN} leaves to be drawn", len(self.leaves), repair
        )
        texts = [f"{node.text}\n{percent(node.share)}" for node in self.nodes]
        drawn = [
            (len(node.state), node.answer, text, node.asks is None)
            for node, text in zip(self.nodes, texts, strict=True)
        ]
        heading = self._head() if title is None else title
        return draw_tree(drawn, heading, "; ".join(self.rules)).sized(figsize, width)

    def _head(self) -> str:
        most = f"at most {self.budget} question{'s' * (self.budget != 1)}"
        head = f"best policy with {most}: {self.criterion.name} {to_text(self.risk)}"
        cost = f", expected cost {to_text(self.expected_cost)}" if any(self.costs.values()) else ""
        return f"{head}{cost}, {to_text(self.questions)} question{'s' * (self.questions != 1)} on average"

    def __str__(self) -> str:
        lines = [self._head()]
        for node in self.nodes[:_SHOWN]:
            answer = f"{node.answer}: " * bool(node.state)
            lines.append(f"{'  ' * (len(node.state) + 1)}{answer}{node.text} ({percent(node.share)})")
        lines += [f"  ... {len(self.nodes) - _SHOWN} more nodes"] * (len(self.nodes) > _SHOWN)
        people = first_of(
            (item for item in self.asked.items() if item[1]), lambda item: f"{item[0]} {percent(item[1])}"
        )
        return "\n".join([*lines, f"asked: {people or 'nothing'}"])


def best_questions(
    d: DistributionLike,
    criterion: Criterion[Any] | str = "zero_one",
    *,
    budget: int | None = None,
    costs: Costs | None = None,
) -> QuestionPolicy:
    """Find the best policy that asks for one feature after another and chooses the next one by the answers so far.

    If you fix a subset, you ask everybody the same questions. A policy can ask each person other questions, and stop
    early. The best policy has the least sum of the expected loss of its verdicts and the expected cost of its
    questions. Of several best policies, the function returns one that asks the fewest questions on average. If several
    questions are equally good at a node, the policy asks the first one in the order of the columns, and the node lists
    all of them as `tied`.

    The answer is exact. Let c_i be the cost of feature i, and s a partial state, in which some features are known. Then
    V(s) is the minimum of the loss of the best verdict in s, and of c_i p(s) + sum over x_i of V(s, x_i) over all
    features i that are not known in s.

    Complexity: n / 2 additions for each partial state of at most `budget` known features. There are
    prod(card_i + 1) partial states in all, so 3**n for binary features.

    Parameters
    ----------
    d : JointDistribution
        The distribution, or the name of one in the gallery.
    criterion : Criterion or str
        A loss that adds up over states: the 0-1 loss, every other finite loss, the squared error, the Gini impurity, or
        the logarithmic loss.
    budget : int, optional
        The largest number of questions for one person. By default there is no limit.
    costs : mapping from features to exact numbers, or one exact number for each feature, optional
        The cost of each question, in the unit of the loss. Features that are not named cost nothing.

    Returns
    -------
    QuestionPolicy
        The tree of questions, with its risk, its expected cost, and how often each feature is asked.

    Examples
    --------
    >>> print(best_questions("titanic", budget=2))
    best policy with at most 2 questions: 0-1 loss 474/2201 ≈ 0.2154, 2 questions on average
      ask age (100%)
        child: ask class (4.95%)
          1st: yes (0.273%)
          2nd: yes (1.09%)
          3rd: no (3.59%)
        adult: ask sex (95%)
          male: no (75.7%)
          female: yes (19.3%)
    asked: class 4.95%, sex 95%, age 100%

    The best two columns that everybody is asked for are wrong for 477 of the 2201:

    >>> print(best_questions("titanic", budget=2).against_subsets().rows[2].gain)
    3/2201
    """
    d, chosen = as_distribution(d), as_criterion(criterion)
    wanted, repair = "a loss that adds up over the states", "take 'zero_one', 'gini' or 'logarithmic', say"
    require(chosen.additive and not chosen.larger_is_better, "criterion", wanted, chosen.name, repair)
    chosen.check(d)
    most = len(d.features) if budget is None else min(as_index(budget, "budget"), len(d.features))
    plan = _Plan(d, chosen, _prices(costs, d.features))
    found = list(plan.tree(plan.tables(most), {}, 0, ()))
    # The leaves are the states of one variable, so the criterion chooses for each of them with the classes of d.
    leaves, variable = np.stack([cells for cells, _, tied in found if not tied]), f"leaf of {d.target}"
    seen = JointDistribution(leaves, features=[variable], target=d.target, states={d.target: d.classes})
    verdicts, nodes = iter(chosen.predictor(seen, variable).choices.values()), []
    for cells, state, tied in found:
        share, known = Fraction(int(cells.sum()), d.total), MappingProxyType(state)
        stop = ((), None) if tied else (next(verdicts), chosen.of_cells(d, cells[None]))
        nodes.append(PolicyNode(known, share, tied[0] if tied else None, tied, *stop))
    return QuestionPolicy(d, chosen, most, plan.costs, tuple(nodes))


def _prices(costs: Costs | None, features: tuple[str, ...]) -> Mapping[str, Fraction]:
    """Return the cost of each feature."""
    if not isinstance(costs, Mapping):
        return MappingProxyType(
            dict.fromkeys(features, as_fraction(0 if costs is None else costs, "costs", at_least=0))
        )
    for name in costs:
        require_known(name, "feature", features)
    given = {name: as_fraction(costs.get(name, 0), f"costs[{show(name)}]", at_least=0) for name in features}
    return MappingProxyType(given)


class _Plan:
    """The recursion over the partial states of a distribution.

    Values and costs are integers over one denominator if the loss is finite. Other losses have exact numbers.
    """

    def __init__(self, d: JointDistribution, criterion: Criterion[Any], costs: Mapping[str, Fraction]) -> None:
        self.d, self.criterion, self.costs = d, criterion, costs
        prices, losses = list(costs.values()), finite_losses(criterion, d)
        rows = [] if losses is None else losses[1]
        parts = [Fraction(1, criterion.denominator)] if isinstance(criterion, CountedLoss) else []
        self.is_whole, self.kind, self.unit = bool(rows or parts), np.dtype(object), 1
        self.prices: list[Any] = [price / d.total for price in prices]
        if self.is_whole:
            integers, self.unit = integers_over([*prices, *parts, *(loss for row in rows for loss in row)])
            self.prices, others = integers[: len(prices)], integers[len(prices) :]
            largest = max(1, *map(abs, others)) * (self.unit if parts else 1)
            bound = (sum(self.prices) + largest) * d.total  # of each value, and of each weight
            self.kind = np.dtype(np.int64 if bound < 2**63 else object)
            self.losses = np.array(others, dtype=self.kind).reshape(len(rows) or 1, -1)

    def stops(self, cells: Array) -> Array:
        """Return the loss of the best verdict in each state."""
        if isinstance(self.criterion, CountedLoss):
            return np.asarray(self.criterion.by_state(cells).astype(self.kind, copy=False) * self.losses[0])
        if self.is_whole:
            return np.asarray((cells.astype(self.kind, copy=False) @ self.losses).min(axis=-1))
        found: Array = np.empty(len(cells), dtype=object)
        found[:] = [self.criterion.of_cells(self.d, cell[None]) for cell in cells]
        return found

    def marginals(self, budget: int) -> Iterator[tuple[int, Array]]:
        """Yield the weights of the partial states by mask, from the largest mask to 0."""
        if is_table(self.d):
            yield from every_marginal(self.d.weights, budget)
            return
        subsets = (axes for k in range(budget + 1) for axes in combinations(range(len(self.prices)), k))
        for mask, axes in sorted(((sum(1 << i for i in axes), axes) for axes in subsets), reverse=True):
            yield mask, listed(self.d).of(axes).table()

    def tables(self, budget: int) -> _Tables:
        """Return the least value, the weight of the questions asked and the weights of each partial state by mask."""
        d, values, asked, held = self.d, dict[int, Array](), dict[int, Array](), dict[int, Array]()
        counts = [1]  # of the partial states, by the number of known features
        for c in d.cardinalities:
            counts = [a + c * b for a, b in zip([*counts, 0], [0, *counts], strict=True)][: budget + 1]
        what, repair = "the tables of all partial states", "lower the budget, or take the marginal of fewer features"
        large = d.total * len(d.features) >= 2**63
        each = (160 if self.kind.hasobject else 24) + (40 if large else 8) * len(d.classes)
        require_cells((sum(counts),), what, repair, each, besides=3 * d.weights.nbytes if is_table(d) else 0)
        with enough_memory(what, repair):
            for mask, made in self.marginals(budget):
                cells = made.astype(object) if large else made
                some = np.asarray(cells.sum(axis=-1), dtype=cells.dtype)
                value, count = self.stops(flat(cells)).reshape(cells.shape[:-1]), np.zeros_like(some)
                for i, axis in self.open(mask) if mask.bit_count() < budget else ():
                    other = values[mask | 1 << i].sum(axis=axis) + self.prices[i] * some.astype(self.kind, copy=False)
                    more = asked[mask | 1 << i].sum(axis=axis) + some
                    better = (other < value) | (other == value) & (more < count)
                    value, count = np.where(better, other, value), np.where(better, more, count)
                values[mask], asked[mask], held[mask] = value, count, cells
        return values, asked, held

    def value(self, budget: int) -> Any:
        """Return the value of the best policy with at most this many questions."""
        value = self.tables(budget)[0][0].item()
        return Fraction(value, self.unit * self.d.total) if self.is_whole else value

    def open(self, mask: int) -> list[tuple[int, int]]:
        """Return the features outside a mask, each with the number of features before it in the mask."""
        return [(i, (mask & (1 << i) - 1).bit_count()) for i in range(len(self.prices)) if not mask >> i & 1]

    def tree(self, tables: _Tables, state: dict[str, Label], mask: int, at: tuple[int, ...]) -> Iterator[_Found]:
        """Yield the nodes from a partial state on: the weights of the classes, the answers, and the best questions.

        `at` has the answers by increasing feature.
        """
        (values, asked, held), tied = tables, list[tuple[int, int]]()
        if count := asked[mask][at]:
            weight = int(held[mask][at].sum())
            for i, place in self.open(mask):
                below: Any = (*at[:place], slice(None), *at[place:])
                value = values[mask | 1 << i][below].sum() + self.prices[i] * weight
                if value == values[mask][at] and asked[mask | 1 << i][below].sum() + weight == count:
                    tied.append((i, place))
        yield held[mask][at], state, tuple(self.d.features[i] for i, _ in tied)
        for i, place in tied[:1]:
            for j, answer in enumerate(self.d.states[name := self.d.features[i]]):
                known = (*at[:place], j, *at[place:])
                if held[mask | 1 << i][known].any():
                    yield from self.tree(tables, {**state, name: answer}, mask | 1 << i, known)
