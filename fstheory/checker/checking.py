"""The functions to call: read a certificate, see that it is unchanged, and verify what it states."""

from __future__ import annotations

import hashlib
import html
import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from fstheory.checker.cases import Cases, canonical, renaming
from fstheory.checker.statement import (
    MAX_BYTES,
    MAX_STEPS,
    Distribution,
    Node,
    SampleSpace,
    distribution,
    formulas,
    list_of,
    name,
    object_with,
    parse,
    plain,
    require,
    require_values,
    whole,
    wrong,
)
from fstheory.errors import CertificateError, InvalidTypeError, InvalidValueError, explain, show

__all__ = ["Checked", "certificate_digest", "check_certificate", "check_certificate_text", "read_certificate"]

_HEAD = {"format", "version", "kind", "claim", "shape", "assume", "show", "digest"}


@dataclass(frozen=True, slots=True)
class Checked:
    """What the checker found; true like True only if the certificate is accepted.

    Attributes
    ----------
    kind : str
        "refuted", "realized" or "proved".
    claim : str
        The name in the certificate. The checker does not know what is claimed under this name.
    summary : str
        What was verified, in a sentence.
    status : str
        "accepted"; "unverifiable" where the evidence is the word of solvers; "vacuous" where no formula is to be
        shown; "as it stands" where `fstheory.verify_certificate` found no claim to compare the statement with.

    Examples
    --------
    >>> bool(Checked("proved", "PN-3", "two solvers agree", "unverifiable"))
    False
    """

    kind: str
    claim: str
    summary: str
    status: Literal["accepted", "unverifiable", "vacuous", "as it stands"] = "accepted"

    def __bool__(self) -> bool:
        return self.status == "accepted"

    def __str__(self) -> str:
        return f"{self.status}: {self.summary}"

    def _repr_html_(self) -> str:
        return f"<p>{html.escape(str(self))}</p>"


def check_certificate(
    certificate: Mapping[str, Any] | str | os.PathLike[str], *, max_steps: int = MAX_STEPS
) -> Checked:
    """Verify a certificate, given as what JSON has or as the path of a file.

    Parameters
    ----------
    certificate : mapping, or str or path-like
        A string is a path; for text there is `check_certificate_text`.
    max_steps : int
        The work after which it is rejected, in steps of well below a microsecond.

    Returns
    -------
    Checked
        With status "unverifiable" where solvers proved a claim and left nothing to check.

    Raises
    ------
    CertificateError
        The certificate does not prove what it states, or asks for more than the limits of this module allow.
    OSError
        The file cannot be read.

    Notes
    -----
    The statement that is verified stands in the certificate. That it is the statement of the claim whose name
    stands there too is not verified.

    Examples
    --------
    >>> content = {"format": "fstheory certificate", "version": 2, "kind": "refuted", "claim": "a coin is fair"}
    >>> content |= {"shape": {"cardinalities": [], "classes": 2}, "assume": [], "weights": [1, 2], "total": 3}
    >>> content["show"] = [{"name": "fair", "where": {}, "formula": ["=", ["P", [], 0], ["q", "1/2"]]}]
    >>> content["values"] = [[["P", [], 0], "1/3"], [["q", "1/2"], "1/2"]]
    >>> print(check_certificate(content | {"digest": certificate_digest(content)}))
    accepted: 'a coin is fair' is refuted: 'fair' is false where all 0 assumptions are true, at weights of total 3
    """
    content = dict(certificate) if isinstance(certificate, Mapping) else read_certificate(certificate)
    return _checked(content, max_steps)


def read_certificate(path: str | os.PathLike[str]) -> dict[str, Any]:
    """Read the content of a certificate file, once and within the limits; nothing is verified."""
    if not isinstance(path, str | os.PathLike):
        advice = "pass what JSON has, or a path"
        raise InvalidTypeError(explain("certificate", "a mapping or the path of a file", path, advice))
    if "\0" in os.fspath(path):
        raise InvalidValueError(explain("certificate", "a path without null characters", path, "correct it"))
    with Path(path).open("rb") as stream:
        data = stream.read(MAX_BYTES + 1)
    require(len(data) <= MAX_BYTES, "the file", f"of at most {MAX_BYTES} bytes", "longer")
    try:
        content = parse(data.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        raise wrong("the file", "UTF-8 text", data[error.start : error.end]) from error
    require(type(content) is dict, "the certificate", "an object with a 'format'", content)
    return dict(content)


def check_certificate_text(text: str) -> Checked:
    """Verify a certificate given as JSON text; see `check_certificate`."""
    if not isinstance(text, str):
        raise InvalidTypeError(explain("text", "a string", text, "pass JSON text, or a path to check_certificate"))
    return _checked(parse(text), MAX_STEPS)


def certificate_digest(content: Mapping[str, Any]) -> str:
    """Return the digest that a certificate with this content has to carry.

    It is the SHA-256 of the JSON text of everything but the digest: keys sorted, no spaces, ASCII.
    """
    rest = {key: part for key, part in content.items() if key != "digest"}
    text = json.dumps(rest, sort_keys=True, separators=(",", ":"), ensure_ascii=True)
    return hashlib.sha256(text.encode("ascii")).hexdigest()


def _checked(document: Any, max_steps: int) -> Checked:
    try:
        content = plain(document)
        known = type(content) is dict and content.get("format") == "fstheory certificate"
        require(known, "the certificate", "an object with 'format': 'fstheory certificate'", content)
        version, digest, kind = content.get("version"), content.get("digest"), content.get("kind")
        require(type(version) is int and version in (1, 2), "version", "1 or 2, which this checker knows", version)
        require(digest == certificate_digest(content), "digest", "that of the rest, which was changed", digest)
        require(kind in ("refuted", "realized", "proved"), "kind", "'refuted', 'realized' or 'proved'", kind)
        return (_check_for_all if kind == "proved" else _check_at_weights)(content, max_steps)
    except RecursionError as error:
        raise CertificateError("the certificate is nested too deeply for this Python; it is rejected") from error


def _check_at_weights(content: dict[str, Any], max_steps: int) -> Checked:
    object_with(_HEAD | {"weights", "total", "values"}, content, "the certificate")
    kind, claim, shape = content["kind"], name(content["claim"], "claim"), SampleSpace(content["shape"], max_steps)
    at = distribution(shape, content["weights"], content["total"])
    assumed = formulas(content["assume"], shape, "assume")
    shown = formulas(list_of(1, content["show"], "show"), shape, "show")
    for place, formula in (assumed | shown).items():
        expected = kind == "realized" or place in assumed
        require(at.truth(formula) is expected, place, f"{str(expected).lower()} at the weights", not expected)
    require_values(content["values"], next(iter(shown.values())), at)
    what = f"{show(content['show'][0]['name'])} is {'true' if kind == 'realized' else 'false'}"
    summary = f"{what} where all {len(assumed)} assumptions are true, at weights of total {show(at.total)}"
    return Checked(kind, claim, f"{show(claim)} is {kind}: {summary}")


def _check_for_all(content: dict[str, Any], max_steps: int) -> Checked:
    by_solvers = "evidence" in content
    object_with(_HEAD | ({"evidence", "solvers"} if by_solvers else {"maxima", "proofs"}), content, "the certificate")
    claim, shape = name(content["claim"], "claim"), SampleSpace(content["shape"], max_steps)
    assumed = list(formulas(content["assume"], shape, "assume").values())
    shown = list(formulas(content["show"], shape, "show").values())
    what = f"for all distributions on {shape}: {len(shown)} formula{'s' * (len(shown) != 1)}"
    if not shown:
        return Checked("proved", claim, f"{show(claim)} has no formula to show on {shape}", "vacuous")
    if by_solvers:
        require(content["evidence"] == "solvers", "evidence", "'solvers' if it is given", content["evidence"])
        solvers = [name(solver, "solvers") for solver in list_of(None, content["solvers"], "solvers")]
        require(len(solvers) > 0, "solvers", "a list of names", solvers)
        summary = f"{show(claim)} is proved {what}; there is only the word of {', '.join(solvers)} for it"
        return Checked("proved", claim, summary, "unverifiable")
    proofs = list_of(len(shown), content["proofs"], "proofs")
    cases = Cases(shape, list_of(None, content["maxima"], "maxima"))
    start = cases.extend(assumed, ((), ()))
    given, texts, leaves = set(map(canonical, assumed)), [canonical(formula) for formula in shown], 0
    for i, proof in enumerate(proofs):
        place = f"proofs[{i}]"
        if type(proof) is dict and "image_of" in proof:
            source = whole(0, i, proof["image_of"], f"{place}.image_of")
            require("tree" in proofs[source], f"{place}.image_of", "the number of a tree", source)
            rename = renaming(proof, shape, place)
            image, *others = (canonical(formula, rename) for formula in [shown[source], *assumed])
            shape.spend(len(image) + sum(map(len, others)))
            require(image == texts[i], place, f"a renaming of show[{source}] into show[{i}]", image)
            require(set(others) == given, place, "a renaming of the assumptions into themselves", "into others")
        else:
            tree = object_with(["tree"], proof, place)["tree"]
            leaves += cases.close(tree, cases.extend([("not", shown[i])], start), f"{place}.tree")
    doubt = "" if _can_be_true(assumed, content["shape"]) else f"; {_DOUBT}"
    return Checked("proved", claim, f"{show(claim)} is proved {what}, {leaves} case{'s' * (leaves != 1)}{doubt}")


_DOUBT = "no distribution was met that satisfies what it assumes, so it may assume a contradiction and say nothing"


def _can_be_true(assumed: list[Node], written: Any) -> bool:
    """Look for a distribution at which all assumptions are true, among a few: level, graded, lopsided, on one cell."""
    shape = SampleSpace(written)  # with steps of its own: what is looked for here is no part of the proof
    cells = range(shape.size)
    lopsided = [1 + 7 * (cell % len(shape.classes) == 0) for cell in cells]
    tried: list[Sequence[int]] = [[1] * shape.size, range(1, shape.size + 1), lopsided, [int(i == 0) for i in cells]]
    try:
        return any(all(map(Distribution(shape, weights).truth, assumed)) for weights in tried)
    except CertificateError:  # it would take long
        return False
