"""Layers over each other: which two are put together first does not matter; every leaf knows its origin."""

from __future__ import annotations

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from mooring.core.merge import EMPTY, Branch, Leaf, Node, find, laid, leaves, lift, merge, plain
from mooring.core.spec import Layer, Origin, Source

KEYS = st.sampled_from("abc")
SCALARS = st.none() | st.booleans() | st.integers(0, 3) | st.lists(st.integers(0, 2), max_size=2)
VALUES = st.recursive(SCALARS, lambda inner: st.dictionaries(KEYS, inner, max_size=3), max_leaves=8)
MAPS = st.dictionaries(KEYS, VALUES, max_size=3)


def source(name: str) -> Source:
    return Source(Layer.GLOBAL, name, "/")


def raised(value: dict[str, Any], name: str) -> Branch:
    node = lift(value, Origin(source(name)))
    assert isinstance(node, Branch)
    return node


def everything(node: Node) -> list[Any]:
    """All that can be seen of a tree, the order of keys included."""
    return [(path, leaf.value, leaf.origin) for path, leaf in leaves(node)] + [keys(node)]


def keys(node: Node) -> Any:
    return None if isinstance(node, Leaf) else [(key, keys(child)) for key, child in node.children.items()]


def plainly(below: Any, above: Any) -> Any:
    """The rule in three lines, on plain values."""
    if not isinstance(below, dict) or not isinstance(above, dict):
        return above
    return below | {key: plainly(below.get(key), value) for key, value in above.items()}


@given(MAPS, MAPS)
def test_maps_merge_deep_and_everything_else_replaces(below: dict[str, Any], above: dict[str, Any]):
    merged = laid(raised(below, "b"), raised(above, "a"))
    assert plain(merged) == plainly(below, above)


@given(MAPS, MAPS, MAPS)
def test_it_does_not_matter_which_two_are_merged_first(one: Any, two: Any, three: Any):
    a, b, c = raised(one, "1"), raised(two, "2"), raised(three, "3")
    assert everything(laid(laid(a, b), c)) == everything(laid(a, laid(b, c)))


@given(VALUES, VALUES, VALUES)
def test_nor_where_leaves_lie_between_maps(one: Any, two: Any, three: Any):
    a, b, c = (lift(value, Origin(source(name))) for value, name in ((one, "1"), (two, "2"), (three, "3")))
    assert everything(merge(merge(a, b), c)) == everything(merge(a, merge(b, c)))


@given(MAPS)
def test_nothing_above_or_below_changes_nothing(value: dict[str, Any]):
    tree = raised(value, "x")
    assert everything(laid(EMPTY, tree)) == everything(laid(tree, EMPTY)) == everything(tree)


@given(MAPS)
def test_a_tree_over_itself_is_itself(value: dict[str, Any]):
    tree = raised(value, "x")
    assert everything(laid(tree, tree)) == everything(tree)


@given(st.lists(MAPS, min_size=1, max_size=4))
def test_every_leaf_has_one_origin_and_that_source_holds_its_value(layers: list[dict[str, Any]]):
    merged = EMPTY
    for number, layer in enumerate(layers):
        merged = laid(merged, raised(layer, str(number)))
    found = list(leaves(merged))
    assert len({path for path, _ in found}) == len(found)
    for path, leaf in found:
        value: Any = layers[int(leaf.origin.source.name)]
        for key in leaf.origin.path:
            value = value[key]
        assert leaf.origin.path == path
        assert value == leaf.value
        assert type(value) is type(leaf.value)


@given(MAPS)
def test_the_leaves_are_the_whole_tree(value: dict[str, Any]):
    tree = raised(value, "x")
    assert plain(tree) == value
    assert all(find(tree, path) is leaf for path, leaf in leaves(tree))


@given(MAPS, MAPS)
def test_a_key_keeps_the_place_that_the_lower_layer_gave_it(below: dict[str, Any], above: dict[str, Any]):
    merged = laid(raised(below, "b"), raised(above, "a"))
    assert [*merged.children] == [*below, *(key for key in above if key not in below)]


@given(MAPS, MAPS)
def test_merging_changes_neither_of_the_two(below: dict[str, Any], above: dict[str, Any]):
    one, other = raised(below, "b"), raised(above, "a")
    before = everything(one), everything(other)
    laid(one, other)
    assert (everything(one), everything(other)) == before


def test_a_map_over_a_scalar_hides_what_lay_below_the_scalar():
    merged = laid(laid(raised({"a": {"b": 1}}, "1"), raised({"a": 5}, "2")), raised({"a": {"c": 2}}, "3"))
    assert plain(merged) == {"a": {"c": 2}}


def test_a_path_that_leads_nowhere_finds_nothing():
    tree = raised({"a": {"b": 1}}, "x")
    assert find(tree, ("a", "b", "c")) is None
    assert find(tree, ("z",)) is None
    assert find(tree, ()) is tree
