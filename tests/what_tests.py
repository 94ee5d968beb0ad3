"""Say which test files look at a file of the package, one a line with the reason: ``python -m tests.what_tests PATH``.

The strongest reasons come first. A test file may import the module, use one of its public names through a face (also in
a text that it runs), or name the file. A helper of the tests may do so for it. Or the test file imports a module that
imports or names the file. A file of the package that is no code may also be named without its suffix. These are single
steps, so a test file that is not listed may still run the code: at the end, run all tests.
"""

import ast
import functools
import re
import sys
from collections.abc import Iterator
from pathlib import Path

from tests.house import source

TESTS = source.ROOT / "tests"


@functools.cache
def text_of(path: Path) -> str:
    return path.read_text(encoding="utf-8")


@functools.cache
def module_of(path: Path) -> str:
    """Return the dotted name of a file of the package or of the tests. A file that is no code has that beside it."""
    return ".".join(path.relative_to(source.ROOT).with_suffix("").parts).removesuffix(".__init__")


@functools.cache
def imported(path: Path) -> frozenset[tuple[str, str | None]]:
    return frozenset((origin, name) for origin, name, *_ in source.imports_of(source.tree_of(path)))


@functools.cache
def public_names(path: Path) -> tuple[str, ...]:
    """Return the functions and classes of a module that do not begin with an underscore, none for other files."""
    nodes = source.tree_of(path).body if path.suffix == ".py" else []
    names = (node.name for node in nodes if isinstance(node, ast.FunctionDef | ast.ClassDef))
    return tuple(name for name in names if name[0] != "_")


def imports(file: Path, module: str) -> bool:
    return any(module in (origin, f"{origin}.{name}") for origin, name in imported(file))


def reason(file: Path, path: Path) -> str:
    """Return how a file of code looks at a file of the package, or an empty text if it does not."""
    module, text = module_of(path), text_of(file)
    if imports(file, module):
        return f"imports {module}"
    names = public_names(path)
    used = {name for origin, name in imported(file) if module.startswith(f"{origin}.") and name in names}
    used |= {*re.findall(rf"\bfs(?:theory)?(?:\.\w+)*\.({'|'.join(names)})\b", text)} if names else set()
    if used:
        return f"uses {', '.join(sorted(map(str, used))[:3])}"
    words = [path.name] if path.suffix == ".py" or file.parent != path.parent else [path.name, path.stem]
    named = [word for word in (module, *words) if word != "__init__.py" and re.search(rf"\b{re.escape(word)}\b", text)]
    return f"names {named[0]}" if named else ""


def helpers(test: Path) -> Iterator[Path]:
    """Yield the files of the tests that a test file imports, and the conftest beside it."""
    modules = {module for origin, name in imported(test) for module in (origin, f"{origin}.{name}")}
    found = (source.ROOT / f"{module.replace('.', '/')}.py" for module in sorted(modules) if module[:6] == "tests.")
    yield from (path for path in (*found, test.with_name("conftest.py")) if path.is_file())


@functools.cache
def reasons(path: Path) -> dict[Path, str]:
    """Return the test files that look at a file of the package, with the reasons, the strongest first."""
    users = [user for user in source.files().values() if user != path and reason(user, path)[:4] in ("impo", "name")]
    found: list[dict[Path, str]] = [{}, {}, {}]
    for test in sorted(set(TESTS.rglob("test_*.py")) - {TESTS / "house" / "test_what_tests.py"}):
        through = ((helper, reason(helper, path)) for helper in helpers(test))
        around = (module_of(user) for user in users if imports(test, module_of(user)))
        if own := reason(test, path):
            found[0][test] = own
        elif by := next((f"{why}, by {helper.relative_to(TESTS)}" for helper, why in through if why), ""):
            found[1][test] = by
        elif module := next(around, ""):
            found[2][test] = f"imports {module}, which looks at {path.name}"
    return found[0] | found[1] | found[2]


def main(text: str) -> None:
    """Print the test files and the reasons, or stop if there is no such file in the package."""
    path = Path(text).resolve()
    if not path.is_file() or source.PACKAGE not in path.parents:
        sys.exit(f"PATH must be a file below {source.PACKAGE.name}/, not {text!r}; pass fstheory/measures/risk.py, say")
    found = reasons(path)
    for test, why in found.items():
        print(f"{test.relative_to(source.ROOT)}: {why}")
    if not found:
        print(f"no test file was found; run the tests of the room {path.relative_to(source.PACKAGE).parts[0]}")


if __name__ == "__main__":
    main(*sys.argv[1:2] or [""])
