"""The page of the explorer: its data, its arithmetic against Python's, and itself in a browser where there is one."""

import bisect
import functools
import itertools
import json
import math
import random
import re
import runpy
import xml.etree.ElementTree as ET
import zlib
from collections import Counter
from collections.abc import Callable
from decimal import Context, Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import sympy

import fstheory as fs
from fstheory._support.exact import decimal_text, exact_text
from fstheory.errors import InvalidTypeError, InvalidValueError, TooLargeError
from fstheory.lattice.columns import ExactColumn
from fstheory.lattice.importance import table_importance
from fstheory.lattice.subsets import mask_of
from fstheory.lattice.table import SubsetTable
from fstheory.measures.criteria import as_criterion
from fstheory.numbers.algebraic import FieldElement, difference, polynomial_text
from fstheory.numbers.roots import RootSum
from fstheory.reports.explorer import (
    CRITERIA,
    MODULES,
    embedded,
    explorer_data,
    explorer_page,
    front_end,
    lattice_widget,
    read,
)
from fstheory.reports.language import words_of
from fstheory.selection.family import Family, as_risks
from tests.house import source
from tests.refusals import refusals

SHAPES = [(2,), (2, 2), (3, 2), (2, 2, 2), (2, 3, 3), (2, 2, 2, 2), (2, 2, 2, 2, 2), (3, 2, 2, 3)]


def drawn(source: random.Random) -> fs.JointDistribution:
    """Draw a distribution, some with weights beyond what floats hold, some with a feature that says nothing."""
    shape = source.choice(SHAPES)
    largest = source.choice([2, 5, 100, 10**25])
    weights = np.array([source.randrange(largest) for _ in range(int(np.prod(shape)))], dtype=object).reshape(shape)
    weights.flat[0] += 1
    return fs.JointDistribution(
        weights[:1].repeat(shape[0], 0) if len(shape) > 2 and source.random() < 0.3 else weights
    )


def irrational() -> Family:
    """Return a family of degree 3 whose critical values are all irrational."""
    e = sympy.Symbol("e")
    family: Family = fs.polynomial_family([[[(1 - e) ** 2, e], [e**2 + 1, 3 * e**2]], [[e, e**3], [1, e]]], e)
    return family


def expected(d: fs.JointDistribution) -> dict[str, Any]:
    """Return what the front end should find, by mask."""
    risks = fs.bayes_risks(d)
    values = [risks.value_at(mask) for mask in range(2 ** len(d.features))]
    worth = fs.importance(d)
    ranked = [d.features.index(name) for group in worth.ranking() for name in group]
    return {
        "worth": [exact_text(number) for number in worth.values()],
        "parts": [int(1000 * number / worth.total) if worth.total else 0 for number in worth.values()],
        "added": [added(risks, ranked[:k]) for k in range(1, len(ranked) + 1)],
        "others": [criterion(d, "balanced"), criterion(d, "auc")],
        "exact": list(map(exact_text, values)),
        "decimal": [decimal_text(value, 4) for value in values],
        "ranks": risks.ranks.tolist(),
        "minimal": sorted(mask_of(subset, d.features) for subset in risks.minimal_sets()),
        "optimal": sorted(mask_of(s, d.features) for k, _ in risks.by_size() for s in risks.best_of_size(k).subsets),
        "blankets": sorted(mask_of(subset, d.features) for subset in fs.markov_blankets(d)),
        "search": mask_of(fs.minimal_optimal(d, method="backward").features, d.features),
        "tables": [[str(w) for w in marginal(d, mask).ravel().tolist()] for mask in range(2 ** len(d.features))],
    }


def added(risks: fs.SubsetTable[Any], kept: list[int]) -> list[Any]:
    """Return the feature that was added last, the mask of what is kept, and whether no subset of its size is better."""
    mask = sum(1 << i for i in kept)
    return [kept[-1], mask, risks.value_at(mask) == risks.best_of_size(len(kept)).value]


def criterion(d: fs.JointDistribution, key: str) -> list[str] | None:
    """Return the values of a criterion by mask; None where it has none."""
    try:
        table = fs.criterion_values(d, key)
    except fs.FSTheoryError:
        return None
    return [exact_text(table.value_at(mask)) for mask in range(2 ** len(d.features))]


def marginal(d: fs.JointDistribution, mask: int) -> Any:
    """Sum the weights over the features outside a mask."""
    return d.weights.astype(object).sum(axis=tuple(i for i in range(len(d.features)) if not mask >> i & 1))


COMPUTE = """
const ascending = (set) => [...set].sort((a, b) => a - b);
const found = (given) => {
  const d = { cards: given.cards, classes: given.classes, weights: given.weights.map(BigInt) };
  const [errors, whole] = bayesErrors(d), ranks = ranksOf(errors), tables = marginals(d);
  const others = [balancedErrors(d, tables), areas(d, tables)];
  const worth = worthOf(errors, whole, d.cards.length, false);
  const path = addByImportance(worth.ranks, ranks, d.cards.length);
  const best = ({ subset, best }) => (best === subset) === (ranks[best] === ranks[subset]) && best === subset;
  return {
    worth: worth.exact, parts: worth.parts, added: path.map((step) => [step.feature, step.subset, best(step)]),
    others: others.map((found) => found && found[0].map((e) => fraction(e, found[1]))),
    exact: errors.map((e) => fraction(e, whole)), decimal: errors.map((e) => decimal(e, whole)), ranks,
    minimal: ascending(minimalSets(ranks)), optimal: ascending(optimalOfSize(ranks)),
    blankets: ascending(markovBlankets(d)), search: backwardSearch(ranks, 2 ** d.cards.length - 1).end,
    tables: marginals(d).map((table) => table.map(String)),
  };
};
"""


def given(d: fs.JointDistribution) -> dict[str, Any]:
    weights = [str(weight) for weight in d.weights.ravel().tolist()]
    return {"cards": list(d.cardinalities), "classes": len(d.classes), "weights": weights}


def test_the_arithmetic_of_the_page_is_that_of_python(evaluated: Callable[[str], Any]) -> None:
    source = random.Random(0)
    cases = [drawn(source) for _ in range(150)]
    script = f"{read('exact.js')}{COMPUTE}const answer = {json.dumps([given(d) for d in cases])}.map(found);"
    for d, found in zip(cases, evaluated(script), strict=True):
        assert found == expected(d)


ASKED = """
const asked = (given) => {
  const d = { cards: given.cards, classes: given.classes, weights: given.weights.map(BigInt) }, tables = marginals(d);
  const policies = [...d.cards, 0].map((_, budget) => {
    const { errors, next } = policyOf(d, tables, budget), nodes = [];
    const visit = (mask, place) => {
      const row = rowsOf(tables[mask], d.classes)[place], asks = next(mask, place);
      if (!total(row)) return;
      nodes.push([asks, `${total(row)}`, asks.length ? [] : likeliest(row)]);
      if (asks.length) for (const below of refined(d, mask, place, asks[0])) visit(mask | 1 << asks[0], below);
    };
    visit(0, 0);
    return [`${errors}`, nodes];
  });
  const people = rowsOf(d.weights, d.classes).flatMap((row, place) => (total(row) ? [place] : []));
  return [policies, people.map((place) => {
    const { reasons, changes } = reasonsOf(d, place);
    return [place, ascending(reasons), changes.map(({ mask, other }) => [mask, other])];
  })];
};
"""


def policy_nodes(d: fs.JointDistribution, budget: int) -> list[Any]:
    """Return the errors of the best policy, and for each node the best questions, the weight and the verdicts."""
    policy = fs.best_questions(d, budget=budget)
    nodes = [
        [
            [d.features.index(name) for name in node.tied],
            str(node.share * d.total),
            [*map(d.classes.index, node.verdicts)],
        ]
        for node in policy.nodes
    ]
    return [str(policy.risk * d.total), nodes]


def explained(d: fs.JointDistribution, place: int) -> list[Any]:
    """Return the place of a case with the masks of its reasons, and the mask and the place of each smallest change."""
    case = [states[x] for states, x in zip(d.states.values(), np.unravel_index(place, d.cardinalities), strict=False)]
    found = fs.reasons(d, case)
    changes = []
    for change in found.changes:
        changed = {**change.case, **change.state}
        at = [d.states[name].index(changed[name]) for name in d.features]
        changes.append([mask_of(change.state, d.features), int(np.ravel_multi_index(at, d.cardinalities))])
    return [place, sorted(mask_of(reason.state, d.features) for reason in found.reasons), changes]


def test_questions_and_reasons_of_the_page_are_those_of_python(evaluated: Callable[[str], Any]) -> None:
    source = random.Random(7)
    cases = [drawn(source) for _ in range(9)]
    cases += [fs.gallery.random((2, 3, 2), classes=3, rng=source, total=9) for _ in range(3)]
    script = f"{read('exact.js')}{COMPUTE}{ASKED}const answer = {json.dumps([given(d) for d in cases])}.map(asked);"
    for d, (policies, people) in zip(cases, evaluated(script), strict=True):
        assert policies == [policy_nodes(d, budget) for budget in range(len(d.features) + 1)]
        assert [place for place, *_ in people] == np.flatnonzero(d.weights.any(axis=-1)).tolist()
        some = source.sample(people, min(4, len(people)))
        assert some == [explained(d, place) for place, *_ in some]


def dots_of(d: fs.JointDistribution, dots: int) -> list[int]:
    """Return how many dots each cell gets: by largest remainder, or at equal distances if the cells are many."""
    weights = d.weights.astype(object).ravel().tolist()
    quotas = [Fraction(dots * weight, d.total) for weight in weights]
    if 4 * sum(map(bool, weights)) <= dots:
        counts = [int(quota) for quota in quotas]
        for cell in sorted(range(len(quotas)), key=lambda i: (counts[i] - quotas[i], i))[: dots - sum(counts)]:
            counts[cell] += 1
        return counts
    cells = np.arange(len(weights)).reshape(-1, len(d.classes)).T.ravel().tolist()
    ends = list(itertools.accumulate(quotas[cell] for cell in cells))
    placed = Counter(cells[bisect.bisect_right(ends, k + Fraction(1, 2))] for k in range(dots))
    return [placed[cell] for cell in range(len(weights))]


def judged(d: fs.JointDistribution, subset: frozenset[str]) -> list[Any]:
    """Return for each possible state of a subset its weights by class, the guess, and the weight of its errors."""
    mask = mask_of(subset, d.features)
    rows = marginal(d, mask).reshape(-1, len(d.classes)).tolist()
    assert sum(sum(row) - max(row) for row in rows) == fs.bayes_risk(d, subset) * d.total
    return [[[*map(str, row)], row.index(max(row)), str(sum(row) - max(row))] for row in rows if any(row)]


def test_dots_and_wrong_guesses_of_the_page_are_those_of_python(evaluated: Callable[[str], Any]) -> None:
    source = random.Random(11)
    cases = [drawn(source) for _ in range(12)]
    cases += [fs.gallery.random((2, 3, 2), classes=3, rng=source, total=total) for total in (9, 57, 10**30)]
    cases += [fs.gallery.titanic(), fs.JointDistribution(np.ones((2,) * 8, dtype=int)), fs.JointDistribution([0, 5])]
    script = f"""{read("exact.js")}const answer = {json.dumps([given(d) for d in cases])}.map((given) => {{
      const d = {{ ...given, weights: given.weights.map(BigInt) }}, tables = marginals(d), whole = total(d.weights);
      const one = ({{ row, guess, wrong }}) => [row.map(String), guess, `${{wrong}}`];
      return [dotsOf(d, whole <= 400n ? Number(whole) : 400), tables.map((table) => judged(d, table).map(one))];
    }});"""
    for d, (dots, tables) in zip(cases, evaluated(script), strict=True):
        assert sum(dots) == min(d.total, 400)
        assert dots == (d.weights.ravel().tolist() if d.total <= 400 else dots_of(d, 400))
        subsets = [frozenset(f for i, f in enumerate(d.features) if mask >> i & 1) for mask in range(len(tables))]
        assert tables == [judged(d, subset) for subset in subsets]


def test_importances_by_other_criteria_are_those_of_python(evaluated: Callable[[str], Any]) -> None:
    source = random.Random(2)
    cases = [d for d in (drawn(source) for _ in range(40)) if len(d.classes) == 2]
    script = f"""{read("exact.js")}const answer = {json.dumps([given(d) for d in cases])}.map((given) => {{
      const d = {{ ...given, weights: given.weights.map(BigInt) }}, found = areas(d, marginals(d));
      const worth = found && worthOf(...found, given.cards.length, true);
      return worth && [worth.exact, worth.ranks];
    }});"""
    for d, found in zip(cases, evaluated(script), strict=True):
        if found:
            worth = fs.importance(d, criterion="auc")
            groups = [{d.features[i] for i, rank in enumerate(found[1]) if rank == place} for place in set(found[1])]
            assert found[0] == [exact_text(number) for number in worth.values()]
            assert groups[::-1] == list(map(set, worth.ranking()))


def test_the_weights_of_a_family_are_those_of_python(evaluated: Callable[[str], Any]) -> None:
    e = sympy.Symbol("e")
    flip = [(1 - e) ** 3, e * (1 - e) ** 2, e**2 * (1 - e), e**3 / 7]
    source = random.Random(1)
    linear = fs.linear_family(*(fs.gallery.random((2, 3, 2), rng=source) for _ in range(2)))
    families = [linear, fs.polynomial_family([flip, flip[::-1]], e, end="8/9")]
    asked = [explorer_data(family)["family"] for family in families]
    script = f"{read('exact.js')}const answer = {json.dumps(asked)}.map(({{ coefficients, stops }}) =>"
    script += " stops.zero_one.map((t) => typeof t === 'string' && weightsAt(coefficients, t).map(String)));"
    for family, data, found in zip(families, asked, evaluated(script), strict=True):
        stops = [isinstance(t, str) and family.at(t).weights.ravel().tolist() for t in data["stops"]["zero_one"]]
        assert found == [weights and list(map(str, weights)) for weights in stops]


def drawn_families() -> list[Family]:
    """Draw families whose critical values are rationals, square roots, and roots of higher degree."""
    e, source = sympy.Symbol("e"), random.Random(4)
    weight = lambda: sum(source.randrange(5) * e**power for power in range(4))  # noqa: E731
    cubic = [np.array([weight() for _ in range(8)]).reshape(2, 2, 2).tolist() for _ in range(4)]
    classes = fs.linear_family(*(fs.gallery.random((2, 3), classes=3, rng=source) for _ in range(2)))
    sizes = ((2, 10**9 + 7), (3, None))
    draw = lambda n, total: fs.gallery.random((2,) * n, rng=source, total=total)  # noqa: E731
    linear = [fs.linear_family(draw(*size), draw(*size)) for size in sizes]
    high = fs.polynomial_family([[5 * e**5 + 1, 3 - 4 * e**3 + 2 * e], [7 * e, 6 * e**4 + e**2]], e)
    below = fs.polynomial_family([[1 - e, 2 + e], [3 * e**2 + 1, 2]], e, start="-1/2")
    return [irrational(), classes, *linear, high, below, *(fs.polynomial_family(rows, e) for rows in cubic)]


def values_at(family: Family, key: str, root: Any) -> list[Any]:
    """Return the values of a criterion by mask from the risks of the family that has it as its risk."""
    risks = fs.phase_diagram(family if key == "zero_one" else as_risks(family, key) or family).risks_at(root)
    values = [risks.value_at(mask) for mask in range(len(risks))]
    if key == "auc":
        return [difference(Fraction(1), value) for value in values]
    others = family.coefficients.shape[-1] - 1 if key == "balanced" else 0
    negative = [difference(Fraction(0), value) for value in values]
    return [functools.reduce(difference, [less] * others, value) for value, less in zip(values, negative, strict=True)]


def written(value: Any) -> str:
    """Return the exact text of a rational, of a sum with a square root, or of a polynomial in t."""
    if isinstance(value, Fraction):
        return exact_text(value)
    text = polynomial_text(value.coefficients) if isinstance(value, FieldElement) else str(value).split(" ≈")[0]
    return f"≈{value.decimal(4)}" if text.startswith("≈") or len(text) > 120 else text


FIELD = """
const computed = { zero_one: bayesErrors, balanced: balancedErrors, auc: areas };
const at = ({ family, cards, classes }) => Object.entries(family.stops).filter(([key]) => key).map(([key, points]) => {
  const { bits, weights } = pack(family.coefficients, classes), d = { cards, classes, weights }, tables = marginals(d);
  return [key, points.filter((point) => typeof point !== "string").map((point) => {
    const field = new Field(point, bits), [errors, whole] = computed[key](d, tables, field);
    return { name: field.name(({ number, polynomial }) => `root ${number} of ${polynomial}`),
      exact: errors.map((e) => field.exact(e, whole)), ranks: ranksOf(errors, field),
      decimal: errors.map((e) => field.decimal(e, whole, 6)),
      worth: worthOf(errors, whole, cards.length, key === "auc", field) };
  })];
});
"""


def test_the_root_of_two_is_narrowed_until_signs_and_digits_are_certain(evaluated: Callable[[str], Any]) -> None:
    near = math.isqrt(2 * 10**80)  # 40 digits of the root of two, of which 12 come with the data
    script = f"""{front_end().replace("export default", "const widget =")}
    const field = new Field({{ at: "{near // 10**28}e-12", sum: ["0", "1", "2"] }}, 400n), t = 1n << 400n;
    const answer = [0n, -1n, 1n].map((more) => field.sign(10n ** 40n * t - {near}n + more));
    answer.push(field.decimal(10n ** 40n * t - {near}n, 1n, 20), field.exact(t * t, 1n), field.sign(t * t - 2n));"""
    rest = Decimal(2).sqrt(Context(prec=80)).scaleb(40, Context(prec=80)) - near
    assert evaluated(script) == [1, -1, 1, f"{rest:.20f}", "2", 0]


@pytest.mark.thorough
def test_values_at_irrational_parameters_are_those_of_python(evaluated: Callable[[str], Any]) -> None:
    families = drawn_families()
    shapes = [{"cards": f.coefficients.shape[1:-1], "classes": f.coefficients.shape[-1]} for f in families]
    asked = [shape | {"family": explorer_data(f)["family"]} for shape, f in zip(shapes, families, strict=True)]
    script = (
        f"{front_end().replace('export default', 'const widget =')}{FIELD}const answer = {json.dumps(asked)}.map(at);"
    )
    kinds = set()
    for family, answer in zip(families, evaluated(script), strict=True):
        for key, found in answer:
            diagram = fs.phase_diagram(family if key == "zero_one" else as_risks(family, key) or family)
            roots: list[Any] = [root for root in diagram.critical_values if not isinstance(root, Fraction)]
            kinds |= {(key, type(root).__name__) for root in roots}
            for root, page in zip(roots, found, strict=True):
                values, worth = values_at(family, key, root), page.pop("worth")
                assert page == {
                    "name": re.sub(r"^≈(\S+) .*", r"≈ \1", str(root)),
                    "exact": list(map(written, values)),
                    "ranks": ExactColumn(values).ranks().tolist(),
                    "decimal": list(map(decimal_text, values)),
                }
                gained = float(values[-1]) - float(values[0])
                given = sum(map(float, worth["decimal"]))
                assert given == pytest.approx(gained if key == "auc" else -gained, rel=1e-3, abs=1e-9)
                if isinstance(root, RootSum):
                    table: SubsetTable[Any] = SubsetTable(
                        family.features, ExactColumn(values), larger_is_better=key == "auc"
                    )
                    numbers = table_importance(table).numbers
                    assert worth["exact"] == list(map(written, numbers))
                    assert worth["ranks"] == ExactColumn(numbers).ranks().tolist()
    assert kinds == {(key, kind) for key in ("zero_one", "balanced", "auc") for kind in ("RootSum", "AlgebraicNumber")}


def test_an_exact_number_is_said_to_be_its_decimal_only_where_it_is(evaluated: Callable[[str], Any]) -> None:
    pairs = [("1/4", "0.25"), ("1/3", "0.3333"), ("2", "2"), ("-1/8", "-0.125"), ("≈0.3", "0.3"), ("sqrt(2)", "1.414")]
    script = f"{read('exact.js')}const answer = {json.dumps(pairs)}.map(([exact, near]) => both(exact, near));"
    assert evaluated(script) == ["1/4 = 0.25", "1/3 ≈ 0.3333", "2", "-1/8 = -0.125", "≈0.3", "sqrt(2) ≈ 1.414"]


def test_the_data_are_exact_texts_by_mask() -> None:
    d = fs.gallery.titanic()
    data = explorer_data(d, title="Titanic")
    keys = [criterion["key"] for criterion in data["criteria"]]
    assert keys == ["zero_one", "logarithmic", "balanced", "auc"]
    assert ["ranks" in criterion for criterion in data["criteria"]] == [False, True, False, False]
    assert [criterion["largerIsBetter"] for criterion in data["criteria"]] == [False, False, False, True]
    assert sum(map(int, data["weights"])) == d.total
    numbers = fs.JointDistribution([[[3, 1], [2, 2]], [[1, 4], [0, 5]]])
    table, column = fs.criterion_values(numbers, "squared_error"), explorer_data(numbers, claims=False)["criteria"][2]
    assert [Fraction(text) for text in column["exact"]] == [table.value_at(mask) for mask in range(4)]
    gap = table.value_at(2) - table.value_at(3)
    assert column["changes"][3][0] == f"{gap} ≈ {decimal_text(gap, 4)}"
    assert (column["changes"][2][0], data["claims"]) == ("", [])
    told: list[str] = []
    small = explorer_data(fs.gallery.xor(), progress=told.append)
    assert explorer_data(fs.gallery.xor(), claims=False)["claims"] == []
    said = {claim["id"]: claim for claim in small["claims"]}["PN-2"]
    about = [claim["about"] for claim in small["claims"]]
    assert 40 < sum("zero_one" in keys for keys in about) < len(about) / 2
    assert said["about"] == ["zero_one"]
    assert said["verdict"] == "holds"
    assert said["place"] == "J. M. Peña and R. Nilsson (2010), Theorem 2"
    assert told


WEIGHTS = [[[3, 0], [2, 1]], [[1, 2], [0, 3]]], [[[3, 0], [1, 2]], [[2, 1], [0, 3]]]
EXCHANGED = fs.linear_family(*map(fs.JointDistribution, WEIGHTS))


def test_a_family_has_its_critical_values_between_its_ends() -> None:
    assert explorer_data(EXCHANGED)["family"]["stops"]["zero_one"] == ["0", "1/2", "1"]
    stops = explorer_data(irrational())["family"]["stops"]["zero_one"]
    critical = fs.phase_diagram(irrational()).critical_values
    assert len(stops) == len(critical) + 2 == 7
    assert stops[1] == {"at": "381966011250e-12", "sum": ["3/2", "-1/2", "5"]}
    assert stops[3]["polynomial"] == ["-1", "2", "-1", "1"]
    for root, stop in zip(critical, stops[1:-1], strict=True):
        low = Fraction(stop["at"])
        assert low < root < low + Fraction(f"1e-{stop['at'].split('e-')[1]}")


def test_the_page_is_one_small_file_that_asks_nothing_of_any_address(tmp_path: Path) -> None:
    path = tmp_path / "page.html"
    page = explorer_page(fs.gallery.titanic(), path, title="a < b & c")
    assert path.read_text(encoding="utf-8") == page
    assert len(page) < 154_000
    assert "a &lt; b &amp; c" in page
    assert re.findall(r"https?://[^\"'\s]+", page) == ["http://www.w3.org/2000/svg"]
    assert not re.search(r"\b(src|href)=|@import|url\(|fetch\(", page)
    odd = explorer_page(fs.JointDistribution([[1, 2], [3, 4]], features=["</script><b>"]), claims=False)
    assert (page.count("</script>"), odd.count("</script>"), "<b>" in odd) == (2, 2, False)


@pytest.mark.thorough(2)
def test_the_pages_for_a_lecture_are_as_small_as_the_guide_says() -> None:
    guide = (source.ROOT / "docs" / "howto" / "teach.md").read_text(encoding="utf-8")
    names = re.findall(r"^\$ fstheory explore (titanic|recoded|cover) ", guide, re.MULTILINE)
    (most,) = re.findall(r"one HTML file of less than (\d+) kB", guide)
    sizes = [len(explorer_page(name).encode()) for name in sorted(set(names))]
    assert len(sizes) == 3
    assert int(most) / 2 < max(sizes) / 1000 < int(most)
    five = [fs.gallery.random((2,) * 5, rng=i, total=10**7 + i) for i in range(2)]
    assert len(explorer_page(fs.linear_family(*five)).encode()) < 228_000


@pytest.mark.thorough(2)
def test_claims_that_take_long_are_named_and_not_checked(monkeypatch: pytest.MonkeyPatch) -> None:
    d = fs.gallery.random((2, 2, 2), rng=0)
    left_out = {claim["id"] for claim in explorer_data(d)["claims"] if claim["verdict"] == "takes long to check"}
    assert {"A-6", "A-6c", "A-7s"} <= left_out  # each takes a tenth of a second or more
    assert not left_out & {"PN-3", "A-1"}
    monkeypatch.setattr("fstheory.reports.explorer._STEPS", None)
    found = {claim["id"]: claim["verdict"] for claim in explorer_data(d)["claims"]}
    assert {found[key] for key in left_out - {"A-8"}} <= {"holds", "is refuted here"}  # A-8 has too many instances


def test_the_widget_computes_with_what_is_typed() -> None:
    pytest.importorskip("anywidget", reason="anywidget is not installed")
    widget = lattice_widget(fs.gallery.xor(), title="XOR")
    before = widget.data
    widget.weights = ["1", "0", "0", "1", "0", "1", "1", "2"]
    assert widget.distribution.total == 6
    assert widget.data["criteria"][1]["exact"] != before["criteria"][1]["exact"]
    typed = widget.data
    widget.weights = ["0"] * 8
    assert widget.data == typed
    family = lattice_widget(fs.linear_family(fs.gallery.xor(), fs.gallery.xor(noise="1/2")))
    assert family.distribution == fs.gallery.xor()
    assert "export default" in front_end()


def test_a_widget_is_a_picture_where_widgets_are_not_shown() -> None:
    pytest.importorskip("anywidget", reason="anywidget is not installed")
    pytest.importorskip("matplotlib", reason="matplotlib is not installed")
    d = fs.gallery.titanic()
    shown, _ = lattice_widget(d, title="Titanic")._repr_mimebundle_()
    assert shown["image/svg+xml"] == fs.bayes_risks(d).plot().to_svg()
    assert shown["text/plain"] == "<LatticeWidget: Titanic; run the cell to see it>"
    assert "application/vnd.jupyter.widget-view+json" in shown
    family = fs.linear_family(fs.gallery.xor(), fs.gallery.xor(noise="1/2"))
    assert "The Bayes risks at t = 0" in lattice_widget(family)._repr_mimebundle_()[0]["image/svg+xml"]
    for ask in (True, ["Which is best?"]):
        assert "image/svg+xml" not in lattice_widget(d, ask=ask)._repr_mimebundle_()[0]  # it would show the answers


# In a browser


def test_the_picture_of_the_lesson_in_the_readme_is_that_of_today(browser: Any) -> None:
    """The picture keeps the words on it; how a browser draws them is left to the browser."""
    image = pytest.importorskip("PIL.Image")
    docs = source.ROOT / "docs"
    drawing = runpy.run_path(str(docs / "readme_picture.py"))
    page = drawing["lesson"](browser)
    said = drawing["said"](page)
    page.close()
    with image.open(docs / "readme-lesson.png") as kept:
        assert kept.text["said"] == said, "run: python docs/readme_picture.py"
    number, question, *_ = said.split(" / ")
    assert f'alt="{number}: {question}' in (source.ROOT / "README.md").read_text(encoding="utf-8")


def named(page: Any, mask: int) -> str:
    """Return what a subset is called for those who do not see it."""
    return str(page.locator(f"[data-mask='{mask}']").get_attribute("aria-label"))


def test_a_subset_tells_its_risk_and_the_keyboard_walks(opened: Any) -> None:
    page, risks = opened(fs.gallery.titanic()), fs.bayes_risks(fs.gallery.titanic())
    assert page.locator(".fst-node").count() == 8
    assert all(f"Bayes risk {risks.value_at(mask)}" in named(page, mask) for mask in range(8))
    panel = page.locator(".fst-panel")
    page.locator("[data-mask='2']").click()
    assert "{sex}" in panel.inner_text()
    page.locator("[data-mask='3']").click()
    assert "Path: {sex} 493/2201 → {class, sex} 477/2201" in panel.inner_text()
    page.locator("[data-mask='6']").hover()
    assert "{sex, age}" in panel.inner_text()
    page.locator("[data-mask='7']").focus()
    for key in ("ArrowDown", "ArrowRight", "Enter"):
        page.keyboard.press(key)
    assert "{sex, age}" in page.locator(".fst-panel h2").inner_text()
    page.get_by_role("button", name="Backward search from here").click()
    assert "ends with {sex}" in panel.inner_text()
    assert page.evaluate("document.activeElement.dataset.mask") in {"2", None}


def test_the_page_begins_with_a_story_and_a_caption_follows_every_state(opened: Any) -> None:
    page = opened(explorer_page("titanic", title="Titanic", claims=False))
    caption = page.locator(".fst-caption")
    assert page.locator(".fst-story").inner_text() == fs.gallery.story("titanic")
    said = "A number in a box says how many of 2201 people you judge wrongly if you know only the features in the box"
    assert said in page.locator(".fst-meaning").inner_text()
    assert "If you know all features, 461 of 2201 people are judged wrongly. No other" in caption.inner_text()
    assert [named(page, mask).split(", ")[0] for mask in (0, 5)] == ["∅ 711", "class"]
    page.get_by_role("button", name="minimal-optimal subset").focus()
    assert "It is written S*. There can be several." in page.get_by_role("tooltip").last.inner_text()
    page.locator("[data-mask='2']").click()
    assert caption.inner_text() == "If you know only sex, 493 of 2201 people are judged wrongly."
    page.locator("[data-mask='6']").hover()
    assert caption.inner_text() == "Adding age to {sex} changes nothing: the thick line."
    page.locator("[data-mask='3']").click()
    saves = "Adding class to {sex} saves 16 of 2201 people: 477 instead of 493 are judged wrongly."
    assert caption.inner_text() == saves
    page.keyboard.press("Escape")
    page.locator("[data-mask='0']").hover()
    nothing = "If you know nothing, you always say “survived is no”, and 711 of 2201 people are judged wrongly."
    assert caption.inner_text() == nothing
    page.get_by_label("Criterion").select_option(label="AUC")
    assert "Larger is better. It is the AUC." in page.locator(".fst-meaning").inner_text()
    page = opened(fs.gallery.xor(), story="A puzzle.")
    assert page.locator(".fst-story").inner_text() == "A puzzle."
    assert "If you know all features, 0 of 4 cases are judged wrongly." in page.locator(".fst-caption").inner_text()


def answered(page: Any, box: int | None, button: str) -> str:
    """Choose a box, if one is asked for, and press a button; return what the lesson says."""
    if box is not None:
        page.locator(f"[data-mask='{box}'] .fst-box").click()
    page.get_by_role("button", name=button, exact=True).click()
    return str(page.locator(".fst-answer").inner_text())


def test_a_lesson_hides_the_numbers_and_asks_for_a_guess_first(opened: Any) -> None:
    page = opened(explorer_page("titanic", ask=True, claims=False), title="Titanic")
    hidden = lambda: [mask for mask in range(8) if "Bayes risk ?" in named(page, mask)]  # noqa: E731
    following = page.get_by_role("button", name="Next question")
    assert page.get_by_role("button", name="Choose a box, then guess").is_disabled()
    assert (hidden(), page.locator(".fst-lines .fst-same").count(), following.count()) == ([*range(8)], 0, 0)
    shown = page.locator(".fst-main").inner_text()
    assert not re.search(r"\d{3}|S\*|gains|loses|same", shown)
    assert "Open “Weights: change them”" in answered(page, 1, "Hint")
    words = page.locator("main").inner_text()  # a student's: no term of the theory but those that are explained
    assert not re.search("Criterion|Markov|optimal|posterior|Shapley", words)
    assert "|S| is how many features are in a box" in words
    assert answered(page, None, "Guess {class}").startswith("{class} is not right. Try once more. Open")
    assert hidden() == [*range(8)]
    assert (
        answered(page, None, "Guess {class}")
        == "You guessed {class} (630 of 2201). The answer is: {sex} (493 of 2201)."
    )
    assert hidden() == [3, 5, 6, 7]
    following.click()
    assert answered(page, 3, "Guess {class, sex}") == "Right: {class, sex} (477 of 2201)."
    assert page.locator(".fst-lesson .fst-note").inner_text() == "Right at the first guess: 1 of 2."
    for box, button, told in (
        (None, "Yes", "Right: Yes."),
        (None, "No box", "Right: no box."),
        (6, "Show the answer", "The answer is: {class, sex, age} (461 of 2201)."),
        (None, "No", "You guessed no. The answer is: Yes."),
    ):
        following.click()
        assert answered(page, box, button) == told
    following.click()
    assert "If you must say who survived, is it worth knowing the age?" in page.locator(".fst-question").inner_text()
    told = "All numbers are shown. S* is {class, sex, age}: nothing is lost, and no feature can be left out."
    assert answered(page, None, "Show the answer") == told
    assert page.get_by_label("Criterion").is_visible()
    assert (hidden(), following.count(), page.locator(".fst-lines .fst-same").count()) == ([], 0, 1)
    page.wait_for_function("location.hash.includes('said=1,3,yes,none,shown,no,shown')")
    address = page.url
    page.goto("about:blank")
    page.goto(address)
    assert "Question 7 of 7" in page.locator(".fst-lesson").inner_text()
    page.evaluate("location.hash = '#lattice:ask=2&said=x'")
    page.get_by_text("left out of the state: ask.").wait_for()
    assert not page.get_by_label("lesson mode").is_checked()
    page = opened(explorer_page("copies", ask=True, claims=False))
    page.get_by_role("button", name="Show the answer").click()
    following = page.get_by_role("button", name="Next question")
    following.click()
    assert answered(page, None, "No box") == "There is such a box. Try once more."
    assert answered(page, None, "No box") == "You guessed no box. The answer is: {X2} (1/10) or {X1} (1/10)."


def test_the_questions_have_the_answers_of_python(evaluated: Callable[[str], Any]) -> None:
    draws = random.Random(3)
    cases = [d for d in (drawn(draws) for _ in range(60)) if len(d.features) > 2]
    script = f"""{front_end().replace("export default", "const widget =")}
    const answer = {json.dumps([given(d) for d in cases])}.map((given) => {{
      const weights = given.weights.map(BigInt), d = {{ ...given, weights }}, n = given.cards.length;
      const losses = ranksOf(bayesErrors(d)[0]), features = given.cards.map(String);
      const data = {{ features, words: {json.dumps(words_of("en"))} }};
      return questionsOf({{ data, full: 2 ** n - 1, losses, n, name: String }}).map(({{ answer }}) => answer);
    }});"""
    for d, found in zip(cases, evaluated(script), strict=True):
        risks, everything = fs.bayes_risks(d), set(d.features)
        one, two = ({frozenset(s) for s in risks.best_of_size(k).subsets} for k in (1, 2))
        masks = [sorted(mask_of(s, d.features) for s in best) for best in (one, two)]
        full = 2 ** len(d.features) - 1
        spared = [
            m for m in (full ^ 1 << i for i in range(len(d.features))) if risks.value_at(m) == risks.value_at(full)
        ]
        search = mask_of(fs.minimal_optimal(d, method="backward").features, d.features)
        below = risks.minimal_sets() == (frozenset(everything),)
        assert [sorted(found[0]), sorted(found[1]), found[2]] == [*masks, any(a < b for a in one for b in two)]
        assert [found[3], found[4], found[5]] == [spared, [search], below]


def test_a_lecturer_asks_questions_of_his_own(opened: Any) -> None:
    questions = [("Who is judged best?", {"sex"}), ("Is age worth anything?", False), "What do you think?"]
    page = opened(fs.gallery.titanic(), ask=questions)
    assert "Question 1 of 3\n\nWho is judged best?" in page.locator(".fst-lesson").inner_text()
    assert answered(page, 2, "Guess {sex}") == "Right: {sex} (493/2201)."
    page.get_by_role("button", name="Next question").click()
    assert answered(page, None, "Yes") == "You guessed yes. The answer is: No."
    page.get_by_role("button", name="Next question").click()
    assert page.get_by_role("button", name="Guess").count() == 0
    assert answered(page, None, "We have discussed it") == "All numbers are shown."
    page.get_by_role("button", name="Previous question").click()
    assert "Question 2 of 3" in page.locator(".fst-lesson").inner_text()


def test_a_lesson_gives_hints_and_reasons_and_marks_the_right_box(opened: Any) -> None:
    best = {"text": "Best?", "answer": ["sex"], "hint": "Look at women.", "right": "Women.", "wrong": "Not the class."}
    lesson = {"title": "The Titanic", "questions": [best, {"text": "Age?", "answer": False, "right": "Equal."}, "Why?"]}
    page = opened(fs.gallery.titanic(), ask=lesson)
    part, chosen = page.locator(".fst-lesson"), page.locator(".fst-facts h2")
    assert "The Titanic (question 1 of 3)" in part.inner_text()
    assert answered(page, None, "Hint") == "Look at women."
    told = "You guessed {class} (630/2201). The answer is: {sex} (493/2201). Not the class."
    assert answered(page, 1, "Guess {class}") == "{class} is not right. Try once more. Look at women."
    assert answered(page, None, "Guess {class}") == told
    assert (chosen.inner_text(), page.locator(".fst-told").inner_text()) == ("{sex}", "")
    page.get_by_role("button", name="Next question").click()
    assert answered(page, None, "No") == "Right: No. Equal."
    page.wait_for_function("/said=1,no/.test(location.hash)")
    page.reload()
    assert "Right: No. Equal." in part.inner_text()
    page = opened(fs.gallery.titanic(), ask=lesson)
    answered(page, 4, "Guess {age}")
    second = "Right at the second try: {sex} (493/2201). Women."
    assert answered(page, 2, "Guess {sex}") == second
    page.wait_for_function("/said=(~|%7E)2/.test(location.hash)")
    page.reload()
    text = page.locator(".fst-lesson").inner_text()
    assert second in text
    assert "Right at the first guess: 0 of 1." in text


def test_steps_are_undone_and_the_browser_goes_back(opened: Any) -> None:
    page = opened(fs.gallery.titanic())
    caption, undo, redo = page.locator(".fst-facts h2"), *(page.get_by_role("button", name=x) for x in ("Undo", "Redo"))
    assert (undo.is_disabled(), redo.is_disabled()) == (True, True)
    for mask in (1, 3):
        page.locator(f"[data-mask='{mask}']").click()
        page.wait_for_function(f"location.hash.includes('S={mask}')")
    page.mouse.move(0, 0)
    undo.click()
    assert (caption.inner_text(), redo.is_disabled()) == ("{class}", False)
    redo.click()
    assert "Path: {class} 630/2201 → {class, sex} 477/2201" in page.locator(".fst-path").inner_text()
    page.wait_for_function("location.hash.includes('S=3')")
    page.go_back()
    page.wait_for_function("document.querySelector('.fst-facts h2').textContent == '{class}'")
    page.wait_for_timeout(400)
    page.get_by_text("Weights: change them").click()
    page.get_by_label("class = crew, sex = female, age = adult, survived = no").fill("1003")
    page.keyboard.press("Enter")
    page.wait_for_function("location.hash.includes('1003')")
    undo.click()
    assert "Bayes risk 711/2201" in named(page, 0)
    page.wait_for_function("!location.hash.includes('1003')")
    for _ in range(3):  # the edit, what it came from, and the first state
        page.go_back()
        page.wait_for_timeout(400)
    page.wait_for_function("document.querySelector('.fst-facts h2').textContent == '{class, sex, age}'")


def test_a_person_answers_the_questions_and_the_reasons_light_up(opened: Any) -> None:
    page = opened(explorer_page("titanic", claims=False))
    part, answers = page.locator(".fst-person"), page.locator(".fst-person li")
    lit = lambda: [mask for mask in range(8) if "reason of the verdict" in named(page, mask)]  # noqa: E731
    page.get_by_role("checkbox", name="questions to one person").check()
    assert "class=crew, sex=male, age=adult: 862 of 2201 people have these states." in part.inner_text()
    assert "Question 1 of at most 2: age?" in part.inner_text()
    page.get_by_role("button", name="adult (this person)").click()
    assert page.evaluate("document.activeElement.textContent") == "male (this person)"
    page.keyboard.press("Enter")
    assert answers.all_inner_texts() == [
        "Nothing is asked: all people are left. The chance that “no” is wrong is 711 of 2201 ≈ 0.3230.",
        "age=adult: 2092 of 2201 people are left. The chance that “no” is wrong is 654 of 2092 ≈ 0.3126.",
        "sex=male: 1667 of 2201 people are left. The chance that “no” is wrong is 338 of 1667 ≈ 0.2028.",
    ]
    assert (page.locator(".fst-lines .fst-step").count(), lit()) == (2, [])
    assert page.locator(".fst-node.fst-current").get_attribute("data-mask") == "6"
    assert "wrong for 474 of 2201, and {class, sex} for 477 of 2201" in part.inner_text()
    page.get_by_role("button", name="Why?").click()
    assert lit() == [3, 6]
    assert "these features alone settle the verdict of this person" in page.locator(".fst-legend").inner_text()
    page.wait_for_function("location.hash.includes('person=13,2,2,1')")
    address = page.url
    page.goto("about:blank")
    page.goto(address)
    assert (lit(), answers.count()) == ([3, 6], 8)
    page.get_by_role("button", name="One question back").click()
    page.get_by_role("button", name="female", exact=True).click()
    assert "another person now: class=3rd, sex=female, age=adult" in page.locator(".fst-told").inner_text()
    assert "The verdict is “yes”. Its chance of being wrong is 109 of 425" in part.inner_text()
    row = page.locator(".fst-rest [aria-current]")
    assert row.inner_text() == "female, adult\tyes\t316 of 425"
    page.get_by_role("button", name="male, child", exact=True).click()
    assert "class=3rd, sex=male, age=child: 48 of 2201 people" in part.inner_text()
    assert page.evaluate("document.activeElement.textContent") == "child (this person)"
    part.get_by_role("combobox", name="class", exact=True).select_option(label="crew")
    part.get_by_role("combobox", name="age", exact=True).select_option(label="child")
    assert "no people have these states. Choose other states." in part.inner_text()
    assert (page.locator(".fst-step").count(), lit()) == (0, [])
    page.get_by_role("button", name="Draw at random").click()
    assert "Question 1 of at most 2: age?" in part.inner_text()
    page.get_by_role("button", name="Backward search from here").click()
    assert not part.is_visible()
    page.get_by_role("checkbox", name="questions to one person").check()
    page.get_by_label("lesson mode").check()
    assert not part.is_visible()


@pytest.mark.thorough
def test_what_is_said_of_a_person_has_the_numbers_of_python(opened: Any) -> None:
    draws = random.Random(5)
    cases = [
        fs.gallery.random((2, 3, 2), classes=3, rng=draws, total=12),
        fs.gallery.load("xor"),
        fs.gallery.load("corral"),
    ]
    for d in cases:
        page = opened(d)
        address, said = page.url, page.locator(".fst-person")
        for place in draws.sample(np.flatnonzero(d.weights.any(axis=-1)).tolist(), 2):
            budget = draws.randrange(1, len(d.features) + 1)
            page.goto("about:blank")
            page.goto(f"{address}#lattice:numbers=fractions&person={place},{budget},{len(d.features)},1")
            index = np.unravel_index(place, d.cardinalities)
            person = {name: d.states[name][x] for name, x in zip(d.features, index, strict=True)}
            for text in told_of(d, person, budget):
                assert text in said.inner_text()


def told_of(d: fs.JointDistribution, person: dict[str, Any], budget: int) -> list[str]:
    """Return what the page should say of a person: by the questions, the best subset, the reasons and the changes."""
    policy, found = fs.best_questions(d, budget=budget), fs.reasons(d, person)
    names = lambda state: ", ".join(f"{name}={label}" for name, label in state.items())  # noqa: E731
    said = lambda verdicts: " or ".join(f"“{label}”" for label in verdicts)  # noqa: E731
    nodes = [node for node in policy.nodes if node.state.items() <= person.items()]
    asked = [node.asks for node in nodes if node.asks]
    last, best = nodes[-1], policy.against_subsets().rows[budget]
    people = [
        f"{names({name: person[name]})}: {node.share} of the cases are left."
        for name, node in zip(asked, nodes[1:], strict=True)
    ]
    wrong = exact_text(last.loss / last.share)
    return [
        *people,
        f"Asked: {', then '.join(asked)}." if asked else "No question is asked.",
        f"The verdict is {said(last.verdicts)}. Its chance of being wrong is {wrong}",
        f"in turn are wrong for {exact_text(policy.risk)}, and {{",
        f" for {exact_text(best.subset_value)}.",
        *(
            f"{names(reason.state) or 'everybody'}: {reason.share} of the cases"
            for reason in found.reasons
            if reason.share < 1
        ),
        *(f"{names(change.state)}: {said(change.verdicts)}" for change in found.changes[:8]),
    ]


def test_a_person_has_no_questions_at_an_irrational_parameter(opened: Any) -> None:
    page = opened(irrational(), {"viewport": SCREENS["phone"]})
    page.get_by_role("checkbox", name="questions to one person").check()
    part, knob = page.locator(".fst-person"), page.locator(".fst-track input")
    for irrationally in (False, True, False):
        assert ("The weights are irrational here" in part.inner_text()) == irrationally
        assert ("are left." in part.inner_text()) != irrationally
        for _ in range(1 if irrationally else 2):
            knob.press("ArrowRight")
    assert page.evaluate("document.documentElement.scrollWidth") <= SCREENS["phone"]["width"]


RINGS = "all => all.map((e) => [e.querySelectorAll('.fst-one').length, e.querySelectorAll('.fst-missed').length])"


def test_people_are_dots_and_rings_show_where_the_errors_come_from(opened: Any) -> None:
    page = opened(explorer_page("titanic", claims=False), {"viewport": SCREENS["phone"]})
    part, groups = page.locator(".fst-crowd"), page.locator(".fst-groups > li")
    assert not part.is_visible()
    page.get_by_role("checkbox", name="people as dots").check()
    page.locator("[data-mask='0']").click()
    assert groups.evaluate_all(RINGS) == [[400, 130]]
    part.get_by_role("checkbox", name="sex").focus()
    page.keyboard.press("Space")
    assert page.evaluate("document.activeElement.parentNode.textContent") == " sex"
    assert [text.split("\n")[-1] for text in groups.all_inner_texts()] == [
        "1731 people, guess: no, wrong: 367",
        "470 people, guess: yes, wrong: 126",
    ]
    assert "Wrong: 367 + 126 = 493 of 2201 people." in part.inner_text()
    assert "400 dots stand for 2201 people" in part.inner_text()
    assert groups.evaluate_all(RINGS) == [[314, 67], [86, 23]]
    assert part.get_by_role("table").get_by_role("row").all_inner_texts() == [
        "group\tsurvived = no\tsurvived = yes\tbest guess\twrong",
        "sex=male\t1364\t367\tno\t367",
        "sex=female\t126\t344\tyes\t126",
        "sum\t1490\t711\t\t493",
    ]
    shapes = "all => new Set(all.map((e) => e.getAttribute('d'))).size"
    assert part.locator(".fst-groups path").evaluate_all(shapes) == 2
    assert part.get_by_role("region").evaluate("e => e.scrollWidth <= e.clientWidth")  # also the last column is seen
    assert page.evaluate("document.documentElement.scrollWidth") <= SCREENS["phone"]["width"]
    page.wait_for_function("/S=2&.*dots=1/.test(location.hash)")
    address = page.url
    page.goto("about:blank")
    page.goto(address)
    assert "367 + 126 = 493" in part.inner_text()
    page.get_by_label("Subsets of up to").select_option("1")
    assert part.get_by_role("checkbox", name="age").is_disabled()
    page.emulate_media(media="print")
    assert "367 + 126 = 493" in part.inner_text()
    assert "Known" not in part.inner_text()


@pytest.mark.parametrize("motion", ["no-preference", "reduce"])
def test_dots_glide_unless_less_motion_is_asked_for(opened: Any, motion: str) -> None:
    page = opened(fs.gallery.titanic(), {"reduced_motion": motion})
    page.get_by_role("checkbox", name="cases as dots").check()
    page.locator(".fst-crowd").get_by_role("checkbox", name="class").uncheck()
    moves = "all => all.flatMap((e) => e.getAnimations()).map((move) => move.effect.getTiming().duration)"
    found = page.locator(".fst-groups .fst-one").evaluate_all(moves)
    assert found == [1400] * (400 if motion == "no-preference" else 0)


def test_dots_follow_weights_and_ties_and_stay_hidden_before_a_guess(opened: Any) -> None:
    page = opened(explorer_page("titanic", ask=True, claims=False))
    part = page.locator(".fst-crowd")
    page.get_by_role("checkbox", name="people as dots").check()
    assert "hidden until you have guessed" in part.inner_text()
    assert not re.search(r"\d{2}|wrong", part.inner_text())
    assert part.locator(".fst-groups, .fst-missed, details").evaluate_all(
        "all => all.every((e) => !e.checkVisibility())"
    )
    assert answered(page, None, "Show the answer") == "The answer is: {sex} (493 of 2201)."
    page.get_by_role("button", name="Where does 493 come from?").click()
    assert "367 + 126 = 493" in part.inner_text()
    page = opened(fs.JointDistribution([[2, 2, 0], [0, 0, 0], [1, 0, 3]], features=["a"]))
    part, groups = page.locator(".fst-crowd"), page.locator(".fst-groups > li")
    page.get_by_role("checkbox", name="cases as dots").check()
    assert "8 dots, each with the probability 1/8." in part.inner_text()
    assert [text.split("\n")[-1] for text in groups.all_inner_texts()] == [
        "1/2 of the cases, guess: 0 or 1, wrong: 1/4",
        "1/2 of the cases, guess: 2, wrong: 1/8",
    ]
    assert groups.evaluate_all(RINGS) == [[4, 2], [4, 1]]
    page.get_by_text("Weights: change them").click()
    page.get_by_label("a = 1, Y = 1").fill("9" * 90)
    page.keyboard.press("Enter")
    assert groups.evaluate_all(RINGS) == [[0, 0], [400, 0], [0, 0]]
    assert page.locator(".fst-crowd tfoot td").last.inner_text().startswith("≈")
    page = opened(irrational())
    page.get_by_role("checkbox", name="cases as dots").check()
    page.locator(".fst-track input").press("ArrowRight")
    page.locator(".fst-track input").press("ArrowRight")
    assert "irrational" in page.locator(".fst-crowd").inner_text()


def test_the_data_have_the_exact_law_of_backward_search_if_it_is_in_reach() -> None:
    d = fs.JointDistribution([[[7, 3], [7, 3]], [[3, 7], [3, 7]]])
    ten, twenty = explorer_data(d, claims=False, samples=[20, 10, 10])["samples"]
    law = fs.selection_law(d, 10, "FBS")
    assert (ten["m"], ten["allowed"], twenty["m"], twenty["allowed"]) == (10, 0, 20, 1)
    assert ten["success"] == [exact_text(law.success), decimal_text(law.success, 4)]
    assert {mask: Fraction(exact) for mask, exact, _ in ten["law"]} == {
        mask: law.probabilities.value_at(mask) for mask in range(4)
    }
    assert sum(Fraction(exact) for _, exact, _ in twenty["law"]) == 1
    (large,) = explorer_data(fs.gallery.monks(1), claims=False, samples=[1000])["samples"]
    assert (large["allowed"], large["law"]) == (50, None)
    alone = fs.JointDistribution([[1], [2]], features=["a"])
    for shown in (EXCHANGED, alone, fs.JointDistribution([1, 2])):
        data = explorer_data(shown, claims=False, samples=[5])
        assert data["samples"] is None
        assert "class Sampler" not in embedded(data)


test_samples_that_cannot_be_drawn_are_refused = refusals(
    [
        ("fs.reports.explorer_data('xor', samples=10)", InvalidTypeError, "samples", "a list of numbers of rows"),
        ("fs.reports.explorer_data('xor', samples='10')", InvalidTypeError, "samples", "a list of numbers of rows"),
        ("fs.reports.explorer_data('xor', samples=[0])", InvalidValueError, "samples", "at least 1"),
        ("fs.reports.explorer_data('xor', samples=[2.5])", InvalidTypeError, "samples", "an integer"),
    ],
    {"fs": fs},
)


def test_samples_are_refused_before_claims_are_checked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("fstheory.reports.explorer._verdicts", lambda *_: pytest.fail("claims were checked"))
    with pytest.raises(InvalidValueError, match="samples must be at most 1,000"):
        explorer_data("xor", samples=[1001])


def test_the_page_keeps_what_python_keeps_on_the_samples_that_it_draws(evaluated: Callable[[str], Any]) -> None:
    source = random.Random(4)
    cases = [(drawn(source), m, seed) for seed, m in enumerate([1, 3, 10, 19, 20, 45] * 10, 1)]
    asked = [given(d) | {"m": m, "seed": seed, "allowed": m // 20} for d, m, seed in cases]
    script = f"""{front_end().replace("export default", "const widget =")}
    const answer = {json.dumps(asked)}.map((given) => {{
      const d = {{ ...given, weights: given.weights.map(BigInt) }}, cells = drawnCells(d, given.m, seeded(given.seed));
      return {{ cells, ...keptOn(d, cells, given.allowed, (mask) => placesIn(d, mask)) }};
    }});"""
    for (d, m, _), found in zip(cases, evaluated(script), strict=True):
        counts = np.bincount(found["cells"], minlength=d.weights.size)
        assert counts.sum() == m
        assert not counts[d.weights.ravel() == 0].any()
        rows = fs.JointDistribution(counts.reshape(d.weights.shape), features=d.features, states=d.states)
        best, kept = fs.bayes_risks(rows), 2 ** len(d.features) - 1
        for _ in d.features:
            spared = [kept ^ 1 << i for i in range(len(d.features)) if kept >> i & 1]
            kept = next((s for s in spared if (best.value_at(s) - best.value_at(kept)) * m <= m // 20), kept)
        assert (found["mask"], found["errors"]) == (kept, best.value_at(kept) * m)


def test_the_numbers_that_the_page_draws_are_equally_likely(evaluated: Callable[[str], Any]) -> None:
    script = f"""{front_end().replace("export default", "const widget =")}
    const below = seeded(7), large = 5n << 70n;
    const answer = [[...Array(6000)].map(() => Number(below(6n))),
      [...Array(6000)].map(() => Number(below(large) >> 70n)),
      [...Array(9)].map(() => Number(below(1n))), [1, 1, 2].map((seed) => `${{seeded(seed)(large)}}`)];"""
    few, many, none, (first, same, other) = evaluated(script)
    for values, sides in ((few, 6), (many, 5)):
        counts = Counter(values)
        assert sorted(counts) == list(range(sides))
        assert all(abs(count - 6000 / sides) < 150 for count in counts.values())  # five standard deviations
    assert (set(none), first == same, first == other) == ({0}, True, False)
    script = f"""{front_end().replace("export default", "const widget =")}
    let next = 0n;
    const answer = drawnCells({{ weights: [0n, 2n, 0n, 3n, 0n] }}, 5, () => next++);"""
    assert evaluated(script) == [1, 1, 3, 3, 3]  # each cell for as many of the numbers as its weight


@pytest.mark.parametrize("motion", ["no-preference", "reduce"])
def test_samples_are_drawn_beside_the_exact_law(opened: Any, motion: str) -> None:
    d = fs.JointDistribution([[[7, 3], [7, 3]], [[3, 7], [3, 7]]])
    screen = {"viewport": SCREENS["phone"], "reduced_motion": motion}
    page = opened(explorer_page(d, claims=False, samples=[10, 20]), screen)
    part, law = page.locator(".fst-draws"), fs.selection_law(d, 10, "FBS")
    assert not part.is_visible()
    page.get_by_role("checkbox", name="draw samples").check()
    assert not part.get_by_role("table").count()
    part.get_by_role("button", name="Draw 10 rows").press("Enter")
    kept = re.search(r"Sample 1: backward search keeps (\{.*\}), with \d of 10 rows wrong", part.inner_text())
    assert kept is not None
    assert page.locator(".fst-facts h2").inner_text() == kept[1]  # the chosen box jumps
    part.get_by_role("button", name="Draw 100 times").press("Enter")
    page.wait_for_function("document.querySelector('.fst-draws').innerText.includes('Sample 101:')")
    heads, *rows = (text.split("\t") for text in part.get_by_role("row").all_inner_texts())
    assert [head.strip() for head in heads] == ["kept", "samples", "share", "exact law"]
    found = {cells[0].strip(): [cell.strip() for cell in cells[1:]] for cells in rows}
    assert sum(int(cells[0]) for cells in found.values()) == 101
    ends = "all => new Set(all.map((e) => [e.offsetLeft, e.offsetWidth].join())).size"
    assert part.locator(".fst-bar").evaluate_all(ends) == 1  # so that their lengths can be compared
    names = {"{}": [], "{X1}, S*": ["X1"], "{X2}": ["X2"], "{X1, X2}": ["X1", "X2"]}
    assert {name: cells[2] for name, cells in found.items()} == {
        name: f"≈{decimal_text(law[subset], 4)}" for name, subset in names.items()
    }
    assert f"Kept in {found['{X1}, S*'][0]} of 101 samples. Exact probability: {exact_text(law.success)}." in (
        part.inner_text()
    )
    assert page.evaluate("document.documentElement.scrollWidth") <= SCREENS["phone"]["width"]
    page.wait_for_function("/draws=10,1,101/.test(location.hash)")
    address, before = page.url, part.inner_text()
    page.goto("about:blank")
    page.goto(address)
    assert part.inner_text() == before
    page.get_by_role("button", name="Reset").click()
    assert "from seed 2" in part.inner_text()
    assert "Sample 1" not in part.inner_text()
    part.get_by_label("Rows in a sample").select_option("20")
    assert "at most 1 more of these rows" in part.inner_text()
    part.get_by_role("button", name="Draw 20 rows").click()
    page.get_by_text("Weights: change them").click()
    page.get_by_label("X1 = 0, X2 = 0, Y = 0").fill("8")
    page.keyboard.press("Enter")
    assert "The exact law is known for the weights as given." in part.inner_text()
    assert part.get_by_role("columnheader").all_inner_texts() == ["kept", "samples", "share"]
    page.get_by_role("checkbox", name="lesson mode").check()
    assert not part.is_visible()


@pytest.mark.parametrize("kind", ["fractions", "decimals", "counts"])
def test_all_numbers_are_written_as_is_chosen(opened: Any, kind: str) -> None:
    page = opened(fs.gallery.titanic())
    page.get_by_label("Numbers as").select_option(kind)
    page.locator("[data-mask='2']").click()
    page.locator("[data-mask='6']").click()
    boxed, told, gap, posterior = {
        "fractions": ("493/2201", "Bayes risk: 493/2201 ≈ 0.2240", "loses 3/31 ≈ 0.09677", "35/64"),
        "decimals": ("≈0.2240", "Bayes risk: ≈0.2240", "loses ≈0.09677", "≈0.5469"),
        "counts": ("493", "Bayes risk: 493 of 2201 ≈ 0.2240", "loses 213 of 2201 ≈ 0.09677", "35 of 64"),
    }[kind]
    assert page.locator("[data-mask='6'] .fst-value").text_content() == boxed
    assert ("how many of 2201 cases" in page.locator(".fst-meaning").inner_text()) == (kind == "counts")
    assert told in page.locator(".fst-facts").inner_text()
    assert gap in page.locator(".fst-facts").inner_text()
    assert posterior in page.locator(".fst-rest").inner_text()


def test_the_lattice_in_a_report_is_legible_and_whole(opened: Any) -> None:
    for width, least in ((1100, 11), (541, 10)):
        page = opened(fs.report("titanic").to_html(), {"viewport": {"width": width, "height": 900}})
        drawn = page.locator(".fst-stage text").evaluate_all(
            "texts => texts.map(text => parseFloat(getComputedStyle(text).fontSize) * text.getScreenCTM().a)"
        )
        assert min(drawn) >= least
        assert page.locator(".fst-rest").evaluate("table => table.scrollWidth <= table.clientWidth")


def test_the_terms_of_the_page_are_those_of_the_glossary() -> None:
    glossary = (source.ROOT / "docs" / "glossary.md").read_text(encoding="utf-8")
    entries = dict(re.findall(r"^(\w[^\n]*)\n {4,}([^\n]+)$", re.sub(r"[$^]", "", glossary), re.MULTILINE))
    words = words_of("en")
    terms = {words[key.removesuffix("_means")]: text for key, text in words.items() if key.endswith("_means")}
    shared = terms.keys() & entries.keys()  # the others are labels of the page
    assert {name: terms[name] for name in shared} == {name: entries[name] for name in shared}
    assert len(shared) == 10
    assert [words[key] for key in CRITERIA[1:]] == [as_criterion(key).name for key in CRITERIA[1:]]


def test_a_hover_leaves_the_trace_and_the_focus_and_escape_leaves_the_path(opened: Any) -> None:
    page, steps = opened(fs.gallery.titanic()), ".fst-lines .fst-step"
    button = page.get_by_role("button", name="Backward search from here")
    button.click()
    page.locator("[data-mask='1']").hover()
    assert page.locator(".fst-facts h2").inner_text() == "{class}"
    assert "ends with {class, sex, age}" in page.locator(".fst-path").inner_text()
    assert page.locator(".fst-near").count() == 3
    assert button.evaluate("element => element === document.activeElement")
    page.locator("[data-mask='3']").click()
    page.locator("[data-mask='2']").click()
    found = [page.locator(steps).count()]
    page.keyboard.press("Escape")
    assert [*found, page.locator(steps).count()] == [2, 0]
    assert page.evaluate("document.activeElement.dataset.mask") == "2"


def test_bars_say_what_each_feature_is_worth_and_features_are_added_by_it(opened: Any) -> None:
    """The smallest picture: X1 and X2 are copies of a bit, X3 to X5 of another, and the class is their exclusive or."""
    cells = [(a, a, b, b, b, a ^ b) for a in (0, 1) for b in (0, 1)]
    page = opened(fs.JointDistribution.from_pmf(dict.fromkeys(cells, "1/4")))
    bars, told = page.locator(".fst-bar"), page.locator(".fst-told")
    assert "X1\t\n\t3/20 = 0.15" in page.locator(".fst-worth").inner_text()
    assert (
        bars.evaluate_all("bars => bars.map((bar) => bar.style.getPropertyValue('--part'))")
        == ["30%"] * 2 + ["13.3%"] * 3
    )
    page.get_by_role("button", name="Add features by importance").click()
    assert told.inner_text() == "For size 2, another subset is better."
    assert "with X2: 1/2, but {X1, X3} has 0\nwith X3: 0, best of its size" in page.locator(".fst-path").inner_text()
    assert page.locator(".fst-lines .fst-step").count() == 5
    page.get_by_label("Subsets of up to").select_option("1")
    page.get_by_role("button", name="Add features by importance").click()
    assert told.inner_text() == "At each size, the features of highest importance are a best choice."
    page.get_by_label("Criterion").select_option(label="logarithmic loss")
    assert page.locator(".fst-path li").count() == 0  # the steps were those of the other criterion
    assert "3/10*log(2) ≈ 0.207944" in page.locator(".fst-worth").inner_text()
    family = irrational()
    page, critical = opened(family), fs.phase_diagram(family).critical_values
    for root in critical:
        for _ in range(2):
            page.locator(".fst-track input").press("ArrowRight")
        values = values_at(family, "zero_one", root)
        first = (float(values[0]) - float(values[1]) + float(values[2]) - float(values[3])) / 2
        assert f"{first:.4g}" in page.locator(".fst-worth tr").first.inner_text()


def test_weights_that_are_typed_change_everything_exactly_and_are_copied_as_json(opened: Any) -> None:
    odd: dict[str, list[Any]] = {"a": [True, "x"], "b": [(1, "é"), 2], "Y": [0, 1]}
    tables = [[[[1, 0], [2, 3]], [[0, 4], [5, last]]] for last in (6, 12345678901234567890123)]
    given, typed = (fs.JointDistribution(table, features=["a", "b"], states=odd) for table in tables)
    page = opened(given)
    page.get_by_text("Weights: change them").click()
    box = page.get_by_label("a = x, b = 2, Y = 1")
    box.fill("12345678901234567890123")
    page.get_by_role("button", name="Apply").click()
    assert f"Bayes risk {fs.bayes_risk(typed, {'a'})}" in named(page, 1)
    box.fill("-1")
    page.keyboard.press("Enter")
    assert "must be a whole number" in page.get_by_role("alert").inner_text()
    assert f"Bayes risk {fs.bayes_risk(typed, {'a'})}" in named(page, 1)
    page.get_by_role("button", name="Copy as JSON").click()
    copied = page.get_by_label("The distribution as JSON").input_value()
    assert fs.JointDistribution.from_json(copied) == typed
    page.get_by_role("button", name="As given").click()
    assert f"Bayes risk {fs.bayes_risk(given, {'a'})}" in named(page, 1)


def test_bars_of_people_are_drawn_and_stepped_and_the_lattice_answers_at_once(opened: Any) -> None:
    page = opened(fs.gallery.titanic(), story="Of 2201 people, who survived?")
    page.get_by_text("Weights: change them").click()
    box = page.locator("[data-mask='6'] .fst-value")
    saved, lost = (page.get_by_role("slider", name=f"3rd, male, child, {y}", exact=True) for y in ("yes", "no"))
    for step in range(1, 5):  # four boys of the third class are saved: lesson 1 asks for their number
        saved.press("ArrowRight")
        lost.press("ArrowLeft")
        assert page.locator("[data-mask='2'] .fst-value").text_content() == str(493 + step)
        assert box.text_content() == str(493 + step - 2 * max(0, step - 3))
    assert page.get_by_label("class = 3rd, sex = male, age = child, survived = yes").input_value() == "17"
    assert lost.evaluate("bar => bar === document.activeElement")
    page.get_by_role("button", name="As given").click()
    assert (box.text_content(), saved.input_value()) == ("493", "13")
    page = opened(fs.JointDistribution([1, 0]))
    page.get_by_text("Weights: change them").click()
    page.get_by_role("slider", name="0", exact=True).press("ArrowLeft")
    assert page.get_by_label("Y = 0").input_value() == "1"  # the last weight stays
    assert page.get_by_role("alert").inner_text() == ""


def test_criteria_views_sizes_and_marks_can_be_chosen(opened: Any) -> None:
    """And neighbors gain and lose by the criterion."""
    d = fs.gallery.titanic()
    page, risks, auc = opened(d), fs.bayes_risks(d), fs.criterion_values(d, "auc")
    facts, criterion = page.locator(".fst-facts"), page.get_by_label("Criterion")
    assert f"without sex\tloses {Fraction(606 - 461, 2201)} ≈ 0.06588" in facts.inner_text()
    criterion.select_option(label="AUC")
    assert f"without sex\tloses {auc.value_at(7) - auc.value_at(5)} ≈" in facts.inner_text()
    page.locator("[data-mask='5']").click()
    assert f"with sex\tgains {auc.value_at(7) - auc.value_at(5)} ≈" in facts.inner_text()
    criterion.select_option(label="logarithmic loss")
    values = fs.criterion_values(d, "logarithmic")
    assert f"with sex\tgains ≈{(values.value_at(5) - values.value_at(7)).decimal()}" in facts.inner_text()
    assert "logarithmic loss" in named(page, 7)
    criterion.select_option(label="Bayes risk")
    page.get_by_label("Subsets of up to").select_option("1")
    assert page.locator(".fst-node").count() == 4
    page.get_by_label("Subsets of up to").select_option("3")
    page.get_by_label("Lattice by").select_option("value")
    dots = [page.locator(f"[data-mask='{mask}'] .fst-place").bounding_box()["y"] for mask in range(8)]
    by_risk = sorted(range(8), key=risks.value_at)
    assert sorted(range(8), key=lambda mask: (-dots[mask], by_risk.index(mask))) == by_risk  # as in the static picture
    page.get_by_label("mark Markov blankets").check()
    assert "Markov blanket" in named(page, 7)


def test_the_legend_says_what_appears_and_equal_risks_have_the_same_shade(opened: Any) -> None:
    d = fs.gallery.titanic()
    page, ranks = opened(d), fs.bayes_risks(d).ranks.tolist()
    said = page.locator(".fst-legend")
    legend = said.inner_text()
    assert "Bayes risk from 461/2201 to 711/2201" in legend
    assert "removing the feature loses nothing" in legend
    assert "optimal for its size" not in legend
    page.get_by_label("mark k-optimal").check()
    assert "optimal for its size" in said.inner_text()
    fills = page.locator(".fst-node .fst-box").evaluate_all("all => all.map((box) => getComputedStyle(box).fill)")
    masks = page.locator(".fst-node").evaluate_all("all => all.map((node) => Number(node.dataset.mask))")
    assert len(set(fills)) == len(set(ranks)) == 7
    assert fills[masks.index(2)] == fills[masks.index(6)]  # age adds nothing to sex
    assert fills[masks.index(7)] == "color(srgb 1 1 1)"  # the least is white


@pytest.mark.parametrize("view", ["size", "value"])
def test_seven_features_have_their_risks_and_no_tower(opened: Any, view: str) -> None:
    """And what is told of a subset stands beside the picture, in view."""
    d = fs.gallery.load("led-parity")
    page, risks = opened(d), fs.bayes_risks(d)
    page.get_by_label("Lattice by").select_option(view)
    groups = {(mask.bit_count(), risks.value_at(mask) if view == "value" else mask) for mask in range(128)}
    assert page.locator(".fst-value").count() == len(groups)  # by value once for all that are equal, side by side
    assert page.locator("[data-mask='0'] .fst-value").text_content() == "1/2"
    heights = [page.locator(f"[data-mask='{mask}'] .fst-box").bounding_box()["y"] for mask in (1, 4, 16)]
    assert (heights[0] == heights[1], heights[1] == heights[2]) == (True, view == "size")
    picture, panel = page.locator(".fst-stage").bounding_box(), page.locator(".fst-panel").bounding_box()
    assert picture["height"] < 900
    assert panel["x"] > picture["x"] + picture["width"]
    assert panel["y"] + 200 < page.viewport_size["height"]
    page.locator("[data-mask='5'] .fst-box").hover()
    assert page.locator(".fst-told-of").all_text_contents() == (["13: 1/2"] if view == "value" else [])
    assert page.locator(".fst-lines .fst-edge").count() == 7
    assert "{top, upper_right}" in page.locator(".fst-facts").inner_text()
    assert "too many to be changed" in page.locator(".fst-extra").inner_text()


KNOB = "document.querySelector('input[type=range]')"


def test_the_slider_stands_everywhere_and_critical_values_take_it(opened: Any) -> None:
    """And the balanced loss and the area under the curve follow it, exactly."""
    page = opened(EXCHANGED)
    page.locator(".fst-track input").focus()
    for t in ("1/4", "1/2", "3/4", "1"):
        page.keyboard.press("ArrowRight")
        assert f"Bayes risk {fs.bayes_risk(EXCHANGED.at(t), {'X1'})}" in named(page, 1)
    for place, t in ((337, "337/1000"), (505, "1/2"), (999.6, "1")):
        page.evaluate(f"{KNOB}.value = {place}; {KNOB}.dispatchEvent(new Event('input'))")
        assert page.locator(".fst-stop").inner_text().startswith(f"t = {t}")
        for key in ("balanced", "auc", "zero_one"):
            page.get_by_label("Criterion").select_option(key)
            values = fs.criterion_values(EXCHANGED.at(t), key)
            assert all(re.search(rf" {values.value_at(m)}(,| ≈|$)", named(page, m)) for m in range(4))
    assert page.locator(".fst-critical").count() == 1
    page.get_by_role("button", name="Step back").click()
    assert page.locator(".fst-stop").inner_text() == "1/2 < t < 1"


def test_the_marks_on_the_slider_are_those_of_the_criterion(opened: Any) -> None:
    """Of one without marks the legend says why, of one without values here the menu."""
    second = fs.JointDistribution([[[3, 1], [1, 4]], [[3, 1], [0, 2]]])
    family = fs.linear_family(fs.JointDistribution(WEIGHTS[0]), second)
    page, stops = opened(family), explorer_data(family)["family"]["stops"]
    criterion, legend = page.get_by_label("Criterion"), page.locator(".fst-legend")
    for key, name in (("zero_one", "Bayes risk"), ("balanced", "balanced loss"), ("auc", "AUC")):
        criterion.select_option(key)
        assert page.locator(".fst-critical").count() == len(stops[key]) - 2 > 1
        assert f"on the slider: where the ordering by {name}" in legend.inner_text()
    page.locator(".fst-track input").press("End")
    for _ in range(2):
        page.get_by_role("button", name="Step back").click()
    assert "≈ 0.924635, critical" in page.locator(".fst-stop").inner_text()
    for key in ("balanced", "auc"):
        *_, root = fs.phase_diagram(as_risks(family, key) or family).critical_values
        exact = values_at(family, key, root)[3]
        assert (f" {written(exact)}" in named(page, 3)) == (key == "auc")
    page.wait_for_function("location.hash.endsWith('criterion=auc&stop=4')")
    page.reload()
    assert "≈ 0.924635, critical" in page.locator(".fst-stop").inner_text()
    criterion.select_option("zero_one")  # which is known beside it, and is shown there
    assert page.locator(".fst-stop").inner_text() == "t = 37/40, 5/6 < t < 1"
    assert "logarithmic loss: by the widget in Jupyter" in criterion.inner_text()
    page = opened(fs.linear_family(*(fs.gallery.random((33,), rng=i) for i in range(2))))
    page.get_by_label("Criterion").select_option("auc")
    assert "computed only where the features have at most 32 states" in page.locator(".fst-legend").inner_text()
    page = opened(fs.linear_family(*(fs.JointDistribution([[w, 0], [0, 1 - w]]) for w in (1, 0))))
    page.get_by_label("Criterion").select_option("auc")
    undefined = "AUC: undefined here, since Y = 1 never occurs. This is the Bayes risk."
    assert all(undefined in page.locator(part).inner_text() for part in (".fst-facts", ".fst-legend"))
    page.locator(".fst-track input").press("ArrowRight")
    assert "AUC: 1" in page.locator(".fst-facts p").first.inner_text()
    assert "the ordering by AUC is the same all along" in page.locator(".fst-legend").inner_text()


@pytest.mark.parametrize("motion", ["no-preference", "reduce"])
def test_play_goes_to_the_end_and_boxes_glide_unless_less_motion_is_asked_for(opened: Any, motion: str) -> None:
    page = opened(EXCHANGED, {"reduced_motion": motion})
    stop, box = page.locator(".fst-stop"), page.locator("[data-mask='1']")
    page.clock.install()
    place, found = box.get_attribute("transform"), []
    for start, milliseconds in ((0, 700), (490, 700), (930, 5000)):
        page.reload()
        page.evaluate(f"{KNOB}.value = {start}; {KNOB}.dispatchEvent(new Event('input'))")
        page.locator(".fst-play").click()
        page.clock.run_for(milliseconds)
        assert box.get_attribute("transform") != place
        found.append(stop.inner_text())
    assert (", 0 < t < 1/2" in found[0]) == (motion == "no-preference")
    assert found[1:] == ["t = 1/2, critical", "t = 1"]
    assert page.locator(".fst-play").inner_text() == "Play"


def test_a_link_restores_the_state_and_says_what_it_cannot(opened: Any) -> None:
    page = opened(EXCHANGED)
    page.get_by_label("mark k-optimal").check()
    page.get_by_label("large type").check()
    page.locator("[data-mask='2'] .fst-box").click()
    page.locator(".fst-track input").focus()
    page.keyboard.press("ArrowRight")
    page.wait_for_function("location.hash.includes('t=1/4')")
    address = page.url
    page.goto("about:blank")
    page.goto(address)
    assert page.locator("[data-mask='2']").get_attribute("aria-pressed") == "true"
    assert page.locator(".fst-stop").inner_text() == "0 < t < 1/2"
    assert page.get_by_label("mark k-optimal").is_checked()
    assert page.locator(".fst-large").count() == 1
    page.evaluate("location.hash = '#lattice:t=7&by=size&S=99'")
    page.wait_for_function("document.querySelector('.fst-told').textContent.endsWith('left out of the state: S, t.')")
    assert page.get_by_label("Lattice by").input_value() == "size"
    assert page.locator(".fst-large").count() == 0


def test_the_picture_is_saved_with_its_legend_as_a_file_of_its_own(opened: Any) -> None:
    page = opened(fs.gallery.titanic(), title="Titanic")
    with page.expect_download() as found:
        page.get_by_role("button", name="Save picture").click()
    assert found.value.suggested_filename == "Titanic.svg"
    text = Path(found.value.path()).read_text(encoding="utf-8")
    root = ET.fromstring(text)
    words = [element.text for element in root.iter() if element.text]
    assert {"Titanic: Bayes risk", "461/2201", "removing the feature loses nothing"} <= set(words)
    assert not re.search(r"class=|var\(|light-dark|color\(|NaN", text)


def test_a_stop_at_an_irrational_value_and_back(opened: Any) -> None:
    page = opened(irrational())
    knob, label = page.locator(".fst-track input"), "t = 3/2 - 1/2*sqrt(5) ≈ 0.381966, critical"
    knob.focus()
    for _ in range(2):
        page.keyboard.press("ArrowRight")
    assert page.locator(".fst-stop").inner_text() == knob.get_attribute("aria-valuetext") == label
    assert knob.input_value().startswith("381.966")
    assert "255/482 - 49/482*sqrt(5) ≈ 0.3017" in page.locator(".fst-facts").inner_text()
    assert "irrational" in page.locator(".fst-rest").inner_text()
    page.get_by_text("Weights: change them").click()
    assert page.get_by_role("button", name="Apply").is_disabled()
    page.get_by_label("mark Markov blankets").check()
    page.get_by_role("button", name="Copy as JSON").click()
    assert "irrational" in page.locator(".fst-told").inner_text()
    knob.focus()
    page.keyboard.press("ArrowRight")
    assert page.evaluate("document.activeElement.type") == "range"
    assert page.get_by_role("button", name="Apply").is_enabled()
    assert not page.locator("[aria-label*=NaN]").count()


def test_what_was_said_to_hold_is_said_of_the_weights_that_were_given(opened: Any) -> None:
    known = [
        {
            "id": "PN-M",
            "verdict": "holds",
            "words": "It never <b>rises</b>.",
            "place": "Section 2",
            "about": ["zero_one"],
        },
        {
            "id": "B-0",
            "verdict": "is refuted here",
            "words": "Nothing is so.",
            "place": "Section 3",
            "about": ["zero_one"],
        },
        {"id": "B-1", "verdict": "holds", "words": "A sum is tau(X_S).", "place": "Part 4", "about": ["logarithmic"]},
        {"id": "B-2", "verdict": "takes long to check", "words": "Long.", "place": "Part 5", "about": ["auc"]},
    ]
    page = opened(embedded({**explorer_data(fs.gallery.xor(), claims=False), "claims": known}))
    page.get_by_text("What holds here (1)").click()
    page.get_by_text("What is refuted here (1)").click()
    text = page.locator(".fst-extra").inner_text()
    assert "It never <b>rises</b>. PN-M: Section 2" in text
    assert "Nothing is so. B-0: Section 3" in text
    page.get_by_text("What else holds here (1)").click()
    page.get_by_text("Not checked here, because it takes long (1)").click()
    assert "Long. B-2: Part 5" in page.locator(".fst-extra").inner_text()
    assert page.locator("li:has-text('B-1')").inner_html().startswith("A sum is <i>τ</i>(<i>X</i><sub>S</sub>). ")
    page.get_by_label("Criterion").select_option("logarithmic")
    page.get_by_text("What holds here (1)").click()
    assert "A sum is τ(XS). B-1" in page.locator(".fst-extra").inner_text()
    page.get_by_label("Criterion").select_option("zero_one")
    page.get_by_text("Weights: change them").click()
    page.get_by_label("X1 = 1, X2 = 1, Y = 0").fill("7")
    page.keyboard.press("Enter")
    assert not page.get_by_text("What holds here").is_visible()
    page.get_by_role("button", name="As given").click()
    assert page.get_by_text("What holds here").is_visible()


def test_a_page_around_that_is_dark_puts_no_light_ground_below_the_picture(opened: Any) -> None:
    """The rules are those of the documentation's theme, and of its own style for other pictures."""
    ground = (
        "html[data-theme=dark] .bd-content div.cell_output .text_html:not(:has(table.dataframe)) {background: #eee}"
    )
    part = embedded(explorer_data(fs.gallery.xor(), claims=False))
    page = opened(
        f"<html data-theme=dark><style>{ground} div.cell_output svg {{background: #fff}}</style>"
        f"<div class=bd-content><div class=cell_output><div class='output text_html'>{part}</div></div></div>"
    )
    paper = "element => getComputedStyle(element).backgroundColor"
    for place in (".text_html", ".fst-stage", ".fst-sample >> nth=0"):
        assert page.locator(place).evaluate(paper) == "rgba(0, 0, 0, 0)"
    assert page.locator("div.fstheory-lattice").evaluate(paper) == "rgb(22, 24, 27)"


NAMES = ["</script><b>\"q'&", "two\nlines \u2028", "😀" * 60]
HARD = {
    "names": fs.JointDistribution(np.arange(24).reshape(2, 2, 2, 3), features=NAMES, target="<i>", states=None),
    "one feature": fs.JointDistribution([[1, 2], [3, 4]]),
    "no feature": fs.JointDistribution([1, 2]),
    "7 features of 3 states": fs.JointDistribution(np.arange(3**8).reshape((3,) * 8) % 7 + 1),
    "300 digits": fs.JointDistribution(
        np.array([[[10**300 + i, 10**299 + 7 * i] for i in range(2)]] * 2, dtype=object)
    ),
}


@pytest.mark.parametrize("name", HARD)
def test_shares_of_importance_need_no_float_near_the_values(name: str) -> None:
    columns = [column for column in explorer_data(HARD[name], claims=False)["criteria"] if "worth" in column]
    assert "logarithmic" in {column["key"] for column in columns}
    for column in columns:
        parts = column["worth"]["parts"]
        assert abs(sum(parts) - 1000) <= len(parts) or not any(parts)


@pytest.mark.parametrize("name", HARD)
def test_nothing_breaks_the_page(opened: Any, name: str) -> None:
    d = HARD[name]
    page = opened(d)
    masks = 2 ** len(d.features)
    assert page.locator(".fst-node").count() == masks
    risks = fs.bayes_risks(d)
    page.locator("[data-mask='0']").click()
    told = page.locator(".fst-facts").inner_text()
    assert exact_text(risks.value_at(0)) in told
    page.get_by_label("mark k-optimal").check()
    page.get_by_label("Lattice by").select_option("value")
    page.locator(f"[data-mask='{masks - 1}']").focus()
    page.get_by_role("button", name="Backward search from here").click()
    page.get_by_role("checkbox", name="questions to one person").check()
    page.get_by_role("button", name="Why?").click()
    page.get_by_role("checkbox", name="cases as dots").check()
    page.locator(f"[data-mask='{masks - 1}']").focus()
    page.keyboard.press("Enter")
    assert page.locator(".fst-groups > li").count() == min(33, np.prod(d.cardinalities, dtype=int))
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
    assert page.locator("b").count() == 1  # the value, and no name that became markup


def test_a_phone_needs_no_sideways_scrolling_of_the_page(opened: Any) -> None:
    page = opened(fs.gallery.titanic(), {"viewport": {"width": 375, "height": 700}, "color_scheme": "dark"})
    assert page.evaluate("document.documentElement.scrollWidth") <= 375
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(22, 24, 27)"
    assert page.locator(".fst-rest th").first.evaluate("e => getComputedStyle(e).hyphens") == "auto"


MEASURED = """[...document.querySelectorAll(".fst-stage text")].map((text) => {
  const box = text.parentNode.querySelector(".fst-box"), at = text.getBoundingClientRect();
  const around = (box ?? document.querySelector(".fst-stage")).getBoundingClientRect();
  const inside = at.left >= around.left && at.right <= around.right && at.top >= around.top;
  return [parseFloat(getComputedStyle(text).fontSize) * text.getScreenCTM().a, inside && at.bottom <= around.bottom];
})"""
OVERLAPS = """[...document.querySelectorAll(".fst-box")].map((box) => box.getBoundingClientRect()).some((a, i, all) =>
  all.slice(i + 1).some((b) => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom))"""
SCREENS = {"projector": {"width": 1024, "height": 768}, "phone": {"width": 390, "height": 844}}
SHOWN = [(n, length, screen) for n in range(1, 8) for length in (1, 9, 30) for screen in SCREENS]
DAILY = {(5, 9, "projector"), (5, 30, "phone"), (6, 1, "projector")}


@pytest.mark.parametrize(
    ("n", "length", "screen"),
    [pytest.param(*case, marks=() if case in DAILY else pytest.mark.thorough) for case in SHOWN],
)
def test_type_is_large_enough_and_nothing_is_cut(opened: Any, n: int, length: int, screen: str) -> None:
    table = fs.gallery.random((2,) * n, rng=n, total=2201).weights
    d = fs.JointDistribution(table, features=[chr(97 + i) * length for i in range(n)])
    page = opened(d, {"viewport": SCREENS[screen]})
    if screen == "projector":
        page.get_by_label("large type").check()
    assert page.evaluate("performance.getEntriesByType('navigation')[0].domComplete") < 2000
    measured, least = page.evaluate(MEASURED), 20 if screen == "projector" and n < 6 else 14
    assert len(measured) >= 2 * 2**n
    assert [found for found in measured if found[0] < least - 0.01 or not found[1]] == []
    assert not page.evaluate(OVERLAPS)
    assert page.evaluate("document.documentElement.scrollWidth") <= SCREENS[screen]["width"]
    picture = page.locator(".fst-stage").bounding_box()
    assert picture["x"] >= 0
    assert picture["x"] + picture["width"] <= SCREENS[screen]["width"]
    if screen == "phone":
        targets = page.locator(".fst-go").all()
        assert [box for box in (target.bounding_box() for target in targets) if box["height"] < 44] == []
        targets[0].click()
        assert page.locator(".fst-node.fst-current").get_attribute("data-mask") == str(2**n - 2)
        assert page.evaluate("document.activeElement.dataset.feature") == "0"
        words = "all => all.filter((e) => e.innerText?.trim()).map((e) => parseFloat(getComputedStyle(e).fontSize))"
        assert min(page.locator(".fst-main *, .fst-caption, .fst-meaning").evaluate_all(words)) >= 14


PAPER = {"viewport": {"width": 680, "height": 1000}}  # what the margins leave of A4


@pytest.mark.parametrize("ask", [False, True])
def test_paper_has_names_bars_and_weights_and_no_buttons(opened: Any, ask: bool) -> None:
    page = opened(fs.gallery.titanic(), PAPER, ask=ask)
    page.emulate_media(media="print")
    words = page.locator("body").inner_text()
    for button in ("Backward search", "Copy link", "Hint", "Show the answer", "change them", "Choose a neighbor"):
        assert button not in words
    assert ("Which single feature predicts survived best?" in words) == ask
    assert ("without class" in words) == ("Importance (Shapley value)" in words) == (not ask)
    bars = page.locator(".fst-bar:visible")
    found = bars.evaluate_all("all => all.map((e) => [getComputedStyle(e).printColorAdjust, e.clientWidth > 60])")
    assert found == [["exact", True]] * 3 * (not ask)
    cells = page.locator(".fst-weights td input:not([type=range])")
    assert cells.evaluate_all("all => all.every((e) => e.checkVisibility({contentVisibilityAuto: true}))")
    assert sum(int(cell.input_value()) for cell in cells.all()) == 2201


@pytest.mark.parametrize("view", ["size", "value"])
def test_paper_has_the_whole_picture_of_seven_features(opened: Any, view: str) -> None:
    page = opened(fs.gallery.random((2,) * 7, rng=7, total=60), {"viewport": {"width": 780, "height": 1000}})
    page.get_by_label("Lattice by").select_option(view)
    page.emulate_media(media="print")
    places = page.locator(".fst-scroll:has(.fst-stage), .fst-stage text, .fst-box").evaluate_all(
        "all => all.map((e) => e.getBoundingClientRect()).map(({left, right}) => [left, right])"
    )
    assert len(places) > 2**7
    assert places[0] == [min(left for left, _ in places), max(right for _, right in places)]


@pytest.mark.thorough
def test_no_sheet_of_paper_is_empty(opened: Any) -> None:
    for large, width in itertools.product((False, True), (390, 1366)):
        page = opened(explorer_page("xor"), {"viewport": {"width": width, "height": 800}})
        page.get_by_label("large type").set_checked(large)
        for paper, margin in (("A4", "0in"), ("Letter", "0.4in")):
            written = page.pdf(format=paper, margin=dict.fromkeys(("top", "bottom", "left", "right"), margin))
            objects = dict(re.findall(rb"\n(\d+) 0 obj\n(.*?)\nendobj", written, re.DOTALL))
            sheets = [re.search(rb"/Contents (\d+) 0 R", body) for body in objects.values() if b"/Type /Page\n" in body]
            drawn = [objects[sheet[1]].split(b"stream\n")[1] for sheet in sheets if sheet]
            assert drawn
            assert [zlib.decompress(text).count(b"BT") > 0 for text in drawn] == [True] * len(sheets)


LONG_NAMES = {
    "no break": ["a" * 35, "b" * 35, "W" * 35],
    "wide": ["W" * 7, "M" * 7, "m"],
    "Chinese": ["乘客等级", "乘客性别", "年龄组"],
    "digits": ["X1", "X2", "X3"],
}


@pytest.mark.parametrize("width", [390, 1366])
@pytest.mark.parametrize("kind", LONG_NAMES)
def test_long_names_and_numbers_leave_each_other_room(opened: Any, kind: str, width: int) -> None:
    """A column of a table has room for some letters, so that none stands on a line alone, and no text is cut."""
    largest = 10**15 if kind == "digits" else 99
    weights = np.random.default_rng(4).integers(largest // 2, largest, size=(2,) * 4).astype(object)
    page = opened(
        fs.JointDistribution(weights, features=LONG_NAMES[kind]), {"viewport": {"width": width, "height": 900}}
    )
    assert [found for found in page.evaluate(MEASURED) if not found[1]] == []
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    cut = "all => all.filter((e) => e.scrollWidth > e.clientWidth + 1).map((e) => e.className)"
    assert page.locator(".fst-panel, .fst-panel > div, .fst-rest").evaluate_all(cut) == []
    wide = "all => all.map((e) => e.getBoundingClientRect().width)"
    assert min(page.locator(".fst-bar").evaluate_all(wide)) > 45
    assert min(page.locator(".fst-panel :is(td, th), .fst-rest :is(td, th)").evaluate_all(wide)) > 45


def test_bars_and_evidence_are_seen_in_forced_colors(opened: Any) -> None:
    page = opened(fs.gallery.titanic(), {"forced_colors": "active"})
    assert "gradient" in page.locator(".fst-bar").first.evaluate("e => getComputedStyle(e).backgroundImage")
    assert page.locator(".fst-bar").first.evaluate("e => getComputedStyle(e).forcedColorAdjust") == "none"
    page.get_by_role("checkbox", name="questions to one person").check()
    page.locator("[data-mask='2'] .fst-box").click()
    seen = """all => all.map((e) => [
      e.closest('tr').hasAttribute('aria-current'), parseFloat(getComputedStyle(e).borderLeftWidth) > 2])"""
    rows = page.locator(".fst-rest tbody th").evaluate_all(seen)
    assert sorted({tuple(row) for row in rows}) == [(False, False), (True, True)]
    page = opened(fs.gallery.load("asia"), {"forced_colors": "active"}, evidence=True)
    buttons = page.locator(".fst-evidence button")
    buttons.first.click()
    seen = (
        "all => all.map((e) => getComputedStyle(e)).map((style) => [style.backgroundColor, style.textDecorationLine])"
    )
    pressed, other = buttons.evaluate_all(seen)[:2]
    assert all(mark != plain for mark, plain in zip(pressed, other, strict=True))


@pytest.mark.parametrize(("n", "large"), [(3, False), pytest.param(5, True, marks=pytest.mark.thorough), (6, False)])
def test_by_value_the_order_on_the_screen_is_the_order_of_the_values(opened: Any, n: int, large: bool) -> None:
    d = fs.gallery.random((2,) * n, rng=n, total=60)
    page, risks = opened(d, {"viewport": SCREENS["projector"]}), fs.bayes_risks(d)
    page.get_by_label("Lattice by").select_option("value")
    page.get_by_label("large type").set_checked(large)
    found = page.locator(".fst-node:has(.fst-place)").evaluate_all(
        "all => all.map((e) => [Number(e.dataset.mask), e.querySelector('.fst-place').getBoundingClientRect().y])"
    )
    assert len(found) >= len({risks.value_at(mask) for mask in range(2**n)})
    assert len(found) == 2**n or n > 5
    placed = [(risks.value_at(mask), -round(y, 1)) for mask, y in found]
    heights = [height for _, height in sorted(placed)]
    assert heights == sorted(heights)
    assert len({value for value, _ in placed}) == len(set(placed))


def test_the_files_of_the_front_end_import_no_circle() -> None:
    """They are joined into one text in an order in which each file stands after all that it imports."""
    folder = source.PACKAGE / "reports"
    uses = {file.name: re.findall(r'from "./(\w+\.js)";', file.read_text("utf-8")) for file in folder.glob("*.js")}
    order = [*MODULES, "lattice.js"]
    assert sorted(order) == sorted(uses)
    assert [(file, one) for file in order for one in uses[file] if order.index(one) >= order.index(file)] == []


@pytest.mark.parametrize("name", ["lattice.css", "page.css"])
def test_sizes_of_type_and_spaces_are_those_of_one_scale(name: str) -> None:
    """A rule names a size or a space of the scale; 0, what it inherits and what is computed need no name."""
    text = re.sub(r"/\*.*?\*/|@page \{.*?\}", "", read(name), flags=re.DOTALL)
    scale = {kind: set(re.findall(rf"--{kind}-\d(?=:)", text)) for kind in ("size", "gap")}
    assert all(len(names) == 5 for names in scale.values())
    used = re.findall(r"(?<![-\w])(font-size|font|(?:margin|padding|gap)(?:-\w+)?): ?([^;}]*)", text)
    given = r"var\(--(?:gap|size)-\d\)|var\(--(?:type|under)\)|calc\(50% - min\(48vw, 40rem\)\)"
    left = [(key, re.sub(given, "", value)) for key, value in used]
    assert [found for found in left if re.search(r"\d(?:px|rem|em|pt)", found[1])] == []
    assert {
        f"--{kind}-{i}"
        for kind, i in re.findall(r"var\(--(size|gap)-(\d)\)", text + explorer_page("xor", claims=False))
    } >= (scale["size"] | scale["gap"])
    assert len(re.findall(r"--accent:", text)) == (1 if name == "lattice.css" else 2)  # one of them for the dark


def luminance(color: str) -> float:
    digits = color.strip("#")
    parts = (
        [int(digits[i : i + 2], 16) / 255 for i in (0, 2, 4)] if len(digits) == 6 else [int(c, 16) / 15 for c in digits]
    )
    linear = [part / 12.92 if part <= 0.04 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


@pytest.mark.parametrize("scheme", [0, 1], ids=["light", "dark"])
def test_text_stands_out_from_its_ground(scheme: int) -> None:
    """The contrast is at least 4.5, as the guidelines for accessible pages ask."""
    pairs = re.findall(r"--(\w+): light-dark\((#\w+), (#\w+)\)", read("lattice.css"))
    of = {name: luminance(colors[scheme]) for name, *colors in pairs}
    grounds = {"ink": ("paper", "pale", "deep"), "value": ("pale", "deep"), "faint": ("paper",), "here": ("paper",)}
    for text, ground in ((text, ground) for text, listed in grounds.items() for ground in listed):
        low, high = sorted([of[text], of[ground]])
        assert (high + 0.05) / (low + 0.05) >= 4.5, (text, ground)


EIGHT = fs.JointDistribution(np.ones((2,) * 9, dtype=int))
test_refusals = refusals(
    [
        ("fs.reports.explorer_data(3)", InvalidTypeError, "d", "a JointDistribution"),
        ("fs.reports.explorer_data('xor', ask='Who?', progress=exit)", InvalidTypeError, "ask", "a list of questions"),
        ("fs.reports.explorer_data('xor', ask=[3, 4])", InvalidTypeError, "ask: question 1", "a text, a pair"),
        ("fs.reports.explorer_data('xor', ask=[('?', 3)])", InvalidTypeError, "ask: question 1: answer", "true, false"),
        ("fs.reports.explorer_data('xor', ask=['?', {'hint': ''}])", InvalidValueError, "ask: question 2: text", "one"),
        ("fs.reports.explorer_data('xor', ask={'title': ''})", InvalidValueError, "ask", "a table with questions"),
        ("fs.reports.explorer_data(EIGHT)", TooLargeError, "d", "at most 7 features"),
        ("fs.reports.explorer_data(WIDE)", TooLargeError, "d", "8,192 cells"),
    ],
    {"fs": fs, "EIGHT": EIGHT, "WIDE": fs.JointDistribution(np.ones((100, 100), dtype=int))},
)


def test_the_lattices_of_a_lesson_are_drawn_without_a_kernel(opened: Any) -> None:
    """The page has the scripts that a notebook keeps, as the build of the documentation writes them."""
    pytest.importorskip("anywidget", reason="anywidget is not installed")
    embed = pytest.importorskip("ipywidgets.embed")
    family = fs.linear_family(fs.gallery.xor(), fs.gallery.xor(noise="1/2"))
    kept = embed.embed_data([lattice_widget(fs.gallery.titanic()), lattice_widget(family)], drop_defaults=False)
    texts = [("state", kept["manager_state"]), *(("view", view) for view in kept["view_specs"])]
    scripts = [
        f'<script type="application/vnd.jupyter.widget-{kind}+json">{json.dumps(text)}</script>' for kind, text in texts
    ]
    shown = (source.ROOT / "docs" / "_static" / "widgets.js").as_uri()
    page = opened(f"<meta charset='utf-8'><script src='{shown}'></script><body>{''.join(scripts)}")
    ship, noisier = (page.locator("div.fstheory-lattice").nth(i) for i in range(2))
    ship.locator("[data-mask='0'][aria-label*='Bayes risk 711/2201']").wait_for()
    noisier.locator(".fst-track input").press("ArrowRight")
    assert noisier.locator(".fst-stop").inner_text() == "0 < t < 1"


def test_the_audit_in_the_documentation_is_searched_and_filtered(opened: Any) -> None:
    """The page has rows as the build makes them, and an entry that only one of them has more words in."""
    rows = [
        ("PN-3", "Peña and Nilsson", "Theorem 3", "Either can go.", "true (M, P)"),
        ("B-2", "Beraha et al.", "Theorem 2", "A sum is bounded.", "false (R); corrected by B-2c"),
        ("B-2d", "Beraha et al.", "Section 3", "A mean is bounded.", "false, and the paper does not say so (R)"),
    ]
    body = "".join(f"<tr>{''.join(f'<td>{cell}</td>' for cell in row)}<td></td></tr>" for row in rows)
    script = (source.ROOT / "docs" / "_static" / "ledger.js").as_uri()
    page = opened(
        f"<meta charset='utf-8'><div class='ledger-table'><table><tbody>{body}</tbody></table></div>"
        f"<details id='b-2d'><summary>B-2d</summary>Entropy</details><script src='{script}' defer></script>"
    )
    shown = page.locator("tbody tr:visible td:first-child")
    words, paper, verdict = (page.locator(".ledger-form").locator("input, select").nth(i) for i in range(3))
    assert shown.all_inner_texts() == ["PN-3", "B-2", "B-2d"]
    paper.select_option("Beraha et al.")
    verdict.select_option("false")
    assert shown.all_inner_texts() == ["B-2"]
    assert page.locator(".ledger-count").inner_text() == "1 of 3 statements"
    paper.select_option("")
    verdict.select_option("")
    words.fill("bounded ENTROPY")
    assert shown.all_inner_texts() == ["B-2d"]
    words.fill("pena  theorem")
    assert shown.all_inner_texts() == ["PN-3"]
    page.goto(f"{page.url}#b-2d")
    assert page.evaluate("document.getElementById('b-2d').open")
