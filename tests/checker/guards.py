"""A plugin of pytest: it deletes guards of the checker in turn, and demands that one of the tests then fails.

The option ``--seed`` draws one in four of the guards; ``--whole`` tries all of them.

A guard is a statement that only refuses values: a call such as ``require(..)``, or an ``if`` that raises an error.
The plugin first runs all tests as they are, and notes in which tests a guard refused something. Without the guard,
only these tests can fail. So only they run again, while the function has the code that was compiled without the guard.

Calls of `spend` are no guards here: they limit how long a check takes, and change no answer.
"""

import ast
import functools
import importlib
import inspect
import signal
import sys
import time
from collections import defaultdict
from collections.abc import Iterator
from types import CodeType, FrameType, FunctionType
from typing import Any, NamedTuple

import pytest
from _pytest.runner import runtestprotocol

from fstheory.errors import FSTheoryError
from tests.conftest import share
from tests.house import source

MODULES = {name: path for name, path in source.files().items() if name.startswith("fstheory.checker.")}
# Functions whose calls are no guards.
HARMLESS = {"__init__", "_observe", "append", "exit", "extend", "print", "reverse", "spend"}
MOST_TESTS = 8  # that run again without one guard
MOST_SECONDS = 10  # of processor time for one test: a loop may have no end without its guard


class Guard(NamedTuple):
    """The place of a guard: its module, the function around it, and its first and last line."""

    module: str
    function: str
    first: int
    last: int


def is_guard(node: ast.AST) -> bool:
    """Return whether a statement only refuses values."""
    if isinstance(node, ast.If):
        return isinstance(node.body[0], ast.Raise) and not node.orelse
    if not isinstance(node, ast.Expr) or isinstance(node.value, ast.Yield | ast.YieldFrom):
        return False
    called = [ast.unparse(part.func).split(".")[-1] for part in ast.walk(node) if isinstance(part, ast.Call)]
    return bool(called) and called[0] not in HARMLESS


def guards() -> Iterator[Guard]:
    """Yield all guards of the checker but those outside of functions."""

    def inside(node: ast.AST, module: str, names: tuple[str, ...] = ()) -> Iterator[Guard]:
        for part in ast.iter_child_nodes(node):
            if isinstance(part, ast.stmt) and names and is_guard(part):
                yield Guard(module, ".".join(names), part.lineno, part.end_lineno or part.lineno)
            inner = (part.name,) if isinstance(part, ast.FunctionDef | ast.ClassDef) else ()
            yield from inside(part, module, names + inner)

    for name, path in MODULES.items():
        yield from inside(source.tree_of(path), name)


@functools.cache
def function_of(guard: Guard) -> FunctionType:
    """Return the outermost function or method that contains a guard."""
    found: Any = importlib.import_module(guard.module)
    for name in guard.function.split("."):
        found = getattr(found, name, found)
    function: FunctionType = inspect.unwrap(found)
    return function


class Deleted(ast.NodeTransformer):
    """A change of a module: the guard in one line is deleted."""

    def __init__(self, line: int) -> None:
        self.line = line

    def visit(self, node: ast.AST) -> ast.AST:
        if isinstance(node, ast.stmt) and node.lineno == self.line and is_guard(node):
            return ast.copy_location(ast.Pass(), node)
        return self.generic_visit(node)


def code_without(guard: Guard) -> CodeType:
    """Return the code of the function of a guard, compiled without the guard."""
    path, name = MODULES[guard.module], function_of(guard).__qualname__
    tree = Deleted(guard.first).visit(ast.parse(path.read_text(encoding="utf-8")))
    waiting: list[CodeType] = [compile(ast.unparse(tree), str(path), "exec")]
    for code in waiting:
        if code.co_qualname == name:
            return code
        waiting += [part for part in code.co_consts if isinstance(part, CodeType)]
    raise AssertionError(f"{name} is not in {path}")


def noting(seen: set[tuple[str, int]]) -> pytest.MonkeyPatch:
    """Note the files and lines of all functions that run when a value is refused, until the patch is undone."""

    def noted(error: FSTheoryError, *arguments: Any) -> None:
        frame: FrameType | None = sys._getframe(1)
        while frame:
            seen.add((frame.f_code.co_filename, frame.f_lineno))
            frame = frame.f_back
        Exception.__init__(error, *arguments)

    patch = pytest.MonkeyPatch()
    patch.setattr(FSTheoryError, "__init__", noted)
    return patch


def fails(item: pytest.Item) -> bool:
    """Run a test, and return whether it fails or takes too long."""
    signal.setitimer(signal.ITIMER_VIRTUAL, MOST_SECONDS)
    try:
        return any(report.failed for report in runtestprotocol(item, log=False, nextitem=None))
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)


def out_of_time(*_: object) -> None:
    raise TimeoutError(f"the test took more than {MOST_SECONDS} seconds")


def pytest_runtestloop(session: pytest.Session) -> bool:
    """Run all tests, and then without each guard the tests in which it refused something."""
    signal.signal(signal.SIGVTALRM, out_of_time)
    known, reached = (
        share(guards(), 4, session.config, "guards"),
        defaultdict[Guard, list[tuple[float, pytest.Item]]](list),
    )
    places = ((guard, str(MODULES[guard.module]), range(guard.first, guard.last + 1)) for guard in known)
    lines = {(file, line): guard for guard, file, numbers in places for line in numbers}
    for item in session.items:
        seen, start = set[tuple[str, int]](), time.process_time()
        patch = noting(seen)
        assert not fails(item), f"{item.nodeid} fails though nothing was changed"
        patch.undo()
        for guard in {lines[place] for place in seen & lines.keys()}:
            reached[guard].append((time.process_time() - start, item))
    left = []
    for guard in known:
        function, quickest = function_of(guard), sorted(reached[guard], key=lambda pair: pair[0])
        code, function.__code__ = function.__code__, code_without(guard)
        if not any(fails(item) for _, item in quickest[:MOST_TESTS]):
            place = MODULES[guard.module].relative_to(source.ROOT)
            left.append(f"{place}:{guard.first}: no test fails without this guard; it refuses in {len(quickest)} tests")
        function.__code__ = code
    print(*left, f"{len(known)} guards deleted, {len(left)} of them without a test that fails", sep="\n")
    session.testsfailed = len(left)
    return True
