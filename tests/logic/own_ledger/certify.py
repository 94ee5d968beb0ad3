"""Make the certificates that the ledger of the invented paper names."""

import doe_2026  # type: ignore[import-not-found]

import fstheory as fs

fs.logic.register(doe_2026.paper)
refuted, proved = fs.refute("DOE-1"), fs.prove("DOE-2", features=2)
assert isinstance(refuted, fs.logic.Refuted)
assert isinstance(proved, fs.logic.Proved)
refuted.certificate.save("certificates/DOE-1.json")
proved.certificate.save("certificates/DOE-2.json")
