"""One API: what is said once holds of every public name."""

import importlib
import inspect
import re
from collections.abc import Callable, Iterator
from operator import attrgetter

import pytest

import fstheory as fs
from fstheory._support.result import Result
from tests.house import source
from tests.house.test_public_names import functions_of, public_names


def calls() -> Iterator[tuple[str, Callable[..., object]]]:
    """Yield every public function and method, a constructor under the name of its class."""
    for name in public_names():
        yield from functions_of(name)
        value = attrgetter(name)(fs)
        if inspect.isclass(value) and not issubclass(value, Exception) and value.__init__ is not object.__init__:
            yield name, value


@pytest.mark.parametrize(
    "kind", [fs.FBS, fs.FOS, fs.OrderedFS, fs.StandardWrap, fs.NoSelection, fs.selection.ErrorRule]
)
def test_a_method_has_defaults(kind: Callable[[], object]) -> None:
    assert kind() == kind()


@pytest.mark.parametrize("name", ["FBS", "FOS", "OrderedFS", "StandardWrap", "NoSelection"])
def test_a_method_is_given_by_object_or_by_name(name: str) -> None:
    d, method = fs.gallery.xor(), getattr(fs, name)()
    s = fs.sample(d, 20, rng=0)
    assert fs.selection_law(d, 10, name) == fs.selection_law(d, 10, method)
    assert fs.simulate(d, 10, name, trials=2, rng=0) == fs.simulate(d, 10, method, trials=2, rng=0)
    assert fs.samples.law_curve(d, name, [10])[10].method == method
    assert fs.fit(s, name, rng=0) == fs.fit(s, method, rng=0)
    with pytest.raises(fs.UnknownNameError, match=f"did you mean '{name}'"):
        fs.fit(s, name.lower())


def takes_data(parameter: inspect.Parameter) -> bool:
    """Return whether a parameter takes a distribution, by what its annotation says."""
    return bool(re.match(r"JointDistribution|Data\b|DataLike|DistributionLike", str(parameter.annotation)))


CLASSES = {name for name in public_names() if inspect.isclass(attrgetter(name)(fs))}
COMPOSED = {"product", "mixture", "independent_features", "with_copy"}  # these make the gallery
DATA = [
    pytest.param(call, name, id=f"{place}-{name}")
    for place, call in calls()
    if place not in CLASSES and place.rpartition(".")[0] not in {name for name in CLASSES if "Claim" not in name}
    for name, parameter in inspect.signature(call).parameters.items()
    if takes_data(parameter) and "checked" not in place and place.rpartition(".")[2] not in COMPOSED
]


@pytest.mark.parametrize(("call", "argument"), DATA)
def test_a_distribution_is_given_by_object_or_by_name(call: Callable[..., object], argument: str) -> None:
    """Every public function looks a name up in the gallery before it looks at its other arguments."""
    parameters = inspect.signature(call).parameters
    others: dict[str, object] = {
        name: None for name, one in parameters.items() if one.default is one.empty and one.kind < one.VAR_KEYWORD
    }
    others |= {"p": "xor", "q": "xor", "first": "xor", "criterion": "zero_one"}
    with pytest.raises(fs.UnknownNameError, match="'titanik' does not exist; did you mean 'titanic'"):
        call(**{name: others[name] for name in others if name in parameters} | {argument: "titanik"})


def test_a_name_stands_for_its_distribution() -> None:
    d = fs.gallery.titanic()
    assert fs.bayes_risks("titanic") == fs.bayes_risks(d)
    assert fs.minimal_optimal("titanic") == fs.minimal_optimal(d)
    assert fs.selection_law("xor", 4, "FOS") == fs.selection_law(fs.gallery.xor(), 4, "FOS")
    assert fs.bounds.fano_bound("titanic", "sex") == fs.bounds.fano_bound(d, "sex")
    assert fs.report("xor").name == "xor"
    assert fs.positive.check("xor") == fs.positive.check(fs.gallery.xor())


def test_a_method_that_meets_no_ties_has_no_rule_for_them() -> None:
    """FOS, NoSelection and PlugIn; `ties` is no field of their text or JSON either."""
    for method in (fs.FOS(), fs.NoSelection(), fs.PlugIn(select=fs.minimal_optimal)):
        assert "ties" not in inspect.signature(type(method)).parameters
        assert "ties" not in method.to_dict()


def test_an_argument_means_one_thing() -> None:
    """An executor is one everywhere, or so many processes; threads that share one table are counted by `threads`.

    Each is given by its name, and has one type and one default in all public calls.
    """
    kinds = {"executor": "Workers", "resume": "Resume", "progress": "Progress", "threads": "int"}
    for _, call in calls():
        parameters = inspect.signature(call).parameters
        assert not parameters.keys() & {"workers", "n_jobs"}
        for one in (parameters[name] for name in parameters.keys() & kinds.keys()):
            assert (one.annotation, one.default) == (kinds[one.name], 1 if one.name == "threads" else None)
            assert one.kind is one.KEYWORD_ONLY


def test_one_verb_writes_a_file_and_one_reads_it() -> None:
    """`save` and `load`; what `to_json`, `to_html` and their like return is text or a value, and they take no path."""
    names = {name.rpartition(".")[2] for name, _ in calls()}
    assert not [name for name in names if name.startswith("write")]
    assert "read" not in names
    arguments = {name: inspect.signature(call).parameters.values() for name, call in calls() if ".to_" in name}
    assert not [name for name, found in arguments.items() if any("PathLike" in str(a.annotation) for a in found)]


def test_a_seed_is_named() -> None:
    """Where something is drawn, `rng` is passed by name, and the number of draws is the last argument before it."""
    kinds = {name: inspect.signature(call).parameters.get("rng") for name, call in calls()}
    assert [name for name, rng in kinds.items() if rng is not None and rng.kind is not rng.KEYWORD_ONLY] == []


def results() -> Iterator[type[Result]]:
    """Yield the class of every result in the package, also of those that have no public name."""
    for module in source.files():
        if not module.endswith("__main__"):
            importlib.import_module(module)
    waiting = [Result]
    while waiting:
        yield (kind := waiting.pop())
        waiting += kind.__subclasses__()


def test_features_are_a_tuple_of_names_in_order() -> None:
    """A distribution has all features there; a result has what was chosen, in the order of choice or of the columns."""
    found = {}
    for kind in results():
        declared = inspect.getattr_static(kind, "features", None)
        read = getattr(declared, "fget", None) or getattr(declared, "func", None)
        known = inspect.get_annotations(read or kind)
        found[kind.__qualname__] = str(known.get("return" if read else "features"))
    del found["Model"]  # claims need operations on sets: `m.features - {i}`
    names = {name: annotation for name, annotation in found.items() if "str" in annotation}
    assert {name: annotation for name, annotation in names.items() if annotation != "tuple[str, ...]"} == {}
    assert {"AdmissibleTau", "Fitted", "MinimalOptimal", "NetworkBoundary", "SupportedFeatures"} <= names.keys()


CRITERION_CALLS = [
    pytest.param(call, id=place)
    for place, call in calls()
    if "Criterion" in str(getattr(inspect.signature(call).parameters.get("criterion"), "annotation", ""))
]


@pytest.mark.parametrize("call", CRITERION_CALLS)
def test_a_criterion_is_given_by_object_or_by_name(call: Callable[..., object]) -> None:
    """Every public function resolves the name in the same way, with the same error."""
    d = fs.gallery.xor()
    s = fs.sample(d, 20, rng=0)
    known: dict[str, object] = {"sample": s, "subject": d, "subset": {"X1"}, "removed": {"X1"}, "k": 1, "rng": 0}
    known |= {"risks": fs.bayes_risks(d), "d": s if call is fs.report else d}
    parameters = inspect.signature(call).parameters
    given = {name: known[name] for name, one in parameters.items() if name in known and one.default is one.empty}
    if call is fs.minimal_optimal:
        given["method"] = "forward"  # the only one that takes a criterion
    with pytest.raises(fs.UnknownNameError, match="criterion 'zero_ome' does not exist; did you mean 'zero_one'"):
        call(**given, criterion="zero_ome")


@pytest.mark.parametrize("call", [fs.prove, fs.refute, fs.needed_assumptions])
def test_a_claim_is_given_by_object_or_by_name(call: Callable[..., object]) -> None:
    with pytest.raises(fs.UnknownNameError, match="'PN-33' does not exist; did you mean 'PN-3'"):
        call("PN-33", cardinalities=(2, 2))
