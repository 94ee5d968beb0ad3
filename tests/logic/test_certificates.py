"""Certificates: their digest, their file, that nobody changes them, and what is in those that `check` makes."""

import copy
import json
import pickle
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, strategies as st

from fstheory import JointDistribution
from fstheory.checker.certificates import check_certificate
from fstheory.checker.reading import certificate_digest
from fstheory.errors import InvalidFormatError, OutputError
from fstheory.logic.certificate import Certificate, certificate_at, certificate_of_proof
from fstheory.logic.claims import Claim, claim, positive
from fstheory.logic.language import Model
from fstheory.logic.statement import Shape
from fstheory.logic.verdict import Refuted
from fstheory.testing import joint_distributions
from tests.logic.building import digest

CONTENT: dict[str, Any] = {
    "format": "fstheory certificate",
    "version": 1,
    "kind": "refuted",
    "claim": "Größe",
    "show": [{"name": "s", "where": {"S": ["X1"], "A": [True, None]}, "formula": ["or"]}],
}


def test_content_and_digest() -> None:
    certificate = Certificate(CONTENT)
    assert dict(certificate) == {**CONTENT, "digest": digest(CONTENT)}
    assert (len(certificate), list(certificate)) == (6, [*CONTENT, "digest"])
    assert certificate["digest"] == certificate_digest(CONTENT)
    with pytest.raises(KeyError):
        certificate["weights"]


def test_a_digest_that_is_given_is_kept() -> None:
    """Nothing is verified or mended here; the checker does the first, and nobody should do the second."""
    assert Certificate({**CONTENT, "digest": "0" * 64})["digest"] == "0" * 64


def test_it_cannot_be_changed() -> None:
    content = copy.deepcopy(CONTENT)
    certificate = Certificate(content)
    content["show"][0]["name"] = "another"
    certificate["show"][0]["name"] = "another"
    assert dict(certificate) == {**CONTENT, "digest": digest(CONTENT)}
    with pytest.raises(TypeError):
        certificate["kind"] = "proved"  # type: ignore[index]
    with pytest.raises(AttributeError):
        certificate.more = 1  # type: ignore[attr-defined]


def test_it_is_a_value() -> None:
    certificate = Certificate(CONTENT)
    shuffled = Certificate(dict(reversed(CONTENT.items())))
    nested = Certificate({**CONTENT, "show": [dict(reversed(CONTENT["show"][0].items()))]})
    for twin in (shuffled, nested, copy.deepcopy(certificate), pickle.loads(pickle.dumps(certificate))):
        assert twin == certificate
        assert hash(twin) == hash(certificate)
    assert certificate != dict(certificate)
    assert certificate != Certificate({**CONTENT, "version": True})  # equal to 1 in Python, not in JSON
    assert certificate != Certificate({**CONTENT, "claim": "PN-5"})
    assert repr(certificate).startswith("<Certificate: Größe refuted, ")


def test_round_trip(tmp_path: Path) -> None:
    certificate, path = Certificate(CONTENT), tmp_path / "a.json"
    text = certificate.to_json()
    assert Certificate.from_json(text) == certificate
    assert json.loads(text) == dict(certificate)
    assert text.isascii()
    assert len(text.splitlines()) == len(certificate) + 2
    certificate.save(path)
    assert path.read_text("utf-8") == text
    assert Certificate.load(path) == Certificate.load(str(path)) == certificate
    path.write_bytes(b"\xef\xbb\xbf" + text.encode())  # as some editors begin a file
    assert Certificate.load(path) == certificate


def test_bad_files(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        Certificate.load(tmp_path / "none.json")
    (tmp_path / "odd.json").write_bytes(b'{"a": "\xff"}')
    with pytest.raises(InvalidFormatError, match=r"odd\.json must be UTF-8 text"):
        Certificate.load(tmp_path / "odd.json")
    with pytest.raises(OutputError, match="path must be a file that can be written"):
        Certificate(CONTENT).save(tmp_path / "none" / "a.json")


@claim(assume=[positive])
def small(m: Model, S: Any, x: Any, y: Any) -> Any:
    first = m.implies(m.risk(S) > 0, m.probability(x, y) <= m.maximum([m.risk(S), "1/3"]))
    return first & (m.risk(S) != 2 * m.risk(()))


@claim
def unsure(m: Model, i: Any) -> Any:
    return (1000 * m.entropy(i) <= 5 * m.sqrt(m.risk(i))) | (m.log("1/1000000") - m.entropy(i) > m.risk(()))


def test_whole_content() -> None:
    d = JointDistribution([[1, 1], [8, 2]], features=["a"], states={"a": ["p", "q"]})
    risk, top, twice = ["R", []], ["max", ["R", []], ["q", "1/3"]], ["*", ["q", "2"], ["R", []]]
    implied = ["or", ["not", ["<", ["q", "0"], risk]], ["<=", ["P", [1], 0], top]]
    formula = ["and", implied, ["not", ["=", risk, twice]]]
    values = [[["q", "0"], "0"], [risk, "1/4"], [["P", [1], 0], "2/3"], [top, "1/3"], [twice, "1/2"]]
    states = [{"x": {"a": label}} for label in ("p", "q")]
    possible = [["<", ["q", "0"], ["P", [i], None]] for i in range(2)]
    content = {
        "format": "fstheory certificate",
        "version": 2,
        "kind": "refuted",
        "claim": "small",
        "shape": {"cardinalities": [2], "classes": 2},
        "assume": [{"name": "positive", "where": x, "formula": part} for x, part in zip(states, possible, strict=True)],
        "show": [{"name": "small", "where": {"S": [], "x": {"a": "q"}, "y": 0}, "formula": formula}],
        "weights": [[1, 1], [8, 2]],
        "total": 12,
        "values": values,
    }
    verdict = small.check(d)
    assert isinstance(verdict, Refuted)
    assert dict(verdict.certificate) == {**content, "digest": digest(content)}


@given(st.sampled_from([small.without("positive"), unsure]), joint_distributions(named=True, huge=False))
def test_whatever_check_writes_is_accepted(stated: Claim, d: JointDistribution) -> None:
    verdict = stated.check(d)
    assert not isinstance(verdict, Refuted) or check_certificate(verdict.certificate)


@pytest.mark.parametrize("factor", [1, 10**40, Fraction(1, 10**30)])
def test_intervals_are_narrow_whatever_the_size(factor: int | Fraction) -> None:
    verdict = claim(lambda m: factor * m.entropy((), target=True) == 0).check(JointDistribution([1, 2]))
    assert isinstance(verdict, Refuted)
    assert check_certificate(verdict.certificate)


def test_weights_that_no_file_could_hold_need_none_where_a_claim_holds() -> None:
    assert claim(lambda m: m.risk() > 0).check(JointDistribution([1, 10**5000]))


def test_proofs_and_realizations() -> None:
    statement = positive.statement(Shape((2,)))
    proof = certificate_of_proof(statement, {"maxima": [], "proofs": [{"tree": {"farkas": []}}] * 2})
    assert (proof["kind"], len(proof["show"]), len(proof["proofs"]), proof["assume"]) == ("proved", 2, 2, [])
    formula = ["<", ["q", "0"], ["P", [1], None]]
    assert proof["show"][1] == {"name": "positive", "where": {"x": {"X1": 1}}, "formula": formula}
    realized = certificate_at("realized", statement, statement.show[1], JointDistribution([[1, 1], [1, 1]]))
    assert check_certificate(realized).kind == "realized"
