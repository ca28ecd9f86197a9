"""A server that keeps a list of things to do, in a file that outlives it and that two servers may share."""

from __future__ import annotations

import asyncio
import os
import sqlite3
from collections.abc import Generator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Annotated

from mcp.server.mcpserver import Context, MCPServer
from mcp.server.mcpserver.exceptions import ResourceError, ToolError
from mcp.types import CallToolResult, TextContent, ToolAnnotations
from platformdirs import user_data_path
from pydantic import BaseModel, Field

OPEN = "todo://open"

Text = Annotated[
    str, Field(description="What is to be done, for example `Buy milk`", min_length=1, max_length=1000)
]
Id = Annotated[
    str, Field(description="The id that add_todo and list_todos say, for example `3`", max_length=20)
]
WithDone = Annotated[bool, Field(description="Whether those that are done are listed too")]


class Todo(BaseModel):
    """One thing to do."""

    id: str = Field(description="What complete_todo wants to know")
    text: str
    done: bool


class Todos(BaseModel):
    """Things to do, the oldest first."""

    todos: list[Todo]


def place() -> Path:
    """The file that `TODO_FILE` names, else one in the user's own data folder."""
    named = os.environ.get("TODO_FILE")
    return Path(named).expanduser() if named else user_data_path("mooring", appauthor=False) / "todo.sqlite"


@contextmanager
def opened() -> Generator[sqlite3.Connection]:
    """The list, for one step: all of it happens or nothing, and other servers wait for their turn."""
    file = place()
    try:
        file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        with closing(sqlite3.connect(file, timeout=5, isolation_level=None)) as database:
            database.execute("begin immediate")
            database.execute(
                "create table if not exists todo"
                " (id integer primary key autoincrement, text text not null, done integer not null default 0)"
            )
            yield database
            database.execute("commit")
    except (OSError, sqlite3.Error) as error:
        raise ResourceError(f"The list in `{file}` cannot be used: {error}") from error


def add(text: str) -> Todo:
    with opened() as database:
        id_ = database.execute("insert into todo (text) values (?)", (text,)).lastrowid
    return Todo(id=str(id_), text=text, done=False)


def listed(*, done: bool) -> list[Todo]:
    with opened() as database:
        rows = database.execute(
            "select id, text, done from todo where done <= ? order by id", (done,)
        ).fetchall()
    return [Todo(id=str(id_), text=text, done=bool(ticked)) for id_, text, ticked in rows]


def complete(id_: str) -> Todo | None:
    with opened() as database:
        row = database.execute("update todo set done = 1 where id = ? returning id, text", (id_,)).fetchone()
    return row and Todo(id=str(row[0]), text=row[1], done=True)


def lines(todos: list[Todo]) -> str:
    return "\n".join(f"[{'x' if each.done else ' '}] {each.id}: {each.text}" for each in todos)


def told(sentence: str, value: BaseModel) -> CallToolResult:
    """A sentence for whoever reads, the same as a value for whoever computes."""
    return CallToolResult(
        content=[TextContent(type="text", text=sentence)], structured_content=value.model_dump()
    )


async def add_todo(text: Text, context: Context) -> Annotated[CallToolResult, Todo]:
    """Add one thing to the list. The answer says the id under which it can be completed."""
    if not (line := " ".join(text.split())):
        raise ToolError("There is nothing in `text`: say what is to be done")
    todo = await asyncio.to_thread(add, line)
    await context.notify_resource_updated(OPEN)
    return told(f"Added: {todo.text} (id: {todo.id})", todo)


def list_todos(include_done: WithDone = True) -> Annotated[CallToolResult, Todos]:
    """List everything on the list, the oldest first. Each line shows whether it is done, its id, its text."""
    todos = listed(done=include_done)
    return told(lines(todos) or "No todos yet", Todos(todos=todos))


async def complete_todo(id: Id, context: Context) -> Annotated[CallToolResult, Todo]:  # noqa: A002
    """Mark one thing as done. It stays on the list; doing this twice is no error."""
    todo = await asyncio.to_thread(complete, id)
    if todo is None:
        raise ToolError(f"There is no todo with the id `{id}`; list_todos shows those that there are")
    await context.notify_resource_updated(OPEN)
    return told(f"Completed: {todo.text}", todo)


def still_open() -> str:
    """What is still to be done, one line each."""
    return lines(listed(done=False)) or "Nothing is left to do"


def plan_the_day(hours: Annotated[str, Field(description="How many hours there are")] = "8") -> str:
    """Have the model put what is still to be done into a good order."""
    return f"Still to be done:\n\n{still_open()}\n\nPlan my day: I have {hours} hours. Say what can wait."


def make() -> MCPServer:
    """The server, with everything that it offers."""
    server = MCPServer(
        "todo",
        title="Things to do",
        version="1.0.0",
        instructions="The user's own list of things to do. Look with list_todos before you add or complete "
        "anything, and complete only what the user says is done.",
        log_level="WARNING",
    )
    reads = ToolAnnotations(read_only_hint=True, idempotent_hint=True, open_world_hint=False)
    adds = ToolAnnotations(
        read_only_hint=False, destructive_hint=False, idempotent_hint=False, open_world_hint=False
    )
    ticks = adds.model_copy(update={"idempotent_hint": True})
    server.tool(title="Add a todo", annotations=adds)(add_todo)
    server.tool(title="List the todos", annotations=reads)(list_todos)
    server.tool(title="Complete a todo", annotations=ticks)(complete_todo)
    server.resource(OPEN, title="Still to be done", mime_type="text/plain")(still_open)
    server.prompt(title="Plan the day")(plan_the_day)
    return server


if __name__ == "__main__":
    with suppress(KeyboardInterrupt):
        make().run()
