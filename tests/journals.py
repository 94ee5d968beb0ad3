"""What the file of a journal says, and a file edited by somebody who knows about its digests."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from fstheory._support.journal import digest


def steps(path: Path) -> dict[str, Any]:
    """Return what a file says last of each step; half a line at the end, of a killed process, is none."""
    whole = path.read_text("utf-8").split("\n")[1:-1]
    return dict(json.loads(line.rpartition("\t")[0]) for line in whole)


def edit(path: Path, step: str, change: Callable[[Any], object]) -> None:
    """Edit what a file says last of a step."""
    head, *_ = path.read_text("utf-8").splitlines()
    content = steps(path)
    change(content[step])
    seal, lines = "", []
    for text in [head.rpartition("\t")[0], *(json.dumps(pair, sort_keys=True) for pair in content.items())]:
        seal = digest(f"{seal}{text}")
        lines.append(f"{text}\t{seal}\n")
    path.write_text("".join(lines), "utf-8")
