"""Verdicts: what is known about a claim, with the evidence."""

from __future__ import annotations

import functools
import itertools
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, ClassVar, Literal, NoReturn, TypeAlias

from fstheory._support.exact import decimal_text, latex_escaped, latex_name, to_text
from fstheory._support.result import ByParts, Result
from fstheory.distributions.joint import JointDistribution
from fstheory.errors import InvalidTypeError, explain
from fstheory.lattice.subsets import default_features
from fstheory.logic.certificate import VERSION_FOR_EVERY_SIZE, Certificate
from fstheory.logic.checker import Branch, Cases, check_certificate
from fstheory.logic.checker_every_size import EverySizeSpace
from fstheory.logic.checker_statement import ONE, Coefficient, Fact, Form, plain
from fstheory.logic.expressions import Node, from_json
from fstheory.logic.statement import Shape, Where, located, text_of


class _Verdict(Result):
    """A verdict; its JSON has the status, and the values of variables by their names."""

    __slots__ = ()
    _derived: ClassVar[tuple[str, ...]] = ("status",)

    def _content(self, features: Sequence[str]) -> dict[str, Any]:
        where = getattr(self, "where", None)
        return super()._content(features) | ({} if where is None else {"where": dict(where)})


class _True(_Verdict):
    __slots__ = ()

    def __bool__(self) -> Literal[True]:
        return True


class _False(_Verdict):
    __slots__ = ()

    def __bool__(self) -> Literal[False]:
        return False


class _Neither(_Verdict):
    __slots__ = ()

    def __bool__(self) -> NoReturn:
        raise InvalidTypeError(f"this verdict is neither true nor false ({self}); compare its status instead")


@dataclass(frozen=True, slots=True)
class Holds(_True):
    """The claim is true at the distribution that was checked, in so many instances; true like True.

    Examples
    --------
    >>> print(Holds("PN-M", 12))
    PN-M: holds, 12 instances
    """

    status: ClassVar[str] = "holds"
    claim: str
    instances: int

    def __str__(self) -> str:
        return f"{self.claim}: holds, {self.instances:,} instance{'s' * (self.instances != 1)}"


@dataclass(frozen=True, slots=True)
class Vacuous(_Neither):
    """An assumption of the claim fails at the distribution, for the values in `where`, so the claim says nothing there.

    Examples
    --------
    >>> print(Vacuous("PN-3", "positive", (("x", {"X1": 0}),)))
    PN-3: vacuous, positive fails at x = (X1=0)
    """

    status: ClassVar[str] = "vacuous"
    claim: str
    assumption: str
    where: Where = field(hash=False)  # lists and objects, as JSON has them

    def __str__(self) -> str:
        return f"{self.claim}: vacuous, {self.assumption} fails{located(self.where)}"


@dataclass(frozen=True, slots=True)
class Refuted(_False):
    """The claim is false: here is a distribution; false like False.

    Attributes
    ----------
    distribution : JointDistribution
        It satisfies the assumptions and violates the claim.
    where : tuple of pairs
        An instance of the claim that is false there.
    minimality : str
        Whether the distribution is the smallest, and how that is known.
    terms : tuple of pairs
        The names that `Model.let` gave to terms of the instance.

    Examples
    --------
    >>> from fstheory.logic import claim
    >>> verdict = claim(lambda m: m.risk(()) == "1/2", name="fair").check(JointDistribution([1, 2]))
    >>> print(verdict)
    fair: refuted by JointDistribution([1, 2]) (at the distribution given)
    >>> bool(verdict), verdict.certificate["values"]
    (False, [[['R', []], '1/3'], [['q', '1/2'], '1/2']])
    """

    status: ClassVar[str] = "refuted"
    claim: str
    distribution: JointDistribution
    where: Where = field(hash=False)
    certificate: Certificate = field(repr=False)
    minimality: str
    terms: tuple[tuple[str, Node], ...] = field(default=(), repr=False, compare=False)
    _derived = ("status", "distribution", "values")

    @property
    def values(self) -> dict[str, str]:
        """What the claim compares, as it is written there and evaluated; ≈ stands before what is rounded."""
        certified = [(from_json(term), value) for term, value in self.certificate["values"]]
        named = {node: name for name, node in self.terms}
        return {text_of(term, self.distribution, named): _number(value) for term, value in certified if term[0] != "q"}

    def __str__(self) -> str:
        return f"{self.claim}: refuted{located(self.where)} by {self.distribution!r} ({self.minimality})"


def _number(value: str | list[str]) -> str:
    return to_text(Fraction(value), 0) if isinstance(value, str) else f"≈{decimal_text(Fraction(value[0]))}"


@dataclass(frozen=True, slots=True)
class Proved(_True):
    """The claim is true for every distribution of a shape; true like True.

    Attributes
    ----------
    evidence : str
        "case split": the certificate has a proof that `check_certificate` verifies; "solvers": only the word of those
        that it names. It also says where assumptions contradict each other, or no formula is left to prove.

    Examples
    --------
    >>> print(Proved("PN-M", Shape((2, 2)), "case split", Certificate({"kind": "proved"})))
    PN-M: proved for every distribution with 2 x 2 states, 2 classes (case split)
    """

    status: ClassVar[str] = "proved"
    claim: str
    shape: Shape
    evidence: str
    certificate: Certificate = field(repr=False)

    @property
    def proof(self) -> WrittenProof:
        """The proof for every number of states, as a person would write it."""
        return WrittenProof(self.certificate)

    def __str__(self) -> str:
        return f"{self.claim}: proved for every distribution with {self.shape} ({self.evidence})"


@dataclass(frozen=True, slots=True)
class Undecided(_Neither):
    """No answer within the limits, for a reason; nothing follows.

    Examples
    --------
    >>> print(Undecided("PN-3", Shape((2, 2, 2, 2)), "600 s are over"))
    PN-3: undecided for 2 x 2 x 2 x 2 states, 2 classes, 600 s are over
    """

    status: ClassVar[str] = "undecided"
    claim: str
    shape: Shape
    reason: str

    def __str__(self) -> str:
        return f"{self.claim}: undecided for {self.shape}, {self.reason}"


@dataclass(frozen=True, slots=True)
class NotRefuted(_Neither):
    """No counterexample in the range that was searched; nothing follows beyond it.

    Examples
    --------
    >>> print(NotRefuted("PN-M", "all weights up to total 6"))
    PN-M: not refuted, searched all weights up to total 6
    """

    status: ClassVar[str] = "not refuted"
    claim: str
    searched: str

    def __str__(self) -> str:
        return f"{self.claim}: not refuted, searched {self.searched}"


@dataclass(frozen=True, slots=True)
class Realized(_True):
    """The ordering is realized by a distribution; true like True.

    Examples
    --------
    >>> print(Realized("X1 < {}", JointDistribution([[1, 0], [0, 1]]), Certificate({"kind": "realized"})))
    X1 < {}: realized by JointDistribution([[1, 0], [0, 1]])
    """

    status: ClassVar[str] = "realized"
    ordering: str
    distribution: JointDistribution
    certificate: Certificate = field(repr=False)
    _derived = ("status", "distribution")

    def __str__(self) -> str:
        return f"{self.ordering}: realized by {self.distribution!r}"


@dataclass(frozen=True, slots=True)
class Impossible(_False):
    """No distribution of the shape has the ordering, with the evidence of `Proved`; false like False.

    Examples
    --------
    >>> print(Impossible("{} < X1", Shape((2,)), "case split", Certificate({"kind": "proved"})))
    {} < X1: impossible for 2 states, 2 classes (case split)
    """

    status: ClassVar[str] = "impossible"
    ordering: str
    shape: Shape
    evidence: str
    certificate: Certificate = field(repr=False)

    def __str__(self) -> str:
        return f"{self.ordering}: impossible for {self.shape} ({self.evidence})"


Verdict: TypeAlias = "Holds | Vacuous | Refuted | Proved | Undecided | NotRefuted | Realized | Impossible"
"""Any verdict; each has a `status` in words and a text."""


# -- The proof in a certificate for every number of states, a step a line.


Sets: TypeAlias = "tuple[int, int, int]"
"""Masks of I(a; b | c); of H(a | c), if a and b are the same."""

_SIGNS = {"{": r"\{", "}": r"\}", "|": r"\mid", "<=": r"\le", ">=": r"\ge"}
_REASONS = {
    "ZY": ", by Zhang and Yeung",
    "HR": ", by Hellman and Raviv",
    "ceiling": ", as a guess may be right",
    "maxima": ", as maxima are single",
}


class WrittenProof(ByParts, Result):
    """A proof for every number of states as a person would write it, read from a certificate while it is verified.

    R is a Bayes risk, H an entropy, I an information. Without a reason stand entropies and informations, of which none
    is below 0, risks, and what more features take from a risk.
    """

    __slots__ = ("lines",)
    lines: tuple[tuple[int, str], ...]  # how far each is indented, and the line, its mathematics between dollar signs

    def __init__(self, certificate: Certificate) -> None:
        if certificate.get("version") != VERSION_FOR_EVERY_SIZE:
            repair = "ask prove with features, without cardinalities"
            raise InvalidTypeError(explain("certificate", "about every number of states", certificate, repair))
        check_certificate(certificate)
        content = plain(dict(certificate))
        reader = _Reader(EverySizeSpace(content["shape"], content["assumptions"]), content["maxima"])
        assumed = [instance["formula"] for instance in content["assume"]]
        places = [located(tuple(instance["where"].items())) for instance in certificate["show"]]
        for place, instance, proof in zip(places, content["show"], content["proofs"], strict=True):
            reader.lines.append((0, f"{instance['name']}{place}:"))
            if "tree" in proof:
                denied = [*assumed, ("not", instance["formula"])]
                reader.close(proof["tree"], reader.extend(denied, ((), ())), denied, "")
            else:
                reader.lines.append((1, f"As{places[proof['image_of']]}, with other names."))
        self.lines = tuple(reader.lines)

    @property
    def _parts(self) -> Any:
        return self.lines

    def __str__(self) -> str:
        return "\n".join("  " * depth + line.replace("$", "") for depth, line in self.lines)

    def to_latex(self) -> str:
        """Return the lines for LaTeX."""
        return " \\\\\n".join(rf"\hspace*{{{depth}em}}{_in_latex(line)}" for depth, line in self.lines)


def _in_latex(line: str) -> str:
    words = line.split("$")
    for i in range(1, len(words), 2):
        signs = re.sub("[{}|]|<=|>=", lambda sign: _SIGNS[sign[0]], words[i])
        words[i] = re.sub(r"X\d+", lambda name: latex_name(name[0]), signs)
    return "$".join(word if i % 2 else latex_escaped(word) for i, word in enumerate(words))


class _Reader(Cases):
    """Writes down what it verifies."""

    def __init__(self, space: EverySizeSpace, maxima: Any) -> None:
        super().__init__(space, maxima)
        self.lines: list[tuple[int, str]] = []
        self._sides: dict[int, tuple[Form, Form, Form]] = {}  # of each comparison, by what it became
        self._depth, self._told = 0, 0  # how many facts are written down

    def _compared(self, kind: str, left: Node, right: Node) -> Fact:
        fact = super()._compared(kind, left, right)
        self._sides[id(fact[1])] = fact[1], self.form(left), self.form(right)
        return fact

    def close(self, tree: Any, branch: Branch, given: Any, place: str) -> int:
        """Say what is supposed, but for what is to be shown, and what follows."""
        (depth, told), facts = (self._depth, self._told), branch[0]
        goal = -1 if place or "split" in tree else _denied(tree["farkas"], facts)
        new = [f"({i + 1}) ${self._comparison(facts[i])}$" for i in range(told, len(facts)) if i != goal]
        if place or new:
            self.lines.append((depth + (not place), f"{'Case' if place else 'Let'} {', '.join(new) or 'by case'}."))
        self._depth, self._told = depth + 1, len(facts)
        leaves = super().close(tree, branch, given, place or "the proof")
        self._depth, self._told = depth, told
        return leaves

    def require_image(self, proof: Any, before: Any, *others: Any) -> None:
        """Say which case before has another name here."""
        super().require_image(proof, before, *others)
        self.lines.append((self._depth, f"Case {len(before) + 1} as case {proof['image_of'] + 1}, with other names."))

    def _contradict(self, pairs: Any, facts: tuple[Fact, ...], place: str) -> None:
        """Write the difference that is denied as a sum of what is at least 0."""
        super()._contradict(pairs, facts, place)
        goal = _denied(pairs, facts)
        used = {reference: (Fraction(times), *self._fact(reference, facts, place)) for reference, times in pairs}
        whole, relation, denied = used.pop(goal, (Fraction(1), ">", {}))
        head, steps = self._sum(denied, -1), []
        for reference, (times, _, form) in used.items():
            why = f", by ({reference + 1})" if type(reference) is int else _REASONS.get(reference[0], "")
            steps.append((self._sum(form, times / whole), why))
        rest = self.sum([(whole, denied), *((times, form) for times, _, form in used.values())]).get(ONE, 0)
        steps += [(to_text(-rest / whole, 0), "")] * (rest != 0)
        end = f"{'>' if relation == '>=' else '>='} 0$"
        against = f", against ({goal + 1})." if ".cases[" in place and goal >= 0 else "."
        if not steps:
            lines = [f"Both sides are ${self._sum(self._sides[id(denied)][1])}${against}"]
        elif [text for text, _ in steps] == [head]:
            lines = [f"${head} {end}{steps[0][1]}{against}"]
        else:
            more = [(f"- {text[1:]}" if text[0] == "-" else f"+ {text}", why) for text, why in steps[1:]]
            steps = [(f"= {steps[0][0]}", steps[0][1]), *more]
            lines = [f"${head}$", *(f"${text}${why}" for text, why in steps), f"${end}{against}"]
        self.lines += ((self._depth + (i > 0), line) for i, line in enumerate(lines))

    def _comparison(self, fact: Fact) -> str:
        _, left, right = self._sides.get(id(fact[1]), (fact[1], {}, fact[1]))
        return f"{self._sum(left)} {fact[0].replace('>', '<')} {self._sum(right)}"

    def _sum(self, form: Form, times: Fraction | int = 1) -> str:
        """Return the multiple of a form, or of the sides of a comparison, as text: risks, maxima, informations."""
        _, left, right = self._sides.get(id(form), (form, {}, form))
        terms = [(sign * times * c, text) for side, sign in ((right, 1), (left, -1)) for c, text in self._terms(side)]
        numbers = (
            (c, "" if abs(c) == 1 and what else to_text(abs(c), 0), what)
            for c, what in sorted(terms, key=lambda term: term[0] < 0)
        )
        text = " ".join(f"{'-' if c < 0 else '+'} {f'{number} {what}'.strip()}" for c, number, what in numbers)
        return text.removeprefix("+ ").replace("- ", "-", text[:1] == "-") or "0"

    def _terms(self, form: Form) -> list[tuple[Fraction, str]]:
        start, stop = 1 << self.shape.n, 3 << self.shape.n  # entropies stand between risks and maxima
        tops, terms = {next(iter(top)): parts for top, parts in self.maxima}, []
        for u, c in form.items():
            if not start < u < stop:
                text = f"R({{{self._names(u)}}})" if u < start else f"max({', '.join(map(self._sum, tops[u]))})"
                terms.append((Fraction(c), text * (u != ONE)))
        entropies = tuple((u - start, c) for u, c in form.items() if start < u < stop)
        return terms + [(Fraction(c), self._text(*sets)) for c, sets in informations(entropies, self.shape.n)]

    def _names(self, mask: int) -> str:
        names = enumerate((*default_features(self.shape.n), "Y"))
        return ", ".join(name for i, name in names if mask > 0 and mask >> i & 1)

    def _text(self, a: int, b: int, c: int) -> str:
        sets = [a] if a == b else [b, a] if b == 1 << self.shape.n else [a, b]
        return f"{'IH'[a == b]}({'; '.join(map(self._names, sets))}{f' | {self._names(c)}' * (c > 0)})"


def _denied(pairs: Any, facts: tuple[Fact, ...]) -> int:
    """Return the number of the last inequality of a branch that a contradiction uses, -1 if there is none."""
    return max((one for one, _ in pairs if type(one) is int and facts[one][0] != "="), default=-1)


@functools.lru_cache(1 << 12)
def informations(entropies: tuple[tuple[int, Coefficient], ...], n: int) -> list[tuple[Coefficient, Sets]]:
    """Return informations and entropies that add up to a linear form of entropies, by mask: few, if that is easy."""
    left, found = dict(entropies), list[tuple[Coefficient, Sets]]()
    for side, sets, signed in _candidates(n) if left else ():
        times = min(sign * left.get(of, 0) for of, sign in signed.items())
        if times > 0:
            found.append((side * times, sets))
            left = {of: c - times * signed.get(of, 0) for of, c in left.items()}
    return found


@functools.cache
def _candidates(n: int) -> list[tuple[int, Sets, dict[int, int]]]:
    """Return what may be added, or subtracted with side -1, and its entropies: first what is best to be read."""
    found = list[tuple[int, Sets, dict[int, int]]]()
    for roles in itertools.product(range(4), repeat=n + 1):  # of each variable: none, or in a, b or c
        a, b, c = (sum(1 << i for i, role in enumerate(roles) if role == one) for one in (1, 2, 3))
        if a and (a < b or not b):
            signed = {a | c: 1, b | c: 1, a | b | c: -1, c: -1} if b else {a | c: 1, c: -1}
            for side in (1, -1):
                found.append((side, (a, b or a, c), {of: side * sign for of, sign in signed.items() if of}))
    found.sort(key=lambda one: (one[1][1] != 1 << n, sum(map(int.bit_count, one[1])), one[1][2:], one[1]))
    return sorted(found, key=lambda one: (-(len(one[2]) // 4), len(one[2]) == 1, -one[0], -len(one[2])))
