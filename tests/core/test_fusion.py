"""Several rankings as one."""

from __future__ import annotations

from mooring.core.fusion import fused


def test_what_several_rankings_have_near_the_top_comes_first():
    assert fused(["a", "b", "c"], ["b", "d"]) == ["b", "a", "d", "c"]
    assert fused(["a"], ["b"]) == ["a", "b"]
    assert fused([], ["b", "a"]) == ["b", "a"]
    assert fused() == []
