"""`report`: everything about one distribution, or what a sample supports."""

from __future__ import annotations

import math
from typing import overload

from fstheory._support.exact import as_index
from fstheory._support.memory import enough_memory
from fstheory._support.progress import Listener, Progress
from fstheory.distributions.joint import JointDistribution
from fstheory.distributions.rows import Sample, require_data
from fstheory.errors import require_type
from fstheory.lattice.subsets import require_text
from fstheory.measures.risk import bayes_risks
from fstheory.reports.of_distribution import Report, compare_criteria
from fstheory.reports.of_sample import SampleReport, report_sample
from fstheory.selection.optimal import minimal_optimal
from fstheory.selection.relevant import markov_blankets, relevance


@overload
def report(d: JointDistribution, *, name: str | None = None, rng: int = 0, progress: Progress = None) -> Report: ...
@overload
def report(d: Sample, *, name: str | None = None, rng: int = 0, progress: Progress = None) -> SampleReport: ...
def report(
    d: JointDistribution | Sample, *, name: str | None = None, rng: int = 0, progress: Progress = None
) -> Report | SampleReport:
    """Answer all questions about one distribution, or what a sample supports, and call it `name`.

    Parameters
    ----------
    d : JointDistribution or Sample
    name : str, optional
        The title, "distribution" or "sample" if not given.
    rng : int
        The seed of the permutations of a sample; a distribution needs none.
    progress : bool or callable, optional
        True shows how far it is, on a terminal or in a notebook; a function is called with each line of that.

    Returns
    -------
    Report or SampleReport
        With the answers as attributes, and `summary`, `to_json`, `to_html` and `write`. Of a sample: which features
        it supports, its plug-in risks beside leave-one-out risks and those with permuted labels, and what it cannot
        say.

    Raises
    ------
    TooLargeError
        The 2**n risks do not fit in memory.

    Notes
    -----
    Complexity: n sweeps over all subsets, each of 3**n cells for binary features; the drawings, up to 7
    features, are made when they are asked for. Of a sample some thousand groupings of its rows, and no table of cells.

    References
    ----------
    Peña and Nilsson (2010); Kohavi and John (1997) for relevance; Pearl (1988) for Markov blankets.

    Examples
    --------
    >>> from fstheory import gallery
    >>> found = report(gallery.titanic(), name="titanic")
    >>> found.agree, found.guaranteed, found.optima[1].value
    (True, False, Fraction(493, 2201))
    """
    require_data(d)
    kind = "sample" if isinstance(d, Sample) else "distribution"
    title = kind if name is None else name
    require_text(require_type(title, str, "name", "a string", "pass a title"), "name")
    seed = as_index(rng, "rng")
    with Listener(progress) as tell:
        return report_sample(d, title, seed, tell) if isinstance(d, Sample) else _report(d, title, tell)


def _report(d: JointDistribution, name: str, tell: Listener) -> Report:
    """Answer all questions about one distribution."""
    with enough_memory("the answers on all subsets", "take the marginal of fewer features"):
        cells = math.prod(c + 1 for c in d.cardinalities)
        tell(f"takes {cells:,} cells of marginals, {len(d.features) + 5} times or so")
        risks = bayes_risks(d)
        tell("the methods of the minimal-optimal problem")
        backward, one_shot, resampling = (
            minimal_optimal(d, method) for method in ("backward", "one-shot", "resampling")
        )
        tell("relevance and Markov blankets")
        relevant, blankets = relevance(d), markov_blankets(d)
        tell("other criteria")
        return Report(
            name=name,
            distribution=d,
            risks=risks,
            optima=tuple(risks.best_of_size(k) for k in range(len(d.features) + 1)),
            solutions=risks.minimal_sets(),
            backward=backward,
            one_shot=one_shot,
            resampling=resampling,
            relevance=relevant,
            blankets=blankets,
            criteria=compare_criteria(d, risks),
        )
