from fractions import Fraction
from typing import Any

import pytest

from fstheory._support.progress import Clock
from fstheory.logic.expressions import Node
from fstheory.logic.statement import Shape, Statement
from fstheory.papers.ledger import claims
from fstheory.proofs.cases import CaseSplit, Counterexample, Leaf, Premise, ProofLimits, Split
from fstheory.proofs.linear import Case, Linear, Unknowns
from fstheory.proofs.prover import TreeWriter

NO_LIMIT = Clock(None, None)
SHAPES = [Shape((2, 2), 2), Shape((2, 2), 3), Shape((2, 3), 2)]


def theorem(name: str, where: Shape) -> Statement:
    return claims[name].stated().statement(where)


def leaves(tree: Any) -> list[Any]:
    """Return what the cases of a proof hold, as it was found or as it was written."""
    if isinstance(tree, Leaf) or "farkas" in getattr(tree, "keys", tuple)():
        return [tree]
    return [leaf for part in (tree.trees if isinstance(tree, Split) else tree["cases"]) for leaf in leaves(part)]


@pytest.mark.thorough
@pytest.mark.parametrize("where", SHAPES, ids=str)
@pytest.mark.parametrize("name", ["PN-M", "PN-3", "PN-4", "PN-7"])
def test_what_is_written_contradicts_itself_and_has_the_size_that_was_said(name: str, where: Shape) -> None:
    statement = theorem(name, where)
    unknowns = Unknowns(where)
    for named in statement.show:
        split = CaseSplit(unknowns, [a.formula for a in statement.assume], named.formula, NO_LIMIT)
        writer = TreeWriter(unknowns, NO_LIMIT)
        written = leaves(writer.write(split.root, split.tree()))  # requires that each contradicts itself
        assert len(written) == writer.cases
        assert sum(len(leaf["farkas"]) for leaf in written) == writer.references
        for leaf in written:
            references = [str(reference) for reference, _ in leaf["farkas"]]
            assert len(set(references)) == len(references)


def test_the_rule_for_sums_makes_monotonicity_one_step() -> None:
    where = Shape((2, 2, 2), 2)
    for named in theorem("PN-M", where).show:
        assert len(leaves(CaseSplit(Unknowns(where), [], named.formula, NO_LIMIT).tree())) == 1


def test_that_risks_are_not_negative_is_one_step() -> None:
    """Without upper bounds of maxima it would be as many cases as there are classifiers."""
    where = Shape((3,), 2)
    unknowns = Unknowns(where)
    split = CaseSplit(unknowns, [], ("<=", ("q", Fraction(0)), ("R", (0,))), NO_LIMIT)
    tree = split.tree()
    assert (len(leaves(tree)), len(leaves(TreeWriter(unknowns, NO_LIMIT).write(split.root, tree)))) == (1, 1)


def test_a_split_that_is_not_needed_leaves_no_trace() -> None:
    x, y = ("P", (0,), 0), ("P", (1,), 0)
    useless: Node = ("or", *(("=", x, ("q", Fraction(i, 7))) for i in (1, 2, 3)))
    largest: Node = ("max", x, y)
    attained: Node = ("or", ("=", largest, x), ("=", largest, y))
    first = ProofLimits(candidates=1)  # so that the first disjunction is split first
    split = CaseSplit(Unknowns(Shape((2,))), [useless], attained, NO_LIMIT, limits=first)
    assert split.root.disjunctions[0].options == useless[1:]
    waiting = [split.tree()]
    for tree in waiting:
        if isinstance(tree, Split):
            assert tree.of is not split.root.disjunctions[0]
            waiting.extend(tree.trees)
    assert split.leaves >= 2


def test_an_impossible_assumption_proves_everything() -> None:
    unknowns = Unknowns(Shape((2,)))
    split = CaseSplit(unknowns, [("or",)], ("<", ("R", ()), ("R", ())), NO_LIMIT)
    tree = split.tree()
    assert isinstance(tree, Split)
    assert TreeWriter(unknowns, NO_LIMIT).write(split.root, tree) == {"split": ["or", 0], "cases": []}


def test_a_counterexample_is_found_without_the_help_of_the_solver() -> None:
    unknowns = Unknowns(Shape((2,)))
    with pytest.raises(Counterexample) as caught:
        CaseSplit(unknowns, [], ("=", ("R", (0,)), ("R", ())), NO_LIMIT).tree()
    (a, b), (c, d) = caught.value.point[:2], caught.value.point[2:]
    assert a + b + c + d == 1
    assert max(a, b) + max(c, d) > max(a + c, b + d)


def test_a_wrong_leaf_is_not_written() -> None:
    unknowns = Unknowns(Shape((2,)))
    wrong = Leaf(((Premise(("p", 0), Linear(Fraction(0), {0: Fraction(1)}), ">="), 1),))
    with pytest.raises(ArithmeticError, match="does not contradict itself"):
        TreeWriter(unknowns, NO_LIMIT).write(Case(()), wrong)


def test_proofs_share_one_list_of_maxima() -> None:
    where = Shape((2, 2), 2)
    unknowns = Unknowns(where)
    writer = TreeWriter(unknowns, NO_LIMIT)
    for named in theorem("PN-M", where).show:
        split = CaseSplit(unknowns, [], named.formula, NO_LIMIT)
        writer.write(split.root, split.tree())
    assert len(writer.maxima) == len(set(writer.maxima)) == 9
