"""Writes a document by the pandoc of the package pypandoc, with the shortcode as a filter."""

import sys
from pathlib import Path

import pypandoc

extension, document, output = sys.argv[1:]
harness = Path(__file__).with_name("shortcode.lua")
metadata = [f"--metadata=extension:{extension}", f"--metadata=document:{document}"]
pypandoc.convert_file(
    document,
    Path(output).suffix[1:].replace("tex", "latex"),
    outputfile=output,
    extra_args=["--standalone", f"--lua-filter={harness}", *metadata],
)
