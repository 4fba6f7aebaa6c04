"""A figure as one HTML file, which opens from a disk and fetches nothing."""

from __future__ import annotations

import base64
import html
import json
import zlib
from typing import Any

from .script import WIDGET, script

# The script is compressed, which halves the page. It runs as a module of the page itself, since
# pages from a disk may not import files.
LOADER = """
const place = document.querySelector("headscope-attention");
try {
  const packed = document.getElementById("headscope-script").textContent.trim();
  const bytes = Uint8Array.from(atob(packed), (letter) => letter.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  const script = document.createElement("script");
  script.type = "module";
  script.textContent = await new Response(stream).text();
  document.head.append(script);
} catch (error) {
  place.textContent = `This browser cannot open the figure (${error}). Use a current one.`;
}
"""

PAGE = """<!doctype html>
<html lang="{language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="generator" content="Headscope {version}">
<title>{title}</title>
<style>
:root {{ color-scheme: light dark; }}
body {{ margin: 24px; }}
</style>
</head>
<body>
<headscope-attention><script type="application/json">{figure}</script></headscope-attention>
<noscript>This figure needs JavaScript.</noscript>
<script type="text/plain" id="headscope-script">{script}</script>
<script type="module">{loader}</script>
</body>
</html>
"""


def page(
    description: dict[str, Any], numbers: bytes, selection: dict[str, Any], language: str
) -> str:
    """The page of a figure that shows ``selection`` first."""
    # Imported here: the version is that of the installed package.
    from . import __version__

    figure = {**description, "selection": selection, "data": _base64(numbers)}
    return PAGE.format(
        language=html.escape(language, quote=True),
        version=__version__,
        title=html.escape(description["title"] or "Attention"),
        # No text in JSON may end the element around it.
        figure=json.dumps(figure, separators=(",", ":")).replace("<", "\\u003c"),
        script=_base64(zlib.compress(script(WIDGET).encode(), 9)),
        loader=LOADER,
    )


def _base64(data: bytes) -> str:
    return base64.b64encode(data).decode("ascii")
