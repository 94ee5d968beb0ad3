"""Feature subsets: names for users, bitmasks inside the library.

Bit i of a mask says whether the feature with index i belongs to the subset; the empty subset is 0
and the full one is ``2**n - 1``. Every array indexed by subsets is indexed by mask. Subsets are
listed by size and, within a size, in the lexicographic order of their feature indices.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Sequence
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from fstheory import errors
from fstheory._support.exact import as_index
from fstheory._support.memory import require_cells
from fstheory._support.result import first_of
from fstheory.errors import explain, require

Subset: TypeAlias = "Iterable[str]"
"""A feature subset as an argument: an iterable of feature names, or the name of one feature."""

Masks: TypeAlias = "npt.NDArray[np.int64]"

_CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff]")
# Invisible characters that change the text around them: marks of direction, line separators, blanks without width.
_UNSEEN = re.compile(_CONTROL.pattern[:-1] + "\u00ad\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff]")
_SUBSCRIPTED = re.compile(r"[A-Za-z][0-9]+")
_PLAIN = re.compile(r"""[^\s,{}"](?:[^,{}"\n\r]*[^\s,{}"])?""")
_QUOTED = r'"(?:[^"\\]|\\.)*"'
_ENTRY = re.compile(rf"\s*({_QUOTED}|[^,\"]*?)\s*(,|\Z)", re.DOTALL)


def default_features(n: int) -> tuple[str, ...]:
    """Return the default names of n features: X1, .., Xn."""
    return tuple(f"X{i + 1}" for i in range(n))


def escape(text: str) -> str:
    r"""Return the text with control characters and invisible characters escaped as ``\uXXXX``."""
    return _UNSEEN.sub(lambda found: f"\\u{ord(found[0]):04x}", text)


def require_text(text: str, argument: str) -> None:
    r"""Refuse a text with control characters or surrogates, which pages, drawings and terminals do not show."""
    found = _CONTROL.search(text.replace("\r", ""))
    if found:
        requirement = "without control characters" if found[0] < "\ud800" else "text that UTF-8 can hold"
        raise errors.InvalidValueError(explain(argument, requirement, text, f"drop {found[0]!r}"))


def feature_names(features: Iterable[str], argument: str = "features") -> tuple[str, ...]:
    """Return feature names as a tuple. Refuse a set, a repeated name, and a name that is no text."""
    if isinstance(features, set | frozenset):
        raise errors.InvalidTypeError(explain(argument, "names in order", features, "pass a list of strings"))
    names = errors.as_names(features, argument, "pass a list of strings")
    seen: set[str] = set()
    for name in names:
        errors.require_type(name, str, argument, "named by strings", "use a string")
        errors.require(name.strip(), argument, "named by non-empty strings", name, "give each a name")
        errors.require(name not in seen, argument, "distinct names", name, "rename one of them")
        require_text(name, f"a name in {argument}")
        seen.add(name)
    return tuple(str(name) for name in names)


def listed_names(subset: object, argument: str) -> Sequence[str] | frozenset[str]:
    """Return the names in a subset as a tuple or frozenset. A string is one name."""
    if isinstance(subset, str):
        return (subset,)
    if not isinstance(subset, Iterable):
        repair = "pass a name or a set of names such as {'X1'}"
        raise errors.InvalidTypeError(
            explain(argument, "a feature name or an iterable of feature names", subset, repair)
        )
    return frozenset(subset) if isinstance(subset, set | frozenset) else tuple(subset)


def mask_of(subset: Subset, features: Sequence[str], argument: str = "subset", *, kind: str = "feature") -> int:
    """Return the bitmask of a subset given by names. Errors call a name a `kind`."""
    mask = 0
    for name in listed_names(subset, argument):
        try:
            bit = 1 << features.index(name)
        except ValueError:
            if not isinstance(subset, str):
                raise errors.unknown(kind, name, features) from None
            example = "{" + ", ".join(map(repr, features[:2])) + "}"
            raise errors.UnknownNameError(
                f"{errors.unknown(f'{argument}: {kind}', name, features)}; a string is the name of one {kind}, "
                f"several are written as a set such as {example}"
            ) from None
        if mask & bit:
            raise errors.InvalidValueError(explain(argument, "made of distinct names", name, f"name each {kind} once"))
        mask |= bit
    return mask


def names_of(mask: int, features: Sequence[str]) -> frozenset[str]:
    """Return the subset with this mask, as a frozenset of names."""
    return frozenset(ordered_names(mask, features))


def ordered_names(mask: int, features: Sequence[str]) -> tuple[str, ...]:
    """Return the subset with this mask, as a tuple of names in the order of the features."""
    return tuple(features[i] for i in indices_of(mask))


def indices_of(mask: int) -> tuple[int, ...]:
    """Return the feature indices in a mask, ascending."""
    indices = []
    while mask:  # one step for each feature in the mask: with thousands of columns, a mask holds few
        lowest = mask & -mask
        indices.append(lowest.bit_length() - 1)
        mask ^= lowest
    return tuple(indices)


def is_subset(inner: int, outer: int) -> bool:
    """Return whether the subset with mask `inner` is contained in the subset with mask `outer`."""
    return inner & ~outer == 0


def covers(mask: int, n: int) -> Iterator[int]:
    """Yield the masks that have exactly one feature more than `mask`, in the order of that feature."""
    return (mask | 1 << i for i in range(n) if not mask >> i & 1)


def sizes(masks: Masks) -> Masks:
    """Return the number of features of every mask."""
    return np.bitwise_count(masks).astype(np.int64)


def masks_by_size(n: int) -> Masks:
    """Return all 2**n masks over n features, ordered by size and lexicographically within a size."""
    require_cells((2,) * n, "the table of all subsets", "take fewer features", 32)
    return size_order(np.arange(2**n, dtype=np.int64), n)  # here every mask equals its index


def size_order(masks: Masks, n: int, *ranks: Masks) -> Masks:
    """Return the indices that sort `masks` by rank if ranks are given, then by size, then lexicographically."""
    descending = np.zeros_like(masks)  # feature 0 as the highest bit, negated
    for i in range(n):
        descending -= (masks >> i & 1) << (n - 1 - i)
    return np.lexsort((descending, sizes(masks), *ranks)).astype(np.int64)


def minimal_masks(masks: Masks) -> Masks:
    """Return the minimal masks of a family: those that contain no other mask of the family.

    Smaller sizes come first.
    """
    remaining = masks[np.argsort(sizes(masks), kind="stable")]
    minimal = []
    while len(remaining):
        minimal.append(remaining[0])
        remaining = remaining[remaining & remaining[0] != remaining[0]]
    return np.array(minimal, dtype=np.int64)


def format_subset(mask: int, features: Sequence[str]) -> str:
    """Return the text of a subset: ``X1X3`` if every feature name is a letter with a number, else ``{sex, age}``.

    Different subsets have different texts. A name that contains a comma, a brace, a quote, a line break or outer spaces
    is quoted as in JSON. `parse_subset` reads every text back.
    """
    names = ordered_names(mask, features)
    if names and all(_SUBSCRIPTED.fullmatch(name) for name in features):
        return "".join(names)
    quoted = (name if _PLAIN.fullmatch(name) else json.dumps(name, ensure_ascii=False) for name in names)
    return "{" + ", ".join(quoted) + "}"


def subset_text(subset: Subset, features: Sequence[str]) -> str:
    """Return the text of a subset given by names, as `format_subset` writes it."""
    return format_subset(mask_of(subset, features), features)


def parse_subset(text: str, features: Sequence[str], argument: str = "subset") -> int:
    """Return the mask of a subset from a text that `format_subset` writes, or from ``sex,age`` or ``sex``."""
    body = errors.require_type(text, str, argument, "a text", "write '{A, B}'").strip()
    if body in features and not body.startswith("{"):
        return 1 << features.index(body)
    if body in {"{}", "∅", ""}:
        return 0
    names = _entries(body[1:-1] if body.startswith("{") and body.endswith("}") else body)
    if len(names) == 1 and names[0] not in features:
        names = _juxtaposed(names[0], features)
    for i, name in enumerate(names):
        if name not in features or name in names[:i]:
            needed = f"made of distinct names among {first_of(features, errors.show, 12)}"
            raise errors.InvalidFormatError(explain(argument, needed, text, "write {A, B}"))
    return mask_of(names, features, argument)


def _entries(text: str) -> list[str]:
    """Split a text at commas outside quotes, and remove the quotes."""
    found, position = [], 0
    while match := _ENTRY.match(text, position):
        entry, comma = match.groups()
        try:
            found.append(json.loads(entry, strict=False) if entry.startswith('"') else entry)
        except ValueError:
            return [text]
        if not comma:
            return found
        position = match.end()
    return [text]


def _juxtaposed(text: str, features: Sequence[str]) -> list[str]:
    """Split a text such as ``X1X12`` into names. Return the whole text if there is no split or more than one."""
    splits: list[list[list[str]]] = [[[]]]  # of each prefix, two at most
    for end in range(1, len(text) + 1):
        ways = [
            [*before, name]
            for name in features
            if name and text.endswith(name, 0, end)
            for before in splits[end - len(name)]
            if name not in before
        ]
        splits.append(ways[:2])
    return splits[-1][0] if len(splits[-1]) == 1 else [text]


def checked_size(k: int, n: int) -> int:
    """Return the number of features to choose. Raise an error unless it is from 0 to the number of all features."""
    size = as_index(k, "k")
    require(size <= n, "k", f"between 0 and {n}, the number of features", k, "pass a smaller k")
    return size
