"""Certificates changed at random places, as a person or a wrong program might change them."""

import copy
from collections.abc import Iterator, Mapping, Sequence
from random import Random
from typing import Any, TypeAlias

from fstheory.checker.certificates import check_certificate
from fstheory.errors import CertificateError
from tests.logic.building import Content, Json, signed

Path: TypeAlias = tuple[str | int, ...]


def get(value: Json, path: Path) -> Json:
    for key in path:
        value = value[key]
    return value


def replaced(content: Content, path: Path, new: Json) -> Content:
    changed = copy.deepcopy(content)
    get(changed, path[:-1])[path[-1]] = copy.deepcopy(new)
    return changed


def places(value: Json, path: Path = ()) -> Iterator[Path]:
    """Yield the path of every value inside one."""
    yield path
    if isinstance(value, dict | list):
        for key, part in value.items() if isinstance(value, dict) else enumerate(value):
            yield from places(part, (*path, key))


def mutated(content: Content, rng: Random) -> Content:
    """Return a certificate with one random change; its digest is left as it was."""
    paths = list(places(content))[1:]
    path = rng.choice(paths)
    kind = rng.random()
    if kind < 0.3:  # a value from elsewhere in the same certificate
        return replaced(content, path, get(content, rng.choice(paths)))
    if kind < 0.45:  # two values of the same list or object change places
        other = rng.choice([p for p in paths if p[:-1] == path[:-1]])
        return replaced(replaced(content, path, get(content, other)), other, get(content, path))
    return replaced(content, path, altered(get(content, path), rng))


TEXTS = ["0", "1", "-1", "1/2", "2/4", "<", "<=", "=", "and", "or", "max", "min", "+", "*", "/", "implies", "iff"]
TEXTS += ["realized", "refuted", "proved", "total"]


def altered(value: Json, rng: Random) -> Json:
    if isinstance(value, bool) or value is None:
        return rng.choice([True, False, None, 0, 1, "null", []])
    if isinstance(value, int | float):
        near: list[Json] = [value + 1, value - 1, -value, 2 * value, value + 0.5]
        return rng.choice([*near, str(value), None, bool(value), [value]])
    if isinstance(value, str):
        near = [f"-{value}", f"{value}/2", f"{value} ", f"2{value}", f"{value}0", value[:-1], [value], None]
        return rng.choice([*near, *TEXTS])
    if isinstance(value, dict):
        chosen, parts = rng.choice(sorted(value) or [""]), list(value.values())
        rest = {key: part for key, part in value.items() if key != chosen}
        near = [rest, {**rest, "another": value.get(chosen)}, {**value, "more": 1}, {}, parts]
        return rng.choice([*near, dict(zip(value, rng.sample(parts, len(parts)), strict=True))])
    i = rng.randrange(len(value)) if value else 0
    without, twice, shuffled = value[:i] + value[i + 1 :], value[: i + 1] + value[i:], rng.sample(value, len(value))
    near = [without, twice, shuffled, value[::-1], [], [value], value[0] if value else 0, ["not", value], ["+", value]]
    return rng.choice([*near, {"tree": value}])


def is_accepted(content: Content) -> bool:
    try:
        return bool(check_certificate(content))
    except CertificateError:
        return False


def accepted_changes(certificates: Sequence[Mapping[str, Any]], count: int, seed: int = 1) -> Iterator[Content]:
    """Change some of the certificates, each with a digest made anew, and yield those that are accepted all the same."""
    rng = Random(seed)
    for _ in range(count):
        content = signed(mutated(dict(rng.choice(certificates)), rng))
        if is_accepted(content):
            yield content
