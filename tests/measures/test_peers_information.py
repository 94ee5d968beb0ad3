"""Against dit, whose floats were written down once: tests/oracles/generate_information.py."""

import json
from pathlib import Path
from typing import Any

import pytest

from fstheory import JointDistribution
from fstheory.measures.information import conditional_entropy, conditional_mutual_information

ORACLE = json.loads((Path(__file__).parents[1] / "oracles" / "information.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize("table", ORACLE["tables"], ids=lambda table: f"seed {table['seed']}")
def test_dit_agrees(table: dict[str, Any]) -> None:
    d = JointDistribution.from_counts({tuple(row[:-1]): row[-1] for row in table["rows"]})
    names = [*d.features, d.target]
    for answer in table["answers"]:
        a, b, c = ([names[i] for i in answer[key]] for key in "abc")
        left = conditional_entropy(d, a, c, base=2)
        shared = conditional_mutual_information(d, a, b, c, base=2)
        assert abs(float(left) - answer["H(A | C)"]) < 1e-11
        assert abs(float(shared) - answer["I(A; B | C)"]) < 1e-11
