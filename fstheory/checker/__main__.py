"""Verify certificates on the command line: ``python -m fstheory.checker FILE ..``."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from fstheory.checker.certificates import check_certificate
from fstheory.errors import CertificateError

USAGE = """usage: checker FILE ...

Verify from the definitions that each certificate proves what it states. The exit status is 0 if all are accepted, 1 if
one is not accepted, and 2 if a file cannot be read."""


def main(files: Sequence[str]) -> int:
    """Print one line for each file, which says what was found, and return the exit status."""
    if not files or files[0] in {"-h", "--help"}:
        print(USAGE)  # noqa: T201
        return 0 if files else 2
    status = 0
    for file in files:
        try:
            found = check_certificate(file)
            text, code = str(found), 0 if found else 1
        except CertificateError as error:
            text, code = f"rejected: {error}", 1
        except OSError as error:
            text, code = f"unread: {str(error.strerror).lower()}", 2
        print(f"{file}: {text}")  # noqa: T201
        status = max(status, code)
    return status


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
