"""Test vectors of a kind of fact or split: small certificates, and the answer. ``python -m tests.checker.vectors F32``.

A vector never changes once it is published, since other checkers are tested with it. So this writes the file of a new
kind, and no file that exists. The claim of an accepted certificate is the fact itself, or the formula that one case of
the split is true. The rejected ones claim more by 1/1,000,000, leave a case open, or fail one of the conditions.
A checker that does not look at this condition accepts them.
"""

import json
import random
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from fractions import Fraction
from itertools import chain, combinations, product
from pathlib import Path
from typing import Any

from fstheory.checker.cases import Branch, Cases
from fstheory.checker.certificates import check_certificate
from fstheory.checker.every_size import PRIMES, EverySizeSpace
from fstheory.checker.kinds import CONDITIONS, FACTS, KINDS, READ, Kind
from fstheory.checker.statement import ASSUMPTIONS, CRITERIA, ONE, Fact, Form
from fstheory.errors import CertificateError
from fstheory.logic.expressions import to_json
from tests.checker.kinds import draw, of_every_size
from tests.logic.building import Content, Json, q, signed, statement

FOLDER = Path(__file__).parent / "vectors"
LEAST = Fraction(1, 10**6)


def term_of(space: EverySizeSpace, form: Form) -> Json:
    """Return a linear form of the unknowns as a term."""
    words: dict[int, Json] = {ONE: q(1)}
    subsets = [(mask, [i for i in range(space.n) if mask >> i & 1]) for mask in range(1 << space.n)]
    for mask, features in subsets:
        risk = ["R", features]
        words |= {mask: risk, space.squares + mask: ["*", risk, risk]}
        words |= {space.unknown(kind, mask): [kind, features] for kind in CRITERIA}
        words |= {space.cost(t, mask): ["C", features, t] for t in space.costs}
        words |= {(1 << space.n) + (target << space.n) + mask: ["H", features, target == 1] for target in (0, 1)}
        for chance in (risk, ["+", q(1), ["*", q(-1), risk]]):
            (number,) = space.coin({mask: 1} if chance is risk else {ONE: 1, mask: -1}) or {}
            inside = [
                "+",
                chance,
                q(1),
                ["*", q(-1), ["/", chance, chance]],
            ]  # 1 if the chance is 0, or else the chance
            words[number] = ["*", q(-1), ["*", chance, ["log", inside]]]
        both = (mask, risk), (space.unknown("G", mask), ["G", features])
        words |= {space.log(p, unknown): ["*", ["log", q(p)], term] for p in PRIMES for unknown, term in both}
    words |= {space.log(p): ["log", q(p)] for p in PRIMES}
    return ["+", *(["*", q(c), words[u]] for u, c in form.items())]


def closed(cases: Cases, branch: Branch, done: int = 0) -> Json:
    """Return a tree whose leaves are contradictions of at most two facts of the branch."""
    facts, disjunctions = branch
    pairs = [(i, 1, i, 0) for i in range(len(facts))]
    pairs += [(i, 1, j, times) for i, j in product(range(len(facts)), repeat=2) if i != j for times in (1, -1)]
    for i, once, j, times in pairs:
        used = [[i, once], [j, times]][: 1 + abs(times)]
        total = cases.sum((c, facts[number][1]) for number, c in used)
        strict = any(facts[number][0] == ">" for number, _ in used)
        allowed = all(c > 0 or facts[number][0] == "=" for number, c in used)
        if allowed and total.keys() <= {ONE} and (total.get(ONE, 0) < 0 or (strict and not total)):
            return {"farkas": [[number, str(c)] for number, c in used]}
    parts = [closed(cases, cases.extend([part], branch), done + 1) for part in disjunctions[done]]
    return {"split": ["or", done], "cases": parts}


def certified(space: EverySizeSpace, formula: Json, tree: Json) -> Content:
    """Return the certificate of a formula for every size."""
    content = statement("proved", (), 2, [], [{"name": "it", "where": {}, "formula": formula}])
    content |= {"version": 5, "shape": {"features": space.n, "classes": space.classes}, "maxima": []}
    return signed({**content, "assumptions": list(space.assumptions), "proofs": [{"tree": tree}]})


def of_fact(space: EverySizeSpace, reference: tuple[Any, ...], fact: Fact) -> list[Content]:
    """Return a certificate that is accepted, and one that claims a little more."""
    relation, form = fact
    if not form.keys() - {ONE}:
        return []  # it says nothing, such as that R({}) is at least R({})
    term, tree = term_of(space, form), {"farkas": [[0, "1"], [reference, "1"]]}
    sign = "<" if relation == ">" else "<="
    return [certified(space, [sign, q(least), term], tree) for least in (0, LEAST)]


def of_split(space: EverySizeSpace, reference: tuple[Any, ...], options: Sequence[Any]) -> list[Content]:
    """Return a certificate that is accepted, and one with a case that is not closed."""
    cases, formula = Cases(space, ()), ("or", *options)
    start = cases.extend([("not", formula)], ((), ()))
    parts = [closed(cases, cases.extend([option], start)) for option in options]
    trees = [{"split": reference, "cases": some} for some in (parts, [*parts[:-1], {"farkas": []}])]
    return [certified(space, to_json(formula), tree) for tree in trees]


def answered(content: Content) -> dict[str, Any]:
    """Return a vector: the certificate with the answer of the checker."""
    try:
        return {"answer": check_certificate(content).status, "certificate": content}
    except CertificateError as error:
        why = str(error).removesuffix("; the certificate is rejected")
        return {"answer": "rejected", "why": why, "certificate": content}


def vectors(kind: Kind, rng: random.Random) -> list[dict[str, Any]]:
    """Return vectors of a kind: two that are accepted if there are as many, and one that fails each condition alone.

    A condition has no vector if there is no such fact without it, because a number would be divided by 0, say.
    """
    certificates, refused = list[Content](), dict[str, list[Content]]()
    shapes = list(product((None, 1, 2, 3), [some for size in (2, 1, 0) for some in combinations(ASSUMPTIONS, size)]))
    make: Callable[..., list[Content]] = of_fact if FACTS.get(kind.name) is kind else of_split
    for _ in range(300):
        k, named = rng.choice(shapes)
        space = EverySizeSpace({"features": 2, "classes": k}, named)
        reference = draw(kind, rng, 2)
        given = zip(kind.arguments, reference[len(kind.words) :], strict=True)
        with suppress(ArithmeticError, CertificateError):
            values = {name: READ[of](space, value, name) for (of, name), value in given}
            failed = [words for words in kind.when if not CONDITIONS[words](space, values)]
            if len(failed) == 1 and not refused.get(failed[0]):
                refused[failed[0]] = []
                refused[failed[0]] = make(space, reference, kind.build(space, *values.values()))[:1]
            elif not failed and len(certificates) < 4 and k != 1:
                certificates += make(space, reference, kind.build(space, *values.values()))
    assert refused.keys() == {*kind.when}, f"no certificate of {kind.name} fails one of {kind.when} alone"
    return list(map(answered, [*certificates, *chain.from_iterable(refused.values())]))


def write(number: str, kind: str, found: Sequence[dict[str, Any]]) -> None:
    """Write the file of a kind, with one vector a line."""
    lines = ",\n".join(json.dumps(one) for one in found)
    head = f'"number": {json.dumps(number)},\n"kind": {json.dumps(kind)},\n'
    (FOLDER / f"{number}.json").write_text(f'{{\n{head}"vectors": [\n{lines}\n]\n}}\n', encoding="utf-8")


if __name__ == "__main__":
    for table in KINDS.values():
        for kind in of_every_size(table):
            if kind.number in sys.argv[1:] and not (FOLDER / f"{kind.number}.json").exists():
                write(kind.number, kind.form, vectors(kind, random.Random(kind.number)))
