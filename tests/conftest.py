"""Set-up of the whole test suite: the hypothesis profiles, and drawing without a screen.

The environment variable HYPOTHESIS_PROFILE chooses one of:

- ``dev`` (the default): few examples, new ones at every run;
- ``ci``: more examples, the same at every run;
- ``thorough``: thousands of examples, new ones at every run.
"""

from __future__ import annotations

import os
import signal
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

_PROFILES = ("dev", "ci", "thorough")

os.environ.setdefault("MPLBACKEND", "Agg")  # no test opens a window

# Hypothesis keeps examples that failed in this folder, and warns, which is an error here, if it cannot.
_EXAMPLES = Path(os.environ.get("HYPOTHESIS_STORAGE_DIRECTORY", ".hypothesis")).absolute()
_EXISTING = next(folder for folder in (_EXAMPLES, *_EXAMPLES.parents) if folder.exists())
_IS_WRITABLE = _EXISTING.is_dir() and os.access(_EXISTING, os.R_OK | os.W_OK | os.X_OK)
_KEPT: dict[str, Any] = {} if _IS_WRITABLE else {"database": None}

# Exact arithmetic has no worst case worth a deadline, and a shared machine makes one flaky.
settings.register_profile("dev", max_examples=20, deadline=None, **_KEPT)
settings.register_profile("ci", max_examples=25, deadline=None, derandomize=True, database=None, print_blob=True)
settings.register_profile(
    "thorough",
    max_examples=5000,
    deadline=None,
    print_blob=True,
    suppress_health_check=[HealthCheck.too_slow],
    **_KEPT,
)


@pytest.fixture
def interruptible() -> Iterator[None]:
    """Let SIGINT interrupt this process and those it starts, also where a script runs the tests in the background."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


def pytest_configure(config: pytest.Config) -> None:
    """Load the chosen profile, or stop: a misspelt profile must not quietly test less."""
    name = os.environ.get("HYPOTHESIS_PROFILE", "dev")
    if name not in _PROFILES:
        raise pytest.UsageError(f"HYPOTHESIS_PROFILE must be one of {', '.join(_PROFILES)}, not {name!r}")
    settings.load_profile(name)


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Read only the files that have quick tests if the option is `-m quick`: reading all files takes longer."""
    if config.option.markexpr != "quick" or collection_path.suffix != ".py":
        return None
    return "@pytest.mark.quick" not in collection_path.read_text(encoding="utf-8") or None


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Run the first of every n cases of a test marked `one_in(n)` daily, the others with the thorough tests."""
    seen: Counter[str] = Counter()
    for item in items:
        if {"browser", "evaluated"} & {*getattr(item, "fixturenames", ())}:  # the latter without Node alone
            item.add_marker("browser")
        if mark := item.get_closest_marker("one_in"):
            test = item.nodeid.partition("[")[0]
            if seen[test] % mark.args[0]:
                item.add_marker("thorough")
            seen[test] += 1


def pytest_report_header() -> str:
    """Say at the top of a run which profile it used."""
    return f"hypothesis profile of this suite: {os.environ.get('HYPOTHESIS_PROFILE', 'dev')}"
