"""Bayesian networks: joints are the products of tables, probabilities their sums; files are read to the last digit."""

import gzip
import importlib.util
import itertools
import math
import pickle
import random
from fractions import Fraction
from pathlib import Path
from typing import Any

import networkx as nx
import pytest

import fstheory as fs
from fstheory.selection import networks
from tests.refusals import refusals

YES_NO = {"yes": "1/2", "no": "1/2"}
Tables = dict[str, tuple[tuple[str, ...], Any]]


def random_tables(seed: int, size: int = 6, zeros: tuple[int, ...] = (0, 1, 2, 5)) -> Tables:
    """Return the tables of a random network: zeros, deterministic nodes, nodes of one state, mixed cardinalities."""
    rng, tables, states = random.Random(seed), Tables(), dict[str, list[str]]()
    for i in range(size):
        name = f"v{i}"
        parents = tuple(rng.sample(sorted(states), min(rng.randrange(4), i)))
        states[name] = [f"s{k}" for k in range(rng.choice([1, 2, 2, 3]))]
        rows = {}
        for key in itertools.product(*(states[parent] for parent in parents)):
            weights = [rng.choice(zeros) for _ in states[name]]
            weights[rng.randrange(len(weights))] += 1
            rows[key] = {label: Fraction(w, sum(weights)) for label, w in zip(states[name], weights, strict=True)}
        tables[name] = parents, rows if parents else rows[()]
    return dict(rng.sample(sorted(tables.items()), size))  # the order of the variables is no order of the graph


def product_of(tables: Tables) -> fs.JointDistribution:
    """Return the joint distribution of all variables, the last the target: cell by cell the product of the tables."""
    rows = {name: (parents, table if parents else {(): table}) for name, (parents, table) in tables.items()}
    states = {name: list(next(iter(table.values()))) for name, (_, table) in rows.items()}
    pmf = {}
    for cell in itertools.product(*states.values()):
        at = dict(zip(tables, cell, strict=True))
        numbers = (table[tuple(at[parent] for parent in parents)][at[name]] for name, (parents, table) in rows.items())
        pmf[cell] = math.prod(numbers, start=Fraction(1))
    *features, target = tables
    return fs.JointDistribution.from_pmf(pmf, features=features, target=target, states=states)


@pytest.mark.parametrize("seed", range(12))
def test_a_joint_distribution_is_the_product_of_the_tables(seed: int) -> None:
    tables = random_tables(seed)
    n, whole = networks.Network(tables), product_of(tables)
    some, target = random.Random(seed).sample(whole.features, 2), whole.target
    assert n.joint(whole.features, target) == whole
    assert n.joint(set(some), target) == whole.marginal(some)
    assert n.joint(some[::-1], target).features == (*some[::-1],)
    event, given = {target: {n.states[target][0], n.states[target][-1]}}, {some[0]: n.states[some[0]][-1]}
    assert n.probability({**event, **given}) == whole.probability({**event, **given})
    if whole.probability(given):
        assert n.probability(event, given) == whole.condition(given).probability(event)


def test_a_sum_of_many_tables_and_of_large_denominators_is_exact() -> None:
    """More tables than one product of NumPy takes, whose denominators leave 63 bits."""
    leaves = {f"x{i}": (("y",), {"a": {"a": "0.123457", "b": "0.876543"}, "b": {"a": "1", "b": 0}}) for i in range(70)}
    n = networks.Network({"y": ((), {"a": "1/3", "b": "2/3"}), **leaves})
    for count in (3, 4, 5, 70):
        event = dict.fromkeys([*leaves][:count], "a")
        assert n.probability(event) == Fraction(1, 3) * Fraction("0.123457") ** count + Fraction(2, 3)
    d = n.joint(["x1", "x69"], "y")
    assert d.probability({"x1": "a", "x69": "b"}) == Fraction(1, 3) * Fraction("0.123457") * Fraction("0.876543")


def test_an_impossible_event_has_probability_0_whatever_the_denominators() -> None:
    row, sure = {"a": "0.1234567890123456", "b": "0.8765432109876544"}, {"a": 0, "b": 1}
    n = networks.Network({"y": ((), row), "u": ("y", {"a": sure, "b": row}), "v": ("y", {"a": row, "b": sure})})
    assert n.probability({"u": "a", "v": "a"}) == 0
    assert n.probability({"v": "a"}, given={"u": "b"}) > 0


def test_samples_are_drawn_from_the_tables() -> None:
    n = networks.asia()
    s = n.sample(20_000, rng=1, target="either")
    assert (s.m, s.target, s.features) == (20_000, "either", tuple(v for v in n.variables if v != "either"))
    assert s == n.sample(20_000, rng=1, target="either") != n.sample(20_000, rng=2, target="either")
    d = s.empirical(["tub", "lung", "bronc", "smoke"])
    assert d.probability({"either": "no", "tub": "yes"}) == d.probability({"either": "no", "lung": "yes"}) == 0
    for event in ({"smoke": "yes"}, {"smoke": "yes", "bronc": "yes"}, {"lung": "yes"}, {"either": "yes"}):
        p, times = n.probability(event), 20_000 * d.probability(event)
        assert (times - 20_000 * p) ** 2 <= 25 * 20_000 * p * (1 - p)  # five standard deviations


@pytest.mark.one_in(4)
@pytest.mark.parametrize("seed", range(40))
def test_what_zeros_do_beyond_the_boundary(seed: int) -> None:
    """Against the table of all variables: what is minimal within, and whether there is anything else without."""
    n = networks.Network(random_tables(seed, 6, (0, 0, 0, 0, 0, 1, 2)))
    target = n.variables[seed % 6]
    d = n.joint({*n.variables} - {target}, target)
    boundary, optimal = n.markov_boundary(target), n.minimal_optimal(target)
    blankets, solutions = fs.markov_blankets(d), fs.minimal_optimal(d, "exhaustive").solutions
    assert set(boundary.blankets) == {blanket for blanket in blankets if blanket <= {*boundary.features}}
    assert set(optimal.found.solutions) == {solution for solution in solutions if solution <= {*boundary.features}}
    assert (boundary.is_unique, optimal.is_unique) == (len(blankets) == 1, len(solutions) == 1)
    assert boundary.positive == d.is_positive().holds
    graph, rest = n.graph, {*n.variables} - {target} - {*boundary.features}
    assert not rest or nx.is_d_separator(graph, {target}, rest, set(boundary.features))
    for feature in boundary.features:
        assert not nx.is_d_separator(graph, {target}, rest | {feature}, {*boundary.features} - {feature})


@pytest.mark.thorough
def test_what_is_said_of_a_boundary() -> None:
    n = networks.asia()
    assert str(n.markov_boundary("dysp")).split("\n") == [
        "Markov boundary of dysp: {bronc, either}",
        "Given it, dysp is independent of all other variables: the graph separates them.",
        "The minimal blankets within it, by the probabilities: {bronc, either}; "
        + "one of several, as p(x) > 0 fails for some x.",
    ]
    optimal = n.minimal_optimal("dysp")
    assert (n.markov_boundary("either").positive, n.markov_boundary("lung").positive) == (True, False)
    assert "silent; here there are other solutions, in or out of the boundary." in str(optimal)
    assert "are single: no other set is (Theorem 4)." in str(networks.earthquake().minimal_optimal("alarm"))
    again = pickle.loads(pickle.dumps(optimal))
    assert (again, again.to_dict()["features"]) == (optimal, ["bronc", "either"])
    assert optimal.boundary.to_dict()["features"] == ["bronc", "either"]
    drawn = n.plot("dysp")
    assert all(f">{name}</text>" in drawn.to_svg() for name in n.variables)
    assert "either -&gt; dysp" in drawn.to_svg()


@pytest.mark.parametrize("leaves", [pytest.param(16, marks=pytest.mark.thorough), 30])
def test_a_boundary_of_many_subsets(leaves: int) -> None:
    rows = {"yes": {"yes": "0.7", "no": "0.3"}, "no": {"yes": "0.4", "no": "0.6"}}
    n = networks.Network({"y": ((), YES_NO), **{f"x{i}": ("y", rows) for i in range(leaves)}})
    assert "The probabilities were not asked: the " in str(n.markov_boundary("y"))
    if leaves == 16:
        assert (len(n.minimal_optimal("y").features), n.minimal_optimal("y").found.method) == (16, "backward")


def pyagrum_of(n: networks.Network) -> tuple[Any, Any]:
    """Return pyAgrum, and the network as it has it."""
    gum = pytest.importorskip("pyagrum")
    model = gum.BayesNet()
    for name in n.variables:
        model.add(gum.LabelizedVariable(name, "", list(n.states[name])))
    model.addArcs(list(n.graph.edges))
    for name, parents, _, rows in n.nodes:
        for key, row in zip(itertools.product(*(n.states[parent] for parent in parents)), rows, strict=True):
            model.cpt(name)[dict(zip(parents, key, strict=True))] = [float(p) for p in row]
    return gum, model


@pytest.mark.filterwarnings("ignore:Setting the shape:DeprecationWarning")  # of pyAgrum itself, since NumPy 2.5
def test_pyagrum_agrees() -> None:
    n = networks.asia()
    gum, model = pyagrum_of(n)
    again = networks.Network(model)
    for target, *given in itertools.permutations(n.variables, 3):
        event = dict.fromkeys(given, "yes")
        if n.probability(event):
            mine = [n.probability({target: label}, event) for label in n.states[target]]
            theirs = gum.getPosterior(model, target=target, evs=event).toarray()
            assert max(abs(float(p) - q) for p, q in zip(mine, theirs, strict=True)) < 1e-12
            assert again.probability({target: "yes"}, event) == mine[1]


BIF = """// asked of two
network "rain or not" { property "a ; b" ; }
variable rain { property position = (1, 2); type discrete [ 2 ] { "yes, sir", no }; }
variable wet { // and how
  type discrete[3] { yes no maybe };
}
probability ( rain ) { table 0.20, 8e-1; }
probability ( wet | rain ) {
  /* the others */ default 0.15, 0.85, 0;
  ("yes, sir") 0.9, 0.1, 0.0;
}
"""
XML = """<?xml version="1.0"?>
<!DOCTYPE BIF [ <!ELEMENT BIF (NETWORK)*> ]>
<BIF VERSION="0.3"><NETWORK><NAME>x</NAME>
<VARIABLE TYPE="nature"><NAME>rain</NAME><OUTCOME>yes, sir</OUTCOME><OUTCOME>no</OUTCOME></VARIABLE>
<VARIABLE TYPE="nature"><NAME>wet</NAME><OUTCOME>yes</OUTCOME><OUTCOME>no</OUTCOME><OUTCOME>maybe</OUTCOME></VARIABLE>
<DEFINITION><FOR>wet</FOR><GIVEN>rain</GIVEN><TABLE>0.9 0.1 0.0 <!-- no --> 0.15 0.85 0</TABLE></DEFINITION>
<DEFINITION><FOR>rain</FOR><TABLE>0.2 0.8</TABLE></DEFINITION></NETWORK></BIF>
"""
RAIN = networks.Network(
    {
        "rain": ((), {"yes, sir": "1/5", "no": "4/5"}),
        "wet": (
            ["rain"],
            {"yes, sir": {"yes": "0.9", "no": "0.1", "maybe": 0}, "no": {"yes": "0.15", "no": "0.85", "maybe": 0}},
        ),
    }
)
SPACED = XML.replace("<BIF ", '<BIF xmlns="http://example.org/XMLBIFv0_3" ')
BY_STATE = "table 0.9 0.15 0.1 0.85 0 0;"


@pytest.mark.parametrize(
    "text",
    [BIF, BIF.replace("\n", "\r\n"), XML, SPACED,
     BIF.replace("/* the others */ default 0.15, 0.85, 0;", BY_STATE).replace(
        '("yes, sir") 0.9, 0.1, 0.0;', "")],
    ids=["bif", "lines of Windows", "xml", "a namespace", "whole table"],
)  # fmt: skip
def test_a_file_is_read_to_the_last_digit(text: str, tmp_path: Path) -> None:
    for content in (text.encode(), gzip.compress(text.encode())):
        (tmp_path / "rain").write_bytes(content)
        assert networks.load(tmp_path / "rain") == RAIN
    RAIN.save(tmp_path / "again.bif")
    assert networks.load(tmp_path / "again.bif") == RAIN


@pytest.mark.parametrize("seed", range(4))
def test_what_is_written_is_read_again(seed: int, tmp_path: Path) -> None:
    """Also fractions that no decimal is."""
    n = networks.Network(random_tables(seed))
    n.save(tmp_path / "n.bif.gz")
    assert networks.load(tmp_path / "n.bif.gz") == n
    assert hash(networks.load(tmp_path / "n.bif.gz")) == hash(n)


def test_a_comment_without_an_end_is_looked_for_once(tmp_path: Path) -> None:
    """And not from each place where one begins, which takes hours here."""
    (tmp_path / "n.bif").write_text("network x { }\n" + "/* " * 10**6)
    with pytest.raises(fs.errors.InvalidFormatError, match=r"line 2 must be a network, .*, not '/\* /\*"):
        networks.load(tmp_path / "n.bif")


def test_rows_are_rescaled_where_that_is_asked_for(tmp_path: Path) -> None:
    (tmp_path / "off.bif").write_text(BIF.replace("8e-1", "0.7999"))
    n = networks.load(tmp_path / "off.bif", normalize=True)
    assert n.notes == ("rescaled to sum to 1: off.bif, line 7: rain sums to 0.9999",)
    assert n.probability({"rain": "no"}) == Fraction(7999, 9999)


def test_published_networks() -> None:
    found_at = importlib.util.find_spec("pgmpy")  # which carries them, and is not imported
    folder = Path(str(found_at and found_at.origin)).parent / "utils" / "example_models"
    if not (folder / "alarm.bif.gz").exists():
        pytest.skip("the published networks are not here")
    rows = {"asia": 0, "earthquake": 0, "child": 0, "alarm": 6, "sachs": 35, "hepar2": 62, "insurance": 1}
    found = {name: networks.load(folder / f"{name}.bif.gz", normalize=True) for name in rows}
    assert {name: len(n.notes) for name, n in found.items()} == rows
    with pytest.raises(
        fs.InvalidValueError, match=r"exactly 1, as 62 of them do not: hepar2.bif.gz, line 275: age sums"
    ):
        networks.load(folder / "hepar2.bif.gz")
    for event in itertools.product(("yes", "no"), repeat=3):
        state = dict(zip(("dysp", "xray", "smoke"), event, strict=True))
        assert networks.asia().probability(state) == found["asia"].probability(state)
    theirs = found["earthquake"].probability({"Burglary": "True"}, {"JohnCalls": "True", "MaryCalls": "False"})
    assert networks.earthquake().probability({"burglary": "yes"}, {"john": "yes", "mary": "no"}) == theirs


def bad(text: str, name: str = "bad.bif") -> Any:
    """Return a reader of a changed file: what is replaced, and by what."""

    def read(tmp: Path, old: str = "", new: str = "", normalize: bool = False) -> networks.Network:
        (tmp / name).write_text(text.replace(old, new) if old else text)
        return networks.load(tmp / name, normalize=normalize)

    return read


V, F, T, U = fs.InvalidValueError, fs.errors.InvalidFormatError, fs.InvalidTypeError, fs.UnknownNameError

test_bad_call = refusals(
    [
        ("bif(tmp, '8e-1', '0.7999')", V, "every row of probabilities", "as 1 of them do not: bad.bif, line 7"),
        ("bif(tmp, '8e-1', '-1')", V, "bad.bif, line 7: p(rain)", "at least 0"),
        ("bif(tmp, '8e-1', 'nan')", F, "bad.bif, line 7: p(rain)", "an exact number"),
        ("bif(tmp, '0.20, 8e-1', '0 0', normalize=True)", V, "bad.bif, line 7: p(rain)", "above 0"),
        ("bif(tmp, '8e-1', '0.4, 0.4')", V, "bad.bif, line 7", "2 probabilities of rain"),
        ("bif(tmp, '0.9, 0.1, 0.0', '0.9, 0.1')", V, "bad.bif, line 10", "3 probabilities of wet"),
        ("bif(tmp, '(\"yes, sir\") 0.9', '(yes) 0.9')", V, "bad.bif, line 10", "a row for states of"),
        ("bif(tmp, 'default', '(\"yes, sir\")')", V, "bad.bif, line 10", "the only row"),
        ("bif(tmp, 'default 0.15, 0.85, 0;', '')", V, "bad.bif, line 8", "a table with a row for wet | no"),
        ("bif(tmp, 'wet | rain', 'wet | rein')", U, "bad.bif, line 8: variable 'rein'", "does not exist"),
        ("bif(tmp, 'wet | rain', 'wet | wet')", V, "bad.bif, line 8", "distinct variables"),
        ("bif(tmp, 'wet | rain', 'rain')", V, "bad.bif, line 8", "the only table"),
        ("bif(tmp, 'variable wet', 'variable rain')", F, "bad.bif, line 4", "a variable of its own"),
        ("bif(tmp, 'yes no maybe', 'yes no yes')", V, "states['wet']", "distinct labels"),
        ("bif(tmp, 'yes no maybe', 'yes no')", F, "bad.bif, line 4", "3 states, as it declares"),
        ("bif(tmp, 'discrete[3]', 'continuous[3]')", F, "bad.bif, line 4", "a variable with its discrete"),
        ("bif(tmp, 'probability ( rain ) {', 'probability ( rain )')", F, "bad.bif, line 7", "a probability"),
        ("bif(tmp, '8e-1; }', '8e-1 }')", F, "bad.bif, line 7", "a row that ends in"),
        ("bif(tmp, '0.1, 0.0;\\n}\\n', '0.1, 0.0;\\n')", F, "bad.bif, line 10", "a row that ends in"),
        ("bif(tmp, 'no }; }', 'no\" }; }')", F, "bad.bif, line 3", "a variable with its discrete"),
        ("bif(tmp, 'probability ( rain ) { table 0.20, 8e-1; }', '')", V, "bad.bif, line 3", "with a table"),
        ("bif(tmp, BIF, 'x')", F, "bad.bif, line 1", "a network, a variable"),
        ("bif(tmp, BIF, '')", V, "a network", "of at least one variable"),
        ("xml(tmp, '</BIF>', '')", F, "bad.xml", "file of it, not 'no element found: line 8"),
        ("xml(tmp, '<GIVEN>rain', '<GIVEN>rein')", U, "bad.xml, the DEFINITION wet: variable", "does not"),
        ("bif(tmp, '/* the others */', '/* the others')", F, "bad.bif, line 9", "not '/* the others default 0.15,"),
        ("bif(tmp, '8e-1; }', '8e-1; ')", F, "bad.bif, line 8", "not 'probability ( wet | rain"),
        ("bif(tmp, ' ; }', ' ;' + ' property a;' * 99)", F, "bad.bif, line 2", "a network"),
        ("xml(tmp, 'nature\"><NAME>wet', 'utility\"><NAME>wet')", F, "bad.xml, the VARIABLE wet", "of type nature"),
        ("packed(tmp, b' ' * (2**26 + 1)) and networks.load(tmp / 'n.gz')", fs.TooLargeError, "n.gz", "of at most"),
        ("spoiled(tmp) and networks.load(tmp / 'n.gz')", F, "n.gz", "or a complete gzip file"),
        ("bif(tmp, normalize=3)", T, "normalize", "True or False"),
        ("cut(tmp) and networks.load(tmp / 'cut.gz')", F, "cut.gz", "or a complete gzip file"),
        ("N([1])", T, "tables", "a mapping from variables"),
        ("N({'a': HALF})", V, "tables['a']", "a pair of parents and a mapping"),
        ("N({'a': ((), {'yes': 0.5, 'no': 0.5})})", T, "tables['a']: p(a)", "an exact number"),
        ("N({'a': ('b', BOTH), 'b': ('a', BOTH)})", V, "the arcs", "without a cycle"),
        ("N({'a': ((), HALF), 'b': ('a', BOTH | {'no': {'yes': 1}})})", V, "tables['b']['no']", "a mapping from"),
        ("N({'a': ((), HALF), 'b': ('a', {'yes': HALF})})", V, "tables['b']", "a row for b | no"),
        ("ASIA.joint(['smoke'], 'smoke')", V, "target", "not among the features"),
        ("ASIA.joint(['smok'], 'lung')", U, "feature 'smok'", "does not exist"),
        ("ASIA.joint(['tub', 'tub'], 'lung')", V, "features", "made of distinct names"),
        ("ASIA.probability({'smoke': 'maybe'})", U, "state of smoke 'maybe'", "does not exist"),
        ("ASIA.probability({}, {'either': 'no', 'tub': 'yes'})", fs.ZeroProbabilityError, "given", "an event of"),
        ("ASIA.sample(0, rng=1)", V, "m", "at least 1"),
        ("ASIA.sample(10**12, rng=1)", fs.TooLargeError, "m samples", "half of this machine's memory"),
        ("N({'a': ((), {0: 1})}).save(tmp / 'n.bif')", T, "every name and state", "a text"),
        ("N({'a': ((), {'\"': 1})}).save(tmp / 'n.bif')", V, "every name and state", "without quotes"),
        ("MANY.joint(MANY.variables[:-1], 'x59')", fs.TooLargeError, "the joint distribution", "fit in half of"),
    ],
    {"networks": networks, "MANY": networks.Network({f"x{i}": ((), YES_NO) for i in range(60)}), "BIF": BIF,
     "N": networks.Network, "ASIA": networks.asia(), "HALF": YES_NO, "BOTH": {"yes": YES_NO, "no": YES_NO},
     "bif": bad(BIF), "xml": bad(XML, "bad.xml"),
     "packed": lambda tmp, data: (tmp / "n.gz").write_bytes(gzip.compress(data, 1)),
     "spoiled": lambda tmp: (tmp / "n.gz").write_bytes(gzip.compress(BIF.encode())[:10] + b"\xff" * 99),
     "cut": lambda tmp: (tmp / "cut.gz").write_bytes(gzip.compress(BIF.encode())[:60])},
)  # fmt: skip
