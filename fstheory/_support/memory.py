"""Checks that refuse a table before it is allocated, if it does not fit in memory. The caller estimates its size."""

from __future__ import annotations

import math
import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from fstheory.errors import TooLargeError

AXES = 64  # NumPy's limit for an array
_SMALL = 2**24  # smaller tables, in bytes, are not checked against the memory
_UNITS = ("bytes", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB")


def available_bytes() -> int:
    """Return the memory that this process may use, in bytes.

    It is the memory of the machine, or less if the process or its container has a limit.
    """
    return min([_machine(), *_limits_of_groups(), *_left_to_process()])


def _machine() -> int:
    """Return the physical memory in bytes, or 4 GiB if the system does not report it."""
    try:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (AttributeError, OSError, ValueError):
        return 4 * 2**30


def _limits_of_groups(
    membership: Path = Path("/proc/self/cgroup"), mounted: Path = Path("/sys/fs/cgroup")
) -> Iterator[int]:
    """Yield the memory limits of the control groups of this process and of the groups around them.

    Both versions of control groups are read.
    """
    # In a container, the path may be the path on the host, and only its end is mounted. A missing file means no limit.
    for line in _lines(membership):
        _, controllers, path = [*line.split(":", 2), "", ""][:3]
        if "memory" in controllers.split(","):
            root, name = mounted / "memory", "memory.limit_in_bytes"
        elif not controllers:
            root, name = mounted, "memory.max"
        else:
            continue
        parts = [part for part in path.split("/") if part not in {"", ".", ".."}]
        for depth in range(len(parts) + 1):
            for text in _lines(root.joinpath(*parts[:depth], name)):
                if text.strip().isdecimal():  # not "max"
                    yield int(text)


def _left_to_process() -> Iterator[int]:
    """Yield the bytes that the process may still allocate, for each of its limits."""
    try:
        import resource
    except ImportError:  # not on this system
        return
    pages = " ".join(_lines(Path("/proc/self/statm"))).split()
    for name, field in (("RLIMIT_AS", 0), ("RLIMIT_DATA", 5)):
        limit, _ = resource.getrlimit(getattr(resource, name))
        if limit != resource.RLIM_INFINITY:
            used = int(pages[field]) * resource.getpagesize() if len(pages) > field else 0
            yield max(limit - used, 0)


def _lines(path: Path) -> list[str]:
    try:
        return path.read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return []


def format_bytes(count: int) -> str:
    """Return the text of a number of bytes with a binary unit, rounded down."""
    unit = min(max(count.bit_length() - 1, 0) // 10, len(_UNITS) - 1)
    return f"{_short(count >> 10 * unit)} {_UNITS[unit]}"


def _short(count: int) -> str:
    """Return the text of a count. A very large count is given as a power of 2 that it exceeds."""
    return str(count) if count.bit_length() <= 128 else f"more than 2**{count.bit_length() - 1}"


def require_axes(axes: int, what: str) -> None:
    """Refuse a table with more axes than an array can have, even if most of them have a single state."""
    if axes > AXES:
        raise TooLargeError(f"{what} must have at most {AXES} axes, not {_short(axes)}; use fewer features")


@contextmanager
def enough_memory(what: str, repair: str) -> Iterator[None]:
    """Raise a clear error if memory runs out in spite of the estimates."""
    try:
        yield
    except MemoryError:
        raise TooLargeError(f"{what} must fit in the memory that is left, but does not; {repair}") from None


def require_cells(shape: Sequence[int], what: str, repair: str, bytes_per_cell: int = 8, *, besides: int = 0) -> int:
    """Return the number of cells of a table of this shape. Refuse a table that needs more than half of the memory."""
    require_axes(len(shape), what)
    cells = math.prod(shape)
    needed = cells * bytes_per_cell + besides
    if needed > _SMALL:
        limit = available_bytes()
        whose = "this machine's memory" if limit == _machine() else "the memory that this process may use"
        if needed > limit // 2:
            raise TooLargeError(
                f"{what} must fit in half of {whose} ({format_bytes(limit // 2)}), "
                f"not need {format_bytes(needed)} for {_short(cells)} cells; {repair}"
            )
    return cells
