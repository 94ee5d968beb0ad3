"""Whether what a certificate states is true of all distributions of its shape: Z3's answer, from the definitions."""

import itertools
from typing import Any

import z3

from tests.logic.building import Content, Node, P


def is_valid(content: Content) -> bool:
    """Decide whether the assumptions imply every formula to show."""
    sizes, classes = content["shape"]["cardinalities"], content["shape"]["classes"]
    table = list(itertools.product(*map(range, (*sizes, classes))))
    solver = z3.Solver()
    masses = {cell: z3.Real(f"p{cell}") for cell in table}
    solver.add(*(mass >= 0 for mass in masses.values()), z3.Sum(list(masses.values())) == 1)

    def term(node: Node) -> Any:
        kind, *parts = node
        if kind == "q":
            return z3.Q(*map(int, (parts[0] + "/1").split("/")[:2]))
        if kind == "P":
            wanted = [*parts[0], parts[1]]
            fits = (p for c, p in masses.items() if all(w in (None, i) for w, i in zip(wanted, c, strict=True)))
            return z3.Sum([z3.RealVal(0), *fits])
        if kind == "R":
            states = itertools.product(*(range(c) if i in parts[0] else [None] for i, c in enumerate(sizes)))
            tops = [term(["max", *(P(s, y) for y in range(classes))]) for s in states]
            return 1 - z3.Sum(tops)
        values = list(map(term, parts))
        if kind == "+":
            return z3.Sum([z3.RealVal(0), *values])
        if kind == "*":
            return values[0] * values[1]
        if kind == "/":
            return values[0] / values[1]
        best = values[0]
        for value in values[1:]:
            best = z3.If(value > best if kind == "max" else value < best, value, best)
        return best

    def formula(node: Node) -> Any:
        kind, *parts = node
        if kind in {"<", "<=", "="}:
            a, b = map(term, parts)
            return a < b if kind == "<" else a <= b if kind == "<=" else a == b
        truths = list(map(formula, parts))
        if kind == "and":
            return z3.And(truths)
        if kind == "or":
            return z3.Or(truths)
        if kind == "not":
            return z3.Not(truths[0])
        return z3.Implies(*truths) if kind == "implies" else truths[0] == truths[1]

    solver.add(*(formula(named["formula"]) for named in content["assume"]))
    solver.add(z3.Not(z3.And([formula(named["formula"]) for named in content["show"]])))
    answer = str(solver.check())
    assert answer in {"sat", "unsat"}
    return answer == "unsat"
