"""Write information.json: entropies and mutual informations in bits, floats computed by dit.

Nothing here imports fstheory. The distributions are random integer tables, made with Python's `random` and written
down whole. Variables are addressed by their place in the rows.

Run ``python tests/oracles/generate_information.py`` in an environment with dit 2.3; other versions may give other
last digits.
"""

import json
import random
from importlib import metadata
from itertools import product
from pathlib import Path
from typing import Any

import dit  # type: ignore[import-not-found]

SHAPES = [(2,), (2, 2), (3, 2), (2, 2, 2), (3, 2, 4), (2,) * 4]


def table(seed: int, shape: tuple[int, ...]) -> list[list[int]]:
    """Return rows [x1, .., xn, y, weight]; a quarter of the weights is 0."""
    rng = random.Random(seed)
    cells = product(*map(range, shape), range(2 + seed % 2))
    return [[*cell, rng.randrange(1, 1000) * (rng.random() < 0.75)] for cell in cells]


def answers(seed: int, rows: list[list[int]]) -> list[dict[str, Any]]:
    """Return random questions H(A | C) and I(A; B | C), and what dit says."""
    rng, total, width = random.Random(seed), sum(row[-1] for row in rows), len(rows[0]) - 1
    seen = [row for row in rows if row[-1]]
    d = dit.Distribution([tuple(map(str, row[:-1])) for row in seen], [row[-1] / total for row in seen])
    found = []
    for _ in range(20):
        a, b, c = ([i for i in range(width) if rng.random() < 0.5] for _ in range(3))
        left = dit.shannon.conditional_entropy(d, a, c) if c else dit.shannon.entropy(d, a)
        shared = dit.multivariate.coinformation(d, [a, b], c)
        found.append({"a": a, "b": b, "c": c, "H(A | C)": float(left), "I(A; B | C)": float(shared)})
    return found


def main() -> None:
    """Write the oracle next to this file."""
    tables = [(seed, table(seed, shape)) for seed, shape in enumerate(SHAPES, start=1)]
    oracle = {
        "what": "information in bits, floats correct to about 1e-12; seeds are those of random.Random",
        "generator": "tests/oracles/generate_information.py",
        "versions": {"dit": metadata.version("dit")},
        "tables": [{"seed": seed, "rows": rows, "answers": answers(seed, rows)} for seed, rows in tables],
    }
    path = Path(__file__).with_name("information.json")
    path.write_text(json.dumps(oracle, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
