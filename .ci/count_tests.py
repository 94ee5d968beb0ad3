"""Show how many tests each stage of .ci/run executed and skipped, and refuse a page or a proof that nobody tested.

    python .ci/count_tests.py FOLDER MISSING

FOLDER has a file for each stage, as pytest --junit-xml writes it. The tests that no stage executed are listed with
their reasons. Those that need a browser or Coq are refused if this computer has the program. The file MISSING exists
if a stage could not install its libraries: then they are excused.
"""

import shutil
import sys
from collections import Counter
from pathlib import Path
from xml.etree import ElementTree as ET

PROGRAMS = {"Chromium": ("chromium", "google-chrome"), "Playwright": ("chromium", "google-chrome"), "coqc": ("coqc",)}


def excused(reason: str, lacks_libraries: bool) -> bool:
    """Return whether a skipped test is no failure: it needs neither a browser nor Coq, or they are not here."""
    needed = {name: programs for name, programs in PROGRAMS.items() if name in reason}
    if lacks_libraries:
        needed.pop("Playwright", None)
    return not any(any(map(shutil.which, programs)) for programs in needed.values())


def main(folder: Path, missing: Path) -> str | int:
    """Print the table and the reasons, and return the exit status or the message of failure."""
    ran: set[tuple[str | None, str | None]] = set()
    skipped: dict[tuple[str | None, str | None], str] = {}
    print(f"\n{'stage':40}{'executed':>9}{'skipped':>9}")
    for file in sorted(folder.glob("*.xml"), key=lambda file: file.stat().st_mtime):
        cases = list(ET.parse(file).iter("testcase"))
        reasons = {(case.get("classname"), case.get("name")): found.get("message", "")
                   for case in cases if (found := case.find("skipped[@type='pytest.skip']")) is not None}  # fmt: skip
        print(f"{file.stem:40}{len(cases) - len(reasons):9,}{len(reasons):9,}")
        for reason, count in Counter(reasons.values()).most_common():
            print(f"{'':40}{'':9}{count:9,}  {reason}")
        ran |= {(case.get("classname"), case.get("name")) for case in cases} - reasons.keys()
        skipped |= reasons
    never = {test: reason for test, reason in skipped.items() if test not in ran}
    print(f"{'in all, without doubles':40}{len(ran):9,}{len(never):9,}")
    guilty = [f"{'.'.join(filter(None, test))}: {reason}" for test, reason in never.items()
              if not excused(reason, missing.exists())]  # fmt: skip
    return "\n".join(["No stage executed these tests, although they could run here:", *guilty]) if guilty else 0


if __name__ == "__main__":
    sys.exit(main(*map(Path, sys.argv[1:])))
