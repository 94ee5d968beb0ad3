"""300 columns: what takes a sample or a frame answers, or refuses with a call that answers."""

import tracemalloc
import warnings

import numpy as np
import pandas as pd
import pytest

import fstheory as fs
import fstheory.sklearn as learn  # noqa: F401
from fstheory import selection  # noqa: F401
from fstheory.errors import ArbitraryChoiceWarning, FSTheoryError
from fstheory.selection.greedy import set_function  # noqa: F401

BITS = (np.random.default_rng(0).random((400, 300)) < 0.4).astype(int)
BITS[:, 5] += BITS[:, 6]
FRAME = pd.DataFrame(BITS, columns=[f"X{i}" for i in range(300)]).assign(Y=(BITS[:, :3].sum(axis=1) > 1).astype(int))
CALLS = """fs.select(s, 3).features == ('X1', 'X0', 'X2')
fs.select(s, 3, 'logarithmic', 'score').trace[0].candidates['X7'] == fs.criterion_value(s, 'logarithmic', {'X7'})
fs.select(s, 298, method='greedy-backward').has_ties
fs.select(s, 3, method='exhaustive')  # take a greedy method, or take fewer features by s.keep(features)
selection.mrmr(s, 2).trace[1].candidates['X9'] == fs.info(s, 'I(Y; X9) - I(X9; X1)')
selection.fisher_scores(s).keys() == set(s.features)
set(fs.cmi_selection(s, selection.ErrorRule('1/5')).features) >= {'X0', 'X1', 'X2'}
fs.cmi_elimination(s, selection.FeatureCountRule(299)).features
fs.criterion_values(s, 'zero_one')  # keep fewer features: s.keep(features)
selection.is_submodular(set_function(s, 'zero_one'))  # use fewer features
fs.k_optimal(s, 1).subsets == (frozenset({'X1'}),)
fs.k_optimal(s, 4)  # take select with a greedy method, or take fewer
fs.minimal_optimal(s)  # s.empirical(features) makes one from a few features; fs.fit and fs.select take the sample
fs.bayes_risk(s, s.features) == 0 and fs.entropy(s, s.features) == fs.numbers.log(400)
fs.bayes_risks(s, max_size=1)  # keep fewer features: s.keep(features)
fs.samples.risk_estimates(s, s.features).cells == 400
set(fs.samples.supported_features(s, rng=0).features) == {'X0', 'X1', 'X2'}
fs.fit(s, fs.FOS(tau='1/100', estimate='leave-one-out')).features == ()
fs.fit(s, fs.StandardWrap(holdout='1/4', ties='first'), rng=0)  # keep the best 12 of them
fs.report(s).to_html()
fs.bayes_risk(s.empirical(), ['X0', 'X1']) == fs.bayes_risk(s, ['X0', 'X1'])
s.empirical().weights  # use fewer features
len(s.pair_counts()) == 300 and s.codes.shape == (400, 301) and s == fs.Sample.from_frame(FRAME, target='Y')
learn.BayesGreedySelector(n_features_to_select=3).fit(FRAME[[*s.features]], FRAME['Y']).get_support()[:3].all()
learn.WrapperSelector().fit(FRAME[[*s.features]], FRAME['Y'])  # keep the best 12 of them, by select(sample, 12"""


@pytest.mark.one_in(3)
@pytest.mark.parametrize("line", CALLS.splitlines())
def test_300_columns(line: str) -> None:
    call, _, better = line.partition("  # ")
    names = {**globals(), "s": fs.Sample.from_frame(FRAME, target="Y")}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        if not better:
            assert eval(call, names)
            return
        with pytest.raises(FSTheoryError) as caught:
            eval(call, names)
    assert better in str(caught.value)


def _peak(columns: int) -> int:
    """Return the most memory that a report on 20 rows of so many columns takes, in bytes."""
    rows = np.random.default_rng(0).integers(0, 2, (20, columns + 1)).tolist()
    s = fs.Sample(map(tuple, rows))
    fs.report(s)  # what is loaded or kept once
    tracemalloc.start()
    try:
        fs.report(s).summary()
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


@pytest.mark.thorough(4)
def test_a_report_does_not_hold_all_pairs() -> None:
    """Memory grows in proportion to the columns, although each column alone has rows enough for pairs."""
    assert _peak(600) < 3 * _peak(300)


def test_pairs_that_are_too_many_to_try_are_not_listed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("itertools.combinations", lambda *_: pytest.fail("pairs of columns were listed"))
    s = fs.Sample([(*range(2), *[0] * 400, 0), (*range(2), *[1] * 400, 1)])
    with pytest.warns(ArbitraryChoiceWarning, match="every addition leaves fewer than 5 samples"):
        assert fs.samples.supported_features(s, rng=0).steps == ()
