"""Verify a certificate from the definitions: at one distribution, at a set of points, or for all distributions."""

from __future__ import annotations

import html
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import fstheory.checker.areas  # noqa: F401 (it enters its kinds)
from fstheory.checker.cases import Cases, by_class
from fstheory.checker.every_size import EverySizeSpace
from fstheory.checker.kinds import CERTIFICATES, entry
from fstheory.checker.points import POINTS_FORMAT, refuted_by_points
from fstheory.checker.reading import (
    MAX_BYTES,
    MAX_STATES,
    MAX_STEPS,
    SampleSpace,
    certificate_digest,
    formulas,
    list_of,
    name,
    object_with,
    parse,
    plain,
    rational,
    require,
    wrong,
)
from fstheory.checker.statement import NOTIONS, Node, leaf_text, node_text, walk
from fstheory.checker.weights import (
    Distribution,
    assumptions,
    at_weights,
    distribution,
    require_values,
    sparse_distribution,
)
from fstheory.errors import CertificateError, InvalidTypeError, InvalidValueError, explain, show

_HEAD = {"format", "version", "kind", "claim", "shape", "assume", "show", "digest"}


@dataclass(frozen=True, slots=True)
class Checked:
    """The answer of the checker. Used as a bool, it is true only if the certificate is accepted.

    Attributes
    ----------
    kind : str
        "refuted", "realized" or "proved".
    claim : str
        The name in the certificate. The checker does not know what is claimed under this name.
    summary : str
        A sentence that says what was verified.
    status : str
        "accepted"; "unverifiable" if the evidence is only the word of a solver; "vacuous" if the certificate shows no
        formula; "as it stands" if `fstheory.verify_certificate` found no claim with which to compare the statement.
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
    """Verify a certificate. It is given as JSON data, or as the path of a file.

    The checker does not know the claim that the certificate names. `fstheory.verify_certificate` compares the two.

    Parameters
    ----------
    certificate : mapping, or str or path-like
        A string is a path; for text there is `check_certificate_text`.
    max_steps : int
        The certificate is rejected if checking takes more steps than this. A step takes well below a microsecond.

    Raises
    ------
    CertificateError
        The certificate does not prove what it states, or asks for more than the limits of this module allow.
    OSError
        The file cannot be read.

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
    """Read the content of a certificate file, within the limits of size. Nothing is verified."""
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


def check_certificate_text(text: str, *, max_steps: int = MAX_STEPS) -> Checked:
    """Verify a certificate given as JSON text; see `check_certificate`."""
    if not isinstance(text, str):
        raise InvalidTypeError(explain("text", "a string", text, "pass JSON text, or a path to check_certificate"))
    return _checked(parse(text), max_steps)


def _checked(document: Any, max_steps: int) -> Checked:
    try:
        content = plain(document)
        if type(content) is dict and content.get("format") == POINTS_FORMAT:
            return _on_points(content)
        known = type(content) is dict and content.get("format") == "fstheory certificate"
        require(known, "the certificate", "an object with 'format': 'fstheory certificate'", content)
        version, digest, kind = content.get("version"), content.get("digest"), content.get("kind")
        require(type(version) is int and version in range(1, 6), "version", "1 to 5, known to this checker", version)
        require(digest == certificate_digest(content), "digest", "that of the rest, which was changed", digest)
        known_kinds = [one for one in CERTIFICATES.values() if ("version", str(version)) in one.arguments]
        fitting = [one for one in known_kinds if ("kind", kind) in one.arguments]
        named = {name: None for one in known_kinds for of, name in one.arguments if of == "kind"}
        require(fitting != [], "kind", f"{' or '.join(map(repr, named))} in version {version}", kind)
        form = next(
            (one for one in fitting if ("part", "evidence") in one.arguments and "evidence" in content), fitting[0]
        )
        object_with(_HEAD | {name for of, name in form.arguments if of == "part"}, content, "the certificate")
        found: Checked = form.build(content, max_steps)
        return found
    except RecursionError as error:
        raise CertificateError("the certificate is nested too deeply for this Python; it is rejected") from error


def statement_lines(content: Mapping[str, Any]) -> list[str]:
    """Return what a certificate assumes and what it states, one line for each formula, with the features X1, .., Xn."""
    if (shape := content.get("shape")) is None:  # about points, whose assumptions all have names
        return [f"assumed: {assumption}" for assumption in content["assume"]]
    n = shape["features"] if "features" in shape else len(shape["cardinalities"])
    names = [*(f"X{i + 1}" for i in range(n)), "Y"]
    lines = [f"assumed: {assumption}" for assumption in content.get("assumptions", ())]
    where = content["show"][0]["where"] if content["kind"] != "proved" else {}
    for part, word in (("assume", "assumed"), ("show", "statement")):
        for instance in content[part]:
            text = node_text(_node(instance["formula"]), names)
            free = sorted({node[1] for node in walk(instance["formula"]) if node[0] == "t"} & where.keys())
            values = ", ".join(f"{leaf_text(('t', one), names)} = {rational(where[one], one)}" for one in free)
            lines.append(f"{word}: {text}{' at ' * bool(values)}{values}")
    return lines + [
        f"where: {meaning}" for name, meaning in NOTIONS.items() if any(f"{name}(" in line for line in lines)
    ]


def _node(part: Any) -> Any:
    return tuple(map(_node, part)) if isinstance(part, list | tuple) else part


_certificate = entry(CERTIFICATES, dict)


@_certificate(
    "C1",
    '["at weights", version 1, version 2, kind refuted, kind realized, part weights, part total, part values]',
    "The formula is false (refuted) or true (realized) at the distribution, and all assumptions are true there.",
)
def _at_weights(content: dict[str, Any], max_steps: int) -> Checked:
    shape = SampleSpace(content["shape"], max_steps)
    return _checked_at(content, distribution(shape, content["weights"], content["total"]), ())


@_certificate(
    "C2",
    '["at cells", version 4, kind refuted, kind realized, part assumptions, part cells, part total, part values]',
    "The same, at a distribution of which only the cells above 0 are listed. Assumptions may be named.",
)
def _at_cells(content: dict[str, Any], max_steps: int) -> Checked:
    shape = SampleSpace(content["shape"], max_steps, MAX_STATES)
    at = sparse_distribution(shape, content["cells"], content["total"])
    return _checked_at(content, at, assumptions(content["assumptions"]))


def _checked_at(content: dict[str, Any], at: Distribution, named: Sequence[str]) -> Checked:
    kind, claim, shape = content["kind"], name(content["claim"], "claim"), at.shape
    for assumption in named:
        require(at.satisfies(assumption), assumption, "true at the weights", False)
    assumed = formulas(content["assume"], shape, "assume")
    shown = formulas(list_of(1, content["show"], "show"), shape, "show")
    at.parameters = content["show"][0]["where"]
    for place, formula in (assumed | shown).items():
        expected = kind == "realized" or place in assumed
        require(at.truth(formula) is expected, place, f"{str(expected).lower()} at the weights", not expected)
    require_values(content["values"], next(iter(shown.values())), at)
    what = f"{show(content['show'][0]['name'])} is {'true' if kind == 'realized' else 'false'}"
    summary = f"{what} where all {len(assumed) + len(named)} assumptions are true, at weights of total {show(at.total)}"
    return Checked(kind, claim, f"{show(claim)} is {kind}: {summary}")


# The decorator next to the function is the first to enter its kind.
@_certificate(
    "C4",
    '["by solvers", version 1, version 2, kind proved, part evidence, part solvers]',
    "Solvers say that the formulas are true of every distribution on the shape. It cannot be verified.",
)
@_certificate(
    "C3",
    '["by cases", version 1, version 2, kind proved, part maxima, part proofs]',
    "The formulas are true of every distribution on the shape of which the assumptions are true.",
)
def _for_one_shape(content: dict[str, Any], max_steps: int) -> Checked:
    return _checked_for_all(content, SampleSpace(content["shape"], max_steps))


@_certificate(
    "C5",
    '["for every size", version 3, version 5, kind proved, part assumptions, part maxima, part proofs]',
    "The formulas are true of every distribution of the features, whatever their numbers of states, of which the "
    "assumptions are true.",
)
def _for_every_size(content: dict[str, Any], max_steps: int) -> Checked:
    return _checked_for_all(content, EverySizeSpace(content["shape"], content["assumptions"], max_steps))


def _checked_for_all(content: dict[str, Any], shape: SampleSpace | EverySizeSpace) -> Checked:
    claim = name(content["claim"], "claim")
    assumed = list(formulas(content["assume"], shape, "assume").values())
    shown = list(formulas(content["show"], shape, "show").values())
    what = f"for all distributions on {shape}: {len(shown)} formula{'s' * (len(shown) != 1)}"
    if not shown:
        return Checked("proved", claim, f"{show(claim)} has no formula to show on {shape}", "vacuous")
    if "evidence" in content:
        require(content["evidence"] == "solvers", "evidence", "'solvers' if it is given", content["evidence"])
        solvers = [name(solver, "solvers") for solver in list_of(None, content["solvers"], "solvers")]
        require(len(solvers) > 0, "solvers", "a list of names", solvers)
        summary = f"{show(claim)} is proved {what}; there is only the word of {', '.join(solvers)} for it"
        return Checked("proved", claim, summary, "unverifiable")
    proofs = list_of(len(shown), content["proofs"], "proofs")
    cases = Cases(shape, list_of(None, content["maxima"], "maxima"))
    start = cases.extend(assumed, ((), ()))
    leaves = 0
    for i, proof in enumerate(proofs):
        place = f"proofs[{i}]"
        if type(proof) is dict and "image_of" in proof:
            cases.require_image(proof, proofs[:i], shown, assumed, place, "show")
        elif type(proof) is dict and "by_class" in proof and isinstance(shape, SampleSpace):
            tree = object_with(["by_class"], proof, place)["by_class"]
            read = tuple(by_class(formula, shape) for formula in [*assumed, ("not", shown[i])])
            leaves += cases.close(tree, cases.extend(read, ((), ())), read, f"{place}.by_class")
        else:
            tree = object_with(["tree"], proof, place)["tree"]
            denied: Node = ("not", shown[i])
            leaves += cases.close(tree, cases.extend([denied], start), (*assumed, denied), f"{place}.tree")
    small = content["shape"]
    if isinstance(shape, EverySizeSpace):
        small = {"cardinalities": (2,) * shape.n, "classes": shape.classes or 2}
    doubt = "" if _can_be_true(assumed, small) else f"; {_DOUBT}"
    trust = "".join(f"; it trusts {theorem}" for theorem in shape.trusted) if isinstance(shape, EverySizeSpace) else ""
    return Checked("proved", claim, f"{show(claim)} is proved {what}, {leaves} case{'s' * (leaves != 1)}{trust}{doubt}")


@_certificate(
    "C6",
    '["on points", kind refuted, part assume, part points, part labels, part squared_distances, part neighbors,'
    " part violated]",
    "The nearest neighbors of labeled points contradict the claim.",
)
def _on_points(content: dict[str, Any]) -> Checked:
    return Checked("refuted", *refuted_by_points(content))


_DOUBT = "no distribution was met that satisfies what it assumes, so it may assume a contradiction and say nothing"


def _can_be_true(assumed: list[Node], written: Any) -> bool:
    """Return whether all assumptions are true at one of four distributions: level, graded, lopsided, on one cell."""
    if not assumed:
        return True
    try:
        shape = SampleSpace(written)  # with steps of its own, because this search is no part of the proof
        last = len(shape.classes)
        lopsided = [1 + 7 * (cell % last == 0) for cell in range(shape.size)]
        one = [int(cell == 0) for cell in range(shape.size)]
        tried: list[Sequence[int]] = [[1] * shape.size, range(1, shape.size + 1), lopsided, one]
        return any(all(map(at_weights(shape, weights).truth, assumed)) for weights in tried)
    except CertificateError:  # it would take too long, or have too many cells
        return False
