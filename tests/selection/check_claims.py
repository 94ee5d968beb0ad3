"""The guarantees of Section IV of Beraha et al. on every distribution of two binary features and a binary class.

``python -m tests.selection.check_claims [LARGEST]`` runs all of them with a total up to the largest, 12 if not given,
and prints the counts of the textbook page "Greedy search and its guarantees"; that takes about ten minutes. The tests
run the beginning. One of eight values of delta goes with each distribution, in turn.
"""

import sys
from collections import Counter
from fractions import Fraction
from itertools import cycle

from fstheory.measures.information import mutual_information
from fstheory.selection.stopping import ErrorRule, cmi_elimination, cmi_selection
from tests.measures.check_claims import exhaustive

DELTAS = [Fraction(text) for text in ("1/20", "1/8", "1/5", "1/3", "2/5", "1/2", "3/4", "0")]


def count_failures(largest: int) -> Counter[str]:
    """Count distributions, and how often each guarantee fails."""
    counts: Counter[str] = Counter()
    for d, delta in zip(exhaustive(largest), cycle(DELTAS), strict=False):
        counts["distributions"] += 1
        rules = {"printed": ErrorRule(delta, printed=True), "corrected": ErrorRule(delta)}
        for name, rule in {**rules, "sharp": ErrorRule(delta, sharp=True)}.items():
            forward = cmi_selection(d, rule)
            counts[f"backward, {name}, fails"] += not cmi_elimination(d, rule).guarantee
            if name != "printed":
                counts[f"forward, {name}, fails"] += not forward.guarantee
                continue
            told = mutual_information(d, forward.next_features, {"Y"})
            case = "reached" if told >= delta**2 / 2 else "not reached"
            counts[f"forward, printed, threshold {case}"] += 1
            counts[f"forward, printed, threshold {case}, A_T fails"] += not forward.guarantee
            counts[f"forward, printed, threshold {case}, A_(T+1) fails"] += not forward.next_guarantee
    return counts


if __name__ == "__main__":
    for statement, count in count_failures(int(sys.argv[1]) if len(sys.argv) > 1 else 12).items():
        print(f"{count:8,}  {statement}")
