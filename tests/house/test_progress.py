"""What takes long says how far it is, and takes who works and what it goes on from, each in one way everywhere."""

import inspect
import itertools

import pytest

import fstheory as fs
from fstheory._support.progress import Clock, Listener
from fstheory.errors import InvalidTypeError
from tests.house.test_public_names import functions_of, public_names
from tests.refusals import check_message

FUNCTIONS = {
    function.__qualname__: function
    for public in public_names()
    for _, function in functions_of(public)
    if "progress" in inspect.signature(function).parameters
}
LONG = ("executor", "resume", "progress")
FEWER = {  # what takes some of them alone, and why
    "executor": "LabelPermutations.sample",  # draws 100,000 labelings a second
    # What the file would hold is counted, what is verified takes seconds, and a referee has a minute.
    "executor progress": "Sample.from_batches audit referee",
    "resume progress": "all_solutions",  # each step depends on those before
    "progress": "error_exponent explorer_data explorer_page phase_diagram reasons",  # seconds
}

# Calls that are quick, by what they call.
CALLS = {
    "all_solutions": "fs.all_solutions(D, progress={})",
    "audit": "fs.audit('PN-3', progress={})",
    "permutation_p_value": "fs.points.permutation_p_value(POINTS, trials=2, rng=0, ties='first', progress={})",
    "phase_diagram": "fs.phase_diagram(D, D, progress={})",
    "report": "fs.report(SMALL, progress={})",
    "run_experiment": "EXP.run_experiment('ng-1998', [1], settings=EXP.NgSettings.quick(), progress={})",
    "error_exponent": "fs.error_exponent(D, FOS, progress={})",
    "explorer_data": "fs.reports.explorer_data(SMALL, progress={})",
    "explorer_page": "fs.reports.explorer_page(SMALL, progress={})",
    "fit": "fs.fit(SAMPLE, fs.StandardWrap(holdout='1/2', ties='first'), rng=0, progress={})",
    "law_curve": "fs.samples.law_curve(D, FOS, [2], progress={})",
    "needed_assumptions": "fs.needed_assumptions('PN-4', progress={})",
    "prove": "fs.prove('PN-M', cardinalities=(2,), progress={})",
    "reasons": "fs.reasons(D, progress={})",
    "realize": "fs.realize('X1 < {{}}', progress={})",
    "refute": "fs.refute('PN-4', without='positive', progress={})",
    "select_by_certainty_gain": "fs.points.select_by_certainty_gain([[i / 2] for i in range(18)], "
    "labels=[0] * 9 + [1] * 9, progress={})",
    "selection_law": "fs.selection_law(D, 2, FOS, progress={})",
    "referee": "fs.referee('PN-M', features=1, progress={})",
    "supremum": "fs.supremum(lambda m: m.risk(), features=1, progress={})",
    "supported_features": "fs.samples.supported_features(SAMPLE, rng=0, permutations=39, progress={})",
    "Sample.from_batches": "fs.Sample.from_batches([], target='Y', progress={})",
    "simulate": "fs.simulate(D, 2, FOS, trials=5, rng=0, progress={})",
}
TOLD = ["permutation_p_value", "fit", "report", "select_by_certainty_gain"]
TOLD += ["selection_law", "simulate", "audit"]


def call(name: str, progress: object) -> None:
    d, fos = fs.gallery.xor(), fs.FOS(tau="1/20")
    points = fs.points.MixedPoints([["A"], ["B"], ["C"]], [0, 1, 1])
    names = {"fs": fs, "POINTS": points, "EXP": fs.papers, "D": d, "FOS": fos, "PROGRESS": progress}
    eval(CALLS[name].format("PROGRESS"), {**names, "SMALL": d.marginal(["X1"]), "SAMPLE": fs.sample(d, 8, rng=0)})


def test_the_table_is_complete() -> None:
    assert CALLS.keys() == FUNCTIONS.keys()


def test_what_takes_long_takes_all_three() -> None:
    taken: dict[str, str] = {}
    for _, function in itertools.chain(*map(functions_of, public_names())):
        words = [word for word in LONG if word in inspect.signature(function).parameters]
        taken |= {function.__qualname__: " ".join(words)} if 0 < len(words) < 3 else {}
    assert taken == {name: words for words, names in FEWER.items() for name in names.split()}


@pytest.mark.parametrize("name", FUNCTIONS)
def test_anything_else_is_refused(name: str) -> None:
    with pytest.raises(InvalidTypeError) as caught:
        call(name, "yes")
    check_message(caught.value, "progress", "True, or a function of a text")


@pytest.mark.filterwarnings("ignore::fstheory.errors.ArbitraryChoiceWarning")  # rows are few, on purpose
@pytest.mark.one_in(4)
@pytest.mark.parametrize("name", TOLD)
def test_true_shows_what_a_function_is_told(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    lines: list[str] = []
    for quiet in (lines.append, None, False) if name == "fit" else (lines.append,):
        call(name, quiet)
    assert lines
    assert capsys.readouterr().err == ""
    call(name, True)
    shown = capsys.readouterr()
    assert (shown.out, lines[0] in shown.err, "[00:0" in shown.err) == ("", True, True)
    assert shown.err.endswith("\r"), "the line is wiped out at the end"


def test_the_line_is_closed_whatever_ends_the_call(capsys: pytest.CaptureFixture[str]) -> None:
    def interrupted() -> None:
        with Clock(None, True) as clock:
            clock.tell("on the way")
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        interrupted()
    shown = capsys.readouterr().err
    assert "on the way [00:00]" in shown
    assert shown.endswith("\r")


def test_who_is_called_does_not_close_the_line_of_its_caller(capsys: pytest.CaptureFixture[str]) -> None:
    with Listener(True) as outer:
        with Listener(outer) as inner:
            inner("first")
        capsys.readouterr()
        outer("second")
        assert capsys.readouterr().err.startswith("\rsecond [00:00]")


def test_a_long_line_is_cut_on_a_terminal(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stderr.isatty", lambda: True)
    monkeypatch.setenv("COLUMNS", "30")
    with Listener(True) as tell:
        tell("x" * 200)
    assert max(map(len, capsys.readouterr().err.split("\r"))) < 30


def test_what_it_will_cost_is_said_first() -> None:
    lines: list[str] = []
    d = fs.gallery.xor()
    fs.selection_law(d, 4, fs.FOS(tau="1/20"), progress=lines.append)
    assert lines[0].startswith("m = 4: takes about ")
    fs.simulate(d, 4, fs.FOS(tau="1/20"), trials=7, rng=0, progress=lines.append)
    assert lines[-1].endswith("takes 7 trials, 18 cells in each")


def test_the_time_left_is_told_at_the_pace_since_this_was_begun(monkeypatch: pytest.MonkeyPatch) -> None:
    now, lines = [0], list[str]()
    monkeypatch.setattr("fstheory._support.progress.time.monotonic", lambda: now[0])
    with Clock(None, lines.append, every=0) as clock:
        for done, total in [(2, 9), (3, 9), (8, 9), (0, 9), (1, None)]:
            clock.count(done, total, "steps", "m = 1: ")
            now[0] += 2400
    told = ["2 of 9 steps", "3 of 9 steps; about 4 h left", "8 of 9 steps; about 13 min left", "0 of 9 steps"]
    assert lines == [f"m = 1: {line}" for line in [*told, "1 steps"]]
