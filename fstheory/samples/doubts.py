"""Where chance or the order of the features, and not the rows of a sample, decided what a search selected."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from fstheory.distributions.rows import Sample
from fstheory.lattice.subsets import Subset
from fstheory.measures.criteria import criterion_value
from fstheory.samples.fitting import ROWS_PER_STATE
from fstheory.selection.greedy import Step


def few_rows(
    sample: Sample, subset: Subset, start: str = "", remedy: str = "", *, least: int = ROWS_PER_STATE
) -> Iterator[str]:
    """Say of a table that is compared that its states have few rows, if they have."""
    if (states := len(sample.cells(subset))) * least > sample.m:
        yield (
            f"{start}the table of {len(frozenset(subset))} columns has {sample.m / states:.1f} rows for each state "
            f"that occurs, and chance decides: take {remedy}SupportedFeaturesSelector(), or fewer columns"
        )


def doubts_of_walk(
    sample: Sample, trace: Sequence[Step], name: str, remedy: str = "", *, alone: bool = False
) -> Iterator[str]:
    """Say in which step of a walk all candidates tied first, and from which on the tables compared have few rows."""
    named = False
    for k, step in enumerate(trace, 1):
        few = list(
            few_rows(sample, step.subset | {step.chosen}, f"in step {k} ", remedy.format(k - 1) if k > 1 else "")
        )
        if few and not alone:
            yield from few
            return
        if step.made and 1 < len(step.tied) == len(step.values) and not named:
            apart = separating(sample, [{other} if alone else step.subset ^ {other} for other in step.tied])
            yield f"in step {k} all {len(step.tied)} candidates tie under the {name}, and their order decides: {apart}"
            named = True


def separating(sample: Sample, subsets: Sequence[Subset]) -> str:
    """Name the criteria that tell subsets apart."""
    known = ("balanced", "auc", "logarithmic") if len(sample.classes) == 2 else ("balanced", "logarithmic")
    values = {name: [criterion_value(sample, name, subset) for subset in subsets] for name in known}
    found = [f"criterion={name!r}" for name in known if any(value != values[name][0] for value in values[name])]
    return f"{' or '.join(found) or 'no criterion'} tells them apart"
