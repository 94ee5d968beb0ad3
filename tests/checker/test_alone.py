"""The checker needs the standard library and the exceptions, and nothing else."""

import sys

from tests.house import source

ROOM = source.PACKAGE / "checker"


def test_it_imports_the_standard_library_and_the_exceptions_alone() -> None:
    origins = {
        origin
        for path in [*ROOM.glob("*.py"), source.PACKAGE / "errors.py"]
        for origin, *_ in source.imports_of(source.tree_of(path))
    }
    own = {name for name in origins if name.split(".")[0] == "fstheory"}
    assert all(name == "fstheory.errors" or name.split(".")[1] == "checker" for name in own)
    assert {name.split(".")[0] for name in origins - own} <= {*sys.stdlib_module_names}


def test_it_runs_nothing_that_a_certificate_brings() -> None:
    origins = {origin for path in ROOM.glob("*.py") for origin, *_ in source.imports_of(source.tree_of(path))}
    assert not origins & {"ast", "importlib", "pickle", "subprocess"}
    words = {word for path in ROOM.glob("*.py") for word in path.read_text(encoding="utf-8").replace("(", " ").split()}
    assert not words & {"compile", "eval", "exec", "__import__"}
