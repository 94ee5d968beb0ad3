"""A certificate of a proof as a theorem of Coq: the claim about distributions, and its proof."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import partial
from typing import Any

from fstheory.checker.cases import Cases, by_class, moved, renaming, undivided
from fstheory.checker.certificates import check_certificate
from fstheory.checker.every_size import PRIMES, EverySizeSpace
from fstheory.checker.forms import is_constant
from fstheory.checker.reading import SampleSpace, formulas, plain
from fstheory.checker.statement import COMPARISONS, CRITERIA, LEAVES, ONE, Node, walk
from fstheory.checker.weights import at_weights
from fstheory.coq.kinds import IMPORTS, LISTS
from fstheory.coq.logarithms import in_primes, logarithms_in, sides_that_multiply
from fstheory.coq.sources import coq_name
from fstheory.coq.terms import SIGNS, Terms, listed, parameter, refused
from fstheory.coq.trees import Branch, Trees, extend, lists_used, named_multiples, without_quotients
from fstheory.coq.values import Values

_EMPTY: Branch = ((), ())
_MOST_TERMS = 6  # of a maximum that Coq's virtual machine may compare

_FILE = """\
(* {title}. *)
(* Exported from a certificate with the digest {digest}. *)
From Coq Require Import Reals ZArith NArith List Bool Lia Lra.
From FS Require Import Cases Sums Maxima Distributions {imports}.
Import ListNotations.
Local Open Scope nat_scope.

(* The claim, about every distribution d. *)
Definition statement := forall d : dist, {shape}
{claim}.

(* The same for the verified checker, with the facts that the proof uses, and the trees of its cases. *)
Definition M_ := M {size}.
{definitions}

Theorem {name} : statement.
Proof.
{proof}
Qed.
Print Assumptions {name}.
"""
_EVERY_SIZE = """\
  unfold statement; intros {names}.{equations}
  refine ({theorem} d {about} {unique} {parameters} {lists} Hn {count} _ _ {given}).
  - split; intros E; first [discriminate E | assumption].
  - vm_cast_no_check (eq_refl true)."""
_ONE_SHAPE = """\
  unfold statement; intros {names}.{read}
  rewrite ?bayes_risk_closed.
  destruct d as [ds dk dp dn dt]; cbn [sizes classes] in Hs, Hk; subst ds dk; set (d := Build_dist _ _ dp dn dt).
  intros {hypotheses}.
  enough (X : true_of d {count} {parameters} tops claims) by {conversion} X.
  refine (one_shape d {count} {parameters} {lists} _ _ _).
  - vm_cast_no_check (eq_refl {count}).
  - vm_cast_no_check (eq_refl true).
  - {conversion} {given}."""

_AT_WEIGHTS = """\
(* {title}. *)
(* Exported from a certificate with the digest {digest}. *)
From Coq Require Import Reals ZArith NArith List Bool.
From FS Require Import Cases Sums Distributions Entropies Weights{notions}.
Import ListNotations.
Local Open Scope nat_scope.

(* What is true at some distribution d{negated}. *)
Definition statement := exists d : dist, sizes d = {sizes} /\\ classes d = {classes} /\\
  {claim}.

(* The weights of its cells, the terms that are compared, and the comparisons for the verified checker. *)
Definition weights : list Z := {weights}%Z.
Definition terms : list term := {terms}.
Definition formula : fm := {formula}.

Theorem {name} : statement.
Proof.
  assert (fit : weights_fit {sizes} {classes} weights {total} = true) by vm_cast_no_check (eq_refl true).
  exists (with_weights {sizes} {classes} weights {total} fit). do 2 (split; [reflexivity|]).{renamed}
  refine (at_weights {sizes} {classes} weights {total} fit terms formula _). vm_cast_no_check (eq_refl true).
Qed.
Print Assumptions {name}.
"""


def coq_theorem(certificate: Mapping[str, Any]) -> str:
    """Return the file for Coq that states what a certificate says about distributions, and proves it.

    For a counterexample, or a distribution that has an ordering, the statement is that there is such a distribution.
    The certificate is verified first. The file needs those files of the Coq library that
    `library` returns. Its length is that of the
    certificate with all symmetric cases written out.

    Raises
    ------
    CertificateError
        The certificate is not accepted.
    InvalidValueError
        It has neither a proof by cases nor a table of weights, or no formula, or it uses a fact or a term that the Coq
        library does not have. The message names it.

    Examples
    --------
    >>> content = {"format": "fstheory certificate", "version": 3, "kind": "proved", "claim": "a bound", "maxima": []}
    >>> content |= {"shape": {"features": 1, "classes": None}, "assumptions": [], "assume": []}
    >>> content["show"] = [{"name": "a bound", "where": {}, "formula": ["<=", ["R", [0]], ["R", []]]}]
    >>> content["proofs"] = [{"tree": {"farkas": [[0, "1"], [["less", 0, 0], "1"]]}}]
    >>> from fstheory.checker.reading import certificate_digest
    >>> text = coq_theorem(content | {"digest": certificate_digest(content)})
    >>> print(text[text.index("Definition statement") : text.index("(* The same")].rstrip())
    Definition statement := forall d : dist, length (sizes d) = 1 ->
      (bayes_risk d [0]%nat <= bayes_risk d []%nat)%R.
    """
    content = plain(dict(certificate))
    if not content.keys() & {"proofs", "weights"}:
        raise refused("a certificate with neither a proof by cases nor a table of weights")
    if not check_certificate(content) and not content["show"]:
        raise refused("a statement with no formula, which is true of every distribution")
    return _Theorem(content).text() if "proofs" in content else _at_weights(content)


def _at_weights(content: dict[str, Any]) -> str:
    """Return the theorem that there is a distribution where a claim is false, or true."""
    space = SampleSpace(content["shape"])
    values = content["show"][0]["where"]
    read = (one for part in ("assume", "show") for one in formulas(content[part], space, part).values())
    given = [moved(formula, partial(_valued, values)) for formula in read]
    negated = content["kind"] == "refuted"
    whole: Node = ("and", *given[:-1], ("not", given[-1]) if negated else given[-1])
    weights = list(_flat(content["weights"]))
    sides = Values(space, at_weights(space, weights))
    formula = sides.formula(whole)
    claim = " /\\\n  ".join(f"({sides.statement(part)})%R" for part in whole[1:])
    shape = listed(space.cardinalities), len(space.classes)
    steps = sides.renamed("reflexivity")
    if steps:
        steps.insert(0, "\n  set (d := with_weights {} {} weights {} fit).".format(*shape, content["total"]))
    return _AT_WEIGHTS.format(
        title=_comment(f"{content['claim']}, {content['kind']}"),
        digest=content["digest"],
        negated=": the claim is false there" if negated else "",
        sizes=shape[0],
        classes=shape[1],
        claim=claim,
        renamed="\n".join(steps),
        notions=" Notions" * bool(steps) + sides.notions,
        weights=listed(weights),
        formula=formula,
        terms=sides.written(),  # of the sides that the formula has
        name=coq_name(content["claim"]),
        total=content["total"],
    )


def _valued(values: Mapping[str, Any], leaf: Node) -> Node:
    """Return a leaf, or the value of a parameter."""
    return ("q", Fraction(values[leaf[1]])) if leaf[0] == "t" else leaf


def _flat(weights: Any) -> Iterator[int]:
    """Yield the weights of a nested table in order."""
    if isinstance(weights, int):
        yield weights
    else:
        for part in weights:
            yield from _flat(part)


def _comment(text: str) -> str:
    """Return a text that neither begins nor ends a comment or a string of Coq, which reads strings in comments."""
    return text.replace("*)", "* )").replace("(*", "( *").replace('"', "'")


class _Theorem:
    """One certificate on its way to Coq."""

    def __init__(self, content: dict[str, Any]) -> None:
        self.every = "features" in content["shape"]
        self.named: Sequence[str] = content["assumptions"] if self.every else ()
        self.space: SampleSpace | EverySizeSpace = (
            EverySizeSpace(content["shape"], self.named) if self.every else SampleSpace(content["shape"])
        )
        self.content = content
        used = {name for proof in content["proofs"] for name in lists_used(proof.get("tree", {}), self.space.n)}
        self.assumed, self.shown = (
            list(formulas(content[part], self.space, part).values()) for part in ("assume", "show")
        )
        leaves = [node for formula in (*self.assumed, *self.shown) for node in walk(formula) if node[0] in LEAVES]
        names = dict.fromkeys(leaf[1] for leaf in leaves if leaf[0] == "t")
        if len(set(map(parameter, names))) < len(names):
            raise refused("a pair of parameters whose names differ in special characters alone")
        self.by_class = any("by_class" in proof for proof in content["proofs"])
        if self.by_class and any("tree" in proof for proof in content["proofs"]):
            raise refused("a pair of proofs of which one compares risks by the best classes of states")
        self.premises, self.conclusions = self.assumed, self.shown
        nodes = (node for formula in (*self.assumed, *self.shown) for node in walk(formula))
        self.divides = not self.by_class and any(node[0] in COMPARISONS and undivided(node) for node in nodes)
        cases = Cases(self.space, content["maxima"])
        if self.divides:
            self._multiply_out(cases)
        self.told = list(sides_that_multiply([*self.premises, *self.conclusions]))
        risks_alone = {name for lists in LISTS["every_size"].values() for name in lists}
        beyond = any(leaf[0] in {"H", "C", *CRITERIA} for leaf in leaves)
        entropies = beyond or self.told != [] or not used <= risks_alone
        if entropies and self.content["shape"]["classes"] == 1:
            raise refused("an entropy or another criterion of a class that is the only one")
        self.terms = Terms(self.space, cases, list(names), entropies)
        if self.by_class and isinstance(self.space, SampleSpace):
            space = self.space
            self.premises, self.conclusions = (
                [by_class(formula, space) for formula in part] for part in (self.assumed, self.shown)
            )
        for formula in (*self.premises, *self.conclusions):
            self.terms.visit(formula)
        further = self.terms.criteria or self.terms.products or used & {"further_facts_here", "further_splits_here"}
        every = f"every_size_{'further' if further else 'with_entropies'}" if entropies else "every_size"
        self.theorem = every if self.every else "one_shape"
        self.writer = Trees(self.terms, self.theorem)
        self.trees = list(self._trees(content["proofs"]))

    def _multiply_out(self, cases: Cases) -> None:
        """Multiply out the divisors in premises and conclusions.

        If proof B is the image of proof A under a symmetry, then the conclusion of B is the image of that of A. So its
        divisors keep the order of A.
        """

        def read(formula: Node) -> Node:
            return _with_numbers(without_quotients(formula), cases)

        self.premises = list(map(read, self.assumed))
        shown = [("not", read(("not", formula))) for formula in self.shown]
        for number, proof in enumerate(self.content["proofs"]):
            if "image_of" in proof:
                shown[number] = moved(shown[proof["image_of"]], renaming(proof, self.space, "an image"))
        self.conclusions = shown

    def _trees(self, proofs: Sequence[Any]) -> Iterator[str]:
        start = extend(self.premises, _EMPTY)
        branches = [extend([("not", formula)], start) for formula in self.conclusions]
        for number, proof in enumerate(proofs):
            source, rename = number, None
            if "image_of" in proof:
                source, rename = proof["image_of"], renaming(proof, self.space, "an image")
            tree = proofs[source]["by_class" if self.by_class else "tree"]
            yield self.writer.tree(tree, branches[source], branches[number], rename)

    def text(self) -> str:
        """Return the file."""
        lists, definitions = self._definitions()
        claim = self._claim(self.assumed, self.shown)
        own = " BestClasses" * self.by_class + " Quotients" * self.divides + self.terms.notions
        return _FILE.format(
            title=_comment(f"{self.content['claim']}, for {self.space}"),
            digest=self.content["digest"],
            imports=IMPORTS[self.theorem] + own,
            shape=" ".join(self._shape()),
            claim=claim,
            size=self.terms.size,
            definitions="\n".join(definitions),
            name=coq_name(self.content["claim"]),
            proof=self._proof(lists),
        )

    def _shape(self) -> list[str]:
        """Return what the theorem supposes of the distribution, and its parameters."""
        space = self.space
        if isinstance(space, EverySizeSpace):
            shape = [f"length (sizes d) = {space.n} ->"]
            shape += [] if space.classes is None else [f"classes d = {space.classes} ->"]
        else:
            shape = [f"sizes d = {listed(space.cardinalities)} ->", f"classes d = {len(space.classes)} ->"]
        names = " ".join(map(parameter, self.terms.parameters))
        return [*shape, *(f"{name} d ->" for name in self.named), *([f"forall {names} : R,"] if names else [])]

    def _claim(self, assumed: Iterable[Node], shown: Iterable[Node]) -> str:
        """Return what is shown as a formula for people, below what is assumed."""
        given = [f"  ({self.terms.statement(formula)})%R ->" for formula in assumed]
        parts = list(map(self.terms.statement, shown))
        conclusion = parts[0] if len(parts) == 1 else " /\\\n  ".join(f"({one})" for one in parts)
        return "\n".join([*given, f"  ({conclusion})%R"])

    def _divided(self) -> list[str]:
        """Return the steps that write named notions out, and after them the step that multiplies divisors out."""
        steps = self.terms.renamed("exact Hn" if self.every else "exact Hs")
        if self.terms.named and (self.divides or not self.every):
            steps.append(f"  subst {' '.join(f's{i}' for i in range(len(self.terms.named)))}.")
        if self.divides:
            self.terms.names = False  # the steps above have written all names out
            steps.append(f"  enough (X :\n{self._claim(self.premises, self.conclusions)}) by without_quotients X.")
            self.terms.names = True
        return steps

    def _definitions(self) -> tuple[str, list[str]]:
        """Return the names of the lists that the theorem of the library takes, and their definitions."""
        terms = self.terms
        trees, multiples = named_multiples(map(self.writer.numbered, self.trees))
        lists: dict[str, tuple[str, Iterable[str]]] = {
            "tops": ("list tm", [listed(map(terms.term, top)) for top in terms.tops]),
            **{
                name: (kind, self.writer.used[what][name])
                for what, kinds in LISTS[self.theorem].items()
                for name, kind in kinds.items()
            },
            "assumed": ("fm", map(terms.formula, self.premises)),
            "claims": ("fm", map(terms.formula, self.conclusions)),
            "trees": ("tree", trees),
        }
        lines = [f"Definition {name} := {multiple}." for multiple, name in multiples.items()]
        further = self.theorem == "every_size_further"
        names = ["(criteria_here d)", "products_here"] * further
        lines += self._further() if further else []
        for name, (kind, parts) in lists.items():
            if kind == "known":  # its values are about a distribution
                of_d = f"{name} (d : dist) : list (known (about_here d))"
                lines.append(f"Definition {of_d} := let a := about_here d in {listed(parts)}.")
                names.append(f"({name} d)")
            else:
                lines.append(f"Definition {name} : list ({kind}) := {listed(parts)}.")
                names.append(name)
        return " ".join(names), lines

    def _further(self) -> Iterator[str]:
        """Yield the definitions of further criteria and of products, which facts and splits may be about."""
        terms = self.terms
        yield f"Definition criteria_here (d : dist) : list (list nat -> R) := {listed(terms.places())}%R."
        yield f"Definition product_ (i : N) := var ({terms.first_product} + i)."
        yield f"Definition products_here : list (list tm) := {listed(terms.products)}."
        own = f"{self._about()} {len(terms.parameters)} (criteria_here d) products_here"
        yield f"Definition about_here (d : dist) := About d {own}."

    def _about(self) -> str:
        """Return the number of features, that of classes, and whether all states are assumed to be possible."""
        assert isinstance(self.space, EverySizeSpace)
        k = self.space.classes
        classes = "None" if k is None else f"(Some {k}%positive)"
        return f"{self.space.n} {classes} {str('positive' in self.named).lower()}"

    def _proof(self, lists: str) -> str:
        """Return the proof: the theorem of the library, with the lists that it takes and what is assumed."""
        parameters = list(map(parameter, self.terms.parameters))
        hypotheses = [f"A{i}" for i in range(len(self.assumed))]
        given = hypotheses[-1] if hypotheses else "I"
        for name in reversed(hypotheses[:-1]):
            given = f"(conj {name} {given})"
        if not isinstance(self.space, EverySizeSpace):
            text = _ONE_SHAPE if hypotheses else _ONE_SHAPE.replace("  intros {hypotheses}.\n", "")
            # Coq's virtual machine is fast, but it writes a maximum of n numbers out 2^n times.
            few = all(len(top) <= _MOST_TERMS for top in self.terms.tops)
            conversion = "vm_cast_no_check" if few else "exact"
            known = {"parameters": listed(parameters), "lists": lists, "given": given, "conversion": conversion}
            known |= {"names": " ".join(["d", "Hs", "Hk", *parameters]), "hypotheses": " ".join(hypotheses)}
            return text.format(read=self._read(), count=self.space.size, **known)
        k = self.space.classes
        equations = self._equations(hypotheses)
        assumptions, shown = [name[0].upper() for name in self.named], [] if equations else hypotheses
        return _EVERY_SIZE.format(
            names=" ".join([*["d", "Hn", "Hk"][: 2 + (k is not None)], *assumptions, *parameters, *shown]),
            equations=equations,
            theorem=self.theorem,
            about=self._about(),
            unique=str("unique_maximum" in self.named).lower(),
            parameters=listed(parameters),
            lists=lists,
            count="I" if k is None else "Hk",
            given=given,
        )

    def _read(self) -> str:
        """Return the steps that write named notions out, and that read comparisons of risks by the best classes."""
        parameters = listed(map(parameter, self.terms.parameters))
        steps = [f"\n{step}" for step in self._divided()]
        compared = dict.fromkeys(_compared_risks([*self.assumed, *self.shown])) if self.by_class else ()
        for kind, first, second in compared:
            back = set(second) <= set(first)
            part, whole = (second, first) if back else (first, second)
            word = f"read_{SIGNS[kind].lower()}{'_back' * back}"
            steps.append(f"\n  rewrite !({word} d {parameters} tops {listed(part)} {listed(whole)} eq_refl).")
        return "".join(steps)

    def _equations(self, hypotheses: Sequence[str]) -> str:
        """Return the steps that write logarithms and products as the verified checker does, before what is assumed."""
        steps = self._divided()
        if not self.told and not steps:
            return ""
        numbers = {number for number in logarithms_in(self.told, self.terms.cases) if number not in {1, *PRIMES}}
        steps += [f"  assert (L{i} : {in_primes(number)}." for i, number in enumerate(sorted(numbers))]
        known = "".join(f"?L{i}, " for i in range(len(numbers))) + "?ln_1"
        # A term that is a part of another one is rewritten after it.
        texts = sorted(map(self.terms.equation, self.told), key=lambda text: -text.index(" = "))
        shown = f"by (unfold minus_log, prime_log; rewrite {known}; field). rewrite ?E; clear E."
        steps += [f"  assert (E : ({text})%R) {shown}" for text in dict.fromkeys(texts)]
        steps += [f"  intros {' '.join(hypotheses)}."] if hypotheses else []
        return "\n".join(["", *steps])


def _with_numbers(node: Node, cases: Cases) -> Node:
    """Return a term or a formula in which maxima and minima of numbers are numbers."""
    if node[0] in {"max", "min"} and is_constant(form := cases.form(node)):
        return "q", Fraction(form.get(ONE, 0))
    return node if node[0] in LEAVES else (node[0], *(_with_numbers(part, cases) for part in node[1:]))


def _compared_risks(formulas: Iterable[Node]) -> Iterator[tuple[str, Node, Node]]:
    """Yield the comparisons of risks along inclusion in formulas."""
    for kind, *parts in formulas:
        if kind not in COMPARISONS:
            yield from _compared_risks(parts)
        elif [part[0] for part in parts] == ["R", "R"]:
            first, second = (part[1] for part in parts)
            if set(first) <= set(second) or set(second) <= set(first):
                yield kind, first, second
