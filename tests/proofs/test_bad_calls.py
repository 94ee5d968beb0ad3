"""Bad calls of what proves, refutes and realizes, and what each answers."""

from fstheory import errors
from fstheory.errors import InvalidFormatError, InvalidTypeError, InvalidValueError, NotMonotoneError, UnknownNameError
from fstheory.logic.claims import claim
from fstheory.proofs.construction import weak_order
from fstheory.proofs.extremum import infimum, supremum
from fstheory.proofs.prover import needed_assumptions, prove
from fstheory.proofs.realization import realize, two_orderings
from fstheory.proofs.referee import referee
from fstheory.proofs.refutation import refute
from tests.refusals import Refusal, refusals

BITS = "cardinalities=(2,)"
ONE_BETTER = "'X1X2 < X1 < X2 < {}'"
PROVED: list[Refusal] = [
    (f"prove('PN-99', {BITS})", UnknownNameError, "claim 'PN-99'", "does not exist"),
    (f"prove('PN-M', {BITS}, without='positive')", UnknownNameError, "assumption of PN-M", "does not exist"),
    (f"prove(3, {BITS})", InvalidTypeError, "claim", "a claim, or its id in the ledger"),
    (f"prove('PN-1', {BITS})", InvalidValueError, "claim", "an entry about one distribution"),
    (f"prove('PN-M', {BITS}, classes=0)", InvalidValueError, "classes", "at least 1"),
    (f"prove('PN-M', {BITS}, progress='yes')", InvalidTypeError, "progress", "a function"),
    (f"prove('PN-M', {BITS}, time_limit=-1)", InvalidValueError, "time_limit", "above 0"),
    (f"prove('PN-M', {BITS}, resume=3)", InvalidTypeError, "resume", "a path"),
    ("prove('PN-M')", InvalidValueError, "one of cardinalities and features", "given"),
    (f"prove('PN-M', {BITS}, features=2)", InvalidValueError, "one of cardinalities and features", "given"),
    ("prove('PN-M', features=2, resume=tmp / 'p')", InvalidValueError, "features", "given without resume"),
    ("prove('PN-2', features=2)", errors.NotLinearError, "claim PN-2", "asks about its shape"),
    ("prove('PN-7', features=2)", errors.NotLinearError, "claim PN-7", "asks about states"),
    ("prove('PN-B2', features=2)", errors.NotLinearError, "claim PN-B2", "asks about classes"),
    ("prove('PN-M', features=0)", InvalidValueError, "features", "at least 1"),
    ("prove('PN-M', features=2, classes=1024)", InvalidValueError, "classes", "at most 1,023"),
    ("prove('PN-M', features=2, without=3)", InvalidTypeError, "without", "names of assumptions"),
    ("prove('PN-M', cardinalities=[2.0])", InvalidTypeError, "cardinalities", "integers"),
]
NO_FILE = "refute('PN-M', max_features=1, resume=tmp / 'none' / 'search.json')"
REFUTED: list[Refusal] = [
    ("refute(7)", InvalidTypeError, "claim", "a claim"),
    ("needed_assumptions('PN-99')", UnknownNameError, "", "PN-99"),
    ("referee('PN-1')", InvalidValueError, "claim", "an entry about one distribution"),
    (f"referee('PN-M', features=2, {BITS})", InvalidValueError, "one of cardinalities and features", "given"),
    ("referee('PN-M', time_limit=0)", InvalidValueError, "time_limit", "above 0"),
    ("referee('PN-7', features=2)", errors.NotLinearError, "claim PN-7", "asks about states"),
    ("refute('PN-M', without='positive')", UnknownNameError, "", "positive"),
    ("refute('PN-M', cardinalities=(0,))", InvalidValueError, "cardinalities", "at least 1"),
    ("refute('PN-M', classes=0)", InvalidValueError, "classes", "at least 1"),
    ("refute('PN-M', max_features=0)", InvalidValueError, "max_features", "at least 1"),
    ("refute('PN-M', max_cardinality=1)", InvalidValueError, "max_cardinality", "at least 2"),
    ("refute('PN-M', max_classes=1)", InvalidValueError, "max_classes", "at least 2"),
    ("refute('PN-M', max_total=10**6)", InvalidValueError, "max_total", "at most 1,000"),
    (f"refute('PN-M', {BITS}, features=2)", InvalidValueError, "features", "without cardinalities"),
    ("refute('PN-M', features=11)", InvalidValueError, "features", "at most 10"),
    ("refute('PN-M', seed=-1)", InvalidValueError, "seed", "at least 0"),
    ("refute('PN-M', executor=0)", InvalidValueError, "executor", "at least 1"),
    ("refute('PN-M', time_limit=float('nan'))", InvalidValueError, "time_limit", "above 0"),
    ("refute('PN-M', resume=True)", InvalidTypeError, "resume", "a path"),
    (NO_FILE, errors.OutputError, "resume", "written"),
]
REALIZED: list[Refusal] = [
    ("realize('X1 < {}', cardinalities=(2, 2))", InvalidValueError, "cardinalities", "one number for each feature"),
    ("realize('X1 < {}', classes='two')", InvalidTypeError, "classes", "integers"),
    ("realize('X1 < {}', assume='sex')", UnknownNameError, "assumption 'sex'", "does not exist"),
    ("realize('X1 < {}', assume=[3])", InvalidTypeError, "assume", "claims or their names"),
    ("realize('X1 < {}', assume=['positive', FAKE])", errors.ClaimError, "assume", "of distinct names"),
    ("realize('X1 < {}', time_limit=0)", InvalidValueError, "time_limit", "above 0"),
    ("realize('X1 < {}', resume=3)", InvalidTypeError, "resume", "a path"),
    ("realize('X1 < {}', progress=3)", InvalidTypeError, "progress", "function"),
    ("two_orderings('X1 < {}', '{} < X1')", NotMonotoneError, "second: ordering", "X1 less information than its sub"),
    ("two_orderings('{} < X1', 'X1 = {}')", NotMonotoneError, "first: ordering", "X1 a larger Bayes risk than its"),
    ("two_orderings('X1 < {}', 'X1 = {}')", InvalidValueError, "first", "give {} and X1 one Bayes risk, as second"),
    ("two_orderings('X1 < {}', '{}')", InvalidValueError, "second", "features ('X1',)"),
    ("two_orderings('X1 < {}', 'X1 < {}', '{}')", InvalidValueError, "third", "features ('X1',)"),
    ("two_orderings('X1 < {}', 'X1 < {}', '{} < X1')", NotMonotoneError, "third: ordering", "X1 a larger Gini"),
    ("two_orderings('X1 = {}', 'X1 < {}', 'X1 = {}')", InvalidValueError, "third", "{} and X1 on two levels, as"),
    ("two_orderings('X1 = {}', 'X1 = {}', 'X1 < {}')", InvalidValueError, "third", "{} and X1 on one level, as"),
    (f"two_orderings({ONE_BETTER}, 'X1X2 < X1 = X2 < {{}}', {ONE_BETTER})", InvalidValueError, "second", "X1 and X2"),
    ("realize('X1 < X1X2 < X2 < {}')", NotMonotoneError, "ordering", "X1X2 a larger Bayes risk than its subset X1"),
]
SIZE = "features=2"
LARGEST: list[Refusal] = [
    ("supremum(RISK)", InvalidValueError, "one of cardinalities and features", "given"),
    (f"supremum(3, {SIZE})", InvalidTypeError, "term", "a function of a Model"),
    (f"supremum(RISK, {SIZE}, subject_to=True)", InvalidTypeError, "subject_to", "a function of a Model"),
    (f"supremum(RISK, {SIZE}, subject_to=lambda m, T: True)", InvalidValueError, "subject_to", "about the variables"),
    (f"supremum(lambda m, best: m.risk(best), {SIZE})", InvalidValueError, "a variable", "i, j, k, l"),
    (f"supremum(lambda m: None, {SIZE})", errors.ClaimError, "claim value (", "a number in a claim"),
    (f"supremum(RISK, {SIZE}, subject_to=lambda m: None)", errors.ClaimError, "claim value (", "a formula"),
    (f"supremum(TAU, {SIZE})", InvalidValueError, "term", "without parameters"),
    (f"supremum(lambda m: m.risk() ** 2 * m.gini() ** 2, {SIZE})", errors.NotLinearError, "value", "a product"),
    ("supremum(lambda m: m.entropy('X1'), cardinalities=(2,))", errors.NotLinearError, "value", "an entropy"),
    (
        "supremum(lambda m: m.entropy('X1') / m.log(2), features=1)",
        errors.NotLinearError,
        "claim value",
        "divided by log(2)",
    ),
    (f"supremum(RISK, {SIZE}, assume='sex')", UnknownNameError, "assumption 'sex'", "does not exist"),
    (f"supremum(RISK, {SIZE}, time_limit=0)", InvalidValueError, "time_limit", "above 0"),
    (f"infimum(RISK, {SIZE}, resume=3)", InvalidTypeError, "resume", "a path"),
    (f"infimum(RISK, {SIZE}, progress=3)", InvalidTypeError, "progress", "function"),
]
NOWHERE, SIGNS = "ordering must list each of the ", "subsets separated by < and ="
ORDERED: list[Refusal] = [
    *((f"weak_order({text!r})", InvalidFormatError, "ordering", SIGNS) for text in ("X1 <= {}", "", "{X1 < {}")),
    ("weak_order('X1')", InvalidValueError, NOWHERE, "leave out {}"),
    ("weak_order('X2 < {}')", InvalidValueError, NOWHERE, "leave out X1X2"),
    ("weak_order('X1 = X1 < {}')", InvalidValueError, NOWHERE, "X1 as S_1 and S_2"),
    ("weak_order('{} < X1')", NotMonotoneError, "ordering", "not give X1 a larger Bayes risk than its subset {}"),
    ("weak_order('sex < {}')", InvalidValueError, "features", "given"),
    ("weak_order('sex < {}', features=['age'])", InvalidFormatError, "each subset of ordering", "names among 'age'"),
    ("weak_order('X1' + '0' * 30 + ' < {}')", errors.TooLargeError, "one order of the subsets", "at most 64"),
    ("weak_order(3)", InvalidTypeError, "ordering", "a text, an Ordering or levels"),
    ("weak_order(['X1'])", InvalidTypeError, "ordering[0]", "a level"),
    ("weak_order([[['X1']], []])", InvalidValueError, "ordering[1]", "a level with a subset"),
    ("weak_order([[3], [[]]])", InvalidTypeError, "ordering[0][0]", "a feature name or an iterable of feature names"),
]
NAMES = {
    "FAKE": claim(lambda m: True, name="positive"), "needed_assumptions": needed_assumptions, "prove": prove,
    "realize": realize, "refute": refute, "referee": referee,
    "two_orderings": two_orderings, "weak_order": weak_order, "supremum": supremum, "infimum": infimum,
    "RISK": lambda m: m.risk(), "TAU": lambda m: m.parameter("tau", above=0, below=1) - m.risk(),
}  # fmt: skip
test_bad_calls = refusals([*PROVED, *REFUTED, *REALIZED, *LARGEST, *ORDERED], NAMES)
