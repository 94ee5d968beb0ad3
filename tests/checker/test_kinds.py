"""Every kind of fact, of split and of certificate has each of its parts, by its name."""

import random
from collections import Counter
from contextlib import suppress

import pytest

from fstheory.checker.cases import Cases
from fstheory.checker.every_size import EverySizeSpace
from fstheory.checker.kinds import FACTS, SPLITS, Kind
from fstheory.checker.statement import ASSUMPTIONS, CRITERIA, Fact, Node
from fstheory.coq.kinds import WRITTEN
from fstheory.errors import CertificateError
from tests.checker.kinds import draw, meant, of_every_size


@pytest.mark.quick
@pytest.mark.parametrize("classes", [None, 2, 5])
def test_the_words_of_a_kind_say_what_the_checker_builds(classes: int | None) -> None:
    rng, seen = random.Random(1), Counter[str]()
    space = EverySizeSpace({"features": 2, "classes": classes}, ASSUMPTIONS)
    cases = Cases(space, ())

    def compared(formula: Node) -> list[Fact]:
        """Return the comparisons of a formula, the form of each of which is its right side less its left side."""
        if formula[0] == "and":
            return [one for part in formula[1:] for one in compared(part)]
        left, right = map(cases.form, formula[1:])
        return [(formula[0].replace("<", ">"), cases.sum([(1, right), (-1, left)]))]

    for _ in range(80):
        for kind in of_every_size(FACTS):
            with suppress(CertificateError):
                found = space.fact(reference := draw(kind, rng, 2), "a fact")
                seen[kind.name] += 1
                assert kind.name in {"times", "tree"} or meant(kind, reference, space) == [[found]], reference
        for kind in of_every_size(SPLITS):
            with suppress(CertificateError):
                options = space.cases(reference := draw(kind, rng, 2), "a split")
                seen[kind.name] += 1
                said = [
                    [(sign, {u: -c for u, c in form.items()} if sign == "=" else form) for sign, form in option]
                    for option in meant(kind, reference, space)
                ]
                assert said == list(map(compared, options)), reference
    assert classes != 2 or not {kind.name for table in (FACTS, SPLITS) for kind in of_every_size(table)} - set(seen)


@pytest.mark.parametrize(
    ("table", "written", "otherwise"),
    [
        # Those about a maximum, a cell or a product are written by `Trees`.
        (FACTS, WRITTEN["fact"], "M, whole, sum, total, p, times, product, squared, together"),
        (
            SPLITS,
            WRITTEN["split"],
            "or, max, informed V",
        ),
    ],
)
def test_coq_has_each_kind_by_its_name(table: dict[str, Kind], written: dict[str, object], otherwise: str) -> None:
    names = {name.replace(" Q", f" {criterion}") for name in table for criterion in CRITERIA}
    assert names == {*written, *otherwise.split(", ")}


def test_the_numbers_of_kinds_are_distinct() -> None:
    for letter, table in (("F", FACTS), ("D", SPLITS)):
        assert sorted(kind.number for kind in table.values()) == sorted(f"{letter}{i + 1}" for i in range(len(table)))
