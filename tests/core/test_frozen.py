"""Values behave as frozen dataclasses with slots do."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Mapping
from dataclasses import FrozenInstanceError, asdict, dataclass, field, fields, is_dataclass, replace
from typing import Any, ClassVar, Generic, TypeVar

import pytest

from mooring.core.frozen import frozen

T = TypeVar("T")


@frozen
class Ship:
    """One that sails."""

    name: str
    masts: int = 3
    cargo: Mapping[str, int] = field(default_factory=dict[str, int])
    key: str = field(default="", repr=False)
    note: str = field(default="", compare=False)

    @property
    def is_large(self) -> bool:
        return self.masts > 2


@frozen(kw_only=True)
class Vessel:
    name: str
    crew: int = 1


@frozen(kw_only=True)
class Ferry(Vessel):
    port: str
    crew: int = 5


@frozen
class Crate(Generic[T]):
    inside: T
    size: int = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "size", 7)


@frozen
class Parsed:
    kind: ClassVar[str] = "a kind"
    words: tuple[str, ...]

    def __init__(self, text: str) -> None:
        object.__setattr__(self, "words", tuple(text.split()))


@frozen
class Nothing:
    pass


@dataclass(frozen=True, slots=True)
class Twin:
    name: str
    masts: int = 3


def test_it_is_made_as_its_fields_say() -> None:
    ship = Ship("Ada", cargo={"tea": 2})
    assert (ship.name, ship.masts, ship.cargo, ship.is_large) == ("Ada", 3, {"tea": 2}, True)
    assert Ship("a").cargo == {}
    assert Ship("a").cargo is not Ship("a").cargo
    assert (Ferry(name="x", port="y").crew, Vessel(name="x").crew) == (5, 1)
    assert Crate("tea").size == 7
    assert (Parsed("set the sails").words, Parsed.kind, Parsed("").kind) == (
        ("set", "the", "sails"),
        "a kind",
        "a kind",
    )
    assert isinstance(Ferry(name="x", port="y"), Vessel)
    with pytest.raises(TypeError):
        Ferry("x", "y")  # type: ignore[misc]
    with pytest.raises(TypeError):
        Ship()  # type: ignore[call-arg]


def test_nothing_of_it_can_be_changed() -> None:
    for change in (lambda it: setattr(it, "name", "b"), lambda it: delattr(it, "name")):
        with pytest.raises(FrozenInstanceError):
            change(Ship("a"))
    with pytest.raises(FrozenInstanceError):
        setattr(Ship("a"), "other", 1)  # noqa: B010
    assert not hasattr(Ship("a"), "__dict__")


def test_two_are_equal_if_all_that_is_compared_is() -> None:
    assert Vessel(name="a") == Vessel(name="a") != Vessel(name="b")
    assert Ship("a", note="x") == Ship("a", note="y")
    assert len({Vessel(name="a"), Vessel(name="a"), Vessel(name="b")}) == 2
    assert Nothing() == Nothing()
    assert len({Nothing(), Nothing()}) == 1
    assert Vessel(name="a", crew=5) != Ferry(name="a", port="")
    assert Ship("a") != "a"
    with pytest.raises(TypeError):
        hash(Ship("a"))


def test_what_is_secret_is_not_shown() -> None:
    assert repr(Ship("a", key="hush")) == "Ship(name='a', masts=3, cargo={}, note='')"
    assert repr(Nothing()) == "Nothing()"


def test_what_knows_dataclasses_knows_it() -> None:
    assert is_dataclass(Ship)
    assert [each.name for each in fields(Ferry)] == ["name", "crew", "port"]
    assert replace(Ship("a"), masts=1) == Ship("a", 1)
    assert asdict(Vessel(name="a")) == {"name": "a", "crew": 1}
    assert Ship.__match_args__ == ("name", "masts", "cargo", "key", "note")  # type: ignore[attr-defined]
    match Ship("a", 2):
        case Ship(name, 2):
            assert name == "a"
        case _:
            pytest.fail("it does not match")
    assert Ship.__doc__ == "One that sails."


@pytest.mark.parametrize("again", [copy.copy, copy.deepcopy, lambda it: pickle.loads(pickle.dumps(it))])
def test_copies_are_equal(again: Any) -> None:
    for each in (Ship("a", cargo={"x": 1}), Ferry(name="a", port="b"), Nothing()):
        assert again(each) == each


def test_it_has_whatever_a_dataclass_has() -> None:
    assert set(dir(Twin)) <= set(dir(Ship))
