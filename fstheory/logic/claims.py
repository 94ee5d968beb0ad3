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
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from fractions import Fraction
from types import CodeType, FunctionType, MappingProxyType, MethodType, NoneType
from typing import Any, TypeAlias, TypedDict, Unpack, overload

from fstheory._support.progress import Clock
from fstheory._support.result import Check, Result
from fstheory.distributions.joint import JointDistribution, require_distribution
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
from fstheory.logic.expressions import TRUE, Formula, Node, disjunction, formula_node, negation
from fstheory.logic.language import READABLE, Model, Reading, read_once, spelled_out
from fstheory.logic.statement import Instance, Shape, Statement, Where, located
from fstheory.logic.verdict import Holds, Refuted, Vacuous

_WRITTEN = re.compile(r"(feature|subset|state|classifier) of (\w+)|(feature|subset|state|class)")
_BY_NAME = {"feature": "[ijkl]", "subset": "[A-W]", "state": "[xuvw]", "class": "[yz]"}  # perhaps with a number
_MOST = 1_000_000


@dataclass(frozen=True, slots=True)
class Domain(Result):
    """The range of one variable: all features, subsets, states or classes, or those `of` another variable."""

    variable: str
    kind: str
    of: str | None = None


Chosen: TypeAlias = "dict[str, Any]"  # a value for each of the first variables


def choose_domains(variables: Iterable[str], where: Mapping[str, str]) -> tuple[Domain, ...]:
    """Return the domain of each variable: as `where` says, else by the convention for its name."""
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
    """Yield every choice of values for the variables, as they are and as JSON has them."""
    limit = f"about at most {_MOST:,} choices of its variables"
    try:
        few = _count(model, domains, {}, disjoint) <= _MOST
    except NotLinearError as error:
        raise NotLinearError(f"{place}: {error}") from error
    require(few, f"{place}: the claim", limit, str(model._shape), "use a smaller shape", TooLargeError)
    for chosen in _extend(model, domains, {}, disjoint):
        where = ((domain.variable, _plain(model, domain.kind, chosen[domain.variable])) for domain in domains)
        yield tuple(chosen.values()), tuple(where)


def _extend(model: Model, domains: Sequence[Domain], chosen: Chosen, disjoint: bool) -> Iterator[Chosen]:
    if len(chosen) == len(domains):
        yield chosen
        return
    domain = domains[len(chosen)]
    for value in _values(model, domain, _allowed(model, domains, chosen, disjoint)):
        yield from _extend(model, domains, {**chosen, domain.variable: value}, disjoint)


def _count(model: Model, domains: Sequence[Domain], chosen: Chosen, disjoint: bool) -> int:
    """Return how many choices there are, or some number above the limit if they are more."""
    if len(chosen) == len(domains):
        return 1
    domain, *later = domains[len(chosen) :]
    allowed = _allowed(model, domains, chosen, disjoint)
    if (size := _size(model, domain, allowed)) > _MOST:
        return size
    apart = disjoint and domain.kind == "subset" and any(other.kind == "subset" for other in later)
    if not apart and all(other.of != domain.variable for other in later):
        return size * _count(model, domains, {**chosen, domain.variable: frozenset()}, disjoint)
    values = _values(model, domain, allowed)
    return sum(_count(model, domains, {**chosen, domain.variable: value}, disjoint) for value in values)


def _allowed(model: Model, domains: Sequence[Domain], chosen: Chosen, disjoint: bool) -> frozenset[str]:
    """Return the features that the next variable is about."""
    domain = domains[len(chosen)]
    of: frozenset[str] = model.features if domain.of is None else chosen[domain.of]
    if not disjoint or domain.kind != "subset":
        return of
    return of.difference(*(chosen[other.variable] for other in domains[: len(chosen)] if other.kind == "subset"))


def _values(model: Model, domain: Domain, of: frozenset[str]) -> Iterable[Any]:
    if domain.kind == "class":
        return model.classes
    if domain.kind == "feature":
        return [name for name in model.order if name in of]
    if domain.kind == "subset":
        return model.subsets(of)
    if domain.kind == "state":
        return map(MappingProxyType, model.states(of))  # read-only: a change would be seen by later instances
    return model.classifiers(of)


def _size(model: Model, domain: Domain, of: frozenset[str]) -> int:
    if domain.kind in {"class", "feature"}:
        return len(model.classes) if domain.kind == "class" else len(of)
    if domain.kind == "subset":
        return int(2 ** len(of))
    cardinalities = zip(model.order, model.shape.cardinalities, strict=True)
    states = math.prod(size for name, size in cardinalities if name in of)
    enough = _MOST.bit_length()  # so many factors of 2 or more exceed the limit
    return states if domain.kind == "state" else int(len(model.classes) ** min(states, enough))


def _plain(model: Model, kind: str, value: Any) -> Any:
    if kind == "subset":
        return [name for name in model.order if name in value]
    if kind == "state":
        return {name: _label(label) for name, label in value.items()}
    if kind == "classifier":
        return [[list(map(_label, state)), _label(y)] for state, y in value.table.items()]
    return _label(value)


def _label(label: Hashable) -> Any:
    return label if type(label) in (int, str, bool) else str(label)


ClaimFunction: TypeAlias = "Callable[..., Formula | bool]"


def name_of(function: ClaimFunction) -> str:
    """Return what to call a claim that is given no name: the name of its function."""
    inner = _innermost(function)
    return str(getattr(inner, "__name__", type(inner).__name__))


def place_of(name: str, function: ClaimFunction, error: BaseException | None = None) -> str:
    """Return the name of a claim with its file and line: of an error, the last line in that file that led to it."""
    code = code_of(function)
    if code is None:
        return f"claim {name}"
    line = code.co_firstlineno
    for frame, number in traceback.walk_tb(error.__traceback__ if error else None):
        if frame.f_code.co_filename == code.co_filename:
            line = number
    return f"claim {name} ({code.co_filename}, line {line})"


def variables_of(function: ClaimFunction, name: str) -> tuple[str, ...]:
    """Return the parameters after the model; those after ``*`` are constants, and no variables."""
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


def call(name: str, function: ClaimFunction, model: Model, values: tuple[Any, ...], at: str) -> Node:
    """Return the node of the formula that the function returns for some values."""
    try:
        returned = function(model, *values)
    except (NotLinearError, TooLargeError) as error:
        raise type(error)(f"{place_of(name, function, error)}{at}: {error}") from error
    except Exception as error:  # whatever a person's function raises
        sizes = f"; here are {model._shape}" if isinstance(error, IndexError) else ""  # m.classes[1] of one class, say
        raise ClaimError(f"{place_of(name, function, error)}{at}: {error_text(error)}{sizes}") from error
    place = f"{place_of(name, function)}{at}"
    if returned is None:
        raise ClaimError(f"{place}: it returned None; return a formula (is a 'return' missing?)")
    if not isinstance(returned, Formula | bool):
        repair = "return a comparison: m.risk(S) <= m.risk(T)"
        raise ClaimError(f"{place}: " + explain("its result", "a formula, True or False", returned, repair))
    return formula_node(returned)


def error_text(error: BaseException) -> str:
    """Return the kind of an exception and what it says; it comes from a person's code, so saying it may fail too."""
    try:
        return f"{type(error).__name__}: {error}"
    except Exception:  # noqa: BLE001 (whatever its __str__ raises)
        return f"{type(error).__name__} (whose text cannot be had: its __str__ fails)"


def _innermost(function: Any) -> Any:
    """Return the function inside of decorators, partial applications and bound methods."""
    inner = inspect.unwrap(function)
    if isinstance(inner, functools.partial):
        inner = inner.func
    elif isinstance(inner, MethodType):
        inner = inner.__func__
    return inner if inner is function else _innermost(inner)


def code_of(function: Any) -> CodeType | None:
    """Return where Python code begins, None if it is not written in Python."""
    inner = _innermost(function)
    for candidate in (inner, _innermost(type(inner).__call__)):  # an object is called by the method of its class
        code = getattr(candidate, "__code__", None)
        if isinstance(code, CodeType):
            return code
    return None


_PLAIN = (all, any, frozenset, range, set, sum, Fraction)
_UNREADABLE = {"IS_OP", "MATCH_CLASS", "PUSH_EXC_INFO", "STORE_SUBSCR"}  # the third one begins to handle an exception


def is_readable(value: Any, *, texts: bool) -> bool:
    """Say whether a function, and all that it calls, is made of constants and the vocabulary of claims alone.

    Then it has no state, and cannot tell a symbol from a set but by what is refused. Where features are variables, it
    must not compare them with names, and so may have no `texts`.
    """
    kind = type(value)
    if kind is tuple or kind is Claim:
        return all(is_readable(part, texts=texts) for part in (value if kind is tuple else [value.body]))
    if kind is not FunctionType:
        return kind in {int, bool, Fraction, NoneType} or (texts and kind is str) or any(value is one for one in _PLAIN)
    used = [value.__defaults__, *(value.__kwdefaults__ or {}).values()]
    used += [cell.cell_contents for cell in value.__closure__ or ()]
    scope, codes, readable = vars(builtins) | value.__globals__, [value.__code__], not vars(value)
    for step in itertools.chain.from_iterable(map(dis.get_instructions, codes)):  # of which more are found
        if step.opname == "LOAD_GLOBAL":
            used.append(scope.get(step.argval, ...))
        elif step.opname == "LOAD_CONST":
            (codes if isinstance(step.argval, CodeType) else used).append(step.argval)
        elif step.opcode in dis.hasname:
            readable &= step.opname in {"LOAD_ATTR", "LOAD_METHOD"} and step.argval in READABLE
        elif step.opname in {"STORE_DEREF", "DELETE_DEREF"}:
            readable &= step.argval not in value.__code__.co_freevars
        else:
            readable &= step.opname not in _UNREADABLE
    return readable and is_readable(tuple(used), texts=texts)


@dataclass(frozen=True, slots=True, repr=False)
class Claim(Result):
    """What the decorator `claim` makes: wherever the assumptions are true, so is its function, for all variables.

    Attributes
    ----------
    name : str
    assumptions : tuple of Claim
    dropped : tuple of str
        The names of assumptions that `without` took away.

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

    def __str__(self) -> str:
        assumed = " and ".join(assumption.name for assumption in self.assumptions)
        return f"{self.title}{f', assuming {assumed}' if assumed else ''}"

    def __reduce__(self) -> tuple[Any, tuple[Any, ...]]:
        """Pickle the function by its module and name, under which the decorator may have put the claim in its place."""
        place = getattr(self.body, "__module__", None), getattr(self.body, "__qualname__", None)
        body = place if _found(*place) is self.body else self.body
        return _restored, (self.name, body, self.domains, self.assumptions, self.disjoint, self.dropped, self._readings)

    @property
    def reading(self) -> Reading | None:
        """The formula that the function makes of symbols for its sets and features, and the terms that it names.

        The function is called once; then the formula is spelled out instead. `prove` can say of such a claim that it is
        true for every number of features. None if the function asks more of its sets than how they lie to each other,
        or depends on anything but its arguments. Write ``(S == T) | f``, ``{i} <= S``, not ``S == T or f``, ``i in S``.
        """
        if not self._readings:
            kinds, found = [domain.kind for domain in self.domains], None
            with suppress(Exception):  # a symbol refuses what is asked of it
                if {*kinds} <= {"subset", "feature"} and is_readable(self.body, texts="feature" not in kinds):
                    found = read_once(self.body, kinds)
            self._readings.append(found)
        return self._readings[0]

    @property
    def title(self) -> str:
        """The name, and which assumptions were dropped."""
        return self.name + "".join(f" without {name}" for name in self.dropped)

    def __call__(self, model: Model, *values: Any) -> Formula | bool:
        """Return the formula for these values, as the function does; so claims can be parts of claims."""
        return self.body(model, *values)

    def without(self, *names: str | Claim) -> Claim:
        """Return the claim with some of its `assumptions` dropped, each given by its name or as a claim."""
        gone = list(dict.fromkeys(name.name if isinstance(name, Claim) else name for name in names))
        known = [assumption.name for assumption in self.assumptions]
        for name in gone:
            if name not in known:
                raise unknown(f"assumption of {self.name}", name, known)
        kept = tuple(assumption for assumption in self.assumptions if assumption.name not in gone)
        return replace(self, assumptions=kept, dropped=(*self.dropped, *gone))

    def statement(self, subject: Shape | JointDistribution) -> Statement:
        """Spell the claim out for one shape, or with the names of one distribution.

        Raises
        ------
        ClaimError
            The function of the claim, or of an assumption, raises or returns no formula.
        NotLinearError
            It asks for ``m.distribution``, and `subject` is a shape.
        TooLargeError
            Its variables have more than a million choices.

        Examples
        --------
        >>> [str(instance) for instance in positive.statement(Shape((2,))).show]
        ['positive at x = (X1=0)', 'positive at x = (X1=1)']
        """
        assume, show = self.spelled_out(subject)
        return Statement(self.title, Model(subject)._shape, tuple(assume), tuple(show), self.by_name(subject))

    def by_name(self, subject: object = None) -> tuple[str, ...]:
        """Return which assumptions, about states, are not spelled out: those of Peña and Nilsson, for every size.

        The certificate of a distribution on many cells names them, too: leave the subject out.
        """
        named = subject is None or isinstance(subject, EverySize)
        return tuple(assumption.name for assumption in self.assumptions if named and assumption in KNOWN.values())

    def spelled_out(
        self, subject: Shape | JointDistribution, *, steps: int | None = None, named: bool = False
    ) -> tuple[Iterator[Instance], Iterator[Instance]]:
        """Return what `statement` assumes and what it shows, spelled out one by one, in at most so many steps.

        A step is a choice of the variables, or a subset or state that is spoken of. With `named`, the assumptions that
        have names are left out, as for every size.
        """
        model, known = Model(subject, steps=steps), self.by_name(None if named else subject)
        spelled = (assumption for assumption in self.assumptions if assumption.name not in known)
        assume = (instance for assumption in spelled for instance in assumption._instances(model))
        return assume, self._instances(model)

    def check(self, d: JointDistribution) -> Holds | Vacuous | Refuted:
        """Decide the claim exactly at one distribution: it holds, an assumption fails, or an instance is false.

        Raises
        ------
        ClaimError
            As from `statement`; or a number cannot be computed exactly (division by 0, a logarithm times a logarithm).

        Examples
        --------
        >>> @claim(assume=[positive])
        ... def first_is_best(m, i):
        ...     return m.risk("X1") <= m.risk(i)
        >>> print(first_is_best.check(JointDistribution([[[1, 0], [0, 1]], [[0, 0], [1, 1]]])))
        first_is_best: vacuous, positive fails at x = (X1=1, X2=0)
        """
        require_distribution(d)
        return self.checked(d, Clock(None, None))

    def checked(self, d: JointDistribution, clock: Clock) -> Holds | Vacuous | Refuted:
        """Do what `check` does, or raise `OutOfTime` between two instances."""
        model, at, named = Model(d), Evaluation(d), self.by_name() if is_large(d) else ()

        def tick() -> None:
            clock.tick(lambda: f"{self.title}: the instances at a distribution")

        for assumption in self.assumptions:
            known = _decided(assumption, d)
            if known is not None and not known:
                where = {name: _label(label) for name, label in (known.witness or {}).items()}
                return Vacuous(self.title, assumption.name, (("x", where),))
            for instance in assumption._instances(model) if known is None else ():
                tick()
                if not instance.holds(at):
                    return Vacuous(self.title, instance.name, instance.where)
        found, decided = self._false_instance(model, at, tick)
        if found is None:
            return Holds(self.title, decided)
        spelled = (assumption._instances(model) for assumption in self.assumptions if assumption.name not in named)
        statement = Statement(self.title, model.shape, tuple(itertools.chain(*spelled)), (found,), named)
        with found.pointing_here():
            certificate = certificate_at("refuted", statement, found, d)
        how = f"at the distribution given{self.coincidence(found.where)}"
        return Refuted(self.title, d, found.where, certificate, how, found.terms)

    def _false_instance(self, model: Model, at: Evaluation, tick: Callable[[], None]) -> tuple[Instance | None, int]:
        """Return the first false instance, of those whose variables differ if one is, and how many are true before."""
        degenerate, decided, instances = None, 0, self._instances(model)
        while True:
            try:
                tick()
                if (instance := next(instances, None)) is None:
                    return degenerate, decided
                same = bool(self.coincidence(instance.where))
                if degenerate is not None and same:
                    continue
                false = instance.false_at(at)
            except ClaimError:  # what comes after a false instance need not have a value
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
        """Say which variables have one value in an instance, though they need not; nothing if all differ."""
        where = where[: len(self.domains)]  # the others are of parameters
        kinds = [(domain.kind, value) for domain, (_, value) in zip(self.domains, where, strict=True)]
        same = [(where[kinds.index(kind)][0], name) for kind, (name, _) in zip(kinds, where, strict=True)]
        pairs = [f"{first} == {name}" for first, name in same if first != name]
        advice = f"; to leave {' and '.join(pairs)} out, let the claim begin with: if {' or '.join(pairs)}: return True"
        return advice * bool(pairs)

    def _instances(self, model: Model) -> Iterator[Instance]:
        """Yield the instances one by one, without those that are true anyway, and each formula once."""
        seen: set[Node] = {TRUE}
        place, function = place_of(self.name, self.body), self.body
        if self.reading is not None:
            function = functools.update_wrapper(functools.partial(spelled_out, self.reading), self.body)
        for values, where in assignments(model, self.domains, place, disjoint=self.disjoint):
            model._step()
            model._named.clear()
            formula = call(self.name, function, model, values, located(where, ", at "))
            inside = {name: node for name, node in model._named.items() if node[0] == "and"}  # of parameters
            new, what = inside.keys().isdisjoint(dict(where)), f"{place}{located(where, ', at ')}: a parameter"
            require(new, what, "named unlike a variable", [*inside], "rename it", ClaimError)
            formula = disjunction(*map(negation, inside.values()), formula)
            if formula not in seen:
                seen.add(formula)
                yield Instance(self.name, where, formula, place, tuple(model._named.items()), tuple(inside))


def _found(module: Any, qualname: Any) -> Any:
    """Return the function that stands at a place, or that of the claim which stands there."""
    found = sys.modules.get(module)
    for name in str(qualname).split("."):
        found = getattr(found, name, None)
    return found.body if isinstance(found, Claim) else found


def _restored(name: str, body: Any, *rest: Any) -> Claim:
    if isinstance(body, tuple):
        importlib.import_module(body[0])
        body = _found(*body)
    return Claim(name, body, *rest)


class _Options(TypedDict, total=False):
    assume: Claim | str | Iterable[Claim | str]
    where: Mapping[str, str] | None
    disjoint: bool
    name: str | None


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
) -> Claim | Callable[[ClaimFunction], Claim]:
    """Make a claim of a function; used as a decorator, with arguments or without, or called with the function.

    The first argument of the function is a `Model`, the vocabulary of the claim; the others are its variables. It may
    branch on sets and names, and returns a formula (or True). Arguments after a star, ``*, k=3``, are constants.
    A function that only compares sets and what is known of them is called once: see `Claim.reading`.

    Parameters
    ----------
    assume : claims or their names
        What the distribution must satisfy: `positive`, `unique_maximum`, or any other claim that assumes nothing. The
        first two may be given by name, as in ``assume=["positive"]``.
    where : mapping from variable to domain, optional
        ``"feature"``, ``"subset"``, ``"state"``, ``"class"``, or ``"feature of S"``, ``"subset of S"``,
        ``"state of S"``, ``"classifier of S"`` for an earlier variable S. By convention ``i j k l`` are features,
        ``A`` to ``W`` subsets, ``x u v w`` states of all features, ``y z`` classes, each perhaps followed by digits.
    disjoint : bool
        Whether the subsets do not overlap.
    name : str, optional
        The name of the function if not given.

    Raises
    ------
    ClaimError
        A variable has no domain, or is no plain argument; or an assumption has assumptions of its own.
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
        return functools.partial(claim, assume=assume, where=where, disjoint=disjoint, name=name)
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
    return Claim(title, function, domains, assumptions_in(assume, f"{place}: "), bool(disjoint))


def assumptions_in(assume: object, place: str = "") -> tuple[Claim, ...]:
    """Return the claims that a list of assumptions names or holds; one alone need not be in a list."""
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
    """p(x) > 0 for every state x of the features, the first assumption of Peña and Nilsson."""
    return m.probability(x) > 0


@claim
def unique_maximum(m: Model, x: Mapping[str, Any]) -> Formula:
    """p(Y|x) has a single maximum where p(x) > 0, the second assumption of Peña and Nilsson."""
    ahead = (m.all(m.probability(x, z) < m.probability(x, y) for z in m.classes if z != y) for y in m.classes)
    return (m.probability(x) == 0) | m.any(ahead)


KNOWN = {"positive": positive, "unique_maximum": unique_maximum}
"""The assumptions that have a name wherever assumptions are listed."""


def _decided(assumption: Claim, d: JointDistribution) -> Check | None:
    """Decide an assumption of Peña and Nilsson at a distribution without spelling it out; None for any other claim."""
    if assumption == positive:
        return d.is_positive()
    return d.has_unique_maximum() if assumption == unique_maximum else None
