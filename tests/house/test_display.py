"""Every public result shows itself in a notebook: found by a walk from all public names, so that none is forgotten."""

import abc
import contextlib
import copy
import dataclasses
import functools
import importlib
import inspect
import json
import operator
import pickle
import pkgutil
import re
import sys
from collections.abc import Callable, Hashable, Iterator
from fractions import Fraction
from inspect import signature
from typing import Any, get_args, is_typeddict
from xml.etree import ElementTree as ET

import numpy as np
import pytest
import sympy

import fstheory as fs
from fstheory import logic, measures as regression, points, selection
from fstheory._support.result import Result, Rows
from fstheory.errors import FSTheoryError
from fstheory.lattice.figure import PlotFigure
from fstheory.lattice.series import Traced
from fstheory.logic.every_size import SeveralNumbers
from fstheory.logic.vocabularies import ExchangedModel, SetModel
from fstheory.measures import criteria
from fstheory.measures.criterion import CRITERIA
from fstheory.numbers import algebraic, log, quotients
from fstheory.samples.design import Design
from fstheory.samples.left_out import LeftOutLoss
from fstheory.selection.greedy import set_function
from tests.house.test_public_names import MODULES

D = fs.JointDistribution(
    [[[[3, 1], [0, 2]], [[1, 1], [2, 5]]], [[[4, 2], [1, 1]], [[2, 3], [0, 7]]]], features=("<i>&", 'b"c', "50%_{}")
)
WIDE = fs.gallery.parity(10)
RISKS = fs.bayes_risks(D)
PAIR = logic.Shape((2, 2))
MODEL = logic.Model(PAIR)
ASSUMED = fs.claims["PN-4"].stated()
TEXTS = fs.SubsetTable.from_mapping({(): 3, ("a",): 1, ("b",): 1}, features=["a", "b"])


FOS = fs.FOS(tau="1/20")
NULL = points.LabelPermutations(4, frozenset([(0, 1), (1, 2), (2, 3)]), (2, 2))
CHOSEN_BY_GAIN = points.select_by_certainty_gain(np.arange(40)[:, None] ** 2.0, labels=[0] * 20 + [1] * 20)
CUBIC = algebraic.real_roots([-2, 0, 0, 1])[0]
P, Q = sympy.symbols("p q")
PHASES = fs.phase_diagram(fs.gallery.xor(), fs.gallery.xor(noise="1/2"))
DRAWN = fs.sample(fs.gallery.titanic(), 50, rng=0)


HELD: dict[str, Any] = {}


def made(name: str) -> Any:
    """Return an instance of a class, which is made once for all tests."""
    if name not in HELD:
        HELD[name] = MADE[name]()
    return HELD[name]


BY_NAME = [
    make for make in CRITERIA.values() if all(p.default is not p.empty for p in signature(make).parameters.values())
]
"""The functions of the criteria that need no parameter."""
MADE: dict[str, Callable[[], Any]] = {
    **{type(make()).__name__: make for make in BY_NAME},
    "AdmissibleTau": lambda: fs.admissible_tau(D, "FBS"),
    "AhmedSettings": fs.papers.AhmedSettings,
    "CheckedAnswer": lambda: fs.lessons.check("1.6", D),
    "Importance": lambda: fs.importance(D),
    "QuestionPolicy": lambda: fs.best_questions(D, budget=2),
    "LeftOutLoss": lambda: LeftOutLoss.of(DRAWN),
    "PolicyNode": lambda: made("QuestionPolicy").nodes[1],
    "SubsetGains": lambda: made("QuestionPolicy").against_subsets(),
    "SubsetGain": lambda: made("SubsetGains").rows[2],
    "Reasons": lambda: fs.reasons(D),
    "Reason": lambda: made("Reasons").reasons[0],
    "VerdictChange": lambda: made("Reasons").changes[0],
    "AllSolutions": lambda: fs.all_solutions(D, within="1/10"),
    "ImportanceRanges": lambda: made("AllSolutions").ranges(),
    "Price": lambda: made("Importance").price(1),
    "Audit": lambda: fs.audit("PN-3"),
    "Audited": lambda: made("Audit")[0],
    "BoundTable": lambda: fs.bounds.table(D, {'b"c'}),
    "BoundAt": lambda: made("BoundTable").rows[0],
    "Design": lambda: Design(groups='b"c', always=("50%_{}",)),
    "TheoremSheet": lambda: fs.theorems(D, ["PN-3", "PN-4"]),
    "TheoremAt": lambda: made("TheoremSheet").rows[0],
    "BayesClassifier": lambda: fs.bayes_classifier(D),
    "BerahaSettings": fs.papers.BerahaSettings,
    "CMISelection": lambda: selection.cmi_selection(D, selection.ErrorRule("1/10")),
    "CMIStep": lambda: made("CMISelection").trace[0],
    "AlgebraicNumber": lambda: CUBIC,
    "Family": lambda: PHASES.family,
    "FieldElement": lambda: algebraic.value_at([1, 1], [1, 2], CUBIC),
    "InformationCrossings": lambda: fs.selection.information_crossings(PHASES.family, "X1", "X2"),
    "PhaseDiagram": lambda: PHASES,
    "PhaseInterval": lambda: PHASES.intervals[0],
    "ParametricFamily": lambda: made("PhaseRegions").family,
    "PhaseRegion": lambda: made("PhaseRegions").regions[0],
    "PhaseRegions": lambda: fs.phase_diagram(fs.polynomial_family([[1, P], [Q, 1]], [P, Q])),
    "Stretch": lambda: PHASES.best_of_size(1)[0],
    "Certificate": lambda: made("Proved").certificate,
    "Check": lambda: selection.is_submodular(RISKS),
    "Checked": lambda: fs.verify_certificate(made("Proved").certificate),
    "CertaintyGain": lambda: points.relative_certainty_gain(points.PointSet([[i**2] for i in range(9)], "aaaabbbbb")),
    "CertaintyGainSelection": lambda: CHOSEN_BY_GAIN,
    "CertaintyGainStep": lambda: CHOSEN_BY_GAIN.trace[0],
    "Choice": lambda: FOS.decide(np.zeros((2, 4), dtype=int), 3),
    "Claim": lambda: ASSUMED,
    "Classifier": lambda: logic.Classifier(("X1",), {(0,): 1, (1,): 0}),
    "Comparison": lambda: fs.lattice.compare(RISKS, criteria.logarithmic().table(D)),
    "CriterionOptima": lambda: made("Report").criteria[0],
    "Curvature": lambda: selection.curvature(criteria.logarithmic().table(D)),
    "Disagreement": lambda: fs.report(fs.gallery.ahmed_example_1()).disagreements[0],
    "Domain": lambda: ASSUMED.domains[0],
    "Entry": lambda: fs.claims["PN-3"],
    "ErrorExponent": lambda: fs.error_exponent(fs.gallery.xor(), FOS),
    "ErrorModel": lambda: made("CMISelection").model,
    "ErrorRule": lambda: selection.ErrorRule("1/10"),
    "EstimateStep": lambda: fs.fit(DRAWN, FOS).trace[0],
    "EverySize": lambda: logic.EverySize(3),
    "SeveralNumbers": lambda: SeveralNumbers("2, 3", 3),
    "Evidence": lambda: fs.claims["PN-3"].evidence[0],
    "ExactRatio": lambda: selection.curvature(criteria.logarithmic().table(D)).value,
    "LogQuotient": lambda: quotients.LogQuotient.of(log(2)) * log(3),
    "Experiment": lambda: fs.papers.run_experiment(
        "ng-1998", [1], settings=fs.papers.NgSettings(trials=2, features=(1,), bits_features=(1,))
    ),
    "ExpectedErrors": lambda: fs.papers.expected_errors(fs.gallery.ahmed_example_1(), 1),
    "Extremum": lambda: fs.supremum(lambda m: m.risk("X1"), features=1),
    "FBS": lambda: fs.FBS(tau="1/20", ties="uniform", holdout="1/2"),
    "FOS": lambda: FOS,
    "FeatureCountRule": lambda: selection.FeatureCountRule(1),
    "FeatureScoreRule": lambda: selection.FeatureScoreRule("1/10"),
    "FisherScore": lambda: next(iter(selection.fisher_scores(D).values())),
    "Fitted": lambda: fs.fit(DRAWN, FOS),
    "_Classifier": lambda: fs.fit(DRAWN, fs.FBS(inducer="1-nn")).classifier,
    "Formula": lambda: MODEL.risk(()) <= "1/2",
    "GreedyComparison": lambda: selection.compare_greedy(D, 2),
    "Holds": lambda: fs.claims["PN-M"].check(D),
    "Impossible": lambda: logic.Impossible("{} < X1", PAIR, "case split", logic.Certificate({"kind": "proved"})),
    "JointDistribution": lambda: D,
    "LabelPermutations": lambda: NULL,
    "Law": lambda: fs.selection_law(D, 3, FOS),
    "LawCurve": lambda: fs.samples.law_curve(D, FOS, [1, 2]),
    "Ledger": lambda: fs.claims,
    "Level": lambda: fs.bayes_risks(WIDE).ordering()[-1],
    "LinearRegression": lambda: regression.linear_regression(D),
    "LogSum": lambda: fs.numbers.log(3) / 2 + 1,
    "MixedPoints": lambda: points.MixedPoints([[i, "red"] for i in range(100)], [i % 2 for i in range(100)]),
    "MinimalOptimal": lambda: fs.minimal_optimal(D),
    "Model": lambda: MODEL,
    "Instance": lambda: ASSUMED.statement(D).show[0],
    "Network": fs.networks.asia,
    "NetworkBoundary": lambda: fs.networks.asia().markov_boundary("dysp"),
    "NetworkOptimal": lambda: fs.networks.asia().minimal_optimal("dysp"),
    "NgSettings": fs.papers.NgSettings,
    "RefereeReport": lambda: fs.referee("PN-M", features=1),
    "RefereeAnswer": lambda: made("RefereeReport").answers[0],
    "NeededAssumptions": lambda: fs.needed_assumptions("PN-4", cardinalities=(2, 2)),
    "NoSelection": fs.NoSelection,
    "NotRefuted": lambda: logic.NotRefuted("PN-M", "all weights"),
    "OrderedFS": lambda: fs.OrderedFS(holdout=2, ties="first"),
    "Ordering": RISKS.ordering,
    "Paper": lambda: fs.claims["PN-3"].paper,
    "PermutationNull": lambda: fs.samples.permutation_null(DRAWN, "sex", permutations=9, rng=0),
    "PlugIn": lambda: fs.PlugIn(select=functools.partial(fs.select, k=1)),
    "PlotFigure": lambda: fs.samples.law_curve(D, FOS, [1]).plot(),
    "PointSet": lambda: points.PointSet([[i, "1/3"] for i in range(100)]),
    "Predictor": lambda: criteria.logarithmic().predictor(D, D.features),
    "Proved": lambda: fs.prove("PN-M", cardinalities=(2, 2)),
    "Realized": lambda: fs.realize("X1 < {}"),
    "Refuted": lambda: ASSUMED.without("positive").check(fs.gallery.copies(2)),
    "ColumnAnswer": lambda: made("SampleReport").columns[0],
    "ProcedureRisk": lambda: made("SampleReport").procedure,
    "ColumnRelevance": lambda: fs.samples.relevant_features(DRAWN, rng=0).columns[0],
    "RelevantFeatures": lambda: fs.samples.relevant_features(DRAWN, rng=0),
    "Relevance": lambda: fs.relevance(D),
    "RelevanceWitness": lambda: next(iter(fs.relevance(D).witnesses.values())),
    "Report": lambda: fs.report(D),
    "RiskBound": lambda: fs.risk_bound(D, 30, fs.NoSelection()),
    "RiskEstimates": lambda: fs.samples.risk_estimates(DRAWN, "sex"),
    "RootSum": lambda: fs.numbers.sqrt(2),
    "Sample": lambda: DRAWN,
    "SampleReport": lambda: fs.report(DRAWN),
    "ScoreDifferenceRule": lambda: selection.ScoreDifferenceRule("1/10"),
    "SebbanNockSettings": fs.papers.SebbanNockSettings,
    "Selection": lambda: fs.select(D, 2),
    "Step": lambda: fs.select(D, 2).trace[0],
    "SetFunction": lambda: set_function(D, "logarithmic"),
    "Shape": lambda: PAIR,
    "ShiftedRoot": lambda: fs.numbers.ShiftedRoot("1/4", fs.numbers.log(2)),
    "SizeTerm": lambda: fs.risk_bound(D, 30, fs.NoSelection()).best,
    "StandardWrap": lambda: fs.StandardWrap(holdout="1/3", ties="uniform"),
    "Statement": lambda: ASSUMED.statement(D),
    "SubmodularityRatio": lambda: selection.submodularity_ratio(RISKS),
    "SubsetRisks": lambda: made("SampleReport").everything,
    "SubsetTable": lambda: RISKS,
    "SupportStep": lambda: fs.samples.supported_features(DRAWN, rng=0, criterion="auc").steps[0],
    "SupportedFeatures": lambda: fs.samples.supported_features(DRAWN, rng=0, criterion="auc"),
    "TailProblem": lambda: fs.papers.TailProblem(3),
    "Term": lambda: MODEL.risk(()),
    "TrueSize": lambda: points.true_size(NULL),
    "Undecided": lambda: logic.Undecided("PN-3", PAIR, "600 s are over"),
    "Vacuous": lambda: ASSUMED.check(fs.gallery.titanic()),
    "WrittenProof": lambda: operator.attrgetter("proof")(fs.prove("PN-M", features=1)),
}
"""How to make an instance of each class."""


NUMBERS = {"LogQuotient", "LogSum", "RootSum", "ShiftedRoot"}
"""Result as formulas, with a decimal."""
READ_BACK = {"Classifier", "Formula", "JointDistribution", "PointSet", "Term", *NUMBERS}
"""What their repr writes, Python reads."""
WITH_DICTIONARIES = {"CertaintyGainSelection", "CertaintyGainStep", "ExpectedErrors", "Experiment"}
"""They cannot be hashed."""
COMPARED_BY: dict[str, Callable[[Any], Any]] = dict.fromkeys(["Formula", "Term"], operator.attrgetter("node"))
COMPARED_BY["PlotFigure"] = PlotFigure.to_svg
"""What == makes formulas of, and what matplotlib lets anybody change; all others are values."""


@functools.cache
def named_classes() -> dict[str, type]:
    """Return the classes of the package by their names."""
    modules = [
        importlib.import_module(module.name)
        for module in pkgutil.walk_packages(fs.__path__, "fstheory.")
        if not module.name.endswith(("__main__", "testing"))
    ]
    members = (value for module in modules for value in vars(module).values())
    return {value.__name__: value for value in members if inspect.isclass(value) and value.__module__ in sys.modules}


def mentioned(annotation: object, module: str) -> Iterator[type]:
    """Yield the classes of the package that an annotation names, through aliases."""
    for word in re.findall(r"(?<![\w.])[A-Za-z_]\w*", annotation if isinstance(annotation, str) else ""):
        value = getattr(sys.modules[module], word, named_classes().get(word))
        if inspect.isclass(value):
            yield value
        elif isinstance(value, str):
            yield from mentioned(value, module)
        else:
            yield from (part for part in get_args(value) if inspect.isclass(part))


def leads_to(value: Any) -> Iterator[type]:
    """Yield the classes that a public class or function leads to: what it returns, its fields, its subclasses."""
    members = [value]
    if inspect.isclass(value):
        yield from value.__subclasses__()
        for base in getattr(value, "__orig_bases__", ()):  # Audit is a tuple[Audited, ...]
            yield from (part for part in get_args(base) if inspect.isclass(part))
        if dataclasses.is_dataclass(value):
            for field in dataclasses.fields(value):
                if not field.name.startswith("_"):
                    yield from mentioned(field.type, value.__module__)
        members = [member for name, member in inspect.getmembers(value) if name == "__getitem__" or name[0] != "_"]
    for member in members:
        function = getattr(member, "fget", None) or getattr(member, "func", None) or member
        if inspect.isfunction(function) or inspect.ismethod(function):
            yield from mentioned(function.__annotations__.get("return"), function.__module__)


def public_results() -> dict[str, type]:
    """Return every class that a user can meet, by name: no errors, protocols or abstract bases."""
    published = [getattr(module, name) for module in MODULES for name in module.__all__]
    published.append(algebraic.FieldElement)  # a value of a table at an irrational parameter
    found: dict[type, None] = {}
    waiting = [value if inspect.isclass(value) or inspect.isfunction(value) else type(value) for value in published]
    while waiting:
        value = waiting.pop()
        reached = [value, *leads_to(value)] if inspect.isfunction(value) else [value]
        for cls in reached:
            if inspect.isclass(cls) and cls.__module__.startswith("fstheory") and cls not in found:
                found[cls] = None
                waiting.extend(leads_to(cls))
    results = [cls for cls in found if not issubclass(cls, Exception) and not is_base(cls)]
    assert len({cls.__name__ for cls in results}) == len(results)
    return {cls.__name__: cls for cls in results}


def is_base(cls: type) -> bool:
    shared = cls.__name__.startswith("_") and bool(cls.__subclasses__())  # what two public classes have in common
    shared |= is_typeddict(cls)  # the options of a function
    shared |= issubclass(cls, SetModel | ExchangedModel)  # in which a claim is read, and which nobody meets
    shared |= cls is fs.logic.Statements  # the functions of a module, declared while it is imported
    return shared or inspect.isabstract(cls) or abc.ABC in cls.__bases__ or getattr(cls, "_is_protocol", False)


RESULTS = public_results()


def test_the_walk_finds_what_results_hold() -> None:
    """Not only what is published: also what is in a field, and what only a union or a subclass names."""
    held = {"ErrorModel", "Ledger", "NeededAssumptions", "Audited", "_AUC"}
    assert held <= RESULTS.keys()
    assert MADE.keys() == RESULTS.keys(), "say in MADE how to make each of them"


def test_no_result_can_be_changed() -> None:
    is_frozen = operator.attrgetter("__dataclass_params__.frozen")
    assert [name for name, cls in RESULTS.items() if dataclasses.is_dataclass(cls) and not is_frozen(cls)] == []


@pytest.mark.parametrize("name", [name for name, cls in RESULTS.items() if hasattr(cls, "plot")])
@pytest.mark.one_in(9)
def test_a_drawing_has_a_title_and_the_size_asked_for(name: str) -> None:
    figure = [1] if name == "Experiment" else []
    drawing = made(name).plot(*figure, figsize=(8, 6))
    assert 'width="576pt" height="432pt"' in drawing.to_svg()
    assert drawing.title.strip() != ""


STATEMENTS = {"Claim", "Entry", "Proved", "Refuted", "Statement", "Undecided"}
"""They hold other statements, and are no tables."""
PAGES = {"CriterionOptima", "Report"}
"""Tables of the best subsets of each size: a report has pictures of its own."""
SHEETS = {"BoundTable", "RefereeReport", "TheoremSheet"}
"""Tables of what theorems say at one distribution, and of what is said of a claim. Nothing is drawn of them."""


def has_rows(cls: type) -> bool:
    """Return whether a class is a table: a field of it holds any number of results."""
    fields = dataclasses.fields(cls) if dataclasses.is_dataclass(cls) else ()
    kinds = [re.match(r"tuple\[(\w+)(\[\w+\])?, \.\.\.\]", str(field.type)) for field in fields]
    return any(kind is not None and issubclass(RESULTS.get(kind[1], object), Result) for kind in kinds)


TABLES = {name for name, cls in RESULTS.items() if has_rows(cls)} - STATEMENTS


def test_a_table_makes_a_frame_and_a_picture() -> None:
    assert {"Fitted", "LawCurve", "MinimalOptimal", "Selection", "SupportedFeatures"} <= TABLES
    assert [name for name in TABLES if not hasattr(RESULTS[name], "to_frame")] == []
    assert [name for name in TABLES - PAGES - SHEETS if not hasattr(RESULTS[name], "plot")] == []
    assert [name for name, cls in RESULTS.items() if issubclass(cls, Result) and not hasattr(cls, "to_latex")] == []


@pytest.mark.parametrize("name", [name for name, cls in RESULTS.items() if hasattr(cls, "to_frame")])
@pytest.mark.one_in(3)
def test_a_frame_has_a_row_for_each_entry(name: str) -> None:
    value = made(name)
    frame = value.to_frame()
    if isinstance(value, Rows):
        rows = getattr(value, value._table)
        assert len(frame) == len(rows) > 0
        for column in frame:
            cells = frame[column].astype(object).mask(frame[column].isna(), None)  # pandas writes None as it likes
            assert list(cells) == [getattr(row, column) for row in rows]
    assert frame.size > 0


@pytest.mark.one_in(5)
@pytest.mark.parametrize("name", [name for name, cls in RESULTS.items() if issubclass(cls, Traced)])
def test_a_curve_goes_through_the_values_of_the_rows(name: str) -> None:
    value = made(name)
    rows, (axes,) = getattr(value, value._table), value.plot().figure.axes
    places = [len(getattr(row, value._along)) if value._along else i for i, row in enumerate(rows, 1)]
    drawn = {line.get_label(): line.lines[0].get_xydata().tolist() for line in axes.containers}
    for attribute, label in value._drawn.items():
        values = [operator.attrgetter(attribute)(row) for row in rows]
        expected = [[x, float(y)] for x, y in zip(places, values, strict=True) if y is not None]
        assert drawn.get(label, []) == expected


@pytest.mark.parametrize("name", ["AlgebraicNumber", "ExactRatio", "FieldElement", *sorted(NUMBERS)])
def test_a_number_is_written_in_a_line(name: str) -> None:
    assert len(repr(made(name))) <= 120


@pytest.mark.parametrize("name", sorted(RESULTS))
@pytest.mark.one_in(8)
def test_a_result_shows_itself_and_is_a_value(name: str) -> None:
    value = made(name)
    assert type(value).__name__ == name
    assert 0 < len(str(value)) < 12_000
    assert name in READ_BACK or len(repr(value)) <= 400
    read = COMPARED_BY.get(name, lambda it: it)
    for attribute in dir(value):
        with contextlib.suppress(FSTheoryError, AttributeError, TypeError):
            getattr(value, attribute)  # what is computed once is kept, and copied
    for again in (pickle.loads(pickle.dumps(value)), copy.deepcopy(value)):
        assert (read(again), str(again)) == (read(value), str(value))
        assert name in WITH_DICTIONARIES or not isinstance(value, Hashable) or hash(read(again)) == hash(read(value))
    if isinstance(value, Result) and name != "Experiment":  # the numbers of an experiment are estimates
        document = json.loads(json.dumps(value.to_dict()), parse_float=pytest.fail, parse_constant=pytest.fail)
        assert document
    if isinstance(value, Result):
        latex = re.sub(r"\\[{}]", "", value.to_latex())  # without braces of the text
        assert (latex.count("{"), latex.count("\\begin{")) == (latex.count("}"), latex.count("\\end{"))
    if name == "PlotFigure":
        assert value._repr_svg_().startswith("<?xml")
    elif name in NUMBERS:
        assert r"\approx" in value._repr_latex_() or "0." in value._repr_latex_()
    else:
        page = value._repr_html_()
        assert len(page) < 20_000
        tags = {element.tag for element in ET.fromstring(f"<page>{page}</page>").iter()}
        assert tags <= {"page", "b", "caption", "li", "p", "pre", "table", "tbody", "td", "th", "thead", "tr", "ul"}
        assert f"{name}(" not in page or name in READ_BACK


def test_a_distribution_in_a_result_is_a_formula() -> None:
    refuted = made("Refuted")
    assert refuted.distribution.to_latex() in refuted.to_latex()


UNEQUAL: list[Callable[[Any], Any]] = [
    lambda m: FOS.decide(np.arange(8).reshape(2, 4) % 5, 3 + 30 * m),
    lambda noisy: fs.linear_family(fs.gallery.xor(), fs.gallery.xor(noise=Fraction(1, 2 + noisy))),
    lambda label: points.MixedPoints([["a"], ["b"], ["a"]], [0, 1, label]),
    lambda more: logic.Model(logic.Shape((2, 2 + more))),
    lambda more: fs.PlugIn(select=functools.partial(fs.select, k=1 + more)),
]


def test_other_values_are_unequal() -> None:
    assert all(make(0) == make(0) != make(1) != "another thing" for make in UNEQUAL)
