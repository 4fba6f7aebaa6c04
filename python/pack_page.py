"""Packs the page of one file for the wheel: ``pack_page.py PAGE.html FOLDER``.

``headscope file`` writes a page whose scripts and core are deflated; the wheel has them as xz,
which is a quarter smaller, and puts them back when a page is first shown.
"""

from __future__ import annotations

import base64
import json
import lzma
import re
import struct
import sys
import zlib
from pathlib import Path

PACKED = re.compile(r'(<script type="text/plain" id="headscope-packed">)([^<]*)(</script>)')


LEFT_OUT = re.compile(
    r"^(outlines|pdf|training|training-page|lessons|lesson-list|builder|template|calculator)-[\w-]{8}\.js$|_demos_bg-"
)
"""What is left out: PDF, and what needs a core or models that a wheel lacks, or a chat template."""

FONT = re.compile(r"@font-face\s*\{[^}]*url\([^)]*data:font[^}]*\}")
"""The page's own letters, in place of which the system's are taken."""

NO_FILE = b"data:text/html,/"
"""The beginning of an address at which the page finds no file, and says so."""


def without(content: bytes) -> bytes:
    """The packed part without some scripts: a table of contents, and the bytes in its order."""
    (length,) = struct.unpack("<I", content[:4])
    contents = json.loads(content[4 : 4 + length])
    at = 4 + length
    parts: list[bytes] = []
    gone: list[str] = []
    for kind in ("scripts", "files"):
        kept = []
        for name, size in contents[kind]:
            if LEFT_OUT.search(name):
                gone.append(name)
            else:
                kept.append([name, size])
                parts.append(content[at : at + size])
            at += size
        contents[kind] = kept
    for name in gone:
        static = re.compile(rb'(?:from|import) ?"[^"]*/' + re.escape(name).encode() + rb'"')
        if any(static.search(part) for part in parts):
            sys.exit(f"{name} is part of what the page begins with, and cannot be left out")
        given, other = f'headscopeFiles["{name}"]'.encode(), f'"{name}"'.encode()
        other = other.replace(b'"', b'"' + NO_FILE, 1)
        parts = [part.replace(given, other) for part in parts]
    sizes = iter(map(len, parts))
    contents = {kind: [[name, next(sizes)] for name, _ in contents[kind]] for kind in contents}
    table = json.dumps(contents).encode()
    return b"".join([struct.pack("<I", len(table)), table, *parts])


def main(page: Path, folder: Path) -> None:
    """Writes the page without its packed part, and that part, into a folder."""
    text = page.read_text(encoding="utf-8")
    found = PACKED.search(text)
    if found is None:
        sys.exit(f"{page} has no packed part: write it with `headscope file`")
    content = without(zlib.decompress(base64.b64decode(found[2])))
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "page.html").write_text(FONT.sub("", PACKED.sub(r"\1\3", text)), encoding="utf-8")
    # Bytes of scripts and wasm stand at any place: no position of a byte says anything.
    packed = lzma.compress(
        content,
        filters=[{"id": lzma.FILTER_LZMA2, "preset": 9 | lzma.PRESET_EXTREME, "lc": 4, "pb": 0}],
    )
    (folder / "page.bin.xz").write_bytes(packed)
    print(f"{folder}: {len(packed) / 1e6:.2f} MB")


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
