"""Feature selectors for scikit-learn that decide exactly: pipelines, searches over parameters, DataFrames in and out.

The module needs scikit-learn, which ``pip install '.[learn]'`` in the checkout brings; `import fstheory` does not load
it.

Every column is discrete: each distinct value is a state, and nothing is binned behind your back. Measurements are
binned by scikit-learn's `KBinsDiscretizer(encode="ordinal")` in front of the selector; where a column looks like some,
fitting gives a `ManyStatesWarning`.

Examples
--------
Which 8 of 20 columns matter, of 5,000 rows?

>>> import numpy as np
>>> import pandas as pd
>>> rng = np.random.default_rng(0)
>>> X = pd.DataFrame(rng.integers(0, 2, (5000, 20)), columns=[f"q{i}" for i in range(1, 21)])
>>> y = X[["q2", "q3", "q5", "q8", "q9", "q13", "q14", "q20"]].sum(axis=1) + rng.integers(0, 2, 5000) > 4

>>> from fstheory.sklearn import BayesGreedySelector
>>> selector = BayesGreedySelector(n_features_to_select=8).fit(X, y)
>>> selector.get_feature_names_out()
array(['q2', 'q3', 'q5', 'q8', 'q9', 'q13', 'q14', 'q20'], dtype=object)
"""

from fstheory.sklearn.certainty_gain_selector import CertaintyGainSelector
from fstheory.sklearn.exact_selector import ExactSelector, ManyStatesWarning, SampleSelector
from fstheory.sklearn.selectors import (
    BackwardSearchSelector,
    BayesGreedySelector,
    CMISelector,
    OneShotSelector,
    WrapperSelector,
)

__all__ = [
    "BackwardSearchSelector",
    "BayesGreedySelector",
    "CMISelector",
    "CertaintyGainSelector",
    "ExactSelector",
    "ManyStatesWarning",
    "OneShotSelector",
    "SampleSelector",
    "WrapperSelector",
]
