"""What the room refuses: one table."""

import networkx as nx
import numpy as np
import pandas as pd

from fstheory import points
from fstheory.errors import InvalidFormatError, InvalidTypeError, InvalidValueError, TooLargeError, UnknownNameError
from fstheory.papers.sebban_nock_2002 import LEMMAS
from fstheory.points.graphs import statistic
from tests.points.test_certainty_gain import LABELS, ROWS
from tests.refusals import refusals

PATH = [(0, 1), (1, 2), (2, 3)]
NAMES = {
    **{name: getattr(points, name) for name in points.__all__},
    "np": np,
    "nx": nx,
    "pd": pd,
    "statistic": statistic,
    "LEMMAS": LEMMAS,
    "PATH": PATH,
    "RNG": np.random.default_rng(0),
    "NULL": points.LabelPermutations(4, PATH, (2, 2)),
    "FOUR": points.PointSet([[0], [1], [3], [7]], "aabb"),
    "MIXED": points.MixedPoints(ROWS, LABELS),
    "TABLE": pd.DataFrame({"a": [1, 2], "y": ["u", "v"]}),
}

test_refuses = refusals(
    [
        # gains, points of any kind, the walk
        ("relative_certainty_gain([[1], [2]])", InvalidTypeError, "points", "a PointSet or MixedPoints"),
        ("relative_certainty_gain(FOUR, labels='aabb')", InvalidValueError, "labels", "left out with points"),
        ("relative_certainty_gain(FOUR, 'tree')", InvalidValueError, "graph", "one of mst, 1nn"),
        ("relative_certainty_gain(PointSet([[0], [1]]))", InvalidValueError, "labels", "at least two classes"),
        ("relative_certainty_gain(nx.path_graph(3))", InvalidTypeError, "labels", "the class of each node"),
        ("relative_certainty_gain(nx.path_graph(3), labels={0: 'a'})", InvalidValueError, "labels", "of all nodes"),
        ("relative_certainty_gain(nx.DiGraph([(0, 1)]), labels='ab')", InvalidTypeError, "graph", "networkx.Graph"),
        ("relative_certainty_gain(FOUR, nx.path_graph(3))", InvalidValueError, "graph", "on the nodes 0 to 3"),
        ("permutation_p_value(MIXED, trials=9, rng=0)", InvalidValueError, "points", "one minimum spanning tree"),
        ("permutation_p_value(FOUR, trials=9, rng=RNG, resume='f')", InvalidTypeError, "rng", "a seed, where resume="),
        (
            "select_by_certainty_gain(FOUR, null='permutation', trials=9, rng=RNG, resume='f')",
            InvalidTypeError,
            "rng",
            "a seed",
        ),
        ("MixedPoints([[1], [None]], 'ab')", InvalidValueError, "data, row 1, 'X1'", "a known value"),
        ("MixedPoints([[1.5], [float('inf')]], 'ab')", InvalidValueError, "data, 'X1'", "finite"),
        ("MixedPoints([[1.5], [2.5]], 'ab', exact=True)", InvalidTypeError, "data, 'X1'", "exact"),
        ("MixedPoints(pd.DataFrame([[1, 2]], columns=['a', 'a']), [0])", InvalidValueError, "data", "different names"),
        ("MixedPoints([['1'], ['red']], 'ab')", InvalidFormatError, "data, 'X1'", "a number"),
        ("MixedPoints([[1, 2], [1]], 'ab')", InvalidValueError, "data[1]", "of 2 values"),
        ("MixedPoints([[1, 2]], 'a', features=['u'])", InvalidValueError, "features", "2 names"),
        ("MixedPoints([], [])", InvalidValueError, "data", "at least one row"),
        ("MixedPoints([[1], [2]], [0, 1], categorical=['Z'])", UnknownNameError, "feature 'Z'", ""),
        ("MixedPoints([[1], [2]], [0, 1], categories='vdm9')", InvalidValueError, "categories", "one of"),
        ("MixedPoints([[1]], 'a', numbers='ivdm', categories='overlap')", InvalidValueError, "numbers", "a scale"),
        ("MixedPoints([[10**400], [2]], 'ab')", InvalidValueError, "data, 'X1'", "that floats reach"),
        ("MixedPoints([[2**53 + 1], [2**53]], 'ab')", InvalidValueError, "data, 'X1'", "that floats hold"),
        ("MixedPoints(TABLE, 'y', features=['a', 'y'])", InvalidValueError, "data", "different names"),
        ("MixedPoints(TABLE[['a']], TABLE['y'].iloc[::-1])", InvalidValueError, "labels", "with the index of the data"),
        ("relative_certainty_gain(nx.path_graph(2), labels=TABLE.y.iloc[::-1])", InvalidValueError, "labels", "index"),
        ("select_by_certainty_gain(np.ones((70000, 1)), labels=[0, 1] * 35000)", TooLargeError, "the distances", "fit"),
        ("MixedPoints(pd.DataFrame({'a': [1, 2]}), 'ab', features=['b'])", UnknownNameError, "column 'b'", ""),
        ("MixedPoints([[1], [2]], [0, 1]).squared_differences('Z')", UnknownNameError, "feature 'Z'", ""),
        ("select_by_certainty_gain(FOUR, null='normal')", InvalidValueError, "null", "one of printed"),
        ("select_by_certainty_gain(FOUR, max_features=0)", InvalidValueError, "max_features", "at least 1"),
        ("select_by_certainty_gain(FOUR, trials=9)", InvalidValueError, "trials and rng", "left out"),
        ("select_by_certainty_gain(FOUR, familywise='1/9', trials=7, rng=0)", InvalidValueError, "trials", "at least"),
        ("select_by_certainty_gain(FOUR, familywise=2, trials=19, rng=0)", InvalidValueError, "familywise", "strictly"),
        ("select_by_certainty_gain(MIXED)", InvalidValueError, "points", "does not look at labels"),
        ("select_by_certainty_gain(PointSet([[0], [0]], 'ab'))", InvalidValueError, "points", "all different"),
        # tests by stated laws
        ("printed_z(1, 1, 2)", InvalidValueError, "size", "at least 2"),
        ("printed_z(1, 20, 1)", InvalidValueError, "classes", "at least 2"),
        ("printed_p_value(1, 20, 2, law='t')", InvalidValueError, "law", "normal"),
        ("true_size(NULL, 'z')", InvalidValueError, "test", "one of"),
        ("true_size(NULL, alpha=0)", InvalidValueError, "alpha", "strictly between 0 and 1"),
        ("true_size(NULL, 'Light-Margolin', '1e-400')", TooLargeError, "alpha", "between 10**-300"),
        ("true_size([(0, 1)])", InvalidTypeError, "law", "LabelPermutations"),
        # permuted labels
        ("LabelPermutations(1, [], [1])", InvalidValueError, "size", "at least 2"),
        ("LabelPermutations(10**15, [], [1, 10**15 - 1])", TooLargeError, "the neighborhoods", "fit in half"),
        ("LabelPermutations(4, [(0, 4)], [2, 2])", InvalidValueError, "edges", "different places below 4"),
        ("LabelPermutations(4, [(-1, 2)], [2, 2])", InvalidValueError, "edges", "different places below 4"),
        ("LabelPermutations(4, [], [4])", InvalidValueError, "labels", "at least two classes"),
        ("LabelPermutations(4, [], [4, 0])", InvalidValueError, "counts", "at least 1"),
        ("statistic([(0, 1)], [0.0, float('nan')])", InvalidValueError, "labels", "classes"),
        ("NULL.tail(0.5)", InvalidTypeError, "value", "exact number"),
        ("NULL.sample(0, rng=0)", InvalidValueError, "trials", "at least 1"),
        ("NULL.sample(9, rng=0).interval(1, 1)", InvalidValueError, "confidence", "strictly between 0 and 1"),
        ("LabelPermutations(2, [(0, 1)], [1, 1]).z(0)", InvalidValueError, "edges", "variance above 0"),
        ("LabelPermutations(30, PATH, [10, 10, 10]).law", TooLargeError, "counts", "few labelings"),
        # exact points, and what refutes a lemma
        ("PointSet([])", InvalidValueError, "points", "at least one point"),
        ("PointSet('ab')", InvalidTypeError, "points", "a list of points"),
        ("PointSet([[1], [1, 2]])", InvalidValueError, "points[1]", "of 1 coordinates"),
        ("PointSet([[0.5]])", InvalidTypeError, "points[0]", "an exact number"),
        ("PointSet([[1]], [0, 1])", InvalidValueError, "labels", "as many as there are points, 1"),
        ("PointSet([[1]], [True])", InvalidTypeError, "labels[0]", "an int or a str"),
        ("LEMMAS['SN-L1'].certificate(PointSet([[0], [1]]))", InvalidValueError, "points", "a counterexample to SN-L1"),
        ("LEMMAS['SN-L3'].without_unique()", InvalidValueError, "lemma", "one that assumes unique_neighbor"),
    ],
    NAMES,
)
