"""Proofs for every number of states, written as a person would write them, with one step on each line."""

from __future__ import annotations

import itertools
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from functools import partial
from typing import Any, NamedTuple, TypeAlias

from fstheory._support.exact import in_latex, to_text
from fstheory._support.result import ByParts, Result
from fstheory.checker.cases import Branch, Cases
from fstheory.checker.certificates import check_certificate
from fstheory.checker.every_size import EverySizeSpace
from fstheory.checker.kinds import FACTS, READ, SPLITS, Kind, kind_of
from fstheory.checker.reading import formulas, plain
from fstheory.checker.statement import ONE, Coefficient, Fact, Form, Node, information_text, informations, sum_text
from fstheory.errors import InvalidTypeError, explain
from fstheory.lattice.subsets import default_features
from fstheory.logic.certificate import Certificate
from fstheory.logic.statement import located

Lines: TypeAlias = "list[tuple[int, str]]"
"""The lines of a proof, each after its depth of indentation. Mathematics stands between dollar signs."""

_NOTHING = "Both sides are $0$."


class WrittenProof(ByParts, Result):
    """A proof for every number of states as a person would write it, read from a certificate while it is verified.

    R is a Bayes risk, H an entropy, I an information, G a Gini impurity, B a balanced loss, A an area under the ROC
    curve, V a share of the variance that is explained. The simplest facts stand without a reason: entropies,
    informations and risks are at least 0, and more features do not raise a risk. Every other reason ends with the
    number of a fact or split, such as (F9) or (D4). The page on the format of certificates has their inequalities.
    """

    __slots__ = ("lines",)
    lines: tuple[tuple[int, str], ...]

    def __init__(self, certificate: Certificate) -> None:
        if "features" not in certificate.get("shape", ()):
            repair = "ask prove with features, without cardinalities"
            raise InvalidTypeError(explain("certificate", "about every number of states", certificate, repair))
        check_certificate(certificate)
        content = plain(dict(certificate))
        space = EverySizeSpace(content["shape"], content["assumptions"])
        reader, lines = _Reader(space, content["maxima"]), list[tuple[int, str]]()
        assumed, shown = ([*formulas(content[part], space, part).values()] for part in ("assume", "show"))
        places = [located(tuple(instance["where"].items())) for instance in certificate["show"]]
        for place, instance, formula, proof in zip(places, content["show"], shown, content["proofs"], strict=True):
            as_before = (1, f"as{places[proof.get('image_of', 0)]}, with other names.")
            own = reader.read(proof["tree"], assumed, ("not", formula)) if "tree" in proof else [as_before]
            head = f"{instance['name']}{place}:"
            lines += [(0, f"{head} {own[0][1]}")] if len(own) == 1 else [(0, head), *own]
        self.lines = tuple(lines)

    @property
    def _parts(self) -> Any:
        return self.lines

    def __str__(self) -> str:
        return "\n".join("  " * depth + line.replace("$", "") for depth, line in self.lines)

    def to_latex(self) -> str:
        r"""Return the proof as an environment ``align*`` of the package amsmath, with a row for each step.

        If a line names several facts, each has a row. Long rows are broken. The environment may go over several pages.
        """
        rows = (
            rf"&\hspace*{{{depth + (place > 0)}em}} {_aligned(part)}"
            for depth, line in self.lines
            for place, part in enumerate(_FURTHER.split(line))
        )
        body = " \\\\\n".join(rows)
        return f"\\begingroup\\allowdisplaybreaks\n\\begin{{align*}}\n{body}\n\\end{{align*}}\n\\endgroup"


_LONG = 90  # characters of a row that may be wider than a page
_SEVERAL = re.compile(r"^-| [-+] ")  # in a sum of several terms
_FURTHER = re.compile(r"(?<=,) (?=\(\d+\) \$)")  # before a fact that is not the first of its line


def _aligned(line: str) -> str:
    """Return a line for a row of mathematics: its words become text. A long line becomes a paragraph."""
    if len(line) > _LONG:
        return rf"\parbox[t]{{0.8\linewidth}}{{\raggedright {in_latex(line)}}}"
    parts = in_latex(line).split("$")
    return "".join(part if i % 2 else rf"\text{{{part}}}" * (part != "") for i, part in enumerate(parts))


class _Step(NamedTuple):
    """The end of a branch: its cases, or multiples of facts together with the denial that they contradict."""

    tree: Any
    facts: tuple[Fact, ...]
    cases: list[_Step]
    needs: set[int]  # the numbers of the facts that are used, without one that is only denied
    used: dict[Any, tuple[Fraction, str, Form]]
    goal: int
    rest: Coefficient  # the constant to which the used facts add up
    exact: bool  # whether both sides of the denied comparison are equal


class _Reader:
    """The writer of a proof that the checker has accepted. It uses as few denials as it can.

    It walks the tree of cases once more and asks the checker's `Cases` for the facts of each branch.
    """

    def __init__(self, space: EverySizeSpace, maxima: Any) -> None:
        # The sides of each comparison, by the identity of the form that it became.
        self._sides: dict[int, tuple[Form, Form, Form]] = {}
        self._cases, self._space = Cases(space, maxima, self._remember), space
        self._features, self._variables = space.n, (*default_features(space.n), "Y")
        self._assumed, self._count, self._numbers = 0, 0, dict[int, int]()

    def read(self, tree: Any, assumed: Sequence[Node], denied: Node) -> Lines:
        """Return the lines of a proof: the denial is false under the assumptions."""
        start = self._cases.extend(assumed, ((), ()))
        self._assumed, self._count, self._numbers = len(start[0]), 0, {}
        step = self._walk(tree, self._cases.extend([denied], start), "the proof")
        given = self._given(step, 0)
        return [*[(1, f"Let {given}.")] * bool(given), *self._lines(step, 1)]

    def _remember(self, fact: Fact, left: Form, right: Form) -> None:
        self._sides[id(fact[1])] = fact[1], left, right

    def _walk(self, tree: Any, branch: Branch, place: str) -> _Step:
        """Return the end of a branch, and the ends of its cases."""
        steps, images = list[_Step](), 0  # images may use whatever is given
        if "split" in tree:
            parts = self._cases.parts(tree["split"], branch[1], place)
            listed = [(part, case) for part, case in zip(parts, tree["cases"], strict=True) if "image_of" not in case]
            steps = [self._walk(case, self._cases.extend([part], branch), place) for part, case in listed]
            images = len(parts) - len(listed)
        pairs = tree.get("farkas", [])
        used = {one: (Fraction(times), *self._cases.fact(one, branch[0], place)) for one, times in pairs}
        numbered = [part for one in used for part in _factors(one) if type(part) is int]
        direct = [one for one in used if type(one) is int]
        goal = max((one for one in direct if used[one][1] != "="), default=-1)
        needs = {one for one in numbered if one != goal or one < self._assumed or numbered.count(one) > 1}
        rest = self._cases.sum((times, form) for times, _, form in used.values()).get(ONE, 0)
        exact = not rest and all(fact[1] == ("=" if one != goal else ">") for one, fact in used.items())
        needs.update(*(case.needs for case in steps), range(len(branch[0]) * images))
        return _Step(tree, branch[0], steps, needs, used, goal, rest, exact and goal >= 0)

    def _given(self, step: _Step, told: int) -> str:
        """Return the text of the new facts of a branch that are used, with their numbers."""
        new = [one for one in range(told, len(step.facts)) if one in step.needs]
        self._numbers = self._numbers | {one: self._count + i for i, one in enumerate(new, 1)}
        self._count += len(new)
        return ", ".join(f"({self._numbers[one]}) ${self._comparison(step.facts[one])}$" for one in new)

    def _lines(self, step: _Step, depth: int) -> Lines:
        """Return the lines for the end of a branch. Cases that use no new fact come first."""
        if step.used:
            return self._chain(step, depth)
        told, numbers, images = len(step.facts), self._numbers, len(step.tree["cases"]) - len(step.cases)
        cases, equal, parts = list[_Step](), list[Any](), list[Lines]()
        for case in sorted(step.cases, key=lambda case: not case.exact):
            denied = case.facts[case.goal][1] if case.goal >= 0 else None
            if any(told <= one < len(case.facts) for one in case.needs):
                cases.append(case)
            elif denied is None or self._cases.sum([(-1, denied)]) not in equal:
                equal += [denied] * case.exact
                self._numbers = numbers
                parts.append(self._lines(case, depth))
        more = [part for part in parts if part != [(depth, _NOTHING)]] or parts[:1]
        lines = [line for i, part in enumerate(more) if part not in more[:i] for line in part]
        why = _reason(SPLITS, step.tree["split"])
        word = "Case" if len(cases) + images > 1 else "So" if why else "There remains"
        for case in cases:
            self._numbers = numbers
            lines.append((depth, f"{word} {self._given(case, told)}{why * (case is cases[-1])}."))
            lines += self._lines(case, depth + (word != "So"))
        if why and not cases:  # each formula of the split contradicts what was given before
            stated = (" and ".join(map(self._comparison, case.facts[told:])) for case in step.cases)
            lines.append((depth, f"But ${' or '.join(stated)}${why}."))
        return lines + [(depth, "Likewise, with other names.")] * images

    def _chain(self, step: _Step, depth: int) -> Lines:
        """Return the denied difference as a sum of terms that are all at least 0, or all at most 0."""
        whole, relation, denied = step.used.get(step.goal, (Fraction(1), ">=", {}))
        flip = -1 if self._sum(denied, -1)[:1] == "-" else 1
        head, terms, links = self._sum(denied, -flip), list[tuple[str, str]](), list[tuple[Fraction, list[int]]]()
        for one, (times, _, form) in step.used.items():
            if type(one) is not int and one[0] in ("less", "floor"):
                links.append((times, [*form, ONE][:2]))
            elif one != step.goal:
                named = [f"({self._numbers[part]})" for part in _factors(one) if type(part) is int]
                why = f", by {' and '.join(dict.fromkeys(named))}" * bool(named) or _reason(FACTS, one)
                terms.append((self._times(one, step.facts, form, flip * times / whole), why))
        for times, (above, below) in _linked(links):
            gap: Form = {above: 1, below: -1} if below != ONE else {above: 1}
            terms.append((self._sum(gap, flip * times / whole), ""))
        terms += [(to_text(-flip * step.rest / whole, 0), "")] * (step.rest != 0)
        end = "= 0" if step.exact else f"{'<>'[flip > 0]}{'=' * (relation == '>')} 0"
        against = f", against ({self._numbers[step.goal]})." if step.goal in self._numbers else "."
        if not terms:
            return [(depth, f"Both sides are ${self._sum(self._sides[id(denied)][1])}${against}")]
        if len(terms) == 1:
            text, why = terms[0]
            return [(depth, f"${head}{f' = {text}' * (text != head)} {end}${why}{against}")]
        signs = ["=", *("-" if text[0] == "-" else "+" for text, _ in terms[1:])]
        steps = (f"${sign} {text.removeprefix(sign)}${why}" for sign, (text, why) in zip(signs, terms, strict=True))
        return [(depth, f"${head}$"), *((depth + 1, line) for line in (*steps, f"${end}${against}"))]

    def _comparison(self, fact: Fact) -> str:
        less = {of: -c for of, c in fact[1].items() if c < 0}
        more = {of: c for of, c in fact[1].items() if c > 0}
        _, left, right = self._sides.get(id(fact[1]), (fact[1], less, more))
        return f"{self._sum(left)} {fact[0].replace('>', '<')} {self._sum(right)}"

    def _sum(self, form: Form, times: Fraction | int = 1) -> str:
        """Return the multiple of a form, or of the sides of a comparison, as text: risks, maxima, informations."""
        multiplies = any(len(self._cases.factors(u)) > 1 for u in form)  # then equal terms are joined
        _, left, right = (form, {}, form) if multiplies else self._sides.get(id(form), (form, {}, form))
        terms = [(sign * times * c, text) for side, sign in ((right, 1), (left, -1)) for c, text in self._terms(side)]
        return sum_text(terms, partial(to_text, digits=0))

    def _times(self, reference: Any, facts: tuple[Fact, ...], form: Form, times: Fraction) -> str:
        """Return the multiple of a fact as text. A product of facts is a product of sums, and a square is one, too."""
        if type(reference) is tuple and reference[0] == "squared":
            sums = [self._sum(READ["term"](self._cases, reference[1], "a term"))] * 2
        elif len(parts := _factors(reference)) > 1:
            sums = [self._sum(self._cases.fact(part, facts, "a fact")[1]) for part in parts]
        else:
            return self._sum(form, times)
        text = _multiplied(f"({one})" if _SEVERAL.search(one) else one for one in sums)
        return sum_text([(times, text)], partial(to_text, digits=0))

    def _terms(self, form: Form) -> list[tuple[Fraction, str]]:
        start, stop = 1 << self._features, 3 << self._features  # entropies stand between risks and other criteria
        terms = list[tuple[Fraction, str]]()
        for u, c in form.items():
            if not start < u < stop:
                terms.append((Fraction(c), self._unknown(u) * (u != ONE)))
        entropies = tuple((u - start, c) for u, c in form.items() if start < u < stop)
        return terms + [
            (Fraction(c), information_text(sets, self._variables))
            for c, sets in informations(entropies, self._features)
        ]

    def _unknown(self, u: int) -> str:
        """Return an unknown that is no entropy, or a product, as text."""
        if u >= (size := self._space.size):
            parts = (self._sum(dict(sorted(part.items()))) for part in self._cases.maxima_met[u - size][1])
            return f"max({', '.join(parts)})"
        if u >= ONE:
            pattern, mask = self._space.named(max(u, 0))
            return pattern.replace("{}", f"({{{self._names(mask)}}})")
        named = list(self._cases.parameters)[ONE - 1 - u]
        if isinstance(named, str):
            return named
        return _multiplied(self._sum({factor: 1}) for factor in named)

    def _names(self, mask: int) -> str:
        return ", ".join(name for i, name in enumerate(self._variables) if mask > 0 and mask >> i & 1)


def _factors(reference: Any) -> tuple[Any, ...]:
    """Return the facts whose product is a fact."""
    return reference[1] if type(reference) is tuple and reference[0] == "product" else (reference,)


def _multiplied(factors: Iterable[str]) -> str:
    """Return the product of some texts."""
    powers = Counter(factors)
    return " ".join(f"{text}^{power}" if power > 1 else text for text, power in powers.items())


def _reason(table: Mapping[str, Kind], reference: Any) -> str:
    """Return the reason of a fact or split, with the number that it has on the page on certificates."""
    kind = kind_of(table, reference)
    return f", {kind.reason} ({kind.number})" if kind and kind.reason else ""


def _linked(links: list[tuple[Fraction, list[int]]]) -> list[tuple[Fraction, list[int]]]:
    """Join differences into few with the same sum: R(S) - R(T) and R(T) - R(U) become one."""
    for a, b in itertools.permutations(links, 2):
        if a[0] == b[0] and a[1][1] == b[1][0]:
            return _linked([*(link for link in links if link not in (a, b)), (a[0], [a[1][0], b[1][1]])])
    return links
