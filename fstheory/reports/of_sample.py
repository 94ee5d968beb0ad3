"""The report on a sample: the features that it supports, the part of its risks that is luck, and its limits."""

from __future__ import annotations

import math
import shlex
import warnings
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, cached_property, partial
from html import escape
from itertools import islice
from typing import Any, ClassVar, TypeAlias

import numpy as np

from fstheory._support.exact import decimal_text
from fstheory._support.journal import Resume
from fstheory._support.progress import Listener
from fstheory._support.result import Result, Styled, Table, Text
from fstheory._support.work import Workers
from fstheory.distributions.prepare import edges_in_note, is_suspicion
from fstheory.distributions.rows import ROWS_PER_STATE, Sample, cells_at, cells_with, distinct_rows
from fstheory.errors import ArbitraryChoiceWarning, MissingDependencyError, install_hint
from fstheory.lattice.series import Traced, draw_bars
from fstheory.lattice.subsets import indices_of, mask_of, ordered_names
from fstheory.measures.criteria import as_criterion, squared_error
from fstheory.measures.criterion import Criterion
from fstheory.measures.information import pair_informations
from fstheory.measures.regression import numeric_states
from fstheory.reports.columns import TELLING, ColumnAnswer, column_answers, column_tables, percent, questions
from fstheory.reports.forms import ALONG, SINGLE, Forms
from fstheory.reports.page import (
    Block,
    Drawing,
    Markup,
    Paragraph,
    Section,
    counted,
    page_only,
    render_text,
    sets_of,
)
from fstheory.samples.design import Design, DesignOptions, designed
from fstheory.samples.estimates import ProcedureRisk, permuted_risk, procedure_risk
from fstheory.samples.fitting import SupportedFeatures, SupportStep, supported_features
from fstheory.samples.left_out import left_out
from fstheory.samples.relevance import Control, relevant_features
from fstheory.samples.tables import left_out_risk, table_risks

_PATH = 20  # the most features that are added one by one after the supported ones
_MOST = 2000  # the most subsets that are examined
_VISITS = 2 * 10**7  # the most visits of distinct rows for these subsets
_CALL = 2000  # to look at a subset takes at least as long as this many visits
_FOLDS = 5  # of the rows, to test the choice of columns
_MANY_ROWS = 20_000  # with more rows, one fold is tested
_FEATURES = 40  # the most features in the table of single features
_TIME = (
    "How well the columns predict times that are not among the rows. Columns were chosen on earlier rows and tested on "
    "later ones. The tests by shuffled classes do not use the time: they assume that the classes could be in any order."
)
_ERRORS: Mapping[Control, str] = {
    "familywise": (
        "If some columns have no influence, all tests together call one of them relevant with a probability of at most "
        "1/20. The p-value is adjusted for all tests. "
    ),
    "fdr": (
        "Of the columns that are called relevant, at most 1 in 20 is called so falsely, on average over many samples. "
        "The p-value is adjusted for this false discovery rate. "
    ),
}
_ABOUT_R2 = (
    " The range in brackets is an approximate 95% interval (Fieller), as if {0} were independent trials. It is too "
    "narrow if a few {0} have most of the variation, or if the columns explain nearly nothing."
)
_SHOWN = 10  # rows of a folded table in a terminal
_TOLD = 4  # the most columns whose bins are listed in one line
NO_PICTURES = install_hint("Drawing the risks", "matplotlib", "viz")


@dataclass(frozen=True, repr=False)
class SubsetRisks(Result):
    """The risks of one subset on a sample.

    Attributes
    ----------
    features : tuple of str
    states : int
        The number of states of the features that occur in the sample.
    plug_in : Fraction
        The risk of the majority table on the sample itself.
    left_out : Fraction
        The risk if each sample is predicted by the table of the other samples.
    permuted : Fraction or None
        The mean plug-in risk after the labels are permuted.
    """

    features: tuple[str, ...]
    states: int
    plug_in: Fraction
    left_out: Fraction
    permuted: Fraction | None = None


@dataclass(frozen=True, repr=False)
class SampleReport(Forms, Traced):
    """The report on a sample. Print it, or write it with `to_html`, `to_json` or `save`.

    Attributes
    ----------
    name : str
        The title.
    sample : Sample
    supported : SupportedFeatures
        A small set of features that is enough, as far as the sample can tell, step by step.
    columns : tuple of ColumnAnswer
        An answer for each column: needed, replaceable, only together, no evidence, or not judged.
    procedure : ProcedureRisk or None
        The errors on rows that took no part in the choice of the features. None if there are too few rows or too many.
    design : Design
        Which rows belong together, which columns are joined or kept, and which column is the time.
    assumed : str
        The sentences on what the tests assume of the rows.
    control : str
        Which error rate the verdicts on the columns have: 'familywise' or 'fdr', as in `samples.relevant_features`.
    in_groups : bool
        Whether the class varies within the groups of rows, so that the rows are judged inside their groups.

    Examples
    --------
    >>> import fstheory as fs
    >>> found = fs.report(fs.sample(fs.gallery.titanic(), 500, rng=0))
    >>> sorted(found.supported.features), found.everything.left_out
    (['age', 'class', 'sex'], Fraction(61, 250))
    """

    _table: ClassVar = "path"
    _drawn: ClassVar = {"plug_in": "plug-in", "left_out": "leave-one-out", "permuted": "permuted labels"}
    _along: ClassVar = "features"

    name: str
    sample: Sample
    supported: SupportedFeatures
    columns: tuple[ColumnAnswer, ...]
    procedure: ProcedureRisk | None
    design: Design
    assumed: str
    control: Control
    in_groups: bool
    _seed: int
    _typed: tuple[str, ...] = ()  # the words of the command that made the report
    _subject = "what a sample supports"
    _sources = (
        "Risks are exact numbers of the sample, rounded here to a few digits; report.json has them in full. "
        "Leave-one-out predicts each row from all others. Shuffling (permuting) classes follows B. Phipson and "
        "G. K. Smyth, “Permutation p-values should never be zero” (2010). What S* is, and when it is unique: "
        "J. M. Peña and R. Nilsson (2010)."
    )

    @property
    def _derived(self) -> tuple[str, ...]:  # type: ignore[override]
        """The fields of the JSON document beside those above. Shares of wrong rows say nothing about numbers."""
        risks = () if self._numeric else ("path", "everything", "single", "by_size", "looked_at", "not_listed")
        return (*risks, "cannot_say")

    @cached_property
    def _with_permuted(self) -> tuple[SubsetRisks, ...]:
        """The risks of all features together, then the risks along the path.

        Both draw permutations from one generator, so their order is part of the result.
        """
        names, rng = self.sample.features, np.random.default_rng(self._seed)
        accepted = [step for step in self.supported.steps if step.accepted]
        masks = (2 ** len(names) - 1, *_path(self.sample, self.design.always, accepted))
        return tuple(_risks(self.sample, names, mask, rng) for mask in masks)

    @property
    def path(self) -> tuple[SubsetRisks, ...]:
        """The risks along a path of subsets.

        They begin with no features. The supported features follow one by one in their order, then at most 20 more
        features, each time the one with the least leave-one-out risk.
        """
        return self._with_permuted[1:]

    @property
    def everything(self) -> SubsetRisks:
        """The risks of all features together."""
        return self._with_permuted[0]

    @cached_property
    def _compared(self) -> tuple[tuple[SubsetRisks, ...], *_BySize]:
        """The fields `single`, `by_size`, `looked_at` and `not_listed`."""
        names = self.sample.features
        risks_of = cache(partial(_risks, self.sample, names))
        return tuple(risks_of(1 << i) for i in range(len(names))), *_by_size(self.sample, risks_of)

    @property
    def single(self) -> tuple[SubsetRisks, ...]:
        """The risks of each feature alone, in the order of the features."""
        return self._compared[0]

    @property
    def by_size(self) -> tuple[tuple[SubsetRisks, ...], ...]:
        """The subsets of k features with the least leave-one-out risk, for k = 0, 1, ..

        Only subsets with at least 5 samples for each state that occurs are compared.
        """
        return self._compared[1]

    @property
    def looked_at(self) -> tuple[tuple[int, int], ...]:
        """The number of all subsets of k features, and the number of those that are compared, for the same k."""
        return self._compared[2]

    @property
    def not_listed(self) -> str:
        """The reason why larger subsets are not listed. It is empty if all sizes are listed."""
        return self._compared[3]

    def _risks_of(self, features: Collection[str]) -> SubsetRisks:
        """Return the risks of some features."""
        return _risks(self.sample, self.sample.features, mask_of(features, self.sample.features))

    @property
    def cannot_say(self) -> tuple[str, ...]:
        """The statements about the distribution behind the sample that the sample does not support."""
        s, rows = self.sample, distinct_rows(self.sample)
        alike = np.zeros(len(rows), dtype=np.int64), 1
        possible, occur = math.prod(s.cardinalities), rows.extended(alike, range(len(s.features)))[1]
        unseen = f"of {f'{possible:,}' if possible < 10**6 else f'about 10^{len(str(possible)) - 1}'} possible states"
        time = () if self.design.time is None else (_TIME,)
        return (
            f"Anything, if this does not hold: {self.assumed}",
            *time,
            f"Which set is S*, the least features of least Bayes risk. S* of these {s.m:,} rows is not S* of what they "
            f"were drawn from: with all features together {occur:,} {unseen} occur, and rare ones are "
            "predicted by the few samples in them.",
            "That the features not supported are irrelevant. A larger sample may support them, and so may a set that "
            "greedy steps do not reach.",
            "That the supported features are the only ones that do. Features that say the same replace each other.",
            *["That p(x) > 0 for every x, or that p(Y|x) has a single maximum, which the theorems on S* assume."]
            * (not self._numeric),
        )

    @cached_property
    def pictures(self) -> Mapping[str, str]:
        """The drawings as SVG, by the names of their files. Without matplotlib or features, and for numbers, none."""
        if self._numeric or not self.sample.features:
            return {}
        with suppress(MissingDependencyError):
            along = self.plot(title="Risk by the number of features")
            return {ALONG: along.to_svg(), SINGLE: _bars(self)}
        return {}

    @property
    def _data(self) -> Sample:
        return self.sample

    @property
    def _about(self) -> str:
        s, n = self.sample, len(self.sample.features)
        values = counted(len(s.classes), "different number" if self._numeric else "class")
        return (
            f"A sample of {s.m:,}, not a distribution: {counted(n, 'feature')}; "
            f"target {s.target} ({values}); {counted(len(s.counts), 'distinct row')}"
        )

    @cached_property
    def _first(self) -> tuple[Section, ...]:
        """The sections that the text has without details. They need no risks of further subsets."""
        done = [block for note in self.sample.notes if not is_suspicion(note) for block in _done(self, note)]
        after = [Section("What to do next", _next(self))] if self._typed else []
        return (_answer(self), *([Section("What was done to the rows", done)] if done else ()), *after)

    @cached_property
    def _sections(self) -> tuple[Section, ...]:
        limits = Section("What this sample cannot say", [Paragraph(text) for text in self.cannot_say], folded=True)
        if self._numeric or self.in_groups:  # the other sections are about shares of wrong classes of single rows
            return (*self._first, _reading(self), _steps(self), limits)
        return (*self._first, _reading(self), _steps(self), _along(self), _sizes(self), _singles(self), limits)

    @cached_property
    def _questions(self) -> list[tuple[str, str, str]]:
        """The questions that the report asks, each with the option and the column that a yes asks for."""
        return [*questions(self.sample, self.columns, self.procedure, numeric=self._numeric)]

    @property
    def _numeric(self) -> bool:
        """Whether the target is predicted as a number."""
        return is_numeric(self.supported)

    def summary(self, *, details: bool = False) -> str:
        """Return the report as text for a terminal: the answer, the columns, and what was done to the rows.

        With `details`, the tests, the risks of further subsets, and the limits of the sample follow, and the table of
        columns without evidence is complete.
        """
        short = [section._replace(blocks=[*map(_short, section.blocks)]) for section in self._first]
        return render_text(self.name, self._about, self._sections if details else short)

    def _content(self, features: Sequence[str]) -> dict[str, Any]:
        about = {"samples": self.sample.m, "distinct_rows": len(self.sample.counts), "notes": list(self.sample.notes)}
        return about | super()._content(features)


def report_sample(
    sample: Sample,
    name: str,
    seed: int,
    criterion: Criterion[Any] | str,
    control: Control,
    tell: Listener,
    executor: Workers,
    resume: Resume,
    design: DesignOptions,
) -> SampleReport:
    """Return the report on a sample. `seed` is the seed of all permutations."""
    whole, data = sample, designed(sample, design).by_groups()
    sample, options = data.sample, data.design.of_joined
    criterion = as_criterion(criterion)
    tell(f"looking for supported features in {sample.m:,} rows")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ArbitraryChoiceWarning)  # the page says the same
        work: Any = {"executor": executor, "resume": resume, "progress": tell}
        supported = supported_features(data.whole, rng=seed, criterion=criterion, **work, **options)
    tell("every column alone and beside each other column")
    relevant = relevant_features(whole, rng=seed, control=control, **design)
    tell("the choice of columns, tested on rows that it has not seen")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ArbitraryChoiceWarning)
        folds = min(_FOLDS, max(2, sample.m // 2))
        tested = 1 if sample.m > _MANY_ROWS else folds
        chosen = partial(_chosen, seed, criterion, executor, options)
        numbers = numeric_states(sample, sample.target) if is_numeric(supported) else None
        how: Any = {"folds": folds, "tested_folds": tested, "rng": np.random.default_rng(seed), "numbers": numbers}
        procedure = procedure_risk(data, chosen, **how)
    if procedure is None:
        alone = {name: left_out_risk(sample.cells({name})) for name in sample.features}
    else:
        alone = {name: wrong / procedure.tested for name, wrong in procedure.wrong_alone}
    columns = column_answers(relevant, supported, alone, data.constant())
    about = relevant.design, relevant.assumed, control, data.design.groups is not None, seed
    return SampleReport(name, sample, supported, columns, procedure, *about)


def is_numeric(supported: SupportedFeatures) -> bool:
    """Return whether the target is predicted as a number."""
    return supported.criterion == squared_error().name


def _chosen(
    seed: int, criterion: Criterion[Any], executor: Workers, design: DesignOptions, sample: Sample
) -> tuple[str, ...]:
    """Return the features that a sample supports."""
    return supported_features(sample, rng=seed, criterion=criterion, executor=executor, **design).features


_BySize: TypeAlias = "tuple[tuple[tuple[SubsetRisks, ...], ...], tuple[tuple[int, int], ...], str]"


def _risks(sample: Sample, names: tuple[str, ...], mask: int, rng: np.random.Generator | None = None) -> SubsetRisks:
    cells = cells_at(sample, mask)
    permuted = None if rng is None else permuted_risk(cells, rng)
    return SubsetRisks(ordered_names(mask, names), *table_risks(cells), permuted)


def _path(sample: Sample, always: Sequence[str], steps: Sequence[SupportStep]) -> Iterator[int]:
    """Yield the subsets of the accepted steps, then further ones by least leave-one-out risk, without a test.

    The first subset is empty, and the next one has the columns that are kept always, if there are any.
    """
    mask, names = 0, sample.features
    yield mask
    if always:
        yield (mask := mask_of(always, names))
    for step in steps:
        mask = mask_of(step.features, names)
        yield mask
    n = len(names)
    work = (len(sample.counts) + _CALL) * max(n, 1)
    for _ in range(min(n - mask.bit_count(), _PATH, max(1, _VISITS // work))):
        rest = [i for i in range(n) if not mask >> i & 1]
        risks = map(left_out_risk, cells_with(sample, mask, rest))
        mask |= 1 << min(zip(risks, rest, strict=True))[1]
        yield mask


def _by_size(sample: Sample, risks_of: Callable[[int], SubsetRisks]) -> _BySize:
    """Return the best subsets of each size that have enough rows for each state, and why larger ones are missing."""
    n, m = len(sample.features), sample.m
    left = min(_MOST, _VISITS // len(sample.counts))
    carried, counts = {0}, [(1, 1)]
    best: list[tuple[SubsetRisks, ...]] = [(risks_of(0),)]
    able: Sequence[int] = range(n)  # the features that a carried subset may have
    for k in range(1, n + 1):  # a superset has more states that occur, so only supersets of carried subsets are tried
        larger = (mask | 1 << i for mask in carried for i in able if i >= mask.bit_length())
        supersets = (mask for mask in larger if all(mask & ~(1 << i) in carried for i in indices_of(mask)))
        found = list(islice(supersets, left + 1))
        total = math.comb(n, k)
        if len(found) > left:
            return tuple(best), tuple(counts), f"the {total:,} subsets of {k} features are too many to look at"
        left -= len(found)
        risks = {mask: risks_of(mask) for mask in found}
        carried = {mask for mask, row in risks.items() if row.states * ROWS_PER_STATE <= m}
        able = able if k > 1 else [i for i in able if 1 << i in carried]
        if not carried:
            width, rows = counted(k, "feature"), f"{ROWS_PER_STATE} samples"
            few = f"each table of {width} leaves fewer than {rows} for each state that occurs"
            return tuple(best), tuple(counts), few
        least = min(risks[mask].left_out for mask in carried)
        best.append(tuple(risks[mask] for mask in sorted(carried) if risks[mask].left_out == least))
        counts.append((total, len(carried)))
    return tuple(best), tuple(counts), ""


# -- The sections.


def _rounded(risk: Fraction) -> str:
    return f"{float(risk):.4f}"


def _answer(found: SampleReport) -> Section:
    """Return the first section: the answer in a sentence, how often it errs, and the table of all columns."""
    s, supported, nothing, always = found.sample, found.supported, found._risks_of(()), found.design.always
    rows = counted(s.m, "row")
    chosen = [name for name in supported.features if name not in always]
    enough = sets_of([chosen], s.features)
    telling = sum(column.answer in TELLING for column in found.columns)
    tell = f"{telling} of {counted(len(s.features), 'column')} tell{'s' * (telling == 1)} something about {s.target}"
    beside = f" beside {', '.join(always)}" * bool(always)
    count = len(chosen)
    head: Text
    if not telling:
        head = f"No column shows in {rows} that it tells something about {s.target}{beside}."
    elif not chosen:
        head = f"{tell}{beside}. But no small set of them predicts {s.target} better for rows left out."
    elif telling == count:
        head = (f"{tell}{beside}. {rows} support ", enough, ".")
    else:
        verb = "is" if count == 1 else "are"
        head = (f"{tell}{beside}. As far as {rows} can tell, {count} of them {verb} enough: ", enough, ".")
    blocks = [Paragraph(text, "answer") for text in (head, _how_often_wrong(found)) if text]
    blocks += [Paragraph(text) for text, *_ in found._questions]
    if not chosen:
        where = ", in report and supported_features (fstheory report --criterion)"
        found_doubts = supported.doubts if supported.steps else ()
        blocks += [Paragraph(f"But {doubt}{where * ('criterion=' in doubt)}.") for doubt in found_doubts]
    else:
        own = None if found._numeric or found.in_groups else found._risks_of(supported.features)
        if own is not None and own.left_out >= nothing.left_out:
            blocks.append(
                Paragraph(
                    "This does not make fewer rows wrong. It does tell how likely each class is: a class may be rare "
                    f"whatever the values, and still be more likely for some. {_ranking(s, own.features)}"
                )
            )
    if supported.unsettled:
        blocks.append(Paragraph(_unsettled(supported)))
    procedure = found.procedure
    guess = nothing.left_out if procedure is None else procedure.wrong_guesses / procedure.tested
    return Section("", [*blocks, *column_tables(found.columns, guess, numeric=found._numeric)])


def _short(block: Block) -> Block:
    """Return the first rows of a folded table, for a terminal, and other blocks as they are."""
    left_out = len(block.rows) - _SHOWN if isinstance(block, Table) and block.folded else 0
    if not isinstance(block, Table) or left_out <= 1:
        return block
    return block._replace(rows=[*block.rows[:_SHOWN], (f"⋮ {left_out:,} more (all with --details)",)])


def _next(found: SampleReport) -> list[Block]:
    """Return the next command: with the option of the first question that the report asks, or else with all details."""
    added, why = (
        ["--details"],
        "This command prints the tests, the risks of further columns, and the limits of the rows:",
    )
    asked = found._questions
    if asked and asked[0][1] not in found._typed:
        first = "first " * (len(asked) > 1)
        added, why = [*asked[0][1:]], f"If the answer to the {first}question above is yes, this command is right:"
    command = shlex.join(["fstheory", *(word for word in found._typed if word != "--details"), *added])
    return [Paragraph(why), Markup(f"<p><code>{escape(command)}</code></p>", command)]


def _how_often_wrong(found: SampleReport) -> str:
    """Return the sentence that compares the chosen columns with guessing, by one estimate for both."""
    procedure, nothing = found.procedure, found._risks_of(())
    if procedure is None and found.design.time is not None:
        return "No rows, or no groups of rows, come later than others, so the choice cannot be tested on later ones."
    if procedure is None and found.in_groups:
        return "The groups are too few, or the rows too many, to test the choice on groups that it has not seen."
    if procedure is None:
        if found.sample.m < 4:
            return f"Guessing without columns is wrong for {percent(nothing.plug_in)} of these rows."
        own = found._risks_of(found.supported.features)
        return (
            f"Predicted by the other rows with the same values, {percent(own.left_out)} of the rows are wrong; "
            f"guessing without columns: {percent(nothing.left_out)}."
        )
    if found._numeric:
        left = procedure.wrong / procedure.wrong_guesses if procedure.wrong_guesses else Fraction(1)
        words = "They explain" if len(found.supported.features) > 1 else "It explains"
        low, high = (100 * max(end, 0.0) for end in procedure.explained or (0.0, 0.0))
        ends = f" ({low:.0f} to {high:.0f}%)" if procedure.explained else ""
        explained = (
            f"{words} {percent(max(1 - left, Fraction(0)))}{ends} of the variation of {found.sample.target} (R²)"
        )
        return f"{explained} in rows that took no part in the choice." if found.supported.features else ""
    tested = procedure.tested
    shares = [
        f"{percent(wrong / tested)} ({100 * low:.0f} to {100 * high:.0f}%)"
        for wrong in (procedure.wrong, procedure.wrong_guesses)
        for low, high in [procedure.interval(wrong)]
    ]
    if not found.supported.features:
        return f"Guessing without columns is wrong for {shares[1]}."
    return f"Wrong for {shares[0]} of the rows; guessing without columns: {shares[1]}."


def _reading(found: SampleReport) -> Section:
    """Return the section that says how to read the first one."""
    s, procedure = found.sample, found.procedure
    words = (
        "A needed column belongs to a small set that is enough, as far as these rows can tell. A replaceable column "
        "tells something alone, and the columns named already say it: each of them, or all needed ones together. A "
        "column that tells something only together says nothing alone, and something beside the columns named. No "
        "evidence does not mean irrelevant: more rows may show something. "
    )
    words += _ERRORS[found.control]
    blocks: list[Block] = [Paragraph(words + found.assumed)]
    trials = "groups" if found.in_groups else "rows"
    share = "" if found._numeric else " with about the same share of each class"
    divided, others = f"at random into parts{share}", "the other parts"
    if found.in_groups:
        divided = "at random into parts, and the rows of a group stayed together"
    if found.design.time is not None:
        divided, others = f"into periods by {found.design.time}", "the earlier periods"
    if procedure is not None and found._numeric:
        blocks.append(
            Paragraph(
                f"The share of the variation: the rows were divided {divided}. Columns were chosen on {others}, and "
                f"each row was predicted by the mean of those rows of {others} that have the same values. R² is 1 less "
                f"the squared errors over those of the mean of all rows of {others}."
                f"{_ABOUT_R2.format(trials) * (procedure.explained is not None)}"
            )
        )
    elif procedure is not None:
        part = " One part only was left out, because there are many rows." if s.m > _MANY_ROWS else ""
        blocks.append(
            Paragraph(
                f"The shares of wrong rows: the rows were divided {divided}. Columns were chosen on {others}, and "
                f"each row was predicted by the most frequent class among the rows of {others} with the same "
                f"values.{part} So the choice itself is part of the test. The range in brackets is a 95% interval "
                f"(Clopper and Pearson), as if {trials} were independent trials. The column “wrong alone” is measured "
                "on the same rows."
            )
        )
    if {*found.supported.features} != {*s.features} and not found._numeric and not found.in_groups:
        blocks.append(Paragraph(_everything(found)))
    return Section("How to read this", blocks, folded=True)


def _ranking(s: Sample, features: tuple[str, ...]) -> str:
    """Return the sentence on the AUC: how well the columns rank the rows of one of two classes above the other."""
    if len(s.classes) != 2 or 0 in s.cells(()):
        return ""
    value = left_out(s, "auc").value(s.cells(features))
    return (
        f"Of a row of class {s.classes[1]} and one of class {s.classes[0]}, drawn at random, the columns rank the "
        f"first one higher in {percent(value)} of all pairs (the AUC; 50% without columns)."
    )


def _unsettled(supported: SupportedFeatures) -> str:
    """Return the sentence that names the columns on which another seed may decide otherwise."""
    names = ", ".join(
        " with ".join(name for name in supported.sample.features if name in step.added) for step in supported.unsettled
    )
    return (
        f"Another seed may support other columns. Whether {names} counts is decided by "
        f"{supported.unsettled[0].permutations:,} shuffles, and these leave the verdict open."
    )


def _everything(found: SampleReport) -> str:
    s, everything = found.sample, found.everything
    assert everything.permuted is not None
    together = "The column takes" if len(s.features) == 1 else f"All {len(s.features)} columns together take"
    return (
        f"{together} {counted(everything.states, 'combination')} of values, with "
        f"{s.m / everything.states:,.1f} rows each. Predicted by the other rows, "
        f"{percent(everything.left_out)} of the rows are wrong. Looked up in a table that has seen them, only "
        f"{percent(everything.plug_in)} are. If the classes are shuffled at random among the rows, no column predicts "
        f"them, and such a table is wrong for {percent(everything.permuted)}. The difference from the "
        f"{percent(found.path[0].plug_in)} of guessing comes from looking up rows that the table has seen."
    )


def _done(found: SampleReport, note: str) -> list[Block]:
    """Return the blocks for a note. If it lists many bins, the text has only those of the supported features."""
    bins = edges_in_note(note, found.sample.states)
    if len(bins) <= _TOLD:
        return [Paragraph(f"{note[0].upper()}{note[1:]}.")]
    shown = [" ".join(row) for row in bins if row[0] in found.supported.features][:_TOLD]
    few = f", with these upper edges: {'; '.join(shown)}" * bool(shown)
    rest = f"the JSON of the report has {'those of the others' if shown else 'their edges'}"
    table = Table(("column", "upper edges"), bins, folded=f"The upper edges of {counted(len(bins), 'column')}")
    return [Paragraph(f"Bins of {counted(len(bins), 'column')}{few}; {rest}."), page_only(table)]


def _steps(found: SampleReport) -> Section:
    s, names, supported = found.sample, found.sample.features, found.supported
    labels = "numbers" if found._numeric else "classes"
    how = (
        f"Each step adds the column that makes the {supported.criterion} best where each row is predicted by the "
        f"others, or a pair where none helps. Then the {labels} are shuffled among the rows that agree on the columns "
        "so far, again and again. The p-value is the share of these shuffles, and of the rows as they are, in which "
        f"the best addition is as good. A step counts if the p-value is at most its level: {supported.familywise}, or "
        f"{supported.familywise / 2} where pairs can be tried too. If {s.target} does not depend on the columns, "
        f"chance adds any with probability {supported.familywise} at most."
    )
    certain = (
        f"The {labels} are shuffled until it is certain, but for an error of probability 1/1000 at most, whether the "
        "p-value of all possible shuffles is below the level less 1/1000. A p-value between the two does not count. So "
        "another seed gives the same columns, but for twice this error in each step."
    )
    if any(step.is_bound for step in supported.steps):
        certain += " After ≤ stands a proved bound on the p-value of all shuffles, which no seed changes."
    rows: list[tuple[Text, ...]] = []
    any_tied = any(len(step.tied) > 1 for step in supported.steps)
    for step in supported.steps:
        verdict = ("supported" if step.accepted else "not supported") + ", open" * (not step.settled)
        tested = (
            f"{'≤' if step.is_bound else '≈'}{decimal_text(step.p, 2)}"
            if step.permutations or step.is_bound
            else "no gain"
        )
        tied: tuple[Text, ...] = (sets_of(step.tied[1:], names, 4) if len(step.tied) > 1 else "",) * any_tied
        wrong = () if found._numeric else (percent(left_out_risk(s.cells(step.features))),)
        measure = () if supported.criterion == "0-1 loss" else (decimal_text(step.left_out, 4),)
        rows.append((sets_of([step.added], names), *wrong, *measure, tested, verdict, *tied))
    measured = () if supported.criterion == "0-1 loss" else (supported.criterion,)
    head = ("added", *["wrong rows"] * (not found._numeric), *measured, "p-value", "", *["tied with it"] * any_tied)
    tried = supported.pairs_tried or len(names) - len(supported.features) < 2
    pairs = "" if tried else " Pairs of columns are too many to try, or have too many combinations of values."
    blocks: list[Block] = [Paragraph(how), Paragraph(_unsettled(supported) if supported.unsettled else certain)]
    blocks += [Table(head, rows, tuple(range(1, 3 + len(measured) - found._numeric)))] if rows else []
    blocks.append(Paragraph(f"The steps end: {supported.stopped}.{pairs}"))
    return Section("Which columns they support", blocks, folded=True)


def _along(found: SampleReport) -> Section:
    """Return the section on the risks along the path: the plug-in risk falls, the other risks need not."""
    s, names = found.sample, found.sample.features
    meaning = (
        "More columns, more combinations of their values (states), fewer rows in each. A table that names the most "
        "frequent class of each state is wrong for some of the rows that made it: this share is its plug-in risk, "
        "which can only fall. The leave-one-out risk is the share that is wrong where each row is predicted by the "
        "others. With permuted labels, that is classes shuffled among all rows, nothing can be predicted: a small "
        "plug-in risk there only says that the table has seen these rows. Below 5 rows a state, read it as no more."
    )
    rows: list[tuple[Text, ...]] = []
    before = frozenset[str]()
    for row in found.path:
        added = sets_of([frozenset(row.features) - before], names) if row.features else "no features"
        assert row.permuted is not None
        mark = "" if row.states * ROWS_PER_STATE <= s.m else "too few"
        values = (_rounded(value) for value in (row.plug_in, row.left_out, row.permuted))
        rows.append((added, f"{row.states:,}", f"{s.m / row.states:,.1f}", *values, mark))
        before = frozenset(row.features)
    head = ("with also", "states", "samples a state", "plug-in", "leave-one-out", "permuted", "")
    table = Table(head, rows, (1, 2, 3, 4, 5), f"The risks of {counted(len(rows), 'subset')}")
    caption = "The risks as features are added, those supported first. Permuted labels are of the plug-in risk."
    drawn = [Drawing(ALONG, caption, False, NO_PICTURES)] * bool(found.single)
    return Section("How the risk grows too small", [Paragraph(meaning), *drawn, table], folded=True)


def _sizes(found: SampleReport) -> Section:
    names = found.sample.features
    rows: list[tuple[Text, ...]] = []
    for k, (best, (total, carried)) in enumerate(zip(found.by_size, found.looked_at, strict=True)):
        sets = sets_of([row.features for row in best], names, 4)
        count = f"{carried:,} of {total:,}"
        rows.append((str(k), count, _rounded(best[0].left_out), _rounded(best[0].plug_in), sets))
    head = (Styled("k", "i"), "subsets", "least leave-one-out", "plug-in", "attained by")
    meaning = (
        f"Only subsets that leave {ROWS_PER_STATE} samples for each state that occurs are compared. The least of many "
        "estimates is itself too small."
    )
    blocks: list[Block] = [Paragraph(meaning), Table(head, rows, (1, 2, 3))]
    if found.not_listed:
        blocks.append(Paragraph(f"Larger subsets are not listed: {found.not_listed}."))
    return Section("The best subsets of each size", blocks, folded=True)


def _singles(found: SampleReport) -> Section:
    s = found.sample
    listed = sorted(found.single, key=lambda row: row.left_out)
    rows: list[tuple[Text, ...]] = [
        (*row.features, f"{row.states:,}", _rounded(row.left_out), _rounded(row.plug_in)) for row in listed[:_FEATURES]
    ]
    if len(listed) > _FEATURES:
        rows.append((f"⋮ {len(listed) - _FEATURES} more in report.json",))
    if not rows:
        return Section("Single features", [Paragraph(f"{s.target} comes without features.")], folded=True)
    few = f" the {_FEATURES} features of least risk, of {len(listed)}" if len(listed) > _FEATURES else " each feature"
    caption = (
        f"The leave-one-out risk of{few}, and its mutual information with {s.target} in these rows. On average this "
        "information is too large, and more so for features with more states."
    )
    table = Table(("feature", "states", "leave-one-out", "plug-in"), rows, (1, 2, 3), "The risks of single features")
    return Section("Single features", [Drawing(SINGLE, caption, False, NO_PICTURES), table], folded=True)


def _bars(found: SampleReport) -> str:
    listed = sorted(found.single, key=lambda row: row.left_out)[:_FEATURES]
    names = [name for row in listed for name in row.features]
    bits = map(float, pair_informations(found.sample, names, found.sample.target, base=2).values())
    without = "without features", float(found.path[0].left_out)
    panels = {"leave-one-out risk": [float(row.left_out) for row in listed], "information (bits)": [*bits]}
    text = f"Leave-one-out risk and mutual information with the class of {counted(len(names), 'feature')}."
    bold = "supported", found.supported.features
    return draw_bars(names, panels, bold, without, title="Single features", description=text).to_svg()
