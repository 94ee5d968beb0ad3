"""One change to a genuine certificate, the digest made anew, and what the checker says of it."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import NamedTuple

import pytest

from fstheory.checker import check_certificate
from fstheory.errors import CertificateError
from tests.checker import examples
from tests.checker.building import Content, Json, P, q, signed
from tests.checker.mutations import Path, get, replaced

END = "; the certificate is rejected"
KEYS = ["assume", "claim", "digest", "format", "kind", "shape", "show", "total", "values", "version", "weights"]


class Change(NamedTuple):
    """What stands at a place afterwards, and the whole message."""

    path: Path
    new: Json
    message: str


WEIGHTS = [
    Change(("format",), "fstheory", "the certificate must be an object with 'format': 'fstheory certificate', not "),
    Change(("version",), 2, "version must be 1, the one this checker knows, not 2"),
    Change(("version",), "1", "version must be 1, the one this checker knows, not '1'"),
    Change(("version",), True, "version must be 1, the one this checker knows, not True"),
    Change(("kind",), "holds", "kind must be 'refuted', 'realized' or 'proved', not 'holds'"),
    Change(("kind",), ["refuted"], "kind must be 'refuted', 'realized' or 'proved', not ('refuted',)"),
    Change(("kind",), "realized", "show[0], 'hint', must be true at the weights, not False"),
    Change(("kind",), "proved", "the certificate must be an object with the keys ['assume', "),
    Change(("claim",), "", "claim must be a name that can be printed, not ''"),
    Change(("claim",), 3, "claim must be a name that can be printed, not 3"),
    Change(("claim",), "\x1b[2J", "claim must be a name that can be printed, not '\\x1b[2J'"),
    Change(("claim",), "a\ud800", "claim must be a name that can be printed, not 'a\\ud800'"),
    Change(("more",), 1, f"the certificate must be an object with the keys {KEYS}, not "),
    Change(("shape",), [2, 2, 2], "shape must be an object with the keys ['cardinalities', 'classes'], not (2, 2, 2)"),
    Change(("shape", "classes"), 3, "a part of weights must be a list of 3, not (1, 0)"),
    Change(("shape", "classes"), 0, "a size in shape must be an integer from 1 to 1024, not 0"),
    Change(("shape", "cardinalities"), [2], "a weight must be an integer from 0 to "),
    Change(("shape", "cardinalities"), [2, 3], "a part of weights must be a list of 3, not ((1, 0), (0, 1))"),
    Change(("shape", "cardinalities"), [2, True], "a size in shape must be an integer from 1 to 1024, not True"),
    Change(
        ("weights",),
        [[[2, 0], [0, 2]], [[0, 2], [2, 0]]],
        "total must be the sum of the weights, 8, and above 0, not 4",
    ),
    Change(("weights", 0, 0, 0), 2, "total must be the sum of the weights, 5, and above 0, not 4"),
    Change(("weights", 0, 0, 0), -1, "a weight must be an integer from 0 to "),
    Change(("weights", 0, 0, 0), "1", "a weight must be an integer from 0 to "),
    Change(("weights", 0, 0, 0), True, "a weight must be an integer from 0 to "),
    Change(("weights", 0, 0), [1], "a part of weights must be a list of 2, not (1,)"),
    Change(("weights", 0, 0), [0, 1], "values[0] must be '1/4', the value of ('R', (0,)), not '1/2'"),
    Change(("total",), 8, "total must be the sum of the weights, 4, and above 0, not 8"),
    Change(("total",), "4", "total must be the sum of the weights, 4, and above 0, not '4'"),
    Change(("assume",), {}, "assume must be a list, not {}"),
    Change(("assume", 0), [], "assume[0] must be an object with the keys ['formula', 'name', 'where'], not ()"),
    Change(("assume", 0, "name"), None, "assume[0].name must be a name that can be printed, not None"),
    Change(("assume", 0, "where"), [], "assume[0].where must be an object, not ()"),
    Change(("assume", 0, "formula", 0), "=", "assume[0], 'positive', must be true at the weights, not False"),
    Change(("assume", 3, "formula"), ["or"], "assume[3], 'positive', must be true at the weights, not False"),
    Change(("show",), [], "show must be a list of 1, not ()"),
    Change(("show", 0, "formula"), ["and"], "show[0], 'hint', must be false at the weights, not True"),
    Change(("show", 0, "formula"), ["or"], "values must be a list of 0, not "),
    Change(("show", 0, "formula", 2, 2), q("1/2"), "show[0], 'hint', must be false at the weights, not True"),
    Change(("show", 0, "formula", 2, 1), q("1/2"), "values must be a list of 4, not "),
    Change(("values",), [], "values must be a list of 3, not ()"),
    Change(("values", 0, 0), P([0, 0]), "values[0] must be about ('R', (0,)), not ('P', (0, 0), None)"),
    Change(("values", 0, 0), 1, "values[0] must be a term, not 1"),
    Change(("values", 0, 1), "1/4", "values[0] must be '1/2', the value of ('R', (0,)), not '1/4'"),
    Change(("values", 0, 1), "2/4", "values[0] must be '1/2', the value of ('R', (0,)), not '2/4'"),
    Change(("values", 0, 1), ["0", "1"], "values[0] must be '1/2', the value of ('R', (0,)), not ('0', '1')"),
    Change(("values", 2, 1), 0, "values[2] must be '0', the value of ('R', (0, 1)), not 0"),
    Change(("values", 0), ["1/2"], "values[0] must be a list of 2, not ('1/2',)"),
]

# A little too small and a little too large for the root of 2: 1.41421356237309504880168..
BELOW, ABOVE = (str(Fraction(digits, 10**19)) for digits in (14142135623730950488, 14142135623730950489))
IRRATIONAL = [
    Change(("values", 4, 1), "7/5", "values[4] must be a list of 2, not '7/5'"),
    Change(
        ("values", 4, 1), ["0", "2"], "values[4] must be an interval of width at most 1/1000000000000, not ('0', '2')"
    ),
    Change(
        ("values", 4, 1),
        [ABOVE, "3/2"],
        f"values[4] must be an interval around 1.41421356237310, not ('{ABOVE}', '3/2')",
    ),
    Change(
        ("values", 4, 1), ["1", BELOW], f"values[4] must be an interval around 1.41421356237310, not ('1', '{BELOW}')"
    ),
    Change(("values", 4, 1), ["2", "1"], "values[4] must be an interval around 1.41421356237310, not ('2', '1')"),
    Change(("values", 4, 1, 0), "2/2", "values[4] must be a rational 'p/q' or 'p' in lowest terms, not '2/2'"),
    Change(("values", 1, 1), ["-1/10000000000000", "1/10000000000000"], "values[1] must be '0', the value of "),
]

PROOF = [
    Change(("proofs",), [], "proofs must be a list of 1, not ()"),
    Change(("maxima",), {}, "maxima must be a list, not {}"),
    Change(("maxima", 2), q(1), "maxima[2] must be a 'max' node, not ('q', '1')"),
    Change(("maxima", 2), ["max"], "maxima[2] must be a term, not ('max',)"),
    Change(("maxima", 2), ["max", P([2])], "an index of P in maxima[2] must be an integer from 0 to 1, not 2"),
    Change(("proofs", 0, "tree", "split", 1), 0, "proofs[0].tree.cases[0].farkas must be "),
    Change(("proofs", 0, "tree", "split", 1), 3, "proofs[0].tree.split must be an integer from 0 to 2, not 3"),
    Change(("proofs", 0, "tree", "split"), ["max"], "proofs[0].tree.split must be a list of 2, not ('max',)"),
    Change(
        ("proofs", 0, "tree", "cases", 1),
        {"farkas": [[0, "1"]]},
        "proofs[0].tree.cases[1].farkas must be multipliers under which all unknowns cancel, not ((0, '1'),)",
    ),
    Change(
        ("proofs", 0, "tree", "cases", 0, "farkas", 0),
        [0],
        "proofs[0].tree.cases[0].farkas must be a list of 2, not (0,)",
    ),
    Change(
        ("proofs", 0, "tree", "cases", 0, "farkas", 0, 1),
        1,
        "proofs[0].tree.cases[0].farkas must be a rational 'p/q' or 'p' in lowest terms, not 1",
    ),
    Change(
        ("proofs", 0, "tree", "cases", 0, "farkas", 0, 1),
        "2",
        "proofs[0].tree.cases[0].farkas must be multipliers under which all unknowns cancel, not ",
    ),
    Change(("evidence",), "solvers", "the certificate must be an object with the keys ['assume', "),
    Change(("kind",), "refuted", "the certificate must be an object with the keys ['assume', "),
]

SOLVERS = [
    Change(("evidence",), "trust me", "evidence must be 'solvers' if it is given, not 'trust me'"),
    Change(("solvers",), [], "solvers must be a list of names, not []"),
    Change(("solvers",), "z3", "solvers must be a list, not 'z3'"),
    Change(("solvers", 0), "", "solvers must be a name that can be printed, not ''"),
    Change(("proofs",), [], "the certificate must be an object with the keys ['assume', "),
]


TABLES: list[tuple[Callable[[], Content], list[Change]]] = [
    (examples.refuted, WEIGHTS),
    (examples.irrational, IRRATIONAL),
    (examples.proved, PROOF),
    (examples.by_solvers, SOLVERS),
]


@pytest.mark.parametrize(
    ("example", "change"),
    [
        pytest.param(example, change, id=f"{example().get('kind')}-{i}-{'.'.join(map(str, change.path))}")
        for example, changes in TABLES
        for i, change in enumerate(changes)
    ],
)
def test_a_change_is_named(example: Callable[[], Content], change: Change) -> None:
    with pytest.raises(CertificateError) as error:
        check_certificate(signed(dict(replaced(example(), change.path, change.new))))
    message = str(error.value)
    if change.message.endswith(" "):  # what follows is long
        assert message.startswith(change.message)
    else:
        assert message == change.message + END


def test_every_part_is_needed() -> None:
    for example in (*examples.AT_WEIGHTS, *examples.PROVED, examples.by_solvers):
        for key in example():
            rest = {k: part for k, part in example().items() if k != key}
            for content in (rest, signed(rest)) if key != "digest" else (rest,):
                with pytest.raises(CertificateError):
                    check_certificate(content)


def test_weights_in_lowest_terms() -> None:
    doubled = [[[2, 0], [0, 2]], [[0, 2], [2, 0]]]
    with pytest.raises(CertificateError) as error:
        check_certificate(signed(examples.refuted(), weights=doubled, total=8))
    assert str(error.value) == f"the weights must be in lowest terms, not {_tuple(doubled)}{END}"
    nothing = [[[0, 0], [0, 0]], [[0, 0], [0, 0]]]
    with pytest.raises(CertificateError) as error:
        check_certificate(signed(examples.refuted(), weights=nothing, total=0))
    assert str(error.value) == f"total must be the sum of the weights, 0, and above 0, not 0{END}"


def _tuple(value: Json) -> Json:
    return tuple(map(_tuple, value)) if isinstance(value, list) else value


@pytest.mark.parametrize("digest", [None, "", "0" * 64, 0, ["a"]])
def test_the_digest_comes_first(digest: Json) -> None:
    """Whatever else is wrong, a changed file is called that."""
    changed = {**examples.refuted(), "total": 5, "digest": digest}
    with pytest.raises(CertificateError, match=r"^digest must be that of the rest, which was changed, not "):
        check_certificate(changed)


def test_the_digest_is_in_lower_case() -> None:
    content = examples.refuted()
    with pytest.raises(CertificateError, match="digest must be"):
        check_certificate({**content, "digest": content["digest"].upper()})


def test_two_values_in_the_wrong_order() -> None:
    content = examples.refuted()
    first, second, third = get(content, ("values",))
    with pytest.raises(CertificateError, match=r"values\[0\] must be about \('R', \(0,\)\), not \('R', \(1,\)\)"):
        check_certificate(signed(content, values=[second, first, third]))
