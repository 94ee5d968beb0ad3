"""Show how many tests each stage of .ci/run executed and skipped, and refuse a test that no stage executed.

    python .ci/count_tests.py FOLDER MISSING

FOLDER has a file for each stage, as pytest --junit-xml writes it. A skipped test is excused if another stage executed
it, or if its reason names a program that this computer lacks. The file MISSING exists if a stage could not install its
libraries: then a test that needs a library is excused too.
"""

import re
import shutil
import sys
from collections import Counter
from pathlib import Path
from xml.etree import ElementTree as ET

PROGRAMS = {"Chromium": ("chromium", "google-chrome"), "coqc": ("coqc",), "pdflatex": ("pdflatex",)}
LIBRARY = r"could not import|is not installed"
CRASHED = "NumPy crashed three times"  # by chance, and not by a fault of a test


def excused(reason: str, lacks_libraries: bool) -> bool:
    """Return whether a test could not run on this computer."""
    lacking = [name for name, programs in PROGRAMS.items() if not any(map(shutil.which, programs))]
    if any(name in reason for name in lacking) or CRASHED in reason or sys.platform != "linux":
        return True
    return lacks_libraries and re.search(LIBRARY, reason) is not None


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
