"""What a model is told of tools stays short, and says what was left out."""

from __future__ import annotations

from mooring.core.exposure import Exposure, definitions
from mooring.core.lookup import described, found, nothing, unknown
from mooring.core.tokens import tokens


def test_a_list_is_capped_in_size_and_counts_what_it_left_out():
    lines = [f"tool_{number}: {'word ' * 80}" for number in range(25)]
    told = found(lines)
    shown = told.splitlines()
    assert tokens(told) <= 1_300
    assert shown[:-1] == lines[: len(shown) - 1]
    assert shown[-1] == f"({25 - len(shown) + 1} more: ask more precisely)"
    assert found(["one", "two"]) == "one\ntwo"


def test_definitions_are_whole_or_named():
    long = "x" * 30_000
    told = described({"a": long, "b": long, "c": "{}"}, ["d"], ["a", "b", "c", "dd"])
    assert told.startswith(f"{long}\n{{}}\n")
    assert "again for: b\n" in told
    assert told.endswith("There is no tool `d`. Did you mean `dd`?")
    alone = "x" * 60_000
    assert described({"a": alone}, [], ["a"]) == alone


def test_who_finds_nothing_hears_where_there_are_tools():
    assert nothing("pony", {"git": 12, "mail": 3}).endswith("There are tools of: git (12), mail (3)")
    assert "no tools at all" in nothing("pony", {})
    assert unknown("zzz", ["a"]) == "There is no tool `zzz`."


def test_the_three_tools_cost_little_however_many_servers_there_are():
    servers = {f"a-server-with-a-long-name-{number}": number for number in range(500)}
    assert sum(tokens(str(each)) for each in definitions(servers)) < 1_200


def test_a_catalogue_is_searched_when_it_costs_more_than_the_budget():
    auto = Exposure("auto", budget=100, favourites=("git_*",))
    assert [auto.searches(cost) for cost in (100, 101)] == [False, True]
    assert [Exposure(mode).searches(10**9) for mode in ("all", "search")] == [False, True]
    assert [auto.is_favourite(name) for name in ("git_log", "mail_send")] == [True, False]
