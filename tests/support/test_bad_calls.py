"""What every room refuses by the same checkers."""

import pickle
from collections.abc import Iterator
from fractions import Fraction

from fstheory import errors
from fstheory._support.exact import as_fraction, as_index, as_probability
from fstheory._support.files import as_path
from fstheory.errors import (
    FSTheoryError,
    InvalidTypeError,
    InvalidValueError,
    TooLargeError,
    as_names,
    require_choice,
    require_flag,
)
from tests.refusals import Refusal, refusals

NAMES = {
    f.__name__: f for f in (as_fraction, as_index, as_names, as_path, as_probability, require_choice, require_flag)
}

REFUSED: list[Refusal] = [
    ("as_fraction('3/2', 'p', above=0, below=1)", InvalidValueError, "p", "strictly between 0 and 1, not '3/2'"),
    ("as_fraction(1, 'p', at_least=0, below=1)", InvalidValueError, "p", "at least 0 and below 1"),
    ("as_fraction(0, 'tau', above=0, repair='pass 1')", InvalidValueError, "tau", "above 0"),
    ("as_fraction('1/3', 't', at_most=T)", InvalidValueError, "t", "at most 1/4"),
    ("as_probability(-1, 'noise')", InvalidValueError, "noise", "between 0 and 1"),
    ("as_index(True, 'k')", InvalidTypeError, "k", "an integer"),
    ("as_index(1.0, 'k')", InvalidTypeError, "k", "an integer"),
    ("as_index(0, 'k', at_least=1, at_most=9)", InvalidValueError, "k", "at least 1"),
    ("as_index(10, 'k', at_least=1, at_most=9)", InvalidValueError, "k", "at most 9"),
    ("as_index(10**4000, 'k', at_most=9, error=TooLargeError)", TooLargeError, "k", "at most 9"),
    ("as_names('AB', 'S')", InvalidTypeError, "S", "an iterable of names"),
    ("as_names(3, 'S')", InvalidTypeError, "S", "an iterable of names"),
    ("as_path(3)", InvalidTypeError, "path", "a string or a path"),
    ("as_path('a\\0b')", InvalidValueError, "path", "without null characters"),
    ("as_path('a\\ud800', 'resume')", InvalidValueError, "resume", "a name that the file system can hold"),
    ("require_choice('up', 'by', ['down'])", InvalidValueError, "by", "one of down"),
    ("require_flag(1, 'population')", InvalidTypeError, "population", "True or False"),
]

test_bad_call = refusals(REFUSED, NAMES | {"T": Fraction(1, 4), "TooLargeError": TooLargeError})


def test_an_error_is_also_a_builtin() -> None:
    """Whoever catches ValueError, TypeError or another error of Python catches ours as well."""
    ours = [kind for kind in vars(errors).values() if isinstance(kind, type) and issubclass(kind, FSTheoryError)]
    builtin = (ValueError, TypeError, LookupError, OSError, ImportError, RuntimeError)
    assert [kind for kind in ours if not issubclass(kind, builtin)] == [FSTheoryError]


def test_a_name_is_looked_up_and_not_searched_for() -> None:
    """A network of n variables asks for n names among n."""

    class Names(dict[str, int]):
        def __iter__(self) -> Iterator[str]:
            raise AssertionError("all names were gone through")

    errors.require_known("a", "name", Names(a=1))
    errors.require_known("a", "name", iter("ab"))


def test_a_front_names_the_arguments_in_its_own_words() -> None:
    """The error holds the name of the argument and the arguments that its text advises, also after a pickle."""
    repair = errors.Message("drop it, or pass ", errors.Named("missing", "label"), ", or see ", errors.Named("bins="))
    error = InvalidValueError(errors.explain("na", "a text", 3, repair))
    for found in (error, pickle.loads(pickle.dumps(error))):
        assert (str(found), found.argument) == (
            "na must be a text, not 3; drop it, or pass missing='label', or see bins=",
            "na",
        )
        said = errors.worded(found.message, lambda named: f"<{named.name}|{named.value}>")
        assert said == "<na|None> must be a text, not 3; drop it, or pass <missing|label>, or see <bins=|None>"
    assert (FSTheoryError("plain").argument, errors.worded("plain", str)) == (None, "plain")
    assert not FSTheoryError().message
