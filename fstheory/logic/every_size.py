"""`EverySize`: all sample spaces with a given number of features, each feature with any number of states."""

from __future__ import annotations

from typing import Any, ClassVar, NoReturn

from fstheory._support.exact import as_index
from fstheory._support.result import ByParts
from fstheory.errors import NotLinearError
from fstheory.lattice.subsets import default_features
from fstheory.logic.statement import Shape

MOST_FEATURES, MOST_CLASSES = 10, 1023  # the checker reads no more


class EverySize(ByParts, Shape):
    """All shapes with `number` features, each feature with any number of states.

    The number of classes is `classes`, or any number if `classes` is None. Use it like a `Shape`, as the subject of a
    `Model`, a statement, a proof or a certificate. A claim about it may mention risks, informations and sets of
    features. A claim that asks about states or classes is refused, because they are not fixed.

    Examples
    --------
    >>> print(EverySize(3))
    3 features of any numbers of states, any number of classes
    """

    __slots__ = ("features", "number")
    __dataclass_fields__: ClassVar[dict[str, Any]] = {}  # hides the fields of Shape, which have no values here
    number: int
    features: tuple[str, ...]  # X1, .., Xn
    _derived = ("features", "classes")

    def __init__(self, number: int, classes: int | None = None) -> None:
        repair = "a proof has 2**features unknowns and more"
        n = as_index(number, "features", at_least=1, at_most=MOST_FEATURES, repair=repair)
        object.__setattr__(self, "number", n)
        object.__setattr__(self, "features", default_features(n))
        if classes is not None:
            repair = "leave them out to prove it for any number"
            classes = as_index(classes, "classes", at_least=1, at_most=MOST_CLASSES, repair=repair)
        object.__setattr__(self, "classes", classes)

    @property
    def _parts(self) -> Any:
        return self.number, self.classes

    @property
    def cardinalities(self) -> NoReturn:
        """The numbers of states. They are not fixed, so asking for them raises a `NotLinearError`."""
        raise asks_about_states()

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), self._parts

    def __repr__(self) -> str:
        return f"{type(self).__name__}({', '.join(map(repr, self._parts))})"

    @property
    def _features_in_words(self) -> str:
        return f"{self.number} feature{'s' * (self.number != 1)}"

    def __str__(self) -> str:
        number = "any number of" if self.classes is None else self.classes
        return f"{self._features_in_words} of any numbers of states, {number} class{'es' * (self.classes != 1)}"


class SeveralNumbers(EverySize):
    """All shapes with one of several numbers of features. `numbers` names them, and `number` is the largest one tried.

    Examples
    --------
    >>> print(SeveralNumbers("any number of", 4, 2))
    any number of features of any numbers of states, 2 classes
    """

    __slots__ = ("numbers",)
    numbers: str
    _derived = ("numbers", "classes")

    def __init__(self, numbers: str, number: int, classes: int | None = None) -> None:
        super().__init__(number, classes)
        object.__setattr__(self, "numbers", numbers)

    @property
    def _parts(self) -> Any:
        return self.numbers, self.number, self.classes

    @property
    def _features_in_words(self) -> str:
        return f"{self.numbers} features"


def asks_about_states(what: str = "states") -> NotLinearError:
    """Return the error for a claim that is meant for every size but asks about states, classes or a shape."""
    return NotLinearError(
        f"it asks about {what}; a claim for every number of states may speak of risks and informations only: "
        "give cardinalities to prove it for one shape, if it is linear there, or else to refute it"
    )
