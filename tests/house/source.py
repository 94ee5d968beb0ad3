"""What the house tests know of the source tree: its modules, what they import, and the table of layers."""

import ast
import functools
import re
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "fstheory"


def files() -> dict[str, Path]:
    """Return every module of the package by its dotted name, the root package as ``fstheory``."""
    parts = ((path.relative_to(ROOT).with_suffix("").parts, path) for path in sorted(PACKAGE.rglob("*.py")))
    return {".".join(names[:-1] if names[-1] == "__init__" else names): path for names, path in parts}


@functools.cache
def tree_of(path: Path) -> ast.Module:
    """Return the tree of a file, which is parsed once for all tests."""
    return ast.parse(path.read_text(encoding="utf-8"), filename=str(path))


def statements(tree: ast.AST) -> list[ast.AST]:
    """Return a tree, and what it holds in blocks, at any depth, but no expressions, of which there are far more."""
    found = [tree]
    for node in found:
        for block in ("body", "orelse", "finalbody", "handlers", "cases"):
            found += getattr(node, block, ())
    return found


def imports_of(tree: ast.AST) -> Iterator[tuple[str, str | None, int, int]]:
    """Yield (module, name or None, relative level, line) of every import, also inside functions."""
    for node in statements(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield alias.name, None, 0, node.lineno
        elif isinstance(node, ast.ImportFrom):
            for alias in node.names:
                yield node.module or "", alias.name, node.level, node.lineno


def component(module: str) -> str:
    """Return the part of the package a module belongs to: its name right below the root."""
    return module.split(".")[1]


def layers() -> dict[str, int]:
    """Read the table of layers in docs/architecture.md: rows ``| label | `name`, `name` | why |``, lowest first."""
    text = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    found: dict[str, int] = {}
    place = 0
    for line in text.splitlines():
        cells = [cell.strip() for cell in line.strip().strip("|").split("|")]
        if re.fullmatch(r"\d+[a-z]?", cells[0]) and len(cells) == 3:
            for name in re.findall(r"`([A-Za-z_]+)/?`", cells[1]):
                assert name not in found, f"{name} stands twice in the table of layers"
                found[name] = place
            place += 1
    return found
