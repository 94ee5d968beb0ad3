"""The checker gives the answers of the published test vectors, which other checkers are tested with."""

import json

import pytest

from fstheory.checker import check_certificate
from fstheory.checker.kinds import KINDS
from fstheory.errors import CertificateError
from tests.checker.vectors import FOLDER

FILES = {path.stem: json.loads(path.read_text(encoding="utf-8")) for path in sorted(FOLDER.glob("*.json"))}


@pytest.mark.parametrize("number", FILES)
def test_the_checker_gives_the_answers(number: str) -> None:
    for vector in FILES[number]["vectors"]:
        if vector["answer"] != "rejected":
            assert check_certificate(vector["certificate"]).status == vector["answer"]
            continue
        with pytest.raises(CertificateError) as error:
            check_certificate(vector["certificate"])
        place, _, _ = vector["why"].partition(" must be ")
        assert str(error.value).startswith(f"{place} must be ")


@pytest.mark.quick
def test_each_kind_has_vectors_that_are_accepted_and_vectors_that_are_rejected() -> None:
    """To write those of a new kind, run ``python -m tests.checker.vectors`` with its number."""
    assert {number: file["kind"] for number, file in FILES.items()} == {
        kind.number: kind.form for table in KINDS.values() for kind in table.values()
    }
    for file in FILES.values():
        answers = [vector["answer"] for vector in file["vectors"]]
        assert "rejected" in answers
        assert set(answers) & {"accepted", "unverifiable"}
