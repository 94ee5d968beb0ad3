"""The lattice to be touched as a widget in Jupyter: what is typed there, the kernel computes with."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from typing import Any

import numpy as np

from fstheory._optional import require
from fstheory.distribution import JointDistribution
from fstheory.errors import FSTheoryError
from fstheory.explorer.page import explorer_data, front_end, read
from fstheory.families import Family

__all__ = ["lattice_widget"]


@functools.cache
def _widget_class() -> Any:
    """Return the class of the widget, made when it is first asked for: its base stands in an optional library."""
    anywidget = require("anywidget", "widget", "the lattice as a widget")
    import traitlets

    class LatticeWidget(anywidget.AnyWidget):  # type: ignore[misc,name-defined]
        """A distribution whose lattice is shown; `distribution` is the one with the weights typed last."""

        _esm = front_end()
        _css = read("lattice.css")
        data = traitlets.Dict().tag(sync=True)
        family = traitlets.Dict(allow_none=True).tag(sync=True)
        weights: Any = traitlets.List().tag(sync=True)

        def __init__(self, d: JointDistribution | Family, title: str) -> None:
            data = explorer_data(d, title=title, level=3, claims=False)
            self.source, self.title = (d.at(d.start) if isinstance(d, Family) else d), title
            super().__init__(data={**data, "family": None}, family=data["family"], weights=[])

        @property
        def distribution(self) -> JointDistribution:
            """The distribution with the weights that are shown."""
            return self._with(self.data["weights"])

        def _with(self, weights: Sequence[str]) -> JointDistribution:
            """Return the distribution with other weights."""
            base = self.source
            table = np.array([int(weight) for weight in weights], dtype=object).reshape(base.weights.shape)
            return JointDistribution(table, features=base.features, target=base.target, states=base.states)

        @traitlets.observe("weights")
        def _compute(self, change: Any) -> None:
            """Recompute everything for weights that were typed; what is no distribution changes nothing."""
            weights = list(change["new"])
            if not weights or weights == self.data["weights"]:
                return
            try:
                data = explorer_data(self._with(weights), title=self.title, level=3, claims=False)
            except (FSTheoryError, ValueError):
                return
            self.data = {**data, "weights": weights}  # as they were typed, not reduced

    return LatticeWidget


def lattice_widget(d: JointDistribution | Family, *, title: str = "") -> Any:
    """Return the lattice of a distribution or a family as a widget for Jupyter.

    Parameters
    ----------
    d : JointDistribution or Family
        Of at most 7 features and 4,096 cells.
    title : str

    Returns
    -------
    anywidget.AnyWidget
        With the attribute `distribution`, which follows what is typed in the front end.

    Raises
    ------
    InvalidTypeError, TooLargeError
        As in `explorer_data`.

    Examples
    --------
    >>> import fstheory as fs
    >>> widget = fs.explorer.lattice_widget(fs.gallery.xor())
    >>> widget.weights = ["1", "0", "0", "1", "0", "1", "1", "2"]
    >>> widget.distribution.total, widget.data["criteria"][0]["exact"][3]
    (6, '1/6')
    """
    return _widget_class()(d, title)
