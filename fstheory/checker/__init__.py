"""The independent checker: it verifies certificates from the definitions, with the standard library alone."""

from fstheory.checker.cases import Checked, certificate_digest, check_certificate, check_certificate_text
from fstheory.checker.points import check_points_certificate

__all__ = ["Checked", "certificate_digest", "check_certificate", "check_certificate_text", "check_points_certificate"]
