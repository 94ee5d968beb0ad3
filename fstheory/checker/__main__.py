"""Verify certificates on the command line: ``python -m fstheory.checker FILE ..``."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from fstheory.checker.certificates import check_certificate, read_certificate, statement_lines
from fstheory.errors import CertificateError

USAGE = """usage: checker FILE ...

Verify from the definitions that each certificate proves what it states. The exit status is 0 if all are accepted, 1 if
one is not accepted, and 2 if a file cannot be read. Below an answer stands what the certificate assumes and states."""


def main(files: Sequence[str]) -> int:
    """Print for each file what was found, and each formula of an accepted certificate. Return the exit status."""
    if not files or files[0] in {"-h", "--help"}:
        print(USAGE)  # noqa: T201
        return 0 if files else 2
    status = 0
    for file in files:
        try:
            content = read_certificate(file)
            found = check_certificate(content)
            text, code = "\n  ".join([str(found), *statement_lines(content)]), 0 if found else 1
        except CertificateError as error:
            text, code = f"rejected: {error}", 1
        except OSError as error:
            text, code = f"unread: {str(error.strerror).lower()}", 2
        print(f"{file}: {text}")  # noqa: T201
        status = max(status, code)
    return status


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
