"""The kinds of facts, of splits and of certificates, one entry each. All code finds them here by their names.

A fact is an inequality that is true of every distribution. A split is a list of formulas, at least one of which is true
of every distribution. An entry is the function that builds the fact or the split from its arguments, or verifies the
certificate. The decorator in front of it says the rest. The entries stand in `every_size.py`, `cases.py` and
`certificates.py`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import Any, NamedTuple, TypeVar

from fstheory.checker.curves import is_least, read_amount, read_cover, read_ends, read_line, read_tree, shows
from fstheory.checker.numbers import compare, logarithms
from fstheory.checker.reading import MAX_VALUES, cost, list_of, rational, read_node, require, whole, wrong
from fstheory.checker.statement import CRITERIA, ONE

_Builder = TypeVar("_Builder", bound="Callable[..., Any]")

MOST_PARTS = 1000  # the largest denominator of a share in a fact


class Kind(NamedTuple):
    """All that is known of a kind of fact, of split, or of certificate."""

    number: str  # on the page on certificates, and in written proofs
    form: str  # how a certificate refers to it; each argument stands behind its type, as in "subset S"
    meaning: str  # the inequality, the formulas, or the statement of a certificate
    when: tuple[str, ...]  # the conditions on the space and on the arguments, each a key of `CONDITIONS`
    reason: str  # for written proofs, which add the number; empty if a reader needs none
    cited: str  # in the evidence of a verdict whose proof uses it
    trusts: str  # a theorem that the checker does not prove
    about: type  # of the space, the cases of a proof, or the content, that the builder takes
    build: Callable[..., Any]
    words: tuple[str, ...]
    arguments: tuple[tuple[str, str], ...]  # their types and names; of a certificate its versions, kinds and parts

    @property
    def name(self) -> str:
        """The words in the form. If any criterion may follow, the letter Q stands for it."""
        return " ".join((*self.words, *(name for of, name in self.arguments if of == "criterion")))


KINDS: dict[str, dict[str, Kind]] = {"fact": {}, "split": {}, "certificate": {}}
FACTS, SPLITS, CERTIFICATES = KINDS.values()


def entry(table: dict[str, Kind], about: type) -> Callable[..., Callable[[_Builder], _Builder]]:
    """Return the decorator that puts kinds into a table. Their builders take what they are about, and arguments."""

    def described(
        number: str, form: str, meaning: str, *when: str, reason: str = "", cited: str = "", trusts: str = ""
    ) -> Callable[[_Builder], _Builder]:
        parts = form.strip("[]").split(", ")
        words = tuple(part.strip('"') for part in parts if part[0] == '"')
        arguments = tuple((of, name) for of, _, name in (part.partition(" ") for part in parts[len(words) :]))

        def entered(build: _Builder) -> _Builder:
            kind = Kind(number, form, meaning, when, reason, cited, trusts, about, build, words, arguments)
            table[kind.name] = kind
            return build

        return entered

    return described


def kind_of(table: Mapping[str, Kind], reference: Any) -> Kind | None:
    """Return the kind of a fact or split that a certificate refers to, or None if there is no such kind."""
    if type(reference) is str:
        found = table.get(reference)
        return found if found and found.form[0] == '"' else None
    words = [part for part in reference[:2] if type(part) is str] if type(reference) is tuple else []
    names = (" ".join(words), f"{words[0]} Q") if words else ()
    kinds = (table[name] for name in names if name in table)
    return next((kind for kind in kinds if kind.form[0] == "[" and reference[: len(kind.words)] == kind.words), None)


def built(table: Mapping[str, Kind], spaces: Sequence[Any], reference: Any, place: str) -> Any:
    """Return the fact or the split that a certificate refers to, if it is about one of these spaces or cases."""
    kind = kind_of(table, reference)
    about: list[Any] = [space for space in spaces if kind and isinstance(space, kind.about)]
    if kind is None or not about:
        known = ", ".join(one.form for one in table.values() if any(isinstance(space, one.about) for space in spaces))
        raise wrong(place, f"one of {known}", reference)
    given = () if type(reference) is str else reference[len(kind.words) :]
    require(len(given) == len(kind.arguments), place, kind.form, reference)
    space = about[0]
    values = {name: READ[of](space, value, place) for (of, name), value in zip(kind.arguments, given, strict=True)}
    for words in kind.when:
        require(CONDITIONS[words](space, values), place, f"{kind.form} with {words}", reference)
    if kind.trusts:
        space.trusted[kind.trusts] = None
    return kind.build(space, *values.values())


def _share(_: Any, value: Any, place: str) -> Fraction:
    share = rational(value, place)
    require(0 < share < 1 and share.denominator <= MOST_PARTS, place, f"a share in parts of 1/{MOST_PARTS}", value)
    return share


def _strength(_: Any, value: Any, place: str) -> Fraction:
    e = rational(value, place)
    require(1 <= e <= MOST_PARTS and e.denominator <= MOST_PARTS, place, f"with e from 1 to {MOST_PARTS}", value)
    return e


def _criterion(_: Any, value: Any, place: str) -> str:
    require(value in CRITERIA, place, f"about a criterion, one of {', '.join(CRITERIA)}", value)
    return str(value)


def _flag(_: Any, value: Any, place: str) -> bool:
    require(type(value) is bool, place, "true or false", value)
    return bool(value)


def _factors(parts: tuple[Any, ...], place: str) -> tuple[Any, ...]:
    fits = 2 <= len(parts) <= 3 and not any(type(part) is tuple and part[:1] == ("product",) for part in parts)
    require(fits, place, "two or three facts that are no products", parts)
    return parts


# How the value of an argument is read, by its type. A subset or set is a number, in which bit i stands for feature i.
# In a set, bit n stands for the class.
READ: dict[str, Callable[[Any, Any, str], Any]] = {
    "subset": lambda space, value, place: whole(0, 1 << space.n, value, place),
    "set": lambda space, value, place: whole(0, 2 << space.n, value, place),
    "feature": lambda space, value, place: whole(0, space.n, value, place),
    "variable": lambda space, value, place: whole(0, space.n + 1, value, place),
    "criterion": _criterion,
    "count": lambda _, value, place: whole(1, MOST_PARTS, value, place),
    "parts": lambda _, value, place: whole(1, MOST_PARTS + 1, value, place),
    "end": lambda _, value, place: whole(0, MOST_PARTS + 1, value, place),
    "share": _share,
    "part": lambda _, value, place: Fraction(value) if value in ("0", "1") else _share(_, value, place),
    "strength": _strength,
    "cost": lambda _, value, place: cost(value, place),
    "flag": _flag,
    "bound": lambda space, value, place: space.bound(value, place),
    "fact": lambda space, value, place: (">", {ONE: 1}) if value is None else space.fact(value, place),
    "premises": lambda cases, value, place: tuple(
        cases.fact(part, cases.facts, place) for part in _factors(list_of(None, value, place), place)
    ),
    "term": lambda cases, value, place: cases.form(read_node(value, "term", cases.shape, place)),
    "tree": lambda space, value, place: read_tree(value, space.n, place),
    "line": lambda _, value, place: read_line(value, place),
    "cover": lambda _, value, place: read_cover(value, place),
    "amount": lambda _, value, place: read_amount(value, place, 100),
    "number": lambda _, value, place: rational(value, place),
    "ends": lambda _, value, place: read_ends(value, place),
    "cell": lambda space, value, place: whole(0, space.size, value, place),
    "disjunction": lambda cases, value, place: whole(0, len(cases.disjunctions), value, place),
    "maximum": lambda cases, value, place: whole(0, len(cases.maxima), value, place),
    "argument": lambda _, value, place: whole(0, MAX_VALUES, value, place),
    "maxima": lambda cases, value, place: tuple(
        whole(0, len(cases.maxima), part, place) for part in list_of(None, value, place)
    ),
}


def _is_heavy(space: Any, at: Mapping[str, Any]) -> bool:
    q, c, u = at["q"], at["c"], at["u"]
    space.spend(1500)
    return compare(logarithms([(u, 4 * q * (1 - q)), (Fraction(-1), 4 * c * (1 - c))]), Fraction(0)) <= 0


# What a condition says, of the space and of the values of the arguments by their names.
CONDITIONS: dict[str, Callable[[Any, Mapping[str, Any]], bool]] = {
    "k a number": lambda space, _: space.classes is not None,
    "k from 2 on": lambda space, _: (space.classes or 1) > 1,
    "k = 2": lambda space, _: space.classes == 2,
    "k other than 1": lambda space, _: space.classes != 1,
    "'positive' assumed": lambda space, _: "positive" in space.assumptions,
    "'unique_maximum' assumed": lambda space, _: "unique_maximum" in space.assumptions,
    "i not in S": lambda _, at: not at["S"] >> at["i"] & 1,
    "S in T": lambda _, at: at["S"] & at["T"] == at["S"],
    "v in neither set": lambda _, at: not (at["S"] | at["T"]) >> at["v"] & 1,
    "q <= c < 1/2": lambda _, at: at["q"] <= at["c"] < Fraction(1, 2),
    "u log(4q(1 - q)) <= log(4c(1 - c)), so that the line is true": _is_heavy,
    "a <= b <= d/2": lambda _, at: 2 * at["a"] <= 2 * at["b"] <= at["d"],
    "j below 97": lambda _, at: at["j"] < 97,  # the largest prime whose logarithm is an unknown
    "a cover c that shows it": lambda space, at: shows(at["t"], at["l"], at["c"], space.spend),
    "ends e that show it": lambda space, at: is_least(
        space.classes, (at["r"], at["g"], at["h"], at["c"]), at["e"], space.spend
    ),
    "a fact f without entropies": lambda space, at: space.product(at["b"], at["f"][1]) is not None,
    "a proof for every number of states": lambda cases, _: cases.shape.axes == (),
    "j the place of an argument": lambda cases, at: at["j"] < len(cases.maxima[at["k"]][1]),
    "arguments that are sums of probabilities": lambda cases, at: cases.bound(at["k"], None) is not None,
    "arguments j of the maxima m whose sum is argument j of maximum k": lambda cases, at: (
        cases.bound(at["k"], at["m"]) is not None
    ),
}
