"""The preprocessor of mdBook: ``[preprocessor.headscope]`` in book.toml is all that a book needs.

mdBook runs the program ``mdbook-headscope``, which reads a book as JSON and writes it with its
figures checked, each with its picture inside and the script at the end of its chapter. Other
renderers than ``html`` are given the picture in place of the figure.
"""

from __future__ import annotations

import json
import posixpath
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import unquote

from .errors import HeadscopeError
from .script import FIGURES, script
from .tags import Figure, Found, is_elsewhere, markup, replaced

FOLDER = "headscope"
"""The folder of the book's sources in which mdBook finds the script, which it copies."""

_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})")
_CODE = re.compile(r"(`+)(?!`).*?(?<!`)\1(?!`)", re.DOTALL)


def main() -> None:
    """The program ``mdbook-headscope``."""
    if sys.argv[1:2] == ["supports"]:
        return
    try:
        context, book = json.loads(sys.stdin.buffer.read())
        _book(context, book)
    except HeadscopeError as error:
        sys.exit(f"headscope: {error}")
    sys.stdout.buffer.write(json.dumps(book).encode())


def _book(context: dict[str, Any], book: dict[str, Any]) -> None:
    root = Path(context["root"])
    config = context["config"]
    source = root / config.get("book", {}).get("src", "src")
    own = config.get("preprocessor", {}).get("headscope", {}).get("script")
    as_html = context["renderer"] == "html"
    found = [_chapter(one, source, own, as_html) for one in _chapters(_items(book))]
    if any(found) and as_html and own is None:
        _copy(source / FOLDER / FIGURES.name)


def _items(book: dict[str, Any]) -> list[Any]:
    # The list had another name before mdBook 0.5.
    return book["items"] if "items" in book else book["sections"]


def _chapters(items: list[Any]) -> Iterator[dict[str, Any]]:
    """All chapters of a book that have a file."""
    for item in items:
        if isinstance(item, dict) and "Chapter" in item:
            chapter = item["Chapter"]
            if chapter["path"] is not None:
                yield chapter
            yield from _chapters(chapter["sub_items"])


def _chapter(chapter: dict[str, Any], source: Path, own: str | None, as_html: bool) -> bool:
    """Writes the figures of a chapter; whether it has any."""
    path = Path(chapter["path"]).as_posix()
    folder = posixpath.dirname(path)

    def find(file: str) -> Found | None:
        # The built page is where its source is, and other files are copied beside it.
        found = source / folder / unquote(file)
        return Found(found, file) if found.is_file() else None

    def write(one: Figure) -> str:
        return markup(one, find) if as_html else _image(one)

    parts = []
    found = False
    for text, is_code in _parts(chapter["content"]):
        made = None if is_code else replaced(text, path, find, write, live=own is not None)
        found = found or made is not None
        parts.append(text if made is None else made)
    if found and as_html:
        address = own or f"{FOLDER}/{FIGURES.name}"
        if not is_elsewhere(address):
            # A module that is imported is named by a path that begins with a dot.
            address = f"./{'../' * (path.count('/'))}{address}"
        parts.append(f"\n\n{_script(address)}\n")
    chapter["content"] = "".join(parts)
    return found


def _script(address: str) -> str:
    """Loads the script, except on the page of all chapters, whose pictures are for print.

    mdBook corrects there the addresses of pictures, and none of scripts and figures.
    """
    unless = "/\\/print(\\.html)?$/.test(location.pathname)"
    return f'<script type="module">{unless} || import({json.dumps(address)});</script>'


def _image(one: Figure) -> str:
    return f"![{one.alt}]({one.picture})" if one.picture else one.alt


def _parts(text: str) -> Iterator[tuple[str, bool]]:
    """Markdown in parts, of which those that are code stay as they are."""
    fence = ""
    block: list[str] = []
    for line in text.splitlines(keepends=True):
        if fence:
            block.append(line)
            if line.strip() and set(line.strip()) == {fence[0]} and len(line.strip()) >= len(fence):
                yield "".join(block), True
                fence, block = "", []
            continue
        opened = _FENCE.match(line)
        if opened:
            yield from _spans("".join(block))
            fence, block = opened[1], [line]
        else:
            block.append(line)
    if fence:
        yield "".join(block), True
    else:
        yield from _spans("".join(block))


def _spans(text: str) -> Iterator[tuple[str, bool]]:
    end = 0
    for match in _CODE.finditer(text):
        yield text[end : match.start()], False
        yield match[0], True
        end = match.end()
    yield text[end:], False


def _copy(path: Path) -> None:
    """Writes the script where mdBook copies it from, unless it is there: mdBook watches files."""
    text = script(FIGURES)
    if not path.is_file() or path.read_text(encoding="utf-8") != text:
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(text.encode())
