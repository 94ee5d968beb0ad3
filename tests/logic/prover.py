"""Certificates for all distributions, written by the prover of the package for formulas as JSON has them."""

from collections.abc import Mapping, Sequence

from fstheory._support.progress import Clock
from fstheory.logic.expressions import from_json, to_json
from fstheory.logic.statement import Shape
from fstheory.proofs.cases import CaseSplit, Counterexample
from fstheory.proofs.linear import Unknowns
from fstheory.proofs.prover import TreeWriter
from tests.logic.building import Content, Json, signed, statement

CLOCK = Clock(None, None)


class NotProvedError(Exception):
    """The formula is false at some distribution where the assumptions hold."""


def prove(
    cardinalities: Sequence[int],
    classes: int,
    assume: Sequence[Content],
    show: Sequence[Content],
    images: Mapping[int, Json] = {},
) -> Content:
    """Return a certificate of a statement; `images` are the proofs of instances that are renamed others."""
    unknowns = Unknowns(Shape(tuple(cardinalities), classes))
    writer, assumed = TreeWriter(unknowns, CLOCK), [from_json(part["formula"]) for part in assume]
    proofs: list[Json] = []
    for i, part in enumerate(show):
        if i in images:
            proofs.append(images[i])
            continue
        split = CaseSplit(unknowns, assumed, from_json(part["formula"]), CLOCK)
        try:
            proofs.append({"tree": writer.write(split.root, split.tree())})
        except Counterexample:
            raise NotProvedError from None
    content = statement("proved", cardinalities, classes, assume, show)
    return signed(content, maxima=[to_json(node) for node in writer.maxima], proofs=proofs)
