"""One answer for each column of a sample: needed, replaceable, only together, no evidence, or not judged."""

from __future__ import annotations

import shlex
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal, TypeAlias, get_args

from fstheory._support.exact import decimal_text
from fstheory._support.result import Result, Table, Text, first_of
from fstheory.distributions.prepare import columns_read, groups_in_note, source_of
from fstheory.distributions.rows import Sample
from fstheory.samples.estimates import ProcedureRisk
from fstheory.samples.fitting import SupportedFeatures
from fstheory.samples.relevance import ColumnRelevance, RelevantFeatures

Answer: TypeAlias = Literal[
    "kept", "needed", "replaceable", "of whole groups", "only together", "no evidence", "not judged"
]
TELLING = ("needed", "replaceable", "of whole groups", "only together")
_ORDER: tuple[Answer, ...] = get_args(Answer)
_BAR = 6  # the most blocks of a bar
_TOGETHER = 24  # columns in one table
_NEARLY = 20  # a column that makes at most this part of the errors of guessing nearly decides the class
_LETTERS = 28  # of the columns that are named beside a column; at least one is named


@dataclass(frozen=True, repr=False)
class ColumnAnswer(Result):
    """What a sample says of one column.

    Attributes
    ----------
    feature : str
    answer : str
        'kept': the design keeps it always. 'needed': it belongs to the small set that the sample supports.
        'replaceable': it tells something alone, and this set already says it. 'of whole groups': it is constant in each
        group and tells something alone, while the small set is sought inside the groups. 'only together': it tells
        something beside other columns only. 'no evidence': no test shows that it tells anything. 'not judged': no test
        can show anything.
    alone : Fraction
        The share of wrong rows if each row is predicted from this column alone, by rows of other folds. If the target
        is predicted as a number, it is the mean squared error.
    p : Fraction or None
        The p-value of the column alone, adjusted for all tests. None if the column was not judged.
    columns : tuple of str
        The columns that replace this one, or those beside which it tells something.
    reason : str
        Why the column was not judged. Else it is empty.
    """

    feature: str
    answer: Answer
    alone: Fraction
    p: Fraction | None
    columns: tuple[str, ...]
    reason: str


def column_answers(
    relevant: RelevantFeatures, supported: SupportedFeatures, alone: Mapping[str, Fraction], constant: Collection[str]
) -> tuple[ColumnAnswer, ...]:
    """Return the answer for each column: first by the word, then from the least share of wrong rows alone.

    `constant` has the columns that are constant in each group, if the small set is sought inside the groups.
    """
    given: dict[str, Answer] = dict.fromkeys(relevant.design.always, "kept")
    telling = [column.feature for column in relevant.columns if column.alone]
    given |= dict.fromkeys([name for name in telling if name in constant], "of whole groups")
    found = [
        _answer(column, supported, alone[column.feature], given.get(column.feature)) for column in relevant.columns
    ]
    return tuple(sorted(found, key=lambda column: (_ORDER.index(column.answer), column.alone)))


def _answer(
    column: ColumnRelevance, supported: SupportedFeatures, alone: Fraction, given: Answer | None
) -> ColumnAnswer:
    """Return the answer for one column, unless it is given."""
    answer: Answer
    columns: tuple[str, ...] = ()
    if given is not None:
        answer = given
    elif column.feature in supported.features:
        answer = "needed"
    elif column.alone:
        answer = "replaceable"
        needed = tuple(name for name in column.replaced_by if name in supported.features)
        columns = needed or column.replaced_by
    elif column.beside:
        answer, columns = "only together", column.beside
    else:
        answer = "not judged" if column.not_judged else "no evidence"
    return ColumnAnswer(column.feature, answer, alone, column.p, columns, column.not_judged)


def column_tables(answers: tuple[ColumnAnswer, ...], guess: Fraction, *, numeric: bool) -> Iterator[Table]:
    """Yield the table of all columns. If they are many, those without evidence have a folded table of their own.

    `guess` is the error without columns. If the target is `numeric`, the table has the share of the variation that each
    column explains.
    """
    last = ("no evidence",) if len(answers) > _TOGETHER else ()
    first, rest = ([row for row in answers if (row.answer in last) == is_last] for is_last in (False, True))
    yield from (_table(part, guess, numeric) for part in (first, rest) if part)


def _table(answers: Sequence[ColumnAnswer], guess: Fraction, numeric: bool) -> Table:
    """Return a table of columns. A bar shows the share of the wrong guesses that a column alone avoids."""
    rows: list[tuple[Text, ...]] = []
    any_needed = any(row.answer == "needed" for row in answers)
    for row in answers:
        p = "" if row.p is None else decimal_text(row.p, 1)
        avoided = max(guess - row.alone, Fraction(0)) / guess if guess and row.p is not None else Fraction(0)
        alone = "" if row.p is None else f"{100 * float(avoided if numeric else row.alone):.1f}%"
        rows.append((row.feature, _verdict(row, any_needed), alone, "█" * round(_BAR * avoided), p))
    folded = ""
    if answers[0].answer == answers[-1].answer == "no evidence":
        folded = f"{len(rows)} columns without evidence: {first_of([row.feature for row in answers])}"
    return Table(("column", "answer", "R² alone" if numeric else "wrong alone", "", "p"), rows, (2, 4), folded)


def _verdict(row: ColumnAnswer, any_needed: bool) -> str:
    """Return the answer for a column, and which columns replace it or join it, or why it is not judged."""
    shown = max(1, sum(len(", ".join(row.columns[:k])) <= _LETTERS for k in range(1, len(row.columns) + 1)))
    names = first_of(row.columns, most=shown)
    if row.answer == "replaceable":
        return f"replaceable by {names or 'all needed'}" if names or any_needed else "tells something alone"
    if row.answer == "only together":
        return f"only together with {names}"
    return f"not judged: {row.reason}" if row.answer == "not judged" else row.answer


def percent(risk: Fraction) -> str:
    """Return a share of the rows as a percentage with one decimal, or with two if it is small."""
    return f"{100 * float(risk):.{1 if not risk or risk >= Fraction(1, 100) else 2}f}%"


def questions(
    s: Sample, answers: Sequence[ColumnAnswer], procedure: ProcedureRisk | None, *, numeric: bool
) -> Iterator[tuple[str, str, str]]:
    """Yield the questions of a report, each with the option and the column that are right if the answer is yes.

    A column may name groups of rows, or avoid alone nearly all errors of guessing.
    """
    for note in s.notes:
        if (name := groups_in_note(note, s.features)) is not None:
            yield f"{note}.", "--groups", name
    if procedure is None or not procedure.wrong_guesses:
        return
    telling = {column.feature for column in answers if column.answer in TELLING}
    for name, wrong in procedure.wrong_alone:
        if name in telling and _NEARLY * wrong <= procedure.wrong_guesses:
            told = "explains" if numeric else "decides"
            avoided = percent(1 - wrong / (procedure.wrong_guesses if numeric else procedure.tested))
            of = f"of the variation of {s.target}" if numeric else f"of the rows: {s.target} follows from it"
            source = source_of(name, columns_read(s.features, s.notes))
            text = (
                f"{name} alone {told} {avoided} {of}. Is {name} known before {s.target}? If it is a result of "
                f"{s.target}, or another name of it, leave it out: leave_out=[{source!r}] (--leave-out "
                f"{shlex.quote(source)})."
            )
            yield text, "--leave-out", source
