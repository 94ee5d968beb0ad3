"""Read a certificate, see that it is unchanged, and verify what it states: at one distribution, or at all of a shape.

What is true of all distributions is proved by trees of cases that each end in a contradiction.
"""

from __future__ import annotations

import hashlib
import html
import json
import math
import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any, Literal, TypeAlias

from fstheory.checker.every_size import EverySizeSpace
from fstheory.checker.statement import (
    COMPARISONS,
    LEAVES,
    MAX_BYTES,
    MAX_CELLS,
    MAX_STATES,
    MAX_STEPS,
    ONE,
    Coefficient,
    Fact,
    Form,
    Node,
    SampleSpace,
    assumptions,
    at_weights,
    bounded,
    check_node,
    distribution,
    formulas,
    list_of,
    name,
    object_with,
    parse,
    plain,
    rational,
    require,
    require_values,
    sparse_distribution,
    undivided,
    whole,
    wrong,
)
from fstheory.errors import CertificateError, InvalidTypeError, InvalidValueError, explain, show

Branch: TypeAlias = "tuple[tuple[Fact, ...], tuple[Node, ...]]"  # facts, and disjunctions that may still be split

_EXCHANGEABLE = {"and", "or", "=", "iff", "+", "*", "max", "min"}

# What says the same as a formula, and what says the same as its negation; "not" goes one step inwards.
_UNFOLDED: dict[str, Callable[..., Node]] = {
    "implies": lambda a, b: ("or", ("not", a), b),
    "iff": lambda a, b: ("or", ("and", a, b), ("and", ("not", a), ("not", b))),
}
_NEGATED: dict[str, Callable[..., Node]] = {
    "<": lambda a, b: ("<=", b, a),
    "<=": lambda a, b: ("<", b, a),
    "=": lambda a, b: ("or", ("<", a, b), ("<", b, a)),
    "not": lambda a: a,
    "and": lambda *parts: ("or", *(("not", part) for part in parts)),
    "or": lambda *parts: ("and", *(("not", part) for part in parts)),
    "implies": lambda a, b: ("and", a, ("not", b)),
    "iff": lambda a, b: ("or", ("and", a, ("not", b)), ("and", ("not", a), b)),
}


class Cases:
    """Trees of cases that each end in a contradiction."""

    def __init__(self, shape: SampleSpace | EverySizeSpace, maxima: Node) -> None:
        self.shape = shape
        self._known: dict[Node, Form] = {}
        self._bounds: dict[tuple[int, tuple[int, ...] | None], Fact] = {}
        self._unknowns: dict[Any, int] = {}  # maxima are the same if their arguments are, as forms in the same order
        for k, node in enumerate(maxima):
            check_node(node, "term", shape, f"maxima[{k}]")
            require(node[0] == "max", f"maxima[{k}]", "a 'max' node", node)
        self.tops, self.parameters = maxima, dict[str, int]()  # real numbers, as unknowns below ONE
        self.maxima = [(self.form(node), tuple(self.form(part) for part in node[1:])) for node in maxima]
        self._known |= zip(maxima, (top for top, _ in self.maxima), strict=True)

    def form(self, term: Node) -> Form:
        """Return a term as a linear form of the unknowns. Forms are shared: nobody changes one."""
        kind, *parts = term
        if kind == "q":
            return self.sum([(_coefficient(rational(parts[0], "q")), _each([ONE]))])
        if kind == "t":
            return _each([self.parameters.setdefault(parts[0], ONE - 1 - len(self.parameters))])
        if (kind in LEAVES or kind == "max") and term in self._known:
            return self._known[term]
        if kind in LEAVES:
            found: Form | Node = self.shape.leaf(term)
            return self._known.setdefault(term, found if isinstance(found, dict) else self.form(found))
        require(kind in {"+", "*", "/", "max", "min"}, "a term of a proof", "linear", term)
        forms = [self.form(part) for part in parts]
        if kind == "+":
            return self.sum((1, form) for form in forms)
        if kind == "max":
            return self._maximum(forms)
        if kind == "min":
            return self.sum([(-1, self._maximum([self.sum([(-1, form)]) for form in forms]))])
        if kind == "*" and forms[0].keys() <= {ONE}:
            forms.reverse()
        factor = Fraction(forms[1].get(ONE, 0))
        linear = forms[1].keys() <= {ONE} and (kind == "*" or factor != 0)
        require(linear, "a term of a proof", "linear: with a constant factor, or a constant divisor other than 0", term)
        return self.sum([(_coefficient(factor if kind == "*" else 1 / factor), forms[0])])

    def _maximum(self, arguments: list[Form]) -> Form:
        if all(argument.keys() <= {ONE} for argument in arguments):
            return self.sum([(max(argument.get(ONE, 0) for argument in arguments), _each([ONE]))])
        self.shape.spend(sum(map(len, arguments)))
        key = tuple(frozenset(argument.items()) for argument in arguments)
        return {self._unknowns.setdefault(key, self.shape.size + len(self._unknowns)): 1}

    def sum(self, multiplied: Iterable[tuple[Coefficient, Form]]) -> Form:
        """Return a linear combination of forms. No coefficient in a form is 0."""
        total: Form = {}
        for factor, form in multiplied:
            self.shape.spend(1 + len(form) * (1 + factor.numerator.bit_length() // 256))
            for unknown, coefficient in form.items():
                found = total.get(unknown, 0) + factor * coefficient
                total[unknown] = found if isinstance(found, int) else bounded(found)
        return {unknown: _coefficient(coefficient) for unknown, coefficient in total.items() if coefficient}

    def by_class(self, formula: Node) -> Node:
        """Return a formula in which R(S) is compared with R(T), S in T, as one about the best classes of states.

        R(S) is at least R(T), as a maximum of sums is at most the sum of the maxima. They are equal if for each state
        of S some class is a best one of all states of T within it, and only then.
        """
        kind, *parts = formula
        assert isinstance(self.shape, SampleSpace)
        if kind not in COMPARISONS:
            return (kind, *map(self.by_class, parts))
        if [part[0] for part in parts] != ["R", "R"]:
            return formula
        left, right = (frozenset(part[1]) for part in parts)
        small, large = (left, right) if left <= right else (right, left)
        if not small <= large:
            return formula
        if kind != "=" and small == right:
            return ("not", self.shape.tie(small, large)) if kind == "<" else ("and",)
        return ("or",) if kind == "<" else self.shape.tie(small, large)

    def extend(self, formulas: Iterable[Node], branch: Branch) -> Branch:
        """Return a branch with what some formulas say, in order: comparisons as facts, disjunctions to be split."""
        facts, disjunctions = list(branch[0]), list(branch[1])
        self.shape.spend(1 + (len(facts) + len(disjunctions)) // 10)
        waiting = list(formulas)[::-1]
        while waiting:
            kind, *parts = waiting.pop()
            self.shape.spend(1 + len(parts))
            if kind in COMPARISONS and (multiplied := undivided((kind, *parts))):
                waiting.append(multiplied)
            elif kind in COMPARISONS:
                facts.append(self._compared(kind, *parts))
            elif kind == "and" or (kind == "or" and len(parts) == 1):
                waiting += reversed(parts)
            elif kind == "or":
                disjunctions.append(tuple(parts))
            else:
                waiting.append(_NEGATED[parts[0][0]](*parts[0][1:]) if kind == "not" else _UNFOLDED[kind](*parts))
        return tuple(facts), tuple(disjunctions)

    def _compared(self, kind: str, left: Node, right: Node) -> Fact:
        return kind.replace("<", ">"), self.sum([(1, self.form(right)), (-1, self.form(left))])

    def close(self, tree: Any, branch: Branch, given: Node, place: str) -> int:
        """Require a contradiction in every case of what is given, which the branch spells out; return how many."""
        facts, disjunctions = branch
        if type(tree) is dict and "farkas" in tree:
            self._contradict(object_with(["farkas"], tree, place)["farkas"], facts, f"{place}.farkas")
            return 1
        object_with(["split", "cases"], tree, place)
        match tree["split"]:
            case ("or", number):
                parts = disjunctions[whole(0, len(disjunctions), number, f"{place}.split")]
            case ("max", number):
                top = self.tops[whole(0, len(self.maxima), number, f"{place}.split")]
                parts = tuple(("=", argument, top) for argument in top[1:])
            case split:
                parts = self.shape.cases(split, f"{place}.split")
        leaves = 0
        self.shape.spend(len(parts) * (1 + len(facts) // 10))  # each case has a copy of the facts
        cases = list_of(len(parts), tree["cases"], f"{place}.cases")
        for i, case in enumerate(cases):
            where = f"{place}.cases[{i}]"
            if type(case) is dict and "image_of" in case:
                self.require_image(case, cases[:i], parts, given, where, f"{place}.cases")
            else:
                leaves += self.close(case, self.extend([parts[i]], branch), (*given, parts[i]), where)
        return leaves

    def require_image(
        self, proof: dict[str, Any], before: Node, formulas: Sequence[Node], given: Sequence[Node], place: str, of: str
    ) -> None:
        """Require a renaming of what an earlier proof, no image, is about, that leaves what is given as it is."""
        source, i = whole(0, len(before), proof["image_of"], f"{place}.image_of"), len(before)
        require("image_of" not in before[source], f"{place}.image_of", "the number of a tree", source)
        rename = renaming(proof, self.shape, place)
        image, *others = (canonical(formula, rename) for formula in [formulas[source], *given])
        self.shape.spend(2 * (len(image) + sum(map(len, others))))
        require(image == canonical(formulas[i]), place, f"a renaming of {of}[{source}] into {of}[{i}]", image)
        kept = set(others) == set(map(canonical, given))
        require(kept, place, "a renaming of the assumptions into themselves", "into others")

    def _contradict(self, pairs: Any, facts: tuple[Fact, ...], place: str) -> None:
        """Require multipliers under which facts add up to c > 0, c >= 0 or c = 0 with a constant c that is not."""
        used: dict[Any, tuple[Fraction, Form]] = {}
        strict, common = False, 1
        for pair in list_of(None, pairs, place):
            reference, written = list_of(2, pair, place)
            relation, form = self._fact(reference, facts, place)
            multiplier = rational(written, place)
            require(reference not in used, place, "without facts that are used twice", reference)
            allowed = multiplier > 0 or (multiplier < 0 and relation == "=")
            require(allowed, place, "with multipliers above 0, or not 0 for equations", pair)
            used[reference] = multiplier, form
            strict = strict or relation == ">"
            common = bounded(math.lcm(common, multiplier.denominator))
        total = self.sum((int(multiplier * common), form) for multiplier, form in used.values())
        require(total.keys() <= {ONE}, place, "multipliers under which all unknowns cancel", pairs)
        constant = total.get(ONE, 0)
        left = f"{Fraction(constant) / common} {'>' if strict else '>='} 0"
        require(constant < 0 or (constant == 0 and strict), place, "a contradiction", left)

    def _fact(self, reference: Any, facts: tuple[Fact, ...], place: str) -> Fact:
        """Return a fact of the branch by its number, or one that is true of every distribution."""
        match reference:
            case int():
                return facts[whole(0, len(facts), reference, place)]
            case ("M", k, j):
                top, arguments = self.maxima[whole(0, len(self.maxima), k, place)]
                return ">=", self.sum([(1, top), (-1, arguments[whole(0, len(arguments), j, place)])])
            case ("whole", k):
                return self._bound(k, None, place)
            case ("sum", k, parts):
                listed = list_of(None, parts, place)
                return self._bound(k, tuple(whole(0, len(self.maxima), part, place) for part in listed), place)
        return self.shape.fact(reference, place)

    def _bound(self, k: Any, parts: tuple[int, ...] | None, place: str) -> Fact:
        """Return that a maximum is at most a sum: of its own arguments, if none is below 0, or of maxima.

        A sum of maxima is at least each maximum of sums; so their arguments must add up to its own, one by one.
        """
        top, arguments = self.maxima[whole(0, len(self.maxima), k, place)]
        if (k, parts) not in self._bounds:
            if parts is None:
                cells = range(self.shape.size)
                fits = all(u in cells and c > 0 for form in arguments for u, c in form.items())
                upper = self.sum((1, argument) for argument in arguments)
            else:
                others = [self.maxima[part] for part in parts]
                fits = {len(own) for _, own in others} == {len(arguments)}
                columns = zip(*(own for _, own in others), strict=True) if fits else ()
                fits = [self.sum((1, form) for form in column) for column in columns] == list(arguments)
                upper = self.sum((1, other) for other, _ in others)
            require(fits, place, "a bound of the maximum, whatever the distribution", parts)
            self._bounds[k, parts] = ">=", self.sum([(1, upper), (-1, top)])
        return self._bounds[k, parts]


def _each(unknowns: Iterable[int]) -> Form:
    return dict.fromkeys(unknowns, 1)


def _coefficient(number: Coefficient) -> Coefficient:
    return bounded(number).numerator if number.denominator == 1 else bounded(number)


def renaming(proof: dict[str, Any], shape: SampleSpace | EverySizeSpace, place: str) -> Callable[[Node], Node]:
    """Return what the renaming of a proof does to q, P, R and H; for every size, it is one of features alone."""
    object_with(["image_of", "features", *(["states", "classes"] if shape.axes else [])], proof, place)
    features = _permutation(shape.n, proof["features"], f"{place}.features")
    if isinstance(shape, SampleSpace):
        sizes = shape.cardinalities
        require([sizes[i] for i in features] == [*sizes], f"{place}.features", "of equal cardinalities", features)
        listed = list_of(shape.n, proof["states"], f"{place}.states")
        states = [_permutation(size, moved, f"{place}.states") for size, moved in zip(sizes, listed, strict=True)]
        classes = _permutation(shape.axes[-1], proof["classes"], f"{place}.classes")

    def rename(leaf: Node) -> Node:
        kind, *parts = leaf
        if kind in {"R", "H"}:
            return (kind, tuple(sorted(features[i] for i in parts[0])), *parts[1:])
        if kind in {"q", "t"}:
            return leaf
        moved: list[int | None] = [None] * shape.n
        for feature, state in enumerate(parts[0]):
            moved[features[feature]] = None if state is None else states[feature][state]
        return (kind, tuple(moved), None if parts[1] is None else classes[parts[1]])

    return rename


def _permutation(size: int, value: Any, place: str) -> Node:
    images = tuple(whole(0, size, image, place) for image in list_of(size, value, place))
    require(len(set(images)) == size, place, "a permutation", images)
    return images


def canonical(node: Node, rename: Callable[[Node], Node] = lambda leaf: leaf) -> str:
    """Return the JSON text of a node, renamed and with exchangeable arguments sorted."""
    if node[0] in LEAVES:
        return json.dumps(rename(node), separators=(",", ":"))
    texts = [canonical(part, rename) for part in node[1:]]
    return f"[{','.join([json.dumps(node[0]), *(sorted(texts) if node[0] in _EXCHANGEABLE else texts)])}]"


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

    That it states the claim whose name stands in it is not verified.

    Parameters
    ----------
    certificate : mapping, or str or path-like
        A string is a path; for text there is `check_certificate_text`.
    max_steps : int
        The work after which it is rejected, in steps of well below a microsecond.

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
    """Return the SHA-256 of the JSON text of everything but the digest: keys sorted, no spaces, ASCII."""
    rest = {key: part for key, part in content.items() if key != "digest"}
    text = json.dumps(rest, sort_keys=True, separators=(",", ":"), ensure_ascii=True)
    return hashlib.sha256(text.encode("ascii")).hexdigest()


def _checked(document: Any, max_steps: int) -> Checked:
    try:
        content = plain(document)
        known = type(content) is dict and content.get("format") == "fstheory certificate"
        require(known, "the certificate", "an object with 'format': 'fstheory certificate'", content)
        version, digest, kind = content.get("version"), content.get("digest"), content.get("kind")
        require(type(version) is int and version in range(1, 5), "version", "1 to 4, known to this checker", version)
        require(digest == certificate_digest(content), "digest", "that of the rest, which was changed", digest)
        require(kind in ("refuted", "realized", "proved"), "kind", "'refuted', 'realized' or 'proved'", kind)
        require(version != 3 or kind == "proved", "kind", "'proved' in version 3, of proofs for every size", kind)
        require(version != 4 or kind != "proved", "kind", "'refuted' or 'realized' in version 4, of cells", kind)
        return (_check_for_all if kind == "proved" else _check_at_weights)(content, max_steps)
    except RecursionError as error:
        raise CertificateError("the certificate is nested too deeply for this Python; it is rejected") from error


def _check_at_weights(content: dict[str, Any], max_steps: int) -> Checked:
    sparse = content["version"] == 4
    own = {"cells", "assumptions"} if sparse else {"weights"}
    object_with(_HEAD | own | {"total", "values"}, content, "the certificate")
    kind, claim = content["kind"], name(content["claim"], "claim")
    shape = SampleSpace(content["shape"], max_steps, MAX_STATES if sparse else MAX_CELLS)
    read, written = (sparse_distribution, content["cells"]) if sparse else (distribution, content["weights"])
    at, named = read(shape, written, content["total"]), assumptions(content["assumptions"]) if sparse else ()
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


def _check_for_all(content: dict[str, Any], max_steps: int) -> Checked:
    by_solvers = "evidence" in content
    every = content["version"] == 3
    evidence = {"evidence", "solvers"} if by_solvers and not every else {"maxima", "proofs"}
    object_with(_HEAD | evidence | ({"assumptions"} if every else set()), content, "the certificate")
    claim, shape = name(content["claim"], "claim"), _space(content, max_steps)
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
    leaves = 0
    for i, proof in enumerate(proofs):
        place = f"proofs[{i}]"
        if type(proof) is dict and "image_of" in proof:
            cases.require_image(proof, proofs[:i], shown, assumed, place, "show")
        elif type(proof) is dict and "by_class" in proof and not every:
            tree = object_with(["by_class"], proof, place)["by_class"]
            read = tuple(map(cases.by_class, [*assumed, ("not", shown[i])]))
            leaves += cases.close(tree, cases.extend(read, ((), ())), read, f"{place}.by_class")
        else:
            tree = object_with(["tree"], proof, place)["tree"]
            denied: Node = ("not", shown[i])
            leaves += cases.close(tree, cases.extend([denied], start), (*assumed, denied), f"{place}.tree")
    small = {"cardinalities": (2,) * shape.n, "classes": shape.classes or 2} if every else content["shape"]
    doubt = "" if _can_be_true(assumed, small) else f"; {_DOUBT}"
    trust = "".join(f"; it trusts {theorem}" for theorem in shape.trusted) if isinstance(shape, EverySizeSpace) else ""
    return Checked("proved", claim, f"{show(claim)} is proved {what}, {leaves} case{'s' * (leaves != 1)}{trust}{doubt}")


def _space(content: dict[str, Any], max_steps: int) -> SampleSpace | EverySizeSpace:
    if content["version"] < 3:
        return SampleSpace(content["shape"], max_steps)
    return EverySizeSpace(content["shape"], content["assumptions"], max_steps)


_DOUBT = "no distribution was met that satisfies what it assumes, so it may assume a contradiction and say nothing"


def _can_be_true(assumed: list[Node], written: Any) -> bool:
    """Look for a distribution at which all assumptions are true, among a few: level, graded, lopsided, on one cell."""
    if not assumed:
        return True
    try:
        shape = SampleSpace(written)  # with steps of its own: what is looked for here is no part of the proof
        last = len(shape.classes)
        lopsided = [1 + 7 * (cell % last == 0) for cell in range(shape.size)]
        one = [int(cell == 0) for cell in range(shape.size)]
        tried: list[Sequence[int]] = [[1] * shape.size, range(1, shape.size + 1), lopsided, one]
        return any(all(map(at_weights(shape, weights).truth, assumed)) for weights in tried)
    except CertificateError:  # it would take long, or be of too many cells
        return False
