"""Names of tools and prompts."""

from __future__ import annotations

import random
import re
import string

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mooring.core.names import Names, prompt_name, public_name

words = (
    st.text("ab_-.", max_size=4) | st.text(max_size=80) | st.text(string.ascii_lowercase + "_-", min_size=1)
)
pairs = st.frozensets(st.tuples(words, words), max_size=12)


def test_a_plain_name_is_server_and_tool():
    assert public_name("github", "create_issue", {"github", "files"}) == "github_create_issue"
    assert public_name("everything", "get-sum", {"everything"}) == "everything_get-sum"
    assert public_name("github", "github_search", {"github"}) == "github_github_search"


def test_a_server_name_is_made_safe_without_a_hash():
    assert public_name("big.srv", "x", {"big.srv", "other"}) == "big_srv_x"


@pytest.mark.parametrize("tool", ["weird.name/with:chars", "", "naïve", "a b", "x" * 61, "v_0123abcd"])
def test_a_name_that_cannot_be_used_as_it_is_gets_a_hash(tool: str):
    name = public_name("big", tool, {"big"})
    assert re.fullmatch(r"big_[A-Za-z0-9_-]*_[0-9a-f]{8}", name)
    assert len(name) <= 64


def test_the_hash_is_the_same_for_ever():
    assert public_name("s", "a.b", {"s"}) == "s_a_b_e13c2813"


def test_servers_that_differ_only_in_unsafe_characters_stay_apart():
    names = Names({"a.b", "a_b"})
    assert names.of("a.b", "x") != names.of("a_b", "x")


def test_a_prefix_that_another_server_also_has_is_told_apart():
    names = Names({"a", "a_b"})
    assert names.of("a", "b_c") != names.of("a_b", "c")
    assert names.of("a", "c") == "a_c"


def test_a_stranger_never_takes_the_name_of_a_configured_server():
    names = Names({"a"})
    assert names.of("a", "x") == "a_x"
    assert names.of("a_x", "y") != names.of("a", "x_y")


def test_a_prompt_is_typed_as_server_and_prompt():
    assert prompt_name("git.hub", "Review this") == "git_hub:Review_this"


@given(pairs)
def test_different_tools_never_share_a_name(wanted: frozenset[tuple[str, str]]):
    names = Names({server for server, _ in wanted})
    assert len({names.of(*pair) for pair in wanted}) == len(wanted)


@given(words, words, st.frozensets(words))
def test_a_name_is_always_safe_and_short(server: str, tool: str, others: frozenset[str]):
    assert re.fullmatch(r"[A-Za-z0-9_-]{1,64}", public_name(server, tool, others | {server}))


@given(pairs, st.randoms(use_true_random=False))
def test_a_name_never_depends_on_which_other_servers_are_up(
    wanted: frozenset[tuple[str, str]], chance: random.Random
):
    configured = [server for server, _ in wanted]
    everything = {pair: Names(configured).of(*pair) for pair in wanted}
    chance.shuffle(configured)
    some = [pair for pair in wanted if chance.random() < 0.5]
    assert {pair: Names(configured).of(*pair) for pair in some} == {pair: everything[pair] for pair in some}


@given(
    st.text("abcxyz0123456789-", min_size=1, max_size=20),
    st.text("abcxyz0123456789_-", min_size=1, max_size=20),
)
def test_plain_names_carry_no_hash(server: str, tool: str):
    plain = f"{server}_{tool}"
    if not re.search(r"_[0-9a-f]{8}\Z", plain):
        assert public_name(server, tool, {server, "someone else"}) == plain


def test_ten_thousand_servers_are_prepared_once():
    names = Names([f"server_{number}" for number in range(10_000)])
    assert (
        len({names.of(f"server_{number}", f"tool_{tool}") for number in range(10_000) for tool in range(3)})
        == 30_000
    )
