from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mooring.core.agents import OPENCODE
from mooring.core.policy import Policy, ToolFacts, cautious
from mooring.core.rules import Author, Effect, Rule
from mooring.errors import BadValue

EVERYTHING = [
    "echo",
    "get-annotated-message",
    "get-env",
    "get-resource-links",
    "get-resource-reference",
    "get-roots-list",
    "get-structured-content",
    "get-sum",
    "get-tiny-image",
    "gzip-file-as-resource",
    "simulate-research-query",
    "toggle-simulated-logging",
    "toggle-subscriber-updates",
    "trigger-long-running-operation",
]
BUILT_IN = [
    "bash",
    "edit",
    "glob",
    "grep",
    "question",
    "read",
    "skill",
    "task",
    "todowrite",
    "webfetch",
    "write",
]
RESOURCES = ["list_mcp_resources", "list_mcp_resource_templates", "read_mcp_resource"]
SERVED = [ToolFacts(f"everything_{name}") for name in EVERYTHING]
OURS = [ToolFacts(name, builtin=True) for name in (*BUILT_IN, *RESOURCES)]
DOWN = {"mcp": {"everything": {"enabled": False}}}

# (row, configuration, agent, tools of the server that are visible, other tools that are visible)
MATRIX: list[tuple[str, dict[str, Any], str, int, int]] = [
    ("01", {}, "build", 14, 14),
    ("02", {"tools": {"everything_*": False}}, "build", 0, 14),
    ("03", {"tools": {"everything": False}}, "build", 14, 14),
    ("04", {"tools": {"every*": False}}, "build", 0, 14),
    ("05", {"permission": {"everything_*": "deny"}}, "build", 0, 14),
    ("06", {"permission": {"*": "deny", "everything_echo": "allow"}}, "build", 1, 0),
    ("07", {"permission": {"everything_echo": "allow", "*": "deny"}}, "build", 0, 0),
    ("08", {"permission": "deny"}, "build", 0, 0),
    ("09", {"permission": "ask"}, "build", 14, 14),
    (
        "10",
        {"tools": {"everything_*": False}, "agent": {"build": {"tools": {"everything_*": True}}}},
        "build",
        14,
        14,
    ),
    (
        "11",
        {
            "tools": {"everything_*": False},
            "agent": {"docs": {"mode": "primary", "tools": {"everything_*": True}}},
        },
        "docs",
        14,
        13,
    ),
    (
        "11b",
        {
            "tools": {"everything_*": False},
            "agent": {"docs": {"mode": "primary", "tools": {"everything_*": True}}},
        },
        "build",
        0,
        14,
    ),
    ("12", {"agent": {"a": {"tools": {"everything_echo": True, "everything_*": False}}}}, "a", 0, 13),
    ("13", {"agent": {"a": {"tools": {"everything_*": False, "everything_echo": True}}}}, "a", 1, 13),
    ("14", {"tools": {"everything_*": False}, "permission": {"everything_*": "allow"}}, "build", 14, 14),
    ("15", {"tools": {"everything_echo": True}, "permission": {"everything_*": "deny"}}, "build", 0, 14),
    ("16", {"permission": {"everything_echo": {"*": "deny"}}}, "build", 13, 14),
    ("17", {"permission": {"everything_echo": {"foo*": "deny"}}}, "build", 14, 14),
    ("18", {"permission": {"everything_echo": {"*": "deny", "foo*": "allow"}}}, "build", 14, 14),
    ("19", {"tools": {"everything_ech?": False}}, "build", 13, 14),
    ("20", {"tools": {"Everything_*": False}}, "build", 14, 14),
    ("21", {"tools": {"*_get-*": False}}, "build", 6, 14),
    ("22", {"session": [Rule("everything_*", "*", Effect.DENY)]}, "build", 0, 14),
    # Measured: 1. Here no client lifts what a file denies.
    ("23", {"tools": {"everything_*": False}, "message": {"everything_echo": True}}, "build", 0, 14),
    ("24", {"permission": {"read": "deny"}}, "build", 14, 10),
    ("25", {"tools": {"write": False}}, "build", 14, 12),
    # Measured: 14. Here `plan` has the read-only tools of trusted servers, and this one is not trusted.
    ("26", {}, "plan", 0, 14),
    ("27", {"tools": {"everything_{echo,get-sum}": False}}, "build", 14, 14),
    ("28", {"tools": {"!everything_*": False}}, "build", 14, 14),
    ("29", {**DOWN, "agent": {"a": {"tools": {"everything_*": True}}}}, "a", 0, 10),
    ("30", DOWN, "build", 0, 11),
    ("31", {"tools": {"everything_(echo)": False}}, "build", 14, 14),
    ("32", {"permission": {"everything_echo": "allow"}}, "explore", 1, 8),
]


@pytest.mark.parametrize(
    ("config", "agent", "served", "others"), [row[1:] for row in MATRIX], ids=[row[0] for row in MATRIX]
)
def test_the_model_sees_what_it_would_see_in_opencode(
    config: dict[str, Any], agent: str, served: int, others: int
) -> None:
    session, message = config.get("session", ()), config.get("message", {})
    policy = Policy.of(config, agent, session, message, defaults=OPENCODE)
    up = "mcp" not in config
    offered = OURS if up else [facts for facts in OURS if facts.name not in RESOURCES]
    assert sum(policy.visible(facts) for facts in (SERVED if up else [])) == served
    assert sum(policy.visible(facts) for facts in offered) == others


ECHO = ToolFacts("everything_echo")


def test_a_tool_may_be_visible_and_yet_every_call_refused() -> None:
    policy = Policy.of({"permission": {"everything_echo": {"*": "deny", "foo*": "allow"}}}, defaults=OPENCODE)
    assert policy.visible(ECHO)
    assert policy.decide(ECHO) is Effect.DENY
    assert policy.decide(ECHO, "foobar") is Effect.ALLOW


def test_a_rule_for_some_arguments_says_nothing_about_the_others() -> None:
    policy = Policy.of({"permission": {"everything_echo": {"foo*": "deny"}}}, defaults=OPENCODE)
    assert policy.decide(ECHO) is Effect.ALLOW
    assert policy.decide(ECHO, "food") is Effect.DENY


def test_where_nothing_matches_the_face_decides() -> None:
    policy = Policy.of({})
    assert policy.visible(ECHO)
    assert policy.decide(ECHO) is Effect.ASK
    assert policy.decide(ECHO, default=Effect.ALLOW) is Effect.ALLOW
    assert policy.decide(ECHO, default=cautious(ECHO)) is Effect.ASK
    assert cautious(ToolFacts("notes_list", read_only=True, trusted=True)) is Effect.ALLOW


@pytest.mark.parametrize("claim", [ToolFacts("x_y", read_only=True), ToolFacts("x_y", trusted=True)])
def test_a_claim_to_only_read_counts_from_a_trusted_server_alone(claim: ToolFacts) -> None:
    plan = Policy.of({}, "plan", defaults=OPENCODE)
    assert not plan.visible(claim)
    assert plan.decide(claim) is Effect.DENY
    assert plan.visible(ToolFacts("x_y", read_only=True, trusted=True))
    assert cautious(claim) is Effect.ASK


def test_only_its_own_rules_open_a_tool_to_the_plan_agent() -> None:
    globally = Policy.of({"permission": {"everything_echo": "allow"}}, "plan", defaults=OPENCODE)
    itself = Policy.of({"agent": {"plan": {"permission": {"everything_echo": "ask"}}}}, "plan")
    closed = Policy.of({"agent": {"plan": {"permission": {"*": "allow", "everything_*": "deny"}}}}, "plan")
    assert not globally.visible(ECHO)
    assert itself.visible(ECHO)
    assert itself.decide(ECHO) is Effect.ASK
    assert not closed.visible(ECHO)
    partly = Policy.of({"agent": {"plan": {"permission": {"everything_echo": {"foo*": "deny"}}}}}, "plan")
    assert not partly.visible(ECHO)


def test_a_message_does_not_open_a_tool_to_the_plan_agent() -> None:
    policy = Policy.of({}, "plan", message_tools={"everything_echo": True}, defaults=OPENCODE)
    assert not policy.visible(ECHO)


def test_a_message_hides_a_tool_by_its_very_name() -> None:
    policy = Policy.of({}, message_tools={"write": False, "everything_echo": False}, defaults=OPENCODE)
    visible = {facts.name for facts in (*OURS, *SERVED) if policy.visible(facts)}
    assert {facts.name for facts in (*OURS, *SERVED)} - visible == {"write", "everything_echo"}


def test_a_message_may_hide_what_the_session_allows() -> None:
    session = [Rule("everything_echo", "*", Effect.ALLOW)]
    assert not Policy.of({}, session=session, message_tools={"everything_echo": False}).visible(ECHO)


def test_a_message_shows_what_no_file_denies() -> None:
    question = ToolFacts("question", builtin=True)
    hidden = Policy.of({}, "mine", defaults=OPENCODE)
    shown = Policy.of({}, "mine", message_tools={"question": True}, defaults=OPENCODE)
    assert (hidden.visible(question), shown.visible(question)) == (False, True)

    session = [Rule("everything_*", "*", Effect.DENY)]
    one = Policy.of(
        {}, session=session, message_tools={"*": False, "everything_echo": True}, defaults=OPENCODE
    )
    assert [facts.name for facts in SERVED if one.visible(facts)] == ["everything_echo"]


def test_a_message_never_turns_asking_into_allowing() -> None:
    asking = {"permission": {"everything_*": "ask"}}
    assert Policy.of(asking, message_tools={"everything_echo": True}).decide(ECHO) is Effect.ASK
    assert Policy.of({}, message_tools={"everything_echo": True}).decide(ECHO) is Effect.ASK


def test_a_served_tool_is_not_mistaken_for_one_of_ours() -> None:
    policy = Policy.of({"permission": {"read": "deny"}}, defaults=OPENCODE)
    assert policy.visible(ToolFacts("read_mcp_resource"))
    assert not policy.visible(ToolFacts("read_mcp_resource", builtin=True))


def test_an_answer_of_always_holds_for_the_session() -> None:
    session = [Rule("everything_echo", "*", Effect.ALLOW)]
    assert Policy.of({"permission": "ask"}, session=session).decide(ECHO) is Effect.ALLOW


@pytest.mark.parametrize(
    ("policy", "author", "words"),
    [
        (Policy.of({"permission": {"every*": "deny"}}), Author.GLOBAL, "deny: global rule `every*: deny`"),
        (
            Policy.of({"agent": {"build": {"tools": {"everything_echo": True}}}}),
            Author.AGENT,
            "allow: agent rule `everything_echo: allow`",
        ),
        (Policy.of({}, defaults=OPENCODE), Author.BUILTIN, "allow: built-in rule `*: allow`"),
        (
            Policy.of({}, session=[Rule("*_echo", "*", Effect.ASK, Author.GLOBAL)]),
            Author.SESSION,
            "ask: session rule `*_echo: ask`",
        ),
        (
            Policy.of({}, message_tools={"everything_echo": False}),
            Author.MESSAGE,
            "deny: message rule `everything_echo: deny`",
        ),
        (Policy.of({}), Author.BUILTIN, "ask: no rule matches `everything_echo`"),
        (
            Policy.of({}, "plan"),
            Author.BUILTIN,
            "deny: agent `plan` has the read-only tools of trusted servers only",
        ),
    ],
)
def test_a_decision_names_its_rule_and_whose_it_is(policy: Policy, author: Author, words: str) -> None:
    why = policy.why(ECHO)
    assert (why.author, str(why)) == (author, words)


def test_a_tools_entry_gives_its_key_a_place_and_permission_gives_it_the_value() -> None:
    config = {"tools": {"a": True, "*": False}, "permission": {"a": "allow", "b": "allow"}}
    policy = Policy.of(config)
    assert policy.decide(ToolFacts("a")) is Effect.DENY
    assert policy.decide(ToolFacts("b")) is Effect.ALLOW
    assert (
        Policy.of({"tools": {"*": True, "a": True}, "permission": "deny"}).decide(ToolFacts("b"))
        is Effect.DENY
    )


def test_all_tools_that_edit_share_one_permission() -> None:
    policy = Policy.of({"tools": {"patch": False}}, defaults=OPENCODE)
    hidden = [name for name in ("edit", "write", "apply_patch", "read") if not policy.visible(ours(name))]
    assert hidden == ["edit", "write", "apply_patch"]


def ours(name: str) -> ToolFacts:
    return ToolFacts(name, builtin=True)


def test_a_rule_about_the_home_folder_means_the_users() -> None:
    config = {"permission": {"read": {"~/notes/*": "deny", "$HOME/keys": "deny", "~": "ask", "~x": "deny"}}}
    policy = Policy.of(config, home="/home/ada")
    assert [rule.pattern for rule in policy.rules if rule.author is Author.GLOBAL] == [
        "/home/ada/notes/*",
        "/home/ada/keys",
        "/home/ada",
        "~x",
    ]


@pytest.mark.parametrize(
    ("config", "named"),
    [
        ({"permission": {"bash": "dney"}}, "`permission.bash`"),
        ({"permission": {"bash": {"rm *": True}}}, "`permission.bash.rm *`"),
        ({"permission": ["deny"]}, "`permission`"),
        ({"tools": {"bash": "false"}}, "`tools.bash`"),
        ({"agent": {"build": {"permission": "no"}}}, "`agent.build.permission.*`"),
        ({"agent": {"build": ["deny"]}}, "`agent.build`"),
    ],
)
def test_a_mistyped_rule_is_an_error_and_not_an_open_door(config: Mapping[str, Any], named: str) -> None:
    with pytest.raises(BadValue) as caught:
        Policy.of(config)
    assert named in caught.value.sentence
    assert caught.value.hint


names = st.sampled_from(["everything_echo", "everything_get-sum", "notes_add", "bash"])
rule_maps = st.dictionaries(
    st.sampled_from(["*", "every*", "everything_echo", "notes_*", "?*", "bash"]),
    st.sampled_from(list(Effect)),
)


@given(rule_maps, names, st.sampled_from(list(Effect)))
def test_the_last_match_wins(rules: dict[str, Effect], name: str, effect: Effect) -> None:
    before = {key: value for key, value in rules.items() if key != name}
    written_last = Policy.of({"permission": {**before, name: effect}})
    laid_over = Policy.of({"permission": rules, "agent": {"build": {"permission": {name: effect}}}})
    assert written_last.decide(ToolFacts(name)) is effect
    assert laid_over.decide(ToolFacts(name)) is effect


@given(rule_maps, names, st.sampled_from(["build", "plan", "explore", "general", "mine"]))
def test_a_final_deny_of_everything_hides_everything(rules: dict[str, Effect], name: str, agent: str) -> None:
    config = {"permission": rules, "agent": {agent: {"permission": {"*": "deny"}}}}
    policy = Policy.of(config, agent, message_tools={name: True}, defaults=OPENCODE)
    for facts in (ToolFacts(name), ToolFacts(name, read_only=True, trusted=True), *OURS):
        assert not policy.visible(facts)
        assert policy.decide(facts) is Effect.DENY


@given(rule_maps, rule_maps, names, st.dictionaries(names, st.booleans()))
def test_no_message_allows_what_a_file_denies(
    globally: dict[str, Effect], own: dict[str, Effect], name: str, message: dict[str, bool]
) -> None:
    config = {"permission": globally, "agent": {"build": {"permission": own}}}
    alone, told = Policy.of(config), Policy.of(config, message_tools=message)
    facts = ToolFacts(name)
    if alone.decide(facts) is Effect.DENY:
        assert told.decide(facts) is Effect.DENY
    if not alone.visible(facts):
        assert not told.visible(facts)
