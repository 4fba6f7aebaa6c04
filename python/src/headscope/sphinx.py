"""The extension of Sphinx: ``extensions = ["headscope.sphinx"]`` in conf.py.

The directive ``headscope`` is a figure, in reStructuredText and in MyST::

    .. headscope:: figure.json
       :alt: Each word looks at the word before it

       A caption, if there are words here.

On a page it is the figure, in PDF and every other output its picture: ``figure.pdf`` or
``figure.svg`` beside the numbers, whichever the output takes.
"""

from __future__ import annotations

import posixpath
from pathlib import Path
from typing import Any

from docutils import nodes
from docutils.parsers.rst import directives
from sphinx.application import Sphinx
from sphinx.errors import ExtensionError
from sphinx.util.docutils import SphinxDirective

from .errors import HeadscopeError
from .script import FIGURES, script
from .tags import ATTRIBUTES, OWN, Figure, Found, figure, is_elsewhere, opening, saved_figure


class headscope_figure(nodes.General, nodes.Element):  # noqa: N801 (Sphinx names nodes like this)
    """A figure, whose child is its picture."""


class HeadscopeDirective(SphinxDirective):
    """The directive ``headscope``: its argument is the file of numbers."""

    optional_arguments = 1
    final_argument_whitespace = True
    has_content = True
    option_spec = {
        **{name: directives.unchanged for name in (*ATTRIBUTES, *OWN) if name != "src"},
        "class": directives.class_option,
        "figure": directives.unchanged,
        "name": directives.unchanged,
    }

    def run(self) -> list[nodes.Node]:
        given = {name: value or "" for name, value in self.options.items()}
        classes = self.options.get("class", [])
        kind = given.pop("figure", None)
        for name in ("class", "name"):
            given.pop(name, None)
        if self.arguments:
            given["src"] = self.arguments[0]
        where = f"{self.env.doc2path(self.env.docname, False)}:{self.lineno}"
        live = self.config.headscope_script is not None
        try:
            one = figure(self._tag(kind, given.get("src")), given, where, self._find, live=live)
        except HeadscopeError as error:
            raise self.error(str(error)) from None
        node = headscope_figure("", self._picture(one), classes=classes, figure=one)
        src = one.attributes.get("src")
        if src is not None and not is_elsewhere(src):
            name, _ = self.env.relfn2path(src)
            self.env.note_dependency(name)
            node["file"] = self.env.dlfiles.add_file(self.env.docname, name)
        outer: nodes.Element = node
        if self.content:
            words, messages = self.parse_inline(" ".join(self.content), lineno=self.lineno)
            outer = nodes.figure("", node, nodes.caption("", "", *words))
            return self._named(outer) + messages
        return self._named(outer)

    def _named(self, node: nodes.Element) -> list[nodes.Node]:
        self.set_source_info(node)
        self.add_name(node)
        return [node]

    def _tag(self, kind: str | None, src: str | None) -> str:
        """The tag of the figure, by default that of its numbers, or a heatmap."""
        found = self._find(src) if kind is None and src is not None else None
        saved = None if found is None else saved_figure(found.path)
        return saved or f"headscope-{kind or 'heatmap'}"

    def _find(self, file: str) -> Found | None:
        path = Path(self.env.relfn2path(file)[1])
        return Found(path, file) if path.is_file() else None

    def _picture(self, one: Figure) -> nodes.Node:
        """The picture; where there is one for LaTeX too, the output takes its own."""
        if one.picture is None:
            return nodes.inline("", one.alt)
        start, _, ending = one.picture.rpartition(".")
        with_pdf = ending == "svg" and self._find(f"{start}.pdf") is not None
        return nodes.image("", uri=f"{start}.*" if with_pdf else one.picture, alt=one.alt)


def _is_page(translator: Any) -> bool:
    # A book reader runs no scripts.
    return translator.builder.format == "html" and translator.builder.name != "epub"


def _open(translator: Any, node: headscope_figure) -> None:
    if _is_page(translator):
        one: Figure = node["figure"]
        src = one.attributes.get("src")
        if "file" in node:
            src = posixpath.join(translator.builder.dlpath, node["file"])
        classes = {"class": " ".join(node["classes"])} if node["classes"] else {}
        one = one._replace(attributes={**one.attributes, **classes})
        translator.body.append(opening(one, src))


def _close(translator: Any, node: headscope_figure) -> None:
    if _is_page(translator):
        translator.body.append(f"</{node['figure'].tag}>\n")


def _nothing(translator: Any, node: headscope_figure) -> None:
    """The picture inside is all that other outputs show."""


def _add_script(app: Sphinx, page: str, template: str, context: Any, doctree: Any) -> None:
    """Adds the script to a page with figures."""
    if doctree is None or not any(doctree.findall(headscope_figure)):
        return
    own = app.config.headscope_script
    if own is None:
        app.add_js_file(FIGURES.name, type="module")
    elif is_elsewhere(own):
        app.add_js_file(own, type="module")
    else:
        app.add_js_file(context["pathto"](own, 1), type="module")


def _copy_script(app: Sphinx) -> None:
    if app.config.headscope_script is None:
        try:
            script(FIGURES)
        except HeadscopeError as error:
            raise ExtensionError(str(error)) from None
        app.config.html_static_path.append(str(FIGURES.parent))


def setup(app: Sphinx) -> dict[str, Any]:
    """Adds the directive."""
    from . import __version__

    app.add_config_value("headscope_script", None, "html", (str, type(None)))
    others = {name: (_nothing, _nothing) for name in ("latex", "text", "man", "texinfo")}
    app.add_node(headscope_figure, html=(_open, _close), **others)
    app.add_directive("headscope", HeadscopeDirective)
    app.connect("builder-inited", _copy_script)
    app.connect("html-page-context", _add_script)
    return {"version": __version__, "parallel_read_safe": True, "parallel_write_safe": True}
