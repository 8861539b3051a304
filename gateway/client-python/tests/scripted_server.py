"""A server that performs one act of a script for each request, and the last one from then on."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TypeAlias

Headers: TypeAlias = Mapping[str, str]


@dataclass(frozen=True)
class Seen:
    method: str
    url: str
    headers: Headers
    """Their names are in lower case."""
    body: str
    at: float


@dataclass
class ScriptedServer:
    url: str
    seen: list[Seen] = field(default_factory=list)


Act: TypeAlias = Callable[[BaseHTTPRequestHandler], None]


@contextmanager
def scripted_server(*script: Act) -> Iterator[ScriptedServer]:
    start = time.monotonic()
    state = ScriptedServer("")
    ended = threading.Event()

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def handle_one_call(self) -> None:
            body = self.rfile.read(int(self.headers.get("content-length") or 0)).decode()
            headers = {name.lower(): value for name, value in self.headers.items()}
            at = time.monotonic() - start
            state.seen.append(Seen(self.command, self.path, headers, body, at))
            script[min(len(state.seen), len(script)) - 1](self)

        do_GET = do_POST = handle_one_call

        def log_message(self, format: str, *args: object) -> None:
            pass

    class Server(ThreadingHTTPServer):
        daemon_threads = True
        block_on_close = False
        ended_event = ended

        def handle_error(self, request: object, client_address: object) -> None:
            # The client has gone, as some of the tests ask.
            pass

    server = Server(("127.0.0.1", 0), Handler)
    state.url = f"http://127.0.0.1:{server.server_address[1]}"
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield state
    finally:
        ended.set()
        server.shutdown()
        thread.join()
        server.server_close()


def json_answer(status: int, body: object, headers: Headers | None = None) -> Act:
    payload = json.dumps(body).encode()

    def act(handler: BaseHTTPRequestHandler) -> None:
        own = {"content-type": "application/json", "x-request-id": "request-1", **(headers or {})}
        _answer(handler, status, own, payload)

    return act


def page(status: int, headers: Headers | None = None) -> Act:
    payload = b"<html>the page of a proxy</html>"
    own = {"content-type": "text/html", **(headers or {})}
    return lambda handler: _answer(handler, status, own, payload)


def hang_up(handler: BaseHTTPRequestHandler) -> None:
    """The connection ends without an answer, but the work may be done."""
    handler.close_connection = True


def hang_up_mid_body(handler: BaseHTTPRequestHandler) -> None:
    _begin(handler, {"content-length": "1000"})
    handler.wfile.write(b'{"usage":')
    handler.close_connection = True


def end_early(handler: BaseHTTPRequestHandler) -> None:
    """Ends the body early but properly, as a proxy may that lost its upstream."""
    _answer(handler, 200, {"content-type": "application/json"}, b'{"usage":')


def silence(handler: BaseHTTPRequestHandler) -> None:
    _until_end(handler)


def slow_body(handler: BaseHTTPRequestHandler) -> None:
    _begin(handler, {"content-length": "1000"})
    handler.wfile.write(b'{"usage":')
    handler.wfile.flush()
    _until_end(handler)


def dripping_body(handler: BaseHTTPRequestHandler) -> None:
    """Each byte comes before the timeout of the library, and the whole never."""
    _begin(handler, {"content-length": "1000"})
    while not _ended(handler).wait(0.05):
        handler.wfile.write(b" ")
        handler.wfile.flush()
    handler.close_connection = True


def endless(handler: BaseHTTPRequestHandler) -> None:
    _begin(handler, {"connection": "close"})
    chunk = b"a" * 2**20
    while not _ended(handler).is_set():
        handler.wfile.write(chunk)
    handler.close_connection = True


def _answer(handler: BaseHTTPRequestHandler, status: int, headers: Headers, body: bytes) -> None:
    handler.send_response(status)
    for name, value in {**headers, "content-length": str(len(body))}.items():
        handler.send_header(name, value)
    handler.end_headers()
    handler.wfile.write(body)


def _begin(handler: BaseHTTPRequestHandler, headers: Headers) -> None:
    handler.send_response(200)
    for name, value in {"content-type": "application/json", **headers}.items():
        handler.send_header(name, value)
    handler.end_headers()


def _until_end(handler: BaseHTTPRequestHandler) -> None:
    _ended(handler).wait(30)
    handler.close_connection = True


def _ended(handler: BaseHTTPRequestHandler) -> threading.Event:
    ended = getattr(handler.server, "ended_event", None)
    assert isinstance(ended, threading.Event)
    return ended
