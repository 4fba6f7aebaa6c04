"""The whole explorer in a notebook: a page on this machine, with a model beside it."""

from __future__ import annotations

import base64
import html
import json
import lzma
import os
import re
import shutil
import tempfile
import weakref
import zlib
from functools import lru_cache
from pathlib import Path
from typing import Any
from urllib.parse import quote

from .errors import HeadscopeError
from .server import Server

HERE = Path(__file__).parent
PACKED = '<script type="text/plain" id="headscope-packed">'
MODEL_PLACE = "<!-- model -->"

OF_MODEL = re.compile(r"\.(json|jinja|txt|model|safetensors|gguf|bin)$")
"""The files of a model that the page reads."""

MOST_BYTES = 256 * 2**20
"""The most bytes of a model that a page of one file can carry."""

SHOWN: set[ExplorerFigure] = set()
"""The figures in a notebook: marimo shows what a cell returns without keeping it."""


@lru_cache(maxsize=1)
def page() -> str:
    """The page of one file, without a model."""
    try:
        text = (HERE / "page.html").read_text(encoding="utf-8")
        content = lzma.decompress((HERE / "page.bin.xz").read_bytes())
    except FileNotFoundError as error:
        raise HeadscopeError(
            "figure/script",
            f"{error.filename} is missing: install the package again with "
            "`pip install --force-reinstall headscope`; from a checkout of its sources, "
            "`cargo xtask build` writes a wheel to dist/python.",
        ) from error
    packed = base64.b64encode(zlib.compress(content, 6)).decode("ascii")
    return text.replace(PACKED, PACKED + packed)


class ExplorerFigure:
    """The whole explorer on a model's files, where everything edits.

    A notebook shows it where it is the last value of a cell. Its page and the model's files come
    from a server of this process on 127.0.0.1, under an address that nobody can guess, for as long
    as the figure lives, and once it was shown until ``close()``; the model runs in the browser.
    ``address`` opens in a browser, too.
    """

    def __init__(self, files: dict[str, Path], name: str, state: str, height: int = 860) -> None:
        self._files, self._name, self._state, self._height = files, name, state, height
        isolated = [key for key in files if key.endswith(".gguf")]
        # A file is a model by itself; a folder has a name that an address takes as it is.
        folder = "" if len(files) == 1 and isolated else re.sub(r"[^\w.-]", "-", name) + "/"
        self._place = f"./model/{folder}{quote(isolated[0]) if folder == '' else ''}"
        beside = {f"model/{folder}{key}": path for key, path in files.items()}
        self._server = Server(page(), beside)
        weakref.finalize(self, self._server.close)

    @property
    def address(self) -> str:
        """The address of the explorer, for a browser on this machine."""
        return f"{self._server.address}#model={self._place}{self._state}"

    def close(self) -> None:
        """Ends the server: the figure no longer shows anything."""
        SHOWN.discard(self)
        self._server.close()

    def save(self, path: str | Path) -> Path:
        """Writes the explorer with the model as one HTML file, which opens without a network."""
        size = sum(file.stat().st_size for file in self._files.values())
        if size > MOST_BYTES:
            raise HeadscopeError(
                "model/size",
                f"The model's files have {size / 2**20:.0f} MB, and a page of one file can carry "
                f"{MOST_BYTES / 2**20:.0f} MB: give its folder instead, which `npx headscope "
                "FOLDER` opens.",
            )
        about = {"name": self._name, "address": self._state.lstrip("&")}
        written = json.dumps(about).replace("<", "\\u003c")
        parts = [f'<script type="application/json" id="headscope-model">{written}</script>\n']
        for key, file in self._files.items():
            data = base64.b64encode(file.read_bytes()).decode("ascii")
            parts.append(f'<script type="text/plain" data-file="{quote(key)}">{data}</script>\n')
        path = Path(path)
        path.write_text(page().replace(MODEL_PLACE, "".join(parts)), encoding="utf-8")
        return path

    def _repr_html_(self) -> str:
        """What a notebook shows: the page, or a sentence where it cannot be reached."""
        SHOWN.add(self)
        inner = FRAME.format(
            picture=json.dumps(f"{self._server.address}here.svg"),
            address=json.dumps(self.address).replace("<", "\\u003c"),
        )
        return (
            f'<iframe srcdoc="{html.escape(inner, quote=True)}" height="{self._height}" '
            'style="width: 100%; border: 0"></iframe>'
        )


# Where the notebook was exported, or runs on another machine than the reader's browser, nothing
# answers at the address: an image tells, which needs no permission of another page.
FRAME = """<!doctype html>
<meta charset="utf-8">
<p id="words" style="font: 14px system-ui, sans-serif">The explorer opens…</p>
<script>
const here = new Image();
here.onload = () => location.replace({address});
here.onerror = () => {{
  document.getElementById("words").textContent =
    "The explorer is not reachable from this browser: its server ran on the machine of the " +
    "notebook, and as long as the figure. Run the cell again on your own machine, or write a " +
    'page of one file with figure.save("explorer.html").';
}};
here.src = {picture};
</script>
"""


def state_of(**fields: Any) -> str:
    """Fields of the page's address, from Python's values; None and the empty text are left out."""
    written = {name: str(value) for name, value in fields.items() if value not in (None, "")}
    return "".join(f"&{name}={quote(value, safe='')}" for name, value in written.items())


def of_folder(folder: Path) -> dict[str, Path]:
    """The files of a model's folder by their names."""
    files = {one.name: one for one in sorted(folder.iterdir()) if OF_MODEL.search(one.name)}
    if any(name.endswith(".safetensors") for name in files):
        # A folder may have the weights in both forms, of which the page reads one.
        files = {name: path for name, path in files.items() if not name.endswith(".bin")}
    return {name: path for name, path in files.items() if path.is_file()}


def show_live(
    model: Any, tokenizer: Any, text: str, target: str | None, *, layer: int, head: int
) -> ExplorerFigure:
    """The explorer on the weights that a model has now, and its tokenizer."""
    state = state_of(text=text, target=target, **_place(layer, head))
    folder = Path(tempfile.mkdtemp(prefix="headscope-"))
    try:
        # One file: a reader of the page waits for all of them anyway.
        model.save_pretrained(folder, max_shard_size="1000GB")
        tokenizer.save_pretrained(folder)
        figure = ExplorerFigure(of_folder(folder), type(model).__name__, state)
    except BaseException:
        shutil.rmtree(folder, ignore_errors=True)
        raise
    weakref.finalize(figure, shutil.rmtree, folder, ignore_errors=True)
    return figure


def open(  # noqa: A001
    path: str | Path, text: str = "", target: str | None = None, *, layer: int = 0, head: int = 0
) -> ExplorerFigure:
    """Opens a model from the disk in the whole explorer, without PyTorch.

    Args:
        path: A Hugging Face folder, also one of its cache (``models--org--name``), or a GGUF file.
        text: The text; by default the page's own sample.
        target: The text that the decoder of an encoder–decoder model reads; by default what the
            model writes itself.
        layer, head: The head that is shown first, counted from 0.

    Raises:
        HeadscopeError: If there is no model.
    """
    if not isinstance(path, (str, os.PathLike)):
        raise HeadscopeError("model/not-found", f"path is {path!r}: a path expected, as a string.")
    found = Path(path).expanduser()
    state = state_of(text=text, target=target, **_place(layer, head))
    if found.is_file() and found.suffix == ".gguf":
        return ExplorerFigure({found.name: found}, found.stem, state)
    folder = _snapshot(found)
    if folder is None:
        raise HeadscopeError(
            "model/not-found",
            f"path is {str(path)!r}, which is no folder and no GGUF file on this machine. Give the "
            "path of a folder with config.json and weights; "
            "`huggingface_hub.snapshot_download(id)` gives that of a model of the hub.",
        )
    files = of_folder(folder)
    ggufs = [name for name in files if name.endswith(".gguf")]
    if "config.json" not in files and len(ggufs) == 1:
        return ExplorerFigure({ggufs[0]: files[ggufs[0]]}, Path(ggufs[0]).stem, state)
    if "config.json" not in files:
        names = ", ".join(list(files)[:5]) or "no file of a model"
        raise HeadscopeError(
            "model/files",
            f"{found} has {names}: a folder with config.json, the tokenizer's files and weights, "
            "or one GGUF file expected.",
        )
    return ExplorerFigure(files, found.name.rpartition("--")[2], state)


def _place(layer: int, head: int) -> dict[str, int]:
    """The head of an address, which counts from 1; none for the first, the page chooses then."""
    for name, value in (("layer", layer), ("head", head)):
        if not isinstance(value, int) or value < 0:
            raise HeadscopeError(
                "figure/option", f"{name} is {value!r}: a whole number from 0 expected."
            )
    return {} if layer == head == 0 else {"layer": layer + 1, "head": head + 1}


def _snapshot(folder: Path) -> Path | None:
    """A folder; of one in Hugging Face's cache the snapshot that ``refs/main`` names."""
    if not folder.is_dir():
        return None
    snapshots = folder / "snapshots"
    if not folder.name.startswith("models--") or not snapshots.is_dir():
        return folder
    reference = folder / "refs" / "main"
    if reference.is_file():
        return snapshots / reference.read_text(encoding="utf-8").strip()
    found = sorted(snapshots.iterdir())
    return found[0] if len(found) == 1 else folder
