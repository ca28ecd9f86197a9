"""What one server can be asked, in both eras of the protocol."""

from __future__ import annotations

from mooring.upstream.session.handshake import Agreed, agree
from mooring.upstream.session.listening import Listening
from mooring.upstream.session.ourselves import Ourselves
from mooring.upstream.session.pages import Pages
from mooring.upstream.session.result import Result
from mooring.upstream.session.verbs import Asking, Session

__all__ = ["Agreed", "Asking", "Listening", "Ourselves", "Pages", "Result", "Session", "agree"]
