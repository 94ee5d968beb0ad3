"""What a distribution turns into: a mass function, Rationals, a DataFrame, JSON, and its own pictures in text."""

from __future__ import annotations

import itertools
import os
from fractions import Fraction
from typing import TYPE_CHECKING

from fstheory._files import written_to
from fstheory.distribution import display, schema
from fstheory.distribution.variables import Label, Variables
from fstheory.distribution.weights import Weights

if TYPE_CHECKING:
    import pandas as pd
    import sympy

__all__ = ["Conversions"]


class Conversions:
    """The conversions of `JointDistribution`, its base class."""

    __slots__ = ()
    _weights: Weights
    _total: int
    _variables: Variables

    def to_pmf(self) -> dict[tuple[Label, ...], Fraction]:
        """Return every cell (x1, .., xn, y), zeros included, with its exact probability.

        Examples
        --------
        >>> from fstheory import JointDistribution
        >>> JointDistribution([[1, 3]]).to_pmf()
        {(0, 0): Fraction(1, 4), (0, 1): Fraction(3, 4)}
        """
        cells = itertools.product(*self._variables.labels)
        return {cell: Fraction(w, self._total) for cell, w in zip(cells, self._weights.ravel().tolist(), strict=True)}

    def to_sympy(self) -> dict[tuple[Label, ...], sympy.Rational]:
        """Return the mass function with SymPy's Rationals.

        Examples
        --------
        >>> from fstheory import JointDistribution
        >>> JointDistribution([[1, 3]]).to_sympy()
        {(0, 0): 1/4, (0, 1): 3/4}
        """
        import sympy

        return {cell: sympy.Rational(p.numerator, p.denominator) for cell, p in self.to_pmf().items()}

    def to_frame(self) -> pd.DataFrame:
        """Return a pandas DataFrame: a column for each variable and ``probability`` (Fractions, object dtype).

        Raises
        ------
        MissingDependencyError
            pandas is not installed.
        InvalidValueError
            A variable is itself named probability.

        Examples
        --------
        >>> from fstheory import JointDistribution
        >>> JointDistribution([[1, 3]]).to_frame()
           X1  Y probability
        0   0  0         1/4
        1   0  1         3/4
        """
        return display.to_frame(self._variables, self.to_pmf())

    def to_json(self, path: str | os.PathLike[str] | None = None) -> str:
        """Return the exact, versioned JSON text of the distribution.

        Parameters
        ----------
        path : str or path-like, optional
            A file that the text is also written to, whole or not at all.

        Raises
        ------
        InvalidTypeError
            A state label is neither a string, an integer, a boolean nor a tuple of these.
        OutputError
            The file cannot be written.

        Examples
        --------
        >>> from fstheory import JointDistribution
        >>> JointDistribution([[1, 3]]).to_json().splitlines()[1].strip()
        '"schema": "fstheory/joint-distribution",'
        """
        return written_to(path, schema.encode(self._variables, self._weights, self._total))

    def __repr__(self) -> str:
        return display.to_repr(type(self).__name__, self._variables, self._weights, self._total)

    def __str__(self) -> str:
        return display.to_text(self._variables, self._weights, self._total)

    def _repr_html_(self) -> str:
        return display.to_html(self._variables, self._weights, self._total)

    def _repr_latex_(self) -> str | None:
        return display.to_latex(self._variables, self._weights, self._total)
