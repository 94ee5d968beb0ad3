"""Random changes to JSON: one small one at a random place, of a kind that a person or a wrong program might make."""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterator
from random import Random

from tests.checker.building import Content, Json

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
    if isinstance(value, int):
        return random.choice(
            [value + 1, value - 1, -value, 2 * value, str(value), value + 0.5, None, bool(value), [value]]
        )
    if isinstance(value, str):
        return random.choice(_TEXTS)(value)
    if isinstance(value, dict):
        return random.choice(_OBJECTS)(copy.deepcopy(value), random)
    return random.choice(_LISTS)(copy.deepcopy(value), random)


_TEXTS: list[Callable[[str], Json]] = [
    lambda text: f"-{text}",
    lambda text: f"{text}/2",
    lambda text: f"{text} ",
    lambda text: f"2{text}",
    lambda text: f"{text}0",
    lambda text: text[:-1],
    lambda text: [text],
    lambda text: None,
    lambda _: "0",
    lambda _: "1",
    lambda _: "-1",
    lambda _: "1/2",
    lambda _: "2/4",
    lambda _: "<",
    lambda _: "<=",
    lambda _: "=",
    lambda _: "and",
    lambda _: "or",
    lambda _: "max",
    lambda _: "min",
    lambda _: "+",
    lambda _: "*",
    lambda _: "/",
    lambda _: "implies",
    lambda _: "iff",
    lambda _: "realized",
    lambda _: "refuted",
    lambda _: "proved",
    lambda _: "total",
]


def _any_of(values: list[Json], random: Random) -> int:
    return random.randrange(len(values)) if values else 0


def _dropped(values: list[Json], random: Random) -> Json:
    i = _any_of(values, random)
    return values[:i] + values[i + 1 :]


def _doubled(values: list[Json], random: Random) -> Json:
    i = _any_of(values, random)
    return values[: i + 1] + values[i:]


def _exchanged(values: list[Json], random: Random) -> Json:
    if values:
        i, j = _any_of(values, random), _any_of(values, random)
        values[i], values[j] = values[j], values[i]
    return values


def _shuffled(values: list[Json], random: Random) -> Json:
    random.shuffle(values)
    return values


_LISTS: list[Callable[[list[Json], Random], Json]] = [
    _dropped,
    _doubled,
    _exchanged,
    _exchanged,
    _shuffled,
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


def _without_a_key(value: dict[str, Json], random: Random) -> Json:
    chosen = random.choice(sorted(value)) if value else ""
    return {key: part for key, part in value.items() if key != chosen}


def _renamed_key(value: dict[str, Json], random: Random) -> Json:
    chosen = random.choice(sorted(value)) if value else ""
    return {(f"{key}s" if key == chosen else key): part for key, part in value.items()}


_OBJECTS: list[Callable[[dict[str, Json], Random], Json]] = [
    _without_a_key,
    _renamed_key,
    lambda value, _: {**value, "more": 1},
    lambda value, _: {},
    lambda value, _: list(value.values()),
    lambda value, random: dict(zip(value, random.sample(list(value.values()), len(value)), strict=True)),
]
