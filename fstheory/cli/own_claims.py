"""The claim that an argument names: an entry of the ledger, or a function in a file of the person's own."""

from __future__ import annotations

import contextlib
import importlib.machinery
import importlib.util
import sys
import traceback
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fstheory.errors import ClaimError, FSTheoryError, InvalidValueError, UnknownNameError, explain, unknown

if TYPE_CHECKING:
    from fstheory.logic import Claim

__all__ = ["claim_of"]


def claim_of(text: str) -> Claim:
    """Return the claim that ``PN-3`` or ``FILE.py:NAME`` names; a file is run to have it.

    A function that is no claim becomes one, without assumptions.

    Raises
    ------
    ClaimError
        The file fails when it is run, or declares a claim wrongly.
    InvalidValueError
        No name is given, or the entry of the ledger is not about one distribution.
    UnknownNameError
        There is no such entry, or no such function in the file.
    OSError
        The file cannot be read.

    Examples
    --------
    >>> claim_of("PN-3").name
    'PN-3'
    """
    path, _, name = text.rpartition(":")
    if text.endswith(".py") or path.endswith(".py"):
        return _claim_in(text if text.endswith(".py") else path, "" if text.endswith(".py") else name)
    from fstheory.ledger import claims

    try:
        return claims[text].stated()
    except UnknownNameError as error:
        raise UnknownNameError(f"{error}; a claim of your own is FILE.py:NAME") from error


def _claim_in(path: str, name: str) -> Claim:
    from fstheory.logic import Claim, claim

    content = _run(Path(path))
    found = content.get(name)
    if isinstance(found, Claim):
        return found
    if callable(found):
        return claim(found)
    own = [
        key
        for key, value in content.items()
        if isinstance(value, Claim) and getattr(value.body, "__module__", "") == _MODULE
    ]
    if not name:
        raise InvalidValueError(
            explain("a claim in a file", "FILE.py:NAME", path, f"name one of {own or 'its claims'}")
        )
    raise unknown(f"claim of {path}", name, own)


_MODULE = "claims of a file"  # no name that an import could ask for


def _run(path: Path) -> dict[str, Any]:
    """Run a file as a module, as ``python FILE.py`` would, and return its names; no compiled copy is kept."""
    loader = importlib.machinery.SourceFileLoader(_MODULE, str(path))
    spec = importlib.util.spec_from_file_location(_MODULE, path, loader=loader)
    assert spec is not None
    module = importlib.util.module_from_spec(spec)
    source = path.read_bytes()
    sys.modules[_MODULE] = module
    sys.path.insert(0, str(path.resolve().parent))  # what stands beside it can be imported
    try:
        exec(loader.source_to_code(source, str(path)), module.__dict__)
    except FSTheoryError:
        raise  # a claim declared wrongly: it says where
    except (Exception, SystemExit) as error:
        from fstheory.logic.body import told

        raise ClaimError(f"{_place(path, error)}: running it failed: {told(error)}") from error
    finally:
        with contextlib.suppress(ValueError):  # the file may have changed it
            sys.path.remove(str(path.resolve().parent))
    return dict(module.__dict__)


def _place(path: Path, error: BaseException) -> str:
    lines = [
        number for frame, number in traceback.walk_tb(error.__traceback__) if frame.f_code.co_filename == str(path)
    ]
    if isinstance(error, SyntaxError) and error.lineno is not None:
        lines.append(error.lineno)
    return f"{path}, line {lines[-1]}" if lines else str(path)
