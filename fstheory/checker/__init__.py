"""The independent checker: it verifies certificates from the definitions, with the standard library alone.

`python -m fstheory.checker proof.json` runs it. `fstheory.reports.save_bundle` puts it into a single file beside the
certificates, which any Python from 3.11 on runs without an installation.
"""

from fstheory.checker.certificates import Checked, check_certificate

__all__ = ["Checked", "check_certificate"]
