"""Packs the page of one file for the wheel: ``pack_page.py PAGE.html FOLDER``.

``headscope file`` writes a page whose scripts and core are deflated; the wheel has them as xz, which
is a quarter smaller, and puts them back when a page is first shown.
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


LEFT_OUT = re.compile(r"^outlines-")
"""The scripts that are not worth their size in a wheel: letters of a PDF as outlines."""


def without(content: bytes) -> bytes:
    """The packed part without some scripts: a table of contents, and the bytes in its order."""
    (length,) = struct.unpack("<I", content[:4])
    contents = json.loads(content[4 : 4 + length])
    at = 4 + length
    parts = []
    for kind in ("scripts", "files"):
        kept = []
        for name, size in contents[kind]:
            if not LEFT_OUT.match(name):
                kept.append([name, size])
                parts.append(content[at : at + size])
            at += size
        contents[kind] = kept
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
    (folder / "page.html").write_text(PACKED.sub(r"\1\3", text), encoding="utf-8")
    packed = lzma.compress(content, preset=9 | lzma.PRESET_EXTREME)
    (folder / "page.bin.xz").write_bytes(packed)
    print(f"{folder}: {len(packed) / 1e6:.2f} MB")


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
