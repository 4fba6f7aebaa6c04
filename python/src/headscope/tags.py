"""Figures as tags in pages of documentation: what the plug-ins of all tools share.

An author writes a figure as HTML has it, ``<headscope-heatmap src="figure.json" alt="…">``; a
plug-in checks it while the page is built, puts the picture for print and for readers without
JavaScript inside, and adds the script.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from html import escape
from html.parser import HTMLParser
from pathlib import Path
from typing import Callable, NamedTuple, Optional

from .errors import HeadscopeError

TAGS = (
    "headscope-attribution",
    "headscope-difference",
    "headscope-dimensions",
    "headscope-effects",
    "headscope-grid",
    "headscope-heatmap",
    "headscope-image",
    "headscope-lens",
    "headscope-lines",
    "headscope-mask",
    "headscope-positions",
    "headscope-spectrum",
    "headscope-steps",
    "headscope-tokens",
)
"""The tags of the figures that work alone."""

EXPLORER = "head-scope"
"""The tag of the whole explorer, which always needs a model."""

ATTRIBUTES = (
    "backend",
    "beside",
    "by",
    "caption",
    "cell",
    "colours",
    "compare",
    "demos",
    "depth",
    "edits",
    "entry",
    "experiment",
    "head",
    "height",
    "joined",
    "language",
    "layer",
    "masked",
    "mass",
    "model",
    "number",
    "numbers",
    "other",
    "otherhead",
    "othermodel",
    "othertarget",
    "pairs",
    "sampling",
    "shade",
    "sink",
    "specials",
    "src",
    "stack",
    "stage",
    "target",
    "text",
    "theme",
    "training",
)
"""The attributes of the elements."""

OWN = ("alt", "picture")
"""What a plug-in reads beside them: words for the picture, and its file."""

OF_HTML = re.compile(r"class|id|lang|role|slot|style|title|(?:aria|data|on)-?\w.*")

_ATTRIBUTE = r"\s+[^\s\"'<>/=]+(?:\s*=\s*(?:\"[^\"]*\"|'[^']*'|[^\s\"'=<>`]+))?"
TAG = re.compile(
    rf"<(?P<name>headscope-[a-z]+|head-scope)(?P<attributes>(?:{_ATTRIBUTE})*)\s*"
    r"(?:/>|>(?P<inside>.*?)</(?P=name)\s*>)",
    re.DOTALL,
)
_OPENING = re.compile(r"<(?:headscope-[a-z]+|head-scope)\b[^>]*>?")

_ELSEWHERE = re.compile(r"[a-z][a-z0-9+.-]*:|/", re.IGNORECASE)


class Found(NamedTuple):
    """A file that a page names: where it is, and its address in the built page."""

    path: Path
    address: str


Finder = Callable[[str], Optional[Found]]
"""Finds a file beside a page; None where there is none."""


class Figure(NamedTuple):
    """A figure of a page: checked, without addresses of its own."""

    tag: str
    attributes: Mapping[str, str]
    alt: str
    picture: str | None
    inside: str


def figure(
    tag: str,
    given: Mapping[str, str],
    where: str,
    find: Finder,
    *,
    inside: str = "",
    live: bool,
) -> Figure:
    """Checks a figure of a page.

    Args:
        tag: Its tag.
        given: Its attributes, with ``alt`` and ``picture``.
        where: The page, for the sentence of an error.
        find: Finds the files that the figure names.
        inside: What the author wrote inside the tag.
        live: Whether the pages load a script that runs models.

    Raises:
        HeadscopeError: If the built page could not show the figure.
    """

    def refuse(code: str, words: str) -> HeadscopeError:
        return HeadscopeError(f"docs/{code}", f"{where}: <{tag}>: {words}")

    if tag not in (*TAGS, EXPLORER):
        raise refuse("tag", f"there is no such figure. Use one of: {', '.join(TAGS)}.")
    for name in given:
        if name not in ATTRIBUTES and name not in OWN and not OF_HTML.fullmatch(name):
            known = ", ".join((*ATTRIBUTES, *OWN))
            raise refuse("attribute", f"no figure has the attribute {name}. Use one of: {known}.")
    src, picture = given.get("src"), given.get("picture")
    if src is None and "model" not in given:
        raise refuse(
            "no-numbers",
            'it has no numbers. Name the file that the page saved (src="figure.json"), or a model '
            "and a text.",
        )
    if src is None and not live:
        raise refuse(
            "no-script",
            "a model runs in the script of a built site. Name its address in the settings of this "
            "tool (script), or save the numbers and name their file in src.",
        )
    for name, file in (("src", src), ("picture", picture)):
        if file is None or is_elsewhere(file):
            continue
        found = find(file)
        if found is None:
            raise refuse("no-file", f"{name}: there is no file {file} beside this page.")
        saved = saved_figure(found.path) if name == "src" else tag
        if saved is None:
            raise refuse("not-saved", f"{file} is no JSON file that Headscope saved.")
        if saved not in ("", tag):
            raise refuse("other", f"{file} has the numbers of another figure: write <{saved}>.")
    if picture is None and src is not None and not is_elsewhere(src):
        beside = re.sub(r"\.json$", ".svg", src)
        picture = beside if beside != src and find(beside) is not None else None
    alt = given.get("alt", "").strip()
    if not alt and not inside.strip():
        raise refuse(
            "no-alt",
            "it has no words for readers who do not see it. Say in alt what it shows, such as "
            'alt="Each word looks at the word before it".',
        )
    attributes = {name: value for name, value in given.items() if name not in OWN}
    return Figure(tag, attributes, alt, picture, inside.strip())


def saved_figure(path: Path) -> str | None:
    """The tag of the figure whose numbers a file has, empty for a tensor of several figures.

    None for a file that Headscope did not save.
    """
    try:
        file = json.loads(path.read_text(encoding="utf-8"))
    except ValueError:
        return None
    form = file.get("format") if isinstance(file, dict) else None
    if form == "headscope-figure":
        return f"headscope-{file.get('figure')}"
    return "" if form == "headscope-tensor" else None


def is_elsewhere(address: str) -> bool:
    """Whether an address names no file beside the page, but a site or the root of one."""
    return _ELSEWHERE.match(address) is not None


def opening(one: Figure, src: str | None) -> str:
    """The start tag of a figure whose numbers are at ``src``."""
    attributes = {**one.attributes, **({} if src is None else {"src": src})}
    written = "".join(f' {name}="{escape(value)}"' for name, value in attributes.items())
    return f"<{one.tag}{written}>"


def markup(one: Figure, find: Finder) -> str:
    """A figure as HTML, on one line, so that Markdown leaves it alone."""

    def address(file: str | None) -> str | None:
        if file is None or is_elsewhere(file):
            return file
        found = find(file)
        return None if found is None else found.address

    picture = address(one.picture)
    inside = one.inside or (
        f'<img src="{escape(picture)}" alt="{escape(one.alt)}">' if picture else escape(one.alt)
    )
    return f"{opening(one, address(one.attributes.get('src')))}{inside}</{one.tag}>"


def script_tag(address: str) -> str:
    """The script of a page with figures."""
    return f'<script type="module" src="{escape(address)}"></script>'


def replaced(
    text: str,
    where: str,
    find: Finder,
    write: Callable[[Figure], str],
    *,
    live: bool,
) -> str | None:
    """A text of HTML whose figures are checked and written anew; None if it has none."""
    written: list[str] = []
    end = 0
    for match in TAG.finditer(text):
        _no_other(text[end : match.start()], where)
        inside = match["inside"] or ""
        one = figure(match["name"], _attributes(match), where, find, inside=inside, live=live)
        written += [text[end : match.start()], write(one)]
        end = match.end()
    _no_other(text[end:], where)
    return "".join([*written, text[end:]]) if written else None


def _no_other(text: str, where: str) -> None:
    found = _OPENING.search(text)
    if found:
        raise HeadscopeError(
            "docs/unclosed",
            f"{where}: {found[0]}: the end of the figure is missing, or an attribute has no "
            'quotes around its value. Write <headscope-heatmap src="figure.json" alt="…">'
            "</headscope-heatmap>.",
        )


class _Attributes(HTMLParser):
    """The attributes of the one tag that it is fed."""

    found: dict[str, str]

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found = {name: value or "" for name, value in attrs}


def _attributes(match: re.Match[str]) -> dict[str, str]:
    parser = _Attributes()
    parser.feed(f"<{match['name']}{match['attributes']}>")
    return parser.found
