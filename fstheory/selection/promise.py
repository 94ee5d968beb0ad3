"""What is certain about the answer of each method, with and without the assumptions, in words.

A solution is a minimal subset with minimal risk. Without any assumption: backward search ends at a
solution, one-shot returns the intersection of all solutions, and resampling a set that contains it. The reasons
stand with each method.
"""

from __future__ import annotations

__all__ = ["finding", "promise"]

_THEOREM = {"backward": "Theorem 5", "one-shot": "Theorem 6", "resampling": "Theorem 7", "exhaustive": "Theorem 4"}
_TIES = "where classes tie, the classifier takes the first"


def promise(method: str, positive: bool, unique_maximum: bool) -> str:
    """Return the sentence that says what the theorems promise of this method's answer."""
    if positive and unique_maximum:
        return f"Both assumptions hold, so this is S*, the only solution ({_THEOREM[method]})."
    failing = " and ".join(
        name
        for name, holds in (("p(x) > 0 for every x", positive), ("a single maximum of p(Y|x)", unique_maximum))
        if not holds
    )
    return f"Without {failing}, {_without(method, positive, unique_maximum)}."


def _without(method: str, positive: bool, unique_maximum: bool) -> str:
    if method == "exhaustive":
        return "there may be several solutions; the exhaustive method returns all of them"
    if method == "backward":
        return (
            "the answer is guaranteed to be a solution, a minimal set with minimal risk, but not to be the only one: "
            "another order of the features may end at another"
        )
    if method == "one-shot" or unique_maximum:
        return (
            "the answer is not guaranteed to be a solution: it is the set of the features that all solutions share, "
            "which is a solution only if there is just one"
        )
    if positive:
        return (
            "the answer is not guaranteed to be a solution: it has minimal risk and holds every feature that all "
            f"solutions share, but may not be minimal ({_TIES})"
        )
    return (
        "the answer is not guaranteed to be a solution: it holds every feature that all solutions share, "
        f"and no more is certain, not even minimal risk ({_TIES})"
    )


def finding(is_solution: bool, solutions: int, shared: str, risk: str, least: str) -> str:
    """Return the sentence that says what is the case for this distribution, which has been checked.

    `solutions` is how many there are, 0 if several whose number is not known; `shared` names what all have in common.
    """
    if is_solution and solutions == 1:
        return "Here it is a solution, and the only one."
    several = f"{solutions or 'several'} solutions, which share {'no feature' if shared == '{}' else shared}"
    if solutions > 1:
        return f"Here there are {several}."
    if is_solution:
        return f"Here it is a solution, one of {several}."
    count = "is a single solution" if solutions == 1 else f"are {several}"
    if risk == least:
        return f"Here it is no solution: its risk is minimal, but a smaller set has the same. There {count}."
    return f"Here it is no solution: its risk is {risk}, that of all features {least}. There {count}."
