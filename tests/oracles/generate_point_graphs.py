"""Write point_graphs.json: nearest neighbors by scikit-learn and minimum spanning trees by SciPy.

Nothing here imports fstheory. The points have integer coordinates, drawn with Python's `random` and written down whole;
points do not coincide, since SciPy reads a distance of 0 as no edge. Squares of distances are small integers, which
floats hold exactly. With ties there are several minimum spanning trees; the lengths of their edges are all alike.

Run ``python tests/oracles/generate_point_graphs.py`` in an environment with scikit-learn 1.9 and SciPy 1.17.
"""

import json
import random
from importlib import metadata
from pathlib import Path
from typing import Any

import numpy as np
from scipy.sparse.csgraph import connected_components, minimum_spanning_tree  # type: ignore[import-not-found,import-untyped,unused-ignore]
from sklearn.neighbors import NearestNeighbors

SHAPES = [
    (5, 1, 12),
    (6, 2, 4),
    (8, 2, 50),
    (10, 3, 3),
    (12, 3, 100),
    (15, 4, 2),
    (20, 2, 6),
    (20, 5, 1000),
    (30, 2, 40),
]
Points = list[list[int]]


def drawn(seed: int, size: int, dimension: int, values: int) -> Points:
    """Return different points, sorted."""
    rng, chosen = random.Random(seed), set[tuple[int, ...]]()
    while len(chosen) < size:
        chosen.add(tuple(rng.randrange(values) for _ in range(dimension)))
    return [list(point) for point in sorted(chosen)]


def answers(points: Points) -> dict[str, Any]:
    """Return all nearest neighbors of each point, the components of their graph, and the squared lengths of a tree."""
    asked = NearestNeighbors(metric="sqeuclidean", algorithm="brute").fit(points)
    distances, places = asked.kneighbors(n_neighbors=len(points) - 1)  # of each point among the others
    rows = zip(np.rint(distances).astype(int), places, strict=True)
    nearest = [sorted(int(place) for at, place in zip(*row, strict=True) if at == row[0][0]) for row in rows]
    arcs = np.zeros((len(points), len(points)))
    for place, others in enumerate(nearest):
        arcs[place, others] = 1
    tree = minimum_spanning_tree(asked.kneighbors_graph(n_neighbors=len(points) - 1, mode="distance"))
    return {
        "nearest": nearest,
        "components": connected_components(arcs, directed=False)[1].tolist(),
        "squares": sorted(round(square) for square in tree.data),
    }


def main() -> None:
    sets = [(seed, shape, drawn(seed, *shape)) for seed, shape in enumerate(SHAPES, start=1)]
    oracle = {
        "what": "nearest neighbors, components of their graph, and squared lengths of a minimum spanning tree's edges",
        "generator": "tests/oracles/generate_point_graphs.py",
        "versions": {name: metadata.version(name) for name in ("scikit-learn", "scipy", "numpy")},
        "sets": [{"seed": seed, "points": points, **answers(points)} for seed, _, points in sets],
    }
    lines = ",\n  ".join(json.dumps(one) for one in oracle.pop("sets"))
    head = json.dumps(oracle, indent=1).removesuffix("\n}")
    path = Path(__file__).with_name("point_graphs.json")
    path.write_text(f'{head},\n "sets": [\n  {lines}\n ]\n}}\n', encoding="utf-8")


if __name__ == "__main__":
    main()
