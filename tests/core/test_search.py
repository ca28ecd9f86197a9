"""A request in anybody's words finds the tool that answers it."""

from __future__ import annotations

from typing import Any

import pytest

from mooring.core.catalog import Catalog
from mooring.core.chinese import in_english
from mooring.core.items import Kind
from mooring.core.listing import Listing
from mooring.core.names import Names
from mooring.core.search import Index
from mooring.core.words import stem, words


def tool(name: str, description: str, **inputs: str) -> dict[str, Any]:
    properties = {key: {"type": "string", "description": about} for key, about in inputs.items()}
    return {
        "name": name,
        "description": description,
        "inputSchema": {"type": "object", "properties": properties},
    }


OFFER = {
    "shop": [
        tool("listOrders", "All orders of a shop, newest first.", since="only those after this day"),
        tool(
            "refundOrder", "Give the money of an order back to the customer.", order_id="number of the order"
        ),
        tool("create_product", "Put one more product on sale.", title="what it is called", price="in cents"),
        tool("delete_product", "Take a product off the shelves for good.", product_id="its number"),
    ],
    "mail": [
        tool("send_message", "Write to somebody.", to="address of the recipient", body="the text"),
        tool("list_messages", "What is in a mailbox.", folder="inbox unless told otherwise"),
        tool("delete_message", "Throw a message away.", id="its number"),
    ],
    "calendar": [
        tool("create-event", "Add a meeting to a calendar.", start="when it begins", guests="who is invited"),
        tool("find_free_time", "When everybody has time to meet.", guests="who must be there"),
    ],
    "git": [
        tool("git_diff", "Changes in the working folder that are in no commit yet."),
        tool("git_checkout", "Go to another branch.", branch="its name"),
        tool("git_log", "The latest commits.", count="how many"),
    ],
    "weather": [tool("getForecast", "How the weather will be in the next days.", city="where")],
    "wetter": [tool("天气预报", "查询城市的天气预报", city="城市")],
    "k8s": [tool("pod_logs", "What a container in a k8s cluster has printed.", pod="its name")],
}

ASKED = {
    "refund a customer": "shop_refundOrder",
    "what did people order": "shop_listOrders",
    "add a product": "shop_create_product",
    "remove a product from the shop": "shop_delete_product",
    "send an email to my boss": "mail_send_message",
    "show my inbox": "mail_list_messages",
    "schedule a meeting tomorrow": "calendar_create-event",
    "when are we all free": "calendar_find_free_time",
    "switch branches": "git_git_checkout",
    "uncommitted changes": "git_git_diff",
    "recent commits": "git_git_log",
    "will it rain this weekend": "weather_getForecast",
    "logs of a pod": "k8s_pod_logs",
    "K8S container output": "k8s_pod_logs",
    "is there anything good on sale for my friend? give the money of an order back": "shop_refundOrder",
    "will I need an umbrella tomorrow": "weather_getForecast",
    "put lunch with Tom in my diary": "calendar_create-event",
    "write a letter to my boss": "mail_send_message",
    "明天会不会下雨": "weather_getForecast",
    "给老板发一封邮件": "mail_send_message",
    "看看容器的日志": "k8s_pod_logs",
    "安排一个会议": "calendar_create-event",
}

CATALOG = Catalog.build(
    [
        Listing.read(name, tools=tools, prompts=[{"name": "sum up mail"}] if name == "mail" else [])
        for name, tools in OFFER.items()
    ],
    Names(OFFER),
)
INDEX = Index.of(CATALOG)


def found(query: str, **more: Any) -> list[str]:
    return [hit.entry.name for hit in INDEX.find(query, **more)]


def test_most_requests_find_their_tool_first_and_all_among_three():
    first = [query for query, name in ASKED.items() if found(query)[:1] == [name]]
    assert len(first) >= len(ASKED) * 0.85
    assert [query for query, name in ASKED.items() if name not in found(query)[:3]] == []


@pytest.mark.parametrize(
    ("query", "name"),
    [
        ("forcast", "weather_getForecast"),
        ("chekout", "git_git_checkout"),
        ("refnud order", "shop_refundOrder"),
        ("calen", "calendar_create-event"),
        ("wea", "weather_getForecast"),
        ("城市天气", "wetter_天气预报"),
        ("get_forecast", "weather_getForecast"),
        ("recipient", "mail_send_message"),
    ],
)
def test_typos_beginnings_other_scripts_and_inputs_are_found_too(query: str, name: str):
    tools = {entry.item.name: entry.name for entry in CATALOG.tools()}
    wanted = tools["天气预报"] if name.startswith("wetter") else name
    assert wanted in found(query)[:2]


def test_words_that_hold_a_request_together_count_little_beside_others():
    offer = {"door": [tool("put_key", "Put a key back."), tool("open_diary", "A calendar of one's own.")]}
    catalog = Catalog.build([Listing.read(name, tools=tools) for name, tools in offer.items()], Names(offer))
    index = Index.of(catalog)
    assert [hit.entry.item.name for hit in index.find("put it in my diary", limit=1)] == ["open_diary"]
    assert [hit.entry.item.name for hit in index.find("put")] == ["put_key"]


def test_chinese_is_read_by_its_longest_known_words():
    assert list(in_english("把虚拟机重启一下")) == ["virtual", "machine", "vm", "restart", "reboot"]
    assert list(in_english("restart 图灵")) == ["chart", "diagram"]
    assert list(in_english("umbrella")) == []


def test_nothing_is_found_where_nothing_is_alike():
    assert found("") == []
    assert found("zzzzqqqq") == []
    assert Index.of(Catalog.build([], Names([]))).find("anything") == ()


def test_the_order_never_depends_on_who_answered_first():
    listings = [offer.listing for offer in CATALOG.offers.values()]
    turned = Index.of(Catalog.build(reversed(listings), Names(OFFER)))
    assert [hit.entry.name for hit in turned.find("message")] == found("message")


def test_one_kind_can_be_asked_for():
    hits = INDEX.find("mail", kind=Kind.PROMPT)
    assert [(hit.kind, hit.entry.item.name) for hit in hits] == [(Kind.PROMPT, "sum up mail")]
    assert len(found("message", limit=2)) == 2


def test_names_are_split_where_people_see_words():
    assert list(words("getUserByID2")) == ["get", "user", "by", "id", "getuserbyid2"]
    assert list(words("HTTPServer-list_all")) == ["http", "server", "httpserver", "list", "all"]


@pytest.mark.parametrize(
    "kindred",
    [
        ("create", "creates", "created", "creating", "creation"),
        ("query", "queries"),
        ("stop", "stopped", "stopping"),
        ("deploy", "deployment", "deployments"),
        ("box", "boxes"),
    ],
)
def test_kindred_words_share_a_stem(kindred: tuple[str, ...]):
    assert len(set(map(stem, kindred))) == 1
