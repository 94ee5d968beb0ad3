"""The page on certificates has every kind as the checker has it, and nothing else."""

import re

import fstheory.checker.certificates  # noqa: F401 (it enters all kinds)
from fstheory.checker.forms import Forms
from fstheory.checker.kinds import CERTIFICATES, FACTS, READ, SPLITS, Kind
from tests.checker.kinds import of_every_size
from tests.house import source

PAGE = (source.ROOT / "docs" / "certificates.md").read_text(encoding="utf-8")


def line(kind: Kind) -> str:
    """Return the line of a kind on the page."""
    given = f", with {'; '.join(kind.when)}" if kind.when else ""
    about_sizes = kind.about is Forms or kind in [*of_every_size(FACTS), *of_every_size(SPLITS)]
    is_formula = about_sizes and kind.name not in {"times", "tree"}
    return f"- **{kind.number}** `{kind.form}`{given}: {f'`{kind.meaning}`' if is_formula else kind.meaning}"


def test_the_page_has_every_kind_as_the_checker_has_it() -> None:
    kinds = [kind for table in (CERTIFICATES, FACTS, SPLITS) for kind in table.values()]
    kinds.sort(key=lambda kind: ("CFD".index(kind.number[0]), int(kind.number[1:])))
    assert re.findall(r"^- \*\*.*$", PAGE, re.MULTILINE) == list(map(line, kinds))


def test_the_page_has_every_type_of_argument() -> None:
    types = PAGE.partition("## The types of arguments")[2]
    assert re.findall(r"^- `(\w+)`: ", types, re.MULTILINE) == [*READ]
