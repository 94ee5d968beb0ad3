"""Write least_sums.json: for some orders, masses of the least sum, found by an exact integer program.

Run by hand, with highspy 1.x installed: ``python tests/selection/generate_least_sums.py``. The solver only
proposes: that the masses have the order is checked in integers, here and in the tests; that no smaller
sum has it is the solver's word.
"""

import importlib
import json
import random
from itertools import pairwise, product
from pathlib import Path

SEED = 20100


def random_order(n: int, rng: random.Random) -> list[int]:
    order: list[int] = []
    left = set(range(2**n))
    while left:
        able = sorted(mask for mask in left if not any(mask != other == mask | other for other in left))
        order.append(rng.choice(able))
        left.remove(order[-1])
    return order


def least_masses(order: list[int], cardinalities: tuple[int, ...]) -> dict[int, int]:
    states = dict.fromkeys(order, 0)
    for x in product(*map(range, cardinalities)):
        states[sum(1 << i for i, state in enumerate(x) if state == 0)] += 1
    solver = importlib.import_module("highspy").Highs()  # late and untyped: the tests do not need it
    solver.setOptionValue("output_flag", False)
    solver.setOptionValue("mip_rel_gap", 0.0)
    q = {mask: solver.addIntegral(lb=float(states[mask])) for mask in order[1:]}
    for before, after in pairwise(order[1:]):
        gained = [other for other in q if other & after == after and other & before != before]
        lost = [other for other in q if other & before == before and other & after != after]
        solver.addConstr(sum(q[mask] for mask in gained) - sum(q[mask] for mask in lost) >= 1)
    solver.minimize(sum(q.values()))
    return {mask: round(solver.val(q[mask])) for mask in order[1:]}


def main() -> None:
    rng = random.Random(SEED)
    problems: list[tuple[list[int], tuple[int, ...]]] = [(random_order(3, rng), (2, 3, 4)) for _ in range(30)]
    problems += [(random_order(4, rng), (2, 2, 2, 2)) for _ in range(40)]
    problems += [(random_order(4, rng), (3, 2, 4, 2)) for _ in range(20)]
    rows = []
    for order, cardinalities in problems:
        masses = least_masses(order, cardinalities)
        risks = [sum(m for other, m in masses.items() if other & mask == mask) for mask in order]
        assert all(before < after for before, after in pairwise(risks))
        rows.append({"cardinalities": cardinalities, "order": order, "masses": [masses.get(mask, 0) for mask in order]})
    head = {"tool": f"highspy {importlib.import_module('highspy').Highs().version()}", "seed": SEED}
    lines = ",\n  ".join(json.dumps(row) for row in rows)
    text = f'{{"made_with": {json.dumps(head)},\n "rows": [\n  {lines}\n ]}}\n'
    Path(__file__).with_name("least_sums.json").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
