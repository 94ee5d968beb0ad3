"""Claims: statements about distributions, declared once in Python, checked exactly and translated for the solver."""

from __future__ import annotations

import builtins
import dis
import functools
import importlib
import inspect
import itertools
import math
import re
import sys
import traceback
from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from fractions import Fraction
from types import CodeType, FunctionType, MappingProxyType, MethodType, NoneType
from typing import Any, TypeAlias, TypedDict, Unpack, overload

from fstheory._support.progress import OutOfTime
from fstheory._support.result import Check, Result
from fstheory.checker.statement import walk
from fstheory.distributions.gallery import DistributionLike, as_distribution
from fstheory.distributions.joint import JointDistribution
from fstheory.errors import (
    ClaimError,
    InvalidTypeError,
    InvalidValueError,
    NotLinearError,
    TooLargeError,
    explain,
    require,
    require_known,
    require_type,
    show,
    unknown,
)
from fstheory.logic.certificate import certificate_at, is_large
from fstheory.logic.evaluate import Evaluation
from fstheory.logic.every_size import EverySize
from fstheory.logic.expressions import (
    ONE,
    TRUE,
    Formula,
    Node,
    comparison,
    conjunction,
    constant,
    difference,
    disjunction,
    formula_node,
    negation,
    product,
    with_leaves,
)
from fstheory.logic.language import Model, Reading, spelled_out
from fstheory.logic.statement import Instance, Shape, Statement, Where, located
from fstheory.logic.verdict import Holds, Refuted, Vacuous
from fstheory.logic.vocabularies import READABLE, ExchangedModel, read_once

_WRITTEN = re.compile(r"(feature|subset|state|classifier) of (\w+)|(feature|subset|state|class)")
_BY_NAME = {"feature": "[ijkl]", "subset": "[A-W]", "state": "[xuvw]", "class": "[yz]"}  # digits may follow
_MOST = 1_000_000  # the largest number of choices of values for the variables of a claim


@dataclass(frozen=True, slots=True)
class Domain(Result):
    """The range of one variable of a claim: all features, all subsets, all states or all classes.

    If `of` names an earlier variable S, the range is restricted to the features, subsets, states or classifiers of S.
    """

    variable: str
    kind: str
    of: str | None = None


# The values chosen so far: one for each of the first variables.
Chosen: TypeAlias = "dict[str, Any]"


def choose_domains(variables: Iterable[str], where: Mapping[str, str]) -> tuple[Domain, ...]:
    """Return the domain of each variable.

    `where` decides. A variable that `where` does not mention has the domain that belongs to its name by convention.
    """
    names = list(variables)
    others = [name for name in where if name not in names]
    require(not others, "where", f"about the variables {names}", next(iter(others), None), "correct the name")
    found: list[Domain] = []
    for name in names:
        if name in where:
            match = _WRITTEN.fullmatch(where[name]) if isinstance(where[name], str) else None
            if match is None or (match[2] and match[2] not in [d.variable for d in found if d.kind == "subset"]):
                kinds = (
                    "'feature', 'subset', 'state', 'class', or one such as 'classifier of S' with an earlier subset S"
                )
                raise InvalidValueError(explain(f"where[{name!r}]", kinds, where[name], "correct it"))
            found.append(Domain(name, match[1] or match[3], match[2]))
            continue
        kind = next((kind for kind, letters in _BY_NAME.items() if re.fullmatch(rf"{letters}\d*", name)), None)
        if kind is None:
            known = (
                "i, j, k, l (features), A .. W (subsets), x, u, v, w (states) or y, z (classes), perhaps with a number"
            )
            raise InvalidValueError(
                explain("a variable", known, name, f"rename it or say where={{{name!r}: 'subset'}}")
            )
        found.append(Domain(name, kind))
    return tuple(found)


def assignments(
    model: Model, domains: Sequence[Domain], place: str, *, disjoint: bool
) -> Iterator[tuple[tuple[Any, ...], Where]]:
    """Yield every choice of values for the variables of a claim, as Python values and as JSON stores them."""
    require_few(model, domains, place, disjoint=disjoint)
    return _located(model, domains, (tuple(chosen.values()) for chosen in _extend(model, domains, {}, disjoint)))


def _located(
    model: Model, domains: Sequence[Domain], chosen: Iterable[tuple[Any, ...]]
) -> Iterator[tuple[tuple[Any, ...], Where]]:
    """Yield some choices of values for the variables of a claim, as Python values and as JSON stores them."""
    for values in chosen:
        pairs = zip(domains, values, strict=True)
        yield values, tuple((domain.variable, _plain(model, domain.kind, value)) for domain, value in pairs)


def require_few(model: Model, domains: Sequence[Domain], place: str, *, disjoint: bool) -> None:
    """Refuse a claim that has too many choices of values for its variables. They are counted, not listed."""
    limit = f"about at most {_MOST:,} choices of its variables"
    try:
        few = _count(model, domains, {}, disjoint) <= _MOST
    except NotLinearError as error:
        raise NotLinearError(f"{place}: {error}") from error
    require(few, f"{place}: the claim", limit, str(model._shape), "use a smaller shape", TooLargeError)


def _extend(model: Model, domains: Sequence[Domain], chosen: Chosen, disjoint: bool) -> Iterator[Chosen]:
    """Yield every way to extend the values chosen so far to all variables."""
    if len(chosen) == len(domains):
        yield chosen
        return
    domain = domains[len(chosen)]
    for value in _values(model, domain, _allowed(model, domains, chosen, disjoint)):
        yield from _extend(model, domains, {**chosen, domain.variable: value}, disjoint)


def _count(model: Model, domains: Sequence[Domain], chosen: Chosen, disjoint: bool) -> int:
    """Return the number of choices. If it exceeds the limit, return some number above the limit."""
    if len(chosen) == len(domains):
        return 1
    domain, *later = domains[len(chosen) :]
    allowed = _allowed(model, domains, chosen, disjoint)
    if (size := _size(model, domain, allowed)) > _MOST:
        return size
    apart = disjoint and domain.kind == "subset" and any(other.kind == "subset" for other in later)
    if not apart and all(other.of != domain.variable for other in later):
        # No later variable depends on this one, so its values need not be tried one by one.
        return size * _count(model, domains, {**chosen, domain.variable: frozenset()}, disjoint)
    alike = _kinds_of_subsets(model, allowed)
    return sum(times * _count(model, domains, {**chosen, domain.variable: of}, disjoint) for of, times in alike)


def _kinds_of_subsets(model: Model, of: frozenset[str]) -> Iterator[tuple[frozenset[str], int]]:
    """Yield a subset of each kind, and the number of subsets of its kind.

    Subsets are of one kind if they have equally many features of each cardinality. Then they leave equally many choices
    for the other variables.
    """
    every = isinstance(model._shape, EverySize)
    sizes = zip(model.order, [1] * len(model.order) if every else model.shape.cardinalities, strict=True)
    together: dict[int, list[str]] = {}
    for name, size in sizes:
        together.setdefault(size, []).extend([name] * (name in of))
    groups = list(together.values())
    for counts in itertools.product(*(range(len(group) + 1) for group in groups)):
        some = (group[:count] for group, count in zip(groups, counts, strict=True))
        yield frozenset(itertools.chain(*some)), math.prod(map(math.comb, map(len, groups), counts))


def _allowed(model: Model, domains: Sequence[Domain], chosen: Chosen, disjoint: bool) -> frozenset[str]:
    """Return the features from which the next variable is built.

    With `disjoint`, a subset must not contain a feature of the subsets chosen before.
    """
    domain = domains[len(chosen)]
    of: frozenset[str] = model.features if domain.of is None else chosen[domain.of]
    if not disjoint or domain.kind != "subset":
        return of
    before = (chosen[other.variable] for other in domains[: len(chosen)] if other.kind == "subset")
    return frozenset.difference(of, *before)  # their order does not matter


def _values(model: Model, domain: Domain, of: frozenset[str]) -> Iterable[Any]:
    """Return the values of a variable, built from the features `of`."""
    if domain.kind == "class":
        return model.classes
    if domain.kind == "feature":
        return [name for name in model.order if name in of]
    if domain.kind == "subset":
        return model.subsets(of)
    if domain.kind == "state":
        return map(MappingProxyType, model.states(of))  # read-only: later instances would see a change
    return model.classifiers(of)


def _size(model: Model, domain: Domain, of: frozenset[str]) -> int:
    """Return the number of values of a variable, without listing them."""
    if domain.kind in {"class", "feature"}:
        return len(model.classes) if domain.kind == "class" else len(of)
    if domain.kind == "subset":
        return int(2 ** len(of))
    cardinalities = zip(model.order, model.shape.cardinalities, strict=True)
    states = math.prod(size for name, size in cardinalities if name in of)
    enough = _MOST.bit_length()  # a product of this many factors, each at least 2, exceeds the limit
    return states if domain.kind == "state" else int(len(model.classes) ** min(states, enough))


def _plain(model: Model, kind: str, value: Any) -> Any:
    """Return the value of a variable in the form that JSON stores."""
    if kind == "subset":
        return [name for name in model.order if name in value]
    if kind == "state":
        return {name: _label(label) for name, label in value.items()}
    if kind == "classifier":
        return [[list(map(_label, state)), _label(y)] for state, y in value.table.items()]
    return _label(value)


def _label(label: Hashable) -> Any:
    """Return the label of a state or class in the form that JSON stores; other types than these become text."""
    return label if type(label) in (int, str, bool) else str(label)


ClaimFunction: TypeAlias = "Callable[..., Formula | bool]"
Deciding: TypeAlias = "Callable[[Model], Iterable[tuple[Any, ...]]]"
"""Returns values of the variables that decide a claim at a distribution: if it is false there, one of them shows it."""


def name_of(function: ClaimFunction) -> str:
    """Return the name of a claim's function, which names the claim unless the caller gives it a name."""
    inner = _innermost(function)
    return str(getattr(inner, "__name__", type(inner).__name__))


def place_of(name: str, function: ClaimFunction, error: BaseException | None = None) -> str:
    """Return the name of a claim with its file and line, for messages.

    Given an error, the line is the last line of that file in the error's traceback. Otherwise it is the line where the
    function begins.
    """
    code = code_of(function)
    if code is None:
        return f"claim {name}"
    line = code.co_firstlineno
    for frame, number in traceback.walk_tb(error.__traceback__ if error else None):
        if frame.f_code.co_filename == code.co_filename:
            line = number
    return f"claim {name} ({code.co_filename}, line {line})"


def variables_of(function: ClaimFunction, name: str) -> tuple[str, ...]:
    """Return the variables of a claim: the parameters of its function after the model.

    Parameters after ``*`` are constants and not variables.
    """
    try:
        parameters = list(inspect.signature(function).parameters.values())
    except (TypeError, ValueError):
        requirement = "applied to a function written in Python"
        raise InvalidTypeError(explain("claim", requirement, function, "write @claim above a def")) from None

    def wrong(requirement: str, value: str, repair: str) -> ClaimError:
        return ClaimError(f"{place_of(name, function)}: a parameter must be {requirement}, not {value}; {repair}")

    found = []
    for parameter in parameters:
        if parameter.kind in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD):
            raise wrong("a variable for each argument", str(parameter), "name the variables one by one")
        given = parameter.default is not parameter.empty
        if given is not (parameter.kind is parameter.KEYWORD_ONLY):
            value = show(parameter.default) if given else ".."
            repair = f"put a constant after a star: *, {parameter.name}={value}"
            raise wrong("without a default" if given else "given a default, as a constant", parameter.name, repair)
        if not given:
            found.append(parameter.name)
    if not found:
        raise wrong("a model and then the variables", "no argument", "write def f(m, S): ..")
    return tuple(found[1:])


def call(name: str, function: ClaimFunction, model: Model, values: tuple[Any, ...], where: Where) -> Node:
    """Call the function of a claim with some values, and return the node of the formula that it returns.

    `where` has the values for messages.
    """

    def place(error: Exception | None = None) -> str:
        return place_of(name, function, error) + located(where, ", at ")

    try:
        returned = function(model, *values)
    except OutOfTime:
        raise
    except (NotLinearError, TooLargeError) as error:
        raise type(error)(f"{place(error)}: {error}") from error
    except Exception as error:  # whatever a person's function raises
        # An index that is too large, such as m.classes[1] where there is one class, is understood from the shape.
        sizes = f"; here are {model._shape}" if isinstance(error, IndexError) else ""
        raise ClaimError(f"{place(error)}: {error_text(error)}{sizes}") from error
    if returned is None:
        raise ClaimError(f"{place()}: it returned None; return a formula (is a 'return' missing?)")
    if not isinstance(returned, Formula | bool):
        repair = "return a comparison: m.risk(S) <= m.risk(T)"
        raise ClaimError(f"{place()}: " + explain("its result", "a formula, True or False", returned, repair))
    return formula_node(returned)


def error_text(error: BaseException) -> str:
    """Return the type and the text of an exception that a user's function raised.

    The exception may be of a class that the user wrote, so even making its text can fail.
    """
    try:
        return f"{type(error).__name__}: {error}"
    except Exception:  # noqa: BLE001 (whatever its __str__ raises)
        return f"{type(error).__name__} (whose text cannot be had: its __str__ fails)"


def _innermost(function: Any) -> Any:
    """Return the function inside decorators, partial applications and bound methods."""
    inner = inspect.unwrap(function)
    if isinstance(inner, functools.partial):
        inner = inner.func
    elif isinstance(inner, MethodType):
        inner = inner.__func__
    return inner if inner is function else _innermost(inner)


def code_of(function: Any) -> CodeType | None:
    """Return the code object of a callable. Return None if it is not written in Python."""
    inner = _innermost(function)
    for candidate in (inner, _innermost(type(inner).__call__)):  # calling an object calls the method of its class
        code = getattr(candidate, "__code__", None)
        if isinstance(code, CodeType):
            return code
    return None


# The callables of Python that the function of a claim may use if it is read once.
_PLAIN: tuple[Any, ...] = (all, any, frozenset, range, set, sum, Fraction)
# The bytecode instructions that such a function must not contain. PUSH_EXC_INFO starts an exception handler.
_UNREADABLE = {"IS_OP", "MATCH_CLASS", "PUSH_EXC_INFO", "STORE_SUBSCR"}


def is_readable(value: Any, *, texts: bool, names: Collection[str] = READABLE, plain: Sequence[Any] = _PLAIN) -> bool:
    """Return whether a function, and all functions that it calls, use only constants and the vocabulary of claims.

    Such a function has no state. It behaves in the same way for a symbol as for a set, unless it does something that a
    symbol refuses. So one call with symbols stands for the calls with all sets.

    `texts` says whether the function may contain strings. If features are among its variables, it must not: it could
    compare a feature with a name. It may use the `names` of the vocabulary, and the `plain` callables of Python.
    """
    readable_too = functools.partial(is_readable, texts=texts, names=names, plain=plain)
    kind = type(value)
    if kind is tuple or kind is Claim:
        return all(map(readable_too, value if kind is tuple else [value.body]))
    if kind is not FunctionType:
        return kind in {int, bool, Fraction, NoneType} or (texts and kind is str) or any(value is one for one in plain)
    used = [value.__defaults__, *(value.__kwdefaults__ or {}).values()]
    used += [cell.cell_contents for cell in value.__closure__ or ()]
    scope, codes, readable = vars(builtins) | value.__globals__, [value.__code__], not vars(value)
    # `codes` grows during the loop: the code of inner functions is found as a constant of the outer code.
    for outer, step in ((code.co_freevars, step) for code in codes for step in dis.get_instructions(code)):
        if step.opname == "LOAD_GLOBAL":
            used.append(scope.get(step.argval, ...))
        elif step.opname == "LOAD_CONST":
            (codes if isinstance(step.argval, CodeType) else used).append(step.argval)
        elif step.opcode in dis.hasname:
            readable &= step.opname in {"LOAD_ATTR", "LOAD_METHOD"} and step.argval in names
        elif step.opname in {"STORE_DEREF", "DELETE_DEREF"}:
            readable &= step.argval not in outer  # so no function has a state, nor a loop in it
        else:
            readable &= step.opname not in _UNREADABLE
    return readable and readable_too(tuple(used))


@dataclass(frozen=True, slots=True, repr=False)
class Claim(Result):
    """A statement about distributions, made by the decorator `claim`.

    It says: at every distribution that satisfies the assumptions, the formula that the function returns is true for all
    values of its variables.

    Attributes
    ----------
    name : str
        The name of the function, unless `claim` was given another one.
    assumptions : tuple of Claim
        The claims that a distribution must satisfy.
    dropped : tuple of str
        The names of the assumptions that `without` removed.

    Examples
    --------
    >>> from fstheory.logic import claim
    >>> @claim
    ... def monotone(m, S, i):
    ...     return m.risk(S | {i}) <= m.risk(S)
    >>> monotone.check(JointDistribution([[3, 1], [1, 3]]))
    Holds(claim='monotone', instances=1)
    """

    name: str
    body: ClaimFunction = field(repr=False)
    domains: tuple[Domain, ...] = field(repr=False)
    assumptions: tuple[Claim, ...] = ()
    disjoint: bool = field(default=False, repr=False)
    dropped: tuple[str, ...] = ()
    _readings: list[Reading | None] = field(default_factory=list, repr=False, compare=False)
    _deciding: Deciding | None = field(default=None, repr=False, compare=False)

    def __str__(self) -> str:
        assumed = " and ".join(assumption.name for assumption in self.assumptions)
        return f"{self.title}{f', assuming {assumed}' if assumed else ''}"

    def __reduce__(self) -> tuple[Any, tuple[Any, ...]]:
        """Pickle the function by its module and name, if it can be found there.

        The decorator usually puts the claim in the place of the function; then the claim found there leads to it.
        """
        place = getattr(self.body, "__module__", None), getattr(self.body, "__qualname__", None)
        body = place if _found(*place) is self.body else self.body
        fields = (self.domains, self.assumptions, self.disjoint, self.dropped, self._readings, self._deciding)
        return _restored, (self.name, body, *fields)

    @property
    def reading(self) -> Reading | None:
        """The formula that the function returns if it is called once with symbols, and the terms that it names.

        The symbols stand for all sets and features. Where a reading exists, the function is not called again: the
        formula is spelled out for the sets of each instance. `prove` can prove such a claim for every number of
        features.

        The reading is None if the function asks anything of its sets except which of them contain each other, or if it
        depends on anything except its arguments. To get a reading, write ``(S == T) | f`` and ``{i} <= S``; do not
        write ``S == T or f`` or ``i in S``.
        """
        if not self._readings:
            kinds, found = [domain.kind for domain in self.domains], None
            with suppress(Exception):  # a symbol raises an error when the function asks it something it cannot answer
                if {*kinds} <= {"subset", "feature"} and is_readable(self.body, texts="feature" not in kinds):
                    found = read_once(self.body, kinds)
            self._readings.append(found)
        return self._readings[0]

    @property
    def title(self) -> str:
        """The name of the claim, followed by the assumptions that were dropped."""
        return self.name + "".join(f" without {name}" for name in self.dropped)

    def __call__(self, model: Model, *values: Any) -> Formula | bool:
        """Return the formula for these values, as the function does. So a claim can be a part of another claim."""
        return self.body(model, *values)

    def without(self, *names: str | Claim) -> Claim:
        """Return the claim with some of its `assumptions` dropped. Name each one, or pass it as a claim."""
        gone = list(dict.fromkeys(name.name if isinstance(name, Claim) else name for name in names))
        known = [assumption.name for assumption in self.assumptions]
        for name in gone:
            if name not in known:
                raise unknown(f"assumption of {self.name}", name, known)
        kept = tuple(assumption for assumption in self.assumptions if assumption.name not in gone)
        return replace(self, assumptions=kept, dropped=(*self.dropped, *gone))

    def statement(self, subject: Shape | JointDistribution, *, exchange: bool = False) -> Statement:
        """Return the claim spelled out for one shape: one formula for each choice of values of its variables.

        Given a distribution, the claim is spelled out for the shape of the distribution, with its names.
        With `exchange`, a claim for every number of states in which a feature is the only target is spelled out with
        this feature and the class exchanged. The title of the statement says so.

        Raises
        ------
        ClaimError
            The function of the claim, or of an assumption, raises an error or does not return a formula.
        NotLinearError
            The function asks for ``m.distribution``, and `subject` is a shape.
        TooLargeError
            There are more than a million choices of values for the variables.

        Examples
        --------
        >>> [str(instance) for instance in positive.statement(Shape((2,))).show]
        ['positive at x = (X1=0)', 'positive at x = (X1=1)']
        """
        shape, named = Model(subject)._shape, self.by_name(subject)
        try:
            assume, show = map(tuple, self.spelled_out(subject))
        except NotLinearError:
            for name in shape.features if exchange else ():  # one of which may be the only target
                with suppress(NotLinearError, ClaimError):
                    assume, show = map(tuple, self.spelled_out(shape, exchanged=name))
                    return Statement(f"{self.title}{_WITH}{name}{_EXCHANGED}", shape, assume, show)
            raise
        return Statement(self.title, shape, assume, show, named)

    def by_name(self, subject: object = None) -> tuple[str, ...]:
        """Return the names of the assumptions that a certificate names instead of spelling them out.

        For every size these are the assumptions of Peña and Nilsson, which are about states. The certificate of a
        distribution on many cells also names them: leave `subject` out to ask for that case.
        """
        named = subject is None or isinstance(subject, EverySize)
        return tuple(assumption.name for assumption in self.assumptions if named and assumption in KNOWN.values())

    def spelled_out(
        self,
        subject: Shape | JointDistribution,
        *,
        steps: int | None = None,
        named: bool = False,
        exchanged: str | None = None,
    ) -> tuple[Iterator[Instance], Iterator[Instance]]:
        """Return two iterators: the instances that `statement` assumes, and the instances that it shows.

        The instances are made one by one, in at most `steps` steps. A step is one choice of values for the variables,
        or one subset, state or probability that the function mentions. With `named`, the assumptions that a certificate
        can name are left out, as they are for every size. With `exchanged`, this feature and the class
        change places, as in `ExchangedModel`. No assumption may then be named, because `positive` is about all features
        but not about the class.
        """
        model, known = Model(subject, steps=steps), self.by_name(None if named else subject)
        spelled = [assumption for assumption in self.assumptions if assumption.name not in known]
        if exchanged is not None:
            repair = "leave the assumption out, or give cardinalities"
            require(
                not self.by_name(), "a feature as target", "without such assumptions", str(self), repair, NotLinearError
            )
            model = ExchangedModel(model._shape, exchanged, steps=steps)
        show, *assumed = (one._instances(model) for one in (self, *spelled))
        assume: Iterator[Instance] = itertools.chain(*assumed)
        if isinstance(size := model._shape, EverySize):
            assume = (_without_priors(size, instance, assumed=True) for instance in assume)
            said = (_without_priors(size, instance) for instance in show)
            show = (instance for instance in said if instance.formula != TRUE)
        return assume, show

    def check(self, d: DistributionLike, *, steps: int | None = None) -> Holds | Vacuous | Refuted:
        """Decide the claim exactly at one distribution.

        The verdict is `Holds`, `Vacuous` if an assumption fails, or `Refuted` if an instance of the claim is false.
        With `steps`, a claim that takes more steps to spell out raises a `TooLargeError`. See `spelled_out`.

        Raises
        ------
        ClaimError
            `statement` would raise it, or a number cannot be computed exactly: a division by 0, or a product of a
            logarithm and a square root.

        Examples
        --------
        >>> @claim(assume=[positive])
        ... def first_is_best(m, i):
        ...     return m.risk("X1") <= m.risk(i)
        >>> print(first_is_best.check(JointDistribution([[[1, 0], [0, 1]], [[0, 0], [1, 1]]])))
        first_is_best: vacuous, positive fails at x = (X1=1, X2=0)
        """
        d = as_distribution(d)
        model, at, named = Model(d, steps=steps), Evaluation(d), self.by_name() if is_large(d) else ()
        for name, where in self._failing_assumptions(model, at):
            return Vacuous(self.title, name, where)
        found, decided = self._first_false(self._deciding_instances(model), at)
        if found is None:
            return Holds(self.title, decided)
        spelled = (assumption._instances(model) for assumption in self.assumptions if assumption.name not in named)
        statement = Statement(self.title, model.shape, tuple(itertools.chain(*spelled)), (found,), named)
        with found.pointing_here():
            certificate = certificate_at("refuted", statement, found, d)
        how = f"at the distribution given{self.coincidence(found.where)}"
        return Refuted(self.title, d, found.where, certificate, how, found.terms)

    def _failing_assumptions(self, model: Model, at: Evaluation) -> Iterator[tuple[str, Where]]:
        """Yield each assumption that fails at the model's distribution: its name, and values for which it is false."""
        for assumption in self.assumptions:
            known = _decided(assumption, model.distribution)
            if known is not None and not known:
                state = {name: _label(label) for name, label in (known.witness or {}).items()}
                yield assumption.name, (("x", state),)
            every = assumption._instances(model) if known is None else iter(())
            false = next((instance for instance in every if not instance.holds(at)), None)
            if false is not None:
                yield assumption.name, false.where

    def _deciding_instances(self, model: Model) -> Iterator[Instance]:
        """Yield instances of which one is false at the model's distribution if the claim is false there.

        These are all instances, unless the claim names fewer that suffice.
        """
        return self._instances(model, self._deciding(model) if self._deciding else None)

    def _first_false(self, instances: Iterator[Instance], at: Evaluation) -> tuple[Instance | None, int]:
        """Return the first false instance, and the number of true instances before it.

        An instance whose variables have different values is preferred. One with equal values, such as i = j, is
        returned only if no other instance is false.
        """
        degenerate, decided = None, 0
        while True:
            try:
                if (instance := next(instances, None)) is None:
                    return degenerate, decided
                same = bool(self.coincidence(instance.where))
                if degenerate is not None and same:
                    continue
                false = instance.false_at(at)
            except ClaimError:  # after a false instance was found, later instances need not have a value
                if degenerate is None:
                    raise
                continue
            if false is None:
                decided += 1
            elif same:
                degenerate = false
            else:
                return false, decided

    def coincidence(self, where: Where) -> str:
        """Return advice on how to exclude instances whose variables have equal values, such as i = j.

        The text names the pairs that are equal in this instance. It is empty if all values differ.
        """
        where = where[: len(self.domains)]  # the pairs after these are values of parameters
        kinds = [(domain.kind, value) for domain, (_, value) in zip(self.domains, where, strict=True)]
        same = [(where[kinds.index(kind)][0], name) for kind, (name, _) in zip(kinds, where, strict=True)]
        pairs = [f"{first} == {name}" for first, name in same if first != name]
        advice = f"; to leave {' and '.join(pairs)} out, let the claim begin with: if {' or '.join(pairs)}: return True"
        return advice * bool(pairs)

    def _instances(self, model: Model, chosen: Iterable[tuple[Any, ...]] | None = None) -> Iterator[Instance]:
        """Return an iterator over the instances for the `chosen` values of the variables, by default for all values."""
        if chosen is not None:
            return self._spelled(model, _located(model, self.domains, chosen))
        place = place_of(self.name, self.body)
        return self._spelled(model, assignments(model, self.domains, place, disjoint=self.disjoint))

    def _spelled(self, model: Model, every: Iterable[tuple[tuple[Any, ...], Where]]) -> Iterator[Instance]:
        """Yield the instances one by one. Leave out formulas that are always true, and yield each formula once."""
        seen: set[Node] = {TRUE}
        place, function = place_of(self.name, self.body), self.body
        if self.reading is not None:
            function = functools.update_wrapper(functools.partial(spelled_out, self.reading), self.body)
        for values, where in every:
            if self.reading is None:  # otherwise the formula counts the step when it is spelled out
                model._step()
            model._named.clear()
            formula = call(self.name, function, model, values, where)
            # `Model.parameter` names the formula "the parameter is in its interval"; `Model.let` names terms.
            if inside := {name: node for name, node in model._named.items() if node[0] == "and"}:
                new, what = inside.keys().isdisjoint(dict(where)), f"{place}{located(where, ', at ')}: a parameter"
                require(new, what, "named unlike a variable", [*inside], "rename it", ClaimError)
                formula = disjunction(*map(negation, inside.values()), formula)
            if formula not in seen:
                seen.add(formula)
                yield Instance(self.name, where, formula, place, tuple(model._named.items()), tuple(inside))


def _without_priors(size: EverySize, instance: Instance, *, assumed: bool = False) -> Instance:
    """Return an instance about two classes without the probabilities of the classes, which no assumption may have.

    One class has the probability R({}), and the other one 1 - R({}). All other terms stay as they are if the two
    classes are exchanged. So the formula is true of all distributions if and only if it is true of all with either
    choice of the rarer class: the conjunction of both.

    Beside cost-sensitive risks, each part of the conjunction has premises on the rarer class. Let c < 1/2 be a cost.
    Without features, the risk is c R({}) if class 0 is the rarer one, and min((1 - c) R({}), c (1 - R({}))) if class 1
    is. The former is the smaller one, and the two are equal for R({}) = 0 and R({}) = 1/2 alone. If c > 1/2, the
    classes change places.
    """
    priors = [node for node in walk(instance.formula) if node[0] == "P"]
    if not priors:
        return instance
    if size.classes != 2:
        raise NotLinearError("for every number of states, probabilities of classes are those of two: give classes=2")
    repair = "let the claim return m.implies(..)"
    require(not assumed, "what is assumed", "without probabilities of classes", str(instance), repair, ClaimError)
    rare, other = ("R", ()), difference(ONE, ("R", ()))
    chances: list[dict[int | None, Node]] = [{None: ONE, 0: rare, 1: other}, {None: ONE, 0: other, 1: rare}]
    both = [with_leaves(instance.formula, {node: of[node[2]] for node in priors}) for of in chances]
    for cost in dict.fromkeys(node[2] for node in walk(instance.formula) if node[0] == "C"):
        blind, (low, high) = ("C", (), cost), sorted((Fraction(cost), 1 - Fraction(cost)))
        other_rare = ("min", product(constant(high), rare), product(constant(low), other))
        known = [comparison("<=", blind, product(constant(low), rare)), comparison("<=", other_rare, blind)]
        known = known if low == Fraction(cost) else known[::-1]
        both = [disjunction(negation(rarer), part) for rarer, part in zip(known, both, strict=True)]
    return replace(instance, formula=conjunction(*both))


_WITH, _EXCHANGED = " with ", " and Y exchanged"


def exchanged_in(title: str) -> tuple[str, str | None]:
    """Return the title of a claim, and the feature that has changed places with the class in its statement, or None."""
    first, _, name = title.removesuffix(_EXCHANGED).rpartition(_WITH)
    return (first, name) if title.endswith(_EXCHANGED) else (title, None)


def _found(module: Any, qualname: Any) -> Any:
    """Return the function of this module and name. If a claim has that name, return the function of the claim."""
    found = sys.modules.get(module)
    for name in str(qualname).split("."):
        found = getattr(found, name, None)
    return found.body if isinstance(found, Claim) else found


def _restored(name: str, body: Any, *rest: Any) -> Claim:
    """Rebuild a claim from its pickle."""
    if isinstance(body, tuple):
        importlib.import_module(body[0])
        body = _found(*body)
    return Claim(name, body, *rest)


class _Options(TypedDict, total=False):
    assume: Claim | str | Iterable[Claim | str]
    where: Mapping[str, str] | None
    disjoint: bool
    name: str | None
    decided_by: Deciding | None


@overload
def claim(function: ClaimFunction, /, **options: Unpack[_Options]) -> Claim: ...
@overload
def claim(**options: Unpack[_Options]) -> Callable[[ClaimFunction], Claim]: ...
def claim(
    function: ClaimFunction | None = None,
    /,
    *,
    assume: Claim | str | Iterable[Claim | str] = (),
    where: Mapping[str, str] | None = None,
    disjoint: bool = False,
    name: str | None = None,
    decided_by: Deciding | None = None,
) -> Claim | Callable[[ClaimFunction], Claim]:
    """Make a claim from a function.

    Use it to state a theorem once in Python. You can then check it at a distribution, search for a counterexample, or
    ask for a proof. Write it as a decorator, with or without arguments, or call it with the function.

    The first argument of the function is a `Model`, the vocabulary of the claim. The other arguments are the variables
    of the claim. Arguments after a star, ``*, k=3``, are constants. The function may branch on sets and names, and it
    returns a formula (or True). If it only compares sets and combines their risks and informations, it is called once;
    see `Claim.reading`.

    Parameters
    ----------
    assume : claims or their names
        The claims that the distribution must satisfy: `positive`, `unique_maximum`, or any other claim that assumes
        nothing. The first two may be given by name, as in ``assume=["positive"]``.
    where : mapping from variable to domain, optional
        The domain of a variable is ``"feature"``, ``"subset"``, ``"state"`` or ``"class"``. For an earlier variable S
        it may also be ``"feature of S"``, ``"subset of S"``, ``"state of S"`` or ``"classifier of S"``. Variables that
        are not mentioned follow a convention: ``i j k l`` are features, ``A`` to ``W`` subsets, ``x u v w`` states of
        all features, ``y z`` classes. Digits may follow each of these letters.
    disjoint : bool
        Whether the claim is only about subsets that do not overlap.
    name : str, optional
        The name of the claim. By default it is the name of the function.
    decided_by : callable, optional
        Use it for a claim with too many instances, such as one about all classifiers. Given the model of a
        distribution, it returns values of the variables, one tuple for each instance. If the claim is false at the
        distribution, one of these instances must be false. `Claim.check` then looks at no others.

    Raises
    ------
    ClaimError
        A variable has no domain or is not a plain argument, or an assumption has assumptions of its own.
    UnknownNameError
        No assumption has this name.

    Examples
    --------
    >>> @claim(assume=[positive, unique_maximum], where={"more": "subset"})
    ... def more_is_better(m, i, more):
    ...     return m.risk(more | {i}) < m.risk(more) if i not in more else True
    >>> more_is_better.check(JointDistribution([[3, 1], [1, 3]]))
    Holds(claim='more_is_better', instances=1)
    """
    if function is None:
        options: _Options = {"assume": assume, "where": where, "disjoint": disjoint, "name": name}
        return functools.partial(claim, **options, decided_by=decided_by)
    if not callable(function) or isinstance(function, Claim):
        raise InvalidTypeError(explain("claim", "applied to a function", function, "write @claim above a def"))
    title = name_of(function) if name is None else name
    if not isinstance(title, str) or not title or not title.isprintable():
        place = place_of(name_of(function), function)
        raise InvalidTypeError(f"{place}: " + explain("name", "a text of printable characters", name, "leave it out"))
    place = place_of(title, function)
    asked = {} if where is None else where
    require_type(asked, Mapping, f"{place}: where", "a mapping", "write {'g': 'classifier of S'}")
    variables = variables_of(function, title)
    try:
        domains = choose_domains(variables, asked)
    except InvalidValueError as error:
        raise ClaimError(f"{place}: {error}") from error
    assumptions = assumptions_in(assume, f"{place}: ")
    return Claim(title, function, domains, assumptions, bool(disjoint), _deciding=decided_by)


def assumptions_in(assume: object, place: str = "") -> tuple[Claim, ...]:
    """Return the assumptions as claims. They are given as claims or by name, in a list or as a single one."""
    found: dict[str, Claim] = {}
    for assumption in assume if isinstance(assume, Iterable) and not isinstance(assume, str) else [assume]:
        if isinstance(assumption, str):
            require_known(assumption, f"{place}assumption", KNOWN)
            assumption = KNOWN[assumption]
        given = require_type(assumption, Claim, f"{place}assume", "claims or their names", "write ['positive'], say")
        moved = f"move its assumptions ({', '.join(claim.name for claim in given.assumptions)}) here"
        nothing = "made of claims that assume nothing themselves"
        require(not given.assumptions, f"{place}assume", nothing, given.name, moved, ClaimError)
        same = found.setdefault(given.name, given) == given
        require(same, f"{place}assume", "of distinct names", given.name, "rename one", ClaimError)
    return tuple(found.values())


@claim
def positive(m: Model, x: Mapping[str, Any]) -> Formula:
    """p(x) > 0 for every state x of the features. This is the first assumption of Peña and Nilsson."""
    return m.probability(x) > 0


@claim
def unique_maximum(m: Model, x: Mapping[str, Any]) -> Formula:
    """p(Y|x) has a single maximum wherever p(x) > 0. This is the second assumption of Peña and Nilsson."""
    ahead = (m.all(m.probability(x, z) < m.probability(x, y) for z in m.classes if z != y) for y in m.classes)
    return (m.probability(x) == 0) | m.any(ahead)


KNOWN = {"positive": positive, "unique_maximum": unique_maximum}
"""The assumptions that can be given by name."""


def _decided(assumption: Claim, d: JointDistribution) -> Check | None:
    """Decide an assumption of Peña and Nilsson at a distribution without spelling it out.

    Return None for any other claim.
    """
    if assumption == positive:
        return d.is_positive()
    return d.has_unique_maximum() if assumption == unique_maximum else None
