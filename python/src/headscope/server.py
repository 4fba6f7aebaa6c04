"""A small server on 127.0.0.1 for one page and some files beside it."""

from __future__ import annotations

import secrets
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import BinaryIO
from urllib.parse import unquote

HERE_SVG = b'<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"/>'
"""The image by which a page of another origin learns that the server answers."""

TYPES = {".json": "application/json", ".txt": "text/plain; charset=utf-8"}


class Server:
    """Serves a page and files under an address with a token that nobody can guess.

    It answers GET and HEAD alone, of this machine alone. No page of another origin may read an
    answer: there is no CORS header, and the page needs none for files beside it.
    """

    def __init__(self, page: str, files: dict[str, Path]) -> None:
        token = secrets.token_urlsafe(24)
        handler = type("Handler", (_Handler,), {"token": token, "page": page, "files": files})
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
        # Requests of a browser that reads slowly do not keep Python alive.
        self._server.daemon_threads = True
        self.address = f"http://127.0.0.1:{self._server.server_port}/{token}/"
        Thread(target=self._server.serve_forever, args=(0.1,), daemon=True).start()

    def close(self) -> None:
        """Ends the server; a second call does nothing."""
        self._server.shutdown()
        self._server.server_close()


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    token = ""
    page = ""
    files: dict[str, Path] = {}  # noqa: RUF012

    def do_GET(self) -> None:
        """Answers with the page, or with a file or a part of it."""
        self._answer(with_body=True)

    def do_HEAD(self) -> None:
        """Answers with the length of a file."""
        self._answer(with_body=False)

    def log_message(self, *_arguments: object) -> None:
        """Writes nothing into the output of a cell."""

    def _answer(self, *, with_body: bool) -> None:
        host = self.headers.get("Host", "").rpartition(":")[0]
        # A page of another site could give its own name this machine's address.
        if host not in ("127.0.0.1", "localhost"):
            self._send(403, "text/plain", b"Only this machine is answered.", with_body)
            return
        path = unquote(self.path.partition("?")[0])
        start = f"/{self.token}/"
        name = path[len(start) :] if path.startswith(start) else None
        if name == "":
            self._send(200, "text/html; charset=utf-8", self.page.encode(), with_body)
        elif name == "here.svg":
            self._send(200, "image/svg+xml", HERE_SVG, with_body)
        elif name == "first-picture.json":
            self._send(200, "application/json", b"{}", with_body)
        elif name in self.files:
            self._send_file(self.files[name], with_body)
        else:
            self._send(404, "text/plain", b"There is no such file here.", with_body)

    def _send(self, status: int, kind: str, content: bytes, with_body: bool) -> None:
        self._begin(status, kind, len(content))
        if with_body:
            self.wfile.write(content)

    def _begin(self, status: int, kind: str, length: int, **more: str) -> None:
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(length))
        self.send_header("Cache-Control", "no-store")
        for name, value in more.items():
            self.send_header(name.replace("_", "-"), value)
        self.end_headers()

    def _send_file(self, path: Path, with_body: bool) -> None:
        try:
            size = path.stat().st_size
            file = path.open("rb")
        except OSError:
            self._send(404, "text/plain", b"The file is no longer there.", with_body)
            return
        kind = TYPES.get(path.suffix, "application/octet-stream")
        with file:
            part = _part(self.headers.get("Range"), size)
            if part is None:
                self._begin(200, kind, size, Accept_Ranges="bytes")
                start, length = 0, size
            else:
                start, length = part
                if length <= 0:
                    self._begin(416, kind, 0, Content_Range=f"bytes */{size}")
                    return
                within = f"bytes {start}-{start + length - 1}/{size}"
                self._begin(206, kind, length, Accept_Ranges="bytes", Content_Range=within)
            if with_body:
                file.seek(start)
                self._copy(file, length)

    def _copy(self, file: BinaryIO, length: int) -> None:
        try:
            while length > 0 and (block := file.read(min(length, 1 << 20))):
                self.wfile.write(block)
                length -= len(block)
        except (BrokenPipeError, ConnectionResetError):
            self.close_connection = True


def _part(asked: str | None, size: int) -> tuple[int, int] | None:
    """Start and length of the one range that a request asks for; None for the whole file."""
    unit, _, written = (asked or "").partition("=")
    first, dash, last = written.partition("-")
    if unit != "bytes" or not dash or "," in written or not (first or last):
        return None
    if not (first + last).isdigit():
        return None
    if not first:
        length = min(int(last), size)
        return size - length, length
    end = min(int(last), size - 1) if last else size - 1
    return int(first), end - int(first) + 1
