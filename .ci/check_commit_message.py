"""Check the message of a commit, as the hook `commit-msg` of pre-commit asks for it.

    python .ci/check_commit_message.py FILE

The subject has at most 72 characters, begins with a capital letter and ends without a period. The line below it is
empty. Lines that begin with `#` are Git's own, and so is everything below its line of scissors.
"""

import re
import sys
from pathlib import Path

LONGEST = 72
SCISSORS = re.compile(r"^# -+ >8 -+$", re.MULTILINE)
OF_GIT = re.compile(r"(fixup|squash|amend)! |Merge |Revert ")  # Git writes these subjects itself


def faults(text: str) -> list[str]:
    """Return what is wrong with a message, one sentence for each fault."""
    lines = [line for line in SCISSORS.split(text)[0].splitlines() if not line.startswith("#")]
    subject, *body = "\n".join(lines).strip().splitlines() or [""]
    if OF_GIT.match(subject):
        return []
    checks = [
        (subject, "the message must not be empty; say in one line what changes"),
        (len(subject) <= LONGEST, f"the subject must have at most {LONGEST} characters, not {len(subject)}"),
        (not subject or subject[0].isupper(), "the subject must begin with a capital letter: a verb in the imperative"),
        (not subject.endswith("."), "the subject must not end with a period; drop it"),
        (not body or not body[0].strip(), "the line below the subject must be empty; the body follows after it"),
    ]
    return [fault for holds, fault in checks if not holds]


if __name__ == "__main__":
    found = faults(Path(sys.argv[1]).read_text(encoding="utf-8"))
    sys.exit("\n".join(f"commit message: {fault}" for fault in found) or 0)
