"""What was searched, in words."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from fstheory.search.survey import Found, Survey

__all__ = ["described", "minimality"]


def described(surveys: Sequence[Survey], *, stopped: bool = False) -> str:
    """Return what was searched without success.

    Examples
    --------
    >>> from fstheory.logic import Shape
    >>> excluded = "all totals, by Z3"
    >>> surveys = [
    ...     Survey(Shape((2,), 2), excluded),
    ...     Survey(Shape((2,), 3), excluded),
    ...     Survey(Shape((2, 2), 2), totals=9),
    ... ]
    >>> print(described(surveys))
    2 states with 2 or 3 classes (all totals, by Z3); 2 x 2 states with 2 classes (totals up to 9)
    """
    together: dict[str, list[Survey]] = {}
    for survey in surveys:
        together.setdefault(_finding(survey), []).append(survey)
    parts = [f"{_shapes(listed)} ({finding})" for finding, listed in together.items()]
    return "; ".join(parts + ["stopped at the time limit"] * stopped) or "nothing"


def minimality(surveys: Sequence[Survey], found: Found, max_total: int | None, *, stopped: bool = False) -> str:
    """Return whether a counterexample, of the shape that was searched last, is the smallest, and how that is known.

    Examples
    --------
    >>> from fstheory.logic import Shape
    >>> surveys = [Survey(Shape((2,), 2), "all totals, by Z3"), Survey(Shape((2, 2), 2), totals=1)]
    >>> print(minimality(surveys, Found((0, 0, 0, 1, 1, 0, 0, 0), True), None))
    proved: nothing smaller in 2 states with 2 classes (all totals, by Z3); all smaller ones of 2 x 2 states, 2 classes
    """
    *before, last = surveys
    proved = found.least and all(survey.excluded or survey.totals == max_total for survey in before)
    if proved:
        own = [f"all smaller ones of {last.shape}" + f" ({_journal(last)})" * bool(last.earlier)]
        said = described(before)
        trusted = ", if the journal is right" * any(survey.earlier for survey in surveys)
        return f"proved{trusted}: " + "; ".join([f"nothing smaller in {said}"] * bool(before) + own)
    return f"reached: searched {described(surveys, stopped=stopped)}"


def _finding(survey: Survey) -> str:
    if not survey.excluded and not survey.totals and not survey.sampled:
        return f"not searched: {survey.note}" if survey.note else "not searched"
    if survey.excluded:
        said = [survey.excluded]
    else:
        sampled = [f"{survey.sampled:,} others at random"] * (survey.sampled > 0)
        said = [f"totals up to {survey.totals}", *sampled, *[survey.note] * bool(survey.note)]
    return ", ".join(said) + f"; {_journal(survey)}" * bool(survey.earlier)


def _journal(survey: Survey) -> str:
    """Name what was not searched again."""
    levels = [step for step in survey.earlier if step.startswith("total ")]
    others = [step for step in survey.earlier if step not in levels]
    upto = [levels[-1].replace("total ", "totals up to ")] if levels else []
    return f"of an earlier run, as the journal says: {', '.join(dict.fromkeys(upto + others))}"


def _shapes(surveys: Iterable[Survey]) -> str:
    """Name shapes, those with the same numbers of classes together."""
    classes: dict[tuple[int, ...], list[int]] = {}
    for survey in surveys:
        classes.setdefault(survey.shape.cardinalities, []).append(survey.shape.classes)
    together: dict[tuple[int, ...], list[str]] = {}
    for cardinalities, numbers in classes.items():
        together.setdefault(tuple(numbers), []).append(" x ".join(map(str, cardinalities)) or "1")
    return ", ".join(
        f"{_listed(sizes, 'and')} states with {_listed(map(str, numbers), 'or')} classes"
        for numbers, sizes in together.items()
    )


def _listed(words: Iterable[str], link: str) -> str:
    *first, last = words
    return f"{', '.join(first)} {link} {last}" if first else last
