"""The house has ceilings on its lines of code, so that a new capability brings its budget or replaces something.

A line of code is a line that is neither blank nor a comment nor an import nor part of a docstring: plain words cost
nothing, and a file that is split into two costs nothing either. A string below an attribute is its docstring. The
numbers are a ratchet. Lower them when the code becomes smaller; raise them only in a commit that says for which
capability. Above the two ceilings on lines there is a little slack, so that a mend does not turn a test red.
"""

import ast
import functools
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from fstheory._support.journal import Journal
from tests.house import source

LINES_OF_CODE = 37_400
LINES_OF_TESTS = 33_700
MODULES = 188
ROOMS = 14  # beside _support, which is the cellar
FILES = 13  # of a room, beside its face
LONGEST_FILE = 520
LONGEST_FUNCTION = 60
SLACK = 150
RECORDS = 216
CLASSES = 415
TABLES_OF_FUNCTIONS = 29
PUBLIC_NAMES = 260


def free_lines(tree: ast.AST) -> set[int]:
    """Return the numbers of the lines that the docstrings and the imports of a file take."""
    free = [
        node
        for node in source.statements(tree)
        if isinstance(node, ast.Import | ast.ImportFrom)
        or (isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str))
    ]
    return {line for node in free for line in range(node.lineno, (node.end_lineno or node.lineno) + 1)}


@functools.cache
def lines_of_code(path: Path) -> int:
    """Count the lines of a file that are neither blank nor a comment nor an import nor part of a docstring."""
    free = free_lines(source.tree_of(path))
    return sum(
        bool(line.strip()) and not line.strip().startswith("#") and number not in free
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
    )


def functions(tree: ast.AST) -> Iterator[tuple[str, int]]:
    """Yield every function with its number of lines, without its docstring."""
    for node in source.statements(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            lines = (node.end_lineno or node.lineno) - node.lineno + 1
            docstring = node.body[0] if ast.get_docstring(node) else None
            yield node.name, lines - ((docstring.end_lineno or 0) - docstring.lineno + 1 if docstring else 0)


def test_the_house_stays_below_its_ceiling() -> None:
    assert sum(map(lines_of_code, source.files().values())) <= LINES_OF_CODE + SLACK
    assert len(source.files()) <= MODULES


@pytest.mark.thorough
def test_the_tests_stay_below_their_ceiling() -> None:
    assert sum(map(lines_of_code, (source.ROOT / "tests").rglob("*.py"))) <= LINES_OF_TESTS + SLACK


def test_there_are_few_rooms_of_few_files() -> None:
    """The face of a room, its `__init__.py`, holds no idea of its own and is not counted."""
    packages = Counter(str(path.parent.relative_to(source.PACKAGE)) for path in source.files().values())
    top = {name for name in packages if name != "." and "/" not in name}
    assert len(top - {"_support"}) <= ROOMS
    assert {name: count for name, count in packages.items() if count - 1 > FILES} == {}


def test_a_file_is_one_idea() -> None:
    assert [name for name, path in source.files().items() if lines_of_code(path) > LONGEST_FILE] == []


def test_a_function_fits_on_a_page() -> None:
    long = [
        (module, name, lines)
        for module, path in source.files().items()
        for name, lines in functions(source.tree_of(path))
        if lines > LONGEST_FUNCTION
    ]
    assert long == []


def test_a_record_is_stored_or_printed() -> None:
    """So it is named outside the file that defines it, or it is private to that file's own results."""
    texts = (path.read_text(encoding="utf-8") for path in source.files().values())
    assert sum(len(re.findall(r"^@dataclass|\(NamedTuple\):", text, re.MULTILINE)) for text in texts) <= RECORDS


def published() -> set[str]:
    """Return the names in the `__all__` of every file, which is that of its stub where it has one."""
    assigned = (
        (node.targets[0], node.value)
        for path in source.PACKAGE.rglob("*.py*")
        if path.suffix in (".py", ".pyi")
        for node in source.tree_of(path).body
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.List)
    )
    lists = (ast.literal_eval(value) for name, value in assigned if isinstance(name, ast.Name) and name.id == "__all__")
    return set().union(*lists)


def holds_functions(tree: ast.Module, node: ast.stmt) -> bool:
    """Return whether a statement makes a table of functions or classes, or an empty one that is filled later."""
    if not isinstance(node, ast.Assign | ast.AnnAssign) or not isinstance(node.value, ast.Dict | ast.List):
        return False
    if isinstance(node.value, ast.List):
        return not node.value.elts
    made = {one.name for one in source.statements(tree) if isinstance(one, ast.FunctionDef | ast.ClassDef)}
    made |= {
        alias.asname or alias.name
        for one in source.statements(tree)
        if isinstance(one, ast.ImportFrom)
        for alias in one.names
    }
    inside = [one for value in node.value.values for one in ast.walk(value)]
    return not inside or any(isinstance(one, ast.Lambda) or getattr(one, "id", None) in made for one in inside)


def test_few_names_are_public() -> None:
    """A public name stands in a guide, a lesson, README, a chapter or a command, or names what such a call returns."""
    assert len(published()) <= PUBLIC_NAMES


def test_few_ideas_make_the_house() -> None:
    """Classes, and tables at the top of a file that say which function belongs to a name."""
    trees = [source.tree_of(path) for path in source.files().values()]
    assert sum(isinstance(node, ast.ClassDef) for tree in trees for node in source.statements(tree)) <= CLASSES
    assert sum(holds_functions(tree, node) for tree in trees for node in tree.body) <= TABLES_OF_FUNCTIONS


def test_there_is_one_of_each() -> None:
    """One way from a number to its text, and one journal, which is final: nobody overrides its methods."""
    kinds = (ast.FunctionDef, ast.ClassDef)
    trees = {module: source.tree_of(path) for module, path in source.files().items()}
    defined = [(module, node.name) for module, tree in trees.items() for node in tree.body if isinstance(node, kinds)]
    assert [module for module, name in defined if name == "to_text"] == ["fstheory._support.exact"]
    assert [module for module, name in defined if name == "Journal"] == ["fstheory._support.journal"]
    assert Journal.__final__  # type: ignore[attr-defined]
