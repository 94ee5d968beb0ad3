"""What `fstheory finite-sample` prints, draws and refuses."""

import json
from fractions import Fraction
from pathlib import Path

import pytest

import fstheory as fs
from fstheory.cli import main
from tests.cli.own import run, run_json

XOR = fs.gallery.xor()


def test_laws_by_sample_size(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    picture = tmp_path / "curve.svg"
    printed = run(capsys, 0, "finite-sample xor --method fbs --tau 1/10 --m 5,3 --out", str(picture))
    method = fs.FBS(tau="1/10", ties="first")
    head, three, five, wrote = printed.rstrip("\n").split("\n\n")
    assert head == "FBS with tau 1/10, ties first, estimate resubstitution"
    assert three == str(fs.selection_law(XOR, 3, method))
    assert five == str(fs.selection_law(XOR, 5, method))
    assert wrote == f"Wrote {picture}"
    assert "FBS on m samples" in picture.read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("typed", "method", "head"),
    [
        ("fos --estimate leave-one-out", fs.FOS(tau="1/20", ties="first", estimate="leave-one-out"), "tau 1/20, ties"),
        ("fbs --holdout 2 --ties uniform", fs.FBS(tau="1/20", ties="uniform", holdout=2), "ties uniform, estimate"),
        ("wrap --holdout 1/4", fs.StandardWrap(holdout="1/4", ties="first"), "StandardWrap with holdout 1/4, ties"),
        ("ordered --holdout 1 --ties uniform", fs.OrderedFS(holdout=1, ties="uniform"), "holdout 1, ties uniform"),
        ("none", fs.NoSelection(), "NoSelection"),
    ],
)
def test_the_method_that_is_typed(
    typed: str, method: fs.samples.Method, head: str, capsys: pytest.CaptureFixture[str]
) -> None:
    printed = run(capsys, 0, f"finite-sample xor --m 4 --method {typed}")
    assert head in printed.splitlines()[0]
    assert printed.endswith(f"\n\n{fs.selection_law(XOR, 4, method)}\n")


def test_json_tells_exact_from_estimated(capsys: pytest.CaptureFixture[str]) -> None:
    typed = "finite-sample xor --method fos --m 2,12 --work 500 --trials 60 --seed 3"
    document = run_json(capsys, 0, typed)
    assert (document["schema"], document["version"], document["method"]) == ("fstheory/finite-sample", 1, "FOS")
    assert document["settings"] == {"ties": "first", "tau": "1/20", "estimate": "resubstitution"}
    exact, estimated = document["points"]
    method = fs.FOS(tau="1/20", ties="first")
    law = fs.selection_law(XOR, 2, method)
    assert exact["engine"] == law.engine
    assert {tuple(row["subset"]): Fraction(row["probability"]) for row in exact["probabilities"]} == {
        tuple(sorted(subset)): p for subset, p in law.probabilities.items() if p
    }
    assert (Fraction(exact["success"]), Fraction(exact["expected_risk"])) == (law.success, law.expected_risk)
    found = fs.samples.law_curve(XOR, method, [12], work=500, trials=60, rng=3)[12]
    assert isinstance(found, fs.samples.Simulation)
    assert (estimated["engine"], estimated["trials"]) == ("simulation", 60)
    ends = [f"{end:.6g}" for end in found.success_interval()]
    assert estimated["success"] == {"estimate": f"{found.success:.6g}", "interval": ends}
    for point in document["points"]:
        plain = fs.selection_law(XOR, point["m"], fs.NoSelection()).expected_risk
        assert Fraction(point["expected_risk_without_selection"]) == plain
    assert "; seed 3\n" in run(capsys, 0, typed)


def test_a_run_goes_on_from_its_file(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "run.json"
    typed = ["finite-sample", "xor", "--method", "fbs", "--m", "3", "--resume", str(path)]
    expected = run(capsys, 0, *typed)
    done = json.loads(path.read_text(encoding="utf-8"))
    assert done["format"] == "fstheory run on samples"
    assert run(capsys, 0, *typed) == expected
    assert main(["finite-sample", "xor", "--method", "fbs", "--m", "4", "--resume", str(path)]) == 2
    assert "resume must be the file of this run on samples" in capsys.readouterr().err

    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(fs.samples.journal.Course, "tell", interrupt)
    other = tmp_path / "other.json"
    assert main([*typed[:-1], str(other)]) == 130
    assert f"the same command goes on from {other}" in capsys.readouterr().err
    monkeypatch.undo()
    assert run(capsys, 0, *typed[:-1], str(other)) == expected


def test_what_is_beyond_the_work_is_refused_with_the_estimate(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["finite-sample", "titanic", "--method", "ordered", "--m", "10,20,40"]) == 2
    error = capsys.readouterr().err
    assert "not 20; it takes " in error
    assert error.endswith(": raise --work, or pass --trials 2000 to estimate from so many trials\n")
