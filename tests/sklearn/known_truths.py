"""Made-up data of which the truth is known, and what each selector with its defaults makes of them."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd

import fstheory.sklearn
from fstheory.distributions.prepare import prepare
from fstheory.distributions.tables import read_frame
from fstheory.errors import ArbitraryChoiceWarning, TooLargeError


def five_of_forty(rows: int = 4000, seed: int = 0) -> tuple[Any, Any, list[str]]:
    """Return 40 columns of 4 or 5 states, a class of five of them, and these, the strongest first."""
    rng = np.random.default_rng(seed)
    X = pd.DataFrame({f"f{i}": rng.integers(0, 4 + i % 2, rows) for i in range(40)})
    truth = {"f7": 4, "f21": 3, "f33": 3, "f12": 2, "f28": 2}
    points = sum(weight * (X[name] >= 2) for name, weight in truth.items())
    return X, pd.Series(np.where(points + rng.normal(0, 1, rows) > 7, "yes", "no"), name="y"), list(truth)


def two_of_sixty(rows: int = 5000, seed: int = 0) -> tuple[Any, Any, list[str]]:
    """Return 60 columns of 2 or 3 states, a class of two of them that is positive in 2% of the rows, and these."""
    rng = np.random.default_rng(seed)
    X = pd.DataFrame({f"f{i}": rng.integers(0, 2 + i % 2, rows) for i in range(60)})
    share = 0.002 + 0.03 * (X["f17"] == 2) + 0.02 * (X["f42"] == 1)
    return X, pd.Series((rng.random(rows) < share).astype(int), name="y"), ["f17", "f42"]


def mixed(rows: int = 3000, seed: int = 0) -> tuple[Any, Any, list[str]]:
    """Return 12 columns, numbers in four ranges and categories, some values missing; the class is of two of them."""
    rng = np.random.default_rng(seed)
    X = pd.DataFrame({f"num{i}": rng.normal(size=rows) for i in range(6)})
    for i in range(6):
        X[f"cat{i}"] = rng.choice(["red", "green", "blue"], rows)
    y = np.where(X["num3"] + (X["cat2"] == "red") + rng.normal(0, 0.5, rows) > 0.5, "ill", "well")
    X = X.mask(rng.random(X.shape) < 0.08).astype({f"cat{i}": object for i in range(6)})
    table = prepare(read_frame(X.assign(y=y), "y", None, "label"), 4, "label")
    columns = zip(table.names, table.columns, strict=True)
    X = pd.DataFrame({name: [labels[code] for code in codes] for name, (codes, labels) in columns})
    return X.drop(columns="y"), X["y"], ["num3", "cat2"]


SELECTORS = (
    "BackwardSearchSelector",
    "BayesGreedySelector",
    "CMISelector",
    "CertaintyGainSelector",
    "ImportanceSelector",
    "OneShotSelector",
    "RelevantFeaturesSelector",
    "SupportedFeaturesSelector",
    "WrapperSelector",
)
HEAD = "| defaults of | 5 of 40 columns, 4,000 rows | 2 of 60, 2% positive, 5,000 rows | 2 of 12, mixed, 3,000 rows |"


def table(name: str, make: Callable[[], tuple[Any, Any, list[str]]]) -> str:
    """Say how many columns of the truth, and how many others, a selector with its defaults finds; and if it warns."""
    X, y, truth = make()
    kind = getattr(fstheory.sklearn, name)
    selector = kind(random_state=0) if "random_state" in kind().get_params() else kind()
    if name == "CertaintyGainSelector":  # compares rows in pairs
        X, y = X[:300], y[:300]
    try:
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            found = set(selector.fit(X, y).get_feature_names_out())
    except TooLargeError:
        return "refuses so many columns"
    said = ", warns" if any(warning.category is ArbitraryChoiceWarning for warning in caught) else ""
    more = len(found - set(truth))
    others = f" and {more} {'other' if more == 1 else 'others'}" if more else ""
    return f"{len(found & set(truth))} of {len(truth)}{others}{said}"


if __name__ == "__main__":  # python -m tests.sklearn.known_truths writes the table of the docs
    print(HEAD, "| --- | --- | --- | --- |", sep="\n")
    for each in SELECTORS:
        found = [table(each, make) for make in (five_of_forty, two_of_sixty, mixed)]
        print(f"| `{each}` |", " | ".join(found), "|")
