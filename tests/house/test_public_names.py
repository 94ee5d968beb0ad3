"""What every public name owes its reader: a docstring with an example that runs, and complete annotations."""

import ast
import inspect
import pydoc
import subprocess
import sys
from collections.abc import Callable, Iterator
from operator import attrgetter
from types import ModuleType

import pytest

import fstheory
from tests.house import source

HEAVY = {"cvc5", "hypothesis", "matplotlib", "networkx", "pandas", "sklearn", "sympy", "z3"}
TOLERANCES = {"allclose", "approx", "assert_allclose", "assert_almost_equal", "isclose"}


MODULES = [fstheory, *(value for name in fstheory.__all__ if isinstance(value := getattr(fstheory, name), ModuleType))]


def label(module: ModuleType) -> str:
    return module.__name__


def public_names() -> list[str]:
    """Return the names that the root publishes, and, dotted, those that its public modules publish."""
    names = [name for name in fstheory.__all__ if name != "__version__"]
    return names + [
        f"{module.__name__.removeprefix('fstheory.')}.{name}" for module in MODULES[1:] for name in module.__all__
    ]


def is_error(value: object) -> bool:
    return isinstance(value, type) and issubclass(value, Exception)


def functions_of(name: str) -> Iterator[tuple[str, Callable[..., object]]]:
    """Yield the function that a public name is, or the public methods of the class that it is."""
    value = attrgetter(name)(fstheory)
    if inspect.isfunction(value):
        yield name, value
    elif inspect.isclass(value):
        for attribute, member in vars(value).items():
            plain = member.__func__ if isinstance(member, classmethod | staticmethod) else member
            if inspect.isfunction(plain) and not attribute.startswith("_"):
                yield f"{name}.{attribute}", plain


@pytest.mark.parametrize("module", MODULES, ids=label)
def test_names_are_distinct(module: ModuleType) -> None:
    """That they are sorted, ruff sees."""
    assert len(module.__all__) == len(set(module.__all__))


def test_no_package_bears_the_name_of_a_function() -> None:
    """``import fstheory.name as x`` binds the attribute of the root: where that is a function, it is no package."""
    parts = {source.component(module) for module in source.files() if module != "fstheory"}
    published = {name for name in fstheory.__all__ if not isinstance(getattr(fstheory, name), ModuleType)}
    assert parts & published == set()


@pytest.mark.parametrize("name", public_names())
def test_public_name_is_documented_and_annotated(name: str) -> None:
    value = attrgetter(name)(fstheory)
    text = inspect.getdoc(value)
    assert text, f"fstheory.{name} has no docstring"
    if not is_error(value) and not isinstance(value, ModuleType):
        assert ">>>" in text, f"the docstring of fstheory.{name} has no example that runs"
    for label, function in functions_of(name):
        signature = inspect.signature(function)
        bare = {p.name for p in signature.parameters.values() if p.annotation is p.empty} - {"self", "cls"}
        assert not bare, f"{label} does not annotate {bare}"
        assert signature.return_annotation is not signature.empty, f"{label} does not say what it returns"


def imported_by(code: str) -> set[str]:
    """Return the names of all modules that a fresh interpreter has loaded after some code."""
    code += "; import sys; print(*sys.modules)"
    answer = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True, cwd=source.ROOT)
    return set(answer.stdout.split())


def test_importing_the_package_loads_no_part_of_it() -> None:
    """A name loads its module when it is first used; the list of names is there before."""
    loaded = imported_by("import fstheory; assert 'bayes_risks' in dir(fstheory)")
    assert not HEAVY & loaded
    assert not [name for name in loaded if name.startswith("fstheory.")]


def test_a_criterion_is_known_by_its_name_before_anything_else_is_loaded() -> None:
    assert "fstheory.measures.criteria" in imported_by("import fstheory as fs; fs.select(fs.gallery.xor(), 1, 'gini')")


def test_a_risk_loads_nothing_heavy_and_nothing_of_claims() -> None:
    loaded = imported_by("import fstheory as fs; fs.bayes_risks(fs.gallery.titanic())")
    assert "fstheory.measures.risk" in loaded
    assert not HEAVY & loaded
    assert not {"fstheory.papers", "fstheory.logic", "fstheory.selection"} & loaded
    assert not HEAVY & imported_by("from fstheory.cli import main; main(['gallery'])")


def test_help_shows_every_public_name() -> None:
    page = pydoc.plain(pydoc.render_doc(fstheory))
    assert not [name for name in fstheory.__all__ if name not in page]


@pytest.mark.parametrize("module", MODULES, ids=label)
def test_what_is_offered_where_a_name_is_completed(module: ModuleType) -> None:
    """No helper, type alias or library beside what a user wants."""
    assert {name for name in dir(module) if not name.startswith("_")} == set(module.__all__) - {"__version__"}


def test_no_tolerance_in_the_package() -> None:
    """Exact numbers are compared with ``==``; no name of a tolerance helper, no tiny float."""
    for module, path in source.files().items():
        nodes = list(ast.walk(source.tree_of(path)))
        names = {getattr(node, field, None) for node in nodes for field in ("id", "attr", "name")}
        assert not TOLERANCES & names, module
        constants = (node.value for node in nodes if isinstance(node, ast.Constant))
        tiny = [value for value in constants if isinstance(value, float) and 0 < abs(value) < 1e-3]
        assert not tiny or path.name in {"draw.py", "graph.py", "routes.py", "series.py"}, (
            module
        )  # places on a drawing may be tiny
