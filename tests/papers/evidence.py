"""The evidence of the ledger is data, one record a line of ``fstheory/papers/*.toml``; these functions write them.

A new piece: ``python -m tests.papers.evidence ID refute WHAT [SIZES CLASSES]``, ``.. ID prove SIZES CLASSES``, ``.. ID
exhaust`` or ``.. ID argue CHAPTER [WHAT]``, with SIZES like 2,2. Certificates are made, and distributions counted, on
the spot; ``--without NAME`` says that it is evidence on an assumption.
"""

import argparse
import json
import math
from dataclasses import asdict
from pathlib import Path
from typing import Any, TypeAlias

from fstheory.logic.statement import Shape
from fstheory.papers.entry import Entry, Evidence
from fstheory.papers.ledger import claims

FOLDER = Path(__file__).parents[2] / "fstheory" / "papers"
CHECKOUT = "from a checkout: python -m "
"""Before the name of a script that stands among the tests, which no installed package has."""

Record: TypeAlias = dict[str, Any]
Part: TypeAlias = tuple[tuple[int, ...], int, int]
"""Cardinalities, classes, and the largest total."""

_FAMILY: tuple[Part, ...] = (
    ((2,), 2, 8),
    ((2,), 3, 6),
    ((3,), 2, 6),
    ((2, 2), 2, 6),
    ((2, 2), 3, 4),
    ((2, 3), 2, 4),
    ((2, 2, 2), 2, 3),
)
_SMALL = tuple(part for part in _FAMILY if math.prod(part[0]) <= 4)
_FEW = tuple((sizes, classes, total - (2 if total > 4 else 1)) for sizes, classes, total in _FAMILY)
_ON_FEW = {"B-0hc", "B-0kc", "B-0m", "B-0i", "B-0", "B-0n", "B-0a", "B-0l", "B-0r", "B-1k", "A-5"}
_ON_SMALL = {"A-3", "A-4", "A-4r", "A-7", "A-7c", "A-7s", "A-8", "A-L"}


def family(key: str) -> tuple[Part, ...]:
    """Return the shapes and totals on which a true statement was decided: fewer where that takes long."""
    return _SMALL if key in _ON_SMALL else _FEW if key in _ON_FEW else _FAMILY


def refuted(key: str, what: str, shape: Shape | None = None, *, without: str = "", name: str = "") -> Record:
    """Return a smallest counterexample, on a shape if one is given, and the file it is in."""
    line, file, about = _named("refute", key, shape, without)
    return {"kind": "R", "what": what, "reproduce": line, "certificate": f"{file}{name}.json", **about}


def proved(key: str, shape: Shape, *, without: str = "", kept: bool = True) -> Record:
    """Return a proof for a shape; if it is not kept, it is made again in seconds."""
    sizes = list(map(str, shape.cardinalities))
    line, file, about = _named("prove", key, shape, without)
    what = f"{' x '.join(sizes)} states, {shape.classes} classes"
    certificate = {"certificate": f"{file}-proof-{'x'.join(sizes)}-{shape.classes}.json"} if kept else {}
    return {"kind": "P", "what": what, "reproduce": line, **certificate, **about}


def exhausted(key: str, count: int) -> Record:
    """Return that a statement was decided on all distributions of a family where its assumptions are true."""
    parts = family(key)
    named = ", ".join(f"{'x'.join(map(str, sizes))}|{classes} up to {total}" for sizes, classes, total in parts)
    line, _, _ = _named("refute", key, Shape(*parts[0][:2]))
    return {
        "kind": "X",
        "what": f"every distribution of these states|classes with a total: {named}",
        "reproduce": f"{line} --max-total {parts[0][2]}  # and so on; counted {CHECKOUT}tests.papers.check_true {key}",
        "count": count,
    }


def argued(chapter: str, what: str = "", *, without: str = "") -> Record:
    """Return that there is a proof in the textbook, or what the argument is."""
    about = {"without": without} if without else {}
    return {"kind": "M", "what": what or f"textbook, {chapter}", "reproduce": f"docs/textbook/{chapter}.md", **about}


def _named(command: str, key: str, shape: Shape | None, without: str = "") -> tuple[str, str, Record]:
    """Return a command line on a statement, perhaps without an assumption, how its file begins, what it is about."""
    on = f" --cardinalities {','.join(map(str, shape.cardinalities))} --classes {shape.classes}" if shape else ""
    if without:
        line = f"fstheory {command} {key} --without {without}{on}"
        return line, f"{key}-without-{without}", {"without": without}
    return f"fstheory {command} {key}{on}", key, {}


def records_of(entry: Entry) -> list[Record]:
    """Return the evidence of an entry, and on its assumptions, as its file has it."""
    every = (*((None, one) for one in entry.evidence), *entry.needs.items())
    return [{k: v for k, v in (asdict(one) | {"without": name}).items() if v is not None} for name, one in every]


RECORDS = {key: records_of(entry) for key, entry in claims.items()}


def put(key: str, record: Record) -> None:
    """Write a record in place of the one with the same line, or after the others of its entry."""
    lines = [old["reproduce"] for old in RECORDS[key]]
    before = text_of(key)
    if record["reproduce"] in lines and record["kind"] != "M":
        RECORDS[key][lines.index(record["reproduce"])] = record
    else:
        RECORDS[key].append(record)
    file = FOLDER / claims[key].paper.file
    head, entry, rest = file.read_text(encoding="utf-8").partition(f"[entries.{key}]\n")
    own, gap, others = rest.partition("\n[")
    file.write_text(head + entry + own.removesuffix(before) + text_of(key) + gap + others, encoding="utf-8")


def put_count(key: str, script: str, count: int) -> None:
    """Write how many distributions a script counted."""
    for record in list(RECORDS[key]):
        if script in record["reproduce"]:
            put(key, {**record, "count": count})


def text_of(key: str) -> str:
    """Return the last lines of an entry in the file of its paper."""
    on_it, on_assumptions = [], []
    for record in RECORDS[key]:
        fields = (f"{k} = {json.dumps(v, ensure_ascii=False)}" for k, v in record.items() if k != "without")
        line = f"{{{', '.join(fields)}}}"
        if "without" in record:
            on_assumptions.append(f"needs.{record['without']} = {line}\n")
        else:
            on_it.append(f"    {line},\n")
    return "".join([*(["evidence = [\n", *on_it, "]\n"] if on_it else []), *on_assumptions])


def main() -> None:
    """Add a piece of evidence."""
    from tests.papers.certify import certify
    from tests.papers.check_true import held

    parser = argparse.ArgumentParser()
    parser.add_argument("id")
    parser.add_argument("how", choices=("refute", "prove", "exhaust", "argue"))
    parser.add_argument("words", nargs="*", help="what it is, the cardinalities, the number of classes, the chapter")
    parser.add_argument("--without", default="")
    options = parser.parse_args()
    key, words, without = options.id, options.words, options.without
    if options.how == "exhaust":
        put(key, exhausted(key, held(key)))
    elif options.how == "argue":
        put(key, argued(*words, without=without))
    else:
        what = words.pop(0) if options.how == "refute" else ""
        shape = Shape(tuple(map(int, words[0].split(","))), int(words[1])) if words else None
        assert shape or what, "prove needs SIZES CLASSES"
        made = proved(key, shape, without=without) if shape and not what else None
        record = made or refuted(key, what, shape, without=without)
        certify(claims[key], Evidence(**{k: v for k, v in record.items() if k != "without"}), without or None)
        put(key, record)


if __name__ == "__main__":
    main()
