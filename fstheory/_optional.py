"""Import an optional library where it is used, or say how to install it."""

from __future__ import annotations

import importlib
from typing import Any

from fstheory.errors import MissingDependencyError

__all__ = ["require"]


def require(module: str, extra: str, purpose: str) -> Any:
    """Import and return an optional library."""
    try:
        return importlib.import_module(module)
    except ImportError as error:
        library = module.partition(".")[0]
        raise MissingDependencyError(
            f"{purpose} needs {library}; install it with: pip install '.[{extra}]' in the checkout of fstheory"
        ) from error
