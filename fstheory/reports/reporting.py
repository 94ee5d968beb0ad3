"""`report`: everything about one distribution, and the forms it can be had in."""

from __future__ import annotations

import itertools
import json
import math
import os
import secrets
import shutil
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from pathlib import Path
from types import MappingProxyType
from typing import Any, TypeVar, overload

import numpy as np

from fstheory._support.exact import as_index, decimal_text, exact_text, to_text
from fstheory._support.files import written_to
from fstheory._support.memory import enough_memory
from fstheory._support.progress import Listener, Progress
from fstheory._support.result import Check, Result
from fstheory.distributions.joint import JointDistribution
from fstheory.distributions.rows import Sample, require_data
from fstheory.errors import InvalidTypeError, MissingDependencyError, OutputError, TooLargeError, explain
from fstheory.lattice.draw import MOST_NODES
from fstheory.lattice.graph import View
from fstheory.lattice.ordering import Level
from fstheory.lattice.subsets import indices_of, mask_of, names_of, require_text
from fstheory.lattice.table import SubsetTable
from fstheory.measures.risk import bayes_risks
from fstheory.reports import blocks as sections
from fstheory.reports import document
from fstheory.reports.blocks import (
    BY_RISK,
    BY_SIZE,
    Block,
    CriterionOptima,
    Disagreement,
    Paragraph,
    Section,
    Sets,
    Styled,
    Table,
    Text,
    compare_criteria,
    counted,
    disagreements,
    render_text,
)
from fstheory.reports.document import MOST_SUBSETS
from fstheory.reports.explorer import embedded, explorer_data
from fstheory.reports.page import render_page
from fstheory.samples.law import Law, selection_law
from fstheory.samples.methods import FBS, FOS, NoSelection, OrderedFS
from fstheory.samples.support import ROWS_PER_STATE, SupportedFeatures, permuted_risk, supported_features, table_risks
from fstheory.selection.optimal import MinimalOptimal, minimal_optimal
from fstheory.selection.relevant import Relevance, markov_blankets, relevance

__all__ = [
    "Report",
    "SampleReport",
    "SubsetRisks",
    "report",
    "report_sample",
    "write_folder",
]


# -- A folder of files, of which all are written or none.


def write_folder(folder: str | os.PathLike[str], files: Mapping[str, bytes | None]) -> None:
    """Write files into a folder, so that all of them change or none does.

    They are written to a temporary folder first. A folder that does not exist yet is made by renaming that one, in
    one step. In a folder that exists each file takes, in one step, the place of the one with its name; if one
    cannot, those before it go back. Other files there are not touched. Of several writers at once one waits for
    the other, so that the last one's files are left, all of them.
    """
    if not os.fspath(folder):
        raise OutputError(explain("folder", "the name of a folder", folder, "write '.' for the one you are in"))
    try:
        target = Path(os.path.realpath(folder))
        inside = target.is_dir()
        draft = (target if inside else target.parent) / f".{secrets.token_hex(8)}.tmp"
        try:
            draft.mkdir()
            for name, content in files.items():
                if content is not None:
                    _write_synced(draft / name, content)
            if target.exists() and not target.is_dir():
                raise OutputError(explain("folder", "a folder, or the name of a new one", str(folder), "pass another"))
            if not inside and _rename_new(draft, target):
                return
            with _locked(target):
                _exchange(draft, target, list(files))
        finally:
            shutil.rmtree(draft, ignore_errors=True)
    except OutputError:
        raise
    except (OSError, ValueError) as error:  # ValueError: a null character in the path
        reason = (getattr(error, "strerror", None) or str(error)).lower()
        repair = f"{reason}: correct it"
        raise OutputError(explain("folder", "a folder that can be written", str(folder), repair)) from error


def _write_synced(path: Path, content: bytes) -> None:
    with path.open("xb") as stream:
        stream.write(content)
        stream.flush()
        os.fsync(stream.fileno())


def _rename_new(draft: Path, target: Path) -> bool:
    """Make the draft the folder; say whether that was possible, or somebody else has made it meanwhile."""
    try:
        draft.rename(target)
    except OSError:
        if target.is_dir():
            return False
        raise
    return True


@contextmanager
def _locked(folder: Path) -> Iterator[None]:
    """Have a folder for ourselves among those who ask, too."""
    try:
        import fcntl
    except ImportError:  # Windows
        yield
        return
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        with suppress(OSError):  # a file system without locks
            fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
    finally:
        os.close(descriptor)


def _exchange(draft: Path, target: Path, names: list[str]) -> None:
    """Move every file of the draft into place, each in one step; on a failure put the old ones back."""
    begun: list[str] = []
    try:
        for name in names:
            new, old, kept = draft / name, target / name, draft / f"{name}.old"
            if old.is_dir():
                raise OutputError(explain(str(old), "the name of a file", "a folder", "move it away"))
            if os.path.lexists(old):
                shutil.copy2(old, kept, follow_symlinks=False)
            begun.append(name)  # from here on what was kept is whole, and may be put back
            if new.exists():
                new.replace(old)
            else:
                old.unlink(missing_ok=True)
    except BaseException:
        for name in begun:
            if os.path.lexists(draft / f"{name}.old"):
                (draft / f"{name}.old").replace(target / name)
            elif not (draft / name).exists():
                (target / name).unlink(missing_ok=True)
        raise


# -- The report on a sample: what it supports, how much of its risks is luck, and what it cannot say.


_PATH = 20  # features added one by one
_MOST = 2000  # subsets that are looked at
_VISITS = 2 * 10**7  # of distinct rows, to look at them
_FEATURES = 40  # in a table of single features


@dataclass(frozen=True, repr=False)
class SubsetRisks(Result):
    """What a sample says of one subset.

    Attributes
    ----------
    features : frozenset of str
    states : int
        How many states of them occur in the sample.
    plug_in : Fraction
        The risk of the majority table on the sample itself.
    left_out : Fraction
        The same where each sample is predicted by the table of the others.
    permuted : Fraction or None
        The mean of the plug-in risk where the labels are permuted.
    """

    features: frozenset[str]
    states: int
    plug_in: Fraction
    left_out: Fraction
    permuted: Fraction | None = None


@dataclass(frozen=True, repr=False)
class SampleReport(Result):
    """What a sample supports.

    Attributes
    ----------
    name : str
    sample : Sample
    supported : SupportedFeatures
        The features that it supports, step by step.
    path : tuple of SubsetRisks
        No features, then those supported in their order, then the others by least leave-one-out risk: at most 20 more.
    everything : SubsetRisks
        Of all features.
    single : tuple of SubsetRisks
        Of each feature alone, in their order.
    by_size : tuple of tuple of SubsetRisks
        For k = 0, 1, .. the subsets of k features of least leave-one-out risk, among those that leave 5 samples for
        each state that occurs.
    looked_at : tuple of (int, int)
        For the same k, how many subsets there are and how many leave so many samples.
    not_listed : str
        Why larger subsets are not listed; empty if all are.

    Examples
    --------
    >>> import fstheory as fs
    >>> found = fs.report(fs.sample(fs.gallery.titanic(), 500, rng=0))
    >>> sorted(found.supported.features), found.everything.left_out
    (['class', 'sex'], Fraction(61, 250))
    """

    name: str
    sample: Sample
    supported: SupportedFeatures
    path: tuple[SubsetRisks, ...]
    everything: SubsetRisks
    single: tuple[SubsetRisks, ...]
    by_size: tuple[tuple[SubsetRisks, ...], ...]
    looked_at: tuple[tuple[int, int], ...]
    not_listed: str

    @property
    def cannot_say(self) -> tuple[str, ...]:
        """The statements about the source that this sample does not support."""
        s, n = self.sample, len(self.sample.features)
        possible = math.prod(s.cardinalities)
        unseen = (
            f"of {possible:,} possible states"
            if possible < 10**6
            else f"of about 10^{len(str(possible)) - 1} possible states"
        )
        return (
            f"Which set is S*, the least features of least Bayes risk. S* of these {s.m:,} rows is not S* of what they "
            f"were drawn from: with all {n} features {self.everything.states:,} {unseen} occur, and rare ones are "
            "predicted by the few samples in them.",
            "That the features not supported are irrelevant. A larger sample may support them, and so may a set that "
            "greedy steps do not reach.",
            "That the supported features are the only ones that do. Features that say the same replace each other.",
            "That p(x) > 0 for every x, or that p(Y|x) has a single maximum, which the theorems on S* assume.",
        )

    @cached_property
    def _sections(self) -> tuple[Section, ...]:
        return (_answer(self), _steps(self), _along(self), _sizes(self), _singles(self), _limits(self))

    def summary(self) -> str:
        """Return the report as text for a terminal.

        Examples
        --------
        >>> import fstheory as fs
        >>> print(fs.report(fs.sample(fs.gallery.titanic(), 500, rng=0), name="500").summary().split(";")[0])
        500
        ===
        A sample of 500, not a distribution: 3 features: class (4), sex (2), age (2)
        """
        return render_text(self.name, _about(self.sample), self._sections)

    def __str__(self) -> str:
        return self.summary()

    def to_json(self, path: str | os.PathLike[str] | None = None) -> str:
        """Return the report as versioned JSON with exact numbers as "p/q" strings, or write it as well.

        Examples
        --------
        >>> import json
        >>> import fstheory as fs
        >>> found = fs.report(fs.sample(fs.gallery.titanic(), 500, rng=0))
        >>> json.loads(found.to_json())["supported"]["features"]
        ['class', 'sex']
        """
        return written_to(path, json.dumps(_document(self), ensure_ascii=False, indent=1))

    def to_html(self) -> str:
        """Return the report as one page that needs nothing else.

        Examples
        --------
        >>> import fstheory as fs
        >>> fs.report(fs.sample(fs.gallery.xor(), 40, rng=0)).to_html().splitlines()[0]
        '<!DOCTYPE html>'
        """
        return render_page(
            self.name, _about(self.sample), self._sections, {}, document.generator(),
            subject="what a sample supports", sources=_SOURCES,
        )  # fmt: skip

    def write(self, folder: str | os.PathLike[str]) -> tuple[Path, ...]:
        """Write report.html and report.json into a folder, both or none; drawings of an earlier report go.

        Examples
        --------
        >>> import tempfile
        >>> import fstheory as fs
        >>> with tempfile.TemporaryDirectory() as parent:
        ...     found = fs.report(fs.sample(fs.gallery.xor(), 40, rng=0))
        ...     [path.name for path in found.write(Path(parent) / "xor")]
        ['report.html', 'report.json']
        """
        files: dict[str, bytes | None] = dict.fromkeys((BY_SIZE, BY_RISK))
        texts = {"report.html": self.to_html(), "report.json": self.to_json() + "\n"}
        write_folder(folder, files | {name: text.encode("utf-8", "backslashreplace") for name, text in texts.items()})
        return tuple(Path(folder) / name for name in texts)


_SOURCES = (
    "Risks are exact numbers of the sample, rounded here to four digits; report.json has them in full. Leave-one-out "
    "predicts each sample from all others; permuting labels follows B. Phipson and G. K. Smyth, “Permutation p-values "
    "should never be zero” (2010). What S* is, and when it is unique: J. M. Peña and R. Nilsson (2010)."
)


# -- computing --------------------------------------------------------------------------------


def report_sample(sample: Sample, name: str, seed: int, tell: Listener) -> SampleReport:
    """Answer what a sample supports."""
    rng = np.random.default_rng(seed)
    n = len(sample.features)
    tell(f"looking for supported features in {sample.m:,} rows")
    supported = supported_features(sample, rng=rng, progress=tell)
    tell("the best subsets of each size")
    single = tuple(_risks(sample, 1 << i) for i in range(n))
    by_size, looked_at, not_listed = _by_size(sample)
    tell("permuted labels along the path")
    everything = _risks(sample, 2**n - 1, rng)
    path = tuple(_path(sample, supported, rng))
    return SampleReport(name, sample, supported, path, everything, single, by_size, looked_at, not_listed)


def _risks(sample: Sample, mask: int, rng: np.random.Generator | None = None) -> SubsetRisks:
    permuted = None if rng is None else permuted_risk(sample, mask, rng)
    return SubsetRisks(names_of(mask, sample.features), *table_risks(sample, mask), permuted)


def _path(sample: Sample, supported: SupportedFeatures, rng: np.random.Generator) -> Iterator[SubsetRisks]:
    """Yield the subsets of the accepted steps, and go on without a test, by least leave-one-out risk."""
    mask = 0
    yield _risks(sample, mask, rng)
    for step in supported.steps:
        if step.accepted:
            mask = mask_of(step.features, sample.features)
            yield _risks(sample, mask, rng)
    n = len(sample.features)
    work = len(sample.counts) * max(n, 1)
    for _ in range(min(n - mask.bit_count(), _PATH, max(1, _VISITS // work))):
        rest = [mask | 1 << i for i in range(n) if not mask >> i & 1]
        mask = min(rest, key=lambda candidate: table_risks(sample, candidate)[2])
        yield _risks(sample, mask, rng)


def _by_size(sample: Sample) -> tuple[tuple[tuple[SubsetRisks, ...], ...], tuple[tuple[int, int], ...], str]:
    """Return the best subsets of each size that the sample can carry, and why larger ones are missing.

    A subset is looked at if those with one feature less are carried: states that occur grow with the features.
    """
    n, m = len(sample.features), sample.m
    left = min(_MOST, _VISITS // len(sample.counts))
    carried, counts = {0}, [(1, 1)]
    best: list[tuple[SubsetRisks, ...]] = [(_risks(sample, 0),)]
    for k in range(1, n + 1):
        found = {mask | 1 << i for mask in carried for i in range(mask.bit_length(), n)}
        found = {mask for mask in found if all(mask & ~(1 << i) in carried for i in indices_of(mask))}
        total = math.comb(n, k)
        if len(found) > left:
            return tuple(best), tuple(counts), f"the {total:,} subsets of {k} features are too many to look at"
        left -= len(found)
        risks = {mask: _risks(sample, mask) for mask in found}
        carried = {mask for mask, row in risks.items() if row.states * ROWS_PER_STATE <= m}
        if not carried:
            few = f"any {k} features leave fewer than {ROWS_PER_STATE} samples for each state that occurs"
            return tuple(best), tuple(counts), few
        least = min(risks[mask].left_out for mask in carried)
        best.append(tuple(risks[mask] for mask in sorted(carried) if risks[mask].left_out == least))
        counts.append((total, len(carried)))
    return tuple(best), tuple(counts), ""


# -- what is said -----------------------------------------------------------------------------


def _about(sample: Sample) -> str:
    n, classes = len(sample.features), len(sample.classes)
    names = ", ".join(f"{name} ({k})" for name, k in zip(sample.features[:_PATH], sample.cardinalities, strict=False))
    more = f" and {n - _PATH} more" if n > _PATH else ""
    return (
        f"A sample of {sample.m:,}, not a distribution: {counted(n, 'feature')}{': ' * bool(n)}{names}{more}; "
        f"target {sample.target} ({counted(classes, 'class')}); {counted(len(sample.counts), 'distinct row')}"
    )


def _per_state(row: SubsetRisks, m: int) -> str:
    return f"{m / row.states:,.1f}"


def _rounded(risk: Fraction) -> str:
    return f"{float(risk):.4f}"


def _answer(found: SampleReport) -> Section:
    s, supported, everything = found.sample, found.supported, found.everything
    sets = Sets([supported.features], s.features)
    own = next(row for row in found.path if row.features == supported.features)
    assert own.permuted is not None
    assert everything.permuted is not None
    risk = (
        f", with leave-one-out risk {to_text(supported.left_out)}. The plug-in risk is {to_text(supported.plug_in)}, "
        f"and ≈{decimal_text(own.permuted, 4)} with permuted labels."
    )
    head: Text = (f"This sample of {s.m:,} supports ", sets, risk)
    if not supported.features:
        head = f"This sample of {s.m:,} supports no feature: without any, the risk is {to_text(supported.plug_in)}."
    optimism = everything.left_out - everything.plug_in
    gap = f", {decimal_text(optimism, 4)} more" if optimism else ""
    luck = (
        f"All {len(s.features)} features together take {counted(everything.states, 'state')}, with "
        f"{_per_state(everything, s.m)} samples each, and the plug-in risk is {to_text(everything.plug_in)}. With each "
        f"sample left out of the table that predicts it, the risk is {to_text(everything.left_out)}{gap}; with "
        f"permuted labels, which nothing predicts, the plug-in risk is ≈{decimal_text(everything.permuted, 4)} on "
        f"average."
    )
    chosen = (
        "They were chosen on these samples, so that their leave-one-out risk is itself too small on average; only rows "
        "that the choice has not seen say by how much."
    )
    blocks: list[Block] = [Paragraph(head, "answer")]
    if supported.features:
        blocks.append(Paragraph(chosen))
    if supported.features != everything.features:
        blocks.append(Paragraph(luck))
    return Section("", blocks)


def _listed(sets: tuple[frozenset[str], ...], features: tuple[str, ...]) -> Sets:
    return Sets(sets, features, 4)


def _steps(found: SampleReport) -> Section:
    """Return the steps with their tests."""
    s, supported = found.sample, found.supported
    how = (
        "Each step adds the feature of least leave-one-out risk, or a pair where none helps. Then the labels are "
        "permuted among the samples that agree on the features so far, again and again: p is the share of these, and "
        "of the sample itself, in which the best addition is as good. A step counts if p is at most 1/20, which chance "
        "alone brings about once in 20 times."
    )
    rows: list[tuple[Text, ...]] = []
    for step in supported.steps:
        verdict = "supported" if step.accepted else "not supported"
        tested = str(step.p) if step.permutations else "no gain"
        tied = _listed(step.tied[1:], s.features) if len(step.tied) > 1 else ""
        added = Sets([step.added], s.features)
        rows.append((added, _rounded(step.left_out), _rounded(step.plug_in), tested, verdict, tied))
    head = ("added", "leave-one-out", "plug-in", "p", "", "tied with it")
    tried = supported.pairs_tried or len(s.features) - len(supported.features) < 2
    pairs = "" if tried else " Pairs of features are too many to try."
    blocks: list[Block] = [Paragraph(how)]
    blocks += [Table(head, rows, (1, 2, 3))] if rows else []
    blocks.append(Paragraph(f"The steps end: {supported.stopped}.{pairs}"))
    return Section("Which features it supports", blocks)


def _along(found: SampleReport) -> Section:
    """Return how risks change along the path, where the plug-in risk falls and the others do not."""
    s = found.sample
    meaning = (
        "More features, more states, fewer samples in each. The plug-in risk, of the majority table on the samples "
        "that made it, can only fall; what it has learned by heart shows in the leave-one-out risk, and in how small "
        "it is with permuted labels. Below 5 samples a state, read it as no more than that."
    )
    rows: list[tuple[Text, ...]] = []
    before: frozenset[str] = frozenset()
    for row in found.path:
        added = Sets([row.features - before], s.features) if row.features else "no features"
        assert row.permuted is not None
        mark = "" if row.states * ROWS_PER_STATE <= s.m else "too few"
        values = (_rounded(value) for value in (row.plug_in, row.left_out, row.permuted))
        rows.append((added, f"{row.states:,}", _per_state(row, s.m), *values, mark))
        before = row.features
    head = ("with also", "states", "samples a state", "plug-in", "leave-one-out", "permuted", "")
    return Section("How the risk grows too small", [Paragraph(meaning), Table(head, rows, (1, 2, 3, 4, 5))])


def _sizes(found: SampleReport) -> Section:
    s = found.sample
    rows: list[tuple[Text, ...]] = []
    for k, (best, (total, carried)) in enumerate(zip(found.by_size, found.looked_at, strict=True)):
        sets = Sets([row.features for row in best], s.features, 4)
        count = f"{carried:,} of {total:,}"
        rows.append((str(k), count, _rounded(best[0].left_out), _rounded(best[0].plug_in), sets))
    head = (Styled("k", "i"), "subsets", "least leave-one-out", "plug-in", "attained by")
    meaning = (
        f"Of the subsets that leave {ROWS_PER_STATE} samples for each state that occurs; the least of many estimates "
        "is itself too small."
    )
    blocks: list[Block] = [Paragraph(meaning), Table(head, rows, (1, 2, 3))]
    if found.not_listed:
        blocks.append(Paragraph(f"Larger subsets are not listed: {found.not_listed}."))
    return Section("The best subsets of each size", blocks)


def _singles(found: SampleReport) -> Section:
    s = found.sample
    listed = sorted(found.single, key=lambda row: row.left_out)
    rows: list[tuple[Text, ...]] = [
        (*row.features, f"{row.states:,}", _rounded(row.left_out), _rounded(row.plug_in)) for row in listed[:_FEATURES]
    ]
    if len(listed) > _FEATURES:
        rows.append((f"⋮ {len(listed) - _FEATURES} more in report.json",))
    table = Table(("feature", "states", "leave-one-out", "plug-in"), rows, (1, 2, 3))
    return Section("Single features", [table] if rows else [Paragraph(f"{s.target} comes without features.")])


def _limits(found: SampleReport) -> Section:
    return Section("What this sample cannot say", [Paragraph(text) for text in found.cannot_say])


def _document(found: SampleReport) -> dict[str, Any]:
    s = found.sample

    def subset(names: frozenset[str]) -> list[str]:
        return document.ordered(names, s.features)

    def risks(row: SubsetRisks) -> dict[str, Any]:
        values = {"plug_in": exact_text(row.plug_in), "leave_one_out": exact_text(row.left_out)}
        more = {} if row.permuted is None else {"permuted_labels": exact_text(row.permuted)}
        return {"subset": subset(row.features), "states": row.states, **values, **more}

    sizes = [
        {"k": k, "subsets": total, "carried": carried, "best": [risks(row) for row in best]}
        for k, (best, (total, carried)) in enumerate(zip(found.by_size, found.looked_at, strict=True))
    ]
    variables = [{"name": name, "states": [document.label(x) for x in states]} for name, states in s.states.items()]
    return document.titled(
        "sample-report",
        generator=document.generator(),
        name=found.name,
        samples=s.m,
        distinct_rows=len(s.counts),
        features=variables[:-1],
        target=variables[-1],
        supported=document.supported_document(found.supported),
        all_features=risks(found.everything),
        path=[risks(row) for row in found.path],
        by_size=sizes,
        not_listed=found.not_listed or None,
        single_features=[risks(row) for row in found.single],
        cannot_say=list(found.cannot_say),
    )


# -- `report`: everything about one distribution, and the forms it can be had in.


_SAMPLES = (10, 20, 40)
_METHODS = (
    FBS(tau="1/20", ties="first"), FOS(tau="1/20", ties="first"), OrderedFS(holdout="3/10", ties="first"),
    NoSelection(),
)  # fmt: skip
_WORK = 2 * 10**6  # steps of one law, so that all take less than a second
_MOST_CELLS = 2**16  # of a distribution in JSON


@dataclass(frozen=True, repr=False)
class Report(Result):
    """The answers on one distribution.

    Attributes
    ----------
    name : str
    distribution : JointDistribution
    risks : SubsetTable[Fraction]
        The Bayes risk of every subset.
    optima : tuple of Level
        For k = 0, 1, .., n the least risk of k features, and every subset of that size that has it.
    solutions : tuple of frozenset of str
        All solutions of the minimal-optimal problem, by looking at every subset.
    backward, one_shot, resampling : MinimalOptimal
        What the methods of the paper return, each with its trace.
    relevance : Relevance
        Strongly relevant, weakly relevant and irrelevant features.
    blankets : tuple of frozenset of str
        All minimal Markov blankets of the class.
    criteria : tuple of CriterionOptima
        For the 0-1 loss, the logarithmic loss, the Gini impurity and, of two classes, the AUC and the balanced
        loss: for k = 0, 1, .., n the best value of k features, and every subset of that size that has it. Empty
        beyond 1024 subsets, or where the marginals have more than 2**18 cells (times 64-bit words of the total weight).

    Examples
    --------
    >>> from fstheory import gallery
    >>> found = report(gallery.copies(), name="copies")
    >>> [sorted(solution) for solution in found.solutions], found.is_unique, found.agree
    ([['X1'], ['X2']], False, False)
    """

    name: str
    distribution: JointDistribution
    risks: SubsetTable[Fraction]
    optima: tuple[Level[Fraction], ...]
    solutions: tuple[frozenset[str], ...]
    backward: MinimalOptimal
    one_shot: MinimalOptimal
    resampling: MinimalOptimal
    relevance: Relevance
    blankets: tuple[frozenset[str], ...]
    criteria: tuple[CriterionOptima, ...]

    @property
    def positive(self) -> Check:
        """Whether p(x) > 0 for every x; if not, a state where it fails."""
        return self.backward.positive

    @property
    def unique_maximum(self) -> Check:
        """Whether p(Y|x) has a single maximum for every x with p(x) > 0; if not, a state where classes tie."""
        return self.backward.unique_maximum

    @property
    def guaranteed(self) -> bool:
        """Whether both assumptions hold, so that the theorems promise a single solution."""
        return self.backward.guaranteed

    @property
    def is_unique(self) -> bool:
        """Whether there is one solution only."""
        return len(self.solutions) == 1

    @property
    def methods(self) -> Mapping[str, MinimalOptimal]:
        """What each method of the paper returned, by its name."""
        return MappingProxyType({found.method: found for found in (self.backward, self.one_shot, self.resampling)})

    @property
    def agree(self) -> bool:
        """Whether there is one solution and every method returns it."""
        return self.is_unique and all(found.features == self.solutions[0] for found in self.methods.values())

    @property
    def disagreements(self) -> tuple[Disagreement, ...]:
        """Where a criterion chooses a subset that is not of least Bayes risk among those of its size."""
        return disagreements(self.criteria, self.risks)

    @cached_property
    def from_samples(self) -> tuple[Law[Fraction], ...]:
        """The exact laws of some methods on 10, 20 and 40 samples, those that take a fraction of a second each."""
        if len(self.distribution.classes) < 2:
            return ()
        laws = []
        for m, method in itertools.product(_SAMPLES, _METHODS):
            with suppress(TooLargeError):
                laws.append(selection_law(self.distribution, m, method, work=_WORK))
        return tuple(laws)

    @cached_property
    def pictures(self) -> Mapping[str, str]:
        """The drawings as SVG, by the names of their files; none without matplotlib or beyond 7 features."""
        marks: dict[str, Any] = {"best": self.solutions[0]} if self.is_unique else {"minimal": self.solutions}
        if len(self.backward.path) > 1:
            marks["path"] = self.backward.path
        marks["optimal"] = [subset for level in self.optima for subset in level.subsets]
        views: dict[str, View] = {BY_SIZE: "size", BY_RISK: "risk"} if len(self.risks) <= MOST_NODES else {}
        with suppress(MissingDependencyError):
            plots = {name: self.risks.plot(view=view, **marks).to_svg() for name, view in views.items()}
            return MappingProxyType(plots)
        return MappingProxyType({})

    @cached_property
    def _sections(self) -> tuple[Section, ...]:
        """What the text and the page say."""
        d = self.distribution
        compared = sections.criteria_of_sizes(self.criteria, self.disagreements, d.features)
        return (
            sections.answer(self.risks, self.solutions, self.one_shot),
            sections.lattice(self.risks, self.backward.path),
            sections.assumptions((self.positive, self.unique_maximum)),
            sections.methods(tuple(self.methods.values()), self.solutions),
            sections.risks_in_order(self.risks, MOST_SUBSETS),
            sections.optima_of_sizes(self.optima, d.features),
            *([compared] if len(d.features) > 1 else []),
            sections.relevance_of_features(self.relevance, self.blankets, d),
            *([sections.from_samples(self.from_samples, _SAMPLES, _METHODS)] if len(d.classes) > 1 else []),
            sections.probabilities(d),
        )

    def summary(self) -> str:
        """Return the report as text for a terminal, no line longer than 100 characters if names and numbers allow.

        Examples
        --------
        >>> from fstheory import gallery
        >>> print(report(gallery.xor(), name="xor").summary().partition("The minimal-optimal pr")[0].rstrip())
        xor
        ===
        2 features: X1 (2), X2 (2); target Y (2 classes); total weight 4
        <BLANKLINE>
        The minimal-optimal subset is S* = X1X2, with Bayes risk 0. No other features lower it, and without
        any the risk is 1/2 = 0.5.
        Both assumptions hold, so this is the only solution, and every method finds it (Theorems 4 to 7).
        <BLANKLINE>
        Assumptions
          p(x) > 0 for every x                                   holds
          p(Y|x) has a single maximum for every x with p(x) > 0  holds
        """
        return render_text(self.name, sections.about(self.distribution), self._sections)

    def __str__(self) -> str:
        return self.summary()

    def to_json(self, path: str | os.PathLike[str] | None = None) -> str:
        """Return the report as versioned JSON with exact numbers as "p/q" strings.

        Beyond 4096 subsets it holds the first in the order of the risks, and says so; and the distribution itself
        up to 65536 cells. Given a `path`, the text is also written there, whole or not at all.

        Examples
        --------
        >>> import json
        >>> from fstheory import gallery
        >>> json.loads(report(gallery.xor()).to_json())["minimal_optimal"]["solutions"]
        [['X1', 'X2']]
        """
        return written_to(path, json.dumps(_document_reporting(self), ensure_ascii=False, indent=1))

    def to_html(self) -> str:
        """Return the report as one page that needs nothing else: drawings, style and all.

        Examples
        --------
        >>> from fstheory import gallery
        >>> report(gallery.xor(), name="xor").to_html().splitlines()[0]
        '<!DOCTYPE html>'
        """
        about = sections.about(self.distribution)
        shown = (*self._sections, *self._touchable())
        return render_page(self.name, about, shown, self.pictures, document.generator())

    def _touchable(self) -> Iterator[Section]:
        """Yield the lattice that can be touched, where it is not too large."""
        with suppress(TooLargeError):
            data = explorer_data(self.distribution, title=self.name, level=3, claims=False)
            yield sections.touchable(embedded(data))

    def write(self, folder: str | os.PathLike[str]) -> tuple[Path, ...]:
        """Write report.html, report.json and the drawings into a folder, all of them or none.

        The folder is made if it does not exist; its parent must. Drawings of an earlier report are replaced or, if
        this one has none, taken away; other files are not touched.

        Returns
        -------
        tuple of Path
            The files written.

        Examples
        --------
        >>> import tempfile
        >>> from fstheory import gallery
        >>> with tempfile.TemporaryDirectory() as parent:
        ...     [path.name for path in report(gallery.xor()).write(Path(parent) / "xor")]
        ['report.html', 'report.json', 'lattice.svg', 'lattice-risk.svg']
        """
        texts = {"report.html": self.to_html(), "report.json": self.to_json() + "\n", **self.pictures}
        files: dict[str, bytes | None] = dict.fromkeys((BY_SIZE, BY_RISK))
        write_folder(folder, files | {name: text.encode("utf-8", "backslashreplace") for name, text in texts.items()})
        return tuple(Path(folder) / name for name in texts)


def _document_reporting(found: Report) -> dict[str, Any]:
    d = found.distribution
    variables = [{"name": name, "states": [document.label(x) for x in states]} for name, states in d.states.items()]
    risks = document.risks_document(found.risks, MOST_SUBSETS)
    solved = {
        "risk": exact_text(found.risks.minimum),
        "risk_without_features": exact_text(found.risks[()]),
        **{name: getattr(found, name) for name in ("guaranteed", "is_unique", "agree")},
        "solutions": [document.ordered(subset, d.features) for subset in found.solutions],
        "methods": {name: document.within_report(method) for name, method in found.methods.items()},
    }
    return document.titled(
        "report",
        generator=document.generator(),
        name=found.name,
        features=variables[:-1],
        target=variables[-1],
        total_weight=exact_text(d.total),
        assumptions=document.assumptions(found.positive, found.unique_maximum),
        minimal_optimal=solved,
        risks={key: risks[key] for key in ("count", "complete", "risks")},
        k_optimal=document.by_size(found.optima, d.features, "risk", MOST_SUBSETS),
        criteria=document.criteria(found.criteria, found.disagreements, d.features) if found.criteria else None,
        relevance=document.relevance(found.relevance, d.features),
        markov_blankets=[document.ordered(subset, d.features) for subset in found.blankets],
        from_samples=document.from_samples(found.from_samples),
        distribution=json.loads(d.to_json()) if d.weights.size <= _MOST_CELLS else None,
    )


T = TypeVar("T")


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
    if name is None:
        name = "sample" if isinstance(d, Sample) else "distribution"
    if not isinstance(name, str):
        raise InvalidTypeError(explain("name", "a string", name, "pass a title"))
    require_text(name, "name")
    seed = as_index(rng, "rng")
    with Listener(progress) as tell:
        return report_sample(d, name, seed, tell) if isinstance(d, Sample) else _report(d, name, tell)


def _report(d: JointDistribution, name: str, tell: Listener) -> Report:
    """Answer all questions about one distribution."""

    def told(what: str, answer: Callable[[], T]) -> T:
        tell(what)
        return answer()

    with enough_memory("the answers on all subsets", "take the marginal of fewer features"):
        tell(
            f"takes {math.prod(c + 1 for c in d.cardinalities):,} cells of marginals, {len(d.features) + 5} times or so"
        )
        risks = bayes_risks(d)
        return Report(
            name=name,
            distribution=d,
            risks=risks,
            optima=tuple(risks.best_of_size(k) for k in range(len(d.features) + 1)),
            solutions=risks.minimal_sets(),
            backward=told("backward search", lambda: minimal_optimal(d, "backward")),
            one_shot=told("one-shot method", lambda: minimal_optimal(d, "one-shot")),
            resampling=told("resampling", lambda: minimal_optimal(d, "resampling")),
            relevance=told("relevance", lambda: relevance(d)),
            blankets=told("Markov blankets", lambda: markov_blankets(d)),
            criteria=told("other criteria", lambda: compare_criteria(d, risks)),
        )
