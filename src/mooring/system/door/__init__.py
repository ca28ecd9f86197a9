"""The way in over HTTP: who may come, from where, with how much, and what they may do."""

from __future__ import annotations

from mooring.system.door.asgi import App, Receive, Scope, Send
from mooring.system.door.body import read_json
from mooring.system.door.door import Door, Rules, visitor_of
from mooring.system.door.keys import Keys, Role, Visitor
from mooring.system.door.origin import Places
from mooring.system.door.problem import STATUS, send_problem
from mooring.system.door.token import own_token

__all__ = [
    "STATUS",
    "App",
    "Door",
    "Keys",
    "Places",
    "Receive",
    "Role",
    "Rules",
    "Scope",
    "Send",
    "Visitor",
    "own_token",
    "read_json",
    "send_problem",
    "visitor_of",
]
