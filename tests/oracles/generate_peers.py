"""Write peers.json and information.json: what dit, pgmpy and scikit-learn say, in floats.

Nothing here imports fstheory. The distributions are random integer tables, made with Python's `random` and written
down whole, the counts of gallery_published.json, and the network "asia" as pgmpy ships it.

- dit: marginals, risks by conditioning, entropies and mutual informations in bits.
- scikit-learn: a decision tree grown to the end on weighted rows errs as often as the Bayes classifier.
- pgmpy: probabilities of the network's variables by variable elimination.

Run ``python tests/oracles/generate_peers.py`` in an environment with dit 2.3, pgmpy 1.1 and scikit-learn 1.9; other
versions may give other last digits.
"""

import json
import random
import warnings
from collections.abc import Iterator
from importlib import metadata
from itertools import combinations, product
from pathlib import Path
from typing import Any

import dit
import pandas as pd
from pgmpy.inference import VariableElimination
from pgmpy.utils import get_example_model
from sklearn.tree import DecisionTreeClassifier

HERE = Path(__file__).parent
SHAPES = [(2,), (2, 2), (3, 2), (2, 2, 2), (3, 2, 4), (2, 2, 2, 2), (1, 3, 2), (2,) * 5]
Rows = list[list[Any]]


def random_tables() -> Iterator[tuple[str, list[str], Rows]]:
    """Yield (name, columns, rows [x1, .., xn, y, weight]); a quarter of the weights is 0."""
    for seed, shape in enumerate(SHAPES, start=1):
        rng = random.Random(seed)
        classes = 2 + seed % 2
        cells = product(*map(range, shape), range(classes))
        rows = [[*cell, rng.randrange(1, 1000) * (rng.random() < 0.75)] for cell in cells]
        yield f"seed {seed}", [*(f"X{i}" for i in range(1, len(shape) + 1)), "Y"], rows


def counted_tables() -> Iterator[tuple[str, list[str], Rows]]:
    """Yield the tables of counts of the gallery in the same form."""
    published = json.loads((HERE / "gallery_published.json").read_text(encoding="utf-8"))["tables"]
    for name in ("titanic", "berkeley"):
        yield name, published[name]["columns"][: len(published[name]["rows"][0]) - 1], published[name]["rows"]


def distribution(rows: Rows) -> Any:
    """Return what dit makes of a table."""
    total = sum(row[-1] for row in rows)
    return dit.Distribution([tuple(map(str, row[:-1])) for row in rows], [row[-1] / total for row in rows])


def information(seed: int, rows: Rows) -> list[dict[str, Any]]:
    """Return random questions H(A | C) and I(A; B | C) about variables by their places, and what dit says."""
    rng, d, width = random.Random(seed), distribution([row for row in rows if row[-1]]), len(rows[0]) - 1
    found = []
    for _ in range(20):
        a, b, c = ([i for i in range(width) if rng.random() < 0.5] for _ in range(3))
        left = dit.shannon.conditional_entropy(d, a, c) if c else dit.shannon.entropy(d, a)
        shared = dit.multivariate.coinformation(d, [a, b], c)
        found.append({"a": a, "b": b, "c": c, "H(A | C)": float(left), "I(A; B | C)": float(shared)})
    return found


def by_dit(columns: list[str], rows: Rows) -> dict[str, Any]:
    """Return the marginal of every variable, and the Bayes risk of every subset, by conditioning."""
    d = distribution(rows)
    d.set_rv_names(columns)  # it reorders the variables
    marginals = {}
    for name in columns:
        one = d.marginal([name])
        marginals[name] = {outcome[0]: float(one[outcome]) for outcome in one.outcomes}
    risks = {}
    for subset in subsets(columns[:-1]):
        part = d.marginal([*subset, columns[-1]])
        if subset:
            states, given = part.condition_on(list(subset))
            right = sum(float(states[s]) * float(max(g.pmf)) for s, g in zip(states.outcomes, given, strict=True))
        else:
            right = float(max(part.pmf))
        risks[",".join(subset)] = 1 - right
    return {"marginals": marginals, "risks": risks}


def by_trees(columns: list[str], rows: Rows) -> dict[str, float]:
    """Return the weighted error of a fully grown tree on every subset of one-hot features."""
    seen = pd.DataFrame([row for row in rows if row[-1]], columns=[*columns, "weight"])
    risks = {}
    for subset in subsets(columns[:-1]):
        x = pd.get_dummies(seen[list(subset)].astype(str)) if subset else pd.DataFrame({"constant": [0] * len(seen)})
        tree = DecisionTreeClassifier(random_state=0)
        tree.fit(x, seen[columns[-1]], sample_weight=seen["weight"])
        risks[",".join(subset)] = 1 - float(tree.score(x, seen[columns[-1]], sample_weight=seen["weight"]))
    return risks


def by_pgmpy() -> list[dict[str, Any]]:
    """Return probabilities of single variables of the network, alone and given one or two others."""
    network = get_example_model("asia")
    ask = VariableElimination(network)
    names = sorted(network.nodes())
    evidence: list[dict[str, str]] = [{}]
    evidence += [{name: state} for name in names for state in ("yes", "no")]
    evidence += [{"smoke": "yes", "xray": "yes"}, {"asia": "yes", "dysp": "no"}, {"bronc": "no", "dysp": "yes"}]
    answers = []
    for given in evidence:
        for name in names:
            if name not in given:
                found = ask.query([name], evidence=given, show_progress=False)
                p = dict(zip(found.state_names[name], map(float, found.values), strict=True))
                answers.append({"variable": name, "given": given, "yes": p["yes"]})
    return answers


def subsets(names: list[str]) -> Iterator[tuple[str, ...]]:
    for size in range(len(names) + 1):
        yield from combinations(names, size)


def write(name: str, what: str, libraries: tuple[str, ...], **content: Any) -> None:
    versions = {library: metadata.version(library) for library in libraries}
    oracle = {"what": what, "generator": "tests/oracles/generate_peers.py", "versions": versions, **content}
    (HERE / name).write_text(json.dumps(oracle, indent=1) + "\n", encoding="utf-8")


def main() -> None:
    warnings.simplefilter("ignore")
    entries = []
    for name, columns, rows in (*random_tables(), *counted_tables()):
        tree = by_trees(columns, rows)
        kept = {"rows": rows} if name.startswith("seed") else {}  # the others stand in gallery_published.json
        entries.append({"name": name, "columns": columns, **kept, "dit": by_dit(columns, rows), "trees": tree})
    exact = "correct to about 1e-12; seeds are those of random.Random"
    libraries = ("dit", "pgmpy", "scikit-learn")
    write("peers.json", f"floats of other software, {exact}", libraries, tables=entries, asia=by_pgmpy())
    seeded = enumerate([rows for _, _, rows in random_tables()][:6], start=1)
    tables = [{"seed": seed, "rows": rows, "answers": information(seed, rows)} for seed, rows in seeded]
    write("information.json", f"information in bits, floats {exact}", ("dit",), tables=tables)


if __name__ == "__main__":
    main()
