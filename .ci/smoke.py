"""Use the installed package as a stranger would: smoke.py bare|all; run it isolated (-I), outside the checkout."""

from __future__ import annotations

import importlib.util
import sys
from fractions import Fraction
from importlib import metadata
from pathlib import Path

import fstheory as fs
from fstheory.errors import MissingDependencyError


def main(kind: str) -> None:
    """Stop at the first thing that is not as it should be."""
    home = Path(fs.__file__).parent
    assert "site-packages" in home.parts, f"this is not the installed package: {home}"
    assert (home / "py.typed").is_file()
    assert fs.__version__ == metadata.version("fstheory")

    d = fs.gallery.titanic()
    risks = fs.bayes_risks(d)
    assert isinstance(risks[{"sex"}], Fraction)
    assert risks[set()] >= risks[{"sex"}] >= risks[d.features]
    assert fs.JointDistribution.from_json(d.to_json()) == d
    risks.to_networkx()
    d.to_sympy()

    drawing = importlib.util.find_spec("matplotlib") is not None
    assert drawing is (kind == "all")
    assert (importlib.util.find_spec("scipy") is not None) is drawing  # the largest of all, for statistics alone
    if drawing:
        risks.plot()
        risks.to_frame()
    else:
        try:
            risks.plot()
        except MissingDependencyError as error:
            assert "pip install '.[viz]'" in str(error), error  # noqa: PT017 - no pytest here, on purpose
        else:
            raise AssertionError("drawing without matplotlib should say what to install")
    print(f"fstheory {fs.__version__} works, {'with' if drawing else 'without'} its extras")


if __name__ == "__main__":
    main(*sys.argv[1:])
