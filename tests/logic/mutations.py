"""Random changes to JSON: one small one at a random place, of a kind that a person or a wrong program might make."""

import copy
from collections.abc import Callable, Iterator
from random import Random

from tests.logic.building import Content, Json

Path = tuple[str | int, ...]


def places(value: Json, path: Path = ()) -> Iterator[Path]:
    """Yield the path of every value inside one."""
    yield path
    if isinstance(value, dict | list):
        for key, part in value.items() if isinstance(value, dict) else enumerate(value):
            yield from places(part, (*path, key))


def get(value: Json, path: Path) -> Json:
    for key in path:
        value = value[key]
    return value


def replaced(value: Json, path: Path, new: Json) -> Json:
    """Return a copy with another value at one place."""
    if not path:
        return new
    changed = copy.deepcopy(value)
    get(changed, path[:-1])[path[-1]] = copy.deepcopy(new)
    return changed


def mutated(content: Content, random: Random) -> Content:
    """Return a certificate with one random change; its digest is left as it was."""
    paths = list(places(content))[1:]
    if random.random() < 0.3:  # a value from elsewhere in the same certificate
        path = random.choice(paths)
        return dict(replaced(content, path, get(content, random.choice(paths))))
    if random.random() < 0.2:  # two values of the same list or object change places
        path = random.choice(paths)
        other = random.choice([p for p in paths if p[:-1] == path[:-1]])
        return dict(replaced(replaced(content, path, get(content, other)), other, get(content, path)))
    path = random.choice(paths)
    return dict(replaced(content, path, changed(get(content, path), random)))


def changed(value: Json, random: Random) -> Json:
    """Return something near a value."""
    if isinstance(value, bool) or value is None:
        return random.choice([True, False, None, 0, 1, "null", []])
    if isinstance(value, int | float):
        near = [value + 1, value - 1, -value, 2 * value, value + 0.5]
        return random.choice([*near, str(value), None, bool(value), [value]])
    if isinstance(value, str):
        return random.choice(_TEXTS)(value)
    if isinstance(value, dict):
        return random.choice(_OBJECTS)(copy.deepcopy(value), random)
    return random.choice(_LISTS)(copy.deepcopy(value), random)


_NEW_TEXTS = ["0", "1", "-1", "1/2", "2/4", "<", "<=", "=", "and", "or", "max", "min", "+", "*", "/", "implies", "iff"]
_NEW_TEXTS += ["realized", "refuted", "proved", "total"]
_TEXTS: list[Callable[[str], Json]] = [
    *(form.format for form in ("-{}", "{}/2", "{} ", "2{}", "{}0")),
    lambda text: text[:-1],
    lambda text: [text],
    lambda text: None,
    *((lambda _, new=new: new) for new in _NEW_TEXTS),
]


def _exchanged(values: list[Json], random: Random) -> Json:
    if values:
        i, j = random.choices(range(len(values)), k=2)
        values[i], values[j] = values[j], values[i]
    return values


def _cut(kept: int) -> Callable[[list[Json], Random], Json]:
    """Return what drops an element (`kept` is 1) or doubles it (it is 0)."""

    def cut(values: list[Json], random: Random) -> Json:
        i = random.randrange(len(values)) if values else 0
        return values[: i + 1 - kept] + values[i + kept :]

    return cut


_LISTS: list[Callable[[list[Json], Random], Json]] = [
    _cut(1),
    _cut(0),
    _exchanged,
    _exchanged,
    lambda values, random: random.sample(values, len(values)),
    lambda values, _: values[::-1],
    lambda values, _: [],
    lambda values, _: [values],
    lambda values, _: values[0] if values else 0,
    lambda values, _: values[-1] if values else None,
    lambda values, _: ["not", values],
    lambda values, _: ["+", values],
    lambda values, _: {"tree": values},
    lambda values, _: [*values, values[0] if values else 0],
]


def _without_a_key(value: dict[str, Json], random: Random, more: tuple[str, ...] = ()) -> Json:
    """Return an object without one of its keys, or with another name for it."""
    chosen = random.choice(sorted(value)) if value else ""
    return {name: part for key, part in value.items() for name in ([key] if key != chosen else more)}


_OBJECTS: list[Callable[[dict[str, Json], Random], Json]] = [
    _without_a_key,
    lambda value, random: _without_a_key(value, random, ("another",)),
    lambda value, _: {**value, "more": 1},
    lambda value, _: {},
    lambda value, _: list(value.values()),
    lambda value, random: dict(zip(value, random.sample(list(value.values()), len(value)), strict=True)),
]
