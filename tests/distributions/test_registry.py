"""The gallery by name."""

import re

import pytest

from fstheory import JointDistribution
from fstheory.distributions import gallery
from fstheory.errors import UnknownNameError


def test_names() -> None:
    names = gallery.names()
    assert len(set(names)) == len(names)
    assert all(name == name.lower() and " " not in name and "_" not in name for name in names)
    assert {"titanic", "monks-1", "monks-2", "monks-3", "led", "led-parity", "asia", "asia-lung", "random"} <= {*names}


@pytest.mark.parametrize("name", gallery.names())
def test_member(name: str) -> None:
    d = gallery.load(name)
    assert isinstance(d, JointDistribution)
    assert d == gallery.load(name)
    assert JointDistribution.from_json(d.to_json()) == d
    assert re.fullmatch(r".{,99}\)", gallery.describe(name))
    if name.startswith("asia"):
        assert d.target == (name.removeprefix("asia-") if name != "asia" else "dysp")


def test_variants() -> None:
    assert gallery.load("monks-2") == gallery.monks(2)
    assert gallery.load("led-parity") == gallery.led(target="parity")
    assert gallery.load("parity-3") == gallery.parity(3, noise="1/10")
    assert gallery.load("asia-lung") == gallery.asia("lung")
    assert gallery.load("random") == gallery.random(rng=1)


@pytest.mark.parametrize("name", ["titanik", "", 3, ["titanic"], None])
@pytest.mark.parametrize("ask", [gallery.load, gallery.describe])
def test_unknown_name_lists_all(ask: object, name: object) -> None:
    with pytest.raises(UnknownNameError) as caught:
        ask(name)  # type: ignore[operator]
    message = str(caught.value)
    assert message.startswith(f"gallery name {name!r} does not exist; use one of: titanic, berkeley, ")
    assert all(known in message for known in gallery.names())
