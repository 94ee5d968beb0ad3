"""Imports point down: every module imports only from lower layers or from its own package.

The rules are functions of (modules, layers), so that the tests can also show each of them failing.
"""

import ast
import functools
import re
from collections.abc import Mapping

import networkx as nx
import pytest

from tests.house import source

Imports = Mapping[str, list[tuple[str, str | None, int, int]]]


@functools.cache
def read() -> Imports:
    """Return the imports of every module of the package."""
    return {name: list(source.imports_of(source.tree_of(path))) for name, path in source.files().items()}


def targets(module: str, imports: Imports) -> list[tuple[str, int]]:
    """Return the modules of the package that `module` imports, each with a line; a name may be a module or in one."""
    found = []
    for origin, name, _, line in imports[module]:
        if origin.split(".")[0] == "fstheory":
            deeper = f"{origin}.{name}"
            found.append((deeper if deeper in imports else origin, line))
    return found


def upward(imports: Imports, layers: Mapping[str, int]) -> list[str]:
    """List the imports that do not point to a strictly lower layer or into the module's own package."""
    wrong = []
    for module in imports:
        if module == "fstheory":
            continue
        own = source.component(module)
        for target, line in targets(module, imports):
            if target == "fstheory":
                wrong.append(f"{module}:{line} imports the root package")
            elif (other := source.component(target)) != own and layers[other] >= layers[own]:
                wrong.append(f"{module}:{line} imports {target}, which is not in a lower layer")
    return wrong


def cycle(imports: Imports) -> list[str]:
    """Return the modules that are on import cycles."""
    graph = nx.DiGraph([(module, target) for module in imports for target, _ in targets(module, imports)])
    return sorted(module for part in nx.strongly_connected_components(graph) if len(part) > 1 for module in part)


def test_every_part_of_the_package_has_a_layer() -> None:
    """The table names exactly what exists."""
    parts = {source.component(module) for module in source.files() if module != "fstheory"}
    assert parts == source.layers().keys()


@pytest.mark.quick
def test_imports_point_down_and_are_absolute_without_a_cycle() -> None:
    assert upward(read(), source.layers()) == []
    assert [f"{module}:{line}" for module in read() for _, _, level, line in read()[module] if level] == []
    assert cycle(read()) == []


def test_nothing_but_the_root_reexports_the_whole_package() -> None:
    """Only fstheory/__init__.pyi may know every layer, and only to publish names."""
    tree = source.tree_of(source.PACKAGE / "__init__.py")
    assert not [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef) and node.name != "__getattr__"]


def imports_of(**codes: str) -> Imports:
    return {f"fstheory.{name.replace('_', '.')}": list(source.imports_of(ast.parse(c))) for name, c in codes.items()}


@pytest.mark.parametrize(
    ("code", "complaint"),
    [
        ("from fstheory.high import f", "1 imports fstheory.high, which is not in a lower layer"),
        ("import fstheory.beside", "1 imports fstheory.beside, which is not in a lower layer"),
        ("from fstheory import JointDistribution", "1 imports the root package"),
        ("def f():\n    import fstheory.high", "2 imports fstheory.high, which is not in a lower layer"),
        ("if TYPE_CHECKING:\n    from fstheory import high", "2 imports fstheory.high, which is not in a lower layer"),
    ],
)
def test_a_forbidden_import_is_seen(code: str, complaint: str) -> None:
    layers = {"low": 0, "beside": 0, "high": 1}
    assert upward(imports_of(low=code, high="", beside=""), layers) == [f"fstheory.low:{complaint}"]


def test_an_allowed_import_is_not_complained_of() -> None:
    code = "from fstheory.low import f\nfrom fstheory.high.part import g\nimport numpy"
    assert upward(imports_of(high=code, high_part="", low=""), {"low": 0, "high": 1}) == []


def test_a_cycle_inside_a_package_is_seen() -> None:
    codes = {"p_a": "from fstheory.p import b", "p_b": "def f():\n    from fstheory.p.a import g", "p": ""}
    assert cycle(imports_of(**codes)) == ["fstheory.p.a", "fstheory.p.b"]


def test_the_engine_stands_without_the_papers() -> None:
    """Only commands, and the names that the root publishes, know our own ledgers and experiments."""
    users = {
        source.component(module)
        for module in read()
        for target, _ in targets(module, read())
        if target.startswith("fstheory.papers") and module != "fstheory"
    }
    assert users == {"papers", "cli"}


INNER = {"_of", "_of_integers", "_of_table", "_of_states", "_points", "_variables"}
"""What rooms may use of each other: constructors that check nothing, and a criterion's values on counts."""


def borrowed(trees: Mapping[str, ast.AST]) -> set[str]:
    """Return the private names that a room takes from an object whose class is defined in other rooms alone."""
    defined, used = set[tuple[str, str]](), set[tuple[str, str]]()
    for module, tree in trees.items():
        room = source.component(module)
        for node in ast.walk(tree):
            if isinstance(node, ast.FunctionDef):
                defined.add((node.name, room))
            elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
                defined.add((node.target.id, room))
            elif isinstance(node, ast.Attribute) and re.match("_[a-z]", node.attr):
                own = isinstance(node.ctx, ast.Store) or ast.unparse(node.value) in ("self", "cls", "super()")
                (defined if own else used).add((node.attr, room))
    ours = {name for name, _ in defined}
    return {f"{room}: {name}" for name, room in used - defined if name in ours - INNER}


def test_rooms_share_no_private_names() -> None:
    trees = {module: source.tree_of(path) for module, path in source.files().items() if module != "fstheory"}
    assert borrowed(trees) == set()
    taken = {"fstheory.a.b": ast.parse("def _at(self): pass"), "fstheory.c": ast.parse("s._at()\ns._of()")}
    assert borrowed(taken) == {"c: _at"}
