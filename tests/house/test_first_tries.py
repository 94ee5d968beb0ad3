"""What users of NumPy, pandas, networkx and SymPy try first works, or is refused with the call to use."""

import math
import pickle
from fractions import Fraction
from typing import Any

import networkx as nx
import numpy as np
import pandas as pd
import pytest
import sympy

import fstheory as fs

D = fs.gallery.xor()
FRAME = pd.DataFrame({"a": [0, 1], "y": [0, 1]})
NAMES: dict[str, Any] = {
    "Fraction": Fraction, "FRAME": FRAME, "d": D, "fs": fs, "h": fs.entropy(D, "Y"), "half": Fraction(1, 2),
    "law": fs.selection_law(D, 4, "FOS"), "math": math, "n": fs.networks.asia(), "np": np, "nx": nx, "pd": pd,
    "pickle": pickle, "s": fs.sample(D, 20, rng=0), "sympy": sympy, "t": fs.bayes_risks(D),
}  # fmt: skip

WORKS = {
    "np.asarray(t).tolist()": [Fraction(1, 2), Fraction(1, 2), Fraction(1, 2), 0],
    "np.array(t, dtype=float).tolist()": [0.5, 0.5, 0.5, 0.0],
    "pd.Series(t)[frozenset({'X1', 'X2'})]": 0,
    "pd.DataFrame(t)[0].tolist() == list(t.values())": True,
    "t['X1']": Fraction(1, 2),
    "t[{'X1'}]": Fraction(1, 2),
    "t['X1', 'X2']": 0,
    "t[()]": Fraction(1, 2),
    "t.get('X9')": None,
    "'X1' in t": True,
    "'X9' in t": False,
    "[sorted(S) for S in t]": [[], ["X1"], ["X2"], ["X1", "X2"]],
    "[sorted(S) for S in sorted(t)]": [[], ["X1"], ["X2"], ["X1", "X2"]],
    "min(t.values())": 0,
    "sorted(min(t, key=t.get))": ["X1", "X2"],
    "dict(t)[frozenset({'X1'})]": Fraction(1, 2),
    "t == fs.bayes_risks(d)": True,
    "nx.DiGraph(t.to_networkx()).number_of_edges()": 4,
    "[level.value for level in list(t.ordering())]": [0, Fraction(1, 2)],
    "len(t.ordering())": 2,
    "d == fs.gallery.xor()": True,
    "d == None": False,
    "np.array([1, 2]) == d": False,
    "pd.Series([d, d]).tolist() == [d, d]": True,
    "d.probability(X1=0)": Fraction(1, 2),
    "n.probability(asia='yes')": Fraction(1, 100),
    "bool(d)": True,
    "len({d, fs.gallery.xor()})": 1,
    "pickle.loads(pickle.dumps(d)) == d": True,
    "len(s)": 20,
    "int(s.to_frame()['count'].sum())": 20,
    "law.to_frame()['value'].sum()": 1,
    "law.plot().title": "probability of being selected P(S) of the subsets S of {X1, X2}",
    "sympy.sympify(h)": sympy.log(2),
    "sympy.sympify(t['X1'])": sympy.Rational(1, 2),
    "float(h) == math.log(2)": True,
    "f'{h:.3f}'": "0.693",
    "h + h == 2 * h": True,
    "h": fs.numbers.log(2),
    "repr(h)": "LogSum([(-1, 2), (1, 4)])",
    "len(repr(fs.entropy(fs.gallery.titanic(), ['sex', 'age', 'class']))) < 160": True,
}
REFUSED = {
    "d['X1']": "d.marginal({'X1'})",
    "d[0]": "d.to_pmf()",
    "list(d)": "a JointDistribution is no list; d.marginal",
    "len(d)": "d.weights.size",
    "np.asarray(d)": "d.weights",
    "np.array(d, dtype=float)": "d.to_pmf()",
    "d.rename({'X1': {0: 'm'}})": "d.map_states('X1', {'old': 'new'})",
    "d['male']": "d.probability({name: state})",
    "d.shape": "(*d.cardinalities, len(d.classes))",
    "d.head()": "use .to_frame().head",
    "d.to_csv('d.csv')": "use .to_frame().to_csv",
    "d.values()": "d.to_pmf().values()",
    "d.sample(5)": "fs.sample(d, m, rng=0)",
    "d.to_dict()": "d.to_pmf()",
    "s['X1']": "s.keep({'X1'})",
    "np.asarray(s)": "s.to_frame()",
    "s.shape": "s.m",
    "s.head()": "use .to_frame().head",
    "t[0]": "a set of names",
    "t['X1X2']": "several are written as a set",
    "t.loc['X1']": "table[{'X1'}]",
    "t.min()": "table.minimum",
    "t.idxmin()": "table.argmin()",
    "t.sort_values()": "use .to_frame().sort_values",
    "h < 0.5": "write the float as a Fraction",
    "h * 0.5": "write the float as a Fraction",
    "fs.JointDistribution([[0.5, 0.5]])": "write the decimal as a string",
    "fs.bayes_risks(FRAME)": "Sample.from_frame(frame, target=...)",
    "fs.Sample(FRAME)": "Sample.from_frame(frame, target=...)",
    "fs.JointDistribution.from_samples(FRAME)": "Sample.from_frame(frame, target=...)",
    "fs.criterion_values(d, 'accuracy')": "'zero_one'",
    "fs.selection_law(d, 4, 'fos')": "did you mean 'FOS'",
    "fs.selection_law(s, 4, 'FOS')": "s.empirical(features)",
    "fs.fit(d, 'FOS')": "fs.sample(d, m, rng=0)",
    "fs.claims['pn3']": "did you mean 'PN-3'",
    "fs.bayes_risks('Titanic')": "did you mean 'titanic'",
    "fs.bayes_risks('rows.csv')": "fs.distributions.load('rows.csv')",
    "fs.gallery.load('Titanic')": "did you mean 'titanic'",
}


@pytest.mark.parametrize("call", WORKS)
def test_the_first_try_works(call: str) -> None:
    assert eval(call, dict(NAMES)) == WORKS[call]


@pytest.mark.parametrize("call", REFUSED)
def test_the_first_try_is_refused_with_the_call_to_use(call: str) -> None:
    with pytest.raises((fs.FSTheoryError, AttributeError)) as caught:
        eval(call, dict(NAMES))
    assert REFUSED[call] in str(caught.value)
