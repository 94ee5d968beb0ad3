"""Set-up of the whole test suite: the hypothesis profiles, and drawing without a screen.

The environment variable HYPOTHESIS_PROFILE chooses one of:

- ``dev`` (the default): few examples, new ones at every run;
- ``ci``: more examples, the same at every run;
- ``thorough``: thousands of examples, new ones at every run.

A run of thorough tests tries a share of the cases if a test has many. The option ``--seed`` draws the shares
again as they were, ``--whole`` tries all cases.
"""

from __future__ import annotations

import gc
import os
import random
import signal
from collections import Counter, defaultdict
from collections.abc import Callable, Generator, Iterable, Iterator
from pathlib import Path
from typing import Any, TypeVar

import pytest
from hypothesis import HealthCheck, settings

T = TypeVar("T")

_PROFILES = ("dev", "ci", "thorough")

os.environ.setdefault("MPLBACKEND", "Agg")  # no test opens a window

# Hypothesis keeps examples that failed in this folder, and warns, which is an error here, if it cannot.
_EXAMPLES = Path(os.environ.get("HYPOTHESIS_STORAGE_DIRECTORY", ".hypothesis")).absolute()
_EXISTING = next(folder for folder in (_EXAMPLES, *_EXAMPLES.parents) if folder.exists())
_IS_WRITABLE = _EXISTING.is_dir() and os.access(_EXISTING, os.R_OK | os.W_OK | os.X_OK)
_KEPT: dict[str, Any] = {} if _IS_WRITABLE else {"database": None}

# Exact arithmetic has no worst case worth a deadline, and a shared machine makes one flaky.
settings.register_profile("dev", max_examples=10, deadline=None, **_KEPT)
settings.register_profile("ci", max_examples=12, deadline=None, derandomize=True, database=None, print_blob=True)
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


def share(cases: Iterable[T], n: int, config: pytest.Config, what: str, least: int = 1) -> list[T]:
    """Draw one in n of some cases in the mean, in their order, by the seed and the name of a test."""
    listed, n = list(cases), 1 if config.option.whole else n
    source = random.Random(f"{config.option.seed}, {what}")
    drawn = {*source.sample(range(len(listed)), max(least, int(len(listed) / n + source.random())))}
    return [case for i, case in enumerate(listed) if i in drawn]


@pytest.fixture
def draw(request: pytest.FixtureRequest) -> Callable[[Iterable[T], int], list[T]]:
    """Return a function that draws one in n of some cases, for a test that tries many cases in one go."""
    return lambda cases, n: share(cases, n, request.config, request.node.nodeid)


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the two options of the shares."""
    group = parser.getgroup("fstheory")
    group.addoption("--seed", type=int, help="draw the cases of thorough tests by this seed, not by a new one")
    group.addoption("--whole", action="store_true", help="try all cases of thorough tests, not a share of them")


def pytest_configure(config: pytest.Config) -> None:
    """Choose a seed. Load the chosen profile, or stop: a misspelt profile must not quietly test less."""
    if config.option.seed is None:
        given: dict[str, Any] = getattr(config, "workerinput", {})  # of the process that starts those of xdist
        config.option.seed = given.get("seed", random.SystemRandom().randrange(10**6))
    name = os.environ.get("HYPOTHESIS_PROFILE", "dev")
    if name not in _PROFILES:
        raise pytest.UsageError(f"HYPOTHESIS_PROFILE must be one of {', '.join(_PROFILES)}, not {name!r}")
    settings.load_profile(name)
    gc.disable()  # until all tests are collected: what is read by then stays


@pytest.hookimpl(optionalhook=True)
def pytest_configure_node(node: Any) -> None:
    """Give a process of xdist the seed of the process that starts it."""
    node.workerinput["seed"] = node.config.option.seed


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Read only the files that have quick tests if the option is `-m quick`: reading all files takes longer."""
    if config.option.markexpr != "quick" or collection_path.suffix != ".py":
        return None
    return "@pytest.mark.quick" not in collection_path.read_text(encoding="utf-8") or None


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report(
    collector: pytest.Collector,
) -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
    """Let each process of xdist begin with another folder, so that it only reads what others have compiled by then."""
    report = yield
    given: dict[str, Any] = getattr(collector.config, "workerinput", {})
    if given and isinstance(collector, pytest.Directory) and report.passed:
        begin = len(report.result) * int(given["workerid"].removeprefix("gw")) // given["workercount"]
        report.result = report.result[begin:] + report.result[:begin]
    return report


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Run the first of every n cases of a test marked `one_in(n)` daily, the others with the thorough tests.

    If a test has more than four thorough cases, a run tries one in eight of them. If all cases of a test are thorough,
    `thorough(n)` lets a run try one in n of them; so a dear test of a single case has its turn in one of n runs.
    If some cases run daily, `rotated(n)` says the same of the others.
    """
    if hasattr(config, "workerinput"):
        items.sort(key=lambda item: item.path)  # all processes of xdist have one order
    seen: Counter[str] = Counter()
    thorough = defaultdict[tuple[str, int], list[pytest.Item]](list)
    for item in items:
        if {"browser", "evaluated"} & {*getattr(item, "fixturenames", ())}:  # the latter without Node alone
            item.add_marker("browser")
        test = item.nodeid.partition("[")[0]
        if mark := item.get_closest_marker("one_in"):
            if seen[test] % mark.args[0]:
                item.add_marker("thorough")
            seen[test] += 1
        if item.get_closest_marker("thorough"):
            marks = [*item.iter_markers("rotated"), *item.iter_markers("thorough")]
            thorough[test, next((mark.args[0] for mark in marks if mark.args), 0)].append(item)
    left_out = set[pytest.Item]()
    for (test, n), cases in thorough.items():
        left_out |= {*cases} - {*share(cases, n or (8 if len(cases) > 4 else 1), config, test, least=not n)}
    if left_out:
        config.hook.pytest_deselected(items=left_out)
        items[:] = [item for item in items if item not in left_out]


def pytest_collection_finish() -> None:
    """Collect garbage from here on, but look no more at what the tests read before: that takes a second each time."""
    gc.freeze()
    gc.set_threshold(10_000)  # exact numbers are small objects, many and soon gone
    gc.enable()


def pytest_terminal_summary(terminalreporter: Any, config: pytest.Config) -> None:
    """Say below a run of thorough tests how to draw the same shares again."""
    if "not thorough" not in config.option.markexpr and not config.option.whole:
        terminalreporter.write_line(
            f"the cases of thorough tests were drawn by --seed {config.option.seed}; --whole tries all"
        )


def pytest_report_header() -> str:
    """Say at the top of a run which profile it used."""
    return f"hypothesis profile of this suite: {os.environ.get('HYPOTHESIS_PROFILE', 'dev')}"
