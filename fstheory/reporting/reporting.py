"""`report`: everything about one distribution, and the forms it can be had in."""

from __future__ import annotations

import os
import secrets
import shutil
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from types import MappingProxyType

from fstheory._files import written_to
from fstheory._memory import enough_memory
from fstheory.bayes import bayes_risks
from fstheory.distribution import JointDistribution, require_distribution
from fstheory.errors import InvalidTypeError, OutputError, explain
from fstheory.reporting.document import render_json
from fstheory.reporting.facts import Facts, compare_criteria
from fstheory.reporting.page import BY_RISK, BY_SIZE, draw_pictures, render_html
from fstheory.reporting.text import render_text
from fstheory.selection import markov_blankets, minimal_optimal, relevance
from fstheory.subsets import require_text

__all__ = ["Report", "report", "write_folder"]


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


@dataclass(frozen=True, repr=False)
class Report(Facts):
    """The answers on one distribution.

    Attributes
    ----------
    name : str
        What to call the distribution.
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
    disagreements : tuple of Disagreement
        Where one of them chooses a subset that is not of least Bayes risk among those of its size.
    positive, unique_maximum : AssumptionCheck
        The two assumptions, each with a state where it fails.
    guaranteed : bool
        Whether both hold, so that the theorems promise a single solution.
    is_unique : bool
        Whether there is one solution only.
    agree : bool
        Whether there is one solution and every method returns it.

    Examples
    --------
    >>> from fstheory import gallery
    >>> found = report(gallery.copies(), name="copies")
    >>> [sorted(solution) for solution in found.solutions], found.is_unique, found.agree
    ([['X1'], ['X2']], False, False)
    """

    @cached_property
    def pictures(self) -> Mapping[str, str]:
        """The drawings as SVG, by the names of their files; none without matplotlib or beyond 7 features."""
        return MappingProxyType(draw_pictures(self))

    def summary(self) -> str:
        """Return the report as text for a terminal, no line longer than 100 characters if names and numbers allow.

        Examples
        --------
        >>> from fstheory import gallery
        >>> print(report(gallery.xor(), name="xor").summary().partition("Bayes risks")[0].rstrip())
        xor
        ===
        2 features: X1 (2), X2 (2); target Y (2 classes); total weight 4
        <BLANKLINE>
        Assumptions
          holds  p(x) > 0 for every x
          holds  p(Y|x) has a single maximum for every x with p(x) > 0
        <BLANKLINE>
        Minimal-optimal subset
          S* = X1X2, Bayes risk 0; without features 1/2 = 0.5
          Both assumptions hold, so this is the only solution, and every method finds it (Theorems 4 to 7).
          backward search (Table 1)  X1X2  the solution
          one-shot (Table 2)         X1X2  the solution
          resampling (Thm. 7)        X1X2  the solution
          Tests of backward search:
            X1  R = 1/2 without it, above 0  kept
            X2  R = 1/2 without it, above 0  kept
        """
        return render_text(self)

    def __str__(self) -> str:
        return self.summary()

    def to_json(self, path: str | os.PathLike[str] | None = None) -> str:
        """Return the report as versioned JSON with exact numbers as "p/q" strings.

        Beyond 4096 subsets it holds the first in the order of the risks, and says so; and the distribution itself
        up to 65536 cells.

        Parameters
        ----------
        path : str or path-like, optional
            A file that the text is also written to, whole or not at all.

        Raises
        ------
        InvalidTypeError
            A state label is neither a string, an integer, a boolean nor a tuple of these.

        Examples
        --------
        >>> import json
        >>> from fstheory import gallery
        >>> json.loads(report(gallery.xor()).to_json())["minimal_optimal"]["solutions"]
        [['X1', 'X2']]
        """
        return written_to(path, render_json(self))

    def to_html(self) -> str:
        """Return the report as one page that needs nothing else: drawings, style and all.

        Examples
        --------
        >>> from fstheory import gallery
        >>> report(gallery.xor(), name="xor").to_html().splitlines()[0]
        '<!DOCTYPE html>'
        """
        return render_html(self, self.pictures)

    def write(self, folder: str | os.PathLike[str]) -> tuple[Path, ...]:
        """Write report.html, report.json and the drawings into a folder, all of them or none.

        Parameters
        ----------
        folder : str or path-like
            Made if it does not exist; its parent must. Drawings of an earlier report are replaced or, if this one
            has none, taken away; other files are not touched.

        Returns
        -------
        tuple of Path
            The files written.

        Raises
        ------
        OutputError
            Something cannot be written; what stood there is untouched.
        InvalidTypeError
            As `to_json`.

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


def report(d: JointDistribution, *, name: str = "distribution") -> Report:
    """Answer all questions about one distribution.

    Parameters
    ----------
    d : JointDistribution
    name : str
        What to call it.

    Returns
    -------
    Report
        With the answers as attributes, and `summary`, `to_json`, `to_html` and `write`.

    Raises
    ------
    TooLargeError
        The 2**n risks do not fit in memory.
    InvalidTypeError
        `d` is no distribution, or `name` no string.
    InvalidValueError
        `name` has control characters.

    Notes
    -----
    Complexity: n sweeps over all subsets, each of 3**n cells for binary features; the drawings, up to 7
    features, are made when they are asked for.

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
    require_distribution(d)
    if not isinstance(name, str):
        raise InvalidTypeError(explain("name", "a string", name, "pass a title"))
    require_text(name, "name")
    with enough_memory("the answers on all subsets", "take the marginal of fewer features"):
        risks = bayes_risks(d)
        return Report(
            name=name,
            distribution=d,
            risks=risks,
            optima=tuple(risks.best_of_size(k) for k in range(len(d.features) + 1)),
            solutions=risks.minimal_sets(),
            backward=minimal_optimal(d, "backward"),
            one_shot=minimal_optimal(d, "one-shot"),
            resampling=minimal_optimal(d, "resampling"),
            relevance=relevance(d),
            blankets=markov_blankets(d),
            criteria=compare_criteria(d, risks),
        )
